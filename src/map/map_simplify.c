/* Simplification with domain knowledge.
 *
 * quotient(), remainder() and recombine() take simplified parts and give a simplified whole;
 * tsr_simplify_linear() rebuilds an expression with them from the bottom up. Each rule is an identity of
 * integers, or one that holds for all points of the domain. A rule whose constants would leave 64 bits is not
 * applied. Constraints, and the repetition of it all until nothing changes: map_domain.c. */
#include "map_internal.h"

#include <string.h>

#include "tsr_alloc.h"
#include "tsr_checked.h"

enum {
    MAX_OPERANDS = 16, /* operands of nested minima that are simplified together */
    MAX_LOOK = 4       /* depth of nested minima and maxima that a comparison looks into */
};

static const tsr_linear *quotient(tsr_map *map, const tsr_linear *x, int64_t c);
static const tsr_linear *remainder_of(tsr_map *map, const tsr_linear *x, int64_t c);
static const tsr_linear *recombine(tsr_map *map, const tsr_linear *x);

/* Whether b = sign * a + a constant. */
static bool differ_by_constant(const tsr_linear *a, const tsr_linear *b, int64_t sign)
{
    if (a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++)
        if (a->t[i].atom != b->t[i].atom || a->t[i].k * sign != b->t[i].k)
            return false;
    return true;
}

/* An interval that contains x, from the bounds of the variables and from a constraint on x. */
tsr_interval tsr_simplify_interval(const tsr_map *map, const tsr_linear *x)
{
    tsr_interval in = tsr_interval_in(map, x);
    for (int c = 0; c < map->nconstraints; c++)
        for (int64_t sign = -1; sign <= 1; sign += 2) {
            const tsr_linear *y = map->constraints[c].x;
            int64_t shift;
            if (!differ_by_constant(y, x, sign) || !tsr_add_i64(&shift, x->c, -sign * y->c))
                continue;
            const tsr_interval known = tsr_interval_scale(map->constraints[c].in, sign);
            in = tsr_interval_meet(in, tsr_interval_add(known, (tsr_interval){shift, shift}));
        }
    return in;
}

/* The residue x mod c, if a constraint `X mod m in [r, r]`, with c dividing m and x = X + constant,
 * determines it. */
static bool known_residue(int64_t *residue, const tsr_map *map, const tsr_linear *x, int64_t c)
{
    for (int i = 0; i < map->nconstraints; i++) {
        const tsr_constraint *con = &map->constraints[i];
        const tsr_atom *atom = con->in.lo == con->in.hi ? tsr_linear_as_atom(con->x) : NULL;
        if (!atom || atom->kind != TSR_ATOM_MOD || atom->c % c != 0)
            continue;
        for (int64_t sign = -1; sign <= 1; sign += 2) {
            int64_t shift;
            if (differ_by_constant(atom->x, x, sign) && tsr_add_i64(&shift, x->c, -sign * atom->x->c) &&
                tsr_add_i64(&shift, shift, sign * con->in.lo)) {
                *residue = tsr_floormod_i64(shift, c);
                return true;
            }
        }
    }
    return false;
}

/* Whether all values in `in` have the same quotient by c; then *q is that quotient. */
static bool one_bucket(int64_t *q, tsr_interval in, int64_t c)
{
    if (!tsr_interval_is_bounded(in))
        return false;
    *q = tsr_floordiv_i64(in.lo, c);
    return *q == tsr_floordiv_i64(in.hi, c);
}

/* x = c * (*multiple) + (*rest), where the coefficients and the constant of rest are less than c in
 * magnitude. False: out of memory. */
static bool split_multiples(const tsr_linear **multiple, const tsr_linear **rest, tsr_pool *pool,
                            const tsr_linear *x, int64_t c)
{
    tsr_sum m, r;
    tsr_sum_init(&m, pool);
    tsr_sum_init(&r, pool);
    tsr_sum_add_const(&m, x->c / c);
    tsr_sum_add_const(&r, x->c % c);
    for (int i = 0; i < x->n; i++) {
        tsr_sum_add_atom(&m, x->t[i].k / c, x->t[i].atom);
        tsr_sum_add_atom(&r, x->t[i].k % c, x->t[i].atom);
    }
    *multiple = tsr_sum_take(&m);
    *rest = tsr_sum_take(&r);
    return *multiple && *rest;
}

