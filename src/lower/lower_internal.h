/* Declarations shared by the files of lower: the iteration graph, and a program under construction.
 *
 * For each additive term the graph describes which tensor is walked and which coordinates are known at which
 * depth. The driver of a term is walked level by level; depth d means that the first d levels of the driver
 * are open (0: none of them). Variables that the driver does not bind are the dense variables of the term;
 * the loops over them are inside the driver's loops. */
#ifndef LOWER_INTERNAL_H
#define LOWER_INTERNAL_H

#include "tsr_arena.h"
#include "tsr_level_walk.h"
#include "tsr_lower.h"

enum {
    LOWER_LITERAL = 64,       /* sizes up to this one become literals in the program */
    LOWER_LOCAL = 2048,       /* elements of a local array */
    LOWER_PREFETCH = 16,      /* positions ahead, at least */
    LOWER_STREAM = 128,       /* positions ahead in lists that are read in order */
    LOWER_GROUP = 8,          /* entries of a group */
    LOWER_LANES_NBYTES = 64,  /* bytes of the sums of a list, unless the schedule says them */
    LOWER_PREFETCH_LINES = 8, /* lines of 64 bytes of one row that are fetched, at most */
    LOWER_SHARES = 64,        /* positions per thread that are enough for an even cut */
    /* Coordinates of a window: 16 kB of doubles of the result, and as much of an operand. */
    LOWER_WINDOW = 2048,
    LOWER_TILE = 512,     /* elements of the result in a window where each coordinate has a row of them, */
    LOWER_TILE_ROWS = 16, /* and coordinates, at least */
    /* The axes of local arrays: dense variables by number, then LOWER_LEVEL_AXIS + l for deferred level
     * l. */
    LOWER_LEVEL_AXIS = TSR_NOTATION_MAX_VARS,
    LOWER_MAX_AXES = TSR_NOTATION_MAX_VARS + TSR_MAX_LEVELS
};

/* One factor of a term. */
typedef struct lower_factor {
    const tsr_expr *expr; /* an access, a number or a sum */
    bool inverse;         /* the term is divided by it */
    bool is_driver;       /* it is the value at the driver's position */
    uint32_t dense;       /* bit v: variable v of the factor is not bound by the driver */
    int depth;            /* where its value becomes known */
    int at;               /* where it is multiplied, >= depth */
} lower_factor;

/* One mode of the driver. */
typedef struct lower_mode {
    int var;
    int depth;       /* where its coordinate becomes known */
    uint32_t levels; /* bit l: the coordinate depends on level l */
    bool binds;      /* false: the variable is known before, and the coordinates must be equal */
    bool
        steps; /* the deepest of these levels is dense or an interval, and one step there is one step of the mode */
    bool low, high; /* in padding the coordinate may be below 0, or beyond the dim */
    int clips;      /* the dense level whose loop bounds exclude that padding; -1: an if skips it */
} lower_mode;

/* One level of the driver. */
typedef struct lower_level {
    int mode;       /* the mode whose coordinate is the level's coordinate; -1: none */
    uint32_t vars;  /* bit v: the coordinate depends on variable v */
    uint32_t modes; /* bit m: the coordinate depends on mode m of the driver */
    int check_depth; /* depth where the program checks that the known coordinates map to this level's coordinate;
                        -1: they always do */
} lower_level;

/* The special loops of a term (special.def) besides runs and windows. */
typedef struct lower_special {
    uint32_t pairs;  /* bit l: two positions of level l at a time */
    uint32_t groups; /* bit d: the entries below depth d LOWER_GROUP at a time, with prefetches */
    uint32_t lanes;  /* bit d: the entries of a list below depth d are added up in several sums */
    uint64_t slots;  /* rows side by side; 0: one after the other */
    uint64_t fetched[TSR_MAX_LEVELS + 1]; /* by depth, bit i: the row of factor i is prefetched */
    uint64_t fetches_result;              /* bit d: the row of the result is prefetched at depth d */
    uint32_t streams; /* bit l: the lists of the levels from l on, and the values, are prefetched */
} lower_special;

