/* Numbers and text: locale-free, correctly rounded, shortest round trip.
 *
 * Parsers read at p, never at or past end, skip no blanks, and return the first byte that is not part of the
 * number; the caller checks that it is a separator. They return NULL when there is no number at p, or when it
 * does not fit (*out tells which: see each). */
#ifndef TSR_NUM_H
#define TSR_NUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* [+]digits. NULL with *out = 0: no digits; NULL with *out = UINT64_MAX: over 64 bits. */
const char *tsr_parse_u64(uint64_t *out, const char *p, const char *end);
/* [+-]digits. NULL with *out = 0: no digits; NULL with *out = INT64_MAX or INT64_MIN: out of range. */
const char *tsr_parse_i64(int64_t *out, const char *p, const char *end);
/* [+-](digits[.digits] | .digits)[(e|E|d|D)[+-]digits], or nan, inf, infinity in any case (signed). Rounded
 * to nearest, ties to even, whatever the number of digits; too large gives +-inf, too small +-0. NULL: no
 * number. An 'e' with no digits after it is not part of the number. f32 is rounded once (not through double).
 * Method: Eisel-Lemire (Lemire, "Number parsing at a gigabyte per second", 2021), with an exact
 * big-integer comparison where it cannot decide. */
const char *tsr_parse_f64(double *out, const char *p, const char *end);
const char *tsr_parse_f32(float *out, const char *p, const char *end);

/* Eight characters at p as values 0..9 (digits) or above, the first in the low byte. Reads p[0..8). */
static inline uint64_t tsr_num_load8(const char *p)
{
    uint64_t t;
    memcpy(&t, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    t = __builtin_bswap64(t);
#endif
    return t ^ UINT64_C(0x3030303030303030);
}
/* Bit 8 * i + 7 tells that character i is no digit; right up to the first that is not. */
static inline uint64_t tsr_num_others8(uint64_t t)
{
    /* A sum above 0xff carries into the next byte, but then this byte is no digit. */
    return ((t + UINT64_C(0x7676767676767676)) | t) & UINT64_C(0x8080808080808080);
}
/* The index of the first character that is no digit; others != 0. */
static inline int tsr_num_first8(uint64_t others)
{
    return __builtin_ctzll(others) >> 3;
}
/* The number that eight digits spell. To read the first n > 0 of them pass t << (64 - 8 * n). */
static inline uint32_t tsr_num_value8(uint64_t t)
{
    const uint64_t mask = UINT64_C(0x000000ff000000ff);
    t = t * 10 + (t >> 8); /* pairs, in the even bytes */
    return (uint32_t)(((t & mask) * (100 + (UINT64_C(1000000) << 32)) +
                       (t >> 16 & mask) * (1 + (UINT64_C(10000) << 32))) >>
                      32);
}

/* tsr_parse_u64 for text in a tsr_block, inline: at least 8 bytes must be readable at `end`, the first of
 * them no digit. (In such text the other parsers too are a little faster when the caller adds
 * TSR_INPUT_PADDING - 1 to the end that it passes: the zeros end any number.) */
static inline const char *tsr_parse_u64_padded(uint64_t *out, const char *p, const char *end)
{
    const uint64_t t = tsr_num_load8(p);
    const uint64_t others = tsr_num_others8(t);
    if (others == 0 || others & 0x80) /* more than 7 digits, or none */
        return tsr_parse_u64(out, p, end);
    const int n = tsr_num_first8(others);
    *out = tsr_num_value8(t << (64 - 8 * n));
    return p + n;
}

/* Print into buf, no NUL; return the number of characters. buf has room for at least TSR_..._NBYTES, and all
 * of that may be overwritten whatever the return value.
 * Floats: the shortest digits that read back identical, the nearest to the value among those (Schubfach:
 * Giulietti, "The Schubfach way to render doubles", 2021); so integers below 2^53 (f32: 2^24) print exactly.
 * With d.ddd * 10^e the scientific form of these digits: -5 <= e <= 16 prints in full without exponent and
 * without a point when integral ("3", "0.1", "0.000012", "12345678901234568"), any other e as "1e+22",
 * "1.5e-7". Also "0", "-0", "inf", "-inf", and "nan" for every NaN. */
enum { TSR_U64_NBYTES = 20, TSR_I64_NBYTES = 20, TSR_F64_NBYTES = 26, TSR_F32_NBYTES = 26 };
size_t tsr_print_u64(char *buf, uint64_t v);
size_t tsr_print_i64(char *buf, int64_t v);
size_t tsr_print_f64(char *buf, double v);
size_t tsr_print_f32(char *buf, float v);

#ifdef __cplusplus
}
#endif
#endif
