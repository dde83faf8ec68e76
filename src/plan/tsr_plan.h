/* Plans: the loops that compute an expression, the order of these loops, and the operands that must be converted first. A
 * plan decides; lowering (tsr_lower.h) writes the program.
 *
 * The right side, multiplied out, is a sum of terms; each term is a nest of loops over its variables. The loops walk or
 * merge. They walk where a term has one sparse operand at most, or the others can be searched for (plan_seek.c), and the result is
 * dense, or has the levels of this operand in all terms: the loops go through the levels of the operand, of any kind. All other
 * terms merge:
 *
 * A sparse operand is read level by level, so the loops over its variables must be nested in storage order.
 * Where the storage order of an operand differs from the order of the loops (CSR beside CSC, A beside its
 * transpose), or its format does not have sorted levels (blocks, nonunique levels, maps), the plan reads a
 * copy of the operand in sorted levels; the run converts it first. Where several sparse operands of a term
 * have a variable, the loop over the variable merges them: it visits the coordinates that all of them store.
 * An operand whose levels are all dense is never walked: its values are looked up. A complement (!B) is not walked,
 * either: loops look up whether it stores their coordinates, and skip those that it stores.
 *
 * The values that the terms contribute go to one of three sinks:
 *   - DENSE  the dense result: each value is added to an element;
 *   - ROWS   loops over the first few variables of the result enclose all terms and run over the union of the
 *            terms' coordinates; inside them a workspace (a scalar; or an array over the other variables of
 *            the result, a hash table or a list of their coordinates) collects the contributions; the entries of the
 *            workspace are then appended in order. Threads append pieces of the result to parts of their own, and copy
 *            each piece behind the pieces before it;
 *   - LIST   a list of coordinates and values, which is sorted, summed and packed after the program has run;
 *   - CELLS  in storage coordinates, where all sparse tensors mark their entries among all cells: each cell of the result at once.
 * A coordinate is an entry of the result when a term contributed a value to it, even if the sum is zero.
 *
 * What the writers still decide, as it depends on the program that they have written so far: whether the last level is a row of
 * vectors (is_row of lower_term.c: nothing but a sum in registers or an element of the result may be written in it), and that
 * long dense rows are prefetched; whether the ends of a window are searched for (is_short of lower_merge_loops.c); and how much
 * room is reserved before entries are appended (lower_sink_rows.c), which changes no loop. */
#ifndef TSR_PLAN_H
#define TSR_PLAN_H

#include "tsr_schedule.h"
#include "tsr_tensor.h"
#include "tsr_tuning.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A deterministic program is planned for this number of threads, and makes this number of copies of the
 * result, whatever the number of threads at run time. */
enum { TSR_DETERMINISTIC_NTHREADS = 12 };

enum {
    TSR_PLAN_MAX_VIEWS = 64,
    TSR_PLAN_MAX_ACCESSES = 256,
    TSR_PLAN_MAX_SUMMED = 8,     /* rows that are added to each other without a workspace */
    TSR_PLAN_LITERAL = 64,       /* sizes up to this one become literals in the program */
    TSR_PLAN_LOCAL = 2048,       /* elements of a local array */
    TSR_PLAN_PREFETCH_LINES = 8, /* lines of 64 bytes of one row that are fetched, at most */
    TSR_PLAN_MOVES = 8,
    TSR_PLAN_MAX_COUNTED = 8, /* accesses whose entries in a row are its work */
    TSR_PLAN_LISTED =
        1024 /* contributions to a row that is listed, at most: the list stays in the first cache */
};

/* The levels of a tensor of which a statement in storage coordinates has several as one: coordinates of nonunique levels and of the
 * singleton levels below, which together say where an entry is. The coordinate of such a compound level has the bits of all of
 * them, those of the last one lowest. */
typedef struct tsr_plan_parts {
    uint8_t first[TSR_MAX_LEVELS +
                  1]; /* level l of the statement is the levels [first[l], first[l + 1]) of the tensor */
    uint8_t nbits[TSR_MAX_LEVELS]; /* of each level of the tensor that is part of a compound level */
    bool rootless; /* the first level is a list without positions: all of its coordinates are the root's */
} tsr_plan_parts;

