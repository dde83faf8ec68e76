/* The text of maps: parsing, printing, errors with their columns. */
#include "tsr_test.h"

#include "tsr_alloc.h"
#include "tsr_map.h"

static void print_of(char *buf, size_t n, const tsr_map *map)
{
    tsr_text text = {0};
    tsr_map_print(&text, map);
    assert_int_equal(tsr_text_status(&text, NULL), TSR_OK);
    snprintf(buf, n, "%s", tsr_text_cstr(&text));
    tsr_text_clear(&text);
}

static const struct {
    const char *text, *canonical;
} good[] = {
    {"() -> ()", "() -> ()"},
    {"()->(7)", "() -> (7)"},
    {"(i, j) -> (i, j)", "(d0, d1) -> (d0, d1)"},
    {"(i,j)->(j,i)", "(d0, d1) -> (d1, d0)"},
    {"(row_1, Col_2) -> (row_1 floordiv 2, Col_2 mod 3)", "(d0, d1) -> (d0 floordiv 2, d1 mod 3)"},
    {"(i) -> (i / 2, i // 2, i floordiv 2, i floorDiv 2)",
     "(d0) -> (d0 floordiv 2, d0 floordiv 2, d0 floordiv 2, d0 floordiv 2)"},
    {"(i) -> (i % 4 + i)", "(d0) -> (d0 + d0 mod 4)"},
    {"(i) -> (i ceildiv 4)", "(d0) -> (-((-d0) floordiv 4))"},
    {"(i) -> (i floordiv -4, i mod -4, i ceildiv -4)",
     "(d0) -> ((-d0) floordiv 4, d0 mod 4, -(d0 floordiv 4))"},
    {"(i, j) -> (max(j, i), 2min(i, 3) - i, min(i, i + 1), -max(i, j))",
     "(d0, d1) -> (max(d0, d1), -d0 + min(d0, 3) * 2, d0, -max(d0, d1))"},
    {"(i, j) -> (j * i * -3, (i + 2) * (j mod 3 - 1), i * i)",
     "(d0, d1) -> (d0 * d1 * -3, -d0 + (d1 mod 3) * 2 + d0 * (d1 mod 3) - 2, d0 * d0)"},
    {"(i, j) -> (#j i * 2, #j + 1, (i * j) mod 4)", "(d0, d1) -> (#d0 d1 * 2, #d1 + 1, (d0 * d1) mod 4)"},
    {" KNOWN  EMPTY ", "KNOWN EMPTY"},
    {"(d0) -> (100d0 + 3)", "(d0) -> (d0 * 100 + 3)"},
    {"(d0) -> (6d0 mod 4)", "(d0) -> ((d0 * 6) mod 4)"},
    {"(d0) -> (2(d0 + 1))", "(d0) -> (d0 * 2 + 2)"},
    {"(d0) -> (3mod 2)", "(d0) -> (1)"},
    {"(d0) -> (-d0 mod 2)", "(d0) -> ((-d0) mod 2)"},
    {"(d0) -> (-(d0 mod 2))", "(d0) -> (-(d0 mod 2))"},
    {"(d0) -> (1 - d0 mod 2)", "(d0) -> (-(d0 mod 2) + 1)"},
    {"(d0, d1) -> (d1 - (d0 mod 2) * 3 - 4)", "(d0, d1) -> (d1 - (d0 mod 2) * 3 - 4)"},
    {"(d0) -> (- - d0 + --3)", "(d0) -> (d0 + 3)"},
    {"(d0) -> (d0 / 2 / 3)", "(d0) -> ((d0 floordiv 2) floordiv 3)"},
    {"(d0) -> (d0 * -3)", "(d0) -> (d0 * -3)"},
    {"(d0) -> (d0 floordiv 8 * 8 + d0 mod 8)", "(d0) -> ((d0 floordiv 8) * 8 + d0 mod 8)"},
    {"(d0, d1) -> (d1 + d0 + d1 - d0)", "(d0, d1) -> (d1 * 2)"},
    {"(d0) -> (d0 mod 1, d0 floordiv 1, 7 mod 4, -7 floordiv 4)", "(d0) -> (0, d0, 3, -2)"},
    {"(d0) -> (4 * (d0 + 1) floordiv 2)", "(d0) -> ((d0 * 4 + 4) floordiv 2)"},
    {"(d0)[s]{r, q} -> (d0 + s, r - q)", "(d0)[s0]{rt0, rt1} -> (d0 + s0, rt0 - rt1)"},
    {"()[s0] -> (s0)", "()[s0] -> (s0)"},
    {"(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [-3, 4]",
     "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [-3, 4]"},
    {"(d0, d1) -> (d0),\ndomain:\nd0 in [0, 9]\nd1 in [0, 4],\n",
     "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 4]"},
    {"(d0) -> (d0) domain: d0 mod 2 in [0, 0], d0 in [0, 9]",
     "(d0) -> (d0), domain: d0 in [0, 9], d0 mod 2 in [0, 0]"},
    {"(d0) -> (d0), domain: d0 in [0, 9], d0 in [3, 20]", "(d0) -> (d0), domain: d0 in [3, 9]"},
    {"(d0) -> (d0), domain: d0 + 1 in [0, 9], d0 + 1 in [3, 20]", "(d0) -> (d0), domain: d0 + 1 in [3, 9]"},
    {"(d0) -> (d0), domain: d0 in [10, 0]", "(d0) -> (d0), domain: d0 in [0, -1]"},
    {"(d0) -> (d0), domain: 0 in [-10, 5]", "(d0) -> (d0)"},
    {"(d0) -> (d0), domain: 7 in [-10, 5]", "(d0) -> (d0), domain: 0 in [0, -1]"},
    {"(d0) -> (d0), domain:", "(d0) -> (d0)"},
    {"(d0) -> (d0),", "(d0) -> (d0)"},
    {"(d0) -> (d0 + 9223372036854775807)", "(d0) -> (d0 + 9223372036854775807)"},
    {"(d0) -> (d0 * -9223372036854775807)", "(d0) -> (d0 * -9223372036854775807)"},
    {"(d0) -> (d0), domain: d0 in [-9223372036854775808, 4]",
     "(d0) -> (d0), domain: d0 in [-9223372036854775808, 4]"},
};

