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

bool kernel_is_name_used(const tsr_kernel *kernel, const char *name)
{
    for (int k = 0; k < kernel->nsteps; k++)
        if (strcmp(kernel->step[k].name, name) == 0 || strcmp(kernel->step[k].inner, name) == 0)
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
    while (kernel_is_name_used(kernel, made));
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

tsr_status kernel_step_make_own(kernel_step *step, const kernel_maker *m, const char *semiring)
{
    const tsr_notation *const notation = m->kernel->original;
    tsr_text text = {0};
    tsr_kernel_options how = *m->options;
    how.values_only = false;
    how.plan = NULL;
    how.schedule = step_schedule(m);
    how.semiring = semiring;
    kernel_step_print_access(&text, step, notation);
    tsr_text_addf(&text, " %s= %s", step->how, step->text);
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

/* Give the step the order and the dims of the result. */
static void take_result(kernel_step *step, const kernel_maker *m)
{
    const tsr_expr *const result = m->kernel->original->result;
    step->order = result->nindices;
    for (int k = 0; k < result->nindices; k++) {
        step->var[k] = result->index[k];
        step->dims[k] = kernel_whole_dim(m, result, k);
    }
}

/* Name the entries of the result before the run: "Y_before", if nothing else has this name. */
static void name_old(kernel_step *old, const tsr_kernel *kernel)
{
    tsr_text name = {0};
    tsr_text_addf(&name, "%s_before", kernel->original->tensor[0].name);
    if (!name.failed && name.nbytes < KERNEL_STEP_MAX_NAME &&
        !kernel_is_name_used(kernel, tsr_text_cstr(&name)))
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

/* Make a step of the part of a tensor that lists read. of: the steps of its lists. */
static tsr_status make_listed(kernel_step *step, const kernel_maker *m, kernel_step *const *of)
{
    tsr_text text = {0};
    step->type = TSR_NTYPES;
    kernel_print_lists(&text, of, m, step->expr);
    kernel_print_listed(&text, of, m, step->expr, m->kernel->original->tensor[step->expr->tensor].name);
    TSR_TRY(kernel_step_make_part(step, m, &text, NULL));
    if (kernel_given_type(kernel_given_for(m, step->expr->tensor)) == TSR_PATTERN)
        step->type = TSR_PATTERN;
    return TSR_OK;
}

static tsr_status make_part(kernel_step *step, const kernel_maker *m, const tsr_expr *e,
                            kernel_step *const *of)
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
        return make_listed(step, m, of);
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
    while (k < kernel->nsteps && (kernel->step[k].is_argument || kernel->step[k].kind == KERNEL_STEP_LIST ||
                                  !kernel_same_text(kernel, kernel->step[k].expr, e)))
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

/* The modes of the access that have a window. */
static uint32_t windows_of(const tsr_expr *access)
{
    uint32_t modes = 0;
    for (int k = 0; k < access->nindices; k++)
        modes |= tsr_expr_window(access, k) ? UINT32_C(1) << k : 0;
    return modes;
}

/* Append the access with the matrices of its lists. Its mask, if it has one, stands before. */
static void print_factor(tsr_text *text, const kernel_maker *m, const tsr_expr *access,
                         kernel_step *const *of)
{
    tsr_text lists = {0};
    kernel_print_lists(&lists, of, m, access);
    const bool masked = access->mask == TSR_MASK_STORED;
    tsr_text_addf(text, "%s%s%s", masked ? "" : "(", tsr_text_cstr(&lists) + (masked ? 2 : 0),
                  masked ? "!!" : "");
    kernel_print_listed(text, of, m, access, m->kernel->original->tensor[access->tensor].name);
    tsr_text_add(text, masked ? "" : ")");
    text->failed = text->failed || lists.failed;
    tsr_text_clear(&lists);
}

/* Append what stands for part k. */
static tsr_status replace_part(tsr_text *text, const kernel_maker *m, const kernel_finder *f, int k)
{
    const tsr_expr *const e = f->found[k];
    tsr_kernel *const kernel = m->kernel;
    kernel_step *of[TSR_NOTATION_MAX_ORDER] = {NULL};
    if (e->kind == TSR_EXPR_ACCESS)
        TSR_TRY(kernel_make_lists(of, m, e, windows_of(e)));
    int number = same_step(kernel, e);
    if (f->is_factor[k]) {
        print_factor(text, m, e, of);
        return TSR_OK;
    }
    if (number == kernel->nsteps) {
        if (e->kind == TSR_EXPR_CALL && !kernel_is_alone(m, f, e))
            TSR_TRY(kernel_make_arguments(m, e));
        number = kernel->nsteps;
        TSR_TRY(make_part(kernel_add_step(kernel), m, e, of));
    }
    kernel_step_print_access(text, &kernel->step[number], kernel->original);
    return TSR_OK;
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
        tsr_text_add_n(text, kernel->original->text + at - 1, part_begin(found[k]) - at);
        TSR_TRY(replace_part(text, m, &f, k));
        at = part_end(found[k]);
    }
    tsr_text_add_n(text, kernel->original->text + at - 1, kernel->original->rhs_end - at);
    return TSR_OK;
}

/* The modes of the result whose coordinates come from a matrix: those with a list and windows beside it; where entries are added to
 * those of a sparse result, or summed in another semiring than plus-times, also windows and indices that stand again. */
static uint32_t places_of(const kernel_maker *m)
{
    const tsr_notation *const notation = m->kernel->original;
    const tsr_expr *const result = notation->result;
    const tsr_kernel_tensor *const given = kernel_given_for(m, 0);
    const bool adds = notation->accumulate && !kernel_is_given_dense(given);
    uint32_t modes = adds || tsr_expr_has_window(result, true) ? windows_of(result) : 0;
    for (int k = 0; k < result->nindices && sets_diagonal(m->kernel, given); k++)
        if (tsr_expr_mode(result, result->index[k]) < k)
            modes |= UINT32_C(1) << k;
    return modes;
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
    snprintf(first->how, sizeof first->how, "%s", how[selection->least][selection->by_abs]);
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

/* Append the right side, with the results of steps, which are made. */
static tsr_status print_right(tsr_text *text, const kernel_maker *m)
{
    const tsr_notation *const notation = m->kernel->original;
    const kernel_step *made = NULL;
    if (notation->selection.gives_place)
        return print_places(text, m);
    if (!notation->reduction || is_product(notation->rhs))
        return replace_parts(text, m);
    TSR_TRY(make_reduced(&made, m));
    kernel_step_print_access(text, made, notation);
    return TSR_OK;
}

/* Append the statement that the kernel itself computes. */
static tsr_status inner_text(tsr_text *text, const kernel_maker *m)
{
    const tsr_notation *const notation = m->kernel->original;
    const bool adds = notation->accumulate && !kernel_is_given_dense(kernel_given_for(m, 0));
    const uint32_t modes = places_of(m);
    const kernel_step *old = NULL;
    kernel_step *of[TSR_NOTATION_MAX_ORDER] = {NULL};
    tsr_text rhs = {0};
    tsr_status status = TSR_OK;
    for (int k = 0; k < notation->result->nindices; k++)
        if (modes >> k & 1)
            TSR_TRY(kernel_check_list(tsr_expr_window(notation->result, k), notation, m->err));
    if (adds)
        TSR_TRY(make_old(&old, m));
    TSR_TRY_OUT(print_right(&rhs, m));
    TSR_TRY_OUT(kernel_make_lists(of, m, notation->result, modes));
    if (modes)
        kernel_print_listed(text, of, m, notation->result, notation->tensor[0].name);
    else
        tsr_expr_print(text, notation, notation->result);
    if (adds) {
        tsr_text_add(text, " = ");
        kernel_print_listed(text, of, m, notation->result, old->name);
        tsr_text_add(text, " + ");
    } else {
        if (notation->selection.gives_place)
            tsr_text_add(text, " = ");
        else
            tsr_notation_print_assignment(text, notation);
    }
    kernel_print_lists(text, of, m, notation->result);
    tsr_text_addf(text, adds || modes ? "(%s)" : "%s", tsr_text_cstr(&rhs));
    tsr_notation_print_where(text, notation);
    status =
        rhs.failed ? tsr_fail(m->err, TSR_NOMEM, "out of memory: a kernel") : tsr_text_status(text, m->err);
out:
    tsr_text_clear(&rhs);
    return status;
}

int kernel_describe_inner(tsr_kernel_tensor *out, const kernel_maker *m)
{
    const tsr_kernel *const kernel = m->kernel;
    int n = 0;
    for (int i = 0; i < m->ngiven; i++)
        if (tsr_notation_find_tensor(kernel->notation, m->given[i].name) >= 0)
            out[n++] = m->given[i];
    for (int k = 0; k < kernel->nsteps; k++) {
        const kernel_step *const step = &kernel->step[k];
        if (tsr_notation_find_tensor(kernel->notation, step->name) >= 0 && !is_given(m, step->name))
            out[n++] = describe_step(step);
    }
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
    if (f.n > 0 || notation->selection.gives_place || sets_diagonal(kernel, result) ||
        tsr_expr_has_window(notation->result, true))
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
    kernel->step = NULL;
    kernel->nsteps = 0;
}
