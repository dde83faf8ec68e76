/* Loops that are marked VECTOR become vectors of vector_nbytes bytes: tsr_ir_vectorize says which loops, and how.
 *
 *     for r in [0, 16) vector               y[first; 8] += x * B[row; 8]
 *       y[first + r] += x * B[row + r] ->   y[first + 8; 8] += x * B[row + 8; 8]
 *
 * The program before stays beside the new one (tsr_ir.plain): the source of portable C. */
#include "passes_internal.h"

tsr_status pass_vectors(tsr_ir *ir, tsr_error *err)
{
    tsr_ir *made;
    if (!ir->vector_nbytes)
        return TSR_OK;
    TSR_TRY(tsr_ir_vectorize(&made, ir, ir->vector_nbytes, err));
    tsr_ir_exchange(ir, made);
    ir->plain = made;
    return TSR_OK;
}
