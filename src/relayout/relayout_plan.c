/* The plan of a relayout: from the maps of two layouts to boxes of common digits. */
#include "relayout_internal.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tsr_checked.h"

/* ---- one layout ---- */

static tsr_status side_strides(relayout_side *side, const tsr_dense_layout *layout, int nbits, tsr_error *err)
{
    const tsr_binding *binding = layout->binding;
    const tsr_format *format = binding->format;
    uint64_t nbits_all;
    side->npos = 1;
    for (int l = format->nlevels - 1; l >= 0; l--) {
        if (!format->levels[l].type->full)
            return tsr_fail(err, TSR_ARGUMENT,
                            "cannot use level %d, %s, in a layout: all levels must be dense", l,
                            format->levels[l].type->name);
        side->pitch[l] = layout->pitch ? layout->pitch[l] : binding->pitch[l];
        if (side->pitch[l] < binding->size[l])
            return tsr_fail(err, TSR_ARGUMENT,
                            "level %d has the pitch %" PRIu64
                            ": it must be at least the size of the level, %" PRIu64,
                            l, side->pitch[l], binding->size[l]);
        side->stride[l] = side->npos;
        if (!tsr_mul_u64(&side->npos, side->npos, side->pitch[l]))
            return tsr_fail(err, TSR_LIMIT,
                            "the layout has 2^64 positions or more: a layout must have less than 2^63 bits");
    }
    if (!tsr_mul_u64(&nbits_all, side->npos, (uint64_t)nbits) || nbits_all > INT64_MAX - 128)
        return tsr_fail(err, TSR_LIMIT,
                        "the layout has %" PRIu64
                        " positions of %d bits: a layout must have less than 2^63 bits",
                        side->npos, nbits);
    return TSR_OK;
}

/* Set the terms of all levels; set nterms to -1 when a result is not a sum of digits with positive factors,
 * or there are too many terms. */
static void side_terms(relayout_side *side, const tsr_binding *binding)
{
    side->nterms = -1;
    int n = 0;
    for (int l = 0; l < binding->format->nlevels; l++) {
        tsr_digit digits[RELAYOUT_MAX_DIGITS];
        int64_t constant;
        const int count =
            tsr_map_result_digits(digits, RELAYOUT_MAX_DIGITS - n, &constant, binding->forward, l);
        if (count < 0 || constant != binding->base[l])
            return;
        for (int i = 0; i < count; i++) {
            const tsr_digit *d = &digits[i];
            if (d->k <= 0)
                return;
            /* if the product wraps, the digit is always 0 */
            side->terms[n++] = (relayout_term){.mode = d->dim,
                                               .div = (uint64_t)d->div,
                                               .mod = (uint64_t)d->mod,
                                               .stride = (uint64_t)d->k * side->stride[l]};
        }
    }
    side->nterms = n;
}

/* Whether the terms of mode m have each digit of the coordinate exactly once. *padded: the number of values
 * that these digits can have. */
static bool covers_mode(uint64_t *padded, const relayout_side *side, int m, uint64_t dim)
{
    uint64_t reach = 1;
    for (;;) {
        const relayout_term *next = NULL;
        for (int i = 0; i < side->nterms; i++)
            if (side->terms[i].mode == m && side->terms[i].div >= reach &&
                (!next || side->terms[i].div < next->div))
                next = &side->terms[i];
        if (!next)
            break;
        if (next->div != reach)
            return false;
        if (next->mod == 0)
            reach *= (dim - 1) / reach + 1; /* at most 2 * dim */
        else if (!tsr_mul_u64(&reach, reach, next->mod))
            return false;
        if (next->mod == 0 || next->mod == 1)
            break;
    }
    *padded = reach;
    return reach >= dim && reach <= INT64_MAX;
}

/* Set side->boxed and side->padded. The layout is boxed if it has one position for each combination of
 * values of the digits, as then each position belongs to one cell of the box with the dims `padded`. */