static void test_what_parses_prints_canonically(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        tsr_map *map, *again;
        char text[512], text_again[512];
        assert_ok(tsr_map_parse(&map, good[i].text, err));
        print_of(text, sizeof text, map);
        assert_string_equal(text, good[i].canonical);
        assert_ok(tsr_map_parse(&again, text, err));
        assert_true(tsr_map_equal(map, again));
        print_of(text_again, sizeof text_again, again);
        assert_string_equal(text_again, text);
        tsr_map_free(map);
        tsr_map_free(again);
    }
}

static const struct {
    const char *text;
    tsr_status status;
    uint64_t col;
    const char *part; /* part of the message */
} bad[] = {
    {"", TSR_SYNTAX, 1, "the text ends"},
    {"(", TSR_SYNTAX, 2, "expected a name"},
    {"i -> (i)", TSR_SYNTAX, 1, "dims"},
    {"(i, i) -> (i)", TSR_SYNTAX, 5, "the name 'i' is used twice"},
    {"(i)[i] -> (i)", TSR_SYNTAX, 5, "used twice"},
    {"(mod) -> (1)", TSR_SYNTAX, 2, "'mod' is a word of the grammar"},
    {"(i j) -> (i)", TSR_SYNTAX, 4, "',' or ')' after a dim"},
    {"(i) (i)", TSR_SYNTAX, 5, "'->'"},
    {"(i) - (i)", TSR_SYNTAX, 5, "'->'"},
    {"(i) -> i", TSR_SYNTAX, 8, "results"},
    {"(i) -> (i", TSR_SYNTAX, 10, "the text ends"},
    {"(i) -> (i +)", TSR_SYNTAX, 12, "expected a number, a name or '('"},
    {"(i) -> (i,)", TSR_SYNTAX, 11, "expected a number"},
    {"(i) -> (k)", TSR_SYNTAX, 9, "unknown name 'k' (known: i)"},
    {"() -> (k)", TSR_SYNTAX, 8, "unknown name 'k' (known: none)"},
    {"(i) -> (i mod)", TSR_SYNTAX, 14, "expected a number"},
    {"(i) -> (mod 2)", TSR_SYNTAX, 9, "not 'mod'"},
    {"(i) -> (i modx 2)", TSR_SYNTAX, 11, "not 'modx'"},
    {"(i) -> (i 2)", TSR_SYNTAX, 11, "not '2'"},
    {"(i) -> (100 i)", TSR_SYNTAX, 13, "not 'i'"},
    {"(i) -> ((i)", TSR_SYNTAX, 12, "the text ends"},
    {"(i, j) -> (i * j * i)", TSR_UNSUPPORTED, 18, "two factors that are not constant"},
    {"(i) -> (min(i))", TSR_SYNTAX, 14, "',' or an operator, not ')'"},
    {"(i) -> (min i)", TSR_SYNTAX, 13, "'(' and two operands, not 'i'"},
    {"(i) -> (#)", TSR_SYNTAX, 10, "name"},
    {"(i) -> (#k)", TSR_SYNTAX, 10, "unknown name 'k'"},
    {"(min) -> (0)", TSR_SYNTAX, 2, "word of the grammar"},
    {"KNOWN EMPTY domain", TSR_SYNTAX, 1, "'('"},
    {"(i, j) -> (i floordiv j)", TSR_UNSUPPORTED, 23, "divisor must be a constant other than 0, not 'j'"},
    {"(i, j) -> (i mod (j + 1))", TSR_UNSUPPORTED, 18, "not '(j + 1)'"},
    {"(i) -> (i floordiv 0)", TSR_UNSUPPORTED, 20, "not '0'"},
    {"(i) -> (i ceildiv 0)", TSR_UNSUPPORTED, 19, "not '0'"},
    {"(i) -> (i) x", TSR_SYNTAX, 12, "'domain' or the end"},
    {"(i) -> (i), domain i in [0, 1]", TSR_SYNTAX, 20, "':'"},
    {"(i) -> (i), domain: i in (0, 1]", TSR_SYNTAX, 26, "'['"},
    {"(i) -> (i), domain: i in [0 1]", TSR_SYNTAX, 29, "','"},
    {"(i) -> (i), domain: i in [a, 1]", TSR_SYNTAX, 27, "an integer"},
    {"(i) -> (i), domain: i at [0, 1]", TSR_SYNTAX, 23, "'in'"},
    {"(i) -> (i), domain: i in [0, 9223372036854775808]", TSR_LIMIT, 30, "64 bits"},
    {"(i) -> (9223372036854775808)", TSR_LIMIT, 9, "does not fit"},
    {"(i) -> (i * 4611686018427387904 * 2)", TSR_LIMIT, 33, "64 bits"},
    {"(i) -> (i + 9223372036854775807 + 1)", TSR_LIMIT, 9, "64 bits"},
};

