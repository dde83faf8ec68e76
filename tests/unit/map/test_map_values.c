/* Values of maps: eval, plans and bounds against the oracle. */
#include "tsr_test.h"

#include <inttypes.h>

#include "map_oracle.h"
#include "map_random.h"
#include "tsr_alloc.h"
#include "tsr_map.h"

/* Apply the plan of the map to n points, points[v][e]; results[r][e]. Only results whose bit is set in
 * `wanted` are computed. */
static void apply(int64_t **results, const tsr_map *map, int64_t **points, size_t n, uint64_t wanted)
{
    tsr_map_plan *plan;
    int64_t *out[64];
    assert_ok(tsr_map_plan_new(&plan, map, err));
    void *scratch = malloc(tsr_map_plan_scratch_nbytes(plan) + 1);
    assert_non_null(scratch);
    for (int r = 0; r < tsr_map_nresults(map); r++)
        out[r] = wanted >> r & 1 ? results[r] : NULL;
    tsr_map_plan_apply(plan, out, (const int64_t *const *)points, n, scratch);
    for (int r = 0; r < tsr_map_nresults(map); r++)
        if (tsr_map_plan_alias(plan, r) >= 0 && out[r])
            assert_memory_equal(out[r], points[tsr_map_plan_alias(plan, r)], n * sizeof(int64_t));
    free(scratch);
    tsr_map_plan_free(plan);
}

static int64_t **new_columns(int n)
{
    int64_t **columns = calloc((size_t)n + 1, sizeof *columns);
    assert_non_null(columns);
    for (int i = 0; i < n; i++) {
        columns[i] = malloc(TSR_MAP_BLOCK * sizeof(int64_t));
        assert_non_null(columns[i]);
    }
    return columns;
}

static void free_columns(int64_t **columns, int n)
{
    for (int i = 0; i < n; i++)
        free(columns[i]);
    free(columns);
}

/* eval, apply (with all and with some results) and the oracle agree on up to a block of points; the bounds
 * contain every value. */
static void check_values(const char *text)
{
    tsr_map *map;
    map_oracle oracle;
    map_box box;
    tsr_error error;
    if (tsr_map_parse(&map, text, &error) != TSR_OK)
        fail_msg("%s: %s", text, error.message);
    map_oracle_read(&oracle, text);
    for (int v = 0; v < oracle.nvars; v++) { /* a constraint `d0 * 1 in [0, 3]` bounds d0, too */
        oracle.lo[v] = tsr_map_var_bounds(map, v).lo;
        oracle.hi[v] = tsr_map_var_bounds(map, v).hi;
    }
    map_box_init(&box, &oracle, TSR_MAP_BLOCK);
    int64_t **points = new_columns(box.n), **results = new_columns(oracle.nresults);
    size_t n = 0;
    for (; map_box_next(&box); n++)
        for (int v = 0; v < box.n; v++)
            points[v][n] = box.x[v];
    for (uint64_t pass = 0; pass < 4; pass++) {
        const uint64_t wanted = pass == 0 ? UINT64_MAX : UINT64_C(0x5a5a5a5a5a5a5a5a) >> pass;
        apply(results, map, points, n, wanted);
        for (size_t e = 0; e < n; e++) {
            int64_t x[64], y[64];
            for (int v = 0; v < box.n; v++)
                x[v] = points[v][e];
            assert_ok(tsr_map_eval(y, map, x, err));
            for (int r = 0; r < oracle.nresults; r++) {
                const tsr_interval b = tsr_map_result_bounds(map, r), l = tsr_map_level_bounds(map, r);
                if (y[r] != map_oracle_result(&oracle, r, x) || (wanted >> r & 1 && results[r][e] != y[r]) ||
                    y[r] < b.lo || y[r] > b.hi || y[r] < l.lo || y[r] > l.hi)
                    fail_msg("%s: result %d at entry %zu: eval %" PRId64 ", oracle %" PRId64
                             ", apply %" PRId64 ", bounds [%" PRId64 ", %" PRId64 "], level [%" PRId64
                             ", %" PRId64 "]",
                             text, r, e, y[r], map_oracle_result(&oracle, r, x), results[r][e], b.lo, b.hi,
                             l.lo, l.hi);
            }
        }
    }
    free_columns(points, box.n);
    free_columns(results, oracle.nresults);
    tsr_map_free(map);
}

