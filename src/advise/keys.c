/* Keys of coordinates: see advise_keys.h. */
#include "advise_keys.h"

#include <stdbool.h>
#include <string.h>

#include "tsr_bits.h"

enum { DIGIT_NBITS = 11 };

void advise_keys_lay_out(advise_keys *keys, const uint64_t *size, int n)
{
    *keys = (advise_keys){.n = n};
    for (int l = 0; l < n; l++) {
        keys->first[l] = keys->total;
        keys->nbits[l] = size[l] > 0 ? tsr_bit_length(size[l] - 1) : 0;
        memset(keys->level + keys->total, l, (size_t)keys->nbits[l]);
        keys->total += keys->nbits[l];
    }
    keys->nwords = keys->total > 0 ? (keys->total + 63) / 64 : 1;
}

void advise_keys_put(uint64_t *key, const advise_keys *layout, int l, const uint64_t *v, int64_t base,
                     size_t n)
{
    const int nbits = layout->nbits[l], end = layout->first[l] + nbits; /* bits [first, end) from the top */
    const size_t nwords = (size_t)layout->nwords;
    if (nbits == 0)
        return;
    const int word = (end - 1) / 64, shift = 64 * (word + 1) - end;
    for (size_t i = 0; i < n; i++)
        key[i * nwords + (size_t)word] |= (v[i] - (uint64_t)base) << shift;
    for (size_t i = 0; i < n && shift + nbits > 64; i++)
        key[i * nwords + (size_t)word - 1] |= (v[i] - (uint64_t)base) >> (64 - shift);
}

uint64_t advise_keys_get(const uint64_t *key, const advise_keys *layout, int l)
{
    const int nbits = layout->nbits[l], end = layout->first[l] + nbits;
    if (nbits == 0)
        return 0;
    const int word = (end - 1) / 64, shift = 64 * (word + 1) - end;
    uint64_t v = key[word] >> shift;
    if (shift + nbits > 64)
        v |= key[word - 1] << (64 - shift);
    return v & (UINT64_MAX >> (64 - nbits));
}

/* The `nbits` bits of a word from bit `shift` on. */
typedef struct digit {
    size_t word;
    int shift, nbits;
} digit;

/* Sort the n keys by a digit, from `from` to `to`; return false, and copy nothing, when all keys have the same
 * digit. */
static bool sort_digit(uint64_t *restrict to, const uint64_t *restrict from, uint64_t n, size_t nwords,
                       digit by)
{
    const size_t word = by.word;
    const int shift = by.shift, nbits = by.nbits;
    uint64_t start[1 << DIGIT_NBITS] = {0};
    const uint64_t mask = (UINT64_C(1) << nbits) - 1;
    for (uint64_t i = 0; i < n; i++)
        start[from[i * nwords + word] >> shift & mask]++;
    if (start[from[word] >> shift & mask] == n)
        return false;
    uint64_t sum = 0;
    for (uint64_t d = 0; d <= mask; d++) {
        const uint64_t count = start[d];
        start[d] = sum;
        sum += count;
    }
    if (nwords == 1)
        for (uint64_t i = 0; i < n; i++)
            to[start[from[i] >> shift & mask]++] = from[i];
    for (uint64_t i = 0; nwords > 1 && i < n; i++) {
        const uint64_t at = start[from[i * nwords + word] >> shift & mask]++;
        to[at * nwords] = from[i * nwords];
        to[at * nwords + 1] = from[i * nwords + 1];
        for (size_t w = 2; w < nwords; w++)
            to[at * nwords + w] = from[i * nwords + w];
    }
    return true;
}

/* Whether no key is below the key before. */
static bool is_sorted(const uint64_t *key, uint64_t n, size_t nwords)
{
    for (uint64_t i = 1; i < n; i++) {
        const uint64_t *const before = key + (i - 1) * nwords, *const here = before + nwords;
        size_t w = 0;
        while (w + 1 < nwords && before[w] == here[w])
            w++;
        if (before[w] > here[w])
            return false;
    }
    return true;
}

uint64_t *advise_keys_sort(uint64_t *keys, uint64_t *other, uint64_t n, const advise_keys *layout)
{
    const int total = layout->total - layout->rising;
    if (n < 2 || is_sorted(keys, n, (size_t)layout->nwords))
        return keys;
    for (int word = layout->nwords - 1; word >= 0; word--) {
        const int rest = total - 64 * word;
        const int end = rest < 64 ? rest : 64; /* bits of the word that are sorted, from the top */
        for (int shift = 64 - end; shift < 64; shift += DIGIT_NBITS) {
            const int nbits = 64 - shift < DIGIT_NBITS ? 64 - shift : DIGIT_NBITS;
            if (!sort_digit(other, keys, n, (size_t)layout->nwords, (digit){(size_t)word, shift, nbits}))
                continue;
            uint64_t *const t = keys;
            keys = other;
            other = t;
        }
    }
    return keys;
}

int advise_keys_change(const uint64_t *a, const uint64_t *b, const advise_keys *layout)
{
    for (int w = 0; w < layout->nwords; w++)
        if (a[w] != b[w])
            return layout->level[64 * w + 64 - tsr_bit_length(a[w] ^ b[w])];
    return layout->n;
}
