/* Statistics of a few samples. */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_MAX_SAMPLES = 1000, BENCH_MAX_PASSES = 32, BENCH_NRESAMPLES = 2000 };

typedef struct bench_stats {
    size_t n;
    double min, q1, median, q3, max;
} bench_stats;

/* Statistics of samples[0..n), n >= 1; sorts the samples in place. Quartiles interpolate linearly. */
bench_stats bench_stats_of(double *samples, size_t n);

/* How far the samples are spread: the interquartile range divided by the median; 0 if the median is 0. */
double bench_spread(const bench_stats *stats);

/* The passes in which samples were taken, one after the other. Everything is measured once in each pass, so
 * slow changes (placement of memory, other users of the machine) differ between passes. */
typedef struct bench_passes {
    uint32_t n;
    /* n entries, which may be 0; their sum is the number of samples of the row */
    uint32_t nsamples[BENCH_MAX_PASSES];
} bench_passes;

typedef struct bench_samples {
    const double *ns;           /* samples, each > 0 */
    size_t n;                   /* number of samples, 1 to BENCH_MAX_SAMPLES */
    const bool *disturbed;      /* n flags: disturbed by other processes; NULL: none is known to be */
    const bench_passes *passes; /* NULL: one pass */
} bench_samples;

#define BENCH_MAX_APART 0.1 /* a row with a larger bench_least.apart is marked noisy */

/* The value by which rows are compared. Disturbances only make a run slower, so the least sample is the most
 * stable value; it is reliable if another pass came near it. */
typedef struct bench_least {
    size_t n;  /* number of undisturbed samples; with fewer than three the fields below are unreliable */
    double ns; /* the least of them; of all samples if n = 0 */
    double q1; /* lower quartile of them */
    /* mean distance, relative to `ns`, of the least times of the next two passes (of the next one if there
     * are only three passes); one or two passes are split into three or two parts. Infinity: there is no
     * other pass */
    double apart;
} bench_least;

bench_least bench_least_of(const bench_samples *samples);

/* Statistics of the undisturbed samples if there are at least three, else of all samples. */
bench_stats bench_calm_stats_of(const bench_samples *samples);

/* The ratio of two medians, and its interval: lo <= ratio <= hi. */
typedef struct bench_ratio {
    double ratio, lo, hi;
} bench_ratio;

/* median(a) / median(b), with the percentile bootstrap interval of `level` (0.95) from BENCH_NRESAMPLES
 * resamples: passes are drawn, and then samples of each drawn pass; the same seed gives the same interval.
 * Paired: samples number k are from the same round, both sides have the same passes, and passes and rounds
 * are drawn for both at once, so that disturbances of both cancel; rounds in which either was disturbed are
 * left out if at least three remain. With fewer than three samples on a side: lo = 0, hi = infinity. B.
 * Efron, "Bootstrap methods", Annals of Statistics 7 (1979); A. C. Davison and D. V. Hinkley, "Bootstrap
 * methods and their application" (1997), section 3.8, for samples in groups. */
bench_ratio bench_ratio_of(const bench_samples *a, const bench_samples *b, bool paired, double level,
                           uint64_t seed);

/* The time of a run where costs are compared: ns, its median; if the samples cannot tell it from the reference (the interval of the
 * speed-up contains 1), as slow as the interval allows, so that a tie never costs less because of its runs. */
double bench_cost_ns(double ns, double reference_ns, const bench_ratio *speedup);

#endif
