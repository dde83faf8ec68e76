/* A map at one point: the slow obvious way, with every step checked. */
#include "map_internal.h"

#include "tsr_checked.h"

static bool eval(int64_t *out, const tsr_linear *x, const int64_t *vars)
{
    int64_t sum = x->c;
    for (int i = 0; i < x->n; i++) {
        const tsr_atom *a = x->t[i].atom;
        int64_t v;
        if (a->kind == TSR_ATOM_VAR)
            v = vars[a->var];
        else if (!eval(&v, a->x, vars))
            return false;
        if (a->kind == TSR_ATOM_FLOORDIV)
            v = tsr_floordiv_i64(v, a->c);
        else if (a->kind == TSR_ATOM_MOD)
            v = tsr_floormod_i64(v, a->c);
        if (!tsr_mul_i64(&v, v, x->t[i].k) || !tsr_add_i64(&sum, sum, v))
            return false;
    }
    *out = sum;
    return true;
}

tsr_status tsr_map_eval(int64_t *results, const tsr_map *map, const int64_t *vars, tsr_error *err)
{
    for (int r = 0; r < map->nresults; r++)
        if (!eval(&results[r], map->results[r], vars))
            return tsr_fail(err, TSR_RANGE, "result %d of the map leaves 64 bits at this point", r);
    return TSR_OK;
}
