/* C(i,j) = A(i,k)*B(k,j)
 * C: f64 i x j, csr; A: f64 i x k, csr; B: f64 k x j, csr
 * Compile with: cc -O3 -march=native -c plain_spgemm.c */
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
static inline void *new_zeros(int64_t n, size_t element_nbytes);
static inline void *grow_array(void *block, int64_t *room, int64_t n, size_t element_nbytes);
static inline void sort_list_u32(uint32_t *a, int64_t n);

/* Returns 0, or 1 when memory ran out. Arrays that are written must not overlap other arrays.
 *   i_size      size of i: it goes from 0 to size - 1
 *   j_size      size of j: it goes from 0 to size - 1
 *   k_size      size of k: it goes from 0 to size - 1
 *   C2_pos_out  allocated by the function, free() it: positions of level 2 of C, uint32_t; values wrap at 2^32: the children of parent p are [pos[p], pos[p + 1])
 *   C2_crd_out  allocated by the function, free() it: coordinates of level 2 of C
 *   C_out       allocated by the function, free() it: the values of C
 *   A2_pos      positions of level 2 of A (k): the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   A2_crd      coordinates of level 2 of A (k), one for each position
 *   A           values of A, one for each position of its last level, level 2
 *   B2_pos      positions of level 2 of B (j): the children of parent p are [pos[p], pos[p + 1]); parents + 1 of them
 *   B2_crd      coordinates of level 2 of B (j), one for each position
 *   B           values of B, one for each position of its last level, level 2 */
int plain_spgemm(int64_t i_size, int64_t j_size, int64_t k_size, tsr_rt_output *C2_pos_out,
                 tsr_rt_output *C2_crd_out, tsr_rt_output *C_out, const uint32_t *restrict A2_pos,
                 const uint32_t *restrict A2_crd, const double *restrict A, const uint32_t *restrict B2_pos,
                 const uint32_t *restrict B2_crd, const double *restrict B)
{
    double *restrict work = NULL, *restrict C = NULL;
    uint8_t *restrict mark = NULL;
    uint32_t *restrict list = NULL, *restrict C2_pos = NULL, *restrict C2_crd = NULL;
    work = new_array(j_size, sizeof *work);
    mark = new_zeros(j_size, sizeof *mark);
    list = new_array(j_size, sizeof *list);
    C2_pos = new_array(i_size + 1, sizeof *C2_pos);
    const int64_t most = (int64_t)B2_pos[k_size] - B2_pos[0];
    C2_crd = new_array(most, sizeof *C2_crd);
    int64_t C2_crd_room = most;
    C = new_array(most, sizeof *C);
    int64_t C_room = most;
    if (!work || !mark || !list || !C2_pos || !C2_crd || !C)
        goto fail;
    C2_pos[0] = 0;
    int64_t n2 = 0;

    for (int64_t i = 0; i < i_size; i++) {
        int64_t n = 0;
        for (int64_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            const int64_t k = A2_crd[pA2];
            const double A_value = A[pA2];
            for (int64_t pB2 = B2_pos[k]; pB2 < B2_pos[k + 1]; pB2++) {
                const int64_t j = B2_crd[pB2];
                const double x = A_value * B[pB2];
                if (mark[j] != 0) {
                    work[j] += x;
                } else {
                    work[j] = x;
                    mark[j] = 1;
                    list[n] = (uint32_t)j;
                    n++;
                }
            }
        }
        sort_list_u32(list, n);
        if (C2_crd_room < n2 + n && !(C2_crd = grow_array(C2_crd, &C2_crd_room, n2 + n, sizeof *C2_crd)))
            goto fail;
        if (C_room < n2 + n && !(C = grow_array(C, &C_room, n2 + n, sizeof *C)))
            goto fail;
        for (int64_t i_row = 0; i_row < n; i_row++) {
            const int64_t key = list[i_row];
            mark[key] = 0;
            C2_crd[n2] = (uint32_t)key;
            C[n2] = work[key];
            n2++;
        }
        C2_pos[i + 1] = (uint32_t)n2;
    }
    *C2_pos_out = (tsr_rt_output){C2_pos, i_size + 1};
    *C2_crd_out = (tsr_rt_output){C2_crd, n2};
    *C_out = (tsr_rt_output){C, n2};
    free(list);
    free(mark);
    free(work);
    return 0;
fail:
    free(C);
    free(C2_crd);
    free(C2_pos);
    free(list);
    free(mark);
    free(work);
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

/* An array of n zeros; NULL when there is no memory for it. */
static inline void *new_zeros(int64_t n, size_t element_nbytes)
{
    const uint64_t count = n > 0 ? (uint64_t)n : 1;
    return count > PTRDIFF_MAX / element_nbytes ? NULL : calloc((size_t)count, element_nbytes);
}

/* The block, which has room for *room elements, with room for n or more, and for twice
 * as many as before. NULL when there is no memory; the block is freed then. */
static inline void *grow_array(void *block, int64_t *room, int64_t n, size_t element_nbytes)
{
    const int64_t twice = *room < PTRDIFF_MAX / 4 ? 2 * *room : *room, now = n > twice ? n : twice;
    void *const grown =
        (uint64_t)now > PTRDIFF_MAX / element_nbytes ? NULL : realloc(block, (size_t)now * element_nbytes);
    if (!grown)
        free(block);
    *room = now;
    return grown;
}

/* Put a[0..n) into rising order: long lists are cut in two at a middle element, short ones are sorted by insertion. */
static inline void sort_list_u32(uint32_t *a, int64_t n)
{
    while (n > 16) {
        const uint32_t x = a[0], y = a[n / 2], z = a[n - 1];
        const uint32_t middle = x < y ? (y < z ? y : x < z ? z : x) : (x < z ? x : y < z ? z : y);
        int64_t i = 0, j = n - 1;
        for (;; i++, j--) {
            while (a[i] < middle)
                i++;
            while (middle < a[j])
                j--;
            if (i >= j)
                break;
            const uint32_t swap = a[i];
            a[i] = a[j];
            a[j] = swap;
        }
        sort_list_u32(a, j + 1);
        a += j + 1;
        n -= j + 1;
    }
    for (int64_t i = 1; i < n; i++) {
        const uint32_t moved = a[i];
        int64_t j = i;
        for (; j > 0 && moved < a[j - 1]; j--)
            a[j] = a[j - 1];
        a[j] = moved;
    }
}
