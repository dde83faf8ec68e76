/* Cuts: the ranges of the driver's positions, or of coordinates, that a share of a term has whose loops walk. */
#include "lower_internal.h"

#include <stdio.h>

/* ---- cutting ---- */

/* The work before position q at depth `from`: the number of positions before it at depth `to`, plus q where
 * with_self is set. */
typedef struct weight {
    lower_program *p;
    const tsr_nest *term;
    int from, to;
    bool with_self;
} weight;

static const tsr_ir_expr *weigh(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const weight *w = arg;
    const tsr_ir_expr *first = lower_work_before(w->p, w->term, w->from, w->to, q);
    return w->with_self ? tsr_ir_add(ir, first, q) : first;
}

/* The share's range at depth d: the parents of its range at depth d + 1. */
static void cut_above(lower_program *p, const tsr_nest *term, lower_share *share, int d)
{
    tsr_ir_builder *ir = p->ir;
    const tsr_ir_expr *lo = share->lo[d + 1], *hi = share->hi[d + 1];
    const tsr_ir_expr *one = tsr_ir_index(ir, 1);
    lower_walk w;
    char name[300];
    lower_walk_init(&w, p, term, d - 1);
    const tsr_level_type *below = p->operands[term->driver].binding->format->levels[d].type;
    if (below->branchless) {
        share->lo[d] = lo;
        share->hi[d] = hi;
        return;
    }
    lower_walk child;
    lower_walk_init(&child, p, term, d);
    if (below->full) {
        const tsr_ir_expr *pitch = child.walk.pitch;
        lo = tsr_ir_op2(ir, TSR_IR_FLOORDIV, lo, pitch);
        hi = tsr_ir_op2(ir, TSR_IR_FLOORDIV, tsr_ir_add(ir, hi, tsr_ir_sub(ir, pitch, one)), pitch);
    } else {
        const tsr_ir_expr *zero = tsr_ir_index(ir, 0), *n = lower_first(p, term, 0, d, one);
        weight first = {p, term, d, d + 1, false};
        snprintf(name, sizeof name, "%s_first", w.pos);
        lo = tsr_ir_search(ir, name, (tsr_ir_range){zero, n}, tsr_ir_add(ir, lo, one), weigh, &first);
        lo = tsr_ir_op2(ir, TSR_IR_MAX, tsr_ir_sub(ir, lo, one), zero);
        snprintf(name, sizeof name, "%s_last", w.pos);
        hi = tsr_ir_search(ir, name, (tsr_ir_range){zero, n}, hi, weigh, &first);
    }
    snprintf(name, sizeof name, "%s_begin", w.pos);
    share->lo[d] = tsr_ir_declare(ir, name, lo, false);
    snprintf(name, sizeof name, "%s_end", w.pos);
    share->hi[d] = tsr_ir_declare(ir, name, hi, false);
}

/* The key at position q of the first level; arg is a weight. */
static const tsr_ir_expr *key_at(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const weight *w = arg;
    const tsr_ir_array *crd = lower_array_param(w->p, TSR_PARAM_CRD, w->term->driver, 0);
    return tsr_ir_op2(ir, TSR_IR_FLOORDIV, tsr_ir_load_index(ir, crd, q),
                      tsr_ir_index(ir, w->term->share.key));
}

/* The first position p >= q with p = 0 or key(p) != key(p - 1). */
static const tsr_ir_expr *move_to_change(lower_program *p, const tsr_nest *term, const char *name,
                                         const tsr_ir_expr *q, const tsr_ir_expr *n)
{
    tsr_ir_builder *ir = p->ir;
    weight key = {p, term, 0, 0, false};
    const tsr_ir_expr *one = tsr_ir_index(ir, 1), *cut = tsr_ir_declare(ir, name, q, true);
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LT, tsr_ir_index(ir, 0), cut));
    const tsr_ir_expr *target = tsr_ir_add(ir, key_at(ir, &key, tsr_ir_sub(ir, cut, one)), one);
    tsr_ir_assign(ir, cut, tsr_ir_search(ir, "change", (tsr_ir_range){cut, n}, target, key_at, &key), false);
    tsr_ir_end(ir);
    return cut;
}

/* A share of the driver's positions. A cut is where the number of leaf positions before it plus the number of positions before it
 * reaches the share's part of the total; so each position belongs to a share, even one without leaves. */
