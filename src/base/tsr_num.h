/* Numbers and text: locale-free, correctly rounded, shortest round trip.
 *
 * Parsers read at p, never at or past end, skip no blanks, and return the first byte that is not part of the
 * number; the caller checks that it is a separator. They return NULL when there is no number at p, or when it
 * does not fit (*out tells which: see each). */
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
/* [+-](digits[.digits] | .digits)[(e|E|d|D)[+-]digits], or nan, inf, infinity in any case (signed). Rounded
 * to nearest, ties to even, whatever the number of digits; too large gives +-inf, too small +-0. NULL: no
 * number. An 'e' with no digits after it is not part of the number. f32 is rounded once (not through double).
 * Method: Eisel-Lemire (Lemire, "Number parsing at a gigabyte per second", 2021), with an exact
 * big-integer comparison where it cannot decide. (All are a little faster for the last number of a text
 * when `end` leaves 8 or more bytes behind it, as in a tsr_block with some of its padding counted in: the
 * zeros end any number.) */
const char *tsr_parse_f64(double *out, const char *p, const char *end);
const char *tsr_parse_f32(float *out, const char *p, const char *end);

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
