/* Kernels: runs, sizes, results, texts, errors. */
#include "door_test.h"

static void test_a_matrix_times_a_vector(void **state)
{
    (void)state;
    double x_data[] = {1, 2, 3, 4}, y_data[] = {7, 7, 7};
    const double want[] = {8, 0, 19};
    tessera_tensor *A = borrow_csr(ctx), *x = borrow_vector(x_data, 4, ctx), *y, *r;
    const tessera_tensor *operands[] = {A, x};
    tessera_kernel *k;
    door_ok(tessera_kernel_new(&k, "y(i)=A(i,j) * x(j)", NULL, ctx));
    assert_string_equal(tessera_kernel_expression(k), "y(i) = A(i,j)*x(j)");
    assert_int_equal(tessera_kernel_ntensors(k), 3);
    assert_string_equal(tessera_kernel_name(k, 1), "A");
    assert_null(tessera_kernel_name(k, 3));
    assert_int_equal(tessera_kernel_order(k, 1), 2);
    assert_int_equal(tessera_kernel_order(k, -1), -1);
    assert_int_equal(tessera_kernel_nlowered(k), 0);
    door_ok(tessera_kernel_call(&y, k, operands, ctx));
    assert_string_equal(tessera_tensor_format(y), "dvec");
    assert_memory_equal(values_of(y), want, sizeof want);
    tessera_tensor_free(y);
    /* into the caller's memory */
    r = borrow_vector(y_data, 3, ctx);
    door_ok(tessera_kernel_run(k, r, operands, ctx));
    assert_memory_equal(y_data, want, sizeof want);
    /* into a result that is used again */
    door_ok(tessera_kernel_result(&y, k, operands, ctx));
    x_data[1] = 0;
    door_ok(tessera_kernel_run(k, y, operands, ctx));
    assert_float_equal(values_of(y)[0], 6, 0);
    x_data[1] = 2;
    tessera_times times = {.size = sizeof times, .nruns = 3};
    door_ok(tessera_kernel_time(&times, k, y, operands, ctx));
    assert_int_equal(times.nruns, 3);
    assert_true(times.least_s > 0 && times.least_s <= times.median_s && times.median_s <= times.largest_s);
    assert_float_equal(times.flops, 8, 0);
    tessera_tensor_free(y);
    tessera_tensor_free(r);
    tessera_tensor_free(x);
    tessera_tensor_free(A);
    tessera_kernel_free(k);
}

/* A kernel whose first call asked for one thread has loops for several where a later call asks for them. */
static void test_threads_of_the_first_call_do_not_last(void **state)
{
    (void)state;
    double x_data[] = {1, 2, 3, 4}, y_data[3];
    const int nthreads[] = {1, 2, 1, 0}, nlowered[] = {1, 2, 2, 2};
    tessera_tensor *A = borrow_csr(ctx), *x = borrow_vector(x_data, 4, ctx),
                   *y = borrow_vector(y_data, 3, ctx);
    const tessera_tensor *operands[] = {A, x};
    tessera_kernel *k;
    door_ok(tessera_kernel_new(&k, "y(i) = A(i,j)*x(j)", NULL, ctx));
    for (int i = 0; i < 4; i++) {
        tessera_context_set_threads(ctx, nthreads[i]);
        door_ok(tessera_kernel_run(k, y, operands, ctx));
        assert_float_equal(y_data[0], 8, 0);
        assert_int_equal(tessera_kernel_nlowered(k), nlowered[i]);
    }
    tessera_tensor_free(y);
    tessera_tensor_free(x);
    tessera_tensor_free(A);
    tessera_kernel_free(k);
}

/* A run takes values from elsewhere; the tensors stay as they are. */
static void test_values_are_given_at_each_run(void **state)
{
    (void)state;
    double x_data[] = {1, 2, 3, 4}, y_data[] = {7, 7, 7}, other_x[] = {2, 4, 6, 8}, other_y[3];
    double twice[] = {0, 0, 0, 0};
    const double want[] = {8, 0, 19}, doubled[] = {16, 0, 38}, untouched[] = {7, 7, 7};
    tessera_tensor *A = borrow_csr(ctx), *x = borrow_vector(x_data, 4, ctx),
                   *y = borrow_vector(y_data, 3, ctx);
    const tessera_tensor *tensors[] = {y, A, x}, *lacking[] = {y, A, NULL};
    void *values[] = {other_y, NULL, other_x};
    tessera_kernel *k;
    door_ok(tessera_kernel_new(&k, "y(i) = A(i,j)*x(j)", NULL, ctx));
    door_ok(tessera_kernel_run_values(k, tensors, values, ctx));
    assert_memory_equal(other_y, doubled, sizeof doubled);
    assert_memory_equal(y_data, untouched, sizeof untouched);
    values[2] = NULL;
    door_ok(tessera_kernel_run_values(k, tensors, values, ctx));
    assert_memory_equal(other_y, want, sizeof want);
    for (int i = 0; i < 4; i++)
        twice[i] = 2 * values_of(A)[i];
    values[1] = twice;
    door_ok(tessera_kernel_run_values(k, tensors, values, ctx));
    assert_memory_equal(other_y, doubled, sizeof doubled);
    door_ok(tessera_kernel_run_values(k, tensors, NULL, ctx));
    assert_memory_equal(y_data, want, sizeof want);
    assert_int_equal(tessera_kernel_nlowered(k), 1);
    assert_int_equal(tessera_kernel_run_values(k, lacking, values, ctx), TESSERA_ARGUMENT);
    assert_string_equal(tessera_context_message(ctx), "missing the tensor x: tensor 2 is NULL");
    assert_int_equal(tessera_kernel_run_values(k, NULL, values, ctx), TESSERA_ARGUMENT);
    assert_int_equal(tessera_kernel_run_values(NULL, tensors, values, ctx), TESSERA_ARGUMENT);
    tessera_tensor_free(y);
    tessera_tensor_free(x);
    tessera_tensor_free(A);
    tessera_kernel_free(k);
}

