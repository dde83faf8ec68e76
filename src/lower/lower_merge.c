/* The program of a plan. A sparse result is made in two passes over the same loops: the first pass counts
 * the elements that each thread will append to each array, then the arrays are allocated, and the second pass
 * writes the part of each thread into its place. So the result has the same bytes for any number of
 * threads. */
#include "lower_merge.h"

#include <string.h>

#include "tsr_alloc.h"
#include "tsr_checked.h"

#define INDEX(c) tsr_ir_index(s->ir, (c))
#define OP(op, x, y) tsr_ir_op2(s->ir, TSR_IR_##op, (x), (y))

int merge_tensor(const tsr_plan *plan, int view)
{
    return plan->view[view].copy ? plan->notation->ntensors + view : plan->view[view].tensor;
}

const tsr_ir_expr *merge_size(merge_state *s, int var)
{
    return lower_size(s->p, var);
}

static const tsr_ir_expr *nthreads(merge_state *s)
{
    return lower_index_param(s->p, TSR_PARAM_NTHREADS, -1, -1, -1);
}

/* Reset the state that the loops of the previous pass left. */
static void start_pass(merge_state *s, bool counts)
{
    for (int a = 0; a < s->plan->naccesses; a++)
        s->access[a] = (merge_access){.pos = INDEX(0)};
    s->counts = counts;
    s->lo = s->hi = NULL;
}

/* The work before coordinate q of a row variable: q rows, and the entries in them of an operand whose first
 * level is dense over this variable. */
typedef struct row_weight {
    const tsr_ir_array *pos; /* of that operand's second level; NULL: rows alone count */
} row_weight;

static const tsr_ir_expr *weigh(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const row_weight *w = arg;
    return tsr_ir_add(ir, tsr_ir_load_index(ir, w->pos, q), q);
}

/* pos of the second level of an operand whose first level is dense over v; NULL: there is not such an
 * operand. */
static const tsr_ir_array *find_rows(merge_state *s, int v)
{
    for (int a = 0; a < s->plan->naccesses; a++) {
        const tsr_plan_access *access = &s->plan->access[a];
        const tsr_plan_view *view = &s->plan->view[access->view];
        if (view->nlevels > 1 && view->full[0] && !view->full[1] && access->expr->index[view->mode[0]] == v)
            return lower_array_param(s->p, TSR_PARAM_POS, merge_tensor(s->plan, access->view), 1);
    }
    return NULL;
}

/* The first coordinate of the share of thread t. */
static const tsr_ir_expr *cut(merge_state *s, const row_weight *w, const char *name, const tsr_ir_expr *size,
                              const tsr_ir_expr *t)
{
    if (!w->pos) { /* size * t may be over 2^63 */
        const tsr_ir_expr *whole = tsr_ir_mul(s->ir, OP(FLOORDIV, size, s->nshares), t);
        const tsr_ir_expr *rest = OP(MIN, t, OP(MOD, size, s->nshares));
        return tsr_ir_declare(s->ir, name, tsr_ir_add(s->ir, whole, rest), false);
    }
    const tsr_ir_expr *all = tsr_ir_add(s->ir, tsr_ir_load_index(s->ir, w->pos, size), size);
    const tsr_ir_expr *target = OP(FLOORDIV, tsr_ir_mul(s->ir, all, t), s->nshares);
    return tsr_ir_search(s->ir, name, INDEX(0), size, target, weigh, (void *)(uintptr_t)w);
}

/* Set lo and hi to the thread's share of the coordinates of variable v. The shares have equal work where the
 * pos array of an operand tells it, else equal length. */
static void share(merge_state *s, int v)
{
    const row_weight w = {find_rows(s, v)};
    const tsr_ir_expr *size = merge_size(s, v);
    s->lo = cut(s, &w, "begin", size, s->t);
    s->hi = cut(s, &w, "end", size, tsr_ir_add(s->ir, s->t, INDEX(1)));
}

/* Open the loop over threads where the program is threaded. */
static void open_threads(merge_state *s, bool threaded)
{
    s->nshares = threaded ? nthreads(s) : INDEX(1);
    s->t = threaded ? tsr_ir_for(s->ir, "t", INDEX(0), s->nshares, TSR_IR_PARALLEL) : INDEX(0);
}

