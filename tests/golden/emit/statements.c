/* Statements of every kind
 * Compile with: cc -O3 -march=native -fopenmp -c statements.c */
#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "statements.h"

/* The kernel calls these functions, which follow it. */
static inline int64_t floordiv_i64(int64_t a, int64_t b);
static inline void *new_array(int64_t n, size_t element_nbytes);
static inline void *new_zeros(int64_t n, size_t element_nbytes);
static inline float _Complex mul_c64(float _Complex a, float _Complex b);
static inline void atomic_add_c64(float _Complex *sum, float _Complex z);

int statements(int64_t n, int64_t double_2, float *restrict y, float _Complex *restrict z,
               const uint8_t *restrict int_2)
{
    (void)double_2;
    float *restrict sums = NULL, *restrict rest = NULL;
    /* Two arrays: the second may fail when the first is there.
     * A comment cannot end * / early. */
    sums = new_zeros(n, sizeof *sums);
    rest = new_array(n * 2, sizeof *rest);
    int64_t count = 0;

    if (!sums || !rest)
        goto fail;
#pragma omp parallel for schedule(static, 1) num_threads((int)n) firstprivate(sums)
    for (int64_t i = 0; i < n; i++) {
        const bool is_there = (float)(int_2[i] != 0) > 0.0f;
        if ((is_there && i < 7) || i % 3 == 1) {
#pragma omp atomic
            y[0] += 0.1f;
        } else if (i >= 9) {
            atomic_add_c64(&z[i / 2], mul_c64(z[i], -2.0f));
        } else {
            sums[i] += is_there ? 1e+30f : -y[i];
        }
    }
    while (count < n) {
        rest[floordiv_i64(count - 3, 2)] = sums[count];
        rest[(n - count) % 5] = (float)(n - count);
        count++;
        y[0] = rest[count];
    }
    free(rest);
    free(sums);
    return 0;
fail:
    free(rest);
    free(sums);
    return 1;
}

/* a / b, rounded down; b > 0. */
static inline int64_t floordiv_i64(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Ask for large pages where a block is large: fewer page faults. The advice is for all pages of
 * the block: with a page of it without advice, realloc could not move the pages, and would copy. */
#if defined(__linux__)
#ifdef __cplusplus
extern "C" int madvise(void *begin, size_t nbytes, int advice);
#else
int madvise(void *begin, size_t nbytes, int advice);
#endif
#endif
static inline void large_pages(void *block, size_t nbytes)
{
#if defined(__linux__)
    const uintptr_t address = (uintptr_t)block;
    int refused = nbytes >= 4194304; /* where pages are larger, the advice for small ones is refused */
    for (uintptr_t page = 4096; refused && page <= 65536; page *= 16) {
        const uintptr_t begin = address / page * page, end = (address + nbytes + page - 1) / page * page;
        refused = madvise((void *)begin, end - begin, 14) != 0; /* MADV_HUGEPAGE */
    }
#else
    (void)block, (void)nbytes;
#endif
}

/* An array of n elements that begins on a cache line, in
 * large pages where it is large; NULL when there is no memory for it. */
static inline void *new_array(int64_t n, size_t element_nbytes)
{
    const uint64_t count = n > 0 ? (uint64_t)n : 1;
    if (count > (PTRDIFF_MAX - 64) / element_nbytes)
        return NULL;
    const size_t nbytes = ((size_t)count * element_nbytes + 63) / 64 * 64;
    void *const block = aligned_alloc(64, nbytes);
    if (block)
        large_pages(block, nbytes);
    return block;
}

/* An array of n zeros; NULL when there is no memory for it. */
static inline void *new_zeros(int64_t n, size_t element_nbytes)
{
    const uint64_t count = n > 0 ? (uint64_t)n : 1;
    return count > PTRDIFF_MAX / element_nbytes ? NULL : calloc((size_t)count, element_nbytes);
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

/* a * b by the plain formula: C's own operator also handles infinities, which
 * makes it slow. */
static inline float _Complex mul_c64(float _Complex a, float _Complex b)
{
    const float re = crealf(a) * crealf(b) - cimagf(a) * cimagf(b);
    const float im = crealf(a) * cimagf(b) + cimagf(a) * crealf(b);
    return make_c64(re, im);
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
