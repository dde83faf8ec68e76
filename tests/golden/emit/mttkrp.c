/* A(i,r) = B(i,j,k) * C(j,r) * D(k,r)
 * ; B: csf, f64; A, C, D: dense, f64, 16 columns
 * Compile with: cc -O3 -march=native -c mttkrp.c */
#include <stdint.h>

/* A hint that the element will be read soon; the address need not be valid. */
#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

int mttkrp(int64_t i_size, int64_t j_size, int64_t k_size, int64_t B1_npos, int64_t B2_npos, int64_t B3_npos,
           const uint32_t *restrict B1_crd, const uint32_t *restrict B2_pos, const uint32_t *restrict B2_crd,
           const uint32_t *restrict B3_pos, const uint16_t *restrict B3_crd, const double *restrict B,
           const double *restrict C, const double *restrict D, double *restrict A)
{
    (void)i_size, (void)j_size, (void)k_size, (void)B2_npos, (void)B3_npos;
    for (int64_t pB1 = 0; pB1 < B1_npos; pB1++) {
        const int64_t i = B1_crd[pB1];
        _Alignas(64) double row[16] = {0};
        for (int64_t pB2 = B2_pos[pB1]; pB2 < B2_pos[pB1 + 1]; pB2++) {
            const int64_t j = B2_crd[pB2];
            _Alignas(64) double fiber[16] = {0};
            for (int64_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++) {
                PREFETCH(&D[(int64_t)B3_crd[pB3] * 16]);
                const int64_t k = B3_crd[pB3];
                const double v = B[pB3];
#pragma GCC unroll 16
                for (int64_t r = 0; r < 16; r++)
                    fiber[r] += v * D[k * 16 + r];
            }
#pragma GCC unroll 16
            for (int64_t r = 0; r < 16; r++)
                row[r] += fiber[r] * C[j * 16 + r];
        }
#pragma GCC unroll 16
        for (int64_t r = 0; r < 16; r++)
            A[i * 16 + r] = row[r];
    }
    return 0;
}
