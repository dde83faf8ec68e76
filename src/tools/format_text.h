/* The texts that --format takes: those of the library, and dense layouts in XLA's and TLA's notation. */
#ifndef TSR_CLI_FORMAT_TEXT_H
#define TSR_CLI_FORMAT_TEXT_H

#include "tsr_format.h"
#include "tsr_type.h"

/* As tsr_format_parse, for a tensor of this type. *index_nbits: the width of pos and crd that an MLIR
 * encoding asks for, or 0; TSR_UNSUPPORTED when it asks for two. An XLA or TLA layout becomes the all-dense
 * format of the same offsets (tsr_layout_print_format). With dims NULL, the text of a layout is checked, and
 * *out is NULL. TSR_ARGUMENT when the layout's dims, its type or its element size are others; TSR_UNSUPPORTED
 * for a layout in which elements share an offset. */
tsr_status tsr_cli_format_parse(tsr_format **out, int *index_nbits, const char *text, int order,
                                const uint64_t *dims, tsr_type type, tsr_error *err) TSR_NODISCARD;

#endif
