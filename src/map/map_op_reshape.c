/* Reshape. Both shapes are cut into the shortest runs of dims that have the same number of cells. Inside a
 * run the coordinates are joined into one number, row-major, and split again. So the numbers stay as small as
 * possible, and dims of different runs never mix. */
#include "map_op_internal.h"

#include "tsr_checked.h"

/* Dims [i, i_end) of one shape have as many cells as dims [o, o_end) of the other shape. */
typedef struct run {
    int i, i_end, o, o_end;
} run;

static tsr_status mismatch(int ndims, const uint64_t *dims, int nout, const uint64_t *out_dims,
                           tsr_error *err)
{
    char a[TSR_MAP_OP_SHAPE_NBYTES], b[TSR_MAP_OP_SHAPE_NBYTES];
    return tsr_fail(err, TSR_ARGUMENT,
                    "a reshape keeps the number of cells, but %s and %s have different numbers of cells",
                    tsr_map_op_shape_text(a, ndims, dims), tsr_map_op_shape_text(b, nout, out_dims));
}

/* Find the next run after r->i_end, r->o_end. It may be empty in one shape where the other has a dim of 1. */
static tsr_status next_run(run *r, int ndims, const uint64_t *dims, int nout, const uint64_t *out_dims,
                           tsr_error *err)
{
    *r = (run){.i = r->i_end, .i_end = r->i_end, .o = r->o_end, .o_end = r->o_end};
    uint64_t a = 1, b = 1;
    do {
        bool fits;
        if (a <= b && r->i_end < ndims)
            fits = tsr_mul_u64(&a, a, dims[r->i_end++]);
        else if (b <= a && r->o_end < nout)
            fits = tsr_mul_u64(&b, b, out_dims[r->o_end++]);
        else
            return mismatch(ndims, dims, nout, out_dims, err);
        if (!fits || a > INT64_MAX || b > INT64_MAX) {
            char text[TSR_MAP_OP_SHAPE_NBYTES];
            return tsr_fail(err, TSR_LIMIT, "a reshape of %s joins dims whose product is over 2^63 - 1",
                            tsr_map_op_shape_text(text, ndims, dims));
        }
    } while (a != b);
    return TSR_OK;
}

/* Join d[0..ndims) into one number and split it into the dims of `to`, as results. */
static void add_run(tsr_map_op *op, const tsr_linear *const *d, int ndims, const uint64_t *dims, int nto,
                    const uint64_t *to)
{
    if (op->status != TSR_OK)
        return;
    tsr_pool *pool = &op->map->pool;
    const tsr_linear *joined = tsr_linear_const(pool, 0);
    int64_t below = 1; /* cells that one step of the dim spans; the product of the run fits */
    for (int i = 0; i < ndims; i++)
        joined = tsr_linear_combine(pool, (int64_t)dims[i], joined, 1, d[i]);
    for (int i = 0; i < nto; i++)
        below *= (int64_t)to[i];
    for (int i = 0; i < nto; i++) {
        below /= (int64_t)to[i];
        const tsr_linear *x = tsr_linear_floordiv(pool, joined, below);
        tsr_map_op_result(op, i == 0 ? x : tsr_linear_mod(pool, x, (int64_t)to[i]));
    }
}

static bool has_zero(int ndims, const uint64_t *dims)
{
    for (int d = 0; d < ndims; d++)
        if (dims[d] == 0)
            return true;
    return false;
}

static tsr_status reshape(tsr_map **out, int nfrom, const uint64_t *from, int nto, const uint64_t *to,
                          tsr_error *err)
{
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS];
    run r = {0};
    tsr_map_op_begin(&op, err);
    tsr_map_op_dims(d, &op, nfrom, from);
    const bool empty = has_zero(nfrom, from);
    if (op.status == TSR_OK && empty != has_zero(nto, to))
        op.status = mismatch(nfrom, from, nto, to, err);
    for (int i = 0; op.status == TSR_OK && empty && i < nto; i++)
        tsr_map_op_result(&op, tsr_linear_const(&op.map->pool, 0));
    while (op.status == TSR_OK && !empty && (r.i_end < nfrom || r.o_end < nto)) {
        op.status = next_run(&r, nfrom, from, nto, to, err);
        if (op.status == TSR_OK)
            add_run(&op, d + r.i, r.i_end - r.i, from + r.i, r.o_end - r.o, to + r.o);
    }
    tsr_map *raw;
    TSR_TRY(tsr_map_op_finish(&raw, &op));
    const tsr_status status = tsr_map_simplify(out, raw, err);
    tsr_map_free(raw);
    return status;
}

tsr_status tsr_map_reshape(tsr_map **out, tsr_map_direction direction, int ndims, const uint64_t *dims,
                           int nout, const uint64_t *out_dims, tsr_error *err)
{
    *out = NULL;
    TSR_TRY(tsr_map_op_check_dims(ndims, dims, err));
    TSR_TRY(tsr_map_op_check_dims(nout, out_dims, err));
    if (direction == TSR_OUTPUT_TO_INPUT)
        return reshape(out, nout, out_dims, ndims, dims, err);
    return reshape(out, ndims, dims, nout, out_dims, err);
}
