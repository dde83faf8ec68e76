/* Declarations shared by the files of lower: a program under construction, and the places that loops compute. */
#ifndef LOWER_INTERNAL_H
#define LOWER_INTERNAL_H

#include "tsr_level_walk.h"
#include "tsr_lower.h"
#include "tsr_nest.h"

/* ---- lower_params.c: parameters ---- */

typedef struct lower_param {
    tsr_param param;
    const tsr_ir_expr *expr;   /* of an index parameter, else NULL */
    const tsr_ir_array *array; /* of an array parameter, else NULL */
} lower_param;

/* A program under construction. */
typedef struct lower_program {
    const tsr_plan *plan;
    const tsr_plan_operand *operands; /* the tensors of the notation, then one for each view */
    const tsr_lower_options *options;
    tsr_type type;   /* of all arithmetic: the type of the result */
    bool is_integer; /* of `type` */
    tsr_ir_builder *ir;
    lower_param *param; /* nparams */
    int nparams, capacity;
    /* by tensor: see lower_begin_seeking; NULL: it does not need them */
    const tsr_ir_array *place[TSR_NOTATION_MAX_TENSORS];
    int lanes;   /* bytes of the sums in which lists are added up; 0: none is */
    bool failed; /* out of memory */
} lower_program;

/* The parameter with this role, declared at the first use. */
const tsr_ir_expr *lower_index_param(lower_program *p, tsr_param_role role, int tensor, int level, int var);
const tsr_ir_array *lower_array_param(lower_program *p, tsr_param_role role, int tensor, int level);
/* The size of a variable: a literal or a parameter. */
const tsr_ir_expr *lower_size(lower_program *p, int var);
/* Size and pitch of a level; var: the variable that the level's coordinate is, or -1. */
const tsr_ir_expr *lower_level_size(lower_program *p, int tensor, int level, int var);
const tsr_ir_expr *lower_level_pitch(lower_program *p, int tensor, int level, int var);
/* Start again with a new builder: declare the parameters of the last one, in the order of the signature. */
void lower_declare_params(lower_program *p, tsr_ir_builder *ir);

/* ---- lower_place.c: coordinates and positions ---- */

/* Result r of a map whose dims have the values vars[], folded into expressions of the program. */
const tsr_ir_expr *lower_fold_map(tsr_ir_builder *ir, const tsr_map *map, int r,
                                  const tsr_ir_expr *const *vars);
/* The last coordinate of level r, whose dims have the last coordinates last[]: of a result that lower_can_fold. */
const tsr_ir_expr *lower_fold_map_last(tsr_ir_builder *ir, const tsr_map *map, int r,
                                       const tsr_ir_expr *const *last);
/* Whether the result has neither differences nor counters, so that it rises with the dims, except where it has x mod c. */
bool lower_can_fold(const tsr_map *map, int r);
/* Result r of a map whose dims have the values vars[]. */
const tsr_ir_expr *lower_map_result(lower_program *p, const tsr_map *map, int r,
                                    const tsr_ir_expr *const *vars);
/* The coordinate of the mode that coordinate c of the window w is; c where w is NULL. */
const tsr_ir_expr *lower_out_of_window(lower_program *p, const tsr_mode_window *w, const tsr_ir_expr *c);
/* The position in the last level of the access, below position `parent` of level from - 1; all levels from
 * `from` on are dense. at[v]: the coordinate of variable v. */
const tsr_ir_expr *lower_place(lower_program *p, const tsr_expr *access, int from, const tsr_ir_expr *parent,
                               const tsr_ir_expr *const *at);
/* The number of positions of the last level below n positions of level from - 1; all levels from `from` on
 * are dense. */