static void test_what_does_not_parse_says_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tsr_map *map;
        tsr_error err = {0};
        const tsr_status status = tsr_map_parse(&map, bad[i].text, &err);
        if (status != bad[i].status || err.status != status || err.col != bad[i].col ||
            !strstr(err.message, bad[i].part))
            fail_msg("'%s': status %d, column %d, '%s'", bad[i].text, (int)status, (int)err.col, err.message);
        assert_null(map);
        assert_int_equal(tsr_map_parse(&map, bad[i].text, NULL), bad[i].status);
    }
}

/* A text of `n` times `piece` between `before` and `after`. */
static char *repeat(const char *before, const char *piece, size_t n, const char *middle, const char *after)
{
    const size_t piece_n = strlen(piece), after_n = strlen(after);
    char *text = malloc(strlen(before) + n * (piece_n + after_n) + strlen(middle) + 8), *p = text;
    assert_non_null(text);
    p += sprintf(p, "%s", before);
    for (size_t i = 0; i < n; i++, p += piece_n)
        memcpy(p, piece, piece_n);
    p += sprintf(p, "%s", middle);
    for (size_t i = 0; i < n; i++, p += after_n)
        memcpy(p, after, after_n);
    strcpy(p, ")");
    return text;
}

static void test_hostile_texts(void **state)
{
    (void)state;
    static const struct {
        const char *piece, *middle, *after;
        size_t n;
        tsr_status status;
    } cases[] = {
        {"(", "i", ")", 130, TSR_OK},
        {"(", "i", ")", 131, TSR_LIMIT},
        {"(", "i", ")", 1000000, TSR_LIMIT},
        {"-", "i", "", 1000000, TSR_OK},
        {"i + ", "i", "", 1000000, TSR_OK},
        {"", "i", " mod 7 floordiv 2", 32, TSR_OK},
        {"", "i", " mod 7 floordiv 2", 33, TSR_LIMIT},
        {"", "i", " mod 7", 1000000, TSR_LIMIT},
        {"(", "i", " floordiv 2 + i)", 60, TSR_OK},
        {"(", "i", " * 3 floordiv 2 * 2)", 64, TSR_OK},
        {"(", "i", " * 3 floordiv 2 * 2)", 65, TSR_LIMIT},
        {"(", "", "", 1000000, TSR_LIMIT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = repeat("(i) -> (", cases[i].piece, cases[i].n, cases[i].middle, cases[i].after);
        tsr_map *map;
        tsr_error why = {0};
        const tsr_status status = tsr_map_parse(&map, text, &why);
        if (status != cases[i].status)
            fail_msg("case %d: status %d, '%s'", (int)i, (int)status, why.message);
        if (map) { /* the deepest accepted expression prints as text that is accepted */
            char *printed = malloc(1 << 20);
            tsr_map *again;
            print_of(printed, 1 << 20, map);
            assert_ok(tsr_map_parse(&again, printed, err));
            assert_true(tsr_map_equal(map, again));
            tsr_map_free(again);
            free(printed);
        }
        tsr_map_free(map);
        free(text);
    }
    /* A sum of very many different terms is refused, and needs only linear space. */
    char *text = malloc(1 << 20), *p = text;
    p += sprintf(p, "(i) -> (i");
    for (int c = 2; c < 30000; c++)
        p += sprintf(p, " + i mod %d", c);
    strcpy(p, ")");
    tsr_map *map;
    tsr_error err;
    assert_int_equal(tsr_map_parse(&map, text, &err), TSR_LIMIT);
    assert_non_null(strstr(err.message, "more than 1024 terms"));
    free(text);
}

static void test_too_many_variables_and_results(void **state)
{
    (void)state;
    for (int n = 64; n <= 65; n++) {
        char text[1024], *p = text;
        p += sprintf(p, "(");
        for (int v = 0; v < n; v++)
            p += sprintf(p, "%sd%d", v ? ", " : "", v);
        sprintf(p, ") -> (d0)");
        tsr_map *map;
        tsr_error err;
        assert_int_equal(tsr_map_parse(&map, text, &err), n == 64 ? TSR_OK : TSR_LIMIT);
        tsr_map_free(map);
        p = text + sprintf(text, "(i) -> (");
        for (int r = 0; r < n; r++)
            p += sprintf(p, "%si", r ? ", " : "");
        sprintf(p, ")");
        assert_int_equal(tsr_map_parse(&map, text, &err), n == 64 ? TSR_OK : TSR_LIMIT);
        tsr_map_free(map);
    }
}

static void test_expression_between_other_words(void **state)
{
    (void)state;
    static const char *const names[] = {"i", "j"};
    static const struct {
        const char *text, *rest, *canonical;
    } cases[] = {
        {"i floordiv 2 : dense", " : dense", "i floordiv 2"},
        {"j:compressed", ":compressed", "j"},
        {"  i*4+j, j", ", j", "i * 4 + j"},
        {"j - i) ->", ") ->", "-i + j"},
        {"i -> j", " -> j", "i"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tsr_map_builder *builder;
        tsr_map *map;
        const tsr_linear *x;
        tsr_cursor cursor = {.start = cases[i].text, .p = cases[i].text};
        assert_ok(tsr_map_builder_new(&builder, 2, names, err));
        assert_ok(tsr_map_build_parse(&x, builder, &cursor, err));
        assert_string_equal(cursor.p, cases[i].rest);
        assert_ok(tsr_map_build_finish(&map, builder, 1, &x, err));
        tsr_text text = {0};
        tsr_map_print_result(&text, map, 0, names);
        assert_string_equal(tsr_text_cstr(&text), cases[i].canonical);
        assert_string_equal(tsr_map_var_name(map, 1), "j");
        tsr_text_clear(&text);
        tsr_map_free(map);
    }
}

static void test_builder_pieces(void **state)
{
    (void)state;
    tsr_map_builder *b;
    tsr_map *map, *parsed;
    assert_ok(tsr_map_builder_new(&b, 2, NULL, err));
    const tsr_linear *i = tsr_map_build_var(b, 0), *j = tsr_map_build_var(b, 1);
    assert_null(tsr_map_build_var(b, 2));
    assert_null(tsr_map_build_var(b, -1));
    const tsr_linear *results[] = {
        tsr_map_build_floordiv(b, i, 8),
        tsr_map_build_mod(b, tsr_map_build_add(b, i, tsr_map_build_const(b, 3)), 8),
        tsr_map_build_add(b, tsr_map_build_scale(b, j, -4), i),
    };
    assert_ptr_equal(tsr_map_build_add(b, i, j), tsr_map_build_add(b, j, i)); /* interned */
    tsr_map_build_bound(b, 1, 0, 5);
    assert_ok(tsr_map_build_finish(&map, b, 3, results, err));
    assert_ok(
        tsr_map_parse(&parsed, "(i, j) -> (i floordiv 8, (i + 3) mod 8, i - 4j), domain: j in [0, 5]", err));
    assert_true(tsr_map_equal(map, parsed));
    assert_int_equal(tsr_map_ndims(map), 2);
    assert_int_equal(tsr_map_nvars(map), 2);
    assert_int_equal(tsr_map_nresults(map), 3);
    assert_int_equal(tsr_map_var_bounds(map, 1).hi, 5);
    tsr_map_free(map);
    tsr_map_free(parsed);

    assert_ok(tsr_map_builder_new(&b, 1, NULL, err)); /* sticky: an overflow stays NULL */
    const tsr_linear *big = tsr_map_build_scale(b, tsr_map_build_var(b, 0), INT64_MAX);
    const tsr_linear *over = tsr_map_build_add(b, tsr_map_build_scale(b, big, 2), big);
    assert_non_null(big);
    assert_null(over);
    assert_int_equal(tsr_map_build_finish(&map, b, 1, &over, NULL), TSR_LIMIT);
    assert_null(map);
    static const char *const twice[] = {"i", "i"};
    assert_int_equal(tsr_map_builder_new(&b, 2, twice, NULL), TSR_ARGUMENT);
    assert_null(b);
}

static void test_equality(void **state)
{
    (void)state;
    static const char *const different[] = {
        "(i) -> (i)",
        "(i) -> (i, i)",
        "(i, j) -> (i)",
        "(i)[j] -> (i)",
        "(i){j} -> (i)",
        "(i) -> (i + 1)",
        "(i) -> (i * 2)",
        "(i) -> (i mod 2)",
        "(i) -> (i floordiv 2)",
        "(i) -> (i mod 3)",
        "(i) -> (i), domain: i in [0, 9]",
        "(i) -> (i), domain: i in [0, 8]",
        "(i) -> (i), domain: i mod 2 in [0, 0]",
        "(i) -> (i), domain: i mod 2 in [0, 1]",
        "(i) -> (i), domain: 1 in [2, 3]",
    };
    const size_t n = sizeof different / sizeof different[0];
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            tsr_map *x, *y;
            assert_ok(tsr_map_parse(&x, different[a], err));
            assert_ok(tsr_map_parse(&y, different[b], err));
            assert_int_equal(tsr_map_equal(x, y), a == b);
            tsr_map_free(x);
            tsr_map_free(y);
        }
}

#ifdef TSR_FAULTS
static void test_memory_running_out_while_parsing(void **state)
{
    (void)state;
    const char *text =
        "(i, j)[s]{r} -> (i floordiv 8 + j mod 3 * 4 + s, (i + j) mod 5 + r, i mod 2 + i mod 3 + i mod 4 + "
        "i mod 5 + i mod 6 + i mod 7 + i mod 8 + i mod 9 + i mod 10), domain: i in [0, 9], j mod 2 "
        "in [0, 0], i mod 2 in [0, 0], j + i in [0, 9]";
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_map *map;
        tsr_faults_arm(&faults);
        const tsr_status status = tsr_map_parse(&map, text, NULL);
        tsr_faults_end(&faults, status);
        tsr_map_free(map);
    }
    assert_true(faults.n > 5);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_parses_prints_canonically),
        cmocka_unit_test(test_what_does_not_parse_says_where),
        cmocka_unit_test(test_hostile_texts),
        cmocka_unit_test(test_too_many_variables_and_results),
        cmocka_unit_test(test_expression_between_other_words),
        cmocka_unit_test(test_builder_pieces),
        cmocka_unit_test(test_equality),
#ifdef TSR_FAULTS
        cmocka_unit_test(test_memory_running_out_while_parsing),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
