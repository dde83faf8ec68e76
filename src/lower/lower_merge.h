/* Declarations shared by the files that write the program of a plan (tsr_plan.h). */
#ifndef LOWER_MERGE_H
#define LOWER_MERGE_H

#include "lower_internal.h"

/* Of the program that `s` writes. */
#define INDEX(c) tsr_ir_index(s->ir, (c))
#define OP(op, x, y) tsr_ir_op2(s->ir, TSR_IR_##op, (x), (y))

/* The state of a sparse operand inside open loops. */
typedef struct merge_access {
    int depth;              /* number of open levels */
    const tsr_ir_expr *pos; /* the position in the last open level; 0 where none is open */
    const tsr_ir_expr
        *has; /* boolean: the operand stores the coordinates of the open loops; NULL: always true */
} merge_access;

/* A table of the row of a list (lower_merge_locate.c): element first + c of `place` is 1 + the position of coordinate c where this is in
 * [lo, hi); other elements are of other rows. */
typedef struct merge_table {
    const char *name;
    const tsr_ir_array *place;
    const tsr_ir_expr *first; /* where the part of the thread begins */
    const tsr_ir_expr *lo, *hi;
} merge_table;

/* The table of an access, for loop k of a term. */
typedef struct merge_places {
    const tsr_plan_term *term;
    int k, access;
    bool is_mask; /* a complement: loop k visits the coordinates that the access does not store */
    merge_table table;
} merge_places;

enum { MERGE_MAX_PLACES = 16 };

/* How a pass over the loops makes the entries of a sparse result. */
typedef enum merge_pass {
    MERGE_PASS_APPEND, /* each thread appends pieces of the result to parts of its own, which grow */
    MERGE_PASS_COUNT,  /* entries are only counted */
    MERGE_PASS_FILL,   /* entries are stored in the result, whose arrays have the counted lengths */
    MERGE_PASS_VALUES  /* the result has its entries; values are stored, and other entries are noticed */
} merge_pass;

/* Where the contributions to a row go, if the workspace spans one variable. */
typedef enum merge_row_kind {
    MERGE_ROW_LISTED, /* to the workspace; the coordinates are listed and sorted */
    MERGE_ROW_MARKED, /* to the workspace; the coordinates are marked, and the marks are read in order */
    MERGE_ROW_FEW, /* all of them are listed with their values, sorted, and those of one coordinate summed */
    MERGE_ROW_HASHED,   /* to a hash table; the coordinates are listed and sorted */
    MERGE_ROW_RECORDED, /* as MERGE_ROW_FEW, for any number of contributions */
    MERGE_ROW_APPENDED, /* to the result: in any order, lower_row_any_order.c */
    MERGE_ROW_PLACED,   /* VALUES: to the values of the row, whose places a table has */
    MERGE_ROW_FOLLOWED  /* VALUES: to the values of the row, at the places of a trail */
} merge_row_kind;

/* What each thread computes. */
typedef struct merge_shares {
    const tsr_ir_expr *lo, *hi; /* the share [lo, hi) of the first loop's coordinates; NULL: all */
    lower_part part;
    const tsr_ir_expr *npieces;   /* the number of pieces of the result */
    const tsr_ir_array *taken;    /* the number of the next piece */
    const tsr_ir_array *products; /* size + 1 elements, of the first variable: the number of products in all
                                     rows before; or NULL */
} merge_shares;

/* The entries of a sparse result. */
typedef struct merge_entries {
    /* the number of entries so far; LIST: cursor[0]; ROWS: by level */
    const tsr_ir_expr *cursor[TSR_MAX_ORDER];
    const tsr_ir_expr *begin; /* where the row begins that has an ending; NULL: it has none */
    /* crd: by level of the result's tensor, see merge_result_level */
    const tsr_ir_array *result_crd[TSR_MAX_LEVELS], *result_pos[TSR_MAX_ORDER], *result_values;
    const tsr_ir_array *crd[TSR_MAX_LEVELS], *pos[TSR_MAX_ORDER], *values; /* the parts of the thread */
    const tsr_ir_array *told;                                              /* see told_at */
    bool reserves, reserved; /* the next loop must reserve room for all entries of the row; it has done so */
    const tsr_ir_expr *respos[TSR_MAX_ORDER]; /* ROWS: positions of the result's dense levels */
    const tsr_ir_expr
        *before[TSR_MAX_ORDER]; /* the coordinates of the last entry that was taken out, by level */
} merge_entries;

