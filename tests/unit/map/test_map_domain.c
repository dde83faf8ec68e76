/* Domains: points inside and outside, also with plans; equality of maps; maps with other variables. */
#include "tsr_test.h"

#include <inttypes.h>

#include "map_oracle.h"
#include "map_random.h"
#include "tsr_alloc.h"
#include "tsr_map.h"

static tsr_map *parsed(const char *text)
{
    tsr_map *map;
    tsr_error err = {0};
    if (tsr_map_parse(&map, text, &err) != TSR_OK)
        fail_msg("%s: %s", text, err.message);
    return map;
}

/* ---- points ---- */

/* tsr_map_inside and the plan agree with the oracle, also outside the bounds. */
static void check_inside(const char *text)
{
    tsr_map *map = parsed(text);
    tsr_map_plan *plan;
    map_oracle oracle;
    map_box box;
    map_oracle_read(&oracle, text);
    map_box_init(&box, &oracle, TSR_MAP_BLOCK);
    for (int v = 0; v < box.n; v++) {
        box.lo[v] = -24;
        box.hi[v] = 40;
    }
    box.all = false;
    box.max = TSR_MAP_BLOCK;
    assert_ok(tsr_map_plan_new(&plan, map, err));
    void *scratch = malloc(tsr_map_plan_scratch_nbytes(plan) + 1);
    int64_t(*points)[TSR_MAP_BLOCK] = malloc(sizeof *points * 4);
    const int64_t *in[4] = {points[0], points[1], points[2], points[3]};
    uint8_t inside[TSR_MAP_BLOCK];
    size_t n = 0;
    for (; map_box_next(&box); n++)
        for (int v = 0; v < box.n; v++)
            points[v][n] = box.x[v];
    assert_int_equal(n, TSR_MAP_BLOCK);
    tsr_map_plan_inside(plan, inside, in, n, scratch);
    for (size_t e = 0; e < n; e++) {
        const int64_t x[4] = {points[0][e], points[1][e], points[2][e], points[3][e]};
        bool one;
        assert_ok(tsr_map_inside(&one, map, x, err));
        if (one != map_oracle_inside(&oracle, x) || one != inside[e])
            fail_msg("%s at (%" PRId64 ", %" PRId64 ", %" PRId64 "): inside %d, plan %d", text, x[0], x[1],
                     x[2], one, inside[e]);
    }
    free(points);
    free(scratch);
    tsr_map_plan_free(plan);
    tsr_map_free(map);
}

static void test_inside(void **state)
{
    (void)state;
    tsr_rng rng = {.s = 8};
    for (int i = 0; i < 300; i++) {
        tsr_text text = {0};
        map_random_of(&text, &rng, 1 + (int)tsr_rng_below(&rng, 3), 1, true);
        check_inside(tsr_text_cstr(&text));
        tsr_text_clear(&text);
    }
    check_inside(
        "(i, j) -> (i), domain: i in [0, 9], (i - 1) mod 2 in [0, 0], i + j in [3, 3], j in [-9, 99]");
    check_inside("(i) -> (i), domain: i in [0, 30], (i - 2) floordiv 7 in [1, 2]");
    check_inside("(i, j) -> (i), domain: 0 in [1, 2]");
}

static void test_satisfies(void **state)
{
    (void)state;
    tsr_map *map = parsed("(i, j) -> (i), domain: i in [0, 3], i + j in [4, 5], (i * j) mod 2 in [0, 0]");
    static const struct {
        int64_t x[2];
        bool satisfies, inside;
    } points[] = {{{2, 2}, true, true}, {{5, 0}, true, false}, {{1, 1}, false, false}, {{1, 4}, true, true}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        bool satisfies, inside;
        assert_ok(tsr_map_satisfies(&satisfies, map, points[i].x, err));
        assert_ok(tsr_map_inside(&inside, map, points[i].x, err));
        assert_int_equal(satisfies, points[i].satisfies);
        assert_int_equal(inside, points[i].inside);
    }
    bool satisfies;
    tsr_error err;
    assert_int_equal(tsr_map_satisfies(&satisfies, map, (int64_t[]){INT64_MAX, 1}, &err), TSR_RANGE);
    tsr_map_free(map);
    map = parsed("(i, j) -> (#i, #i j)");
    int64_t y[2];
    assert_int_equal(tsr_map_eval(y, map, (int64_t[]){1, 1}, &err), TSR_UNSUPPORTED);
    tsr_map_plan *plan;
    assert_int_equal(tsr_map_plan_new(&plan, map, &err), TSR_UNSUPPORTED);
    tsr_map_free(map);
}