static const char *const maps[] = {
    "() -> ()",
    "() -> (5, -3)",
    "(i, j) -> (j, i, i, j, i)",
    "(i, j) -> (i floordiv 8, j floordiv 8, i mod 8, j mod 8), domain: i in [0, 999], j in [0, 999]",
    "(i, j) -> (i mod 3, j mod 5, i floordiv 3, j floordiv 5, i floordiv 3), domain: i in [0, 999], j in [0, "
    "999]",
    "(i) -> (i floordiv 3, i mod 3, i floordiv 4, i mod 4, i floordiv 7, i mod 7), domain: i in [-999, 999]",
    "(i) -> (i floordiv 3, i mod 3, i floordiv 7, i mod 7, i floordiv 1000003), domain: i in [0, 2147483647]",
    "(i) -> (i floordiv 3, i mod 3, i floordiv 7, i mod 7, i mod 1000003), domain: i in [0, 4294967296]",
    "(i) -> (i floordiv 3, i mod 3, i floordiv 7, i mod 641, i mod 1000003), domain: i in [0, "
    "9223372036854775806]",
    "(i) -> (i mod 9223372036854775807, i floordiv 9223372036854775806), domain: i in [0, "
    "9223372036854775806]",
    "(i) -> (i floordiv 3, i mod 3, i floordiv 7), domain: i in [-9223372036854775807, 9223372036854775806]",
    "(i) -> (i floordiv 3, i mod 3, i floordiv 7), domain: i in [-9223372036854775807, -3]",
    "(i) -> (i floordiv 3 + i mod 3), domain: i in [-4611686018427387904, 4611686018427387904]",
    "(i, j) -> (i * 4294967296 + j), domain: i in [0, 2147483646], j in [0, 4294967295]",
    "(i, j, k) -> (i * 35 + j * 7 + k, -i, -i + 3, j * 2, 4), domain: i in [0, 9], j in [0, 4], k in [0, 6]",
    "(a, b, c, d, e, f, g) -> (a + 2b + 3c + 4d + 5e + 6f + 7g + 8, a - b, g - f + e - d), domain: a in [0, "
    "9], b in "
    "[0, 1], c in [-3, 2], d in [0, 2], e in [0, 2], f in [0, 2], g in [0, 2]",
    "(i, j) -> ((i * 5 + j) floordiv 8, (i * 5 + j) mod 8, ((i * 5 + j) mod 8 + i) floordiv 3), domain: i in "
    "[0, 9], "
    "j in [0, 4]",
    "(i)[s]{r} -> (i + s * 2 - r, r mod 3), domain: i in [0, 9], s in [0, 4], r in [-3, 5]",
    "(i) -> (i floordiv 8, i mod 8, i floordiv 3, i mod 7)",
    "(i) -> (i floordiv 3 + i mod 7 * 2, i floordiv 3, i mod 7 - i floordiv 3), domain: i in [0, 50]",
    "(i, j) -> (i floordiv 2, i mod 2), domain: i in [0, -1], j in [0, 3]",
    /* sums of three and more runs of bits: gathered, scattered, both, and cut off; and sums that are not */
    "(i) -> (i mod 2 + i floordiv 4 mod 2 * 2 + i floordiv 16 mod 4 * 4, i mod 2 * 8 + i floordiv 2 mod 4 * "
    "64 + i floordiv 8 * 1024), domain: i in [0, 999]",
    "(i, j) -> (i mod 2 + j mod 2 * 2 + i floordiv 2 mod 2 * 4 + j floordiv 2 mod 2 * 8 + i floordiv 4 * 16 "
    "+ 7 * j), domain: i in [0, 99], j in [0, 3]",
    "(i) -> (i mod 2 + i floordiv 2 mod 2 * 2 + i floordiv 4 mod 2 * 4), domain: i in [0, 999]",
    "(i) -> (i mod 2 * 2 + i floordiv 4 mod 2 * 4 + i floordiv 16 mod 4 * 32 - 3), domain: i in [0, 999]",
    "(i) -> (i mod 2 * 4 + i floordiv 2 mod 2 * 2 + i floordiv 4 mod 2, i mod 4 + i floordiv 2 mod 2 * 4 + i "
    "floordiv 4 mod 2 * 8), domain: i in [0, 99]",
    "(i) -> (i mod 2 + i floordiv 4 mod 2 * 2 + i floordiv 16 * 4), domain: i in [-99, 99]",
};

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        check_values(maps[i]);
}

