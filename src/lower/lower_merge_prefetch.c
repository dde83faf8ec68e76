/* Prefetching rows. If a loop walks the stored coordinates of one operand, and another operand has a row for
 * each of them (Gustavson's product), the loop prefetches the row of the coordinate that it will reach AHEAD
 * positions later. */
#include "lower_merge.h"

#define INDEX(c) tsr_ir_index(s->ir, (c))
#define OP(op, x, y) tsr_ir_op2(s->ir, TSR_IR_##op, (x), (y))

enum {
    AHEAD = 8
}; /* positions between the prefetch of a row and its use, unless the schedule says it; pos of the row is prefetched
                       another AHEAD positions before */

/* Whether the last opened level of the access is the first level, is dense over v, and has a compressed
 * level below. */
static bool jumps(const merge_state *s, int a, int v)
{
    const tsr_plan_access *access = &s->plan->access[a];
    const tsr_plan_view *view = &s->plan->view[access->view];
    return s->access[a].depth == 1 && view->full[0] && view->nlevels > 1 && !view->full[1] &&
           access->expr->index[view->mode[0]] == v && !tsr_expr_window(access->expr, view->mode[0]);
}

void merge_prefetch(merge_state *s, const tsr_plan_term *term, int walker, const tsr_ir_expr *q, int v)
{
    const tsr_plan_access *const access = &s->plan->access[walker];
    const int *const mode = s->plan->view[access->view].mode;
    const int from = merge_tensor(s->plan, access->view), l = s->access[walker].depth - 1;
    const tsr_ir_expr *near = NULL, *far = NULL;
    const int asked = s->plan->schedule.prefetch, ahead = asked > 0 ? asked : AHEAD;
    if (asked < 0)
        return;
    if (tsr_expr_window(access->expr, mode[l]))
        return; /* crd[q] is not the coordinate of another operand */
    if (l > 0 && access->expr->index[mode[l - 1]] == v)
        return; /* a diagonal: q is a position of the level above, and level l may be dense */
    if (s->plan->storage.parts)
        return; /* no other operand has the coordinate of a compound level */
    const tsr_ir_array *crd = lower_array_param(s->p, TSR_PARAM_CRD, from, l);
    for (int k = 0; k < term->naccesses; k++) {
        const int a = term->access[k];
        if (a == walker || !jumps(s, a, v))
            continue;
        const int to = merge_tensor(s->plan, s->plan->access[a].view);
        const tsr_ir_array *pos = lower_array_param(s->p, TSR_PARAM_POS, to, 1);
        if (!near) {
            const tsr_ir_expr *last =
                tsr_ir_sub(s->ir, lower_index_param(s->p, TSR_PARAM_NPOS, from, l, -1), INDEX(1));
            near = OP(MIN, tsr_ir_add(s->ir, q, INDEX(ahead)), last);
            far = OP(MIN, tsr_ir_add(s->ir, q, INDEX(2 * (int64_t)ahead)), last);
            near = tsr_ir_declare(s->ir, "ahead", tsr_ir_load_index(s->ir, crd, near), false);
            far = tsr_ir_load_index(s->ir, crd, far);
        }
        tsr_ir_prefetch(s->ir, pos, far, false);
        const tsr_ir_expr *begin =
            tsr_ir_declare(s->ir, "row_ahead", tsr_ir_load_index(s->ir, pos, near), false);
        tsr_ir_prefetch(s->ir, lower_array_param(s->p, TSR_PARAM_CRD, to, 1), begin, false);
        if (s->plan->view[s->plan->access[a].view].nlevels == 2 && !s->p->operands[to].iso)
            tsr_ir_prefetch(s->ir, lower_array_param(s->p, TSR_PARAM_VALUES, to, -1), begin, false);
    }
}
