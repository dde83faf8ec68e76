/* Inversion by digits.
 *
 * The solver keeps facts "expression of the dims = expression of the results"; at the start one fact for each
 * result. Three steps use facts up until nothing new follows:
 *   - one unknown: a fact with one unknown atom left gives the value of that atom (j - i with i known gives
 *     j);
 *   - mixed radix: a sum k1*x1 + ... + kn*xn gives every xi if each |ki| is more than the sum of the later
 *     |kj| * (range of xj);
 *   - digits: digits (L floordiv a) mod b of one L give L = sum a * digit, if the first a is 1, each a is the
 *     a*b before it, and the last digit has no mod or covers the range of L.
 *
 * Every step holds for all points of the domain, so the result needs no check. */
#include "map_internal.h"

#include <string.h>

#include "tsr_alloc.h"
#include "tsr_checked.h"

enum { MAX_ATOMS = 1024 }; /* limit of the atoms in one map: the steps take quadratic time */

/* x = value: x is over the variables of the map (in the pool of `from`), value over its results (in the pool
 * of `inv`). */
typedef struct fact {
    const tsr_linear *x, *value;
} fact;

/* digit = (base floordiv a) mod b; b = 0: no mod. */
typedef struct digit {
    const tsr_linear *base;
    int64_t a, b;
    const tsr_linear *value;
    int next;     /* index of the next digit in the chain, -1 at the top */
    bool visited; /* no chain from this digit reaches the top */
} digit;

typedef struct solver {
    tsr_map *from; /* a copy of the map: its pool takes new expressions (but no new atoms) */
    tsr_map *inv;
    const tsr_linear **known; /* by id of the atoms of `from`: the value, or NULL */
    const tsr_atom **atoms;   /* the atoms, by id */
    fact *facts;              /* nfacts; a fact that is used up has x = NULL */
    int nfacts;
    digit *digits;            /* scratch for as many digits as there are atoms */
    const tsr_linear **bases; /* nbases: expressions whose digits gave a fact */
    int nbases;
} solver;

/* ---- what is known ---- */

static const tsr_linear *linear_value(solver *s, const tsr_linear *x);

/* The value of an atom if it is known, follows from known values, or is constant; else NULL. */
static const tsr_linear *atom_value(solver *s, const tsr_atom *atom)
{
    if (s->known[atom->node.id])
        return s->known[atom->node.id];
    const tsr_interval in = tsr_interval_of_atom(atom, s->from->vars, false);
    const tsr_linear *value = NULL;
    if (in.lo == in.hi) {
        value = tsr_linear_const(&s->inv->pool, in.lo);
    } else if (atom->x) {
        const tsr_linear *x = linear_value(s, atom->x), *y = atom->y ? linear_value(s, atom->y) : NULL;
        if (x && (y || !atom->y))
            value = tsr_linear_apply(&s->inv->pool, atom, x, y);
    }
    return s->known[atom->node.id] = value;
}

static const tsr_linear *linear_value(solver *s, const tsr_linear *x)
{
    for (int i = 0; i < x->n; i++)
        if (!atom_value(s, x->t[i].atom))
            return NULL;
    tsr_sum sum;
    tsr_sum_init(&sum, &s->inv->pool);
    tsr_sum_add_const(&sum, x->c);
    for (int i = 0; i < x->n; i++)
        tsr_sum_add(&sum, x->t[i].k, s->known[x->t[i].atom->node.id]);
    return tsr_sum_take(&sum);
}

static void add_fact(solver *s, const tsr_linear *x, const tsr_linear *value)
{
    if (value)
        s->facts[s->nfacts++] = (fact){.x = x, .value = value};
}

/* ---- one unknown atom ---- */

/* Move the constant and all known atoms of a fact to its right side. */
static void reduce(solver *s, fact *f)
{
    tsr_sum x, value;
    tsr_sum_init(&x, &s->from->pool);
    tsr_sum_init(&value, &s->inv->pool);
    tsr_sum_add(&value, 1, f->value);
    tsr_sum_add_const(&value, -f->x->c);
    for (int i = 0; i < f->x->n; i++) {
        const tsr_linear *known = atom_value(s, f->x->t[i].atom);
        if (known)
            tsr_sum_add(&value, -f->x->t[i].k, known);
        else
            tsr_sum_add_atom(&x, f->x->t[i].k, f->x->t[i].atom);
    }
    f->x = tsr_sum_take(&x);
    f->value = tsr_sum_take(&value);
}

/* value / k, where k divides value on the whole domain. */
static const tsr_linear *divide(tsr_pool *pool, const tsr_linear *value, int64_t k)
{
    const tsr_linear *q = tsr_linear_floordiv(pool, value, k > 0 ? k : -k);
    return k > 0 ? q : tsr_linear_scale(pool, q, -1);
}

