/* The text of XLA's layouts: parsing, printing, errors with their columns; and layouts made from layouts. */
#include "xla_same.h"
#include "xla_support.h"

#include "tsr_alloc.h"

static const struct {
    const char *text, *canonical;
} good[] = {
    {"f32[3,5]", "f32[3,5]{1,0}"},
    {"f32[3,5]{1,0}", "f32[3,5]{1,0}"},
    {"F32[3,5]{1,0:T(2,2)}", "f32[3,5]{1,0:T(2,2)}"},
    {"F32[3,5]{1,0:(2,2)}", "f32[3,5]{1,0:T(2,2)}"},
    {" bf16 [ 3 , 5 ] { 0 , 1 : T ( 2 , 2 ) ( 2 , 1 ) L ( 8 ) } ", "bf16[3,5]{0,1:T(2,2)(2,1)L(8)}"},
    {"[2,3]{1,0}", "[2,3]{1,0}"},
    {"[2,3]", "[2,3]{1,0}"},
    {"f32[<=3, <= 5,7]{0,1,2}", "f32[<=3,<=5,7]{0,1,2}"}, /* <= was lost */
    {"{1,2,0}", "{1,2,0}"},
    {"{}", "{}"},
    {"{:T(128)}", "{:T(128)}"},
    {"f32[]", "f32[]"},
    {"f32[]{}", "f32[]"},
    {"f32[]{:T(128)}", "f32[]{:T(128)}"},
    {"[]", "[]"},
    {"{4,3,2,1,0:T(*,*,2,*,3)}", "{4,3,2,1,0:T(*,*,2,*,3)}"},
    {"{4,3,2,1,0:T(-1,-1,2,-1,3)}", "{4,3,2,1,0:T(*,*,2,*,3)}"},
    {"{4,3,2,1,0:(\xE2\x88\x97,\xE2\x88\x97,2,\xE2\x88\x97,3)}", "{4,3,2,1,0:T(*,*,2,*,3)}"},
    {"{0:T(4)}", "{0:T(4)}"},
    {"{1,0:T(8,128)L(1)E(0)S(0)M(0)}", "{1,0:T(8,128)}"},
    {"{1,0:M(7)SC(0:3)(1:0,4)S(5)E(4)*(U64)#(u32)L(16)T(8,128)D(D,C)}",
     "{1,0:D(D,C)T(8,128)L(16)#(u32)*(u64)E(4)S(5)SC(0:3)(1:0,4)M(7)}"},
    {"{1,0:D( D , C+~ )}", "{1,0:D(D,C+~)}"},
    {"{0:D(H)*(s32)}", "{0:D(H)*(s32)}"},
    {"f32[4,5]{1,0:D(D,C)M(8)P( F32[20]{0:(4)} )SC(0:3)}",
     "f32[4,5]{1,0:D(D,C)SC(0:3)P(f32[20]{0:T(4)})M(8)}"},
    {"{0:P(f32[9]{0:P(u8[36])})}", "{0:P(f32[9]{0:P(u8[36]{0})})}"},
    {"{0,1:SC(0:3) ( 1 : 0 , 4 )}", "{0,1:SC(0:3)(1:0,4)}"},
    {"f8e4m3b11fnuz[2]{0:#(F8E5M2FNUZ)}", "f8e4m3b11fnuz[2]{0:#(f8e5m2fnuz)}"},
    {"f32[8,8]{1,0:T(2,2)(2,2,2,2,2)}", "f32[8,8]{1,0:T(2,2)(2,2,2,2,2)}"},
    {"f32[0,4]{1,0:T(2,2)}", "f32[0,4]{1,0:T(2,2)}"},
    {"u8[9223372036854775807]", "u8[9223372036854775807]{0}"},
    {"u8[0,9223372036854775807,9223372036854775807]", "u8[0,9223372036854775807,9223372036854775807]{2,1,0}"},
    {"u8[4294967296,4294967296,0]{2,1,0:T(*,*,8)}", "u8[4294967296,4294967296,0]{2,1,0:T(*,*,8)}"},
    {"u8[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]",
     "u8[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]{15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0}"},
};