/* One n x n matrix with 2 on the diagonal and 1 beside it, in a format, times ones. */
static tessera_tensor *band(uint64_t nrows, uint64_t ncolumns, const char *format)
{
    enum { MAX = 4096 };
    static uint64_t r[MAX], c[MAX];
    static double v[MAX];
    uint64_t n = 0;
    for (uint64_t i = 0; i < nrows; i++)
        for (uint64_t j = i; j < ncolumns && j < i + 2; j++, n++) {
            r[n] = i;
            c[n] = j;
            v[n] = j == i ? 2 : 1;
        }
    const uint64_t dims[] = {nrows, ncolumns};
    const tessera_array crd[] = {{.data = r, .n = n, .type = TESSERA_U64},
                                 {.data = c, .n = n, .type = TESSERA_U64}};
    const tessera_entries entries = {.size = sizeof entries,
                                     .order = 2,
                                     .dims = dims,
                                     .nnz = n,
                                     .crd = crd,
                                     .values = {.data = v, .n = n, .type = TESSERA_F64}};
    const tessera_pack_options how = {.size = sizeof how, .format = format};
    tessera_tensor *A;
    door_ok(tessera_pack(&A, &entries, &how, ctx));
    return A;
}

static void check_row_sums(const tessera_tensor *y, uint64_t nrows, uint64_t ncolumns)
{
    for (uint64_t i = 0; i < nrows; i++)
        assert_float_equal(values_of(y)[i], (i < ncolumns ? 2 : 0) + (i + 1 < ncolumns ? 1 : 0), 0);
}

/* The number of times that code is generated for a series of sizes. */
static const struct {
    const char *expression, *format;
    int most;
} sizes[] = {
    {"y(i) = A(i,j)*x(j)", "csr", 1},       {"y(i) = A(i,j)*x(j)", "coo", 1},
    {"y(i) = A(i,j)*x(j)", "csc", 1},       {"y(i) = 2*A(i,j)*x(j) + 0*x(j)*A(i,j)", "csr", 8},
    {"y(i) = A(i,j)*x(j)", "bcsr(2,3)", 8}, {"y(i) = A(i,j)*x(j)", "dcsr", 1},
};

static void test_new_sizes_generate_nothing(void **state)
{
    (void)state;
    static const uint64_t dims[][2] = {{3, 4},   {4, 3},   {100, 70}, {1000, 1001},
                                       {5, 900}, {64, 65}, {1, 1},    {65, 64}};
    static double ones[1024];
    for (int i = 0; i < 1024; i++)
        ones[i] = 1;
    for (int s = 0; s < LENGTH(sizes); s++) {
        const tessera_kernel_options options = {
            .size = sizeof options, .engine = s == 0 ? TESSERA_ENGINE_AUTO : TESSERA_ENGINE_INTERPRETER};
        tessera_kernel *k;
        door_ok(tessera_kernel_new(&k, sizes[s].expression, &options, ctx));
        for (int round = 0; round < 2; round++)
            for (int d = 0; d < LENGTH(dims); d++) {
                tessera_tensor *const A = band(dims[d][0], dims[d][1], sizes[s].format), *y;
                tessera_tensor *const x = borrow_vector(ones, dims[d][1], ctx);
                const tessera_tensor *operands[3] = {A, x, x};
                if (strcmp(tessera_kernel_name(k, 1), "A") != 0) {
                    operands[0] = x;
                    operands[1] = A;
                }
                door_ok(tessera_kernel_call(&y, k, operands, ctx));
                if (s != 3)
                    check_row_sums(y, dims[d][0], dims[d][1]);
                tessera_tensor_free(y);
                tessera_tensor_free(x);
                tessera_tensor_free(A);
            }
        if (tessera_kernel_nlowered(k) > sizes[s].most)
            print_error("%s, %s: lowered %d times\n", sizes[s].expression, sizes[s].format,
                        tessera_kernel_nlowered(k));
        assert_true(tessera_kernel_nlowered(k) <= sizes[s].most);
        tessera_kernel_free(k);
    }
}

/* The built-in kernels serve small matrices, too: no compiler starts. */
static void test_small_matrices_use_built_in_kernels(void **state)
{
    (void)state;
    char *text, *list;
    door_ok(tessera_list(&list, "kernels", ctx));
    const int has_kernels = strstr(list, "spmv") != NULL;
    tessera_text_free(list);
    if (!has_kernels)
        skip(); /* the library is built without them */
    double x_data[] = {1, 2, 3, 4};
    tessera_tensor *A = borrow_csr(ctx), *x = borrow_vector(x_data, 4, ctx);
    const tessera_tensor *const operands[] = {A, x};
    const tessera_kernel_options options = {.size = sizeof options, .engine = TESSERA_ENGINE_BUILTIN};
    tessera_kernel *k;
    door_ok(tessera_kernel_new(&k, "y(i) = A(i,j)*x(j)", &options, ctx));
    door_ok(tessera_kernel_print(&text, k, TESSERA_TEXT_ENGINE, operands, ctx));
    assert_string_equal(text, "built in");
    tessera_text_free(text);
    tessera_kernel_free(k);
    tessera_tensor_free(x);
    tessera_tensor_free(A);
}

