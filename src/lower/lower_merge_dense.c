/* A dense result: it is set to the value of absent entries, then each term is a nest of loops that adds to its elements. The plan
 * says how threads share a term. */
#include "lower_merge.h"

enum { MANY_ELEMENTS = 1 << 16 /* that all threads set together */ };

/* Set all elements of a dense result to the semiring's value of absent entries. */
static void set_to_zero(merge_state *s)
{
    double n = 1;
    bool threaded = false;
    for (int m = 0; m < s->plan->nresult; m++)
        n *= (double)s->p->operands[0].binding->dims[m];
    for (int i = 0; i < s->plan->nterms; i++)
        threaded = threaded || (tsr_plan_share_of(s->plan, &s->plan->term[i])->cut && n >= MANY_ELEMENTS);
    lower_clear_result(s->p, threaded);
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
           term->nest->share.sharing != TSR_SHARE_ATOMIC && !term->empty && !term->walks &&
           term->naccesses + term->nmasks + term->nbands == 0 && result->nindices > 0 &&
           term->nvars == result->nindices && !(term->term->vars & ~vars) &&
           !tsr_expr_has_window(result, false) && !s->p->operands[0].binding->may_pad;
}

/* Whether the copies of the first term set the result; they would also set padding. */
static bool is_set_by_copies(const tsr_plan *plan, bool may_pad)
{
    return plan->nterms > 0 && !plan->term[0].empty && !(plan->ring->fill != 0 && may_pad) &&
           tsr_plan_share_of(plan, &plan->term[0])->sharing == TSR_SHARE_PRIVATE;
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

/* ---- terms ---- */

/* The loops of a term, or of all terms. */
typedef struct merge_loops {
    merge_state *s;
    const tsr_plan_term *term;
} merge_loops;

static tsr_ir_range begin(void *arg, const lower_part *part)
{
    const merge_loops *const loops = arg;
    merge_state *const s = loops->s;
    const tsr_plan_share *const share = tsr_plan_share_of(s->plan, loops->term);
    s->share.part = *part;
    merge_start_pass(s);
    if (share->cut)
        merge_share(s, share);
    return (tsr_ir_range){NULL, NULL};
}

/* A sum for a copy of one element stays in a variable. */
static void emit(void *arg, const lower_sink *sink)
{
    const merge_loops *const loops = arg;
    merge_state *const s = loops->s;
    const bool is_scalar = s->plan->nresult == 0 && sink->offset;
    s->dense = *sink;
    s->work.sum = is_scalar ? tsr_ir_declare(s->ir, "sum", lower_absent(s->p), true) : NULL;
    if (s->plan->nouter > 0)
        merge_points(s, 0);
    else
        merge_in_blocks(s, loops->term);
    if (is_scalar)
        tsr_ir_store(s->ir, sink->array, sink->offset, s->work.sum, false, false);
    s->work.sum = NULL;
}

void merge_emit_dense(merge_state *s)
{
    const tsr_plan *const plan = s->plan;
    const bool threaded = !tsr_plan_is_serial(plan),
               sets = !plan->notation->accumulate && plan->walk.pattern_tensor < 0;
    s->out.values = lower_array_param(s->p, TSR_PARAM_VALUES, 0, -1);
    lower_sink result = {.array = s->out.values, .add = true};
    s->dense = result;
    if (sets && (sets_cells(s) || is_set_by_copies(plan, s->p->operands[0].binding->may_pad)))
        result.add = false;
    else if (sets)
        set_to_zero(s);
    merge_new_places(s, threaded);
    merge_new_united(s, threaded);
    for (int i = 0; i < (plan->nouter > 0 ? 1 : plan->nterms); i++) {
        merge_loops loops = {.s = s, .term = &plan->term[i]};
        const lower_loops of = {
            .share = tsr_plan_share_of(plan, loops.term), .begin = begin, .emit = emit, .arg = &loops};
        if (loops.term->walks)
            lower_emit_nest(s->p, loops.term->nest, &result);
        else if (!loops.term->empty)
            lower_emit_shared(s->p, &of, &result);
        result.add = true;
    }
}