static void side_box(relayout_side *side, const tsr_relayout *r)
{
    uint64_t ncells = 1;
    side->boxed = false;
    for (int m = 0; m < r->order; m++)
        if (!covers_mode(&side->padded[m], side, m, r->dims[m]) ||
            !tsr_mul_u64(&ncells, ncells, side->padded[m]))
            return;
    /* if the strides are 1, e0, e0 * e1, ..., where e0, e1, ... are the extents of digits, each combination
     * of values has a position of its own */
    bool used[RELAYOUT_MAX_DIGITS] = {false};
    uint64_t stride = 1;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < side->nterms && !more; i++) {
            const relayout_term *t = &side->terms[i];
            const uint64_t extent = t->mod ? t->mod : (r->dims[t->mode] - 1) / t->div + 1;
            if (used[i] || extent == 1 || t->stride != stride)
                continue;
            if (!tsr_mul_u64(&stride, stride, extent))
                return;
            used[i] = more = true;
        }
    }
    side->boxed = stride == ncells && ncells == side->npos;
}

/* ---- the refinement ---- */

static int compare_u64(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Collect the radices below `limit` that the layouts use for mode m; return the number of them. */
static int collect_radices(uint64_t *radix, const tsr_relayout *r, int m, uint64_t limit)
{
    const relayout_side *const sides[] = {&r->to, &r->from};
    int n = 0;
    radix[n++] = 1;
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < sides[s]->nterms; i++) {
            const relayout_term *t = &sides[s]->terms[i];
            uint64_t end;
            if (t->mode != m)
                continue;
            if (t->div < limit)
                radix[n++] = t->div;
            if (t->mod && tsr_mul_u64(&end, t->div, t->mod) && end < limit)
                radix[n++] = end;
        }
    return n;
}

/* The stride of the digit of mode m with this radix: the sum of what each term of the digit adds. */
static uint64_t digit_stride(const relayout_side *side, int m, uint64_t radix)
{
    uint64_t stride = 0, end;
    for (int i = 0; i < side->nterms; i++) {
        const relayout_term *t = &side->terms[i];
        if (t->mode != m || t->div > radix)
            continue;
        if (t->mod && tsr_mul_u64(&end, t->div, t->mod) && end <= radix)
            continue;
        stride += t->stride * (radix / t->div);
    }
    return stride;
}

/* Set the digits of mode m. Returns false when the radices do not divide each other, or are too many. */
static bool refine_mode(tsr_relayout *r, int m)
{
    uint64_t radix[4 * RELAYOUT_MAX_DIGITS + 1], limit = r->dims[m];
    if (r->to.boxed && r->to.padded[m] > limit)
        limit = r->to.padded[m];
    const int n = collect_radices(radix, r, m, limit);
    qsort(radix, (size_t)n, sizeof *radix, compare_u64);
    relayout_mode *mode = &r->modes[m];
    mode->ndigits = 0;
    for (int i = 0; i < n; i++) {
        const uint64_t last = mode->ndigits ? mode->radix[mode->ndigits - 1] : 1;
        if (radix[i] % last != 0)
            return false;
        if (mode->ndigits && radix[i] == last)
            continue;
        if (mode->ndigits == RELAYOUT_MAX_DIGITS)
            return false;
        mode->to[mode->ndigits] = digit_stride(&r->to, m, radix[i]);
        mode->from[mode->ndigits] = digit_stride(&r->from, m, radix[i]);
        mode->radix[mode->ndigits++] = radix[i];
    }
    return true;
}

static bool refine(tsr_relayout *r)
{
    int ndigits = 0;
    if (r->to.nterms < 0 || r->from.nterms < 0)
        return false;
    for (int m = 0; m < r->order; m++) {
        if (!refine_mode(r, m))
            return false;
        ndigits += r->modes[m].ndigits;
    }
    return ndigits <= RELAYOUT_MAX_DIGITS;
}

/* ---- boxes ---- */

