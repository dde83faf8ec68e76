/* Streaming copies and transposing tiles. A tile of a cache line's rows at a time: each source line is read
 * whole before the next one, so that strides of a power of two, whose lines share a cache set, do no harm. */
#include "tsr_tile.h"

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { LINE = 64 };

/* ---- streaming ---- */

#if defined(__SSE2__)

void tsr_stream_copy(void *to, const void *from, size_t nbytes)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    const size_t head = (size_t)(-(uintptr_t)t % LINE);
    if (nbytes < head + LINE) {
        memcpy(t, f, nbytes);
        return;
    }
    memcpy(t, f, head);
    t += head;
    f += head;
    nbytes -= head;
    for (; nbytes >= LINE; nbytes -= LINE, t += LINE, f += LINE) {
        const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)f);
        const __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(f + 16));
        const __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(f + 32));
        const __m128i d = _mm_loadu_si128((const __m128i *)(const void *)(f + 48));
        _mm_stream_si128((__m128i *)(void *)t, a);
        _mm_stream_si128((__m128i *)(void *)(t + 16), b);
        _mm_stream_si128((__m128i *)(void *)(t + 32), c);
        _mm_stream_si128((__m128i *)(void *)(t + 48), d);
    }
    memcpy(t, f, nbytes);
}

void tsr_stream_end(void)
{
    _mm_sfence();
}

#else

void tsr_stream_copy(void *to, const void *from, size_t nbytes)
{
    memcpy(to, from, nbytes);
}

void tsr_stream_end(void) {}

#endif

void tsr_fetch(const void *from, size_t nbytes)
{
#if defined(__GNUC__)
    const unsigned char *f = from;
    for (size_t i = 0; i < nbytes; i += LINE)
        __builtin_prefetch(f + i, 0, 2);
    __builtin_prefetch(f + nbytes - 1, 0, 2);
#endif
}

/* ---- transposing, plainly ---- */

/* Handed on by value: a store of bytes might change what a pointer leads to. */
typedef struct part {
    unsigned char *to;
    const unsigned char *from;
    ptrdiff_t to_stride, from_stride;
    size_t nrows, ncols;
} part;

#define FROM(r, c, w) (p.from + (ptrdiff_t)(r)*p.from_stride + (c) * (w))
#define TO(r, c, w) (p.to + (ptrdiff_t)(r)*p.to_stride + (c) * (w))

