/* The n-th allocation fails, for n = 0, 1, 2... and then for a part of the larger n: an error, nothing is leaked, and
 * *out is NULL. */
#include "door_test.h"
#include "lone_rank.h"

#include "tsr_alloc.h"

/* Each step makes what it can, and frees it. */
static tessera_status borrow(void)
{
    const tessera_array arrays[] = {{.data = csr_pos, .n = 4, .type = TESSERA_I32},
                                    {.data = csr_crd, .n = 4, .type = TESSERA_I32},
                                    {.data = csr_values, .n = 4, .type = TESSERA_F64}};
    const tessera_parts parts = {
        .size = sizeof parts, .format = "csr", .order = 2, .dims = csr_dims, .arrays = arrays, .narrays = 3};
    tessera_tensor *A;
    const tessera_status status = tessera_borrow(&A, &parts, ctx);
    assert_int_equal(A != NULL, status == TESSERA_OK);
    tessera_tensor_free(A);
    return status;
}

static tessera_tensor *shared_A, *shared_x;

static tessera_status convert(void)
{
    const tessera_convert_options options = {
        .size = sizeof options, .format = "csc", .transform = "reverse=0"}; /* labels, too */
    tessera_tensor *B;
    const tessera_status status = tessera_convert(&B, shared_A, &options, ctx);
    assert_int_equal(B != NULL, status == TESSERA_OK);
    tessera_tensor_free(B);
    return status;
}

static tessera_status pack(void)
{
    const uint64_t r[] = {2, 1}, dim = 3;
    const float v[] = {1, 2};
    const tessera_array crd = {.data = (void *)(uintptr_t)r, .n = 2, .type = TESSERA_U64};
    const tessera_entries entries = {.size = sizeof entries,
                                     .order = 1,
                                     .dims = &dim,
                                     .nnz = 2,
                                     .crd = &crd,
                                     .values = {.data = (void *)(uintptr_t)v, .n = 2, .type = TESSERA_F32}};
    tessera_tensor *A;
    const tessera_status status = tessera_pack(&A, &entries, NULL, ctx);
    assert_int_equal(A != NULL, status == TESSERA_OK);
    tessera_tensor_free(A);
    return status;
}

static tessera_status run(void)
{
    const tessera_kernel_options options = {
        .size = sizeof options, .engine = TESSERA_ENGINE_INTERPRETER, .format = "d"};
    const tessera_tensor *const operands[] = {shared_A, shared_x};
    tessera_kernel *k;
    tessera_tensor *y = NULL;
    tessera_status status = tessera_einsum(&k, "ij,j->i", &options, ctx);
    assert_int_equal(k != NULL, status == TESSERA_OK);
    if (status == TESSERA_OK)
        status = tessera_kernel_call(&y, k, operands, ctx);
    assert_int_equal(y != NULL, status == TESSERA_OK);
    tessera_tensor_free(y);
    tessera_kernel_free(k);
    return status;
}

static tessera_status add(void)
{
    const tessera_kernel_options options = {
        .size = sizeof options, .engine = TESSERA_ENGINE_INTERPRETER, .format = "csr"};
    const tessera_tensor *const operands[] = {shared_A, shared_A};
    tessera_kernel *k;
    tessera_tensor *C = NULL;
    tessera_status status = tessera_kernel_new(&k, "C(i,j) = A(i,j)+B(i,j)", &options, ctx);
    if (status == TESSERA_OK)
        status = tessera_kernel_call(&C, k, operands, ctx);
    tessera_tensor_free(C);
    tessera_kernel_free(k);
    return status;
}

/* A formula, entries alone, and their number. */
static tessera_status entries(void)
{
    const tessera_kernel_options options = {
        .size = sizeof options, .engine = TESSERA_ENGINE_INTERPRETER, .format = "csr"};
    const tessera_tensor *const operands[] = {shared_A};
    tessera_kernel *k;
    tessera_tensor *C = NULL;
    uint64_t nnz;
    tessera_status status =
        tessera_kernel_new(&k, "F(i,j) : i <= j ? 1 : 0; C(i,j) |= A(i,j)&F(i,j)", &options, ctx);
    if (status == TESSERA_OK)
        status = tessera_kernel_call(&C, k, operands, ctx);
    if (status == TESSERA_OK)
        status = tessera_kernel_nnz(&nnz, k, operands, ctx);
    tessera_tensor_free(C);
    tessera_kernel_free(k);
    return status;
}

