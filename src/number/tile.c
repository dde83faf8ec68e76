/* Streaming copies and transposition of tiles. A tile has as many rows as a cache line has elements: each
 * source line is read whole before the next one, so that strides of a power of two, whose lines share a cache
 * set, do no harm. */
#include "tsr_tile.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tile_internal.h"
#include "tsr_clones.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { LINE = TILE_LINE };

/* ---- streaming ---- */

#if defined(__SSE2__)

static void stream_row(unsigned char *to, const unsigned char *from, size_t nbytes)
{
    const size_t head = (size_t)(-(uintptr_t)to % LINE);
    if (nbytes < head + LINE) {
        memcpy(to, from, nbytes);
        return;
    }
    memcpy(to, from, head);
    to += head;
    from += head;
    for (nbytes -= head; nbytes >= LINE; nbytes -= LINE, to += LINE, from += LINE) {
        const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)from);
        const __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(from + 16));
        const __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(from + 32));
        const __m128i d = _mm_loadu_si128((const __m128i *)(const void *)(from + 48));
        _mm_stream_si128((__m128i *)(void *)to, a);
        _mm_stream_si128((__m128i *)(void *)(to + 16), b);
        _mm_stream_si128((__m128i *)(void *)(to + 32), c);
        _mm_stream_si128((__m128i *)(void *)(to + 48), d);
    }
    memcpy(to, from, nbytes);
}

void tsr_stream_end(void)
{
    _mm_sfence();
}

#else

static void stream_row(unsigned char *to, const unsigned char *from, size_t nbytes)
{
    memcpy(to, from, nbytes);
}

void tsr_stream_end(void) {}

#endif

void tsr_stream_rows(void *to, ptrdiff_t to_stride, const void *from, ptrdiff_t from_stride, size_t nrows,
                     size_t nbytes)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if (tile_has_avx512())
        tile_stream_avx512(t, to_stride, f, from_stride, nrows, nbytes);
    else
        for (; nrows; nrows--, t += to_stride, f += from_stride)
            stream_row(t, f, nbytes);
}

/* ---- transposition in plain C ---- */

/* PLAIN(name, ctype): one element at a time. */
#define PLAIN(name, ctype)                                                                                   \
    static void name(tsr_tile p)                                                                             \
    {                                                                                                        \
        for (size_t r = 0; r < p.nrows; r++) {                                                               \
            const ctype *from = TILE_FROM(r, 0, 1);                                                          \
            for (size_t c = 0; c < p.ncols; c++)                                                             \
                *(ctype *)TILE_TO(c, r, sizeof(ctype)) = from[c];                                            \
        }                                                                                                    \
    }                                                                                                        \
    /* Two or four whole rows become adjacent elements: loops that compilers vectorise. */                   \
                                                                                                             \
    TSR_CLONES static void name##_zip2(ctype *restrict to, const ctype *restrict a, const ctype *restrict b, \
                                       size_t n)                                                             \
    {                                                                                                        \
        for (size_t i = 0; i < n; i++) {                                                                     \
            to[2 * i] = a[i];                                                                                \
            to[2 * i + 1] = b[i];                                                                            \
        }                                                                                                    \
    }                                                                                                        \
    TSR_CLONES static void name##_unzip2(ctype *restrict a, ctype *restrict b, const ctype *restrict from,   \
                                         size_t n)                                                           \
    {                                                                                                        \
        for (size_t i = 0; i < n; i++) {                                                                     \
            a[i] = from[2 * i];                                                                              \
            b[i] = from[2 * i + 1];                                                                          \
        }                                                                                                    \
    }                                                                                                        \
    TSR_CLONES static void name##_zip4(ctype *restrict to, const ctype *restrict a, const ctype *restrict b, \
                                       const ctype *restrict c, const ctype *restrict d, size_t n)           \
    {                                                                                                        \
        for (size_t i = 0; i < n; i++) {                                                                     \
            to[4 * i] = a[i];                                                                                \
            to[4 * i + 1] = b[i];                                                                            \
            to[4 * i + 2] = c[i];                                                                            \
            to[4 * i + 3] = d[i];                                                                            \
        }                                                                                                    \
    }                                                                                                        \
    TSR_CLONES static void name##_unzip4(ctype *restrict a, ctype *restrict b, ctype *restrict c,            \
                                         ctype *restrict d, const ctype *restrict from, size_t n)            \
    {                                                                                                        \
        for (size_t i = 0; i < n; i++) {                                                                     \
            a[i] = from[4 * i];                                                                              \
            b[i] = from[4 * i + 1];                                                                          \
            c[i] = from[4 * i + 2];                                                                          \
            d[i] = from[4 * i + 3];                                                                          \
        }                                                                                                    \
    }                                                                                                        \
    /* Transpose one of these shapes; false if p has another shape. */                                       \
                                                                                                             \
    static bool name##_zip(tsr_tile p)                                                                       \
    {                                                                                                        \
        const size_t w = sizeof(ctype), nr = p.nrows, nc = p.ncols;                                          \
        if ((nr == 2 || nr == 4) && p.to_stride == (ptrdiff_t)(nr * w)) {                                    \
            void *to = p.to;                                                                                 \
            const void *a = TILE_FROM(0, 0, w), *b = TILE_FROM(1, 0, w);                                     \
            if (nr == 2)                                                                                     \
                name##_zip2(to, a, b, nc);                                                                   \
            else                                                                                             \
                name##_zip4(to, a, b, TILE_FROM(2, 0, w), TILE_FROM(3, 0, w), nc);                           \
            return true;                                                                                     \
        }                                                                                                    \
        if ((nc == 2 || nc == 4) && p.from_stride == (ptrdiff_t)(nc * w)) {                                  \
            const void *from = p.from;                                                                       \
            void *a = TILE_TO(0, 0, w), *b = TILE_TO(1, 0, w);                                               \
            if (nc == 2)                                                                                     \
                name##_unzip2(a, b, from, nr);                                                               \
            else                                                                                             \
                name##_unzip4(a, b, TILE_TO(2, 0, w), TILE_TO(3, 0, w), from, nr);                           \
            return true;                                                                                     \
        }                                                                                                    \
        return false;                                                                                        \
    }

