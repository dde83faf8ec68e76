/* The work of a run, counted from the notation; rates are computed from it. */
#include "kernel_internal.h"

#include <math.h>
#include <string.h>

#include "tsr_bits.h"
#include "tsr_cells.h"

/* The number of operations to evaluate the expression once. */
static double count_operations(const tsr_expr *e)
{
    if (!e->a)
        return 0;
    return 1 + count_operations(e->a) + (e->b ? count_operations(e->b) : 0);
}

typedef struct counter {
    const tsr_kernel *kernel;
    const tsr_tensor *const *operands;
    double nstored[TSR_NOTATION_MAX_TENSORS]; /* entries of each sparse operand; -1 for dense operands */
    double nread
        [TSR_NOTATION_MAX_TENSORS]; /* cells of each operand that are read, each counted once for a term */
} counter;

/* The factors of a term that are sparse operands; the same access twice counts once. */
typedef struct sparse_factors {
    const tsr_expr *access[TSR_NOTATION_MAX_FACTORS];
    int n;
} sparse_factors;

static void add_access(sparse_factors *s, const tsr_expr *e)
{
    for (int i = 0; i < s->n; i++)
        if (tsr_expr_same_access(s->access[i], e))
            return;
    if (s->n < TSR_NOTATION_MAX_FACTORS)
        s->access[s->n++] = e;
}

static void find_accesses(sparse_factors *s, const counter *c, const tsr_expr *e)
{
    if (e->kind == TSR_EXPR_ACCESS && e->mask != TSR_MASK_ABSENT && c->nstored[e->tensor] >= 0)
        add_access(s, e);
    if (e->a)
        find_accesses(s, c, e->a);
    if (e->b)
        find_accesses(s, c, e->b);
}

/* ---- joined operands ---- */

/* How many entries have each coordinate of a mode. */
typedef struct histogram {
    double *n;
    int mode;
} histogram;

static bool count_block(void *arg, int t, const tsr_cell_block *block)
{
    const histogram *const h = arg;
    (void)t; /* there is one share */
    for (size_t i = 0; i < block->n; i++)
        h->n[block->crd[h->mode][i]]++;
    return true;
}

/* *n: the number of entries of an access for each value of variable v (kernel->size[v] numbers);
 * owned by the caller, also after a failure. */
static tsr_status count_values(double **n, const counter *c, const tsr_expr *access, int v, tsr_error *err)
{
    static const char what[] = "entries of each coordinate";
    const tsr_tensor *const tensor = c->operands[access->tensor - 1];
    const int mode = tsr_expr_mode(access, v);
    const tsr_mode_window *const window = tsr_expr_window(access, mode);
    void *out, *all = NULL;
    tsr_cells *cells = NULL;
    tsr_status status = TSR_OK;
    TSR_TRY(tsr_alloc_array(&out, c->kernel->size[v], sizeof(double), 1, what, err));
    *n = out;
    TSR_TRY_OUT(tsr_alloc_array(&all, tensor->dims[mode], sizeof(double), 1, what, err));
    TSR_TRY_OUT(tsr_cells_new(&cells, tensor, NULL, 1, err));
    TSR_TRY_OUT(tsr_cells_walk(cells, count_block, &(histogram){all, mode}, err));
    for (uint64_t i = 0; i < c->kernel->size[v]; i++)
        (*n)[i] = ((const double *)all)[tsr_window_coordinate(window, i)];
out:
    tsr_cells_free(cells);
    tsr_free(all);
    return status;
}

/* The number of pairs of entries of two operands with the same value of variable v. */
static tsr_status count_pairs(double *npairs, const counter *c, const sparse_factors *s, int v,
                              tsr_error *err)
{
    double *both[2] = {NULL, NULL};
    tsr_status status = TSR_OK;
    *npairs = 0;
    TSR_TRY_OUT(count_values(&both[0], c, s->access[0], v, err));
    TSR_TRY_OUT(count_values(&both[1], c, s->access[1], v, err));
    for (uint64_t i = 0; i < c->kernel->size[v]; i++)
        *npairs += both[0][i] * both[1][i];
out:
    tsr_free(both[0]);
    tsr_free(both[1]);
    return status;
}

/* The product of the sizes of the variables. */
static double count_cells(const tsr_kernel *kernel, uint32_t vars)
{
    double n = 1;
    for (int v = 0; v < kernel->notation->nvars; v++)
        if (vars >> v & 1)
            n *= (double)kernel->size[v];
    return n;
}

