/* Reshape. Both shapes are cut into the shortest runs of dims that have the same number of cells. Inside a
 * run the coordinates are joined into one number, row-major, and split again. So the numbers stay as small as
 * possible, and dims of different runs never mix. */
#include "map_op_internal.h"

#include "tsr_checked.h"

/* Dims [i, i_end) of one shape have as many cells as dims [o, o_end) of the other shape. */
typedef struct run {
    int i, i_end, o, o_end;
} run;

static tsr_status mismatch(tsr_shape shape, tsr_shape out_shape, tsr_error *err)
{
    char a[TSR_MAP_OP_SHAPE_NBYTES], b[TSR_MAP_OP_SHAPE_NBYTES];
    return tsr_fail(err, TSR_ARGUMENT,
                    "a reshape keeps the number of cells, but %s and %s have different numbers of cells",
                    tsr_map_op_shape_text(a, shape), tsr_map_op_shape_text(b, out_shape));
}

/* Find the next run after r->i_end, r->o_end. It may be empty in one shape where the other has a dim of 1. */
static tsr_status next_run(run *r, tsr_shape shape, tsr_shape out_shape, tsr_error *err)
{
    *r = (run){.i = r->i_end, .i_end = r->i_end, .o = r->o_end, .o_end = r->o_end};
    uint64_t a = 1, b = 1;
    do {
        bool fits;
        if (a <= b && r->i_end < shape.ndims)
            fits = tsr_mul_u64(&a, a, shape.dims[r->i_end++]);
        else if (b <= a && r->o_end < out_shape.ndims)
            fits = tsr_mul_u64(&b, b, out_shape.dims[r->o_end++]);
        else
            return mismatch(shape, out_shape, err);
        if (!fits || a > INT64_MAX || b > INT64_MAX) {
            char text[TSR_MAP_OP_SHAPE_NBYTES];
            return tsr_fail(err, TSR_LIMIT, "a reshape of %s joins dims whose product is over 2^63 - 1",
                            tsr_map_op_shape_text(text, shape));
        }
    } while (a != b);
    return TSR_OK;
}

/* Join d[0..from.ndims) into one number and split it into the dims of `to`, as results. */
static void add_run(tsr_map_op *op, const tsr_linear *const *d, tsr_shape from, tsr_shape to)
{
    if (op->status != TSR_OK)
        return;
    tsr_pool *pool = &op->map->pool;
    const tsr_linear *joined = tsr_linear_const(pool, 0);
    int64_t below = 1; /* cells that one step of the dim spans; the product of the run fits */
    for (int i = 0; i < from.ndims; i++)
        joined = tsr_linear_combine(pool, (int64_t)from.dims[i], joined, 1, d[i]);
    for (int i = 0; i < to.ndims; i++)
        below *= (int64_t)to.dims[i];
    for (int i = 0; i < to.ndims; i++) {
        below /= (int64_t)to.dims[i];
        const tsr_linear *x = tsr_linear_floordiv(pool, joined, below);
        tsr_map_op_result(op, i == 0 ? x : tsr_linear_mod(pool, x, (int64_t)to.dims[i]));
    }
}

static bool has_zero(tsr_shape shape)
{
    for (int d = 0; d < shape.ndims; d++)
        if (shape.dims[d] == 0)
            return true;
    return false;
}

static tsr_status reshape(tsr_map **out, tsr_shape from, tsr_shape to, tsr_error *err)
{
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS];
    run r = {0};
    tsr_map_op_begin(&op, err);
    tsr_map_op_dims(d, &op, from);
    const bool empty = has_zero(from);
    if (op.status == TSR_OK && empty != has_zero(to))
        op.status = mismatch(from, to, err);
    for (int i = 0; op.status == TSR_OK && empty && i < to.ndims; i++)
        tsr_map_op_result(&op, tsr_linear_const(&op.map->pool, 0));
    while (op.status == TSR_OK && !empty && (r.i_end < from.ndims || r.o_end < to.ndims)) {
        op.status = next_run(&r, from, to, err);
        if (op.status == TSR_OK)
            add_run(&op, d + r.i, (tsr_shape){r.i_end - r.i, from.dims + r.i},
                    (tsr_shape){r.o_end - r.o, to.dims + r.o});
    }
    tsr_map *raw;
    TSR_TRY(tsr_map_op_finish(&raw, &op));
    const tsr_status status = tsr_map_simplify(out, raw, err);
    tsr_map_free(raw);
    return status;
}

tsr_status tsr_map_reshape(tsr_map **out, tsr_map_direction direction, tsr_shape shape, tsr_shape out_shape,
                           tsr_error *err)
{
    *out = NULL;
    TSR_TRY(tsr_map_op_check_dims(shape, err));
    TSR_TRY(tsr_map_op_check_dims(out_shape, err));
    if (direction == TSR_OUTPUT_TO_INPUT)
        return reshape(out, out_shape, shape, err);
    return reshape(out, shape, out_shape, err);
}
