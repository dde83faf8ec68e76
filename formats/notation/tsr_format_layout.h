/* Formats as layouts and layouts as formats: what the notations of XLA and TLA share. */
#ifndef TSR_FORMAT_LAYOUT_H
#define TSR_FORMAT_LAYOUT_H

#include "tsr_format.h"
#include "tsr_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const tsr_format_notation tsr_format_xla, tsr_format_tla;

/* The format of a layout's levels, all of them dense, for the tensor of the hints. TSR_ARGUMENT when its dims
 * are not the layout's; TSR_UNSUPPORTED when the layout has no levels (tsr_layout_to_levels). */
tsr_status tsr_format_from_layout(tsr_format **out, const tsr_layout *layout, const tsr_format_hints *hints,
                                  tsr_error *err) TSR_NODISCARD;
/* The layout that a dense format is, for these dims (order entries; may be NULL for a format of no modes).
 * TSR_UNSUPPORTED for sparse levels, TSR_ARGUMENT without dims. */
tsr_status tsr_layout_from_format(tsr_layout **out, const tsr_format *format, const uint64_t *dims,
                                  tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
