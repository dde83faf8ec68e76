/* Making the steps of a kernel. A step computes a part of the statement before the kernel itself, as a rule asks (tsr_rules.h): the
 * tensor of the step stands for the part in the statement that is left. */
#include <stdio.h>
#include <string.h>

#include "kernel_steps.h"
#include "tsr_text.h"

static bool is_name_used(const tsr_kernel *kernel, const char *name)
{
    for (int k = 0; k < kernel->nsteps; k++)
        if (strcmp(kernel->step[k].name, name) == 0 || strcmp(kernel->step[k].inner, name) == 0)
            return true;
    return tsr_notation_find_tensor(kernel->original, name) >= 0 ||
           tsr_notation_find_var(kernel->original, name) >= 0;
}

/* Set `name` to the first text of the stem, a number from `number` on, and the end that neither the expression nor another step has. */
static void find_name(char *name, const tsr_kernel *kernel, const char *stem, int number, const char *end)
{
    char made[KERNEL_STEP_MAX_NAME];
    do
        snprintf(made, sizeof made, "%.*s%d%s", KERNEL_STEP_MAX_NAME - 16, stem, number++, end);
    while (is_name_used(kernel, made));
    memcpy(name, made, sizeof made);
}

void kernel_step_print_access(tsr_text *text, const kernel_step *step, const tsr_notation *notation)
{
    tsr_text_add(text, step->name);
    for (int m = 0; m < step->order; m++)
        tsr_text_addf(text, "%c%s", m ? ',' : '(',
                      step->var[m] < 0 ? step->inner : notation->var[step->var[m]]);
    tsr_text_add(text, step->order ? ")" : "");
}

const tsr_kernel_tensor *kernel_find_given(const tsr_kernel_tensor *given, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(given[i].name, name) == 0)
            return &given[i];
    return NULL;
}

bool kernel_is_given_dense(const tsr_kernel_tensor *given)
{
    return !given || !given->format || tsr_format_is_dense(given->format);
}

tsr_type kernel_given_type(const tsr_kernel_tensor *given)
{
    return given ? given->type : TSR_NTYPES;
}

/* ---- the kernel of a step ---- */

/* The schedule of the kernels of steps: items are about the kernel itself, but a deterministic kernel has deterministic steps. */
static const char *step_schedule(const kernel_maker *m)
{
    tsr_schedule schedule; /* the caller reports an error in it */
    return tsr_schedule_parse(&schedule, m->kernel->how.schedule, m->kernel->original, NULL) == TSR_OK &&
                   schedule.deterministic
               ? "deterministic"
               : NULL;
}

/* The caller's description of tensor t of kernel->original; NULL: the caller has not described it. */
static const tsr_kernel_tensor *given_for(const kernel_maker *m, int t)
{
    return kernel_find_given(m->given, m->ngiven, m->kernel->original->tensor[t].name);
}

tsr_kernel_tensor kernel_describe_step(const kernel_step *step)
{
    return (tsr_kernel_tensor){.name = step->name,
                               .format = step->format,
                               .dims = step->dims,
                               .type = step->type,
                               .index_nbytes = (uint8_t)kernel_step_width(step)};
}

int kernel_select_given(tsr_kernel_tensor *out, const kernel_maker *m, const tsr_notation *of, int first)
{
    int n = 0;
    for (int i = 0; i < m->ngiven; i++)
        if (tsr_notation_find_tensor(of, m->given[i].name) >= first)
            out[n++] = m->given[i];
    for (const kernel_step *step = m->kernel->step; step < m->kernel->step + m->kernel->nsteps; step++)
        if (tsr_notation_find_tensor(of, step->name) >= first &&
            !kernel_find_given(m->given, m->ngiven, step->name))
            out[n++] = kernel_describe_step(step);
    return n;
}

/* Describe the tensors of the kernel of the step, whose notation is `own`: its result first; returns their number. */
static int describe_own(tsr_kernel_tensor *out, const kernel_maker *m, const kernel_step *step,
                        const tsr_notation *own)
{
    *out = kernel_describe_step(step);
    return 1 + kernel_select_given(out + 1, m, own, 1);
}

