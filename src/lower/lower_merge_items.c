/* Schedule items in plans that merge: which of them can be followed, and the loops in blocks. A variable has a loop over its whole
 * range in a term if no sparse operand of the term has it; only such loops are cut into blocks, unrolled or made vectors. */
#include <stdio.h>

#include "lower_merge.h"

#define INDEX(c) tsr_ir_index(s->ir, (c))
#define OP(op, x, y) tsr_ir_op2(s->ir, TSR_IR_##op, (x), (y))

bool merge_is_range(const tsr_plan *plan, const tsr_plan_term *term, int v)
{
    for (int k = 0; k < term->naccesses; k++)
        if (plan->access[term->access[k]].expr->vars >> v & 1)
            return false;
    for (int k = 0; k < term->nvars; k++)
        if (term->order[k] == v)
            return true;
    return false;
}

/* A sparse operand that has the variable; NULL: none. */
static const char *walked_name(const tsr_plan *plan, int v)
{
    for (int a = 0; a < plan->naccesses; a++)
        if (plan->access[a].expr->vars >> v & 1)
            return plan->notation->tensor[plan->view[plan->access[a].view].tensor].name;
    return NULL;
}

static bool is_outer(const tsr_plan *plan, int v)
{
    for (int k = 0; k < plan->nouter && plan->sink == TSR_PLAN_ROWS; k++)
        if (plan->var[k] == v)
            return true;
    return false;
}

/* TSR_UNSUPPORTED if no term has a loop over the whole range of v inside the loops around all terms. what: the item. */
static tsr_status check_range(const lower_graph *graph, const char *what, int v, tsr_error *err)
{
    const tsr_plan *const plan = graph->plan;
    const char *const var = plan->notation->var[v], *const walked = walked_name(plan, v);
    if (is_outer(plan, v))
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "%s(%s): the entries of %s are made in the order of %s, so its loop stays whole: use another "
            "variable, or leave it out",
            what, var, plan->notation->tensor[0].name, var);
    for (int i = 0; i < plan->nterms; i++)
        if (plan->term[i].empty || merge_is_range(plan, &plan->term[i], v))
            return TSR_OK;
    return tsr_fail(
        err, TSR_UNSUPPORTED,
        "%s(%s): the loops over %s walk stored entries of %s: use a variable that has a loop over all of "
        "its coordinates",
        what, var, var, walked ? walked : plan->notation->tensor[0].name);
}

/* Vectors are for the last mode of a dense result. */
static tsr_status check_vector(const lower_graph *graph, tsr_error *err)
{
    const int v = graph->schedule.vector_var - 1;
    merge_state s = {.p = &(lower_program){.graph = graph}, .plan = graph->plan};
    TSR_TRY(check_range(graph, "vectorize", v, err));
    for (int i = 0; i < graph->plan->nterms; i++) {
        const tsr_plan_term *const term = &graph->plan->term[i];
        if (!term->empty && merge_is_range(graph->plan, term, v) &&
            (term->order[term->nvars - 1] != v || !merge_is_row(&s, term)))
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "vectorize(%s): vectors need a dense result whose last mode is %s, sums of plus-times, and "
                "threads that do not add atomically: leave it out",
                graph->notation->var[v], graph->notation->var[v]);
    }
    return TSR_OK;
}

tsr_status merge_check_schedule(const lower_graph *graph, tsr_error *err)
{
    const tsr_schedule *const schedule = &graph->schedule;
    for (int v = 0; v < graph->notation->nvars; v++) {
        if (schedule->block[v])
            TSR_TRY(check_range(graph, "block", v, err));
        if (schedule->unroll[v])
            TSR_TRY(check_range(graph, "unroll", v, err));
    }
    if (schedule->vector_var)
        TSR_TRY(check_vector(graph, err));
    if (schedule->lanes > 0)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "lanes(%d): no loop of this statement adds up the entries of one list alone: leave it out",
            schedule->lanes);
    return TSR_OK;
}

/* ---- blocks ---- */

void merge_in_blocks(merge_state *s, const tsr_plan_term *term, int k)
{
    const uint32_t *const block = s->p->graph->schedule.block;
    int nopen = 0;
    for (int i = k; i < term->nvars && !s->measuring; i++) {
        const int v = term->order[i];
        if (!block[v] || !merge_is_range(s->plan, term, v))
            continue;
        char name[80];
        snprintf(name, sizeof name, "%.60s_block", s->plan->notation->var[v]);
        const tsr_ir_expr *const size = merge_size(s, v), *const length = INDEX(block[v]);
        const tsr_ir_expr *const n =
            OP(FLOORDIV, tsr_ir_add(s->ir, size, INDEX((int64_t)block[v] - 1)), length);
        const tsr_ir_expr *const number = tsr_ir_for(s->ir, name, INDEX(0), n, 0);
        s->block_lo[v] = tsr_ir_declare(s->ir, "first", tsr_ir_mul(s->ir, number, length), false);
        s->block_hi[v] =
            tsr_ir_declare(s->ir, "last", OP(MIN, tsr_ir_add(s->ir, s->block_lo[v], length), size), false);
        nopen++;
    }
    merge_nest(s, term, k);
    for (int v = 0; v < s->plan->notation->nvars; v++)
        s->block_lo[v] = s->block_hi[v] = NULL;
    for (; nopen > 0; nopen--)
        tsr_ir_end(s->ir);
}