/* Use up facts with at most one unknown atom; true if an atom became known. */
static bool solve_single(solver *s)
{
    bool progress = false;
    for (int i = 0; i < s->nfacts; i++) {
        fact *f = &s->facts[i];
        if (!f->x)
            continue;
        reduce(s, f);
        if (!f->x || !f->value)
            return false; /* the pool holds the error */
        if (f->x->n == 1) {
            const tsr_map_term *t = &f->x->t[0];
            s->known[t->atom->node.id] = divide(&s->inv->pool, f->value, t->k);
            progress = true;
        }
        if (f->x->n <= 1)
            f->x = NULL;
    }
    return progress;
}

/* ---- mixed radix ---- */

static int64_t magnitude(int64_t k)
{
    return k < 0 ? -k : k;
}

/* order[0..n): the indices of the terms of x by descending |k|. */
static void order_terms(int *order, const tsr_linear *x)
{
    for (int i = 0; i < x->n; i++) {
        int at = i;
        for (; at > 0 && magnitude(x->t[order[at - 1]].k) < magnitude(x->t[i].k); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* Whether each |k| is more than the largest sum of the terms after it; *base = the least value of all terms
 * except the first. */
static bool is_mixed_radix(int64_t *base, const solver *s, const tsr_linear *x, const int *order)
{
    int64_t reach = 0; /* largest sum of the later terms */
    *base = 0;
    for (int i = x->n - 1; i >= 0; i--) {
        const tsr_map_term *t = &x->t[order[i]];
        if (magnitude(t->k) <= reach)
            return false;
        const tsr_interval in = tsr_interval_scale(tsr_interval_of_atom(t->atom, s->from->vars, false), t->k);
        if (i > 0 && (!tsr_interval_is_bounded(in) || !tsr_add_i64(&reach, reach, in.hi) ||
                      !tsr_add_i64(&reach, reach, -in.lo) || !tsr_add_i64(base, *base, in.lo)))
            return false;
    }
    return true;
}

static bool split_fact(solver *s, fact *f)
{
    int order[MAX_ATOMS];
    int64_t base;
    const tsr_linear *x = f->x;
    tsr_pool *pool = &s->inv->pool;
    order_terms(order, x);
    if (!is_mixed_radix(&base, s, x, order))
        return false;
    /* w mod m is the sum of the terms from i on, each counted from its least value; m = 0: w itself */
    const tsr_linear *w = tsr_linear_add_const(pool, f->value, -base);
    int64_t m = 0;
    for (int i = 0; i < x->n; i++) {
        const tsr_map_term *t = &x->t[order[i]];
        const int64_t k = magnitude(t->k);
        if (m % k != 0) {
            w = tsr_linear_mod(pool, w, m);
            m = 0;
        }
        const tsr_linear *y = tsr_linear_floordiv(pool, w, k);
        if (m > 0)
            y = tsr_linear_mod(pool, y, m / k);
        if (t->k < 0)
            y = tsr_linear_scale(pool, y, -1);
        if (i > 0) {
            const tsr_interval in = tsr_interval_of_atom(t->atom, s->from->vars, false);
            y = tsr_linear_add_const(pool, y, t->k > 0 ? in.lo : in.hi);
        }
        s->known[t->atom->node.id] = y;
        m = k;
    }
    f->x = NULL;
    return true;
}

static bool solve_mixed_radix(solver *s)
{
    for (int i = 0; i < s->nfacts; i++)
        if (s->facts[i].x && split_fact(s, &s->facts[i]))
            return true;
    return false;
}

/* ---- digits ---- */

static bool is_digit(const tsr_atom *atom)
{
    return atom->kind == TSR_ATOM_FLOORDIV || atom->kind == TSR_ATOM_MOD;
}

/* Which digit of which base the atom is. A digit of a digit is a digit of the inner base, if the divisors
 * allow it. */
static digit as_digit(const tsr_atom *atom)
{
    const tsr_atom *inner = tsr_linear_as_atom(atom->x);
    const int64_t c = atom->c;
    digit d = {.base = atom->x, .a = 1, .b = 0};
    if (inner && is_digit(inner))
        d = as_digit(inner);
    int64_t a;
    if (atom->kind == TSR_ATOM_FLOORDIV) {
        if (d.b % c == 0 && tsr_mul_i64(&a, d.a, c))
            return (digit){.base = d.base, .a = a, .b = d.b / c};
        return (digit){.base = atom->x, .a = c, .b = 0};
    }
    if (d.b % c == 0)
        return (digit){.base = d.base, .a = d.a, .b = c};
    if (c % d.b == 0)
        return d;
    return (digit){.base = atom->x, .a = 1, .b = c};
}

/* Collect all known digits of `base` in s->digits; returns their number. */
static int collect_digits(solver *s, const tsr_linear *base)
{
    int n = 0;
    for (int id = 0; id < s->from->pool.atoms.n; id++) {
        if (!s->known[id] || !is_digit(s->atoms[id]))
            continue;
        digit d = as_digit(s->atoms[id]);
        if (d.base != base)
            continue;
        d.value = s->known[id];
        s->digits[n++] = d;
    }
    return n;
}

/* Whether the digit reaches the top of the range of its base; then *rest = the constant to add to the sum. */
static bool is_top(int64_t *rest, const digit *d, tsr_interval base)
{
    int64_t end;
    *rest = 0;
    if (d->b == 0)
        return true;
    if (!tsr_interval_is_bounded(base))
        return false;
    if (!tsr_mul_i64(&end, d->a, d->b))
        return base.lo >= 0;
    return tsr_floordiv_i64(base.lo, end) == tsr_floordiv_i64(base.hi, end) &&
           tsr_mul_i64(rest, tsr_floordiv_i64(base.lo, end), end);
}

/* Find a chain of digits from digit k to the top; `next` holds its links. */
static bool find_chain(int64_t *rest, digit *digits, int n, int k, tsr_interval base)
{
    digit *d = &digits[k];
    d->next = -1;
    if (d->visited)
        return false;
    if (is_top(rest, d, base))
        return true;
    d->visited = true;
    for (int m = 0; m < n; m++) {
        const int64_t a = digits[m].a;
        if (a <= d->a || a % d->a != 0 || d->b % (a / d->a) != 0)
            continue;
        d->next = m; /* of the b values of the digit only the lower a / d->a are used, if there are more */
        if (find_chain(rest, digits, n, m, base))
            return true;
    }
    return false;
}

/* base = sum of a * digit along the chain from digit k. */
static const tsr_linear *chain_value(solver *s, int k, int64_t rest)
{
    tsr_sum sum;
    tsr_sum_init(&sum, &s->inv->pool);
    tsr_sum_add_const(&sum, rest);
    for (; k >= 0; k = s->digits[k].next) {
        const digit *d = &s->digits[k];
        const tsr_linear *value = d->value;
        const int64_t used = d->next < 0 ? d->b : s->digits[d->next].a / d->a;
        if (used != d->b)
            value = tsr_linear_mod(&s->inv->pool, value, used);
        tsr_sum_add(&sum, d->a, value);
    }
    return tsr_sum_take(&sum);
}

static bool solve_base(solver *s, const tsr_linear *base)
{
    for (int i = 0; i < s->nbases; i++)
        if (s->bases[i] == base)
            return false;
    const int n = collect_digits(s, base);
    const tsr_interval in = tsr_interval_of(base, s->from->vars, false);
    int64_t rest;
    for (int k = 0; k < n; k++)
        if (s->digits[k].a == 1 && find_chain(&rest, s->digits, n, k, in)) {
            add_fact(s, base, chain_value(s, k, rest));
            s->bases[s->nbases++] = base;
            return true;
        }
    return false;
}

static bool solve_digits(solver *s)
{
    for (int id = 0; id < s->from->pool.atoms.n; id++) {
        if (!s->known[id] || !is_digit(s->atoms[id]))
            continue;
        const tsr_linear *base = as_digit(s->atoms[id]).base;
        if (!linear_value(s, base) && tsr_pool_status(&s->inv->pool, NULL) == TSR_OK && solve_base(s, base))
            return true;
    }
    return false;
}

/* ---- the whole inversion ---- */

/* The error that `var` could not be determined. */
static tsr_status fail_unsolved(const tsr_map *map, int var, tsr_error *err)
{
    const char *names[TSR_MAP_MAX_VARS];
    for (int v = 0; v < map->nvars; v++)
        names[v] = map->vars[v].name;
    tsr_text text = {0};
    int n = 0, left = 0;
    for (int r = 0; r < map->nresults; r++)
        left += tsr_linear_uses(map->results[r], var);
    for (int r = 0; r < map->nresults && text.nbytes < 200; r++)
        if (tsr_linear_uses(map->results[r], var)) {
            tsr_text_add(&text, n == 0 ? "" : n == left - 1 ? " and " : ", ");
            tsr_text_add(&text, "`");
            tsr_linear_print(&text, map, map->results[r], names);
            tsr_text_add(&text, "`");
            n++;
        }
    const char *unbounded =
        tsr_interval_is_bounded(map->vars[var].bounds) ? "" : ", since the size of that dim is unknown";
    const tsr_status status =
        n == 0
            ? tsr_fail(err, TSR_UNSUPPORTED, "the map cannot be inverted: no result contains %s", names[var])
            : tsr_fail(err, TSR_UNSUPPORTED,
                       "the map cannot be inverted: result%s %.300s do%s not give back %s%s",
                       n == 1 ? "" : "s", tsr_text_cstr(&text), n == 1 ? "es" : "", names[var], unbounded);
    tsr_text_clear(&text);
    return status;
}

/* Register all atoms that x contains. */
static void note_atoms(solver *s, const tsr_linear *x)
{
    for (int i = 0; i < x->n; i++) {
        const tsr_atom *a = x->t[i].atom;
        if (!s->atoms[a->node.id]) {
            s->atoms[a->node.id] = a;
            if (a->x)
                note_atoms(s, a->x);
            if (a->y)
                note_atoms(s, a->y);
        }
    }
}

static tsr_status prepare(solver *s, const tsr_map *map, tsr_error *err)
{
    TSR_TRY(tsr_map_copy(&s->from, map, err));
    for (int v = 0; v < map->nvars; v++)
        if (tsr_interval_is_empty(map->vars[v].bounds)) /* an empty domain: any value is right */
            s->from->vars[v].bounds = (tsr_interval){0, 0};
    const int natoms = s->from->pool.atoms.n;
    if (natoms > MAX_ATOMS)
        return tsr_fail(err, TSR_LIMIT,
                        "the map cannot be inverted: it has %d terms, more than the limit of %d", natoms,
                        MAX_ATOMS);
    void *p;
    TSR_TRY(tsr_alloc_array(&p, (uint64_t)natoms, sizeof *s->known, 1, "inverting a map", err));
    s->known = p;
    TSR_TRY(tsr_alloc_array(&p, (uint64_t)natoms, sizeof *s->atoms, 1, "inverting a map", err));
    s->atoms = p;
    TSR_TRY(tsr_alloc_array(&p, (uint64_t)natoms, sizeof *s->digits, 1, "inverting a map", err));
    s->digits = p;
    TSR_TRY(tsr_alloc_array(&p, (uint64_t)natoms, sizeof *s->bases, 1, "inverting a map", err));
    s->bases = p;
    /* one fact for each result, each constraint and each base; there are at most as many bases as atoms */
    TSR_TRY(tsr_alloc_array(&p, (uint64_t)(map->nresults + map->nconstraints + natoms), sizeof *s->facts, 0,
                            "inverting a map", err));
    s->facts = p;
    TSR_TRY(tsr_map_new(&s->inv, err));
    for (int r = 0; r < map->nresults; r++) {
        TSR_TRY(tsr_map_add_var(s->inv, TSR_VAR_DIM, NULL, 0, err));
        s->inv->vars[r].bounds = tsr_map_level_bounds(map, r);
        note_atoms(s, s->from->results[r]);
        add_fact(s, s->from->results[r], tsr_linear_var(&s->inv->pool, r));
    }
    for (int c = 0; c < map->nconstraints; c++) {
        const tsr_constraint *con = &s->from->constraints[c];
        note_atoms(s, con->x);
        if (con->in.lo == con->in.hi)
            add_fact(s, con->x, tsr_linear_const(&s->inv->pool, con->in.lo));
    }
    return tsr_pool_status(&s->inv->pool, err);
}

static tsr_status solve(tsr_map **out, solver *s, const tsr_map *map, tsr_error *err)
{
    const tsr_linear *dims[TSR_MAP_MAX_VARS];
    while (solve_single(s) || solve_digits(s) || solve_mixed_radix(s))
        continue;
    TSR_TRY(tsr_pool_status(&s->from->pool, err));
    TSR_TRY(tsr_pool_status(&s->inv->pool, err));
    for (int v = 0; v < map->ndims; v++) {
        const tsr_linear *var = tsr_linear_var(&s->from->pool, v);
        TSR_TRY(tsr_pool_status(&s->from->pool, err));
        dims[v] = linear_value(s, var);
        if (!dims[v]) {
            TSR_TRY(tsr_pool_status(&s->inv->pool, err));
            return fail_unsolved(map, v, err);
        }
    }
    tsr_map *inv = s->inv;
    s->inv = NULL;
    TSR_TRY(tsr_map_finish(&inv, inv, map->ndims, dims, err));
    const tsr_status status = tsr_map_simplify(out, inv, err);
    tsr_map_free(inv);
    return status;
}

tsr_status tsr_map_invert(tsr_map **out, const tsr_map *map, tsr_error *err)
{
    *out = NULL;
    if (map->nvars > map->ndims)
        return tsr_fail(err, TSR_UNSUPPORTED, "a map with symbols cannot be inverted");
    solver s = {0};
    tsr_status status = prepare(&s, map, err);
    if (status == TSR_OK)
        status = solve(out, &s, map, err);
    tsr_map_free(s.from);
    tsr_map_free(s.inv);
    tsr_free(s.known);
    tsr_free(s.atoms);
    tsr_free(s.digits);
    tsr_free(s.bases);
    tsr_free(s.facts);
    return status;
}
