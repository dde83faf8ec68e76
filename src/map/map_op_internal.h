/* What the constructors of tsr_map_ops.h share: a map under construction that goes sticky. After a failure
 * expressions are NULL, nothing more is added, and tsr_map_op_finish tells the first reason. */
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
/* The new variable, in [0, size - 1]. Dims come before range symbols before runtime symbols. */
const tsr_linear *tsr_map_op_dim(tsr_map_op *op, uint64_t size);
const tsr_linear *tsr_map_op_range(tsr_map_op *op, uint64_t size);
const tsr_linear *tsr_map_op_runtime(tsr_map_op *op, uint64_t size);
/* All dims of a shape. */
void tsr_map_op_dims(const tsr_linear **vars, tsr_map_op *op, int ndims, const uint64_t *dims);
/* x * k + c */
const tsr_linear *tsr_map_op_affine(tsr_map_op *op, const tsr_linear *x, int64_t k, int64_t c);
/* Demand x in [lo, hi], unless that holds anyway. */
void tsr_map_op_need(tsr_map_op *op, const tsr_linear *x, int64_t lo, int64_t hi);
/* x floordiv k, where x has to be a multiple of k. */
const tsr_linear *tsr_map_op_exact_div(tsr_map_op *op, const tsr_linear *x, int64_t k);
/* The next result. */
void tsr_map_op_result(tsr_map_op *op, const tsr_linear *x);
/* The map; op is used up. */
tsr_status tsr_map_op_finish(tsr_map **out, tsr_map_op *op) TSR_NODISCARD;

/* Every dim fits into int64 and there are not too many. */
tsr_status tsr_map_op_check_dims(int ndims, const uint64_t *dims, tsr_error *err) TSR_NODISCARD;
/* "[4, 8]" of a shape, cut when it is long, into buf of TSR_MAP_OP_SHAPE_NBYTES; returns buf. */
enum { TSR_MAP_OP_SHAPE_NBYTES = 100 };
const char *tsr_map_op_shape_text(char *buf, int ndims, const uint64_t *dims);

/* The window with its zeros replaced, for an operand dim of n; *nout: how many windows fit. */
tsr_status tsr_map_op_window(tsr_index_window *out, uint64_t *nout, const tsr_index_window *window, uint64_t n, int dim,
                             tsr_error *err) TSR_NODISCARD;
/* What window cell s (NULL: the only one) at output coordinate d reads, of a dim of n. */
const tsr_linear *tsr_map_op_window_cell(tsr_map_op *op, const tsr_index_window *window, uint64_t n,
                                         const tsr_linear *d, const tsr_linear *s);

#endif
