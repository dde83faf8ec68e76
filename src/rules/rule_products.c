/* Cutting products of many operands into products of two. A(i,l) = B(i,j)*C(j,k)*D(k,l) is one nest of four
 * loops; T(i,k) = B(i,j)*C(j,k) and A(i,l) = T(i,k)*D(k,l) are two nests of three loops.
 *
 * `chains` accepts a product of at least three factors, two of them sparse operands, in a semiring whose products may be taken in any
 * order. Two factors are multiplied first if this sums over a variable that no other factor has, if each nest has fewer loops than
 * the nest of all factors, and if the estimated number of multiplications is at most ACCEPTED times the
 * number of that nest. If several pairs can be multiplied first, the pair with the fewest multiplications is
 * chosen. The estimates assume that the entries of each factor are spread evenly and independently.
 *
 * `precompute` accepts a product that has all operands of the schedule item precompute(B,C), and multiplies these, whatever it costs. */
#include <math.h>
#include <string.h>

#include "rules_internal.h"

/* The accepted ratio of the multiplications of two nests to those of one nest. */
#define ACCEPTED 1.3

typedef struct factor {
    tsr_text text;
    uint32_t vars, tensors;
    uint32_t values; /* the variables whose coordinates are values in it */
    uint32_t sized;  /* those that are indices of its accesses: only these have sizes in the product */
    double nstored;
    bool is_sparse;
} factor;

typedef struct chain {
    rewriting *r;
    const tsr_notation *notation;
    uint32_t freed;
    uint32_t asked; /* the operands that the schedule asks to multiply first; 0: the choice is by cost */
    int ncut;       /* products that were cut */
    int n;
    factor factor[TSR_NOTATION_MAX_FACTORS];
} chain;

/* Two factors to multiply first. */
typedef struct pair {
    int x, y;
    uint32_t vars; /* the variables of the product */
    double cost, nstored;
} pair;

static double cells(const chain *c, uint32_t vars)
{
    double n = 1;
    for (int v = 0; v < c->notation->nvars; v++)
        if (vars >> v & 1)
            n *= (double)c->r->of->size[v];
    return n;
}

/* The estimated multiplications of one nest over all factors except x and y, and over a factor with these
 * variables and this number of entries. */
static double nest_cost(const chain *c, int x, int y, uint32_t vars, double nstored)
{
    uint32_t all = vars;
    double share = nstored / fmax(cells(c, vars), 1);
    for (int f = 0; f < c->n; f++)
        if (f != x && f != y) {
            all |= c->factor[f].vars;
            share *= c->factor[f].nstored / fmax(cells(c, c->factor[f].vars), 1);
        }
    return share * cells(c, all | c->freed);
}

static uint32_t all_vars(const chain *c, int x, int y)
{
    uint32_t vars = 0;
    for (int f = 0; f < c->n; f++)
        if (f != x && f != y)
            vars |= c->factor[f].vars;
    return vars;
}

/* Whether a product for these variables of the two factors has the coordinate of a variable without a size as a value. */
static bool lacks_size(const factor *a, const factor *b, uint32_t vars)
{
    return (a->values | b->values) & ~(a->sized | b->sized | vars);
}

/* Whether x and y may be multiplied first; sets *p, with the cost. */
static bool weigh(pair *p, const chain *c, int x, int y)
{
    const factor *const a = &c->factor[x], *const b = &c->factor[y];
    const uint32_t both = a->vars | b->vars, others = all_vars(c, x, y) | c->freed;
    const uint32_t all = both | others;
    *p = (pair){.x = x, .y = y, .vars = both & others};
    if (!(a->is_sparse || b->is_sparse) || !a->vars || !b->vars || (both & ~others) == 0 || p->vars == 0 ||
        both == all || others == all || lacks_size(a, b, p->vars))
        return false;
    const double products = a->nstored * b->nstored / fmax(cells(c, a->vars & b->vars), 1);
    const double room = cells(c, p->vars);
    p->nstored = room > 0 ? -room * expm1(-products / room) : 0;
    p->cost = products + nest_cost(c, x, y, p->vars, p->nstored);
    return true;
}

static bool find_pair(pair *best, const chain *c)
{
    bool found = false;
    for (int x = 0; x < c->n; x++)
        for (int y = x + 1; y < c->n; y++) {
            pair p = {0};
            if (weigh(&p, c, x, y) && (!found || p.cost < best->cost)) {
                *best = p;
                found = true;
            }
        }
    return found && best->cost <= ACCEPTED * nest_cost(c, -1, -1, 0, 1);
}

static void find_vars(factor *f, const tsr_expr *e)
{
    if (!e)
        return;
    f->values |= e->kind == TSR_EXPR_VAR ? e->vars : 0;
    f->sized |= e->kind == TSR_EXPR_ACCESS ? e->vars : 0;
    find_vars(f, e->a);
    find_vars(f, e->b);
}

/* Find the factors of a term; return false if the term is not a product of several sparse operands. */
static bool open_chain(chain *c, const tsr_term *term)
{
    int nsparse = 0;
    bool divides = false;
    c->n = 0;
    for (int k = 0; k < term->nfactors; k++) {
        const tsr_expr *const e = term->factor[k].expr;
        factor *const f = &c->factor[c->n++];
        *f = (factor){.vars = e->vars, .tensors = e->tensors};
        find_vars(f, e);
        f->is_sparse = e->kind == TSR_EXPR_ACCESS && (c->r->of->sparse >> e->tensor & 1);
        f->nstored = f->is_sparse ? c->r->of->nstored[e->tensor] : cells(c, e->vars);
        tsr_expr_print_factor(&f->text, c->notation, e);
        nsparse += f->is_sparse;
        divides = divides || term->factor[k].inverse;
    }
    if (divides)
        return false;
    return c->asked || (nsparse >= 2 && c->n >= 3);
}

