/* Simplification of domains, and of whole maps.
 *
 * Each constraint is simplified with the help of the others and brought to a normal form (no common
 * factor, no constant, first coefficient positive, no enclosing floordiv), and dropped if the others imply
 * it. Constraints on residues of one expression are merged (Chinese remainder theorem). Then the bounds of
 * the variables are tightened. Each step can enable more rules, so all steps are repeated until nothing
 * changes. */
#include "map_internal.h"

#include <string.h>

#include "tsr_alloc.h"
#include "tsr_checked.h"

enum {
    MAX_PASSES = 16,
    /* rounds of tightening; bounds that still move then are left as they are: they may move forever */
    MAX_ROUNDS = 16,
    MAX_STEPS = 1024, /* steps of a bound to the next value that the constraints allow */
    MAX_RULES = 64    /* rules applied to one constraint */
};

/* ---- the normal form of one constraint ---- */

static int64_t ceildiv(int64_t a, int64_t c)
{
    return -tsr_floordiv_i64(-a, c);
}

/* All v with k * v in `in`, k > 0. */
static tsr_interval divide(tsr_interval in, int64_t k)
{
    return (tsr_interval){.lo = in.lo == INT64_MIN ? INT64_MIN : ceildiv(in.lo, k),
                          .hi = in.hi == INT64_MAX ? INT64_MAX : tsr_floordiv_i64(in.hi, k)};
}

/* All X with X floordiv c in `in`. */
static tsr_interval undo_floordiv(tsr_interval in, int64_t c)
{
    const tsr_interval up = tsr_interval_scale(in, c);
    int64_t hi;
    return (tsr_interval){.lo = up.lo,
                          .hi = up.hi == INT64_MAX || !tsr_add_i64(&hi, up.hi, c - 1) ? INT64_MAX : hi};
}

/* Rewrite A + X floordiv c in [lo, hi] as c * A + X in [lo * c, hi * c + c - 1]; the floordiv may have a
 * minus sign. */
static bool unwrap_floordiv(const tsr_linear **x, tsr_interval *in, tsr_map *map)
{
    const tsr_linear *old = *x;
    int at = 0;
    while (at < old->n &&
           (old->t[at].atom->kind != TSR_ATOM_FLOORDIV || (old->t[at].k != 1 && old->t[at].k != -1)))
        at++;
    if (at == old->n)
        return false;
    const tsr_atom *atom = old->t[at].atom;
    const int64_t sign = old->t[at].k;
    const tsr_interval next = undo_floordiv(tsr_interval_scale(*in, sign), atom->c);
    if (((next.lo == INT64_MIN) + (next.hi == INT64_MAX)) != ((in->lo == INT64_MIN) + (in->hi == INT64_MAX)))
        return false;
    tsr_sum sum;
    tsr_sum_init(&sum, &map->pool);
    tsr_sum_add(&sum, 1, atom->x);
    for (int i = 0; i < old->n; i++) {
        int64_t k;
        if (i == at)
            continue;
        if (!tsr_mul_i64(&k, old->t[i].k * sign, atom->c)) {
            tsr_sum_drop(&sum);
            return false;
        }
        tsr_sum_add_atom(&sum, k, old->t[i].atom);
    }
    int64_t c;
    if (!tsr_mul_i64(&c, old->c * sign, atom->c)) {
        tsr_sum_drop(&sum);
        return false;
    }
    tsr_sum_add_const(&sum, c);
    const tsr_linear *y = tsr_sum_take(&sum);
    if (!y || (old->n > 1 && !tsr_interval_is_bounded(tsr_simplify_interval(map, y))))
        return false; /* the new sum might leave 64 bits where the old one did not */
    *in = next;
    *x = y;
    return true;
}

