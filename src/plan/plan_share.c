/* How threads share the loops of a kernel: what is cut, what the shares have in equal numbers, and how threads add to elements that
 * several of them touch. This is the one rule, and this file decides by it: the constants are below and in tsr_tuning.h; plan_interval.c says
 * which part of a copy a share touches, plan_work.c what parts of loops that merge have in equal numbers. lower_share.c
 * writes the loops over threads and the copies, lower_cut.c the ranges of a share.
 * `tkern --emit=plan` prints the decisions in the lines "threads:"; those of the cases of test_lower_text.c are in
 * tests/golden/lower. docs/kernels.md, "Threads", describes the rule to users.
 *
 * What is cut. Loops that walk: positions at a depth c are cut into one range per thread, with an equal number of leaf positions
 * (and positions) in each; c is the first depth with PLAN_SHARES positions per thread, so that the ranges are even. A term
 * without a driver: the outermost loop over a variable of the result that is long enough, into equal ranges. Where the level above a dense last level only
 * says which diagonals there are (dia), and the last level's coordinate is that of the result, each thread walks all diagonals in
 * windows of coordinates of its own. A term with fewer than WORK additions runs on one thread. Loops that merge: the outermost
 * loop is cut; a sparse result is made in pieces, which threads take one after the other. The parts have equal numbers of products
 * where rows of the result are sums of rows of an operand (Gustavson's product), else of entries of the operands that have rows over
 * the variable, else of coordinates.
 *
 * How threads add:
 *
 *   - exclusive, where two parts never have the same element of the result: the loop that is cut is over a variable of the result;
 *     or the first level stores its coordinates in order, perhaps repeatedly, and cuts are made only where the part of the
 *     coordinate that belongs to the result changes (rows of COO); or the coordinates of a level, dense or a list, select the
 *     elements, and all levels above are dense and have few positions (strips of a tensor): then these coordinates are cut, and
 *     each thread walks all positions above. An entry of a sparse result belongs to the thread that appends it;
 *   - private, where a copy of the result for each thread costs less than atomic additions: elements of the result that all threads
 *     touch in their copies <= atomic_cost * additions. A thread touches all elements, or fewer where the format says so
 *     (plan_interval.c). Copies of more than copies_nbytes count page_cost times: the system provides their pages anew in each run;
 *   - atomic in all other cases: sums of plus-times alone.
 *
 * The costs are measured: an element of a copy is zeroed and added up in about 1 ns, in 8 to 14 ns on new pages; an atomic addition
 * to a double takes 4 to 5 ns more than a plain one (2 threads of Zen 4). A tensor with unknown numbers of positions counts as
 * large.
 *
 * Deterministic: the number of shares is fixed, whatever the number of threads, and a thread runs several shares, one after the
 * other. A copy belongs to a share, not to a thread, and copies are added up in the order of the shares. Where atomic additions
 * would be cheaper than copies, the term runs on one thread. DETERMINISTIC_SHARES divides evenly among many numbers of threads.
 * Copies cost memory, so a term with copies has only TSR_DETERMINISTIC_NTHREADS shares. */
#include "plan_state.h"

#include "tsr_checked.h"

enum { DETERMINISTIC_SHARES = 48 };
enum {
    MAX_ABOVE = 256,
    ABOVE_SHARE = 16
}; /* positions above the level of TSR_CUT_ACROSS, also as a share of its coordinates */
enum { WORK = 4096, UNKNOWN = 1 << 20 };

const char *const plan_sharing_words[] = {
    [TSR_SHARE_EXCLUSIVE] = "exclusive", [TSR_SHARE_PRIVATE] = "private", [TSR_SHARE_ATOMIC] = "atomic"};

/* ---- how parts meet ---- */

/* Parts of loops that may touch the same elements of the result. */
typedef struct crowd {
    const char *what, *name;  /* the loops that are cut: "over" and a variable, or "of" and a tensor */
    double nelements, copied; /* of the result; that are touched in all copies of it */
    double added;             /* additions to the result */
} crowd;

static bool is_sum(const tsr_plan *plan)
{
    return plan->ring->add == TSR_COMBINE_ADD;
}

int plan_asked_cut(const tsr_plan *plan, const tsr_nest *nest)
{
    const int v = plan->schedule.parallel_var - 1;
    for (int i = 0; i < plan->nterms && i < plan->schedule.said.nterms; i++)
        if (plan->term[i].nest == nest && plan->schedule.said.term[i].level)
            return plan->schedule.said.term[i].level;
    return v >= 0 && nest->known[v] > 0 ? nest->known[v] : 0;
}

