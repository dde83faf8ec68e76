/* Assembling the structure of a result and computing the values in it, by separate calls: the bits are those of a run. */
#include "kernel_support.h"

static const struct {
    const char *text, *format, *dims;
    bool stays; /* whichever entries B has */
} rows[] = {
    {"C(i,j) = A(i,k)*B(k,j)", "csr", "4,4", false},
    {"C(i,j) = A(i,k)*B(k,j)", "coo", "4,4", false},
    {"C(i,j) = A(i,j) + B(j,i)", "csc", "4,4", false},
    {"C(i,j) = A(i,j) - A(i,j)*B(i,j)", "bcsr(2,2)", "4,4", true},
    {"C(i) = A(i,j)*B(i,j)", "s", "4", false},
    {"C(i,j) = max(A(i,j), B(i,j))", "dcsr", "4,4", false},
    {"C(i,j) = A(i,j)*B(i,j)", "dense", "4,4", false},
    {"C(i(0,4)) = A(i,j)*B(i,j)", "s", "4", false},
};

static void scale(tsr_tensor *tensor, double by)
{
    for (uint64_t i = 0; i < tensor->values.n; i++)
        ((double *)tensor->values.data)[i] *= by;
}

static bool has_same_bits(const tsr_tensor *a, const tsr_tensor *b)
{
    return a->values.n == b->values.n &&
           memcmp(a->values.data, b->values.data, tsr_array_nbytes(&a->values)) == 0;
}

static void test_values_into_a_structure(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        tsr_tensor *A = kernel_tensor_of("csr", TSR_F64, "4,4", "0 0 1; 0 3 2; 2 1 5; 3 3 7"), *C, *D;
        tsr_tensor *B = kernel_tensor_of("csr", TSR_F64, "4,4", "0 0 3; 1 2 2; 2 1 4; 3 0 0.5");
        tsr_tensor *other = kernel_tensor_of("csr", TSR_F64, "4,4", "0 1 3; 1 2 2; 2 3 4; 3 3 0.5");
        const tsr_tensor *operands[] = {A, B}, *others[] = {A, other};
        const uint64_t dims[] = {4, 4};
        tsr_format *format;
        tsr_kernel *kernel;
        assert_ok(tsr_format_parse(&format, rows[k].format, strlen(rows[k].dims) > 1 ? 2 : 1, dims, err));
        const tsr_kernel_tensor tensors[] = {{.name = "C", .format = format, .dims = dims},
                                             {.name = "A", .tensor = A},
                                             {.name = "B", .tensor = B}};
        const tsr_kernel_options how = kernel_options_for(TSR_ENGINE_INTERPRETER);
        assert_ok(tsr_kernel_new(&kernel, rows[k].text, tensors, 3, &how, err));
        assert_ok(tsr_kernel_result(&C, kernel, operands, err));
        assert_ok(tsr_kernel_result(&D, kernel, operands, err));
        assert_ok(tsr_kernel_assemble(kernel, C, operands, 2, err));
        for (uint64_t i = 0; i < C->values.n; i++)
            assert_true(((double *)C->values.data)[i] == 0);
        const void *const block = C->values.data;
        for (int time = 0; time < 3; time++) { /* values change, the structure stays */
            assert_ok(tsr_kernel_compute(kernel, C, operands, 1 + time, err));
            assert_ok(tsr_kernel_run(kernel, D, operands, 1, err));
            assert_true(has_same_bits(C, D));
            assert_true(C->values.data == block);
            scale(A, 3);
            scale(B, 0.7);
        }
        if (!tsr_format_is_dense(C->format) &&
            !rows[k].stays) { /* B's entries elsewhere: other entries in C */
            tsr_error err = {0};
            assert_int_equal(tsr_kernel_compute(kernel, C, others, 1, &err), TSR_ARGUMENT);
            assert_non_null(strstr(err.message, "assemble the result anew"));
            assert_true(has_same_bits(C, D));
        }
        tsr_kernel_free(kernel);
        tsr_format_free(format);
        tsr_tensor_free(A);
        tsr_tensor_free(B);
        tsr_tensor_free(other);
        tsr_tensor_free(C);
        tsr_tensor_free(D);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values_into_a_structure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
