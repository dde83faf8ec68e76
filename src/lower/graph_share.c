/* How threads share a term: which positions are cut, and what happens to results that several may touch.
 *
 * The rule. Positions at a depth c are cut into one range per thread, of equally many leaf positions (and
 * positions) each; c is the first depth with LOWER_SHARES positions per thread, so that a cut is fair. Then:
 *
 *   - exclusive, where two positions at depth c never stand for one element of the result; or where the first
 *     level stores its coordinates in order, perhaps several times, and is cut only where that part of them
 *     changes which tells elements of the result apart (rows of COO);
 *   - private, where a copy of the result for each thread costs less than atomic additions: threads *
 *     positions of the result <= ATOMIC_COST * positions added to. Copies of more than COPIES_NBYTES count
 *     PAGE_COST times: the system hands them out anew in each run, page by page;
 *   - atomic else.
 *
 * The costs are measured: an element of a copy is zeroed and added up in about 1 ns, in 8 to 14 ns on new
 * pages; an atomic addition to a double takes 4 to 5 ns more than a plain one (2 threads of Zen 4). A tensor
 * with unknown numbers of positions counts as large. Where there are fewer than LOWER_WORK additions in a
 * term, it runs on one thread. Loops over dense variables are cut into equal ranges: the outermost one over a
 * variable of the result that is long enough.
 *
 * Deterministic: work is cut into as many shares whatever the number of threads, and a thread runs several of
 * them, one after the other. A copy belongs to a share, not to a thread, and copies are added up in the order
 * of the shares. Where atomic additions would be cheaper than copies, the term runs on one thread. The
 * numbers of shares can be divided evenly among many numbers of threads; copies cost memory, so there are
 * fewer, for as many threads as which all else is planned. */
#include "lower_internal.h"

#include "tsr_checked.h"

enum { DETERMINISTIC_SHARES = 48 };
enum { LOWER_WORK = 4096, ATOMIC_COST = 4, PAGE_COST = 8, COPIES_NBYTES = 32 << 20, UNKNOWN = 1 << 20 };

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

/* Have the term run on one thread. */
static void share_nothing(lower_term *term)
{
    term->sharing = TSR_SHARE_EXCLUSIVE;
    term->cut = 0;
    term->cut_var = -1;
}

static tsr_sharing private_or_atomic(const lower_graph *graph, const lower_term *term, uint64_t nstores)
{
    if (graph->schedule.sharing != TSR_SHARE_AUTO)
        return graph->schedule.sharing;
    if (graph->pattern_tensor >= 0)
        return TSR_SHARE_ATOMIC;
    nstores = times(nstores ? nstores : UNKNOWN, free_elements(graph, term));
    uint64_t copies = times(graph->npositions, (uint64_t)graph->nthreads);
    if (times(copies, tsr_type_nbytes(graph->type)) > COPIES_NBYTES)
        copies = times(copies, PAGE_COST);
    return graph->npositions <= LOWER_SHARES || copies <= times(nstores, ATOMIC_COST) ? TSR_SHARE_PRIVATE
                                                                                      : TSR_SHARE_ATOMIC;
}

/* The term's work is cut: what happens to the elements that several threads touch, with nstores additions. */
static void share_among(const lower_graph *graph, lower_term *term, uint64_t nstores)
{
    term->sharing = private_or_atomic(graph, term, nstores);
    if (term->sharing != TSR_SHARE_ATOMIC || !graph->schedule.deterministic)
        return;
    if (graph->schedule.parallel_var && graph->pattern_tensor < 0)
        term->sharing = TSR_SHARE_PRIVATE; /* threads were asked for */
    else
        share_nothing(term);
}

/* what: whose loops the threads share. */
static tsr_status not_exclusive(const lower_graph *graph, const char *what, const char *name, tsr_error *err)
{
    const char *result = graph->notation->tensor[0].name;
    return tsr_fail(err, TSR_UNSUPPORTED,
                    "exclusive(%s): threads that share the loops %s %s would touch the same elements of %s",
                    result, what, name, result);
}

/* ---- loops over dense variables ---- */

static tsr_status share_dense(const lower_graph *graph, lower_term *term, tsr_error *err)
{
    uint64_t work = 1;
    for (int i = 0; i < term->norder; i++)
        work = times(work, graph->size[term->order[i]]);
    if (term->norder == 0 || (work < LOWER_WORK && !graph->schedule.parallel_var))
        return TSR_OK;
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
    if (!lower_has(term->sum, term->cut_var))
        return TSR_OK;
    if (graph->schedule.sharing == TSR_SHARE_EXCLUSIVE)
        return not_exclusive(graph, "over", graph->notation->var[term->cut_var], err);
    share_among(graph, term, work);
    return TSR_OK;
}

/* ---- a driver's loops ---- */

