/* Rewriting the statement of a kernel before it is planned: here steps are made where the rules (tsr_rules.h) and kernel_steps.c find
 * them, the statement that is left is parsed, and the schedule is that of its variables. */
#include <math.h>
#include <string.h>

#include "kernel_steps.h"
#include "tsr_rules.h"

/* The number of entries of tensor t of the notation; an estimate if the tensor is not given. */
static double estimate_nstored(const kernel_maker *m, const tsr_notation *notation, int t)
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

/* What makes the steps of rules. */
typedef struct step_maker {
    tsr_rules_maker base; /* must be the first member */
    kernel_maker m;
} step_maker;

/* Make the step, unless there is one of the same text and variables. */
static tsr_status make_step(tsr_rules_maker *maker, const char **name, const tsr_rules_step *of,
                            tsr_error *err)
{
    enum { DENSE_ROWS = 1 << 22 };
    const kernel_maker *const m = &((step_maker *)maker)->m;
    tsr_kernel *const kernel = m->kernel;
    const tsr_notation *const notation = kernel->notation;
    int var[TSR_NOTATION_MAX_VARS], order = 0;
    uint64_t dims[TSR_NOTATION_MAX_VARS];
    if (!kernel->original)
        kernel->original = kernel->notation;
    if (!kernel->step && !(kernel->step = tsr_calloc(TSR_NOTATION_MAX_TENSORS, sizeof *kernel->step)))
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    for (int v = 0; v < notation->nvars; v++)
        if (of->vars >> v & 1) {
            dims[order] = m->size[v];
            var[order++] = tsr_notation_find_var(kernel->original, notation->var[v]);
            if (var[order - 1] < 0)
                return tsr_fail(
                    err, TSR_UNSUPPORTED,
                    "precompute: the product of these operands has a list of coordinates: leave it out");
        }
    for (int k = 0; k < kernel->nsteps; k++) {
        const kernel_step *const made = &kernel->step[k];
        *name = made->name;
        if (made->kind == KERNEL_STEP_KERNEL && !made->expr && made->order == order &&
            strcmp(made->text, of->text) == 0 && memcmp(made->var, var, (size_t)order * sizeof *var) == 0)
            return TSR_OK;
    }
    if (order > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "a part of the expression has more than %d variables", TSR_MAX_ORDER);
    kernel_step *const step = kernel_add_step(kernel);
    maker->room--;
    *name = step->name;
    step->kind = KERNEL_STEP_KERNEL;
    step->type = m->type;
    step->order = order;
    memcpy(step->var, var, (size_t)order * sizeof *var);
    memcpy(step->dims, dims, (size_t)order * sizeof *dims);
    step->text = tsr_strdup(of->text);
    if (!step->text)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    TSR_TRY(tsr_format_nested(&step->format, order, order > 1 && dims[0] <= DENSE_ROWS ? 1 : 0, NULL, err));
    return kernel_step_make_own(step, m, kernel->ring->name);
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

/* Make `text` the statement of the kernel. */
static tsr_status take_statement(tsr_kernel *kernel, const tsr_text *text, tsr_error *err)
{
    tsr_notation *const before = kernel->notation;
    kernel->notation = NULL;
    tsr_status status =
        tsr_notation_parse_with(&kernel->notation, tsr_text_cstr(text), kernel->how.functions, err);
    if (status == TSR_OK)
        status = renumber_schedule(kernel, before, err);
    if (before != kernel->original)
        tsr_notation_free(before);
    return status;
}

/* Whether all operands have loops together: the options are about them, or matrices of lists, of which a row has one entry, are among
 * the operands. */
static bool is_whole(const tsr_kernel *kernel, const tsr_kernel_options *options)
{
    for (int k = 0; k < kernel->nsteps; k++)
        if (kernel->step[k].kind == KERNEL_STEP_LIST)
            return true;
    if (options->plan && strncmp(options->plan, "step ", 5) != 0)
        return true;
    return tsr_schedule_names_parts(&kernel->schedule) && !kernel->schedule.precompute;
}

/* Rewrite the statement by the rules. *out, with *n elements, becomes the descriptions of the tensors of what is left, where a rule fits. */
static tsr_status use_rules(tsr_kernel *kernel, tsr_kernel_tensor **out, int *n,
                            const tsr_kernel_tensor *given, const tsr_kernel_options *options, tsr_error *err)
{
    const tsr_notation *const notation = kernel->notation;
    const int ntensors = kernel_notation(kernel)->ntensors;
    step_maker s = {
        .base = {.room = TSR_NOTATION_MAX_TENSORS - 2 - kernel->nsteps - ntensors, .make = make_step},
        .m = {.kernel = kernel,
              .given = given,
              .ngiven = *n,
              .options = options,
              .err = err,
              .type = TSR_NTYPES}};
    double nstored[TSR_NOTATION_MAX_TENSORS] = {0};
    tsr_text text = {0};
    bool fits = false;
    if (kernel_step_sizes(s.m.size, notation, given, *n, NULL) != TSR_OK)
        return TSR_OK; /* making the kernel itself reports the error */
    for (int i = 0; i < *n; i++)
        if (strcmp(given[i].name, notation->tensor[0].name) == 0)
            s.m.type = kernel_given_type(&given[i]);
    for (int t = 1; t < notation->ntensors; t++)
        nstored[t] = estimate_nstored(&s.m, notation, t);
    const tsr_rules_statement statement = {.notation = notation,
                                           .ring = kernel->ring,
                                           .size = s.m.size,
                                           .nstored = nstored,
                                           .sparse = kernel_sparse_set(notation, given, *n),
                                           .precompute = kernel->schedule.precompute,
                                           .is_whole = is_whole(kernel, options)};
    tsr_status status = tsr_rules_rewrite(&fits, &text, &statement, &s.base, err);
    if (status == TSR_OK && fits)
        status = take_statement(kernel, &text, err);
    else if (kernel->original == kernel->notation) /* there was an error */
        kernel->notation = NULL;
    tsr_text_clear(&text);
    if (status != TSR_OK || !fits)
        return status;
    tsr_kernel_tensor *const inner = tsr_malloc(((size_t)*n + (size_t)kernel->nsteps + 1) * sizeof *inner);
    if (!inner)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    *n = kernel_describe_inner(inner, &s.m);
    *out = inner;
    return TSR_OK;
}

tsr_status kernel_rewrite(tsr_kernel *kernel, tsr_kernel_tensor **inner, const tsr_kernel_tensor **tensors,
                          int *n, const tsr_kernel_options *options, tsr_error *err)
{
    if (kernel_needs_steps(kernel, *tensors, *n)) {
        TSR_TRY(kernel_make_steps(kernel, inner, n, *tensors, options, err));
        *tensors = *inner;
    }
    TSR_TRY(tsr_schedule_parse(&kernel->schedule, options->schedule, kernel->notation, err));
    for (int i = 0; i < *n; i++)
        if (!(*tensors)[i].name)
            return TSR_OK; /* kernel_describe reports the error */
    tsr_kernel_tensor *left = NULL;
    const tsr_status status = use_rules(kernel, &left, n, *tensors, options, err);
    if (status != TSR_OK && kernel->original && err)
        err->col = 0; /* the column would be in a text that the caller has not written */
    if (left) {
        tsr_free(*inner);
        *tensors = *inner = left;
    }
    return status;
}
