/* Moving blocks of elements: past the caches, and turned. The only place that knows vector instructions for
 * it (AVX-512 where the processor has it, SSE2 on every x86-64, plain C elsewhere). */
#ifndef TSR_TILE_H
#define TSR_TILE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Copy rows of nbytes; whole cache lines of `to` are written past the caches: for targets larger than these,
 * whose lines are not read soon. */
void tsr_stream_rows(void *to, ptrdiff_t to_stride, const void *from, ptrdiff_t from_stride, size_t nrows,
                     size_t nbytes);
/* Ask for the lines of these bytes to be brought near. */
static inline void tsr_fetch(const void *from, size_t nbytes)
{
#if defined(__GNUC__)
    const char *const end = (const char *)from + nbytes;
    for (const char *line = (const char *)from - (uintptr_t)from % 64; line < end; line += 64)
        __builtin_prefetch(line, 0, 2);
#else
    (void)from;
    (void)nbytes;
#endif
}
/* Before another thread may read what this one streamed. */
void tsr_stream_end(void);

/* Transpose `nrows` rows of `ncols` elements of `width` bytes (1, 2, 4, 8, 16), rows from_stride bytes apart:
 * element (r, c) goes to row c, column r of `to`, whose rows are to_stride bytes apart. Addresses and strides
 * are aligned for elements of min(width, 8) bytes; the two do not overlap. */
void tsr_transpose(void *to, ptrdiff_t to_stride, const void *from, ptrdiff_t from_stride, size_t nrows,
                   size_t ncols, size_t width);

#ifdef __cplusplus
}
#endif
#endif
