/* The driver of a term: its levels, the depths where coordinates become known, and padding. */
#include "plan_state.h"

#include "tsr_checked.h"

/* Whether result r is variable `var` and nothing else. */
static bool is_plain(const tsr_map *map, int r, int var)
{
    tsr_digit d;
    int64_t constant;
    return tsr_map_result_digits(&d, 1, &constant, map, r) == 1 && constant == 0 && d.k == 1 && d.div == 1 &&
           d.mod == 0 && d.dim == var;
}

/* ---- modes ---- */

/* Whether one position of the level further is one coordinate further. */
static bool is_interval(const tsr_format *format, int l)
{
    return format->levels[l].type->full || format->levels[l].type->is_interval;
}

/* Whether the deepest level that mode m depends on, number depth - 1, is dense or an interval and has factor 1. */
static bool steps(const tsr_binding *binding, int m, int depth)
{
    tsr_digit digit[TSR_MAX_LEVELS];
    int64_t constant;
    const int n = tsr_map_result_digits(digit, TSR_MAX_LEVELS, &constant, binding->inverse, m);
    bool found = false;
    for (int i = 0; i < n; i++) {
        if (digit[i].dim != depth - 1)
            continue;
        if (found || digit[i].k != 1 || digit[i].div != 1 || digit[i].mod != 0)
            return false;
        found = true;
    }
    return found && is_interval(binding->format, depth - 1);
}

/* Whether each position at this depth belongs to a stored entry: compressed and singleton levels have
 * positions for entries only. (Where dense levels follow, a block may consist of zeros only, without an
 * entry.) */
static bool is_of_entry(const tsr_format *format, int depth)
{
    const tsr_level_type *type = depth > 0 ? format->levels[depth - 1].type : NULL;
    return type && (type->is_compact || type->mark) && !tsr_format_has_dense_leaf(format);
}

/* Fill in mode m of the driver. perm: the mode of each level where the format is a permutation, else
 * NULL. */
static tsr_status driver_mode(tsr_nest *term, const tsr_binding *binding, int m, const int *perm, bool pads,
                              tsr_error *err)
{
    tsr_nest_mode *mode = &term->mode[m];
    *mode = (tsr_nest_mode){.var = term->access->index[m], .clips = -1};
    const bool has_window = tsr_expr_window(term->access, m); /* then no level stores the variable itself */
    for (int l = 0; perm && l < term->nlevels; l++)
        if (perm[l] == m) {
            mode->levels = (uint32_t)1 << l;
            mode->depth = l + 1; /* set even where the dim is 1 and the inverse is a constant */
            mode->steps = !has_window && is_interval(binding->format, l);
            term->level[l].mode = has_window ? -1 : m;
            return TSR_OK;
        }
    if (tsr_map_result_counts(binding->inverse, m))
        return tsr_fail(err, TSR_UNSUPPORTED, "a format that counts entries does not have loops");
    const uint64_t levels = tsr_map_result_vars(binding->inverse, m);
    mode->levels = (uint32_t)levels;
    for (int l = 0; l < term->nlevels; l++)
        if (levels >> l & 1)
            mode->depth = l + 1;
    const int last = mode->depth - 1;
    if (last >= 0 && binding->base[last] == 0 && term->level[last].mode < 0 && !has_window &&
        is_plain(binding->inverse, m, last))
        term->level[last].mode = m;
    mode->steps = !has_window && steps(binding, m, mode->depth);
    if (!pads || is_of_entry(binding->format, mode->depth))
        return TSR_OK;
    const tsr_interval in = tsr_map_result_bounds(binding->inverse, m);
    mode->low = in.lo < 0;
    mode->high = in.hi >= 0 && (uint64_t)in.hi >= binding->dims[m];
    if ((mode->low || mode->high) && mode->steps)
        mode->clips = last;
    return TSR_OK;
}

/* Each variable is bound by the mode that becomes known first. */
static void bind_variables(tsr_nest *term, int order)
{
    for (int m = 0; m < order; m++) {
        const tsr_nest_mode *mode = &term->mode[m];
        const int known = term->known[mode->var];
        if (known < 0 || mode->depth < known)
            term->known[mode->var] = mode->depth;
    }
    uint32_t bound = 0;
    for (int m = 0; m < order; m++) {
        tsr_nest_mode *mode = &term->mode[m];
        const uint32_t bit = (uint32_t)1 << mode->var;
        mode->binds = !(bound & bit) && term->known[mode->var] == mode->depth;
        bound |= mode->binds ? bit : 0;
    }
}

/* ---- levels ---- */

/* Set check_depth of each level. Where result l of forward(inverse(x)) is not simply x[l], logical
 * coordinates inside the dims may belong to another cell, so the program must check level l. */
