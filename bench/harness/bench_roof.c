/* Measures the limits of the machine: see bench_machine.h. The triad is that of the library (tsr_machine.h),
 * which tkern prints, too. */
#include <string.h>

#include "bench_fma.h"
#include "bench_random.h"
#include "bench_machine.h"
#include "bench_pin.h"
#include "tsr_alloc.h"
#include "tsr_machine.h"
#include "tsr_parallel.h"

enum {
    NRUNS = 5,
    GATHER_NBYTES = 128 << 20, /* size of x: 16 M doubles, larger than the caches */
    NGATHERS = 1 << 22,        /* gathers of each thread */
    FMA_ROUNDS = 1 << 19,
};

/* ---- gather ---- */

typedef struct gather {
    uint64_t n; /* elements of x, a power of 2 */
    double *x;
    uint32_t *at; /* NGATHERS indices into x */
    double sums[TSR_MAX_THREADS];
} gather;

/* Four sums, so that the additions do not limit the rate. */
static void gather_run(void *arg, int t, int nthreads)
{
    gather *const g = arg;
    const uint32_t *const at = g->at, flip = (uint32_t)(g->n / (uint64_t)nthreads * (uint64_t)t);
    const double *const x = g->x;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (uint64_t i = 0; i < NGATHERS; i += 4) {
        s0 += x[at[i] ^ flip];
        s1 += x[at[i + 1] ^ flip];
        s2 += x[at[i + 2] ^ flip];
        s3 += x[at[i + 3] ^ flip];
    }
    g->sums[t] = s0 + s1 + s2 + s3;
}

static tsr_status gather_init(gather *g)
{
    memset(g, 0, sizeof *g);
    g->n = GATHER_NBYTES / sizeof *g->x;
    g->x = tsr_malloc(GATHER_NBYTES);
    g->at = tsr_malloc(NGATHERS * sizeof *g->at);
    if (!g->x || !g->at)
        return TSR_NOMEM;
    uint64_t state = 1;
    for (uint64_t i = 0; i < g->n; i++)
        g->x[i] = 1;
    for (uint64_t i = 0; i < NGATHERS; i++)
        g->at[i] = (uint32_t)((bench_random(&state) >> 33) & (g->n - 1));
    return TSR_OK;
}

static double gather_rate(gather *g, int nthreads)
{
    double best = 0;
    for (int r = 0; r < NRUNS; r++) {
        const uint64_t start = tsr_now_ns();
        tsr_parallel(nthreads, gather_run, g);
        const double seconds = 1e-9 * (double)(tsr_now_ns() - start);
        double sum = 0;
        for (int t = 0; t < nthreads; t++)
            sum += g->sums[t];
        /* all elements of x are 1: the sum counts the elements */
        const double rate = seconds > 0 ? sum / seconds : 0;
        best = rate > best ? rate : best;
    }
    return best;
}

/* ---- multiply-adds ---- */

typedef struct fma_work {
    int f32;
    double flops[TSR_MAX_THREADS], sink[TSR_MAX_THREADS];
} fma_work;

static void fma_run(void *arg, int t, int nthreads)
{
    fma_work *const w = arg;
    float sink = 0;
    (void)nthreads;
    w->flops[t] = w->f32 ? bench_fma_f32(FMA_ROUNDS, &sink) : bench_fma_f64(FMA_ROUNDS, &w->sink[t]);
    w->sink[t] += (double)sink;
}

static double fma_rate(int nthreads, int f32)
{
    double best = 0;
    for (int r = 0; r < NRUNS; r++) {
        fma_work w = {.f32 = f32};
        double flops = 0;
        const uint64_t start = tsr_now_ns();
        tsr_parallel(nthreads, fma_run, &w);
        const double seconds = 1e-9 * (double)(tsr_now_ns() - start);
        for (int t = 0; t < nthreads; t++)
            flops += w.flops[t];
        const double rate = seconds > 0 ? flops / seconds : 0;
        best = rate > best ? rate : best;
    }
    return best;
}

/* ---- the roof ---- */

void bench_roof_measure(bench_roof *roofs, const uint64_t *threads, int n)
{
    bench_cpus cpus;
    gather g;
    bench_cpus_init(&cpus);
    const tsr_status status = gather_init(&g);
    for (int i = 0; i < n; i++) {
        const int nthreads = tsr_thread_count((int)threads[i]);
        bench_pin(&cpus, nthreads);
        roofs[i] = (bench_roof){
            .nthreads = nthreads,
            .triad = tsr_measure_bandwidth(nthreads),
            .gather = status == TSR_OK ? gather_rate(&g, nthreads) : 0,
            .fma_f64 = fma_rate(nthreads, 0),
            .fma_f32 = fma_rate(nthreads, 1),
        };
        bench_unpin(&cpus);
    }
    tsr_free(g.x);
    tsr_free(g.at);
}

double bench_roof_ns(const bench_roof *roof, double nbytes, double flops, int value_nbytes)
{
    const double peak = value_nbytes <= 4 ? roof->fma_f32 : roof->fma_f64;
    const double memory = roof->triad > 0 ? 1e9 * nbytes / roof->triad : 0;
    const double work = peak > 0 ? 1e9 * flops / peak : 0;
    return memory > work ? memory : work;
}
