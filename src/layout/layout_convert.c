/* Layouts of one notation written in another: see tsr_layout.h. */
#include "tsr_layout.h"

#include <string.h>

#include "tsr_checked.h"

/* ---- XLA to TLA ---- */

/* The digit (coord[dim] floordiv divisor) mod size; dim -1: always zero. */
typedef struct digit {
    int dim;
    int64_t divisor, size;
} digit;

enum { MAX_DIGITS = TSR_XLA_MAX_EXPANDED };

/* An expanded dim: the digits whose row-major index is its coordinate, the first the most major. */
typedef struct digits {
    int n;
    digit x[MAX_DIGITS];
} digits;

static tsr_status has_none(const tsr_xla *xla, int tile, tsr_error *err)
{
    tsr_text text = {0};
    tsr_xla_print(&text, xla);
    tsr_fail(err, TSR_UNSUPPORTED, "%s has no TLA form: tile %d crosses the digits of the dims that it cuts",
             tsr_text_cstr(&text), tile + 1);
    tsr_text_clear(&text);
    return TSR_UNSUPPORTED;
}

/* Cut a coordinate by t: inner = x mod t, outer = x floordiv t. False if the digits do not divide. */
static bool cut_digits(digits *outer, digits *inner, const digits *x, int64_t t)
{
    int64_t left = t; /* the part of t that the other digits must supply */
    inner->n = outer->n = 0;
    for (int i = x->n - 1; i >= 0; i--) {
        digit d = x->x[i];
        if (left == 1) {
            outer->x[outer->n++] = d;
        } else if (left % d.size == 0 && i > 0) {
            inner->x[inner->n++] = d;
            left /= d.size;
        } else if (d.size % left == 0 || i == 0) { /* only the most major digit may be padded */
            const int64_t size = d.size / left + (d.size % left != 0);
            if (!d.divisor || (d.dim >= 0 && d.divisor > INT64_MAX / left))
                return false;
            inner->x[inner->n++] = (digit){d.dim, d.divisor, left};
            outer->x[outer->n++] = (digit){d.dim, d.dim < 0 ? 1 : d.divisor * left, size};
            left = 1;
        } else {
            return false;
        }
        if (outer->n >= MAX_DIGITS || inner->n >= MAX_DIGITS)
            return false;
    }
    if (left > 1) /* no digits: the dim is always 0 */
        inner->x[inner->n++] = (digit){-1, 1, left};
    for (int part = 0; part < 2; part++) { /* the digits were collected from the minor end: reverse them */
        digits *const y = part ? inner : outer;
        for (int i = 0; i < y->n / 2; i++) {
            const digit swap = y->x[i];
            y->x[i] = y->x[y->n - 1 - i];
            y->x[y->n - 1 - i] = swap;
        }
    }
    return true;
}

typedef struct expansion {
    int n;
    digits x[TSR_XLA_MAX_EXPANDED];
} expansion;

/* *next = e after a tile. */
static bool apply_tile(expansion *next, const expansion *e, const tsr_xla_tile *tile)
{
    const int front = tile->rank > e->n ? tile->rank - e->n : 0;
    const int kept = e->n + front - tile->rank;
    digits inner[TSR_XLA_MAX_TILE_RANK], folded = {0};
    int ninner = 0;
    next->n = 0;
    for (int i = 0; i < kept; i++)
        next->x[next->n++] = e->x[i];
    for (int i = 0; i < tile->rank; i++) {
        const int at = kept + i - front;
        const digits *const x = at >= 0 ? &e->x[at] : NULL;
        if (x) {
            if (folded.n + x->n > MAX_DIGITS)
                return false;
            memcpy(folded.x + folded.n, x->x, (size_t)x->n * sizeof x->x[0]);
            folded.n += x->n;
        }
        if (tile->t[i] == TSR_XLA_STAR)
            continue;
        if (next->n >= TSR_XLA_MAX_EXPANDED ||
            !cut_digits(&next->x[next->n], &inner[ninner], &folded, tile->t[i]))
            return false;
        next->n++;
        ninner++;
        folded.n = 0;
    }
    if (next->n + ninner > TSR_XLA_MAX_EXPANDED)
        return false;
    memcpy(next->x + next->n, inner, (size_t)ninner * sizeof inner[0]);
    next->n += ninner;
    return true;
}

