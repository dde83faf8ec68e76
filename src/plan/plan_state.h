/* Declarations shared by the files of plan. */
#ifndef PLAN_STATE_H
#define PLAN_STATE_H

#include <stddef.h>
#include <string.h>

#include "tsr_arena.h"
#include "tsr_nest.h"

enum {
    PLAN_MAX_CELLS = 1 << 26, /* elements of an array as workspace, for all threads */
    PLAN_LONG_ROWS = 1 << 23, /* an array of this length, for all threads, is too long for sparse rows */
    PLAN_SPARSE_ROW =
        24, /* cells for each contribution to a sparse row, at least (a table has two places for each;
                                * SuiteSparse hashes where the table is at most 1/12 of the array) */
    PLAN_MAX_KEYS = INT32_MAX, /* cells of a row whose contributions are hashed or listed */
    PLAN_MAX_PLACES = 1 << 26, /* elements of the tables of all threads */
    PLAN_SHARES = 64,          /* positions per thread that are enough for an even cut */
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
    const tsr_expr *
        common; /* the only sparse operand, in whose loops the whole right side is computed; NULL: terms are */
} plan_state;

/* One way to run the loops of a term. */
typedef struct plan_order {
    int nvars;                      /* -1: no order has been found yet */
    int var[TSR_NOTATION_MAX_VARS]; /* the variables of the loops, outermost first */
    double cost;                    /* steps of all loops, and of the conversions that they need */
    double copies, loops; /* the conversions as they compare with searches, and the steps of all loops */
    double
        contributions; /* how often the innermost body runs, if no operand's coordinates depend on another's */
    double most_contributions; /* the same if they agree as far as they can */
} plan_order;

/* Whether the writers of loops ask for what plan->walk says of operands: some term walks, or does not have one product. */
static inline bool plan_has_nests(const tsr_plan *plan)
{
    bool has = tsr_plan_walks(plan);
    for (int i = 0; i < plan->nterms; i++)
        has = has || plan->term[i].walks || !plan->term[i].nest->one_product;
    return has;
}

/* The place of v in the list; -1: it is not there. */
static inline int plan_place(const int *list, int n, int v)
{
    while (n > 0 && list[n - 1] != v)
        n--;
    return n - 1;
}

static inline const tsr_plan_view *plan_view_of(const tsr_plan *plan, int access)
{
    return &plan->view[plan->access[access].view];
}

/* The variable of a level of the access. */
static inline int plan_level_var(const tsr_plan *plan, int access, int level)
{
    return plan->access[access].expr->index[plan_view_of(plan, access)->mode[level]];
}

/* Whether the schedule asks terms to walk the tensor as it is stored. */
static inline bool plan_asks_walk(const tsr_plan *plan, int tensor)
{
    return strcmp(plan->schedule.convert[tensor], TSR_SCHEDULE_WALK) == 0;
}

/* What the text of a plan says of a term, where loops merge; NULL: nothing. */
static inline const tsr_schedule_term *plan_said(const tsr_plan *plan, const tsr_term *term)
{
    const ptrdiff_t i = term - plan->terms->term;
    return plan->schedule.said.merges && i < plan->schedule.said.nterms ? &plan->schedule.said.term[i] : NULL;
}

/* The order that the schedule asks for the loops of the term: *n variables. */
static inline const uint8_t *plan_asked_order(int *n, const tsr_plan *plan, const tsr_term *term)
{
    const tsr_schedule_term *const said = plan_said(plan, term);
    *n = said ? said->norder : plan->schedule.norder;
    return said ? said->order : plan->schedule.order;
}

/* Whether the schedule leaves the special loops out. */
static inline bool plan_leaves_out(const tsr_plan *plan, tsr_special special)
{
    return plan->schedule.without >> special & 1;
}

/* ---- schedule.c ---- */

