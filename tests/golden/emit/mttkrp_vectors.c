/* A(i,r) = B(i,j,k) * C(j,r) * D(k,r)
 * ; B: csf, f64; A, C, D: dense, f64, 16 columns
 * Compile with: cc -O3 -march=native -c mttkrp_vectors.c */
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

int mttkrp_vectors(int64_t i_size, int64_t j_size, int64_t k_size, int64_t B1_npos, int64_t B2_npos,
                   int64_t B3_npos, const uint32_t *restrict B1_crd, const uint32_t *restrict B2_pos,
                   const uint32_t *restrict B2_crd, const uint32_t *restrict B3_pos,
                   const uint16_t *restrict B3_crd, const double *restrict B, const double *restrict C,
                   const double *restrict D, double *restrict A)
{
    (void)i_size, (void)j_size, (void)k_size, (void)B2_npos, (void)B3_npos;
    for (int64_t pB1 = 0; pB1 < B1_npos; pB1++) {
        const int64_t i = B1_crd[pB1];
        f64x8 row0 = {0}, row1 = {0};
        for (int64_t pB2 = B2_pos[pB1]; pB2 < B2_pos[pB1 + 1]; pB2++) {
            const int64_t j = B2_crd[pB2];
            f64x8 fiber0 = {0}, fiber1 = {0};
            for (int64_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++) {
                PREFETCH(&D[(int64_t)B3_crd[pB3] * 16]);
                const int64_t k = B3_crd[pB3];
                const double v = B[pB3];
                fiber0 += v * LOAD(f64x8, &D[k * 16]);
                fiber1 += v * LOAD(f64x8, &D[k * 16 + 8]);
            }
            row0 += fiber0 * LOAD(f64x8, &C[j * 16]);
            row1 += fiber1 * LOAD(f64x8, &C[j * 16 + 8]);
        }
        *(f64x8 *)&A[i * 16] = row0;
        *(f64x8 *)&A[i * 16 + 8] = row1;
    }
    return 0;
}
