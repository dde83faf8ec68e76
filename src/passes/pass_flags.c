/* What is known before the program runs is not computed.
 *
 *     var sum: f64 = -0.0
 *     var any: bool = false
 *     sum += x                      let sum: f64 = x
 *     any = true           ->       y[n] = sum
 *     if any
 *       y[n] = sum
 *
 * An `if` whose condition is known is replaced by the statements that run. An addition to a variable that is known to be neutral
 * (-0.0, or the integer 0: the sum is the same bit for bit) is an assignment. A variable with one assignment that nothing
 * reads before is declared there, as a constant. A value that only the next stores read once is written there. A variable that
 * nothing reads is left out. */
#include <math.h>

#include "passes_internal.h"
#include "tsr_alloc.h"

/* The values that variables are known to have at the current statement, by number; NULL: unknown. */
typedef struct known {
    const tsr_ir_expr **value;
} known;

static bool is_constant(const tsr_ir_expr *x)
{
    return x->op == TSR_IR_INDEX || (x->op == TSR_IR_VALUE && x->type.lanes == 1);
}

/* Whether y + x is x, bit for bit, for every x. */
static bool is_neutral(const tsr_ir_expr *y)
{
    if (!y || !is_constant(y))
        return false;
    if (y->op == TSR_IR_INDEX)
        return y->type.kind == TSR_IR_IS_INDEX && y->index == 0;
    const char class = tsr_type_class(y->type.type);
    return y->value == 0 && ((class == 'R' && signbit(y->value)) || class == 'I' || class == 'U');
}

/* 1: true, 0: false, -1: unknown. */
static int truth(const known *k, const tsr_ir_expr *x)
{
    if (x->type.kind != TSR_IR_IS_BOOL || x->type.lanes > 1)
        return -1;
    if (x->op == TSR_IR_INDEX)
        return x->index != 0;
    if (x->op == TSR_IR_VAR)
        return k->value[x->var->number] ? k->value[x->var->number]->index != 0 : -1;
    const int inner = x->op == TSR_IR_NOT ? truth(k, x->arg[0]) : -1;
    return inner < 0 ? -1 : !inner;
}

static bool forget(void *arg, const tsr_ir_stmt *s)
{
    if (s->kind == TSR_IR_ASSIGN)
        ((const known *)arg)->value[s->var->number] = NULL;
    return false;
}

/* Forget what the blocks of the statement assign. */
static void forget_assigned(known *k, const tsr_ir_stmt *s)
{
    (void)tsr_ir_any_stmt(s->body.first, NULL, forget, k);
    (void)tsr_ir_any_stmt(s->other.first, NULL, forget, k);
}

static bool declares(const tsr_ir_block *block)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next)
        if (s->kind == TSR_IR_DECLARE || s->kind == TSR_IR_ARRAY)
            return true;
    return false;
}

/* Replace the statement after `before` by those of its block that run, unless their names might clash with later ones. */
static bool replace_if(tsr_ir_block *block, tsr_ir_stmt *before, bool is_true)
{
    tsr_ir_stmt *const s = before ? before->next : block->first;
    const tsr_ir_block inner = is_true ? s->body : s->other;
    if (declares(&inner) && s->next)
        return false;
    tsr_ir_stmt *const next = s->next, *const first = inner.first ? inner.first : next;
    if (before)
        before->next = first;
    else
        block->first = first;
    if (inner.first)
        inner.last->next = next;
    if (block->last == s)
        block->last = inner.first ? inner.last : before;
    return true;
}

static void fold_block(known *k, tsr_ir_block *block);

/* The blocks of a loop or an if: what they assign is unknown in them and after them. */
static void fold_inner(known *k, tsr_ir_stmt *s)
{
    forget_assigned(k, s);
    fold_block(k, &s->body);
    forget_assigned(k, s);
    fold_block(k, &s->other);
    forget_assigned(k, s);
}

