/* All operations of all types */
#include <complex.h>
#include <stdint.h>

/* A function that is not inlined into its callers, so that it is compiled once. */
#if defined(__GNUC__)
#define TSR_RT_APART __attribute__((noinline, unused))
#else
#define TSR_RT_APART
#endif

/* The uniform entry point: an argument is n for an index, else data. The
 * kernel is not inlined into it, since inlining would lose the restrict of its pointers. */
typedef struct tsr_rt_arg {
    int64_t n;
    void *data;
} tsr_rt_arg;
typedef int tsr_rt_function(const tsr_rt_arg *args);

/* The kernel calls these functions, which follow it. */
static inline int8_t add_i8(int8_t a, int8_t b);
static inline int16_t add_i16(int16_t a, int16_t b);
static inline int32_t add_i32(int32_t a, int32_t b);
static inline int64_t add_i64(int64_t a, int64_t b);
static inline uint8_t add_u8(uint8_t a, uint8_t b);
static inline uint16_t add_u16(uint16_t a, uint16_t b);
static inline int8_t sub_i8(int8_t a, int8_t b);
static inline int16_t sub_i16(int16_t a, int16_t b);
static inline int32_t sub_i32(int32_t a, int32_t b);
static inline int64_t sub_i64(int64_t a, int64_t b);
static inline uint8_t sub_u8(uint8_t a, uint8_t b);
static inline uint16_t sub_u16(uint16_t a, uint16_t b);
static inline int8_t mul_i8(int8_t a, int8_t b);
static inline int16_t mul_i16(int16_t a, int16_t b);
static inline int32_t mul_i32(int32_t a, int32_t b);
static inline int64_t mul_i64(int64_t a, int64_t b);
static inline uint8_t mul_u8(uint8_t a, uint8_t b);
static inline uint16_t mul_u16(uint16_t a, uint16_t b);
static inline int8_t neg_i8(int8_t a);
static inline int16_t neg_i16(int16_t a);
static inline int32_t neg_i32(int32_t a);
static inline int64_t neg_i64(int64_t a);
static inline uint8_t neg_u8(uint8_t a);
static inline uint16_t neg_u16(uint16_t a);
static inline int8_t div_i8(int8_t a, int8_t b);
static inline int16_t div_i16(int16_t a, int16_t b);
static inline int32_t div_i32(int32_t a, int32_t b);
static inline int64_t div_i64(int64_t a, int64_t b);
static inline uint8_t div_u8(uint8_t a, uint8_t b);
static inline uint16_t div_u16(uint16_t a, uint16_t b);
static inline uint32_t div_u32(uint32_t a, uint32_t b);
static inline uint64_t div_u64(uint64_t a, uint64_t b);
static inline void atomic_add_i8(int8_t *sum, int8_t a);
static inline void atomic_add_i16(int16_t *sum, int16_t a);
static inline void atomic_add_i32(int32_t *sum, int32_t a);
static inline void atomic_add_i64(int64_t *sum, int64_t a);
static inline float _Complex mul_c64(float _Complex a, float _Complex b);
static inline double _Complex mul_c128(double _Complex a, double _Complex b);
static inline float _Complex div_c64(float _Complex a, float _Complex b);
static inline double _Complex div_c128(double _Complex a, double _Complex b);
static inline void atomic_add_c64(float _Complex *sum, float _Complex z);
static inline void atomic_add_c128(double _Complex *sum, double _Complex z);

