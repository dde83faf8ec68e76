/* Rows of a tensor: see tsr_rows.h. */
#include "tsr_rows.h"

#include <string.h>

void tsr_rows_borrow(tsr_array *to, const tsr_array *from, uint64_t first, uint64_t n)
{
    *to = (tsr_array){
        .data = (char *)from->data + first * from->width, .n = n, .width = from->width, .borrowed = true};
}

bool tsr_rows_are_whole(const tsr_tensor *t)
{
    uint64_t npos = 1;
    bool fits = true;
    for (int l = 0; l < t->nlevels && fits; l++) {
        const tsr_level *const level = &t->levels[l];
        const bool full = level->type->full;
        fits = level->nparents == npos &&
               (full ? level->npos == npos * level->pitch && level->pitch == level->size
                     : level->pos.n == npos + 1 && level->crd.n == level->npos &&
                           tsr_array_get(&level->pos, npos) == level->npos);
        npos = level->npos;
    }
    return fits && t->npos == npos && t->values.n == (t->iso ? 1 : npos);
}

void tsr_rows_share_levels(tsr_tensor *to, const tsr_tensor *from)
{
    for (int l = 0; l < to->nlevels; l++) {
        const tsr_level *const old = &from->levels[l];
        tsr_level *const level = &to->levels[l];
        level->nparents = old->nparents;
        level->npos = old->npos;
        if (!old->type->full) {
            tsr_rows_borrow(&level->pos, &old->pos, 0, old->pos.n);
            tsr_rows_borrow(&level->crd, &old->crd, 0, old->crd.n);
        }
    }
    to->npos = from->npos;
}

/* Let `view`, of hi - lo rows, have rows [lo, hi) of the tensor: positions are copies that begin with 0. */
static tsr_status move_view(tsr_tensor *view, const tsr_tensor *from, uint64_t lo, uint64_t hi,
                            tsr_error *err)
{
    uint64_t nparents = 1;
    for (int l = 0; l < from->nlevels; l++) {
        const tsr_level *const old = &from->levels[l];
        tsr_level *const level = &view->levels[l];
        level->nparents = nparents;
        if (old->type->full) {
            lo = l > 0 ? lo * old->pitch : lo;
            hi = l > 0 ? hi * old->pitch : hi;
        } else {
            const uint64_t first = tsr_array_get(&old->pos, lo), end = tsr_array_get(&old->pos, hi);
            if (end < first || end > old->npos)
                return tsr_fail(err, TSR_ARGUMENT, "the positions of level %d are not in order", l);
            if (!level->pos.data)
                TSR_TRY(
                    tsr_array_init(&level->pos, nparents + 1, old->pos.width, 0, "rows of an operand", err));
            else if (level->pos.n != nparents + 1)
                TSR_TRY(
                    tsr_array_resize(&level->pos, nparents + 1, old->pos.width, "rows of an operand", err));
            uint32_t *const pos = old->pos.width == sizeof *pos ? level->pos.data : NULL;
            for (uint64_t i = 0; i <= nparents && pos; i++)
                pos[i] = ((const uint32_t *)old->pos.data)[lo + i] - (uint32_t)first;
            for (uint64_t i = 0; i <= nparents && !pos; i++)
                tsr_array_set(&level->pos, i, tsr_array_get(&old->pos, lo + i) - first);
            lo = first;
            hi = end;
            tsr_rows_borrow(&level->crd, &old->crd, lo, hi - lo);
        }
        level->npos = nparents = hi - lo;
    }
    view->npos = nparents;
    tsr_rows_borrow(&view->values, &from->values, from->iso ? 0 : lo, from->iso ? 1 : hi - lo);
    return TSR_OK;
}

tsr_status tsr_rows_place(tsr_tensor **view, const tsr_tensor *from, int mode, uint64_t lo, uint64_t hi,
                          tsr_error *err)
{
    if (*view && (*view)->dims[mode] != hi - lo) {
        tsr_tensor_free(*view);
        *view = NULL;
    }
    if (!*view) {
        uint64_t dims[TSR_MAX_ORDER];
        memcpy(dims, from->dims, sizeof dims);
        dims[mode] = hi - lo;
        TSR_TRY(tsr_tensor_new(view, from->format, dims, from->type, err));
        (*view)->iso = from->iso;
        (*view)->structure = from->structure;
        (*view)->has_fill = from->has_fill;
        memcpy((*view)->fill, from->fill, sizeof from->fill);
        (*view)->number = 0; /* its index arrays change */
    }
    return move_view(*view, from, lo, hi, err);
}

void tsr_rows_copy_levels(tsr_tensor *to, const tsr_tensor *from, uint64_t *lo, uint64_t *hi, bool is_last)
{
    for (int l = 0; l < to->nlevels; l++) {
        const tsr_level *const old = &from->levels[l];
        tsr_level *const level = &to->levels[l];
        if (old->type->full) {
            *lo = l > 0 ? *lo * old->pitch : *lo;
            *hi = l > 0 ? *hi * old->pitch : *hi;
            continue;
        }
        const size_t pos = old->pos.width, crd = old->crd.width;
        const uint64_t first = tsr_array_get(&old->pos, *lo), end = tsr_array_get(&old->pos, *hi);
        memcpy((char *)level->pos.data + *lo * pos, (const char *)old->pos.data + *lo * pos,
               (*hi - *lo + is_last) * pos);
        if (end > first) /* else there may be no array */
            memcpy((char *)level->crd.data + first * crd, (const char *)old->crd.data + first * crd,
                   (end - first) * crd);
        *lo = first;
        *hi = end;
    }
}
