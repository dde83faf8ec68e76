/* Pieces of generated kernels that work on the rows of sparse operands, as rising lists of coordinates: sort, search, intersect,
 * unite, multiply. Each has a plain loop; some have another for AVX-512. */
#ifndef TSR_RT_ROWS_H
#define TSR_RT_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tsr_rt_wide.h"

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

/* piece take_u32 (WIDE, <stddef.h>, <string.h>): The numbers i - base of the marks in [lo, hi) that are set, into list, in
 * rising order; these marks are cleared. Returns how many. Up to 16 elements of list after them are undefined. */
static inline int64_t take_u32(uint32_t *list, uint8_t *mark, int64_t lo, int64_t hi, int64_t base)
{
    int64_t n = 0;
#if defined(TSR_RT_WIDE)
    for (; lo < hi && sizeof *list == 4; lo += 64) {
        const uint64_t inside = hi - lo < 64 ? ((uint64_t)1 << (hi - lo)) - 1 : ~(uint64_t)0;
        const uint64_t set = wide_set64(wide_load64(inside, mark + lo));
        if (!set)
            continue;
        wide_store64(inside, mark + lo, wide_all(0));
        for (int k = 0; k < 64; k += 16) {
            const uint16_t part = (uint16_t)(set >> k);
            wide_store16(65535, list + n,
                         wide_compress16(part, wide_lanes() + wide_all((unsigned)(lo - base + k))));
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

/* piece put_places (WIDE): list[0], list[1]... = first + the numbers of the bits that are set; 16 elements are written. */
#if defined(TSR_RT_WIDE)
static inline void put_places(uint64_t *list, unsigned set, int64_t first)
{
    const wide16 number = wide_compress16((uint16_t)set, wide_lanes());
    const wide8 base = wide_all8((unsigned long long)first);
    wide_store8(255, list, wide_low(number) + base);
    wide_store8(255, list + 8, wide_high(number) + base);
}
#endif

/* piece equal_lanes (WIDE): The lanes of x that are equal to a lane of y. */
#if defined(TSR_RT_WIDE)
static inline uint16_t equal_lanes(wide16 x, wide16 y)
{
    uint16_t equal = 0;
    for (unsigned u = 0; u < 16; u++)
        equal = (uint16_t)(equal | wide_equal(x, wide_spread(y, u)));
    return equal;
}
#endif

/* piece bits_of_u32 (WIDE): Bit a[k] - first set for each of the n elements of a, which rise; n: 1 to 16, a[n - 1] - first: at
 * most 63. */
#if defined(TSR_RT_WIDE)
static inline uint64_t bits_of_u32(const uint32_t *a, int64_t n, uint32_t first)
{
    const uint16_t inside = (uint16_t)(65535 >> (16 - n));
    if ((int64_t)(a[n - 1] - a[0]) == n - 1) /* neighbours, as in a band */
        return (uint64_t)inside << (a[0] - first);
    const wide16 place = wide_load16(inside, a) - wide_all((unsigned)first);
    const wide8 one = wide_all8(1);
    wide8 bits = wide_shift((uint8_t)inside, one, wide_low(place)) |
                 wide_shift((uint8_t)(inside >> 8), one, wide_high(place));
    bits |= wide_upper(bits);
    bits |= wide_second(bits);
    return bits[0] | bits[1];
}
#endif

/* piece equal_places_u32 (bits_of_u32, equal_lanes): Leave of the bits *in_a of x, a[0..m), those of elements of b[0..n), and of the bits *in_b of y, b[0..n), those
 * of elements of a[0..m). Both rise; lanes behind the last one repeat it. */
#if defined(TSR_RT_WIDE)
static inline void equal_places_u32(uint16_t *in_a, uint16_t *in_b, wide16 x, wide16 y, const uint32_t *a,
                                    int64_t m, const uint32_t *b, int64_t n)
{
#if defined(__AVX512VP2INTERSECT__)
    const int at_once = 1;
#else
    const int at_once = __builtin_cpu_supports("avx512vp2intersect");
#endif
    if (at_once) {
        unsigned p, q;
        __asm__("vp2intersectd %3, %2, %%k2\n\tkmovw %%k2, %0\n\tkmovw %%k3, %1"
                : "=r"(p), "=r"(q)
                : "v"(x), "v"(y)
                : "k2", "k3");
        *in_a = (uint16_t)(*in_a & p);
        *in_b = (uint16_t)(*in_b & q);
        return;
    }
    const unsigned x0 = x[0], y0 = y[0], first = x0 < y0 ? x0 : y0;
    const unsigned last = x[15] > y[15] ? x[15] : y[15];
    if (m == n && (*in_a & wide_equal(x, y)) == *in_a)
        return;
    if (last - first < 64) {
        const uint64_t bits_a = bits_of_u32(a, m, (uint32_t)first),
                       bits_b = bits_of_u32(b, n, (uint32_t)first);
        *in_a = (uint16_t)__builtin_ia32_pext_di(bits_a & bits_b, bits_a);
        *in_b = (uint16_t)__builtin_ia32_pext_di(bits_a & bits_b, bits_b);
    } else {
        *in_a = (uint16_t)(*in_a & equal_lanes(x, y));
        *in_b = *in_a ? (uint16_t)(*in_b & equal_lanes(y, x)) : 0;
    }
}
#endif

/* piece match_u32 (PREFETCH, WIDE, seek_u32, put_places, equal_places_u32): Find the pairs of equal elements of a[i..m) and b[j..n), both rising. found[0]: the number
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
#if defined(TSR_RT_WIDE)
        if (sizeof *a == 4) {
            const uint16_t in_a = (uint16_t)(65535 >> (16 - (i_end - i)));
            const uint16_t in_b = (uint16_t)(65535 >> (16 - (j_end - j)));
            uint16_t equal_a = in_a, equal_b = in_b;
            PREFETCH(a + i + 128);
            PREFETCH(b + j + 128);
            const wide16 x = wide_choose16(in_a, wide_all((unsigned)a_top), wide_load16(in_a, a + i));
            const wide16 y = wide_choose16(in_b, wide_all((unsigned)b_top), wide_load16(in_b, b + j));
            equal_places_u32(&equal_a, &equal_b, x, y, a + i, i_end - i, b + j, j_end - j);
            put_places(found + 3 + k, equal_a, i);
            put_places(found + 3 + most + k, equal_b, j);
            k += __builtin_popcount(equal_a);
            i += __builtin_popcount(in_a & wide_least(x, wide_all((unsigned)b_top)));
            j += __builtin_popcount(in_b & wide_least(y, wide_all((unsigned)a_top)));
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

/* piece intersect_u32 (PREFETCH, WIDE, seek_u32, equal_places_u32): The product of two sparse rows, x at a[i..m) and y at b[j..n), which rise. crd:
 * the coordinates of both, in rising order; product: the values there. Returns the number of them. No branch depends on
 * coordinates that are near each other, as it would often be mispredicted. */
static inline int64_t intersect_u32(uint32_t *crd, double *product, const uint32_t *a, const double *x,
                                    int64_t i, int64_t m, const uint32_t *b, const double *y, int64_t j,
                                    int64_t n)
{
    int64_t k = 0;
    while (i < m && j < n) {
        const int64_t i_end = m - i > 16 ? i + 16 : m, j_end = n - j > 16 ? j + 16 : n;
        const uint32_t a_top = a[i_end - 1], b_top = b[j_end - 1];
        const int is_long = i_end < m || j_end < n;
        if (is_long && a_top < b[j]) {
            i = seek_u32(a, i_end, m, b[j]);
            continue;
        }
        if (is_long && b_top < a[i]) {
            j = seek_u32(b, j_end, n, a[i]);
            continue;
        }
#if defined(TSR_RT_WIDE)
        if (sizeof *a == 4) {
            typedef double values __attribute__((vector_size(64)));
            uint16_t in_a = (uint16_t)(65535 >> (16 - (i_end - i)));
            uint16_t in_b = (uint16_t)(65535 >> (16 - (j_end - j)));
            PREFETCH(a + i + 128); /* the processor does not see by itself that masked loads go on */
            PREFETCH(b + j + 128);
            PREFETCH(x + i + 64);
            PREFETCH(y + j + 64);
            const wide16 c = wide_choose16(in_a, wide_all((unsigned)a_top), wide_load16(in_a, a + i));
            const wide16 d = wide_choose16(in_b, wide_all((unsigned)b_top), wide_load16(in_b, b + j));
            const int64_t next_i = i + __builtin_popcount(in_a & wide_least(c, wide_all((unsigned)b_top)));
            const int64_t next_j = j + __builtin_popcount(in_b & wide_least(d, wide_all((unsigned)a_top)));
            const uint16_t all_a = in_a, all_b = in_b;
            equal_places_u32(&in_a, &in_b, c, d, a + i, i_end - i, b + j, j_end - j);
            const int count = __builtin_popcount(in_a);
            const uint16_t here = (uint16_t)((1u << count) - 1);
            wide_store16(here, crd + k, wide_compress16(in_a, c));
            if (sizeof(double) == 8) {
                const wide16 p = wide_compress16(in_a, wide_lanes()), q = wide_compress16(in_b, wide_lanes());
                const wide16 u = wide_load8((uint8_t)all_a, x + i), v = wide_load8((uint8_t)all_b, y + j);
                const wide16 u1 = wide_load8((uint8_t)(all_a >> 8), x + i + 8);
                const wide16 v1 = wide_load8((uint8_t)(all_b >> 8), y + j + 8);
                const values w = (values)wide_pick8(wide_low(p), u, u1);
                wide_store8((uint8_t)here, product + k, (wide8)(w * (values)wide_pick8(wide_low(q), v, v1)));
                if (count > 8)
                    wide_store8((uint8_t)(here >> 8), product + k + 8,
                                (wide8)((values)wide_pick8(wide_high(p), u, u1) *
                                        (values)wide_pick8(wide_high(q), v, v1)));
            } else {
                const values w = (values)wide_compress16(in_a, wide_load16(all_a, x + i));
                const values z = (values)wide_compress16(in_b, wide_load16(all_b, y + j));
                wide_store16(here, product + k, (wide16)(w * z));
            }
            k += count;
            i = is_long ? next_i : m;
            j = is_long ? next_j : n;
            continue;
        }
#endif
        while (i < i_end && j < j_end) {
            const uint32_t c = a[i], d = b[j];
            crd[k] = c;
            product[k] = x[i] * y[j];
            k += c == d;
            i += c <= d;
            j += d <= c;
        }
    }
    return k;
}

/* piece unite_few_u32 (bits_of_u32): The union of a[0..m) and b[0..n), which rise, at most 16 elements each: bit k of
 * at[0] is set where a has element k of the union, bit k of at[1] where b has. Returns the number of its elements. */
#if defined(TSR_RT_WIDE)
static inline int64_t unite_few_u32(unsigned *at, const uint32_t *a, int64_t m, const uint32_t *b, int64_t n)
{
    const uint16_t inside = (uint16_t)(65535 >> (16 - m));
    at[0] = inside;
    at[1] = (unsigned)(65535 >> (16 - n));
    if (m == 0 || n == 0)
        return m + n;
    const uint32_t first = a[0] < b[0] ? a[0] : b[0], last = a[m - 1] > b[n - 1] ? a[m - 1] : b[n - 1];
    if (last - first < 64) {
        const uint64_t x = bits_of_u32(a, m, first), y = bits_of_u32(b, n, first);
        at[0] = (unsigned)__builtin_ia32_pext_di(x, x | y);
        at[1] = (unsigned)__builtin_ia32_pext_di(y, x | y);
        return __builtin_popcountll(x | y);
    }
    const wide16 x = wide_choose16(inside, wide_all(~0u), wide_load16(inside, a));
    unsigned in_b = 0, only_b = 0, more = 0;
    for (int64_t k = 0; k < n; k++) {
        const wide16 y = wide_all((unsigned)b[k]);
        const unsigned less = wide_less(x, y), equal = inside & wide_equal(x, y);
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

/* piece unite_u32 (PREFETCH, unite_few_u32): The sum of two sparse rows, x * of_x at a[i..m) and y * of_y at b[j..n), which rise. crd:
 * the coordinates of both, each once, in rising order; sum: the values there. Returns the number of them. */
static inline int64_t unite_u32(uint32_t *crd, double *sum, const uint32_t *a, const double *x, int64_t i,
                                int64_t m, double of_x, const uint32_t *b, const double *y, int64_t j,
                                int64_t n, double of_y)
{
    int64_t k = 0;
#if defined(TSR_RT_WIDE)
    enum { LANES = 64 / sizeof(double), ALL = (1 << LANES) - 1 };
    typedef double values __attribute__((vector_size(64)));
    const values zero = {0}, none = (double)-0.0 - zero;
    /* up to 16 elements of both rows at once, since branches would be predicted right only half of the time; for so few that
     * they take longer in registers, the loop below */
    while (sizeof *a == 4 && i < m && j < n && m - i + n - j > 4) {
        const int64_t i_end = m - i > 16 ? i + 16 : m, j_end = n - j > 16 ? j + 16 : n;
        int64_t na = i_end - i, nb = j_end - j;
        PREFETCH(a + i + 128);
        PREFETCH(b + j + 128);
        PREFETCH(x + i + 64);
        PREFETCH(y + j + 64);
        if (i_end < m || j_end < n) { /* elements beyond the last one read of the other row must wait */
            const uint32_t a_top = i_end < m ? a[i_end - 1] : (uint32_t)-1,
                           b_top = j_end < n ? b[j_end - 1] : (uint32_t)-1;
            const uint32_t top = a_top < b_top ? a_top : b_top;
            const wide16 bound = wide_all((unsigned)top);
            const uint16_t in_a = (uint16_t)(65535 >> (16 - na)), in_b = (uint16_t)(65535 >> (16 - nb));
            na = __builtin_popcount(in_a & wide_least(wide_load16(in_a, a + i), bound));
            nb = __builtin_popcount(in_b & wide_least(wide_load16(in_b, b + j), bound));
        }
        unsigned at[2];
        const int64_t count = unite_few_u32(at, a + i, na, b + j, nb);
        for (int64_t l = 0; l < count; l += 16) {
            const uint16_t here = (uint16_t)(65535 >> (count - l < 16 ? 16 - (count - l) : 0));
            const uint16_t by_a = (uint16_t)(at[0] >> l), by_b = (uint16_t)(at[1] >> l);
            const unsigned before = (1u << l) - 1;
            const wide16 c = wide_expand16(by_a, a + i + __builtin_popcount(at[0] & before), wide_all(0));
            wide_store16(here, crd + k + l,
                         wide_expand16(by_b, b + j + __builtin_popcount(at[1] & before), c));
        }
        for (int64_t l = 0, s = i, t = j; l < count || l < 16;
             l += LANES) { /* to 16 without a branch to guess */
            const unsigned here = (unsigned)((((uint64_t)1 << count) - 1) >> l & ALL);
            const unsigned by_a = at[0] >> l & ALL, by_b = at[1] >> l & ALL;
            /* a row without the coordinate has -0.0, which changes no sum */
            if (sizeof(double) == 8) {
                wide8 u = wide_expand8((uint8_t)by_a, x + s, (wide8)none);
                wide8 v = wide_expand8((uint8_t)by_b, y + t, (wide8)none);
                if (of_x != 1)
                    u = wide_choose8((uint8_t)by_a, (wide8)none, (wide8)((values)u * of_x));
                if (of_y != 1)
                    v = wide_choose8((uint8_t)by_b, (wide8)none, (wide8)((values)v * of_y));
                wide_store8((uint8_t)here, sum + k + l, (wide8)((values)u + (values)v));
            } else {
                wide16 u = wide_expand16((uint16_t)by_a, x + s, (wide16)none);
                wide16 v = wide_expand16((uint16_t)by_b, y + t, (wide16)none);
                if (of_x != 1)
                    u = wide_choose16((uint16_t)by_a, (wide16)none, (wide16)((values)u * of_x));
                if (of_y != 1)
                    v = wide_choose16((uint16_t)by_b, (wide16)none, (wide16)((values)v * of_y));
                wide_store16((uint16_t)here, sum + k + l, (wide16)((values)u + (values)v));
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

/* piece multiply_narrow_u32 (bits_of_u32): The product of the sparse row x at a[lo..hi) and a sparse matrix, whose row k has the
 * values y at b[pos[k]..pos[k + 1]), which rise and are in [first, end), of at most 32. crd: the coordinates of the product, in rising
 * order; sum: the values there. Returns the number of them. */
static inline int64_t multiply_narrow_u32(uint32_t *crd, double *sum, int64_t first, int64_t end,
                                          const uint32_t *a, const double *x, int64_t lo, int64_t hi,
                                          const uint32_t *pos, const uint32_t *b, const double *y)
{
    int64_t n = 0;
#if defined(TSR_RT_WIDE)
    if (sizeof *a == 4) { /* the products are added in registers, 8 coordinates in each */
        typedef double values __attribute__((vector_size(64)));
        wide8 w0 = wide_all8(1ull << 63), w1 = w0, w2 = w0, w3 = w0; /* -0.0 */
        const wide8 zero = wide_all8(0);
        uint64_t all = 0;
        for (int64_t q = lo; q < hi; q++) {
            for (int64_t p = (int64_t)pos[a[q]], p_end = (int64_t)pos[a[q] + 1]; p < p_end; p += 16) {
                const uint64_t bits = bits_of_u32(b + p, p_end - p < 16 ? p_end - p : 16, (uint32_t)first);
                const uint8_t m0 = (uint8_t)bits, m1 = (uint8_t)(bits >> 8), m2 = (uint8_t)(bits >> 16),
                              m3 = (uint8_t)(bits >> 24);
                const double *const v = y + p, *const v1 = v + __builtin_popcount(m0);
                all |= bits;
                w0 = wide_add8(m0, w0, (wide8)((values)wide_expand8(m0, v, zero) * x[q]));
                w1 = wide_add8(m1, w1, (wide8)((values)wide_expand8(m1, v1, zero) * x[q]));
                if (end - first <= 16)
                    continue;
                const double *const v2 = v1 + __builtin_popcount(m1), *const v3 = v2 + __builtin_popcount(m2);
                w2 = wide_add8(m2, w2, (wide8)((values)wide_expand8(m2, v2, zero) * x[q]));
                w3 = wide_add8(m3, w3, (wide8)((values)wide_expand8(m3, v3, zero) * x[q]));
            }
        }
        const wide8 w[4] = {w0, w1, w2, w3};
        for (int g = 0; g < 4; g++, all >>= 8) {
            const unsigned set = (unsigned)(all & 255), count = (unsigned)__builtin_popcount(set);
            const uint8_t here = (uint8_t)((1u << count) - 1);
            wide_store16(here, crd + n,
                         wide_compress16((uint16_t)set, wide_lanes() + wide_all((unsigned)(first + 8 * g))));
            wide_store8(here, sum + n, wide_compress8((uint8_t)set, w[g]));
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
    for (int k = 0; k < 32 && k < end - first; k++)
        if (has[k]) {
            crd[n] = (uint32_t)(first + k);
            sum[n++] = each[k];
        }
    return n;
}

/* piece sort_keys (sort_u32): Put a[0..n) into rising order. */
static inline void sort_keys(uint32_t *a, int64_t n)
{
    sort_u32(a, n);
}

/* piece multiply_few_u32 (TSR_RT_APART, sort_keys): The same, for any range, of at most 2^places products, places <= 10: they
 * are listed and sorted, and those of one coordinate are added up, without a branch, as it would often be mispredicted. */
TSR_RT_APART static int64_t multiply_few_u32(uint32_t *restrict crd, double *restrict sum, int64_t first,
                                             int places, const uint32_t *a, const double *x, int64_t lo,
                                             int64_t hi, const uint32_t *pos, const uint32_t *b,
                                             const double *y)
{
    unsigned key[1024];
    double product[1024], total = 0;
    int64_t n = 0, before = -1, count = 0;
    for (int64_t q = lo; q < hi; q++)
        for (int64_t p = (int64_t)pos[a[q]], p_end = (int64_t)pos[a[q] + 1]; p < p_end; p++) {
            key[n] = (unsigned)((((int64_t)b[p] - first) << places) + n);
            product[n++] = x[q] * y[p];
        }
    sort_keys(key, n);
    for (int64_t k = 0; k < n; k++) {
        const int64_t c = key[k] >> places;
        const double v = product[key[k] & ((1u << places) - 1)];
        total = c != before ? v : total + v;
        count += c != before;
        crd[count - 1] = (uint32_t)(first + c);
        sum[count - 1] = total;
        before = c;
    }
    return count;
}

/* piece multiply_marked_u32 (TSR_RT_APART, take_u32): The same, for a range that has not many more coordinates than there are
 * products: these are added to work and marked; the marks are read in order. Up to 16 elements of crd after the last one are
 * undefined. */
TSR_RT_APART static int64_t multiply_marked_u32(uint32_t *restrict crd, double *restrict sum, int64_t first,
                                                int64_t end, const uint32_t *a, const double *x, int64_t lo,
                                                int64_t hi, const uint32_t *pos, const uint32_t *b,
                                                const double *y, double *restrict work,
                                                uint8_t *restrict mark)
{
    for (int64_t q = lo; q < hi; q++)
        for (int64_t p = (int64_t)pos[a[q]], p_end = (int64_t)pos[a[q] + 1]; p < p_end; p++) {
            mark[b[p]] = 1;
            work[b[p]] += x[q] * y[p];
        }
    const int64_t n = take_u32(crd, mark, first, end, 0);
    for (int64_t k = 0; k < n; k++) {
        sum[k] = work[crd[k]];
        work[crd[k]] = -0.0;
    }
    return n;
}

/* piece multiply_listed_u32 (TSR_RT_APART, sort_keys): The same, for any range and number of products: these are added to
 * work, and each coordinate is listed once; the list is sorted. */
TSR_RT_APART static int64_t multiply_listed_u32(uint32_t *restrict crd, double *restrict sum,
                                                const uint32_t *a, const double *x, int64_t lo, int64_t hi,
                                                const uint32_t *pos, const uint32_t *b, const double *y,
                                                double *restrict work, uint8_t *restrict mark,
                                                unsigned *restrict list)
{
    int64_t n = 0;
    for (int64_t q = lo; q < hi; q++)
        for (int64_t p = (int64_t)pos[a[q]], p_end = (int64_t)pos[a[q] + 1]; p < p_end; p++) {
            const int64_t c = (int64_t)b[p];
            work[c] += x[q] * y[p];
            if (!mark[c]) {
                mark[c] = 1;
                list[n++] = (unsigned)c;
            }
        }
    sort_keys(list, n);
    for (int64_t k = 0; k < n; k++) {
        const int64_t c = list[k];
        crd[k] = (uint32_t)c;
        sum[k] = work[c];
        work[c] = -0.0;
        mark[c] = 0;
    }
    return n;
}

/* piece count_bits (<stdint.h>): The number of the bits of x that are set. */
static inline int64_t count_bits(uint64_t x)
{
#if defined(__GNUC__)
    return __builtin_popcountll(x);
#else
    int64_t n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
#endif
}

/* piece lowest_bit (count_bits): The number of the lowest bit of x that is set; x is not 0. */
static inline int64_t lowest_bit(uint64_t x)
{
    return count_bits(~x & (x - 1));
}

/* piece meet_u32 (count_bits): Whether many products of the sparse row at a[lo..hi), of two elements or more, and a sparse matrix
 * (multiply_narrow_u32) have the same coordinate, as where both are stencils. n different coordinates set about
 * 64n / (64 + n/2) of 64 bits; those of the first rows, with 64 products or more, set less than three quarters of these. Only
 * rows of one length are looked at: other lengths are not guessed by a processor, and the look would take too long. */
static inline int meet_u32(const uint32_t *a, int64_t lo, int64_t hi, const uint32_t *pos, const uint32_t *b)
{
    const int64_t length = (int64_t)pos[a[lo] + 1] - (int64_t)pos[a[lo]];
    uint64_t bits = 0;
    int64_t n = 0;
    if ((int64_t)pos[a[lo + 1] + 1] - (int64_t)pos[a[lo + 1]] != length ||
        (int64_t)pos[a[hi - 1] + 1] - (int64_t)pos[a[hi - 1]] != length)
        return 0;
    for (int64_t q = lo; q < hi && n < 64; q++) {
        const int64_t p = (int64_t)pos[a[q]], p_end = (int64_t)pos[a[q] + 1];
        for (int64_t k = p; k < p_end; k++)
            bits |= (uint64_t)1 << (b[k] & 63);
        n += p_end - p;
    }
    return count_bits(bits) * (128 + n) < 96 * n;
}

/* piece multiply_in_bits_u32 (TSR_RT_APART, lowest_bit, <string.h>): The same product, for a range of at most 65536 coordinates: products
 * are added to work, and each coordinate sets its bit. One loop reads bits and words, as the ends of two are mispredicted. */
TSR_RT_APART static int64_t multiply_in_bits_u32(uint32_t *restrict crd, double *restrict sum, int64_t first,
                                                 int64_t end, const uint32_t *a, const double *x, int64_t lo,
                                                 int64_t hi, const uint32_t *pos, const uint32_t *b,
                                                 const double *y, double *restrict work)
{
    uint64_t word[1024], set_words = 0; /* the words that are not 0, where there is one group */
    int64_t n = 0, ngroups = (end - 1 - first) / 4096 + 1; /* of 64 words */
    for (int64_t g = 0; g < ngroups; g++)
        memset(word + 64 * g, 0, 64 * sizeof *word);
    for (int64_t q = lo; q < hi; q++)
        for (int64_t p = (int64_t)pos[a[q]], p_end = (int64_t)pos[a[q] + 1]; p < p_end; p++) {
            const int64_t c = (int64_t)b[p] - first;
            word[c >> 6] |= (uint64_t)1 << (c & 63);
            set_words |= (uint64_t)1 << (c >> 6 & 63);
            work[b[p]] += x[q] * y[p];
        }
    for (int64_t g = 0; g < ngroups; g++) {
        const uint64_t *const of = word + 64 * g;
        uint64_t words = ngroups == 1 ? set_words : 0, set;
        for (int k = 0; ngroups > 1 && k < 64; k++)
            words |= (uint64_t)(of[k] != 0) << k;
        int64_t w = words ? lowest_bit(words) : 0;
        for (set = of[w]; set; set = set || !words ? set : of[w]) {
            const int64_t c = first + 64 * (64 * g + w) + lowest_bit(set);
            crd[n] = (uint32_t)c;
            sum[n++] = work[c];
            work[c] = -0.0;
            set &= set - 1;
            words = set ? words : words & (words - 1);
            w = words ? lowest_bit(words) : w;
        }
    }
    return n;
}

/* piece multiply_one_u32: The same product, for a row of one element, at a[lo]: the products of one row of the matrix. */
static inline int64_t multiply_one_u32(uint32_t *crd, double *sum, const uint32_t *a, const double *x,
                                       int64_t lo, const uint32_t *pos, const uint32_t *b, const double *y)
{
    const int64_t begin = (int64_t)pos[a[lo]], n = (int64_t)pos[a[lo] + 1] - begin;
    for (int64_t k = 0; k < n; k++) {
        crd[k] = b[begin + k];
        sum[k] = x[lo] * y[begin + k];
    }
    return n;
}

/* piece multiply_u32 (multiply_narrow_u32, multiply_few_u32, multiply_marked_u32, multiply_listed_u32, meet_u32,
 * multiply_in_bits_u32, multiply_one_u32): The same product, for any range and at most `most` products: marked where the range
 * has at most `marked` coordinates for each of them, else listed with their values if they are at most `listed`, at most
 * 1024, and do not meet. Up to 64 products within 4096 coordinates set bits instead, which costs less than sorting. work and
 * mark have an element for each coordinate, -0.0 and 0 before and after; list has room for all coordinates. */
static inline int64_t multiply_u32(uint32_t *crd, double *sum, int64_t first, int64_t end, const uint32_t *a,
                                   const double *x, int64_t lo, int64_t hi, const uint32_t *pos,
                                   const uint32_t *b, const double *y, int64_t most, double *work,
                                   uint8_t *mark, unsigned *list, int64_t marked, int64_t listed)
{
    const int64_t span = end - first;
    if (most == 0)
        return 0;
    if (hi - lo == 1)
        return multiply_one_u32(crd, sum, a, x, lo, pos, b, y);
    if (span <= 32)
        return multiply_narrow_u32(crd, sum, first, end, a, x, lo, hi, pos, b, y);
    const int in_bits = most <= 64 && most <= listed && span <= 4096;
    if (span <= most * marked)
        return multiply_marked_u32(crd, sum, first, end, a, x, lo, hi, pos, b, y, work, mark);
    const int meet = most > 16 && !in_bits && meet_u32(a, lo, hi, pos, b);
    if (in_bits || (meet && span <= 65536))
        return multiply_in_bits_u32(crd, sum, first, end, a, x, lo, hi, pos, b, y, work);
    int places = 10;
    while (places > 0 && (span - 1) >> (32 - places) > 0)
        places--;
    if (!meet && most <= listed && most <= (int64_t)1 << places)
        return multiply_few_u32(crd, sum, first, places, a, x, lo, hi, pos, b, y);
    return multiply_listed_u32(crd, sum, a, x, lo, hi, pos, b, y, work, mark, list);
}

/* piece end */
#endif
