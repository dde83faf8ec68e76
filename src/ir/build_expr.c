/* Builds expressions: operand types are checked and constants are folded. Every function returns NULL for a
 * NULL operand (of a builder that has failed). */
#include "ir_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tsr_bits.h"
#include "tsr_checked.h"

const tsr_ir_type ir_index_type = {TSR_IR_IS_INDEX, TSR_F64, 1};
const tsr_ir_type ir_bool_type = {TSR_IR_IS_BOOL, TSR_F64, 1};

static const struct {
    const char *text;
    int nargs;
    char kind;
} ops[TSR_IR_NOPS] = {
#define X(name, text, nargs, kind) {text, nargs, #kind[0]},
#include "ops.def"
#undef X
};

char ir_op_kind(tsr_ir_op op)
{
    return ops[op].kind;
}

const char *ir_op_text(tsr_ir_op op)
{
    return ops[op].text;
}

int ir_op_nargs(tsr_ir_op op)
{
    return ops[op].nargs;
}

/* ---- types ---- */

char *ir_type_text(char *buf, tsr_ir_type type)
{
    const char *name = type.kind == TSR_IR_IS_BOOL    ? "bool"
                       : type.kind == TSR_IR_IS_INDEX ? "index"
                                                      : tsr_type_name(type.type);
    if (type.lanes == 1)
        snprintf(buf, 32, "%s", name);
    else
        snprintf(buf, 32, "%sx%d", name, type.lanes);
    return buf;
}

static bool is_integer(tsr_type type)
{
    return tsr_type_class(type) == 'I' || tsr_type_class(type) == 'U';
}

/* Whether a value (or an index) of type `from` can be converted to type `to`: all conversions except complex to real. */
static bool can_convert(tsr_ir_type to, tsr_ir_type from)
{
    if (to.lanes != from.lanes || to.kind != TSR_IR_IS_VALUE || from.kind == TSR_IR_IS_BOOL)
        return false;
    if (from.kind == TSR_IR_IS_INDEX)
        return true;
    return tsr_type_class(from.type) != 'C' || tsr_type_class(to.type) == 'C';
}

bool ir_can_load(tsr_type elem, tsr_ir_type as)
{
    if (as.kind != TSR_IR_IS_VALUE)
        return false;
    const tsr_ir_type from = {TSR_IR_IS_VALUE, elem == TSR_PATTERN ? TSR_U8 : elem, as.lanes};
    return can_convert(as, from) && (is_integer(from.type) || !is_integer(as.type));
}

static bool differ(char *why, size_t nbytes, tsr_ir_op op, tsr_ir_type x, tsr_ir_type y)
{
    char a[32], c[32];
    snprintf(why, nbytes, "'%s' cannot combine %s and %s", ops[op].text, ir_type_text(a, x),
             ir_type_text(c, y));
    return false;
}

static bool wrong(char *why, size_t nbytes, tsr_ir_op op, tsr_ir_type x)
{
    char a[32];
    snprintf(why, nbytes, "'%s' does not take %s", ops[op].text, ir_type_text(a, x));
    return false;
}

