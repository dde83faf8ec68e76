/* The loops of one term.
 *
 * visit(d) emits the code for each position at depth d of the driver: it declares the coordinates that become
 * known there, skips padding, and collects the factors that are multiplied there. Above depth `store` the
 * factors are collected in the prefix. At `store` the sum over everything below is multiplied by the prefix
 * and added to the result. Below `store`, a depth with factors has a sum of its own, which is multiplied by
 * these factors and added to the sum above.
 *
 * A sum to which nothing was added is not multiplied, since 0 * Inf would make a NaN of an absent entry. */
#include "lower_merge.h"
#include "lower_term.h"

#include <math.h>
#include <stdio.h>

enum { UNROLLED = 8 }; /* dense levels of up to this size are unrolled */

/* ---- coordinates ---- */

static const tsr_binding *driver_binding(const lower_state *s)
{
    return s->p->operands[s->term->driver].binding;
}

static const tsr_ir_expr *inverse_result(lower_state *s, int m, const tsr_ir_expr *const *crd)
{
    int perm[TSR_MAX_LEVELS];
    const tsr_binding *binding = driver_binding(s);
    if (tsr_format_is_permutation(binding->format, perm))
        return crd[s->term->mode[m].depth - 1];
    return lower_map_result(s->p, binding->inverse, m, crd);
}

static const tsr_ir_expr *both(lower_state *s, const tsr_ir_expr *x, const tsr_ir_expr *y)
{
    return x ? tsr_ir_op2(s->ir, TSR_IR_AND, x, y) : y;
}

/* The condition that coordinate x of the mode, which just became known, is not padding; NULL: it never is
 * padding. */
static const tsr_ir_expr *inside(lower_state *s, const tsr_nest_mode *mode, const tsr_ir_expr *x)
{
    const tsr_ir_expr *ok = NULL;
    if (!mode->binds)
        return x == s->at[mode->var] ? NULL : tsr_ir_op2(s->ir, TSR_IR_EQ, x, s->at[mode->var]);
    if (mode->clips >= 0 || tsr_expr_window(s->term->access, (int)(mode - s->term->mode)))
        return NULL;
    if (mode->low)
        ok = tsr_ir_op2(s->ir, TSR_IR_LE, tsr_ir_index(s->ir, 0), x);
    if (mode->high)
        ok = both(s, ok, tsr_ir_op2(s->ir, TSR_IR_LT, x, lower_size(s->p, mode->var)));
    return ok;
}

/* The coordinate in the window that coordinate x of mode m is, in ifs that leave out others; x where there is not a window. */
static const tsr_ir_expr *enter_window(lower_state *s, int m, const tsr_ir_expr *x, int *nblocks)
{
    tsr_ir_builder *const ir = s->ir;
    const tsr_mode_window *const w = tsr_expr_window(s->term->access, m);
    if (!w)
        return x;
    const tsr_ir_expr *const first = tsr_ir_index(ir, (int64_t)w->first);
    x = tsr_ir_declare(ir, "crd", x, false);
    const tsr_ir_expr *ok = w->first > 0 || s->term->mode[m].low ? tsr_ir_op2(ir, TSR_IR_LE, first, x) : NULL;
    tsr_ir_if(ir, both(s, ok, tsr_ir_op2(ir, TSR_IR_LT, x, tsr_ir_index(ir, (int64_t)w->behind))));
    ++*nblocks;
    x = w->first > 0 ? tsr_ir_sub(ir, x, first) : x;
    if (w->step == 1)
        return x;
    const tsr_ir_expr *const step = tsr_ir_index(ir, (int64_t)w->step);
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_EQ, tsr_ir_op2(ir, TSR_IR_MOD, x, step), tsr_ir_index(ir, 0)));
    ++*nblocks;
    return tsr_ir_op2(ir, TSR_IR_FLOORDIV, x, step);
}

