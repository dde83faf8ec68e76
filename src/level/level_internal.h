/* Declarations shared by the files of level. */
#ifndef LEVEL_INTERNAL_H
#define LEVEL_INTERNAL_H

#include "tsr_level.h"

/* coord[i] = crd[position[i]] for i in [0, n). */
void level_gather(uint64_t *restrict coord, const tsr_array *crd, const uint64_t *restrict position,
                  size_t n);
/* TSR_CORRUPT unless the array's width is 1, 2, 4 or 8 bytes. name: "pos" or "crd"; index: the level's
 * number, for the error. */
tsr_status level_check_width(const tsr_array *array, const char *name, int index,
                             tsr_error *err) TSR_NODISCARD;
/* TSR_CORRUPT unless crd has npos elements of a legal width, each in [0, size). */
tsr_status level_check_crd(const tsr_level *level, int index, tsr_error *err) TSR_NODISCARD;
/* TSR_CORRUPT unless pos has nparents + 1 elements of a legal width that rise from 0 to npos. */
tsr_status level_check_pos(const tsr_level *level, int index, tsr_error *err) TSR_NODISCARD;

/* ---- for types that are packed from all entries at once ---- */

/* Make the array with a role: n elements that hold numbers up to max, undefined, or all bits set, or 0. */
typedef enum level_init { LEVEL_UNDEFINED, LEVEL_ZEROS, LEVEL_PADDING } level_init;
typedef struct level_want {
    tsr_level_role role;
    uint64_t n, max;
    level_init init;
} level_want;
tsr_status level_make(tsr_level *level, level_want want, const tsr_level_room *room, int index,
                      tsr_error *err) TSR_NODISCARD;
/* Memory for n numbers during packing; free it with tsr_free. */
tsr_status level_scratch(uint64_t **out, uint64_t n, bool zero, const tsr_level_room *room,
                         tsr_error *err) TSR_NODISCARD;
/* Whether entry i opens a child of its parent. Entry i - 1 has the same parent. */
static inline bool level_opens(const tsr_level_entries *e, uint64_t i)
{
    return e->coord[i] != e->coord[i - 1];
}
/* The end of the entries from i on that have the parent of entry i. */
uint64_t level_parent_end(const tsr_level_entries *e, uint64_t i);
/* The largest number of children of a parent; *parent: the first parent that has it. */
uint64_t level_longest(const tsr_level_entries *e, uint64_t *parent);
/* level->npos = nparents * pitch; TSR_LIMIT where that is more than 2^63 - 1. */
tsr_status level_set_uniform(tsr_level *level, uint64_t pitch, int index, tsr_error *err) TSR_NODISCARD;
/* The last k with pos[k] <= position, where pos rises and pos[0] = 0. */
uint64_t level_find(const tsr_array *pos, uint64_t position);
/* Padding is where crd has all bits set. */
void level_mark_crd(const tsr_level *level, uint8_t *stored, uint64_t first, size_t n);
/* Replace coordinates with all bits set in the width of crd by UINT64_MAX. */
void level_widen_padding(uint64_t *coord, const tsr_array *crd, size_t n);
/* For qsort: the order of two uint64_t. */
int level_compare_coordinates(const void *x, const void *y);
bool level_depends(uint64_t *npos, uint64_t nparents, uint64_t pitch); /* *npos = UINT64_MAX */

/* Checks; each TSR_CORRUPT. The array exists and has n elements of a legal width; */
tsr_status level_check_array(const tsr_level *level, tsr_level_role role, uint64_t n, int index,
                             tsr_error *err) TSR_NODISCARD;
/* it rises from 0 to `last`; */
tsr_status level_check_rising(const tsr_level *level, tsr_level_role role, uint64_t last, int index,
                              tsr_error *err) TSR_NODISCARD;
/* npos = nparents * pitch; */
tsr_status level_check_uniform(const tsr_level *level, int index, tsr_error *err) TSR_NODISCARD;
/* the coordinates at the places at(level, parent, 0), at(level, parent, 1)... `most` of them, rise, and padding
 * comes after them. */
typedef uint64_t (*level_place)(const tsr_level *level, uint64_t parent, uint64_t k);
tsr_status level_check_padded(const tsr_level *level, uint64_t parent, uint64_t most, level_place at,
                              int index, tsr_error *err) TSR_NODISCARD;

#endif
