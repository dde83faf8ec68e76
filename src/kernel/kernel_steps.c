/* Making the steps of a kernel. A step computes a part of the expression before the kernel itself: a
 * function of sparse tensors, a window, the entries of a sparse
 * result to which the kernel adds, an expression that is reduced with another operation than a sum, or a
 * product of two factors (kernel_products.c). In the expression of the kernel a tensor replaces each part. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel_steps.h"
#include "tsr_text.h"

/* Whether e is a product or a quotient, perhaps with a minus, without sums. */
static bool is_product(const tsr_expr *e)
{
    if (e->kind == TSR_EXPR_MUL || e->kind == TSR_EXPR_DIV)
        return is_product(e->a) && is_product(e->b);
    return e->kind == TSR_EXPR_NEG ? is_product(e->a) : !kernel_is_sum(e);
}

static bool is_name_used(const tsr_kernel *kernel, const char *name)
{
    for (int k = 0; k < kernel->nsteps; k++)
        if (strcmp(kernel->step[k].name, name) == 0)
            return true;
    return tsr_notation_find_tensor(kernel->original, name) >= 0 ||
           tsr_notation_find_var(kernel->original, name) >= 0;
}

/* Set `name` to the first of "T1_", "T2_"... that neither the expression nor another step has. */
static void name_step(char *name, const tsr_kernel *kernel)
{
    char made[KERNEL_STEP_MAX_NAME];
    int number = kernel->nsteps;
    do
        snprintf(made, sizeof made, "T%d_", ++number);
    while (is_name_used(kernel, made));
    memcpy(name, made, sizeof made);
}

void kernel_step_print_access(tsr_text *text, const kernel_step *step, const tsr_notation *notation)
{
    tsr_text_add(text, step->name);
    for (int m = 0; m < step->order; m++)
        tsr_text_addf(text, "%c%s", m ? ',' : '(', notation->var[step->var[m]]);
    tsr_text_add(text, step->order ? ")" : "");
}

bool kernel_is_given_dense(const tsr_kernel_tensor *given)
{
    const tsr_format *const format = !given ? NULL : given->tensor ? given->tensor->format : given->format;
    return !format || tsr_format_is_dense(format);
}

/* The set of tensors that the caller has described as sparse. */
uint32_t kernel_sparse_set(const tsr_notation *notation, const tsr_kernel_tensor *given, int ngiven)
{
    uint32_t set = 0;
    for (int i = 0; i < ngiven; i++) {
        const int t = tsr_notation_find_tensor(notation, given[i].name ? given[i].name : "");
        if (t > 0 && !kernel_is_given_dense(&given[i]))
            set |= UINT32_C(1) << t;
    }
    return set;
}

/* ---- making a step ---- */

bool kernel_same_text(const tsr_kernel *kernel, const tsr_expr *a, const tsr_expr *b)
{
    tsr_text first = {0}, second = {0};
    if (!a)
        return false;
    tsr_expr_print(&first, kernel->original, a);
    tsr_expr_print(&second, kernel->original, b);
    const bool same =
        !first.failed && !second.failed && strcmp(tsr_text_cstr(&first), tsr_text_cstr(&second)) == 0;
    tsr_text_clear(&first);
    tsr_text_clear(&second);
    return same;
}

/* The schedule of the kernels of steps: items are about the kernel itself, but a deterministic kernel has deterministic steps. */
static const char *step_schedule(const kernel_maker *m)
{
    tsr_schedule schedule; /* the caller reports an error in it */
    return tsr_schedule_parse(&schedule, m->options->schedule, m->kernel->original, NULL) == TSR_OK &&
                   schedule.deterministic
               ? "deterministic"
               : NULL;
}

const tsr_kernel_tensor *kernel_given_for(const kernel_maker *m, int t)
{
    for (int i = 0; i < m->ngiven; i++)
        if (strcmp(m->given[i].name, m->kernel->original->tensor[t].name) == 0)
            return &m->given[i];
    return NULL;
}