int lower_enter(lower_state *s, int d)
{
    int nblocks = 0;
    const tsr_nest *term = s->term;
    const int order = term->access ? term->access->nindices : 0;
    const tsr_ir_expr *coordinate[TSR_MAX_ORDER] = {NULL}, *ok = NULL;
    for (int binds = 1; binds >= 0; binds--)
        for (int m = 0; m < order; m++) {
            const tsr_nest_mode *mode = &term->mode[m];
            if (mode->depth != d || mode->binds != (binds == 1))
                continue;
            const tsr_ir_expr *x = enter_window(s, m, inverse_result(s, m, s->crd), &nblocks);
            if (mode->binds && x && x->op != TSR_IR_VAR && x->op != TSR_IR_INDEX)
                x = tsr_ir_declare(s->ir, s->p->plan->notation->var[mode->var], x, false);
            if (mode->binds)
                s->at[mode->var] = x;
            coordinate[m] = x;
        }
    for (int m = 0; m < order; m++) {
        const tsr_nest_mode *mode = &term->mode[m];
        const int l = d - 1;
        const bool looped = !mode->binds && l >= 0 && term->level[l].mode == m && s->level_fixed[l];
        const tsr_ir_expr *x = mode->depth == d && !looped ? inside(s, mode, coordinate[m]) : NULL;
        ok = x ? both(s, ok, x) : ok;
    }
    if (ok) {
        tsr_ir_if(s->ir, ok);
        nblocks++;
    }
    ok = NULL;
    for (int l = 0; l < term->nlevels; l++) {
        if (term->level[l].check_depth != d)
            continue;
        const tsr_ir_expr *mode[TSR_MAX_ORDER];
        for (int m = 0; m < order; m++) {
            const tsr_ir_expr *const at = s->at[term->mode[m].var]; /* NULL: not known yet */
            mode[m] = at ? lower_out_of_window(s->p, tsr_expr_window(term->access, m), at) : NULL;
        }
        const tsr_ir_expr *back = lower_map_result(s->p, driver_binding(s)->forward, l, mode);
        ok = both(s, ok, tsr_ir_op2(s->ir, TSR_IR_EQ, back, s->crd[l]));
    }
    if (ok) {
        tsr_ir_if(s->ir, ok);
        nblocks++;
    }
    return nblocks;
}

/* ---- opening a level ---- */

static const tsr_ir_expr *larger(lower_state *s, const tsr_ir_expr *x, const tsr_ir_expr *y)
{
    return x ? tsr_ir_op2(s->ir, TSR_IR_MAX, x, y) : y;
}

static const tsr_ir_expr *smaller(lower_state *s, const tsr_ir_expr *x, const tsr_ir_expr *y)
{
    return x ? tsr_ir_op2(s->ir, TSR_IR_MIN, x, y) : y;
}

void lower_clip(lower_state *s, int l, uint32_t known, const tsr_ir_expr *size, const tsr_ir_expr **lo,
                const tsr_ir_expr **hi)
{
    const tsr_nest *term = s->term;
    tsr_ir_builder *ir = s->ir;
    const int64_t base = driver_binding(s)->base[l];
    for (int m = 0; m < term->access->nindices; m++) {
        const tsr_nest_mode *mode = &term->mode[m];
        if (mode->clips != l || (mode->levels & ~known))
            continue;
        const tsr_ir_expr *crd[TSR_MAX_LEVELS];
        for (int k = 0; k < term->nlevels; k++)
            crd[k] = k == l ? tsr_ir_index(ir, 0) : s->crd[k];
        const tsr_ir_expr *rest =
            tsr_ir_add(ir, inverse_result(s, m, crd), tsr_ir_index(ir, base)); /* mode = rest + coordinate */
        if (mode->low)
            *lo = larger(s, *lo ? *lo : tsr_ir_index(ir, 0), tsr_ir_sub(ir, tsr_ir_index(ir, 0), rest));
        if (mode->high)
            *hi = smaller(s, *hi ? *hi : size, tsr_ir_sub(ir, lower_size(s->p, mode->var), rest));
    }
}

void lower_enter_deferred(lower_state *s)
{
    const tsr_nest *term = s->term;
    for (int l = 0; l < term->nlevels; l++)
        if (tsr_plan_has(term->sink.deferred, l))
            s->crd[l] = tsr_ir_add(s->ir, s->local[TSR_NEST_LEVEL_AXIS + l],
                                   tsr_ir_index(s->ir, driver_binding(s)->base[l]));
    for (int m = 0; m < term->access->nindices; m++) {
        const tsr_nest_mode *mode = &term->mode[m];
        if (!(mode->levels & term->sink.deferred) || !tsr_plan_is_free(s->p->plan, mode->var))
            continue;
        const tsr_ir_expr *x = inverse_result(s, m, s->crd);
        const bool is_plain = x && (x->op == TSR_IR_VAR || x->op == TSR_IR_INDEX);
        s->at[mode->var] =
            is_plain ? x : tsr_ir_declare(s->ir, s->p->plan->notation->var[mode->var], x, false);
    }
}

