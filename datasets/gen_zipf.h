/* Zipf's law over n indices: rank r = 1...n has a probability in proportion to r^-s. Ranks up to 31 have
 * their own probability; above that a bucket of a sixteenth of an octave shares one (its midpoint's), so a
 * law over 2^31 indices is a table of some 450 rows. Which index has which rank is a permutation of [0, n).
 */
#ifndef GEN_ZIPF_H
#define GEN_ZIPF_H

#include "gen_fixed.h"

enum { GEN_MAX_BUCKETS = 31 + 16 * 27 };

typedef struct gen_zipf {
    uint64_t n; /* 1...2^31 - 1 */
    int nbuckets;
    uint64_t first[GEN_MAX_BUCKETS + 1]; /* 0-based rank that begins the bucket; first[nbuckets] = n */
    uint64_t weight[GEN_MAX_BUCKETS];    /* of the whole bucket; the largest is 2^40 */
    uint64_t total;                      /* of all weights */
    uint32_t keep[GEN_MAX_BUCKETS];      /* alias table (Walker, Vose): probability * 2^32 of staying */
    uint16_t other[GEN_MAX_BUCKETS];
    uint64_t factor, inverse, offset; /* index = (rank * factor + offset) mod n; factor * inverse = 1 mod n */
} gen_zipf;

/* s in thousandths, 0 (uniform) to 4000; seed chooses the permutation. */
void gen_zipf_init(gen_zipf *zipf, uint64_t n, uint32_t s, uint64_t seed);
/* A random index. */
uint64_t gen_zipf_draw(const gen_zipf *zipf, gen_rng *rng);
/* Its 0-based rank. */
uint64_t gen_zipf_rank(const gen_zipf *zipf, uint64_t index);
/* The mean of log2(rank) under the law, in units of 2^-32. */
uint64_t gen_zipf_mean_log2(const gen_zipf *zipf);

/* `count` things dealt out over all indices in exact proportion: each bucket gets its share rounded, each
 * index of a bucket an equal part of that rounded. All parts add up to count. */
typedef struct gen_share {
    uint64_t each[GEN_MAX_BUCKETS]; /* what every index of the bucket gets */
    uint64_t rest[GEN_MAX_BUCKETS]; /* indices of the bucket that get one more, evenly spread */
    uint64_t turn[GEN_MAX_BUCKETS]; /* where the spreading begins */
} gen_share;
void gen_share_init(gen_share *share, const gen_zipf *zipf, uint64_t count, uint64_t seed);
uint64_t gen_share_of(const gen_share *share, const gen_zipf *zipf, uint64_t index);

#endif