tsr_type kernel_operands_type(const kernel_maker *m, uint32_t of)
{
    tsr_type type = TSR_PATTERN;
    for (int i = 0; i < m->ngiven; i++) {
        const int t = tsr_notation_find_tensor(m->kernel->original, m->given[i].name);
        if (t > 0 && of >> t & 1)
            type = kernel_common_type(type, kernel_given_type(&m->given[i]));
    }
    if (type != TSR_PATTERN)
        return type;
    const tsr_kernel_tensor *const result = kernel_given_for(m, 0);
    return result && kernel_given_type(result) != TSR_NTYPES ? kernel_given_type(result) : TSR_F64;
}

/* Make the format of the step: sorted levels, or dense levels. */
static tsr_status sorted_format(tsr_format **out, int order, bool is_dense, tsr_error *err)
{
    return is_dense || order == 0 ? tsr_format_dense(out, order, NULL, err)
                                  : tsr_format_nested(out, order, 0, NULL, err);
}

/* Set the variables of the step to those of the set. */
static tsr_status take_vars(kernel_step *step, const kernel_maker *m, uint32_t vars)
{
    for (int v = 0; v < m->kernel->original->nvars; v++) {
        if (!(vars >> v & 1))
            continue;
        if (step->order == TSR_MAX_ORDER)
            return tsr_fail_at(m->err, TSR_LIMIT, NULL, 0,
                               step->expr ? step->expr->col : m->kernel->original->rhs_col,
                               "a part of the expression has more than %d variables", TSR_MAX_ORDER);
        step->dims[step->order] = m->size[v];
        step->var[step->order++] = v;
    }
    return TSR_OK;
}

tsr_type kernel_given_type(const tsr_kernel_tensor *given)
{
    return !given ? TSR_NTYPES : given->tensor ? given->tensor->type : given->type;
}

static tsr_status make_window(kernel_step *step, const kernel_maker *m)
{
    const tsr_expr *const e = step->expr;
    const tsr_kernel_tensor *const given = kernel_given_for(m, e->tensor);
    if (!given)
        return tsr_fail(m->err, TSR_ARGUMENT, "missing the tensor %s",
                        m->kernel->original->tensor[e->tensor].name);
    step->order = e->nindices;
    for (int k = 0; k < e->nindices; k++) {
        step->var[k] = e->index[k];
        step->dims[k] = m->size[e->index[k]];
    }
    for (int k = 0; k < e->nindices; k++)
        step->whole_dims[k] = given->tensor ? given->tensor->dims[k]
                              : given->dims ? given->dims[k]
                                            : step->dims[k];
    step->type = kernel_given_type(given);
    return sorted_format(&step->format, step->order, kernel_is_given_dense(given), m->err);
}

static bool is_given(const kernel_maker *m, const char *name)
{
    for (int i = 0; i < m->ngiven; i++)
        if (strcmp(m->given[i].name, name) == 0)
            return true;
    return false;
}

/* The result of a step as an operand. */
static tsr_kernel_tensor describe_step(const kernel_step *step)
{
    return (tsr_kernel_tensor){.name = step->name,
                               .format = step->format,
                               .dims = step->dims,
                               .type = step->type,
                               .index_nbytes = (uint8_t)kernel_step_width(step)};
}

const char *kernel_step_how(const kernel_step *step)
{
    return step->selection ? step->selection : step->reduction ? step->reduction->name : "";
}

