/* The version of the library that a program is linked with. The public header, tessera.h, holds the numbers. */
#ifndef TSR_VERSION_H
#define TSR_VERSION_H

#include "tsr_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "MAJOR.MINOR.PATCH"; a constant string. */
const char *tsr_version(void);

/* The parts that this build is without, as in "GZIP CONTAINERS" (TSR_WITH_...=OFF); "" where it has all. */
const char *tsr_left_out(void);
/* TSR_UNSUPPORTED: "this build of Tessera is without PART (TSR_WITH_PART=OFF)". */
tsr_status tsr_fail_without(const char *part, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