/* The divisor of the first level's coordinates that gives a part of them, rising along the positions, which
 * tells elements of the result apart; 0: there is none. */
static int64_t cut_key(const lower_graph *graph, const lower_term *term)
{
    const tsr_binding *binding = graph->operands[term->driver].binding;
    if (term->nlevels == 0 || !binding->format->levels[0].type->has_crd || term->store < 1 ||
        binding->base[0] != 0)
        return 0;
    if (term->level[0].vars != 0 && (term->level[0].vars >> graph->notation->nfree) == 0)
        return 1;
    for (int m = 0; m < term->access->nindices; m++) {
        const lower_mode *mode = &term->mode[m];
        tsr_digit d;
        int64_t constant;
        if (mode->depth == 1 && mode->binds && lower_is_free(graph, mode->var) &&
            tsr_map_result_digits(&d, 1, &constant, binding->inverse, m) == 1 && d.k > 0 && d.mod == 0)
            return d.div;
    }
    return 0;
}

/* Cut the first level where its key changes; false: it has none, or too few different ones. */
static bool share_by_key(const lower_graph *graph, lower_term *term)
{
    const uint64_t size = graph->operands[term->driver].binding->size[0];
    const int64_t key = cut_key(graph, term);
    if (key == 0 || (graph->schedule.sharing == TSR_SHARE_AUTO &&
                     size / (uint64_t)key < (uint64_t)LOWER_SHARES * (uint64_t)graph->nthreads))
        return false;
    term->cut = 1;
    term->cut_key = key;
    return true;
}

static tsr_status share_driver(const lower_graph *graph, lower_term *term, tsr_error *err)
{
    const tsr_sharing asked = graph->schedule.sharing;
    const int v = graph->schedule.parallel_var - 1;
    const int exclusive = term->distinct < term->store ? term->distinct : term->store;
    const uint64_t nleaves = npositions(graph, term, term->nlevels);
    if (nleaves > 0 && times(nleaves, free_elements(graph, term)) < LOWER_WORK && asked == TSR_SHARE_AUTO &&
        v < 0)
        return TSR_OK;
    const int wanted = v >= 0 && term->known[v] >= 1 ? term->known[v] : 0;
    if (exclusive < 1 && wanted <= 1 && (asked == TSR_SHARE_EXCLUSIVE || asked == TSR_SHARE_AUTO) &&
        share_by_key(graph, term))
        return TSR_OK;
    if (asked == TSR_SHARE_EXCLUSIVE && (exclusive < 1 || wanted > exclusive))
        return not_exclusive(graph, "of", graph->notation->tensor[term->driver].name, err);
    if ((asked == TSR_SHARE_EXCLUSIVE || asked == TSR_SHARE_AUTO) && exclusive >= 1 && wanted <= exclusive) {
        term->cut = wanted ? wanted : fair_depth(graph, term, exclusive);
        const uint64_t n = npositions(graph, term, term->cut);
        if (asked == TSR_SHARE_EXCLUSIVE || wanted || n == 0 || n >= 4 * (uint64_t)graph->nthreads ||
            graph->pattern_tensor >= 0)
            return TSR_OK;
    }
    term->cut = wanted ? wanted : fair_depth(graph, term, term->whole);
    share_among(graph, term, npositions(graph, term, term->store));
    return TSR_OK;
}

/* Whether the loop over v is cut in some term. */
static bool is_cut(const lower_graph *graph, int v)
{
    for (int i = 0; i < graph->nterms; i++) {
        const lower_term *term = &graph->term[i];
        if (term->cut_var == v || (term->cut > 0 && term->known[v] == term->cut) || term->empty)
            return true;
    }
    return false;
}

tsr_status lower_choose_sharing(lower_graph *graph, tsr_error *err)
{
    const bool serial = graph->schedule.serial || graph->nthreads == 1;
    for (int i = 0; i < graph->nterms; i++) {
        lower_term *term = &graph->term[i];
        term->sharing = TSR_SHARE_EXCLUSIVE;
        if (serial || term->empty)
            continue;
        if (term->driver < 0)
            TSR_TRY(share_dense(graph, term, err));
        else if (term->nlevels > 0)
            TSR_TRY(share_driver(graph, term, err));
        if (graph->schedule.deterministic)
            term->nshares =
                term->sharing == TSR_SHARE_PRIVATE ? TSR_DETERMINISTIC_NTHREADS : DETERMINISTIC_SHARES;
    }
    const int v = graph->schedule.parallel_var - 1;
    if (v >= 0 && !serial && !is_cut(graph, v))
        return tsr_fail(err, TSR_UNSUPPORTED, "parallelize(%s): no loop over %s is an outer one",
                        graph->notation->var[v], graph->notation->var[v]);
    return TSR_OK;
}
