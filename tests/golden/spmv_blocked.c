/* y(i) = A(i,j)*x(j)
 * y: f64 i, dvec; A: f64 i x j, bcsr(2,3); x: f64 j, dvec
 * Compile with: cc -O3 -march=native -fopenmp -c spmv_blocked.c */
#include <stdint.h>

/* The kernel calls these functions, which follow it. */
static int64_t first_pos(const uint32_t *A2_pos, int64_t lo, int64_t hi, int64_t target);
static inline int64_t min_i64(int64_t a, int64_t b);
static inline int64_t all_threads(int64_t n);

/* Returns 0, or 1 when memory ran out. Arrays that are written must not overlap other arrays.
 *   nthreads  threads to use; 0 or less: as many as omp_get_max_threads() says
 *   i_size    size of i: it goes from 0 to size - 1
 *   j_size    size of j: it goes from 0 to size - 1
 *   A1_size   the number of coordinates of level 1 of A
 *   y         values of y: i of them
 *   A2_pos    positions of level 2 of A: the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   A2_crd    coordinates of level 2 of A, one for each position
 *   A         values of A, one for each position of its last level, level 4
 *   x         values of x: j of them */
int spmv_blocked(int64_t nthreads, int64_t i_size, int64_t j_size, int64_t A1_size, double *restrict y,
                 const uint32_t *restrict A2_pos, const uint32_t *restrict A2_crd, const double *restrict A,
                 const double *restrict x)
{
    nthreads = all_threads(nthreads);
#pragma omp parallel for schedule(static, 1) num_threads((int)nthreads)
    for (int64_t t = 0; t < nthreads; t++) {
        const int64_t work = (int64_t)A2_pos[A1_size] * 6 + A1_size;
        const int64_t pA1_begin = first_pos(A2_pos, 0, A1_size, work * t / nthreads);
        const int64_t pA1_end = first_pos(A2_pos, pA1_begin, A1_size, work * (t + 1) / nthreads);
        for (int64_t A1 = pA1_begin; A1 < pA1_end; A1++) {
            double acc[2] = {0};
            for (int64_t pA2 = A2_pos[A1]; pA2 < A2_pos[A1 + 1]; pA2++) {
                const int64_t A2 = A2_crd[pA2];
                for (int64_t A3 = 0, A3_end = min_i64(2, i_size - A1 * 2); A3 < A3_end; A3++) {
                    const int64_t pA3 = pA2 * 2 + A3;
                    double acc2 = 0.0;
                    if (j_size - A2 * 3 >= 3) {
#pragma omp simd reduction(+ : acc2)
                        for (int64_t A4 = 0; A4 < 3; A4++) {
                            const int64_t pA4 = pA3 * 3 + A4;
                            const int64_t j = A2 * 3 + A4;
                            const double A_value = A[pA4];
                            acc2 += A_value != 0.0 ? A_value * x[j] : 0.0;
                        }
                    } else {
                        for (int64_t A4 = 0, A4_end = min_i64(3, j_size - A2 * 3); A4 < A4_end; A4++) {
                            const int64_t pA4 = pA3 * 3 + A4;
                            const int64_t j = A2 * 3 + A4;
                            const double A_value = A[pA4];
                            acc2 += A_value != 0.0 ? A_value * x[j] : 0.0;
                        }
                    }
                    acc[A3] += acc2;
                }
            }
            for (int64_t A3 = 0, A3_end = min_i64(2, i_size - A1 * 2); A3 < A3_end; A3++) {
                const int64_t i = A1 * 2 + A3;
                y[i] = acc[A3];
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
        if (target <= (int64_t)A2_pos[middle] * 6 + middle)
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

static inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
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
