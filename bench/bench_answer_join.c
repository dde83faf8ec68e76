/* A nest of loops over entries: those of the first factor, for each of them the entries of the second that agree with it,
 * and so on. The entries of a factor are found by an index: sorted by the coordinates that are known by then. See
 * bench_answer_join.h. */
#include "bench_answer_join.h"

#include <stdlib.h>
#include <string.h>

#include "tsr_alloc.h"

/* An entry, and the coordinates by which it is found, except the first of them, as one number. */
typedef struct indexed {
    uint64_t key, n;
} indexed;

typedef struct factor {
    const tsr_coo *coo; /* NULL: a number */
    const tsr_expr *access;
    double number;
    bool inverse;
    int nknown, known[TSR_NOTATION_MAX_ORDER]; /* modes whose variables factors before have */
    indexed *entry;                            /* nnz, by known[0], then by key; NULL: nothing is known */
    uint64_t *start;                           /* dims[known[0]] + 1: where its coordinates begin */
} factor;

typedef struct join {
    const bench_join_sink *sink;
    const bench_case *c;
    double sign;
    int n;
    factor factor[TSR_NOTATION_MAX_FACTORS];
} join;

static double value_of(const tsr_coo *coo, uint64_t n)
{
    n = coo->iso ? 0 : n;
    return coo->type == TSR_F32 ? (double)((const float *)coo->values.data)[n]
                                : ((const double *)coo->values.data)[n];
}

static int by_key(const void *x, const void *y)
{
    const uint64_t a = ((const indexed *)x)->key, b = ((const indexed *)y)->key;
    return a < b ? -1 : a > b;
}

/* The key of an entry, or of coordinates of variables where n is none. */
static uint64_t key_of(const factor *f, uint64_t n, const uint64_t *at)
{
    uint64_t key = 0;
    for (int k = 1; k < f->nknown; k++) {
        const int m = f->known[k];
        key = key * f->coo->dims[m] + (at ? at[f->access->index[m]] : tsr_array_get(&f->coo->crd[m], n));
    }
    return key;
}

static tsr_status make_index(factor *f, tsr_error *err)
{
    const tsr_coo *const coo = f->coo;
    const tsr_array *const first = &coo->crd[f->known[0]];
    const uint64_t dim = coo->dims[f->known[0]];
    void *block;
    TSR_TRY(tsr_alloc_array(&block, coo->nnz, sizeof *f->entry, 0, "an answer", err));
    f->entry = block;
    TSR_TRY(tsr_alloc_array(&block, dim + 2, sizeof *f->start, 1, "an answer", err));
    f->start = block;
    for (uint64_t n = 0; n < coo->nnz; n++)
        f->start[tsr_array_get(first, n) + 2]++;
    for (uint64_t i = 2; i < dim + 2; i++)
        f->start[i] += f->start[i - 1];
    for (uint64_t n = 0; n < coo->nnz; n++)
        f->entry[f->start[tsr_array_get(first, n) + 1]++] = (indexed){key_of(f, n, NULL), n};
    for (uint64_t i = 0; i < dim && f->nknown > 1; i++)
        qsort(f->entry + f->start[i], (size_t)(f->start[i + 1] - f->start[i]), sizeof *f->entry, by_key);
    return TSR_OK;
}

static tsr_status make_factor(factor *f, uint32_t *known, const bench_case *c, const tsr_factor *from,
                              tsr_error *err)
{
    const tsr_expr *const e = from->expr;
    *f = (factor){.access = e, .number = e->number, .inverse = from->inverse};
    if (e->kind == TSR_EXPR_NUMBER)
        return TSR_OK;
    if (e->kind != TSR_EXPR_ACCESS || !c->entries[e->tensor])
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "where sparse operands meet, answers are checked for products of them and of numbers");
    f->coo = c->entries[e->tensor];
    for (int m = 0; m < e->nindices; m++) {
        for (int k = 0; k < m; k++)
            if (e->index[k] == e->index[m])
                return tsr_fail(err, TSR_UNSUPPORTED,
                                "answers of diagonals are not checked where operands meet");
        if (*known >> e->index[m] & 1)
            f->known[f->nknown++] = m;
    }
    *known |= e->vars;
    return f->nknown > 0 ? make_index(f, err) : TSR_OK;
}

static void go_on(const join *j, int k, double value, uint64_t *at);

static void take_entry(const join *j, int k, double value, uint64_t *at, uint64_t n)
{
    const factor *const f = &j->factor[k];
    const double x = value_of(f->coo, n);
    for (int m = 0; m < f->coo->order; m++)
        at[f->access->index[m]] = tsr_array_get(&f->coo->crd[m], n);
    go_on(j, k + 1, f->inverse ? value / x : value * x, at);
}

static void take_indexed(const join *j, int k, double value, uint64_t *at)
{
    const factor *const f = &j->factor[k];
    const uint64_t row = at[f->access->index[f->known[0]]], key = key_of(f, 0, at);
    uint64_t lo = f->start[row], hi = f->start[row + 1];
    const uint64_t end = hi;
    while (lo < hi) {
        const uint64_t middle = lo + (hi - lo) / 2;
        if (f->entry[middle].key < key)
            lo = middle + 1;
        else
            hi = middle;
    }
    for (; lo < end && f->entry[lo].key == key; lo++)
        take_entry(j, k, value, at, f->entry[lo].n);
}

/* The factors from number k on. */
static void go_on(const join *j, int k, double value, uint64_t *at)
{
    const factor *const f = &j->factor[k];
    if (k == j->n) {
        const tsr_expr *const result = j->c->notation->result;
        uint64_t cell = 0;
        for (int m = 0; m < result->nindices; m++)
            cell = cell * j->c->result_dims[m] + at[result->index[m]];
        j->sink->add(j->sink->arg, cell, value);
    } else if (!f->coo) {
        go_on(j, k + 1, f->inverse ? value / f->number : value * f->number, at);
    } else if (f->entry) {
        take_indexed(j, k, value, at);
    } else {
        for (uint64_t n = 0; n < f->coo->nnz; n++)
            take_entry(j, k, value, at, n);
    }
}

tsr_status bench_join(const bench_join_sink *sink, const bench_case *c, const tsr_term *term, tsr_error *err)
{
    uint64_t at[TSR_NOTATION_MAX_VARS] = {0};
    uint32_t known = 0;
    void *block;
    tsr_status status = TSR_OK;
    TSR_TRY(tsr_alloc_array(&block, 1, sizeof(join), 1, "an answer", err));
    join *const j = block;
    *j = (join){.sink = sink, .c = c, .sign = term->negative ? -1 : 1};
    for (; j->n < term->nfactors && status == TSR_OK; j->n++)
        status = make_factor(&j->factor[j->n], &known, c, &term->factor[j->n], err);
    if (status == TSR_OK && c->notation->result->vars & ~known)
        status = tsr_fail(err, TSR_UNSUPPORTED,
                          "answers are checked where the sparse operands have all variables");
    if (status == TSR_OK)
        go_on(j, 0, j->sign, at);
    for (int k = 0; k < j->n; k++) {
        tsr_free(j->factor[k].entry);
        tsr_free(j->factor[k].start);
    }
    tsr_free(j);
    return status;
}
