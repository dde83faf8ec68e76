/* A map at one point: slow and simple, with every step checked. */
#include "map_internal.h"

#include "tsr_checked.h"

static bool eval_atom(int64_t *out, const tsr_atom *a, const int64_t *vars)
{
    int64_t x = 0, y = 0;
    if ((a->x && !tsr_linear_eval(&x, a->x, vars)) || (a->y && !tsr_linear_eval(&y, a->y, vars)))
        return false;
    switch (a->kind) {
    case TSR_ATOM_VAR:
        *out = vars[a->var];
        return true;
    case TSR_ATOM_FLOORDIV:
        *out = tsr_floordiv_i64(x, a->c);
        return true;
    case TSR_ATOM_MOD:
        *out = tsr_floormod_i64(x, a->c);
        return true;
    case TSR_ATOM_MIN:
        *out = x < y ? x : y;
        return true;
    case TSR_ATOM_MAX:
        *out = x > y ? x : y;
        return true;
    case TSR_ATOM_PRODUCT:
        return tsr_mul_i64(out, x, y);
    case TSR_ATOM_COUNTER:
    default:
        return false;
    }
}

bool tsr_linear_eval(int64_t *out, const tsr_linear *x, const int64_t *vars)
{
    int64_t sum = x->c;
    for (int i = 0; i < x->n; i++) {
        int64_t v;
        if (!eval_atom(&v, x->t[i].atom, vars))
            return false;
        if (!tsr_mul_i64(&v, v, x->t[i].k) || !tsr_add_i64(&sum, sum, v))
            return false;
    }
    *out = sum;
    return true;
}

tsr_status tsr_map_eval(int64_t *results, const tsr_map *map, const int64_t *vars, tsr_error *err)
{
    for (int r = 0; r < map->nresults; r++)
        if (!tsr_linear_eval(&results[r], map->results[r], vars))
            return tsr_linear_has_counter(map->results[r])
                       ? tsr_fail(err, TSR_UNSUPPORTED,
                                  "result %d of the map has a counter, which has no value at a single point",
                                  r)
                       : tsr_fail(err, TSR_RANGE,
                                  "result %d of the map does not fit into 64 bits at this point", r);
    return TSR_OK;
}

tsr_status tsr_map_satisfies(bool *satisfied, const tsr_map *map, const int64_t *vars, tsr_error *err)
{
    *satisfied = !map->empty;
    for (int c = 0; c < map->nconstraints; c++) {
        const tsr_constraint *con = &map->constraints[c];
        int64_t x;
        if (!tsr_linear_eval(&x, con->x, vars))
            return tsr_fail(err, TSR_RANGE, "constraint %d of the map has no value at this point", c);
        *satisfied &= x >= con->in.lo && x <= con->in.hi;
    }
    return TSR_OK;
}

tsr_status tsr_map_inside(bool *inside, const tsr_map *map, const int64_t *vars, tsr_error *err)
{
    *inside = false;
    for (int v = 0; v < map->nvars; v++)
        if (vars[v] < map->vars[v].bounds.lo || vars[v] > map->vars[v].bounds.hi)
            return TSR_OK;
    return tsr_map_satisfies(inside, map, vars, err);
}