enum { TSR_LONG_LIST = 64 }; /* the elements from which on a list is long: it is added up in lanes */

/* One tensor as it is given, or a copy: the properties that plans and programs depend on. */
typedef struct tsr_plan_operand {
    const tsr_binding *binding; /* format and dims; borrowed */
    uint64_t nstored;           /* entries, for estimates; 0: unknown */
    tsr_type type;
    bool iso;            /* one value for all positions */
    uint8_t copy_nbytes; /* bytes per element of the arrays of a copy in sorted levels */
    /* bytes per element of each array of each level; 0: the level does not have it */
    uint8_t nbytes[TSR_LEVEL_NROLES][TSR_MAX_LEVELS];
    uint64_t pitch[TSR_MAX_LEVELS]; /* of dense levels: positions per parent */
    uint64_t npos[TSR_MAX_LEVELS];  /* positions per level; 0: unknown */
    uint32_t
        long_lists; /* bit l: where numbers of positions are unknown, lists of level l have TSR_LONG_LIST elements or more, on average */
    uint32_t
        short_lists; /* bit l: lists of level l are short, and all of them have many bytes, which are read in order */
} tsr_plan_operand;

/* How the program reads a tensor: as it is given, or a copy in sorted levels. */
typedef struct tsr_plan_view {
    int tensor;              /* its number in the notation */
    tsr_format *copy;        /* owned; the format to convert to; NULL: the tensor is read as it is given */
    int nlevels;             /* levels that are walked */
    int mode[TSR_MAX_ORDER]; /* the mode that each level stores */
    const tsr_level_type *type[TSR_MAX_ORDER]; /* of each level; of a compound level, the first one's */
    bool full[TSR_MAX_ORDER]; /* true: the level is dense, or `marks`; false: a list, unique and ordered */
    const tsr_level_type
        *marks; /* of the last level, whose positions are computed and then looked up in them; NULL: not so */
    bool unordered; /* the list of the last level may be in any order: a loop walks it alone */
    uint8_t pos_nbytes[TSR_MAX_ORDER],
        crd_nbytes[TSR_MAX_ORDER]; /* of each list: bytes per element in a program */
    char name[64];                 /* of the tensor, "B", or of the copy, "B_ji" */
    const char *why;               /* static text: why a copy is needed; NULL without a copy */
} tsr_plan_view;

/* A place where a tensor stands in the expression, read through a view. */
typedef struct tsr_plan_access {
    int view; /* number in plan->view */
    const tsr_expr *expr;
} tsr_plan_access;

/* What the parts of a loop that merges have in equal numbers, if not coordinates: see plan_work.c. */
typedef struct tsr_plan_work {
    int list; /* in storage coordinates: the access whose first level, a list, is cut evenly; -1: there is no such access */
    int nentries,
        entries
            [TSR_PLAN_MAX_COUNTED]; /* else: the accesses whose entries in a row are its work; 0: rows are alike */
    bool products;                  /* the work of a row is its number of products */
    bool
        masked; /* the result has at most the entries of other operands: products are counted for several threads alone */
    int rows,
        columns; /* of a term: its products are those of row i of `rows` and rows of `columns`; -1: it has none */
} tsr_plan_work;

/* The interval of the result's rows that a share touches, and how it is found: see plan_interval.c. */
typedef struct tsr_plan_interval {
    enum {
        TSR_INTERVAL_NONE,
        TSR_INTERVAL_BY_POSITIONS,
        TSR_INTERVAL_BY_CHILDREN,
        TSR_INTERVAL_BY_PARENTS,
        TSR_INTERVAL_BY_KEYS
    } how;
    int var;      /* the variable of the rows; -1: the result does not have rows */
    int level;    /* the level of the driver that determines the row */
    int64_t unit; /* rows for each coordinate of the level */
} tsr_plan_interval;

