/* Whether compiled code gives the bits of the interpreter: a compiler may fuse a product with the sum that takes it, the lanes of a vector
 * add in another order, and threads add to one element in any order. Else each element is added to in the order of the program. */
#include <string.h>

#include "tsr_ir.h"

/* What a program does with real and complex values. */
typedef struct uses {
    const tsr_ir *ir;
    bool adds, sums;        /* adds two values; adds up values, one after the other */
    bool multiplies, fuses; /* fuses: the sum of a variable, which may hold a product */
    bool is_inexact;        /* does what alone may change the bits */
} uses;

static bool is_inexact_type(tsr_ir_type type)
{
    const char c = type.kind == TSR_IR_IS_VALUE ? tsr_type_class(type.type) : 'I';
    return c == 'R' || c == 'C';
}

/* The text of a function: compilers know powers, and see the sums and products of the others. The C text has an exp of its own. */
static void find_in_text(uses *u, const char *text)
{
    u->multiplies |= strpbrk(text, "*/") != NULL;
    u->adds |= strpbrk(text, "+-") != NULL;
    u->is_inexact |= strstr(text, "pow") != NULL || strcmp(text, "exp(x)") == 0;
}

static void find_in_expr(uses *u, const tsr_ir_expr *e)
{
    if (!e)
        return;
    const bool is_complex = e->type.kind == TSR_IR_IS_VALUE && tsr_type_class(e->type.type) == 'C';
    if (is_inexact_type(e->type)) {
        u->adds |= e->op == TSR_IR_ADD || e->op == TSR_IR_SUB;
        u->multiplies |= e->op == TSR_IR_MUL;
        u->is_inexact |= e->op == TSR_IR_HSUM || (is_complex && (e->op == TSR_IR_MUL || e->op == TSR_IR_DIV));
    }
    if (e->op == TSR_IR_CALL)
        find_in_text(u, e->function->text);
    for (int k = 0; k < 3; k++)
        find_in_expr(u, e->arg[k]);
}

/* A list of rows that are added or multiplied. */
static void find_in_rows(uses *u, const tsr_ir_stmt *s)
{
    const char c = tsr_type_class(s->from[4]->elem);
    if (s->kind == TSR_IR_MULTIPLY)
        u->is_inexact = true;
    if (c != 'R' && c != 'C')
        return;
    u->adds |= s->kind == TSR_IR_UNITE;
    u->multiplies |= s->kind == TSR_IR_INTERSECT || s->range[4] || s->range[5];
}

/* Whether the program also stores the variable as it is: a product that it holds is then not fused with a sum. */
static bool is_stored(void *var, const tsr_ir_stmt *s)
{
    return s->kind == TSR_IR_STORE && !s->add && s->expr->var == var;
}

static void find_in_block(uses *u, const tsr_ir_block *block)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        const bool is_sum =
            (s->kind == TSR_IR_ASSIGN || s->kind == TSR_IR_STORE) && s->add && is_inexact_type(s->expr->type);
        find_in_expr(u, s->expr);
        for (int k = 0; k < TSR_IR_MAX_RANGE; k++)
            find_in_expr(u, s->range[k]);
        u->sums |= is_sum;
        /* C texts of programs that round products leave a sum of a variable to the compiler */
        u->fuses |= is_sum && s->expr->op == TSR_IR_VAR &&
                    !tsr_ir_any_stmt(u->ir->body.first, NULL, is_stored, (void *)(uintptr_t)s->expr->var);
        u->is_inexact |= is_sum && (s->atomic || s->expr->type.lanes > 1);
        if (s->kind == TSR_IR_UNITE || s->kind == TSR_IR_INTERSECT || s->kind == TSR_IR_MULTIPLY)
            find_in_rows(u, s);
        if (s->kind == TSR_IR_FOR && (s->marks & TSR_IR_VECTOR)) { /* its sums may become those of lanes */
            uses inside = {.ir = u->ir};
            find_in_block(&inside, &s->body);
            u->is_inexact |= inside.sums;
        }
        find_in_block(u, &s->body);
        find_in_block(u, &s->other);
    }
}

bool tsr_ir_is_exact(const tsr_ir *ir)
{
    uses u = {.ir = ir};
    find_in_block(&u, &ir->body);
    const bool may_fuse = u.multiplies && (u.adds || u.sums) && (u.fuses || !ir->rounds_products);
    return !u.is_inexact && !may_fuse;
}
