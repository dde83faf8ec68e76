/* Operations whose offsets are known only at run time: dynamic slice and update, gather. */
#include "map_op_internal.h"

#include <inttypes.h>

static tsr_status check_block(tsr_shape shape, const uint64_t *sizes, tsr_error *err)
{
    TSR_TRY(tsr_map_op_check_dims(shape, err));
    for (int i = 0; i < shape.ndims; i++)
        if (sizes[i] > shape.dims[i])
            return tsr_fail(err, TSR_ARGUMENT, "a block of %" PRIu64 " does not fit into dim %d of %" PRIu64,
                            sizes[i], i, shape.dims[i]);
    return TSR_OK;
}

/* outside: the dims are those of the whole tensor and the results those of the block; else the reverse. */
static tsr_status block(tsr_map **out, bool outside, bool bounded, tsr_shape shape, const uint64_t *sizes,
                        tsr_error *err)
{
    *out = NULL;
    TSR_TRY(check_block(shape, sizes, err));
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS];
    tsr_map_op_begin(&op, err);
    tsr_map_op_dims(d, &op, (tsr_shape){shape.ndims, outside ? shape.dims : sizes});
    for (int i = 0; i < shape.ndims; i++) {
        const tsr_linear *rt = tsr_map_op_runtime(&op, shape.dims[i] - sizes[i] + 1);
        if (op.status != TSR_OK)
            break;
        const tsr_linear *x = tsr_linear_combine(&op.map->pool, 1, d[i], outside ? -1 : 1, rt);
        if (outside && bounded)
            tsr_map_op_need(&op, x, 0, (int64_t)sizes[i] - 1);
        tsr_map_op_result(&op, x);
    }
    return tsr_map_op_finish(out, &op);
}

tsr_status tsr_map_dynamic_slice(tsr_map **out, tsr_map_direction direction, tsr_shape shape,
                                 const uint64_t *sizes, tsr_error *err)
{
    return block(out, direction == TSR_INPUT_TO_OUTPUT, true, shape, sizes, err);
}

tsr_status tsr_map_dynamic_update(tsr_map **out, tsr_map_direction direction, tsr_shape shape,
                                  const uint64_t *sizes, tsr_error *err)
{
    return block(out, direction == TSR_OUTPUT_TO_INPUT, false, shape, sizes, err);
}

tsr_status tsr_map_gather(tsr_map **out, const tsr_gather *g, tsr_error *err)
{
    *out = NULL;
    TSR_TRY(check_block((tsr_shape){g->ndims, g->dims}, g->sizes, err));
    TSR_TRY(tsr_map_op_check_dims((tsr_shape){g->nout, g->out_dims}, err));
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS];
    int next = 0; /* index of the next offset dim */
    tsr_map_op_begin(&op, err);
    tsr_map_op_dims(d, &op, (tsr_shape){g->nout, g->out_dims});
    for (int i = 0; op.status == TSR_OK && i < g->ndims; i++) {
        const tsr_linear *x;
        if (g->collapsed[i]) {
            x = tsr_linear_const(&op.map->pool, 0);
            if (g->sizes[i] != 1)
                op.status = tsr_fail(
                    err, TSR_ARGUMENT,
                    "a gather can collapse only dims of which it takes 1 entry; of dim %d it takes %" PRIu64,
                    i, g->sizes[i]);
        } else if (next == g->noffset || g->offset[next] < 0 || g->offset[next] >= g->nout ||
                   g->out_dims[g->offset[next]] != g->sizes[i]) {
            op.status =
                tsr_fail(err, TSR_ARGUMENT,
                         "a gather takes %" PRIu64 " entries of dim %d, but no output dim runs over them",
                         g->sizes[i], i);
            x = NULL;
        } else {
            x = d[g->offset[next++]];
        }
        if (g->started[i] && op.status == TSR_OK) {
            const tsr_linear *rt = tsr_map_op_runtime(&op, g->dims[i] - g->sizes[i] + 1);
            x = op.status == TSR_OK ? tsr_linear_combine(&op.map->pool, 1, x, 1, rt) : NULL;
        }
        tsr_map_op_result(&op, x);
    }
    return tsr_map_op_finish(out, &op);
}
