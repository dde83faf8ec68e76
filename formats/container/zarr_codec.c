/* The compressors of Zarr chunks, by the libraries of these compressors: see zarr_internal.h. */
#define ZLIB_CONST /* zlib does not change the input */
#include "zarr_internal.h"

#include <inttypes.h>
#include <string.h>
#include <zlib.h>
#ifdef TSR_HAVE_BLOSC
#include <blosc.h>
#endif
#ifdef TSR_HAVE_LZ4
#include <lz4.h>
#endif
#ifdef TSR_HAVE_ZSTD
#include <zstd.h>
#endif

#include "crc32c.h"
#include "tsr_shown.h"
#include "tsr_version.h"

enum { CRC_NBYTES = 4, LZ4_HEAD_NBYTES = 4 };

static const struct {
    const char *name; /* in the metadata of version 2 or 3 */
    tsr_zarr_codec_kind kind;
} names[] = {{"gzip", TSR_ZARR_GZIP},    {"zlib", TSR_ZARR_GZIP}, {"zstd", TSR_ZARR_ZSTD},
             {"blosc", TSR_ZARR_BLOSC},  {"lz4", TSR_ZARR_LZ4},   {"shuffle", TSR_ZARR_SHUFFLE},
             {"crc32c", TSR_ZARR_CRC32C}};

/* The part of the build that such a codec needs and that is left out (TSR_WITH_...=OFF); NULL: none is. */
static const char *missing(tsr_zarr_codec_kind kind)
{
#ifndef TSR_HAVE_ZSTD
    if (kind == TSR_ZARR_ZSTD)
        return "ZSTD";
#endif
#ifndef TSR_HAVE_BLOSC
    if (kind == TSR_ZARR_BLOSC)
        return "BLOSC";
#endif
#ifndef TSR_HAVE_LZ4
    if (kind == TSR_ZARR_LZ4)
        return "LZ4";
#endif
    (void)kind;
    return NULL;
}

static bool compresses(tsr_zarr_codec_kind kind)
{
    return kind != TSR_ZARR_SHUFFLE && kind != TSR_ZARR_CRC32C;
}

tsr_status tsr_zarr_codecs_add(tsr_zarr_codecs *codecs, const char *name, size_t element, tsr_error *err)
{
    char shown[TSR_SHOWN_NBYTES];
    if (codecs->n == TSR_ZARR_MAX_CODECS)
        return tsr_fail(err, TSR_LIMIT, "an array has more than %d codecs", TSR_ZARR_MAX_CODECS);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i].name) != 0)
            continue;
        for (int k = 0; compresses(names[i].kind) && k < codecs->n; k++)
            if (compresses(codecs->kind[k]))
                return tsr_fail(err, TSR_UNSUPPORTED,
                                "an array is compressed twice: one compressor is supported");
        if (missing(names[i].kind))
            return tsr_fail_without(missing(names[i].kind), err);
        codecs->kind[codecs->n] = names[i].kind;
        codecs->element[codecs->n++] = element;
        return TSR_OK;
    }
    return tsr_fail(err, TSR_UNSUPPORTED,
                    "an array has the codec '%s', which is not supported: gzip, zlib, zstd, blosc, lz4, "
                    "shuffle and crc32c are",
                    tsr_show(shown, name));
}

/* ---- one codec ---- */

