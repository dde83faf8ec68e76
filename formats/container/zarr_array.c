/* Reading a Zarr array: its chunks, decoded on all threads, and put in their places. See zarr_internal.h. */
#include "zarr_internal.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "file_bytes.h"
#include "tsr_checked.h"
#include "tsr_interrupt.h"
#include "tsr_memory.h"
#include "tsr_parallel.h"

enum {
    MAX_CHUNKS = 10000000,
    PADDED_CELLS = 1 << 28, /* chunks may have this number of cells together, */
    PADDING = 1000          /* or this number of times the cells of the array */
};

/* An array that is being read: each thread takes the next chunk of the grid. */
typedef struct reading {
    const tsr_zarr_store *store;
    const tsr_zarr_node *node;
    const tsr_observer *observer;
    size_t width;                 /* bytes of one element as it is stored */
    unsigned char *out;           /* npy.n elements of this width */
    uint64_t grid[TSR_MAX_ORDER]; /* chunks (shards) in each mode */
    uint64_t nchunks;
    atomic_uint_least64_t next;
    atomic_bool failed;
    tsr_error faults[TSR_MAX_THREADS]; /* of each thread */
} reading;

static uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* ---- putting elements in their places ---- */

/* Copy the elements of a chunk whose first cell is at `first`; cells beyond the shape are padding. */
static void place(const reading *r, const uint64_t *first, const unsigned char *chunk)
{
    const tsr_zarr_layout *const l = &r->node->layout;
    const uint64_t *const shape = r->node->npy.shape;
    const int order = r->node->npy.order;
    uint64_t from[TSR_MAX_ORDER], to[TSR_MAX_ORDER], n[TSR_MAX_ORDER], at[TSR_MAX_ORDER] = {0};
    uint64_t step = 1;
    for (int a = order - 1; a >= 0; a--) { /* strides of the modes in the chunk */
        from[l->perm[a]] = step;
        step *= l->chunk[l->perm[a]];
    }
    step = 1;
    for (int m = order - 1; m >= 0; m--) {
        to[m] = step;
        step *= shape[m];
        if (first[m] >= shape[m])
            return;
        n[m] = shape[m] - first[m] < l->chunk[m] ? shape[m] - first[m] : l->chunk[m];
    }
    const int last = order - 1;
    for (;;) {
        uint64_t p = 0, q = 0;
        for (int m = 0; m < order; m++) {
            p += at[m] * from[m];
            q += (first[m] + at[m]) * to[m];
        }
        if (order == 0 || from[last] == 1)
            memcpy(r->out + q * r->width, chunk + p * r->width, (order ? n[last] : 1) * r->width);
        else
            for (uint64_t i = 0; i < n[last]; i++)
                memcpy(r->out + (q + i) * r->width, chunk + (p + i * from[last]) * r->width, r->width);
        int m = last - 1;
        while (m >= 0 && ++at[m] == n[m])
            at[m--] = 0;
        if (m < 0)
            return;
    }
}

static tsr_status decode_and_place(const reading *r, const uint64_t *first, const unsigned char *bytes,
                                   uint64_t n, tsr_error *err)
{
    const tsr_zarr_layout *const l = &r->node->layout;
    tsr_array chunk;
    TSR_TRY(tsr_zarr_codecs_decode(&chunk, &l->codecs, bytes, n, l->n * r->width, err));
    if (tsr_must_swap(l->big_endian)) {
        const tsr_npy npy = r->node->npy;
        const bool half = npy.kind == 'f' && npy.item_nbytes == 2;
        tsr_numbers numbers = {.array = {.data = chunk.data, .n = l->n, .width = r->width},
                               .type = half ? TSR_U16 : tsr_npy_type(&npy)};
        tsr_numbers_swap(&numbers);
    }
    place(r, first, chunk.data);
    tsr_array_clear(&chunk);
    return TSR_OK;
}

/* ---- shards ---- */

/* Read the index of a shard: for each part the offset and the number of bytes. */
static tsr_status read_index(tsr_array *index, const reading *r, const tsr_array *shard, uint64_t nparts,
                             tsr_error *err)
{
    const tsr_zarr_codecs *const codecs = &r->node->index_codecs;
    uint64_t nbytes, stored;
    const uint64_t checksums = 4 * (uint64_t)codecs->n; /* crc32c alone: see take_shard */
    if (!tsr_mul_u64(&nbytes, nparts, 16) || !tsr_add_u64(&stored, nbytes, checksums) || stored > shard->n)
        return tsr_fail(err, TSR_CORRUPT, "a shard of %" PRIu64 " bytes cannot have %" PRIu64 " parts",
                        shard->n, nparts);
    const unsigned char *const bytes = shard->data;
    return tsr_zarr_codecs_decode(index, codecs, bytes + (r->node->index_first ? 0 : shard->n - stored),
                                  stored, nbytes, err);
}