/* Room for the descriptions of the tensors of a step; NULL: out of memory. */
static tsr_kernel_tensor *new_tensors(const kernel_maker *m)
{
    return tsr_malloc(((size_t)m->ngiven + (size_t)m->kernel->nsteps + 1) * sizeof(tsr_kernel_tensor));
}

/* Make the kernel that computes step->text, a right side over the variables of the step. */
static tsr_status make_own(kernel_step *step, const kernel_maker *m, const char *semiring, tsr_error *err)
{
    const tsr_notation *const notation = m->kernel->original;
    tsr_text text = {0};
    tsr_kernel_options how = m->kernel->how;
    how.values_only = false;
    how.plan = NULL;
    how.takes = TSR_KERNEL_TAKES_NO_VALUES;
    how.schedule = step_schedule(m);
    how.semiring = semiring;
    kernel_step_print_access(&text, step, notation);
    tsr_text_addf(&text, " %s= %s", step->how, step->text);
    if (step->keeps_true)
        tsr_text_addf(&text, " where %s != 0", step->name);
    tsr_kernel_tensor *const tensors = new_tensors(m);
    tsr_notation *own = NULL;
    tsr_status status =
        tensors ? tsr_text_status(&text, err) : tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    if (status == TSR_OK)
        status = tsr_notation_parse_with(&own, tsr_text_cstr(&text),
                                         tsr_functions_list(m->kernel->how.functions), err);
    if (status == TSR_OK)
        status = tsr_kernel_new(&step->own, tsr_text_cstr(&text), tensors,
                                describe_own(tensors, m, step, own), &how, err);
    if (status == TSR_OK)
        step->type = step->own->tensor[0].operand.type;
    tsr_notation_free(own);
    tsr_free(tensors);
    tsr_text_clear(&text);
    return status;
}

/* ---- making a step ---- */

/* Add a variable, by its number in kernel->original; -1: the inner one. */
static void add_var(kernel_step *step, int v, uint64_t dim)
{
    step->dims[step->order] = dim;
    step->var[step->order++] = v;
}

/* Whether the columns of the product come first: the statement has its loop over the rows of another factor outside, so that it reads
 * T1_(l,j) of A(i,j)*T1_(l,j) by j. */
static bool is_by_columns(const kernel_step *step, const tsr_notation *original)
{
    return step->order == 2 && step->var[0] < original->nfree && step->var[1] >= original->nfree &&
           step->var[0] != original->result->index[0];
}

/* A step that computes an expression. */
static tsr_status make_statement(kernel_step *step, const kernel_maker *m, const tsr_rules_step *of,
                                 tsr_error *err)
{
    enum { DENSE_ROWS = 1 << 22 };
    const tsr_notation *const original = m->kernel->original, *const notation = m->kernel->notation;
    for (int v = 0; v < notation->nvars; v++) {
        const int own = tsr_notation_find_var(original, notation->var[v]);
        if (!(of->vars >> v & 1))
            continue;
        if (own < 0)
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "precompute: the product of these operands has a list of coordinates: leave it out");
        if (step->order == TSR_MAX_ORDER)
            return tsr_fail_at(err, TSR_LIMIT, NULL, 0, of->expr ? of->expr->col : notation->rhs_col,
                               "a part of the expression has more than %d variables", TSR_MAX_ORDER);
        add_var(step, own, m->size[v]);
    }
    step->text = tsr_strdup(of->text);
    if (!step->text)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    if (of->is_dense || step->order == 0)
        TSR_TRY(tsr_format_dense(&step->format, step->order, NULL, err));
    else {
        static const int columns[] = {1, 0};
        const bool turns = of->is_product && is_by_columns(step, original);
        const bool has_rows = of->is_product && step->order > 1 && step->dims[turns] <= DENSE_ROWS;
        TSR_TRY(tsr_format_nested(&step->format, step->order, has_rows, turns ? columns : NULL, err));
    }
    return make_own(step, m, of->semiring, err);
}

/* The dim of mode k of the access, of which a window may be a part. */
static uint64_t whole_dim(const kernel_maker *m, const tsr_expr *access, int k)
{
    const tsr_kernel_tensor *const given = given_for(m, access->tensor);
    const tsr_mode_window *const window = tsr_expr_window(access, k);
    return given && given->dims ? given->dims[k] : window ? window->behind : m->size[access->index[k]];
}