/* ---- image ---- */

static void test_image(void **state)
{
    (void)state;
    static const struct {
        const char *map;
        tsr_interval bounds;
    } images[] = {
        {"(i, j) -> (i + j), domain: i in [0, 9], j in [0, 9], i + j in [3, 40], i - j in [4, 9]", {4, 14}},
        {"(i, j) -> (i + j), domain: i in [0, 9000], j in [0, 9000], i + j in [3, 40]", {3, 40}},
        {"(i) -> (i * i - 4 * i), domain: i in [0, 9]", {-4, 45}},
        {"(i) -> (i), domain: i in [0, 9], i mod 4 in [2, 3], i * i in [10, 99]", {6, 7}},
        {"(i) -> (i), domain: i in [0, 9], i * i in [10, 15]", {0, -1}},
        {"(i) -> (i + 1), domain: i in [4, 3]", {0, -1}},
        {"(i) -> (min(i, 4))", {INT64_MIN, 4}},
    };
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
        tsr_map *map = parsed(images[i].map);
        tsr_interval bounds;
        assert_ok(tsr_map_image(&bounds, map, err));
        if (bounds.lo != images[i].bounds.lo || bounds.hi != images[i].bounds.hi)
            fail_msg("%s: [%" PRId64 ", %" PRId64 "]", images[i].map, bounds.lo, bounds.hi);
        tsr_map_free(map);
    }
}

/* ---- equality ---- */

enum { NO_POINT = INT16_MIN };

static const struct {
    const char *a, *b;
    tsr_status status;
    bool same;
    int64_t point[3];
} pairs[] = {
    {"(i) -> (i)", "(k) -> (k)", TSR_OK, true, {0}},
    {"KNOWN EMPTY", "() -> (), domain: 3 in [0, 1]", TSR_OK, true, {0}},
    {"(i) -> (i), domain: i in [3, 2]",
     "(i) -> (5), domain: i in [0, 9], i mod 2 in [3, 3]",
     TSR_OK,
     true,
     {0}},
    {"(i) -> (i), domain: i in [0, 9]", "(i) -> (i), domain: i in [0, 10]", TSR_OK, false, {10}},
    {"(i) -> (i), domain: i in [0, 9]", "(i) -> (i), domain: i in [1, 0]", TSR_OK, false, {0}},
    {"(i, j) -> (i * 8 + j), domain: i in [0, 3], j in [0, 7]",
     "(i, j) -> ((i * 8 + j) floordiv 4 * 4 + j mod 4), domain: i in [0, 3], j in [0, 7]",
     TSR_OK,
     true,
     {0}},
    {"(i, j) -> (i * 8 + j), domain: i in [0, 3], j in [0, 7]",
     "(i, j) -> (i * 8 + j mod 7), domain: i in [0, 3], j in [0, 7]",
     TSR_OK,
     false,
     {0, 7}},
    {"(i, j) -> (min(i, j) + max(i, j)), domain: i in [0, 999], j in [0, 999]",
     "(i, j) -> (i + j), domain: i in [0, 999], j in [0, 999]",
     TSR_OK,
     true,
     {0}},
    {"(i, j) -> (i * j), domain: i in [0, 99], j in [0, 99]",
     "(i, j) -> (j * i + (i * i) floordiv 9801), domain: i in [0, 99], j in [0, 99]",
     TSR_OK,
     false,
     {99, 0}},
    {"(i)[s] -> (i + s), domain: i in [0, 9], s in [0, 3], i + s in [0, 5]",
     "(i)[s] -> (i + s), domain: i in [0, 9], s in [0, 3], i + s in [0, 6]",
     TSR_OK,
     false,
     {3, 3}},
    /* unbounded, or too many points: a proof, or a point that was tried */
    {"(i) -> (i floordiv 3 * 3 + i mod 3)", "(i) -> (i)", TSR_OK, true, {0}},
    {"(i) -> (min(i, 5))", "(i) -> (i)", TSR_OK, false, {NO_POINT}},
    {"(i, j) -> (i, j), domain: i in [0, 1000000], j in [0, 1000000]",
     "(i, j) -> (i, j mod 1000000), domain: i in [0, 1000000], j in [0, 1000000]",
     TSR_OK,
     false,
     {NO_POINT}},
    {"(i) -> (min(i, 5) + max(i, 5))", "(i) -> (i + 5)", TSR_OK, true, {0}},
    {"(i) -> (min(i, 5) * 2 + max(i, 5))", "(i) -> (i + 5 + min(5, i))", TSR_OK, true, {0}},
    {"(i) -> (min(2 * i, 6))", "(i) -> (min(i, 3) + min(i, 3))", TSR_UNSUPPORTED, false, {0}},
    {"(i) -> (i)", "(i, j) -> (i)", TSR_ARGUMENT, false, {0}},
    {"(i)[j] -> (i)", "(i){j} -> (i)", TSR_ARGUMENT, false, {0}},
};

