/* Rows of a result whose entries may be in any order: the first contribution to a coordinate appends an entry to the row, and
 * further ones are added to this entry. Nothing is sorted.
 *
 * A table has for each coordinate the number of the entry that had it last. A thread numbers its entries over all rows, so a
 * number below that of the first entry of the row is of another row, and the table is not cleared between two rows. No branch
 * depends on whether a coordinate is new: an entry is written behind the row in any case, with the value that changes no sum,
 * and it counts only if it is new. */
#include "lower_merge.h"

static const int64_t MOST_NUMBER = UINT32_MAX;

void merge_new_numbers(merge_state *s, const tsr_ir_expr *n)
{
    s->numbers.array = tsr_ir_index_array_new(s->ir, "numbers", TSR_U32, TSR_IR_HEAP, n, true);
}

void merge_begin_numbers(merge_state *s)
{
    s->numbers.first = tsr_ir_declare(s->ir, "numbered", INDEX(1), true);
}

/* Begin to number anew where the numbers of the row, up to `most` of them, might not fit. */
static void number_anew(merge_state *s, const tsr_ir_expr *most)
{
    tsr_ir_if(s->ir, OP(LT, tsr_ir_sub(s->ir, INDEX(MOST_NUMBER), most), s->numbers.first));
    lower_fill(s->p, s->numbers.array, INDEX(0),
               (tsr_ir_range){s->work.first, tsr_ir_add(s->ir, s->work.first, s->work.span)}, INDEX(0));
    tsr_ir_assign(s->ir, s->numbers.first, INDEX(1), false);
    tsr_ir_end(s->ir);
}

void merge_any_order_row(merge_state *s)
{
    const int k = s->plan->nouter;
    const tsr_ir_expr *most = OP(MIN, s->row.most, lower_size(s->p, s->plan->var[k]));
    most = tsr_ir_declare(s->ir, "room", tsr_ir_add(s->ir, most, INDEX(1)), false);
    if (!s->out.reserved)
        merge_reserve(s, k, most);
    number_anew(s, most);
    s->work.nlisted = tsr_ir_declare(s->ir, "n", INDEX(0), true);
    s->row.kind = MERGE_ROW_APPENDED;
    merge_terms(s);
    s->row.kind = MERGE_ROW_LISTED;
    tsr_ir_assign(s->ir, s->numbers.first, s->work.nlisted, true);
    tsr_ir_assign(s->ir, s->out.cursor[k], s->work.nlisted, true);
}

void merge_add_to_any_order(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *x)
{
    const int k = s->plan->nouter;
    const tsr_ir_expr *const at = tsr_ir_declare(s->ir, "at", merge_in_part(s, key), false);
    const tsr_ir_expr *const found =
        tsr_ir_declare(s->ir, "found", tsr_ir_load_index(s->ir, s->numbers.array, at), false);
    const tsr_ir_expr *const is_new = OP(LT, found, s->numbers.first);
    const tsr_ir_expr *const number = tsr_ir_declare(
        s->ir, "number",
        tsr_ir_select(s->ir, is_new, s->work.nlisted, tsr_ir_sub(s->ir, found, s->numbers.first)), false);
    const tsr_ir_expr *const end = tsr_ir_add(s->ir, s->out.cursor[k], s->work.nlisted);
    tsr_ir_store(s->ir, s->out.crd[k], end, key, false, false);
    tsr_ir_store(s->ir, s->out.values, end, merge_neutral(s), false, false);
    tsr_ir_store(s->ir, s->out.values, tsr_ir_add(s->ir, s->out.cursor[k], number), x, true, false);
    tsr_ir_store(s->ir, s->numbers.array, at, tsr_ir_add(s->ir, s->numbers.first, number), false, false);
    tsr_ir_assign(s->ir, s->work.nlisted, tsr_ir_select(s->ir, is_new, INDEX(1), INDEX(0)), true);
}
