/* Moving blocks of elements: copies past the caches, and transposition. The only file that uses vector
 * instructions for that (AVX-512 where the processor has it, SSE2 on every x86-64, plain C elsewhere). */
#ifndef TSR_TILE_H
#define TSR_TILE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Copy nrows rows of nbytes bytes. Whole cache lines of `to` are written past the caches: use it for targets
 * that are larger than the caches and are not read soon. */
void tsr_stream_rows(void *to, ptrdiff_t to_stride, const void *from, ptrdiff_t from_stride, size_t nrows,
                     size_t nbytes);
/* Prefetch the cache lines of these bytes. The empty statement keeps gcc from leaving out calls of a function that does nothing else. */
static inline void tsr_fetch(const void *from, size_t nbytes)
{
#if defined(__GNUC__)
    __asm__ volatile("");
    const char *const end = (const char *)from + nbytes;
    for (const char *line = (const char *)from - (uintptr_t)from % 64; line < end; line += 64)
        __builtin_prefetch(line, 0, 2);
#else
    (void)from;
    (void)nbytes;
#endif
}
/* Prefetch the cache line of this byte, which is about to be written. Without the instruction by name, compilers ask for
 * the line to be read only; old processors take the instruction for none. */
static inline void tsr_fetch_to(const void *to)
{
#if defined(__GNUC__) && defined(__x86_64__)
    __asm__ volatile("prefetchw %0" ::"m"(*(const char *)to));
#elif defined(__GNUC__)
    __builtin_prefetch(to, 1, 2);
#else
    (void)to;
#endif
}
/* Copy 64 bytes past the caches. `to` is a multiple of 64. */
static inline void tsr_stream_line(void *to, const void *from)
{
#if defined(__SSE2__)
    for (int k = 0; k < 4; k++)
        _mm_stream_si128((__m128i *)to + k, _mm_loadu_si128((const __m128i *)from + k));
#else
    memcpy(to, from, 64);
#endif
}
/* Call this after tsr_stream_rows and tsr_stream_line, before another thread reads the bytes that this thread wrote. */
void tsr_stream_end(void);

/* nrows rows of ncols elements. Rows of `from` are from_stride bytes apart, rows of `to` to_stride bytes. */
typedef struct tsr_tile {
    unsigned char *to;
    const unsigned char *from;
    ptrdiff_t to_stride, from_stride;
    size_t nrows, ncols;
} tsr_tile;
/* Transpose elements of `width` bytes (1, 2, 4, 8, 16): element (r, c) of `from` goes to row c, column r of
 * `to`. Addresses and strides are aligned for elements of min(width, 8) bytes; `from` and `to` do not overlap.
 * The tile is passed by value: with a pointer the compiler would have to reload the fields after every store of
 * bytes. */
void tsr_transpose(tsr_tile tile, size_t width);

#ifdef __cplusplus
}
#endif
#endif
