/* Running candidates side by side. The harness knows a candidate only as callbacks. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include <stdint.h>

#include "bench_stats.h"
#include "tsr_error.h"

enum { BENCH_MAX_REPS = BENCH_MAX_SAMPLES, BENCH_MAX_LOOPS = 1 << 20 };

typedef struct bench_candidate {
    const char *name; /* "tessera", "write(2)" */
    int nthreads;     /* that its run uses: so many are pinned */
    bool external;    /* its work is another process's, which pins, warms and repeats it itself */
    void *ctx;        /* handed to the callbacks */
    /* Before each sample, not timed: make the result of the last run what no right answer is (NaN), so that a
     * run that leaves it alone is found out, and the next one does not find its own answer. May be NULL. */
    void (*overwrite)(void *ctx);
    /* Before each run, not timed: copy an input that the run uses up, drop the last result. May be NULL. */
    tsr_status (*prepare)(void *ctx, tsr_error *err);
    /* The work that is timed. */
    tsr_status (*run)(void *ctx, tsr_error *err);
    /* Nanoseconds of the last run where the clock around it does not tell: the time that another program says
     * it took. May be NULL. */
    double (*said_ns)(void *ctx);
    /* After the first run, not timed: is the answer right? A wrong one ends everything. May be NULL. */
    tsr_status (*check)(void *ctx, tsr_error *err);

    /* Filled by bench_run: */
    double samples_ns[BENCH_MAX_REPS]; /* one a round, in their order: nanoseconds of one run, the mean of the
                                          sample's */
    bool disturbed[BENCH_MAX_REPS];    /* others had a processor for more than 2% of that sample, each time
                                          that it was taken */
    uint64_t nloops; /* runs in one sample (of the last round): as many as make it long enough */
    bench_stats ns;  /* of the samples (bench_calm_stats_of), n being that of all; 0: interrupted before the
                        first round was whole */
    bench_ratio speedup;  /* the reference's median over this one's: above 1 is faster; by rounds, 95% */
    bool noisy;           /* bench_least: further apart than max_apart, or of fewer than three samples */
    double least_ns;      /* of one run so far, in samples that counted or not */
    uint64_t peak_nbytes; /* peak resident size of the first (untimed) run, above what was resident before it
                             0 when unknown */
} bench_candidate;

typedef struct bench_run_options {
    int reps;            /* rounds that count, 1..BENCH_MAX_REPS; 0: 5 */
    double time_limit_s; /* stop after the round in which this is passed (at least one counts); 0: no limit */
    double min_sample_s; /* runs are repeated in one sample until it lasts so long; 0: 1 ms; < 0: never */
    double max_apart;    /* see noisy; 0: BENCH_MAX_APART */
    bool cold;           /* before each run, not timed, walk a buffer larger than the caches */
    bool once;           /* the reference is not run twice a round */
    bool quick;          /* take each sample once and wait for nothing: a short or disturbed sample counts */
    int reference;       /* the candidate that the others are compared with */
    /* Before each sample; false ends with TSR_CANCELLED, the whole rounds so far being kept. May be NULL. */
    bool (*progress)(void *ctx, const char *name, int round, int reps);
    void *ctx;                   /* of progress */
    uint64_t (*waited_ns)(void); /* NULL: bench_waited_ns; tests make their own */
} bench_run_options;

/* What this machine does to equal work. */
typedef struct bench_noise {
    double spread;      /* the median of the candidates' spreads (bench_stats.h) */
    bench_ratio repeat; /* the reference against itself, run a second time in each round: {1, 1, 1} in a quiet
                           world. {0} where it was not */
} bench_noise;

/* One round that does not count (memory is measured, the answer checked, the loops counted out), then `reps`
 * rounds, each of which takes one sample of every candidate, so that a drift of the machine hits all alike;
 * each round begins with the next candidate. A sample that is too short all the same is thrown away and taken
 * again with more loops; so is one (for a tenth of a second at most) whose threads waited for a processor for
 * more than 2% of it because other processes had it, as far as the system tells: the least disturbed counts.
 * `quick` leaves all of that out.
 * Hot (not `cold`) means that a run which is not timed stands before each sample, unless runs are prepared
 * or last more than 20 ms. noise may be NULL. */
tsr_status bench_run(bench_noise *noise, bench_candidate *candidates, int n, const bench_run_options *options,
                     tsr_error *err) TSR_NODISCARD;

#endif
