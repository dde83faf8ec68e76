/* Kernels: what is made, by which engine, and what is refused. */
#include "kernel_support.h"

#include <sys/stat.h>

#include "tsr_alloc.h"

enum { NENGINES = 2 };
static const tsr_kernel_engine engines[NENGINES] = {TSR_ENGINE_INTERPRETER, TSR_ENGINE_AUTO};

/* ---- the ordinary way ---- */

/* y = A x, values and pattern changed between runs. */
static void test_a_kernel_runs_again_with_other_tensors(void **state)
{
    (void)state;
    for (int e = 0; e < NENGINES; e++) {
        tsr_tensor *const A = kernel_tensor_of("csr", TSR_F64, "3,4", "0 0 1; 0 3 2; 2 1 5");
        tsr_tensor *const B = kernel_tensor_of("csr", TSR_F64, "3,4", "1 2 10");
        tsr_tensor *const x = kernel_counting(4), *y = NULL;
        const tsr_kernel_tensor tensors[] = {{.name = "A", .tensor = A}, {.name = "x", .tensor = x}};
        const tsr_kernel_options options = kernel_options_for(engines[e]);
        tsr_kernel *kernel;
        assert_ok(tsr_kernel_new(&kernel, "y(i)=A(i , j)*x(j)", tensors, 2, &options, err));
        assert_string_equal(tsr_kernel_get_info(kernel)->expression, "y(i) = A(i,j)*x(j)");
        assert_int_equal(tsr_kernel_ntensors(kernel), 3);
        assert_string_equal(tsr_kernel_tensor_name(kernel, 1), "A");
        assert_ok(tsr_kernel_result(&y, kernel, NULL, err));
        assert_ok(tsr_tensor_check(y, 1, err));
        assert_ok(tsr_kernel_run(kernel, y, (const tsr_tensor *[]){A, x}, 2, err));
        assert_string_equal(kernel_values(y), "9 0 10");
        ((double *)x->values.data)[3] = -1;
        assert_ok(tsr_kernel_run(kernel, y, (const tsr_tensor *[]){A, x}, 1, err));
        assert_string_equal(kernel_values(y), "-1 0 10");
        assert_ok(tsr_kernel_run(kernel, y, (const tsr_tensor *[]){B, x}, 0, err));
        assert_string_equal(kernel_values(y), "0 30 0");
        tsr_kernel_free(kernel);
        tsr_tensor_free(A);
        tsr_tensor_free(B);
        tsr_tensor_free(x);
        tsr_tensor_free(y);
    }
}

/* A tensor of each kind that is easily forgotten. */
static const struct {
    const char *what, *expression;
    const char *format, *dims, *entries; /* of A */
    tsr_type type;
    const char *want;
} kinds[] = {
    {"empty", "y(i) = A(i,j)*x(j)", "csr", "3,4", "", TSR_F64, "0 0 0"},
    {"no rows", "y(i) = A(i,j)*x(j)", "csr", "0,4", "", TSR_F64, ""},
    {"no columns", "y(i) = A(i,j)*x(j)", "dcsr", "3,0", "", TSR_F64, "0 0 0"},
    {"one cell", "y(i) = A(i,j)*x(j)", "coo", "1,1", "0 0 7", TSR_F64, "7"},
    {"one value for all", "y(i) = A(i,j)*x(j)", "csr", "2,4", "0 1 1; 0 2 1; 1 3 1", TSR_PATTERN, "5 4"},
    {"dense pattern", "y(i) = A(i,j)*x(j)", "dd", "2,4", "0 1 1; 0 2 1; 1 3 1", TSR_PATTERN, "5 4"},
    {"single precision", "y(i) = A(i,j)*x(j)", "csr", "2,2", "0 0 0.5; 1 1 1.5", TSR_F32, "0.5 3"},
    {"transposed", "y(j) = A(i,j)*x(i)", "csr", "2,3", "0 0 1; 0 2 2; 1 2 3", TSR_F64, "1 0 8"},
    {"scalar", "s = A(i,j)", "csr", "2,3", "0 0 1; 0 2 2; 1 2 3", TSR_F64, "6"},
    {"blocks", "y(i) = A(i,j)*x(j)", "bcsr(2,2)", "3,3", "0 0 1; 2 2 4", TSR_F64, "1 0 12"},
};