/* Make a step for the product of the pair, and replace the pair by the result of the step. */
static tsr_status multiply_first(chain *c, const pair *p)
{
    factor *const a = &c->factor[p->x], *const b = &c->factor[p->y];
    const tsr_rules_made *made;
    tsr_rules_step step =
        rule_step(p->vars, c->r->of->ring->name); /* the variables of the result are the first ones */
    step.type = c->r->of->type[0];
    step.is_product = true;
    tsr_text_addf(&a->text, "*%s", tsr_text_cstr(&b->text));
    TSR_TRY(rule_make(&made, c->r, &step, &a->text));
    c->ncut++;
    rule_print_access(&a->text, c->notation, made->name, p->vars);
    a->vars = a->sized = p->vars;
    a->values = 0;
    a->nstored = p->nstored;
    a->is_sparse = true;
    tsr_text_clear(&b->text);
    memmove(b, b + 1, (size_t)(c->n - p->y - 1) * sizeof *b);
    c->n--;
    return TSR_OK;
}

/* Whether the term has all of the operands that the schedule asks to multiply first. */
static bool has_asked(const chain *c)
{
    uint32_t tensors = 0;
    for (int f = 0; f < c->n; f++)
        tensors |= c->factor[f].tensors;
    return (c->asked & ~tensors) == 0;
}

/* Multiply the operands of the set c->asked, two at a time. */
static tsr_status multiply_asked(chain *c)
{
    tsr_error *const err = c->r->err;
    if (!has_asked(c))
        return TSR_OK;
    int x = 0;
    while (!(c->factor[x].tensors & c->asked))
        x++;
    for (int y = x + 1; y < c->n;) {
        if (!(c->factor[y].tensors & c->asked)) {
            y++;
            continue;
        }
        pair p = {0};
        weigh(&p, c, x, y);
        if (c->r->maker->room <= 0)
            return tsr_fail(
                err, TSR_LIMIT,
                "precompute: more than %d tensors, together with the products that are computed first",
                TSR_NOTATION_MAX_TENSORS - 2);
        if (p.vars == 0)
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "precompute: the product of these operands is a number, without variables: leave "
                            "it out");
        if (lacks_size(&c->factor[x], &c->factor[y], p.vars))
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "precompute: the product of these operands has the coordinate of a variable "
                            "as a value that is an index of neither: leave it out");
        TSR_TRY(multiply_first(c, &p));
    }
    return TSR_OK;
}

/* Append the term, of which pairs of factors are multiplied first. */
static tsr_status cut_term(tsr_text *text, chain *c, const tsr_terms *terms, int i)
{
    const tsr_term *const term = &terms->term[i];
    pair p = {0};
    tsr_status status = TSR_OK;
    if (open_chain(c, term)) {
        if (c->asked)
            status = multiply_asked(c);
        while (!c->asked && status == TSR_OK && c->n >= 3 && find_pair(&p, c) && c->r->maker->room > 0)
            status = multiply_first(c, &p);
    }
    tsr_text_add(text, term->negative ? (i > 0 ? " - " : "-") : i > 0 ? " + " : "");
    for (int f = 0; f < c->n; f++) {
        const bool inverse = c->n == term->nfactors && term->factor[f].inverse;
        tsr_text_addf(text, "%s%s",
                      f > 0     ? (inverse ? "/" : "*")
                      : inverse ? "1/"
                                : "",
                      tsr_text_cstr(&c->factor[f].text));
    }
    for (int f = 0; f < c->n; f++) {
        text->failed = text->failed || c->factor[f].text.failed;
        tsr_text_clear(&c->factor[f].text);
    }
    return status == TSR_OK ? tsr_text_status(text, c->r->err) : status;
}

/* Cut the products of all terms. Where there are no terms, the plan reports why. */
static tsr_status cut(bool *fits, rewriting *r, uint32_t asked)
{
    chain c = {.r = r, .notation = r->notation, .asked = asked, .freed = tsr_notation_free_vars(r->notation)};
    tsr_terms *terms;
    tsr_status status = tsr_notation_terms(&terms, r->notation, r->of->sparse, NULL);
    if (status != TSR_OK)
        return status == TSR_NOMEM ? tsr_fail(r->err, TSR_NOMEM, "out of memory: a kernel") : TSR_OK;
    for (int i = 0; i < terms->nterms && status == TSR_OK; i++)
        status = cut_term(&r->right, &c, terms, i);
    tsr_terms_free(terms);
    *fits = r->has_right = c.ncut > 0;
    if (!r->has_right)
        tsr_text_cut(&r->right, 0);
    if (status == TSR_OK && asked && !*fits)
        status =
            tsr_fail(r->err, TSR_ARGUMENT,
                     "precompute: no product of the expression has all of these operands: name the factors "
                     "of one product");
    return status;
}

/* Whether the factors of a product may be multiplied in any order, and sums may be taken before all are multiplied. */
static bool is_regular(const tsr_semiring *ring)
{
    return ring->distributes && ring->commutes;
}

tsr_status rule_chains(bool *fits, rewriting *r)
{
    const bool accepts = !r->of->is_whole && !r->of->precompute && is_regular(r->of->ring);
    return accepts ? cut(fits, r, 0) : TSR_OK;
}

tsr_status rule_precompute(bool *fits, rewriting *r)
{
    if (!r->of->precompute)
        return TSR_OK;
    if (!is_regular(r->of->ring))
        return tsr_fail(r->err, TSR_UNSUPPORTED,
                        "precompute: products of the semiring %s cannot be computed in another order",
                        r->of->ring->name);
    return cut(fits, r, r->of->precompute);
}