TSR_RT_APART static int values(double *restrict x0, const uint8_t *restrict x0_2, float *restrict x1,
                               const uint8_t *restrict x1_2, int8_t *restrict x2_2,
                               const uint8_t *restrict x2_3, int16_t *restrict x3_2,
                               const uint8_t *restrict x3_3, int32_t *restrict x4_2,
                               const uint8_t *restrict x4_3, int64_t *restrict x5_2,
                               const uint8_t *restrict x5_3, uint8_t *restrict x6_2,
                               const uint8_t *restrict x6_3, uint16_t *restrict x7_2,
                               const uint8_t *restrict x7_3, uint32_t *restrict x8_2,
                               const uint8_t *restrict x8_3, uint64_t *restrict x9_2,
                               const uint8_t *restrict x9_3, float _Complex *restrict x10_2,
                               const uint8_t *restrict x10_3, double _Complex *restrict x11_2,
                               const uint8_t *restrict x11_3)
{
    const double x = x0[0];
    double sum = 0.0;
    sum += x * x0[1] + (x - 3.0);
    sum = -x / (x0[1] + 3.0 * 3.0);
    sum = x <= x0[1] ? x : x - (x0[1] - 3.0);
    x0[0] += sum + (double)x0_2[1];
#pragma omp atomic
    x0[1] += 7.0;
    const float x2 = x1[0];
    float sum2 = 0.0f;
    sum2 += x2 * x1[1] + (x2 - 3.0f);
    sum2 = -x2 / (x1[1] + 3.0f * 3.0f);
    sum2 = x2 <= x1[1] ? x2 : x2 - (x1[1] - 3.0f);
    x1[0] += sum2 + (float)x1_2[1];
#pragma omp atomic
    x1[1] += 7.0f;
    const int8_t x3 = x2_2[0];
    int8_t sum3 = 0;
    sum3 = add_i8(sum3, add_i8(mul_i8(x3, x2_2[1]), sub_i8(x3, 3)));
    sum3 = div_i8(neg_i8(x3), add_i8(x2_2[1], mul_i8(3, 3)));
    sum3 = x3 <= x2_2[1] ? x3 : sub_i8(x3, sub_i8(x2_2[1], 3));
    x2_2[0] = add_i8(x2_2[0], add_i8(sum3, (int8_t)x2_3[1]));
    atomic_add_i8(&x2_2[1], 7);
    const int16_t x4 = x3_2[0];
    int16_t sum4 = 0;
    sum4 = add_i16(sum4, add_i16(mul_i16(x4, x3_2[1]), sub_i16(x4, 3)));
    sum4 = div_i16(neg_i16(x4), add_i16(x3_2[1], mul_i16(3, 3)));
    sum4 = x4 <= x3_2[1] ? x4 : sub_i16(x4, sub_i16(x3_2[1], 3));
    x3_2[0] = add_i16(x3_2[0], add_i16(sum4, (int16_t)x3_3[1]));
    atomic_add_i16(&x3_2[1], 7);
    const int32_t x5 = x4_2[0];
    int32_t sum5 = 0;
    sum5 = add_i32(sum5, add_i32(mul_i32(x5, x4_2[1]), sub_i32(x5, 3)));
    sum5 = div_i32(neg_i32(x5), add_i32(x4_2[1], mul_i32(3, 3)));
    sum5 = x5 <= x4_2[1] ? x5 : sub_i32(x5, sub_i32(x4_2[1], 3));
    x4_2[0] = add_i32(x4_2[0], add_i32(sum5, (int32_t)x4_3[1]));
    atomic_add_i32(&x4_2[1], 7);
    const int64_t x6 = x5_2[0];
    int64_t sum6 = 0;
    sum6 = add_i64(sum6, add_i64(mul_i64(x6, x5_2[1]), sub_i64(x6, 3)));
    sum6 = div_i64(neg_i64(x6), add_i64(x5_2[1], mul_i64(3, 3)));
    sum6 = x6 <= x5_2[1] ? x6 : sub_i64(x6, sub_i64(x5_2[1], 3));
    x5_2[0] = add_i64(x5_2[0], add_i64(sum6, (int64_t)x5_3[1]));
    atomic_add_i64(&x5_2[1], 7);
    const uint8_t x7 = x6_2[0];
    uint8_t sum7 = 0;
    sum7 = add_u8(sum7, add_u8(mul_u8(x7, x6_2[1]), sub_u8(x7, 3)));
    sum7 = div_u8(neg_u8(x7), add_u8(x6_2[1], mul_u8(3, 3)));
    sum7 = x7 <= x6_2[1] ? x7 : sub_u8(x7, sub_u8(x6_2[1], 3));
    x6_2[0] = add_u8(x6_2[0], add_u8(sum7, (uint8_t)(x6_3[1] != 0)));
#pragma omp atomic
    x6_2[1] += 7;
    const uint16_t x8 = x7_2[0];
    uint16_t sum8 = 0;
    sum8 = add_u16(sum8, add_u16(mul_u16(x8, x7_2[1]), sub_u16(x8, 3)));
    sum8 = div_u16(neg_u16(x8), add_u16(x7_2[1], mul_u16(3, 3)));
    sum8 = x8 <= x7_2[1] ? x8 : sub_u16(x8, sub_u16(x7_2[1], 3));
    x7_2[0] = add_u16(x7_2[0], add_u16(sum8, (uint16_t)x7_3[1]));
#pragma omp atomic
    x7_2[1] += 7;
    const uint32_t x9 = x8_2[0];
    uint32_t sum9 = 0u;
    sum9 += x9 * x8_2[1] + (x9 - 3u);
    sum9 = div_u32(-x9, x8_2[1] + 3u * 3u);
    sum9 = x9 <= x8_2[1] ? x9 : x9 - (x8_2[1] - 3u);
    x8_2[0] += sum9 + (uint32_t)x8_3[1];
#pragma omp atomic
    x8_2[1] += 7u;
    const uint64_t x10 = x9_2[0];
    uint64_t sum10 = UINT64_C(0);
    sum10 += x10 * x9_2[1] + (x10 - UINT64_C(3));
    sum10 = div_u64(-x10, x9_2[1] + UINT64_C(3) * UINT64_C(3));
    sum10 = x10 <= x9_2[1] ? x10 : x10 - (x9_2[1] - UINT64_C(3));
    x9_2[0] += sum10 + (uint64_t)x9_3[1];
#pragma omp atomic
    x9_2[1] += UINT64_C(7);
    const float _Complex x11 = x10_2[0];
    float _Complex sum11 = 0.0f;
    sum11 += mul_c64(x11, x10_2[1]) + (x11 - (float _Complex)3.0f);
    sum11 = div_c64(-x11, x10_2[1] + mul_c64(3.0f, 3.0f));
    sum11 = x11 != x10_2[1] ? x11 : x11 - (x10_2[1] - (float _Complex)3.0f);
    x10_2[0] += sum11 + (float _Complex)x10_3[1];
    atomic_add_c64(&x10_2[1], 7.0f);
    const double _Complex x12 = x11_2[0];
    double _Complex sum12 = 0.0;
    sum12 += mul_c128(x12, x11_2[1]) + (x12 - (double _Complex)3.0);
    sum12 = div_c128(-x12, x11_2[1] + mul_c128(3.0, 3.0));
    sum12 = x12 != x11_2[1] ? x12 : x12 - (x11_2[1] - (double _Complex)3.0);
    x11_2[0] += sum12 + (double _Complex)x11_3[1];
    atomic_add_c128(&x11_2[1], 7.0);
    return 0;
}

