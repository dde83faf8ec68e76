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

/* ---- short lists ---- */

/* A csr matrix of n rows with 8 entries each, of the values 1 to 8, in columns that rise. */
static tsr_tensor *eight_in_a_row(uint64_t n, tsr_type type)
{
    tsr_format *format;
    tsr_tensor *A;
    const uint64_t dims[] = {n, 64};
    assert_ok(tsr_format_parse(&format, "csr", 2, dims, err));
    assert_ok(tsr_tensor_new(&A, format, dims, type, err));
    tsr_format_free(format);
    tsr_level *const rows = &A->levels[0], *const level = &A->levels[1];
    rows->nparents = 1;
    rows->npos = level->nparents = n;
    A->npos = level->npos = 8 * n;
    assert_ok(tsr_array_init(&level->pos, n + 1, 4, 0, "test", err));
    assert_ok(tsr_array_init(&level->crd, 8 * n, 4, 0, "test", err));
    assert_ok(tsr_array_init(&A->values, 8 * n, tsr_type_nbytes(type), 0, "test", err));
    for (uint64_t i = 0; i <= n; i++)
        ((uint32_t *)level->pos.data)[i] = (uint32_t)(8 * i);
    for (uint64_t p = 0; p < 8 * n; p++) {
        ((uint32_t *)level->crd.data)[p] = (uint32_t)(8 * (p % 8) + p / 8 % 8);
        if (type == TSR_F64)
            ((double *)A->values.data)[p] = (double)(1 + p % 8);
        else
            ((uint16_t *)A->values.data)[p] =
                (uint16_t[]){0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800}[p % 8]; /* f16 */
    }
    assert_ok(tsr_tensor_check(A, 1, err));
    return A;
}

static bool prefetches_entries(const tsr_kernel *kernel)
{
    tsr_text text = {0};
    assert_ok(tsr_kernel_print(&text, kernel, TSR_KERNEL_GRAPH, err));
    const bool found = strstr(tsr_text_cstr(&text), "prefetches: entries of A, 512 positions ahead") != NULL;
    tsr_text_clear(&text);
    return found;
}

/* Matrices of many short rows are read with prefetches, those of few are not, and no program serves both. */
static void test_short_lists(void **state)
{
    (void)state;
    static const uint64_t nrows[] = {600, 110000};
    for (int k = 0; k < 8; k++) {
        const bool is_large = k % 2, is_half = k / 2 % 2, is_interpreted = k / 4;
        const uint64_t n = nrows[is_large];
        tsr_tensor *const A = eight_in_a_row(n, is_half ? TSR_F16 : TSR_F64), *y;
        tsr_tensor *const other = eight_in_a_row(nrows[!is_large], is_half ? TSR_F16 : TSR_F64);
        tsr_tensor *const x = kernel_counting(64);
        tsr_kernel *kernel, *borrowed;
        tsr_kernel_tensor given[] = {{.name = "A", .tensor = A}, {.name = "x", .tensor = x}};
        tsr_kernel_options how = kernel_options_for(is_interpreted ? TSR_ENGINE_INTERPRETER : TSR_ENGINE_JIT);
        how.any_size = true;
        assert_ok(tsr_kernel_new(&kernel, "y(i) = A(i,j)*x(j)", given, 2, &how, err));
        assert_int_equal(prefetches_entries(kernel), is_large);
        given[0].tensor = other;
        assert_int_not_equal(tsr_kernel_rebind(&borrowed, kernel, given, 2, NULL), TSR_OK);
        for (int nthreads = 1; nthreads <= 3; nthreads += 2) {
            assert_ok(tsr_kernel_result(&y, kernel, (const tsr_tensor *[]){A, x}, err));
            assert_ok(tsr_kernel_run(kernel, y, (const tsr_tensor *[]){A, x}, nthreads, err));
            for (uint64_t i = 0; i < n; i++) { /* x(j) is j + 1 */
                double sum = 0;
                for (uint64_t q = 0; q < 8; q++)
                    sum += (double)((1 + q) * (8 * q + i % 8 + 1));
                assert_true(((double *)y->values.data)[i] == sum);
            }
            tsr_tensor_free(y);
        }
        tsr_kernel_free(kernel);
        tsr_tensor_free(A);
        tsr_tensor_free(other);
        tsr_tensor_free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_matrices), cmocka_unit_test(test_tensors),
                                       cmocka_unit_test(test_short_lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
