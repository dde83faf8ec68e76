/* Windows of sparse levels: coordinates in a window, and walks that leave out what is outside. */
#include "lower_merge.h"

/* c - w->first */
static const tsr_ir_expr *from_first(merge_state *s, const tsr_mode_window *w, const tsr_ir_expr *c)
{
    return w->first ? tsr_ir_sub(s->ir, c, INDEX((int64_t)w->first)) : c;
}

const tsr_ir_expr *merge_in_window(merge_state *s, const tsr_mode_window *w, const tsr_ir_expr *c)
{
    if (!w)
        return c;
    c = from_first(s, w, c);
    return w->step > 1 ? OP(FLOORDIV, c, INDEX((int64_t)w->step)) : c;
}

const tsr_ir_expr *merge_is_on_step(merge_state *s, const tsr_mode_window *w, const tsr_ir_expr *c)
{
    c = from_first(s, w, c);
    return OP(EQ, OP(MOD, c, INDEX((int64_t)w->step)), INDEX(0));
}

const tsr_ir_expr *merge_visit(merge_state *s, const merge_clip *w, const tsr_ir_expr *q, int v, int *nblocks)
{
    const char *const var = s->plan->notation->var[v];
    const tsr_ir_expr *c = merge_load_crd(s, w->list, q);
    if (!w->window)
        return tsr_ir_declare(s->ir, var, c, false);
    const bool is_one = w->window->step == 1;
    c = from_first(s, w->window, c);
    c = tsr_ir_declare(s->ir, is_one ? var : "crd", c, false);
    if (!w->clipped) {
        const tsr_ir_expr *inside = OP(LT, c, INDEX((int64_t)(w->window->behind - w->window->first)));
        tsr_ir_if(s->ir, w->window->first ? OP(AND, OP(LE, INDEX(0), c), inside) : inside);
        ++*nblocks;
    }
    if (is_one)
        return c;
    const tsr_ir_expr *const step = INDEX((int64_t)w->window->step);
    tsr_ir_if(s->ir, OP(EQ, OP(MOD, c, step), INDEX(0)));
    ++*nblocks;
    return tsr_ir_declare(s->ir, var, OP(FLOORDIV, c, step), false);
}

/* Only for floating point: a division of integers by an element that does not count could trap. */
bool merge_may_mask(const merge_state *s, const tsr_plan_term *term)
{
    return s->plan->sink == TSR_PLAN_DENSE && s->row.kind == MERGE_ROW_LISTED && merge_has_neutral(s) &&
           tsr_type_class(s->p->type) == 'R' && term->naccesses == 1 && !tsr_plan_filters(term) &&
           !(s->plan->notation->result->vars >> term->order[term->nvars - 1] & 1);
}

bool merge_masks(const merge_clip *w)
{
    enum { LONG_STEP = 8 };
    return w->window && w->window->step > 1 && w->window->step <= LONG_STEP &&
           w->crds->elem != TSR_U64; /* no sum of a coordinate and a step overflows */
}

void merge_begin_masked(merge_state *s)
{
    s->window.pick = tsr_ir_array_new(s->ir, "pick", s->p->type, TSR_IR_LOCAL, INDEX(2), false);
    tsr_ir_store(s->ir, s->window.pick, INDEX(0), merge_neutral(s), false, false);
}

/* All is arithmetic: compilers make branches of most conditions. */
const tsr_ir_expr *merge_visit_masked(merge_state *s, const merge_clip *w, const tsr_ir_expr *q, int v)
{
    const tsr_mode_window *const of = w->window;
    const int64_t first = (int64_t)of->first, step = (int64_t)of->step, before = (first + step - 1) / step;
    const tsr_ir_expr *c = merge_load_crd(s, w->list, q);
    /* counted from a step at or below 0, so that no remainder is of a negative number */
    c = tsr_ir_declare(s->ir, "crd", tsr_ir_add(s->ir, c, INDEX(before * step - first)), false);
    const tsr_ir_expr *off = OP(MOD, c, INDEX(step));
    if (!w->clipped) {
        const int64_t end = (int64_t)of->behind + before * step - first;
        const tsr_ir_expr *const below = OP(LT, c, INDEX(before * step));
        const tsr_ir_expr *const behind = OP(LE, INDEX(end), c);
        off = first > 0 ? tsr_ir_add(s->ir, off, tsr_ir_select(s->ir, below, INDEX(1), INDEX(0))) : off;
        off = tsr_ir_add(s->ir, off, tsr_ir_select(s->ir, behind, INDEX(1), INDEX(0)));
    }
    const tsr_ir_expr *const is_on = tsr_ir_select(s->ir, OP(EQ, off, INDEX(0)), INDEX(1), INDEX(0));
    s->window.on = tsr_ir_declare(s->ir, "on", is_on, false);
    const tsr_ir_expr *const in = tsr_ir_sub(s->ir, OP(FLOORDIV, c, INDEX(step)), INDEX(before));
    return tsr_ir_declare(s->ir, s->plan->notation->var[v], tsr_ir_mul(s->ir, in, s->window.on), false);
}

void merge_skip(merge_state *s, const merge_clip *w, const tsr_ir_expr *q, const tsr_ir_expr *end)
{
    const tsr_mode_window *const of = w->window;
    const tsr_ir_expr *off = NULL;
    if (w->clipped && of->step == 1)
        return;
    const tsr_ir_expr *skips = tsr_ir_declare(s->ir, "skips", OP(LT, q, end), true);
    tsr_ir_while(s->ir, skips);
    const tsr_ir_expr *c = tsr_ir_declare(s->ir, "crd", merge_load_crd(s, w->list, q), false);
    if (!w->clipped)
        off = OP(LT, c, INDEX((int64_t)of->first));
    if (of->step > 1) {
        const tsr_ir_expr *const between = OP(NOT, merge_is_on_step(s, of, c), NULL);
        off = off ? OP(OR, off, between) : between;
    }
    off = tsr_ir_declare(s->ir, "off", off, false);
    tsr_ir_assign(s->ir, q, tsr_ir_select(s->ir, off, INDEX(1), INDEX(0)), true);
    tsr_ir_assign(s->ir, skips, OP(AND, off, OP(LT, q, end)), false);
    tsr_ir_end(s->ir);
}
