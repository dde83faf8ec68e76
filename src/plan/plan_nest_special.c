/* Which special loops (special.def) the terms of a plan that walks have besides plain ones. The passes `runs`, `groups` and `lanes`
 * (src/passes) make them of plain loops; lower_lanes.c writes slots; plan_prefetch.c decides on prefetches. */
#include <math.h>

#include "plan_state.h"
#include "tsr_checked.h"

enum { MOST_LANES = 256, LANES_NBYTES = 64 };

/* ---- runs ---- */

/* Positions at least, on average; bytes of a row at most; the same for long runs. A single element is a row of a long run alone: each
 * end of a run is a branch that is often mispredicted. SpMV of coo on one thread, 48 entries in each row: 2.0 ms instead of 3.9;
 * 9 on average: 3.7 instead of 1.8 (Xeon, Sapphire Rapids). */
enum { RUN = 6, ROW_NBYTES = 128, LONG_RUN = 32, LONG_ROW_NBYTES = 512 };

/* Whether each entry of the driver is a position of level l and of all levels below it, without padding. */
static bool is_chain(const tsr_format *format, const tsr_nest *term, int l)
{
    if (!tsr_level_is_list(format->levels[l].type) || !format->levels[l].nonunique ||
        !format->levels[l].type->is_ordered)
        return false;
    for (int k = l + 1; k < term->nlevels; k++)
        if (!format->levels[k].type->branchless)
            return false;
    for (int m = 0; m < term->access->nindices; m++)
        if (!term->mode[m].binds || term->mode[m].low || term->mode[m].high)
            return false;
    for (int k = 0; k < term->nlevels; k++)
        if (term->level[k].check_depth >= 0)
            return false;
    return true;
}

bool plan_has_runs(const tsr_plan *plan, const tsr_nest *term)
{
    const int l = term->sink.out - 1;
    uint64_t most;
    if (plan_leaves_out(plan, TSR_SPECIAL_RUNS) || plan->ring->add != TSR_COMBINE_ADD || term->driver < 0 ||
        l < 0 || term->sink.out == term->nlevels || tsr_nest_filters(term, 0) || term->sink.shared ||
        plan->walk.pattern_tensor >= 0 || plan_asked_cut(plan, term) > term->sink.out ||
        term->level[l].mode < 0 || !is_chain(plan->walk.operand[term->driver].binding->format, term, l))
        return false;
    const uint64_t nbytes =
        plan_times(tsr_type_nbytes(plan->walk.operand[0].type), plan_free_elements(plan, term));
    const uint64_t size = plan->walk.operand[term->driver].binding->size[l];
    if (!tsr_mul_u64(&most, tsr_nest_known_positions(plan, term, l), size) || most == 0)
        return false;
    const bool has_rows = term->dense & ~term->sum;
    const uint64_t run = tsr_nest_known_positions(plan, term, l + 1) / most;
    return (has_rows && run >= RUN && nbytes <= ROW_NBYTES) || (run >= LONG_RUN && nbytes <= LONG_ROW_NBYTES);
}

/* ---- groups ---- */

/* Whether the lists of entries below depth d are long. */
static bool has_long_lists(const tsr_plan *plan, const tsr_nest *term, int d)
{
    const uint64_t lists = tsr_nest_known_positions(plan, term, d);
    return lists > 0 && tsr_nest_known_positions(plan, term, term->nlevels) / lists >= TSR_LONG_LIST;
}

/* Whether the entries below depth d are visited in groups. */
static bool has_groups(const tsr_plan *plan, const tsr_nest *term, int d)
{
    return !plan_leaves_out(plan, TSR_SPECIAL_GROUPS) &&
           (plan_asks_prefetch(plan) || has_long_lists(plan, term, d)) && term->sink.store == term->nlevels &&
           d > 0 && d < term->nlevels - 1 && !tsr_nest_filters(term, 0) && !term->dense &&
           !term->sink.deferred && !term->sink.run && !term->sink.shared && !term->skips_zeros &&
           term->share.cut != TSR_CUT_ACROSS && term->share.sharing != TSR_SHARE_ATOMIC &&
           is_chain(plan->walk.operand[term->driver].binding->format, term, d) &&
           plan_is_long_stream(plan, term, d);
}

