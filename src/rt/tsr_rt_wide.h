/* A piece of generated kernels: vector registers of AVX-512. */
#ifndef TSR_RT_WIDE_H
#define TSR_RT_WIDE_H

#include <stdint.h>

/* piece WIDE (<stdint.h>): Registers of 64 bytes, of 16 or 8 lanes, and the instructions of AVX-512 that C cannot express; a mask has
 * a bit for each lane. They are assembler, since a compiler reads <immintrin.h> longer than it compiles most kernels. */
#if defined(__AVX512BW__) && defined(__BMI2__) && defined(__x86_64__)
#define TSR_RT_WIDE
#define WIDE_FUNCTION static inline __attribute__((unused))
typedef unsigned wide16 __attribute__((vector_size(64)));
typedef unsigned long long wide8 __attribute__((vector_size(64)));
/* wide_load16, wide_load8, wide_load64: the lanes of the mask from memory, 0 in the others. */
#define WIDE_LOAD(NAME, MASK, INSTRUCTION)                                                               \
    WIDE_FUNCTION wide16 NAME(MASK mask, const void *from)                                               \
    {                                                                                                    \
        wide16 x;                                                                                        \
        __asm__(INSTRUCTION " %1, %0%{%2%}%{z%}" : "=v"(x) : "m"(*(const char(*)[64])from), "Yk"(mask)); \
        return x;                                                                                        \
    }
WIDE_LOAD(wide_load16, uint16_t, "vmovdqu32")
WIDE_LOAD(wide_load64, uint64_t, "vmovdqu8")
WIDE_LOAD(wide_load8, uint8_t, "vmovdqu64")
/* wide_expand16, wide_expand8: x, with the lanes of the mask from memory, which are one after the other there. */
#define WIDE_EXPAND(NAME, TYPE, MASK, INSTRUCTION)                                                  \
    WIDE_FUNCTION TYPE NAME(MASK mask, const void *from, TYPE x)                                    \
    {                                                                                               \
        __asm__(INSTRUCTION " %1, %0%{%2%}" : "+v"(x) : "m"(*(const char(*)[64])from), "Yk"(mask)); \
        return x;                                                                                   \
    }
WIDE_EXPAND(wide_expand16, wide16, uint16_t, "vpexpandd")
WIDE_EXPAND(wide_expand8, wide8, uint8_t, "vpexpandq")
/* wide_store16, wide_store8, wide_store64: store the lanes of the mask. */
#define WIDE_STORE(NAME, TYPE, MASK, INSTRUCTION)                                           \
    WIDE_FUNCTION void NAME(MASK mask, void *to, TYPE x)                                    \
    {                                                                                       \
        __asm__(INSTRUCTION " %1, %0%{%2%}" : "+m"(*(char(*)[64])to) : "v"(x), "Yk"(mask)); \
    }
WIDE_STORE(wide_store16, wide16, uint16_t, "vmovdqu32")
WIDE_STORE(wide_store8, wide8, uint8_t, "vmovdqu64")
WIDE_STORE(wide_store64, wide16, uint64_t, "vmovdqu8")
/* wide_compress16, wide_compress8: the lanes of the mask, one after the other, then zeros. */
#define WIDE_COMPRESS(NAME, TYPE, MASK, INSTRUCTION)                              \
    WIDE_FUNCTION TYPE NAME(MASK mask, TYPE x)                                    \
    {                                                                             \
        TYPE y;                                                                   \
        __asm__(INSTRUCTION " %1, %0%{%2%}%{z%}" : "=v"(y) : "v"(x), "Yk"(mask)); \
        return y;                                                                 \
    }
WIDE_COMPRESS(wide_compress16, wide16, uint16_t, "vpcompressd")
WIDE_COMPRESS(wide_compress8, wide8, uint8_t, "vpcompressq")
/* wide_equal, wide_less, wide_least: the lanes with x == y, x < y, x <= y. */
#define WIDE_COMPARE(NAME, PREDICATE)                                               \
    WIDE_FUNCTION uint16_t NAME(wide16 x, wide16 y)                                 \
    {                                                                               \
        uint16_t mask;                                                              \
        __asm__("vpcmpud " PREDICATE ", %2, %1, %0" : "=k"(mask) : "v"(x), "v"(y)); \
        return mask;                                                                \
    }
