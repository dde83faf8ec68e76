/* The version of the library. */
#include "tsr_version.h"

const char *tsr_version(void)
{
    return TSR_VERSION;
}