/* a + b, wrapping around. */
static inline int8_t add_i8(int8_t a, int8_t b)
{
    return (int8_t)((uint64_t)a + (uint64_t)b);
}

static inline int16_t add_i16(int16_t a, int16_t b)
{
    return (int16_t)((uint64_t)a + (uint64_t)b);
}

static inline int32_t add_i32(int32_t a, int32_t b)
{
    return (int32_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t add_i64(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline uint8_t add_u8(uint8_t a, uint8_t b)
{
    return (uint8_t)((uint64_t)a + (uint64_t)b);
}

static inline uint16_t add_u16(uint16_t a, uint16_t b)
{
    return (uint16_t)((uint64_t)a + (uint64_t)b);
}

/* a - b, wrapping around. */
static inline int8_t sub_i8(int8_t a, int8_t b)
{
    return (int8_t)((uint64_t)a - (uint64_t)b);
}

static inline int16_t sub_i16(int16_t a, int16_t b)
{
    return (int16_t)((uint64_t)a - (uint64_t)b);
}

static inline int32_t sub_i32(int32_t a, int32_t b)
{
    return (int32_t)((uint64_t)a - (uint64_t)b);
}

static inline int64_t sub_i64(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline uint8_t sub_u8(uint8_t a, uint8_t b)
{
    return (uint8_t)((uint64_t)a - (uint64_t)b);
}

static inline uint16_t sub_u16(uint16_t a, uint16_t b)
{
    return (uint16_t)((uint64_t)a - (uint64_t)b);
}

/* a * b, wrapping around. */
static inline int8_t mul_i8(int8_t a, int8_t b)
{
    return (int8_t)((uint64_t)a * (uint64_t)b);
}

static inline int16_t mul_i16(int16_t a, int16_t b)
{
    return (int16_t)((uint64_t)a * (uint64_t)b);
}

static inline int32_t mul_i32(int32_t a, int32_t b)
{
    return (int32_t)((uint64_t)a * (uint64_t)b);
}

static inline int64_t mul_i64(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static inline uint8_t mul_u8(uint8_t a, uint8_t b)
{
    return (uint8_t)((uint64_t)a * (uint64_t)b);
}

static inline uint16_t mul_u16(uint16_t a, uint16_t b)
{
    return (uint16_t)((uint64_t)a * (uint64_t)b);
}

/* -a, wrapping around. */
static inline int8_t neg_i8(int8_t a)
{
    return (int8_t)(0 - (uint64_t)a);
}

static inline int16_t neg_i16(int16_t a)
{
    return (int16_t)(0 - (uint64_t)a);
}

static inline int32_t neg_i32(int32_t a)
{
    return (int32_t)(0 - (uint64_t)a);
}

static inline int64_t neg_i64(int64_t a)
{
    return (int64_t)(0 - (uint64_t)a);
}

static inline uint8_t neg_u8(uint8_t a)
{
    return (uint8_t)(0 - (uint64_t)a);
}

static inline uint16_t neg_u16(uint16_t a)
{
    return (uint16_t)(0 - (uint64_t)a);
}

/* a / b, wrapping around; 0 for b = 0. */
static inline int8_t div_i8(int8_t a, int8_t b)
{
    if (b == 0)
        return 0;
    if (b == -1)
        return (int8_t)(0 - (uint64_t)a);
    return (int8_t)(a / b);
}

static inline int16_t div_i16(int16_t a, int16_t b)
{
    if (b == 0)
        return 0;
    if (b == -1)
        return (int16_t)(0 - (uint64_t)a);
    return (int16_t)(a / b);
}

static inline int32_t div_i32(int32_t a, int32_t b)
{
    if (b == 0)
        return 0;
    if (b == -1)
        return (int32_t)(0 - (uint64_t)a);
    return (int32_t)(a / b);
}

static inline int64_t div_i64(int64_t a, int64_t b)
{
    if (b == 0)
        return 0;
    if (b == -1)
        return (int64_t)(0 - (uint64_t)a);
    return (int64_t)(a / b);
}

/* a / b; 0 for b = 0. */
static inline uint8_t div_u8(uint8_t a, uint8_t b)
{
    if (b == 0)
        return 0;
    return (uint8_t)(a / b);
}

static inline uint16_t div_u16(uint16_t a, uint16_t b)
{
    if (b == 0)
        return 0;
    return (uint16_t)(a / b);
}

static inline uint32_t div_u32(uint32_t a, uint32_t b)
{
    if (b == 0)
        return 0;
    return (uint32_t)(a / b);
}

static inline uint64_t div_u64(uint64_t a, uint64_t b)
{
    if (b == 0)
        return 0;
    return (uint64_t)(a / b);
}

/* *sum += a, wrapping around, while other threads do the same. */
static inline void atomic_add_i8(int8_t *sum, int8_t a)
{
    uint8_t *const bits = (uint8_t *)sum;
#pragma omp atomic
    *bits += (uint8_t)a;
}

static inline void atomic_add_i16(int16_t *sum, int16_t a)
{
    uint16_t *const bits = (uint16_t *)sum;
#pragma omp atomic
    *bits += (uint16_t)a;
}

static inline void atomic_add_i32(int32_t *sum, int32_t a)
{
    uint32_t *const bits = (uint32_t *)sum;
#pragma omp atomic
    *bits += (uint32_t)a;
}

static inline void atomic_add_i64(int64_t *sum, int64_t a)
{
    uint64_t *const bits = (uint64_t *)sum;
#pragma omp atomic
    *bits += (uint64_t)a;
}

/* re + im * i, for any parts. */
static inline float _Complex make_c64(float re, float im)
{
    const union {
        float part[2];
        float _Complex value;
    } z = {{re, im}};
    return z.value;
}

static inline double _Complex make_c128(double re, double im)
{
    const union {
        double part[2];
        double _Complex value;
    } z = {{re, im}};
    return z.value;
}

/* a * b by the plain formula: C's own operator also handles infinities, which
 * makes it slow. */
static inline float _Complex mul_c64(float _Complex a, float _Complex b)
{
    const float re = crealf(a) * crealf(b) - cimagf(a) * cimagf(b);
    const float im = crealf(a) * cimagf(b) + cimagf(a) * crealf(b);
    return make_c64(re, im);
}

static inline double _Complex mul_c128(double _Complex a, double _Complex b)
{
    const double re = creal(a) * creal(b) - cimag(a) * cimag(b);
    const double im = creal(a) * cimag(b) + cimag(a) * creal(b);
    return make_c128(re, im);
}

/* a / b by Smith's formula ("Algorithm 116: complex division", 1962), which does not
 * overflow where the result does not; each part of a / 0 is that part of a, divided by +0. */
static inline float _Complex div_c64(float _Complex a, float _Complex b)
{
    const float re = crealf(b) < 0 ? -crealf(b) : crealf(b), im = cimagf(b) < 0 ? -cimagf(b) : cimagf(b);
    if (re == 0 && im == 0)
        return make_c64(crealf(a) / (re * re), cimagf(a) / (re * re)); /* 0, not -0 */
    if (re >= im) {
        const float ratio = cimagf(b) / crealf(b), whole = crealf(b) + cimagf(b) * ratio;
        return make_c64((crealf(a) + cimagf(a) * ratio) / whole, (cimagf(a) - crealf(a) * ratio) / whole);
    }
    const float ratio = crealf(b) / cimagf(b), whole = crealf(b) * ratio + cimagf(b);
    return make_c64((crealf(a) * ratio + cimagf(a)) / whole, (cimagf(a) * ratio - crealf(a)) / whole);
}

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

/* *sum += z, part by part, while other threads do the same. */
static inline void atomic_add_c64(float _Complex *sum, float _Complex z)
{
    float *const part = (float *)sum;
#pragma omp atomic
    part[0] += crealf(z);
#pragma omp atomic
    part[1] += cimagf(z);
}

static inline void atomic_add_c128(double _Complex *sum, double _Complex z)
{
    double *const part = (double *)sum;
#pragma omp atomic
    part[0] += creal(z);
#pragma omp atomic
    part[1] += cimag(z);
}

tsr_rt_function tsr_rt_entry;
int tsr_rt_entry(const tsr_rt_arg *args)
{
    return values(args[0].data, args[1].data, args[2].data, args[3].data, args[4].data, args[5].data,
                  args[6].data, args[7].data, args[8].data, args[9].data, args[10].data, args[11].data,
                  args[12].data, args[13].data, args[14].data, args[15].data, args[16].data, args[17].data,
                  args[18].data, args[19].data, args[20].data, args[21].data, args[22].data, args[23].data);
}