/* ---- lanes of a list ---- */

static bool is_plain_number(const tsr_plan *plan, const tsr_nest_factor *f)
{
    return !f->inverse && tsr_plan_is_scale(plan, f->expr) && isfinite(f->expr->number);
}

/* Whether the factor is the driver's value, or an element of a dense vector over variable v. */
static bool is_of_lane(const tsr_plan *plan, const tsr_nest_factor *f, int v)
{
    if (f->is_driver || is_plain_number(plan, f))
        return !f->inverse;
    if (f->inverse || f->expr->kind != TSR_EXPR_ACCESS || f->expr->nindices != 1 || f->expr->index[0] != v ||
        f->expr->window)
        return false;
    const tsr_format *format = plan->walk.operand[f->expr->tensor].binding->format;
    int mode[TSR_MAX_LEVELS];
    return format->nlevels == 1 && format->levels[0].type->full && tsr_format_is_permutation(format, mode);
}

bool tsr_nest_filters(const tsr_nest *term, int d)
{
    bool filters = false;
    for (int i = 0; i < term->nfactors; i++)
        filters = filters || (term->factor[i].is_located && term->factor[i].depth > d);
    for (int m = 0; term->access && m < term->access->nindices; m++)
        filters = filters || (tsr_expr_window(term->access, m) && term->mode[m].depth > d);
    return filters;
}

/* Whether the loops below depth d may skip entries: zeros, unequal coordinates of one variable, padding, cells that a located
 * operand does not store. */
bool tsr_nest_leaves_out(const tsr_plan *plan, const tsr_nest *term, int d)
{
    if (term->driver < 0)
        return d < term->nlevels;
    for (int m = 0; m < term->access->nindices; m++) {
        const tsr_nest_mode *mode = &term->mode[m];
        if (mode->depth > d && (!mode->binds || mode->low || mode->high))
            return true;
    }
    const tsr_level_spec *const levels = plan->walk.operand[term->driver].binding->format->levels;
    for (int l = 0; l < term->nlevels; l++)
        if (term->level[l].check_depth > d || (l >= d && levels[l].type->assemble))
            return true;
    return term->skips_zeros || tsr_nest_filters(term, d);
}

/* Whether a sum over what is below depth d or above it, as far down as d, is one scalar, which is always added. */
static bool has_scalar_sum(const tsr_plan *plan, const tsr_nest *term, int d)
{
    int from = -1;         /* the depth where the sum is added up */
    bool is_finite = true; /* the factors of the sum */
    for (int i = 0; i < term->nfactors; i++) {
        const tsr_nest_factor *const f = &term->factor[i];
        const bool sums = f->at >= term->sink.store && f->at <= d;
        from = sums && f->at > from ? f->at : from;
        is_finite = is_finite && (f->at > d || is_plain_number(plan, f));
    }
    from = from < term->sink.store && term->sink.store <= d ? term->sink.store : from;
    return from >= 0 && !term->carried[from] && (is_finite || !tsr_nest_leaves_out(plan, term, from));
}

/* Whether level d, the last one, is a list of coordinates that bind a variable. */
static bool is_last_list(const tsr_plan *plan, const tsr_nest *term, int d)
{
    const tsr_plan_operand *driver = &plan->walk.operand[term->driver];
    const tsr_level_type *type = driver->binding->format->levels[d].type;
    const int m = term->level[d].mode;
    return d == term->nlevels - 1 && d > 0 && tsr_level_is_list(type) && type->is_ordered && m >= 0 &&
           term->mode[m].binds && term->level[d].check_depth < 0 && driver->binding->base[d] == 0 &&
           !driver->iso;
}