/* Whether the nest below dense level l is short enough to be repeated: short dense levels alone, without loops over
 * stored positions. */
static bool has_short_nest(const tsr_nest *term, const tsr_binding *binding, int l)
{
    while (++l < term->nlevels)
        if (!binding->format->levels[l].type->full || binding->size[l] > TSR_PLAN_LITERAL)
            return false;
    return true;
}

/* Bound the loop of a dense level by the thread's share, by padding, and by a coordinate that is already
 * known. */
static void bound_dense(lower_state *s, tsr_level_walk *w, int l)
{
    const tsr_nest *term = s->term;
    tsr_ir_builder *ir = s->ir;
    const tsr_ir_expr *lo = NULL, *hi = NULL;
    if (s->share->lo[l + 1]) {
        const bool is_root = s->pos[l] && s->pos[l]->op == TSR_IR_INDEX;
        const tsr_ir_expr *first = is_root ? NULL : tsr_ir_mul(ir, s->pos[l], w->pitch);
        lo = first ? larger(s, tsr_ir_index(ir, 0), tsr_ir_sub(ir, s->share->lo[l + 1], first))
                   : s->share->lo[l + 1];
        hi = first ? tsr_ir_sub(ir, s->share->hi[l + 1], first) : s->share->hi[l + 1];
        if (first || w->pitch != w->size)
            hi = smaller(s, w->size, hi);
    }
    lower_clip(s, l, UINT32_MAX, w->size, &lo, &hi);
    const int m = term->level[l].mode;
    s->level_fixed[l] = m >= 0 && !term->mode[m].binds && term->known[term->mode[m].var] <= l;
    if (s->level_fixed[l]) {
        const tsr_ir_expr *v = s->at[term->mode[m].var];
        lo = lo ? larger(s, lo, v) : v;
        v = tsr_ir_add(ir, v, tsr_ir_index(ir, 1));
        hi = hi ? smaller(s, hi, v) : v;
    }
    if (l > 0 && s->share->var_lo && (term->special.window == l || tsr_nest_cuts_across(term, l))) {
        lo = larger(s, lo, s->share->var_lo);
        hi = smaller(s, hi, s->share->var_hi);
    }
    w->lo = lo;
    w->hi = hi;
    const lower_row row = l == term->nlevels - 1 ? s->row : LOWER_NO_ROW;
    if (row == LOWER_WHOLE_ROW)
        w->lo = w->hi = NULL;
    if ((row == LOWER_WHOLE_ROW || row == LOWER_LONG_ROW) && !s->p->plan->schedule.scalar)
        w->marks = TSR_IR_VECTOR;
    else if (!lo && !hi && w->size && w->size->op == TSR_IR_INDEX && w->size->index <= UNROLLED &&
             has_short_nest(term, driver_binding(s), l))
        w->marks = TSR_IR_UNROLL;
}

/* The same for a list whose coordinates the threads share. */
static void bound_across(lower_state *s, lower_walk *w)
{
    const tsr_ir_expr *above = s->pos[s->term->share.level];
    char name[300];
    snprintf(name, sizeof name, "%s_begin", w->pos);
    w->walk.lo = lower_find_across(s->p, s->term, name, above, s->share->var_lo);
    snprintf(name, sizeof name, "%s_end", w->pos);
    w->walk.hi = lower_find_across(s->p, s->term, name, above, s->share->var_hi);
}

/* The same for an interval. Rows are often too short for vectors that are added up at the end of each. */
static void bound_interval(lower_state *s, tsr_level_walk *w, int l)
{
    const lower_row row = l == s->term->nlevels - 1 ? s->row : LOWER_NO_ROW;
    if (row != LOWER_WHOLE_ROW)
        lower_clip(s, l, UINT32_MAX, NULL, &w->crd_lo, &w->crd_hi);
    if (row != LOWER_NO_ROW && row != LOWER_CLIPPED_ROW && !s->row_sums && !s->p->plan->schedule.scalar)
        w->marks = TSR_IR_VECTOR;
}

