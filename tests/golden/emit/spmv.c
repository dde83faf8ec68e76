/* y(i) = A(i,j) * x(j)
 * ; A: csr, f64, positions u32, coordinates u16; x, y: dense, f64
 * Compile with: cc -O3 -march=native -fopenmp -c spmv.c */
#include <stdint.h>

/* The kernel calls these functions, which follow it. */
static int64_t first_pos(const uint32_t *A2_pos, int64_t lo, int64_t hi, int64_t target);

int spmv(int64_t nthreads, int64_t i_size, int64_t j_size, int64_t A2_npos, const uint32_t *restrict A2_pos,
         const uint16_t *restrict A2_crd, const double *restrict A, const double *restrict x,
         double *restrict y)
{
    (void)j_size;
#pragma omp parallel for schedule(static, 1) num_threads((int)nthreads)
    for (int64_t t = 0; t < nthreads; t++) {
        /* the rows of this thread: as many entries as the others have */
        const int64_t lo = first_pos(A2_pos, 0, i_size, A2_npos * t / nthreads);
        const int64_t hi = first_pos(A2_pos, 0, i_size, A2_npos * (t + 1) / nthreads);
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

/* The first position in [lo, hi) at which the searched sequence, which never decreases, is at
 * least the target; hi where there is none. */
static int64_t first_pos(const uint32_t *A2_pos, int64_t lo, int64_t hi, int64_t target)
{
    while (lo < hi) {
        const int64_t middle = lo + (hi - lo) / 2;
        if (target <= A2_pos[middle])
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}