/* The items of a schedule whose numbers a plan says. */
typedef struct plan_number {
    int item;                 /* schedule.def */
    const char *begin, *unit; /* in a plan's line with this begin the number stands before `unit` */
} plan_number;
extern const plan_number plan_numbers[];
extern const int plan_nnumbers;
/* What is wrong with the number of the item; NULL: nothing. */
const char *plan_number_fault(int item, uint32_t number);
/* Set it, an int in the schedule: 0: automatic, < 0: none. Here 0 is none. */
void plan_set_number(tsr_schedule *schedule, int item, int number);

/* ---- plan_view.c ---- */

/* Whether the tensor's format has a level that is not dense. */
bool plan_is_sparse(const plan_state *s, int tensor);
/* Whether each level of the format stores one mode, all levels are dense or unique lists, and the last level is a list, or marks; all
 * lists except the last one are in order: loops can walk the tensor. perm: the mode of each level. *why (may be NULL): the reason why not. */
bool plan_has_sorted_levels(const plan_state *s, const tsr_format *format, int *perm, const char **why);
/* The number of entries of a tensor, estimated where it is unknown. */
double plan_nstored(const plan_state *s, int tensor);
/* The first level over v of the access number a; -1: there is none. */
int plan_level_of(const tsr_plan *plan, int a, int v);
/* The same, of a list that a loop over v walks. */
int plan_list_of(const tsr_plan *plan, int a, int v);
/* The cells over these n variables. */
double plan_ncells(const tsr_plan *plan, const int *var, int n);
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

/* The words of the machine, not AUTO, behind the loop in the text of a plan. */
const char *plan_walk_text(tsr_plan_walk walk);
/* TSR_UNSUPPORTED if the schedule asks for a walk that no loop has. */
tsr_status plan_check_walks(const plan_state *s) TSR_NODISCARD;

/* ---- plan_walk.c ---- */

/* Decide whether all terms walk one operand each, and set plan->term then; else plan->why. TSR_NOMEM, TSR_LIMIT. */
tsr_status plan_walk(plan_state *s) TSR_NODISCARD;
/* Set plan->term of the terms that walk beside others that merge: of a dense result. TSR_NOMEM, TSR_LIMIT. */
tsr_status plan_walk_some(plan_state *s) TSR_NODISCARD;
bool plan_walks_asked(const plan_state *s, const tsr_term *term);

/* ---- plan_rows.c ---- */

/* Whether a single workspace of this kind over all modes of a sparse result can have a copy for each thread; its cells. */
bool plan_can_meet(const plan_state *s, tsr_plan_workspace workspace, double ncells);
/* Whether this number of contributions is worth the marks of these cells. */
bool plan_marks_pay(double contributions, double ncells);

/* Choose how rows are computed: plan->rows. All other fields of the plan are known. TSR_UNSUPPORTED if the
 * schedule asks for marks, and rows cannot have them. */
tsr_status plan_choose_rows(plan_state *s) TSR_NODISCARD;

/* ---- plan_share.c ---- */

/* The words of tsr_sharing in the text of a plan; NULL: AUTO. */
extern const char *const plan_sharing_words[];
/* The depth of the nest where the schedule asks for a cut; 0: nowhere. */
int plan_asked_cut(const tsr_plan *plan, const tsr_nest *nest);
/* Whether copies of a workspace for the whole result, with marks, cost less than one thread does. */
bool plan_workspaces_pay(const tsr_plan *plan, double ncells, double added);
/* Choose how threads share all loops of the plan. TSR_UNSUPPORTED if the schedule asks for a way that the statement does not have. */
tsr_status plan_choose_shares(tsr_plan *plan, tsr_error *err) TSR_NODISCARD;

/* ---- plan_work.c ---- */

/* Whether the access has rows over v: a dense first level over v, without a window, and a compressed second level. */
bool plan_has_rows(const tsr_plan *plan, int a, int v);
/* The work of the loop over v. */
tsr_plan_work plan_work_of(const tsr_plan *plan, int v);
/* Set the work of rows of a sparse result. */
void plan_work_of_rows(tsr_plan *plan);

/* ---- plan_print.c ---- */

/* The name of the view of access a: of an operand, or of a copy. */
const char *plan_access_name(const tsr_plan *plan, int a);

