/* Arena: see tsr_arena.h. A chunk is a header and its bytes; objects are carved from the front. */
#include "tsr_arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "tsr_alloc.h"

struct tsr_arena_chunk {
    tsr_arena_chunk *next;
    size_t nbytes;
    alignas(max_align_t) unsigned char bytes[];
};

enum { CHUNK_NBYTES = 8192 };

void *tsr_arena_alloc(tsr_arena *arena, size_t nbytes)
{
    const size_t align = alignof(max_align_t);
    if (nbytes > SIZE_MAX / 2)
        return NULL;
    nbytes = (nbytes + align - 1) / align * align;
    if (!arena->chunks || nbytes > arena->left) {
        const size_t room = nbytes > CHUNK_NBYTES ? nbytes : CHUNK_NBYTES;
        tsr_arena_chunk *chunk = tsr_malloc(sizeof *chunk + room);
        if (!chunk)
            return NULL;
        *chunk = (tsr_arena_chunk){.next = arena->chunks, .nbytes = room};
        arena->chunks = chunk;
        arena->left = room;
    }
    unsigned char *at = arena->chunks->bytes + (arena->chunks->nbytes - arena->left);
    arena->left -= nbytes;
    return memset(at, 0, nbytes);
}

char *tsr_arena_strndup(tsr_arena *arena, const char *s, size_t n)
{
    char *copy = tsr_arena_alloc(arena, n + 1);
    if (copy)
        memcpy(copy, s, n);
    return copy;
}

void tsr_arena_clear(tsr_arena *arena)
{
    while (arena->chunks) {
        tsr_arena_chunk *next = arena->chunks->next;
        tsr_free(arena->chunks);
        arena->chunks = next;
    }
    arena->left = 0;
}
