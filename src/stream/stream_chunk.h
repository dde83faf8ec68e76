/* The chunks of a bucket, for the files that write them (stream_bucket.c) and read them (stream_list.c). */
#ifndef STREAM_CHUNK_H
#define STREAM_CHUNK_H

#include "stream_internal.h"

enum { STREAM_MAX_CHUNK = 1 << 14 }; /* entries */

typedef struct stream_chunk_header {
    uint32_t n;          /* entries */
    uint32_t nbytes;     /* of what follows */
    uint8_t type;        /* of the values */
    uint8_t value_width; /* 0: not stored */
    uint8_t width[TSR_MAX_ORDER];
    uint8_t unused[6];
} stream_chunk_header;
_Static_assert(sizeof(stream_chunk_header) == 32, "arrays begin at multiples of 8 bytes");

/* Arrays begin at multiples of 8 bytes. */
static inline size_t stream_padded(size_t nbytes)
{
    return (nbytes + 7) / 8 * 8;
}

/* The bytes of an entry in memory. */
static inline size_t stream_entry_nbytes(int order)
{
    return 8 * (size_t)order + TSR_MAX_VALUE_NBYTES;
}

/* The bytes of room in which a chunk of n entries is put together. */
size_t stream_chunk_room_nbytes(int order, size_t n);
/* Add a chunk of from->n entries, 1 to STREAM_MAX_CHUNK, to the file. iso: without values. */
tsr_status stream_chunk_write(stream_file *file, const tsr_run *from, int order, bool iso,
                              unsigned char *room, tsr_error *err) TSR_NODISCARD;

#endif
