/* The oracle of --check: the expression evaluated as it is written, cell by cell, over the box of all
 * variables. Slow and plain. An entry that a sparse operand does not store is absent: it is not multiplied
 * (tsr_lower.h, "Zeros"). */
#include <string.h>

#include "tkern.h"
#include "tsr_checked.h"
#include "tsr_interrupt.h"
#include "tsr_pack.h"

enum { MAX_CELLS = 1 << 24, MAX_POINTS = 1 << 24 };

typedef tsr_tkern_cell cell;

/* The operands written out in full. */
typedef struct oracle {
    const tsr_tkern *t;
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

/* Entry e of a coo. */
static cell get_entry(const tsr_coo *coo, uint64_t e)
{
    const uint64_t i = coo->iso ? 0 : e;
    const unsigned char *const at = (const unsigned char *)coo->values.data + i * coo->values.width;
    cell c = {0};
    if (coo->type == TSR_PATTERN)
        return (cell){1, 0, 1};
    double v[2] = {0};
    uint64_t whole[1] = {0};
    const tsr_type wide = tsr_type_class(coo->type) == 'U' ? TSR_U64 : TSR_I64;
    if (tsr_values_convert(v, TSR_C128, at, coo->type, 1, NULL) == TSR_OK)
        c = (cell){v[0], v[1], 0};
    if (strchr("UI", tsr_type_class(coo->type)) &&
        tsr_values_convert(whole, wide, at, coo->type, 1, NULL) == TSR_OK)
        c.i = whole[0];
    return c;
}

tsr_status tsr_tkern_cells(tsr_tkern_cell *cells, bool *present, uint64_t ncells, const tsr_tensor *tensor,
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
        const cell c = get_entry(coo, e);
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

/* The value of e at the point; *absent: a sparse operand has no entry there. */
static cell evaluate(bool *absent, const oracle *o, const tsr_expr *e)
{
    switch (e->kind) {
    case TSR_EXPR_NUMBER:
        return get_number(o, e->number);
    case TSR_EXPR_ACCESS: {
        uint64_t at = 0;
        for (int m = 0; m < e->nindices; m++)
            at = at * o->t->tensor[e->tensor].dims[m] + o->at[e->index[m]];
        *absent = *absent || (o->present[e->tensor] && !o->present[e->tensor][at]);
        return o->cells[e->tensor][at];
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
    const tsr_expr *const result = o->t->notation->result;
    bool absent = false;
    cell product = {1, 0, 1};
    for (int f = 0; f < term->nfactors; f++) {
        const cell v = evaluate(&absent, o, term->factor[f].expr);
        product = term->factor[f].inverse ? divide(o, product, v) : f == 0 ? v : multiply(product, v);
    }
    if (absent)
        return;
    uint64_t at = 0;
    for (int m = 0; m < result->nindices; m++)
        at = at * o->t->tensor[0].dims[m] + o->at[result->index[m]];
    o->cells[0][at] = add(o->cells[0][at], term->negative ? negate(product) : product);
}

/* Walk all points of a term: its variables and those of the result. False: there are too many. */
static bool add_term(oracle *o, const tsr_term *term)
{
    const tsr_notation *const notation = o->t->notation;
    const uint32_t vars = term->vars | ((UINT32_C(1) << notation->nfree) - 1);
    uint64_t npoints = 1;
    for (int v = 0; v < notation->nvars; v++)
        if ((vars >> v & 1) && !tsr_mul_u64(&npoints, npoints, o->t->size[v]))
            return false;
    if (npoints > MAX_POINTS)
        return false;
    for (uint64_t p = 0; p < npoints && !tsr_interrupted(); p++) {
        uint64_t rest = p;
        for (int v = 0; v < notation->nvars; v++) {
            o->at[v] = vars >> v & 1 ? rest % o->t->size[v] : 0;
            rest /= vars >> v & 1 ? o->t->size[v] : 1;
        }
        add_point(o, term);
    }
    return true;
}

/* Write out all tensors in full. *fits: none of them is too large. */
static tsr_status spell_out(bool *fits, oracle *o, uint32_t *sparse, tsr_error *err)
{
    const tsr_tkern *const t = o->t;
    *fits = true;
    for (int i = 0; i < t->notation->ntensors; i++) {
        const tsr_tensor *const tensor = i > 0 ? t->operands[i - 1] : t->before;
        const bool is_sparse = i > 0 && !tsr_format_is_dense(tensor->format);
        uint64_t n;
        if (!count_cells(&n, t->tensor[i].order, t->tensor[i].dims)) {
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
            TSR_TRY(tsr_tkern_cells(o->cells[i], o->present[i], n, tensor, t->s->common.nthreads, err));
    }
    return TSR_OK;
}

tsr_status tsr_tkern_oracle(tsr_tkern_cell **cells, uint64_t *ncells, const tsr_tkern *t, tsr_error *err)
{
    const char class = tsr_type_class(t->result->type);
    oracle o = {.t = t, .is_integer = class == 'I' || class == 'U', .is_unsigned = class == 'U'};
    uint32_t sparse = 0;
    bool fits = false;
    tsr_terms *terms = NULL;
    *cells = NULL;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(spell_out(&fits, &o, &sparse, err));
    if (fits)
        TSR_TRY_OUT(tsr_notation_terms(&terms, t->notation, sparse, err));
    for (int i = 0; fits && i < terms->nterms; i++)
        fits = add_term(&o, &terms->term[i]);
    TSR_TRY_OUT(tsr_interrupt_check(err));
    if (fits) {
        *cells = o.cells[0];
        o.cells[0] = NULL;
        (void)count_cells(ncells, t->tensor[0].order, t->tensor[0].dims);
    }
out:
    tsr_terms_free(terms);
    for (int i = 0; i < TSR_NOTATION_MAX_TENSORS; i++) {
        tsr_free(o.cells[i]);
        tsr_free(o.present[i]);
    }
    return status;
}