/* Statements that run over two blocks of rows, as the values of e fill half of a cache. */
static tessera_status statements(void)
{
    enum { ROWS = 17, EACH = 2800 };
    static const uint64_t dims[] = {ROWS, EACH};
    static int32_t pos[ROWS + 1], crd[ROWS * EACH];
    static double values[ROWS * EACH];
    for (int q = 0; q < ROWS * EACH; q++) {
        pos[q / EACH + 1] = q + 1;
        crd[q] = q % EACH;
        values[q] = 1;
    }
    const tessera_array arrays[] = {{.data = pos, .n = ROWS + 1, .type = TESSERA_I32},
                                    {.data = crd, .n = ROWS * EACH, .type = TESSERA_I32},
                                    {.data = values, .n = ROWS * EACH, .type = TESSERA_F64}};
    const tessera_parts parts = {
        .size = sizeof parts, .format = "csr", .order = 2, .dims = dims, .arrays = arrays, .narrays = 3};
    const tessera_kernel_options options = {
        .size = sizeof options, .engine = TESSERA_ENGINE_INTERPRETER, .format = "csr"};
    tessera_tensor *A = NULL, *P = NULL;
    tessera_kernel *k = NULL;
    tessera_status status = tessera_borrow(&A, &parts, ctx);
    if (status == TESSERA_OK)
        status =
            tessera_kernel_new(&k, "e(i,j) = 3*A(i,j); s(i) = e(i,j); P(i,j) = e(i,j)/s(i)", &options, ctx);
    if (status == TESSERA_OK)
        status = tessera_kernel_call(&P, k, (const tessera_tensor *const[]){A}, ctx);
    if (status == TESSERA_OK)
        assert_true(values_of(P)[ROWS * EACH - 1] == 1.0 / EACH);
    tessera_tensor_free(P);
    tessera_kernel_free(k);
    tessera_tensor_free(A);
    return status;
}

static tessera_status texts(void)
{
    char *text = NULL;
    tessera_format *format;
    tessera_status status = tessera_tensor_info(&text, shared_A, NULL, ctx);
    assert_int_equal(text != NULL, status == TESSERA_OK);
    tessera_text_free(text);
    if (status == TESSERA_OK) {
        status = tessera_list(&text, "formats", ctx);
        tessera_text_free(text);
    }
    if (status == TESSERA_OK)
        status = tessera_format_parse(&format, "bcsr(2,2)", 2, NULL, ctx);
    if (status == TESSERA_OK) {
        status = tessera_format_print(&text, format, "long", NULL, ctx);
        tessera_text_free(text);
        tessera_format_free(format);
    }
    return status;
}

static tessera_status layouts(void)
{
    tessera_layout *a, *b = NULL;
    char *text;
    tessera_status status = tessera_layout_parse(&a, "(3,5):(5,1)", 0, NULL, ctx);
    if (status == TESSERA_OK)
        status = tessera_layout_compose(&b, a, a, ctx);
    if (status == TESSERA_UNSUPPORTED)
        status = TESSERA_OK; /* these two do not compose */
    if (status == TESSERA_OK) {
        status = tessera_layout_print(&text, a, "xla", ctx);
        tessera_text_free(text);
    }
    tessera_layout_free(a);
    tessera_layout_free(b);
    return status;
}

static tessera_status write_and_read(void)
{
    tessera_tensor *A = NULL;
    tessera_status status = tessera_write(scratch("memory.mtx"), shared_A, NULL, ctx);
    if (status == TESSERA_OK)
        status = tessera_read(&A, scratch("memory.mtx"), NULL, ctx);
    tessera_tensor_free(A);
    return status;
}