const tsr_ir_expr *lower_npositions(lower_program *p, const tsr_expr *access, int from, const tsr_ir_expr *n);
/* The number of positions of the result. */
const tsr_ir_expr *lower_result_npositions(lower_program *p);
/* The value of operand t at a position; an iso tensor has a single value for all positions. */
const tsr_ir_expr *lower_load(lower_program *p, int t, const tsr_ir_expr *position, tsr_ir_type type);
/* A level of the driver in the form that level types take, with storage for the names in it. */
typedef struct lower_walk {
    tsr_level_walk walk;
    char crd[256], pos[256];
} lower_walk;
/* The type of level l of the driver. */
const tsr_level_type *lower_level_type(const tsr_plan *plan, const tsr_nest *term, int l);
/* Level l, without a parent yet. */
void lower_walk_init(lower_walk *w, lower_program *p, const tsr_nest *term, int l);
/* Level l of a tensor; var: the variable that its coordinate is, or -1. */
void lower_walk_tensor(lower_walk *w, lower_program *p, int t, int l, int var);
/* The storage coordinate of level l of the access. at[v]: the coordinate of variable v. *var: the variable that it is, or -1. */
const tsr_ir_expr *lower_level_crd(lower_program *p, const tsr_expr *access, int l,
                                   const tsr_ir_expr *const *at, int *var);
/* The first position at depth `to` below position q of depth `from`. */
const tsr_ir_expr *lower_first(lower_program *p, const tsr_nest *term, int from, int to,
                               const tsr_ir_expr *q);
/* Whether each position at depth `from` has the same number of positions at depth `to`. */
bool lower_is_uniform(const tsr_plan *plan, const tsr_nest *term, int from, int to);

/* ---- lower_value.c: values ---- */

/* The type of all values; a number of this type; the value of absent cells in the semiring. */
tsr_ir_type lower_type(const lower_program *p);
const tsr_ir_expr *lower_number(lower_program *p, double x);
const tsr_ir_expr *lower_absent(lower_program *p);
/* The value of a cell of the result to which nothing contributes. */
const tsr_ir_expr *lower_empty(lower_program *p);
/* x as a variable or a constant, so that using it twice does not compute it twice. */
const tsr_ir_expr *lower_held(lower_program *p, const tsr_ir_expr *x);
/* x + y of the semiring. A least or largest value is NaN where one of both is, so that the order in which values are reduced does
 * not matter, and threads can share them. */
const tsr_ir_expr *lower_plus(lower_program *p, const tsr_ir_expr *x, const tsr_ir_expr *y);
/* x * y of the semiring, or x / y; x: NULL for 1. */
const tsr_ir_expr *lower_times(lower_program *p, const tsr_ir_expr *x, const tsr_ir_expr *y, bool inverse);
/* The sum of x alone: 0 or 1 in a logical semiring. */
const tsr_ir_expr *lower_truth(lower_program *p, const tsr_ir_expr *x);
/* Emit var = var + x, or array[at] = array[at] + x, with the + of the semiring. */
void lower_add_to_var(lower_program *p, const tsr_ir_expr *var, const tsr_ir_expr *x);
void lower_add_to(lower_program *p, const tsr_ir_array *array, const tsr_ir_expr *at, const tsr_ir_expr *x);

/* How an expression is computed. */
typedef struct lower_reader {
    tsr_ir_type type;             /* that of the program, or f64 */
    const tsr_ir_expr *const *at; /* the coordinates of variables */
    bool of_numbers;              /* with the operations of numbers, not those of the semiring */
    /* the value of an access; NULL: the operand is dense, and is read at the coordinates */
    const tsr_ir_expr *(*read)(void *arg, const tsr_expr *access);
    void *arg;
} lower_reader;
/* The value of expression e; whether it holds, as a boolean: it is not 0. */
const tsr_ir_expr *lower_value(lower_program *p, const lower_reader *from, const tsr_expr *e);
const tsr_ir_expr *lower_holds(lower_program *p, const lower_reader *from, const tsr_expr *e);
/* Whether the coordinates at[v] of variables are in the band: low <= j - i <= high; NULL: they always are. */
const tsr_ir_expr *lower_in_band(lower_program *p, const tsr_expr *band, const tsr_ir_expr *const *at);
/* The value x of a term, for a place in a block of the result: -0 becomes 0, since the product or the negation of zeros that are
 * absent must not look like an entry. A copy of an operand keeps all of its bits, and so does a value for other formats. */
const tsr_ir_expr *lower_block_value(lower_program *p, const tsr_term *term, const tsr_ir_expr *x);

/* Where a term's loops put the elements of the result. */
typedef struct lower_sink {
    const tsr_ir_array *array; /* the values of the result, or the threads' copies of them */
    const tsr_ir_expr *offset; /* of the thread's copy in the array; NULL: 0 */
    bool atomic;
    bool add;    /* false: elements are set */
    bool clears; /* the term's windows set their parts of the result to 0 first */
} lower_sink;

