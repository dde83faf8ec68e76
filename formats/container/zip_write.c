/* Writing ZIP archives of stored or deflated members: see zip_io.h. After PKWARE's APPNOTE 6.3.10: 4.3.7 (local headers),
 * 4.3.12 (the directory), 4.3.14 to 4.3.16 (its end), 4.5.3 (ZIP64). */
#define ZLIB_CONST /* zlib does not change the input */
#include "zip_io.h"

#include <inttypes.h>
#include <libdeflate.h>
#include <stdatomic.h>
#include <string.h>
#include <zlib.h>

#include "tsr_output.h"
#include "tsr_parallel.h"
#include "byte_relay.h"

enum {
    ALIGNMENT = 64,
    FILLER = 0xd935, /* the extra field that other programs use to align members */
    ZIP64 = 1,
    DAY = 0x21 /* 1980-01-01, always: equal content makes equal files */
};

typedef struct member {
    char *name;          /* owned */
    uint64_t nbytes, at; /* at: the offset of the local header */
    uint64_t nstored;    /* bytes in the archive */
    bool deflated;
    uint32_t crc;
} member;

struct tsr_zip_writer {
    tsr_output *output;
    const tsr_write_options *options;
    uint64_t at; /* bytes written so far */
    uint64_t n, capacity;
    member *members; /* owned */
};

tsr_status tsr_zip_writer_new(tsr_zip_writer **out, const char *path, const tsr_write_options *options,
                              tsr_error *err)
{
    const tsr_output_options plain = {.gzip_level = -1, .nthreads = options->nthreads};
    tsr_zip_writer *const writer = tsr_calloc(1, sizeof *writer);
    *out = NULL;
    if (!writer)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    writer->options = options;
    const tsr_status status = tsr_output_open(&writer->output, path, &plain, err);
    if (status == TSR_OK)
        *out = writer;
    else
        tsr_zip_writer_free(writer);
    return status;
}

void tsr_zip_writer_free(tsr_zip_writer *writer)
{
    if (!writer)
        return;
    tsr_output_free(writer->output);
    for (uint64_t i = 0; i < writer->n; i++)
        tsr_free(writer->members[i].name);
    tsr_free(writer->members);
    tsr_free(writer);
}

/* ---- checksums ---- */

typedef struct summing {
    const unsigned char *data;
    uint64_t nbytes;
    uint32_t crc[TSR_MAX_THREADS];
} summing;

static void sum_part(void *arg, int t, int nthreads)
{
    summing *const s = arg;
    const uint64_t first = tsr_cut(s->nbytes, t, nthreads), end = tsr_cut(s->nbytes, t + 1, nthreads);
    s->crc[t] = libdeflate_crc32(0, s->data + first, end - first);
}

/* Continue a checksum over one piece, on all threads. */
static uint32_t sum_piece(uint32_t crc, const tsr_zip_piece *piece, int nthreads)
{
    if (piece->nbytes < 1 << 20 || nthreads == 1)
        return libdeflate_crc32(crc, piece->data, piece->nbytes);
    summing s = {.data = piece->data, .nbytes = piece->nbytes};
    tsr_parallel(nthreads, sum_part, &s);
    for (int t = 0; t < nthreads; t++)
        crc = (uint32_t)crc32_combine(
            crc, s.crc[t],
            (z_off_t)(tsr_cut(piece->nbytes, t + 1, nthreads) - tsr_cut(piece->nbytes, t, nthreads)));
    return crc;
}

/* ---- deflate ---- */

enum { PART_NBYTES = 1 << 20 };

/* Parts of the data, deflated on all threads. Each part but the last ends at a byte (a sync flush), so that all of
 * them, one after the other, are one stream. */
typedef struct deflating {
    const tsr_zip_piece *pieces;
    int npieces, level;
    bool goes_on; /* more parts follow in another call: the last one does not end the stream */
    uint64_t nparts;
    tsr_text *parts; /* owned: nparts */
    atomic_uint_least64_t next;
    atomic_bool failed;
} deflating;

