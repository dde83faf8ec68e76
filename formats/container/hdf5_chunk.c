/* Chunks of HDF5 datasets, filtered here on all threads instead of inside HDF5: shuffle (byte b of all
 * values together), then a zlib stream. HDF5 handles only the finished chunks, under the mutex:
 * H5Dwrite_chunk in the order of the chunks, so that the bytes of the file do not depend on the number of
 * threads, and H5Dread_chunk. A chunk is always whole: the last one is padded with zeros. */
#include "hdf5_internal.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include <libdeflate.h>

#include "tsr_alloc.h"
#include "tsr_parallel.h"

/* out[b * n + i] = in[i * width + b] */
static void shuffle(unsigned char *restrict out, const unsigned char *restrict in, size_t n, size_t width)
{
    for (size_t b = 0; b < width; b++)
        for (size_t i = 0; i < n; i++)
            out[b * n + i] = in[i * width + b];
}

static void unshuffle(unsigned char *restrict out, const unsigned char *restrict in, size_t n, size_t width)
{
    for (size_t b = 0; b < width; b++)
        for (size_t i = 0; i < n; i++)
            out[i * width + b] = in[b * n + i];
}

/* The number of values of the array in chunk c. */
static size_t values_in(const tsr_stored *array, const tsr_hdf5_chunks *chunks, uint64_t c)
{
    const uint64_t left = array->n - c * chunks->n;
    return (size_t)(left < chunks->n ? left : chunks->n);
}

static uint64_t count_chunks(const tsr_stored *array, const tsr_hdf5_chunks *chunks)
{
    return array->n / chunks->n + (array->n % chunks->n != 0);
}

/* ---- writing ---- */

/* A batch of chunks: they are compressed in parallel, then written one after the other. */
typedef struct batch {
    const tsr_stored *array;
    const tsr_hdf5_chunks *chunks;
    const unsigned char *values; /* of the chunks from `begin` on */
    uint64_t begin;
    uint64_t first;          /* number of the first chunk */
    int n;                   /* chunks in this batch */
    atomic_int next;         /* the next chunk of the batch to compress */
    atomic_bool failed;      /* out of memory */
    size_t room;             /* bytes of each slot: the bound of a compressed chunk */
    unsigned char *slots;    /* one per chunk of a batch, `room` bytes each */
    size_t *nbytes;          /* compressed size of each */
    unsigned char *shuffled; /* one chunk per thread */
} batch;

static void compress_some(void *arg, int t, int nthreads)
{
    (void)nthreads;
    batch *b = arg;
    const tsr_hdf5_chunks *chunks = b->chunks;
    const size_t chunk_nbytes = (size_t)chunks->n * chunks->width;
    unsigned char *scratch = b->shuffled + (size_t)t * 2 * chunk_nbytes;
    struct libdeflate_compressor *z = libdeflate_alloc_compressor(chunks->level);
    if (!z)
        atomic_store(&b->failed, true);
    for (int i; z && (i = atomic_fetch_add(&b->next, 1)) < b->n;) {
        const uint64_t c = b->first + (uint64_t)i;
        const size_t n = values_in(b->array, chunks, c);
        const unsigned char *in = b->values + (c - b->begin) * chunk_nbytes;
        if (n < chunks->n) { /* the last chunk is padded */
            memset(scratch + chunk_nbytes, 0, chunk_nbytes);
            in = memcpy(scratch + chunk_nbytes, in, n * chunks->width);
        }
        if (chunks->shuffle_bit >= 0) {
            shuffle(scratch, in, (size_t)chunks->n, chunks->width);
            in = scratch;
        }
        b->nbytes[i] = libdeflate_zlib_compress(z, in, chunk_nbytes, b->slots + (size_t)i * b->room, b->room);
        if (b->nbytes[i] == 0)
            atomic_store(&b->failed, true);
    }
    libdeflate_free_compressor(z);
}