/* The digits of one logical dim with their strides, the fastest first. */
typedef struct mode {
    int n;
    digit x[MAX_DIGITS];
    int64_t stride[MAX_DIGITS];
} mode;

static void insert_digit(mode *m, digit d, int64_t stride)
{
    int at = m->n++;
    for (; at > 0 && m->x[at - 1].divisor > d.divisor; at--) {
        m->x[at] = m->x[at - 1];
        m->stride[at] = m->stride[at - 1];
    }
    m->x[at] = d;
    m->stride[at] = stride;
}

/* Make the mode of logical dim d; false if its digits have a gap. */
static bool collect_mode(mode *m, const expansion *e, int dim)
{
    int64_t stride = 1, divisor = 1;
    m->n = 0;
    for (int i = e->n - 1; i >= 0; i--) {
        for (int j = e->x[i].n - 1; j >= 0; j--) {
            const digit d = e->x[i].x[j];
            if (d.dim == dim && d.size > 1) {
                if (m->n == MAX_DIGITS)
                    return false;
                insert_digit(m, d, stride);
            }
            if (!tsr_mul_i64(&stride, stride, d.size))
                return false;
        }
    }
    for (int i = 0; i < m->n; i++) {
        if (m->x[i].divisor != divisor || !tsr_mul_i64(&divisor, divisor, m->x[i].size))
            return false;
    }
    return true;
}

static tsr_status mode_tuples(const tsr_tuple **shape, const tsr_tuple **stride, tsr_arena *arena,
                              const mode *m, tsr_error *err)
{
    int64_t sizes[MAX_DIGITS] = {1};
    if (m->n <= 1) {
        TSR_TRY(tsr_tuple_int(shape, arena, m->n ? m->x[0].size : 1, err));
        return tsr_tuple_int(stride, arena, m->n ? m->stride[0] : 0, err);
    }
    for (int i = 0; i < m->n; i++)
        sizes[i] = m->x[i].size;
    TSR_TRY(tsr_tuple_ints(shape, arena, m->n, sizes, err));
    return tsr_tuple_ints(stride, arena, m->n, m->stride, err);
}

static tsr_status expand(expansion *e, const tsr_xla *xla, tsr_error *err)
{
    expansion next;
    e->n = xla->rank;
    for (int i = 0; i < xla->rank; i++) {
        const int dim = xla->order[xla->rank - 1 - i];
        e->x[i].n = 1;
        e->x[i].x[0] = (digit){dim, 1, xla->dims[dim]};
    }
    for (int k = 0; k < xla->ntiles; k++) {
        if (!apply_tile(&next, e, &xla->tiles[k]))
            return has_none(xla, k, err);
        *e = next;
    }
    return TSR_OK;
}

tsr_status tsr_xla_to_tla(tsr_tla *out, tsr_arena *arena, const tsr_xla *xla, tsr_error *err)
{
    const tsr_tuple *shape[TSR_XLA_MAX_RANK], *stride[TSR_XLA_MAX_RANK];
    const tsr_tuple *shapes = NULL, *strides = NULL, *origin = NULL;
    expansion e;
    mode m;
    *out = (tsr_tla){0};
    if (!xla->has_dims)
        return tsr_fail(err, TSR_ARGUMENT, "the dims are unknown");
    for (int d = 0; d < xla->rank; d++)
        if (xla->dims[d] == 0)
            return tsr_fail(err, TSR_UNSUPPORTED, "dim %d is 0: TLA layouts have at least one element", d);
    TSR_TRY(expand(&e, xla, err));
    for (int d = 0; d < xla->rank; d++) {
        if (!collect_mode(&m, &e, d))
            return has_none(xla, xla->ntiles - 1, err);
        TSR_TRY(mode_tuples(&shape[d], &stride[d], arena, &m, err));
    }
    TSR_TRY(tsr_tuple_list(&shapes, arena, xla->rank, shape, err));
    TSR_TRY(tsr_tuple_list(&strides, arena, xla->rank, stride, err));
    if (xla->rank > 0)
        TSR_TRY(tsr_tuple_ints(&origin, arena, xla->rank, xla->dims, err));
    return tsr_tla_make(out, shapes, strides, origin, err);
}

/* ---- TLA to XLA ---- */