/* Ask for other loops than the one over level l, which is open. */
static void ask_for_loops(lower_state *s, int l)
{
    const tsr_nest_special *const special = &s->term->special;
    if (s->term->sink.run == l + 1)
        tsr_ir_ask_loop(s->ir, TSR_IR_RUNS, 0, NULL);
    if (special->groups >> l & 1)
        tsr_ir_ask_loop(s->ir, TSR_IR_GROUPS, TSR_NEST_GROUP, NULL);
    if (special->lanes >> l & 1) {
        const tsr_ir_expr *const size = lower_size(s->p, s->term->mode[s->term->level[l].mode].var);
        s->p->lanes = special->lanes_nbytes;
        tsr_ir_ask_loop(s->ir, TSR_IR_LANES, s->p->lanes / (int)tsr_type_nbytes(s->p->type),
                        tsr_ir_sub(s->ir, size, tsr_ir_index(s->ir, 1)));
    }
}

int lower_open_level(lower_state *s, int l)
{
    lower_walk w;
    const tsr_binding *binding = driver_binding(s);
    const tsr_level_type *type = binding->format->levels[l].type;
    lower_walk_init(&w, s->p, s->term, l);
    w.walk.parent = s->pos[l];
    w.walk.lo = s->share->lo[l + 1];
    w.walk.hi = s->share->hi[l + 1];
    if (type->full)
        bound_dense(s, &w.walk, l);
    else if (tsr_nest_cuts_across(s->term, l) && s->share->var_lo)
        bound_across(s, &w);
    else if (type->is_interval)
        bound_interval(s, &w.walk, l);
    type->walker->open(&w.walk);
    ask_for_loops(s, l);
    s->pos[l + 1] = w.walk.position;
    s->crd[l] = binding->base[l] == 0
                    ? w.walk.coordinate
                    : tsr_ir_add(s->ir, w.walk.coordinate, tsr_ir_index(s->ir, binding->base[l]));
    s->local[TSR_NEST_LEVEL_AXIS + l] = w.walk.coordinate;
    return w.walk.nblocks;
}

/* ---- sums ---- */

/* The condition that the thread's share has leaves below the position at depth d. */
static const tsr_ir_expr *has_leaves(lower_state *s, int d)
{
    const tsr_nest *term = s->term;
    const tsr_ir_expr *lo = s->pos[d], *hi = tsr_ir_add(s->ir, lo, tsr_ir_index(s->ir, 1));
    const int depth = tsr_nest_cut_depth(term), cut = depth > d ? depth : d;
    lo = lower_first(s->p, term, d, cut, lo);
    hi = lower_first(s->p, term, d, cut, hi);
    if (depth > d && s->share->lo[cut]) {
        const bool is_root = d == 0;
        lo = is_root ? s->share->lo[cut] : larger(s, lo, s->share->lo[cut]);
        hi = is_root ? s->share->hi[cut] : smaller(s, hi, s->share->hi[cut]);
    }
    return tsr_ir_op2(s->ir, TSR_IR_LT, lower_first(s->p, term, cut, term->nlevels, lo),
                      lower_first(s->p, term, cut, term->nlevels, hi));
}

/* Whether a position at depth d may be without leaves. */
static bool may_be_empty(const lower_state *s, int d)
{
    const tsr_format *format = driver_binding(s)->format;
    if (s->share->lo[1] && tsr_nest_cut_depth(s->term) > d)
        return true;
    if (lower_is_uniform(s->p->plan, s->term, d, s->term->nlevels))
        return false;
    return d == 0 || format->levels[d - 1].type->full;
}

/* Whether all items are known to be finite, so that the product of 0 and them is 0. */
static bool is_finite(const tsr_plan *plan, const lower_product *what)
{
    for (int i = 0; i < what->n; i++) {
        const tsr_nest_factor *f = what->item[i].factor;
        if (!f || f->inverse || !tsr_plan_is_scale(plan, f->expr) || !isfinite(f->expr->number))
            return false;
    }
    return true;
}

/* Whether the products of the last level are added up in one scalar, or each added to a different
 * element. */
static bool takes_row(const lower_target *into)
{
    return !into->flag && !(into->axes & UINT32_MAX);
}

/* Whether each product of the last level is added to a different element of the result. */
static bool stores_each(const lower_state *s)
{
    const tsr_nest *term = s->term;
    bool other = false;
    for (int k = 0; k < term->access->nindices; k++)
        other = other || (tsr_plan_is_free(s->p->plan, term->mode[k].var) &&
                          term->mode[k].depth == term->nlevels && term->mode[k].steps);
    return other && term->sink.store == term->nlevels && term->sink.norder == 0 && !s->sink->atomic;
}

/* Whether the level below depth d is a row (lower_term.h); into: the sum, NULL where products go to the
 * result. */
