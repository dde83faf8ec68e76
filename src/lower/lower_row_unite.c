/* Sums of rows whose values are taken as they are stored, or with one factor for the whole row, such as
 * A(i,j) + B(i,j) - 2*C(i,j): two rows are united by one statement, as rows that are multiplied, A(i,j) * B(i,j), are intersected.
 * More rows are added one after the other; the sum of those before is in an array of the thread, which is as long as a row can be, and
 * of which a row uses the beginning.
 *
 * Products of a sparse row and a sparse matrix, A(i,k)*B(k,j): a row of the result with few columns between the first and
 * the last one is computed by one statement. */
#include <stdio.h>

#include "lower_merge.h"

/* The type of coordinates of the result's last level in statements about rows. */
static tsr_type result_elem(const merge_state *s)
{
    const int v = tsr_plan_last(s->plan);
    const bool is_reduced = s->plan->sink == TSR_PLAN_DENSE;
    return tsr_type_unsigned((size_t)(is_reduced ? tsr_plan_united_nbytes(s->plan)
                                                 : tsr_plan_crd_nbytes(s->plan, &s->p->operands[0], v)));
}

/* Whether the sum stays in an array of the thread, from which it is read. */
static bool keeps_row(const merge_state *s)
{
    return s->pass == MERGE_PASS_VALUES || s->plan->sink == TSR_PLAN_DENSE;
}

void merge_new_united(merge_state *s, bool threaded)
{
    const tsr_plan *const plan = s->plan;
    if (!plan->rows.unites || (plan->rows.nsummed < 3 && !keeps_row(s)))
        return;
    const tsr_ir_expr *const length =
        tsr_ir_mul(s->ir, lower_size(s->p, tsr_plan_last(plan)), lower_nthreads(s->p, threaded));
    for (int i = 0; i < 2; i++) {
        s->row.united[i] =
            tsr_ir_index_array_new(s->ir, "united_crd", result_elem(s), TSR_IR_HEAP, length, false);
        s->row.united_values[i] = tsr_ir_array_new(s->ir, "united", s->p->type, TSR_IR_HEAP, length, false);
    }
}

/* The factor of the term's rows; NULL: 1. */
static const tsr_ir_expr *scale(merge_state *s, const tsr_plan_term *term)
{
    const tsr_ir_expr *const x = merge_product(s, term, tsr_plan_scaled(s->plan, term));
    return x ? tsr_ir_declare(s->ir, "scale", x, false) : NULL;
}

/* Reduce the elements of a sum of rows to elements of the dense result. */
static void reduce_row(merge_state *s, const tsr_ir_array *crd, const tsr_ir_array *values, tsr_ir_range r)
{
    const int v = tsr_plan_last(s->plan);
    const tsr_ir_expr *const q = tsr_ir_for(s->ir, "q", r.lo, r.hi, 0);
    if (s->plan->notation->result->vars >> v & 1)
        s->at[v] = tsr_ir_declare(s->ir, s->plan->notation->var[v], tsr_ir_load_index(s->ir, crd, q), false);
    merge_add_to_dense(s, tsr_ir_load_value(s->ir, values, q, lower_type(s->p)));
    tsr_ir_end(s->ir);
}

/* Append the sum of n rows, one of each term, for which room has been reserved; or reduce it. */
static void unite(merge_state *s, const tsr_plan_term *const *term, const merge_walked *of, int n, int k)
{
    const tsr_ir_array *crd = of[0].clip.crds;
    const tsr_ir_array *values = merge_array(s, TSR_PARAM_VALUES, of[0].number, -1);
    const tsr_ir_expr *begin = of[0].q, *end = of[0].end, *first = INDEX(0);
    const bool keeps = keeps_row(s);
    if (n > 2 || keeps)
        first = tsr_ir_declare(s->ir, "first",
                               tsr_ir_mul(s->ir, lower_size(s->p, s->plan->var[k]), s->share.part.t), false);
    for (int i = 1; i < n; i++) {
        const bool is_last = i + 1 == n && !keeps;
        const tsr_ir_array *const list = is_last ? s->out.crd[k] : s->row.united[i % 2];
        const tsr_ir_array *const from[] = {crd, of[i].clip.crds, values,
                                            merge_array(s, TSR_PARAM_VALUES, of[i].number, -1),
                                            is_last ? s->out.values : s->row.united_values[i % 2]};
        const tsr_ir_expr *const range[] = {
            begin, end, of[i].q, of[i].end, i == 1 ? scale(s, term[0]) : NULL, scale(s, term[i])};
        const tsr_ir_expr *const count =
            tsr_ir_unite(s->ir, list, is_last ? s->out.cursor[k] : first, from, range);
        if (is_last) {
            tsr_ir_assign(s->ir, s->out.cursor[k], count, true);
            continue;
        }
        crd = list;
        values = from[4];
        begin = first;
        end = tsr_ir_declare(s->ir, "last", tsr_ir_add(s->ir, first, count), false);
    }
    if (s->plan->sink == TSR_PLAN_DENSE)
        reduce_row(s, crd, values, (tsr_ir_range){first, end});
    else if (keeps)
        merge_meet_row(s, crd, values, first, tsr_ir_sub(s->ir, end, first));
}

