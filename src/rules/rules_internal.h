/* What the rules share. */
#ifndef RULES_INTERNAL_H
#define RULES_INTERNAL_H

#include "tsr_rules.h"

/* A step that was made, with its text. */
typedef struct made_step {
    tsr_rules_step step;
    char *text; /* owned */
    tsr_rules_made made;
} made_step;

/* A statement while it is rewritten. */
typedef struct rewriting {
    const tsr_rules_statement *of;
    const tsr_notation *notation;
    tsr_rules_maker *maker;
    const char *old; /* the tensor to whose entries the result adds; NULL: none */
    bool has_right;  /* a rule has set `right` */
    tsr_text right;  /* the right side that is left */
    tsr_text kept;   /* factors with a '*' behind each, for entries that the condition lets stay */
    bool has_where;  /* a rule has set `where` */
    tsr_text where;  /* the condition that is left, with the word in front; empty: none */
    bool has_places; /* the right side has the coordinates that argmax asks for */
    const tsr_rules_made *list[TSR_NOTATION_MAX_ORDER]; /* of each mode of the result; NULL: none */
    int nmade;
    made_step made[TSR_NOTATION_MAX_TENSORS];
    tsr_error *err;
} rewriting;

/* One for each row of rules.def. *fits: whether the rule has rewritten the statement. */
#define X(NAME, name, WHEN) tsr_status rule_##name(bool *fits, rewriting *r);
#include "rules.def"
#undef X

/* ---- rules.c ---- */

/* Make the step, unless there is one with the same content. text: owned, its text. */
tsr_status rule_make(const tsr_rules_made **out, rewriting *r, tsr_rules_step *step,
                     tsr_text *text) TSR_NODISCARD;
/* A step of an expression over these variables: the common ones of its fields. */
tsr_rules_step rule_step(uint32_t vars, const char *semiring);
/* Append the tensor with the variables of the set: "T1_(i,j)". */
void rule_print_access(tsr_text *text, const tsr_notation *notation, const char *name, uint32_t vars);
/* Whether operands of the set are stored sparse, or bands are among the factors. */
bool rule_is_dense(const rewriting *r, const tsr_expr *e);
/* The common value type of these operands (bit t for tensor t); without operands that of the result. */
tsr_type rule_type(const rewriting *r, uint32_t of);
/* The type that is asked of a step of e: the common one of all operands, unless a function may have another. */
tsr_type rule_type_of_part(const rewriting *r, const tsr_expr *e);
bool rule_is_sum(const tsr_expr *e);
/* Whether e has neither tensors nor variables. */
static inline bool rule_is_constant(const tsr_expr *e)
{
    return !e->tensors && !e->vars;
}
/* Whether e has a function; e may be NULL. */
bool rule_has_call(const tsr_expr *e);
/* Whether e is a product or a quotient, perhaps with a minus, without sums. */
bool rule_is_product(const tsr_expr *e);
/* Whether the statement adds to a sparse result. */
bool rule_adds(const rewriting *r);

/* ---- rule_lists.c ---- */

/* list[k]: the matrix of mode k of the access, for the modes of the set; else NULL. */
tsr_status rule_make_lists(const tsr_rules_made **list, rewriting *r, const tsr_expr *access,
                           uint32_t modes) TSR_NODISCARD;
/* Append the product of the matrices, each with a * behind it: "!!T1_(i,i_1)*". */
void rule_print_lists(tsr_text *text, const rewriting *r, const tsr_rules_made *const *list,
                      const tsr_expr *access);
/* Append the access with the name and the variables of the coordinates: "A(i_1,j)". */
void rule_print_listed(tsr_text *text, const rewriting *r, const tsr_rules_made *const *list,
                       const tsr_expr *access, const char *name);
/* The modes of the access that have a window. */
uint32_t rule_windows_of(const tsr_expr *access);

#endif
