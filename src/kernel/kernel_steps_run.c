/* Running the steps of a kernel, and printing them. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel_steps.h"

int kernel_step_width(const kernel_step *step)
{
    const bool holds_ends = step->kind == TSR_RULES_BAND; /* which may be the size itself */
    for (int m = 0; m < step->order; m++)
        if (step->dims[m] > (uint64_t)UINT32_MAX + !holds_ends)
            return 8;
    return 4;
}

tsr_status kernel_step_pack(tsr_tensor **out, const kernel_step *step, tsr_coo *coo, tsr_status status,
                            int nthreads, tsr_error *err)
{
    const tsr_pack_options how = {.nthreads = nthreads,
                                  .index_width = kernel_step_width(step) == 8 ? TSR_INDEX_64 : TSR_INDEX_32};
    if (status == TSR_OK)
        return tsr_pack(out, coo, step->format, &how, NULL, err);
    tsr_coo_free(coo);
    return status;
}

const tsr_tensor *kernel_find_input(const kernel_step_input *in, const char *name)
{
    const tsr_kernel *const kernel = in->kernel;
    const int t = tsr_notation_find_tensor(kernel->original, name);
    if (t > 0)
        return in->operands[t - 1];
    for (int k = 0; k < kernel->nsteps; k++)
        if (strcmp(kernel->step[k].name, name) == 0)
            return in->made[k];
    return NULL;
}

static tsr_status run_kernel(tsr_tensor **out, const tsr_kernel *arg, const kernel_step_input *in,
                             tsr_error *err)
{
    const tsr_tensor *own[TSR_NOTATION_MAX_TENSORS] = {NULL};
    *out = NULL;
    for (int t = 1; t < tsr_kernel_ntensors(arg); t++) {
        own[t - 1] = kernel_find_input(in, tsr_kernel_tensor_name(arg, t));
        if (!own[t - 1])
            return tsr_fail(err, TSR_ARGUMENT, "missing the tensor %s", tsr_kernel_tensor_name(arg, t));
    }
    TSR_TRY(tsr_kernel_result(out, arg, own, err));
    const tsr_status status = tsr_kernel_run(arg, *out, own, in->nthreads, err);
    if (status != TSR_OK) {
        tsr_tensor_free(*out);
        *out = NULL;
    }
    return status;
}

bool kernel_has_width(const tsr_tensor *tensor, size_t width)
{
    for (int l = 0; l < tensor->nlevels; l++) {
        const tsr_level *const level = &tensor->levels[l];
        for (const tsr_level_array *row = level->type->arrays;
             row < level->type->arrays + TSR_LEVEL_NROLES && row->name; row++)
            if (tsr_level_array_at(level, row->role)->width != width)
                return false;
    }
    return true;
}

/* Check that all values, doubles, are so without rounding: TSR_RANGE for an integer over 2^53. */
static tsr_status check_exact(const tsr_tensor *tensor, const tsr_function *function, tsr_error *err)
{
    const double *const x = tensor->values.data;
    for (uint64_t i = 0; i < tensor->values.n; i++)
        if (!(fabs(x[i]) <= 0x1p53))
            return tsr_fail(err, TSR_RANGE,
                            "%s computes with doubles, which are exact for integers up to 2^53 only, but a "
                            "value is %.17g",
                            function->name, x[i]);
    return TSR_OK;
}

/* Give the values the type of the step. */
static tsr_status retype(tsr_tensor *tensor, const kernel_step *step, tsr_error *err)
{
    const bool to_doubles = step->type == TSR_F64;
    if (step->exact_for && !to_doubles)
        TSR_TRY(check_exact(tensor, step->exact_for, err));
    TSR_TRY(tsr_tensor_retype(tensor, step->type, err));
    return step->exact_for && to_doubles ? check_exact(tensor, step->exact_for, err) : TSR_OK;
}

static tsr_status run_own_kernel(tsr_tensor **out, const kernel_step *step, const kernel_step_input *in,
                                 tsr_error *err)
{
    TSR_TRY(run_kernel(out, step->own, in, err));
    if (step->type == TSR_PATTERN)
        TSR_TRY(tsr_tensor_make_pattern(*out, err));
    else if ((*out)->type != step->type)
        TSR_TRY(retype(*out, step, err));
    if (kernel_has_width(*out, (size_t)kernel_step_width(step)))
        return TSR_OK;
    tsr_tensor *const made = *out;
    tsr_coo *coo = NULL;
    const tsr_status status = tsr_unpack(&coo, made, in->nthreads, err);
    tsr_tensor_free(made);
    *out = NULL;
    return kernel_step_pack(out, step, coo, status, in->nthreads, err);
}

/* Check that tensor `name` has the dims and the type for which a step was made. TSR_ARGUMENT. */
static tsr_status check_shape(const tsr_tensor *tensor, const char *name, const uint64_t *dims, tsr_type type,
                              tsr_error *err)
{
    TSR_TRY(kernel_check_kind(name, tensor, err));
    for (int m = 0; m < tensor->order; m++)
        if (tensor->dims[m] != dims[m])
            return tsr_fail(err, TSR_ARGUMENT,
                            "dim %d of %s is %" PRIu64 ", but the kernel was made for %" PRIu64, m, name,
                            tensor->dims[m], dims[m]);
    if (tensor->type == type)
        return TSR_OK;
    return tsr_fail(err, TSR_ARGUMENT, "the values of %s are %s, but the kernel was made for %s", name,
                    tsr_type_name(tensor->type), tsr_type_name(type));
}

