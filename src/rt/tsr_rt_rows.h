/* Pieces of generated kernels that work on the rows of sparse operands, as rising lists of coordinates: sort, search, intersect,
 * unite, multiply. Each has a plain loop; some have another for AVX-512. */
#ifndef TSR_RT_ROWS_H
#define TSR_RT_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* piece sort_u32 (TSR_RT_APART, <stddef.h>): Put a[0..n) into rising order: few of them by counting for each how many come
 * before it, more by their bits from the lowest on, many after cutting them in two. */
TSR_RT_APART static void sort_u32(uint32_t *a, int64_t n)
{
#if defined(__AVX512F__)
    enum { LANES = 64 / sizeof(uint32_t), FEW = 96, MANY = 4096 };
#else
    enum { LANES = 64 / sizeof(uint32_t), FEW = 16, MANY = 4096 };
#endif
    uint32_t copy[MANY];
    if (n <= 1)
        return;
    if (n <= FEW) {
        typedef uint32_t keys __attribute__((vector_size(64)));
        keys lane, block[(FEW + LANES - 1) / LANES], rank[(FEW + LANES - 1) / LANES];
        const int64_t nblocks = (n + LANES - 1) / LANES;
        for (int64_t u = 0; u < LANES; u++)
            lane[u] = (uint32_t)u;
        for (int64_t b = 0; b < nblocks; b++) {
            keys key = {0};
            for (int64_t u = 0; u < LANES; u++)
                key[u] = a[b * LANES + u < n ? b * LANES + u : n - 1];
            block[b] = key | (keys)(lane + (uint32_t)(b * LANES) >= (uint32_t)n);
        }
        for (int64_t b = 0; b < nblocks; b++) {
            const keys key = block[b];
            keys less = {0};
            for (int64_t c = 0; c < b; c++)
                for (int64_t u = 0; u < LANES; u++)
                    less -= (keys)(block[c][u] <= key);
            for (int64_t u = 0; u < LANES; u++)
                less -= (keys)((block[b][u] < key) | ((block[b][u] == key) & ((uint32_t)u < lane)));
            for (int64_t c = b + 1; c < nblocks; c++)
                for (int64_t u = 0; u < LANES; u++)
                    less -= (keys)(block[c][u] < key);
            rank[b] = less;
        }
        for (int64_t i = 0; i < n; i++)
            a[rank[i / LANES][i % LANES]] = block[i / LANES][i % LANES];
    } else if (n <= MANY) {
        /* where the lowest bits of each element are the place of the element, the other bits alone are sorted */
        enum { DIGIT = 9 };
        const int digit = n <= 128 ? 6 : DIGIT;
        uint32_t *from = a, *to = copy, differ = 0, other = 0;
        for (int64_t i = 1; i < n; i++) {
            differ |= a[i] ^ a[0];
            other |= a[i] ^ (uint32_t)i;
        }
        other |= a[0];
        int shift = 0, bits = 0, width;
        while (!(other >> shift & 1) && (int64_t)1 << shift < n)
            shift++;
        shift = (int64_t)1 << shift < n ? 0 : shift;
        while (differ >> shift && !(differ >> shift & 1)) /* places for more elements than there are */
            shift++;
        for (uint32_t rest = differ >> shift; rest > 0; rest >>= 1)
            bits++;
        for (; bits > 0; bits -= width, shift += width) {
            unsigned at[(1 << DIGIT) + 1] = {0};
            const int npasses = (bits + digit - 1) / digit;
            width = (bits + npasses - 1) / npasses;
            const unsigned ones = (1u << width) - 1;
            for (int64_t i = 0; i < n; i++)
                at[(from[i] >> shift & ones) + 1]++;
            for (unsigned k = 1; k <= ones; k++)
                at[k] += at[k - 1];
            for (int64_t i = 0; i < n; i++)
                to[at[from[i] >> shift & ones]++] = from[i];
            uint32_t *const swap = from;
            from = to;
            to = swap;
        }
        for (int64_t i = 0; from != a && i < n; i++)
            a[i] = copy[i];
    } else {
        const uint32_t x = a[0], y = a[n / 2], z = a[n - 1];
        const uint32_t middle = x < y ? (y < z ? y : x < z ? z : x) : (x < z ? x : y < z ? z : y);
        int64_t i = 0, j = n - 1;
        for (;; i++, j--) {
            while (a[i] < middle)
                i++;
            while (middle < a[j])
                j--;
            if (i >= j)
                break;
            const uint32_t swap = a[i];
            a[i] = a[j];
            a[j] = swap;
        }
        sort_u32(a, j + 1);
        sort_u32(a + j + 1, n - j - 1);
    }
}

