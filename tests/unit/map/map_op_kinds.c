/* See map_op_kinds.h. */
#include "map_op_kinds.h"

enum { MAX = MAP_OP_MAX };

static uint64_t below(tsr_rng *rng, uint64_t n)
{
    return tsr_rng_below(rng, n);
}

static void choose_dims(op_case *c, tsr_rng *rng, uint64_t max)
{
    c->n = (int)below(rng, 4);
    for (int k = 0; k < c->n; k++)
        c->dims[k] = below(rng, 12) == 0 ? 0 : 1 + below(rng, max);
}

static void choose_perm(int *perm, int n, tsr_rng *rng)
{
    for (int k = 0; k < n; k++) {
        const int j = (int)below(rng, (uint64_t)k + 1);
        perm[k] = perm[j];
        perm[j] = k;
    }
}

/* ---- transpose, reverse ---- */

static void choose_transpose(op_case *c, tsr_rng *rng)
{
    choose_dims(c, rng, 5);
    c->nout = c->n;
    choose_perm(c->perm, c->n, rng);
}

static tsr_status map_transpose(tsr_map **out, uint64_t *od, tsr_map_direction dir, const op_case *c,
                                tsr_error *err)
{
    return tsr_map_transpose(out, od, dir, (tsr_shape){c->n, c->dims}, c->perm, err);
}

static bool reads_transpose(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    (void)rt;
    bool all = true;
    for (int k = 0; k < c->n; k++)
        all &= o[k] == i[c->perm[k]];
    return all;
}

static void choose_reverse(op_case *c, tsr_rng *rng)
{
    choose_dims(c, rng, 6);
    c->nout = c->n;
    for (int k = 0; k < c->n; k++) {
        c->out[k] = c->dims[k];
        c->flags[k] = below(rng, 2);
    }
}

static tsr_status map_reverse(tsr_map **out, uint64_t *od, tsr_map_direction dir, const op_case *c,
                              tsr_error *err)
{
    (void)od, (void)dir;
    return tsr_map_reverse(out, (tsr_shape){c->n, c->dims}, c->flags, err);
}

static bool reads_reverse(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    (void)rt;
    bool all = true;
    for (int k = 0; k < c->n; k++)
        all &= c->flags[k] ? o[k] + i[k] == (int64_t)c->dims[k] - 1 : o[k] == i[k];
    return all;
}

/* ---- slice, pad ---- */

static void choose_slice(op_case *c, tsr_rng *rng)
{
    choose_dims(c, rng, 9);
    c->nout = c->n;
    for (int k = 0; k < c->n; k++) {
        const uint64_t start = below(rng, below(rng, 4) == 0 ? c->dims[k] + 1 : 2 * c->dims[k] / 3 + 1);
        const uint64_t rest = c->dims[k] - start;
        c->slices[k] = (tsr_slice){.start = start,
                                   .limit = start + (below(rng, 3) == 0 ? below(rng, rest + 1) : rest),
                                   .stride = below(rng, 20) == 0 ? UINT64_MAX : 1 + below(rng, 4)};
    }
}

static tsr_status map_slice(tsr_map **out, uint64_t *od, tsr_map_direction dir, const op_case *c,
                            tsr_error *err)
{
    return tsr_map_slice(out, od, dir, (tsr_shape){c->n, c->dims}, c->slices, err);
}

static bool reads_slice(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    (void)rt;
    bool all = true;
    for (int k = 0; k < c->n; k++) { /* walk there */
        uint64_t at = c->slices[k].start;
        for (int64_t step = 0; step < o[k]; step++)
            at += c->slices[k].stride;
        all &= at == (uint64_t)i[k] && at < c->slices[k].limit;
    }
    return all;
}

