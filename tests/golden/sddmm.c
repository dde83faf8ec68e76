/* A(i,j) = B(i,j)*C(i,k)*D(j,k)
 * A: f64 i x j, csr
 * B: f64 i x j, csr
 * C: f64 i x 16, dense
 * D: f64 j x 16, dense */
#include <stdint.h>

/* A hint that the element will be read soon; its address may be any. */
#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

static inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The first position in [lo, hi) where what is searched, which does not fall, reaches the
 * target; hi when it never does. */
static int64_t first_position(const uint32_t *B2_pos, int64_t lo, int64_t hi, int64_t target)
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

int sddmm(int64_t nthreads, int64_t i_size, int64_t B2_npos, double *restrict A,
          const uint32_t *restrict B2_pos, const uint32_t *restrict B2_crd, const double *restrict B,
          const double *restrict C, const double *restrict D)
{
#pragma omp parallel for schedule(static, 1) num_threads((int)nthreads)
    for (int64_t t = 0; t < nthreads; t++) {
        const int64_t work = B2_pos[i_size] + i_size;
        const int64_t pB1_begin = first_position(B2_pos, 0, i_size, work * t / nthreads);
        const int64_t pB1_end = first_position(B2_pos, pB1_begin, i_size, work * (t + 1) / nthreads);
        for (int64_t i = pB1_begin; i < pB1_end; i++) {
            for (int64_t pB2 = B2_pos[i]; pB2 < B2_pos[i + 1]; pB2++) {
                const int64_t j = B2_crd[pB2];
                const int64_t ahead = min_i64(pB2 + 16, B2_npos - 1);
                PREFETCH(&D[(int64_t)B2_crd[ahead] * 16]);
                PREFETCH(&D[(int64_t)B2_crd[ahead] * 16 + 8]);
                const double B_value = B[pB2];
                double sum = 0.0;
#pragma omp simd reduction(+ : sum)
                for (int64_t k = 0; k < 16; k++)
                    sum += C[i * 16 + k] * D[j * 16 + k];
                A[pB2] = sum * B_value;
            }
        }
    }
    return 0;
}
