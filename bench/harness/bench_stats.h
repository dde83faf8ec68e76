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

/* Of samples[0..n), n >= 1, which get sorted in place. Quartiles interpolate linearly. */
bench_stats bench_stats_of(double *samples, size_t n);

/* How wide the samples lie: the interquartile range in parts of the median; 0 where the median is 0. */
double bench_spread(const bench_stats *stats);

/* In how many passes samples were taken, one pass after the other: everything is measured once in each, so
 * what changes slowly (where memory lies, who else is on the machine) differs between them. */
typedef struct bench_passes {
    uint32_t n;
    uint32_t nsamples[BENCH_MAX_PASSES]; /* n entries, which may be 0; they sum up to those of the row */
} bench_passes;

typedef struct bench_samples {
    const double *ns;           /* above 0 */
    size_t n;                   /* 1 to BENCH_MAX_SAMPLES */
    const bool *disturbed;      /* n entries: by other processes; NULL: none is known to be */
    const bench_passes *passes; /* NULL: one */
} bench_samples;

#define BENCH_MAX_APART 0.1 /* bench_least.apart; a row above that is marked noisy */

/* What a row is compared by. What disturbs a run only ever makes it slower, so the least of its samples is
 * the steadiest thing to be had; and it is to be trusted as far as another pass came near it. */
typedef struct bench_least {
    size_t n;     /* samples that were not disturbed; of fewer than three nothing below is worth much */
    double ns;    /* their least; of all samples when n = 0 */
    double q1;    /* their lower quartile */
    double apart; /* how far above it, in parts of it, the leasts of the next two passes are in the mean (of
                     the next one where there are but three); with one or two passes each is cut into three or
                     two. Infinity: there is no other */
} bench_least;

bench_least bench_least_of(const bench_samples *samples);

/* Of the samples that were not disturbed, if those are three or more; else of all. */
bench_stats bench_calm_stats_of(const bench_samples *samples);

/* The ratio of two medians, and the interval in which it lies: lo <= ratio <= hi. */
typedef struct bench_ratio {
    double ratio, lo, hi;
} bench_ratio;

/* median(a) / median(b), with the percentile bootstrap interval of `level` (0.95) from BENCH_NRESAMPLES
 * resamples: passes are drawn, and samples from each that was; the same seed gives the same interval. Paired:
 * the k-th samples are from one round, both have the same passes, and passes and rounds are drawn for both,
 * so that what hit both alike cancels; rounds in which either was disturbed are left out, if three or more
 * are left. Fewer than three samples on a side tell nothing: lo = 0, hi = infinity. B. Efron, "Bootstrap
 * methods", Annals of Statistics 7 (1979); A. C. Davison and D. V. Hinkley, "Bootstrap methods and their
 * application" (1997), section 3.8, for samples in groups. */
bench_ratio bench_ratio_of(const bench_samples *a, const bench_samples *b, bool paired, double level,
                           uint64_t seed);

#endif
