/* The record of a command: all measured rows with every sample, the machine, and the command line. A JSON
 * file; results/README.md explains its fields, and the structs below have the same fields. The reader checks
 * every field, and computes the statistics from the samples again. */
#ifndef BENCH_RECORD_H
#define BENCH_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "bench_machine.h"
#include "bench_run.h"
#include "tsr_arena.h"

enum { BENCH_RECORD_VERSION = 1, BENCH_MAX_ORDER = 16, BENCH_MAX_ROWS = 1000000 };

/* The tensor of a row. name NULL: no dataset. */
typedef struct bench_dataset {
    const char *name; /* "nell-2", or the name of a file */
    int order;        /* number of modes; 0: unknown */
    uint64_t dims[BENCH_MAX_ORDER];
    uint64_t nnz;
    bool stand_in; /* generated in place of the real dataset */
    uint64_t seed; /* seed of the generator */
} bench_dataset;

/* One candidate on one case. Strings may be NULL and numbers 0 if unknown or not applicable. The MADE fields and
 * `ns` are set by bench_record_add and bench_record_read. */
typedef struct bench_row {
#define X(kind, type, name, key, most) type name;
#include "bench_row.def"
#undef X
    bool has_mode;
    uint32_t nsamples; /* 0: it did not run, and the note says why */
    const double *samples_ns;
    const bool *disturbed; /* see bench_candidate; nsamples entries, or NULL */
    bench_passes passes;   /* n = 0: one pass */
    bench_least least;     /* set as `ns` is */
} bench_row;

typedef struct bench_record {
    bench_machine machine;
    const uint64_t *roof_threads; /* nwanted: the roofs that are measured with the first row */
    int nwanted, nroofs;
    bench_roof roofs[BENCH_MAX_ROOFS];
    char command[BENCH_TEXT_NBYTES]; /* the command line: "tbench mttkrp --rank=16" */
    bench_noise noise;               /* the widest noise of all calls of bench_record_noise */
    bool interrupted;                /* the command ended before all rows were measured */
    uint32_t nrows, capacity;
    bench_row *rows;
    tsr_arena arena;  /* owns the strings and samples of the rows */
    const char *path; /* the file to write; NULL: none */
    uint64_t written_ns;
} bench_record;

/* Make an empty record for the file `path` (NULL: in memory only), with a description of the machine and
 * without roofs. argv: the command line for the record. The path is tested now, so that an unwritable path is
 * an error before the measurement and not hours later. */
tsr_status bench_record_init(bench_record *record, const char *path, int argc, char *const *argv,
                             tsr_error *err) TSR_NODISCARD;
/* Have the roofs of the machine measured for threads[0..n), at most the first BENCH_MAX_ROOFS, before the first
 * row with samples is added: so wrong formats and tensors are reported at once. threads stays valid until then;
 * n 0: measure none. Takes seconds, and up to 1.7 GB if the caches are large. */
void bench_record_want_roofs(bench_record *record, const uint64_t *threads, int n);
/* Add a copy of the row. Every few seconds the file is written again (completely, then renamed), so that the
 * rows measured so far survive a crash; bench_record_write writes it at once. */
tsr_status bench_record_add(bench_record *record, const bench_row *row, tsr_error *err) TSR_NODISCARD;
/* The same with the results of bench_run: samples, loops, peak, speed-up, noisy, and `checked` if the
 * candidate has a check. row->candidate NULL: use the name of the candidate. */
tsr_status bench_record_add_candidate(bench_record *record, const bench_row *row,
                                      const bench_candidate *candidate, tsr_error *err) TSR_NODISCARD;
/* Add the samples of a further pass to row k; `row` and `candidate` (NULL: it did not run) describe it.
 * pack_ns becomes the least, peak_nbytes the largest of both. TSR_ARGUMENT if row k is a different row. */
tsr_status bench_record_join(bench_record *record, uint32_t k, const bench_row *row,
                             const bench_candidate *candidate, tsr_error *err) TSR_NODISCARD;
/* Compute the speed-up of row k over row `reference` from the rounds of all passes in which both ran. */
void bench_record_speedup(bench_record *record, uint32_t k, uint32_t reference);
/* Add the noise of one bench_run. */
void bench_record_noise(bench_record *record, const bench_noise *noise);
tsr_status bench_record_write(bench_record *record, tsr_error *err) TSR_NODISCARD;

/* Read a record. TSR_IO; TSR_SYNTAX: not JSON (line and column); TSR_UNSUPPORTED: JSON, but not a record of
 * this version; TSR_CORRUPT: a field is missing, has another type or is out of range (the message names the
 * field); TSR_LIMIT. */
tsr_status bench_record_read(bench_record *record, const char *path, tsr_error *err) TSR_NODISCARD;
void bench_record_clear(bench_record *record);
bench_samples bench_row_samples(const bench_row *row);
/* The name of the candidate for rows of Tessera; all other candidates are baselines. */
#define BENCH_TESSERA "tessera"
/* The words of bench_row.memory. Rows with different ones are different cases, so like is compared with like. */
#define BENCH_NEW "new result"           /* each run makes its result in new memory */
#define BENCH_REUSED "reused result"     /* a run writes into the memory of the result before */
#define BENCH_KEPT "kept source"         /* a conversion leaves its source as it is */
#define BENCH_CONSUMED "consumed source" /* a conversion may use the memory of its source */
bool bench_row_is_tessera(const bench_row *row);

#endif
