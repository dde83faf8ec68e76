/* Expressions of a loop program as C. Indices are int64_t; loads from arrays of narrower indices are cast
 * only where C would compute in a narrower type. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "emit_internal.h"

void emit_use(emit *e, emit_piece piece, tsr_ir_type type)
{
    const int k = emit_log2_lanes(type.lanes);
    e->piece[piece][type.type][k] = true;
    if (type.lanes > 1) /* the model computes in this type */
        emit_c_type(e, (tsr_ir_type){TSR_IR_IS_VALUE, emit_unsigned_of(type.type), type.lanes});
}

static const tsr_ir_type no_type = {TSR_IR_IS_INDEX, TSR_F64, 1};

static bool is_vector(const tsr_ir_expr *x)
{
    return x->type.lanes > 1;
}

bool emit_wraps(tsr_ir_type type)
{
    const char c = tsr_type_class(type.type);
    return type.kind == TSR_IR_IS_VALUE &&
           (c == 'I' || (c == 'U' && type.lanes == 1 && tsr_type_nbytes(type.type) < 4));
}

/* Whether the index expression has the type int64_t in C, and not a narrower type. */
static bool is_wide(const emit *e, const tsr_ir_expr *x)
{
    switch (x->op) {
    case TSR_IR_INDEX:
        return x->index > INT32_MAX || x->index < INT32_MIN;
    case TSR_IR_LOAD:
        return x->array->elem == TSR_U64;
    case TSR_IR_FLOORDIV:
    case TSR_IR_MOD:
        return !emit_is_natural(e, x->arg[0]) || is_wide(e, x->arg[0]) || is_wide(e, x->arg[1]);
    default: /* other operations are written so that they are wide */
        return true;
    }
}

static bool is_natural_literal(const tsr_ir_expr *x)
{
    return x->op == TSR_IR_INDEX && x->index >= 0;
}

/* ---- constants ---- */

bool emit_is_zero(const tsr_ir_expr *x)
{
    if (x->op == TSR_IR_SPLAT)
        return emit_is_zero(x->arg[0]);
    return x->op == TSR_IR_VALUE && x->value == 0 && !signbit(x->value);
}

static bool is_negative(const tsr_ir_expr *x)
{
    return (x->op == TSR_IR_INDEX && x->type.kind == TSR_IR_IS_INDEX && x->index < 0) ||
           (x->op == TSR_IR_VALUE && signbit(x->value));
}

static void index_literal(emit *e, const tsr_ir_expr *x)
{
    if (x->type.kind == TSR_IR_IS_BOOL) {
        e->uses_bool = true;
        tsr_text_add(&e->line, x->index ? "true" : "false");
    } else if (x->index == INT64_MIN) {
        tsr_text_add(&e->line, "INT64_MIN");
    } else {
        tsr_text_add_i64(&e->line, x->index);
    }
}

static void value_literal(emit *e, const tsr_ir_expr *x)
{
    const double v = x->value;
    const tsr_type type = x->type.type;
    const char c = tsr_type_class(type);
    if (c == 'I' && v == -0x1p63) {
        tsr_text_add(&e->line, "INT64_MIN");
    } else if (c == 'I') {
        tsr_text_add_i64(&e->line, (int64_t)v);
    } else if (c == 'U') {
        tsr_text_add(&e->line, type == TSR_U64 ? "UINT64_C(" : "");
        tsr_text_add_u64(&e->line, (uint64_t)v);
        tsr_text_add(&e->line, type == TSR_U64 ? ")" : type == TSR_U32 ? "u" : "");
    } else if (isnan(v) || isinf(v)) {
        e->uses_math = true;
        tsr_text_add(&e->line, signbit(v) ? "-" : "");
        tsr_text_add(&e->line, isnan(v) ? "NAN" : "INFINITY");
    } else {
        char buf[TSR_VALUE_TEXT_NBYTES + 1];
        const bool is_float = type == TSR_F32 || type == TSR_C64;
        const float f = (float)v;
        const size_t n = is_float ? tsr_value_print(buf, TSR_F32, &f) : tsr_value_print(buf, TSR_F64, &v);
        buf[n] = 0;
        tsr_text_add(&e->line, buf);
        tsr_text_add(&e->line, strpbrk(buf, ".e") ? "" : ".0");
        tsr_text_add(&e->line, is_float ? "f" : "");
    }
}

