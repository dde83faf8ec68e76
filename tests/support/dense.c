/* The oracle of kernels: see dense.h. */
#include "dense.h"

#include <inttypes.h>
#include <math.h>

#include "tsr_test.h"

static void *allocate(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    assert_non_null(p);
    return p;
}

/* ---- written out ---- */

void dense_init(dense *d, int order, const uint64_t *dims)
{
    *d = (dense){.order = order, .n = 1};
    for (int m = 0; m < order; m++)
        d->n *= d->dims[m] = dims[m];
    d->v = allocate(d->n, sizeof *d->v);
    d->stored = allocate(d->n, sizeof *d->stored);
}

void dense_clear(dense *d)
{
    free(d->v);
    free(d->stored);
    *d = (dense){0};
}

void dense_copy(dense *copy, const dense *d)
{
    dense_init(copy, d->order, d->dims);
    memcpy(copy->v, d->v, d->n * sizeof *d->v);
    memcpy(copy->stored, d->stored, d->n * sizeof *d->stored);
}

uint64_t dense_offset(const dense *d, const uint64_t *at)
{
    uint64_t offset = 0;
    for (int m = 0; m < d->order; m++)
        offset = offset * d->dims[m] + at[m];
    return offset;
}

void dense_from_tensor(dense *d, const tsr_tensor *tensor)
{
    tsr_coo *coo;
    assert_ok(tsr_unpack(&coo, tensor, 1, err));
    assert_ok(tsr_coo_retype(coo, TSR_C128, err));
    dense_init(d, tensor->order, tensor->dims);
    const bool all = tsr_format_is_dense(tensor->format),
               dense_leaf = tsr_format_has_dense_leaf(tensor->format);
    for (uint64_t e = 0; e < coo->nnz; e++) {
        uint64_t at[TSR_MAX_ORDER];
        for (int m = 0; m < d->order; m++)
            at[m] = tsr_array_get(&coo->crd[m], e);
        const double complex v = ((const double complex *)coo->values.data)[coo->iso ? 0 : e];
        const uint64_t offset = dense_offset(d, at);
        d->v[offset] += v;
        d->stored[offset] = !dense_leaf || v != 0;
    }
    for (uint64_t k = 0; all && k < d->n; k++)
        d->stored[k] = true;
    tsr_coo_free(coo);
}

/* Whether cell k is packed: in a pattern all entries are 1, and a 0 is none. */
static bool is_entry(const dense *d, uint64_t k, tsr_type type)
{
    return d->stored[k] && (type != TSR_PATTERN || d->v[k] != 0);
}

/* Write entry number e of a coo: the coordinates of cell k, and v. */
static void set_entry(tsr_coo *coo, uint64_t e, const dense *d, uint64_t k, double complex v)
{
    for (int m = d->order - 1; m >= 0; k /= d->dims[m--])
        tsr_array_set(&coo->crd[m], e, k % d->dims[m]);
    ((double complex *)coo->values.data)[e] = v;
}

void dense_pack(tsr_tensor **out, const dense *d, const char *format_text, tsr_type type,
                const tsr_pack_options *options)
{
    const bool twice = options && options->duplicates == TSR_DUP_KEEP;
    uint64_t nnz = 0, n = 0;
    for (uint64_t k = 0; k < d->n; k++)
        nnz += !is_entry(d, k, type) ? 0 : twice && k % 3 == 0 ? 2 : 1;
    tsr_coo *coo;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){d->order, d->dims}, TSR_C128, false, nnz, err));
    for (uint64_t k = 0; k < d->n; k++) {
        if (!is_entry(d, k, type))
            continue;
        const bool split = twice && k % 3 == 0;
        set_entry(coo, n++, d, k, split ? d->v[k] - 1 : d->v[k]);
        if (split)
            set_entry(coo, n++, d, k, 1);
    }
    tsr_format *format;
    assert_ok(tsr_coo_retype(coo, type, err));
    assert_ok(tsr_format_parse(&format, format_text, d->order, d->dims, err));
    assert_ok(tsr_pack(out, coo, format, options, NULL, err));
    tsr_format_free(format);
}

/* ---- arithmetic: complex, but real numbers never meet C's rules for complex infinities ---- */

static bool both_real(double complex a, double complex b)
{
    return cimag(a) == 0 && cimag(b) == 0;
}

static double complex times(double complex a, double complex b)
{
    return both_real(a, b) ? creal(a) * creal(b) : a * b;
}

static double complex over(double complex a, double complex b)
{
    return both_real(a, b) ? creal(a) / creal(b) : a / b;
}

static double magnitude_of(double complex a)
{
    return cimag(a) == 0 ? fabs(creal(a)) : cabs(a);
}

/* ---- the oracle ---- */