static void test_values_of_random_maps(void **state)
{
    (void)state;
    tsr_rng rng = {.s = 2026};
    for (int i = 0; i < 600; i++) {
        tsr_text text = {0};
        map_random(&text, &rng);
        if (tsr_case_runs((uint64_t)i))
            check_values(tsr_text_cstr(&text));
        tsr_text_clear(&text);
    }
}

static void test_random_maps_print_and_parse_back(void **state)
{
    (void)state;
    tsr_rng rng = {.s = 4};
    for (int i = 0; i < 3000; i++) {
        tsr_text text = {0}, printed = {0};
        tsr_map *map, *again;
        map_random(&text, &rng);
        assert_ok(tsr_map_parse(&map, tsr_text_cstr(&text), err));
        tsr_map_print(&printed, map);
        assert_ok(tsr_map_parse(&again, tsr_text_cstr(&printed), err));
        assert_true(tsr_map_equal(map, again));
        tsr_text_clear(&text);
        tsr_text_clear(&printed);
        tsr_map_free(map);
        tsr_map_free(again);
    }
}

/* Every divisor up to 100 and some large ones, on every side of every multiple and of every power of two. */
static void test_division_by_every_constant(void **state)
{
    (void)state;
    int64_t *points[1] = {malloc(TSR_MAP_BLOCK * sizeof(int64_t))}, **results = new_columns(2);
    static const int64_t large[] = {
        641,        1000003,         2147483647,          2147483649,          4294967295,
        4294967297, 6700417,         4611686018427387903, 4611686018427387905, INT64_MAX,
        1 << 30,    INT64_C(1) << 62};
    static const int top_bits[] = {10, 31, 32, 33, 62, 63};
    const int nlarge = (int)(sizeof large / sizeof large[0]);
    for (int k = 0; k < 100 + nlarge; k++)
        for (size_t t = 0; t < sizeof top_bits / sizeof top_bits[0]; t++)
            for (int way = 0; way < 4;
                 way++) { /* with negatives; mod before floordiv, so that it cannot use it */
                const bool negative = way & 1, mod_first = way & 2;
                const int64_t c = k < 100 ? k + 1 : large[k - 100];
                const int64_t hi = (int64_t)((UINT64_C(1) << top_bits[t]) - 2), lo = negative ? -hi : 0;
                char text[200];
                tsr_map *map;
                size_t n = 0;
                snprintf(text, sizeof text,
                         "(i) -> (i %s %" PRId64 ", i %s %" PRId64 "), domain: i in [%" PRId64 ", %" PRId64
                         "]",
                         mod_first ? "mod" : "/", c, mod_first ? "/" : "mod", c, lo, hi);
                assert_ok(tsr_map_parse(&map, text, err));
                for (int b = 0; b < top_bits[t]; b++)
                    for (int64_t near = -2; near <= 2; near++) {
                        const int64_t p = INT64_C(1) << b, x = p + near, m = p / c * c + near;
                        const int64_t candidates[] = {x, -x, m, -m, hi - p, lo + p};
                        for (int i = 0; i < 6 && n < TSR_MAP_BLOCK; i++)
                            if (candidates[i] >= lo && candidates[i] <= hi)
                                points[0][n++] = candidates[i];
                    }
                apply(results, map, points, n, 3);
                for (size_t e = 0; e < n; e++) {
                    const int64_t x = points[0][e], r = x % c < 0 ? x % c + c : x % c;
                    if (results[mod_first][e] != x / c - (x % c < 0) || results[!mod_first][e] != r)
                        fail_msg("%s: %" PRId64 " gives %" PRId64 " and %" PRId64, text, x, results[0][e],
                                 results[1][e]);
                }
                tsr_map_free(map);
            }
    free(points[0]);
    free_columns(results, 2);
}

