/* Nests: the loops of the terms. They say which coordinates are known at which depth, where each factor is multiplied and each
 * sum is finished, how the result is added to, how threads share the loops, and which special loops there are; lowering writes
 * what they say.
 *
 * Depth d means that the first d loops are open (0: none of them). The driver of a nest that walks is the operand whose levels
 * its loops walk, one level each. A nest that merges does not have a driver: each of its loops finds the coordinates of one
 * variable, of all sparse operands that have it. Variables that no such loop binds are the dense variables of the term; the loops over
 * them are inside the others. Other sparse operands of a nest with a driver have variables of the driver alone, and levels in which a
 * coordinate is found (tsr_level_walker.find): they are located, in whatever order the loops are. */
#ifndef TSR_NEST_H
#define TSR_NEST_H

#include "tsr_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TSR_NEST_GROUP = 8, /* entries of a group */
    TSR_NEST_NOWHERE = -1,
    TSR_NEST_FETCHES = 40, /* more are left out */
    /* The axes of local arrays: dense variables by number, then TSR_NEST_LEVEL_AXIS + l for deferred level l. */
    TSR_NEST_LEVEL_AXIS = TSR_NOTATION_MAX_VARS,
    TSR_NEST_MAX_AXES = TSR_NOTATION_MAX_VARS + TSR_MAX_LEVELS
};

/* One factor of a term. */
typedef struct tsr_nest_factor {
    const tsr_expr *expr; /* an access, a number or a sum */
    bool inverse;         /* the term is divided by it */
    bool is_driver;       /* it is the value at the driver's position */
    bool
        is_located; /* it is sparse, or a band: it is searched for at `depth`, and the loops skip what it does not store */
    uint32_t dense; /* bit v: variable v of the factor is not bound by the driver */
    int depth;      /* where its value becomes known */
    int at; /* where it is multiplied, >= depth; TSR_NEST_NOWHERE: it only says which entries the loops visit */
} tsr_nest_factor;

/* One mode of the driver. */
typedef struct tsr_nest_mode {
    int var;
    int depth;       /* where its coordinate becomes known */
    uint32_t levels; /* bit l: the coordinate depends on level l */
    bool binds;      /* false: the variable is known before, and the coordinates must be equal */
    bool
        steps; /* the deepest of these levels is dense or an interval, and one step there is one step of the mode */
    bool low, high; /* in padding the coordinate may be below 0, or beyond the dim */
    int clips;      /* the dense level whose loop bounds exclude that padding; -1: an if skips it */
} tsr_nest_mode;

/* One level of the driver. */
typedef struct tsr_nest_level {
    int mode;       /* the mode whose coordinate is the level's coordinate; -1: none */
    uint32_t vars;  /* bit v: the coordinate depends on variable v */
    uint32_t modes; /* bit m: the coordinate depends on mode m of the driver */
    int check_depth; /* depth where the program checks that the known coordinates map to this level's coordinate;
                        -1: they always do */
} tsr_nest_level;

/* Where and how often the result is added to. */
typedef struct tsr_nest_sink {
    int out;   /* depth where the place in the result is known, except for coordinates of deferred levels */
    int store; /* depth where the result is added to, >= out */
    int run; /* = store: positions of this depth that follow each other with the same coordinate are added up before; 0: no */
    uint32_t deferred; /* bit l: level l, at or below `store`, dense and short: sums below `store` have an
                        * element for each of its coordinates */
    int shared;        /* outer levels of the driver that the result shares: it uses their positions */
    int distinct; /* different positions at depths up to this belong to different elements of the result */
    bool once;    /* each element of the result is stored at most once */
    bool covers;  /* every element of the result is stored */
    int norder;   /* axes in the order of their loops at `store`, outermost first */
    int order[TSR_NEST_MAX_AXES];
} tsr_nest_sink;

/* The special loops of a term (special.def) besides runs. */
typedef struct tsr_nest_special {
    /* The last level, a dense one, is walked in windows of its coordinates, which are those of the result: all
     * positions above are walked for a window, so that its part of the result stays in the first cache. 0: it is not. */
    int window;
    uint64_t window_size; /* coordinates of a window */
    uint32_t groups;      /* bit d: the entries below depth d TSR_NEST_GROUP at a time, with prefetches */
    uint32_t lanes;       /* bit d: the entries of a list below depth d are added up in several sums */
    int lanes_nbytes;     /* of these sums */
    uint64_t slots;       /* rows side by side; 0: one after the other */
} tsr_nest_special;

/* Memory that a nest prefetches, plan->walk.ahead[kind] positions ahead: see plan_prefetch.c. All prefetches of a nest have the same kind.
 * Tensors have the numbers of parameters: tsr_plan_operand_of. */
