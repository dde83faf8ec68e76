/* TLA layouts: text, coordinates, constructors, tiles, levels, tables. The examples of CATLASS's document
 * "TLA Layouts" are marked "document". */
#include "tsr_test.h"

#include "tsr_alloc.h"
#include "tsr_tla.h"

/* ---- text ---- */

static void test_layout_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *printed;
    } rows[] = {
        {"(_2,4):(_12,_1)", "(_2,4):(_12,_1)"},                                       /* document: w2xh4 */
        {"((16,2),(16,3)):((16,256),(1,512))", "((16,2),(16,3)):((16,256),(1,512))"}, /* document: w32xh48 */
        {" ( 2 , 3 ) : ( 3 , 1 ) ", "(2,3):(3,1)"},
        {"8:2", "8:2"},
        {"(8):(2)", "(8):(2)"},
        {"():()", "():()"},
        {"((((((((((((((((2)))))))))))))))):((((((((((((((((1))))))))))))))))",
         "((((((((((((((((2)))))))))))))))):((((((((((((((((1))))))))))))))))"},
        {"((16,8),(16,16)):((16,256),(1,2048))@(127,256)", "((16,8),(16,16)):((16,256),(1,2048))@(127,256)"},
        {"(2,3):(3,1)@(2,3)", "(2,3):(3,1)"},
        {"8:1 @ 5", "8:1@5"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_arena arena = {0};
        tsr_tla layout;
        tsr_text text = {0};
        assert_ok(tsr_tla_parse(&layout, &arena, rows[i].text, err));
        tsr_tla_print(&text, &layout);
        assert_string_equal(tsr_text_cstr(&text), rows[i].printed);
        tsr_text_clear(&text);
        tsr_arena_clear(&arena);
    }
}

static void test_layout_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        tsr_status status;
        uint64_t col;
        const char *message;
    } rows[] = {
        {"", TSR_SYNTAX, 1, "expected an integer, '_' or '(', but the text ends"},
        {"(2,3)", TSR_SYNTAX, 6, "expected ':' and the stride of the layout, but the text ends"},
        {"(2,3:1", TSR_SYNTAX, 5, "expected ',' or ')', not ':'"},
        {"(2,):(1)", TSR_SYNTAX, 4, "expected an integer, '_' or '(', not ')'"},
        {"2:1 x", TSR_SYNTAX, 5, "expected '@' or the end of the layout, not 'x'"},
        {"2:1@1 x", TSR_SYNTAX, 7, "expected the end of the layout, not 'x'"},
        {"2:-1", TSR_SYNTAX, 3, "expected an integer, '_' or '(', not '-'"},
        {"9223372036854775808:1", TSR_LIMIT, 1, "number '9223372036854775808' does not fit into 64 bits"},
        {"(2,3):(3,(1))", TSR_ARGUMENT, 0, "the shape 3 and the stride (1) do not have the same structure"},
        {"(2,3):(3)", TSR_ARGUMENT, 0, "the shape (2,3) and the stride (3) do not have the same structure"},
        {"(2,_):(3,1)", TSR_ARGUMENT, 0, "a layout cannot contain '_' as a size or stride"},
        {"(2,0):(3,1)", TSR_ARGUMENT, 0, "the sizes of a layout must be at least 1, but one is 0"},
        {"(4294967296,4294967296):(0,0)", TSR_LIMIT, 0, "the size of the layout does not fit into 64 bits"},
        {"(3,3):(4611686018427387904,1)", TSR_LIMIT, 0, "the offsets of the layout do not fit into 64 bits"},
        {"2:9223372036854775807", TSR_LIMIT, 0, "the offsets of the layout do not fit into 64 bits"},
        {"(2,3):(3,1)@(2,4)", TSR_ARGUMENT, 0,
         "the origin of mode 1 is 4, more than the size of the mode, 3"},
        {"(2,3):(3,1)@2", TSR_ARGUMENT, 0, "the origin shape 2 must have one integer for each mode of (2,3)"},
        {"(2,3):(3,1)@(2,(3))", TSR_ARGUMENT, 0,
         "the origin shape (2,(3)) must have one integer for each mode of (2,3)"},
        {"(((((((((((((((((2):1", TSR_LIMIT, 18, "a tuple may nest at most 16 deep"},
        {"(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
         "1,"
         "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1):1",
         TSR_LIMIT, 130, "a tuple has at most 64 leaves"},
        {"((1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1),"
         "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)):1",
         TSR_LIMIT, 0, "a tuple has at most 64 leaves, but this one has 65"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_arena arena = {0};
        tsr_tla layout;
        tsr_error why = {0};
        assert_int_equal(tsr_tla_parse(&layout, &arena, rows[i].text, &why), rows[i].status);
        assert_null(layout.shape);
        assert_string_equal(why.message, rows[i].message);
        assert_int_equal(why.col, rows[i].col);
        tsr_arena_clear(&arena);
    }
}

