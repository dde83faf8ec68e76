/* Running candidates side by side. The harness knows a candidate only as callbacks. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include <stdint.h>

#include "bench_stats.h"
#include "tsr_error.h"

enum { BENCH_MAX_REPS = 1000 };

typedef struct bench_candidate {
    const char *name; /* "tessera", "write(2)" */
    int nthreads;     /* for the record */
    void *ctx;        /* handed to the callbacks */
    /* Before each run, not timed: copy an input that the run uses up, drop the last result. May be NULL. */
    tsr_status (*prepare)(void *ctx, tsr_error *err);
    /* The work that is timed. */
    tsr_status (*run)(void *ctx, tsr_error *err);
    /* After the first run, not timed: is the answer right? A wrong one ends everything. May be NULL. */
    tsr_status (*check)(void *ctx, tsr_error *err);

    /* Filled by bench_run: */
    double samples_ns[BENCH_MAX_REPS]; /* in the order of the rounds */
    bench_stats ns;                    /* of the samples */
    uint64_t peak_nbytes; /* peak resident size of the first (untimed) run, above what was resident before it
                             0 when unknown */
} bench_candidate;

typedef struct bench_run_options {
    int reps;            /* rounds that count, 1..BENCH_MAX_REPS; 0: 5 */
    double time_limit_s; /* stop after the round in which this is passed (at least one counts); 0: no limit */
    void (*progress)(const char *name, int round, int reps); /* may be NULL */
} bench_run_options;

/* One round that does not count (memory is measured and the answer checked), then `reps` rounds, each of
 * which runs every candidate once, so that a drift of the machine hits all alike. */
tsr_status bench_run(bench_candidate *candidates, int n, const bench_run_options *options,
                     tsr_error *err) TSR_NODISCARD;

#endif
