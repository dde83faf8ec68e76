/* y(j) = A(i,j)*x(i)
 * y: f64 j, dvec; A: f64 i x j, csr; x: f64 i, dvec
 * Compile with: cc -O3 -march=native -fopenmp -c spmv_transposed.c */
#include <stdint.h>

/* The kernel calls these functions, which follow it. */
static int64_t first_pos(const uint32_t *A2_pos, int64_t lo, int64_t hi, int64_t target);
static inline int64_t all_threads(int64_t n);

/* Returns 0, or 1 when memory ran out. Arrays that are written must not overlap other arrays.
 *   nthreads  threads to use; 0 or less: as many as omp_get_max_threads() says
 *   j_size    size of j: it goes from 0 to size - 1
 *   i_size    size of i: it goes from 0 to size - 1
 *   y         values of y: j of them
 *   A2_pos    positions of level 2 of A (j): the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   A2_crd    coordinates of level 2 of A (j), one for each position
 *   A         values of A, one for each position of its last level, level 2
 *   x         values of x: i of them */
int spmv_transposed(int64_t nthreads, int64_t j_size, int64_t i_size, double *restrict y,
                    const uint32_t *restrict A2_pos, const uint32_t *restrict A2_crd,
                    const double *restrict A, const double *restrict x)
{
    nthreads = all_threads(nthreads);
#pragma omp parallel for schedule(static, 1) num_threads((int)nthreads)
    for (int64_t t = 0; t < nthreads; t++) {
        const int64_t begin = j_size * t / nthreads;
        const int64_t end = j_size * (t + 1) / nthreads;
#pragma omp simd
        for (int64_t q = begin; q < end; q++)
            y[q] = 0.0;
    }

#pragma omp parallel for schedule(static, 1) num_threads((int)nthreads)
    for (int64_t t = 0; t < nthreads; t++) {
        const int64_t work = A2_pos[i_size] + i_size;
        const int64_t pA1_begin = first_pos(A2_pos, 0, i_size, work * t / nthreads);
        const int64_t pA1_end = first_pos(A2_pos, pA1_begin, i_size, work * (t + 1) / nthreads);
        for (int64_t i = pA1_begin; i < pA1_end; i++) {
            const double x_value = x[i];
            for (int64_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
                const int64_t j = A2_crd[pA2];
#pragma omp atomic
                y[j] += x_value * A[pA2];
            }
        }
    }
    return 0;
}

/* The first position in [lo, hi) at which the searched sequence, which never decreases, is at
 * least the target; hi where there is none. */
static int64_t first_pos(const uint32_t *A2_pos, int64_t lo, int64_t hi, int64_t target)
{
    while (lo < hi) {
        const int64_t middle = lo + (hi - lo) / 2;
        if (target <= A2_pos[middle] + middle)
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

/* n threads; where n is below 1, as many as OpenMP takes. */
#ifdef _OPENMP
#ifdef __cplusplus
extern "C" int omp_get_max_threads(void);
#else
int omp_get_max_threads(void);
#endif
#endif
static inline int64_t all_threads(int64_t n)
{
#ifdef _OPENMP
    return n < 1 ? omp_get_max_threads() : n;
#else
    return n < 1 ? 1 : n;
#endif
}