typedef struct point {
    const tsr_notation *notation;
    const dense *const *operands;
    uint64_t at[TSR_NOTATION_MAX_VARS]; /* the value of each variable */
} point;

/* The place of an access in its tensor at this point. */
static uint64_t access_offset(const point *p, const tsr_expr *access, const dense *d)
{
    uint64_t at[TSR_MAX_ORDER];
    for (int k = 0; k < access->nindices; k++)
        at[k] = p->at[access->index[k]];
    return dense_offset(d, at);
}

/* The value of an expression at one point; 0 where it is absent. */
static double complex value_at(bool *stored, const point *p, const tsr_expr *e)
{
    bool a_stored = false, b_stored = false;
    const double complex a = e->a ? value_at(&a_stored, p, e->a) : 0,
                         b = e->b ? value_at(&b_stored, p, e->b) : 0;
    switch (e->kind) {
    case TSR_EXPR_NUMBER:
        *stored = true;
        return e->number;
    case TSR_EXPR_ACCESS: {
        const dense *d = p->operands[e->tensor];
        const uint64_t offset = access_offset(p, e, d);
        *stored = d->stored[offset] == (e->mask != TSR_MASK_ABSENT);
        return e->mask == TSR_MASK_NONE ? d->v[offset] : 1;
    }
    case TSR_EXPR_VAR:
        *stored = true;
        return (double)p->at[e->index[0]];
    case TSR_EXPR_BAND: {
        const int64_t offset = (int64_t)p->at[e->index[1]] - (int64_t)p->at[e->index[0]];
        *stored = e->low <= offset && offset <= e->high;
        return *stored;
    }
    case TSR_EXPR_CALL: {
        const tsr_expr *const arg[] = {e->a, e->b};
        const bool has[] = {a_stored, b_stored};
        bool any = false, all = true;
        double nothing[] = {creal(a), creal(b)};
        for (int k = 0; k < e->function->nargs; k++)
            if (arg[k]->tensors || arg[k]->vars) { /* not a number */
                any = any || has[k];
                all = all && (has[k] || !(e->function->needs >> k & 1));
                nothing[k] = 0;
            }
        *stored = (e->function->needs ? all : any) || e->function->value(nothing[0], nothing[1]) != 0;
        return *stored ? e->function->value(a_stored ? creal(a) : 0, b_stored ? creal(b) : 0) : 0;
    }
    case TSR_EXPR_ADD:
    case TSR_EXPR_SUB:
        *stored = a_stored || b_stored;
        return e->kind == TSR_EXPR_ADD ? a + b : a - b;
    case TSR_EXPR_MUL:
        *stored = a_stored && b_stored;
        return *stored ? times(a, b) : 0;
    case TSR_EXPR_DIV:
        *stored = a_stored;
        return *stored ? over(a, b) : 0;
    default:
        *stored = a_stored;
        return -a;
    }
}

/* A product without sums, but for divisors. */
typedef struct monomial {
    bool negative;
    int n;
    const tsr_expr *factor[TSR_NOTATION_MAX_FACTORS];
    bool inverse[TSR_NOTATION_MAX_FACTORS];
    uint32_t vars;
} monomial;

static monomial *expand(int *n, const tsr_expr *e, bool inverse);

/* Every monomial of `left` times every one of `right`. */
static monomial *multiply(int *n, const monomial *left, int nleft, const monomial *right, int nright)
{
    monomial *out = allocate((size_t)nleft * (size_t)nright, sizeof *out);
    *n = 0;
    for (int i = 0; i < nleft; i++)
        for (int k = 0; k < nright; k++) {
            monomial *m = &out[(*n)++];
            *m = left[i];
            m->negative ^= right[k].negative;
            m->vars |= right[k].vars;
            for (int f = 0; f < right[k].n; f++, m->n++) {
                assert_true(m->n < TSR_NOTATION_MAX_FACTORS);
                m->factor[m->n] = right[k].factor[f];
                m->inverse[m->n] = right[k].inverse[f];
            }
        }
    return out;
}

/* The monomials of a sum: those of `left`, then those of `right`. */
static monomial *append(int *n, const monomial *left, int nleft, const monomial *right, int nright,
                        bool negate)
{
    monomial *out = allocate((size_t)nleft + (size_t)nright, sizeof *out);
    *n = nleft + nright;
    memcpy(out, left, (size_t)nleft * sizeof *out);
    memcpy(out + nleft, right, (size_t)nright * sizeof *out);
    for (int k = nleft; k < *n; k++)
        out[k].negative ^= negate;
    return out;
}

