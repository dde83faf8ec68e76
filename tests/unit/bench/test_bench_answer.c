/* Answers: a right result passes, and every kind of error is detected, in every form of a result. */
#include "bench_case.h"

#include <float.h>
#include <math.h>

#include "tsr_test.h"
#include "tsr_pack.h"

/* ---- cases, and their results by other loops ---- */

typedef struct fixture {
    tsr_coo *coo;
    bench_kernel kernel;
    bench_case c;
    double *cells;   /* dense result */
    tsr_coo *sparse; /* or the entries of a sparse one */
} fixture;

/* nnz different places of an n x m matrix, never in the last row. */
static tsr_coo *matrix(uint64_t n, uint64_t m, uint64_t nnz, tsr_type type)
{
    const uint64_t dims[] = {n, m}, step = (n - 1) * m / nnz;
    tsr_rng rng = {7};
    tsr_coo *coo = NULL;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, type, false, nnz, err));
    for (uint64_t e = 0; e < nnz; e++) {
        const uint64_t place = e * step + tsr_rng_below(&rng, step);
        const double value = 0.5 + tsr_rng_unit(&rng);
        tsr_array_set(&coo->crd[0], e, place / m);
        tsr_array_set(&coo->crd[1], e, place % m);
        if (type == TSR_F32)
            ((float *)coo->values.data)[e] = (float)value;
        else
            ((double *)coo->values.data)[e] = value;
    }
    return coo;
}

