/* Making kernels: from a notation and tensors to a function that runs. */
#include <ctype.h>

#include "kernel_internal.h"
#include "tsr_emit.h"
#include "tsr_machine.h"
#include "tsr_parallel.h"

enum { MAX_NAME = 63 };

static tsr_status check_options(const tsr_kernel_options *options, tsr_error *err)
{
    const char *const name = options->name;
    if ((unsigned)options->engine > TSR_ENGINE_INTERPRETER)
        return tsr_fail(err, TSR_ARGUMENT, "invalid engine %d: see tsr_kernel_engine", (int)options->engine);
    if (!name)
        return TSR_OK;
    size_t n = 0;
    while (isalpha((unsigned char)name[n]) || name[n] == '_' || (n > 0 && isdigit((unsigned char)name[n])))
        n++;
    if (n == 0 || name[n] != '\0' || n > MAX_NAME)
        return tsr_fail(err, TSR_ARGUMENT,
                        "'%s' cannot be the name of a C function: use at most %d letters, digits and '_'",
                        name, MAX_NAME);
    return TSR_OK;
}

/* *out: a copy of the text, owned by the kernel; the text is cleared. */
static tsr_status keep(char **out, tsr_text *text, tsr_error *err)
{
    tsr_status status = tsr_text_status(text, err);
    if (status == TSR_OK) {
        *out = tsr_strdup(tsr_text_cstr(text));
        if (!*out)
            status = tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    }
    tsr_text_clear(text);
    return status;
}

/* Whether a plan can follow the schedule: it has, besides items for plans, only `serial`, `scalar` and `deterministic`. */
static bool follows_schedule(const tsr_schedule *schedule)
{
    tsr_schedule rest = *schedule;
    static const tsr_schedule none;
    rest.serial = rest.scalar = rest.deterministic = false;
    rest.norder = 0;
    memset(rest.order, 0, sizeof rest.order);
    rest.workspace = TSR_PLAN_WORKSPACE_AUTO;
    rest.workspace_vars = 0;
    memset(rest.walk, 0, sizeof rest.walk);
    memset(rest.convert, 0, sizeof rest.convert);
    rest.assembly = TSR_PLAN_ASSEMBLY_AUTO;
    rest.precomputes = false;
    rest.precompute = 0;
    return memcmp(&rest, &none, sizeof none) == 0;
}

/* Whether the schedule has items that only a plan follows. */
static bool wants_plan(const tsr_schedule *schedule)
{
    static const uint8_t none[TSR_NOTATION_MAX_VARS];
    for (int t = 0; t < TSR_NOTATION_MAX_TENSORS; t++)
        if (schedule->convert[t][0])
            return true;
    return schedule->assembly != TSR_PLAN_ASSEMBLY_AUTO || schedule->precomputes || schedule->norder > 0 ||
           schedule->workspace != TSR_PLAN_WORKSPACE_AUTO || memcmp(schedule->walk, none, sizeof none) != 0;
}

/* Lower nests of one driver for each term. */
static tsr_status lower_terms(tsr_kernel *kernel, const tsr_lower_operand *operands,
                              const tsr_schedule *schedule, const tsr_kernel_options *options, tsr_error *err)
{
    return tsr_lower(&kernel->lowered, kernel->notation, operands, kernel_sizes(kernel),
                     &(tsr_lower_options){.schedule = schedule,
                                          .tuning = &kernel->tuning,
                                          .signed_index = kernel->signed_index,
                                          .nthreads = kernel->nthreads,
                                          .name = options->name,
                                          .stand_in = kernel->stand_in},
                     err);
}

/* The error where the terms cannot be lowered and a plan cannot follow the schedule. why: the error so far, which stays where
 * the schedule alone is the fault. */
static void refuse_items(tsr_error *why, tsr_kernel *kernel, const tsr_lower_operand *operands,
                         const tsr_kernel_options *options)
{
    static const tsr_schedule none;
    const tsr_status status = lower_terms(kernel, operands, &none, options, NULL);
    tsr_lowered_free(kernel->lowered);
    kernel->lowered = NULL;
    if (status == TSR_UNSUPPORTED)
        tsr_fail(why, status,
                 "the schedule has an item that needs one sparse operand in each term, and a result that is "
                 "dense or has the entries of this operand: this kernel can have serial, scalar, "
                 "deterministic, reorder, "
                 "workspace, assemble, convert, precompute, merge, gallop and locate");
}