/* Sparse results of several sizes, interpreted; the number of entries. */
static const struct {
    const char *expression, *format;
    uint64_t n, nnz;
} sums[] = {
    {"C(i,j) = A(i,j) + B(i,j)", "csr", 10, 19},   {"C(i,j) = A(i,j) + B(i,j)", "csr", 100, 199},
    {"C(i,j) = A(i,j) * B(i,j)", "dcsr", 50, 99},  {"C(i,j) = A(i,k) * B(k,j)", "csr", 20, 57},
    {"C(i,j) = A(i,k) * B(k,j)", "csr", 200, 597},
};

/* The entries once, the values again and again: the bits are those of a call, and the arrays stay where they are. */
static void test_entries_and_values_by_separate_calls(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTH(sums); i++) {
        tessera_tensor *A = band(sums[i].n, sums[i].n, "csr"), *C, *D, *E;
        const tessera_tensor *const operands[] = {A, A};
        const tessera_kernel_options options = {
            .size = sizeof options, .format = sums[i].format, .engine = TESSERA_ENGINE_INTERPRETER};
        tessera_kernel *k;
        tessera_array values, again;
        door_ok(tessera_kernel_new(&k, sums[i].expression, &options, ctx));
        door_ok(tessera_kernel_assemble(&C, k, operands, ctx));
        door_ok(tessera_kernel_call(&D, k, operands, ctx));
        assert_int_equal(tessera_tensor_nnz(C), sums[i].nnz);
        door_ok(tessera_tensor_find(&values, C, 0, "values", ctx));
        for (uint64_t e = 0; e < values.n; e++)
            assert_true(((const double *)values.data)[e] == 0);
        for (int time = 0; time < 2; time++) {
            door_ok(tessera_kernel_compute(k, C, operands, ctx));
            door_ok(tessera_tensor_find(&again, C, 0, "values", ctx));
            assert_ptr_equal(again.data, values.data);
            door_ok(tessera_tensor_find(&again, D, 0, "values", ctx));
            assert_memory_equal(again.data, values.data, values.n * sizeof(double));
        }
        /* a result with the entries of other operands stays as it is */
        door_ok(tessera_kernel_result(&E, k, operands, ctx));
        door_fails(tessera_kernel_compute(k, E, operands, ctx), TESSERA_ARGUMENT, "assemble");
        assert_int_equal(tessera_tensor_nnz(E), 0);
        door_fails(tessera_kernel_compute(k, NULL, operands, ctx), TESSERA_ARGUMENT, "missing result");
        door_fails(tessera_kernel_assemble(NULL, k, operands, ctx), TESSERA_ARGUMENT, "missing result");
        tessera_tensor_free(A);
        tessera_tensor_free(C);
        tessera_tensor_free(D);
        tessera_tensor_free(E);
        tessera_kernel_free(k);
    }
}

/* A sparse tensor times a dense matrix had a dense result: 3 GB for 9,000 entries. */
static void test_the_pattern_is_proposed(void **state)
{
    (void)state;
    enum { NENTRIES = 3, SIZE = 5000 };
    static const char *const formats[] = {"coo", "csf", "hicoo(4)", "dss"};
    static const char *const results[] = {"ssd", "ssd", "ssd", "dsd"};
    static uint64_t at[3][NENTRIES] = {{0, 7, SIZE - 1}, {SIZE - 1, 3, 0}, {1, 0, 1}};
    static double values[NENTRIES] = {2, 3, 4};
    const uint64_t dims[] = {SIZE, SIZE, 2};
    tessera_array crd[3];
    for (int m = 0; m < 3; m++)
        crd[m] = (tessera_array){.data = at[m], .n = NENTRIES, .type = TESSERA_U64};
    const tessera_entries entries = {.size = sizeof entries,
                                     .order = 3,
                                     .dims = dims,
                                     .nnz = NENTRIES,
                                     .crd = crd,
                                     .values = {.data = values, .n = NENTRIES, .type = TESSERA_F64}};
    const tessera_kernel_options options = {.size = sizeof options, .engine = TESSERA_ENGINE_INTERPRETER};
    tessera_tensor *const C = band(2, 2, "dense");
    for (int i = 0; i < LENGTH(formats); i++) {
        const tessera_pack_options how = {.size = sizeof how, .format = formats[i]};
        tessera_tensor *B, *A;
        tessera_kernel *k;
        door_ok(tessera_pack(&B, &entries, &how, ctx));
        door_ok(tessera_kernel_new(&k, "A(i,j,r) = B(i,j,k) * C(k,r)", &options, ctx));
        door_ok(tessera_kernel_call(&A, k, (const tessera_tensor *[]){B, C}, ctx));
        assert_string_equal(tessera_tensor_format(A), results[i]);
        tessera_tensor_free(A);
        tessera_tensor_free(B);
        tessera_kernel_free(k);
    }
    tessera_tensor_free(C);
}

