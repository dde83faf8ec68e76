/* tsr_stream_load: see tsr_stream.h. */
#include "tsr_memory.h"
#include "tsr_stream.h"

static tsr_status load(tsr_array *array, tsr_parts *parts, tsr_part part, int level, tsr_error *err)
{
    const tsr_part_range range = {.part = part, .level = level, .n = array->n};
    TSR_TRY(tsr_alloc_array(&array->data, array->n, array->width, 0, "an array of a tensor", err));
    return array->n ? parts->load(array->data, parts, &range, err) : TSR_OK;
}

static tsr_status load_all(tsr_parts *parts, tsr_error *err)
{
    tsr_tensor *const t = parts->tensor;
    for (int l = 0; l < t->nlevels; l++) {
        const tsr_level_type *const type = t->levels[l].type;
        if (tsr_level_has(type, TSR_LEVEL_POS))
            TSR_TRY(load(&t->levels[l].pos, parts, TSR_PART_POS, l, err));
        if (tsr_level_has(type, TSR_LEVEL_CRD))
            TSR_TRY(load(&t->levels[l].crd, parts, TSR_PART_CRD, l, err));
    }
    return load(&t->values, parts, TSR_PART_VALUES, 0, err);
}

/* The files of the parts have as many bytes. */
static uint64_t count_nbytes(const tsr_tensor *t)
{
    uint64_t nbytes = t->values.n * t->values.width;
    for (int l = 0; l < t->nlevels; l++) {
        const tsr_array *const pos = &t->levels[l].pos, *const crd = &t->levels[l].crd;
        nbytes += pos->n * pos->width + crd->n * crd->width;
    }
    return nbytes;
}

tsr_status tsr_stream_load(tsr_tensor **out, tsr_parts *parts, uint64_t max_nbytes, tsr_error *err)
{
    const uint64_t nbytes = count_nbytes(parts->tensor);
    char size[32], limit[32];
    *out = NULL;
    tsr_status status = tsr_memory_check((double)nbytes, "the tensor", err);
    if (status == TSR_OK && max_nbytes > 0 && nbytes > max_nbytes)
        status = tsr_fail(err, TSR_LIMIT, "the tensor needs %s, more than the limit of %s",
                          tsr_bytes_text(size, nbytes), tsr_bytes_text(limit, max_nbytes));
    if (status == TSR_OK)
        status = load_all(parts, err);
    if (status == TSR_OK) {
        *out = parts->tensor;
        parts->tensor = NULL;
    }
    tsr_parts_free(parts);
    return status;
}