static void test_what_parses_prints_canonically(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        tsr_xla *xla = xla_of(good[i].text);
        assert_string_equal(xla_text(xla), good[i].canonical);
        tsr_xla *again = xla_of(good[i].canonical);
        assert_string_equal(xla_text(again), good[i].canonical);
        assert_true(xla_same(xla, again));
        tsr_xla_free(xla);
        tsr_xla_free(again);
    }
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        for (size_t j = 0; j < sizeof good / sizeof good[0]; j++) {
            tsr_xla *a = xla_of(good[i].text), *b = xla_of(good[j].text);
            assert_int_equal(xla_same(a, b), strcmp(good[i].canonical, good[j].canonical) == 0);
            tsr_xla_free(a);
            tsr_xla_free(b);
        }
}

static const struct {
    const char *text;
    tsr_status status;
    uint64_t col;
    const char *part; /* part of the message */
} bad[] = {
    {"", TSR_SYNTAX, 1, "expected a type, '[' and dims, or '{' and a layout, but the text ends"},
    {"3,5", TSR_SYNTAX, 1, "not '3'"},
    {"f33[3]", TSR_SYNTAX, 1, "unknown type 'f33'"},
    {"f32", TSR_SYNTAX, 4, "expected '[' and the dims"},
    {"f32{1,0}", TSR_SYNTAX, 4, "expected '[' and the dims, not '{'"},
    {"f32[3,", TSR_SYNTAX, 7, "expected a size, but the text ends"},
    {"f32[3 5]", TSR_SYNTAX, 7, "',' or ']' after a size"},
    {"f32[-3]", TSR_SYNTAX, 5, "expected a size, not -3"},
    {"f32[<3]", TSR_SYNTAX, 5, "expected a size, not '<'"},
    {"f32[?]", TSR_SYNTAX, 5, "expected a size, not '?'"},
    {"f32[9223372036854775808]", TSR_LIMIT, 5, "9223372036854775808 does not fit into 64 bits"},
    {"f32[3]{1}", TSR_SYNTAX, 8, "the dims of this layout are 0 to 0"},
    {"f32[3,5]{0}", TSR_SYNTAX, 10, "the layout has 1 dims, but the shape has 2"},
    {"f32[3,5]{:T(2,2)}", TSR_SYNTAX, 10, "the layout has 0 dims, but the shape has 2"},
    {"f32[3,5]{0,0}", TSR_SYNTAX, 12, "dim 0 is listed twice"},
    {"{0,2}", TSR_SYNTAX, 4, "the dims of this layout are 0 to 1"},
    {"{0,99999999999}", TSR_SYNTAX, 4, "the dims of this layout are 0 to 1"},
    {"{-1}", TSR_SYNTAX, 2, "expected a dim, not -1"},
    {"{0,}", TSR_SYNTAX, 4, "expected a dim, not '}'"},
    {"{0 1}", TSR_SYNTAX, 4, "expected ',', ':' or '}', not '1'"},
    {"{0", TSR_SYNTAX, 3, "the text ends"},
    {"{0} x", TSR_SYNTAX, 5, "expected the end, not 'x'"},
    {"f32[3] {x}", TSR_SYNTAX, 8, "expected the end, not '{'"},
    {"f32[3]{x}", TSR_SYNTAX, 8, "the layout has 0 dims"},
    {"{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}", TSR_LIMIT, 40, "at most 16 dims"},
    {"f32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", TSR_LIMIT, 37, "at most 16 dims"},
    {"{0:}", TSR_SYNTAX, 4, "expected a property: T, L, #, *, E, S, SC, P, M or D, not '}'"},
    {"{0:Q(1)}", TSR_SYNTAX, 4, "not 'Q'"},
    {"{0:T}", TSR_SYNTAX, 5, "expected '(' and a tile"},
    {"{0:T()}", TSR_SYNTAX, 6, "expected a tile size or '*', not ')'"},
    {"{0:T(0)}", TSR_SYNTAX, 6, "a tile size must be positive, '*' or -1, not 0"},
    {"{0:T(-2)}", TSR_SYNTAX, 6, "a tile size must be positive, '*' or -1, not -2"},
    {"{1,0:T(2,2)(2,-3)}", TSR_SYNTAX, 15, "not -3"},
    {"{1,0:T(2,x)}", TSR_SYNTAX, 10, "expected a tile size or '*', not 'x'"},
    {"{1,0:T(2 2)}", TSR_SYNTAX, 10, "',' or ')' in a tile"},
    {"{1,0:T(2,*)}", TSR_SYNTAX, 10, "the last size of a tile cannot be '*'"},
    {"{0:T(-1)}", TSR_SYNTAX, 6, "the last size of a tile cannot be '*'"},
    {"{0:T(2)(2,", TSR_SYNTAX, 11, "the text ends"},
    {"{0:T(2)T(2)}", TSR_SYNTAX, 8, "T is given twice"},
    {"{0:T(99999999999999999999)}", TSR_LIMIT, 6, "does not fit into 64 bits"},
    {"{0:T(1)(1)(1)(1)(1)(1)(1)(1)(1)}", TSR_LIMIT, 29, "at most 8 tiles"},
    {"{0:T(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}", TSR_LIMIT, 70,
     "at most 32 sizes"},
    {"{0:T(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)(1)}", TSR_LIMIT, 70,
     "more than 64 dims"},
    {"{0:L(0)}", TSR_SYNTAX, 6, "expected a number of elements above 0, not 0"},
    {"{0:L 4}", TSR_SYNTAX, 6, "expected '(', not '4'"},
    {"{0:L(4}", TSR_SYNTAX, 7, "expected ')', not '}'"},
    {"{0:E(-4)}", TSR_SYNTAX, 6, "expected a number of bits, not -4"},
    {"{0:S(x)}", TSR_SYNTAX, 6, "expected a memory space, not 'x'"},
    {"{0:S(1)S(1)}", TSR_SYNTAX, 8, "S is given twice"},
    {"{0:M()}", TSR_SYNTAX, 6, "expected a number of bytes"},
    {"{0:#(i7)}", TSR_SYNTAX, 6, "unknown type 'i7'"},
    {"{0:#()}", TSR_SYNTAX, 6, "expected a type"},
    {"{0:*(u32}", TSR_SYNTAX, 9, "expected ')'"},
    {"{0:D(D,C)}", TSR_SYNTAX, 5, "D has 2 dims, but the layout has 1"},
    {"{0:D(X)}", TSR_SYNTAX, 6, "expected a level: D, C, S or H, not 'X'"},
    {"{0:D(D~+)}", TSR_SYNTAX, 8, "',' or ')' after a level, not '+'"},
    {"{0:D(", TSR_SYNTAX, 6, "the text ends"},
    {"{0:SC}", TSR_SYNTAX, 6, "expected '(' and a split"},
    {"{0:P}", TSR_SYNTAX, 5, "'('"},
    {"{0:P()}", TSR_SYNTAX, 6, "a type"},
    {"{0:P(f32[3]}", TSR_SYNTAX, 12, "')' after the physical shape"},
    {"{0:P(f32[3])P(f32[3])}", TSR_SYNTAX, 13, "P is given twice"},
    {"{0:P(f32[3]{1})}", TSR_SYNTAX, 13, "the dims of this layout are 0 to 0"},
    {"{0:P({0:P({0:P({0:P({0:P([3])})})})})}", TSR_LIMIT, 26, "nest at most 4 deep"},
    {"{0:SC(1:3)}", TSR_SYNTAX, 7, "dim 1 does not exist: the layout has 1 dims"},
    {"{0:SC(0)}", TSR_SYNTAX, 8, "':' after the dim of a split"},
    {"{0:SC(0:-1)}", TSR_SYNTAX, 9, "expected an index, not -1"},
    {"u8[4294967296,4294967296]", TSR_LIMIT, 1, "more than 2^63-1 elements"},
    {"f32[9223372036854775807]", TSR_LIMIT, 1, "more than 2^63-1 bytes"},
    {"u8[9223372036854775807]{0:T(2)}", TSR_LIMIT, 28, "more than 2^63-1 slots"},
    {"u8[3]{0:L(9223372036854775807)T(9223372036854775807,9223372036854775807)}", TSR_LIMIT, 32,
     "more than 2^63-1 slots"},
    {"u8[4611686018427387905]{0:L(4611686018427387904)}", TSR_LIMIT, 1, "more than 2^63-1 slots"},
    {"u8[0,4294967296,4294967296]{2,1,0:T(8,*,8)}", TSR_LIMIT, 36, "dims folded by '*' have more than"},
    {"u8[3]{0:E(9223372036854775807)}", TSR_LIMIT, 1, "more than 2^63-1 bytes"},
};

