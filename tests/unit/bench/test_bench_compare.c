/* Comparing records: an artificial slowdown is found, noise alone is not reported. */
#include <math.h>

#include "bench_compare.h"
#include "tsr_test.h"

enum { NROWS = 24, NSLOW = 4, NSEEDS = 20 };

/* The parameters of made-up records. */
typedef struct world {
    const char *name;
    int npasses, nreps;
    double drift;     /* passes are slower by up to this */
    int hit;          /* one pass of a row in `hit` is disturbed by something else; 0: none */
    double hit_by;    /* and is slower by up to this */
    double disturbed; /* this share of samples is disturbed, marked so, and up to five times as long */
    int least_found;  /* minimum of found slow rows in 100 */
    int least_told;   /* minimum of comparisons with slow rows, in 20, that report something */
} world;

static const world worlds[] = {
    {"one pass", 1, 20, 0, 0, 0, 0, 70, 20},
    {"three passes", 3, 7, 0.01, 0, 0, 0, 70, 20},
    {"passes that drift", 5, 7, 0.05, 0, 0, 0, 35, 17},
    {"passes that are hit", 5, 7, 0.01, 3, 0.5, 0, 40, 17},
    {"disturbed samples", 5, 7, 0.01, 8, 0.5, 0.5, 55, 18},
};

static double normal(tsr_rng *rng)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += tsr_rng_unit(rng);
    return sum;
}

/* Samples of a run of true time `ns`, as on a quiet machine: noise of 1.5%, twice that upwards; a drift of
 * 0.7% per step that neighbouring rounds share; one sample in twenty disturbed, up to twice as long; and 0.7%
 * by which this start of the program (placement of its memory) differs from others. (Measured on two virtual
 * processors: interquartile ranges of 1 to 3% on a quiet machine, and 1.4 to 2.6% between two starts.) The
 * parameters of the world are added to that. */
static void make_samples(double *samples, bool *disturbed, const world *w, double ns, tsr_rng *rng)
{
    const double start = 1 + 0.007 * normal(rng);
    for (int i = 0, p = 0; p < w->npasses; p++) {
        double drift = 0, pass = 1 + w->drift * fabs(normal(rng));
        if (w->hit && tsr_rng_below(rng, (uint64_t)w->hit) == 0)
            pass += w->hit_by * tsr_rng_unit(rng);
        for (int r = 0; r < w->nreps; r++, i++) {
            const double noise = 0.015 * normal(rng);
            drift = 0.7 * drift + 0.007 * normal(rng);
            samples[i] = ns * start * pass * (1 + drift) * (1 + (noise > 0 ? 2 * noise : noise));
            if (tsr_rng_below(rng, 20) == 0)
                samples[i] *= 1 + tsr_rng_unit(rng);
            disturbed[i] = tsr_rng_unit(rng) < w->disturbed;
            if (disturbed[i])
                samples[i] *= 1 + 4 * tsr_rng_unit(rng);
        }
    }
}

/* A record of NROWS kernels; `slow` of them take `factor` times as long. */
static void make_record(bench_record *record, const world *w, uint64_t seed, int slow, double factor)
{
    tsr_rng rng = {seed};
    bench_passes passes = {.n = (uint32_t)w->npasses};
    for (int p = 0; p < w->npasses; p++)
        passes.nsamples[p] = (uint32_t)w->nreps;
    memset(record, 0, sizeof *record);
    for (int i = 0; i < NROWS; i++) {
        double samples[BENCH_MAX_SAMPLES];
        bool disturbed[BENCH_MAX_SAMPLES];
        char name[32];
        snprintf(name, sizeof name, "tensor %d", i);
        make_samples(samples, disturbed, w, 1e6 * pow(1.5, i) * (i < slow ? factor : 1), &rng);
        const bench_row row = {.kernel = "spmv",
                               .candidate = "tessera",
                               .dataset = {.name = name},
                               .nthreads = 1,
                               .nsamples = (uint32_t)(w->npasses * w->nreps),
                               .samples_ns = samples,
                               .disturbed = disturbed,
                               .passes = passes};
        assert_ok(bench_record_add(record, &row, err));
    }
}

