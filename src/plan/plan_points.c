/* Sums that a reduction other than += reduces, y(i) max= A(i,j) + B(i,j): the terms are added at each point, that is for one coordinate of each
 * variable, before the sum is reduced. Where the result is dense, loops over all variables stand around all terms. */
#include <math.h>
#include <string.h>

#include "plan_state.h"

enum { MAX_PERMUTED = 4 }; /* orders of more variables are not tried: loops are in the order of the text */

bool plan_adds_first(const plan_state *s)
{
    return tsr_semiring_is_reduction(s->plan->ring) && s->plan->terms->nterms > 1;
}

bool plan_has_points(const plan_state *s)
{
    return plan_adds_first(s) && !plan_is_sparse(s, 0);
}

/* Try all orders of var[k..n); *best is the least cost so far, of the order `kept`; < 0: none. */
static void permute(double *best, int *kept, const plan_state *s, int k)
{
    tsr_plan *const plan = s->plan;
    int *const var = plan->var;
    if (k == plan->nouter || plan->nouter > MAX_PERMUTED) {
        double cost = 0;
        for (int i = 0; i < plan->terms->nterms; i++) {
            plan_order order;
            plan_find_order(&order, s, &plan->terms->term[i], var, plan->nouter);
            cost += order.cost;
        }
        if (cost < HUGE_VAL && (*best < 0 || cost < *best)) {
            *best = cost;
            memcpy(kept, var, (size_t)plan->nouter * sizeof *var);
        }
        return;
    }
    for (int i = k; i < plan->nouter; i++) {
        const int chosen = var[i];
        memmove(&var[k + 1], &var[k], (size_t)(i - k) * sizeof *var);
        var[k] = chosen;
        permute(best, kept, s, k + 1);
        memmove(&var[k], &var[k + 1], (size_t)(i - k) * sizeof *var);
        var[i] = chosen;
    }
}

tsr_status plan_order_points(plan_state *s)
{
    tsr_plan *const plan = s->plan;
    int kept[TSR_MAX_ORDER];
    double best = -1;
    if (s->request->in_storage)
        return tsr_fail(s->err, TSR_UNSUPPORTED,
                        "a sum in a reduction is not computed in storage coordinates");
    if (plan->notation->nvars > TSR_MAX_ORDER)
        return tsr_fail(s->err, TSR_LIMIT, "a sum in a reduction has more than %d variables", TSR_MAX_ORDER);
    plan->nouter = plan->notation->nvars;
    for (int v = 0; v < plan->nouter; v++)
        plan->var[v] = v;
    permute(&best, kept, s, 0);
    if (best >= 0)
        memcpy(plan->var, kept, (size_t)plan->nouter * sizeof *kept);
    return TSR_OK;
}