static void test_what_does_not_parse_says_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tsr_xla *xla;
        tsr_error err = {0};
        const tsr_status status = tsr_xla_parse(&xla, bad[i].text, &err);
        if (status != bad[i].status || err.col != bad[i].col || !strstr(err.message, bad[i].part)) {
            print_error("%s\n  status %d, col %llu: %s\n", bad[i].text, (int)status,
                        (unsigned long long)err.col, err.message);
            fail();
        }
        assert_null(xla);
        assert_int_equal(tsr_xla_parse(&xla, bad[i].text, NULL), status);
    }
}

/* A shape inside other text: the end of parsing. */
static void test_shape_inside_text(void **state)
{
    (void)state;
    static const struct {
        const char *text, *canonical, *rest;
    } inside[] = {
        {"f32[3]{0} add(p0)", "f32[3]{0}", " add(p0)"}, {"f32[3] {\n  ROOT x", "f32[3]{0}", " {\n  ROOT x"},
        {"f32[3] {0:T(4)} x", "f32[3]{0:T(4)}", " x"},  {"s32[], f32[2]", "s32[]", ", f32[2]"},
        {"{0:T(4)}, {1}", "{0:T(4)}", ", {1}"},
    };
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) {
        tsr_cursor cursor = {.start = inside[i].text, .p = inside[i].text};
        tsr_xla *xla;
        assert_ok(tsr_xla_parse_at(&xla, &cursor, err));
        assert_string_equal(xla_text(xla), inside[i].canonical);
        assert_string_equal(cursor.p, inside[i].rest);
        tsr_xla_free(xla);
    }
}

