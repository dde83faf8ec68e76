/* Checked arithmetic on sizes. A function with an *out stores the result and returns true; when the result
 * does not fit it returns false and does not write *out. */
#ifndef TSR_CHECKED_H
#define TSR_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

static inline bool tsr_add_u64(uint64_t *out, uint64_t a, uint64_t b)
{
    if (a > UINT64_MAX - b)
        return false;
    *out = a + b;
    return true;
}

static inline bool tsr_mul_u64(uint64_t *out, uint64_t a, uint64_t b)
{
#if defined(__GNUC__)
    uint64_t r;
    if (__builtin_mul_overflow(a, b, &r))
        return false;
    *out = r;
    return true;
#else
    if (b != 0 && a > UINT64_MAX / b)
        return false;
    *out = a * b;
    return true;
#endif
}

/* The greatest common divisor; 0 for 0 and 0. */
static inline uint64_t tsr_gcd_u64(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static inline bool tsr_add_i64(int64_t *out, int64_t a, int64_t b)
{
    if ((b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b))
        return false;
    *out = a + b;
    return true;
}

static inline bool tsr_mul_i64(int64_t *out, int64_t a, int64_t b)
{
#if defined(__GNUC__)
    int64_t r;
    if (__builtin_mul_overflow(a, b, &r))
        return false;
    *out = r;
    return true;
#else
    if (a != 0 && b != 0) {
        if ((a == -1 && b == INT64_MIN) || (b == -1 && a == INT64_MIN))
            return false;
        const int64_t q = INT64_MAX / (a > 0 ? a : -a);
        if (a != INT64_MIN && b != INT64_MIN && (b > 0 ? b : -b) > q)
            return false;
        if (a == INT64_MIN && b != 1)
            return false;
        if (b == INT64_MIN && a != 1)
            return false;
    }
    *out = a * b;
    return true;
#endif
}

/* The upper half of the 128-bit product. */
static inline uint64_t tsr_mulhi_u64(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 u128;
    return (uint64_t)((u128)a * b >> 64);
#else
    const uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32); /* < 2^64: (2^32 - 1)^2 + 2^32 - 1 */
    return a1 * b1 + (middle >> 32) + ((middle & UINT32_MAX) + a0 * b1 >> 32);
#endif
}

#endif
