/* The texts that --format takes: all notations of the library, for a tensor of a given value type. */
#ifndef TSR_CLI_FORMAT_TEXT_H
#define TSR_CLI_FORMAT_TEXT_H

#include "tsr_format.h"
#include "tsr_shape.h"
#include "tsr_type.h"

/* tsr_format_parse for a tensor of this value type. *index_nbits: the width of pos and crd that an MLIR
 * encoding asks for, or 0; TSR_UNSUPPORTED if the encoding asks for two widths. An XLA or TLA layout
 * becomes the all-dense format with the same offsets (tsr_layout_print_format). If dims is NULL, the text
 * of a layout is only checked, and *out is NULL. TSR_ARGUMENT if the dims, the type or the element size of
 * the layout do not agree with the tensor; TSR_UNSUPPORTED for a layout in which elements share an offset. */
tsr_status tsr_cli_format_parse(tsr_format **out, int *index_nbits, const char *text, tsr_shape shape,
                                tsr_type type, tsr_error *err) TSR_NODISCARD;

#endif