static void test_bits_of_types(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        int64_t nbits, nbytes;
    } sizes[] = {
        {"pred[3]", 8, 3},           {"s4[3]", 8, 3},
        {"s4[3]{0:E(4)}", 4, 2},     {"pred[17]{0:E(1)}", 1, 3},
        {"f8e5m2[3]", 8, 3},         {"bf16[3]", 16, 6},
        {"f32[3]", 32, 12},          {"f64[3]", 64, 24},
        {"c64[3]", 64, 24},          {"c128[3]", 128, 48},
        {"[3]{0:E(12)}", 12, 5},     {"f32[3]{0:L(8)}", 32, 32},
        {"f32[3]{0:M(64)}", 32, 12}, {"f32[]", 32, 4},
        {"f32[0]{0:L(8)}", 32, 0},   {"f32[16,0]{1,0:T(8,128)}", 32, 0},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        tsr_xla *xla = xla_of(sizes[i].shape);
        int64_t nbytes;
        assert_int_equal(tsr_xla_element_nbits(xla), sizes[i].nbits);
        assert_ok(tsr_xla_nbytes(&nbytes, xla, err));
        assert_int_equal(nbytes, sizes[i].nbytes);
        tsr_xla_free(xla);
    }
    assert_int_equal(tsr_xla_type_nbits("BF16"), 16);
    assert_int_equal(tsr_xla_type_nbits("bf"), 0);
    assert_int_equal(tsr_xla_type_nbits("bf160"), 0);
    assert_int_equal(tsr_xla_type_nbits(""), 0);
}