/* A step of the entries of a sparse result before the run: "Y_before", if nothing else has this name. */
static tsr_status make_old(kernel_step *step, const kernel_maker *m, tsr_error *err)
{
    const tsr_expr *const result = m->kernel->original->result;
    const tsr_kernel_tensor *const given = given_for(m, 0);
    char name[KERNEL_STEP_MAX_NAME];
    const int n = snprintf(name, sizeof name, "%s_before", m->kernel->original->tensor[0].name);
    if (n < KERNEL_STEP_MAX_NAME && !is_name_used(m->kernel, name))
        memcpy(step->name, name, sizeof name);
    for (int k = 0; k < result->nindices; k++)
        add_var(step, result->index[k], whole_dim(m, result, k));
    return tsr_format_copy(&step->format, given->format, err);
}

/* Whether the rows of the matrix of a list are dense: not if they are more than these, and than four for each entry. */
static bool has_dense_rows(const kernel_step *step)
{
    enum { DENSE_ROWS = 1 << 20 };
    return step->dims[0] <= DENSE_ROWS || step->dims[0] / 4 <= step->dims[step->turned];
}

/* A step of the matrix of a list. */
static tsr_status make_list(kernel_step *step, const kernel_maker *m, tsr_error *err)
{
    const tsr_notation *const notation = m->kernel->original;
    const int v = step->expr->index[step->mode];
    const uint64_t dims[2] = {m->size[v], whole_dim(m, step->expr, step->mode)};
    char stem[KERNEL_STEP_MAX_NAME];
    step->turned = step->expr == notation->result && step->mode == 0;
    snprintf(stem, sizeof stem, "%.*s_", KERNEL_STEP_MAX_NAME - 17, notation->var[v]);
    find_name(step->inner, m->kernel, stem, 1, "");
    for (int d = 0; d < 2; d++)
        add_var(step, d == step->turned ? v : -1, dims[d != step->turned]);
    return tsr_format_nested(&step->format, 2, has_dense_rows(step), NULL, err);
}

/* A step of a band: rows of runs of equal values. */
static tsr_status make_band(kernel_step *step, const kernel_maker *m, tsr_error *err)
{
    const tsr_level_spec levels[] = {{.type = tsr_level_of_cells}, {.type = tsr_level_of_runs}};
    for (int k = 0; k < 2; k++)
        add_var(step, step->expr->index[k], m->size[step->expr->index[k]]);
    return tsr_format_permuted(&step->format, 2, levels, (const int[]){0, 1}, err);
}

tsr_status kernel_make_step(tsr_rules_maker *maker, tsr_rules_made *made, const tsr_rules_step *of,
                            tsr_error *err)
{
    kernel_maker *const m = (kernel_maker *)maker;
    tsr_kernel *const kernel = m->kernel;
    tsr_status status = TSR_OK;
    if (!kernel->original)
        kernel->original = kernel->notation;
    if (!kernel->step && !(kernel->step = tsr_calloc(TSR_NOTATION_MAX_TENSORS, sizeof *kernel->step)))
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    if (!m->has_sizes)
        TSR_TRY(kernel_step_sizes(m->size, kernel->notation, m->given, m->ngiven, err));
    m->has_sizes = true;
    kernel_step *const step = &kernel->step[kernel->nsteps];
    find_name(step->name, kernel, "T", kernel->nsteps + 1, "_");
    kernel->nsteps++;
    step->kind = of->kind;
    step->expr = of->expr;
    step->mode = of->mode;
    step->type = of->type;
    step->how = of->how;
    step->keeps_true = of->keeps_true;
    if (of->kind == TSR_RULES_OLD)
        status = make_old(step, m, err);
    else if (of->kind == TSR_RULES_LIST)
        status = make_list(step, m, err);
    else if (of->kind == TSR_RULES_BAND)
        status = make_band(step, m, err);
    else
        status = make_statement(step, m, of, err);
    *made = (tsr_rules_made){step->name, step->inner, step->type};
    if (of->becomes != TSR_NTYPES)
        step->type = of->becomes;
    else if (of->needs_doubles && !tsr_type_is_double(step->type) && tsr_type_class(step->type) != 'C')
        step->type = TSR_F64;
    if (step->type != made->type)
        step->exact_for = of->exact_for;
    return status;
}