/* Whether the schedule lets parts have elements of their own. */
static bool may_be_exclusive(const tsr_plan *plan)
{
    return plan->schedule.sharing == TSR_SHARE_AUTO || plan->schedule.sharing == TSR_SHARE_EXCLUSIVE;
}

/* Whether copies cost less than atomic additions. */
static bool copies_pay(const tsr_plan *plan, const crowd *c)
{
    const tsr_tuning *const tuning = &plan->target.tuning;
    const double nbytes = (double)tsr_type_nbytes(plan->walk.operand[0].type);
    const bool is_new = c->copied * nbytes > (double)tuning->copies_nbytes;
    return plan->walk.pattern_tensor < 0 &&
           (c->nelements <= PLAN_SHARES ||
            c->copied * (is_new ? (double)tuning->page_cost : 1) <= c->added * (double)tuning->atomic_cost);
}

bool plan_workspaces_pay(const tsr_plan *plan, double ncells, double added)
{
    const crowd c = {
        .nelements = ncells, .copied = ncells * plan->target.nthreads * (1 + 1.0 / 8), .added = added / 2};
    return added >= WORK && copies_pay(plan, &c);
}

/* Set how the parts add, private or atomic; nothing is cut any more where neither is possible. */
static tsr_status meet(tsr_plan_share *share, const tsr_plan *plan, const crowd *c, tsr_error *err)
{
    const char *const result = plan->notation->tensor[0].name;
    const tsr_sharing asked = plan->schedule.sharing;
    if (asked == TSR_SHARE_EXCLUSIVE)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "exclusive(%s): threads that share the loops %s %s would add to the same elements of %s: "
            "use private or atomic",
            result, c->what, c->name, result);
    if (asked == TSR_SHARE_ATOMIC && !is_sum(plan))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "atomic(%s): only sums are atomic, not the + of the semiring %s", result,
                        plan->ring->name);
    share->sharing = asked != TSR_SHARE_AUTO ? asked
                     : copies_pay(plan, c)   ? TSR_SHARE_PRIVATE
                                             : TSR_SHARE_ATOMIC;
    if (share->sharing == TSR_SHARE_PRIVATE || (is_sum(plan) && !plan->schedule.deterministic))
        return TSR_OK;
    if (plan->schedule.parallel_var && plan->walk.pattern_tensor < 0)
        share->sharing = TSR_SHARE_PRIVATE; /* threads were asked for */
    else
        *share = (tsr_plan_share){.sharing = TSR_SHARE_EXCLUSIVE};
    return TSR_OK;
}

/* The number of shares, where the schedule fixes it. */
static void count_shares(tsr_plan_share *share, const tsr_plan *plan)
{
    if (share->cut && plan->schedule.deterministic)
        share->nshares =
            share->sharing == TSR_SHARE_PRIVATE ? TSR_DETERMINISTIC_NTHREADS : DETERMINISTIC_SHARES;
}

/* ---- nests without a driver ---- */

static tsr_status share_dense(const tsr_plan *plan, tsr_nest *term, tsr_error *err)
{
    uint64_t work = 1;
    for (int i = 0; i < term->sink.norder; i++)
        work = plan_times(work, plan->size[term->sink.order[i]]);
    if (term->sink.norder == 0 || (work < WORK && !plan->schedule.parallel_var))
        return TSR_OK;
    int chosen = -1;
    for (int i = 0; i < term->sink.norder; i++) {
        const int v = term->sink.order[i];
        if (plan->schedule.parallel_var == v + 1) {
            chosen = v;
            break;
        }
        if (tsr_plan_has(term->sum, v))
            continue;
        if (chosen < 0 ||
            (plan->size[chosen] < 4 * (uint64_t)plan->target.nthreads && plan->size[v] > plan->size[chosen]))
            chosen = v;
    }
    const int v = chosen >= 0 ? chosen : term->sink.order[0];
    term->share.cut = TSR_CUT_LOOP;
    term->share.var = v;
    term->share.work = plan_work_of(plan, v);
    if (!tsr_plan_has(term->sum, v)) /* atomic and private are of terms that need it */
        return TSR_OK;
    const crowd c = {.what = "over",
                     .name = plan->notation->var[v],
                     .nelements = (double)plan->walk.npositions,
                     .copied = (double)plan_copied_elements(plan, term),
                     .added = (double)work};
    return meet(&term->share, plan, &c, err);
}

