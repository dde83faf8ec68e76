/* Samples: misses against a cache that is simulated on all entries; which entries a sample has. */
#include "tsr_test.h"

#include <math.h>

#include "tsr_alloc.h"
#include "tsr_sample.h"

enum { NNZ = 1000000, LINE = 8 };

/* ---- seven patterns of a million entries, row by row ---- */

typedef uint64_t column_fn(uint64_t row, int k, tsr_rng *rng);

static uint64_t uniform(uint64_t row, int k, tsr_rng *rng)
{
    (void)row, (void)k;
    return tsr_rng_below(rng, 250000);
}

static uint64_t power_law(uint64_t row, int k, tsr_rng *rng)
{
    (void)row, (void)k;
    return (uint64_t)(250000 * pow(tsr_rng_unit(rng), 5)) * 48271 % 250000; /* skew 0.8 */
}

static uint64_t band(uint64_t row, int k, tsr_rng *rng)
{
    (void)rng;
    return row + (uint64_t)k;
}

static uint64_t five_points(uint64_t row, int k, tsr_rng *rng)
{
    static const uint64_t offset[] = {0, 499, 500, 501, 1000};
    (void)rng;
    return row + offset[k];
}

static uint64_t near_diagonal(uint64_t row, int k, tsr_rng *rng)
{
    (void)k;
    return row + tsr_rng_below(rng, 120000);
}

static uint64_t half_blocks(uint64_t row, int k, tsr_rng *rng)
{
    return k < 4 ? row / 4 * 4 + (uint64_t)k : tsr_rng_below(rng, 250000);
}

static uint64_t shuffled(uint64_t row, int k, tsr_rng *rng)
{
    return five_points(row * 76543 % 200000, k, rng);
}

static const struct {
    const char *name;
    column_fn *column;
    int per_row;
    uint64_t ncols;
    bool is_sequential; /* the misses: line after line, else here and there */
} patterns[] = {
    {"uniform", uniform, 4, 250000, false},
    {"power law", power_law, 4, 250000, false},
    {"band", band, 7, 142900, true},
    {"five points", five_points, 5, 201000, true},
    {"near the diagonal", near_diagonal, 4, 370000, false},
    {"blocks and others", half_blocks, 8, 250000, false},
    {"five points, shuffled rows", shuffled, 5, 201000, false},
};

static tsr_coo *make(int p)
{
    tsr_coo *coo;
    tsr_rng rng = {11};
    const uint64_t per_row = (uint64_t)patterns[p].per_row, nrows = NNZ / per_row;
    const uint64_t dims[] = {nrows, patterns[p].ncols};
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_PATTERN, true, nrows * per_row, err));
    for (uint64_t e = 0; e < coo->nnz; e++) {
        tsr_array_set(&coo->crd[0], e, e / per_row);
        tsr_array_set(&coo->crd[1], e, patterns[p].column(e / per_row, (int)(e % per_row), &rng));
    }
    return coo;
}

/* ---- the oracle: a list of the lines in the cache, the last used first ---- */

static const uint32_t NONE = UINT32_MAX;

typedef struct cache {
    uint64_t room, nheld;
    uint32_t first, last, *before, *after;
    bool *held;
} cache;

/* Use the line; return whether the cache lacked it. */
static bool use_line(cache *c, uint32_t line)
{
    const bool lacked = !c->held[line];
    if (!lacked && line == c->first)
        return false;
    if (!lacked) { /* take it out of the list */
        c->after[c->before[line]] = c->after[line];
        if (line == c->last)
            c->last = c->before[line];
        else
            c->before[c->after[line]] = c->before[line];
    } else if (c->nheld == c->room) {
        c->held[c->last] = false;
        c->last = c->before[c->last];
    } else
        c->nheld++;
    c->held[line] = true;
    c->after[line] = c->first;
    if (c->first != NONE)
        c->before[c->first] = line;
    else
        c->last = line;
    c->first = line;
    return lacked;
}

/* Misses of the lines of mode 1 for each entry, while stream_nbytes of other data come with each entry, which are not used again. */
static double simulate(const tsr_coo *coo, uint64_t nbytes, uint64_t stream_nbytes)
{
    const uint32_t nlines = (uint32_t)(coo->dims[1] / LINE + 1),
                   all = nlines + (uint32_t)(coo->nnz * stream_nbytes / 64 + 1);
    cache c = {nbytes / 64,
               0,
               NONE,
               NONE,
               malloc(all * sizeof(uint32_t)),
               malloc(all * sizeof(uint32_t)),
               calloc(all, sizeof(bool))};
    uint64_t nmisses = 0;
    for (uint64_t e = 0; e < coo->nnz; e++) {
        nmisses += use_line(&c, (uint32_t)(tsr_array_get(&coo->crd[1], e) / LINE));
        for (uint64_t line = e * stream_nbytes / 64; line < (e + 1) * stream_nbytes / 64; line++)
            (void)use_line(&c, nlines + (uint32_t)line);
    }
    free(c.before);
    free(c.after);
    free(c.held);
    return (double)nmisses / (double)coo->nnz;
}

