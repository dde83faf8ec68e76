/* Windows of sparse levels: coordinates in a window, and walks that leave out what is outside. */
#include "lower_merge.h"

#define INDEX(c) tsr_ir_index(s->ir, (c))
#define OP(op, x, y) tsr_ir_op2(s->ir, TSR_IR_##op, (x), (y))

const tsr_ir_expr *merge_in_window(merge_state *s, const tsr_mode_window *w, const tsr_ir_expr *c)
{
    if (!w)
        return c;
    c = w->first ? tsr_ir_sub(s->ir, c, INDEX((int64_t)w->first)) : c;
    return w->step > 1 ? OP(FLOORDIV, c, INDEX((int64_t)w->step)) : c;
}

const tsr_ir_expr *merge_is_on_step(merge_state *s, const tsr_mode_window *w, const tsr_ir_expr *c)
{
    c = w->first ? tsr_ir_sub(s->ir, c, INDEX((int64_t)w->first)) : c;
    return OP(EQ, OP(MOD, c, INDEX((int64_t)w->step)), INDEX(0));
}

const tsr_ir_expr *merge_visit(merge_state *s, const merge_clip *w, const tsr_ir_expr *q, int v, int *nblocks)
{
    const char *const var = s->plan->notation->var[v];
    const tsr_ir_expr *c = tsr_ir_load_index(s->ir, w->crds, q);
    if (!w->window)
        return tsr_ir_declare(s->ir, var, c, false);
    const bool is_one = w->window->step == 1;
    c = w->window->first ? tsr_ir_sub(s->ir, c, INDEX((int64_t)w->window->first)) : c;
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

void merge_skip(merge_state *s, const merge_clip *w, const tsr_ir_expr *q, const tsr_ir_expr *end)
{
    const tsr_mode_window *const of = w->window;
    const tsr_ir_expr *off = NULL;
    if (w->clipped && of->step == 1)
        return;
    const tsr_ir_expr *skips = tsr_ir_declare(s->ir, "skips", OP(LT, q, end), true);
    tsr_ir_while(s->ir, skips);
    const tsr_ir_expr *c = tsr_ir_declare(s->ir, "crd", tsr_ir_load_index(s->ir, w->crds, q), false);
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
