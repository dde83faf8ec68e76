/* The verifier: programs that the builder cannot make. Each row breaks one thing in a valid program. */
#include "tsr_test.h"

#include "ir_programs.h"

/* The broken memory belongs to the builder, so it is not really constant. */
#define MUTABLE(type, p) ((type *)(uintptr_t)(p))

static tsr_ir_stmt *loop_over_t(const tsr_ir *ir)
{
    return ir->body.first;
}

/* Statement n (from 0) of a block. */
static tsr_ir_stmt *nth(const tsr_ir_block *block, int n)
{
    tsr_ir_stmt *s = block->first;
    while (n-- > 0)
        s = s->next;
    return s;
}

static tsr_ir_stmt *target(const tsr_ir *ir) /* let lo_target: index = A2_npos * t floordiv nthreads */
{
    return nth(&loop_over_t(ir)->body, 1);
}
static tsr_ir_stmt *search(const tsr_ir *ir) /* while lo < lo_end */
{
    return nth(&loop_over_t(ir)->body, 4);
}
static tsr_ir_stmt *loop_over_i(const tsr_ir *ir)
{
    return loop_over_t(ir)->body.last;
}
static tsr_ir_stmt *store(const tsr_ir *ir) /* y[i] = sum */
{
    return loop_over_i(ir)->body.last;
}
static tsr_ir_stmt *sum(const tsr_ir *ir) /* var sum: f64 = 0.0 */
{
    return loop_over_i(ir)->body.first;
}
static tsr_ir_stmt *add(const tsr_ir *ir) /* sum += A[pA2] * x[j] */
{
    return sum(ir)->next->body.last;
}

static void operand_missing(tsr_ir *ir)
{
    MUTABLE(tsr_ir_expr, target(ir)->expr)->arg[1] = NULL;
}
static void expression_missing(tsr_ir *ir)
{
    search(ir)->expr = NULL;
}
static void operation_unknown(tsr_ir *ir)
{
    MUTABLE(tsr_ir_expr, target(ir)->expr)->op = TSR_IR_NOPS;
}
static void type_of_result(tsr_ir *ir)
{
    MUTABLE(tsr_ir_expr, search(ir)->expr)->type = tsr_ir_value_type(TSR_F64);
}
static void lanes_of_three(tsr_ir *ir)
{
    MUTABLE(tsr_ir_expr, add(ir)->expr->arg[0])->type.lanes = 3;
}
static void operands_differ(tsr_ir *ir)
{
    MUTABLE(tsr_ir_expr, add(ir)->expr->arg[0])->type.type = TSR_F32;
}
static void endless_expression(tsr_ir *ir)
{
    MUTABLE(tsr_ir_expr, target(ir)->expr)->arg[0] = target(ir)->expr;
}
static void index_is_value(tsr_ir *ir)
{
    store(ir)->index = store(ir)->expr;
}
static void array_of_none(tsr_ir *ir)
{
    store(ir)->array = NULL;
}
static void array_number(tsr_ir *ir)
{
    MUTABLE(tsr_ir_array, store(ir)->array)->number = 99;
}
static void array_is_index(tsr_ir *ir)
{
    store(ir)->array = ir->param[4].array;
}
static void variable_number(tsr_ir *ir)
{
    MUTABLE(tsr_ir_var, sum(ir)->var)->number = -1;
}
static void variable_twice(tsr_ir *ir)
{
    MUTABLE(tsr_ir_var, sum(ir)->var)->number = target(ir)->var->number;
}
static void variable_type(tsr_ir *ir)
{
    MUTABLE(tsr_ir_var, sum(ir)->var)->type.type = TSR_F32;
}
static void use_before(tsr_ir *ir)
{
    tsr_ir_stmt *first = target(ir), *second = first->next, *third = second->next;
    loop_over_t(ir)->body.first->next = second;
    second->next = first;
    first->next = third;
    first->expr = sum(ir)->next->lo->arg[0]; /* i */
}
static void loop_mutable(tsr_ir *ir)
{
    MUTABLE(tsr_ir_var, loop_over_i(ir)->var)->is_mutable = true;
}
static void condition_is_index(tsr_ir *ir)
{
    search(ir)->expr = target(ir)->expr;
}
static void while_vector(tsr_ir *ir)
{
    search(ir)->marks = TSR_IR_VECTOR;
}
static void kind_unknown(tsr_ir *ir)
{
    store(ir)->kind = (tsr_ir_stmt_kind)77;
}
static void comment_empty(tsr_ir *ir)
{
    loop_over_t(ir)->body.first->text = NULL;
}
static void parameter_both(tsr_ir *ir)
{
    MUTABLE(tsr_ir_param, ir->param)[0].array = ir->param[4].array;
}
static void parameter_mutable(tsr_ir *ir)
{
    MUTABLE(tsr_ir_var, ir->param[0].var)->is_mutable = true;
}
static void parameter_twice(tsr_ir *ir)
{
    MUTABLE(tsr_ir_param, ir->param)[1] = ir->param[0];
}
static void no_name(tsr_ir *ir)
{
    ir->name = NULL;
}
static void nothing(tsr_ir *ir)
{
    (void)ir;
}

