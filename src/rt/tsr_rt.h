/* All that a generated kernel may use besides C itself. Self-contained; pasted into each kernel, in pieces.
 *
 * A piece begins with a line "piece NAME: what it is", which may name other pieces and headers that it needs
 * ("piece NAME (OTHER, <stdlib.h>): ..."), and goes to the next such line; the text before the first one, and
 * the piece "end", are never pasted. A piece whose name ends in a type, as _i32 does, is the model for all
 * types of its kind: emit makes add_i8 from add_i32 by putting i8, int8_t and uint8_t for i32, int32_t and
 * uint32_t. uint64_t is then the type to compute in.
 *
 * The library includes this file for the entry point alone; TSR_RT_ALL asks for the rest. */
#ifndef TSR_RT_H
#define TSR_RT_H

#include <stdint.h>

#ifdef TSR_RT_ALL
#include <complex.h>
#include <stddef.h>
#include <stdlib.h>
#endif

/* piece tsr_rt_entry (<stdint.h>): The uniform entry point: an argument is n for an index, else data. The
 * kernel is not inlined into it: that its pointers are restrict would be forgotten. */
#if defined(__GNUC__)
#define TSR_RT_APART __attribute__((noinline))
#else
#define TSR_RT_APART
#endif
typedef struct tsr_rt_arg {
    int64_t n;
    void *data;
} tsr_rt_arg;
typedef int tsr_rt_function(const tsr_rt_arg *args);

/* piece tsr_rt_output (<stdint.h>): An array that the function allocates: n elements, the caller's to free().
 */
#ifndef TSR_RT_OUTPUT
#define TSR_RT_OUTPUT
typedef struct tsr_rt_output {
    void *data;
    int64_t n;
} tsr_rt_output;
#endif

/* piece end */
#ifdef TSR_RT_ALL

/* piece PREFETCH: A hint that the element will be read soon; its address may be any. */
#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

/* piece PREFETCH_WRITE: A hint that the element will be written soon; its address may be any. */
#if defined(__GNUC__)
#define PREFETCH_WRITE(address) __builtin_prefetch(address, 1)
#else
#define PREFETCH_WRITE(address) ((void)(address))
#endif

/* piece LOAD: The vector of type T that begins at an element; only the element need be aligned. */
#define LOAD(T, address) (*(const T *)(address))

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

/* piece new_array (<stddef.h>, <stdlib.h>): An array of n elements that begins on a cache line; NULL when
 * there is no memory for it. */
static inline void *new_array(int64_t n, size_t element_nbytes)
{
    const uint64_t count = n > 0 ? (uint64_t)n : 1;
    if (count > (PTRDIFF_MAX - 64) / element_nbytes)
        return NULL;
    return aligned_alloc(64, ((size_t)count * element_nbytes + 63) / 64 * 64);
}

/* piece new_zeros (<stddef.h>, <stdlib.h>): An array of n zeros; NULL when there is no memory for it. */
static inline void *new_zeros(int64_t n, size_t element_nbytes)
{
    const uint64_t count = n > 0 ? (uint64_t)n : 1;
    return count > PTRDIFF_MAX / element_nbytes ? NULL : calloc((size_t)count, element_nbytes);
}

/* piece sort_u32: Put a[0..n) into rising order: Shell's sort, with Ciura's gaps. */
static inline void sort_u32(uint32_t *a, int64_t n)
{
    static const int64_t gaps[] = {1577, 701, 301, 132, 57, 23, 10, 4, 1};
    int64_t gap = 3548;
    while (gap < n / 3)
        gap = gap * 9 / 4 + 1;
    for (int k = -1; k < 9;) {
        if (gap < n)
            for (int64_t i = gap; i < n; i++) {
                const uint32_t x = a[i];
                int64_t j = i;
                for (; j >= gap && a[j - gap] > x; j -= gap)
                    a[j] = a[j - gap];
                a[j] = x;
            }
        if (gap > 3548)
            gap = gap * 4 / 9 > 3548 ? gap * 4 / 9 : 3548;
        else if (++k < 9)
            gap = gaps[k];
    }
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

/* piece mul_c128 (make_c128): a * b by the formula alone: C's own operator looks for infinities, and is slow.
 */
static inline double _Complex mul_c128(double _Complex a, double _Complex b)
{
    const double re = creal(a) * creal(b) - cimag(a) * cimag(b);
    const double im = creal(a) * cimag(b) + cimag(a) * creal(b);
    return make_c128(re, im);
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
#endif
