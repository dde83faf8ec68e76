/* Where pieces that follow each other lie in the arrays of the tensor: see stream_internal.h. */
#include "stream_internal.h"

static void place_pos(stream_extent *e, stream_front *at, int l, const stream_piece *piece, uint64_t parents)
{
    const uint64_t first = piece->begin[l] + parents;
    e->skip = at->any && first < at->written[l] ? at->written[l] - first : 0;
    e->own = first + e->skip;
    e->stop = at->written[l] = piece->written[l] + parents;
}

/* Place a piece that has entries behind the front. */
static tsr_status place_entries(stream_place *p, stream_front *at, const stream_fill *fill,
                                const stream_piece *piece, tsr_error *err)
{
    const stream_front old = *at;
    const tsr_binding *const binding = stream_fill_binding(fill);
    const tsr_format *const format = binding->format;
    const int nlevels = format->nlevels;
    const bool dense_leaf = tsr_format_has_dense_leaf(format);
    int lead = 0;
    uint64_t parents = 0; /* what is added to positions of the level above */
    while (old.any && lead < nlevels && piece->first[lead] == old.last[lead])
        lead++;
    for (int l = 0; l < nlevels; l++) {
        const tsr_level_type *const type = format->levels[l].type;
        const bool shared = old.any && lead > stream_fill_cut(fill, l);
        const bool same_parent =
            old.any && (l == 0 || piece->first_position[l - 1] + parents == old.last_position[l - 1]);
        if (type->full) {
            parents *= binding->pitch[l];
        } else {
            if (type->branchless && same_parent && !shared)
                return stream_fill_check_child(fill, piece, l, err);
            p->base[l] = old.npos[l] - shared;
            p->crd[l].skip = shared;
            at->npos[l] = p->crd[l].stop = p->base[l] + piece->npos[l];
            if (!type->branchless) {
                place_pos(&p->pos[l], at, l, piece, parents);
                parents = p->base[l];
            }
        }
        at->last_position[l] = piece->last_position[l] + parents;
    }
    p->values.own = dense_leaf ? piece->begin_values + parents : old.nvalues;
    at->nvalues = p->values.stop = dense_leaf ? piece->nvalues + parents : old.nvalues + piece->nvalues;
    memcpy(at->last, piece->last, sizeof at->last);
    at->any = true;
    return TSR_OK;
}

static void start_extent(stream_extent *e, uint64_t start)
{
    *e = (stream_extent){.start = start, .own = start, .stop = start};
}

tsr_status stream_place_piece(stream_place *p, stream_front *at, const stream_fill *fill,
                              const stream_piece *piece, tsr_error *err)
{
    const int nlevels = stream_fill_binding(fill)->format->nlevels;
    start_extent(&p->values, at->nvalues);
    for (int l = 0; l < nlevels; l++) {
        start_extent(&p->pos[l], at->written[l]);
        start_extent(&p->crd[l], at->npos[l]);
        p->before[l] = at->npos[l];
    }
    if (piece->nentries > 0)
        TSR_TRY(place_entries(p, at, fill, piece, err));
    p->values.end = p->values.stop;
    for (int l = 0; l < nlevels; l++) {
        p->pos[l].end = p->pos[l].stop;
        p->crd[l].end = p->crd[l].stop;
    }
    return TSR_OK;
}
