/* The prefetches that the plan wants, which the pass `prefetches` inserts: plan_prefetch.c decides on them. */
#include "lower_term.h"

enum { STREAM_NBYTES = 16384 /* distance in a long row */ };

/* Ask for the lists of the tensor's levels from l on, and the values, which are read in order. */
static void ask_for_entries(lower_program *p, tsr_ir_fetch f, int tensor, int l)
{
    for (; l < p->operands[tensor].binding->format->nlevels; l++)
        if (p->operands[tensor].nbytes[TSR_LEVEL_CRD][l] > 0) {
            f.array = lower_array_param(p, TSR_PARAM_CRD, tensor, l);
            tsr_ir_ask(p->ir, &f);
        }
    if (!p->operands[tensor].iso) {
        f.array = lower_array_param(p, TSR_PARAM_VALUES, tensor, -1);
        tsr_ir_ask(p->ir, &f);
    }
}

void lower_ask(lower_program *p, const tsr_nest *nest, const tsr_ir_array *result)
{
    for (int i = 0; i < nest->nfetches; i++) {
        const tsr_nest_fetch *const of = &nest->fetch[i];
        const int ahead = p->plan->walk.ahead[of->kind], t = of->tensor;
        const bool is_sparse = of->kind == TSR_FETCH_SPARSE_ROWS;
        tsr_ir_fetch f = {.ahead = of->half ? (ahead + 1) / 2 : ahead,
                          .nlines = of->nlines,
                          .write = t == 0,
                          .once = of->once};
        if (of->list < 0) {
            ask_for_entries(p, f, t, of->from);
            continue;
        }
        f.array = t == 0      ? result
                  : is_sparse ? lower_array_param(p, TSR_PARAM_CRD, t, 1)
                              : lower_array_param(p, TSR_PARAM_VALUES, t, -1);
        if (of->values && !p->operands[t].iso)
            f.beside = lower_array_param(p, TSR_PARAM_VALUES, t, -1);
        f.last = tsr_ir_sub(p->ir, lower_index_param(p, TSR_PARAM_NPOS, of->list, of->to - 1, -1),
                            tsr_ir_index(p->ir, 1));
        for (int l = of->from; l < of->to; l++) {
            f.list = lower_array_param(p, TSR_PARAM_CRD, of->list, l);
            tsr_ir_ask(p->ir, &f);
        }
    }
}

void lower_ask_for_values(lower_state *s)
{
    const tsr_plan_operand *driver = &s->p->operands[s->term->driver];
    if (s->p->plan->schedule.prefetch < 0 || driver->iso)
        return;
    tsr_ir_ask(s->ir, &(tsr_ir_fetch){.array = lower_array_param(s->p, TSR_PARAM_VALUES, s->term->driver, -1),
                                      .ahead = STREAM_NBYTES / (int)tsr_type_nbytes(driver->type),
                                      .each = true});
}