static void test_tiler_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *printed;
    } rows[] = {
        {"8", "8:1"},
        {"_8", "_8:_1"},
        {"_", "_"},
        {"(3,8)", "[3:1;8:1]"},
        {"((2,2),_)", "[[2:1;2:1];_]"},
        {"(2,4):(1,8)", "(2,4):(1,8)"},
        {"[3:3;(2,4):(1,8)]", "[3:3;(2,4):(1,8)]"},
        {"[_; [2:1 ; 1:1]]", "[_;[2:1;1:1]]"},
        {"<3:3, (2,4):(1,8)>", "[3:3;(2,4):(1,8)]"}, /* as CuTe's documents write it */
        {"<_,<2:1>>", "[_;[2:1]]"},
        {"<2:1;3:1>", NULL},
        {"<2:1", NULL},
        {"[", NULL},
        {"[]", NULL},
        {"[2:1,3:1]", NULL},
        {"2:1]", NULL},
        {"[[[[[[[[[[[[[[[[[2]]]]]]]]]]]]]]]]]", NULL},
        {"0", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_arena arena = {0};
        const tsr_tiler *tiler;
        tsr_error why = {0};
        if (!rows[i].printed) {
            assert_int_not_equal(tsr_tiler_parse(&tiler, &arena, rows[i].text, &why), TSR_OK);
            assert_null(tiler);
            assert_true(why.message[0] != '\0');
        } else {
            tsr_text text = {0};
            assert_ok(tsr_tiler_parse(&tiler, &arena, rows[i].text, err));
            tsr_tiler_print(&text, tiler);
            assert_string_equal(tsr_text_cstr(&text), rows[i].printed);
            tsr_text_clear(&text);
        }
        tsr_arena_clear(&arena);
    }
}

/* Document: IntTuple operations rank, get, depth, and their forms with several indices. */
static void test_structure(void **state)
{
    (void)state;
    tsr_arena arena = {0};
    const tsr_tuple *tuple;
    assert_ok(tsr_tuple_parse(&tuple, &arena, "(2,(_3,(4,5)),())", err));
    assert_int_equal(tsr_tuple_rank(tuple), 3);
    assert_int_equal(tsr_tuple_depth(tuple), 3);
    assert_int_equal(tsr_tuple_nleaves(tuple), 5);
    assert_int_equal(tuple->x[0]->v, 2);
    assert_true(tuple->x[1]->x[0]->is_static);
    assert_int_equal(tuple->x[1]->x[1]->x[1]->v, 5);
    assert_int_equal(tsr_tuple_rank(tuple->x[1]->x[1]), 2);
    assert_int_equal(tsr_tuple_rank(tuple->x[2]), 0);
    tsr_tla layout, mode;
    assert_ok(tsr_tla_parse(&layout, &arena, "((16,2),(16,3)):((16,256),(1,512))", err));
    assert_int_equal(tsr_tla_rank(&layout), 2);
    assert_int_equal(tsr_tla_depth(&layout), 2);
    assert_int_equal(tsr_tla_size(&layout), 1536);
    assert_int_equal(tsr_tla_cosize(&layout), 1536);
    assert_int_equal(tsr_tla_dim(&layout, 1), 48);
    assert_ok(tsr_tla_mode(&mode, &layout, 2, (int[]){1, 1}, err));
    assert_int_equal(mode.shape->v, 3);
    assert_int_equal(mode.stride->v, 512);
    assert_int_equal(tsr_tla_mode(&mode, &layout, 2, (int[]){1, 2}, NULL), TSR_ARGUMENT);
    tsr_arena_clear(&arena);
}

