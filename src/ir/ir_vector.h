/* Vectorising: what the plan (ir_vector_plan.c) tells the writer (ir_vectorize.c).
 *
 * A loop is fit when it is marked VECTOR and its body holds only declarations of constants, stores at
 * (something invariant) + its variable, sums into scalars that it does not read, prefetches and comments; and
 * its values are real or integer, loaded at (something invariant) + its variable. Lanes are as many as the
 * widest value type of all fit loops has in a vector; so all loops of one literal length are cut into the
 * same pieces. */
#ifndef IR_VECTOR_H
#define IR_VECTOR_H

#include "ir_internal.h"

enum {
    VECTOR_MIN_NBYTES = 16,
    VECTOR_MAX_UNROLLED = 16,                         /* vectors of a loop that is written out */
    VECTOR_MAX_PIECES = VECTOR_MAX_UNROLLED + 2 + 15, /* halves, and single lanes */
    VECTOR_NSUMS =
        4, /* vectors that the lanes of one size add into, in turn: additions need not wait for each other */
    VECTOR_NSIZES = 7 /* lanes 1, 2, 4 ... 64: by their logarithm */
};

/* How a variable depends on the variable of the loop that is looked at. */
typedef enum vary { VARY_NOT, VARY_STEP /* an index: it plus something invariant */, VARY_VALUE } vary;

/* What a statement (with its blocks) does to an array that might live in variables. */
enum {
    USE_LOAD = 1,      /* loads that a fit loop of the array's length does at its variable */
    USE_STORE = 2,     /* such stores */
    USE_ELSEWHERE = 4, /* other loads: the array is written to memory before */
    USE_BLOCKS = 8     /* anything else: the array stays an array */
};

typedef struct vector_plan {
    const tsr_ir *ir;
    int nbytes;             /* of a vector */
    int lanes, least;       /* of a whole vector, and of the smallest */
    unsigned char *vary;    /* by variable: while a loop is looked at */
    unsigned char *in_vars; /* by array: it lives in variables; 2: and must be written to memory at times */
} vector_plan;

/* The pieces of n iterations: lanes of each in turn. Returns how many; at most VECTOR_MAX_PIECES, when n is
 * at most VECTOR_MAX_UNROLLED whole vectors. */
int vector_pieces(const vector_plan *plan, int64_t n, int *lanes);
/* hi - lo when both are literals and it is not more than VECTOR_MAX_UNROLLED vectors; else -1. */
int64_t vector_unrolled(const vector_plan *plan, const tsr_ir_stmt *loop);
/* Whether the loop is fit. plan->vary says how the variables in its body depend on its own. */
bool vector_is_fit(vector_plan *plan, const tsr_ir_stmt *loop);
/* Whether the value of x depends on variables that vary. */
bool vector_varies(const vector_plan *plan, const tsr_ir_expr *x);
/* USE_* of array in statement s. */
int vector_uses(vector_plan *plan, const tsr_ir_stmt *s, const tsr_ir_array *array);
/* Whether s reads var, or gives it a value other than by +=. */
bool vector_reads(const tsr_ir_stmt *s, const tsr_ir_var *var);
/* Fill lanes, least and in_vars. */
void vector_make_plan(vector_plan *plan);

#endif
