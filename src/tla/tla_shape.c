/* Arithmetic on IntTuples as shapes and coordinates. */
#include "tla_internal.h"

#include "tsr_checked.h"

/* ---- products ---- */

int64_t tsr_tuple_size_of(const tsr_tuple *tuple)
{
    int64_t size = 1;
    if (tuple->kind == TSR_TUPLE_INT)
        return tuple->v;
    for (int i = 0; i < tuple->n; i++)
        size *= tsr_tuple_size_of(tuple->x[i]);
    return size;
}

static tsr_status no_integer(tsr_error *err)
{
    return tsr_fail(err, TSR_ARGUMENT, "'_' is not allowed here: give an integer");
}

tsr_status tsr_tuple_size(int64_t *out, const tsr_tuple *tuple, tsr_error *err)
{
    int64_t size = 1, part;
    *out = 0;
    if (tuple->kind == TSR_TUPLE_ANY)
        return no_integer(err);
    if (tuple->kind == TSR_TUPLE_INT)
        size = tuple->v;
    for (int i = 0; i < tuple->n; i++) {
        TSR_TRY(tsr_tuple_size(&part, tuple->x[i], err));
        if (!tsr_mul_i64(&size, size, part))
            return tsr_fail(err, TSR_LIMIT, "the size of the shape does not fit into 64 bits");
    }
    *out = size;
    return TSR_OK;
}

tsr_status tsr_tuple_product_each(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *tuple,
                                  tsr_error *err)
{
    const tsr_tuple *x[TSR_TLA_MAX_LEAVES];
    const int rank = tsr_tuple_rank(tuple);
    *out = NULL;
    for (int i = 0; i < rank; i++) {
        const tsr_tuple *entry = tsr_tuple_at(tuple, i);
        int64_t size;
        TSR_TRY(tsr_tuple_size(&size, entry, err));
        TSR_TRY(tsr_tuple_leaf(&x[i], arena, size, tsr_tuple_is_static(entry), err));
    }
    return tsr_tuple_list(out, arena, rank, x, err);
}

/* ---- division ---- */

/* a / b if exact, 1 if a divides b, else an error. */
static tsr_status divide(int64_t *out, int64_t a, int64_t b, tsr_error *err)
{
    if (a == 0 || b == 0)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "the sizes in a division of shapes must be at least 1, not %lld / %lld", (long long)a,
                        (long long)b);
    if (a % b != 0 && b % a != 0)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot divide: neither is %lld a multiple of %lld, nor is %lld a multiple of %lld",
                        (long long)b, (long long)a, (long long)a, (long long)b);
    *out = a % b == 0 ? a / b : 1;
    return TSR_OK;
}

/* What `walk` does to each leaf of a shape, from the left. */
typedef enum walk_kind { DIVIDE_OUT, KEEP_FIRST } walk_kind;

typedef struct divisor {
    int64_t left; /* the part that is left */
    bool is_static;
} divisor;

static tsr_status walk(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *shape, divisor *by,
                       walk_kind kind, tsr_error *err)
{
    const tsr_tuple *x[TSR_TLA_MAX_LEAVES];
    *out = NULL;
    if (shape->kind == TSR_TUPLE_ANY)
        return no_integer(err);
    if (shape->kind == TSR_TUPLE_INT) {
        int64_t quotient = 0, rest = 0;
        TSR_TRY(divide(&quotient, shape->v, by->left, err));
        TSR_TRY(divide(&rest, by->left, shape->v, err));
        const int64_t kept = by->left < shape->v ? by->left : shape->v;
        by->left = rest;
        return tsr_tuple_leaf(out, arena, kind == DIVIDE_OUT ? quotient : kept,
                              by->is_static && shape->is_static, err);
    }
    for (int i = 0; i < shape->n; i++)
        TSR_TRY(walk(&x[i], arena, shape->x[i], by, kind, err));
    return tsr_tuple_list(out, arena, shape->n, x, err);
}

tsr_status tsr_shape_div(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *a, const tsr_tuple *b,
                         tsr_error *err)
{
    const tsr_tuple *x[TSR_TLA_MAX_LEAVES];
    char sa[TSR_TUPLE_SHOWN_NBYTES], sb[TSR_TUPLE_SHOWN_NBYTES];
    int64_t n;
    *out = NULL;
    if (a->kind != TSR_TUPLE_LIST || b->kind != TSR_TUPLE_LIST) {
        TSR_TRY(tsr_tuple_size(&n, b, err));
        return walk(out, arena, a, &(divisor){n, tsr_tuple_is_static(b)}, DIVIDE_OUT, err);
    }
    if (a->n != b->n)
        return tsr_fail(err, TSR_ARGUMENT, "cannot divide %s by %s: they have %d and %d entries",
                        tsr_tuple_show(sa, a), tsr_tuple_show(sb, b), a->n, b->n);
    for (int i = 0; i < a->n; i++)
        TSR_TRY(tsr_shape_div(&x[i], arena, a->x[i], b->x[i], err));
    return tsr_tuple_list(out, arena, a->n, x, err);
}