static const tsr_unit_kind lines_of_mode_1 = {.nmodes = 1, .mode = {1}, .per_unit = LINE};

static void misses_are_those_of_a_cache(void **state)
{
    const double capacity[] = {512 << 10, 1 << 20};
    (void)state;
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        tsr_coo *const coo = make((int)p);
        tsr_samples samples;
        tsr_reuse reuse;
        tsr_units units;
        assert_ok(tsr_samples_init(&samples, NULL, coo, &(tsr_sample_options){.nthreads = 2}, err));
        const tsr_sample *const sample = tsr_samples_find(&samples, TSR_SAMPLE_SLICES, 1);
        assert_true(sample->n < NNZ / 32);
        assert_ok(tsr_units_init(&units, sample, &lines_of_mode_1, err));
        for (int k = 0; k < 4; k++) {
            const double room = capacity[k / 2];
            const uint64_t stream = k % 2 ? 16 : 0;
            const tsr_reuse_query query = {2, {32 << 10, room}, &units, 64, (double)stream, NULL};
            assert_ok(tsr_sample_reuse(&reuse, sample, NULL, 1, &query, err));
            const double misses = reuse.misses[1], sequential = reuse.sequential[1] / misses;
            const double exact = simulate(coo, (uint64_t)room, stream);
            if (getenv("SHOW"))
                print_message("%s %g, %d bytes stream: %.3f exact %.3f, sequential %.3f\n", patterns[p].name,
                              room, (int)stream, misses, exact, sequential);
            if (fabs(misses - exact) > 0.03) {
                print_error("%s, %.0f bytes, %d stream: %.3f misses, a cache has %.3f\n", patterns[p].name,
                            room, (int)stream, misses, exact);
                fail();
            }
            if (patterns[p].is_sequential ? sequential < 0.9 : sequential > 0.15) {
                print_error("%s, %.0f bytes: %.2f of the misses are sequential\n", patterns[p].name, room,
                            sequential);
                fail();
            }
        }
        tsr_units_clear(&units);
        tsr_samples_clear(&samples);
        tsr_coo_free(coo);
    }
}

/* ---- whole groups ---- */

static void groups_are_whole(void **state)
{
    const uint64_t dims[] = {3000, 500, 2000};
    tsr_coo *coo;
    tsr_rng rng = {5};
    (void)state;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){3, dims}, TSR_PATTERN, true, 100000, err));
    for (int m = 0; m < 3; m++)
        for (uint64_t e = 0; e < coo->nnz; e++)
            tsr_array_set(&coo->crd[m], e, tsr_rng_below(&rng, dims[m]));
    tsr_samples samples;
    assert_ok(tsr_samples_init(&samples, NULL, coo, &(tsr_sample_options){.nnz = 10000}, err));
    for (int m = 0; m < 3; m++) {
        const tsr_sample *const s = tsr_samples_find(&samples, TSR_SAMPLE_SLICES, m);
        bool *const in = calloc(dims[m] / TSR_SAMPLE_GROUP + 1, sizeof *in);
        uint64_t n = 0, ngroups = 0, at = 0;
        for (uint64_t i = 0; i < s->n; i++)
            in[s->crd[m][i] / TSR_SAMPLE_GROUP] = true;
        for (uint64_t e = 0; e < coo->nnz; e++) {
            if (!in[tsr_array_get(&coo->crd[m], e) / TSR_SAMPLE_GROUP])
                continue;
            n++;
            for (int k = 0; k < 3; k++) /* in the order of the entries */
                assert_int_equal((int64_t)s->crd[k][at], (int64_t)tsr_array_get(&coo->crd[k], e));
            at++;
        }
        for (uint64_t g = 0; g <= dims[m] / TSR_SAMPLE_GROUP; g++)
            ngroups += in[g];
        assert_int_equal((int64_t)n, (int64_t)s->n);
        assert_true(fabs(s->share - (double)ngroups / ceil((double)dims[m] / TSR_SAMPLE_GROUP)) < 1e-9);
        assert_true(s->n > 5000 && s->n < 40000);
        free(in);
    }
    tsr_samples_clear(&samples);
    tsr_coo_free(coo);
}

