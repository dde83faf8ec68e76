/* The version of Tessera. The macros are the version of these headers; tsr_version is the version of the
 * library that the program is linked with. The build reads the three numbers from this file. */
#ifndef TSR_VERSION_H
#define TSR_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

#define TSR_VERSION_MAJOR 0
#define TSR_VERSION_MINOR 1
#define TSR_VERSION_PATCH 0

/* For comparisons, #if TSR_VERSION_NUMBER >= 203 for 0.2.3 or later: 10000 major + 100 minor + patch. */
#define TSR_VERSION_NUMBER (10000 * TSR_VERSION_MAJOR + 100 * TSR_VERSION_MINOR + TSR_VERSION_PATCH)

/* "MAJOR.MINOR.PATCH" */
#define TSR_VERSION_TEXT_OF(major, minor, patch) #major "." #minor "." #patch
#define TSR_VERSION_TEXT_EXPAND(major, minor, patch) TSR_VERSION_TEXT_OF(major, minor, patch)
#define TSR_VERSION TSR_VERSION_TEXT_EXPAND(TSR_VERSION_MAJOR, TSR_VERSION_MINOR, TSR_VERSION_PATCH)

/* TSR_VERSION of the compiled library. A constant string. */
const char *tsr_version(void);

#ifdef __cplusplus
}
#endif
#endif