/* The workspace of a row. */
typedef struct merge_work {
    const tsr_ir_expr *sum, *any; /* a scalar: the value, and whether a value was contributed */
    const tsr_ir_expr *point; /* DENSE: the sum of the terms at a point, which is then reduced; NULL: none */
    const tsr_ir_array *array, *mark, *list; /* an array, with a part for each thread */
    const tsr_ir_expr *span, *first;         /* elements of a part; the first element of the thread's part */
    const tsr_ir_expr *nlisted;              /* coordinates in the list */
} merge_work;

/* The row that is computed, if the workspace spans one variable; see lower_row.c. */
typedef struct merge_row_state {
    bool measuring;      /* the loops being emitted measure rows */
    bool gauging;        /* the loops being emitted only measure rows */
    merge_row_kind kind; /* of the loops being emitted */
    const tsr_ir_expr *most, *begin,
        *end; /* the number of contributions to the row at most, and the range of its
                                            * coordinates */
    const tsr_ir_expr
        *longest; /* the most contributions to a row; while rows are only measured: to a row of this thread */
    const tsr_ir_array *few, *few_values; /* the contributions to a row with few of them */
    const tsr_ir_array *united[2],
        *united_values[2]; /* sums of some of the rows that are added; NULL: none */
    const tsr_ir_expr
        *rises; /* whether all rows of rows.matrix rise; NULL: their format says so, or nothing needs it */
} merge_row_state;

/* The entries of an operand that a window masks, see merge_may_mask. */
typedef struct merge_masked {
    const tsr_ir_expr
        *on; /* 1: the contribution counts, 0: the neutral value does; NULL: all contributions count */
    const tsr_ir_array *pick; /* the neutral value and the contribution */
} merge_masked;

/* A result that has its entries, see lower_sink_values.c. */
typedef struct merge_meeting {
    const tsr_ir_expr *limit[TSR_MAX_ORDER]; /* by level: where the positions of the share end */
    const tsr_ir_expr *differs;              /* the number of differences that the thread has noticed */
    merge_table row;                         /* of the row; with a workspace, it is written */
    const tsr_ir_array *touched;             /* whether each entry of the row has had a contribution */
    struct {
        const tsr_ir_expr *way; /* a tsr_trail_way; NULL: there is no trail */
        const tsr_ir_array *starts, *places;
        const tsr_ir_expr *t,
            *end; /* the place of the next contribution in the trail, and the end of the row's places */
        const tsr_ir_expr
            *missed; /* the number of contributions and rows of the thread that are not those of the trail */
    } trail;
} merge_meeting;

typedef struct merge_state {
    lower_program *p;
    tsr_ir_builder *ir;
    const tsr_plan *plan;
    const tsr_ir_expr *at[TSR_NOTATION_MAX_VARS]; /* the coordinate of each variable with an open loop */
    merge_access access[TSR_PLAN_MAX_ACCESSES];
    const tsr_ir_expr *const *found; /* by factor of the term: see lower_state */
    merge_pass pass;
    merge_shares share;
    lower_sink dense; /* DENSE */
    struct {
        int n;
        merge_places place[MERGE_MAX_PLACES];
    } tables;
    merge_masked window;
    merge_entries out;             /* of a sparse result */
    merge_work work;               /* ROWS */
    merge_row_state row;           /* ROWS */
    struct {                       /* a hash table, see lower_row_keys.c */
        const tsr_ir_array *table; /* 1 + the key in each place; 0: the place is free */
        const tsr_ir_expr *mask;   /* the last place that the row uses: 2^n - 1 */
    } keys;
    struct {                       /* rows in any order, see lower_row_any_order.c */
        const tsr_ir_array *array; /* the number of the entry that had each coordinate last */
        const tsr_ir_expr *first;  /* the number of the first entry of the row */
    } numbers;
    merge_meeting meet; /* values alone */
} merge_state;

/* ---- lower_merge_loops.c ---- */

/* Emit the loops plan->var[k..nouter), from one that merge_outer calls on, and the row or the point inside them. */
void merge_outer_loop(merge_state *s, int k);
/* Open the levels of complements over variable v, at the coordinate of the open loop: those of the term; of all terms
 * if `term` is NULL. */
void merge_enter_masks(merge_state *s, const tsr_plan_term *term, int v);

/* Enter the dense levels of blocks of the term's accesses, at the coordinates of the open loops. */
void merge_enter_blocks(merge_state *s, const tsr_plan_term *term);

/* ---- lower_merge_list.c ---- */

