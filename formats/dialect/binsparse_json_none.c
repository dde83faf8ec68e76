/* A build without jansson (TSR_WITH_JANSSON=OFF): descriptors of Binsparse, which are JSON, are refused. */
#include "binsparse_internal.h"
#include "tsr_version.h"

tsr_status tsr_bsp_parse(tsr_bsp_descriptor *out, const char *text, size_t n, tsr_error *err)
{
    (void)out, (void)text, (void)n;
    return tsr_fail_without("JANSSON", err);
}

tsr_status tsr_bsp_parse_origin(tsr_bsp_origin *out, const char *text, size_t n, tsr_error *err)
{
    *out = (tsr_bsp_origin){.format = NULL};
    (void)text, (void)n;
    return tsr_fail_without("JANSSON", err);
}

tsr_status tsr_bsp_print(tsr_text *text, const tsr_bsp_descriptor *descriptor, tsr_error *err)
{
    (void)text, (void)descriptor;
    return tsr_fail_without("JANSSON", err);
}

tsr_status tsr_bsp_print_origin(tsr_text *text, const tsr_bsp_origin *origin, tsr_error *err)
{
    (void)text, (void)origin;
    return tsr_fail_without("JANSSON", err);
}