/* Count the first `slow` rows that are reported as slower, and the rows that are reported wrongly. */
static void count(int *found, int *alarms, const world *w, uint64_t seed, int slow, double factor)
{
    bench_record a, b;
    bench_comparison c;
    make_record(&a, w, 2 * seed + 1, 0, 1);
    make_record(&b, w, 2 * seed + 2, slow, factor);
    assert_ok(bench_compare(&c, &a, &b, 0.05, err));
    assert_int_equal(c.n, NROWS);
    for (uint32_t i = 0; i < c.n; i++) {
        int k;
        assert_int_equal(sscanf(c.changes[i].a->dataset.name, "tensor %d", &k), 1);
        const bench_verdict v = c.changes[i].verdict;
        *found += k < slow && v == BENCH_SLOWER;
        *alarms += v == BENCH_FASTER || (k >= slow && v == BENCH_SLOWER);
    }
    bench_comparison_clear(&c);
    bench_record_clear(&a);
    bench_record_clear(&b);
}

static int nseeds = NSEEDS; /* more seeds from the command line, for the rates in the manual */

static void test_noise_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        int found = 0, alarms = 0;
        for (int seed = 0; seed < nseeds; seed++)
            count(&found, &alarms, &worlds[i], (uint64_t)seed, 0, 1);
        print_message("%s, noise alone: %d false alarms in %d rows of %d comparisons\n", worlds[i].name,
                      alarms, NROWS * nseeds, nseeds);
        if (nseeds == NSEEDS)
            assert_int_equal(alarms, 0);
    }
}

static void test_planted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        int found = 0, alarms = 0, ncomparisons = 0;
        for (int seed = 0; seed < nseeds; seed++) {
            const int before = found;
            count(&found, &alarms, &worlds[i], 1000 + (uint64_t)seed, NSLOW, 1.1);
            ncomparisons += found > before;
        }
        print_message(
            "%s, 10%% slower: %d of %d rows found, in %d of %d comparisons; %d false alarms in %d others\n",
            worlds[i].name, found, NSLOW * nseeds, ncomparisons, nseeds, alarms, (NROWS - NSLOW) * nseeds);
        if (nseeds == NSEEDS)
            assert_true(found * 100 >= NSLOW * nseeds * worlds[i].least_found);
        if (nseeds == NSEEDS) {
            assert_true(ncomparisons >= worlds[i].least_told);
            assert_int_equal(alarms, 0);
        }
    }
}

static void test_faster(void **state)
{
    (void)state;
    bench_record a, b;
    bench_comparison c;
    make_record(&a, &worlds[0], 1, NROWS, 1.5);
    make_record(&b, &worlds[0], 2, 0, 1);
    assert_ok(bench_compare(&c, &a, &b, 0.05, err));
    assert_true(c.nfaster == NROWS && c.nslower == 0 && c.mean > 0.6 && c.mean < 0.75);
    bench_comparison_clear(&c);
    assert_ok(bench_compare(&c, &a, &b, 0.6, err)); /* below the threshold */
    assert_true(c.nfaster == 0 && c.nslower == 0);
    bench_comparison_clear(&c);
    bench_record_clear(&a);
    bench_record_clear(&b);
}

/* A slowdown of baselines that took turns with Tessera comes from the machine; without baselines in the same
 * case it does not count. */
