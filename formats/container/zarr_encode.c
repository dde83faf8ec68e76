/* Writing the arrays of a Zarr store: chunks, compressed on all threads, and shards of them. See zarr_write.h and zarr.md. An
 * array of one dimension is cut into chunks of 1 MiB; the last one is padded with zeros, which are the fill value. */
#include "zarr_write.h"

#include <libdeflate.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#ifdef TSR_HAVE_BLOSC
#include <blosc.h>
#else /* TSR_WITH_BLOSC=OFF: chunks are compressed by gzip */
#define BLOSC_SHUFFLE 1
#define BLOSC_NOSHUFFLE 0
#define BLOSC_MAX_OVERHEAD 0
#define BLOSC_LZ4_COMPNAME ""
#define blosc_compress_ctx(level, shuffle, width, n, in, out, room, name, block, nthreads) \
    ((void)(in), (void)(out), (void)(room), -1)
#endif

#include "crc32c.h"
#include "tsr_parallel.h"
#include "turns.h"

enum {
    CHUNK_NBYTES = 1 << 20,
    TEXTS_PER_CHUNK = 1 << 16,
    BLOSC_LEVEL = 5,  /* as zarr-python's default: LZ4 of this level, in blocks that Blosc chooses */
    PAIR_NBYTES = 16, /* of the index of a shard: the offset and the length of a part */
    SUM_NBYTES = 4
};

/* ---- metadata ---- */

/* Bytes of the same place in neighbouring numbers are alike, and are put beside each other. type NULL: texts. */
static int shuffle_of(const tsr_type *type)
{
    return type ? BLOSC_SHUFFLE : BLOSC_NOSHUFFLE;
}

static size_t width_of(const tsr_type *type)
{
    return type ? tsr_type_nbytes(*type) : 1;
}

/* The level of gzip that is used; 0: Blosc is. */
static int gzip_level(int deflate)
{
#ifdef TSR_HAVE_BLOSC
    return deflate;
#else
    return deflate ? deflate : 1;
#endif
}

static json_t *compressor_2(const tsr_type *type, int level)
{
    const int deflate = gzip_level(level);
    return deflate ? json_pack("{s:s, s:i}", "id", "gzip", "level", deflate)
                   : json_pack("{s:s, s:s, s:i, s:i, s:i}", "id", "blosc", "cname", BLOSC_LZ4_COMPNAME,
                               "clevel", BLOSC_LEVEL, "shuffle", shuffle_of(type), "blocksize", 0);
}

static json_t *compressor_3(const tsr_type *type, int level)
{
    const int deflate = gzip_level(level);
    return deflate ? json_pack("{s:s, s:{s:i}}", "name", "gzip", "configuration", "level", deflate)
                   : json_pack("{s:s, s:{s:s, s:i, s:s, s:I, s:i}}", "name", "blosc", "configuration",
                               "cname", BLOSC_LZ4_COMPNAME, "clevel", BLOSC_LEVEL, "shuffle",
                               type ? "shuffle" : "noshuffle", "typesize", (json_int_t)width_of(type),
                               "blocksize", 0);
}

static json_t *zero_of(tsr_type type)
{
    const char class = tsr_type_class(type);
    return class == 'C' ? json_pack("[f, f]", 0.0, 0.0) : class == 'F' ? json_real(0) : json_integer(0);
}

/* An array of one dimension, as its metadata describe it. */
typedef struct shape {
    const tsr_type *type; /* NULL: texts */
    uint64_t n, chunk_n;  /* elements of the array, of a chunk */
    uint64_t nparts;      /* chunks of a shard; 0: there are no shards */
    int deflate;          /* the level of gzip; 0: Blosc */
} shape;

/* An array of one dimension. type NULL: texts. */
static json_t *meta_2(const tsr_type *type, uint64_t n, uint64_t chunk_n, int deflate)
{
    json_t *const meta =
        json_pack("{s:[I], s:o, s:s, s:o, s:n, s:s, s:[I], s:i}", "chunks", (json_int_t)chunk_n, "compressor",
                  compressor_2(type, deflate), "dtype", type ? tsr_npy_descr(*type) : "|O", "fill_value",
                  type ? zero_of(*type) : json_string(""), "filters", "order", "C", "shape", (json_int_t)n,
                  "zarr_format", 2);
    if (meta && !type)
        (void)json_object_set_new(meta, "filters", json_pack("[{s:s}]", "id", "vlen-utf8"));
    return meta;
}

