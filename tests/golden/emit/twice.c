/* Two iterations at a time
 * Compile with: cc -O3 -march=native -fopenmp -c twice.c */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The compiler shall write out two iterations of the loop that follows at a time. */
#if defined(__clang__)
#define TWO_AT_A_TIME _Pragma("clang loop unroll_count(2)")
#elif defined(__GNUC__)
#define TWO_AT_A_TIME _Pragma("GCC unroll 2")
#else
#define TWO_AT_A_TIME
#endif

/* The kernel calls these functions, which follow it. */
static void twice_part(int64_t nthreads, int64_t n, double scale, int64_t t, const double *restrict x,
                       const uint16_t *restrict c, double *restrict copies);
static void twice_part2(int64_t t, double *restrict y, const double *restrict x, double *restrict copies);
static inline void *new_zeros(int64_t n, size_t element_nbytes);

int twice(int64_t nthreads, int64_t n, double *restrict y, const double *restrict x,
          const uint16_t *restrict c)
{
    double *restrict copies = NULL;
    const double scale = x[0];
    copies = new_zeros(nthreads, sizeof *copies);

    if (!copies)
        goto fail;
    TWO_AT_A_TIME
    for (int64_t p = 0; p < n; p++)
        y[c[p]] += x[p];

#pragma omp parallel for schedule(static, 1) num_threads((int)nthreads)
    for (int64_t t = 0; t < nthreads; t++)
        twice_part(nthreads, n, scale, t, x, c, copies);

#pragma omp parallel for schedule(static, 1) num_threads((int)nthreads)
    for (int64_t t = 0; t < nthreads; t++)
        twice_part2(t, y, x, copies);
    free(copies);
    return 0;
fail:
    free(copies);
    return 1;
}

/* One iteration of a parallel loop. */
static void twice_part(int64_t nthreads, int64_t n, double scale, int64_t t, const double *restrict x,
                       const uint16_t *restrict c, double *restrict copies)
{
    int64_t q = t * n / nthreads;
    TWO_AT_A_TIME
    while (q < (t + 1) * n / nthreads) {
        copies[t] += scale * x[c[q]];
        q++;
    }
}

/* One iteration of a parallel loop. */
static void twice_part2(int64_t t, double *restrict y, const double *restrict x, double *restrict copies)
{
    TWO_AT_A_TIME
    for (int64_t p = 0; p < 8; p++)
        y[t] += copies[t] * x[p];
}

/* An array of n zeros; NULL when there is no memory for it. */
static inline void *new_zeros(int64_t n, size_t element_nbytes)
{
    const uint64_t count = n > 0 ? (uint64_t)n : 1;
    return count > PTRDIFF_MAX / element_nbytes ? NULL : calloc((size_t)count, element_nbytes);
}
