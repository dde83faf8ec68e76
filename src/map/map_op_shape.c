/* Operations that move or repeat entries or remove dims: transpose, reverse, slice, pad, broadcast, concat,
 * reduce. */
#include "map_op_internal.h"

#include <inttypes.h>

#include "tsr_checked.h"

/* Flag the numbers in [0, n) that occur in list; TSR_ARGUMENT if one is out of range or occurs twice. */
static tsr_status flag_all(bool *flags, int n, const int *list, int nlist, const char *what, tsr_error *err)
{
    for (int i = 0; i < n; i++)
        flags[i] = false;
    for (int i = 0; i < nlist; i++) {
        if (list[i] < 0 || list[i] >= n)
            return tsr_fail(err, TSR_ARGUMENT, "%s names dim %d, but there are only %d dims", what, list[i],
                            n);
        if (flags[list[i]])
            return tsr_fail(err, TSR_ARGUMENT, "%s names dim %d twice", what, list[i]);
        flags[list[i]] = true;
    }
    return TSR_OK;
}

tsr_status tsr_map_transpose(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, tsr_shape shape,
                             const int *perm, tsr_error *err)
{
    *out = NULL;
    bool flags[TSR_MAP_MAX_VARS];
    uint64_t permuted[TSR_MAP_MAX_VARS];
    int inverse[TSR_MAP_MAX_VARS];
    TSR_TRY(tsr_map_op_check_dims(shape, err));
    TSR_TRY(flag_all(flags, shape.ndims, perm, shape.ndims, "the permutation", err));
    for (int i = 0; i < shape.ndims; i++) {
        permuted[i] = shape.dims[perm[i]];
        inverse[perm[i]] = i;
    }
    const bool back = direction == TSR_OUTPUT_TO_INPUT;
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS];
    tsr_map_op_begin(&op, err);
    tsr_map_op_dims(d, &op, (tsr_shape){shape.ndims, back ? permuted : shape.dims});
    for (int i = 0; i < shape.ndims; i++) {
        tsr_map_op_result(&op, d[back ? inverse[i] : perm[i]]);
        if (out_dims)
            out_dims[i] = permuted[i];
    }
    return tsr_map_op_finish(out, &op);
}

tsr_status tsr_map_reverse(tsr_map **out, tsr_shape shape, const bool *reversed, tsr_error *err)
{
    *out = NULL;
    TSR_TRY(tsr_map_op_check_dims(shape, err));
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS];
    tsr_map_op_begin(&op, err);
    tsr_map_op_dims(d, &op, shape);
    for (int i = 0; i < shape.ndims; i++)
        tsr_map_op_result(&op,
                          reversed[i] ? tsr_map_op_affine(&op, d[i], -1, (int64_t)shape.dims[i] - 1) : d[i]);
    return tsr_map_op_finish(out, &op);
}

/* *n = the number of coordinates that a slice takes. Checks that the slice fits the dim and int64. */
static tsr_status slice_size(uint64_t *n, const tsr_slice *slice, int dim, uint64_t size, tsr_error *err)
{
    if (slice->stride == 0)
        return tsr_fail(err, TSR_ARGUMENT, "the slice of dim %d has stride 0", dim);
    if (slice->start > slice->limit || slice->limit > size)
        return tsr_fail(err, TSR_ARGUMENT,
                        "the slice [%" PRIu64 ":%" PRIu64 "] does not lie inside dim %d of %" PRIu64,
                        slice->start, slice->limit, dim, size);
    const uint64_t span = slice->limit - slice->start;
    *n = span / slice->stride + (span % slice->stride != 0);
    return TSR_OK;
}

tsr_status tsr_map_slice(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, tsr_shape shape,
                         const tsr_slice *slices, tsr_error *err)
{
    *out = NULL;
    uint64_t sizes[TSR_MAP_MAX_VARS];
    TSR_TRY(tsr_map_op_check_dims(shape, err));
    for (int i = 0; i < shape.ndims; i++)
        TSR_TRY(slice_size(&sizes[i], &slices[i], i, shape.dims[i], err));
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS];
    tsr_map_op_begin(&op, err);
    tsr_map_op_dims(d, &op, (tsr_shape){shape.ndims, direction == TSR_OUTPUT_TO_INPUT ? sizes : shape.dims});
    for (int i = 0; i < shape.ndims; i++) {
        /* a slice of one coordinate needs no stride; its stride may be over int64 */
        const int64_t k = sizes[i] > 1 ? (int64_t)slices[i].stride : 1, start = (int64_t)slices[i].start;
        if (direction == TSR_OUTPUT_TO_INPUT) {
            tsr_map_op_result(&op, tsr_map_op_affine(&op, d[i], k, start));
        } else {
            tsr_map_op_need(&op, d[i], start,
                            sizes[i] == 0 ? start - 1 : start + ((int64_t)sizes[i] - 1) * k);
            tsr_map_op_result(&op, tsr_map_op_exact_div(&op, tsr_map_op_affine(&op, d[i], 1, -start), k));
        }
        if (out_dims)
            out_dims[i] = sizes[i];
    }
    return tsr_map_op_finish(out, &op);
}

