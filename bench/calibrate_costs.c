/* What the parts of kernels cost on this machine: see calibrate_costs.h. Each part is a small loop as kernels have it, run
 * NTURNS times; the least time counts. */
#include "calibrate_costs.h"

#include <math.h>
#include <string.h>

#include "bench_random.h"
#include "tsr_alloc.h"
#include "tsr_machine.h"
#include "tsr_parallel.h"

enum {
    NTURNS = 3,
    NENTRIES = 1 << 20, /* of the loops over rows */
    ROW = 16,           /* entries of a row */
    NREPEATS = 2,
    LINE = 8, /* doubles of a line */
    STREAM_NBYTES = 96 << 20,
    MAX_TABLE = 128 << 20,
};

typedef struct work {
    uint32_t *at;  /* NENTRIES: where an entry reads */
    double *value; /* NENTRIES */
    double *table;
    uint64_t ntable;
    double *y;
    uint64_t state; /* of the random numbers */
    double sum;     /* of what was computed, so that it is not left out */
} work;

/* Let the entries read cells at random among the first n. */
static void scatter_indices(work *w, uint64_t n)
{
    for (int i = 0; i < NENTRIES; i++)
        w->at[i] = (uint32_t)((bench_random(&w->state) >> 24) % n);
}

/* Nanoseconds of y(i) = sum of value * table(at), for rows of `length` entries. */
static double run_rows(work *w, int length)
{
    double least = INFINITY;
    for (int turn = 0; turn < NTURNS; turn++) {
        const uint64_t start = tsr_now_ns();
        for (int row = 0; row < NENTRIES / length; row++) {
            double sum = 0;
            for (int k = row * length; k < (row + 1) * length; k++)
                sum += w->value[k] * w->table[w->at[k]];
            w->y[row] = sum;
        }
        least = fmin(least, (double)(tsr_now_ns() - start));
        w->sum += w->y[turn];
    }
    return least;
}

/* Picoseconds that a row takes longer because its length differs from that of the row before: rows of 4 or 8 entries, at random
 * beside in turns. */
static double break_cost(work *w)
{
    enum { NROWS = NENTRIES / 8 };
    double least[2] = {INFINITY, INFINITY};
    for (int turn = 0; turn < 2 * NTURNS; turn++) {
        uint64_t state = 1;
        int k = 0;
        const uint64_t start = tsr_now_ns();
        for (int row = 0; row < NROWS; row++) {
            const uint64_t random = bench_random(&state) >> 40;
            const int end = k + ((turn % 2 ? random & 1 : row & 1) ? 8 : 4);
            double sum = 0;
            for (; k < end; k++)
                sum += w->value[k] * w->table[w->at[k]];
            w->y[row] = sum;
        }
        least[turn % 2] = fmin(least[turn % 2], (double)(tsr_now_ns() - start));
        w->sum += w->y[turn];
    }
    return fmax(1000 * (least[1] - least[0]) / (NROWS / 2), 1);
}

/* Nanoseconds of table(at) += value. */
static double run_updates(work *w)
{
    double least = INFINITY;
    for (int turn = 0; turn < NTURNS; turn++) {
        const uint64_t start = tsr_now_ns();
        for (int k = 0; k < NENTRIES; k++)
            w->table[w->at[k]] += w->value[k];
        least = fmin(least, (double)(tsr_now_ns() - start));
        w->sum += w->table[w->at[0]];
    }
    return least;
}

/* Nanoseconds of adding a row of two lines, one of a few, for each entry. */
static double run_vectors(work *w)
{
    double least = INFINITY;
    for (int turn = 0; turn < NTURNS; turn++) {
        double sum[2 * LINE] = {0};
        const uint64_t start = tsr_now_ns();
        for (int k = 0; k < NENTRIES; k++) {
            const double *const row = &w->table[(size_t)w->at[k] * 2 * LINE];
            for (int r = 0; r < 2 * LINE; r++)
                sum[r] += w->value[k] * row[r];
        }
        least = fmin(least, (double)(tsr_now_ns() - start));
        w->sum += sum[turn];
    }
    return least;
}