/* ---- plan_term_print.c ---- */

/* Append `word`, which is number k of n words with commas and "and" between them. */
void plan_print_word(tsr_text *text, int k, int n, const char *word);
/* Append the lines of term i. */
void plan_print_term(tsr_text *text, const tsr_plan *plan, int i);
/* Append the line about one thread, with the items about threads that it leaves without effect. */
void plan_print_one(tsr_text *text, const tsr_plan *plan);
/* Append the line about threads; driver: of a nest. */
void plan_print_share(tsr_text *text, const tsr_plan *plan, const tsr_plan_share *share, int driver);
/* Append what the parts of a loop have in equal numbers. before: what comes before such words. */
void plan_print_work(tsr_text *text, const tsr_plan *plan, const tsr_plan_work *work, const char *before);

/* ---- plan_block.c ---- */

/* Set the blocks of the plan; plan->nresult is then without their modes. TSR_UNSUPPORTED: there are no such blocks. */
tsr_status plan_find_blocks(plan_state *s) TSR_NODISCARD;
/* TSR_UNSUPPORTED: the terms are not computed cell by cell, as CELLS wants. */
tsr_status plan_check_cells(const plan_state *s) TSR_NODISCARD;
/* Set the loops over blocks of a term with these variables. */
void plan_order_blocks(tsr_plan_term *term, const tsr_plan *plan, uint32_t vars);

/* ---- plan_points.c ---- */

/* Whether the terms are added at each point before their sum is reduced. */
bool plan_adds_first(const plan_state *s);
/* The same, in loops around all terms: the result is dense. */
bool plan_has_points(const plan_state *s);
/* Choose the order of the loops around all terms of such a plan: plan->nouter and plan->var. TSR_LIMIT; TSR_UNSUPPORTED: in
 * storage coordinates. */
tsr_status plan_order_points(plan_state *s) TSR_NODISCARD;

/* ---- plan_ending.c ---- */

/* Check that the result can have the ending of the statement. TSR_UNSUPPORTED. */
tsr_status plan_check_ending(const plan_state *s) TSR_NODISCARD;
void plan_print_ending(tsr_text *text, const tsr_plan *plan);

/* ---- plan_types.c ---- */

/* Check that the type of the result holds the values of the operands, and the numbers. TSR_UNSUPPORTED, TSR_ARGUMENT. */
tsr_status plan_check_types(const plan_state *s) TSR_NODISCARD;

/* ---- plan_items.c ---- */

/* Check that loops can follow the items of the schedule that name them. TSR_UNSUPPORTED, in terms of the statement: a request is
 * not dropped silently. */
tsr_status plan_check_items(const tsr_plan *plan, tsr_error *err) TSR_NODISCARD;

/* ---- plan_nest.c ---- */

/* Give the term an empty nest. TSR_NOMEM. */
tsr_status plan_new_nest(plan_state *s, tsr_plan_term *term) TSR_NODISCARD;
/* Make the nests of all terms. TSR_UNSUPPORTED, TSR_LIMIT, TSR_ARGUMENT, TSR_NOMEM. */
tsr_status plan_make_nests(tsr_plan *plan, tsr_error *err) TSR_NODISCARD;
/* Set plan->literal: the nests and the accesses are known. */
void plan_choose_literals(tsr_plan *plan);

/* ---- plan_nest_driver.c ---- */

/* Fill in levels, modes and known of a nest whose driver and access are set. */
tsr_status plan_nest_driver(const tsr_plan *plan, tsr_nest *nest, tsr_error *err) TSR_NODISCARD;

/* a * b, at most UINT64_MAX. */
uint64_t plan_times(uint64_t a, uint64_t b);
/* The number of coordinates of v that one run of a nest covers. */
uint64_t plan_extent(const tsr_plan *plan, int v);
/* The deepest depth that is reached from `depth` without opening a loop. */
int plan_settle(const tsr_plan *plan, const tsr_nest *nest, int depth);
/* The depth where all of these variables that loops bind are known. */
int plan_depth_of(const tsr_nest *nest, uint32_t vars);
/* The number of elements of the result that one position of the driver adds to. */
uint64_t plan_free_elements(const tsr_plan *plan, const tsr_nest *nest);

