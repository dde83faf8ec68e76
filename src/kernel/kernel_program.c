/* Kernels of several statements. Each statement but the last is a step, whose result has the name that the statement gives it; the
 * last one is a kernel of its own, whose result is the result of all. */
#include <inttypes.h>
#include <string.h>

#include "kernel_steps.h"

/* The size of a variable of a statement; TSR_NOTATION_UNKNOWN: no operand has the variable. */
static uint64_t size_of(const kernel_program *p, const tsr_notation *own, int var)
{
    const int v = tsr_notation_find_var(p->notation, own->var[var]);
    return v < 0 ? TSR_NOTATION_UNKNOWN : p->size[v];
}

/* Take the descriptions of the caller, with the dims that follow from other tensors. */
static tsr_status take_tensors(kernel_program *p, const tsr_kernel_tensor *given, int n)
{
    TSR_TRY(kernel_step_sizes(p->size, p->notation, given, n, p->err));
    for (int i = 0; i < n; i++) {
        const int t = tsr_notation_find_tensor(p->notation, given[i].name);
        const tsr_expr *const access = tsr_notation_access(p->notation, t);
        const bool has_dims = given[i].dims || tsr_expr_has_window(access, false);
        p->tensor[p->n] = given[i];
        for (int m = 0; !has_dims && m < access->nindices; m++)
            p->dims[t][m] = p->size[access->index[m]];
        p->tensor[p->n++].dims = has_dims ? given[i].dims : p->dims[t];
    }
    return TSR_OK;
}

int kernel_select_tensors(tsr_kernel_tensor *to, const kernel_program *p, const tsr_notation *own)
{
    const kernel_maker m = {.kernel = p->kernel, .given = p->tensor, .ngiven = p->n};
    return kernel_select_given(to, &m, own, 1);
}

tsr_kernel_options kernel_statement_options(const kernel_program *p)
{
    tsr_kernel_options how = p->kernel->how;
    how.values_only = TSR_KERNEL_ALL;
    how.plan = NULL;
    how.any_size = false;
    how.made = NULL;
    how.nmade = 0;
    how.pool = NULL; /* what runs together is known when all is compiled */
    return how;
}

/* The type that the caller asks of the result of the last statement. */
static tsr_type result_type(const kernel_program *p)
{
    return kernel_given_type(kernel_find_given(p->tensor, p->n, p->notation->tensor[0].name));
}

tsr_status kernel_settle(tsr_kernel *kernel, const kernel_program *p)
{
    const tsr_kernel_options how = kernel_statement_options(p);
    for (int k = 0; k < kernel->nsteps; k++)
        if (kernel->step[k].own)
            TSR_TRY(kernel_settle(kernel->step[k].own, p));
    return kernel_choose_engine(kernel, &how, p->err);
}

/* Describe the result of a statement: the format that suits it, and the dims as far as they are known. */
static tsr_status describe_result(tsr_kernel_tensor *to, kernel_step *step, const kernel_program *p,
                                  const tsr_notation *own, tsr_kernel_tensor *tensors, int n)
{
    const tsr_kernel_question question = {step->text, tensors, n, p->kernel->how.functions};
    const tsr_expr *const result = own->result;
    const char *operand;
    bool is_known = true;
    /* whether it is sparse depends on the statement and not on sizes, as statements can tell zeros from absent entries; but they
     * cannot in a format with dense blocks, which therefore only a large result has */
    TSR_TRY(tsr_kernel_propose_format(&step->format, &question, p->err));
    if (!step->format && result->nindices > 0) {
        TSR_TRY(tsr_kernel_propose_pattern(&step->format, &operand, &question, p->err));
        if (step->format && tsr_format_has_dense_leaf(step->format)) {
            tsr_format_free(step->format);
            step->format = NULL;
        }
    }
    step->order = result->nindices;
    for (int m = 0; m < result->nindices; m++) {
        step->dims[m] = size_of(p, own, result->index[m]);
        is_known = is_known && step->dims[m] != TSR_NOTATION_UNKNOWN;
    }
    if (!step->format)
        TSR_TRY(tsr_format_dense(&step->format, step->order, NULL, p->err));
    *to = (tsr_kernel_tensor){.name = step->name,
                              .format = step->format,
                              .dims = is_known ? step->dims : NULL,
                              .index_nbytes = (uint8_t)(is_known ? kernel_step_width(step) : 0),
                              .type = own->ntensors > 1 ? TSR_NTYPES : result_type(p)};
    return TSR_OK;
}

tsr_status kernel_statement_text(char **out, const tsr_notation *own, tsr_error *err)
{
    tsr_text text = {0};
    tsr_notation_print(&text, own);
    return tsr_text_take(out, &text, err);
}

