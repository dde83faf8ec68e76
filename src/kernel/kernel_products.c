/* Making the steps that compute a product of many factors in parts: kernel_chain.c decides which factors are multiplied first, this file
 * makes the kernels, the expression that is left, and the schedule for it. */
#include <math.h>
#include <string.h>

#include "kernel_steps.h"

double kernel_estimate_nstored(const kernel_maker *m, const tsr_notation *notation, int t)
{
    const tsr_expr *const access = tsr_notation_access(notation, t);
    double ncells = 1, longest = 1;
    for (int k = 0; k < access->nindices; k++) {
        ncells *= (double)m->size[access->index[k]];
        longest = fmax(longest, (double)m->size[access->index[k]]);
    }
    for (int i = 0; i < m->ngiven; i++)
        if (strcmp(m->given[i].name, notation->tensor[t].name) == 0) {
            if (kernel_is_given_dense(&m->given[i]))
                return ncells;
            if (m->given[i].tensor)
                return fmin((double)m->given[i].tensor->npos, ncells);
        }
    return fmin(8 * longest, ncells);
}

bool kernel_has_room(const tsr_kernel *kernel)
{
    return kernel->nsteps + kernel->original->ntensors < TSR_NOTATION_MAX_TENSORS - 2;
}

/* The step before that computes this product for these variables; NULL: there is none. */
static const kernel_step *same_product(const kernel_maker *m, const char *text, const tsr_notation *notation,
                                       const int *var, int nvars)
{
    for (int k = 0; k < m->kernel->nsteps; k++) {
        const kernel_step *const step = &m->kernel->step[k];
        bool same = step->kind == KERNEL_STEP_KERNEL && !step->expr && step->order == nvars &&
                    strcmp(step->text, text) == 0;
        for (int n = 0; n < nvars && same; n++)
            same = strcmp(m->kernel->original->var[step->var[n]], notation->var[var[n]]) == 0;
        if (same)
            return step;
    }
    return NULL;
}

tsr_status kernel_add_product(const kernel_step **out, const kernel_maker *m, const char *text,
                              const tsr_notation *notation, const int *var, int nvars)
{
    enum { DENSE_ROWS = 1 << 22 };
    *out = same_product(m, text, notation, var, nvars);
    if (*out)
        return TSR_OK;
    kernel_step *const step = kernel_add_step(m->kernel);
    *out = step;
    if (nvars > TSR_MAX_ORDER)
        return tsr_fail(m->err, TSR_LIMIT, "a part of the expression has more than %d variables",
                        TSR_MAX_ORDER);
    step->kind = KERNEL_STEP_KERNEL;
    step->type = m->type;
    step->order = nvars;
    for (int k = 0; k < nvars; k++) {
        step->var[k] = tsr_notation_find_var(m->kernel->original, notation->var[var[k]]);
        step->dims[k] = m->size[var[k]];
    }
    step->text = tsr_strdup(text);
    if (!step->text)
        return tsr_fail(m->err, TSR_NOMEM, "out of memory: a kernel");
    TSR_TRY(tsr_format_nested(&step->format, nvars, nvars > 1 && step->dims[0] <= DENSE_ROWS ? 1 : 0, NULL,
                              m->err));
    return kernel_step_make_own(step, m, m->kernel->ring->name);
}

/* Whether the factors of a product may be multiplied in any order, and sums may be taken before all are multiplied. */
static bool is_regular(const tsr_semiring *ring)
{
    return ring->distributes && ring->commutes;
}

/* The number of terms with two sparse operands and a third factor. */
static int count_chains(const tsr_terms *terms, uint32_t sparse)
{
    int n = 0;
    for (int i = 0; i < terms->nterms; i++) {
        int nsparse = 0;
        for (int f = 0; f < terms->term[i].nfactors; f++) {
            const tsr_expr *const e = terms->term[i].factor[f].expr;
            nsparse += e->kind == TSR_EXPR_ACCESS && (sparse >> e->tensor & 1);
        }
        n += nsparse >= 2 && terms->term[i].nfactors >= 3;
    }
    return n;
}

/* The number of the variable in the notation of the kernel. */
static tsr_status same_var(int *out, const tsr_kernel *kernel, const tsr_notation *before, int v,
                           tsr_error *err)
{
    *out = tsr_notation_find_var(kernel->notation, before->var[v]);
    return *out >= 0
               ? TSR_OK
               : tsr_fail(err, TSR_ARGUMENT,
                          "the schedule names %s, which only the product has that precompute computes first: "
                          "leave it out",
                          before->var[v]);
}