/* ---- plan_seek.c ---- */

/* Whether the format of the tensor has loops: it does not count entries. */
bool plan_has_loops(const plan_state *s, int tensor);
/* The sparse factor of the term that the loops walk where all others are located; NULL: they merge, since a located operand would need a
 * search that its format does not have, or has variables that the driver lacks, or since merging costs less or needs no copy. */
const tsr_expr *plan_find_seeking(const plan_state *s, const tsr_term *term);
/* Bit f: factor f of the term is located where the loops walk the driver. */
uint64_t plan_located_beside(const plan_state *s, const tsr_term *term, const tsr_expr *driver);
/* Where the result is sparse, set `located` of all terms: their loops merge. */
void plan_locate_factors(plan_state *s);
/* The steps of locating these factors once; *part is multiplied by the part of the cells where they are stored. */
double plan_seek_cost(const plan_state *s, const tsr_term *term, uint64_t located, double *part);

/* ---- plan_nest_special.c ---- */

/* Set the windows of the nest, where it can have them. */
void plan_choose_windows(const tsr_plan *plan, tsr_nest *nest);

/* Whether positions of depth `out` that follow each other with the same coordinate are added up before they are added to the
 * result. */
bool plan_has_runs(const tsr_plan *plan, const tsr_nest *nest);
/* Set `special` of all nests, whose shares are chosen. */
void plan_choose_specials(tsr_plan *plan);

/* ---- plan_prefetch.c ---- */

/* Whether the schedule asks for prefetches where the plan would not have them. */
static inline bool plan_asks_prefetch(const tsr_plan *plan)
{
    return plan->schedule.prefetch > 0 && !plan->schedule.ways.usual;
}

/* Whether the schedule asks for no prefetches. */
static inline bool plan_leaves_prefetches(const tsr_plan *plan)
{
    return plan->schedule.prefetch < 0 || plan_leaves_out(plan, TSR_SPECIAL_PREFETCHES);
}

/* Whether the coordinates of the levels from `from` on and the values, which a term reads in order, may be larger than
 * the part of the second cache that is read in time. */
bool plan_is_long_stream(const tsr_plan *plan, const tsr_nest *nest, int from);
/* Set the prefetches of all nests, whose groups and slots are set, and plan->walk.ahead. Returns whether there are any. The distance is chosen so that
 * 128 cache lines are under way. Measured: SDDMM on 8 M
 * entries with factors of 128 MB and more: 16 columns 72 ms at distance 16, 34 ms at 64; 32 columns 92 ms at
 * 16, 68 to 73 ms at 32; 64 columns 140 to 155 ms at 16, 142 to 169 ms at 32. MTTKRP with factors in the
 * second and third cache: rank 16 4.0 ms at 16, 4.2 ms at 32, 4.4 ms at 64; rank 32 9.3 ms at 16, 10.7 ms at
 * 64. The sizes of the tensors influence the distance only where the tuning has a smaller number of lines for
 * rows that are in the caches (not by default), since built-in kernels serve tensors of all sizes. */
bool plan_choose_prefetches(tsr_plan *plan);

/* ---- plan_interval.c ---- */

/* The interval of a nest whose positions are cut. */
tsr_plan_interval plan_find_interval(const tsr_plan *plan, const tsr_nest *nest);
/* The elements of the result that the threads' copies of it will touch together, as far as the format tells; else all of
 * each. */
uint64_t plan_copied_elements(const tsr_plan *plan, const tsr_nest *nest);

/* ---- plan_cost.c ---- */

/* The cheapest order of the variables of the term and of the result among those that begin with
 * prefix[0..nprefix). */
void plan_find_order(plan_order *best, const plan_state *s, const tsr_term *term, const int *prefix,
                     int nprefix);

#endif
