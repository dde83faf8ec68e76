/* The nests of the terms: for each term the loops, and the depths at which each factor is multiplied, each sum is finished,
 * and the result is added to.
 *
 * A factor becomes known at the depth where the last of its driver variables becomes known. Factors known at
 * or above the depth `store`, where the result is added to, multiply the sum that is added there (prefix
 * products); a factor known below `store` multiplies the sum over everything below its own depth. A dense
 * variable is summed at the least depth where one of its factors is multiplied, or at `store`. Sums that
 * depend on dense variables are local arrays; where such an array would be too large, factors are multiplied
 * at a deeper depth instead, so that the array is not needed. Integer terms with a division are multiplied
 * and divided in the innermost loop, in the order of the text, since integer division is not distributive. */
#include "plan_state.h"

#include <string.h>

#include "tsr_checked.h"

enum { OPEN_BLOCK_NBYTES = 128 }; /* two cache lines */

static bool is_dense(const tsr_plan *plan, int tensor)
{
    return tsr_format_is_dense(plan->walk.operand[tensor].binding->format);
}

/* The elements of a local array over these axes; at most UINT64_MAX. */
static uint64_t nelements(const tsr_plan *plan, const tsr_nest *term, uint64_t axes)
{
    uint64_t n = 1;
    for (int v = 0; v < TSR_NEST_MAX_AXES; v++)
        if (tsr_plan_has(axes, v))
            n = plan_times(n, v < TSR_NEST_LEVEL_AXIS
                                  ? plan_extent(plan, v)
                                  : plan->walk.operand[term->driver].binding->size[v - TSR_NEST_LEVEL_AXIS]);
    return n;
}

/* The positions of a dense result; they must fit the index arithmetic of programs. */
static tsr_status result_positions(tsr_plan *plan, tsr_error *err)
{
    const tsr_binding *binding = plan->walk.operand[0].binding;
    plan->walk.npositions = 1;
    for (int l = 0; l < binding->format->nlevels; l++)
        if (!tsr_mul_u64(&plan->walk.npositions, plan->walk.npositions, binding->pitch[l]) ||
            plan->walk.npositions > INT64_MAX / TSR_MAX_VALUE_NBYTES)
            return tsr_fail(err, TSR_LIMIT, "the dense result %s would have more than 2^59 positions",
                            plan->notation->tensor[0].name);
    return TSR_OK;
}

/* Whether the value at the driver's position is a part of e. */
static bool reads_driver(const tsr_nest *term, const tsr_expr *e)
{
    if (!e || !term->access)
        return false;
    if (e->kind == TSR_EXPR_ACCESS)
        return e->mask == TSR_MASK_NONE && tsr_expr_same_access(term->access, e);
    return reads_driver(term, e->a) || reads_driver(term, e->b);
}

static tsr_nest_factor new_factor(const tsr_plan *plan, const tsr_nest *term, const tsr_factor *of,
                                  uint32_t bound)
{
    const bool reads = reads_driver(term, of->expr);
    tsr_nest_factor f = {.expr = of->expr, .inverse = of->inverse, .dense = of->expr->vars & ~bound};
    f.is_driver = reads && of->expr->kind == TSR_EXPR_ACCESS;
    f.depth = f.is_driver ? 0 : plan_depth_of(term, of->expr->vars);
    if (reads && !plan->walk.operand[term->driver].iso)
        f.depth = term->nlevels;
    f.depth = plan_settle(plan, term, f.depth);
    return f;
}

/* Fill in the factors of the term and the depths where they become known. */
static tsr_status term_factors(tsr_plan *plan, tsr_nest *term, uint64_t located, tsr_error *err)
{
    uint32_t bound = 0;
    const uint32_t vars = term->term->vars | tsr_notation_free_vars(plan->notation);
    for (int v = 0; v < plan->notation->nvars; v++) {
        bound |= (uint32_t)(term->known[v] >= 0) << v;
        term->empty = term->empty || (tsr_plan_has(vars, v) && plan->size[v] == 0);
    }
    term->dense = vars & ~bound;
    term->sum = term->term->sum & ~bound;
    const int n = term->term->nfactors;
    term->factor = tsr_arena_alloc(plan->arena, (size_t)(n ? n : 1) * sizeof *term->factor);
    if (!term->factor)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a plan");
    term->nfactors = 0;
    for (int i = 0; i < n; i++) {
        const tsr_factor *const of = &term->term->factor[i];
        if (term->access && of->expr->mask != TSR_MASK_NONE)
            continue; /* 1 where the driver stores an entry */
        term->factor[term->nfactors++] = new_factor(plan, term, of, bound);
        term->factor[term->nfactors - 1].is_located =
            tsr_plan_has(located, i) || of->expr->kind == TSR_EXPR_BAND;
        term->divides = term->divides || of->inverse;
    }
    return TSR_OK;
}

