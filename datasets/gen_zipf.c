/* Zipf's law: see gen_zipf.h. */
#include "gen_zipf.h"

#include "tsr_checked.h"

enum {
    NSINGLE = 31,
    OCTAVE = 16
}; /* ranks with a bucket of their own; buckets in [2^k, 2^(k+1)) above them */

static int bucket_of(uint64_t rank)
{
    const uint64_t r = rank + 1;
    if (r <= NSINGLE)
        return (int)rank;
    const int top = gen_top_bit(r);
    return NSINGLE + (top - 5) * OCTAVE + (int)(r >> (top - 4) & (OCTAVE - 1));
}

static void set_buckets(gen_zipf *zipf)
{
    uint64_t r = 1;
    zipf->nbuckets = 0;
    while (r <= zipf->n) {
        zipf->first[zipf->nbuckets++] = r - 1;
        r += r <= NSINGLE ? 1 : UINT64_C(1) << (gen_top_bit(r) - 4);
    }
    zipf->first[zipf->nbuckets] = zipf->n;
}

static void set_weights(gen_zipf *zipf, uint32_t s)
{
    const int64_t one = (int64_t)1 << 32;
    int64_t log[GEN_MAX_BUCKETS], most = INT64_MIN;
    for (int b = 0; b < zipf->nbuckets; b++) {
        const uint64_t first = zipf->first[b], end = zipf->first[b + 1];
        const int64_t middle = gen_log2(first + 1 + end) - one; /* of the first and the last rank */
        log[b] = gen_log2(end - first) - middle / 1000 * (int64_t)s - middle % 1000 * (int64_t)s / 1000;
        most = log[b] > most ? log[b] : most;
    }
    zipf->total = 0;
    for (int b = 0; b < zipf->nbuckets; b++) {
        zipf->weight[b] = gen_exp2(log[b] - most + 40 * one);
        zipf->total += zipf->weight[b];
    }
}

/* Every bucket is given the mean weight: those with less are filled up from one with more. */
static void set_alias(gen_zipf *zipf)
{
    const uint64_t n = (uint64_t)zipf->nbuckets, mean = zipf->total / n + 1;
    uint64_t left[GEN_MAX_BUCKETS];
    uint16_t small[GEN_MAX_BUCKETS], large[GEN_MAX_BUCKETS];
    int nsmall = 0, nlarge = 0;
    for (int b = 0; b < zipf->nbuckets; b++) {
        left[b] = zipf->weight[b];
        zipf->other[b] = (uint16_t)b;
        zipf->keep[b] = UINT32_MAX;
        if (left[b] < mean)
            small[nsmall++] = (uint16_t)b;
        else
            large[nlarge++] = (uint16_t)b;
    }
    while (nsmall > 0 && nlarge > 0) {
        const uint16_t b = small[--nsmall], giver = large[nlarge - 1];
        zipf->keep[b] = (uint32_t)gen_muldiv(left[b], UINT32_MAX, mean);
        zipf->other[b] = giver;
        left[giver] -= mean - left[b];
        if (left[giver] < mean) {
            nlarge--;
            small[nsmall++] = giver;
        }
    }
}

/* x with a * x = 1 mod n; a and n have no common divisor, n > 1. */
static uint64_t inverse_mod(uint64_t a, uint64_t n)
{
    int64_t r0 = (int64_t)n, r1 = (int64_t)(a % n), x0 = 0, x1 = 1;
    while (r1) {
        const int64_t q = r0 / r1, r = r0 - q * r1, x = x0 - q * x1;
        r0 = r1, r1 = r;
        x0 = x1, x1 = x;
    }
    return (uint64_t)(x0 < 0 ? x0 + (int64_t)n : x0);
}

static void set_permutation(gen_zipf *zipf, uint64_t seed)
{
    gen_rng rng = {seed};
    zipf->factor = zipf->inverse = 1;
    zipf->offset = 0;
    if (zipf->n == 1)
        return;
    zipf->offset = gen_below(&rng, zipf->n);
    do
        zipf->factor = 1 + gen_below(&rng, zipf->n - 1);
    while (tsr_gcd_u64(zipf->n, zipf->factor) != 1);
    zipf->inverse = inverse_mod(zipf->factor, zipf->n);
}

void gen_zipf_init(gen_zipf *zipf, uint64_t n, uint32_t s, uint64_t seed)
{
    zipf->n = n;
    set_buckets(zipf);
    set_weights(zipf, s);
    set_alias(zipf);
    set_permutation(zipf, seed);
}

uint64_t gen_zipf_draw(const gen_zipf *zipf, gen_rng *rng)
{
    const uint64_t u = gen_next(rng);
    uint64_t b = (u >> 32) * (uint64_t)zipf->nbuckets >> 32;
    if ((uint32_t)u >= zipf->keep[b])
        b = zipf->other[b];
    uint64_t rank = zipf->first[b];
    const uint64_t width = zipf->first[b + 1] - rank;
    if (width > 1)
        rank += gen_below(rng, width);
    return (rank * zipf->factor + zipf->offset) % zipf->n;
}

uint64_t gen_zipf_rank(const gen_zipf *zipf, uint64_t index)
{
    return (index + zipf->n - zipf->offset) % zipf->n * zipf->inverse % zipf->n;
}

uint64_t gen_zipf_mean_log2(const gen_zipf *zipf)
{
    uint64_t mean = 0;
    for (int b = 0; b < zipf->nbuckets; b++) {
        const uint64_t middle =
            (uint64_t)gen_log2(zipf->first[b] + 1 + zipf->first[b + 1]) - (UINT64_C(1) << 32);
        mean += gen_muldiv(middle, zipf->weight[b], zipf->total);
    }
    return mean;
}

void gen_share_init(gen_share *share, const gen_zipf *zipf, uint64_t count, uint64_t seed)
{
    uint64_t weight = 0, before = 0;
    gen_rng rng = {seed};
    for (int b = 0; b < zipf->nbuckets; b++) {
        const uint64_t n = zipf->first[b + 1] - zipf->first[b];
        weight += zipf->weight[b];
        const uint64_t upto = gen_muldiv(count, weight, zipf->total);
        share->each[b] = (upto - before) / n;
        share->rest[b] = (upto - before) % n;
        share->turn[b] = gen_below(&rng, n);
        before = upto;
    }
}

uint64_t gen_share_of(const gen_share *share, const gen_zipf *zipf, uint64_t index)
{
    const uint64_t rank = gen_zipf_rank(zipf, index);
    const int b = bucket_of(rank);
    if (share->rest[b] == 0)
        return share->each[b];
    const uint64_t n = zipf->first[b + 1] - zipf->first[b];
    const uint64_t k = (rank - zipf->first[b] + share->turn[b]) % n;
    return share->each[b] + (k + 1) * share->rest[b] / n - k * share->rest[b] / n;
}
