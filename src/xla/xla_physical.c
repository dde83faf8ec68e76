/* A tiled array as an untiled array of the same bytes, and the steps from one to the other. */
#include "xla_internal.h"

#include <string.h>

#include "tsr_checked.h"

static bool has_star(const tsr_xla_tile *tile)
{
    for (int i = 0; i < tile->rank; i++)
        if (tile->t[i] == TSR_XLA_STAR)
            return true;
    return false;
}

tsr_status tsr_xla_combine(tsr_xla **out, const tsr_xla *xla, tsr_error *err)
{
    tsr_xla *shape;
    tsr_xla_tile tiles[TSR_XLA_MAX_TILES];
    xla_dims dims;
    *out = NULL;
    TSR_TRY(xla_need_dims(xla, err));
    xla_physical_dims(&dims, xla);
    memcpy(tiles, xla->tiles, sizeof tiles);
    if (xla->ntiles > 0 && has_star(&xla->tiles[0])) {
        xla_cut cut;
        xla_dims before = dims;
        xla_cut_of(&cut, dims.n, &xla->tiles[0]);
        xla_add_front(&before, &cut);
        TSR_TRY(xla_fold(&dims, &before, &cut, err));
        tiles[0].rank = cut.ngroups;
        memcpy(tiles[0].t, cut.t, sizeof tiles[0].t);
    }
    TSR_TRY(xla_new_shape(&shape, xla, &dims, err));
    shape->tail = xla->tail;
    shape->memory_space = xla->memory_space;
    const tsr_status status = tsr_xla_retile(out, shape, xla->ntiles, tiles, err);
    tsr_xla_free(shape);
    return status;
}

tsr_status tsr_xla_physical(tsr_xla **out, const tsr_xla *xla, tsr_error *err)
{
    xla_dims dims = {.n = xla->nexpanded};
    *out = NULL;
    TSR_TRY(xla_need_dims(xla, err));
    memcpy(dims.size, xla->expanded, sizeof dims.size);
    return xla_new_shape(out, xla, &dims, err);
}

static void print_step(tsr_text *text, const char *verb, const tsr_xla *xla, const xla_dims *dims)
{
    tsr_text_addf(text, "%-10s", verb);
    xla_print_dims(text, xla->type, dims->n, dims->size, NULL);
    tsr_text_add(text, "\n");
}

/* Print the steps of one tile: combine (if it has stars), pad, reshape, transpose. */
static tsr_status print_tile_steps(tsr_text *text, const tsr_xla *xla, xla_dims *dims,
                                   const tsr_xla_tile *tile, tsr_error *err)
{
    xla_cut cut;
    xla_dims folded, padded, split = {0};
    xla_cut_of(&cut, dims->n, tile);
    xla_add_front(dims, &cut);
    if (cut.front > 0)
        print_step(text, "reshape", xla, dims);
    TSR_TRY(xla_fold(&folded, dims, &cut, err));
    if (has_star(tile))
        print_step(text, "combine", xla, &folded);
    TSR_TRY(xla_split(dims, &folded, &cut, err));
    padded = folded;
    memcpy(split.size, folded.size, (size_t)cut.kept * sizeof folded.size[0]);
    split.n = cut.kept;
    for (int g = 0; g < cut.ngroups; g++) {
        const int64_t q = dims->size[cut.kept + g];
        if (!tsr_mul_i64(&padded.size[cut.kept + g], q, cut.t[g]))
            return tsr_fail(err, TSR_LIMIT, "a padded dim has more than 2^63-1 elements");
        split.size[split.n++] = q;
        split.size[split.n++] = cut.t[g];
    }
    print_step(text, "pad", xla, &padded);
    print_step(text, "reshape", xla, &split);
    print_step(text, "transpose", xla, dims);
    return TSR_OK;
}

tsr_status tsr_xla_print_steps(tsr_text *text, const tsr_xla *xla, tsr_error *err)
{
    xla_dims dims = {.n = xla->rank};
    bool in_order = true;
    TSR_TRY(xla_need_dims(xla, err));
    memcpy(dims.size, xla->dims, (size_t)xla->rank * sizeof xla->dims[0]);
    print_step(text, "shape", xla, &dims);
    for (int i = 0; i < xla->rank; i++)
        in_order &= xla->order[i] == xla->rank - 1 - i;
    xla_physical_dims(&dims, xla);
    if (!in_order)
        print_step(text, "transpose", xla, &dims);
    for (int k = 0; k < xla->ntiles; k++)
        TSR_TRY(print_tile_steps(text, xla, &dims, &xla->tiles[k], err));
    if (xla->tail > 1)
        tsr_text_addf(text, "%-10s%lld slots\n", "tail", (long long)xla->nslots);
    return tsr_text_status(text, err);
}