/* A dim of size n under padding: *k = the distance of neighbours, *size = the new size. */
static tsr_status pad_size(int64_t *k, uint64_t *size, const tsr_padding *pad, int dim, uint64_t n,
                           tsr_error *err)
{
    int64_t sum;
    *k = 1; /* a single entry has no neighbours */
    if (n > 1) {
        if (pad->interior >= INT64_MAX || !tsr_mul_i64(&sum, (int64_t)n - 1, (int64_t)pad->interior + 1) ||
            !tsr_add_i64(&sum, sum, 1))
            return tsr_fail(err, TSR_LIMIT,
                            "dim %d of %" PRIu64 " with interior padding is larger than 2^63 - 1", dim, n);
        *k = (int64_t)pad->interior + 1;
    } else {
        sum = (int64_t)n;
    }
    /* two additions of one sign could leave int64 although the sum of all three does not: add the negative
     * number first */
    const int64_t first = pad->low < pad->high ? pad->low : pad->high;
    const int64_t second = pad->low < pad->high ? pad->high : pad->low;
    if (!tsr_add_i64(&sum, sum, first) || !tsr_add_i64(&sum, sum, second) || pad->low == INT64_MIN)
        return tsr_fail(err, TSR_LIMIT, "dim %d of %" PRIu64 " with its padding does not fit into 64 bits",
                        dim, n);
    if (sum < 0)
        return tsr_fail(err, TSR_ARGUMENT,
                        "dim %d of %" PRIu64 " with padding %" PRId64 " and %" PRId64 " has a negative size",
                        dim, n, pad->low, pad->high);
    *size = (uint64_t)sum;
    return TSR_OK;
}

/* The operand coordinates d of a dim of size n > 0 with d * k + low in [0, size). */
static tsr_interval pad_kept(int64_t k, int64_t low, uint64_t size)
{
    tsr_interval kept = {.lo = low >= 0 ? 0 : -tsr_floordiv_i64(low, k), .hi = -1};
    int64_t last;
    /* the addition fails only for a bound far above every d */
    if (size > 0 && tsr_add_i64(&last, (int64_t)size - 1, -low))
        kept.hi = tsr_floordiv_i64(last, k);
    else if (size > 0)
        kept.hi = INT64_MAX;
    return kept;
}

tsr_status tsr_map_pad(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, tsr_shape shape,
                       const tsr_padding *paddings, tsr_error *err)
{
    *out = NULL;
    uint64_t sizes[TSR_MAP_MAX_VARS];
    int64_t k[TSR_MAP_MAX_VARS];
    TSR_TRY(tsr_map_op_check_dims(shape, err));
    for (int i = 0; i < shape.ndims; i++)
        TSR_TRY(pad_size(&k[i], &sizes[i], &paddings[i], i, shape.dims[i], err));
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS];
    tsr_map_op_begin(&op, err);
    tsr_map_op_dims(d, &op, (tsr_shape){shape.ndims, direction == TSR_OUTPUT_TO_INPUT ? sizes : shape.dims});
    for (int i = 0; i < shape.ndims; i++) {
        const int64_t low = paddings[i].low;
        if (direction == TSR_OUTPUT_TO_INPUT) {
            tsr_interval body = {.lo = low, .hi = low - 1};
            if (shape.dims[i] > 0 && !tsr_add_i64(&body.hi, low, ((int64_t)shape.dims[i] - 1) * k[i]))
                body.hi = INT64_MAX;
            tsr_map_op_need(&op, d[i], body.lo, body.hi);
            tsr_map_op_result(&op, tsr_map_op_exact_div(&op, tsr_map_op_affine(&op, d[i], 1, -low), k[i]));
        } else {
            const tsr_interval kept = pad_kept(k[i], low, sizes[i]);
            tsr_map_op_need(&op, d[i], kept.lo, kept.hi);
            tsr_map_op_result(&op, tsr_map_op_affine(&op, d[i], k[i], low));
        }
        if (out_dims)
            out_dims[i] = sizes[i];
    }
    return tsr_map_op_finish(out, &op);
}

