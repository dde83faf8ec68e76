/* Lists: the levels of operands and of the result that are not dense. A compound level (tsr_plan_parts) is a list whose coordinates
 * are computed from those of the tensor's levels. */
#include "lower_merge.h"

int merge_tensor(const merge_state *s, int access)
{
    return tsr_plan_operand_of(s->plan, access);
}

const tsr_ir_array *merge_array(merge_state *s, tsr_param_role role, int access, int level)
{
    return lower_array_param(s->p, role, merge_tensor(s, access), level);
}

const tsr_ir_expr *merge_mark_at(merge_state *s, int access, const tsr_ir_expr *position)
{
    const tsr_plan_view *const view = &s->plan->view[s->plan->access[access].view];
    const tsr_ir_array *const marks =
        lower_array_param(s->p, TSR_PARAM_BITS, merge_tensor(s, access), view->nlevels - 1);
    if (view->marks->arrays[0].content != TSR_HOLDS_WORDS)
        return OP(NE, tsr_ir_load_index(s->ir, marks, position), INDEX(0));
    const tsr_ir_expr *const byte = tsr_ir_load_index(s->ir, marks, OP(FLOORDIV, position, INDEX(8)));
    return OP(NE, OP(BIT, byte, OP(MOD, position, INDEX(8))), INDEX(0));
}

const tsr_ir_array *merge_list_array(merge_state *s, merge_list list)
{
    const int t = merge_tensor(s, list.access);
    return tsr_plan_nparts(s->plan, t, list.level) > 1
               ? NULL
               : merge_array(s, TSR_PARAM_CRD, list.access, tsr_plan_level(s->plan, t, list.level));
}

static int64_t cells_of(const merge_state *s, int tensor, int level)
{
    return INT64_C(1) << s->plan->storage.parts[tensor].nbits[level];
}

const tsr_ir_expr *merge_load_crd(merge_state *s, merge_list list, const tsr_ir_expr *q)
{
    const int t = merge_tensor(s, list.access), first = tsr_plan_level(s->plan, t, list.level);
    const int behind = tsr_plan_level(s->plan, t, list.level + 1);
    const tsr_ir_expr *crd = tsr_ir_load_index(s->ir, merge_array(s, TSR_PARAM_CRD, list.access, first), q);
    for (int l = first + 1; l < behind; l++)
        crd = tsr_ir_add(s->ir, tsr_ir_mul(s->ir, crd, INDEX(cells_of(s, t, l))),
                         tsr_ir_load_index(s->ir, merge_array(s, TSR_PARAM_CRD, list.access, l), q));
    return crd;
}

/* ---- searches ---- */

static const tsr_ir_expr *array_at(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    return tsr_ir_load_index(ir, arg, q);
}

const tsr_ir_expr *merge_seek_array(merge_state *s, const char *name, tsr_ir_range range,
                                    const tsr_ir_expr *target, const tsr_ir_array *crd)
{
    return tsr_ir_search(s->ir, name, range, target, array_at, (void *)(uintptr_t)crd);
}

typedef struct sought {
    merge_state *s;
    merge_list list;
} sought;

static const tsr_ir_expr *list_at(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const sought *const of = arg;
    (void)ir;
    return merge_load_crd(of->s, of->list, q);
}

const tsr_ir_expr *merge_seek_crd(merge_state *s, const char *name, tsr_ir_range range,
                                  const tsr_ir_expr *target, merge_list list)
{
    sought of = {s, list};
    const tsr_ir_array *const crd = merge_list_array(s, list);
    return crd ? merge_seek_array(s, name, range, target, crd)
               : tsr_ir_search(s->ir, name, range, target, list_at, &of);
}

/* ---- positions ---- */

const tsr_ir_expr *merge_first_child(merge_state *s, int access, int level, const tsr_ir_expr *parent)
{
    const int t = merge_tensor(s, access);
    if (level == 0 && s->plan->storage.parts && s->plan->storage.parts[t].rootless) /* the root is parent 0 */
        return tsr_ir_mul(s->ir, parent, lower_index_param(s->p, TSR_PARAM_NPOS, t, 0, -1));
    return tsr_ir_load_index(
        s->ir, lower_array_param(s->p, TSR_PARAM_POS, t, tsr_plan_level(s->plan, t, level)), parent);
}

/* ---- the result ---- */

int merge_result_level(const merge_state *s, int k)
{
    return tsr_plan_level(s->plan, 0, k);
}

void merge_store_crd(merge_state *s, int k, const tsr_ir_expr *at, const tsr_ir_expr *crd)
{
    const int first = merge_result_level(s, k);
    for (int l = merge_result_level(s, k + 1) - 1; l > first; l--) {
        const tsr_ir_expr *const cells = INDEX(cells_of(s, 0, l));
        tsr_ir_store(s->ir, s->out.crd[l], at, OP(MOD, crd, cells), false, false);
        crd = tsr_ir_declare(s->ir, "rest", OP(FLOORDIV, crd, cells), false);
    }
    tsr_ir_store(s->ir, s->out.crd[first], at, crd, false, false);
}