/* ---- elements ---- */

static void subscript(emit *e, const tsr_ir_array *array, const tsr_ir_expr *index)
{
    tsr_text_addf(&e->line, "%s[", e->array_name[array->number]);
    emit_expr(e, index, PREC_ANY);
    tsr_text_add(&e->line, "]");
}

void emit_address(emit *e, const tsr_ir_array *array, const tsr_ir_expr *index)
{
    if (index->op == TSR_IR_INDEX && index->index == 0) {
        tsr_text_add(&e->line, e->array_name[array->number]);
    } else {
        tsr_text_add(&e->line, "&");
        subscript(e, array, index);
    }
}

/* Elements of 16 bits become floats by a function, "f32_of_f16(A[p])" or "f32x8_of_f16(&A[p])", and then the type of x. */
static void load_half(emit *e, const tsr_ir_expr *x)
{
    const tsr_type elem = x->array->elem;
    const tsr_ir_type single = {TSR_IR_IS_VALUE, TSR_F32, x->type.lanes};
    const bool converts = x->type.type != TSR_F32, vector = is_vector(x);
    if (vector) {
        e->half[elem][emit_log2_lanes(x->type.lanes)] = true;
        emit_c_type(e, single);
        emit_c_type(e, (tsr_ir_type){TSR_IR_IS_VALUE, TSR_U16, x->type.lanes});
        emit_c_type(e, (tsr_ir_type){TSR_IR_IS_VALUE, TSR_U32, x->type.lanes});
        emit_use(e, EMIT_LOAD, no_type);
    } else {
        emit_use(e, elem == TSR_F16 ? EMIT_f32_of_f16 : EMIT_f32_of_bf16, no_type);
    }
    if (converts)
        tsr_text_addf(&e->line, vector ? "__builtin_convertvector(" : "(%s)", emit_c_type(e, x->type));
    tsr_text_addf(&e->line, "%s_of_%s(", emit_type_name(e, single), tsr_type_name(elem));
    if (vector)
        emit_address(e, x->array, x->arg[0]);
    else
        subscript(e, x->array, x->arg[0]);
    tsr_text_add(&e->line, ")");
    if (converts && vector)
        tsr_text_addf(&e->line, ", %s)", emit_c_type(e, x->type));
}

static void load_vector(emit *e, const tsr_ir_expr *x)
{
    const tsr_type elem = x->array->elem;
    const tsr_ir_type from = {TSR_IR_IS_VALUE, elem == TSR_PATTERN ? TSR_U8 : elem, x->type.lanes};
    const bool converts = elem != x->type.type;
    emit_use(e, EMIT_LOAD, no_type);
    if (converts)
        tsr_text_add(&e->line,
                     elem == TSR_PATTERN ? "__builtin_convertvector(-(" : "__builtin_convertvector(");
    tsr_text_addf(&e->line, "LOAD(%s, ", emit_c_type(e, from));
    emit_address(e, x->array, x->arg[0]);
    tsr_text_add(&e->line, ")");
    if (converts)
        tsr_text_addf(&e->line, "%s, %s)", elem == TSR_PATTERN ? " != 0)" : "", emit_c_type(e, x->type));
}

