/* A walk over the stored entries of a tensor or of coordinates, block by block, without a copy of them.
 *
 * Blocks of positions of the last level are followed up through the levels, which gives storage coordinates;
 * the inverse map gives logical coordinates. Memory: a few blocks per thread. */
#ifndef TSR_CELLS_H
#define TSR_CELLS_H

#include "tsr_coo.h"
#include "tsr_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A block of entries in storage order. The arrays are valid until the call that receives the block
 * returns. */
typedef struct tsr_cell_block {
    size_t n;                           /* entries: 1 to TSR_LEVEL_BLOCK */
    const uint64_t *crd[TSR_MAX_ORDER]; /* order arrays of n coordinates */
    const uint64_t *position;           /* n positions of the last level, rising (equal ones where
                                           they repeat); NULL for coordinates */
} tsr_cell_block;

typedef struct tsr_cells tsr_cells;

/* Exactly one of tensor and coo is not NULL; it is borrowed. A tensor must pass tsr_tensor_check. Values are
 * read only where the last level is dense (or the order is 0), to distinguish entries from fill; else they
 * may be missing. nthreads 0: all. TSR_CORRUPT: wrong number of values. TSR_NOMEM. */
tsr_status tsr_cells_new(tsr_cells **out, const tsr_tensor *tensor, const tsr_coo *coo, int nthreads,
                         tsr_error *err) TSR_NODISCARD;
void tsr_cells_free(tsr_cells *cells);
/* The number of shares that the entries are cut into, one per thread. */
int tsr_cells_nshares(const tsr_cells *cells);
/* counts[t]: the number of entries in share t, for tsr_cells_nshares() shares. Cost: one pass over the
 * values where the last level is dense, else constant. */
tsr_status tsr_cells_count(uint64_t *counts, tsr_cells *cells, tsr_error *err) TSR_NODISCARD;
/* Call take(arg, t, block) for all blocks of entries. The blocks of share t are passed one after the other
 * in storage order; different shares run in parallel. Entries of share t are before those of share t + 1 in
 * storage order. Where take returns false, the rest of its share is skipped. TSR_CORRUPT: padding holds a
 * value. */
tsr_status tsr_cells_walk(tsr_cells *cells, bool (*take)(void *arg, int t, const tsr_cell_block *block),
                          void *arg, tsr_error *err) TSR_NODISCARD;

/* The number of stored entries: all positions of the last level, or, where that level is full (dense), those
 * whose value is not bitwise equal to the fill. Padding of an iso tensor counts, since it holds the same
 * value. nthreads 0: all. */
uint64_t tsr_cells_nstored(const tsr_tensor *tensor, int nthreads);

#ifdef __cplusplus
}
#endif
#endif
