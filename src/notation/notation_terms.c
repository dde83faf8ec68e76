/* The right side as a sum of terms.
 *
 * A product is flattened into factors that are numbers, accesses or sums. Let `common` be the set of
 * variables that every part of the multiplied-out product has. A sum may stay a whole factor if it contains
 * no sparse tensor and its summed variables are all in `common`: then every part is summed over the same
 * variables, so the summation over them can be done after the product. Else the sum is replaced by each of
 * its parts in turn, and each resulting product is treated in the same way. Each replacement adds at least
 * one term, so the limit on terms also limits depth, time and memory. */
#include "notation_internal.h"

#include <string.h>

#include "tsr_alloc.h"

/* A product under expansion: `n` factors, none of which is NEG, MUL or DIV. */
typedef struct product {
    bool negative;
    int n;
    tsr_factor factor[TSR_NOTATION_MAX_FACTORS];
} product;

typedef struct expander {
    const tsr_notation *notation;
    uint32_t sparse, free_vars;
    tsr_arena *arena;
    tsr_term *term;
    int nterms, depth;
    tsr_error *err;
} expander;

/* One part of a sum. */
typedef struct part {
    const tsr_expr *expr; /* not ADD or SUB */
    bool negative;
} part;

static tsr_status too_many_terms(const expander *x, uint32_t col)
{
    return tsr_fail_at(x->err, TSR_LIMIT, NULL, 0, col, "more than %d terms when multiplied out",
                       TSR_NOTATION_MAX_TERMS);
}

static void *alloc(expander *x, size_t nbytes, tsr_status *status)
{
    void *p = tsr_arena_alloc(x->arena, nbytes);
    *status = p ? TSR_OK : tsr_fail(x->err, TSR_NOMEM, "out of memory for the terms of an expression");
    return p;
}

static bool is_sum(const tsr_expr *expr)
{
    return expr->kind == TSR_EXPR_ADD || expr->kind == TSR_EXPR_SUB;
}

/* Append the factors of `expr` to the product. */
static tsr_status flatten(const expander *x, product *p, const tsr_expr *expr, bool inverse)
{
    switch (expr->kind) {
    case TSR_EXPR_NEG:
        p->negative = !p->negative;
        return flatten(x, p, expr->a, inverse);
    case TSR_EXPR_MUL:
    case TSR_EXPR_DIV:
        TSR_TRY(flatten(x, p, expr->a, inverse));
        return flatten(x, p, expr->b, inverse != (expr->kind == TSR_EXPR_DIV));
    default:
        if (p->n == TSR_NOTATION_MAX_FACTORS)
            return tsr_fail_at(x->err, TSR_LIMIT, NULL, 0, expr->col, "more than %d factors in one term",
                               TSR_NOTATION_MAX_FACTORS);
        p->factor[p->n++] = (tsr_factor){expr, inverse};
        return TSR_OK;
    }
}

/* Append the parts of a sum, without signs and parentheses; *n keeps counting if there are too many. */
static void flatten_sum(part *parts, int *n, const tsr_expr *expr, bool negative)
{
    if (expr->kind == TSR_EXPR_NEG)
        flatten_sum(parts, n, expr->a, !negative);
    else if (is_sum(expr)) {
        flatten_sum(parts, n, expr->a, negative);
        flatten_sum(parts, n, expr->b, negative != (expr->kind == TSR_EXPR_SUB));
    } else {
        if (parts && *n < TSR_NOTATION_MAX_TERMS)
            parts[*n] = (part){expr, negative};
        ++*n;
    }
}

/* The smallest number in a non-empty set. */
static int first_of(uint32_t set)
{
    int k = 0;
    while (!(set >> k & 1))
        k++;
    return k;
}

/* Check whether division by `expr` is supported; `uncommon`: its summed variables that some part lacks. */
static tsr_status check_inverse(const expander *x, const tsr_expr *expr, uint32_t uncommon)
{
    const uint32_t sparse = is_sum(expr) ? expr->tensors & x->sparse : 0;
    if (sparse)
        return tsr_fail_at(x->err, TSR_UNSUPPORTED, NULL, 0, expr->col,
                           "division by a sum that contains the sparse tensor %.40s is not supported",
                           x->notation->tensor[first_of(sparse)].name);
    if (uncommon)
        return tsr_fail_at(x->err, TSR_UNSUPPORTED, NULL, 0, expr->col,
                           "division by a sum is not supported if some of its parts are summed over %.40s "
                           "and others are not",
                           x->notation->var[first_of(uncommon)]);
    return TSR_OK;
}

