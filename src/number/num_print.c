/* Print numbers: see tsr_num.h. Independent of byte order: eight digits are one 64-bit word whose low byte is
 * the first digit. */
#include <stdbool.h>
#include <string.h>

#include "num_pow10.h"
#include "tsr_num.h"

/* The digits of v < 10^8 as bytes 0..9, the first in the low byte: split into halves, quarters, eighths. */
static inline uint64_t digits8(uint32_t v)
{
    const uint64_t fours = v / 10000 | (uint64_t)(v % 10000) << 32;
    /* division by 100, exact below 10^4 */
    const uint64_t hundreds = (fours * 10486 >> 20) & UINT64_C(0x0000007f0000007f);
    const uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    /* division by 10, exact below 100 */
    const uint64_t tens = (twos * 103 >> 10) & UINT64_C(0x000f000f000f000f);
    return tens | (twos - 10 * tens) << 8;
}

static inline void store8(char *buf, uint64_t digits)
{
    digits |= UINT64_C(0x3030303030303030);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    digits = __builtin_bswap64(digits);
#endif
    memcpy(buf, &digits, 8);
}

/* The number of decimal digits of v (1 for 0). */
static inline int count_digits(uint64_t v)
{
    v |= 1;
    const int n = ((64 - __builtin_clzll(v)) * 1233) >> 12; /* floor(bits * log10(2)) */
    return n + (v >= tsr_pow10_u64[n]);
}

enum { E8 = 100000000 };

size_t tsr_print_u64(char *buf, uint64_t v)
{
    const int n = count_digits(v);
    if (n <= 8) {
        store8(buf, digits8((uint32_t)v) >> (64 - 8 * n));
    } else if (n <= 16) {
        store8(buf, digits8((uint32_t)(v / E8)) >> (64 - 8 * (n - 8)));
        store8(buf + n - 8, digits8((uint32_t)(v % E8)));
    } else {
        const uint64_t upper = v / E8;
        store8(buf, digits8((uint32_t)(upper / E8)) >> (64 - 8 * (n - 16)));
        store8(buf + n - 16, digits8((uint32_t)(upper % E8)));
        store8(buf + n - 8, digits8((uint32_t)(v % E8)));
    }
    return (size_t)n;
}

