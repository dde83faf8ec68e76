/* Making a plan: the sink that contributions go to, the loops around all terms, and the order of loops of
 * each term. */
#include "tsr_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan_state.h"
#include "tsr_rules.h"
#include "tsr_alloc.h"

/* Steps for each contribution, by sink, and for each entry of a result that is converted at the end. */
#define DENSE_COST 1.0
#define WORKSPACE_COST 2.0
#define FIRST_COST \
    4.0 /* of each entry of a row, besides: its place in the workspace is noted, and not in the caches yet */
#define SORT_COST 2.0 /* of each entry of a row, for each doubling of the row */
#define MARK_COST 2.0 /* of each entry of a row that is found by marks, which are read 64 at a time */
#define CELL_COST 1.0 /* of each cell of a workspace for the whole result, and of its copies */
#define NEAR_CELLS 0x1p18
#define FAR_COST 6.0 /* of each contribution to more cells than these: they do not stay in the caches */
#define HASH_COST 14.0
#define LIST_COST 80.0
#define CONVERT_COST 24.0

/* A way to compute the whole expression. */
typedef struct candidate {
    tsr_plan_sink sink;
    tsr_plan_workspace workspace; /* of rows */
    int nouter;
    int mode[TSR_MAX_ORDER];
    double cost;
} candidate;

/* TSR_UNSUPPORTED where a term has a minus or a division in a semiring other than plus-times. What a reduction reduces is computed
 * with the operations of numbers. */
static tsr_status check_semiring(const plan_state *s)
{
    const bool has_all = tsr_plan_is_plus_times(s->plan) || tsr_semiring_is_reduction(s->plan->ring);
    for (int i = 0; i < s->plan->terms->nterms && !has_all; i++) {
        const tsr_term *term = &s->plan->terms->term[i];
        bool inverse = term->negative;
        for (int f = 0; f < term->nfactors; f++)
            inverse = inverse || term->factor[f].inverse;
        if (inverse)
            return tsr_fail(s->err, TSR_UNSUPPORTED, "the semiring %s does not support minus and division",
                            s->plan->ring->name);
    }
    return TSR_OK;
}

/* Whether one of the result's first n levels, which are dense, has a window: cells outside need positions, too. */
static bool has_window_in(const plan_state *s, const int *perm, int n)
{
    for (int l = 0; l < n; l++)
        if (tsr_expr_window(s->plan->notation->result, perm[l]))
            return true;
    return false;
}

/* The number of dense levels at the start of the result's format, where the levels that follow are unique lists
 * and there is at least one of them; -1 for any other format. perm: the mode of each level. */
static int count_dense_levels(const plan_state *s, int *perm)
{
    const tsr_format *format = s->operands[0].binding->format;
    int ndense = 0;
    if (s->plan->storage.nblock > 0) { /* the map is the identity */
        tsr_format_is_permutation(format, perm);
        while (format->levels[ndense].type->full)
            ndense++;
        return ndense;
    }
    if (!tsr_format_is_permutation(format, perm) || tsr_format_has_pitch(format))
        return -1;
    if (!tsr_format_has_lists(format, &ndense))
        return -1;
    return ndense < format->nlevels && !has_window_in(s, perm, ndense) ? ndense : -1;
}

/* Whether each mode of the result has a different variable. */
static bool has_plain_result(const plan_state *s)
{
    return s->plan->notation->result->nindices == s->plan->notation->nfree;
}

/* Elements of a workspace over the result's modes mode[nouter..). */
static double ncells(const plan_state *s, const candidate *c)
{
    double n = 1;
    for (int k = c->nouter; k < s->plan->nresult; k++)
        n *= (double)s->plan->size[s->plan->notation->result->index[c->mode[k]]];
    return n;
}

/* Whether the rows of the candidate go to a workspace. */
static bool has_workspace(const plan_state *s, const candidate *c)
{
    return c->sink == TSR_PLAN_ROWS && c->nouter < s->plan->nresult;
}

