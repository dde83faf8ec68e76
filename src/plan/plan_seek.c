/* Terms of several sparse operands that walk or merge some of them, and locate the others.
 *
 * Loops that merge need sorted levels in the order of the loops, and copies of operands that stand otherwise: blocks, hash tables, padded
 * rows, another order of modes. Loops that walk take any kind of level in any order; then the coordinates of the other operands are known,
 * and their positions are computed, or found by a search in each list (tsr_level_walker.find). So a term walks if merging would copy an
 * operand, and a search for each entry of the driver costs less than the copies, where the result is dense. Entries of a sparse one have to
 * come in order: there the operands with sorted levels in this order are walked or merged, and those that would be copied are located at
 * the coordinates where all others are stored. */
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
    for (int l = 1; l < format->nlevels; l++)
        if (format->levels[l].type->has_all ||
            (format->levels[l - 1].nonunique && !format->levels[l].type->branchless))
            return false;
    return true;
}

/* The steps of finding a child by its coordinate, where a parent has about n children with coordinates in [0, size). */
static double level_cost(const tsr_level_type *type, double size, double n)
{
    if (type->is_locatable && type->is_compact) /* bits are counted */
        return PLACE_COST + size / 2;
    if (type->full || type->has_all || type->is_locatable)
        return PLACE_COST + (tsr_level_has(type, TSR_LEVEL_CRD) ? HALF_COST : 0);
    return PLACE_COST + (type->is_ordered ? HALF_COST * log2(n + 1) : n / 2);
}

/* The steps of finding the position of one cell. */
static double find_cost(const plan_state *s, int tensor)
{
    const tsr_binding *const binding = s->operands[tensor].binding;
    const double nstored = plan_nstored(s, tensor);
    double above = 1, cost = 0;
    for (int l = 0; l < binding->format->nlevels; l++) {
        const double size = (double)binding->size[l], here = fmin(above * size, nstored);
        cost += level_cost(binding->format->levels[l].type, size, here > above ? here / above : 0);
        above = fmax(here, 1);
    }
    return cost;
}

/* Whether the schedule leaves the choice to the plan. */
static bool is_free(const plan_state *s)
{
    const tsr_schedule *const schedule = &s->plan->schedule;
    bool asks = schedule->parallel_var || s->request->in_storage;
    for (int v = 0; v < s->plan->notation->nvars; v++)
        asks = asks || schedule->walk[v];
    for (int t = 1; t < s->plan->notation->ntensors; t++)
        asks = asks || (schedule->convert[t][0] && !plan_asks_walk(s->plan, t));
    return !asks;
}

/* Whether the plan may locate the tensor: the schedule leaves the choice, or asks to read the tensor as it is stored. */
static bool is_allowed(const plan_state *s, int tensor)
{
    return s->plan->schedule.said.merges || is_free(s) ||
           (plan_asks_walk(s->plan, tensor) && !s->request->in_storage);
}

/* The cost of loops that walk the access and locate the other sparse factors of the term; infinite where they cannot. */
static double walk_cost(const plan_state *s, const tsr_term *term, const tsr_expr *access)
{
    const bool repeats = tsr_format_keeps_duplicates(s->operands[access->tensor].binding->format);
    double cost = 0;
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
        if ((e->vars & ~access->vars) || !can_find(s, e->tensor) || !is_allowed(s, e->tensor))
            return (double)INFINITY;
        cost += find_cost(s, e->tensor);
    }
    const tsr_plan_operand *const driver = &s->operands[access->tensor];
    const double nstored = plan_nstored(s, access->tensor),
                 npositions = (double)driver->npos[driver->binding->format->nlevels - 1];
    return cost * nstored + (npositions > nstored ? npositions : nstored);
}

/* Whether the factor is a sparse operand. */
static bool is_sparse_factor(const plan_state *s, const tsr_factor *factor)
{
    return factor->expr->kind == TSR_EXPR_ACCESS && plan_is_sparse(s, factor->expr->tensor);
}

const tsr_expr *plan_find_seeking(const plan_state *s, const tsr_term *term)
{
    const tsr_expr *best = NULL, *first = NULL;
    const tsr_schedule_term *const said = plan_said(s->plan, term);
    double least = (double)INFINITY;
    bool several = false;
    for (int f = 0; f < term->nfactors; f++) {
        const tsr_expr *const e = term->factor[f].expr;
        if (!is_sparse_factor(s, &term->factor[f]))
            continue;
        if (term->factor[f].inverse)
            return NULL;
        several = several || (first && !tsr_expr_same_access(first, e));
        first = first ? first : e;
        const double cost = walk_cost(s, term, e);
        if (cost < least && (!said || said->driver == e->tensor)) {
            least = cost;
            best = e;
        }
    }
    plan_order merged;
    if (!several || !best || plan_is_sparse(s, 0))
        return NULL;
    if (said)
        return best;
    plan_find_order(&merged, s, term, NULL, 0);
    return merged.nvars < 0 || (merged.copies > 0 && least < merged.loops + merged.copies) ? best : NULL;
}

uint64_t plan_located_beside(const plan_state *s, const tsr_term *term, const tsr_expr *driver)
{
    uint64_t located = 0;
    for (int f = 0; f < term->nfactors; f++)
        if (driver && is_sparse_factor(s, &term->factor[f]) &&
            !tsr_expr_same_access(driver, term->factor[f].expr))
            located |= UINT64_C(1) << f;
    return located;
}

