/* The oracle, and the comparison of results: see tsr_oracle.h. */
#include "tsr_oracle.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "tsr_checked.h"
#include "tsr_interrupt.h"
#include "tsr_pack.h"

enum { MAX_CELLS = 1 << 24, MAX_POINTS = 1 << 24 };

/* A value: a pair of doubles, or modulo 2^64 where the result is of integers. */
typedef struct cell {
    double re, im;
    uint64_t i;
} cell;

/* The operands written out in full. */
typedef struct oracle {
    const tsr_oracle_case *c;
    const uint64_t *dims[TSR_NOTATION_MAX_TENSORS]; /* of each tensor, the result first */
    bool is_integer, is_unsigned;
    cell *cells[TSR_NOTATION_MAX_TENSORS];
    bool *present[TSR_NOTATION_MAX_TENSORS]; /* NULL: all are */
    uint64_t at[TSR_NOTATION_MAX_VARS];      /* the point */
} oracle;

/* ---- one tensor's cells ---- */

static bool count_cells(uint64_t *n, int order, const uint64_t *dims)
{
    *n = 1;
    for (int m = 0; m < order; m++)
        if (!tsr_mul_u64(n, *n, dims[m]))
            return false;
    return *n <= MAX_CELLS;
}

static cell value_at(const tsr_array *values, uint64_t i, tsr_type type)
{
    const unsigned char *const at = (const unsigned char *)values->data + i * values->width;
    cell c = {0};
    if (type == TSR_PATTERN)
        return (cell){1, 0, 1};
    double v[2] = {0};
    uint64_t whole[1] = {0};
    const tsr_type wide = tsr_type_class(type) == 'U' ? TSR_U64 : TSR_I64;
    if (tsr_values_convert(v, TSR_C128, at, type, 1, NULL) == TSR_OK)
        c = (cell){v[0], v[1], 0};
    if (strchr("UI", tsr_type_class(type)) && tsr_values_convert(whole, wide, at, type, 1, NULL) == TSR_OK)
        c.i = whole[0];
    return c;
}

/* The tensor's cells, row by row; present[] (may be NULL) tells which are stored. */
static tsr_status write_out(cell *cells, bool *present, uint64_t ncells, const tsr_tensor *tensor,
                            int nthreads, tsr_error *err)
{
    tsr_coo *coo;
    memset(cells, 0, ncells * sizeof *cells);
    if (present)
        memset(present, 0, ncells * sizeof *present);
    TSR_TRY(tsr_unpack(&coo, tensor, nthreads, err));
    for (uint64_t e = 0; e < coo->nnz; e++) {
        uint64_t at = 0;
        for (int m = 0; m < coo->order; m++)
            at = at * coo->dims[m] + tsr_array_get(&coo->crd[m], e);
        const cell c = value_at(&coo->values, coo->iso ? 0 : e, coo->type);
        cells[at].re += c.re;
        cells[at].im += c.im;
        cells[at].i += c.i;
        /* in a dense block +0 and -0 count as absent */
        const bool zero = c.re == 0 && c.im == 0 && tsr_format_has_dense_leaf(tensor->format);
        if (present)
            present[at] = present[at] || !zero;
    }
    tsr_coo_free(coo);
    return TSR_OK;
}

/* ---- arithmetic ---- */

static cell add(cell a, cell b)
{
    return (cell){a.re + b.re, a.im + b.im, a.i + b.i};
}

static cell negate(cell a)
{
    return (cell){-a.re, -a.im, 0 - a.i};
}

static cell multiply(cell a, cell b)
{
    if (a.im == 0 && b.im == 0)
        return (cell){a.re * b.re, 0, a.i * b.i};
    return (cell){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re, a.i * b.i};
}

static cell divide(const oracle *o, cell a, cell b)
{
    cell c = {a.re / b.re, 0, 0};
    if (b.im != 0 || a.im != 0) {
        const double d = b.re * b.re + b.im * b.im;
        c.re = (a.re * b.re + a.im * b.im) / d;
        c.im = (a.im * b.re - a.re * b.im) / d;
    }
    if (b.i == 0)
        c.i = 0;
    else if (o->is_unsigned)
        c.i = a.i / b.i;
    else
        c.i = b.i == UINT64_MAX ? 0 - a.i : (uint64_t)((int64_t)a.i / (int64_t)b.i);
    return c;
}

/* A number of the expression. For an integer result type the integer is used, which fits (lowering has
 * refused all others); for other types the number may be too large for an integer. */
static cell get_number(const oracle *o, double number)
{
    return (cell){number, 0, o->is_integer ? (uint64_t)number : 0};
}