static void fold_block(known *k, tsr_ir_block *block)
{
    for (tsr_ir_stmt *before = NULL, *s = block->first; s; s = before ? before->next : block->first) {
        if (s->kind == TSR_IR_IF && truth(k, s->expr) >= 0 && replace_if(block, before, truth(k, s->expr)))
            continue;
        if (s->kind == TSR_IR_ASSIGN && s->add && is_neutral(k->value[s->var->number]))
            s->add = false;
        if (s->kind == TSR_IR_DECLARE || s->kind == TSR_IR_ASSIGN)
            k->value[s->var->number] = !s->add && is_constant(s->expr) ? s->expr : NULL;
        fold_inner(k, s);
        before = s;
    }
}

/* The only assignment to the variable that s declares, if it stands in the same block and nothing reads the variable before;
 * else NULL. */
static tsr_ir_stmt *only_assignment(const pass_uses *uses, const tsr_ir_stmt *s)
{
    if (s->kind != TSR_IR_DECLARE || !s->var->is_mutable || uses->assigns[s->var->number] != 1)
        return NULL;
    for (tsr_ir_stmt *t = s->next; t; t = t->next) {
        if (t->kind == TSR_IR_ASSIGN && t->var == s->var)
            return t->add || tsr_ir_reads(t->expr, s->var) ? NULL : t;
        if (tsr_ir_stmt_reads(t, s->var))
            return NULL;
    }
    return NULL;
}

/* Whether x reads an array that the program writes. */
static bool is_written(void *arg, const tsr_ir_expr *x)
{
    (void)arg;
    return x->by || (x->array && !(x->array->place == TSR_IR_PARAM && x->array->is_const));
}

/* The store after s, with other stores between at most, that stores the value which s declares and nothing else reads; or
 * NULL. The arrays that the value reads are only read. */
static tsr_ir_stmt *only_store(const pass_uses *uses, const tsr_ir_stmt *s)
{
    if (s->kind != TSR_IR_DECLARE || s->var->is_mutable || s->var->type.kind != TSR_IR_IS_VALUE ||
        uses->reads[s->var->number] != 1 || tsr_ir_any(s->expr, is_written, NULL))
        return NULL;
    for (tsr_ir_stmt *t = s->next; t && t->kind == TSR_IR_STORE; t = t->next)
        if (t->expr->op == TSR_IR_VAR && t->expr->var == s->var)
            return t;
    return NULL;
}

/* Declare variables at their only assignment, and leave out variables that nothing reads; returns whether the block changed. */
static bool clean_block(const pass_uses *uses, tsr_ir_block *block)
{
    bool changed = false;
    for (tsr_ir_stmt *before = NULL, *s = block->first; s; s = before ? before->next : block->first) {
        const bool sets = s->kind == TSR_IR_DECLARE || s->kind == TSR_IR_ASSIGN;
        tsr_ir_stmt *const only = only_assignment(uses, s);
        if (only) {
            only->kind = TSR_IR_DECLARE;
            pass_var(s->var)->is_mutable = false;
        }
        tsr_ir_stmt *const store = only_store(uses, s);
        if (store)
            store->expr = s->expr;
        if (only || store || (sets && uses->reads[s->var->number] == 0)) {
            pass_unlink(block, before);
            changed = true;
            continue;
        }
        changed |= clean_block(uses, &s->body);
        changed |= clean_block(uses, &s->other);
        before = s;
    }
    return changed;
}

tsr_status pass_flags(tsr_ir *ir, tsr_error *err)
{
    known k = {.value = tsr_calloc((size_t)ir->nvars + 1, sizeof *k.value)};
    if (!k.value)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a pass over loop program %s", ir->name);
    fold_block(&k, &ir->body);
    tsr_free(k.value);
    for (bool changed = true; changed;) {
        pass_uses uses;
        TSR_TRY(pass_count(&uses, ir, err));
        changed = clean_block(&uses, &ir->body);
        pass_uses_clear(&uses);
    }
    return TSR_OK;
}
