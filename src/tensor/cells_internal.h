/* What the walker of entries (cells.c) and the deep check (tensor_check.c) share: which positions of the last
 * level are stored entries, and the coordinates of any position.
 *
 * Where the last level is full (dense), a position that holds the fill, bit by bit, is not an entry;
 * everywhere else each position is one. */
#ifndef CELLS_INTERNAL_H
#define CELLS_INTERNAL_H

#include "tsr_cells.h"

/* Whether the position of the last level (< npos) is a stored entry. */
bool cell_is_stored(const tsr_tensor *tensor, uint64_t position);
/* The stored ones of the positions [first, first + n), rising, at position[0..returned); position has room
 * for n. */
size_t cells_select(uint64_t *position, const tsr_tensor *tensor, uint64_t first, size_t n);
/* What takes positions to coordinates. The tensor must outlive it. */
typedef struct cell_climber {
    const tsr_tensor *tensor;
    tsr_map_plan *inverse;
    tsr_map_plan *forward; /* NULL where no cell may be padding */
} cell_climber;
tsr_status cell_climber_init(cell_climber *walker, const tsr_tensor *tensor, tsr_error *err) TSR_NODISCARD;
void cell_climber_clear(cell_climber *walker);

/* One thread's block of positions and their coordinates, TSR_LEVEL_BLOCK places each. */
typedef struct cell_rows {
    void *memory;
    uint64_t *leaf;                /* in: positions of the last level, rising */
    uint64_t *mode[TSR_MAX_ORDER]; /* out: logical coordinates */
    uint8_t *image;                /* out: 1: the cell is the image of a coordinate, 0: padding */
    /* scratch */
    uint64_t *level[TSR_MAX_LEVELS], *position;
    void *plan_scratch;
} cell_rows;
/* For a tensor's climber, or (climber NULL) for `order` modes without levels. */
tsr_status cell_rows_init(cell_rows *rows, const cell_climber *climber, int order,
                          tsr_error *err) TSR_NODISCARD;
void cell_rows_clear(cell_rows *block);
/* Fill mode and image for the n positions at block->leaf. True when every cell is the image of a coordinate;
 * mode of the others is not said. */
bool cell_rows_climb(cell_rows *block, const cell_climber *walker, size_t n);
/* The storage coordinates of one position, nlevels of them; in a pitch's padding they are in [size, pitch).
 */
void cell_storage(uint64_t *coord, const tsr_tensor *tensor, uint64_t position);

#endif
