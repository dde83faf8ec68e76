/* A caller's allocator: which arrays are in its blocks, that every block comes back, and that every failure of it is one error. */
#include "door_test.h"

/* The caller's allocator: a list of blocks. */
enum { MAX_BLOCKS = 256 };
typedef struct pool {
    struct {
        void *data;
        size_t nbytes;
    } of[MAX_BLOCKS];
    int nlive, ncalls;
    int fail_at; /* the call that gives no block; -1: none */
} pool;

static void *pool_allocate(void *user, size_t nbytes, size_t alignment)
{
    pool *const p = user;
    assert_true(nbytes > 0);
    assert_int_equal(alignment, 64);
    if (p->ncalls++ == p->fail_at)
        return NULL;
    assert_true(p->nlive < MAX_BLOCKS);
    void *const data = aligned_alloc(alignment, (nbytes + alignment - 1) / alignment * alignment);
    assert_non_null(data);
    p->of[p->nlive].data = data;
    p->of[p->nlive++].nbytes = nbytes;
    return data;
}

static void pool_free(void *user, void *block, size_t nbytes)
{
    pool *const p = user;
    int k = 0;
    while (k < p->nlive && p->of[k].data != block)
        k++;
    assert_true(k < p->nlive); /* a block of ours, which did not come back before */
    assert_int_equal(p->of[k].nbytes, nbytes);
    p->of[k] = p->of[--p->nlive];
    memset(block, 0xa5, nbytes);
    free(block);
}

static pool blocks = {.fail_at = -1};
static const tessera_allocator allocator = {
    .size = sizeof allocator, .allocate = pool_allocate, .free = pool_free, .user = &blocks};

/* All arrays with elements are whole blocks of the pool, and it has no other. */
static void check_blocks(const tessera_tensor *A, int others)
{
    int nblocks = 0;
    for (int i = 0; i < tessera_tensor_narrays(A); i++) {
        tessera_array array = {0};
        door_ok(tessera_tensor_array(&array, A, i, ctx));
        if (array.n == 0)
            continue;
        int k = 0;
        while (k < blocks.nlive && blocks.of[k].data != array.data)
            k++;
        assert_true(k < blocks.nlive);
        assert_int_equal(blocks.of[k].nbytes, array.n * tessera_type_nbytes(array.type));
        nblocks++;
    }
    assert_int_equal(blocks.nlive, nblocks + others);
}

/* A square matrix with n entries in a row, made by the library. */
static tessera_status pack(tessera_tensor **out, uint64_t n, const char *format)
{
    const uint64_t dims[2] = {2 * n + 1, 2 * n + 1};
    uint64_t *const i = malloc(n * sizeof *i);
    double *const v = malloc(n * sizeof *v);
    for (uint64_t k = 0; k < n; k++) {
        i[k] = 2 * k;
        v[k] = (double)(k + 1);
    }
    const tessera_array crd[2] = {{.data = i, .n = n, .type = TESSERA_U64},
                                  {.data = i, .n = n, .type = TESSERA_U64}};
    const tessera_entries entries = {.size = sizeof entries,
                                     .order = 2,
                                     .dims = dims,
                                     .nnz = n,
                                     .crd = crd,
                                     .values = {.data = v, .n = n, .type = TESSERA_F64}};
    const tessera_pack_options options = {.size = sizeof options, .format = format};
    const tessera_status status = tessera_pack(out, &entries, &options, ctx);
    free(i);
    free(v);
    return status;
}

static void test_every_way_to_make_a_tensor(void **state)
{
    (void)state;
    tessera_tensor *A, *B, *C, *E;
    const char *const path = scratch("pool.mtx");
    const tessera_convert_options csc = {.size = sizeof csc, .format = "csc"};
    const uint64_t dims[2] = {3, 4};
    door_ok(tessera_context_set_allocator(ctx, &allocator));
    door_ok(pack(&A, 5, "csr"));
    check_blocks(A, 0);
    const int of_A = blocks.nlive;
    door_ok(tessera_convert(&B, A, &csc, ctx));
    check_blocks(B, of_A);
    const int of_B = blocks.nlive;
    door_ok(tessera_write(path, B, NULL, ctx)); /* makes no tensor */
    assert_int_equal(blocks.nlive, of_B);
    door_ok(tessera_read(&C, path, NULL, ctx));
    check_blocks(C, of_B);
    const int of_C = blocks.nlive;
    door_ok(tessera_empty(&E, "csr", 2, dims, TESSERA_F64, ctx));
    check_blocks(E, of_C);
    assert_int_equal(tessera_tensor_nnz(C), 5);
    door_ok(tessera_tensor_check(C, ctx));
    tessera_tensor_free(A);
    tessera_tensor_free(B);
    tessera_tensor_free(C);
    tessera_tensor_free(E);
    assert_int_equal(blocks.nlive, 0);
    door_ok(tessera_context_set_allocator(ctx, NULL));
    door_ok(pack(&A, 5, "csr"));
    assert_int_equal(blocks.nlive, 0);
    tessera_tensor_free(A);
}