bool tsr_linear_split(const tsr_linear **a, const tsr_linear **b, tsr_pool *pool, const tsr_linear *x,
                      int64_t g)
{
    tsr_sum sa, sb;
    tsr_sum_init(&sa, pool);
    tsr_sum_init(&sb, pool);
    tsr_sum_add_const(&sb, x->c);
    for (int i = 0; i < x->n; i++)
        if (x->t[i].k % g == 0)
            tsr_sum_add_atom(&sa, x->t[i].k / g, x->t[i].atom);
        else
            tsr_sum_add_atom(&sb, x->t[i].k, x->t[i].atom);
    *a = tsr_sum_take(&sa);
    *b = tsr_sum_take(&sb);
    return *a && *b;
}

/* The largest divisor g > 1 of c such that x = g * a + b where all values of b have the same quotient *q by
 * g; 0 if there is none. */
static int64_t find_small_rest(const tsr_linear **a, const tsr_linear **b, int64_t *q, tsr_map *map,
                               const tsr_linear *x, int64_t c)
{
    for (int64_t below = INT64_MAX;;) {
        int64_t g = 0;
        for (int i = 0; i < x->n; i++) {
            const int64_t k = x->t[i].k, d = tsr_gcd_i64(c, k < 0 ? -k : k);
            if (d < below && d > g)
                g = d;
        }
        if (g <= 1 || !tsr_linear_split(a, b, &map->pool, x, g))
            return 0;
        if (one_bucket(q, tsr_simplify_interval(map, *b), g))
            return g;
        below = g;
    }
}

/* (X floordiv a + y) floordiv c = (X + a * y) floordiv (a * c), if the left side has one such atom; else
 * NULL. */
static const tsr_linear *merge_quotients(tsr_map *map, const tsr_linear *x, int64_t c)
{
    const tsr_atom *inner = NULL;
    int64_t product;
    for (int i = 0; i < x->n; i++)
        if (x->t[i].k == 1 && x->t[i].atom->kind == TSR_ATOM_FLOORDIV) {
            if (inner)
                return NULL;
            inner = x->t[i].atom;
        }
    if (!inner || !tsr_mul_i64(&product, inner->c, c))
        return NULL;
    tsr_sum sum;
    tsr_sum_init(&sum, &map->pool);
    tsr_sum_add(&sum, inner->c, x);
    tsr_sum_add_atom(&sum, -inner->c, inner);
    tsr_sum_add(&sum, 1, inner->x);
    const tsr_linear *merged = tsr_sum_take(&sum);
    if (!merged || (x->n > 1 && !tsr_interval_is_bounded(tsr_simplify_interval(map, merged))))
        return NULL; /* the new sum might leave 64 bits where the old one did not */
    return quotient(map, merged, product);
}

/* A simplified form of x floordiv c, or NULL when no rule applies. */
static const tsr_linear *try_quotient(tsr_map *map, const tsr_linear *x, int64_t c)
{
    tsr_pool *pool = &map->pool;
    const tsr_linear *a, *b;
    int64_t q;
    if (one_bucket(&q, tsr_simplify_interval(map, x), c))
        return tsr_linear_const(pool, q);
    if (!split_multiples(&a, &b, pool, x, c))
        return NULL;
    if (a->n > 0 || a->c != 0)
        return recombine(map, tsr_linear_combine(pool, 1, a, 1, quotient(map, b, c)));
    const int64_t g = find_small_rest(&a, &b, &q, map, x, c);
    if (g > 0)
        return quotient(map, tsr_linear_add_const(pool, a, q), c / g);
    const tsr_atom *atom = tsr_linear_as_atom(x);
    if (atom && atom->kind == TSR_ATOM_MOD && atom->c % c == 0)
        return remainder_of(map, quotient(map, atom->x, c), atom->c / c);
    return merge_quotients(map, x, c);
}

static const tsr_linear *quotient(tsr_map *map, const tsr_linear *x, int64_t c)
{
    if (!x || c == 1 || x->n == 0)
        return tsr_linear_floordiv(&map->pool, x, c);
    const tsr_linear *y = try_quotient(map, x, c);
    tsr_pool_forgive(&map->pool);
    return y ? y : tsr_linear_floordiv(&map->pool, x, c);
}

/* If x contains k * (X mod m) with c dividing k * m: the same expression modulo c without that mod; else
 * NULL. */