static void load(emit *e, const tsr_ir_expr *x)
{
    const tsr_type elem = x->array->elem;
    if (tsr_type_is_half(elem) && !x->array->is_index) {
        load_half(e, x);
        return;
    }
    if (is_vector(x)) {
        load_vector(e, x);
        return;
    }
    if (e->is_number[x->array->number]) {
        tsr_text_add(&e->line, e->array_name[x->array->number]);
        return;
    }
    if (x->array->is_index) {
        tsr_text_add(&e->line, elem == TSR_U64 ? "(int64_t)" : "");
        subscript(e, x->array, x->arg[0]);
        return;
    }
    if (elem != x->type.type)
        tsr_text_addf(&e->line, elem == TSR_PATTERN ? "(%s)(" : "(%s)", emit_c_type(e, x->type));
    subscript(e, x->array, x->arg[0]);
    if (elem == TSR_PATTERN)
        tsr_text_add(&e->line, " != 0)");
}

/* ---- operators ---- */

static void call(emit *e, const char *function, const tsr_ir_expr *x, const tsr_ir_expr *y)
{
    tsr_text_addf(&e->line, "%s(", function);
    emit_expr(e, x, PREC_ANY);
    if (y) {
        tsr_text_add(&e->line, ", ");
        emit_expr(e, y, PREC_ANY);
    }
    tsr_text_add(&e->line, ")");
}

/* Call the function that is made from a model for the type: model "add_i32" -> "add_u8(x, y)". */
static void typed_call(emit *e, emit_piece piece, const tsr_ir_expr *x, const tsr_ir_expr *y)
{
    char name[64];
    const char *model = emit_piece_names[piece];
    const int n = (int)(strrchr(model, '_') - model);
    snprintf(name, sizeof name, "%.*s_%s", n, model, emit_type_name(e, x->type));
    emit_use(e, piece, x->type);
    call(e, name, x, y);
}

/* Whether the operand is a small constant, which is written as a literal of the target type. */
static bool is_literal_conversion(const tsr_ir_expr *x)
{
    return x->arg[0]->op == TSR_IR_INDEX && x->arg[0]->index >= 0 && x->arg[0]->index < 128;
}

void emit_typed(emit *e, const tsr_ir_expr *x, emit_prec least)
{
    const char c = tsr_type_class(x->type.type);
    const bool is_literal = x->op == TSR_IR_VALUE || (x->op == TSR_IR_CONVERT && is_literal_conversion(x));
    const bool is_promoted = tsr_type_nbytes(x->type.type) < 4 && x->op == TSR_IR_SELECT;
    const bool cast =
        !is_vector(x) && x->type.kind == TSR_IR_IS_VALUE && ((c == 'C' && is_literal) || is_promoted);
    const bool open = cast && least > PREC_PREFIX;
    tsr_text_add(&e->line, open ? "(" : "");
    if (cast)
        tsr_text_addf(&e->line, "(%s)", emit_c_type(e, x->type));
    emit_expr(e, x, cast ? PREC_PREFIX : least);
    tsr_text_add(&e->line, open ? ")" : "");
}

/* An operand of an arithmetic operator. A splat is written as a scalar where the other operand is a vector:
 * C then repeats the scalar. */
static void operand(emit *e, const tsr_ir_expr *x, const tsr_ir_expr *other, emit_prec least)
{
    if (x->op != TSR_IR_SPLAT || other->op == TSR_IR_SPLAT || emit_is_zero(x)) {
        emit_typed(e, x, least);
        return;
    }
    emit_typed(e, x->arg[0], least);
}

static void infix(emit *e, const tsr_ir_expr *x, const char *op, emit_prec prec, emit_prec right)
{
    operand(e, x->arg[0], x->arg[1], prec);
    tsr_text_add(&e->line, op);
    operand(e, x->arg[1], x->arg[0], right);
}

/* Whether the right operand is written without parentheses: a + (b - c), a * (b * c) are exact, so they associate. */
static bool associates(const tsr_ir_expr *x)
{
    const tsr_ir_op right = x->arg[1]->op;
    return (x->op == TSR_IR_ADD && (right == TSR_IR_ADD || right == TSR_IR_SUB)) ||
           (x->op == TSR_IR_MUL && right == TSR_IR_MUL);
}

