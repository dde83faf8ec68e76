/* Prefetches of loops that merge. Where a loop walks the stored coordinates of one operand alone, and another operand has a row
 * for each of them (Gustavson's product), the loop prefetches the row of the coordinate that it reaches some positions later, and
 * the place of the row as many positions before. */
#include "plan_state.h"

enum { AHEAD = 8 };

int tsr_plan_ahead(const tsr_plan *plan)
{
    return plan->schedule.prefetch > 0 ? plan->schedule.prefetch : AHEAD;
}

/* The only access of the term whose list loop k walks, whose positions are those of coordinates as they are stored; -1: there is no
 * such access. */
static int walked_alone(const tsr_plan *plan, const tsr_plan_term *term, int k)
{
    const int v = term->order[k], located = tsr_plan_located(plan, term, k);
    int found = -1;
    for (int i = 0; i < term->naccesses; i++) {
        const int a = term->access[i], l = plan_level_of(plan, a, v);
        if (a == located || l < 0 || plan->view[plan->access[a].view].full[l])
            continue;
        if (found >= 0)
            return -1;
        found = a;
    }
    if (found < 0)
        return -1;
    const int l = plan_level_of(plan, found, v);
    const tsr_expr *const expr = plan->access[found].expr;
    const tsr_plan_view *const view = &plan->view[plan->access[found].view];
    if (l + 1 < view->nlevels && expr->index[view->mode[l + 1]] == v)
        return -1; /* a diagonal: the positions are those of the level below, which may be dense */
    return tsr_expr_window(expr, view->mode[l]) ? -1 : found;
}

/* Whether the access has rows over v with coordinates of another variable. */
static bool has_rows(const tsr_plan *plan, int a, int v)
{
    return plan_has_rows(plan, a, v) &&
           plan->access[a].expr->index[plan->view[plan->access[a].view].mode[1]] != v;
}

int tsr_plan_prefetched(int *list, tsr_plan_fetch *from, const tsr_plan *plan, const tsr_plan_term *term,
                        int k)
{
    int n = 0;
    if (plan->schedule.prefetch < 0 || plan->storage.parts)
        return 0; /* no other operand has the coordinate of a compound level */
    const int walked = walked_alone(plan, term, k);
    for (int i = 0; i < term->naccesses && walked >= 0; i++)
        if (term->access[i] != walked && has_rows(plan, term->access[i], term->order[k]))
            list[n++] = term->access[i];
    if (n > 0)
        *from = (tsr_plan_fetch){walked, plan_level_of(plan, walked, term->order[k])};
    return n;
}
