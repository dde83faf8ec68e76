/* Analyses before the text is written: the variables that are used, the indices that are never negative, and
 * the expressions that do not change in a loop. */
#include "emit_internal.h"

/* ---- used variables and arrays ---- */

/* Mark the variables and arrays of x as used; returns whether a mark is new. */
static bool use(emit *e, const tsr_ir_expr *x)
{
    if (!x)
        return false;
    bool changed = false;
    if (x->var && !e->is_used[x->var->number])
        changed = e->is_used[x->var->number] = true;
    if (x->array && !e->array_is_used[x->array->number])
        changed = e->array_is_used[x->array->number] = true;
    if (x->by && !e->array_is_used[x->by->number])
        changed = e->array_is_used[x->by->number] = true;
    for (int i = 0; i < 3; i++)
        changed |= use(e, x->arg[i]);
    return changed;
}

static bool is_empty(const emit *e, const tsr_ir_block *block)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next)
        if (s->kind != TSR_IR_COMMENT && !emit_is_dead(e, s))
            return false;
    return true;
}

/* Whether another array that the statement writes is used: the values of a row, or the number of its elements. */
static bool is_written_beside(const emit *e, const tsr_ir_stmt *s)
{
    const bool is_row = s->kind == TSR_IR_UNITE || s->kind == TSR_IR_INTERSECT || s->kind == TSR_IR_MULTIPLY;
    return is_row && (e->array_is_used[s->from[4]->number] || e->array_is_used[s->from[5]->number]);
}

bool emit_is_dead(const emit *e, const tsr_ir_stmt *s)
{
    if (s->kind == TSR_IR_FOR || s->kind == TSR_IR_IF)
        return is_empty(e, &s->body) && is_empty(e, &s->other);
    if (s->kind == TSR_IR_DECLARE || s->kind == TSR_IR_ASSIGN)
        return !e->is_used[s->var->number];
    const bool is_own = s->array && (s->array->place == TSR_IR_LOCAL || s->array->place == TSR_IR_HEAP);
    return is_own && !e->array_is_used[s->array->number] && !is_written_beside(e, s);
}

static bool use_block(emit *e, const tsr_ir_block *block)
{
    bool changed = false;
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        if (emit_is_dead(e, s))
            continue;
        if (s->array && !e->array_is_used[s->array->number])
            changed = e->array_is_used[s->array->number] = true;
        if (s->kind == TSR_IR_ARRAY && s->array->place == TSR_IR_PART) {
            changed |= !e->array_is_used[s->array->whole->number];
            e->array_is_used[s->array->whole->number] = true;
        }
        if (s->kind == TSR_IR_ARRAY)
            changed |= use(e, s->array->length);
        changed |= use(e, s->expr);
        changed |= use(e, s->index);
        changed |= use(e, s->lo);
        changed |= use(e, s->hi);
        for (int i = 0; i < TSR_IR_MAX_RANGE; i++)
            changed |= use(e, s->range[i]);
        for (int i = 0; i < TSR_IR_MAX_FROM; i++)
            if (s->from[i] && !e->array_is_used[s->from[i]->number])
                changed = e->array_is_used[s->from[i]->number] = true;
        changed |= use_block(e, &s->body);
        changed |= use_block(e, &s->other);
    }
    return changed;
}

/* ---- indices that are never negative ---- */

static bool same(const tsr_ir_expr *a, const tsr_ir_expr *b)
{
    return a->op == b->op &&
           ((a->op == TSR_IR_VAR && a->var == b->var) || (a->op == TSR_IR_INDEX && a->index == b->index));
}

void emit_learn(emit *e, const tsr_ir_expr *condition)
{
    if (condition->op == TSR_IR_AND) {
        emit_learn(e, condition->arg[0]);
        emit_learn(e, condition->arg[1]);
    } else if ((condition->op == TSR_IR_LT || condition->op == TSR_IR_LE) &&
               condition->arg[0]->type.kind == TSR_IR_IS_INDEX && e->nfacts < EMIT_MAX_FACTS) {
        e->fact[e->nfacts++] = (emit_fact){condition->arg[0], condition->arg[1]};
    }
}

static bool reads(const tsr_ir_expr *x, const tsr_ir_var *var)
{
    if (!x)
        return false;
    return x->var == var || reads(x->arg[0], var) || reads(x->arg[1], var) || reads(x->arg[2], var);
}

