/* Computes the right answer of a case from its entries alone: see bench_case.h. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bench_case.h"
#include "bench_random.h"

#include "bench_answer_join.h"
#include "bench_formats.h"
#include "tsr_alloc.h"
#include "tsr_pack.h"

enum { MAX_GROUPS = 1 << 20, MAX_DENSE_POINTS = 1 << 30 };

struct bench_answer {
    const bench_case *c;
    bool exact;       /* each group is one cell */
    uint64_t ngroups; /* number of groups, a power of two unless exact */
    double *sum;      /* ngroups sums of weighted cells */
    double *scale;    /* ngroups weighted sums of absolute values, for the tolerance */
};

/* The group of a cell, given by its number modulo 2^64, and its weight. */
static uint64_t group_of(double *weight, const bench_answer *a, uint64_t cell)
{
    if (a->exact) {
        *weight = 1;
        return cell;
    }
    const uint64_t bits = bench_mix(cell);
    *weight = 1 + (double)(bits >> 40) * 0x1p-24;
    return bits & (a->ngroups - 1);
}

static double value_at(const void *values, tsr_type type, uint64_t i)
{
    return type == TSR_F32 ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

/* The value of entry n. */
static double entry_at(const tsr_coo *coo, uint64_t n)
{
    return value_at(coo->values.data, coo->type, coo->iso ? 0 : n);
}

static uint64_t cell_of(const tsr_coo *coo, uint64_t n)
{
    uint64_t cell = 0;
    for (int m = 0; m < coo->order; m++)
        cell = cell * coo->dims[m] + tsr_array_get(&coo->crd[m], n);
    return cell;
}

/* ---- one term ---- */

/* A factor: its values, and the step in them for each index variable. */
typedef struct walk_factor {
    const void *values; /* NULL: the factor is a number */
    bool inverse;
    double number;
    uint64_t step[TSR_NOTATION_MAX_VARS];
} walk_factor;

typedef struct walk {
    const bench_answer *a;
    bool has_entries; /* the sparse operand is a factor */
    double sign;
    int nfactors;
    walk_factor factor[TSR_NOTATION_MAX_FACTORS];
    uint64_t cell_step[TSR_NOTATION_MAX_VARS]; /* step in the cells of the result */
    int ndense; /* the variables that entries do not set: those of the result and those that are summed */
    int dense[TSR_NOTATION_MAX_VARS];
} walk;

/* Add a factor that is an access of a dense operand, or a number. */
static tsr_status add_factor(walk *w, const tsr_factor *from, tsr_error *err)
{
    const bench_case *const c = w->a->c;
    walk_factor *const f = &w->factor[w->nfactors];
    *f = (walk_factor){.inverse = from->inverse, .number = from->expr->number};
    w->nfactors++;
    if (from->expr->kind == TSR_EXPR_NUMBER)
        return TSR_OK;
    if (from->expr->kind != TSR_EXPR_ACCESS)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "this expression has a sum inside a product, whose answer cannot be checked: write a "
                        "sum of products");
    f->values = c->operand[from->expr->tensor]->values.data;
    uint64_t step = 1;
    for (int m = from->expr->nindices - 1; m >= 0; m--) {
        f->step[from->expr->index[m]] += step;
        step *= c->size[from->expr->index[m]];
    }
    return TSR_OK;
}

static tsr_status walk_init(walk *w, const bench_answer *a, const tsr_term *term, tsr_error *err)
{
    const bench_case *const c = a->c;
    const tsr_expr *const result = c->notation->result;
    uint32_t vars = term->vars | result->vars;
    *w = (walk){.a = a, .sign = term->negative ? -1 : 1};
    for (int i = 0; i < term->nfactors; i++) {
        const tsr_expr *const e = term->factor[i].expr;
        if (e->kind != TSR_EXPR_ACCESS || e->tensor != c->sparse) {
            TSR_TRY(add_factor(w, &term->factor[i], err));
            continue;
        }
        if (w->has_entries ||
            memcmp(e->index, tsr_notation_access(c->notation, c->sparse)->index, sizeof e->index) != 0)
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "the answer cannot be checked: %s must occur once in each term, always with the same indices",
                c->notation->tensor[c->sparse].name);
        w->has_entries = true;
        vars &= ~e->vars;
    }
    uint64_t step = 1;
    for (int m = result->nindices - 1; m >= 0; m--) {
        w->cell_step[result->index[m]] += step;
        step *= c->result_dims[m];
    }
    double npoints = 1;
    for (int v = 0; v < c->notation->nvars; v++)
        if (vars >> v & 1) {
            w->dense[w->ndense++] = v;
            npoints *= (double)c->size[v];
        }
    if (npoints * (w->has_entries ? (double)c->coo->nnz : 1) > 64.0 * MAX_DENSE_POINTS)
        return tsr_fail(
            err, TSR_LIMIT,
            "checking the answer would take %.3g steps, which is too many: use a smaller tensor or rank",
            npoints);
    return TSR_OK;
}

