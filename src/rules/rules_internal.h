/* What the rules share. */
#ifndef RULES_INTERNAL_H
#define RULES_INTERNAL_H

#include "tsr_rules.h"

/* A statement while it is rewritten. */
typedef struct rewriting {
    const tsr_rules_statement *of;
    tsr_rules_maker *maker;
    tsr_text right; /* the right side that is left */
    tsr_error *err;
} rewriting;

/* One for each row of rules.def. *fits: whether the rule has rewritten the statement. */
#define X(NAME, name) tsr_status rule_##name(bool *fits, rewriting *r);
#include "rules.def"
#undef X

#endif
