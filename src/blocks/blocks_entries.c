/* Blocks of a file whose entries come in any order: packed into lists, up to the size of a block. */
#include <string.h>

#include "blocks_internal.h"
#include "tsr_pack.h"

/* Bytes that an entry takes while it is packed: coordinates and value, the mirror image, and what sorting needs. */
enum { COPIES = 4 };

static uint64_t entries_of_block(const tsr_blocks *b)
{
    const tsr_facts *const facts = &b->feed->facts;
    const uint64_t each = tsr_coo_nbytes_for((tsr_shape){facts->order, facts->dims}, facts->type, 1) * COPIES;
    const uint64_t n = b->nbytes / (each ? each : 1);
    return n > 0 ? n : 1;
}

/* Copy `n` entries of the run, from number `used` on, behind those of the block. */
static void append(tsr_coo *coo, const tsr_run *run, uint64_t used, uint64_t n)
{
    const size_t width = coo->values.width;
    if (n == 0) /* the end of the feed, which has no arrays */
        return;
    for (int m = 0; m < coo->order; m++)
        tsr_array_store(&coo->crd[m], coo->nnz, run->crd[m] + used, n);
    if (!coo->iso)
        memcpy((unsigned char *)coo->values.data + coo->nnz * width,
               (const unsigned char *)run->values + used * width, n * width);
    else if (coo->type != TSR_PATTERN)
        memcpy(coo->values.data, run->values, width);
    else
        *(unsigned char *)coo->values.data = 1;
    coo->nnz += n;
}

/* Up to n entries. */
static tsr_status fill(tsr_coo *coo, tsr_blocks *b, uint64_t n, tsr_error *err)
{
    coo->nnz = 0;
    while (coo->nnz < n && !b->ended) {
        if (b->used == b->run.n) {
            b->used = 0;
            TSR_TRY(tsr_feed_next(&b->run, b->feed, err));
            b->ended = b->run.n == 0;
        }
        const uint64_t left = b->run.n - b->used, step = left < n - coo->nnz ? left : n - coo->nnz;
        append(coo, &b->run, b->used, step);
        b->used += step;
    }
    for (int m = 0; m < coo->order; m++)
        coo->crd[m].n = coo->nnz;
    coo->values.n = coo->iso ? 1 : coo->nnz;
    return TSR_OK;
}

tsr_status blocks_load_entries(tsr_blocks *b, blocks_slot *slot, tsr_error *err)
{
    const tsr_facts *const facts = &b->feed->facts;
    const uint64_t n = entries_of_block(b);
    tsr_coo *coo;
    tsr_tensor_free(slot->tensor);
    slot->tensor = NULL;
    slot->nbytes = 0;
    if (b->ended && b->begun)
        return TSR_OK;
    TSR_TRY(tsr_coo_new_sized(&coo, (tsr_shape){facts->order, facts->dims}, facts->type, facts->iso, n, err));
    coo->structure = facts->structure;
    tsr_status status = fill(coo, b, n, err);
    slot->nbytes = coo->nnz;
    if (status == TSR_OK && coo->nnz == 0 && b->begun) {
        tsr_coo_free(coo);
        return TSR_OK;
    }
    if (status == TSR_OK && coo->structure != TSR_GENERAL)
        status = tsr_coo_expand(coo, err);
    if (status != TSR_OK) {
        tsr_coo_free(coo);
        return status;
    }
    const tsr_pack_options how = {.index_width = TSR_INDEX_INTEROP};
    return tsr_pack(&slot->tensor, coo, b->format, &how, NULL, err);
}
