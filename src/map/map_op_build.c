/* Building the maps of operations, and maps that do not belong to one operation. */
#include "map_op_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_num.h"

void tsr_map_op_begin(tsr_map_op *op, tsr_error *err)
{
    op->nresults = 0;
    op->err = err;
    op->status = tsr_map_new(&op->map, err);
}

static const tsr_linear *add_var(tsr_map_op *op, tsr_var_kind kind, uint64_t size)
{
    if (op->status == TSR_OK && size > INT64_MAX)
        op->status = tsr_fail(op->err, TSR_LIMIT, "a dim of %" PRIu64 " is over 2^63 - 1", size);
    if (op->status == TSR_OK)
        op->status = tsr_map_add_var(op->map, kind, NULL, 0, op->err);
    if (op->status != TSR_OK)
        return NULL;
    const int v = op->map->nvars - 1;
    op->map->vars[v].bounds = size == 0 ? TSR_INTERVAL_EMPTY : (tsr_interval){0, (int64_t)size - 1};
    return tsr_linear_var(&op->map->pool, v);
}

const tsr_linear *tsr_map_op_dim(tsr_map_op *op, uint64_t size)
{
    return add_var(op, TSR_VAR_DIM, size);
}

const tsr_linear *tsr_map_op_range(tsr_map_op *op, uint64_t size)
{
    return add_var(op, TSR_VAR_RANGE, size);
}

const tsr_linear *tsr_map_op_runtime(tsr_map_op *op, uint64_t size)
{
    return add_var(op, TSR_VAR_RUNTIME, size);
}

void tsr_map_op_dims(const tsr_linear **vars, tsr_map_op *op, tsr_shape shape)
{
    for (int d = 0; d < shape.ndims; d++)
        vars[d] = tsr_map_op_dim(op, shape.dims[d]);
}

const tsr_linear *tsr_map_op_affine(tsr_map_op *op, const tsr_linear *x, int64_t k, int64_t c)
{
    if (op->status != TSR_OK)
        return NULL;
    return tsr_linear_add_const(&op->map->pool, tsr_linear_scale(&op->map->pool, x, k), c);
}

void tsr_map_op_need(tsr_map_op *op, const tsr_linear *x, int64_t lo, int64_t hi)
{
    if (op->status != TSR_OK || !x)
        return;
    const tsr_interval have = tsr_interval_of(x, op->map->vars, false);
    if (have.lo < lo || have.hi > hi || lo > hi)
        op->status = tsr_map_add_constraint(op->map, x, (tsr_interval){lo, hi}, op->err);
}

const tsr_linear *tsr_map_op_exact_div(tsr_map_op *op, const tsr_linear *x, int64_t k)
{
    if (op->status != TSR_OK || k == 1)
        return x;
    tsr_map_op_need(op, tsr_linear_mod(&op->map->pool, x, k), 0, 0);
    return tsr_linear_floordiv(&op->map->pool, x, k);
}

void tsr_map_op_result(tsr_map_op *op, const tsr_linear *x)
{
    if (op->status == TSR_OK && op->nresults == TSR_MAP_MAX_RESULTS)
        op->status = tsr_fail(op->err, TSR_LIMIT, "a map has at most %d results", TSR_MAP_MAX_RESULTS);
    if (op->status == TSR_OK)
        op->results[op->nresults++] = x;
}

tsr_status tsr_map_op_finish(tsr_map **out, tsr_map_op *op)
{
    *out = NULL;
    if (op->status == TSR_OK)
        return tsr_map_finish(out, op->map, op->nresults, op->results, op->err);
    tsr_map_free(op->map);
    return op->status;
}

tsr_status tsr_map_op_check_dims(tsr_shape shape, tsr_error *err)
{
    if (shape.ndims < 0 || shape.ndims > TSR_MAP_MAX_VARS)
        return tsr_fail(err, TSR_LIMIT, "an operation takes at most %d dims, not %d", TSR_MAP_MAX_VARS,
                        shape.ndims);
    for (int d = 0; d < shape.ndims; d++)
        if (shape.dims[d] > INT64_MAX)
            return tsr_fail(err, TSR_LIMIT, "dim %d of %" PRIu64 " is over 2^63 - 1", d, shape.dims[d]);
    return TSR_OK;
}

const char *tsr_map_op_shape_text(char *buf, tsr_shape shape)
{
    size_t n = 0;
    buf[n++] = '[';
    for (int d = 0; d < shape.ndims; d++) {
        if (n + TSR_U64_NBYTES + 7 > TSR_MAP_OP_SHAPE_NBYTES) {
            memcpy(buf + n, ", ...", 5);
            n += 5;
            break;
        }
        if (d > 0) {
            memcpy(buf + n, ", ", 2);
            n += 2;
        }
        n += tsr_print_u64(buf + n, shape.dims[d]);
    }
    buf[n++] = ']';
    buf[n] = '\0';
    return buf;
}

/* ---- maps that do not belong to one operation ---- */

tsr_status tsr_map_identity(tsr_map **out, tsr_shape shape, tsr_error *err)
{
    *out = NULL;
    TSR_TRY(tsr_map_op_check_dims(shape, err));
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS];
    tsr_map_op_begin(&op, err);
    tsr_map_op_dims(d, &op, shape);
    for (int i = 0; i < shape.ndims; i++)
        tsr_map_op_result(&op, d[i]);
    return tsr_map_op_finish(out, &op);
}