/* The bytes of part i: *n of them, in one piece. */
static const unsigned char *part_of(uint64_t *n, const deflating *d, uint64_t i)
{
    int p = 0;
    for (;; p++) {
        const uint64_t count = d->pieces[p].nbytes / PART_NBYTES + (d->pieces[p].nbytes % PART_NBYTES != 0);
        if (i < count)
            break;
        i -= count;
    }
    const uint64_t left = d->pieces[p].nbytes - i * PART_NBYTES;
    *n = left < PART_NBYTES ? left : PART_NBYTES;
    return (const unsigned char *)d->pieces[p].data + i * PART_NBYTES;
}

static void deflate_part(deflating *d, uint64_t i)
{
    enum { ROOM = 1 << 14 };
    unsigned char out[ROOM];
    uint64_t n;
    z_stream z = {.next_in = NULL};
    const unsigned char *const in = part_of(&n, d, i);
    if (deflateInit2(&z, d->level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        atomic_store(&d->failed, true);
        return;
    }
    z.next_in = in;
    z.avail_in = (uInt)n;
    do {
        z.next_out = out;
        z.avail_out = ROOM;
        (void)deflate(&z, i + 1 == d->nparts && !d->goes_on ? Z_FINISH : Z_SYNC_FLUSH);
        tsr_text_add_n(&d->parts[i], (const char *)out, ROOM - z.avail_out);
    } while (z.avail_out == 0);
    deflateEnd(&z);
    if (d->parts[i].failed)
        atomic_store(&d->failed, true);
}

static void deflate_some(void *arg, int t, int nthreads)
{
    deflating *const d = arg;
    (void)t;
    (void)nthreads;
    for (uint64_t i; !atomic_load(&d->failed) && (i = atomic_fetch_add(&d->next, 1)) < d->nparts;)
        deflate_part(d, i);
}

static void clear_parts(deflating *d)
{
    for (uint64_t i = 0; d->parts && i < d->nparts; i++)
        tsr_text_clear(&d->parts[i]);
    tsr_free(d->parts);
    d->parts = NULL;
}

/* Deflate the pieces; *nbytes: of all parts. */
static tsr_status deflate_all(deflating *d, uint64_t *nbytes, const tsr_write_options *options,
                              tsr_error *err)
{
    void *parts = NULL;
    *nbytes = 0;
    for (int p = 0; p < d->npieces; p++)
        d->nparts += d->pieces[p].nbytes / PART_NBYTES + (d->pieces[p].nbytes % PART_NBYTES != 0);
    TSR_TRY(tsr_alloc_array(&parts, d->nparts, sizeof *d->parts, 1, "compressed parts", err));
    d->parts = parts;
    d->level = options->deflate;
    tsr_parallel(d->nparts > 1 ? tsr_thread_count(options->nthreads) : 1, deflate_some, d);
    for (uint64_t i = 0; i < d->nparts; i++)
        *nbytes += d->parts[i].nbytes;
    if (!atomic_load(&d->failed))
        return TSR_OK;
    clear_parts(d);
    return tsr_fail(err, TSR_NOMEM, "out of memory: compressing a member of the archive");
}

/* ---- headers ---- */

static void put(tsr_text *text, uint64_t v, int nbytes)
{
    for (int i = 0; i < nbytes; i++)
        tsr_text_add_n(text, &(const char){(char)(v >> 8 * i & 255)}, 1);
}

static bool is_large(uint64_t v)
{
    return v >= UINT32_MAX;
}

static uint64_t capped(uint64_t v)
{
    return is_large(v) ? UINT32_MAX : v;
}

static void put_name(tsr_text *text, const member *m, bool large, uint64_t extra)
{
    put(text, large ? 45 : 20, 2); /* version needed to extract */
    put(text, 0, 2);
    put(text, m->deflated ? 8 : 0, 2); /* method */
    put(text, 0, 2);
    put(text, DAY, 2);
    put(text, m->crc, 4);
    put(text, capped(m->nstored), 4);
    put(text, capped(m->nbytes), 4);
    put(text, strlen(m->name), 2);
    put(text, extra, 2);
}

/* Append the local header of a member, with an extra field that aligns the data. */
static void put_local(tsr_text *text, const member *m)
{
    const bool large = is_large(m->nbytes) || is_large(m->nstored);
    const uint64_t before = m->at + 30 + strlen(m->name) + (large ? 20u : 0u) + 4;
    const uint64_t filler = (ALIGNMENT - before % ALIGNMENT) % ALIGNMENT;
    put(text, 0x04034b50, 4);
    put_name(text, m, large, (large ? 20u : 0u) + 4 + filler);
    tsr_text_add(text, m->name);
    if (large) {
        put(text, ZIP64, 2);
        put(text, 16, 2);
        put(text, m->nbytes, 8);
        put(text, m->nstored, 8);
    }
    put(text, FILLER, 2);
    put(text, filler, 2);
    for (uint64_t i = 0; i < filler; i++)
        put(text, 0, 1);
}

static void put_entry(tsr_text *text, const member *m)
{
    const bool long_data = is_large(m->nbytes), long_stored = is_large(m->nstored), far = is_large(m->at);
    const uint64_t extra = (long_data ? 8u : 0u) + (long_stored ? 8u : 0u) + (far ? 8u : 0u);
    put(text, 0x02014b50, 4);
    put(text, 45, 2); /* version made by */
    put_name(text, m, extra > 0, extra ? extra + 4 : 0);
    put(text, 0, 2);
    put(text, 0, 2);
    put(text, 0, 2);
    put(text, 0, 4);
    put(text, capped(m->at), 4);
    tsr_text_add(text, m->name);
    if (extra) {
        put(text, ZIP64, 2);
        put(text, extra, 2);
    }
    if (long_data)
        put(text, m->nbytes, 8);
    if (long_stored)
        put(text, m->nstored, 8);
    if (far)
        put(text, m->at, 8);
}

/* Append the end of the directory, whose entries have `nbytes` bytes from offset `at` on. */
static void put_end(tsr_text *text, uint64_t n, uint64_t at, uint64_t nbytes)
{
    const bool many = n >= UINT16_MAX;
    if (is_large(at) || many) {
        put(text, 0x06064b50, 4);
        put(text, 44, 8);
        put(text, 45, 2);
        put(text, 45, 2);
        put(text, 0, 8); /* disks */
        put(text, n, 8);
        put(text, n, 8);
        put(text, nbytes, 8);
        put(text, at, 8);
        put(text, 0x07064b50, 4);
        put(text, 0, 4);
        put(text, at + nbytes, 8);
        put(text, 1, 4);
    }
    put(text, 0x06054b50, 4);
    put(text, 0, 4); /* disks */
    put(text, many ? UINT16_MAX : n, 2);
    put(text, many ? UINT16_MAX : n, 2);
    put(text, nbytes, 4);
    put(text, capped(at), 4);
    put(text, 0, 2);
}

/* ---- writing ---- */

static tsr_status write_text(tsr_zip_writer *writer, const tsr_text *text, tsr_error *err)
{
    TSR_TRY(tsr_text_status(text, err));
    writer->at += text->nbytes;
    return tsr_output_write(writer->output, text->s, text->nbytes, err);
}

static tsr_status write_bytes(tsr_zip_writer *writer, const void *data, uint64_t nbytes, tsr_error *err)
{
    enum { STEP = 1 << 26 };
    for (uint64_t k = 0; k < nbytes; k += STEP) {
        const uint64_t left = nbytes - k, n = left < STEP ? left : STEP;
        TSR_TRY(tsr_output_write(writer->output, (const char *)data + k, (size_t)n, err));
        writer->at += n;
        TSR_TRY(tsr_progress(writer->options->observer, "write", writer->at, 0, err));
    }
    return TSR_OK;
}

static tsr_status write_local(tsr_zip_writer *writer, const member *m, tsr_error *err)
{
    tsr_text text = {0};
    put_local(&text, m);
    const tsr_status status = write_text(writer, &text, err);
    tsr_text_clear(&text);
    return status;
}

/* Write the local header and the data: the pieces, or the deflated parts. */
static tsr_status write_member(tsr_zip_writer *writer, const member *m, const deflating *d, tsr_error *err)
{
    tsr_status status = write_local(writer, m, err);
    for (uint64_t i = 0; m->deflated && i < d->nparts && status == TSR_OK; i++)
        status = write_bytes(writer, d->parts[i].s, d->parts[i].nbytes, err);
    for (int i = 0; !m->deflated && i < d->npieces && status == TSR_OK; i++)
        status = write_bytes(writer, d->pieces[i].data, d->pieces[i].nbytes, err);
    return status;
}

/* ---- members that are loaded ---- */

/* Takes a batch of bytes of a piece, which is the last one of its member or not. */
typedef tsr_status take_batch(tsr_zip_writer *writer, member *m, const tsr_zip_piece *batch, bool last,
                              tsr_error *err);

static tsr_status deflate_batch(deflating *d, uint64_t *nbytes, const tsr_zip_writer *writer,
                                const tsr_zip_piece *batch, bool last, tsr_error *err)
{
    *d = (deflating){.pieces = batch, .npieces = 1, .goes_on = !last};
    return deflate_all(d, nbytes, writer->options, err);
}

static tsr_status count_batch(tsr_zip_writer *writer, member *m, const tsr_zip_piece *batch, bool last,
                              tsr_error *err)
{
    deflating d;
    uint64_t nbytes = batch->nbytes;
    m->nbytes += batch->nbytes;
    m->crc = sum_piece(m->crc, batch, tsr_thread_count(writer->options->nthreads));
    if (m->deflated) {
        TSR_TRY(deflate_batch(&d, &nbytes, writer, batch, last, err));
        clear_parts(&d);
    }
    m->nstored += nbytes;
    return TSR_OK;
}

static tsr_status write_batch(tsr_zip_writer *writer, member *m, const tsr_zip_piece *batch, bool last,
                              tsr_error *err)
{
    deflating d;
    uint64_t nbytes;
    if (!m->deflated)
        return write_bytes(writer, batch->data, batch->nbytes, err);
    TSR_TRY(deflate_batch(&d, &nbytes, writer, batch, last, err));
    tsr_status status = TSR_OK;
    for (uint64_t i = 0; i < d.nparts && status == TSR_OK; i++)
        status = write_bytes(writer, d.parts[i].s, d.parts[i].nbytes, err);
    clear_parts(&d);
    return status;
}

/* The bytes of a member to be added. */
typedef struct loading {
    const tsr_zip_piece *pieces;
    int npieces;
    void *room; /* room_nbytes, a multiple of PART_NBYTES */
    uint64_t room_nbytes;
} loading;

/* Give all bytes of the member, in batches that are cut at parts. */
static tsr_status each_batch(tsr_zip_writer *writer, member *m, const loading *l, take_batch *take,
                             tsr_error *err)
{
    for (int p = 0; p < l->npieces; p++) {
        const tsr_zip_piece *const piece = &l->pieces[p];
        for (uint64_t first = 0; first < piece->nbytes; first += l->room_nbytes) {
            const uint64_t left = piece->nbytes - first, n = left < l->room_nbytes ? left : l->room_nbytes;
            const tsr_zip_piece batch = {.data = piece->load ? l->room : (const char *)piece->data + first,
                                         .nbytes = n};
            bool last = n == left;
            for (int q = p + 1; q < l->npieces; q++)
                last = last && l->pieces[q].nbytes == 0;
            if (piece->load)
                TSR_TRY(piece->load(l->room, piece->ctx, first, n, err));
            TSR_TRY(take(writer, m, &batch, last, err));
        }
    }
    return TSR_OK;
}

/* A piece whose bytes are loaded and written as they are; the checksum is made on the way. */
typedef struct passing {
    tsr_zip_writer *writer;
    const tsr_zip_piece *piece;
    uint32_t crc;
} passing;

static tsr_status load_some(void *room, void *ctx, uint64_t first, uint64_t n, tsr_error *err)
{
    passing *const p = ctx;
    if (p->piece->load)
        TSR_TRY(p->piece->load(room, p->piece->ctx, first, n, err));
    else
        memcpy(room, (const char *)p->piece->data + first, n);
    p->crc = libdeflate_crc32(p->crc, room, n);
    return TSR_OK;
}

static tsr_status write_some(void *ctx, const void *data, uint64_t first, uint64_t n, tsr_error *err)
{
    passing *const p = ctx;
    (void)first;
    return write_bytes(p->writer, data, n, err);
}

/* Write a stored member whose pieces are loaded once: the checksum, which stands before the bytes, is written in the end. */
static tsr_status pass_through(tsr_zip_writer *writer, member *m, const tsr_zip_piece *pieces, int npieces,
                               tsr_error *err)
{
    enum { CRC_AT = 14, STEP_NBYTES = 2 << 20 };
    const int nthreads = tsr_thread_count(writer->options->nthreads);
    const uint64_t at = writer->at + CRC_AT;
    passing p = {.writer = writer};
    unsigned char crc[4];
    for (int i = 0; i < npieces; i++)
        m->nbytes += pieces[i].nbytes;
    m->nstored = m->nbytes;
    TSR_TRY(write_local(writer, m, err));
    for (int i = 0; i < npieces; i++) {
        p.piece = &pieces[i];
        const tsr_relay relay = {.total = pieces[i].nbytes,
                                 .step = STEP_NBYTES,
                                 .unit_nbytes = 1,
                                 .nthreads = pieces[i].any_thread ? nthreads : 1,
                                 .ctx = &p,
                                 .load = load_some,
                                 .take = write_some};
        TSR_TRY(tsr_relay_run(&relay, err));
    }
    m->crc = p.crc;
    for (int i = 0; i < 4; i++)
        crc[i] = (unsigned char)(m->crc >> 8 * i & 255);
    return tsr_output_patch(writer->output, at, crc, sizeof crc, err);
}

static tsr_status add_loaded(tsr_zip_writer *writer, member *m, const tsr_zip_piece *pieces, int npieces,
                             tsr_error *err)
{
    enum { MOST = 16 };
    if (!m->deflated && tsr_output_can_patch(writer->output))
        return pass_through(writer, m, pieces, npieces, err);
    const int nthreads = tsr_thread_count(writer->options->nthreads);
    loading l = {.pieces = pieces, .npieces = npieces};
    l.room_nbytes = (uint64_t)PART_NBYTES * (uint64_t)(nthreads < MOST ? nthreads : MOST);
    TSR_TRY(tsr_alloc_array(&l.room, l.room_nbytes, 1, 0, "a part of an array", err));
    tsr_status status = each_batch(writer, m, &l, count_batch, err);
    if (status == TSR_OK)
        status = write_local(writer, m, err);
    if (status == TSR_OK)
        status = each_batch(writer, m, &l, write_batch, err);
    tsr_free(l.room);
    return status;
}

/* Begin a member. */
static tsr_status new_member(member **out, tsr_zip_writer *writer, const char *name, tsr_error *err)
{
    const uint64_t more = writer->capacity ? 2 * writer->capacity : 16;
    if (strlen(name) > UINT16_MAX)
        return tsr_fail(err, TSR_LIMIT, "the name of a member of an archive is too long");
    if (writer->n == writer->capacity) {
        member *const members = tsr_realloc(writer->members, more * sizeof *members);
        if (!members)
            return tsr_fail(err, TSR_NOMEM, "out of memory");
        writer->members = members;
        writer->capacity = more;
    }
    *out = &writer->members[writer->n];
    **out = (member){.at = writer->at, .name = tsr_strdup(name)};
    if (!(*out)->name)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    writer->n++;
    return TSR_OK;
}

tsr_status tsr_zip_writer_add(tsr_zip_writer *writer, const char *name, const tsr_zip_piece *pieces,
                              int npieces, tsr_error *err)
{
    const int nthreads = tsr_thread_count(writer->options->nthreads);
    member *m = NULL;
    deflating d = {.pieces = pieces, .npieces = npieces};
    TSR_TRY(new_member(&m, writer, name, err));
    m->deflated = writer->options->deflate > 0;
    for (int i = 0; i < npieces; i++)
        if (pieces[i].load)
            return add_loaded(writer, m, pieces, npieces, err);
    for (int i = 0; i < npieces; i++) {
        m->nbytes += pieces[i].nbytes;
        m->crc = sum_piece(m->crc, &pieces[i], nthreads);
    }
    m->nstored = m->nbytes;
    if (m->deflated)
        TSR_TRY(deflate_all(&d, &m->nstored, writer->options, err));
    const tsr_status status = write_member(writer, m, &d, err);
    clear_parts(&d);
    return status;
}

tsr_status tsr_zip_writer_commit(tsr_zip_writer *writer, uint64_t *nbytes, tsr_error *err)
{
    tsr_text text = {0};
    const uint64_t at = writer->at;
    for (uint64_t i = 0; i < writer->n; i++)
        put_entry(&text, &writer->members[i]);
    put_end(&text, writer->n, at, text.nbytes);
    tsr_status status = write_text(writer, &text, err);
    if (status == TSR_OK)
        status = tsr_output_commit(writer->output, err);
    if (nbytes)
        *nbytes = writer->at;
    tsr_text_clear(&text);
    tsr_zip_writer_free(writer);
    return status;
}
