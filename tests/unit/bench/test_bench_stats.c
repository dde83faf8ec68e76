/* Statistics of made-up samples with known answers. */
#include <math.h>

#include "bench_stats.h"
#include "tsr_test.h"

static void test_quartiles(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        double samples[6], min, q1, median, q3, max;
    } rows[] = {
        {1, {7}, 7, 7, 7, 7, 7},
        {2, {4, 2}, 2, 2.5, 3, 3.5, 4},
        {3, {3, 1, 2}, 1, 1.5, 2, 2.5, 3},
        {4, {4, 1, 3, 2}, 1, 1.75, 2.5, 3.25, 4},
        {5, {50, 10, 40, 20, 30}, 10, 20, 30, 40, 50},
        {6, {5, 5, 5, 5, 5, 100}, 5, 5, 5, 5, 100},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double samples[6];
        memcpy(samples, rows[i].samples, sizeof samples);
        const bench_stats s = bench_stats_of(samples, rows[i].n);
        assert_true(s.n == rows[i].n && s.min == rows[i].min && s.q1 == rows[i].q1);
        assert_true(s.median == rows[i].median && s.q3 == rows[i].q3 && s.max == rows[i].max);
    }
}

static void test_spread(void **state)
{
    (void)state;
    assert_true(bench_spread(&(bench_stats){.q1 = 90, .median = 100, .q3 = 120}) == 0.3);
    assert_true(bench_spread(&(bench_stats){0}) == 0);
}

/* The samples in an array. */
static const bench_samples *samples(bench_samples *out, const double *ns, size_t n)
{
    *out = (bench_samples){.ns = ns, .n = n};
    return out;
}
#define SAMPLES(ns, n) samples(&(bench_samples){0}, ns, n)

/* If there is only one value to draw, the interval is a point; the ratio is that of the medians. */
static void test_ratio_of_constants(void **state)
{
    (void)state;
    const double a[] = {30, 30, 30, 30}, b[] = {10, 10, 10};
    const bench_ratio r = bench_ratio_of(SAMPLES(a, 4), SAMPLES(b, 3), false, 0.95, 1);
    assert_true(r.ratio == 3 && r.lo == 3 && r.hi == 3);
}

/* Rounds that affect both sides alike cancel if they are drawn as pairs, and not otherwise. */
static void test_pairs_cancel_drift(void **state)
{
    (void)state;
    double a[9], b[9];
    for (int i = 0; i < 9; i++) {
        b[i] = pow(2, i);
        a[i] = 1.5 * b[i];
    }
    const bench_ratio paired = bench_ratio_of(SAMPLES(a, 9), SAMPLES(b, 9), true, 0.95, 1);
    assert_true(paired.ratio == 1.5 && paired.lo == 1.5 && paired.hi == 1.5);
    const bench_ratio apart = bench_ratio_of(SAMPLES(a, 9), SAMPLES(b, 9), false, 0.95, 1);
    assert_true(apart.ratio == 1.5 && apart.lo < 0.75 && apart.hi > 3);
}

/* All 27 resamples of {1, 2, 4} are equally likely: their median is 1 in 7, 2 in 13, 4 in 7 of them. So 60%
 * of them lie in [1, 4] with tails of 20% on either side, and 40% in [2, 2] with tails of 30%. */
static void test_known_distribution(void **state)
{
    (void)state;
    const double a[] = {4, 1, 2}, one[] = {1, 1, 1};
    bench_ratio r = bench_ratio_of(SAMPLES(a, 3), SAMPLES(one, 3), false, 0.6, 1);
    assert_true(r.ratio == 2 && r.lo == 1 && r.hi == 4);
    r = bench_ratio_of(SAMPLES(a, 3), SAMPLES(one, 3), false, 0.4, 1);
    assert_true(r.ratio == 2 && r.lo == 2 && r.hi == 2);
}

/* The same for three passes of equal samples, since passes are drawn: the median of a resample is that of its
 * passes. If samples were drawn one by one, nine of them would rarely leave [1, 4] at 99%, and never leave 2
 * at 40%. Empty passes do not count. */
static void test_passes(void **state)
{
    (void)state;
    const double a[] = {4, 4, 4, 1, 1, 1, 2, 2, 2}, one[] = {1, 1, 1};
    const bench_passes three = {.n = 5, .nsamples = {3, 0, 3, 3, 0}};
    const bench_samples x = {.ns = a, .n = 9, .passes = &three}, y = {.ns = one, .n = 3};
    bench_ratio r = bench_ratio_of(&x, &y, false, 0.6, 1);
    assert_true(r.ratio == 2 && r.lo == 1 && r.hi == 4);
    r = bench_ratio_of(&x, &y, false, 0.4, 1);
    assert_true(r.ratio == 2 && r.lo == 2 && r.hi == 2);
    const double b[] = {8, 8, 8, 2, 2, 2, 4, 4, 4};
    r = bench_ratio_of(&(bench_samples){.ns = b, .n = 9, .passes = &three}, &x, true, 0.95,
                       1); /* the drift of passes cancels */
    assert_true(r.ratio == 2 && r.lo == 2 && r.hi == 2);
}