/* Results without a format: that of two sparse operands is sparse, and positions that were changed are refused. */
static void test_formats_are_proposed(void **state)
{
    (void)state;
    static const struct {
        const char *expression, *format, *result;
    } cases[] = {
        {"C(i,j) = A(i,k) * B(k,j)", NULL, "csr"}, {"C(i,j) = A(i,j) + B(i,j)", NULL, "csr"},
        {"C(i,j) = A(i,j) * B(i,j)", NULL, "csr"}, {"C(i,j) = A(i,j) + B(i,j)", "dense", "dense"},
        {"C(i,j) = A(i,j) + B(j,i)", NULL, "csr"}, {"c(i) = A(i,j) * B(i,j)", NULL, "dvec"},
    };
    tessera_tensor *A = band(30, 30, "csr");
    const tessera_tensor *const operands[] = {A, A};
    for (int i = 0; i < LENGTH(cases); i++) {
        const tessera_kernel_options options = {
            .size = sizeof options, .format = cases[i].format, .engine = TESSERA_ENGINE_INTERPRETER};
        tessera_kernel *k;
        tessera_tensor *C;
        door_ok(tessera_kernel_new(&k, cases[i].expression, &options, ctx));
        door_ok(tessera_kernel_call(&C, k, operands, ctx));
        assert_string_equal(tessera_tensor_format(C), cases[i].result);
        tessera_tensor_free(C);
        tessera_kernel_free(k);
    }
    tessera_tensor_free(A);
}

static void test_results_may_be_sparse(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTH(sums); i++) {
        tessera_tensor *A = band(sums[i].n, sums[i].n, "csr"), *C;
        const tessera_tensor *const operands[] = {A, A};
        const tessera_kernel_options options = {
            .size = sizeof options, .format = sums[i].format, .engine = TESSERA_ENGINE_INTERPRETER};
        tessera_kernel *k;
        door_ok(tessera_kernel_new(&k, sums[i].expression, &options, ctx));
        door_ok(tessera_kernel_call(&C, k, operands, ctx));
        assert_string_equal(tessera_tensor_format(C), sums[i].format);
        assert_int_equal(tessera_tensor_nnz(C), sums[i].nnz);
        door_ok(tessera_tensor_check(C, ctx));
        tessera_tensor_free(A);
        /* other sizes, and the same result once more */
        A = band(sums[i].n + 1, sums[i].n + 1, "csr");
        const tessera_tensor *const other[] = {A, A};
        door_fails(tessera_kernel_run(k, C, other, ctx), TESSERA_ARGUMENT, "");
        tessera_tensor_free(C);
        door_ok(tessera_kernel_call(&C, k, other, ctx));
        assert_true(tessera_tensor_nnz(C) > sums[i].nnz);
        assert_true(tessera_kernel_nlowered(k) <= 2);
        tessera_tensor_free(C);
        tessera_tensor_free(A);
        tessera_kernel_free(k);
    }
}

static const struct {
    const char *subscripts, *expression;
} einsums[] = {
    {"ij,j->i", "R(i) = A(i,j)*B(j)"},
    {"ij,jk", "R(i,k) = A(i,j)*B(j,k)"},
    {"ij->", "R = A(i,j)"},
    {"ij->ji", "R(j,i) = A(i,j)"},
    {"ijk,jr,kr->ir", "R(i,r) = A(i,j,k)*B(j,r)*C(k,r)"},
    {" ij , ij ", "R = A(i,j)*B(i,j)"},
    {"iI->Ii", "R(i_,i) = A(i,i_)"},
    {"ba", "R(a,b) = A(b,a)"},
    {",i->i", "R(i) = A*B(i)"},
};

static void test_subscripts_become_expressions(void **state)
{
    (void)state;
    tessera_kernel *k;
    for (int i = 0; i < LENGTH(einsums); i++) {
        door_ok(tessera_einsum(&k, einsums[i].subscripts, NULL, ctx));
        assert_string_equal(tessera_kernel_expression(k), einsums[i].expression);
        tessera_kernel_free(k);
    }
    door_fails(tessera_einsum(&k, "ij,j>i", NULL, ctx), TESSERA_SYNTAX, "'>'");
    assert_int_equal(tessera_context_column(ctx), 5);
    door_fails(tessera_einsum(&k, "ij->i->j", NULL, ctx), TESSERA_SYNTAX, "'-'");
    door_fails(tessera_einsum(&k, "ij->k", NULL, ctx), TESSERA_ARGUMENT, "no operand has the letter 'k'");
    door_fails(tessera_einsum(&k, "ij->ii", NULL, ctx), TESSERA_ARGUMENT, "the letter 'i' twice");
    door_fails(tessera_einsum(&k, NULL, NULL, ctx), TESSERA_ARGUMENT, "missing subscripts");
    assert_null(k);
}

static void test_kernels_have_texts(void **state)
{
    (void)state;
    double x_data[] = {1, 2, 3, 4};
    tessera_tensor *A = borrow_csr(ctx), *x = borrow_vector(x_data, 4, ctx);
    const tessera_tensor *const operands[] = {A, x};
    tessera_kernel *k;
    char *text;
    door_ok(tessera_kernel_new(&k, "y(i) = A(i,j)*x(j)", NULL, ctx));
    for (int what = TESSERA_TEXT_C; what <= TESSERA_TEXT_ENGINE; what++) {
        door_ok(tessera_kernel_print(&text, k, (tessera_kernel_text)what, operands, ctx));
        assert_true(strlen(text) > 3);
        tessera_text_free(text);
    }
    door_fails(tessera_kernel_print(&text, k, (tessera_kernel_text)77, operands, ctx), TESSERA_ARGUMENT,
               "77");
    door_ok(tessera_kernel_prepare(k, operands, ctx));
    tessera_kernel_free(k);
    tessera_tensor_free(x);
    tessera_tensor_free(A);
}

