/* The table of rules, and what they share. */
#include <string.h>

#include "rules_internal.h"
#include "tsr_alloc.h"

static const struct {
    tsr_rules_when when;
    tsr_status (*rewrite)(bool *fits, rewriting *r);
} rules[] = {
#define X(NAME, name, WHEN) {TSR_RULES_##WHEN, rule_##name},
#include "rules.def"
#undef X
};

bool rule_is_sum(const tsr_expr *e)
{
    return e->kind == TSR_EXPR_ADD || e->kind == TSR_EXPR_SUB;
}

bool rule_is_dense(const rewriting *r, const tsr_expr *e)
{
    return !(e->tensors & r->of->sparse) && !e->has_band;
}

bool rule_adds(const rewriting *r)
{
    return r->notation->accumulate && (r->of->sparse & 1);
}

tsr_type rule_type(const rewriting *r, uint32_t of)
{
    tsr_type type = TSR_PATTERN;
    for (int t = 1; t < r->notation->ntensors; t++)
        if ((of >> t & 1) && tsr_notation_computes(r->notation, t) && r->of->type[t] != TSR_NTYPES)
            type = tsr_type_common(type, r->of->type[t]);
    if (type != TSR_PATTERN)
        return type;
    return r->of->type[0] != TSR_NTYPES ? r->of->type[0] : TSR_F64;
}

bool rule_has_call(const tsr_expr *e)
{
    return e && (e->kind == TSR_EXPR_CALL || rule_has_call(e->a) || rule_has_call(e->b));
}

tsr_type rule_type_of_part(const rewriting *r, const tsr_expr *e)
{
    return rule_has_call(e) ? TSR_NTYPES : rule_type(r, UINT32_MAX);
}

void rule_print_access(tsr_text *text, const tsr_notation *notation, const char *name, uint32_t vars)
{
    char before = '(';
    tsr_text_add(text, name);
    for (int v = 0; v < notation->nvars; v++) {
        if (!(vars >> v & 1))
            continue;
        tsr_text_addf(text, "%c%s", before, notation->var[v]);
        before = ',';
    }
    tsr_text_add(text, vars ? ")" : "");
}

/* ---- steps ---- */

tsr_rules_step rule_step(uint32_t vars, const char *semiring)
{
    return (tsr_rules_step){.kind = TSR_RULES_STATEMENT,
                            .how = "",
                            .semiring = semiring,
                            .vars = vars,
                            .type = TSR_NTYPES,
                            .becomes = TSR_NTYPES};
}

/* Whether both steps have the same content. */
static bool is_same(const tsr_rules_step *a, const tsr_rules_step *b)
{
    return a->kind == b->kind && a->vars == b->vars && a->mode == b->mode && a->type == b->type &&
           a->becomes == b->becomes && a->keeps_true == b->keeps_true && a->is_dense == b->is_dense &&
           a->needs_doubles == b->needs_doubles && a->semiring == b->semiring &&
           strcmp(a->how, b->how) == 0 && strcmp(a->text, b->text) == 0;
}

tsr_status rule_make(const tsr_rules_made **out, rewriting *r, tsr_rules_step *step, tsr_text *text)
{
    made_step *const made = &r->made[r->nmade];
    tsr_status status = TSR_OK;
    step->text = tsr_text_cstr(text);
    *out = NULL;
    TSR_TRY_OUT(tsr_text_status(text, r->err));
    for (int k = 0; k < r->nmade; k++)
        if (is_same(&r->made[k].step, step)) {
            *out = &r->made[k].made;
            goto out;
        }
    if (r->maker->room <= 0)
        TSR_TRY_OUT(
            tsr_fail(r->err, TSR_LIMIT,
                     "the expression has too many parts that are computed first: at most %d tensors are "
                     "supported, together with these parts",
                     TSR_NOTATION_MAX_TENSORS - 2));
    TSR_TRY_OUT(tsr_text_take(&made->text, text, r->err));
    made->step = *step;
    made->step.text = made->text;
    r->nmade++;
    r->maker->room--;
    status = r->maker->make(r->maker, &made->made, &made->step, r->err);
    *out = &made->made;
out:
    tsr_text_clear(text);
    return status;
}

/* ---- what is left ---- */

/* Append the statement without what the steps compute. */
static void print_left(tsr_text *out, const rewriting *r)
{
    const tsr_notation *const notation = r->notation;
    const tsr_expr *const result = notation->result;
    bool has_lists = false;
    for (int k = 0; k < result->nindices; k++)
        has_lists = has_lists || r->list[k];
    if (has_lists)
        rule_print_listed(out, r, r->list, result, notation->tensor[0].name);
    else
        tsr_expr_print(out, notation, result);
    const bool keeps = r->kept.nbytes > 0;
    if (r->old || r->has_places)
        tsr_text_add(out, " = ");
    else
        tsr_notation_print_assignment(out, notation);
    if (keeps)
        tsr_text_addf(out, "%s(", tsr_text_cstr(&r->kept));
    if (r->old) {
        rule_print_listed(out, r, r->list, result, r->old);
        tsr_text_add(out, " + ");
    }
    size_t n = notation->rhs_end - notation->rhs_col;
    while (n > 0 && notation->text[notation->rhs_col - 2 + n] == ' ')
        n--;
    rule_print_lists(out, r, r->list, result);
    tsr_text_add(out, r->old || has_lists ? "(" : "");
    if (r->has_right)
        tsr_text_add(out, tsr_text_cstr(&r->right));
    else
        tsr_text_add_n(out, notation->text + notation->rhs_col - 1, n);
    tsr_text_add(out, r->old || has_lists ? ")" : "");
    tsr_text_add(out, keeps ? ")" : "");
    if (r->has_where)
        tsr_text_add(out, tsr_text_cstr(&r->where));
    else
        tsr_notation_print_where(out, notation);
    out->failed = out->failed || r->right.failed || r->kept.failed || r->where.failed;
}

tsr_status tsr_rules_rewrite(bool *fits, tsr_text *out, tsr_rules_when when,
                             const tsr_rules_statement *statement, tsr_rules_maker *maker, tsr_error *err)
{
    rewriting r = {.of = statement, .notation = statement->notation, .maker = maker, .err = err};
    tsr_status status = TSR_OK;
    *fits = false;
    for (size_t k = 0; k < sizeof rules / sizeof *rules && status == TSR_OK; k++) {
        bool one = false;
        if (rules[k].when == when)
            status = rules[k].rewrite(&one, &r);
        *fits = *fits || one;
    }
    if (status == TSR_OK && *fits) {
        print_left(out, &r);
        status = tsr_text_status(out, err);
    }
    for (int k = 0; k < r.nmade; k++)
        tsr_free(r.made[k].text);
    tsr_text_clear(&r.right);
    tsr_text_clear(&r.kept);
    tsr_text_clear(&r.where);
    return status;
}
