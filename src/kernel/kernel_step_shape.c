/* Steps that change the coordinates of the entries of a tensor (windows, and the entries of a sparse result
 * before the run). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_steps.h"

/* Check that tensor `name` has the dims and the type for which a step was made. TSR_ARGUMENT. */
static tsr_status check_shape(const tsr_tensor *tensor, const char *name, const uint64_t *dims, tsr_type type,
                              tsr_error *err)
{
    TSR_TRY(kernel_check_kind(name, tensor, err));
    for (int m = 0; m < tensor->order; m++)
        if (tensor->dims[m] != dims[m])
            return tsr_fail(err, TSR_ARGUMENT,
                            "dim %d of %s is %" PRIu64 ", but the kernel was made for %" PRIu64, m, name,
                            tensor->dims[m], dims[m]);
    if (tensor->type == type)
        return TSR_OK;
    return tsr_fail(err, TSR_ARGUMENT, "the values of %s are %s, but the kernel was made for %s", name,
                    tsr_type_name(tensor->type), tsr_type_name(type));
}

static tsr_status check_order(const tsr_tensor *tensor, const char *name, int order, tsr_error *err)
{
    if (tensor->order == order)
        return TSR_OK;
    return tsr_fail(err, TSR_ARGUMENT, "%s has %d modes, but the kernel was made for %d", name, tensor->order,
                    order);
}

/* ---- windows ---- */

/* One mode of a window: maps a coordinate of the whole tensor to a coordinate of the window. */
typedef struct window_mode {
    const tsr_mode_window *window; /* NULL: all coordinates */
    struct listed {
        uint64_t crd, at;
    } * listed; /* owned; if the window is a list: window->n elements, sorted by crd; else NULL */
} window_mode;

static int compare_listed(const void *x, const void *y)
{
    const struct listed *a = x, *b = y;
    return a->crd < b->crd ? -1 : a->crd > b->crd;
}

static tsr_status open_mode(window_mode *m, const tsr_mode_window *window, tsr_error *err)
{
    *m = (window_mode){.window = window};
    if (!window || !window->list)
        return TSR_OK;
    void *block;
    TSR_TRY(tsr_alloc_array(&block, window->n, sizeof *m->listed, 0, "a list of coordinates", err));
    m->listed = block;
    for (uint64_t k = 0; k < window->n; k++)
        m->listed[k] = (struct listed){window->list[k], k};
    qsort(m->listed, (size_t)window->n, sizeof *m->listed, compare_listed);
    return TSR_OK;
}

/* Whether the window has the coordinate *crd of the whole tensor; if so, *crd becomes the coordinate of the
 * window. */
static bool is_read(uint64_t *crd, const window_mode *m)
{
    const tsr_mode_window *const w = m->window;
    if (!w)
        return true;
    if (m->listed) {
        if (*crd < m->listed[0].crd || *crd > m->listed[w->n - 1].crd)
            return false;
        const struct listed key = {*crd, 0};
        const struct listed *const found = bsearch(&key, m->listed, (size_t)w->n, sizeof key, compare_listed);
        if (found)
            *crd = found->at;
        return found;
    }
    if (*crd < w->first || *crd >= w->behind || (*crd - w->first) % w->step != 0)
        return false;
    *crd = (*crd - w->first) / w->step;
    return true;
}

tsr_status kernel_check_lists(const tsr_expr *e, const tsr_notation *notation, tsr_error *err)
{
    for (int m = 0; m < e->nindices; m++) {
        const tsr_mode_window *const w = tsr_expr_window(e, m);
        for (uint64_t i = 0; w && w->list && i < w->n; i++)
            for (uint64_t k = 0; k < i; k++)
                if (w->list[i] == w->list[k])
                    return tsr_fail_at(err, TSR_UNSUPPORTED, NULL, 0, e->col,
                                       "the list of coordinates of %s has %" PRIu64 " twice",
                                       notation->tensor[e->tensor].name, w->list[i]);
    }
    return TSR_OK;
}

/* Keep the entries of coo that are in the windows, with the coordinates of the windows. */
static void filter(tsr_coo *coo, const window_mode *modes)
{
    const size_t nbytes = coo->values.width;
    unsigned char *const values = coo->values.data;
    uint64_t n = 0, crd[TSR_MAX_ORDER];
    for (uint64_t e = 0; e < coo->nnz; e++) {
        bool all = true;
        for (int m = 0; m < coo->order && all; m++) {
            crd[m] = tsr_array_get(&coo->crd[m], e);
            all = is_read(&crd[m], &modes[m]);
        }
        if (!all)
            continue;
        for (int m = 0; m < coo->order; m++)
            tsr_array_set(&coo->crd[m], n, crd[m]);
        if (!coo->iso && n != e)
            memcpy(values + n * nbytes, values + e * nbytes, nbytes);
        n++;
    }
    coo->nnz = n;
    for (int m = 0; m < coo->order; m++)
        coo->crd[m].n = n;
    if (!coo->iso)
        coo->values.n = n;
}

