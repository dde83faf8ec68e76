/* Values: the one way from an expression to the value of it at the coordinates of the open loops, with the operations of the
 * semiring; what is added to a variable or an element. */
#include <math.h>

#include "lower_internal.h"

#define OP(op, x, y) tsr_ir_op2(p->ir, TSR_IR_##op, (x), (y))

/* ---- constants ---- */

tsr_ir_type lower_type(const lower_program *p)
{
    return tsr_ir_value_type(p->type);
}

const tsr_ir_expr *lower_number(lower_program *p, double x)
{
    return tsr_ir_value(p->ir, lower_type(p), x);
}

const tsr_ir_expr *lower_absent(lower_program *p)
{
    const char class = tsr_type_class(p->type);
    const double fill = p->plan->ring->fill;
    if (isfinite(fill) || class == 'R')
        return lower_number(p, fill);
    const int nbits = 8 * (int)tsr_type_nbytes(p->type);
    if (class == 'U' && (fill < 0 || nbits < 64))
        return lower_number(p, fill < 0 ? 0 : ldexp(1, nbits) - 1);
    if (class == 'U') /* 2^64 - 1 is not a double */
        return OP(SUB, lower_number(p, 0), lower_number(p, 1));
    const double least = -ldexp(1, nbits - 1);
    if (fill < 0 || nbits < 64)
        return lower_number(p, fill < 0 ? least : -least - 1);
    return OP(SUB, lower_number(p, -1), lower_number(p, least));
}

const tsr_ir_expr *lower_empty(lower_program *p)
{
    return p->plan->walk.has_zeros ? lower_number(p, 0) : lower_absent(p);
}

const tsr_ir_expr *lower_held(lower_program *p, const tsr_ir_expr *x)
{
    return !x || x->op == TSR_IR_VAR || x->op == TSR_IR_VALUE ? x : tsr_ir_declare(p->ir, "v", x, false);
}

/* ---- + and * ---- */

/* 1 where the condition holds, else 0. */
static const tsr_ir_expr *as_value(lower_program *p, const tsr_ir_expr *cond)
{
    return tsr_ir_select(p->ir, cond, lower_number(p, 1), lower_number(p, 0));
}

/* The value of a function of values of the result's type: functions.def says which functions have one. */
static const tsr_ir_expr *computed(lower_program *p, tsr_exact how, const tsr_ir_expr *x,
                                   const tsr_ir_expr *y)
{
    const tsr_ir_expr *const zero = lower_number(p, 0), *const one = lower_number(p, 1);
    const tsr_ir_expr *const is_x = OP(NE, x, zero), *const is_y = y ? OP(NE, y, zero) : NULL;
    switch (how) {
    case TSR_EXACT_MIN:
        return tsr_ir_select(p->ir, OP(LT, x, y), x, y);
    case TSR_EXACT_MAX:
        return tsr_ir_select(p->ir, OP(LT, y, x), x, y);
    case TSR_EXACT_ABS:
        return tsr_ir_select(p->ir, OP(LT, x, zero), OP(NEG, x, NULL), x);
    case TSR_EXACT_SIGN:
        return tsr_ir_select(p->ir, OP(LT, x, zero), OP(NEG, one, NULL), as_value(p, is_x));
    case TSR_EXACT_AND:
        return as_value(p, OP(AND, is_x, is_y));
    case TSR_EXACT_OR:
        return as_value(p, OP(OR, is_x, is_y));
    case TSR_EXACT_XOR: /* exactly one of both */
        return as_value(p, OP(AND, OP(OR, is_x, is_y), OP(NOT, OP(AND, is_x, is_y), NULL)));
    case TSR_EXACT_NOT:
        return as_value(p, OP(EQ, x, zero));
    case TSR_EXACT_WHEN:
        return tsr_ir_select(p->ir, is_x, y, zero);
    case TSR_EXACT_UNLESS:
        return tsr_ir_select(p->ir, is_x, zero, y);
    case TSR_EXACT_EITHER:
        return tsr_ir_add(p->ir, x, y);
    default: /* floor, ceil, round */
        return x;
    }
}

static const tsr_ir_expr *combine(lower_program *p, tsr_combine how, const tsr_ir_expr *x,
                                  const tsr_ir_expr *y)
{
    static const tsr_exact exact[] = {[TSR_COMBINE_MIN] = TSR_EXACT_MIN,
                                      [TSR_COMBINE_MAX] = TSR_EXACT_MAX,
                                      [TSR_COMBINE_OR] = TSR_EXACT_OR,
                                      [TSR_COMBINE_AND] = TSR_EXACT_AND,
                                      [TSR_COMBINE_XOR] = TSR_EXACT_XOR};
    if (how == TSR_COMBINE_ADD || how == TSR_COMBINE_MUL)
        return how == TSR_COMBINE_ADD ? tsr_ir_add(p->ir, x, y) : tsr_ir_mul(p->ir, x, y);
    if (how >= TSR_COMBINE_FIRST)
        return how == TSR_COMBINE_FIRST ? x : how == TSR_COMBINE_SECOND ? y : lower_number(p, 1);
    x = lower_held(p, x);
    return computed(p, exact[how], x, lower_held(p, y));
}

