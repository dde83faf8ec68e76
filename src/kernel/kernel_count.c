/* The work of a run, counted from the notation; rates are computed from it. */
#include "kernel_internal.h"

#include <math.h>

#include "tsr_cells.h"

/* The number of operations to evaluate the expression once. */
static double count_operations(const tsr_expr *e)
{
    if (e->kind == TSR_EXPR_ACCESS || e->kind == TSR_EXPR_NUMBER)
        return 0;
    return 1 + count_operations(e->a) + (e->b ? count_operations(e->b) : 0);
}

/* Add the variables of all accesses to tensor t in e to *vars. */
static void find_vars(uint32_t *vars, const tsr_expr *e, int t)
{
    if (e->kind == TSR_EXPR_ACCESS && e->tensor == t)
        for (int m = 0; m < e->nindices; m++)
            *vars |= UINT32_C(1) << e->index[m];
    if (e->a)
        find_vars(vars, e->a, t);
    if (e->b)
        find_vars(vars, e->b, t);
}

typedef struct counter {
    const tsr_kernel *kernel;
    const tsr_tensor *const *operands;
    double nstored[TSR_NOTATION_MAX_TENSORS]; /* entries of each sparse operand; -1 for dense operands */
} counter;

/* The number of entries and the variables of the term's sparse operand; 1 and no variables where all
 * operands are dense. */
static void find_sparse(double *nstored, uint32_t *bound, const counter *c, const tsr_term *term)
{
    *nstored = 1;
    *bound = 0;
    for (int t = 1; t < c->kernel->notation->ntensors; t++) {
        if (!(term->tensors >> t & 1) || c->nstored[t] < 0)
            continue;
        for (int f = 0; f < term->nfactors; f++)
            find_vars(bound, term->factor[f].expr, t);
        *nstored = c->nstored[t];
        return;
    }
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

/* The operations of a term: one addition, and a multiplication for each factor after the first that is not a
 * scalar, at each point of the term's loops. The number of points is the number of entries of the sparse
 * operand times the sizes of the variables that the sparse operand does not have; the product of all sizes
 * where all operands are dense. */
static double count_term(const counter *c, const tsr_term *term)
{
    double operations = 0, nstored;
    uint32_t bound;
    for (int f = 0; f < term->nfactors; f++) {
        const tsr_expr *const e = term->factor[f].expr;
        if (e->kind == TSR_EXPR_NUMBER || (e->kind == TSR_EXPR_ACCESS && e->nindices == 0))
            continue;
        operations += 1 + count_operations(e);
    }
    find_sparse(&nstored, &bound, c, term);
    return nstored * count_cells(c->kernel, term->vars & ~bound) * (operations > 0 ? operations : 1);
}

/* An upper bound of the bytes of dense operand t that a run reads, where each cell is counted once: for the
 * variables that the sparse operand has, at most one cell per entry of the sparse operand. */
static double count_read(const counter *c, const tsr_terms *terms, int t)
{
    const tsr_tensor *const tensor = c->operands[t - 1];
    double ncells = 0;
    for (int i = 0; i < terms->nterms; i++) {
        const tsr_term *const term = &terms->term[i];
        uint32_t bound, vars = 0;
        double nstored;
        if (!(term->tensors >> t & 1))
            continue;
        for (int f = 0; f < term->nfactors; f++)
            find_vars(&vars, term->factor[f].expr, t);
        find_sparse(&nstored, &bound, c, term);
        ncells += (vars & bound ? nstored : 1) * count_cells(c->kernel, vars & ~bound);
    }
    return fmin(ncells * (double)tensor->values.width, (double)tsr_tensor_nbytes(tensor));
}

tsr_status tsr_kernel_count(tsr_kernel_work *work, const tsr_kernel *kernel, const tsr_tensor *result,
                            const tsr_tensor *const *operands, tsr_error *err)
{
    const int ntensors = kernel->notation->ntensors;
    counter c = {.kernel = kernel, .operands = operands};
    uint32_t sparse = 0;
    tsr_terms *terms;
    *work = (tsr_kernel_work){0};
    if (kernel->original)
        return TSR_OK; /* operations of functions are not counted */
    TSR_TRY(kernel_check_run(kernel, result, operands, err));
    for (int t = 1; t < ntensors; t++) {
        const bool dense = tsr_format_is_dense(kernel->tensor[t].format);
        sparse |= (uint32_t)!dense << t;
        c.nstored[t] = dense ? -1 : (double)tsr_cells_nstored(operands[t - 1], 0);
    }
    TSR_TRY(tsr_notation_terms(&terms, kernel->notation, sparse, err));
    work->nbytes = (double)tsr_array_nbytes(&result->values) * (kernel->notation->accumulate ? 2 : 1);
    for (int t = 1; t < ntensors; t++)
        work->nbytes +=
            c.nstored[t] < 0 ? count_read(&c, terms, t) : (double)tsr_tensor_nbytes(operands[t - 1]);
    for (int i = 0; i < terms->nterms; i++)
        work->flops += count_term(&c, &terms->term[i]);
    tsr_terms_free(terms);
    return TSR_OK;
}
