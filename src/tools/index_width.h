/* The option --index: the widths of stored positions and coordinates. */
#ifndef TSR_CLI_INDEX_WIDTH_H
#define TSR_CLI_INDEX_WIDTH_H

#include "tsr_pack.h"

/* The value of --index; 0: not given, or "auto". */
typedef int tsr_cli_index_word;

/* "auto", "8", "16", "32", "64" or "narrow"; TSR_ARGUMENT lists them. */
tsr_status tsr_cli_parse_index(tsr_cli_index_word *out, const char *text, tsr_error *err) TSR_NODISCARD;
/* The widths for packing. For "auto": nbits, the width that the text of the format asks for, or
 * TSR_INDEX_AUTO if nbits is 0. */
tsr_index_width tsr_cli_index_width(tsr_cli_index_word word, int nbits);

#endif