PLAIN(plain_1, uint8_t)
PLAIN(plain_2, uint16_t)
PLAIN(plain_4, uint32_t)
PLAIN(plain_8, uint64_t)

/* The part of p from row r and column c on. */
static tsr_tile rest(tsr_tile p, size_t r, size_t c, size_t width)
{
    return (tsr_tile){TILE_TO(c, r, width), TILE_FROM(r, c, width), p.to_stride, p.from_stride, p.nrows - r,
                      p.ncols - c};
}

/* ---- transposition with vectors ---- */

#if defined(__SSE2__)

/* Squares of 16 bytes: interleaving row k with row k + side / 2 rotates the bits of (row, column) by one, so
 * log2(side) such steps swap row and column. The last squares overlap the squares before them. Where a few
 * rows become adjacent elements, or the reverse, each vector of a square overlaps the vector before it. */
#define SQUARES(w, lo, hi)                                                                                   \
    static inline void square_##w(tsr_tile p, size_t r, size_t c, size_t nrows, size_t ncols)                \
    {                                                                                                        \
        enum { SIDE = 16 / (w) };                                                                            \
        __m128i x[SIDE], y[SIDE];                                                                            \
        for (size_t k = 0; k < SIDE; k++)                                                                    \
            x[k] = k < nrows ? _mm_loadu_si128(TILE_FROM(r + k, c, w)) : _mm_setzero_si128();                \
        for (size_t step = 1; step < SIDE; step *= 2) {                                                      \
            for (size_t k = 0; k < SIDE / 2; k++) {                                                          \
                y[2 * k] = lo(x[k], x[k + SIDE / 2]);                                                        \
                y[2 * k + 1] = hi(x[k], x[k + SIDE / 2]);                                                    \
            }                                                                                                \
            memcpy(x, y, sizeof x);                                                                          \
        }                                                                                                    \
        for (size_t k = 0; k < SIDE; k++)                                                                    \
            if (k < ncols)                                                                                   \
                _mm_storeu_si128(TILE_TO(c + k, r, w), x[k]);                                                \
    }                                                                                                        \
    static void few_##w(tsr_tile p)                                                                          \
    {                                                                                                        \
        enum { SIDE = 16 / (w) };                                                                            \
        size_t r = 0, c = 0; /* a whole vector must not reach beyond the last element of the other matrix */ \
        if (p.nrows < SIDE && p.to_stride == (ptrdiff_t)(p.nrows * (w)))                                     \
            for (; (c + SIDE - 1) * p.nrows + SIDE <= p.ncols * p.nrows; c += SIDE)                          \
                square_##w(p, 0, c, p.nrows, SIDE);                                                          \
        else if (p.ncols < SIDE && p.from_stride == (ptrdiff_t)(p.ncols * (w)))                              \
            for (; (r + SIDE - 1) * p.ncols + SIDE <= p.ncols * p.nrows; r += SIDE)                          \
                square_##w(p, r, 0, SIDE, p.ncols);                                                          \
        plain_##w(rest(p, r, c, w));                                                                         \
    }                                                                                                        \
    static void turn_##w(tsr_tile p)                                                                         \
    {                                                                                                        \
        enum { SIDE = 16 / (w) };                                                                            \
        if (p.nrows < SIDE || p.ncols < SIDE) {                                                              \
            few_##w(p);                                                                                      \
            return;                                                                                          \
        }                                                                                                    \
        for (size_t r = 0; r < p.nrows; r += SIDE) {                                                         \
            const size_t row = r + SIDE <= p.nrows ? r : p.nrows - SIDE;                                     \
            for (size_t c = 0; c < p.ncols; c += SIDE)                                                       \
                square_##w(p, row, c + SIDE <= p.ncols ? c : p.ncols - SIDE, SIDE, SIDE);                    \
        }                                                                                                    \
    }

