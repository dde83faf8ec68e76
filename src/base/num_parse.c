/* Parse numbers: see tsr_num.h.
 *
 * Floats: the digits become w * 10^q with w < 2^64 (the first 19 significant digits; "many" when others that
 * are not 0 follow). Then w * 10^q is rounded with one or two 64 x 64 bit products (Eisel-Lemire). Where more
 * digits decide, w and w + 1 are both rounded; if they differ, big integers compare the text with the
 * midpoint (num_exact.c). */
#include "tsr_num.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "num_exact.h"
#include "num_pow10.h"

__extension__ typedef unsigned __int128 u128;

/* Powers of ten that fit 64 bits. */
static const uint64_t pow10_u64[20] = {
    UINT64_C(1),
    UINT64_C(10),
    UINT64_C(100),
    UINT64_C(1000),
    UINT64_C(10000),
    UINT64_C(100000),
    UINT64_C(1000000),
    UINT64_C(10000000),
    UINT64_C(100000000),
    UINT64_C(1000000000),
    UINT64_C(10000000000),
    UINT64_C(100000000000),
    UINT64_C(1000000000000),
    UINT64_C(10000000000000),
    UINT64_C(100000000000000),
    UINT64_C(1000000000000000),
    UINT64_C(10000000000000000),
    UINT64_C(100000000000000000),
    UINT64_C(1000000000000000000),
    UINT64_C(10000000000000000000),
};

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Append the run of digits at p to *w (modulo 2^64); return its end. */
static inline const char *read_digits(uint64_t *w, const char *p, const char *end)
{
    while (end - p >= 8) {
        const uint64_t t = tsr_num_load8(p);
        const int n = tsr_num_ndigits8(t);
        if (n < 8) {
            if (n > 0)
                *w = *w * pow10_u64[n] + tsr_num_value8(t << (64 - 8 * n));
            return p + n;
        }
        *w = *w * 100000000 + tsr_num_value8(t);
        p += 8;
    }
    for (; p < end && is_digit(*p); p++)
        *w = *w * 10 + (uint64_t)(*p - '0');
    return p;
}

/* [digits] into *out. As tsr_parse_u64 without the sign. */
static const char *parse_magnitude(uint64_t *out, const char *p, const char *end)
{
    *out = 0;
    const char *stop = read_digits(out, p, end);
    if (stop - p < 20)
        return stop > p ? stop : NULL;
    while (p < stop && *p == '0')
        p++;
    if (stop - p < 20)
        return stop;
    /* 20 digits wrap at most once when the first is 1, and then to below 10^19. */
    if (stop - p == 20 && *p == '1' && *out >= pow10_u64[19])
        return stop;
    *out = UINT64_MAX;
    return NULL;
}

const char *tsr_parse_u64(uint64_t *out, const char *p, const char *end)
{
    return parse_magnitude(out, p + (p < end && *p == '+'), end);
}

const char *tsr_parse_i64(int64_t *out, const char *p, const char *end)
{
    const bool negative = p < end && *p == '-';
    const uint64_t limit = (uint64_t)INT64_MAX + negative;
    uint64_t v;
    p = parse_magnitude(&v, p + (p < end && (*p == '-' || *p == '+')), end);
    if (v > limit) {
        v = limit;
        p = NULL;
    }
    *out = negative ? (int64_t)(0 - v) : (int64_t)v;
    return p;
}

/* What distinguishes a binary floating type here. */
typedef struct float_format {
    int mantissa_bits; /* stored ones: 52, 23 */
    int bias;          /* of the stored exponent: 1023, 127 */
    int exponent_max;  /* stored exponent of infinity: 2047, 255 */
    int min_q, max_q;  /* w * 10^q with 0 < w < 2^64 is 0 below min_q and infinite above max_q */
} float_format;

static const float_format f64_format = {52, 1023, 2047, -342, 308};
static const float_format f32_format = {23, 127, 255, -64, 38};

/* A decimal number in text: w * 10^q, and where its digits are. */
typedef struct decimal {
    uint64_t w;
    int64_t q;
    int64_t exp10; /* the written exponent */
    const char *digits, *stop;
    bool many; /* digits beyond those of w that are not 0: w * 10^q < x < (w + 1) * 10^q */
} decimal;