/* Make the step of statement k. */
static tsr_status make_statement(kernel_program *p, int k)
{
    const tsr_notation *const own = p->notation->statement[k];
    const char *const name = own->tensor[0].name;
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS];
    tsr_kernel_options how = kernel_statement_options(p);
    kernel_step *const step = &p->kernel->step[p->kernel->nsteps];
    if (strlen(name) >= KERNEL_STEP_MAX_NAME)
        return tsr_fail(p->err, TSR_LIMIT, "the name '%.40s...' of a result has more than %d bytes", name,
                        KERNEL_STEP_MAX_NAME - 1);
    how.engine = TSR_ENGINE_INTERPRETER; /* kernel_fuse compiles what runs */
    how.takes = TSR_KERNEL_TAKES_NO_VALUES;
    p->kernel->nsteps++;
    step->kind = TSR_RULES_STATEMENT;
    step->is_statement = true;
    memcpy(step->name, name, strlen(name) + 1);
    TSR_TRY(kernel_statement_text(&step->text, own, p->err));
    int n = kernel_select_tensors(tensors, p, own);
    TSR_TRY(describe_result(&tensors[n], step, p, own, tensors, n));
    TSR_TRY(tsr_kernel_new(&step->own, step->text, tensors, n + 1, &how, p->err));
    const kernel_tensor *const made = &step->own->tensor[0];
    step->type = made->operand.type;
    memcpy(step->dims, made->dims, sizeof step->dims);
    p->tensor[p->n++] = kernel_describe_step(step);
    return TSR_OK;
}

/* Make all statements but the last. */
static tsr_status make_statements(kernel_program *p, const tsr_kernel_tensor *tensors, int ntensors)
{
    p->kernel->step = tsr_calloc(TSR_NOTATION_MAX_TENSORS, sizeof *p->kernel->step);
    if (!p->kernel->step)
        return tsr_fail(p->err, TSR_NOMEM, "out of memory: a kernel");
    TSR_TRY(take_tensors(p, tensors, ntensors));
    for (int k = 0; k < p->notation->nstatements - 1; k++) {
        const tsr_status status = make_statement(p, k);
        if (status != TSR_OK && p->err) {
            tsr_error why = *p->err;
            tsr_fail(p->err, status, "statement %d: %s", k + 1, why.message);
        }
        TSR_TRY(status);
    }
    return TSR_OK;
}

/* Add what a kernel that runs tells about itself. */
static void add_info(tsr_kernel *kernel, const tsr_kernel *of)
{
    const tsr_kernel_info *const own = &of->info;
    kernel->info.lower_ns += own->lower_ns;
    kernel->info.compile_ns += own->compile_ns;
    kernel->info.load_ns += own->load_ns;
    kernel->info.from_cache = kernel->info.from_cache && own->from_cache;
    kernel->info.warning = kernel->info.warning ? kernel->info.warning : own->warning;
    if (own->engine == TSR_ENGINE_INTERPRETER || kernel->info.engine == TSR_ENGINE_BUILTIN)
        kernel->info.engine = own->engine;
}

/* Set what the kernel tells about itself, from its parts. */
static void sum_up(tsr_kernel *kernel)
{
    kernel->info.engine = TSR_ENGINE_BUILTIN;
    kernel->info.from_cache = true;
    kernel->info.schedule = "";
    for (int k = 0; k <= kernel->nsteps; k++) {
        const kernel_group *const g = kernel_group_at(kernel, k);
        for (int i = 0; g && i < g->n; i++)
            add_info(kernel, g->part[i].block);
        if (!g)
            add_info(kernel, kernel_of_statement(kernel, k));
        k += g ? g->n - 1 : 0;
    }
}

/* A schedule or a plan is about the loops of one statement. */
static tsr_status check_options(const kernel_program *p)
{
    const char *const schedule = p->kernel->how.schedule;
    if (p->kernel->how.plan)
        return tsr_fail(p->err, TSR_UNSUPPORTED,
                        "a plan is for one statement, and there are %d: give each to a kernel of its own",
                        p->notation->nstatements);
    if (schedule && *schedule && strcmp(schedule, "deterministic") != 0)
        return tsr_fail(
            p->err, TSR_UNSUPPORTED,
            "the schedule of several statements can only be deterministic, not '%.60s': give each "
            "statement to a kernel of its own",
            schedule);
    return TSR_OK;
}

/* A program on the heap, as it is large, with all statements but the last. */
static tsr_status open_program(kernel_program **out, tsr_kernel *kernel, const tsr_notation *notation,
                               const tsr_kernel_tensor *tensors, int ntensors, tsr_error *err)
{
    kernel_program *const p = *out = tsr_calloc(1, sizeof *p);
    if (!p)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    *p = (kernel_program){.kernel = kernel, .notation = notation, .err = err};
    TSR_TRY(check_options(p));
    return make_statements(p, tensors, ntensors);
}