static bool begins_wide(const emit *e, const tsr_ir_expr *x, bool is_product);

/* Whether C would compute the operator, as it is written, in fewer bits. */
static bool is_narrow(const emit *e, const tsr_ir_expr *x)
{
    const tsr_ir_expr *const b = x->arg[1];
    return !is_wide(e, x->arg[0]) &&
           !(associates(x) ? begins_wide(e, b, x->op == TSR_IR_MUL) : is_wide(e, b));
}

/* Whether the text of the sum (of the product) x begins with an operand of 64 bits. */
static bool begins_wide(const emit *e, const tsr_ir_expr *x, bool is_product)
{
    for (; is_product ? x->op == TSR_IR_MUL : x->op == TSR_IR_ADD || x->op == TSR_IR_SUB; x = x->arg[0])
        if (is_narrow(e, x)) /* and gets a cast */
            return true;
    return is_wide(e, x);
}

/* An operator on indices, computed in int64_t unless any_width is set. */
static void index_infix(emit *e, const tsr_ir_expr *x, const char *op, emit_prec prec, bool any_width)
{
    const tsr_ir_expr *a = x->arg[0], *b = x->arg[1];
    const bool cast = !any_width && is_narrow(e, x);
    const bool cast_right = cast && a->op == TSR_IR_INDEX;
    tsr_text_add(&e->line, cast && !cast_right ? "(int64_t)" : "");
    emit_expr(e, a, cast && !cast_right ? PREC_PREFIX : prec);
    tsr_text_add(&e->line, op);
    tsr_text_add(&e->line, cast_right ? "(int64_t)" : "");
    emit_expr(e, b, cast_right ? PREC_PREFIX : associates(x) ? prec : (emit_prec)(prec + 1));
}

static bool is_constant(const tsr_ir_expr *x)
{
    return x->op == TSR_IR_INDEX || x->op == TSR_IR_VALUE;
}

/* The comparison with its sides exchanged: what < becomes. */
static const char *mirrored(const char *op)
{
    static const char *const pairs[][2] = {
        {" < ", " > "}, {" <= ", " >= "}, {" > ", " < "}, {" >= ", " <= "}};
    for (int i = 0; i < 4; i++)
        if (strcmp(op, pairs[i][0]) == 0)
            return pairs[i][1];
    return op;
}

static void compare(emit *e, const tsr_ir_expr *x, const char *op, emit_prec prec)
{
    const tsr_ir_expr *a = x->arg[0], *b = x->arg[1];
    if (is_constant(a) && !is_constant(b) && !is_vector(a)) { /* x > 0 rather than 0 < x */
        const tsr_ir_expr y = {.op = x->op, .type = x->type, .arg = {b, a}};
        compare(e, &y, mirrored(op), prec);
    } else if (a->type.kind == TSR_IR_IS_INDEX) {
        const bool same_sign = (a->op == TSR_IR_LOAD || is_natural_literal(a)) &&
                               (b->op == TSR_IR_LOAD || is_natural_literal(b));
        index_infix(e, x, op, prec, same_sign);
    } else if (is_vector(a)) {
        tsr_text_addf(&e->line, "(%s)(", emit_c_type(e, x->type));
        infix(e, x, op, prec, (emit_prec)(prec + 1));
        tsr_text_add(&e->line, ")");
    } else {
        infix(e, x, op, prec, (emit_prec)(prec + 1));
    }
}

/* not x, written as the opposite comparison where x is a comparison. */
static void negation(emit *e, const tsr_ir_expr *x)
{
    const tsr_ir_expr *a = x->arg[0];
    if (is_vector(x)) {
        tsr_text_add(&e->line, "~");
        emit_expr(e, a, PREC_ATOM);
    } else if (a->op == TSR_IR_EQ || a->op == TSR_IR_NE) {
        compare(e, a, a->op == TSR_IR_EQ ? " != " : " == ", PREC_EQUAL);
    } else if ((a->op == TSR_IR_LT || a->op == TSR_IR_LE) && a->arg[0]->type.kind == TSR_IR_IS_INDEX) {
        compare(e, a, a->op == TSR_IR_LT ? " >= " : " > ", PREC_LESS);
    } else {
        tsr_text_add(&e->line, "!");
        emit_expr(e, a, PREC_ATOM);
    }
}

