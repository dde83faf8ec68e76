/* An XLA layout as an index map: each tile as floordiv and mod. */
#include "xla_internal.h"

#include <string.h>

typedef struct stage {
    tsr_map_builder *builder;
    xla_dims dims;
    const tsr_linear *x[TSR_XLA_MAX_EXPANDED]; /* dims.n expressions, of the logical dims */
} stage;

/* Fold the dims of group g of the cut, by Horner's rule. */
static const tsr_linear *fold_group(const stage *s, const xla_cut *cut, int g)
{
    const tsr_linear *y = s->x[cut->first[g]];
    for (int i = cut->first[g] + 1; i < cut->first[g + 1]; i++)
        y = tsr_map_build_add(s->builder, tsr_map_build_scale(s->builder, y, s->dims.size[i]), s->x[i]);
    return y;
}

static tsr_status apply_tile(stage *s, const tsr_xla_tile *tile, tsr_error *err)
{
    const tsr_linear *y[TSR_XLA_MAX_TILE_RANK];
    xla_cut cut;
    xla_dims folded;
    xla_cut_of(&cut, s->dims.n, tile);
    memmove(s->x + cut.front, s->x, (size_t)s->dims.n * sizeof s->x[0]);
    for (int i = 0; i < cut.front; i++)
        s->x[i] = tsr_map_build_const(s->builder, 0);
    xla_add_front(&s->dims, &cut);
    for (int g = 0; g < cut.ngroups; g++)
        y[g] = fold_group(s, &cut, g);
    TSR_TRY(xla_fold(&folded, &s->dims, &cut, err));
    TSR_TRY(xla_split(&s->dims, &folded, &cut, err));
    for (int g = 0; g < cut.ngroups; g++) {
        s->x[cut.kept + g] = tsr_map_build_floordiv(s->builder, y[g], cut.t[g]);
        s->x[cut.kept + cut.ngroups + g] = tsr_map_build_mod(s->builder, y[g], cut.t[g]);
    }
    return TSR_OK;
}

/* Make a new builder and the expressions of the expanded dims in it; on failure there is no builder. */
static tsr_status expand(stage *s, const tsr_xla *xla, tsr_error *err)
{
    TSR_TRY(xla_need_offsets(xla, err));
    TSR_TRY(tsr_map_builder_new(&s->builder, xla->rank, NULL, err));
    xla_physical_dims(&s->dims, xla);
    for (int i = 0; i < xla->rank; i++) {
        s->x[i] = tsr_map_build_var(s->builder, xla->order[xla->rank - 1 - i]);
        tsr_map_build_bound(s->builder, i, 0, xla->dims[i] - 1);
    }
    for (int k = 0; k < xla->ntiles; k++) {
        const tsr_status status = apply_tile(s, &xla->tiles[k], err);
        if (status != TSR_OK) {
            tsr_map_builder_free(s->builder);
            return status;
        }
    }
    return TSR_OK;
}

tsr_status tsr_xla_to_map(tsr_map **out, const tsr_xla *xla, tsr_error *err)
{
    stage s;
    *out = NULL;
    TSR_TRY(expand(&s, xla, err));
    return tsr_map_build_finish(out, s.builder, s.dims.n, s.x, err);
}

tsr_status tsr_xla_to_slot_map(tsr_map **out, const tsr_xla *xla, tsr_error *err)
{
    stage s;
    int64_t stride = xla->nelems > 0; /* without elements there are no slots */
    *out = NULL;
    TSR_TRY(expand(&s, xla, err));
    const tsr_linear *slot = tsr_map_build_const(s.builder, 0);
    for (int i = s.dims.n - 1; i >= 0; i--) {
        slot = tsr_map_build_add(s.builder, slot, tsr_map_build_scale(s.builder, s.x[i], stride));
        stride *= stride > 0 ? s.dims.size[i] : 0; /* at most nslots */
    }
    return tsr_map_build_finish(out, s.builder, 1, &slot, err);
}
