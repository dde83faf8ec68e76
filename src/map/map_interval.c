/* Intervals of expressions. INT64_MIN as lower and INT64_MAX as upper end mean unbounded. An end that would
 * leave int64 becomes unbounded, so an interval is never too small. */
#include "map_internal.h"

#include <string.h>

#include "tsr_checked.h"

bool tsr_interval_is_empty(tsr_interval a)
{
    return a.lo > a.hi;
}

bool tsr_interval_is_bounded(tsr_interval a)
{
    return a.lo != INT64_MIN && a.hi != INT64_MAX;
}

tsr_interval tsr_interval_meet(tsr_interval a, tsr_interval b)
{
    const tsr_interval m = {.lo = a.lo > b.lo ? a.lo : b.lo, .hi = a.hi < b.hi ? a.hi : b.hi};
    return tsr_interval_is_empty(m) ? TSR_INTERVAL_EMPTY : m;
}

tsr_interval tsr_interval_add(tsr_interval a, tsr_interval b)
{
    if (tsr_interval_is_empty(a) || tsr_interval_is_empty(b))
        return TSR_INTERVAL_EMPTY;
    tsr_interval s;
    if (a.lo == INT64_MIN || b.lo == INT64_MIN || !tsr_add_i64(&s.lo, a.lo, b.lo))
        s.lo = INT64_MIN;
    if (a.hi == INT64_MAX || b.hi == INT64_MAX || !tsr_add_i64(&s.hi, a.hi, b.hi))
        s.hi = INT64_MAX;
    return s;
}

tsr_interval tsr_interval_scale(tsr_interval a, int64_t k)
{
    if (tsr_interval_is_empty(a))
        return TSR_INTERVAL_EMPTY;
    if (k == 0)
        return (tsr_interval){0, 0};
    const int64_t at_lo = k > 0 ? a.lo : a.hi, at_hi = k > 0 ? a.hi : a.lo;
    tsr_interval s;
    if ((k > 0 ? a.lo == INT64_MIN : a.hi == INT64_MAX) || !tsr_mul_i64(&s.lo, k, at_lo))
        s.lo = INT64_MIN;
    if ((k > 0 ? a.hi == INT64_MAX : a.lo == INT64_MIN) || !tsr_mul_i64(&s.hi, k, at_hi))
        s.hi = INT64_MAX;
    return s;
}

/* The product of two ends, where an unbounded end counts as infinite. */
static int64_t multiply_ends(int64_t a, int64_t b)
{
    int64_t v;
    if (a == 0 || b == 0)
        return 0;
    const bool unbounded = a == INT64_MIN || a == INT64_MAX || b == INT64_MIN || b == INT64_MAX;
    if (!unbounded && tsr_mul_i64(&v, a, b))
        return v;
    return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
}

static tsr_interval product(tsr_interval a, tsr_interval b)
{
    if (tsr_interval_is_empty(a) || tsr_interval_is_empty(b))
        return TSR_INTERVAL_EMPTY;
    const int64_t corner[4] = {multiply_ends(a.lo, b.lo), multiply_ends(a.lo, b.hi),
                               multiply_ends(a.hi, b.lo), multiply_ends(a.hi, b.hi)};
    tsr_interval p = {.lo = corner[0], .hi = corner[0]};
    for (int i = 1; i < 4; i++) {
        p.lo = corner[i] < p.lo ? corner[i] : p.lo;
        p.hi = corner[i] > p.hi ? corner[i] : p.hi;
    }
    return p;
}

static tsr_interval choose(tsr_interval a, tsr_interval b, bool min)
{
    if (tsr_interval_is_empty(a) || tsr_interval_is_empty(b))
        return TSR_INTERVAL_EMPTY;
    return (tsr_interval){.lo = (a.lo < b.lo) == min ? a.lo : b.lo, .hi = (a.hi < b.hi) == min ? a.hi : b.hi};
}

static tsr_interval floordiv(tsr_interval a, int64_t c)
{
    if (tsr_interval_is_empty(a))
        return TSR_INTERVAL_EMPTY;
    return (tsr_interval){.lo = a.lo == INT64_MIN ? INT64_MIN : tsr_floordiv_i64(a.lo, c),
                          .hi = a.hi == INT64_MAX ? INT64_MAX : tsr_floordiv_i64(a.hi, c)};
}