static uint32_t little_word(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* gzip and zlib. */
static bool inflate_all(unsigned char *out, uint64_t nbytes, const unsigned char *in, uint64_t n)
{
    enum { ANY_HEADER = 32 + MAX_WBITS, PIECE = 1 << 30 };
    z_stream z = {.next_in = in};
    int code = inflateInit2(&z, ANY_HEADER) == Z_OK ? Z_OK : Z_MEM_ERROR;
    z.next_out = out;
    while (code == Z_OK) {
        if (z.avail_in == 0) {
            z.avail_in = n < PIECE ? (uInt)n : PIECE;
            n -= z.avail_in;
        }
        if (z.avail_out == 0) {
            z.avail_out = nbytes < PIECE ? (uInt)nbytes : PIECE;
            nbytes -= z.avail_out;
        }
        code = inflate(&z, Z_NO_FLUSH);
    }
    inflateEnd(&z);
    return code == Z_STREAM_END && nbytes == 0 && z.avail_out == 0;
}

/* Without its library, no chunk is of the codec: tsr_zarr_codecs_add has refused it. */
static bool unzstd(unsigned char *out, uint64_t nbytes, const unsigned char *in, uint64_t n)
{
#ifdef TSR_HAVE_ZSTD
    return ZSTD_decompress(out, nbytes, in, n) == nbytes;
#else
    return (void)out, (void)nbytes, (void)in, (void)n, false;
#endif
}

static bool count_unzstd(uint64_t *count, const unsigned char *in, uint64_t n)
{
#ifdef TSR_HAVE_ZSTD
    *count = ZSTD_getFrameContentSize(in, n);
    return *count != ZSTD_CONTENTSIZE_UNKNOWN && *count != ZSTD_CONTENTSIZE_ERROR;
#else
    return (void)count, (void)in, (void)n, false;
#endif
}

static bool count_unblosc(uint64_t *count, const unsigned char *in, uint64_t n)
{
#ifdef TSR_HAVE_BLOSC
    size_t claimed = 0;
    const bool valid = n <= INT32_MAX && blosc_cbuffer_validate(in, n, &claimed) == 0;
    *count = claimed;
    return valid;
#else
    return (void)count, (void)in, (void)n, false;
#endif
}

static bool unblosc(unsigned char *out, uint64_t nbytes, const unsigned char *in, uint64_t n)
{
#ifdef TSR_HAVE_BLOSC
    uint64_t claimed = 0;
    return count_unblosc(&claimed, in, n) && claimed == nbytes &&
           blosc_decompress_ctx(in, out, nbytes, 1) == (int)nbytes;
#else
    return (void)out, (void)nbytes, (void)in, (void)n, false;
#endif
}

static bool unlz4(unsigned char *out, uint64_t nbytes, const unsigned char *in, uint64_t n)
{
#ifdef TSR_HAVE_LZ4
    return n >= LZ4_HEAD_NBYTES && n <= INT32_MAX && nbytes <= INT32_MAX && little_word(in) == nbytes &&
           LZ4_decompress_safe((const char *)in + LZ4_HEAD_NBYTES, (char *)out, (int)n - LZ4_HEAD_NBYTES,
                               (int)nbytes) == (int)nbytes;
#else
    return (void)out, (void)nbytes, (void)in, (void)n, false;
#endif
}

static bool unshuffle(unsigned char *out, uint64_t nbytes, const unsigned char *in, uint64_t n, size_t width)
{
    if (n != nbytes)
        return false;
    const uint64_t count = width ? nbytes / width : 0;
    for (size_t b = 0; b < width; b++)
        for (uint64_t i = 0; i < count; i++)
            out[i * width + b] = in[b * count + i];
    memcpy(out + count * width, in + count * width, nbytes - count * width);
    return true;
}

static bool uncrc(unsigned char *out, uint64_t nbytes, const unsigned char *in, uint64_t n)
{
    if (n != nbytes + CRC_NBYTES || tsr_crc32c(in, nbytes) != little_word(in + nbytes))
        return false;
    memcpy(out, in, nbytes);
    return true;
}

static bool decode_one(unsigned char *out, uint64_t nbytes, const unsigned char *in, uint64_t n,
                       tsr_zarr_codec_kind kind, size_t element)
{
    switch (kind) {
    case TSR_ZARR_GZIP:
        return inflate_all(out, nbytes, in, n);
    case TSR_ZARR_ZSTD:
        return unzstd(out, nbytes, in, n);
    case TSR_ZARR_BLOSC:
        return unblosc(out, nbytes, in, n);
    case TSR_ZARR_LZ4:
        return unlz4(out, nbytes, in, n);
    case TSR_ZARR_SHUFFLE:
        return unshuffle(out, nbytes, in, n, element);
    default:
        return uncrc(out, nbytes, in, n);
    }
}

/* ---- all codecs of a chunk ---- */

/* The bytes before codec k encoded them: all codecs before k keep the number of bytes, or add a checksum. When
 * one of them compresses, k is a codec after it, and the number of bytes follows from the n bytes after k. */
static uint64_t bytes_before(const tsr_zarr_codecs *codecs, int k, uint64_t nbytes, uint64_t n)
{
    for (int i = 0; i < k; i++) {
        if (compresses(codecs->kind[i]))
            return codecs->kind[k] == TSR_ZARR_CRC32C ? (n < CRC_NBYTES ? 0 : n - CRC_NBYTES) : n;
        nbytes += codecs->kind[i] == TSR_ZARR_CRC32C ? CRC_NBYTES : 0;
    }
    return nbytes;
}

static tsr_status wrong_length(uint64_t n, uint64_t nbytes, tsr_error *err)
{
    return tsr_fail(err, TSR_CORRUPT, "a chunk has %" PRIu64 " bytes where %" PRIu64 " are expected", n,
                    nbytes);
}

tsr_status tsr_zarr_codecs_decode_to(unsigned char *out, const tsr_zarr_codecs *codecs,
                                     const unsigned char *in, uint64_t n, uint64_t nbytes, tsr_error *err)
{
    tsr_array last = {0}, now = {0};
    tsr_status status = TSR_OK;
    if (codecs->n == 0) {
        if (n != nbytes)
            return wrong_length(n, nbytes, err);
        memcpy(out, in, nbytes);
        return TSR_OK;
    }
    for (int k = codecs->n - 1; k >= 0 && status == TSR_OK; k--) {
        const uint64_t before = bytes_before(codecs, k, nbytes, n);
        if (k == 0 && before != nbytes)
            status = wrong_length(before, nbytes, err);
        if (k > 0 && status == TSR_OK)
            status = tsr_array_init(&now, before, 1, 0, "a chunk", err);
        if (status == TSR_OK &&
            !decode_one(k > 0 ? now.data : out, before, in, n, codecs->kind[k], codecs->element[k]))
            status = tsr_fail(err, TSR_CORRUPT,
                              "a chunk is damaged: %" PRIu64 " bytes do not decode to the %" PRIu64
                              " that the metadata claims",
                              n, before);
        tsr_array_clear(&last);
        last = now;
        now = (tsr_array){0};
        in = last.data;
        n = before;
    }
    tsr_array_clear(&last);
    return status;
}

tsr_status tsr_zarr_codecs_decode(tsr_array *out, const tsr_zarr_codecs *codecs, const unsigned char *in,
                                  uint64_t n, uint64_t nbytes, tsr_error *err)
{
    TSR_TRY(tsr_array_init(out, nbytes, 1, 0, "a chunk", err));
    const tsr_status status = tsr_zarr_codecs_decode_to(out->data, codecs, in, n, nbytes, err);
    if (status != TSR_OK)
        tsr_array_clear(out);
    return status;
}

/* ---- any number of bytes ---- */

/* Inflate gzip or zlib only to count the bytes, up to `most` and one more. False: damaged. */
static bool count_inflated(uint64_t *count, const unsigned char *in, uint64_t n, uint64_t most)
{
    enum { ANY_HEADER = 32 + MAX_WBITS, ROOM = 1 << 14 };
    unsigned char out[ROOM];
    z_stream z = {.next_in = in, .avail_in = n <= UINT32_MAX ? (uInt)n : 0};
    int code = inflateInit2(&z, ANY_HEADER) == Z_OK ? Z_OK : Z_MEM_ERROR;
    *count = 0;
    while (code == Z_OK && *count <= most) {
        z.next_out = out;
        z.avail_out = ROOM;
        code = inflate(&z, Z_NO_FLUSH);
        *count += ROOM - z.avail_out;
    }
    inflateEnd(&z);
    return code == Z_STREAM_END || *count > most;
}

/* The bytes that the compressor was given, as its own header claims. False: damaged, or not told. */
static bool claimed_bytes(uint64_t *count, tsr_zarr_codec_kind kind, const unsigned char *in, uint64_t n,
                          uint64_t most)
{
    switch (kind) {
    case TSR_ZARR_GZIP:
        return count_inflated(count, in, n, most);
    case TSR_ZARR_ZSTD:
        return count_unzstd(count, in, n);
    case TSR_ZARR_BLOSC:
        return count_unblosc(count, in, n);
    default:
        *count = n >= LZ4_HEAD_NBYTES ? little_word(in) : 0;
        return n >= LZ4_HEAD_NBYTES;
    }
}

tsr_status tsr_zarr_codecs_decode_any(tsr_array *out, const tsr_zarr_codecs *codecs, const unsigned char *in,
                                      uint64_t n, uint64_t most, tsr_error *err)
{
    uint64_t count = n;
    *out = (tsr_array){0};
    for (int k = codecs->n - 1; k >= 0; k--)
        if (codecs->kind[k] == TSR_ZARR_CRC32C)
            count = count < CRC_NBYTES ? 0 : count - CRC_NBYTES;
        else if (compresses(codecs->kind[k]) && !claimed_bytes(&count, codecs->kind[k], in, count, most))
            return tsr_fail(err, TSR_CORRUPT, "a chunk of texts is damaged");
    if (count > most)
        return tsr_fail(err, TSR_LIMIT, "a chunk of texts has more than %" PRIu64 " bytes", most);
    return tsr_zarr_codecs_decode(out, codecs, in, n, count, err);
}