/* Set smaller dims, and give the coordinates the width for these dims. */
static tsr_status shrink(tsr_coo *coo, const uint64_t *dims, tsr_error *err)
{
    tsr_coo *to;
    TSR_TRY(tsr_coo_new_sized(&to, (tsr_shape){coo->order, dims}, coo->type, coo->iso, coo->nnz, err));
    for (int m = 0; m < coo->order; m++)
        for (uint64_t e = 0; e < coo->nnz; e++)
            tsr_array_set(&to->crd[m], e, tsr_array_get(&coo->crd[m], e));
    memcpy(to->values.data, coo->values.data, tsr_array_nbytes(&coo->values));
    const tsr_coo old = *coo;
    *coo = *to;
    *to = old;
    tsr_coo_free(to);
    return TSR_OK;
}

/* ---- the part of an operand, without a pass over all entries ---- */

/* A walk over the entries in the windows: coordinates outside are not visited, so that the cost grows with the part. */
typedef struct window_part {
    const tsr_tensor *from;
    const window_mode *modes;
    int ndense, mode[TSR_MAX_LEVELS]; /* the first ndense levels are dense; the mode of each level */
    tsr_coo *coo;                     /* NULL: entries are counted */
    uint64_t n, crd[TSR_MAX_ORDER];
} window_part;

static void take_entry(window_part *p, uint64_t position)
{
    const size_t nbytes = p->from->values.width;
    for (int m = 0; p->coo && m < p->from->order; m++)
        tsr_array_set(&p->coo->crd[m], p->n, p->crd[m]);
    if (p->coo)
        memcpy((unsigned char *)p->coo->values.data + p->n * nbytes,
               (const unsigned char *)p->from->values.data + position * nbytes, nbytes);
    p->n++;
}

/* Whether [lo, hi) of level l is searched for the coordinates of a list, or the bounds of a window: a longer list is looked up for
 * each coordinate. */
static bool is_searched(const window_part *p, int l, uint64_t lo, uint64_t hi)
{
    enum { SEARCH = 64 }; /* steps of two searches in 2^32 positions */
    const tsr_mode_window *const window = p->modes[p->mode[l]].window;
    return window && (window->list ? window->n : 1) < (hi - lo) / SEARCH;
}

/* Call for each run of equal coordinates in [lo, hi) of level l that is in the window; p->crd has the coordinate in the window. */
static void visit_runs(window_part *p, int l, uint64_t lo, uint64_t hi,
                       void (*visit)(window_part *p, int l, uint64_t lo, uint64_t hi))
{
    const tsr_array *const crd = &p->from->levels[l].crd;
    const int mode = p->mode[l];
    const window_mode *const window = &p->modes[mode];
    const bool searched = is_searched(p, l, lo, hi);
    for (uint64_t k = 0; searched && window->listed && k < window->window->n; k++) {
        lo = tsr_array_seek(crd, lo, hi, window->listed[k].crd);
        const uint64_t end = tsr_array_seek(crd, lo, hi, window->listed[k].crd + 1);
        p->crd[mode] = window->listed[k].at;
        if (lo < end)
            visit(p, l, lo, end);
        lo = end;
    }
    if (searched && window->listed)
        return;
    if (searched) {
        lo = tsr_array_seek(crd, lo, hi, window->window->first);
        hi = tsr_array_seek(crd, lo, hi, window->window->behind);
    }
    for (uint64_t end; lo < hi; lo = end) {
        const uint64_t c = tsr_array_get(crd, lo);
        for (end = lo + 1; end < hi && tsr_array_get(crd, end) == c;)
            end++;
        p->crd[mode] = c;
        if (is_read(&p->crd[mode], window))
            visit(p, l, lo, end);
    }
}

static void take(window_part *p, int l, uint64_t parent);

/* A coordinate of a compressed level has one position. */
static void take_below(window_part *p, int l, uint64_t lo, uint64_t hi)
{
    for (; lo < hi; lo++)
        take(p, l + 1, lo);
}