static tsr_status write_batch(tsr_hdf5 *h5, hid_t dataset, const batch *b, tsr_job *job, tsr_error *err)
{
    uint64_t done = 0;
    bool ok = true;
    tsr_status status = TSR_OK;
    tsr_hdf5_lock();
    for (int i = 0; ok && i < b->n; i++) {
        const uint64_t c = b->first + (uint64_t)i;
        const hsize_t offset = c * b->chunks->n;
        ok = H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &offset, b->nbytes[i], b->slots + (size_t)i * b->room) >=
                 0 &&
             !h5->device.fault;
        done += values_in(b->array, b->chunks, c) * b->chunks->width;
    }
    if (!ok)
        status = tsr_hdf5_fail(h5, TSR_IO, err, "dataset '%s' cannot be written", b->array->name);
    tsr_hdf5_unlock();
    return status == TSR_OK ? tsr_job_step(job, done, err) : status;
}

/* Load the values of a batch, unless all are in memory. */
static tsr_status supply_batch(batch *b, const tsr_supply *supply, unsigned char *loaded, tsr_error *err)
{
    const uint64_t first = b->first * b->chunks->n, end = first + (uint64_t)b->n * b->chunks->n;
    b->values = supply->data;
    if (supply->data)
        return TSR_OK;
    b->values = loaded;
    b->begin = b->first;
    return supply->load(loaded, supply->ctx, first, (end < b->array->n ? end : b->array->n) - first, err);
}

tsr_status tsr_hdf5_write_chunks(tsr_hdf5 *h5, const tsr_hdf5_chunked *to, const tsr_supply *supply,
                                 tsr_job *job, tsr_error *err)
{
    enum { BATCH = 64 }; /* chunks: enough for an even load, few enough to need little memory */
    const tsr_stored *const array = to->array;
    const tsr_hdf5_chunks *const chunks = to->chunks;
    const uint64_t nchunks = count_chunks(array, chunks);
    const int nthreads = (uint64_t)job->nthreads < nchunks ? job->nthreads : (int)nchunks;
    const int wanted = !supply->data          ? 2 * nthreads
                       : nthreads < BATCH / 8 ? 8 * nthreads
                       : nthreads < BATCH     ? BATCH
                                              : nthreads;
    const int most = (uint64_t)wanted < nchunks ? wanted : (int)nchunks;
    const size_t chunk_nbytes = (size_t)chunks->n * chunks->width;
    batch b = {.array = array, .chunks = chunks};
    b.room = libdeflate_zlib_compress_bound(NULL, chunk_nbytes);
    tsr_status status;
    void *slots = NULL, *shuffled = NULL, *nbytes = NULL, *loaded = NULL;
    TSR_TRY_OUT(tsr_alloc_array(&slots, (uint64_t)most, b.room, 0, "compressing", err));
    TSR_TRY_OUT(tsr_alloc_array(&shuffled, (uint64_t)nthreads * 2, chunk_nbytes, 0, "compressing", err));
    TSR_TRY_OUT(tsr_alloc_array(&nbytes, (uint64_t)most, sizeof(size_t), 0, "compressing", err));
    if (!supply->data)
        TSR_TRY_OUT(tsr_alloc_array(&loaded, (uint64_t)most, chunk_nbytes, 0, "compressing", err));
    b.slots = slots;
    b.shuffled = shuffled;
    b.nbytes = nbytes;
    for (uint64_t c = 0; c < nchunks; c += (uint64_t)b.n) {
        b.first = c;
        b.n = nchunks - c < (uint64_t)most ? (int)(nchunks - c) : most;
        TSR_TRY_OUT(supply_batch(&b, supply, loaded, err));
        atomic_store(&b.next, 0);
        tsr_parallel(nthreads, compress_some, &b);
        if (atomic_load(&b.failed)) {
            status = tsr_fail(err, TSR_NOMEM, "out of memory: compressing dataset '%s'", array->name);
            goto out;
        }
        TSR_TRY_OUT(write_batch(h5, to->dataset, &b, job, err));
    }
    status = TSR_OK;
out:
    tsr_free(loaded);
    tsr_free(nbytes);
    tsr_free(shuffled);
    tsr_free(slots);
    return status;
}

/* ---- reading ---- */

/* The error of a thread, and the chunk at which it failed. */
typedef struct failure {
    tsr_error error;
    uint64_t chunk;
} failure;

/* A chunk of which ranges have values: the first of them, whose values go to number `at` of the output. */
typedef struct touched {
    uint64_t chunk, range, at;
    haddr_t place; /* of its bytes in the file; HADDR_UNDEF: HDF5 finds them */
    hsize_t nbytes;
    unsigned mask; /* see tsr_hdf5_stored */
} touched;

