/* Binsparse descriptors as trees of levels, and as formats. */
#include <stdio.h>

#include "binsparse_internal.h"
#include "tsr_alloc.h"

void tsr_bsp_origin_clear(tsr_bsp_origin *origin)
{
    tsr_free(origin->format);
    *origin = (tsr_bsp_origin){.format = NULL};
}

tsr_status tsr_bsp_format(tsr_format **out, const tsr_bsp_descriptor *d, tsr_error *err)
{
    tsr_level_spec levels[TSR_MAX_ORDER];
    for (int k = 0; k < d->order; k++)
        levels[k] = (tsr_level_spec){.type = d->kind[k] == TSR_BSP_DENSE    ? tsr_level_of_cells
                                             : d->kind[k] == TSR_BSP_SPARSE ? tsr_level_of_list
                                                                            : tsr_level_of_tuple,
                                     .nonunique = k + 1 < d->order && d->kind[k + 1] == TSR_BSP_TUPLE};
    return tsr_format_permuted(out, d->order, levels, d->transpose, err);
}

void tsr_bsp_array_name(char name[TSR_BSP_MAX_NAME + 1], int level, const tsr_level_array *row)
{
    snprintf(name, TSR_BSP_MAX_NAME + 1, "level_%d_%s", level, row->name);
}

bool tsr_bsp_is_foreign(const tsr_format *format)
{
    return tsr_format_assembles(format) || tsr_format_is_unordered(format); /* Binsparse demands order */
}

bool tsr_bsp_kinds(tsr_bsp_kind *kinds, const tsr_format *format)
{
    for (int l = 0; l < format->nlevels; l++) {
        const tsr_level_type *type = format->levels[l].type;
        const bool under_sparse = l > 0 && kinds[l - 1] != TSR_BSP_DENSE;
        if (type->full)
            kinds[l] = TSR_BSP_DENSE;
        else if (tsr_level_is_list(type))
            kinds[l] = TSR_BSP_SPARSE;
        else if (type->branchless && under_sparse)
            kinds[l] = TSR_BSP_TUPLE;
        else
            return false;
    }
    return true;
}
