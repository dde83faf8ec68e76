/* A packed tensor as a source: blocks of its positions are climbed through the levels, and the inverse map
 * gives the coordinates. Where the coordinates of all modes stand in one array each, an element per entry,
 * blocks point into these arrays. */
#include "tsr_cell_reader.h"
#include "tsr_pack.h"
#include "tsr_parallel.h"
#include "tsr_source.h"

typedef struct tensor_source {
    tsr_source base;    /* first: the packer knows only this */
    tsr_tensor *tensor; /* owned */
    bool in_place;      /* all coordinates and values stand in arrays with an element per entry */
    tsr_cell_reader *reader;
    int nthreads;
    unsigned char **gathered; /* where values are gathered: a block of values per thread */
} tensor_source;

static tensor_source *of(tsr_source *base)
{
    return (tensor_source *)(void *)base;
}

static tsr_status start_tensor(tsr_source *base, int nthreads, tsr_error *err)
{
    tensor_source *source = of(base);
    void *out;
    if (source->in_place)
        return TSR_OK;
    TSR_TRY(tsr_cell_reader_new(&source->reader, source->tensor, nthreads, err));
    base->nnz = tsr_cell_reader_nentries(source->reader);
    if (base->iso || base->values)
        return TSR_OK;
    TSR_TRY(tsr_alloc_array(&out, (uint64_t)nthreads, sizeof *source->gathered, 1, "threads", err));
    source->gathered = out;
    source->nthreads = nthreads;
    for (int t = 0; t < nthreads; t++) {
        TSR_TRY(
            tsr_alloc_array(&out, TSR_LEVEL_BLOCK, source->tensor->values.width, 0, "blocks of values", err));
        source->gathered[t] = out;
    }
    return TSR_OK;
}

/* The columns of entries from `first` on, straight from the arrays. */
static void point_into_arrays(tsr_source_block *block, const tsr_source *base, uint64_t first)
{
    for (int m = 0; m < base->order; m++) {
        const tsr_array *crd = base->columns[m];
        block->crd[m] =
            (tsr_source_column){(const unsigned char *)crd->data + first * crd->width, crd->width};
    }
}

static tsr_status load_tensor(tsr_source_block *block, tsr_source *base, const tsr_source_range *range,
                              tsr_error *err)
{
    const uint64_t first = range->first;
    const size_t n = range->n;
    const int t = range->t;
    tensor_source *source = of(base);
    const tsr_array *values = &source->tensor->values;
    tsr_cell_block cells = {.n = n};
    if (source->in_place) {
        point_into_arrays(block, base, first);
    } else {
        TSR_TRY(tsr_cell_reader_load(&cells, source->reader, t, first, n, err));
        for (int m = 0; m < base->order; m++)
            block->crd[m] = (tsr_source_column){cells.crd[m], sizeof(uint64_t)};
    }
    if (base->iso) {
        block->values = base->value;
    } else if (range->with_values && base->values) {
        block->values = (const unsigned char *)values->data + first * values->width;
    } else if (range->with_values) {
        tsr_array_gather(source->gathered[t], values->data, values->width, cells.position, UINT64_MAX, n);
        block->values = source->gathered[t];
    }
    return TSR_OK;
}

static void free_tensor(tsr_source *base)
{
    tensor_source *source = of(base);
    for (int t = 0; source->gathered && t < source->nthreads; t++)
        tsr_free(source->gathered[t]);
    tsr_free(source->gathered);
    tsr_cell_reader_free(source->reader);
    tsr_tensor_free(source->tensor);
    tsr_free(source);
}

static const tsr_source_type tensor_type = {
    .name = "tensor", .start = start_tensor, .load = load_tensor, .free = free_tensor};

/* Set the columns of the modes whose coordinates stand in an array with an element per entry: those of the last
 * level, and of the levels above it as long as positions are those of the level below. */
static void find_columns(tsr_source *base, tsr_tensor *tensor)
{
    int mode[TSR_MAX_LEVELS];
    if (!tsr_format_is_permutation(tensor->format, mode))
        return;
    for (int l = tensor->nlevels - 1; l >= 0; l--) {
        tsr_level *level = &tensor->levels[l];
        if (!tsr_level_lists(level->type) && !level->type->branchless)
            return;
        if (level->crd.width >= 4)
            base->columns[mode[l]] = &level->crd;
        if (!level->type->branchless)
            return;
    }
}

static void describe(tensor_source *source)
{
    tsr_tensor *tensor = source->tensor;
    tsr_source *base = &source->base;
    const bool all_stored = tsr_format_stores_all(tensor->format);
    *base = (tsr_source){.type = &tensor_type,
                         .order = tensor->order,
                         .nnz = tensor->npos,
                         .value_type = tensor->type,
                         .structure = tensor->structure,
                         .iso = tensor->iso || tensor->type == TSR_PATTERN,
                         .has_fill = tensor->has_fill,
                         .tensor = tensor,
                         .checked = true};
    memcpy(base->dims, tensor->dims, sizeof base->dims);
    memcpy(base->fill, tensor->fill, sizeof base->fill);
    for (int l = 0; l < tensor->nlevels; l++) {
        base->arrays[base->narrays++] = &tensor->levels[l].crd;
        base->arrays[base->narrays++] = &tensor->levels[l].pos;
    }
    if (tensor->type == TSR_PATTERN)
        base->value[0] = 1;
    else if (tensor->iso)
        memcpy(base->value, tensor->values.data, tensor->values.width);
    else if (all_stored)
        base->values = &tensor->values;
    base->arrays[base->narrays++] = &tensor->values;
    find_columns(base, tensor);
    source->in_place = all_stored && (base->iso || base->values);
    for (int m = 0; m < tensor->order; m++)
        source->in_place = source->in_place && base->columns[m];
}

static bool has_values(const tsr_tensor *tensor)
{
    return tensor->values.data && tensor->values.n == (tensor->iso ? 1 : tensor->npos);
}

/* A tensor whose positions repeat (runs of equal values) has more entries than positions: they are unpacked. */
static tsr_status source_of_runs(tsr_source **out, tsr_tensor *tensor, tsr_error *err)
{
    tsr_coo *coo;
    const tsr_status status = tsr_unpack(&coo, tensor, 0, err);
    tsr_tensor_free(tensor);
    TSR_TRY(status);
    return tsr_source_of_coo(out, coo, err);
}

tsr_status tsr_source_of_tensor(tsr_source **out, tsr_tensor *tensor, tsr_error *err)
{
    *out = NULL;
    if (tensor->nlevels > 0 && tensor->levels[tensor->nlevels - 1].type->repeats)
        return source_of_runs(out, tensor, err);
    tensor_source *source = NULL;
    tsr_status status = TSR_OK;
    if (!has_values(tensor))
        status = tsr_fail(err, TSR_CORRUPT, "the tensor has %llu values for %llu positions",
                          (unsigned long long)(tensor->values.data ? tensor->values.n : 0),
                          (unsigned long long)(tensor->iso ? 1 : tensor->npos));
    else if (!(source = tsr_calloc(1, sizeof *source)))
        status = tsr_fail(err, TSR_NOMEM, "out of memory: converting a tensor");
    if (!source) {
        tsr_tensor_free(tensor);
        return status;
    }
    source->tensor = tensor;
    describe(source);
    *out = &source->base;
    return TSR_OK;
}