/* What threads share. */
typedef enum tsr_plan_cut {
    TSR_CUT_NOTHING,   /* one thread runs the loops */
    TSR_CUT_LOOP,      /* the coordinates of the loop over a variable */
    TSR_CUT_POSITIONS, /* the positions of a level of the driver */
    TSR_CUT_ACROSS, /* the coordinates of a level of the driver, dense or a list: each thread walks all positions of the level above,
                     * which are few, and below each of them its own range of coordinates */
    TSR_CUT_WINDOWS /* the coordinates of the windows of a nest (tsr_nest_special) */
} tsr_plan_cut;

/* How threads share loops, and how their parts meet in the result: see plan_share.c. */
typedef struct tsr_plan_share {
    tsr_plan_cut cut;
    int var;     /* LOOP */
    int level;   /* POSITIONS, ACROSS: of the driver, from 0 on */
    int64_t key; /* POSITIONS: > 0: cuts are only where (first level's coordinate floordiv key) changes */
    tsr_sharing sharing;        /* not AUTO; EXCLUSIVE where nothing is cut */
    int nshares;                /* 0: the number of threads at run time */
    tsr_plan_interval interval; /* PRIVATE: a copy is cleared and added up there alone */
    tsr_plan_work work;         /* LOOP: of loops that merge */
} tsr_plan_share;

/* What loops prefetch, and how far ahead they do; the schedule items prefetch, rows and stream. */
typedef enum tsr_fetch_kind {
    TSR_FETCH_ROWS,        /* rows of dense operands and of the result */
    TSR_FETCH_SPARSE_ROWS, /* rows of sparse operands */
    TSR_FETCH_ENTRIES,     /* lists and values that are read in order, and places of the result */
    TSR_NFETCHES
} tsr_fetch_kind;

typedef struct tsr_plan_term {
    const tsr_term *term;
    int naccesses;                        /* sparse factors, without masks that are complements */
    int access[TSR_NOTATION_MAX_FACTORS]; /* numbers in plan->access, each once */
    int nmasks;                           /* complements: !B(i,j) */
    int mask[TSR_NOTATION_MAX_FACTORS];   /* numbers in plan->access; no other list has them */
    int nbands; /* bands among the factors: conditions on the coordinates of a sparse factor */
    uint64_t
        located; /* bit f: factor f is sparse, and located: it is not among the accesses, see tsr_nest_factor */
    int nvars;
    int order[TSR_NOTATION_MAX_VARS]; /* the variables of the term and of the result, outermost loop first */
    bool empty;                       /* one of these variables has size 0 */
    double contributions;             /* estimated: how often the innermost body runs */
    double most_contributions; /* the same where all operands store the same coordinates as far as they can */
    /* loops inside all others, over the variables of blocks; `nvars` does not count them */
    int nblock, block[TSR_NOTATION_MAX_VARS];
    struct tsr_nest *nest; /* its loops inside those around all terms, in the arena; tsr_nest.h */
    /* a term that walks uses these three members, `term` and `nest` alone: */
    bool walks;             /* its loops walk the levels of an operand; else they merge */
    const tsr_expr *walked; /* the operand whose levels the loops walk; NULL: all loops run over ranges */
    int nshared;            /* the result has the first levels of this operand, this number of them */
} tsr_plan_term;

/* The text of a workspace in plans, after its variables; any_order: the entries of a row may be in any order. */
const char *tsr_plan_workspace_text(tsr_plan_workspace workspace, bool any_order);

/* Where contributions go; see the top of this file. */
typedef enum tsr_plan_sink { TSR_PLAN_DENSE, TSR_PLAN_ROWS, TSR_PLAN_LIST, TSR_PLAN_CELLS } tsr_plan_sink;