static const tsr_linear *drop_inner_mods(tsr_map *map, const tsr_linear *x, int64_t c)
{
    tsr_sum sum;
    bool any = false;
    tsr_sum_init(&sum, &map->pool);
    tsr_sum_add_const(&sum, x->c);
    for (int i = 0; i < x->n; i++) {
        const tsr_atom *a = x->t[i].atom;
        int64_t km;
        if (a->kind == TSR_ATOM_MOD && tsr_mul_i64(&km, x->t[i].k, a->c) && km % c == 0) {
            tsr_sum_add(&sum, x->t[i].k, a->x);
            any = true;
        } else {
            tsr_sum_add_atom(&sum, x->t[i].k, a);
        }
    }
    const tsr_linear *y = tsr_sum_take(&sum);
    return any && y && (tsr_linear_as_atom(x) || tsr_interval_is_bounded(tsr_simplify_interval(map, y)))
               ? y
               : NULL;
}

static const tsr_linear *try_remainder(tsr_map *map, const tsr_linear *x, int64_t c)
{
    tsr_pool *pool = &map->pool;
    const tsr_linear *a, *b;
    int64_t q, qc;
    if (one_bucket(&q, tsr_simplify_interval(map, x), c) && tsr_mul_i64(&qc, -q, c))
        return recombine(map, tsr_linear_add_const(pool, x, qc));
    if (known_residue(&q, map, x, c))
        return tsr_linear_const(pool, q);
    if (!split_multiples(&a, &b, pool, x, c))
        return NULL;
    if (a->n > 0 || a->c != 0)
        return remainder_of(map, b, c);
    const tsr_linear *flat = drop_inner_mods(map, x, c);
    if (flat)
        return remainder_of(map, flat, c);
    const int64_t g = find_small_rest(&a, &b, &q, map, x, c);
    if (g > 0 && tsr_mul_i64(&qc, -q, g)) {
        const tsr_linear *high = remainder_of(map, tsr_linear_add_const(pool, a, q), c / g);
        return recombine(map, tsr_linear_add_const(pool, tsr_linear_combine(pool, g, high, 1, b), qc));
    }
    return NULL;
}

static const tsr_linear *remainder_of(tsr_map *map, const tsr_linear *x, int64_t c)
{
    if (!x || c == 1 || x->n == 0)
        return tsr_linear_mod(&map->pool, x, c);
    const tsr_linear *y = try_remainder(map, x, c);
    tsr_pool_forgive(&map->pool);
    return y ? y : tsr_linear_mod(&map->pool, x, c);
}

/* ---- sums ---- */

static int64_t coefficient(const tsr_linear *x, const tsr_atom *atom)
{
    for (int i = 0; i < x->n; i++)
        if (x->t[i].atom == atom)
            return x->t[i].k;
    return 0;
}

/* Whether x contains every term of k * part, with exactly that coefficient. */
static bool holds(const tsr_linear *x, int64_t k, const tsr_linear *part)
{
    for (int i = 0; i < part->n; i++) {
        int64_t want;
        if (!tsr_mul_i64(&want, k, part->t[i].k) || coefficient(x, part->t[i].atom) != want)
            return false;
    }
    return part->n > 0;
}

/* k * x */
typedef struct multiple {
    int64_t k;
    const tsr_linear *x;
} multiple;

/* x - old - t + new */
static const tsr_linear *exchange(tsr_pool *pool, const tsr_linear *x, multiple old, const tsr_map_term *t,
                                  multiple new)
{
    tsr_sum sum;
    tsr_sum_init(&sum, pool);
    tsr_sum_add(&sum, 1, x);
    tsr_sum_add(&sum, -old.k, old.x);
    tsr_sum_add_atom(&sum, -t->k, t->atom);
    tsr_sum_add(&sum, new.k, new.x);
    return tsr_sum_take(&sum);
}

/* Rewrite the terms k * (Z mod m) of x:  k * m * (Z floordiv m) + k * (Z mod m) = k * Z,
 *                                        k * (Z mod m) - k * Z = -k * m * (Z floordiv m). */
static const tsr_linear *recombine_mod(tsr_map *map, const tsr_linear *x, const tsr_map_term *t)
{
    const tsr_linear *z = t->atom->x, *floor = quotient(map, z, t->atom->c);
    int64_t km;
    if (!floor || !tsr_mul_i64(&km, t->k, t->atom->c))
        return NULL;
    if (holds(x, km, floor))
        return exchange(&map->pool, x, (multiple){km, floor}, t, (multiple){t->k, z});
    if (holds(x, -t->k, z))
        return exchange(&map->pool, x, (multiple){-t->k, z}, t, (multiple){-km, floor});
    return NULL;
}