static void test_kinds_of_operands(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (int e = 0; e < NENGINES; e++) {
            print_message("%s\n", kinds[i].what);
            tsr_tensor *const A =
                kernel_tensor_of(kinds[i].format, kinds[i].type, kinds[i].dims, kinds[i].entries);
            const bool has_x = strchr(kinds[i].expression, 'x') != NULL;
            const uint64_t n = strstr(kinds[i].expression, "x(i)") ? A->dims[0] : A->dims[1];
            tsr_tensor *const x = kernel_counting(n), *y;
            const tsr_kernel_tensor tensors[] = {{.name = "A", .tensor = A}, {.name = "x", .tensor = x}};
            const tsr_kernel_options options = kernel_options_for(engines[e]);
            tsr_kernel *kernel;
            assert_ok(tsr_kernel_new(&kernel, kinds[i].expression, tensors, has_x ? 2 : 1, &options, err));
            const tsr_tensor *const operands[] = {A, x};
            assert_ok(tsr_kernel_result(&y, kernel, operands, err));
            assert_ok(tsr_kernel_run(kernel, y, operands, 2, err));
            assert_string_equal(kernel_values(y), kinds[i].want);
            tsr_kernel_free(kernel);
            tsr_tensor_free(A);
            tsr_tensor_free(x);
            tsr_tensor_free(y);
        }
}

static void test_adding_to_a_result(void **state)
{
    (void)state;
    tsr_tensor *const A = kernel_tensor_of("csr", TSR_F64, "2,2", "0 0 1; 1 1 2"), *const x =
                                                                                       kernel_counting(2);
    tsr_tensor *y;
    const tsr_kernel_tensor tensors[] = {{.name = "A", .tensor = A}, {.name = "x", .tensor = x}};
    const tsr_kernel_options options = kernel_options_for(TSR_ENGINE_INTERPRETER);
    tsr_kernel *kernel;
    assert_ok(tsr_kernel_new(&kernel, "y(i) += A(i,j)*x(j)", tensors, 2, &options, err));
    assert_ok(tsr_kernel_result(&y, kernel, NULL, err));
    for (int run = 0; run < 3; run++)
        assert_ok(tsr_kernel_run(kernel, y, (const tsr_tensor *[]){A, x}, 1, err));
    assert_string_equal(kernel_values(y), "3 12");
    tsr_kernel_work work;
    assert_ok(tsr_kernel_count(&work, kernel, y, (const tsr_tensor *[]){A, x}, err));
    assert_true(work.flops == 4);
    /* A: pos 3 x 4, crd 2 x 4, values 2 x 8; x: 2 x 8; y: 2 x 8, read and written */
    assert_true(work.nbytes == 12 + 8 + 16 + 16 + 32);
    tsr_kernel_free(kernel);
    tsr_tensor_free(A);
    tsr_tensor_free(x);
    tsr_tensor_free(y);
}

