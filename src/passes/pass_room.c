/* Where a part has room for all that it will ever hold, it does not grow.
 *
 *     reserve C_part: most, enough          reserve C_part: most, enough
 *     for i in [begin, end)                 for i in [begin, end)
 *       for p in [pos[i], pos[i + 1])  ->     for p in [pos[i], pos[i + 1])
 *         reserve C_part: n + 1                 C_part[n] = x[p]
 *         C_part[n] = x[p]                      n += 1
 *         n += 1                            give C_part[0, n) as 0
 *     give C_part[0, n) as 0
 *
 * Lowering writes the check wherever an entry or a row is appended, and says `enough` where it knows a bound: rows that are united have
 * no more entries than their operands together, since lists rise, which loads do not show. */
#include "passes_internal.h"

/* Take out what the statements of the block after `before` (NULL: all), up to the one that gives the part, reserve in it. */
static void drop_reserves(tsr_ir_block *block, tsr_ir_stmt *before, const tsr_ir_array *part)
{
    for (tsr_ir_stmt *s; (s = before ? before->next : block->first) != NULL;) {
        if (s->array == part && s->kind == TSR_IR_GIVE)
            return;
        if (s->array == part && s->kind == TSR_IR_RESERVE) {
            pass_unlink(block, before);
            continue;
        }
        drop_reserves(&s->body, NULL, part);
        drop_reserves(&s->other, NULL, part);
        before = s;
    }
}

static void find_bounds(tsr_ir_block *block)
{
    for (tsr_ir_stmt *s = block->first; s; s = s->next) {
        if (s->kind == TSR_IR_RESERVE && s->is_enough)
            drop_reserves(block, s, s->array);
        s->is_enough = false;
        find_bounds(&s->body);
        find_bounds(&s->other);
    }
}

tsr_status pass_room(tsr_ir *ir, tsr_error *err)
{
    (void)err;
    find_bounds(&ir->body);
    return TSR_OK;
}
