/* Layouts as flat lists of leaves, and coalescing: the same function of the linear coordinate with as few
 * leaves as can be. */
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

void tsr_tla_flat_coalesce(tsr_tla_flat *flat)
{
    int n = 0;
    bool is_static = true;
    for (int i = 0; i < flat->n; i++) {
        const tsr_tla_leaf x = flat->leaf[i];
        tsr_tla_leaf *last = n > 0 ? &flat->leaf[n - 1] : NULL;
        is_static &= x.is_static;
        if (x.shape == 1)
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
    return tsr_tla_make(out, arena, shape, stride, NULL, err);
}

tsr_status tsr_tla_from_flat(tsr_tla *out, tsr_arena *arena, const tsr_tla_flat *flat, tsr_error *err)
{
    tsr_tla modes[TSR_TLA_MAX_LEAVES];
    *out = (tsr_tla){0};
    if (flat->n == 1)
        return tsr_tla_from_leaf(out, arena, flat->leaf[0], err);
    if (flat->n > TSR_TLA_MAX_LEAVES)
        return tsr_fail(err, TSR_LIMIT, "a layout has at most %d leaves, not %d", TSR_TLA_MAX_LEAVES,
                        flat->n);
    for (int i = 0; i < flat->n; i++)
        TSR_TRY(tsr_tla_from_leaf(&modes[i], arena, flat->leaf[i], err));
    return tsr_tla_concat(out, arena, flat->n, modes, err);
}
