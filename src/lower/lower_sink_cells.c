/* Bitmaps: all sparse tensors of the statement have a position and a mark for each cell, and cells have the same numbers in all of them
 * (kernel_storage.c). The marks of the result are those of the operands, combined by and, or and not, 8 at a time where they are bits; then
 * each cell of these gets its value: 0 where it is not an entry. */
#include "lower_merge.h"

enum { CELLS = 8, ALL_BITS = 255, WORD_NBYTES = 8 };

static bool has_bits(const merge_state *s)
{
    return s->plan->storage.marks->arrays[0].content == TSR_HOLDS_WORDS;
}

/* The last level of a tensor, whose marks they are. */
static int last_level(const merge_state *s, int tensor)
{
    return tsr_plan_level(s->plan, tensor, 1) - 1;
}

/* The marks that cells of the term have where it contributes. marks: of each access. */
static const tsr_ir_expr *marks_of(merge_state *s, const tsr_plan_term *term, const tsr_ir_expr *const *marks)
{
    const tsr_ir_expr *all = marks[term->access[0]];
    for (int k = 1; k < term->naccesses; k++)
        all = OP(MASK, all, marks[term->access[k]]);
    for (int k = 0; k < term->nmasks; k++)
        all = OP(MASK, all, tsr_ir_sub(s->ir, INDEX(has_bits(s) ? ALL_BITS : 1), marks[term->mask[k]]));
    return all && all->op != TSR_IR_VAR ? tsr_ir_declare(s->ir, "marks", all, false) : all;
}

/* Store the value of cell p; marks: of each term, of which bit u is that of the cell. */
static void store_cell(merge_state *s, const tsr_ir_expr *p, const tsr_ir_expr *u,
                       const tsr_ir_expr *const *marks)
{
    const tsr_ir_expr *sum = NULL, *has = NULL;
    for (int v = 0; v < s->plan->notation->nvars; v++)
        s->at[v] = p;
    for (int a = 0; a < s->plan->naccesses; a++)
        s->access[a].pos = p;
    for (int i = 0; i < s->plan->nterms; i++) {
        const tsr_ir_expr *const mark = u ? OP(BIT, marks[i], u) : marks[i];
        const tsr_ir_expr *const there = tsr_ir_declare(s->ir, "is_there", OP(NE, mark, INDEX(0)), false);
        const tsr_ir_expr *const x =
            tsr_ir_declare(s->ir, "x", merge_product(s, &s->plan->term[i], -1), false);
        sum = sum ? tsr_ir_select(s->ir, there, tsr_ir_select(s->ir, has, lower_plus(s->p, sum, x), x), sum)
                  : x;
        has = has ? OP(OR, has, there) : there;
        if (i > 0 && i + 1 < s->plan->nterms) {
            sum = tsr_ir_declare(s->ir, "sum", sum, false);
            has = tsr_ir_declare(s->ir, "has", has, false);
        }
    }
    tsr_ir_store(s->ir, s->out.values, p, tsr_ir_select(s->ir, has, sum, lower_number(s->p, 0)), false,
                 false);
}

/* Store element k of the marks, and the values of its first n cells. */
static void store_marks(merge_state *s, const tsr_ir_array *to, const tsr_ir_expr *k, const tsr_ir_expr *n)
{
    const tsr_plan *const plan = s->plan;
    const tsr_ir_expr *marks[TSR_PLAN_MAX_ACCESSES], *of[TSR_NOTATION_MAX_TERMS], *all = NULL;
    for (int a = 0; a < plan->naccesses; a++) {
        const int t = plan->view[plan->access[a].view].tensor;
        marks[a] = tsr_ir_declare(
            s->ir, "marks",
            tsr_ir_load_index(s->ir, lower_array_param(s->p, TSR_PARAM_BITS, t, last_level(s, t)), k), false);
    }
    for (int i = 0; i < plan->nterms; i++) {
        of[i] = marks_of(s, &plan->term[i], marks);
        all = all ? tsr_ir_sub(s->ir, tsr_ir_add(s->ir, all, of[i]), OP(MASK, all, of[i])) : of[i];
    }
    tsr_ir_store(s->ir, to, k, all, false, false);
    if (!has_bits(s)) {
        store_cell(s, k, NULL, of);
        return;
    }
    const tsr_ir_expr *const u = tsr_ir_for(s->ir, "u", INDEX(0), n, 0);
    store_cell(s, tsr_ir_add(s->ir, tsr_ir_mul(s->ir, k, INDEX(CELLS)), u), u, of);
    tsr_ir_end(s->ir);
}

void merge_emit_cells(merge_state *s)
{
    const bool threaded = s->plan->share.cut, bits = has_bits(s);
    const tsr_ir_expr *const n = lower_size(s->p, s->plan->notation->result->index[0]);
    const tsr_ir_array *const marks = lower_array_param(s->p, TSR_PARAM_OUT_BITS, 0, last_level(s, 0));
    s->out.values = lower_array_param(s->p, TSR_PARAM_OUT_VALUES, 0, -1);
    const tsr_ir_expr *const whole =
        bits ? tsr_ir_declare(s->ir, "whole", OP(FLOORDIV, n, INDEX(CELLS)), false) : n;
    const tsr_ir_expr *const words =
        OP(FLOORDIV, tsr_ir_add(s->ir, n, INDEX(CELLS * WORD_NBYTES - 1)), INDEX(CELLS * WORD_NBYTES));
    tsr_ir_output_new(s->ir, marks, bits ? tsr_ir_mul(s->ir, words, INDEX(WORD_NBYTES)) : n, false);
    tsr_ir_output_new(s->ir, s->out.values, n, false);
    lower_open_threads(s->p, &s->share.part, threaded);
    const tsr_ir_range own = lower_cut(s->p, &s->share.part, "", whole);
    const tsr_ir_expr *k = tsr_ir_for(s->ir, "k", own.lo, own.hi, 0);
    store_marks(s, marks, k, INDEX(CELLS));
    tsr_ir_end(s->ir);
    tsr_ir_close(s->ir, threaded);
    if (!bits)
        return;
    tsr_ir_comment(s->ir, "the last cells, and the unused bits of the last word");
    const tsr_ir_expr *const end = tsr_ir_mul(s->ir, words, INDEX(WORD_NBYTES));
    k = tsr_ir_for(s->ir, "k", whole, end, 0);
    tsr_ir_store(s->ir, marks, k, INDEX(0), false, false);
    tsr_ir_end(s->ir);
    const tsr_ir_expr *const rest = tsr_ir_sub(s->ir, n, tsr_ir_mul(s->ir, whole, INDEX(CELLS)));
    tsr_ir_if(s->ir, OP(LT, INDEX(0), rest));
    store_marks(s, marks, whole, rest);
    tsr_ir_end(s->ir);
}