tsr_status kernel_step_make_own(kernel_step *step, const kernel_maker *m, const char *semiring)
{
    const tsr_notation *const notation = m->kernel->original;
    tsr_text text = {0};
    tsr_kernel_options how = *m->options;
    how.values_only = false;
    how.plan = NULL;
    how.schedule = step_schedule(m);
    how.semiring = semiring;
    if (step->left) {
        tsr_text result = {0};
        tsr_expr_print(&result, notation, notation->result);
        tsr_text_addf(&text, "%s%s", step->name, tsr_text_cstr(&result) + strlen(notation->tensor[0].name));
        text.failed = text.failed || result.failed;
        tsr_text_clear(&result);
    } else {
        kernel_step_print_access(&text, step, notation);
    }
    tsr_text_addf(&text, " %s= %s", kernel_step_how(step), step->text);
    const size_t most = (size_t)m->ngiven + (size_t)m->kernel->nsteps + 1;
    tsr_kernel_tensor *const tensors = tsr_malloc(most * sizeof *tensors);
    tsr_notation *own = NULL;
    tsr_status status =
        tensors ? tsr_text_status(&text, m->err) : tsr_fail(m->err, TSR_NOMEM, "out of memory: a kernel");
    if (status == TSR_OK)
        status = tsr_notation_parse_with(&own, tsr_text_cstr(&text), m->kernel->how.functions, m->err);
    if (status == TSR_OK) {
        int n = 0;
        tensors[n++] = (tsr_kernel_tensor){
            .name = step->name, .format = step->format, .dims = step->dims, .type = step->type};
        for (int i = 0; i < m->ngiven; i++)
            if (tsr_notation_find_tensor(own, m->given[i].name) > 0)
                tensors[n++] = m->given[i];
        for (int k = 0; k < m->kernel->nsteps; k++) { /* the steps before */
            const kernel_step *const other = &m->kernel->step[k];
            if (other != step && tsr_notation_find_tensor(own, other->name) > 0 && !is_given(m, other->name))
                tensors[n++] = describe_step(other);
        }
        status = tsr_kernel_new(&step->own, tsr_text_cstr(&text), tensors, n, &how, m->err);
    }
    if (status == TSR_OK)
        step->type = step->own->tensor[0].operand.type;
    tsr_notation_free(own);
    tsr_free(tensors);
    tsr_text_clear(&text);
    return status;
}

/* Give the step its text, which is cleared. */
static tsr_status take_text(kernel_step *step, const kernel_maker *m, tsr_text *text)
{
    tsr_status status = tsr_text_status(text, m->err);
    if (status == TSR_OK && !(step->text = tsr_strdup(tsr_text_cstr(text))))
        status = tsr_fail(m->err, TSR_NOMEM, "out of memory: a kernel");
    tsr_text_clear(text);
    return status;
}

/* Append the right side. */
static void print_whole_right(tsr_text *text, const tsr_notation *notation)
{
    tsr_text_add_n(text, notation->text + notation->rhs_col - 1, notation->rhs_end - notation->rhs_col);
}

/* Make a step of the whole right side, for all variables, which the kernel then reduces. */
static tsr_status make_reduced(const kernel_step **out, const kernel_maker *m)
{
    const tsr_notation *const notation = m->kernel->original;
    kernel_step *const step = kernel_add_step(m->kernel);
    bool is_dense = !notation->rhs->has_band;
    tsr_text text = {0};
    *out = step;
    step->kind = KERNEL_STEP_KERNEL;
    step->type = kernel_has_call(notation->rhs) ? TSR_NTYPES : kernel_operands_type(m, UINT32_MAX);
    print_whole_right(&text, notation);
    TSR_TRY(take_text(step, m, &text));
    for (int t = 1; t < notation->ntensors; t++)
        is_dense = is_dense && kernel_is_given_dense(kernel_given_for(m, t));
    TSR_TRY(take_vars(step, m, notation->rhs->vars));
    TSR_TRY(sorted_format(&step->format, step->order, is_dense, m->err));
    return kernel_step_make_own(step, m, NULL);
}

tsr_status kernel_step_make_part(kernel_step *step, const kernel_maker *m, tsr_text *text,
                                 const char *semiring)
{
    const uint32_t sparse = kernel_sparse_set(m->kernel->original, m->given, m->ngiven);
    step->kind = KERNEL_STEP_KERNEL;
    TSR_TRY(take_text(step, m, text));
    TSR_TRY(take_vars(step, m, step->expr->vars));
    const bool is_dense = !(step->expr->tensors & sparse) && !step->expr->has_band;
    TSR_TRY(sorted_format(&step->format, step->order, is_dense, m->err));
    return kernel_step_make_own(step, m, semiring);
}

