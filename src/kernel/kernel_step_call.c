/* Steps for functions. A function is one kernel with its arguments where values of one type compute both. Else the arguments that
 * are not tensors whose values doubles hold are steps of their own, whose values become doubles, and the function computes with
 * doubles. */
#include <math.h>
#include <string.h>

#include "kernel_steps.h"
#include "tsr_text.h"

/* Whether the type has the number: a function of numbers. */
static bool is_number_of(double x, tsr_type type)
{
    const char class = tsr_type_class(type);
    const double most = ldexp(1, 8 * (int)tsr_type_nbytes(type) - (class == 'I'));
    return (class == 'I' || class == 'U') && x == floor(x) && x < most && x >= (class == 'I' ? -most : 0);
}

/* The step of an argument of a function; NULL: the argument is a number, or a tensor that the function reads as it is. */
static const kernel_step *step_of_argument(const kernel_maker *m, const tsr_expr *e)
{
    for (int k = 0; k < m->kernel->nsteps; k++)
        if (m->kernel->step[k].is_argument && kernel_same_text(m->kernel, m->kernel->step[k].expr, e))
            return &m->kernel->step[k];
    return NULL;
}

/* Whether a function of doubles reads the argument as it is. */
static bool is_read_directly(const kernel_maker *m, const tsr_expr *e)
{
    if (kernel_is_number(e))
        return true;
    const tsr_kernel_tensor *const given =
        e->kind == TSR_EXPR_ACCESS && !tsr_expr_has_window(e, true) ? kernel_given_for(m, e->tensor) : NULL;
    const tsr_type type = kernel_given_type(given);
    return given && (type == TSR_NTYPES || kernel_is_exact_double(type));
}

tsr_status kernel_make_arguments(const kernel_maker *m, const tsr_expr *call)
{
    const tsr_expr *const arg[] = {call->a, call->b};
    for (int k = 0; k < call->function->nargs; k++) {
        if (is_read_directly(m, arg[k]) || step_of_argument(m, arg[k]))
            continue;
        if (!kernel_has_room(m->kernel))
            return tsr_fail(m->err, TSR_LIMIT, "the functions of the expression have too many arguments");
        kernel_step *const step = kernel_add_step(m->kernel);
        tsr_text text = {0};
        step->expr = arg[k];
        step->is_argument = true;
        step->type = TSR_NTYPES;
        tsr_expr_print(&text, m->kernel->original, arg[k]);
        TSR_TRY(kernel_step_make_part(step, m, &text, m->options->semiring));
        if (!kernel_is_exact_double(step->type) && tsr_type_class(step->type) != 'C') {
            step->type = TSR_F64;
            step->exact_for = call->function;
        }
    }
    return TSR_OK;
}

/* The type of the values of a function that is computed with doubles. */
static tsr_status call_type(tsr_type *out, const kernel_maker *m, const tsr_expr *call)
{
    const tsr_expr *const arg[] = {call->a, call->b};
    tsr_type type = TSR_PATTERN;
    for (int k = 0; k < call->function->nargs; k++) {
        const kernel_step *const step = step_of_argument(m, arg[k]);
        if (step)
            type = kernel_common_type(type, step->own->tensor[0].operand.type);
        else if (!kernel_is_number(arg[k]))
            type = kernel_common_type(type, kernel_operands_type(m, arg[k]->tensors));
    }
    const char class = tsr_type_class(type);
    if (class == 'C')
        return tsr_fail(m->err, TSR_UNSUPPORTED, "the function %s takes real or integer values, not %s",
                        call->function->name, tsr_type_name(type));
    if (kernel_is_number(call) && is_number_of(tsr_expr_constant(call), kernel_operands_type(m, UINT32_MAX)))
        *out = kernel_operands_type(m, UINT32_MAX);
    else
        *out = type == TSR_PATTERN || (class != 'R' && !call->function->whole) ? TSR_F64 : type;
    return TSR_OK;
}

tsr_status kernel_make_call(kernel_step *step, const kernel_maker *m)
{
    const tsr_expr *const call = step->expr, *const arg[] = {call->a, call->b};
    kernel_finder f;
    tsr_text text = {0};
    tsr_type type = TSR_F64;
    kernel_finder_init(&f, m->kernel, m->kernel->original, m->given, m->ngiven);
    if (kernel_is_alone(m, &f, call)) {
        step->type = kernel_operands_type(m, call->tensors);
        tsr_expr_print(&text, m->kernel->original, call);
        return kernel_step_make_part(step, m, &text, NULL);
    }
    TSR_TRY(call_type(&type, m, call));
    tsr_text_addf(&text, "%s(", call->function->name);
    for (int k = 0; k < call->function->nargs; k++) {
        const kernel_step *const of = step_of_argument(m, arg[k]);
        tsr_text_add(&text, k ? ", " : "");
        if (of)
            kernel_step_print_access(&text, of, m->kernel->original);
        else
            tsr_expr_print(&text, m->kernel->original, arg[k]);
    }
    tsr_text_add(&text, ")");
    step->type = TSR_F64;
    TSR_TRY(kernel_step_make_part(step, m, &text, NULL));
    step->type = type;
    step->exact_for = kernel_is_exact_double(type) ? NULL : call->function;
    return TSR_OK;
}