static void select(emit *e, const tsr_ir_expr *x)
{
    if (is_vector(x->arg[0])) {
        e->select[x->type.type][emit_log2_lanes(x->type.lanes)] = true;
        emit_c_type(e, x->type);
        emit_c_type(e, x->arg[0]->type);
        tsr_text_addf(&e->line, "select_%s(", emit_type_name(e, x->type));
        emit_expr(e, x->arg[0], PREC_ANY);
        tsr_text_add(&e->line, ", ");
        emit_expr(e, x->arg[1], PREC_ANY);
        tsr_text_add(&e->line, ", ");
        emit_expr(e, x->arg[2], PREC_ANY);
        tsr_text_add(&e->line, ")");
        return;
    }
    const bool widen = x->type.kind == TSR_IR_IS_INDEX && !is_wide(e, x->arg[1]);
    emit_expr(e, x->arg[0], PREC_OR);
    for (int i = 1; i < 3; i++) {
        const tsr_ir_expr *arm = x->arg[i];
        /* C needs two vectors of exactly the same type, and results of operators differ in alignment */
        const bool cast = is_vector(x) && arm->op != TSR_IR_VAR && arm->op != TSR_IR_LOAD;
        tsr_text_add(&e->line, i == 1 ? " ? " : " : ");
        if (cast)
            tsr_text_addf(&e->line, "(%s)", emit_c_type(e, x->type));
        else if (widen && i == 1)
            tsr_text_add(&e->line, "(int64_t)");
        emit_expr(e, arm, cast || (widen && i == 1) ? PREC_PREFIX : PREC_SELECT);
    }
}

static void convert(emit *e, const tsr_ir_expr *x)
{
    const tsr_ir_expr literal = {.op = TSR_IR_VALUE, .type = x->type, .value = (double)x->arg[0]->index};
    if (is_literal_conversion(x)) {
        value_literal(e, &literal);
    } else if (is_vector(x)) {
        tsr_text_add(&e->line, "__builtin_convertvector(");
        emit_expr(e, x->arg[0], PREC_ANY);
        tsr_text_addf(&e->line, ", %s)", emit_c_type(e, x->type));
    } else {
        tsr_text_addf(&e->line, "(%s)", emit_c_type(e, x->type));
        emit_expr(e, x->arg[0], PREC_PREFIX);
    }
}

static void splat(emit *e, const tsr_ir_expr *x)
{
    const char *type = emit_c_type(e, x->type);
    if (emit_is_zero(x)) {
        tsr_text_addf(&e->line, "(%s){0}", type);
        return;
    }
    operand(e, x, x->arg[0], PREC_ADD);
    tsr_text_addf(&e->line, " - (%s){0}", type); /* x - 0 keeps -0; x + 0 does not */
}

static void hsum(emit *e, const tsr_ir_expr *x)
{
    const tsr_ir_type type = x->arg[0]->type;
    e->sum[type.type][emit_log2_lanes(type.lanes)] = true;
    emit_c_type(e, type);
    tsr_text_addf(&e->line, "sum_%s(", emit_type_name(e, type));
    emit_expr(e, x->arg[0], PREC_ANY);
    tsr_text_add(&e->line, ")");
}