/* piece sort_list_u32: Put a[0..n) into rising order: long lists are cut in two at a middle element, short ones are sorted by insertion. */
static inline void sort_list_u32(uint32_t *a, int64_t n)
{
    while (n > 16) {
        const uint32_t x = a[0], y = a[n / 2], z = a[n - 1];
        const uint32_t middle = x < y ? (y < z ? y : x < z ? z : x) : (x < z ? x : y < z ? z : y);
        int64_t i = 0, j = n - 1;
        for (;; i++, j--) {
            while (a[i] < middle)
                i++;
            while (middle < a[j])
                j--;
            if (i >= j)
                break;
            const uint32_t swap = a[i];
            a[i] = a[j];
            a[j] = swap;
        }
        sort_list_u32(a, j + 1);
        a += j + 1;
        n -= j + 1;
    }
    for (int64_t i = 1; i < n; i++) {
        const uint32_t moved = a[i];
        int64_t j = i;
        for (; j > 0 && moved < a[j - 1]; j--)
            a[j] = a[j - 1];
        a[j] = moved;
    }
}

/* piece take_u32 (<stddef.h>, <string.h>): The numbers i - base of the marks in [lo, hi) that are set, into list, in
 * rising order; these marks are cleared. Returns how many. Up to 16 elements of list after them are undefined. */
#if defined(__AVX512BW__)
#include <immintrin.h>
#endif
static inline int64_t take_u32(uint32_t *list, uint8_t *mark, int64_t lo, int64_t hi, int64_t base)
{
    int64_t n = 0;
#if defined(__AVX512BW__)
    const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (; lo < hi && sizeof *list == 4; lo += 64) {
        const __mmask64 inside = hi - lo < 64 ? ((__mmask64)1 << (hi - lo)) - 1 : ~(__mmask64)0;
        const __m512i marks = _mm512_maskz_loadu_epi8(inside, mark + lo);
        const __mmask64 set = _mm512_test_epi8_mask(marks, marks);
        if (!set)
            continue;
        _mm512_mask_storeu_epi8(mark + lo, inside, _mm512_setzero_si512());
        for (int k = 0; k < 64; k += 16) {
            const __mmask16 part = (__mmask16)(set >> k);
            const __m512i number = _mm512_add_epi32(lane, _mm512_set1_epi32((int)(lo - base + k)));
            _mm512_storeu_si512(list + n, _mm512_maskz_compress_epi32(part, number));
            n += __builtin_popcount(part);
        }
    }
#endif
    for (; lo < hi; lo += 8) {
        const int64_t end = hi - lo < 8 ? hi - lo : 8;
        uint64_t any = 0;
        memcpy(&any, mark + lo, (size_t)end);
        for (int64_t i = 0; any && i < end; i++) {
            list[n] = (uint32_t)(lo - base + i);
            n += mark[lo + i];
        }
        memset(mark + lo, 0, (size_t)end);
    }
    return n;
}

/* piece seek_u32: The first place in a[lo..n), which rises, with an element of at least `least`; n when there is
 * none. The steps double, so a place near lo is found fast. */