/* How the rows of a sparse result are computed and assembled; see plan_rows.c. */
typedef struct tsr_plan_rows {
    int mode[TSR_MAX_ORDER]; /* the modes of the result in the order of assembly, outermost first */
    tsr_format *assembled;   /* owned; the format that the program assembles */
    bool unordered;          /* the entries of a row of `assembled` may be in any order */
    int64_t piece; /* entries, about, of the pieces that are joined, where threads make several of them */
    bool two_pass; /* entries are counted first, then stored; else appended to parts that are joined */
    tsr_plan_workspace workspace; /* nouter < nresult; AUTO: what costs less for each row */
    bool is_forced; /* the schedule asks for the workspace, for all rows; else short rows may be listed */
    int nsummed;    /* > 0: a row is the sum of one row of each of these terms, merged without flags */
    int summed[TSR_PLAN_MAX_SUMMED]; /* nsummed numbers of terms; the only term where `intersects` */
    bool
        intersects; /* a row is the product of a row of access 0 and one of access 1 of this term, by one statement */
    bool
        unites; /* two of them are added by one statement; nsummed is 2 unless `unites`; else rows of at most `listed`
                  * entries together are listed and sorted, if `lists` */
    /* rows are measured before they are computed; each is computed in one of these ways, if they are set, else in
     * the workspace: */
    bool measures;
    bool
        marks; /* rows whose contributions range over at most `marked` columns for each of them, or all rows, if
                       `lists` is false and the workspace is of marks, are marked */
    bool lists;     /* rows of at most `listed` contributions are listed */
    int64_t marked; /* > 0 where `marks` */
    int64_t listed; /* > 0 where `lists`, at most `places` */
    int64_t places; /* a listed number is coordinate * places + place of the value; a power of 2 */
    bool wide;      /* listed numbers may have more than 32 bits */
    bool
        meets; /* nouter is 0: each share of the loops has a workspace of its own with marks, and pieces of these are added up */
    bool appends; /* where the result is unordered: the first contribution to a coordinate appends an entry */
    /* rows of few columns, a product of a row of access `row` and access `matrix`, by one statement; where the rows of
     * `matrix` may be in any order, the program tests before whether all of them rise */
    bool multiplies;
    bool is_whole;   /* all rows are computed by this statement, in one of the ways above */
    int row, matrix; /* numbers in plan->access */
} tsr_plan_rows;

/* What a statement in storage coordinates needs besides. */
typedef struct tsr_plan_storage {
    bool is_on; /* the statement is in storage coordinates */
    const tsr_plan_parts
        *parts; /* notation->ntensors, borrowed; NULL: each level is one level of its tensor */
    const tsr_level_type *marks; /* of all sparse tensors, see TSR_PLAN_CELLS; NULL: they have lists */
    uint32_t blocks;             /* bit v: variable v is of blocks; see tsr_plan_request.in_storage */
    int nblock,
        block
            [TSR_MAX_ORDER]; /* ROWS: the last modes of the result, which `nresult` does not count: the variables of blocks */
} tsr_plan_storage;

/* What nests have in common; the pattern is that of a result whose terms all walk. */
typedef struct tsr_plan_nests {
    tsr_plan_operand
        *operand;        /* notation->ntensors, in the arena, the result first; their bindings are borrowed */
    int pattern_tensor;  /* the operand whose outer levels the result has; -1: none */
    int pattern_nlevels; /* the number of these levels */
    bool
        has_zeros; /* cells of the result to which nothing contributes are 0, not what is absent in the semiring; others are set once */
    uint64_t npositions; /* of a dense result */
    int ahead
        [TSR_NFETCHES]; /* positions by which prefetches of each kind are ahead; 0: there are none of this kind */
} tsr_plan_nests;

/* What the plan is chosen for. */
typedef struct tsr_plan_target {
    int nthreads;      /* >= 1; bounds the memory of tables and workspaces */
    tsr_tuning tuning; /* complete */
    uint64_t stand_in; /* a size that stands for an unknown one; 0: none */
    bool open; /* the program is for other sizes, too: those above TSR_PLAN_LITERAL stand for others */
} tsr_plan_target;

