/* Transposition with vectors of a cache line: squares with sides of 64 bytes. */
#include "tile_internal.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,avx512bw")))
#define UNROLL _Pragma("GCC unroll 16")

bool tile_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

/* Transpose the 4 x 4 lanes of 16 bytes. */
static AVX512 inline void turn_lanes(__m512i *a, __m512i *b, __m512i *c, __m512i *d)
{
    const __m512i p = _mm512_shuffle_i32x4(*a, *b, 0x88), q = _mm512_shuffle_i32x4(*a, *b, 0xdd);
    const __m512i r = _mm512_shuffle_i32x4(*c, *d, 0x88), s = _mm512_shuffle_i32x4(*c, *d, 0xdd);
    *a = _mm512_shuffle_i32x4(p, r, 0x88);
    *b = _mm512_shuffle_i32x4(q, s, 0x88);
    *c = _mm512_shuffle_i32x4(p, r, 0xdd);
    *d = _mm512_shuffle_i32x4(q, s, 0xdd);
}

/* SQUARE(w, lo, hi): 64 / w rows and columns; a lane of 16 bytes holds SIDE elements. In each of four groups
 * of SIDE rows all lanes are transposed at once: interleaving row k with row k + SIDE / 2 rotates the bits of
 * (row, column) by one, so log2(SIDE) such steps swap row and column. Then the lanes are exchanged. */
#define SQUARE(w, lo, hi)                                                          \
    static AVX512 inline void square_##w(tsr_tile p, size_t r0, size_t c0)         \
    {                                                                              \
        enum { SIDE = 16 / (w) };                                                  \
        __m512i x[4][SIDE];                                                        \
        for (size_t g = 0; g < 4; g++) {                                           \
            UNROLL for (size_t k = 0; k < SIDE; k++)                               \
            {                                                                      \
                x[g][k] = _mm512_loadu_si512(TILE_FROM(r0 + g * SIDE + k, c0, w)); \
            }                                                                      \
            for (size_t step = 1; step < SIDE; step *= 2) {                        \
                __m512i y[SIDE];                                                   \
                UNROLL for (size_t k = 0; 2 * k + 1 < SIDE; k++)                   \
                {                                                                  \
                    y[2 * k] = lo(x[g][k], x[g][k + SIDE / 2]);                    \
                    y[2 * k + 1] = hi(x[g][k], x[g][k + SIDE / 2]);                \
                }                                                                  \
                UNROLL for (size_t k = 0; k < SIDE; k++) x[g][k] = y[k];           \
            }                                                                      \
        }                                                                          \
        UNROLL for (size_t k = 0; k < SIDE; k++)                                   \
        {                                                                          \
            turn_lanes(&x[0][k], &x[1][k], &x[2][k], &x[3][k]);                    \
            for (size_t g = 0; g < 4; g++)                                         \
                _mm512_storeu_si512(TILE_TO(c0 + g * SIDE + k, r0, w), x[g][k]);   \
        }                                                                          \
    }                                                                              \
    static AVX512 void transpose_##w(tsr_tile p)                                   \
    {                                                                              \
        const size_t side = TILE_LINE / (w);                                       \
        for (size_t r = 0; r < p.nrows; r += side)                                 \
            for (size_t c = 0; c < p.ncols; c += side)                             \
                square_##w(p, r, c);                                               \
    }

#define NONE(a, b) (a)
SQUARE(1, _mm512_unpacklo_epi8, _mm512_unpackhi_epi8)
SQUARE(2, _mm512_unpacklo_epi16, _mm512_unpackhi_epi16)
SQUARE(4, _mm512_unpacklo_epi32, _mm512_unpackhi_epi32)
SQUARE(8, _mm512_unpacklo_epi64, _mm512_unpackhi_epi64)
SQUARE(16, NONE, NONE)

void tile_transpose_avx512(tsr_tile p, size_t width)
{
    switch (width) {
    case 1:
        transpose_1(p);
        break;
    case 2:
        transpose_2(p);
        break;
    case 4:
        transpose_4(p);
        break;
    case 8:
        transpose_8(p);
        break;
    default:
        transpose_16(p);
    }
}

static AVX512 inline void stream_row(unsigned char *to, const unsigned char *from, size_t nbytes)
{
    const size_t before = (size_t)(-(uintptr_t)to % TILE_LINE), head = before < nbytes ? before : nbytes;
    const size_t lines = (nbytes - head) / TILE_LINE * TILE_LINE, tail = nbytes - head - lines;
    if (head)
        memcpy(to, from, head);
    to += head;
    from += head;
    for (size_t i = 0; i < lines; i += TILE_LINE)
        _mm512_stream_si512((void *)(to + i), _mm512_loadu_si512(from + i));
    if (tail)
        memcpy(to + lines, from + lines, tail);
}

AVX512 void tile_stream_avx512(unsigned char *to, ptrdiff_t to_stride, const unsigned char *from,
                               ptrdiff_t from_stride, size_t nrows, size_t nbytes)
{
    for (; nrows; nrows--, to += to_stride, from += from_stride)
        stream_row(to, from, nbytes);
}

#else

bool tile_has_avx512(void)
{
    return false;
}

void tile_transpose_avx512(tsr_tile p, size_t width)
{
    (void)p;
    (void)width;
}

void tile_stream_avx512(unsigned char *to, ptrdiff_t to_stride, const unsigned char *from,
                        ptrdiff_t from_stride, size_t nrows, size_t nbytes)
{
    (void)to;
    (void)to_stride;
    (void)from;
    (void)from_stride;
    (void)nrows;
    (void)nbytes;
}

#endif