/* A list: a level of an access, which is not dense. */
typedef struct merge_list {
    int access, level;
} merge_list;

/* The number of the access's tensor among the program's operands: first the tensors of the notation, then the
 * copies. */
int merge_tensor(const merge_state *s, int access);
/* An array of a level of this tensor; the values: level -1. */
const tsr_ir_array *merge_array(merge_state *s, tsr_param_role role, int access, int level);
/* The array of the coordinates; NULL: the level is compound, see tsr_plan_parts. */
const tsr_ir_array *merge_list_array(merge_state *s, merge_list list);
/* Whether the marks of the access have the position of its last level (view->marks). */
const tsr_ir_expr *merge_mark_at(merge_state *s, int access, const tsr_ir_expr *position);
/* The coordinate at position q. */
const tsr_ir_expr *merge_load_crd(merge_state *s, merge_list list, const tsr_ir_expr *q);
/* The first place of the range whose coordinate is at least `target`; of an array, or of a list. */
const tsr_ir_expr *merge_seek_array(merge_state *s, const char *name, tsr_ir_range range,
                                    const tsr_ir_expr *target, const tsr_ir_array *crd);
const tsr_ir_expr *merge_seek_crd(merge_state *s, const char *name, tsr_ir_range range,
                                  const tsr_ir_expr *target, merge_list list);
/* The first child of a position of the level above the level of the access; the children of it end at that of the next position. */
const tsr_ir_expr *merge_first_child(merge_state *s, int access, int level, const tsr_ir_expr *parent);
/* The level of the result's tensor at which level k of the assembled format begins; s->out.crd and s->out.result_crd have its coordinates. */
int merge_result_level(const merge_state *s, int k);
/* Store the coordinate of an entry of level k of the result. */
void merge_store_crd(merge_state *s, int k, const tsr_ir_expr *at, const tsr_ir_expr *crd);

/* ---- lower_merge_block.c ---- */

/* The number of values of n blocks of the result. */
const tsr_ir_expr *merge_in_blocks_of(merge_state *s, const tsr_ir_expr *n);
/* Set a block of the array, from element `base` on, to the value of absent entries. */
void merge_clear_block(merge_state *s, const tsr_ir_array *array, const tsr_ir_expr *base);
/* Copy a block to the values of the result, from element `to` on. */
void merge_copy_block(merge_state *s, const tsr_ir_expr *to, const tsr_ir_array *from,
                      const tsr_ir_expr *base);
/* Store the sum of both terms, or of the first one where the second is NULL, in the block of the next entry. */
void merge_store_block_sum(merge_state *s, const tsr_plan_term *first, const tsr_plan_term *second);
/* merge_contribute for a statement in storage coordinates. */
void merge_contribute_block(merge_state *s, const tsr_plan_term *term);

/* ---- lower_merge_terms.c ---- */

/* All accesses of terms that are not empty, each once. */
int merge_all_accesses(int *list, const merge_state *s, int *nterms);
/* Whether there is a term without a sparse operand over v: such a term contributes at all coordinates. */
bool merge_some_term_is_free(const merge_state *s, int v);
/* Emit the terms of a row, each inside an if where its operands may lack the coordinates of the outer loops. */
void merge_terms(merge_state *s);

/* ---- lower_sink_dense.c ---- */

/* Emit the whole body of a program with a dense result. */
void merge_emit_dense(merge_state *s);
/* Emit the sum of the terms at a point, and reduce it. */
void merge_point(merge_state *s);

/* ---- lower_sink_list.c ---- */

/* Emit the whole body of a program with a list of entries. */
void merge_emit_list(merge_state *s);

/* ---- lower_sink_rows.c ---- */

/* The type of keys of the workspace. */
tsr_type merge_key_type(const merge_state *s);
/* Emit the whole body of a program with rows of entries. */
void merge_emit_rows(merge_state *s);

/* ---- lower_sink_cells.c ---- */

/* Emit the program of a result whose cells have marks. */
#if TSR_HAVE_STORAGE
void merge_emit_cells(merge_state *s);
#else
static inline void merge_emit_cells(merge_state *s)
{
    (void)s;
}
#endif

/* ---- lower_merge_window.c ---- */

/* A walk over the children of a position of a compressed level. */
typedef struct merge_clip {
    merge_list list;
    const tsr_ir_array *crds;      /* merge_list_array */
    const tsr_mode_window *window; /* of the mode of the level; NULL: none */
    bool clipped;                  /* the walk has no children outside the window, except between two steps */
} merge_clip;

