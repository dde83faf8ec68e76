/* The verifier: checks all properties of a program that the interpreter and the emitter rely on. It does not
 * rely on the checks of the builder. */
#include <stdio.h>

#include "ir_internal.h"
#include "tsr_alloc.h"

enum {
    LOCAL_MAX_NBYTES = 1 << 20,
    MATCH_MIN_LENGTH = 3 + 2 * 32, /* room for the pairs of a block of 16 elements, and as much again */
};

typedef enum sight { UNSEEN, VISIBLE, GONE, IN_PARTS } sight;

typedef struct scope {
    const tsr_ir *ir;
    unsigned char *var, *array;  /* state of each variable and array, by number */
    unsigned char *var_parallel; /* the variable was declared inside the open parallel loop */
    bool in_parallel;
    int taken_depth; /* of the body of the open loop whose numbers are taken; 0: no such loop is open */
    int depth;       /* 1: the body of the program */
    int nstmts;      /* statements checked so far */
    const char *subject;
    tsr_error *err;
} scope;

static tsr_status fault(const scope *sc, const char *format, ...) TSR_PRINTF(2, 3);

static tsr_status fault(const scope *sc, const char *format, ...)
{
    char why[300];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return tsr_fail(sc->err, TSR_ARGUMENT, "loop program %s, statement %d (%s): %s", sc->ir->name, sc->nstmts,
                    sc->subject, why);
}

static bool good_lanes(tsr_ir_type t)
{
    return t.lanes == 1 ||
           (t.kind != TSR_IR_IS_INDEX && t.lanes > 1 && t.lanes <= 64 && (t.lanes & (t.lanes - 1)) == 0);
}

static bool good_type(tsr_ir_type t)
{
    return (unsigned)t.kind <= TSR_IR_IS_VALUE && good_lanes(t) &&
           (t.kind != TSR_IR_IS_VALUE || t.type < TSR_PATTERN);
}

static tsr_status see_array(scope *sc, const tsr_ir_array *array)
{
    if (!array || array->number < 0 || array->number >= sc->ir->narrays)
        return fault(sc, "an array that does not belong to this program");
    if (sc->array[array->number] != VISIBLE)
        return fault(sc, "array '%s' is not declared here", array->name);
    return TSR_OK;
}

static tsr_status see_var(scope *sc, const tsr_ir_var *var)
{
    if (!var || var->number < 0 || var->number >= sc->ir->nvars)
        return fault(sc, "a variable that does not belong to this program");
    if (sc->var[var->number] != VISIBLE)
        return fault(sc, "variable '%s' is not declared here", var->name);
    return TSR_OK;
}

static tsr_status verify_leaf(scope *sc, const tsr_ir_expr *x)
{
    if (x->op == TSR_IR_INDEX) {
        if (!ir_same_type(x->type, ir_index_type) && !ir_same_type(x->type, ir_bool_type))
            return fault(sc, "an index constant with another type");
        return TSR_OK;
    }
    if (x->op == TSR_IR_VALUE)
        return x->type.kind == TSR_IR_IS_VALUE && x->type.lanes == 1
                   ? TSR_OK
                   : fault(sc, "a value constant with another type");
    TSR_TRY(see_var(sc, x->var));
    return ir_same_type(x->type, x->var->type)
               ? TSR_OK
               : fault(sc, "variable '%s' is read as another type", x->var->name);
}

static tsr_status verify_load(scope *sc, const tsr_ir_expr *x)
{
    TSR_TRY(see_array(sc, x->array));
    const bool good =
        x->array->is_index ? ir_same_type(x->type, ir_index_type) : ir_can_load(x->array->elem, x->type);
    return good ? TSR_OK : fault(sc, "array '%s' is loaded as another type", x->array->name);
}

/* PICK and BELOW. */
static tsr_status verify_lanes_by(scope *sc, const tsr_ir_expr *x)
{
    TSR_TRY(see_array(sc, x->by));
    if (!ir_is_list(x->by))
        return fault(sc, "'%s' does not read indices of at most 32 bits", ir_op_text(x->op));
    if (x->op == TSR_IR_BELOW)
        return TSR_OK;
    TSR_TRY(see_array(sc, x->array));
    return !x->array->is_index && x->array->elem == x->type.type
               ? TSR_OK
               : fault(sc, "array '%s' is picked as another type", x->array->name);
}

