/* How many entries of a tensor fall into each cell of a grid over two of its modes. */
#ifndef TSR_DENSITY_H
#define TSR_DENSITY_H

#include "tsr_cells.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_density {
    int mode[2];     /* down, across; -1: the tensor has no such mode */
    uint64_t dim[2]; /* their dims (1 where there is no mode), at least 1 */
    uint32_t n[2];   /* rows and columns of the grid, each at most its dim and below 2^16 */
    uint64_t *count; /* n[0] * n[1] entries, row by row, owned */
    uint64_t max;    /* the largest count */
    uint64_t total;
} tsr_density;

/* A grid without entries of n[0] by n[1] cells (less where a dim is smaller) for a tensor of these dims
 * (order of them). mode[1] = -1: one column, and so on. */
tsr_status tsr_density_init(tsr_density *density, int order, const uint64_t *dims, const int mode[2],
                            const uint32_t n[2], tsr_error *err) TSR_NODISCARD;
/* Count the entries of a block into the grid `count`, which may be density->count. Index i of a dim falls
 * into cell floor(i * n / dim); in dims from 2^47 on, perhaps into the one beside it. */
void tsr_density_add(const tsr_density *density, uint64_t *count, const tsr_cell_block *block);
/* Set max and total after the last block. */
void tsr_density_finish(tsr_density *density);
void tsr_density_clear(tsr_density *density);

#ifdef __cplusplus
}
#endif
#endif
