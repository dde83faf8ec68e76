/* The version of the library that a program is linked with. The public header, tessera.h, holds the numbers. */
#ifndef TSR_VERSION_H
#define TSR_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

/* "MAJOR.MINOR.PATCH"; a constant string. */
const char *tsr_version(void);

/* The parts that this build is without, as in "GZIP CONTAINERS" (TSR_WITH_...=OFF); "" where it has all. */
const char *tsr_left_out(void);

#ifdef __cplusplus
}
#endif
#endif