/* Large arrays are freed into memory that the library keeps for later results: not those of a caller. */
static void test_large_arrays_and_the_end_of_the_context(void **state)
{
    (void)state;
    enum { N = 200000 };
    tessera_context *const before = ctx;
    tessera_tensor *A, *B;
    ctx = tessera_context_new();
    door_ok(tessera_context_set_allocator(ctx, &allocator));
    for (int round = 0; round < 3; round++) {
        door_ok(pack(&A, N, "csr"));
        check_blocks(A, 0);
        tessera_tensor_free(A);
        assert_int_equal(blocks.nlive, 0);
    }
    door_ok(pack(&A, N, "csr"));
    B = tessera_tensor_share(A);
    tessera_context_free(ctx);
    ctx = before;
    tessera_tensor_free(A);
    check_blocks(B, 0);
    assert_int_equal(tessera_tensor_nnz(B), N);
    tessera_tensor_free(B);
    assert_int_equal(blocks.nlive, 0);
}

static void run_kernel(const char *expression, const char *format, tessera_engine engine)
{
    const tessera_kernel_options options = {.size = sizeof options, .engine = engine, .format = format};
    tessera_kernel *k;
    tessera_tensor *A, *C, *D;
    door_ok(pack(&A, 300, "csr"));
    const int of_A = blocks.nlive;
    const tessera_tensor *const operands[] = {A, A};
    door_ok(tessera_kernel_new(&k, expression, &options, ctx));
    door_ok(tessera_kernel_call(&C, k, operands, ctx));
    check_blocks(C, of_A);
    const int of_C = blocks.nlive;
    door_ok(tessera_kernel_result(&D, k, operands, ctx));
    for (int round = 0; round < 2; round++) {
        door_ok(tessera_kernel_run(k, D, operands, ctx));
        check_blocks(D, of_C);
        assert_int_equal(tessera_tensor_nnz(D), tessera_tensor_nnz(C));
        door_ok(tessera_tensor_check(D, ctx));
    }
    tessera_tensor_free(C);
    tessera_tensor_free(D);
    tessera_tensor_free(A);
    tessera_kernel_free(k);
    assert_int_equal(blocks.nlive, 0);
}

static void test_results_of_kernels(void **state)
{
    (void)state;
    door_ok(tessera_context_set_allocator(ctx, &allocator));
    run_kernel("C(i,j) = A(i,k)*B(k,j)", "csr", TESSERA_ENGINE_AUTO);
    run_kernel("C(i,j) = A(i,j)+B(i,j)", "csr", TESSERA_ENGINE_INTERPRETER);
    run_kernel("C(i,j) = A(i,k)*B(k,j)", "csr", TESSERA_ENGINE_INTERPRETER);
    run_kernel("C(i,j) = A(i,j)+B(i,j)", "csc", TESSERA_ENGINE_INTERPRETER); /* converted at the end */
    run_kernel("y(i) = A(i,j)*B(i,j)", "d", TESSERA_ENGINE_INTERPRETER);
    door_ok(tessera_context_set_allocator(ctx, NULL));
}

/* The n-th request finds no memory, for every n until all succeed. */
static void test_every_request_fails(void **state)
{
    (void)state;
    const tessera_kernel_options options = {
        .size = sizeof options, .engine = TESSERA_ENGINE_INTERPRETER, .format = "csr"};
    tessera_kernel *k;
    int nfailed = 0;
    door_ok(tessera_context_set_allocator(ctx, &allocator));
    door_ok(tessera_kernel_new(&k, "C(i,j) = A(i,k)*B(k,j)", &options, ctx));
    for (int n = 0, done = 0; !done; n++) {
        tessera_tensor *A = NULL, *B = NULL, *C = NULL;
        const tessera_convert_options csc = {.size = sizeof csc, .format = "csc"};
        blocks.ncalls = 0;
        blocks.fail_at = n;
        tessera_status status = pack(&A, 20, "csr");
        if (status == TESSERA_OK)
            status = tessera_convert(&B, A, &csc, ctx);
        if (status == TESSERA_OK) {
            const tessera_tensor *const operands[] = {A, A};
            status = tessera_kernel_call(&C, k, operands, ctx);
        }
        done = status == TESSERA_OK;
        if (!done) {
            nfailed++;
            assert_int_equal(status, TESSERA_NOMEM);
            assert_non_null(strstr(tessera_context_text(ctx), "the caller's allocator does not give"));
            assert_null(C);
        }
        tessera_tensor_free(A);
        tessera_tensor_free(B);
        tessera_tensor_free(C);
        assert_int_equal(blocks.nlive, 0);
    }
    blocks.fail_at = -1;
    assert_true(nfailed >= 8);
    tessera_kernel_free(k);
    door_ok(tessera_context_set_allocator(ctx, NULL));
}

static void test_refused(void **state)
{
    (void)state;
    tessera_allocator half = allocator;
    half.free = NULL;
    door_fails(tessera_context_set_allocator(ctx, &half), TESSERA_ARGUMENT, "both functions");
    assert_int_equal(tessera_context_set_allocator(NULL, &allocator), TESSERA_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_way_to_make_a_tensor),
        cmocka_unit_test(test_large_arrays_and_the_end_of_the_context),
        cmocka_unit_test(test_results_of_kernels),
        cmocka_unit_test(test_every_request_fails),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
