/* The interval of the result's rows that a share of a term touches, as the plan says (plan_interval.c): a private copy of the
 * result is cleared and added up only there. */
#include "lower_internal.h"

/* The share's position, the first or the end, at depth `to`. */
static const tsr_ir_expr *share_position(lower_program *p, const tsr_nest *term, const tsr_ir_expr *const *at,
                                         int to)
{
    const int depth = tsr_nest_cut_depth(term);
    return to < depth ? at[to] : lower_first(p, term, depth, to, at[depth]);
}

/* Let found.lo and found.hi, which are variables, span the coordinates of the positions in the range; of_parents: of the children of
 * these positions, which rise. */
static void scan(lower_program *p, const tsr_nest *term, tsr_ir_range in, tsr_ir_range found, bool of_parents)
{
    tsr_ir_builder *ir = p->ir;
    const int l = term->share.interval.level;
    const tsr_ir_array *crd = lower_array_param(p, TSR_PARAM_CRD, term->driver, l);
    const tsr_ir_expr *one = tsr_ir_index(ir, 1), *q = tsr_ir_for(ir, "q", in.lo, in.hi, 0);
    const tsr_ir_expr *first = q, *last = q;
    if (of_parents) {
        first = tsr_ir_declare(ir, "child", lower_first(p, term, l, l + 1, q), false);
        const tsr_ir_expr *end = lower_first(p, term, l, l + 1, tsr_ir_add(ir, q, one));
        end = tsr_ir_declare(ir, "child_end", end, false);
        tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LT, first, end));
        last = tsr_ir_sub(ir, end, one);
    }
    const tsr_ir_expr *hi = tsr_ir_add(ir, tsr_ir_load_index(ir, crd, last), one);
    tsr_ir_assign(ir, found.lo, tsr_ir_op2(ir, TSR_IR_MIN, found.lo, tsr_ir_load_index(ir, crd, first)),
                  false);
    tsr_ir_assign(ir, found.hi, tsr_ir_op2(ir, TSR_IR_MAX, found.hi, hi), false);
    tsr_ir_close(ir, of_parents ? 2 : 1);
}

/* The rows of all keys that have the same leading bits as the keys of positions in.lo and in.hi - 1. */
static void span_keys(lower_program *p, const tsr_nest *term, int m, tsr_ir_range in, tsr_ir_range found)
{
    tsr_ir_builder *ir = p->ir;
    const tsr_binding *binding = p->operands[term->driver].binding;
    const tsr_ir_array *crd = lower_array_param(p, TSR_PARAM_CRD, term->driver, 0);
    const tsr_ir_expr *one = tsr_ir_index(ir, 1), *two = tsr_ir_index(ir, 2), *bound[2];
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LT, in.lo, in.hi));
    const tsr_ir_expr *first = tsr_ir_declare(ir, "key", tsr_ir_load_index(ir, crd, in.lo), true);
    const tsr_ir_expr *last =
        tsr_ir_declare(ir, "last_key", tsr_ir_load_index(ir, crd, tsr_ir_sub(ir, in.hi, one)), true);
    const tsr_ir_expr *span = tsr_ir_declare(ir, "span", one, true);
    tsr_ir_while(ir, tsr_ir_op2(ir, TSR_IR_NE, first, last));
    tsr_ir_assign(ir, first, tsr_ir_op2(ir, TSR_IR_FLOORDIV, first, two), false);
    tsr_ir_assign(ir, last, tsr_ir_op2(ir, TSR_IR_FLOORDIV, last, two), false);
    tsr_ir_assign(ir, span, tsr_ir_mul(ir, span, two), false);
    tsr_ir_end(ir);
    bound[0] = tsr_ir_mul(ir, first, span);
    bound[1] = tsr_ir_add(ir, bound[0], tsr_ir_sub(ir, span, one));
    tsr_ir_assign(ir, found.lo, lower_map_result(p, binding->inverse, m, &bound[0]), false);
    tsr_ir_assign(ir, found.hi, tsr_ir_add(ir, lower_map_result(p, binding->inverse, m, &bound[1]), one),
                  false);
    tsr_ir_end(ir);
}

tsr_ir_range lower_interval(lower_program *p, const tsr_nest *term, const lower_share *share)
{
    tsr_ir_builder *ir = p->ir;
    const tsr_plan_interval s = term->share.interval;
    const int v = s.var;
    const tsr_ir_expr *unit = tsr_ir_index(ir, s.unit), *size = lower_size(p, v);
    const tsr_ir_expr *row = lower_npositions(p, p->plan->notation->result, 1, tsr_ir_index(ir, 1));
    const bool of_parents = s.how == TSR_INTERVAL_BY_PARENTS;
    const int depth = s.level + !of_parents;
    tsr_ir_range found, in = {share_position(p, term, share->lo, depth), NULL};
    if (!of_parents)
        in.lo = tsr_ir_declare(ir, "from", in.lo, false);
    in.hi = share_position(p, term, share->hi, depth);
    if (!of_parents)
        in.hi = tsr_ir_declare(ir, "to", in.hi, false);
    if (s.how == TSR_INTERVAL_BY_POSITIONS) {
        found = in;
    } else {
        found.lo = tsr_ir_declare(ir, "least", size, true);
        found.hi = tsr_ir_declare(ir, "most", tsr_ir_index(ir, 0), true);
        if (of_parents || s.how == TSR_INTERVAL_BY_CHILDREN)
            scan(p, term, in, found, of_parents);
        else
            span_keys(p, term, tsr_nest_binding_mode(term, v), in, found);
    }
    const tsr_ir_expr *lo = tsr_ir_op2(ir, TSR_IR_MIN, tsr_ir_mul(ir, found.lo, unit), size);
    const tsr_ir_expr *hi = tsr_ir_op2(ir, TSR_IR_MIN, tsr_ir_mul(ir, found.hi, unit), size);
    lo = tsr_ir_declare(ir, "touched", tsr_ir_mul(ir, lo, row), false);
    hi = tsr_ir_op2(ir, TSR_IR_MAX, tsr_ir_mul(ir, hi, row), lo);
    return (tsr_ir_range){lo, tsr_ir_declare(ir, "touched_end", hi, false)};
}
