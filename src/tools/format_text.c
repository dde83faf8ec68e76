/* Format texts of the tools: see format_text.h. */
#include "format_text.h"

tsr_status tsr_cli_format_parse(tsr_format **out, int *index_nbits, const char *text, tsr_shape shape,
                                tsr_type type, tsr_error *err)
{
    const tsr_format_hints hints = {
        .order = shape.ndims, .dims = shape.dims, .type = shape.dims ? &type : NULL};
    tsr_format_widths widths;
    *index_nbits = 0;
    TSR_TRY(tsr_format_parse_for(out, &widths, text, &hints, err));
    *index_nbits = widths.pos_nbits ? widths.pos_nbits : widths.crd_nbits;
    if (widths.crd_nbits == 0 || widths.crd_nbits == *index_nbits)
        return TSR_OK;
    tsr_format_free(*out);
    *out = NULL;
    return tsr_fail(err, TSR_UNSUPPORTED,
                    "posWidth = %d and crdWidth = %d differ: Tessera has one width for both",
                    widths.pos_nbits, widths.crd_nbits);
}
