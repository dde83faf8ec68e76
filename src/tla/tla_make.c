/* Constructors of layouts: compact strides, matrices in blocks, tiles of a layout. */
#include "tla_internal.h"

#include <string.h>

#include "tsr_checked.h"

/* ---- compact strides ---- */

typedef struct stepper {
    int64_t next; /* the next stride */
    bool is_static, from_right;
} stepper;

/* The strides of the leaves of a shape, from the left or from the right. */
static tsr_status compact(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *shape, stepper *s,
                          tsr_error *err)
{
    const tsr_tuple *x[TSR_TLA_MAX_LEAVES];
    if (shape->kind == TSR_TUPLE_ANY)
        return tsr_fail(err, TSR_ARGUMENT, "a layout cannot contain '_' as a size or stride");
    if (shape->kind == TSR_TUPLE_INT) {
        TSR_TRY(tsr_tuple_leaf(out, arena, s->next, s->is_static, err));
        return tsr_mul_i64(&s->next, s->next, shape->v)
                   ? TSR_OK
                   : tsr_fail(err, TSR_LIMIT, "the size of the layout does not fit into 64 bits");
    }
    for (int i = 0; i < shape->n; i++) {
        const int at = s->from_right ? shape->n - 1 - i : i;
        TSR_TRY(compact(&x[at], arena, shape->x[at], s, err));
    }
    return tsr_tuple_list(out, arena, shape->n, x, err);
}

static tsr_status make_compact(tsr_tla *out, tsr_arena *arena, const tsr_tuple *shape, bool from_right,
                               tsr_error *err)
{
    const tsr_tuple *stride;
    stepper s = {.next = 1, .is_static = tsr_tuple_is_static(shape), .from_right = from_right};
    *out = (tsr_tla){0};
    TSR_TRY(compact(&stride, arena, shape, &s, err));
    return tsr_tla_make(out, shape, stride, NULL, err);
}

tsr_status tsr_tla_make_left(tsr_tla *out, tsr_arena *arena, const tsr_tuple *shape, tsr_error *err)
{
    return make_compact(out, arena, shape, false, err);
}

tsr_status tsr_tla_make_right(tsr_tla *out, tsr_arena *arena, const tsr_tuple *shape, tsr_error *err)
{
    return make_compact(out, arena, shape, true, err);
}

/* ---- matrices in blocks ---- */

static const struct {
    const char *name;
    bool along_rows_inside, along_rows_outside;
    bool is_square; /* the block is 16 x 16 for elements of every size */
} fractals[] = {
    [TSR_TLA_ZN] = {"zN", true, false, false},  [TSR_TLA_NZ] = {"nZ", false, true, false},
    [TSR_TLA_ZZ] = {"zZ", true, true, false},   [TSR_TLA_NN] = {"nN", false, false, false},
    [TSR_TLA_L0C] = {"L0C", true, false, true},
};

/* Whether two names, of letters and digits only, are the same in any case. */
static bool same_name(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] && (a[i] | 32) == (b[i] | 32))
        i++;
    return !a[i] && !b[i];
}

tsr_status tsr_tla_fractal_parse(tsr_tla_fractal *out, const char *name, tsr_error *err)
{
    for (size_t i = 0; i < sizeof fractals / sizeof fractals[0]; i++)
        if (same_name(name, fractals[i].name)) {
            *out = (tsr_tla_fractal)i;
            return TSR_OK;
        }
    *out = TSR_TLA_ZN;
    return tsr_fail(err, TSR_ARGUMENT, "unknown block layout '%.40s' (known: zN, nZ, zZ, nN, L0C)", name);
}