void emit_forget(emit *e, const tsr_ir_var *var)
{
    for (int i = 0; i < e->nfacts; i++)
        if (reads(e->fact[i].less, var) || reads(e->fact[i].more, var))
            e->fact[i].less = e->fact[i].more; /* x <= x: always true */
}

void emit_forget_assigned(emit *e, const tsr_ir_block *block)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        if (s->kind == TSR_IR_ASSIGN)
            emit_forget(e, s->var);
        emit_forget_assigned(e, &s->body);
        emit_forget_assigned(e, &s->other);
    }
}

bool emit_is_natural(const emit *e, const tsr_ir_expr *x)
{
    switch (x->op) {
    case TSR_IR_INDEX:
        return x->index >= 0;
    case TSR_IR_VAR:
        return e->is_natural[x->var->number];
    case TSR_IR_LOAD:
    case TSR_IR_MOD:
    case TSR_IR_GATHER:
    case TSR_IR_MASK:
    case TSR_IR_BIT:
    case TSR_IR_MIX:
        return true;
    case TSR_IR_ADD:
    case TSR_IR_MUL:
    case TSR_IR_MIN:
        return emit_is_natural(e, x->arg[0]) && emit_is_natural(e, x->arg[1]);
    case TSR_IR_MAX:
        return emit_is_natural(e, x->arg[0]) || emit_is_natural(e, x->arg[1]);
    case TSR_IR_FLOORDIV:
        return emit_is_natural(e, x->arg[0]);
    case TSR_IR_SELECT:
        return emit_is_natural(e, x->arg[1]) && emit_is_natural(e, x->arg[2]);
    case TSR_IR_SUB:
        for (int i = 0; i < e->nfacts; i++)
            if (same(x->arg[0], e->fact[i].more) && same(x->arg[1], e->fact[i].less))
                return true;
        return false;
    default:
        return false;
    }
}

/* Clear is_natural of the variables that the block may make negative; returns whether a variable changed. */
static bool strike(emit *e, const tsr_ir_block *block)
{
    bool changed = false;
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        const int nfacts = e->nfacts;
        const tsr_ir_expr *x = s->kind == TSR_IR_FOR ? s->lo : s->expr;
        const bool sets = s->kind == TSR_IR_FOR || s->kind == TSR_IR_DECLARE || s->kind == TSR_IR_ASSIGN;
        if (sets && s->var->type.kind == TSR_IR_IS_INDEX && e->is_natural[s->var->number] &&
            !emit_is_natural(e, x)) {
            e->is_natural[s->var->number] = false;
            changed = true;
        }
        if (s->kind == TSR_IR_ASSIGN)
            emit_forget(e, s->var);
        if (s->kind == TSR_IR_WHILE || s->kind == TSR_IR_FOR)
            emit_forget_assigned(e, &s->body);
        if (s->kind == TSR_IR_WHILE || s->kind == TSR_IR_IF)
            emit_learn(e, s->expr);
        changed |= strike(e, &s->body);
        e->nfacts = nfacts;
        changed |= strike(e, &s->other);
    }
    return changed;
}

void emit_analyse(emit *e)
{
    while (use_block(e, &e->ir->body)) {
    }
    for (int i = 0; i < e->ir->nvars; i++)
        e->is_natural[i] = true;
    while (strike(e, &e->ir->body)) {
    }
}

/* ---- loop invariants ---- */

static bool assigns(const tsr_ir_block *block, const tsr_ir_var *var)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next)
        if ((s->kind == TSR_IR_ASSIGN && s->var == var) || assigns(&s->body, var) || assigns(&s->other, var))
            return true;
    return false;
}

bool emit_is_invariant(const tsr_ir_expr *x, const tsr_ir_stmt *loop)
{
    if (!x)
        return true;
    if (x->op == TSR_IR_VAR && x->var->is_mutable && assigns(&loop->body, x->var))
        return false;
    if ((x->array && !(x->array->place == TSR_IR_PARAM && x->array->is_const)) ||
        (x->by && !(x->by->place == TSR_IR_PARAM && x->by->is_const)))
        return false;
    return emit_is_invariant(x->arg[0], loop) && emit_is_invariant(x->arg[1], loop) &&
           emit_is_invariant(x->arg[2], loop);
}