/* Check that levels have no gaps, which XLA's layouts cannot have. */
static tsr_status check_compact(const tsr_tla_levels *levels, const char *what, tsr_error *err)
{
    if (levels->unit > 1)
        return tsr_fail(err, TSR_UNSUPPORTED, "the layout has no %s: its elements are %lld apart", what,
                        (long long)levels->unit);
    for (int l = 1; l < levels->nlevels; l++)
        if (levels->level[l].pitch > levels->level[l].size)
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "the layout has no %s: mode %d has pitch %lld for %lld elements, which leaves gaps", what,
                levels->level[l].mode, (long long)levels->level[l].pitch, (long long)levels->level[l].size);
    return TSR_OK;
}

/* The untiled shape with these dims. */
static tsr_status make_shape(tsr_xla **out, const char *type, const tsr_tla_levels *levels, tsr_error *err)
{
    tsr_text text = {0};
    tsr_text_addf(&text, "%s[", type ? type : "");
    for (int d = 0; d < levels->rank; d++)
        tsr_text_addf(&text, d ? ",%lld" : "%lld", (long long)levels->dims[d]);
    tsr_text_add(&text, "]");
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK)
        status = tsr_xla_parse(out, tsr_text_cstr(&text), err);
    tsr_text_clear(&text);
    return status;
}

/* List the levels as digits of XLA; `merged`: neighbours of one mode that form one digit become one. */
static int list_digits(tsr_xla_digit *x, const tsr_tla_levels *levels, bool merged)
{
    int n = 0;
    for (int l = 0; l < levels->nlevels; l++) {
        const tsr_tla_level *const level = &levels->level[l];
        tsr_xla_digit *const last = n > 0 ? &x[n - 1] : NULL;
        if (merged && last && last->dim == level->mode && last->divisor == level->divisor * level->size) {
            last->divisor = level->divisor;
            last->size *= level->size;
            last->modulus *= level->size; /* modulus 0 stays 0 */
        } else {
            x[n++] = (tsr_xla_digit){.dim = level->mode,
                                     .divisor = level->divisor,
                                     .modulus = level->modulus,
                                     .size = level->size};
        }
    }
    return n;
}

tsr_status tsr_tla_to_xla(tsr_xla **out, const tsr_tla *tla, const char *type, tsr_error *err)
{
    tsr_xla_digit x[TSR_TLA_MAX_LEAVES];
    tsr_tla_levels levels;
    tsr_xla *shape = NULL;
    *out = NULL;
    TSR_TRY(tsr_tla_to_levels(&levels, tla, err));
    TSR_TRY(check_compact(&levels, "XLA form", err));
    TSR_TRY(make_shape(&shape, type, &levels, err));
    tsr_status status = TSR_UNSUPPORTED;
    for (int merged = 0; merged < 2 && status == TSR_UNSUPPORTED; merged++)
        status = tsr_xla_from_digits(out, shape, list_digits(x, &levels, merged), x, err);
    tsr_xla_free(shape);
    return status;
}

/* ---- maps to TLA ---- */

enum { MAX_PROBES = 1 << 22 };

/* *out = the offset of the element with coordinate x in dim d and 0 in the other dims. */
static tsr_status probe(int64_t *out, const tsr_layout *layout, int d, int64_t x, tsr_error *err)
{
    int64_t coord[TSR_MAP_MAX_VARS] = {0};
    coord[d] = x;
    return tsr_layout_offset(out, layout, coord, err);
}

/* Set x->size to the largest number of digits, at most count, for which the offsets at multiples of the divisor
 * rise evenly by `stride`; the caller knows that two do. */
static tsr_status count_even(digit *x, const tsr_layout *layout, int64_t stride, int64_t count,
                             tsr_error *err)
{
    int64_t offset, even;
    for (x->size = 2; x->size < count; x->size++) {
        TSR_TRY(probe(&offset, layout, x->dim, x->size * x->divisor, err));
        if (!tsr_mul_i64(&even, x->size, stride) || offset != even)
            return TSR_OK;
    }
    return TSR_OK;
}

/* Find the digits of dim d: starting at each unit, a digit is as long as the offsets rise evenly. The result
 * is a guess, which the caller checks. */
