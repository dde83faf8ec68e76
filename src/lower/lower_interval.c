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

/* Coordinates in [*lo, *hi): variables that coordinates widen. */
static void widen(lower_program *p, const tsr_ir_array *crd, const tsr_ir_expr *first,
                  const tsr_ir_expr *last, const tsr_ir_expr *lo, const tsr_ir_expr *hi)
{
    tsr_ir_builder *ir = p->ir;
    const tsr_ir_expr *one = tsr_ir_index(ir, 1);
    tsr_ir_assign(ir, lo, tsr_ir_op2(ir, TSR_IR_MIN, lo, tsr_ir_load_index(ir, crd, first)), false);
    tsr_ir_assign(
        ir, hi, tsr_ir_op2(ir, TSR_IR_MAX, hi, tsr_ir_add(ir, tsr_ir_load_index(ir, crd, last), one)), false);
}

static void scan_children(lower_program *p, const tsr_ir_array *crd, tsr_ir_range in, tsr_ir_range found)
{
    const tsr_ir_expr *q = tsr_ir_for(p->ir, "q", in.lo, in.hi, 0);
    widen(p, crd, q, q, found.lo, found.hi);
    tsr_ir_end(p->ir);
}

static void scan_parents(lower_program *p, const tsr_nest *term, int l, const lower_share *share,
                         tsr_ir_range found)
{
    tsr_ir_builder *ir = p->ir;
    const tsr_ir_array *crd = lower_array_param(p, TSR_PARAM_CRD, term->driver, l);
    const tsr_ir_expr *q =
        tsr_ir_for(ir, "q", share_position(p, term, share->lo, l), share_position(p, term, share->hi, l), 0);
    const tsr_ir_expr *one = tsr_ir_index(ir, 1);
    const tsr_ir_expr *first = tsr_ir_declare(ir, "child", lower_first(p, term, l, l + 1, q), false);
    const tsr_ir_expr *end =
        tsr_ir_declare(ir, "child_end", lower_first(p, term, l, l + 1, tsr_ir_add(ir, q, one)), false);
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LT, first, end));
    widen(p, crd, first, tsr_ir_sub(ir, end, one), found.lo, found.hi);
    tsr_ir_end(ir);
    tsr_ir_end(ir);
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
    const int depth = s.level + 1;
    tsr_ir_range in = {NULL, NULL}, found;
    if (s.how != TSR_INTERVAL_BY_PARENTS) {
        in.lo = tsr_ir_declare(ir, "from", share_position(p, term, share->lo, depth), false);
        in.hi = tsr_ir_declare(ir, "to", share_position(p, term, share->hi, depth), false);
    }
    if (s.how == TSR_INTERVAL_BY_POSITIONS) {
        found = in;
    } else {
        found.lo = tsr_ir_declare(ir, "least", size, true);
        found.hi = tsr_ir_declare(ir, "most", tsr_ir_index(ir, 0), true);
        if (s.how == TSR_INTERVAL_BY_CHILDREN)
            scan_children(p, lower_array_param(p, TSR_PARAM_CRD, term->driver, s.level), in, found);
        else if (s.how == TSR_INTERVAL_BY_PARENTS)
            scan_parents(p, term, s.level, share, found);
        else
            span_keys(p, term, tsr_nest_binding_mode(term, v), in, found);
    }
    const tsr_ir_expr *lo = tsr_ir_op2(ir, TSR_IR_MIN, tsr_ir_mul(ir, found.lo, unit), size);
    const tsr_ir_expr *hi = tsr_ir_op2(ir, TSR_IR_MIN, tsr_ir_mul(ir, found.hi, unit), size);
    lo = tsr_ir_declare(ir, "touched", tsr_ir_mul(ir, lo, row), false);
    hi = tsr_ir_op2(ir, TSR_IR_MAX, tsr_ir_mul(ir, hi, row), lo);
    return (tsr_ir_range){lo, tsr_ir_declare(ir, "touched_end", hi, false)};
}