static bool special_type(tsr_ir_type *type, tsr_ir_op op, const tsr_ir_expr *const *arg, char *why,
                         size_t nbytes)
{
    const tsr_ir_type x = arg[0]->type;
    switch (op) {
    case TSR_IR_LOAD:
        return ir_same_type(x, ir_index_type) || wrong(why, nbytes, op, x);
    case TSR_IR_SELECT:
        if (x.kind != TSR_IR_IS_BOOL || !ir_same_type(arg[1]->type, arg[2]->type))
            return x.kind == TSR_IR_IS_BOOL ? differ(why, nbytes, op, arg[1]->type, arg[2]->type)
                                            : wrong(why, nbytes, op, x);
        *type = arg[1]->type;
        return x.lanes == 1 || (ir_is_value(*type) && x.lanes == type->lanes && x.type == type->type) ||
               differ(why, nbytes, op, x, *type);
    case TSR_IR_CONVERT:
        return can_convert(*type, x) || differ(why, nbytes, op, x, *type);
    case TSR_IR_SPLAT:
        return (ir_is_value(x) && ir_is_value(*type) && x.lanes == 1 && x.type == type->type &&
                type->lanes > 1) ||
               differ(why, nbytes, op, x, *type);
    case TSR_IR_CALL:
        *type = tsr_ir_value_type(TSR_F64);
        return (ir_same_type(x, *type) && ir_same_type(arg[1]->type, *type)) ||
               differ(why, nbytes, op, x, arg[1]->type);
    case TSR_IR_PICK:
    case TSR_IR_BELOW:
        return (ir_same_type(x, ir_index_type) && ir_same_type(arg[1]->type, ir_index_type) &&
                type->lanes > 1 && type->kind == (op == TSR_IR_PICK ? TSR_IR_IS_VALUE : TSR_IR_IS_BOOL)) ||
               wrong(why, nbytes, op, x);
    default: /* HSUM */
        *type = (tsr_ir_type){x.kind, x.type, 1};
        return (ir_is_value(x) && x.lanes > 1) || wrong(why, nbytes, op, x);
    }
}

bool ir_result_type(tsr_ir_type *type, tsr_ir_op op, const tsr_ir_expr *const *arg, char *why, size_t nbytes)
{
    const char kind = ops[op].kind;
    if (kind == 'S')
        return special_type(type, op, arg, why, nbytes);
    const tsr_ir_type x = arg[0]->type;
    if (ops[op].nargs == 2 && !ir_same_type(x, arg[1]->type))
        return differ(why, nbytes, op, x, arg[1]->type);
    *type = x;
    const bool fits = kind == 'V'   ? ir_is_value(x)
                      : kind == 'I' ? x.kind == TSR_IR_IS_INDEX
                      : kind == 'B' ? x.kind == TSR_IR_IS_BOOL
                                    : x.kind != TSR_IR_IS_BOOL; /* N, C */
    if (!fits)
        return wrong(why, nbytes, op, x);
    if (kind == 'C') {
        if ((op == TSR_IR_LT || op == TSR_IR_LE) && ir_is_value(x) && tsr_type_class(x.type) == 'C')
            return wrong(why, nbytes, op, x);
        *type = x.lanes == 1 ? ir_bool_type : (tsr_ir_type){TSR_IR_IS_BOOL, x.type, x.lanes};
    }
    return true;
}

/* ---- construction ---- */

static const tsr_ir_expr *new_expr(tsr_ir_builder *b, tsr_ir_expr e)
{
    int depth = 0, nnodes = 1;
    for (int i = 0; i < 3; i++)
        if (e.arg[i]) {
            depth = e.arg[i]->depth >= depth ? e.arg[i]->depth + 1 : depth;
            nnodes += e.arg[i]->nnodes;
        }
    if (depth > IR_MAX_DEPTH || nnodes > IR_MAX_NODES)
        return ir_fault(b, TSR_LIMIT, "an expression has too many operations: %d, nested %d deep", nnodes,
                        depth);
    e.depth = depth;
    e.nnodes = nnodes;
    tsr_ir_expr *x = ir_alloc(b, sizeof *x);
    if (x)
        *x = e;
    return x;
}

/* Make the operation without folding; *type is the type that CONVERT, SPLAT and LOAD give. */
static const tsr_ir_expr *make(tsr_ir_builder *b, tsr_ir_op op, tsr_ir_type type, const tsr_ir_expr *x,
                               const tsr_ir_expr *y, const tsr_ir_expr *z)
{
    tsr_ir_expr e = {.op = op, .type = type, .arg = {x, y, z}};
    char why[200];
    for (int i = 0; i < ir_op_nargs(op); i++)
        if (!e.arg[i])
            return ir_fault(b, TSR_ARGUMENT, "an operand is missing");
    if (!ir_result_type(&e.type, op, e.arg, why, sizeof why))
        return ir_fault(b, TSR_ARGUMENT, "%s", why);
    return new_expr(b, e);
}