static tsr_status lower(tsr_kernel *kernel, const tsr_kernel_options *options, tsr_error *err)
{
    tsr_lower_operand operands[TSR_NOTATION_MAX_TENSORS];
    if (options->any_size)
        TSR_TRY(kernel_open_sizes(kernel, false, err));
    for (int t = 0; t < kernel->notation->ntensors; t++)
        operands[t] = kernel_operand(kernel, t);
    const uint64_t start = tsr_now_ns();
    tsr_error why = {0};
    tsr_status status = TSR_UNSUPPORTED;
    if (kernel->ring != &tsr_semirings[0] || kernel->original || wants_plan(&kernel->schedule))
        tsr_fail(&why, status,
                 wants_plan(&kernel->schedule)
                     ? "the schedule has an item for several sparse operands or a sparse result, and an item "
                       "for one sparse operand: leave out one of them"
                     : "the schedule has items other than serial, scalar and deterministic, which need the "
                       "semiring "
                       "plus-times and an expression that is computed in one step");
    else
        status = lower_terms(kernel, operands, &kernel->schedule, options, &why);
    if (status == TSR_UNSUPPORTED && kernel->ring == &tsr_semirings[0] && !kernel->original &&
        !wants_plan(&kernel->schedule) && !follows_schedule(&kernel->schedule))
        refuse_items(&why, kernel, operands, options);
    if (status == TSR_UNSUPPORTED && follows_schedule(&kernel->schedule)) {
        if (options->any_size)
            TSR_TRY(kernel_open_sizes(kernel, true, err));
        status = kernel_plan(kernel, options->name, &why);
    }
    if (status != TSR_OK) {
        if (err)
            *err = why;
        return status;
    }
    kernel->values_only = kernel->values_only && kernel->plan;
    kernel->info.values_only = kernel->values_only;
    kernel->info.lower_ns = tsr_now_ns() - start;
    tsr_text text = {0};
    tsr_schedule_print(&text, &kernel->lowered->schedule, kernel->notation);
    TSR_TRY(keep(&kernel->schedule_text, &text, err));
    kernel->info.schedule = kernel->schedule_text;
    return TSR_OK;
}

/* Choose the semiring for a reduction other than +=. */
static tsr_status take_reduction(tsr_kernel *kernel, tsr_error *err)
{
    const tsr_semiring *const reduction = kernel->notation->reduction;
    if (reduction && kernel->ring != &tsr_semirings[0])
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "the semiring %s goes with = and +=, not with %s=: leave one of them out",
                        kernel->ring->name, reduction->name);
    if (reduction)
        kernel->ring = reduction;
    return TSR_OK;
}

/* Cut products of many operands into steps. If *tensors is not the array of the caller, *inner owns it. */
static tsr_status split_products(tsr_kernel *kernel, tsr_kernel_tensor **inner,
                                 const tsr_kernel_tensor **tensors, int *n, const tsr_kernel_options *options,
                                 tsr_error *err)
{
    tsr_kernel_tensor *list = (tsr_kernel_tensor *)(uintptr_t)*tensors;
    if (!follows_schedule(&kernel->schedule) ||
        (wants_plan(&kernel->schedule) && !kernel->schedule.precompute))
        return TSR_OK;
    for (int i = 0; i < *n; i++)
        if (!(*tensors)[i].name)
            return TSR_OK; /* kernel_describe reports the error */
    TSR_TRY(kernel_make_products(kernel, &list, n, options, err));
    if (list == *tensors)
        return TSR_OK;
    tsr_free(*inner);
    *inner = list;
    *tensors = list;
    return TSR_OK;
}

tsr_status tsr_kernel_new(tsr_kernel **out, const char *expression, const tsr_kernel_tensor *tensors,
                          int ntensors, const tsr_kernel_options *options, tsr_error *err)
{
    static const tsr_kernel_options defaults;
    *out = NULL;
    if (!options)
        options = &defaults;
    TSR_TRY(check_options(options, err));
    tsr_kernel *const kernel = tsr_calloc(1, sizeof *kernel);
    if (!kernel)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    tsr_status status = TSR_OK;
    tsr_text text = {0};
    tsr_kernel_tensor *inner = NULL;
    kernel->nthreads = tsr_thread_count(options->nthreads);
    kernel->has_header = options->has_header;
    kernel->signed_index = options->signed_index;
    kernel->stand_in = options->stand_in;
    kernel->tuning = options->tuning ? *options->tuning : (tsr_tuning){0};
    kernel->cxx = options->cxx;
    kernel->values_only = options->values_only;
    kernel->functions = tsr_functions_list(options->functions);
    TSR_TRY_OUT(tsr_semiring_parse(&kernel->ring, options->semiring, err));
    TSR_TRY_OUT(tsr_notation_parse_with(&kernel->notation, expression, kernel->functions, err));
    tsr_notation_print(&text, kernel->notation);
    TSR_TRY_OUT(keep(&kernel->expression, &text, err));
    kernel->info.expression = kernel->expression;
    TSR_TRY_OUT(take_reduction(kernel, err));
    if (kernel_needs_steps(kernel, tensors, ntensors)) {
        TSR_TRY_OUT(kernel_make_steps(kernel, &inner, &ntensors, tensors, options, err));
        tensors = inner;
    }
    TSR_TRY_OUT(tsr_schedule_parse(&kernel->schedule, options->schedule, kernel->notation, err));
    if (kernel->schedule.deterministic)
        kernel->nthreads = TSR_DETERMINISTIC_NTHREADS;
    status = split_products(kernel, &inner, &tensors, &ntensors, options, err);
    if (status == TSR_OK)
        status = kernel_describe(kernel, tensors, ntensors, err);
    if (status == TSR_OK)
        status = lower(kernel, options, err);
    if (status != TSR_OK && kernel->original && err)
        err->col = 0; /* the column would be in a text that the caller has not written */
    TSR_TRY_OUT(status);
    kernel->cached_nbytes = kernel_assembles(kernel) ? tsr_last_cache_nbytes() / 2 : 0;
    TSR_TRY_OUT(kernel_choose_engine(kernel, options, err));
    *out = kernel;
out:
    tsr_free(inner);
    if (status != TSR_OK)
        tsr_kernel_free(kernel);
    return status;
}