/* ---- evaluation ---- */

/* The number of the cell of the access at the point. */
static uint64_t cell_at(const oracle *o, const tsr_expr *access)
{
    uint64_t at = 0;
    for (int m = 0; m < access->nindices; m++)
        at = at * o->dims[access->tensor][m] +
             tsr_window_coordinate(tsr_expr_window(access, m), o->at[access->index[m]]);
    return at;
}

/* The value of e at the point; *absent: a sparse operand has no entry there. */
static cell evaluate(bool *absent, const oracle *o, const tsr_expr *e)
{
    switch (e->kind) {
    case TSR_EXPR_NUMBER:
        return get_number(o, e->number);
    case TSR_EXPR_ACCESS: {
        const uint64_t at = cell_at(o, e);
        const bool is_stored = !o->present[e->tensor] || o->present[e->tensor][at];
        *absent = *absent || is_stored == (e->mask == TSR_MASK_ABSENT);
        if (e->mask != TSR_MASK_NONE)
            return (cell){1, 0, 1};
        return o->cells[e->tensor][at];
    }
    case TSR_EXPR_BAND: {
        const int64_t d = (int64_t)o->at[e->index[1]] - (int64_t)o->at[e->index[0]];
        *absent = *absent || d < e->low || d > e->high;
        return (cell){1, 0, 1};
    }
    case TSR_EXPR_NEG:
        return negate(evaluate(absent, o, e->a));
    default:
        break;
    }
    const cell a = evaluate(absent, o, e->a), b = evaluate(absent, o, e->b);
    return e->kind == TSR_EXPR_ADD   ? add(a, b)
           : e->kind == TSR_EXPR_SUB ? add(a, negate(b))
           : e->kind == TSR_EXPR_MUL ? multiply(a, b)
                                     : divide(o, a, b);
}

/* Add the term at the point to the result. */
static void add_point(oracle *o, const tsr_term *term)
{
    bool absent = false;
    cell product = {1, 0, 1};
    for (int f = 0; f < term->nfactors; f++) {
        const cell v = evaluate(&absent, o, term->factor[f].expr);
        product = term->factor[f].inverse ? divide(o, product, v) : f == 0 ? v : multiply(product, v);
    }
    if (absent)
        return;
    cell *const to = &o->cells[0][cell_at(o, o->c->notation->result)];
    *to = add(*to, term->negative ? negate(product) : product);
}

/* Walk all points of a term: its variables and those of the result. False: there are too many. */
static bool add_term(oracle *o, const tsr_term *term)
{
    const tsr_notation *const notation = o->c->notation;
    const uint32_t vars = term->vars | tsr_notation_free_vars(notation);
    uint64_t npoints = 1;
    for (int v = 0; v < notation->nvars; v++)
        if ((vars >> v & 1) && !tsr_mul_u64(&npoints, npoints, o->c->size[v]))
            return false;
    if (npoints > MAX_POINTS)
        return false;
    for (uint64_t p = 0; p < npoints && !tsr_interrupted(); p++) {
        uint64_t rest = p;
        for (int v = 0; v < notation->nvars; v++) {
            o->at[v] = vars >> v & 1 ? rest % o->c->size[v] : 0;
            rest /= vars >> v & 1 ? o->c->size[v] : 1;
        }
        add_point(o, term);
    }
    return true;
}

/* Write all tensors out in full. *fits: none is too large. */
static tsr_status spell_out(bool *fits, oracle *o, uint32_t *sparse, const tsr_tensor *computed,
                            tsr_error *err)
{
    const tsr_oracle_case *const c = o->c;
    *fits = true;
    for (int i = 0; i < c->notation->ntensors; i++) {
        const tsr_tensor *const tensor = i > 0 ? c->operands[i - 1] : c->before;
        const bool is_sparse = i > 0 && !tsr_format_is_dense(tensor->format);
        const tsr_tensor *const shaped = i > 0 ? tensor : computed;
        uint64_t n;
        o->dims[i] = shaped->dims;
        if (!count_cells(&n, shaped->order, shaped->dims)) {
            *fits = false;
            return TSR_OK;
        }
        void *block;
        TSR_TRY(tsr_alloc_array(&block, n, sizeof(cell), 1, "cells of the oracle", err));
        o->cells[i] = block;
        if (is_sparse) {
            TSR_TRY(tsr_alloc_array(&block, n, sizeof(bool), 1, "cells of the oracle", err));
            o->present[i] = block;
            *sparse |= UINT32_C(1) << i;
        }
        if (tensor)
            TSR_TRY(write_out(o->cells[i], o->present[i], n, tensor, c->nthreads, err));
    }
    return TSR_OK;
}