size_t tsr_print_i64(char *buf, int64_t v)
{
    *buf = '-';
    return (v < 0) + tsr_print_u64(buf + (v < 0), v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

/* digits * 10^k */
typedef struct decimal {
    uint64_t digits; /* below 10^17 */
    int k;
} decimal;

/* floor(c * 10^q * 2^-s), where s leaves the upper 64 bits of the product, made odd if nonzero bits were cut
 * off: precise enough to compare it with any even number. */
static inline uint64_t round_to_odd(const uint64_t g[2], uint64_t c)
{
    const tsr_u128 low = (tsr_u128)g[1] * c, high = (tsr_u128)g[0] * c + (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* The shortest decimal inside the rounding interval of c * 2^q, c > 0; of several shortest ones the nearest.
 * `closer`: the float below is at half the distance (c is the smallest of its binade).
 *
 * Schubfach. The interval is ((4c - 2) * 2^(q-2), (4c + 2) * 2^(q-2)), including its ends if c is even (they
 * round to even), with 4c - 1 instead of 4c - 2 if `closer`. Let k = floor(log10(length of the interval)).
 * The interval holds at least one multiple of 10^k and at most one of 10^(k+1), so only the neighbours of c *
 * 2^q on these two grids are candidates. All are compared after scaling with 10^-k, where g, the power
 * rounded up to 128 bits, is precise enough for round_to_odd. */
static inline decimal shortest(uint64_t c, int q, bool closer)
{
    const bool odd = c & 1;
    /* floor(log10(2^q)), or floor(log10(3/4 * 2^q)): 1262611 / 2^22 is log10(2), 524031 / 2^22 is
     * log10(4/3) */
    const int k = (q * 1262611 - (closer ? 524031 : 0)) >> 22;
    const int h = q + tsr_log2_pow10(-k) + 1;
    const uint64_t *t = tsr_pow10[-k - TSR_POW10_MIN];
    const bool exact = k <= 0 && -k <= TSR_POW10_EXACT;
    const uint64_t g[2] = {t[0] + (!exact && t[1] == UINT64_MAX), t[1] + !exact};
    const uint64_t v = round_to_odd(g, 4 * c << h);
    const uint64_t lower = round_to_odd(g, (4 * c - 2 + closer) << h) + odd;
    const uint64_t upper = round_to_odd(g, (4 * c + 2) << h) - odd;
    const uint64_t s = v / 4; /* v, lower, upper are in quarters of 10^k */
    if (s >= 10) {
        const uint64_t tens = s / 10;
        const bool under = lower <= 40 * tens, over = 40 * tens + 40 <= upper;
        if (under != over)
            return (decimal){tens + over, k + 1};
    }
    const bool under = lower <= 4 * s, over = 4 * s + 4 <= upper;
    if (under != over)
        return (decimal){s + over, k};
    const uint64_t middle = 4 * s + 2;
    return (decimal){s + (v > middle || (v == middle && (s & 1))), k};
}

/* Print an exponent e < 1000 with one to three digits. */
static inline size_t print_exponent(char *buf, uint32_t e)
{
    const int n = count_digits(e);
    const uint64_t word = (digits8(e) | UINT64_C(0x3030303030303030)) >> (64 - 8 * n);
    buf[0] = (char)word;
    buf[1] = (char)(word >> 8);
    buf[2] = (char)(word >> 16);
    return (size_t)n;
}

/* Print d, d.digits > 0, in the form that tsr_num.h describes. Writes up to 25 bytes. */
static size_t print_decimal(char *buf, decimal d)
{
    const int n = count_digits(d.digits);
    const int e = d.k + n - 1; /* d1.d2... * 10^e */
    const uint64_t all = d.digits * tsr_pow10_u64[17 - n], upper = all / E8;
    const uint64_t word1 = digits8((uint32_t)(upper % E8)), word2 = digits8((uint32_t)(all % E8));
    char text[32]; /* 17 digits; only the first `nused` are needed, the rest are trailing zeros */
    text[0] = (char)('0' + upper / E8);
    store8(text + 1, word1);
    store8(text + 9, word2);
    memset(text + 17, '0', 8);
    const int nused = word2 ? 17 - __builtin_clzll(word2) / 8 : word1 ? 9 - __builtin_clzll(word1) / 8 : 1;
    if (e < -5 || e > 16) {
        buf[0] = text[0];
        buf[1] = '.';
        memcpy(buf + 2, text + 1, 16);
        char *p = buf + (nused == 1 ? 1 : nused + 1);
        *p++ = 'e';
        *p++ = e < 0 ? '-' : '+';
        return (size_t)(p - buf) + print_exponent(p, (uint32_t)(e < 0 ? -e : e));
    }
    if (e < 0) {
        memcpy(buf, "0.00000", 7);
        memcpy(buf + 1 - e, text, 17);
        return (size_t)(1 - e + nused);
    }
    memcpy(buf, text, 17);
    if (nused <= e + 1)
        return (size_t)e + 1;
    buf[e + 1] = '.';
    if (e < 8) /* the fraction: at most 16 - e digits */
        memcpy(buf + e + 2, text + e + 1, 16);
    else
        memcpy(buf + e + 2, text + e + 1, 8);
    return (size_t)nused + 1;
}

static size_t print_word(char *buf, const char *word)
{
    const size_t n = strlen(word);
    memcpy(buf, word, n);
    return n;
}

/* Print the float with these parts, without its sign: c * 2^q, or inf or nan. */
static inline size_t print_float(char *buf, uint64_t stored, int biased, int mantissa_bits, int bias)
{
    const uint64_t hidden = UINT64_C(1) << mantissa_bits;
    if (biased == 2 * bias + 1)
        return print_word(buf, stored ? "nan" : "inf");
    const uint64_t c = biased ? stored | hidden : stored;
    const int q = (biased ? biased : 1) - bias - mantissa_bits;
    if (q <= 0 && -q <= mantissa_bits && (c & ((UINT64_C(1) << -q) - 1)) == 0)
        return tsr_print_u64(buf, c >> -q); /* an integer, or 0 */
    if (c == 0)
        return print_word(buf, "0");
    return print_decimal(buf, shortest(c, q, stored == 0 && biased > 1));
}

size_t tsr_print_f64(char *buf, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    const bool minus = bits >> 63 && v == v;
    *buf = '-';
    return minus + print_float(buf + minus, bits & (UINT64_MAX >> 12), (int)(bits >> 52 & 2047), 52, 1023);
}

size_t tsr_print_f32(char *buf, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    const bool minus = bits >> 31 && v == v;
    *buf = '-';
    return minus + print_float(buf + minus, bits & (UINT32_MAX >> 9), (int)(bits >> 23 & 255), 23, 127);
}
