/* Simplify and compose: same values on the same domain, by the oracle; simplifying twice gives the same as
 * once. */
#include "tsr_test.h"

#include <inttypes.h>

#include "map_oracle.h"
#include "map_random.h"
#include "tsr_alloc.h"
#include "tsr_map.h"

/* simplify(map) as text, checked against the map and against simplifying again. */
static char *check_simplify(const tsr_map *map)
{
    tsr_map *simple, *again;
    assert_ok(tsr_map_simplify(&simple, map, err));
    char *before = map_text_of(map), *after = map_text_of(simple);
    map_check_same(before, after, "simplify");
    assert_ok(tsr_map_simplify(&again, simple, err));
    char *twice = map_text_of(again);
    if (!tsr_map_equal(simple, again))
        fail_msg("simplify is not idempotent:\n%s\n%s\n%s", before, after, twice);
    tsr_map_free(simple);
    tsr_map_free(again);
    free(before);
    free(twice);
    return after;
}

static const struct {
    const char *before, *after;
} cases[] = {
    /* only one quotient */
    {"(i) -> (i floordiv 8, i mod 8), domain: i in [0, 7]", "(d0) -> (0, d0), domain: d0 in [0, 7]"},
    {"(i) -> (i floordiv 8, i mod 8), domain: i in [16, 20]", "(d0) -> (2, d0 - 16), domain: d0 in [16, 20]"},
    {"(i) -> (i mod 5), domain: i in [-5, -1]", "(d0) -> (d0 + 5), domain: d0 in [-5, -1]"},
    {"(i) -> (i mod 5), domain: i in [-6, -1]", "(d0) -> (d0 mod 5), domain: d0 in [-6, -1]"},
    /* multiples */
    {"(i, j) -> ((8i + j) floordiv 8, (8i + j) mod 8)", "(d0, d1) -> (d0 + d1 floordiv 8, d1 mod 8)"},
    {"(i) -> ((i + 19) floordiv 8, (i + 19) mod 8)", "(d0) -> ((d0 + 3) floordiv 8 + 2, (d0 + 3) mod 8)"},
    {"(i) -> ((9i) floordiv 8, (9i) mod 8)", "(d0) -> (d0 + d0 floordiv 8, d0 mod 8)"},
    /* common factors and small rests */
    {"(i) -> ((6i + 9) floordiv 18, (6i + 9) mod 18)",
     "(d0) -> ((d0 + 1) floordiv 3, ((d0 + 1) mod 3) * 6 + 3)"},
    {"(i, j) -> ((4i + j) floordiv 8, (4i + j) mod 8), domain: j in [0, 3]",
     "(d0, d1) -> (d0 floordiv 2, d1 + (d0 mod 2) * 4), domain: d1 in [0, 3]"},
    /* nesting */
    {"(i) -> (i floordiv 4 floordiv 3, i mod 12 mod 4)", "(d0) -> (d0 floordiv 12, d0 mod 4)"},
    {"(i) -> ((i mod 12) floordiv 4)", "(d0) -> ((d0 floordiv 4) mod 3)"},
    /* digits joined */
    {"(i) -> (i floordiv 8 * 8 + i mod 8)", "(d0) -> (d0)"},
    {"(i) -> (i floordiv 24 * 48 + (i floordiv 4) mod 6 * 8 + i mod 4 * 2)", "(d0) -> (d0 * 2)"},
    {"(i) -> (i - i floordiv 4 * 4)", "(d0) -> (d0 mod 4)"},
    {"(i) -> (i - i mod 4)", "(d0) -> ((d0 floordiv 4) * 4)"},
    {"(i, j) -> ((i * 5 + j) floordiv 5 * 5 + (i * 5 + j) mod 5), domain: i in [0, 3], j in [0, 9]",
     "(d0, d1) -> (d1 + d0 * 5), domain: d0 in [0, 3], d1 in [0, 9]"},
    {"(i) -> (i mod 2 - i mod 8 + (i floordiv 2) mod 4 * 2, i mod 6 - i mod 3)",
     "(d0) -> (0, ((d0 floordiv 3) mod 2) * 3)"},
    {"(i) -> ((i mod 6) floordiv 3 * 3 + i mod 3)", "(d0) -> (d0 mod 6)"},
    /* min and max */
    {"(i, j) -> (min(i, j) * 3 + 3max(j, i), min(i, i mod 4)), domain: i in [0, 9]",
     "(d0, d1) -> (d0 * 3 + d1 * 3, d0 mod 4), domain: d0 in [0, 9]"},
    {"(i) -> (min(10, i), max(10, i), max(i, i)), domain: i in [0, 5]",
     "(d0) -> (d0, 10, d0), domain: d0 in [0, 5]"},
    {"(i, j) -> (min(i, min(j, i)), max(min(j, i), i), min(i, max(j, i)))",
     "(d0, d1) -> (min(d0, d1), d0, d0)"},
    {"(i, j) -> (max(128, 32i + j floordiv 64 + 1)), domain: i in [0, 3], j in [0, 2047]",
     "(d0, d1) -> (128), domain: d0 in [0, 3], d1 in [0, 2047]"},
    {"(i, j) -> (min(max(i, 3), min(j, 20))), domain: i in [0, 9], j in [0, 5]",
     "(d0, d1) -> (min(d1, max(d0, 3))), domain: d0 in [0, 9], d1 in [0, 5]"},
    {"(i, j) -> (i * j), domain: j in [4, 4]", "(d0, d1) -> (d0 * 4), domain: d1 in [4, 4]"},
    /* domains */
    {"(i, j) -> (i), domain: i in [3, 3], j in [0, 4]",
     "(d0, d1) -> (3), domain: d0 in [3, 3], d1 in [0, 4]"},
    {"(i) -> (i), domain: i * 8 in [14, 33], i in [0, 99]", "(d0) -> (d0), domain: d0 in [2, 4]"},
    {"(i) -> (i), domain: i floordiv -3 in [-11, -5]", "(d0) -> (d0), domain: d0 in [13, 33]"},
    {"(i) -> (i), domain: i * -3 in [-11, -5]", "(d0) -> (d0), domain: d0 in [2, 3]"},
    {"(i) -> (i), domain: i floordiv 3 in [-11, -5]", "(d0) -> (d0), domain: d0 in [-33, -13]"},
    {"(i) -> (i floordiv 8), domain: i in [0, 99], i floordiv 8 in [1, 1]",
     "(d0) -> (1), domain: d0 in [8, 15]"},
    {"(i) -> (i), domain: i in [0, 99], i mod 8 + 5 in [50, 54]",
     "(d0) -> (d0), domain: d0 in [0, 99], 0 in [0, -1]"},
    {"(i, j) -> (i), domain: i in [0, 5], j in [1, 3], i + j in [0, 20]",
     "(d0, d1) -> (d0), domain: d0 in [0, 5], d1 in [1, 3]"},
    {"(i, j) -> (i), domain: i in [0, 5], j in [1, 3], -2 * i - 2 * j in [-7, 1]",
     "(d0, d1) -> (d0), domain: d0 in [0, 2], d1 in [1, 3], d0 + d1 in [1, 3]"},
    {"(i, j, k) -> (6i + 3j + k), domain: i in [0, 1999], j in [0, 1], k in [0, 2], 6i + 3j + k in [0, 599]",
     "(d0, d1, d2) -> (d2 + d1 * 3 + d0 * 6), domain: d0 in [0, 99], d1 in [0, 1], d2 in [0, 2]"},
    {"(i, j) -> (i), domain: i in [0, 99], j in [0, 99], i - j in [98, 200]",
     "(d0, d1) -> (d0), domain: d0 in [98, 99], d1 in [0, 1], d0 - d1 in [98, 99]"},
    {"(i, j) -> (i), domain: i in [0, 9], j in [0, 9], min(i, j) in [4, 9], max(i, j) in [0, 6]",
     "(d0, d1) -> (d0), domain: d0 in [4, 6], d1 in [4, 6]"},
    {"(i, j) -> ((i + j) floordiv 8, (j + i + 1) mod 9), domain: i in [0, 9], j in [0, 9], i + j in [0, 7]",
     "(d0, d1) -> (0, d0 + d1 + 1), domain: d0 in [0, 7], d1 in [0, 7], d0 + d1 in [0, 7]"},
    {"(i) -> (i), domain: i in [5, 6000000000], i floordiv 7 in [0, 1000000000000]",
     "(d0) -> (d0), domain: d0 in [5, 6000000000]"},
    {"(i, j) -> (i), domain: i in [0, 9], j in [0, 9], (i * 10 + j) floordiv 4 in [3, 6]",
     "(d0, d1) -> (d0), domain: d0 in [1, 2], d1 in [0, 9], d0 * 10 + d1 in [12, 27]"},
    {"(i, j) -> (i), domain: i in [0, 9], j in [0, 9], -(j floordiv 4) - i * 2 in [-5, -4]",
     "(d0, d1) -> (d0), domain: d0 in [1, 2], d1 in [0, 9], d0 * 8 + d1 in [16, 23]"},
    /* residues */
    {"(i) -> (i mod 2, (i - 3) floordiv 7 * 7 + 3), domain: i in [0, 99], i mod 2 in [1, 1], (i - 3) mod 7 "
     "in [0, 0]",
     "(d0) -> (1, d0), domain: d0 in [3, 87], d0 mod 14 in [3, 3]"},
    {"(i) -> (i), domain: i in [0, 1000000], i mod 6 in [0, 0], i mod 10 in [0, 0], i mod 15 in [0, 0]",
     "(d0) -> (d0), domain: d0 in [0, 999990], d0 mod 30 in [0, 0]"},
    {"(i) -> (i), domain: i in [0, 1000000000], i mod 4 in [1, 1], i mod 6 in [2, 2]",
     "(d0) -> (d0), domain: d0 in [0, 1000000000], 0 in [0, -1]"},
    {"(i) -> (i), domain: i in [1, 40], (3 * i + 1) mod 7 in [5, 5], -i mod 2 in [1, 1]",
     "(d0) -> (d0), domain: d0 in [13, 27], d0 mod 14 in [13, 13]"},
    {"(i) -> (i), domain: i in [0, 99], i mod 8 in [6, 9], i mod 5 in [0, 1]",
     "(d0) -> (d0), domain: d0 in [6, 95], d0 mod 5 in [0, 1], d0 mod 8 in [6, 7]"},
    {"(i) -> (i), domain: i in [3, 5], i * i in [7, 30]", "(d0) -> (d0), domain: d0 in [3, 5]"},
    {"(i) -> (i), domain: i in [0, 5], i * i in [5, 10], i mod 4 in [2, 2]",
     "(d0) -> (d0), domain: d0 in [0, 5], 0 in [0, -1]"},
    /* bounds that would move forever are left as they are */
    {"(i, j, k) -> (i), domain: i in [0, 999999], j in [0, 999999], k in [0, 999999], "
     "i - j in [1, 999999], j - k in [1, 999999], i - k in [-999999, -1]",
     "(d0, d1, d2) -> (d0), domain: d0 in [0, 999999], d1 in [0, 999999], d2 in [0, 999999], "
     "d0 - d1 in [1, 999999], d0 - d2 in [-999999, -1], d1 - d2 in [1, 999999]"},
    /* rules whose constants would leave 64 bits are not applied */
    {"(i) -> ((i floordiv 4611686018427387904) floordiv 3)",
     "(d0) -> ((d0 floordiv 4611686018427387904) floordiv 3)"},
};

