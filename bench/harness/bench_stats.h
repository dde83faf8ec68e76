/* Statistics of a few samples. */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#include <stddef.h>

typedef struct bench_stats {
    size_t n;
    double min, q1, median, q3, max;
} bench_stats;

/* Of samples[0..n), n >= 1, which get sorted in place. Quartiles interpolate linearly. */
bench_stats bench_stats_of(double *samples, size_t n);

#endif