static void test_wrong_calls_are_refused(void **state)
{
    (void)state;
    double x_data[] = {1, 2, 3, 4, 5};
    tessera_tensor *A = borrow_csr(ctx), *x = borrow_vector(x_data, 4, ctx),
                   *long_x = borrow_vector(x_data, 5, ctx), *y;
    const tessera_tensor *const good[] = {A, x}, *const wrong[] = {A, long_x}, *const none[] = {A, NULL},
                                *const swapped[] = {x, A};
    tessera_kernel *k = NULL, *none_made;
    tessera_kernel_options options = {.size = sizeof options, .semiring = "plus-plus"};
    door_fails(tessera_kernel_new(&none_made, "y(i) = A(i,j)*", NULL, ctx), TESSERA_SYNTAX, "");
    assert_int_equal(tessera_context_column(ctx), 15);
    door_fails(tessera_kernel_new(&none_made, "y(i) = A(i,j)", &options, ctx), TESSERA_ARGUMENT, "plus-plus");
    options = (tessera_kernel_options){.size = sizeof options, .format = "csr"};
    door_fails(tessera_kernel_new(&none_made, "y(i) = A(i,j)", &options, ctx), TESSERA_ARGUMENT, "");
    options = (tessera_kernel_options){.size = sizeof options, .engine = (tessera_engine)5};
    door_fails(tessera_kernel_new(&none_made, "y(i) = A(i,j)", &options, ctx), TESSERA_ARGUMENT,
               "5 is not an engine");
    options = (tessera_kernel_options){.size = sizeof options, .schedule = "paralel:i"};
    door_fails(tessera_kernel_new(&none_made, NULL, NULL, ctx), TESSERA_ARGUMENT, "missing expression");
    door_fails(tessera_kernel_new(NULL, "y(i) = A(i,j)", NULL, ctx), TESSERA_ARGUMENT, "missing result");
    door_ok(tessera_kernel_new(&k, "y(i) = A(i,j)*x(j)", &options, ctx));
    assert_int_not_equal(tessera_kernel_call(&y, k, good, ctx), TESSERA_OK);
    tessera_kernel_free(k);
    door_ok(tessera_kernel_new(&k, "y(i) = A(i,j)*x(j)", NULL, ctx));
    door_fails(tessera_kernel_call(&y, k, wrong, ctx), TESSERA_ARGUMENT, "j is 4 in A but 5 in x");
    door_fails(tessera_kernel_call(&y, k, none, ctx), TESSERA_ARGUMENT, "missing the tensor x");
    door_fails(tessera_kernel_call(&y, k, NULL, ctx), TESSERA_ARGUMENT, "missing operands");
    door_fails(tessera_kernel_call(&y, NULL, good, ctx), TESSERA_ARGUMENT, "missing kernel");
    door_fails(tessera_kernel_call(&y, k, swapped, ctx), TESSERA_ARGUMENT, "A has 1 mode");
    assert_null(y);
    door_fails(tessera_kernel_run(k, NULL, good, ctx), TESSERA_ARGUMENT, "missing result");
    door_fails(tessera_kernel_run(k, x, good, ctx), TESSERA_ARGUMENT, "");
    tessera_tensor *const same = borrow_vector(x_data, 3, ctx);
    door_fails(tessera_kernel_run(k, same, good, ctx), TESSERA_ARGUMENT, "share memory");
    tessera_tensor_free(same);
    tessera_times times = {0};
    door_ok(tessera_kernel_result(&y, k, good, ctx));
    door_fails(tessera_kernel_time(&times, k, y, good, ctx), TESSERA_ARGUMENT, "sizeof(tessera_times)");
    times = (tessera_times){.size = sizeof times, .nruns = -1};
    door_fails(tessera_kernel_time(&times, k, y, good, ctx), TESSERA_ARGUMENT, "nruns is -1");
    tessera_tensor_free(y);
    tessera_kernel_free(k);
    tessera_kernel_free(NULL);
    tessera_tensor_free(A);
    tessera_tensor_free(x);
    tessera_tensor_free(long_x);
    assert_string_equal(tessera_kernel_expression(NULL), "");
    assert_int_equal(tessera_kernel_ntensors(NULL), 0);
}

