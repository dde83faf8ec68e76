/* Runs of decimal digits, inline: eight digits at a time, without a branch that depends on the number of
 * digits. For the inner loops of text readers; tsr_num.h has the general parsers. */
#ifndef TSR_DIGITS_H
#define TSR_DIGITS_H

#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { TSR_DIGITS_PADDING = 24 }; /* bytes that must be readable from the first digit on */

/* Eight characters as one word, the first in the low byte: a digit becomes 0..9, any other character more
 * than 9. Reads p[0..8). */
static inline uint64_t tsr_digits_load8(const char *p)
{
    uint64_t word;
    memcpy(&word, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word ^ UINT64_C(0x3030303030303030);
}

/* Bit 8 * i + 7 is set if character i is not a digit. The bits are right up to and including the first
 * character that is not a digit. */
static inline uint64_t tsr_digits_others(uint64_t word)
{
    /* A sum above 0xff carries into the next byte, but then this byte is not a digit. */
    return ((word + UINT64_C(0x7676767676767676)) | word) & UINT64_C(0x8080808080808080);
}

/* The index of the first character that is not a digit. Requires others != 0. */
static inline int tsr_digits_first(uint64_t others)
{
    return __builtin_ctzll(others) >> 3;
}

/* The number that eight digits spell. For the first n > 0 of the digits pass word << (64 - 8 * n). */
static inline uint32_t tsr_digits_value(uint64_t word)
{
    const uint64_t mask = UINT64_C(0x000000ff000000ff);
    /* add pairs of digits, in the even bytes; then pairs of pairs, then both halves */
    word = word * 10 + (word >> 8);
    return (uint32_t)(((word & mask) * (100 + (UINT64_C(1000000) << 32)) +
                       (word >> 16 & mask) * (1 + (UINT64_C(10000) << 32))) >>
                      32);
}

/* Read the digits at p, at most 8: *v is their value. Returns how many there are (0: p is not at a digit).
 * Reads p[0..8). */
static inline int tsr_digits_upto8(uint64_t *v, const char *p)
{
    const uint64_t word = tsr_digits_load8(p), others = tsr_digits_others(word);
    const int n = others ? tsr_digits_first(others) : 8;
    *v = tsr_digits_value(n ? word << (64 - 8 * n) : 0);
    return n;
}

/* Bit i is set if character i of p[0..32) is not a digit. */
static inline uint32_t tsr_digits_others32(const char *p)
{
#ifdef __SSE2__
    const __m128i zero = _mm_set1_epi8('0' + 128 - 256), nine = _mm_set1_epi8(9 - 128);
    /* c - '0' as a number of 8 bits, less 128: above 9 - 128 if c is not a digit */
    const __m128i low = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), zero),
                  high = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)(p + 16)), zero);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(low, nine)) |
           (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(high, nine)) << 16;
#else
    uint32_t all = 0;
    for (int i = 0; i < 4; i++) {
        const uint64_t word = tsr_digits_load8(p + 8 * i), low = UINT64_C(0x7f7f7f7f7f7f7f7f);
        const uint64_t others = (((word & low) + UINT64_C(0x7676767676767676)) | word) & ~low;
        all |= (uint32_t)((others >> 7) * UINT64_C(0x0102040810204080) >> 56) << (8 * i);
    }
    return all;
#endif
}

/* The number that n digits at p spell, 1 <= n <= 8. Reads p[0..8). */
static inline uint32_t tsr_digits_short(const char *p, unsigned n)
{
    return tsr_digits_value(tsr_digits_load8(p) << (64 - 8 * n));
}

/* Read the run of 1 to 19 digits at p into *v; returns a pointer to the byte after the run. NULL when there
 * are 0 or more than 19 digits. TSR_DIGITS_PADDING bytes from p on must be readable. */
static inline const char *tsr_digits(uint64_t *v, const char *p)
{
    static const uint32_t pow10[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    int n = tsr_digits_upto8(v, p);
    if (n < 8)
        return n ? p + n : NULL;
    uint64_t more;
    n = tsr_digits_upto8(&more, p + 8);
    *v = *v * pow10[n] + more;
    if (n < 8)
        return p + 8 + n;
    n = tsr_digits_upto8(&more, p + 16);
    *v = *v * pow10[n & 3] + more;
    return n <= 3 ? p + 16 + n : NULL;
}

#endif
