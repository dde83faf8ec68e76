/* The table of one case: the measured rows, and the choice of a format. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stdio.h>

#include "bench_record.h"
#include "tsr_text.h"

/* Remarks that were printed, so that each is printed once. {0} is empty; tsr_text_clear frees it. */
typedef struct bench_remarks {
    tsr_text lines;
} bench_remarks;

/* Whether the line is new; a new line is added. */
bool bench_remarks_add(bench_remarks *remarks, const char *line);

/* Print rows first to first + n - 1 of the record, which belong to one case: title, table, remarks that were
 * not printed before (candidates that did not run, with the reason; the meaning of ~), and the choice. Prints
 * nothing if no row was measured. TSR_NOMEM. */
tsr_status bench_table_print(FILE *to, const bench_record *record, uint32_t first, uint32_t n,
                             bench_remarks *remarks, tsr_error *err) TSR_NODISCARD;

#endif