/* Make the kernel of the last statement. */
static tsr_status make_last(kernel_program *p, int ntensors)
{
    const tsr_notation *const own = p->notation->statement[p->notation->nstatements - 1];
    tsr_kernel_tensor with[TSR_NOTATION_MAX_TENSORS + 1];
    tsr_kernel_options how = kernel_statement_options(p);
    char *text;
    int n = 0;
    const tsr_kernel_tensor *const result = kernel_find_given(p->tensor, ntensors, own->tensor[0].name);
    how.engine = TSR_ENGINE_INTERPRETER; /* kernel_fuse compiles what runs */
    how.takes =
        TSR_KERNEL_TAKES_NO_LEVELS; /* the operands of the run need not be there when the result is made */
    if (result)
        with[n++] = *result;
    n += kernel_select_tensors(with + n, p, own);
    TSR_TRY(kernel_statement_text(&text, own, p->err));
    const tsr_status status = tsr_kernel_new(&p->kernel->last, text, with, n, &how, p->err);
    tsr_free(text);
    if (p->err)
        p->err->col = 0; /* it counts in the last statement alone */
    return status;
}

tsr_status kernel_make_program(tsr_kernel *kernel, const tsr_kernel_tensor *tensors, int ntensors,
                               tsr_error *err)
{
    kernel_program *p;
    tsr_status status = TSR_OK;
    kernel->original = kernel->notation;
    kernel->notation = NULL;
    kernel->how.values_only = TSR_KERNEL_ALL;
    TSR_TRY_OUT(open_program(&p, kernel, kernel->original, tensors, ntensors, err));
    TSR_TRY_OUT(make_last(p, ntensors));
    TSR_TRY_OUT(kernel_fuse(p));
    for (int k = 0; !kernel->groups && k <= kernel->nsteps; k++)
        TSR_TRY_OUT(kernel_settle(kernel_of_statement(kernel, k), p));
    sum_up(kernel);
out:
    tsr_free(p);
    return status;
}

tsr_status kernel_propose_program(tsr_format **out, const tsr_notation *notation,
                                  const tsr_kernel_question *asked, tsr_error *err)
{
    const tsr_notation *const own = notation->statement[notation->nstatements - 1];
    tsr_kernel_tensor with[TSR_NOTATION_MAX_TENSORS], *given = NULL;
    char *text = NULL;
    kernel_program *p = NULL;
    tsr_status status = TSR_OK;
    *out = NULL;
    tsr_kernel *const kernel = tsr_calloc(1, sizeof *kernel);
    if (!kernel)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    kernel->how.functions = asked->functions;
    TSR_TRY_OUT(kernel_take_given(&given, asked->tensors, asked->ntensors, err));
    TSR_TRY_OUT(open_program(&p, kernel, notation, given, asked->ntensors, err));
    TSR_TRY_OUT(kernel_statement_text(&text, own, err));
    const tsr_kernel_question last = {text, with, kernel_select_tensors(with, p, own), asked->functions};
    status = tsr_kernel_propose_format(out, &last, err);
out:
    tsr_free(text);
    tsr_free(p);
    tsr_free(given);
    tsr_kernel_free(kernel);
    return status;
}

#if TSR_HAVE_FUSION
static void print_group(tsr_text *text, const tsr_kernel *kernel, const kernel_group *g)
{
    const char *const row = kernel_of_statement(kernel, g->first)->text.expression;
    const int n = (int)(strcspn(row, ",)") - strcspn(row, "(") - 1);
    tsr_text_addf(text, "statements %d to %d ", g->first + 1, g->first + g->n);
    if (!g->is_fused) {
        tsr_text_addf(text,
                      "could run together over rows of %.*s, but no result between them that is dense, or "
                      "has the entries of an "
                      "operand, is larger than a cache\n",
                      n, row + strcspn(row, "(") + 1);
        return;
    }
    tsr_text_addf(text, "run together over blocks of %" PRIu64 " rows of %.*s", g->block, n,
                  row + strcspn(row, "(") + 1);
    for (int i = 0; i < g->n; i++)
        if (g->part[i].is_inside)
            tsr_text_addf(text, "; %s is kept for a block", kernel->step[g->first + i].name);
    tsr_text_add(text, "\n");
}

static void print_groups(tsr_text *text, const tsr_kernel *kernel)
{
    const struct kernel_groups *const groups = kernel->groups;
    for (int i = 0; groups && i < groups->n; i++) {
        const kernel_group *const g = &groups->group[i];
        if (groups->why[g->first])
            tsr_text_addf(text, "statement %d runs by itself: %s\n", g->first + 1, groups->why[g->first]);
        if (g->n > 1)
            print_group(text, kernel, g);
    }
}
#endif

tsr_status kernel_print_program(tsr_text *text, const tsr_kernel *kernel, tsr_error *err)
{
    for (int k = 0; k < kernel->nsteps; k++) {
        const kernel_step *const step = &kernel->step[k];
        tsr_text_addf(text, "statement %d: %s, stored as ", k + 1, step->text);
        tsr_format_print_name(text, step->format);
        tsr_text_add(text, "\n");
        TSR_TRY(tsr_kernel_print(text, step->own, TSR_KERNEL_GRAPH, err));
    }
    tsr_text_addf(text, "statement %d: %s\n", kernel->nsteps + 1, kernel->last->text.expression);
    TSR_TRY(tsr_kernel_print(text, kernel->last, TSR_KERNEL_GRAPH, err));
#if TSR_HAVE_FUSION
    print_groups(text, kernel);
#endif
    return tsr_text_status(text, err);
}
