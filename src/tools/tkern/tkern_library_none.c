/* A build without kernels made ahead of time: see tkern.h. */
#include "tkern.h"

tsr_status tsr_tkern_library(const tsr_tkern_settings *s, tsr_error *err)
{
    (void)s;
    return tsr_fail(err, TSR_UNSUPPORTED, "--emit=library: this program does not write libraries of kernels");
}
