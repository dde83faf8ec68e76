/* Maps from maps by replacing variables: copy, bind and compose. Inside the module a copy is not finished
 * yet: its bounds may be changed, its pool takes new expressions and has an expression for every variable. */
#include "map_internal.h"

#include <inttypes.h>
#include <string.h>

tsr_status tsr_map_add_like(const tsr_linear **out, tsr_map *map, const tsr_var *var, bool keep_name,
                            tsr_error *err)
{
    TSR_TRY(tsr_map_add_var(map, var->kind, keep_name ? var->name : NULL, strlen(var->name), err));
    map->vars[map->nvars - 1].bounds = var->bounds;
    *out = tsr_linear_var(&map->pool, map->nvars - 1);
    return tsr_pool_status(&map->pool, err);
}

/* Add the variables of `from` that have this kind; vars[v] is the expression of the new variable v. */
static tsr_status add_kind(const tsr_linear **vars, tsr_map *map, const tsr_map *from, tsr_var_kind kind,
                           tsr_error *err)
{
    for (int v = 0; v < from->nvars; v++)
        if (from->vars[v].kind == kind)
            TSR_TRY(tsr_map_add_like(&vars[v], map, &from->vars[v], false, err));
    return TSR_OK;
}

static bool has_all(const tsr_linear *const *vars, uint64_t wanted)
{
    for (int v = 0; v < TSR_MAP_MAX_VARS; v++)
        if ((wanted >> v & 1) && !vars[v])
            return false;
    return true;
}

tsr_status tsr_map_import(const tsr_linear **results, tsr_map *map, const tsr_map *from,
                          const tsr_linear *const *vars, tsr_error *err)
{
    tsr_import import;
    TSR_TRY(tsr_import_init(&import, &map->pool, vars, &from->pool, err));
    for (int r = 0; r < from->nresults; r++)
        results[r] = tsr_import_linear(&import, from->results[r]);
    tsr_status status = tsr_pool_status(&map->pool, err);
    for (int c = 0; status == TSR_OK && c < from->nconstraints; c++)
        if (has_all(vars, tsr_linear_vars(from->constraints[c].x)))
            status = tsr_map_add_constraint(map, tsr_import_linear(&import, from->constraints[c].x),
                                            from->constraints[c].in, err);
    map->empty |= from->empty;
    tsr_import_clear(&import);
    return status;
}

tsr_status tsr_map_copy(tsr_map **out, const tsr_map *map, tsr_error *err)
{
    *out = NULL;
    tsr_map *copy;
    const tsr_linear *vars[TSR_MAP_MAX_VARS], *results[TSR_MAP_MAX_RESULTS];
    tsr_status status;
    TSR_TRY(tsr_map_new(&copy, err));
    for (int v = 0; v < map->nvars; v++)
        TSR_TRY_OUT(tsr_map_add_like(&vars[v], copy, &map->vars[v], true, err));
    TSR_TRY_OUT(tsr_map_import(results, copy, map, vars, err));
    return tsr_map_finish(out, copy, map->nresults, results, err);
out:
    tsr_map_free(copy);
    return status;
}

tsr_status tsr_map_pick_results(tsr_map **out, const tsr_map *map, int n, const tsr_map_pick *picks,
                                tsr_error *err)
{
    *out = NULL;
    tsr_map *copy;
    const tsr_linear *vars[TSR_MAP_MAX_VARS], *results[TSR_MAP_MAX_RESULTS], *picked[TSR_MAP_MAX_RESULTS];
    tsr_status status;
    if (n > TSR_MAP_MAX_RESULTS)
        return tsr_fail(err, TSR_LIMIT, "a map has at most %d results, not %d", TSR_MAP_MAX_RESULTS, n);
    TSR_TRY(tsr_map_new(&copy, err));
    for (int v = 0; v < map->nvars; v++) {
        tsr_var var = map->vars[v];
        var.bounds = TSR_INTERVAL_ALL;
        TSR_TRY_OUT(tsr_map_add_like(&vars[v], copy, &var, true, err));
    }
    TSR_TRY_OUT(tsr_map_import(results, copy, map, vars, err));
    copy->nconstraints = 0;
    copy->empty = false;
    for (int i = 0; i < n; i++)
        picked[i] = picks[i].kind == TSR_PICK_RESULT ? results[picks[i].index]
                    : picks[i].kind == TSR_PICK_DIM  ? vars[picks[i].index]
                                                     : tsr_linear_const(&copy->pool, 0);
    return tsr_map_finish(out, copy, n, picked, err);
out:
    tsr_map_free(copy);
    return status;
}

tsr_status tsr_map_bind(tsr_map **out, const tsr_map *map, const uint64_t *dims, tsr_error *err)
{
    *out = NULL;
    for (int d = 0; d < map->ndims; d++)
        if (dims[d] > INT64_MAX)
            return tsr_fail(err, TSR_LIMIT, "dim %d of %" PRIu64 " is over 2^63 - 1", d, dims[d]);
    TSR_TRY(tsr_map_copy(out, map, err));
    for (int d = 0; d < map->ndims; d++)
        (*out)->vars[d].bounds = dims[d] == 0 ? TSR_INTERVAL_EMPTY : (tsr_interval){0, (int64_t)dims[d] - 1};
    return TSR_OK;
}

/* Require the values that replace the dims of `outer` to be in the bounds of these dims, where `inner` does
 * not ensure that already. */
static tsr_status add_dim_bounds(tsr_map *map, const tsr_map *outer, const tsr_linear *const *values,
                                 tsr_error *err)
{
    for (int d = 0; d < outer->ndims; d++) {
        const tsr_interval want = outer->vars[d].bounds;
        const tsr_interval have = tsr_interval_of(values[d], map->vars, false);
        if (have.lo < want.lo || have.hi > want.hi || tsr_interval_is_empty(want))
            TSR_TRY(tsr_map_add_constraint(map, values[d], want, err));
    }
    return TSR_OK;
}

tsr_status tsr_map_compose(tsr_map **out, const tsr_map *outer, const tsr_map *inner, tsr_error *err)
{
    *out = NULL;
    if (inner->nresults != outer->ndims)
        return tsr_fail(err, TSR_ARGUMENT, "the inner map has %d results, but the outer one has %d dims",
                        inner->nresults, outer->ndims);
    tsr_map *map;
    const tsr_linear *inner_vars[TSR_MAP_MAX_VARS], *outer_vars[TSR_MAP_MAX_VARS];
    const tsr_linear *results[TSR_MAP_MAX_RESULTS];
    tsr_status status;
    TSR_TRY(tsr_map_new(&map, err));
    TSR_TRY_OUT(add_kind(inner_vars, map, inner, TSR_VAR_DIM, err));
    for (int kind = TSR_VAR_RANGE; kind <= TSR_VAR_RUNTIME; kind++) {
        TSR_TRY_OUT(add_kind(outer_vars, map, outer, (tsr_var_kind)kind, err));
        TSR_TRY_OUT(add_kind(inner_vars, map, inner, (tsr_var_kind)kind, err));
    }
    TSR_TRY_OUT(
        /* the results of inner are the dims of outer */
        tsr_map_import(outer_vars, map, inner, inner_vars, err));
    TSR_TRY_OUT(add_dim_bounds(map, outer, outer_vars, err));
    TSR_TRY_OUT(tsr_map_import(results, map, outer, outer_vars, err));
    return tsr_map_finish(out, map, outer->nresults, results, err);
out:
    tsr_map_free(map);
    return status;
}
