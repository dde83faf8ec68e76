/* Building and querying maps. tsr_map_add_* fill a map and tsr_map_finish finishes it. */
#include "map_internal.h"

#include <stdio.h>
#include <string.h>

#include "tsr_alloc.h"
#include "tsr_text.h"

tsr_status tsr_map_new(tsr_map **out, tsr_error *err)
{
    *out = tsr_calloc(1, sizeof **out);
    return *out ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory for a map");
}

void tsr_map_free(tsr_map *map)
{
    if (!map)
        return;
    tsr_pool_clear(&map->pool);
    tsr_free(map->constraints);
    tsr_free(map);
}

const char *tsr_map_canonical_name(char *buf, const tsr_map *map, int var)
{
    static const char *const prefix[] = {"d", "s", "rt"};
    const tsr_var_kind kind = map->vars[var].kind;
    int i = var;
    while (i > 0 && map->vars[i - 1].kind == kind)
        i--;
    snprintf(buf, 16, "%s%d", prefix[kind], var - i);
    return buf;
}

tsr_status tsr_map_add_var(tsr_map *map, tsr_var_kind kind, const char *name, size_t n, tsr_error *err)
{
    if (map->nvars == TSR_MAP_MAX_VARS)
        return tsr_fail(err, TSR_LIMIT, "a map has at most %d variables", TSR_MAP_MAX_VARS);
    tsr_var *var = &map->vars[map->nvars];
    *var = (tsr_var){.kind = kind, .bounds = TSR_INTERVAL_ALL};
    char canonical[16];
    if (!name) {
        name = tsr_map_canonical_name(canonical, map, map->nvars);
        n = strlen(name);
    }
    const int shown = n > 60 ? 60 : (int)n;
    if (tsr_map_is_reserved(name, n))
        return tsr_fail(err, TSR_ARGUMENT, "'%.*s' is a word of the grammar of maps and cannot be a name",
                        shown, name);
    for (int v = 0; v < map->nvars; v++)
        if (tsr_name_is(map->vars[v].name, name, n))
            return tsr_fail(err, TSR_ARGUMENT, "the name '%.*s' is used twice", shown, name);
    var->name = tsr_arena_strndup(&map->pool.arena, name, n);
    if (!var->name)
        return tsr_fail(err, TSR_NOMEM, "out of memory for the names of a map");
    map->nvars++;
    map->ndims += kind == TSR_VAR_DIM;
    return TSR_OK;
}

/* Insert a constraint in order, or narrow the constraint that has the same expression. */
static tsr_status insert_constraint(tsr_map *map, const tsr_linear *x, tsr_interval in, tsr_error *err)
{
    int at = 0;
    while (at < map->nconstraints && tsr_linear_compare(map->constraints[at].x, x) < 0)
        at++;
    if (at < map->nconstraints && map->constraints[at].x == x) {
        map->constraints[at].in = tsr_interval_meet(map->constraints[at].in, in);
        return TSR_OK;
    }
    const size_t n = (size_t)map->nconstraints;
    tsr_constraint *c = map->constraints;
    if ((n & (n - 1)) == 0) { /* full: the capacity is n rounded up to a power of two */
        c = tsr_realloc(c, (n ? n * 2 : 1) * sizeof *c);
        if (!c)
            return tsr_fail(err, TSR_NOMEM, "out of memory for the constraints of a map");
        map->constraints = c;
    }
    memmove(c + at + 1, c + at, (n - (size_t)at) * sizeof *c);
    c[at] = (tsr_constraint){.x = x, .in = in};
    map->nconstraints++;
    return TSR_OK;
}

tsr_status tsr_map_add_constraint(tsr_map *map, const tsr_linear *x, tsr_interval in, tsr_error *err)
{
    TSR_TRY(tsr_pool_status(&map->pool, err));
    if (!x)
        return tsr_fail(err, TSR_ARGUMENT, "a constraint of the map could not be built");
    if (tsr_interval_is_empty(in))
        in = TSR_INTERVAL_EMPTY;
    const tsr_atom *atom = tsr_linear_as_atom(x);
    if (x->n == 0)
        map->empty |= x->c < in.lo || x->c > in.hi;
    else if (atom && atom->kind == TSR_ATOM_VAR)
        map->vars[atom->var].bounds = tsr_interval_meet(map->vars[atom->var].bounds, in);
    else
        return insert_constraint(map, x, in, err);
    return TSR_OK;
}

tsr_status tsr_map_finish(tsr_map **out, tsr_map *map, int nresults, const tsr_linear *const *results,
                          tsr_error *err)
{
    *out = NULL;
    tsr_status status = tsr_pool_status(&map->pool, err);
    if (status == TSR_OK && (nresults < 0 || nresults > TSR_MAP_MAX_RESULTS))
        status =
            tsr_fail(err, TSR_LIMIT, "a map has at most %d results, not %d", TSR_MAP_MAX_RESULTS, nresults);
    for (int r = 0; status == TSR_OK && r < nresults; r++) {
        map->results[r] = results[r];
        if (!results[r])
            status = tsr_fail(err, TSR_ARGUMENT, "result %d of the map could not be built", r);
    }
    if (status != TSR_OK) {
        tsr_map_free(map);
        return status;
    }
    map->nresults = nresults;
    *out = map;
    return TSR_OK;
}

/* ---- the builder ---- */