/* Take the entries below a position of the level above level l: levels are dense, then compressed. */
static void take(window_part *p, int l, uint64_t parent)
{
    if (l == p->from->nlevels) {
        take_entry(p, parent);
        return;
    }
    const int mode = p->mode[l];
    const window_mode *const window = &p->modes[mode];
    if (l >= p->ndense) {
        const tsr_array *const pos = &p->from->levels[l].pos;
        uint64_t lo = tsr_array_get(pos, parent);
        const uint64_t hi = tsr_array_get(pos, parent + 1);
        if (is_searched(p, l, lo, hi)) {
            visit_runs(p, l, lo, hi, take_below);
            return;
        }
        for (; lo < hi; lo++) {
            p->crd[mode] = tsr_array_get(&p->from->levels[l].crd, lo);
            if (is_read(&p->crd[mode], window))
                take(p, l + 1, lo);
        }
        return;
    }
    const uint64_t size = p->from->dims[mode], n = window->listed ? window->window->n : size;
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t crd = window->listed ? window->listed[k].crd : k;
        p->crd[mode] = crd;
        if (is_read(&p->crd[mode], window))
            take(p, l + 1, parent * size + crd);
    }
}

/* Take the entries at positions [lo, hi) of all levels below level l: entries are sorted, and each level has a coordinate for each. */
static void take_sorted(window_part *p, int l, uint64_t lo, uint64_t hi)
{
    if (l + 1 < p->from->nlevels) {
        visit_runs(p, l + 1, lo, hi, take_sorted);
        return;
    }
    for (; lo < hi; lo++)
        take_entry(p, lo);
}

/* Take the entries if only the part needs to be visited; else false: all entries are filtered. */
static bool take_part(window_part *p, const tsr_tensor *from)
{
    const tsr_format *const format = from->format;
    if (!tsr_format_is_permutation(format, p->mode) || from->iso || from->type == TSR_PATTERN ||
        from->structure != TSR_GENERAL || from->nlevels == 0)
        return false;
    p->n = 0;
    if (tsr_format_is_nested(format, &p->ndense) && p->ndense < from->nlevels)
        take(p, 0, 0);
    else if (tsr_format_is_coordinates(format) && p->modes[p->mode[0]].window)
        visit_runs(p, 0, tsr_array_get(&from->levels[0].pos, 0), tsr_array_get(&from->levels[0].pos, 1),
                   take_sorted);
    else
        return false;
    return true;
}

/* *out: the entries of the operand in the windows, with the coordinates of the windows; of shape `dims`. */
static tsr_status cut(tsr_coo **out, const tsr_tensor *operand, const window_mode *modes,
                      const uint64_t *dims, int nthreads, tsr_error *err)
{
    window_part p = {.from = operand, .modes = modes};
    if (take_part(&p, operand)) {
        TSR_TRY(tsr_coo_new_sized(out, (tsr_shape){operand->order, dims}, operand->type, false, p.n, err));
        p.coo = *out;
        take_part(&p, operand);
        return TSR_OK;
    }
    TSR_TRY(tsr_unpack(out, operand, nthreads, err));
    TSR_TRY(kernel_spread_values(*out, err));
    filter(*out, modes);
    return shrink(*out, dims, err);
}

tsr_status kernel_step_window(tsr_tensor **out, const kernel_step *step, const kernel_step_input *in,
                              tsr_error *err)
{
    window_mode modes[TSR_MAX_ORDER] = {{0}};
    tsr_coo *coo = NULL;
    const tsr_tensor *const operand = in->operands[step->expr->tensor - 1];
    if (!operand)
        return tsr_fail(err, TSR_ARGUMENT, "missing the tensor %s",
                        in->kernel->original->tensor[step->expr->tensor].name);
    const char *const name = in->kernel->original->tensor[step->expr->tensor].name;
    TSR_TRY(check_order(operand, name, step->order, err));
    TSR_TRY(check_shape(operand, name, step->whole_dims, step->type, err));
    tsr_status status = TSR_OK;
    for (int m = 0; m < step->order && status == TSR_OK; m++)
        status = open_mode(&modes[m], step->expr->window[m].n ? &step->expr->window[m] : NULL, err);
    if (status == TSR_OK)
        status = cut(&coo, operand, modes, step->dims, in->nthreads, err);
    for (int m = 0; m < step->order; m++)
        tsr_free(modes[m].listed);
    return kernel_step_pack(out, step, coo, status, in->nthreads, err);
}

/* ---- windows of the result ---- */

tsr_status kernel_step_check_whole(const tsr_kernel *kernel, const tsr_tensor *result, tsr_error *err)
{
    const char *const name = kernel->original->tensor[0].name;
    TSR_TRY(check_order(result, name, kernel->window.whole->order, err));
    TSR_TRY(check_shape(result, name, kernel->window.whole_dims, kernel->tensor[0].operand.type, err));
    if (tsr_format_equal(result->format, kernel->window.whole))
        return TSR_OK;
    return tsr_fail(err, TSR_ARGUMENT, "the format of %s is not the format for which the kernel was made",
                    name);
}

