/* Declarations shared by the files that emit the loops of one term. */
#ifndef LOWER_TERM_H
#define LOWER_TERM_H

#include "lower_internal.h"

/* One factor of a product: a factor of the term, or a value or array that was computed before. */
typedef struct lower_item {
    const tsr_nest_factor *factor; /* NULL: scalar or array is set */
    const tsr_ir_expr *scalar;     /* the value */
    const tsr_ir_array *array;     /* the values over `axes`, a local array */
    uint64_t axes;                 /* bit a: the item depends on axis a */
} lower_item;

typedef struct lower_product {
    int n;
    bool negative; /* the product is negated */
    lower_item item[TSR_NOTATION_MAX_FACTORS + 2];
} lower_product;

/* The destination of contributions: the result, a scalar or a local array. */
typedef struct lower_target {
    bool is_result;
    const tsr_ir_expr *scalar;
    const tsr_ir_array *array; /* over `axes` */
    uint64_t axes;
    const tsr_ir_expr *flag; /* set to 1 when a value is added; NULL: not needed */
} lower_target;

/* A row is a last level (dense, an interval, or equally many positions under each parent, whose values tell which are
 * entries), whose products are added up into one scalar, or each added to a different
 * element of the result: its loop may become vectors, and a select instead of a branch skips zeros. A short
 * row is whole, or clipped by padding. */
typedef enum lower_row { LOWER_NO_ROW, LOWER_WHOLE_ROW, LOWER_CLIPPED_ROW, LOWER_LONG_ROW } lower_row;

struct merge_state;

/* The state while the loops of one term are emitted. */
typedef struct lower_state {
    lower_program *p;
    tsr_ir_builder *ir;
    const tsr_nest *term;
    struct merge_state *merge;   /* of a term that merges; NULL: the loops walk the driver */
    const tsr_plan_term *merged; /* this term */
    const lower_sink *sink;
    const lower_share *share;
    const tsr_ir_expr *pos[TSR_MAX_LEVELS + 1];  /* by depth: the driver's position */
    const tsr_ir_expr *crd[TSR_MAX_LEVELS];      /* the driver's storage coordinates by level */
    bool level_fixed[TSR_MAX_LEVELS];            /* the loop runs over one known coordinate */
    const tsr_ir_expr **at;                      /* the coordinates of variables */
    const tsr_ir_expr *local[TSR_NEST_MAX_AXES]; /* coordinates of axes, relative to the first of the block */
    tsr_ir_range block[TSR_NOTATION_MAX_VARS]; /* the block of each variable; lo NULL: there are no blocks */
    uint64_t count[TSR_NEST_MAX_AXES];         /* the number of coordinates of each axis, or of its block */
    const tsr_ir_expr *driver_value;           /* the variable that holds the driver's value, or NULL */
    lower_row row;                             /* how the loop over the last level is written */
    bool row_sums;                             /* the products of the row are added up into one scalar */
    const tsr_ir_expr *found[TSR_NOTATION_MAX_FACTORS]; /* by factor: the position of a located operand */
    const tsr_ir_expr *stored;                          /* whether the position is an entry; NULL: it is */
} lower_state;

/* ---- lower_term.c ---- */

/* Emit what is inside the first d loops: the others, and the contributions; into: the sum that they add to, NULL above depth
 * `store`. */
void lower_visit(lower_state *s, int d, const lower_target *into, const lower_product *above);
/* Emit the loops and the contributions of a term that merges. */
void lower_emit_merged(struct merge_state *m, const tsr_plan_term *term);

/* The range [*lo, *hi) of dense level l that is not padding, as far as the coordinates of l and of the
 * levels `known` (bit per level) determine it. A bound that is not needed stays as it was (NULL or a bound).
 * size (may be NULL) is an upper bound of *hi. */
void lower_clip(lower_state *s, int l, uint32_t known, const tsr_ir_expr *size, const tsr_ir_expr **lo,
                const tsr_ir_expr **hi);
/* Set the coordinates of the deferred levels from the open loops, and the variables that depend on them. */
void lower_enter_deferred(lower_state *s);

/* Open level l of the driver; returns the number of blocks that were opened. */
int lower_open_level(lower_state *s, int l);
/* Declare the coordinates that become known at depth d. Returns the number of ifs that were opened to skip
 * padding. */
int lower_enter(lower_state *s, int d);
/* Add the factors of depth d to the product. */
void lower_collect(lower_state *s, int d, lower_product *product);

/* Open the loop over the blocks of `each` coordinates of the range; returns those of the block. *rest: what whole blocks leave over;
 * NULL: the last block may be shorter. */
tsr_ir_range lower_open_blocks(lower_program *p, const char *name, tsr_ir_range of, uint64_t each,
                               tsr_ir_range *rest);
/* The coordinates of v that the loop over v visits where it is not in blocks: all, or the thread's share of them. */
tsr_ir_range lower_own_range(lower_state *s, int v);

/* ---- lower_seek.c ---- */

/* Write what the searches of the program need before its loops: the position of each coordinate where a level has them in an order of
 * its own. */
void lower_begin_seeking(lower_program *p);
/* Find the positions of the operands that are located at depth d. Returns the number of blocks that were opened: what is in them is
 * for cells that all of these operands store. */
int lower_seek(lower_state *s, int d);

/* ---- lower_merge_loops.c ---- */

/* Emit loop d of a term that merges, and what is inside. */
void merge_loop(lower_state *of, int d, const lower_target *into, const lower_product *above);

/* ---- lower_lanes.c ---- */

/* Emit the loops over the rows of the share in blocks. False: there are no blocks. *rest: the rows that are left for
 * the loop row by row; lo[1] is NULL where no rows are left. */
bool lower_visit_lanes(lower_state *s, const lower_product *above, lower_share *rest);

/* ---- lower_sum.c ---- */

/* The product of the items whose mark in `chosen` is set (NULL: all items); 1 where there are none. Divisors come last, except where
 * the order of the text matters. */
const tsr_ir_expr *lower_multiply(lower_state *s, const lower_product *what, const bool *chosen);

/* The value at the driver's position. */
const tsr_ir_expr *lower_driver_value(lower_state *s);
/* Set driver_value to it. */
const tsr_ir_expr *lower_hold_driver_value(lower_state *s);
/* The value of a factor without dense variables, held in a variable of its own. */
const tsr_ir_expr *lower_hoist(lower_state *s, const tsr_nest_factor *f);
/* A new sum, initially 0: a local array over the axes, or a scalar where there are none. */
lower_target lower_new_sum(lower_state *s, uint64_t axes);
/* Add the product to a scalar or the result, unless the driver's value is 0. */
void lower_contribute_selected(lower_state *s, const lower_target *into, const lower_product *what);
/* Add the product (NULL: 0) to the target, in loops over the axes of both at depth d. */
void lower_contribute(lower_state *s, int d, const lower_target *into, const lower_product *what);
/* Add x to the target's element for the current coordinates of the axes (set: store x instead; for local arrays only). */
void lower_add(lower_state *s, const lower_target *into, const tsr_ir_expr *x, bool set);
/* Replace items of the prefix by their product, where it can be computed before the next level is opened. */
void lower_merge_prefix(lower_state *s, lower_product *prefix);

/* ---- lower_ask.c ---- */

/* In a long row: ask for prefetches of the driver's values some pages ahead. */
void lower_ask_for_values(lower_state *s);

#endif
