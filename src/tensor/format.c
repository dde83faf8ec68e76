/* Formats as values: making, copying, and questions about them. Invariant: every tsr_format that leaves this
 * module has passed format_check. */
#include "tsr_owners.h"
#include "format_internal.h"

#include "tsr_alloc.h"

tsr_status format_finish(tsr_format **out, format_draft *draft, tsr_error *err)
{
    *out = NULL;
    tsr_format *format = tsr_calloc(1, sizeof *format);
    if (!format) {
        tsr_map_builder_free(draft->builder);
        return tsr_fail(err, TSR_NOMEM, "out of memory: a format of %d levels", draft->nlevels);
    }
    format->order = draft->order;
    format->nlevels = draft->nlevels;
    memcpy(format->levels, draft->levels, sizeof format->levels);
    tsr_status status =
        tsr_map_build_finish(&format->map, draft->builder, draft->nlevels, draft->results, err);
    if (status == TSR_OK)
        status = format_check(format, draft->col, err);
    if (status != TSR_OK) {
        tsr_format_free(format);
        return status;
    }
    *out = format;
    return TSR_OK;
}

void tsr_format_free(tsr_format *format)
{
    if (!format || !tsr_owner_drop(&format->nowners))
        return;
    tsr_map_free(format->map);
    tsr_free(format);
}

tsr_status tsr_format_copy(tsr_format **out, const tsr_format *format, tsr_error *err)
{
    (void)err;
    *out = (tsr_format *)(uintptr_t)format; /* the count of owners is all that changes */
    tsr_owner_add(&(*out)->nowners);
    return TSR_OK;
}

bool tsr_format_equal(const tsr_format *a, const tsr_format *b)
{
    if (a == b)
        return true;
    if (a->order != b->order || a->nlevels != b->nlevels)
        return false;
    for (int l = 0; l < a->nlevels; l++)
        if (a->levels[l].type != b->levels[l].type || a->levels[l].nonunique != b->levels[l].nonunique ||
            a->levels[l].pitch != b->levels[l].pitch || a->levels[l].param != b->levels[l].param)
            return false;
    return tsr_map_equal(a->map, b->map);
}

bool tsr_format_is_permutation(const tsr_format *format, int *perm)
{
    return format->nlevels == format->order && tsr_map_is_permutation(format->map, perm);
}

bool tsr_format_is_dense(const tsr_format *format)
{
    for (int l = 0; l < format->nlevels; l++)
        if (!format->levels[l].type->full)
            return false;
    return true;
}

bool tsr_format_has_pitch(const tsr_format *format)
{
    for (int l = 0; l < format->nlevels; l++)
        if (format->levels[l].pitch)
            return true;
    return false;
}

bool tsr_format_assembles(const tsr_format *format)
{
    for (int l = 0; l < format->nlevels; l++)
        if (format->levels[l].type->assemble)
            return true;
    return false;
}

bool tsr_format_has_lists(const tsr_format *format, int *ndense)
{
    int l = 0;
    while (l < format->nlevels && format->levels[l].type->full)
        l++;
    *ndense = l;
    for (; l < format->nlevels; l++)
        if (!tsr_level_lists(format->levels[l].type) || format->levels[l].nonunique)
            return false;
    return true;
}

bool tsr_format_is_nested(const tsr_format *format, int *ndense)
{
    return tsr_format_has_lists(format, ndense) && !tsr_format_is_unordered(format);
}

bool tsr_format_is_unordered(const tsr_format *format)
{
    const tsr_level_type *const last = format->nlevels > 0 ? format->levels[format->nlevels - 1].type
                                                           : NULL; /* a list below it is refused */
    return last && tsr_level_lists(last) && !last->is_ordered;
}

bool tsr_format_is_coordinates(const tsr_format *format)
{
    for (int l = 0; l < format->nlevels; l++) {
        const tsr_level_type *type = format->levels[l].type;
        if (l == 0 ? !tsr_level_is_list(type) : !type->branchless)
            return false;
    }
    return format->nlevels > 0;
}

bool tsr_format_has_dense_leaf(const tsr_format *format)
{
    return format->nlevels > 0 && format->levels[format->nlevels - 1].type->by_value;
}

const tsr_level_type *tsr_format_marks(const tsr_format *format)
{
    for (int l = 0; l + 1 < format->nlevels; l++)
        if (!format->levels[l].type->full)
            return NULL;
    const tsr_level_type *const last = format->nlevels > 0 ? format->levels[format->nlevels - 1].type : NULL;
    return last && tsr_level_is_marked(last) ? last : NULL;
}

bool tsr_format_stores_both_triangles(const tsr_format *format)
{
    return tsr_format_has_dense_leaf(format) && tsr_format_is_permutation(format, NULL);
}

bool tsr_format_stores_all(const tsr_format *format)
{
    const tsr_level_type *leaf = format->nlevels > 0 ? format->levels[format->nlevels - 1].type : NULL;
    /* a singleton below padding would have to mark it, too: format_check refuses that */
    return leaf && !leaf->by_value && !leaf->mark && !leaf->repeats;
}

bool tsr_format_keeps_duplicates(const tsr_format *format)
{
    /* only the last group can be without a unique end (format_check) */
    return format->nlevels > 0 && format->levels[format->nlevels - 1].nonunique;
}

uint8_t tsr_format_cut(const tsr_format *format, int l)
{
    /* the unique end of the group that contains l; l itself where it is not in a group */
    int end = l;
    while (end < format->nlevels && format->levels[end].nonunique)
        end++;
    return end < format->nlevels ? (uint8_t)end : UINT8_MAX;
}
