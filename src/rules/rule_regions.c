/* Functions of sparse operands. Where a function stands in a product, its value depends on which of its operands
 * store an entry: max(b, c) is max(b, 0) where only b has one. So a term with functions becomes one term for each set of
 * their operands, with a mask for each operand: present if it is in the set, else absent. These terms have no
 * coordinate in common. In the function an absent argument is 0, an absent factor makes the product absent, and an
 * absent part of a sum is left out; sets for which the function has no entry give no term. */
#include <string.h>

#include "rules_internal.h"
#include "tsr_arena.h"

enum { MAX_SPARSE = 8 /* sparse operands in the functions of a term: at most 2^8 terms are made of one */ };

typedef struct regions {
    tsr_arena *arena; /* of the terms */
    uint32_t sparse;  /* bit t: tensor t is stored sparse */
    const tsr_expr *access[MAX_SPARSE];
    int n;
    uint32_t present; /* bit k: access[k] stores an entry */
    bool failed;      /* out of memory */
    tsr_term *term;   /* nterms of TSR_NOTATION_MAX_TERMS */
    int nterms;
    tsr_error *err;
} regions;

static int number_of(const regions *r, const tsr_expr *access)
{
    int k = 0;
    while (k < r->n && !tsr_expr_same_access(r->access[k], access))
        k++;
    return k;
}

/* List the sparse accesses of e; false: there are too many. */
static bool list_sparse(regions *r, const tsr_expr *e)
{
    if (!e)
        return true;
    if (e->kind != TSR_EXPR_ACCESS)
        return list_sparse(r, e->a) && list_sparse(r, e->b);
    if (!(r->sparse >> e->tensor & 1) || number_of(r, e) < r->n)
        return true;
    if (r->n == MAX_SPARSE)
        return false;
    r->access[r->n++] = e;
    return true;
}

static const tsr_expr *add_expr(regions *r, tsr_expr e)
{
    tsr_expr *const out = tsr_arena_alloc(r->arena, sizeof *out);
    if (!out) {
        r->failed = true;
        return NULL;
    }
    *out = e;
    return out;
}

static const tsr_expr *restrict_to(regions *r, const tsr_expr *e);

/* The call with arguments that are absent replaced by 0; NULL: the function has no entry. */
static const tsr_expr *restrict_call(regions *r, const tsr_expr *e)
{
    tsr_expr call = *e;
    const tsr_expr *const given[] = {e->a, e->b};
    const tsr_expr **const arg[] = {&call.a, &call.b};
    double nothing[2] = {0, 0};
    bool any = false, all = true, has_tensor = false; /* all: no argument that the function needs is absent */
    for (int k = 0; k < e->function->nargs; k++) {
        if (rule_is_constant(given[k])) {
            nothing[k] = tsr_expr_constant(given[k]);
            continue;
        }
        has_tensor = true;
        *arg[k] = restrict_to(r, given[k]);
        any = any || *arg[k];
        all = all && (*arg[k] || !(e->function->needs >> k & 1));
        if (!*arg[k])
            *arg[k] = add_expr(r, (tsr_expr){.kind = TSR_EXPR_NUMBER, .spelling = "0"});
    }
    const bool is_full = !e->function->needs && e->function->value(nothing[0], nothing[1]) != 0;
    if (has_tensor && !is_full && !(all && (any || e->function->needs)))
        return NULL;
    return add_expr(r, call);
}

