/* Reading only some slices of a Binsparse tensor: see tsr_bsp_select.
 *
 * The positions that the slices have in a level are ranges, which rise. A dense level multiplies them by its size, a sparse level
 * replaces the range of its parents by the one between two pointers, and a further dimension of a sparse level keeps them. */
#include "binsparse_reading.h"

#include <inttypes.h>
#include <string.h>

#include "tsr_alloc.h"
#include "tsr_picked.h"

typedef tsr_bsp_reading reading;
typedef tsr_bsp_part part;

void tsr_bsp_part_free(tsr_bsp_part *p)
{
    for (int k = 0; p && k < TSR_MAX_LEVELS; k++) {
        tsr_array_clear(&p->pointers[k]);
        tsr_array_clear(&p->indices[k]);
    }
    if (p)
        tsr_free(p->ranges.range);
    tsr_free(p);
}

tsr_status tsr_bsp_read_ahead(reading *r, tsr_error *err)
{
    tsr_wanted wanted[TSR_MAX_WANTED];
    const tsr_stored *arrays[TSR_MAX_WANTED];
    int n = 0;
    for (int k = 0; k < r->d.order && n + 3 <= TSR_MAX_WANTED; k++) {
        if (r->d.kind[k] == TSR_BSP_SPARSE && k > 0)
            arrays[n++] = &r->pointers[k];
        if (r->d.kind[k] != TSR_BSP_DENSE)
            arrays[n++] = &r->indices[k];
    }
    if (!r->options->levels_only && r->values.n > 0)
        arrays[n++] = &r->values;
    for (int i = 0; i < n; i++) {
        tsr_array *const to = &r->ahead[r->nahead].read;
        TSR_TRY(tsr_array_init(to, arrays[i]->n, tsr_type_nbytes(arrays[i]->type), 0, arrays[i]->name, err));
        r->ahead[r->nahead++].array = arrays[i];
        wanted[i] = (tsr_wanted){to->data, arrays[i]};
    }
    return tsr_container_read_all(r->c, wanted, n, &r->job, err);
}

void tsr_bsp_drop_ahead(reading *r)
{
    for (int i = 0; i < r->nahead; i++)
        tsr_array_clear(&r->ahead[i].read);
    r->nahead = 0;
}

/* The array of the part, where only a part is read. */
static tsr_array *part_of(const reading *r, const tsr_stored *array)
{
    for (int k = 0; r->part && k < r->d.order; k++)
        if (array == &r->pointers[k] || array == &r->indices[k])
            return array == &r->pointers[k] ? &r->part->pointers[k] : &r->part->indices[k];
    return NULL;
}

tsr_status tsr_bsp_read_raw(tsr_array *out, reading *r, const tsr_stored *array, tsr_error *err)
{
    for (int i = 0; i < r->nahead; i++)
        if (r->ahead[i].array == array && r->ahead[i].read.data) {
            *out = tsr_array_take(&r->ahead[i].read);
            return TSR_OK;
        }
    tsr_array *const loaded = part_of(r, array);
    if (loaded) {
        *out = tsr_array_take(loaded);
        return TSR_OK;
    }
    TSR_TRY(tsr_array_init(out, array->n, tsr_type_nbytes(array->type), 0, array->name, err));
    return tsr_container_read(out->data, r->c, array, &r->job, err);
}

static uint64_t count(const part *p)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < p->ranges.n; i++)
        n += p->ranges.range[i].n;
    return n;
}

/* Load the elements of the ranges of an index array. */
static tsr_status load(tsr_array *out, reading *r, tsr_stored *array, tsr_error *err)
{
    const uint64_t n = count(r->part);
    TSR_TRY(tsr_array_init(out, n, tsr_type_nbytes(array->type), 0, array->name, err));
    TSR_TRY(tsr_container_read_ranges(out->data, r->c, array, &r->part->ranges, &r->job, err));
    array->n = n;
    return TSR_OK;
}

/* Element i of an index array, counted from 0 on. */
static uint64_t index_at(const reading *r, const tsr_array *array, uint64_t i)
{
    return tsr_array_get(array, i) - r->d.index_base;
}

/* The positions of the wanted coordinates in the first level. A sparse one is read whole, and gets the numbers of the slices as
 * coordinates. */
static tsr_status select_root(reading *r, const tsr_array *wanted, tsr_error *err)
{
    part *const p = r->part;
    tsr_array crd = {.n = 0};
    const uint64_t *const slices = wanted->data;
    const bool dense = r->d.kind[0] == TSR_BSP_DENSE;
    tsr_range *const ranges = p->ranges.range;
    uint64_t k = 0;
    p->ranges.n = 0;
    if (dense) {
        for (; k < wanted->n; k++)
            ranges[p->ranges.n++] = (tsr_range){slices[k], 1};
        return TSR_OK;
    }
    tsr_stored *const stored = &r->indices[0];
    tsr_array *const taken = &p->indices[0];
    TSR_TRY(tsr_array_init(&crd, stored->n, tsr_type_nbytes(stored->type), 0, stored->name, err));
    tsr_status status = tsr_container_read(crd.data, r->c, stored, &r->job, err);
    if (status == TSR_OK)
        status = tsr_array_init(taken, wanted->n, crd.width, 0, "slices", err);
    for (uint64_t i = 0; i < crd.n && status == TSR_OK; i++) {
        const uint64_t c = index_at(r, &crd, i);
        if (i > 0 && index_at(r, &crd, i - 1) >= c)
            status = tsr_fail(err, TSR_CORRUPT, "dataset '%s' does not rise at %" PRIu64, stored->name, i);
        while (k < wanted->n && slices[k] < c)
            k++;
        if (status == TSR_OK && k < wanted->n && slices[k] == c) {
            tsr_array_set(taken, p->ranges.n, k + r->d.index_base);
            ranges[p->ranges.n++] = (tsr_range){i, 1};
        }
    }
    taken->n = stored->n = p->ranges.n;
    tsr_array_clear(&crd);
    return status;
}