static void test_types_and_semirings(void **state)
{
    (void)state;
    double x_data[] = {1, 2, 3, 4};
    tessera_tensor *A = borrow_csr(ctx), *x = borrow_vector(x_data, 4, ctx), *y;
    const tessera_tensor *const operands[] = {A, x};
    tessera_kernel *k;
    tessera_kernel_options options = {
        .size = sizeof options, .has_type = 1, .type = TESSERA_F32, .engine = TESSERA_ENGINE_INTERPRETER};
    door_ok(tessera_kernel_new(&k, "y(i) = A(i,j)*x(j)", &options, ctx));
    door_ok(tessera_kernel_call(&y, k, operands, ctx));
    assert_int_equal(tessera_tensor_type(y), TESSERA_F32);
    tessera_tensor_free(y);
    tessera_kernel_free(k);
    options = (tessera_kernel_options){
        .size = sizeof options, .semiring = "min-plus", .engine = TESSERA_ENGINE_INTERPRETER};
    door_ok(tessera_kernel_new(&k, "y(i) = A(i,j)*x(j)", &options, ctx));
    door_ok(tessera_kernel_call(&y, k, operands, ctx));
    assert_float_equal(values_of(y)[0], 3, 0);
    tessera_tensor_free(y);
    tessera_kernel_free(k);
    door_ok(tessera_kernel_new(&k, "y(i) += A(i,j)*x(j)", NULL, ctx));
    double y_data[] = {100, 100, 100};
    y = borrow_vector(y_data, 3, ctx);
    door_ok(tessera_kernel_run(k, y, operands, ctx));
    assert_float_equal(y_data[2], 119, 0);
    tessera_tensor_free(y);
    tessera_kernel_free(k);
    tessera_tensor_free(x);
    tessera_tensor_free(A);
}

/* Functions of the options: compiled, or called by the interpreter; with stated zeros the result may be sparse. */
static void test_functions_of_the_user(void **state)
{
    (void)state;
    const char *const texts[] = {"most(x) = x > 2 ? 2 : x; zero at x=0", "mix(x,y) = 10*x + y"};
    tessera_tensor *A = borrow_csr(ctx), *y;
    const tessera_tensor *const operand[] = {A};
    tessera_kernel *k;
    for (int e = 0; e < 2; e++) {
        tessera_kernel_options options = {.size = sizeof options,
                                          .format = "csr",
                                          .engine = e == 0 ? TESSERA_ENGINE_JIT : TESSERA_ENGINE_INTERPRETER,
                                          .functions = texts,
                                          .nfunctions = 2};
        door_ok(tessera_kernel_new(&k, "B(i,j) = most(A(i,j))", &options, ctx));
        assert_string_equal(tessera_kernel_expression(k), "B(i,j) = most(A(i,j))");
        door_ok(tessera_kernel_call(&y, k, operand, ctx));
        assert_int_equal(tessera_tensor_nnz(y), tessera_tensor_nnz(A));
        for (uint64_t p = 0; p < tessera_tensor_nnz(A); p++)
            assert_float_equal(values_of(y)[p], values_of(A)[p] > 2 ? 2 : (float)values_of(A)[p], 0);
        tessera_tensor_free(y);
        tessera_kernel_free(k);
        options.format = NULL;
        door_ok(tessera_kernel_new(&k, "y(i) = mix(A(i,j), 1)", &options, ctx)); /* 12 cells: each adds 1 */
        door_ok(tessera_kernel_call(&y, k, operand, ctx));
        assert_float_equal(values_of(y)[1], 4, 0);
        tessera_tensor_free(y);
        tessera_kernel_free(k);
    }
    tessera_tensor_free(A);
}

/* A wrong function is named; the column is not that of the expression. */
static void test_wrong_functions_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text[2];
        int n;
        tessera_status status;
        const char *words;
    } rows[] = {
        {{"f(x = x"}, 1, TESSERA_SYNTAX, "functions: byte 5: expected ')'"},
        {{"f(x) = x", "g(x = x"}, 2, TESSERA_SYNTAX, "in 'g(x = x'"},
        {{"f(x) = x; system(1)"}, 1, TESSERA_SYNTAX, "expected '; zero at x=0'"},
        {{"f(x) = cos(x); zero at x=0"}, 1, TESSERA_ARGUMENT, "f is not 0 at x=0"},
        {{"exp(x) = x"}, 1, TESSERA_ARGUMENT, "the function exp exists"},
        {{"f(x) = x", NULL}, 2, TESSERA_ARGUMENT, "missing function 1 of 2"},
        {{"f(x) = x"}, -1, TESSERA_ARGUMENT, "nfunctions is -1"},
    };
    tessera_kernel *k;
    for (int i = 0; i < LENGTH(rows); i++) {
        const tessera_kernel_options options = {
            .size = sizeof options, .functions = rows[i].text, .nfunctions = rows[i].n};
        door_fails(tessera_kernel_new(&k, "y(i) = f(A(i,j))", &options, ctx), rows[i].status, rows[i].words);
        assert_null(k);
        assert_int_equal(tessera_context_column(ctx), 0);
    }
    const tessera_kernel_options none = {.size = sizeof none, .nfunctions = 1};
    door_fails(tessera_kernel_new(&k, "y(i) = f(A(i,j))", &none, ctx), TESSERA_ARGUMENT, "missing functions");
}

/* Values at an address that suits their type are wanted: kernels are compiled for such arrays. */
static void test_values_must_be_aligned(void **state)
{
    (void)state;
    double x_data[5] = {1, 2, 3, 4}, y_data[3];
    tessera_tensor *A = borrow_csr(ctx), *x = borrow_vector(x_data, 4, ctx),
                   *y = borrow_vector(y_data, 3, ctx);
    const tessera_tensor *tensors[] = {y, A, x};
    void *values[] = {y_data, NULL, (char *)x_data + 4};
    tessera_kernel *k;
    door_ok(tessera_kernel_new(&k, "y(i) = A(i,j)*x(j)", NULL, ctx));
    door_fails(tessera_kernel_run_values(k, tensors, values, ctx), TESSERA_ARGUMENT, "a multiple of 8");
    values[2] = x_data;
    door_ok(tessera_kernel_run_values(k, tensors, values, NULL)); /* without the room that a context keeps */
    tessera_tensor_free(y);
    tessera_tensor_free(x);
    tessera_tensor_free(A);
    tessera_kernel_free(k);
}