/* The size of mode k of the result, of which a window may be a part. */
static uint64_t whole_size(const kernel_maker *m, int k)
{
    const tsr_kernel_tensor *const given = kernel_given_for(m, 0);
    const tsr_expr *const result = m->kernel->original->result;
    const tsr_mode_window *const window = tsr_expr_window(result, k);
    const uint64_t *const dims = !given ? NULL : given->tensor ? given->tensor->dims : given->dims;
    return dims ? dims[k] : window ? window->behind : m->size[result->index[k]];
}

/* Give the step the order and the dims of the result. */
static void take_result(kernel_step *step, const kernel_maker *m)
{
    const tsr_expr *const result = m->kernel->original->result;
    step->order = result->nindices;
    for (int k = 0; k < result->nindices; k++) {
        step->var[k] = result->index[k];
        step->dims[k] = whole_size(m, k);
    }
}

/* Name the entries of the result before the run: "Y_before", if nothing else has this name. */
static void name_old(kernel_step *old, const tsr_kernel *kernel)
{
    tsr_text name = {0};
    tsr_text_addf(&name, "%s_before", kernel->original->tensor[0].name);
    if (!name.failed && name.nbytes < KERNEL_STEP_MAX_NAME && !is_name_used(kernel, tsr_text_cstr(&name)))
        memcpy(old->name, tsr_text_cstr(&name), name.nbytes + 1);
    tsr_text_clear(&name);
}

/* Make a step for the entries of a sparse result before the run. */
static tsr_status make_old(const kernel_step **out, const kernel_maker *m)
{
    const tsr_kernel_tensor *const given = kernel_given_for(m, 0);
    const tsr_type type = kernel_given_type(given);
    kernel_step *const step = kernel_add_step(m->kernel);
    *out = step;
    step->kind = KERNEL_STEP_OLD;
    name_old(step, m->kernel);
    take_result(step, m);
    step->type = type; /* TSR_NTYPES: see settle_old */
    return tsr_format_copy(&step->format, given->tensor ? given->tensor->format : given->format, m->err);
}

/* Append a tensor with the indices of the result, each of which has another name: i, i_1... */
static void print_apart(tsr_text *text, const char *name, const kernel_maker *m)
{
    const tsr_expr *const result = m->kernel->original->result;
    tsr_text_add(text, name);
    for (int k = 0; k < result->nindices; k++) {
        tsr_text var = {0};
        tsr_text_add(&var, m->kernel->original->var[result->index[k]]);
        if (tsr_expr_mode(result, result->index[k]) < k)
            tsr_text_addf(&var, "_%d", k);
        while (tsr_expr_mode(result, result->index[k]) < k && !var.failed &&
               is_name_used(m->kernel, tsr_text_cstr(&var)))
            tsr_text_add(&var, "_");
        tsr_text_addf(text, "%c%s", k ? ',' : '(', tsr_text_cstr(&var));
        text->failed = text->failed || var.failed;
        tsr_text_clear(&var);
    }
    tsr_text_add(text, ")");
}

/* Make a step for the values of the result, which has each variable once. */
static tsr_status make_values(const kernel_step **out, const kernel_maker *m)
{
    const tsr_notation *const notation = m->kernel->original;
    const tsr_type type = kernel_given_type(kernel_given_for(m, 0));
    kernel_step *const values = kernel_add_step(m->kernel);
    tsr_text text = {0};
    *out = values;
    values->kind = KERNEL_STEP_KERNEL;
    values->reduction = notation->reduction;
    values->type = type; /* TSR_NTYPES: that of what the kernel of the step reads */
    print_whole_right(&text, notation);
    TSR_TRY(take_text(values, m, &text));
    TSR_TRY(take_vars(values, m, notation->result->vars));
    TSR_TRY(sorted_format(&values->format, values->order, false, m->err));
    return kernel_step_make_own(values, m, m->options->semiring);
}

/* Whether the entries of a sparse result are on a diagonal, and are added to others or summed in another semiring than plus-times: a
 * step sums them. result: its description, or NULL. */
static bool sets_diagonal(const tsr_kernel *kernel, const tsr_kernel_tensor *result)
{
    const tsr_notation *const notation = kernel_notation(kernel);
    const tsr_expr *const access = notation->result;
    bool is_diagonal = false;
    for (int k = 0; k < access->nindices; k++)
        is_diagonal = is_diagonal || tsr_expr_mode(access, access->index[k]) < k;
    return is_diagonal && !kernel_is_given_dense(result) &&
           (notation->accumulate || kernel->ring != &tsr_semirings[0]);
}