/* var: the variables of the loops around all terms; returns the number of them. */
static int outer_vars(int *var, const plan_state *s, const candidate *c)
{
    for (int k = 0; k < c->nouter; k++)
        var[k] = s->plan->notation->result->index[c->mode[k]];
    if (c->sink != TSR_PLAN_DENSE)
        return c->nouter;
    memcpy(var, s->plan->var, sizeof s->plan->var);
    return s->plan->nouter;
}

/* Steps for each entry of a row of `ncells` cells, to bring its `nentries` entries into order: they are sorted, or found by marks,
 * which a row over a single variable has. */
static double order_cost(double nentries, double ncells, bool single)
{
    const double sorted = nentries > 2 ? SORT_COST * (log2(nentries) - 1) : 0,
                 marked = MARK_COST + ncells / 64 / (nentries > 1 ? nentries : 1);
    return single && marked < sorted ? marked : sorted;
}

/* Steps for each contribution that goes to the candidate's sink. The entries of a row are brought into order: fewer than the
 * contributions where several meet in a cell. Without loops around all terms there is a single row, which threads cannot share. */
static double sink_cost(const plan_state *s, const candidate *c, double contributions)
{
    double each = WORKSPACE_COST;
    int outer[TSR_MAX_ORDER];
    if (!has_workspace(s, c))
        return c->sink == TSR_PLAN_LIST ? LIST_COST : DENSE_COST;
    const double rows = plan_ncells(s->plan, outer, outer_vars(outer, s, c));
    if (c->workspace == TSR_PLAN_WORKSPACE_HASH || c->workspace == TSR_PLAN_WORKSPACE_LIST)
        each = HASH_COST;
    const bool sorts =
        c->nouter + 1 < s->plan->nresult || !tsr_format_is_unordered(s->operands[0].binding->format);
    const double n = contributions / (rows > 1 ? rows : 1), cells = ncells(s, c);
    if (c->nouter == 0 && n > 0 && plan_marks_pay(n, cells) && plan_can_meet(s, c->workspace, cells) &&
        (s->nthreads == 1 || plan_workspaces_pay(s->plan, cells, n)))
        return each + (cells > NEAR_CELLS ? FAR_COST : 0) + CELL_COST * cells * s->nthreads / n;
    const double nentries = -cells * expm1(-n / cells); /* where they are spread evenly */
    if (each == WORKSPACE_COST && n > 0)
        each += FIRST_COST * nentries / n;
    if (sorts && n > 0)
        each += order_cost(nentries, cells, c->nouter + 1 == s->plan->nresult) * nentries / n;
    return c->nouter == 0 ? each * (1 + s->nthreads) : each;
}

/* Whether the candidate's entries come in the order of the result's levels, so that packing them does not sort. */
static bool keeps_order(const plan_state *s, const candidate *c)
{
    const tsr_binding *const result = s->operands[0].binding;
    uint64_t seen = 0;
    for (int l = 0, k = 0; l < result->format->nlevels; l++)
        for (uint64_t modes = tsr_map_result_vars(result->forward, l) & ~seen; modes & ~seen; k++) {
            if (!(modes >> c->mode[k] & 1))
                return false;
            seen |= UINT64_C(1) << c->mode[k];
        }
    return true;
}

/* The estimated steps of the candidate. converts: the rows are converted to the result's format at the
 * end. */
static double estimate(const plan_state *s, const candidate *c, bool converts)
{
    int prefix[TSR_MAX_ORDER];
    const int n = outer_vars(prefix, s, c);
    double cost = 0, contributions = 0;
    for (int i = 0; i < s->plan->terms->nterms; i++) {
        plan_order order;
        if (c->sink == TSR_PLAN_DENSE && plan_walks_asked(s, &s->plan->terms->term[i]))
            continue;
        plan_find_order(&order, s, &s->plan->terms->term[i], prefix, n);
        cost += order.cost;
        contributions += order.contributions;
    }
    const double packing = !converts || c->sink != TSR_PLAN_ROWS ? 0
                           : keeps_order(s, c)                   ? CONVERT_COST
                                                                 : LIST_COST;
    return cost + contributions * (sink_cost(s, c, contributions) + packing);
}