static tsr_status checked_levels(tsr_nest *term, const tsr_binding *binding, tsr_error *err)
{
    tsr_map *both = NULL, *simple = NULL;
    tsr_status status = tsr_map_compose(&both, binding->forward, binding->inverse, err);
    if (status == TSR_OK)
        status = tsr_map_simplify_keeping_points(&simple, both, err);
    for (int l = 0; status == TSR_OK && l < term->nlevels; l++) {
        if (is_plain(simple, l, l) || tsr_map_result_counts(binding->forward, l))
            continue;
        const uint64_t modes = tsr_map_result_vars(binding->forward, l);
        int depth = l + 1;
        for (int m = 0; m < binding->format->order; m++)
            if (modes >> m & 1 && term->mode[m].depth > depth)
                depth = term->mode[m].depth;
        term->level[l].check_depth = is_of_entry(binding->format, depth) ? -1 : depth;
    }
    tsr_map_free(both);
    tsr_map_free(simple);
    return status;
}

static tsr_status driver_level(tsr_nest *term, const tsr_binding *binding, int l, tsr_error *err)
{
    if (tsr_map_result_counts(binding->forward, l))
        return tsr_fail(err, TSR_UNSUPPORTED, "a format that counts entries does not have loops");
    const uint64_t modes = tsr_map_result_vars(binding->forward, l);
    for (int m = 0; m < binding->format->order; m++)
        if (modes >> m & 1)
            term->level[l].vars |= (uint32_t)1 << term->access->index[m];
    term->level[l].modes = (uint32_t)modes;
    return TSR_OK;
}

tsr_status plan_nest_driver(const tsr_plan *plan, tsr_nest *term, tsr_error *err)
{
    const tsr_binding *binding = plan->walk.operand[term->driver].binding;
    const tsr_format *format = binding->format;
    int perm[TSR_MAX_LEVELS];
    const bool is_permutation = tsr_format_is_permutation(format, perm);
    bool any_dense = false, any_sparse = false;
    term->nlevels = format->nlevels;
    for (int l = 0; l < term->nlevels; l++) {
        term->level[l] = (tsr_nest_level){.mode = -1, .check_depth = -1};
        TSR_TRY(driver_level(term, binding, l, err));
        any_dense = any_dense || format->levels[l].type->by_value;
        any_sparse = any_sparse || !format->levels[l].type->full;
    }
    const bool pads = ((any_dense && binding->may_pad) || binding->empty) && !is_permutation;
    for (int m = 0; m < format->order; m++)
        TSR_TRY(driver_mode(term, binding, m, is_permutation ? perm : NULL, pads, err));
    if (pads && !binding->empty)
        TSR_TRY(checked_levels(term, binding, err));
    bind_variables(term, format->order);
    term->skips_zeros = any_sparse && tsr_format_has_dense_leaf(format);
    return TSR_OK;
}

/* ---- keys ---- */

/* Whether the ones of v stand side by side. */
static bool is_run(uint64_t v)
{
    const uint64_t low = v & (~v + 1);
    return ((v + low) & v) == 0;
}

int tsr_plan_gathers(tsr_bit_move *move, const tsr_map *map, int r)
{
    const int n = tsr_map_result_moves(move, TSR_PLAN_MOVES, map, r);
    bool gathers = false, stays = true;
    for (int i = 0; i < n; i++) {
        gathers = gathers || !is_run(move[i].from);
        stays = stays && is_run(move[i].to);
    }
    return gathers && stays ? n : 0;
}

/* ---- numbers ---- */

uint64_t plan_times(uint64_t a, uint64_t b)
{
    return tsr_mul_u64(&a, a, b) ? a : UINT64_MAX;
}

uint64_t plan_extent(const tsr_plan *plan, int v)
{
    const uint64_t block = plan->schedule.block[v], size = plan->size[v];
    return block && (block < size || tsr_plan_is_open(plan, v)) ? block : size;
}

int plan_settle(const tsr_plan *plan, const tsr_nest *term, int depth)
{
    const tsr_format *format = term->driver < 0 ? NULL : plan->walk.operand[term->driver].binding->format;
    while (format && depth < term->nlevels && format->levels[depth].type->branchless)
        depth++;
    return depth;
}

int plan_depth_of(const tsr_nest *term, uint32_t vars)
{
    int depth = 0;
    for (int v = 0; v < TSR_NOTATION_MAX_VARS; v++)
        if (tsr_plan_has(vars, v) && term->known[v] > depth)
            depth = term->known[v];
    return depth;
}

uint64_t tsr_nest_known_positions(const tsr_plan *plan, const tsr_nest *term, int d)
{
    const tsr_plan_operand *operand = &plan->walk.operand[term->driver];
    uint64_t n = 1;
    if (d > 0 && operand->npos[d - 1] > 0)
        return operand->npos[d - 1];
    for (int l = 0; l < d; l++)
        if (!operand->binding->format->levels[l].type->full ||
            !tsr_mul_u64(&n, n, operand->binding->pitch[l]))
            return 0;
    return n;
}

uint64_t plan_free_elements(const tsr_plan *plan, const tsr_nest *term)
{
    uint64_t n = 1;
    for (int v = 0; v < plan->notation->nfree; v++)
        if (tsr_plan_has(term->dense, v))
            n = plan_times(n, plan->size[v]);
    return n;
}