static inline int64_t seek_u32(const uint32_t *a, int64_t lo, int64_t n, uint32_t least)
{
    int64_t step = 1;
    for (; step <= n - lo && a[lo + step - 1] < least; step *= 2)
        lo += step;
    int64_t hi = step <= n - lo ? lo + step - 1 : n;
    while (lo < hi) {
        const int64_t middle = lo + (hi - lo) / 2;
        if (least <= a[middle])
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

/* piece put_places: list[0], list[1]... = first + the numbers of the bits that are set; 16 elements are written. */
#if defined(__AVX512BW__)
#include <immintrin.h>
static inline void put_places(uint64_t *list, unsigned set, int64_t first)
{
    const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i number = _mm512_maskz_compress_epi32((__mmask16)set, lane), base = _mm512_set1_epi64(first);
    const __m512i low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(number));
    const __m512i high = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(number, 1));
    _mm512_storeu_si512(list, _mm512_add_epi64(low, base));
    _mm512_storeu_si512(list + 8, _mm512_add_epi64(high, base));
}
#endif

/* piece equal_lanes: The lanes of x that are equal to a lane of y. */
#if defined(__AVX512BW__)
static inline __mmask16 equal_lanes(__m512i x, __m512i y)
{
    __mmask16 equal = 0;
    for (int u = 0; u < 16; u++) {
        const __m512i one = _mm512_permutexvar_epi32(_mm512_set1_epi32(u), y);
        equal = _kor_mask16(equal, _mm512_cmpeq_epi32_mask(x, one));
    }
    return equal;
}
#endif

/* piece bits_of_u32: Bit a[k] - first set for each of the n elements of a, which rise; n: 1 to 16, a[n - 1] - first: at
 * most 63. */
#if defined(__AVX512BW__) && defined(__BMI2__)
#include <immintrin.h>
static inline uint64_t bits_of_u32(const uint32_t *a, int64_t n, uint32_t first)
{
    const __mmask16 inside = (__mmask16)(65535 >> (16 - n));
    if ((int64_t)(a[n - 1] - a[0]) == n - 1) /* neighbours, as in a band */
        return (uint64_t)inside << (a[0] - first);
    const __m512i place =
        _mm512_sub_epi32(_mm512_maskz_loadu_epi32(inside, a), _mm512_set1_epi32((int)first));
    const __m512i low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(place));
    const __m512i high = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(place, 1));
    const __m512i one = _mm512_set1_epi64(1);
    return (uint64_t)_mm512_reduce_or_epi64(
        _mm512_or_si512(_mm512_maskz_sllv_epi64((__mmask8)inside, one, low),
                        _mm512_maskz_sllv_epi64((__mmask8)(inside >> 8), one, high)));
}
#endif

/* piece match_u32 (seek_u32, put_places, equal_lanes, bits_of_u32): Find the pairs of equal elements of a[i..m) and b[j..n), both rising. found[0]: the number
 * of pairs, at most `most`; found[1], found[2]: the places where the search stopped; then
 * the places of the pairs in a, and from 3 + most on those in b. Blocks of 16 elements are compared all with all, and
 * long stretches of one list alone are skipped. */
