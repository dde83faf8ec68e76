/* The value types (types.def), and operations on values of a type that is known only at run time. */
#ifndef TSR_TYPE_H
#define TSR_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_array.h"
#include "tsr_error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tsr_type {
#define X(name, text, ctype, nbytes, class) TSR_##name,
#include "types.def"
#undef X
    TSR_NTYPES
} tsr_type;

enum { TSR_MAX_VALUE_NBYTES = 16 };

/* Bytes of one value: 1, 2, 4, 8 or 16. */
size_t tsr_type_nbytes(tsr_type type);
/* The unsigned integers of 1, 2, 4 or 8 bytes. */
tsr_type tsr_type_unsigned(size_t nbytes);
/* "f64"; "?" for a number that is not a type. */
const char *tsr_type_name(tsr_type type);
/* The class letter of types.def: 'R' 'I' 'U' 'C' 'P'. */
char tsr_type_class(tsr_type type);
/* Whether values of the type are stored only, and computed with as f32: f16 and bf16. */
bool tsr_type_is_half(tsr_type type);
/* Whether the values are real numbers or integers, of 4 or 8 bytes. */
bool tsr_type_is_word(tsr_type type);
/* Whether all values of the type are doubles. */
bool tsr_type_is_double(tsr_type type);
/* The type of a result of values of both types. Complex wins over real, real over signed, signed over unsigned; the width is that of
 * the wider type. A real type with an integer of 4 or more bytes gives double. A pattern does not influence the type. f16 and bf16 are
 * stored only: f32 computes. */
tsr_type tsr_type_common(tsr_type a, tsr_type b);
/* The type with that name; TSR_ARGUMENT with the list of names if there is no such type. */
tsr_status tsr_type_parse(tsr_type *out, const char *text, tsr_error *err) TSR_NODISCARD;

/* *acc += *v for one value. False if an integer sum overflows: *acc has wrapped around. Pattern: 1 + 1 = 1. */
bool tsr_value_add(tsr_type type, void *acc, const void *v);
/* *v = -*v (for skew symmetry). False, with *v unchanged, if the result does not fit (unsigned except 0,
 * pattern, the smallest integer). */
bool tsr_value_negate(tsr_type type, void *v);
/* *v = conj(*v): changes complex values only. */
void tsr_value_conjugate(tsr_type type, void *v);
/* Convert n values of type `from` at src to type `to` at dst (src and dst do not overlap). An integer must
 * fit; a real becomes an integer only if it is integral and in range; a complex becomes real only if its
 * imaginary part is 0: else TSR_RANGE with the first such value. Conversion to f64 and f32 rounds once, to
 * nearest (f64 to f32 may give inf; integers from 2^53, or 2^24, may change), and so does conversion to f16 and bf16, where a
 * finite value that would become infinite does not fit (65520 in f16), and integers from 2^53 on are rounded to f64 before. A pattern source gives 1s.
 * Conversion to pattern drops the values. */
tsr_status tsr_values_convert(void *dst, tsr_type to, const void *src, tsr_type from, uint64_t n,
                              tsr_error *err) TSR_NODISCARD;
/* Convert the values of an array, which owns them, in the place where they are, by the rules of tsr_values_convert: no second array
 * is made. On failure the values are as before. TSR_RANGE, TSR_NOMEM. */
tsr_status tsr_values_retype(tsr_array *values, tsr_type to, tsr_type from, tsr_error *err) TSR_NODISCARD;
/* Print a value so that it reads back identical: complex as "re im", pattern as "1". Returns the number of
 * characters, at most TSR_VALUE_TEXT_NBYTES; writes no NUL. */
enum { TSR_VALUE_TEXT_NBYTES = 64 };
size_t tsr_value_print(char *buf, tsr_type type, const void *v);

#ifdef __cplusplus
}
#endif
#endif