#else

#define SQUARES(w, lo, hi)           \
    static void turn_##w(tsr_tile p) \
    {                                \
        plain_##w(p);                \
    }

#endif

SQUARES(1, _mm_unpacklo_epi8, _mm_unpackhi_epi8)
SQUARES(2, _mm_unpacklo_epi16, _mm_unpackhi_epi16)
SQUARES(4, _mm_unpacklo_epi32, _mm_unpackhi_epi32)
SQUARES(8, _mm_unpacklo_epi64, _mm_unpackhi_epi64)

static void turn_16(tsr_tile p)
{
    for (size_t r = 0; r < p.nrows; r++)
        for (size_t c = 0; c < p.ncols; c++)
            memcpy(TILE_TO(c, r, 16), TILE_FROM(r, c, 16), 16);
}

static void transpose(tsr_tile p, size_t width)
{
    switch (width) {
    case 1:
        turn_1(p);
        break;
    case 2:
        turn_2(p);
        break;
    case 4:
        turn_4(p);
        break;
    case 8:
        turn_8(p);
        break;
    default:
        turn_16(p);
    }
}

/* Handle two or four rows that become one, or the reverse; false if p has another shape. */
static bool zip(tsr_tile p, size_t width)
{
    switch (width) {
    case 1:
        return plain_1_zip(p);
    case 2:
        return plain_2_zip(p);
    case 4:
        return plain_4_zip(p);
    case 8:
        return plain_8_zip(p);
    default:
        return false;
    }
}

/* The start of the last n - whole of n elements, or an earlier start if these are too few for a vector. */
static size_t last(size_t n, size_t whole, size_t width)
{
    const size_t enough = 16 / width;
    return n - whole >= enough || n < enough ? whole : n - enough;
}

void tsr_transpose(tsr_tile p, size_t width)
{
    const size_t nrows = p.nrows, ncols = p.ncols;
    const size_t side = LINE / width, nr = nrows / side * side, nc = ncols / side * side;
    tsr_tile whole = p;
    if (zip(p, width))
        return;
    if (nr == 0 || nc == 0 || !tile_has_avx512()) {
        transpose(p, width);
        return;
    }
    whole.nrows = nr;
    whole.ncols = nc;
    tile_transpose_avx512(whole, width);
    if (nr < nrows)
        transpose(rest(p, last(nrows, nr, width), 0, width), width);
    whole.ncols = ncols;
    if (nc < ncols)
        transpose(rest(whole, 0, last(ncols, nc, width), width), width);
}