/* += into a sparse result reads the entries where they are; a run that fails leaves them there. */
static void test_adding_to_entries(void **state)
{
    (void)state;
    static const char *const formats[] = {"csr", "dcsr", "csc", "coo", "bcsr(2,2)", "bitmap"};
    tsr_tensor *const A = kernel_tensor_of("csr", TSR_F64, "2,2", "0 1 1; 1 1 2");
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        tsr_tensor *C = kernel_tensor_of(formats[k], TSR_F64, "2,2", "");
        const tsr_kernel_tensor tensors[] = {{.name = "A", .tensor = A},
                                             {.name = "C", .format = C->format, .dims = C->dims}};
        const tsr_kernel_options options = kernel_options_for(TSR_ENGINE_INTERPRETER);
        tsr_kernel *kernel;
        tsr_faults faults = {0};
        assert_ok(tsr_kernel_new(&kernel, "C(i,j) += A(i,j)", tensors, 2, &options, err));
        tsr_tensor_free(C);
        while (tsr_faults_next(&faults)) {
            tsr_error why = {0};
            C = kernel_tensor_of(formats[k], TSR_F64, "2,2", "0 0 5; 1 1 3");
            tsr_faults_arm(&faults);
            const tsr_status status = tsr_kernel_run(kernel, C, (const tsr_tensor *[]){A}, 2, &why);
            tsr_faults_disarm(&faults);
            /* a block that does not shrink stays as it is: then the sum is there */
            assert_true(status == TSR_OK || (status == TSR_NOMEM && faults.failed));
            tsr_coo *coo;
            assert_ok(tsr_tensor_check(C, 1, err));
            assert_ok(tsr_unpack(&coo, C, 1, err));
            double sum = 0;
            for (uint64_t e = 0; e < coo->nnz; e++)
                sum += ((const double *)coo->values.data)[e];
            if (coo->nnz != (status == TSR_OK ? 3 : 2) || sum != (status == TSR_OK ? 11 : 8))
                fail_msg("%s, allocation %d: %d entries, sum %g", formats[k], (int)faults.n, (int)coo->nnz,
                         sum);
            tsr_coo_free(coo);
            tsr_tensor_free(C);
        }
        tsr_kernel_free(kernel);
    }
    tsr_tensor_free(A);
}

/* The work of a product of two sparse operands was counted from the entries of the first one alone. */
static void test_flops_of_a_join(void **state)
{
    (void)state;
    tsr_tensor *const A = kernel_tensor_of("csr", TSR_F64, "3,2", "0 0 1; 0 1 1; 1 1 1; 2 1 1");
    tsr_tensor *const B = kernel_tensor_of("csr", TSR_F64, "2,3", "0 0 1; 0 1 1; 1 0 1; 1 2 1");
    const tsr_kernel_tensor tensors[] = {{.name = "A", .tensor = A}, {.name = "B", .tensor = B}};
    const tsr_tensor *const operands[] = {A, B};
    const tsr_kernel_options options = kernel_options_for(TSR_ENGINE_INTERPRETER);
    tsr_kernel *kernel;
    tsr_kernel_work work;
    tsr_tensor *C;
    assert_ok(tsr_kernel_new(&kernel, "C(i,j) = A(i,k)*B(k,j)", tensors, 2, &options, err));
    assert_ok(tsr_kernel_result(&C, kernel, operands, err));
    assert_ok(tsr_kernel_count(&work, kernel, C, operands, err));
    assert_true(work.flops == 2 * (1 * 2 + 3 * 2)); /* k = 0: 1 and 2 entries, k = 1: 3 and 2 */
    tsr_kernel_free(kernel);
    tsr_tensor_free(A);
    tsr_tensor_free(B);
    tsr_tensor_free(C);
}

/* Of a dense operand only what the entries lead to is counted. */
static void test_bytes_of_a_large_dense_operand(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        double x_nbytes;
    } rows[] = {
        {"a = A(i,j)*X(i,j)", 2 * 8},        {"y(i) = A(i,j)*X(j,i)", 2 * 8},
        {"a = A(i,j)*X(i,k)", 2 * 8 * 50},   {"a = A(i,j)*X(i,k)*X(j,k)", 2 * 8 * 50},
        {"a = A(i,j)*X(k,l)", 8 * 50 * 50},  {"a = A(i,j)*X(i,j) + X(i,j)", 8 * 50 * 50},
        {"a = A(i,j)*X(i,j)*X(j,i)", 2 * 8},
    };
    tsr_tensor *const A = kernel_tensor_of("coo", TSR_F64, "50,50", "0 0 1; 7 9 2");
    tsr_tensor *const X = kernel_tensor_of("dd", TSR_F64, "50,50", "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const tsr_kernel_tensor tensors[] = {{.name = "A", .tensor = A}, {.name = "X", .tensor = X}};
        const tsr_kernel_options options = kernel_options_for(TSR_ENGINE_INTERPRETER);
        tsr_kernel *kernel;
        tsr_kernel_work work;
        tsr_tensor *y;
        assert_ok(tsr_kernel_new(&kernel, rows[i].expression, tensors, 2, &options, err));
        assert_ok(tsr_kernel_result(&y, kernel, NULL, err));
        assert_ok(tsr_kernel_count(&work, kernel, y, (const tsr_tensor *[]){A, X}, err));
        const double others = (double)(tsr_tensor_nbytes(A) + tsr_array_nbytes(&y->values));
        if (work.nbytes != others + rows[i].x_nbytes)
            fail_msg("%s: %g bytes", rows[i].expression, work.nbytes - others);
        tsr_kernel_free(kernel);
        tsr_tensor_free(y);
    }
    tsr_tensor_free(A);
    tsr_tensor_free(X);
}

