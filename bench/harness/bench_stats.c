/* Statistics: see bench_stats.h. */
#include "bench_stats.h"
#include "bench_random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_CALM = 3 }; /* with fewer undisturbed samples all samples are used */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The quantile p of sorted samples. */
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

/* ---- the least time ---- */

/* The least of the undisturbed samples from..to - 1, which are appended to calm; infinity if there are
 * none. */
static double least_of(double *calm, size_t *n, const bench_samples *samples, size_t from, size_t to)
{
    double least = INFINITY;
    for (size_t i = from; i < to; i++)
        if (!samples->disturbed || !samples->disturbed[i]) {
            calm[(*n)++] = samples->ns[i];
            least = fmin(least, samples->ns[i]);
        }
    return least;
}

bench_least bench_least_of(const bench_samples *samples)
{
    const bench_passes one = {.n = 1, .nsamples = {(uint32_t)samples->n}};
    const bench_passes *const passes = samples->passes ? samples->passes : &one;
    double leasts[BENCH_MAX_PASSES + 3], calm[BENCH_MAX_SAMPLES];
    size_t n = 0, nleasts = 0, at = 0, whole = 0;
    for (uint32_t p = 0; p < passes->n; p++)
        whole += passes->nsamples[p] > 0;
    const size_t parts = whole == 1 ? 3 : whole == 2 ? 2 : 1;
    for (uint32_t p = 0; p < passes->n; p++) {
        const size_t np = passes->nsamples[p];
        for (size_t k = 0; k < parts && np; k++) {
            leasts[nleasts] = least_of(calm, &n, samples, at + np * k / parts, at + np * (k + 1) / parts);
            nleasts += isfinite(leasts[nleasts]) ? 1 : 0;
        }
        at += np;
    }
    if (n == 0) {
        memcpy(calm, samples->ns, samples->n * sizeof *calm);
        const bench_stats all = bench_stats_of(calm, samples->n);
        return (bench_least){.ns = all.min, .q1 = all.q1, .apart = INFINITY};
    }
    qsort(leasts, nleasts, sizeof *leasts, compare);
    const double next = nleasts < 2 ? INFINITY : nleasts < 4 ? leasts[1] : (leasts[1] + leasts[2]) / 2;
    return (bench_least){n, leasts[0], bench_stats_of(calm, n).q1, next / leasts[0] - 1};
}

bench_stats bench_calm_stats_of(const bench_samples *samples)
{
    double calm[BENCH_MAX_SAMPLES];
    size_t n = 0;
    (void)least_of(calm, &n, samples, 0, samples->n);
    if (n < MIN_CALM) {
        memcpy(calm, samples->ns, samples->n * sizeof *calm);
        n = samples->n;
    }
    return bench_stats_of(calm, n);
}

/* ---- bootstrap ---- */

/* Samples sorted once; a resample is the number of times that each of them was drawn, so its median is found
 * by one walk. */
typedef struct drawn {
    size_t n;
    double sorted[BENCH_MAX_SAMPLES];
    uint16_t rank[BENCH_MAX_SAMPLES];   /* sample k is sorted[rank[k]] */
    uint32_t times[BENCH_MAX_SAMPLES];  /* how often sorted[i] was drawn */
    size_t ndrawn;                      /* their sum */
    size_t npasses;                     /* number of passes that have samples */
    size_t start[BENCH_MAX_PASSES + 1]; /* samples of pass p: start[p] to start[p + 1] */
} drawn;

static void sort_samples(drawn *d, const bench_samples *samples)
{
    const size_t n = samples->n;
    d->n = n;
    memcpy(d->sorted, samples->ns, n * sizeof *d->sorted);
    qsort(d->sorted, n, sizeof *d->sorted, compare);
    for (size_t k = 0; k < n; k++) {
        /* the first of several equal samples: they have the same value, so they share a rank */
        size_t lo = 0, hi = n;
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

/* The sample with index `at` in the sorted resample. */
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

/* Uniform in [0, n). */
static size_t below(uint64_t *state, size_t n)
{
    return (size_t)((bench_random(state) >> 32) * n >> 32);
}

static void add_drawn(drawn *d, size_t k)
{
    d->times[d->rank[k]]++;
    d->ndrawn++;
}

/* Draw a resample of a, and from b (NULL: a alone) the same passes and rounds. */
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

/* The rounds in which neither side was disturbed. */
typedef struct calm_rounds {
    double a[BENCH_MAX_SAMPLES], b[BENCH_MAX_SAMPLES];
    size_t n;
    bench_passes passes;
} calm_rounds;

static bool is_disturbed(const bench_samples *samples, size_t k)
{
    return samples->disturbed && samples->disturbed[k];
}

static void take_rounds(calm_rounds *to, const bench_samples *a, const bench_samples *b)
{
    const bench_passes one = {.n = 1, .nsamples = {(uint32_t)a->n}};
    const bench_passes *const passes = a->passes ? a->passes : &one;
    size_t k = 0;
    to->n = 0;
    to->passes = (bench_passes){.n = passes->n};
    for (uint32_t p = 0; p < passes->n; p++)
        for (uint32_t i = 0; i < passes->nsamples[p]; i++, k++) {
            if (is_disturbed(a, k) || is_disturbed(b, k))
                continue;
            to->a[to->n] = a->ns[k];
            to->b[to->n++] = b->ns[k];
            to->passes.nsamples[p]++;
        }
}

static bench_ratio ratio_of(const bench_samples *a, const bench_samples *b, bool paired, double level,
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

bench_ratio bench_ratio_of(const bench_samples *a, const bench_samples *b, bool paired, double level,
                           uint64_t seed)
{
    calm_rounds calm;
    if (paired) {
        take_rounds(&calm, a, b);
        const bench_samples x = {.ns = calm.a, .n = calm.n, .passes = &calm.passes},
                            y = {.ns = calm.b, .n = calm.n, .passes = &calm.passes};
        if (calm.n >= MIN_CALM)
            return ratio_of(&x, &y, true, level, seed);
    }
    return ratio_of(a, b, paired, level, seed);
}

double bench_cost_ns(double ns, double reference_ns, const bench_ratio *speedup)
{
    if (speedup->lo > 1 || speedup->hi < 1)
        return ns;
    const double tied = fmax(ns, reference_ns);
    return isinf(speedup->hi) || !(speedup->lo > 0) ? tied : fmax(tied, reference_ns / speedup->lo);
}
