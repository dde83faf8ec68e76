/* What the constructors of tsr_map_ops.h share: a map under construction with a sticky failure. After a
 * failure expressions are NULL, nothing more is added, and tsr_map_op_finish returns the first error. */
#ifndef TSR_MAP_OP_INTERNAL_H
#define TSR_MAP_OP_INTERNAL_H

#include "map_internal.h"
#include "tsr_map_ops.h"

typedef struct tsr_map_op {
    tsr_map *map;
    const tsr_linear *results[TSR_MAP_MAX_RESULTS];
    int nresults;
    tsr_status status;
    tsr_error *err;
} tsr_map_op;

void tsr_map_op_begin(tsr_map_op *op, tsr_error *err);
/* Add a dim in [0, size - 1] and return it. Add all dims before range symbols and those before runtime
 * symbols. */
const tsr_linear *tsr_map_op_dim(tsr_map_op *op, uint64_t size);
const tsr_linear *tsr_map_op_range(tsr_map_op *op, uint64_t size);
const tsr_linear *tsr_map_op_runtime(tsr_map_op *op, uint64_t size);
/* Add all dims of a shape; vars[i] is dim i. */
void tsr_map_op_dims(const tsr_linear **vars, tsr_map_op *op, tsr_shape shape);
/* x * k + c */
const tsr_linear *tsr_map_op_affine(tsr_map_op *op, const tsr_linear *x, int64_t k, int64_t c);
/* Require x to be in [lo, hi]; adds nothing if the bounds imply it. */
void tsr_map_op_need(tsr_map_op *op, const tsr_linear *x, int64_t lo, int64_t hi);
/* x floordiv k, and the constraint that x is a multiple of k. */
const tsr_linear *tsr_map_op_exact_div(tsr_map_op *op, const tsr_linear *x, int64_t k);
/* Add x as the next result. */
void tsr_map_op_result(tsr_map_op *op, const tsr_linear *x);
/* Return the map; op may not be used afterwards. */
tsr_status tsr_map_op_finish(tsr_map **out, tsr_map_op *op) TSR_NODISCARD;

/* TSR_LIMIT unless every dim fits into int64 and there are at most TSR_MAP_MAX_VARS of them. */
tsr_status tsr_map_op_check_dims(tsr_shape shape, tsr_error *err) TSR_NODISCARD;
/* Write a shape as "[4, 8]" (cut when it is long) into buf of TSR_MAP_OP_SHAPE_NBYTES bytes; returns buf. */
enum { TSR_MAP_OP_SHAPE_NBYTES = 100 };
const char *tsr_map_op_shape_text(char *buf, tsr_shape shape);

#endif
