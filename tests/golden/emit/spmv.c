/* y(i) = A(i,j) * x(j)
 *
 * A: csr, f64, positions u32, coordinates u16; x, y: dense, f64 */
#include <stdint.h>

int spmv(int64_t nthreads, int64_t i_size, int64_t j_size, int64_t A2_npos, const uint32_t *restrict A2_pos,
         const uint16_t *restrict A2_crd, const double *restrict A, const double *restrict x,
         double *restrict y)
{
    (void)j_size;
#pragma omp parallel for schedule(static, 1) num_threads((int)nthreads)
    for (int64_t t = 0; t < nthreads; t++) {
        /* the rows of this thread: as many entries as the others have */
        const int64_t lo_target = A2_npos * t / nthreads;
        int64_t lo = 0;
        int64_t lo_end = i_size;
        while (lo < lo_end) {
            const int64_t middle = lo + (lo_end - lo) / 2;
            if (lo_target <= A2_pos[middle])
                lo_end = middle;
            else
                lo = middle + 1;
        }
        const int64_t hi_target = A2_npos * (t + 1) / nthreads;
        int64_t hi = 0;
        int64_t hi_end = i_size;
        while (hi < hi_end) {
            const int64_t middle = hi + (hi_end - hi) / 2;
            if (hi_target <= A2_pos[middle])
                hi_end = middle;
            else
                hi = middle + 1;
        }
        for (int64_t i = lo; i < hi; i++) {
            double sum = 0.0;
            for (int64_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
                const int64_t j = A2_crd[pA2];
                sum += A[pA2] * x[j];
            }
            y[i] = sum;
        }
    }
    return 0;
}
