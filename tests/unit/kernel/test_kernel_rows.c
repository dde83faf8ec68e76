/* Rows of a sparse result are computed in three ways, by the number and the range of their contributions: each way
 * gives what a sum in the order of the operands gives, bit for bit. Matrices are wide enough that each way is taken. */
#include "kernel_support.h"

#include <math.h>

#include "tsr_process.h"

enum { SIZE = 60000, ROWS = 7, MAX_ENTRIES = 4000 };

typedef struct matrix {
    int n;
    uint64_t i[MAX_ENTRIES], j[MAX_ENTRIES];
    double x[MAX_ENTRIES];
} matrix;

static void add(matrix *m, uint64_t i, uint64_t j, double x)
{
    assert_true(m->n < MAX_ENTRIES);
    m->i[m->n] = i;
    m->j[m->n] = j;
    m->x[m->n++] = x;
}

static tsr_tensor *pack(const matrix *m, const char *format_text)
{
    const uint64_t dims[] = {SIZE, SIZE};
    const tsr_pack_options how = {.duplicates = TSR_DUP_SUM, .index_width = TSR_INDEX_INTEROP};
    tsr_coo *coo;
    tsr_format *format;
    tsr_tensor *tensor;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, false, (uint64_t)m->n, err));
    for (int e = 0; e < m->n; e++) {
        tsr_array_set(&coo->crd[0], (uint64_t)e, m->i[e]);
        tsr_array_set(&coo->crd[1], (uint64_t)e, m->j[e]);
        ((double *)coo->values.data)[e] = m->x[e];
    }
    assert_ok(tsr_format_parse(&format, format_text, 2, dims, err));
    assert_ok(tsr_pack(&tensor, coo, format, &how, NULL, err));
    tsr_format_free(format);
    return tensor;
}

/* Row 0 of A meets rows of B that are near each other, row 1 a few that are far apart, row 2 many that are far
 * apart; row 3 is empty, row 4 has a single -0.0, row 5 all of the rows; row 6 has few columns, which row 5
 * has, too. */
static void make_factors(matrix *A, matrix *B)
{
    tsr_rng rng = {7};
    for (uint64_t k = 0; k < 8; k++)
        add(A, 0, k, 1 + (double)k / 4);
    for (uint64_t k = 10; k < 14; k++)
        add(A, 1, k, -0.5);
    for (uint64_t k = 20; k < 60; k++)
        add(A, 2, k, 1.0 / (double)k);
    add(A, 4, 70, 1);
    for (uint64_t k = 0; k < 60; k++)
        add(A, 5, k, 3);
    for (uint64_t k = 0; k < 8; k++)
        for (uint64_t j = 0; j < 7; j++)
            add(B, k, 100 + k + 2 * j, tsr_rng_unit(&rng));
    for (uint64_t k = 10; k < 60; k++)
        for (uint64_t j = 0; j < 5; j++)
            add(B, k, j * 11999 + (j ? tsr_rng_below(&rng, 700) : k), tsr_rng_unit(&rng) - 0.5);
    add(B, 70, 5, -0.0);
    add(A, 6, 80, 2);
    for (uint64_t j = 20; j < 30; j++)
        add(B, 80, j, 0.25);
}

/* The product, summed in the order of k. */
static void multiply(matrix *C, const tsr_tensor *A, const tsr_tensor *B)
{
    static double sum[SIZE];
    static bool has[SIZE];
    C->n = 0;
    for (uint64_t i = 0; i < ROWS; i++) {
        memset(has, 0, sizeof has);
        for (uint64_t p = tsr_array_get(&A->levels[1].pos, i); p < tsr_array_get(&A->levels[1].pos, i + 1);
             p++) {
            const uint64_t k = tsr_array_get(&A->levels[1].crd, p);
            for (uint64_t q = tsr_array_get(&B->levels[1].pos, k);
                 q < tsr_array_get(&B->levels[1].pos, k + 1); q++) {
                const uint64_t j = tsr_array_get(&B->levels[1].crd, q);
                const double x = ((double *)A->values.data)[p] * ((double *)B->values.data)[q];
                sum[j] = has[j] ? sum[j] + x : x;
                has[j] = true;
            }
        }
        for (uint64_t j = 0; j < SIZE; j++)
            if (has[j])
                add(C, i, j, sum[j]);
    }
}