tsr_status tsr_map_scalar(tsr_map **out, tsr_shape shape, tsr_error *err)
{
    *out = NULL;
    TSR_TRY(tsr_map_op_check_dims(shape, err));
    tsr_map_op op;
    const tsr_linear *d[TSR_MAP_MAX_VARS];
    tsr_map_op_begin(&op, err);
    tsr_map_op_dims(d, &op, shape);
    return tsr_map_op_finish(out, &op);
}

tsr_status tsr_map_everywhere(tsr_map **out, tsr_shape shape, tsr_error *err)
{
    *out = NULL;
    TSR_TRY(tsr_map_op_check_dims(shape, err));
    tsr_map_op op;
    tsr_map_op_begin(&op, err);
    for (int i = 0; i < shape.ndims; i++)
        tsr_map_op_result(&op, tsr_map_op_range(&op, shape.dims[i]));
    return tsr_map_op_finish(out, &op);
}

bool tsr_map_uses(const tsr_map *map, int var)
{
    for (int r = 0; r < map->nresults; r++)
        if (tsr_linear_uses(map->results[r], var))
            return true;
    for (int c = 0; c < map->nconstraints; c++)
        if (tsr_linear_uses(map->constraints[c].x, var))
            return true;
    return false;
}

/* *out = the map with only the variables whose flag in keep[] is set; value (may be NULL) replaces variable
 * `var`. */
static tsr_status rebuild(tsr_map **out, const tsr_map *map, const bool *keep, int var, const tsr_map *value,
                          tsr_error *err)
{
    tsr_map_op op;
    const tsr_linear *vars[TSR_MAP_MAX_VARS] = {0};
    tsr_map_op_begin(&op, err);
    for (int v = 0; op.status == TSR_OK && v < map->nvars; v++)
        if (keep[v])
            op.status = tsr_map_add_like(&vars[v], op.map, &map->vars[v], false, err);
    tsr_import import;
    if (op.status == TSR_OK && value) {
        op.status = tsr_import_init(&import, &op.map->pool, vars, &value->pool, err);
        if (op.status == TSR_OK) {
            vars[var] = tsr_import_linear(&import, value->results[0]);
            tsr_import_clear(&import);
            tsr_map_op_need(&op, vars[var], map->vars[var].bounds.lo, map->vars[var].bounds.hi);
        }
    }
    if (op.status == TSR_OK)
        op.status = tsr_map_import(op.results, op.map, map, vars, err);
    op.nresults = map->nresults;
    return tsr_map_op_finish(out, &op);
}

tsr_status tsr_map_keep(tsr_map **out, const tsr_map *map, const bool *keep, tsr_error *err)
{
    bool all[TSR_MAP_MAX_VARS];
    *out = NULL;
    for (int v = 0; v < map->nvars; v++) {
        all[v] = keep[v] || map->vars[v].kind == TSR_VAR_DIM;
        if (!all[v] && (tsr_map_uses(map, v) || tsr_interval_is_empty(map->vars[v].bounds)))
            return tsr_fail(err, TSR_ARGUMENT, "variable %d of the map is used and cannot be removed", v);
    }
    return rebuild(out, map, all, 0, NULL, err);
}

tsr_status tsr_map_embed(tsr_map **out, const tsr_map *map, const tsr_map *like, const int *at,
                         tsr_error *err)
{
    tsr_map_op op;
    const tsr_linear *vars[TSR_MAP_MAX_VARS], *mine[TSR_MAP_MAX_VARS] = {0};
    *out = NULL;
    for (int v = 0; v < map->nvars; v++)
        if (at[v] < 0 || at[v] >= like->nvars)
            return tsr_fail(err, TSR_ARGUMENT, "the map has %d variables, so there is no variable %d",
                            like->nvars, at[v]);
    tsr_map_op_begin(&op, err);
    for (int v = 0; op.status == TSR_OK && v < like->nvars; v++)
        op.status = tsr_map_add_like(&vars[v], op.map, &like->vars[v], false, err);
    for (int v = 0; op.status == TSR_OK && v < map->nvars; v++)
        mine[v] = vars[at[v]];
    if (op.status == TSR_OK)
        op.status = tsr_map_import(op.results, op.map, map, mine, err);
    op.nresults = map->nresults;
    return tsr_map_op_finish(out, &op);
}

tsr_status tsr_map_substitute(tsr_map **out, const tsr_map *map, int var, const tsr_map *value,
                              tsr_error *err)
{
    bool keep[TSR_MAP_MAX_VARS];
    *out = NULL;
    if (var < 0 || var >= map->nvars)
        return tsr_fail(err, TSR_ARGUMENT, "the map has %d variables, so there is no variable %d", map->nvars,
                        var);
    if (value->nvars != map->nvars || value->nresults != 1 || tsr_linear_uses(value->results[0], var))
        return tsr_fail(err, TSR_ARGUMENT,
                        "the value of variable %d must be a map with one result, over the other variables",
                        var);
    for (int v = 0; v < map->nvars; v++)
        keep[v] = v != var;
    return rebuild(out, map, keep, var, value, err);
}