/* Whether a step computes the values that are added to a diagonal or a window of the result: they are reduced, or several of them
 * meet on a diagonal. */
static bool needs_values(const kernel_maker *m)
{
    return m->kernel->original->reduction || sets_diagonal(m->kernel, kernel_given_for(m, 0));
}

/* The text of what is added. */
static tsr_status addition_text(tsr_text *text, const kernel_maker *m)
{
    const tsr_notation *const notation = m->kernel->original;
    const kernel_step *values;
    TSR_TRY(kernel_check_lists(notation->result, notation, m->err));
    if (!needs_values(m)) {
        print_whole_right(text, notation);
        return TSR_OK;
    }
    TSR_TRY(make_values(&values, m));
    kernel_step_print_access(text, values, notation);
    return TSR_OK;
}

/* Make a step for it: a tensor of the dims of the result that has entries only there. */
static tsr_status make_addition(const kernel_step **out, const kernel_maker *m)
{
    tsr_text text = {0};
    TSR_TRY(addition_text(&text, m));
    kernel_step *const step = kernel_add_step(m->kernel);
    *out = step;
    step->kind = KERNEL_STEP_KERNEL;
    step->type = kernel_given_type(kernel_given_for(m, 0));
    step->left = true;
    TSR_TRY(take_text(step, m, &text));
    take_result(step, m);
    TSR_TRY(sorted_format(&step->format, step->order, false, m->err));
    return kernel_step_make_own(step, m, needs_values(m) ? NULL : m->options->semiring);
}

static tsr_status make_part(kernel_step *step, const kernel_maker *m, const tsr_expr *e)
{
    tsr_text text = {0};
    step->expr = e;
    switch (e->kind) {
    case TSR_EXPR_ADD:
    case TSR_EXPR_SUB:
        step->type = kernel_has_call(e) ? TSR_NTYPES : kernel_operands_type(m, UINT32_MAX);
        tsr_expr_print(&text, m->kernel->original, e);
        return kernel_step_make_part(step, m, &text, m->options->semiring);
    case TSR_EXPR_CALL:
        return kernel_make_call(step, m);
    case TSR_EXPR_BAND:
    case TSR_EXPR_MUL:
        return kernel_make_band(step, m);
    default:
        step->kind = KERNEL_STEP_WINDOW;
        TSR_TRY(kernel_check_lists(e, m->kernel->original, m->err));
        return make_window(step, m);
    }
}

/* ---- the expression without the parts ---- */

/* The first column of the part of the text that a step replaces, and the column after the part. */
static uint32_t part_begin(const tsr_expr *e)
{
    return kernel_is_sum(e) ? e->open : e->kind == TSR_EXPR_MUL ? e->a->col : e->col;
}

static uint32_t part_end(const tsr_expr *e)
{
    return kernel_is_sum(e) ? e->close : e->kind == TSR_EXPR_MUL ? e->b->end : e->end;
}

/* The number of an earlier step for the same part; kernel->nsteps if there is no such step. */
static int same_step(const tsr_kernel *kernel, const tsr_expr *e)
{
    int k = 0;
    while (k < kernel->nsteps &&
           (kernel->step[k].is_argument || !kernel_same_text(kernel, kernel->step[k].expr, e)))
        k++;
    return k;
}

kernel_step *kernel_add_step(tsr_kernel *kernel)
{
    kernel_step *const step = &kernel->step[kernel->nsteps];
    name_step(step->name, kernel);
    kernel->nsteps++;
    return step;
}