/* Open the loop over the rest of a row; returns the state of the access outside the loop. */
static merge_access open_row(merge_state *s, const char *name, const merge_walked *w, int v)
{
    const merge_access outside = s->access[w->number];
    const tsr_ir_expr *const q = tsr_ir_for(s->ir, name, w->q, w->end, 0);
    s->at[v] = tsr_ir_declare(s->ir, s->plan->notation->var[v], merge_load_crd(s, w->clip.list, q), false);
    merge_enter(s, w->number, q);
    return outside;
}

/* List, sort and append the entries of both rows, which are few: a merge would mispredict its last steps. */
static void sort_pair(merge_state *s, const tsr_plan_term *const *pair, const merge_walked *of, int v)
{
    merge_begin_few(s);
    for (int i = 0; i < 2; i++) {
        char name[100];
        merge_level_name(name, sizeof name, s, "q", of[i].number, "");
        const merge_access before = open_row(s, name, &of[i], v);
        merge_contribute(s, pair[i]);
        s->access[of[i].number] = before;
        tsr_ir_end(s->ir);
    }
    merge_end_few(s);
}

/* Append the rest of one of the two rows. */
static void append_rest(merge_state *s, const tsr_plan_term *term, const merge_walked *w, int v)
{
    char name[100];
    snprintf(name, sizeof name, "p%s_rest", s->plan->view[s->plan->access[w->number].view].name);
    const merge_access before = open_row(s, name, w, v);
    merge_append_sum(s, term, NULL, NULL);
    s->access[w->number] = before;
    tsr_ir_end(s->ir);
}

/* Merge two rows while both have entries left, then append the rest of one of them. */
static void merge_pair(merge_state *s, const tsr_plan_term *const *pair, merge_walked *of, int v)
{
    char name[100];
    const merge_access before[2] = {s->access[pair[0]->access[0]], s->access[pair[1]->access[0]]};
    tsr_ir_while(s->ir, OP(AND, OP(LT, of[0].q, of[0].end), OP(LT, of[1].q, of[1].end)));
    for (int i = 0; i < 2; i++) {
        merge_walked *w = &of[i];
        snprintf(name, sizeof name, "%.40s_%.40s", s->plan->notation->var[v],
                 s->plan->view[s->plan->access[w->number].view].name);
        w->crd = tsr_ir_declare(s->ir, name, merge_load_crd(s, w->clip.list, w->q), false);
        merge_enter(s, w->number, w->q);
    }
    s->at[v] = tsr_ir_declare(s->ir, s->plan->notation->var[v], OP(MIN, of[0].crd, of[1].crd), false);
    merge_append_sum(s, pair[0], pair[1], (const tsr_ir_expr *const[]){of[0].crd, of[1].crd});
    for (int i = 0; i < 2; i++)
        tsr_ir_assign(s->ir, of[i].q,
                      tsr_ir_select(s->ir, OP(LE, of[i].crd, of[1 - i].crd), INDEX(1), INDEX(0)), true);
    tsr_ir_end(s->ir);
    for (int i = 0; i < 2; i++)
        s->access[of[i].number] = before[i];
    for (int i = 0; i < 2; i++)
        append_rest(s, pair[i], &of[i], v);
}

void merge_intersect_rows(merge_state *s, int k)
{
    const int *const access = s->plan->term[s->plan->rows.summed[0]].access;
    merge_walked of[2] = {{.number = access[0]}, {.number = access[1]}};
    merge_start_rows(s, of, 2, false);
    const tsr_ir_expr *const most =
        tsr_ir_declare(s->ir, "most", tsr_ir_sub(s->ir, of[0].end, of[0].q), false);
    merge_reserve(s, k, most);
    tsr_ir_if(s->ir, OP(LT, INDEX(0), most)); /* else the lists may have no memory */
    const tsr_ir_array *const from[] = {of[0].clip.crds, of[1].clip.crds,
                                        merge_array(s, TSR_PARAM_VALUES, access[0], -1),
                                        merge_array(s, TSR_PARAM_VALUES, access[1], -1), s->out.values};
    const tsr_ir_expr *const range[] = {of[0].q, of[0].end, of[1].q, of[1].end};
    const tsr_ir_expr *const n = tsr_ir_intersect(s->ir, s->out.crd[k], s->out.cursor[k], from, range);
    tsr_ir_assign(s->ir, s->out.cursor[k], n, true);
    tsr_ir_end(s->ir);
}

