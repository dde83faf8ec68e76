/* Layouts: the checks that every layout passes, coordinates to offsets, and modes. */
#include "tla_internal.h"

#include "tsr_checked.h"

/* ---- the checks ---- */

typedef struct extent {
    int64_t size, max; /* number of coordinates; the largest offset */
} extent;

static tsr_status check_leaf(extent *e, const tsr_tuple *shape, const tsr_tuple *stride, tsr_error *err)
{
    int64_t reach;
    if (shape->kind == TSR_TUPLE_ANY || stride->kind == TSR_TUPLE_ANY)
        return tsr_fail(err, TSR_ARGUMENT, "a layout cannot contain '_' as a size or stride");
    if (shape->v < 1)
        return tsr_fail(err, TSR_ARGUMENT, "the sizes of a layout must be at least 1, but one is %lld",
                        (long long)shape->v);
    if (!tsr_mul_i64(&e->size, e->size, shape->v))
        return tsr_fail(err, TSR_LIMIT, "the size of the layout does not fit into 64 bits");
    if (!tsr_mul_i64(&reach, shape->v - 1, stride->v) || !tsr_add_i64(&e->max, e->max, reach) ||
        e->max == INT64_MAX)
        return tsr_fail(err, TSR_LIMIT, "the offsets of the layout do not fit into 64 bits");
    return TSR_OK;
}

static tsr_status check_pair(extent *e, const tsr_tuple *shape, const tsr_tuple *stride, tsr_error *err)
{
    char a[TSR_TUPLE_SHOWN_NBYTES], b[TSR_TUPLE_SHOWN_NBYTES];
    const bool lists = shape->kind == TSR_TUPLE_LIST;
    if (lists != (stride->kind == TSR_TUPLE_LIST) || shape->n != stride->n)
        return tsr_fail(err, TSR_ARGUMENT, "the shape %s and the stride %s do not have the same structure",
                        tsr_tuple_show(a, shape), tsr_tuple_show(b, stride));
    if (!lists)
        return check_leaf(e, shape, stride, err);
    for (int i = 0; i < shape->n; i++)
        TSR_TRY(check_pair(e, shape->x[i], stride->x[i], err));
    return TSR_OK;
}

/* *is_less = whether the origin is smaller than the shape. */
static tsr_status check_origin(bool *is_less, const tsr_tuple *shape, const tsr_tuple *origin, tsr_error *err)
{
    char a[TSR_TUPLE_SHOWN_NBYTES], b[TSR_TUPLE_SHOWN_NBYTES];
    *is_less = false;
    if ((origin->kind == TSR_TUPLE_LIST) != (shape->kind == TSR_TUPLE_LIST) || origin->n != shape->n)
        return tsr_fail(err, TSR_ARGUMENT, "the origin shape %s must have one integer for each mode of %s",
                        tsr_tuple_show(a, origin), tsr_tuple_show(b, shape));
    for (int m = 0; m < tsr_tuple_rank(shape); m++) {
        const tsr_tuple *o = tsr_tuple_at(origin, m);
        const int64_t size = tsr_tuple_size_of(tsr_tuple_at(shape, m));
        if (o->kind != TSR_TUPLE_INT)
            return tsr_fail(err, TSR_ARGUMENT,
                            "the origin shape %s must have one integer for each mode of %s",
                            tsr_tuple_show(a, origin), tsr_tuple_show(b, shape));
        if (o->v > size)
            return tsr_fail(err, TSR_ARGUMENT,
                            "the origin of mode %d is %lld, more than the size of the mode, %lld", m,
                            (long long)o->v, (long long)size);
        *is_less |= o->v < size;
    }
    return TSR_OK;
}

tsr_status tsr_tla_make(tsr_tla *out, const tsr_tuple *shape, const tsr_tuple *stride,
                        const tsr_tuple *origin, tsr_error *err)
{
    extent e = {.size = 1};
    bool is_less = false;
    *out = (tsr_tla){0};
    TSR_TRY(check_pair(&e, shape, stride, err));
    if (origin)
        TSR_TRY(check_origin(&is_less, shape, origin, err));
    *out = (tsr_tla){.shape = shape, .stride = stride, .origin = is_less ? origin : NULL};
    return TSR_OK;
}

