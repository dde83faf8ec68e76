/* The table of passes, and what they share. */

#include "passes_internal.h"
#include "tsr_alloc.h"

static pass_function *const passes[TSR_NPASSES] = {
#define X(NAME, name) pass_##name,
#include "passes.def"
#undef X
};

tsr_status tsr_passes_run(tsr_ir *ir, uint32_t without, tsr_error *err)
{
    for (int k = 0; k < TSR_NPASSES; k++)
        if (!(without >> k & 1))
            TSR_TRY(passes[k](ir, err));
    return tsr_ir_verify(ir, err);
}

const tsr_ir_stmt *pass_declaration(const tsr_ir_stmt *s, const tsr_ir_var *var)
{
    while (s && !(s->kind == TSR_IR_DECLARE && s->var == var))
        s = s->next;
    return s;
}

bool pass_is_same(const tsr_ir_expr *x, const tsr_ir_expr *y)
{
    if (!x || !y || x->op != y->op || x->index != y->index || x->var != y->var || x->array != y->array)
        return x == y;
    if (x->array && !(x->array->place == TSR_IR_PARAM && x->array->is_const))
        return false;
    if (x->var && x->var->is_mutable)
        return false;
    for (int i = 0; i < 3; i++)
        if (!pass_is_same(x->arg[i], y->arg[i]))
            return false;
    return true;
}

void pass_unlink(tsr_ir_block *block, tsr_ir_stmt *before)
{
    tsr_ir_stmt *const s = before ? before->next : block->first;
    if (before)
        before->next = s->next;
    else
        block->first = s->next;
    if (block->last == s)
        block->last = before;
}

/* ---- loops that are asked for ---- */

tsr_status pass_each_loop(tsr_ir *ir, tsr_ir_block *block, tsr_ir_mark mark, pass_loop *visit, tsr_error *err)
{
    for (tsr_ir_stmt *before = NULL, *s = block->first; s; before = s, s = s->next) {
        TSR_TRY(pass_each_loop(ir, &s->body, mark, visit, err));
        TSR_TRY(pass_each_loop(ir, &s->other, mark, visit, err));
        if (s->kind != TSR_IR_FOR || !(s->marks & mark))
            continue;
        s->marks &= ~(unsigned)mark;
        TSR_TRY(visit(ir, block, before, s, err));
        s->each = 0;
        s->index = NULL;
    }
    return TSR_OK;
}

tsr_status pass_copier_init(tsr_ir_copier *c, const tsr_ir *ir, tsr_error *err)
{
    *c = (tsr_ir_copier){.b = ir->builder,
                         .nvars = ir->nvars,
                         .narrays = ir->narrays,
                         .var = tsr_calloc((size_t)ir->nvars + 1, sizeof *c->var),
                         .array = tsr_calloc((size_t)ir->narrays + 1, sizeof *c->array)};
    if (c->var && c->array)
        return TSR_OK;
    pass_copier_clear(c);
    return tsr_fail(err, TSR_NOMEM, "out of memory: a pass over loop program %s", ir->name);
}

void pass_copier_clear(tsr_ir_copier *c)
{
    tsr_free(c->var);
    tsr_free(c->array);
    *c = (tsr_ir_copier){0};
}

void pass_open_groups(pass_grouping *g, tsr_ir_builder *b, const tsr_ir_stmt *loop)
{
    const tsr_ir_expr *const each = tsr_ir_index(b, loop->each), *const zero = tsr_ir_index(b, 0);
    g->begin = tsr_ir_declare(b, "begin", loop->lo, false);
    g->end = tsr_ir_declare(b, "end", loop->hi, false);
    const tsr_ir_expr *const n = tsr_ir_op2(b, TSR_IR_MAX, tsr_ir_sub(b, g->end, g->begin), zero);
    g->n = tsr_ir_declare(b, "ngroups", tsr_ir_op2(b, TSR_IR_FLOORDIV, n, each), false);
    const tsr_ir_expr *const group = tsr_ir_for(b, "group", zero, g->n, 0);
    g->first = tsr_ir_declare(b, "first", tsr_ir_add(b, g->begin, tsr_ir_mul(b, group, each)), false);
}

void pass_close_groups(const pass_grouping *g, tsr_ir_builder *b, tsr_ir_stmt *loop)
{
    tsr_ir_end(b);
    loop->lo = tsr_ir_add(b, g->begin, tsr_ir_mul(b, g->n, tsr_ir_index(b, loop->each)));
    loop->hi = g->end;
}

/* ---- uses ---- */

static bool count_read(void *arg, const tsr_ir_expr *x)
{
    if (x->var)
        ((pass_uses *)arg)->reads[x->var->number]++;
    return false;
}

static bool count(void *arg, const tsr_ir_stmt *s)
{
    if (s->kind == TSR_IR_ASSIGN)
        ((pass_uses *)arg)->assigns[s->var->number]++;
    return tsr_ir_any_of(s, count_read, arg);
}

tsr_status pass_count(pass_uses *out, const tsr_ir *ir, tsr_error *err)
{
    const size_t nvars = (size_t)ir->nvars + 1;
    *out = (pass_uses){.reads = tsr_calloc(nvars, sizeof *out->reads),
                       .assigns = tsr_calloc(nvars, sizeof *out->assigns)};
    if (!out->reads || !out->assigns) {
        pass_uses_clear(out);
        return tsr_fail(err, TSR_NOMEM, "out of memory: a pass over loop program %s", ir->name);
    }
    (void)tsr_ir_any_stmt(ir->body.first, NULL, count, out);
    for (int i = 0; i < ir->nparams; i++)
        if (ir->param[i].array && ir->param[i].array->place == TSR_IR_PARAM)
            (void)tsr_ir_any(ir->param[i].array->length, count_read, out);
    return TSR_OK;
}

void pass_uses_clear(pass_uses *uses)
{
    tsr_free(uses->reads);
    tsr_free(uses->assigns);
    *uses = (pass_uses){0};
}
