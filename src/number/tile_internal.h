/* What tile.c and tile_avx512.c share. */
#ifndef TILE_INTERNAL_H
#define TILE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_tile.h"

enum { TILE_LINE = 64 }; /* bytes of a cache line */

#define TILE_FROM(r, c, w) ((const void *)(p.from + (ptrdiff_t)(r)*p.from_stride + (size_t)(c) * (w)))
#define TILE_TO(r, c, w) ((void *)(p.to + (ptrdiff_t)(r)*p.to_stride + (size_t)(c) * (w)))

/* Whether both this processor and the compiler have AVX-512 F and BW. The two functions below may be called
 * only then. */
bool tile_has_avx512(void);
/* Transpose the whole cache lines of p: rows and columns that do not fill a line are left out. */
void tile_transpose_avx512(tsr_tile p, size_t width);
/* The same as tsr_stream_rows. */
void tile_stream_avx512(unsigned char *to, ptrdiff_t to_stride, const unsigned char *from,
                        ptrdiff_t from_stride, size_t nrows, size_t nbytes);

#endif
