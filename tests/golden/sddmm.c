/* A(i,j) = B(i,j)*C(i,k)*D(j,k)
 * A: f64 i x j, csr; B: f64 i x j, csr; C: f64 i x 16, dense; D: f64 j x 16, dense
 * Compile with: cc -O3 -march=native -fopenmp -c sddmm.c */
#include <stdint.h>

/* Vectors, in memory aligned as their elements. */
typedef double f64x2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double f64x8 __attribute__((vector_size(64), aligned(8), may_alias));
/* Only functions of this file take them: how they are passed does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* A hint that the element will be read soon; the address need not be valid. */
#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

/* The vector of type T that begins at an element; only the element needs to be aligned. */
#define LOAD(T, address) (*(const T *)(address))

/* The kernel calls these functions, which follow it. */
static int64_t first_pos(const uint32_t *B2_pos, int64_t lo, int64_t hi, int64_t target);
static inline int64_t min_i64(int64_t a, int64_t b);
static inline int64_t all_threads(int64_t n);
static inline double sum_f64x8(f64x8 v);

/* Returns 0, or 1 when memory ran out. Arrays that are written must not overlap other arrays.
 *   nthreads  threads to use; 0 or less: as many as omp_get_max_threads() says
 *   i_size    size of i: it goes from 0 to size - 1
 *   B2_npos   the number of positions of level 2 of B (j)
 *   A         values of A, one for each position of its last level, level 2
 *   B2_pos    positions of level 2 of B (j): the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   B2_crd    coordinates of level 2 of B (j), one for each position
 *   B         values of B, one for each position of its last level, level 2
 *   C         values of C: i x k of them, the last index fastest
 *   D         values of D: j x k of them, the last index fastest */
int sddmm(int64_t nthreads, int64_t i_size, int64_t B2_npos, double *restrict A,
          const uint32_t *restrict B2_pos, const uint32_t *restrict B2_crd, const double *restrict B,
          const double *restrict C, const double *restrict D)
{
    nthreads = all_threads(nthreads);
#pragma omp parallel for schedule(static, 1) num_threads((int)nthreads)
    for (int64_t t = 0; t < nthreads; t++) {
        const int64_t work = B2_pos[i_size] + i_size;
        const int64_t pB1_begin = first_pos(B2_pos, 0, i_size, work * t / nthreads);
        const int64_t pB1_end = first_pos(B2_pos, pB1_begin, i_size, work * (t + 1) / nthreads);
        for (int64_t i = pB1_begin; i < pB1_end; i++) {
            for (int64_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
                const int64_t j = B2_crd[pB2];
                const int64_t ahead = min_i64(pB2 + 64, B2_npos - 1);
                PREFETCH(&D[(int64_t)B2_crd[ahead] * 16]);
                PREFETCH(&D[(int64_t)B2_crd[ahead] * 16 + 8]);
                const double B_value = B[pB2];
                double sum = 0.0;
                f64x8 sum_lanes = {0}, sum_lanes2 = {0};
                sum_lanes += LOAD(f64x8, &C[i * 16]) * LOAD(f64x8, &D[j * 16]);
                sum_lanes2 += LOAD(f64x8, &C[i * 16 + 8]) * LOAD(f64x8, &D[j * 16 + 8]);
                sum += sum_f64x8(sum_lanes + sum_lanes2);
                A[pB2] = sum * B_value;
            }
        }
    }
    return 0;
}

/* The first position in [lo, hi) at which the searched sequence, which never decreases, is at
 * least the target; hi where there is none. */
static int64_t first_pos(const uint32_t *B2_pos, int64_t lo, int64_t hi, int64_t target)
{
    while (lo < hi) {
        const int64_t middle = lo + (hi - lo) / 2;
        if (target <= B2_pos[middle] + middle)
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

static inline double sum_f64x8(f64x8 v)
{
    const f64x4 *half = (const f64x4 *)&v;
    return sum_f64x4(half[0] + half[1]);
}