static void choose_pad(op_case *c, tsr_rng *rng)
{
    choose_dims(c, rng, 5);
    c->nout = c->n;
    for (int k = 0; k < c->n; k++) {
        c->pads[k].interior = below(rng, 3);
        const int64_t body = c->dims[k] ? (int64_t)(c->dims[k] + (c->dims[k] - 1) * c->pads[k].interior) : 0;
        c->pads[k].low = (int64_t)below(rng, 8) - 4;
        c->pads[k].high = (int64_t)below(rng, 8) - 4;
        if (body + c->pads[k].low + c->pads[k].high < 0)
            c->pads[k].high = -body - c->pads[k].low;
    }
}

static tsr_status map_pad(tsr_map **out, uint64_t *od, tsr_map_direction dir, const op_case *c,
                          tsr_error *err)
{
    return tsr_map_pad(out, od, dir, (tsr_shape){c->n, c->dims}, c->pads, err);
}

static bool reads_pad(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    (void)rt;
    bool all = true;
    for (int k = 0; k < c->n; k++)
        all &= o[k] == c->pads[k].low + i[k] * (int64_t)(c->pads[k].interior + 1);
    return all;
}

/* ---- reshape ---- */

/* Split the number of entries into other dims. */
static void choose_reshape(op_case *c, tsr_rng *rng)
{
    static const uint64_t primes[] = {2, 3, 5};
    uint64_t total = 1;
    choose_dims(c, rng, 6);
    for (int k = 0; k < c->n; k++)
        total *= c->dims[k];
    c->nout = 1 + (int)below(rng, 4);
    for (int k = 0; k < c->nout; k++)
        c->out[k] = 1;
    if (total == 0)
        c->out[below(rng, (uint64_t)c->nout)] = 0;
    else if (total == 1 && below(rng, 2))
        c->nout = 0;
    for (size_t p = 0; total != 0 && p < 3; p++)
        for (; total % primes[p] == 0; total /= primes[p])
            c->out[below(rng, (uint64_t)c->nout)] *= primes[p];
}

static tsr_status map_reshape(tsr_map **out, uint64_t *od, tsr_map_direction dir, const op_case *c,
                              tsr_error *err)
{
    (void)od;
    return tsr_map_reshape(out, dir, (tsr_shape){c->n, c->dims}, (tsr_shape){c->nout, c->out}, err);
}

static bool reads_reshape(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    (void)rt;
    int64_t a = 0, b = 0;
    for (int k = 0; k < c->nout; k++)
        a = a * (int64_t)c->out[k] + o[k];
    for (int k = 0; k < c->n; k++)
        b = b * (int64_t)c->dims[k] + i[k];
    return a == b;
}

/* ---- broadcast, concat, reduce ---- */

static void choose_broadcast(op_case *c, tsr_rng *rng)
{
    int all[MAX];
    choose_dims(c, rng, 4);
    c->nout = c->n + (int)below(rng, 3);
    for (int k = 0; k < c->nout; k++)
        c->out[k] = 1 + below(rng, 4);
    choose_perm(all, c->nout, rng);
    for (int k = 0; k < c->n; k++) {
        c->perm[k] = all[k];
        c->out[all[k]] = c->dims[k];
    }
}

static tsr_status map_broadcast(tsr_map **out, uint64_t *od, tsr_map_direction dir, const op_case *c,
                                tsr_error *err)
{
    (void)od;
    return tsr_map_broadcast(out, dir, (tsr_shape){c->n, c->dims}, (tsr_shape){c->nout, c->out}, c->perm,
                             err);
}

static bool reads_broadcast(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    (void)rt;
    bool all = true;
    for (int k = 0; k < c->n; k++)
        all &= i[k] == o[c->perm[k]];
    return all;
}

static void choose_concat(op_case *c, tsr_rng *rng)
{
    do
        choose_dims(c, rng, 5);
    while (c->n == 0);
    c->nout = c->n;
    c->axis = (int)below(rng, (uint64_t)c->n);
    c->before = below(rng, 5);
    c->total = c->before + c->dims[c->axis] + below(rng, 4);
}

static tsr_status map_concat(tsr_map **out, uint64_t *od, tsr_map_direction dir, const op_case *c,
                             tsr_error *err)
{
    return tsr_map_concat(out, od, dir, (tsr_shape){c->n, c->dims},
                          &(tsr_concat){c->axis, c->before, c->total}, err);
}