tsr_status tsr_tla_fractal_block(int64_t *block_rows, int64_t *block_cols, tsr_tla_fractal fractal, int bits,
                                 tsr_error *err)
{
    enum { ROWS = 16, LINE_BITS = 32 * 8 }; /* C0: a line of 32 bytes */
    *block_rows = *block_cols = fractals[fractal].is_square ? ROWS : 0;
    if (fractals[fractal].is_square)
        return TSR_OK;
    if (bits < 1 || bits > LINE_BITS || LINE_BITS % bits != 0)
        return tsr_fail(err, TSR_ARGUMENT,
                        "a line of %d bits does not hold a whole number of elements of %d bits", LINE_BITS,
                        bits);
    *block_rows = fractals[fractal].along_rows_inside ? ROWS : LINE_BITS / bits;
    *block_cols = fractals[fractal].along_rows_inside ? LINE_BITS / bits : ROWS;
    return TSR_OK;
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* The tuple ((v[0], v[1]), (v[2], v[3])). */
static tsr_status pairs(const tsr_tuple **out, tsr_arena *arena, const int64_t v[4], tsr_error *err)
{
    const tsr_tuple *x[2];
    TSR_TRY(tsr_tuple_ints(&x[0], arena, 2, v, err));
    TSR_TRY(tsr_tuple_ints(&x[1], arena, 2, v + 2, err));
    return tsr_tuple_list(out, arena, 2, x, err);
}

tsr_status tsr_tla_make_fractal(tsr_tla *out, tsr_arena *arena, tsr_tla_fractal fractal,
                                const int64_t size[2], const int64_t block_size[2], tsr_error *err)
{
    const int64_t rows = size[0], cols = size[1], block_rows = block_size[0], block_cols = block_size[1];
    const tsr_tuple *shape, *stride, *origin;
    const bool inside = fractals[fractal].along_rows_inside, outside = fractals[fractal].along_rows_outside;
    int64_t block, line;
    *out = (tsr_tla){0};
    if (rows < 1 || cols < 1 || block_rows < 1 || block_cols < 1)
        return tsr_fail(
            err, TSR_ARGUMENT,
            "a matrix and its blocks must have sizes of at least 1, not %lld x %lld in blocks of %lld x %lld",
            (long long)rows, (long long)cols, (long long)block_rows, (long long)block_cols);
    const int64_t nrows = ceil_div(rows, block_rows), ncols = ceil_div(cols, block_cols);
    if (!tsr_mul_i64(&block, block_rows, block_cols) || !tsr_mul_i64(&line, block, outside ? ncols : nrows))
        return tsr_fail(err, TSR_LIMIT, "the offsets of the layout do not fit into 64 bits");
    TSR_TRY(pairs(&shape, arena, (int64_t[]){block_rows, nrows, block_cols, ncols}, err));
    TSR_TRY(pairs(&stride, arena,
                  (int64_t[]){inside ? block_cols : 1, outside ? line : block, inside ? 1 : block_rows,
                              outside ? block : line},
                  err));
    TSR_TRY(tsr_tuple_ints(&origin, arena, 2, size, err));
    return tsr_tla_make(out, shape, stride, origin, err);
}

/* ---- tiles ---- */

/* TSR_ARGUMENT unless `tile`, which the error calls `what`, has one integer for each mode. */
static tsr_status check_per_mode(const tsr_tla *layout, const tsr_tuple *tile, const char *what,
                                 tsr_error *err)
{
    char a[TSR_TUPLE_SHOWN_NBYTES], b[TSR_TUPLE_SHOWN_NBYTES];
    bool ok = (tile->kind == TSR_TUPLE_LIST) == (layout->shape->kind == TSR_TUPLE_LIST) &&
              tile->n == layout->shape->n;
    for (int m = 0; ok && m < tsr_tla_rank(layout); m++)
        ok = tsr_tuple_at(tile, m)->kind == TSR_TUPLE_INT;
    return ok ? TSR_OK
              : tsr_fail(err, TSR_ARGUMENT, "the %s %s must have one integer for each mode of %s", what,
                         tsr_tuple_show(a, tile), tsr_tla_show(b, layout));
}

/* The shape of a mode with its last leaf changed so that it holds `tile` coordinates. `kept`: the product of
 * the leaves before this entry. */
static tsr_status cut_mode(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *shape, int64_t kept,
                           const tsr_tuple *tile, tsr_error *err)
{
    const tsr_tuple *x[TSR_TLA_MAX_LEAVES];
    if (shape->kind == TSR_TUPLE_INT)
        return tsr_tuple_leaf(out, arena, ceil_div(tile->v, kept),
                              tile->is_static && (kept == 1 || shape->is_static), err);
    for (int i = 0; i < shape->n; i++) {
        x[i] = shape->x[i];
        if (i == shape->n - 1)
            TSR_TRY(cut_mode(&x[i], arena, shape->x[i], kept, tile, err));
        kept *= tsr_tuple_size_of(shape->x[i]);
    }
    return tsr_tuple_list(out, arena, shape->n, x, err);
}

static tsr_status make_tile(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, const tsr_tuple *tile,
                            const tsr_tuple *origin, tsr_error *err)
{
    const tsr_tuple *x[TSR_TLA_MAX_LEAVES], *shape;
    const int rank = tsr_tla_rank(layout);
    for (int m = 0; m < rank; m++) {
        const tsr_tuple *t = tsr_tuple_at(tile, m);
        if (t->v < 1)
            return tsr_fail(err, TSR_ARGUMENT,
                            "the sizes of a tile must be at least 1, but that of mode %d is 0", m);
        TSR_TRY(cut_mode(&x[m], arena, tsr_tuple_at(layout->shape, m), 1, t, err));
    }
    shape = x[0];
    if (layout->shape->kind == TSR_TUPLE_LIST)
        TSR_TRY(tsr_tuple_list(&shape, arena, rank, x, err));
    return tsr_tla_make(out, shape, layout->stride, origin, err);
}

tsr_status tsr_tla_make_tile(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, const tsr_tuple *tile,
                             tsr_error *err)
{
    *out = (tsr_tla){0};
    TSR_TRY(check_per_mode(layout, tile, "tile", err));
    return make_tile(out, arena, layout, tile, tile, err);
}

/* Whether for all c < n the offset of coordinate at + c of a mode is the offset of `at` plus the offset of c,
 * that is, whether no digit carries that does not carry in c alone. */
static bool begins_well(const tsr_tla *mode, int64_t at, int64_t n)
{
    tsr_tla_flat flat;
    int64_t below = 1;
    tsr_tla_leaves(&flat, mode);
    tsr_tla_flat_coalesce(&flat, false);
    for (int i = 0; i < flat.n - 1; i++)
        below *= flat.leaf[i].shape;
    for (int i = flat.n - 1; i > 0; i--) {
        if (at % below == 0)
            return true;
        if (at % below > below - n)
            return false;
        below /= flat.leaf[i - 1].shape;
    }
    return true;
}

/* The integers v as a tuple that is an integer or a list, as `like` is. */
static tsr_status per_mode(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *like, const int64_t *v,
                           tsr_error *err)
{
    return like->kind == TSR_TUPLE_LIST ? tsr_tuple_ints(out, arena, like->n, v, err)
                                        : tsr_tuple_int(out, arena, v[0], err);
}

tsr_status tsr_tla_tile_view(tsr_tla_view *out, tsr_arena *arena, const tsr_tla *layout,
                             const tsr_tuple *tile, const tsr_tuple *at, tsr_error *err)
{
    int64_t left[TSR_TLA_MAX_LEAVES], start = 0;
    const tsr_tuple *origin;
    *out = (tsr_tla_view){0};
    TSR_TRY(check_per_mode(layout, tile, "tile", err));
    TSR_TRY(check_per_mode(layout, at, "coordinate", err));
    for (int m = 0; m < tsr_tla_rank(layout); m++) {
        const int64_t dim = tsr_tla_dim(layout, m), c = tsr_tuple_at(at, m)->v, n = tsr_tuple_at(tile, m)->v;
        const tsr_tla mode = tsr_tla_at(layout, m);
        int64_t part = 0;
        left[m] = c >= dim ? 0 : dim - c < n ? dim - c : n;
        if (left[m] > 0 && !begins_well(&mode, c, left[m]))
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "a tile of size %lld at coordinate %lld of mode %d crosses the border of a "
                            "block, so no layout with the same strides describes it",
                            (long long)n, (long long)c, m);
        if (left[m] > 0)
            TSR_TRY(tsr_tla_offset(&part, &mode, tsr_tuple_at(at, m), err));
        start += part;
    }
    TSR_TRY(per_mode(&origin, arena, layout->shape, left, err));
    TSR_TRY(make_tile(&out->layout, arena, layout, tile, origin, err));
    out->offset = start;
    return TSR_OK;
}

tsr_status tsr_tla_tile_start(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *tile,
                              const tsr_tuple *coord, tsr_error *err)
{
    int64_t v[TSR_TLA_MAX_LEAVES];
    char a[TSR_TUPLE_SHOWN_NBYTES], b[TSR_TUPLE_SHOWN_NBYTES];
    *out = NULL;
    if (!tsr_tuple_congruent(tile, coord) || tsr_tuple_depth(tile) > 1)
        return tsr_fail(err, TSR_ARGUMENT,
                        "the tile %s and the coordinate %s must have one integer for each mode",
                        tsr_tuple_show(a, tile), tsr_tuple_show(b, coord));
    for (int m = 0; m < tsr_tuple_rank(tile); m++) {
        const tsr_tuple *t = tsr_tuple_at(tile, m), *c = tsr_tuple_at(coord, m);
        if (t->kind != TSR_TUPLE_INT)
            return tsr_fail(err, TSR_ARGUMENT, "'_' is not allowed here: give an integer");
        if (!tsr_mul_i64(&v[m], t->v, c->v))
            return tsr_fail(err, TSR_LIMIT, "the coordinate of the tile does not fit into 64 bits");
    }
    return per_mode(out, arena, tile, v, err);
}
