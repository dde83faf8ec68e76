/* The table of rules. */
#include "rules_internal.h"

static tsr_status (*const rules[])(bool *fits, rewriting *r) = {
#define X(NAME, name) rule_##name,
#include "rules.def"
#undef X
};

tsr_status tsr_rules_rewrite(bool *fits, tsr_text *out, const tsr_rules_statement *statement,
                             tsr_rules_maker *maker, tsr_error *err)
{
    const tsr_notation *const notation = statement->notation;
    rewriting r = {.of = statement, .maker = maker, .err = err};
    tsr_status status = TSR_OK;
    *fits = false;
    for (size_t k = 0; k < sizeof rules / sizeof *rules && status == TSR_OK && !*fits; k++) {
        r.right.nbytes = 0;
        status = rules[k](fits, &r);
    }
    if (status == TSR_OK && *fits) {
        tsr_expr_print(out, notation, notation->result);
        tsr_notation_print_assignment(out, notation);
        tsr_text_add(out, tsr_text_cstr(&r.right));
        tsr_notation_print_where(out, notation);
        out->failed = out->failed || r.right.failed;
        status = tsr_text_status(out, err);
    }
    tsr_text_clear(&r.right);
    return status;
}