/* Every function that needs dims refuses a layout alone; coordinates outside are refused. */
static void test_what_a_layout_alone_cannot_tell(void **state)
{
    (void)state;
    tsr_xla *alone = xla_of("f32[3,5]{1,0:T(2,2)}"), *made;
    int64_t n, coords[TSR_XLA_MAX_EXPANDED] = {0};
    bool padding;
    tsr_text text = {0};
    tsr_map *map;
    const tsr_xla_named *named;
    static const int64_t outside[][2] = {{3, 0}, {0, 5}, {-1, 0}, {0, INT64_MAX}};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
        assert_int_equal(tsr_xla_linear(&n, alone, outside[i], NULL), TSR_RANGE);
    assert_int_equal(tsr_xla_element(coords, &padding, alone, -1, NULL), TSR_RANGE);
    assert_int_equal(tsr_xla_element(coords, &padding, alone, 24, NULL), TSR_RANGE);
    assert_int_equal(tsr_xla_print_order(&text, alone, -1, 2, NULL), TSR_RANGE);
    assert_int_equal(tsr_xla_print_order(&text, alone, 0, -2, NULL), TSR_RANGE);
    tsr_xla_free(alone);
    alone = xla_of("{1,0:T(2,2)}");
    assert_int_equal(tsr_xla_nbytes(&n, alone, NULL), TSR_ARGUMENT);
    assert_int_equal(tsr_xla_linear(&n, alone, coords, NULL), TSR_ARGUMENT);
    assert_int_equal(tsr_xla_expand(coords, alone, coords, NULL), TSR_ARGUMENT);
    assert_int_equal(tsr_xla_element(coords, &padding, alone, 0, NULL), TSR_ARGUMENT);
    assert_int_equal(tsr_xla_to_map(&map, alone, NULL), TSR_ARGUMENT);
    assert_null(map);
    assert_int_equal(tsr_xla_table(&text, alone, NULL), TSR_ARGUMENT);
    assert_int_equal(tsr_xla_print_order(&text, alone, 0, 1, NULL), TSR_ARGUMENT);
    assert_int_equal(tsr_xla_print_steps(&text, alone, NULL), TSR_ARGUMENT);
    assert_int_equal(tsr_xla_combine(&made, alone, NULL), TSR_ARGUMENT);
    assert_int_equal(tsr_xla_physical(&made, alone, NULL), TSR_ARGUMENT);
    assert_int_equal(tsr_xla_padded_dims(coords, alone, NULL), TSR_ARGUMENT);
    assert_int_equal(tsr_xla_choose(&named, alone, NULL), TSR_ARGUMENT);
    assert_false(tsr_xla_strides(coords, alone));
    assert_false(tsr_xla_is_linear(alone));
    assert_int_equal(tsr_xla_to_slot_map(&map, alone, NULL), TSR_ARGUMENT);
    tsr_xla_digit digits[TSR_XLA_MAX_EXPANDED];
    assert_false(tsr_xla_digits(digits, alone));
    tsr_xla_free(alone);
}