/* The cells of the result. */
static double whole_cells(const plan_state *s)
{
    double n = 1;
    for (int m = 0; m < s->plan->nresult; m++)
        n *= (double)s->plan->size[s->plan->notation->result->index[m]];
    return n;
}

/* Whether the schedule leaves the candidate. */
static bool is_wanted(const plan_state *s, const candidate *c)
{
    const tsr_schedule *const schedule = &s->plan->schedule;
    if (schedule->assembly != TSR_PLAN_ASSEMBLY_AUTO && c->sink != TSR_PLAN_ROWS)
        return false;
    const bool may_meet = s->plan->nresult > 0 && plan_can_meet(s, schedule->workspace, whole_cells(s)),
               meets = may_meet && c->sink == TSR_PLAN_ROWS && c->nouter == 0;
    if (schedule->sharing == TSR_SHARE_PRIVATE && c->sink != TSR_PLAN_DENSE && may_meet && !meets)
        return false;
    if (schedule->parallel_var && c->sink == TSR_PLAN_ROWS && !meets &&
        (c->nouter == 0 || s->plan->notation->result->index[c->mode[0]] != schedule->parallel_var - 1))
        return false;
    uint32_t spanned = 0;
    for (int k = c->nouter; k < s->plan->nresult && c->sink == TSR_PLAN_ROWS; k++)
        spanned |= UINT32_C(1) << s->plan->notation->result->index[c->mode[k]];
    if (schedule->workspace == TSR_PLAN_WORKSPACE_AUTO)
        return true;
    if (schedule->workspace == TSR_PLAN_WORKSPACE_LIST && !schedule->workspace_vars)
        return c->sink == TSR_PLAN_LIST;
    if (schedule->workspace == TSR_PLAN_WORKSPACE_BITMAP && s->plan->nresult - c->nouter != 1 && !meets)
        return false;
    return c->sink == TSR_PLAN_ROWS && spanned &&
           (!schedule->workspace_vars || spanned == schedule->workspace_vars);
}

/* Choose the workspace of rows: that of the schedule; else an array, or a hash table if the array does not fit.
 * Returns whether the workspace can be made. */
static bool choose_workspace(candidate *c, const plan_state *s)
{
    if (!has_workspace(s, c))
        return true;
    const double n = ncells(s, c); /* only rows have modes */
    c->workspace = s->plan->schedule.workspace;
    if (s->plan->storage.nblock > 0)
        return n * s->nthreads * plan_ncells(s->plan, s->plan->storage.block, s->plan->storage.nblock) <=
               (double)PLAN_MAX_CELLS;
    if (c->workspace == TSR_PLAN_WORKSPACE_AUTO && n * s->nthreads > (double)PLAN_MAX_CELLS)
        c->workspace = TSR_PLAN_WORKSPACE_HASH;
    if (c->workspace == TSR_PLAN_WORKSPACE_HASH || c->workspace == TSR_PLAN_WORKSPACE_LIST)
        return n <= (double)PLAN_MAX_KEYS;
    return n * s->nthreads <= (double)PLAN_MAX_CELLS;
}

/* Replace *best by c where c fits into memory and costs less. */
static void consider(candidate *best, const plan_state *s, candidate c, bool converts)
{
    if (!is_wanted(s, &c) || !choose_workspace(&c, s))
        return;
    c.cost = estimate(s, &c, converts);
    if (!isfinite(c.cost)) /* no order of loops that the schedule wants */
        return;
    if (best->cost < 0 || c.cost < best->cost)
        *best = c;
}

