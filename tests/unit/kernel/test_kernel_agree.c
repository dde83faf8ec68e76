/* A run refuses tensors that are not what the kernel was made for. */
#include "kernel_support.h"

#include "tsr_alloc.h"

/* Ways in which a CSR matrix of 4 x 5, f64, indices of 4 bytes, may be another. */
static void replace(tsr_tensor *A, const char *format, tsr_type type, const char *dims)
{
    tsr_tensor *const other = kernel_tensor_of(format, type, dims, "0 0 1; 3 2 1");
    const tsr_tensor before = *A;
    *A = *other;
    *other = before;
    tsr_tensor_free(other);
}

static void other_format(tsr_tensor *A)
{
    replace(A, "csc", TSR_F64, "4,5");
}

static void other_dims(tsr_tensor *A)
{
    replace(A, "csr", TSR_F64, "4,6");
}

static void other_type(tsr_tensor *A)
{
    replace(A, "csr", TSR_F32, "4,5");
}

static void one_value(tsr_tensor *A)
{
    A->iso = true;
}

static void narrow_crd(tsr_tensor *A)
{
    A->levels[1].crd.width = 2;
}

static void wide_pos(tsr_tensor *A)
{
    A->levels[1].pos.width = 8;
}

static void other_pitch(tsr_tensor *A)
{
    A->levels[0].pitch = 6;
}

static void symmetric(tsr_tensor *A)
{
    A->structure = TSR_HERMITIAN_UPPER;
}

static void filled(tsr_tensor *A)
{
    A->has_fill = true;
    A->fill[0] = 1;
}

static void short_pos(tsr_tensor *A)
{
    A->levels[1].pos.n--;
}

static void short_crd(tsr_tensor *A)
{
    A->levels[1].crd.n--;
}

static void no_crd(tsr_tensor *A)
{
    tsr_array_clear(&A->levels[1].crd);
}

static void long_pos(tsr_tensor *A)
{
    tsr_array_set(&A->levels[1].pos, 4, 100);
}

static void other_parents(tsr_tensor *A)
{
    A->levels[1].nparents = 3;
}

static void many_rows(tsr_tensor *A)
{
    A->levels[0].npos = 5;
}

static void short_values(tsr_tensor *A)
{
    A->values.n--;
}

static void no_values(tsr_tensor *A)
{
    tsr_array_clear(&A->values);
}

static void narrow_values(tsr_tensor *A)
{
    A->values.width = 4;
}

static void other_count(tsr_tensor *A)
{
    A->npos = 3;
}

static const struct {
    const char *what;
    void (*change)(tsr_tensor *A);
    tsr_status status;
    const char *message;
} rows[] = {
    {"format", other_format, TSR_ARGUMENT,
     "A is csc of 4 x 5, f64, but the kernel was made for csr of 4 x 5, f64"},
    {"dims", other_dims, TSR_ARGUMENT, "A is csr of 4 x 6, f64, but the kernel was made for csr of 4 x 5"},
    {"type", other_type, TSR_ARGUMENT, "A is csr of 4 x 5, f32, but"},
    {"iso", one_value, TSR_ARGUMENT, "f64 (one value), but the kernel was made for csr of 4 x 5, f64"},
    {"crd width", narrow_crd, TSR_ARGUMENT,
     "level 1 of A has 2 bytes per element of crd, but the kernel was made for 4"},
    {"pos width", wide_pos, TSR_ARGUMENT, "8 bytes per element of pos, but the kernel was made for 4"},
    {"pitch", other_pitch, TSR_ARGUMENT, "level 0 of A has pitch 6, but the kernel was made for 4"},
    {"structure", symmetric, TSR_UNSUPPORTED, "hermitian_upper"},
    {"fill", filled, TSR_UNSUPPORTED, "the fill of A is not 0"},
    {"pos length", short_pos, TSR_ARGUMENT, "4 elements of pos"},
    {"crd length", short_crd, TSR_ARGUMENT, "1 elements of crd"},
    {"no crd", no_crd, TSR_ARGUMENT, "level 1 of A"},
    {"last pos", long_pos, TSR_ARGUMENT, "level 1 of A is inconsistent"},
    {"parents", other_parents, TSR_ARGUMENT, "level 1 of A is inconsistent"},
    {"positions", many_rows, TSR_ARGUMENT, "level 0 of A is inconsistent"},
    {"values length", short_values, TSR_ARGUMENT, "A has 1 values of 8 bytes for 2 positions"},
    {"no values", no_values, TSR_ARGUMENT, "A has 0 values"},
    {"values width", narrow_values, TSR_ARGUMENT, "values of 4 bytes"},
    {"count", other_count, TSR_ARGUMENT, "A has 2 values"},
};

