/* The prefetches that the plan wants, which the pass `prefetches` inserts: plan_nest_prefetch.c and plan_ahead.c decide on them. */
#include "lower_merge.h"
#include "lower_term.h"

enum { STREAM_NBYTES = 16384 /* distance in a long row */ };

/* Ask for what depends on the lists of the levels [from, d), whose positions are those of depth d. */
static void ask_by_lists(lower_program *p, const tsr_nest *term, tsr_ir_fetch f, int from, int d)
{
    const tsr_ir_expr *const n = lower_index_param(p, TSR_PARAM_NPOS, term->driver, d - 1, -1);
    f.last = tsr_ir_sub(p->ir, n, tsr_ir_index(p->ir, 1));
    for (int l = from; l < d; l++) {
        f.list = lower_array_param(p, TSR_PARAM_CRD, term->driver, l);
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
                            .nlines = (int)tsr_nest_row_lines(p->plan, access, dense, NULL),
                            .write = is_result};
    ask_by_lists(p, term, f, tsr_nest_chain_start(p->plan, term, d), d);
    p->prefetches = true;
}

/* Ask for the lists of the levels from l on, and the values, which are read in order. */
static void ask_for_streams(lower_program *p, const tsr_nest *term, int l)
{
    tsr_ir_fetch f = {.ahead = term->special.streams_ahead};
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
            ask_by_lists(p, term, place, d, term->nlevels);
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
    int list[TSR_NOTATION_MAX_FACTORS];
    tsr_plan_fetch fetch;
    for (int k = plan->sink == TSR_PLAN_ROWS ? plan->nouter : 0; k < term->nvars && !term->empty; k++) {
        const int n = tsr_plan_prefetched(list, &fetch, plan, term, k);
        if (n == 0)
            continue;
        const int from = merge_tensor(plan, plan->access[fetch.access].view);
        const tsr_ir_expr *const npos = lower_index_param(s->p, TSR_PARAM_NPOS, from, fetch.level, -1);
        tsr_ir_fetch f = {.list = lower_array_param(s->p, TSR_PARAM_CRD, from, fetch.level),
                          .last = tsr_ir_sub(s->ir, npos, tsr_ir_index(s->ir, 1)),
                          .ahead = tsr_plan_ahead(plan),
                          .nlines = 1};
        for (int i = 0; i < n; i++) {
            const tsr_plan_view *const view = &plan->view[plan->access[list[i]].view];
            const int to = merge_tensor(plan, plan->access[list[i]].view);
            f.array = lower_array_param(s->p, TSR_PARAM_CRD, to, 1);
            f.beside = view->nlevels == 2 && !s->p->operands[to].iso
                           ? lower_array_param(s->p, TSR_PARAM_VALUES, to, -1)
                           : NULL;
            tsr_ir_ask(s->ir, &f);
        }
    }
}