/* Sort the rows of a tensor that has them in any order, after a check that some row is not sorted. */
static void sort_rows(tsr_tensor **tensor)
{
    const tsr_level *const last = &(*tensor)->levels[1];
    bool falls = false;
    tsr_format *csr;
    assert_ok(tsr_tensor_check(*tensor, 1, err));
    for (uint64_t i = 0; i < ROWS; i++)
        for (uint64_t p = tsr_array_get(&last->pos, i) + 1; p < tsr_array_get(&last->pos, i + 1); p++)
            falls = falls || tsr_array_get(&last->crd, p) < tsr_array_get(&last->crd, p - 1);
    assert_true(falls);
    assert_ok(tsr_format_parse(&csr, "csr", 2, (*tensor)->dims, err));
    assert_ok(tsr_convert(tensor, *tensor, csr, NULL, NULL, err));
    tsr_format_free(csr);
}

/* Compute the expression on several numbers of threads and compare with C: coordinates, and values up to `most`
 * (0: all bits). */
static void check(const char *text, const tsr_kernel_tensor *tensors, int n, const matrix *C,
                  tsr_kernel_engine engine, double most)
{
    tsr_kernel_options how = kernel_options_for(engine);
    how.flags = NULL; /* optimized, for this processor: the ways differ in instructions */
    const tsr_tensor *operands[3] = {NULL};
    tsr_kernel *kernel;
    for (int t = 1; t < n; t++)
        operands[t - 1] = tensors[t].tensor;
    assert_ok(tsr_kernel_new(&kernel, text, tensors, n, &how, err));
    for (int nthreads = 1; nthreads < 4; nthreads++) {
        tsr_tensor *got;
        assert_ok(tsr_kernel_result(&got, kernel, operands, err));
        assert_ok(tsr_kernel_run(kernel, got, operands, nthreads, err));
        if (tsr_format_is_unordered(got->format))
            sort_rows(&got);
        assert_int_equal(got->values.n, C->n);
        for (int e = 0; e < C->n; e++) {
            const double x = ((double *)got->values.data)[e];
            assert_int_equal(tsr_array_get(&got->levels[1].crd, (uint64_t)e), C->j[e]);
            assert_true(most > 0 ? fabs(x - C->x[e]) <= most : memcmp(&x, &C->x[e], sizeof x) == 0);
        }
        tsr_tensor_free(got);
    }
    tsr_kernel_free(kernel);
}

static bool has_compiler(void)
{
    tsr_text path = {0};
    const bool has = tsr_process_find(&path, "cc", NULL) == TSR_OK;
    tsr_text_clear(&path);
    return has;
}

/* Reverse each row of a tensor that may have them in any order. */
static void reverse_rows(tsr_tensor *tensor)
{
    const tsr_level *const last = &tensor->levels[1];
    double *const values = (double *)tensor->values.data;
    for (uint64_t i = 0; i < tensor->dims[0]; i++)
        for (uint64_t p = tsr_array_get(&last->pos, i), q = tsr_array_get(&last->pos, i + 1); p + 1 < q;
             p++) {
            const uint64_t crd = tsr_array_get(&last->crd, p);
            const double x = values[p];
            tsr_array_set(&tensor->levels[1].crd, p, tsr_array_get(&last->crd, --q));
            tsr_array_set(&tensor->levels[1].crd, q, crd);
            values[p] = values[q];
            values[q] = x;
        }
}

/* Operands whose rows may be in any order, and are in order or not, are read as they are given. */
static void check_any_order(const matrix *a, const matrix *b, const char *result, const matrix *C)
{
    const uint64_t dims[] = {SIZE, SIZE};
    tsr_tensor *A = pack(a, "csru"), *B = pack(b, "csru");
    tsr_format *format;
    assert_ok(tsr_format_parse(&format, result, 2, dims, err));
    const tsr_kernel_tensor tensors[] = {{.name = "C", .format = format, .dims = dims},
                                         {.name = "A", .tensor = A},
                                         {.name = "B", .tensor = B}};
    for (int reversed = 0; reversed < 2; reversed++) {
        check("C(i,j) = A(i,k)*B(k,j)", tensors, 3, C, TSR_ENGINE_INTERPRETER, 0);
        if (has_compiler())
            check("C(i,j) = A(i,k)*B(k,j)", tensors, 3, C, TSR_ENGINE_JIT, 0);
        reverse_rows(B);
    }
    tsr_format_free(format);
    tsr_tensor_free(A);
    tsr_tensor_free(B);
}

