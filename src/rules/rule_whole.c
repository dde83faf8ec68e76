/* Rules for the whole right side, and for what the result had before.
 *
 * `old` accepts y += e, or another reduction, of a sparse result: y = y_before + (e), which loops merge.
 *
 * `places` accepts p(i) argmax(j)= A(i,j): a step keeps the first entry of each row, T1_(i,j) top(1)= A(i,j), of which a pattern is
 * left, and p(i) = T1_(i,j)*j.
 *
 * `reductions` accepts y(i) max= A(i,j) + b(j) of a sparse result, where the right side is not a product: T1_(i,j) = A(i,j) + b(j),
 * y(i) = y_before(i) + T1_(i,j). Where the result is dense, the loops add the terms at each point (plan_points.c). */
#include "rules_internal.h"

bool rule_is_product(const tsr_expr *e)
{
    if (e->kind == TSR_EXPR_MUL || e->kind == TSR_EXPR_DIV)
        return rule_is_product(e->a) && rule_is_product(e->b);
    return e->kind == TSR_EXPR_NEG ? rule_is_product(e->a) : !rule_is_sum(e);
}

/* Make a step of the right side. */
static tsr_status make_right(const tsr_rules_made **out, rewriting *r, tsr_rules_step *step)
{
    const tsr_notation *const notation = r->notation;
    tsr_text text = {0};
    step->type = rule_type_of_part(r, notation->rhs);
    tsr_text_add_n(&text, notation->text + notation->rhs_col - 1, notation->rhs_end - notation->rhs_col);
    TSR_TRY(rule_make(out, r, step, &text));
    rule_print_access(&r->right, notation, (*out)->name, step->vars);
    r->has_right = true;
    return TSR_OK;
}

tsr_status rule_old(bool *fits, rewriting *r)
{
    const tsr_rules_made *made;
    tsr_text text = {0};
    if (!rule_adds(r))
        return TSR_OK;
    tsr_rules_step step = rule_step(0, NULL);
    step.kind = TSR_RULES_OLD;
    step.type = r->of->type[0];
    TSR_TRY(rule_make(&made, r, &step, &text));
    r->old = made->name;
    *fits = true;
    return TSR_OK;
}

tsr_status rule_places(bool *fits, rewriting *r)
{
    static const char *const how[2][2] = {{"top(1)", "top(1, abs)"}, {"bottom(1)", "bottom(1, abs)"}};
    const tsr_notation *const notation = r->notation;
    const tsr_selection *const selection = &notation->selection;
    const tsr_rules_made *made;
    if (!selection->gives_place)
        return TSR_OK;
    tsr_rules_step step = rule_step(notation->result->vars | UINT32_C(1) << selection->var, r->of->semiring);
    step.how = how[selection->least][selection->by_abs];
    step.becomes = TSR_PATTERN;
    TSR_TRY(make_right(&made, r, &step));
    tsr_text_addf(&r->right, r->of->sparse & 1 ? "*%s" : "*(%s + 1) - 1", notation->var[selection->var]);
    r->has_places = true;
    *fits = true;
    return TSR_OK;
}

tsr_status rule_reductions(bool *fits, rewriting *r)
{
    const tsr_notation *const notation = r->notation;
    const tsr_rules_made *made;
    if (r->has_right || !notation->reduction || rule_is_product(notation->rhs) || !(r->of->sparse & 1))
        return TSR_OK;
    tsr_rules_step step = rule_step(notation->rhs->vars, NULL);
    step.is_dense = rule_is_dense(r, notation->rhs);
    TSR_TRY(make_right(&made, r, &step));
    *fits = true;
    return TSR_OK;
}