static void test_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *map;
        tsr_interval result, level;
    } cases[] = {
        {"(i) -> (i), domain: i in [0, 9]", {0, 9}, {0, 9}},
        {"(i) -> (i)", {INT64_MIN, INT64_MAX}, {INT64_MIN, INT64_MAX}},
        {"(i) -> (i + 1)", {INT64_MIN, INT64_MAX}, {INT64_MIN, INT64_MAX}},
        {"(i) -> (i mod 4)", {0, 3}, {0, 3}},
        {"(i) -> (i mod 4), domain: i in [0, 2]", {0, 2}, {0, 3}},
        {"(i) -> (i mod 4), domain: i in [5, 6]", {1, 2}, {0, 3}},
        {"(i) -> (i mod 4), domain: i in [6, 8]", {0, 3}, {0, 3}},
        {"(i) -> ((i * 2) mod 8), domain: i in [0, 20]", {0, 6}, {0, 7}},
        {"(i) -> ((i * 6 + 5) mod 8), domain: i in [0, 20]", {1, 7}, {0, 7}},
        {"(i) -> (i floordiv 4), domain: i in [0, 9]", {0, 2}, {0, 2}},
        {"(i) -> (i floordiv 4), domain: i in [-1, 9]", {-1, 2}, {-1, 2}},
        {"(i, j) -> (j - i), domain: i in [0, 3], j in [0, 9]", {-3, 9}, {-3, 9}},
        {"(i, j) -> (i * 10 + j), domain: i in [0, 3], j in [0, 9]", {0, 39}, {0, 39}},
        {"(i) -> ((i floordiv 3) mod 4 * 3 + i mod 3), domain: i in [0, 1]", {0, 1}, {0, 11}},
        {"(i, j) -> (i + j), domain: i in [0, -1], j in [0, 3]", {0, -1}, {0, -1}},
        {"(i) -> (i floordiv 2), domain: i in [0, -1]", {0, -1}, {0, -1}},
        {"(i) -> (i * 4), domain: i in [0, 4611686018427387904]", {0, INT64_MAX}, {0, INT64_MAX}},
        {"(i) -> (i * -4), domain: i in [0, 4611686018427387904]", {INT64_MIN, 0}, {INT64_MIN, 0}},
        {"(i) -> (7)", {7, 7}, {7, 7}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tsr_map *map;
        assert_ok(tsr_map_parse(&map, cases[i].map, err));
        const tsr_interval b = tsr_map_result_bounds(map, 0), l = tsr_map_level_bounds(map, 0);
        if (b.lo != cases[i].result.lo || b.hi != cases[i].result.hi || l.lo != cases[i].level.lo ||
            l.hi != cases[i].level.hi)
            fail_msg("%s: [%" PRId64 ", %" PRId64 "], level [%" PRId64 ", %" PRId64 "]", cases[i].map, b.lo,
                     b.hi, l.lo, l.hi);
        tsr_map_free(map);
    }
}

static void test_binding(void **state)
{
    (void)state;
    tsr_map *map, *bound, *expect;
    assert_ok(tsr_map_parse(
        &map, "(i, j)[s] -> (i floordiv 2, j + s), domain: s in [0, 3], i mod 2 in [0, 0]", err));
    const uint64_t dims[] = {7, 0}, too_large[] = {7, UINT64_C(1) << 63};
    assert_ok(tsr_map_bind(&bound, map, dims, err));
    assert_ok(tsr_map_parse(
        &expect,
        "(i, j)[s] -> (i floordiv 2, j + s), domain: i in [0, 6], j in [0, -1], s in [0, 3], i mod "
        "2 in [0, 0]",
        err));
    assert_true(tsr_map_equal(bound, expect));
    assert_string_equal(tsr_map_var_name(bound, 2), "s");
    tsr_map_free(bound);
    tsr_error err;
    assert_int_equal(tsr_map_bind(&bound, map, too_large, &err), TSR_LIMIT);
    assert_string_equal(err.message, "dim 1 of 9223372036854775808 is over 2^63 - 1");
    assert_null(bound);
    tsr_map_free(map);
    tsr_map_free(expect);
}