static void divide(emit *e, const tsr_ir_expr *x)
{
    const tsr_ir_type type = x->type;
    const char c = tsr_type_class(type.type);
    if (c == 'R') {
        infix(e, x, " / ", PREC_MUL, PREC_PREFIX);
        return;
    }
    const emit_piece piece = c == 'I' ? EMIT_div_i32 : c == 'U' ? EMIT_div_u32 : EMIT_div_c128;
    if (type.lanes == 1) {
        typed_call(e, piece, x->arg[0], x->arg[1]);
        return;
    }
    char name[32];
    e->divide[type.type][emit_log2_lanes(type.lanes)] = true;
    emit_c_type(e, type);
    emit_c_type(e, (tsr_ir_type){TSR_IR_IS_VALUE, emit_unsigned_of(type.type), type.lanes});
    snprintf(name, sizeof name, "div_%s", emit_type_name(e, type));
    call(e, name, x->arg[0], x->arg[1]);
}

/* + - * and unary - of values. */
static void arithmetic(emit *e, const tsr_ir_expr *x)
{
    const tsr_ir_op op = x->op;
    if (emit_wraps(x->type))
        typed_call(e,
                   op == TSR_IR_ADD   ? EMIT_add_i32
                   : op == TSR_IR_SUB ? EMIT_sub_i32
                   : op == TSR_IR_MUL ? EMIT_mul_i32
                                      : EMIT_neg_i32,
                   x->arg[0], x->arg[1]);
    else if (op == TSR_IR_ADD)
        infix(e, x, " + ", PREC_ADD, PREC_MUL);
    else if (op == TSR_IR_SUB)
        infix(e, x, " - ", PREC_ADD, PREC_MUL);
    else if (op == TSR_IR_MUL && tsr_type_class(x->type.type) == 'C')
        typed_call(e, EMIT_mul_c128, x->arg[0], x->arg[1]);
    else if (op == TSR_IR_MUL)
        infix(e, x, " * ", PREC_MUL, PREC_PREFIX);
    else {
        tsr_text_add(&e->line, "-");
        emit_typed(e, x->arg[0], PREC_ATOM);
    }
}

static void index_operation(emit *e, const tsr_ir_expr *x)
{
    const tsr_ir_expr *a = x->arg[0];
    switch (x->op) {
    case TSR_IR_ADD:
        index_infix(e, x, " + ", PREC_ADD, false);
        break;
    case TSR_IR_SUB:
        index_infix(e, x, " - ", PREC_ADD, false);
        break;
    case TSR_IR_MUL:
        index_infix(e, x, " * ", PREC_MUL, false);
        break;
    case TSR_IR_NEG:
        tsr_text_add(&e->line, is_wide(e, a) ? "-" : "-(int64_t)");
        emit_expr(e, a, PREC_ATOM);
        break;
    case TSR_IR_FLOORDIV:
    case TSR_IR_MOD:
        if (emit_is_natural(e, a)) {
            index_infix(e, x, x->op == TSR_IR_MOD ? " % " : " / ", PREC_MUL, true);
        } else {
            emit_use(e, x->op == TSR_IR_MOD ? EMIT_mod_i64 : EMIT_floordiv_i64, no_type);
            call(e, x->op == TSR_IR_MOD ? "mod_i64" : "floordiv_i64", a, x->arg[1]);
        }
        break;
    case TSR_IR_GATHER:
        emit_use(e, EMIT_gather_i64, no_type);
        tsr_text_add(&e->line, "gather_i64(");
        emit_expr(e, a, 0);
        tsr_text_addf(&e->line, ", 0x%" PRIx64 ")", (uint64_t)x->arg[1]->index);
        break;
    case TSR_IR_MASK:
        tsr_text_add(&e->line, is_wide(e, a) ? "(" : "((int64_t)");
        emit_expr(e, a, PREC_ATOM);
        tsr_text_add(&e->line, " & ");
        emit_expr(e, x->arg[1], PREC_ATOM);
        tsr_text_add(&e->line, ")");
        break;
    case TSR_IR_MIX:
        tsr_text_add(&e->line, "(int64_t)((uint64_t)");
        emit_expr(e, a, PREC_ATOM);
        tsr_text_addf(&e->line, " * 0x%" PRIx64 " >> 2)", (uint64_t)x->arg[1]->index);
        break;
    case TSR_IR_BIT:
        tsr_text_add(&e->line, "(");
        emit_expr(e, a, PREC_ATOM);
        tsr_text_add(&e->line, " >> ");
        emit_expr(e, x->arg[1], PREC_ATOM);
        tsr_text_add(&e->line, " & 1)");
        break;
    default: /* MIN, MAX */
        emit_use(e, x->op == TSR_IR_MIN ? EMIT_min_i64 : EMIT_max_i64, no_type);
        call(e, x->op == TSR_IR_MIN ? "min_i64" : "max_i64", a, x->arg[1]);
        break;
    }
}