static tsr_status check_order(const tsr_tensor *tensor, const char *name, int order, tsr_error *err)
{
    if (tensor->order == order)
        return TSR_OK;
    return tsr_fail(err, TSR_ARGUMENT, "%s has %d modes, but the kernel was made for %d", name, tensor->order,
                    order);
}

/* ---- the entries of a sparse result before the run ---- */

/* Whether the result has the format and the widths for which the kernel was made, so that the kernel can read the arrays. */
static bool is_as_made(const kernel_step *step, const tsr_tensor *result)
{
    bool same = tsr_format_equal(result->format, step->format) && !result->iso &&
                kernel_has_width(result, (size_t)kernel_step_width(step));
    for (int l = 0; same && l < result->nlevels; l++)
        same = result->levels[l].pitch == result->binding->pitch[l];
    return same;
}

static tsr_status step_old(tsr_tensor **out, const kernel_step *step, const kernel_step_input *in,
                           tsr_error *err)
{
    const char *const name = in->kernel->original->tensor[0].name;
    tsr_coo *coo = NULL;
    TSR_TRY(check_order(in->result, name, step->order, err));
    TSR_TRY(check_shape(in->result, name, step->dims, step->type, err));
    if (is_as_made(step, in->result)) {
        TSR_TRY(kernel_empty_result(out, in->kernel, err));
        kernel_swap(*out, in->result);
        *in->moved = *out;
        return TSR_OK;
    }
    tsr_status status = tsr_unpack(&coo, in->result, in->nthreads, err);
    if (status == TSR_OK && coo->type != TSR_PATTERN)
        status = tsr_coo_repeat_value(coo, err);
    return kernel_step_pack(out, step, coo, status, in->nthreads, err);
}

static tsr_status run_step(tsr_tensor **out, const kernel_step *step, const kernel_step_input *in,
                           tsr_error *err)
{
    switch (step->kind) {
    case TSR_RULES_LIST:
        return kernel_step_list(out, step, in, err);
    case TSR_RULES_OLD:
        return step_old(out, step, in, err);
    case TSR_RULES_BAND:
        return kernel_step_band(out, step, in->nthreads, err);
    default:
        return run_own_kernel(out, step, in, err);
    }
}

tsr_status kernel_run_steps(const tsr_tensor **inner, tsr_tensor **owned, const kernel_step_input *in,
                            tsr_error *err)
{
    const tsr_kernel *const kernel = in->kernel;
    for (int k = 0; k < kernel->nsteps;) {
        const kernel_group *const group = kernel_group_at(kernel, k);
        TSR_TRY(tsr_interrupt_check(err));
        TSR_TRY(group ? kernel_run_group(group, in, owned, err)
                      : run_step(&owned[k], &kernel->step[k], in, err));
        k += group ? group->n : 1;
        if (k > kernel->nsteps) /* the group had the last statement, too */
            return TSR_OK;
    }
    const tsr_notation *const left = kernel->last ? kernel_notation(kernel->last) : kernel->notation;
    for (int t = 1; t < left->ntensors; t++)
        inner[t - 1] = kernel_find_input(in, left->tensor[t].name);
    return kernel->last ? tsr_kernel_run(kernel->last, in->result, inner, in->nthreads, err) : TSR_OK;
}

/* ---- as text ---- */

static void print_step(tsr_text *text, const kernel_step *step, const tsr_notation *notation)
{
    if (step->kind == TSR_RULES_OLD)
        tsr_text_add(text, step->name);
    else
        kernel_step_print_access(text, step, notation);
    if (step->kind == TSR_RULES_LIST) {
        kernel_print_list_step(text, step, notation);
        return;
    }
    tsr_text_addf(text, " %s= ", step->how);
    if (step->expr && step->kind != TSR_RULES_STATEMENT)
        tsr_expr_print(text, notation, step->expr);
    switch (step->kind) {
    case TSR_RULES_OLD:
        tsr_text_addf(text, "%s before the run\n", notation->tensor[0].name);
        break;
    case TSR_RULES_BAND:
        tsr_text_add(text, ", an interval of each row\n");
        break;
    default:
        tsr_text_addf(text, "%s, stored as ", step->text);
        tsr_format_print_name(text, step->format);
        tsr_text_add(text, "\n");
    }
}

bool kernel_computes_steps(const tsr_kernel *kernel)
{
    for (int k = 0; k < kernel->nsteps; k++)
        if (kernel->step[k].kind == TSR_RULES_STATEMENT)
            return true;
    return false;
}

tsr_status kernel_print_steps(tsr_text *text, const tsr_kernel *kernel, tsr_error *err)
{
    for (int k = 0; k < kernel->nsteps; k++) {
        const kernel_step *const step = &kernel->step[k];
        tsr_text_addf(text, "step %d: ", k + 1);
        print_step(text, step, kernel->original);
        if (step->own && (step->own->original || !tsr_plan_walks(step->own->plan)))
            TSR_TRY(tsr_kernel_print(text, step->own, TSR_KERNEL_GRAPH, err));
    }
    tsr_text_add(text, "then ");
    tsr_notation_print(text, kernel->notation);
    tsr_text_add(text, "\n");
    return tsr_text_status(text, err);
}
