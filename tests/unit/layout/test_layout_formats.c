/* Layouts as storage formats: the positions of the format are the offsets of the layout, for random XLA and
 * TLA layouts; only layouts in which elements share an offset have no format. */
#include "tsr_layout.h"

#include "tla_random.h"
#include "tsr_tensor.h"
#include "xla_support.h"

static bool next_coord(int64_t *coord, const tsr_layout *layout)
{
    for (int d = layout->rank - 1; d >= 0; d--) {
        if (++coord[d] < layout->dims[d])
            return true;
        coord[d] = 0;
    }
    return false;
}

/* The format's position of the element at coord. */
static int64_t position_of(const tsr_binding *binding, const int64_t *coord)
{
    int64_t result[TSR_MAX_LEVELS], position = 0;
    assert_ok(tsr_map_eval(result, binding->forward, coord, err));
    for (int l = 0; l < binding->format->nlevels; l++) {
        assert_true(result[l] >= 0 && binding->base[l] == 0);
        position = position * (int64_t)binding->pitch[l] + result[l];
    }
    return position;
}

/* Check that the format of this layout has its offsets, and at least as many positions (whole: exactly as
 * many). False if there is no format. */
static bool check_format(const char *text, bool whole)
{
    tsr_layout *layout = NULL;
    tsr_text levels = {0};
    tsr_format *format = NULL;
    tsr_binding *binding = NULL;
    uint64_t dims[TSR_MAX_ORDER];
    int64_t coord[TSR_MAP_MAX_VARS] = {0}, offset, npos = 1;
    assert_ok(tsr_layout_parse(&layout, text, NULL, err));
    const tsr_status status = tsr_layout_print_format(&levels, layout, NULL);
    if (status == TSR_OK) {
        for (int d = 0; d < layout->rank; d++)
            dims[d] = (uint64_t)layout->dims[d];
        assert_ok(tsr_format_parse(&format, tsr_text_cstr(&levels), layout->rank, dims, err));
        assert_true(tsr_format_is_dense(format));
        assert_ok(tsr_binding_new(&binding, format, dims, err));
        do {
            assert_ok(tsr_layout_offset(&offset, layout, coord, err));
            if (position_of(binding, coord) != offset)
                fail_msg("%s: %s puts an element at %d instead of %d", text, tsr_text_cstr(&levels),
                         (int)position_of(binding, coord), (int)offset);
        } while (next_coord(coord, layout));
        for (int l = 0; l < format->nlevels; l++)
            npos *= (int64_t)binding->pitch[l];
        if (npos < layout->span || (whole && npos != layout->span))
            fail_msg("%s: %s has %d positions for %d", text, tsr_text_cstr(&levels), (int)npos,
                     (int)layout->span);
    } else {
        assert_int_equal(status, TSR_UNSUPPORTED);
    }
    tsr_binding_free(binding);
    tsr_format_free(format);
    tsr_text_clear(&levels);
    tsr_layout_free(layout);
    return status == TSR_OK;
}

static void test_xla(void **state)
{
    (void)state;
    tsr_rng rng = {31};
    int nrefused = 0;
    for (int i = 0; i < 1500; i++) {
        tsr_xla *xla = xla_random(&rng);
        const bool ok = check_format(xla_text(xla), true);
        if (!ok && !(strchr(xla_text(xla), '*') && strchr(xla_text(xla), 'L')))
            fail_msg("%s has no format", xla_text(xla));
        nrefused += !ok;
        tsr_xla_free(xla);
    }
    assert_true(nrefused < 5);
}

static void test_tla(void **state)
{
    (void)state;
    tsr_rng rng = {32};
    int nmissed = 0, nfound = 0;
    for (int i = 0; i < 1500; i++) {
        tsr_arena arena = {0};
        const tsr_tla tla = tla_random(&arena, &rng, (tla_kind)(i % 3));
        const bool ok = check_format(tla_text(&tla), i % 3 == TLA_COMPACT);
        if (ok ? !tla_is_injective(&tla) : i % 3 != TLA_ANY)
            fail_msg("%s has %s format", tla_text(&tla), ok ? "a" : "no");
        nmissed += !ok && tla_is_injective(&tla); /* such as (2,3):(3,2), whose digits cannot be told apart */
        nfound += ok;
        tsr_arena_clear(&arena);
    }
    assert_true(nfound > 1000 && nmissed < 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_xla),
        cmocka_unit_test(test_tla),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
