/* Operations that slide windows over an operand: reductions over windows, and convolutions. */
#include "map_op_internal.h"

#include <inttypes.h>

#include "tsr_checked.h"

/* Dims, strides and dilations of windows are below this limit, so that sums of their products fit int64. */
#define WINDOW_LIMIT ((uint64_t)1 << 30)

/* *out = the window with its zeros replaced by 1, for an operand dim of size n; *nout = the number of windows
 * that fit. */
static tsr_status complete_window(tsr_index_window *out, uint64_t *nout, const tsr_index_window *window,
                                  uint64_t n, int dim, tsr_error *err)
{
    tsr_index_window w = *window;
    w.size += w.size == 0;
    w.stride += w.stride == 0;
    w.base_dilation += w.base_dilation == 0;
    w.window_dilation += w.window_dilation == 0;
    if (n > WINDOW_LIMIT || w.size > WINDOW_LIMIT || w.stride > WINDOW_LIMIT ||
        w.base_dilation > WINDOW_LIMIT || w.window_dilation > WINDOW_LIMIT || w.low > (int64_t)1 << 60 ||
        w.low < -((int64_t)1 << 60) || w.high > (int64_t)1 << 60 || w.high < -((int64_t)1 << 60))
        return tsr_fail(err, TSR_LIMIT,
                        "dim %d of %" PRIu64
                        " or its window is larger than 2^30, or its padding larger than 2^60",
                        dim, n);
    const int64_t body = n == 0 ? 0 : ((int64_t)n - 1) * (int64_t)w.base_dilation + 1;
    const int64_t padded = w.low + body + w.high;
    const int64_t span = ((int64_t)w.size - 1) * (int64_t)w.window_dilation + 1;
    *nout = padded < span ? 0 : (uint64_t)(padded - span) / w.stride + 1;
    *out = w;
    return TSR_OK;
}

/* The coordinate, in an operand dim of size n, that cell s of the window (NULL: its only cell) reads at
 * output coordinate d. */
static const tsr_linear *window_cell(tsr_map_op *op, const tsr_index_window *w, uint64_t n,
                                     const tsr_linear *d, const tsr_linear *s)
{
    if (op->status != TSR_OK)
        return NULL;
    const tsr_linear *x = tsr_map_op_affine(op, d, (int64_t)w->stride, -w->low);
    if (s)
        x = tsr_linear_combine(&op->map->pool, 1, x, (int64_t)w->window_dilation, s);
    tsr_map_op_need(op, x, 0, ((int64_t)n - 1) * (int64_t)w->base_dilation);
    return tsr_map_op_exact_div(op, x, (int64_t)w->base_dilation);
}

/* The output coordinate of the window whose cell s is at operand coordinate d. */
static const tsr_linear *window_of(tsr_map_op *op, const tsr_index_window *w, uint64_t nout,
                                   const tsr_linear *d, const tsr_linear *s)
{
    if (op->status != TSR_OK)
        return NULL;
    const tsr_linear *x = tsr_map_op_affine(op, d, (int64_t)w->base_dilation, w->low);
    if (s)
        x = tsr_linear_combine(&op->map->pool, 1, x, -(int64_t)w->window_dilation, s);
    tsr_map_op_need(op, x, 0, ((int64_t)nout - 1) * (int64_t)w->stride);
    return tsr_map_op_exact_div(op, x, (int64_t)w->stride);
}

tsr_status tsr_map_reduce_window(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction,
                                 tsr_shape shape, const tsr_index_window *windows, tsr_error *err)
{
    *out = NULL;
    tsr_index_window w[TSR_MAP_MAX_VARS];
    uint64_t sizes[TSR_MAP_MAX_VARS];
    TSR_TRY(tsr_map_op_check_dims(shape, err));
    for (int i = 0; i < shape.ndims; i++)
        TSR_TRY(complete_window(&w[i], &sizes[i], &windows[i], shape.dims[i], i, err));
    const bool back = direction == TSR_OUTPUT_TO_INPUT;
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS];
    tsr_map_op_begin(&op, err);
    tsr_map_op_dims(d, &op, (tsr_shape){shape.ndims, back ? sizes : shape.dims});
    for (int i = 0; i < shape.ndims; i++) {
        const tsr_linear *s = w[i].size > 1 ? tsr_map_op_range(&op, w[i].size) : NULL;
        tsr_map_op_result(&op, back ? window_cell(&op, &w[i], shape.dims[i], d[i], s)
                                    : window_of(&op, &w[i], sizes[i], d[i], s));
        if (out_dims)
            out_dims[i] = sizes[i];
    }
    return tsr_map_op_finish(out, &op);
}

/* ---- convolution ---- */

/* Check that each of n dims has exactly one role. */
static tsr_status check_roles(int n, int batch, int feature, const int *spatial, const char *what,
                              tsr_error *err)
{
    bool seen[TSR_MAP_MAX_VARS] = {0};
    for (int i = 0; i < n; i++) {
        const int d = i == 0 ? batch : i == 1 ? feature : spatial[i - 2];
        if (d < 0 || d >= n || seen[d])
            return tsr_fail(err, TSR_ARGUMENT,
                            "the %s of a convolution has %d dims, and each must have exactly one role", what,
                            n);
        seen[d] = true;
    }
    return TSR_OK;
}