static bool reads_concat(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    (void)rt;
    bool all = true;
    for (int k = 0; k < c->n; k++)
        all &= o[k] == i[k] + (k == c->axis ? (int64_t)c->before : 0);
    return all;
}

static void choose_reduce(op_case *c, tsr_rng *rng)
{
    choose_dims(c, rng, 5);
    for (int k = 0; k < c->n; k++) {
        c->flags[k] = below(rng, 2);
        c->nout += !c->flags[k];
    }
}

static tsr_status map_reduce(tsr_map **out, uint64_t *od, tsr_map_direction dir, const op_case *c,
                             tsr_error *err)
{
    TSR_TRY(tsr_map_reduce(out, od, dir, (tsr_shape){c->n, c->dims}, c->flags, err));
    assert_int_equal(tsr_map_out_ndims(*out, dir), c->nout);
    return TSR_OK;
}

static bool reads_reduce(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    (void)rt;
    bool all = true;
    int j = 0;
    for (int k = 0; k < c->n; k++)
        if (!c->flags[k])
            all &= o[j++] == i[k];
    return all;
}

static void choose_scan(op_case *c, tsr_rng *rng)
{
    do
        choose_dims(c, rng, 5);
    while (c->n == 0);
    c->nout = c->n;
    memcpy(c->out, c->dims, sizeof c->dims);
    c->axis = (int)below(rng, (uint64_t)c->n);
    c->flags[0] = below(rng, 2);
}

static tsr_status map_scan(tsr_map **out, uint64_t *od, tsr_map_direction dir, const op_case *c,
                           tsr_error *err)
{
    (void)od;
    return tsr_map_scan(out, dir, (tsr_shape){c->n, c->dims}, c->axis, c->flags[0], err);
}

static bool reads_scan(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    (void)rt;
    bool all = true;
    for (int k = 0; k < c->n; k++)
        all &= k != c->axis ? o[k] == i[k] : c->flags[0] ? i[k] >= o[k] : i[k] <= o[k];
    return all;
}

/* ---- windows ---- */

static uint64_t or1(uint64_t x)
{
    return x == 0 ? 1 : x;
}

static tsr_index_window choose_window(uint64_t n, tsr_rng *rng)
{
    tsr_index_window w = {.size = below(rng, 4),
                          .stride = below(rng, 4),
                          .base_dilation = below(rng, 3),
                          .window_dilation = below(rng, 3),
                          .low = (int64_t)below(rng, 5) - 2,
                          .high = (int64_t)below(rng, 5) - 2,
                          .reversed = below(rng, 2)};
    if (n == 0)
        w.low = 3;
    return w;
}

/* Whether cell s of window o is operand cell i, found by walking the padded and dilated operand. */
static bool is_cell(const tsr_index_window *w, int64_t o, int64_t s, int64_t i)
{
    return o * (int64_t)or1(w->stride) + s * (int64_t)or1(w->window_dilation) ==
           w->low + i * (int64_t)or1(w->base_dilation);
}

static bool in_window(const tsr_index_window *w, int64_t o, int64_t i)
{
    bool any = false;
    for (int64_t s = 0; s < (int64_t)or1(w->size); s++)
        any |= is_cell(w, o, s, i);
    return any;
}

static void choose_window_op(op_case *c, tsr_rng *rng)
{
    choose_dims(c, rng, 5);
    c->nout = c->n;
    for (int k = 0; k < c->n; k++)
        c->windows[k] = choose_window(c->dims[k], rng);
}

static tsr_status map_window(tsr_map **out, uint64_t *od, tsr_map_direction dir, const op_case *c,
                             tsr_error *err)
{
    return tsr_map_reduce_window(out, od, dir, (tsr_shape){c->n, c->dims}, c->windows, err);
}

static bool reads_window(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    (void)rt;
    bool all = true;
    for (int k = 0; k < c->n; k++)
        all &= in_window(&c->windows[k], o[k], i[k]);
    return all;
}