/* ---- depths ---- */

/* The elements of a local array with v as an axis, at most. Where loops merge, few entries may meet: then a long array pays only if it
 * saves reading a factor for each of them (EPYC, a tenth of the rows with an entry, 512 columns: half as fast, else the same). */
static uint64_t most_elements(const tsr_plan *plan, const tsr_nest *term, int v)
{
    bool pays = term->driver >= 0 || plan->schedule.block[v];
    for (int i = 0; i < term->nfactors; i++)
        pays = pays || (tsr_plan_has(term->factor[i].dense, v) && term->factor[i].depth <= term->sink.out);
    return pays ? TSR_PLAN_LOCAL / 2 : TSR_PLAN_LITERAL;
}

/* The dense variables that may be axes of a local array. */
static uint32_t small_vars(const tsr_plan *plan, const tsr_nest *term)
{
    uint32_t small = 0;
    for (int v = 0; v < plan->notation->nvars; v++)
        if (tsr_plan_has(term->dense, v) && plan_extent(plan, v) > 0 &&
            plan_extent(plan, v) <= most_elements(plan, term, v) &&
            (plan->schedule.block[v] || !tsr_plan_is_open(plan, v)))
            small |= (uint32_t)1 << v;
    while (nelements(plan, term, small) > TSR_PLAN_LOCAL) {
        int largest = -1;
        for (int v = 0; v < plan->notation->nvars; v++)
            if (tsr_plan_has(small, v) && (largest < 0 || plan_extent(plan, v) > plan_extent(plan, largest)))
                largest = v;
        small &= ~((uint32_t)1 << largest);
    }
    return small;
}

/* Where the factors with variable v are multiplied: the least and the largest depth. */
static void factor_range(int *least, int *most, const tsr_nest *term, int v)
{
    *least = term->nlevels;
    *most = 0;
    for (int i = 0; i < term->nfactors; i++) {
        const tsr_nest_factor *f = &term->factor[i];
        if (!tsr_plan_has(f->dense, v))
            continue;
        *least = f->at < *least ? f->at : *least;
        *most = f->at > *most ? f->at : *most;
    }
}

/* Move all factors that have one of these variables to the same depth, so that an array for a part of their
 * product is not needed. A factor with two of these variables joins the factors of both. */
static void gather_factors(const tsr_plan *plan, tsr_nest *term, uint32_t vars)
{
    int least, most;
    for (bool moved = true; moved;) {
        moved = false;
        for (int v = 0; v < plan->notation->nvars; v++) {
            if (!tsr_plan_has(vars, v))
                continue;
            factor_range(&least, &most, term, v);
            for (int i = 0; i < term->nfactors && most > term->sink.store; i++)
                if (tsr_plan_has(term->factor[i].dense, v) && term->factor[i].at < most) {
                    term->factor[i].at = most;
                    moved = true;
                }
        }
    }
}

/* Whether the factor is multiplied in the innermost loop. In loops that merge a sum that is finished before the result is added to
 * costs a branch, as it may be without contributions, and loops inside are short: it is only for sums over dense variables. */
static bool is_inmost(const tsr_plan *plan, const tsr_nest *term, const tsr_nest_factor *f)
{
    return term->one_product || tsr_nest_keeps_order(plan, term) ||
           (term->driver < 0 && !f->dense && f->depth > term->sink.out);
}

/* Set the depths where factors are multiplied, sums are finished, and the result is added to, given
 * `out`. */