typedef struct streaming {
    const double *x;
    uint64_t n;
    double sums[TSR_MAX_THREADS * LINE];
} streaming;

static void stream(void *arg, int t, int nthreads)
{
    streaming *const s = arg;
    double sum[LINE] = {0};
    for (uint64_t i = tsr_cut(s->n / LINE, t, nthreads) * LINE,
                  end = tsr_cut(s->n / LINE, t + 1, nthreads) * LINE;
         i < end; i += LINE)
        for (int k = 0; k < LINE; k++)
            sum[k] += s->x[i + (uint64_t)k];
    for (int k = 0; k < LINE; k++)
        s->sums[t * LINE + k] = sum[k];
}

/* Picoseconds of a line of `nbytes` that nthreads threads stream together. */
static double run_stream(work *w, double nbytes, int nthreads)
{
    double least = INFINITY;
    streaming s = {.x = w->table, .n = (uint64_t)nbytes / sizeof(double)};
    for (int turn = 0; turn < NTURNS; turn++) {
        const uint64_t start = tsr_now_ns();
        tsr_parallel(nthreads, stream, &s);
        least = fmin(least, (double)(tsr_now_ns() - start));
        w->sum += s.sums[turn];
    }
    return 1000 * least / (nbytes / 64);
}

/* Picoseconds of a line of the table that a cache of `held` bytes lacks, if an entry takes `entry` nanoseconds otherwise. */
static double line_cost(work *w, double nbytes, double held, double others)
{
    const uint64_t n = (uint64_t)(nbytes / sizeof(double));
    const double missed = 1 - held / nbytes;
    scatter_indices(w, n < w->ntable ? n : w->ntable);
    const double ps = 1000 * run_rows(w, ROW) / NENTRIES;
    return missed > 0 ? (ps - others) / missed : 0;
}

/* Measure all, in picoseconds, in the order of costs.def; *stream_all: a line while all cores stream. */
static void measure(double *ps, double *stream_all, work *w)
{
    const tsr_costs usual = tsr_costs_of_machine(NULL);
    const double *const cache = usual.cache;
    ps[TSR_COST_STREAM] = run_stream(w, STREAM_NBYTES, 1);
    ps[TSR_COST_NEAR] = run_stream(w, cache[2] / 2, 1);
    *stream_all = run_stream(w, STREAM_NBYTES, tsr_thread_count(0));
    scatter_indices(w, 1 << 10);
    const double entry = 1000 * run_rows(w, ROW) / NENTRIES;
    ps[TSR_COST_ENTRY] = ps[TSR_COST_FIBER] = entry; /* the begin of a row is too short to measure alone */
    ps[TSR_COST_BREAK] = break_cost(w);
    ps[TSR_COST_UPDATE] = 1000 * run_updates(w) / NENTRIES;
    ps[TSR_COST_PRODUCT] = ps[TSR_COST_UPDATE]; /* mostly updates of a row that is assembled */
    scatter_indices(w, 1);
    ps[TSR_COST_CHAIN] = 1000 * run_updates(w) / NENTRIES;
    scatter_indices(w, 1 << 7);
    ps[TSR_COST_VECTOR] = 1000 * run_vectors(w) / NENTRIES / 2;
    const double second = line_cost(w, cache[1] / 2, cache[0], entry);
    const double third = line_cost(w, fmin(8 * cache[1], cache[2] / 2), cache[1], entry);
    const double memory = line_cost(w, fmin(8 * cache[2], MAX_TABLE), cache[2], entry);
    ps[TSR_COST_SECOND] = fmax(second, 1);
    ps[TSR_COST_THIRD] = fmax(third, ps[TSR_COST_SECOND]);
    ps[TSR_COST_MEMORY] = fmax(memory, ps[TSR_COST_THIRD]);
}