void tsr_kernel_free(tsr_kernel *kernel)
{
    if (!kernel)
        return;
    if (kernel->base) { /* the program, the notation and the texts are borrowed */
        kernel->jit = NULL;
        kernel->lowered = NULL;
        kernel->plan = NULL;
        kernel->notation = NULL;
        kernel->schedule_text = kernel->warning = kernel->expression = NULL;
    }
    kernel_open_free(kernel->open);
    tsr_jit_free(kernel->jit);
    tsr_lowered_free(kernel->lowered);
    tsr_plan_free(kernel->plan);
    for (int v = 0; v < TSR_PLAN_MAX_VIEWS; v++)
        tsr_binding_free(kernel->copy[v]);
    for (int t = 0; t < TSR_NOTATION_MAX_TENSORS; t++) {
        tsr_binding_free(kernel->tensor[t].binding);
        tsr_format_free(kernel->tensor[t].format);
    }
    kernel_free_steps(kernel);
    tsr_notation_free(kernel->notation);
    tsr_notation_free(kernel->original);
    tsr_free(kernel->schedule_text);
    tsr_free(kernel->warning);
    tsr_free(kernel->expression);
    tsr_free(kernel);
}

const tsr_kernel_info *tsr_kernel_get_info(const tsr_kernel *kernel)
{
    return &kernel->info;
}

int tsr_kernel_ntensors(const tsr_kernel *kernel)
{
    return kernel_notation(kernel)->ntensors;
}

const char *tsr_kernel_tensor_name(const tsr_kernel *kernel, int t)
{
    return kernel_notation(kernel)->tensor[t].name;
}

/* ---- texts ---- */

static tsr_status print_graph(tsr_text *text, const tsr_kernel *kernel, tsr_error *err)
{
    if (kernel->plan) {
        tsr_plan_print(text, kernel->plan);
        return TSR_OK;
    }
    tsr_lower_operand operands[TSR_NOTATION_MAX_TENSORS];
    for (int t = 0; t < kernel->notation->ntensors; t++)
        operands[t] = kernel_operand(kernel, t);
    return tsr_lower_graph(text, kernel->notation, operands, kernel_sizes(kernel),
                           &(tsr_lower_options){.schedule = &kernel->schedule,
                                                .tuning = &kernel->tuning,
                                                .signed_index = kernel->signed_index,
                                                .nthreads = kernel->nthreads,
                                                .stand_in = kernel->stand_in},
                           err);
}

/* Append the C text or the header. */
static tsr_status print_c(tsr_text *text, const tsr_kernel *kernel, tsr_kernel_text what, tsr_error *err)
{
    char **texts, *buffer;
    int threads;
    TSR_TRY(kernel_param_texts(&texts, &buffer, &threads, kernel, err));
    const tsr_emit_options how = {.param = (const char *const *)texts,
                                  .threads = threads,
                                  .signed_index = kernel->signed_index,
                                  .cxx = kernel->cxx,
                                  .has_header = kernel->has_header};
    const tsr_status status =
        what == TSR_KERNEL_HEADER
            ? tsr_emit_header(text, kernel->lowered->plain, &how, err)
            : tsr_emit_c(text, what == TSR_KERNEL_C ? kernel->lowered->ir : kernel->lowered->plain, &how,
                         err);
    tsr_free(texts);
    tsr_free(buffer);
    return status;
}

tsr_status tsr_kernel_print(tsr_text *text, const tsr_kernel *kernel, tsr_kernel_text what, tsr_error *err)
{
    if (kernel->original && what != TSR_KERNEL_GRAPH)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "%s is computed in several steps, not by one function: use the text `graph`, which "
                        "shows the steps",
                        kernel->expression);
    if (kernel->original)
        TSR_TRY(kernel_print_steps(text, kernel, err));
    switch (what) {
    case TSR_KERNEL_C:
    case TSR_KERNEL_C11:
    case TSR_KERNEL_HEADER:
        TSR_TRY(print_c(text, kernel, what, err));
        break;
    case TSR_KERNEL_IR:
        tsr_ir_print(text, kernel->lowered->plain);
        break;
    case TSR_KERNEL_GRAPH:
        TSR_TRY(print_graph(text, kernel, err));
        break;
    }
    return tsr_text_status(text, err);
}