static tsr_status check_groups(const tsr_convolution *c, uint64_t features, uint64_t batches, tsr_error *err)
{
    const uint64_t nfeature = c->base[c->base_feature], nbatch = c->base[c->base_batch];
    const uint64_t ninput = c->kernel[c->kernel_input], noutput = c->kernel[c->kernel_output];
    if (features > 1 && batches > 1)
        return tsr_fail(err, TSR_ARGUMENT,
                        "a convolution has %" PRIu64 " feature groups and %" PRIu64
                        " batch groups, but only one of the two may be more than 1",
                        features, batches);
    if (nfeature % features != 0 || nfeature / features != ninput || noutput % features != 0)
        return tsr_fail(err, TSR_ARGUMENT,
                        "%" PRIu64 " features in %" PRIu64 " groups do not fit a kernel of %" PRIu64
                        " input and %" PRIu64 " output features",
                        nfeature, features, ninput, noutput);
    if (nbatch % batches != 0 || noutput % batches != 0)
        return tsr_fail(err, TSR_ARGUMENT,
                        "a batch of %" PRIu64 " and %" PRIu64 " output features cannot be split into %" PRIu64
                        " batch groups",
                        nbatch, noutput, batches);
    return TSR_OK;
}

/* Dims of the output, the windows with their zeros replaced, and the numbers of groups. */
typedef struct conv_plan {
    uint64_t out[TSR_MAP_MAX_VARS];
    tsr_index_window windows[TSR_MAP_MAX_VARS];
    uint64_t feature_groups, batch_groups;
} conv_plan;

static tsr_status plan_convolution(conv_plan *plan, const tsr_convolution *c, tsr_error *err)
{
    const int n = c->nspatial + 2;
    TSR_TRY(tsr_map_op_check_dims((tsr_shape){n, c->base}, err));
    TSR_TRY(tsr_map_op_check_dims((tsr_shape){n, c->kernel}, err));
    TSR_TRY(check_roles(n, c->base_batch, c->base_feature, c->base_spatial, "base", err));
    TSR_TRY(check_roles(n, c->kernel_input, c->kernel_output, c->kernel_spatial, "kernel", err));
    TSR_TRY(check_roles(n, c->out_batch, c->out_feature, c->out_spatial, "output", err));
    plan->feature_groups = c->feature_groups > 0 ? c->feature_groups : 1;
    plan->batch_groups = c->batch_groups > 0 ? c->batch_groups : 1;
    TSR_TRY(check_groups(c, plan->feature_groups, plan->batch_groups, err));
    plan->out[c->out_batch] = c->base[c->base_batch] / plan->batch_groups;
    plan->out[c->out_feature] = c->kernel[c->kernel_output];
    for (int i = 0; i < c->nspatial; i++) {
        tsr_index_window w = c->windows[i];
        w.size = c->kernel[c->kernel_spatial[i]];
        if (w.size == 0)
            return tsr_fail(err, TSR_ARGUMENT, "spatial dim %d of the kernel is empty", i);
        TSR_TRY(complete_window(&plan->windows[i], &plan->out[c->out_spatial[i]], &w,
                                c->base[c->base_spatial[i]], c->base_spatial[i], err));
    }
    return TSR_OK;
}

tsr_status tsr_map_convolution(tsr_map **out, uint64_t *out_dims, const tsr_convolution *c, int side,
                               tsr_error *err)
{
    *out = NULL;
    if (c->nspatial < 0 || c->nspatial > TSR_MAP_MAX_VARS - 2)
        return tsr_fail(err, TSR_LIMIT, "a convolution of %d spatial dims is not supported", c->nspatial);
    const int n = c->nspatial + 2;
    conv_plan plan;
    TSR_TRY(plan_convolution(&plan, c, err));
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS], *s[TSR_MAP_MAX_VARS], *x[TSR_MAP_MAX_VARS] = {0};
    tsr_map_op_begin(&op, err);
    tsr_map_op_dims(d, &op, (tsr_shape){n, plan.out});
    for (int i = 0; i < c->nspatial; i++)
        s[i] = plan.windows[i].size > 1 ? tsr_map_op_range(&op, plan.windows[i].size) : NULL;
    const uint64_t ninput = c->kernel[c->kernel_input], noutput = c->kernel[c->kernel_output];
    const tsr_linear *input =
        ninput == 1 ? tsr_map_op_affine(&op, d[c->out_feature], 0, 0) : tsr_map_op_range(&op, ninput);
    const tsr_linear *group =
        plan.batch_groups > 1 && side == 0 ? tsr_map_op_range(&op, plan.batch_groups) : NULL;
    for (int i = 0; i < c->nspatial; i++) {
        const tsr_index_window *w = &plan.windows[i];
        const uint64_t nbase = c->base[c->base_spatial[i]];
        if (side == 0)
            x[c->base_spatial[i]] = window_cell(&op, w, nbase, d[c->out_spatial[i]], s[i]);
        else if (!s[i])
            x[c->kernel_spatial[i]] = tsr_map_op_affine(&op, d[0], 0, 0);
        else
            x[c->kernel_spatial[i]] =
                w->reversed ? tsr_map_op_affine(&op, s[i], -1, (int64_t)w->size - 1) : s[i];
    }
    if (side == 0 && op.status == TSR_OK) {
        tsr_pool *pool = &op.map->pool;
        const uint64_t nbatch = plan.out[c->out_batch];
        if (plan.feature_groups > 1 && noutput > 0) /* each group has at least one output feature */
            input = tsr_linear_combine(
                pool, (int64_t)ninput,
                tsr_linear_floordiv(pool, d[c->out_feature], (int64_t)(noutput / plan.feature_groups)), 1,
                input);
        x[c->base_feature] = input;
        x[c->base_batch] =
            group ? tsr_linear_combine(pool, 1, d[c->out_batch], (int64_t)nbatch, group) : d[c->out_batch];
    } else {
        x[c->kernel_input] = input;
        x[c->kernel_output] = d[c->out_feature];
    }
    for (int i = 0; i < n; i++) {
        tsr_map_op_result(&op, x[i]);
        if (out_dims)
            out_dims[i] = plan.out[i];
    }
    return tsr_map_op_finish(out, &op);
}