/* A result with the entries of an operand. */
static void test_a_sparse_result_has_the_operands_levels(void **state)
{
    (void)state;
    tsr_tensor *const B = kernel_tensor_of("csr", TSR_F64, "2,3", "0 0 1; 0 2 2; 1 1 3");
    tsr_tensor *const other = kernel_tensor_of("csr", TSR_F64, "2,3", "0 0 1; 0 1 2; 1 1 3");
    tsr_tensor *const x = kernel_counting(3), *A;
    tsr_format *csr;
    assert_ok(tsr_format_parse(&csr, "csr", 2, NULL, err));
    const tsr_kernel_tensor tensors[] = {
        {.name = "A", .format = csr}, {.name = "B", .tensor = B}, {.name = "x", .tensor = x}};
    const tsr_kernel_options options = kernel_options_for(TSR_ENGINE_INTERPRETER);
    const tsr_tensor *const operands[] = {B, x}, *const others[] = {other, x};
    tsr_kernel *kernel;
    tsr_error fault = {0};
    assert_ok(tsr_kernel_new(&kernel, "A(i,j) = B(i,j)*x(j)", tensors, 3, &options, err));
    assert_ok(tsr_kernel_result(&A, kernel, operands, err));
    assert_ok(tsr_tensor_check(A, 1, err));
    assert_ok(tsr_kernel_run(kernel, A, operands, 1, err));
    assert_string_equal(kernel_values(A), "1 6 6");
    assert_int_equal(tsr_kernel_run(kernel, A, others, 1, &fault), TSR_ARGUMENT);
    assert_non_null(strstr(fault.message, "must have the same entries as B"));
    tsr_tensor *none;
    assert_int_equal(tsr_kernel_result(&none, kernel, NULL, &fault), TSR_ARGUMENT);
    assert_null(none);
    tsr_kernel_free(kernel);
    tsr_format_free(csr);
    tsr_tensor_free(A);
    tsr_tensor_free(B);
    tsr_tensor_free(other);
    tsr_tensor_free(x);
}

/* ---- types ---- */

static void test_the_result_has_the_common_type(void **state)
{
    (void)state;
    static const tsr_type rows[][3] = {
        {TSR_F64, TSR_F64, TSR_F64},  {TSR_F32, TSR_F32, TSR_F32},     {TSR_F32, TSR_F64, TSR_F64},
        {TSR_I8, TSR_I32, TSR_I32},   {TSR_U8, TSR_I8, TSR_I8},        {TSR_U16, TSR_U64, TSR_U64},
        {TSR_I16, TSR_F32, TSR_F32},  {TSR_I32, TSR_F32, TSR_F64},     {TSR_U64, TSR_F32, TSR_F64},
        {TSR_C64, TSR_F32, TSR_C64},  {TSR_C64, TSR_F64, TSR_C128},    {TSR_C128, TSR_C64, TSR_C128},
        {TSR_C64, TSR_I64, TSR_C128}, {TSR_PATTERN, TSR_I16, TSR_I16}, {TSR_PATTERN, TSR_PATTERN, TSR_F64},
        {TSR_F16, TSR_F16, TSR_F32},  {TSR_F16, TSR_BF16, TSR_F32},    {TSR_BF16, TSR_PATTERN, TSR_F32},
        {TSR_F16, TSR_I32, TSR_F64},  {TSR_F16, TSR_I16, TSR_F32},     {TSR_BF16, TSR_C64, TSR_C64},
    };
    const uint64_t dims[] = {3};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int swap = 0; swap < 2; swap++) {
            const tsr_kernel_tensor tensors[] = {
                {.name = "b", .dims = dims, .type = rows[i][swap]},
                {.name = "c", .dims = dims, .type = rows[i][1 - swap]},
            };
            const tsr_kernel_options options = kernel_options_for(TSR_ENGINE_INTERPRETER);
            tsr_kernel *kernel;
            tsr_tensor *a;
            assert_ok(tsr_kernel_new(&kernel, "a(i) = b(i)*c(i)", tensors, 2, &options, err));
            assert_ok(tsr_kernel_result(&a, kernel, NULL, err));
            assert_string_equal(tsr_type_name(a->type), tsr_type_name(rows[i][2]));
            tsr_tensor_free(a);
            tsr_kernel_free(kernel);
        }
}