static bool is_row(const lower_state *s, int d, const lower_target *into)
{
    const tsr_nest *term = s->term;
    const tsr_level_type *type = driver_binding(s)->format->levels[d].type;
    if (d != term->nlevels - 1 || s->share->lo[d + 1] || tsr_nest_filters(term, d) ||
        !(type->full || type->is_interval || (type->is_uniform && type->by_value)) ||
        !(into ? takes_row(into) : stores_each(s)))
        return false;
    const int m = term->level[d].mode;
    if (m >= 0 && !term->mode[m].binds)
        return false;
    for (int k = 0; k < term->access->nindices; k++)
        if (term->mode[k].depth > d &&
            (!term->mode[k].binds || ((term->mode[k].low || term->mode[k].high) && term->mode[k].clips != d)))
            return false;
    for (int k = 0; k < term->nlevels; k++)
        if (term->level[k].check_depth > d)
            return false;
    for (int v = 0; v < s->p->plan->notation->nvars; v++)
        if (tsr_plan_has(term->sum, v) && term->sum_depth[v] == term->nlevels)
            return false;
    return true;
}

/* The condition that the last level does not have padding; NULL: it never has. */
static const tsr_ir_expr *whole_row(lower_state *s, int l)
{
    const tsr_nest *term = s->term;
    const tsr_ir_expr *whole = NULL, *lo = NULL, *hi = NULL;
    const int t = term->driver, m = term->level[l].mode;
    const tsr_ir_expr *size = lower_level_size(s->p, t, l, m >= 0 ? term->mode[m].var : -1);
    lower_clip(s, l, UINT32_MAX, NULL, &lo, &hi);
    if (lo)
        whole = tsr_ir_op2(s->ir, TSR_IR_LE, lo, tsr_ir_index(s->ir, 0));
    if (hi)
        whole = both(s, whole, tsr_ir_op2(s->ir, TSR_IR_LE, size, hi));
    return whole;
}

/* Emit a row: a scalar for its sum, where it is summed; a loop for whole rows and another one for rows that
 * padding clips. */
static void visit_row(lower_state *s, int d, const lower_target *into, const lower_product *above)
{
    const bool sums = into && into->array && !tsr_plan_has(into->axes, TSR_NEST_LEVEL_AXIS + d);
    const uint64_t size = driver_binding(s)->size[d];
    const lower_target sum = sums ? lower_new_sum(s, 0) : into ? *into : (lower_target){.is_result = true};
    const bool is_long = size > TSR_PLAN_LITERAL;
    const tsr_ir_expr *whole = is_long ? NULL : whole_row(s, d);
    const lower_row last = is_long ? LOWER_LONG_ROW : whole ? LOWER_CLIPPED_ROW : LOWER_WHOLE_ROW;
    s->row_sums = into != NULL;
    if (whole)
        tsr_ir_if(s->ir, whole);
    for (s->row = is_long ? LOWER_LONG_ROW : LOWER_WHOLE_ROW; s->row <= last; s->row++) {
        if (s->row == LOWER_CLIPPED_ROW)
            tsr_ir_else(s->ir);
        (void)lower_open_level(s, d); /* one loop: a row is a full level */
        lower_visit(s, d + 1, &sum, above);
        tsr_ir_end(s->ir);
    }
    s->row = LOWER_NO_ROW;
    if (whole)
        tsr_ir_end(s->ir);
    if (sums)
        lower_add(s, into, sum.scalar, false);
}

/* Emit the level below depth d. */
static void visit_below(lower_state *s, int d, const lower_target *into, const lower_product *above)
{
    if (s->merge) {
        merge_loop(s, d, into, above);
    } else if (is_row(s, d, into)) {
        visit_row(s, d, into, above);
    } else {
        int nblocks = lower_open_level(s, d);
        lower_visit(s, d + 1, into, above);
        while (nblocks-- > 0)
            tsr_ir_end(s->ir);
    }
}