/* Append the right side, with the results of steps in place of the parts. */
static tsr_status replace_parts(tsr_text *text, const kernel_maker *m)
{
    tsr_kernel *const kernel = m->kernel;
    kernel_finder f;
    kernel_finder_init(&f, kernel, kernel->original, m->given, m->ngiven);
    kernel_find_steps(&f, kernel->original->rhs);
    const int n = f.n;
    const tsr_expr *const *const found = f.found;
    if (n + kernel->nsteps + kernel->original->ntensors > TSR_NOTATION_MAX_TENSORS - 2)
        return tsr_fail(m->err, TSR_LIMIT,
                        "the expression has %d functions and windows, and %d tensors: at most "
                        "%d together are supported",
                        n, kernel->original->ntensors, TSR_NOTATION_MAX_TENSORS - 2);
    uint32_t at = kernel->original->rhs_col;
    for (int k = 0; k < n; k++) {
        int number = same_step(kernel, found[k]);
        if (number == kernel->nsteps) {
            if (found[k]->kind == TSR_EXPR_CALL && !kernel_is_alone(m, &f, found[k]))
                TSR_TRY(kernel_make_arguments(m, found[k]));
            number = kernel->nsteps;
            TSR_TRY(make_part(kernel_add_step(kernel), m, found[k]));
        }
        kernel_step *const step = &kernel->step[number];
        tsr_text_add_n(text, kernel->original->text + at - 1, part_begin(found[k]) - at);
        kernel_step_print_access(text, step, kernel->original);
        at = part_end(found[k]);
    }
    tsr_text_add_n(text, kernel->original->text + at - 1, kernel->original->rhs_end - at);
    return TSR_OK;
}

/* Whether the kernel computes a part of the result, which is then moved: a window lists coordinates, in any order. */
static bool has_lists(const tsr_kernel *kernel)
{
    return tsr_expr_has_window(kernel_notation(kernel)->result, true);
}

/* Append the left side; apart: each index has another name. */
static void print_left(tsr_text *text, bool apart, const kernel_maker *m)
{
    const tsr_notation *const notation = m->kernel->original;
    const tsr_expr *const result = notation->result;
    if (m->kernel->window.whole) {
        tsr_text_add(text, notation->tensor[0].name);
        for (int k = 0; k < result->nindices; k++)
            tsr_text_addf(text, "%c%s", k ? ',' : '(', notation->var[result->index[k]]);
        tsr_text_add(text, ")");
    } else if (apart) {
        print_apart(text, notation->tensor[0].name, m);
    } else {
        tsr_expr_print(text, notation, result);
    }
}

/* Append the right side of a result of coordinates: a step makes the first entry of each row, of which a pattern is left. */
static tsr_status print_places(tsr_text *text, const kernel_maker *m)
{
    static const char *const how[2][2] = {{"top(1)", "top(1, abs)"}, {"bottom(1)", "bottom(1, abs)"}};
    const tsr_notation *const notation = m->kernel->original;
    const tsr_selection *const selection = &notation->selection;
    const char *const var = notation->var[selection->var];
    kernel_step *const first = kernel_add_step(m->kernel);
    tsr_text right = {0};
    first->kind = KERNEL_STEP_KERNEL;
    first->selection = how[selection->least][selection->by_abs];
    first->type = kernel_has_call(notation->rhs) ? TSR_NTYPES : kernel_operands_type(m, UINT32_MAX);
    print_whole_right(&right, notation);
    TSR_TRY(take_text(first, m, &right));
    TSR_TRY(take_vars(first, m, notation->result->vars | UINT32_C(1) << selection->var));
    TSR_TRY(sorted_format(&first->format, first->order, false, m->err));
    TSR_TRY(kernel_step_make_own(first, m, m->options->semiring));
    first->type = TSR_PATTERN;
    m->kernel->ring = &tsr_semirings[0];
    kernel_step_print_access(text, first, notation);
    tsr_text_addf(text, kernel_is_given_dense(kernel_given_for(m, 0)) ? "*(%s + 1) - 1" : "*%s", var);
    return TSR_OK;
}