static inline void match_u32(uint64_t *found, int64_t most, const uint32_t *a, int64_t i, int64_t m,
                             const uint32_t *b, int64_t j, int64_t n)
{
    int64_t k = 0;
    while (i < m && j < n && k + 16 <= most) {
        const int64_t i_end = m - i > 16 ? i + 16 : m, j_end = n - j > 16 ? j + 16 : n;
        const uint32_t a_top = a[i_end - 1], b_top = b[j_end - 1];
        if (a_top < b[j]) {
            i = seek_u32(a, i_end, m, b[j]);
            continue;
        }
        if (b_top < a[i]) {
            j = seek_u32(b, j_end, n, a[i]);
            continue;
        }
#if defined(__AVX512BW__)
        if (sizeof *a == 4) {
            const __mmask16 in_a = (__mmask16)(65535 >> (16 - (i_end - i)));
            const __mmask16 in_b = (__mmask16)(65535 >> (16 - (j_end - j)));
            /* lanes beyond a list repeat its last element */
            const __m512i x_top = _mm512_set1_epi32((int)a_top), y_top = _mm512_set1_epi32((int)b_top);
            const __m512i x = _mm512_mask_loadu_epi32(x_top, in_a, a + i);
            const __m512i y = _mm512_mask_loadu_epi32(y_top, in_b, b + j);
            __mmask16 equal_a = _mm512_mask_cmpeq_epi32_mask(in_a, x, y), equal_b;
            const uint32_t first = a[i] < b[j] ? a[i] : b[j], last = a_top > b_top ? a_top : b_top;
            if (in_a == in_b && equal_a == in_a) {
                equal_b = in_b;
#if defined(__BMI2__)
            } else if (last - first < 64) {
                const uint64_t p = bits_of_u32(a + i, i_end - i, first);
                const uint64_t q = bits_of_u32(b + j, j_end - j, first);
                equal_a = (__mmask16)_pext_u64(p & q, p);
                equal_b = (__mmask16)_pext_u64(p & q, q);
#endif
            } else {
                equal_a = in_a & equal_lanes(x, y);
                equal_b = equal_a ? in_b & equal_lanes(y, x) : 0;
            }
            if (equal_a) {
                put_places(found + 3 + k, equal_a, i);
                put_places(found + 3 + most + k, equal_b, j);
                k += __builtin_popcount(equal_a);
            }
            i += __builtin_popcount(_mm512_mask_cmple_epu32_mask(in_a, x, y_top));
            j += __builtin_popcount(_mm512_mask_cmple_epu32_mask(in_b, y, x_top));
            continue;
        }
#endif
        while (i < i_end && j < j_end) {
            const uint32_t x = a[i], y = b[j];
            found[3 + k] = (uint64_t)i;
            found[3 + most + k] = (uint64_t)j;
            k += x == y;
            i += x <= y;
            j += y <= x;
        }
    }
    found[0] = (uint64_t)k;
    found[1] = (uint64_t)i;
    found[2] = (uint64_t)j;
}

/* piece unite_few_u32 (bits_of_u32): The union of a[0..m) and b[0..n), which rise, at most 16 elements each: bit k of
 * at[0] is set where a has element k of the union, bit k of at[1] where b has. Returns the number of its elements. */
#if defined(__AVX512BW__) && defined(__BMI2__)
static inline int64_t unite_few_u32(unsigned *at, const uint32_t *a, int64_t m, const uint32_t *b, int64_t n)
{
    const __mmask16 inside = (__mmask16)(65535 >> (16 - m));
    at[0] = inside;
    at[1] = (unsigned)(65535 >> (16 - n));
    if (m == 0 || n == 0)
        return m + n;
    const uint32_t first = a[0] < b[0] ? a[0] : b[0], last = a[m - 1] > b[n - 1] ? a[m - 1] : b[n - 1];
    if (last - first < 64) {
        const uint64_t x = bits_of_u32(a, m, first), y = bits_of_u32(b, n, first);
        at[0] = (unsigned)_pext_u64(x, x | y);
        at[1] = (unsigned)_pext_u64(y, x | y);
        return __builtin_popcountll(x | y);
    }
    const __m512i x = _mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), inside, a);
    unsigned in_b = 0, only_b = 0, more = 0;
    for (int64_t k = 0; k < n; k++) {
        const __m512i y = _mm512_set1_epi32((int)b[k]);
        const unsigned less = _mm512_cmplt_epu32_mask(x, y),
                       equal = _mm512_mask_cmpeq_epi32_mask(inside, x, y);
        const unsigned bit = 1u << (unsigned)(__builtin_popcount(less) + (int)more);
        in_b |= bit;
        only_b |= equal ? 0 : bit;
        more += !equal;
    }
    at[0] = (unsigned)(((uint64_t)1 << (m + more)) - 1) & ~only_b;
    at[1] = in_b;
    return m + more;
}
#endif

/* piece unite_u32 (unite_few_u32): The sum of two sparse rows, x * of_x at a[i..m) and y * of_y at b[j..n), which rise. crd:
 * the coordinates of both, each once, in rising order; sum: the values there. Returns the number of them. With AVX-512
 * up to 16 elements of both rows are united at once, since branches would be predicted right only half of the time. */
