/* The example in tsr_kernel.h: it did not compile, and nothing noticed. */
#include "kernel_support.h"

static tsr_status example(tsr_tensor **out, const tsr_tensor *A, const tsr_tensor *x, tsr_error *err)
{
    tsr_kernel *k;
    tsr_tensor *y;
#include "kernel_example.inc"
    tsr_kernel_free(k);
    *out = y;
    return TSR_OK;
}

static void test_the_example_computes(void **state)
{
    (void)state;
    tsr_tensor *const A = kernel_tensor_of("csr", TSR_F64, "3,4", "0 0 1; 0 3 2; 2 1 5");
    tsr_tensor *const x = kernel_counting(4), *y = NULL;
    assert_ok(example(&y, A, x, err));
    assert_string_equal(kernel_values(y), "9 0 10");
    tsr_tensor_free(A);
    tsr_tensor_free(x);
    tsr_tensor_free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_example_computes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
