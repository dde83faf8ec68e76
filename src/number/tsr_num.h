/* Numbers and text: locale-free, correctly rounded, shortest round trip.
 *
 * Parsers read at p, never at `end` or after it, skip no blanks, and return a pointer to the first byte that
 * is not part of the number; the caller checks that this byte is a separator. They return NULL when there is
 * no number at p, or when the number does not fit; then *out tells the two cases apart (see each parser). */
#ifndef TSR_NUM_H
#define TSR_NUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* [+]digits. NULL with *out = 0: no digits; NULL with *out = UINT64_MAX: over 64 bits. */
const char *tsr_parse_u64(uint64_t *out, const char *p, const char *end);
/* [+-]digits. NULL with *out = 0: no digits; NULL with *out = INT64_MAX or INT64_MIN: out of range. */
const char *tsr_parse_i64(int64_t *out, const char *p, const char *end);
/* [+-](digits[.digits] | .digits)[(e|E|d|D)[+-]digits], or nan, inf, infinity in any case, with an optional
 * sign. Rounded to nearest, ties to even, for any number of digits; a number that is too large gives +-inf,
 * one that is too small +-0. NULL: not a number. An 'e' without digits after it is not part of the number.
 * f32 is rounded once (not through double). Method: Eisel-Lemire (Lemire, "Number parsing at a gigabyte per
 * second", 2021), and an exact big-integer comparison where that method cannot decide. (All parsers are a
 * little faster for the last number of a text if `end` is 8 or more bytes after it, as in a tsr_block with
 * some of its padding: the zeros end any number.) */
const char *tsr_parse_f64(double *out, const char *p, const char *end);
const char *tsr_parse_f32(float *out, const char *p, const char *end);

/* Print into buf, without a NUL; return the number of characters. buf has room for at least TSR_..._NBYTES
 * bytes, and all of that may be overwritten whatever the return value is.
 * Floats: of the shortest decimals that read back identical, the one nearest to the value (Schubfach:
 * Giulietti, "The Schubfach way to render doubles", 2021); so integers below 2^53 (f32: 2^24) print exactly.
 * With d.ddd * 10^e the scientific form of these digits: -5 <= e <= 16 prints in full without exponent, and
 * without a point when integral ("3", "0.1", "0.000012", "12345678901234568"); any other e prints as "1e+22",
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