/* Consider each number of outer loops for rows whose modes are in the order mode[0..nresult). */
static void consider_rows(candidate *best, const plan_state *s, const int *mode, const int *perm, int ndense)
{
    const tsr_notation *const notation = s->plan->notation;
    const int n = s->plan->nresult;
    const bool is_own = ndense >= 0 && memcmp(mode, perm, (size_t)n * sizeof *mode) == 0;
    candidate c = {.sink = TSR_PLAN_ROWS};
    memcpy(c.mode, mode, (size_t)n * sizeof *mode);
    /* a workspace over a compound level has no bound */
    const int least = s->request->parts ? n : tsr_notation_has_ending(notation) ? n - 1 : 0;
    for (c.nouter = notation->selection.n > 0 && n == 1 ? 0 : n; c.nouter >= least; c.nouter--)
        consider(best, s, c, !is_own || c.nouter < ndense);
}

/* Whether rows of modes in this order, outermost first, are those of the selection: the last index is innermost. */
static bool ends_rows(const plan_state *s, const int *mode)
{
    const int n = s->plan->nresult;
    return s->plan->notation->selection.n == 0 || mode[n - 1] == n - 1;
}

/* Consider rows for each permutation of mode[k..nresult). */
static void permute(candidate *best, const plan_state *s, int *mode, int k, const int *perm, int ndense)
{
    if (k == s->plan->nresult) {
        if (ends_rows(s, mode))
            consider_rows(best, s, mode, perm, ndense);
        return;
    }
    for (int i = k; i < s->plan->nresult; i++) {
        int t = mode[k];
        mode[k] = mode[i];
        mode[i] = t;
        permute(best, s, mode, k + 1, perm, ndense);
        t = mode[k];
        mode[k] = mode[i];
        mode[i] = t;
    }
}

/* Whether no contribution goes to a coordinate of the result that has another one. */
static bool has_unique_entries(const plan_state *s)
{
    return s->plan->terms->nterms == 1 && s->plan->terms->term[0].sum == 0;
}

static void choose(candidate *best, const plan_state *s)
{
    int perm[TSR_MAX_LEVELS], mode[TSR_MAX_ORDER];
    const int n = s->plan->nresult;
    const int ndense = count_dense_levels(s, perm);
    best->cost = -1;
    if (!plan_is_sparse(s, 0)) {
        consider(best, s, (candidate){.sink = TSR_PLAN_DENSE}, false);
        return;
    }
    if (s->plan->storage.marks) {
        consider(best, s, (candidate){.sink = TSR_PLAN_CELLS}, false);
        return;
    }
    for (int m = 0; m < n; m++)
        mode[m] = ndense >= 0 ? perm[m] : m;
    for (int m = 0; m < n && !ends_rows(s, mode); m++)
        mode[m] = m;
    if (s->plan->storage.nblock > 0) {
        consider_rows(best, s, mode, perm, ndense);
        return;
    }
    if (has_plain_result(s) && n <= 3)
        permute(best, s, mode, 0, perm, ndense);
    else if (has_plain_result(s))
        consider_rows(best, s, mode, perm, ndense);
    if (tsr_notation_has_ending(s->plan->notation))
        return;
    if (tsr_plan_is_plus_times(s->plan) || has_unique_entries(s)) /* duplicates in a list are added up */
        consider(best, s, (candidate){.sink = TSR_PLAN_LIST}, true);
}

/* Take a hash table instead of an array that is far longer than the contributions to a row: the array does not stay in
 * the caches, and each thread has one. */
static void shorten_rows(candidate *c, const plan_state *s)
{
    int prefix[TSR_MAX_ORDER];
    double contributions = 0;
    if (c->cost < 0 || !has_workspace(s, c) || c->workspace != TSR_PLAN_WORKSPACE_AUTO || c->nouter == 0 ||
        s->plan->storage.nblock > 0)
        return;
    const double n = ncells(s, c);
    if (n > (double)PLAN_MAX_KEYS || n * s->nthreads <= (double)PLAN_LONG_ROWS)
        return;
    const double rows = plan_ncells(s->plan, prefix, outer_vars(prefix, s, c));
    for (int i = 0; i < s->plan->terms->nterms; i++) {
        plan_order order;
        plan_find_order(&order, s, &s->plan->terms->term[i], prefix, c->nouter);
        contributions += order.contributions;
    }
    if (contributions * PLAN_SPARSE_ROW <= n * rows)
        c->workspace = TSR_PLAN_WORKSPACE_HASH;
}

