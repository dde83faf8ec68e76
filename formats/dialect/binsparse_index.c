/* The index arrays of a Binsparse tensor: pointers and coordinates, which files count from 0 or 1 and may store as signed numbers. What
 * the check of the tensor looks at is not looked at before; coordinates are checked while they arrive. */
#include "binsparse_reading.h"

#include <inttypes.h>

typedef tsr_bsp_reading reading;

/* Make an array of indices or pointers that was read 0-based. TSR_CORRUPT where a number is below the base of the file. */
static tsr_status rebase(tsr_array *out, const reading *r, const tsr_stored *array, tsr_error *err)
{
    const uint64_t at = tsr_indices_rebase(out, array->type, r->d.index_base);
    if (at < out->n && tsr_type_class(array->type) == 'I' && tsr_array_get(out, at) != 0)
        return tsr_fail(err, TSR_CORRUPT, "dataset '%s' has a negative value at %" PRIu64, array->name, at);
    if (at < out->n)
        return tsr_fail(err, TSR_CORRUPT, "dataset '%s' has 0 at %" PRIu64 ", but index_base is 1",
                        array->name, at);
    return TSR_OK;
}

tsr_status tsr_bsp_read_index(tsr_array *out, reading *r, const tsr_stored *array, tsr_error *err)
{
    TSR_TRY(tsr_bsp_read_raw(out, r, array, err));
    return rebase(out, r, array, err);
}

/* Read indices or pointers below `bound` of a tensor that is checked: there a negative one is, as an unsigned number, beyond the
 * bound, unless that is very large, so one pass over the array does. */
static tsr_status read_checked(tsr_array *out, reading *r, const tsr_stored *array, uint64_t bound,
                               tsr_error *err)
{
    const bool is_seen = bound <= UINT64_C(1) << (8 * tsr_type_nbytes(array->type) - 1);
    return is_seen && r->d.index_base == 0 ? tsr_bsp_read_raw(out, r, array, err)
                                           : tsr_bsp_read_index(out, r, array, err);
}

tsr_status tsr_bsp_read_pointers(tsr_array *out, reading *r, int k, tsr_error *err)
{
    return read_checked(out, r, &r->pointers[k], r->npos[k + 1] + 1, err);
}

static void see_arrived(void *ctx, uint64_t n)
{
    tsr_level_watch_see(ctx, n);
}

tsr_status tsr_bsp_read_coordinates(tsr_tensor *tensor, reading *r, int k, tsr_error *err)
{
    tsr_level *const level = &tensor->levels[k];
    tsr_level_watch watch;
    const bool in_group = k > 0 && tensor->levels[k - 1].nonunique;
    const bool watched = !in_group && r->d.index_base == 0 && tsr_level_watch_begin(&watch, level);
    r->job.arrived = watched ? see_arrived : NULL;
    r->job.arrived_ctx = &watch;
    const tsr_status status = read_checked(&level->crd, r, &r->indices[k], tsr_bsp_level_size(&r->d, k), err);
    r->job.arrived = NULL;
    TSR_TRY(status);
    if (watched && tsr_level_watch_end(&watch))
        r->watched |= UINT32_C(1) << k;
    return TSR_OK;
}

tsr_status tsr_bsp_refuse_negative(tsr_status status, tsr_tensor *tensor, reading *r, tsr_error *err)
{
    for (int k = 0; k < r->d.order && r->d.index_base == 0 && !tsr_bsp_is_foreign(tensor->format); k++)
        if (r->d.kind[k] != TSR_BSP_DENSE) {
            if (r->d.kind[k] == TSR_BSP_SPARSE && k > 0)
                TSR_TRY(rebase(&tensor->levels[k].pos, r, &r->pointers[k], err));
            TSR_TRY(rebase(&tensor->levels[k].crd, r, &r->indices[k], err));
        }
    return status;
}
