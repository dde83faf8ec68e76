/* Gzip inflation: see io_internal.h. ISA-L inflates, or zlib where ISA-L is absent; both check header, CRC
 * and length of a member. This file handles the bytes between the members and after them. */
#include "io_internal.h"

#include <inttypes.h>
#include <string.h>

#ifdef TSR_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#else
#include <zlib.h>
#endif

#include "tsr_alloc.h"

struct tsr_gunzip {
    tsr_source *source;
    const tsr_observer *observer;
    uint64_t member; /* number of the member that is being inflated: 1, 2, ...; 0 before the first */
    bool at_end;
    size_t in_at, in_n; /* compressed bytes not yet consumed: in[in_at .. in_n) */
#ifdef TSR_HAVE_ISAL
    struct inflate_state engine;
#else
    z_stream engine;
#endif
    unsigned char in[TSR_GUNZIP_NBYTES];
};

/* How a run of the engine ended. */
typedef enum outcome { GOES_ON, MEMBER_ENDS, OUT_OF_MEMORY, BAD_HEADER, BAD_CHECKSUM, BAD_DATA } outcome;

#ifdef TSR_HAVE_ISAL

static bool engine_init(tsr_gunzip *g)
{
    isal_inflate_init(&g->engine);
    g->engine.crc_flag = ISAL_GZIP;
    return true;
}

static void engine_next_member(tsr_gunzip *g)
{
    isal_inflate_reset(&g->engine);
    g->engine.total_out = 0;
    g->engine.crc_flag = ISAL_GZIP;
}

static void engine_clear(tsr_gunzip *g)
{
    (void)g;
}

/* Inflate from `in` to out[0 .. room); *n = number of bytes written. */
static outcome engine_run(size_t *n, tsr_gunzip *g, void *out, uint32_t room)
{
    g->engine.next_in = g->in + g->in_at;
    g->engine.avail_in = (uint32_t)(g->in_n - g->in_at);
    g->engine.next_out = out;
    g->engine.avail_out = room;
    const int code = isal_inflate(&g->engine);
    g->in_at = g->in_n - g->engine.avail_in;
    *n = room - g->engine.avail_out;
    switch (code) {
    case ISAL_INCORRECT_CHECKSUM:
        return BAD_CHECKSUM;
    case ISAL_INVALID_WRAPPER:
    case ISAL_UNSUPPORTED_METHOD:
        return BAD_HEADER;
    default:
        if (code < 0 || code == ISAL_NEED_DICT)
            return BAD_DATA;
        return g->engine.block_state == ISAL_BLOCK_FINISH ? MEMBER_ENDS : GOES_ON;
    }
}

#else

static void *zlib_alloc(void *opaque, unsigned n, unsigned size)
{
    (void)opaque;
    return tsr_calloc(n, size);
}

static void zlib_free(void *opaque, void *block)
{
    (void)opaque;
    tsr_free(block);
}

static bool engine_init(tsr_gunzip *g)
{
    g->engine.zalloc = zlib_alloc;
    g->engine.zfree = zlib_free;
    return inflateInit2(&g->engine, 15 + 16) == Z_OK; /* 32 KiB window, gzip wrapper */
}

static void engine_next_member(tsr_gunzip *g)
{
    (void)inflateReset(&g->engine); /* fails only for a stream that was not initialised */
}

static void engine_clear(tsr_gunzip *g)
{
    (void)inflateEnd(&g->engine);
}

static bool mentions(const tsr_gunzip *g, const char *word)
{
    return g->engine.msg && strstr(g->engine.msg, word);
}

static outcome engine_run(size_t *n, tsr_gunzip *g, void *out, uint32_t room)
{
    g->engine.next_in = g->in + g->in_at;
    g->engine.avail_in = (unsigned)(g->in_n - g->in_at);
    g->engine.next_out = out;
    g->engine.avail_out = room;
    const int code = inflate(&g->engine, Z_NO_FLUSH);
    g->in_at = g->in_n - g->engine.avail_in;
    *n = room - g->engine.avail_out;
    switch (code) {
    case Z_STREAM_END:
        return MEMBER_ENDS;
    case Z_OK:
    case Z_BUF_ERROR: /* no progress: zlib needs more input */
        return GOES_ON;
    case Z_MEM_ERROR:
        return OUT_OF_MEMORY;
    default:
        return mentions(g, "data check") || mentions(g, "length check") ? BAD_CHECKSUM
               : mentions(g, "header") || mentions(g, "method") || mentions(g, "flags") ? BAD_HEADER
                                                                                        : BAD_DATA;
    }
}

#endif

tsr_status tsr_gunzip_new(tsr_gunzip **out, tsr_source *source, const void *head, size_t nhead,
                          const tsr_observer *observer, tsr_error *err)
{
    *out = NULL;
    tsr_gunzip *g = tsr_calloc(1, sizeof *g);
    bool ready = false;
    if (g) {
        g->source = source;
        g->observer = observer;
        memcpy(g->in, head, nhead);
        g->in_n = nhead;
        ready = engine_init(g);
    }
    if (!ready) {
        tsr_free(g);
        return tsr_fail_at(err, TSR_NOMEM, source->path, 0, 0, "out of memory for inflating gzip");
    }
    *out = g;
    return TSR_OK;
}

void tsr_gunzip_free(tsr_gunzip *g)
{
    if (!g)
        return;
    engine_clear(g);
    tsr_free(g);
}