/* Add value * factors over all values of the dense variables; where[]: offsets in the factors' values that
 * the entry determines. */
static void add_points(const walk *w, double value, uint64_t cell, const uint64_t *where)
{
    const bench_answer *const a = w->a;
    const bench_case *const c = a->c;
    uint64_t at[TSR_NOTATION_MAX_VARS] = {0}, offset[TSR_NOTATION_MAX_FACTORS];
    memcpy(offset, where, (size_t)w->nfactors * sizeof *offset);
    for (;;) {
        double product = value, weight;
        for (int f = 0; f < w->nfactors; f++) {
            const walk_factor *const factor = &w->factor[f];
            const double x = factor->values ? value_at(factor->values, c->type, offset[f]) : factor->number;
            product = factor->inverse ? product / x : product * x;
        }
        const uint64_t group = group_of(&weight, a, cell);
        a->sum[group] += weight * product;
        a->scale[group] += weight * fabs(product);
        int d = w->ndense - 1;
        for (; d >= 0; d--) {
            const int v = w->dense[d];
            const bool wraps = ++at[v] == c->size[v];
            const uint64_t times = wraps ? c->size[v] - 1 : 1;
            cell = wraps ? cell - times * w->cell_step[v] : cell + w->cell_step[v];
            for (int f = 0; f < w->nfactors; f++)
                offset[f] =
                    wraps ? offset[f] - times * w->factor[f].step[v] : offset[f] + w->factor[f].step[v];
            if (!wraps)
                break;
            at[v] = 0;
        }
        if (d < 0)
            return;
    }
}

static void add_entries(const walk *w)
{
    const bench_case *const c = w->a->c;
    const tsr_coo *const coo = c->coo;
    const tsr_expr *const access = tsr_notation_access(c->notation, c->sparse);
    for (uint64_t n = 0; n < coo->nnz; n++) {
        uint64_t cell = 0, offset[TSR_NOTATION_MAX_FACTORS] = {0}, idx[TSR_NOTATION_MAX_VARS] = {0};
        bool on_diagonal = true;
        uint32_t set = 0;
        for (int m = 0; m < coo->order; m++) {
            const int v = access->index[m];
            const uint64_t i = tsr_array_get(&coo->crd[m], n);
            on_diagonal &= !(set >> v & 1) || idx[v] == i;
            if (set >> v & 1)
                continue;
            set |= UINT32_C(1) << v;
            idx[v] = i;
            cell += i * w->cell_step[v];
            for (int f = 0; f < w->nfactors; f++)
                offset[f] += i * w->factor[f].step[v];
        }
        if (on_diagonal)
            add_points(w, w->sign * entry_at(coo, n), cell, offset);
    }
}

static void add_cell(void *arg, uint64_t cell, double value)
{
    bench_answer *const a = arg;
    double weight;
    const uint64_t group = group_of(&weight, a, cell);
    a->sum[group] += weight * value;
    a->scale[group] += weight * fabs(value);
}