/* ---- nests with a driver ---- */

/* Cut the positions of depth d. */
static void cut_positions(tsr_nest *term, int d)
{
    term->share.cut = TSR_CUT_POSITIONS;
    term->share.level = d - 1;
}

/* The first depth in [1, most] with enough positions for even ranges. */
static int fair_depth(const tsr_plan *plan, const tsr_nest *term, int most)
{
    int depth = 1;
    for (; depth < most; depth++) {
        const uint64_t n = tsr_nest_known_positions(plan, term, depth);
        if (n == 0 || n >= (uint64_t)PLAN_SHARES * (uint64_t)plan->target.nthreads)
            break;
    }
    return depth;
}

/* A divisor k > 0 such that (first level's coordinate floordiv k) rises along the positions, and positions
 * where it differs belong to different elements of the result; 0: there is not such a divisor. */
static int64_t cut_key(const tsr_plan *plan, const tsr_nest *term)
{
    const tsr_binding *binding = plan->walk.operand[term->driver].binding;
    if (term->nlevels == 0 || !tsr_level_is_list(binding->format->levels[0].type) || term->sink.store < 1 ||
        binding->base[0] != 0)
        return 0;
    if (term->level[0].vars != 0 && (term->level[0].vars >> plan->notation->nfree) == 0)
        return 1;
    for (int m = 0; m < term->access->nindices; m++) {
        const tsr_nest_mode *mode = &term->mode[m];
        tsr_digit d;
        int64_t constant;
        if (mode->depth == 1 && mode->binds && tsr_plan_is_free(plan, mode->var) &&
            tsr_map_result_digits(&d, 1, &constant, binding->inverse, m) == 1 && d.k > 0 && d.mod == 0)
            return d.div;
    }
    return 0;
}

/* Cut the first level where its key changes; false: it does not have a key, or too few different keys. */
static bool share_by_key(const tsr_plan *plan, tsr_nest *term)
{
    const uint64_t size = plan->walk.operand[term->driver].binding->size[0];
    const int64_t key = cut_key(plan, term);
    if (key == 0 || (plan->schedule.sharing == TSR_SHARE_AUTO &&
                     size / (uint64_t)key < (uint64_t)PLAN_SHARES * (uint64_t)plan->target.nthreads))
        return false;
    cut_positions(term, 1);
    term->share.key = key;
    return true;
}

/* The deepest depth at which the positions can be cut: a level that is packed at once is cut only as the first
 * one, where its type allows it. */
static int deepest_cut(const tsr_plan *plan, const tsr_nest *term)
{
    const tsr_format *format = plan->walk.operand[term->driver].binding->format;
    int depth = 0;
    while (depth < term->nlevels) {
        const tsr_level_type *type = format->levels[depth].type;
        if (type->assemble && !(depth == 0 && type->is_splittable))
            break;
        depth++;
    }
    return depth;
}

/* The level whose coordinates threads may share, so that each element of the result belongs to one of them; 0: there
 * is not such a level. See TSR_CUT_ACROSS. */
static int find_across(const tsr_plan *plan, const tsr_nest *term, int deepest)
{
    const tsr_binding *binding = plan->walk.operand[term->driver].binding;
    const int most = plan->walk.pattern_tensor >= 0 ? 0
                     : term->sink.store < deepest   ? term->sink.store
                                                    : deepest;
    for (int l = 0; l < most && l < term->whole; l++) {
        const uint64_t above = tsr_nest_known_positions(plan, term, l), size = binding->size[l];
        const tsr_level_type *type = binding->format->levels[l].type;
        int64_t constant;
        tsr_digit d;
        if (above == 0 || above > MAX_ABOVE || !(type->full || tsr_level_is_list(type)))
            break;
        if (l > 0 && binding->format->levels[l].pitch == 0 && binding->base[l] == 0 &&
            size >= (uint64_t)PLAN_SHARES * (uint64_t)plan->target.nthreads && above * ABOVE_SHARE <= size &&
            tsr_map_result_digits(&d, 1, &constant, binding->forward, l) == 1 && constant == 0 && d.k == 1 &&
            d.mod == 0 && term->mode[d.dim].binds && !tsr_expr_window(term->access, d.dim) &&
            tsr_plan_is_free(plan, term->mode[d.dim].var))
            return l;
        if (!type->full)
            break;
    }
    return 0;
}

