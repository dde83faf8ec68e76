/* Layouts as storage formats, all of whose levels are dense: see tsr_layout.h. */
#include <string.h>

#include "tsr_checked.h"
#include "tsr_layout.h"

/* Level l holds result l of the map, outermost first, at position = parent * places[l] + result; a step of
 * the last one is `unit` positions, and all of them are `span`, which is a multiple of unit. */
typedef struct levels {
    const tsr_map *map;
    bool simple; /* the map is simplified: modes of one coordinate, which it leaves out, are levels before */
    int64_t places[TSR_MAP_MAX_RESULTS];
    int64_t unit, span;
} levels;

/* ---- the text ---- */

/* " : dense(pitch = places)", the pitch only when coordinates [0, bounds.hi] are fewer. */
static void print_dense(tsr_text *text, tsr_interval bounds, int64_t places)
{
    tsr_text_add(text, " : dense");
    if (bounds.hi >= 0 && bounds.hi < places - 1)
        tsr_text_addf(text, "(pitch = %lld)", (long long)places);
}

static tsr_status print_levels(tsr_text *text, const levels *x, tsr_error *err)
{
    const int n = tsr_map_nresults(x->map);
    tsr_text_add(text, "(");
    for (int d = 0; d < tsr_map_ndims(x->map); d++)
        tsr_text_addf(text, d ? ", d%d" : "d%d", d);
    tsr_text_add(text, ") -> (");
    for (int d = 0; d < tsr_map_ndims(x->map); d++)
        if (x->simple && tsr_map_var_bounds(x->map, d).hi == 0)
            tsr_text_addf(text, "d%d : dense, ", d);
    for (int l = 0; l < n; l++) {
        const tsr_interval bounds = tsr_map_level_bounds(x->map, l);
        if (bounds.lo <= bounds.hi && (bounds.lo != 0 || bounds.hi >= x->places[l]))
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "the layout has no storage format: level %d would hold %lld to %lld in %lld places", l,
                (long long)bounds.lo, (long long)bounds.hi, (long long)x->places[l]);
        tsr_text_add(text, l ? ", " : "");
        tsr_map_print_result(text, x->map, l, NULL);
        print_dense(text, bounds, x->places[l]);
    }
    if (x->unit > 1)
        tsr_text_addf(text, "%s0 : dense(pitch = %lld)", n ? ", " : "", (long long)x->unit);
    tsr_text_add(text, ")");
    return tsr_text_status(text, err);
}

/* ---- a tail that no level's pitch gives ---- */

/* (x0, x1, ...) -> (x0 .. x[n-1] as one, row-major, x[n], x[n+1], ...). */
static tsr_status merge_map(tsr_map **out, int n, int nlevels, const int64_t *places, tsr_error *err)
{
    const tsr_linear *result[TSR_MAP_MAX_RESULTS];
    tsr_map_builder *builder;
    TSR_TRY(tsr_map_builder_new(&builder, nlevels, NULL, err));
    result[0] = tsr_map_build_const(builder, 0);
    for (int l = 0; l < n; l++)
        result[0] = tsr_map_build_add(builder, tsr_map_build_scale(builder, result[0], places[l]),
                                      tsr_map_build_var(builder, l));
    for (int l = n; l < nlevels; l++)
        result[l - n + 1] = tsr_map_build_var(builder, l);
    return tsr_map_build_finish(out, builder, nlevels - n + 1, result, err);
}

/* As print_levels, where the span may be more than the places of all levels: the outer levels become one, as
 * few of them as its pitch needs. */
static tsr_status print_with_tail(tsr_text *text, levels *x, tsr_error *err)
{
    const int nlevels = tsr_map_nresults(x->map);
    int n = nlevels;
    int64_t inner = x->unit;
    while (n > 1 && x->span % (inner * x->places[n - 1]) == 0)
        inner *= x->places[--n]; /* no more than the span */
    if (n == 1) {
        x->places[0] = x->span / inner;
        return print_levels(text, x, err);
    }
    tsr_map *merge = NULL, *merged = NULL, *simple = NULL, *inverse = NULL;
    tsr_status status = merge_map(&merge, n, nlevels, x->places, err);
    if (status == TSR_OK)
        status = tsr_map_compose(&merged, merge, x->map, err);
    if (status == TSR_OK)
        status = tsr_map_simplify(&simple, merged, err);
    if (status == TSR_OK) /* with stars, one level may not tell what several did */
        status = tsr_map_invert(&inverse, simple, err);
    if (status == TSR_OK) {
        levels y = {.map = simple, .simple = true, .places = {x->span / inner}, .unit = x->unit};
        for (int l = n; l < nlevels; l++)
            y.places[l - n + 1] = x->places[l];
        status = print_levels(text, &y, err);
    }
    tsr_map_free(merge);
    tsr_map_free(merged);
    tsr_map_free(simple);
    tsr_map_free(inverse);
    return status;
}

