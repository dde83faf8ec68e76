/* Small tables of text with aligned columns. */
#ifndef TSR_CLI_TABLE_H
#define TSR_CLI_TABLE_H

#include <stdio.h>

#include "tsr_text.h"

enum { TSR_TABLE_MAX_COLUMNS = 12 };

/* The cells in `text`, in order, each ended by '\t'; rows end with '\n'. {0} is an empty table. */
typedef struct tsr_cli_table {
    tsr_text text;
} tsr_cli_table;

/* Add a cell; its text is shown as tsr_shown.h says. */
void tsr_cli_table_cell(tsr_cli_table *table, const char *format, ...) TSR_PRINTF(2, 3);
void tsr_cli_table_end_row(tsr_cli_table *table);
/* Print with two blanks between columns, and clear. Columns are right-aligned, except those whose letter in
 * `align` is 'l'. */
void tsr_cli_table_print(FILE *to, tsr_cli_table *table, const char *align);

#endif