/* Whether all n operands are given. */
static bool given(tsr_ir_builder *b, const tsr_ir_expr *x, const tsr_ir_expr *y, int n)
{
    if (!b || b->fault != TSR_OK)
        return false;
    if (x && (y || n < 2))
        return true;
    ir_fault(b, TSR_ARGUMENT, "an operand is missing");
    return false;
}

const tsr_ir_expr *tsr_ir_index(tsr_ir_builder *b, int64_t c)
{
    if (!b || b->fault != TSR_OK)
        return NULL;
    return new_expr(b, (tsr_ir_expr){.op = TSR_IR_INDEX, .type = ir_index_type, .index = c});
}

const tsr_ir_expr *tsr_ir_bool(tsr_ir_builder *b, bool c)
{
    if (!b || b->fault != TSR_OK)
        return NULL;
    return new_expr(b, (tsr_ir_expr){.op = TSR_IR_INDEX, .type = ir_bool_type, .index = c});
}

/* Whether c is a value of the integer type. */
static bool fits(tsr_type type, double c)
{
    const int nbits = 8 * (int)tsr_type_nbytes(type);
    const bool is_signed = tsr_type_class(type) == 'I';
    const double top = ldexp(1, is_signed ? nbits - 1 : nbits);
    return c == floor(c) && c < top && c >= (is_signed ? -top : 0);
}

const tsr_ir_expr *tsr_ir_value(tsr_ir_builder *b, tsr_ir_type type, double c)
{
    if (!b || b->fault != TSR_OK)
        return NULL;
    if (type.kind != TSR_IR_IS_VALUE || type.type >= TSR_PATTERN || type.lanes < 1)
        return ir_fault(b, TSR_ARGUMENT, "the type of a constant is not a value type");
    if (is_integer(type.type) && !fits(type.type, c))
        return ir_fault(b, TSR_ARGUMENT, "%g is not representable in %s", c, tsr_type_name(type.type));
    if (type.type == TSR_F32 || type.type == TSR_C64)
        c = (float)c;
    const tsr_ir_expr *x =
        new_expr(b, (tsr_ir_expr){.op = TSR_IR_VALUE, .type = tsr_ir_value_type(type.type), .value = c});
    return x && type.lanes > 1 ? make(b, TSR_IR_SPLAT, type, x, NULL, NULL) : x;
}

const tsr_ir_expr *tsr_ir_read(tsr_ir_builder *b, const tsr_ir_var *var)
{
    return var ? new_expr(b, (tsr_ir_expr){.op = TSR_IR_VAR, .type = var->type, .var = var}) : NULL;
}

/* ---- folding ---- */

static bool is_constant(const tsr_ir_expr *x)
{
    return x->op == TSR_IR_INDEX;
}

static int64_t floordiv(int64_t x, int64_t y)
{
    return x / y - (x % y < 0);
}