/* ---- queries ---- */

static tsr_status copy_tuple(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *tuple, tsr_error *err)
{
    const tsr_tuple *x[TSR_TLA_MAX_LEAVES];
    if (tuple->kind == TSR_TUPLE_INT)
        return tsr_tuple_leaf(out, arena, tuple->v, tuple->is_static, err);
    for (int i = 0; i < tuple->n; i++)
        TSR_TRY(copy_tuple(&x[i], arena, tuple->x[i], err));
    return tsr_tuple_list(out, arena, tuple->n, x, err);
}

tsr_status tsr_tla_copy(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, tsr_error *err)
{
    tsr_tla copy = {0};
    *out = copy;
    TSR_TRY(copy_tuple(&copy.shape, arena, layout->shape, err));
    TSR_TRY(copy_tuple(&copy.stride, arena, layout->stride, err));
    if (layout->origin)
        TSR_TRY(copy_tuple(&copy.origin, arena, layout->origin, err));
    *out = copy;
    return TSR_OK;
}

int tsr_tla_rank(const tsr_tla *layout)
{
    return tsr_tuple_rank(layout->shape);
}

int tsr_tla_depth(const tsr_tla *layout)
{
    return tsr_tuple_depth(layout->shape);
}

int64_t tsr_tla_size(const tsr_tla *layout)
{
    return tsr_tuple_size_of(layout->shape);
}

static int64_t max_offset(const tsr_tuple *shape, const tsr_tuple *stride)
{
    int64_t max = 0;
    if (shape->kind == TSR_TUPLE_INT)
        return (shape->v - 1) * stride->v;
    for (int i = 0; i < shape->n; i++)
        max += max_offset(shape->x[i], stride->x[i]);
    return max;
}

int64_t tsr_tla_cosize(const tsr_tla *layout)
{
    return max_offset(layout->shape, layout->stride) + 1;
}

int64_t tsr_tla_dim(const tsr_tla *layout, int m)
{
    return tsr_tuple_size_of(tsr_tuple_at(layout->origin ? layout->origin : layout->shape, m));
}

bool tsr_tla_equal(const tsr_tla *a, const tsr_tla *b)
{
    if (!tsr_tuple_equal(a->shape, b->shape) || !tsr_tuple_equal(a->stride, b->stride))
        return false;
    return a->origin && b->origin ? tsr_tuple_equal(a->origin, b->origin) : a->origin == b->origin;
}

/* ---- offsets ---- */

/* The offset of linear coordinate c, which must be in the shape. */
static int64_t offset_of(const tsr_tuple *shape, const tsr_tuple *stride, int64_t c)
{
    int64_t offset = 0;
    if (shape->kind == TSR_TUPLE_INT)
        return c * stride->v;
    for (int i = 0; i < shape->n; i++) {
        const int64_t size = tsr_tuple_size_of(shape->x[i]);
        offset += offset_of(shape->x[i], stride->x[i], c % size);
        c /= size;
    }
    return offset;
}

static tsr_status find_offset(int64_t *out, const tsr_tuple *shape, const tsr_tuple *stride,
                              const tsr_tuple *coord, tsr_error *err)
{
    if (coord->kind == TSR_TUPLE_INT) {
        TSR_TRY(tsr_crd_check(coord->v, shape, err));
        *out = offset_of(shape, stride, coord->v);
        return TSR_OK;
    }
    if (coord->kind != shape->kind || coord->n != shape->n)
        return tsr_crd_unfit(coord, shape, err);
    *out = 0;
    for (int i = 0; i < shape->n; i++) {
        int64_t part = 0;
        TSR_TRY(find_offset(&part, shape->x[i], stride->x[i], coord->x[i], err));
        *out += part; /* the sum is at most the largest offset, so it fits */
    }
    return TSR_OK;
}

tsr_status tsr_tla_offset(int64_t *out, const tsr_tla *layout, const tsr_tuple *coord, tsr_error *err)
{
    int64_t offset = 0;
    *out = 0;
    TSR_TRY(find_offset(&offset, layout->shape, layout->stride, coord, err));
    *out = offset;
    return TSR_OK;
}

