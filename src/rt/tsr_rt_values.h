/* Pieces of generated kernels that compute with values: hints and loads, integers, complex numbers.
 *
 * A piece whose name ends in a type, such as _i32, is the model for all types of its kind: emit makes add_i8 from
 * add_i32 by replacing i32, int32_t and uint32_t by i8, int8_t and uint8_t. Such a piece computes in uint64_t. */
#ifndef TSR_RT_VALUES_H
#define TSR_RT_VALUES_H

#include <complex.h>
#include <stdint.h>

/* piece PREFETCH: A hint that the element will be read soon; the address need not be valid. */
#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

/* piece PREFETCH_WRITE: A hint that the element will be written soon; the address need not be valid. */
#if defined(__GNUC__)
#define PREFETCH_WRITE(address) __builtin_prefetch(address, 1)
#else
#define PREFETCH_WRITE(address) ((void)(address))
#endif

/* piece LOAD: The vector of type T that begins at an element; only the element needs to be aligned. */
#define LOAD(T, address) (*(const T *)(address))

/* piece f32_of_f16: The value of a real in 16 bits: a sign, 5 bits of exponent, 10 of mantissa. By the instruction for 8 of them: the one
 * for a single one waits for its last result. */
static inline float f32_of_f16(uint16_t half)
{
#if defined(__F16C__) && defined(__GNUC__)
    typedef short halves __attribute__((vector_size(16)));
    const halves all = {(short)half};
    return __builtin_ia32_vcvtph2ps(all)[0];
#else
    const uint32_t rest = half & 0x7fffu, sign = (uint32_t)(half >> 15) << 31;
    union {
        uint32_t bits;
        float value;
    } f = {sign | ((rest << 13) + ((rest >= 0x7c00 ? 224u : 112u) << 23))};
    const float small = (float)rest * 0x1p-24f;
    return rest >= 0x400 ? f.value : sign ? -small : small;
#endif
}

/* piece f32_of_bf16: The value of a real in 16 bits: the upper half of a float. */
static inline float f32_of_bf16(uint16_t half)
{
    const union {
        uint32_t bits;
        float value;
    } f = {(uint32_t)half << 16};
    return f.value;
}

/* piece exp_f64 (<stdint.h>): exp(x), off by less than one unit in the last place, without a branch, so that a loop of it is a loop of vectors:
 * 2^k * exp(r) with |r| <= log(2) / 2, which a polynomial approximates to 2^-61. The factor 2^k is multiplied in two halves, since
 * it may be below the least normal number. */
static inline double exp_f64(double x)
{
    typedef union {
        double value;
        uint64_t bits;
    } both;
    const double t = x < -746 ? -746 : 710 < x ? 710 : x;  /* NaN stays */
    const both n = {t * 0x1.71547652b82fep+0 + 0x1.8p+52}; /* k in the lower bits */
    const double k = n.value - 0x1.8p+52;
    const double high = t - k * 0x1.62e42feep-1,
                 low = k * 0x1.a39ef35793c76p-33; /* k * log(2) in two parts */
    const double r = high - low, r2 = r * r;
    const double p =
        (0.5 + r * 0x1.5555555555557p-3) + r2 * (0x1.5555555555556p-5 + r * 0x1.11111111100dcp-7);
    const double q = (0x1.6c16c16c162d4p-10 + r * 0x1.a01a01abe7fe1p-13) +
                     r2 * (0x1.a01a01a6d889cp-16 + r * 0x1.71de0231960ebp-19);
    const double s = (0x1.27e4db646b17ep-22 + r * 0x1.af4de97ca4194p-26) + r2 * 0x1.1f730349868cep-29;
    const double more = r2 * (p + r2 * r2 * (q + r2 * r2 * s)) + ((high - r) - low);
    const double y = r + more, z = 1 + y; /* z + what rounding took from it */
    const double near_one = z + ((y - (z - 1)) + (more - (y - r)));
    const uint64_t e = n.bits - UINT64_C(0x4338000000000000) + 4096, half = e >> 1; /* e: k + 4096 */
    both a, b;
    a.bits = (half - 2048 + 1023) << 52;
    b.bits = (e - half - 2048 + 1023) << 52;
    return near_one * a.value * b.value;
}

