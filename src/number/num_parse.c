/* Parse numbers: see tsr_num.h.
 *
 * Floats: the digits become w * 10^q with w < 2^64 (the first 19 significant digits; "many" if later digits
 * that are not 0 follow). Then w * 10^q is rounded with one or two 64 x 64 bit products (Eisel-Lemire). If
 * there are more digits, w and w + 1 are both rounded; if the results differ, big integers compare the text
 * with the midpoint (num_exact.c). A short number is a quotient or product of two exact floats, which the
 * processor rounds (in its default mode, to nearest). */
#include "tsr_num.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "num_exact.h"
#include "num_pow10.h"
#include "tsr_digits.h"

#define COLD __attribute__((noinline, cold))

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Append the run of digits at p to *w (modulo 2^64); return the end of the run. */
static inline const char *read_digits(uint64_t *w, const char *p, const char *end)
{
    while (end - p >= 8) {
        const uint64_t t = tsr_digits_load8(p), others = tsr_digits_others(t);
        if (others) {
            const int n = tsr_digits_first(others);
            if (n > 0)
                *w = *w * tsr_pow10_u64[n] + tsr_digits_value(t << (64 - 8 * n));
            return p + n;
        }
        *w = *w * 100000000 + tsr_digits_value(t);
        p += 8;
    }
    for (; p < end && is_digit(*p); p++)
        *w = *w * 10 + (uint64_t)(*p - '0');
    return p;
}

/* Parse [digits] into *out, as tsr_parse_u64 does after the sign. */
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
    /* A number of 20 digits that begins with 1 wraps at most once, to a number below 10^19. */
    if (stop - p == 20 && *p == '1' && *out >= tsr_pow10_u64[19])
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

/* The properties of a binary floating-point type that the parser needs. */
typedef struct float_format {
    int mantissa_bits; /* bits stored: 52, 23 */
    int bias;          /* bias of the stored exponent: 1023, 127 */
    int exponent_max;  /* stored exponent of infinity: 2047, 255 */
    int min_q, max_q;  /* w * 10^q with 0 < w < 2^64 is 0 below min_q and infinite above max_q */
} float_format;

static const float_format f64_format = {52, 1023, 2047, -342, 308};
static const float_format f32_format = {23, 127, 255, -64, 38};

/* Round w * 10^q, w > 0, to nearest, ties to even, and return the bits; or set *unsure and return the bits of
 * the lower neighbour.
 *
 * Let c be the 128 bits of 10^q in the table, and normalise w to 64 bits. P = w * c has 192 bits, and the
 * true product lies in [P, P + 2^64). So its upper 128 bits (hi, mid) are known except for a carry into the
 * lowest bit. The carry matters only if it runs through ones up to the rounding position; only then is the
 * lower half of c multiplied. Even then it matters only if the round bit is 0: with 1 both cases round up.
 * Ties: if q >= 0, 5^q divides a number of 54 bits, so q <= 23, c is exact with a lower half of 0, and all
 * bits of P below the round bit are 0. If q < 0, P is less than the product, so a tie looks like a run of
 * ones: *unsure. */
static inline uint64_t round_product(uint64_t w, int q, const float_format *f, bool *unsure)
{
    const int lz = __builtin_clzll(w);
    const uint64_t *c = tsr_pow10[q - TSR_POW10_MIN];
    const tsr_u128 p = (tsr_u128)(w << lz) * c[0];
    uint64_t hi = (uint64_t)(p >> 64), mid = (uint64_t)p;
    const uint64_t low_ones = (UINT64_C(1) << (62 - f->mantissa_bits - 1)) - 1;
    bool carry_unknown = false;
    if ((hi & low_ones) == low_ones) {
        const uint64_t more = (uint64_t)((tsr_u128)(w << lz) * c[1] >> 64);
        mid += more;
        hi += mid < more;
        carry_unknown = mid == UINT64_MAX && !(q >= 0 && q <= TSR_POW10_EXACT);
    }
    const int top = (int)(hi >> 63);
    int biased = tsr_log2_pow10(q) + 63 + top - lz + f->bias;
    int shift = 62 - f->mantissa_bits - 1 + top; /* keeps the mantissa, its leading 1 and the round bit */
    if (biased <= 0) {
        shift += 1 - biased;
        if (shift > 63)
            return 0; /* less than half of the smallest float */
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
    /* m contains the leading 1 (unless the number is subnormal); a carry out of m increases the exponent. */
    return ((uint64_t)(biased - 1) << f->mantissa_bits) + m;
}

/* The bits of the float nearest to w * 10^q; with *unsure as in round_product. */
static inline uint64_t round_decimal(uint64_t w, int64_t q, const float_format *f, bool *unsure)
{
    if (w == 0 || q < f->min_q)
        return 0;
    if (q > f->max_q)
        return (uint64_t)f->exponent_max << f->mantissa_bits;
    return round_product(w, (int)q, f, unsure);
}

static inline bool is_exponent_mark(char c)
{
    return (c | 0x21) == 'e'; /* 'e', 'E', 'd' or 'D' */
}

/* Add the exponent whose letter is at p to *q (an exponent beyond +-10^17 is replaced by one that is as
 * extreme); returns its end, or p if there are no digits. */
static inline const char *read_exponent(int64_t *q, const char *p, const char *end)
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
    *q += negative ? -e : e;
    return s;
}

/* The number of digits of [p, stop), which may contain a '.', without leading zeros. */
static ptrdiff_t significant(const char *p, const char *stop)
{
    bool point_behind = false;
    for (; p < stop && (*p == '0' || *p == '.'); p++)
        point_behind |= *p == '.';
    return stop - p - (!point_behind && p < stop && memchr(p, '.', (size_t)(stop - p)));
}

