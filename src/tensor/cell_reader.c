/* Entries by number: see tsr_cell_reader.h.
 *
 * Where each position of the last level is an entry, entry e is position e. Elsewhere the number of entries before
 * each chunk of positions is kept; a load finds the chunk of its first entry and selects from there. */
#include <inttypes.h>

#include "cells_internal.h"
#include "tsr_cell_reader.h"
#include "tsr_parallel.h"

enum { CHUNK = TSR_LEVEL_BLOCK };

/* The buffers of one thread. */
typedef struct reader_rows {
    cell_rows rows;
    uint64_t *selected; /* CHUNK positions */
} reader_rows;

struct tsr_cell_reader {
    const tsr_tensor *tensor;
    cell_climber climber;
    bool selects;     /* not all positions are entries */
    bool iso_padding; /* padding cannot be recognised by its value, since all positions share one */
    uint64_t nentries, nchunks;
    uint64_t *before; /* selects: nchunks + 1; the entries before each chunk */
    int nthreads;
    reader_rows *threads;
};

/* Remove the positions at rows->leaf that are padding; returns the number of positions left. */
static size_t drop_padding(cell_rows *rows, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (rows->image[i])
            rows->leaf[kept++] = rows->leaf[i];
    return kept;
}

/* thread->selected[0..returned): the entries among the positions of a chunk. */
static size_t select_chunk(const tsr_cell_reader *reader, reader_rows *thread, uint64_t chunk)
{
    const tsr_tensor *tensor = reader->tensor;
    const uint64_t first = chunk * CHUNK, left = tensor->npos - first;
    cell_rows *rows = &thread->rows;
    size_t n = cells_select(rows->leaf, tensor, first, left < CHUNK ? (size_t)left : CHUNK);
    if (reader->iso_padding && n > 0 && !cell_rows_climb(rows, &reader->climber, n))
        n = drop_padding(rows, n);
    memcpy(thread->selected, rows->leaf, n * sizeof *rows->leaf);
    return n;
}

static void count_chunks(void *arg, int t, int nthreads)
{
    tsr_cell_reader *reader = arg;
    const uint64_t end = tsr_cut(reader->nchunks, t + 1, nthreads);
    for (uint64_t c = tsr_cut(reader->nchunks, t, nthreads); c < end; c++)
        reader->before[c] = select_chunk(reader, &reader->threads[t], c);
}

static tsr_status count_entries(tsr_cell_reader *reader, tsr_error *err)
{
    const uint64_t npos = reader->tensor->npos;
    void *out;
    reader->nchunks = npos / CHUNK + (npos % CHUNK != 0);
    TSR_TRY(tsr_alloc_array(&out, reader->nchunks + 1, sizeof *reader->before, 0, "the entries of a tensor",
                            err));
    reader->before = out;
    tsr_parallel(reader->nthreads, count_chunks, reader);
    uint64_t sum = 0;
    for (uint64_t c = 0; c < reader->nchunks; c++) {
        const uint64_t count = reader->before[c];
        reader->before[c] = sum;
        sum += count;
    }
    reader->before[reader->nchunks] = reader->nentries = sum;
    return TSR_OK;
}

static tsr_status make_buffers(tsr_cell_reader *reader, int nthreads, tsr_error *err)
{
    void *out;
    TSR_TRY(tsr_alloc_array(&out, (uint64_t)nthreads, sizeof *reader->threads, 1, "threads", err));
    reader->threads = out;
    reader->nthreads = nthreads;
    for (int t = 0; t < nthreads; t++) {
        TSR_TRY(cell_rows_init(&reader->threads[t].rows, &reader->climber, reader->tensor->order, err));
        if (!reader->selects)
            continue;
        TSR_TRY(tsr_alloc_array(&out, CHUNK, sizeof(uint64_t), 0, "blocks of positions", err));
        reader->threads[t].selected = out;
    }
    return TSR_OK;
}

