/* All operations of vectors
 * Compile with: cc -O3 -march=native -c vectors.c */
#include <stdint.h>

/* Vectors, in memory aligned as their elements. */
typedef double f64x2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef float f32x2 __attribute__((vector_size(8), aligned(4), may_alias));
typedef float f32x4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef float f32x8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef int8_t i8x2 __attribute__((vector_size(2), aligned(1), may_alias));
typedef int8_t i8x4 __attribute__((vector_size(4), aligned(1), may_alias));
typedef int8_t i8x8 __attribute__((vector_size(8), aligned(1), may_alias));
typedef int8_t i8x16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef int8_t i8x32 __attribute__((vector_size(32), aligned(1), may_alias));
typedef int16_t i16x2 __attribute__((vector_size(4), aligned(2), may_alias));
typedef int16_t i16x4 __attribute__((vector_size(8), aligned(2), may_alias));
typedef int16_t i16x8 __attribute__((vector_size(16), aligned(2), may_alias));
typedef int16_t i16x16 __attribute__((vector_size(32), aligned(2), may_alias));
typedef int32_t i32x2 __attribute__((vector_size(8), aligned(4), may_alias));
typedef int32_t i32x4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t i32x8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef int64_t i64x2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t i64x4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef uint8_t u8x2 __attribute__((vector_size(2), aligned(1), may_alias));
typedef uint8_t u8x4 __attribute__((vector_size(4), aligned(1), may_alias));
typedef uint8_t u8x8 __attribute__((vector_size(8), aligned(1), may_alias));
typedef uint8_t u8x16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint8_t u8x32 __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint16_t u16x2 __attribute__((vector_size(4), aligned(2), may_alias));
typedef uint16_t u16x4 __attribute__((vector_size(8), aligned(2), may_alias));
typedef uint16_t u16x8 __attribute__((vector_size(16), aligned(2), may_alias));
typedef uint16_t u16x16 __attribute__((vector_size(32), aligned(2), may_alias));
typedef uint32_t u32x2 __attribute__((vector_size(8), aligned(4), may_alias));
typedef uint32_t u32x4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint32_t u32x8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef uint64_t u64x2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef uint64_t u64x4 __attribute__((vector_size(32), aligned(8), may_alias));
/* Only functions of this file take them: how they are passed does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* The vector of type T that begins at an element; only the element needs to be aligned. */
#define LOAD(T, address) (*(const T *)(address))

/* The kernel calls these functions, which follow it. */
static inline i8x32 add_i8x32(i8x32 a, i8x32 b);
static inline i16x16 add_i16x16(i16x16 a, i16x16 b);
static inline i32x8 add_i32x8(i32x8 a, i32x8 b);
static inline i64x4 add_i64x4(i64x4 a, i64x4 b);
static inline i8x32 sub_i8x32(i8x32 a, i8x32 b);
static inline i16x16 sub_i16x16(i16x16 a, i16x16 b);
static inline i32x8 sub_i32x8(i32x8 a, i32x8 b);
static inline i64x4 sub_i64x4(i64x4 a, i64x4 b);
static inline i8x32 mul_i8x32(i8x32 a, i8x32 b);
static inline i16x16 mul_i16x16(i16x16 a, i16x16 b);
static inline i32x8 mul_i32x8(i32x8 a, i32x8 b);
static inline i64x4 mul_i64x4(i64x4 a, i64x4 b);
static inline i8x32 neg_i8x32(i8x32 a);
static inline i16x16 neg_i16x16(i16x16 a);
static inline i32x8 neg_i32x8(i32x8 a);
static inline i64x4 neg_i64x4(i64x4 a);
static inline void atomic_add_i8(int8_t *sum, int8_t a);
static inline void atomic_add_i16(int16_t *sum, int16_t a);
static inline void atomic_add_i32(int32_t *sum, int32_t a);
static inline void atomic_add_i64(int64_t *sum, int64_t a);
static inline double sum_f64x4(f64x4 v);
static inline float sum_f32x8(f32x8 v);
static inline int8_t sum_i8x32(i8x32 v);
static inline int16_t sum_i16x16(i16x16 v);
static inline int32_t sum_i32x8(i32x8 v);
static inline int64_t sum_i64x4(i64x4 v);
static inline uint8_t sum_u8x32(u8x32 v);
static inline uint16_t sum_u16x16(u16x16 v);
static inline uint32_t sum_u32x8(u32x8 v);
static inline uint64_t sum_u64x4(u64x4 v);
static inline f64x4 select_f64x4(i64x4 mask, f64x4 a, f64x4 b);
static inline f32x8 select_f32x8(i32x8 mask, f32x8 a, f32x8 b);
static inline i8x32 select_i8x32(i8x32 mask, i8x32 a, i8x32 b);
static inline i16x16 select_i16x16(i16x16 mask, i16x16 a, i16x16 b);
static inline i32x8 select_i32x8(i32x8 mask, i32x8 a, i32x8 b);
static inline i64x4 select_i64x4(i64x4 mask, i64x4 a, i64x4 b);
static inline u8x32 select_u8x32(i8x32 mask, u8x32 a, u8x32 b);
static inline u16x16 select_u16x16(i16x16 mask, u16x16 a, u16x16 b);
static inline u32x8 select_u32x8(i32x8 mask, u32x8 a, u32x8 b);
static inline u64x4 select_u64x4(i64x4 mask, u64x4 a, u64x4 b);
static inline i8x32 div_i8x32(i8x32 a, i8x32 b);
static inline i16x16 div_i16x16(i16x16 a, i16x16 b);
static inline i32x8 div_i32x8(i32x8 a, i32x8 b);
static inline i64x4 div_i64x4(i64x4 a, i64x4 b);
static inline u8x32 div_u8x32(u8x32 a, u8x32 b);
static inline u16x16 div_u16x16(u16x16 a, u16x16 b);
static inline u32x8 div_u32x8(u32x8 a, u32x8 b);
static inline u64x4 div_u64x4(u64x4 a, u64x4 b);