const tsr_ir_expr *lower_plus(lower_program *p, const tsr_ir_expr *x, const tsr_ir_expr *y)
{
    const tsr_combine add = p->plan->ring->add;
    if ((add != TSR_COMBINE_MIN && add != TSR_COMBINE_MAX) || p->is_integer)
        return combine(p, add, x, y);
    x = lower_held(p, x);
    y = lower_held(p, y);
    const tsr_ir_expr *const less = add == TSR_COMBINE_MIN ? OP(LT, y, x) : OP(LT, x, y);
    x = lower_held(
        p, tsr_ir_select(p->ir, less, y, x)); /* by one instruction: a choice in a choice would be a branch */
    return tsr_ir_select(p->ir, OP(NE, y, y), y, x);
}

const tsr_ir_expr *lower_times(lower_program *p, const tsr_ir_expr *x, const tsr_ir_expr *y, bool inverse)
{
    if (inverse)
        return OP(DIV, x ? x : lower_number(p, 1), y);
    return x ? combine(p, p->plan->ring->mul, x, y) : y;
}

const tsr_ir_expr *lower_truth(lower_program *p, const tsr_ir_expr *x)
{
    if (!tsr_semiring_is_logical(p->plan->ring))
        return x;
    return as_value(p, OP(NE, lower_held(p, x), lower_number(p, 0)));
}

void lower_add_to_var(lower_program *p, const tsr_ir_expr *var, const tsr_ir_expr *x)
{
    const bool is_sum = p->plan->ring->add == TSR_COMBINE_ADD;
    tsr_ir_assign(p->ir, var, is_sum ? x : lower_plus(p, var, x), is_sum);
}

void lower_add_to(lower_program *p, const tsr_ir_array *array, const tsr_ir_expr *at, const tsr_ir_expr *x)
{
    const bool is_sum = p->plan->ring->add == TSR_COMBINE_ADD;
    if (!is_sum)
        x = lower_plus(p, tsr_ir_load_value(p->ir, array, at, lower_type(p)), x);
    tsr_ir_store(p->ir, array, at, x, is_sum, false);
}

/* ---- functions ---- */

/* The comparison of x and y, as a boolean; NULL: the function is not one. */
static const tsr_ir_expr *compared(lower_program *p, tsr_exact how, const tsr_ir_expr *x,
                                   const tsr_ir_expr *y)
{
    static const tsr_ir_op ops[] = {
        [TSR_EXACT_LT] = TSR_IR_LT, [TSR_EXACT_LE] = TSR_IR_LE, [TSR_EXACT_EQ] = TSR_IR_EQ,
        [TSR_EXACT_NE] = TSR_IR_NE, [TSR_EXACT_GE] = TSR_IR_LE, [TSR_EXACT_GT] = TSR_IR_LT};
    const bool swaps = how == TSR_EXACT_GE || how == TSR_EXACT_GT;
    if (how < TSR_EXACT_LT || how > TSR_EXACT_GT)
        return NULL;
    return tsr_ir_op2(p->ir, ops[how], swaps ? y : x, swaps ? x : y);
}

/* The value of a function, which is computed with doubles unless the type has integers. */
static const tsr_ir_expr *called(lower_program *p, const lower_reader *from, const tsr_expr *e)
{
    const tsr_function *const f = e->function;
    const tsr_ir_type f64 = tsr_ir_value_type(TSR_F64);
    const char class = tsr_type_class(from->type.type);
    const tsr_expr *const given[] = {e->a, e->b};
    const tsr_ir_expr *arg[2] = {NULL, NULL};
    const bool is_whole = f->exact && (class == 'I' || class == 'U');
    for (int k = 0; k < f->nargs; k++)
        arg[k] = !is_whole && given[k]->kind == TSR_EXPR_NUMBER ? tsr_ir_value(p->ir, f64, given[k]->number)
                                                                : lower_value(p, from, given[k]);
    if (is_whole) {
        const tsr_ir_expr *const x = lower_held(p, arg[0]), *const y = lower_held(p, arg[1]);
        const tsr_ir_expr *const is_so = compared(p, f->exact, x, y);
        return is_so ? as_value(p, is_so) : computed(p, f->exact, x, y);
    }
    for (int k = 0; k < f->nargs; k++)
        arg[k] = tsr_ir_convert(p->ir, arg[k], f64);
    const tsr_ir_function function = {f->name, f->nargs, f->text, f->value};
    return tsr_ir_convert(p->ir, tsr_ir_call(p->ir, &function, arg[0], arg[1]), from->type);
}