/* ---- filling in the plan ---- */

/* Set plan->rows.assembled: the first plan->ndense levels are dense, the others compressed. */
static tsr_status assembled_format(plan_state *s)
{
    tsr_plan *plan = s->plan;
    const tsr_format *const own = s->operands[0].binding->format;
    plan->rows.unordered = !plan->converts && tsr_format_is_unordered(own);
    if (plan->rows.unordered || plan->storage.nblock > 0)
        return tsr_format_copy(&plan->rows.assembled, own, s->err);
    return tsr_format_nested(&plan->rows.assembled, plan->nresult, plan->ndense, plan->rows.mode, s->err);
}

static tsr_status take_rows(plan_state *s, const candidate *c)
{
    tsr_plan *plan = s->plan;
    int perm[TSR_MAX_LEVELS];
    const int ndense = count_dense_levels(s, perm);
    memcpy(plan->rows.mode, c->mode, sizeof plan->rows.mode);
    for (int l = 0; l < plan->nresult; l++)
        plan->var[l] = plan->notation->result->index[plan->rows.mode[l]];
    plan->nouter = c->nouter;
    const bool is_own = ndense >= 0 && ndense <= c->nouter &&
                        memcmp(plan->rows.mode, perm, (size_t)plan->nresult * sizeof *perm) == 0;
    plan->converts = !is_own;
    plan->ndense = is_own ? ndense : 0;
    return assembled_format(s);
}

/* Add a number to a list if the list does not have it. */
static tsr_status list_once(int *list, int *n, int number, tsr_error *err)
{
    for (int k = 0; k < *n; k++)
        if (list[k] == number)
            return TSR_OK;
    if (*n == TSR_NOTATION_MAX_FACTORS)
        return tsr_fail(err, TSR_LIMIT, "a term has more than %d sparse operands", TSR_NOTATION_MAX_FACTORS);
    list[(*n)++] = number;
    return TSR_OK;
}

/* Refuse complements of tensors that store all cells, also those in functions. */
static tsr_status check_masks(const plan_state *s, const tsr_expr *e)
{
    if (!e || !e->has_mask)
        return TSR_OK;
    TSR_TRY(check_masks(s, e->a));
    TSR_TRY(check_masks(s, e->b));
    if (e->kind != TSR_EXPR_ACCESS || e->mask != TSR_MASK_ABSENT || plan_is_sparse(s, e->tensor))
        return TSR_OK;
    const char *const name = s->plan->notation->tensor[e->tensor].name;
    return tsr_fail(s->err, TSR_UNSUPPORTED,
                    "!%s: the format of %s is dense, so it stores all cells and nothing is left: give %s a "
                    "format with a sparse level",
                    name, name, name);
}

/* Add the sparse accesses in a factor to the term. */
static tsr_status use_accesses(tsr_plan_term *term, plan_state *s, const tsr_expr *e, const plan_rank *rank)
{
    if (!e)
        return TSR_OK;
    term->nbands += e->kind == TSR_EXPR_BAND;
    if (e->kind != TSR_EXPR_ACCESS) {
        TSR_TRY(use_accesses(term, s, e->a, rank));
        return use_accesses(term, s, e->b, rank);
    }
    if (!plan_is_sparse(s, e->tensor))
        return TSR_OK;
    int number;
    TSR_TRY(plan_use_access(&number, s, e, rank));
    if (e->mask == TSR_MASK_ABSENT)
        return list_once(term->mask, &term->nmasks, number, s->err);
    return list_once(term->access, &term->naccesses, number, s->err);
}