/* The expression multiplied out: *n monomials, for free(). */
static monomial *expand(int *n, const tsr_expr *e, bool inverse)
{
    const bool sum = e->kind == TSR_EXPR_ADD || e->kind == TSR_EXPR_SUB;
    if (e->kind == TSR_EXPR_NEG) {
        monomial *out = expand(n, e->a, inverse);
        for (int k = 0; k < *n; k++)
            out[k].negative ^= true;
        return out;
    }
    if (!e->a || e->kind == TSR_EXPR_CALL || (sum && inverse)) {
        monomial *out = allocate(1, sizeof *out);
        *n = 1;
        *out = (monomial){.n = 1, .factor = {e}, .inverse = {inverse}, .vars = e->vars};
        return out;
    }
    int nleft, nright;
    monomial *left = expand(&nleft, e->a, inverse);
    monomial *right = expand(&nright, e->b, inverse != (e->kind == TSR_EXPR_DIV));
    monomial *out = sum ? append(n, left, nleft, right, nright, e->kind == TSR_EXPR_SUB)
                        : multiply(n, left, nleft, right, nright);
    free(left);
    free(right);
    return out;
}

/* The product at one point; *stored: no factor of it is absent. */
static double complex product_at(bool *stored, const point *p, const monomial *m)
{
    double complex product = m->negative ? -1 : 1;
    *stored = true;
    for (int f = 0; f < m->n; f++) {
        bool present;
        const double complex v = value_at(&present, p, m->factor[f]);
        if (!present && !m->inverse[f])
            *stored = false;
        product = m->inverse[f] ? over(product, v) : times(product, v);
    }
    return *stored ? product : 0;
}

/* The sizes of the variables, from the dims of all tensors. */
static void sizes_of(uint64_t *size, const point *p, const dense *result)
{
    const uint64_t *dims[TSR_NOTATION_MAX_TENSORS] = {result->dims};
    for (int t = 1; t < p->notation->ntensors; t++)
        dims[t] = p->operands[t]->dims;
    assert_ok(tsr_notation_sizes(size, p->notation, dims, NULL, err));
}

/* Move to the next value of the variables of the set, the first one fastest; false behind the last. */
static bool next_point(point *p, const uint64_t *size, uint32_t vars)
{
    for (int v = 0; v < p->notation->nvars; v++)
        if (vars >> v & 1) {
            if (++p->at[v] < size[v])
                return true;
            p->at[v] = 0;
        }
    return false;
}

static bool has_points(const tsr_notation *notation, const uint64_t *size, uint32_t vars)
{
    for (int v = 0; v < notation->nvars; v++)
        if ((vars >> v & 1) && size[v] == 0)
            return false;
    return true;
}

void dense_evaluate(dense *result, double *magnitude, const tsr_notation *notation,
                    const dense *const *operands)
{
    point p = {.notation = notation, .operands = operands};
    uint64_t size[TSR_NOTATION_MAX_VARS];
    sizes_of(size, &p, result);
    for (uint64_t k = 0; k < result->n; k++) {
        if (!notation->accumulate)
            result->v[k] = 0;
        result->stored[k] = notation->accumulate && result->stored[k];
        if (magnitude)
            magnitude[k] = magnitude_of(result->v[k]);
    }
    int n;
    monomial *m = expand(&n, notation->rhs, false);
    for (int k = 0; k < n; k++) {
        const uint32_t vars = m[k].vars | notation->result->vars;
        for (bool more = has_points(notation, size, vars); more; more = next_point(&p, size, vars)) {
            bool stored;
            const double complex v = product_at(&stored, &p, &m[k]);
            const uint64_t offset = access_offset(&p, notation->result, result);
            if (!stored)
                continue;
            result->v[offset] += v;
            result->stored[offset] = true;
            if (magnitude)
                magnitude[offset] += magnitude_of(v);
        }
    }
    free(m);
}

/* ---- comparing ---- */

static bool parts_agree(double got, double want, double bound)
{
    if (isnan(want) || isinf(want))
        return isnan(want) ? isnan(got) : got == want;
    return fabs(got - want) <= bound;
}

void dense_compare(const dense *got, const dense *want, const double *magnitude, double tolerance,
                   const char *what)
{
    assert_int_equal(got->order, want->order);
    for (int m = 0; m < want->order; m++)
        assert_int_equal(got->dims[m], want->dims[m]);
    for (uint64_t k = 0; k < want->n; k++) {
        const double bound = magnitude && isfinite(magnitude[k]) ? tolerance * magnitude[k] : 0;
        if (!parts_agree(creal(got->v[k]), creal(want->v[k]), bound) ||
            !parts_agree(cimag(got->v[k]), cimag(want->v[k]), bound))
            fail_msg("%s: entry %" PRIu64 " (of %" PRIu64 ", row by row) is %.17g%+.17gi, not %.17g%+.17gi",
                     what, k, want->n, creal(got->v[k]), cimag(got->v[k]), creal(want->v[k]),
                     cimag(want->v[k]));
    }
}
