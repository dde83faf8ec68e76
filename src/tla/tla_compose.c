/* Composition: the layout of c -> a(b(c)).
 *
 * Each leaf n:r of b walks through the leaves s:d of a, the fastest first (a is coalesced, and its last leaf
 * has no end). If r >= s, the steps skip whole rounds of the leaf: r must be a multiple of s, and the walk
 * goes on with r / s in the next leaf. If r < s, the steps are inside the leaf: if all n steps are, the
 * result is n:(r * d) and the walk ends; else s must be a multiple of r, and n a multiple of s / r: s / r of
 * the steps give (s / r):(r * d), and the other n / (s / r) steps go on as steps of 1 in the next leaf. The
 * parts of the leaves of b are then added up. That is correct if, in each leaf of a, the digits of the parts
 * add up to less than the size of the leaf. */
#include "tla_internal.h"

#include "tsr_checked.h"

/* a during the walk. used[i]: the largest sum of digits in leaf i over the leaves of b so far; while it is
 * less than the size of the leaf there is no carry, so the parts can be added. */
typedef struct walked {
    const tsr_tla *layout;
    tsr_tla_flat leaves;
    int64_t used[TSR_TLA_MAX_LEAVES + 1];
} walked;

/* n steps of r in leaf i of a. */
typedef struct part {
    int i;
    int64_t n, r;
} part;

/* Append the part as a leaf of the result; it belongs to leaf b. */
static tsr_status add_part(tsr_tla_flat *out, walked *a, part p, const tsr_tla_leaf *b, tsr_error *err)
{
    const int i = p.i;
    const int64_t n = p.n, r = p.r;
    const tsr_tla_leaf *leaf = &a->leaves.leaf[i];
    char shown[TSR_TUPLE_SHOWN_NBYTES];
    int64_t stride;
    if (out->n == TSR_TLA_MAX_LEAVES)
        return tsr_fail(err, TSR_LIMIT, "a layout has at most %d leaves", TSR_TLA_MAX_LEAVES);
    if (!tsr_mul_i64(&stride, r, leaf->stride))
        return tsr_fail(err, TSR_LIMIT, "the offsets of the layout do not fit into 64 bits");
    if (i < a->leaves.n - 1 && n > 1) { /* (n - 1) * r is less than the size of the leaf */
        if ((n - 1) * r > leaf->shape - 1 - a->used[i])
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "%s after (...,%lld:%lld,...) is not a layout: together with the modes before, "
                            "the mode goes past the end of a mode of size %lld",
                            tsr_tla_show(shown, a->layout), (long long)b->shape, (long long)b->stride,
                            (long long)leaf->shape);
        a->used[i] += (n - 1) * r;
    }
    out->leaf[out->n++] =
        (tsr_tla_leaf){.shape = n, .stride = stride, .is_static = b->is_static && leaf->is_static};
    return TSR_OK;
}

/* Fail: n steps of r do not fill a whole number of rounds of a leaf of size s. */
static tsr_status uneven(const walked *a, const tsr_tla_leaf *b, int64_t n, int64_t r, int64_t s,
                         tsr_error *err)
{
    char shown[TSR_TUPLE_SHOWN_NBYTES];
    return tsr_fail(
        err, TSR_UNSUPPORTED,
        "%s after %lld:%lld is not a layout: %lld steps of %lld do not divide a mode of size %lld evenly",
        tsr_tla_show(shown, a->layout), (long long)b->shape, (long long)b->stride, (long long)n, (long long)r,
        (long long)s);
}