tsr_status tsr_map_builder_new(tsr_map_builder **out, int ndims, const char *const *names, tsr_error *err)
{
    *out = tsr_calloc(1, sizeof **out);
    if (!*out)
        return tsr_fail(err, TSR_NOMEM, "out of memory for a map");
    tsr_status status = tsr_map_new(&(*out)->map, err);
    for (int d = 0; status == TSR_OK && d < ndims; d++)
        status = tsr_map_add_var((*out)->map, TSR_VAR_DIM, names ? names[d] : NULL,
                                 names ? strlen(names[d]) : 0, err);
    if (status != TSR_OK) {
        tsr_map_builder_free(*out);
        *out = NULL;
    }
    return status;
}

void tsr_map_builder_free(tsr_map_builder *builder)
{
    if (!builder)
        return;
    tsr_map_free(builder->map);
    tsr_free(builder);
}

const tsr_linear *tsr_map_build_var(tsr_map_builder *builder, int var)
{
    return var >= 0 && var < builder->map->nvars ? tsr_linear_var(&builder->map->pool, var) : NULL;
}

const tsr_linear *tsr_map_build_const(tsr_map_builder *builder, int64_t c)
{
    return tsr_linear_const(&builder->map->pool, c);
}

const tsr_linear *tsr_map_build_add(tsr_map_builder *builder, const tsr_linear *a, const tsr_linear *b)
{
    return tsr_linear_combine(&builder->map->pool, 1, a, 1, b);
}

const tsr_linear *tsr_map_build_scale(tsr_map_builder *builder, const tsr_linear *a, int64_t k)
{
    return tsr_linear_scale(&builder->map->pool, a, k);
}

const tsr_linear *tsr_map_build_floordiv(tsr_map_builder *builder, const tsr_linear *a, int64_t c)
{
    return tsr_linear_floordiv(&builder->map->pool, a, c);
}

const tsr_linear *tsr_map_build_mod(tsr_map_builder *builder, const tsr_linear *a, int64_t c)
{
    return tsr_linear_mod(&builder->map->pool, a, c);
}

void tsr_map_build_bound(tsr_map_builder *builder, int var, int64_t lo, int64_t hi)
{
    if (var >= 0 && var < builder->map->nvars)
        builder->map->vars[var].bounds = lo > hi ? TSR_INTERVAL_EMPTY : (tsr_interval){.lo = lo, .hi = hi};
}

tsr_status tsr_map_build_finish(tsr_map **out, tsr_map_builder *builder, int nresults,
                                const tsr_linear *const *results, tsr_error *err)
{
    tsr_map *map = builder->map;
    tsr_free(builder);
    return tsr_map_finish(out, map, nresults, results, err);
}

/* ---- queries ---- */

int tsr_map_ndims(const tsr_map *map)
{
    return map->ndims;
}

int tsr_map_nvars(const tsr_map *map)
{
    return map->nvars;
}

int tsr_map_nresults(const tsr_map *map)
{
    return map->nresults;
}

const char *tsr_map_var_name(const tsr_map *map, int var)
{
    return map->vars[var].name;
}

bool tsr_map_is_known_empty(const tsr_map *map)
{
    bool empty = map->empty;
    for (int v = 0; v < map->nvars; v++)
        empty |= tsr_interval_is_empty(map->vars[v].bounds);
    for (int c = 0; c < map->nconstraints; c++)
        empty |= tsr_interval_is_empty(map->constraints[c].in);
    return empty;
}

bool tsr_map_is_constrained(const tsr_map *map)
{
    return map->empty || map->nconstraints > 0;
}

tsr_interval tsr_map_var_bounds(const tsr_map *map, int var)
{
    return map->vars[var].bounds;
}

tsr_interval tsr_map_result_bounds(const tsr_map *map, int r)
{
    return tsr_interval_of(map->results[r], map->vars, false);
}

tsr_interval tsr_map_level_bounds(const tsr_map *map, int r)
{
    return tsr_interval_of(map->results[r], map->vars, true);
}

bool tsr_map_is_permutation(const tsr_map *map, int *perm)
{
    bool seen[TSR_MAP_MAX_VARS] = {false};
    if (map->nresults != map->ndims)
        return false;
    for (int r = 0; r < map->nresults; r++) {
        const tsr_atom *atom = tsr_linear_as_atom(map->results[r]);
        if (!atom || atom->kind != TSR_ATOM_VAR || atom->var >= map->ndims || seen[atom->var])
            return false;
        seen[atom->var] = true;
        if (perm)
            perm[r] = atom->var;
    }
    return true;
}

static bool same_interval(tsr_interval a, tsr_interval b)
{
    return a.lo == b.lo && a.hi == b.hi;
}

bool tsr_map_domain_equal(const tsr_map *a, const tsr_map *b)
{
    if (a->nconstraints != b->nconstraints || a->empty != b->empty)
        return false;
    for (int v = 0; v < a->nvars; v++)
        if (!same_interval(a->vars[v].bounds, b->vars[v].bounds))
            return false;
    for (int c = 0; c < a->nconstraints; c++)
        if (tsr_linear_compare(a->constraints[c].x, b->constraints[c].x) != 0 ||
            !same_interval(a->constraints[c].in, b->constraints[c].in))
            return false;
    return true;
}

bool tsr_map_equal(const tsr_map *a, const tsr_map *b)
{
    if (a->nvars != b->nvars || a->nresults != b->nresults || !tsr_map_domain_equal(a, b))
        return false;
    for (int v = 0; v < a->nvars; v++)
        if (a->vars[v].kind != b->vars[v].kind)
            return false;
    for (int r = 0; r < a->nresults; r++)
        if (tsr_linear_compare(a->results[r], b->results[r]) != 0)
            return false;
    return true;
}