static tsr_status verify_expr(scope *sc, const tsr_ir_expr *x)
{
    char why[200];
    if (!x || (unsigned)x->op >= TSR_IR_NOPS)
        return fault(sc, "an expression is missing");
    if (!good_type(x->type))
        return fault(sc, "'%s' has an invalid type", ir_op_text(x->op));
    if (x->depth > IR_MAX_DEPTH || x->nnodes > IR_MAX_NODES)
        return fault(sc, "an expression has too many operations");
    if (ir_op_nargs(x->op) == 0)
        return verify_leaf(sc, x);
    for (int i = 0; i < ir_op_nargs(x->op); i++) {
        if (!x->arg[i] || x->arg[i]->depth >= x->depth)
            return fault(sc, "an operand of '%s' is missing or too deep", ir_op_text(x->op));
        TSR_TRY(verify_expr(sc, x->arg[i]));
    }
    if (x->op == TSR_IR_CALL && (!x->function || !x->function->value))
        return fault(sc, "a call lacks its function");
    tsr_ir_type type = x->type;
    if (!ir_result_type(&type, x->op, x->arg, why, sizeof why))
        return fault(sc, "%s", why);
    if (!ir_same_type(type, x->type))
        return fault(sc, "the type of '%s' does not match its operands", ir_op_text(x->op));
    return x->op == TSR_IR_LOAD ? verify_load(sc, x) : x->by ? verify_lanes_by(sc, x) : TSR_OK;
}

/* Check that x is an expression of type `want`. */
static tsr_status verify_typed(scope *sc, const tsr_ir_expr *x, tsr_ir_type want)
{
    char a[32], b[32];
    TSR_TRY(verify_expr(sc, x));
    return ir_same_type(x->type, want)
               ? TSR_OK
               : fault(sc, "%s where %s is needed", ir_type_text(a, x->type), ir_type_text(b, want));
}

static tsr_status new_var(scope *sc, const tsr_ir_var *var, tsr_ir_type type)
{
    if (!var || var->number < 0 || var->number >= sc->ir->nvars)
        return fault(sc, "a variable that does not belong to this program");
    if (sc->var[var->number] != UNSEEN)
        return fault(sc, "variable '%s' is declared twice", var->name);
    if (!ir_same_type(var->type, type))
        return fault(sc, "variable '%s' and its value have different types", var->name);
    sc->var[var->number] = VISIBLE;
    sc->var_parallel[var->number] = sc->in_parallel;
    return TSR_OK;
}

static tsr_status new_array(scope *sc, const tsr_ir_array *array)
{
    if (!array || array->number < 0 || array->number >= sc->ir->narrays)
        return fault(sc, "an array that does not belong to this program");
    if (sc->array[array->number] != UNSEEN)
        return fault(sc, "array '%s' is declared twice", array->name);
    if ((unsigned)array->elem >= TSR_NTYPES || (array->is_index && tsr_type_class(array->elem) != 'U'))
        return fault(sc, "array '%s' has an invalid element type", array->name);
    sc->array[array->number] = VISIBLE;
    return TSR_OK;
}

static bool is_param(const scope *sc, const tsr_ir_array *array)
{
    for (int i = 0; i < sc->ir->nparams; i++)
        if (sc->ir->param[i].array == array)
            return true;
    return false;
}

/* The output of the statement is one that consists of parts, and they were not joined yet. */
static tsr_status see_parts(scope *sc, const tsr_ir_array *output)
{
    if (!output || output->number < 0 || output->number >= sc->ir->narrays)
        return fault(sc, "an array that is not of this program");
    return sc->array[output->number] == IN_PARTS ? TSR_OK
                                                 : fault(sc, "'%s' does not consist of parts", output->name);
}

