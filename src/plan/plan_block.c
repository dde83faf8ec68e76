/* Statements in storage coordinates (tsr_plan_request.in_storage): dense levels below the last list of a sparse tensor are a block of
 * values for each position of the list. Loops over the variables of blocks are inside all others, and each entry of a sparse
 * result has a block. A stored zero of a block is absent. */
#include "plan_state.h"

/* The number of levels down to the last one that is not dense. */
static int count_keys(const tsr_format *format)
{
    int n = format->nlevels;
    while (n > 0 && format->levels[n - 1].type->full)
        n--;
    return n;
}

/* Add the variables of blocks, and those of other levels, of the sparse accesses in e. The map of a format is the identity. */
static void find_vars(const plan_state *s, const tsr_expr *e, uint32_t *blocks, uint32_t *keys)
{
    if (!e)
        return;
    find_vars(s, e->a, blocks, keys);
    find_vars(s, e->b, blocks, keys);
    if (e->kind != TSR_EXPR_ACCESS || tsr_format_is_dense(s->operands[e->tensor].binding->format))
        return;
    const int nkeys = count_keys(s->operands[e->tensor].binding->format);
    for (int l = 0; l < e->nindices; l++)
        *(l < nkeys ? keys : blocks) |= UINT32_C(1) << e->index[l];
}

tsr_status plan_find_blocks(plan_state *s)
{
    tsr_plan *const plan = s->plan;
    const tsr_expr *const result = plan->notation->result;
    const tsr_format *const format = s->operands[0].binding->format;
    uint32_t keys = 0;
    plan->storage.is_on = s->request->in_storage;
    plan->storage.parts = s->request->parts;
    if (!plan->storage.is_on)
        return TSR_OK;
    plan->storage.marks = tsr_format_marks(format);
    if (plan->storage.marks)
        return TSR_OK;
    find_vars(s, plan->notation->rhs, &plan->storage.blocks, &keys);
    find_vars(s, result, &plan->storage.blocks, &keys);
    if (plan->storage.blocks & keys)
        return tsr_fail(s->err, TSR_UNSUPPORTED, "a variable of a block is stored in a list, too");
    for (int l = 1; l < count_keys(format); l++)
        if (format->levels[l].type->full && !format->levels[l - 1].type->full)
            return tsr_fail(s->err, TSR_UNSUPPORTED, "the result has a dense level between two lists");
    for (int m = tsr_format_is_dense(format) ? result->nindices : count_keys(format); m < result->nindices;
         m++)
        plan->storage.block[plan->storage.nblock++] = result->index[m];
    plan->nresult -= plan->storage.nblock;
    if (plan->storage.blocks && plan->storage.nblock == 0 && !tsr_format_is_dense(format))
        return tsr_fail(s->err, TSR_UNSUPPORTED, "the sparse result has no blocks, and an operand has");
    return TSR_OK;
}

tsr_status plan_check_cells(const plan_state *s)
{
    const tsr_plan *const plan = s->plan;
    for (int i = 0; i < plan->nterms && plan->sink == TSR_PLAN_CELLS; i++)
        if (plan->term[i].naccesses == 0 || plan->term[i].term->sum || plan->term[i].nvars != 1)
            return tsr_fail(s->err, TSR_UNSUPPORTED, "a term has no mark for each cell of the result");
    return TSR_OK;
}

/* Loops over variables of the result come first, then sums, then the last variable of the result. */
void plan_order_blocks(tsr_plan_term *term, const tsr_plan *plan, uint32_t vars)
{
    const int nfree = plan->notation->nfree;
    const int last = plan->storage.nblock > 0 ? plan->storage.block[plan->storage.nblock - 1] : -1;
    for (int sums = 0; sums < 2; sums++)
        for (int v = 0; v < plan->notation->nvars; v++)
            if ((vars & plan->storage.blocks) >> v & 1 && v != last && (v >= nfree) == (sums == 1))
                term->block[term->nblock++] = v;
    if (last >= 0)
        term->block[term->nblock++] = last;
}
