/* Opening a file for blocks, and the loop over them: a thread reads the next block while the kernel runs on the one before. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "blocks_internal.h"
#include "tsr_stream.h"

/* ---- opening ---- */

/* The parts of which slices of the outermost level can be read: lists, below a full level or below another list. */
static tsr_parts *sliceable(tsr_blocks *b)
{
    int perm[TSR_MAX_LEVELS];
    tsr_parts *const parts = tsr_feed_all_parts(b->feed);
    const tsr_tensor *const t = parts ? parts->tensor : NULL;
    if (!t || parts->unsorted || t->structure != TSR_GENERAL || t->nlevels < 2 ||
        !tsr_format_is_permutation(t->format, perm))
        return NULL;
    b->mode = perm[0];
    const bool rows = t->levels[0].type->full && !t->levels[1].type->full && !t->levels[1].type->branchless;
    const bool lists = tsr_level_has(t->levels[0].type, TSR_LEVEL_POS) && !t->levels[0].nonunique;
    return (rows || lists) && !tsr_format_has_dense_leaf(t->format) ? parts : NULL;
}

/* Blocks are lists of entries: what the feed gives has its final type then. */
static tsr_status use_entries(tsr_blocks *b, const tsr_observer *observer, tsr_error *err)
{
    tsr_feed *const feed = b->feed;
    b->feed = NULL;
    TSR_TRY(tsr_stream_settled(&b->feed, feed, observer, err));
    b->total = b->feed->facts.nnz;
    return tsr_format_nested(&b->format, b->feed->facts.order, 0, NULL, err);
}

/* The format of slices: a full outermost level becomes a list, so that a block has the slices that it has entries of alone. */
static tsr_status use_slices(tsr_blocks *b, tsr_error *err)
{
    const tsr_tensor *const t = b->parts->tensor;
    tsr_level_spec levels[TSR_MAX_LEVELS];
    memcpy(levels, t->format->levels, sizeof levels);
    if (levels[0].type->full)
        levels[0] = (tsr_level_spec){.type = tsr_level_of_list};
    TSR_TRY(tsr_format_new(&b->format, t->format->map, levels, err));
    TSR_TRY(tsr_binding_new(&b->binding, b->format, t->dims, err));
    for (int l = 0; l < t->nlevels; l++)
        b->total += t->levels[l].pos.n * t->levels[l].pos.width + t->levels[l].crd.n * t->levels[l].crd.width;
    b->total += t->type == TSR_PATTERN ? 0 : t->values.n * t->values.width;
    return TSR_OK;
}

static tsr_status start(tsr_blocks *b, const tsr_read_options *options, tsr_error *err)
{
    const tsr_facts *const facts = &b->feed->facts;
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    if (facts->order == 0)
        return tsr_fail(err, TSR_UNSUPPORTED, "a scalar has no blocks");
    if (facts->has_fill && memcmp(facts->fill, zero, tsr_type_nbytes(facts->type)) != 0)
        return tsr_fail(err, TSR_UNSUPPORTED, "the absent entries have a value other than 0");
    b->parts = sliceable(b);
    return b->parts ? use_slices(b, err) : use_entries(b, options ? options->observer : NULL, err);
}

tsr_status tsr_blocks_open(tsr_blocks **out, const char *path, const tsr_codec *codec,
                           const tsr_read_options *options, tsr_error *err)
{
    tsr_blocks *const b = tsr_calloc(1, sizeof *b);
    *out = NULL;
    if (!b)
        return tsr_fail(err, TSR_NOMEM, "out of memory: blocks of a file");
    tsr_status status = tsr_feed_open(&b->feed, path, codec, options, err);
    if (status == TSR_OK)
        status = start(b, options, err);
    if (status == TSR_OK) {
        *out = b;
        return TSR_OK;
    }
    tsr_blocks_free(b);
    tsr_error_set_path(err, path);
    return status;
}

void tsr_blocks_free(tsr_blocks *b)
{
    if (!b)
        return;
    for (int i = 0; i < BLOCKS_NSLOTS; i++) {
        tsr_tensor_free(b->slot[i].tensor);
        for (int k = 0; k < BLOCKS_NARRAYS; k++)
            tsr_free(b->slot[i].memory[k]);
    }
    tsr_array_clear(&b->window.loaded);
    tsr_binding_free(b->binding);
    tsr_format_free(b->format);
    tsr_feed_close(b->feed);
    tsr_free(b);
}

const tsr_facts *tsr_blocks_about(const tsr_blocks *b)
{
    return &b->feed->facts;
}

uint64_t tsr_blocks_count(const tsr_blocks *b)
{
    return b->count;
}

/* Two blocks at a time, and as much again for the result and for what the kernel takes. Small ones take little new memory, and the
 * kernel finds in the caches what was just read. */
uint64_t tsr_blocks_nbytes(uint64_t left)
{
    enum { SHARE = 8, MOST = 8 << 20 };
#ifdef TSR_FAULTS
    const char *const given = getenv("TSR_BLOCK"); /* for tests: many blocks of small files */
    if (given)
        return strtoull(given, NULL, 10);
#endif
    return left / SHARE < MOST ? left / SHARE : MOST;
}

/* ---- the loop ---- */

static tsr_status load(tsr_blocks *b, blocks_slot *slot, tsr_error *err)
{
    return b->parts ? blocks_load_slices(b, slot, err) : blocks_load_entries(b, slot, err);
}

tsr_status tsr_blocks_first(const tsr_tensor **block, tsr_blocks *b, uint64_t nbytes, tsr_error *err)
{
    b->nbytes = nbytes;
    TSR_TRY(load(b, &b->slot[0], err));
    if (b->parts)
        TSR_TRY(tsr_tensor_check(b->slot[0].tensor, 0, err));
    b->begun = true;
    *block = b->slot[0].tensor;
    return TSR_OK;
}

/* What the reading thread does. */
typedef struct reading {
    tsr_blocks *b;
    blocks_slot *slot;
    tsr_status status;
    tsr_error err;
} reading;

static void *read_next(void *arg)
{
    reading *const r = arg;
    r->status = load(r->b, r->slot, &r->err);
    return NULL;
}

/* Run the kernel on a block. What the file has is checked here and not by the reading thread, which keeps the disk busy. */
static tsr_status add_block(tsr_blocks *b, const blocks_slot *slot, const tsr_blocks_run_options *run,
                            tsr_error *err)
{
    run->operands[run->in_file] = slot->tensor;
    if (b->parts)
        TSR_TRY(tsr_tensor_check(slot->tensor, run->nthreads, err));
    TSR_TRY(tsr_kernel_run(run->kernel, run->result, run->operands, run->nthreads, err));
    b->count++;
    b->done += slot->nbytes;
    return tsr_progress(run->observer, "read", b->done, b->total, err);
}

tsr_status tsr_blocks_run(tsr_blocks *b, const tsr_blocks_run_options *run, tsr_error *err)
{
    tsr_status status = TSR_OK;
    b->count = 0;
    for (int k = 0; status == TSR_OK && b->slot[k].tensor; k = 1 - k) {
        reading next = {.b = b, .slot = &b->slot[1 - k]};
        pthread_t thread;
        const bool apart = pthread_create(&thread, NULL, read_next, &next) == 0;
        status = add_block(b, &b->slot[k], run, err);
        if (apart)
            pthread_join(thread, NULL);
        else
            read_next(&next);
        if (status == TSR_OK)
            status = tsr_fail_as(err, &next.err);
    }
    return status;
}