/* ---- what is refused when a kernel is made ---- */

static const struct {
    const char *expression;
    const char *format, *dims; /* of A, in the list unless format is NULL */
    int nx;                    /* how often x, of 4 doubles, is in the list */
    const char *name;          /* of the function */
    tsr_status status;
    const char *message;
} refused[] = {
    {"y(i) = A(i,j)*x(j)", "csr", "3,5", 1, NULL, TSR_ARGUMENT, "j is 5 in A but 4 in x"},
    {"y(i) = A(i,j)*x(j)", "csf", "3,4,5", 1, NULL, TSR_ARGUMENT,
     "A has 3 modes, but 2 indices in the expression"},
    {"y(i) = A(i,j)*x(j)", "csr", "3,4", 2, NULL, TSR_ARGUMENT, "the tensor x is given twice"},
    {"y(i) = A(i,j)*x(j)", "csr", "3,4", 0, NULL, TSR_ARGUMENT, "no format or tensor given for x"},
    {"y(i) = B(i,j)*x(j)", "csr", "3,4", 1, NULL, TSR_ARGUMENT, "the expression has no tensor 'A'"},
    {"y(i) = A(i,j)*x(j", "csr", "3,4", 1, NULL, TSR_SYNTAX, ""},
    {"y(i) = A(i,j)*x(j)", "csr", "3,4", 1, "2spmv", TSR_ARGUMENT, "'2spmv' cannot be the name"},
    {"y(i) = A(i,j)*x(j)", "csr", "3,4", 1, "", TSR_ARGUMENT, "'' cannot be the name"},
    {"y(i) = A(i,j)*x(j)", "csr", "3,4", 1, "a-b", TSR_ARGUMENT, "'a-b' cannot be the name"},
    {"y(i,k) = A(i,j)*x(j)", "csr", "3,4", 1, NULL, TSR_ARGUMENT, "k"},
};

static void test_what_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        tsr_tensor *const A = kernel_tensor_of(refused[i].format, TSR_F64, refused[i].dims, "");
        tsr_tensor *const x = kernel_counting(4);
        const tsr_kernel_tensor tensors[] = {
            {.name = "A", .tensor = A}, {.name = "x", .tensor = x}, {.name = "x", .tensor = x}};
        tsr_kernel_options options = kernel_options_for(TSR_ENGINE_INTERPRETER);
        options.name = refused[i].name;
        tsr_kernel *kernel = (tsr_kernel *)tensors;
        tsr_error fault = {0};
        const tsr_status status =
            tsr_kernel_new(&kernel, refused[i].expression, tensors, 1 + refused[i].nx, &options, &fault);
        if (status != refused[i].status || !strstr(fault.message, refused[i].message))
            fail_msg("row %zu: %d: %s", i, (int)status, fault.message);
        assert_null(kernel);
        tsr_tensor_free(A);
        tsr_tensor_free(x);
    }
}

