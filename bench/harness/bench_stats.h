/* Statistics of a few samples. */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_MAX_SAMPLES = 1000, BENCH_NRESAMPLES = 2000 };

typedef struct bench_stats {
    size_t n;
    double min, q1, median, q3, max;
} bench_stats;

/* Of samples[0..n), n >= 1, which get sorted in place. Quartiles interpolate linearly. */
bench_stats bench_stats_of(double *samples, size_t n);

/* How wide the samples lie: the interquartile range in parts of the median; 0 where the median is 0. */
double bench_spread(const bench_stats *stats);

/* The ratio of two medians, and the interval in which it lies: lo <= ratio <= hi. */
typedef struct bench_ratio {
    double ratio, lo, hi;
} bench_ratio;

/* median(a) / median(b), samples > 0, 1 to BENCH_MAX_SAMPLES of each, with the percentile bootstrap interval
 * of `level` (0.95) from BENCH_NRESAMPLES resamples; the same seed gives the same interval. Paired: a[k] and
 * b[k] are from one round, na = nb, and rounds are drawn instead of samples, so that what hit both alike
 * cancels. Fewer than three samples on a side tell nothing: lo = 0, hi = infinity. B. Efron, "Bootstrap
 * methods", Annals of Statistics 7 (1979). */
bench_ratio bench_ratio_of(const double *a, size_t na, const double *b, size_t nb, bool paired, double level,
                           uint64_t seed);

#endif