/* Emit a sum over everything below depth d, multiplied by `what` and added to `into`. */
static void sum_below(lower_state *s, int d, const lower_target *into, const lower_product *what,
                      const lower_product *above)
{
    const bool guarded = !is_finite(s->p->plan, what) || into->flag;
    const tsr_ir_expr *flag = NULL, *some = NULL;
    if (guarded && tsr_nest_leaves_out(s->p->plan, s->term, d))
        flag = tsr_ir_declare(s->ir, "any", tsr_ir_index(s->ir, 0), true);
    else if (guarded && may_be_empty(s, d))
        some = has_leaves(s, d);
    if (some)
        tsr_ir_if(s->ir, some);
    lower_target sum = lower_new_sum(s, s->term->carried[d]);
    sum.flag = flag;
    visit_below(s, d, &sum, above);
    lower_product product = {.n = 1};
    product.item[0] = (lower_item){.scalar = sum.scalar, .array = sum.array, .axes = sum.axes};
    for (int i = 0; i < what->n; i++)
        product.item[product.n++] = what->item[i];
    if (flag)
        tsr_ir_if(s->ir, tsr_ir_op2(s->ir, TSR_IR_NE, flag, tsr_ir_index(s->ir, 0)));
    lower_contribute(s, d, into, &product);
    if ((flag || some) && into->is_result && !s->sink->add) {
        tsr_ir_else(s->ir);
        lower_contribute(s, d, into, NULL);
    }
    if (flag || some)
        tsr_ir_end(s->ir);
}

/* ---- depths ---- */

/* Whether the term has loops over dense variables, of which some block has more than one coordinate. */
static bool has_dense_loops(const lower_state *s)
{
    for (int v = 0; v < s->p->plan->notation->nvars; v++)
        if (tsr_plan_has(s->term->dense, v) && !(s->block[v].lo && s->count[v] == 1))
            return true;
    return false;
}

void lower_collect(lower_state *s, int d, lower_product *product)
{
    const tsr_nest *term = s->term;
    product->negative = d == term->nlevels && tsr_nest_negates_inside(s->p->plan, term);
    for (int i = 0; i < term->nfactors; i++) {
        const tsr_nest_factor *f = &term->factor[i];
        if (f->at != d || f->expr->kind == TSR_EXPR_BAND)
            continue;
        lower_item item = {.factor = f, .axes = f->dense};
        const bool hoisted = f->dense == 0 && f->expr->kind != TSR_EXPR_NUMBER &&
                             (has_dense_loops(s) || f->at < term->sink.store);
        if (hoisted)
            item.scalar = lower_hoist(s, f);
        product->item[product->n++] = item;
    }
}

/* Emit the body for a position of the driver's last level. */
static void visit_leaf(lower_state *s, const lower_target *into, lower_product *product)
{
    const bool skips = s->term->skips_zeros;
    if (s->row == LOWER_LONG_ROW && !s->p->plan->schedule.scalar &&
        lower_level_type(s->p->plan, s->term, s->term->nlevels - 1)->full)
        lower_ask_for_values(s);
    if (skips && s->row != LOWER_NO_ROW) {
        lower_collect(s, s->term->nlevels, product);
        lower_contribute_selected(s, into, product);
        return;
    }
    if (skips) {
        tsr_ir_if(s->ir, tsr_ir_op2(s->ir, TSR_IR_NE, lower_hold_driver_value(s), lower_number(s->p, 0)));
    }
    lower_collect(s, s->term->nlevels, product);
    lower_contribute(s, s->term->nlevels, into, product);
    if (skips)
        tsr_ir_end(s->ir);
}

/* Emit the level below depth d, above the depth where sums are stored: in blocks of rows where there are any, and the
 * rows that are left. */
static void visit_rows(lower_state *s, int d, const lower_product *prefix)
{
    const lower_share *share = s->share;
    lower_share rest;
    if (d == 0 && lower_visit_lanes(s, prefix, &rest)) {
        if (!rest.lo[1])
            return;
        s->share = &rest;
    }
    visit_below(s, d, NULL, prefix);
    s->share = share;
}

void lower_visit(lower_state *s, int d, const lower_target *into, const lower_product *above)
{
    const tsr_nest *term = s->term;
    const lower_target result = {.is_result = true};
    lower_product prefix = *above, here = {.n = 0};
    int nblocks = s->merge ? 0 : lower_enter(s, d);
    nblocks += lower_seek(s, d);
    if (d == term->nlevels && term->one_product) {
        merge_contribute(s->merge, s->merged);
    } else if (d == term->nlevels) {
        visit_leaf(s, d == term->sink.store ? &result : into, d == term->sink.store ? &prefix : &here);
    } else {
        lower_collect(s, d, d <= term->sink.store ? &prefix : &here);
        if (d < term->sink.store) {
            lower_merge_prefix(s, &prefix);
            visit_rows(s, d, &prefix);
        } else if (d == term->sink.store) {
            sum_below(s, d, &result, &prefix, &here);
        } else if (here.n > 0) {
            sum_below(s, d, into, &here, above);
        } else {
            visit_below(s, d, into, above);
        }
    }
    for (int i = 0; i < nblocks; i++)
        tsr_ir_end(s->ir);
}