void merge_sum_rows(merge_state *s, int k)
{
    const tsr_plan_rows *const sum = &s->plan->rows;
    const tsr_plan_term *term[TSR_PLAN_MAX_SUMMED];
    merge_walked of[TSR_PLAN_MAX_SUMMED] = {{0}};
    const tsr_ir_expr *most = INDEX(0);
    for (int i = 0; i < sum->nsummed; i++) {
        term[i] = &s->plan->term[sum->summed[i]];
        of[i].number = term[i]->access[0];
    }
    merge_start_rows(s, of, sum->nsummed, false);
    for (int i = 0; i < sum->nsummed; i++)
        most = tsr_ir_add(s->ir, most, tsr_ir_sub(s->ir, of[i].end, of[i].q));
    most = tsr_ir_declare(s->ir, "most", most, false);
    if (s->plan->sink == TSR_PLAN_ROWS)
        merge_reserve(s, k, most);
    if (sum->unites) {
        tsr_ir_if(s->ir, OP(LT, INDEX(0), most)); /* else the lists may have no memory */
        unite(s, term, of, sum->nsummed, k);
        tsr_ir_end(s->ir);
        return;
    }
    if (!sum->lists || s->pass == MERGE_PASS_COUNT || s->pass == MERGE_PASS_VALUES) {
        merge_pair(s, term, of, s->plan->var[k]);
        return;
    }
    tsr_ir_if(s->ir, OP(LE, most, INDEX(sum->listed)));
    sort_pair(s, term, of, s->plan->var[k]);
    tsr_ir_else(s->ir);
    merge_pair(s, term, of, s->plan->var[k]);
    tsr_ir_end(s->ir);
}

/* ---- products ---- */

bool merge_matrix_is_unordered(const merge_state *s)
{
    const tsr_plan_rows *const rows = &s->plan->rows;
    return rows->multiplies && s->plan->view[s->plan->access[rows->matrix].view].unordered;
}

/* Emit the statement that adds to `falls` the number of coordinates in rows [begin, end) of tensor t that are not above the one before
 * in the row. */
static void count_falls(merge_state *s, int t, const tsr_ir_expr *falls, const tsr_ir_expr *begin,
                        const tsr_ir_expr *end)
{
    const tsr_ir_array *const pos = lower_array_param(s->p, TSR_PARAM_POS, t, 1);
    const tsr_ir_array *const crd = lower_array_param(s->p, TSR_PARAM_CRD, t, 1);
    const tsr_ir_expr *const k = tsr_ir_for(s->ir, "k", begin, end, 0);
    const tsr_ir_expr *const first = tsr_ir_add(s->ir, tsr_ir_load_index(s->ir, pos, k), INDEX(1));
    const tsr_ir_expr *const last = tsr_ir_load_index(s->ir, pos, tsr_ir_add(s->ir, k, INDEX(1)));
    const tsr_ir_expr *const q = tsr_ir_for(s->ir, "q", first, last, 0);
    const tsr_ir_expr *const before = tsr_ir_load_index(s->ir, crd, tsr_ir_sub(s->ir, q, INDEX(1)));
    const tsr_ir_expr *const is_fall = OP(LE, tsr_ir_load_index(s->ir, crd, q), before);
    tsr_ir_assign(s->ir, falls, tsr_ir_select(s->ir, is_fall, INDEX(1), INDEX(0)), true);
    tsr_ir_end(s->ir);
    tsr_ir_end(s->ir);
}