/* piece min_i64 */
static inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* piece max_i64 */
static inline int64_t max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* piece floordiv_i64: a / b, rounded down; b > 0. */
static inline int64_t floordiv_i64(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* piece mod_i64: a modulo b, in [0, b); b > 0. */
static inline int64_t mod_i64(int64_t a, int64_t b)
{
    const int64_t r = a % b;
    return r < 0 ? r + b : r;
}

/* piece gather_i64: The bits of x at the ones of the mask, moved together; x >= 0. Processors with BMI2 do this in
 * one instruction (those of the first two Zen generations slowly). Elsewhere bits move in six steps, by 1, 2, 4...
 * 32 places; which bits move in a step depends on the mask alone, so for a constant mask the steps are shifts and
 * masks. */
static inline int64_t gather_i64(int64_t x, uint64_t mask)
{
#if defined(__BMI2__) && defined(__x86_64__) && !defined(__znver1__) && !defined(__znver2__)
    return (int64_t)__builtin_ia32_pext_di((uint64_t)x, mask);
#else
    uint64_t v = (uint64_t)x & mask, zeros = ~mask << 1;
    for (int s = 0; s < 6; s++) {
        uint64_t odd = zeros ^ zeros << 1;
        odd ^= odd << 2;
        odd ^= odd << 4;
        odd ^= odd << 8;
        odd ^= odd << 16;
        odd ^= odd << 32;
        const uint64_t move = odd & mask;
        v = (v & ~move) | (v & move) >> (1 << s);
        mask = (mask ^ move) | move >> (1 << s);
        zeros &= ~odd;
    }
    return (int64_t)v;
#endif
}

/* piece add_i32: a + b, wrapping around. */
static inline int32_t add_i32(int32_t a, int32_t b)
{
    return (int32_t)((uint64_t)a + (uint64_t)b);
}

/* piece sub_i32: a - b, wrapping around. */
static inline int32_t sub_i32(int32_t a, int32_t b)
{
    return (int32_t)((uint64_t)a - (uint64_t)b);
}

/* piece mul_i32: a * b, wrapping around. */
static inline int32_t mul_i32(int32_t a, int32_t b)
{
    return (int32_t)((uint64_t)a * (uint64_t)b);
}

/* piece neg_i32: -a, wrapping around. */
static inline int32_t neg_i32(int32_t a)
{
    return (int32_t)(0 - (uint64_t)a);
}

/* piece div_i32: a / b, wrapping around; 0 for b = 0. */
static inline int32_t div_i32(int32_t a, int32_t b)
{
    if (b == 0)
        return 0;
    if (b == -1)
        return (int32_t)(0 - (uint64_t)a);
    return (int32_t)(a / b);
}

/* piece div_u32: a / b; 0 for b = 0. */
static inline uint32_t div_u32(uint32_t a, uint32_t b)
{
    if (b == 0)
        return 0;
    return (uint32_t)(a / b);
}

/* piece atomic_add_i32: *sum += a, wrapping around, while other threads do the same. */
static inline void atomic_add_i32(int32_t *sum, int32_t a)
{
    uint32_t *const bits = (uint32_t *)sum;
#pragma omp atomic
    *bits += (uint32_t)a;
}

/* piece make_c128 (<complex.h>): re + im * i, for any parts. */
static inline double _Complex make_c128(double re, double im)
{
    const union {
        double part[2];
        double _Complex value;
    } z = {{re, im}};
    return z.value;
}

/* piece mul_c128 (make_c128): a * b by the plain formula: C's own operator also handles infinities, which
 * makes it slow. */
static inline double _Complex mul_c128(double _Complex a, double _Complex b)
{
    const double re = creal(a) * creal(b) - cimag(a) * cimag(b);
    const double im = creal(a) * cimag(b) + cimag(a) * creal(b);
    return make_c128(re, im);
}

/* piece div_c128 (make_c128): a / b by Smith's formula ("Algorithm 116: complex division", 1962), which does not
 * overflow where the result does not; each part of a / 0 is that part of a, divided by +0. */
static inline double _Complex div_c128(double _Complex a, double _Complex b)
{
    const double re = creal(b) < 0 ? -creal(b) : creal(b), im = cimag(b) < 0 ? -cimag(b) : cimag(b);
    if (re == 0 && im == 0)
        return make_c128(creal(a) / (re * re), cimag(a) / (re * re)); /* 0, not -0 */
    if (re >= im) {
        const double ratio = cimag(b) / creal(b), whole = creal(b) + cimag(b) * ratio;
        return make_c128((creal(a) + cimag(a) * ratio) / whole, (cimag(a) - creal(a) * ratio) / whole);
    }
    const double ratio = creal(b) / cimag(b), whole = creal(b) * ratio + cimag(b);
    return make_c128((creal(a) * ratio + cimag(a)) / whole, (cimag(a) * ratio - creal(a)) / whole);
}

/* piece atomic_add_c128 (<complex.h>): *sum += z, part by part, while other threads do the same. */
static inline void atomic_add_c128(double _Complex *sum, double _Complex z)
{
    double *const part = (double *)sum;
#pragma omp atomic
    part[0] += creal(z);
#pragma omp atomic
    part[1] += cimag(z);
}

/* piece end */
#endif
