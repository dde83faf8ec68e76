/* Sums of rows whose values are taken as they are stored, such as A(i,j) + B(i,j) + C(i,j): two rows are united by one
 * statement. More rows are added one after the other; the sum of those before is in an array of the thread, which is as
 * long as a row can be, and of which a row uses the beginning.
 *
 * Products of a sparse row and a sparse matrix, A(i,k)*B(k,j): a row of the result with few columns between the first and
 * the last one is computed by one statement. */
#include "lower_merge.h"

#define INDEX(c) tsr_ir_index(s->ir, (c))

enum { MAX_CELLS = 1 << 23 /* of an array for the rows of all threads */ };

static int tensor_of(const merge_state *s, const tsr_plan_term *term)
{
    return merge_tensor(s->plan, s->plan->access[term->access[0]].view);
}

/* Whether the values of the term are the values of its sparse operand as they are stored. */
static bool is_plain(const merge_state *s, const tsr_plan_term *term)
{
    const tsr_factor *const factor = &term->term->factor[0];
    if (term->naccesses != 1 || term->nmasks || term->term->nfactors != 1 || term->term->negative ||
        factor->inverse || factor->expr->kind != TSR_EXPR_ACCESS || factor->expr->mask != TSR_MASK_NONE)
        return false;
    const tsr_lower_operand *const operand = &s->p->graph->operands[tensor_of(s, term)];
    return !operand->iso && operand->type == TSR_F64;
}

bool merge_can_unite(const merge_state *s, const tsr_plan_term *const *term, int n)
{
    const int last = s->plan->nresult - 1;
    bool can = !s->plan->two_pass && s->p->graph->type == TSR_F64 && s->plan->ring == &tsr_semirings[0] &&
               (n == 2 || (s->united[0] && s->united[1]));
    for (int i = 0; i < n && can; i++) {
        const tsr_plan_view *const view = &s->plan->view[s->plan->access[term[i]->access[0]].view];
        const tsr_ir_array *const crd =
            is_plain(s, term[i])
                ? lower_array_param(s->p, TSR_PARAM_CRD, tensor_of(s, term[i]), view->nlevels - 1)
                : NULL;
        can = crd && s->out_crd[last] && crd->elem == s->out_crd[last]->elem;
    }
    return can;
}

void merge_new_united(merge_state *s, bool threaded)
{
    const tsr_plan *const plan = s->plan;
    const int v = plan->var[plan->nresult - 1];
    int n = 0;
    for (int i = 0; i < plan->nterms; i++) {
        if (!plan->term[i].empty && !is_plain(s, &plan->term[i]))
            return;
        n += !plan->term[i].empty;
    }
    if (plan->two_pass || n < 3 || n > MERGE_MAX_UNITED || plan->nouter < plan->nresult ||
        (double)plan->size[v] * s->p->graph->nthreads > (double)MAX_CELLS)
        return;
    const tsr_ir_expr *length = merge_size(s, v);
    if (threaded)
        length = tsr_ir_mul(s->ir, length, merge_nthreads(s));
    for (int i = 0; i < 2; i++) {
        s->united[i] = tsr_ir_index_array_new(s->ir, "united_crd", s->out_crd[plan->nresult - 1]->elem,
                                              TSR_IR_HEAP, length, false);
        s->united_values[i] = tsr_ir_array_new(s->ir, "united", TSR_F64, TSR_IR_HEAP, length, false);
    }
}

void merge_unite(merge_state *s, const merge_united *rows, int k)
{
    const tsr_ir_array *crd = rows->crd[0];
    const tsr_ir_array *values = lower_array_param(s->p, TSR_PARAM_VALUES, tensor_of(s, rows->term[0]), -1);
    const tsr_ir_expr *begin = rows->begin[0], *end = rows->end[0], *first = INDEX(0);
    if (rows->n > 2)
        first =
            tsr_ir_declare(s->ir, "first", tsr_ir_mul(s->ir, merge_size(s, s->plan->var[k]), s->t), false);
    for (int i = 1; i < rows->n; i++) {
        const bool is_last = i + 1 == rows->n;
        const tsr_ir_array *const list = is_last ? s->crd[k] : s->united[i % 2];
        const tsr_ir_array *const from[] = {
            crd, rows->crd[i], values,
            lower_array_param(s->p, TSR_PARAM_VALUES, tensor_of(s, rows->term[i]), -1),
            is_last ? s->values : s->united_values[i % 2]};
        const tsr_ir_expr *const range[] = {begin, end, rows->begin[i], rows->end[i]};
        const tsr_ir_expr *const n = tsr_ir_unite(s->ir, list, is_last ? s->cursor[k] : first, from, range);
        if (is_last) {
            tsr_ir_assign(s->ir, s->cursor[k], n, true);
            continue;
        }
        crd = list;
        values = from[4];
        begin = first;
        end = tsr_ir_declare(s->ir, "last", tsr_ir_add(s->ir, first, n), false);
    }
}