static tsr_status share_driver(const tsr_plan *plan, tsr_nest *term, tsr_error *err)
{
    const tsr_sharing asked = plan->schedule.sharing;
    const int cut = plan_asked_cut(plan, term), deepest = deepest_cut(plan, term);
    const int whole = term->whole < deepest ? term->whole : deepest;
    int exclusive = term->sink.distinct < term->sink.store ? term->sink.distinct : term->sink.store;
    exclusive = exclusive < deepest ? exclusive : deepest;
    if (term->special.window) {
        term->share.cut = TSR_CUT_WINDOWS;
        term->share.level = term->special.window;
        return TSR_OK;
    }
    const uint64_t nleaves = tsr_nest_known_positions(plan, term, term->nlevels),
                   nfree = plan_free_elements(plan, term);
    if (deepest == 0 ||
        (nleaves > 0 && plan_times(nleaves, nfree) < WORK && asked == TSR_SHARE_AUTO && cut == 0))
        return TSR_OK;
    const int wanted = cut <= deepest ? cut : 0;
    if (exclusive < 1 && wanted <= 1 && may_be_exclusive(plan) && share_by_key(plan, term))
        return TSR_OK;
    const int across = find_across(plan, term, deepest);
    const bool takes_across = may_be_exclusive(plan) && across > 0 && (wanted == 0 || wanted == across + 1);
    if (may_be_exclusive(plan) && exclusive >= 1 && wanted <= exclusive) {
        cut_positions(term, wanted ? wanted : fair_depth(plan, term, exclusive));
        const uint64_t n = tsr_nest_known_positions(plan, term, term->share.level + 1);
        if ((asked == TSR_SHARE_EXCLUSIVE && !takes_across) || wanted || n == 0 ||
            n >= 4 * (uint64_t)plan->target.nthreads || plan->walk.pattern_tensor >= 0)
            return TSR_OK;
    }
    if (takes_across) {
        term->share.cut = TSR_CUT_ACROSS;
        term->share.level = across;
        return TSR_OK;
    }
    cut_positions(term, wanted ? wanted : fair_depth(plan, term, whole));
    term->share.interval = plan_find_interval(plan, term);
    const uint64_t nstores = tsr_nest_known_positions(plan, term, term->sink.store);
    const crowd c = {.what = "of",
                     .name = plan->notation->tensor[term->driver].name,
                     .nelements = (double)plan->walk.npositions,
                     .copied = (double)plan_copied_elements(plan, term),
                     .added = (double)plan_times(nstores ? nstores : UNKNOWN, nfree)};
    return meet(&term->share, plan, &c, err);
}

static tsr_status share_nest(const tsr_plan *plan, tsr_nest *nest, tsr_error *err)
{
    const bool is_serial = tsr_plan_is_serial(plan);
    nest->share.sharing = TSR_SHARE_EXCLUSIVE;
    if (nest->empty)
        return TSR_OK;
    if (nest->driver >= 0 && (is_serial || (may_be_exclusive(plan) && !plan->schedule.parallel_var)))
        plan_choose_windows(plan, nest);
    if (is_serial || (nest->driver >= 0 && nest->nlevels == 0))
        return TSR_OK;
    TSR_TRY(nest->driver < 0 ? share_dense(plan, nest, err) : share_driver(plan, nest, err));
    count_shares(&nest->share, plan);
    return TSR_OK;
}

/* ---- loops that merge ---- */

/* The elements of the result. */
static double nelements(const tsr_plan *plan)
{
    double n = 1;
    for (int k = 0; k < plan->nresult; k++)
        n *= (double)plan->walk.operand[0].binding->dims[k];
    return n;
}

/* Cut the loop over v. How many values it adds is not known: halfway between the least and the most, what is lost by a wrong
 * choice is least. */