WIDE_COMPARE(wide_equal, "$0")
WIDE_COMPARE(wide_less, "$1")
WIDE_COMPARE(wide_least, "$2")
/* wide_choose16, wide_choose8: x, with y in the lanes of the mask; wide_add8: with x + y there, doubles. */
#define WIDE_MERGE(NAME, TYPE, MASK, INSTRUCTION)                        \
    WIDE_FUNCTION TYPE NAME(MASK mask, TYPE x, TYPE y)                   \
    {                                                                    \
        __asm__(INSTRUCTION " %0%{%2%}" : "+v"(x) : "v"(y), "Yk"(mask)); \
        return x;                                                        \
    }
WIDE_MERGE(wide_choose16, wide16, uint16_t, "vmovdqa32 %1,")
WIDE_MERGE(wide_choose8, wide8, uint8_t, "vmovdqa64 %1,")
WIDE_MERGE(wide_add8, wide8, uint8_t, "vaddpd %1, %0,")
/* wide_all, wide_all8: x in all lanes; wide_lanes: the number of each lane. */
WIDE_FUNCTION wide16 wide_all(unsigned x)
{
    const wide16 zero = {0};
    return zero + x;
}
WIDE_FUNCTION wide8 wide_all8(unsigned long long x)
{
    const wide8 zero = {0};
    return zero + x;
}
WIDE_FUNCTION wide16 wide_lanes(void)
{
    const wide16 lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return lanes;
}
/* wide_set64: the bytes that are not 0; wide_spread: lane u in all lanes. */
WIDE_FUNCTION uint64_t wide_set64(wide16 x)
{
    uint64_t mask;
    __asm__("vptestmb %1, %1, %0" : "=k"(mask) : "v"(x));
    return mask;
}
WIDE_FUNCTION wide16 wide_spread(wide16 x, unsigned u)
{
    wide16 y;
    __asm__("vpermd %2, %1, %0" : "=v"(y) : "v"(wide_all(u)), "v"(x));
    return y;
}
/* wide_low: lanes 0 to 7; wide_high: lanes 8 to 15; wide_upper, wide_second: the upper half, the
 * second quarter of x; wide_shift: x << y, y < 64, in the
 * lanes of the mask, 0 in the others. */
WIDE_FUNCTION wide8 wide_low(wide16 x)
{
    wide8 y;
    __asm__("vpmovzxdq %t1, %0" : "=v"(y) : "v"(x));
    return y;
}
WIDE_FUNCTION wide8 wide_upper(wide8 x)
{
    wide8 y;
    __asm__("vextracti64x4 $1, %1, %t0" : "=v"(y) : "v"(x));
    return y;
}
WIDE_FUNCTION wide8 wide_second(wide8 x)
{
    wide8 y;
    __asm__("vextracti32x4 $1, %1, %x0" : "=v"(y) : "v"(x));
    return y;
}
WIDE_FUNCTION wide8 wide_high(wide16 x)
{
    return wide_low((wide16)wide_upper((wide8)x));
}
/* wide_pick8: lane y[u], of x, and from 8 on of z, in lane u. */
WIDE_FUNCTION wide8 wide_pick8(wide8 y, wide16 x, wide16 z)
{
    __asm__("vpermi2q %2, %1, %0" : "+v"(y) : "v"(x), "v"(z));
    return y;
}
WIDE_FUNCTION wide8 wide_shift(uint8_t mask, wide8 x, wide8 y)
{
    wide8 z;
    __asm__("vpsllvq %2, %1, %0%{%3%}%{z%}" : "=v"(z) : "v"(x), "v"(y), "Yk"(mask));
    return z;
}
#endif

/* piece end */
#endif
