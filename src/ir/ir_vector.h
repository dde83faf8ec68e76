/* Vectorising: the plan (ir_vector_plan.c) and the writer (ir_vectorize.c) share these declarations.
 *
 * A loop can be vectorised ("fit") if it is marked VECTOR, its body has only declarations of constants,
 * stores at (an invariant) + its variable, sums into scalars that it does not read, prefetches and comments,
 * and its values are real or integer, loaded at (an invariant) + its variable, or at min(c, an invariant) where c is
 * an index that was loaded there (PICK); a value may be selected where c < an invariant (BELOW). All fit loops have the same
 * number of lanes: the vector size divided by the size of the widest value type in any of them. So all loops
 * of one literal length are cut into the same pieces. */
#ifndef IR_VECTOR_H
#define IR_VECTOR_H

#include "ir_internal.h"

enum {
    VECTOR_MIN_NBYTES = 16,
    VECTOR_MAX_UNROLLED = 16,                         /* whole vectors of a loop that is written out */
    VECTOR_MAX_PIECES = VECTOR_MAX_UNROLLED + 2 + 15, /* plus halves and single lanes */
    VECTOR_NSUMS =
        4, /* a sum goes into that many vectors in turn, so that additions do not wait for each other */
    VECTOR_NSIZES = 7 /* lanes 1, 2, 4 ... 64, by their logarithm */
};

/* How a variable depends on the variable of the current loop. */
typedef enum vary {
    VARY_NOT,
    VARY_STEP /* an index: the loop variable plus an invariant */,
    VARY_LIST /* an index: an element, of at most 32 bits, of an array of indices at a step */,
    VARY_VALUE
} vary;

/* How a statement (with its blocks) uses an array that could be replaced by variables. */
enum {
    USE_LOAD = 1,      /* loads at the variable of a fit loop over the whole array */
    USE_STORE = 2,     /* stores at the variable of a fit loop over the whole array */
    USE_ELSEWHERE = 4, /* other loads: the array must be written to memory before them */
    USE_BLOCKS = 8     /* any other use: the array stays an array */
};

typedef struct vector_plan {
    const tsr_ir *ir;
    int nbytes;          /* bytes of a vector */
    int lanes, least;    /* lanes of a whole vector, and of the smallest vector */
    unsigned char *vary; /* by variable, for the current loop: a value of enum vary */
    /* by array: 1: replaced by variables; 2: and must be written to memory at times */
    unsigned char *in_vars;
} vector_plan;

/* Cut n iterations into pieces: lanes[i] is the number of lanes of piece i. Returns the number of pieces, at
 * most VECTOR_MAX_PIECES if n is at most VECTOR_MAX_UNROLLED whole vectors. */
int vector_pieces(const vector_plan *plan, int64_t n, int *lanes);
/* hi - lo if both are literals and the loop has at most VECTOR_MAX_UNROLLED vectors; else -1. */
int64_t vector_unrolled(const vector_plan *plan, const tsr_ir_stmt *loop);
/* Whether the loop is fit. Sets plan->vary for the variables in its body. */
bool vector_is_fit(vector_plan *plan, const tsr_ir_stmt *loop);
/* Whether x is a load that becomes a PICK, or a comparison that becomes a BELOW. *list: the variable with the index;
 * *bound: the invariant. */
bool vector_is_pick(const vector_plan *plan, const tsr_ir_expr *x, const tsr_ir_var **list,
                    const tsr_ir_expr **bound);
bool vector_is_below(const vector_plan *plan, const tsr_ir_expr *x, const tsr_ir_var **list,
                     const tsr_ir_expr **bound);
/* Whether the value of x depends on variables that vary. */
bool vector_varies(const vector_plan *plan, const tsr_ir_expr *x);
/* The USE_* bits of `array` in statement s. */
int vector_uses(vector_plan *plan, const tsr_ir_stmt *s, const tsr_ir_array *array);
/* Whether a statement from s to `last` (NULL: the last one of the block) reads var, or assigns to it other than by +=. */
bool vector_reads(const tsr_ir_stmt *s, const tsr_ir_stmt *last, const tsr_ir_var *var);
/* Compute lanes, least and in_vars. */
void vector_make_plan(vector_plan *plan);

#endif