/* One additive term: a nest of loops. */
typedef struct lower_term {
    const tsr_term *term;
    int driver;             /* tensor number; -1: the term does not have a driver, all variables are dense */
    const tsr_expr *access; /* of the driver */
    int nlevels;            /* of the driver */
    lower_level level[TSR_MAX_LEVELS];
    lower_mode mode[TSR_MAX_ORDER];
    int known[TSR_NOTATION_MAX_VARS]; /* depth where the driver binds the variable; -1: a dense variable */
    int nfactors;
    lower_factor *factor;
    uint32_t dense;                       /* dense variables of the term and of the result */
    uint32_t sum;                         /* the dense variables that are summed */
    int sum_depth[TSR_NOTATION_MAX_VARS]; /* depth of the loop over a summed dense variable */
    uint64_t carried[TSR_MAX_LEVELS + 1]; /* by depth: axes of the sum that is computed below this depth */
    int out;   /* depth where the place in the result is known, except for coordinates of deferred levels */
    int store; /* depth where the result is added to, >= out */
    int run; /* = store: positions of this depth that follow each other with the same coordinate are added up before; 0: no */
    uint32_t deferred; /* bit l: level l, at or below `store`, dense and short: sums below `store` have an
                        * element for each of its coordinates */
    int whole;         /* the deepest depth at which work may be split: deeper, a partial sum of 0 could be
                          multiplied by Inf or NaN */
    int shared;        /* outer levels of the driver that the result shares: it uses their positions */
    int distinct; /* different positions at depths up to this belong to different elements of the result */
    bool empty;   /* a variable of the term or of the result has size 0: the term adds nothing */
    bool divides; /* some factor is inverse */
    bool skips_zeros; /* a stored 0 of the driver counts as absent */
    bool once;        /* each element of the result is stored at most once */
    bool covers;      /* every element of the result is stored */
    int norder;       /* axes in the order of their loops at `store`, outermost first */
    int order[LOWER_MAX_AXES];
    /* how threads share the term: */
    tsr_sharing sharing; /* not AUTO */
    int nshares;         /* shares of the work; 0: the number of threads at run time */
    int cut;         /* the positions of this depth are cut into shares; 0: the loop over cut_var is cut */
    int64_t cut_key; /* > 0: cut only where (first level's coordinate floordiv cut_key) changes */
    int cut_var;     /* -1: none */
    /* The last level, a dense one, is walked in windows of its coordinates, which are those of the result: all
     * positions above are walked for a window, so that its part of the result stays in the first cache, and threads
     * take different windows. 0: it is not. */
    int window;
    uint64_t window_size; /* coordinates of a window */
    bool cuts_windows;    /* the coordinates of the windows are cut into shares */
    /* Threads share the coordinates of this level, which is dense or a list: each thread walks all positions of the
     * level above, which are few, and below each of them its own range of coordinates. 0: threads share no level in
     * this way. */
    int across;
    lower_special special;
} lower_term;

typedef struct lower_graph {
    const tsr_notation *notation;
    const tsr_lower_operand *operands; /* notation->ntensors, the result first */
    const uint64_t *size;              /* of each variable */
    tsr_schedule schedule;             /* as given, completed by the choices made */
    bool signed_index;                 /* of tsr_lower_options */
    tsr_tuning tuning;                 /* complete */
    int nthreads;                      /* number of threads that the schedule is chosen for, >= 1 */
    tsr_type type;                     /* of all arithmetic: the type of the result */
    bool is_integer;                   /* of `type` */
    uint64_t stand_in;                 /* a size that stands for an unknown one; 0: none */
    uint64_t npositions;               /* of the result; 0 where it shares levels with an operand */
    uint32_t literal;                  /* bit v: the size of variable v is a literal */
    int pattern_tensor;                /* the operand whose outer levels the result shares, or -1 */
    int pattern_nlevels;               /* number of these levels */
    const tsr_plan *plan;              /* borrowed */
    bool values_only;                  /* of tsr_lower_options */
    /* of a plan that walks: */
    int nterms;
    lower_term *term; /* in the order of running */
    tsr_arena arena;
} lower_graph;

static inline bool lower_has(uint64_t axes, int v)
{
    return axes >> v & 1;
}

/* The mode of the driver that binds variable v, or -1. */
static inline int lower_binding_mode(const lower_term *term, int v)
{
    for (int m = 0; m < term->access->nindices; m++)
        if (term->mode[m].binds && term->mode[m].var == v)
            return m;
    return -1;
}

/* Whether threads share the term. */
static inline bool lower_is_threaded(const lower_term *term)
{
    return term->cut > 0 || term->cut_var >= 0 || term->cuts_windows || term->across > 0;
}

/* ---- schedule.c ---- */

