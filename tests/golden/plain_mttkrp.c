/* A(i,r) = B(i,j,k)*C(j,r)*D(k,r)
 * A: f64 i x r, dense; B: f64 i x j x k, csf; C: f64 j x r, dense; D: f64 k x r, dense
 * Compile with: cc -O3 -march=native -c plain_mttkrp.c */
#include <stdint.h>

/* Returns 0, or 1 when memory ran out. Arrays that are written must not overlap other arrays.
 *   i_size  size of i: it goes from 0 to size - 1
 *   r_size  size of r: it goes from 0 to size - 1
 *   A       values of A: i x r of them, the last index fastest
 *   B1_pos  positions of level 1 of B (i): the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   B1_crd  coordinates of level 1 of B (i), one for each position
 *   B2_pos  positions of level 2 of B (j): the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   B2_crd  coordinates of level 2 of B (j), one for each position
 *   B3_pos  positions of level 3 of B (k): the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   B3_crd  coordinates of level 3 of B (k), one for each position
 *   B       values of B, one for each position of its last level, level 3
 *   C       values of C: j x r of them, the last index fastest
 *   D       values of D: k x r of them, the last index fastest */
int plain_mttkrp(int64_t i_size, int64_t r_size, double *restrict A, const uint32_t *restrict B1_pos,
                 const uint32_t *restrict B1_crd, const uint32_t *restrict B2_pos,
                 const uint32_t *restrict B2_crd, const uint32_t *restrict B3_pos,
                 const uint32_t *restrict B3_crd, const double *restrict B, const double *restrict C,
                 const double *restrict D)
{
    for (int64_t q = 0; q < i_size * r_size; q++)
        A[q] = 0.0;

    for (int64_t pB1 = 0; pB1 < B1_pos[1]; pB1++) {
        const int64_t i = B1_crd[pB1];
        for (int64_t pB2 = B2_pos[pB1]; pB2 < B2_pos[pB1 + 1]; pB2++) {
            const int64_t j = B2_crd[pB2];
            for (int64_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++) {
                const int64_t k = B3_crd[pB3];
                const double B_value = B[pB3];
                for (int64_t r = 0; r < r_size; r++)
                    A[i * r_size + r] += C[j * r_size + r] * B_value * D[k * r_size + r];
            }
        }
    }
    return 0;
}
