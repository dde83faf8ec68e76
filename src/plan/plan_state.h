/* Declarations shared by the files of plan. */
#ifndef PLAN_STATE_H
#define PLAN_STATE_H

#include "tsr_arena.h"
#include "tsr_plan.h"

enum {
    PLAN_MAX_CELLS = 1 << 26, /* elements of an array as workspace, for all threads */
    PLAN_LONG_ROWS = 1 << 23, /* an array of this length, for all threads, is too long for sparse rows */
    PLAN_SPARSE_ROW =
        24, /* cells for each contribution to a sparse row, at least (a table has two places for each;
                                * SuiteSparse hashes where the table is at most 1/12 of the array) */
    PLAN_MAX_KEYS = INT32_MAX, /* cells of a row whose contributions are hashed or listed */
    PLAN_DENSE_LEVEL =
        1 << 22 /* the first level of a copy is dense up to this size, or up to 4 coordinates per entry */
};

/* A plan under construction. */
typedef struct plan_state {
    tsr_plan *plan;
    const tsr_plan_operand *operands; /* notation->ntensors */
    int nthreads;                     /* >= 1 */
    tsr_error *err;
    const tsr_plan_request *request;
} plan_state;

/* One way to run the loops of a term. */
typedef struct plan_order {
    int nvars;                      /* -1: no order has been found yet */
    int var[TSR_NOTATION_MAX_VARS]; /* the variables of the loops, outermost first */
    double cost;                    /* steps of all loops, and of the conversions that they need */
    double contributions;           /* how often the innermost body runs */
} plan_order;

/* ---- plan_view.c ---- */

/* Whether the tensor's format has a level that is not dense. */
bool plan_is_sparse(const plan_state *s, int tensor);
/* The number of entries of a tensor, estimated where it is unknown. */
double plan_nstored(const plan_state *s, int tensor);
/* The order of the loops of a term. */
typedef struct plan_rank {
    const tsr_term *term;
    int of[TSR_NOTATION_MAX_VARS]; /* the place of each variable */
    int nouter;                    /* the number of loops around all terms */
} plan_rank;
/* Whether loops can walk the tensor of the access as it is given, without a copy. *why (may be NULL): the reason why not,
 * static text. */
bool plan_is_concordant(const plan_state *s, const tsr_expr *access, const plan_rank *rank, const char **why);
/* *out: the number of the access in plan->access; the access and its view are added where they are new.
 * TSR_LIMIT, TSR_NOMEM. */
tsr_status plan_use_access(int *out, plan_state *s, const tsr_expr *access, const plan_rank *rank);

/* ---- plan_locate.c ---- */

/* TSR_UNSUPPORTED if the schedule asks for a walk that no loop has. */
tsr_status plan_check_walks(const plan_state *s) TSR_NODISCARD;

/* ---- plan_walk.c ---- */

/* Decide whether each term walks one operand (plan->walks), and set plan->term then, also walked and nshared of each term.
 * TSR_NOMEM, TSR_LIMIT. */
tsr_status plan_walk(plan_state *s) TSR_NODISCARD;

/* ---- plan_rows.c ---- */

/* Choose how rows are computed: plan->rows. All other fields of the plan are known. TSR_UNSUPPORTED if the
 * schedule asks for marks, and rows cannot have them. */
tsr_status plan_choose_rows(plan_state *s) TSR_NODISCARD;

/* ---- plan_share.c ---- */

/* Choose how threads share the terms of a dense result. TSR_UNSUPPORTED if the schedule asks for a way that the statement does
 * not have. */
tsr_status plan_choose_shares(plan_state *s) TSR_NODISCARD;

/* ---- plan_block.c ---- */

/* The number of levels down to the last one that is not dense. */
int plan_nkeys(const tsr_format *format);
/* Set the blocks of the plan; plan->nresult is then without their modes. TSR_UNSUPPORTED: there are no such blocks. */
tsr_status plan_find_blocks(plan_state *s) TSR_NODISCARD;
/* Set the loops over blocks of a term with these variables. */
void plan_order_blocks(tsr_plan_term *term, const tsr_plan *plan, uint32_t vars);
/* The cells of a block of the result. */
double plan_block_cells(const plan_state *s);

/* ---- plan_calls.c ---- */

/* Replace the terms with functions by terms for each set of their sparse operands that store an entry.
 * TSR_LIMIT, TSR_NOMEM. */
tsr_status plan_split_calls(plan_state *s) TSR_NODISCARD;

/* ---- plan_cost.c ---- */

/* The cheapest order of the variables of the term and of the result among those that begin with
 * prefix[0..nprefix). */
void plan_find_order(plan_order *best, const plan_state *s, const tsr_term *term, const int *prefix,
                     int nprefix);

#endif
