/* Inflating bytes step by step, from any source: with ISA-L, or with zlib where ISA-L is absent. */
#ifndef INFLATE_STREAM_H
#define INFLATE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "tsr_error.h"

#ifdef TSR_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif

enum { TSR_INFLATE_MAX_RATIO = 1032 }; /* the most bytes that a byte of deflate can give: 258 from 2 bits */

typedef struct tsr_inflate {
    void *ctx;
    /* Read up to n compressed bytes; *got = 0 at the end. */
    tsr_status (*read)(size_t *got, void *ctx, void *out, size_t n, tsr_error *err);
    const char *what; /* "a member of the archive": for messages */
    const unsigned char *next_in;
    size_t avail_in; /* bytes of `in` that are not inflated yet */
#ifdef TSR_HAVE_ISAL
    struct inflate_state engine;
#else
    z_stream engine;
#endif
    unsigned char in[1 << 16];
} tsr_inflate;

/* Begin; the caller has set ctx, read and what. wrapped: the stream has the header and the checksum of zlib, which is
 * checked. On failure there is nothing to end. TSR_NOMEM. */
tsr_status tsr_inflate_begin(tsr_inflate *z, bool wrapped, tsr_error *err) TSR_NODISCARD;
/* Inflate up to n bytes; *got = 0 at the end of the stream (n > 0). TSR_CORRUPT. */
tsr_status tsr_inflate_some(size_t *got, tsr_inflate *z, void *out, size_t n, tsr_error *err) TSR_NODISCARD;
void tsr_inflate_end(tsr_inflate *z);

#endif