/* Whether the products of the lists below depth d are added up in lanes. */
static bool has_lanes(const tsr_plan *plan, const tsr_nest *term, int d)
{
    const tsr_combine add = plan->ring->add;
    const bool adds = add == TSR_COMBINE_ADD || add == TSR_COMBINE_MIN || add == TSR_COMBINE_MAX;
    if (!has_scalar_sum(plan, term, d) || !adds || plan->schedule.scalar || term->dense ||
        term->skips_zeros || tsr_nest_filters(term, 0) || tsr_type_class(plan->walk.operand[0].type) != 'R' ||
        !is_last_list(plan, term, d) || plan->schedule.lanes < 0 || plan_leaves_out(plan, TSR_SPECIAL_LANES))
        return false;
    const bool is_long =
        plan->walk.operand[term->driver].long_lists >> d & 1 || has_long_lists(plan, term, d);
    if ((plan->schedule.lanes == 0 || plan->schedule.ways.usual) && !is_long)
        return false;
    const int v = term->mode[term->level[d].mode].var;
    for (int i = 0; i < term->nfactors; i++)
        if (term->factor[i].at == term->nlevels && !is_of_lane(plan, &term->factor[i], v))
            return false;
    return true;
}

/* ---- slots: rows side by side, a lane for each ---- */

/* Whether the factor is an operand without indices, such as alpha. It may be infinite, so only entries are multiplied
 * with it: a row may be without entries. */
static bool is_scalar(const tsr_nest_factor *f)
{
    return f->at == 0 && !f->is_driver && !f->inverse && f->expr->kind == TSR_EXPR_ACCESS &&
           f->expr->nindices == 0;
}

bool tsr_nest_has_scalars(const tsr_nest *term)
{
    bool has = false;
    for (int i = 0; i < term->nfactors; i++)
        has = has || is_scalar(&term->factor[i]);
    return has;
}

static bool factors_fit(const tsr_plan *plan, const tsr_nest *term, int v)
{
    for (int i = 0; i < term->nfactors; i++) {
        const tsr_nest_factor *f = &term->factor[i];
        if (f->at < 2 ? !is_plain_number(plan, f) && !is_scalar(f) : !is_of_lane(plan, f, v))
            return false;
    }
    return true;
}

/* Whether the levels are the rows, each position of which is a row, and their children. */
static bool levels_fit(const tsr_plan *plan, const tsr_nest *term)
{
    const tsr_format *format = plan->walk.operand[term->driver].binding->format;
    int perm[TSR_MAX_LEVELS];
    if (term->nlevels != 2 || !tsr_format_is_permutation(format, perm))
        return false;
    for (int l = 0; l < 2; l++) {
        const int m = term->level[l].mode;
        if (m < 0 || !term->mode[m].binds || term->level[l].check_depth >= 0)
            return false;
    }
    const tsr_level_type *rows = format->levels[0].type;
    return rows->full ? format->levels[0].pitch == 0 : rows->assemble && rows->is_splittable;
}

/* The rows that a block of lanes has; 0: the loops of the term do not have blocks. */
static uint64_t rows_of_block(const tsr_plan *plan, const tsr_nest *term)
{
    if (plan_leaves_out(plan, TSR_SPECIAL_SLOTS) || plan->schedule.scalar || term->driver < 0 ||
        term->sink.store != 1 || term->sink.deferred || term->dense || term->skips_zeros ||
        tsr_nest_filters(term, 0) || term->sink.shared || term->divides ||
        tsr_type_class(plan->walk.operand[0].type) == 'C' || !levels_fit(plan, term))
        return 0;
    const tsr_level_spec *spec = &plan->walk.operand[term->driver].binding->format->levels[1];
    const uint64_t n = spec->type->block ? spec->type->block(spec->param) : 0;
    const int crd_nbytes = plan->walk.operand[term->driver].nbytes[TSR_LEVEL_CRD][1];
    const bool fits = n >= 2 && n <= MOST_LANES && crd_nbytes > 0 && crd_nbytes < 8 &&
                      factors_fit(plan, term, term->mode[term->level[1].mode].var);
    return fits ? n : 0;
}

/* ---- windows ---- */

/* Coordinates of a window: 16 kB of doubles of the result, and as much of an operand; elements of the result in a window where
 * each coordinate has a row of them, and coordinates, at least. */