typedef struct tsr_plan {
    const tsr_notation *notation; /* borrowed */
    const uint64_t *size;         /* of each variable; borrowed */
    const tsr_semiring *ring;     /* the meaning of + and * */
    tsr_terms *terms;             /* owned; the right side multiplied out */
    tsr_schedule schedule;        /* as asked, completed: blocks of rows of unknown length */
    tsr_plan_target target;
    uint32_t literal; /* bit v: the size of variable v is a literal of the program */
    int nviews;
    tsr_plan_view view[TSR_PLAN_MAX_VIEWS];
    int naccesses; /* different sparse accesses */
    tsr_plan_access access[TSR_PLAN_MAX_ACCESSES];
    int nterms;
    tsr_plan_term *term; /* nterms, in the arena */
    tsr_plan_storage storage;
    const char *why; /* static text: why there are loops that merge; NULL: all terms walk */
    tsr_plan_nests walk;
    tsr_plan_sink sink; /* of terms that walk: DENSE */
    /* ROWS: */
    int nresult;            /* modes of the result */
    int var[TSR_MAX_ORDER]; /* the variables of these modes in the order of assembly, outermost first */
    /* number of loops around all terms: over var[0..nouter); DENSE: 0, or all loops, in which case the terms are added at each
     * point of them and the sum is reduced */
    int nouter;
    tsr_plan_share share; /* of the loops around all terms; CELLS: of the loop over cells */
    int ndense;           /* levels at the start of `assembled` that are dense; the others are compressed */
    tsr_plan_rows rows;
    bool converts; /* the run converts what is assembled to the result's format; LIST: always true */
    struct tsr_arena *arena;
} tsr_plan;

/* The input of a plan; the plan borrows notation, size and the bindings of the operands. */
typedef struct tsr_plan_request {
    const tsr_notation *notation;
    const tsr_plan_operand *operands; /* notation->ntensors, the result first */
    const uint64_t *size;             /* of each variable */
    const tsr_semiring *ring;         /* NULL: plus-times */
    int nthreads;                     /* the plan is chosen for this number; 0: 1 */
    const tsr_schedule *schedule;     /* NULL: automatic */
    /* notation->ntensors formats that the schedule asks operands to be converted to; NULL elements, or NULL: what
     * costs less */
    const tsr_format *const *convert;
    bool assembles; /* no operand has the levels of a sparse result before the run */
    uint64_t
        stand_in; /* variables of this size have a size that is known only at run time, in blocks too; 0: none */
    /* the statement is in storage coordinates, all maps are the identity: dense levels below the last list are blocks, in which
     * a stored zero is absent */
    bool in_storage;
    const tsr_plan_parts *parts; /* see tsr_plan */
    const tsr_tuning *tuning;    /* NULL: the defaults */
    bool open;                   /* see tsr_plan_target */
} tsr_plan_request;

/* Make a plan; free it with tsr_plan_free. TSR_UNSUPPORTED: a minus or a division in a semiring other than
 * plus-times, a result that is too large for that semiring, or a schedule item that cannot be followed. TSR_ARGUMENT: a number
 * that the result type cannot hold. TSR_LIMIT: more than TSR_PLAN_MAX_VIEWS or TSR_PLAN_MAX_ACCESSES, a result of too many
 * positions. TSR_NOMEM. */
tsr_status tsr_plan_new(tsr_plan **out, const tsr_plan_request *request, tsr_error *err) TSR_NODISCARD;
void tsr_plan_free(tsr_plan *plan);
/* Whether all terms walk; a dense result may also have some that walk beside others that merge. */
static inline bool tsr_plan_walks(const tsr_plan *plan)
{
    return !plan->why;
}
static inline bool tsr_plan_has(uint64_t set, int v)
{
    return set >> v & 1;
}
/* Whether one thread runs all loops. */
static inline bool tsr_plan_is_serial(const tsr_plan *plan)
{
    return plan->schedule.serial || plan->target.nthreads == 1;
}
static inline bool tsr_plan_is_plus_times(const tsr_plan *plan)
{
    return plan->ring == &tsr_semirings[0];
}
/* Whether the factor is a number that makes 0 of a sum to which nothing was added. */
static inline bool tsr_plan_is_scale(const tsr_plan *plan, const tsr_expr *factor)
{
    return tsr_plan_is_plus_times(plan) && factor->kind == TSR_EXPR_NUMBER;
}
/* Whether the program is for many sizes of variable v, for which the plan's size stands. */
static inline bool tsr_plan_is_open(const tsr_plan *plan, int v)
{
    const uint64_t size = plan->size[v];
    return size > 0 && !plan->schedule.literal[v] &&
           (size == plan->target.stand_in || (plan->target.open && size > TSR_PLAN_LITERAL));
}
/* The number of the tensor that access a reads: of an operand; of the copy for view v, notation->ntensors + v. */
static inline int tsr_plan_operand_of(const tsr_plan *plan, int a)
{
    const int view = plan->access[a].view;
    return plan->view[view].copy ? plan->notation->ntensors + view : plan->view[view].tensor;
}
/* The variable of the innermost loop around all terms, where each loop is. */
static inline int tsr_plan_last(const tsr_plan *plan)
{
    return plan->var[(plan->sink == TSR_PLAN_DENSE ? plan->nouter : plan->nresult) - 1];
}
/* Whether the variable stands on the left. */
static inline bool tsr_plan_is_free(const tsr_plan *plan, int var)
{
    return var < plan->notation->nfree;
}
/* Whether the term leaves out entries that its sparse factors have. */
static inline bool tsr_plan_filters(const tsr_plan_term *term)
{
    return term->nmasks + term->nbands > 0 || term->located;
}
/* The number of variables (at most TSR_PLAN_MOVES) whose bits are gathered to give result r of the map: see tsr_bit_move. So
 * coordinates follow from a key that interleaves their bits. 0: the result is computed otherwise; bits that stay
 * side by side are left to division and remainder. */