static double value(tsr_type type, const void *values, uint64_t i)
{
    return type == TSR_F32 ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

static double operand(const bench_case *c, int t, uint64_t i)
{
    return value(c->type, c->operand[t]->values.data, i);
}

/* Y(i,r) = A(i,j) * X(j,r), or y(i) where R is 1. */
static void multiply(fixture *f, uint64_t R)
{
    const tsr_coo *const a = f->coo;
    for (uint64_t e = 0; e < a->nnz; e++)
        for (uint64_t r = 0; r < R; r++)
            f->cells[tsr_array_get(&a->crd[0], e) * R + r] +=
                value(a->type, a->values.data, e) * operand(&f->c, 2, tsr_array_get(&a->crd[1], e) * R + r);
}

/* A(i,j) = B(i,j) * C(i,r) * D(j,r) at the entries. */
static void scale_products(fixture *f, uint64_t R)
{
    const tsr_coo *const b = f->coo;
    assert_ok(tsr_coo_new_sized(&f->sparse, (tsr_shape){2, b->dims}, TSR_F64, false, b->nnz, err));
    for (uint64_t e = 0; e < b->nnz; e++) {
        const uint64_t i = tsr_array_get(&b->crd[0], e), j = tsr_array_get(&b->crd[1], e);
        double sum = 0;
        for (uint64_t r = 0; r < R; r++)
            sum += operand(&f->c, 2, i * R + r) * operand(&f->c, 3, j * R + r);
        tsr_array_set(&f->sparse->crd[0], e, i);
        tsr_array_set(&f->sparse->crd[1], e, j);
        ((double *)f->sparse->values.data)[e] = sum * value(b->type, b->values.data, e);
    }
}

/* The cases: cells are compared one by one up to 2^20 cells, in groups beyond that. */
static const struct subject {
    const char *kernel;
    uint64_t n, m, nnz;
    int rank;
    tsr_type type;
} subjects[] = {
    {"spmv", 50, 40, 300, 1, TSR_F64},        {"spmm", 20, 30, 100, 3, TSR_F64},
    {"spmm", 70000, 300, 20000, 16, TSR_F64}, {"sddmm", 30, 20, 90, 4, TSR_F64},
    {"sddmm", 3000, 2000, 9000, 4, TSR_F64},  {"spmv", 50, 40, 300, 1, TSR_F32},
    {"sddmm", 3000, 2000, 9000, 4, TSR_F32},
};

static void init(fixture *f, const struct subject *s)
{
    *f = (fixture){.coo = matrix(s->n, s->m, s->nnz, s->type)};
    assert_true(bench_kernel_find(&f->kernel, s->kernel));
    assert_ok(bench_case_init(&f->c, &f->kernel, f->coo, -1, s->rank, err));
    if (strcmp(s->kernel, "sddmm") == 0) {
        scale_products(f, (uint64_t)s->rank);
    } else {
        f->cells = calloc((size_t)f->c.ncells, sizeof *f->cells);
        multiply(f, (uint64_t)s->rank);
    }
}

static void clear(fixture *f)
{
    bench_case_clear(&f->c);
    tsr_coo_free(f->coo);
    tsr_coo_free(f->sparse);
    free(f->cells);
}

/* ---- changes to a right result ---- */

static void nothing(double *v)
{
    (void)v;
}

static void round_otherwise(double *v)
{
    v[0] *= 1 + 4 * DBL_EPSILON;
}

static void off_by_little(double *v)
{
    v[0] *= 1 + 1e-6;
}

static void off_by_a_hundredth(double *v)
{
    v[0] *= 1.01;
}

static void not_a_number(double *v)
{
    v[0] = (double)NAN;
}

static void infinite(double *v)
{
    v[0] = HUGE_VAL;
}

static void absent(double *v)
{
    v[0] = 0;
}

static void negated(double *v)
{
    v[0] = -v[0];
}

static void swapped(double *v)
{
    const double t = v[0];
    v[0] = v[1];
    v[1] = t;
}

/* One cell is too large by the amount by which another is too small, so that their sum is right. */
static void moved(double *v)
{
    v[0] += 0.25;
    v[1] -= 0.25;
}

static const struct fault {
    const char *what;
    void (*change)(double *v); /* changes two different adjacent cells, or values of entries */
    bool right, right_in_f32;
} faults[] = {
    {"nothing", nothing, true, true},
    {"another rounding", round_otherwise, true, true},
    {"a millionth", off_by_little, false, true},
    {"a hundredth", off_by_a_hundredth, false, false},
    {"NaN", not_a_number, false, false},
    {"infinity", infinite, false, false},
    {"absent", absent, false, false},
    {"negated", negated, false, false},
    {"swapped", swapped, false, false},
    {"moved to its neighbour", moved, false, false},
};

/* Find two neighbours in the middle that are not 0 and differ. */
static double *middle(double *values, uint64_t n)
{
    for (uint64_t i = n / 2; i + 1 < n; i++)
        if (fabs(values[i]) > 0.1 && fabs(values[i + 1]) > 0.1 && fabs(values[i] - values[i + 1]) > 0.01)
            return &values[i];
    fail_msg("no two cells to change");
    return values;
}

static tsr_status check_packed(const fixture *f, const char *text, tsr_error *said)
{
    tsr_coo *copy = NULL;
    tsr_format *format = NULL;
    tsr_tensor *tensor = NULL;
    const tsr_coo *const from = f->sparse;
    assert_ok(tsr_format_parse(&format, text, 2, from->dims, err));
    assert_ok(tsr_coo_copy(&copy, from, err));
    assert_ok(tsr_pack(&tensor, copy, format, NULL, NULL, err));
    const tsr_status status = bench_answer_check(f->c.answer, tensor, said);
    tsr_tensor_free(tensor);
    tsr_format_free(format);
    return status;
}

static void expect(const struct subject *s, const struct fault *fault, const char *form, tsr_status status,
                   const tsr_error *err)
{
    const bool right = s->type == TSR_F32 ? fault->right_in_f32 : fault->right;
    if (status != (right ? TSR_OK : TSR_CORRUPT))
        fail_msg("%s of %d x %d, %s, %s: %s", s->kernel, (int)s->n, (int)s->m, form, fault->what,
                 status == TSR_OK ? "passes" : err->message);
}

static void test_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        const struct subject *const s = &subjects[i];
        fixture f;
        init(&f, s);
        double *const at =
            f.sparse ? middle(f.sparse->values.data, f.sparse->nnz) : middle(f.cells, (uint64_t)f.c.ncells);
        const double right[2] = {at[0], at[1]};
        for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
            tsr_error err = {0};
            faults[k].change(at);
            if (f.sparse) {
                expect(s, &faults[k], "entries", bench_answer_check_entries(f.c.answer, f.sparse, &err),
                       &err);
                expect(s, &faults[k], "csr", check_packed(&f, "csr", &err), &err);
                expect(s, &faults[k], "coo", check_packed(&f, "coo", &err), &err);
            } else {
                expect(s, &faults[k], "cells", bench_answer_check_dense(f.c.answer, f.cells, &err), &err);
            }
            memcpy(at, right, sizeof right);
        }
        clear(&f);
    }
}