static uint64_t little_u64(const unsigned char *p)
{
    uint64_t v = 0;
    for (int i = 7; i >= 0; i--)
        v = v << 8 | p[i];
    return v;
}

static bool is_outside(const tsr_zarr_node *node, const uint64_t *at)
{
    for (int m = 0; m < node->npy.order; m++)
        if (at[m] >= node->npy.shape[m])
            return true;
    return false;
}

/* Read the parts of a shard whose first cell is at `first`. */
static tsr_status read_shard(const reading *r, const uint64_t *first, const tsr_array *shard, tsr_error *err)
{
    const tsr_zarr_node *const node = r->node;
    uint64_t parts[TSR_MAX_ORDER], nparts = 1;
    tsr_array index;
    for (int m = 0; m < node->npy.order; m++) {
        parts[m] = node->shard[m] / node->layout.chunk[m];
        if (!tsr_mul_u64(&nparts, nparts, parts[m]))
            nparts = UINT64_MAX;
    }
    TSR_TRY(read_index(&index, r, shard, nparts, err));
    tsr_status status = TSR_OK;
    for (uint64_t i = 0; i < nparts && status == TSR_OK; i++) {
        if ((status = tsr_interrupt_check(err)) != TSR_OK)
            break;
        const unsigned char *const pair = (const unsigned char *)index.data + 16 * i;
        const uint64_t offset = little_u64(pair), n = little_u64(pair + 8);
        uint64_t at[TSR_MAX_ORDER], rest = i;
        if (offset == UINT64_MAX && n == UINT64_MAX)
            continue; /* not stored */
        for (int m = node->npy.order - 1; m >= 0; m--) {
            at[m] = first[m] + rest % parts[m] * node->layout.chunk[m];
            rest /= parts[m];
        }
        if (is_outside(node, at))
            continue;
        if (offset > shard->n || n > shard->n - offset)
            status = tsr_fail(err, TSR_CORRUPT, "part %" PRIu64 " of a shard ends after the shard", i);
        else
            status = decode_and_place(r, at, (const unsigned char *)shard->data + offset, n, err);
    }
    tsr_array_clear(&index);
    return status;
}

/* ---- chunks ---- */

/* The key of chunk c, whose first cell is at `first`: "data/0.1", "data/c/0/1". */
static void add_key(tsr_text *key, uint64_t *first, const reading *r, uint64_t c)
{
    const tsr_zarr_node *const node = r->node;
    const uint64_t *const size = node->sharded ? node->shard : node->layout.chunk;
    uint64_t at[TSR_MAX_ORDER];
    for (int m = node->npy.order - 1; m >= 0; m--) {
        at[m] = c % r->grid[m];
        c /= r->grid[m];
        first[m] = at[m] * size[m];
    }
    tsr_text_addf(key, "%s%s", node->path, *node->path ? "/" : "");
    if (node->dotted)
        tsr_text_add(key, "c");
    for (int m = 0; m < node->npy.order; m++) {
        if (m > 0 || node->dotted)
            tsr_text_add_n(key, &node->separator, 1);
        tsr_text_add_u64(key, at[m]);
    }
    if (node->npy.order == 0 && !node->dotted)
        tsr_text_add(key, "0");
}

static tsr_status read_chunk(const reading *r, const tsr_zarr_store *store, uint64_t c, tsr_error *err)
{
    enum { MOST_NBYTES = INT32_MAX };
    tsr_text key = {0};
    tsr_array bytes = {0};
    tsr_error why = {0};
    uint64_t first[TSR_MAX_ORDER];
    add_key(&key, first, r, c);
    tsr_status status = tsr_text_status(&key, err);
    if (status == TSR_OK)
        status = tsr_zarr_store_get(&bytes, store, key.s, r->node->sharded ? UINT64_MAX : MOST_NBYTES, err);
    if (status == TSR_OK && bytes.data) {
        status = r->node->sharded ? read_shard(r, first, &bytes, &why)
                                  : decode_and_place(r, first, bytes.data, bytes.n, &why);
        if (status != TSR_OK)
            (void)tsr_fail(err, status, "'%s': %s", key.s, why.message);
    }
    tsr_array_clear(&bytes);
    tsr_text_clear(&key);
    return status;
}