static void test_layouts_from_layouts(void **state)
{
    (void)state;
    tsr_xla *layout = xla_of("{0,1:T(2,*,3)L(4)S(1)}"), *xla;
    static const int64_t dims[] = {5, 7}, negative[] = {5, -7}, huge[] = {INT64_MAX, 2};
    tsr_error error = {0};
    assert_ok(tsr_xla_bind(&xla, layout, "BF16", 2, dims, err));
    assert_string_equal(xla_text(xla), "bf16[5,7]{0,1:T(2,*,3)L(4)S(1)}");
    assert_int_equal(xla->nslots, 2 * 12 * 3);
    tsr_xla *untiled, *tiled;
    assert_ok(tsr_xla_retile(&untiled, xla, 0, NULL, err));
    assert_string_equal(xla_text(untiled), "bf16[5,7]{0,1:L(4)S(1)}");
    assert_int_equal(untiled->nslots, 36);
    assert_ok(tsr_xla_retile(&tiled, untiled, layout->ntiles, layout->tiles, err));
    assert_true(xla_same(tiled, xla));
    tsr_xla_free(untiled);
    tsr_xla_free(tiled);
    tsr_xla_free(xla);
    assert_int_equal(tsr_xla_bind(&xla, layout, NULL, 1, dims, &error), TSR_ARGUMENT);
    assert_string_equal(error.message, "the layout is for 2 dims, but the array has 1");
    assert_int_equal(tsr_xla_bind(&xla, layout, "f31", 2, dims, &error), TSR_ARGUMENT);
    assert_int_equal(tsr_xla_bind(&xla, layout, NULL, 2, negative, &error), TSR_ARGUMENT);
    assert_int_equal(tsr_xla_bind(&xla, layout, NULL, 2, huge, &error), TSR_LIMIT);
    assert_null(xla);
    static const tsr_xla_tile wrong[] = {
        {.rank = 0}, {.rank = 33}, {.rank = 1, .t = {0}}, {.rank = 1, .t = {-1}}, {.rank = 2, .t = {-2, 2}}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(tsr_xla_retile(&xla, layout, 1, &wrong[i], NULL), TSR_ARGUMENT);
    assert_int_equal(tsr_xla_retile(&xla, layout, 9, wrong, NULL), TSR_ARGUMENT);
    assert_null(xla);
    tsr_xla_free(layout);
}

static void test_named_formats_that_do_not_fit(void **state)
{
    (void)state;
    tsr_xla *f32 = xla_of("f32[3,5]"), *s4 = xla_of("s4[3,5]{1,0:E(4)}"), *none = xla_of("[3,5]"), *xla;
    const tsr_xla_named *named;
    tsr_error err = {0};
    assert_int_equal(tsr_xla_apply_named(&xla, f32, "tpu", &err), TSR_ARGUMENT);
    assert_string_equal(err.message,
                        "unknown XLA format 'tpu' (known: folded, tpu-8x128, tpu-2x128, tpu-4x128, "
                        "tpu-16bit, tpu-8bit, tpu-1bit)");
    assert_null(xla);
    assert_int_equal(tsr_xla_apply_named(&xla, f32, "tpu-1bit", &err), TSR_ARGUMENT);
    assert_string_equal(err.message, "tpu-1bit stores one bit per element, but f32 has more");
    assert_int_equal(tsr_xla_choose(&named, s4, &err), TSR_UNSUPPORTED);
    assert_string_equal(err.message, "no TPU format for elements of 4 bits");
    assert_int_equal(tsr_xla_choose(&named, none, &err), TSR_ARGUMENT);
    assert_null(named);
    tsr_xla_free(f32);
    tsr_xla_free(s4);
    tsr_xla_free(none);
}

/* ---- tiles with strides ---- */

static void test_tpu_tiled_texts(void **state)
{
    (void)state;
    static const char *const same[] = {"#tpu.tiled<(8,128),[?,1]>", "#tpu.tiled<(2,2),[4,2,1]>",
                                       "#tpu.tiled<,[10,2]>", "#tpu.tiled<(8,128)(2,1),[?,1]>",
                                       "#tpu.tiled<,[]>"};
    static const struct {
        const char *text;
        uint64_t col;
        const char *part;
    } refused[] = {
        {"", 1, "'#tpu.tiled'"},
        {"#tpu.tiled(8)", 11, "'<'"},
        {"#tpu.tiled<(8,0),[1,1]>", 15, "positive"},
        {"#tpu.tiled<(8),[1,1)", 20, "',' or ']'"},
        {"#tpu.tiled<(8),[x]>", 17, "a stride or '?'"},
        {"#tpu.tiled<(8),[-1]>", 17, "a stride or '?'"},
        {"#tpu.tiled<(8),[99999999999999999999]>", 17, "64 bits"},
        {"#tpu.tiled<(8),[1]", 19, "the text ends"},
        {"#tpu.tiled<(8),[1]> x", 21, "the end"},
        {"#tpu.tiled<(8)[1]>", 15, "','"},
        {"#tpu.tiled<(8,8),[1]>", 0, "tile 0 has 2 sizes, more than the 1 dims"},
        {"#tpu.tiled<(8)(2,2),[1,1]>", 0, "tile 1 has 2 sizes, more than the 1 dims"},
        {"#tpu.tiled<(*,8),[1,1]>", 0, "cannot be folded"},
        {"#tpu.tiled<,[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]>", 46, "at most 16 dims"},
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        tsr_tpu_tiled tiled;
        tsr_text text = {0};
        assert_ok(tsr_tpu_tiled_parse(&tiled, same[i], err));
        tsr_tpu_tiled_print(&text, &tiled);
        assert_string_equal(xla_take(&text), same[i]);
    }
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        tsr_tpu_tiled tiled;
        tsr_error err = {0};
        assert_int_not_equal(tsr_tpu_tiled_parse(&tiled, refused[i].text, &err), TSR_OK);
        if (err.col != refused[i].col || !strstr(err.message, refused[i].part)) {
            print_error("%s: col %llu: %s\n", refused[i].text, (unsigned long long)err.col, err.message);
            fail();
        }
    }
}

