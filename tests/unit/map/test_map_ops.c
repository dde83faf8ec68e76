/* Operations as maps, against what they mean: for random small operations, every pair of an output and an
 * operand coordinate is asked whether the one is read for the other, by the definition of the operation, and
 * the maps of both directions have to give just these pairs. So domains are exact, and each direction
 * composed with the other contains the identity. */
#include "tsr_test.h"

#include "map_oracle.h"
#include "tsr_alloc.h"
#include "tsr_map_ops.h"

enum { MAX = 6, MAX_PAIRS = 1 << 16, NROUNDS = 600 };

/* One operation with all that the definitions below need. */
typedef struct op_case {
    int n, nout, nrt;
    uint64_t dims[MAX], out[MAX], rt[MAX]; /* rt: how many values each runtime offset has */
    int perm[MAX], axis;
    bool flags[MAX];
    tsr_slice slices[MAX];
    tsr_padding pads[MAX];
    tsr_window windows[MAX];
    uint64_t before, total, sizes[MAX];
    tsr_dot dot;
    int dot_lists[4][MAX], side;
    uint64_t left[MAX], right[MAX];
    tsr_convolution conv;
    uint64_t kernel[MAX];
    int spatial[3][MAX];
} op_case;

typedef struct op_kind {
    const char *name;
    void (*choose)(op_case *c, tsr_rng *rng);
    tsr_status (*map)(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, const op_case *c,
                      tsr_error *err);
    bool (*reads)(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt);
    bool one_way;   /* output to input only */
    bool may_leave; /* results outside the operand mean nothing */
    bool any_shape; /* the case holds the output's shape already */
} op_kind;

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
    return tsr_map_transpose(out, od, dir, c->n, c->dims, c->perm, err);
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
    return tsr_map_reverse(out, c->n, c->dims, c->flags, err);
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
    return tsr_map_slice(out, od, dir, c->n, c->dims, c->slices, err);
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
    return tsr_map_pad(out, od, dir, c->n, c->dims, c->pads, err);
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
    return tsr_map_reshape(out, dir, c->n, c->dims, c->nout, c->out, err);
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
    return tsr_map_broadcast(out, dir, c->n, c->dims, c->nout, c->out, c->perm, err);
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
    return tsr_map_concat(out, od, dir, c->n, c->dims, c->axis, c->before, c->total, err);
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
    int nout;
    TSR_TRY(tsr_map_reduce(out, &nout, od, dir, c->n, c->dims, c->flags, err));
    assert_int_equal(nout, c->nout);
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
    return tsr_map_scan(out, dir, c->n, c->dims, c->axis, c->flags[0], err);
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

static tsr_window choose_window(uint64_t n, tsr_rng *rng)
{
    tsr_window w = {.size = below(rng, 4),
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

/* Whether cell s of window o is operand cell i: walked, on the padded and dilated operand. */
static bool is_cell(const tsr_window *w, int64_t o, int64_t s, int64_t i)
{
    return o * (int64_t)or1(w->stride) + s * (int64_t)or1(w->window_dilation) ==
           w->low + i * (int64_t)or1(w->base_dilation);
}

static bool in_window(const tsr_window *w, int64_t o, int64_t i)
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
    return tsr_map_reduce_window(out, od, dir, c->n, c->dims, c->windows, err);
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
    v.base = c->side == 0 ? c->dims : c->left; /* the operand in question is in dims */
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

/* Kernel cells meet padding too. */
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
    int nout;
    d.left = c->left, d.right = c->right;
    d.left_batch = c->dot_lists[0], d.right_batch = c->dot_lists[1];
    d.left_contracted = c->dot_lists[2], d.right_contracted = c->dot_lists[3];
    TSR_TRY(tsr_map_dot(out, &nout, od, dir, &d, c->side, err));
    assert_int_equal(nout, c->nout);
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
    return tsr_map_dynamic_slice(out, dir, c->n, c->dims, c->sizes, err);
}

static bool reads_dynamic_slice(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    bool all = true;
    for (int k = 0; k < c->n; k++)
        all &= o[k] + rt[k] == i[k];
    return all;
}

/* The operand in question is the block. */
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
    return tsr_map_dynamic_update(out, dir, c->n, c->out, c->sizes, err);
}

