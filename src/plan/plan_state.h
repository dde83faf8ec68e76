/* What the files of plan share. */
#ifndef PLAN_STATE_H
#define PLAN_STATE_H

#include "tsr_arena.h"
#include "tsr_plan.h"

enum {
    PLAN_MAX_CELLS = 1 << 26, /* elements of a workspace */
    PLAN_DENSE_LEVEL =
        1 << 22 /* the first level of a copy is dense up to this size, or up to 4 times its entries */
};

/* A plan in the making. */
typedef struct plan_state {
    tsr_plan *plan;
    const tsr_plan_operand *operands;
    int nthreads;
    tsr_error *err;
} plan_state;

/* One way to run the loops of a term. */
typedef struct plan_order {
    int nvars;
    int var[TSR_NOTATION_MAX_VARS];
    double cost;          /* steps of all its loops, and of the conversions that they need */
    double contributions; /* how often the innermost body runs */
} plan_order;

/* ---- plan_view.c ---- */

bool plan_is_sparse(const plan_state *s, int tensor);
/* Entries of a tensor, estimated where it is not known. */
double plan_nstored(const plan_state *s, int tensor);
/* Whether an access can be read as the tensor is given when variables are bound in an order: rank[v] is v's
 * place in it. *why (may be NULL) tells what is in the way. */
bool plan_is_concordant(const plan_state *s, const tsr_expr *access, const int *rank, const char **why);
/* The modes of an access in the order in which the loops bind them. */
void plan_sort_modes(int *mode, const tsr_expr *access, const int *rank);
/* The number of the access in plan->access, added with its view when they are new. */
tsr_status plan_use_access(int *out, plan_state *s, const tsr_expr *access, const int *rank);

/* ---- plan_cost.c ---- */

/* The best order of the term's variables and the result's that begins with prefix[0..nprefix). */
void plan_find_order(plan_order *best, const plan_state *s, const tsr_term *term, const int *prefix,
                     int nprefix);

#endif
