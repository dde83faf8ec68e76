/* Decompressing an .rds file: see rds_bytes.h. */
#include "rds_bytes.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#ifdef TSR_HAVE_BZIP2
#include <bzlib.h>
#endif
#ifdef TSR_HAVE_LZMA
#include <lzma.h>
#endif

#include "file_bytes.h"
#include "tsr_alloc.h"

enum { ROOM = 1 << 18 };

struct tsr_r_bytes {
    gzFile gzip; /* plain files, too; NULL: another compressor */
    FILE *file;  /* of the other compressors */
    bool at_end; /* of the file */
    uint64_t place;
    unsigned char *in;
#ifdef TSR_HAVE_BZIP2
    bz_stream bzip2;
    bool is_bzip2, is_open;
#endif
#ifdef TSR_HAVE_LZMA
    lzma_stream lzma;
    bool is_lzma;
#endif
};

bool tsr_r_must_swap(void)
{
    return tsr_must_swap(true);
}

static tsr_status damaged(const char *why, tsr_error *err)
{
    return tsr_fail(err, TSR_CORRUPT, "the file is damaged or truncated: %s", why);
}

void tsr_r_bytes_close(tsr_r_bytes *b)
{
    if (!b)
        return;
    if (b->gzip)
        (void)gzclose(b->gzip);
#ifdef TSR_HAVE_BZIP2
    if (b->is_open)
        (void)BZ2_bzDecompressEnd(&b->bzip2);
#endif
#ifdef TSR_HAVE_LZMA
    if (b->is_lzma)
        lzma_end(&b->lzma);
#endif
    if (b->file)
        (void)fclose(b->file);
    tsr_free(b->in);
    tsr_free(b);
}

#if defined TSR_HAVE_BZIP2 || defined TSR_HAVE_LZMA
static tsr_status open_file(tsr_r_bytes *b, const char *path, tsr_error *err)
{
    b->file = fopen(path, "rb");
    b->in = tsr_malloc(ROOM);
    if (!b->in)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    return b->file ? TSR_OK : tsr_fail_errno(err, errno, NULL, "cannot open");
}

/* Read more compressed bytes; 0 at the end. */
static size_t more(tsr_r_bytes *b)
{
    const size_t n = fread(b->in, 1, ROOM, b->file);
    b->at_end = n == 0;
    return n;
}
#endif

#ifdef TSR_HAVE_BZIP2
static tsr_status take_bzip2(tsr_r_bytes *b, void *out, size_t n, tsr_error *err)
{
    b->bzip2.next_out = out;
    b->bzip2.avail_out = (unsigned)n;
    while (b->bzip2.avail_out > 0) {
        if (b->bzip2.avail_in == 0 && !b->at_end) {
            b->bzip2.avail_in = (unsigned)more(b);
            b->bzip2.next_in = (char *)b->in;
        }
        if (!b->is_open)
            return damaged("its data end early", err);
        const int code = BZ2_bzDecompress(&b->bzip2);
        if (code == BZ_STREAM_END) { /* another stream may follow */
            bz_stream next = {.next_in = b->bzip2.next_in,
                              .avail_in = b->bzip2.avail_in,
                              .next_out = b->bzip2.next_out,
                              .avail_out = b->bzip2.avail_out};
            (void)BZ2_bzDecompressEnd(&b->bzip2);
            b->bzip2 = next;
            b->is_open = BZ2_bzDecompressInit(&b->bzip2, 0, 0) == BZ_OK;
        } else if (code != BZ_OK || (b->at_end && b->bzip2.avail_in == 0 && b->bzip2.avail_out > 0)) {
            return damaged("its data do not decompress", err);
        }
    }
    return TSR_OK;
}
#endif

#ifdef TSR_HAVE_LZMA
static tsr_status take_lzma(tsr_r_bytes *b, void *out, size_t n, tsr_error *err)
{
    b->lzma.next_out = out;
    b->lzma.avail_out = n;
    while (b->lzma.avail_out > 0) {
        if (b->lzma.avail_in == 0 && !b->at_end) {
            b->lzma.avail_in = more(b);
            b->lzma.next_in = b->in;
        }
        const lzma_ret code = lzma_code(&b->lzma, b->at_end ? LZMA_FINISH : LZMA_RUN);
        if (code != LZMA_OK && !(code == LZMA_STREAM_END && b->lzma.avail_out == 0))
            return damaged("its data do not decompress", err);
    }
    return TSR_OK;
}
#endif

