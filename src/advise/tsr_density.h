/* A picture of a tensor: a coarse grid over two modes, with the number of entries in each box of the
 * grid. */
#ifndef TSR_DENSITY_H
#define TSR_DENSITY_H

#include "tsr_cells.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_density {
    int mode[2];     /* of the rows and of the columns of the grid; -1: no mode */
    uint64_t dim[2]; /* of these modes, at least 1; 1 where there is no mode */
    uint32_t n[2];   /* rows and columns of the grid, at most dim, and below 2^16 */
    uint64_t *count; /* n[0] * n[1] elements, row-major, owned */
    uint64_t max;    /* the largest count */
    uint64_t total;  /* the sum of the counts */
} tsr_density;

/* Make a grid of n[0] rows and n[1] columns, fewer where a dim is smaller, and set all counts to 0. dims has
 * `order` elements. With mode[0] = -1 the grid has one row, with mode[1] = -1 one column. TSR_NOMEM. Free
 * with tsr_density_clear. */
tsr_status tsr_density_init(tsr_density *density, int order, const uint64_t *dims, const int mode[2],
                            const uint32_t n[2], tsr_error *err) TSR_NODISCARD;
/* Add the entries of a block to the grid `count` (n[0] * n[1] elements; may be density->count). Coordinate i
 * falls into row or column floor(i * n / dim); in dims from 2^47 on it may fall into the next row or
 * column. */
void tsr_density_add(const tsr_density *density, uint64_t *count, const tsr_cell_block *block);
/* Set density->max and density->total; call it after the last block. */
void tsr_density_finish(tsr_density *density);
void tsr_density_clear(tsr_density *density);

#ifdef __cplusplus
}
#endif
#endif
