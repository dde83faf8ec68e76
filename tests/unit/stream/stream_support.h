/* What the tests of stream share: random entries and formats, comparison with a packed tensor, a folder. */
#ifndef STREAM_SUPPORT_H
#define STREAM_SUPPORT_H

#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "coo_feed.h"
#include "random_format.h"
#include "tsr_stream.h"
#include "tsr_test.h"

/* A folder in memory where there is one: thousands of small files are made and removed. */
static const char *scratch(void)
{
    static char path[] = "/dev/shm/tessera-test-XXXXXX";
    static bool made;
    if (!made && !mkdtemp(path))
        return tsr_test_tmp();
    made = true;
    return path;
}

/* ---- entries ---- */

static void set_value(tsr_coo *coo, uint64_t e, tsr_rng *rng)
{
    unsigned char *const at = (unsigned char *)coo->values.data + e * coo->values.width;
    for (size_t i = 0; i < coo->values.width; i++)
        at[i] = (unsigned char)tsr_rng_below(rng, 4);
    if (coo->type == TSR_F64) {
        const double v = tsr_rng_unit(rng) - 0.5;
        memcpy(at, &v, sizeof v);
    } else if (coo->type == TSR_F32) {
        const float v = (float)tsr_rng_below(rng, 7);
        memcpy(at, &v, sizeof v);
    } else if (coo->type == TSR_PATTERN) {
        *at = 1;
    }
}

/* Entries in random order; the corner is among them, so that they determine the dims. */
static tsr_coo *random_coo(tsr_rng *rng, int order, const uint64_t *dims, tsr_type type, uint64_t n)
{
    tsr_coo *coo;
    const bool iso = type == TSR_PATTERN || tsr_rng_below(rng, 6) == 0;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, type, iso, n, err));
    for (uint64_t e = 0; e < n; e++) {
        for (int m = 0; m < order; m++)
            tsr_array_set(&coo->crd[m], e, e == n / 2 ? dims[m] - 1 : tsr_rng_below(rng, dims[m]));
        if (!iso)
            set_value(coo, e, rng);
    }
    if (iso)
        set_value(coo, 0, rng);
    return coo;
}

/* ---- cases ---- */

static const tsr_duplicates rules[] = {TSR_DUP_SUM, TSR_DUP_FIRST, TSR_DUP_LAST, TSR_DUP_KEEP, TSR_DUP_ERROR};

/* One case. All other choices of the case are drawn from rng. */
typedef void try_case(const tsr_coo *coo, const char *format, tsr_rng *rng);

/* Try n tensors with 1 to `most` entries, each in a random format. */
static void try_random_formats(try_case *try, uint64_t seed, int n, uint64_t most)
{
    static const tsr_type types[] = {TSR_F64, TSR_F64, TSR_I64, TSR_F32, TSR_I8, TSR_C128, TSR_PATTERN};
    tsr_rng rng = {.s = seed};
    for (int k = 0; k < n; k++) {
        char format[RANDOM_FORMAT_NBYTES];
        uint64_t dims[TSR_MAX_ORDER];
        const int order = 1 + (int)tsr_rng_below(&rng, 4);
        for (int m = 0; m < order; m++)
            dims[m] = 1 + tsr_rng_below(&rng, order < 3 ? 40 : 9);
        random_format(format, &rng, order, dims, false);
        const uint64_t nentries = 1 + tsr_rng_below(&rng, most);
        tsr_coo *const coo = random_coo(&rng, order, dims, types[tsr_rng_below(&rng, 7)], nentries);
        try(coo, format, &rng);
        tsr_coo_free(coo);
    }
}