static void close_threads(merge_state *s, bool threaded)
{
    if (threaded)
        tsr_ir_end(s->ir);
}

static bool is_serial(const merge_state *s)
{
    return s->p->graph->schedule.serial;
}

/* ---- a dense result ---- */

/* Set the cells of the result one by one: padding stays 0. */
static void fill_cells(merge_state *s, const tsr_ir_expr *value)
{
    const tsr_notation *notation = s->plan->notation;
    for (int v = 0; v < notation->nfree; v++)
        s->at[v] = tsr_ir_for(s->ir, notation->var[v], INDEX(0), merge_size(s, v), 0);
    const tsr_ir_expr *place = lower_place(s->p, notation->result, 0, INDEX(0), s->at);
    tsr_ir_store(s->ir, s->values, place, value, false, false);
    for (int v = 0; v < notation->nfree; v++)
        tsr_ir_end(s->ir);
}

/* Set all elements of a dense result to the semiring's value of absent entries. */
static void set_to_zero(merge_state *s)
{
    const tsr_plan *plan = s->plan;
    const tsr_ir_expr *n = lower_npositions(s->p, plan->notation->result, 0, INDEX(1));
    const tsr_ir_expr *zero = tsr_ir_value(s->ir, merge_type(s), plan->ring->fill);
    if (plan->nresult == 0) {
        tsr_ir_store(s->ir, s->values, INDEX(0), zero, false, false);
        return;
    }
    if (plan->ring->fill != 0 && s->p->graph->operands[0].binding->may_pad) {
        fill_cells(s, zero);
        return;
    }
    const tsr_ir_expr *q = tsr_ir_for(s->ir, "q", INDEX(0), n, TSR_IR_VECTOR);
    tsr_ir_store(s->ir, s->values, q, zero, false, false);
    tsr_ir_end(s->ir);
}

/* Threads share a term where its outermost loop is over a variable of the result: then each element belongs
 * to one thread. */
static void emit_dense(merge_state *s)
{
    const tsr_plan *plan = s->plan;
    s->values = lower_array_param(s->p, TSR_PARAM_VALUES, 0, -1);
    if (!plan->notation->accumulate)
        set_to_zero(s);
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_plan_term *term = &plan->term[i];
        const bool threaded = !is_serial(s) && term->nvars > 0 && lower_is_free(s->p->graph, term->order[0]);
        if (term->empty)
            continue;
        open_threads(s, threaded);
        start_pass(s, false);
        if (threaded)
            share(s, term->order[0]);
        merge_nest(s, term, 0);
        close_threads(s, threaded);
    }
}

/* ---- counts ---- */

/* Replace each count in counts[from, to) by the sum of the counts before it, which is the place where the
 * thread's part begins; returns the sum of all. */
static const tsr_ir_expr *add_up(merge_state *s, const tsr_ir_array *counts, const tsr_ir_expr *from,
                                 const tsr_ir_expr *to, const char *name)
{
    const tsr_ir_expr *total = tsr_ir_declare(s->ir, name, INDEX(0), true);
    const tsr_ir_expr *q = tsr_ir_for(s->ir, "q", from, to, 0);
    const tsr_ir_expr *n = tsr_ir_declare(s->ir, "n", tsr_ir_load_index(s->ir, counts, q), false);
    tsr_ir_store(s->ir, counts, q, total, false, false);
    tsr_ir_assign(s->ir, total, n, true);
    tsr_ir_end(s->ir);
    return total;
}

/* n rows of counts, each with one count per thread: count k of thread t is element [k * nshares + t]. */
static const tsr_ir_array *new_counts(merge_state *s, int n, bool threaded)
{
    const tsr_ir_expr *shares = threaded ? nthreads(s) : INDEX(1);
    return tsr_ir_index_array_new(s->ir, "counts", TSR_U64, TSR_IR_HEAP, tsr_ir_mul(s->ir, INDEX(n), shares),
                                  true);
}

static const tsr_ir_expr *count_place(merge_state *s, int k)
{
    return tsr_ir_add(s->ir, tsr_ir_mul(s->ir, INDEX(k), s->nshares), s->t);
}

/* ---- a list ---- */