/* e where exactly the accesses of r->present store entries; NULL: e has no entry. */
static const tsr_expr *restrict_to(regions *r, const tsr_expr *e)
{
    if (e->kind == TSR_EXPR_NUMBER || e->kind == TSR_EXPR_VAR || e->kind == TSR_EXPR_BAND)
        return e;
    if (e->kind == TSR_EXPR_ACCESS) {
        const int k = number_of(r, e);
        const bool is_stored = k == r->n || (r->present >> k & 1);
        return is_stored == (e->mask != TSR_MASK_ABSENT) ? e : NULL;
    }
    if (e->kind == TSR_EXPR_CALL)
        return restrict_call(r, e);
    tsr_expr made = *e;
    made.a = restrict_to(r, e->a);
    made.b = e->b ? restrict_to(r, e->b) : NULL;
    if (e->kind == TSR_EXPR_NEG)
        return made.a ? add_expr(r, made) : NULL;
    if (e->kind == TSR_EXPR_MUL || e->kind == TSR_EXPR_DIV)
        return made.a && made.b ? add_expr(r, made) : NULL;
    if (made.a && made.b)
        return add_expr(r, made);
    if (!made.b || e->kind == TSR_EXPR_ADD)
        return made.a ? made.a : made.b;
    return add_expr(
        r, (tsr_expr){.kind = TSR_EXPR_NEG, .a = made.b, .tensors = made.b->tensors, .vars = made.b->vars});
}

/* Add the term of the set r->present, unless a factor has no entry there. */
static tsr_status add_region(regions *r, const tsr_term *term)
{
    const int n = term->nfactors + r->n;
    if (n > TSR_NOTATION_MAX_FACTORS || r->nterms == TSR_NOTATION_MAX_TERMS)
        return tsr_fail(
            r->err, TSR_LIMIT,
            "functions of sparse tensors give more than %d terms, or one of more than %d factors: compute "
            "a part first, in an expression of its own",
            TSR_NOTATION_MAX_TERMS, TSR_NOTATION_MAX_FACTORS);
    tsr_factor *const factor = tsr_arena_alloc(r->arena, (size_t)n * sizeof *factor);
    r->failed = r->failed || !factor;
    for (int f = 0; f < term->nfactors && !r->failed; f++) {
        factor[f] = term->factor[f];
        if (factor[f].expr->kind != TSR_EXPR_ACCESS || number_of(r, factor[f].expr) < r->n)
            factor[f].expr = restrict_to(r, factor[f].expr);
        if (!factor[f].expr)
            return TSR_OK;
    }
    for (int k = 0; k < r->n && !r->failed; k++) {
        tsr_expr mask = *r->access[k];
        mask.mask = r->present >> k & 1 ? TSR_MASK_STORED : TSR_MASK_ABSENT;
        factor[term->nfactors + k] = (tsr_factor){.expr = add_expr(r, mask)};
    }
    if (r->failed)
        return tsr_fail(r->err, TSR_NOMEM, "out of memory: a plan");
    r->term[r->nterms] = *term;
    r->term[r->nterms].factor = factor;
    r->term[r->nterms++].nfactors = n;
    return TSR_OK;
}

static tsr_status split_term(regions *r, const tsr_term *term)
{
    bool fits = true;
    r->n = 0;
    for (int f = 0; f < term->nfactors; f++)
        if (rule_has_call(term->factor[f].expr))
            fits = fits && list_sparse(r, term->factor[f].expr);
    if (!fits)
        return tsr_fail(
            r->err, TSR_LIMIT,
            "functions of more than %d sparse tensors in one term: compute a part first, in an expression "
            "of its own",
            MAX_SPARSE);
    /* with all of them stored first, which is the most common */
    for (uint32_t absent = 0; absent < UINT32_C(1) << r->n; absent++) {
        r->present = ((UINT32_C(1) << r->n) - 1) & ~absent;
        TSR_TRY(add_region(r, term));
    }
    return TSR_OK;
}

tsr_status tsr_rules_split_calls(tsr_terms *terms, const tsr_notation *notation, uint32_t sparse,
                                 tsr_error *err)
{
    regions r = {.arena = terms->arena, .sparse = sparse, .err = err};
    if (!rule_has_call(notation->rhs))
        return TSR_OK;
    r.term = tsr_arena_alloc(terms->arena, TSR_NOTATION_MAX_TERMS * sizeof *r.term);
    if (!r.term)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a plan");
    for (int i = 0; i < terms->nterms; i++)
        TSR_TRY(split_term(&r, &terms->term[i]));
    terms->term = r.term;
    terms->nterms = r.nterms;
    return TSR_OK;
}
