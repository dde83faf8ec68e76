/* Sets of 32-bit numbers: see gen_internal.h. */
#include "gen_internal.h"

#include <string.h>

static void insertion_sort(uint32_t *a, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint32_t v = a[i];
        size_t k = i;
        for (; k > 0 && a[k - 1] > v; k--)
            a[k] = a[k - 1];
        a[k] = v;
    }
}

void gen_sort(uint32_t *a, size_t n, uint32_t *spare)
{
    enum { NBITS = 8, NDIGITS = 4, SMALL = 96 };
    if (n <= SMALL) {
        insertion_sort(a, n);
        return;
    }
    uint32_t count[NDIGITS][1 << NBITS];
    memset(count, 0, sizeof count);
    for (size_t i = 0; i < n; i++)
        for (int d = 0; d < NDIGITS; d++)
            count[d][a[i] >> (d * NBITS) & 0xff]++;
    uint32_t *from = a, *to = spare;
    for (int d = 0; d < NDIGITS; d++) {
        if (count[d][from[0] >> (d * NBITS) & 0xff] == n)
            continue; /* all have the same digit */
        uint32_t at = 0;
        for (int v = 0; v < 1 << NBITS; v++) {
            const uint32_t c = count[d][v];
            count[d][v] = at;
            at += c;
        }
        for (size_t i = 0; i < n; i++)
            to[count[d][from[i] >> (d * NBITS) & 0xff]++] = from[i];
        uint32_t *const swap = from;
        from = to;
        to = swap;
    }
    if (from != a)
        memcpy(a, from, n * sizeof *a);
}

size_t gen_unique(uint32_t *a, size_t n)
{
    size_t kept = n > 0;
    for (size_t i = 1; i < n; i++)
        if (a[i] != a[kept - 1])
            a[kept++] = a[i];
    return kept;
}

void gen_fill(uint32_t *a, size_t n, size_t more, uint64_t lo, uint64_t hi)
{
    const uint64_t absent = hi - lo - n;
    size_t passed = 0;
    for (size_t t = 0; t < more; t++) {
        const uint64_t nth = gen_muldiv(2 * t + 1, absent, 2 * more); /* among the absent, from 0 */
        while (passed < n && a[passed] - lo - passed <= nth)
            passed++;
        a[n + t] = (uint32_t)(lo + nth + passed);
    }
}