static bool reads_update(const op_case *c, const int64_t *o, const int64_t *i, const int64_t *rt)
{
    bool all = true;
    for (int k = 0; k < c->n; k++)
        all &= i[k] + rt[k] == o[k];
    return all;
}

/* Slices of sizes[] of dims[], collapsed where flags[]; perm[k] = 1: a start is given. Two output dims choose
 * starts, one before the slice's dims and one behind them. */
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

static const op_kind kinds[] = {
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

/* ---- comparing ---- */

static int64_t count(int n, const uint64_t *dims)
{
    int64_t product = 1;
    for (int k = 0; k < n; k++)
        product *= (int64_t)dims[k];
    return product;
}

/* Row-major number of x, or -1 when it is outside. */
static int64_t number(int n, const uint64_t *dims, const int64_t *x)
{
    int64_t at = 0;
    for (int k = 0; k < n; k++) {
        if (x[k] < 0 || x[k] >= (int64_t)dims[k])
            return -1;
        at = at * (int64_t)dims[k] + x[k];
    }
    return at;
}

static void coordinates(int64_t *x, int n, const uint64_t *dims, int64_t at)
{
    for (int k = n - 1; k >= 0; k--) {
        x[k] = at % (int64_t)dims[k];
        at /= (int64_t)dims[k];
    }
}

/* The pairs (runtime values, output, operand) that the map has. */
static void mark(unsigned char *pairs, const tsr_map *map, tsr_map_direction direction, const op_kind *kind,
                 const op_case *c)
{
    tsr_text text = {0};
    map_oracle oracle;
    map_box box;
    const bool back = direction == TSR_OUTPUT_TO_INPUT;
    const int64_t no = count(c->nout, c->out), ni = count(c->n, c->dims);
    tsr_map_print(&text, map);
    map_oracle_read(&oracle, tsr_text_cstr(&text));
    assert_int_equal(oracle.ndims, back ? c->nout : c->n);
    assert_int_equal(oracle.nresults, back ? c->n : c->nout);
    map_box_init(&box, &oracle, 1 << 22);
    for (bool more = map_box_next(&box); more; more = map_box_next(&box)) {
        int64_t y[64];
        if (!map_oracle_inside(&oracle, box.x))
            continue;
        for (int r = 0; r < oracle.nresults; r++)
            y[r] = map_oracle_result(&oracle, r, box.x);
        const int64_t o = number(c->nout, c->out, back ? box.x : y);
        const int64_t i = number(c->n, c->dims, back ? y : box.x);
        const int64_t rt = number(c->nrt, c->rt, box.x + oracle.nvars - c->nrt);
        if (kind->may_leave && (o < 0 || i < 0))
            continue;
        if (o < 0 || i < 0 || rt < 0)
            fail_msg("%s: '%s' leads outside", kind->name, tsr_text_cstr(&text));
        pairs[(rt * no + o) * ni + i] = 1;
    }
    tsr_text_clear(&text);
}

static void mark_by_definition(unsigned char *pairs, const op_kind *kind, const op_case *c)
{
    const int64_t no = count(c->nout, c->out), ni = count(c->n, c->dims), nrt = count(c->nrt, c->rt);
    int64_t o[MAX], i[MAX], rt[MAX];
    for (int64_t a = 0; a < nrt; a++)
        for (int64_t b = 0; b < no; b++)
            for (int64_t d = 0; d < ni; d++) {
                coordinates(rt, c->nrt, c->rt, a);
                coordinates(o, c->nout, c->out, b);
                coordinates(i, c->n, c->dims, d);
                pairs[(a * no + b) * ni + d] = kind->reads(c, o, i, rt);
            }
}

static void compare(const op_kind *kind, const op_case *c, const tsr_map *map, tsr_map_direction direction,
                    const unsigned char *want)
{
    const size_t n = (size_t)(count(c->nout, c->out) * count(c->n, c->dims) * count(c->nrt, c->rt));
    unsigned char *have = calloc(n + 1, 1);
    assert_non_null(have);
    mark(have, map, direction, kind, c);
    if (memcmp(have, want, n) != 0) {
        tsr_text text = {0};
        tsr_map_print(&text, map);
        fail_msg("%s, direction %d: other pairs than by definition: %s", kind->name, (int)direction,
                 tsr_text_cstr(&text));
    }
    free(have);
}

/* Both maps of a case; the output's shape is the one they say. False: too many pairs to look at. */
static bool build(tsr_map **maps, const op_kind *kind, op_case *c)
{
    uint64_t out[MAX] = {0};
    assert_ok(kind->map(&maps[0], out, TSR_OUTPUT_TO_INPUT, c, err));
    assert_ok(kind->map(&maps[1], NULL, kind->one_way ? TSR_OUTPUT_TO_INPUT : TSR_INPUT_TO_OUTPUT, c, err));
    if (!kind->any_shape)
        memcpy(c->out, out, sizeof out);
    return count(c->nout, c->out) * count(c->n, c->dims) * count(c->nrt, c->rt) <= MAX_PAIRS;
}

static void test_by_definition(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        uint64_t npairs = 0;
        for (uint64_t round = 0; round < NROUNDS; round++) {
            tsr_rng rng = {.s = round * 1000 + k};
            op_case c = {0};
            tsr_map *maps[2];
            kinds[k].choose(&c, &rng);
            const bool fits = build(maps, &kinds[k], &c);
            const size_t n =
                fits ? (size_t)(count(c.nout, c.out) * count(c.n, c.dims) * count(c.nrt, c.rt)) : 0;
            unsigned char *want = calloc(n + 1, 1);
            assert_non_null(want);
            if (fits) {
                mark_by_definition(want, &kinds[k], &c);
                compare(&kinds[k], &c, maps[0], TSR_OUTPUT_TO_INPUT, want);
                if (!kinds[k].one_way)
                    compare(&kinds[k], &c, maps[1], TSR_INPUT_TO_OUTPUT, want);
                for (size_t p = 0; p < n; p++)
                    npairs += want[p];
            }
            free(want);
            tsr_map_free(maps[0]);
            tsr_map_free(maps[1]);
        }
        if (npairs < NROUNDS)
            fail_msg("%s: only %llu pairs were looked at", kinds[k].name, (unsigned long long)npairs);
    }
}