static tsr_status verify_part(scope *sc, const tsr_ir_stmt *s)
{
    const tsr_ir_array *part = s->array;
    TSR_TRY(see_parts(sc, part->whole));
    if (part->is_index != part->whole->is_index || part->elem != part->whole->elem)
        return fault(sc, "part '%s' holds other elements than '%s'", part->name, part->whole->name);
    if (sc->depth > (sc->in_parallel ? 2 : 1))
        return fault(sc, "part '%s' is declared in a block", part->name);
    TSR_TRY(verify_typed(sc, s->index, ir_index_type));
    return new_array(sc, part);
}

static tsr_status verify_array(scope *sc, const tsr_ir_stmt *s)
{
    const tsr_ir_array *array = s->array;
    if (array && array->place == TSR_IR_PART)
        return verify_part(sc, s);
    if (!array || !array->length)
        return fault(sc, "an array without a length");
    if (array->is_const || array->elem >= TSR_PATTERN || array->place == TSR_IR_PARAM)
        return fault(sc, "array '%s' cannot be written", array->name);
    TSR_TRY(verify_typed(sc, array->length, ir_index_type));
    if (array->place != TSR_IR_LOCAL && sc->depth > 1)
        return fault(sc, "heap array '%s' is declared in a block", array->name);
    if (array->place == TSR_IR_OUTPUT && !is_param(sc, array))
        return fault(sc, "output '%s' is not a parameter", array->name);
    if (array->place == TSR_IR_LOCAL) {
        const tsr_ir_expr *n = array->length;
        const int64_t most = (int64_t)(LOCAL_MAX_NBYTES / tsr_type_nbytes(array->elem));
        if (n->op != TSR_IR_INDEX || n->index < 1 || n->index > most)
            return fault(sc, "local array '%s' must have a literal length of 1 to %lld", array->name,
                         (long long)most);
    }
    return new_array(sc, array);
}

static tsr_status verify_assign(scope *sc, const tsr_ir_stmt *s)
{
    TSR_TRY(see_var(sc, s->var));
    if (!s->var->is_mutable)
        return fault(sc, "'%s' is not mutable", s->var->name);
    if (sc->in_parallel && !sc->var_parallel[s->var->number])
        return fault(sc, "'%s' is declared outside the parallel loop that assigns to it", s->var->name);
    if (s->add && s->var->type.kind == TSR_IR_IS_BOOL)
        return fault(sc, "a sum of booleans");
    return verify_typed(sc, s->expr, s->var->type);
}

static tsr_status verify_store(scope *sc, const tsr_ir_stmt *s)
{
    TSR_TRY(see_array(sc, s->array));
    TSR_TRY(verify_typed(sc, s->index, ir_index_type));
    TSR_TRY(verify_expr(sc, s->expr));
    const tsr_ir_type value = {TSR_IR_IS_VALUE, s->array->elem, s->expr->type.lanes};
    const tsr_ir_type want = s->array->is_index ? ir_index_type : value;
    if (s->array->is_const || s->array->elem >= TSR_PATTERN)
        return fault(sc, "array '%s' is only read", s->array->name);
    if (!ir_same_type(s->expr->type, want))
        return fault(sc, "array '%s' stores values of another type", s->array->name);
    if (s->array->is_index && s->atomic)
        return fault(sc, "an atomic store of an index");
    if (s->atomic && (!s->add || want.lanes != 1))
        return fault(sc, "an atomic store must be a sum with one lane");
    return TSR_OK;
}

static tsr_status verify_block(scope *sc, const tsr_ir_block *block);

/* A loop whose numbers are taken stands in the body, or in the body of the parallel loop. */
static tsr_status verify_taken(scope *sc, const tsr_ir_stmt *s)
{
    TSR_TRY(see_array(sc, s->array));
    if (s->marks != TSR_IR_TAKEN || sc->depth > (sc->in_parallel ? 2 : 1))
        return fault(sc, "a loop whose numbers are taken is in a block, or has other marks");
    return s->array->is_index && s->array->elem == TSR_U64 && s->array->place == TSR_IR_HEAP
               ? TSR_OK
               : fault(sc, "'%s' does not hold the next number of a loop", s->array->name);
}

