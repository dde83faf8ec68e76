/* Sums of rows whose values are taken as they are stored, or with one factor for the whole row, such as
 * A(i,j) + B(i,j) - 2*C(i,j): two rows are united by one statement. More rows are added one after the other; the sum of those before is in an array of the thread, which is as
 * long as a row can be, and of which a row uses the beginning.
 *
 * Products of a sparse row and a sparse matrix, A(i,k)*B(k,j): a row of the result with few columns between the first and
 * the last one is computed by one statement. */
#include "lower_merge.h"

#define INDEX(c) tsr_ir_index(s->ir, (c))

static int tensor_of(const merge_state *s, const tsr_plan_term *term)
{
    return merge_tensor(s->plan, s->plan->access[term->access[0]].view);
}

/* The type of coordinates of the result's last level in statements about rows. */
static tsr_type result_elem(const merge_state *s)
{
    return tsr_type_unsigned(tsr_crd_width(s->plan->size[s->plan->var[s->plan->nresult - 1]]));
}

void merge_new_united(merge_state *s, bool threaded)
{
    const tsr_plan *const plan = s->plan;
    const bool values_only = s->pass == MERGE_PASS_VALUES;
    if (!plan->rows.unites || (plan->rows.nsummed < 3 && !values_only))
        return;
    const tsr_ir_expr *length = merge_size(s, plan->var[plan->nresult - 1]);
    if (threaded)
        length = tsr_ir_mul(s->ir, length, merge_nthreads(s));
    for (int i = 0; i < 2; i++) {
        s->united[i] =
            tsr_ir_index_array_new(s->ir, "united_crd", result_elem(s), TSR_IR_HEAP, length, false);
        s->united_values[i] =
            tsr_ir_array_new(s->ir, "united", s->p->graph->type, TSR_IR_HEAP, length, false);
    }
}

/* The factor of the term's rows; NULL: 1. */
static const tsr_ir_expr *scale(merge_state *s, const tsr_plan_term *term)
{
    const tsr_ir_expr *const x = merge_product(s, term, tsr_plan_scaled(s->plan, term));
    return x ? tsr_ir_declare(s->ir, "scale", x, false) : NULL;
}

void merge_unite(merge_state *s, const merge_united *rows, int k)
{
    const tsr_ir_array *crd = rows->crd[0];
    const tsr_ir_array *values = lower_array_param(s->p, TSR_PARAM_VALUES, tensor_of(s, rows->term[0]), -1);
    const tsr_ir_expr *begin = rows->begin[0], *end = rows->end[0], *first = INDEX(0);
    const bool values_only = s->pass == MERGE_PASS_VALUES;
    if (rows->n > 2 || values_only)
        first =
            tsr_ir_declare(s->ir, "first", tsr_ir_mul(s->ir, merge_size(s, s->plan->var[k]), s->t), false);
    for (int i = 1; i < rows->n; i++) {
        const bool is_last = i + 1 == rows->n && !values_only;
        const tsr_ir_array *const list = is_last ? s->crd[k] : s->united[i % 2];
        const tsr_ir_array *const from[] = {
            crd, rows->crd[i], values,
            lower_array_param(s->p, TSR_PARAM_VALUES, tensor_of(s, rows->term[i]), -1),
            is_last ? s->values : s->united_values[i % 2]};
        const tsr_ir_expr *const range[] = {begin,
                                            end,
                                            rows->begin[i],
                                            rows->end[i],
                                            i == 1 ? scale(s, rows->term[0]) : NULL,
                                            scale(s, rows->term[i])};
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
    if (values_only)
        merge_meet_row(s, crd, values, first, tsr_ir_sub(s->ir, end, first));
}

/* ---- products ---- */

void merge_multiply(merge_state *s, int k)
{
    const int row = s->plan->rows.row, matrix = s->plan->rows.matrix;
    const int t[] = {merge_tensor(s->plan, s->plan->access[row].view),
                     merge_tensor(s->plan, s->plan->access[matrix].view)};
    const bool values_only = s->pass == MERGE_PASS_VALUES;
    const tsr_ir_array *list = s->crd[k], *sums = s->values;
    if (values_only) { /* the row goes to local arrays first: it may have more entries than the result */
        list = tsr_ir_index_array_new(s->ir, "row_crd", result_elem(s), TSR_IR_LOCAL, INDEX(TSR_IR_NARROW),
                                      false);
        sums = tsr_ir_array_new(s->ir, "row", TSR_F64, TSR_IR_LOCAL, INDEX(TSR_IR_NARROW), false);
    }
    const tsr_ir_array *const from[] = {lower_array_param(s->p, TSR_PARAM_CRD, t[0], 1),
                                        lower_array_param(s->p, TSR_PARAM_CRD, t[1], 1),
                                        lower_array_param(s->p, TSR_PARAM_VALUES, t[0], -1),
                                        lower_array_param(s->p, TSR_PARAM_VALUES, t[1], -1),
                                        sums,
                                        lower_array_param(s->p, TSR_PARAM_POS, t[1], 1)};
    const tsr_ir_array *const pos = lower_array_param(s->p, TSR_PARAM_POS, t[0], 1);
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
    const tsr_ir_expr *const n =
        tsr_ir_multiply(s->ir, list, values_only ? INDEX(0) : s->cursor[k], from, range);
    if (values_only)
        merge_meet_row(s, list, sums, INDEX(0), n);
    else
        tsr_ir_assign(s->ir, s->cursor[k], n, true);
    tsr_ir_end(s->ir);
}
