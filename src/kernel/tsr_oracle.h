/* Whether the answer of a kernel is right: results are compared with each other, and with an oracle.
 *
 * The oracle evaluates an expression as it is written, cell by cell, over the box of all variables: slow and plain, and for small
 * tensors only. It adds, subtracts, multiplies and divides; it does not know semirings and functions. An entry that a sparse
 * operand does not store is absent: it is not multiplied (tsr_lower.h, "Zeros"). */
#ifndef TSR_ORACLE_H
#define TSR_ORACLE_H

#include "tsr_notation.h"
#include "tsr_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How far apart two results are. Integers are the same when all bits are. Floating-point sums in different orders are the same
 * when the largest difference is at most `tolerance` of the largest value; two NaNs are equal, and so are equal infinities. */
typedef struct tsr_comparison {
    bool same, whole;           /* whole: of integers; then ndifferent counts, else the three below tell */
    uint64_t n, ndifferent;     /* values that were compared, those that differ */
    double difference, largest; /* the largest difference; the largest finite value of the second result */
    double tolerance;           /* relative: 1e-10 for f64 and c128, 1e-4 for f32 and c64 */
} tsr_comparison;

/* Compare the stored values of two tensors, place by place; they have equally many and the same type. TSR_ARGUMENT when they do
 * not; TSR_NOMEM. */
tsr_status tsr_compare_values(tsr_comparison *out, const tsr_tensor *computed, const tsr_tensor *right,
                              tsr_error *err) TSR_NODISCARD;

/* What the oracle evaluates. */
typedef struct tsr_oracle_case {
    const tsr_notation *notation;
    const uint64_t *size;              /* notation->nvars: of each variable */
    const tsr_tensor *const *operands; /* notation->ntensors - 1, in the order of the notation */
    const tsr_tensor *before;          /* of +=: the result before the run; NULL: zeros */
    int nthreads;                      /* to unpack; 0: all */
} tsr_oracle_case;

/* Compare every cell of `computed`, a result of the case, with the oracle's. *fits is false, and *out all-zero, where the box of a
 * tensor or of the variables has more than 2^24 cells. TSR_NOMEM, TSR_CANCELLED. */
tsr_status tsr_oracle_compare(tsr_comparison *out, bool *fits, const tsr_oracle_case *c,
                              const tsr_tensor *computed, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
