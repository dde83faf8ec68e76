/* A(i,j) = B(i,j) * C(i,k) * D(j,k)
 * ; A, B: csr, f64; C, D: dense, f64, 16 columns
 * Compile with: cc -O3 -march=native -c sddmm.c */
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
static inline int64_t min_i64(int64_t a, int64_t b);
static inline double sum_f64x8(f64x8 v);

int sddmm(int64_t i_size, int64_t j_size, int64_t B2_npos, double *restrict A,
          const uint32_t *restrict B2_pos, const uint32_t *restrict B2_crd, const double *restrict B,
          const double *restrict C, const double *restrict D)
{
    (void)j_size;
    for (int64_t i = 0; i < i_size; i++) {
        for (int64_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
            PREFETCH(&D[(int64_t)B2_crd[min_i64(pB2 + 16, B2_npos - 1)] * 16]);
            const int64_t j = B2_crd[pB2];
            f64x8 sum = LOAD(f64x8, &C[i * 16]) * LOAD(f64x8, &D[j * 16]);
            sum += LOAD(f64x8, &C[i * 16 + 8]) * LOAD(f64x8, &D[j * 16 + 8]);
            A[pB2] = B[pB2] * sum_f64x8(sum);
        }
    }
    return 0;
}

static inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
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