int vectors(double *restrict x0, const uint8_t *restrict x0_2, float *restrict x1,
            const uint8_t *restrict x1_2, int8_t *restrict x2_2, const uint8_t *restrict x2_3,
            int16_t *restrict x3_2, const uint8_t *restrict x3_3, int32_t *restrict x4_2,
            const uint8_t *restrict x4_3, int64_t *restrict x5_2, const uint8_t *restrict x5_3,
            uint8_t *restrict x6_2, const uint8_t *restrict x6_3, uint16_t *restrict x7_2,
            const uint8_t *restrict x7_3, uint32_t *restrict x8_2, const uint8_t *restrict x8_3,
            uint64_t *restrict x9_2, const uint8_t *restrict x9_3)
{
    const f64x4 x = LOAD(f64x4, x0);
    f64x4 sum = {0};
    sum += x * LOAD(f64x4, &x0[4]) + (x - 3.0);
    sum = -x / (LOAD(f64x4, &x0[4]) + (3.0 - (f64x4){0}) * (3.0 - (f64x4){0}));
    sum = select_f64x4((i64x4)(x <= LOAD(f64x4, &x0[4])), x, x - (LOAD(f64x4, &x0[4]) - 3.0));
    *(f64x4 *)x0 += sum + __builtin_convertvector(LOAD(u8x4, &x0_2[4]), f64x4);
#pragma omp atomic
    x0[4] += sum_f64x4(sum);
    const f32x8 x2 = LOAD(f32x8, x1);
    f32x8 sum2 = {0};
    sum2 += x2 * LOAD(f32x8, &x1[8]) + (x2 - 3.0f);
    sum2 = -x2 / (LOAD(f32x8, &x1[8]) + (3.0f - (f32x8){0}) * (3.0f - (f32x8){0}));
    sum2 = select_f32x8((i32x8)(x2 <= LOAD(f32x8, &x1[8])), x2, x2 - (LOAD(f32x8, &x1[8]) - 3.0f));
    *(f32x8 *)x1 += sum2 + __builtin_convertvector(LOAD(u8x8, &x1_2[8]), f32x8);
#pragma omp atomic
    x1[8] += sum_f32x8(sum2);
    const i8x32 x3 = LOAD(i8x32, x2_2);
    i8x32 sum3 = {0};
    sum3 = add_i8x32(sum3, add_i8x32(mul_i8x32(x3, LOAD(i8x32, &x2_2[32])), sub_i8x32(x3, 3 - (i8x32){0})));
    sum3 = div_i8x32(neg_i8x32(x3),
                     add_i8x32(LOAD(i8x32, &x2_2[32]), mul_i8x32(3 - (i8x32){0}, 3 - (i8x32){0})));
    sum3 = select_i8x32((i8x32)(x3 <= LOAD(i8x32, &x2_2[32])), x3,
                        sub_i8x32(x3, sub_i8x32(LOAD(i8x32, &x2_2[32]), 3 - (i8x32){0})));
    *(i8x32 *)x2_2 = add_i8x32(LOAD(i8x32, x2_2),
                               add_i8x32(sum3, __builtin_convertvector(LOAD(u8x32, &x2_3[32]), i8x32)));
    atomic_add_i8(&x2_2[32], sum_i8x32(sum3));
    const i16x16 x4 = LOAD(i16x16, x3_2);
    i16x16 sum4 = {0};
    sum4 = add_i16x16(sum4,
                      add_i16x16(mul_i16x16(x4, LOAD(i16x16, &x3_2[16])), sub_i16x16(x4, 3 - (i16x16){0})));
    sum4 = div_i16x16(neg_i16x16(x4),
                      add_i16x16(LOAD(i16x16, &x3_2[16]), mul_i16x16(3 - (i16x16){0}, 3 - (i16x16){0})));
    sum4 = select_i16x16((i16x16)(x4 <= LOAD(i16x16, &x3_2[16])), x4,
                         sub_i16x16(x4, sub_i16x16(LOAD(i16x16, &x3_2[16]), 3 - (i16x16){0})));
    *(i16x16 *)x3_2 = add_i16x16(LOAD(i16x16, x3_2),
                                 add_i16x16(sum4, __builtin_convertvector(LOAD(u8x16, &x3_3[16]), i16x16)));
    atomic_add_i16(&x3_2[16], sum_i16x16(sum4));
    const i32x8 x5 = LOAD(i32x8, x4_2);
    i32x8 sum5 = {0};
    sum5 = add_i32x8(sum5, add_i32x8(mul_i32x8(x5, LOAD(i32x8, &x4_2[8])), sub_i32x8(x5, 3 - (i32x8){0})));
    sum5 = div_i32x8(neg_i32x8(x5),
                     add_i32x8(LOAD(i32x8, &x4_2[8]), mul_i32x8(3 - (i32x8){0}, 3 - (i32x8){0})));
    sum5 = select_i32x8((i32x8)(x5 <= LOAD(i32x8, &x4_2[8])), x5,
                        sub_i32x8(x5, sub_i32x8(LOAD(i32x8, &x4_2[8]), 3 - (i32x8){0})));
    *(i32x8 *)x4_2 = add_i32x8(LOAD(i32x8, x4_2),
                               add_i32x8(sum5, __builtin_convertvector(LOAD(u8x8, &x4_3[8]), i32x8)));
    atomic_add_i32(&x4_2[8], sum_i32x8(sum5));
    const i64x4 x6 = LOAD(i64x4, x5_2);
    i64x4 sum6 = {0};
    sum6 = add_i64x4(sum6, add_i64x4(mul_i64x4(x6, LOAD(i64x4, &x5_2[4])), sub_i64x4(x6, 3 - (i64x4){0})));
    sum6 = div_i64x4(neg_i64x4(x6),
                     add_i64x4(LOAD(i64x4, &x5_2[4]), mul_i64x4(3 - (i64x4){0}, 3 - (i64x4){0})));
    sum6 = select_i64x4((i64x4)(x6 <= LOAD(i64x4, &x5_2[4])), x6,
                        sub_i64x4(x6, sub_i64x4(LOAD(i64x4, &x5_2[4]), 3 - (i64x4){0})));
    *(i64x4 *)x5_2 = add_i64x4(LOAD(i64x4, x5_2),
                               add_i64x4(sum6, __builtin_convertvector(LOAD(u8x4, &x5_3[4]), i64x4)));
    atomic_add_i64(&x5_2[4], sum_i64x4(sum6));
    const u8x32 x7 = LOAD(u8x32, x6_2);
    u8x32 sum7 = {0};
    sum7 += x7 * LOAD(u8x32, &x6_2[32]) + (x7 - 3);
    sum7 = div_u8x32(-x7, LOAD(u8x32, &x6_2[32]) + (3 - (u8x32){0}) * (3 - (u8x32){0}));
    sum7 = select_u8x32((i8x32)(x7 <= LOAD(u8x32, &x6_2[32])), x7, x7 - (LOAD(u8x32, &x6_2[32]) - 3));
    *(u8x32 *)x6_2 += sum7 + __builtin_convertvector(-(LOAD(u8x32, &x6_3[32]) != 0), u8x32);
#pragma omp atomic
    x6_2[32] += sum_u8x32(sum7);
    const u16x16 x8 = LOAD(u16x16, x7_2);
    u16x16 sum8 = {0};
    sum8 += x8 * LOAD(u16x16, &x7_2[16]) + (x8 - 3);
    sum8 = div_u16x16(-x8, LOAD(u16x16, &x7_2[16]) + (3 - (u16x16){0}) * (3 - (u16x16){0}));
    sum8 = select_u16x16((i16x16)(x8 <= LOAD(u16x16, &x7_2[16])), x8, x8 - (LOAD(u16x16, &x7_2[16]) - 3));
    *(u16x16 *)x7_2 += sum8 + __builtin_convertvector(LOAD(u8x16, &x7_3[16]), u16x16);
#pragma omp atomic
    x7_2[16] += sum_u16x16(sum8);
    const u32x8 x9 = LOAD(u32x8, x8_2);
    u32x8 sum9 = {0};
    sum9 += x9 * LOAD(u32x8, &x8_2[8]) + (x9 - 3u);
    sum9 = div_u32x8(-x9, LOAD(u32x8, &x8_2[8]) + (3u - (u32x8){0}) * (3u - (u32x8){0}));
    sum9 = select_u32x8((i32x8)(x9 <= LOAD(u32x8, &x8_2[8])), x9, x9 - (LOAD(u32x8, &x8_2[8]) - 3u));
    *(u32x8 *)x8_2 += sum9 + __builtin_convertvector(LOAD(u8x8, &x8_3[8]), u32x8);
#pragma omp atomic
    x8_2[8] += sum_u32x8(sum9);
    const u64x4 x10 = LOAD(u64x4, x9_2);
    u64x4 sum10 = {0};
    sum10 += x10 * LOAD(u64x4, &x9_2[4]) + (x10 - UINT64_C(3));
    sum10 = div_u64x4(-x10, LOAD(u64x4, &x9_2[4]) + (UINT64_C(3) - (u64x4){0}) * (UINT64_C(3) - (u64x4){0}));
    sum10 = select_u64x4((i64x4)(x10 <= LOAD(u64x4, &x9_2[4])), x10,
                         x10 - (LOAD(u64x4, &x9_2[4]) - UINT64_C(3)));
    *(u64x4 *)x9_2 += sum10 + __builtin_convertvector(LOAD(u8x4, &x9_3[4]), u64x4);
#pragma omp atomic
    x9_2[4] += sum_u64x4(sum10);
    return 0;
}

