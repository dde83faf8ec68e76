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
    uint16_t rank[BENCH_MAX_SAMPLES];   /* sample k is sorted[rank[k]] */
    uint32_t times[BENCH_MAX_SAMPLES];  /* of sorted[i] */
    size_t ndrawn;                      /* their sum */
    size_t npasses;                     /* that have samples */
    size_t start[BENCH_MAX_PASSES + 1]; /* samples of the p-th: start[p] to start[p + 1] */
} drawn;

static void sort_samples(drawn *d, const bench_samples *samples)
{
    const size_t n = samples->n;
    d->n = n;
    memcpy(d->sorted, samples->ns, n * sizeof *d->sorted);
    qsort(d->sorted, n, sizeof *d->sorted, compare);
    for (size_t k = 0; k < n; k++) {
        size_t lo = 0, hi = n; /* the first of its equals: they share a value, so also a rank */
        while (lo < hi) {
            const size_t mid = (lo + hi) / 2;
            if (d->sorted[mid] < samples->ns[k])
                lo = mid + 1;
            else
                hi = mid;
        }
        d->rank[k] = (uint16_t)lo;
    }
}

static void find_passes(drawn *d, const bench_samples *samples)
{
    d->npasses = 0;
    d->start[0] = 0;
    for (uint32_t p = 0; samples->passes && p < samples->passes->n; p++)
        if (samples->passes->nsamples[p]) {
            d->start[d->npasses + 1] = d->start[d->npasses] + samples->passes->nsamples[p];
            d->npasses++;
        }
    if (d->npasses == 0)
        d->start[++d->npasses] = d->n;
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
    const double hi = drawn_at(d, d->ndrawn / 2);
    return d->ndrawn % 2 ? hi : (drawn_at(d, d->ndrawn / 2 - 1) + hi) / 2;
}

/* Uniform in [0, n): splitmix64 (S. Vigna), the same on every machine. */
static size_t below(uint64_t *state, size_t n)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (size_t)(((z ^ z >> 31) >> 32) * n >> 32);
}

static void add_drawn(drawn *d, size_t k)
{
    d->times[d->rank[k]]++;
    d->ndrawn++;
}

/* A resample of a, and of b (NULL: of a alone) the same passes and rounds. */
static void draw(drawn *a, drawn *b, uint64_t *state)
{
    memset(a->times, 0, a->n * sizeof *a->times);
    a->ndrawn = 0;
    if (b) {
        memset(b->times, 0, b->n * sizeof *b->times);
        b->ndrawn = 0;
    }
    for (size_t i = 0; i < a->npasses; i++) {
        const size_t p = a->npasses > 1 ? below(state, a->npasses) : 0;
        const size_t n = a->start[p + 1] - a->start[p];
        for (size_t j = 0; j < n; j++) {
            const size_t k = a->start[p] + below(state, n);
            add_drawn(a, k);
            if (b)
                add_drawn(b, k);
        }
    }
}

bench_ratio bench_ratio_of(const bench_samples *a, const bench_samples *b, bool paired, double level,
                           uint64_t seed)
{
    drawn x, y;
    double ratios[BENCH_NRESAMPLES];
    sort_samples(&x, a);
    sort_samples(&y, b);
    const double ratio = quantile(x.sorted, a->n, 0.5) / quantile(y.sorted, b->n, 0.5);
    if (a->n < 3 || b->n < 3)
        return (bench_ratio){ratio, 0, INFINITY};
    find_passes(&x, a);
    find_passes(&y, b);
    for (int r = 0; r < BENCH_NRESAMPLES; r++) {
        draw(&x, paired ? &y : NULL, &seed);
        if (!paired)
            draw(&y, NULL, &seed);
        ratios[r] = drawn_median(&x) / drawn_median(&y);
    }
    qsort(ratios, BENCH_NRESAMPLES, sizeof *ratios, compare);
    const double lo = quantile(ratios, BENCH_NRESAMPLES, (1 - level) / 2);
    const double hi = quantile(ratios, BENCH_NRESAMPLES, (1 + level) / 2);
    return (bench_ratio){ratio, lo < ratio ? lo : ratio, hi > ratio ? hi : ratio};
}