/* ---- blocks ---- */

tsr_ir_range lower_open_blocks(lower_program *p, const char *name, tsr_ir_range of, uint64_t each,
                               tsr_ir_range *rest)
{
    tsr_ir_builder *const ir = p->ir;
    const tsr_ir_expr *const length = tsr_ir_index(ir, (int64_t)each), *n = tsr_ir_sub(ir, of.hi, of.lo);
    if (!rest)
        n = tsr_ir_add(ir, n, tsr_ir_index(ir, (int64_t)each - 1));
    n = tsr_ir_op2(ir, TSR_IR_FLOORDIV, n, length);
    if (rest)
        *rest = (tsr_ir_range){tsr_ir_add(ir, of.lo, tsr_ir_mul(ir, n, length)), of.hi};
    const tsr_ir_expr *const b = tsr_ir_for(ir, name, tsr_ir_index(ir, 0), n, 0);
    const tsr_ir_expr *lo = tsr_ir_add(ir, of.lo, tsr_ir_mul(ir, b, length));
    if (rest)
        return (tsr_ir_range){lo, tsr_ir_add(ir, lo, length)};
    lo = tsr_ir_declare(ir, "first", lo, false);
    const tsr_ir_expr *const hi = tsr_ir_op2(ir, TSR_IR_MIN, tsr_ir_add(ir, lo, length), of.hi);
    return (tsr_ir_range){lo, tsr_ir_declare(ir, "last", hi, false)};
}

tsr_ir_range lower_own_range(lower_state *s, int v)
{
    const bool is_shared = s->share->var_lo && s->term->share.cut == TSR_CUT_LOOP && s->term->share.var == v;
    return is_shared ? (tsr_ir_range){s->share->var_lo, s->share->var_hi}
                     : (tsr_ir_range){tsr_ir_index(s->ir, 0), lower_size(s->p, v)};
}

static void emit_blocks(lower_state *s, int k);

/* Emit what is inside the loop over the blocks of variable k for this one. */
static void emit_block(lower_state *s, int k, int v, tsr_ir_range block, uint64_t count)
{
    const uint64_t whole = s->count[v];
    s->block[v] = block;
    s->count[v] = count;
    emit_blocks(s, k + 1);
    s->block[v] = (tsr_ir_range){NULL, NULL};
    s->count[v] = whole;
}

/* The blocks of an axis have literal lengths: whole blocks, then what is left; where its length is known only at run time, in at
 * most one block of each smaller power of 2. */
static void emit_axis(lower_state *s, int k, int v)
{
    tsr_ir_builder *const ir = s->ir;
    const uint64_t each = s->p->plan->schedule.block[v];
    tsr_ir_range all = lower_own_range(s, v), rest;
    if (all.lo && all.lo->op == TSR_IR_INDEX && !tsr_plan_is_open(s->p->plan, v))
        all.hi = tsr_ir_index(ir, (int64_t)s->p->plan->size[v]);
    rest = all;
    const tsr_ir_expr *n = tsr_ir_sub(ir, all.hi, all.lo);
    const bool is_known = n && n->op == TSR_IR_INDEX;
    if (!is_known || (uint64_t)n->index >= each) {
        emit_block(s, k, v, lower_open_blocks(s->p, "block", all, each, &rest), each);
        tsr_ir_end(ir);
    }
    if (is_known && (uint64_t)n->index % each > 0)
        emit_block(s, k, v, rest, (uint64_t)n->index % each);
    if (is_known)
        return;
    if ((each & (each - 1)) != 0) /* else the rest has the lower bits of n */
        n = tsr_ir_declare(ir, "rest", tsr_ir_op2(ir, TSR_IR_MOD, n, tsr_ir_index(ir, (int64_t)each)), false);
    uint64_t part = 1;
    while (part < each / 2 + each % 2)
        part *= 2;
    for (; part > 0 && each > 1; part /= 2) { /* rest < each <= 2 * the first part */
        const tsr_ir_expr *const below = tsr_ir_op2(ir, TSR_IR_MOD, n, tsr_ir_index(ir, (int64_t)(2 * part)));
        tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LE, tsr_ir_index(ir, (int64_t)part), below));
        rest.lo = tsr_ir_declare(ir, "part", tsr_ir_sub(ir, all.hi, below), false);
        emit_block(s, k, v, rest, part);
        tsr_ir_end(ir);
    }
}

