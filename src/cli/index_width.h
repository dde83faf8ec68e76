/* The widths of stored indices that --index asks for. */
#ifndef TSR_CLI_INDEX_WIDTH_H
#define TSR_CLI_INDEX_WIDTH_H

#include "tsr_pack.h"

/* What --index says; 0: nothing, or "auto". */
typedef int tsr_cli_index_word;

/* "auto", "8", "16", "32", "64" or "narrow"; TSR_ARGUMENT lists them. */
tsr_status tsr_cli_parse_index(tsr_cli_index_word *out, const char *text, tsr_error *err) TSR_NODISCARD;
/* The widths for packing into `format`. "auto": nbits, if the format's text asks for that (else 0); 32 or 64
 * where other programs know the format (its levels store whole coordinates); else narrow. */
tsr_index_width tsr_cli_index_width(tsr_cli_index_word word, int nbits, const tsr_format *format);

#endif
