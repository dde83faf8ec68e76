/* A(i,r) = B(i,j,k)*C(j,r)*D(k,r)
 * A: f64 i x 16, dense; B: f64 i x j x k, csf; C: f64 j x 16, dense; D: f64 k x 16, dense
 * Compile with: cc -O3 -march=native -fopenmp -c mttkrp.c */
#include <stdint.h>

/* Vectors, in memory aligned as their elements. */
typedef double f64x8 __attribute__((vector_size(64), aligned(8), may_alias));

/* A hint that the element will be read soon; the address need not be valid. */
#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

/* The vector of type T that begins at an element; only the element needs to be aligned. */
#define LOAD(T, address) (*(const T *)(address))

/* The kernel calls these functions, which follow it. */
static int64_t first_pos(const uint32_t *B2_pos, const uint32_t *B3_pos, int64_t lo, int64_t hi,
                         int64_t target);
static inline int64_t min_i64(int64_t a, int64_t b);
static inline int64_t all_threads(int64_t n);

/* Returns 0, or 1 when memory ran out. Arrays that are written must not overlap other arrays.
 *   nthreads  threads to use; 0 or less: as many as omp_get_max_threads() says
 *   i_size    size of i: it goes from 0 to size - 1
 *   B2_npos   the number of positions of level 2 of B (j)
 *   B3_npos   the number of positions of level 3 of B (k)
 *   A         values of A: i x r of them, the last index fastest
 *   B1_pos    positions of level 1 of B (i): the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   B1_crd    coordinates of level 1 of B (i), one for each position
 *   B2_pos    positions of level 2 of B (j): the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   B2_crd    coordinates of level 2 of B (j), one for each position
 *   B3_pos    positions of level 3 of B (k): the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   B3_crd    coordinates of level 3 of B (k), one for each position
 *   B         values of B, one for each position of its last level, level 3
 *   C         values of C: j x r of them, the last index fastest
 *   D         values of D: k x r of them, the last index fastest */
int mttkrp(int64_t nthreads, int64_t i_size, int64_t B2_npos, int64_t B3_npos, double *restrict A,
           const uint32_t *restrict B1_pos, const uint32_t *restrict B1_crd, const uint32_t *restrict B2_pos,
           const uint32_t *restrict B2_crd, const uint32_t *restrict B3_pos, const uint32_t *restrict B3_crd,
           const double *restrict B, const double *restrict C, const double *restrict D)
{
    nthreads = all_threads(nthreads);
#pragma omp parallel for schedule(static, 1) num_threads((int)nthreads)
    for (int64_t t = 0; t < nthreads; t++) {
        const int64_t begin = i_size * 16 * t / nthreads;
        const int64_t end = i_size * 16 * (t + 1) / nthreads;
        for (int64_t q = begin; q < end; q++)
            A[q] = 0.0;
    }

#pragma omp parallel for schedule(static, 1) num_threads((int)nthreads)
    for (int64_t t = 0; t < nthreads; t++) {
        const int64_t work = (int64_t)B3_pos[B2_pos[B1_pos[1]]] + B1_pos[1];
        const int64_t pB1_begin = first_pos(B2_pos, B3_pos, 0, B1_pos[1], work * t / nthreads);
        const int64_t pB1_end = first_pos(B2_pos, B3_pos, pB1_begin, B1_pos[1], work * (t + 1) / nthreads);
        for (int64_t pB1 = pB1_begin; pB1 < pB1_end; pB1++) {
            const int64_t i = B1_crd[pB1];
            f64x8 acc0 = {0}, acc1 = {0};
            for (int64_t pB2 = B2_pos[pB1]; pB2 < B2_pos[pB1 + 1]; pB2++) {
                const int64_t j = B2_crd[pB2];
                const int64_t ahead = min_i64(pB2 + 32, B2_npos - 1);
                PREFETCH(&C[(int64_t)B2_crd[ahead] * 16]);
                PREFETCH(&C[(int64_t)B2_crd[ahead] * 16 + 8]);
                f64x8 acc2_0 = {0}, acc2_1 = {0};
                for (int64_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++) {
                    const int64_t k = B3_crd[pB3];
                    const int64_t ahead2 = min_i64(pB3 + 64, B3_npos - 1);
                    PREFETCH(&D[(int64_t)B3_crd[ahead2] * 16]);
                    PREFETCH(&D[(int64_t)B3_crd[ahead2] * 16 + 8]);
                    const double B_value = B[pB3];
                    acc2_0 += B_value * LOAD(f64x8, &D[k * 16]);
                    acc2_1 += B_value * LOAD(f64x8, &D[k * 16 + 8]);
                }
                acc0 += acc2_0 * LOAD(f64x8, &C[j * 16]);
                acc1 += acc2_1 * LOAD(f64x8, &C[j * 16 + 8]);
            }
            *(f64x8 *)&A[i * 16] = acc0;
            *(f64x8 *)&A[i * 16 + 8] = acc1;
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
