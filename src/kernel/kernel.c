/* Making kernels: from a notation and tensors to a function that runs. */
#include <ctype.h>

#include "kernel_steps.h"
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

static tsr_status lower(tsr_kernel *kernel, tsr_error *err)
{
    const uint64_t start = tsr_now_ns();
    tsr_kernel_options *const how = &kernel->how;
    TSR_TRY(kernel_plan(kernel, err));
    if (kernel_notation(kernel)->accumulate || !tsr_plan_has_values(kernel->plan))
        how->values_only = TSR_KERNEL_ALL;
    kernel->info.values_only = how->values_only;
    TSR_TRY(tsr_lower(&kernel->lowered, kernel->plan, kernel->operand,
                      &(tsr_lower_options){.values_only = how->values_only,
                                           .has_trail = how->values_only == TSR_KERNEL_TRAIL,
                                           .signed_index = how->signed_index,
                                           .name = how->name},
                      err));
    kernel->info.lower_ns = tsr_now_ns() - start;
    tsr_text text = {0};
    tsr_schedule_print(&text, &kernel->lowered->schedule, kernel->notation, kernel_notation(kernel));
    TSR_TRY(tsr_text_take(&kernel->text.schedule, &text, err));
    kernel->info.schedule = kernel->text.schedule;
    return TSR_OK;
}

/* Choose the semiring for a reduction other than +=. */
static tsr_status take_reduction(tsr_kernel *kernel, tsr_error *err)
{
    const tsr_semiring *const reduction = kernel->notation->reduction;
    if (kernel->notation->spreads && kernel->ring->mul != TSR_COMBINE_MUL &&
        kernel->ring->mul != TSR_COMBINE_AND)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "a choice by the difference of two indices is a sum of bands times values, and the "
                        "semiring %s does not multiply: compute it in a statement of its own with the "
                        "ordinary operations",
                        kernel->ring->name);
    if (reduction && kernel->ring != &tsr_semirings[0])
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "the semiring %s goes with = and +=, not with %s=: leave one of them out",
                        kernel->ring->name, reduction->name);
    if (reduction)
        kernel->ring = reduction;
    return TSR_OK;
}

/* The semiring of a statement with `|=`, whose values are those of or-and. */
static tsr_status take_truth(tsr_kernel *kernel, tsr_error *err)
{
    static const char ring[] = "or-and";
    const char *const given = kernel->how.semiring;
    if (!kernel->notation->is_truth)
        return TSR_OK;
    if (given && strcmp(given, ring) != 0)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "the semiring %s goes with = and +=, not with |=, which has or-and", given);
    kernel->how.semiring = ring;
    return TSR_OK;
}

/* Leave out entries that are 0 from a sparse result of `|=`; where all operands are patterns there are none. */
static void keep_true_entries(tsr_kernel *kernel)
{
    bool has_values = false;
    for (int t = 1; t < kernel->notation->ntensors; t++)
        has_values = has_values || kernel->tensor[t].operand.type != TSR_PATTERN;
    if (kernel->notation->is_truth && has_values && !tsr_format_is_dense(kernel->tensor[0].format))
        kernel->notation->where = kernel->notation->is_true;
}

/* A line of the text of a plan without blanks at its end, and without a reason: *next is the line after it. */
static size_t plan_line(const char **next, const char *line)
{
    static const struct {
        const char *begin, *reason; /* the last one of these in the line */
    } lines[] = {{"the loops merge", ": "}, {"convert ", ": "}, {"threads: one", ", without effect: "}};
    const size_t length = strcspn(line, "\n"), blanks = strspn(line, " ");
    size_t n = length;
    *next = line + n + (line[n] != '\0');
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        for (size_t at = strlen(lines[k].begin) + blanks; at < length; at++)
            if (strncmp(line + blanks, lines[k].begin, strlen(lines[k].begin)) == 0 &&
                strncmp(line + at, lines[k].reason, strlen(lines[k].reason)) == 0)
                n = at;
    while (n > 0 && isspace((unsigned char)line[n - 1]))
        n--;
    return n;
}

