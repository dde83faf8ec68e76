/* What the files share that write the program of a plan (tsr_plan.h). */
#ifndef LOWER_MERGE_H
#define LOWER_MERGE_H

#include "lower_internal.h"

/* A sparse operand while loops are open. */
typedef struct merge_access {
    int depth;              /* levels that are open */
    const tsr_ir_expr *pos; /* the position in the last of them; of the root: 0 */
    const tsr_ir_expr *has; /* boolean: it has the coordinates of the open loops; NULL: surely */
} merge_access;

typedef struct merge_state {
    lower_program *p;
    tsr_ir_builder *ir;
    const tsr_plan *plan;
    const tsr_ir_expr *at[TSR_NOTATION_MAX_VARS];
    merge_access access[TSR_PLAN_MAX_ACCESSES];
    const tsr_ir_expr *lo, *hi;     /* the thread's share of the first loop's coordinates; NULL: all */
    const tsr_ir_expr *t, *nshares; /* the thread, of how many */
    bool counts;                    /* the first pass: entries are counted, and nothing is written */
    /* LIST: cursor[0]; ROWS: by level, how many entries there are so far */
    const tsr_ir_expr *cursor[TSR_MAX_ORDER];
    const tsr_ir_array *crd[TSR_MAX_ORDER], *pos[TSR_MAX_ORDER], *values; /* outputs */
    /* ROWS: */
    const tsr_ir_expr *respos[TSR_MAX_ORDER]; /* positions of the result's dense levels */
    const tsr_ir_expr *sum, *any;             /* the scalar workspace: its value, and whether there is one */
    const tsr_ir_array *work, *mark, *list;   /* the other one, a part for each thread */
    const tsr_ir_expr *span, *first;          /* elements of a part, and where the thread's begins */
    const tsr_ir_expr *generation, *nlisted;
} merge_state;

/* ---- lower_merge_loops.c ---- */

/* The loops of a term from number k on, around the contribution. */
void merge_nest(merge_state *s, const tsr_plan_term *term, int k);
/* The loops around all terms from number k on. */
void merge_outer(merge_state *s, int k);

/* ---- lower_merge_sink.c ---- */

/* What two values become. */
const tsr_ir_expr *merge_combine(merge_state *s, tsr_combine how, const tsr_ir_expr *x, const tsr_ir_expr *y);
/* What the innermost body of a term does. */
void merge_contribute(merge_state *s, const tsr_plan_term *term);
/* Inside the outer loops, before and after the terms. */
void merge_begin_row(merge_state *s);
void merge_end_row(merge_state *s);
/* Append an entry of the last level with the first term's value; with two terms, whose coordinates are crd[0]
 * and crd[1], with that of the lesser, or both where they are the same. */
void merge_append_sum(merge_state *s, const tsr_plan_term *first, const tsr_plan_term *second,
                      const tsr_ir_expr *const *crd);
/* Append the coordinate of outer level k, when something was appended below it since it had `before` entries
 * there. */
void merge_append_outer(merge_state *s, int k, const tsr_ir_expr *before);

/* ---- lower_merge.c ---- */

/* The number of a view's tensor among the program's operands: the notation's, then the copies. */
int merge_tensor(const tsr_plan *plan, int view);
tsr_ir_type merge_type(const merge_state *s);
const tsr_ir_expr *merge_size(merge_state *s, int var);
#endif
