/* Statements with an ending: `top(10)=` and `where`. The result is assembled in rows, and a row is ended as soon as it is complete:
 * so the loops over all modes but the last one of a row stand around all terms, and a selection needs the last index of the
 * left innermost. */
#include <inttypes.h>

#include "plan_state.h"

tsr_status plan_check_ending(const plan_state *s)
{
    const tsr_notation *const notation = s->plan->notation;
    const char *const what = notation->where ? "where" : "top and bottom";
    if (!tsr_notation_has_ending(notation))
        return TSR_OK;
    if (tsr_format_is_dense(s->operands[0].binding->format))
        return tsr_fail(
            s->err, TSR_UNSUPPORTED,
            "%s leave%s out entries of %s, but a dense result has all of them: give it a format with "
            "a sparse level, as csr",
            what, notation->where ? "s" : "", notation->tensor[0].name);
    if (tsr_type_class(s->operands[0].type) == 'C')
        return tsr_fail(s->err, TSR_UNSUPPORTED, "%s compare%s real or integer values, not %s", what,
                        notation->where ? "s" : "", tsr_type_name(s->operands[0].type));
    if (s->plan->schedule.assembly == TSR_PLAN_ASSEMBLY_TWO_PASS)
        return tsr_fail(s->err, TSR_UNSUPPORTED,
                        "the schedule asks for two passes, but %s need%s the values of a row before its "
                        "entries are known: leave assemble(two-pass) out",
                        what, notation->where ? "s" : "");
    return TSR_OK;
}

void plan_print_ending(tsr_text *text, const tsr_plan *plan)
{
    const tsr_notation *const notation = plan->notation;
    const tsr_selection *const selection = &notation->selection;
    if (notation->where) {
        tsr_text_add(text, "of each row, entries are kept where ");
        tsr_expr_print(text, notation, notation->where);
        tsr_text_add(text, "\n");
    }
    if (selection->n > 0)
        tsr_text_addf(text, "of each row over %s, the %" PRIu64 " %s entries are kept%s\n",
                      notation->var[plan->var[plan->nresult - 1]], selection->n,
                      selection->least ? "least" : "largest",
                      selection->by_abs ? ", by absolute values" : "");
}
