/* The table of powers of ten for parsing and printing numbers. */
#ifndef TSR_NUM_POW10_H
#define TSR_NUM_POW10_H

#include <stdint.h>

enum {
    TSR_POW10_MIN = -342, /* 2^64 * 10^-343 is under half of the smallest subnormal double */
    TSR_POW10_MAX = 324,  /* the largest power that Schubfach needs: the smallest subnormal is 4.9e-324 */
    TSR_POW10_EXACT = 55, /* powers 0 to 55 are exact, all others are truncated */
};

/* tsr_pow10[q - TSR_POW10_MIN] = {hi, lo}: the first 128 bits of 10^q, hi >= 2^63. Written by
 * gen/gen_pow10.c. */
extern const uint64_t tsr_pow10[TSR_POW10_MAX - TSR_POW10_MIN + 1][2];

__extension__ typedef unsigned __int128 tsr_u128;

/* tsr_pow10_u64[i] = 10^i: all powers of ten that fit 64 bits. */
static const uint64_t tsr_pow10_u64[20] = {
    UINT64_C(1),
    UINT64_C(10),
    UINT64_C(100),
    UINT64_C(1000),
    UINT64_C(10000),
    UINT64_C(100000),
    UINT64_C(1000000),
    UINT64_C(10000000),
    UINT64_C(100000000),
    UINT64_C(1000000000),
    UINT64_C(10000000000),
    UINT64_C(100000000000),
    UINT64_C(1000000000000),
    UINT64_C(10000000000000),
    UINT64_C(100000000000000),
    UINT64_C(1000000000000000),
    UINT64_C(10000000000000000),
    UINT64_C(100000000000000000),
    UINT64_C(1000000000000000000),
    UINT64_C(10000000000000000000),
};

/* floor(log2(10^q)) for |q| <= 1233: 1741647 / 2^19 is log2(10) to within 2^-23. */
static inline int tsr_log2_pow10(int q)
{
    return (q * 1741647) >> 19;
}

#endif