int64_t tsr_tla_offset_at(const tsr_tla *layout, const int64_t *coord)
{
    int64_t offset = 0;
    for (int m = 0; m < tsr_tla_rank(layout); m++)
        offset += offset_of(tsr_tuple_at(layout->shape, m), tsr_tuple_at(layout->stride, m), coord[m]);
    return offset;
}

/* ---- modes ---- */

tsr_tla tsr_tla_at(const tsr_tla *layout, int i)
{
    return (tsr_tla){.shape = tsr_tuple_at(layout->shape, i), .stride = tsr_tuple_at(layout->stride, i)};
}

tsr_status tsr_tla_mode(tsr_tla *out, const tsr_tla *layout, int npath, const int *path, tsr_error *err)
{
    char a[TSR_TUPLE_SHOWN_NBYTES];
    tsr_tla mode = {.shape = layout->shape, .stride = layout->stride};
    *out = (tsr_tla){0};
    for (int i = 0; i < npath; i++) {
        if (path[i] < 0 || path[i] >= tsr_tla_rank(&mode))
            return tsr_fail(err, TSR_ARGUMENT, "mode %d of %s does not exist: there are %d modes", path[i],
                            tsr_tla_show(a, &mode), tsr_tla_rank(&mode));
        mode = tsr_tla_at(&mode, path[i]);
    }
    *out = mode;
    return TSR_OK;
}

tsr_status tsr_tla_concat(tsr_tla *out, tsr_arena *arena, int n, const tsr_tla *layouts, tsr_error *err)
{
    const tsr_tuple *shapes[TSR_TLA_MAX_LEAVES], *strides[TSR_TLA_MAX_LEAVES], *shape, *stride;
    *out = (tsr_tla){0};
    if (n > TSR_TLA_MAX_LEAVES)
        return tsr_fail(err, TSR_LIMIT, "a layout has at most %d leaves, but this one has %d",
                        TSR_TLA_MAX_LEAVES, n);
    for (int i = 0; i < n; i++) {
        shapes[i] = layouts[i].shape;
        strides[i] = layouts[i].stride;
    }
    TSR_TRY(tsr_tuple_list(&shape, arena, n, shapes, err));
    TSR_TRY(tsr_tuple_list(&stride, arena, n, strides, err));
    return tsr_tla_make(out, shape, stride, NULL, err);
}

tsr_status tsr_tla_select(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, int n, const int *modes,
                          tsr_error *err)
{
    tsr_tla picked[TSR_TLA_MAX_LEAVES];
    *out = (tsr_tla){0};
    if (n < 0 || n > TSR_TLA_MAX_LEAVES)
        return tsr_fail(err, TSR_LIMIT, "a layout has at most %d modes, but this one has %d",
                        TSR_TLA_MAX_LEAVES, n);
    for (int i = 0; i < n; i++)
        TSR_TRY(tsr_tla_mode(&picked[i], layout, 1, &modes[i], err));
    return tsr_tla_concat(out, arena, n, picked, err);
}

tsr_status tsr_tla_group(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, int first, int last,
                         tsr_error *err)
{
    tsr_tla modes[TSR_TLA_MAX_LEAVES];
    const int rank = tsr_tla_rank(layout);
    *out = (tsr_tla){0};
    if (first < 0 || last > rank || first > last)
        return tsr_fail(err, TSR_ARGUMENT, "modes %d to %d do not exist: there are %d modes", first, last,
                        rank);
    for (int i = 0; i < rank; i++)
        modes[i] = tsr_tla_at(layout, i);
    tsr_tla group;
    TSR_TRY(tsr_tla_concat(&group, arena, last - first, modes + first, err));
    modes[first] = group;
    for (int i = last; i < rank; i++)
        modes[first + 1 + i - last] = modes[i];
    return tsr_tla_concat(out, arena, rank - (last - first) + 1, modes, err);
}

tsr_status tsr_tla_flatten(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, tsr_error *err)
{
    const tsr_tuple *shape, *stride;
    *out = (tsr_tla){0};
    TSR_TRY(tsr_tuple_flatten(&shape, arena, layout->shape, err));
    TSR_TRY(tsr_tuple_flatten(&stride, arena, layout->stride, err));
    return tsr_tla_make(out, shape, stride, NULL, err);
}
