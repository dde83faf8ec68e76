/* The notations of storage formats: the table that tsr_format_parse asks from the top. A text belongs to the
 * first row that claims it; words, last, are letters or names by one parser. */
#include "tsr_format_layout.h"

const tsr_format_notation *const tsr_format_notations[] = {
    &tsr_format_mlir, &tsr_format_xla,  &tsr_format_tla,     &tsr_format_ust,
    &tsr_format_long, &tsr_format_name, &tsr_format_letters, NULL,
};
