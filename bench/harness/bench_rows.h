/* Compares two rows of records: whether they measure the same, and the ratio of their times. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include "bench_record.h"

/* Compare by kernel, expression, dataset, mode, rank, type, threads, cold caches. 0: the same case, in which
 * candidates take turns. */
int bench_case_compare(const bench_row *a, const bench_row *b);
/* The same, then by candidate and format. 0: both rows measure the same. */
int bench_row_compare(const bench_row *a, const bench_row *b);

/* The median time of a over that of b, and its interval from the rounds in which both ran undisturbed
 * (bench_ratio_of, paired). The rounds of a pass count if both rows have the same number of samples in it.
 * {0}: there are no such rounds. */
bench_ratio bench_rows_ratio(const bench_row *a, const bench_row *b);

#endif
