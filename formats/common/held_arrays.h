/* The arrays of a packed tensor that a writer copies to a file: in memory, or loaded in parts. */
#ifndef HELD_ARRAYS_H
#define HELD_ARRAYS_H

#include "tsr_feed.h"

typedef struct tsr_held {
    const tsr_tensor *tensor;
    tsr_parts *parts; /* NULL: the arrays of the tensor are in memory */
} tsr_held;

/* out: elements [range->first, + range->n) of pos or crd of a level, as integers of `width` bytes (4 or 8), which must
 * hold them. */
tsr_status tsr_held_indices(void *out, const tsr_held *held, const tsr_part_range *range, size_t width,
                            tsr_error *err) TSR_NODISCARD;
/* TSR_RANGE unless all integers of 64 bits are doubles, too; other types are fine. as: the same values as doubles, NULL: they are
 * converted here. whose: the words before "double values" in the error, "svmlight has". */
tsr_status tsr_check_exact(const double *as, const tsr_array *values, tsr_type type, const char *whose,
                           tsr_error *err) TSR_NODISCARD;
/* out: values [first, first + n) in the type of the tensor; the one value of entries that share it is repeated. */
tsr_status tsr_held_values(void *out, const tsr_held *held, uint64_t first, uint64_t n,
                           tsr_error *err) TSR_NODISCARD;

#endif