typedef struct reader {
    tsr_hdf5 *h5;
    tsr_hdf5_chunked from;
    const tsr_stored *array;
    const tsr_hdf5_chunks *chunks;
    unsigned char *out;
    const tsr_ranges *ranges; /* what is wanted; NULL: all */
    touched *touched;         /* the chunks of the ranges; NULL: all */
    uint64_t n, nvalues;      /* chunks that are read; values of the output */
    uint64_t first, end;      /* chunks [first, end) of this round */
    atomic_ullong next;       /* the next chunk to read */
    atomic_bool stop;         /* a thread failed */
    failure *failures;        /* of each thread: the error of the lowest chunk wins */
} reader;

/* The buffers of a thread: a stored chunk, which may be larger than the inflated one, and an inflated
 * chunk. */
typedef struct scratch {
    tsr_hdf5_stored stored;
    unsigned char *inflated;
    unsigned char *values; /* of a chunk that ranges touch */
    struct libdeflate_decompressor *z;
} scratch;

bool tsr_hdf5_is_plain(const tsr_hdf5_chunks *chunks)
{
    return chunks->deflate_bit < 0 && chunks->shuffle_bit < 0 && chunks->sum_bit < 0 && !chunks->lzf;
}

/* Room for the n stored bytes of a chunk. */
static tsr_status make_room(tsr_hdf5_stored *s, uint64_t n, const char *name, tsr_error *err)
{
    if (n <= s->capacity)
        return TSR_OK;
    if (s->lent)
        return tsr_fail(err, TSR_CORRUPT, "dataset '%s': a chunk of %llu bytes does not make %zu bytes", name,
                        (unsigned long long)n, s->capacity);
    tsr_free(s->bytes);
    s->bytes = tsr_malloc((size_t)n);
    s->capacity = s->bytes ? (size_t)n : 0;
    return s->bytes ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory: a chunk of dataset '%s'", name);
}

tsr_status tsr_hdf5_fetch_chunk(tsr_hdf5_stored *s, tsr_hdf5 *h5, const tsr_hdf5_chunked *from,
                                const hsize_t *offset, tsr_error *err)
{
    hsize_t n = 0;
    uint32_t skipped = 0;
    tsr_status status = TSR_OK;
    const char *const name = from->array->name;
    tsr_hdf5_lock();
    if (H5Dget_chunk_storage_size(from->dataset, offset, &n) < 0) /* also where the chunk is not stored */
        n = s->optional && !h5->device.fault ? 0 : UINT64_MAX;
    if (n > h5->device.nbytes)
        status =
            tsr_hdf5_fail(h5, TSR_CORRUPT, err, "dataset '%s': the size of a chunk cannot be read", name);
    else
        status = make_room(s, n, name, err);
    if (status == TSR_OK && n > 0 &&
        H5Dread_chunk(from->dataset, H5P_DEFAULT, offset, &skipped, s->bytes) < 0)
        status = tsr_hdf5_fail(h5, TSR_CORRUPT, err, "dataset '%s': a chunk cannot be read", name);
    tsr_hdf5_unlock();
    s->nbytes = (size_t)n;
    s->mask = skipped;
    return status;
}

/* The checksum of HDF5's filter fletcher32. */
static uint32_t fletcher32(const unsigned char *p, size_t n)
{
    enum { EACH = 360 }; /* the sums do not overflow */
    uint32_t a = 0, b = 0;
    for (size_t i = 0; i < n;) {
        const size_t end = n - i < 2 * EACH ? n : i + 2 * EACH;
        for (; i < end; i += 2) {
            a += (uint32_t)p[i] << 8 | (i + 1 < n ? p[i + 1] : 0);
            b += a;
        }
        a = (a & 0xffff) + (a >> 16);
        b = (b & 0xffff) + (b >> 16);
    }
    a = (a & 0xffff) + (a >> 16);
    b = (b & 0xffff) + (b >> 16);
    return b << 16 | a;
}