/* The coordinate in the window of coordinate c of the mode, rounded down to a step; c where `window` is NULL. */
const tsr_ir_expr *merge_in_window(merge_state *s, const tsr_mode_window *window, const tsr_ir_expr *c);
/* Whether coordinate c of the mode, which is not below the first one of the window, is not between two steps. */
const tsr_ir_expr *merge_is_on_step(merge_state *s, const tsr_mode_window *window, const tsr_ir_expr *c);
/* Declare variable v as the coordinate at q. Where the walk has a window, the coordinate is one of the window, and ifs are
 * opened for children in it; their number is added to *nblocks. */
const tsr_ir_expr *merge_visit(merge_state *s, const merge_clip *w, const tsr_ir_expr *q, int v,
                               int *nblocks);
/* Whether the term's last loop may visit children between two steps of a window, too: their contribution to the dense result
 * is the neutral value, which changes no bit. */
bool merge_may_mask(const merge_state *s, const tsr_plan_term *term);
/* Whether it should: the steps are so short that a branch for each child would often be mispredicted. */
bool merge_masks(const merge_clip *w);
/* Emit, before such a loop, the array that it needs. */
void merge_begin_masked(merge_state *s);
/* As merge_visit for such a loop, without ifs: sets s->window.on; the coordinate of a child that does not count is 0. */
const tsr_ir_expr *merge_visit_masked(merge_state *s, const merge_clip *w, const tsr_ir_expr *q, int v);
/* Advance the variable q to a child that is not before the window or between two steps; at most to `end`. The walk has a
 * window. */
void merge_skip(merge_state *s, const merge_clip *w, const tsr_ir_expr *q, const tsr_ir_expr *end);

/* A compressed level that a loop walks. */
typedef struct merge_walked {
    int number;                 /* of the access */
    const tsr_ir_expr *q, *end; /* the current child of the parent's position, and the end of the children */
    const tsr_ir_expr *crd;     /* the coordinate at q; union: the variable's size where q is `end` */
    merge_clip clip;            /* the crd array of the level, and the window */
} merge_walked;

/* ---- lower_merge_loops.c, for walks ---- */

/* The name of a variable for the access's next level: before, the view, the level's number, after. */
void merge_level_name(char *buf, size_t n, const merge_state *s, const char *before, int a,
                      const char *after);
/* Open the next level of the access at a position. */
void merge_enter(merge_state *s, int a, const tsr_ir_expr *pos);
/* Declare q and end of the walks over the next levels of n accesses, of[0].number...: in the thread's share; clips: in the
 * windows, too. */
void merge_start_rows(merge_state *s, merge_walked *of, int n, bool clips);

/* ---- lower_row.c ---- */

/* Emit statements before the loops of a thread: the arrays that measured rows need. */
void merge_begin_rows(merge_state *s);
/* Where the whole result has a workspace (rows.meets): mark the contributions of each share in the share's copy of it. */
void merge_collect(merge_state *s);
/* Add the copies up over a piece of the result, and append its entries. */
void merge_take_met(merge_state *s);
/* Emit a row: inside the outer loops. */
void merge_row(merge_state *s);
/* Append the marked elements of the workspace with these keys, and clear them, or all with these keys. */
void merge_take_marked(merge_state *s, tsr_ir_range keys, bool clears_all);
/* Begin and end a row with few contributions (MERGE_ROW_FEW), for which room has been reserved. */
void merge_begin_few(merge_state *s);
void merge_end_few(merge_state *s);
/* Emit the measuring of a row. */
void merge_measure_row(merge_state *s);
/* Whether rows are measured before they are computed. */
bool merge_measures(const merge_state *s);
/* The row has up to n more contributions, with coordinates in [lo, hi). */
void merge_measure(merge_state *s, const tsr_ir_expr *n, const tsr_ir_expr *lo, const tsr_ir_expr *hi);
/* The value x that changes no sum: x + y = y for all y, bit for bit. */
const tsr_ir_expr *merge_neutral(merge_state *s);
/* Whether there is one. */
bool merge_has_neutral(const merge_state *s);
/* Emit the contribution x at coordinate `key` to a row that is marked or has few contributions. */
void merge_add_to_row(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *x);

/* ---- lower_row_ending.c ---- */