/* a + b, wrapping around. */
static inline int8_t add_i8(int8_t a, int8_t b)
{
    return (int8_t)((uint64_t)a + (uint64_t)b);
}

static inline i8x2 add_i8x2(i8x2 a, i8x2 b)
{
    return (i8x2)((u8x2)a + (u8x2)b);
}

static inline i8x4 add_i8x4(i8x4 a, i8x4 b)
{
    return (i8x4)((u8x4)a + (u8x4)b);
}

static inline i8x8 add_i8x8(i8x8 a, i8x8 b)
{
    return (i8x8)((u8x8)a + (u8x8)b);
}

static inline i8x16 add_i8x16(i8x16 a, i8x16 b)
{
    return (i8x16)((u8x16)a + (u8x16)b);
}

static inline i8x32 add_i8x32(i8x32 a, i8x32 b)
{
    return (i8x32)((u8x32)a + (u8x32)b);
}

static inline int16_t add_i16(int16_t a, int16_t b)
{
    return (int16_t)((uint64_t)a + (uint64_t)b);
}

static inline i16x2 add_i16x2(i16x2 a, i16x2 b)
{
    return (i16x2)((u16x2)a + (u16x2)b);
}

static inline i16x4 add_i16x4(i16x4 a, i16x4 b)
{
    return (i16x4)((u16x4)a + (u16x4)b);
}