static emit_prec prec_of_arithmetic(const emit *e, const tsr_ir_expr *x)
{
    const bool is_value = x->type.kind == TSR_IR_IS_VALUE;
    if (is_value && x->op != TSR_IR_DIV && emit_wraps(x->type))
        return PREC_ATOM;
    switch (x->op) {
    case TSR_IR_ADD:
    case TSR_IR_SUB:
        return PREC_ADD;
    case TSR_IR_MUL:
        return is_value && tsr_type_class(x->type.type) == 'C' ? PREC_ATOM : PREC_MUL;
    case TSR_IR_DIV:
        return tsr_type_class(x->type.type) == 'R' ? PREC_MUL : PREC_ATOM;
    case TSR_IR_FLOORDIV:
    case TSR_IR_MOD:
        return emit_is_natural(e, x->arg[0]) ? PREC_MUL : PREC_ATOM;
    case TSR_IR_NEG:
        return PREC_PREFIX;
    default:
        return PREC_ATOM;
    }
}

static emit_prec prec_of(const emit *e, const tsr_ir_expr *x)
{
    switch (x->op) {
    case TSR_IR_INDEX:
    case TSR_IR_VALUE:
        return is_negative(x) ? PREC_PREFIX : PREC_ATOM;
    case TSR_IR_VAR:
    case TSR_IR_HSUM:
    case TSR_IR_CALL:
    case TSR_IR_PICK:
    case TSR_IR_BELOW:
        return PREC_ATOM;
    case TSR_IR_LOAD:
        return is_vector(x) ||
                       (x->array->is_index ? x->array->elem != TSR_U64 : x->array->elem == x->type.type)
                   ? PREC_ATOM
                   : PREC_PREFIX;
    case TSR_IR_CONVERT:
        return is_vector(x) || is_literal_conversion(x) ? PREC_ATOM : PREC_PREFIX;
    case TSR_IR_SPLAT:
        return emit_is_zero(x) ? PREC_ATOM : PREC_ADD;
    case TSR_IR_SELECT:
        return is_vector(x->arg[0]) ? PREC_ATOM : PREC_SELECT;
    case TSR_IR_EQ:
    case TSR_IR_NE:
        return is_vector(x) ? PREC_PREFIX : PREC_EQUAL;
    case TSR_IR_LT:
    case TSR_IR_LE:
        return is_vector(x) ? PREC_PREFIX : PREC_LESS;
    case TSR_IR_AND:
        return is_vector(x) ? PREC_ANY : PREC_AND;
    case TSR_IR_OR:
        return is_vector(x) ? PREC_ANY : PREC_OR;
    case TSR_IR_NOT:
        if (!is_vector(x) && (x->arg[0]->op == TSR_IR_EQ || x->arg[0]->op == TSR_IR_NE))
            return PREC_EQUAL;
        return !is_vector(x) && (x->arg[0]->op == TSR_IR_LT || x->arg[0]->op == TSR_IR_LE) &&
                       x->arg[0]->arg[0]->type.kind == TSR_IR_IS_INDEX
                   ? PREC_LESS
                   : PREC_PREFIX;
    default:
        return prec_of_arithmetic(e, x);
    }
}

