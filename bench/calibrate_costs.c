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
    NENTRIES = 1 << 20,      /* of the loops over rows */
    ROW = 16,                /* entries of a row */
    NBREAKS = NENTRIES / 10, /* rows of 4 or 8 entries, at random */
    NREPEATS = 3,
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
    uint32_t *end;  /* NBREAKS: of rows */
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

/* Nanoseconds of y(i) = sum of value * table(at), for rows of 4 or 8 entries, at random or else in turns. Where rows end stands in
 * memory, as for kernels: what draws it would count, too. */
static double run_breaks(work *w, bool at_random)
{
    double least = INFINITY;
    uint64_t state = 1;
    for (int row = 0; row < NBREAKS; row++) {
        const uint64_t random = bench_random(&state) >> 40;
        w->end[row] = (row > 0 ? w->end[row - 1] : 0) + ((at_random ? random & 1 : row & 1) ? 8 : 4);
    }
    for (int turn = 0; turn < NTURNS; turn++) {
        uint32_t k = 0;
        const uint64_t start = tsr_now_ns();
        for (int row = 0; row < NBREAKS; row++) {
            double sum = 0;
            for (; k < w->end[row]; k++)
                sum += w->value[k] * w->table[w->at[k]];
            w->y[row] = sum;
        }
        least = fmin(least, (double)(tsr_now_ns() - start));
        w->sum += w->y[turn];
    }
    return least;
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

/* Picoseconds of an entry of rows that read `nbytes` of the table at random. */
static double run_table(work *w, double nbytes)
{
    const uint64_t n = (uint64_t)(nbytes / sizeof(double));
    scatter_indices(w, n < w->ntable ? n : w->ntable);
    return 1000 * run_rows(w, ROW) / NENTRIES;
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

/* What is measured, in picoseconds. */
enum {
    STREAM,
    NEAR,
    ALL,
    ENTRY,
    TURNS,
    RANDOM,
    UPDATE,
    CHAIN,
    VECTOR,
    SECOND,
    THIRD,
    MEMORY,
    COPIED,
    NMEASURED
};

/* The bytes of tables that only the second cache, the third and the memory have. */
static void table_nbytes(double nbytes[3], const double *cache)
{
    nbytes[0] = cache[1] / 2;
    nbytes[1] = fmin(8 * cache[1], cache[2] / 2);
    nbytes[2] = fmin(8 * cache[2], MAX_TABLE);
}

static void measure(double *ps, work *w, const double *cache)
{
    double nbytes[3];
    ps[STREAM] = run_stream(w, STREAM_NBYTES, 1);
    ps[NEAR] = run_stream(w, cache[2] / 2, 1);
    ps[ALL] = run_stream(w, STREAM_NBYTES, tsr_thread_count(0));
    ps[ENTRY] = run_table(w, 1 << 13);
    ps[TURNS] = 1000 * run_breaks(w, false);
    ps[RANDOM] = 1000 * run_breaks(w, true);
    ps[UPDATE] = 1000 * run_updates(w) / NENTRIES;
    scatter_indices(w, 1);
    ps[CHAIN] = 1000 * run_updates(w) / NENTRIES;
    scatter_indices(w, 1 << 7);
    ps[VECTOR] = 1000 * run_vectors(w) / NENTRIES / 2;
    table_nbytes(nbytes, cache);
    for (int k = 0; k < 3; k++)
        ps[SECOND + k] = run_table(w, nbytes[k]);
    ps[COPIED] = run_copy(w) / 2;
}

/* Set the costs in the order of costs.def from the least of several measurements, as what disturbs them makes them longer: a cost
 * that is a difference of two is that of their least. *all: a line while all cores stream. */
static void measure_least(double *ps, double *all, work *w)
{
    const tsr_costs usual = tsr_costs_of_machine(NULL);
    double least[NMEASURED], nbytes[3];
    for (int i = 0; i < NMEASURED; i++)
        least[i] = INFINITY;
    for (int k = 0; k < NREPEATS; k++) {
        double once[NMEASURED];
        measure(once, w, usual.cache);
        for (int i = 0; i < NMEASURED; i++)
            least[i] = fmin(least[i], once[i]);
    }
    table_nbytes(nbytes, usual.cache);
    for (int k = 0; k < 3; k++) {
        const double missed = 1 - usual.cache[k] / nbytes[k],
                     before = k > 0 ? ps[TSR_COST_SECOND + k - 1] : 1;
        ps[TSR_COST_SECOND + k] = fmax(missed > 0 ? (least[SECOND + k] - least[ENTRY]) / missed : 0, before);
    }
    ps[TSR_COST_STREAM] = least[STREAM];
    ps[TSR_COST_NEAR] = least[NEAR];
    ps[TSR_COST_ENTRY] = ps[TSR_COST_FIBER] =
        least[ENTRY]; /* the begin of a row is too short to measure alone */
    ps[TSR_COST_BREAK] = fmax((least[RANDOM] - least[TURNS]) / (NBREAKS / 2), 1);
    ps[TSR_COST_UPDATE] = ps[TSR_COST_PRODUCT] =
        least[UPDATE]; /* mostly updates of a row that is assembled */
    ps[TSR_COST_CHAIN] = least[CHAIN];
    ps[TSR_COST_VECTOR] = least[VECTOR];
    ps[TSR_COST_COPY] = least[COPIED];
    *all = fmin(least[ALL], least[STREAM]);
}

/* The same on the machine whose kernels the costs were fitted to (EPYC, family 26, one thread; 2026-11-28). The loops here are not
 * those of kernels, so a cost is the fitted one times the ratio of the two measurements. Rows of another length were measured there with
 * the numbers drawn in the loop, which made them somewhat dearer. */
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
    w.end = tsr_malloc(NBREAKS * sizeof *w.end);
    w.table = tsr_malloc(MAX_TABLE);
    double least[TSR_NCOSTS], all;
    tsr_status status = TSR_OK;
    if (!w.at || !w.value || !w.y || !w.end || !w.table) {
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
    tsr_free(w.end);
    tsr_free(w.table);
    return status;
}
