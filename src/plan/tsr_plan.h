/* Plans: which loops compute an expression with several sparse operands or a sparse result, in which order,
 * and what must be converted before. A plan decides; lowering (tsr_lower.h) writes the program.
 *
 * The right side, multiplied out, is a sum of terms; each term is a nest of loops over its variables. A
 * sparse operand is read level by level, so its variables must be bound in storage order; where an operand
 * stands in another order than that of the loops (CSR beside CSC, A beside its transpose), or its format has
 * no sorted levels (blocks, nonunique levels, maps), the plan reads a copy of it, which the run converts to
 * sorted levels first. Where several sparse operands of a term have a variable, the loop over it merges them:
 * it visits the coordinates that all of them store. An operand whose levels are all dense is never walked:
 * its values are looked up.
 *
 * What the terms contribute goes to one of these:
 *   - DENSE  the dense result: elements are added to;
 *   - ROWS   loops over the first few variables of the result stand around all terms and run over the union
 *            of the terms' coordinates; inside them a workspace (a scalar, or an array over the rest of the
 *            result's variables) collects what the terms contribute; its entries are appended in order. Two
 *            passes: one counts entries, one writes them;
 *   - LIST   a list of coordinates and values, which is sorted, summed and packed after the program has run.
 * A coordinate is an entry of the result when something was contributed to it, whatever its value. */
#ifndef TSR_PLAN_H
#define TSR_PLAN_H

#include "tsr_notation.h"
#include "tsr_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TSR_PLAN_MAX_VIEWS = 64, TSR_PLAN_MAX_ACCESSES = 256 };

/* One tensor of the notation as it is given. */
typedef struct tsr_plan_operand {
    const tsr_binding *binding; /* format and dims; borrowed */
    uint64_t nstored;           /* entries, for estimates; 0: unknown */
} tsr_plan_operand;

/* How the program reads a tensor: as it is given, or a copy in sorted levels. */
typedef struct tsr_plan_view {
    int tensor;
    bool is_dense;            /* all levels dense: values are looked up by coordinates */
    tsr_format *copy;         /* owned; the format to convert to, NULL: as it is given */
    int nlevels;              /* of one that is walked: */
    int mode[TSR_MAX_ORDER];  /* the mode that each level stores */
    bool full[TSR_MAX_ORDER]; /* the level is dense, else compressed, unique and ordered */
    char name[64];            /* "B", or of a copy "B_ji" */
    const char *why;          /* static: why a copy is needed */
} tsr_plan_view;

/* A place where a tensor stands in the expression, read through a view. */
typedef struct tsr_plan_access {
    int view;
    const tsr_expr *expr;
} tsr_plan_access;

typedef struct tsr_plan_term {
    const tsr_term *term;
    int naccesses;                        /* sparse ones */
    int access[TSR_NOTATION_MAX_FACTORS]; /* numbers in plan->access, in order of the factors */
    int nvars;
    int order[TSR_NOTATION_MAX_VARS]; /* its variables and the result's, outermost loop first */
    bool empty;                       /* a variable of it has size 0 */
} tsr_plan_term;

typedef enum tsr_plan_sink { TSR_PLAN_DENSE, TSR_PLAN_ROWS, TSR_PLAN_LIST } tsr_plan_sink;

typedef struct tsr_plan {
    const tsr_notation *notation; /* borrowed */
    const uint64_t *size;         /* of each variable; borrowed */
    const tsr_semiring *ring;     /* what + and * stand for */
    tsr_terms *terms;
    int nviews;
    tsr_plan_view view[TSR_PLAN_MAX_VIEWS];
    int naccesses; /* different ones */
    tsr_plan_access access[TSR_PLAN_MAX_ACCESSES];
    int nterms;
    tsr_plan_term *term;
    tsr_plan_sink sink;
    /* ROWS: */
    int nresult;             /* the result's modes */
    int mode[TSR_MAX_ORDER]; /* in the order in which they are assembled, outermost first */
    int var[TSR_MAX_ORDER];  /* their variables */
    int nouter;              /* the first of them have loops around all terms */
    int ndense;              /* so many of the first levels are dense, the others compressed */
    tsr_format *assembled;   /* owned; what is assembled: the result's own format, or one to convert */
    bool converts;           /* the latter; LIST always */
    double cost;             /* an estimate, in steps */
    struct tsr_arena *arena;
} tsr_plan;

/* What is to be planned; the plan borrows notation and size. */
typedef struct tsr_plan_request {
    const tsr_notation *notation;
    const tsr_plan_operand *operands; /* notation->ntensors, the result first */
    const uint64_t *size;             /* of each variable */
    const tsr_semiring *ring;         /* NULL: plus-times */
    int nthreads;                     /* bounds the memory of workspaces */
} tsr_plan_request;

/* TSR_UNSUPPORTED, TSR_LIMIT, TSR_NOMEM. */
tsr_status tsr_plan_new(tsr_plan **out, const tsr_plan_request *request, tsr_error *err) TSR_NODISCARD;
void tsr_plan_free(tsr_plan *plan);
/* Append the plan as text: what is converted and why, the loops of each term, where contributions go. */
void tsr_plan_print(tsr_text *text, const tsr_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