static tsr_status take_term(plan_state *s, const candidate *c, int i)
{
    tsr_plan *plan = s->plan;
    tsr_plan_term *term = &plan->term[i];
    int prefix[TSR_MAX_ORDER];
    const int nprefix = outer_vars(prefix, s, c);
    plan_order order;
    term->term = &plan->terms->term[i];
    TSR_TRY(plan_new_nest(s, term));
    plan_rank rank = {.term = term->term, .nouter = nprefix};
    for (int v = 0; v < plan->notation->nvars; v++)
        rank.of[v] = TSR_NOTATION_MAX_VARS; /* of blocks; all others have a place below */
    plan_order_blocks(term, plan, term->term->vars | tsr_notation_free_vars(plan->notation));
    plan_find_order(&order, s, term->term, prefix, nprefix);
    term->nvars = order.nvars;
    term->contributions = order.contributions;
    term->most_contributions = order.most_contributions;
    for (int k = 0; k < order.nvars; k++) {
        term->order[k] = order.var[k];
        rank.of[order.var[k]] = k;
        term->empty = term->empty || plan->size[order.var[k]] == 0;
    }
    for (int f = 0; f < term->term->nfactors; f++)
        if (!tsr_plan_has(term->located, f))
            TSR_TRY(use_accesses(term, s, term->term->factor[f].expr, &rank));
    return TSR_OK;
}

/* The error when no plan follows the schedule; TSR_OK if the schedule asks for nothing. */
static tsr_status refuse_schedule(const plan_state *s)
{
    const tsr_schedule *const schedule = &s->plan->schedule;
    tsr_schedule asked = {.norder = schedule->norder,
                          .parallel_var = schedule->parallel_var,
                          .vector_var = schedule->vector_var,
                          .workspace = schedule->workspace,
                          .workspace_vars = schedule->workspace_vars,
                          .assembly = schedule->assembly};
    tsr_text words = {0};
    memcpy(asked.order, schedule->order, sizeof asked.order);
    memcpy(asked.convert, schedule->convert, sizeof asked.convert);
    tsr_schedule_print(&words, &asked, s->plan->notation, s->plan->notation);
    tsr_text_add(&words, schedule->said.merges && !words.nbytes ? "loops in these orders" : "");
    tsr_status status = tsr_text_status(&words, s->err);
    if (status == TSR_OK && words.nbytes)
        status = tsr_fail(s->err, TSR_UNSUPPORTED,
                          "no plan for this expression and these formats has what the schedule asks for: %s "
                          "(--emit=graph shows what is taken without it)",
                          tsr_text_cstr(&words));
    tsr_text_clear(&words);
    return status;
}

/* Memory of zeros that lives as long as the plan. */
static tsr_status allocate(void **out, const plan_state *s, size_t nbytes)
{
    *out = tsr_arena_alloc(s->plan->arena, nbytes);
    if (!*out)
        return tsr_fail(s->err, TSR_NOMEM, "out of memory: a plan");
    memset(*out, 0, nbytes);
    return TSR_OK;
}

/* Choose the sink, and the loops of the terms that merge. */
static tsr_status merge(plan_state *s)
{
    tsr_plan *const plan = s->plan;
    candidate best;
    if (plan_has_points(s))
        TSR_TRY(plan_order_points(s));
    plan_locate_factors(s);
    choose(&best, s);
    shorten_rows(&best, s);
    if (best.cost < 0)
        TSR_TRY(refuse_schedule(s));
    if (best.cost < 0)
        return tsr_fail(s->err, TSR_UNSUPPORTED,
                        "the result %s is too large for a workspace, and the semiring %s allows only a "
                        "workspace: use a dense result",
                        plan->notation->tensor[0].name, plan->ring->name);
    plan->sink = best.sink;
    plan->converts = best.sink == TSR_PLAN_LIST;
    plan->rows.workspace = best.workspace;
    plan->rows.two_pass = s->plan->schedule.assembly == TSR_PLAN_ASSEMBLY_TWO_PASS;
    plan->rows.is_forced = s->plan->schedule.workspace != TSR_PLAN_WORKSPACE_AUTO;
    if (best.sink == TSR_PLAN_ROWS)
        TSR_TRY(take_rows(s, &best));
    TSR_TRY(plan_walk_some(s));
    for (int i = 0; i < plan->nterms; i++)
        if (!plan->term[i].walks)
            TSR_TRY(take_term(s, &best, i));
    TSR_TRY(plan_check_cells(s));
    return plan_choose_rows(s);
}

