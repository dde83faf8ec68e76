/* Rules rewrite a statement before it is planned: A(i,l) = B(i,j)*C(j,k)*D(k,l) becomes the step T1_(i,k) = B(i,j)*C(j,k) and
 * A(i,l) = T1_(i,k)*D(k,l). A rule is a row of rules.def and a function; rules know expressions, sizes and which operands are
 * sparse, never formats or loops. */
#ifndef TSR_RULES_H
#define TSR_RULES_H

#include "tsr_notation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What rules read. */
typedef struct tsr_rules_statement {
    const tsr_notation *notation;
    const tsr_semiring *ring;
    const uint64_t *size;  /* notation->nvars */
    const double *nstored; /* notation->ntensors: entries, or an estimate of them; the result has none */
    uint32_t sparse;       /* bit t: tensor t is stored sparse */
    uint32_t precompute;   /* bit t: the schedule asks to multiply tensor t first */
    bool is_whole;         /* one nest of loops has all operands: products are not cut */
} tsr_rules_statement;

/* A part of a statement that is computed before the rest. */
typedef struct tsr_rules_step {
    const char *text; /* the expression */
    uint32_t vars;    /* bit v: the result has variable v of the notation, in this order */
} tsr_rules_step;

/* What makes the steps: *name is the tensor that stands for the step; a step that was made before is used again. */
typedef struct tsr_rules_maker {
    int room; /* the steps that can still be made */
    tsr_status (*make)(struct tsr_rules_maker *maker, const char **name, const tsr_rules_step *step,
                       tsr_error *err);
} tsr_rules_maker;

/* Try all rules in order. *fits: whether one has rewritten the statement; `out` is then the text of what is left of it. TSR_NOMEM;
 * TSR_ARGUMENT, TSR_UNSUPPORTED, TSR_LIMIT: what the schedule asks cannot be done; errors of `make`. */
tsr_status tsr_rules_rewrite(bool *fits, tsr_text *out, const tsr_rules_statement *statement,
                             tsr_rules_maker *maker, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
