/* What the files of lower share: the iteration graph, and a program under construction.
 *
 * The graph says for each additive term what is walked and what is known where. Its driver is walked level by
 * level; depth d means that the driver's first d levels are open (0: none of them). The variables that the
 * driver does not bind are its dense variables; loops over them stand inside. A later kind of term that walks
 * several sparse operands at once gets a row of drivers; all that is said by depths stays. */
#ifndef LOWER_INTERNAL_H
#define LOWER_INTERNAL_H

#include "tsr_arena.h"
#include "tsr_level_walk.h"
#include "tsr_lower.h"

enum {
    LOWER_LITERAL = 64,       /* sizes up to this are written into the program */
    LOWER_LOCAL = 2048,       /* elements of a local array */
    LOWER_PREFETCH = 16,      /* positions ahead, at least */
    LOWER_PREFETCH_LINES = 8, /* of 64 bytes, of one row */
    LOWER_SHARES = 64,        /* positions per thread that make a cut fair */
    /* What local arrays reach over: axes. Dense variables by their number, then deferred levels by theirs. */
    LOWER_LEVEL_AXIS = TSR_NOTATION_MAX_VARS,
    LOWER_MAX_AXES = TSR_NOTATION_MAX_VARS + TSR_MAX_LEVELS
};

/* One factor of a term. */
typedef struct lower_factor {
    const tsr_expr *expr;    /* an access, a number or a sum */
    bool inverse, is_driver; /* is_driver: the stored value that is walked past */
    uint32_t dense;          /* its variables that the driver does not bind */
    int depth;               /* where it becomes known */
    int at;                  /* where it is multiplied, >= depth */
} lower_factor;

/* One mode of the driver. */
typedef struct lower_mode {
    int var;
    int depth;       /* where its coordinate becomes known */
    uint32_t levels; /* those that it depends on */
    bool binds;      /* else the variable is known by then, and must agree */
    bool steps;      /* the deepest of them is dense, and one more there is one more here */
    bool low, high;  /* the coordinate may be below 0, or beyond the dim, in padding */
    int clips;       /* the dense level whose loop leaves that padding out, -1: it is skipped by an if */
} lower_mode;

/* One level of the driver. */
typedef struct lower_level {
    int mode;        /* the mode whose coordinate the level's is, or -1 */
    uint32_t vars;   /* the variables that its coordinate depends on */
    uint32_t modes;  /* the same as modes of the driver */
    int check_depth; /* where the coordinates known by then must lead back to this level's; -1: they do */
} lower_level;

typedef struct lower_term {
    const tsr_term *term;
    int driver;             /* tensor, or -1: there is none, all variables are dense */
    const tsr_expr *access; /* of the driver */
    int nlevels;            /* of the driver */
    lower_level level[TSR_MAX_LEVELS];
    lower_mode mode[TSR_MAX_ORDER];
    int known[TSR_NOTATION_MAX_VARS]; /* depth where the driver binds the variable; -1: it does not */
    int nfactors;
    lower_factor *factor;
    uint32_t dense;                       /* dense variables of the term and of the result */
    uint32_t sum;                         /* those of them that are summed */
    int sum_depth[TSR_NOTATION_MAX_VARS]; /* where a summed dense variable's loop is */
    uint64_t carried[TSR_MAX_LEVELS + 1]; /* by depth: axes of what is summed up below it */
    int out;   /* depth where the result's place is known, but for the coordinates of deferred levels */
    int store; /* depth where it is added to, >= out */
    uint32_t deferred; /* levels from `store` on, dense and short: sums over what is below `store` have an
                          element for each of their coordinates */
    int whole;         /* cuts are at depths up to this: below it threads would have a part of a sum each, and
                          multiply its elements by what may not be finite */
    int shared;        /* levels of the driver that the result has, too, and whose positions it uses */
    int distinct;      /* positions at depths up to this stand for different elements of the result */
    bool empty;        /* a variable of it, or of the result, has size 0: there is nothing to add */
    bool divides;      /* some factor is inverse */
    bool skips_zeros;  /* the driver's values of 0 are absent */
    bool once;         /* each element of the result is stored at most once */
    bool covers;       /* each is stored */
    int norder;        /* axes in the order of their loops at `store`, outermost first */
    int order[LOWER_MAX_AXES];
    /* how threads share it: */
    tsr_sharing sharing; /* not AUTO */
    int nshares;         /* into which work is cut; 0: as many as threads, told at run time */
    int cut;             /* depth whose positions are cut; 0: the loop over cut_var is */
    int64_t cut_key;     /* > 0: only where the first level's coordinate floordiv cut_key changes */
    int cut_var;         /* -1: none */
} lower_term;

typedef struct lower_graph {
    const tsr_notation *notation;
    const tsr_lower_operand *operands;
    const uint64_t *size;
    tsr_schedule schedule; /* with what was chosen */
    int nthreads;          /* that the plan counts with */
    tsr_type type;         /* of all arithmetic: the result's */
    bool is_integer;
    uint64_t npositions; /* of the result; where it shares levels with an operand, 0 */
    uint32_t literal;    /* variables whose size is a literal */
    int pattern_tensor;  /* the tensor whose levels the result has, or -1 */
    int pattern_nlevels;
    const tsr_plan *plan; /* NULL: driver nests, and then: */
    int nterms;
    lower_term *term; /* in the order of running */
    tsr_terms *terms;
    tsr_arena arena;
} lower_graph;

static inline bool lower_has(uint64_t axes, int v)
{
    return axes >> v & 1;
}

/* ---- graph.c ---- */