static void test_products(void **state)
{
    (void)state;
    static matrix a, b, c;
    make_factors(&a, &b);
    tsr_tensor *A = pack(&a, "csr"), *B = pack(&b, "csr");
    multiply(&c, A, B);
    const uint64_t dims[] = {SIZE, SIZE};
    const tsr_kernel_tensor tensors[] = {{.name = "C", .format = A->format, .dims = dims},
                                         {.name = "A", .tensor = A},
                                         {.name = "B", .tensor = B}};
    const char text[] = "C(i,j) = A(i,k)*B(k,j)";
    check(text, tensors, 3, &c, TSR_ENGINE_INTERPRETER, 0);
    tsr_format *csru;
    assert_ok(tsr_format_parse(&csru, "csru", 2, dims, err));
    const tsr_kernel_tensor in_any_order[] = {
        {.name = "C", .format = csru, .dims = dims}, tensors[1], tensors[2]};
    check(text, in_any_order, 3, &c, TSR_ENGINE_INTERPRETER, 0);
    if (has_compiler())
        check(text, in_any_order, 3, &c, TSR_ENGINE_JIT, 0);
    tsr_format_free(csru);
    check_any_order(&a, &b, "csr", &c);
    check_any_order(&a, &b, "csru", &c);
    if (has_compiler()) /* compiled products were once fused with additions in some ways, so bits differed */
        check(text, tensors, 3, &c, TSR_ENGINE_JIT, 0);
    tsr_tensor_free(A);
    tsr_tensor_free(B);
}

/* Each row of a result with so few columns is narrow, but a matrix whose rows fall has none that one statement multiplies. */
static void test_few_columns(void **state)
{
    (void)state;
    tsr_tensor *A = kernel_tensor_of("csru", TSR_F64, "1,2", "0 0 1; 0 1 10");
    tsr_tensor *B = kernel_tensor_of("csru", TSR_F64, "2,20", "0 3 1; 0 7 2; 1 0 3; 1 3 4; 1 19 5");
    const uint64_t dims[] = {1, 20};
    tsr_format *csr;
    assert_ok(tsr_format_parse(&csr, "csr", 2, dims, err));
    const tsr_kernel_tensor tensors[] = {
        {.name = "C", .format = csr, .dims = dims}, {.name = "A", .tensor = A}, {.name = "B", .tensor = B}};
    static const matrix c = {4, {0, 0, 0, 0}, {0, 3, 7, 19}, {30, 41, 2, 50}};
    for (int reversed = 0; reversed < 2; reversed++) {
        check("C(i,j) = A(i,k)*B(k,j)", tensors, 3, &c, TSR_ENGINE_INTERPRETER, 0);
        if (has_compiler())
            check("C(i,j) = A(i,k)*B(k,j)", tensors, 3, &c, TSR_ENGINE_JIT, 0);
        reverse_rows(B);
    }
    tsr_format_free(csr);
    tsr_tensor_free(A);
    tsr_tensor_free(B);
}

/* The loops look up what a complement stores, so its rows must be in order even where it is the only list of the term. */
static void test_complement_in_any_order(void **state)
{
    (void)state;
    tsr_tensor *B = kernel_tensor_of("csru", TSR_F64, "1,20", "0 3 1; 0 7 2; 0 9 1; 0 11 4; 0 19 5");
    tsr_tensor *A = kernel_tensor_of("dd", TSR_F64, "1,20", "0 3 1; 0 4 2; 0 18 3; 0 19 4");
    const uint64_t dims[] = {1, 20};
    tsr_format *csr;
    assert_ok(tsr_format_parse(&csr, "csr", 2, dims, err));
    const tsr_kernel_tensor tensors[] = {
        {.name = "C", .format = csr, .dims = dims}, {.name = "A", .tensor = A}, {.name = "B", .tensor = B}};
    static const matrix c = {
        15, {0}, {0, 1, 2, 4, 5, 6, 8, 10, 12, 13, 14, 15, 16, 17, 18}, {[3] = 2, [14] = 3}};
    for (int reversed = 0; reversed < 2; reversed++) {
        check("C(i,j) = A(i,j)*!B(i,j)", tensors, 3, &c, TSR_ENGINE_INTERPRETER, 0);
        reverse_rows(B);
    }
    tsr_format_free(csr);
    tsr_tensor_free(A);
    tsr_tensor_free(B);
}

/* A program for any size is lowered for a size that stands for others up to 4 times as large. Listed numbers are coordinate
 * times 128 and more, which 32 bits could not hold for 40 million columns, where 2^24 stands for 40 million. */
