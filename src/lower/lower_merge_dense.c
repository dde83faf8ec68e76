/* A dense result: it is set to the value of absent entries, then each term is a nest of loops that adds to its elements. The plan
 * says how threads share a term. */
#include "lower_merge.h"

enum {
    COPY_MULTIPLE = 64,     /* of the elements of a copy: no cache line has elements of two threads */
    MANY_ELEMENTS = 1 << 16 /* that all threads set together */
};

/* Set the cells of the result one by one: padding stays 0. */
static void fill_cells(merge_state *s, const tsr_ir_expr *value)
{
    const tsr_ir_expr *at[TSR_NOTATION_MAX_VARS];
    tsr_mode_window whole[TSR_MAX_ORDER];
    tsr_expr cell =
        *s->plan->notation->result; /* with a variable for each mode, which goes through all of it */
    cell.window = whole;
    for (int m = 0; m < cell.nindices; m++) {
        const uint64_t dim = s->p->operands[0].binding->dims[m];
        cell.index[m] = m;
        whole[m] = (tsr_mode_window){.n = dim, .behind = dim, .step = 1};
        at[m] = tsr_ir_for(s->ir, s->plan->notation->var[s->plan->notation->result->index[m]], INDEX(0),
                           INDEX((int64_t)dim), 0);
    }
    tsr_ir_store(s->ir, s->dense.array, lower_place(s->p, &cell, 0, INDEX(0), at), value, false, false);
    for (int m = 0; m < cell.nindices; m++)
        tsr_ir_end(s->ir);
}

/* Set all elements of a dense result to the semiring's value of absent entries. */
static void set_to_zero(merge_state *s)
{
    double n = 1;
    for (int m = 0; m < s->plan->nresult; m++)
        n *= (double)s->p->operands[0].binding->dims[m];
    const bool threaded = !s->plan->schedule.serial && n >= (double)MANY_ELEMENTS;
    if (s->plan->ring->fill != 0 && s->p->operands[0].binding->may_pad)
        fill_cells(s, lower_absent(s->p));
    else
        lower_fill_result(s->p, lower_absent(s->p), threaded);
}

/* Whether each cell of the result gets one value, of the only term: then it is stored, and nothing is set before. */
static bool sets_cells(const merge_state *s)
{
    const tsr_plan *const plan = s->plan;
    const tsr_plan_term *const term = &plan->term[0];
    const tsr_expr *const result = plan->notation->result;
    uint32_t vars = 0;
    for (int m = 0; m < result->nindices; m++)
        vars |= UINT32_C(1) << result->index[m];
    return plan->nterms == 1 && plan->nouter == 0 && plan->ring->add == TSR_COMBINE_ADD &&
           !plan->notation->accumulate && !term->empty && !term->nest &&
           term->naccesses + term->nmasks + term->nbands == 0 && result->nindices > 0 &&
           term->nvars == result->nindices && !(term->term->vars & ~vars) &&
           !tsr_expr_has_window(result, false) && !s->p->operands[0].binding->may_pad;
}

void merge_point(merge_state *s)
{
    const tsr_ir_expr *const sum = tsr_ir_declare(s->ir, "sum", merge_neutral(s), true);
    s->work.any = tsr_ir_declare(s->ir, "any", tsr_ir_bool(s->ir, false), true);
    s->work.point = sum;
    merge_terms(s);
    s->work.point = NULL;
    tsr_ir_if(s->ir, s->work.any);
    merge_add_to_dense(s, sum);
    tsr_ir_end(s->ir);
}

/* The loops of the term; of all terms, where their sum is reduced. */
static void emit_loops(merge_state *s, const tsr_plan_term *term)
{
    if (s->plan->nouter > 0)
        merge_points(s, 0);
    else
        merge_in_blocks(s, term, 0);
}

/* ---- sums in parts ---- */

/* Open the loop over threads, and that over the shares of a thread. A deterministic program has the same shares for any
 * number of threads: a thread takes some of them. Returns the number of shares. */
static const tsr_ir_expr *open_shares(merge_state *s)
{
    const bool is_fixed = s->plan->schedule.deterministic;
    const tsr_ir_expr *const n = is_fixed ? INDEX(TSR_DETERMINISTIC_NTHREADS) : lower_nthreads(s->p);
    merge_open_threads(s, true);
    if (!is_fixed)
        return n;
    const tsr_ir_expr *const next = tsr_ir_mul(s->ir, n, tsr_ir_add(s->ir, s->share.t, INDEX(1)));
    s->share.number =
        tsr_ir_for(s->ir, "share", OP(FLOORDIV, tsr_ir_mul(s->ir, n, s->share.t), s->share.nthreads),
                   OP(FLOORDIV, next, s->share.nthreads), 0);
    s->share.nshares = n;
    return n;
}

