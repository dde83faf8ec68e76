/* The types that a statement needs: the result holds the values of the operands, and the numbers of the statement. */
#include <math.h>

#include "plan_state.h"

/* Types of a higher rank hold the values of types of a lower rank: pattern, integer, real, complex. */
static int rank(tsr_type type)
{
    const char class = tsr_type_class(type);
    return class == 'P' ? 0 : class == 'C' ? 3 : class == 'R' ? 2 : 1;
}

static tsr_status check_numbers(const plan_state *s, const tsr_expr *expr)
{
    if (!expr)
        return TSR_OK;
    if (expr->kind == TSR_EXPR_NUMBER && rank(s->operands[0].type) == 1 &&
        !(expr->number == floor(expr->number) && fabs(expr->number) <= 0x1p53))
        return tsr_fail_at(s->err, TSR_ARGUMENT, NULL, 0, expr->col,
                           "%s is not representable in the result type %s", expr->spelling,
                           tsr_type_name(s->operands[0].type));
    TSR_TRY(check_numbers(s, expr->a));
    return check_numbers(s, expr->b);
}

tsr_status plan_check_types(const plan_state *s)
{
    const tsr_notation_tensor *tensor = s->plan->notation->tensor;
    if (s->operands[0].type == TSR_PATTERN)
        return tsr_fail(s->err, TSR_UNSUPPORTED,
                        "the result %s has type pattern, which does not hold values: use a type with values",
                        tensor[0].name);
    if (tsr_type_is_half(s->operands[0].type))
        return tsr_fail(
            s->err, TSR_UNSUPPORTED,
            "the result %s has type %s, in which kernels do not add: use f32, and convert the result",
            tensor[0].name, tsr_type_name(s->operands[0].type));
    for (int t = 1; t < s->plan->notation->ntensors; t++)
        if (tsr_notation_computes(s->plan->notation, t) &&
            rank(s->operands[t].type) > rank(s->operands[0].type))
            return tsr_fail(s->err, TSR_UNSUPPORTED,
                            "%s has type %s, and the result %s has type %s, which cannot hold these values",
                            tensor[t].name, tsr_type_name(s->operands[t].type), tensor[0].name,
                            tsr_type_name(s->operands[0].type));
    return check_numbers(s, s->plan->notation->rhs);
}