static void place_factors(const tsr_plan *plan, tsr_nest *term)
{
    const uint32_t small = small_vars(plan, term), large = term->dense & ~small;
    int least, most;
    for (int i = 0; i < term->nfactors; i++)
        term->factor[i].at = is_inmost(plan, term, &term->factor[i]) ? term->nlevels : term->factor[i].depth;
    term->sink.store = term->sink.out;
    for (int v = 0; v < plan->notation->nvars; v++) {
        factor_range(&least, &most, term, v);
        if (tsr_plan_has(large & ~term->sum, v) && most > term->sink.store)
            term->sink.store = most;
    }
    gather_factors(plan, term, large & term->sum);
    for (int v = 0; v < plan->notation->nvars; v++) {
        if (!tsr_plan_has(term->sum, v))
            continue;
        factor_range(&least, &most, term, v);
        term->sum_depth[v] = tsr_plan_has(large, v) ? most : least;
        if (term->sum_depth[v] < term->sink.store)
            term->sum_depth[v] = term->sink.store;
    }
    for (int d = 0; d <= term->nlevels; d++) {
        term->carried[d] = 0;
        for (int i = 0; i < term->nfactors; i++)
            if (term->factor[i].at > d)
                term->carried[d] |= term->factor[i].dense;
        for (int v = 0; v < plan->notation->nvars; v++)
            if (tsr_plan_has(term->sum, v) && term->sum_depth[v] > d)
                term->carried[d] &= ~((uint64_t)1 << v);
        for (int l = d; l < term->nlevels; l++)
            if (tsr_plan_has(term->sink.deferred, l))
                term->carried[d] |= (uint64_t)1 << (TSR_NEST_LEVEL_AXIS + l);
    }
}

/* The levels that the result's place depends on. */
static uint32_t result_levels(const tsr_plan *plan, const tsr_nest *term)
{
    uint32_t levels = 0;
    for (int m = 0; term->access && m < term->access->nindices; m++)
        if (tsr_plan_is_free(plan, term->mode[m].var))
            levels |= term->mode[m].levels;
    return levels;
}

/* Whether level l can be deferred: dense and short, and its padding can be clipped again. */
static bool can_defer(const tsr_plan *plan, const tsr_nest *term, int l)
{
    const tsr_binding *binding = plan->walk.operand[term->driver].binding;
    if (l < term->sink.shared || !binding->format->levels[l].type->full || term->access->window ||
        binding->size[l] > TSR_PLAN_LITERAL || binding->size[l] == 0)
        return false;
    for (int m = 0; m < term->access->nindices; m++) {
        const tsr_nest_mode *mode = &term->mode[m];
        if (!mode->binds || ((mode->levels >> l & 1) && (mode->low || mode->high) && mode->clips < 0))
            return false;
    }
    for (int k = 0; k < term->nlevels; k++)
        if (term->level[k].check_depth >= 0)
            return false;
    return true;
}

/* The least depth where the elements of a sum over deferred levels are multiplied by a factor that may be
 * Inf or NaN; nlevels where there is not such a factor. */
static int multiplied_depth(const tsr_plan *plan, const tsr_nest *term)
{
    int depth = term->nlevels;
    for (int i = 0; i < term->nfactors; i++) {
        const tsr_nest_factor *f = &term->factor[i];
        const bool is_finite = tsr_plan_is_scale(plan, f->expr) && !f->inverse;
        const int d = f->at < term->sink.store ? term->sink.store : f->at;
        if (!is_finite && d < depth && term->carried[d] >> TSR_NEST_LEVEL_AXIS)
            depth = d;
    }
    return depth;
}

/* Whether elements of a sum to which nothing was added would be multiplied by a factor that may be Inf or
 * NaN. Where all entries of the driver are stored, such elements exist only where threads each have a part of
 * the sum; then term->whole is set, so that the cut is not below that depth. */
static bool multiplies_empty(const tsr_plan *plan, tsr_nest *term)
{
    const int depth = multiplied_depth(plan, term);
    if (depth == term->nlevels)
        return false;
    if (!is_dense(plan, term->driver) || plan->walk.operand[term->driver].binding->may_pad)
        return true;
    if (tsr_plan_is_serial(plan))
        return false;
    term->whole = depth;
    return depth == 0 || plan_asked_cut(plan, term) > depth;
}

/* Blocks: where summed levels are between the levels that the result's place depends on, and the inner ones
 * of the latter are short and dense, the result is added to at a shallower depth, from local arrays over
 * these levels. */
