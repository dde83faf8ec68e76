/* Gathering and scattering bits: see tsr_bits.h. */
#include "tsr_bits.h"

#include "tsr_clones.h"
#include "tsr_cpu.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

__attribute__((target("bmi2"))) static void gather_directly(uint64_t *restrict d, const uint64_t *restrict x,
                                                            const tsr_bits *bits, size_t n)
{
    const uint64_t mask = bits->mask;
    for (size_t e = 0; e < n; e++)
        d[e] = _pext_u64(x[e], mask);
}

__attribute__((target("bmi2"))) static void scatter_directly(uint64_t *restrict d, const uint64_t *restrict x,
                                                             const tsr_bits *bits, size_t n)
{
    const uint64_t mask = bits->mask;
    for (size_t e = 0; e < n; e++)
        d[e] = _pdep_u64(x[e], mask);
}
#else /* `direct` is never set */
#define gather_directly gather_in_steps
#define scatter_directly scatter_in_steps
#endif

uint64_t tsr_gather_u64(uint64_t x, uint64_t mask)
{
    uint64_t gathered = 0, bit = 1;
    for (; mask != 0; mask &= mask - 1, bit <<= 1)
        if (x & mask & (~mask + 1))
            gathered |= bit;
    return gathered;
}

/* A one of the mask moves down by the number of zeros below it; step s moves the ones for which bit s of that
 * number is set. `odd` has a one where the number of zeros below, over 2^s, is odd: a sum of bits modulo 2 from
 * below, by doubling distances. */
void tsr_bits_init(tsr_bits *bits, uint64_t mask)
{
    uint64_t left = mask, zeros = ~mask << 1;
    bits->mask = mask;
    for (int s = 0; s < 6; s++) {
        uint64_t odd = zeros ^ (zeros << 1);
        for (int by = 2; by < 64; by *= 2)
            odd ^= odd << by;
        bits->move[s] = odd & left;
        left = (left ^ bits->move[s]) | (bits->move[s] >> (1 << s));
        zeros &= ~odd;
    }
    bits->direct = tsr_cpu_level() >= 3;
}

TSR_CLONES static void gather_in_steps(uint64_t *restrict d, const uint64_t *restrict x, const tsr_bits *bits,
                                       size_t n)
{
    const uint64_t mask = bits->mask, m0 = bits->move[0], m1 = bits->move[1], m2 = bits->move[2],
                   m3 = bits->move[3], m4 = bits->move[4], m5 = bits->move[5];
    for (size_t e = 0; e < n; e++) {
        uint64_t v = x[e] & mask;
        v = (v & ~m0) | ((v & m0) >> 1);
        v = (v & ~m1) | ((v & m1) >> 2);
        v = (v & ~m2) | ((v & m2) >> 4);
        v = (v & ~m3) | ((v & m3) >> 8);
        v = (v & ~m4) | ((v & m4) >> 16);
        v = (v & ~m5) | ((v & m5) >> 32);
        d[e] = v;
    }
}

/* The steps of a gather, backward: a bit is moved up to where it was. */
TSR_CLONES static void scatter_in_steps(uint64_t *restrict d, const uint64_t *restrict x,
                                        const tsr_bits *bits, size_t n)
{
    const uint64_t mask = bits->mask, m0 = bits->move[0], m1 = bits->move[1], m2 = bits->move[2],
                   m3 = bits->move[3], m4 = bits->move[4], m5 = bits->move[5];
    for (size_t e = 0; e < n; e++) {
        uint64_t v = x[e];
        v = (v & ~m5) | ((v << 32) & m5);
        v = (v & ~m4) | ((v << 16) & m4);
        v = (v & ~m3) | ((v << 8) & m3);
        v = (v & ~m2) | ((v << 4) & m2);
        v = (v & ~m1) | ((v << 2) & m1);
        v = (v & ~m0) | ((v << 1) & m0);
        d[e] = v & mask;
    }
}

void tsr_bits_gather(uint64_t *d, const uint64_t *x, const tsr_bits *bits, size_t n)
{
    (bits->direct ? gather_directly : gather_in_steps)(d, x, bits, n);
}

void tsr_bits_scatter(uint64_t *d, const uint64_t *x, const tsr_bits *bits, size_t n)
{
    (bits->direct ? scatter_directly : scatter_in_steps)(d, x, bits, n);
}