/* x mod c for x in a: exact if a lies between two multiples of c; else all residues that x can have, given
 * that every value of x equals x->c modulo the gcd of its coefficients. */
static tsr_interval mod(tsr_interval a, const tsr_linear *x, int64_t c)
{
    if (tsr_interval_is_empty(a))
        return TSR_INTERVAL_EMPTY;
    if (tsr_interval_is_bounded(a) && tsr_floordiv_i64(a.lo, c) == tsr_floordiv_i64(a.hi, c))
        return (tsr_interval){.lo = tsr_floormod_i64(a.lo, c), .hi = tsr_floormod_i64(a.hi, c)};
    int64_t step = c;
    for (int i = 0; i < x->n; i++)
        step = tsr_gcd_i64(step, x->t[i].k > 0 ? x->t[i].k : -x->t[i].k);
    const int64_t first = tsr_floormod_i64(x->c, step);
    return (tsr_interval){.lo = first, .hi = c - step + first};
}

/* Where an interval is looked for: what is known of it before is NULL where nothing is kept. */
typedef struct search {
    const tsr_var *vars;
    bool whole_mod;
    tsr_intervals *known;
} search;

static tsr_interval of_linear(const search *s, const tsr_linear *x);

static tsr_interval of_atom(const search *s, const tsr_atom *atom)
{
    switch (atom->kind) {
    case TSR_ATOM_VAR:
        return s->vars[atom->var].bounds;
    case TSR_ATOM_FLOORDIV:
        return floordiv(of_linear(s, atom->x), atom->c);
    case TSR_ATOM_MIN:
    case TSR_ATOM_MAX:
        return choose(of_linear(s, atom->x), of_linear(s, atom->y), atom->kind == TSR_ATOM_MIN);
    case TSR_ATOM_PRODUCT:
        return product(of_linear(s, atom->x), of_linear(s, atom->y));
    case TSR_ATOM_COUNTER:
        return (tsr_interval){.lo = 0, .hi = INT64_MAX};
    case TSR_ATOM_MOD:
    default:
        if (s->whole_mod)
            return (tsr_interval){.lo = 0, .hi = atom->c - 1};
        return mod(of_linear(s, atom->x), atom->x, atom->c);
    }
}

/* The same, remembered. */
static tsr_interval of_known_atom(const search *s, const tsr_atom *atom)
{
    if (!s->known || atom->kind == TSR_ATOM_VAR)
        return of_atom(s, atom);
    const int at = atom->node.id % TSR_INTERVALS_NSLOTS;
    if (s->known->slot[at].atom != atom) {
        const tsr_interval in = of_atom(s, atom); /* may use the slot, too */
        s->known->slot[at].in = in;
        s->known->slot[at].atom = atom;
    }
    return s->known->slot[at].in;
}

static tsr_interval of_linear(const search *s, const tsr_linear *x)
{
    tsr_interval sum = {.lo = x->c, .hi = x->c};
    for (int i = 0; i < x->n; i++)
        sum = tsr_interval_add(sum, tsr_interval_scale(of_known_atom(s, x->t[i].atom), x->t[i].k));
    return sum;
}

tsr_interval tsr_interval_of_atom(const tsr_atom *atom, const tsr_var *vars, bool whole_mod)
{
    const search s = {vars, whole_mod, NULL};
    return of_atom(&s, atom);
}

tsr_interval tsr_interval_of(const tsr_linear *x, const tsr_var *vars, bool whole_mod)
{
    const search s = {vars, whole_mod, NULL};
    return of_linear(&s, x);
}

/* Forget everything when a variable's bounds are not those that it was computed for. */
static void refresh(tsr_intervals *known, const tsr_map *map)
{
    bool same = known->nvars == map->nvars;
    for (int v = 0; v < map->nvars && same; v++)
        same = known->bounds[v].lo == map->vars[v].bounds.lo && known->bounds[v].hi == map->vars[v].bounds.hi;
    if (same)
        return;
    memset(known->slot, 0, sizeof known->slot);
    known->nvars = map->nvars;
    for (int v = 0; v < map->nvars; v++)
        known->bounds[v] = map->vars[v].bounds;
}

tsr_interval tsr_interval_in(const tsr_map *map, const tsr_linear *x)
{
    const search s = {map->vars, false, map->known};
    if (s.known)
        refresh(s.known, map);
    return of_linear(&s, x);
}