/* Round w * 10^q, w > 0, to nearest, ties to even, and return the bits; or set *unsure and return the bits of
 * the neighbour below.
 *
 * With c the table's 128 bits of 10^q, w normalised to 64 bits: P = w * c is 192 bits long, and the true
 * product lies in [P, P + 2^64). So its upper 128 bits (hi, mid) are known but for a carry into the lowest. A
 * carry can matter only through a run of ones below the rounding position; only then is the lower half of c
 * multiplied. And it matters only when the round bit is 0: with 1 we round up either way. A tie has a 54-bit
 * (or shorter) odd multiple of a power of two, so 5^|q| divides w (q < 0, |q| <= 27) or the 54-bit number (q
 * <= 23): there c is exact and its lower half 0. */
static inline uint64_t round_product(uint64_t w, int q, const float_format *f, bool *unsure)
{
    const int lz = __builtin_clzll(w);
    const uint64_t *c = tsr_pow10[q - TSR_POW10_MIN];
    const u128 p = (u128)(w << lz) * c[0];
    uint64_t hi = (uint64_t)(p >> 64), mid = (uint64_t)p;
    const uint64_t low_ones = (UINT64_C(1) << (62 - f->mantissa_bits - 1)) - 1;
    bool carry_unknown = false;
    if ((hi & low_ones) == low_ones) {
        const uint64_t more = (uint64_t)((u128)(w << lz) * c[1] >> 64);
        mid += more;
        hi += mid < more;
        carry_unknown = mid == UINT64_MAX && !(q >= 0 && q <= TSR_POW10_EXACT);
    }
    const int top = (int)(hi >> 63);
    int biased = tsr_log2_pow10(q) + 63 + top - lz + f->bias;
    int shift = 62 - f->mantissa_bits - 1 + top; /* leaves the mantissa, its leading 1 and the round bit */
    if (biased <= 0) {
        shift += 1 - biased;
        if (shift > 63)
            return 0; /* under half of the smallest */
        biased = 1;
    }
    const uint64_t below = hi & ((UINT64_C(1) << shift) - 1);
    uint64_t m = hi >> shift;
    if (carry_unknown && !(m & 1) && below == (UINT64_C(1) << shift) - 1)
        *unsure = true;
    const bool sticky = below != 0 || mid != 0 || q < 0 || q > 27;
    m = (m >> 1) + (m & 1 & (sticky | m >> 1));
    if (biased >= f->exponent_max)
        return (uint64_t)f->exponent_max << f->mantissa_bits;
    /* m holds the leading 1 (or not: a subnormal), and a carry out of it moves the exponent up. */
    return ((uint64_t)(biased - 1) << f->mantissa_bits) + m;
}

/* x lies between the float of these bits and the next above; big integers say which is nearer. */
static uint64_t round_exactly(uint64_t bits, const decimal *d, const float_format *f)
{
    const uint64_t stored = bits & ((UINT64_C(1) << f->mantissa_bits) - 1);
    const int biased = (int)(bits >> f->mantissa_bits);
    const uint64_t m = stored | (uint64_t)(biased > 0) << f->mantissa_bits;
    const int e = (biased > 0 ? biased : 1) - f->bias - f->mantissa_bits;
    const int sign = tsr_num_compare(d->digits, d->stop, d->exp10, 2 * m + 1, e - 1);
    return bits + (sign > 0 || (sign == 0 && (bits & 1)));
}

/* The general case: zero, out of range, or more digits than w holds. Returns the bits. */
static inline uint64_t round_decimal(const decimal *d, const float_format *f)
{
    if (d->w == 0 || d->q < f->min_q)
        return 0;
    if (d->q > f->max_q)
        return (uint64_t)f->exponent_max << f->mantissa_bits;
    bool unsure = false;
    uint64_t bits = round_product(d->w, (int)d->q, f, &unsure);
    if (d->many && !unsure)
        unsure = round_product(d->w + 1, (int)d->q, f, &unsure) != bits || unsure;
    if (unsure)
        bits = round_exactly(bits, d, f);
    return bits;
}

