/* Rules rewrite a statement before it is planned: A(i,l) = B(i,j)*C(j,k)*D(k,l) becomes the step T1_(i,k) = B(i,j)*C(j,k) and
 * A(i,l) = T1_(i,k)*D(k,l). A rule is a row of rules.def and a function; rules know expressions, sizes, value types and which
 * operands are sparse, never formats or loops. */
#ifndef TSR_RULES_H
#define TSR_RULES_H

#include "tsr_notation.h"
#include "tsr_type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which rules are tried. */
typedef enum tsr_rules_when {
    TSR_RULES_NEEDED, /* without them the statement has no plan */
    TSR_RULES_CHOSEN  /* costs or the schedule decide */
} tsr_rules_when;

/* What rules read. */
typedef struct tsr_rules_statement {
    const tsr_notation *notation;
    const tsr_semiring *ring;
    const char *semiring;  /* what the caller calls the semiring; NULL: plus-times */
    const tsr_type *type;  /* notation->ntensors; TSR_NTYPES: it follows from others */
    const uint64_t *size;  /* notation->nvars; only chosen rules read sizes and nstored */
    const double *nstored; /* notation->ntensors: entries, or an estimate of them; the result has none */
    uint32_t sparse;       /* bit t: tensor t is stored sparse */
    uint32_t precompute;   /* bit t: the schedule asks to multiply tensor t first */
    bool is_whole;         /* one nest of loops has all operands: products are not cut */
} tsr_rules_statement;

typedef enum tsr_rules_kind {
    TSR_RULES_STATEMENT, /* an expression, which another kernel computes */
    TSR_RULES_OLD,       /* the entries of a sparse result before the run */
    TSR_RULES_LIST,      /* the matrix that selects the coordinates of a list or a window */
    TSR_RULES_BAND       /* a band: an interval of each row, whose entries are 1 */
} tsr_rules_kind;

/* A part of a statement that is computed before the rest. */
typedef struct tsr_rules_step {
    tsr_rules_kind kind;
    const char *text;     /* the expression; of a list the access, of a band the band */
    const char *how;      /* static; what stands before the '=': "top(1)", "" */
    const char *semiring; /* as above */
    uint32_t vars;      /* bit v: the result of an expression has variable v of the notation, in this order */
    bool is_dense;      /* the result of an expression has no sparse level */
    bool keeps_true;    /* the result of an expression has the entries that are not 0 */
    bool is_product;    /* few of its rows are empty */
    tsr_type type;      /* TSR_NTYPES: it follows from what the expression reads */
    bool needs_doubles; /* values of another type become f64, unless they are complex */
    tsr_type becomes;   /* the type to which values are converted then; TSR_NTYPES: not */
    const tsr_function
        *exact_for; /* a conversion must be exact, since this function needs doubles; NULL: it need not */
    const tsr_expr *expr; /* the access, the band, or the part of the notation; NULL: the right side */
    int mode;             /* of a list: which mode of the access */
} tsr_rules_step;

/* The tensor of a step. */
typedef struct tsr_rules_made {
    const char *name;
    const char *inner; /* of a list: the variable of the coordinates that it selects */
    tsr_type type;     /* of what the expression gives, before it is converted */
} tsr_rules_made;

/* What makes the steps. */
typedef struct tsr_rules_maker {
    int room; /* the steps that can still be made */
    tsr_status (*make)(struct tsr_rules_maker *maker, tsr_rules_made *made, const tsr_rules_step *step,
                       tsr_error *err);
} tsr_rules_maker;

/* Try the rules in order. *fits: whether one has rewritten the statement; `out` is then the text of what is left of it. TSR_NOMEM;
 * TSR_ARGUMENT, TSR_UNSUPPORTED, TSR_LIMIT: it cannot be done; errors of `make`. */
tsr_status tsr_rules_rewrite(bool *fits, tsr_text *out, tsr_rules_when when,
                             const tsr_rules_statement *statement, tsr_rules_maker *maker,
                             tsr_error *err) TSR_NODISCARD;

/* For loops that merge: replace the terms of the right side that have functions by terms for each set of the sparse operands of these
 * functions that store an entry (bit t of `sparse`: tensor t is stored sparse). TSR_LIMIT, TSR_NOMEM. */
tsr_status tsr_rules_split_calls(tsr_terms *terms, const tsr_notation *notation, uint32_t sparse,
                                 tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
