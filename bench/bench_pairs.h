/* tbench convert --pairs: packed tensors from one storage format to another, in memory, beside the same conversion by
 * other libraries: with the source kept, as they do it, and consumed. */
#ifndef BENCH_PAIRS_H
#define BENCH_PAIRS_H

#include "bench_options.h"
#include "bench_chosen.h"

/* The source of a pair that is not a storage format: coordinates in no order. */
#define BENCH_SHUFFLED "shuffled"

typedef struct bench_pairs {
    const char *text;              /* "csr:csc,csr:bcsr(4,4)" */
    const bench_chosen *baselines; /* measured besides the baselines that need no path */
    const bench_settings *how;
    tsr_cli_report *report;
    bench_record *record; /* NULL: no record */
} bench_pairs;

/* Check the text of --pairs. TSR_ARGUMENT. */
tsr_status bench_pairs_check(const char *text, tsr_error *err) TSR_NODISCARD;
/* Measure all pairs on a tensor, a file or a dataset, and print a table for each. */
tsr_status bench_pairs_measure(const bench_pairs *pairs, const tsr_datasets *datasets, const char *text,
                               tsr_error *err) TSR_NODISCARD;

#endif