/* Check that the text of the plan is the given one: what the schedule cannot ask for is not followed. */
static tsr_status follows_plan(const tsr_kernel *kernel, const char *given, tsr_error *err)
{
    tsr_text text = {0};
    tsr_status status = tsr_kernel_print(&text, kernel, TSR_KERNEL_GRAPH, err);
    const char *mine = tsr_text_cstr(&text);
    for (int number = 1; status == TSR_OK && (*given || *mine); number++) {
        const char *next_given, *next_mine;
        const size_t n = plan_line(&next_given, given), m = plan_line(&next_mine, mine);
        if (n != m || memcmp(given, mine, n) != 0)
            status = tsr_fail(
                err, TSR_UNSUPPORTED,
                "the plan cannot be followed: line %d is '%.*s', but the nearest plan has '%.*s' there",
                number, (int)(n < 150 ? n : 150), given, (int)(m < 150 ? m : 150), mine);
        given = next_given;
        mine = next_mine;
    }
    tsr_text_clear(&text);
    return status;
}

/* The error where the schedule that a plan's text asks for is refused. */
static tsr_status refuse_plan(tsr_status status, tsr_error *err)
{
    const tsr_error why = err ? *err : (tsr_error){0};
    return status == TSR_UNSUPPORTED || status == TSR_ARGUMENT
               ? tsr_fail(err, status, "the plan cannot be followed: %s", why.message)
               : status;
}

/* Plan and lower what is left of the statement, of which `given` describes the tensors. */
static tsr_status make_statement(tsr_kernel *kernel, const tsr_kernel_tensor *given, int ngiven,
                                 tsr_error *err)
{
    if (kernel->how.plan)
        TSR_TRY(tsr_schedule_read_plan(&kernel->schedule, kernel->how.plan, kernel->notation, err));
    if (kernel->schedule.deterministic)
        kernel->how.nthreads = TSR_DETERMINISTIC_NTHREADS;
    TSR_TRY(kernel_describe(kernel, given, ngiven, err));
    keep_true_entries(kernel);
    return lower(kernel, err);
}

static tsr_status make_kernel(tsr_kernel *kernel, const char *expression, const tsr_kernel_tensor *tensors,
                              int ntensors, tsr_error *err)
{
    const char *const plan = kernel->how.plan;
    tsr_status status = TSR_OK;
    tsr_text text = {0};
    tsr_kernel_tensor *given = NULL;
    TSR_TRY(tsr_program_parse(&kernel->notation, expression, tsr_functions_list(kernel->how.functions), err));
    const bool is_program = kernel->notation->nstatements > 0;
    if (kernel->how.takes == TSR_KERNEL_TAKES_NO_VALUES)
        kernel->notation->accumulate = false;
    if (!is_program)
        TSR_TRY(take_truth(kernel, err));
    TSR_TRY(tsr_semiring_parse(&kernel->ring, kernel->how.semiring, err));
    tsr_notation_print(&text, kernel->notation);
    TSR_TRY(tsr_text_take(&kernel->text.expression, &text, err));
    kernel->info.expression = kernel->text.expression;
    TSR_TRY_OUT(kernel_take_given(&given, tensors, ntensors, err));
    if (is_program) {
        status = kernel_make_program(kernel, given, ntensors, err);
        goto out;
    }
    TSR_TRY_OUT(take_reduction(kernel, err));
    TSR_TRY_OUT(kernel_rewrite(kernel, given, &ntensors, err));
    status = make_statement(kernel, given, ntensors, err);
    if (status != TSR_OK && plan)
        status = refuse_plan(status, err);
    if (status == TSR_OK && plan)
        status = follows_plan(kernel, plan, err);
    if (status != TSR_OK && (kernel->original || kernel->notation->is_rewritten) && err)
        err->col = 0; /* the column would be in a text that the caller has not written */
    TSR_TRY_OUT(status);
    kernel->cached_nbytes = kernel_assembles(kernel) ? tsr_last_cache_nbytes() / 2 : 0;
    status = kernel_choose_engine(kernel, &kernel->how, err);
out:
    tsr_free(given);
    return status;
}