/* Append the layout of k -> a(r * k), k < n, for the leaf n:r of b. */
static tsr_status walk(tsr_tla_flat *out, walked *a, const tsr_tla_leaf *b, tsr_error *err)
{
    int64_t n = b->shape, r = b->stride;
    const int last = a->leaves.n - 1;
    out->n = 0;
    if (r == 0) {
        out->leaf[out->n++] = *b;
        return TSR_OK;
    }
    for (int i = 0; i < last; i++) {
        const int64_t s = a->leaves.leaf[i].shape;
        if (n == 1) { /* one element: the stride is the one that a second element would have */
            r = r / s + (r % s != 0);
        } else if (r >= s) {
            if (r % s != 0)
                return uneven(a, b, n, r, s, err);
            r /= s;
        } else if (n - 1 <= (s - 1) / r) {
            return add_part(out, a, (part){i, n, r}, b, err);
        } else {
            if (s % r != 0 || n % (s / r) != 0)
                return uneven(a, b, n, r, s, err);
            TSR_TRY(add_part(out, a, (part){i, s / r, r}, b, err));
            n /= s / r;
            r = 1;
        }
    }
    return n > 1 || out->n == 0 ? add_part(out, a, (part){last, n, r}, b, err) : TSR_OK;
}

/* Compose along the structure of b. */
static tsr_status compose(tsr_tla *out, tsr_arena *arena, walked *a, const tsr_tla *b, tsr_error *err)
{
    tsr_tla modes[TSR_TLA_MAX_LEAVES];
    if (b->shape->kind == TSR_TUPLE_INT) {
        tsr_tla_flat leaf, parts;
        tsr_tla_leaves(&leaf, b);
        TSR_TRY(walk(&parts, a, &leaf.leaf[0], err));
        return tsr_tla_from_flat(out, arena, &parts, err);
    }
    for (int i = 0; i < b->shape->n; i++) {
        const tsr_tla mode = tsr_tla_at(b, i);
        TSR_TRY(compose(&modes[i], arena, a, &mode, err));
    }
    return tsr_tla_concat(out, arena, b->shape->n, modes, err);
}

tsr_status tsr_tla_compose_whole(tsr_tla *out, tsr_arena *arena, const tsr_tla *a, const tsr_tla *b,
                                 tsr_error *err)
{
    walked steps = {.layout = a};
    tsr_tla_leaves(&steps.leaves, a);
    tsr_tla_flat_coalesce(&steps.leaves, true);
    return compose(out, arena, &steps, b, err);
}

static tsr_status compose_tiler(tsr_tla *out, tsr_arena *arena, const tsr_tla *a, const tsr_tiler *b,
                                tsr_error *err)
{
    if (b->kind == TSR_TILER_LAYOUT)
        return tsr_tla_compose_whole(out, arena, a, &b->layout, err);
    if (b->kind == TSR_TILER_ANY) {
        *out = (tsr_tla){.shape = a->shape, .stride = a->stride};
        return TSR_OK;
    }
    return tsr_tla_by_mode(out, arena, a, b, compose_tiler, err);
}

tsr_status tsr_tla_compose(tsr_tla *out, tsr_arena *arena, const tsr_tla *a, const tsr_tiler *b,
                           tsr_error *err)
{
    tsr_tla result;
    *out = (tsr_tla){0};
    TSR_TRY(compose_tiler(&result, arena, a, b, err));
    *out = result;
    return TSR_OK;
}

tsr_status tsr_tla_by_mode(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, const tsr_tiler *list,
                           tsr_tla_operation *operation, tsr_error *err)
{
    tsr_tla modes[TSR_TLA_MAX_LEAVES];
    char shown[TSR_TUPLE_SHOWN_NBYTES];
    const int rank = tsr_tla_rank(layout);
    if (list->n > rank)
        return tsr_fail(err, TSR_ARGUMENT, "the tiler has rank %d, but %s has rank %d", list->n,
                        tsr_tla_show(shown, layout), rank);
    for (int i = 0; i < rank; i++) {
        const tsr_tla mode = modes[i] = tsr_tla_at(layout, i);
        if (i < list->n)
            TSR_TRY(operation(&modes[i], arena, &mode, list->x[i], err));
    }
    return tsr_tla_concat(out, arena, rank, modes, err);
}
