/* Reading a Zarr array: its chunks, decoded on all threads, and put in their places; parts of it, and texts. See
 * zarr_internal.h. */
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

/* An array that is being read. */
typedef struct reading {
    const tsr_zarr_store *store;
    const tsr_zarr_node *node;
    size_t width;       /* bytes of one element as it is stored */
    unsigned char *out; /* elements of this width, from number `skip` on */
    uint64_t skip;
    uint64_t grid[TSR_MAX_ORDER]; /* chunks (shards) in each mode */
    uint64_t nchunks;
} reading;

/* Arrays that are read at once: each thread takes the next chunk of the grids, one grid after the other. */
typedef struct readings {
    reading *all[TSR_MAX_WANTED]; /* owned */
    int n;
    const tsr_job *job;
    uint64_t nchunks, nbytes; /* of all */
    atomic_uint_least64_t next;
    atomic_bool failed;
    tsr_error faults[TSR_MAX_THREADS]; /* of each thread */
} readings;

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
            memcpy(r->out + (q - r->skip) * r->width, chunk + p * r->width, (order ? n[last] : 1) * r->width);
        else
            for (uint64_t i = 0; i < n[last]; i++)
                memcpy(r->out + (q - r->skip + i) * r->width, chunk + (p + i * from[last]) * r->width,
                       r->width);
        int m = last - 1;
        while (m >= 0 && ++at[m] == n[m])
            at[m--] = 0;
        if (m < 0)
            return;
    }
}

/* Change the n elements at p to the byte order of this machine. */
static void swap_elements(const reading *r, void *p, uint64_t n)
{
    const tsr_npy *const npy = &r->node->npy;
    tsr_numbers numbers = {.array = {.data = p, .n = n, .width = r->width}, .type = tsr_npy_type(npy)};
    if (tsr_must_swap(r->node->layout.big_endian))
        tsr_numbers_swap(&numbers);
}

/* Decode the bytes of a chunk. */
static tsr_status decode_chunk(void *out, const reading *r, const unsigned char *bytes, uint64_t n,
                               tsr_error *err)
{
    const tsr_zarr_layout *const l = &r->node->layout;
    TSR_TRY(tsr_zarr_codecs_decode_to(out, &l->codecs, bytes, n, l->n * r->width, err));
    swap_elements(r, out, l->n);
    return TSR_OK;
}

/* Put the fill value into the cells of a chunk that is not stored. */
static tsr_status place_fill(const reading *r, const uint64_t *first, tsr_error *err)
{
    tsr_array chunk;
    TSR_TRY(tsr_array_init(&chunk, r->node->layout.n * r->width, 1, 0, "a chunk", err));
    for (uint64_t i = 0; i < r->node->layout.n; i++)
        memcpy((char *)chunk.data + i * r->width, r->node->fill, r->width);
    place(r, first, chunk.data);
    tsr_array_clear(&chunk);
    return TSR_OK;
}