static void test_kinds_that_are_refused(void **state)
{
    (void)state;
    tsr_tensor *const A = kernel_tensor_of("csr", TSR_F64, "4,4", "0 0 1");
    tsr_tensor *const x = kernel_counting(4);
    const tsr_kernel_options options = kernel_options_for(TSR_ENGINE_INTERPRETER);
    tsr_kernel_tensor tensors[] = {
        {.name = "A", .tensor = A}, {.name = "x", .tensor = x}, {.name = "y", .type = TSR_PATTERN}};
    tsr_kernel *kernel;
    tsr_error fault = {0};
    static const char text[] = "y(i) = A(i,j)*x(j)";
    assert_int_equal(tsr_kernel_new(&kernel, text, tensors, 3, &options, &fault), TSR_UNSUPPORTED);
    assert_non_null(strstr(fault.message, "not a pattern"));
    tensors[2].type = TSR_NTYPES + 1;
    assert_int_equal(tsr_kernel_new(&kernel, text, tensors, 3, &options, &fault), TSR_ARGUMENT);
    tensors[2] = (tsr_kernel_tensor){.name = "y", .index_nbytes = 3};
    assert_int_equal(tsr_kernel_new(&kernel, text, tensors, 3, &options, &fault), TSR_ARGUMENT);
    assert_non_null(strstr(fault.message, "width of 3 bytes"));
    A->structure = TSR_SYMMETRIC_LOWER;
    assert_int_equal(tsr_kernel_new(&kernel, text, tensors, 2, &options, &fault), TSR_UNSUPPORTED);
    assert_non_null(strstr(fault.message, "A stores one triangle of a matrix (symmetric_lower)"));
    A->structure = TSR_GENERAL;
    A->has_fill = true;
    A->fill[6] = 1;
    assert_int_equal(tsr_kernel_new(&kernel, text, tensors, 2, &options, &fault), TSR_UNSUPPORTED);
    assert_non_null(strstr(fault.message, "the fill of A is not 0"));
    memset(A->fill, 0, sizeof A->fill);
    assert_ok(tsr_kernel_new(&kernel, text, tensors, 2, &options, err)); /* a fill of 0 changes nothing */
    tsr_kernel_free(kernel);
    tsr_tensor_free(A);
    tsr_tensor_free(x);
}

static void test_a_result_that_fits_no_memory(void **state)
{
    (void)state;
    const uint64_t dims[] = {3000000};
    const tsr_kernel_tensor tensors[] = {{.name = "b", .dims = dims}, {.name = "c", .dims = dims}};
    const tsr_kernel_options options = kernel_options_for(TSR_ENGINE_INTERPRETER);
    tsr_kernel *kernel;
    tsr_tensor *a;
    tsr_error fault = {0};
    assert_ok(tsr_kernel_new(&kernel, "a(i,j) = b(i)*c(j)", tensors, 2, &options, err));
    assert_int_equal(tsr_kernel_result(&a, kernel, NULL, &fault), TSR_LIMIT);
    assert_non_null(strstr(fault.message, "a (dense of 3000000 x 3000000) needs 72.0 TB"));
    tsr_kernel_free(kernel);
}

/* ---- engines ---- */

/* A compiler that has a version, and refuses all texts. */
static const char *bad_compiler(void)
{
    static const char script[] = "#!/bin/sh\n[ \"$1\" = --version ] && exec echo bad 1.0\n"
                                 "echo 'kernel.c:7:1: error: no kernels today' >&2\nexit 1\n";
    const char *const path = tsr_test_path(tsr_test_tmp(), "badcc");
    tsr_test_spit(path, script, strlen(script));
    assert_int_equal(chmod(path, 0700), 0);
    return path;
}