/* Tuples made piece by piece obey the same limits as parsed ones. */
static void test_limits(void **state)
{
    (void)state;
    tsr_arena arena = {0};
    tsr_error why = {0};
    tsr_tla deep, layouts[3], out;
    const tsr_tuple *tuple;
    int64_t ones[TSR_TLA_MAX_LEAVES + 1];
    for (int i = 0; i <= TSR_TLA_MAX_LEAVES; i++)
        ones[i] = 1;
    assert_ok(tsr_tla_parse(&deep, &arena, "7:1", err));
    for (int i = 0; i < TSR_TLA_MAX_DEPTH; i++) {
        const tsr_tla inner = deep;
        assert_ok(tsr_tla_concat(&deep, &arena, 1, &inner, err));
    }
    assert_int_equal(tsr_tla_depth(&deep), TSR_TLA_MAX_DEPTH);
    assert_int_equal(tsr_tla_concat(&out, &arena, 1, &deep, &why), TSR_LIMIT);
    assert_string_equal(why.message, "a tuple may nest at most 16 deep");
    assert_null(out.shape);
    assert_int_equal(tsr_tuple_ints(&tuple, &arena, TSR_TLA_MAX_LEAVES + 1, ones, &why), TSR_LIMIT);
    assert_string_equal(why.message, "a tuple has at most 64 leaves, but this one has 65");
    assert_ok(tsr_tuple_ints(&tuple, &arena, TSR_TLA_MAX_LEAVES / 2, ones, err));
    for (int i = 0; i < 3; i++)
        assert_ok(tsr_tla_make_left(&layouts[i], &arena, tuple, err));
    assert_ok(tsr_tla_concat(&out, &arena, 2, layouts, err));
    assert_int_equal(tsr_tla_concat(&out, &arena, 3, layouts, &why), TSR_LIMIT);
    assert_string_equal(why.message, "a tuple has at most 64 leaves, but this one has 96");
    assert_int_equal(tsr_tuple_int(&tuple, &arena, -1, &why), TSR_ARGUMENT);
    assert_string_equal(why.message, "the integers of a tuple must not be negative: -1");
    tsr_arena_clear(&arena);
}

/* ---- coordinates ---- */

static void test_offsets(void **state)
{
    (void)state;
    static const struct {
        const char *layout, *coord;
        int64_t offset; /* -1: TSR_RANGE; -2: TSR_ARGUMENT */
    } rows[] = {
        {"((_4,_2),(_4,_3)):((_4,_16),(_1,_32))", "(1,5)", 37}, /* document: crd2offset */
        {"((4,2),(4,3)):((4,16),(1,32))", "((1,0),(1,1))", 37},
        {"((4,2),(4,3)):((4,16),(1,32))", "(1,(1,1))", 37},
        {"((4,2),(4,3)):((4,16),(1,32))", "41", 37},
        {"((4,2),(4,3)):((4,16),(1,32))", "95", 95},
        {"((4,2),(4,3)):((4,16),(1,32))", "96", -1},
        {"((4,2),(4,3)):((4,16),(1,32))", "(8,0)", -1},
        {"((4,2),(4,3)):((4,16),(1,32))", "((0,2),0)", -1},
        {"((4,2),(4,3)):((4,16),(1,32))", "(0,0,0)", -2},
        {"((4,2),(4,3)):((4,16),(1,32))", "(_,0)", -2},
        {"(4,2):(1,4)", "((1),0)", -2},
        {"():()", "()", 0},
        {"():()", "0", 0},
        {"7:3", "6", 18},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_arena arena = {0};
        tsr_tla layout;
        const tsr_tuple *coord;
        int64_t offset;
        assert_ok(tsr_tla_parse(&layout, &arena, rows[i].layout, err));
        assert_ok(tsr_tuple_parse(&coord, &arena, rows[i].coord, err));
        const tsr_status status = tsr_tla_offset(&offset, &layout, coord, NULL);
        assert_int_equal(status, rows[i].offset == -1   ? TSR_RANGE
                                 : rows[i].offset == -2 ? TSR_ARGUMENT
                                                        : TSR_OK);
        assert_int_equal(offset, rows[i].offset < 0 ? 0 : rows[i].offset);
        tsr_arena_clear(&arena);
    }
}

/* ---- tables ---- */