/* ---- beside loops that merge ---- */

/* Whether a loop over coordinates of other operands of the term can be around the search for factor f. */
static bool may_locate(const plan_state *s, const tsr_term *term, int f, uint64_t located)
{
    const tsr_expr *const e = term->factor[f].expr;
    uint32_t others = 0;
    if (!is_sparse_factor(s, &term->factor[f]) || term->factor[f].inverse || e->mask != TSR_MASK_NONE ||
        e->has_step || !can_find(s, e->tensor) || !is_allowed(s, e->tensor))
        return false;
    for (int k = 0; k < term->nfactors; k++) {
        const tsr_factor *const other = &term->factor[k];
        if (k != f && !(located >> k & 1) && is_sparse_factor(s, other) && !other->inverse &&
            other->expr->mask != TSR_MASK_ABSENT && !tsr_expr_same_access(other->expr, e))
            others |= other->expr->vars;
    }
    return (e->vars & ~others) == 0;
}

double plan_seek_cost(const plan_state *s, const tsr_term *term, uint64_t located, double *part)
{
    double cost = 0;
    for (int f = 0; f < term->nfactors; f++) {
        if (!(located >> f & 1))
            continue;
        const tsr_expr *const e = term->factor[f].expr;
        double cells = 1;
        for (int m = 0; m < e->nindices; m++)
            cells *= (double)s->operands[e->tensor].binding->dims[m];
        cost += find_cost(s, e->tensor);
        *part *= cells > 0 ? plan_nstored(s, e->tensor) / cells : 0;
    }
    return cost;
}

/* The order of the loops of the term, the outermost one over the first level of the result, where that has one variable. */
static void find_order(plan_order *order, const plan_state *s, const tsr_term *term)
{
    const tsr_format *const format = s->operands[0].binding->format;
    int perm[TSR_MAX_LEVELS];
    const bool is_plain = tsr_format_is_permutation(format, perm) && format->nlevels > 0 &&
                          s->plan->schedule.norder == 0 && !s->plan->schedule.said.merges;
    const int first = is_plain ? s->plan->notation->result->index[perm[0]] : 0;
    plan_find_order(order, s, term, &first, is_plain);
}

/* The factors that have the same access as factor f. */
static uint64_t same_as(const tsr_term *term, int f)
{
    uint64_t same = 0;
    for (int k = 0; k < term->nfactors; k++)
        if (term->factor[k].expr->kind == TSR_EXPR_ACCESS &&
            tsr_expr_same_access(term->factor[k].expr, term->factor[f].expr))
            same |= UINT64_C(1) << k;
    return same;
}

/* Locate the factors of the term, one after the other, that make it cheaper and save a copy; first those that must not be copied. */
static void locate_factors(plan_state *s, int i)
{
    const tsr_term *const term = &s->plan->terms->term[i];
    uint64_t *const located = &s->plan->term[i].located;
    const tsr_schedule_term *const said = plan_said(s->plan, term);
    uint64_t best;
    plan_order now, other;
    for (int f = 0; f < term->nfactors && said; f++)
        if (may_locate(s, term, f, *located) && said->located >> term->factor[f].expr->tensor & 1)
            *located |= same_as(term, f);
    if (said)
        return;
    find_order(&now, s, term);
    for (int f = 0; f < term->nfactors && now.nvars < 0; f++)
        if (is_sparse_factor(s, &term->factor[f]) && plan_asks_walk(s->plan, term->factor[f].expr->tensor) &&
            may_locate(s, term, f, *located))
            *located |= same_as(term, f);
    if (*located)
        find_order(&now, s, term);
    do {
        const uint64_t before = *located;
        best = before;
        for (int f = 0; f < term->nfactors && now.nvars >= 0 && now.copies > 0; f++) {
            if (before >> f & 1 || !may_locate(s, term, f, before))
                continue;
            *located = before | same_as(term, f);
            find_order(&other, s, term);
            if (other.nvars < 0 || other.copies >= now.copies ||
                other.loops + other.copies >= now.loops + now.copies)
                continue;
            now = other;
            best = *located;
        }
        *located = best;
        if (best == before)
            return;
    } while (now.copies > 0);
}

/* Whether e reads the tensor. */
static bool reads(const tsr_expr *e, int tensor)
{
    return e &&
           (e->kind == TSR_EXPR_ACCESS ? e->tensor == tensor : reads(e->a, tensor) || reads(e->b, tensor));
}

/* Whether a factor reads the tensor that is not located: if that needs a copy, all loops can read it. */
static bool has_others(const plan_state *s, int tensor)
{
    bool has = false;
    for (int i = 0; i < s->plan->nterms; i++)
        for (int f = 0; f < s->plan->terms->term[i].nfactors; f++)
            has = has || (!(s->plan->term[i].located >> f & 1) &&
                          reads(s->plan->terms->term[i].factor[f].expr, tensor));
    return has;
}

void plan_locate_factors(plan_state *s)
{
    tsr_plan *const plan = s->plan;
    for (int i = 0; i < plan->nterms && plan_is_sparse(s, 0); i++)
        if (plan->terms->term[i].nfactors > 1)
            locate_factors(s, i);
    for (int i = 0; i < plan->nterms; i++)
        for (int f = 0; f < plan->terms->term[i].nfactors; f++)
            if (plan->term[i].located >> f & 1 && has_others(s, plan->terms->term[i].factor[f].expr->tensor))
                plan->term[i].located &= ~(UINT64_C(1) << f);
}
