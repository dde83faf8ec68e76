/* Making formats from a map and levels. */
#include "format_internal.h"

#include "tsr_alloc.h"

tsr_status tsr_format_new(tsr_format **out, const tsr_map *map, const tsr_level_spec *levels, tsr_error *err)
{
    const int nlevels = tsr_map_nresults(map);
    tsr_map_pick all[TSR_MAP_MAX_RESULTS];
    *out = NULL;
    if (tsr_map_nvars(map) > tsr_map_ndims(map))
        return tsr_fail(err, TSR_ARGUMENT, "symbols are not supported in a format: remove '%s' from the map",
                        tsr_map_var_name(map, tsr_map_ndims(map)));
    if (nlevels > TSR_MAX_LEVELS)
        return tsr_fail(err, TSR_LIMIT, "a format of %d levels: at most %d are supported", nlevels,
                        TSR_MAX_LEVELS);
    tsr_format *format = tsr_calloc(1, sizeof *format);
    if (!format)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a format of %d levels", nlevels);
    format->order = tsr_map_ndims(map);
    format->nlevels = nlevels;
    for (int l = 0; l < nlevels; l++) {
        format->levels[l] = levels[l];
        all[l] = (tsr_map_pick){TSR_PICK_RESULT, l};
    }
    tsr_status status = tsr_map_pick_results(&format->map, map, nlevels, all, err);
    if (status == TSR_OK)
        status = format_check(format, NULL, err);
    if (status == TSR_OK)
        *out = format;
    else
        tsr_format_free(format);
    return status;
}

tsr_status tsr_format_permuted(tsr_format **out, int order, const tsr_level_spec *levels, const int *modes,
                               tsr_error *err)
{
    format_draft draft = {.order = order, .nlevels = order};
    bool seen[TSR_MAX_ORDER] = {false};
    *out = NULL;
    if (order < 0 || order > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "a format of %d modes: at most %d are supported", order,
                        TSR_MAX_ORDER);
    for (int l = 0; l < order; l++) {
        const int m = modes ? modes[l] : l;
        if (m < 0 || m >= order || seen[m])
            return tsr_fail(err, TSR_ARGUMENT,
                            "level %d stores mode %d, which is not one of the %d modes or is stored twice", l,
                            m, order);
        seen[m] = true;
        draft.levels[l] = levels[l];
    }
    TSR_TRY(tsr_map_builder_new(&draft.builder, order, NULL, err));
    for (int l = 0; l < order; l++)
        draft.results[l] = tsr_map_build_var(draft.builder, modes ? modes[l] : l);
    return format_finish(out, &draft, err);
}

tsr_status tsr_format_nested(tsr_format **out, int order, int ndense, const int *modes, tsr_error *err)
{
    tsr_level_spec levels[TSR_MAX_ORDER];
    for (int l = 0; l < TSR_MAX_ORDER; l++)
        levels[l] = (tsr_level_spec){.type = l < ndense ? tsr_level_of_cells : tsr_level_of_list};
    return tsr_format_permuted(out, order, levels, modes, err);
}

tsr_status tsr_format_dense(tsr_format **out, int order, const int *modes, tsr_error *err)
{
    return tsr_format_nested(out, order, TSR_MAX_ORDER, modes, err);
}

tsr_status tsr_format_coordinates(tsr_format **out, int order, bool keeps_duplicates, tsr_error *err)
{
    tsr_level_spec levels[TSR_MAX_ORDER];
    for (int l = 0; l < TSR_MAX_ORDER; l++)
        levels[l] = (tsr_level_spec){.type = l == 0 ? tsr_level_of_list : tsr_level_of_tuple,
                                     .nonunique = keeps_duplicates || l + 1 < order};
    return tsr_format_permuted(out, order, levels, NULL, err);
}

void format_settle_singletons(tsr_level_spec *levels, int nlevels)
{
    for (int l = 1; l + 1 < nlevels; l++)
        if (levels[l].type->branchless && levels[l - 1].nonunique && levels[l + 1].type->branchless)
            levels[l].nonunique = true;
}