/* The names of the types in version 3. */
static const char *type_name_3(tsr_type type)
{
    static const struct {
        tsr_type type;
        const char *name;
    } names[] = {{TSR_F32, "float32"},  {TSR_F64, "float64"}, {TSR_I8, "int8"},       {TSR_I16, "int16"},
                 {TSR_I32, "int32"},    {TSR_I64, "int64"},   {TSR_U8, "uint8"},      {TSR_U16, "uint16"},
                 {TSR_U32, "uint32"},   {TSR_U64, "uint64"},  {TSR_C64, "complex64"}, {TSR_F16, "float16"},
                 {TSR_BF16, "bfloat16"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].type == type)
            return names[i].name;
    return "complex128";
}

/* From the elements of a chunk to its bytes. */
static json_t *codecs_3(const tsr_type *type, int deflate)
{
    json_t *const bytes = !type                         ? json_pack("{s:s}", "name", "vlen-utf8")
                          : tsr_type_nbytes(*type) == 1 ? json_pack("{s:s}", "name", "bytes")
                                                        : json_pack("{s:s, s:{s:s}}", "name", "bytes",
                                                                    "configuration", "endian", "little");
    return json_pack("[o, o]", bytes, compressor_3(type, deflate));
}

/* nparts: chunks of a shard; 0: there are no shards. */
static json_t *meta_3(const tsr_type *type, uint64_t n, uint64_t chunk_n, uint64_t nparts, int deflate)
{
    json_t *codecs = codecs_3(type, deflate);
    if (nparts)
        codecs = json_pack("[{s:s, s:{s:[I], s:o, s:[{s:s, s:{s:s}}, {s:s}], s:s}}]", "name",
                           "sharding_indexed", "configuration", "chunk_shape", (json_int_t)chunk_n, "codecs",
                           codecs, "index_codecs", "name", "bytes", "configuration", "endian", "little",
                           "name", "crc32c", "index_location", "end");
    return json_pack("{s:i, s:s, s:[I], s:s, s:{s:s, s:{s:[I]}}, s:{s:s, s:{s:s}}, s:o, s:o}", "zarr_format",
                     3, "node_type", "array", "shape", (json_int_t)n, "data_type",
                     type ? type_name_3(*type) : "string", "chunk_grid", "name", "regular", "configuration",
                     "chunk_shape", (json_int_t)(nparts ? chunk_n * nparts : chunk_n), "chunk_key_encoding",
                     "name", "default", "configuration", "separator", "/", "fill_value",
                     type ? zero_of(*type) : json_string(""), "codecs", codecs);
}

static tsr_status add_meta(tsr_zarr_writer *w, const char *path, const shape *s, tsr_error *err)
{
    if (s->type && *s->type == TSR_BF16 && tsr_zarr_writer_version(w) == 2)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "Zarr version 2 does not have values of type bf16: write version 3, or f16 or f32");
    json_t *const meta = tsr_zarr_writer_version(w) == 2
                             ? meta_2(s->type, s->n, s->chunk_n, s->deflate)
                             : meta_3(s->type, s->n, s->chunk_n, s->nparts, s->deflate);
    return meta ? tsr_zarr_writer_add(w, path, meta, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
}

/* "data/3", or "data/c/3" in version 3. */
static tsr_status put_chunk(tsr_zarr_writer *w, const char *path, uint64_t c, const void *bytes, uint64_t n,
                            tsr_error *err)
{
    tsr_text key = {0};
    tsr_text_addf(&key, "%s/%s", path, tsr_zarr_writer_version(w) == 2 ? "" : "c/");
    tsr_text_add_u64(&key, c);
    tsr_status status = tsr_text_status(&key, err);
    if (status == TSR_OK)
        status = tsr_zarr_writer_put(w, key.s, bytes, n, err);
    tsr_text_clear(&key);
    return status;
}

/* ---- compressing ---- */