/* ---- cells without entries ---- */

static void test_where_nothing_is(void **state)
{
    static const double strays[] = {1e-300, -1, NAN};
    (void)state;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        const struct subject *const s = &subjects[i];
        fixture f;
        init(&f, s);
        for (size_t k = 0; k < sizeof strays / sizeof *strays && f.cells; k++) { /* the last row is empty */
            double *const last = &f.cells[(uint64_t)f.c.ncells - 1];
            *last = strays[k];
            const bool grouped = f.c.ncells > 1 << 20;
            const tsr_status status = bench_answer_check_dense(f.c.answer, f.cells, NULL);
            /* too small to be seen in its group */
            if (status != TSR_CORRUPT && !(grouped && fabs(strays[k]) < 1e-200))
                fail_msg("%s of %d x %d: %g for 0 passes", s->kernel, (int)s->n, (int)s->m, strays[k]);
            *last = 0;
        }
        clear(&f);
    }
}

/* An entry is missing, occurs twice, or is at a wrong place. */
static void test_entries(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        fixture f;
        init(&f, &subjects[i]);
        if (!f.sparse) {
            clear(&f);
            continue;
        }
        tsr_coo *const r = f.sparse;
        assert_ok(bench_answer_check_entries(f.c.answer, r, err));
        r->nnz--;
        assert_int_equal(bench_answer_check_entries(f.c.answer, r, NULL), TSR_CORRUPT);
        r->nnz++;
        const uint64_t was = tsr_array_get(&r->crd[1], 5);
        tsr_array_set(&r->crd[1], 5, was == 0 ? 1 : was - 1);
        assert_int_equal(bench_answer_check_entries(f.c.answer, r, NULL), TSR_CORRUPT);
        tsr_array_set(&r->crd[1], 5, was);
        for (int m = 0; m < 2; m++)
            tsr_array_set(&r->crd[m], 5, tsr_array_get(&r->crd[m], 6));
        assert_int_equal(bench_answer_check_entries(f.c.answer, r, NULL), TSR_CORRUPT);
        clear(&f);
    }
}

/* ---- messages ---- */

static void test_sentence(void **state)
{
    fixture f;
    tsr_error err = {0};
    (void)state;
    init(&f, &subjects[0]);
    f.cells[3] = 1000;
    assert_int_equal(bench_answer_check_dense(f.c.answer, f.cells, &err), TSR_CORRUPT);
    assert_non_null(strstr(err.message, "wrong: cell 3 of the result is 1000, but should be "));
    clear(&f);
    init(&f, &subjects[2]);
    f.cells[3] = 1000;
    assert_int_equal(bench_answer_check_dense(f.c.answer, f.cells, &err), TSR_CORRUPT);
    assert_non_null(strstr(err.message, "wrong: the weighted sum of group "));
    clear(&f);
}

/* Expressions with several terms, with a number, with a diagonal; and expressions whose answers cannot be
 * checked. */