/* ---- each notation ---- */

static tsr_status print_xla(tsr_text *text, const tsr_xla *xla, tsr_error *err)
{
    tsr_map *map = NULL;
    TSR_TRY(tsr_xla_to_map(&map, xla, err));
    levels x = {.map = map, .unit = xla->nexpanded > 0 ? 1 : xla->nslots, .span = xla->nslots};
    memcpy(x.places, xla->expanded, (size_t)xla->nexpanded * sizeof x.places[0]);
    const tsr_status status =
        xla->nexpanded > 0 && xla->nelems > 0 ? print_with_tail(text, &x, err) : print_levels(text, &x, err);
    tsr_map_free(map);
    return status;
}

static tsr_status print_tla(tsr_text *text, const tsr_tla *tla, tsr_error *err)
{
    tsr_tla_levels from;
    tsr_map *map = NULL;
    TSR_TRY(tsr_tla_to_levels(&from, tla, err));
    bool used[TSR_TLA_MAX_LEAVES] = {false};
    for (int l = 0; l < from.nlevels; l++)
        used[from.level[l].mode] = true;
    for (int m = 0; m < from.rank; m++) { /* a mode of size 1 has a level all the same */
        if (used[m])
            continue;
        memmove(from.level + 1, from.level, (size_t)from.nlevels * sizeof from.level[0]);
        from.level[0] = (tsr_tla_level){.mode = m, .divisor = 1, .size = 1, .pitch = 1, .stride = 1};
        from.nlevels++;
    }
    TSR_TRY(tsr_tla_levels_map(&map, &from, err));
    levels x = {.map = map, .unit = from.unit};
    for (int l = 0; l < from.nlevels; l++)
        x.places[l] = from.level[l].pitch;
    const tsr_status status = print_levels(text, &x, err);
    tsr_map_free(map);
    return status;
}

static tsr_status print_map(tsr_text *text, const tsr_map *map, tsr_error *err)
{
    levels x = {.map = map, .unit = 1};
    for (int r = 0; r < tsr_map_nresults(map); r++) {
        const int64_t hi = tsr_map_level_bounds(map, r).hi; /* of a map without points it may be any */
        x.places[r] = hi == INT64_MAX ? hi : hi + 1;
    }
    return print_levels(text, &x, err);
}

/* The offset as the only level: where levels are no way to say it. TSR_UNSUPPORTED when it does not tell the
 * element. */
static tsr_status print_offset(tsr_text *text, const tsr_layout *layout, tsr_error *err)
{
    tsr_map *inverse = NULL;
    const levels x = {.map = layout->offset, .simple = true, .places = {layout->span}, .unit = 1};
    TSR_TRY(tsr_map_invert(&inverse, layout->offset, err));
    tsr_map_free(inverse);
    return print_levels(text, &x, err);
}

static tsr_status print_levels_of(tsr_text *text, const tsr_layout *layout, tsr_error *err)
{
    if (layout->kind == TSR_LAYOUT_TLA)
        return print_tla(text, &layout->tla, err);
    return layout->kind == TSR_LAYOUT_XLA ? print_xla(text, layout->xla, err)
                                          : print_map(text, layout->map, err);
}

tsr_status tsr_layout_print_format(tsr_text *text, const tsr_layout *layout, tsr_error *err)
{
    tsr_text own = {0};
    tsr_status status = print_levels_of(&own, layout, err);
    if (status == TSR_UNSUPPORTED && layout->kind != TSR_LAYOUT_MAP) {
        tsr_error ignored = {0}; /* the levels' reason says more */
        tsr_text_clear(&own);
        const tsr_status other = print_offset(&own, layout, &ignored);
        if (other != TSR_OK && other != TSR_UNSUPPORTED && err)
            *err = ignored;
        status = other == TSR_UNSUPPORTED ? status : other;
    }
    if (status == TSR_OK)
        tsr_text_add(text, tsr_text_cstr(&own));
    tsr_text_clear(&own);
    return status == TSR_OK ? tsr_text_status(text, err) : status;
}