static void test_many_columns(void **state)
{
    (void)state;
    tsr_tensor *A = kernel_tensor_of("csr", TSR_F64, "2,3", "0 0 1; 0 1 2; 1 2 4");
    tsr_tensor *B =
        kernel_tensor_of("csr", TSR_F64, "3,40000000", "0 5 1; 0 39999999 3; 1 33554432 5; 1 39999999 1");
    const uint64_t dims[] = {2, 40000000};
    const tsr_kernel_tensor tensors[] = {{.name = "C", .format = A->format, .dims = dims},
                                         {.name = "A", .tensor = A},
                                         {.name = "B", .tensor = B}};
    tsr_kernel_options how = kernel_options_for(TSR_ENGINE_INTERPRETER);
    tsr_kernel *kernel;
    tsr_tensor *C;
    how.any_size = true;
    how.schedule = "reorder(i,k,j)";
    assert_ok(tsr_kernel_new(&kernel, "C(i,j) = A(i,k)*B(k,j)", tensors, 3, &how, err));
    assert_ok(tsr_kernel_result(&C, kernel, (const tsr_tensor *[]){A, B}, err));
    assert_ok(tsr_kernel_run(kernel, C, (const tsr_tensor *[]){A, B}, 1, err));
    assert_string_equal(kernel_values(C), "1 10 5");
    assert_int_equal(tsr_array_get(&C->levels[1].crd, 1), 33554432);
    tsr_tensor_free(A);
    tsr_tensor_free(B);
    tsr_tensor_free(C);
    tsr_kernel_free(kernel);
}

/* A program for any size had the size that stands for others as a literal, where terms walk beside others that merge, and in blocks;
 * a size that the schedule makes a literal stands for itself. */
static void test_dense_variables(void **state)
{
    (void)state;
    static const char *const schedules[] = {"block(r,1)", "block(r,16)", "block(r,300)", "literal(r)"};
    static const char *const texts[] = {"y(r) = A(i,j)*B(i,j)*x(r) + A(i,j)*x(r)",
                                        "y(r) = A(i,j)*B(i,j)*x(r)", "y(r) = A(i,j)*x(r)"};
    static const double sums[] = {17, 10, 7};
    tsr_tensor *const A = kernel_tensor_of("csr", TSR_F64, "2,3", "0 0 1; 0 1 2; 1 2 4"), *y;
    tsr_tensor *const B = kernel_tensor_of("csr", TSR_F64, "2,3", "0 1 1; 1 0 3; 1 2 2");
    tsr_tensor *const x[] = {kernel_counting(100), kernel_counting(72)};
    for (int k = 0; k < 12; k++) {
        tsr_kernel *kernel[2];
        tsr_kernel_options how = kernel_options_for(TSR_ENGINE_INTERPRETER);
        const int n = k / 4 == 2 ? 2 : 3;
        how.any_size = true;
        how.schedule = schedules[k % 4];
        for (int i = 0; i < 2; i++) {
            const tsr_kernel_tensor given[] = {
                {.name = "A", .tensor = A}, {.name = "x", .tensor = x[i]}, {.name = "B", .tensor = B}};
            const tsr_tensor *operands[] = {A, x[i], NULL};
            if (n == 3) {
                operands[1] = B;
                operands[2] = x[i];
            }
            if (i == 1 && k % 4 == 3)
                assert_int_not_equal(tsr_kernel_rebind(&kernel[1], kernel[0], given, n, NULL), TSR_OK);
            if (i == 0 || k % 4 == 3)
                assert_ok(tsr_kernel_new(&kernel[i], texts[k / 4], given, n, &how, err));
            else
                assert_ok(tsr_kernel_rebind(&kernel[1], kernel[0], given, n, err));
            assert_ok(tsr_kernel_result(&y, kernel[i], operands, err));
            assert_ok(tsr_kernel_run(kernel[i], y, operands, 1, err));
            for (uint64_t r = 0; r < y->npos; r++)
                assert_true(((double *)y->values.data)[r] == sums[k / 4] * (double)(r + 1));
            tsr_tensor_free(y);
        }
        tsr_kernel_free(kernel[1]);
        tsr_kernel_free(kernel[0]);
    }
    tsr_tensor_free(x[1]);
    tsr_tensor_free(x[0]);
    tsr_tensor_free(B);
    tsr_tensor_free(A);
}

