/* Layouts as storage formats with dense levels only: see tsr_layout.h. */
#include <string.h>

#include "tsr_checked.h"
#include "tsr_layout.h"

/* Level l stores result l of the map, outermost first, at position = parent * places[l] + result.
 * Neighbouring positions of the last level are `unit` offsets apart; the layout has `span` offsets, a
 * multiple of unit. */
typedef struct levels {
    const tsr_map *map;
    /* the map is simplified: modes with only one coordinate, which it drops, become levels in front */
    bool simple;
    int64_t places[TSR_MAP_MAX_RESULTS];
    int64_t unit, span;
} levels;

/* ---- levels of the result ---- */

typedef struct picked {
    int n;
    tsr_map_pick pick[TSR_MAP_MAX_RESULTS];
} picked;

/* Add a level that stores the pick; its pitch is `places` if it has fewer coordinates [0, hi]. */
static tsr_status add_level(tsr_layout_levels *out, picked *all, tsr_map_pick pick, int64_t hi,
                            int64_t places, tsr_error *err)
{
    if (all->n == TSR_MAP_MAX_RESULTS)
        return tsr_fail(err, TSR_LIMIT, "the layout has no storage format: it has more than %d levels",
                        TSR_MAP_MAX_RESULTS);
    all->pick[all->n] = pick;
    out->pitch[all->n++] = hi >= 0 && hi < places - 1 ? places : 0;
    return TSR_OK;
}

static tsr_status take_levels(tsr_layout_levels *out, const levels *x, tsr_error *err)
{
    picked all = {0};
    for (int d = 0; d < tsr_map_ndims(x->map); d++)
        if (x->simple && tsr_map_var_bounds(x->map, d).hi == 0)
            TSR_TRY(add_level(out, &all, (tsr_map_pick){TSR_PICK_DIM, d}, 0, 1, err));
    for (int l = 0; l < tsr_map_nresults(x->map); l++) {
        const tsr_interval bounds = tsr_map_level_bounds(x->map, l);
        if (bounds.lo <= bounds.hi && (bounds.lo != 0 || bounds.hi >= x->places[l]))
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "the layout has no storage format: level %d would store %lld to %lld in %lld positions", l,
                (long long)bounds.lo, (long long)bounds.hi, (long long)x->places[l]);
        TSR_TRY(add_level(out, &all, (tsr_map_pick){TSR_PICK_RESULT, l}, bounds.hi, x->places[l], err));
    }
    if (x->unit > 1)
        TSR_TRY(add_level(out, &all, (tsr_map_pick){TSR_PICK_ZERO, 0}, 0, x->unit, err));
    return tsr_map_pick_results(&out->map, x->map, all.n, all.pick, err);
}

/* ---- a tail that no pitch of a level gives ---- */

/* The map (x0, x1, ...) -> (x0 .. x[n-1] as one row-major index, x[n], x[n+1], ...). */
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

/* The same as take_levels, also if the span is larger than the positions of all levels: then as few of the
 * outer levels as possible are merged into one, whose pitch gives the span. */
static tsr_status take_with_tail(tsr_layout_levels *out, levels *x, tsr_error *err)
{
    const int nlevels = tsr_map_nresults(x->map);
    int n = nlevels;
    int64_t inner = x->unit;
    while (n > 1 && x->span % (inner * x->places[n - 1]) == 0)
        inner *= x->places[--n]; /* at most the span */
    if (n == 1) {
        x->places[0] = x->span / inner;
        return take_levels(out, x, err);
    }
    tsr_map *merge = NULL, *merged = NULL, *simple = NULL, *inverse = NULL;
    tsr_status status = merge_map(&merge, n, nlevels, x->places, err);
    if (status == TSR_OK)
        status = tsr_map_compose(&merged, merge, x->map, err);
    if (status == TSR_OK)
        status = tsr_map_simplify(&simple, merged, err);
    if (status == TSR_OK) /* with stars, one level may not determine what several levels did */
        status = tsr_map_invert(&inverse, simple, err);
    if (status == TSR_OK) {
        levels y = {.map = simple, .simple = true, .places = {x->span / inner}, .unit = x->unit};
        for (int l = n; l < nlevels; l++)
            y.places[l - n + 1] = x->places[l];
        status = take_levels(out, &y, err);
    }
    tsr_map_free(merge);
    tsr_map_free(merged);
    tsr_map_free(simple);
    tsr_map_free(inverse);
    return status;
}

/* ---- each notation ---- */

