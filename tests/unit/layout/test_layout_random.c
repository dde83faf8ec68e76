/* Random layouts: comparisons agree with a comparison of all points, conversions keep the offsets, and
 * failing allocations neither leak nor crash. */
#include "tsr_layout.h"

#include "tla_random.h"
#include "tsr_alloc.h"
#include "xla_support.h"

static tsr_layout *layout_of(const char *text)
{
    tsr_layout *layout = NULL;
    assert_ok(tsr_layout_parse(&layout, text, NULL, err));
    return layout;
}

static bool next_coord(int64_t *coord, const tsr_layout *layout)
{
    for (int d = layout->rank - 1; d >= 0; d--) {
        if (++coord[d] < layout->dims[d])
            return true;
        coord[d] = 0;
    }
    return false;
}

static bool is_empty(const tsr_layout *layout)
{
    for (int d = 0; d < layout->rank; d++)
        if (layout->dims[d] == 0)
            return true;
    return false;
}

/* The verdict from comparing point by point. */
static void compare_slowly(tsr_layout_difference *out, const tsr_layout *a, const tsr_layout *b)
{
    memset(out, 0, sizeof *out);
    if (a->rank != b->rank) {
        out->verdict = TSR_LAYOUT_OTHER_RANK;
        return;
    }
    for (int d = 0; d < a->rank; d++)
        if (a->dims[d] != b->dims[d]) {
            out->verdict = TSR_LAYOUT_OTHER_DIM;
            out->dim = d;
            return;
        }
    if (is_empty(a))
        return;
    do {
        assert_ok(tsr_layout_offset(&out->offset[0], a, out->coord, err));
        assert_ok(tsr_layout_offset(&out->offset[1], b, out->coord, err));
        if (out->offset[0] != out->offset[1]) {
            out->verdict = TSR_LAYOUT_OTHER_OFFSET;
            return;
        }
    } while (next_coord(out->coord, a));
}

static void check_verdict(const char *a, const char *b)
{
    tsr_layout *const x = layout_of(a), *const y = layout_of(b);
    tsr_layout_difference said, slow;
    assert_ok(tsr_layout_same(&said, x, y, err));
    compare_slowly(&slow, x, y);
    bool same = said.verdict == slow.verdict && said.dim == slow.dim;
    if (slow.verdict == TSR_LAYOUT_OTHER_OFFSET)
        same = same && memcmp(said.coord, slow.coord, sizeof said.coord) == 0 &&
               said.offset[0] == slow.offset[0] && said.offset[1] == slow.offset[1];
    if (!same)
        fail_msg("%s and %s: verdict %d, not %d", a, b, (int)said.verdict, (int)slow.verdict);
    tsr_layout_free(x);
    tsr_layout_free(y);
}

/* Check that b has the offsets of a and the same span (if not `whole`: at most that span). */
static void expect_same(const char *a, const char *b, bool whole)
{
    tsr_layout *const x = layout_of(a), *const y = layout_of(b);
    tsr_layout_difference slow;
    compare_slowly(&slow, x, y);
    if (slow.verdict != TSR_LAYOUT_SAME || y->span > x->span || (whole && y->span < x->span))
        fail_msg("%s is not %s", a, b);
    tsr_layout_free(x);
    tsr_layout_free(y);
    check_verdict(a, b);
}

/* The offset map gives the offset. */
static void check_map(const char *text)
{
    tsr_layout *const layout = layout_of(text);
    int64_t coord[TSR_MAP_MAX_VARS] = {0}, offset, mapped;
    if (!is_empty(layout)) {
        do {
            assert_ok(tsr_layout_offset(&offset, layout, coord, err));
            assert_ok(tsr_map_eval(&mapped, layout->offset, coord, err));
            if (offset != mapped || offset < 0 || offset >= layout->span)
                fail_msg("%s: offset %lld, by its map %lld, of %lld", text, (long long)offset,
                         (long long)mapped, (long long)layout->span);
        } while (next_coord(coord, layout));
    }
    tsr_layout_free(layout);
}