typedef struct tsr_nest_fetch {
    tsr_fetch_kind kind;
    int tensor; /* it is of this tensor */
    int list; /* at places that stored coordinates of this tensor say; -1: in order, the lists of levels `from` and below, and values */
    int from, to; /* the levels [from, to) of `list`, whose positions are the same */
    int nlines;   /* cache lines of a place, at most */
    bool values;  /* SPARSE_ROWS: besides the coordinates */
    bool
        half; /* half as far ahead: in loops that are not the innermost one, and places of the result beside ENTRIES */
    bool once; /* ENTRIES: once before each list */
} tsr_nest_fetch;

/* The nest of one additive term. */
typedef struct tsr_nest {
    const tsr_term *term;
    int driver;             /* tensor number; -1: the term does not have a driver */
    const tsr_expr *access; /* of the driver */
    int nlevels; /* loops: levels of the driver; or the variables of the term's `order` inside the loops around all terms */
    tsr_nest_level level[TSR_MAX_LEVELS];
    tsr_nest_mode mode[TSR_MAX_ORDER];
    int known[TSR_NOTATION_MAX_VARS]; /* depth where the variable is bound; -1: a dense variable */
    int nfactors;
    tsr_nest_factor *factor;
    uint32_t dense;                       /* dense variables of the term and of the result */
    uint32_t sum;                         /* the dense variables that are summed */
    int sum_depth[TSR_NOTATION_MAX_VARS]; /* depth of the loop over a summed dense variable */
    uint64_t carried[TSR_MAX_LEVELS + 1]; /* by depth: axes of the sum that is computed below this depth */
    int whole; /* the deepest depth at which work may be split: deeper, a partial sum of 0 could be
                         multiplied by Inf or NaN */
    bool
        one_product; /* of a term that merges: all factors are multiplied in the innermost loop, and the product goes to the sink */
    bool empty;      /* a variable of the term or of the result has size 0: the term adds nothing */
    bool divides;    /* some factor is inverse */
    bool skips_zeros; /* a stored 0 of the driver counts as absent */
    tsr_nest_sink sink;
    tsr_plan_share
        share; /* where no loops are around all terms; of ROWS the rows and columns of `work` alone */
    tsr_nest_special special;
    int nfetches;
    tsr_nest_fetch fetch[TSR_NEST_FETCHES];
} tsr_nest;

/* ---- what a nest says ---- */

/* The mode of the driver that binds variable v, or -1. */
static inline int tsr_nest_binding_mode(const tsr_nest *nest, int v)
{
    for (int m = 0; m < nest->access->nindices; m++)
        if (nest->mode[m].binds && nest->mode[m].var == v)
            return m;
    return -1;
}

/* How threads share the loops of the term, or those around all terms. */
static inline const tsr_plan_share *tsr_plan_share_of(const tsr_plan *plan, const tsr_plan_term *term)
{
    return plan->nouter > 0 || plan->sink == TSR_PLAN_CELLS ? &plan->share : &term->nest->share;
}

/* The depth whose positions threads share; 0: they share no positions. */
static inline int tsr_nest_cut_depth(const tsr_nest *nest)
{
    return nest->share.cut == TSR_CUT_POSITIONS ? nest->share.level + 1 : 0;
}

/* Whether threads share the coordinates of level l. */
static inline bool tsr_nest_cuts_across(const tsr_nest *nest, int l)
{
    return nest->share.cut == TSR_CUT_ACROSS && nest->share.level == l;
}

/* Whether the factors are multiplied, and divided by, in the innermost loop, in the order of the text. */
static inline bool tsr_nest_keeps_order(const tsr_plan *plan, const tsr_nest *nest)
{
    const char kind = tsr_type_class(plan->walk.operand[0].type);
    return (nest->divides && (kind == 'I' || kind == 'U')) || !plan->ring->distributes ||
           !plan->ring->commutes;
}
/* Whether each product is negated, before it is reduced; else sums of products are, where they are added to the result. */
static inline bool tsr_nest_negates_inside(const tsr_plan *plan, const tsr_nest *nest)
{
    return nest->term->negative && tsr_semiring_is_reduction(plan->ring);
}
/* Whether the loops below depth d may skip entries: zeros, unequal coordinates of one variable, padding. */
bool tsr_nest_leaves_out(const tsr_plan *plan, const tsr_nest *nest, int d);
/* Whether below depth d an operand is located, or the driver has a window: entries are left out. */
bool tsr_nest_filters(const tsr_nest *nest, int d);
/* Whether an operand without indices is a factor. */
bool tsr_nest_has_scalars(const tsr_nest *nest);
/* The number of positions at depth d of the driver; 0: unknown. */
uint64_t tsr_nest_known_positions(const tsr_plan *plan, const tsr_nest *nest, int d);
/* Sort the n variables `order` into the order of their loops, outermost first. */
void tsr_nest_order_loops(const tsr_plan *plan, const tsr_nest *nest, int *order, int n);

#ifdef __cplusplus
}
#endif
#endif