/* Remove the constant and the common factor, and make the first coefficient positive. */
static bool strip(const tsr_linear **x, tsr_interval *in, tsr_pool *pool)
{
    const tsr_linear *old = *x;
    int64_t g = 0;
    for (int i = 0; i < old->n; i++)
        g = tsr_gcd_i64(g, old->t[i].k < 0 ? -old->t[i].k : old->t[i].k);
    const int64_t sign = old->t[0].k < 0 ? -1 : 1;
    if (g == 1 && sign == 1 && old->c == 0)
        return false;
    const tsr_interval moved = tsr_interval_add(*in, (tsr_interval){-old->c, -old->c});
    if ((moved.lo == INT64_MIN) != (in->lo == INT64_MIN) || (moved.hi == INT64_MAX) != (in->hi == INT64_MAX))
        return false;
    tsr_sum sum;
    tsr_sum_init(&sum, pool);
    for (int i = 0; i < old->n; i++)
        tsr_sum_add_atom(&sum, old->t[i].k / g * sign, old->t[i].atom);
    const tsr_linear *y = tsr_sum_take(&sum);
    if (!y)
        return false;
    *in = divide(tsr_interval_scale(moved, sign), g);
    *x = y;
    return true;
}

/* *out = a * b mod m for a, b in [0, m); false: an intermediate value does not fit 64 bits. */
static bool multiply_mod(int64_t *out, int64_t a, int64_t b, int64_t m)
{
    int64_t v;
    if (!tsr_mul_i64(&v, a, b))
        return false;
    *out = v % m;
    return true;
}

/* The inverse of a modulo m, where gcd(a, m) = 1 and a is in [0, m). */
static int64_t invert_mod(int64_t a, int64_t m)
{
    int64_t r0 = m, r1 = a, t0 = 0, t1 = 1;
    while (r1 != 0) {
        const int64_t q = r0 / r1, r = r0 - q * r1, t = t0 - q * t1;
        r0 = r1;
        r1 = r;
        t0 = t1;
        t1 = t;
    }
    return tsr_floormod_i64(t0, m);
}

/* For X mod m in [r, r]: remove the constant of X and make its first coefficient positive; if X is one term
 * whose coefficient has an inverse modulo m, make the coefficient 1. */
static bool strip_residue(const tsr_linear **x, tsr_interval *in, tsr_map *map)
{
    const tsr_atom *atom = tsr_linear_as_atom(*x);
    if (!atom || atom->kind != TSR_ATOM_MOD || in->lo != in->hi || in->lo < 0 || in->lo >= atom->c)
        return false;
    const tsr_linear *old = atom->x;
    const int64_t m = atom->c, k0 = tsr_floormod_i64(old->t[0].k, m);
    const bool single = old->n == 1 && tsr_gcd_i64(m, k0) == 1 && old->t[0].k != 1;
    const bool negate = !single && old->t[0].k < 0;
    const int64_t factor = single ? invert_mod(k0, m) : negate ? m - 1 : 1;
    int64_t r = tsr_floormod_i64(in->lo - tsr_floormod_i64(old->c, m), m);
    if ((old->c == 0 && !single && !negate) || !multiply_mod(&r, r, factor, m))
        return false;
    tsr_sum sum;
    tsr_sum_init(&sum, &map->pool);
    for (int i = 0; i < old->n; i++)
        tsr_sum_add_atom(&sum, single ? 1 : negate ? -old->t[i].k : old->t[i].k, old->t[i].atom);
    const tsr_linear *y = tsr_linear_mod(&map->pool, tsr_sum_take(&sum), m);
    if (!y)
        return false;
    *x = y;
    *in = (tsr_interval){.lo = r, .hi = r};
    return true;
}

/* The values a such that g * a + b is in `in` for some b in `rest` (*some), and for all b in `rest`
 * (*all). */
static bool solve_for_multiple(tsr_interval *some, tsr_interval *all, tsr_interval in, tsr_interval rest,
                               int64_t g)
{
    if (!tsr_interval_is_bounded(in) || !tsr_interval_is_bounded(rest))
        return false;
    const tsr_interval wide = tsr_interval_add(in, (tsr_interval){-rest.hi, -rest.lo});
    const tsr_interval low = tsr_interval_add(in, (tsr_interval){-rest.lo, -rest.lo});
    const tsr_interval high = tsr_interval_add(in, (tsr_interval){-rest.hi, -rest.hi});
    if (!tsr_interval_is_bounded(wide) || !tsr_interval_is_bounded(low) || !tsr_interval_is_bounded(high))
        return false;
    *some = divide(wide, g);
    *all = (tsr_interval){.lo = divide(low, g).lo, .hi = divide(high, g).hi};
    return true;
}