tsr_status lower_graph_init(lower_graph *graph, const tsr_notation *notation,
                            const tsr_lower_operand *operands, const uint64_t *size,
                            const tsr_schedule *schedule, int nthreads, tsr_error *err) TSR_NODISCARD;
void lower_graph_clear(lower_graph *graph);
/* Whether the variable stands on the left. */
static inline bool lower_is_free(const lower_graph *graph, int var)
{
    return var < graph->notation->nfree;
}

/* Numbers and operands have values of the result's type. */
tsr_status lower_check_types(const lower_graph *graph, tsr_error *err) TSR_NODISCARD;

/* ---- graph_driver.c ---- */

/* Fill in levels, modes and known of a term whose driver and access are set. */
tsr_status lower_term_driver(const lower_graph *graph, lower_term *term, tsr_error *err) TSR_NODISCARD;

/* ---- graph_order.c ---- */

/* Put the n variables `order` into the order of their loops. */
void lower_order_loops(const lower_graph *graph, const lower_term *term, int *order, int n);

/* ---- graph_share.c ---- */

/* Choose how threads share each term. */
tsr_status lower_choose_sharing(lower_graph *graph, tsr_error *err) TSR_NODISCARD;

/* ---- lower_params.c: parameters ---- */

typedef struct lower_param {
    tsr_param param;
    const tsr_ir_expr *expr; /* one of the two */
    const tsr_ir_array *array;
} lower_param;

typedef struct lower_program {
    const lower_graph *graph;
    tsr_ir_builder *ir;
    lower_param *param; /* nparams */
    int nparams, capacity;
    bool prefetches; /* something */
    bool failed;     /* out of memory */
} lower_program;

const tsr_ir_expr *lower_index_param(lower_program *p, tsr_param_role role, int tensor, int level, int var);
const tsr_ir_array *lower_array_param(lower_program *p, tsr_param_role role, int tensor, int level);
/* The size of a variable: a literal or a parameter. */
const tsr_ir_expr *lower_size(lower_program *p, int var);
/* Size and pitch of a level; var: the variable that the level is, or -1. */
const tsr_ir_expr *lower_level_size(lower_program *p, int tensor, int level, int var);
const tsr_ir_expr *lower_level_pitch(lower_program *p, int tensor, int level, int var);
/* Start again with a new builder: the parameters that the last one used, in the order of the signature. */
void lower_declare_params(lower_program *p, tsr_ir_builder *ir);

/* ---- lower_place.c: coordinates and positions ---- */

/* Result r of a map at the given points. */
const tsr_ir_expr *lower_map_result(lower_program *p, const tsr_map *map, int r,
                                    const tsr_ir_expr *const *vars);
/* The position of an access, from level `from` on, below position `parent` of the level above; all these
 * levels are dense. at: expressions of the variables. */
const tsr_ir_expr *lower_place(lower_program *p, const tsr_expr *access, int from, const tsr_ir_expr *parent,
                               const tsr_ir_expr *const *at);
/* All positions of a tensor's levels [from, nlevels), all dense, below n positions. */
const tsr_ir_expr *lower_npositions(lower_program *p, const tsr_expr *access, int from, const tsr_ir_expr *n);
/* A level of the driver as the level types take it, and what holds its names. */
typedef struct lower_walk {
    tsr_level_walk walk;
    char crd[256], pos[256];
} lower_walk;
/* Level l, without a parent yet. */
void lower_walk_init(lower_walk *w, lower_program *p, const lower_term *term, int l);
/* The first position at depth `to` below position q of depth `from`. */
const tsr_ir_expr *lower_first(lower_program *p, const lower_term *term, int from, int to,
                               const tsr_ir_expr *q);
/* Whether each position at depth `from` has equally many at depth `to`. */
bool lower_is_uniform(const lower_graph *graph, const lower_term *term, int from, int to);

/* ---- lower_term.c ---- */

/* Where a term's loops put the elements of the result. */
typedef struct lower_sink {
    const tsr_ir_array *array; /* the result's values, or the threads' copies of them */
    const tsr_ir_expr *offset; /* of the thread's copy; NULL: none */
    bool atomic;
    bool add; /* else elements are set */
} lower_sink;

/* A thread's share of a term. */
typedef struct lower_share {
    const tsr_ir_expr *lo[TSR_MAX_LEVELS + 1]; /* by depth 1..cut: positions [lo, hi); NULL: all */
    const tsr_ir_expr *hi[TSR_MAX_LEVELS + 1];
    const tsr_ir_expr *var_lo, *var_hi; /* of the term's cut_var; NULL: all */
} lower_share;

void lower_emit_term(lower_program *p, const lower_term *term, const lower_sink *sink,
                     const lower_share *share);

/* ---- lower_prefetch.c ---- */

/* How many positions of the last level ahead rows are fetched, half as many of others: so many that 128 lines
 * are under way. SDDMM on 8 M entries, factors of 128 MB and more: of 16 columns 72 ms at a distance of 16,
 * 34 at 64; of 32 columns 92 at 16, 68 to 73 at 32; of 64 columns 140 to 155 at 16, 142 to 169 at 32. MTTKRP,
 * its factors in the second and third cache: of rank 16 4.0 ms at 16, 4.2 at 32, 4.4 at 64; of rank 32 9.3 at
 * 16, 10.7 at 64. Sizes of tensors do not matter: built-in kernels serve all. */
int lower_prefetch_distance(const lower_graph *graph);

/* ---- lower_share.c ---- */

/* Emit the whole body: setting to zero, each term over its threads, adding up copies. */
void lower_emit(lower_program *p);

/* ---- lower_merge.c ---- */

/* The same for a plan. */
void merge_emit(lower_program *p, const tsr_plan *plan);

#endif