static void test_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        tsr_map *a = parsed(pairs[i].a), *b = parsed(pairs[i].b);
        bool same = true;
        int64_t point[3] = {0};
        tsr_error err;
        const tsr_status status = tsr_map_same(&same, point, a, b, &err);
        if (status != pairs[i].status || same != pairs[i].same)
            fail_msg("%s\n%s\nstatus %d, same %d", pairs[i].a, pairs[i].b, (int)status, same);
        if (status == TSR_OK && !same && pairs[i].point[0] != NO_POINT &&
            memcmp(point, pairs[i].point, sizeof point) != 0)
            fail_msg("%s\n%s\nfirst differ at (%" PRId64 ", %" PRId64 ")", pairs[i].a, pairs[i].b, point[0],
                     point[1]);
        tsr_map_free(a);
        tsr_map_free(b);
    }
}

/* Random maps compared with their simplified forms and with other maps: the answer and the first point are
 * those of the oracle. */
static void test_same_of_random_maps(void **state)
{
    (void)state;
    tsr_rng rng = {.s = 12};
    for (int i = 0; i < 150; i++) {
        tsr_text text[2] = {{0}};
        tsr_map *map[2];
        map_oracle oracle[2];
        for (int m = 0; m < 2; m++) {
            if (m == 1) { /* the same text with one number changed */
                tsr_text_add(&text[1], tsr_text_cstr(&text[0]));
                char *digit = strpbrk(strchr(text[1].s, '>'), "345678");
                if (digit)
                    (*digit)--;
            } else {
                map_random_of(&text[m], &rng, 2, 1, true);
            }
            map[m] = parsed(tsr_text_cstr(&text[m]));
            map_oracle_read(&oracle[m], tsr_text_cstr(&text[m]));
        }
        bool same, expect = true;
        int64_t point[2] = {0};
        assert_ok(tsr_map_same(&same, point, map[0], map[1], err));
        map_box box = {.n = 2, .lo = {-60, -60}, .hi = {60, 60}, .max = 1 << 20, .all = true};
        while (expect && map_box_next(&box)) {
            const bool inside = map_oracle_inside(&oracle[0], box.x);
            expect = inside == map_oracle_inside(&oracle[1], box.x) &&
                     (!inside ||
                      map_oracle_result(&oracle[0], 0, box.x) == map_oracle_result(&oracle[1], 0, box.x));
        }
        if (same != expect || (!same && memcmp(point, box.x, sizeof point) != 0))
            fail_msg("%s\n%s\nsame %d, first differ at (%" PRId64 ", %" PRId64 "), not (%" PRId64 ", %" PRId64
                     ")",
                     tsr_text_cstr(&text[0]), tsr_text_cstr(&text[1]), same, point[0], point[1], box.x[0],
                     box.x[1]);
        for (int m = 0; m < 2; m++) {
            tsr_map_free(map[m]);
            tsr_text_clear(&text[m]);
        }
    }
}

/* ---- other variables ---- */

typedef enum change { UNUSED, UNUSED_SYMBOLS, RESCALE, TO_DIMS } change;