/* From the ranges of the parents to those between their pointers; the pointers become those of the part. */
static tsr_status follow_pointers(reading *r, int k, tsr_error *err)
{
    part *const p = r->part;
    tsr_stored *const stored = &r->pointers[k];
    tsr_array wide = {.n = 0}, *const pointers = &p->pointers[k];
    const uint64_t nparents = count(p), nall = r->indices[k].n;
    uint64_t at = 0, last = 0, parent = 0, q = 0, n = 0;
    tsr_range *const ranges = p->ranges.range;
    TSR_TRY(tsr_array_init(pointers, nparents + 1, tsr_type_nbytes(stored->type), 1, stored->name, err));
    TSR_TRY(tsr_array_init(&wide, nparents + p->ranges.n, pointers->width, 0, stored->name, err));
    for (uint64_t i = 0; i < p->ranges.n; i++) /* each range has one pointer more */
        ranges[i].n++;
    tsr_status status = tsr_container_read_ranges(wide.data, r->c, stored, &p->ranges, &r->job, err);
    tsr_array_set(pointers, 0, r->d.index_base);
    for (uint64_t i = 0; i < p->ranges.n && status == TSR_OK; i++, q++) {
        const uint64_t first = index_at(r, &wide, q);
        uint64_t end = first;
        for (uint64_t j = 1; j < ranges[i].n && status == TSR_OK; j++) {
            const uint64_t next = index_at(r, &wide, ++q);
            if (next < end || next > nall || first < last)
                status = tsr_fail(err, TSR_CORRUPT,
                                  "dataset '%s' goes from %" PRIu64 " to %" PRIu64 ", and there are %" PRIu64
                                  " positions",
                                  stored->name, end, next, nall);
            at += next - end;
            end = next;
            tsr_array_set(pointers, ++parent, at + r->d.index_base);
        }
        last = end;
        if (status == TSR_OK && end > first)
            ranges[n++] = (tsr_range){first, end - first};
    }
    p->ranges.n = n;
    stored->n = pointers->n;
    tsr_array_clear(&wide);
    return status;
}

static tsr_status select_level(reading *r, int k, tsr_error *err)
{
    part *const p = r->part;
    const uint64_t size = r->d.shape[r->d.transpose[k]];
    if (r->d.kind[k] == TSR_BSP_DENSE)
        for (uint64_t i = 0; i < p->ranges.n && k > 0; i++)
            p->ranges.range[i] = (tsr_range){p->ranges.range[i].first * size, p->ranges.range[i].n * size};
    else if (r->d.kind[k] == TSR_BSP_SPARSE && k > 0)
        TSR_TRY(follow_pointers(r, k, err));
    if (r->d.kind[k] != TSR_BSP_DENSE && k > 0)
        TSR_TRY(load(&p->indices[k], r, &r->indices[k], err));
    r->npos[k + 1] = r->d.kind[k] == TSR_BSP_DENSE ? r->npos[k] * size : count(p);
    return TSR_OK;
}

/* Whether all arrays are of the kind that is read by ranges. */
static bool can_select(const reading *r, int mode)
{
    const tsr_bsp_descriptor *const d = &r->d;
    bool can = d->order > 0 && d->order <= TSR_MAX_ORDER && !r->mapped && d->structure == TSR_GENERAL &&
               !d->values.complex && !(d->values.bint8 && !d->values.iso) &&
               tsr_picked_in(r->options, mode) && d->shape[mode] <= INT64_MAX &&
               !(d->order > 1 && d->kind[0] == TSR_BSP_SPARSE && d->kind[1] == TSR_BSP_TUPLE) &&
               (d->values.iso || tsr_container_has_ranges(r->c, &r->values));
    for (int k = 0; k < d->order; k++)
        can = can && !d->unsorted[k] &&
              (d->kind[k] == TSR_BSP_DENSE || k == 0 || tsr_container_has_ranges(r->c, &r->indices[k])) &&
              (d->kind[k] != TSR_BSP_SPARSE || k == 0 || tsr_container_has_ranges(r->c, &r->pointers[k]));
    return can;
}

tsr_status tsr_bsp_select(tsr_data *out, reading *r, tsr_error *err)
{
    const int mode = r->d.transpose[0];
    tsr_array wanted = {.n = 0};
    if (r->d.order == 0 || !can_select(r, mode))
        return TSR_OK;
    TSR_TRY(tsr_picked_slices(&wanted, r->options->select, mode, r->d.shape[mode], err));
    part *const p = tsr_calloc(1, sizeof *p);
    void *ranges = NULL;
    tsr_status status = p ? tsr_alloc_array(&ranges, wanted.n, sizeof(tsr_range), 0, "ranges of slices", err)
                          : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK) {
        p->ranges.range = ranges;
        out->slices.read = true;
        out->slices.mode = mode;
        out->slices.dim = r->d.shape[mode];
        r->d.shape[mode] = wanted.n;
        r->part = p;
        status = select_root(r, &wanted, err);
    } else {
        tsr_bsp_part_free(p);
    }
    for (int k = 0; k < r->d.order && status == TSR_OK; k++)
        status = select_level(r, k, err);
    r->d.nstored = r->npos[r->d.order];
    tsr_array_clear(&wanted);
    return status;
}