bool kernel_has_open_steps(const tsr_kernel *kernel)
{
    for (int k = 0; k < kernel->nsteps; k++)
        if (kernel->step[k].own ? !kernel->step[k].own->open : kernel->step[k].kind != TSR_RULES_LIST)
            return false;
    return true;
}

/* The dim of mode d of the step's result. */
static uint64_t step_dim(const kernel_maker *m, const kernel_step *step, int d)
{
    return step->var[d] < 0 ? whole_dim(m, step->expr, step->mode) : m->size[step->var[d]];
}

tsr_status kernel_rebind_steps(kernel_maker *m, const tsr_kernel *base, tsr_error *err)
{
    tsr_kernel *const kernel = m->kernel;
    TSR_TRY(kernel_step_sizes(m->size, base->original, m->given, m->ngiven, err));
    kernel->step = tsr_calloc(TSR_NOTATION_MAX_TENSORS, sizeof *kernel->step);
    for (int k = 0; kernel->step && k < base->nsteps; k++) {
        const kernel_step *const like = &base->step[k];
        kernel_step *const step = &kernel->step[kernel->nsteps++];
        tsr_kernel_tensor *const tensors = new_tensors(m);
        *step = *like;
        step->own = NULL;
        step->text = like->text ? tsr_strdup(like->text) : NULL;
        for (int d = 0; d < step->order; d++)
            step->dims[d] = step_dim(m, step, d);
        tsr_status status = tsr_format_copy(&step->format, like->format, err);
        if (status == TSR_OK && (!tensors || (like->text && !step->text)))
            status = tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
        if (status == TSR_OK && step->kind == TSR_RULES_LIST && has_dense_rows(step) != has_dense_rows(like))
            status = tsr_fail(err, TSR_UNSUPPORTED,
                              "the matrix of a list is stored in another format for these sizes");
        if (status == TSR_OK && like->own)
            status = tsr_kernel_rebind(&step->own, like->own, tensors,
                                       describe_own(tensors, m, step, kernel_notation(like->own)), err);
        tsr_free(tensors);
        TSR_TRY(status);
    }
    return kernel->step ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
}

/* ---- what is left ---- */

/* Whether the right side that is left reads the tensor. */
static bool is_computed_from(const tsr_kernel *kernel, const char *name)
{
    const int t = tsr_notation_find_tensor(kernel->notation, name);
    return t > 0 && tsr_notation_computes(kernel->notation, t);
}

/* Give the entries before the run the type of the result where the caller has not said it: the common type of what the kernel itself
 * reads, as the values of functions may have another type than their arguments. */
void kernel_settle_old(const kernel_maker *m)
{
    const tsr_kernel *const kernel = m->kernel;
    tsr_type type = TSR_PATTERN;
    for (int i = 0; i < m->ngiven; i++)
        if (is_computed_from(kernel, m->given[i].name))
            type = tsr_type_common(type, kernel_given_type(&m->given[i]));
    for (int k = 0; k < kernel->nsteps; k++)
        if (kernel->step[k].type != TSR_NTYPES && is_computed_from(kernel, kernel->step[k].name))
            type = tsr_type_common(type, kernel->step[k].type);
    if (tsr_expr_has_coordinate(kernel->notation->rhs))
        type = tsr_type_common(type, TSR_I64);
    for (int k = 0; k < kernel->nsteps; k++)
        if (kernel->step[k].type == TSR_NTYPES)
            kernel->step[k].type = type == TSR_PATTERN ? TSR_F64 : type;
}

void kernel_free_steps(tsr_kernel *kernel)
{
    for (int k = 0; k < kernel->nsteps; k++) {
        tsr_kernel_free(kernel->step[k].own);
        tsr_format_free(kernel->step[k].format);
        tsr_free(kernel->step[k].text);
    }
    tsr_free(kernel->step);
    kernel->step = NULL;
    kernel->nsteps = 0;
}
