/* CSV with names in place of indices. See csv.md. */
#ifndef CSV_RELABEL_H
#define CSV_RELABEL_H

#include "text_reader.h"

/* Read the entries that follow in `lines`: the kept columns of columns->fields are names, and the last one is the value
 * unless columns->type is pattern. Names get numbers in the order in which they come, and become the labels. out->coo has
 * the entries. TSR_SYNTAX with line and column. */
tsr_status tsr_csv_relabel(tsr_data *out, const tsr_columns *columns, tsr_lines *lines,
                           const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;

#endif
