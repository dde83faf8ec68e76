/* Moving the bits of a number to and from the places that a mask names: the digits of keys whose bits come
 * from several coordinates. gather(x, mask) has in bit i the bit of x at the i-th one of the mask (0 the
 * lowest), and scatter(x, mask) has bit i of x at the i-th one and zeros elsewhere; so scatter(gather(x, mask),
 * mask) = x & mask. */
#ifndef TSR_BITS_H
#define TSR_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of bits of v: the smallest n with v < 2^n. */
static inline int tsr_bit_length(uint64_t v)
{
    return v == 0 ? 0 : 64 - __builtin_clzll(v);
}

/* The number of zeros below the lowest one of v, which is not 0. */
static inline int tsr_lowest_bit(uint64_t v)
{
    return __builtin_ctzll(v);
}

/* A mask prepared for whole arrays. Without instructions for the purpose, bits move in six steps, by 1, 2, 4...
 * 32 places (Warren, "Hacker's Delight", section 7-4): move[s] are the bits that step s of a gather moves down
 * by 2^s places, at the places where they are before that step. */
typedef struct tsr_bits {
    uint64_t mask;
    uint64_t move[6];
    bool direct; /* the processor gathers and scatters (BMI2) */
} tsr_bits;

/* `direct` is set if the processor has the instructions; a caller may clear it. */
void tsr_bits_init(tsr_bits *bits, uint64_t mask);
/* d[e] = gather(x[e], mask), d[e] = scatter(x[e], mask) for e in [0, n); d and x do not overlap. */
void tsr_bits_gather(uint64_t *d, const uint64_t *x, const tsr_bits *bits, size_t n);
void tsr_bits_scatter(uint64_t *d, const uint64_t *x, const tsr_bits *bits, size_t n);
/* The same for one number. Slow and simple. */
uint64_t tsr_gather_u64(uint64_t x, uint64_t mask);

#ifdef __cplusplus
}
#endif
#endif
