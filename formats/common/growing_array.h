/* Arrays that grow while a file is read, by an eighth at a time: large blocks move without a copy, and little is left over. */
#ifndef GROWING_ARRAY_H
#define GROWING_ARRAY_H

#include "tsr_array.h"

/* Make room for at least n <= most elements; array->n is the room. The caller has set array->width. TSR_NOMEM. */
tsr_status tsr_array_make_room(tsr_array *array, uint64_t n, uint64_t most, tsr_error *err) TSR_NODISCARD;
/* Keep the first n elements; an array without data gets an empty block. TSR_NOMEM. */
tsr_status tsr_array_shorten(tsr_array *array, uint64_t n, tsr_error *err) TSR_NODISCARD;

#endif
