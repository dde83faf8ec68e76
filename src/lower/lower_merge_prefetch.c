/* Prefetching the rows that loops that merge will reach: tsr_plan_prefetched says which. */
#include "lower_merge.h"

#define INDEX(c) tsr_ir_index(s->ir, (c))
#define OP(op, x, y) tsr_ir_op2(s->ir, TSR_IR_##op, (x), (y))

/* The coordinate some positions after q in the list of level l of tensor t. */
static const tsr_ir_expr *coordinate_ahead(merge_state *s, int t, int l, const tsr_ir_expr *q, int64_t ahead)
{
    const tsr_ir_expr *const last =
        tsr_ir_sub(s->ir, lower_index_param(s->p, TSR_PARAM_NPOS, t, l, -1), INDEX(1));
    return tsr_ir_load_index(s->ir, lower_array_param(s->p, TSR_PARAM_CRD, t, l),
                             OP(MIN, tsr_ir_add(s->ir, q, INDEX(ahead)), last));
}

void merge_prefetch(merge_state *s, const tsr_plan_term *term, int k, int walker, const tsr_ir_expr *q)
{
    const tsr_plan *const plan = s->plan;
    const int from = merge_tensor(plan, plan->access[walker].view), l = s->access[walker].depth - 1;
    int list[TSR_NOTATION_MAX_FACTORS];
    const int n = tsr_plan_prefetched(list, plan, term, k), ahead = tsr_plan_ahead(plan);
    const tsr_ir_expr *near = NULL, *far = NULL;
    for (int i = 0; i < n; i++) {
        const tsr_plan_view *const view = &plan->view[plan->access[list[i]].view];
        const int to = merge_tensor(plan, plan->access[list[i]].view);
        const tsr_ir_array *const pos = lower_array_param(s->p, TSR_PARAM_POS, to, 1);
        if (i == 0) {
            near = tsr_ir_declare(s->ir, "ahead", coordinate_ahead(s, from, l, q, ahead), false);
            far = coordinate_ahead(s, from, l, q, 2 * (int64_t)ahead);
        }
        tsr_ir_prefetch(s->ir, pos, far, false);
        const tsr_ir_expr *const begin =
            tsr_ir_declare(s->ir, "row_ahead", tsr_ir_load_index(s->ir, pos, near), false);
        tsr_ir_prefetch(s->ir, lower_array_param(s->p, TSR_PARAM_CRD, to, 1), begin, false);
        if (view->nlevels == 2 && !s->p->operands[to].iso)
            tsr_ir_prefetch(s->ir, lower_array_param(s->p, TSR_PARAM_VALUES, to, -1), begin, false);
    }
}
