/* Divides a layout into tiles, and repeats a layout. */
#include "tla_internal.h"

#include "tsr_checked.h"

/* ---- the logical form ---- */

static tsr_status divide(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, const tsr_tiler *tiler,
                         tsr_error *err)
{
    tsr_tla parts[2], both;
    if (tiler->kind == TSR_TILER_LIST)
        return tsr_tla_by_mode(out, arena, layout, tiler, divide, err);
    if (tiler->kind == TSR_TILER_ANY) {
        *out = (tsr_tla){.shape = layout->shape, .stride = layout->stride};
        return TSR_OK;
    }
    parts[0] = tiler->layout;
    TSR_TRY(tsr_tla_complement(&parts[1], arena, &tiler->layout, tsr_tla_size(layout), err));
    TSR_TRY(tsr_tla_concat(&both, arena, 2, parts, err));
    return tsr_tla_compose_whole(out, arena, layout, &both, err);
}

/* The complement of `layout` in size(layout) * cosize. */
static tsr_status find_rest(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, int64_t cosize,
                            tsr_error *err)
{
    int64_t total;
    if (!tsr_mul_i64(&total, tsr_tla_size(layout), cosize))
        return tsr_fail(err, TSR_LIMIT, "the size of the product does not fit into 64 bits");
    return tsr_tla_complement(out, arena, layout, total, err);
}

static tsr_status multiply(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, const tsr_tiler *tiler,
                           tsr_error *err)
{
    tsr_tla parts[2] = {*layout}, rest;
    if (tiler->kind == TSR_TILER_LIST)
        return tsr_tla_by_mode(out, arena, layout, tiler, multiply, err);
    if (tiler->kind == TSR_TILER_ANY) {
        *out = (tsr_tla){.shape = layout->shape, .stride = layout->stride};
        return TSR_OK;
    }
    TSR_TRY(find_rest(&rest, arena, layout, tsr_tla_cosize(&tiler->layout), err));
    TSR_TRY(tsr_tla_compose_whole(&parts[1], arena, &rest, &tiler->layout, err));
    return tsr_tla_concat(out, arena, 2, parts, err);
}

/* ---- other forms ---- */

/* Split the pairs (tile, rest), which stand where the tiler has leaves, into a tile and a rest with the
 * structure of the tiler; modes that the tiler does not reach go to the rest. */
static tsr_status unzip(tsr_tla *tile, tsr_tla *rest, tsr_arena *arena, const tsr_tla *layout,
                        const tsr_tiler *tiler, tsr_error *err)
{
    tsr_tla tiles[TSR_TLA_MAX_LEAVES], rests[TSR_TLA_MAX_LEAVES];
    char shown[TSR_TUPLE_SHOWN_NBYTES];
    const int rank = tsr_tla_rank(layout);
    if (tiler->kind != TSR_TILER_LIST) {
        if (rank != 2)
            return tsr_fail(
                err, TSR_ARGUMENT,
                "a mode that the tiler leaves whole must be a pair (tile,rest), but %s has rank %d",
                tsr_tla_show(shown, layout), rank);
        *tile = tsr_tla_at(layout, 0);
        *rest = tsr_tla_at(layout, 1);
        return TSR_OK;
    }
    for (int i = 0; i < rank; i++) {
        const tsr_tla mode = rests[i] = tsr_tla_at(layout, i);
        if (i < tiler->n)
            TSR_TRY(unzip(&tiles[i], &rests[i], arena, &mode, tiler->x[i], err));
    }
    TSR_TRY(tsr_tla_concat(tile, arena, tiler->n, tiles, err));
    return tsr_tla_concat(rest, arena, rank, rests, err);
}

/* Append a layout, or its modes, to a list. */
static tsr_status append(tsr_tla *list, int *n, const tsr_tla *layout, bool modes, tsr_error *err)
{
    const int count = modes ? tsr_tla_rank(layout) : 1;
    if (*n + count > TSR_TLA_MAX_LEAVES)
        return tsr_fail(err, TSR_LIMIT, "a layout has at most %d leaves, but this one has %d",
                        TSR_TLA_MAX_LEAVES, *n + count);
    for (int i = 0; i < count; i++)
        list[(*n)++] = modes ? tsr_tla_at(layout, i) : *layout;
    return TSR_OK;
}

