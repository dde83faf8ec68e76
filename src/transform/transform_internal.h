/* What the transformations' files share. */
#ifndef TRANSFORM_INTERNAL_H
#define TRANSFORM_INTERNAL_H

#include "tsr_transform.h"

/* A coo whose entries share one value gets an array of one value for each entry. TSR_NOMEM. */
tsr_status transform_repeat_value(tsr_coo *coo, tsr_error *err) TSR_NODISCARD;

#endif