static void choose_convolution(op_case *c, tsr_rng *rng)
{
    tsr_convolution *v = &c->conv;
    int at[3][MAX];
    v->nspatial = (int)below(rng, 3);
    c->n = c->nout = v->nspatial + 2;
    for (int s = 0; s < 3; s++) {
        choose_perm(at[s], c->n, rng);
        memcpy(c->spatial[s], at[s] + 2, sizeof(int) * (size_t)v->nspatial);
    }
    v->feature_groups = below(rng, 4);
    v->batch_groups = v->feature_groups > 1 ? 1 : below(rng, 3);
    v->base_batch = at[0][0], v->base_feature = at[0][1];
    v->kernel_input = at[1][0], v->kernel_output = at[1][1];
    v->out_batch = at[2][0], v->out_feature = at[2][1];
    for (int k = 0; k < v->nspatial; k++) {
        c->dims[at[0][k + 2]] = 1 + below(rng, 4);
        c->kernel[at[1][k + 2]] = 1 + below(rng, 3);
        c->windows[k] = choose_window(1, rng);
        c->windows[k].size = c->kernel[at[1][k + 2]];
    }
    c->kernel[v->kernel_input] = 1 + below(rng, 2);
    c->kernel[v->kernel_output] = (1 + below(rng, 2)) * or1(v->feature_groups) * or1(v->batch_groups);
    c->dims[v->base_feature] = c->kernel[v->kernel_input] * or1(v->feature_groups);
    c->dims[v->base_batch] = (1 + below(rng, 2)) * or1(v->batch_groups);
}

static tsr_status map_convolution(tsr_map **out, uint64_t *od, tsr_map_direction dir, const op_case *c,
                                  tsr_error *err)
{
    (void)dir;
    tsr_convolution v = c->conv;
    v.base = c->side == 0 ? c->dims : c->left; /* side 0: the operand is in `dims` */
    v.kernel = c->side == 0 ? c->kernel : c->dims;
    v.windows = c->windows;
    v.base_spatial = c->spatial[0];
    v.kernel_spatial = c->spatial[1];
    v.out_spatial = c->spatial[2];
    return tsr_map_convolution(out, od, &v, c->side, err);
}

static bool reads_base(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    (void)rt;
    const tsr_convolution *v = &c->conv;
    const int64_t noutput = (int64_t)c->kernel[v->kernel_output], groups = (int64_t)or1(v->feature_groups);
    const int64_t batch = (int64_t)(c->dims[v->base_batch] / or1(v->batch_groups));
    bool all = i[v->base_batch] % batch == o[v->out_batch];
    all &= i[v->base_feature] / (int64_t)c->kernel[v->kernel_input] == o[v->out_feature] / (noutput / groups);
    for (int k = 0; k < v->nspatial; k++)
        all &= in_window(&c->windows[k], o[c->spatial[2][k]], i[c->spatial[0][k]]);
    return all;
}

static void choose_kernel(op_case *c, tsr_rng *rng)
{
    choose_convolution(c, rng);
    c->side = 1;
    memcpy(c->left, c->dims, sizeof c->dims);
    memcpy(c->dims, c->kernel, sizeof c->dims);
}

/* Cells of the kernel are read for padding, too. */
static bool reads_kernel(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    (void)rt;
    return i[c->conv.kernel_output] == o[c->conv.out_feature];
}

/* ---- products ---- */

