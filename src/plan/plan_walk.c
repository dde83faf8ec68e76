/* Which terms walk one operand: the machine `walk`, which takes any kind of level. In a sparse result all terms do, or none.
 *
 * The operand that a term walks is its sparse factor; or, where all operands are dense and one of them is tiled, the tiled operand
 * with the most variables. A sparse result has the levels of that operand. All other expressions merge. */
#include <string.h>

#include "plan_state.h"

/* The operand that a term walks, and the levels that the result shares with it. */
typedef struct choice {
    const tsr_expr *access;
    int nshared;
} choice;

static int count_bits(uint32_t bits)
{
    int n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

/* Whether the only value of the sparse access is a factor of the term itself: then its values at one coordinate may come one by one. */
static bool is_linear(const tsr_term *term, const tsr_expr *access)
{
    int n = 0;
    for (int f = 0; f < term->nfactors; f++) {
        const tsr_expr *const e = term->factor[f].expr;
        if (e->tensors >> access->tensor & 1)
            n += e->kind == TSR_EXPR_ACCESS && e->mask == TSR_MASK_NONE ? 1 : 2;
    }
    return n == 1;
}

/* Whether loops would read a copy of the sparse operand if they merged. */
static bool is_copied(const plan_state *s, int tensor)
{
    int perm[TSR_MAX_LEVELS];
    return !plan_has_sorted_levels(s, s->operands[tensor].binding->format, perm, NULL);
}

/* Why a walk of `access` (NULL: there is no sparse access) cannot compute the value of e; NULL: it can. Loops that merge enter
 * sorted levels at the first coordinate of a window; a walk looks at all entries. */
static const char *find_other(const plan_state *s, const tsr_expr *e, const tsr_expr *access)
{
    const char *why;
    if (!e || !(e->has_step || e->has_mask || e->tensors))
        return NULL;
    if (e->kind == TSR_EXPR_BAND)
        return "a term has a band";
    if (e->kind != TSR_EXPR_ACCESS) {
        why = find_other(s, e->a, access);
        return why ? why : find_other(s, e->b, access);
    }
    if (e->window &&
        (tsr_expr_has_window(e, true) || (plan_is_sparse(s, e->tensor) && !is_copied(s, e->tensor))))
        return "a term has a window";
    if (!plan_is_sparse(s, e->tensor))
        return NULL;
    return e->mask == TSR_MASK_ABSENT                    ? "a term has a complement"
           : !access || !tsr_expr_same_access(access, e) ? "a term has two different sparse operands"
                                                         : NULL;
}

/* Whether the term is a product of numbers, operands and sums of them. */
static bool is_plain(const tsr_term *term)
{
    bool is = true;
    for (int f = 0; f < term->nfactors; f++)
        is = is && !term->factor[f].expr->has_step && !term->factor[f].expr->has_mask;
    return is;
}

/* Whether the schedule asks for a format of the tensor. */
static bool converts(const tsr_schedule *schedule, int tensor)
{
    return schedule->convert[tensor][0] && strcmp(schedule->convert[tensor], TSR_SCHEDULE_WALK) != 0;
}

/* Whether the schedule asks to convert a factor of the term. */
static bool converts_factor(const plan_state *s, const tsr_term *term)
{
    bool does = false;
    for (int i = 0; i < term->nfactors; i++)
        for (int t = 1; t < s->plan->notation->ntensors; t++)
            does = does || (term->factor[i].expr->tensors >> t & 1 && converts(&s->plan->schedule, t));
    return does;
}

/* Set the access that the term walks. Returns why the term has to merge; NULL: it walks. */
static const char *find_walked(choice *c, const plan_state *s, const tsr_term *term)
{
    const tsr_expr *sparse = NULL,
                   *mapped = NULL, *const driver = is_plain(term) ? plan_find_seeking(s, term) : NULL;
    const char *why = NULL;
    c->access = s->common ? s->common : driver;
    if (c->access)
        return NULL;
    for (int i = 0; i < term->nfactors && !sparse; i++) {
        const tsr_expr *expr = term->factor[i].expr;
        if (expr->kind != TSR_EXPR_ACCESS)
            continue;
        const tsr_format *format = s->operands[expr->tensor].binding->format;
        if (!tsr_format_is_dense(format))
            sparse = expr;
        else if (!tsr_format_is_permutation(format, NULL) &&
                 (!mapped || count_bits(expr->vars) > count_bits(mapped->vars)))
            mapped = expr;
    }
    for (int i = 0; i < term->nfactors && !why; i++) {
        const tsr_factor *const factor = &term->factor[i];
        const bool is_band = factor->expr->kind == TSR_EXPR_BAND;
        if (!is_band || !sparse || (factor->expr->vars & ~sparse->vars))
            why = find_other(s, factor->expr, sparse);
        if (factor->inverse && factor->expr->kind == TSR_EXPR_ACCESS &&
            plan_is_sparse(s, factor->expr->tensor))
            why = "a term is divided by a sparse operand";
    }
    c->access = sparse ? sparse : mapped;
    if (!why && sparse && (!is_linear(term, sparse) || !tsr_plan_is_plus_times(s->plan)) &&
        tsr_format_keeps_duplicates(s->operands[sparse->tensor].binding->format))
        why = "values at one coordinate, of a tensor that keeps duplicates, are added before they are used";
    return why;
}

/* Whether level l of the result is level l of the access, coordinates and all. */
static tsr_status same_level(bool *same, const plan_state *s, const tsr_expr *access, int l)
{
    const tsr_expr *const of[2] = {s->plan->notation->result, access};
    const tsr_binding *binding[2];
    tsr_map_named_result at[2];
    for (int k = 0; k < 2; k++) {
        binding[k] = s->operands[of[k]->tensor].binding;
        at[k] = (tsr_map_named_result){.map = binding[k]->forward, .result = l, .name = of[k]->index};
    }
    TSR_TRY(tsr_map_result_same(same, &at[0], &at[1], s->err));
    const tsr_level_spec *a = &binding[0]->format->levels[l], *b = &binding[1]->format->levels[l];
    /* positions that repeat depend on the values, which differ */
    *same = *same && a->type == b->type && !a->type->repeats && a->nonunique == b->nonunique &&
            a->param == b->param && binding[0]->size[l] == binding[1]->size[l] &&
            binding[0]->pitch[l] == binding[1]->pitch[l] && binding[0]->base[l] == binding[1]->base[l];
    return TSR_OK;
}

/* Whether the term sums over a variable of size 0. */
static bool sums_nothing(const plan_state *s, const tsr_term *term)
{
    for (int v = s->plan->notation->nfree; v < s->plan->notation->nvars; v++)
        if ((term->vars >> v & 1) && s->plan->size[v] == 0)
            return true;
    return false;
}

/* Whether each position of the levels that the result shares with the access is exactly one entry of the
 * result. It is not if a band, a window or a diagonal may miss the position, if all values below it may be zeros of a block, if a
 * variable of size 0 leaves nothing to sum, or if coordinates are repeated. */
static bool has_all_positions(const plan_state *s, const tsr_term *term, const choice *c)
{
    uint32_t seen = 0;
    bool is_left_out = c->access->window;
    for (int f = 0; f < term->nfactors; f++)
        is_left_out = is_left_out || term->factor[f].expr->kind == TSR_EXPR_BAND;
    if (is_left_out)
        return false;
    for (int m = 0; m < c->access->nindices; m++) {
        if (seen >> c->access->index[m] & 1)
            return false;
        seen |= UINT32_C(1) << c->access->index[m];
    }
    const tsr_format *const result = s->operands[0].binding->format;
    const tsr_format *const format = s->operands[c->access->tensor].binding->format;
    const int next = c->nshared; /* the entries of a repeated coordinate are at several positions */
    if (next > 0 && next < format->nlevels && format->levels[next - 1].nonunique &&
        !format->levels[next].type->full)
        return false;
    return !sums_nothing(s, term) &&
           (tsr_format_has_dense_leaf(result) || !tsr_format_has_dense_leaf(format));
}

/* Set c->nshared: a sparse result has the levels of the access down to the last sparse level of the result; below, it also
 * shares dense levels as long as they are equal. *why: the reason why it cannot; NULL: it does. */
static tsr_status share_levels(const char **why, choice *c, const plan_state *s, const tsr_term *term)
{
    const tsr_format *const format = s->operands[0].binding->format;
    int needed = 0;
    for (int l = 0; l < format->nlevels; l++)
        if (!format->levels[l].type->full)
            needed = l + 1;
    c->nshared = 0;
    *why = NULL;
    if (needed == 0)
        return TSR_OK;
    *why = "a term without a sparse operand adds to a sparse result";
    if (!c->access || !plan_is_sparse(s, c->access->tensor))
        return TSR_OK;
    const int most = s->operands[c->access->tensor].binding->format->nlevels;
    for (bool same = true; same && c->nshared < most && c->nshared < format->nlevels; c->nshared += same)
        TSR_TRY(same_level(&same, s, c->access, c->nshared));
    *why = c->nshared < needed ? "the sparse result does not have the outer levels of a sparse operand"
           : !has_all_positions(s, term, c)
               ? "not each position of a sparse operand gives an entry of the result of its own"
           : s->plan->walk.pattern_tensor >= 0 && (s->plan->walk.pattern_tensor != c->access->tensor ||
                                                   s->plan->walk.pattern_nlevels != c->nshared)
               ? "terms with different sparse operands add to a sparse result"
               : NULL;
    return TSR_OK;
}

/* Whether the levels of the access are in the order of loops that the schedule asks for: it names variables of levels. */
static bool follows_order(const plan_state *s, const tsr_expr *access)
{
    const tsr_schedule *const schedule = &s->plan->schedule;
    int perm[TSR_MAX_LEVELS], before = -1;
    if (schedule->norder == 0)
        return true;
    if (!access || !tsr_format_is_permutation(s->operands[access->tensor].binding->format, perm))
        return false;
    for (int k = 0; k < schedule->norder; k++) {
        int l = before + 1;
        while (l < access->nindices && access->index[perm[l]] != schedule->order[k])
            l++;
        if (l == access->nindices)
            return false;
        before = l;
    }
    return true;
}

/* Whether a sparse result has cells beside entries, which must be 0 though what is absent in the semiring is another value. */
static bool has_other_cells(const plan_state *s)
{
    int ndense;
    return s->plan->ring->fill != 0 && plan_is_sparse(s, 0) &&
           !tsr_format_has_lists(s->operands[0].binding->format, &ndense);
}

/* Whether the term computes each cell of the result once, from one entry of the access. */
static bool sets_once(const plan_state *s, const tsr_term *term, const choice *c)
{
    const tsr_plan *const plan = s->plan;
    const uint32_t freed = tsr_notation_free_vars(plan->notation), vars = c->access->vars;
    bool once = !plan->notation->accumulate && (vars & ~freed) == 0 && (!term->sum || (freed & ~vars) == 0);
    for (int v = plan->notation->nfree; v < plan->notation->nvars; v++)
        once = once && !plan->schedule.block[v];
    return once &&
           (plan->schedule.sharing == TSR_SHARE_AUTO || plan->schedule.sharing == TSR_SHARE_EXCLUSIVE);
}

/* Take what the term walks. *why: the reason why it cannot; NULL: it does. */
static tsr_status take_walk(const char **why, plan_state *s, int i)
{
    tsr_plan *const plan = s->plan;
    const tsr_term *const term = &plan->terms->term[i];
    choice c;
    *why = find_walked(&c, s, term);
    if (!*why)
        TSR_TRY(share_levels(why, &c, s, term));
    if (!*why && c.access && !plan_has_loops(s, c.access->tensor))
        *why = "a format counts entries";
    if (!*why && has_other_cells(s) && !sets_once(s, term, &c))
        *why = "the semiring is not plus-times, and not each cell of the sparse result is computed from one "
               "entry";
    if (*why)
        return TSR_OK;
    plan->term[i] = (tsr_plan_term){.term = term,
                                    .walks = true,
                                    .walked = c.access,
                                    .nshared = c.nshared,
                                    .located = plan_located_beside(s, term, c.access)};
    TSR_TRY(plan_new_nest(s, &plan->term[i]));
    if (c.nshared > 0) {
        plan->walk.pattern_tensor = c.access->tensor;
        plan->walk.pattern_nlevels = c.nshared;
    }
    return TSR_OK;
}

/* Whether the schedule asks for loops that merge. */
static bool asks_to_merge(const tsr_schedule *schedule)
{
    bool asks = schedule->said.merges || schedule->assembly != TSR_PLAN_ASSEMBLY_AUTO ||
                schedule->workspace != TSR_PLAN_WORKSPACE_AUTO;
    for (int t = 0; t < TSR_NOTATION_MAX_TENSORS; t++)
        asks = asks || converts(schedule, t);
    return asks;
}

/* The access that is a factor of each term, where no term has another sparse operand; NULL: there is not one. */
static const tsr_expr *find_common(const plan_state *s)
{
    const tsr_terms *const terms = s->plan->terms;
    const tsr_expr *common = NULL;
    for (int i = 0; i < terms->nterms; i++) {
        const tsr_term *const term = &terms->term[i];
        const tsr_expr *here = NULL;
        for (int f = 0; f < term->nfactors; f++) {
            const tsr_expr *const e = term->factor[f].expr;
            if (e->kind == TSR_EXPR_ACCESS && plan_is_sparse(s, e->tensor) && !term->factor[f].inverse)
                here = e;
        }
        if (!here || (common && !tsr_expr_same_access(here, common)))
            return NULL;
        common = here;
    }
    const bool repeats = tsr_format_keeps_duplicates(s->operands[common->tensor].binding->format);
    return repeats || find_other(s, s->plan->notation->rhs, common) ? NULL : common;
}

/* The whole right side as one term, whose value is computed at each entry of an access. */
static tsr_status join_terms(plan_state *s)
{
    tsr_plan *const plan = s->plan;
    tsr_term *const term = tsr_arena_alloc(plan->arena, sizeof *term);
    tsr_factor *const factor = tsr_arena_alloc(plan->arena, sizeof *factor);
    if (!term || !factor)
        return tsr_fail(s->err, TSR_NOMEM, "out of memory: a plan");
    const tsr_expr *const rhs = plan->notation->rhs;
    *factor = (tsr_factor){.expr = rhs};
    *term = (tsr_term){.nfactors = 1,
                       .factor = factor,
                       .tensors = rhs->tensors,
                       .vars = rhs->vars,
                       .sum = rhs->vars & ~tsr_notation_free_vars(plan->notation)};
    plan->terms->nterms = plan->nterms = 1;
    plan->terms->term = term;
    return TSR_OK;
}

/* Why a statement with the + and * of this semiring has to merge; NULL: loops that walk add and multiply with them. */
static const char *merges_for_ring(const plan_state *s)
{
    const tsr_plan *const plan = s->plan;
    if (plan->ring == &tsr_semirings[0])
        return NULL;
    if (plan->storage.is_on)
        return "the statement is in storage coordinates";
    if (plan_adds_first(s) && !find_common(s))
        return "sums are reduced, and their terms do not all have the same sparse operand, without "
               "duplicates";
    return NULL;
}

tsr_status plan_walk(plan_state *s)
{
    tsr_plan *const plan = s->plan;
    const tsr_notation *const notation = plan->notation;
    plan->walk.pattern_tensor = -1;
    plan->why = tsr_notation_has_ending(notation) ? "the statement ends in a selection or a condition"
                : notation->result->has_step      ? "the result has a window"
                : s->request->assembles && plan_is_sparse(s, 0) ? "a step makes an operand of a sparse result"
                                                                : merges_for_ring(s);
    const int nterms = plan->terms->nterms;
    const tsr_term *const term = plan->terms->term;
    s->common = !plan->why && plan_adds_first(s) ? find_common(s) : NULL;
    if (s->common)
        TSR_TRY(join_terms(s));
    for (int i = 0; i < plan->terms->nterms && !plan->why; i++)
        TSR_TRY(take_walk(&plan->why, s, i));
    for (int i = 0; i < plan->terms->nterms && !plan->why; i++)
        if (!follows_order(s, plan->term[i].walked))
            plan->why = "the schedule asks for another order of loops";
    if (!plan->why && asks_to_merge(&plan->schedule))
        plan->why = "the schedule asks for it";
    plan->walk.has_zeros = !plan->why && has_other_cells(s);
    if (plan->why) {
        memset(plan->term, 0, (size_t)plan->nterms * sizeof *plan->term);
        plan->walk.pattern_tensor = -1;
        plan->walk.pattern_nlevels = 0;
        plan->terms->nterms = plan->nterms = nterms;
        plan->terms->term = term;
        s->common = NULL;
    }
    return TSR_OK;
}

/* Whether a factor of the term is a sparse operand, which it may walk. */
static bool may_walk(choice *c, const plan_state *s, const tsr_term *term)
{
    bool is_sparse = false;
    for (int f = 0; f < term->nfactors; f++) {
        const tsr_expr *const e = term->factor[f].expr;
        is_sparse = is_sparse || (e->kind == TSR_EXPR_ACCESS && plan_is_sparse(s, e->tensor));
    }
    return is_sparse && !find_walked(c, s, term);
}

/* Whether the schedule asks the term to walk its operand. */
static bool is_asked(const plan_state *s, const tsr_term *term)
{
    const tsr_schedule_term *const said = plan_said(s->plan, term);
    choice c;
    return may_walk(&c, s, term) &&
           (said ? c.access->tensor == said->driver
                 : plan_asks_walk(s->plan, c.access->tensor) && !converts_factor(s, term));
}

/* Whether the term walks an operand since the schedule asks for it, beside a term that other items are about. */
bool plan_walks_asked(const plan_state *s, const tsr_term *term)
{
    bool any = false;
    for (int i = 0; i < s->plan->terms->nterms; i++)
        any = any || !is_asked(s, &s->plan->terms->term[i]);
    return any && is_asked(s, term);
}

tsr_status plan_walk_some(plan_state *s)
{
    tsr_plan *const plan = s->plan;
    const char *why;
    choice c;
    if (plan->sink != TSR_PLAN_DENSE || merges_for_ring(s) || plan->nouter > 0 || plan->storage.is_on ||
        plan->notation->result->has_step || tsr_notation_has_ending(plan->notation))
        return TSR_OK;
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_term *const term = &plan->terms->term[i];
        if (plan_walks_asked(s, term) ||
            (!asks_to_merge(&plan->schedule) && may_walk(&c, s, term) && follows_order(s, c.access)))
            TSR_TRY(take_walk(&why, s, i));
    }
    return TSR_OK;
}
