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