static tsr_status arrange(tsr_tla *out, tsr_arena *arena, const tsr_tla *logical, const tsr_tiler *tiler,
                          tsr_tla_form form, tsr_error *err)
{
    tsr_tla tile, rest, list[TSR_TLA_MAX_LEAVES];
    int n = 0;
    *out = *logical;
    if (form == TSR_TLA_LOGICAL)
        return TSR_OK;
    TSR_TRY(unzip(&tile, &rest, arena, logical, tiler, err));
    TSR_TRY(append(list, &n, &tile, form == TSR_TLA_FLAT, err));
    TSR_TRY(append(list, &n, &rest, form != TSR_TLA_ZIPPED, err));
    return tsr_tla_concat(out, arena, n, list, err);
}

tsr_status tsr_tla_divide(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, const tsr_tiler *tiler,
                          tsr_tla_form form, tsr_error *err)
{
    tsr_tla logical, result;
    *out = (tsr_tla){0};
    TSR_TRY(divide(&logical, arena, layout, tiler, err));
    TSR_TRY(arrange(&result, arena, &logical, tiler, form, err));
    *out = result;
    return TSR_OK;
}

tsr_status tsr_tla_product(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, const tsr_tiler *tiler,
                           tsr_tla_form form, tsr_error *err)
{
    tsr_tla logical, result;
    *out = (tsr_tla){0};
    const tsr_tla bare = {.shape = layout->shape, .stride = layout->stride};
    TSR_TRY(multiply(&logical, arena, &bare, tiler, err));
    TSR_TRY(arrange(&result, arena, &logical, tiler, form, err));
    *out = result;
    return TSR_OK;
}

/* ---- pairs of modes ---- */

/* Pair mode m of the block with mode m of its repetition; a mode that only one of them has stays alone. */
static tsr_status interleave(tsr_tla *out, tsr_arena *arena, const tsr_tla *block, const tsr_tla *tiler,
                             bool raked, tsr_error *err)
{
    tsr_tla modes[TSR_TLA_MAX_LEAVES], rest;
    const int nblock = tsr_tla_rank(block), ntiler = tsr_tla_rank(tiler);
    const int rank = nblock > ntiler ? nblock : ntiler;
    *out = (tsr_tla){0};
    TSR_TRY(find_rest(&rest, arena, block, tsr_tla_cosize(tiler), err));
    for (int m = 0; m < rank; m++) {
        tsr_tla pair[2];
        int n = 0;
        if (m < nblock)
            pair[n++] = tsr_tla_at(block, m);
        if (m < ntiler) {
            const tsr_tla step = tsr_tla_at(tiler, m);
            TSR_TRY(tsr_tla_compose_whole(&pair[n++], arena, &rest, &step, err));
        }
        if (raked && n == 2) {
            const tsr_tla first = pair[0];
            pair[0] = pair[1];
            pair[1] = first;
        }
        modes[m] = pair[0];
        if (n == 2)
            TSR_TRY(tsr_tla_concat(&modes[m], arena, 2, pair, err));
    }
    return tsr_tla_concat(out, arena, rank, modes, err);
}

tsr_status tsr_tla_blocked_product(tsr_tla *out, tsr_arena *arena, const tsr_tla *block, const tsr_tla *tiler,
                                   tsr_error *err)
{
    return interleave(out, arena, block, tiler, false, err);
}

tsr_status tsr_tla_raked_product(tsr_tla *out, tsr_arena *arena, const tsr_tla *block, const tsr_tla *tiler,
                                 tsr_error *err)
{
    return interleave(out, arena, block, tiler, true, err);
}

/* ---- repeating a block to fill a shape ---- */

