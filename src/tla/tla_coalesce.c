/* Layouts as flat lists of leaves, and coalescing: the same function of the linear coordinate with as few
 * leaves as possible. */
#include "tla_internal.h"

static void collect(tsr_tla_flat *flat, const tsr_tuple *shape, const tsr_tuple *stride)
{
    if (shape->kind == TSR_TUPLE_INT)
        flat->leaf[flat->n++] = (tsr_tla_leaf){
            .shape = shape->v, .stride = stride->v, .is_static = shape->is_static && stride->is_static};
    for (int i = 0; i < shape->n; i++)
        collect(flat, shape->x[i], stride->x[i]);
}

void tsr_tla_leaves(tsr_tla_flat *flat, const tsr_tla *layout)
{
    flat->n = 0;
    collect(flat, layout->shape, layout->stride);
}

void tsr_tla_flat_coalesce(tsr_tla_flat *flat, bool keep_last)
{
    int n = 0;
    bool is_static = true;
    for (int i = 0; i < flat->n; i++) {
        const tsr_tla_leaf x = flat->leaf[i];
        tsr_tla_leaf *last = n > 0 ? &flat->leaf[n - 1] : NULL;
        is_static &= x.is_static;
        if (x.shape == 1 && !(keep_last && i == flat->n - 1))
            continue;
        if (last && x.stride % last->shape == 0 && x.stride / last->shape == last->stride) {
            last->shape *= x.shape;
            last->is_static &= x.is_static;
        } else {
            flat->leaf[n++] = x;
        }
    }
    if (n == 0)
        flat->leaf[n++] = (tsr_tla_leaf){.shape = 1, .stride = 0, .is_static = is_static};
    flat->n = n;
}

tsr_status tsr_tla_from_leaf(tsr_tla *out, tsr_arena *arena, tsr_tla_leaf leaf, tsr_error *err)
{
    const tsr_tuple *shape, *stride;
    *out = (tsr_tla){0};
    TSR_TRY(tsr_tuple_leaf(&shape, arena, leaf.shape, leaf.is_static, err));
    TSR_TRY(tsr_tuple_leaf(&stride, arena, leaf.stride, leaf.is_static, err));
    return tsr_tla_make(out, shape, stride, NULL, err);
}

tsr_status tsr_tla_from_flat(tsr_tla *out, tsr_arena *arena, const tsr_tla_flat *flat, tsr_error *err)
{
    tsr_tla modes[TSR_TLA_MAX_LEAVES];
    *out = (tsr_tla){0};
    if (flat->n == 1)
        return tsr_tla_from_leaf(out, arena, flat->leaf[0], err);
    if (flat->n > TSR_TLA_MAX_LEAVES)
        return tsr_fail(err, TSR_LIMIT, "a layout has at most %d leaves, but this one has %d",
                        TSR_TLA_MAX_LEAVES, flat->n);
    for (int i = 0; i < flat->n; i++)
        TSR_TRY(tsr_tla_from_leaf(&modes[i], arena, flat->leaf[i], err));
    return tsr_tla_concat(out, arena, flat->n, modes, err);
}

/* ---- the public operation ---- */

static tsr_status coalesce(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, const tsr_tuple *profile,
                           tsr_error *err)
{
    tsr_tla modes[TSR_TLA_MAX_LEAVES];
    char a[TSR_TUPLE_SHOWN_NBYTES], b[TSR_TUPLE_SHOWN_NBYTES];
    const int rank = tsr_tla_rank(layout);
    if (!profile || profile->kind != TSR_TUPLE_LIST) {
        tsr_tla_flat flat;
        if (layout->shape->kind == TSR_TUPLE_INT ||
            rank == 0) { /* an integer shape or an empty tuple: nothing to merge */
            *out = (tsr_tla){.shape = layout->shape, .stride = layout->stride};
            return TSR_OK;
        }
        tsr_tla_leaves(&flat, layout);
        tsr_tla_flat_coalesce(&flat, false);
        return tsr_tla_from_flat(out, arena, &flat, err);
    }
    if (profile->n > rank)
        return tsr_fail(err, TSR_ARGUMENT, "the profile %s has rank %d, but %s has rank %d",
                        tsr_tuple_show(a, profile), profile->n, tsr_tla_show(b, layout), rank);
    for (int i = 0; i < rank; i++) {
        modes[i] = tsr_tla_at(layout, i);
        const tsr_tla mode = modes[i];
        if (i < profile->n)
            TSR_TRY(coalesce(&modes[i], arena, &mode, profile->x[i], err));
    }
    return tsr_tla_concat(out, arena, rank, modes, err);
}

tsr_status tsr_tla_coalesce(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, const tsr_tuple *profile,
                            tsr_error *err)
{
    tsr_tla result;
    *out = (tsr_tla){0};
    TSR_TRY(coalesce(&result, arena, layout, profile, err));
    *out = result;
    return TSR_OK;
}