static bool defer_levels(const tsr_plan *plan, tsr_nest *term)
{
    const uint32_t levels = term->driver < 0 ? 0 : result_levels(plan, term);
    int out = term->sink.shared, last = 0;
    uint32_t deferred = 0;
    for (int l = 0; l < term->nlevels; l++) {
        if (!tsr_plan_has(levels, l))
            continue;
        last = l;
        if (can_defer(plan, term, l)) {
            deferred |= (uint32_t)1 << l;
        } else {
            out = l + 1 > out ? l + 1 : out;
            deferred = 0;
        }
    }
    bool sums_between = false;
    for (int l = out; l < last; l++)
        sums_between = sums_between || !tsr_plan_has(levels, l);
    if (!deferred || !sums_between)
        return false;
    term->sink.out = plan_settle(plan, term, out);
    term->sink.deferred = deferred;
    place_factors(plan, term);
    return term->sink.store == term->sink.out && !multiplies_empty(plan, term) &&
           nelements(plan, term, term->carried[term->sink.store]) <= TSR_PLAN_LOCAL;
}

/* Set deferred, out, store and the depths of factors and sums. */
static void term_depths(const tsr_plan *plan, tsr_nest *term)
{
    term->whole = term->nlevels;
    if (defer_levels(plan, term))
        return;
    term->sink.deferred = 0;
    term->whole = term->nlevels;
    term->sink.out = plan_depth_of(term, tsr_notation_free_vars(plan->notation));
    if (term->sink.shared > term->sink.out)
        term->sink.out = term->sink.shared;
    if (plan_has_runs(plan, term)) {
        place_factors(plan, term);
        term->sink.run = term->sink.store == term->sink.out ? term->sink.out : 0;
        if (term->sink.run > 0)
            return;
    }
    term->sink.out = plan_settle(plan, term, term->sink.out);
    place_factors(plan, term);
}

/* ---- the loops where the result is added to ---- */

/* Set the order of the axes at depth `store`. */
static void store_loops(const tsr_plan *plan, tsr_nest *term)
{
    for (int l = 0; l < term->nlevels; l++)
        if (tsr_plan_has(term->sink.deferred, l))
            term->sink.order[term->sink.norder++] = TSR_NEST_LEVEL_AXIS + l;
    const int nlevels = term->sink.norder;
    for (int v = 0; v < plan->notation->nvars; v++)
        if (tsr_plan_has(term->dense, v) &&
            (!tsr_plan_has(term->sum, v) || term->sum_depth[v] == term->sink.store))
            term->sink.order[term->sink.norder++] = v;
    tsr_nest_order_loops(plan, term, term->sink.order + nlevels, term->sink.norder - nlevels);
}

/* Whether, by depth `store`, the loops have skipped the positions of level l that the inverse map does not
 * produce or that give two different coordinates for one variable. */
static bool is_settled(const tsr_nest *term, int l)
{
    for (int m = 0; m < term->access->nindices; m++)
        if (term->level[l].modes >> m & 1 && !term->mode[m].binds && term->mode[m].depth > term->sink.store)
            return false;
    return term->level[l].check_depth <= term->sink.store;
}

/* Set distinct, once and covers: how often each element of the result is stored. */
static void count_stores(const tsr_plan *plan, tsr_nest *term)
{
    const uint32_t freed = tsr_notation_free_vars(plan->notation);
    term->sink.distinct = 0;
    while (term->sink.distinct < term->nlevels) {
        const int l = term->sink.distinct;
        const tsr_level_spec *spec = &plan->walk.operand[term->driver].binding->format->levels[l];
        if (l >= term->sink.shared &&
            ((term->level[l].vars & ~freed) || spec->nonunique || !is_settled(term, l)))
            break;
        term->sink.distinct++;
    }
    term->sink.once = term->sink.distinct >= term->sink.store;
    bool summed = false; /* a summing loop encloses a loop over a free variable */
    for (int i = 0; i < term->sink.norder; i++) {
        const bool sums =
            term->sink.order[i] < TSR_NEST_LEVEL_AXIS && tsr_plan_has(term->sum, term->sink.order[i]);
        term->sink.once = term->sink.once && (sums || !summed);
        summed = summed || sums;
    }
    for (int v = 0; v < plan->notation->nvars; v++) /* each block of a sum stores once */
        term->sink.once = term->sink.once && !(tsr_plan_has(term->sum, v) && plan->schedule.block[v]);
    term->sink.covers = term->sink.once && plan->notation->nfree == plan->notation->tensor[0].order &&
                        !(term->sink.store == term->nlevels && term->skips_zeros);
    term->sink.covers = term->sink.covers && !term->empty && !(term->access && term->access->window);
    for (int i = 0; i < term->nfactors; i++)
        term->sink.covers =
            term->sink.covers && !(term->factor[i].is_located && term->factor[i].depth <= term->sink.store);
    for (int l = term->sink.shared; l < term->sink.store; l++) {
        const tsr_level_type *type = plan->walk.operand[term->driver].binding->format->levels[l].type;
        term->sink.covers = term->sink.covers && (type->full || type->has_all);
    }
    for (int m = 0; m < TSR_MAX_ORDER && term->access && m < term->access->nindices; m++)
        if (!term->mode[m].binds && term->sink.shared > 0)
            term->sink.covers = false;
}