static tsr_status decode_and_place(const reading *r, const uint64_t *first, const unsigned char *bytes,
                                   uint64_t n, tsr_error *err)
{
    const tsr_zarr_layout *const l = &r->node->layout;
    tsr_array chunk;
    if (r->node->npy.order == 1 && first[0] <= r->node->npy.n && l->n <= r->node->npy.n - first[0])
        return decode_chunk(r->out + first[0] * r->width, r, bytes, n, err);
    TSR_TRY(tsr_array_init(&chunk, l->n * r->width, 1, 0, "a chunk", err));
    const tsr_status status = decode_chunk(chunk.data, r, bytes, n, err);
    if (status == TSR_OK)
        place(r, first, chunk.data);
    tsr_array_clear(&chunk);
    return status;
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

/* Read the parts of a shard whose first cell is at `first`; shard->data is NULL where the shard is not stored. */
static tsr_status read_shard(const reading *r, const uint64_t *first, const tsr_array *shard, tsr_error *err)
{
    const tsr_zarr_node *const node = r->node;
    uint64_t parts[TSR_MAX_ORDER], nparts = 1;
    tsr_array index = {0};
    for (int m = 0; m < node->npy.order; m++) {
        parts[m] = node->shard[m] / node->layout.chunk[m];
        if (!tsr_mul_u64(&nparts, nparts, parts[m]))
            nparts = UINT64_MAX;
    }
    tsr_status status = shard->data ? read_index(&index, r, shard, nparts, err) : TSR_OK;
    for (uint64_t i = 0; i < nparts && status == TSR_OK; i++) {
        if ((status = tsr_interrupt_check(err)) != TSR_OK)
            break;
        const unsigned char *const pair = index.data ? (const unsigned char *)index.data + 16 * i : NULL;
        const uint64_t offset = pair ? little_u64(pair) : UINT64_MAX;
        const uint64_t n = pair ? little_u64(pair + 8) : UINT64_MAX;
        uint64_t at[TSR_MAX_ORDER], rest = i;
        for (int m = node->npy.order - 1; m >= 0; m--) {
            at[m] = first[m] + rest % parts[m] * node->layout.chunk[m];
            rest /= parts[m];
        }
        if (is_outside(node, at))
            continue;
        if (offset == UINT64_MAX && n == UINT64_MAX)
            status = place_fill(r, at, err); /* not stored */
        else if (offset > shard->n || n > shard->n - offset)
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
    if (status == TSR_OK) {
        status = r->node->sharded ? read_shard(r, first, &bytes, &why)
                 : bytes.data     ? decode_and_place(r, first, bytes.data, bytes.n, &why)
                                  : place_fill(r, first, &why);
        if (status != TSR_OK)
            (void)tsr_fail(err, status, "'%s': %s", key.s, why.message);
    }
    tsr_array_clear(&bytes);
    tsr_text_clear(&key);
    return status;
}

static void read_some(void *arg, int t, int nthreads)
{
    readings *const rs = arg;
    tsr_zarr_store *own = NULL;
    tsr_error *const err = &rs->faults[t];
    (void)nthreads;
    tsr_status status = t > 0 ? tsr_zarr_store_again(&own, rs->all[0]->store, err) : TSR_OK;
    while (status == TSR_OK && !atomic_load(&rs->failed)) {
        const uint64_t next = atomic_fetch_add(&rs->next, 1);
        uint64_t c = next;
        int k = 0;
        for (; k < rs->n && c >= rs->all[k]->nchunks; k++)
            c -= rs->all[k]->nchunks;
        if (k == rs->n)
            break;
        status = read_chunk(rs->all[k], own ? own : rs->all[k]->store, c, err);
        if (status == TSR_OK && t == 0)
            status = tsr_progress(rs->job->observer, "read", next, rs->nchunks, err);
    }
    if (status != TSR_OK)
        atomic_store(&rs->failed, true);
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

/* Prepare to read the array: the grid, within its bounds. */
static tsr_status start(reading **out, const tsr_zarr_store *store, const tsr_zarr_node *node, tsr_error *err)
{
    reading *const r = tsr_calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    r->store = store, r->node = node;
    r->width = (size_t)node->npy.item_nbytes;
    const tsr_status status = make_grid(r, err);
    if (status == TSR_OK)
        *out = r;
    else
        tsr_free(r);
    return status;
}

tsr_status tsr_zarr_array_check(const tsr_zarr_store *store, const tsr_zarr_node *node, tsr_error *err)
{
    reading *r;
    TSR_TRY(start(&r, store, node, err));
    tsr_free(r);
    return TSR_OK;
}

tsr_status tsr_zarr_arrays_read(const tsr_zarr_target *targets, int n, const tsr_zarr_store *store,
                                const tsr_job *job, tsr_error *err)
{
    readings *const rs = tsr_calloc(1, sizeof *rs);
    tsr_status status = rs ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    for (int i = 0; i < n && status == TSR_OK; i++) {
        status = start(&rs->all[i], store, targets[i].node, err);
        if (status != TSR_OK)
            break;
        rs->all[i]->out = targets[i].out;
        rs->nchunks += rs->all[i]->nchunks;
        rs->nbytes += targets[i].node->npy.n * rs->all[i]->width;
        rs->n++;
    }
    if (status == TSR_OK) {
        rs->job = job;
        const int most = rs->nchunks < (uint64_t)job->nthreads ? (int)rs->nchunks : job->nthreads;
        const int nthreads = most < 1 || rs->nbytes < 1 << 20 ? 1 : most;
        tsr_parallel(nthreads, read_some, rs);
        for (int t = 0; t < nthreads && status == TSR_OK; t++)
            status = tsr_fail_as(err, &rs->faults[t]);
    }
    for (int i = 0; rs && i < rs->n; i++)
        tsr_free(rs->all[i]);
    tsr_free(rs);
    return status;
}

tsr_status tsr_zarr_array_read(void *out, const tsr_zarr_store *store, const tsr_zarr_node *node,
                               const tsr_job *job, tsr_error *err)
{
    return tsr_zarr_arrays_read(&(tsr_zarr_target){out, node}, 1, store, job, err);
}

/* ---- parts ---- */

/* The index of a shard, and the shard. */
typedef struct open_shard {
    uint64_t number; /* UINT64_MAX: not read yet */
    bool there;
    uint64_t nbytes;
    tsr_array index; /* owned */
} open_shard;

static tsr_status open_index(open_shard *s, const reading *r, const char *key, uint64_t nparts,
                             tsr_error *err)
{
    const tsr_zarr_codecs *const codecs = &r->node->index_codecs;
    const uint64_t nbytes = 16 * nparts, stored = nbytes + 4 * (uint64_t)codecs->n;
    tsr_array bytes;
    tsr_array_clear(&s->index);
    s->nbytes = tsr_zarr_store_length(r->store, key);
    s->there = s->nbytes != UINT64_MAX;
    if (!s->there)
        return TSR_OK;
    if (nparts > UINT64_MAX / 32 || stored > s->nbytes)
        return tsr_fail(err, TSR_CORRUPT, "a shard of %" PRIu64 " bytes cannot have %" PRIu64 " parts",
                        s->nbytes, nparts);
    TSR_TRY(tsr_zarr_store_get_part(&bytes, r->store, key, r->node->index_first ? 0 : s->nbytes - stored,
                                    stored, err));
    const tsr_status status = tsr_zarr_codecs_decode(&s->index, codecs, bytes.data, stored, nbytes, err);
    tsr_array_clear(&bytes);
    return status;
}

/* The stored bytes of chunk c of an array of one dimension; bytes->data is NULL where it is not stored. */
static tsr_status get_chunk(tsr_array *bytes, const reading *r, open_shard *shard, uint64_t c, tsr_error *err)
{
    const uint64_t nparts = r->node->sharded ? r->node->shard[0] / r->node->layout.chunk[0] : 1;
    tsr_text key = {0};
    uint64_t first[TSR_MAX_ORDER];
    *bytes = (tsr_array){0};
    add_key(&key, first, r, c / nparts);
    tsr_status status = tsr_text_status(&key, err);
    if (status == TSR_OK && !r->node->sharded) {
        status = tsr_zarr_store_get(bytes, r->store, key.s, INT32_MAX, err);
    } else if (status == TSR_OK) {
        if (shard->number != c / nparts)
            status = open_index(shard, r, key.s, nparts, err);
        shard->number = status == TSR_OK ? c / nparts : UINT64_MAX;
        const unsigned char *const pair = status == TSR_OK && shard->there
                                              ? (const unsigned char *)shard->index.data + 16 * (c % nparts)
                                              : NULL;
        const uint64_t offset = pair ? little_u64(pair) : UINT64_MAX,
                       n = pair ? little_u64(pair + 8) : UINT64_MAX;
        if (offset != UINT64_MAX && (offset > shard->nbytes || n > shard->nbytes - offset))
            status =
                tsr_fail(err, TSR_CORRUPT, "part %" PRIu64 " of a shard ends after the shard", c % nparts);
        else if (offset != UINT64_MAX)
            status = tsr_zarr_store_get_part(bytes, r->store, key.s, offset, n, err);
    }
    tsr_text_clear(&key);
    return status;
}

static tsr_status read_chunks(unsigned char *out, const reading *r, uint64_t first, uint64_t n,
                              tsr_error *err)
{
    const uint64_t chunk_n = r->node->layout.n, end = first + n;
    open_shard shard = {.number = UINT64_MAX};
    tsr_array chunk = {0}, bytes = {0};
    tsr_status status = tsr_array_init(&chunk, chunk_n * r->width, 1, 0, "a chunk", err);
    for (uint64_t c = first / chunk_n; status == TSR_OK && c * chunk_n < end; c++) {
        const uint64_t from = c * chunk_n > first ? c * chunk_n : first;
        const uint64_t to = end - c * chunk_n < chunk_n ? end : (c + 1) * chunk_n;
        status = get_chunk(&bytes, r, &shard, c, err);
        if (status == TSR_OK && bytes.data)
            status = decode_chunk(chunk.data, r, bytes.data, bytes.n, err);
        else if (status == TSR_OK)
            for (uint64_t i = 0; i < chunk_n; i++)
                memcpy((char *)chunk.data + i * r->width, r->node->fill, r->width);
        if (status == TSR_OK)
            memcpy(out + (from - first) * r->width, (char *)chunk.data + (from - c * chunk_n) * r->width,
                   (to - from) * r->width);
        tsr_array_clear(&bytes);
    }
    tsr_array_clear(&chunk);
    tsr_array_clear(&shard.index);
    return status;
}

uint64_t tsr_zarr_strip(const tsr_zarr_node *node)
{
    uint64_t n = node->sharded ? node->shard[0] : node->layout.chunk[0];
    for (int m = 1; m < node->npy.order; m++)
        if (!tsr_mul_u64(&n, n, node->npy.shape[m]))
            return 0;
    return n;
}

/* The chunks of strips, one after the other. */
static tsr_status read_strips(unsigned char *out, reading *r, uint64_t first, uint64_t n, tsr_error *err)
{
    const uint64_t strip = tsr_zarr_strip(r->node);
    uint64_t each = 1;
    for (int m = 1; m < r->node->npy.order; m++)
        each *= r->grid[m];
    if (strip == 0 || first % strip != 0)
        return tsr_fail(err, TSR_UNSUPPORTED, "an array of several dims is read in strips only");
    r->out = out;
    r->skip = first;
    for (uint64_t c = first / strip * each; c < ceil_div(first + n, strip) * each; c++)
        TSR_TRY(read_chunk(r, r->store, c, err));
    return TSR_OK;
}

tsr_status tsr_zarr_array_read_part(void *out, const tsr_zarr_store *store, const tsr_zarr_node *node,
                                    uint64_t first, uint64_t n, tsr_error *err)
{
    reading *r;
    TSR_TRY(start(&r, store, node, err));
    const tsr_status status =
        node->npy.order > 1 ? read_strips(out, r, first, n, err) : read_chunks(out, r, first, n, err);
    tsr_free(r);
    return status;
}

/* ---- texts ---- */

static uint32_t little_u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Append at most n texts as the filter vlen-utf8 has them: their number, then the length and the bytes of each. */
static tsr_status split_texts(tsr_names *out, const unsigned char *p, uint64_t nbytes, uint64_t n,
                              tsr_error *err)
{
    uint64_t at = 4;
    const uint64_t count = nbytes < 4 ? 0 : little_u32(p);
    if (count < n)
        return tsr_fail(err, TSR_CORRUPT, "a chunk of texts has fewer texts than cells");
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t length = nbytes - at < 4 ? 0 : little_u32(p + at);
        if (nbytes - at < 4 || length > nbytes - at - 4)
            return tsr_fail(err, TSR_CORRUPT, "a chunk of texts ends in a text");
        TSR_TRY(tsr_names_add(out, (const char *)p + at + 4, length, err));
        at += 4 + (uint64_t)length;
    }
    return TSR_OK;
}

/* Append n texts of equal length, padded with NUL: bytes (kind S), or characters of 4 bytes (kind U). */
static tsr_status cut_texts(tsr_names *out, const tsr_zarr_node *node, const unsigned char *p, uint64_t n,
                            tsr_error *err)
{
    tsr_npy item = node->npy;
    tsr_text text = {0};
    tsr_status status = TSR_OK;
    item.big_endian = node->layout.big_endian;
    for (uint64_t i = 0; i < n && status == TSR_OK; i++) {
        tsr_text_clear(&text);
        tsr_npy_add_text(&text, &item, p + i * item.item_nbytes);
        status = tsr_text_status(&text, err);
        if (status == TSR_OK)
            status = tsr_names_add(out, tsr_text_cstr(&text), text.nbytes, err);
    }
    tsr_text_clear(&text);
    return status;
}

/* Append the texts of one chunk; n of them are in the array. */
static tsr_status read_texts_of(tsr_names *out, const reading *r, open_shard *shard, uint64_t c, uint64_t n,
                                tsr_error *err)
{
    enum { MOST_NBYTES = 1 << 30 };
    const tsr_zarr_layout *const l = &r->node->layout;
    tsr_array bytes, plain = {0};
    tsr_status status = get_chunk(&bytes, r, shard, c, err);
    if (status == TSR_OK && !bytes.data)
        for (uint64_t i = 0; i < n && status == TSR_OK; i++)
            status = tsr_names_add(out, "", 0, err); /* not stored: empty texts */
    else if (status == TSR_OK && r->node->npy.kind == 'O') {
        status = tsr_zarr_codecs_decode_any(&plain, &l->codecs, bytes.data, bytes.n, MOST_NBYTES, err);
        if (status == TSR_OK)
            status = split_texts(out, plain.data, plain.n, n, err);
    } else if (status == TSR_OK) {
        status = tsr_zarr_codecs_decode(&plain, &l->codecs, bytes.data, bytes.n, l->n * r->width, err);
        if (status == TSR_OK)
            status = cut_texts(out, r->node, plain.data, n, err);
    }
    tsr_array_clear(&bytes);
    tsr_array_clear(&plain);
    return status;
}

tsr_status tsr_zarr_array_read_texts(tsr_names *out, const tsr_zarr_store *store, const tsr_zarr_node *node,
                                     tsr_error *err)
{
    open_shard shard = {.number = UINT64_MAX};
    reading *r;
    if (node->kind != TSR_ZARR_ARRAY || !strchr("OSU", node->npy.kind) || node->npy.order != 1)
        return tsr_fail(err, TSR_UNSUPPORTED, "'%s' is not a list of texts", node->path);
    TSR_TRY(start(&r, store, node, err));
    tsr_status status = TSR_OK;
    for (uint64_t first = 0; first < node->npy.n && status == TSR_OK; first += node->layout.n) {
        const uint64_t left = node->npy.n - first;
        status = read_texts_of(out, r, &shard, first / node->layout.n,
                               left < node->layout.n ? left : node->layout.n, err);
    }
    tsr_array_clear(&shard.index);
    tsr_free(r);
    return status;
}
