/* Random numbers of the bench: splitmix64 (S. Vigna), the same on every machine. */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdint.h>

/* 64 well mixed bits of a number. */
static inline uint64_t bench_mix(uint64_t z)
{
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The next 64 random bits; a state may begin with any number. */
static inline uint64_t bench_random(uint64_t *state)
{
    const uint64_t bits = bench_mix(*state);
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return bits;
}

#endif
