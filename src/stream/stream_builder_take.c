/* What builders give back: all entries as coordinates, or as a feed of temporary files. See tsr_builder.h. */
#include <stdlib.h>

#include "stream_builder.h"
#include "tsr_parallel.h"

/* Entries with one piece and stamp. */
typedef struct item {
    uint64_t piece, stamp, number; /* number: of the item as the lanes have it */
    const builder_block *block;    /* in memory: entries [first, first + n) of it */
    const builder_spill *spill;    /* else */
    const stream_file *file;
    uint64_t first, n, at; /* at: the entries of the items before it */
} item;

static int compare(const void *left, const void *right)
{
    const item *const a = left, *const b = right;
    if (a->piece != b->piece)
        return a->piece < b->piece ? -1 : 1;
    if (a->stamp != b->stamp)
        return a->stamp < b->stamp ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static size_t count_items(const tsr_builder *b)
{
    size_t n = 0;
    for (int i = 0; i < BUILDER_LANES; i++) {
        n += b->lane[i].nspills;
        for (size_t k = 0; k < b->lane[i].nblocks; k++)
            n += b->lane[i].block[k]->nsegments;
    }
    return n;
}

static size_t add_lane(item *out, size_t n, const builder_lane *lane)
{
    for (size_t k = 0; k < lane->nspills; k++, n++)
        out[n] = (item){.piece = lane->spill[k].piece,
                        .stamp = lane->spill[k].stamp,
                        .number = n,
                        .spill = &lane->spill[k],
                        .file = &lane->file,
                        .n = lane->spill[k].nentries};
    for (size_t k = 0; k < lane->nblocks; k++) {
        const builder_block *const block = lane->block[k];
        for (uint32_t i = 0; i < block->nsegments; i++, n++) {
            const builder_segment *const s = &block->segment[i];
            const uint64_t end = i + 1 < block->nsegments ? s[1].first : block->n;
            out[n] = (item){.piece = s->piece,
                            .stamp = s->stamp,
                            .number = n,
                            .block = block,
                            .first = s->first,
                            .n = end - s->first};
        }
    }
    return n;
}

/* All entries in their sequence; the caller frees *out. */
static tsr_status list_items(item **out, size_t *nitems, uint64_t *nentries, const tsr_builder *b,
                             tsr_error *err)
{
    void *memory;
    const size_t n = count_items(b);
    size_t at = 0;
    *out = NULL;
    *nentries = 0;
    TSR_TRY(tsr_alloc_array(&memory, n, sizeof **out, 0, "the pieces of a builder", err));
    *out = memory;
    *nitems = n;
    for (int i = 0; i < BUILDER_LANES; i++)
        at = add_lane(*out, at, &b->lane[i]);
    qsort(*out, n, sizeof **out, compare);
    for (size_t i = 0; i < n; i++) {
        (*out)[i].at = *nentries;
        *nentries += (*out)[i].n;
    }
    return TSR_OK;
}

static void find_dims(uint64_t *dims, const tsr_builder *b)
{
    const bool any = tsr_builder_nentries(b) > 0;
    for (int m = 0; m < b->options.order; m++) {
        uint64_t max = 0;
        for (int i = 0; i < BUILDER_LANES; i++)
            max = b->lane[i].max[m] > max ? b->lane[i].max[m] : max;
        dims[m] = b->options.dims[m] ? b->options.dims[m] : any ? max + 1 : 0;
    }
}

/* ---- coordinates ---- */

typedef struct copying {
    const tsr_builder *b;
    const item *items;
    size_t nitems;
    tsr_coo *coo;
} copying;

/* Copy entries [first, end) of an item. */
static void copy_item(const copying *c, const item *from, uint64_t first, uint64_t end)
{
    const builder_block *const block = from->block;
    const uint64_t at = from->at + first;
    first += from->first;
    end += from->first;
    for (int m = 0; m < c->coo->order; m++) {
        const tsr_array column = {.data = block->crd[m], .n = block->n, .width = c->b->width[m]};
        tsr_array_copy(&c->coo->crd[m], at, &column, first, end);
    }
    const size_t width = c->b->value_nbytes;
    if (width)
        memcpy((unsigned char *)c->coo->values.data + width * (size_t)at,
               block->values + width * (size_t)first, width * (size_t)(end - first));
}

/* Each thread copies an equal part of the entries. */
static void copy_part(void *arg, int t, int nthreads)
{
    const copying *const c = arg;
    const uint64_t first = tsr_cut(c->coo->nnz, t, nthreads), end = tsr_cut(c->coo->nnz, t + 1, nthreads);
    size_t low = 0, high = c->nitems; /* the last item that begins at `first` or before */
    while (high - low > 1) {
        const size_t mid = low + (high - low) / 2;
        if (c->items[mid].at <= first)
            low = mid;
        else
            high = mid;
    }
    for (size_t i = low; i < c->nitems && c->items[i].at < end; i++) {
        const item *const from = &c->items[i];
        const uint64_t begin = from->at < first ? first - from->at : 0,
                       stop = from->at + from->n < end ? from->n : end - from->at;
        if (begin < stop)
            copy_item(c, from, begin, stop);
    }
}

/* The entries of the feed, which are coo->nnz. */
static tsr_status read_feed(tsr_coo *coo, tsr_feed *feed, tsr_error *err)
{
    const size_t width = coo->iso ? 0 : tsr_type_nbytes(coo->type);
    uint64_t at = 0;
    for (;;) {
        tsr_run run;
        TSR_TRY(tsr_feed_next(&run, feed, err));
        if (run.n == 0)
            return TSR_OK;
        for (int m = 0; m < coo->order; m++)
            tsr_array_store(&coo->crd[m], at, run.crd[m], run.n);
        if (width)
            memcpy((unsigned char *)coo->values.data + width * (size_t)at, run.values, width * (size_t)run.n);
        at += run.n;
    }
}

static tsr_status take_spilled(tsr_coo *coo, tsr_builder *b, tsr_error *err)
{
    tsr_feed *feed;
    TSR_TRY(tsr_builder_feed(&feed, b, err));
    const tsr_status status = read_feed(coo, feed, err);
    tsr_feed_close(feed);
    return status;
}

static tsr_status take_blocks(tsr_coo *coo, tsr_builder *b, int nthreads, tsr_error *err)
{
    enum { EACH = 1 << 16 };
    copying c = {.b = b, .coo = coo};
    item *items;
    uint64_t nentries;
    TSR_TRY(list_items(&items, &c.nitems, &nentries, b, err));
    c.items = items;
    const uint64_t useful = nentries / EACH + 1;
    const int n = tsr_thread_count(nthreads);
    tsr_parallel(useful < (uint64_t)n ? (int)useful : n, copy_part, &c);
    tsr_free(items);
    return TSR_OK;
}

tsr_status tsr_builder_take(tsr_coo **out, tsr_builder *b, int nthreads, tsr_error *err)
{
    uint64_t dims[TSR_MAX_ORDER];
    *out = NULL;
    builder_lock_all(b);
    const uint64_t n = tsr_builder_nentries(b);
    const bool pattern = b->options.type == TSR_PATTERN;
    find_dims(dims, b);
    tsr_status status =
        tsr_coo_new_sized(out, (tsr_shape){b->options.order, dims}, b->options.type, pattern, n, err);
    if (status == TSR_OK && pattern)
        *(unsigned char *)(*out)->values.data = 1;
    const bool spilled = tsr_builder_spilled(b) > 0;
    if (status == TSR_OK && !spilled)
        status = take_blocks(*out, b, nthreads, err);
    builder_unlock_all(b);
    if (status == TSR_OK && spilled)
        status = take_spilled(*out, b, err);
    if (status != TSR_OK) {
        tsr_coo_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- feeds ---- */

/* Everything is in files: list it as parts. */
static tsr_status list_parts(tsr_builder *b, tsr_error *err)
{
    item *items;
    size_t n;
    void *memory;
    tsr_free(b->part);
    b->part = NULL;
    b->list = (stream_list){0};
    TSR_TRY(list_items(&items, &n, &b->list.nentries, b, err));
    const tsr_status status = tsr_alloc_array(&memory, n, sizeof *b->part, 0, "the pieces of a builder", err);
    if (status == TSR_OK) {
        b->part = memory;
        for (size_t i = 0; i < n; i++)
            b->part[i] = (stream_part){items[i].file, items[i].spill->first, items[i].spill->nbytes};
        b->list.part = b->part;
        b->list.nparts = (int)n;
    }
    tsr_free(items);
    return status;
}

static tsr_status spill_all(tsr_builder *b, tsr_error *err)
{
    for (int i = 0; i < BUILDER_LANES; i++)
        TSR_TRY(builder_spill_lane(b, &b->lane[i], err));
    return TSR_OK;
}

tsr_status tsr_builder_feed(tsr_feed **out, tsr_builder *b, tsr_error *err)
{
    tsr_facts facts = {.order = b->options.order,
                       .has_dims = true,
                       .has_nnz = true,
                       .type = b->options.type,
                       .iso = b->options.type == TSR_PATTERN};
    *out = NULL;
    builder_lock_all(b);
    tsr_status status = spill_all(b, err);
    if (status == TSR_OK)
        status = list_parts(b, err);
    if (status == TSR_OK) {
        find_dims(facts.dims, b);
        facts.nnz = b->list.nentries;
        status = stream_list_feed(out, &b->list, &facts, err);
    }
    builder_unlock_all(b);
    return status;
}
