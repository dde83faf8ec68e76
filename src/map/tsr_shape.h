/* The shape of a tensor, as functions take it. */
#ifndef TSR_SHAPE_H
#define TSR_SHAPE_H

#include <stdint.h>

typedef struct tsr_shape {
    int ndims;
    const uint64_t *dims; /* ndims entries, borrowed */
} tsr_shape;

#endif