/* place[k] = the k-th fastest mode; order[m] says how fast mode m is. */
static tsr_status read_order(int *place, int rank, const tsr_tuple *order, tsr_error *err)
{
    char shown[TSR_TUPLE_SHOWN_NBYTES];
    bool seen[TSR_TLA_MAX_LEAVES] = {false};
    if (order && tsr_tuple_rank(order) != rank)
        return tsr_fail(err, TSR_ARGUMENT, "the order %s has %d entries, but there are %d modes",
                        tsr_tuple_show(shown, order), tsr_tuple_rank(order), rank);
    for (int m = 0; m < rank; m++) {
        const tsr_tuple *entry = order ? tsr_tuple_at(order, m) : NULL;
        const int64_t k = entry ? entry->v : m;
        if (entry && (entry->kind != TSR_TUPLE_INT || k >= rank || seen[k]))
            return tsr_fail(err, TSR_ARGUMENT, "the order %s is not a permutation of 0 to %d",
                            tsr_tuple_show(shown, order), rank - 1);
        seen[k] = true;
        place[k] = m;
    }
    return TSR_OK;
}

/* The layout of the blocks: the number of blocks along each mode (the last one may extend beyond the shape),
 * compact in the given order; stride 0 for a single block. */
static tsr_status lay_blocks(tsr_tla *out, tsr_arena *arena, const tsr_tla *block, const tsr_tuple *shape,
                             const int *place, tsr_error *err)
{
    const int rank = tsr_tuple_rank(shape);
    int64_t count[TSR_TLA_MAX_LEAVES], stride[TSR_TLA_MAX_LEAVES], step = 1;
    const tsr_tuple *counts, *strides;
    for (int m = 0; m < rank; m++) {
        const int64_t size = m < tsr_tla_rank(block) ? tsr_tuple_size_of(tsr_tuple_at(block->shape, m)) : 1;
        TSR_TRY(tsr_tuple_size(&count[m], tsr_tuple_at(shape, m), err));
        if (count[m] < 1)
            return tsr_fail(err, TSR_ARGUMENT,
                            "mode %d of the shape has size 0, but sizes must be at least 1", m);
        count[m] = count[m] / size + (count[m] % size != 0);
    }
    for (int k = 0; k < rank; k++) {
        const int m = place[k];
        stride[m] = count[m] == 1 ? 0 : step;
        if (!tsr_mul_i64(&step, step, count[m]))
            return tsr_fail(err, TSR_LIMIT, "the size of the shape does not fit into 64 bits");
    }
    TSR_TRY(tsr_tuple_ints(&counts, arena, rank, count, err));
    TSR_TRY(tsr_tuple_ints(&strides, arena, rank, stride, err));
    return tsr_tla_make(out, counts, strides, NULL, err);
}

tsr_status tsr_tla_tile_to_shape(tsr_tla *out, tsr_arena *arena, const tsr_tla *block, const tsr_tuple *shape,
                                 const tsr_tuple *order, tsr_error *err)
{
    tsr_tla modes[TSR_TLA_MAX_LEAVES], blocks, padded;
    int place[TSR_TLA_MAX_LEAVES];
    const int rank = tsr_tuple_rank(shape);
    *out = (tsr_tla){0};
    if (tsr_tla_rank(block) > rank)
        return tsr_fail(err, TSR_ARGUMENT, "the block has rank %d, but the shape has only rank %d",
                        tsr_tla_rank(block), rank);
    TSR_TRY(read_order(place, rank, order, err));
    TSR_TRY(lay_blocks(&blocks, arena, block, shape, place, err));
    for (int m = 0; m < rank; m++) {
        if (m < tsr_tla_rank(block))
            modes[m] = tsr_tla_at(block, m);
        else
            TSR_TRY(tsr_tla_from_leaf(&modes[m], arena, (tsr_tla_leaf){.shape = 1}, err));
    }
    TSR_TRY(tsr_tla_concat(&padded, arena, rank, modes, err));
    return interleave(out, arena, &padded, &blocks, false, err);
}