/* Emit the loops plan->var[k..nouter), the terms inside them, and the ending of each row. */
void merge_outer(merge_state *s, int k);
/* Whether long rows with many entries are ended in parts. */
bool merge_ends_parts(const merge_state *s);
/* Emit such a row, which was measured, in an if; other rows follow, in the else. */
void merge_end_in_parts(merge_state *s);
/* About how many entries the result has, of n that are not left out; NULL: n is NULL. */
const tsr_ir_expr *merge_about(merge_state *s, const tsr_ir_expr *n);

/* ---- lower_row_any_order.c ---- */

/* Allocate the table of all threads, n elements. */
void merge_new_numbers(merge_state *s, const tsr_ir_expr *n);
/* Emit statements before the loops of a thread. */
void merge_begin_numbers(merge_state *s);
/* Emit a row whose entries may be in any order. */
void merge_any_order_row(merge_state *s);
/* Emit the contribution x at coordinate `key` to such a row. */
void merge_add_to_any_order(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *x);

/* ---- lower_row_unite.c ---- */

/* Allocate, in the body, the rows in which a sum of three or more rows is collected, if the result is such a sum. */
void merge_new_united(merge_state *s, bool threaded);
/* Emit the sum of rows, one of each term that the plan names, into level k, the last one. */
void merge_sum_rows(merge_state *s, int k);
/* Emit the product of the two rows of the only term into level k, the last one. */
void merge_intersect_rows(merge_state *s, int k);
/* For a measured row: open an if for rows whose coordinates are in a narrow range, and append the row to level k there (or
 * compare it with the row that is there): the product that the plan names. */
void merge_multiply(merge_state *s, int k);
/* Whether it does so for rows in any range, with the workspace: then there is no other way, and no if. */
bool merge_multiplies_whole(const merge_state *s);
/* Emit, before the loops of the threads, the test that sets s->row.rises. */
void merge_find_rises(merge_state *s, bool threaded);
/* Whether the matrix of such products has rows in any order. */
bool merge_matrix_is_unordered(const merge_state *s);

/* ---- lower_row_keys.c ---- */

/* Emit a pass that measures all rows, and declare s->row.longest. */
void merge_gauge(merge_state *s, bool threaded);
/* Allocate the hash table or the list of all threads. */
void merge_new_keys(merge_state *s);
/* Emit a row with a hash table or a list. */
void merge_keys_row(merge_state *s);
/* Emit the contribution x at coordinate `key` to such a row; x is NULL where entries are counted. */
void merge_add_to_keys(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *x);

/* ---- lower_sink_values.c ---- */

/* Emit the program that computes the values of a result whose levels are there. */
void merge_emit_values(merge_state *s);
/* Instead of appending an entry (value is NULL: a coordinate) to level k: compare the next coordinate of the level, and
 * store the value. */
void merge_meet(merge_state *s, int k, const tsr_ir_expr *crd, const tsr_ir_expr *value);
/* Notice a difference where the position at `parent` of level k is not the number of entries so far. */
void merge_meet_position(merge_state *s, int k, const tsr_ir_expr *parent);
/* Emit a row with a workspace. */
void merge_values_row(merge_state *s);
/* Emit the contribution x at coordinate `key` to such a row. */
void merge_add_to_placed(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *x);
void merge_add_to_followed(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *x);
/* Compare and store a row of n entries, from element `from` of both arrays on, as the entries of the last level from its
 * cursor on. */
void merge_meet_row(merge_state *s, const tsr_ir_array *crd, const tsr_ir_array *values,
                    const tsr_ir_expr *from, const tsr_ir_expr *n);

/* ---- lower_merge_locate.c ---- */

/* The elements of the table for all threads, of a list whose positions have that number of bytes. */
const tsr_ir_array *merge_new_table(merge_state *s, const tsr_ir_expr *span, int pos_nbytes, bool threaded);
/* Declare the positions of the row, from pos[parent] on; `none` at both ends unless all of `has` holds, which ends with NULL. */
void merge_find_row(merge_state *s, merge_table *table, const tsr_ir_array *pos, const tsr_ir_expr *parent,
                    const tsr_ir_expr *none, const tsr_ir_expr *const *has);
/* Open the loop over the positions of the row, and write them into the table; returns the position. */
const tsr_ir_expr *merge_write_table(merge_state *s, const merge_table *table, const tsr_ir_array *crd);
/* Whether the row has the coordinate; *found: 1 + its position. */
const tsr_ir_expr *merge_look_up(merge_state *s, const merge_table *table, const tsr_ir_expr *coordinate,
                                 const tsr_ir_expr **found);

