/* Reading only the wanted slices of a matrix by slices of a container: of the pointers, the indices and the data the chunks that have
 * those of these slices. */
#include "dialect_internal.h"

#include <inttypes.h>

#include "tsr_alloc.h"
#include "tsr_memory.h"
#include "tsr_picked.h"

bool tsr_dialect_reads_slices(const tsr_opened *o, const tsr_stored *stored, const tsr_read_options *options)
{
    const tsr_form *const f = o->form;
    return f->pointers && !f->blocks && !f->axes && !f->fill && f->base == 0 && o->order == 2 && !o->empty &&
           tsr_picked_in(options, f->major) && stored[1].n == o->dims[f->major] + 1 &&
           (f->has_spare || stored[0].n == stored[2].n) && tsr_container_has_ranges(o->c, &stored[0]) &&
           tsr_container_has_ranges(o->c, &stored[1]) && tsr_container_has_ranges(o->c, &stored[2]);
}

static bool follows(const tsr_array *wanted, uint64_t k)
{
    const uint64_t *const slice = wanted->data;
    return k > 0 && slice[k] == slice[k - 1] + 1;
}

/* Where the pointers of the wanted slices are: for neighbours one range, with the pointer behind the last. */
static void place_pointers(tsr_ranges *ranges, const tsr_array *wanted)
{
    ranges->n = 0;
    for (uint64_t k = 0; k < wanted->n; k++)
        if (follows(wanted, k))
            ranges->range[ranges->n - 1].n++;
        else
            ranges->range[ranges->n++] = (tsr_range){((const uint64_t *)wanted->data)[k], 2};
}

/* The ranges of the wanted slices, and new pointers instead of those of the file, which stand as place_pointers says. */
static tsr_status find_ranges(tsr_ranges *ranges, tsr_arrays *in, const tsr_array *wanted, uint64_t nstored,
                              tsr_error *err)
{
    tsr_array pointers = {.n = 0};
    uint64_t at = 0, last = 0, p = 0;
    TSR_TRY(tsr_numbers_to_indices(&in->pointers, 0, err));
    TSR_TRY(tsr_array_init(&pointers, wanted->n + 1, in->pointers.array.width, 1, in->pointers.name, err));
    ranges->n = 0;
    for (uint64_t k = 0; k < wanted->n; k++, p++) {
        const uint64_t slice = ((const uint64_t *)wanted->data)[k];
        p += k > 0 && !follows(wanted, k);
        const uint64_t first = tsr_array_get(&in->pointers.array, p),
                       end = tsr_array_get(&in->pointers.array, p + 1);
        if (first < last || end < first || end > nstored) {
            tsr_array_clear(&pointers);
            return tsr_fail(err, TSR_CORRUPT,
                            "array '%s' goes from %" PRIu64 " to %" PRIu64 " at %" PRIu64
                            ", and there are %" PRIu64 " entries",
                            in->pointers.name, first, end, slice + 1, nstored);
        }
        if (end > first)
            ranges->range[ranges->n++] = (tsr_range){first, end - first};
        last = end;
        at += end - first;
        tsr_array_set(&pointers, k + 1, at);
    }
    tsr_array_clear(&in->pointers.array);
    in->pointers.array = pointers;
    return TSR_OK;
}

/* Room for n numbers of the array. */
static tsr_status make_room(tsr_numbers *to, uint64_t n, const tsr_stored *stored, tsr_error *err)
{
    *to = (tsr_numbers){.name = stored->name, .type = stored->type};
    return tsr_array_init(&to->array, n, tsr_type_nbytes(to->type), 0, stored->name, err);
}

tsr_status tsr_dialect_read_slices(tsr_arrays *in, const tsr_opened *o, const tsr_stored *stored,
                                   tsr_job *job, const tsr_read_options *options, tsr_error *err)
{
    const int major = o->form->major;
    const uint64_t nstored = stored[0].n < stored[2].n ? stored[0].n : stored[2].n;
    tsr_array wanted = {.n = 0};
    tsr_ranges ranges = {.n = 0};
    void *room = NULL;
    uint64_t n;
    tsr_status status;
    TSR_TRY_OUT(tsr_picked_slices(&wanted, options->select, major, o->dims[major], err));
    TSR_TRY_OUT(tsr_alloc_array(&room, wanted.n, sizeof(tsr_range), 0, "ranges of slices", err));
    ranges.range = room;
    place_pointers(&ranges, &wanted);
    TSR_TRY_OUT(make_room(&in->pointers, wanted.n + ranges.n, &stored[1], err));
    TSR_TRY_OUT(tsr_container_read_ranges(in->pointers.array.data, o->c, &stored[1], &ranges, job, err));
    TSR_TRY_OUT(find_ranges(&ranges, in, &wanted, nstored, err));
    n = tsr_array_get(&in->pointers.array, wanted.n);
    job->total = job->done + n * (tsr_type_nbytes(stored[0].type) + tsr_type_nbytes(stored[2].type));
    TSR_TRY_OUT(tsr_memory_check((double)job->total, "the part of the matrix", err));
    TSR_TRY_OUT(make_room(&in->crd[0], n, &stored[0], err));
    TSR_TRY_OUT(make_room(&in->values, n, &stored[2], err));
    TSR_TRY_OUT(tsr_container_read_ranges(in->crd[0].array.data, o->c, &stored[0], &ranges, job, err));
    TSR_TRY_OUT(tsr_container_read_ranges(in->values.array.data, o->c, &stored[2], &ranges, job, err));
    in->dims[major] = wanted.n;
    status = TSR_OK;
out:
    tsr_array_clear(&wanted);
    tsr_free(room);
    return status;
}