static void list_terms(merge_state *s, const tsr_ir_array *counts, bool counting, bool threaded)
{
    const tsr_plan *plan = s->plan;
    open_threads(s, threaded);
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_plan_term *term = &plan->term[i];
        if (term->empty)
            continue;
        start_pass(s, counting);
        if (threaded && term->nvars > 0)
            share(s, term->order[0]);
        const tsr_ir_expr *at = count_place(s, i);
        s->cursor[0] =
            tsr_ir_declare(s->ir, "at", counting ? INDEX(0) : tsr_ir_load_index(s->ir, counts, at), true);
        /* the first thread computes a term without loops */
        const bool is_point = threaded && term->nvars == 0;
        if (is_point)
            tsr_ir_if(s->ir, OP(EQ, s->t, INDEX(0)));
        merge_nest(s, term, 0);
        if (is_point)
            tsr_ir_end(s->ir);
        if (counting)
            tsr_ir_store(s->ir, counts, at, s->cursor[0], false, false);
    }
    close_threads(s, threaded);
}

static void emit_list(merge_state *s)
{
    const tsr_plan *plan = s->plan;
    const bool threaded = !is_serial(s);
    for (int m = 0; m < plan->nresult; m++)
        s->crd[m] = lower_array_param(s->p, TSR_PARAM_OUT_CRD, 0, m);
    s->values = lower_array_param(s->p, TSR_PARAM_OUT_VALUES, 0, -1);
    const tsr_ir_array *counts = new_counts(s, plan->nterms, threaded);
    list_terms(s, counts, true, threaded);
    const tsr_ir_expr *all = tsr_ir_mul(s->ir, INDEX(plan->nterms), threaded ? nthreads(s) : INDEX(1));
    const tsr_ir_expr *n = add_up(s, counts, INDEX(0), all, "n");
    for (int m = 0; m < plan->nresult; m++)
        tsr_ir_output_new(s->ir, s->crd[m], n, false);
    tsr_ir_output_new(s->ir, s->values, n, false);
    list_terms(s, counts, false, threaded);
}

/* ---- rows ---- */

/* The workspace of all threads: values, the number of the row that wrote each value (mark), and the list of
 * the keys of a row. */
static void new_workspace(merge_state *s, bool threaded)
{
    const tsr_plan *plan = s->plan;
    const tsr_ir_expr *n = INDEX(1);
    double span = 1, rows = 1;
    for (int k = plan->nouter; k < plan->nresult; k++) {
        n = tsr_ir_mul(s->ir, n, merge_size(s, plan->var[k]));
        span *= (double)plan->size[plan->var[k]];
    }
    for (int k = 0; k < plan->nouter; k++)
        rows *= (double)plan->size[plan->var[k]];
    s->span = n && n->op != TSR_IR_INDEX && n->op != TSR_IR_VAR ? tsr_ir_declare(s->ir, "span", n, false) : n;
    n = tsr_ir_mul(s->ir, s->span, threaded ? nthreads(s) : INDEX(1));
    s->work = tsr_ir_array_new(s->ir, "work", s->p->graph->type, TSR_IR_HEAP, n, false);
    s->mark = tsr_ir_index_array_new(s->ir, "mark", rows < 0x1p31 ? TSR_U32 : TSR_U64, TSR_IR_HEAP, n, true);
    s->list = tsr_ir_index_array_new(s->ir, "list", span < 0x1p31 ? TSR_U32 : TSR_U64, TSR_IR_HEAP, n, false);
}

static void start_cursors(merge_state *s, const tsr_ir_array *counts)
{
    for (int k = s->plan->ndense; k < s->plan->nresult; k++) {
        const tsr_ir_expr *from = INDEX(0);
        if (!s->counts)
            from = tsr_ir_load_index(s->ir, counts, count_place(s, k - s->plan->ndense));
        char name[32] = "n0";
        name[1] = (char)('1' + k % 9);
        s->cursor[k] = tsr_ir_declare(s->ir, name, from, true);
    }
}

