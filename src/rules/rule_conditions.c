/* Conditions on sparse operands. The condition behind `where` is computed for an entry that is complete: its loops load dense operands
 * at the coordinates of the entry, but do not search sparse ones.
 *
 * `conditions` accepts a condition whose parts, joined by `and`, read sparse operands. A part that reads nothing but sparse operands and
 * numbers tells which entries can stay before anything is computed: C(i,j) = A(i,k)*B(k,j) where M(i,j) > 2 becomes the step
 * T1_(i,j) = gt(M(i,j), 2) where T1_ != 0, and C(i,j) = !!T1_(i,j)*(A(i,k)*B(k,j)). Where the part also holds for absent entries, the step
 * has the entries at which it does not hold, and the factor is !T1_(i,j). A part that reads more becomes one of dense vectors and
 * numbers, T1_(i) = M(i). */
#include <inttypes.h>

#include "rules_internal.h"
#include "tsr_bits.h"

static uint32_t sparse_of(const rewriting *r, const tsr_expr *e)
{
    return e->tensors & r->of->sparse & ~UINT32_C(1);
}

static bool is_and(const tsr_expr *e)
{
    return e->kind == TSR_EXPR_CALL && e->function->exact == TSR_EXACT_AND;
}

/* Whether e reads operands that are not sparse, the entry, or coordinates. */
static bool reads_more(const rewriting *r, const tsr_expr *e)
{
    return e && ((e->kind == TSR_EXPR_ACCESS && !sparse_of(r, e)) || e->kind == TSR_EXPR_VAR ||
                 reads_more(r, e->a) || reads_more(r, e->b));
}

/* The value where all operands are absent. */
static double value_of_absent(const tsr_expr *e)
{
    if (e->kind == TSR_EXPR_NUMBER || e->kind == TSR_EXPR_ACCESS)
        return e->kind == TSR_EXPR_NUMBER ? e->number : 0;
    const double a = value_of_absent(e->a), b = e->b ? value_of_absent(e->b) : 0;
    return e->kind == TSR_EXPR_NEG   ? -a
           : e->kind == TSR_EXPR_ADD ? a + b
           : e->kind == TSR_EXPR_SUB ? a - b
           : e->kind == TSR_EXPR_MUL ? a * b
           : e->kind == TSR_EXPR_DIV ? a / b
                                     : e->function->value(a, b);
}

/* Append the factor that keeps the entries at which the part holds. */
static tsr_status make_factor(rewriting *r, const tsr_expr *part)
{
    const bool holds = value_of_absent(part) != 0;
    const tsr_rules_made *made;
    tsr_rules_step step = rule_step(part->vars, NULL);
    tsr_text text = {0};
    step.keeps_true = true;
    step.becomes = TSR_PATTERN;
    if (part->vars == 0)
        return tsr_fail_at(r->err, TSR_UNSUPPORTED, NULL, 0, part->col,
                           "a condition on a single number is the same for all entries: leave it out");
    tsr_text_add(&text, holds ? "not(" : "");
    tsr_expr_print(&text, r->notation, part);
    tsr_text_add(&text, holds ? ")" : "");
    TSR_TRY(rule_make(&made, r, &step, &text));
    tsr_text_add(&r->kept, holds ? "!" : "!!");
    rule_print_access(&r->kept, r->notation, made->name, part->vars);
    tsr_text_add(&r->kept, "*");
    return TSR_OK;
}

/* Append the part, in which dense steps stand for sparse vectors. */
static tsr_status print_part(rewriting *r, const tsr_expr *part)
{
    const tsr_rules_made *made;
    const uint32_t sparse = sparse_of(r, part);
    const tsr_notation *const notation = r->notation;
    if (part->kind == TSR_EXPR_ACCESS && sparse) {
        tsr_rules_step step = rule_step(part->vars, NULL);
        tsr_text text = {0};
        if (part->nindices > 1)
            return tsr_fail_at(r->err, TSR_UNSUPPORTED, NULL, 0, part->col,
                               "the sparse %.40s is compared with more than numbers, and rows of it are not "
                               "searched: give it "
                               "a dense format, or join its own comparison to the rest by `and`",
                               notation->tensor[tsr_lowest_bit(sparse)].name);
        step.is_dense = true;
        tsr_expr_print(&text, notation, part);
        TSR_TRY(rule_make(&made, r, &step, &text));
        rule_print_access(&r->where, notation, made->name, part->vars);
        return TSR_OK;
    }
    if (!sparse) {
        tsr_expr_print_factor(&r->where, notation, part);
        return TSR_OK;
    }
    static const char *const signs[] = {
        [TSR_EXPR_ADD] = " + ", [TSR_EXPR_SUB] = " - ", [TSR_EXPR_MUL] = "*",
        [TSR_EXPR_DIV] = "/",   [TSR_EXPR_NEG] = "-",   [TSR_EXPR_CALL] = ", "};
    const char *const sign = signs[part->kind];
    tsr_text_addf(&r->where, "%s(%s", part->kind == TSR_EXPR_CALL ? part->function->name : "",
                  part->b                      ? ""
                  : part->kind == TSR_EXPR_NEG ? sign
                                               : "");
    TSR_TRY(print_part(r, part->a));
    if (part->b) {
        tsr_text_add(&r->where, sign);
        TSR_TRY(print_part(r, part->b));
    }
    tsr_text_add(&r->where, ")");
    return TSR_OK;
}

/* Take the parts of a condition that `and` joins. */
static tsr_status take_parts(rewriting *r, const tsr_expr *e)
{
    if (is_and(e)) {
        TSR_TRY(take_parts(r, e->a));
        return take_parts(r, e->b);
    }
    if (sparse_of(r, e) && !reads_more(r, e))
        return make_factor(r, e);
    tsr_text_add(&r->where, r->where.nbytes ? " and " : " where ");
    return print_part(r, e);
}

tsr_status rule_conditions(bool *fits, rewriting *r)
{
    const tsr_expr *const where = r->notation->where;
    if (!where || !sparse_of(r, where))
        return TSR_OK;
    *fits = r->has_where = true;
    return take_parts(r, where);
}