/* The output's shape as the definitions walk it: as far as there is something to read, or padding. */
static void test_output_shapes(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 2000; round++) {
        tsr_rng rng = {.s = round};
        op_case c = {0};
        uint64_t out[MAX];
        tsr_map *map;
        choose_slice(&c, &rng);
        assert_ok(map_slice(&map, out, TSR_OUTPUT_TO_INPUT, &c, err));
        for (int k = 0; k < c.n; k++) {
            uint64_t n = 0, at = c.slices[k].start;
            while (at < c.slices[k].limit) {
                n++;
                at = c.slices[k].stride > c.slices[k].limit ? c.slices[k].limit : at + c.slices[k].stride;
            }
            assert_int_equal(out[k], n);
        }
        tsr_map_free(map);
        memset(&c, 0, sizeof c);
        choose_window_op(&c, &rng);
        assert_ok(map_window(&map, out, TSR_OUTPUT_TO_INPUT, &c, err));
        for (int k = 0; k < c.n; k++) {
            const tsr_window *w = &c.windows[k];
            const int64_t body = c.dims[k] ? (int64_t)((c.dims[k] - 1) * or1(w->base_dilation) + 1) : 0;
            const int64_t last = (int64_t)((or1(w->size) - 1) * or1(w->window_dilation)); /* the last cell */
            uint64_t n = 0;
            while ((int64_t)(n * or1(w->stride)) + last < w->low + body + w->high)
                n++;
            assert_int_equal(out[k], n);
        }
        tsr_map_free(map);
    }
}

/* ---- texts: how maps come out ---- */