/* A product over the file that write_and_read has written. */
static tessera_status multiply_file(void)
{
    const tessera_kernel_options options = {.size = sizeof options, .engine = TESSERA_ENGINE_INTERPRETER};
    const tessera_tensor *const none[] = {NULL};
    tessera_kernel *k;
    tessera_tensor *y = NULL;
    tessera_status status = tessera_kernel_new(&k, "y(i) = 2*A(i,j)", &options, ctx);
    if (status == TESSERA_OK)
        status = tessera_kernel_call_file(&y, k, none, scratch("memory.mtx"), NULL, ctx);
    assert_int_equal(y != NULL, status == TESSERA_OK);
    tessera_tensor_free(y);
    tessera_kernel_free(k);
    return status;
}

static tessera_status build(void)
{
    const uint64_t dims[] = {0, 9}, at[] = {3, 4};
    const double value = 2;
    const tessera_pack_options options = {.size = sizeof options, .format = "csr"};
    tessera_builder *b;
    tessera_tensor *A = NULL;
    tessera_status status = tessera_builder_new(&b, 2, dims, TESSERA_F64, NULL, ctx);
    assert_int_equal(b != NULL, status == TESSERA_OK);
    if (status == TESSERA_OK)
        status = tessera_builder_add_one(b, 0, at, &value, ctx);
    if (status == TESSERA_OK)
        status = tessera_builder_finish(&A, b, 1, &options, ctx);
    assert_int_equal(A != NULL, status == TESSERA_OK);
    if (status == TESSERA_OK)
        status = tessera_builder_finish_file(scratch("built.mtx"), b, 0, &options, NULL, ctx);
    tessera_tensor_free(A);
    tessera_builder_free(b);
    return status;
}

static tessera_status read_ranks(void)
{
    tessera_tensor *A = NULL;
    uint64_t cuts[2];
    tessera_status status = tessera_write(scratch("ranks.mtx"), shared_A, NULL, ctx);
    if (status == TESSERA_OK)
        status = tessera_read_ranks(&A, cuts, scratch("ranks.mtx"), NULL, &lone_rank, ctx);
    tessera_tensor_free(A);
    return status;
}

static tessera_status label(void)
{
    static const char *const names[] = {"one", "two", "three"};
    tessera_status status = tessera_tensor_set_labels(shared_A, 0, names, 3, ctx);
    if (status == TESSERA_OK)
        status = convert();
    if (status == TESSERA_OK)
        status = tessera_write(scratch("labels.h5ad"), shared_A, NULL, ctx);
    const tessera_status again = tessera_tensor_set_labels(shared_A, 0, NULL, 0, ctx);
    return status != TESSERA_OK ? status : again;
}

static tessera_status (*const steps[])(void) = {borrow,  convert,        pack,          run,       add,
                                                entries, statements,     texts,         layouts,   label,
                                                build,   write_and_read, multiply_file, read_ranks};

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    double x_data[] = {1, 2, 3, 4};
    if (tsr_alloc_live() < 0)
        skip();
    ctx = tessera_context_new();
    tessera_context_set_threads(ctx, 1);
    shared_A = borrow_csr(ctx);
    shared_x = borrow_vector(x_data, 4, ctx);
    for (int s = 0; s < LENGTH(steps); s++) {
        assert_int_equal(steps[s](), TESSERA_OK); /* what is made once stays */
        const int64_t live = tsr_alloc_live();
        int64_t n = 0;
        for (;; n += 1 + n / 40) {
            tsr_alloc_fail_at(n);
            const tessera_status status = steps[s]();
            const int failed = tsr_alloc_failed();
            tsr_alloc_fail_at(-1);
            if (!failed && status != TESSERA_OK)
                print_error("step %d, n %d: %s\n", s, (int)n, tessera_context_text(ctx));
            assert_true(failed || status == TESSERA_OK);
            if (tsr_alloc_live() != live)
                print_error("step %d, n %d: %d blocks left\n", s, (int)n, (int)(tsr_alloc_live() - live));
            assert_int_equal(tsr_alloc_live(), live);
            if (!failed)
                break;
            assert_true(n < 100000);
        }
        assert_true(n > 0);
    }
    tessera_tensor_free(shared_A);
    tessera_tensor_free(shared_x);
    tsr_alloc_fail_at(0);
    assert_null(tessera_context_new());
    tsr_alloc_fail_at(-1);
    tessera_context_free(ctx);
    assert_int_equal(tsr_alloc_live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