/* Rewrite g * A + B in [lo, hi] as A in [...], if the result does not depend on the value of B. */
static bool drop_small_rest(const tsr_linear **x, tsr_interval *in, tsr_map *map)
{
    const tsr_linear *old = *x, *a, *b;
    for (int i = 0; i < old->n; i++) {
        const int64_t g = old->t[i].k < 0 ? -old->t[i].k : old->t[i].k;
        tsr_interval some, all;
        if (g == 1 || !tsr_linear_split(&a, &b, &map->pool, old, g) || b->n == 0 ||
            !solve_for_multiple(&some, &all, *in, tsr_simplify_interval(map, b), g))
            continue;
        const tsr_interval have = tsr_simplify_interval(map, a);
        if ((some.lo < all.lo && have.lo < all.lo) || (some.hi > all.hi && have.hi > all.hi))
            continue;
        *x = a;
        *in = (tsr_interval){.lo = all.lo, .hi = all.hi};
        return true;
    }
    return false;
}

static bool apply_rule(const tsr_linear **x, tsr_interval *in, tsr_map *map)
{
    const bool applied = unwrap_floordiv(x, in, map) || strip(x, in, &map->pool) ||
                         strip_residue(x, in, map) || drop_small_rest(x, in, map);
    tsr_pool_forgive(&map->pool);
    return applied;
}

/* ---- one constraint with the help of the others ---- */

/* Add the constraint, which was removed from the map before, in its simplest form. */
static tsr_status simplify_constraint(tsr_map *map, const tsr_linear *x, tsr_interval in, tsr_error *err)
{
    for (int n = 0; n < MAX_RULES && x->n > 0 && unwrap_floordiv(&x, &in, map); n++)
        continue;
    tsr_pool_forgive(&map->pool);
    x = tsr_simplify_linear(map, x);
    for (int n = 0; x && x->n > 0 && n < MAX_RULES && !tsr_interval_is_empty(in); n++) {
        if (!apply_rule(&x, &in, map))
            break;
        x = tsr_simplify_linear(map, x);
    }
    TSR_TRY(tsr_pool_status(&map->pool, err));
    const tsr_interval all = tsr_simplify_interval(map, x);
    if (tsr_interval_is_empty(tsr_interval_meet(in, all))) {
        map->empty = true;
        return TSR_OK;
    }
    if (all.lo >= in.lo && all.hi <= in.hi)
        return TSR_OK;
    const tsr_atom *atom = tsr_linear_as_atom(x);
    if (atom &&
        ((atom->kind == TSR_ATOM_MIN && all.hi <= in.hi) ||
         (atom->kind == TSR_ATOM_MAX && all.lo >= in.lo))) { /* the constraint holds for both operands */
        if (atom->kind == TSR_ATOM_MIN)
            in.hi = INT64_MAX;
        else
            in.lo = INT64_MIN;
        TSR_TRY(tsr_map_add_constraint(map, atom->x, in, err));
        return tsr_map_add_constraint(map, atom->y, in, err);
    }
    return tsr_map_add_constraint(map, x, tsr_interval_meet(in, all), err);
}

static void remove_constraint(tsr_map *map, int at)
{
    map->nconstraints--;
    memmove(map->constraints + at, map->constraints + at + 1,
            (size_t)(map->nconstraints - at) * sizeof *map->constraints);
}

/* The index of the constraint on x, or -1. */
static int find_constraint(const tsr_map *map, const tsr_linear *x)
{
    for (int c = 0; c < map->nconstraints; c++)
        if (map->constraints[c].x == x)
            return c;
    return -1;
}

static tsr_status simplify_constraints(tsr_map *map, tsr_error *err)
{
    void *p;
    const int n = map->nconstraints;
    TSR_TRY(tsr_alloc_array(&p, (uint64_t)n, sizeof(tsr_linear *), 0, "the constraints of a map", err));
    const tsr_linear **list = p;
    tsr_status status = TSR_OK;
    for (int c = 0; c < n; c++)
        list[c] = map->constraints[c].x;
    for (int c = 0; status == TSR_OK && c < n && !tsr_map_is_known_empty(map); c++) {
        const int at = find_constraint(map, list[c]);
        if (at < 0)
            continue;
        const tsr_interval in = map->constraints[at].in;
        remove_constraint(map, at);
        status = simplify_constraint(map, list[c], in, err);
    }
    tsr_free(p);
    return status;
}