static void test_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tsr_map *map, *expect;
        assert_ok(tsr_map_parse(&map, cases[i].before, err));
        assert_ok(tsr_map_parse(&expect, cases[i].after, err));
        char *after = check_simplify(map), *want = map_text_of(expect);
        if (strcmp(after, want) != 0)
            fail_msg("%s\n becomes %s\n not     %s", cases[i].before, after, want);
        free(after);
        free(want);
        tsr_map_free(map);
        tsr_map_free(expect);
    }
}

static void test_random_maps_keep_their_values(void **state)
{
    (void)state;
    tsr_rng rng = {.s = 99};
    for (int i = 0; i < 700; i++) {
        tsr_text text = {0};
        tsr_map *map;
        map_random(&text, &rng);
        assert_ok(tsr_map_parse(&map, tsr_text_cstr(&text), err));
        if (tsr_case_runs((uint64_t)i))
            free(check_simplify(map));
        tsr_map_free(map);
        tsr_text_clear(&text);
    }
}

/* outer(inner(x)), by the oracle, has the values and the domain of the composed map. */
static void check_composed(const char *outer, const char *inner, const char *composed)
{
    map_oracle o, i, c;
    map_box box;
    map_oracle_read(&o, outer);
    map_oracle_read(&i, inner);
    map_oracle_read(&c, composed);
    map_box_init(&box, &i, MAP_MAX_POINTS);
    while (map_box_next(&box)) {
        int64_t y[64] = {0};
        bool same, inside = map_oracle_inside(&i, box.x);
        for (int r = 0; r < i.nresults; r++)
            y[r] = map_oracle_result(&i, r, box.x);
        inside = inside && map_oracle_inside(&o, y);
        same = inside == map_oracle_inside(&c, box.x);
        for (int r = 0; inside && r < o.nresults; r++)
            same &= map_oracle_result(&o, r, y) == map_oracle_result(&c, r, box.x);
        if (!same)
            fail_msg("%s\nafter %s\nis not %s", outer, inner, composed);
    }
}

