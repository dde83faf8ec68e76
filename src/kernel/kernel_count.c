/* The work of a run, counted from the notation: what rates are made of. */
#include "kernel_internal.h"

/* Entries that are stored and not padding: where the last level is dense, those that are not zero. */
static double count_stored(const tsr_tensor *tensor)
{
    if (!tsr_format_has_dense_leaf(tensor->format) || tensor->iso)
        return (double)tensor->npos;
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES] = {0};
    const size_t nbytes = tensor->values.width;
    const unsigned char *const values = tensor->values.data;
    uint64_t n = 0;
    for (uint64_t p = 0; p < tensor->npos; p++)
        n += memcmp(values + p * nbytes, zero, nbytes) != 0;
    return (double)n;
}

/* Operations of an expression at one point, as it is written. */
static double count_operations(const tsr_expr *e)
{
    if (e->kind == TSR_EXPR_ACCESS || e->kind == TSR_EXPR_NUMBER)
        return 0;
    return 1 + count_operations(e->a) + (e->b ? count_operations(e->b) : 0);
}

/* Add to *vars the variables that accesses of tensor t inside e have. */
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

/* Points of the term's loops: entries of its sparse operand times the sizes of the variables that this one
 * does not have; all sizes where no operand is sparse. */
static double count_points(const tsr_term *term, const tsr_kernel *kernel, const tsr_tensor *const *operands)
{
    uint32_t bound = 0;
    double points = 1;
    for (int t = 1; t < kernel->notation->ntensors; t++) {
        if (!(term->tensors >> t & 1) || tsr_format_is_dense(kernel->tensor[t].format))
            continue;
        for (int f = 0; f < term->nfactors; f++)
            find_vars(&bound, term->factor[f].expr, t);
        points = count_stored(operands[t - 1]);
        break;
    }
    for (int v = 0; v < kernel->notation->nvars; v++)
        if ((term->vars & ~bound) >> v & 1)
            points *= (double)kernel->size[v];
    return points;
}

/* One addition, and a multiplication for each factor after the first; scalars are free. */
static double count_term(const tsr_term *term, const tsr_kernel *kernel, const tsr_tensor *const *operands)
{
    double operations = 0;
    for (int f = 0; f < term->nfactors; f++) {
        const tsr_expr *const e = term->factor[f].expr;
        if (e->kind == TSR_EXPR_NUMBER || (e->kind == TSR_EXPR_ACCESS && e->nindices == 0))
            continue;
        operations += 1 + count_operations(e);
    }
    return count_points(term, kernel, operands) * (operations > 0 ? operations : 1);
}

tsr_status tsr_kernel_count(tsr_kernel_work *work, const tsr_kernel *kernel, const tsr_tensor *result,
                            const tsr_tensor *const *operands, tsr_error *err)
{
    *work = (tsr_kernel_work){0};
    TSR_TRY(kernel_check_run(kernel, result, operands, err));
    uint32_t sparse = 0;
    for (int t = 1; t < kernel->notation->ntensors; t++) {
        if (!tsr_format_is_dense(kernel->tensor[t].format))
            sparse |= UINT32_C(1) << t;
        work->nbytes += (double)tsr_tensor_nbytes(operands[t - 1]);
    }
    work->nbytes += (double)tsr_array_nbytes(&result->values) * (kernel->notation->accumulate ? 2 : 1);
    tsr_terms *terms;
    TSR_TRY(tsr_notation_terms(&terms, kernel->notation, sparse, err));
    for (int i = 0; i < terms->nterms; i++)
        work->flops += count_term(&terms->term[i], kernel, operands);
    tsr_terms_free(terms);
    return TSR_OK;
}
