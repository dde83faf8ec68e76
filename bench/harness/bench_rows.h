/* Two rows of records: whether they measure the same, and how many times one takes the other's time. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include "bench_record.h"

/* The order by what is computed on what: kernel, expression, dataset, mode, rank, type, threads, cold caches.
 * 0: the same case, in which candidates take turns. */
int bench_case_compare(const bench_row *a, const bench_row *b);
/* The same, then by candidate and format. 0: both rows measure the same. */
int bench_row_compare(const bench_row *a, const bench_row *b);

/* The median time of a over that of b, and its interval by the rounds in which both ran and neither was
 * disturbed (bench_ratio_of, paired). Rounds of a pass count where both have as many samples of it. {0}: no
 * such rounds. */
bench_ratio bench_rows_ratio(const bench_row *a, const bench_row *b);

#endif