static tsr_status add_terms(bench_answer *a, tsr_error *err)
{
    static const uint64_t nowhere[TSR_NOTATION_MAX_FACTORS] = {0};
    const bench_case *const c = a->c;
    tsr_terms *terms;
    tsr_status status = TSR_OK;
    void *block;
    TSR_TRY(tsr_alloc_array(&block, 1, sizeof(walk), 0, "an answer", err));
    walk *const w = block;
    uint32_t sparse = 0;
    for (int t = 1; t < c->notation->ntensors; t++)
        sparse |= (uint32_t)(c->entries[t] != NULL) << t;
    TSR_TRY_OUT(tsr_notation_terms(&terms, c->notation, sparse, err));
    for (int t = 0; t < terms->nterms && status == TSR_OK; t++) {
        if (c->joins) {
            const bench_join_sink sink = {add_cell, a};
            status = bench_join(&sink, c, &terms->term[t], err);
            continue;
        }
        status = walk_init(w, a, &terms->term[t], err);
        if (status == TSR_OK && w->has_entries)
            add_entries(w);
        else if (status == TSR_OK)
            add_points(w, w->sign, 0, nowhere);
    }
    tsr_terms_free(terms);
out:
    tsr_free(w);
    return status;
}

/* ---- statements that are no sums of products ---- */

/* What is interpreted: entries as lists, level by level. */
typedef struct loops {
    tsr_tensor *packed[TSR_NOTATION_MAX_TENSORS]; /* owned */
    const tsr_tensor *operands[TSR_NOTATION_MAX_TENSORS];
    tsr_format *result_format;
    tsr_kernel *kernel;
    tsr_tensor *result;
    tsr_coo *entries; /* of the result */
} loops;

static tsr_status pack_lists(tsr_tensor **out, const tsr_coo *coo, tsr_error *err)
{
    const tsr_pack_options how = {.nthreads = 1, .duplicates = TSR_DUP_SUM, .index_width = TSR_INDEX_AUTO};
    tsr_format *format;
    tsr_coo *copy;
    TSR_TRY(tsr_format_parse(&format, "csf", coo->order, coo->dims, err));
    tsr_status status = tsr_coo_copy(&copy, coo, err);
    if (status == TSR_OK)
        status = tsr_pack(out, copy, format, &how, NULL, err);
    tsr_format_free(format);
    return status;
}

static tsr_status interpret(loops *l, const bench_case *c, tsr_error *err)
{
    const tsr_kernel_options options = {.nthreads = 1,
                                        .schedule = c->notation->nstatements > 0 ? NULL : "plain",
                                        .engine = TSR_ENGINE_INTERPRETER};
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS];
    for (int t = 1; t < c->notation->ntensors; t++) {
        if (c->entries[t])
            TSR_TRY(pack_lists(&l->packed[t], c->entries[t], err));
        l->operands[t - 1] = l->packed[t] ? l->packed[t] : c->operand[t];
        tensors[t] = (tsr_kernel_tensor){.name = c->notation->tensor[t].name, .tensor = l->operands[t - 1]};
    }
    TSR_TRY(bench_result_format(&l->result_format, c, l->packed[c->sparse]->format, err));
    tensors[0] =
        (tsr_kernel_tensor){.name = c->notation->tensor[0].name, .format = l->result_format, .type = c->type};
    TSR_TRY(tsr_kernel_new(&l->kernel, c->text, tensors, c->notation->ntensors, &options, err));
    TSR_TRY(tsr_kernel_result(&l->result, l->kernel, l->operands, err));
    TSR_TRY(tsr_kernel_run(l->kernel, l->result, l->operands, 1, err));
    return tsr_unpack(&l->entries, l->result, 1, err);
}

/* The answer is what the interpreter computes by the plainest loops over lists, on one thread. Sums in another order may differ by what
 * rounding does to the largest value. */
static tsr_status add_interpreted(bench_answer *a, tsr_error *err)
{
    loops l = {0};
    double largest = 0, weight;
    const tsr_status status = interpret(&l, a->c, err);
    for (uint64_t n = 0; status == TSR_OK && n < l.entries->nnz; n++)
        largest = fmax(largest, fabs(entry_at(l.entries, n)));
    for (uint64_t n = 0; status == TSR_OK && n < l.entries->nnz; n++) {
        const uint64_t group = group_of(&weight, a, cell_of(l.entries, n));
        a->sum[group] += weight * entry_at(l.entries, n);
        a->scale[group] += weight * largest;
    }
    tsr_coo_free(l.entries);
    tsr_tensor_free(l.result);
    tsr_kernel_free(l.kernel);
    tsr_format_free(l.result_format);
    for (int t = 0; t < TSR_NOTATION_MAX_TENSORS; t++)
        tsr_tensor_free(l.packed[t]);
    return status;
}