static void expect(tsr_map *map, const char *want)
{
    tsr_text text = {0};
    tsr_map_print(&text, map);
    assert_string_equal(tsr_text_cstr(&text), want);
    tsr_text_clear(&text);
    tsr_map_free(map);
}

static void test_texts(void **state)
{
    (void)state;
    tsr_map *map;
    const uint64_t d45[] = {4, 5}, d8[] = {8}, d248[] = {2, 4, 8}, huge[] = {1ull << 40, 1ull << 40};
    const uint64_t halves[] = {1ull << 40, 1ull << 20, 1ull << 20}, ones[] = {1, 1};
    assert_ok(tsr_map_scalar(&map, 2, d45, err));
    expect(map, "(d0, d1) -> (), domain: d0 in [0, 3], d1 in [0, 4]");
    assert_ok(tsr_map_everywhere(&map, 2, d45, err));
    expect(map, "()[s0, s1] -> (s0, s1), domain: s0 in [0, 3], s1 in [0, 4]");
    assert_ok(tsr_map_identity(&map, 2, d45, err));
    expect(map, "(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 4]");
    assert_ok(tsr_map_pad(&map, NULL, TSR_OUTPUT_TO_INPUT, 1, d8,
                          (tsr_padding[]){{.low = -3, .high = -5, .interior = 1}}, err));
    expect(map, "(d0) -> ((d0 + 3) floordiv 2), domain: d0 in [0, 6], (d0 + 3) mod 2 in [0, 0]");
    assert_ok(tsr_map_reshape(&map, TSR_INPUT_TO_OUTPUT, 3, d248, 1, (uint64_t[]){64}, err));
    expect(map, "(d0, d1, d2) -> (d0 * 32 + d1 * 8 + d2), domain: d0 in [0, 1], d1 in [0, 3], d2 in [0, 7]");
    /* products over 2^63 meet nowhere here */
    assert_ok(tsr_map_reshape(&map, TSR_OUTPUT_TO_INPUT, 2, huge, 3, halves, err));
    expect(map, "(d0, d1, d2) -> (d0, d1 * 1048576 + d2), domain: d0 in [0, 1099511627775], d1 in [0, "
                "1048575], d2 in [0, 1048575]");
    assert_ok(tsr_map_reshape(&map, TSR_OUTPUT_TO_INPUT, 2, ones, 0, ones, err));
    expect(map, "() -> (0, 0)");
    assert_ok(tsr_map_reshape(&map, TSR_INPUT_TO_OUTPUT, 2, ones, 0, ones, err));
    expect(map, "(d0, d1) -> (), domain: d0 in [0, 0], d1 in [0, 0]");
}

static void test_symbols(void **state)
{
    (void)state;
    tsr_map *map, *value, *out;
    const bool keep[] = {false, false, false, true, true, false},
               fewer[] = {true, true, true, false, true, true};
    const int at[] = {1, 0, 3};
    assert_ok(tsr_map_parse(&map,
                            "(a, b)[s, t, u]{r} -> (a + t), domain: a in [0, 3], b in [0, 4], s in [0, 5], t "
                            "in [0, 6], u in [0, 9], r in [0, 7], u + a in [0, 5]",
                            err));
    for (int v = 0; v < 6; v++)
        assert_int_equal(tsr_map_uses(map, v), v == 0 || keep[v]);
    assert_ok(tsr_map_keep(&out, map, keep, err));
    expect(out, "(d0, d1)[s0, s1] -> (d0 + s0), domain: d0 in [0, 3], d1 in [0, 4], s0 in [0, 6], s1 in [0, "
                "9], d0 + s1 in [0, 5]");
    assert_int_equal(tsr_map_keep(&out, map, fewer, NULL), TSR_ARGUMENT);
    assert_null(out);
    assert_ok(tsr_map_parse(&value, "(a, b)[s] -> (b * 2, a + s), domain: a - b in [0, 9]", err));
    assert_ok(tsr_map_embed(&out, value, map, at, err));
    expect(out, "(d0, d1)[s0, s1, s2]{rt0} -> (d0 * 2, d1 + s1), domain: d0 in [0, 3], d1 in [0, 4], s0 in "
                "[0, 5], s1 in [0, 6], s2 in [0, 9], rt0 in [0, 7], -d0 + d1 in [0, 9]");
    tsr_map_free(value);
    assert_false(tsr_map_is_empty(map));
    tsr_map_free(map);
    assert_ok(
        tsr_map_parse(&map, "(a){r, q} -> (a + r), domain: a in [0, 9], r in [2, 5], q in [0, 1]", err));
    assert_ok(tsr_map_parse(&value, "(a){r, q} -> (a * 2 + q)", err));
    assert_ok(tsr_map_substitute(&out, map, 1, value, err));
    expect(out, "(d0){rt0} -> (d0 * 3 + rt0), domain: d0 in [0, 9], rt0 in [0, 1], d0 * 2 + rt0 in [2, 5]");
    assert_int_equal(tsr_map_substitute(&out, map, 0, value, NULL), TSR_ARGUMENT);
    assert_null(out);
    assert_int_equal(tsr_map_substitute(&out, map, 3, value, NULL), TSR_ARGUMENT);
    tsr_map_free(map);
    tsr_map_free(value);
}

