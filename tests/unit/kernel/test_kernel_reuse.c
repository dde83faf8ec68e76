/* A run that assembles its result makes it in the arrays of the result before: with more and fewer entries, on one thread and
 * on two, and where memory runs out at any allocation. Each run had new pages, which took the system longer than the sum of two
 * bands took. */
#include "kernel_support.h"

enum { NROWS = 20000 };

/* A matrix with ones at (i, i + 1)... (i, i + width) in each row, around the end. */
static tsr_tensor *new_band(uint64_t width)
{
    const uint64_t dims[] = {NROWS, NROWS};
    const tsr_pack_options how = {.duplicates = TSR_DUP_ERROR, .index_width = TSR_INDEX_INTEROP};
    tsr_format *csr;
    tsr_tensor *tensor;
    tsr_coo *coo;
    assert_ok(tsr_format_parse(&csr, "csr", 2, dims, err));
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, false, NROWS * width, err));
    for (uint64_t e = 0; e < coo->nnz; e++) {
        const uint64_t i = e / width;
        tsr_array_set(&coo->crd[0], e, i);
        tsr_array_set(&coo->crd[1], e, (i + 1 + e % width) % NROWS);
        ((double *)coo->values.data)[e] = 1;
    }
    assert_ok(tsr_pack(&tensor, coo, csr, &how, NULL, err));
    tsr_format_free(csr);
    return tensor;
}

static tsr_kernel *new_sum(const tsr_tensor *A, const tsr_tensor *B, tsr_kernel_engine engine)
{
    const tsr_kernel_options options = kernel_options_for(engine);
    const tsr_kernel_tensor tensors[] = {{.name = "A", .tensor = A},
                                         {.name = "B", .tensor = B},
                                         {.name = "C", .format = A->format, .dims = A->dims}};
    tsr_kernel *kernel;
    assert_ok(tsr_kernel_new(&kernel, "C(i,j) = A(i,j) + B(i,j)", tensors, 3, &options, err));
    return kernel;
}

/* C is a band with twos where j - i is at most nboth, else with ones. */
static void check_sum(const tsr_tensor *C, uint64_t width, uint64_t nboth)
{
    const double *const v = C->values.data;
    double sum = 0;
    assert_ok(tsr_tensor_check(C, 1, err));
    assert_int_equal(C->npos, NROWS * width);
    for (uint64_t e = 0; e < C->npos; e++)
        sum += v[e];
    assert_true(sum == (double)(NROWS * (width + nboth)));
    for (uint64_t k = 0; k < width; k++) /* row 0 */
        assert_true(v[k] == (k < nboth ? 2 : 1));
}

static void test_other_sizes(void **state)
{
    (void)state;
    /* the last values, 19 MB, are more than most caches hold: threads write them past the caches */
    static const uint64_t widths[][2] = {{9, 5}, {9, 5}, {2, 1}, {12, 12}, {3, 7}, {12, 1}, {119, 117}};
    for (int nthreads = 1; nthreads <= 3; nthreads++) {
        tsr_tensor *C = NULL;
        for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
            const uint64_t a = widths[k][0], b = widths[k][1];
            tsr_tensor *const A = new_band(a), *const B = new_band(b);
            tsr_kernel *const kernel = new_sum(A, B, TSR_ENGINE_AUTO);
            if (!C)
                assert_ok(tsr_kernel_result(&C, kernel, NULL, err));
            (void)tsr_alloc_peak();
            const uint64_t before = tsr_alloc_peak(); /* 0 without TSR_FAULTS */
            assert_ok(tsr_kernel_run(kernel, C, (const tsr_tensor *[]){A, B}, nthreads, err));
            check_sum(C, a > b ? a : b, a < b ? a : b);
            /* the result and the one before are not there at the same time */
            if (k == 1 && before > 0 && tsr_kernel_get_info(kernel)->engine != TSR_ENGINE_INTERPRETER)
                assert_true(tsr_alloc_peak() < before + tsr_array_nbytes(&C->values) / 2);
            tsr_kernel_free(kernel);
            tsr_tensor_free(A);
            tsr_tensor_free(B);
        }
        tsr_tensor_free(C);
    }
}

/* After a failure the result can be the result of another run, whatever is left of it. */
static void test_memory_runs_out(void **state)
{
    (void)state;
    tsr_tensor *const A = new_band(3), *const B = new_band(2);
    tsr_kernel *const kernel = new_sum(A, B, TSR_ENGINE_AUTO);
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_tensor *C;
        assert_ok(tsr_kernel_result(&C, kernel, NULL, err));
        assert_ok(tsr_kernel_run(kernel, C, (const tsr_tensor *[]){A, B}, 2, err));
        tsr_faults_arm(&faults);
        const tsr_status status = tsr_kernel_run(kernel, C, (const tsr_tensor *[]){A, B}, 2, NULL);
        tsr_faults_disarm(&faults);
        assert_true(status == TSR_OK || (status == TSR_NOMEM && faults.failed));
        assert_ok(tsr_kernel_run(kernel, C, (const tsr_tensor *[]){A, B}, 2, err));
        check_sum(C, 3, 2);
        tsr_tensor_free(C);
    }
    tsr_kernel_free(kernel);
    tsr_tensor_free(A);
    tsr_tensor_free(B);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_sizes),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