/* and, or; an `and` inside an `or` is put in parentheses, since compilers warn without them. */
static void logical(emit *e, const tsr_ir_expr *x)
{
    const bool is_and = x->op == TSR_IR_AND;
    const emit_prec inside = is_vector(x) ? PREC_PREFIX : is_and ? PREC_AND : PREC_OR;
    for (int i = 0; i < 2; i++) {
        const tsr_ir_expr *a = x->arg[i];
        if (i == 1)
            tsr_text_add(&e->line, is_vector(x) ? (is_and ? " & " : " | ") : is_and ? " && " : " || ");
        emit_expr(e, a, !is_and && a->op == TSR_IR_AND ? PREC_ATOM : inside);
    }
}

/* The C name of a function, which the text behind the kernel defines: by its own expression, or as a piece, of which compilers
 * make vectors. */
static const char *function_name(emit *e, const tsr_ir_function *function)
{
    if (strcmp(function->name, "exp") == 0) {
        emit_use(e, EMIT_exp_f64, no_type);
        return emit_piece_names[EMIT_exp_f64];
    }
    for (int k = 0; k < e->nfunctions; k++)
        if (strcmp(e->function[k]->name, function->name) == 0)
            return e->function_name[k];
    if (e->nfunctions == EMIT_MAX_FUNCTIONS) {
        emit_fail(e, TSR_LIMIT, "an expression with more than %d different functions", EMIT_MAX_FUNCTIONS);
        return "";
    }
    char name[100];
    snprintf(name, sizeof name, "%.80s_of", function->name);
    e->uses_math = true;
    e->function[e->nfunctions] = function;
    return e->function_name[e->nfunctions++] = emit_new_name(e, name);
}

static void function_call(emit *e, const tsr_ir_expr *x)
{
    tsr_text_addf(&e->line, "%s(", function_name(e, x->function));
    emit_expr(e, x->arg[0], PREC_ANY);
    if (x->function->nargs > 1) {
        tsr_text_add(&e->line, ", ");
        emit_expr(e, x->arg[1], PREC_ANY);
    }
    tsr_text_add(&e->line, ")");
}

static void bare_expr(emit *e, const tsr_ir_expr *x)
{
    switch (x->op) {
    case TSR_IR_INDEX:
        index_literal(e, x);
        break;
    case TSR_IR_VALUE:
        value_literal(e, x);
        break;
    case TSR_IR_VAR:
        tsr_text_add(&e->line, e->var_name[x->var->number]);
        break;
    case TSR_IR_LOAD:
        load(e, x);
        break;
    case TSR_IR_DIV:
        divide(e, x);
        break;
    case TSR_IR_EQ:
    case TSR_IR_NE:
        compare(e, x, x->op == TSR_IR_EQ ? " == " : " != ", PREC_EQUAL);
        break;
    case TSR_IR_LT:
    case TSR_IR_LE:
        compare(e, x, x->op == TSR_IR_LT ? " < " : " <= ", PREC_LESS);
        break;
    case TSR_IR_AND:
    case TSR_IR_OR:
        logical(e, x);
        break;
    case TSR_IR_NOT:
        negation(e, x);
        break;
    case TSR_IR_SELECT:
        select(e, x);
        break;
    case TSR_IR_CONVERT:
        convert(e, x);
        break;
    case TSR_IR_SPLAT:
        splat(e, x);
        break;
    case TSR_IR_HSUM:
        hsum(e, x);
        break;
    case TSR_IR_CALL:
        function_call(e, x);
        break;
    case TSR_IR_PICK:
    case TSR_IR_BELOW:
        emit_lanes_by(e, x);
        break;
    default:
        if (x->type.kind == TSR_IR_IS_INDEX)
            index_operation(e, x);
        else
            arithmetic(e, x);
        break;
    }
}

void emit_expr(emit *e, const tsr_ir_expr *x, emit_prec least)
{
    const bool open = prec_of(e, x) < least;
    tsr_text_add(&e->line, open ? "(" : "");
    bare_expr(e, x);
    tsr_text_add(&e->line, open ? ")" : "");
}
