/* tbench relayout: a table of pairs of layouts, no files. */
#ifndef BENCH_RELAYOUT_H
#define BENCH_RELAYOUT_H

#include "bench_run.h"

/* Measure and print the pairs whose name contains `pattern` (NULL: all) at each of the thread counts (at most
 * 4 of them). GB/s counts bytes read and bytes written. */
tsr_status bench_relayout(const char *pattern, const uint64_t *threads, int nthreads,
                          const bench_run_options *options, tsr_error *err) TSR_NODISCARD;

#endif
