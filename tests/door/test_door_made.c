/* Kernels that were made ahead of time (made.c, which tkern --emit=library has written): they serve tensors of all sizes, with
 * the results of the interpreter, and a row that does not fit is not used. */
#include "door_test.h"
#include "made.h"

enum { NKERNELS = sizeof made_kernels / sizeof *made_kernels, MAX_ENTRIES = 4000 };

/* Which kernel, with which operands. */
typedef struct made_case {
    const char *name, *expression, *result;
    int only; /* the number of sizes[] that it is made for, since its format has blocks; 0: all */
    struct {
        const char *format, *modes;
    } operand[3];
} made_case;

static const made_case cases[] = {
    {"spmv", "y(i) = A(i,j)*x(j)", "dense", 0, {{"csr", "ij"}, {"d", "j"}}},
    {"spmv_blocks", "y(i) = A(i,j)*x(j)", "dense", 3, {{"bcsr(2,2)", "ij"}, {"d", "j"}}},
    {"spgemm", "C(i,j) = A(i,k)*B(k,j)", "csr", 0, {{"csr", "ik"}, {"csr", "kj"}}},
    {"sum", "C(i,j) = A(i,j)+B(i,j)", "csr", 0, {{"csr", "ij"}, {"csr", "ij"}}},
    {"mttkrp", "A(i,r) = B(i,j,k)*C(j,r)*D(k,r)", "dense", 0, {{"csf", "ijk"}, {"dd", "jr"}, {"dd", "kr"}}},
    {"chain", "D(i,r) = A(i,j)*B(j,k)*C(k,r)", "csr", 0, {{"csr", "ij"}, {"csr", "jk"}, {"csr", "kr"}}},
    {"columns", "Y(i,r) = A(i,j)*B(j,k)*C(k,r)", "dense", 0, {{"csr", "ij"}, {"csr", "jk"}, {"dd", "kr"}}},
    {"list", "C(i,j) = A(i({0,0}),j)", "csr", 0, {{"csr", "kj"}}},
    {"sampled", "C(i,j) = S(i,j)*A(i,r)*B(j,r)", "csr", 0, {{"csr", "ij"}, {"dd", "ir"}, {"dd", "jr"}}},
};
enum { NCASES = sizeof cases / sizeof *cases };

/* The sizes of i, j, k and r. */
static const uint64_t sizes[][4] = {
    {1, 1, 1, 1}, {7, 5, 9, 3}, {70, 64, 65, 8}, {300, 400, 200, 70}, {3, 0, 2, 4}};
enum { NSIZES = sizeof sizes / sizeof *sizes };

static uint64_t random_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* A tensor of these modes ("ij"), with some random entries if it is sparse, else with all. */
static tessera_tensor *make(const char *format, const char *modes, const uint64_t size[4], uint64_t *state)
{
    static const char variables[] = "ijkr";
    uint64_t dims[3], crd[3][MAX_ENTRIES], ncells = 1;
    double values[MAX_ENTRIES];
    tessera_array coordinates[3];
    const int order = (int)strlen(modes);
    for (int m = 0; m < order; m++)
        ncells *= dims[m] = size[strchr(variables, modes[m]) - variables];
    const uint64_t n = ncells < MAX_ENTRIES ? ncells : MAX_ENTRIES;
    for (uint64_t e = 0; e < n; e++) {
        for (int m = 0; m < order; m++)
            crd[m][e] = random_number(state) % dims[m];
        values[e] = (double)(random_number(state) % 17) - 8;
    }
    for (int m = 0; m < order; m++)
        coordinates[m] = (tessera_array){.data = crd[m], .n = n, .type = TESSERA_U64};
    const tessera_entries entries = {.size = sizeof entries,
                                     .order = order,
                                     .dims = dims,
                                     .nnz = n,
                                     .crd = coordinates,
                                     .values = {.data = values, .n = n, .type = TESSERA_F64}};
    const tessera_pack_options how = {.size = sizeof how, .format = format, .index_width = TESSERA_INDEX_32};
    tessera_tensor *out = NULL;
    door_ok(tessera_pack(&out, &entries, &how, ctx));
    return out;
}

static tessera_tensor *call(char **engine, const made_case *c, tessera_engine how,
                            const tessera_tensor *const *operands, tessera_context *with)
{
    tessera_kernel *kernel;
    tessera_tensor *result = NULL;
    const tessera_kernel_options options = {.size = sizeof options, .engine = how, .format = c->result};
    door_ok(tessera_kernel_new(&kernel, c->expression, &options, with));
    if (tessera_kernel_call(&result, kernel, operands, with) != TESSERA_OK) {
        print_error("%s: %s\n", c->name, tessera_context_text(with));
        fail();
    }
    door_ok(tessera_kernel_print(engine, kernel, TESSERA_TEXT_ENGINE, operands, with));
    tessera_kernel_free(kernel);
    return result;
}