/* ---- products ---- */

/* Whether level l of the access is over v, and dense or compressed as `full` says. */
static bool level_is(const merge_state *s, int a, int l, int v, bool full)
{
    const tsr_plan_view *const view = &s->plan->view[s->plan->access[a].view];
    return view->full[l] == full && s->plan->access[a].expr->index[view->mode[l]] == v;
}

/* The term is A(i,k)*B(k,j) of stored f64 values, where only the loops over k and j are not open, and both matrices have
 * compressed rows. Fill in the numbers of the accesses. */
static bool find_product(int *row, int *matrix, const merge_state *s, const tsr_plan_term *term)
{
    if (term->naccesses != 2 || term->nmasks || term->term->nfactors != 2 || term->term->negative ||
        term->nvars != s->plan->nouter + 2)
        return false;
    for (int f = 0; f < 2; f++) {
        const tsr_factor *const factor = &term->term->factor[f];
        const int a = term->access[f];
        const tsr_plan_view *const view = &s->plan->view[s->plan->access[a].view];
        const tsr_lower_operand *const operand =
            &s->p->graph->operands[merge_tensor(s->plan, s->plan->access[a].view)];
        if (factor->inverse || factor->expr->kind != TSR_EXPR_ACCESS || factor->expr->mask != TSR_MASK_NONE ||
            operand->iso || operand->type != TSR_F64 || s->access[a].has || view->nlevels != 2)
            return false;
    }
    const int k = term->order[term->nvars - 2], j = term->order[term->nvars - 1];
    *row = term->access[s->access[term->access[0]].depth == 1 ? 0 : 1];
    *matrix = term->access[*row == term->access[0] ? 1 : 0];
    return s->access[*row].depth == 1 && s->access[*matrix].depth == 0 && level_is(s, *row, 1, k, false) &&
           level_is(s, *matrix, 0, k, true) && level_is(s, *matrix, 1, j, false);
}

bool merge_multiply(merge_state *s, int k)
{
    const tsr_plan_term *term = NULL;
    int row, matrix;
    for (int i = 0; i < s->plan->nterms; i++) {
        if (s->plan->term[i].empty)
            continue;
        if (term)
            return false;
        term = &s->plan->term[i];
    }
    if (!term || s->p->graph->type != TSR_F64 || !find_product(&row, &matrix, s, term))
        return false;
    const int t[] = {merge_tensor(s->plan, s->plan->access[row].view),
                     merge_tensor(s->plan, s->plan->access[matrix].view)};
    const tsr_ir_array *const from[] = {lower_array_param(s->p, TSR_PARAM_CRD, t[0], 1),
                                        lower_array_param(s->p, TSR_PARAM_CRD, t[1], 1),
                                        lower_array_param(s->p, TSR_PARAM_VALUES, t[0], -1),
                                        lower_array_param(s->p, TSR_PARAM_VALUES, t[1], -1),
                                        s->values,
                                        lower_array_param(s->p, TSR_PARAM_POS, t[1], 1)};
    const tsr_ir_array *const pos = lower_array_param(s->p, TSR_PARAM_POS, t[0], 1);
    for (int i = 0; i < 6; i++)
        if (!from[i] || !s->crd[k] || (from[i]->is_index && from[i]->elem != s->crd[k]->elem))
            return false;
    const tsr_ir_expr *const span = tsr_ir_sub(s->ir, s->row_end, s->row_begin), *const at =
                                                                                     s->access[row].pos;
    tsr_ir_if(s->ir, tsr_ir_op2(s->ir, TSR_IR_LE, span, INDEX(TSR_IR_NARROW)));
    merge_reserve(s, k,
                  tsr_ir_op2(s->ir, TSR_IR_MAX, INDEX(0), tsr_ir_op2(s->ir, TSR_IR_MIN, s->row_most, span)));
    const tsr_ir_expr *const range[] = {tsr_ir_load_index(s->ir, pos, at),
                                        tsr_ir_load_index(s->ir, pos, tsr_ir_add(s->ir, at, INDEX(1))),
                                        s->row_begin, s->row_end};
    tsr_ir_if(s->ir,
              tsr_ir_op2(s->ir, TSR_IR_LT, INDEX(0), s->row_most)); /* else the lists may have no memory */
    tsr_ir_assign(s->ir, s->cursor[k], tsr_ir_multiply(s->ir, s->crd[k], s->cursor[k], from, range), true);
    tsr_ir_end(s->ir);
    return true;
}