/* A compressor, used by one thread. */
typedef struct press {
    struct libdeflate_compressor *gzip; /* NULL: Blosc, */
    int shuffle;                        /* which gets these */
    size_t width;
} press;

static void clear_press(press *p)
{
    libdeflate_free_compressor(p->gzip);
}

static tsr_status init_press(press *p, const tsr_type *type, int level, tsr_error *err)
{
    const int deflate = gzip_level(level);
    *p = (press){.gzip = deflate ? libdeflate_alloc_compressor(deflate) : NULL,
                 .shuffle = shuffle_of(type),
                 .width = width_of(type)};
    return p->gzip || !deflate ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
}

static size_t bound(const press *p, size_t n)
{
    return p->gzip ? libdeflate_gzip_compress_bound(p->gzip, n) : n + BLOSC_MAX_OVERHEAD;
}

/* *nout: the bytes at `out`, which has room for bound(n). */
static tsr_status compress(size_t *nout, void *out, const press *p, const void *bytes, size_t n,
                           tsr_error *err)
{
    const size_t room = bound(p, n);
    const int k = p->gzip ? 0
                          : blosc_compress_ctx(BLOSC_LEVEL, p->shuffle, p->width, n, bytes, out, room,
                                               BLOSC_LZ4_COMPNAME, 0, 1);
    *nout = p->gzip ? libdeflate_gzip_compress(p->gzip, bytes, n, out, room) : k > 0 ? (size_t)k : 0;
    return *nout > 0 ? TSR_OK : tsr_fail(err, TSR_NOMEM, "a chunk cannot be compressed: out of memory");
}

/* ---- arrays of numbers ---- */

/* An array that is being written: each thread takes the next key. */
typedef struct encoding {
    tsr_zarr_writer *w;
    const char *path;
    const tsr_supply *supply;
    tsr_job *job;
    tsr_type type;
    int deflate;
    size_t width;
    uint64_t n, chunk_n, nparts, nkeys; /* nparts: chunks of a key */
    bool sharded;
    pthread_mutex_t lock; /* of next, supply and job */
    uint64_t next;
    tsr_turns turns; /* keys that are put in order */
    atomic_bool failed;
    tsr_error faults[TSR_MAX_THREADS];
} encoding;

/* The buffers of a thread. */
typedef struct buffers {
    press press;
    tsr_array raw, coded; /* the chunks of a key as numbers, and compressed */
} buffers;

static void put_little(unsigned char *out, uint64_t v, int nbytes)
{
    for (int i = 0; i < nbytes; i++)
        out[i] = (unsigned char)(v >> 8 * i);
}

/* The index at the end of a shard. */
static size_t add_index(unsigned char *coded, size_t at, const uint64_t *lengths, uint64_t nparts)
{
    unsigned char *const index = coded + at;
    uint64_t offset = 0;
    for (uint64_t i = 0; i < nparts; i++) {
        put_little(index + PAIR_NBYTES * i, lengths[i] ? offset : UINT64_MAX, 8);
        put_little(index + PAIR_NBYTES * i + 8, lengths[i] ? lengths[i] : UINT64_MAX, 8);
        offset += lengths[i];
    }
    put_little(index + PAIR_NBYTES * nparts, tsr_crc32c(index, PAIR_NBYTES * nparts), SUM_NBYTES);
    return at + PAIR_NBYTES * nparts + SUM_NBYTES;
}

/* Compress the n values at `values` to the bytes of a key. A part that is not full is padded. */
static tsr_status encode_key(size_t *nbytes, encoding *e, buffers *b, const unsigned char *values, uint64_t n,
                             tsr_error *err)
{
    uint64_t lengths[TSR_ZARR_MAX_PARTS] = {0};
    unsigned char *const coded = b->coded.data, *const raw = b->raw.data;
    size_t at = 0;
    for (uint64_t i = 0, first = 0; first < n; i++, first += e->chunk_n) {
        const uint64_t count = n - first < e->chunk_n ? n - first : e->chunk_n;
        const unsigned char *from = values + first * e->width;
        size_t k;
        if (count < e->chunk_n) {
            unsigned char *const padded = raw + first * e->width;
            if (from != padded)
                memcpy(padded, from, count * e->width);
            memset(padded + count * e->width, 0, (e->chunk_n - count) * e->width);
            from = padded;
        }
        TSR_TRY(compress(&k, coded + at, &b->press, from, e->chunk_n * e->width, err));
        lengths[i] = k;
        at += k;
    }
    *nbytes = e->sharded ? add_index(coded, at, lengths, e->nparts) : at;
    return TSR_OK;
}