static void test_tpu_tiled_strides(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int n;
        int64_t strides[8];
    } cases[] = {
        {"#tpu.tiled<(8,128),[?,1]>", 4, {-1, 1024, 128, 1}},
        {"#tpu.tiled<(8,128)(2,1),[3,1]>", 6, {3072, 1024, 256, 2, 1, 1}},
        {"#tpu.tiled<(2,2),[8,4,1]>", 5, {32, 16, 4, 2, 1}},
        {"#tpu.tiled<,[10,2]>", 2, {10, 2}},
        {"#tpu.tiled<(3)(2),[1]>", 3, {4, 2, 1}},
    };
    int64_t strides[TSR_XLA_MAX_EXPANDED];
    tsr_tpu_tiled tiled;
    int n;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_ok(tsr_tpu_tiled_parse(&tiled, cases[i].text, err));
        assert_ok(tsr_tpu_tiled_expanded_strides(strides, &n, &tiled, err));
        assert_int_equal(n, cases[i].n);
        assert_memory_equal(strides, cases[i].strides, (size_t)n * sizeof *strides);
    }
    assert_ok(tsr_tpu_tiled_parse(&tiled, "#tpu.tiled<(8,128),[9223372036854775807,1]>", err));
    assert_int_equal(tsr_tpu_tiled_expanded_strides(strides, &n, &tiled, NULL), TSR_LIMIT);
    assert_int_equal(tsr_tpu_tiled_contiguous_dims(&n, &tiled, 1, strides, NULL), TSR_ARGUMENT);
}

/* ---- memory running out ---- */

