/* Lists of coordinates (A(i({3,1}),j)) and the windows beside them are found by search where that takes fewer steps than a pass over
 * the entries: they give what they give for a dense operand, which is not searched. Tensors have so many entries that each level of
 * each format is searched for one of the lists. */
#include "kernel_support.h"

enum { NENTRIES = 6000 };

/* Entries at random places, some of which the lists below have. */
static tsr_tensor *new_tensor(const char *format, int order, const uint64_t *dims)
{
    tsr_rng rng = {11};
    const tsr_pack_options how = {.duplicates = TSR_DUP_SUM};
    tsr_coo *coo;
    tsr_format *parsed;
    tsr_tensor *tensor;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, TSR_F64, false, NENTRIES, err));
    for (uint64_t e = 0; e < NENTRIES; e++) {
        for (int m = 0; m < order; m++)
            tsr_array_set(&coo->crd[m], e, tsr_rng_below(&rng, dims[m]));
        ((double *)coo->values.data)[e] = (double)(1 + tsr_rng_below(&rng, 9));
    }
    assert_ok(tsr_format_parse(&parsed, format, order, dims, err));
    assert_ok(tsr_pack(&tensor, coo, parsed, &how, NULL, err));
    tsr_format_free(parsed);
    return tensor;
}

static tsr_tensor *compute(const char *text, const char *format, int order, const uint64_t *dims)
{
    tsr_tensor *const A = new_tensor(format, order, dims), *result;
    const tsr_tensor *const operands[] = {A};
    const tsr_kernel_options how = kernel_options_for(TSR_ENGINE_INTERPRETER);
    tsr_kernel *kernel;
    assert_ok(tsr_kernel_new(&kernel, text, &(tsr_kernel_tensor){.name = "A", .tensor = A}, 1, &how, err));
    assert_ok(tsr_kernel_result(&result, kernel, operands, err));
    assert_ok(tsr_kernel_run(kernel, result, operands, 1, err));
    tsr_kernel_free(kernel);
    tsr_tensor_free(A);
    return result;
}

static void check(const char *const *texts, const char *const *formats, int order, const uint64_t *dims)
{
    for (; *texts; texts++) {
        tsr_tensor *const expected = compute(*texts, "dense", order, dims);
        double sum = 0;
        for (uint64_t p = 0; p < expected->npos; p++)
            sum += ((double *)expected->values.data)[p];
        assert_true(sum > 0); /* else the comparison would show nothing */
        for (const char *const *format = formats; *format; format++) {
            tsr_tensor *const got = compute(*texts, *format, order, dims);
            assert_int_equal(got->npos, expected->npos);
            if (memcmp(got->values.data, expected->values.data, tsr_array_nbytes(&got->values)) != 0)
                fail_msg("%s, A in %s", *texts, *format);
            tsr_tensor_free(got);
        }
        tsr_tensor_free(expected);
    }
}

static void test_matrices(void **state)
{
    (void)state;
    check((const char *const[]){"C(i,j) = A(i({29,0,7}),j)", "C(i,j) = A(i,j({499,3}))",
                                "C(i,j) = A(i({4,11}),j({0,400,77,12,9,251,333}))",
                                "C(i,j) = A(i(5,25,3),j({8,6}))", "C(i,j) = A(i({5,2}),j(100,400,7))", NULL},
          (const char *const[]){"coo", "coo:1,0", "coodup", "csr", "csc", "dcsr", "ss:1,0", "csru", NULL}, 2,
          (const uint64_t[]){30, 500});
}

static void test_tensors(void **state)
{
    (void)state;
    check((const char *const[]){"C(i,j,k) = A(i({5,0}),j,k)", "C(i,j,k) = A(i,j({49,2}),k)",
                                "C(i,j,k) = A(i(1,3),j,k({9,59}))", "C(i,j,k) = A(i({2}),j(10,40),k({1,30}))",
                                NULL},
          (const char *const[]){"coo", "coo:2,0,1", "csf", "csf:1,2,0", NULL}, 3,
          (const uint64_t[]){6, 50, 60});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_matrices), cmocka_unit_test(test_tensors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