/* A key and its n values. */
typedef struct piece {
    uint64_t key, n;
    const unsigned char *values;
} piece;

/* Take the next key, and load its values where they are not in memory. False: there are no more. */
static bool take_key(piece *p, encoding *e, buffers *b, tsr_status *status, tsr_error *err)
{
    const uint64_t most = e->chunk_n * e->nparts;
    pthread_mutex_lock(&e->lock);
    p->key = e->next;
    const bool more = p->key < e->nkeys && !atomic_load(&e->failed);
    if (more) {
        const uint64_t first = p->key * most;
        e->next++;
        p->n = e->n - first < most ? e->n - first : most;
        if (e->supply->data) {
            p->values = (const unsigned char *)e->supply->data + first * e->width;
        } else {
            p->values = b->raw.data;
            *status = e->supply->load(b->raw.data, e->supply->ctx, first, p->n, err);
        }
        if (*status == TSR_OK)
            *status = tsr_job_step(e->job, p->n * e->width, err);
    }
    pthread_mutex_unlock(&e->lock);
    return more;
}

static tsr_status put_key(encoding *e, uint64_t key, const void *bytes, size_t n, tsr_error *err)
{
    if (!tsr_zarr_writer_in_order(e->w))
        return put_chunk(e->w, e->path, key, bytes, n, err);
    tsr_status status = TSR_OK;
    pthread_mutex_lock(&e->turns.lock);
    if (tsr_turns_wait(&e->turns, key)) {
        status = put_chunk(e->w, e->path, key, bytes, n, err);
        tsr_turns_pass(&e->turns);
    }
    pthread_mutex_unlock(&e->turns.lock);
    return status;
}

static tsr_status init_buffers(buffers *b, const encoding *e, tsr_error *err)
{
    const size_t chunk_nbytes = (size_t)e->chunk_n * e->width;
    TSR_TRY(init_press(&b->press, &e->type, e->deflate, err));
    TSR_TRY(tsr_array_init(&b->raw, e->nparts * chunk_nbytes, 1, 0, "the chunks of an array", err));
    return tsr_array_init(&b->coded, e->nparts * (bound(&b->press, chunk_nbytes) + PAIR_NBYTES) + SUM_NBYTES,
                          1, 0, "the chunks of an array", err);
}

static void encode_some(void *arg, int t, int nthreads)
{
    encoding *const e = arg;
    tsr_error *const err = &e->faults[t];
    buffers b = {.raw = {0}};
    piece p;
    size_t nbytes;
    (void)nthreads;
    tsr_status status = init_buffers(&b, e, err);
    while (status == TSR_OK && take_key(&p, e, &b, &status, err)) {
        if (status == TSR_OK)
            status = encode_key(&nbytes, e, &b, p.values, p.n, err);
        if (status == TSR_OK)
            status = put_key(e, p.key, b.coded.data, nbytes, err);
    }
    if (status != TSR_OK) {
        atomic_store(&e->failed, true);
        pthread_mutex_lock(&e->turns.lock);
        tsr_turns_stop(&e->turns);
        pthread_mutex_unlock(&e->turns.lock);
    }
    clear_press(&b.press);
    tsr_array_clear(&b.raw);
    tsr_array_clear(&b.coded);
}

static tsr_status encode_all(encoding *e, tsr_error *err)
{
    /* values that only the calling thread may load are loaded, compressed and written by it */
    int nthreads = e->supply->data || e->supply->any_thread ? e->job->nthreads : 1;
    if (e->nkeys < (uint64_t)nthreads)
        nthreads = (int)e->nkeys;
    tsr_parallel(nthreads > 0 ? nthreads : 1, encode_some, e);
    for (int t = 0; t < nthreads; t++)
        TSR_TRY(tsr_fail_as(err, &e->faults[t]));
    return TSR_OK;
}

