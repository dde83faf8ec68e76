/* tinfo --as: the tensor of a file as another storage format would hold it. */
#ifndef TSR_CLI_TINFO_AS_H
#define TSR_CLI_TINFO_AS_H

#include "tsr_codec.h"

/* Pack the tensor into the format that the text names. A symmetric matrix is expanded first; duplicates are added up
 * unless the format keeps them. On failure `data` holds nothing. Errors: those of tsr_format_parse and tsr_pack. */
tsr_status tsr_tinfo_as(tsr_data *data, const char *text, int nthreads, tsr_error *err) TSR_NODISCARD;

#endif
