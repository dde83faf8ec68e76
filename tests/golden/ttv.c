/* A(i,j) = B(i,j,k)*c(k)
 * A: f64 i x j, dcsr; B: f64 i x j x k, csf; c: f64 k, dvec
 * Compile with: cc -O3 -march=native -fopenmp -c ttv.c */
#include <stdint.h>

/* The kernel calls these functions, which follow it. */
static int64_t first_pos(const uint32_t *B2_pos, const uint32_t *B3_pos, int64_t lo, int64_t hi,
                         int64_t target);
static inline int64_t all_threads(int64_t n);

/* Returns 0, or 1 when memory ran out. Arrays that are written must not overlap other arrays.
 *   nthreads  threads to use; 0 or less: as many as omp_get_max_threads() says
 *   A         values of A, one for each position of its last level, level 2
 *   B1_pos    positions of level 1 of B (i): the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   B1_crd    coordinates of level 1 of B (i), one for each position
 *   B2_pos    positions of level 2 of B (j): the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   B2_crd    coordinates of level 2 of B (j), one for each position
 *   B3_pos    positions of level 3 of B (k): the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   B3_crd    coordinates of level 3 of B (k), one for each position
 *   B         values of B, one for each position of its last level, level 3
 *   c         values of c: k of them */
int ttv(int64_t nthreads, double *restrict A, const uint32_t *restrict B1_pos,
        const uint32_t *restrict B1_crd, const uint32_t *restrict B2_pos, const uint32_t *restrict B2_crd,
        const uint32_t *restrict B3_pos, const uint32_t *restrict B3_crd, const double *restrict B,
        const double *restrict c)
{
    (void)B1_crd, (void)B2_crd;
    nthreads = all_threads(nthreads);
#pragma omp parallel for schedule(static, 1) num_threads((int)nthreads)
    for (int64_t t = 0; t < nthreads; t++) {
        const int64_t work = (int64_t)B3_pos[B2_pos[B1_pos[1]]] + B1_pos[1];
        const int64_t pB1_begin = first_pos(B2_pos, B3_pos, 0, B1_pos[1], work * t / nthreads);
        const int64_t pB1_end = first_pos(B2_pos, B3_pos, pB1_begin, B1_pos[1], work * (t + 1) / nthreads);
        for (int64_t pB1 = pB1_begin; pB1 < pB1_end; pB1++) {
            for (int64_t pB2 = B2_pos[pB1]; pB2 < B2_pos[pB1 + 1]; pB2++) {
                double acc = 0.0;
                for (int64_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++) {
                    const int64_t k = B3_crd[pB3];
                    acc += B[pB3] * c[k];
                }
                A[pB2] = acc;
            }
        }
    }
    return 0;
}

/* The first position in [lo, hi) at which the searched sequence, which never decreases, is at
 * least the target; hi where there is none. */
static int64_t first_pos(const uint32_t *B2_pos, const uint32_t *B3_pos, int64_t lo, int64_t hi,
                         int64_t target)
{
    while (lo < hi) {
        const int64_t middle = lo + (hi - lo) / 2;
        if (target <= B3_pos[B2_pos[middle]] + middle)
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