/* A line of a copy: cleared, and added to the result. */
static double run_copy(work *w)
{
    enum { COPY = 1 << 18 };
    double least = INFINITY;
    for (int turn = 0; turn < NTURNS; turn++) {
        const uint64_t start = tsr_now_ns();
        memset(w->table, 0, COPY * sizeof *w->table);
        for (int i = 0; i < COPY; i++)
            w->y[i] += w->table[i];
        least = fmin(least, (double)(tsr_now_ns() - start));
        w->sum += w->y[turn];
    }
    return 1000 * least / (COPY / LINE);
}

/* The least of several measurements: what disturbs them makes them longer. */
static void measure_least(double *least, double *all, work *w)
{
    *all = INFINITY;
    for (int c = 0; c < TSR_NCOSTS; c++)
        least[c] = INFINITY;
    for (int k = 0; k < NREPEATS; k++) {
        double ps[TSR_NCOSTS], stream_all;
        measure(ps, &stream_all, w);
        ps[TSR_COST_COPY] = run_copy(w) / 2;
        for (int c = 0; c < TSR_NCOSTS; c++)
            least[c] = fmin(least[c], ps[c]);
        *all = fmin(*all, fmin(stream_all, least[TSR_COST_STREAM]));
    }
}

/* The same on the machine whose kernels the costs were fitted to (EPYC, family 26, one thread; 2026-11-28). The loops here are not
 * those of kernels, so a cost is the fitted one times the ratio of the two measurements. */
static const double fitted_on[TSR_NCOSTS] = {1840, 380,  380, 305,  530,  1200, 5400,
                                             364,  2900, 920, 4000, 1040, 364},
                    fitted_on_all = 1300;

static uint64_t scaled(double cost, double measured, double there)
{
    const double ps = cost * measured / there;
    return ps < 1 ? 1 : ps > 1e6 ? 1000000 : (uint64_t)(ps + 0.5);
}

static void set_costs(tsr_tuning *out, const double *ps, double stream_all)
{
    const tsr_costs fitted = tsr_costs_fitted();
    uint64_t *const to[TSR_NCOSTS] = {
#define COST(NAME, name, member, unit, words) &out->member,
#include "costs.def"
#undef COST
    };
    for (int c = 0; c < TSR_NCOSTS; c++)
        *to[c] = scaled(fitted.ps[c], ps[c], fitted_on[c]);
    out->stream_all_ps = scaled(fitted.stream_all_ps, stream_all, fitted_on_all);
}

tsr_status bench_calibrate_costs(tsr_tuning *out, tsr_error *err)
{
    work w = {.state = 1, .ntable = MAX_TABLE / sizeof(double)};
    w.at = tsr_malloc(NENTRIES * sizeof *w.at);
    w.value = tsr_malloc(NENTRIES * sizeof *w.value);
    w.y = tsr_malloc(NENTRIES / 4 * sizeof *w.y);
    w.table = tsr_malloc(MAX_TABLE);
    double least[TSR_NCOSTS], all;
    tsr_status status = TSR_OK;
    if (!w.at || !w.value || !w.y || !w.table) {
        status = tsr_fail(err, TSR_NOMEM, "out of memory: the tables to calibrate with take %d MB",
                          MAX_TABLE >> 20);
        goto out;
    }
    for (uint64_t i = 0; i < w.ntable; i++)
        w.table[i] = 1e-9 * (double)(i % 7);
    for (int i = 0; i < NENTRIES; i++)
        w.value[i] = 1;
    for (int i = 0; i < NENTRIES / 4; i++)
        w.y[i] = 0;
    measure_least(least, &all, &w);
    set_costs(out, least, all);
out:
    tsr_free(w.at);
    tsr_free(w.value);
    tsr_free(w.y);
    tsr_free(w.table);
    return status;
}