/* Sums of rows with up to 16 entries are sorted, longer ones merged. Each matrix has rows of 0 to 30 entries. */
static void test_sums(void **state)
{
    (void)state;
    static matrix a, b, c;
    static double sum[SIZE];
    static bool has[SIZE];
    tsr_rng rng = {11};
    for (uint64_t i = 0; i < 60; i++) {
        const uint64_t n = i % 31, wide = i % 2 ? SIZE : 50;
        for (uint64_t e = 0; e < n; e++)
            add(&a, i, (tsr_rng_below(&rng, wide / n) + e * (wide / n)), e % 5 ? tsr_rng_unit(&rng) : -0.0);
        for (uint64_t e = 0; e < 30 - n; e++)
            add(&b, i, tsr_rng_below(&rng, wide / (30 - n)) + e * (wide / (30 - n)), tsr_rng_unit(&rng));
    }
    for (uint64_t i = 0; i < 60; i++) {
        memset(has, 0, sizeof has);
        const matrix *const both[] = {&a, &b};
        for (int m = 0; m < 2; m++)
            for (int e = 0; e < both[m]->n; e++)
                if (both[m]->i[e] == i) {
                    const uint64_t j = both[m]->j[e];
                    sum[j] = has[j] ? sum[j] + both[m]->x[e] : both[m]->x[e];
                    has[j] = true;
                }
        for (uint64_t j = 0; j < SIZE; j++)
            if (has[j])
                add(&c, i, j, sum[j]);
    }
    tsr_tensor *A = pack(&a, "csr"), *B = pack(&b, "csr");
    const uint64_t dims[] = {SIZE, SIZE};
    const tsr_kernel_tensor tensors[] = {{.name = "C", .format = A->format, .dims = dims},
                                         {.name = "A", .tensor = A},
                                         {.name = "B", .tensor = B}};
    check("C(i,j) = A(i,j) + B(i,j)", tensors, 3, &c, TSR_ENGINE_INTERPRETER, 0);
    if (has_compiler())
        check("C(i,j) = A(i,j) + B(i,j)", tensors, 3, &c, TSR_ENGINE_JIT, 0);
    tsr_tensor_free(A);
    tsr_tensor_free(B);
}

/* The C text of a sum of n sparse operands, in bytes. */
static size_t text_of_sum(int n, const char *format_text, int order)
{
    static const char *const indices[] = {"(i,j)", "(i,j,k)"};
    const uint64_t dims[] = {100, 100, 100};
    const tsr_kernel_options how = kernel_options_for(TSR_ENGINE_INTERPRETER);
    tsr_kernel_tensor tensors[17];
    char names[17][2];
    tsr_text sum = {0}, text = {0};
    tsr_format *format;
    tsr_kernel *kernel;
    assert_ok(tsr_format_parse(&format, format_text, order, dims, err));
    for (int t = 0; t <= n; t++) {
        snprintf(names[t], sizeof names[t], "%c", t ? 'A' + t - 1 : 'R');
        tensors[t] = (tsr_kernel_tensor){.name = names[t], .format = format, .dims = dims, .type = TSR_F64};
        tsr_text_addf(&sum, "%s%s%s", t > 1 ? " + " : "", names[t], indices[order - 2]);
        tsr_text_add(&sum, t ? "" : " = ");
    }
    assert_ok(tsr_kernel_new(&kernel, tsr_text_cstr(&sum), tensors, n + 1, &how, err));
    assert_ok(tsr_kernel_print(&text, kernel, TSR_KERNEL_C11, err));
    const size_t nbytes = text.nbytes;
    tsr_kernel_free(kernel);
    tsr_format_free(format);
    tsr_text_clear(&sum);
    tsr_text_clear(&text);
    return nbytes;
}

/* The number of ways in which n operands can meet grows as 2^n; the text of a sum does not. */
static void test_text_of_sums_is_bounded(void **state)
{
    (void)state;
    static const char *const formats[] = {"csr", "dcsr", "csf"};
    for (int k = 0; k < 3; k++) {
        const size_t four = text_of_sum(4, formats[k], k == 2 ? 3 : 2);
        const size_t sixteen = text_of_sum(16, formats[k], k == 2 ? 3 : 2);
        assert_in_range(sixteen, four, 4 * four);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products),
                                       cmocka_unit_test(test_few_columns),
                                       cmocka_unit_test(test_complement_in_any_order),
                                       cmocka_unit_test(test_many_columns),
                                       cmocka_unit_test(test_dense_variables),
                                       cmocka_unit_test(test_sums),
                                       cmocka_unit_test(test_text_of_sums_is_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
