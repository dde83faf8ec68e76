/* Coordinates in memory as a source: blocks point into the arrays. */
#include <inttypes.h>

#include "tsr_source.h"

typedef struct coo_source {
    tsr_source base; /* first: the packer knows only this */
    tsr_coo *coo;    /* owned */
} coo_source;

static tsr_status load_coo(tsr_source_block *block, tsr_source *base, const tsr_source_range *range,
                           tsr_error *err)
{
    const tsr_coo *coo = ((const coo_source *)(const void *)base)->coo;
    const uint64_t first = range->first;
    (void)err;
    for (int m = 0; m < coo->order; m++) {
        const tsr_array *crd = &coo->crd[m];
        block->crd[m] =
            (tsr_source_column){(const unsigned char *)crd->data + first * crd->width, crd->width};
    }
    if (base->iso)
        block->values = base->value;
    else if (range->with_values)
        block->values = (const unsigned char *)coo->values.data + first * coo->values.width;
    return TSR_OK;
}

static void free_coo(tsr_source *base)
{
    tsr_coo_free(((coo_source *)(void *)base)->coo);
    tsr_free(base);
}

static const tsr_source_type coo_type = {.name = "coordinates", .load = load_coo, .free = free_coo};

static tsr_status check_array(const tsr_array *array, uint64_t n, size_t width, const char *name,
                              tsr_error *err)
{
    if (array->data && array->n == n && array->width == width)
        return TSR_OK;
    return tsr_fail(err, TSR_CORRUPT,
                    "%s has %" PRIu64 " elements of %zu bytes, but %" PRIu64 " of %zu bytes are expected",
                    name, array->data ? array->n : 0, array->width, n, width);
}

static tsr_status check_coo(const tsr_coo *coo, tsr_error *err)
{
    if (coo->order < 0 || coo->order > TSR_MAX_ORDER || (unsigned)coo->type >= TSR_NTYPES)
        return tsr_fail(err, TSR_CORRUPT, "invalid tensor: %d modes, value type %d", coo->order,
                        (int)coo->type);
    for (int m = 0; m < coo->order; m++)
        TSR_TRY(
            check_array(&coo->crd[m], coo->nnz, coo->crd[m].width == 4 ? 4 : 8, "a coordinate array", err));
    return check_array(&coo->values, coo->iso ? 1 : coo->nnz, tsr_type_nbytes(coo->type), "the value array",
                       err);
}

/* Describe the coo; the values of a pattern, which are all 1, become a single value. */
static void describe(coo_source *source)
{
    tsr_coo *coo = source->coo;
    tsr_source *base = &source->base;
    *base = (tsr_source){.type = &coo_type,
                         .order = coo->order,
                         .nnz = coo->nnz,
                         .value_type = coo->type,
                         .structure = coo->structure,
                         .iso = coo->iso || coo->type == TSR_PATTERN,
                         .has_fill = coo->has_fill};
    memcpy(base->dims, coo->dims, sizeof base->dims);
    memcpy(base->fill, coo->fill, sizeof base->fill);
    for (int m = 0; m < coo->order; m++)
        base->arrays[base->narrays++] = base->columns[m] = &coo->crd[m];
    if (coo->type == TSR_PATTERN) {
        tsr_array_clear(&coo->values);
        base->value[0] = 1;
    } else if (coo->iso) {
        memcpy(base->value, coo->values.data, coo->values.width);
    } else {
        base->values = base->arrays[base->narrays++] = &coo->values;
    }
}

tsr_status tsr_source_of_coo(tsr_source **out, tsr_coo *coo, tsr_error *err)
{
    *out = NULL;
    tsr_status status = check_coo(coo, err);
    coo_source *source = status == TSR_OK ? tsr_calloc(1, sizeof *source) : NULL;
    if (status == TSR_OK && !source)
        status = tsr_fail(err, TSR_NOMEM, "out of memory: packing");
    if (!source) {
        tsr_coo_free(coo);
        return status;
    }
    source->coo = coo;
    describe(source);
    *out = &source->base;
    return TSR_OK;
}

void tsr_source_free(tsr_source *source)
{
    if (source)
        source->type->free(source);
}