/* Rounds in which a side was disturbed are not drawn, unless too few others are left. */
static void test_disturbed_rounds(void **state)
{
    (void)state;
    const double a[] = {2, 90, 2, 2, 2}, b[] = {1, 1, 1, 50, 1};
    static const struct {
        bool a[5], b[5];
        bool point; /* the interval is a point */
    } rows[] = {{{0, 1}, {0, 0, 0, 1}, true},
                {{0}, {0}, false},
                {{0, 1, 1}, {0, 0, 0, 1}, false}, /* only two are left: all are used */
                {{0, 1}, {0}, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bench_samples x = {.ns = a, .n = 5, .disturbed = rows[i].a},
                            y = {.ns = b, .n = 5, .disturbed = rows[i].b};
        const bench_ratio r = bench_ratio_of(&x, &y, true, 0.95, 1);
        assert_true(r.ratio == 2 && (r.lo == r.hi) == rows[i].point);
    }
    const bool two[] = {0, 1, 0, 0, 0}, most[] = {1, 0, 1, 1, 0};
    bench_stats s = bench_calm_stats_of(&(bench_samples){.ns = a, .n = 5, .disturbed = two});
    assert_true(s.n == 4 && s.max == 2);
    s = bench_calm_stats_of(&(bench_samples){.ns = a, .n = 5, .disturbed = most});
    assert_true(s.n == 5 && s.max == 90);
}

/* The least time, and the distance of the next passes. */
static void test_least(void **state)
{
    (void)state;
    static const struct {
        double ns[12];
        bool disturbed[12];
        bench_passes passes;
        size_t n, calm;
        double least, q1, apart;
    } rows[] = {
        /* one pass: thirds {8 9 7} {6 5 9} {4 9 8} */
        {{8, 9, 7, 6, 5, 9, 4, 9, 8}, {0}, {0}, 9, 9, 4, 6, 0.25},
        /* two: halves {8 4} {5 6} {3 8} {6 6}: 3, then 4 and 5 */
        {{8, 4, 5, 6, 3, 8, 6, 6}, {0}, {.n = 2, .nsamples = {4, 4}}, 8, 8, 3, 4.75, 0.5},
        /* three: the worst is ignored */
        {{4, 8, 5, 5, 99, 90}, {0}, {.n = 3, .nsamples = {2, 2, 2}}, 6, 6, 4, 5, 0.25},
        /* four: the next two; empty passes do not count */
        {{4, 8, 5, 5, 99, 90, 7}, {0}, {.n = 5, .nsamples = {2, 2, 0, 2, 1}}, 7, 7, 4, 5, 0.5},
        /* disturbed samples are ignored */
        {{2, 8, 1, 5, 1, 10}, {1, 0, 1, 0, 1, 0}, {.n = 3, .nsamples = {2, 2, 2}}, 6, 3, 5, 6.5, 0.6},
        /* one pass alone has no distance */
        {{4, 8, 1, 1, 1}, {0, 0, 1, 1, 1}, {.n = 3, .nsamples = {2, 2, 1}}, 5, 2, 4, 5, INFINITY},
        /* only disturbed samples: the least of all */
        {{4, 8, 3}, {1, 1, 1}, {.n = 1, .nsamples = {3}}, 3, 0, 3, 3.5, INFINITY},
        {{7}, {0}, {0}, 1, 1, 7, 7, INFINITY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bench_samples samples = {.ns = rows[i].ns,
                                       .n = rows[i].n,
                                       .disturbed = rows[i].disturbed,
                                       .passes = rows[i].passes.n ? &rows[i].passes : NULL};
        const bench_least l = bench_least_of(&samples);
        assert_true(l.n == rows[i].calm && l.ns == rows[i].least && l.q1 == rows[i].q1);
        assert_true(isinf(rows[i].apart) ? isinf(l.apart) : fabs(l.apart - rows[i].apart) < 1e-12);
    }
}

static void test_too_few(void **state)
{
    (void)state;
    const double a[] = {2, 4}, b[] = {1, 1, 1, 1};
    const bench_ratio r = bench_ratio_of(SAMPLES(a, 2), SAMPLES(b, 4), false, 0.95, 1);
    assert_true(r.ratio == 3 && r.lo == 0 && isinf(r.hi));
}

static double normal(tsr_rng *rng)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += tsr_rng_unit(rng);
    return sum;
}

/* The 95% interval of 20 against 20 normal samples contains the true ratio in about 95 of 100 trials. The
 * same seed gives the same interval, and equal samples are allowed. */
static void test_coverage(void **state)
{
    (void)state;
    tsr_rng rng = {3};
    int held = 0;
    enum { NTRIALS = 400, N = 20 };
    for (int trial = 0; trial < NTRIALS; trial++) {
        double a[N], b[N];
        for (int i = 0; i < N; i++) {
            a[i] = 1.2 * (1 + 0.05 * normal(&rng));
            b[i] = 1 + 0.05 * normal(&rng);
        }
        const bench_ratio r = bench_ratio_of(SAMPLES(a, N), SAMPLES(b, N), false, 0.95, (uint64_t)trial);
        const bench_ratio again = bench_ratio_of(SAMPLES(a, N), SAMPLES(b, N), false, 0.95, (uint64_t)trial);
        assert_true(r.lo == again.lo && r.hi == again.hi);
        held += r.lo <= 1.2 && 1.2 <= r.hi;
    }
    print_message("held in %d of %d trials\n", held, NTRIALS);
    assert_in_range(held, NTRIALS * 92 / 100, NTRIALS * 99 / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quartiles),
        cmocka_unit_test(test_spread),
        cmocka_unit_test(test_ratio_of_constants),
        cmocka_unit_test(test_pairs_cancel_drift),
        cmocka_unit_test(test_known_distribution),
        cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_least),
        cmocka_unit_test(test_disturbed_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
