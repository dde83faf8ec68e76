/* Results of type pattern, of `|=` and of the options of a kernel, and the number of entries alone. */
#include "door_test.h"

/* The n x n matrix with 2 on the diagonal and 1 behind it. */
static tessera_tensor *band(int n)
{
    enum { MAX = 64 };
    static int32_t pos[MAX + 1], crd[2 * MAX];
    static double values[2 * MAX];
    int e = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n && j < i + 2; j++, e++) {
            crd[e] = j;
            values[e] = j == i ? 2 : 1;
        }
        pos[i + 1] = e;
    }
    const uint64_t dims[] = {(uint64_t)n, (uint64_t)n};
    const tessera_array arrays[] = {{.data = pos, .n = (uint64_t)n + 1, .type = TESSERA_I32},
                                    {.data = crd, .n = (uint64_t)e, .type = TESSERA_I32},
                                    {.data = values, .n = (uint64_t)e, .type = TESSERA_F64}};
    const tessera_parts parts = {
        .size = sizeof parts, .format = "csr", .order = 2, .dims = dims, .arrays = arrays, .narrays = 3};
    tessera_tensor *A = NULL;
    door_ok(tessera_borrow(&A, &parts, ctx));
    return A;
}

/* `|=` and the type pattern: results in any format, and the number of entries alone. */
static void test_results_of_type_pattern(void **state)
{
    (void)state;
    static const char *const formats[] = {"csr", "coo", "bcsr(2,2)", "dense", "hash"};
    double x_data[40] = {0};
    tessera_tensor *A = band(40), *x, *C, *y;
    const tessera_tensor *operands[] = {A, A};
    tessera_kernel *k;
    uint64_t nnz;
    for (int i = 0; i < LENGTH(formats); i++) {
        const tessera_kernel_options how = {
            .size = sizeof how, .format = formats[i], .engine = TESSERA_ENGINE_INTERPRETER};
        tessera_array values;
        door_ok(tessera_kernel_new(&k, "C(i,j) |= A(i,k)&B(k,j)", &how, ctx));
        assert_string_equal(tessera_kernel_expression(k), "C(i,j) |= A(i,k)*B(k,j)");
        door_ok(tessera_kernel_call(&C, k, operands, ctx));
        assert_int_equal(tessera_tensor_type(C), TESSERA_PATTERN);
        const int has_values = i == 2 || i == 3; /* of each cell of the blocks */
        assert_int_equal(tessera_tensor_is_iso(C), !has_values);
        if (has_values) {
            int count = 0;
            door_ok(tessera_tensor_find(&values, C, 0, "values", ctx));
            for (uint64_t e = 0; e < values.n; e++)
                count += ((const unsigned char *)values.data)[e];
            assert_int_equal(count, 40 + 39 + 38);
        } else {
            assert_int_equal(tessera_tensor_nnz(C), 40 + 39 + 38);
        }
        door_fails(tessera_kernel_run(k, C, operands, ctx), TESSERA_UNSUPPORTED, "has no values");
        if (i == 3)
            door_fails(tessera_kernel_nnz(&nnz, k, operands, ctx), TESSERA_UNSUPPORTED, "has all cells");
        else
            door_ok(tessera_kernel_nnz(&nnz, k, operands, ctx));
        assert_true(i >= 2 || nnz == 40 + 39 + 38);
        tessera_tensor_free(C);
        tessera_kernel_free(k);
    }
    const tessera_kernel_options entries = {
        .size = sizeof entries, .format = "csr", .has_type = 1, .type = TESSERA_PATTERN};
    door_ok(tessera_kernel_new(&k, "C(i,j) = A(i,k)*B(k,j)", &entries, ctx));
    door_ok(tessera_kernel_call(&C, k, operands, ctx));
    assert_int_equal(tessera_tensor_type(C), TESSERA_PATTERN);
    assert_int_equal(tessera_tensor_nnz(C), 40 + 39 + 38);
    tessera_tensor_free(C);
    tessera_kernel_free(k);
    /* an entry that is 0 is not there: of the type pattern the entries count, of |= what is not 0 */
    x_data[7] = 3;
    x = borrow_vector(x_data, 40, ctx);
    operands[1] = x;
    const tessera_kernel_options sparse = {.size = sizeof sparse, .format = "csr"};
    static const char *const texts[] = {"C(i,j) = A(i,j)*x(j)", "C(i,j) |= A(i,j)&x(j)"};
    for (int i = 0; i < LENGTH(texts); i++) {
        door_ok(tessera_kernel_new(&k, texts[i], &sparse, ctx));
        door_ok(tessera_kernel_nnz(&nnz, k, operands, ctx));
        assert_int_equal(nnz, i == 0 ? 79 : 2);
        tessera_kernel_free(k);
    }
    door_ok(tessera_kernel_new(&k, "y(i) |= A(i,j)&x(j)", NULL, ctx));
    door_ok(tessera_kernel_call(&y, k, operands, ctx));
    assert_int_equal(tessera_tensor_type(y), TESSERA_PATTERN);
    door_fails(tessera_kernel_nnz(NULL, k, operands, ctx), TESSERA_ARGUMENT, "missing result");
    tessera_kernel_free(k);
    tessera_tensor_free(y);
    tessera_tensor_free(x);
    tessera_tensor_free(A);
}

/* Of a large product the entries are counted block by block. */
static void test_entries_are_counted_by_blocks(void **state)
{
    (void)state;
    enum { N = 60000, EACH = 40 };
    int32_t *const pos = malloc((N + 1) * sizeof *pos), *const crd = malloc((size_t)N * EACH * sizeof *crd);
    double *const values = calloc((size_t)N * EACH, sizeof *values);
    assert_true(pos && crd && values);
    for (int r = 0; r <= N; r++)
        pos[r] = r * EACH;
    for (int e = 0; e < N * EACH; e++)
        crd[e] = (e / EACH * 7 % 1000 + e % EACH) % N;
    const uint64_t dims[] = {N, N};
    const tessera_array arrays[] = {{.data = pos, .n = N + 1, .type = TESSERA_I32},
                                    {.data = crd, .n = (uint64_t)N * EACH, .type = TESSERA_I32},
                                    {.data = values, .n = (uint64_t)N * EACH, .type = TESSERA_F64}};
    const tessera_parts parts = {
        .size = sizeof parts, .format = "csr", .order = 2, .dims = dims, .arrays = arrays, .narrays = 3};
    const tessera_kernel_options how = {
        .size = sizeof how, .format = "csr", .engine = TESSERA_ENGINE_INTERPRETER};
    tessera_tensor *A = NULL, *C;
    tessera_kernel *k;
    uint64_t nnz;
    door_ok(tessera_borrow(&A, &parts, ctx));
    const tessera_tensor *const operands[] = {A, A};
    door_ok(tessera_kernel_new(&k, "C(i,j) = A(i,j) + 2*A(i,j)", &how, ctx));
    door_ok(tessera_kernel_call(&C, k, operands, ctx));
    door_ok(tessera_kernel_nnz(&nnz, k, operands, ctx));
    assert_int_equal(nnz, tessera_tensor_nnz(C));
    tessera_tensor_free(C);
    tessera_kernel_free(k);
    tessera_tensor_free(A);
    free(pos);
    free(crd);
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_of_type_pattern),
        cmocka_unit_test(test_entries_are_counted_by_blocks),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