/* ---- residues ---- */

/* The atom `X mod m` if the constraint is `X mod m in [r, r]`, else NULL. */
static const tsr_atom *as_residue(const tsr_constraint *con)
{
    const tsr_atom *atom = con->in.lo == con->in.hi ? tsr_linear_as_atom(con->x) : NULL;
    return atom && atom->kind == TSR_ATOM_MOD ? atom : NULL;
}

/* The numbers that are `r` modulo `m`. */
typedef struct residue {
    int64_t r, m;
} residue;

/* *out = the residue modulo lcm(a.m, b.m) that both residues give. *conflict: there is none. False: nothing was
 * computed, since a value would leave 64 bits. */
static bool merge_residues(residue *out, bool *conflict, residue a, residue b)
{
    const int64_t g = tsr_gcd_i64(a.m, b.m), step = b.m / g;
    *conflict = (b.r - a.r) % g != 0;
    int64_t up;
    return !*conflict && tsr_mul_i64(&out->m, a.m, step) &&
           multiply_mod(&up, tsr_floormod_i64((b.r - a.r) / g, step), invert_mod(a.m / g % step, step),
                        step) &&
           tsr_mul_i64(&out->r, up, a.m) && tsr_add_i64(&out->r, out->r, a.r);
}

static tsr_status merge_pair(bool *merged, tsr_map *map, int a, int b, tsr_error *err)
{
    const tsr_atom *u = as_residue(&map->constraints[a]), *v = as_residue(&map->constraints[b]);
    residue both;
    bool conflict;
    if (!u || !v || u->x != v->x)
        return TSR_OK;
    *merged = merge_residues(&both, &conflict, (residue){map->constraints[a].in.lo, u->c},
                             (residue){map->constraints[b].in.lo, v->c});
    map->empty |= conflict;
    if (!*merged)
        return TSR_OK;
    const tsr_linear *x = tsr_linear_mod(&map->pool, u->x, both.m);
    remove_constraint(map, b);
    remove_constraint(map, a);
    return tsr_map_add_constraint(map, x, (tsr_interval){.lo = both.r, .hi = both.r}, err);
}

static tsr_status merge_constraints(tsr_map *map, tsr_error *err)
{
    for (int a = 0; a < map->nconstraints; a++)
        for (int b = a + 1; b < map->nconstraints; b++) {
            bool merged = false;
            TSR_TRY(merge_pair(&merged, map, a, b, err));
            if (merged) {
                a = -1;
                break;
            }
        }
    return TSR_OK;
}

/* ---- bounds of variables ---- */

static void tighten_linear(tsr_var *vars, const tsr_linear *x, tsr_interval in);

/* Tighten the bounds of variables, given that the atom is in `in`. */
static void tighten_atom(tsr_var *vars, const tsr_atom *atom, tsr_interval in)
{
    switch (atom->kind) {
    case TSR_ATOM_VAR:
        vars[atom->var].bounds = tsr_interval_meet(vars[atom->var].bounds, in);
        break;
    case TSR_ATOM_FLOORDIV:
        tighten_linear(vars, atom->x, undo_floordiv(in, atom->c));
        break;
    case TSR_ATOM_MIN: /* both operands are at least that */
    case TSR_ATOM_MAX:
        in = atom->kind == TSR_ATOM_MIN ? (tsr_interval){in.lo, INT64_MAX} : (tsr_interval){INT64_MIN, in.hi};
        tighten_linear(vars, atom->x, in);
        tighten_linear(vars, atom->y, in);
        break;
    default:
        break;
    }
}

/* Tighten the bounds of variables, given that x is in `in`: the range of each term is limited by the ranges
 * of the others. */
