/* The sparse format that a result could have: the outer levels of a sparse operand and dense ones below, or
 * sorted levels of its own. */
#include <string.h>

#include "tkern.h"

/* The mode of the result that variable v is, or -1. */
static int mode_of(const tsr_tkern *t, int v)
{
    const tsr_expr *const result = t->notation->result;
    for (int m = 0; m < result->nindices; m++)
        if (result->index[m] == v)
            return m;
    return -1;
}

/* The levels of operand i down to the first one whose variable the result does not have; then the
 * remaining modes of the result, dense. */
static tsr_status outer_format(tsr_format **out, const tsr_tkern *t, int i, tsr_error *err)
{
    const tsr_format *const format = t->tensor[i].format;
    const tsr_expr *const access = tsr_notation_access(t->notation, i);
    const int order = t->tensor[0].order;
    int perm[TSR_MAX_LEVELS];
    uint32_t taken = 0;
    tsr_level_spec levels[TSR_MAX_ORDER];
    int modes[TSR_MAX_ORDER], n = 0;
    *out = NULL;
    for (int l = 0; tsr_format_is_permutation(format, perm) && l < format->nlevels; l++) {
        const int m = mode_of(t, access->index[perm[l]]);
        if (m < 0)
            break;
        if (taken >> m & 1)
            return tsr_fail(err, TSR_UNSUPPORTED, "the result's mode %d would be stored twice", m);
        levels[n] = format->levels[l];
        modes[n++] = m;
        taken |= UINT32_C(1) << m;
    }
    for (int m = 0; m < order; m++)
        if (!(taken >> m & 1)) {
            levels[n] = (tsr_level_spec){.type = &tsr_level_dense};
            modes[n++] = m;
        }
    return tsr_format_permuted(out, order, levels, modes, err);
}

bool tsr_tkern_sparse_result(tsr_text *text, int *operand, const tsr_tkern *t,
                             const tsr_kernel_tensor *tensors)
{
    const tsr_kernel_options how = {.engine = TSR_ENGINE_INTERPRETER, .nthreads = t->s->common.nthreads};
    bool found = false;
    for (int i = 1; i < t->notation->ntensors && !found; i++) {
        tsr_kernel_tensor with[TSR_NOTATION_MAX_TENSORS];
        tsr_kernel *kernel = NULL;
        tsr_format *format;
        if (tsr_format_is_dense(t->tensor[i].format) || outer_format(&format, t, i, NULL) != TSR_OK)
            continue;
        memcpy(with, tensors, (size_t)t->notation->ntensors * sizeof *with);
        with[0].format = format;
        found = !tsr_format_is_dense(format) &&
                tsr_kernel_new(&kernel, t->s->expression, with, t->notation->ntensors, &how, NULL) == TSR_OK;
        if (found) {
            tsr_format_print(text, format);
            *operand = i;
        }
        tsr_kernel_free(kernel);
        tsr_format_free(format);
    }
    return found && !text->failed;
}

/* ---- results with a pattern of their own ---- */

static bool is_sparse(const tsr_tkern *t, int i)
{
    return t->tensor[i].format && !tsr_format_is_dense(t->tensor[i].format);
}

/* Whether each term has a sparse operand with each variable of the result, and some term has two sparse
 * operands, or there are two terms. *nstored: the entries of the largest operand, 0 if none is read. */
static bool has_own_pattern(const tsr_tkern *t, const tsr_terms *terms, uint64_t *nstored)
{
    const uint32_t freed = (uint32_t)((UINT64_C(1) << t->notation->nfree) - 1);
    int most = 0;
    *nstored = 0;
    for (int i = 0; i < terms->nterms; i++) {
        uint32_t bound = 0;
        int n = 0;
        for (int f = 0; f < terms->term[i].nfactors; f++) {
            const tsr_expr *const e = terms->term[i].factor[f].expr;
            if (e->kind != TSR_EXPR_ACCESS || !is_sparse(t, e->tensor))
                continue;
            const tsr_tensor *const tensor = t->tensor[e->tensor].tensor;
            bound |= e->vars;
            *nstored = tensor && tensor->npos > *nstored ? tensor->npos : *nstored;
            n++;
        }
        if (freed & ~bound)
            return false;
        most = n > most ? n : most;
    }
    return most > 1 || terms->nterms > 1;
}

tsr_status tsr_tkern_propose_result(tsr_tkern *t, tsr_error *err)
{
    enum { MAX_ROWS = 1 << 22 };
    const tsr_expr *const result = t->notation->result;
    const int n = result->nindices;
    uint32_t sparse = 0;
    uint64_t nstored;
    tsr_terms *terms;
    if (n < 2 || n != t->notation->nfree || t->tensor[0].format || t->tensor[0].path ||
        t->notation->accumulate)
        return TSR_OK;
    for (int i = 1; i < t->notation->ntensors; i++)
        sparse |= (uint32_t)is_sparse(t, i) << i;
    if (tsr_notation_terms(&terms, t->notation, sparse, NULL) != TSR_OK)
        return TSR_OK; /* tsr_kernel_new reports why */
    const bool own = has_own_pattern(t, terms, &nstored);
    tsr_terms_free(terms);
    if (!own)
        return TSR_OK;
    const uint64_t rows = t->size[result->index[0]];
    const int ndense = rows <= MAX_ROWS || rows / 4 <= nstored ? 1 : 0;
    TSR_TRY(tsr_format_nested(&t->tensor[0].format, n, ndense, NULL, err));
    tsr_text name = {0};
    tsr_format_print_name(&name, t->tensor[0].format);
    if (!t->s->common.quiet)
        tsr_cli_report_line(
            t->report,
            "%s is stored as %s: it has entries only where sparse operands have; --format=%s:dense "
            "makes it dense",
            t->tensor[0].name, tsr_text_cstr(&name), t->tensor[0].name);
    const tsr_status status = tsr_text_status(&name, err);
    tsr_text_clear(&name);
    return status;
}