/* The coordinate of the whole result that a coordinate c of the part stands for. */
static uint64_t whole_coordinate(const tsr_mode_window *w, uint64_t c)
{
    return w->n == 0 ? c : w->list ? w->list[c] : w->first + c * w->step;
}

/* Set the cells in the windows to those of the part, which is dense and row-major. all: all cells of the whole result, in the same
 * order. */
static void set_part(tsr_coo *all, const tsr_tensor *part, const tsr_mode_window *window)
{
    const size_t nbytes = part->values.width;
    uint64_t crd[TSR_MAX_ORDER] = {0};
    for (uint64_t e = 0; e < part->npos; e++) {
        uint64_t at = 0;
        for (int m = 0; m < part->order; m++)
            at = at * all->dims[m] + whole_coordinate(&window[m], crd[m]);
        memcpy((unsigned char *)all->values.data + at * nbytes,
               (const unsigned char *)part->values.data + e * nbytes, nbytes);
        for (int m = part->order - 1; m >= 0 && ++crd[m] == part->dims[m]; m--)
            crd[m] = 0;
    }
}

/* *out: the entries of the part at the coordinates of the whole result. */
static tsr_status move_part(tsr_coo **out, const tsr_kernel *kernel, const tsr_tensor *result,
                            const tsr_tensor *part, int nthreads, tsr_error *err)
{
    const tsr_mode_window *const window = kernel->original->result->window;
    tsr_coo *coo;
    TSR_TRY(tsr_unpack(&coo, part, nthreads, err));
    const tsr_status status =
        tsr_coo_new_sized(out, (tsr_shape){result->order, result->dims}, result->type, false, coo->nnz, err);
    for (int m = 0; status == TSR_OK && m < coo->order; m++)
        for (uint64_t e = 0; e < coo->nnz; e++)
            tsr_array_set(&(*out)->crd[m], e, whole_coordinate(&window[m], tsr_array_get(&coo->crd[m], e)));
    if (status == TSR_OK)
        memcpy((*out)->values.data, coo->values.data, tsr_array_nbytes(&coo->values));
    tsr_coo_free(coo);
    return status;
}

tsr_status kernel_step_embed(tsr_tensor *result, const tsr_kernel *kernel, const tsr_tensor *part,
                             int nthreads, tsr_error *err)
{
    const tsr_pack_options how = {.nthreads = nthreads, .index_width = TSR_INDEX_INTEROP};
    tsr_coo *whole;
    tsr_tensor *made;
    if (tsr_format_is_dense(result->format) && kernel->ring->fill != 0) {
        TSR_TRY(kernel_absent_cells(&whole, kernel, result, err));
        set_part(whole, part, kernel->original->result->window);
    } else {
        TSR_TRY(move_part(&whole, kernel, result, part, nthreads, err));
    }
    TSR_TRY(tsr_pack(&made, whole, result->format, &how, NULL, err));
    kernel_swap(result, made);
    tsr_tensor_free(made);
    return TSR_OK;
}

/* ---- the entries of a sparse result before the run ---- */

/* Whether the result has the format and the widths for which the kernel was made, so that the kernel can read the arrays. */
static bool is_as_made(const kernel_step *step, const tsr_tensor *result)
{
    bool same = tsr_format_equal(result->format, step->format) && !result->iso &&
                kernel_has_width(result, (size_t)kernel_step_width(step));
    for (int l = 0; same && l < result->nlevels; l++)
        same = result->levels[l].pitch == result->binding->pitch[l];
    return same;
}

tsr_status kernel_step_old(tsr_tensor **out, const kernel_step *step, const kernel_step_input *in,
                           tsr_error *err)
{
    const char *const name = in->kernel->original->tensor[0].name;
    tsr_coo *coo = NULL;
    TSR_TRY(check_order(in->result, name, step->order, err));
    TSR_TRY(check_shape(in->result, name, step->dims, step->type, err));
    if (is_as_made(step, in->result)) {
        TSR_TRY(kernel_empty_result(out, in->kernel, err));
        kernel_swap(*out, in->result);
        *in->moved = *out;
        return TSR_OK;
    }
    tsr_status status = tsr_unpack(&coo, in->result, in->nthreads, err);
    if (status == TSR_OK)
        status = kernel_spread_values(coo, err);
    return kernel_step_pack(out, step, coo, status, in->nthreads, err);
}