static void test_engines(void **state)
{
    (void)state;
    const char *const bad = bad_compiler();
    const struct {
        tsr_kernel_engine engine;
        const char *compiler;
        tsr_status status;
        const char *message;
        tsr_kernel_engine became;
    } rows[] = {
        {TSR_ENGINE_INTERPRETER, "no-such-cc", TSR_OK, NULL, TSR_ENGINE_INTERPRETER},
        {TSR_ENGINE_AUTO, "no-such-cc", TSR_OK, "no-such-cc", TSR_ENGINE_INTERPRETER},
        {TSR_ENGINE_COMPILED, "no-such-cc", TSR_UNSUPPORTED, "no-such-cc", 0},
        {TSR_ENGINE_JIT, "no-such-cc", TSR_UNSUPPORTED, "no-such-cc", 0},
        {TSR_ENGINE_BUILTIN, NULL, TSR_UNSUPPORTED, "no built-in kernel for y(i) = 7*A(i,j)*x(j)", 0},
        {TSR_ENGINE_AUTO, bad, TSR_ARGUMENT, "no kernels today", 0},
        {TSR_ENGINE_JIT, NULL, TSR_OK, NULL, TSR_ENGINE_JIT},
        {TSR_ENGINE_JIT, NULL, TSR_OK, NULL, TSR_ENGINE_JIT},
        {(tsr_kernel_engine)9, NULL, TSR_ARGUMENT, "invalid engine 9", 0},
    };
    tsr_tensor *const A = kernel_tensor_of("csr", TSR_F64, "4,4", "0 0 1"), *const x = kernel_counting(4);
    const tsr_kernel_tensor tensors[] = {{.name = "A", .tensor = A}, {.name = "x", .tensor = x}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_kernel_options options = kernel_options_for(rows[i].engine);
        options.compiler = rows[i].compiler;
        tsr_kernel *kernel;
        tsr_error fault = {0};
        const tsr_status status =
            tsr_kernel_new(&kernel, "y(i) = 7*A(i,j)*x(j)", tensors, 2, &options, &fault);
        if (status != rows[i].status || (status && !strstr(fault.message, rows[i].message)))
            fail_msg("row %zu: %d: %s", i, (int)status, fault.message);
        if (status != TSR_OK)
            continue;
        const tsr_kernel_info *const info = tsr_kernel_get_info(kernel);
        assert_int_equal(info->engine, rows[i].became);
        assert_int_equal(info->warning != NULL, rows[i].message != NULL);
        if (info->warning)
            assert_non_null(strstr(info->warning, rows[i].message));
        if (i == 7)
            assert_true(info->from_cache);
        tsr_kernel_free(kernel);
    }
    tsr_tensor_free(A);
    tsr_tensor_free(x);
}

static void test_texts(void **state)
{
    (void)state;
    static const struct {
        tsr_kernel_text what;
        const char *has, *has_not;
    } rows[] = {
        {TSR_KERNEL_C, "int spmv(", "tsr_rt_entry"},
        {TSR_KERNEL_C11, "int spmv(", "vector_size"},
        {TSR_KERNEL_C11, "\"spmv.h\"", "vector_size"},
        {TSR_KERNEL_HEADER, "int spmv(", "#include \"spmv.h\""},
        {TSR_KERNEL_IR, "spmv", "vector_size"},
        {TSR_KERNEL_GRAPH, "A", "vector_size"},
    };
    tsr_format *csr;
    assert_ok(tsr_format_parse(&csr, "csr", 2, NULL, err));
    const uint64_t dims[] = {1000, 2000};
    const tsr_kernel_tensor tensors[] = {{.name = "A", .format = csr, .dims = dims}, {.name = "x"}};
    tsr_kernel_options options = kernel_options_for(TSR_ENGINE_INTERPRETER);
    options.name = "spmv";
    options.has_header = true;
    tsr_kernel *kernel;
    assert_ok(tsr_kernel_new(&kernel, "y(i) = A(i,j)*x(j)", tensors, 2, &options, err));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_text text = {0};
        assert_ok(tsr_kernel_print(&text, kernel, rows[i].what, err));
        if (!strstr(tsr_text_cstr(&text), rows[i].has) || strstr(tsr_text_cstr(&text), rows[i].has_not))
            fail_msg("row %zu:\n%s", i, tsr_text_cstr(&text));
        tsr_text_clear(&text);
    }
    tsr_kernel_free(kernel);
    tsr_format_free(csr);
}

static void test_builtins_are_listed(void **state)
{
    (void)state;
    int n = 0;
    for (const tsr_kernel_builtin *b; (b = tsr_kernel_builtin_at(n)) != NULL; n++) {
        assert_int_equal(strlen(b->key), 32);
        assert_true(b->name && b->expression && b->formats);
    }
    assert_null(tsr_kernel_builtin_at(n + 1));
    assert_null(tsr_kernel_builtin_at(-1));
}