tsr_status tsr_map_broadcast(tsr_map **out, tsr_map_direction direction, tsr_shape shape, tsr_shape out_shape,
                             const int *at, tsr_error *err)
{
    *out = NULL;
    bool flags[TSR_MAP_MAX_VARS];
    TSR_TRY(tsr_map_op_check_dims(shape, err));
    TSR_TRY(tsr_map_op_check_dims(out_shape, err));
    TSR_TRY(flag_all(flags, out_shape.ndims, at, shape.ndims, "the broadcast", err));
    for (int i = 0; i < shape.ndims; i++)
        if (shape.dims[i] != out_shape.dims[at[i]])
            return tsr_fail(err, TSR_ARGUMENT,
                            "the broadcast puts dim %d of %" PRIu64 " at dim %d of %" PRIu64, i,
                            shape.dims[i], at[i], out_shape.dims[at[i]]);
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS], *o[TSR_MAP_MAX_VARS] = {0};
    tsr_map_op_begin(&op, err);
    if (direction == TSR_OUTPUT_TO_INPUT) {
        tsr_map_op_dims(o, &op, out_shape);
        for (int i = 0; i < shape.ndims; i++)
            tsr_map_op_result(&op, o[at[i]]);
        return tsr_map_op_finish(out, &op);
    }
    tsr_map_op_dims(d, &op, shape);
    for (int i = 0; i < shape.ndims; i++)
        o[at[i]] = d[i];
    for (int i = 0; i < out_shape.ndims; i++)
        tsr_map_op_result(&op, flags[i] ? o[i] : tsr_map_op_range(&op, out_shape.dims[i]));
    return tsr_map_op_finish(out, &op);
}

tsr_status tsr_map_concat(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, tsr_shape shape,
                          const tsr_concat *concat, tsr_error *err)
{
    *out = NULL;
    const int axis = concat->axis;
    const uint64_t before = concat->before, total = concat->total;
    TSR_TRY(tsr_map_op_check_dims(shape, err));
    if (axis < 0 || axis >= shape.ndims)
        return tsr_fail(err, TSR_ARGUMENT, "a concatenation along dim %d, but there are only %d dims", axis,
                        shape.ndims);
    if (before > total || shape.dims[axis] > total - before || total > INT64_MAX)
        return tsr_fail(err, TSR_ARGUMENT,
                        "%" PRIu64 " after %" PRIu64 " do not fit into a concatenation of %" PRIu64,
                        shape.dims[axis], before, total);
    tsr_map_op op;
    tsr_map_op_begin(&op, err);
    for (int i = 0; i < shape.ndims; i++) {
        const bool whole = i == axis && direction == TSR_OUTPUT_TO_INPUT;
        const tsr_linear *d = tsr_map_op_dim(&op, whole ? total : shape.dims[i]);
        const int64_t shift = i == axis ? (int64_t)before : 0;
        if (whole)
            tsr_map_op_need(&op, d, shift, shift + (int64_t)shape.dims[i] - 1);
        tsr_map_op_result(&op, tsr_map_op_affine(&op, d, 1, whole ? -shift : shift));
        if (out_dims)
            out_dims[i] = i == axis ? total : shape.dims[i];
    }
    return tsr_map_op_finish(out, &op);
}

tsr_status tsr_map_reduce(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, tsr_shape shape,
                          const bool *reduced, tsr_error *err)
{
    *out = NULL;
    TSR_TRY(tsr_map_op_check_dims(shape, err));
    const bool back = direction == TSR_OUTPUT_TO_INPUT;
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS];
    int n = 0;
    tsr_map_op_begin(&op, err);
    for (int i = 0; i < shape.ndims; i++) {
        if (!back || !reduced[i])
            d[i] = tsr_map_op_dim(&op, shape.dims[i]);
        if (!reduced[i] && out_dims)
            out_dims[n++] = shape.dims[i];
    }
    for (int i = 0; i < shape.ndims; i++)
        if (back)
            tsr_map_op_result(&op, reduced[i] ? tsr_map_op_range(&op, shape.dims[i]) : d[i]);
        else if (!reduced[i])
            tsr_map_op_result(&op, d[i]);
    return tsr_map_op_finish(out, &op);
}

tsr_status tsr_map_scan(tsr_map **out, tsr_map_direction direction, tsr_shape shape, int dim, bool backwards,
                        tsr_error *err)
{
    *out = NULL;
    TSR_TRY(tsr_map_op_check_dims(shape, err));
    if (dim < 0 || dim >= shape.ndims)
        return tsr_fail(err, TSR_ARGUMENT, "a scan along dim %d, but there are only %d dims", dim,
                        shape.ndims);
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS];
    tsr_map_op_begin(&op, err);
    tsr_map_op_dims(d, &op, shape);
    const tsr_linear *s = tsr_map_op_range(&op, shape.dims[dim]);
    const int64_t sign = (direction == TSR_OUTPUT_TO_INPUT) != backwards ? 1 : -1; /* 1: s runs up to d */
    if (op.status == TSR_OK)
        tsr_map_op_need(&op, tsr_linear_combine(&op.map->pool, sign, d[dim], -sign, s), 0,
                        (int64_t)shape.dims[dim] - 1);
    for (int i = 0; i < shape.ndims; i++)
        tsr_map_op_result(&op, i == dim ? s : d[i]);
    return tsr_map_op_finish(out, &op);
}
