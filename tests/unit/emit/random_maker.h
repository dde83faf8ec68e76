/* What the files of random_program share. */
#ifndef RANDOM_MAKER_H
#define RANDOM_MAKER_H

#include "random_program.h"

/* Parameters, in order: n, m, then these arrays. */
enum {
    FIRST_ARRAY = 2,
    SUM = FIRST_ARRAY,
    GIVEN,
    OTHER,
    INDEX8,
    INDEX16,
    INDEX32,
    INDEX64,
    OUT_INDEX,
    OUT_VALUE
};

enum { MAX_VARS = 200 };

typedef struct maker {
    tsr_ir_builder *b;
    tsr_rng rng;
    tsr_type type, other;
    bool vectors;
    const tsr_ir_array *array[RANDOM_NPARAMS];
    const tsr_ir_array *local; /* 16 elements */
    const tsr_ir_array *heap;  /* RANDOM_LENGTH elements */
    const tsr_ir_array *order; /* RANDOM_LENGTH indices below 256, or NULL */
    const tsr_ir_expr *var[MAX_VARS];
    bool is_mutable[MAX_VARS];
    int nvars;
    int frozen; /* variables below may not be assigned (a parallel loop has begun) */
    bool in_parallel;
} maker;

static inline int below(maker *m, int n)
{
    return (int)tsr_rng_below(&m->rng, (uint64_t)n);
}

static inline const tsr_ir_expr *op2(maker *m, tsr_ir_op op, const tsr_ir_expr *x, const tsr_ir_expr *y)
{
    return tsr_ir_op2(m->b, op, x, y);
}

/* An index in [0, n). */
const tsr_ir_expr *random_place(maker *m, int n, int depth);
/* Statements about lists; what they find goes to sums[0]. */
void random_lists(maker *m);

#endif