/* x without its terms t and u, plus k * new */
static const tsr_linear *join(tsr_pool *pool, const tsr_linear *x, const tsr_map_term *t,
                              const tsr_map_term *u, int64_t k, const tsr_linear *new)
{
    tsr_sum sum;
    tsr_sum_init(&sum, pool);
    tsr_sum_add(&sum, 1, x);
    tsr_sum_add_atom(&sum, -t->k, t->atom);
    tsr_sum_add_atom(&sum, -u->k, u->atom);
    tsr_sum_add(&sum, k, new);
    return tsr_sum_take(&sum);
}

/* Rewrite the terms  k * (Z mod m) and  k * m * ((Z floordiv m) mod n) of x as k * (Z mod (m * n)), and the
 * terms
 *                    k * (Z mod m) and -k * (Z mod (m * n)) as -k * m * ((Z floordiv m) mod n). */
static const tsr_linear *recombine_mods(tsr_map *map, const tsr_linear *x, const tsr_map_term *t)
{
    const tsr_linear *z = t->atom->x;
    const int64_t m = t->atom->c;
    int64_t km, mn;
    if (!tsr_mul_i64(&km, t->k, m))
        return NULL;
    for (int i = 0; i < x->n; i++) {
        const tsr_atom *other = x->t[i].atom;
        if (other == t->atom || other->kind != TSR_ATOM_MOD)
            continue;
        const tsr_linear *both = NULL;
        int64_t k = 0;
        if (x->t[i].k == km && tsr_mul_i64(&mn, m, other->c) && other->x == quotient(map, z, m)) {
            both = remainder_of(map, z, mn);
            k = t->k;
        } else if (x->t[i].k == -t->k && other->x == z && other->c % m == 0) {
            both = remainder_of(map, quotient(map, z, m), other->c / m);
            k = -km;
        }
        if (both)
            return join(&map->pool, x, t, &x->t[i], k, both);
    }
    return NULL;
}

/* Rewrite the terms k * min(a, b) and k * max(a, b) of x as k * (a + b). */
static const tsr_linear *recombine_choices(tsr_map *map, const tsr_linear *x, const tsr_map_term *t)
{
    for (int i = 0; i < x->n; i++) {
        const tsr_atom *other = x->t[i].atom;
        if (other->kind == TSR_ATOM_MAX && x->t[i].k == t->k && other->x == t->atom->x &&
            other->y == t->atom->y)
            return join(&map->pool, x, t, &x->t[i], t->k,
                        tsr_linear_combine(&map->pool, 1, other->x, 1, other->y));
    }
    return NULL;
}

/* Rewrite the terms -k * c * (X floordiv c) of x: k * X - k * c * (X floordiv c) = k * (X mod c), if x
 * contains k * X, or X is a variable that x contains at least k times, or X mod c is known. */
static const tsr_linear *recombine_floordiv(tsr_map *map, const tsr_linear *x, const tsr_map_term *t)
{
    const tsr_atom *atom = t->atom;
    if (t->k % atom->c != 0)
        return NULL;
    const int64_t k = -(t->k / atom->c);
    const tsr_linear *rest = remainder_of(map, atom->x, atom->c);
    if (rest && rest->n > 0 && !holds(x, k, atom->x)) {
        const tsr_atom *var = tsr_linear_as_atom(atom->x);
        const int64_t have = var && var->kind == TSR_ATOM_VAR ? coefficient(x, var) : 0;
        if (k > 0 ? have < k : have > k)
            return NULL;
    }
    return exchange(&map->pool, x, (multiple){k, atom->x}, t, (multiple){k, rest});
}

static const tsr_linear *recombine(tsr_map *map, const tsr_linear *x)
{
    for (int i = 0; x && i < x->n; i++) {
        const tsr_map_term *t = &x->t[i];
        const tsr_linear *y = NULL;
        if (t->atom->kind == TSR_ATOM_MOD)
            y = recombine_mod(map, x, t);
        if (!y && t->atom->kind == TSR_ATOM_MOD)
            y = recombine_mods(map, x, t);
        else if (t->atom->kind == TSR_ATOM_MIN)
            y = recombine_choices(map, x, t);
        else if (t->atom->kind == TSR_ATOM_FLOORDIV)
            y = recombine_floordiv(map, x, t);
        tsr_pool_forgive(&map->pool);
        if (y) {
            x = y;
            i = -1; /* start again, since terms were removed */
        }
    }
    return x;
}

/* ---- min and max ---- */

