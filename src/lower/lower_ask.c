/* The prefetches that the plan wants, which the pass `prefetches` inserts: plan_prefetch.c decides on them. */
#include "lower_merge.h"
#include "lower_term.h"

enum { STREAM_NBYTES = 16384 /* distance in a long row */ };

/* Ask for what depends on the lists of the tensor's levels [from, d), whose positions are those of depth d. */
static void ask_by_lists(lower_program *p, int tensor, tsr_ir_fetch f, int from, int d)
{
    const tsr_ir_expr *const n = lower_index_param(p, TSR_PARAM_NPOS, tensor, d - 1, -1);
    f.last = tsr_ir_sub(p->ir, n, tsr_ir_index(p->ir, 1));
    for (int l = from; l < d; l++) {
        f.list = lower_array_param(p, TSR_PARAM_CRD, tensor, l);
        tsr_ir_ask(p->ir, &f);
    }
}

/* Ask for the rows of the access whose places become known at depth d. */
static void ask_for_rows(lower_program *p, const tsr_nest *term, int d, const tsr_expr *access,
                         const lower_sink *sink)
{
    const int leaf = term->special.ahead;
    const bool is_result = access == p->plan->notation->result;
    uint32_t dense = term->dense & ~term->sum;
    for (int i = 0; i < term->nfactors; i++)
        if (term->factor[i].expr == access)
            dense = term->factor[i].dense;
    const tsr_ir_fetch f = {.array = is_result ? sink->array
                                               : lower_array_param(p, TSR_PARAM_VALUES, access->tensor, -1),
                            .ahead = d == term->nlevels || d == term->sink.run ? leaf : (leaf + 1) / 2,
                            .nlines = (int)tsr_nest_row_lines(p->plan, access, dense),
                            .write = is_result};
    ask_by_lists(p, term->driver, f, tsr_nest_chain_start(p->plan, term, d), d);
    p->prefetches = true;
}

/* Ask for the lists of the levels from l on, and the values, which are read in order. */
static void ask_for_streams(lower_program *p, const tsr_nest *term, int l)
{
    tsr_ir_fetch f = {.ahead = term->special.streams_ahead, .once = term->special.has_short_lists};
    for (; l < term->nlevels; l++)
        if (p->operands[term->driver].nbytes[TSR_LEVEL_CRD][l] > 0) {
            f.array = lower_array_param(p, TSR_PARAM_CRD, term->driver, l);
            tsr_ir_ask(p->ir, &f);
        }
    if (!p->operands[term->driver].iso) {
        f.array = lower_array_param(p, TSR_PARAM_VALUES, term->driver, -1);
        tsr_ir_ask(p->ir, &f);
    }
}

void lower_ask(lower_program *p, const tsr_nest *term, const lower_sink *sink)
{
    const tsr_nest_special *const special = &term->special;
    const tsr_ir_fetch place = {
        .array = sink->array, .ahead = special->places_ahead, .nlines = 1, .write = true};
    for (int d = 0; d <= term->nlevels && term->driver >= 0; d++) {
        for (int i = 0; i < term->nfactors; i++)
            if (special->fetched[d] >> i & 1)
                ask_for_rows(p, term, d, term->factor[i].expr, sink);
        if (special->fetches_result >> d & 1)
            ask_for_rows(p, term, d, p->plan->notation->result, sink);
        if (special->streams >> d & 1)
            ask_for_streams(p, term, d);
        if (special->places >> d & 1)
            ask_by_lists(p, term->driver, place, d, term->nlevels);
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

void merge_ask(merge_state *s, const tsr_plan_term *term)
{
    const tsr_plan *const plan = s->plan;
    for (int k = 0; k < term->nvars; k++)
        for (int i = 0; i < term->naccesses; i++) {
            const tsr_plan_fetch *const fetch = &term->fetch[k];
            if (!(fetch->rows >> i & 1))
                continue;
            const tsr_plan_view *const view = &plan->view[plan->access[term->access[i]].view];
            const int from = merge_tensor(s, fetch->access), to = merge_tensor(s, term->access[i]);
            tsr_ir_fetch f = {
                .array = lower_array_param(s->p, TSR_PARAM_CRD, to, 1), .ahead = fetch->ahead, .nlines = 1};
            if (view->nlevels == 2 && !s->p->operands[to].iso)
                f.beside = lower_array_param(s->p, TSR_PARAM_VALUES, to, -1);
            ask_by_lists(s->p, from, f, fetch->level, fetch->level + 1);
        }
}