static void test_compositions(void **state)
{
    (void)state;
    tsr_rng rng = {.s = 5};
    for (int i = 0; i < 200; i++) {
        tsr_text text[3] = {{0}};
        tsr_map *map[3], *ab, *bc, *ab_c, *a_bc;
        for (int m = 0; m < 3; m++) { /* a after b after c */
            map_random_of(&text[m], &rng, 2, 2, m != 1);
            assert_ok(tsr_map_parse(&map[m], tsr_text_cstr(&text[m]), err));
        }
        assert_ok(tsr_map_compose(&ab, map[0], map[1], err));
        assert_ok(tsr_map_compose(&bc, map[1], map[2], err));
        assert_ok(tsr_map_compose(&ab_c, ab, map[2], err));
        assert_ok(tsr_map_compose(&a_bc, map[0], bc, err));
        char *x = map_text_of(ab), *y = map_text_of(ab_c), *z = map_text_of(a_bc);
        check_composed(tsr_text_cstr(&text[0]), tsr_text_cstr(&text[1]), x);
        map_check_same(y, z, "compose is not associative");
        free(check_simplify(ab_c));
        free(x);
        free(y);
        free(z);
        tsr_map_free(ab);
        tsr_map_free(bc);
        tsr_map_free(ab_c);
        tsr_map_free(a_bc);
        for (int m = 0; m < 3; m++) {
            tsr_map_free(map[m]);
            tsr_text_clear(&text[m]);
        }
    }
}

