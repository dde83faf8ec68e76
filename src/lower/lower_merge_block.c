/* Blocks: the positions of lists have blocks of values (plan_block.c). A contribution is a nest of loops over the variables of the
 * blocks, which adds to the block of an entry of the result: to its place in the result where the loops around all terms
 * make one entry after the other, else to the block of its key in the workspace. */
#include "lower_merge.h"

#define INDEX(c) tsr_ir_index(s->ir, (c))
#define OP(op, x, y) tsr_ir_op2(s->ir, TSR_IR_##op, (x), (y))

const tsr_ir_expr *merge_in_blocks_of(merge_state *s, const tsr_ir_expr *n)
{
    for (int k = 0; k < s->plan->storage.nblock; k++)
        n = tsr_ir_mul(s->ir, n, merge_size(s, s->plan->storage.block[k]));
    return n;
}

void merge_clear_block(merge_state *s, const tsr_ir_array *array, const tsr_ir_expr *base)
{
    const tsr_ir_expr *const q =
        tsr_ir_for(s->ir, "q", base, tsr_ir_add(s->ir, base, merge_in_blocks_of(s, INDEX(1))), 0);
    tsr_ir_store(s->ir, array, q, merge_fill(s), false, false);
    tsr_ir_end(s->ir);
}

void merge_copy_block(merge_state *s, const tsr_ir_expr *to, const tsr_ir_array *from,
                      const tsr_ir_expr *base)
{
    const tsr_ir_expr *const q = tsr_ir_for(s->ir, "q", INDEX(0), merge_in_blocks_of(s, INDEX(1)), 0);
    const tsr_ir_expr *const x = tsr_ir_load_value(s->ir, from, tsr_ir_add(s->ir, base, q), merge_type(s));
    tsr_ir_store(s->ir, s->out.values, tsr_ir_add(s->ir, to, q), x, false, false);
    tsr_ir_end(s->ir);
}

/* The block of the result that the contribution is added to: *array from element *base on. */
static void find_block(merge_state *s, const tsr_ir_array **array, const tsr_ir_expr **base)
{
    const tsr_plan *const plan = s->plan;
    if (plan->nouter == plan->nresult) {
        tsr_ir_assign(s->ir, s->work.any, tsr_ir_bool(s->ir, true), false);
        *array = s->out.values;
        *base = merge_in_blocks_of(s, s->out.cursor[plan->nresult - 1]);
    } else {
        const tsr_ir_expr *const key = merge_workspace_key(s);
        const tsr_ir_expr *const at = tsr_ir_declare(s->ir, "at", merge_in_part(s, key), false);
        *array = s->work.array;
        *base = merge_in_blocks_of(s, at);
        tsr_ir_if(s->ir, OP(EQ, tsr_ir_load_index(s->ir, s->work.mark, at), INDEX(0)));
        tsr_ir_store(s->ir, s->work.mark, at, INDEX(1), false, false);
        tsr_ir_store(s->ir, s->work.list, merge_in_part(s, s->work.nlisted), key, false, false);
        tsr_ir_assign(s->ir, s->work.nlisted, INDEX(1), true);
        if (s->pass != MERGE_PASS_COUNT)
            merge_clear_block(s, s->work.array, *base);
        tsr_ir_end(s->ir);
    }
    *base = tsr_ir_declare(s->ir, "block", *base, false);
}

/* The place in the block of the result. */
static const tsr_ir_expr *place_in_block(merge_state *s, const tsr_ir_expr *base)
{
    const tsr_ir_expr *place = INDEX(0);
    for (int k = 0; k < s->plan->storage.nblock; k++)
        place = tsr_ir_add(s->ir, tsr_ir_mul(s->ir, place, merge_size(s, s->plan->storage.block[k])),
                           s->at[s->plan->storage.block[k]]);
    return tsr_ir_add(s->ir, base, place);
}

void merge_store_block_sum(merge_state *s, const tsr_plan_term *first, const tsr_plan_term *second)
{
    const tsr_plan *const plan = s->plan;
    const tsr_plan_term *const term[] = {first, second};
    const tsr_ir_expr *x = NULL;
    const tsr_ir_expr *const base =
        tsr_ir_declare(s->ir, "block", merge_in_blocks_of(s, s->out.cursor[plan->nresult - 1]), false);
    for (int k = 0; k < plan->storage.nblock; k++)
        s->at[plan->storage.block[k]] = tsr_ir_for(s->ir, plan->notation->var[plan->storage.block[k]],
                                                   INDEX(0), merge_size(s, plan->storage.block[k]), 0);
    for (int i = 0; i < 2 && term[i]; i++) {
        const merge_access before = s->access[term[i]->access[0]];
        for (int k = 0; k < term[i]->nblock; k++) /* variables that the result lacks have size 1 */
            if (!(plan->notation->result->vars >> term[i]->block[k] & 1))
                s->at[term[i]->block[k]] = INDEX(0);
        merge_enter_blocks(s, term[i]);
        const tsr_ir_expr *const y = merge_block_product(s, term[i]);
        x = x ? merge_combine(s, plan->ring->add, x, y) : y;
        s->access[term[i]->access[0]] = before;
    }
    tsr_ir_store(s->ir, s->out.values, place_in_block(s, base), x, false, false);
    for (int k = 0; k < plan->storage.nblock; k++)
        tsr_ir_end(s->ir);
}

void merge_contribute_block(merge_state *s, const tsr_plan_term *term)
{
    const tsr_ir_array *array = NULL;
    const tsr_ir_expr *base = NULL;
    merge_access before[TSR_NOTATION_MAX_FACTORS];
    if (s->plan->sink == TSR_PLAN_ROWS)
        find_block(s, &array, &base);
    if (s->pass == MERGE_PASS_COUNT)
        return;
    for (int k = 0; k < term->nblock; k++)
        s->at[term->block[k]] = tsr_ir_for(s->ir, s->plan->notation->var[term->block[k]], INDEX(0),
                                           merge_size(s, term->block[k]), 0);
    for (int i = 0; i < term->naccesses; i++)
        before[i] = s->access[term->access[i]];
    merge_enter_blocks(s, term);
    const tsr_ir_expr *const x = merge_block_product(s, term);
    if (array)
        tsr_ir_store(s->ir, array, place_in_block(s, base), x, true, false);
    else
        merge_add_to_dense(s, x);
    for (int i = 0; i < term->naccesses; i++)
        s->access[term->access[i]] = before[i];
    for (int k = 0; k < term->nblock; k++)
        tsr_ir_end(s->ir);
}
