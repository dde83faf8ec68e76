/* Declarations shared by the files of tensor. */
#ifndef TSR_TENSOR_INTERNAL_H
#define TSR_TENSOR_INTERNAL_H

#include "tsr_coo.h"

/* "3, 4" for coordinates in a sentence: n numbers into buf (at least TSR_TUPLE_NBYTES bytes); returns buf. */
enum { TSR_TUPLE_NBYTES = TSR_MAX_LEVELS * 22 };
const char *tsr_tuple_text(char *buf, const uint64_t *v, int n);
/* Whether the structure allows a stored entry at (i, j). */
bool tsr_structure_stores(tsr_structure structure, uint64_t i, uint64_t j);
bool tsr_structure_is_skew(tsr_structure structure);
/* TSR_LIMIT or TSR_ARGUMENT where a tensor cannot have this order, these dims or this type. */
tsr_status tsr_shape_check(int order, const uint64_t *dims, tsr_type type, tsr_error *err) TSR_NODISCARD;
/* TSR_CORRUPT where a tensor of these dims cannot have this structure. */
tsr_status tsr_structure_check(tsr_structure structure, int order, const uint64_t *dims,
                               tsr_error *err) TSR_NODISCARD;

#endif