static void test_permutations(void **state)
{
    (void)state;
    static const struct {
        const char *map;
        bool is;
        int perm[3];
    } cases[] = {
        {"(i, j, k) -> (i, j, k)", true, {0, 1, 2}},
        {"(i, j, k) -> (k, i, j)", true, {2, 0, 1}},
        {"(i, j, k) -> (k, i, i)", false, {0}},
        {"(i, j, k) -> (k, i)", false, {0}},
        {"(i, j) -> (j, i + 1)", false, {0}},
        {"(i, j) -> (j, i * 2)", false, {0}},
        {"(i, j) -> (j, i mod 2)", false, {0}},
        {"(i)[s] -> (s)", false, {0}},
        {"() -> ()", true, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tsr_map *map;
        int perm[3] = {0};
        assert_ok(tsr_map_parse(&map, cases[i].map, err));
        assert_int_equal(tsr_map_is_permutation(map, perm), cases[i].is);
        assert_int_equal(tsr_map_is_permutation(map, NULL), cases[i].is);
        if (cases[i].is)
            assert_memory_equal(perm, cases[i].perm, sizeof perm);
        tsr_map_free(map);
    }
}

static void test_overflow_is_told(void **state)
{
    (void)state;
    static const char *const unbounded[] = {
        "(i) -> (i + 1)",
        "(i) -> ((i + 1) mod 2)",
        "(i) -> (i * 4), domain: i in [0, 4611686018427387904]",
        "(i, j) -> (i - j), domain: i in [0, 9223372036854775806], j in [-5, 0]",
    };
    for (size_t i = 0; i < sizeof unbounded / sizeof unbounded[0]; i++) {
        tsr_map *map;
        tsr_map_plan *plan;
        tsr_error err = {0};
        assert_int_equal(tsr_map_parse(&map, unbounded[i], &err), TSR_OK);
        assert_int_equal(tsr_map_plan_new(&plan, map, &err), TSR_LIMIT);
        assert_null(plan);
        const int64_t x[] = {INT64_MAX, -5};
        int64_t y[1];
        assert_int_equal(tsr_map_eval(y, map, x, &err), TSR_RANGE);
        tsr_map_free(map);
    }
}

#ifdef TSR_FAULTS
static void test_memory_running_out_while_planning(void **state)
{
    (void)state;
    tsr_map *map;
    assert_ok(tsr_map_parse(
        &map,
        "(i, j) -> (i floordiv 7 + 3, i mod 7, (i + j) floordiv 9 + i mod 3 + j mod 5 - i mod 6, j, "
        "4), domain: i in [-3, 99], j in [0, 99]",
        err));
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_map_plan *plan;
        tsr_map *copy;
        const uint64_t dims[] = {4, 5};
        tsr_faults_arm(&faults);
        tsr_status status = tsr_map_plan_new(&plan, map, NULL);
        if (status == TSR_OK)
            status = tsr_map_bind(&copy, map, dims, NULL);
        else
            copy = NULL;
        tsr_faults_end(&faults, status);
        tsr_map_plan_free(plan);
        tsr_map_free(copy);
    }
    assert_true(faults.n > 5);
    tsr_map_free(map);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_values_of_random_maps),
        cmocka_unit_test(test_random_maps_print_and_parse_back),
        cmocka_unit_test(test_division_by_every_constant),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_binding),
        cmocka_unit_test(test_permutations),
        cmocka_unit_test(test_overflow_is_told),
#ifdef TSR_FAULTS
        cmocka_unit_test(test_memory_running_out_while_planning),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
