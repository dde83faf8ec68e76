/* The version of the library. */
#include "tsr_version.h"

#include "tessera.h"

const char *tsr_version(void)
{
    return TSR_VERSION;
}