/* Cut the range [lo, hi) of a mode into segments that are as large as the digits allow; return the number of
 * segments. */
static int cut_mode(relayout_segment *segments, const relayout_mode *mode, uint64_t lo, uint64_t hi)
{
    int n = 0;
    while (lo < hi) {
        int k = 0;
        while (k + 1 < mode->ndigits && lo % mode->radix[k + 1] == 0 && hi - lo >= mode->radix[k + 1])
            k++;
        const uint64_t radix = mode->radix[k];
        uint64_t count = (hi - lo) / radix;
        if (k + 1 < mode->ndigits) {
            const uint64_t up = (mode->radix[k + 1] - lo % mode->radix[k + 1]) / radix;
            count = count < up ? count : up;
        }
        segments[n++] = (relayout_segment){.first = lo, .count = count, .digit = k};
        lo += count * radix;
    }
    return n;
}

/* Add a segment of mode m to the box. */
static void add_segment(relayout_box *box, const relayout_mode *mode, const relayout_segment *s)
{
    for (int k = 0; k < mode->ndigits; k++) {
        const uint64_t next = k + 1 < mode->ndigits ? mode->radix[k + 1] : 0;
        const uint64_t at = (next ? s->first % next : s->first) / mode->radix[k];
        box->to_at += at * mode->to[k];
        box->from_at += at * mode->from[k];
        if (k > s->digit)
            continue;
        box->extent[box->n] = k < s->digit ? next / mode->radix[k] : s->count;
        box->to[box->n] = mode->to[k];
        box->from[box->n++] = mode->from[k];
    }
}

bool relayout_each_box(const tsr_relayout *r, const uint64_t *lo, const uint64_t *hi, relayout_visit *visit,
                       void *ctx)
{
    int count[TSR_MAX_ORDER], at[TSR_MAX_ORDER] = {0};
    relayout_segment segments[RELAYOUT_MAX_SEGMENTS]; /* of one mode; cutting a mode again is cheap */
    for (int m = 0; m < r->order; m++) {
        count[m] = cut_mode(segments, &r->modes[m], lo[m], hi[m]);
        if (count[m] == 0)
            return true;
    }
    for (;;) {
        relayout_box box = {.nbits = r->nbits};
        for (int m = 0; m < r->order; m++) {
            cut_mode(segments, &r->modes[m], lo[m], hi[m]);
            add_segment(&box, &r->modes[m], &segments[at[m]]);
        }
        if (!visit(ctx, &box))
            return false;
        int m = r->order - 1;
        while (m >= 0 && ++at[m] == count[m])
            at[m--] = 0;
        if (m < 0)
            return true;
    }
}

void relayout_coalesce(relayout_box *box)
{
    int n = 0;
    for (int k = 0; k < box->n; k++) {
        if (box->extent[k] == 1)
            continue;
        const uint64_t extent = box->extent[k], to = box->to[k], from = box->from[k];
        int at = n++;
        for (; at > 0 && box->to[at - 1] > to; at--) {
            box->extent[at] = box->extent[at - 1];
            box->to[at] = box->to[at - 1];
            box->from[at] = box->from[at - 1];
        }
        box->extent[at] = extent;
        box->to[at] = to;
        box->from[at] = from;
    }
    box->n = 0;
    for (int k = 0; k < n; k++) {
        const int last = box->n - 1;
        if (last >= 0 && box->to[k] == box->to[last] * box->extent[last] &&
            box->from[k] == box->from[last] * box->extent[last]) {
            box->extent[last] *= box->extent[k];
            continue;
        }
        box->extent[box->n] = box->extent[k];
        box->to[box->n] = box->to[k];
        box->from[box->n++] = box->from[k];
    }
}

