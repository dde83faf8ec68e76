/* The version of the library. */
#include "tsr_version.h"

#include "tessera.h"

const char *tsr_version(void)
{
    return TSR_VERSION;
}

const char *tsr_left_out(void)
{
    return TSR_LEFT_OUT;
}

tsr_status tsr_fail_without(const char *part, tsr_error *err)
{
    return tsr_fail(err, TSR_UNSUPPORTED, "this build of Tessera is without %s (TSR_WITH_%s=OFF)", part,
                    part);
}
