/* A sparse result as a list of entries, which is sorted, summed and packed after the program has run. Each thread gives one piece
 * for each term. */
#include "lower_merge.h"
#include "lower_term.h"

/* Make a part of each array for the thread. */
static void new_list_parts(merge_state *s)
{
    for (int m = 0; m < s->plan->nresult; m++)
        s->out.crd[m] = tsr_ir_part_new(s->ir, s->out.result_crd[m], s->share.part.t);
    s->out.values = tsr_ir_part_new(s->ir, s->out.result_values, s->share.part.t);
}

static void give_list_parts(merge_state *s, const tsr_ir_expr *piece)
{
    for (int m = 0; m < s->plan->nresult; m++)
        tsr_ir_give(s->ir, s->out.crd[m], INDEX(0), s->out.cursor[0], piece);
    tsr_ir_give(s->ir, s->out.values, INDEX(0), s->out.cursor[0], piece);
}

/* Each thread gives one piece for each term. */
static void list_terms(merge_state *s, bool threaded)
{
    const tsr_plan *plan = s->plan;
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_plan_term *term = &plan->term[i];
        lower_open_threads(s->p, &s->share.part, threaded);
        merge_start_share(s, threaded && term->nvars > 0 ? &term->nest->share : NULL);
        new_list_parts(s);
        s->out.cursor[0] = tsr_ir_declare(s->ir, "n", INDEX(0), true);
        /* the first thread computes a term without loops */
        const bool is_point = threaded && term->nvars == 0;
        if (is_point)
            tsr_ir_if(s->ir, OP(EQ, s->share.part.t, INDEX(0)));
        if (!term->empty)
            lower_emit_merged(s, term);
        if (is_point)
            tsr_ir_end(s->ir);
        give_list_parts(
            s, tsr_ir_add(s->ir, tsr_ir_mul(s->ir, INDEX(i), s->share.part.nshares), s->share.part.t));
        if (threaded)
            tsr_ir_end(s->ir);
    }
}

void merge_emit_list(merge_state *s)
{
    const tsr_plan *plan = s->plan;
    const bool threaded = !tsr_plan_is_serial(plan);
    const tsr_ir_expr *nthreads = lower_nthreads(s->p, threaded);
    const tsr_ir_extent extent = {nthreads, tsr_ir_mul(s->ir, INDEX(plan->nterms), nthreads), INDEX(0)};
    for (int m = 0; m < plan->nresult; m++)
        s->out.result_crd[m] = lower_array_param(s->p, TSR_PARAM_OUT_CRD, 0, m);
    s->out.result_values = lower_array_param(s->p, TSR_PARAM_OUT_VALUES, 0, -1);
    for (int m = 0; m < plan->nresult; m++)
        tsr_ir_parts(s->ir, s->out.result_crd[m], &extent);
    tsr_ir_parts(s->ir, s->out.result_values, &extent);
    merge_new_places(s, threaded);
    list_terms(s, threaded);
    for (int m = 0; m < plan->nresult; m++)
        tsr_ir_join(s->ir, s->out.result_crd[m]);
    tsr_ir_join(s->ir, s->out.result_values);
}
