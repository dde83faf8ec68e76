/* The rules for formats in all notations:
 *
 *   1. at most 16 modes and 32 levels; 2. nonunique and pitch only with level types that support them; 3. a
 *   branchless level (singleton) is directly below a level that is not full (compressed or singleton): it
 *   shares the
 *      positions of its parent, and a full parent has positions without entries;
 *   4. a nonunique branchless level is directly below a nonunique level: below a unique level each parent has
 *   one child,
 *      so coordinates cannot repeat;
 *   5. the level below a nonunique level is branchless, or there is none: a group ends at its unique level,
 *   and without
 *      a unique level each position is one stored entry, which cannot have children;
 *   6. each mode is stored by at least one level;
 *   7. a level that is filled in storage order (compressed) is not below one that stores its children in another
 *      order; a singleton is not below padding; a level whose positions repeat is the last one; a level with a
 *      parameter has one.
 *
 * tsr_binding_new checks that the map can be inverted, which depends on the dims. */
#include "format_internal.h"

static tsr_status bad_level(const uint64_t *col, int l, const tsr_format *format, const char *rule,
                            tsr_error *err)
{
    return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, col ? col[l] : 0, "level %d is %s%s: %s", l,
                       format->levels[l].type->name, format->levels[l].nonunique ? "(nonunique)" : "", rule);
}

static tsr_status check_level(const tsr_format *format, int l, const uint64_t *col, tsr_error *err)
{
    const tsr_level_spec *level = &format->levels[l];
    const tsr_level_spec *above = l > 0 ? level - 1 : NULL;
    const tsr_level_spec *below = l + 1 < format->nlevels ? level + 1 : NULL;
    if (level->nonunique && !level->type->can_be_nonunique)
        return bad_level(col, l, format, "this level type cannot be nonunique", err);
    if (level->pitch && !level->type->can_have_pitch)
        return bad_level(col, l, format, "only a dense level has a pitch", err);
    if (level->pitch > INT64_MAX)
        return bad_level(col, l, format, "the pitch must be at most 2^63 - 1", err);
    if (level->type->branchless && (!above || above->type->full))
        return bad_level(col, l, format, "it needs a compressed or singleton level above it", err);
    if (level->type->branchless && level->nonunique && !above->nonunique)
        return bad_level(col, l, format, "it can be nonunique only below a nonunique level", err);
    if (level->type->parameter && !level->type->param_is_optional && !level->param)
        return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, col ? col[l] : 0,
                           "level %d is %s, which needs the number of %s: write %s(4)", l, level->type->name,
                           level->type->parameter, level->type->name);
    if (level->param && !level->type->parameter)
        return bad_level(col, l, format, "this level type does not have a parameter", err);
    if (level->type->repeats && below)
        return bad_level(col, l, format, "it can only be the last level", err);
    if (level->type->needs_dense_root && !(l == 1 && above->type->full))
        return bad_level(col, l, format, "it must be the second level, directly below a dense one", err);
    for (int k = 0; k < l && !level->type->assemble && !level->type->full; k++)
        if (!format->levels[k].type->is_grouped || !format->levels[k].type->is_ordered ||
            (format->levels[k].type->assemble && level->type->branchless))
            return tsr_fail_at(
                err, TSR_ARGUMENT, NULL, 0, col ? col[l] : 0,
                "level %d is %s, which cannot be below level %d, %s, whose children are not in "
                "the order of their coordinates or have padding",
                l, level->type->name, k, format->levels[k].type->name);
    if (level->nonunique && below && !below->type->branchless)
        return bad_level(col, l, format, "only a singleton level can be below a nonunique level", err);
    return TSR_OK;
}

static tsr_status check_modes(const tsr_format *format, tsr_error *err)
{
    uint64_t used = 0;
    for (int l = 0; l < format->nlevels; l++)
        used |= tsr_map_result_vars(format->map, l);
    for (int m = 0; m < format->order; m++)
        if (!(used >> m & 1))
            return tsr_fail(err, TSR_ARGUMENT, "mode %d (%s) is not stored in any level", m,
                            tsr_map_var_name(format->map, m));
    return TSR_OK;
}

tsr_status format_check_letters(const tsr_format *format, const char *system, tsr_error *err)
{
    for (int l = 0; l < format->nlevels; l++)
        if (!format->levels[l].type->letter)
            return tsr_fail(err, TSR_UNSUPPORTED, "%s does not have a level like level %d, %s", system, l,
                            format->levels[l].type->name);
    return TSR_OK;
}

tsr_status format_check(const tsr_format *format, const uint64_t *col, tsr_error *err)
{
    if (format->order > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "the format has %d modes; at most %d are supported", format->order,
                        TSR_MAX_ORDER);
    if (format->nlevels > TSR_MAX_LEVELS)
        return tsr_fail(err, TSR_LIMIT, "the format has %d levels; at most %d are supported", format->nlevels,
                        TSR_MAX_LEVELS);
    for (int l = 0; l < format->nlevels; l++)
        TSR_TRY(check_level(format, l, col, err));
    return check_modes(format, err);
}