/* Apply the operation to two constants; false if that is an error, which is then left to the run. */
static bool fold_constants(int64_t *out, tsr_ir_op op, int64_t x, int64_t y)
{
    switch (op) {
    case TSR_IR_ADD:
        return tsr_add_i64(out, x, y);
    case TSR_IR_SUB:
        return y != INT64_MIN && tsr_add_i64(out, x, -y);
    case TSR_IR_MUL:
        return tsr_mul_i64(out, x, y);
    case TSR_IR_NEG:
        *out = x == INT64_MIN ? 0 : -x;
        return x != INT64_MIN;
    case TSR_IR_FLOORDIV:
        *out = y > 0 ? floordiv(x, y) : 0;
        return y > 0;
    case TSR_IR_MOD:
        *out = y > 0 ? x - floordiv(x, y) * y : 0;
        return y > 0;
    case TSR_IR_MIN:
        *out = x < y ? x : y;
        return true;
    case TSR_IR_MAX:
        *out = x > y ? x : y;
        return true;
    case TSR_IR_GATHER:
        *out = x >= 0 && y >= 0 ? (int64_t)tsr_gather_u64((uint64_t)x, (uint64_t)y) : 0;
        return x >= 0 && y >= 0;
    case TSR_IR_MASK:
        *out = x >= 0 && y >= 0 ? x & y : 0;
        return x >= 0 && y >= 0;
    case TSR_IR_EQ:
        *out = x == y;
        return true;
    case TSR_IR_NE:
        *out = x != y;
        return true;
    case TSR_IR_LT:
        *out = x < y;
        return true;
    case TSR_IR_LE:
        *out = x <= y;
        return true;
    default:
        return false;
    }
}

/* x + c, where x may itself be a sum or difference with a constant. NULL without an error: it does not
 * fold. */
static const tsr_ir_expr *add_constant(tsr_ir_builder *b, const tsr_ir_expr *x, int64_t c)
{
    int64_t sum = c;
    if (c == 0)
        return x;
    if ((x->op == TSR_IR_ADD || x->op == TSR_IR_SUB) && is_constant(x->arg[1])) {
        const int64_t k = x->arg[1]->index;
        if (k != INT64_MIN && tsr_add_i64(&sum, x->op == TSR_IR_ADD ? k : -k, c))
            x = x->arg[0];
    }
    if (sum == 0)
        return x;
    if (sum < 0 && sum != INT64_MIN)
        return make(b, TSR_IR_SUB, x->type, x, tsr_ir_index(b, -sum), NULL);
    return make(b, TSR_IR_ADD, x->type, x, tsr_ir_index(b, sum), NULL);
}

static bool is_plus_constant(const tsr_ir_expr *x)
{
    return (x->op == TSR_IR_ADD || x->op == TSR_IR_SUB) && is_constant(x->arg[1]) &&
           x->arg[1]->index != INT64_MIN;
}

/* Fold two indices; y may be a constant. NULL: no folding applies. */
static const tsr_ir_expr *fold_index(tsr_ir_builder *b, tsr_ir_op op, const tsr_ir_expr *x,
                                     const tsr_ir_expr *y)
{
    const bool same =
        x == y || (x->op == TSR_IR_VAR && y->op == TSR_IR_VAR && x->var == y->var && !x->var->is_mutable);
    const int64_t c = is_constant(y) ? y->index : 0;
    int64_t product;
    switch (op) {
    case TSR_IR_ADD:
        if (is_plus_constant(y)) { /* x + (y' + c) = x + y' + c */
            const tsr_ir_expr *sum = tsr_ir_add(b, x, y->arg[0]);
            return sum ? add_constant(b, sum, y->op == TSR_IR_ADD ? y->arg[1]->index : -y->arg[1]->index)
                       : NULL;
        }
        return is_constant(y) ? add_constant(b, x, c) : NULL;
    case TSR_IR_SUB:
        if (is_constant(y) && c != INT64_MIN)
            return add_constant(b, x, -c);
        return same ? tsr_ir_index(b, 0) : NULL;
    case TSR_IR_MUL:
        if (!is_constant(y))
            return NULL;
        if (c == 0 || c == 1)
            return c == 0 ? y : x;
        if (x->op == TSR_IR_MUL && is_constant(x->arg[1]) && tsr_mul_i64(&product, x->arg[1]->index, c))
            return make(b, op, x->type, x->arg[0], tsr_ir_index(b, product), NULL);
        return NULL;
    case TSR_IR_FLOORDIV:
        return c == 1 ? x : NULL;
    case TSR_IR_MOD:
        return c == 1 ? tsr_ir_index(b, 0) : NULL;
    case TSR_IR_BIT:
    case TSR_IR_MIX:
        return NULL;
    case TSR_IR_MIN:
        return same ? x : NULL;
    case TSR_IR_MAX: /* parameters are not negative */
        return same || (is_constant(y) && c <= 0 && x->op == TSR_IR_VAR && x->var->is_param) ? x : NULL;
    case TSR_IR_GATHER:
        return c == 0 ? y : NULL;
    case TSR_IR_MASK:
        return is_constant(y) && c == 0 ? y : NULL;
    case TSR_IR_EQ:
    case TSR_IR_LE:
        return same ? tsr_ir_bool(b, true) : NULL;
    default: /* NE, LT */
        return same ? tsr_ir_bool(b, false) : NULL;
    }
}