tsr_status tsr_zarr_writer_array(tsr_zarr_writer *w, const tsr_zarr_array *what, const tsr_supply *supply,
                                 tsr_job *job, tsr_error *err)
{
    const char *const path = what->path;
    const tsr_stored *const array = what->stored;
    const int deflate = what->deflate;
    const int shard = tsr_zarr_writer_options(w)->zarr_shard;
    const size_t width = tsr_type_nbytes(array->type);
    const uint64_t most = array->chunk_n ? array->chunk_n : CHUNK_NBYTES / width;
    encoding *const e = tsr_calloc(1, sizeof *e);
    if (!e)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    e->w = w, e->path = path, e->supply = supply, e->job = job, e->deflate = deflate;
    e->type = array->type;
    e->width = width;
    e->n = array->n;
    e->sharded = shard > 0 && tsr_zarr_writer_version(w) == 3;
    e->chunk_n = e->sharded || array->n > most ? most : array->n ? array->n : 1;
    e->nparts = e->sharded ? (uint64_t)shard : 1;
    e->nkeys = e->n / (e->chunk_n * e->nparts) + (e->n % (e->chunk_n * e->nparts) != 0);
    tsr_status status =
        add_meta(w, path, &(shape){&array->type, e->n, e->chunk_n, e->sharded ? e->nparts : 0, deflate}, err);
    if (status == TSR_OK && e->nkeys > 0) {
        pthread_mutex_init(&e->lock, NULL);
        tsr_turns_init(&e->turns);
        status = encode_all(e, err);
        tsr_turns_clear(&e->turns);
        pthread_mutex_destroy(&e->lock);
    }
    tsr_free(e);
    return status;
}

/* ---- arrays of texts ---- */

/* The chunk of texts from `texts` on, as the filter vlen-utf8 has them: their number, then the length and the bytes of each. */
static tsr_status join_texts(tsr_array *out, const char *texts, size_t width, uint64_t n, uint64_t chunk_n,
                             tsr_error *err)
{
    enum { WORD = 4 };
    TSR_TRY(tsr_array_init(out, WORD + chunk_n * (WORD + width), 1, 0, "a chunk of texts", err));
    unsigned char *p = out->data;
    put_little(p, chunk_n, WORD);
    p += WORD;
    for (uint64_t i = 0; i < chunk_n; i++) {
        const char *const text = i < n ? texts + i * width : "";
        const size_t length = i < n ? strnlen(text, width) : 0;
        put_little(p, length, WORD);
        memcpy(p + WORD, text, length);
        p += WORD + length;
    }
    out->n = (uint64_t)(p - (unsigned char *)out->data);
    return TSR_OK;
}

static tsr_status put_texts(tsr_zarr_writer *w, const char *path, uint64_t c, const press *p,
                            const tsr_array *joined, tsr_error *err)
{
    tsr_array coded;
    size_t n;
    TSR_TRY(tsr_array_init(&coded, bound(p, joined->n), 1, 0, "a chunk", err));
    tsr_status status = compress(&n, coded.data, p, joined->data, joined->n, err);
    if (status == TSR_OK)
        status = put_chunk(w, path, c, coded.data, n, err);
    tsr_array_clear(&coded);
    return status;
}

tsr_status tsr_zarr_writer_texts(tsr_zarr_writer *w, const char *path, const char *texts, size_t width,
                                 uint64_t n, tsr_error *err)
{
    const uint64_t chunk_n = n > TEXTS_PER_CHUNK ? TEXTS_PER_CHUNK : n ? n : 1;
    tsr_array joined = {0};
    press p = {.gzip = NULL};
    tsr_status status = add_meta(w, path, &(shape){.n = n, .chunk_n = chunk_n}, err);
    if (status == TSR_OK)
        status = init_press(&p, NULL, 0, err);
    for (uint64_t first = 0; status == TSR_OK && first < n; first += chunk_n) {
        tsr_array_clear(&joined);
        status = join_texts(&joined, texts + first * width, width, n - first, chunk_n, err);
        if (status == TSR_OK)
            status = put_texts(w, path, first / chunk_n, &p, &joined, err);
    }
    clear_press(&p);
    tsr_array_clear(&joined);
    return status;
}
