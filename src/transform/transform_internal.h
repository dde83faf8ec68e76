/* The functions that the files of src/transform share. */
#ifndef TRANSFORM_INTERNAL_H
#define TRANSFORM_INTERNAL_H

#include "tsr_transform.h"

/* If the entries of coo share one value, give coo an array with this value for each entry. TSR_NOMEM. */
tsr_status transform_repeat_value(tsr_coo *coo, tsr_error *err) TSR_NODISCARD;

#endif
