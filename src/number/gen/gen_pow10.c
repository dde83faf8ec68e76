/* Writes num_pow10.c: the powers of ten that num_parse.c and num_print.c multiply with.
 *
 * Entry q - TSR_POW10_MIN is the pair (hi, lo) of c = floor(10^q / 2^(L - 127)), L = floor(log2(10^q)): the
 * first 128 bits of 10^q, truncated, 2^127 <= c < 2^128. It is exact for 0 <= q <= 55 only (5^55 < 2^128). */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "num_pow10.h"

enum { NLIMBS = 32 }; /* of 32 bits: 5^342 has 795 bits, twice that is needed while dividing */

typedef struct big {
    uint32_t limb[NLIMBS]; /* least significant first */
} big;

static big pow5(int n)
{
    big b = {{1}};
    for (int i = 0; i < n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < NLIMBS; j++) {
            carry += (uint64_t)b.limb[j] * 5;
            b.limb[j] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return b;
}

static int bit(const big *b, int i)
{
    return i < 0 ? 0 : (int)(b->limb[i / 32] >> i % 32 & 1);
}

static int nbits(const big *b)
{
    int i = NLIMBS * 32;
    while (i > 0 && !bit(b, i - 1))
        i--;
    return i;
}

static void twice(big *b)
{
    for (int j = NLIMBS; j-- > 0;)
        b->limb[j] = b->limb[j] << 1 | (j > 0 ? b->limb[j - 1] >> 31 : 0);
}

static int less(const big *a, const big *b)
{
    for (int j = NLIMBS; j-- > 0;)
        if (a->limb[j] != b->limb[j])
            return a->limb[j] < b->limb[j];
    return 0;
}

static void subtract(big *a, const big *b)
{
    uint64_t borrow = 0;
    for (int j = 0; j < NLIMBS; j++) {
        const uint64_t d = (uint64_t)a->limb[j] - b->limb[j] - borrow;
        a->limb[j] = (uint32_t)d;
        borrow = d >> 63;
    }
}

/* The first 128 bits of 5^q, which are those of 10^q. */
static void first_bits(uint64_t c[2], int q)
{
    const big p = pow5(q < 0 ? -q : q);
    const int n = nbits(&p);
    big r = {
        {0}}; /* q < 0: 2^(n-1) < 5^-q < 2^n, so 2^(n+127) / 5^-q has 128 bits: long division from 2^(n-1) */
    r.limb[(n - 1) / 32] = UINT32_C(1) << (n - 1) % 32;
    c[0] = c[1] = 0;
    for (int i = 0; i < 128; i++) {
        uint64_t next;
        if (q >= 0) {
            next = (uint64_t)bit(&p, n - 1 - i);
        } else {
            twice(&r);
            next = !less(&r, &p);
            if (next)
                subtract(&r, &p);
        }
        c[0] = c[0] << 1 | c[1] >> 63;
        c[1] = c[1] << 1 | next;
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: gen_pow10 OUTPUT\n");
        return 2;
    }
    FILE *f = fopen(argv[1], "w");
    if (!f) {
        perror(argv[1]);
        return 1;
    }
    fprintf(f, "/* Made by gen_pow10.c: see there. */\n#include \"num_pow10.h\"\n\n"
               "const uint64_t tsr_pow10[TSR_POW10_MAX - TSR_POW10_MIN + 1][2] = {\n");
    for (int q = TSR_POW10_MIN; q <= TSR_POW10_MAX; q++) {
        uint64_t c[2];
        first_bits(c, q);
        fprintf(f, "    {0x%016" PRIx64 ", 0x%016" PRIx64 "}, /* 1e%d */\n", c[0], c[1], q);
    }
    fprintf(f, "};\n");
    const int failed = ferror(f);
    if (fclose(f) != 0 || failed) {
        fprintf(stderr, "cannot write %s\n", argv[1]);
        return 1;
    }
    return 0;
}
