/* What the files share that write one term's loops. */
#ifndef LOWER_TERM_H
#define LOWER_TERM_H

#include "lower_internal.h"

/* Something that is multiplied: a factor where it stands, or what was kept of it. */
typedef struct lower_item {
    const lower_factor *factor; /* NULL: one of the two below */
    const tsr_ir_expr *scalar;  /* its value */
    const tsr_ir_array *array;  /* its values over `axes` */
    uint64_t axes;
} lower_item;

typedef struct lower_product {
    int n;
    lower_item item[TSR_NOTATION_MAX_FACTORS + 2];
} lower_product;

/* Something that is added to. */
typedef struct lower_target {
    bool is_result;
    const tsr_ir_expr *scalar; /* else one of the two */
    const tsr_ir_array *array; /* over `axes` */
    uint64_t axes;
    const tsr_ir_expr *flag; /* becomes 1 when something was added; may be NULL */
} lower_target;

/* A dense last level whose products are added up into one scalar, or each to an element of the result, is a
 * row: its loop may become vectors, and zeros are selected, not branched around. Short rows are whole or
 * clipped. */
typedef enum lower_row { LOWER_NO_ROW, LOWER_WHOLE_ROW, LOWER_CLIPPED_ROW, LOWER_LONG_ROW } lower_row;

typedef struct lower_state {
    lower_program *p;
    tsr_ir_builder *ir;
    const lower_term *term;
    const lower_sink *sink;
    const lower_share *share;
    const tsr_ir_expr *pos[TSR_MAX_LEVELS + 1];      /* by depth: the driver's position */
    const tsr_ir_expr *crd[TSR_MAX_LEVELS];          /* the driver's map results */
    bool level_fixed[TSR_MAX_LEVELS];                /* the loop runs over one known coordinate */
    const tsr_ir_expr *at[TSR_NOTATION_MAX_VARS];    /* the variables' coordinates */
    const tsr_ir_expr *local[LOWER_MAX_AXES];        /* coordinates of axes, counted from `first` */
    const tsr_ir_expr *first[TSR_NOTATION_MAX_VARS]; /* of a block; NULL: 0 */
    uint64_t count[LOWER_MAX_AXES];                  /* coordinates of axes, from `first` on */
    const tsr_ir_expr *driver_value;                 /* where it is in a variable */
    char value_name[256];                            /* for that variable */
    lower_row row;                                   /* how the loop over the last level is written */
} lower_state;

/* ---- lower_term.c ---- */

/* Bound the loop over dense level l by what is not padding, as far as the coordinates of the levels `known`
 * (and l) tell: *lo and *hi, NULL where nothing bounds them. size bounds *hi, too, unless it is NULL. */
void lower_clip(lower_state *s, int l, uint32_t known, const tsr_ir_expr *size, const tsr_ir_expr **lo,
                const tsr_ir_expr **hi);
/* Take the coordinates of the deferred levels as known, and with them the variables that depend on them. */
void lower_enter_deferred(lower_state *s);

/* ---- lower_sum.c ---- */

void lower_name_value(lower_state *s);
/* The value at the driver's position. */
const tsr_ir_expr *lower_driver_value(lower_state *s);
/* A factor without dense variables in a variable of its own. */
const tsr_ir_expr *lower_hoist(lower_state *s, const lower_factor *f);
/* A new sum, 0, over the axes. */
lower_target lower_new_sum(lower_state *s, uint64_t axes);
/* Add the product to a scalar or the result, unless the driver's value is 0. */
void lower_contribute_selected(lower_state *s, const lower_target *into, const lower_product *what);
/* Add the product (NULL: 0) to the target, in loops over the axes of both at depth d. */
void lower_contribute(lower_state *s, int d, const lower_target *into, const lower_product *what);
/* Add a scalar sum to the element of the target that the deferred levels' loops are at. */
void lower_add_sum(lower_state *s, const lower_target *into, const lower_target *sum);
/* Multiply what can be multiplied before the next level is opened. */
void lower_merge_prefix(lower_state *s, lower_product *prefix);

/* ---- lower_prefetch.c ---- */

/* At a position at depth d: fetch the rows that a later position will want. */
void lower_prefetch(lower_state *s, int d);
/* In a long row: fetch the driver's values some pages ahead. */
void lower_prefetch_stream(lower_state *s);

#endif
