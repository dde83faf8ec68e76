/* Keys: the coordinates of an entry side by side in words of 64 bits, the first coordinate at the top. After the keys are
 * sorted, keys with a common prefix are neighbours, and the highest bit in which two neighbours differ belongs to the
 * first coordinate in which they differ. */
#ifndef ADVISE_KEYS_H
#define ADVISE_KEYS_H

#include "tsr_level.h"

enum { ADVISE_MAX_WORDS = TSR_MAX_LEVELS + 1 /* a coordinate has at most 63 bits */ };

/* The bits of each coordinate in a key. */
typedef struct advise_keys {
    int n, nwords;
    int first[TSR_MAX_LEVELS + 1];        /* n elements: the first bit, counted from the top of the key */
    int nbits[TSR_MAX_LEVELS + 1];        /* n elements: 0 where the size is 1 */
    uint8_t level[64 * ADVISE_MAX_WORDS]; /* for each bit, from the top: the number of its coordinate */
    int total;                            /* bits of a key */
    int rising; /* the last bits of the key that rise from key to key before the keys are sorted: advise_keys_lay_out sets 0 */
} advise_keys;

/* Keys of n coordinates, at most TSR_MAX_LEVELS + 1, each below size[l]. */
void advise_keys_lay_out(advise_keys *keys, const uint64_t *size, int n);
/* Put coordinate l of n entries, v[i] - base, into the bits of the n keys that belong to it, which are 0. */
void advise_keys_put(uint64_t *key, const advise_keys *keys, int l, const uint64_t *v, int64_t base,
                     size_t n);
/* Coordinate l of a key. */
uint64_t advise_keys_get(const uint64_t *key, const advise_keys *keys, int l);
/* Sort the n keys, from the lowest digit up; `other` has room for as many. Returns the array that has the sorted keys:
 * key or other. */
uint64_t *advise_keys_sort(uint64_t *key, uint64_t *other, uint64_t n, const advise_keys *keys);
/* The number of the first coordinate in which two keys differ; keys->n when they are equal. */
int advise_keys_change(const uint64_t *a, const uint64_t *b, const advise_keys *keys);

#endif
