/* Layouts of any notation: see tsr_layout.h. Most functions call those of the notation; the offset as a map
 * is computed here for all notations. */
#include "tsr_layout.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tsr_alloc.h"
#include "tsr_checked.h"

/* ---- recognising the notation ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip(const char *p, const char *chars)
{
    return p + strspn(p, chars);
}

tsr_layout_kind tsr_layout_kind_of(const char *text)
{
    const char *const start = skip(text, " \t\n");
    const char *p = strncmp(start, "cute::", 6) == 0 ? start + 6 : start;
    if (strncmp(p, "Layout", 6) == 0 && *skip(p + 6, " \t\n") == '<')
        return TSR_LAYOUT_TLA; /* as a type of C++ */
    if (tsr_swizzled_begins(start))
        return TSR_LAYOUT_SWIZZLED;
    p = start;
    while (isalnum((unsigned char)*p))
        p++;
    if (p > start && !is_digit(*start))
        return *p == '[' ? TSR_LAYOUT_XLA : TSR_LAYOUT_MAP;
    if (*start == '[' || *start == '{') {
        p = skip(start + 1, " \t\n");
        if (*p == ']' || *p == '}') /* empty: no dims, or a map without symbols */
            return strstr(p, "->") ? TSR_LAYOUT_MAP : TSR_LAYOUT_XLA;
        return is_digit(*p) || *p == ':' ? TSR_LAYOUT_XLA : TSR_LAYOUT_MAP;
    }
    p = skip(start, "( \t\n");
    if (*p == ')' && p > start) { /* () is an empty tuple or an empty list of dims */
        p = skip(p, ") \t\n");
        return *p == ':' || *p == ',' ? TSR_LAYOUT_TLA : TSR_LAYOUT_MAP;
    }
    return is_digit(*p) || (*p == '_' && is_digit(p[1])) ? TSR_LAYOUT_TLA : TSR_LAYOUT_MAP;
}

/* ---- the offset as a map ---- */

/* The map (d0, d1, ...) -> (row-major index in a box of n sizes that begins at lo). */
static tsr_status row_major(tsr_map **out, int64_t *span, int n, const int64_t *lo, const int64_t *size,
                            tsr_error *err)
{
    tsr_map_builder *builder;
    const tsr_linear *sum;
    *out = NULL;
    *span = 1;
    for (int i = 0; i < n; i++)
        if (!tsr_mul_i64(span, *span, size[i]))
            return tsr_fail(err, TSR_LIMIT, "the levels have more than 2^63-1 cells");
    TSR_TRY(tsr_map_builder_new(&builder, n, NULL, err));
    sum = tsr_map_build_const(builder, 0);
    for (int i = 0; i < n; i++) {
        const tsr_linear *x =
            tsr_map_build_add(builder, tsr_map_build_var(builder, i), tsr_map_build_const(builder, -lo[i]));
        sum = tsr_map_build_add(builder, tsr_map_build_scale(builder, sum, size[i]), x);
    }
    return tsr_map_build_finish(out, builder, 1, &sum, err);
}

static tsr_status simplify_into(tsr_map **out, tsr_map *map, tsr_error *err)
{
    const tsr_status status = tsr_map_simplify(out, map, err);
    tsr_map_free(map);
    return status;
}

/* layout->offset = the row-major index over the results of `levels`. */
static tsr_status offset_over_levels(tsr_layout *layout, const tsr_map *levels, const int64_t *lo,
                                     const int64_t *size, tsr_error *err)
{
    tsr_map *rows = NULL, *composed = NULL;
    TSR_TRY(row_major(&rows, &layout->span, tsr_map_nresults(levels), lo, size, err));
    const tsr_status status = tsr_map_compose(&composed, rows, levels, err);
    tsr_map_free(rows);
    TSR_TRY(status);
    return simplify_into(&layout->offset, composed, err);
}

static tsr_status finish_xla(tsr_layout *layout, tsr_error *err)
{
    const tsr_xla *const xla = layout->xla;
    tsr_map *map = NULL;
    layout->kind = TSR_LAYOUT_XLA;
    layout->rank = xla->rank;
    memcpy(layout->dims, xla->dims, (size_t)xla->rank * sizeof layout->dims[0]);
    layout->span = xla->nslots;
    TSR_TRY(tsr_xla_to_slot_map(&map, xla, err));
    return simplify_into(&layout->offset, map, err);
}