uint64_t tsr_gunzip_nbytes(const tsr_gunzip *g)
{
    return atomic_load(&g->source->nbytes) - (g->in_n - g->in_at);
}

/* Read until `want` bytes (a few) are in the buffer or the file ends. */
static tsr_status fill(tsr_gunzip *g, size_t want, tsr_error *err)
{
    while (g->in_n - g->in_at < want && !g->source->at_end) {
        if (g->in_at > 0) {
            memmove(g->in, g->in + g->in_at, g->in_n - g->in_at);
            g->in_n -= g->in_at;
            g->in_at = 0;
        }
        size_t got;
        TSR_TRY(tsr_source_read(&got, g->source, g->in + g->in_n, sizeof g->in - g->in_n, err));
        g->in_n += got;
    }
    return TSR_OK;
}

/* Whether p[0 .. n) holds a whole member header (RFC 1952, section 2.3). */
static bool has_whole_header(const unsigned char *p, size_t n)
{
    enum { HEADER_CRC = 2, EXTRA = 4, NAME = 8, COMMENT = 16 };
    size_t at = 10;
    if (n < at)
        return false;
    const unsigned flags = p[3];
    if (flags & EXTRA) {
        if (n < at + 2)
            return false;
        at += 2 + p[at] + 256 * (size_t)p[at + 1];
    }
    for (unsigned flag = NAME; flag <= COMMENT; flag *= 2)
        if (flags & flag) {
            const unsigned char *nul = at < n ? memchr(p + at, 0, n - at) : NULL;
            if (!nul)
                return false;
            at = (size_t)(nul - p) + 1;
        }
    return n >= at + (flags & HEADER_CRC ? 2 : 0);
}

static tsr_status fail_member(const tsr_gunzip *g, outcome why, tsr_error *err)
{
    if (why == OUT_OF_MEMORY)
        return tsr_fail_at(err, TSR_NOMEM, g->source->path, 0, 0, "out of memory for inflating gzip");
    return tsr_fail_at(err, TSR_CORRUPT, g->source->path, 0, 0,
                       "%s in gzip member %" PRIu64 ", at byte %" PRIu64 " of the file",
                       why == BAD_CHECKSUM ? "wrong checksum or length"
                       : why == BAD_HEADER ? "bad header"
                                           : "bad deflate data",
                       g->member, tsr_gunzip_nbytes(g));
}

/* Read the whole header of a member into memory before ISA-L sees it: ISA-L 2.30 computes a wrong header CRC
 * if the header comes in pieces. A header that is longer than the buffer is passed in pieces all the same.
 * Reserved flags are refused here, as RFC 1952 asks, since ISA-L accepts them. */
static tsr_status start_member(tsr_gunzip *g, tsr_error *err)
{
    enum { DEFLATE = 8, RESERVED = 0xe0 };
    g->member++;
    while (!has_whole_header(g->in + g->in_at, g->in_n - g->in_at) && g->in_n - g->in_at < sizeof g->in &&
           !g->source->at_end)
        TSR_TRY(fill(g, g->in_n - g->in_at + 1, err));
    const unsigned char *p = g->in + g->in_at;
    if (g->in_n - g->in_at >= 4 && (p[2] != DEFLATE || p[3] & RESERVED))
        return fail_member(g, BAD_HEADER, err);
    return TSR_OK;
}

/* After a member: find another member, the end, zero padding, or garbage. */
static tsr_status next_member(tsr_gunzip *g, tsr_error *err)
{
    TSR_TRY(fill(g, 2, err));
    if (g->in_n - g->in_at >= 2 && g->in[g->in_at] == 0x1f && g->in[g->in_at + 1] == 0x8b) {
        engine_next_member(g);
        return start_member(g, err);
    }
    g->at_end = true;
    for (;;) {
        TSR_TRY(fill(g, 1, err));
        if (g->in_at == g->in_n)
            return TSR_OK;
        if (g->in[g->in_at] != 0)
            break;
        g->in_at++;
    }
    tsr_warn(g->observer, g->source->path, 0,
             "the bytes after the gzip data, from byte %" PRIu64 " on, are not gzip and were ignored",
             tsr_gunzip_nbytes(g));
    return TSR_OK;
}

tsr_status tsr_gunzip_read(size_t *n, tsr_gunzip *g, void *out, size_t room, tsr_error *err)
{
    *n = 0;
    if (g->member == 0)
        TSR_TRY(start_member(g, err));
    while (*n == 0 && !g->at_end) {
        TSR_TRY(fill(g, 1, err));
        const size_t before = g->in_n - g->in_at;
        const outcome how = engine_run(n, g, out, room < UINT32_MAX ? (uint32_t)room : UINT32_MAX);
        if (how == MEMBER_ENDS)
            TSR_TRY(next_member(g, err));
        else if (how != GOES_ON)
            return fail_member(g, how, err);
        else if (*n == 0 && before > 0 && before == g->in_n - g->in_at)
            return fail_member(g, BAD_DATA, err); /* no progress; never observed */
        else if (*n == 0 && before == 0)
            return tsr_fail_at(err, TSR_CORRUPT, g->source->path, 0, 0,
                               "truncated gzip: the file ends at byte %" PRIu64 ", inside member %" PRIu64,
                               tsr_gunzip_nbytes(g), g->member);
    }
    return TSR_OK;
}