static inline i16x8 add_i16x8(i16x8 a, i16x8 b)
{
    return (i16x8)((u16x8)a + (u16x8)b);
}

static inline i16x16 add_i16x16(i16x16 a, i16x16 b)
{
    return (i16x16)((u16x16)a + (u16x16)b);
}

static inline int32_t add_i32(int32_t a, int32_t b)
{
    return (int32_t)((uint64_t)a + (uint64_t)b);
}

static inline i32x2 add_i32x2(i32x2 a, i32x2 b)
{
    return (i32x2)((u32x2)a + (u32x2)b);
}

static inline i32x4 add_i32x4(i32x4 a, i32x4 b)
{
    return (i32x4)((u32x4)a + (u32x4)b);
}

static inline i32x8 add_i32x8(i32x8 a, i32x8 b)
{
    return (i32x8)((u32x8)a + (u32x8)b);
}

static inline int64_t add_i64(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline i64x2 add_i64x2(i64x2 a, i64x2 b)
{
    return (i64x2)((u64x2)a + (u64x2)b);
}

static inline i64x4 add_i64x4(i64x4 a, i64x4 b)
{
    return (i64x4)((u64x4)a + (u64x4)b);
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
static inline i8x32 sub_i8x32(i8x32 a, i8x32 b)
{
    return (i8x32)((u8x32)a - (u8x32)b);
}

static inline i16x16 sub_i16x16(i16x16 a, i16x16 b)
{
    return (i16x16)((u16x16)a - (u16x16)b);
}

static inline i32x8 sub_i32x8(i32x8 a, i32x8 b)
{
    return (i32x8)((u32x8)a - (u32x8)b);
}

static inline i64x4 sub_i64x4(i64x4 a, i64x4 b)
{
    return (i64x4)((u64x4)a - (u64x4)b);
}

/* a * b, wrapping around. */
static inline i8x32 mul_i8x32(i8x32 a, i8x32 b)
{
    return (i8x32)((u8x32)a * (u8x32)b);
}

static inline i16x16 mul_i16x16(i16x16 a, i16x16 b)
{
    return (i16x16)((u16x16)a * (u16x16)b);
}

static inline i32x8 mul_i32x8(i32x8 a, i32x8 b)
{
    return (i32x8)((u32x8)a * (u32x8)b);
}

static inline i64x4 mul_i64x4(i64x4 a, i64x4 b)
{
    return (i64x4)((u64x4)a * (u64x4)b);
}

/* -a, wrapping around. */
static inline i8x32 neg_i8x32(i8x32 a)
{
    return (i8x32)(0 - (u8x32)a);
}

static inline i16x16 neg_i16x16(i16x16 a)
{
    return (i16x16)(0 - (u16x16)a);
}

static inline i32x8 neg_i32x8(i32x8 a)
{
    return (i32x8)(0 - (u32x8)a);
}

static inline i64x4 neg_i64x4(i64x4 a)
{
    return (i64x4)(0 - (u64x4)a);
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

/* The sum of all lanes, by halves. */
static inline double sum_f64x2(f64x2 v)
{
    return v[0] + v[1];
}

static inline double sum_f64x4(f64x4 v)
{
    const f64x2 *half = (const f64x2 *)&v;
    return sum_f64x2(half[0] + half[1]);
}

static inline float sum_f32x2(f32x2 v)
{
    return v[0] + v[1];
}

static inline float sum_f32x4(f32x4 v)
{
    const f32x2 *half = (const f32x2 *)&v;
    return sum_f32x2(half[0] + half[1]);
}

static inline float sum_f32x8(f32x8 v)
{
    const f32x4 *half = (const f32x4 *)&v;
    return sum_f32x4(half[0] + half[1]);
}

static inline int8_t sum_i8x2(i8x2 v)
{
    return add_i8(v[0], v[1]);
}

static inline int8_t sum_i8x4(i8x4 v)
{
    const i8x2 *half = (const i8x2 *)&v;
    return sum_i8x2(add_i8x2(half[0], half[1]));
}

static inline int8_t sum_i8x8(i8x8 v)
{
    const i8x4 *half = (const i8x4 *)&v;
    return sum_i8x4(add_i8x4(half[0], half[1]));
}

static inline int8_t sum_i8x16(i8x16 v)
{
    const i8x8 *half = (const i8x8 *)&v;
    return sum_i8x8(add_i8x8(half[0], half[1]));
}

static inline int8_t sum_i8x32(i8x32 v)
{
    const i8x16 *half = (const i8x16 *)&v;
    return sum_i8x16(add_i8x16(half[0], half[1]));
}

static inline int16_t sum_i16x2(i16x2 v)
{
    return add_i16(v[0], v[1]);
}

static inline int16_t sum_i16x4(i16x4 v)
{
    const i16x2 *half = (const i16x2 *)&v;
    return sum_i16x2(add_i16x2(half[0], half[1]));
}

static inline int16_t sum_i16x8(i16x8 v)
{
    const i16x4 *half = (const i16x4 *)&v;
    return sum_i16x4(add_i16x4(half[0], half[1]));
}

static inline int16_t sum_i16x16(i16x16 v)
{
    const i16x8 *half = (const i16x8 *)&v;
    return sum_i16x8(add_i16x8(half[0], half[1]));
}

static inline int32_t sum_i32x2(i32x2 v)
{
    return add_i32(v[0], v[1]);
}

static inline int32_t sum_i32x4(i32x4 v)
{
    const i32x2 *half = (const i32x2 *)&v;
    return sum_i32x2(add_i32x2(half[0], half[1]));
}

static inline int32_t sum_i32x8(i32x8 v)
{
    const i32x4 *half = (const i32x4 *)&v;
    return sum_i32x4(add_i32x4(half[0], half[1]));
}

static inline int64_t sum_i64x2(i64x2 v)
{
    return add_i64(v[0], v[1]);
}

static inline int64_t sum_i64x4(i64x4 v)
{
    const i64x2 *half = (const i64x2 *)&v;
    return sum_i64x2(add_i64x2(half[0], half[1]));
}

static inline uint8_t sum_u8x2(u8x2 v)
{
    return add_u8(v[0], v[1]);
}

static inline uint8_t sum_u8x4(u8x4 v)
{
    const u8x2 *half = (const u8x2 *)&v;
    return sum_u8x2(half[0] + half[1]);
}

static inline uint8_t sum_u8x8(u8x8 v)
{
    const u8x4 *half = (const u8x4 *)&v;
    return sum_u8x4(half[0] + half[1]);
}

static inline uint8_t sum_u8x16(u8x16 v)
{
    const u8x8 *half = (const u8x8 *)&v;
    return sum_u8x8(half[0] + half[1]);
}

static inline uint8_t sum_u8x32(u8x32 v)
{
    const u8x16 *half = (const u8x16 *)&v;
    return sum_u8x16(half[0] + half[1]);
}

static inline uint16_t sum_u16x2(u16x2 v)
{
    return add_u16(v[0], v[1]);
}

static inline uint16_t sum_u16x4(u16x4 v)
{
    const u16x2 *half = (const u16x2 *)&v;
    return sum_u16x2(half[0] + half[1]);
}

static inline uint16_t sum_u16x8(u16x8 v)
{
    const u16x4 *half = (const u16x4 *)&v;
    return sum_u16x4(half[0] + half[1]);
}

static inline uint16_t sum_u16x16(u16x16 v)
{
    const u16x8 *half = (const u16x8 *)&v;
    return sum_u16x8(half[0] + half[1]);
}

static inline uint32_t sum_u32x2(u32x2 v)
{
    return v[0] + v[1];
}

static inline uint32_t sum_u32x4(u32x4 v)
{
    const u32x2 *half = (const u32x2 *)&v;
    return sum_u32x2(half[0] + half[1]);
}

static inline uint32_t sum_u32x8(u32x8 v)
{
    const u32x4 *half = (const u32x4 *)&v;
    return sum_u32x4(half[0] + half[1]);
}

static inline uint64_t sum_u64x2(u64x2 v)
{
    return v[0] + v[1];
}

static inline uint64_t sum_u64x4(u64x4 v)
{
    const u64x2 *half = (const u64x2 *)&v;
    return sum_u64x2(half[0] + half[1]);
}

/* Lane by lane, a where the mask is set, else b. */
static inline f64x4 select_f64x4(i64x4 mask, f64x4 a, f64x4 b)
{
    return (f64x4)((mask & (i64x4)a) | (~mask & (i64x4)b));
}

static inline f32x8 select_f32x8(i32x8 mask, f32x8 a, f32x8 b)
{
    return (f32x8)((mask & (i32x8)a) | (~mask & (i32x8)b));
}

static inline i8x32 select_i8x32(i8x32 mask, i8x32 a, i8x32 b)
{
    return (i8x32)((mask & (i8x32)a) | (~mask & (i8x32)b));
}

static inline i16x16 select_i16x16(i16x16 mask, i16x16 a, i16x16 b)
{
    return (i16x16)((mask & (i16x16)a) | (~mask & (i16x16)b));
}

static inline i32x8 select_i32x8(i32x8 mask, i32x8 a, i32x8 b)
{
    return (i32x8)((mask & (i32x8)a) | (~mask & (i32x8)b));
}

static inline i64x4 select_i64x4(i64x4 mask, i64x4 a, i64x4 b)
{
    return (i64x4)((mask & (i64x4)a) | (~mask & (i64x4)b));
}

static inline u8x32 select_u8x32(i8x32 mask, u8x32 a, u8x32 b)
{
    return (u8x32)((mask & (i8x32)a) | (~mask & (i8x32)b));
}

static inline u16x16 select_u16x16(i16x16 mask, u16x16 a, u16x16 b)
{
    return (u16x16)((mask & (i16x16)a) | (~mask & (i16x16)b));
}

static inline u32x8 select_u32x8(i32x8 mask, u32x8 a, u32x8 b)
{
    return (u32x8)((mask & (i32x8)a) | (~mask & (i32x8)b));
}

static inline u64x4 select_u64x4(i64x4 mask, u64x4 a, u64x4 b)
{
    return (u64x4)((mask & (i64x4)a) | (~mask & (i64x4)b));
}

/* Lane by lane, a / b, wrapping around; 0 for b = 0. */
static inline i8x32 div_i8x32(i8x32 a, i8x32 b)
{
    const i8x32 zero = (i8x32)(b == 0), minus = (i8x32)(b == -1);
    const u8x32 quotient = (u8x32)(a / (b - zero - minus - minus));
    return (i8x32)(((quotient ^ (u8x32)minus) - (u8x32)minus) & ~(u8x32)zero);
}

static inline i16x16 div_i16x16(i16x16 a, i16x16 b)
{
    const i16x16 zero = (i16x16)(b == 0), minus = (i16x16)(b == -1);
    const u16x16 quotient = (u16x16)(a / (b - zero - minus - minus));
    return (i16x16)(((quotient ^ (u16x16)minus) - (u16x16)minus) & ~(u16x16)zero);
}

static inline i32x8 div_i32x8(i32x8 a, i32x8 b)
{
    const i32x8 zero = (i32x8)(b == 0), minus = (i32x8)(b == -1);
    const u32x8 quotient = (u32x8)(a / (b - zero - minus - minus));
    return (i32x8)(((quotient ^ (u32x8)minus) - (u32x8)minus) & ~(u32x8)zero);
}

static inline i64x4 div_i64x4(i64x4 a, i64x4 b)
{
    const i64x4 zero = (i64x4)(b == 0), minus = (i64x4)(b == -1);
    const u64x4 quotient = (u64x4)(a / (b - zero - minus - minus));
    return (i64x4)(((quotient ^ (u64x4)minus) - (u64x4)minus) & ~(u64x4)zero);
}

static inline u8x32 div_u8x32(u8x32 a, u8x32 b)
{
    const u8x32 zero = (u8x32)(b == 0);
    return (a / (b - zero)) & ~zero;
}

static inline u16x16 div_u16x16(u16x16 a, u16x16 b)
{
    const u16x16 zero = (u16x16)(b == 0);
    return (a / (b - zero)) & ~zero;
}

static inline u32x8 div_u32x8(u32x8 a, u32x8 b)
{
    const u32x8 zero = (u32x8)(b == 0);
    return (a / (b - zero)) & ~zero;
}

static inline u64x4 div_u64x4(u64x4 a, u64x4 b)
{
    const u64x4 zero = (u64x4)(b == 0);
    return (a / (b - zero)) & ~zero;
}