tsr_status tsr_shape_mod(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *a, int64_t n,
                         tsr_error *err)
{
    return walk(out, arena, a, &(divisor){n, false}, KEEP_FIRST, err);
}

static tsr_status tiler_size(int64_t *out, const tsr_tiler *tiler, tsr_error *err)
{
    *out = tiler->kind == TSR_TILER_LAYOUT ? tsr_tla_size(&tiler->layout) : 1;
    for (int i = 0; i < tiler->n; i++) {
        int64_t part = 0;
        TSR_TRY(tiler_size(&part, tiler->x[i], err));
        if (!tsr_mul_i64(out, *out, part))
            return tsr_fail(err, TSR_LIMIT, "the size of the tiler does not fit into 64 bits");
    }
    return TSR_OK;
}

/* ceil(shape / *n), leaf by leaf from the left: each leaf divides as much as it can, and *n becomes the part
 * that is left for the next leaf. */
static tsr_status ceil_walk(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *shape, int64_t *n,
                            bool is_static, tsr_error *err)
{
    const tsr_tuple *x[TSR_TLA_MAX_LEAVES];
    int64_t size;
    *out = NULL;
    if (shape->kind != TSR_TUPLE_LIST) {
        TSR_TRY(tsr_tuple_size(&size, shape, err));
        const int64_t taken = size / *n + (size % *n != 0);
        if (size > 0)
            *n = *n / size + (*n % size != 0);
        return tsr_tuple_leaf(out, arena, taken, is_static && shape->is_static, err);
    }
    for (int i = 0; i < shape->n; i++)
        TSR_TRY(ceil_walk(&x[i], arena, shape->x[i], n, is_static, err));
    return tsr_tuple_list(out, arena, shape->n, x, err);
}

/* Whether the tiler is an integer n, which can also be written n:1. */
static bool is_integer(const tsr_tiler *tiler)
{
    return tiler->kind == TSR_TILER_LAYOUT && tiler->layout.shape->kind == TSR_TUPLE_INT &&
           tiler->layout.stride->v == 1;
}

tsr_status tsr_shape_ceil_div(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *shape,
                              const tsr_tiler *tiler, tsr_error *err)
{
    const tsr_tuple *x[TSR_TLA_MAX_LEAVES];
    int64_t size, tile;
    *out = NULL;
    if (tiler->kind == TSR_TILER_ANY) {
        *out = shape;
        return TSR_OK;
    }
    if (shape->kind == TSR_TUPLE_LIST && is_integer(tiler)) {
        tile = tsr_tla_size(&tiler->layout);
        return ceil_walk(out, arena, shape, &tile, tiler->layout.shape->is_static, err);
    }
    if (tiler->kind == TSR_TILER_LAYOUT || shape->kind != TSR_TUPLE_LIST) {
        TSR_TRY(tsr_tuple_size(&size, shape, err));
        TSR_TRY(tiler_size(&tile, tiler, err));
        return tsr_tuple_leaf(out, arena, size / tile + (size % tile != 0),
                              tsr_tuple_is_static(shape) && tiler->kind == TSR_TILER_LAYOUT &&
                                  tsr_tuple_is_static(tiler->layout.shape),
                              err);
    }
    if (tiler->n > shape->n)
        return tsr_fail(err, TSR_ARGUMENT, "the tiler has rank %d, but the shape has only rank %d", tiler->n,
                        shape->n);
    for (int i = 0; i < shape->n; i++) {
        x[i] = shape->x[i];
        if (i < tiler->n)
            TSR_TRY(tsr_shape_ceil_div(&x[i], arena, shape->x[i], tiler->x[i], err));
    }
    return tsr_tuple_list(out, arena, shape->n, x, err);
}

/* ---- coordinates ---- */

/* Check that a shape has coordinates: it consists of integers >= 1, and its size fits. */
static tsr_status check_shape(int64_t *size, const tsr_tuple *shape, tsr_error *err)
{
    char a[TSR_TUPLE_SHOWN_NBYTES];
    TSR_TRY(tsr_tuple_size(size, shape, err));
    if (*size == 0)
        return tsr_fail(err, TSR_ARGUMENT, "the shape %s has no coordinates: every size must be at least 1",
                        tsr_tuple_show(a, shape));
    return TSR_OK;
}

tsr_status tsr_crd_unfit(const tsr_tuple *coord, const tsr_tuple *shape, tsr_error *err)
{
    char a[TSR_TUPLE_SHOWN_NBYTES], b[TSR_TUPLE_SHOWN_NBYTES];
    if (coord->kind == TSR_TUPLE_ANY)
        return no_integer(err);
    return tsr_fail(err, TSR_ARGUMENT, "the structure of the coordinate %s does not fit the shape %s",
                    tsr_tuple_show(a, coord), tsr_tuple_show(b, shape));
}

tsr_status tsr_crd_check(int64_t c, const tsr_tuple *shape, tsr_error *err)
{
    char a[TSR_TUPLE_SHOWN_NBYTES];
    const int64_t size = tsr_tuple_size_of(shape);
    if (c >= size)
        return tsr_fail(err, TSR_RANGE, "coordinate %lld is outside [0, %lld) for the shape %s", (long long)c,
                        (long long)size, tsr_tuple_show(a, shape));
    return TSR_OK;
}