/* One pass over the rows. */
static void assemble(merge_state *s, const tsr_ir_array *counts, bool counting, bool threaded)
{
    const tsr_plan *plan = s->plan;
    open_threads(s, threaded);
    start_pass(s, counting);
    if (threaded)
        share(s, plan->var[0]);
    start_cursors(s, counts);
    if (s->work) {
        s->first = tsr_ir_mul(s->ir, s->span, s->t);
        if (s->first && s->first->op != TSR_IR_INDEX && s->first->op != TSR_IR_VAR)
            s->first = tsr_ir_declare(s->ir, "part", s->first, false);
        if (!counting) { /* clear the marks of the first pass */
            const tsr_ir_expr *q = tsr_ir_for(s->ir, "q", INDEX(0), s->span, 0);
            tsr_ir_store(s->ir, s->mark, tsr_ir_add(s->ir, s->first, q), INDEX(0), false, false);
            tsr_ir_end(s->ir);
        }
        s->generation = tsr_ir_declare(s->ir, "row", INDEX(0), true);
    }
    merge_outer(s, 0);
    for (int k = plan->ndense; k < plan->nresult && counting; k++)
        tsr_ir_store(s->ir, counts, count_place(s, k - plan->ndense), s->cursor[k], false, false);
    close_threads(s, threaded);
}

/* Allocate pos, crd and values, with total[k] entries in level k, and set the first element of each pos to
 * 0. */
static void new_levels(merge_state *s, const tsr_ir_expr *const *total)
{
    const tsr_plan *plan = s->plan;
    const tsr_ir_expr *nparents = INDEX(1);
    for (int k = 0; k < plan->ndense; k++)
        nparents = tsr_ir_mul(s->ir, nparents, merge_size(s, plan->var[k]));
    for (int k = plan->ndense; k < plan->nresult; k++) {
        tsr_ir_output_new(s->ir, s->pos[k], tsr_ir_add(s->ir, nparents, INDEX(1)), false);
        tsr_ir_store(s->ir, s->pos[k], INDEX(0), INDEX(0), false, false);
        tsr_ir_output_new(s->ir, s->crd[k], total[k], false);
        nparents = total[k];
    }
    tsr_ir_output_new(s->ir, s->values, total[plan->nresult - 1], false);
    if (plan->ndense == 0)
        tsr_ir_store(s->ir, s->pos[0], INDEX(1), total[0], false, false);
}

static void emit_rows(merge_state *s)
{
    const tsr_plan *plan = s->plan;
    const bool threaded = !is_serial(s) && plan->nouter > 0;
    const tsr_ir_expr *total[TSR_MAX_ORDER];
    for (int k = plan->ndense; k < plan->nresult; k++) {
        s->pos[k] = lower_array_param(s->p, TSR_PARAM_OUT_POS, 0, k);
        s->crd[k] = lower_array_param(s->p, TSR_PARAM_OUT_CRD, 0, k);
    }
    s->values = lower_array_param(s->p, TSR_PARAM_OUT_VALUES, 0, -1);
    if (plan->nouter < plan->nresult)
        new_workspace(s, threaded);
    const tsr_ir_array *counts = new_counts(s, plan->nresult - plan->ndense, threaded);
    tsr_ir_comment(s->ir, "count the entries of each level");
    assemble(s, counts, true, threaded);
    const tsr_ir_expr *shares = threaded ? nthreads(s) : INDEX(1);
    for (int k = plan->ndense; k < plan->nresult; k++) {
        char name[32] = "total0";
        name[5] = (char)('1' + k % 9);
        total[k] = add_up(s, counts, tsr_ir_mul(s->ir, INDEX(k - plan->ndense), shares),
                          tsr_ir_mul(s->ir, INDEX(k - plan->ndense + 1), shares), name);
    }
    new_levels(s, total);
    tsr_ir_comment(s->ir, "write them");
    assemble(s, counts, false, threaded);
}

void merge_emit(lower_program *p, const tsr_plan *plan)
{
    merge_state *s = tsr_calloc(1, sizeof *s);
    if (!s) {
        p->failed = true;
        return;
    }
    s->p = p;
    s->ir = p->ir;
    s->plan = plan;
    if (plan->sink == TSR_PLAN_DENSE)
        emit_dense(s);
    else if (plan->sink == TSR_PLAN_LIST)
        emit_list(s);
    else
        emit_rows(s);
    tsr_free(s);
}
