/* Maps with other variables: remove unused variables, rescale symbols, turn symbols into dims. */
#include "map_internal.h"

#include "tsr_alloc.h"
#include "tsr_checked.h"

/* limit of points times nodes in the search for a point that satisfies constraints */
enum { MAX_WORK = 1 << 22 };

static const uint64_t ONE = 1;

/* ---- unused variables ---- */

/* The variables that constraints connect with those in `vars`, including `vars`. */
static uint64_t tied_to(const tsr_map *map, uint64_t vars)
{
    for (uint64_t before = 0; before != vars;) {
        before = vars;
        for (int c = 0; c < map->nconstraints; c++) {
            const uint64_t in = tsr_linear_vars(map->constraints[c].x);
            vars |= in & vars ? in : 0;
        }
    }
    return vars;
}

/* Whether the constraints on `vars`, which are connected to no other variables, can be satisfied; false also
 * if that was not found out. */
static bool is_satisfiable(const tsr_map *map, uint64_t vars)
{
    tsr_points points;
    if (!tsr_points_init(&points, map->vars, map->nvars, vars, 64))
        return false;
    const uint64_t cost = tsr_map_cost(map);
    for (uint64_t n = 0; n * cost < MAX_WORK && tsr_points_next(&points); n++) {
        bool holds = true;
        for (int c = 0; holds && c < map->nconstraints; c++) {
            const tsr_constraint *con = &map->constraints[c];
            int64_t y;
            holds = !(tsr_linear_vars(con->x) & vars) ||
                    (tsr_linear_eval(&y, con->x, points.x) && y >= con->in.lo && y <= con->in.hi);
        }
        if (holds)
            return true;
    }
    return false;
}

/* The variables that can be removed: no result needs them, nor any variable connected with them. */
static uint64_t find_unused(const tsr_map *map, uint64_t removable)
{
    uint64_t used = ~removable, unused = 0;
    for (int r = 0; r < map->nresults; r++)
        used |= tsr_linear_vars(map->results[r]);
    used = tied_to(map, used);
    for (int v = 0; v < map->nvars; v++)
        if (!((used | unused) >> v & 1)) {
            const uint64_t group = tied_to(map, ONE << v);
            unused |= is_satisfiable(map, group) ? group : 0;
        }
    return unused;
}

tsr_status tsr_map_remove_unused(tsr_map **out, bool *removed, const tsr_map *map, bool dims, bool symbols,
                                 tsr_error *err)
{
    *out = NULL;
    tsr_map *copy;
    const tsr_linear *vars[TSR_MAP_MAX_VARS] = {0}, *results[TSR_MAP_MAX_RESULTS];
    uint64_t removable = 0;
    tsr_status status;
    for (int v = 0; v < map->nvars; v++)
        removable |= (map->vars[v].kind == TSR_VAR_DIM ? dims : symbols) ? ONE << v : 0;
    const uint64_t unused = find_unused(map, removable);
    TSR_TRY(tsr_map_new(&copy, err));
    for (int v = 0; v < map->nvars; v++) {
        if (removed)
            removed[v] = unused >> v & 1;
        if (!(unused >> v & 1))
            TSR_TRY_OUT(tsr_map_add_like(&vars[v], copy, &map->vars[v], true, err));
    }
    TSR_TRY_OUT(tsr_map_import(results, copy, map, vars, err));
    return tsr_map_finish(out, copy, map->nresults, results, err);
out:
    tsr_map_free(copy);
    return status;
}

/* ---- symbols in steps ---- */

/* Find `var mod m in [r, r]` among the constraints; false if there is none. */
static bool find_step(int64_t *m, int64_t *r, const tsr_map *map, int var)
{
    for (int c = 0; c < map->nconstraints; c++) {
        const tsr_constraint *con = &map->constraints[c];
        const tsr_atom *atom = con->in.lo == con->in.hi ? tsr_linear_as_atom(con->x) : NULL;
        const tsr_atom *inner = atom && atom->kind == TSR_ATOM_MOD ? tsr_linear_as_atom(atom->x) : NULL;
        if (inner && inner->kind == TSR_ATOM_VAR && inner->var == var) {
            *m = atom->c;
            *r = con->in.lo;
            return true;
        }
    }
    return false;
}

