/* IntTuples: nested tuples of integers. The constructors check the limits, so every tuple obeys them. */
#include "tla_internal.h"

#include <string.h>

/* ---- constructors ---- */

static tsr_status new_tuple(tsr_tuple **out, tsr_arena *arena, tsr_error *err)
{
    *out = tsr_arena_alloc(arena, sizeof **out);
    return *out ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory for a tuple");
}

tsr_status tsr_tuple_leaf(const tsr_tuple **out, tsr_arena *arena, int64_t v, bool is_static, tsr_error *err)
{
    tsr_tuple *tuple;
    *out = NULL;
    if (v < 0)
        return tsr_fail(err, TSR_ARGUMENT, "the integers of a tuple must not be negative: %lld",
                        (long long)v);
    TSR_TRY(new_tuple(&tuple, arena, err));
    tuple->kind = TSR_TUPLE_INT;
    tuple->v = v;
    tuple->is_static = is_static;
    *out = tuple;
    return TSR_OK;
}

tsr_status tsr_tuple_int(const tsr_tuple **out, tsr_arena *arena, int64_t v, tsr_error *err)
{
    return tsr_tuple_leaf(out, arena, v, false, err);
}

tsr_status tsr_tuple_any(const tsr_tuple **out, tsr_arena *arena, tsr_error *err)
{
    tsr_tuple *tuple;
    *out = NULL;
    TSR_TRY(new_tuple(&tuple, arena, err));
    tuple->kind = TSR_TUPLE_ANY;
    *out = tuple;
    return TSR_OK;
}

tsr_status tsr_tuple_list(const tsr_tuple **out, tsr_arena *arena, int n, const tsr_tuple *const *x,
                          tsr_error *err)
{
    tsr_tuple *tuple;
    const tsr_tuple **entries;
    int nleaves = 0, depth = 0;
    *out = NULL;
    for (int i = 0; i < n; i++) {
        const int d = tsr_tuple_depth(x[i]);
        nleaves += tsr_tuple_nleaves(x[i]);
        depth = d > depth ? d : depth;
    }
    if (nleaves > TSR_TLA_MAX_LEAVES)
        return tsr_fail(err, TSR_LIMIT, "a tuple has at most %d leaves, but this one has %d",
                        TSR_TLA_MAX_LEAVES, nleaves);
    if (depth == TSR_TLA_MAX_DEPTH)
        return tsr_fail(err, TSR_LIMIT, "a tuple may nest at most %d deep", TSR_TLA_MAX_DEPTH);
    TSR_TRY(new_tuple(&tuple, arena, err));
    entries = tsr_arena_alloc(arena, ((size_t)n + 1) * sizeof *entries);
    if (!entries)
        return tsr_fail(err, TSR_NOMEM, "out of memory for a tuple");
    for (int i = 0; i < n; i++)
        entries[i] = x[i];
    tuple->kind = TSR_TUPLE_LIST;
    tuple->n = n;
    tuple->x = entries;
    *out = tuple;
    return TSR_OK;
}

tsr_status tsr_tuple_ints(const tsr_tuple **out, tsr_arena *arena, int n, const int64_t *v, tsr_error *err)
{
    const tsr_tuple *x[TSR_TLA_MAX_LEAVES];
    *out = NULL;
    if (n > TSR_TLA_MAX_LEAVES)
        return tsr_fail(err, TSR_LIMIT, "a tuple has at most %d leaves, but this one has %d",
                        TSR_TLA_MAX_LEAVES, n);
    for (int i = 0; i < n; i++)
        TSR_TRY(tsr_tuple_int(&x[i], arena, v[i], err));
    return tsr_tuple_list(out, arena, n, x, err);
}

/* ---- queries ---- */

int tsr_tuple_rank(const tsr_tuple *tuple)
{
    return tuple->kind == TSR_TUPLE_LIST ? tuple->n : 1;
}

int tsr_tuple_depth(const tsr_tuple *tuple)
{
    int depth = 0;
    if (tuple->kind != TSR_TUPLE_LIST)
        return 0;
    for (int i = 0; i < tuple->n; i++) {
        const int d = tsr_tuple_depth(tuple->x[i]);
        depth = d > depth ? d : depth;
    }
    return depth + 1;
}

int tsr_tuple_nleaves(const tsr_tuple *tuple)
{
    int n = 0;
    if (tuple->kind != TSR_TUPLE_LIST || tuple->n == 0)
        return 1;
    for (int i = 0; i < tuple->n; i++)
        n += tsr_tuple_nleaves(tuple->x[i]);
    return n;
}

const tsr_tuple *tsr_tuple_at(const tsr_tuple *tuple, int i)
{
    return tuple->kind == TSR_TUPLE_LIST ? tuple->x[i] : tuple;
}

/* Whether both have the same structure and, if `values`, the same integers. */
static bool is_same(const tsr_tuple *a, const tsr_tuple *b, bool values)
{
    if (a->kind != b->kind || a->n != b->n || (values && a->v != b->v))
        return false;
    for (int i = 0; i < a->n; i++)
        if (!is_same(a->x[i], b->x[i], values))
            return false;
    return true;
}

bool tsr_tuple_equal(const tsr_tuple *a, const tsr_tuple *b)
{
    return is_same(a, b, true);
}

bool tsr_tuple_congruent(const tsr_tuple *a, const tsr_tuple *b)
{
    return is_same(a, b, false);
}

bool tsr_tuple_is_static(const tsr_tuple *tuple)
{
    if (tuple->kind != TSR_TUPLE_LIST)
        return tuple->is_static;
    for (int i = 0; i < tuple->n; i++)
        if (!tsr_tuple_is_static(tuple->x[i]))
            return false;
    return true;
}

bool tsr_tuple_compatible(const tsr_tuple *a, const tsr_tuple *b)
{
    int64_t size;
    if (a->kind == TSR_TUPLE_INT)
        return tsr_tuple_size(&size, b, NULL) == TSR_OK && size == a->v;
    if (a->kind != b->kind || a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++)
        if (!tsr_tuple_compatible(a->x[i], b->x[i]))
            return false;
    return true;
}

static void collect_leaves(const tsr_tuple **leaves, int *n, const tsr_tuple *tuple)
{
    if (tuple->kind != TSR_TUPLE_LIST)
        leaves[(*n)++] = tuple;
    else
        for (int i = 0; i < tuple->n; i++)
            collect_leaves(leaves, n, tuple->x[i]);
}

tsr_status tsr_tuple_flatten(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *tuple, tsr_error *err)
{
    const tsr_tuple *leaves[TSR_TLA_MAX_LEAVES];
    int n = 0;
    *out = tuple;
    if (tuple->kind != TSR_TUPLE_LIST)
        return TSR_OK;
    collect_leaves(leaves, &n, tuple);
    return tsr_tuple_list(out, arena, n, leaves, err);
}