/* A slice with most of the entries is left out, and the others are still sampled. */
static void heavy_slices_are_left_out(void **state)
{
    const uint64_t dims[] = {100000, 100000};
    tsr_coo *coo;
    tsr_rng rng = {5};
    (void)state;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_PATTERN, true, 400000, err));
    for (uint64_t e = 0; e < coo->nnz; e++) {
        tsr_array_set(&coo->crd[0], e, e / 4);
        tsr_array_set(&coo->crd[1], e, e % 4 ? 77 : tsr_rng_below(&rng, dims[1]));
    }
    tsr_samples samples;
    assert_ok(tsr_samples_init(&samples, NULL, coo, &(tsr_sample_options){.nnz = 8000}, err));
    const tsr_sample *const s = tsr_samples_find(&samples, TSR_SAMPLE_SLICES, 1);
    assert_true(s->n > 4000 && s->n < 16000);
    for (uint64_t i = 0; i < s->n; i++)
        assert_true(s->crd[1][i] / TSR_SAMPLE_GROUP != 77 / TSR_SAMPLE_GROUP);
    assert_true(fabs(s->eligible - 100000) < 2000);
    tsr_samples_clear(&samples);
    tsr_coo_free(coo);
}

/* A group of a short mode was the sample: with all entries, which took seconds and as much memory as the tensor. */
static void short_modes_have_no_sample(void **state)
{
    const uint64_t dims[] = {100000, 20};
    tsr_coo *coo;
    tsr_rng rng = {7};
    (void)state;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_PATTERN, true, 500000, err));
    for (int m = 0; m < 2; m++)
        for (uint64_t e = 0; e < coo->nnz; e++)
            tsr_array_set(&coo->crd[m], e, tsr_rng_below(&rng, dims[m]));
    tsr_samples samples;
    assert_ok(tsr_samples_init(&samples, NULL, coo, &(tsr_sample_options){.nthreads = 2}, err));
    assert_true(tsr_samples_find(&samples, TSR_SAMPLE_SLICES, 1)->n == 0);
    for (int k = 0; k < samples.n; k++)
        assert_true(samples.of[k].n <= 2 * TSR_SAMPLE_NNZ);
    const tsr_sample *const long_one = tsr_samples_find(&samples, TSR_SAMPLE_SLICES, 0);
    assert_true(long_one->n >= 500000 / TSR_SAMPLE_PART);
    /* the rows of an operand of the short mode: a cache holds all 20, or a tenth of them */
    const tsr_unit_kind rows = {.nmodes = 1, .mode = {1}, .dims = {20}, .per_unit = 1};
    tsr_units units;
    tsr_reuse reuse;
    assert_false(tsr_units_are_whole(&rows, long_one));
    assert_ok(tsr_units_init(&units, long_one, &rows, err));
    assert_int_equal(units.n, 20);
    const tsr_reuse_query query = {2, {2 * 128, 1 << 20}, &units, 128, 0, NULL};
    assert_ok(tsr_sample_reuse(&reuse, long_one, NULL, 1, &query, err));
    assert_true(fabs(reuse.misses[0] - 0.9) < 0.02 && reuse.misses[1] < 0.01);
    tsr_units_clear(&units);
    tsr_samples_clear(&samples);
    tsr_coo_free(coo);
}

static void memory_runs_out(void **state)
{
    const uint64_t dims[] = {300, 200};
    tsr_coo *coo;
    (void)state;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_PATTERN, true, 3000, err));
    for (uint64_t e = 0; e < coo->nnz; e++) {
        tsr_array_set(&coo->crd[0], e, e / 10);
        tsr_array_set(&coo->crd[1], e, e * 7 % 200);
    }
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_samples samples;
        tsr_reuse reuse;
        tsr_units units = {0};
        const tsr_reuse_query query = {1, {4096}, &units, 64, 0, NULL};
        tsr_faults_arm(&faults);
        tsr_status status = tsr_samples_init(&samples, NULL, coo, &(tsr_sample_options){.nthreads = 1}, NULL);
        if (status == TSR_OK)
            status = tsr_units_init(&units, &samples.of[1], &lines_of_mode_1, NULL);
        if (status == TSR_OK)
            status = tsr_sample_reuse(&reuse, &samples.of[1], NULL, 2, &query, NULL);
        tsr_faults_end(&faults, status);
        tsr_units_clear(&units);
        tsr_samples_clear(&samples);
    }
    tsr_coo_free(coo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misses_are_those_of_a_cache),
        cmocka_unit_test(groups_are_whole),
        cmocka_unit_test(heavy_slices_are_left_out),
        cmocka_unit_test(short_modes_have_no_sample),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