/* PLAIN(name, ctype): rows [r0, nrows) x columns [c0, ncols), an element at a time. */
#define PLAIN(name, ctype)                                                                                  \
    static void name(part p, size_t r0, size_t c0)                                                          \
    {                                                                                                       \
        for (size_t r = r0; r < p.nrows; r++) {                                                             \
            const ctype *from = (const ctype *)(const void *)FROM(r, 0, 1);                                 \
            for (size_t c = c0; c < p.ncols; c++)                                                           \
                *(ctype *)(void *)TO(c, r, sizeof(ctype)) = from[c];                                        \
        }                                                                                                   \
    }                                                                                                       \
    /* Two or four whole rows that become adjacent elements: loops that compilers turn into vectors. */     \
    static void name##_zip2(ctype *restrict to, const ctype *restrict a, const ctype *restrict b, size_t n) \
    {                                                                                                       \
        for (size_t i = 0; i < n; i++) {                                                                    \
            to[2 * i] = a[i];                                                                               \
            to[2 * i + 1] = b[i];                                                                           \
        }                                                                                                   \
    }                                                                                                       \
    static void name##_unzip2(ctype *restrict a, ctype *restrict b, const ctype *restrict from, size_t n)   \
    {                                                                                                       \
        for (size_t i = 0; i < n; i++) {                                                                    \
            a[i] = from[2 * i];                                                                             \
            b[i] = from[2 * i + 1];                                                                         \
        }                                                                                                   \
    }                                                                                                       \
    static void name##_zip4(ctype *restrict to, const ctype *restrict a, const ctype *restrict b,           \
                            const ctype *restrict c, const ctype *restrict d, size_t n)                     \
    {                                                                                                       \
        for (size_t i = 0; i < n; i++) {                                                                    \
            to[4 * i] = a[i];                                                                               \
            to[4 * i + 1] = b[i];                                                                           \
            to[4 * i + 2] = c[i];                                                                           \
            to[4 * i + 3] = d[i];                                                                           \
        }                                                                                                   \
    }                                                                                                       \
    static void name##_unzip4(ctype *restrict a, ctype *restrict b, ctype *restrict c, ctype *restrict d,   \
                              const ctype *restrict from, size_t n)                                         \
    {                                                                                                       \
        for (size_t i = 0; i < n; i++) {                                                                    \
            a[i] = from[4 * i];                                                                             \
            b[i] = from[4 * i + 1];                                                                         \
            c[i] = from[4 * i + 2];                                                                         \
            d[i] = from[4 * i + 3];                                                                         \
        }                                                                                                   \
    }                                                                                                       \
    /* True when it was one of these. */                                                                    \
    static int name##_zip(part p)                                                                           \
    {                                                                                                       \
        const size_t w = sizeof(ctype), nr = p.nrows, nc = p.ncols;                                         \
        if ((nr == 2 || nr == 4) && p.to_stride == (ptrdiff_t)(nr * w)) {                                   \
            void *to = p.to;                                                                                \
            const void *a = FROM(0, 0, w), *b = FROM(1, 0, w);                                              \
            if (nr == 2)                                                                                    \
                name##_zip2(to, a, b, nc);                                                                  \
            else                                                                                            \
                name##_zip4(to, a, b, (const void *)FROM(2, 0, w), (const void *)FROM(3, 0, w), nc);        \
            return 1;                                                                                       \
        }                                                                                                   \
        if ((nc == 2 || nc == 4) && p.from_stride == (ptrdiff_t)(nc * w)) {                                 \
            const void *from = p.from;                                                                      \
            void *a = TO(0, 0, w), *b = TO(1, 0, w);                                                        \
            if (nc == 2)                                                                                    \
                name##_unzip2(a, b, from, nr);                                                              \
            else                                                                                            \
                name##_unzip4(a, b, (void *)TO(2, 0, w), (void *)TO(3, 0, w), from, nr);                    \
            return 1;                                                                                       \
        }                                                                                                   \
        return 0;                                                                                           \
    }

PLAIN(plain_1, uint8_t)
PLAIN(plain_2, uint16_t)
PLAIN(plain_4, uint32_t)
PLAIN(plain_8, uint64_t)

/* ---- transposing by vectors ---- */

#if defined(__SSE2__)

#define LOAD(r, c, w) _mm_loadu_si128((const __m128i *)(const void *)FROM(r, c, w))
#define LOAD_HALF(r, c, w) _mm_loadl_epi64((const __m128i *)(const void *)FROM(r, c, w))
#define STORE(r, c, w, v) _mm_storeu_si128((__m128i *)(void *)TO(r, c, w), v)
#define STORE_HALF(r, c, w, v) _mm_storel_epi64((__m128i *)(void *)TO(r, c, w), v)
#define STORE_UPPER(r, c, w, v) STORE_HALF(r, c, w, _mm_unpackhi_epi64(v, v))

/* 8 x 8 bytes. */
static void tile_1(part p, size_t r, size_t c)
{
    __m128i a[4], b[4];
    for (size_t k = 0; k < 4; k++)
        a[k] = _mm_unpacklo_epi8(LOAD_HALF(r + 2 * k, c, 1), LOAD_HALF(r + 2 * k + 1, c, 1));
    b[0] = _mm_unpacklo_epi16(a[0], a[1]); /* columns 0 to 3 of rows 0 to 3 */
    b[1] = _mm_unpackhi_epi16(a[0], a[1]);
    b[2] = _mm_unpacklo_epi16(a[2], a[3]);
    b[3] = _mm_unpackhi_epi16(a[2], a[3]);
    for (size_t k = 0; k < 2; k++) {
        const __m128i lo = _mm_unpacklo_epi32(b[k], b[k + 2]), hi = _mm_unpackhi_epi32(b[k], b[k + 2]);
        STORE_HALF(c + 4 * k, r, 1, lo);
        STORE_UPPER(c + 4 * k + 1, r, 1, lo);
        STORE_HALF(c + 4 * k + 2, r, 1, hi);
        STORE_UPPER(c + 4 * k + 3, r, 1, hi);
    }
}