/* Document: the tables of its three matrices (with the blanks of our grid). */
static void test_tables(void **state)
{
    (void)state;
    static const struct {
        const char *layout, *table;
    } rows[] = {
        {"(2,3):(3,1)", "      0   1   2 \n"
                        "    +---+---+---+\n"
                        " 0  | 0 | 1 | 2 |\n"
                        "    +---+---+---+\n"
                        " 1  | 3 | 4 | 5 |\n"
                        "    +---+---+---+\n"},
        {"(2,3):(1,2)", "      0   1   2 \n"
                        "    +---+---+---+\n"
                        " 0  | 0 | 2 | 4 |\n"
                        "    +---+---+---+\n"
                        " 1  | 1 | 3 | 5 |\n"
                        "    +---+---+---+\n"},
        {"((4,2),(4,3)):((4,16),(1,32))",
         "       0    1    2    3    4    5    6    7    8    9   10   11 \n"
         "    +----+----+----+----+----+----+----+----+----+----+----+----+\n"
         " 0  |  0 |  1 |  2 |  3 | 32 | 33 | 34 | 35 | 64 | 65 | 66 | 67 |\n"
         "    +----+----+----+----+----+----+----+----+----+----+----+----+\n"
         " 1  |  4 |  5 |  6 |  7 | 36 | 37 | 38 | 39 | 68 | 69 | 70 | 71 |\n"
         "    +----+----+----+----+----+----+----+----+----+----+----+----+\n"
         " 2  |  8 |  9 | 10 | 11 | 40 | 41 | 42 | 43 | 72 | 73 | 74 | 75 |\n"
         "    +----+----+----+----+----+----+----+----+----+----+----+----+\n"
         " 3  | 12 | 13 | 14 | 15 | 44 | 45 | 46 | 47 | 76 | 77 | 78 | 79 |\n"
         "    +----+----+----+----+----+----+----+----+----+----+----+----+\n"
         " 4  | 16 | 17 | 18 | 19 | 48 | 49 | 50 | 51 | 80 | 81 | 82 | 83 |\n"
         "    +----+----+----+----+----+----+----+----+----+----+----+----+\n"
         " 5  | 20 | 21 | 22 | 23 | 52 | 53 | 54 | 55 | 84 | 85 | 86 | 87 |\n"
         "    +----+----+----+----+----+----+----+----+----+----+----+----+\n"
         " 6  | 24 | 25 | 26 | 27 | 56 | 57 | 58 | 59 | 88 | 89 | 90 | 91 |\n"
         "    +----+----+----+----+----+----+----+----+----+----+----+----+\n"
         " 7  | 28 | 29 | 30 | 31 | 60 | 61 | 62 | 63 | 92 | 93 | 94 | 95 |\n"
         "    +----+----+----+----+----+----+----+----+----+----+----+----+\n"},
        {"(2,2):(1,2)@(1,2)", "      0   1 \n"
                              "    +---+---+\n"
                              " 0  | 0 | 2 |\n"
                              "    +---+---+\n"
                              " 1  | . | . |\n"
                              "    +---+---+\n"},
        {"3:2", "      0   1   2 \n"
                "    +---+---+---+\n"
                " 0  | 0 | 2 | 4 |\n"
                "    +---+---+---+\n"},
        {"10:0", "      0   1   2   3   4   5   6   7   8   9 \n"
                 "    +---+---+---+---+---+---+---+---+---+---+\n"
                 " 0  | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |\n"
                 "    +---+---+---+---+---+---+---+---+---+---+\n"},
        {"(1,11):(0,0)@(1,2)", "       0    1    2    3    4    5    6    7    8    9   10 \n"
                               "    +----+----+----+----+----+----+----+----+----+----+----+\n"
                               " 0  |  0 |  0 |  . |  . |  . |  . |  . |  . |  . |  . |  . |\n"
                               "    +----+----+----+----+----+----+----+----+----+----+----+\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_arena arena = {0};
        tsr_tla layout;
        tsr_text text = {0};
        assert_ok(tsr_tla_parse(&layout, &arena, rows[i].layout, err));
        assert_ok(tsr_tla_print_2d(&text, &layout, err));
        assert_string_equal(tsr_text_cstr(&text), rows[i].table);
        tsr_text_clear(&text);
        tsr_arena_clear(&arena);
    }
}

static void test_table_refusals(void **state)
{
    (void)state;
    tsr_arena arena = {0};
    tsr_tla layout;
    tsr_text text = {0};
    tsr_error why = {0};
    assert_ok(tsr_tla_parse(&layout, &arena, "(1024,1025):(0,1)", err));
    assert_int_equal(tsr_tla_print_1d(&text, &layout, &why), TSR_LIMIT);
    assert_string_equal(why.message, "a table has at most 1048576 cells, not 1049600");
    assert_int_equal(tsr_tla_print_2d(&text, &layout, NULL), TSR_LIMIT);
    assert_ok(tsr_tla_parse(&layout, &arena, "(2,2,2):(1,2,4)", err));
    assert_int_equal(tsr_tla_print_2d(&text, &layout, &why), TSR_ARGUMENT);
    assert_string_equal(why.message,
                        "only a layout of rank 1 or 2 can be printed as a table, not one of rank 3");
    assert_ok(tsr_tla_print_1d(&text, &layout, err));
    assert_string_equal(tsr_text_cstr(&text), "0 1 2 3 4 5 6 7");
    tsr_text_clear(&text);
    tsr_arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout_texts), cmocka_unit_test(test_layout_errors),
        cmocka_unit_test(test_tiler_texts),  cmocka_unit_test(test_structure),
        cmocka_unit_test(test_limits),       cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_tables),       cmocka_unit_test(test_table_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
