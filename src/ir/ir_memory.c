/* The memory that a program will take, told from its index arguments before it runs. */
#include <math.h>

#include "ir_internal.h"
#include "tsr_alloc.h"

/* What is known of variables: NaN for those that only a run tells. */
typedef struct known {
    const tsr_ir *ir;
    double *value; /* ir->nvars */
} known;

/* The value of an index expression; NaN where it is not known. Sizes are multiplied as doubles: what is over
 * 2^63 must not wrap around to something small. */
static double evaluate(const known *k, const tsr_ir_expr *e)
{
    if (e->op == TSR_IR_INDEX)
        return (double)e->index;
    if (e->op == TSR_IR_VAR)
        return k->value[e->var->number];
    if (!e->arg[0] || !e->arg[1] || e->arg[2])
        return NAN;
    const double a = evaluate(k, e->arg[0]), b = evaluate(k, e->arg[1]);
    if (isnan(a) || isnan(b))
        return NAN;
    switch (e->op) {
    case TSR_IR_ADD:
        return a + b;
    case TSR_IR_SUB:
        return a - b;
    case TSR_IR_MUL:
        return a * b;
    case TSR_IR_FLOORDIV:
        return b > 0 ? floor(a / b) : NAN;
    case TSR_IR_MIN:
        return fmin(a, b);
    case TSR_IR_MAX:
        return fmax(a, b);
    default:
        return NAN;
    }
}

/* Heap arrays stand in no block but the body, and so do the constants that their lengths are made of. */
static double add_up(known *k)
{
    double nbytes = 0;
    for (const tsr_ir_stmt *s = k->ir->body.first; s; s = s->next) {
        if (s->kind == TSR_IR_DECLARE && !s->var->is_mutable && s->var->type.kind == TSR_IR_IS_INDEX)
            k->value[s->var->number] = evaluate(k, s->expr);
        if (s->kind != TSR_IR_ARRAY || s->array->place != TSR_IR_HEAP)
            continue;
        const double n = evaluate(k, s->array->length);
        nbytes += isnan(n) ? 0 : n * (double)tsr_type_nbytes(s->array->elem);
    }
    return nbytes;
}

bool tsr_ir_takes_memory(const tsr_ir *ir)
{
    for (const tsr_ir_stmt *s = ir->body.first; s; s = s->next)
        if (s->kind == TSR_IR_ARRAY && s->array->place == TSR_IR_HEAP)
            return true;
    return false;
}

tsr_status tsr_ir_memory(double *nbytes, const tsr_ir *ir, const int64_t *args, tsr_error *err)
{
    known k = {.ir = ir, .value = tsr_malloc(((size_t)ir->nvars + 1) * sizeof *k.value)};
    *nbytes = 0;
    if (!k.value)
        return tsr_fail(err, TSR_NOMEM, "out of memory: %d variables of a program", ir->nvars);
    for (int v = 0; v < ir->nvars; v++)
        k.value[v] = NAN;
    for (int i = 0; i < ir->nparams; i++)
        if (ir->param[i].var && args[i] >= 0)
            k.value[ir->param[i].var->number] = (double)args[i];
    *nbytes = add_up(&k);
    tsr_free(k.value);
    return TSR_OK;
}