static void close_shares(merge_state *s)
{
    if (s->plan->schedule.deterministic)
        tsr_ir_end(s->ir);
    merge_close_threads(s, true);
}

static const tsr_ir_expr *count_shares(merge_state *s)
{
    return s->plan->schedule.deterministic ? INDEX(TSR_DETERMINISTIC_NTHREADS) : lower_nthreads(s->p);
}

/* Compute a scalar result: each share has a sum, and the sums are added in the order of the shares. */
static void sum_by_shares(merge_state *s, const tsr_plan_term *term)
{
    const tsr_ir_expr *const n = count_shares(s);
    const tsr_ir_array *const sums = tsr_ir_array_new(s->ir, "sums", s->p->type, TSR_IR_HEAP, n, false);
    open_shares(s);
    merge_start_pass(s);
    merge_share(s, &term->cut, term->order[0]);
    s->work.sum = tsr_ir_declare(s->ir, "sum", lower_absent(s->p), true);
    emit_loops(s, term);
    tsr_ir_store(s->ir, sums, s->share.number, s->work.sum, false, false);
    close_shares(s);
    s->work.sum = NULL;
    const tsr_ir_expr *const i = tsr_ir_for(s->ir, "t", INDEX(0), n, 0);
    lower_add_to(s->p, s->dense.array, INDEX(0), tsr_ir_load_value(s->ir, sums, i, lower_type(s->p)));
    tsr_ir_end(s->ir);
}

/* Each share adds to a copy of the result. */
static void add_by_copies(merge_state *s, const tsr_plan_term *term)
{
    const lower_sink sink = s->dense;
    const tsr_ir_expr *const n = lower_result_npositions(s->p);
    const tsr_ir_expr *const lines = tsr_ir_add(s->ir, n, INDEX(COPY_MULTIPLE - 1));
    lower_copies copies = {.n = count_shares(s)};
    copies.length = tsr_ir_declare(
        s->ir, "length", tsr_ir_mul(s->ir, OP(FLOORDIV, lines, INDEX(COPY_MULTIPLE)), INDEX(COPY_MULTIPLE)),
        false);
    copies.array = tsr_ir_array_new(s->ir, "copies", s->p->type, TSR_IR_HEAP,
                                    tsr_ir_mul(s->ir, copies.length, copies.n), false);
    open_shares(s);
    merge_start_pass(s);
    s->dense.offset = tsr_ir_declare(s->ir, "copy", tsr_ir_mul(s->ir, s->share.number, copies.length), false);
    lower_fill(s->p, copies.array, s->dense.offset, (tsr_ir_range){INDEX(0), n}, lower_absent(s->p));
    s->dense.array = copies.array;
    merge_share(s, &term->cut, term->order[0]);
    emit_loops(s, term);
    close_shares(s);
    s->dense = sink;
    lower_add_copies(s->p, &copies, true);
}

static void emit_term(merge_state *s, const tsr_plan_term *term)
{
    const bool threaded = term->sharing != TSR_SHARE_AUTO;
    if (term->sharing == TSR_SHARE_PRIVATE) {
        if (s->plan->nresult == 0)
            sum_by_shares(s, term);
        else
            add_by_copies(s, term);
        return;
    }
    s->dense.atomic = term->sharing == TSR_SHARE_ATOMIC;
    merge_open_threads(s, threaded);
    merge_start_pass(s);
    if (threaded)
        merge_share(s, &term->cut, term->order[0]);
    emit_loops(s, term);
    merge_close_threads(s, threaded);
    s->dense.atomic = false;
}

void merge_emit_dense(merge_state *s)
{
    const tsr_plan *plan = s->plan;
    s->out.values = lower_array_param(s->p, TSR_PARAM_VALUES, 0, -1);
    s->dense = (lower_sink){.array = s->out.values, .add = !sets_cells(s)};
    if (!plan->notation->accumulate && plan->walk.pattern_tensor < 0 && s->dense.add)
        set_to_zero(s);
    merge_new_places(s, !s->plan->schedule.serial);
    merge_new_united(s, !s->plan->schedule.serial);
    for (int i = 0; i < (plan->nouter > 0 ? 1 : plan->nterms); i++)
        if (plan->term[i].nest)
            lower_emit_nest(s->p, plan->term[i].nest, true);
        else if (!plan->term[i].empty)
            emit_term(s, &plan->term[i]);
}
