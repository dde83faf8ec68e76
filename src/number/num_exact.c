/* Exact comparison of decimal digits with a binary fraction, by big integers: see num_exact.h.
 *
 * With x = D * 10^E, compare D * 5^E * 2^E with m * 2^e; a power with a negative exponent moves to the other
 * side. Of the digits after the first 768 it matters only whether one of them is not 0: no midpoint between
 * two doubles has more than 767 significant digits. So D < 10^769, E > -342 - 769, and both sides are below
 * 2^2700. */
#include "num_exact.h"

#include <assert.h>
#include <stdbool.h>

#include "num_pow10.h"

enum { MAX_DIGITS = 768, MAX_LIMBS = 48 };

typedef struct big {
    uint64_t limb[MAX_LIMBS]; /* least significant first; limb[n-1] != 0 */
    int n;
} big;

/* b = b * f + a */
static void mul_add(big *b, uint64_t f, uint64_t a)
{
    tsr_u128 carry = a;
    for (int i = 0; i < b->n; i++) {
        carry += (tsr_u128)b->limb[i] * f;
        b->limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
    if (carry) {
        assert(b->n < MAX_LIMBS);
        b->limb[b->n++] = (uint64_t)carry;
    }
}

static void mul_pow5(big *b, int64_t n)
{
    const uint64_t pow5_27 = UINT64_C(7450580596923828125); /* 5^27, the largest power of 5 below 2^64 */
    for (; n >= 27; n -= 27)
        mul_add(b, pow5_27, 0);
    uint64_t f = 1;
    for (; n > 0; n--)
        f *= 5;
    mul_add(b, f, 0);
}

static void shift_left(big *b, int64_t nbits)
{
    const int limbs = (int)(nbits / 64), bits = (int)(nbits % 64);
    if (bits)
        mul_add(b, UINT64_C(1) << bits, 0);
    assert(b->n + limbs <= MAX_LIMBS);
    for (int i = b->n; i-- > 0;)
        b->limb[i + limbs] = b->limb[i];
    for (int i = 0; i < limbs; i++)
        b->limb[i] = 0;
    b->n += limbs;
}

static int compare(const big *a, const big *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (int i = a->n; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* *d = the first digits (at most MAX_DIGITS significant digits, then a 1 if one of the others is not 0); x =
 * *d * 10^(returned value). */
static int64_t read_digits(big *d, const char *p, const char *stop, int64_t exp10)
{
    int ntaken = 0;
    bool point = false, rest = false;
    d->n = 0;
    for (; p < stop; p++) {
        if (*p == '.') {
            point = true;
        } else if (ntaken < MAX_DIGITS) {
            mul_add(d, 10, (uint64_t)(*p - '0'));
            ntaken += d->n > 0;
            exp10 -= point;
        } else {
            rest |= *p != '0';
            exp10 += !point;
        }
    }
    if (rest) {
        mul_add(d, 10, 1);
        exp10--;
    }
    return exp10;
}

int tsr_num_compare(const char *digits, const char *stop, int64_t exp10, uint64_t m, int e)
{
    big x, y = {.limb = {m}, .n = 1};
    exp10 = read_digits(&x, digits, stop, exp10);
    if (exp10 > 0)
        mul_pow5(&x, exp10);
    else
        mul_pow5(&y, -exp10);
    if (exp10 > e)
        shift_left(&x, exp10 - e);
    else
        shift_left(&y, e - exp10);
    return compare(&x, &y);
}