static tsr_status open_other(tsr_r_bytes *b, const char *path, const unsigned char *head, tsr_error *err)
{
#ifdef TSR_HAVE_BZIP2
    if (memcmp(head, "BZh", 3) == 0) {
        TSR_TRY(open_file(b, path, err));
        b->is_bzip2 = b->is_open = BZ2_bzDecompressInit(&b->bzip2, 0, 0) == BZ_OK;
        return b->is_open ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    }
#endif
#ifdef TSR_HAVE_LZMA
    enum { MEMORY = 1 << 30 };
    if (memcmp(head,
               "\xfd"
               "7zXZ",
               5) == 0) {
        TSR_TRY(open_file(b, path, err));
        b->is_lzma = lzma_stream_decoder(&b->lzma, MEMORY, LZMA_CONCATENATED) == LZMA_OK;
        return b->is_lzma ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    }
#endif
    (void)b, (void)path;
    return tsr_fail(
        err, TSR_UNSUPPORTED,
        "is compressed by %s, but this build of Tessera is without it (TSR_WITH_%s=OFF): use saveRDS "
        "with compress = \"gzip\"",
        head[0] == 'B' ? "bzip2" : "xz", head[0] == 'B' ? "BZIP2" : "LZMA");
}

tsr_status tsr_r_bytes_open(tsr_r_bytes **out, const char *path, tsr_error *err)
{
    tsr_file file;
    unsigned char head[6] = "";
    *out = NULL;
    TSR_TRY(tsr_file_open(&file, path, err));
    (void)tsr_file_peek(head, sizeof head, &file, 0);
    tsr_file_close(&file);
    tsr_r_bytes *const b = tsr_calloc(1, sizeof *b);
    if (!b)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_status status = TSR_OK;
    if (memcmp(head, "BZh", 3) == 0 || memcmp(head,
                                              "\xfd"
                                              "7zXZ",
                                              5) == 0) {
        status = open_other(b, path, head, err);
    } else {
        b->gzip = gzopen(path, "rb");
        status = !b->gzip                       ? tsr_fail(err, TSR_IO, "cannot open")
                 : gzbuffer(b->gzip, ROOM) == 0 ? TSR_OK
                                                : tsr_fail(err, TSR_NOMEM, "out of memory");
    }
    if (status == TSR_OK)
        *out = b;
    else
        tsr_r_bytes_close(b);
    return status;
}

static tsr_status take_gzip(tsr_r_bytes *b, void *out, size_t n, tsr_error *err)
{
    int code;
    const int got = gzread(b->gzip, out, (unsigned)n);
    if (got >= 0 && (size_t)got == n)
        return TSR_OK;
    const char *const why = gzerror(b->gzip, &code);
    return damaged(code == Z_OK || code == Z_BUF_ERROR ? "its data end early" : why, err);
}

tsr_status tsr_r_bytes_take(tsr_r_bytes *b, void *out, size_t n, tsr_error *err)
{
    enum { MOST = 1 << 28 };
    for (char *to = out; n > 0;) {
        const size_t step = n < MOST ? n : MOST;
        tsr_status status;
#ifdef TSR_HAVE_BZIP2
        if (b->is_bzip2)
            status = take_bzip2(b, to, step, err);
        else
#endif
#ifdef TSR_HAVE_LZMA
            if (b->is_lzma)
            status = take_lzma(b, to, step, err);
        else
#endif
            status = take_gzip(b, to, step, err);
        TSR_TRY(status);
        b->place += step;
        to += step;
        n -= step;
    }
    return TSR_OK;
}

tsr_status tsr_r_bytes_skip(tsr_r_bytes *b, uint64_t n, tsr_error *err)
{
    char room[1 << 14];
    while (n > 0) {
        const size_t step = n < sizeof room ? (size_t)n : sizeof room;
        TSR_TRY(tsr_r_bytes_take(b, room, step, err));
        n -= step;
    }
    return TSR_OK;
}

uint64_t tsr_r_bytes_place(const tsr_r_bytes *b)
{
    return b->place;
}