/* Fold and, or, not with a constant operand. NULL: no folding applies. */
static const tsr_ir_expr *fold_bool(tsr_ir_builder *b, tsr_ir_op op, const tsr_ir_expr *x,
                                    const tsr_ir_expr *y)
{
    if (op == TSR_IR_NOT)
        return is_constant(x) ? tsr_ir_bool(b, !x->index) : x->op == TSR_IR_NOT ? x->arg[0] : NULL;
    if (!is_constant(x)) {
        const tsr_ir_expr *t = x;
        x = y;
        y = t;
    }
    if (!is_constant(x))
        return NULL;
    return (x->index != 0) == (op == TSR_IR_AND) ? y : x;
}

static bool is_one(const tsr_ir_expr *x)
{
    return x->op == TSR_IR_SPLAT ? is_one(x->arg[0]) : x->op == TSR_IR_VALUE && x->value == 1;
}

static const tsr_ir_expr *fold(tsr_ir_builder *b, tsr_ir_op op, const tsr_ir_expr *x, const tsr_ir_expr *y)
{
    int64_t c = 0;
    if (ir_is_value(x->type)) {
        if (op != TSR_IR_MUL)
            return NULL;
        return is_one(y) ? x : is_one(x) ? y : NULL;
    }
    if (x->type.kind == TSR_IR_IS_BOOL)
        return fold_bool(b, op, x, y);
    if (is_constant(x) && (!y || is_constant(y))) {
        if (!fold_constants(&c, op, x->index, y ? y->index : 0))
            return NULL;
        return ir_op_kind(op) == 'C' ? tsr_ir_bool(b, c) : tsr_ir_index(b, c);
    }
    if (!y)
        return x->op == TSR_IR_NEG ? x->arg[0] : NULL;
    return fold_index(b, op, x, y);
}

/* ---- public functions ---- */

const tsr_ir_expr *tsr_ir_op2(tsr_ir_builder *b, tsr_ir_op op, const tsr_ir_expr *x, const tsr_ir_expr *y)
{
    if (b && b->fault == TSR_OK && ((unsigned)op >= TSR_IR_NOPS || ir_op_kind(op) == 'S'))
        return ir_fault(b, TSR_ARGUMENT, "operation %d must be built with its own function", (int)op);
    if (!given(b, x, y, (unsigned)op < TSR_IR_NOPS ? ir_op_nargs(op) : 0))
        return NULL;
    if (ir_op_nargs(op) == 1)
        y = NULL;
    if (y && ir_is_value(x->type) && ir_is_value(y->type) && x->type.type == y->type.type) {
        if (x->type.lanes == 1 && y->type.lanes > 1)
            x = make(b, TSR_IR_SPLAT, y->type, x, NULL, NULL);
        else if (y->type.lanes == 1 && x->type.lanes > 1)
            y = make(b, TSR_IR_SPLAT, x->type, y, NULL, NULL);
        if (!x || !y)
            return NULL;
    }
    tsr_ir_type type = {0};
    const tsr_ir_expr *const arg[] = {x, y};
    char why[200];
    if (!ir_result_type(&type, op, arg, why, sizeof why))
        return ir_fault(b, TSR_ARGUMENT, "%s", why);
    if (y && x->type.kind == TSR_IR_IS_INDEX && is_constant(x) && !is_constant(y) &&
        (op == TSR_IR_ADD || op == TSR_IR_MUL)) { /* constants go to the right */
        const tsr_ir_expr *t = x;
        x = y;
        y = t;
    }
    const tsr_ir_expr *folded = fold(b, op, x, y);
    return folded || b->fault != TSR_OK ? folded : make(b, op, type, x, y, NULL);
}