/* ---- what does not fit together ---- */

static void check_refused(tsr_status status, const tsr_map *out, const tsr_error *err, tsr_status want,
                          const char *message)
{
    assert_null(out);
    assert_int_equal(status, want);
    assert_string_equal(err->message, message);
}

#define REFUSED(call, want, message)                            \
    do {                                                        \
        tsr_error refused = {0}, *const err = &refused;         \
        tsr_map *out = (tsr_map *)-1;                           \
        const tsr_status refused_status = (call);               \
        check_refused(refused_status, out, err, want, message); \
    } while (0)

static void test_refusals(void **state)
{
    (void)state;
    const uint64_t d[] = {4, 5}, over[] = {1ull << 63, 1}, big[] = {1ull << 40, 1ull << 40};
    const tsr_map_direction o2i = TSR_OUTPUT_TO_INPUT;
    const tsr_slice good = {.limit = 1, .stride = 1};
    const tsr_padding none = {0};
    const int twice[] = {1, 1}, outside[] = {0, 2}, zero[] = {0}, one[] = {1};
    REFUSED(tsr_map_identity(&out, 2, over, err), TSR_LIMIT, "dim 0 of 9223372036854775808 is over 2^63 - 1");
    REFUSED(tsr_map_identity(&out, 65, NULL, err), TSR_LIMIT, "an operation takes at most 64 dims, not 65");
    REFUSED(tsr_map_transpose(&out, NULL, o2i, 2, d, twice, err), TSR_ARGUMENT,
            "the permutation names dim 1 twice");
    REFUSED(tsr_map_transpose(&out, NULL, o2i, 2, d, outside, err), TSR_ARGUMENT,
            "the permutation names dim 2, but there are 2");
    REFUSED(tsr_map_slice(&out, NULL, o2i, 2, d, (tsr_slice[]){good, {.limit = 5}}, err), TSR_ARGUMENT,
            "the slice of dim 1 has stride 0");
    REFUSED(tsr_map_slice(&out, NULL, o2i, 2, d, (tsr_slice[]){{3, 6, 1}, good}, err), TSR_ARGUMENT,
            "the slice [3:6] does not lie inside dim 0 of 4");
    REFUSED(tsr_map_slice(&out, NULL, o2i, 2, d, (tsr_slice[]){{3, 2, 1}, good}, err), TSR_ARGUMENT,
            "the slice [3:2] does not lie inside dim 0 of 4");
    REFUSED(tsr_map_pad(&out, NULL, o2i, 2, d, (tsr_padding[]){{-2, -3, 0}, none}, err), TSR_ARGUMENT,
            "dim 0 of 4 with padding -2 and -3 has a negative size");
    REFUSED(tsr_map_pad(&out, NULL, o2i, 2, d, (tsr_padding[]){none, {0, INT64_MAX, 0}}, err), TSR_LIMIT,
            "dim 1 of 5 with its padding leaves 64 bits");
    REFUSED(tsr_map_pad(&out, NULL, o2i, 2, d, (tsr_padding[]){none, {0, 0, INT64_MAX / 2}}, err), TSR_LIMIT,
            "dim 1 of 5 with interior padding is over 2^63 - 1");
    REFUSED(tsr_map_reshape(&out, o2i, 2, d, 1, (uint64_t[]){21}, err), TSR_ARGUMENT,
            "a reshape keeps the number of entries, but [21] and [4, 5] differ in it");
    REFUSED(tsr_map_reshape(&out, o2i, 2, d, 1, (uint64_t[]){0}, err), TSR_ARGUMENT,
            "a reshape keeps the number of entries, but [0] and [4, 5] differ in it");
    REFUSED(tsr_map_reshape(&out, o2i, 2, big, 1, (uint64_t[]){1ull << 62}, err), TSR_LIMIT,
            "a reshape of [4611686018427387904] joins dims into more than 2^63 - 1");
    REFUSED(tsr_map_broadcast(&out, o2i, 2, d, 2, d, twice, err), TSR_ARGUMENT,
            "the broadcast names dim 1 twice");
    REFUSED(tsr_map_broadcast(&out, o2i, 1, d, 2, d, one, err), TSR_ARGUMENT,
            "the broadcast puts dim 0 of 4 at dim 1 of 5");
    REFUSED(tsr_map_concat(&out, NULL, o2i, 2, d, 2, 0, 4, err), TSR_ARGUMENT,
            "concatenation along dim 2 of 2 dims");
    REFUSED(tsr_map_concat(&out, NULL, o2i, 2, d, 0, 3, 6, err), TSR_ARGUMENT,
            "4 after 3 do not fit into a concatenation of 6");
    REFUSED(tsr_map_dynamic_slice(&out, o2i, 2, d, (uint64_t[]){4, 6}, err), TSR_ARGUMENT,
            "a block of 6 does not fit into dim 1 of 5");
    const tsr_window wide[] = {{.size = 1ull << 40}, {0}};
    REFUSED(tsr_map_reduce_window(&out, NULL, o2i, 2, d, wide, err), TSR_LIMIT,
            "dim 0 of 4 or its window is over 2^30, or its padding over 2^60");
    const tsr_dot unequal = {.nleft = 2,
                             .nright = 2,
                             .ncontracted = 1,
                             .left = d,
                             .right = d,
                             .left_contracted = zero,
                             .right_contracted = one};
    REFUSED(tsr_map_dot(&out, NULL, NULL, o2i, &unequal, 0, err), TSR_ARGUMENT,
            "a product pairs dim 0 of 4 with dim 1 of 5");
    const tsr_convolution groups = {
        .base = d, .kernel = d, .base_feature = 1, .kernel_output = 1, .out_feature = 1, .feature_groups = 3};
    REFUSED(tsr_map_convolution(&out, NULL, &groups, 0, err), TSR_ARGUMENT,
            "5 features in 3 groups do not meet a kernel of 4 input and 5 output features");
}

static void test_memory_running_out(void **state)
{
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        op_case c = {0};
        tsr_rng rng = {.s = k};
        kinds[k].choose(&c, &rng);
        const int64_t before = tsr_alloc_live();
        for (int64_t n = 0;; n++) {
            tsr_map *map;
            tsr_alloc_fail_at(n);
            const tsr_status status = kinds[k].map(&map, NULL, TSR_OUTPUT_TO_INPUT, &c, NULL);
            const int failed = tsr_alloc_failed();
            tsr_alloc_fail_at(-1);
            assert_true((status == TSR_OK) == (map != NULL));
            tsr_map_free(map);
            assert_int_equal(tsr_alloc_live(), before);
            if (!failed)
                break;
            assert_int_equal(status, TSR_NOMEM);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_definition), cmocka_unit_test(test_output_shapes),
        cmocka_unit_test(test_texts),         cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_refusals),      cmocka_unit_test(test_memory_running_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
