/* Arena: many small objects that are freed together (expressions, tokens). Not thread-safe. */
#ifndef TSR_ARENA_H
#define TSR_ARENA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_arena_chunk tsr_arena_chunk;

typedef struct tsr_arena {
    tsr_arena_chunk *chunks; /* newest chunk first */
    size_t left;             /* free bytes in the newest chunk */
} tsr_arena;

/* {0} is an empty arena. Returns nbytes of zeroed memory aligned for any object, or NULL. */
void *tsr_arena_alloc(tsr_arena *arena, size_t nbytes);
/* A copy of the n bytes at s, with a NUL after them, or NULL. */
char *tsr_arena_strndup(tsr_arena *arena, const char *s, size_t n);
/* Free everything; the arena is empty again. */
void tsr_arena_clear(tsr_arena *arena);

#ifdef __cplusplus
}
#endif
#endif