/* ---- the whole nest ---- */

tsr_status plan_new_nest(plan_state *s, tsr_plan_term *term)
{
    term->nest = tsr_arena_alloc(s->plan->arena, sizeof *term->nest);
    if (!term->nest)
        return tsr_fail(s->err, TSR_NOMEM, "out of memory: a plan");
    *term->nest = (tsr_nest){.term = term->term, .driver = -1};
    for (int v = 0; v < TSR_NOTATION_MAX_VARS; v++)
        term->nest->known[v] = -1;
    return TSR_OK;
}

/* Whether all factors of a term that merges are multiplied in the innermost loop: its sink is not an element of a dense result that
 * can be added to at any time, or a window leaves out contributions one by one. */
static bool has_one_product(const tsr_plan *plan, const tsr_plan_term *t)
{
    bool has = plan->sink != TSR_PLAN_DENSE || plan->nouter > 0 || plan->storage.is_on || t->naccesses == 0;
    for (int k = 0; k < t->naccesses; k++)
        has = has || (t->naccesses == 1 && tsr_expr_has_window(plan->access[t->access[k]].expr, false));
    return has;
}

/* The variables whose coordinates decide which entries the loops of the term visit. */
static uint32_t deciding_vars(const tsr_plan *plan, const tsr_plan_term *t)
{
    uint32_t vars = 0;
    for (int k = 0; k < t->naccesses; k++)
        vars |= plan->access[t->access[k]].expr->vars;
    for (int k = 0; k < t->nmasks; k++)
        vars |= plan->access[t->mask[k]].expr->vars;
    for (int f = 0; f < t->term->nfactors; f++)
        if (t->term->factor[f].expr->has_band)
            vars |= t->term->factor[f].expr->vars;
    return vars;
}

/* The factors that decide which entries are visited have no value. */
static void leave_out_masks(tsr_nest *nest)
{
    for (int i = 0; i < nest->nfactors; i++) {
        const tsr_expr *const e = nest->factor[i].expr;
        if (e->kind == TSR_EXPR_BAND || (e->kind == TSR_EXPR_ACCESS && e->mask != TSR_MASK_NONE))
            nest->factor[i].at = TSR_NEST_NOWHERE;
    }
}

/* The nest of a term that merges. The loops over the variables that stand last in its order, and that no sparse operand has, are those
 * over dense variables. */
static tsr_status merge_nest(tsr_plan *plan, tsr_nest *nest, tsr_plan_term *t, tsr_error *err)
{
    const uint32_t deciding = deciding_vars(plan, t);
    nest->one_product = has_one_product(plan, t);
    while (!nest->one_product && t->nvars > 1 && !tsr_plan_has(deciding, t->order[t->nvars - 1]))
        t->nvars--;
    nest->nlevels = t->nvars > plan->nouter ? t->nvars - plan->nouter : 0;
    for (int k = 0; k < t->nvars; k++)
        nest->known[t->order[k]] = k < plan->nouter ? 0 : k - plan->nouter + 1;
    TSR_TRY(term_factors(plan, nest, t->located, err));
    nest->empty = t->empty;
    nest->dense &= ~plan->storage.blocks;
    nest->whole = nest->nlevels;
    nest->sink.out =
        nest->one_product ? nest->nlevels : plan_depth_of(nest, tsr_notation_free_vars(plan->notation));
    place_factors(plan, nest);
    leave_out_masks(nest);
    if (!nest->one_product)
        store_loops(plan, nest);
    return TSR_OK;
}

