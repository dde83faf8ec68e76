/* The exact comparison for num_parse.c: decimal digits of any number against m * 2^e. */
#ifndef TSR_NUM_EXACT_H
#define TSR_NUM_EXACT_H

#include <stdint.h>

/* The sign of x - m * 2^e. x is the decimal number with the digits [digits, stop), which may contain one '.',
 * times 10^exp10. Requires 0 < m < 2^54, and x within a factor of two of m * 2^e. */
int tsr_num_compare(const char *digits, const char *stop, int64_t exp10, uint64_t m, int e);

#endif
