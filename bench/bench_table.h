/* The table of a contest: what was measured of one case, and which format to choose. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stdio.h>

#include "bench_record.h"
#include "tsr_text.h"

/* Remarks that were made, so that each is made once. {0}: none; tsr_text_clear ends it. */
typedef struct bench_remarks {
    tsr_text lines;
} bench_remarks;

/* Whether that line is new; it is kept. */
bool bench_remarks_add(bench_remarks *remarks, const char *line);

/* Print rows first to first + n - 1 of the record, which are of one case: title, table, remarks that were not
 * made before (candidates that did not run, and why; what ~ means), what to choose. Nothing when no row was
 * measured. TSR_NOMEM. */
tsr_status bench_table_print(FILE *to, const bench_record *record, uint32_t first, uint32_t n,
                             bench_remarks *remarks, tsr_error *err) TSR_NODISCARD;

#endif