static tsr_status verify_for(scope *sc, const tsr_ir_stmt *s)
{
    TSR_TRY(verify_typed(sc, s->lo, ir_index_type));
    TSR_TRY(verify_typed(sc, s->hi, ir_index_type));
    if (s->index)
        TSR_TRY(verify_typed(sc, s->index, ir_index_type));
    const bool was_parallel = sc->in_parallel, parallel = s->marks & TSR_IR_PARALLEL;
    if (parallel && was_parallel)
        return fault(sc, "a parallel loop inside another parallel loop");
    const bool taken = s->marks & TSR_IR_TAKEN;
    if (taken)
        TSR_TRY(verify_taken(sc, s));
    const int taken_depth = sc->taken_depth;
    sc->taken_depth = taken ? sc->depth + 1 : taken_depth;
    sc->in_parallel = was_parallel || parallel;
    TSR_TRY(new_var(sc, s->var, ir_index_type));
    if (s->var->is_mutable)
        return fault(sc, "loop variable '%s' is mutable", s->var->name);
    TSR_TRY(verify_block(sc, &s->body));
    sc->var[s->var->number] = GONE;
    sc->in_parallel = was_parallel;
    sc->taken_depth = taken_depth;
    return TSR_OK;
}

static tsr_status verify_declare(scope *sc, const tsr_ir_stmt *s)
{
    TSR_TRY(verify_expr(sc, s->expr));
    return new_var(sc, s->var, s->expr->type);
}

static tsr_status verify_if(scope *sc, const tsr_ir_stmt *s)
{
    TSR_TRY(verify_typed(sc, s->expr, ir_bool_type));
    TSR_TRY(verify_block(sc, &s->body));
    return verify_block(sc, &s->other);
}

static tsr_status verify_while(scope *sc, const tsr_ir_stmt *s)
{
    if (s->marks)
        return fault(sc, "the marks of a while are for loops over a range");
    return verify_if(sc, s);
}

static tsr_status verify_sort(scope *sc, const tsr_ir_stmt *s)
{
    TSR_TRY(see_array(sc, s->array));
    if (!s->array->is_index || s->array->is_const)
        return fault(sc, "array '%s' is not a writable array of indices", s->array->name);
    TSR_TRY(verify_typed(sc, s->lo, ir_index_type));
    return verify_typed(sc, s->hi, ir_index_type);
}

/* An array of indices that the statement may write. */
static tsr_status see_writable(scope *sc, const tsr_ir_array *array)
{
    TSR_TRY(see_array(sc, array));
    return array->is_index && !array->is_const
               ? TSR_OK
               : fault(sc, "array '%s' is not a writable array of indices", array->name);
}

static tsr_status verify_take(scope *sc, const tsr_ir_stmt *s)
{
    TSR_TRY(see_writable(sc, s->array));
    TSR_TRY(see_writable(sc, s->from[0]));
    TSR_TRY(see_writable(sc, s->from[1]));
    if (s->from[0]->elem != TSR_U8 || s->from[1]->elem != TSR_U64)
        return fault(sc, "the marks of a take must be u8, and the count u64");
    if (s->array == s->from[0] || s->array == s->from[1] || s->from[0] == s->from[1])
        return fault(sc, "the arrays of a take must differ");
    TSR_TRY(verify_typed(sc, s->index, ir_index_type));
    TSR_TRY(verify_typed(sc, s->lo, ir_index_type));
    TSR_TRY(verify_typed(sc, s->hi, ir_index_type));
    return verify_typed(sc, s->range[0], ir_index_type);
}

static tsr_status verify_shift(scope *sc, const tsr_ir_stmt *s)
{
    TSR_TRY(see_writable(sc, s->array));
    TSR_TRY(see_writable(sc, s->from[0]));
    if (sc->in_parallel || s->from[0]->elem != TSR_U64 || s->array == s->from[0])
        return fault(sc, "a shift stands in the body, and has positions and numbers, which are u64");
    for (int i = 0; i < 4; i++)
        TSR_TRY(verify_typed(sc, s->range[i], ir_index_type));
    return verify_typed(sc, s->expr, ir_index_type);
}