/* ---- expressions ---- */

const tsr_ir_expr *lower_value(lower_program *p, const lower_reader *from, const tsr_expr *e)
{
    switch (e->kind) {
    case TSR_EXPR_NUMBER:
        return tsr_ir_value(p->ir, from->type, e->number);
    case TSR_EXPR_ACCESS: {
        const tsr_ir_expr *x = from->read ? from->read(from->arg, e) : NULL;
        const tsr_ir_expr *const zero = tsr_ir_index(p->ir, 0);
        if (!x)
            x = lower_load(p, e->tensor,
                           p->operands[e->tensor].iso ? zero : lower_place(p, e, 0, zero, from->at),
                           from->type);
        return x;
    }
    case TSR_EXPR_VAR:
        return tsr_ir_convert(p->ir, from->at[e->index[0]], from->type);
    case TSR_EXPR_CALL:
        return called(p, from, e);
    case TSR_EXPR_NEG:
        return OP(NEG, lower_value(p, from, e->a), NULL);
    default: {
        const tsr_ir_expr *const x = lower_value(p, from, e->a), *const y = lower_value(p, from, e->b);
        const bool of_numbers = from->of_numbers || tsr_semiring_is_reduction(p->plan->ring);
        return e->kind == TSR_EXPR_SUB   ? OP(SUB, x, y)
               : e->kind == TSR_EXPR_DIV ? OP(DIV, x, y)
               : e->kind == TSR_EXPR_ADD ? of_numbers ? OP(ADD, x, y) : lower_plus(p, x, y)
               : of_numbers ? OP(MUL, x, y)
                                         : lower_times(p, x, y, false);
    }
    }
}

const tsr_ir_expr *lower_holds(lower_program *p, const lower_reader *from, const tsr_expr *e)
{
    const tsr_exact how = e->kind == TSR_EXPR_CALL ? e->function->exact : TSR_EXACT_NONE;
    if (how == TSR_EXACT_AND)
        return OP(AND, lower_holds(p, from, e->a), lower_holds(p, from, e->b));
    if (how == TSR_EXACT_OR)
        return OP(OR, lower_holds(p, from, e->a), lower_holds(p, from, e->b));
    if (how < TSR_EXACT_LT || how > TSR_EXACT_GT)
        return OP(NE, lower_value(p, from, e), tsr_ir_value(p->ir, from->type, 0));
    return compared(p, how, lower_value(p, from, e->a), lower_value(p, from, e->b));
}

/* offset <= j - i, which cannot overflow as i + offset can. */
static const tsr_ir_expr *is_from(lower_program *p, const tsr_ir_expr *i, const tsr_ir_expr *j,
                                  int64_t offset)
{
    return offset == 0 ? OP(LE, i, j) : OP(LE, tsr_ir_index(p->ir, offset), tsr_ir_sub(p->ir, j, i));
}

const tsr_ir_expr *lower_in_band(lower_program *p, const tsr_expr *band, const tsr_ir_expr *const *at)
{
    const tsr_ir_expr *const i = at[band->index[0]], *const j = at[band->index[1]];
    const tsr_ir_expr *const above = band->low > -TSR_NOTATION_NO_END ? is_from(p, i, j, band->low) : NULL;
    const tsr_ir_expr *const below = band->high < TSR_NOTATION_NO_END ? is_from(p, j, i, -band->high) : NULL;
    return above && below ? OP(AND, above, below) : above ? above : below;
}

const tsr_ir_expr *lower_block_value(lower_program *p, const tsr_term *term, const tsr_ir_expr *x)
{
    const tsr_format *const format = p->operands[0].binding->format;
    const bool copies =
        !term->negative && term->nfactors == 1 && term->factor[0].expr->kind == TSR_EXPR_ACCESS;
    if (copies || p->is_integer || tsr_format_is_dense(format) || !tsr_format_has_dense_leaf(format))
        return x;
    return tsr_ir_add(p->ir, x, lower_number(p, 0));
}

/* ---- the dense result ---- */

void lower_add_to_result(lower_program *p, const lower_sink *sink, const tsr_ir_expr *place,
                         const tsr_ir_expr *x)
{
    if (sink->offset)
        place = tsr_ir_add(p->ir, sink->offset, place);
    if (sink->add && !sink->atomic)
        lower_add_to(p, sink->array, place, x);
    else
        tsr_ir_store(p->ir, sink->array, place, x, sink->add, sink->add);
}