static tsr_status start(tsr_cell_reader *reader, int nthreads, tsr_error *err)
{
    const tsr_tensor *tensor = reader->tensor;
    const uint64_t nvalues = tensor->iso ? 1 : tensor->npos;
    if (!tensor->values.data || tensor->values.n != nvalues)
        return tsr_fail(err, TSR_CORRUPT, "the tensor has %" PRIu64 " values for %" PRIu64 " positions",
                        tensor->values.data ? tensor->values.n : 0, nvalues);
    reader->selects = !tsr_format_stores_all(tensor->format);
    reader->iso_padding = reader->selects && tensor->iso && tensor->binding->may_pad;
    reader->nentries = tensor->npos;
    TSR_TRY(cell_climber_init(&reader->climber, tensor, err));
    TSR_TRY(make_buffers(reader, nthreads, err));
    return reader->selects ? count_entries(reader, err) : TSR_OK;
}

tsr_status tsr_cell_reader_new(tsr_cell_reader **out, const tsr_tensor *tensor, int nthreads, tsr_error *err)
{
    *out = NULL;
    tsr_cell_reader *reader = tsr_calloc(1, sizeof *reader);
    if (!reader)
        return tsr_fail(err, TSR_NOMEM, "out of memory: reading a tensor");
    reader->tensor = tensor;
    const tsr_status status = start(reader, nthreads, err);
    if (status == TSR_OK)
        *out = reader;
    else
        tsr_cell_reader_free(reader);
    return status;
}

void tsr_cell_reader_free(tsr_cell_reader *reader)
{
    if (!reader)
        return;
    for (int t = 0; t < reader->nthreads; t++) {
        cell_rows_clear(&reader->threads[t].rows);
        tsr_free(reader->threads[t].selected);
    }
    tsr_free(reader->threads);
    tsr_free(reader->before);
    cell_climber_clear(&reader->climber);
    tsr_free(reader);
}

uint64_t tsr_cell_reader_nentries(const tsr_cell_reader *reader)
{
    return reader->nentries;
}

/* The chunk that holds entry e. */
static uint64_t find_chunk(const tsr_cell_reader *reader, uint64_t e)
{
    uint64_t lo = 0, hi = reader->nchunks; /* before[lo] <= e < before[hi] */
    while (hi - lo > 1) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (reader->before[mid] <= e)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* leaf[0..n): the positions of entries [first, first + n). */
static void find_positions(uint64_t *leaf, const tsr_cell_reader *reader, reader_rows *thread, uint64_t first,
                           size_t n)
{
    size_t have = 0;
    for (uint64_t c = find_chunk(reader, first); have < n; c++) {
        const uint64_t count = reader->before[c + 1] - reader->before[c];
        const uint64_t skip = first + have - reader->before[c];
        const uint64_t left = n - have, take = count - skip < left ? count - skip : left;
        if (take == 0)
            continue;
        /* a chunk of entries alone needs no selection, and selecting writes to rows.leaf */
        if (count == CHUNK) {
            for (uint64_t i = 0; i < take; i++)
                leaf[have + i] = c * CHUNK + skip + i;
        } else {
            (void)select_chunk(reader, thread, c);
            memcpy(leaf + have, thread->selected + skip, (size_t)take * sizeof *leaf);
        }
        have += (size_t)take;
    }
}

tsr_status tsr_cell_reader_load(tsr_cell_block *block, tsr_cell_reader *reader, int t, uint64_t first,
                                size_t n, tsr_error *err)
{
    reader_rows *thread = &reader->threads[t];
    cell_rows *rows = &thread->rows;
    uint64_t leaf[TSR_LEVEL_BLOCK];
    if (reader->selects) {
        find_positions(leaf, reader, thread, first, n);
        memcpy(rows->leaf, leaf, n * sizeof *leaf);
    } else {
        for (size_t i = 0; i < n; i++)
            rows->leaf[i] = first + i;
    }
    *block = (tsr_cell_block){.n = n, .position = rows->leaf};
    for (int m = 0; m < reader->tensor->order; m++)
        block->crd[m] = rows->mode[m];
    if (cell_rows_climb(rows, &reader->climber, n) || reader->iso_padding)
        return TSR_OK;
    size_t i = 0;
    while (rows->image[i])
        i++;
    return tsr_fail(err, TSR_CORRUPT, "position %" PRIu64 " of the last level holds a value, but is padding",
                    rows->leaf[i]);
}