/* Leave the special loops out. */
void tsr_schedule_leave_out(tsr_schedule *schedule, tsr_special special);

/* ---- graph.c ---- */

/* Make the graph; of a plan that walks also that of all terms, and choose how threads share them. The graph borrows the plan
 * and the operands. On failure, too, lower_graph_clear frees it. TSR_UNSUPPORTED: a term, format or schedule item that
 * cannot be lowered. TSR_LIMIT, TSR_ARGUMENT, TSR_NOMEM. */
tsr_status lower_graph_init(lower_graph *graph, const tsr_plan *plan, const tsr_lower_operand *operands,
                            const tsr_lower_options *options, tsr_error *err) TSR_NODISCARD;
void lower_graph_clear(lower_graph *graph);
/* Whether the variable stands on the left. */
static inline bool lower_is_free(const lower_graph *graph, int var)
{
    return var < graph->notation->nfree;
}

/* ---- graph_driver.c ---- */

/* Fill in levels, modes and known of a term whose driver and access are set. */
tsr_status lower_term_driver(const lower_graph *graph, lower_term *term, tsr_error *err) TSR_NODISCARD;

/* ---- graph_special.c ---- */

/* Whether positions of depth `out` that follow each other with the same coordinate are added up before they are added to the
 * result. */
bool lower_has_runs(const lower_graph *graph, const lower_term *term);
/* Whether the loops below depth d may skip entries: zeros, unequal coordinates of one variable, padding. */
bool lower_leaves_out(const lower_graph *graph, const lower_term *term, int d);
/* Whether an operand without indices is a factor. */
bool lower_has_scalars(const lower_term *term);
/* Set `special` of all terms, whose shares are chosen. */
void lower_choose_specials(lower_graph *graph);

/* ---- graph_prefetch.c ---- */

/* Set the members of `special` about prefetches; groups and slots are set. */
void lower_choose_prefetches(const lower_graph *graph, lower_term *term);
/* The first level l < d such that levels [l, d) have the same positions as depth d and store coordinates; d
 * where there is not such a level. */
int lower_chain_start(const lower_graph *graph, const lower_term *term, int d);
/* The number of cache lines of a row that are fetched; 1 where elements of the row are not consecutive. */
uint64_t lower_row_lines(const lower_graph *graph, const tsr_expr *access, uint32_t dense);
/* Whether the coordinates of the levels from `from` on and the values, which a term reads in order, may be larger than
 * the part of the second cache that is read in time. */
bool lower_is_long_stream(const lower_graph *graph, const lower_term *term, int from);
/* The prefetch distance: rows are fetched this number of positions of the last level ahead, and half of it
 * in other levels. The distance is chosen so that 128 cache lines are under way. Measured: SDDMM on 8 M
 * entries with factors of 128 MB and more: 16 columns 72 ms at distance 16, 34 ms at 64; 32 columns 92 ms at
 * 16, 68 to 73 ms at 32; 64 columns 140 to 155 ms at 16, 142 to 169 ms at 32. MTTKRP with factors in the
 * second and third cache: rank 16 4.0 ms at 16, 4.2 ms at 32, 4.4 ms at 64; rank 32 9.3 ms at 16, 10.7 ms at
 * 64. The sizes of the tensors influence the distance only where the tuning has a smaller number of lines for
 * rows that are in the caches (not by default), since built-in kernels serve tensors of all sizes. */
int lower_prefetch_distance(const lower_graph *graph);
/* The cache lines that are prefetched for each entry of the term. */
uint64_t lower_prefetched_lines(const lower_graph *graph, const lower_term *term);

/* ---- graph_order.c ---- */

/* Sort the n variables `order` into the order of their loops, outermost first. */
void lower_order_loops(const lower_graph *graph, const lower_term *term, int *order, int n);

/* ---- graph_share.c ---- */

/* The number of positions at depth d of the driver; 0: unknown. */
uint64_t lower_known_positions(const lower_graph *graph, const lower_term *term, int d);
/* Choose how threads share each term. */
tsr_status lower_choose_sharing(lower_graph *graph, tsr_error *err) TSR_NODISCARD;

/* ---- lower_params.c: parameters ---- */

typedef struct lower_param {
    tsr_param param;
    const tsr_ir_expr *expr;   /* of an index parameter, else NULL */
    const tsr_ir_array *array; /* of an array parameter, else NULL */
} lower_param;