tsr_status tsr_kernel_new(tsr_kernel **out, const char *expression, const tsr_kernel_tensor *tensors,
                          int ntensors, const tsr_kernel_options *options, tsr_error *err)
{
    *out = NULL;
    if (options)
        TSR_TRY(check_options(options, err));
    tsr_kernel *const kernel = tsr_calloc(1, sizeof *kernel);
    if (!kernel)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    if (options)
        kernel->how = *options;
    kernel->how.nthreads = tsr_thread_count(kernel->how.nthreads);
    const tsr_status status = make_kernel(kernel, expression, tensors, ntensors, err);
    if (status == TSR_OK)
        *out = kernel;
    else
        tsr_kernel_free(kernel);
    return status;
}

void tsr_kernel_free(tsr_kernel *kernel)
{
    if (!kernel)
        return;
    if (kernel->base) { /* the program, the notation and the texts are borrowed */
        kernel->code = NULL;
        kernel->operand = NULL;
        kernel->lowered = NULL;
        kernel->plan = NULL;
        kernel->storage = NULL;
        kernel->notation = kernel->original = NULL;
        kernel->text.schedule = kernel->text.expression = NULL;
    }
    kernel_groups_free(kernel->groups);
    tsr_kernel_free(kernel->last);
    kernel_open_free(kernel->open);
    kernel_storage_free(kernel->storage);
    kernel_code_free(kernel->code);
    tsr_lowered_free(kernel->lowered);
    tsr_free(kernel->operand);
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
    tsr_free(kernel->text.schedule);
    tsr_free(kernel->text.expression);
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

/* Append the C text or the header. */
static tsr_status print_c(tsr_text *text, const tsr_kernel *kernel, tsr_kernel_text what, tsr_error *err)
{
    char **texts, *buffer;
    const bool has_vectors = what == TSR_KERNEL_C || what == TSR_KERNEL_C_SHORT;
    tsr_emit_options how = {.signed_index = kernel->how.signed_index,
                            .cxx = kernel->how.cxx,
                            .scalar = kernel->schedule.scalar,
                            .target = kernel->how.target,
                            .has_header = kernel->how.has_header,
                            .short_text = what == TSR_KERNEL_C_SHORT || what == TSR_KERNEL_C11_SHORT};
    if (kernel_prints_several(kernel))
        return kernel_print_several(text, kernel, what, &how, err);
    TSR_TRY(kernel_param_texts(&texts, &buffer, &how.threads, kernel, err));
    how.param = (const char *const *)texts;
    const tsr_ir *const ir = has_vectors ? kernel->lowered->ir : kernel->lowered->plain;
    const tsr_status status =
        what == TSR_KERNEL_HEADER ? tsr_emit_header(text, ir, &how, err) : tsr_emit_c(text, ir, &how, err);
    tsr_free(texts);
    tsr_free(buffer);
    return status;
}

/* Append the loop programs, in the order in which they run. */
static void print_programs(tsr_text *text, const tsr_kernel *kernel)
{
    for (int k = 0; k < kernel->nsteps; k++)
        if (kernel->step[k].own) {
            print_programs(text, kernel->step[k].own);
            tsr_text_add(text, "\n");
        }
    if (kernel->last)
        print_programs(text, kernel->last);
    else
        tsr_ir_print(text, kernel->lowered->plain);
}

tsr_status tsr_kernel_print(tsr_text *text, const tsr_kernel *kernel, tsr_kernel_text what, tsr_error *err)
{
    if (what == TSR_KERNEL_RUNTIME)
        return tsr_emit_runtime(text, kernel->how.target, err);
    if (kernel->last && what == TSR_KERNEL_GRAPH)
        return kernel_print_program(text, kernel, err);
    if (kernel->original && what == TSR_KERNEL_GRAPH)
        TSR_TRY(kernel_print_steps(text, kernel, err));
    if (what == TSR_KERNEL_IR)
        print_programs(text, kernel);
    else if (what == TSR_KERNEL_GRAPH)
        tsr_plan_print(text, kernel->plan);
    else
        TSR_TRY(print_c(text, kernel, what, err));
    return tsr_text_status(text, err);
}