static void assert_same(const tessera_tensor *a, const tessera_tensor *b)
{
    uint64_t n = tessera_tensor_nnz(a);
    const int order = tessera_tensor_order(a);
    assert_int_equal(n, tessera_tensor_nnz(b));
    uint64_t *crd[2][2] = {{0}};
    double *values[2];
    for (int t = 0; t < 2; t++) {
        values[t] = calloc(n + 1, sizeof(double));
        for (int m = 0; m < order; m++)
            crd[t][m] = calloc(n + 1, sizeof(uint64_t));
        door_ok(tessera_tensor_entries(crd[t], values[t], t ? b : a, ctx));
    }
    for (uint64_t e = 0; e < n; e++) {
        assert_true(values[0][e] == values[1][e]); /* small integers: each order of additions is exact */
        for (int m = 0; m < order; m++)
            assert_int_equal(crd[0][m][e], crd[1][m][e]);
    }
    for (int t = 0; t < 2; t++) {
        for (int m = 0; m < order; m++)
            free(crd[t][m]);
        free(values[t]);
    }
}

static void run_case(const made_case *c, const uint64_t size[4], tessera_context *made)
{
    const tessera_tensor *operands[3] = {NULL};
    uint64_t state = size[0] + 1000 * size[1];
    char *engine, *other, expected[100];
    int n = 0;
    for (; n < 3 && c->operand[n].format; n++)
        operands[n] = make(c->operand[n].format, c->operand[n].modes, size, &state);
    const int is_empty = size[1] == 0; /* a program for a size of 0 is one of its own */
    tessera_tensor *const a =
        call(&engine, c, is_empty ? TESSERA_ENGINE_INTERPRETER : TESSERA_ENGINE_BUILTIN, operands, made);
    tessera_tensor *const b = call(&other, c, TESSERA_ENGINE_INTERPRETER, operands, ctx);
    snprintf(expected, sizeof expected, "made ahead of time (%s)", c->name);
    if (!is_empty)
        assert_string_equal(engine, expected);
    assert_same(a, b);
    tessera_text_free(engine);
    tessera_text_free(other);
    tessera_tensor_free(a);
    tessera_tensor_free(b);
    for (int t = 0; t < n; t++)
        tessera_tensor_free((tessera_tensor *)(uintptr_t)operands[t]);
}

static void test_all_sizes(void **state)
{
    (void)state;
    tessera_context *const made = tessera_context_new();
    assert_int_equal(tessera_context_add_kernels(made, made_kernels, NKERNELS), TESSERA_OK);
    for (int c = 0; c < NCASES; c++)
        for (int s = cases[c].only; s < (cases[c].only ? cases[c].only + 1 : NSIZES); s++)
            run_case(&cases[c], sizes[s], made);
    tessera_context_free(made);
}

/* The function is called without the library. */
static void test_direct(void **state)
{
    (void)state;
    const uint32_t pos[] = {0, 1, 1, 3}, crd[] = {2, 0, 1};
    const double a[] = {2, 3, 4}, x[] = {1, 10, 100};
    double y[] = {-1, -1, -1};
    assert_int_equal(spmv(2, 3, y, pos, crd, a, x), 0);
    assert_true(y[0] == 200 && y[1] == 0 && y[2] == 43);
    assert_int_equal(columns(2, 1, 3, 3, 3, y, pos, crd, a, x, pos, crd, a), 0); /* A*(A*x) */
    assert_true(y[0] == 86 && y[1] == 0 && y[2] == 600);
}

/* A kernel of another version has another text: a warning says so, and what is asked for is made otherwise. */
static void test_other_version(void **state)
{
    (void)state;
    tessera_made_kernel rows[NKERNELS];
    char *engine;
    uint64_t random = 1;
    memcpy(rows, made_kernels, sizeof rows);
    for (int i = 0; i < NKERNELS; i++)
        rows[i].key = "0123456789abcdef0123456789abcdef";
    door_ok(tessera_context_add_kernels(ctx, rows, NKERNELS));
    const tessera_tensor *const operands[] = {make("csr", "ij", sizes[1], &random),
                                              make("d", "j", sizes[1], &random)};
    tessera_kernel *kernel;
    tessera_tensor *y;
    door_ok(tessera_kernel_new(&kernel, cases[0].expression, NULL, ctx));
    door_ok(tessera_kernel_call(&y, kernel, operands, ctx));
    assert_int_equal(tessera_context_nwarnings(ctx), 2); /* of the rows spmv and spmv_blocks */
    assert_non_null(strstr(tessera_context_warning(ctx, 0), "spmv was made by another version of Tessera"));
    door_ok(tessera_kernel_print(&engine, kernel, TESSERA_TEXT_ENGINE, operands, ctx));
    assert_null(strstr(engine, "ahead"));
    tessera_text_free(engine);
    tessera_tensor_free(y);
    tessera_kernel_free(kernel);
    tessera_tensor_free((tessera_tensor *)(uintptr_t)operands[0]);
    tessera_tensor_free((tessera_tensor *)(uintptr_t)operands[1]);
}

static void test_wrong(void **state)
{
    (void)state;
    assert_int_equal(tessera_context_add_kernels(NULL, made_kernels, NKERNELS), TESSERA_ARGUMENT);
    assert_int_equal(tessera_context_add_kernels(ctx, NULL, 1), TESSERA_ARGUMENT);
    assert_int_equal(tessera_context_add_kernels(ctx, made_kernels, 0), TESSERA_ARGUMENT);
    for (int i = 0; i < 16; i++)
        door_ok(tessera_context_add_kernels(ctx, made_kernels, NKERNELS));
    assert_int_equal(tessera_context_add_kernels(ctx, made_kernels, NKERNELS), TESSERA_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_sizes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_direct, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_version, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