static tsr_status finish_tla(tsr_layout *layout, tsr_error *err)
{
    tsr_map *map = NULL;
    layout->kind = TSR_LAYOUT_TLA;
    layout->rank = tsr_tla_rank(&layout->tla);
    for (int m = 0; m < layout->rank; m++)
        layout->dims[m] = tsr_tla_dim(&layout->tla, m);
    layout->span = tsr_tla_cosize(&layout->tla);
    TSR_TRY(tsr_tla_to_map(&map, &layout->tla, err));
    return simplify_into(&layout->offset, map, err);
}

static tsr_status finish_swizzled(tsr_layout *layout, tsr_error *err)
{
    const tsr_swizzled *const x = &layout->swizzled;
    layout->kind = TSR_LAYOUT_SWIZZLED;
    layout->rank = tsr_tla_rank(&x->layout);
    for (int m = 0; m < layout->rank; m++)
        layout->dims[m] = tsr_tla_dim(&x->layout, m);
    layout->span = tsr_swizzled_cosize(x);
    TSR_TRY(tsr_swizzled_to_map(&layout->map, x, err));
    return tsr_map_simplify(&layout->offset, layout->map, err);
}

static tsr_status map_dims(tsr_layout *layout, tsr_error *err)
{
    const tsr_map *const map = layout->map;
    layout->rank = tsr_map_ndims(map);
    if (tsr_map_nvars(map) > layout->rank)
        return tsr_fail(err, TSR_ARGUMENT,
                        "a map with symbols is not a layout: '%s' would give an element several offsets",
                        tsr_map_var_name(map, layout->rank));
    for (int d = 0; d < layout->rank; d++) {
        const tsr_interval bounds = tsr_map_var_bounds(map, d);
        if (bounds.hi == INT64_MAX)
            return tsr_fail(err, TSR_ARGUMENT, "the size of dim %d is unknown: give a domain, or --dims", d);
        if (bounds.lo != 0 && bounds.lo <= bounds.hi)
            return tsr_fail(err, TSR_ARGUMENT, "dim %d of a layout must begin at 0, not %lld", d,
                            (long long)bounds.lo);
        layout->dims[d] = bounds.lo <= bounds.hi ? bounds.hi + 1 : 0;
    }
    return TSR_OK;
}

/* layout->span = the largest offset + 1. Fails unless all offsets are in [0, span). */
static tsr_status span_of_offset(tsr_layout *layout, tsr_error *err)
{
    tsr_interval bounds;
    TSR_TRY(tsr_map_image(&bounds, layout->offset, err));
    layout->span = 0;
    if (bounds.lo > bounds.hi)
        return TSR_OK;
    if (bounds.lo < 0)
        return tsr_fail(err, TSR_ARGUMENT,
                        "the offsets of the map begin at %lld, but those of a layout begin at 0 or above",
                        (long long)bounds.lo);
    if (!tsr_add_i64(&layout->span, bounds.hi, 1))
        return tsr_fail(err, TSR_LIMIT, "the map has offsets of 2^63-1 or more");
    return TSR_OK;
}

static tsr_status finish_map(tsr_layout *layout, tsr_error *err)
{
    const tsr_map *const map = layout->map;
    int64_t lo[TSR_MAP_MAX_RESULTS], size[TSR_MAP_MAX_RESULTS];
    layout->kind = TSR_LAYOUT_MAP;
    TSR_TRY(map_dims(layout, err));
    if (tsr_map_nresults(map) == 1) {
        TSR_TRY(tsr_map_simplify(&layout->offset, map, err));
        TSR_TRY(span_of_offset(layout, err));
    } else {
        for (int r = 0; r < tsr_map_nresults(map); r++) {
            const tsr_interval bounds = tsr_map_level_bounds(map, r);
            lo[r] = bounds.lo <= bounds.hi ? bounds.lo : 0;
            if (bounds.lo == INT64_MIN || bounds.hi == INT64_MAX || !tsr_add_i64(&size[r], bounds.hi, 1) ||
                !tsr_add_i64(&size[r], size[r], -lo[r]))
                return tsr_fail(err, TSR_LIMIT, "the size of level %d is unknown or more than 2^63-1", r);
            size[r] = size[r] > 0 ? size[r] : 0;
        }
        TSR_TRY(offset_over_levels(layout, map, lo, size, err));
    }
    tsr_error ignored;
    if (tsr_map_invert(&layout->inverse, layout->offset, &ignored) == TSR_NOMEM)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    return TSR_OK;
}

/* ---- constructors ---- */

static tsr_status layout_new(tsr_layout **out, tsr_error *err)
{
    *out = tsr_calloc(1, sizeof **out);
    return *out ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory for a layout");
}

void tsr_layout_free(tsr_layout *layout)
{
    if (!layout)
        return;
    tsr_xla_free(layout->xla);
    tsr_map_free(layout->map);
    tsr_map_free(layout->offset);
    tsr_map_free(layout->inverse);
    tsr_arena_clear(&layout->arena);
    tsr_free(layout);
}