const unsigned char *tsr_hdf5_expand(unsigned char *to, size_t n, const tsr_hdf5_stored *s,
                                     const tsr_hdf5_chunks *chunks, struct libdeflate_decompressor *z)
{
    size_t nstored = s->nbytes, got = 0;
    if (chunks->sum_bit >= 0 && !(s->mask >> chunks->sum_bit & 1)) {
        if (nstored < 4)
            return NULL;
        nstored -= 4;
        const unsigned char *const sum = s->bytes + nstored;
        if (fletcher32(s->bytes, nstored) !=
            ((uint32_t)sum[0] | (uint32_t)sum[1] << 8 | (uint32_t)sum[2] << 16 | (uint32_t)sum[3] << 24))
            return NULL;
    }
    if (chunks->deflate_bit < 0 || (s->mask >> chunks->deflate_bit & 1))
        return nstored == n ? s->bytes : NULL;
    if (chunks->lzf)
        return tsr_hdf5_expand_lzf(to, n, s->bytes, nstored) ? to : NULL;
    return libdeflate_zlib_decompress(z, s->bytes, nstored, to, n, &got) == LIBDEFLATE_SUCCESS && got == n
               ? to
               : NULL;
}

static tsr_status fail_short(const reader *r, uint64_t c, size_t nstored, size_t nbytes, tsr_error *err)
{
    return tsr_fail(err, TSR_CORRUPT,
                    "dataset '%s', chunk %" PRIu64 ", which has %zu bytes, does not make %zu bytes",
                    r->array->name, c, nstored, nbytes);
}

/* The stored bytes of chunk c. place: where they are; NULL: HDF5 finds them. */
static tsr_status fetch(tsr_hdf5_stored *s, const reader *r, uint64_t c, const touched *place, tsr_error *err)
{
    const hsize_t offset = c * r->chunks->n;
    if (!place || place->place == HADDR_UNDEF)
        return tsr_hdf5_fetch_chunk(s, r->h5, &r->from, &offset, err);
    TSR_TRY(make_room(s, place->nbytes, r->array->name, err));
    s->nbytes = (size_t)place->nbytes;
    s->mask = place->mask;
    if (tsr_hdf5_device_read(&r->h5->device, s->bytes, place->place, s->nbytes))
        return TSR_OK;
    tsr_hdf5_lock();
    const tsr_status status =
        tsr_hdf5_fail(r->h5, TSR_CORRUPT, err, "dataset '%s': a chunk cannot be read", r->array->name);
    tsr_hdf5_unlock();
    return status;
}

/* Read chunk c, undo the filters, and store its values that are in the array at `out`. place: see fetch. */
static tsr_status read_chunk(unsigned char *out, scratch *s, const reader *r, uint64_t c,
                             const touched *place, tsr_error *err)
{
    const tsr_hdf5_chunks *chunks = r->chunks;
    const size_t chunk_nbytes = (size_t)chunks->n * chunks->width, n = values_in(r->array, chunks, c);
    if (tsr_hdf5_is_plain(chunks) && n == chunks->n) {
        tsr_hdf5_stored lent = {.bytes = out, .lent = true, .capacity = chunk_nbytes};
        TSR_TRY(fetch(&lent, r, c, place, err));
        return lent.nbytes == chunk_nbytes ? TSR_OK : fail_short(r, c, lent.nbytes, chunk_nbytes, err);
    }
    TSR_TRY(fetch(&s->stored, r, c, place, err));
    const bool shuffled = chunks->shuffle_bit >= 0 && !(s->stored.mask >> chunks->shuffle_bit & 1);
    unsigned char *const target = shuffled || n < chunks->n ? s->inflated : out;
    const unsigned char *const plain = tsr_hdf5_expand(target, chunk_nbytes, &s->stored, chunks, s->z);
    if (!plain)
        return fail_short(r, c, s->stored.nbytes, chunk_nbytes, err);
    if (shuffled && n == chunks->n)
        unshuffle(out, plain, n, chunks->width);
    else if (shuffled)
        for (size_t i = 0; i < n; i++)
            for (size_t b = 0; b < chunks->width; b++)
                out[i * chunks->width + b] = plain[b * (size_t)chunks->n + i];
    else if (plain != out)
        memcpy(out, plain, n * chunks->width);
    return TSR_OK;
}