const tsr_ir_expr *tsr_ir_add(tsr_ir_builder *b, const tsr_ir_expr *x, const tsr_ir_expr *y)
{
    return tsr_ir_op2(b, TSR_IR_ADD, x, y);
}

const tsr_ir_expr *tsr_ir_sub(tsr_ir_builder *b, const tsr_ir_expr *x, const tsr_ir_expr *y)
{
    return tsr_ir_op2(b, TSR_IR_SUB, x, y);
}

const tsr_ir_expr *tsr_ir_mul(tsr_ir_builder *b, const tsr_ir_expr *x, const tsr_ir_expr *y)
{
    return tsr_ir_op2(b, TSR_IR_MUL, x, y);
}

const tsr_ir_expr *tsr_ir_select(tsr_ir_builder *b, const tsr_ir_expr *c, const tsr_ir_expr *x,
                                 const tsr_ir_expr *y)
{
    if (!given(b, c, x, 2) || !given(b, y, NULL, 1))
        return NULL;
    if (ir_is_value(x->type) && ir_is_value(y->type) && x->type.type == y->type.type) {
        const int lanes = x->type.lanes > y->type.lanes ? x->type.lanes : y->type.lanes;
        x = tsr_ir_splat(b, x, lanes);
        y = tsr_ir_splat(b, y, lanes);
        if (!x || !y)
            return NULL;
    }
    if (c->type.kind == TSR_IR_IS_BOOL && is_constant(c) && ir_same_type(x->type, y->type))
        return c->index ? x : y;
    return make(b, TSR_IR_SELECT, x->type, c, x, y);
}

const tsr_ir_expr *ir_load(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *index,
                           tsr_ir_type type)
{
    if (!given(b, index, NULL, 1))
        return NULL;
    if (!array)
        return ir_fault(b, TSR_ARGUMENT, "the array of a load is missing");
    char text[32], why[200];
    if (array->is_index ? !ir_same_type(type, ir_index_type) : !ir_can_load(array->elem, type))
        return ir_fault(b, TSR_ARGUMENT, "'%s' cannot be loaded as %s", array->name,
                        ir_type_text(text, type));
    tsr_ir_expr e = {.op = TSR_IR_LOAD, .type = type, .arg = {index}, .array = array};
    if (!ir_result_type(&e.type, TSR_IR_LOAD, e.arg, why, sizeof why))
        return ir_fault(b, TSR_ARGUMENT, "the index of '%s': %s", array->name, why);
    return new_expr(b, e);
}

bool ir_is_list(const tsr_ir_array *by)
{
    return by && by->is_index && (by->elem == TSR_U8 || by->elem == TSR_U16 || by->elem == TSR_U32);
}

const tsr_ir_expr *ir_lanes_by(tsr_ir_builder *b, const tsr_ir_expr *like, const tsr_ir_expr *place,
                               const tsr_ir_expr *bound)
{
    if (!given(b, place, bound, 2))
        return NULL;
    char why[200];
    tsr_ir_expr e = {
        .op = like->op, .type = like->type, .arg = {place, bound}, .array = like->array, .by = like->by};
    if (!ir_is_list(e.by))
        return ir_fault(b, TSR_ARGUMENT, "'%s' needs an array of indices of at most 32 bits", ops[e.op].text);
    if (e.op == TSR_IR_PICK && (!e.array || e.array->is_index || e.array->elem != e.type.type))
        return ir_fault(b, TSR_ARGUMENT, "'pick' takes elements as they are");
    if (!ir_result_type(&e.type, e.op, e.arg, why, sizeof why))
        return ir_fault(b, TSR_ARGUMENT, "%s", why);
    return new_expr(b, e);
}

