/* Faults of a matrix by slices with one exact repair: pointers that wrapped, and arrays that count from 1. */
#ifndef ARRAY_REPAIR_H
#define ARRAY_REPAIR_H

#include "array_import.h"

/* Repair the pointers and indices in place, before they are checked, and warn of each repair. dim: of the
 * indices. TSR_NOMEM. */
tsr_status tsr_arrays_mend(tsr_arrays *in, uint64_t dim, const tsr_read_options *options,
                           tsr_error *err) TSR_NODISCARD;
/* What is wrong with the arrays, and how sure that is, as the end of a sentence; NULL: no fault that
 * tsr_arrays_mend repairs. Static text. */
const char *tsr_arrays_diagnose(const tsr_arrays *in, uint64_t dim);

#endif