/* The bounds of s such that m * s + r is in `in`. */
static tsr_interval rescale(tsr_interval in, int64_t m, int64_t r)
{
    const tsr_interval moved = tsr_interval_add(in, (tsr_interval){-r, -r});
    return (tsr_interval){.lo = moved.lo == INT64_MIN ? INT64_MIN : -tsr_floordiv_i64(-moved.lo, m),
                          .hi = moved.hi == INT64_MAX ? INT64_MAX : tsr_floordiv_i64(moved.hi, m)};
}

static tsr_status rescale_symbols(tsr_map **out, const tsr_map *map, tsr_error *err)
{
    tsr_map *copy;
    const tsr_linear *vars[TSR_MAP_MAX_VARS], *results[TSR_MAP_MAX_RESULTS];
    tsr_status status;
    TSR_TRY(tsr_map_new(&copy, err));
    for (int v = 0; v < map->nvars; v++) {
        int64_t m, r;
        TSR_TRY_OUT(tsr_map_add_like(&vars[v], copy, &map->vars[v], true, err));
        if (map->vars[v].kind != TSR_VAR_RANGE || !find_step(&m, &r, map, v))
            continue;
        const tsr_interval in = rescale(map->vars[v].bounds, m, r);
        copy->vars[v].bounds = tsr_interval_is_empty(in) ? TSR_INTERVAL_EMPTY : in;
        vars[v] = tsr_linear_add_const(&copy->pool, tsr_linear_scale(&copy->pool, vars[v], m), r);
    }
    TSR_TRY_OUT(tsr_pool_status(&copy->pool, err));
    TSR_TRY_OUT(tsr_map_import(results, copy, map, vars, err));
    return tsr_map_finish(out, copy, map->nresults, results, err);
out:
    tsr_map_free(copy);
    return status;
}

tsr_status tsr_map_rescale_symbols(tsr_map **out, const tsr_map *map, tsr_error *err)
{
    *out = NULL;
    tsr_map *simple, *rescaled = NULL;
    TSR_TRY(tsr_map_simplify(&simple, map, err)); /* merges several steps of one symbol into one */
    tsr_status status = rescale_symbols(&rescaled, simple, err);
    if (status == TSR_OK)
        status = tsr_map_simplify(out, rescaled, err);
    tsr_map_free(simple);
    tsr_map_free(rescaled);
    return status;
}

/* ---- kinds ---- */

tsr_status tsr_map_symbols_to_dims(tsr_map **out, const tsr_map *map, int n, const int *symbols,
                                   tsr_error *err)
{
    *out = NULL;
    tsr_map *copy;
    const tsr_linear *vars[TSR_MAP_MAX_VARS] = {0}, *results[TSR_MAP_MAX_RESULTS];
    const int nsymbols = map->nvars - map->ndims;
    uint64_t seen = 0;
    tsr_status status;
    for (int i = 0; i < n; i++) {
        if (symbols[i] < 0 || symbols[i] >= nsymbols)
            return tsr_fail(err, TSR_ARGUMENT, "the map has %d symbols, so there is no symbol %d", nsymbols,
                            symbols[i]);
        if (seen >> symbols[i] & 1)
            return tsr_fail(err, TSR_ARGUMENT, "symbol %d is listed twice", symbols[i]);
        seen |= ONE << symbols[i];
    }
    TSR_TRY(tsr_map_new(&copy, err));
    for (int v = 0; v < map->ndims; v++)
        TSR_TRY_OUT(tsr_map_add_like(&vars[v], copy, &map->vars[v], true, err));
    for (int i = 0; i < n; i++) {
        tsr_var dim = map->vars[map->ndims + symbols[i]];
        dim.kind = TSR_VAR_DIM;
        TSR_TRY_OUT(tsr_map_add_like(&vars[map->ndims + symbols[i]], copy, &dim, true, err));
    }
    for (int v = map->ndims; v < map->nvars; v++)
        if (!vars[v])
            TSR_TRY_OUT(tsr_map_add_like(&vars[v], copy, &map->vars[v], true, err));
    TSR_TRY_OUT(tsr_map_import(results, copy, map, vars, err));
    return tsr_map_finish(out, copy, map->nresults, results, err);
out:
    tsr_map_free(copy);
    return status;
}