/* ---- memory ---- */

static tsr_status make_and_run(const char *expression, const tsr_kernel_tensor *tensors,
                               const tsr_kernel_options *options, tsr_error *err)
{
    const tsr_tensor *const operands[] = {tensors[0].tensor, tensors[1].tensor};
    tsr_kernel *kernel;
    tsr_tensor *result = NULL;
    tsr_kernel_work work;
    tsr_text text = {0};
    TSR_TRY(tsr_kernel_new(&kernel, expression, tensors, 3, options, err));
    tsr_status status = tsr_kernel_result(&result, kernel, operands, err);
    if (status == TSR_OK)
        status = tsr_kernel_run(kernel, result, operands, 2, err);
    if (status == TSR_OK)
        status = tsr_kernel_count(&work, kernel, result, operands, err);
    if (status == TSR_OK)
        status = tsr_kernel_print(&text, kernel, TSR_KERNEL_GRAPH, err);
    if (status == TSR_OK)
        status = tsr_kernel_print(&text, kernel, TSR_KERNEL_C, err);
    if (status == TSR_OK)
        status = tsr_kernel_print(&text, kernel, TSR_KERNEL_HEADER, err);
    tsr_text_clear(&text);
    tsr_tensor_free(result);
    tsr_kernel_free(kernel);
    return status;
}

/* The expression's kernel with its allocations failing one after the other. */
static void run_out(const char *expression, const tsr_kernel_tensor *tensors,
                    const tsr_kernel_options *options)
{
    tsr_error fault = {0};
    assert_ok(make_and_run(expression, tensors, options, err)); /* compiled, and so in the cache */
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_faults_arm(&faults);
        const tsr_status status = make_and_run(expression, tensors, options, &fault);
        tsr_faults_disarm(&faults); /* something may go on without the memory */
        if (status != TSR_OK && (!faults.failed || status != TSR_NOMEM || fault.message[0] == '\0'))
            fail_msg("%s: allocation %d: %d: %s", expression, (int)faults.n, (int)status, fault.message);
    }
}

static void test_memory_may_run_out_anywhere(void **state)
{
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    static const char *const expressions[] = {
        "A(i,j) = 2*B(i,j)*x(j)",
        "A(i,j) = B(i,k)*B(l,k)*B(l,j)*x(j)", /* copies, a workspace, an assembled result */
        "A(i,j) = max(B(i,j), x(j))",
        "A(i,j) = B(i,j)/(B(i,j) + x(j))", /* a step before: two functions in the text */
    };
    tsr_tensor *const B = kernel_tensor_of("csr", TSR_F64, "2,3", "0 0 1; 0 2 2; 1 1 3");
    tsr_tensor *const x = kernel_counting(3);
    tsr_format *csr;
    assert_ok(tsr_format_parse(&csr, "csr", 2, NULL, err));
    const tsr_kernel_tensor tensors[] = {
        {.name = "B", .tensor = B}, {.name = "x", .tensor = x}, {.name = "A", .format = csr}};
    for (int e = 0; e < NENGINES; e++) {
        const tsr_kernel_options options = kernel_options_for(engines[e]);
        for (size_t k = 0; k < sizeof expressions / sizeof *expressions; k++)
            run_out(expressions[k], tensors, &options);
    }
    tsr_tensor_free(B);
    tsr_tensor_free(x);
    tsr_format_free(csr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_kernel_runs_again_with_other_tensors),
        cmocka_unit_test(test_kinds_of_operands),
        cmocka_unit_test(test_adding_to_a_result),
        cmocka_unit_test(test_adding_to_entries),
        cmocka_unit_test(test_bytes_of_a_large_dense_operand),
        cmocka_unit_test(test_flops_of_a_join),
        cmocka_unit_test(test_a_sparse_result_has_the_operands_levels),
        cmocka_unit_test(test_the_result_has_the_common_type),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_kinds_that_are_refused),
        cmocka_unit_test(test_a_result_that_fits_no_memory),
        cmocka_unit_test(test_engines),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_builtins_are_listed),
        cmocka_unit_test(test_memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
