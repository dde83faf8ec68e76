/* The powers of ten behind number parsing and printing: one table for both, written by gen/gen_pow10.c. */
#ifndef TSR_NUM_POW10_H
#define TSR_NUM_POW10_H

#include <stdint.h>

enum {
    TSR_POW10_MIN = -342, /* 2^64 * 10^-343 is under half of the smallest subnormal double */
    TSR_POW10_MAX = 324,  /* the largest that Schubfach asks for: the smallest subnormal is 4.9e-324 */
    TSR_POW10_EXACT = 55, /* 0..55 are exact, all others truncated */
};

/* tsr_pow10[q - TSR_POW10_MIN] = {hi, lo}: the first 128 bits of 10^q, hi >= 2^63. */
extern const uint64_t tsr_pow10[TSR_POW10_MAX - TSR_POW10_MIN + 1][2];

/* floor(log2(10^q)) for |q| <= 1233: 1741647 / 2^19 is log2(10) to within 2^-23. */
static inline int tsr_log2_pow10(int q)
{
    return (q * 1741647) >> 19;
}

#endif