/* Whether a <= b everywhere, as far as `deep` levels of nested minima and maxima show. */
static bool is_below(tsr_map *map, const tsr_linear *a, const tsr_linear *b, int deep)
{
    const tsr_atom *u = tsr_linear_as_atom(a), *v = tsr_linear_as_atom(b);
    const tsr_linear *d = recombine(map, tsr_linear_combine(&map->pool, 1, b, -1, a));
    tsr_pool_forgive(&map->pool);
    if (d && tsr_simplify_interval(map, d).lo >= 0)
        return true;
    if (deep-- == 0)
        return false;
    if (u && u->kind == TSR_ATOM_MAX)
        return is_below(map, u->x, b, deep) && is_below(map, u->y, b, deep);
    if (v && v->kind == TSR_ATOM_MIN)
        return is_below(map, a, v->x, deep) && is_below(map, a, v->y, deep);
    if (u && u->kind == TSR_ATOM_MIN && (is_below(map, u->x, b, deep) || is_below(map, u->y, b, deep)))
        return true;
    return v && v->kind == TSR_ATOM_MAX && (is_below(map, a, v->x, deep) || is_below(map, a, v->y, deep));
}

/* Collect the operands of nested minima (maxima) of x in list[*n...]; false: too many. */
static bool collect_operands(const tsr_linear **list, int *n, tsr_atom_kind kind, const tsr_linear *x)
{
    const tsr_atom *atom = tsr_linear_as_atom(x);
    if (atom && atom->kind == kind)
        return collect_operands(list, n, kind, atom->x) && collect_operands(list, n, kind, atom->y);
    if (*n == MAX_OPERANDS)
        return false;
    list[(*n)++] = x;
    return true;
}

/* Drop the operands that another operand makes redundant. */
static int drop_dominated(const tsr_linear **list, int n, tsr_map *map, tsr_atom_kind kind)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j && (kind == TSR_ATOM_MIN ? is_below(map, list[j], list[i], MAX_LOOK)
                                                : is_below(map, list[i], list[j], MAX_LOOK))) {
                memmove(list + i, list + i + 1, (size_t)(n - i - 1) * sizeof *list);
                n--;
                i--;
                break;
            }
    return n;
}

/* min(x, y) or max(x, y): nested ones become one list, in structural order, folded from its end. */
static const tsr_linear *choice(tsr_map *map, tsr_atom_kind kind, const tsr_linear *x, const tsr_linear *y)
{
    const tsr_linear *list[MAX_OPERANDS];
    int n = 0;
    if (!x || !y)
        return NULL;
    if (!collect_operands(list, &n, kind, x) || !collect_operands(list, &n, kind, y))
        return tsr_linear_choose(&map->pool, kind, x, y);
    n = drop_dominated(list, n, map, kind);
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && tsr_linear_compare(list[j - 1], list[j]) > 0; j--) {
            const tsr_linear *swap = list[j];
            list[j] = list[j - 1];
            list[j - 1] = swap;
        }
    const tsr_linear *all = list[n - 1];
    for (int i = n - 2; i >= 0; i--)
        all = tsr_linear_choose(&map->pool, kind, list[i], all);
    return all;
}

/* ---- expressions ---- */

static const tsr_linear *simplify_atom(tsr_map *map, const tsr_atom *a)
{
    if (a->kind == TSR_ATOM_VAR) {
        const tsr_interval b = map->vars[a->var].bounds;
        return b.lo == b.hi && !map->keep_points ? tsr_linear_const(&map->pool, b.lo)
                                                 : tsr_linear_atom(&map->pool, a);
    }
    if (a->kind == TSR_ATOM_COUNTER)
        return tsr_linear_atom(&map->pool, a);
    const tsr_linear *x = tsr_simplify_linear(map, a->x), *y = a->y ? tsr_simplify_linear(map, a->y) : NULL;
    if (a->kind == TSR_ATOM_FLOORDIV)
        return quotient(map, x, a->c);
    if (a->kind == TSR_ATOM_MOD)
        return remainder_of(map, x, a->c);
    return a->kind == TSR_ATOM_PRODUCT ? tsr_linear_product(&map->pool, x, y) : choice(map, a->kind, x, y);
}

const tsr_linear *tsr_simplify_linear(tsr_map *map, const tsr_linear *x)
{
    tsr_sum sum;
    tsr_sum_init(&sum, &map->pool);
    tsr_sum_add_const(&sum, x->c);
    for (int i = 0; i < x->n && !sum.failed; i++)
        tsr_sum_add(&sum, x->t[i].k, simplify_atom(map, x->t[i].atom));
    const tsr_linear *y = tsr_sum_take(&sum);
    if (!y)
        tsr_pool_forgive(&map->pool); /* the sum of the new terms leaves 64 bits: keep the old terms */
    return recombine(map, y ? y : x);
}
