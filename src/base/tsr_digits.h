/* Runs of decimal digits, inline: eight at a time, no branch that depends on how many there are. For the
 * inner loops of text readers; tsr_num.h has the general parsers. */
#ifndef TSR_DIGITS_H
#define TSR_DIGITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TSR_DIGITS_PADDING = 24 }; /* bytes that must be readable from the first digit on */

#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* The digits at p, at most 8: their value in *v, their number as the result (0: none). */
static inline size_t tsr_digits_upto8(uint64_t *v, const char *p)
{
    uint64_t w;
    memcpy(&w, p, 8);
    w ^= 0x3030303030303030u; /* digits become bytes 0..9; a carry below only reaches later bytes */
    const uint64_t other = ((w + 0x7676767676767676u) | w) & 0x8080808080808080u;
    const size_t n = other ? (size_t)__builtin_ctzll(other) / 8 : 8;
    w = n ? w << (64 - 8 * n) : 0; /* right-aligned: zero bytes stand for leading zeros */
    w = w * 10 + (w >> 8);         /* pairs, then fours and eights */
    *v = ((w & 0x000000ff000000ffu) * 0x000f424000000064u +
          ((w >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u) >>
         32;
    return n;
}
#else
static inline size_t tsr_digits_upto8(uint64_t *v, const char *p)
{
    size_t n = 0;
    *v = 0;
    while (n < 8 && (unsigned char)(p[n] - '0') < 10)
        *v = *v * 10 + (uint64_t)(p[n++] - '0');
    return n;
}
#endif

/* The run of 1 to 19 digits at p as *v; returns the byte after it. NULL when there are none or more than 19.
 * TSR_DIGITS_PADDING bytes from p on must be readable. */
static inline const char *tsr_digits(uint64_t *v, const char *p)
{
    static const uint32_t pow10[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    size_t n = tsr_digits_upto8(v, p);
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
