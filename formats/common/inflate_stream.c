/* Inflating bytes step by step: see inflate_stream.h. */
#include "inflate_stream.h"

#ifdef TSR_HAVE_ISAL

static bool begin(tsr_inflate *z, bool wrapped)
{
    isal_inflate_init(&z->engine);
    z->engine.crc_flag = wrapped ? ISAL_ZLIB : ISAL_DEFLATE;
    return true;
}

void tsr_inflate_end(tsr_inflate *z)
{
    (void)z;
}

/* Inflate to out[0..room). *n: the bytes written. *ended: the stream is complete. */
static bool step(size_t *n, bool *ended, tsr_inflate *z, unsigned char *out, uint32_t room)
{
    z->engine.next_in = (uint8_t *)(uintptr_t)z->next_in; /* not changed */
    z->engine.avail_in = (uint32_t)z->avail_in;
    z->engine.next_out = out;
    z->engine.avail_out = room;
    const int code = isal_inflate(&z->engine);
    z->next_in = z->engine.next_in;
    z->avail_in = z->engine.avail_in;
    *n = room - z->engine.avail_out;
    *ended = z->engine.block_state == ISAL_BLOCK_FINISH;
    return code == ISAL_DECOMP_OK || code == ISAL_END_INPUT || code == ISAL_OUT_OVERFLOW;
}

#else

static bool begin(tsr_inflate *z, bool wrapped)
{
    z->engine = (z_stream){.next_in = NULL};
    return inflateInit2(&z->engine, wrapped ? MAX_WBITS : -MAX_WBITS) == Z_OK;
}

void tsr_inflate_end(tsr_inflate *z)
{
    (void)inflateEnd(&z->engine);
}

static bool step(size_t *n, bool *ended, tsr_inflate *z, unsigned char *out, uint32_t room)
{
    z->engine.next_in = (Bytef *)(uintptr_t)z->next_in; /* not changed */
    z->engine.avail_in = (uInt)z->avail_in;
    z->engine.next_out = out;
    z->engine.avail_out = room;
    const int code = inflate(&z->engine, Z_NO_FLUSH);
    z->next_in = z->engine.next_in;
    z->avail_in = z->engine.avail_in;
    *n = room - z->engine.avail_out;
    *ended = code == Z_STREAM_END;
    return code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR;
}

#endif

tsr_status tsr_inflate_begin(tsr_inflate *z, bool wrapped, tsr_error *err)
{
    z->next_in = z->in;
    z->avail_in = 0;
    return begin(z, wrapped) ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
}

static tsr_status damaged(const tsr_inflate *z, const char *how, tsr_error *err)
{
    return tsr_fail(err, TSR_CORRUPT, "%s is damaged: the compressed bytes %s", z->what, how);
}

tsr_status tsr_inflate_some(size_t *got, tsr_inflate *z, void *out, size_t n, tsr_error *err)
{
    enum { MOST = 1 << 24 };
    bool ended = false;
    for (*got = 0; *got == 0 && !ended;) {
        if (z->avail_in == 0) {
            z->next_in = z->in;
            TSR_TRY(z->read(&z->avail_in, z->ctx, z->in, sizeof z->in, err));
        }
        const size_t before = z->avail_in;
        if (!step(got, &ended, z, out, n < MOST ? (uint32_t)n : MOST) ||
            (*got == 0 && !ended && z->avail_in == before && before > 0))
            return damaged(z, "have no meaning", err);
        if (*got == 0 && !ended && before == 0)
            return damaged(z, "end too early", err);
    }
    return TSR_OK;
}
