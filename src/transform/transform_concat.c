/* tsr_transform_concat: append the entries of the second tensor, array by array. */

#include <inttypes.h>

#include "tsr_transform.h"
#include "tsr_checked.h"
#include "tsr_map.h"

static tsr_status check_arguments(uint64_t *total, const tsr_coo *coo, const tsr_coo *other, int axis,
                                  tsr_error *err)
{
    if (coo->order != other->order)
        return tsr_fail(err, TSR_ARGUMENT,
                        "cannot join a tensor of %d modes and a tensor of %d modes: the orders must be equal",
                        coo->order, other->order);
    if (axis < 0 || axis >= coo->order)
        return tsr_fail(err, TSR_ARGUMENT,
                        "cannot join tensors of %d modes along mode %d: modes are numbered from 0",
                        coo->order, axis);
    if (coo->type != other->type)
        return tsr_fail(err, TSR_ARGUMENT,
                        "cannot join a tensor of %s and a tensor of %s: convert one of them with --type",
                        tsr_type_name(coo->type), tsr_type_name(other->type));
    if (coo->structure != TSR_GENERAL || other->structure != TSR_GENERAL)
        return tsr_fail(err, TSR_ARGUMENT,
                        "cannot join symmetric matrices: expand them to general matrices first");
    if (coo->has_fill != other->has_fill ||
        (coo->has_fill && memcmp(coo->fill, other->fill, sizeof coo->fill)))
        return tsr_fail(err, TSR_ARGUMENT, "cannot join tensors with different fill values");
    for (int m = 0; m < coo->order; m++)
        if (m != axis && coo->dims[m] != other->dims[m])
            return tsr_fail(err, TSR_ARGUMENT,
                            "cannot join tensors whose dim %d is %" PRIu64 " and %" PRIu64
                            ": it must be equal in both",
                            m, coo->dims[m], other->dims[m]);
    if (!tsr_add_u64(total, coo->dims[axis], other->dims[axis]) || *total > INT64_MAX)
        return tsr_fail(err, TSR_LIMIT, "the sum of the dims %" PRIu64 " and %" PRIu64 " is over 2^63 - 1",
                        coo->dims[axis], other->dims[axis]);
    return TSR_OK;
}

/* to[nbefore + e] = from[e] + shift for all elements of `from`, block by block, as the widths may differ. */
static void copy_shifted(tsr_array *to, uint64_t nbefore, const tsr_array *from, uint64_t shift)
{
    uint64_t row[TSR_LEVEL_BLOCK];
    for (uint64_t first = 0, n; first < from->n; first += n) {
        n = from->n - first < TSR_LEVEL_BLOCK ? from->n - first : TSR_LEVEL_BLOCK;
        tsr_array_load(row, from, first, n);
        for (uint64_t e = 0; e < n; e++)
            row[e] += shift;
        tsr_array_store(to, nbefore + first, row, n);
    }
}

static tsr_status append_mode(tsr_array *crd, tsr_array *more, uint64_t dim, uint64_t shift, tsr_error *err)
{
    const uint64_t nbefore = crd->n, n = crd->n + more->n;
    const size_t width = tsr_crd_width(dim);
    if (width == crd->width) {
        TSR_TRY(tsr_array_resize(crd, n, width, "an array of coordinates", err));
    } else {
        tsr_array wider;
        TSR_TRY(tsr_array_init(&wider, n, width, 0, "an array of coordinates", err));
        copy_shifted(&wider, 0, crd, 0);
        tsr_array_clear(crd);
        *crd = wider;
    }
    copy_shifted(crd, nbefore, more, shift);
    tsr_array_clear(more);
    return TSR_OK;
}

static tsr_status append_values(tsr_coo *coo, tsr_coo *other, tsr_error *err)
{
    const size_t width = coo->values.width;
    if (coo->iso && other->iso && memcmp(coo->values.data, other->values.data, width) == 0)
        return TSR_OK;
    TSR_TRY(tsr_coo_repeat_value(coo, err));
    TSR_TRY(tsr_coo_repeat_value(other, err));
    TSR_TRY(tsr_array_resize(&coo->values, coo->nnz + other->nnz, width, "an array of values", err));
    if (other->nnz > 0)
        memcpy((unsigned char *)coo->values.data + coo->nnz * width, other->values.data, other->nnz * width);
    tsr_array_clear(&other->values);
    return TSR_OK;
}

tsr_status tsr_transform_concat(tsr_coo *coo, tsr_coo *other, int axis, tsr_error *err)
{
    uint64_t total = 0;
    TSR_TRY(check_arguments(&total, coo, other, axis, err));
    const uint64_t shift = coo->dims[axis];
    coo->dims[axis] = total;
    TSR_TRY(append_values(coo, other, err));
    for (int m = 0; m < coo->order; m++)
        TSR_TRY(append_mode(&coo->crd[m], &other->crd[m], coo->dims[m], m == axis ? shift : 0, err));
    coo->nnz += other->nnz;
    other->nnz = 0;
    coo->natural = NULL;
    return TSR_OK;
}