/* Set *out to the layout on success; else free the layout. */
static tsr_status hand_out(tsr_layout **out, tsr_layout *layout, tsr_status status)
{
    if (status != TSR_OK) {
        tsr_layout_free(layout);
        layout = NULL;
    }
    *out = layout;
    return status;
}

static tsr_status parse_xla(tsr_layout *layout, const char *text, const tsr_layout_options *options,
                            tsr_error *err)
{
    TSR_TRY(tsr_xla_parse(&layout->xla, text, err));
    const char *const type = options && !layout->xla->type[0] ? options->type : NULL;
    const bool bind = options && options->ndims > 0 && !layout->xla->has_dims;
    if (!layout->xla->has_dims && !bind)
        return tsr_fail(err, TSR_ARGUMENT, "the dims are unknown: write f32[3,5]{...}, or give --dims");
    if (type || bind) {
        tsr_xla *bound = NULL;
        const int ndims = bind ? options->ndims : layout->xla->rank;
        const int64_t *const dims = bind ? options->dims : layout->xla->dims;
        TSR_TRY(tsr_xla_bind(&bound, layout->xla, type, ndims, dims, err));
        tsr_xla_free(layout->xla);
        layout->xla = bound;
    }
    return finish_xla(layout, err);
}

static tsr_status parse_map(tsr_layout *layout, const char *text, const tsr_layout_options *options,
                            tsr_error *err)
{
    TSR_TRY(tsr_map_parse(&layout->map, text, err));
    const int n = tsr_map_ndims(layout->map);
    bool open = false;
    for (int d = 0; d < n; d++)
        open = open || tsr_map_var_bounds(layout->map, d).hi == INT64_MAX;
    if (open && options && options->ndims == n) {
        uint64_t dims[TSR_MAP_MAX_VARS];
        tsr_map *bound = NULL;
        for (int d = 0; d < n; d++)
            dims[d] = (uint64_t)options->dims[d];
        TSR_TRY(tsr_map_bind(&bound, layout->map, dims, err));
        tsr_map_free(layout->map);
        layout->map = bound;
    }
    return finish_map(layout, err);
}

/* Write "3 x 5" into buf of at least 128 bytes; returns buf. */
static const char *dims_text(char *buf, int n, const int64_t *dims)
{
    size_t used = 0;
    snprintf(buf, 128, "no dims");
    for (int d = 0; d < n && used < 100; d++) {
        const int more = snprintf(buf + used, 128 - used, "%s%lld", d ? " x " : "", (long long)dims[d]);
        used += more > 0 ? (size_t)more : 0;
    }
    return buf;
}

static tsr_status check_dims(const tsr_layout *layout, const tsr_layout_options *options, tsr_error *err)
{
    char own[128], given[128];
    if (!options || options->ndims == 0)
        return TSR_OK;
    if (layout->rank == options->ndims &&
        memcmp(layout->dims, options->dims, (size_t)layout->rank * sizeof layout->dims[0]) == 0)
        return TSR_OK;
    return tsr_fail(err, TSR_ARGUMENT, "the dims of the layout are %s, but --dims gives %s",
                    dims_text(own, layout->rank, layout->dims),
                    dims_text(given, options->ndims, options->dims));
}

tsr_status tsr_layout_parse(tsr_layout **out, const char *text, const tsr_layout_options *options,
                            tsr_error *err)
{
    tsr_layout *layout;
    tsr_status status;
    *out = NULL;
    TSR_TRY(layout_new(&layout, err));
    switch (tsr_layout_kind_of(text)) {
    case TSR_LAYOUT_XLA:
        status = parse_xla(layout, text, options, err);
        break;
    case TSR_LAYOUT_TLA:
        status = tsr_tla_parse(&layout->tla, &layout->arena, text, err);
        if (status == TSR_OK)
            status = finish_tla(layout, err);
        break;
    case TSR_LAYOUT_SWIZZLED:
        status = tsr_swizzled_parse(&layout->swizzled, &layout->arena, text, err);
        if (status == TSR_OK)
            status = finish_swizzled(layout, err);
        break;
    default:
        status = parse_map(layout, text, options, err);
        break;
    }
    if (status == TSR_OK)
        status = check_dims(layout, options, err);
    return hand_out(out, layout, status);
}

tsr_status tsr_layout_from_xla(tsr_layout **out, const tsr_xla *xla, tsr_error *err)
{
    tsr_layout *layout;
    *out = NULL;
    if (!xla->has_dims)
        return tsr_fail(err, TSR_ARGUMENT, "the dims are unknown");
    TSR_TRY(layout_new(&layout, err));
    tsr_status status = tsr_xla_bind(&layout->xla, xla, NULL, xla->rank, xla->dims, err);
    if (status == TSR_OK)
        status = finish_xla(layout, err);
    return hand_out(out, layout, status);
}

