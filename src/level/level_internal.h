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

#endif