/* Number the variables and tensors of the schedule as in the new notation of the kernel. */
static tsr_status renumber_schedule(tsr_kernel *kernel, const tsr_notation *before, tsr_error *err)
{
    const tsr_schedule old = kernel->schedule;
    tsr_schedule *const now = &kernel->schedule;
    int v;
    now->workspace_vars = 0;
    memset(now->walk, 0, sizeof now->walk);
    memset(now->convert, 0, sizeof now->convert);
    for (int k = 0; k < old.norder; k++) {
        TSR_TRY(same_var(&v, kernel, before, old.order[k], err));
        now->order[k] = (uint8_t)v;
    }
    now->literal = 0;
    memset(now->block, 0, sizeof now->block);
    memset(now->unroll, 0, sizeof now->unroll);
    for (int k = 0; k < before->nvars; k++) {
        const bool is_literal = old.literal >> k & 1, in_workspace = old.workspace_vars >> k & 1;
        if (!in_workspace && !old.walk[k] && !is_literal && !old.block[k] && !old.unroll[k])
            continue;
        TSR_TRY(same_var(&v, kernel, before, k, err));
        now->walk[v] = old.walk[k];
        now->block[v] = old.block[k];
        now->unroll[v] = old.unroll[k];
        now->workspace_vars |= (uint32_t)in_workspace << v;
        now->literal |= (uint32_t)is_literal << v;
    }
    if (old.parallel_var > 0) {
        TSR_TRY(same_var(&v, kernel, before, old.parallel_var - 1, err));
        now->parallel_var = v + 1;
    }
    if (old.vector_var > 0) {
        TSR_TRY(same_var(&v, kernel, before, old.vector_var - 1, err));
        now->vector_var = v + 1;
    }
    for (int t = 1; t < before->ntensors; t++) {
        const int other = tsr_notation_find_tensor(kernel->notation, before->tensor[t].name);
        if (!old.convert[t][0])
            continue;
        if (other < 0)
            return tsr_fail(
                err, TSR_ARGUMENT,
                "the schedule asks for convert(%s,%s), but only the product has %s that precompute computes "
                "first: leave it out",
                before->tensor[t].name, old.convert[t], before->tensor[t].name);
        memcpy(now->convert[other], old.convert[t], sizeof *old.convert);
    }
    return TSR_OK;
}

static tsr_status split(tsr_kernel *kernel, kernel_maker *m, const tsr_terms *terms, uint32_t sparse)
{
    tsr_notation *const before = kernel->notation;
    const bool first = !kernel->original;
    const int nsteps = kernel->nsteps;
    tsr_text text = {0};
    if (first)
        kernel->original = before;
    if (!kernel->step)
        kernel->step = tsr_calloc(TSR_NOTATION_MAX_TENSORS, sizeof *kernel->step);
    tsr_status status = kernel->step ? kernel_split_products(&text, m, before, terms, sparse)
                                     : tsr_fail(m->err, TSR_NOMEM, "out of memory: a kernel");
    if (status == TSR_OK && kernel->nsteps > nsteps) {
        kernel->notation = NULL;
        status =
            tsr_notation_parse_with(&kernel->notation, tsr_text_cstr(&text), kernel->how.functions, m->err);
        if (status == TSR_OK)
            status = renumber_schedule(kernel, before, m->err);
        if (!first)
            tsr_notation_free(before);
    } else if (first) { /* no product was cut, or there was an error */
        kernel->original = status == TSR_OK ? NULL : kernel->original;
        kernel->notation = status == TSR_OK ? before : NULL;
    }
    tsr_text_clear(&text);
    return status;
}

tsr_status kernel_make_products(tsr_kernel *kernel, tsr_kernel_tensor **out, int *n,
                                const tsr_kernel_options *options, tsr_error *err)
{
    kernel_maker m = {
        .kernel = kernel, .given = *out, .ngiven = *n, .options = options, .err = err, .type = TSR_NTYPES};
    const tsr_notation *const notation = kernel->notation;
    const uint32_t sparse = kernel_sparse_set(notation, *out, *n);
    tsr_terms *terms;
    const bool is_asked = kernel->schedule.precompute;
    if (is_asked && !is_regular(kernel->ring))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "precompute: products of the semiring %s cannot be computed in another order",
                        kernel->ring->name);
    if (!is_regular(kernel->ring) || kernel_step_sizes(m.size, notation, *out, *n, NULL) != TSR_OK ||
        tsr_notation_terms(&terms, notation, sparse, NULL) != TSR_OK)
        return TSR_OK; /* making the kernel itself reports the error */
    const int nsteps = kernel->nsteps;
    tsr_status status = TSR_OK;
    for (int i = 0; i < *n; i++)
        if (strcmp((*out)[i].name, notation->tensor[0].name) == 0)
            m.type = kernel_given_type(&(*out)[i]);
    if (is_asked || count_chains(terms, sparse) > 0)
        status = split(kernel, &m, terms, sparse);
    tsr_terms_free(terms);
    if (status != TSR_OK || kernel->nsteps == nsteps)
        return status;
    tsr_kernel_tensor *const inner = tsr_malloc(((size_t)*n + (size_t)kernel->nsteps + 1) * sizeof *inner);
    if (!inner)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    *n = kernel_describe_inner(inner, &m);
    *out = inner;
    return TSR_OK;
}
