/* Runs candidates side by side. The harness knows a candidate only through its callbacks. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include <stdint.h>

#include "bench_stats.h"
#include "tsr_error.h"

/* An interval that is so narrow decides that two candidates are equal. */
#define BENCH_DECIDED 1.04
enum { BENCH_MAX_REPS = BENCH_MAX_SAMPLES, BENCH_DECIDE_REPS = 50, BENCH_MAX_LOOPS = 1 << 20 };

typedef struct bench_candidate {
    const char *name; /* "tessera", "write(2)" */
    int nthreads;     /* number of threads of its run, which are pinned */
    bool external;    /* another process does the work, and pins, warms up and repeats it itself */
    void *ctx;        /* passed to the callbacks */
    /* Before each sample, not timed: fill the result with NaN, so that a run that writes nothing is detected,
     * and a run cannot find its own answer. May be NULL. */
    void (*overwrite)(void *ctx);
    /* Before each run, not timed: copy an input that the run consumes, or free the last result. May be
     * NULL. */
    tsr_status (*prepare)(void *ctx, tsr_error *err);
    /* The work that is timed. */
    tsr_status (*run)(void *ctx, tsr_error *err);
    /* Nanoseconds of the last run as reported by another program, if the clock of this process cannot measure
     * it. May be NULL. */
    double (*said_ns)(void *ctx);
    /* After the first run, not timed: check the answer. An error ends bench_run. May be NULL. */
    tsr_status (*check)(void *ctx, tsr_error *err);

    /* Set by bench_run: */
    /* one per round, in order: nanoseconds of one run, the mean over the runs of the sample */
    double samples_ns[BENCH_MAX_REPS];
    /* whether other processes had a processor for more than 2% of the sample, each time that it was taken */
    bool disturbed[BENCH_MAX_REPS];
    /* runs in one sample (of the last round), enough of them for the sample to last long enough */
    uint64_t nloops;
    /* statistics of the samples (bench_calm_stats_of), where n counts all samples; 0: interrupted before the
     * first round was complete */
    bench_stats ns;
    /* median of the reference over the median of this candidate: above 1 is faster; paired by rounds, 95%
     * interval */
    bench_ratio speedup;
    bool noisy; /* by bench_least: further apart than max_apart, or fewer than three undisturbed samples */
    double least_ns; /* the shortest run so far, also in samples that did not count */
    /* peak resident size of the first (untimed) run, minus the resident size before it; 0 when unknown */
    uint64_t peak_nbytes;
} bench_candidate;

typedef struct bench_run_options {
    int reps; /* rounds that count, 1..BENCH_MAX_REPS; 0: 5 */
    /* stop after the round in which this time is exceeded (at least one round counts); 0: no limit */
    double time_limit_s;
    double min_sample_s; /* repeat runs in one sample until it lasts this long; 0: 1 ms; < 0: never repeat */
    double max_apart;    /* limit for `noisy`; 0: BENCH_MAX_APART */
    bool cold;           /* before each run, not timed: walk a buffer larger than the caches */
    /* Make three rounds, whatever the time limit. After `reps` rounds go on, up to the time limit and BENCH_DECIDE_REPS, until each candidate is decided against the
     * reference: the interval of its speed-up does not contain 1, or is narrower than BENCH_DECIDED. After this time of
     * the clock (bench_now_ns) the rounds end; 0: only `reps` rounds */
    uint64_t decide_until_ns;
    bool once;     /* do not run the reference twice per round */
    bool quick;    /* take each sample once: a short or disturbed sample counts */
    int reference; /* the candidate with which the others are compared */
    /* Before each sample; false ends with TSR_CANCELLED, and the complete rounds so far are kept. May be
     * NULL. */
    bool (*progress)(void *ctx, const char *name, int round, int reps);
    void *ctx;                   /* passed to progress */
    uint64_t (*waited_ns)(void); /* NULL: bench_waited_ns; tests pass their own function */
} bench_run_options;

/* How much this machine varies for equal work. */
typedef struct bench_noise {
    double spread; /* the median of the candidates' spreads (bench_stats.h) */
    /* the reference against itself, run a second time in each round: {1, 1, 1} without noise. {0} if it was
     * not run twice */
    bench_ratio repeat;
} bench_noise;

/* Run one round that does not count (it measures memory, checks the answers, finds the number of loops), then
 * `reps` rounds, each of which takes one sample of every candidate, so that a slow change of the machine
 * affects all candidates alike; each round begins with another candidate. A sample that is too short is taken
 * again with more loops. A sample whose threads waited for a processor for more than 2% of the time because
 * other processes had it (where the system reports that) is taken again, too, for at most a tenth of a
 * second; the least disturbed one counts. `quick` leaves all of that out. Hot (not `cold`) means that an
 * untimed run comes before each sample, unless runs last more than 20 ms. noise may be
 * NULL. */
tsr_status bench_run(bench_noise *noise, bench_candidate *candidates, int n, const bench_run_options *options,
                     tsr_error *err) TSR_NODISCARD;

#endif