/* A matrix of n rows with `each` entries a row, apart from entry `moved`, whose column is one higher. */
static tessera_tensor *borrow_rows(int32_t *pos, int32_t *crd, double *values, int32_t n, int32_t moved)
{
    enum { EACH = 50, APART = 80 };
    const uint64_t dims[] = {(uint64_t)n, EACH * APART};
    for (int32_t i = 0; i <= n; i++)
        pos[i] = i * EACH;
    for (int32_t e = 0; e < n * EACH; e++) {
        crd[e] = e % EACH * APART + (e == moved);
        values[e] = e;
    }
    const tessera_array arrays[] = {{.data = pos, .n = (uint64_t)n + 1, .type = TESSERA_I32},
                                    {.data = crd, .n = (uint64_t)n * EACH, .type = TESSERA_I32},
                                    {.data = values, .n = (uint64_t)n * EACH, .type = TESSERA_F64}};
    const tessera_parts parts = {
        .size = sizeof parts, .format = "csr", .order = 2, .dims = dims, .arrays = arrays, .narrays = 3};
    tessera_tensor *A = NULL;
    door_ok(tessera_borrow(&A, &parts, ctx));
    return A;
}

/* A result kept the entries of its operand, and another operand's values came under them: 64 elements of each array were compared. */
static void test_other_entries_are_refused(void **state)
{
    (void)state;
    enum { N = 4000, NNZ = 50 * N };
    static int32_t pos[3][N + 1], crd[3][NNZ];
    static double values[3][NNZ];
    const tessera_kernel_options options = {.size = sizeof options, .format = "csr"};
    const int32_t moved[] = {-1, 100003, -1}; /* not a multiple of NNZ / 64 + 1 */
    const tessera_tensor *A[3];
    tessera_tensor *R;
    tessera_kernel *k;
    for (int t = 0; t < 3; t++)
        A[t] = borrow_rows(pos[t], crd[t], values[t], N, moved[t]);
    door_ok(tessera_kernel_new(&k, "R(i,j) = 2*A(i,j)", &options, ctx));
    door_ok(tessera_kernel_assemble(&R, k, &A[0], ctx));
    for (int round = 0; round < 2; round++) {
        door_ok(tessera_kernel_compute(k, R, &A[0], ctx));
        door_fails(tessera_kernel_compute(k, R, &A[1], ctx), TESSERA_ARGUMENT, "the same entries as A");
        door_fails(tessera_kernel_run(k, R, &A[1], ctx), TESSERA_ARGUMENT, "the same entries as A");
        door_ok(tessera_kernel_run(k, R, &A[2], ctx)); /* another tensor with the same entries */
        assert_true(values_of(R)[NNZ - 1] == 2.0 * (NNZ - 1));
    }
    tessera_tensor_free(R);
    tessera_kernel_free(k);
    for (int t = 0; t < 3; t++)
        tessera_tensor_free((tessera_tensor *)(uintptr_t)A[t]);
}

/* Only the first addresses were compared, so a result could overwrite an operand that was still read. */
static void test_results_do_not_overlap_operands(void **state)
{
    (void)state;
    double data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y_data[3];
    tessera_tensor *A = borrow_csr(ctx), *x = borrow_vector(data, 4, ctx),
                   *y = borrow_vector(data + 3, 3, ctx), *inside = borrow_vector(csr_values + 1, 3, ctx),
                   *apart = borrow_vector(data + 4, 3, ctx), *z = borrow_vector(y_data, 3, ctx);
    const tessera_tensor *operands[] = {A, x}, *tensors[] = {z, A, x};
    tessera_kernel *k;
    void *values[] = {data + 3, NULL, NULL};
    door_ok(tessera_kernel_new(&k, "y(i) = A(i,j)*x(j)", NULL, ctx));
    door_fails(tessera_kernel_run(k, y, operands, ctx), TESSERA_ARGUMENT, "share memory");
    door_fails(tessera_kernel_run(k, inside, operands, ctx), TESSERA_ARGUMENT, "share memory");
    door_fails(tessera_kernel_run_values(k, tensors, values, ctx), TESSERA_ARGUMENT, "share memory");
    door_ok(tessera_kernel_run(k, apart, operands, ctx));
    assert_float_equal(data[4], 8, 0);
    assert_float_equal(csr_values[1], 2, 0);
    tessera_kernel_free(k);
    tessera_tensor *const all[] = {A, x, y, inside, apart, z};
    for (int t = 0; t < LENGTH(all); t++)
        tessera_tensor_free(all[t]);
}

/* A program for many sizes was planned for a matrix whose dims and entries were rounded apart: 1000 x 1000 with 2% became 256 x 256
 * with 25%, and its product was computed by an inner product for each cell, which takes 40 times as long as rows. */
