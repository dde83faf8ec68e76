/* Products of tensors. */
#include "map_op_internal.h"

#include <inttypes.h>

enum { FREE, BATCH, CONTRACTED };

/* role[i] of each dim of an operand; for batch and contracted dims also the index in the list. */
typedef struct dot_side {
    int n;
    const uint64_t *dims;
    int role[TSR_MAP_MAX_VARS], place[TSR_MAP_MAX_VARS];
} dot_side;

static tsr_status assign(dot_side *side, const int *list, int n, int role, const char *what, tsr_error *err)
{
    for (int i = 0; i < n; i++) {
        if (list[i] < 0 || list[i] >= side->n || side->role[list[i]] != FREE)
            return tsr_fail(
                err, TSR_ARGUMENT,
                "the %s operand of a product has %d dims; dim %d is not one of them, or is listed twice",
                what, side->n, list[i]);
        side->role[list[i]] = role;
        side->place[list[i]] = i;
    }
    return TSR_OK;
}

static tsr_status init_side(dot_side *side, const tsr_dot *dot, bool right, tsr_error *err)
{
    const char *what = right ? "right" : "left";
    *side = (dot_side){.n = right ? dot->nright : dot->nleft, .dims = right ? dot->right : dot->left};
    TSR_TRY(tsr_map_op_check_dims((tsr_shape){side->n, side->dims}, err));
    TSR_TRY(assign(side, right ? dot->right_batch : dot->left_batch, dot->nbatch, BATCH, what, err));
    return assign(side, right ? dot->right_contracted : dot->left_contracted, dot->ncontracted, CONTRACTED,
                  what, err);
}

static tsr_status check_pairs(const tsr_dot *dot, tsr_error *err)
{
    for (int i = 0; i < dot->nbatch + dot->ncontracted; i++) {
        const bool batch = i < dot->nbatch;
        const int j = batch ? i : i - dot->nbatch;
        const int l = batch ? dot->left_batch[j] : dot->left_contracted[j];
        const int r = batch ? dot->right_batch[j] : dot->right_contracted[j];
        if (dot->left[l] != dot->right[r])
            return tsr_fail(err, TSR_ARGUMENT,
                            "a product pairs dim %d of %" PRIu64 " with dim %d of %" PRIu64, l, dot->left[l],
                            r, dot->right[r]);
    }
    return TSR_OK;
}

/* Compute the shape of the output; own[i] is the output dim of batch or free dim i of this operand. */
static int lay_out(uint64_t *out, int *own, const tsr_dot *dot, const dot_side *sides, int side)
{
    int n = dot->nbatch;
    for (int i = 0; i < dot->nbatch; i++)
        out[i] = dot->left[dot->left_batch[i]];
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < sides[s].n; i++) {
            if (s == side && sides[s].role[i] == BATCH)
                own[i] = sides[s].place[i];
            if (sides[s].role[i] != FREE)
                continue;
            if (s == side)
                own[i] = n;
            out[n++] = sides[s].dims[i];
        }
    return n;
}

static tsr_status back_to_side(tsr_map **out, const dot_side *side, const int *own, tsr_shape out_shape,
                               tsr_shape contracted, tsr_error *err)
{
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS], *s[TSR_MAP_MAX_VARS];
    tsr_map_op_begin(&op, err);
    tsr_map_op_dims(d, &op, out_shape);
    for (int i = 0; i < contracted.ndims; i++)
        s[i] = tsr_map_op_range(&op, contracted.dims[i]);
    for (int i = 0; i < side->n; i++)
        tsr_map_op_result(&op, side->role[i] == CONTRACTED ? s[side->place[i]] : d[own[i]]);
    return tsr_map_op_finish(out, &op);
}

static tsr_status side_to_output(tsr_map **out, const dot_side *side, const int *own, tsr_shape out_shape,
                                 tsr_error *err)
{
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS], *x[TSR_MAP_MAX_VARS] = {0};
    bool known[TSR_MAP_MAX_VARS] = {0};
    tsr_map_op_begin(&op, err);
    tsr_map_op_dims(d, &op, (tsr_shape){side->n, side->dims});
    for (int i = 0; i < side->n; i++)
        if (side->role[i] != CONTRACTED) {
            x[own[i]] = d[i];
            known[own[i]] = true;
        }
    for (int i = 0; i < out_shape.ndims; i++)
        tsr_map_op_result(&op, known[i] ? x[i] : tsr_map_op_range(&op, out_shape.dims[i]));
    return tsr_map_op_finish(out, &op);
}

tsr_status tsr_map_dot(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, const tsr_dot *dot,
                       int side, tsr_error *err)
{
    *out = NULL;
    dot_side sides[2];
    uint64_t dims[2 * TSR_MAP_MAX_VARS], contracted[TSR_MAP_MAX_VARS];
    int own[TSR_MAP_MAX_VARS];
    TSR_TRY(init_side(&sides[0], dot, false, err));
    TSR_TRY(init_side(&sides[1], dot, true, err));
    TSR_TRY(check_pairs(dot, err));
    const tsr_shape shape = {lay_out(dims, own, dot, sides, side), dims};
    TSR_TRY(tsr_map_op_check_dims(shape, err));
    for (int i = 0; i < dot->ncontracted; i++)
        contracted[i] = dot->left[dot->left_contracted[i]];
    for (int i = 0; out_dims && i < shape.ndims; i++)
        out_dims[i] = dims[i];
    if (direction == TSR_OUTPUT_TO_INPUT)
        return back_to_side(out, &sides[side], own, shape, (tsr_shape){dot->ncontracted, contracted}, err);
    return side_to_output(out, &sides[side], own, shape, err);
}
