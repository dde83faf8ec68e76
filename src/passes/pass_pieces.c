/* An output that consists of one piece from one part is stored where it stays.
 *
 *     parts C: 1, pieces 1, about most      output C: f64[most]
 *     part C_part: C[0]
 *     reserve C_part: most          ->
 *     C_part[n] = x                         C[n] = x
 *     give C_part[0, n) as 0                trim C: n
 *     join C
 *
 * The room that is reserved at first is that of the output itself. */
#include "passes_internal.h"

static bool is_one(const tsr_ir_expr *x)
{
    return x->op == TSR_IR_INDEX && x->index == 1;
}

/* The value of a constant that the body declares; any other expression itself. */
static const tsr_ir_expr *value_of(const tsr_ir *ir, const tsr_ir_expr *x)
{
    const bool is_constant = x->op == TSR_IR_VAR && !x->var->is_mutable;
    const tsr_ir_stmt *const s = is_constant ? pass_declaration(ir->body.first, x->var) : NULL;
    return s ? s->expr : x;
}

static bool replace_in(void *arg, const tsr_ir_expr *x)
{
    const tsr_ir_array *const part = arg;
    if (x->array == part)
        pass_expr(x)->array = part->whole;
    if (x->by == part)
        pass_expr(x)->by = part->whole;
    return false;
}

/* Let the statements use the output instead of the part. */
static void replace(tsr_ir_block *block, const tsr_ir_array *part)
{
    for (tsr_ir_stmt *s = block->first; s; s = s->next) {
        (void)tsr_ir_any_of(s, replace_in, (void *)(uintptr_t)part);
        s->array = s->array == part ? part->whole : s->array;
        for (int i = 0; i < TSR_IR_MAX_FROM; i++)
            s->from[i] = s->from[i] == part ? part->whole : s->from[i];
        replace(&s->body, part);
        replace(&s->other, part);
    }
}

/* The statement of this kind about the array, in the body itself; whole: about a part of this output. NULL: there is none, or not exactly
 * one. */
static tsr_ir_stmt *only(const tsr_ir *ir, tsr_ir_stmt_kind kind, const tsr_ir_array *array,
                         const tsr_ir_array *whole)
{
    tsr_ir_stmt *found = NULL;
    int n = 0;
    for (tsr_ir_stmt *s = ir->body.first; s; s = s->next)
        if (s->kind == kind && (whole ? s->array->whole == whole : s->array == array)) {
            found = s;
            n++;
        }
    return n == 1 ? found : NULL;
}

/* Take out the statements of the body that the output no longer needs. */
static void drop(tsr_ir *ir, const tsr_ir_array *output, const tsr_ir_array *part)
{
    for (tsr_ir_stmt *before = NULL, *s = ir->body.first; s; s = before ? before->next : ir->body.first) {
        const bool reserves = s->kind == TSR_IR_RESERVE && s->array == output &&
                              pass_is_same(value_of(ir, s->expr), value_of(ir, output->length));
        if ((s->kind == TSR_IR_ARRAY && s->array == part) || (s->kind == TSR_IR_JOIN && s->array == output) ||
            reserves)
            pass_unlink(&ir->body, before);
        else
            before = s;
    }
}

static void store_directly(tsr_ir *ir, tsr_ir_stmt *parts)
{
    const tsr_ir_array *const output = parts->array;
    tsr_ir_stmt *const declared = only(ir, TSR_IR_ARRAY, NULL, output);
    const tsr_ir_array *const part = declared ? declared->array : NULL;
    tsr_ir_stmt *const give = part ? only(ir, TSR_IR_GIVE, part, NULL) : NULL;
    if (!give || !only(ir, TSR_IR_JOIN, output, NULL) || give->lo->op != TSR_IR_INDEX || give->lo->index != 0)
        return;
    pass_array(output)->length = parts->hi;
    *parts = (tsr_ir_stmt){.next = parts->next, .kind = TSR_IR_ARRAY, .array = output};
    *give = (tsr_ir_stmt){.next = give->next, .kind = TSR_IR_TRIM, .array = output, .expr = give->hi};
    declared->index = NULL;
    drop(ir, output, part); /* the declaration of the part, which `replace` must not see */
    replace(&ir->body, part);
    drop(ir, output, part);
}

tsr_status pass_pieces(tsr_ir *ir, tsr_error *err)
{
    (void)err;
    for (tsr_ir_stmt *s = ir->body.first; s; s = s->next)
        if (s->kind == TSR_IR_PARTS && is_one(s->expr) && is_one(s->lo))
            store_directly(ir, s);
    return TSR_OK;
}