static inline int64_t unite_u32(uint32_t *crd, double *sum, const uint32_t *a, const double *x, int64_t i,
                                int64_t m, double of_x, const uint32_t *b, const double *y, int64_t j,
                                int64_t n, double of_y)
{
    int64_t k = 0;
#if defined(__AVX512BW__) && defined(__BMI2__)
    enum { LANES = 64 / sizeof(double), ALL = (1 << LANES) - 1 };
    typedef double values __attribute__((vector_size(64)));
    while (sizeof *a == 4 && i < m && j < n) {
        const int64_t i_end = m - i > 16 ? i + 16 : m, j_end = n - j > 16 ? j + 16 : n;
        int64_t na = i_end - i, nb = j_end - j;
        if (i_end < m || j_end < n) { /* elements beyond the last one read of the other row must wait */
            const uint32_t a_top = i_end < m ? a[i_end - 1] : (uint32_t)-1,
                           b_top = j_end < n ? b[j_end - 1] : (uint32_t)-1;
            const uint32_t top = a_top < b_top ? a_top : b_top;
            const __m512i bound = _mm512_set1_epi32((int)top);
            const __mmask16 in_a = (__mmask16)(65535 >> (16 - na)), in_b = (__mmask16)(65535 >> (16 - nb));
            na = __builtin_popcount(
                _mm512_mask_cmple_epu32_mask(in_a, _mm512_maskz_loadu_epi32(in_a, a + i), bound));
            nb = __builtin_popcount(
                _mm512_mask_cmple_epu32_mask(in_b, _mm512_maskz_loadu_epi32(in_b, b + j), bound));
        }
        unsigned at[2];
        const int64_t count = unite_few_u32(at, a + i, na, b + j, nb);
        for (int64_t l = 0; l < count; l += 16) {
            const __mmask16 here = (__mmask16)(65535 >> (count - l < 16 ? 16 - (count - l) : 0));
            const __mmask16 by_a = (__mmask16)(at[0] >> l), by_b = (__mmask16)(at[1] >> l);
            const unsigned before = (1u << l) - 1;
            const __m512i c =
                _mm512_maskz_expandloadu_epi32(by_a, a + i + __builtin_popcount(at[0] & before));
            const __m512i d =
                _mm512_mask_expandloadu_epi32(c, by_b, b + j + __builtin_popcount(at[1] & before));
            _mm512_mask_storeu_epi32(crd + k + l, here, d);
        }
        for (int64_t l = 0, s = i, t = j; l < count; l += LANES) {
            const unsigned here = (unsigned)(ALL >> (count - l < LANES ? LANES - (count - l) : 0));
            const unsigned by_a = at[0] >> l & ALL, by_b = at[1] >> l & ALL;
            if (sizeof(double) == 8) {
                const __m512i u =
                    (__m512i)((values)_mm512_maskz_expandloadu_epi64((__mmask8)by_a, x + s) * of_x);
                __m512i v = _mm512_mask_expandloadu_epi64(u, (__mmask8)by_b, y + t);
                v = _mm512_mask_mov_epi64(v, (__mmask8)by_b, (__m512i)((values)v * of_y));
                v = _mm512_mask_mov_epi64(v, (__mmask8)(by_a & by_b), (__m512i)((values)u + (values)v));
                _mm512_mask_storeu_epi64(sum + k + l, (__mmask8)here, v);
            } else {
                const __m512i u =
                    (__m512i)((values)_mm512_maskz_expandloadu_epi32((__mmask16)by_a, x + s) * of_x);
                __m512i v = _mm512_mask_expandloadu_epi32(u, (__mmask16)by_b, y + t);
                v = _mm512_mask_mov_epi32(v, (__mmask16)by_b, (__m512i)((values)v * of_y));
                v = _mm512_mask_mov_epi32(v, (__mmask16)(by_a & by_b), (__m512i)((values)u + (values)v));
                _mm512_mask_storeu_epi32(sum + k + l, (__mmask16)here, v);
            }
            s += __builtin_popcount(by_a);
            t += __builtin_popcount(by_b);
        }
        i += na;
        j += nb;
        k += count;
    }
#endif
    while (i < m && j < n) {
        const uint32_t c = a[i], d = b[j];
        const double u = x[i] * of_x, v = y[j] * of_y;
        const double each[3] = {u, u + v, v};
        crd[k] = c < d ? c : d;
        sum[k++] = each[(c >= d) + (d < c)];
        i += c <= d;
        j += d <= c;
    }
    for (; i < m; i++) {
        crd[k] = a[i];
        sum[k++] = x[i] * of_x;
    }
    for (; j < n; j++) {
        crd[k] = b[j];
        sum[k++] = y[j] * of_y;
    }
    return k;
}

