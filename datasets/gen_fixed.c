/* Integer logarithms and powers: see gen_fixed.h. */
#include "gen_fixed.h"

uint64_t gen_muldiv(uint64_t a, uint64_t b, uint64_t c)
{
    if (a == 0 || b <= UINT64_MAX / a)
        return a * b / c;
    /* The product as two words, from products of halves. */
    const uint64_t mask = UINT32_MAX, al = a & mask, ah = a >> 32, bl = b & mask, bh = b >> 32;
    const uint64_t low = al * bl, mid1 = ah * bl + (low >> 32), mid2 = al * bh + (mid1 & mask);
    uint64_t hi = ah * bh + (mid1 >> 32) + (mid2 >> 32);
    uint64_t lo = (mid2 << 32) | (low & mask), quotient = 0;
    hi %= c; /* the result fits, so hi < c already */
    for (int i = 0; i < 64; i++) {
        const uint64_t carry = hi >> 63;
        hi = (hi << 1) | (lo >> 63);
        lo <<= 1;
        quotient <<= 1;
        if (carry || hi >= c) {
            hi -= c;
            quotient |= 1;
        }
    }
    return quotient;
}

int gen_top_bit(uint64_t x)
{
    int bit = 0;
    for (int step = 32; step > 0; step /= 2)
        if (x >> step) {
            x >>= step;
            bit += step;
        }
    return bit;
}

int64_t gen_log2(uint64_t x)
{
    const int top = gen_top_bit(x);
    uint64_t y = top > 31 ? x >> (top - 31) : x << (31 - top); /* in [2^31, 2^32): 1 <= y / 2^31 < 2 */
    int64_t fraction = 0;
    for (int i = 0; i < 32; i++) { /* squaring doubles the logarithm; its whole part is the next bit */
        y = (y * y) >> 31;
        fraction <<= 1;
        if (y >> 32) {
            y >>= 1;
            fraction |= 1;
        }
    }
    return (int64_t)top * ((int64_t)1 << 32) + fraction;
}

uint64_t gen_exp2(int64_t e)
{
    /* 2^(2^-i) * 2^31 for i = 1...24, rounded: each the square root of the one before. */
    static const uint32_t root[] = {3037000500, 2553802834, 2341847524, 2242560872, 2194507417, 2170868212,
                                    2159144272, 2153306067, 2150392887, 2148937775, 2148210589, 2147847087,
                                    2147665360, 2147574502, 2147529075, 2147506361, 2147495005, 2147489326,
                                    2147486487, 2147485068, 2147484358, 2147484003, 2147483825, 2147483737};
    if (e < 0)
        return 0;
    const int whole = (int)(e >> 32);
    const uint32_t fraction = (uint32_t)(e & UINT32_MAX);
    uint64_t y = UINT64_C(1) << 31;
    for (int i = 0; i < (int)(sizeof root / sizeof *root); i++)
        if (fraction >> (31 - i) & 1)
            y = (y * root[i] + (UINT64_C(1) << 30)) >> 31;
    return whole >= 31 ? y << (whole - 31) : y >> (31 - whole);
}
