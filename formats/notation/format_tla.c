/* The notation of TLA's and CuTe's layouts, (2,3):(3,1), as formats; and the functions for layouts that this
 * notation and format_xla.c share. */
#include "tsr_format_layout.h"

#include <stdio.h>
#include <string.h>

#include "tsr_checked.h"

/* Write "3 x 5" to buf, which has 400 bytes; returns buf. */
static const char *dims_text(char *buf, int n, const int64_t *dims)
{
    int used = snprintf(buf, 400, "%s", n > 0 ? "" : "none");
    for (int d = 0; d < n && used < 360; d++)
        used += snprintf(buf + used, 400 - (size_t)used, "%s%lld", d ? " x " : "", (long long)dims[d]);
    return buf;
}

static tsr_status check_dims(const tsr_layout *layout, const tsr_format_hints *hints, tsr_error *err)
{
    int64_t dims[TSR_MAX_ORDER] = {0};
    char says[400], is[400];
    const int order = hints->dims ? hints->order : -1;
    bool same = order < 0 || layout->rank == order;
    if (hints->order >= 0 && layout->rank != hints->order && !hints->dims)
        return tsr_fail(err, TSR_ARGUMENT, "the layout has %d dims, but the tensor has %d modes",
                        layout->rank, hints->order);
    for (int d = 0; d < order; d++) {
        dims[d] = (int64_t)hints->dims[d];
        same = same && layout->dims[d] == dims[d];
    }
    return same ? TSR_OK
                : tsr_fail(err, TSR_ARGUMENT, "the dims of the layout are %s, but those of the tensor are %s",
                           dims_text(says, layout->rank, layout->dims), dims_text(is, order, dims));
}

tsr_status tsr_format_from_layout(tsr_format **out, const tsr_layout *layout, const tsr_format_hints *hints,
                                  tsr_error *err)
{
    tsr_layout_levels levels;
    tsr_level_spec specs[TSR_MAP_MAX_RESULTS];
    *out = NULL;
    TSR_TRY(check_dims(layout, hints, err));
    if (layout->rank > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "the layout has %d dims: at most %d are supported", layout->rank,
                        TSR_MAX_ORDER);
    TSR_TRY(tsr_layout_to_levels(&levels, layout, err));
    for (int l = 0; l < tsr_map_nresults(levels.map); l++)
        specs[l] = (tsr_level_spec){.type = tsr_level_of_cells, .pitch = (uint64_t)levels.pitch[l]};
    const tsr_status status = tsr_format_new(out, levels.map, specs, err);
    tsr_layout_levels_clear(&levels);
    return status;
}

/* Build the map from the coordinates of a cell to its position, ((c0 * pitch1 + c1) * pitch2 + c2)..., where
 * c0, c1, ... are the coordinates of the levels. */
static tsr_status position_of_levels(tsr_map **out, const tsr_binding *binding, tsr_error *err)
{
    tsr_map_builder *builder;
    tsr_map *sum = NULL;
    const int n = binding->format->nlevels;
    uint64_t places = 1;
    *out = NULL;
    for (int l = 0; l < n; l++)
        if (!tsr_mul_u64(&places, places, binding->pitch[l]) || places > INT64_MAX)
            return tsr_fail(err, TSR_LIMIT, "the levels have more than 2^63 - 1 positions");
    TSR_TRY(tsr_map_builder_new(&builder, n, NULL, err));
    const tsr_linear *x = tsr_map_build_const(builder, 0);
    for (int l = 0; l < n; l++)
        x = tsr_map_build_add(builder, tsr_map_build_scale(builder, x, (int64_t)binding->pitch[l]),
                              tsr_map_build_add(builder, tsr_map_build_var(builder, l),
                                                tsr_map_build_const(builder, -binding->base[l])));
    TSR_TRY(tsr_map_build_finish(&sum, builder, 1, &x, err));
    const tsr_status status = tsr_map_compose(out, sum, binding->forward, err);
    tsr_map_free(sum);
    return status;
}

tsr_status tsr_layout_from_format(tsr_layout **out, const tsr_format *format, const uint64_t *dims,
                                  tsr_error *err)
{
    tsr_binding *binding = NULL;
    tsr_map *map = NULL;
    *out = NULL;
    if (!tsr_format_is_dense(format))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write a format with sparse levels as a layout: all levels must be dense");
    if (!dims && format->order > 0)
        return tsr_fail(err, TSR_ARGUMENT, "missing the dims of the tensor: a layout depends on them");
    TSR_TRY(tsr_binding_new(&binding, format, dims, err));
    bool plain = true; /* no level is padded or begins at a coordinate other than 0: the map is the layout */
    for (int l = 0; l < format->nlevels; l++)
        plain = plain && binding->pitch[l] == binding->size[l] && binding->base[l] == 0;
    tsr_status status =
        plain ? tsr_map_copy(&map, binding->forward, err) : position_of_levels(&map, binding, err);
    if (status == TSR_OK)
        status = tsr_layout_from_map(out, map, err);
    tsr_map_free(map);
    tsr_binding_free(binding);
    return status;
}

static bool claims(const char *text)
{
    return tsr_layout_kind_of(text) == TSR_LAYOUT_TLA && strchr(text, ':');
}

static tsr_status parse(tsr_format **out, tsr_format_widths *widths, const char *text,
                        const tsr_format_hints *hints, tsr_error *err)
{
    tsr_layout *layout;
    (void)widths;
    *out = NULL;
    TSR_TRY(tsr_layout_parse(&layout, text, NULL, err));
    const tsr_status status = tsr_format_from_layout(out, layout, hints, err);
    tsr_layout_free(layout);
    return status;
}

static tsr_status print(tsr_text *text, const tsr_format *format, const uint64_t *dims, tsr_error *err)
{
    tsr_layout *layout;
    tsr_arena arena = {0};
    tsr_tla tla;
    TSR_TRY(tsr_layout_from_format(&layout, format, dims, err));
    tsr_status status = tsr_layout_to_tla(&tla, &arena, layout, err);
    if (status == TSR_OK) {
        tsr_tla_print(text, &tla);
        status = tsr_text_status(text, err);
    }
    tsr_arena_clear(&arena);
    tsr_layout_free(layout);
    return status;
}

const tsr_format_notation tsr_format_tla = {
    .name = "tla",
    .example = "((4,2),(4,3)):((4,16),(1,32))",
    .claims = claims,
    .parse = parse,
    .print = print,
};