/* Copy what the ranges have of a chunk with these values. */
static void take_ranges(const reader *r, const touched *chunk, const unsigned char *values)
{
    const size_t width = r->chunks->width;
    const uint64_t begin = chunk->chunk * r->chunks->n,
                   end = begin + values_in(r->array, r->chunks, chunk->chunk);
    uint64_t at = chunk->at;
    for (uint64_t k = chunk->range; k < r->ranges->n && r->ranges->range[k].first < end; k++) {
        const tsr_range range = r->ranges->range[k];
        const uint64_t lo = range.first > begin ? range.first : begin,
                       hi = range.first + range.n < end ? range.first + range.n : end;
        if (lo < hi)
            memcpy(r->out + (at + (lo - range.first)) * width, values + (lo - begin) * width,
                   (hi - lo) * width);
        at += range.n;
    }
}

/* Read number i of the chunks that are wanted. */
static tsr_status read_wanted(scratch *s, const reader *r, uint64_t i, tsr_error *err)
{
    if (!r->ranges)
        return read_chunk(r->out + i * r->chunks->n * r->chunks->width, s, r, i, NULL, err);
    TSR_TRY(read_chunk(s->values, s, r, r->touched[i].chunk, &r->touched[i], err));
    take_ranges(r, &r->touched[i], s->values);
    return TSR_OK;
}

static void read_some(void *arg, int t, int nthreads)
{
    (void)nthreads;
    reader *r = arg;
    failure *const f = &r->failures[t];
    const size_t chunk_nbytes = (size_t)r->chunks->n * r->chunks->width;
    scratch s = {.inflated = tsr_malloc(chunk_nbytes),
                 .values = r->ranges ? tsr_malloc(chunk_nbytes) : NULL,
                 .z = libdeflate_alloc_decompressor()};
    if (!s.inflated || !s.z || (r->ranges && !s.values)) {
        (void)tsr_fail(&f->error, TSR_NOMEM, "out of memory: inflating dataset '%s'", r->array->name);
        atomic_store(&r->stop, true);
    }
    while (!atomic_load(&r->stop)) {
        const uint64_t c = atomic_fetch_add(&r->next, 1);
        if (c >= r->end)
            break;
        f->chunk = c;
        if (read_wanted(&s, r, c, &f->error) != TSR_OK)
            atomic_store(&r->stop, true);
    }
    libdeflate_free_decompressor(s.z);
    tsr_free(s.inflated);
    tsr_free(s.values);
    tsr_free(s.stored.bytes);
}

/* The error of the thread that failed at the lowest chunk. */
static tsr_status first_failure(const reader *r, int nthreads, tsr_error *err)
{
    const failure *first = NULL;
    for (const failure *f = r->failures; f < r->failures + nthreads; f++)
        if (f->error.status != TSR_OK && (!first || f->chunk < first->chunk))
            first = f;
    return first ? tsr_fail_as(err, &first->error) : TSR_OK;
}

/* The number of values before those of number i of the wanted chunks. */
static uint64_t values_before(const reader *r, uint64_t i)
{
    return i == r->n ? r->nvalues : r->touched ? r->touched[i].at : i * r->chunks->n;
}

/* Read all wanted chunks, on all threads, in rounds between which the observer is called. */
static tsr_status read_rounds(reader *r, tsr_job *job, tsr_error *err)
{
    enum { ROUND_NBYTES = 64 << 20 };
    const uint64_t chunk_nbytes = r->chunks->n * r->chunks->width;
    const int nthreads = (uint64_t)job->nthreads < r->n ? job->nthreads : (int)r->n;
    const uint64_t each =
        ROUND_NBYTES / chunk_nbytes > (uint64_t)nthreads ? ROUND_NBYTES / chunk_nbytes : (uint64_t)nthreads;
    void *failures;
    tsr_status status = TSR_OK;
    TSR_TRY(tsr_alloc_array(&failures, (uint64_t)nthreads, sizeof(failure), 1, "inflating", err));
    r->failures = failures;
    for (r->first = 0; r->first < r->n && status == TSR_OK; r->first = r->end) {
        r->end = r->n - r->first < each ? r->n : r->first + each;
        atomic_store(&r->next, r->first);
        tsr_parallel(nthreads, read_some, r);
        status = first_failure(r, nthreads, err);
        if (status == TSR_OK)
            status = tsr_job_step(
                job, (values_before(r, r->end) - values_before(r, r->first)) * r->chunks->width, err);
    }
    tsr_free(failures);
    return status;
}

