/* What the parts have in equal numbers into which threads cut a loop that merges: products where rows of the result are sums of
 * rows of an operand (Gustavson's product), else entries of the operands that have rows over the variable, else coordinates. */
#include "plan_state.h"

bool plan_has_rows(const tsr_plan *plan, int a, int v)
{
    const tsr_plan_view *const view = plan_view_of(plan, a);
    return view->nlevels > 1 && view->full[0] && !view->full[1] && plan_level_var(plan, a, 0) == v &&
           !tsr_expr_window(plan->access[a].expr, view->mode[0]);
}

/* Whether both accesses read the same arrays. */
static bool are_one(const tsr_plan *plan, int a, int b)
{
    const int x = plan->access[a].view, y = plan->access[b].view;
    return x == y ||
           (plan->view[x].tensor == plan->view[y].tensor && !plan->view[x].copy && !plan->view[y].copy);
}

/* In storage coordinates: an access whose first level is a list over v, one with the most positions; -1: there is no such
 * access. */
static int find_first_list(const tsr_plan *plan, int v)
{
    int found = -1;
    uint64_t most = 0;
    for (int a = 0; a < plan->naccesses && plan->storage.parts; a++) {
        const tsr_plan_view *const view = plan_view_of(plan, a);
        const uint64_t n = plan->walk.operand[view->tensor].npos[tsr_plan_level(plan, view->tensor, 0)];
        if (view->nlevels == 0 || view->full[0] || plan_level_var(plan, a, 0) != v ||
            (found >= 0 && n <= most))
            continue;
        found = a;
        most = n;
    }
    return found;
}

tsr_plan_work plan_work_of(const tsr_plan *plan, int v)
{
    tsr_plan_work work = {.list = find_first_list(plan, v), .rows = -1, .columns = -1};
    for (int a = 0; a < plan->naccesses && work.nentries < TSR_PLAN_MAX_COUNTED; a++) {
        bool seen = !plan_has_rows(plan, a, v);
        for (int k = 0; k < work.nentries; k++)
            seen = seen || are_one(plan, work.entries[k], a);
        if (!seen)
            work.entries[work.nentries++] = a;
    }
    return work;
}

/* Set rows and columns where rows of the result are sums of rows of an access, for which an access has rows over the first variable
 * of the result. */
static void find_products(tsr_plan_work *work, const tsr_plan *plan, const tsr_plan_term *term)
{
    for (int i = 0; i < term->naccesses; i++)
        for (int k = 0; k < term->naccesses; k++) {
            const int a = term->access[i], b = term->access[k];
            if (i == k || !plan_has_rows(plan, a, plan->var[0]) ||
                tsr_expr_window(plan->access[a].expr, plan_view_of(plan, a)->mode[1]) ||
                !plan_has_rows(plan, b, plan_level_var(plan, a, 1)))
                continue;
            work->rows = a;
            work->columns = b;
            return;
        }
}

int tsr_plan_bound(const tsr_plan *plan, const tsr_plan_term *term)
{
    int bound = -1;
    for (int k = 0; k < term->naccesses; k++) {
        const tsr_plan_access *const access = &plan->access[term->access[k]];
        bool covers = true;
        for (int m = 0; m < plan->nresult; m++)
            covers = covers && (access->expr->vars >> plan->var[m] & 1);
        if (!covers || plan->view[access->view].nlevels != plan->nresult)
            continue;
        if (!plan->view[access->view].marks) /* it has the fewer entries */
            return term->access[k];
        bound = term->access[k];
    }
    return bound;
}

void plan_work_of_rows(tsr_plan *plan)
{
    tsr_plan_work *const work = &plan->share.work;
    const bool sums = plan->nouter > 0 && plan->nouter < plan->nresult && !plan->schedule.plain;
    *work = plan_work_of(plan, plan->var[0]);
    work->masked = true;
    for (int i = 0; i < plan->nterms; i++) {
        tsr_plan_term *const term = &plan->term[i];
        tsr_plan_work *const of = &term->nest->share.work;
        *of = (tsr_plan_work){.list = -1, .rows = -1, .columns = -1};
        if (!term->empty && sums)
            find_products(of, plan, term);
        work->products = work->products || of->rows >= 0;
        work->masked = work->masked && (of->rows < 0 || tsr_plan_bound(plan, term) >= 0);
    }
}
