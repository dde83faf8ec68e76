/* Blocks: the positions of lists have blocks of values (plan_block.c). A contribution is a nest of loops over the variables of the
 * blocks, which adds to the block of an entry of the result: to its place in the result where the loops around all terms
 * make one entry after the other, else to the block of its key in the workspace. */
#include <string.h>

#include "lower_merge.h"

const tsr_ir_expr *merge_in_blocks_of(merge_state *s, const tsr_ir_expr *n)
{
    for (int k = 0; k < s->plan->storage.nblock; k++)
        n = tsr_ir_mul(s->ir, n, lower_size(s->p, s->plan->storage.block[k]));
    return n;
}

void merge_clear_block(merge_state *s, const tsr_ir_array *array, const tsr_ir_expr *base)
{
    const tsr_ir_expr *const q =
        tsr_ir_for(s->ir, "q", base, tsr_ir_add(s->ir, base, merge_in_blocks_of(s, INDEX(1))), 0);
    tsr_ir_store(s->ir, array, q, lower_absent(s->p), false, false);
    tsr_ir_end(s->ir);
}

void merge_copy_block(merge_state *s, const tsr_ir_expr *to, const tsr_ir_array *from,
                      const tsr_ir_expr *base)
{
    const tsr_ir_expr *const q = tsr_ir_for(s->ir, "q", INDEX(0), merge_in_blocks_of(s, INDEX(1)), 0);
    const tsr_ir_expr *const x = tsr_ir_load_value(s->ir, from, tsr_ir_add(s->ir, base, q), lower_type(s->p));
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
        merge_if_first(s, s->work.mark, at, NULL);
        merge_list_key(s, key, at);
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
        place = tsr_ir_add(s->ir, tsr_ir_mul(s->ir, place, lower_size(s->p, s->plan->storage.block[k])),
                           s->at[s->plan->storage.block[k]]);
    return tsr_ir_add(s->ir, base, place);
}

/* Open the loops over n variables of blocks. */
static void open_block(merge_state *s, const int *var, int n)
{
    for (int k = 0; k < n; k++)
        s->at[var[k]] =
            tsr_ir_for(s->ir, s->plan->notation->var[var[k]], INDEX(0), lower_size(s->p, var[k]), 0);
}

static void close_block(merge_state *s, int nloops)
{
    for (int k = 0; k < nloops; k++)
        tsr_ir_end(s->ir);
}

void merge_store_block_sum(merge_state *s, const tsr_plan_term *first, const tsr_plan_term *second)
{
    const tsr_plan *const plan = s->plan;
    const tsr_plan_term *const term[] = {first, second};
    const tsr_ir_expr *x = NULL;
    const tsr_ir_expr *const base =
        tsr_ir_declare(s->ir, "block", merge_in_blocks_of(s, s->out.cursor[plan->nresult - 1]), false);
    open_block(s, plan->storage.block, plan->storage.nblock);
    for (int i = 0; i < 2 && term[i]; i++) {
        const merge_access before = s->access[term[i]->access[0]];
        for (int k = 0; k < term[i]->nblock; k++) /* variables that the result lacks have size 1 */
            if (!(plan->notation->result->vars >> term[i]->block[k] & 1))
                s->at[term[i]->block[k]] = INDEX(0);
        merge_enter_blocks(s, term[i]);
        const tsr_ir_expr *const y = lower_block_value(s->p, term[i]->term, merge_block_product(s, term[i]));
        x = x ? lower_plus(s->p, x, y) : y;
        s->access[term[i]->access[0]] = before;
    }
    tsr_ir_store(s->ir, s->out.values, place_in_block(s, base), x, false, false);
    close_block(s, plan->storage.nblock);
}

/* The product of the term's values at the coordinates of the open loops; exact: a zero of a block is absent, so it makes 0 with
 * infinities and NaN, too. */
static const tsr_ir_expr *value_in_block(merge_state *s, const tsr_plan_term *term, bool exact)
{
    merge_access before[TSR_PLAN_MAX_ACCESSES];
    memcpy(before, s->access, sizeof before);
    merge_enter_blocks(s, term);
    const tsr_ir_expr *const x = exact ? merge_block_product(s, term) : merge_product(s, term, -1);
    memcpy(s->access, before, sizeof before);
    return x;
}

/* Values of a block that is added up line by line, at most. */
enum { MAX_LINES = 256 };

static double block_cells(const tsr_plan *plan)
{
    double n = 1;
    for (int k = 0; k < plan->storage.nblock; k++)
        n *= (double)plan->size[plan->storage.block[k]];
    return n;
}

/* Whether the term is a sum of products that plain multiplications compute, unless infinities or NaN meet absent zeros, and each line of
 * the block of the result gets several of them. */