tsr_status tsr_layout_from_tla(tsr_layout **out, const tsr_tla *tla, tsr_error *err)
{
    tsr_layout *layout;
    *out = NULL;
    TSR_TRY(layout_new(&layout, err));
    tsr_status status = tsr_tla_copy(&layout->tla, &layout->arena, tla, err);
    if (status == TSR_OK)
        status = finish_tla(layout, err);
    return hand_out(out, layout, status);
}

tsr_status tsr_layout_from_map(tsr_layout **out, const tsr_map *map, tsr_error *err)
{
    tsr_layout *layout;
    *out = NULL;
    TSR_TRY(layout_new(&layout, err));
    tsr_status status = tsr_map_copy(&layout->map, map, err);
    if (status == TSR_OK)
        status = finish_map(layout, err);
    return hand_out(out, layout, status);
}

/* ---- points ---- */

static tsr_status outside(const tsr_layout *layout, const int64_t *coord, tsr_error *err)
{
    for (int d = 0; d < layout->rank; d++)
        if (coord[d] < 0 || coord[d] >= layout->dims[d])
            return tsr_fail(err, TSR_RANGE, "coordinate %lld of dim %d is outside [0, %lld)",
                            (long long)coord[d], d, (long long)layout->dims[d]);
    return TSR_OK;
}

tsr_status tsr_layout_offset(int64_t *out, const tsr_layout *layout, const int64_t *coord, tsr_error *err)
{
    *out = 0;
    TSR_TRY(outside(layout, coord, err));
    if (layout->kind == TSR_LAYOUT_XLA)
        return tsr_xla_linear(out, layout->xla, coord, err);
    if (layout->kind == TSR_LAYOUT_TLA) {
        *out = tsr_tla_offset_at(&layout->tla, coord);
        return TSR_OK;
    }
    if (layout->kind == TSR_LAYOUT_SWIZZLED) {
        *out = tsr_swizzled_offset_at(&layout->swizzled, coord);
        return TSR_OK;
    }
    bool inside = false;
    TSR_TRY(tsr_map_inside(&inside, layout->map, coord, err));
    if (!inside)
        return tsr_fail(err, TSR_RANGE, "the coordinate is outside the map's domain");
    return tsr_map_eval(out, layout->offset, coord, err);
}

static tsr_status element_of_map(int64_t *coord, bool *padding, const tsr_layout *layout, int64_t offset,
                                 tsr_error *err)
{
    tsr_error fault;
    int64_t back = offset;
    if (!layout->inverse) {
        tsr_map *inverse = NULL; /* invert again to get the reason */
        const tsr_status status = tsr_map_invert(&inverse, layout->offset, err);
        tsr_map_free(inverse);
        return status;
    }
    *padding = tsr_map_eval(coord, layout->inverse, &offset, &fault) != TSR_OK ||
               tsr_layout_offset(&back, layout, coord, &fault) != TSR_OK || back != offset;
    return TSR_OK;
}

tsr_status tsr_layout_element(int64_t *coord, bool *padding, const tsr_layout *layout, int64_t offset,
                              tsr_error *err)
{
    *padding = false;
    memset(coord, 0, (size_t)layout->rank * sizeof *coord);
    if (offset < 0 || offset >= layout->span)
        return tsr_fail(err, TSR_RANGE, "offset %lld is outside [0, %lld)", (long long)offset,
                        (long long)layout->span);
    if (layout->kind == TSR_LAYOUT_XLA) {
        TSR_TRY(tsr_xla_element(coord, padding, layout->xla, offset, err));
    } else if (layout->kind == TSR_LAYOUT_TLA || layout->kind == TSR_LAYOUT_SWIZZLED) {
        const bool swizzled = layout->kind == TSR_LAYOUT_SWIZZLED;
        const tsr_swizzled *const x = &layout->swizzled;
        const int64_t plain = swizzled ? tsr_swizzle_apply(&x->swizzle, offset) - x->offset : offset;
        tsr_tla_levels levels;
        TSR_TRY(tsr_tla_to_levels(&levels, swizzled ? &x->layout : &layout->tla, err));
        *padding = !tsr_tla_levels_coord(coord, &levels, plain);
    } else {
        TSR_TRY(element_of_map(coord, padding, layout, offset, err));
    }
    if (*padding)
        memset(coord, 0, (size_t)layout->rank * sizeof *coord);
    return TSR_OK;
}