static inline bool is_exponent_mark(char c)
{
    return (c | 0x21) == 'e'; /* e E d D */
}

/* The exponent whose mark is at p, into *exp10 (kept within +-10^18); returns its end, or p when there are no
 * digits. */
static const char *read_exponent(int64_t *exp10, const char *p, const char *end)
{
    const char *s = p + 1;
    const bool negative = s < end && *s == '-';
    s += s < end && (*s == '-' || *s == '+');
    if (s == end || !is_digit(*s))
        return p;
    int64_t e = 0;
    for (; s < end && is_digit(*s); s++)
        if (e < INT64_C(100000000000000000))
            e = e * 10 + (*s - '0');
    *exp10 = negative ? -e : e;
    return s;
}

/* d for text with over 19 digits, of which the leading zeros do not count. d->w is right modulo 2^64. */
static void keep_19_digits(decimal *d)
{
    const char *p = d->digits, *point = memchr(d->digits, '.', (size_t)(d->stop - d->digits));
    while (p < d->stop && (*p == '0' || *p == '.'))
        p++;
    const bool point_follows = point && p <= point;
    if (d->stop - p - point_follows <= 19)
        return;
    d->w = 0;
    for (int n = 0; n < 19; p++)
        if (*p != '.') {
            d->w = d->w * 10 + (uint64_t)(*p - '0');
            n++;
        }
    if (!point)
        point = d->stop;
    d->q = d->exp10 + (p <= point ? point - p : point + 1 - p);
    for (; p < d->stop && !d->many; p++)
        d->many = *p != '0' && *p != '.';
}

/* [+-] is behind us: digits[.digits][exponent] at p into *d; returns its end, NULL when there is none. */
static inline const char *read_decimal(decimal *d, const char *p, const char *end)
{
    d->w = 0;
    d->q = 0;
    d->exp10 = 0;
    d->many = false;
    d->digits = p;
    p = read_digits(&d->w, p, end);
    ptrdiff_t ndigits = p - d->digits;
    if (p < end && *p == '.') {
        const char *fraction = ++p;
        p = read_digits(&d->w, p, end);
        d->q = fraction - p;
        ndigits += p - fraction;
    }
    if (ndigits == 0)
        return NULL;
    d->stop = p;
    if (p < end && is_exponent_mark(*p)) {
        p = read_exponent(&d->exp10, p, end);
        d->q += d->exp10;
    }
    if (ndigits > 19)
        keep_19_digits(d);
    return p;
}

/* nan, inf or infinity in any case at p: its end, or NULL. */
static const char *read_word(double *out, const char *p, const char *end)
{
    static const struct {
        const char *text;
        size_t n;
        double v;
    } words[] = {{"infinity", 8, INFINITY}, {"inf", 3, INFINITY}, {"nan", 3, NAN}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if ((size_t)(end - p) < words[i].n)
            continue;
        size_t n = 0;
        while (n < words[i].n && (p[n] | 0x20) == words[i].text[n])
            n++;
        if (n == words[i].n) {
            *out = words[i].v;
            return p + n;
        }
    }
    *out = 0;
    return NULL;
}

const char *tsr_parse_f64(double *out, const char *p, const char *end)
{
    const bool negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    decimal d;
    const char *stop = read_decimal(&d, p, end);
    double v;
    if (stop) {
        const uint64_t bits = round_decimal(&d, &f64_format);
        memcpy(&v, &bits, sizeof v);
    } else {
        stop = read_word(&v, p, end);
    }
    *out = negative ? -v : v;
    return stop;
}

const char *tsr_parse_f32(float *out, const char *p, const char *end)
{
    const bool negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    decimal d;
    const char *stop = read_decimal(&d, p, end);
    float v;
    if (stop) {
        const uint32_t bits = (uint32_t)round_decimal(&d, &f32_format);
        memcpy(&v, &bits, sizeof v);
    } else {
        double word;
        stop = read_word(&word, p, end);
        v = (float)word;
    }
    *out = negative ? -v : v;
    return stop;
}