/* Read digits[.digits][exponent] at p, after the sign, as *w * 10^*q; returns its end, NULL if there is no
 * number. *many: there are more than 19 significant digits, so that *w * 10^*q is not exact. */
static inline const char *read_decimal(uint64_t *w, int64_t *q, bool *many, const char *p, const char *end)
{
    const char *const digits = p;
    *w = 0;
    *q = 0;
    *many = false;
    uint64_t others = 0, others2 = 0, t = 0;
    if (end - p >= 8) {
        t = tsr_digits_load8(p);
        others = tsr_digits_others(t);
        others2 = others & (others - 1);
    }
    if (others2 && !(others2 & 0x8000) && p[tsr_digits_first(others)] == '.') {
        /* All digits and the point are among the eight bytes: close the gap. */
        const uint64_t before = ((others & -others) >> 7) - 1;
        const int n = tsr_digits_first(others), n2 = tsr_digits_first(others2);
        *w = tsr_digits_value(((t & before) | (t >> 8 & ~before)) << (72 - 8 * n2));
        *q = n + 1 - n2;
        p += n2;
    } else {
        p = read_digits(w, p, end);
        ptrdiff_t ndigits = p - digits;
        if (p < end && *p == '.') {
            const char *fraction = ++p;
            p = read_digits(w, p, end);
            *q = fraction - p;
            ndigits += p - fraction;
        }
        if (ndigits == 0)
            return NULL;
        *many = ndigits > 19 && significant(digits, p) > 19;
    }
    if (p < end && is_exponent_mark(*p))
        p = read_exponent(q, p, end);
    return p;
}

/* The bits of the number [p, end), without a sign. For numbers whose digits do not fit w, or whose product is
 * unsure. */
static COLD uint64_t round_text(const char *p, const char *end, const float_format *f)
{
    const char *const digits = p;
    uint64_t w = 0;
    int64_t q = 0, exp10 = 0;
    int n = 0;
    bool point = false, many = false; /* many: w * 10^q < x < (w + 1) * 10^q, else x = w * 10^q */
    for (; p < end && (is_digit(*p) || *p == '.'); p++) {
        if (*p == '.') {
            point = true;
        } else if (n < 19) {
            w = w * 10 + (uint64_t)(*p - '0');
            n += w > 0;
            q -= point;
        } else {
            many |= *p != '0';
            q += !point;
        }
    }
    if (p < end)
        read_exponent(&exp10, p, end);
    q += exp10;
    bool unsure = false;
    const uint64_t bits = round_decimal(w, q, f, &unsure);
    if (!unsure && (!many || (round_decimal(w + 1, q, f, &unsure) == bits && !unsure)))
        return bits;
    /* x lies between the float with these bits and the next one: choose the nearer. */
    const uint64_t stored = bits & ((UINT64_C(1) << f->mantissa_bits) - 1);
    const int biased = (int)(bits >> f->mantissa_bits);
    const uint64_t m = stored | (uint64_t)(biased > 0) << f->mantissa_bits;
    const int e = (biased > 0 ? biased : 1) - f->bias - f->mantissa_bits;
    const int sign = tsr_num_compare(digits, p, exp10, 2 * m + 1, e - 1);
    return bits + (sign > 0 || (sign == 0 && (bits & 1)));
}

/* Read nan, inf or infinity in any case at p: returns its end, or NULL. */
static COLD const char *read_word(double *out, const char *p, const char *end)
{
    static const struct {
        const char *text;
        ptrdiff_t n;
        double v;
    } words[] = {{"infinity", 8, INFINITY}, {"inf", 3, INFINITY}, {"nan", 3, NAN}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        ptrdiff_t n = 0;
        while (n < words[i].n && n < end - p && (p[n] | 0x20) == words[i].text[n])
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
    static const double exact[] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const bool negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    uint64_t w;
    int64_t q;
    bool many, unsure = false;
    const char *stop = read_decimal(&w, &q, &many, p, end);
    double v;
    if (!stop) {
        stop = read_word(&v, p, end);
    } else if (FLT_EVAL_METHOD == 0 && w >> 53 == 0 && q >= -22 && q <= 22 && !many) {
        v = (double)(int64_t)w; /* w and the power are exact, so there is one rounding */
        v = q < 0 ? v / exact[-q] : v * exact[q];
    } else {
        uint64_t bits = many ? 0 : round_decimal(w, q, &f64_format, &unsure);
        if (many || unsure)
            bits = round_text(p, stop, &f64_format);
        memcpy(&v, &bits, sizeof v);
    }
    *out = negative ? -v : v;
    return stop;
}

const char *tsr_parse_f32(float *out, const char *p, const char *end)
{
    static const float exact[] = {1, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
    const bool negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    uint64_t w;
    int64_t q;
    bool many, unsure = false;
    const char *stop = read_decimal(&w, &q, &many, p, end);
    float v;
    if (!stop) {
        double word;
        stop = read_word(&word, p, end);
        v = (float)word;
    } else if (FLT_EVAL_METHOD == 0 && w >> 24 == 0 && q >= -10 && q <= 10 && !many) {
        v = (float)(int32_t)w;
        v = q < 0 ? v / exact[-q] : v * exact[q];
    } else {
        uint32_t bits = many ? 0 : (uint32_t)round_decimal(w, q, &f32_format, &unsure);
        if (many || unsure)
            bits = (uint32_t)round_text(p, stop, &f32_format);
        memcpy(&v, &bits, sizeof v);
    }
    *out = negative ? -v : v;
    return stop;
}
