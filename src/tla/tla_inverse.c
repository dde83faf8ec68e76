/* Complement and inverses: the leaves of a layout are sorted by stride, so that offsets become digits. */
#include "tla_internal.h"

#include "tsr_checked.h"

/* A leaf and the linear coordinate of its second element: the product of the sizes of the leaves before
 * it. */
typedef struct sorted_leaf {
    tsr_tla_leaf leaf;
    int64_t place;
} sorted_leaf;

/* Sort the leaves of size > 1 and stride > 0 by ascending stride; leaves of equal stride keep their order.
 * Returns their number. */
static int sort_leaves(sorted_leaf *sorted, const tsr_tla_flat *flat)
{
    int n = 0;
    int64_t place = 1;
    for (int i = 0; i < flat->n; i++) {
        const sorted_leaf x = {.leaf = flat->leaf[i], .place = place};
        place *= x.leaf.shape;
        if (x.leaf.shape == 1 || x.leaf.stride == 0)
            continue;
        int at = n++;
        for (; at > 0 && sorted[at - 1].leaf.stride > x.leaf.stride; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = x;
    }
    return n;
}

static bool is_static_all(const tsr_tla_flat *flat)
{
    bool is_static = flat->n > 0;
    for (int i = 0; i < flat->n; i++)
        is_static &= flat->leaf[i].is_static;
    return is_static;
}

static tsr_status overlaps(const tsr_tla *layout, const tsr_tla_leaf *leaf, int64_t reach, tsr_error *err)
{
    char shown[TSR_TUPLE_SHOWN_NBYTES];
    return tsr_fail(err, TSR_UNSUPPORTED,
                    "%s overlaps itself or interleaves: stride %lld is inside the %lld offsets that smaller "
                    "strides cover",
                    tsr_tla_show(shown, layout), (long long)leaf->stride, (long long)reach);
}

tsr_status tsr_tla_complement(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, int64_t cosize,
                              tsr_error *err)
{
    sorted_leaf sorted[TSR_TLA_MAX_LEAVES + 1];
    tsr_tla_flat flat, result = {0};
    int64_t reach = 1; /* the layout and the result together fill the offsets below this one */
    *out = (tsr_tla){0};
    if (cosize < 1)
        return tsr_fail(err, TSR_ARGUMENT, "the size for a complement must be at least 1, not %lld",
                        (long long)cosize);
    tsr_tla_leaves(&flat, layout);
    const bool is_static = is_static_all(&flat);
    const int n = sort_leaves(sorted, &flat);
    for (int i = 0; i < n; i++) {
        const tsr_tla_leaf *leaf = &sorted[i].leaf;
        if (leaf->stride < reach)
            return overlaps(layout, leaf, reach, err);
        result.leaf[result.n++] =
            (tsr_tla_leaf){.shape = leaf->stride / reach, .stride = reach, .is_static = is_static};
        if (!tsr_mul_i64(&reach, leaf->shape, leaf->stride))
            return tsr_fail(err, TSR_LIMIT, "the offsets of the layout do not fit into 64 bits");
    }
    result.leaf[result.n++] = (tsr_tla_leaf){
        .shape = cosize / reach + (cosize % reach != 0), .stride = reach, .is_static = is_static};
    tsr_tla_flat_coalesce(&result, false);
    if (result.n == 1 && result.leaf[0].shape == 1)
        result.leaf[0].stride = reach; /* the stride of a leaf that would follow */
    return tsr_tla_from_flat(out, arena, &result, err);
}

tsr_status tsr_tla_right_inverse(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, tsr_error *err)
{
    sorted_leaf sorted[TSR_TLA_MAX_LEAVES + 1];
    tsr_tla_flat flat, result;
    int64_t reach = 1; /* the result covers the coordinates of the offsets below this one */
    tsr_tla_leaves(&flat, layout);
    const bool is_static = is_static_all(&flat);
    const int n = sort_leaves(sorted, &flat);
    result.leaf[0] = (tsr_tla_leaf){.shape = 1, .is_static = is_static};
    result.n = 1;
    for (int i = 0; i < n; i++) {
        const tsr_tla_leaf *leaf = &sorted[i].leaf;
        if (leaf->stride != reach)
            continue;
        result.leaf[result.n++] =
            (tsr_tla_leaf){.shape = leaf->shape, .stride = sorted[i].place, .is_static = is_static};
        if (!tsr_mul_i64(&reach, reach, leaf->shape))
            break; /* no leaf has this stride */
    }
    tsr_tla_flat_coalesce(&result, false);
    return tsr_tla_from_flat(out, arena, &result, err);
}

tsr_status tsr_tla_left_inverse(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, tsr_error *err)
{
    sorted_leaf sorted[TSR_TLA_MAX_LEAVES + 1];
    tsr_tla_flat flat, result = {0};
    char shown[TSR_TUPLE_SHOWN_NBYTES];
    *out = (tsr_tla){0};
    tsr_tla_leaves(&flat, layout);
    const bool is_static = is_static_all(&flat);
    const int n = sort_leaves(sorted, &flat);
    /* offsets below the smallest stride have the same coordinate */
    result.leaf[result.n++] =
        (tsr_tla_leaf){.shape = n > 0 ? sorted[0].leaf.stride : 1, .is_static = is_static};
    for (int i = 0; i < n; i++) {
        const tsr_tla_leaf *leaf = &sorted[i].leaf, *next = i + 1 < n ? &sorted[i + 1].leaf : NULL;
        int64_t shape = leaf->shape;
        if (next && next->stride / leaf->stride < leaf->shape)
            return overlaps(layout, next, leaf->stride * leaf->shape, err);
        if (next && next->stride % leaf->stride != 0)
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "%s has no inverse layout: stride %lld is not a multiple of stride %lld",
                            tsr_tla_show(shown, layout), (long long)next->stride, (long long)leaf->stride);
        if (next)
            shape = next->stride / leaf->stride;
        result.leaf[result.n++] =
            (tsr_tla_leaf){.shape = shape, .stride = sorted[i].place, .is_static = is_static};
    }
    tsr_tla_flat_coalesce(&result, false);
    return tsr_tla_from_flat(out, arena, &result, err);
}