static const struct {
    change change;
    const char *before, *after;
} changes[] = {
    {UNUSED, "(i, j)[s] -> (j)", "(d0) -> (d0)"},
    {UNUSED_SYMBOLS, "(i, j)[s] -> (j)", "(d0, d1) -> (d1)"},
    {UNUSED,
     "(i, j, k) -> (k), domain: i in [0, 5], j in [0, 5], k in [0, 5], i + j in [3, 4], j * k in [0, 9]",
     "(d0, d1, d2) -> (d2), domain: d0 in [0, 5], d1 in [0, 5], d2 in [0, 5], d0 + d1 in [3, 4], d1 * d2 in "
     "[0, 9]"},
    {UNUSED, "(i, j) -> (j), domain: i in [0, 5], i mod 3 in [1, 1]", "(d0) -> (d0)"},
    /* constraints that cannot be satisfied stay */
    {UNUSED, "(i, j) -> (j), domain: i in [0, 5], i * i in [2, 3]",
     "(d0, d1) -> (d1), domain: d0 in [0, 5], d0 * d0 in [2, 3]"},
    {UNUSED, "(i, j) -> (j), domain: i in [0, -1]", "(d0, d1) -> (d1), domain: d0 in [0, -1]"},
    {RESCALE,
     "(i)[s, t] -> (s + t), domain: s in [0, 41], t in [-7, 7], s mod 6 in [3, 3], t mod 4 in [1, 1]",
     "(d0)[s0, s1] -> (s0 * 6 + s1 * 4 + 4), domain: s0 in [0, 6], s1 in [-2, 1]"},
    {RESCALE, "(i)[s] -> (s), domain: s in [0, 99], s mod 6 in [3, 3], s mod 4 in [1, 1]",
     "(d0)[s0] -> (s0 * 12 + 9), domain: s0 in [0, 7]"},
    {TO_DIMS, "(i)[s, t, u]{r} -> (s + 2t + 3u + r), domain: s in [0, 1], t in [0, 2], u in [0, 3]",
     "(d0, d1, d2)[s0]{rt0} -> (d1 * 3 + d2 + s0 * 2 + rt0), domain: d1 in [0, 3], d2 in [0, 1], s0 in [0, "
     "2]"},
    {TO_DIMS, "(i)[s]{r, q} -> (s + 2r + 3q), domain: s in [0, 1], r in [0, 2], q in [0, 3]",
     "(d0, d1, d2){rt0} -> (d1 * 3 + d2 + rt0 * 2), domain: d1 in [0, 3], d2 in [0, 1], rt0 in [0, 2]"},
};

static void test_changes_of_variables(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        tsr_map *map = parsed(changes[i].before), *out = NULL;
        switch (changes[i].change) {
        case UNUSED:
        case UNUSED_SYMBOLS:
            assert_ok(tsr_map_remove_unused(&out, NULL, map, changes[i].change == UNUSED, true, err));
            break;
        case RESCALE:
            assert_ok(tsr_map_rescale_symbols(&out, map, err));
            break;
        case TO_DIMS:
            assert_ok(tsr_map_symbols_to_dims(&out, map, 2, (int[]){2, 0}, err));
            break;
        }
        char *text = map_text_of(out);
        assert_string_equal(text, changes[i].after);
        free(text);
        tsr_map_free(map);
        tsr_map_free(out);
    }
}

#ifdef TSR_FAULTS
static void test_memory_running_out(void **state)
{
    (void)state;
    tsr_map
        *a = parsed("(i)[s] -> (i * s, min(i, s)), domain: i in [0, 30], s in [0, 30], s mod 3 in [1, 1]"),
        *b = parsed(
            "(i)[s] -> (s * i, i - max(i - s, 0)), domain: i in [0, 30], s in [0, 30], s mod 3 in [1, 1]");
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_map *rescaled = NULL, *fewer = NULL, *dims = NULL;
        tsr_text text = {0};
        bool same;
        tsr_faults_arm(&faults);
        tsr_status status = tsr_map_same(&same, NULL, a, b, NULL);
        if (status == TSR_OK)
            status = tsr_map_rescale_symbols(&rescaled, a, NULL);
        if (status == TSR_OK)
            status = tsr_map_remove_unused(&fewer, NULL, a, true, true, NULL);
        if (status == TSR_OK)
            status = tsr_map_symbols_to_dims(&dims, a, 1, (int[]){0}, NULL);
        if (status == TSR_OK)
            status = tsr_map_emit_c(&text, a, "f", NULL);
        tsr_faults_end(&faults, status);
        tsr_map_free(rescaled);
        tsr_map_free(fewer);
        tsr_map_free(dims);
        tsr_text_clear(&text);
    }
    tsr_map_free(a);
    tsr_map_free(b);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inside),
        cmocka_unit_test(test_satisfies),
        cmocka_unit_test(test_image),
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_same_of_random_maps),
        cmocka_unit_test(test_changes_of_variables),
#ifdef TSR_FAULTS
        cmocka_unit_test(test_memory_running_out),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
