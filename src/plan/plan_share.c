/* How threads share the loops of a kernel: what is cut, what the shares have in equal numbers, and how threads add to elements that
 * several of them touch. This is the one rule; this file decides by it for loops that merge, plan_nest_share.c for loops that
 * walk. The constants are at the head of both files and in tsr_tuning.h. lower_share.c and lower_merge_share.c write the loops.
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

enum { MAX_COPIES = 1 << 26 }; /* elements of all copies */

const char *const plan_sharing_words[] = {
    [TSR_SHARE_EXCLUSIVE] = "exclusive", [TSR_SHARE_PRIVATE] = "private", [TSR_SHARE_ATOMIC] = "atomic"};

/* The elements of the result. */
static double nelements(const plan_state *s)
{
    double n = 1;
    for (int k = 0; k < s->plan->nresult; k++)
        n *= (double)s->operands[0].binding->dims[k];
    return n;
}

static bool is_sum(const plan_state *s)
{
    return s->plan->ring->add == TSR_COMBINE_ADD;
}

bool plan_copies_pay(const tsr_plan *plan, double nelements, size_t nbytes, double nadditions)
{
    const tsr_tuning *const tuning = &plan->target.tuning;
    const bool is_new = nelements * (double)nbytes > (double)tuning->copies_nbytes;
    return nelements * (is_new ? (double)tuning->page_cost : 1) <= nadditions * (double)tuning->atomic_cost;
}

/* The share of a term whose outermost loop is over a variable that the result lacks. */
static tsr_sharing private_or_atomic(const plan_state *s, const tsr_plan_term *term)
{
    const double copies = nelements(s) * s->nthreads;
    /* how many are added is not known: halfway between the least and the most, what is lost by a wrong choice is least */
    const double added = (term->contributions + term->most_contributions) / 2;
    if (s->plan->nresult == 0)
        return TSR_SHARE_PRIVATE;
    if (s->nthreads == 1)
        return TSR_SHARE_AUTO;
    if (copies <= (double)MAX_COPIES &&
        plan_copies_pay(s->plan, copies, tsr_type_nbytes(s->operands[0].type), added))
        return TSR_SHARE_PRIVATE;
    return is_sum(s) && !s->plan->schedule.deterministic ? TSR_SHARE_ATOMIC : TSR_SHARE_AUTO;
}

/* Whether threads can share the term as the schedule asks; else the error. */
static tsr_status check_asked(const plan_state *s, const tsr_plan_term *term, bool is_exclusive)
{
    const tsr_sharing asked = s->plan->schedule.sharing;
    const tsr_notation *const notation = s->plan->notation;
    const char *const result = notation->tensor[0].name, *const var = notation->var[term->order[0]];
    if (asked == TSR_SHARE_EXCLUSIVE && !is_exclusive)
        return tsr_fail(
            s->err, TSR_UNSUPPORTED,
            "exclusive(%s): the outermost loop is over %s, and threads that share it add to the same "
            "elements of %s: use private or atomic",
            result, var, result);
    if (asked == TSR_SHARE_ATOMIC && !is_sum(s))
        return tsr_fail(s->err, TSR_UNSUPPORTED,
                        "atomic(%s): only sums are atomic, not the + of the semiring %s", result,
                        s->plan->ring->name);
    return TSR_OK;
}

/* ---- how much work a share has ---- */