/* The access of the term that loop k locates instead of walking; -1: loop k locates no access. */
int merge_located(const merge_state *s, const tsr_plan_term *term, int k);
/* Allocate the tables of all terms, in the body. */
void merge_new_places(merge_state *s, bool threaded);
/* Before the loop around loop k: write the table, if loop k locates an access. */
void merge_mark(merge_state *s, const tsr_plan_term *term, int k);
/* Inside loop k: open an if for coordinates that the located access has, and enter this access. */
void merge_locate(merge_state *s, const tsr_plan_term *term, int k, int *nblocks);
/* Inside loop k: open an if for coordinates that none of the complements stores whose levels are all open now. */
void merge_skip_masked(merge_state *s, const tsr_plan_term *term, int k, int *nblocks);

/* ---- lower_merge_sink.c ---- */

/* The value of expression e, in a factor of the term, at the coordinates of the open loops. */
const tsr_ir_expr *merge_value(merge_state *s, const tsr_plan_term *term, const tsr_expr *e);
/* The product of the term's factors without factor number `without` (-1: of all), in the order of the text; NULL: there is no
 * other factor, and no minus. */
const tsr_ir_expr *merge_product(merge_state *s, const tsr_plan_term *term, int without);
/* The same of all factors, where the zeros of blocks are absent: 0 where one of them is 0. */
const tsr_ir_expr *merge_block_product(merge_state *s, const tsr_plan_term *term);
/* Add x to the element of the dense result at the coordinates of the open loops. */
void merge_add_to_dense(merge_state *s, const tsr_ir_expr *x);
/* The element of the workspace for the coordinates of the open loops. */
const tsr_ir_expr *merge_workspace_key(merge_state *s);
/* Emit the innermost body of the term: add the product of its factors to the sink. */
void merge_contribute(merge_state *s, const tsr_plan_term *term);
/* Emit the beginning and the end of a row: inside the outer loops, before and after the terms. */
void merge_begin_row(merge_state *s);
void merge_end_row(merge_state *s);
/* Element `key` of the thread's part of the workspace. */
const tsr_ir_expr *merge_in_part(merge_state *s, const tsr_ir_expr *key);
/* Reserve room for n more entries of level k, and for n values if k is the last level. */
void merge_reserve(merge_state *s, int k, const tsr_ir_expr *n);
/* Open an if for the first contribution to the workspace's element `at` in a row: mark[at] is 0. Then the contribution
 * x sets the element, otherwise x is added to it; x is NULL where entries are counted. */
void merge_if_first(merge_state *s, const tsr_ir_array *mark, const tsr_ir_expr *at, const tsr_ir_expr *x);
/* Mark the workspace's element `at`, and list its key. */
void merge_list_key(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *at);
/* Append entries of a row in the order of their keys: declare the state before the loop; then each entry. Room has been
 * reserved in the last level. */
void merge_begin_taking(merge_state *s);
void merge_append_key(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *value);
/* Append an entry of the last level; room has been reserved. With one term (second is NULL) the entry has
 * the value of this term. With two terms at coordinates crd[0] and crd[1] it has the value at the smaller
 * coordinate, and the sum of both values where the coordinates are equal. */
void merge_append_sum(merge_state *s, const tsr_plan_term *first, const tsr_plan_term *second,
                      const tsr_ir_expr *const *crd);
/* Inside outer loop k: what merge_append_outer takes as `before`. */
const tsr_ir_expr *merge_enter_outer(merge_state *s, int k);
/* Append the elements of the workspace whose s->work.nlisted keys are in the list from its element `from` on. */
void merge_append_listed(merge_state *s, const tsr_ir_expr *from);
/* Append the coordinate of outer level k where the level below got entries since it had `before` of them. */
void merge_append_outer(merge_state *s, int k, const tsr_ir_expr *before);

/* ---- lower_cut.c ---- */

/* Declare the ranges that s->share.part has of the loops of a nest that walks; NULL: of the first loop of loops that merge. */
lower_share merge_cut(merge_state *s, const tsr_plan_share *share, const tsr_nest *nest);
/* Reset the state of the loops that merge, for a pass over s->share.part; share NULL: over all. */
void merge_start_share(merge_state *s, const tsr_plan_share *share);
/* Make n pieces, and open the loop over those that a thread takes. */
void merge_new_pieces(merge_state *s, const tsr_ir_expr *n);
void merge_open_pieces(merge_state *s);
/* If the rows of the result are sums of rows of an operand (Gustavson's product), count the products of each
 * row and store the sums in s->share.products. */
void merge_count_products(merge_state *s, bool threaded);
#endif