static void test_composition_orders_symbols(void **state)
{
    (void)state;
    tsr_map *outer, *inner, *composed;
    assert_ok(tsr_map_parse(
        &outer, "(a, b)[p, q]{t} -> (b + p, a * 2 + q + t), domain: a in [0, 3], p in [0, 1]", err));
    assert_ok(
        tsr_map_parse(&inner, "(i)[s]{r} -> (i + s, r), domain: i in [0, 9], s in [5, 6], r in [0, 4]", err));
    assert_ok(tsr_map_compose(&composed, outer, inner, err));
    char *text = map_text_of(composed);
    assert_string_equal(
        text, "(d0)[s0, s1, s2]{rt0, rt1} -> (s0 + rt1, d0 * 2 + s1 + s2 * 2 + rt0), domain: d0 in [0, 9], "
              "s0 in [0, 1], s2 in [5, 6], rt1 in [0, 4], d0 + s2 in [0, 3]");
    free(text);
    tsr_map_free(composed);
    tsr_error err;
    assert_int_equal(tsr_map_compose(&composed, inner, outer, &err), TSR_ARGUMENT);
    assert_string_equal(err.message, "the inner map has 2 results, but the outer one has 1 dims");
    tsr_map_free(outer);
    tsr_map_free(inner);
}

#ifdef TSR_FAULTS
static void test_memory_running_out(void **state)
{
    (void)state;
    tsr_map *map, *inner;
    assert_ok(tsr_map_parse(&inner, "(i, j) -> (j, i)", err));
    assert_ok(tsr_map_parse(
        &map,
        "(i, j) -> (i floordiv 8 * 8 + i mod 8, (8i + j) mod 8, (i floordiv 3 + j) floordiv 4), domain: "
        "i in [0, 99], j in [0, 7], i * 2 in [4, 50], i + j in [3, 40]",
        err));
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_map *simple, *composed = NULL;
        tsr_faults_arm(&faults);
        tsr_status status = tsr_map_simplify(&simple, map, NULL);
        if (status == TSR_OK)
            status = tsr_map_compose(&composed, simple, inner, NULL);
        tsr_faults_end(&faults, status);
        tsr_map_free(simple);
        tsr_map_free(composed);
    }
    assert_true(faults.n > 5);
    tsr_map_free(inner);
    tsr_map_free(map);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_random_maps_keep_their_values),
        cmocka_unit_test(test_compositions),
        cmocka_unit_test(test_composition_orders_symbols),
#ifdef TSR_FAULTS
        cmocka_unit_test(test_memory_running_out),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
