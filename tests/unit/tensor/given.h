/* Tensors built by hand, from text and numbers: what the tests of the deep check begin with. */
#ifndef GIVEN_H
#define GIVEN_H

#include "tsr_tensor.h"

enum { GIVEN_MAX_N = 24, GIVEN_MAX_NLEVELS = 6 };

typedef struct given_numbers {
    int n; /* -1: absent */
    int v[GIVEN_MAX_N];
} given_numbers;

#define NONE  \
    {         \
        -1,   \
        {     \
            0 \
        }     \
    }

/* A tensor as text and numbers; level arrays outermost first. */
typedef struct given {
    const char *format;
    int order;
    uint64_t dims[3];
    given_numbers pos[GIVEN_MAX_NLEVELS], crd[GIVEN_MAX_NLEVELS];
    int nvalues;
    double values[GIVEN_MAX_N];
    tsr_structure structure;
    bool iso;
    tsr_type type; /* f64 (0) or pattern */
    double fill;   /* has_fill when not 0 */
} given;

/* The last four members of most tensors. */
#define GIVEN_PLAIN TSR_GENERAL, false, TSR_F64, 0

/* Build it with arrays of `width` bytes; the caller frees. */
tsr_tensor *given_build(const given *g, size_t width);

#endif