enum { WINDOW = 2048, TILE = 512, TILE_ROWS = 16 };

/* Whether the result has coordinates of variable v alone, apart from those of dense variables. */
static bool has_rows_of(const tsr_plan *plan, const tsr_nest *term, int v)
{
    for (int u = 0; u < plan->notation->nfree; u++)
        if (u != v && !tsr_plan_has(term->dense, u))
            return false;
    return tsr_plan_is_free(plan, v) && plan->notation->result->nindices == plan->notation->nfree;
}

/* The coordinates of a window if `row` elements of the result belong to each. The rows of both dense operands stay in the
 * first cache for all diagonals. Smaller windows than it holds are faster: C(i,k) = A(i,j) * B(j,k), 100,000 rows of 32,
 * 7 neighbouring diagonals, EPYC: 3.6 ms with 16 rows, 4.0 with 32, 5.2 with 64, 7.3 with 128; with 8 rows 3.2, but
 * 6.2 where the diagonals are 300 apart (16 rows: 4.8). */
static uint64_t window_size(uint64_t row)
{
    if (row <= 1)
        return WINDOW;
    return row < TILE / TILE_ROWS ? TILE / row : TILE_ROWS;
}

void plan_choose_windows(const tsr_plan *plan, tsr_nest *term)
{
    const tsr_binding *binding = plan->walk.operand[term->driver].binding;
    if (plan_leaves_out(plan, TSR_SPECIAL_WINDOWS) || term->nlevels != 2 || term->sink.store != 2 ||
        tsr_nest_filters(term, 0) || term->sum || term->sink.deferred || term->sink.shared ||
        plan->walk.pattern_tensor >= 0)
        return;
    const tsr_level_spec *upper = &binding->format->levels[0], *lower = &binding->format->levels[1];
    const int m = term->level[1].mode;
    const uint64_t row = plan_free_elements(plan, term);
    if (!upper->type->is_splittable || !upper->type->by_value || !lower->type->full || lower->pitch != 0 ||
        m < 0 || !term->mode[m].binds || !has_rows_of(plan, term, term->mode[m].var) ||
        binding->base[1] != 0 || plan_times(binding->size[1], row) <= WINDOW ||
        term->known[term->mode[m].var] != 2)
        return;
    term->special.window = 1;
    term->special.window_size = window_size(row);
}

/* ---- all of them ---- */

/* *lanes, *fetches: whether there are such loops. */
static void choose_specials(tsr_plan *plan, bool *lanes, bool *fetches)
{
    *lanes = false;
    for (int i = 0; i < plan->nterms; i++) {
        tsr_nest *const term = plan->term[i].nest;
        if (term->driver < 0)
            continue;
        tsr_nest_special *const special = &term->special;
        *special = (tsr_nest_special){.window = special->window, .window_size = special->window_size};
        for (int l = 0; l < term->nlevels; l++) {
            special->groups |= (uint32_t)has_groups(plan, term, l) << l;
            special->lanes |= (uint32_t)has_lanes(plan, term, l) << l;
        }
        special->slots = rows_of_block(plan, term);
        special->lanes_nbytes = plan->schedule.lanes > 0 ? plan->schedule.lanes : LANES_NBYTES;
        *lanes = *lanes || special->lanes;
    }
    *fetches = plan_choose_prefetches(plan);
}

void plan_choose_specials(tsr_plan *plan)
{
    tsr_schedule *const schedule = &plan->schedule;
    const tsr_schedule_ways *const ways = &schedule->ways;
    const int ahead = ways->stream ? ways->stream : ways->rows;
    bool lanes, fetches;
    choose_specials(plan, &lanes, &fetches);
    const bool asks = !fetches && (schedule->prefetch > 0 || ahead);
    if (!ways->usual || !(asks || (!lanes && schedule->lanes > 0)))
        return;
    schedule->ways.usual = false; /* the plan has no such loops without the items, so they ask for them */
    schedule->prefetch = asks && schedule->prefetch == 0 ? ahead : schedule->prefetch;
    choose_specials(plan, &lanes, &fetches);
}