/* Try every step-th format of level-layouts.json. Skips the test where the file is missing. */
static void try_level_layouts(try_case *try, uint64_t seed, size_t step)
{
    const char *const shared = tsr_test_shared();
    tsr_rng rng = {.s = seed};
    if (!shared)
        skip();
    json_t *const rows = json_load_file(tsr_test_path(shared, "cases/level-layouts.json"), 0, NULL);
    assert_true(json_array_size(rows) > 100);
    for (size_t k = 0; k < json_array_size(rows); k += step) {
        const json_t *const row = json_array_get(rows, k), *const sizes = json_object_get(row, "dims");
        uint64_t dims[TSR_MAX_ORDER];
        const int order = (int)json_array_size(sizes);
        for (int m = 0; m < order; m++)
            dims[m] = (uint64_t)json_integer_value(json_array_get(sizes, (size_t)m));
        tsr_coo *const coo = random_coo(&rng, order, dims, TSR_F64, 100);
        try(coo, json_string_value(json_object_get(row, "format")), &rng);
        tsr_coo_free(coo);
    }
    json_decref(rows);
}

/* ---- comparison ---- */

static void must_hold(tsr_parts *parts, tsr_part part, int level, const tsr_array *got, const tsr_array *want,
                      const char *what)
{
    if (!want->data && got->n == 0)
        return;
    if (got->n != want->n || got->width != want->width)
        fail_msg("%s: level %d, part %d: %d elements of %d bytes instead of %d of %d", what, level, (int)part,
                 (int)got->n, (int)got->width, (int)want->n, (int)want->width);
    char *const bytes = malloc(want->n * want->width + 1);
    for (uint64_t i = 0; i < want->n; i += 7) { /* pieces */
        const tsr_part_range range = {part, level, i, want->n - i < 7 ? want->n - i : 7};
        assert_ok(parts->load(bytes + i * want->width, parts, &range, err));
    }
    if (memcmp(bytes, want->data, want->n * want->width) != 0)
        fail_msg("%s: level %d, part %d differs", what, level, (int)part);
    free(bytes);
}

static void must_be_same(tsr_parts *parts, const tsr_tensor *want, const char *what)
{
    const tsr_tensor *const got = parts->tensor;
    assert_int_equal(got->nlevels, want->nlevels);
    assert_int_equal(got->npos, want->npos);
    assert_int_equal(got->iso, want->iso);
    assert_int_equal(got->type, want->type);
    assert_int_equal(got->has_fill, want->has_fill);
    assert_memory_equal(got->dims, want->dims, sizeof got->dims);
    for (int l = 0; l < want->nlevels; l++) {
        assert_int_equal(got->levels[l].nparents, want->levels[l].nparents);
        assert_int_equal(got->levels[l].npos, want->levels[l].npos);
        assert_int_equal(got->levels[l].size, want->levels[l].size);
        must_hold(parts, TSR_PART_POS, l, &got->levels[l].pos, &want->levels[l].pos, what);
        must_hold(parts, TSR_PART_CRD, l, &got->levels[l].crd, &want->levels[l].crd, what);
    }
    must_hold(parts, TSR_PART_VALUES, 0, &got->values, &want->values, what);
}

/* The entries of the parts are those of the tensor, in the same sequence. */
static void must_read_back(tsr_parts *parts, const tsr_tensor *want, const char *what)
{
    tsr_coo *coo;
    tsr_feed *feed;
    uint64_t at = 0;
    assert_ok(tsr_unpack(&coo, want, 1, err));
    assert_ok(tsr_feed_of_parts(&feed, parts, err));
    for (;;) {
        tsr_run run;
        assert_ok(tsr_feed_next(&run, feed, err));
        if (run.n == 0)
            break;
        assert_true(at + run.n <= coo->nnz);
        for (uint64_t i = 0; i < run.n; i++) {
            for (int m = 0; m < coo->order; m++)
                if (run.crd[m][i] != tsr_array_get(&coo->crd[m], at + i))
                    fail_msg("%s: entry %d is at another place", what, (int)(at + i));
            const size_t width = coo->values.width;
            if (memcmp((const char *)run.values + (feed->facts.iso ? 0 : i * width),
                       (const char *)coo->values.data + (coo->iso ? 0 : (at + i) * width), width) != 0)
                fail_msg("%s: entry %d has another value", what, (int)(at + i));
        }
        at += run.n;
    }
    assert_int_equal(at, coo->nnz);
    tsr_feed_close(feed);
    tsr_coo_free(coo);
}

#endif
