/* Copies of statements: at another place of the same program, or in a program that is built anew. */
#include "ir_internal.h"

static const tsr_ir_expr *copy_of_var(const tsr_ir_copier *c, const tsr_ir_var *var)
{
    return var->number < c->nvars ? c->var[var->number] : NULL;
}

static const tsr_ir_expr *copy_leaf(const tsr_ir_copier *c, const tsr_ir_expr *x)
{
    if (x->op == TSR_IR_VAR)
        return copy_of_var(c, x->var) ? copy_of_var(c, x->var) : x;
    if (!c->anew)
        return x;
    if (x->op == TSR_IR_VALUE)
        return tsr_ir_value(c->b, x->type, x->value);
    return x->type.kind == TSR_IR_IS_BOOL ? tsr_ir_bool(c->b, x->index) : tsr_ir_index(c->b, x->index);
}

static const tsr_ir_array *copy_of(const tsr_ir_copier *c, const tsr_ir_array *array)
{
    return array && array->number < c->narrays && c->array[array->number] ? c->array[array->number] : array;
}

const tsr_ir_expr *tsr_ir_copy_expr(const tsr_ir_copier *c, const tsr_ir_expr *x)
{
    const tsr_ir_expr *const edited = x && c->edit ? c->edit(c->arg, x) : NULL, *arg[3] = {0};
    if (!x || edited)
        return edited;
    if (x->op == TSR_IR_INDEX || x->op == TSR_IR_VALUE || x->op == TSR_IR_VAR)
        return copy_leaf(c, x);
    bool same = !c->anew && copy_of(c, x->array) == x->array && copy_of(c, x->by) == x->by;
    for (int i = 0; i < ir_op_nargs(x->op); i++) {
        arg[i] = tsr_ir_copy_expr(c, x->arg[i]);
        same = same && arg[i] == x->arg[i];
    }
    return same ? x : tsr_ir_like(c->b, x, arg, copy_of(c, x->array), copy_of(c, x->by));
}

/* Declare the copy of an array. A copy in the same program is not visible where the array itself is, and has its name. */
static void copy_array(const tsr_ir_copier *c, const tsr_ir_stmt *s)
{
    const tsr_ir_array *const a = s->array;
    const tsr_ir_expr *const length = tsr_ir_copy_expr(c, a->length);
    if (a->place == TSR_IR_PART)
        c->array[a->number] = tsr_ir_part_new(c->b, copy_of(c, a->whole), tsr_ir_copy_expr(c, s->index));
    else if (a->place == TSR_IR_OUTPUT)
        tsr_ir_output_new(c->b, copy_of(c, a), length, s->zeroed);
    else if (!c->anew)
        c->array[a->number] = ir_same_array(c->b, a, s->zeroed);
    else if (a->is_index)
        c->array[a->number] = tsr_ir_index_array_new(c->b, a->name, a->elem, a->place, length, s->zeroed);
    else
        c->array[a->number] = tsr_ir_array_new(c->b, a->name, a->elem, a->place, length, s->zeroed);
}

void tsr_ir_copy_block(const tsr_ir_copier *c, const tsr_ir_block *block)
{
    for (const tsr_ir_stmt *s = block->first; s && c->b->fault == TSR_OK; s = s->next)
        if (c->stmt)
            c->stmt(c->arg, s);
        else
            tsr_ir_copy_stmt(c, s);
}

/* The statement with copies of its expressions and arrays instead of its own, without its blocks. */
static tsr_ir_stmt copy_fields(const tsr_ir_copier *c, const tsr_ir_stmt *s)
{
    tsr_ir_stmt copy = *s;
    copy.next = NULL;
    copy.body = copy.other = (tsr_ir_block){0};
    copy.array = copy_of(c, s->array);
    copy.index = tsr_ir_copy_expr(c, s->index);
    copy.lo = tsr_ir_copy_expr(c, s->lo);
    copy.hi = tsr_ir_copy_expr(c, s->hi);
    copy.expr = tsr_ir_copy_expr(c, s->expr);
    for (int i = 0; i < TSR_IR_MAX_FROM; i++)
        copy.from[i] = copy_of(c, s->from[i]);
    for (int i = 0; i < TSR_IR_MAX_RANGE; i++)
        copy.range[i] = tsr_ir_copy_expr(c, s->range[i]);
    return copy;
}

void tsr_ir_copy_stmt(const tsr_ir_copier *c, const tsr_ir_stmt *s)
{
    if (s->kind == TSR_IR_ARRAY) {
        copy_array(c, s);
        return;
    }
    if (s->kind == TSR_IR_COMMENT) {
        tsr_ir_comment(c->b, "%s", s->text);
        return;
    }
    tsr_ir_stmt copy = copy_fields(c, s);
    if (s->kind == TSR_IR_ASSIGN && copy_of_var(c, s->var))
        copy.var = copy_of_var(c, s->var)->var;
    const bool declares = s->kind == TSR_IR_DECLARE || s->kind == TSR_IR_FOR;
    const bool has_blocks = s->kind == TSR_IR_FOR || s->kind == TSR_IR_WHILE || s->kind == TSR_IR_IF;
    tsr_ir_stmt *const added = ir_add_stmt(c->b, &copy, has_blocks);
    if (!added)
        return;
    if (declares) {
        added->var = ir_copy_var(c->b, s->var, c->anew);
        c->var[s->var->number] = tsr_ir_read(c->b, added->var);
    }
    if (!has_blocks)
        return;
    tsr_ir_copy_block(c, &s->body);
    if (s->other.first) {
        tsr_ir_else(c->b);
        tsr_ir_copy_block(c, &s->other);
    }
    tsr_ir_end(c->b);
}