static tsr_status probe_mode(mode *m, const tsr_layout *layout, int d, tsr_error *err)
{
    const int64_t n = layout->dims[d];
    m->n = 0;
    for (int64_t unit = 1; unit < n;) {
        const int64_t count = n / unit + (n % unit != 0);
        digit x = {.dim = d, .divisor = unit};
        int64_t stride;
        TSR_TRY(probe(&stride, layout, d, unit, err));
        if (stride < 0)
            return tsr_fail(err, TSR_UNSUPPORTED, "the map has no TLA form: the offset %lld is negative",
                            (long long)stride);
        TSR_TRY(count_even(&x, layout, stride, count, err));
        m->x[m->n] = x;
        m->stride[m->n++] = stride;
        unit *= x.size; /* n < 2^22: at most 22 digits */
    }
    return TSR_OK;
}

/* Whether a TLA layout that was guessed from some points has the right offset at all points. */
static tsr_status check_guess(const tsr_tla *guess, const tsr_layout *layout, tsr_error *err)
{
    tsr_layout *other = NULL;
    tsr_layout_difference difference;
    TSR_TRY(tsr_layout_from_tla(&other, guess, err));
    tsr_status status = tsr_layout_same(&difference, other, layout, err);
    tsr_layout_free(other);
    if (status == TSR_OK && difference.verdict != TSR_LAYOUT_SAME)
        status =
            tsr_fail(err, TSR_UNSUPPORTED, "the map has no TLA form: it is not a sum of digits of its dims");
    return status;
}

static tsr_status map_to_tla(tsr_tla *out, tsr_arena *arena, const tsr_layout *layout, tsr_error *err)
{
    const tsr_tuple *shape[TSR_MAP_MAX_VARS], *stride[TSR_MAP_MAX_VARS];
    const tsr_tuple *shapes = NULL, *strides = NULL, *origin = NULL;
    mode m;
    for (int d = 0; d < layout->rank; d++) {
        if (layout->dims[d] == 0)
            return tsr_fail(err, TSR_UNSUPPORTED, "dim %d is 0: TLA layouts have at least one element", d);
        if (layout->dims[d] > MAX_PROBES)
            return tsr_fail(err, TSR_LIMIT, "a map with more than %d cells in a dim is not converted",
                            MAX_PROBES);
        TSR_TRY(probe_mode(&m, layout, d, err));
        TSR_TRY(mode_tuples(&shape[d], &stride[d], arena, &m, err));
    }
    TSR_TRY(tsr_tuple_list(&shapes, arena, layout->rank, shape, err));
    TSR_TRY(tsr_tuple_list(&strides, arena, layout->rank, stride, err));
    if (layout->rank > 0)
        TSR_TRY(tsr_tuple_ints(&origin, arena, layout->rank, layout->dims, err));
    TSR_TRY(tsr_tla_make(out, shapes, strides, origin, err));
    return check_guess(out, layout, err);
}

tsr_status tsr_layout_to_tla(tsr_tla *out, tsr_arena *arena, const tsr_layout *layout, tsr_error *err)
{
    *out = (tsr_tla){0};
    if (layout->kind == TSR_LAYOUT_XLA)
        return tsr_xla_to_tla(out, arena, layout->xla, err);
    if (layout->kind != TSR_LAYOUT_TLA) {
        const tsr_status status = map_to_tla(out, arena, layout, err);
        if (status != TSR_OK)
            *out = (tsr_tla){0};
        return status;
    }
    tsr_text text = {0};
    tsr_tla_print(&text, &layout->tla); /* make it again, in this arena */
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK)
        status = tsr_tla_parse(out, arena, tsr_text_cstr(&text), err);
    tsr_text_clear(&text);
    return status;
}

tsr_status tsr_layout_to_xla(tsr_xla **out, const tsr_layout *layout, const char *type, tsr_error *err)
{
    tsr_arena arena = {0};
    tsr_tla tla;
    *out = NULL;
    if (layout->kind == TSR_LAYOUT_XLA)
        return tsr_xla_bind(out, layout->xla, layout->xla->type[0] ? NULL : type, layout->rank, layout->dims,
                            err);
    tsr_status status = tsr_layout_to_tla(&tla, &arena, layout, err);
    if (status == TSR_OK)
        status = tsr_tla_to_xla(out, &tla, type, err);
    tsr_arena_clear(&arena);
    return status;
}