static void test_tensors_that_do_not_agree(void **state)
{
    (void)state;
    tsr_tensor *const A = kernel_tensor_of("csr", TSR_F64, "4,5", "0 0 1; 3 2 1");
    tsr_tensor *const x = kernel_counting(5), *y;
    const tsr_kernel_tensor tensors[] = {{.name = "A", .tensor = A}, {.name = "x", .tensor = x}};
    const tsr_kernel_options options = kernel_options_for(TSR_ENGINE_INTERPRETER);
    tsr_kernel *kernel;
    assert_ok(tsr_kernel_new(&kernel, "y(i) = A(i,j)*x(j)", tensors, 2, &options, err));
    assert_ok(tsr_kernel_result(&y, kernel, NULL, err));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_tensor *const other = kernel_tensor_of("csr", TSR_F64, "4,5", "0 0 1; 3 2 1");
        assert_ok(tsr_kernel_run(kernel, y, (const tsr_tensor *[]){other, x}, 1, err));
        rows[i].change(other);
        tsr_error fault = {0};
        const tsr_status status = tsr_kernel_run(kernel, y, (const tsr_tensor *[]){other, x}, 1, &fault);
        if (status != rows[i].status || !strstr(fault.message, rows[i].message))
            fail_msg("%s: %d: %s", rows[i].what, (int)status, fault.message);
        tsr_kernel_work work;
        assert_int_equal(tsr_kernel_count(&work, kernel, y, (const tsr_tensor *[]){other, x}, NULL), status);
        tsr_tensor_free(other);
    }
    tsr_error fault = {0};
    assert_int_equal(tsr_kernel_run(kernel, y, (const tsr_tensor *[]){A, NULL}, 1, &fault), TSR_ARGUMENT);
    assert_string_equal(fault.message, "missing the tensor x");
    assert_int_equal(tsr_kernel_run(kernel, NULL, (const tsr_tensor *[]){A, x}, 1, &fault), TSR_ARGUMENT);
    assert_string_equal(fault.message, "missing the tensor y");
    tsr_kernel_free(kernel);
    tsr_tensor_free(A);
    tsr_tensor_free(x);
    tsr_tensor_free(y);
}

static void test_the_result_is_no_operand(void **state)
{
    (void)state;
    tsr_tensor *const A = kernel_tensor_of("csr", TSR_F64, "4,4", "0 0 1"), *const x = kernel_counting(4);
    const tsr_kernel_tensor tensors[] = {{.name = "A", .tensor = A}, {.name = "x", .tensor = x}};
    const tsr_kernel_options options = kernel_options_for(TSR_ENGINE_INTERPRETER);
    tsr_kernel *kernel;
    tsr_error fault = {0};
    assert_ok(tsr_kernel_new(&kernel, "y(i) = A(i,j)*x(j)", tensors, 2, &options, err));
    assert_int_equal(tsr_kernel_run(kernel, x, (const tsr_tensor *[]){A, x}, 1, &fault), TSR_ARGUMENT);
    assert_string_equal(fault.message,
                        "the result y and the operand x share memory: use other memory for the result");
    tsr_kernel_free(kernel);
    tsr_tensor_free(A);
    tsr_tensor_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tensors_that_do_not_agree),
        cmocka_unit_test(test_the_result_is_no_operand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
