/* Arithmetic that gives the same bits on every machine: random numbers, logarithms and powers in integers.
 * What is generated depends on nothing else, so no function of libm is called and no floating point is used.
 */
#ifndef GEN_FIXED_H
#define GEN_FIXED_H

#include <stdint.h>

/* A bijection of 64 bits in which each bit of the result depends on all of z (splitmix64's last step). */
static inline uint64_t gen_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A stream of random numbers (splitmix64: Steele, Lea, Flood 2014). */
typedef struct gen_rng {
    uint64_t state;
} gen_rng;

static inline uint64_t gen_next(gen_rng *rng)
{
    rng->state += UINT64_C(0x9e3779b97f4a7c15);
    return gen_mix(rng->state);
}

/* Nearly uniform in [0, n), 0 < n <= 2^32 (off by at most n / 2^32 of the probability). */
static inline uint64_t gen_below(gen_rng *rng, uint64_t n)
{
    return (gen_next(rng) >> 32) * n >> 32;
}

/* The stream that belongs to child `i` of the one that begins with `seed`. */
static inline uint64_t gen_child_seed(uint64_t seed, uint64_t i)
{
    return gen_mix(seed ^ gen_mix(i + UINT64_C(0x632be59bd9b4e019)));
}

/* floor(a * b / c) with all bits of the product; c > 0 and the result must fit 64 bits. */
uint64_t gen_muldiv(uint64_t a, uint64_t b, uint64_t c);

/* The index of the highest bit that is set; x > 0. */
int gen_top_bit(uint64_t x);

/* log2(x) in units of 2^-32, off by less than 4 of them; x > 0. */
int64_t gen_log2(uint64_t x);

/* 2^(e / 2^32) rounded down, its relative error below 2^-24; e < 63 * 2^32, 0 for e < 0. */
uint64_t gen_exp2(int64_t e);

#endif