static tsr_status share_loop(tsr_plan_share *share, const tsr_plan *plan, int v, double added, tsr_error *err)
{
    *share = (tsr_plan_share){
        .cut = TSR_CUT_LOOP, .var = v, .sharing = TSR_SHARE_EXCLUSIVE, .work = plan_work_of(plan, v)};
    const crowd c = {.what = "over",
                     .name = plan->notation->var[v],
                     .nelements = nelements(plan),
                     .copied = nelements(plan) * plan->target.nthreads,
                     .added = added};
    if (plan->sink == TSR_PLAN_DENSE && (!tsr_plan_is_free(plan, v) || !may_be_exclusive(plan)))
        TSR_TRY(meet(share, plan, &c, err));
    if (plan->rows.meets)
        share->sharing = TSR_SHARE_PRIVATE;
    if (plan->sink == TSR_PLAN_DENSE || plan->rows.meets)
        count_shares(share, plan);
    return TSR_OK;
}

/* Whether the loop over v is cut in some term. */
static bool is_cut(const tsr_plan *plan, int v)
{
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_nest *const nest = plan->term[i].nest;
        const tsr_plan_share *const share = tsr_plan_share_of(plan, &plan->term[i]);
        if (nest->empty || (share->cut == TSR_CUT_LOOP && share->var == v) ||
            (share->cut > TSR_CUT_LOOP && nest->known[v] == share->level + 1))
            return true;
    }
    return false;
}

/* Share the loops around all terms, or the coordinates of the workspaces that are added up. added: to the result. */
static tsr_status share_outer(tsr_plan *plan, double added, bool is_serial, tsr_error *err)
{
    const bool is_cells = plan->sink == TSR_PLAN_CELLS, meets = plan->rows.meets;
    plan->share.sharing = TSR_SHARE_EXCLUSIVE;
    if (!is_serial && (is_cells || plan->nouter > 0 || meets))
        TSR_TRY(share_loop(&plan->share, plan, is_cells ? 0 : plan->var[0], added, err));
    if (meets)
        plan->share.work = (tsr_plan_work){.list = -1, .rows = -1, .columns = -1};
    else if (plan->sink == TSR_PLAN_ROWS)
        plan_work_of_rows(plan);
    return TSR_OK;
}

tsr_status plan_choose_shares(tsr_plan *plan, tsr_error *err)
{
    const tsr_sharing asked = plan->schedule.sharing;
    const char *const result = plan->notation->tensor[0].name;
    const int v = plan->schedule.parallel_var - 1;
    const bool meets = plan->rows.meets, each = plan->sink == TSR_PLAN_LIST || meets ||
                                                (plan->sink == TSR_PLAN_DENSE && plan->nouter == 0);
    double added = 0;
    for (int i = 0; i < plan->nterms; i++)
        added += (plan->term[i].contributions + plan->term[i].most_contributions) / 2;
    const bool is_serial = tsr_plan_is_serial(plan) || (meets && v < 0 && asked == TSR_SHARE_AUTO &&
                                                        !plan_workspaces_pay(plan, nelements(plan), added));
    if (plan->sink != TSR_PLAN_DENSE && !may_be_exclusive(plan) && !(meets && asked == TSR_SHARE_PRIVATE))
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "%s(%s): no two threads add to an entry of %s, as each entry is appended by the thread that "
            "computes it: use exclusive, or leave it out",
            asked == TSR_SHARE_PRIVATE ? "private" : "atomic", result, result);
    for (int i = 0; i < plan->nterms; i++) {
        tsr_plan_term *const term = &plan->term[i];
        const double of = (term->contributions + term->most_contributions) / 2;
        term->nest->share.sharing = TSR_SHARE_EXCLUSIVE;
        if (i < plan->schedule.said.nterms && plan->schedule.said.term[i].one && !is_serial && !meets)
            continue;
        if (i < plan->schedule.said.nterms && !is_serial) {
            plan->schedule.sharing = plan->schedule.said.term[i].sharing;
            plan->schedule.parallel_var = plan->schedule.said.term[i].var;
        }
        if (term->walks)
            TSR_TRY(share_nest(plan, term->nest, err));
        else if (each && !is_serial && !term->empty && term->nvars > 0)
            TSR_TRY(share_loop(&term->nest->share, plan, term->order[0], of, err));
    }
    plan->schedule.sharing = asked;
    plan->schedule.parallel_var = v + 1;
    TSR_TRY(share_outer(plan, added, is_serial, err));
    if (tsr_plan_walks(plan) && v >= 0 && !is_serial && !is_cut(plan, v))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "parallelize(%s): the loop over %s is not an outer loop of any term",
                        plan->notation->var[v], plan->notation->var[v]);
    return TSR_OK;
}