/* The test takes a step for each entry of the matrix, so it is left out where the products are fewer. */
void merge_find_rises(merge_state *s, bool threaded)
{
    if (!merge_matrix_is_unordered(s) || !s->share.products)
        return;
    const int t = merge_tensor(s, s->plan->rows.matrix);
    const tsr_ir_expr *const nrows = lower_level_size(s->p, t, 0, -1);
    const tsr_ir_expr *const n = lower_nthreads(s->p, threaded);
    const tsr_ir_array *const falls = tsr_ir_index_array_new(s->ir, "falls", TSR_U64, TSR_IR_HEAP, n, true);
    const tsr_ir_expr *const rises = tsr_ir_declare(s->ir, "rises", OP(LT, INDEX(0), INDEX(0)), true);
    const tsr_ir_expr *const products =
        tsr_ir_load_index(s->ir, s->share.products, lower_size(s->p, s->plan->var[0]));
    const tsr_ir_expr *const nstored =
        tsr_ir_load_index(s->ir, lower_array_param(s->p, TSR_PARAM_POS, t, 1), nrows);
    tsr_ir_if(s->ir, OP(LE, nstored, products));
    lower_open_threads(s->p, &s->share.part, threaded);
    const tsr_ir_range own = lower_cut(s->p, &s->share.part, "", nrows);
    const tsr_ir_expr *const sum = tsr_ir_declare(s->ir, "n", INDEX(0), true);
    count_falls(s, t, sum, own.lo, own.hi);
    tsr_ir_store(s->ir, falls, s->share.part.t, sum, false, false);
    if (threaded)
        tsr_ir_end(s->ir);
    tsr_ir_assign(s->ir, rises, OP(EQ, INDEX(0), INDEX(0)), false);
    const tsr_ir_expr *const i = tsr_ir_for(s->ir, "t", INDEX(0), n, 0);
    tsr_ir_assign(s->ir, rises, OP(AND, rises, OP(EQ, tsr_ir_load_index(s->ir, falls, i), INDEX(0))), false);
    tsr_ir_end(s->ir);
    tsr_ir_end(s->ir);
    s->row.rises = rises;
}

bool merge_multiplies_whole(const merge_state *s)
{
    return s->plan->rows.is_whole && s->pass == MERGE_PASS_APPEND;
}

void merge_multiply(merge_state *s, int k)
{
    const int row = s->plan->rows.row, matrix = s->plan->rows.matrix;
    const bool values_only = s->pass == MERGE_PASS_VALUES, is_whole = merge_multiplies_whole(s);
    const tsr_ir_array *list = s->out.crd[k], *sums = s->out.values;
    if (values_only) { /* the row goes to local arrays first: it may have more entries than the result */
        list = tsr_ir_index_array_new(s->ir, "row_crd", result_elem(s), TSR_IR_LOCAL, INDEX(TSR_IR_NARROW),
                                      false);
        sums = tsr_ir_array_new(s->ir, "row", TSR_F64, TSR_IR_LOCAL, INDEX(TSR_IR_NARROW), false);
    }
    const tsr_ir_array *const from[] = {merge_array(s, TSR_PARAM_CRD, row, 1),
                                        merge_array(s, TSR_PARAM_CRD, matrix, 1),
                                        merge_array(s, TSR_PARAM_VALUES, row, -1),
                                        merge_array(s, TSR_PARAM_VALUES, matrix, -1),
                                        sums,
                                        merge_array(s, TSR_PARAM_POS, matrix, 1),
                                        is_whole ? s->work.array : NULL,
                                        is_whole ? s->work.mark : NULL,
                                        is_whole ? s->work.list : NULL};
    const tsr_ir_array *const pos = merge_array(s, TSR_PARAM_POS, row, 1);
    const tsr_ir_expr *const span = tsr_ir_sub(s->ir, s->row.end, s->row.begin), *const at =
                                                                                     s->access[row].pos;
    const tsr_ir_expr *is_narrow = tsr_ir_op2(s->ir, TSR_IR_LE, span, INDEX(TSR_IR_NARROW));
    is_narrow = s->row.rises ? tsr_ir_op2(s->ir, TSR_IR_AND, s->row.rises, is_narrow) : is_narrow;
    if (!is_whole)
        tsr_ir_if(s->ir, is_narrow);
    const tsr_ir_expr *const range[] = {tsr_ir_load_index(s->ir, pos, at),
                                        tsr_ir_load_index(s->ir, pos, tsr_ir_add(s->ir, at, INDEX(1))),
                                        s->row.begin,
                                        s->row.end,
                                        is_whole ? s->work.first : NULL,
                                        is_whole ? s->row.most : NULL,
                                        is_whole ? INDEX(s->plan->rows.marked) : NULL,
                                        is_whole ? INDEX(s->plan->rows.listed) : NULL};
    if (!is_whole)
        tsr_ir_if(s->ir, tsr_ir_op2(s->ir, TSR_IR_LT, INDEX(0),
                                    s->row.most)); /* else the lists may have no memory */
    const tsr_ir_expr *const n =
        tsr_ir_multiply(s->ir, list, values_only ? INDEX(0) : s->out.cursor[k], from, range);
    if (values_only)
        merge_meet_row(s, list, sums, INDEX(0), n);
    else
        tsr_ir_assign(s->ir, s->out.cursor[k], n, true);
    if (!is_whole)
        tsr_ir_end(s->ir);
}
