/* Composition: the layout of c -> a(b(c)).
 *
 * Each leaf n:r of b walks through a's leaves s:d, first the fastest (a coalesced, its last leaf without
 * end). With r >= s the steps skip whole rounds of this leaf: r must be a multiple of s, and the walk goes on
 * with r / s. With r < s the steps are inside: when all n of them are, the result is n:(r * d) and the walk
 * ends; else s must be a multiple of r, s / r of the steps give (s / r):(r * d), n must be a multiple of s /
 * r, and n / (s / r) steps of 1 go on in the next leaf. */
#include "tla_internal.h"

#include "tsr_checked.h"

static tsr_status add_leaf(tsr_tla_flat *out, int64_t shape, int64_t r, const tsr_tla_leaf *a, bool is_static,
                           tsr_error *err)
{
    int64_t stride;
    if (out->n == TSR_TLA_MAX_LEAVES)
        return tsr_fail(err, TSR_LIMIT, "a layout has at most %d leaves", TSR_TLA_MAX_LEAVES);
    if (!tsr_mul_i64(&stride, r, a->stride))
        return tsr_fail(err, TSR_LIMIT, "the offsets of the layout do not fit into 64 bits");
    out->leaf[out->n++] =
        (tsr_tla_leaf){.shape = shape, .stride = stride, .is_static = is_static && a->is_static};
    return TSR_OK;
}

/* The layout of k -> a(r * k), k < n. */
static tsr_status walk(tsr_tla_flat *out, const tsr_tla_flat *a, tsr_tla_leaf b, tsr_error *err)
{
    int64_t n = b.shape, r = b.stride;
    out->n = 0;
    if (r == 0) {
        out->leaf[out->n++] = b;
        return TSR_OK;
    }
    for (int i = 0; i < a->n - 1; i++) {
        const tsr_tla_leaf *leaf = &a->leaf[i];
        const int64_t s = leaf->shape;
        if (n == 1) { /* only the stride that a second step would have */
            r = r / s + (r % s != 0);
            continue;
        }
        if (r >= s) {
            if (r % s != 0)
                return tsr_fail(err, TSR_UNSUPPORTED,
                                "no layout: steps of %lld do not go evenly through a mode of size %lld",
                                (long long)r, (long long)s);
            r /= s;
            continue;
        }
        if (n - 1 <= (s - 1) / r)
            return add_leaf(out, n, r, leaf, b.is_static, err);
        if (s % r != 0)
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "no layout: steps of %lld do not go evenly through a mode of size %lld",
                            (long long)r, (long long)s);
        if (n % (s / r) != 0)
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "no layout: %lld steps do not end with a round of %lld of them through a mode of size "
                "%lld",
                (long long)n, (long long)(s / r), (long long)s);
        TSR_TRY(add_leaf(out, s / r, r, leaf, b.is_static, err));
        n /= s / r;
        r = 1;
    }
    return n > 1 || out->n == 0 ? add_leaf(out, n, r, &a->leaf[a->n - 1], b.is_static, err) : TSR_OK;
}

/* Over b's structure. */
static tsr_status compose(tsr_tla *out, tsr_arena *arena, const tsr_tla_flat *a, const tsr_tla *b,
                          tsr_error *err)
{
    tsr_tla modes[TSR_TLA_MAX_LEAVES];
    if (b->shape->kind == TSR_TUPLE_INT) {
        tsr_tla_flat leaf, parts;
        tsr_tla_leaves(&leaf, b);
        TSR_TRY(walk(&parts, a, leaf.leaf[0], err));
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
    tsr_tla_flat flat;
    tsr_tla_leaves(&flat, a);
    tsr_tla_flat_coalesce(&flat, true);
    return compose(out, arena, &flat, b, err);
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