/* The digits of c in a shape that contains c. */
static tsr_status split(const tsr_tuple **out, tsr_arena *arena, int64_t c, bool is_static,
                        const tsr_tuple *shape, tsr_error *err)
{
    const tsr_tuple *x[TSR_TLA_MAX_LEAVES];
    if (shape->kind == TSR_TUPLE_INT)
        return tsr_tuple_leaf(out, arena, c, is_static && shape->is_static, err);
    for (int i = 0; i < shape->n; i++) {
        const int64_t size = tsr_tuple_size_of(shape->x[i]);
        TSR_TRY(split(&x[i], arena, c % size, is_static, shape->x[i], err));
        c /= size;
    }
    return tsr_tuple_list(out, arena, shape->n, x, err);
}

static tsr_status idx2crd(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *coord,
                          const tsr_tuple *shape, tsr_error *err)
{
    const tsr_tuple *x[TSR_TLA_MAX_LEAVES];
    if (coord->kind == TSR_TUPLE_INT) {
        TSR_TRY(tsr_crd_check(coord->v, shape, err));
        if (shape->kind == TSR_TUPLE_LIST)
            return split(out, arena, coord->v, coord->is_static, shape, err);
        *out = coord;
        return TSR_OK;
    }
    if (coord->kind != shape->kind || coord->n != shape->n)
        return tsr_crd_unfit(coord, shape, err);
    for (int i = 0; i < shape->n; i++)
        TSR_TRY(idx2crd(&x[i], arena, coord->x[i], shape->x[i], err));
    return tsr_tuple_list(out, arena, shape->n, x, err);
}

tsr_status tsr_idx2crd(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *coord,
                       const tsr_tuple *shape, tsr_error *err)
{
    int64_t size;
    const tsr_tuple *result;
    *out = NULL;
    TSR_TRY(check_shape(&size, shape, err));
    TSR_TRY(idx2crd(&result, arena, coord, shape, err));
    *out = result;
    return TSR_OK;
}

static tsr_status crd2idx(int64_t *out, const tsr_tuple *coord, const tsr_tuple *shape, tsr_error *err)
{
    int64_t index = 0, step = 1;
    if (coord->kind == TSR_TUPLE_INT) {
        TSR_TRY(tsr_crd_check(coord->v, shape, err));
        *out = coord->v;
        return TSR_OK;
    }
    if (coord->kind != shape->kind || coord->n != shape->n)
        return tsr_crd_unfit(coord, shape, err);
    for (int i = 0; i < shape->n; i++) {
        int64_t part = 0;
        TSR_TRY(crd2idx(&part, coord->x[i], shape->x[i], err));
        index += part * step;
        step *= tsr_tuple_size_of(shape->x[i]);
    }
    *out = index;
    return TSR_OK;
}

tsr_status tsr_crd2idx(int64_t *out, const tsr_tuple *coord, const tsr_tuple *shape, tsr_error *err)
{
    int64_t size, index = 0;
    *out = 0;
    TSR_TRY(check_shape(&size, shape, err));
    TSR_TRY(crd2idx(&index, coord, shape, err));
    *out = index;
    return TSR_OK;
}

typedef struct counter {
    tsr_arena *arena;
    bool carry;
} counter;

/* Add the carry to the first leaf and pass the new carry on; the last leaf of the whole coordinate does not
 * wrap. */
static tsr_status increment(const tsr_tuple **out, counter *c, const tsr_tuple *coord, const tsr_tuple *shape,
                            bool is_last, tsr_error *err)
{
    const tsr_tuple *x[TSR_TLA_MAX_LEAVES];
    if (coord->kind != shape->kind || coord->n != shape->n)
        return tsr_crd_unfit(coord, shape, err);
    if (coord->kind == TSR_TUPLE_INT) {
        const bool wraps = c->carry && !is_last && coord->v >= shape->v - 1;
        const int64_t v = wraps ? 0 : coord->v;
        const bool adds = c->carry && !wraps;
        c->carry = wraps;
        if (adds && v == INT64_MAX)
            return tsr_fail(err, TSR_LIMIT, "the coordinate after %lld does not fit into 64 bits",
                            (long long)v);
        return tsr_tuple_leaf(out, c->arena, v + adds, coord->is_static && shape->is_static, err);
    }
    for (int i = 0; i < shape->n; i++)
        TSR_TRY(increment(&x[i], c, coord->x[i], shape->x[i], is_last && i == shape->n - 1, err));
    return tsr_tuple_list(out, c->arena, shape->n, x, err);
}

tsr_status tsr_crd_increment(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *coord,
                             const tsr_tuple *shape, tsr_error *err)
{
    int64_t size;
    const tsr_tuple *result;
    *out = NULL;
    TSR_TRY(check_shape(&size, shape, err));
    TSR_TRY(increment(&result, &(counter){arena, true}, coord, shape, true, err));
    *out = result;
    return TSR_OK;
}