/* piece multiply_u32 (bits_of_u32): The product of the sparse row x at a[lo..hi) and a sparse matrix, whose row k has the
 * values y at b[pos[k]..pos[k + 1]), which rise and are in [first, end), of at most 32. crd: the coordinates of the product, in rising
 * order; sum: the values there. Returns the number of them. */
static inline int64_t multiply_u32(uint32_t *crd, double *sum, int64_t first, int64_t end, const uint32_t *a,
                                   const double *x, int64_t lo, int64_t hi, const uint32_t *pos,
                                   const uint32_t *b, const double *y)
{
    int64_t n = 0;
#if defined(__AVX512BW__) && defined(__BMI2__)
    if (sizeof *a == 4) { /* the products are added in registers, 8 coordinates in each */
        __m512d w0 = _mm512_set1_pd(-0.0), w1 = w0, w2 = w0, w3 = w0;
        const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        uint64_t all = 0;
        for (int64_t q = lo; q < hi; q++) {
            const __m512d scale = _mm512_set1_pd(x[q]);
            for (int64_t p = (int64_t)pos[a[q]], p_end = (int64_t)pos[a[q] + 1]; p < p_end; p += 16) {
                const uint64_t bits = bits_of_u32(b + p, p_end - p < 16 ? p_end - p : 16, (uint32_t)first);
                const __mmask8 m0 = (__mmask8)bits, m1 = (__mmask8)(bits >> 8), m2 = (__mmask8)(bits >> 16),
                               m3 = (__mmask8)(bits >> 24);
                const double *const v = y + p, *const v1 = v + __builtin_popcount(m0);
                all |= bits;
                w0 = _mm512_mask_add_pd(w0, m0, w0, _mm512_mul_pd(scale, _mm512_maskz_expandloadu_pd(m0, v)));
                w1 =
                    _mm512_mask_add_pd(w1, m1, w1, _mm512_mul_pd(scale, _mm512_maskz_expandloadu_pd(m1, v1)));
                if (end - first <= 16)
                    continue;
                const double *const v2 = v1 + __builtin_popcount(m1), *const v3 = v2 + __builtin_popcount(m2);
                w2 =
                    _mm512_mask_add_pd(w2, m2, w2, _mm512_mul_pd(scale, _mm512_maskz_expandloadu_pd(m2, v2)));
                w3 =
                    _mm512_mask_add_pd(w3, m3, w3, _mm512_mul_pd(scale, _mm512_maskz_expandloadu_pd(m3, v3)));
            }
        }
        const __m512d w[4] = {w0, w1, w2, w3};
        for (int g = 0; g < 4; g++, all >>= 8) {
            const unsigned set = (unsigned)(all & 255), count = (unsigned)__builtin_popcount(set);
            const __mmask8 here = (__mmask8)((1u << count) - 1);
            const __m512i at = _mm512_add_epi32(lane, _mm512_set1_epi32((int)first + 8 * g));
            _mm512_mask_storeu_epi32(crd + n, here, _mm512_maskz_compress_epi32((__mmask16)set, at));
            _mm512_mask_storeu_pd(sum + n, here, _mm512_maskz_compress_pd((__mmask8)set, w[g]));
            n += count;
        }
        return n;
    }
#endif
    double each[32];
    int has[32] = {0};
    for (int k = 0; k < 32; k++)
        each[k] = -0.0;
    for (int64_t q = lo; q < hi; q++)
        for (int64_t p = (int64_t)pos[a[q]], p_end = (int64_t)pos[a[q] + 1]; p < p_end; p++) {
            each[(int64_t)b[p] - first] += x[q] * y[p];
            has[(int64_t)b[p] - first] = 1;
        }
    for (int64_t k = 0; k < end - first; k++)
        if (has[k]) {
            crd[n] = (uint32_t)(first + k);
            sum[n++] = each[k];
        }
    return n;
}

/* piece end */
#endif