tsr_status tsr_hdf5_read_chunks(void *out, tsr_hdf5 *h5, const tsr_hdf5_chunked *from, tsr_job *job,
                                tsr_error *err)
{
    reader r = {.h5 = h5,
                .from = *from,
                .array = from->array,
                .chunks = from->chunks,
                .out = out,
                .n = count_chunks(from->array, from->chunks),
                .nvalues = from->array->n};
    return read_rounds(&r, job, err);
}

/* ---- chunks of ranges ---- */

/* List the chunks of the ranges, or only count them (r->touched NULL); each range is in the array. */
static void list_chunks(reader *r)
{
    uint64_t last = UINT64_MAX;
    r->n = r->nvalues = 0;
    for (uint64_t k = 0; k < r->ranges->n; k++) {
        const tsr_range range = r->ranges->range[k];
        const uint64_t first = range.first / r->chunks->n,
                       end = range.n ? (range.first + range.n - 1) / r->chunks->n + 1 : first;
        for (uint64_t c = first; c < end; c++) {
            if (c == last) /* the range before has it, too */
                continue;
            if (r->touched)
                r->touched[r->n] = (touched){.chunk = c, .range = k, .at = r->nvalues, .place = HADDR_UNDEF};
            r->n++;
            last = c;
        }
        r->nvalues += range.n;
    }
}

/* Find where a chunk is: HDF5 reads it from a device that takes down the place instead. (H5Dget_chunk_info_by_coord looks at all
 * chunks before it.) room: not used, unless HDF5 has the bytes from elsewhere. Under the lock. */
static tsr_status find_place(touched *to, tsr_hdf5_stored *room, const reader *r, tsr_error *err)
{
    tsr_hdf5_device *const device = &r->h5->device;
    const hsize_t offset = to->chunk * r->chunks->n;
    tsr_hdf5_probe probe = {.at = HADDR_UNDEF};
    if (H5Dget_chunk_storage_size(r->from.dataset, &offset, &to->nbytes) < 0 || to->nbytes > device->nbytes)
        return tsr_hdf5_fail(r->h5, TSR_CORRUPT, err, "dataset '%s': the size of a chunk cannot be read",
                             r->array->name);
    TSR_TRY(make_room(room, to->nbytes, r->array->name, err));
    device->probe = &probe;
    const bool ok = H5Dread_chunk(r->from.dataset, H5P_DEFAULT, &offset, &to->mask, room->bytes) >= 0;
    device->probe = NULL;
    if (ok && probe.n == 1 && probe.nbytes == to->nbytes)
        to->place = probe.at;
    return ok ? TSR_OK
              : tsr_hdf5_fail(r->h5, TSR_CORRUPT, err, "dataset '%s': a chunk cannot be read",
                              r->array->name);
}

/* Find where the chunks are in a file that is read, so that threads read them at the same time and the system begins before. */
static tsr_status find_places(reader *r, tsr_error *err)
{
    tsr_hdf5_device *const device = &r->h5->device;
    tsr_hdf5_stored room = {0};
    tsr_status status = TSR_OK;
    if (device->writable)
        return TSR_OK;
    tsr_hdf5_lock();
    for (uint64_t i = 0; i < r->n && status == TSR_OK; i++)
        status = find_place(&r->touched[i], &room, r, err);
    tsr_hdf5_unlock();
    tsr_free(room.bytes);
    for (uint64_t i = 0; i < r->n && status == TSR_OK; i++)
        if (r->touched[i].place != HADDR_UNDEF)
            tsr_hdf5_device_soon(device, r->touched[i].place, r->touched[i].nbytes);
    return status;
}

tsr_status tsr_hdf5_read_chunk_ranges(void *out, tsr_hdf5 *h5, const tsr_hdf5_chunked *from,
                                      const tsr_ranges *ranges, tsr_job *job, tsr_error *err)
{
    reader r = {
        .h5 = h5, .from = *from, .array = from->array, .chunks = from->chunks, .out = out, .ranges = ranges};
    void *room;
    list_chunks(&r);
    if (r.n == 0)
        return TSR_OK;
    TSR_TRY(tsr_alloc_array(&room, r.n, sizeof(touched), 0, "the chunks of ranges", err));
    r.touched = room;
    list_chunks(&r);
    tsr_status status = find_places(&r, err);
    if (status == TSR_OK)
        status = read_rounds(&r, job, err);
    tsr_free(room);
    return status;
}
