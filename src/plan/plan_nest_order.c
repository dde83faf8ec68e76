/* The order of loops over dense variables: innermost is the variable along which most operands are stored
 * consecutively; outermost are the variables of the result, then the summed variables. */
#include "plan_state.h"

/* Accesses in the expression that are consecutive in v, minus those that have v and are not. */
static int score(const tsr_plan *plan, const tsr_expr *expr, int v)
{
    if (!expr)
        return 0;
    if (expr->kind == TSR_EXPR_ACCESS) {
        const tsr_format *format = plan->walk.operand[expr->tensor].binding->format;
        int perm[TSR_MAX_LEVELS], times = 0;
        for (int m = 0; m < expr->nindices; m++)
            times += expr->index[m] == v;
        if (times != 1 || !tsr_format_is_permutation(format, perm))
            return times ? -1 : 0;
        return expr->index[perm[format->nlevels - 1]] == v ? 1 : -1;
    }
    return score(plan, expr->a, v) + score(plan, expr->b, v);
}

/* The gain of having the loop over v innermost: it grows with each operand that is then read or written
 * consecutively. */
static int inner_score(const tsr_plan *plan, const tsr_nest *term, int v)
{
    int sum = score(plan, plan->notation->result, v);
    if (plan->schedule.vector_var == v + 1)
        return 1 << 16;
    for (int i = 0; i < term->nfactors; i++)
        if (!term->factor[i].is_driver)
            sum += score(plan, term->factor[i].expr, v);
    return sum;
}

/* The place of v in the order that the schedule asks for; -1: it has none, or the order is that of other terms. */
static int asked_place(const tsr_plan *plan, const tsr_nest *nest, int v)
{
    int n;
    const uint8_t *const order = plan_asked_order(&n, plan, nest->term);
    int k = nest->driver >= 0 && plan_asks_walk(plan, nest->driver) ? -1 : n - 1;
    while (k >= 0 && order[k] != v)
        k--;
    return k;
}

void tsr_nest_order_loops(const tsr_plan *plan, const tsr_nest *term, int *order, int n)
{
    int inner = -1, best = 0, at = 0;
    int sorted[TSR_NOTATION_MAX_VARS];
    for (int i = 0; i < n; i++) {
        const int s = inner_score(plan, term, order[i]);
        if (inner < 0 || s >= best) {
            inner = order[i];
            best = s;
        }
    }
    for (int sums = 0; sums < 2; sums++)
        for (int i = 0; i < n; i++)
            if (order[i] != inner && tsr_plan_has(term->sum, order[i]) == (sums == 1))
                sorted[at++] = order[i];
    for (int i = 0; i < at; i++)
        order[i] = sorted[i];
    if (n > 0)
        order[n - 1] = inner;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) {
            const int u = order[k], v = order[i];
            if (asked_place(plan, term, v) >= 0 && asked_place(plan, term, v) < asked_place(plan, term, u)) {
                order[k] = v;
                order[i] = u;
            }
        }
}