static void tighten_linear(tsr_var *vars, const tsr_linear *x, tsr_interval in)
{
    for (int i = 0; i < x->n; i++) {
        tsr_interval room = tsr_interval_add(in, (tsr_interval){-x->c, -x->c});
        for (int j = 0; j < x->n; j++)
            if (j != i) {
                const tsr_interval other = tsr_interval_of_atom(x->t[j].atom, vars, false);
                if (tsr_interval_is_empty(other))
                    return;
                room = tsr_interval_add(room, tsr_interval_scale(other, -x->t[j].k));
            }
        if (room.lo == INT64_MIN && room.hi == INT64_MAX)
            continue;
        const int64_t k = x->t[i].k;
        const tsr_interval v = divide(k < 0 ? tsr_interval_scale(room, -1) : room, k < 0 ? -k : k);
        tighten_atom(vars, x->t[i].atom, tsr_interval_is_empty(v) ? TSR_INTERVAL_EMPTY : v);
    }
}

static bool has_empty(const tsr_map *map)
{
    for (int v = 0; v < map->nvars; v++)
        if (tsr_interval_is_empty(map->vars[v].bounds))
            return true;
    return false;
}

/* Tighten the bounds of the variables by the constraints, in a limited number of rounds; sets map->empty. */
static void tighten(tsr_map *map)
{
    tsr_var start[TSR_MAP_MAX_VARS], before[TSR_MAP_MAX_VARS];
    const size_t nbytes = (size_t)map->nvars * sizeof *start;
    if (tsr_map_is_known_empty(map))
        return;
    memcpy(start, map->vars, nbytes);
    for (int round = 0; round < MAX_ROUNDS; round++) {
        bool same = true;
        memcpy(before, map->vars, nbytes);
        for (int c = 0; c < map->nconstraints && !has_empty(map); c++)
            tighten_linear(map->vars, map->constraints[c].x, map->constraints[c].in);
        if (has_empty(map)) {
            map->empty = true;
            break;
        }
        for (int v = 0; v < map->nvars; v++)
            same &= before[v].bounds.lo == map->vars[v].bounds.lo &&
                    before[v].bounds.hi == map->vars[v].bounds.hi;
        if (same)
            return;
    }
    memcpy(map->vars, start, nbytes);
}

/* ---- constraints on one variable ---- */

/* The distance that `var` must move from its value in `point`, in direction dir, until con holds; 0: con
 * holds already. False: unknown. */
static bool distance(int64_t *out, const tsr_constraint *con, const int64_t *point, int64_t dir)
{
    int64_t y;
    *out = 1;
    if (!tsr_linear_eval(&y, con->x, point))
        return false;
    if (y >= con->in.lo && y <= con->in.hi) {
        *out = 0;
        return true;
    }
    const tsr_atom *atom = tsr_linear_as_atom(con->x);
    if (!atom || atom->kind != TSR_ATOM_MOD || atom->x->n != 1 || atom->x->t[0].atom->kind != TSR_ATOM_VAR ||
        atom->x->t[0].k != 1 || con->in.lo < 0 || con->in.hi >= atom->c)
        return true;
    *out = dir > 0 ? tsr_floormod_i64(con->in.lo - y, atom->c) : tsr_floormod_i64(y - con->in.hi, atom->c);
    return true;
}

/* *next = the next value of `var` from `from` on, in direction dir, that all constraints on `var` alone
 * allow. *none: there is no such value within the bounds. False: it was not found in MAX_STEPS steps. */
static bool next_allowed(int64_t *next, bool *none, const tsr_map *map, int var, int64_t from, int64_t dir)
{
    int64_t point[TSR_MAP_MAX_VARS] = {0};
    const tsr_interval bounds = map->vars[var].bounds;
    *none = false;
    for (int step = 0; step < MAX_STEPS; step++) {
        int64_t move = 0, d;
        point[var] = from;
        for (int c = 0; c < map->nconstraints; c++)
            if (tsr_linear_vars(map->constraints[c].x) == UINT64_C(1) << var) {
                if (!distance(&d, &map->constraints[c], point, dir))
                    return false;
                move = d > move ? d : move;
            }
        *next = from;
        if (move == 0)
            return true;
        *none = !tsr_add_i64(&from, from, dir * move) || from < bounds.lo || from > bounds.hi;
        if (*none)
            return true;
    }
    return false;
}

/* Whether the constraint, which is on `var` alone, holds for all values of `var`; false also if there are too
 * many values. */