const tsr_ir_expr *tsr_ir_load_index(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *index)
{
    return ir_load(b, array, index, ir_index_type);
}

const tsr_ir_expr *tsr_ir_load_value(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *index,
                                     tsr_ir_type as)
{
    return ir_load(b, array, index, as);
}

const tsr_ir_expr *tsr_ir_convert(tsr_ir_builder *b, const tsr_ir_expr *x, tsr_ir_type type)
{
    if (!given(b, x, NULL, 1))
        return NULL;
    return ir_same_type(x->type, type) ? x : make(b, TSR_IR_CONVERT, type, x, NULL, NULL);
}

const tsr_ir_expr *tsr_ir_splat(tsr_ir_builder *b, const tsr_ir_expr *x, int lanes)
{
    if (!given(b, x, NULL, 1))
        return NULL;
    return x->type.lanes == lanes
               ? x
               : make(b, TSR_IR_SPLAT, (tsr_ir_type){x->type.kind, x->type.type, lanes}, x, NULL, NULL);
}

const tsr_ir_expr *tsr_ir_hsum(tsr_ir_builder *b, const tsr_ir_expr *x)
{
    return given(b, x, NULL, 1) ? make(b, TSR_IR_HSUM, x->type, x, NULL, NULL) : NULL;
}

const tsr_ir_expr *tsr_ir_call(tsr_ir_builder *b, const tsr_ir_function *function, const tsr_ir_expr *x,
                               const tsr_ir_expr *y)
{
    if (b && b->fault == TSR_OK && function->nargs == 1)
        y = tsr_ir_value(b, tsr_ir_value_type(TSR_F64), 0);
    if (!given(b, x, y, 2))
        return NULL;
    tsr_ir_function *const own = ir_alloc(b, sizeof *own);
    char *const name = ir_alloc(b, strlen(function->name) + 1),
                *text = ir_alloc(b, strlen(function->text) + 1);
    if (!own || !name || !text)
        return NULL;
    *own = *function;
    own->name = strcpy(name, function->name);
    own->text = strcpy(text, function->text);
    const tsr_ir_expr *const made = make(b, TSR_IR_CALL, tsr_ir_value_type(TSR_F64), x, y, NULL);
    if (made)
        ((tsr_ir_expr *)(uintptr_t)made)->function = own; /* the expression was just made */
    return made;
}

const tsr_ir_expr *tsr_ir_like(tsr_ir_builder *b, const tsr_ir_expr *x, const tsr_ir_expr *const arg[3],
                               const tsr_ir_array *array, const tsr_ir_array *by)
{
    const tsr_ir_expr like = {.op = x->op, .type = x->type, .array = array, .by = by};
    switch (x->op) {
    case TSR_IR_LOAD:
        return ir_load(b, array, arg[0], x->type);
    case TSR_IR_SELECT:
        return tsr_ir_select(b, arg[0], arg[1], arg[2]);
    case TSR_IR_CONVERT:
        return tsr_ir_convert(b, arg[0], x->type);
    case TSR_IR_SPLAT:
        return tsr_ir_splat(b, arg[0], x->type.lanes);
    case TSR_IR_HSUM:
        return tsr_ir_hsum(b, arg[0]);
    case TSR_IR_CALL:
        return tsr_ir_call(b, x->function, arg[0], arg[1]);
    case TSR_IR_PICK:
    case TSR_IR_BELOW:
        return ir_lanes_by(b, &like, arg[0], arg[1]);
    default:
        return tsr_ir_op2(b, x->op, arg[0], arg[1]);
    }
}
