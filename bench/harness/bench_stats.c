/* Statistics: see bench_stats.h. */
#include "bench_stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

double bench_spread(const bench_stats *stats)
{
    return stats->median > 0 ? (stats->q3 - stats->q1) / stats->median : 0;
}

/* ---- bootstrap ---- */

/* Samples sorted once; a resample is how often each of them was drawn, so its median is found by one walk. */
typedef struct drawn {
    size_t n;
    double sorted[BENCH_MAX_SAMPLES];
    uint16_t rank[BENCH_MAX_SAMPLES]; /* sample k is sorted[rank[k]] */
    uint16_t times[BENCH_MAX_SAMPLES];
} drawn;

static void sort_samples(drawn *d, const double *samples, size_t n)
{
    d->n = n;
    memcpy(d->sorted, samples, n * sizeof *samples);
    qsort(d->sorted, n, sizeof *d->sorted, compare);
    for (size_t k = 0; k < n; k++) {
        size_t lo = 0, hi = n; /* the first of its equals: they share a value, so also a rank */
        while (lo < hi) {
            const size_t mid = (lo + hi) / 2;
            if (d->sorted[mid] < samples[k])
                lo = mid + 1;
            else
                hi = mid;
        }
        d->rank[k] = (uint16_t)lo;
    }
}

/* The sample at place `at` of the sorted resample. */
static double drawn_at(const drawn *d, size_t at)
{
    size_t seen = 0, i = 0;
    while (i + 1 < d->n && (seen += d->times[i]) <= at)
        i++;
    return d->sorted[i];
}

static double drawn_median(const drawn *d)
{
    const double hi = drawn_at(d, d->n / 2);
    return d->n % 2 ? hi : (drawn_at(d, d->n / 2 - 1) + hi) / 2;
}

/* Uniform in [0, n): splitmix64 (S. Vigna), the same on every machine. */
static size_t below(uint64_t *state, size_t n)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (size_t)(((z ^ z >> 31) >> 32) * n >> 32);
}

static void draw(drawn *d, uint64_t *state)
{
    memset(d->times, 0, d->n * sizeof *d->times);
    for (size_t k = 0; k < d->n; k++)
        d->times[d->rank[below(state, d->n)]]++;
}

static void draw_pairs(drawn *a, drawn *b, uint64_t *state)
{
    memset(a->times, 0, a->n * sizeof *a->times);
    memset(b->times, 0, b->n * sizeof *b->times);
    for (size_t i = 0; i < a->n; i++) {
        const size_t k = below(state, a->n);
        a->times[a->rank[k]]++;
        b->times[b->rank[k]]++;
    }
}

bench_ratio bench_ratio_of(const double *a, size_t na, const double *b, size_t nb, bool paired, double level,
                           uint64_t seed)
{
    drawn x, y;
    double ratios[BENCH_NRESAMPLES];
    sort_samples(&x, a, na);
    sort_samples(&y, b, nb);
    const double ratio = quantile(x.sorted, na, 0.5) / quantile(y.sorted, nb, 0.5);
    if (na < 3 || nb < 3)
        return (bench_ratio){ratio, 0, INFINITY};
    for (int r = 0; r < BENCH_NRESAMPLES; r++) {
        if (paired) {
            draw_pairs(&x, &y, &seed);
        } else {
            draw(&x, &seed);
            draw(&y, &seed);
        }
        ratios[r] = drawn_median(&x) / drawn_median(&y);
    }
    qsort(ratios, BENCH_NRESAMPLES, sizeof *ratios, compare);
    const double lo = quantile(ratios, BENCH_NRESAMPLES, (1 - level) / 2);
    const double hi = quantile(ratios, BENCH_NRESAMPLES, (1 + level) / 2);
    return (bench_ratio){ratio, lo < ratio ? lo : ratio, hi > ratio ? hi : ratio};
}