static bool is_sum_of_products(const tsr_notation *notation)
{
    return notation->nstatements == 0 && !tsr_notation_has_ending(notation) && !notation->is_truth &&
           !notation->selection.gives_place && !notation->rhs->has_mask && !notation->rhs->has_step &&
           !notation->result->has_step;
}

static tsr_status find_answer(bench_answer *a, tsr_error *err)
{
    tsr_error why = {0};
    tsr_status status = TSR_UNSUPPORTED;
    if (is_sum_of_products(a->c->notation))
        status = add_terms(a, &why);
    if (status == TSR_OK)
        return status;
    if (status != TSR_UNSUPPORTED) {
        *err = why;
        return status;
    }
    memset(a->sum, 0, a->ngroups * sizeof *a->sum);
    memset(a->scale, 0, a->ngroups * sizeof *a->scale);
    return add_interpreted(a, err);
}

static tsr_status answer_init(bench_answer *a, const bench_case *c, tsr_error *err)
{
    void *block;
    *a = (bench_answer){.c = c, .exact = c->ncells <= MAX_GROUPS};
    a->ngroups = a->exact ? (uint64_t)c->ncells : MAX_GROUPS;
    TSR_TRY(tsr_alloc_array(&block, a->ngroups, sizeof(double), 1, "an answer", err));
    a->sum = block;
    TSR_TRY(tsr_alloc_array(&block, a->ngroups, sizeof(double), 1, "an answer", err));
    a->scale = block;
    return find_answer(a, err);
}

tsr_status bench_answer_new(bench_answer **out, const bench_case *c, tsr_error *err)
{
    void *block;
    *out = NULL;
    TSR_TRY(tsr_alloc_array(&block, 1, sizeof **out, 0, "an answer", err));
    const tsr_status status = answer_init(block, c, err);
    if (status != TSR_OK)
        bench_answer_free(block);
    else
        *out = block;
    return status;
}

void bench_answer_free(bench_answer *answer)
{
    if (!answer)
        return;
    tsr_free(answer->sum);
    tsr_free(answer->scale);
    tsr_free(answer);
}

/* ---- comparison ---- */

static tsr_status compare(const bench_answer *a, const double *sum, tsr_error *err)
{
    const double tolerance = a->c->type == TSR_F32 ? 1e-3 : 1e-9;
    for (uint64_t g = 0; g < a->ngroups; g++)
        if (!(fabs(sum[g] - a->sum[g]) <= tolerance * a->scale[g]))
            return tsr_fail(err, TSR_CORRUPT,
                            "wrong: %s %" PRIu64 " of the result is %.17g, but should be %.17g",
                            a->exact ? "cell" : "the weighted sum of group", g, sum[g], a->sum[g]);
    return TSR_OK;
}

tsr_status bench_answer_check_entries(const bench_answer *a, const tsr_coo *coo, tsr_error *err)
{
    void *block;
    TSR_TRY(tsr_alloc_array(&block, a->ngroups, sizeof(double), 1, "an answer", err));
    double *const sum = block;
    for (uint64_t n = 0; n < coo->nnz; n++) {
        double weight;
        const uint64_t group = group_of(&weight, a, cell_of(coo, n));
        sum[group] += weight * entry_at(coo, n);
    }
    const tsr_status status = compare(a, sum, err);
    tsr_free(sum);
    return status;
}

tsr_status bench_answer_check(const bench_answer *a, const tsr_tensor *result, tsr_error *err)
{
    tsr_coo *coo;
    TSR_TRY(tsr_unpack(&coo, result, 0, err));
    const tsr_status status = bench_answer_check_entries(a, coo, err);
    tsr_coo_free(coo);
    return status;
}

tsr_status bench_answer_check_dense(const bench_answer *a, const double *cells, tsr_error *err)
{
    void *block;
    TSR_TRY(tsr_alloc_array(&block, a->ngroups, sizeof(double), 1, "an answer", err));
    double *const sum = block;
    for (uint64_t cell = 0; cell < (uint64_t)a->c->ncells; cell++) {
        double w;
        const uint64_t group = group_of(&w, a, cell);
        sum[group] += w * cells[cell];
    }
    const tsr_status status = compare(a, sum, err);
    tsr_free(sum);
    return status;
}
