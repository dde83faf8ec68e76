/* y(i) = A(i,j) * x(j)
 * ; A: bcsr, blocks of 2 x 3, f64; x, y: dense, f64
 * Compile with: cc -O3 -march=native -c blocked.c */
#include <stdint.h>

/* The kernel calls these functions, which follow it. */
static inline int64_t min_i64(int64_t a, int64_t b);

int blocked(int64_t i_size, int64_t j_size, int64_t A1_size, int64_t A2_npos, double *restrict y,
            const uint64_t *restrict A2_pos, const uint32_t *restrict A2_crd, const double *restrict A,
            const double *restrict x)
{
    (void)A2_npos;
    for (int64_t A1 = 0; A1 < A1_size; A1++) {
        double acc[2] = {0};
        for (int64_t pA2 = (int64_t)A2_pos[A1]; pA2 < (int64_t)A2_pos[A1 + 1]; pA2++) {
            const int64_t A2 = A2_crd[pA2];
            for (int64_t A3 = 0, A3_end = min_i64(2, i_size - A1 * 2); A3 < A3_end; A3++) {
                double sum = 0.0;
                const int64_t A4_end = min_i64(3, j_size - A2 * 3);
#pragma omp simd reduction(+ : sum)
                for (int64_t A4 = 0; A4 < A4_end; A4++)
                    sum += A[(pA2 * 2 + A3) * 3 + A4] * x[A2 * 3 + A4];
                acc[A3] += sum;
            }
        }
        for (int64_t A3 = 0, A3_end = min_i64(2, i_size - A1 * 2); A3 < A3_end; A3++)
            y[A1 * 2 + A3] = acc[A3];
    }
    return 0;
}

static inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
