/* Terms of several sparse operands that walk one of them, and locate all others.
 *
 * Loops that merge need sorted levels in the order of the loops, and copies of operands that stand otherwise: blocks, hash tables, padded
 * rows, another order of modes. Loops that walk take any kind of level in any order; then the coordinates of the other operands are known,
 * and their positions are computed, or found by a search in each list (tsr_level_walker.find). So a term walks if merging would copy an
 * operand, and a search for each entry of the driver costs less than the copies. The result is dense: entries of a sparse one would have to
 * come in order. Where the schedule names the variable that threads share, loops over variables merge. */
#include <math.h>

#include "plan_state.h"

/* Steps of computing a position, and of one halving of a list. */
#define PLACE_COST 2.0
#define HALF_COST 4.0

/* Whether all results of the map can be computed from a point. */
static bool is_computed(const tsr_map *map, int nresults)
{
    for (int r = 0; r < nresults; r++)
        if (tsr_map_result_counts(map, r))
            return false;
    return true;
}

bool plan_has_loops(const plan_state *s, int tensor)
{
    const tsr_binding *const binding = s->operands[tensor].binding;
    return is_computed(binding->forward, binding->format->nlevels) &&
           (tsr_format_is_permutation(binding->format, NULL) ||
            is_computed(binding->inverse, binding->format->order));
}

/* Whether the position of a cell can be found. */
static bool can_find(const plan_state *s, int tensor)
{
    const tsr_binding *const binding = s->operands[tensor].binding;
    const tsr_format *const format = binding->format;
    if (tsr_format_keeps_duplicates(format) || binding->empty ||
        !is_computed(binding->forward, format->nlevels))
        return false;
    for (int l = 0; l < format->nlevels; l++)
        if (!format->levels[l].type->can_find ||
            (l > 0 && format->levels[l - 1].nonunique && !format->levels[l].type->branchless))
            return false;
    return true;
}

/* The steps of finding the position of one cell. */
static double find_cost(const plan_state *s, int tensor)
{
    const tsr_binding *const binding = s->operands[tensor].binding;
    const double nstored = plan_nstored(s, tensor);
    double above = 1, cost = 0;
    for (int l = 0; l < binding->format->nlevels; l++) {
        const double cells = above * (double)binding->size[l], here = cells < nstored ? cells : nstored;
        const bool is_list = tsr_level_has(binding->format->levels[l].type, TSR_LEVEL_CRD);
        cost += PLACE_COST;
        cost += is_list && here > above ? HALF_COST * log2(here / above + 1) : 0;
        above = here > 1 ? here : 1;
    }
    return cost;
}

/* The cost of loops that walk the access and locate the other sparse factors of the term; infinite where they cannot. */
static double walk_cost(const plan_state *s, const tsr_term *term, const tsr_expr *access)
{
    const bool repeats = tsr_format_keeps_duplicates(s->operands[access->tensor].binding->format);
    double cost = 1;
    if (!plan_has_loops(s, access->tensor) || (repeats && !tsr_plan_is_plus_times(s->plan)))
        return (double)INFINITY;
    for (int f = 0; f < term->nfactors; f++) {
        const tsr_expr *const e = term->factor[f].expr;
        if (e->kind != TSR_EXPR_ACCESS || !plan_is_sparse(s, e->tensor))
            continue;
        if (tsr_expr_same_access(e, access) && !repeats)
            continue;
        if (e == access)
            continue;
        if ((e->vars & ~access->vars) || !can_find(s, e->tensor))
            return (double)INFINITY;
        cost += find_cost(s, e->tensor);
    }
    return cost * plan_nstored(s, access->tensor);
}

const tsr_expr *plan_find_seeking(const plan_state *s, const tsr_term *term)
{
    const tsr_expr *best = NULL, *first = NULL;
    double least = (double)INFINITY;
    bool several = false;
    for (int f = 0; f < term->nfactors; f++) {
        const tsr_expr *const e = term->factor[f].expr;
        if (e->kind != TSR_EXPR_ACCESS || !plan_is_sparse(s, e->tensor))
            continue;
        if (term->factor[f].inverse)
            return NULL;
        several = several || (first && !tsr_expr_same_access(first, e));
        first = first ? first : e;
        const double cost = walk_cost(s, term, e);
        if (cost < least) {
            least = cost;
            best = e;
        }
    }
    plan_order merged;
    if (!several || !best || plan_is_sparse(s, 0) || s->plan->schedule.parallel_var)
        return NULL;
    plan_find_order(&merged, s, term, NULL, 0);
    return merged.nvars >= 0 && merged.copies > 0 && least < merged.cost ? best : NULL;
}
