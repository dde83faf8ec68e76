/* Whether the result of a statement is the sum of what the blocks of one operand give, and the statement that adds one block.
 *
 * Where a block stands in for the operand A, a part of the right side must be absent at each point where all accesses of A are, else it
 * would be added once for each block: such a part is `gone`. Where blocks are slices of a mode, all accesses of A have one variable there, so
 * that a point sees all of A that it needs in one block. Blocks of entries may tear duplicates apart, so A occurs once in each term, as a
 * factor. */
#include <stdarg.h>
#include <stdio.h>

#include "blocks_internal.h"

/* The question: operand t of the notation. */
typedef struct question {
    const tsr_notation *notation;
    int t;
    int mode; /* of the slices; -1: blocks of entries */
    int var;  /* that all accesses of t have in this mode; -1: not known yet */
    tsr_error *err;
} question;

static bool has(const tsr_expr *e, int t)
{
    return e->tensors >> t & 1;
}

static tsr_status refuse(const question *q, const tsr_expr *e, const char *format, ...) TSR_PRINTF(3, 4);
static tsr_status refuse(const question *q, const tsr_expr *e, const char *format, ...)
{
    char why[256];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return tsr_fail_at(q->err, TSR_UNSUPPORTED, NULL, 0, e ? e->open ? e->open : e->col : 0,
                       "%s is read in blocks, but %s", q->notation->tensor[q->t].name, why);
}

/* ---- parts that are absent where A is ---- */

static bool gone(const tsr_expr *e, int t);

/* The value of an argument where it is absent, if it is `gone`; of a number, the number. */
static bool argument_without(double *value, const tsr_expr *e, int t)
{
    *value = !e || e->tensors || e->vars ? 0 : tsr_expr_constant(e);
    return !e || !(e->tensors || e->vars) || gone(e, t);
}

static bool call_is_gone(const tsr_expr *e, int t)
{
    const tsr_function *const f = e->function;
    double x, y;
    if (f->needs)
        return (f->needs & 1 && gone(e->a, t)) || (f->needs & 2 && e->b && gone(e->b, t));
    const bool all = argument_without(&x, e->a, t) && argument_without(&y, e->b, t);
    return all && f->value && f->value(x, y) == 0;
}

static bool gone(const tsr_expr *e, int t)
{
    switch (e->kind) {
    case TSR_EXPR_ACCESS:
        return e->tensor == t && e->mask != TSR_MASK_ABSENT;
    case TSR_EXPR_NEG:
        return gone(e->a, t);
    case TSR_EXPR_ADD:
    case TSR_EXPR_SUB:
        return gone(e->a, t) && gone(e->b, t);
    case TSR_EXPR_MUL:
    case TSR_EXPR_DIV:
        return gone(e->a, t) || gone(e->b, t);
    case TSR_EXPR_CALL:
        return has(e, t) && call_is_gone(e, t);
    default:
        return false;
    }
}

/* The first part of a sum that is not gone. */
static const tsr_expr *stays(const tsr_expr *e, int t)
{
    while (e->kind == TSR_EXPR_NEG || e->kind == TSR_EXPR_ADD || e->kind == TSR_EXPR_SUB)
        e = e->b && gone(e->a, t) ? e->b : e->a;
    return e;
}

/* ---- A once in each term ---- */

static bool once(const tsr_expr *e, int t)
{
    switch (e->kind) {
    case TSR_EXPR_ACCESS:
        return e->tensor == t && e->mask == TSR_MASK_NONE;
    case TSR_EXPR_NEG:
        return once(e->a, t);
    case TSR_EXPR_ADD:
    case TSR_EXPR_SUB:
        return once(e->a, t) && once(e->b, t);
    case TSR_EXPR_MUL:
        return has(e->a, t) ? !has(e->b, t) && once(e->a, t) : once(e->b, t);
    case TSR_EXPR_DIV:
        return !has(e->b, t) && once(e->a, t);
    default:
        return false;
    }
}

/* ---- one variable in the mode of the slices ---- */

static tsr_status same_variable(question *q, const tsr_expr *e)
{
    if (!e || !has(e, q->t))
        return TSR_OK;
    if (e->kind == TSR_EXPR_ACCESS) {
        const char *const *const names = q->notation->var;
        if (q->var >= 0 && e->index[q->mode] != q->var)
            return refuse(
                q, e, "has %s and %s in the mode whose slices are the blocks: entries of several blocks meet",
                names[q->var], names[e->index[q->mode]]);
        q->var = e->index[q->mode];
    }
    TSR_TRY(same_variable(q, e->a));
    return same_variable(q, e->b);
}

static tsr_status check(question *q)
{
    const tsr_notation *const n = q->notation;
    const char *const name = n->tensor[q->t].name;
    if (n->nstatements > 0)
        return refuse(q, NULL, "there are several statements: give each to a run of its own");
    if (n->selection.n > 0 || n->selection.gives_place)
        return refuse(q, NULL, "top, bottom, argmax and argmin compare entries of all blocks");
    if (!gone(n->rhs, q->t))
        return refuse(
            q, stays(n->rhs, q->t),
            "this part has entries where %s has none, and would be added once for each block: add it to "
            "the result afterwards",
            name);
    if (n->where && has(n->where, q->t))
        return refuse(q, n->where,
                      "the condition reads it, too: keep the entries that meet it in a run of their own");
    if (q->mode >= 0) {
        TSR_TRY(same_variable(q, n->rhs));
        return n->where && q->var >= n->nfree
                   ? refuse(q, n->where,
                            "an entry is known only when all blocks are added: apply `where` to the result")
                   : TSR_OK;
    }
    const char *const convert = "convert the file to csr or csf first";
    if (n->where || n->reduction)
        return refuse(q, n->where, "the file gives entries in any order, so %s needs them all: %s",
                      n->where ? "`where`" : "this reduction", convert);
    return once(n->rhs, q->t)
               ? TSR_OK
               : refuse(q, n->rhs,
                        "the file gives entries in any order, so %s must stand once in each term, as a "
                        "factor: %s",
                        name, convert);
}

tsr_status tsr_blocks_statement(tsr_text *text, const tsr_blocks *b, const tsr_notation *notation, int t,
                                tsr_error *err)
{
    question q = {notation, t, b->parts ? b->mode : -1, -1, err};
    if (notation->is_truth)
        return refuse(&q, notation->result, "|= is computed on whole operands: leave the limit out");
    TSR_TRY(check(&q));
    tsr_expr_print(text, notation, notation->result);
    if (notation->accumulate)
        tsr_notation_print_assignment(text, notation);
    else
        tsr_text_add(text, " += ");
    tsr_expr_print(text, notation, notation->rhs);
    tsr_notation_print_where(text, notation);
    return tsr_text_status(text, err);
}
