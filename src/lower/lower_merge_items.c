/* Loops in blocks, in plans that merge: once for each block of the coordinates of the variables that the schedule names. */
#include <stdio.h>

#include "lower_merge.h"
#include "lower_term.h"

void merge_in_blocks(merge_state *s, const tsr_plan_term *term)
{
    const uint32_t *const block = s->plan->schedule.block;
    int nopen = 0;
    for (int i = s->plan->nouter; i < term->nvars && !s->row.measuring; i++) {
        const int v = term->order[i];
        if (!block[v] || !tsr_plan_is_range(s->plan, term, v))
            continue;
        char name[80];
        snprintf(name, sizeof name, "%.60s_block", s->plan->notation->var[v]);
        const tsr_ir_expr *const size = lower_size(s->p, v), *const length = INDEX(block[v]);
        const tsr_ir_expr *const n =
            OP(FLOORDIV, tsr_ir_add(s->ir, size, INDEX((int64_t)block[v] - 1)), length);
        const tsr_ir_expr *const number = tsr_ir_for(s->ir, name, INDEX(0), n, 0);
        s->block.lo[v] = tsr_ir_declare(s->ir, "first", tsr_ir_mul(s->ir, number, length), false);
        s->block.hi[v] =
            tsr_ir_declare(s->ir, "last", OP(MIN, tsr_ir_add(s->ir, s->block.lo[v], length), size), false);
        nopen++;
    }
    lower_emit_merged(s, term);
    for (int v = 0; v < s->plan->notation->nvars; v++)
        s->block.lo[v] = s->block.hi[v] = NULL;
    for (; nopen > 0; nopen--)
        tsr_ir_end(s->ir);
}
