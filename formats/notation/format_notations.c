/* The notations of storage formats. tsr_format_parse gives a text to the first notation of this table that
 * claims it. tsr_format_name claims each text that begins with a word, and reads names and level letters. */
#include "tsr_format_layout.h"

const tsr_format_notation *const tsr_format_notations[] = {
    &tsr_format_mlir, &tsr_format_xla,  &tsr_format_tla,     &tsr_format_ust,
    &tsr_format_long, &tsr_format_name, &tsr_format_letters, NULL,
};