static void cut_driver(lower_program *p, const tsr_nest *term, lower_share *share, const lower_part *part)
{
    tsr_ir_builder *ir = p->ir;
    const int c = tsr_nest_cut_depth(term);
    const tsr_ir_expr *one = tsr_ir_index(ir, 1), *n = lower_first(p, term, 0, c, one);
    char name[300];
    lower_walk w;
    lower_walk_init(&w, p, term, c - 1);
    weight before = {p, term, c, term->nlevels, true};
    lower_work work = {.weigh = weigh, .arg = &before};
    const bool is_even = lower_is_even(p->plan, term, c, term->nlevels);
    if (!is_even)
        work.all = tsr_ir_add(ir, lower_work_before(p, term, c, term->nlevels, n), n);
    const tsr_ir_range r = lower_cut(p, part, w.pos, n, is_even ? NULL : &work);
    share->lo[c] = r.lo;
    share->hi[c] = r.hi;
    if (term->share.key > 0) {
        snprintf(name, sizeof name, "%s_first", w.pos);
        share->lo[c] = move_to_change(p, term, name, share->lo[c], n);
        snprintf(name, sizeof name, "%s_last", w.pos);
        share->hi[c] = move_to_change(p, term, name, share->hi[c], n);
    }
    for (int d = c - 1; d >= 1; d--)
        cut_above(p, term, share, d);
}

/* The coordinate at position q of level `across`, a list. */
static const tsr_ir_expr *coordinate_at(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const weight *w = arg;
    return tsr_ir_load_index(ir, lower_array_param(w->p, TSR_PARAM_CRD, w->term->driver, w->from), q);
}

const tsr_ir_expr *lower_find_across(lower_program *p, const tsr_nest *term, const char *name,
                                     const tsr_ir_expr *above, const tsr_ir_expr *coordinate)
{
    tsr_ir_builder *ir = p->ir;
    const int l = term->share.level;
    const tsr_ir_expr *first = lower_first(p, term, l, l + 1, above);
    if (p->operands[term->driver].binding->format->levels[l].type->full)
        return tsr_ir_add(ir, first, coordinate);
    weight at = {p, term, l, l, false};
    const tsr_ir_expr *end = lower_first(p, term, l, l + 1, tsr_ir_add(ir, above, tsr_ir_index(ir, 1)));
    return tsr_ir_search(ir, name, (tsr_ir_range){first, end}, coordinate, coordinate_at, &at);
}

/* The work before coordinate q of level `across`, below all positions of the level above: leaf positions, and also
 * coordinates if each coordinate has a position. */
static const tsr_ir_expr *weigh_across(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const weight *w = arg;
    const int l = w->from;
    const tsr_ir_expr *one = tsr_ir_index(ir, 1), *n = lower_first(w->p, w->term, 0, l, one);
    const tsr_ir_expr *before = w->with_self ? tsr_ir_mul(ir, q, n) : tsr_ir_index(ir, 0);
    before = tsr_ir_declare(ir, "before", before, true);
    const tsr_ir_expr *above = tsr_ir_for(ir, "above", tsr_ir_index(ir, 0), n, 0);
    const tsr_ir_expr *first = lower_first(w->p, w->term, l, l + 1, above);
    const tsr_ir_expr *last = lower_find_across(w->p, w->term, "place", above, q);
    tsr_ir_assign(ir, before,
                  tsr_ir_sub(ir, lower_first(w->p, w->term, l + 1, w->to, last),
                             lower_first(w->p, w->term, l + 1, w->to, first)),
                  true);
    tsr_ir_end(ir);
    return before;
}

/* A share of the coordinates of level `across`: equal numbers of leaf positions, and also of coordinates if each coordinate has a
 * position. */
static tsr_ir_range cut_across(lower_program *p, const tsr_nest *term, const lower_part *part)
{
    tsr_ir_builder *ir = p->ir;
    const int l = term->share.level, m = term->level[l].mode;
    const bool is_full = p->operands[term->driver].binding->format->levels[l].type->full;
    const tsr_ir_expr *size = lower_level_size(p, term->driver, l, m >= 0 ? term->mode[m].var : -1);
    lower_walk level;
    lower_walk_init(&level, p, term, l);
    if (is_full && lower_is_uniform(p->plan, term, l + 1, term->nlevels))
        return lower_cut(p, part, level.crd, size, NULL);
    const tsr_ir_expr *n = lower_first(p, term, 0, l + 1, tsr_ir_index(ir, 1));
    const tsr_ir_expr *all = lower_first(p, term, l + 1, term->nlevels, n);
    weight before = {p, term, l, term->nlevels, is_full};
    const lower_work work = {
        .weigh = weigh_across, .arg = &before, .all = is_full ? tsr_ir_add(ir, all, n) : all};
    return lower_cut(p, part, level.crd, size, &work);
}

/* ---- shares ---- */

lower_share lower_cut_nest(lower_program *p, const tsr_nest *term, const lower_part *part)
{
    const tsr_plan_share *const share = &term->share;
    lower_share cut = {0};
    tsr_ir_range vars = {NULL, NULL};
    if (share->cut == TSR_CUT_POSITIONS)
        cut_driver(p, term, &cut, part);
    else if (share->cut == TSR_CUT_ACROSS)
        vars = cut_across(p, term, part);
    else if (share->cut) {
        const int v =
            share->cut == TSR_CUT_LOOP ? share->var : term->mode[term->level[share->level].mode].var;
        vars = lower_cut(p, part, p->plan->notation->var[v], lower_size(p, v), NULL);
    }
    cut.var_lo = vars.lo;
    cut.var_hi = vars.hi;
    return cut;
}