static void test_products_are_planned_with_the_density(void **state)
{
    const tessera_kernel_options how = {.size = sizeof how, .format = "csr"};
    const uint64_t shapes[][2] = {{1000, 2}, {1000, 20}, {1000, 100}, {3000, 60}};
    (void)state;
    for (int c = 0; c < LENGTH(shapes); c++) {
        const uint64_t n = shapes[c][0], each = shapes[c][1], dims[] = {n, n};
        const double two = 2;
        uint64_t *const crd = malloc(2 * n * each * sizeof *crd);
        assert_non_null(crd);
        for (uint64_t e = 0; e < n * each; e++) {
            crd[e] = e / each;
            crd[n * each + e] = (e % each * (n / each) + 7 * (e / each)) % n;
        }
        const tessera_array arrays[] = {{.data = crd, .n = n * each, .type = TESSERA_U64},
                                        {.data = crd + n * each, .n = n * each, .type = TESSERA_U64}};
        const tessera_entries entries = {
            .size = sizeof entries,
            .order = 2,
            .dims = dims,
            .nnz = n * each,
            .crd = arrays,
            .values = {.data = (void *)(uintptr_t)&two, .n = 1, .type = TESSERA_F64}};
        const tessera_pack_options packed = {.size = sizeof packed, .format = "csr"};
        tessera_tensor *A;
        tessera_kernel *k;
        char *text;
        door_ok(tessera_pack(&A, &entries, &packed, ctx));
        const tessera_tensor *operands[] = {A, A};
        door_ok(tessera_kernel_new(&k, "C(i,j) = A(i,k)*B(k,j)", &how, ctx));
        door_ok(tessera_kernel_print(&text, k, TESSERA_TEXT_GRAPH, operands, ctx));
        if (!strstr(text, "workspace over j"))
            fail_msg("%d with %d a row: %s", (int)n, (int)each, text);
        tessera_text_free(text);
        tessera_kernel_free(k);
        tessera_tensor_free(A);
        free(crd);
    }
}

/* n x n, 2 on the diagonal. */
static tessera_tensor *diagonal(uint64_t n)
{
    const uint64_t dims[] = {n, n};
    const double two = 2;
    uint64_t *const at = malloc(n * sizeof *at);
    assert_non_null(at);
    for (uint64_t i = 0; i < n; i++)
        at[i] = i;
    const tessera_array crd[] = {{.data = at, .n = n, .type = TESSERA_U64},
                                 {.data = at, .n = n, .type = TESSERA_U64}};
    const tessera_entries entries = {
        .size = sizeof entries,
        .order = 2,
        .dims = dims,
        .nnz = n,
        .crd = crd,
        .values = {.data = (void *)(uintptr_t)&two, .n = 1, .type = TESSERA_F64}};
    const tessera_pack_options how = {.size = sizeof how, .format = "csr"};
    tessera_tensor *A;
    door_ok(tessera_pack(&A, &entries, &how, ctx));
    free(at);
    return A;
}

/* A new result takes the memory of the one before, whose room is that of both operands; not if no memory is kept. */
static void test_new_results_take_freed_memory(void **state)
{
    enum { N = 300000 };
    const tessera_kernel_options how = {.size = sizeof how, .format = "csr"};
    uintptr_t address[3] = {0}; /* of freed arrays */
    (void)state;
    if (getenv("TSR_PORTABLE"))
        skip(); /* the sizes of blocks are unknown, so none is kept */
    tessera_tensor *const A = diagonal(N);
    const tessera_tensor *operands[] = {A, A};
    tessera_kernel *k;
    door_ok(tessera_kernel_new(&k, "C(i,j) = A(i,j)+B(i,j)", &how, ctx));
    for (int r = 0; r < 3; r++) {
        tessera_tensor *C;
        if (r == 2)
            tessera_set_kept_memory(0);
        door_ok(tessera_kernel_call(&C, k, operands, ctx));
        address[r] = (uintptr_t)values_of(C);
        assert_float_equal(values_of(C)[0], 4, 0);
        assert_float_equal(values_of(C)[N - 1], 4, 0);
        tessera_tensor_free(C);
    }
    tessera_set_kept_memory(UINT64_C(256) << 20);
    assert_int_equal(address[0], address[1]);
    tessera_kernel_free(k);
    tessera_tensor_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_matrix_times_a_vector),
        cmocka_unit_test(test_threads_of_the_first_call_do_not_last),
        cmocka_unit_test(test_values_are_given_at_each_run),
        cmocka_unit_test(test_new_sizes_generate_nothing),
        cmocka_unit_test(test_small_matrices_use_built_in_kernels),
        cmocka_unit_test(test_formats_are_proposed),
        cmocka_unit_test(test_the_pattern_is_proposed),
        cmocka_unit_test(test_results_may_be_sparse),
        cmocka_unit_test(test_entries_and_values_by_separate_calls),
        cmocka_unit_test(test_subscripts_become_expressions),
        cmocka_unit_test(test_kernels_have_texts),
        cmocka_unit_test(test_wrong_calls_are_refused),
        cmocka_unit_test(test_types_and_semirings),
        cmocka_unit_test(test_functions_of_the_user),
        cmocka_unit_test(test_wrong_functions_are_refused),
        cmocka_unit_test(test_values_must_be_aligned),
        cmocka_unit_test(test_other_entries_are_refused),
        cmocka_unit_test(test_results_do_not_overlap_operands),
        cmocka_unit_test(test_new_results_take_freed_memory),
        cmocka_unit_test(test_products_are_planned_with_the_density),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
