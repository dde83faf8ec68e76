/* Rewriting the statement of a kernel before it is planned: the rules (tsr_rules.h) say what becomes of it, kernel_steps.c
 * makes the steps, and here the statement that is left is parsed and the schedule becomes that of its variables. */
#include <math.h>
#include <string.h>

#include "kernel_steps.h"

/* The number of entries of tensor t of the notation; an estimate if the tensor is not given. */
static double estimate_nstored(const kernel_maker *m, const tsr_notation *notation, int t,
                               const tsr_kernel_tensor *given)
{
    const tsr_expr *const access = tsr_notation_access(notation, t);
    double ncells = 1, longest = 1;
    for (int k = 0; k < access->nindices; k++) {
        ncells *= (double)m->size[access->index[k]];
        longest = fmax(longest, (double)m->size[access->index[k]]);
    }
    if (given && kernel_is_given_dense(given))
        return ncells;
    return fmin(given && given->tensor ? (double)given->tensor->npos : 8 * longest, ncells);
}

/* Number the variables and tensors of the schedule as in the new notation of the kernel: it is printed and parsed. */
static tsr_status renumber_schedule(tsr_kernel *kernel, const tsr_notation *before, tsr_error *err)
{
    const bool precomputes = kernel->schedule.precomputes;
    tsr_text text = {0};
    tsr_error why = {0};
    kernel->schedule.precomputes = false; /* done */
    tsr_schedule_print(&text, &kernel->schedule, before, before);
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK &&
        tsr_schedule_parse(&kernel->schedule, tsr_text_cstr(&text), kernel->notation, &why) != TSR_OK)
        status =
            tsr_fail(err, TSR_ARGUMENT,
                     "%s: only the product has it that precompute computes first: leave it out", why.message);
    kernel->schedule.precomputes = precomputes;
    tsr_text_clear(&text);
    return status;
}

/* Make `text` the statement of the kernel. */
static tsr_status take_statement(tsr_kernel *kernel, const tsr_text *text, tsr_error *err)
{
    tsr_notation *const before = kernel->notation;
    kernel->notation = NULL;
    tsr_status status = tsr_notation_parse_with(&kernel->notation, tsr_text_cstr(text),
                                                tsr_functions_list(kernel->how.functions), err);
    if (status == TSR_OK && kernel->how.takes == TSR_KERNEL_TAKES_NO_VALUES)
        kernel->notation->accumulate = false;
    if (status == TSR_OK)
        status = renumber_schedule(kernel, before, err);
    if (before != kernel->original)
        tsr_notation_free(before);
    return status;
}

/* Whether all operands have loops together: the options are about them, or matrices of lists, of which a row has one entry, are among
 * the operands. */
static bool is_whole(const tsr_kernel *kernel)
{
    for (int k = 0; k < kernel->nsteps; k++)
        if (kernel->step[k].kind == TSR_RULES_LIST)
            return true;
    if (kernel->how.plan && strncmp(kernel->how.plan, "step ", 5) != 0)
        return true;
    return tsr_schedule_names_parts(&kernel->schedule) && !kernel->schedule.precompute;
}

/* Rewrite the statement by these rules. */
static tsr_status use_rules(tsr_kernel *kernel, tsr_kernel_tensor *given, int *n, tsr_rules_when when,
                            tsr_error *err)
{
    const tsr_notation *const notation = kernel->notation;
    const int room = TSR_NOTATION_MAX_TENSORS - 2 - kernel->nsteps - kernel_notation(kernel)->ntensors;
    kernel_maker m = {
        .base = {.room = room, .make = kernel_make_step}, .kernel = kernel, .given = given, .ngiven = *n};
    tsr_type type[TSR_NOTATION_MAX_TENSORS];
    double nstored[TSR_NOTATION_MAX_TENSORS] = {0};
    tsr_text text = {0};
    bool fits = false;
    m.has_sizes = when == TSR_RULES_CHOSEN; /* else the first step needs them */
    if (m.has_sizes && kernel_step_sizes(m.size, notation, given, *n, NULL) != TSR_OK)
        return TSR_OK; /* making the kernel itself reports the error */
    tsr_rules_statement statement = {.notation = notation,
                                     .ring = kernel->ring,
                                     .semiring = kernel->how.semiring,
                                     .type = type,
                                     .size = m.size,
                                     .nstored = nstored,
                                     .precompute = kernel->schedule.precompute,
                                     .is_whole = is_whole(kernel)};
    for (int t = 0; t < notation->ntensors; t++) {
        const tsr_kernel_tensor *const of = kernel_find_given(given, *n, notation->tensor[t].name);
        type[t] = kernel_given_type(of);
        statement.sparse |= (uint32_t)!kernel_is_given_dense(of) << t;
        if (t > 0 && when == TSR_RULES_CHOSEN)
            nstored[t] = estimate_nstored(&m, notation, t, of);
    }
    tsr_status status = tsr_rules_rewrite(&fits, &text, when, &statement, &m.base, err);
    if (status == TSR_OK && fits)
        status = take_statement(kernel, &text, err);
    else if (kernel->original == kernel->notation) /* there was an error */
        kernel->notation = NULL;
    tsr_text_clear(&text);
    if (status != TSR_OK || !fits)
        return status;
    kernel_settle_old(&m);
    if (kernel->original->selection.gives_place)
        kernel->ring = &tsr_semirings[0];
    *n = kernel_select_given(given, &m, kernel->notation, 0);
    return TSR_OK;
}

tsr_status kernel_rewrite(tsr_kernel *kernel, tsr_kernel_tensor *given, int *n, tsr_error *err)
{
    TSR_TRY(use_rules(kernel, given, n, TSR_RULES_NEEDED, err));
    TSR_TRY(tsr_schedule_parse(&kernel->schedule, kernel->how.schedule, kernel->notation, err));
    uint32_t precompute =
        0; /* by the numbers of the caller's statement, which the text of the schedule is for */
    for (int t = 1; t < kernel->notation->ntensors; t++) {
        const int of = tsr_notation_find_tensor(kernel_notation(kernel), kernel->notation->tensor[t].name);
        precompute |= (kernel->schedule.precompute >> t & 1) && of > 0 ? UINT32_C(1) << of : 0;
    }
    const tsr_status status = use_rules(kernel, given, n, TSR_RULES_CHOSEN, err);
    kernel->schedule.precompute = precompute;
    if (status != TSR_OK && kernel->original && err)
        err->col = 0; /* the column would be in a text that the caller has not written */
    return status;
}
