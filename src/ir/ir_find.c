/* Whether something is in an expression, in a statement or in a block. */
#include "ir_internal.h"

bool tsr_ir_any(const tsr_ir_expr *x, tsr_ir_test *is, void *arg)
{
    return x && (is(arg, x) || tsr_ir_any(x->arg[0], is, arg) || tsr_ir_any(x->arg[1], is, arg) ||
                 tsr_ir_any(x->arg[2], is, arg));
}

bool tsr_ir_any_of(const tsr_ir_stmt *s, tsr_ir_test *is, void *arg)
{
    const tsr_ir_expr *const own[] = {s->expr, s->index, s->lo, s->hi};
    bool found = s->kind == TSR_IR_ARRAY && tsr_ir_any(s->array->length, is, arg);
    for (int i = 0; i < 4 && !found; i++)
        found = tsr_ir_any(own[i], is, arg);
    for (int i = 0; i < TSR_IR_MAX_RANGE && !found; i++)
        found = tsr_ir_any(s->range[i], is, arg);
    return found;
}

bool tsr_ir_any_stmt(const tsr_ir_stmt *s, const tsr_ir_stmt *last, tsr_ir_stmt_test *is, void *arg)
{
    bool found = false;
    for (; s && !found; s = s == last ? NULL : s->next)
        found = is(arg, s) || tsr_ir_any_stmt(s->body.first, NULL, is, arg) ||
                tsr_ir_any_stmt(s->other.first, NULL, is, arg);
    return found;
}

static bool is_read(void *var, const tsr_ir_expr *x)
{
    return x->var == var;
}

bool tsr_ir_reads(const tsr_ir_expr *x, const tsr_ir_var *var)
{
    return tsr_ir_any(x, is_read, (void *)(uintptr_t)var);
}

static bool reads(void *var, const tsr_ir_stmt *s)
{
    return tsr_ir_any_of(s, is_read, var);
}

bool tsr_ir_stmt_reads(const tsr_ir_stmt *s, const tsr_ir_var *var)
{
    return tsr_ir_any_stmt(s, s, reads, (void *)(uintptr_t)var);
}

static bool is_load(void *arg, const tsr_ir_expr *x)
{
    (void)arg;
    return x->array || x->by;
}

bool tsr_ir_loads(const tsr_ir_expr *x)
{
    return tsr_ir_any(x, is_load, NULL);
}