static void choose_dot(op_case *c, tsr_rng *rng)
{
    tsr_dot *d = &c->dot;
    int perms[2][MAX];
    d->nbatch = (int)below(rng, 2);
    d->ncontracted = (int)below(rng, 3);
    d->nleft = d->nbatch + d->ncontracted + (int)below(rng, 2);
    d->nright = d->nbatch + d->ncontracted + (int)below(rng, 2);
    choose_perm(perms[0], d->nleft, rng);
    choose_perm(perms[1], d->nright, rng);
    for (int k = 0; k < d->nleft; k++)
        c->left[k] = 1 + below(rng, 3);
    for (int k = 0; k < d->nright; k++)
        c->right[k] = 1 + below(rng, 3);
    for (int k = 0; k < d->nbatch + d->ncontracted; k++) {
        const bool batch = k < d->nbatch;
        const int at = batch ? k : k - d->nbatch;
        c->dot_lists[batch ? 0 : 2][at] = perms[0][k];
        c->dot_lists[batch ? 1 : 3][at] = perms[1][k];
        c->right[perms[1][k]] = c->left[perms[0][k]];
    }
    c->side = (int)below(rng, 2);
    c->n = c->side == 0 ? d->nleft : d->nright;
    memcpy(c->dims, c->side == 0 ? c->left : c->right, sizeof c->dims);
    c->nout = d->nleft + d->nright - d->nbatch - 2 * d->ncontracted;
}

static tsr_status map_dot(tsr_map **out, uint64_t *od, tsr_map_direction dir, const op_case *c,
                          tsr_error *err)
{
    tsr_dot d = c->dot;
    d.left = c->left, d.right = c->right;
    d.left_batch = c->dot_lists[0], d.right_batch = c->dot_lists[1];
    d.left_contracted = c->dot_lists[2], d.right_contracted = c->dot_lists[3];
    TSR_TRY(tsr_map_dot(out, od, dir, &d, c->side, err));
    assert_int_equal(tsr_map_out_ndims(*out, dir), c->nout);
    return TSR_OK;
}

static int find(const int *list, int n, int x)
{
    for (int k = 0; k < n; k++)
        if (list[k] == x)
            return k;
    return -1;
}

static bool reads_dot(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    (void)rt;
    const tsr_dot *d = &c->dot;
    const int *batch = c->dot_lists[c->side], *contracted = c->dot_lists[2 + c->side];
    int at = c->side == 0 ? d->nbatch : d->nleft - d->ncontracted; /* where its free dims begin */
    bool all = true;
    for (int k = 0; k < c->n; k++) {
        const int b = find(batch, d->nbatch, k);
        if (b >= 0)
            all &= i[k] == o[b];
        else if (find(contracted, d->ncontracted, k) < 0)
            all &= i[k] == o[at++];
    }
    return all;
}

/* ---- dynamic ---- */

static void choose_block(op_case *c, tsr_rng *rng)
{
    choose_dims(c, rng, 4);
    if (c->n == 3)
        c->n = 2;
    c->nout = c->nrt = c->n;
    for (int k = 0; k < c->n; k++) {
        c->sizes[k] = c->dims[k] == 0 ? 0 : 1 + below(rng, c->dims[k]);
        c->rt[k] = c->dims[k] - c->sizes[k] + 1;
        c->out[k] = c->sizes[k];
    }
}

static tsr_status map_dynamic_slice(tsr_map **out, uint64_t *od, tsr_map_direction dir, const op_case *c,
                                    tsr_error *err)
{
    (void)od;
    return tsr_map_dynamic_slice(out, dir, (tsr_shape){c->n, c->dims}, c->sizes, err);
}

static bool reads_dynamic_slice(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    bool all = true;
    for (int k = 0; k < c->n; k++)
        all &= o[k] + rt[k] == i[k];
    return all;
}

/* The operand of interest is the block. */
static void choose_update(op_case *c, tsr_rng *rng)
{
    choose_block(c, rng);
    memcpy(c->out, c->dims, sizeof c->dims);
    memcpy(c->dims, c->sizes, sizeof c->dims);
}

static tsr_status map_dynamic_update(tsr_map **out, uint64_t *od, tsr_map_direction dir, const op_case *c,
                                     tsr_error *err)
{
    (void)od;
    return tsr_map_dynamic_update(out, dir, (tsr_shape){c->n, c->out}, c->sizes, err);
}

static bool reads_update(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    bool all = true;
    for (int k = 0; k < c->n; k++)
        all &= i[k] + rt[k] == o[k];
    return all;
}