bool plan_has_rows(const tsr_plan *plan, int a, int v)
{
    const tsr_plan_access *const access = &plan->access[a];
    const tsr_plan_view *const view = &plan->view[access->view];
    return view->nlevels > 1 && view->full[0] && !view->full[1] && access->expr->index[view->mode[0]] == v &&
           !tsr_expr_window(access->expr, view->mode[0]);
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
static int find_first_list(const plan_state *s, int v)
{
    int found = -1;
    uint64_t most = 0;
    for (int a = 0; a < s->plan->naccesses && s->plan->storage.parts; a++) {
        const tsr_plan_view *const view = &s->plan->view[s->plan->access[a].view];
        const uint64_t n = s->operands[view->tensor].npos[tsr_plan_level(s->plan, view->tensor, 0)];
        if (view->nlevels == 0 || view->full[0] || s->plan->access[a].expr->index[view->mode[0]] != v ||
            (found >= 0 && n <= most))
            continue;
        found = a;
        most = n;
    }
    return found;
}

/* How the loop over v is cut by the entries of rows. */
static tsr_plan_cut cut_entries(const plan_state *s, int v)
{
    tsr_plan_cut cut = {.list = find_first_list(s, v), .rows = -1, .columns = -1};
    for (int a = 0; a < s->plan->naccesses && cut.nentries < TSR_PLAN_MAX_COUNTED; a++) {
        bool seen = !plan_has_rows(s->plan, a, v);
        for (int k = 0; k < cut.nentries; k++)
            seen = seen || are_one(s->plan, cut.entries[k], a);
        if (!seen)
            cut.entries[cut.nentries++] = a;
    }
    return cut;
}

/* Set rows and columns where rows of the result are sums of rows of an access, for which an access has rows over the first variable
 * of the result. */
static void find_products(tsr_plan_cut *cut, const tsr_plan *plan, const tsr_plan_term *term)
{
    for (int i = 0; i < term->naccesses; i++)
        for (int k = 0; k < term->naccesses; k++) {
            const int a = term->access[i], b = term->access[k];
            const int *const mode = plan->view[plan->access[a].view].mode;
            if (i == k || !plan_has_rows(plan, a, plan->var[0]) ||
                tsr_expr_window(plan->access[a].expr, mode[1]) ||
                !plan_has_rows(plan, b, plan->access[a].expr->index[mode[1]]))
                continue;
            cut->rows = a;
            cut->columns = b;
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

/* Decide how the loops around all terms are cut. */
static void cut_rows(plan_state *s)
{
    tsr_plan *const plan = s->plan;
    tsr_plan_cut *const cut = &plan->rows.cut;
    const bool sums = plan->nouter > 0 && plan->nouter < plan->nresult && !plan->schedule.plain;
    *cut = cut_entries(s, plan->var[0]);
    cut->masked = true;
    for (int i = 0; i < plan->nterms; i++) {
        tsr_plan_term *const term = &plan->term[i];
        term->cut = (tsr_plan_cut){.list = -1, .rows = -1, .columns = -1};
        if (!term->empty && sums)
            find_products(&term->cut, plan, term);
        cut->products = cut->products || term->cut.rows >= 0;
        cut->masked = cut->masked && (term->cut.rows < 0 || tsr_plan_bound(plan, term) >= 0);
    }
}

/* ---- all of it ---- */

static tsr_status share_term(const plan_state *s, tsr_plan_term *term)
{
    const tsr_sharing asked = s->plan->schedule.sharing;
    if (s->plan->schedule.serial || term->empty || term->nvars == 0)
        return TSR_OK;
    const bool is_exclusive = term->order[0] < s->plan->notation->nfree;
    TSR_TRY(check_asked(s, term, is_exclusive));
    term->sharing = asked != TSR_SHARE_AUTO ? asked
                    : is_exclusive          ? TSR_SHARE_EXCLUSIVE
                                            : private_or_atomic(s, term);
    if (term->sharing == TSR_SHARE_PRIVATE && s->plan->schedule.deterministic)
        term->nshares = TSR_DETERMINISTIC_NTHREADS;
    if (term->sharing != TSR_SHARE_AUTO || s->plan->schedule.parallel_var == 0)
        return TSR_OK;
    return tsr_fail(
        s->err, TSR_UNSUPPORTED,
        "parallelize(%s): threads that share the loop over %s would add to the same elements of %s: leave "
        "it out",
        s->plan->notation->var[s->plan->schedule.parallel_var - 1],
        s->plan->notation->var[s->plan->schedule.parallel_var - 1], s->plan->notation->tensor[0].name);
}

tsr_status plan_choose_shares(plan_state *s)
{
    const tsr_plan *const plan = s->plan;
    const tsr_sharing asked = s->plan->schedule.sharing;
    const char *const result = plan->notation->tensor[0].name;
    if (plan->sink != TSR_PLAN_DENSE && (asked == TSR_SHARE_PRIVATE || asked == TSR_SHARE_ATOMIC))
        return tsr_fail(
            s->err, TSR_UNSUPPORTED,
            "%s(%s): no two threads add to an entry of %s, as each entry is appended by the thread that "
            "computes it: use exclusive, or leave it out",
            asked == TSR_SHARE_PRIVATE ? "private" : "atomic", result, result);
    if (plan->sink == TSR_PLAN_ROWS)
        cut_rows(s);
    for (int i = 0; i < plan->nterms && plan->sink != TSR_PLAN_ROWS; i++)
        if (plan->term[i].nvars > 0)
            plan->term[i].cut = cut_entries(s, plan->term[i].order[0]);
    if (plan->sink == TSR_PLAN_DENSE && plan->nouter > 0) { /* all terms are shared as the first one is */
        for (int i = 1; i < plan->nterms; i++)
            plan->term[0].contributions += plan->term[i].contributions;
        return share_term(s, &plan->term[0]);
    }
    for (int i = 0; i < plan->nterms && plan->sink == TSR_PLAN_DENSE; i++)
        TSR_TRY(share_term(s, &plan->term[i]));
    return plan_share_nests(s->plan, s->err);
}