static tsr_status verify_match(scope *sc, const tsr_ir_stmt *s)
{
    const tsr_ir_array *const found = s->array;
    TSR_TRY(see_writable(sc, found));
    if (found->elem != TSR_U64 || found->place != TSR_IR_LOCAL || found->length->index < MATCH_MIN_LENGTH)
        return fault(sc, "the array '%s' of a match must be local, of at least %d elements u64", found->name,
                     MATCH_MIN_LENGTH);
    for (int i = 0; i < 2; i++) {
        TSR_TRY(see_array(sc, s->from[i]));
        if (!s->from[i]->is_index || s->from[i] == found || s->from[i]->elem != s->from[0]->elem)
            return fault(sc, "the lists of a match must be other arrays of indices, of the same type");
    }
    for (int i = 0; i < 4; i++)
        TSR_TRY(verify_typed(sc, s->range[i], ir_index_type));
    return TSR_OK;
}

/* Verify what UNITE, INTERSECT and MULTIPLY have in common; `what` names them; all values have the type `elem`. */
static tsr_status verify_rows(scope *sc, const tsr_ir_stmt *s, const char *what, tsr_type elem)
{
    const tsr_ir_array *const written[] = {s->array, s->from[4], s->from[5]};
    TSR_TRY(see_writable(sc, s->array));
    TSR_TRY(see_writable(sc, s->from[5]));
    for (int i = 0; i < 5; i++)
        TSR_TRY(see_array(sc, s->from[i]));
    for (int i = 0; i < 2; i++) {
        if (!s->from[i]->is_index || s->from[i]->elem != s->array->elem)
            return fault(sc, "the lists of a %s must be arrays of indices, of the type of the result", what);
        if (s->from[2 + i]->is_index || s->from[2 + i]->elem != elem)
            return fault(sc, "the values of a %s must be %s", what, tsr_type_name(elem));
    }
    if (s->from[4]->is_index || s->from[4]->is_const || s->from[4]->elem != elem ||
        s->from[5]->elem != TSR_U64)
        return fault(sc, "the sums of a %s must be writable and %s, and the count u64", what,
                     tsr_type_name(elem));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < TSR_IR_MAX_FROM; k++)
            if (k != 4 && k != 5 && (written[i] == s->from[k] || (i > 0 && written[i] == s->array)))
                return fault(sc, "the arrays of a %s must differ", what);
    for (int i = 0; i < 4; i++)
        TSR_TRY(verify_typed(sc, s->range[i], ir_index_type));
    return verify_typed(sc, s->index, ir_index_type);
}

/* `does` says what the statement does with the values. */
static tsr_status verify_pair(scope *sc, const tsr_ir_stmt *s, const char *what, const char *does)
{
    TSR_TRY(see_array(sc, s->from[4]));
    const tsr_type elem = s->from[4]->elem;
    TSR_TRY(verify_rows(sc, s, what, elem));
    if (!tsr_type_is_word(elem))
        return fault(sc, "a%s %s %s real numbers and integers of 4 or 8 bytes, not %s",
                     what[0] == 'i' ? "n" : "", what, does, tsr_type_name(elem));
    for (int i = 4; i < 6; i++)
        if (s->range[i])
            TSR_TRY(verify_typed(sc, s->range[i], tsr_ir_value_type(elem)));
    return TSR_OK;
}

static tsr_status verify_unite(scope *sc, const tsr_ir_stmt *s)
{
    return verify_pair(sc, s, "union", "adds");
}

static tsr_status verify_intersect(scope *sc, const tsr_ir_stmt *s)
{
    return s->range[4] || s->range[5] ? fault(sc, "the rows of an intersection do not have factors")
                                      : verify_pair(sc, s, "intersection", "multiplies");
}

