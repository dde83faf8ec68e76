/* Whether two XLA layouts have the same canonical text, compared field by field: a printer that left a field out would be found. */
#ifndef XLA_SAME_H
#define XLA_SAME_H

#include <string.h>

#include "tsr_xla.h"

static inline bool xla_same(const tsr_xla *a, const tsr_xla *b)
{
    if (strcmp(a->type, b->type) != 0 || a->has_dims != b->has_dims || a->rank != b->rank ||
        a->ntiles != b->ntiles || a->tail != b->tail || a->element_nbits != b->element_nbits ||
        a->memory_space != b->memory_space || a->metadata_nbytes != b->metadata_nbytes ||
        strcmp(a->index_type, b->index_type) != 0 || strcmp(a->pointer_type, b->pointer_type) != 0 ||
        strcmp(a->levels ? a->levels : "", b->levels ? b->levels : "") != 0 ||
        strcmp(a->splits ? a->splits : "", b->splits ? b->splits : "") != 0 ||
        strcmp(a->physical ? a->physical : "", b->physical ? b->physical : "") != 0)
        return false;
    for (int d = 0; d < a->rank; d++)
        if (a->order[d] != b->order[d] || (a->has_dims && a->dims[d] != b->dims[d]))
            return false;
    for (int k = 0; k < a->ntiles; k++) {
        if (a->tiles[k].rank != b->tiles[k].rank)
            return false;
        for (int i = 0; i < a->tiles[k].rank; i++)
            if (a->tiles[k].t[i] != b->tiles[k].t[i])
                return false;
    }
    return true;
}

#endif
