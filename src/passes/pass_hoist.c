/* A value that a loop would load in each step from the same place is loaded once, before the loop.
 *
 *     for p in [lo, hi)                          for p in [lo, hi)
 *       for q in [pos[p], pos[p + 1])              let A_value: f64 = A[p]
 *         y[crd[q]] += A[p] * B[q]        ->       for q in [pos[p], pos[p + 1])
 *                                                    y[crd[q]] += A_value * B[q]
 *
 * The array is only read, and the place is the variable of a loop around: it has the element even where the loop inside has no steps. A
 * load that only runs under a condition stays: perhaps the condition never holds. A declaration of such a value is not needed any more. */
#include <stdio.h>

#include "passes_internal.h"
#include "tsr_alloc.h"

typedef struct pass {
    tsr_ir *ir;
    int nvars;    /* before the pass */
    bool *around; /* nvars: the variable of a loop around */
    const tsr_ir_expr *load, *value,
        **same; /* what is replaced by what; nvars: instead of a variable that is that load */
} pass;

static bool is_loop(const tsr_ir_stmt *s)
{
    return s->kind == TSR_IR_FOR || s->kind == TSR_IR_WHILE;
}

/* Whether x is a load that may stand before the loops inside; then it is p->load. */
static bool is_fixed(void *arg, const tsr_ir_expr *x)
{
    pass *const p = arg;
    if (x->op != TSR_IR_LOAD || !x->array->is_const || x->array->place != TSR_IR_PARAM ||
        x->type.lanes != 1 || x->arg[0]->op != TSR_IR_VAR || x->arg[0]->var->number >= p->nvars ||
        !p->around[x->arg[0]->var->number])
        return false;
    p->load = x;
    return true;
}

/* Find such a load that each step of the block runs, or of a loop in it. */
static bool find(pass *p, const tsr_ir_block *block)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next)
        if ((s->kind != TSR_IR_PREFETCH && s->kind != TSR_IR_ARRAY && tsr_ir_any_of(s, is_fixed, p)) ||
            (is_loop(s) && find(p, &s->body)))
            return true;
    return false;
}

static bool is_load(const pass *p, const tsr_ir_expr *x)
{
    return pass_is_same(x, p->load) && x->type.kind == p->load->type.kind &&
           x->type.type == p->load->type.type && x->type.lanes == 1;
}

static const tsr_ir_expr *edit(void *arg, const tsr_ir_expr *x)
{
    const pass *const p = arg;
    if (x->op == TSR_IR_VAR)
        return x->var->number < p->nvars ? p->same[x->var->number] : NULL;
    return x->op == TSR_IR_LOAD && is_load(p, x) ? p->value : NULL;
}

/* Replace the load in the statements of the block. */
static void replace(pass *p, tsr_ir_block *block)
{
    const tsr_ir_copier copier = {.b = p->ir->builder, .edit = edit, .arg = p};
    for (tsr_ir_stmt *before = NULL, *s = block->first; s; s = before ? before->next : block->first) {
        if (s->kind == TSR_IR_DECLARE && !s->var->is_mutable && is_load(p, s->expr)) {
            p->same[s->var->number] = p->value;
            pass_unlink(block, before);
            continue;
        }
        const tsr_ir_expr **const own[] = {&s->expr, &s->index, &s->lo, &s->hi};
        for (int i = 0; i < 4; i++)
            *own[i] = *own[i] ? tsr_ir_copy_expr(&copier, *own[i]) : NULL;
        for (int i = 0; i < TSR_IR_MAX_RANGE; i++)
            s->range[i] = s->range[i] ? tsr_ir_copy_expr(&copier, s->range[i]) : NULL;
        replace(p, &s->body);
        replace(p, &s->other);
        before = s;
    }
}

static tsr_status visit_block(pass *p, tsr_ir_block *block, tsr_error *err)
{
    for (tsr_ir_stmt *before = NULL, *s = block->first; s; before = s, s = s->next) {
        while (is_loop(s) && find(p, &s->body)) {
            char name[80];
            snprintf(name, sizeof name, "%.70s_value", p->load->array->name);
            tsr_ir_begin_insert(p->ir, block, before);
            p->value = tsr_ir_declare(p->ir->builder, name, p->load, false);
            TSR_TRY(tsr_ir_end_insert(p->ir, err));
            before = before ? before->next : block->first;
            tsr_ir_block rest = {s, block->last};
            replace(p, &rest);
            block->last = rest.last;
        }
        if (s->kind == TSR_IR_FOR)
            p->around[s->var->number] = true;
        TSR_TRY(visit_block(p, &s->body, err));
        TSR_TRY(visit_block(p, &s->other, err));
        if (s->kind == TSR_IR_FOR)
            p->around[s->var->number] = false;
    }
    return TSR_OK;
}

tsr_status pass_hoist(tsr_ir *ir, tsr_error *err)
{
    const size_t n = (size_t)ir->nvars + 1;
    pass p = {.ir = ir,
              .nvars = ir->nvars,
              .around = tsr_calloc(n, sizeof *p.around),
              .same = tsr_calloc(n, sizeof *p.same)};
    const tsr_status status = p.around && p.same ? visit_block(&p, &ir->body, err)
                                                 : tsr_fail(err, TSR_NOMEM, "out of memory: a loop program");
    tsr_free(p.around);
    tsr_free(p.same);
    return status;
}
