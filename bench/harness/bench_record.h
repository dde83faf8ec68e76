/* The record of a run: what was measured, on what, by whom, every sample kept. A JSON file whose fields
 * results/README.md explains; the structs below are the same, field by field. A reader believes nothing:
 * every field is checked, and the statistics are made again from the samples. */
#ifndef BENCH_RECORD_H
#define BENCH_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "bench_machine.h"
#include "bench_run.h"
#include "tsr_arena.h"

enum { BENCH_RECORD_VERSION = 1, BENCH_MAX_ORDER = 16, BENCH_MAX_ROWS = 1000000 };

/* What was computed on. name NULL: nothing is said. */
typedef struct bench_dataset {
    const char *name; /* "nell-2", a file's name */
    int order;        /* modes; 0: not known */
    uint64_t dims[BENCH_MAX_ORDER];
    uint64_t nnz;
    bool stand_in; /* made by a generator in the place of the real one */
    uint64_t seed; /* of the generator */
} bench_dataset;

/* One candidate on one dataset. Strings may be NULL and numbers 0 where there is nothing to say. */
typedef struct bench_row {
    const char *kernel;     /* "mttkrp", "pack"; never NULL */
    const char *expression; /* index notation */
    bench_dataset dataset;
    bool has_mode;
    int mode; /* of the result, from 0 */
    int rank;
    const char *type; /* of values: "f64" */
    int nthreads;
    bool cold;             /* caches emptied before each run */
    const char *candidate; /* "tessera", "splatt"; never NULL */
    const char *format, *schedule, *engine, *version;
    uint64_t nbytes;            /* of the operand in this format */
    double pack_ns;             /* from the order of the file into it */
    double moved_nbytes, flops; /* of one run, at least: for rates */
    uint64_t peak_nbytes;       /* see bench_candidate */
    uint64_t nloops;
    uint32_t nsamples; /* 0: it did not run, and the note says why */
    const double *samples_ns;
    const bool *disturbed; /* see bench_candidate; nsamples entries, or NULL */
    bench_passes passes;   /* n = 0: one */
    const char *reference; /* the candidate (and format) that the speed-up is over */
    bench_ratio speedup;   /* ratio 0: none */
    bool checked;          /* its answer was found right before its time counted */
    const char *note;      /* "not installed" */
    /* Filled by bench_record_add and bench_record_read: */
    bench_stats ns; /* n = nsamples; of the undisturbed, see bench_calm_stats_of */
    bench_least least;
    bool noisy;        /* it is further apart than BENCH_MAX_APART, or of fewer than three samples */
    double roof_share; /* of what the machine's roof allows, see bench_roof_ns; 0: not known */
} bench_row;

typedef struct bench_record {
    bench_machine machine;
    int nroofs;
    bench_roof roofs[BENCH_MAX_ROOFS];
    char command[BENCH_TEXT_NBYTES]; /* what was asked: "tbench mttkrp --rank=16" */
    bench_noise noise;               /* the widest of what bench_record_noise was told */
    bool interrupted;                /* there would have been more rows */
    uint32_t nrows, capacity;
    bench_row *rows;
    tsr_arena arena;  /* the rows' strings and samples */
    const char *path; /* where it is written; NULL: nowhere */
    uint64_t written_ns;
} bench_record;

/* An empty record that is to be written to `path` (NULL: kept in memory only), with the machine described and
 * no roofs. argv: the command line, told in the record. The path is tried: an unwritable one is an error now
 * and not after hours. */
tsr_status bench_record_init(bench_record *record, const char *path, int argc, char *const *argv,
                             tsr_error *err) TSR_NODISCARD;
/* Measure the machine's roofs for threads[0..n), the first BENCH_MAX_ROOFS of them: seconds, and 1.7 GB where
 * the caches are large. */
void bench_record_measure_roofs(bench_record *record, const uint64_t *threads, int n);
/* Copy a row in. Every few seconds the file is written anew (whole, then renamed), so that what was measured
 * is there whatever comes; bench_record_write does it at once. */
tsr_status bench_record_add(bench_record *record, const bench_row *row, tsr_error *err) TSR_NODISCARD;
/* The same, with what bench_run filled in: samples, loops, peak, speed-up, noisy, and checked where the
 * candidate has a check. row->candidate NULL: its name. */
tsr_status bench_record_add_candidate(bench_record *record, const bench_row *row,
                                      const bench_candidate *candidate, tsr_error *err) TSR_NODISCARD;
/* The k-th row is in a further pass what `row` and `candidate` (NULL: it did not run) say: its samples are
 * appended, pack_ns becomes the least, peak_nbytes the most. TSR_ARGUMENT: that is another row. */
tsr_status bench_record_join(bench_record *record, uint32_t k, const bench_row *row,
                             const bench_candidate *candidate, tsr_error *err) TSR_NODISCARD;
/* Make the speed-up of the k-th row over row `reference`, by the rounds of all passes that both were in. */
void bench_record_speedup(bench_record *record, uint32_t k, uint32_t reference);
/* Take in the noise of one bench_run. */
void bench_record_noise(bench_record *record, const bench_noise *noise);
tsr_status bench_record_write(bench_record *record, tsr_error *err) TSR_NODISCARD;
/* The roof for so many threads, or NULL. */
const bench_roof *bench_record_roof(const bench_record *record, int nthreads);

/* TSR_IO; TSR_SYNTAX: no JSON (line and column); TSR_UNSUPPORTED: JSON, but no record of this version;
 * TSR_CORRUPT: a field is missing, of another type or out of range (the sentence names it); TSR_LIMIT. */
tsr_status bench_record_read(bench_record *record, const char *path, tsr_error *err) TSR_NODISCARD;
void bench_record_clear(bench_record *record);
bench_samples bench_row_samples(const bench_row *row);
/* Whether the row's candidate is Tessera, not a library or program beside it. */
#define BENCH_OURS "tessera"
bool bench_row_is_ours(const bench_row *row);

#endif
