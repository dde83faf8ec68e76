/* How a loop over several sparse operands finds the coordinates that all of them store.
 *
 * Merged in steps that double: both lists are walked, and stretches of one that the other lacks are skipped (the
 * choice for two lists of elements of the same width unless another one is made). Located: if one of two operands has the same parent during all of the loop around
 * (such as the mask of a product, row by row), its list is written into a table before the loop around, and the loop walks
 * only the other operand. Merged step by step: only if the schedule asks for it. */
#include "plan_state.h"

/* The words of each machine: of the schedule item, and of the loops in the text of a plan. Of two texts that begin alike the longer one
 * is the later one. */
static const struct {
    const char *item, *text;
} machines[] = {[TSR_PLAN_WALK_MERGE] = {"merge", ", merged"},
                [TSR_PLAN_WALK_GALLOP] = {"gallop", ", merged in steps that double"},
                [TSR_PLAN_WALK_LOCATE] = {"locate", ", located in a table"}};

const char *plan_walk_text(tsr_plan_walk walk)
{
    return machines[walk].text;
}

/* Whether the access has exactly one level over v, which is compressed and has no window. *before: the number of the loop that
 * binds the parent of the level; -1 if it is the first level. */
static bool find_level(int *before, const tsr_plan *plan, const tsr_plan_term *term, int a, int v)
{
    const tsr_plan_view *const view = plan_view_of(plan, a);
    const int l = plan_list_of(plan, a, v);
    if (l < 0 || tsr_expr_window(plan->access[a].expr, view->mode[l]))
        return false;
    *before = l > 0 ? plan_place(term->order, term->nvars, plan_level_var(plan, a, l - 1)) : -1;
    for (int other = l + 1; other < view->nlevels; other++)
        if (plan_level_var(plan, a, other) == v)
            return false;
    return true;
}

/* Whether loop k of the term may have a table: it is inside another loop of the term, and the table fits. */
static bool may_have_table(const tsr_plan *plan, const tsr_plan_term *term, int k)
{
    return k >= 1 && k - 1 >= plan->nouter && !plan->storage.parts &&
           (double)plan->size[term->order[k]] * plan->target.nthreads <= (double)PLAN_MAX_PLACES;
}

int tsr_plan_located(const tsr_plan *plan, const tsr_plan_term *term, int k)
{
    int located = -1, nwalked = 0, nlast = 0;
    if (!may_have_table(plan, term, k) || plan->rows.workspace == TSR_PLAN_WORKSPACE_BITMAP)
        return -1;
    const tsr_plan_walk asked = plan->schedule.walk[term->order[k]];
    if (asked != TSR_PLAN_WALK_AUTO && asked != TSR_PLAN_WALK_LOCATE)
        return -1;
    for (int i = 0; i < term->naccesses; i++) {
        int before;
        if (!find_level(&before, plan, term, term->access[i], term->order[k]))
            continue;
        nwalked++;
        nlast += before == k - 1;
        if (before >= 0 && before < k - 1)
            located = term->access[i];
    }
    return nwalked == 2 && nlast == 1 ? located : -1;
}

bool tsr_plan_mask_located(const tsr_plan *plan, const tsr_plan_term *term, int k, int mask)
{
    int before = -1;
    return may_have_table(plan, term, k) &&
           plan_level_var(plan, mask, plan_view_of(plan, mask)->nlevels - 1) == term->order[k] &&
           find_level(&before, plan, term, mask, term->order[k]) && before >= 0 && before < k - 1;
}

/* The list of the access over v, which has no window and is not compound; -1: there is none. */
static int plain_list(const tsr_plan *plan, int a, int v)
{
    const tsr_plan_view *const view = plan_view_of(plan, a);
    int l = 0;
    while (l < view->nlevels && (view->full[l] || plan_level_var(plan, a, l) != v))
        l++;
    return l < view->nlevels && !tsr_expr_window(plan->access[a].expr, view->mode[l]) &&
                   tsr_plan_nparts(plan, view->tensor, l) == 1
               ? l
               : -1;
}

bool tsr_plan_gallops(const tsr_plan *plan, int v, int a, int b)
{
    const int l = plain_list(plan, a, v), k = plain_list(plan, b, v);
    return !plan->schedule.plain && plan->schedule.walk[v] != TSR_PLAN_WALK_MERGE && l >= 0 && k >= 0 &&
           plan_view_of(plan, a)->crd_nbytes[l] == plan_view_of(plan, b)->crd_nbytes[k];
}

/* The sparse operands of the term that a loop over v walks. */
static int count_walked(const tsr_plan *plan, const tsr_plan_term *term, int v)
{
    int n = 0;
    for (int i = 0; i < term->naccesses; i++)
        n += plan_list_of(plan, term->access[i], v) >= 0;
    return n;
}

tsr_status plan_check_walks(const plan_state *s)
{
    const tsr_plan *const plan = s->plan;
    for (int v = 0; v < plan->notation->nvars; v++) {
        bool found = plan->schedule.walk[v] == TSR_PLAN_WALK_AUTO;
        for (int i = 0; i < plan->nterms && !found; i++) {
            const tsr_plan_term *const term = &plan->term[i];
            found = plan->schedule.walk[v] == TSR_PLAN_WALK_LOCATE
                        ? tsr_plan_located(plan, term, plan_place(term->order, term->nvars, v)) >= 0
                        : count_walked(plan, term, v) >= 2;
        }
        if (!found)
            return tsr_fail(
                s->err, TSR_UNSUPPORTED,
                plan->schedule.walk[v] == TSR_PLAN_WALK_LOCATE
                    ? "the schedule asks for %s(%s), but no loop over %s walks two sparse operands of which "
                      "one "
                      "stays the same in the loop around: leave it out (--emit=graph shows the loops)"
                    : "the schedule asks for %s(%s), but no loop over %s walks two sparse operands: leave it "
                      "out (--emit=graph shows the loops)",
                machines[plan->schedule.walk[v]].item, plan->notation->var[v], plan->notation->var[v]);
    }
    return TSR_OK;
}