static void test_drift(void **state)
{
    (void)state;
    static const struct {
        /* time of b over that of a, in thousandths; more: a second baseline, 0: none */
        double ours, other, more;
        const char *candidate;
        bench_verdict verdict; /* of the first */
    } rows[] = {
        {1200, 1000, 0, "tessera", BENCH_SLOWER},  {1200, 1180, 0, "tessera", BENCH_SAME},
        {1200, 1000, 1180, "tessera", BENCH_SAME}, {1500, 1180, 0, "tessera", BENCH_SLOWER},
        {1200, 700, 0, "tessera", BENCH_SLOWER},   {800, 1000, 0, "tessera", BENCH_FASTER},
        {800, 820, 0, "tessera", BENCH_SAME},      {800, 1200, 0, "tessera", BENCH_FASTER},
        {500, 820, 1000, "tessera", BENCH_FASTER}, {1200, 1180, 0, "unpack", BENCH_SLOWER},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double ratios[] = {rows[i].ours, rows[i].other, rows[i].more};
        const char *const names[] = {rows[i].candidate, "eigen", "taco"};
        bench_record a = {0}, b = {0};
        bench_comparison c;
        for (int r = 0; r < 3 && ratios[r] > 0; r++) {
            double samples[6];
            bench_row row = {
                .kernel = "spmv", .candidate = names[r], .nthreads = 1, .nsamples = 6, .samples_ns = samples};
            for (int k = 0; k < 6; k++)
                samples[k] = 1000;
            assert_ok(bench_record_add(&a, &row, err));
            for (int k = 0; k < 6; k++)
                samples[k] = ratios[r];
            assert_ok(bench_record_add(&b, &row, err));
        }
        assert_ok(bench_compare(&c, &a, &b, 0.05, err));
        for (uint32_t k = 0; k < c.n; k++)
            if (strcmp(c.changes[k].a->candidate, rows[i].candidate) == 0 &&
                c.changes[k].verdict != rows[i].verdict)
                fail_msg("row %zu: verdict %d", i, (int)c.changes[k].verdict);
        bench_comparison_clear(&c);
        bench_record_clear(&a);
        bench_record_clear(&b);
    }
}

/* Which rows are the same: everything that is measured must agree; equal rows are paired in order; rows that
 * did not run are left out, and rows with few samples are not judged. */
static void test_pairing(void **state)
{
    (void)state;
    static const double fast[] = {1, 1, 1, 1, 1}, slow[] = {2, 2, 2, 2, 2};
    bench_row row = {.kernel = "k", .candidate = "c", .nthreads = 1, .nsamples = 5, .samples_ns = fast};
    bench_record a = {0}, b = {0};
    bench_comparison c;
    assert_ok(bench_record_add(&a, &row, err));
    row.samples_ns = slow;
    assert_ok(bench_record_add(&a, &row, err)); /* alike: the second of two */
    assert_ok(bench_record_add(&b, &row, err));
    assert_ok(bench_record_add(&b, &row, err));
    row.nthreads = 2;
    assert_ok(bench_record_add(&b, &row, err)); /* only in b */
    row.nthreads = 3;
    row.nsamples = 4;
    assert_ok(bench_record_add(&a, &row, err)); /* few */
    assert_ok(bench_record_add(&b, &row, err));
    row.nthreads = 4;
    row.nsamples = 0;
    assert_ok(bench_record_add(&a, &row, err)); /* did not run */
    row.nthreads = 5;
    row.nsamples = 5;
    row.has_mode = true; /* mode 0 differs from no mode */
    assert_ok(bench_record_add(&a, &row, err));
    row.has_mode = false;
    assert_ok(bench_record_add(&b, &row, err));
    assert_ok(bench_compare(&c, &a, &b, 0.05, err));
    assert_int_equal(c.n, 3);
    assert_int_equal(c.only_a, 1);
    assert_int_equal(c.only_b, 2);
    assert_int_equal(c.changes[0].verdict, BENCH_SLOWER);
    assert_true(c.changes[0].ratio.ratio == 2);
    assert_int_equal(c.changes[1].verdict, BENCH_SAME);
    assert_int_equal(c.changes[2].verdict, BENCH_FEW);
    bench_comparison_clear(&c);
    bench_record_clear(&a);
    bench_record_clear(&b);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        nseeds = (int)strtol(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_noise_alone), cmocka_unit_test(test_planted), cmocka_unit_test(test_faster),
        cmocka_unit_test(test_drift),       cmocka_unit_test(test_pairing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
