/* Coordinates of the entries of arrays that were checked, in the order of the file. On failure the arrays are still owned by
 * `in`. */
#ifndef ARRAY_SPELL_H
#define ARRAY_SPELL_H

#include "array_import.h"

/* Slices: crd[major] from the pointers, crd[1 - major] from the indices. TSR_NOMEM. */
tsr_status tsr_arrays_spell_slices(tsr_arrays *in, tsr_error *err) TSR_NODISCARD;
/* Blocks: all cells, also those with the value 0. TSR_NOMEM. */
tsr_status tsr_arrays_spell_blocks(tsr_arrays *in, tsr_error *err) TSR_NODISCARD;

/* The modes of the rows (kind 0) and of the columns (kind 1), and the number of cells of each kind. */
typedef struct tsr_grouping {
    int n[2], mode[2][TSR_MAX_ORDER];
    uint64_t ncells[2];
} tsr_grouping;
/* TSR_CORRUPT: the grouped modes are not different modes of the tensor; TSR_LIMIT. */
tsr_status tsr_arrays_group(tsr_grouping *g, const tsr_arrays *in, tsr_error *err) TSR_NODISCARD;
/* Grouped modes: the coordinates of all modes. TSR_NOMEM. */
tsr_status tsr_arrays_spell_grouped(tsr_arrays *in, const tsr_grouping *g, tsr_error *err) TSR_NODISCARD;

#endif
