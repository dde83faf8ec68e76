/* tsr_feed_read_blocks: see tsr_feed.h. */
#include "tsr_feed.h"

#include <inttypes.h>
#include <string.h>

#include "tsr_alloc.h"

enum { GROUP = 24, BAND = 768, MANY = 8 /* groups of a block that are worth to be whole */ };

/* Whether blocks of the file are blocks of slices of *mode. */
static tsr_status find_mode(int *mode, const tsr_feed *feed, uint64_t wanted, tsr_error *err)
{
    const tsr_facts *const f = &feed->facts;
    int perm[TSR_MAX_LEVELS];
    const bool plain = f->format && tsr_format_is_permutation(f->format, perm) &&
                       !tsr_format_has_dense_leaf(f->format) && !tsr_format_assembles(f->format);
    if (!plain || !feed->can_seek || !f->has_dims || f->mixed || f->structure != TSR_GENERAL ||
        feed->length / 2 < wanted)
        return tsr_fail(err, TSR_UNSUPPORTED, "this file is not read in blocks of slices");
    *mode = perm[0];
    return TSR_OK;
}

/* Append the entries of a run, for which there is room. */
static void append(tsr_coo *coo, const tsr_run *run)
{
    const size_t width = coo->values.width;
    for (int m = 0; m < coo->order; m++)
        tsr_array_store(&coo->crd[m], coo->nnz, run->crd[m], run->n);
    if (!coo->iso)
        memcpy((char *)coo->values.data + coo->nnz * width, run->values, (size_t)run->n * width);
    else if (coo->nnz == 0 && width > 0)
        memcpy(coo->values.data, run->values, width);
    coo->nnz += run->n;
}

/* Move entries [first, end) to `to`, which is not behind them: they are the last ones then. */
static void keep(tsr_coo *coo, uint64_t to, uint64_t first, uint64_t end)
{
    for (int m = 0; m <= coo->order; m++) {
        tsr_array *const a = m < coo->order ? &coo->crd[m] : &coo->values;
        if (m < coo->order || !coo->iso)
            memmove((char *)a->data + to * a->width, (char *)a->data + first * a->width,
                    (size_t)(end - first) * a->width);
    }
    coo->nnz = to + end - first;
}

/* Slices [range[0], range[1]) that are whole in a block whose first and last entries are in these slices. */
static void find_whole(uint64_t range[2], uint64_t first, uint64_t last, bool begins, bool ends, uint64_t dim)
{
    const uint64_t n = last - first, width = n >= (uint64_t)MANY * BAND    ? BAND
                                             : n >= (uint64_t)MANY * GROUP ? GROUP
                                                                           : 1;
    range[0] = begins ? 0 : (first + width) / width * width;
    range[1] = ends ? dim : last / width * width;
}

/* Leave out the entries from number `begin` on that are not in whole slices, and count the slices. */
static tsr_status trim(tsr_feed_blocks *out, uint64_t begin, bool begins, bool ends, uint64_t *next,
                       tsr_error *err)
{
    tsr_coo *const coo = out->coo;
    const tsr_array *const crd = &coo->crd[out->mode];
    uint64_t range[2], first = begin, end = coo->nnz;
    if (coo->nnz == begin)
        return TSR_OK;
    find_whole(range, tsr_array_get(crd, begin), tsr_array_get(crd, coo->nnz - 1), begins, ends,
               coo->dims[out->mode]);
    if (tsr_array_get(crd, begin) < *next || tsr_array_get(crd, coo->nnz - 1) < tsr_array_get(crd, begin))
        return tsr_fail(err, TSR_CORRUPT, "the slices of mode %d do not rise at entry %" PRIu64, out->mode,
                        begin);
    while (first < end && tsr_array_get(crd, first) < range[0])
        first++;
    while (end > first && tsr_array_get(crd, end - 1) >= range[1])
        end--;
    keep(coo, begin, first, end);
    out->nslices += range[1] > range[0] ? range[1] - range[0] : 0;
    *next = range[1] > *next ? range[1] : *next;
    return TSR_OK;
}

static tsr_status read_block(tsr_feed_blocks *out, tsr_feed *feed, uint64_t place, uint64_t each,
                             tsr_error *err)
{
    const uint64_t end = out->coo->nnz + each;
    tsr_run run;
    TSR_TRY(tsr_feed_seek(feed, place, place + each, err));
    do {
        TSR_TRY(tsr_feed_next(&run, feed, err));
        if (run.n > end - out->coo->nnz)
            return tsr_fail(err, TSR_CORRUPT, "the file has more entries than it says");
        append(out->coo, &run);
    } while (run.n > 0);
    return TSR_OK;
}

static tsr_status read_all(tsr_feed_blocks *out, tsr_feed *feed, uint64_t nblocks, uint64_t each,
                           tsr_error *err)
{
    const tsr_facts *const f = &feed->facts;
    uint64_t next = 0;
    TSR_TRY(find_mode(&out->mode, feed, nblocks * each, err));
    const uint64_t step = (feed->length - each) / (nblocks - 1);
    TSR_TRY(tsr_format_copy(&out->format, f->format, err));
    TSR_TRY(
        tsr_coo_new_sized(&out->coo, (tsr_shape){f->order, f->dims}, f->type, f->iso, nblocks * each, err));
    out->nnz = feed->length;
    out->coo->nnz = 0;
    for (uint64_t b = 0; b < nblocks; b++) {
        const uint64_t begin = out->coo->nnz, place = b + 1 < nblocks ? b * step : feed->length - each;
        TSR_TRY(read_block(out, feed, place, each, err));
        TSR_TRY(trim(out, begin, b == 0, b + 1 == nblocks, &next, err));
    }
    for (int m = 0; m < f->order; m++)
        out->coo->crd[m].n = out->coo->nnz;
    if (!out->coo->iso)
        out->coo->values.n = out->coo->nnz;
    return out->coo->nnz < nblocks * each / 2
               ? tsr_fail(err, TSR_UNSUPPORTED, "the slices of mode %d are too long for blocks", out->mode)
               : TSR_OK;
}

tsr_status tsr_feed_read_blocks(tsr_feed_blocks *out, tsr_feed *feed, int nblocks, uint64_t each,
                                tsr_error *err)
{
    *out = (tsr_feed_blocks){0};
    const tsr_status status = read_all(out, feed, (uint64_t)nblocks, each, err);
    if (status != TSR_OK)
        tsr_feed_blocks_clear(out);
    return status;
}

void tsr_feed_blocks_clear(tsr_feed_blocks *blocks)
{
    tsr_coo_free(blocks->coo);
    tsr_format_free(blocks->format);
    *blocks = (tsr_feed_blocks){0};
}