/* Emit the addition of x to the element of the result at that place, or set it. */
void lower_add_to_result(lower_program *p, const lower_sink *sink, const tsr_ir_expr *place,
                         const tsr_ir_expr *x);

/* ---- lower_term.c ---- */

/* A thread's share of a term. */
typedef struct lower_share {
    const tsr_ir_expr *lo[TSR_MAX_LEVELS + 1]; /* by depth 1..cut: positions [lo, hi); NULL: all */
    const tsr_ir_expr *hi[TSR_MAX_LEVELS + 1];
    const tsr_ir_expr *var_lo, *var_hi; /* of TSR_CUT_LOOP, of windows, or of TSR_CUT_ACROSS; NULL:
                                           all */
} lower_share;

/* Emit the loops of the term over the share. */
void lower_emit_term(lower_program *p, const tsr_nest *term, const lower_sink *sink,
                     const lower_share *share);

/* ---- lower_ask.c ---- */

/* Ask for the prefetches of the nest; result: the array that its loops add to, where they walk. */
void lower_ask(lower_program *p, const tsr_nest *nest, const tsr_ir_array *result);

/* ---- lower_interval.c ---- */

/* Declare the elements of the result that the share touches: none outside [lo, hi), where lo <= hi. */
tsr_ir_range lower_interval(lower_program *p, const tsr_nest *term, const lower_share *share);

/* ---- lower_share.c ---- */

/* The share that is being written. */
typedef struct lower_part {
    const tsr_ir_expr *t, *nthreads; /* the number of the thread, and the number of threads */
    const tsr_ir_expr *number,
        *nshares; /* the number of the share, and the number of shares: one for each thread, or pieces of the
                                          * result, of which each thread computes some */
} lower_part;

/* The loops of a term, or of all terms, as threads share them. */
typedef struct lower_loops {
    const tsr_plan_share *share;
    bool has_interval; /* `begin` returns the elements that the share touches */
    tsr_ir_range (*begin)(void *arg, const lower_part *part); /* begins a share */
    void (*emit)(void *arg, const lower_sink *sink);          /* emits the loops of the share */
    void *arg;
} lower_loops;

/* The number of threads: a parameter where the program is threaded, else 1. */
const tsr_ir_expr *lower_nthreads(lower_program *p, bool threaded);
/* Open the loop over threads, where the program is threaded; one tsr_ir_end closes it. */
void lower_open_threads(lower_program *p, lower_part *part, bool threaded);
/* The same, and open the loop over the shares of a thread, where the plan fixes their number; lower_close_shares closes both. */
void lower_open_shares(lower_program *p, lower_part *part, const tsr_plan_share *share);
void lower_close_shares(lower_program *p, const tsr_plan_share *share);
/* The number of all shares. */
const tsr_ir_expr *lower_nshares(lower_program *p, const tsr_plan_share *share);
/* The range of the result's positions: the thread's part inside a loop over threads that is opened where `threaded`, else
 * all. */
tsr_ir_range lower_open_result(lower_program *p, bool threaded);
/* array[from + q] = value for q in the range. */
void lower_fill(lower_program *p, const tsr_ir_array *array, const tsr_ir_expr *from, tsr_ir_range r,
                const tsr_ir_expr *value);
/* A new local array of n sums, to which nothing has been added. */
const tsr_ir_array *lower_new_sums(lower_program *p, const char *name, const tsr_ir_expr *n);
/* Emit the loops over the threads' shares, which add to the result, or to copies of it that are then added up. */
void lower_emit_shared(lower_program *p, const lower_loops *loops, const lower_sink *result);

/* ---- lower_cut.c ---- */

/* Declare the part of [0, n), NAME_begin and NAME_end, in parts of equal length. */
tsr_ir_range lower_cut(lower_program *p, const lower_part *part, const char *name, const tsr_ir_expr *n);
/* TSR_CUT_ACROSS: the first position of the level below position `above` whose coordinate is at least the given one; a search,
 * whose variables begin with the name, where the level is a list. */
const tsr_ir_expr *lower_find_across(lower_program *p, const tsr_nest *term, const char *name,
                                     const tsr_ir_expr *above, const tsr_ir_expr *coordinate);

#endif
