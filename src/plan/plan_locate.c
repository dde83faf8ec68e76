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

static int rank_of(const tsr_plan_term *term, int v)
{
    int k = 0;
    while (k < term->nvars && term->order[k] != v)
        k++;
    return k;
}

/* Whether the access has exactly one level over v, which is compressed and has no window. *before: the number of the loop that
 * binds the parent of the level; -1 if it is the first level. */
static bool find_level(int *before, const tsr_plan *plan, const tsr_plan_term *term, int a, int v)
{
    const tsr_plan_access *access = &plan->access[a];
    const tsr_plan_view *view = &plan->view[access->view];
    int n = 0;
    for (int l = 0; l < view->nlevels; l++) {
        if (access->expr->index[view->mode[l]] != v)
            continue;
        if (view->full[l] || tsr_expr_window(access->expr, view->mode[l]))
            return false;
        *before = l > 0 ? rank_of(term, access->expr->index[view->mode[l - 1]]) : -1;
        n++;
    }
    return n == 1;
}

/* Whether loop k of the term may have a table: it is inside another loop of the term, and the table fits. */
static bool may_have_table(const tsr_plan *plan, const tsr_plan_term *term, int k)
{
    return k >= 1 && k < term->nvars && k - 1 >= plan->nouter && !plan->storage.parts &&
           (double)plan->size[term->order[k]] * plan->target.nthreads <= (double)PLAN_MAX_PLACES;
}

int tsr_plan_located(const tsr_plan *plan, const tsr_plan_term *term, int k)
{
    int located = -1, nwalked = 0, nlast = 0;
    const tsr_plan_walk asked = k < term->nvars ? plan->schedule.walk[term->order[k]] : TSR_PLAN_WALK_AUTO;
    if (!may_have_table(plan, term, k) || (asked != TSR_PLAN_WALK_AUTO && asked != TSR_PLAN_WALK_LOCATE) ||
        plan->rows.workspace == TSR_PLAN_WORKSPACE_BITMAP)
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
    const tsr_plan_access *access = &plan->access[mask];
    const tsr_plan_view *view = &plan->view[access->view];
    int before = -1;
    return may_have_table(plan, term, k) &&
           access->expr->index[view->mode[view->nlevels - 1]] == term->order[k] &&
           find_level(&before, plan, term, mask, term->order[k]) && before >= 0 && before < k - 1;
}

/* The list of the access over v, which has no window and is not compound; -1: there is none. */
static int plain_list(const tsr_plan *plan, int a, int v)
{
    const tsr_plan_access *const access = &plan->access[a];
    const tsr_plan_view *const view = &plan->view[access->view];
    int l = 0;
    while (l < view->nlevels && (view->full[l] || access->expr->index[view->mode[l]] != v))
        l++;
    return l < view->nlevels && !tsr_expr_window(access->expr, view->mode[l]) &&
                   tsr_plan_nparts(plan, view->tensor, l) == 1
               ? l
               : -1;
}

bool tsr_plan_gallops(const tsr_plan *plan, int v, int a, int b)
{
    const int l = plain_list(plan, a, v), k = plain_list(plan, b, v);
    return !plan->schedule.plain && plan->schedule.walk[v] != TSR_PLAN_WALK_MERGE && l >= 0 && k >= 0 &&
           plan->view[plan->access[a].view].crd_nbytes[l] == plan->view[plan->access[b].view].crd_nbytes[k];
}

/* The sparse operands of the term that a loop over v walks. */
static int count_walked(const tsr_plan *plan, const tsr_plan_term *term, int v)
{
    int n = 0;
    for (int i = 0; i < term->naccesses; i++) {
        const int a = term->access[i], l = plan_level_of(plan, a, v);
        n += l >= 0 && !plan->view[plan->access[a].view].full[l];
    }
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
                        ? tsr_plan_located(plan, term, rank_of(term, v)) >= 0
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