static tsr_status take_xla(tsr_layout_levels *out, const tsr_xla *xla, tsr_error *err)
{
    tsr_map *map = NULL;
    TSR_TRY(tsr_xla_to_map(&map, xla, err));
    levels x = {.map = map, .unit = xla->nexpanded > 0 ? 1 : xla->nslots, .span = xla->nslots};
    memcpy(x.places, xla->expanded, (size_t)xla->nexpanded * sizeof x.places[0]);
    const tsr_status status =
        xla->nexpanded > 0 && xla->nelems > 0 ? take_with_tail(out, &x, err) : take_levels(out, &x, err);
    tsr_map_free(map);
    return status;
}

static tsr_status take_tla(tsr_layout_levels *out, const tsr_tla *tla, tsr_error *err)
{
    tsr_tla_levels from;
    tsr_map *map = NULL;
    TSR_TRY(tsr_tla_to_levels(&from, tla, err));
    bool used[TSR_TLA_MAX_LEAVES] = {false};
    for (int l = 0; l < from.nlevels; l++)
        used[from.level[l].mode] = true;
    for (int m = 0; m < from.rank; m++) { /* a mode of size 1 still gets a level */
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
    const tsr_status status = take_levels(out, &x, err);
    tsr_map_free(map);
    return status;
}

static tsr_status take_map(tsr_layout_levels *out, const tsr_map *map, tsr_error *err)
{
    levels x = {.map = map, .unit = 1};
    for (int r = 0; r < tsr_map_nresults(map); r++) {
        const int64_t hi = tsr_map_level_bounds(map, r).hi; /* for a map without points any value is right */
        x.places[r] = hi == INT64_MAX ? hi : hi + 1;
    }
    return take_levels(out, &x, err);
}

/* The offset as the only level, for layouts that levels cannot describe. TSR_UNSUPPORTED if the offset does
 * not determine the element. */
static tsr_status take_offset(tsr_layout_levels *out, const tsr_layout *layout, tsr_error *err)
{
    tsr_map *inverse = NULL;
    const levels x = {.map = layout->offset, .simple = true, .places = {layout->span}, .unit = 1};
    TSR_TRY(tsr_map_invert(&inverse, layout->offset, err));
    tsr_map_free(inverse);
    return take_levels(out, &x, err);
}

static tsr_status take_levels_of(tsr_layout_levels *out, const tsr_layout *layout, tsr_error *err)
{
    if (layout->kind == TSR_LAYOUT_TLA)
        return take_tla(out, &layout->tla, err);
    if (layout->kind == TSR_LAYOUT_SWIZZLED)
        return take_offset(out, layout, err);
    return layout->kind == TSR_LAYOUT_XLA ? take_xla(out, layout->xla, err) : take_map(out, layout->map, err);
}

tsr_status tsr_layout_to_levels(tsr_layout_levels *out, const tsr_layout *layout, tsr_error *err)
{
    *out = (tsr_layout_levels){0};
    const tsr_status status = take_levels_of(out, layout, err);
    if (status != TSR_UNSUPPORTED || layout->kind == TSR_LAYOUT_MAP)
        return status;
    tsr_error ignored = {0}; /* the reason why there are no levels is more useful */
    const tsr_status other = take_offset(out, layout, &ignored);
    if (other != TSR_OK && other != TSR_UNSUPPORTED && err)
        *err = ignored;
    return other == TSR_UNSUPPORTED ? status : other;
}

void tsr_layout_levels_clear(tsr_layout_levels *out)
{
    tsr_map_free(out->map);
    *out = (tsr_layout_levels){0};
}

tsr_status tsr_layout_print_format(tsr_text *text, const tsr_layout *layout, tsr_error *err)
{
    tsr_layout_levels made;
    TSR_TRY(tsr_layout_to_levels(&made, layout, err));
    tsr_text_add(text, "(");
    for (int d = 0; d < tsr_map_ndims(made.map); d++)
        tsr_text_addf(text, d ? ", d%d" : "d%d", d);
    tsr_text_add(text, ") -> (");
    for (int l = 0; l < tsr_map_nresults(made.map); l++) {
        tsr_text_add(text, l ? ", " : "");
        tsr_map_print_result(text, made.map, l, NULL);
        tsr_text_add(text, " : dense");
        if (made.pitch[l])
            tsr_text_addf(text, "(pitch = %lld)", (long long)made.pitch[l]);
    }
    tsr_text_add(text, ")");
    tsr_layout_levels_clear(&made);
    return tsr_text_status(text, err);
}