/* A TLA layout known only by its map is found again. */
static void check_probing(const char *text)
{
    tsr_layout *const layout = layout_of(text);
    tsr_arena arena = {0};
    tsr_text map = {0};
    tsr_tla tla;
    tsr_map_print(&map, layout->offset);
    tsr_layout *const by_map = layout_of(tsr_text_cstr(&map));
    assert_ok(tsr_layout_to_tla(&tla, &arena, by_map, err));
    expect_same(text, tla_text(&tla), false);
    tsr_text_clear(&map);
    tsr_layout_free(by_map);
    tsr_layout_free(layout);
    tsr_arena_clear(&arena);
}

static void test_xla(void **state)
{
    (void)state;
    tsr_rng rng = {20261};
    int nconverted = 0;
    for (int i = 0; i < 600; i++) {
        tsr_xla *const a = xla_random(&rng);
        tsr_xla *b = NULL;
        tsr_arena arena = {0};
        tsr_tla tla;
        char text[512];
        snprintf(text, sizeof text, "%s", xla_text(a));
        check_map(text);
        if (tsr_xla_to_tla(&tla, &arena, a, NULL) == TSR_OK) {
            nconverted++;
            expect_same(text, tla_text(&tla), false); /* padding after the last element is lost */
        }
        /* The same dims with other tiles: mostly different, with a first difference. */
        tsr_xla *const other = xla_random(&rng);
        if (tsr_xla_retile(&b, a, other->ntiles, other->tiles, NULL) == TSR_OK)
            check_verdict(text, xla_text(b));
        check_verdict(text, xla_text(other));
        tsr_xla_free(b);
        tsr_xla_free(other);
        tsr_xla_free(a);
        tsr_arena_clear(&arena);
    }
    assert_true(nconverted > 100);
}

static void test_tla(void **state)
{
    (void)state;
    tsr_rng rng = {72};
    int nconverted = 0;
    for (int i = 0; i < 600; i++) {
        tsr_arena arena = {0};
        const tsr_tla a = tla_random(&arena, &rng, (tla_kind)(i % 3));
        const tsr_tla b = tla_random(&arena, &rng, TLA_COMPACT);
        tsr_xla *xla = NULL;
        char text[512];
        snprintf(text, sizeof text, "%s", tla_text(&a));
        check_map(text);
        check_verdict(text, tla_text(&b));
        check_probing(text);
        if (tsr_tla_to_xla(&xla, &a, NULL, NULL) == TSR_OK) {
            nconverted++;
            expect_same(text, xla_text(xla), true);
        }
        tsr_xla_free(xla);
        tsr_arena_clear(&arena);
    }
    assert_true(nconverted > 100);
}

/* ---- failing allocations ---- */

static tsr_status use_all(void)
{
    static const char *const texts[] = {
        "f32[3,5]{1,0:T(2,2)}", "((2,2),(2,3)):((2,12),(1,4))@(3,5)",
        "(i, j) -> (i floordiv 2, j floordiv 2, i mod 2, j mod 2), domain: i in [0, 2], j in [0, 4]"};
    tsr_layout *layout[3] = {NULL, NULL, NULL};
    tsr_layout_difference difference;
    tsr_arena arena = {0};
    tsr_text text = {0};
    tsr_xla *xla = NULL;
    tsr_tla tla;
    int64_t coord[TSR_MAP_MAX_VARS];
    bool padding;
    tsr_error error, *const err = &error;
    tsr_status status = TSR_OK;
    for (int i = 0; i < 3; i++) {
        TSR_TRY_OUT(tsr_layout_parse(&layout[i], texts[i], NULL, err));
        TSR_TRY_OUT(tsr_layout_print_format(&text, layout[i], err));
        for (int64_t offset = 0; offset < 4; offset++)
            TSR_TRY_OUT(tsr_layout_element(coord, &padding, layout[i], offset, err));
    }
    TSR_TRY_OUT(tsr_layout_same(&difference, layout[0], layout[1], err));
    TSR_TRY_OUT(tsr_layout_same(&difference, layout[1], layout[2], err));
    TSR_TRY_OUT(tsr_xla_to_tla(&tla, &arena, layout[0]->xla, err));
    TSR_TRY_OUT(tsr_tla_to_xla(&xla, &tla, "f32", err));
out:
    for (int i = 0; i < 3; i++)
        tsr_layout_free(layout[i]);
    tsr_xla_free(xla);
    tsr_text_clear(&text);
    tsr_arena_clear(&arena);
    return status;
}

static void test_no_memory(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_xla),
        cmocka_unit_test(test_tla),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
