/* From formats to layouts and back: the notations of XLA and TLA share these functions. */
#ifndef TSR_FORMAT_LAYOUT_H
#define TSR_FORMAT_LAYOUT_H

#include "tsr_format.h"
#include "tsr_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const tsr_format_notation tsr_format_xla, tsr_format_tla;

/* Make the format of a layout, whose levels are all dense; free it with tsr_format_free. TSR_ARGUMENT when
 * the order or the dims of the hints are not those of the layout; TSR_UNSUPPORTED when the layout cannot be
 * written as levels (tsr_layout_to_levels); TSR_LIMIT when it has more than TSR_MAX_ORDER dims. */
tsr_status tsr_format_from_layout(tsr_format **out, const tsr_layout *layout, const tsr_format_hints *hints,
                                  tsr_error *err) TSR_NODISCARD;
/* Make the layout of a dense format for these dims (`order` elements; may be NULL for a format without
 * modes); free it with tsr_layout_free. TSR_UNSUPPORTED when a level is not dense, TSR_ARGUMENT when dims is
 * NULL for a format with modes, TSR_LIMIT when the levels have more than 2^63 - 1 positions. */
tsr_status tsr_layout_from_format(tsr_layout **out, const tsr_format *format, const uint64_t *dims,
                                  tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
