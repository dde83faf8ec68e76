/* How threads share a term: which positions are cut, and what happens to results that several may touch.
 *
 * The rule. Positions at a depth c are cut into one range per thread, of equally many leaf positions (and
 * positions) each; c is the first depth with LOWER_SHARES positions per thread, so that a cut is fair. Then:
 *
 *   - exclusive, where two positions at depth c never stand for one element of the result;
 *   - private, where a copy of the result for each thread costs no more than the additions to it: threads *
 *     positions of the result <= positions added to (or the result has at most LOWER_SHARES of them);
 *   - atomic else.
 *
 * A tensor with unknown numbers of positions counts as large. Where there are fewer than LOWER_WORK additions
 * in a term, it runs on one thread. Loops over dense variables are cut into equal ranges: the outermost one
 * over a variable of the result that is long enough. */
#include "lower_internal.h"

#include "tsr_checked.h"

enum { LOWER_WORK = 4096 };

/* Positions at depth d of the driver; 0: not known. */
static uint64_t npositions(const lower_graph *graph, const lower_term *term, int d)
{
    const tsr_lower_operand *operand = &graph->operands[term->driver];
    uint64_t n = 1;
    if (d > 0 && operand->npos[d - 1] > 0)
        return operand->npos[d - 1];
    for (int l = 0; l < d; l++)
        if (!operand->binding->format->levels[l].type->full ||
            !tsr_mul_u64(&n, n, operand->binding->pitch[l]))
            return 0;
    return n;
}

/* a * b, at most UINT64_MAX. */
static uint64_t times(uint64_t a, uint64_t b)
{
    return tsr_mul_u64(&a, a, b) ? a : UINT64_MAX;
}

/* The first depth in [1, most] with enough positions. */
static int fair_depth(const lower_graph *graph, const lower_term *term, int most)
{
    int depth = 1;
    for (; depth < most; depth++) {
        const uint64_t n = npositions(graph, term, depth);
        if (n == 0 || n >= (uint64_t)LOWER_SHARES * (uint64_t)graph->nthreads)
            break;
    }
    return depth;
}

static uint64_t free_elements(const lower_graph *graph, const lower_term *term)
{
    uint64_t n = 1;
    for (int v = 0; v < graph->notation->nfree; v++)
        if (lower_has(term->dense, v))
            n = times(n, graph->size[v]);
    return n;
}

static tsr_sharing private_or_atomic(const lower_graph *graph, const lower_term *term, uint64_t nstores)
{
    if (graph->schedule.sharing != TSR_SHARE_AUTO)
        return graph->schedule.sharing;
    if (graph->pattern_tensor >= 0)
        return TSR_SHARE_ATOMIC;
    if (nstores > 0)
        nstores = times(nstores, free_elements(graph, term));
    return graph->npositions <= LOWER_SHARES ||
                   times(graph->npositions, (uint64_t)graph->nthreads) <= (nstores ? nstores : 1 << 20)
               ? TSR_SHARE_PRIVATE
               : TSR_SHARE_ATOMIC;
}

/* ---- loops over dense variables ---- */

static void share_dense(const lower_graph *graph, lower_term *term)
{
    uint64_t work = 1;
    for (int i = 0; i < term->norder; i++)
        work = times(work, graph->size[term->order[i]]);
    if (term->norder == 0 || (work < LOWER_WORK && !graph->schedule.parallel_var))
        return;
    int chosen = -1;
    for (int i = 0; i < term->norder; i++) {
        const int v = term->order[i];
        if (graph->schedule.parallel_var == v + 1) {
            chosen = v;
            break;
        }
        if (lower_has(term->sum, v))
            continue;
        if (chosen < 0 ||
            (graph->size[chosen] < 4 * (uint64_t)graph->nthreads && graph->size[v] > graph->size[chosen]))
            chosen = v;
    }
    term->cut_var = chosen >= 0 ? chosen : term->order[0];
    if (lower_has(term->sum, term->cut_var))
        term->sharing = private_or_atomic(graph, term, work);
}

/* ---- a driver's loops ---- */

static tsr_status share_driver(const lower_graph *graph, lower_term *term, tsr_error *err)
{
    const tsr_sharing asked = graph->schedule.sharing;
    const int v = graph->schedule.parallel_var - 1;
    const int exclusive = term->distinct < term->store ? term->distinct : term->store;
    const uint64_t nleaves = npositions(graph, term, term->nlevels);
    if (nleaves > 0 && times(nleaves, free_elements(graph, term)) < LOWER_WORK && asked == TSR_SHARE_AUTO &&
        v < 0)
        return TSR_OK;
    if (v >= 0 && term->known[v] < 1)
        return tsr_fail(err, TSR_UNSUPPORTED, "parallelize(%s): the loops of %s do not bind %s",
                        graph->notation->var[v], graph->notation->tensor[term->driver].name,
                        graph->notation->var[v]);
    const int wanted = v >= 0 ? term->known[v] : 0;
    if (asked == TSR_SHARE_EXCLUSIVE && (exclusive < 1 || wanted > exclusive))
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "exclusive(%s): threads that share the loops of %s would touch the same elements of %s",
            graph->notation->tensor[0].name, graph->notation->tensor[term->driver].name,
            graph->notation->tensor[0].name);
    if ((asked == TSR_SHARE_EXCLUSIVE || asked == TSR_SHARE_AUTO) && exclusive >= 1 && wanted <= exclusive) {
        term->cut = wanted ? wanted : fair_depth(graph, term, exclusive);
        const uint64_t n = npositions(graph, term, term->cut);
        if (asked == TSR_SHARE_EXCLUSIVE || wanted || n == 0 || n >= 4 * (uint64_t)graph->nthreads ||
            graph->pattern_tensor >= 0)
            return TSR_OK;
    }
    term->cut = wanted ? wanted : fair_depth(graph, term, term->nlevels);
    term->sharing = private_or_atomic(graph, term, npositions(graph, term, term->store));
    return TSR_OK;
}

tsr_status lower_choose_sharing(lower_graph *graph, tsr_error *err)
{
    bool serial = graph->schedule.serial || graph->nthreads == 1;
    for (int i = 0; i < graph->nterms; i++) {
        lower_term *term = &graph->term[i];
        term->sharing = TSR_SHARE_EXCLUSIVE;
        if (serial)
            continue;
        if (term->driver < 0)
            share_dense(graph, term);
        else if (term->nlevels > 0 && !graph->operands[term->driver].binding->empty)
            TSR_TRY(share_driver(graph, term, err));
    }
    return TSR_OK;
}