/* ---- comparing ---- */

/* The distance of two values; 0 for two NaNs and for equal infinities, inf where only one is not finite. */
static double distance(double a, double b)
{
    if (a == b || (isnan(a) && isnan(b)))
        return 0;
    const double d = fabs(a - b);
    return isfinite(a) && isfinite(b) ? d : INFINITY;
}

static tsr_comparison compare(const cell *mine, const cell *other, uint64_t n, tsr_type type)
{
    const char class = tsr_type_class(type);
    tsr_comparison c = {.whole = class == 'I' || class == 'U', .n = n};
    c.tolerance = c.whole ? 0 : type == TSR_F64 || type == TSR_C128 ? 1e-10 : 1e-4;
    const size_t nbits = 8 * tsr_type_nbytes(type);
    const uint64_t mask = c.whole && nbits < 64 ? (UINT64_C(1) << nbits) - 1 : UINT64_MAX;
    for (uint64_t i = 0; i < n; i++) {
        if (c.whole) {
            c.ndifferent += ((mine[i].i ^ other[i].i) & mask) != 0;
            continue;
        }
        const double size = fmax(fabs(other[i].re), fabs(other[i].im));
        c.largest = isfinite(size) ? fmax(c.largest, size) : c.largest;
        c.difference =
            fmax(c.difference, fmax(distance(mine[i].re, other[i].re), distance(mine[i].im, other[i].im)));
    }
    c.same = c.whole ? c.ndifferent == 0 : c.difference <= c.tolerance * fmax(c.largest, DBL_MIN);
    return c;
}

/* The values of a tensor as they are stored, as cells. */
static tsr_status stored_values(cell **out, const tsr_tensor *tensor, tsr_error *err)
{
    void *block;
    TSR_TRY(tsr_alloc_array(&block, tensor->values.n, sizeof **out, 1, "values to compare", err));
    *out = block;
    for (uint64_t i = 0; i < tensor->values.n; i++)
        (*out)[i] = value_at(&tensor->values, i, tensor->type);
    return TSR_OK;
}

tsr_status tsr_compare_values(tsr_comparison *out, const tsr_tensor *computed, const tsr_tensor *right,
                              tsr_error *err)
{
    cell *mine = NULL, *other = NULL;
    tsr_status status = TSR_OK;
    *out = (tsr_comparison){0};
    if (computed->values.n != right->values.n || computed->type != right->type)
        return tsr_fail(err, TSR_ARGUMENT, "results of %llu and %llu values, %s and %s, cannot be compared",
                        (unsigned long long)computed->values.n, (unsigned long long)right->values.n,
                        tsr_type_name(computed->type), tsr_type_name(right->type));
    TSR_TRY_OUT(stored_values(&mine, computed, err));
    TSR_TRY_OUT(stored_values(&other, right, err));
    *out = compare(mine, other, computed->values.n, computed->type);
out:
    tsr_free(mine);
    tsr_free(other);
    return status;
}

tsr_status tsr_oracle_compare(tsr_comparison *out, bool *fits, const tsr_oracle_case *c,
                              const tsr_tensor *computed, tsr_error *err)
{
    const char class = tsr_type_class(computed->type);
    oracle o = {.c = c, .is_integer = class == 'I' || class == 'U', .is_unsigned = class == 'U'};
    void *mine = NULL;
    uint64_t n = 0;
    uint32_t sparse = 0;
    tsr_terms *terms = NULL;
    tsr_status status = TSR_OK;
    *out = (tsr_comparison){0};
    TSR_TRY_OUT(spell_out(fits, &o, &sparse, computed, err));
    if (*fits)
        TSR_TRY_OUT(tsr_notation_terms(&terms, c->notation, sparse, err));
    for (int i = 0; *fits && i < terms->nterms; i++)
        *fits = add_term(&o, &terms->term[i]);
    TSR_TRY_OUT(tsr_interrupt_check(err));
    if (*fits) {
        (void)count_cells(&n, computed->order, computed->dims);
        TSR_TRY_OUT(tsr_alloc_array(&mine, n, sizeof(cell), 1, "cells to compare", err));
        TSR_TRY_OUT(write_out(mine, NULL, n, computed, c->nthreads, err));
        *out = compare(mine, o.cells[0], n, computed->type);
    }
out:
    tsr_free(mine);
    tsr_terms_free(terms);
    for (int i = 0; i < TSR_NOTATION_MAX_TENSORS; i++) {
        tsr_free(o.cells[i]);
        tsr_free(o.present[i]);
    }
    return status;
}