/* Slices of sizes[] of dims[], collapsed where flags[]; perm[k] = 1: the dim has a start. Two output dims
 * choose starts, one before the dims of the slice and one after them. */
static void choose_gather(op_case *c, tsr_rng *rng)
{
    choose_dims(c, rng, 4);
    c->out[c->nout++] = 2;
    for (int k = 0; k < c->n; k++) {
        c->dims[k] += c->dims[k] == 0;
        c->flags[k] = below(rng, 2);
        c->sizes[k] = c->flags[k] ? 1 : 1 + below(rng, c->dims[k]);
        c->perm[k] = (int)below(rng, 2);
        if (c->perm[k])
            c->rt[c->nrt++] = c->dims[k] - c->sizes[k] + 1;
        if (!c->flags[k])
            c->out[c->nout++] = c->sizes[k];
    }
    c->out[c->nout++] = 2;
}

static tsr_status map_gather(tsr_map **out, uint64_t *od, tsr_map_direction dir, const op_case *c,
                             tsr_error *err)
{
    (void)od, (void)dir;
    bool started[MAX];
    int offset[MAX];
    for (int k = 0; k < MAX; k++) {
        started[k] = c->perm[k] == 1;
        offset[k] = k + 1;
    }
    const tsr_gather g = {.ndims = c->n,
                          .nout = c->nout,
                          .noffset = c->nout - 2,
                          .dims = c->dims,
                          .out_dims = c->out,
                          .sizes = c->sizes,
                          .collapsed = c->flags,
                          .started = started,
                          .offset = offset};
    return tsr_map_gather(out, &g, err);
}

static bool reads_gather(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    bool all = true;
    int next = 1, r = 0;
    for (int k = 0; k < c->n; k++) {
        const int64_t start = c->perm[k] ? rt[r++] : 0;
        all &= i[k] == start + (c->flags[k] ? 0 : o[next++]);
    }
    return all;
}

const op_kind map_op_kinds[MAP_OP_NKINDS] = {
    {.name = "transpose", .choose = choose_transpose, .map = map_transpose, .reads = reads_transpose},
    {.name = "reverse",
     .choose = choose_reverse,
     .map = map_reverse,
     .reads = reads_reverse,
     .any_shape = true},
    {.name = "slice", .choose = choose_slice, .map = map_slice, .reads = reads_slice},
    {.name = "pad", .choose = choose_pad, .map = map_pad, .reads = reads_pad},
    {.name = "reshape",
     .choose = choose_reshape,
     .map = map_reshape,
     .reads = reads_reshape,
     .any_shape = true},
    {.name = "broadcast",
     .choose = choose_broadcast,
     .map = map_broadcast,
     .reads = reads_broadcast,
     .any_shape = true},
    {.name = "concat", .choose = choose_concat, .map = map_concat, .reads = reads_concat},
    {.name = "reduce", .choose = choose_reduce, .map = map_reduce, .reads = reads_reduce},
    {.name = "scan", .choose = choose_scan, .map = map_scan, .reads = reads_scan, .any_shape = true},
    {.name = "reduce-window", .choose = choose_window_op, .map = map_window, .reads = reads_window},
    {.name = "convolution",
     .choose = choose_convolution,
     .map = map_convolution,
     .reads = reads_base,
     .one_way = true},
    {.name = "kernel",
     .choose = choose_kernel,
     .map = map_convolution,
     .reads = reads_kernel,
     .one_way = true},
    {.name = "dot", .choose = choose_dot, .map = map_dot, .reads = reads_dot},
    {.name = "dynamic-slice",
     .choose = choose_block,
     .map = map_dynamic_slice,
     .reads = reads_dynamic_slice,
     .any_shape = true},
    {.name = "dynamic-update",
     .choose = choose_update,
     .map = map_dynamic_update,
     .reads = reads_update,
     .any_shape = true,
     .may_leave = true},
    {.name = "gather",
     .choose = choose_gather,
     .map = map_gather,
     .reads = reads_gather,
     .any_shape = true,
     .one_way = true},
};