/* Emit the whole nest inside loops over the blocks of the variables from number k on: those of loops that merge, in their order, then
 * the dense ones. */
static void emit_blocks(lower_state *s, int k)
{
    const tsr_plan *const plan = s->p->plan;
    const lower_product nothing = {.n = 0};
    const int nloops = s->merge ? s->merged->nvars - plan->nouter : 0, n = nloops + plan->notation->nvars;
    for (; k < n; k++) {
        const int v = k < nloops ? s->merged->order[plan->nouter + k] : k - nloops;
        if (plan->schedule.block[v] == 0)
            continue;
        if (k >= nloops && tsr_plan_has(s->term->dense, v)) {
            emit_axis(s, k, v);
            return;
        }
        if (k < nloops && !s->merge->row.measuring && tsr_plan_is_range(plan, s->merged, v)) {
            char name[80];
            snprintf(name, sizeof name, "%.60s_block", plan->notation->var[v]);
            emit_block(s, k, v,
                       lower_open_blocks(s->p, name, lower_own_range(s, v), plan->schedule.block[v], NULL),
                       0);
            tsr_ir_end(s->ir);
            return;
        }
    }
    if (s->merge) { /* the first loop takes the share, unless its blocks have done so */
        const bool is_taken = s->term->share.cut == TSR_CUT_LOOP && s->block[s->term->share.var].lo;
        s->merge->share.lo = is_taken ? NULL : s->share->var_lo;
        s->merge->share.hi = is_taken ? NULL : s->share->var_hi;
    }
    lower_visit(s, 0, NULL, &nothing);
}

/* Set the window's part of the result, whose rows are the window's coordinates, to 0: it then stays in the first cache. */
static void clear_window(lower_state *s)
{
    const tsr_expr *const result = s->p->plan->notation->result;
    const tsr_ir_range rows = {lower_npositions(s->p, result, 1, s->share->var_lo),
                               lower_npositions(s->p, result, 1, s->share->var_hi)};
    lower_fill(s->p, s->sink->array, tsr_ir_index(s->ir, 0), rows, lower_absent(s->p));
}

/* Emit the whole nest for each window of the share. */
static void emit_windows(lower_state *s)
{
    const lower_share *const all = s->share;
    const int v = s->term->mode[s->term->level[s->term->special.window].mode].var;
    const tsr_ir_range of = {all->var_lo ? all->var_lo : tsr_ir_index(s->ir, 0),
                             all->var_hi ? all->var_hi : lower_size(s->p, v)};
    const tsr_ir_range window = lower_open_blocks(s->p, "window", of, s->term->special.window_size, NULL);
    lower_share share = *all;
    share.var_lo = window.lo;
    share.var_hi = window.hi;
    s->share = &share;
    if (s->sink->clears)
        clear_window(s);
    emit_blocks(s, 0);
    s->share = all;
    tsr_ir_end(s->ir);
}

void lower_emit_merged(merge_state *m, const tsr_plan_term *term)
{
    const lower_share share = {.var_lo = m->share.lo, .var_hi = m->share.hi};
    lower_state s = {.p = m->p,
                     .ir = m->ir,
                     .term = term->nest,
                     .merge = m,
                     .merged = term,
                     .sink = &m->dense,
                     .share = &share,
                     .at = m->at};
    for (int v = 0; v < m->plan->notation->nvars; v++)
        s.count[v] = m->plan->size[v];
    emit_blocks(&s, 0);
}

void lower_emit_term(lower_program *p, const tsr_nest *term, const lower_sink *sink, const lower_share *share)
{
    const tsr_ir_expr *at[TSR_NOTATION_MAX_VARS] = {NULL};
    lower_state s = {.p = p, .ir = p->ir, .term = term, .sink = sink, .share = share, .at = at};
    for (int v = 0; v < p->plan->notation->nvars; v++)
        s.count[v] = p->plan->size[v];
    for (int l = 0; l < term->nlevels; l++)
        s.count[TSR_NEST_LEVEL_AXIS + l] = p->operands[term->driver].binding->size[l];
    s.pos[0] = tsr_ir_index(p->ir, 0);
    lower_ask(p, term, sink->array);
    if (term->special.window)
        emit_windows(&s);
    else
        emit_blocks(&s, 0);
}
