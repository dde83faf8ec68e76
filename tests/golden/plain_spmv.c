/* y(i) = A(i,j)*x(j)
 * y: f64 i, dvec; A: f64 i x j, csr; x: f64 j, dvec
 * Compile with: cc -O3 -march=native -c plain_spmv.c */
#include <stdint.h>

/* Returns 0, or 1 when memory ran out. Arrays that are written must not overlap other arrays.
 *   i_size  size of i: it goes from 0 to size - 1
 *   y       values of y: i of them
 *   A2_pos  positions of level 2 of A (j): the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   A2_crd  coordinates of level 2 of A (j), one for each position
 *   A       values of A, one for each position of its last level, level 2
 *   x       values of x: j of them */
int plain_spmv(int64_t i_size, double *restrict y, const uint32_t *restrict A2_pos,
               const uint32_t *restrict A2_crd, const double *restrict A, const double *restrict x)
{
    for (int64_t i = 0; i < i_size; i++) {
        double acc = 0.0;
        for (int64_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            const int64_t j = A2_crd[pA2];
            acc += A[pA2] * x[j];
        }
        y[i] = acc;
    }
    return 0;
}