static void test_expressions(void **state)
{
    static const struct {
        const char *text;
        double cell; /* the first cell, for the entries (0,0) 2, (0,1) 3, (1,1) 5 of a 2 x 2 matrix */
    } rows[] = {{"y(i) = A(i,j) * 2 - A(i,j)", 5},
                {"a = A(i,j)", 10},
                {"a = A(i,i)", 7},
                {"y(j) = A(i,j) / 4", 0.5},
                {"y(i) = A(i,j) + 1", 6}, /* only A is summed over j */
                {"y(i) = A(i,j) + A(j,i)", 7},
                {"C(i,j) = A(i,k) * A(k,j)", 4},
                {"a = A(i,j) * A(i,k) * A(k,j)", 196},
                {"a = A(i,j) / 2 - A(i,k) * A(k,j)", -45},
                /* no sums of products of A and dense operands */
                {"y(i) = A(i,j) * A(i,j)", 13},
                {"y(i) = A(i,i) + A(j,i)", 4},
                {"C(i,j) = A(i,k) * A(k,j) where C < 5", 4},
                {"C(i,j) |= A(i,k) & A(k,j)", 1},
                {"p(i) argmax(j)= A(i,j)", 1},
                {"y(i) = max(A(i,j), 2.5)", 5.5},
                {"y(i) = A(i,j) * tril(i,j)", 2},
                {"s(i) = A(i,j); y(i) = s(i) * s(i)", 25}};
    static const uint64_t dims[] = {2, 2};
    static const double values[] = {2, 3, 5};
    static const char *const refused[] = {"y(i) += A(i,j)"};
    (void)state;
    tsr_coo *coo = NULL;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, false, 3, err));
    for (uint64_t e = 0; e < 3; e++) {
        tsr_array_set(&coo->crd[0], e, e == 2);
        tsr_array_set(&coo->crd[1], e, e > 0);
    }
    memcpy(coo->values.data, values, sizeof values);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bench_kernel kernel;
        bench_case c;
        tsr_error said = {0};
        const double zeros[4] = {0};
        char should[128];
        assert_true(bench_kernel_find(&kernel, rows[i].text));
        assert_ok(bench_case_init(&c, &kernel, coo, -1, 2, err));
        assert_int_equal(bench_answer_check_dense(c.answer, zeros, &said), TSR_CORRUPT);
        snprintf(should, sizeof should, "cell 0 of the result is 0, but should be %.17g", rows[i].cell);
        if (!strstr(said.message, should))
            fail_msg("%s: %s", rows[i].text, said.message);
        bench_case_clear(&c);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        bench_kernel kernel;
        bench_case c;
        assert_true(bench_kernel_find(&kernel, refused[i]));
        if (bench_case_init(&c, &kernel, coo, -1, 2, NULL) != TSR_UNSUPPORTED)
            fail_msg("%s has an answer", refused[i]);
    }
    tsr_coo_free(coo);
}

/* The second matrix of a product has the places of the first, so the result has its dims, whatever the rank. */
static void test_two_sparse(void **state)
{
    bench_kernel kernel;
    bench_case c;
    (void)state;
    assert_true(bench_kernel_find(&kernel, "matmul"));
    tsr_coo *square = matrix(40, 40, 300, TSR_F64), *oblong = matrix(50, 40, 300, TSR_F64);
    assert_ok(bench_case_init(&c, &kernel, square, -1, 2, err));
    assert_int_equal(c.result_dims[1], 40);
    assert_int_equal(c.rank, 0);
    bench_case_clear(&c);
    assert_int_equal(bench_case_init(&c, &kernel, oblong, -1, 2, NULL), TSR_UNSUPPORTED);
    bench_case_clear(&c);
    tsr_coo_free(square);
    tsr_coo_free(oblong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),      cmocka_unit_test(test_where_nothing_is),
        cmocka_unit_test(test_entries),     cmocka_unit_test(test_sentence),
        cmocka_unit_test(test_expressions), cmocka_unit_test(test_two_sparse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