void relayout_widen(relayout_box *box)
{
    while (box->nbits < 128 && box->n > 0 && box->to[0] == 1 && box->from[0] == 1) {
        uint64_t odd = box->extent[0] | box->to_at | box->from_at;
        for (int k = 1; k < box->n; k++)
            odd |= box->to[k] | box->from[k];
        if (odd & 1)
            return;
        box->nbits *= 2;
        box->to_at /= 2;
        box->from_at /= 2;
        box->extent[0] /= 2;
        for (int k = 1; k < box->n; k++) {
            box->to[k] /= 2;
            box->from[k] /= 2;
        }
        if (box->extent[0] == 1)
            relayout_coalesce(box);
    }
}

/* ---- the plan ---- */

static tsr_status check_arguments(const tsr_dense_layout *to, const tsr_dense_layout *from, int nbits,
                                  tsr_error *err)
{
    const tsr_binding *a = to->binding, *b = from->binding;
    if (nbits < 1 || nbits > 128 || (nbits & (nbits - 1)) != 0)
        return tsr_fail(err, TSR_ARGUMENT,
                        "elements cannot have %d bits: 1, 2, 4, 8, 16, 32, 64 or 128 are supported", nbits);
    if (a->format->order != b->format->order)
        return tsr_fail(err, TSR_ARGUMENT, "the orders of the layouts differ: %d and %d", a->format->order,
                        b->format->order);
    for (int m = 0; m < a->format->order; m++)
        if (a->dims[m] != b->dims[m])
            return tsr_fail(err, TSR_ARGUMENT,
                            "dim %d is %" PRIu64 " in one layout and %" PRIu64
                            " in the other: the dims must be equal",
                            m, a->dims[m], b->dims[m]);
    return TSR_OK;
}

static tsr_status make(tsr_relayout *r, const tsr_dense_layout *to, const tsr_dense_layout *from,
                       tsr_error *err)
{
    r->nelements = 1;
    for (int m = 0; m < r->order; m++) {
        r->dims[m] = to->binding->dims[m];
        if (r->dims[m] == 0)
            r->nelements = 0;
    }
    TSR_TRY(side_strides(&r->to, to, r->nbits, err));
    TSR_TRY(side_strides(&r->from, from, r->nbits, err));
    for (int m = 0; m < r->order && r->nelements; m++)
        r->nelements *= r->dims[m]; /* does not overflow: at most the number of positions */
    if (r->nelements == 0)
        return TSR_OK;
    side_terms(&r->to, to->binding);
    side_terms(&r->from, from->binding);
    side_box(&r->to, r);
    r->strided = refine(r);
    if (r->strided)
        return TSR_OK;
    TSR_TRY(tsr_map_plan_new(&r->to_plan, to->binding->forward, err));
    return tsr_map_plan_new(&r->from_plan, from->binding->forward, err);
}

tsr_status tsr_relayout_new(tsr_relayout **out, const tsr_dense_layout *to, const tsr_dense_layout *from,
                            int nbits, tsr_error *err)
{
    *out = NULL;
    TSR_TRY(check_arguments(to, from, nbits, err));
    tsr_relayout *r = tsr_calloc(1, sizeof *r);
    if (!r)
        return tsr_fail(err, TSR_NOMEM, "out of memory for the plan of a relayout");
    r->order = to->binding->format->order;
    r->nbits = nbits;
    r->to_binding = to->binding;
    r->from_binding = from->binding;
    const tsr_status status = make(r, to, from, err);
    if (status != TSR_OK) {
        tsr_relayout_free(r);
        return status;
    }
    *out = r;
    return TSR_OK;
}

void tsr_relayout_free(tsr_relayout *r)
{
    if (!r)
        return;
    tsr_map_plan_free(r->to_plan);
    tsr_map_plan_free(r->from_plan);
    tsr_free(r);
}

uint64_t tsr_relayout_to_npos(const tsr_relayout *r)
{
    return r->to.npos;
}

uint64_t tsr_relayout_from_npos(const tsr_relayout *r)
{
    return r->from.npos;
}

uint64_t tsr_relayout_nbytes(const tsr_relayout *r, uint64_t npos)
{
    return (npos * (uint64_t)r->nbits + 7) / 8;
}