static void test_spoilt_programs(void **state)
{
    (void)state;
#define AT "loop program spmv, statement "
    static const struct {
        void (*spoil)(tsr_ir *ir);
        const char *message;
    } rows[] = {
        {operand_missing, AT "3 (lo_target): an operand of 'floordiv' is missing or too deep"},
        {expression_missing, AT "6 (while): an expression is missing"},
        {operation_unknown, AT "3 (lo_target): an expression is missing"},
        {type_of_result, AT "6 (while): the type of '<' does not match its operands"},
        {lanes_of_three, AT "23 (sum): 'load' has an invalid type"},
        {operands_differ, AT "23 (sum): '*' cannot combine f32 and f64"},
        {endless_expression, AT "3 (lo_target): an operand of 'floordiv' is missing or too deep"},
        {index_is_value, AT "24 (y): f64 where index is needed"},
        {array_of_none, AT "24 (store): an array that does not belong to this program"},
        {array_number, AT "0 (parameters): an array that does not belong to this program"},
        {array_is_index, AT "24 (A2_pos): array 'A2_pos' is only read"},
        {variable_number, AT "20 (sum): a variable that does not belong to this program"},
        {variable_twice, AT "20 (sum): variable 'sum' is declared twice"},
        {variable_type, AT "20 (sum): variable 'sum' and its value have different types"},
        {use_before, AT "4 (lo_target): variable 'i' is not declared here"},
        {loop_mutable, AT "19 (i): loop variable 'i' is mutable"},
        {condition_is_index, AT "6 (while): index where bool is needed"},
        {while_vector, AT "6 (while): the marks of a while are for loops over a range"},
        {kind_unknown, AT "24 (y): a statement of unknown kind"},
        {comment_empty, AT "2 (comment): a comment without text"},
        {parameter_both, AT "0 (parameters): parameter 0 must be either a variable or an array"},
        {parameter_mutable, AT "0 (parameters): parameter 0 is not declared as a parameter"},
        {parameter_twice, AT "0 (parameters): variable 'nthreads' is declared twice"},
        {no_name, "a loop program without a name or a header"},
        {nothing, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_ir_builder *b = tsr_ir_builder_new("spmv");
        program_spmv(b);
        tsr_ir *ir = program_finish(b, "");
        rows[i].spoil(ir);
        tsr_error why = {0};
        const tsr_status status = tsr_ir_verify(ir, &why);
        assert_string_equal(why.message, rows[i].message);
        assert_int_equal(status, *rows[i].message ? TSR_ARGUMENT : TSR_OK);
        tsr_ir_free(ir);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spoilt_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
