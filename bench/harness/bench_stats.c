/* Statistics: see bench_stats.h. */
#include "bench_stats.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The sample at fraction p of the sorted range. */
static double quantile(const double *sorted, size_t n, double p)
{
    const double at = p * (double)(n - 1);
    const size_t i = (size_t)at;
    return i + 1 < n ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[i];
}

bench_stats bench_stats_of(double *samples, size_t n)
{
    qsort(samples, n, sizeof *samples, compare);
    return (bench_stats){
        .n = n,
        .min = samples[0],
        .q1 = quantile(samples, n, 0.25),
        .median = quantile(samples, n, 0.5),
        .q3 = quantile(samples, n, 0.75),
        .max = samples[n - 1],
    };
}