/* A sparse layout has dims and elements but no slots: functions about slots refuse it. */
static void test_sparse_has_no_offsets(void **state)
{
    (void)state;
    tsr_xla *xla, *dense;
    tsr_map *map;
    tsr_text text = {0};
    int64_t n, coords[2] = {1, 2};
    bool padding;
    assert_ok(tsr_xla_parse(&xla, "f32[4,5]{1,0:D(D,C)}", err));
    assert_ok(tsr_xla_parse(&dense, "f32[4,5]{1,0:D(D,D)}", err));
    assert_false(tsr_xla_is_dense(xla));
    assert_true(tsr_xla_is_dense(dense));
    assert_int_equal(xla->nelems, 20);
    assert_int_equal(tsr_xla_nbytes(&n, xla, NULL), TSR_UNSUPPORTED);
    assert_int_equal(tsr_xla_to_map(&map, xla, NULL), TSR_UNSUPPORTED);
    assert_int_equal(tsr_xla_to_slot_map(&map, xla, NULL), TSR_UNSUPPORTED);
    assert_int_equal(tsr_xla_linear(&n, xla, coords, NULL), TSR_UNSUPPORTED);
    assert_int_equal(tsr_xla_element(coords, &padding, xla, 0, NULL), TSR_UNSUPPORTED);
    assert_int_equal(tsr_xla_table(&text, xla, NULL), TSR_UNSUPPORTED);
    assert_false(tsr_xla_strides(coords, xla));
    assert_false(tsr_xla_is_linear(xla));
    assert_true(tsr_xla_strides(coords, dense));
    tsr_text_clear(&text);
    tsr_xla_free(xla);
    tsr_xla_free(dense);
}

#ifdef TSR_FAULTS
/* Call everything that allocates once; returns the status of the first failure. */
static tsr_status use_all(void)
{
    tsr_xla *xla, *made;
    tsr_map *map;
    tsr_text text = {0};
    tsr_status status =
        tsr_xla_parse(&xla, "pred[3,5]{1,0:D(D,D)T(2,*,2)(2,1)SC(0:3)(1:0,4)P(pred[15])}", NULL);
    if (status != TSR_OK)
        return status;
    TSR_TRY_OUT(tsr_xla_to_map(&map, xla, NULL));
    tsr_map_free(map);
    TSR_TRY_OUT(tsr_xla_to_slot_map(&map, xla, NULL));
    tsr_map_free(map);
    TSR_TRY_OUT(tsr_xla_bind(&made, xla, NULL, 2, xla->dims, NULL));
    tsr_xla_free(made);
    TSR_TRY_OUT(tsr_xla_apply_named(&made, xla, "tpu-1bit", NULL));
    tsr_xla_free(made);
    TSR_TRY_OUT(tsr_xla_combine(&made, xla, NULL));
    tsr_xla_free(made);
    TSR_TRY_OUT(tsr_xla_physical(&made, xla, NULL));
    tsr_xla_free(made);
    TSR_TRY_OUT(tsr_xla_table(&text, xla, NULL));
    TSR_TRY_OUT(tsr_xla_print_steps(&text, xla, NULL));
    TSR_TRY_OUT(tsr_xla_print_order(&text, xla, 0, 100, NULL));
    tsr_xla_print(&text, xla);
    TSR_TRY_OUT(tsr_text_status(&text, NULL));
out:
    tsr_text_clear(&text);
    tsr_xla_free(xla);
    return status;
}

static void test_memory_running_out(void **state)
{
    (void)state;
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_faults_arm(&faults);
        const tsr_status status = use_all();
        tsr_faults_end(&faults, status);
    }
    assert_true(faults.n > 20);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_parses_prints_canonically),
        cmocka_unit_test(test_what_does_not_parse_says_where),
        cmocka_unit_test(test_shape_inside_text),
        cmocka_unit_test(test_bits_of_types),
        cmocka_unit_test(test_what_a_layout_alone_cannot_tell),
        cmocka_unit_test(test_layouts_from_layouts),
        cmocka_unit_test(test_named_formats_that_do_not_fit),
        cmocka_unit_test(test_tpu_tiled_texts),
        cmocka_unit_test(test_tpu_tiled_strides),
        cmocka_unit_test(test_sparse_has_no_offsets),
#ifdef TSR_FAULTS
        cmocka_unit_test(test_memory_running_out),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