static tsr_status walk_nest(tsr_plan *plan, tsr_nest *term, tsr_plan_term *t, tsr_error *err)
{
    term->access = t->walked;
    term->driver = term->access ? term->access->tensor : -1;
    term->sink.shared = t->nshared;
    if (term->driver >= 0)
        TSR_TRY(plan_nest_driver(plan, term, err));
    TSR_TRY(term_factors(plan, term, t->located, err));
    /* whether a stored zero is not a zero of the sum */
    bool others = !tsr_plan_is_plus_times(plan) || term->nfactors < term->term->nfactors;
    for (int i = 0; i < term->nfactors; i++)
        others = others || term->factor[i].inverse ||
                 (!term->factor[i].is_driver && term->factor[i].expr->kind != TSR_EXPR_NUMBER);
    term->skips_zeros = term->skips_zeros && others;
    term_depths(plan, term);
    store_loops(plan, term);
    count_stores(plan, term);
    return TSR_OK;
}

/* Whether v, whose size is unknown, indexes rows of dense tensors alone, and the schedule leaves the loop over it open. */
static bool is_open_row(const tsr_plan *plan, int v)
{
    const tsr_schedule *const schedule = &plan->schedule;
    bool row = tsr_plan_is_open(plan, v) && !schedule->unroll[v] && schedule->vector_var != v + 1 &&
               schedule->parallel_var != v + 1;
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_plan_term *const term = &plan->term[i];
        row =
            row && term->walked && tsr_plan_has(term->term->vars, v) && !tsr_plan_has(term->walked->vars, v);
    }
    return row;
}

/* Rows of unknown length, like those of factors of an unknown rank, are computed in blocks whose sums stay in registers, where
 * the schedule does not say how: one variable of the result. */
static void block_open_rows(tsr_plan *plan)
{
    tsr_schedule *const schedule = &plan->schedule;
    int row = -1;
    if (!plan->target.stand_in || schedule->plain || schedule->norder > 0 || schedule->said.merges)
        return;
    for (int v = 0; v < plan->notation->nvars; v++)
        if (schedule->block[v])
            return;
    for (int v = 0; v < plan->notation->nfree; v++)
        row = is_open_row(plan, v) ? v : row;
    if (row >= 0)
        schedule->block[row] = OPEN_BLOCK_NBYTES / (uint32_t)tsr_type_nbytes(plan->walk.operand[0].type);
}

tsr_status plan_make_nests(tsr_plan *plan, tsr_error *err)
{
    const int n = plan->nterms;
    if (plan_has_nests(plan) && is_dense(plan, 0))
        TSR_TRY(result_positions(plan, err));
    if (plan_has_nests(plan))
        block_open_rows(plan);
    for (int i = 0; i < n; i++)
        TSR_TRY(
            (plan->term[i].walks ? walk_nest : merge_nest)(plan, plan->term[i].nest, &plan->term[i], err));
    for (int i = 0; i < n && tsr_plan_walks(plan) && !plan->term[0].nest->sink.covers; i++)
        if (plan->term[i].nest->sink.covers) { /* the first term sets the result, the others add */
            const tsr_plan_term first = plan->term[i];
            memmove(&plan->term[1], &plan->term[0], (size_t)i * sizeof first);
            plan->term[0] = first;
        }
    return TSR_OK;
}

/* ---- literals ---- */

/* Sizes are literals of the program where they are small: of blocks, and of a dense result the variables of dense operands alone. In a
 * nest with a driver, also where a local array may have the variable as an axis. */
void plan_choose_literals(tsr_plan *plan)
{
    uint32_t bound = 0, local = 0;
    for (int a = 0; a < plan->naccesses; a++)
        bound |= plan->access[a].expr->vars;
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_nest *const nest = plan->term[i].nest;
        for (int v = 0; plan->term[i].walks && v < plan->notation->nvars; v++)
            bound |= (uint32_t)(nest->known[v] >= 0) << v;
        if (nest->nlevels > 0 && !nest->one_product)
            local |= small_vars(plan, nest);
    }
    for (int v = 0; v < plan->notation->nvars; v++) {
        const bool is_small = plan->size[v] > 0 && plan->size[v] <= TSR_PLAN_LITERAL,
                   is_open = plan->sink == TSR_PLAN_DENSE && !plan->schedule.block[v];
        if (plan->schedule.literal[v] || (is_small && tsr_plan_has(plan->storage.blocks, v)) ||
            (is_open && (tsr_plan_has(local, v) || (is_small && !tsr_plan_has(bound, v)))))
            plan->literal |= (uint32_t)1 << v;
    }
}