static void read_some(void *arg, int t, int nthreads)
{
    reading *const r = arg;
    tsr_zarr_store *own = NULL;
    tsr_error *const err = &r->faults[t];
    (void)nthreads;
    tsr_status status = t > 0 ? tsr_zarr_store_again(&own, r->store, err) : TSR_OK;
    while (status == TSR_OK && !atomic_load(&r->failed)) {
        const uint64_t c = atomic_fetch_add(&r->next, 1);
        if (c >= r->nchunks)
            break;
        status = read_chunk(r, own ? own : r->store, c, err);
        if (status == TSR_OK && t == 0)
            status = tsr_progress(r->observer, "read", c, r->nchunks, err);
    }
    if (status != TSR_OK)
        atomic_store(&r->failed, true);
    tsr_zarr_store_free(own);
}

/* Count the chunks (shards) of the grid. Bound the cells of all chunks, also of parts of shards. */
static tsr_status make_grid(reading *r, tsr_error *err)
{
    const tsr_zarr_node *const node = r->node;
    double padded = (double)node->layout.n;
    r->nchunks = 1;
    for (int m = 0; m < node->npy.order; m++) {
        r->grid[m] = ceil_div(node->npy.shape[m], node->sharded ? node->shard[m] : node->layout.chunk[m]);
        if (!tsr_mul_u64(&r->nchunks, r->nchunks, r->grid[m]))
            r->nchunks = UINT64_MAX;
        padded *= (double)ceil_div(node->npy.shape[m], node->layout.chunk[m]);
    }
    if (r->nchunks > MAX_CHUNKS)
        return tsr_fail(err, TSR_LIMIT, "an array has %" PRIu64 " chunks: at most %d are supported",
                        r->nchunks, MAX_CHUNKS);
    if (padded > PADDED_CELLS && padded > PADDING * (double)node->npy.n)
        return tsr_fail(err, TSR_LIMIT,
                        "the chunks of an array have %.0f cells, but the array has %" PRIu64
                        ": such padding is not supported",
                        padded, node->npy.n);
    return TSR_OK;
}

/* The fill value as it is stored. */
static void fill_with(unsigned char *out, uint64_t n, size_t width, const unsigned char *fill)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    if (memcmp(fill, zero, width) == 0)
        return; /* the memory is zeroed */
    for (uint64_t i = 0; i < n; i++)
        memcpy(out + i * width, fill, width);
}

static tsr_status read_all(reading *r, const tsr_read_options *options, tsr_error *err)
{
    int nthreads = tsr_thread_count(options->nthreads);
    if (r->nchunks < (uint64_t)nthreads || r->node->npy.n * r->width < 1 << 20)
        nthreads = r->node->npy.n * r->width < 1 << 20 ? 1 : (int)r->nchunks;
    tsr_parallel(nthreads > 0 ? nthreads : 1, read_some, r);
    for (int t = 0; t < nthreads; t++)
        TSR_TRY(tsr_fail_as(err, &r->faults[t]));
    return TSR_OK;
}

tsr_status tsr_zarr_array_read(tsr_numbers *out, bool *boolean, const tsr_zarr_store *store,
                               const tsr_zarr_node *node, const tsr_read_options *options, tsr_error *err)
{
    const bool half = node->npy.kind == 'f' && node->npy.item_nbytes == 2;
    tsr_numbers raw = {.type = half ? TSR_U16 : tsr_npy_type(&node->npy), .name = out->name};
    uint64_t nbytes;
    if (strchr("OSU", node->npy.kind))
        return tsr_fail(err, TSR_UNSUPPORTED, "'%s' has texts where numbers are expected", node->path);
    if (half && memcmp(node->fill, &(const float){0}, sizeof(float)) != 0)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "'%s' has half floats and a fill value other than 0, which is not supported: store it "
            "as float32",
            node->path);
    if (!tsr_mul_u64(&nbytes, node->npy.n, node->npy.item_nbytes))
        return tsr_fail(err, TSR_CORRUPT, "'%s' has more than 2^64 bytes", node->path);
    reading *const r = tsr_calloc(1, sizeof *r);
    if (!r)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    r->store = store, r->node = node, r->observer = options->observer;
    r->width = (size_t)node->npy.item_nbytes;
    *boolean = node->npy.kind == 'b';
    tsr_status status = make_grid(r, err);
    if (status == TSR_OK)
        status = tsr_memory_check((double)nbytes, "the array", err);
    if (status == TSR_OK)
        status = tsr_array_init(&raw.array, node->npy.n, r->width, 1, out->name, err);
    if (status == TSR_OK) {
        r->out = raw.array.data;
        fill_with(r->out, node->npy.n, r->width, node->fill);
        status = read_all(r, options, err);
    }
    tsr_free(r);
    return tsr_numbers_finish(out, &raw, half, status, err);
}