/* Append the right side, with the results of steps, which are made; apart: with the indices of print_left. */
static tsr_status print_right(tsr_text *text, bool apart, const kernel_maker *m)
{
    const tsr_notation *const notation = m->kernel->original;
    const kernel_step *made = NULL;
    if (apart) {
        TSR_TRY(make_addition(&made, m));
        print_apart(text, made->name, m);
        return TSR_OK;
    }
    if (notation->selection.gives_place)
        return print_places(text, m);
    if (sets_diagonal(m->kernel, kernel_given_for(m, 0))) {
        TSR_TRY(make_values(&made, m));
    } else if (notation->reduction && !is_product(notation->rhs)) {
        TSR_TRY(make_reduced(&made, m));
    } else {
        return replace_parts(text, m);
    }
    kernel_step_print_access(text, made, notation);
    return TSR_OK;
}

/* Append the statement that the kernel itself computes. */
static tsr_status inner_text(tsr_text *text, const kernel_maker *m)
{
    const tsr_notation *const notation = m->kernel->original;
    const tsr_kernel_tensor *const result = kernel_given_for(m, 0);
    const bool adds = notation->accumulate && !kernel_is_given_dense(result);
    const bool has_places = has_lists(m->kernel) || (adds && tsr_expr_has_window(notation->result, false));
    const bool apart = notation->accumulate && (sets_diagonal(m->kernel, result) || has_places);
    const kernel_step *old = NULL;
    tsr_text rhs = {0};
    tsr_status status = TSR_OK;
    if (adds)
        TSR_TRY(make_old(&old, m));
    TSR_TRY_OUT(print_right(&rhs, apart, m));
    print_left(text, apart, m);
    if (adds) {
        tsr_text_add(text, " = ");
        if (apart)
            print_apart(text, old->name, m);
        else
            kernel_step_print_access(text, old, notation);
        tsr_text_addf(text, " + (%s)", tsr_text_cstr(&rhs));
    } else {
        if (notation->selection.gives_place)
            tsr_text_add(text, " = ");
        else
            tsr_notation_print_assignment(text, notation);
        tsr_text_add(text, tsr_text_cstr(&rhs));
    }
    tsr_notation_print_where(text, notation);
    status =
        rhs.failed ? tsr_fail(m->err, TSR_NOMEM, "out of memory: a kernel") : tsr_text_status(text, m->err);
out:
    tsr_text_clear(&rhs);
    return status;
}

/* ---- windows of the result ---- */

/* Store the whole result in the kernel, which itself computes only the part in the windows. */
static tsr_status describe_whole(const kernel_maker *m)
{
    tsr_kernel *const kernel = m->kernel;
    const tsr_notation *const notation = kernel->original;
    const tsr_kernel_tensor *const given = kernel_given_for(m, 0);
    const tsr_format *const format = !given ? NULL : given->tensor ? given->tensor->format : given->format;
    TSR_TRY(kernel_check_lists(notation->result, notation, m->err));
    for (int k = 0; k < notation->result->nindices; k++) {
        kernel->window.part_dims[k] = m->size[notation->result->index[k]];
        kernel->window.whole_dims[k] = whole_size(m, k);
    }
    if (format)
        return tsr_format_copy(&kernel->window.whole, format, m->err);
    return tsr_format_dense(&kernel->window.whole, notation->result->nindices, NULL, m->err);
}

int kernel_describe_inner(tsr_kernel_tensor *out, const kernel_maker *m)
{
    const tsr_kernel *const kernel = m->kernel;
    int n = 0;
    for (int i = 0; i < m->ngiven; i++)
        if (tsr_notation_find_tensor(kernel->notation, m->given[i].name) >= (kernel->window.whole ? 1 : 0))
            out[n++] = m->given[i];
    for (int k = 0; k < kernel->nsteps; k++) {
        const kernel_step *const step = &kernel->step[k];
        if (tsr_notation_find_tensor(kernel->notation, step->name) >= 0 && !is_given(m, step->name))
            out[n++] = describe_step(step);
    }
    if (kernel->window.whole)
        out[n++] = (tsr_kernel_tensor){.name = kernel->original->tensor[0].name,
                                       .format = kernel->window.part_format,
                                       .dims = kernel->window.part_dims,
                                       .type = kernel_given_type(kernel_given_for(m, 0))};
    return n;
}

