/* The stored entries of a tensor, or of coordinates, one block after the other: the one way to look at all
 * entries without a copy of them.
 *
 * Blocks of positions of the last level climb through the levels, which gives storage coordinates; the
 * inverse map takes these to the modes. Memory: a few blocks for each thread. */
#ifndef TSR_CELLS_H
#define TSR_CELLS_H

#include "tsr_coo.h"
#include "tsr_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A block of entries, in storage order. Arrays are valid until the call that is given the block returns. */
typedef struct tsr_cell_block {
    size_t n;                           /* entries: 1 to TSR_LEVEL_BLOCK */
    const uint64_t *crd[TSR_MAX_ORDER]; /* order arrays of n coordinates */
    const uint64_t *position;           /* n rising positions of the last level; NULL for coordinates */
} tsr_cell_block;

typedef struct tsr_cells tsr_cells;

/* Exactly one of tensor and coo is not NULL; it is borrowed. A tensor must be sound (tsr_tensor_check); its
 * values are looked at only where a dense last level (or order 0) needs them to tell entries from fill, and
 * may be absent otherwise. nthreads 0: all. */
tsr_status tsr_cells_new(tsr_cells **out, const tsr_tensor *tensor, const tsr_coo *coo, int nthreads,
                         tsr_error *err) TSR_NODISCARD;
void tsr_cells_free(tsr_cells *cells);
/* How many shares the entries are cut into, one for each thread. */
int tsr_cells_nshares(const tsr_cells *cells);
/* counts[t]: the entries of share t, nshares of them. One pass over the values where the last level is dense,
 * else free. */
tsr_status tsr_cells_count(uint64_t *counts, tsr_cells *cells, tsr_error *err) TSR_NODISCARD;
/* Call take(arg, t, block) for all blocks of entries: those of share t one after the other in storage order,
 * those of different shares at the same time. Entries of share t come before those of share t + 1 in storage
 * order. When take returns false no more of its share are given. TSR_CORRUPT when padding holds a value. */
tsr_status tsr_cells_walk(tsr_cells *cells, bool (*take)(void *arg, int t, const tsr_cell_block *block),
                          void *arg, tsr_error *err) TSR_NODISCARD;

/* How many positions of the tensor's last level are stored entries, on nthreads threads (0: all): all of
 * them, or where the last level is full (dense), those whose value is not bitwise the fill. Padding of an iso
 * tensor, which its one value does not tell apart, counts. */
uint64_t tsr_cells_nstored(const tsr_tensor *tensor, int nthreads);

#ifdef __cplusplus
}
#endif
#endif