static tsr_status make(plan_state *s)
{
    tsr_plan *plan = s->plan;
    uint32_t sparse = 0;
    plan->nresult = plan->notation->result->nindices;
    const size_t ntensors = (size_t)plan->notation->ntensors;
    void *memory;
    TSR_TRY(allocate(&memory, s, ntensors * sizeof *plan->walk.operand));
    plan->walk.operand = memcpy(memory, s->operands, ntensors * sizeof *plan->walk.operand);
    for (int t = 1; t < plan->notation->ntensors; t++)
        sparse |= (uint32_t)plan_is_sparse(s, t) << t;
    TSR_TRY(tsr_notation_terms(&plan->terms, plan->notation, sparse, s->err));
    TSR_TRY(plan_check_ending(s));
    TSR_TRY(plan_find_blocks(s));
    TSR_TRY(check_masks(s, plan->notation->rhs));
    TSR_TRY(tsr_rules_split_calls(plan->terms, plan->notation, sparse, s->err));
    plan->nterms = plan->terms->nterms;
    TSR_TRY(allocate(&memory, s, ((size_t)plan->nterms + 1) * sizeof *plan->term));
    plan->term = memory;
    TSR_TRY(check_semiring(s));
    TSR_TRY(plan_walk(s));
    if (!tsr_plan_walks(plan))
        TSR_TRY(merge(s));
    TSR_TRY(plan_check_types(s));
    TSR_TRY(plan_make_nests(plan, s->err));
    plan_choose_literals(plan);
    TSR_TRY(plan_choose_shares(plan, s->err));
    TSR_TRY(plan_check_walks(s));
    plan_choose_specials(plan);
    TSR_TRY(plan_check_items(plan, s->err));
    bool keeps = plan_has_nests(plan);
    for (int i = 0; i < plan->nterms; i++)
        keeps = keeps || plan->term[i].located; /* none is converted */
    if (!keeps)
        plan->walk.operand = NULL; /* their bindings may be those of conversions, which the caller frees */
    return TSR_OK;
}

tsr_status tsr_plan_new(tsr_plan **out, const tsr_plan_request *request, tsr_error *err)
{
    *out = NULL;
    tsr_plan *plan = tsr_calloc(1, sizeof *plan);
    tsr_arena *arena = tsr_calloc(1, sizeof *arena);
    if (!plan || !arena) {
        tsr_free(plan);
        tsr_free(arena);
        return tsr_fail(err, TSR_NOMEM, "out of memory: a plan");
    }
    plan->notation = request->notation;
    plan->size = request->size;
    plan->ring = request->ring ? request->ring : &tsr_semirings[0];
    plan->arena = arena;
    plan->target.stand_in = request->stand_in;
    plan->target.open = request->open;
    plan->target.tuning = tsr_tuning_complete(request->tuning);
    if (request->schedule)
        plan->schedule = *request->schedule;
    plan->target.nthreads = plan->schedule.deterministic ? TSR_DETERMINISTIC_NTHREADS
                            : request->nthreads > 0      ? request->nthreads
                                                         : 1;
    plan_state s = {.plan = plan,
                    .operands = request->operands,
                    .nthreads = plan->target.nthreads,
                    .err = err,
                    .request = request};
    const tsr_status status = make(&s);
    if (status == TSR_OK)
        *out = plan;
    else
        tsr_plan_free(plan);
    return status;
}

void tsr_plan_free(tsr_plan *plan)
{
    if (!plan)
        return;
    for (int v = 0; v < plan->nviews; v++)
        tsr_format_free(plan->view[v].copy);
    tsr_format_free(plan->rows.assembled);
    tsr_terms_free(plan->terms);
    tsr_arena_clear(plan->arena);
    tsr_free(plan->arena);
    tsr_free(plan);
}
