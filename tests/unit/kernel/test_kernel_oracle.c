/* The oracle: it knows what an expression is, and tells right results from wrong ones. */
#include "kernel_support.h"

#include "tsr_oracle.h"

/* Of y(i) = A(i,j)*x(j), A = {{1,0,0,2},{0,0,0,0},{0,5,0,0}}, x = 1 2 3 4: 9 0 10. */
static const struct {
    const char *y; /* the result that is held against the oracle */
    tsr_type type;
    const char *expression, *before;
    bool same;
} rows[] = {
    {"0 9; 1 0; 2 10", TSR_F64, "y(i) = A(i,j)*x(j)", NULL, true},
    {"0 9; 1 0; 2 10.5", TSR_F64, "y(i) = A(i,j)*x(j)", NULL, false},
    {"0 9; 1 1e-10; 2 10", TSR_F64, "y(i) = A(i,j)*x(j)", NULL,
     true}, /* 1e-10 of the largest, 10, is allowed */
    {"0 9; 1 2e-9; 2 10", TSR_F64, "y(i) = A(i,j)*x(j)", NULL, false},
    {"0 9; 1 nan; 2 10", TSR_F64, "y(i) = A(i,j)*x(j)", NULL, false},
    {"0 9; 1 0; 2 10", TSR_I64, "y(i) = A(i,j)*x(j)", NULL, true},
    {"0 9; 1 1; 2 10", TSR_I64, "y(i) = A(i,j)*x(j)", NULL, false},
    {"0 10; 1 0; 2 11", TSR_F64, "y(i) += A(i,j)*x(j)", "0 1; 1 0; 2 1", true},
    {"0 9; 1 0; 2 10", TSR_F64, "y(i) += A(i,j)*x(j)", "0 1; 1 0; 2 1", false},
    {"0 -9; 1 0; 2 -10", TSR_F64, "y(i) = -A(i,j)*x(j)", NULL, true},
    {"0 4.5; 1 0; 2 5", TSR_F64, "y(i) = A(i,j)*x(j)/2", NULL, true},
};

static void test_rows(void **state)
{
    (void)state;
    static const uint64_t size[] = {3, 4};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const tsr_type type = rows[i].type;
        tsr_tensor *const A = kernel_tensor_of("csr", type, "3,4", "0 0 1; 0 3 2; 2 1 5");
        tsr_tensor *const x = kernel_tensor_of("dvec", type, "4", "0 1; 1 2; 2 3; 3 4");
        tsr_tensor *const y = kernel_tensor_of("dvec", type, "3", rows[i].y);
        tsr_tensor *const before =
            rows[i].before ? kernel_tensor_of("dvec", type, "3", rows[i].before) : NULL;
        const tsr_tensor *const operands[] = {A, x};
        tsr_notation *notation;
        tsr_comparison c;
        bool fits = false;
        assert_ok(tsr_notation_parse(&notation, rows[i].expression, err));
        const tsr_oracle_case wanted = {
            .notation = notation, .size = size, .operands = operands, .before = before, .nthreads = 1};
        assert_ok(tsr_oracle_compare(&c, &fits, &wanted, y, err));
        assert_true(fits);
        assert_int_equal(c.n, 3);
        assert_int_equal(c.whole, type == TSR_I64);
        if (c.same != rows[i].same)
            fail_msg("%s against %s: difference %g of %g", rows[i].expression, rows[i].y, c.difference,
                     c.largest);
        tsr_notation_free(notation);
        tsr_tensor_free(A);
        tsr_tensor_free(x);
        tsr_tensor_free(y);
        tsr_tensor_free(before);
    }
}

/* A box of 2^25 cells is not written out. */
static void test_too_large(void **state)
{
    (void)state;
    static const uint64_t size[] = {3, 33554432};
    tsr_tensor *const A = kernel_tensor_of("csr", TSR_F64, "3,33554432", "0 0 1; 2 1 5");
    tsr_tensor *const x = kernel_tensor_of("cvec", TSR_F64, "33554432", "0 1; 1 2");
    tsr_tensor *const y = kernel_tensor_of("dvec", TSR_F64, "3", "0 1; 1 0; 2 10");
    const tsr_tensor *const operands[] = {A, x};
    tsr_notation *notation;
    tsr_comparison c;
    bool fits = true;
    assert_ok(tsr_notation_parse(&notation, "y(i) = A(i,j)*x(j)", err));
    const tsr_oracle_case wanted = {.notation = notation, .size = size, .operands = operands};
    assert_ok(tsr_oracle_compare(&c, &fits, &wanted, y, err));
    assert_false(fits);
    assert_false(c.same);
    tsr_notation_free(notation);
    tsr_tensor_free(A);
    tsr_tensor_free(x);
    tsr_tensor_free(y);
}

static void test_stored_values(void **state)
{
    (void)state;
    tsr_tensor *const a = kernel_tensor_of("csr", TSR_F32, "3,4", "0 0 1; 0 3 2; 2 1 5");
    tsr_tensor *const b = kernel_tensor_of("csr", TSR_F32, "3,4", "0 0 1; 0 3 2; 2 1 5.0001");
    tsr_tensor *const more = kernel_tensor_of("csr", TSR_F32, "3,4", "0 0 1; 0 3 2; 2 1 5; 2 2 1");
    tsr_comparison c;
    tsr_error failure = {0};
    assert_ok(tsr_compare_values(&c, a, a, err));
    assert_true(c.same && c.n == 3 && c.difference == 0 && c.largest == 5);
    assert_ok(tsr_compare_values(&c, a, b, err));
    assert_true(c.same && c.difference > 0); /* f32: 1e-4 of the largest */
    assert_int_equal(tsr_compare_values(&c, a, more, &failure), TSR_ARGUMENT);
    tsr_tensor_free(a);
    tsr_tensor_free(b);
    tsr_tensor_free(more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_too_large),
                                       cmocka_unit_test(test_stored_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
