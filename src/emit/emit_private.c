/* The heap arrays that a parallel loop uses: each thread has a copy of their addresses. */
#include "emit_internal.h"

static bool expr_uses(const tsr_ir_expr *x, const tsr_ir_array *a)
{
    return x && (x->array == a || x->by == a || expr_uses(x->arg[0], a) || expr_uses(x->arg[1], a) ||
                 expr_uses(x->arg[2], a));
}

/* Whether a statement of the block, or in its blocks, uses the array. */
static bool block_uses(const emit *e, const tsr_ir_block *block, const tsr_ir_array *a)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        if (emit_is_dead(e, s))
            continue;
        bool uses = s->array == a || expr_uses(s->index, a) || expr_uses(s->lo, a) || expr_uses(s->hi, a) ||
                    expr_uses(s->expr, a);
        for (int i = 0; i < TSR_IR_MAX_FROM; i++)
            uses = uses || s->from[i] == a;
        for (int i = 0; i < TSR_IR_MAX_RANGE; i++)
            uses = uses || expr_uses(s->range[i], a);
        if (uses || block_uses(e, &s->body, a) || block_uses(e, &s->other, a))
            return true;
    }
    return false;
}

void emit_put_private(emit *e, const tsr_ir_stmt *loop)
{
    int n = 0;
    for (int i = 0; i < e->nheap; i++)
        if (block_uses(e, &loop->body, e->heap[i]))
            tsr_text_addf(&e->line, "%s%s", n++ ? ", " : " firstprivate(", e->array_name[e->heap[i]->number]);
    tsr_text_add(&e->line, n ? ")" : "");
}
