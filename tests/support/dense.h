/* The oracle of kernels: tensors written out in full, and the evaluation of index notation on them.
 *
 * It is slow and obvious, and shares no code with src/lower: the right side is multiplied out completely, and
 * each term is summed over every coordinate of its variables. */
#ifndef DENSE_H
#define DENSE_H

#include <complex.h>
#include <stdbool.h>

#include "tsr_notation.h"
#include "tsr_pack.h"

/* A product with an absent entry is left out, so that 0 * Inf does not give NaN. Entries of an all-dense
 * tensor are never absent; zeros in a dense block below a sparse level are (as in tsr_lower.h). */
typedef struct dense {
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    uint64_t n; /* product of dims */
    double complex
        *v;       /* n values, the last mode fastest; 0 where absent. Imaginary parts of reals: exactly 0 */
    bool *stored; /* n entries */
} dense;

/* All entries absent. */
void dense_init(dense *d, int order, const uint64_t *dims);
void dense_clear(dense *d);
void dense_copy(dense *copy, const dense *d);
/* The index in v of the cell with these coordinates. */
uint64_t dense_offset(const dense *d, const uint64_t *at);
/* The contents of a packed tensor. Duplicates are added. */
void dense_from_tensor(dense *d, const tsr_tensor *tensor);
/* Pack the stored entries into a format (text as in tsr_format_parse), with values of `type`, which must be
 * able to hold them. options as in tsr_pack; for TSR_DUP_KEEP every third entry is stored twice, once with 1
 * and once with the rest. */
void dense_pack(tsr_tensor **out, const dense *d, const char *format, tsr_type type,
                const tsr_pack_options *options);

/* result = the value of the expression; for += it is added to the values of the result. operands[t]: tensor
 * t, NULL for the result. magnitude (may be NULL): for each entry of the result the sum of the absolute values
 * of its summands, which bounds the rounding error. */
void dense_evaluate(dense *result, double *magnitude, const tsr_notation *notation,
                    const dense *const *operands);

/* Fail the test, printing `what`, unless got equals want: NaN in the same cells, the same infinities, and all
 * other values within tolerance * magnitude (magnitude NULL: exactly equal). */
void dense_compare(const dense *got, const dense *want, const double *magnitude, double tolerance,
                   const char *what);

#endif