/* A program under construction. */
typedef struct lower_program {
    const lower_graph *graph;
    tsr_ir_builder *ir;
    lower_param *param; /* nparams */
    int nparams, capacity;
    bool prefetches;     /* the program has a prefetch */
    int lanes;           /* bytes of the sums in which lists are added up; 0: none is */
    bool failed;         /* out of memory */
    const char *refused; /* why the schedule cannot be followed, static text; or NULL */
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

enum { LOWER_MOVES = 8 };
/* The number of variables (at most LOWER_MOVES) whose bits are gathered to give result r: see tsr_bit_move. So
 * coordinates follow from a key that interleaves their bits. 0: the result is computed otherwise; bits that stay
 * side by side are left to division and remainder. */
int lower_gathers(tsr_bit_move *move, const tsr_map *map, int r);
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
/* A level of the driver in the form that level types take, with storage for the names in it. */
typedef struct lower_walk {
    tsr_level_walk walk;
    char crd[256], pos[256];
} lower_walk;
/* Level l, without a parent yet. */
void lower_walk_init(lower_walk *w, lower_program *p, const lower_term *term, int l);
/* The first position at depth `to` below position q of depth `from`. */
const tsr_ir_expr *lower_first(lower_program *p, const lower_term *term, int from, int to,
                               const tsr_ir_expr *q);
/* The work at depth `to` below the positions at depth `from` before q: lower_first, or what levels without it measure. */
const tsr_ir_expr *lower_work_before(lower_program *p, const lower_term *term, int from, int to,
                                     const tsr_ir_expr *q);
/* Whether all positions at depth `from` are taken to have the same work: lower_work_before does not tell more. */
bool lower_is_even(const lower_graph *graph, const lower_term *term, int from, int to);
/* Whether each position at depth `from` has the same number of positions at depth `to`. */
bool lower_is_uniform(const lower_graph *graph, const lower_term *term, int from, int to);

/* ---- lower_term.c ---- */

/* Where a term's loops put the elements of the result. */
typedef struct lower_sink {
    const tsr_ir_array *array; /* the values of the result, or the threads' copies of them */
    const tsr_ir_expr *offset; /* of the thread's copy in the array; NULL: 0 */
    bool atomic;
    bool add;    /* false: elements are set */
    bool clears; /* the term's windows set their parts of the result to 0 first */
} lower_sink;

/* A thread's share of a term. */
typedef struct lower_share {
    const tsr_ir_expr *lo[TSR_MAX_LEVELS + 1]; /* by depth 1..cut: positions [lo, hi); NULL: all */
    const tsr_ir_expr *hi[TSR_MAX_LEVELS + 1];
    const tsr_ir_expr *var_lo, *var_hi; /* of the term's cut_var, of its windows, or of level `across`; NULL:
                                           all */
} lower_share;

/* Emit the loops of the term over the share. */
void lower_emit_term(lower_program *p, const lower_term *term, const lower_sink *sink,
                     const lower_share *share);

/* ---- lower_interval.c ---- */

/* Whether the interval of rows of the result that a share touches is found at little cost. */
bool lower_has_interval(const lower_graph *graph, const lower_term *term);
/* The elements that the threads' copies of the result will touch together, as far as the format tells; else all of each. */
uint64_t lower_copied_elements(const lower_graph *graph, const lower_term *term);
/* Declare the elements of the result that the share touches: none outside [lo, hi), where lo <= hi. */
tsr_ir_range lower_interval(lower_program *p, const lower_term *term, const lower_share *share);

/* ---- lower_share.c ---- */

/* Emit the whole body of a plan that walks: clear the result, run each term over its threads, add up
 * the threads' copies. */
void lower_emit(lower_program *p);
/* The first position of level `across` below position `above` whose coordinate is at least the given one; a search,
 * whose variables begin with the name, where the level is a list. */
const tsr_ir_expr *lower_find_across(lower_program *p, const lower_term *term, const char *name,
                                     const tsr_ir_expr *above, const tsr_ir_expr *coordinate);

/* ---- lower_merge_items.c ---- */

/* Check that a plan that merges can follow the schedule. TSR_UNSUPPORTED, in terms of the statement. */
tsr_status merge_check_schedule(const lower_graph *graph, tsr_error *err) TSR_NODISCARD;

/* ---- lower_merge.c ---- */

/* Emit the whole body of a plan that merges. */
void merge_emit(lower_program *p, const tsr_plan *plan);

#endif