bool kernel_needs_steps(const tsr_kernel *kernel, const tsr_kernel_tensor *given, int ngiven)
{
    const tsr_notation *const notation = kernel->notation;
    const tsr_kernel_tensor *result = NULL;
    for (int i = 0; i < ngiven; i++)
        if (given[i].name && strcmp(given[i].name, notation->tensor[0].name) == 0)
            result = &given[i];
    kernel_finder f;
    kernel_finder_init(&f, kernel, notation, given, ngiven);
    kernel_find_steps(&f, notation->rhs);
    if (f.n > 0 || notation->selection.gives_place || has_lists(kernel) || sets_diagonal(kernel, result))
        return true;
    if (notation->reduction && !is_product(notation->rhs))
        return true;
    return notation->accumulate && !kernel_is_given_dense(result);
}

/* Give the entries before the run the type of the result where the caller has not said it: the common type of what the kernel itself
 * reads, as the values of functions may have another type than their arguments. */
static void settle_old(const kernel_maker *m)
{
    const tsr_kernel *const kernel = m->kernel;
    tsr_type type = TSR_PATTERN;
    for (int i = 0; i < m->ngiven; i++)
        if (tsr_notation_find_tensor(kernel->notation, m->given[i].name) > 0)
            type = kernel_common_type(type, kernel_given_type(&m->given[i]));
    for (int k = 0; k < kernel->nsteps; k++)
        if (kernel->step[k].type != TSR_NTYPES &&
            tsr_notation_find_tensor(kernel->notation, kernel->step[k].name) > 0)
            type = kernel_common_type(type, kernel->step[k].type);
    if (kernel_has_coordinate(kernel->notation->rhs))
        type = kernel_common_type(type, TSR_I64);
    for (int k = 0; k < kernel->nsteps; k++)
        if (kernel->step[k].type == TSR_NTYPES)
            kernel->step[k].type = type == TSR_PATTERN ? TSR_F64 : type;
}

static tsr_status make_steps(const kernel_maker *m)
{
    tsr_kernel *const kernel = m->kernel;
    tsr_text text = {0};
    if (!kernel->original->accumulate && has_lists(kernel)) {
        TSR_TRY(describe_whole(m));
        TSR_TRY(sorted_format(&kernel->window.part_format, kernel->window.whole->order,
                              tsr_format_is_dense(kernel->window.whole), m->err));
    }
    tsr_status status = inner_text(&text, m);
    if (status == TSR_OK)
        status =
            tsr_notation_parse_with(&kernel->notation, tsr_text_cstr(&text), kernel->how.functions, m->err);
    if (status == TSR_OK)
        settle_old(m);
    tsr_text_clear(&text);
    return status;
}

tsr_status kernel_make_steps(tsr_kernel *kernel, tsr_kernel_tensor **out, int *n,
                             const tsr_kernel_tensor *given, const tsr_kernel_options *options,
                             tsr_error *err)
{
    const int ngiven = *n;
    kernel_maker m = {.kernel = kernel, .given = given, .ngiven = ngiven, .options = options, .err = err};
    for (int i = 0; i < ngiven; i++)
        if (!given[i].name)
            return tsr_fail(err, TSR_ARGUMENT, "missing the name of a tensor");
    kernel->original = kernel->notation;
    kernel->notation = NULL;
    kernel->step = tsr_calloc(TSR_NOTATION_MAX_TENSORS, sizeof *kernel->step);
    if (!kernel->step)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    TSR_TRY(kernel_step_sizes(m.size, kernel->original, given, ngiven, err));
    TSR_TRY(make_steps(&m));
    *out = tsr_malloc(((size_t)ngiven + (size_t)kernel->nsteps + 1) * sizeof **out);
    if (!*out)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    *n = kernel_describe_inner(*out, &m);
    return TSR_OK;
}

void kernel_free_steps(tsr_kernel *kernel)
{
    for (int k = 0; k < kernel->nsteps; k++) {
        tsr_kernel_free(kernel->step[k].own);
        tsr_format_free(kernel->step[k].format);
        tsr_free(kernel->step[k].text);
    }
    tsr_free(kernel->step);
    tsr_format_free(kernel->window.whole);
    tsr_format_free(kernel->window.part_format);
    kernel->step = NULL;
    kernel->nsteps = 0;
}