/* 8 x 8 elements of 2 bytes. */
static void tile_2(part p, size_t r, size_t c)
{
    __m128i a[8], b[8];
    for (size_t k = 0; k < 4; k++) {
        const __m128i x = LOAD(r + 2 * k, c, 2), y = LOAD(r + 2 * k + 1, c, 2);
        a[k] = _mm_unpacklo_epi16(x, y);
        a[k + 4] = _mm_unpackhi_epi16(x, y);
    }
    for (size_t k = 0; k < 8; k += 4) {
        b[k] = _mm_unpacklo_epi32(a[k], a[k + 1]); /* two columns of rows 0 to 3 */
        b[k + 1] = _mm_unpackhi_epi32(a[k], a[k + 1]);
        b[k + 2] = _mm_unpacklo_epi32(a[k + 2], a[k + 3]);
        b[k + 3] = _mm_unpackhi_epi32(a[k + 2], a[k + 3]);
        for (size_t m = 0; m < 2; m++) {
            STORE(c + k + 2 * m, r, 2, _mm_unpacklo_epi64(b[k + m], b[k + m + 2]));
            STORE(c + k + 2 * m + 1, r, 2, _mm_unpackhi_epi64(b[k + m], b[k + m + 2]));
        }
    }
}

/* 4 x 4 elements of 4 bytes. */
static void tile_4(part p, size_t r, size_t c)
{
    const __m128i x0 = LOAD(r, c, 4), x1 = LOAD(r + 1, c, 4), x2 = LOAD(r + 2, c, 4), x3 = LOAD(r + 3, c, 4);
    const __m128i a = _mm_unpacklo_epi32(x0, x1), b = _mm_unpackhi_epi32(x0, x1);
    const __m128i d = _mm_unpacklo_epi32(x2, x3), e = _mm_unpackhi_epi32(x2, x3);
    STORE(c, r, 4, _mm_unpacklo_epi64(a, d));
    STORE(c + 1, r, 4, _mm_unpackhi_epi64(a, d));
    STORE(c + 2, r, 4, _mm_unpacklo_epi64(b, e));
    STORE(c + 3, r, 4, _mm_unpackhi_epi64(b, e));
}

/* 2 x 2 elements of 8 bytes. */
static void tile_8(part p, size_t r, size_t c)
{
    const __m128i a = LOAD(r, c, 8), b = LOAD(r + 1, c, 8);
    STORE(c, r, 8, _mm_unpacklo_epi64(a, b));
    STORE(c + 1, r, 8, _mm_unpackhi_epi64(a, b));
}

#define TRANSPOSE(w, side)                                                           \
    static void transpose_##w(part p)                                                \
    {                                                                                \
        const size_t nr = p.nrows / (side) * (side), nc = p.ncols / (side) * (side); \
        if (plain_##w##_zip(p))                                                      \
            return;                                                                  \
        for (size_t r = 0; r < nr; r += (side))                                      \
            for (size_t c = 0; c < nc; c += (side))                                  \
                tile_##w(p, r, c);                                                   \
        if (nr < p.nrows)                                                            \
            plain_##w(p, nr, 0);                                                     \
        if (nc < p.ncols) {                                                          \
            part upper = p;                                                          \
            upper.nrows = nr;                                                        \
            plain_##w(upper, 0, nc);                                                 \
        }                                                                            \
    }

#else

#define TRANSPOSE(w, side)            \
    static void transpose_##w(part p) \
    {                                 \
        if (!plain_##w##_zip(p))      \
            plain_##w(p, 0, 0);       \
    }

#endif

TRANSPOSE(1, 8)
TRANSPOSE(2, 8)
TRANSPOSE(4, 4)
TRANSPOSE(8, 2)

static void transpose_16(part p)
{
    for (size_t r = 0; r < p.nrows; r++)
        for (size_t c = 0; c < p.ncols; c++)
            memcpy(TO(c, r, 16), FROM(r, c, 16), 16);
}

void tsr_transpose(void *to, ptrdiff_t to_stride, const void *from, ptrdiff_t from_stride, size_t nrows,
                   size_t ncols, size_t width)
{
    const part p = {to, from, to_stride, from_stride, nrows, ncols};
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