static tsr_status verify_multiply(scope *sc, const tsr_ir_stmt *s)
{
    TSR_TRY(verify_rows(sc, s, "product", TSR_F64));
    TSR_TRY(see_array(sc, s->from[6]));
    if (!s->from[6]->is_index || s->from[6]->elem != s->array->elem)
        return fault(sc, "the positions of a product must be an array of indices, of the type of the result");
    if (!s->from[7])
        return TSR_OK;
    static const tsr_type types[] = {TSR_F64, TSR_U8, TSR_U32};
    for (int i = 0; i < 3; i++) {
        const tsr_ir_array *const own = s->from[7 + i];
        TSR_TRY(see_array(sc, own));
        if (own->is_const || own->is_index != (i > 0) || own->elem != types[i] ||
            own == s->from[7 + (i + 1) % 3])
            return fault(sc, "the workspace of a product must be writable arrays of f64, u8 and u32");
    }
    for (int i = 4; i < 8; i++)
        TSR_TRY(verify_typed(sc, s->range[i], ir_index_type));
    return TSR_OK;
}

static tsr_status verify_parts(scope *sc, const tsr_ir_stmt *s)
{
    const tsr_ir_array *output = s->array;
    if (!output || output->number < 0 || output->number >= sc->ir->narrays)
        return fault(sc, "an array that is not of this program");
    if (sc->depth > 1 || output->place != TSR_IR_OUTPUT || !is_param(sc, output) ||
        sc->array[output->number] != UNSEEN)
        return fault(sc, "'%s' cannot consist of parts", output->name);
    sc->array[output->number] = IN_PARTS;
    TSR_TRY(verify_typed(sc, s->lo, ir_index_type));
    TSR_TRY(verify_typed(sc, s->hi, ir_index_type));
    return verify_typed(sc, s->expr, ir_index_type);
}

static tsr_status see_part(scope *sc, const tsr_ir_array *part)
{
    TSR_TRY(see_array(sc, part));
    return part->place == TSR_IR_PART ? TSR_OK : fault(sc, "array '%s' is not a part", part->name);
}

static tsr_status verify_reserve(scope *sc, const tsr_ir_stmt *s)
{
    const bool is_output = s->array && s->array->place == TSR_IR_OUTPUT && !sc->in_parallel;
    TSR_TRY(is_output ? see_array(sc, s->array) : see_part(sc, s->array));
    return verify_typed(sc, s->expr, ir_index_type);
}

static tsr_status verify_trim(scope *sc, const tsr_ir_stmt *s)
{
    TSR_TRY(see_array(sc, s->array));
    if (sc->depth > 1 || s->array->place != TSR_IR_OUTPUT)
        return fault(sc, "'%s' is trimmed in a block, or is not an output", s->array->name);
    return verify_typed(sc, s->expr, ir_index_type);
}

static tsr_status verify_give(scope *sc, const tsr_ir_stmt *s)
{
    TSR_TRY(see_part(sc, s->array));
    TSR_TRY(verify_typed(sc, s->lo, ir_index_type));
    TSR_TRY(verify_typed(sc, s->hi, ir_index_type));
    TSR_TRY(verify_typed(sc, s->index, ir_index_type));
    const int depth = sc->in_parallel ? 2 : 1;
    return sc->depth == depth || (sc->depth == depth + 1 && sc->depth == sc->taken_depth)
               ? TSR_OK
               : fault(sc, "part '%s' is given in a block", s->array->name);
}

static tsr_status verify_join(scope *sc, const tsr_ir_stmt *s)
{
    TSR_TRY(see_parts(sc, s->array));
    if (sc->depth > 1)
        return fault(sc, "'%s' is joined in a block", s->array->name);
    sc->array[s->array->number] = VISIBLE;
    return TSR_OK;
}

static tsr_status verify_prefetch(scope *sc, const tsr_ir_stmt *s)
{
    TSR_TRY(see_array(sc, s->array));
    return verify_typed(sc, s->index, ir_index_type);
}

static tsr_status verify_comment(scope *sc, const tsr_ir_stmt *s)
{
    return s->text ? TSR_OK : fault(sc, "a comment without text");
}

