/* The widths of stored indices that --index asks for. */
#ifndef TSR_CLI_INDEX_WIDTH_H
#define TSR_CLI_INDEX_WIDTH_H

#include "tsr_pack.h"

/* What --index says; 0: nothing, or "auto". */
typedef int tsr_cli_index_word;

/* "auto", "8", "16", "32", "64" or "narrow"; TSR_ARGUMENT lists them. */
tsr_status tsr_cli_parse_index(tsr_cli_index_word *out, const char *text, tsr_error *err) TSR_NODISCARD;
/* The widths for packing. "auto": nbits, if the format's text asks for that (else 0), else TSR_INDEX_AUTO. */
tsr_index_width tsr_cli_index_width(tsr_cli_index_word word, int nbits);

#endif
