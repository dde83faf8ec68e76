/* C(i,j) = A(i,j)*B(i,j)
 * C: f64 i x j, csr; A: f64 i x j, csr; B: f64 i x j, csr
 * Compile with: cc -O3 -march=native -c plain_product.c */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* An array of n elements that the function allocates and the caller frees
 * with free(). */
#ifndef TSR_RT_OUTPUT
#define TSR_RT_OUTPUT
typedef struct tsr_rt_output {
    void *data;
    int64_t n;
} tsr_rt_output;
#endif

/* The kernel calls these functions, which follow it. */
static inline void *new_array(int64_t n, size_t element_nbytes);

/* Returns 0, or 1 when memory ran out. Arrays that are written must not overlap other arrays.
 *   i_size      size of i: it goes from 0 to size - 1
 *   C2_pos_out  allocated by the function, free() it: positions of level 2 of C, uint32_t; values wrap at 2^32: the children of parent p are [pos[p], pos[p + 1])
 *   C2_crd_out  allocated by the function, free() it: coordinates of level 2 of C
 *   C_out       allocated by the function, free() it: the values of C
 *   A2_pos      positions of level 2 of A (j): the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   A2_crd      coordinates of level 2 of A (j), one for each position
 *   A           values of A, one for each position of its last level, level 2
 *   B2_pos      positions of level 2 of B (j): the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   B2_crd      coordinates of level 2 of B (j), one for each position
 *   B           values of B, one for each position of its last level, level 2 */
int plain_product(int64_t i_size, tsr_rt_output *C2_pos_out, tsr_rt_output *C2_crd_out, tsr_rt_output *C_out,
                  const uint32_t *restrict A2_pos, const uint32_t *restrict A2_crd, const double *restrict A,
                  const uint32_t *restrict B2_pos, const uint32_t *restrict B2_crd, const double *restrict B)
{
    uint32_t *restrict C2_pos = NULL, *restrict C2_crd = NULL;
    double *restrict C = NULL;
    C2_pos = new_array(i_size + 1, sizeof *C2_pos);
    const int64_t most = (int64_t)A2_pos[i_size] - A2_pos[0];
    C2_crd = new_array(most, sizeof *C2_crd);
    C = new_array(most, sizeof *C);
    if (!C2_pos || !C2_crd || !C)
        goto fail;
    C2_pos[0] = 0;
    int64_t n2 = 0;

    for (int64_t i = 0; i < i_size; i++) {
        int64_t pA2 = A2_pos[i], pB2 = B2_pos[i];
        const int64_t pA2_last = A2_pos[i + 1], pB2_last = B2_pos[i + 1];
        while (pA2 < pA2_last && pB2 < pB2_last) {
            const int64_t j_A = A2_crd[pA2], j_B = B2_crd[pB2];
            if (j_A == j_B) {
                C2_crd[n2] = (uint32_t)j_A;
                C[n2] = A[pA2] * B[pB2];
                n2++;
            }
            pA2 += j_A <= j_B;
            pB2 += j_B <= j_A;
        }
        C2_pos[i + 1] = (uint32_t)n2;
    }
    *C2_pos_out = (tsr_rt_output){C2_pos, i_size + 1};
    *C2_crd_out = (tsr_rt_output){C2_crd, n2};
    *C_out = (tsr_rt_output){C, n2};
    return 0;
fail:
    free(C);
    free(C2_crd);
    free(C2_pos);
    return 1;
}

/* Ask for large pages where a block is large: fewer page faults. The advice is for all pages of
 * the block: with a page of it without advice, realloc could not move the pages, and would copy. */
#if defined(__linux__)
#ifdef __cplusplus
extern "C" int madvise(void *begin, size_t nbytes, int advice);
#else
int madvise(void *begin, size_t nbytes, int advice);
#endif
#endif
static inline void large_pages(void *block, size_t nbytes)
{
#if defined(__linux__)
    const uintptr_t address = (uintptr_t)block;
    int refused = nbytes >= 4194304; /* where pages are larger, the advice for small ones is refused */
    for (uintptr_t page = 4096; refused && page <= 65536; page *= 16) {
        const uintptr_t begin = address / page * page, end = (address + nbytes + page - 1) / page * page;
        refused = madvise((void *)begin, end - begin, 14) != 0; /* MADV_HUGEPAGE */
    }
#else
    (void)block, (void)nbytes;
#endif
}

/* An array of n elements that begins on a cache line, in
 * large pages where it is large; NULL when there is no memory for it. */
static inline void *new_array(int64_t n, size_t element_nbytes)
{
    const uint64_t count = n > 0 ? (uint64_t)n : 1;
    if (count > (PTRDIFF_MAX - 64) / element_nbytes)
        return NULL;
    const size_t nbytes = ((size_t)count * element_nbytes + 63) / 64 * 64;
    void *const block = aligned_alloc(64, nbytes);
    if (block)
        large_pages(block, nbytes);
    return block;
}