int tsr_plan_gathers(tsr_bit_move *move, const tsr_map *map, int r);
/* The first of the tensor's levels that level l of the statement is. */
static inline int tsr_plan_level(const tsr_plan *plan, int tensor, int l)
{
    return plan->storage.parts && tensor < plan->notation->ntensors ? plan->storage.parts[tensor].first[l]
                                                                    : l;
}
/* The number of levels of the tensor that it is. */
static inline int tsr_plan_nparts(const tsr_plan *plan, int tensor, int l)
{
    return tsr_plan_level(plan, tensor, l + 1) - tsr_plan_level(plan, tensor, l);
}
/* The access of the term that loop k (over term->order[k]) looks up in a table, which is written before the loop around;
 * -1: loop k has no table. */
int tsr_plan_located(const tsr_plan *plan, const tsr_plan_term *term, int k);
/* Whether the loop over v finds the coordinates that accesses a and b both store in steps that double; else they are merged step
 * by step. */
bool tsr_plan_gallops(const tsr_plan *plan, int v, int a, int b);
/* Whether loop k looks up this complement of the term in a table; else it is searched. */
bool tsr_plan_mask_located(const tsr_plan *plan, const tsr_plan_term *term, int k, int mask);
/* The access of the term that has all variables of the result, so that the term makes at most as many entries as the access
 * has; -1: no access has. */
int tsr_plan_bound(const tsr_plan *plan, const tsr_plan_term *term);
/* Where rows.unites: the number of the factor that is the term's sparse access; the others are the same in the whole row. -1:
 * the term has another form. */
int tsr_plan_scaled(const tsr_plan *plan, const tsr_plan_term *term);
/* Bytes of the coordinates of the first of the summed rows. */
int tsr_plan_united_nbytes(const tsr_plan *plan);
/* Whether threads make the result in several pieces, which are joined. */
bool tsr_plan_has_pieces(const tsr_plan *plan);
/* Bytes of the coordinates of the result's level over variable v: of the whole result where v has a window in it. */
int tsr_plan_crd_nbytes(const tsr_plan *plan, const tsr_plan_operand *result, int v);
/* Whether the term has a loop over the whole range of variable v: no sparse operand of the term has v. */
bool tsr_plan_is_range(const tsr_plan *plan, const tsr_plan_term *term, int v);
/* Whether each step of the term's last loop adds to another element of the dense result, by the last mode of it. */
bool tsr_plan_is_row(const tsr_plan *plan, const tsr_plan_term *term);
/* Whether a program can compute the values alone, into a result that has its levels: entries are assembled in the format of
 * the result, with at most one variable in a workspace, which is an array. */
bool tsr_plan_has_values(const tsr_plan *plan);
/* Append the plan as text: the conversions and their reasons, the sink, how threads share the loops, and the loops of each
 * term. docs/kernels.md describes the lines; schedule_plan.c reads them. */
void tsr_plan_print(tsr_text *text, const tsr_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