static bool always_holds(const tsr_map *map, const tsr_constraint *con, int var)
{
    int64_t point[TSR_MAP_MAX_VARS] = {0}, d;
    const tsr_interval bounds = map->vars[var].bounds;
    if (bounds.lo < INT64_MIN / 2 || bounds.hi > INT64_MAX / 2 || bounds.hi - bounds.lo >= MAX_STEPS)
        return false;
    for (point[var] = bounds.lo; point[var] <= bounds.hi; point[var]++)
        if (!distance(&d, con, point, 1) || d > 0)
            return false;
    return true;
}

static void walk_variable(tsr_map *map, int var)
{
    tsr_interval *bounds = &map->vars[var].bounds;
    int64_t next;
    bool none = false;
    if (bounds->lo != INT64_MIN && next_allowed(&next, &none, map, var, bounds->lo, 1) && !none)
        bounds->lo = next;
    if (!none && bounds->hi != INT64_MAX && next_allowed(&next, &none, map, var, bounds->hi, -1) && !none)
        bounds->hi = next;
    map->empty |= none;
    for (int c = 0; !none && c < map->nconstraints; c++)
        if (tsr_linear_vars(map->constraints[c].x) == UINT64_C(1) << var &&
            always_holds(map, &map->constraints[c], var))
            remove_constraint(map, c--);
}

static void walk_variables(tsr_map *map)
{
    uint64_t alone = 0; /* variables that have a constraint on them alone */
    for (int c = 0; c < map->nconstraints; c++) {
        const uint64_t vars = tsr_linear_vars(map->constraints[c].x);
        alone |= (vars & (vars - 1)) == 0 ? vars : 0;
    }
    for (int v = 0; v < map->nvars && !tsr_map_is_known_empty(map); v++)
        if (alone >> v & 1)
            walk_variable(map, v);
}

/* ---- whole maps ---- */

static tsr_status simplify_pass(tsr_map *map, tsr_error *err)
{
    TSR_TRY(simplify_constraints(map, err));
    TSR_TRY(merge_constraints(map, err));
    tighten(map);
    walk_variables(map);
    for (int r = 0; r < map->nresults && !tsr_map_is_known_empty(map); r++) {
        const tsr_linear *x = tsr_simplify_linear(map, map->results[r]);
        if (x)
            map->results[r] = x;
    }
    return tsr_pool_status(&map->pool, err);
}

/* Repeat passes over an unfinished copy of the map until a pass changes nothing. */
static tsr_status simplify_until_stable(tsr_map *work, tsr_error *err)
{
    bool stable = tsr_map_is_known_empty(work);
    for (int pass = 0; pass < MAX_PASSES && !stable; pass++) {
        tsr_map *before;
        TSR_TRY(tsr_map_copy(&before, work, err));
        const tsr_status status = simplify_pass(work, err);
        stable = status != TSR_OK || tsr_map_is_known_empty(work) || tsr_map_equal(before, work);
        tsr_map_free(before);
        TSR_TRY(status);
    }
    if (tsr_map_is_known_empty(work)) {
        work->empty = true;
        work->nconstraints = 0;
    }
    return TSR_OK;
}

static tsr_status simplify_map(tsr_map **out, const tsr_map *map, bool keep_points, tsr_error *err)
{
    *out = NULL;
    tsr_map *work;
    TSR_TRY(tsr_map_copy(&work, map, err));
    work->keep_points = keep_points;
    work->known = tsr_calloc(1, sizeof *work->known);
    tsr_status status = work->known ? simplify_until_stable(work, err)
                                    : tsr_fail(err, TSR_NOMEM, "out of memory: simplifying a map");
    tsr_free(work->known);
    work->known = NULL;
    if (status == TSR_OK)
        /* a copy leaves out the expressions that were built on the way */
        status = tsr_map_copy(out, work, err);
    tsr_map_free(work);
    return status;
}

tsr_status tsr_map_simplify(tsr_map **out, const tsr_map *map, tsr_error *err)
{
    return simplify_map(out, map, false, err);
}

tsr_status tsr_map_simplify_keeping_points(tsr_map **out, const tsr_map *map, tsr_error *err)
{
    return simplify_map(out, map, true, err);
}
