/* tsr_unpack: from a packed tensor to coordinates, with the walker of cells (tsr_cells.h). */
#include <inttypes.h>

#include "tsr_cells.h"
#include "tsr_pack.h"
#include "tsr_parallel.h"

typedef struct unpacker {
    const tsr_tensor *tensor;
    tsr_coo *coo;
    bool repeats;                  /* a position of the last level can have several entries */
    uint64_t out[TSR_MAX_THREADS]; /* the place of the next entry of each share */
} unpacker;

/* Copy the values at n positions, which do not fall, to entries `out`, `out` + 1... Where the positions of the last
 * level repeat, equal distances do not show that the positions are neighbours. */
static void copy_values(const unpacker *u, uint64_t out, const uint64_t *restrict position, size_t n)
{
    const tsr_array *from = &u->tensor->values, *to = &u->coo->values;
    const size_t width = from->width;
    if (!u->repeats && position[n - 1] - position[0] == n - 1) {
        memcpy((unsigned char *)to->data + out * width, (unsigned char *)from->data + position[0] * width,
               n * width);
        return;
    }
    tsr_array_gather((unsigned char *)to->data + out * width, from->data, width, position, UINT64_MAX, n);
}

static bool write_block(void *arg, int t, const tsr_cell_block *block)
{
    unpacker *u = arg;
    for (int m = 0; m < u->tensor->order; m++)
        tsr_array_store(&u->coo->crd[m], u->out[t], block->crd[m], block->n);
    if (!u->coo->iso)
        copy_values(u, u->out[t], block->position, block->n);
    u->out[t] += block->n;
    return true;
}

/* Allocate the coordinates and set the places where the shares write; counts: entries per share. */
static tsr_status new_coo(unpacker *u, const uint64_t *counts, int nshares, tsr_error *err)
{
    const tsr_tensor *tensor = u->tensor;
    uint64_t nnz = 0;
    for (int t = 0; t < nshares; t++) {
        u->out[t] = nnz;
        nnz += counts[t];
    }
    const bool iso = tensor->iso || tensor->type == TSR_PATTERN;
    TSR_TRY(
        tsr_coo_new_sized(&u->coo, (tsr_shape){tensor->order, tensor->dims}, tensor->type, iso, nnz, err));
    if (tensor->type == TSR_PATTERN)
        *(unsigned char *)u->coo->values.data = 1;
    else if (iso)
        memcpy(u->coo->values.data, tensor->values.data, tensor->values.width);
    u->coo->structure = tensor->structure;
    u->coo->has_fill = tensor->has_fill;
    memcpy(u->coo->fill, tensor->fill, sizeof tensor->fill);
    return TSR_OK;
}

tsr_status tsr_unpack(tsr_coo **out, const tsr_tensor *tensor, int nthreads, tsr_error *err)
{
    unpacker u = {.tensor = tensor,
                  .repeats = tensor->nlevels > 0 && tensor->levels[tensor->nlevels - 1].type->repeats};
    tsr_cells *cells = NULL;
    uint64_t counts[TSR_MAX_THREADS];
    const uint64_t nvalues = tensor->iso ? 1 : tensor->npos;
    *out = NULL;
    if (!tensor->values.data || tensor->values.n != nvalues)
        return tsr_fail(err, TSR_CORRUPT, "the tensor has %" PRIu64 " values for %" PRIu64 " positions",
                        tensor->values.data ? tensor->values.n : 0, nvalues);
    tsr_status status;
    TSR_TRY_OUT(tsr_cells_new(&cells, tensor, NULL, nthreads, err));
    TSR_TRY_OUT(tsr_cells_count(counts, cells, err));
    TSR_TRY_OUT(new_coo(&u, counts, tsr_cells_nshares(cells), err));
    TSR_TRY_OUT(tsr_cells_walk(cells, write_block, &u, err));
    *out = u.coo;
    u.coo = NULL;
out:
    tsr_cells_free(cells);
    tsr_coo_free(u.coo);
    return status;
}