/* Find the first factor that must be multiplied out; -1: none. */
static tsr_status find_open(int *open, const expander *x, const product *p)
{
    uint32_t common = x->free_vars;
    for (int k = 0; k < p->n; k++)
        common |= p->factor[k].expr->common;
    *open = -1;
    for (int k = 0; k < p->n; k++) {
        const tsr_expr *expr = p->factor[k].expr;
        const uint32_t uncommon = expr->vars & ~common;
        if (p->factor[k].inverse)
            TSR_TRY(check_inverse(x, expr, uncommon));
        else if (*open < 0 && is_sum(expr) && (p->n == 1 || (expr->tensors & x->sparse) || uncommon))
            *open = k;
    }
    return TSR_OK;
}

static tsr_status add_term(expander *x, const product *p)
{
    if (x->nterms == TSR_NOTATION_MAX_TERMS)
        return too_many_terms(x, p->factor[0].expr->col);
    tsr_status status;
    tsr_factor *factor = alloc(x, (size_t)p->n * sizeof *factor, &status);
    TSR_TRY(status);
    memcpy(factor, p->factor, (size_t)p->n * sizeof *factor);
    tsr_term term = {.negative = p->negative, .nfactors = p->n, .factor = factor};
    for (int k = 0; k < p->n; k++) {
        term.tensors |= factor[k].expr->tensors;
        term.vars |= factor[k].expr->vars;
    }
    term.sum = term.vars & ~x->free_vars;
    x->term[x->nterms++] = term;
    return TSR_OK;
}

/* `p` with factor `open` replaced by the factors of `by`. */
static tsr_status substitute(product *out, const expander *x, const product *p, int open, part by)
{
    out->negative = p->negative != by.negative;
    out->n = 0;
    for (int k = 0; k < p->n; k++)
        TSR_TRY(flatten(x, out, k == open ? by.expr : p->factor[k].expr, p->factor[k].inverse));
    return TSR_OK;
}

/* Add the terms of p. */
static tsr_status expand(expander *x, const product *p)
{
    int open;
    TSR_TRY(find_open(&open, x, p));
    if (open < 0)
        return add_term(x, p);
    const tsr_expr *sum = p->factor[open].expr;
    int nparts = 0;
    flatten_sum(NULL, &nparts, sum, false);
    if (nparts > TSR_NOTATION_MAX_TERMS || ++x->depth > TSR_NOTATION_MAX_TERMS)
        return too_many_terms(x, sum->col);
    tsr_status status;
    part *parts = alloc(x, (size_t)nparts * sizeof *parts, &status);
    TSR_TRY(status);
    product *next = alloc(x, sizeof *next, &status);
    TSR_TRY(status);
    nparts = 0;
    flatten_sum(parts, &nparts, sum, false);
    for (int k = 0; k < nparts; k++) {
        TSR_TRY(substitute(next, x, p, open, parts[k]));
        TSR_TRY(expand(x, next));
    }
    x->depth--;
    return TSR_OK;
}

tsr_status tsr_notation_terms(tsr_terms **out, const tsr_notation *notation, uint32_t sparse, tsr_error *err)
{
    *out = NULL;
    tsr_arena *arena = tsr_calloc(1, sizeof *arena);
    if (!arena)
        return tsr_fail(err, TSR_NOMEM, "out of memory for the terms of an expression");
    expander x = {
        .notation = notation,
        .sparse = sparse,
        .free_vars = tsr_notation_free_vars(notation),
        .arena = arena,
        .err = err,
    };
    tsr_status status;
    tsr_terms *terms = alloc(&x, sizeof *terms, &status);
    if (status != TSR_OK)
        goto out;
    x.term = alloc(&x, TSR_NOTATION_MAX_TERMS * sizeof *x.term, &status);
    if (status != TSR_OK)
        goto out;
    product *whole = alloc(&x, sizeof *whole, &status);
    if (status != TSR_OK)
        goto out;
    TSR_TRY_OUT(flatten(&x, whole, notation->rhs, false));
    TSR_TRY_OUT(expand(&x, whole));
    *terms = (tsr_terms){.nterms = x.nterms, .term = x.term, .arena = arena};
    *out = terms;
out:
    if (status != TSR_OK) {
        tsr_arena_clear(arena);
        tsr_free(arena);
    }
    return status;
}

void tsr_terms_free(tsr_terms *terms)
{
    if (!terms)
        return;
    tsr_arena *arena = terms->arena;
    tsr_arena_clear(arena);
    tsr_free(arena);
}
