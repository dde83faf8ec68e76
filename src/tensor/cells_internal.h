/* Declarations shared by the walker of entries (cells.c) and the deep check (tensor_check.c): which
 * positions of the last level are stored entries, and the coordinates of a position.
 *
 * Where the values of the last level decide (tsr_level_type.by_value), a position that holds the fill, bit by
 * bit, is not an entry. Other levels mark their entries, or each position is an entry. */
#ifndef CELLS_INTERNAL_H
#define CELLS_INTERNAL_H

#include "tsr_cells.h"

/* Whether the position of the last level (< npos) is a stored entry. */
bool cell_is_stored(const tsr_tensor *tensor, uint64_t position);
/* position[0..returned): the stored entries among the positions [first, first + n), rising; room for n is
 * needed. */
size_t cells_select(uint64_t *position, const tsr_tensor *tensor, uint64_t first, size_t n);
/* A walk over the stored entries among the positions [first, end), block by block. */
typedef struct cell_cursor {
    uint64_t first, end;
    uint64_t within; /* where positions repeat: cells of position `first` that are done */
} cell_cursor;
/* The maps from positions to coordinates. The tensor is borrowed. */
typedef struct cell_climber {
    const tsr_tensor *tensor;
    tsr_map_plan *inverse;
    tsr_map_plan *forward; /* NULL where cells are never padding */
} cell_climber;
tsr_status cell_climber_init(cell_climber *walker, const tsr_tensor *tensor, tsr_error *err) TSR_NODISCARD;
void cell_climber_clear(cell_climber *walker);

/* A thread's block of positions and their coordinates; arrays of TSR_LEVEL_BLOCK elements. */
typedef struct cell_rows {
    void *memory;
    uint64_t *leaf;                /* in: positions of the last level, rising */
    uint64_t *mode[TSR_MAX_ORDER]; /* out: logical coordinates */
    uint8_t *image;                /* out: 1: the cell is the image of a coordinate, 0: padding */
    /* scratch */
    uint64_t *level[TSR_MAX_LEVELS], *position;
    void *plan_scratch;
} cell_rows;
/* Allocate for the climber's tensor, or, where climber is NULL, for `order` modes without levels. */
tsr_status cell_rows_init(cell_rows *rows, const cell_climber *climber, int order,
                          tsr_error *err) TSR_NODISCARD;
void cell_rows_clear(cell_rows *block);
/* Set mode and image for the n positions at block->leaf. Returns whether all cells are images of
 * coordinates; mode is undefined for cells that are not. */
bool cell_rows_climb(cell_rows *block, const cell_climber *walker, size_t n);
/* coord[0..nlevels): the storage coordinates of a position; in the padding of a pitch they are in [size,
 * pitch). */
/* Fill the block with the next stored entries, at most TSR_LEVEL_BLOCK, and advance the cursor. Returns their
 * number, which can be 0 before the end. */
size_t cell_rows_next(cell_rows *block, const tsr_tensor *tensor, cell_cursor *cursor);
void cell_storage(uint64_t *coord, const tsr_tensor *tensor, uint64_t position);

#endif