static bool sums_lines(const merge_state *s, const tsr_plan_term *term)
{
    const tsr_plan *const plan = s->plan;
    const char class = tsr_type_class(s->p->type);
    const int nfree = plan->storage.nblock - 1, last = term->nblock > 0 ? term->block[term->nblock - 1] : -1;
    if (plan->schedule.plain || plan->ring->add != TSR_COMBINE_ADD || plan->ring->mul != TSR_COMBINE_MUL ||
        class == 'C' || term->term->negative || plan->storage.nblock == 0 ||
        term->nblock <= plan->storage.nblock || last != plan->storage.block[plan->storage.nblock - 1] ||
        block_cells(plan) > MAX_LINES)
        return false;
    for (int k = 0; k < nfree; k++)
        if (term->block[k] != plan->storage.block[k])
            return false;
    for (int f = 0; f < term->term->nfactors; f++)
        if (term->term->factor[f].inverse || term->term->factor[f].expr->kind != TSR_EXPR_ACCESS)
            return false;
    return true;
}

/* The sums of a block of the result, line by line of the last variable. */
typedef struct block_lines {
    const tsr_plan_term *term;
    const tsr_ir_array *array; /* it has the block, */
    const tsr_ir_expr *base;   /* from this element on */
    const tsr_ir_array *before,
        *sums; /* the block before; the sum of all lines: NULL where both are not needed */
} block_lines;

/* Open the loop over the last variable of the block. */
static void open_line(merge_state *s, const block_lines *of)
{
    open_block(s, &of->term->block[of->term->nblock - 1], 1);
}

static const tsr_ir_expr *value_at(merge_state *s, const tsr_ir_array *array, const tsr_ir_expr *at)
{
    return tsr_ir_load_value(s->ir, array, at, lower_type(s->p));
}

/* Add the products to each line, which stays in registers. exact: from the values before on. */
static void add_lines(merge_state *s, const block_lines *of, bool exact)
{
    const int nfree = s->plan->storage.nblock - 1, last = of->term->block[of->term->nblock - 1];
    open_block(s, of->term->block, nfree);
    const tsr_ir_array *const line =
        tsr_ir_array_new(s->ir, "line", s->p->type, TSR_IR_LOCAL, lower_size(s->p, last), false);
    open_line(s, of);
    const tsr_ir_expr *const own = place_in_block(s, INDEX(0)), *const place = place_in_block(s, of->base);
    tsr_ir_store(s->ir, line, s->at[last],
                 exact ? value_at(s, of->before, own) : value_at(s, of->array, place), false, false);
    if (of->before && !exact)
        tsr_ir_store(s->ir, of->before, own, value_at(s, line, s->at[last]), false, false);
    tsr_ir_end(s->ir);
    open_block(s, &of->term->block[nfree], of->term->nblock - nfree);
    tsr_ir_store(s->ir, line, s->at[last], value_in_block(s, of->term, exact), true, false);
    close_block(s, of->term->nblock - nfree);
    open_line(s, of);
    if (of->sums && !exact)
        tsr_ir_store(s->ir, of->sums, s->at[last], value_at(s, line, s->at[last]), true, false);
    tsr_ir_store(s->ir, of->array, place_in_block(s, of->base), value_at(s, line, s->at[last]), false, false);
    tsr_ir_end(s->ir);
    close_block(s, nfree);
}

/* Add the products without looking for zeros: a zero changes a sum only with an infinity or NaN, which makes the sum of all lines
 * NaN; then the block is computed again. */
static void contribute_lines(merge_state *s, block_lines *of)
{
    const int last = of->term->block[of->term->nblock - 1];
    const bool checks = tsr_type_class(s->p->type) == 'R';
    if (checks) {
        of->before = tsr_ir_array_new(s->ir, "before", s->p->type, TSR_IR_LOCAL,
                                      merge_in_blocks_of(s, INDEX(1)), false);
        of->sums = tsr_ir_array_new(s->ir, "sums", s->p->type, TSR_IR_LOCAL, lower_size(s->p, last), true);
    }
    add_lines(s, of, false);
    if (!checks)
        return;
    const tsr_ir_expr *const all = tsr_ir_declare(s->ir, "all", lower_number(s->p, 0), true);
    const tsr_ir_expr *const q = tsr_ir_for(s->ir, "q", INDEX(0), lower_size(s->p, last), 0);
    tsr_ir_assign(s->ir, all, value_at(s, of->sums, q), true);
    tsr_ir_end(s->ir);
    tsr_ir_if(s->ir, OP(NE, all, all));
    add_lines(s, of, true);
    tsr_ir_end(s->ir);
}

void merge_contribute_block(merge_state *s, const tsr_plan_term *term)
{
    const tsr_ir_array *array = NULL;
    const tsr_ir_expr *base = NULL;
    if (s->plan->sink == TSR_PLAN_ROWS)
        find_block(s, &array, &base);
    if (s->pass == MERGE_PASS_COUNT)
        return;
    if (array && sums_lines(s, term)) {
        contribute_lines(s, &(block_lines){.term = term, .array = array, .base = base});
        return;
    }
    open_block(s, term->block, term->nblock);
    const tsr_ir_expr *const x = value_in_block(s, term, true);
    if (array)
        tsr_ir_store(s->ir, array, place_in_block(s, base), x, true, false);
    else
        merge_add_to_dense(s, x);
    close_block(s, term->nblock);
}