/* The number of combinations of entries of the term's sparse operands that agree in the variables which these
 * share, and the variables of all of them; 1 and no variables where all operands are dense. The number is exact for one
 * operand, and for two that share one variable; else the entries are taken to be spread evenly. */
static tsr_status find_sparse(double *npoints, uint32_t *bound, const counter *c, const tsr_term *term,
                              tsr_error *err)
{
    sparse_factors s = {.n = 0};
    uint32_t shared = 0;
    *npoints = 1;
    *bound = 0;
    for (int f = 0; f < term->nfactors; f++)
        find_accesses(&s, c, term->factor[f].expr);
    for (int i = 0; i < s.n; i++) {
        const uint32_t again = s.access[i]->vars & *bound;
        *npoints *= c->nstored[s.access[i]->tensor];
        *npoints /= fmax(count_cells(c->kernel, again), 1);
        shared |= again;
        *bound |= s.access[i]->vars;
    }
    if (s.n != 2 || shared == 0 || (shared & (shared - 1)))
        return TSR_OK;
    return count_pairs(npoints, c, &s, tsr_lowest_bit(shared), err);
}

/* The operations of a term: one addition, and a multiplication for each factor after the first that is not a
 * scalar, at each point of the term's loops. The number of points is the number that find_sparse counts
 * times the sizes of the variables that no sparse operand has. An upper bound of the cells of each operand that a run reads: for the
 * variables that the sparse operands have, at most one cell for each of those points. */
static tsr_status count_term(double *flops, counter *c, const tsr_term *term, tsr_error *err)
{
    const tsr_notation *const notation = c->kernel->notation;
    double operations = 0, npoints;
    uint32_t bound;
    for (int f = 0; f < term->nfactors; f++) {
        const tsr_expr *const e = term->factor[f].expr;
        if (e->kind == TSR_EXPR_NUMBER || e->kind == TSR_EXPR_BAND ||
            (e->kind == TSR_EXPR_ACCESS && (e->nindices == 0 || e->mask != TSR_MASK_NONE)))
            continue; /* a scalar or a mask */
        operations += 1 + count_operations(e);
    }
    TSR_TRY(find_sparse(&npoints, &bound, c, term, err));
    *flops += npoints * count_cells(c->kernel, term->vars & ~bound) * (operations > 0 ? operations : 1);
    for (int t = 1; t < notation->ntensors; t++) {
        const uint32_t vars = term->vars & tsr_notation_tensor_vars(notation, t);
        if (term->tensors >> t & 1)
            c->nread[t] += (vars & bound ? npoints : 1) * count_cells(c->kernel, vars & ~bound);
    }
    return TSR_OK;
}

tsr_status tsr_kernel_count(tsr_kernel_work *work, const tsr_kernel *kernel, const tsr_tensor *result,
                            const tsr_tensor *const *operands, tsr_error *err)
{
    const int ntensors = kernel_notation(kernel)->ntensors;
    counter c = {.kernel = kernel, .operands = operands};
    uint32_t sparse = 0;
    tsr_terms *terms;
    *work = (tsr_kernel_work){0};
    if (kernel->original)
        return TSR_OK; /* operations of functions are not counted */
    TSR_TRY(kernel_check_run(kernel, result, operands, 0, err));
    for (int t = 1; t < ntensors; t++) {
        const bool dense = tsr_format_is_dense(kernel->tensor[t].format);
        sparse |= (uint32_t)!dense << t;
        c.nstored[t] = dense ? -1 : (double)tsr_cells_nstored(operands[t - 1], 0);
    }
    TSR_TRY(tsr_notation_terms(&terms, kernel->notation, sparse, err));
    work->nbytes = (double)tsr_array_nbytes(&result->values) * (kernel->notation->accumulate ? 2 : 1);
    tsr_status status = TSR_OK;
    for (int i = 0; i < terms->nterms; i++)
        TSR_TRY_OUT(count_term(&work->flops, &c, &terms->term[i], err));
    for (int t = 1; t < ntensors; t++) {
        const double all = (double)tsr_tensor_nbytes(operands[t - 1]);
        work->nbytes +=
            c.nstored[t] < 0 ? fmin(c.nread[t] * (double)operands[t - 1]->values.width, all) : all;
    }
out:
    tsr_terms_free(terms);
    return status;
}