static tsr_status verify_stmt(scope *sc, const tsr_ir_stmt *s)
{
    static tsr_status (*const verify[TSR_IR_NSTMTS])(scope *, const tsr_ir_stmt *) = {
#define X(NAME, name, text) verify_##name,
#include "stmts.def"
#undef X
    };
    return (unsigned)s->kind < TSR_IR_NSTMTS ? verify[s->kind](sc, s)
                                             : fault(sc, "a statement of unknown kind");
}

/* The subject of the statement: a name, or the kind of the statement. */
static const char *subject(const tsr_ir_stmt *s)
{
    static const char *const kinds[] = {
#define X(NAME, name, text) text,
#include "stmts.def"
#undef X
    };
    if (s->var || s->array)
        return s->var ? s->var->name : s->array->name;
    return (unsigned)s->kind < TSR_IR_NSTMTS ? kinds[s->kind] : "?";
}

static tsr_status verify_block(scope *sc, const tsr_ir_block *block)
{
    if (++sc->depth > IR_MAX_NESTING + 1)
        return fault(sc, "blocks are nested too deep");
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        sc->nstmts++;
        sc->subject = subject(s);
        TSR_TRY(verify_stmt(sc, s));
    }
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) { /* names end with their block */
        if (s->kind == TSR_IR_DECLARE)
            sc->var[s->var->number] = GONE;
        if (s->kind == TSR_IR_ARRAY && (s->array->place == TSR_IR_LOCAL || s->array->place == TSR_IR_PART))
            sc->array[s->array->number] = GONE;
    }
    sc->depth--;
    return TSR_OK;
}

static tsr_status verify_params(scope *sc)
{
    const tsr_ir *ir = sc->ir;
    for (int i = 0; i < ir->nparams; i++) {
        const tsr_ir_param *p = &ir->param[i];
        if (!p->var == !p->array)
            return fault(sc, "parameter %d must be either a variable or an array", i);
        /* an output exists once it is allocated */
        const bool is_output = p->array && p->array->place == TSR_IR_OUTPUT;
        if (p->var)
            TSR_TRY(new_var(sc, p->var, ir_index_type));
        else if (!is_output)
            TSR_TRY(new_array(sc, p->array));
        if (p->var ? !p->var->is_param || p->var->is_mutable : !is_output && p->array->place != TSR_IR_PARAM)
            return fault(sc, "parameter %d is not declared as a parameter", i);
    }
    for (int i = 0; i < ir->nparams; i++)
        if (ir->param[i].array && ir->param[i].array->length && ir->param[i].array->place == TSR_IR_PARAM) {
            TSR_TRY(verify_typed(sc, ir->param[i].array->length, ir_index_type));
            if (tsr_ir_loads(ir->param[i].array->length))
                return fault(sc, "the length of '%s' is loaded from an array", ir->param[i].array->name);
        }
    return TSR_OK;
}

tsr_status tsr_ir_verify(const tsr_ir *ir, tsr_error *err)
{
    if (!ir->name || !ir->header || ir->nvars < 0 || ir->narrays < 0)
        return tsr_fail(err, TSR_ARGUMENT, "a loop program without a name or a header");
    const size_t nvars = (size_t)ir->nvars, narrays = (size_t)ir->narrays;
    unsigned char *memory = tsr_calloc(2 * nvars + narrays, 1);
    if (!memory)
        return tsr_fail(err, TSR_NOMEM, "out of memory to verify a loop program");
    scope sc = {.ir = ir,
                .var = memory,
                .var_parallel = memory + nvars,
                .array = memory + 2 * nvars,
                .subject = "parameters",
                .err = err};
    tsr_status status = verify_params(&sc);
    if (status == TSR_OK)
        status = verify_block(&sc, &ir->body);
    for (int i = 0; status == TSR_OK && i < ir->nparams; i++) /* verify_params has checked all parameters */
        if (ir->param[i].array && sc.array[ir->param[i].array->number] != VISIBLE)
            status = fault(&sc, "output '%s' is not allocated", ir->param[i].array->name);
    tsr_free(memory);
    return status;
}
