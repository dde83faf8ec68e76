/* Assembling the structure of a result and computing the values in it, by separate calls: the bits are those of a run. */
#include "kernel_support.h"
#include "tsr_lower.h"

static const struct {
    const char *text, *format, *dims;
    bool stays; /* whichever entries B has */
} rows[] = {
    {"C(i,j) = A(i,k)*B(k,j)", "csr", "4,4", false},
    {"C(i,j) = A(i,k)*B(k,j)", "coo", "4,4", false},
    {"C(i,j) = A(i,j) + B(j,i)", "csc", "4,4", false},
    {"C(i,j) = A(i,j) - A(i,j)*B(i,j)", "bcsr(2,2)", "4,4", true},
    {"C(i) = A(i,j)*B(i,j)", "s", "4", false},
    {"C(i,j) = max(A(i,j), B(i,j))", "dcsr", "4,4", false},
    {"C(i,j) = A(i,j)*B(i,j)", "dense", "4,4", false},
    {"C(i(0,4)) = A(i,j)*B(i,j)", "s", "4", false},
};

static void scale(tsr_tensor *tensor, double by)
{
    for (uint64_t i = 0; i < tensor->values.n; i++)
        ((double *)tensor->values.data)[i] *= by;
}

static bool has_same_bits(const tsr_tensor *a, const tsr_tensor *b)
{
    return a->values.n == b->values.n &&
           memcmp(a->values.data, b->values.data, tsr_array_nbytes(&a->values)) == 0;
}

static void test_values_into_a_structure(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        tsr_tensor *A = kernel_tensor_of("csr", TSR_F64, "4,4", "0 0 1; 0 3 2; 2 1 5; 3 3 7"), *C, *D;
        tsr_tensor *B = kernel_tensor_of("csr", TSR_F64, "4,4", "0 0 3; 1 2 2; 2 1 4; 3 0 0.5");
        tsr_tensor *other = kernel_tensor_of("csr", TSR_F64, "4,4", "0 1 3; 1 2 2; 2 3 4; 3 3 0.5");
        const tsr_tensor *operands[] = {A, B}, *others[] = {A, other};
        const uint64_t dims[] = {4, 4};
        tsr_format *format;
        tsr_kernel *kernel;
        assert_ok(tsr_format_parse(&format, rows[k].format, strlen(rows[k].dims) > 1 ? 2 : 1, dims, err));
        const tsr_kernel_tensor tensors[] = {{.name = "C", .format = format, .dims = dims},
                                             {.name = "A", .tensor = A},
                                             {.name = "B", .tensor = B}};
        const tsr_kernel_options how = kernel_options_for(TSR_ENGINE_INTERPRETER);
        assert_ok(tsr_kernel_new(&kernel, rows[k].text, tensors, 3, &how, err));
        assert_ok(tsr_kernel_result(&C, kernel, operands, err));
        assert_ok(tsr_kernel_result(&D, kernel, operands, err));
        assert_ok(tsr_kernel_assemble(kernel, C, operands, 2, err));
        for (uint64_t i = 0; i < C->values.n; i++)
            assert_true(((double *)C->values.data)[i] == 0);
        const void *const block = C->values.data;
        for (int time = 0; time < 3; time++) { /* values change, the structure stays */
            assert_ok(tsr_kernel_compute(kernel, C, operands, 1 + time, err));
            assert_ok(tsr_kernel_run(kernel, D, operands, 1, err));
            assert_true(has_same_bits(C, D));
            assert_true(C->values.data == block);
            scale(A, 3);
            scale(B, 0.7);
        }
        if (!tsr_format_is_dense(C->format) &&
            !rows[k].stays) { /* B's entries elsewhere: other entries in C */
            tsr_error err = {0};
            assert_int_equal(tsr_kernel_compute(kernel, C, others, 1, &err), TSR_ARGUMENT);
            assert_non_null(strstr(err.message, "assemble the result anew"));
            for (uint64_t i = 0; i < C->values.n; i++)
                assert_true(((double *)C->values.data)[i] == 0);
        }
        tsr_kernel_free(kernel);
        tsr_format_free(format);
        tsr_tensor_free(A);
        tsr_tensor_free(B);
        tsr_tensor_free(other);
        tsr_tensor_free(C);
        tsr_tensor_free(D);
    }
}

/* ---- programs for values alone ---- */

/* Entries of an n x n matrix or of a tensor of order 3 with these dims, with steps between them that vary; row 3 is empty.
 * wide: the width of a band around the diagonal, or 0. */
static tsr_tensor *entries_of(const char *format, tsr_type type, int order, uint64_t seed, uint64_t wide)
{
    static char text[1 << 16];
    const uint64_t n = 24;
    size_t at = 0;
    text[0] = 0;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const bool near = i <= j + wide && j <= i + wide;
            if (i == 3 || (wide ? !near : (seed >> 40) % 5 != 0))
                continue;
            const char *const end = at ? "; " : "";
            const double x = (double)(seed >> 50) / 1000 + 0.001;
            at += (size_t)(order == 3 ? snprintf(text + at, sizeof text - at, "%s%d %d %d %.17g", end,
                                                 (int)i / 2, (int)(j / 3), (int)(j % 3), x)
                                      : snprintf(text + at, sizeof text - at, "%s%d %d %.17g", end, (int)i,
                                                 (int)j, type == TSR_I32 ? (double)(int)(50 * x) : x));
        }
    return kernel_tensor_of(format, type, order == 3 ? "12,8,3" : "24,24", text);
}

static const struct {
    const char *text, *schedule, *ring, *a, *b, *c; /* c: the format of the result */
    tsr_type type;
    int order;
    uint64_t wide;
    bool is_alone; /* the kernel has a program for values alone */
} alone[] = {
    {"C(i,j) = A(i,k)*B(k,j)", NULL, NULL, "csr", "csr", "csr", TSR_F64, 2, 0, true},
    {"C(i,j) = A(i,k)*B(k,j)", "reorder(i,k,j)", NULL, "csr", "csr", "csr", TSR_F64, 2, 0, true},
    {"C(i,j) = A(i,k)*B(k,j)", "serial, reorder(i,k,j)", NULL, "csr", "csr", "csr", TSR_F64, 2, 0, true},
    {"C(i,j) = A(i,k)*B(k,j)", "reorder(i,k,j)", NULL, "csr", "csr", "csr", TSR_F64, 2, 2,
     true}, /* rows in registers */
    {"C(i,j) = A(i,k)*B(k,j)", "reorder(i,k,j)", NULL, "csr", "csr", "csru", TSR_F64, 2, 0, true},
    {"C(i,j) = A(i,k)*B(k,j)", "reorder(i,k,j)", NULL, "csr", "csr", "csru", TSR_F64, 2, 2, true},
    {"C(i,j) = A(i,k)*B(k,j) - B(i,j)", NULL, NULL, "csru", "csru", "csru", TSR_I32, 2, 0, true},
    {"C(i,j) = A(i,k)*B(k,j)", "reorder(i,k,j)", NULL, "csru", "csr", "csru", TSR_C128, 2, 0, true},
    {"C(i,j) = A(i,j) + B(i,j)", NULL, NULL, "csru", "csr", "csru", TSR_F64, 2, 0, true},
    {"C(i,j) = A(i,k)*B(k,j)", "reorder(i,k,j)", NULL, "csr", "csc", "csr", TSR_F32, 2, 0, true},
    {"C(i,j) = A(i,k)*B(k,j)", "reorder(i,k,j)", NULL, "csr", "csr", "dcsr", TSR_F64, 2, 0, true},
    {"C(i,j) = A(i,k)*B(k,j)", "reorder(i,k,j)", NULL, "dcsr", "csr", "dcsr", TSR_F64, 2, 0, true},
    {"C(i,j) = A(i,k)*B(k,j)", "reorder(j,k,i)", NULL, "csc", "csc", "csc", TSR_F64, 2, 0, true},
    {"C(i,j) = A(i,k)*B(k,j)", "reorder(i,k,j)", NULL, "csr", "csr", "csr", TSR_I32, 2, 0, true},
    {"C(i,j) = A(i,k)*B(k,j)", "reorder(i,k,j)", NULL, "csr", "csr", "csr", TSR_C128, 2, 0,
     true}, /* set, then added */
    {"C(i,j) = A(i,k)*B(k,j)", "reorder(i,k,j), workspace(j,dense)", NULL, "csr", "csr", "csr", TSR_F64, 2, 0,
     true},
    {"C(i,j) = A(i,k)*B(k,j)", "reorder(i,k,j), workspace(j,hash)", NULL, "csr", "csr", "csr", TSR_F64, 2, 0,
     false},
    {"C(i,j) = A(i,k)*B(k,j)", "reorder(i,k,j)", NULL, "csr", "csr", "bcsr(2,2)", TSR_F64, 2, 0, false},
    {"C(i,j) = A(i,k)*B(k,j) - 0.5*B(i,j)", "reorder(i,k,j)", NULL, "csr", "csr", "csr", TSR_F64, 2, 0, true},
    {"C(i,j) = A(i,j)*A(i,k)*B(k,j)", "reorder(i,k,j)", NULL, "csr", "csr", "csr", TSR_F64, 2, 0, true},
    {"C(i,j) = A(i,k)*B(k,l)*A(l,j)", NULL, NULL, "csr", "csr", "csr", TSR_F64, 2, 0, true}, /* in steps */
    {"C(j) = A(i,k)*B(k,j)", NULL, NULL, "csr", "csr", "s", TSR_F64, 2, 0, true},
    {"C(i,j) = A(i,k)*B(k,j)", "reorder(i,k,j)", "min-plus", "csr", "csr", "csr", TSR_F64, 2, 0, true},
    {"C(i,j) = A(i,j) + B(i,j)", NULL, NULL, "csr", "csr", "csr", TSR_F64, 2, 0, true},
    {"C(i,j) = A(i,j) + B(i,j)", NULL, NULL, "csr", "csr", "csr", TSR_F32, 2, 0, true},
    {"C(i,j) = 2*A(i,j) - B(i,j)", NULL, NULL, "csr", "csr", "csr", TSR_F64, 2, 2, true},
    {"C(i,j) = A(i,j) + B(j,i)", NULL, NULL, "dcsr", "csr", "dcsr", TSR_F64, 2, 0, true},
    {"C(i,j) = A(i,j)*B(i,j)", NULL, NULL, "csr", "csr", "csr", TSR_F64, 2, 2, true},
    {"C(i) = A(i,j)*B(i,j)", NULL, NULL, "csr", "csr", "s", TSR_F64, 2, 2, true},
    {"C(i,j) = max(A(i,j), B(i,j))", NULL, NULL, "csr", "csr", "csr", TSR_F64, 2, 0, true},
    {"C(i,j,k) = A(i,j,k) + B(i,j,k)", NULL, NULL, "csf", "csf", "csf", TSR_F64, 3, 0, true},
    {"C(i,j,k) = A(i,j,k)*B(i,j,k)", NULL, NULL, "dss", "csf", "csf", TSR_F64, 3, 2, true},
};

/* Compute with kernel into C for 1 to 3 threads, and compare with a run: the same bits, and levels that stay. */
static void compare_with_run(const tsr_kernel *whole, const tsr_kernel *values, tsr_tensor *C,
                             const tsr_tensor *const *operands)
{
    for (int call = 0; call < 5; call++) { /* more than it takes to have a trail */
        const int nthreads = 1 + call % 3;
        tsr_tensor *D;
        assert_ok(tsr_kernel_result(&D, whole, operands, err));
        assert_ok(tsr_kernel_run(whole, D, operands, 1, err));
        memset(C->values.data, 255, tsr_array_nbytes(&C->values));
        assert_ok(tsr_kernel_compute(values, C, operands, nthreads, err));
        assert_true(has_same_bits(C, D));
        for (int l = 0; l < C->nlevels; l++)
            for (int role = 0; role < TSR_LEVEL_NROLES; role++) {
                const tsr_array *const a = tsr_level_array_at(&C->levels[l], (tsr_level_role)role);
                const tsr_array *const b = tsr_level_array_at(&D->levels[l], (tsr_level_role)role);
                assert_true(a->n == b->n && (!a->data || memcmp(a->data, b->data, tsr_array_nbytes(a)) == 0));
            }
        tsr_tensor_free(D);
    }
}

/* Whether B's entries elsewhere are refused, and all values are then 0. */
static void refuses(const tsr_kernel *values, tsr_tensor *C, const tsr_tensor *const *operands)
{
    for (int nthreads = 1; nthreads <= 3; nthreads++) {
        tsr_error err = {0};
        assert_int_equal(tsr_kernel_compute(values, C, operands, nthreads, &err), TSR_ARGUMENT);
        assert_non_null(strstr(err.message, "assemble the result anew"));
        for (size_t i = 0; i < tsr_array_nbytes(&C->values); i++)
            assert_int_equal(((const char *)C->values.data)[i], 0);
    }
}

static void compute_values_alone(bool has_trail)
{
    for (size_t k = 0; k < sizeof alone / sizeof *alone; k++) {
        const int order = alone[k].order;
        const tsr_type type = alone[k].type;
        tsr_tensor *A = entries_of(alone[k].a, type, order, k, alone[k].wide), *C;
        tsr_tensor *B = entries_of(alone[k].b, type, order, k + 100, alone[k].wide);
        tsr_tensor *fewer = entries_of(alone[k].b, type, order, k + 100, alone[k].wide ? 1 : 0);
        tsr_tensor *more = entries_of(alone[k].b, type, order, k + 200, alone[k].wide ? 3 : 0);
        tsr_format *format;
        tsr_kernel *whole, *values;
        const int nmodes = alone[k].text[3] == ')' ? 1 : order;
        const uint64_t dims[3] = {order == 3 ? 12 : 24, order == 3 ? 8 : 24, 3};
        assert_ok(tsr_format_parse(&format, alone[k].c, nmodes, dims, err));
        tsr_kernel_tensor tensors[] = {{.name = "C", .format = format, .dims = dims, .type = TSR_NTYPES},
                                       {.name = "A", .tensor = A},
                                       {.name = "B", .tensor = B}};
        tsr_kernel_options how = kernel_options_for(TSR_ENGINE_INTERPRETER);
        how.schedule = alone[k].schedule;
        how.semiring = alone[k].ring;
        assert_ok(tsr_kernel_new(&whole, alone[k].text, tensors, 3, &how, err));
        assert_ok(tsr_kernel_result(&C, whole, (const tsr_tensor *[]){A, B}, err));
        assert_ok(tsr_kernel_assemble(whole, C, (const tsr_tensor *[]){A, B}, 2, err));
        tensors[0].tensor = C;
        how.values_only = has_trail ? TSR_KERNEL_TRAIL : TSR_KERNEL_VALUES;
        assert_ok(tsr_kernel_new(&values, alone[k].text, tensors, 3, &how, err));
        tsr_error err = {0};
        assert_int_equal(tsr_kernel_run(values, C, (const tsr_tensor *[]){A, B}, 1, &err),
                         alone[k].is_alone ? TSR_ARGUMENT : TSR_OK);
        compare_with_run(whole, values, C, (const tsr_tensor *[]){A, B});
        const bool is_vector = nmodes == 1; /* it has the same entries, whichever B has */
        if (!is_vector && !(alone[k].wide && strstr(alone[k].text, ")*B(i,j"))) /* A has them all */
            refuses(values, C, (const tsr_tensor *[]){A, more});
        if (!is_vector && alone[k].wide && strstr(alone[k].text, ")*"))
            refuses(values, C, (const tsr_tensor *[]){A, fewer});
        compare_with_run(whole, values, C, (const tsr_tensor *[]){A, B});
        tsr_kernel_free(whole);
        tsr_kernel_free(values);
        tsr_format_free(format);
        tsr_tensor_free(A);
        tsr_tensor_free(B);
        tsr_tensor_free(C);
        tsr_tensor_free(fewer);
        tsr_tensor_free(more);
    }
}

static void test_values_alone(void **state)
{
    (void)state;
    compute_values_alone(false);
    compute_values_alone(true);
}

/* ---- trails ---- */

/* The product of n x n matrices, the kernel of a run and that of values alone with a trail, and the result of A and B. */
typedef struct trail_case {
    tsr_kernel *whole, *values;
    tsr_tensor *C;
} trail_case;

static trail_case new_case(const tsr_tensor *A, const tsr_tensor *B, tsr_kernel_engine engine)
{
    trail_case c;
    tsr_format *format;
    assert_ok(tsr_format_parse(&format, "csr", 2, A->dims, err));
    tsr_kernel_tensor tensors[] = {{.name = "C", .format = format, .dims = A->dims, .type = TSR_NTYPES},
                                   {.name = "A", .tensor = A},
                                   {.name = "B", .tensor = B}};
    tsr_kernel_options how = kernel_options_for(engine);
    assert_ok(tsr_kernel_new(&c.whole, "C(i,j) = A(i,k)*B(k,j)", tensors, 3, &how, err));
    assert_ok(tsr_kernel_result(&c.C, c.whole, (const tsr_tensor *[]){A, B}, err));
    assert_ok(tsr_kernel_assemble(c.whole, c.C, (const tsr_tensor *[]){A, B}, 2, err));
    tensors[0].tensor = c.C;
    how.values_only = TSR_KERNEL_TRAIL;
    assert_ok(tsr_kernel_new(&c.values, "C(i,j) = A(i,k)*B(k,j)", tensors, 3, &how, err));
    tsr_format_free(format);
    return c;
}

static void free_case(trail_case *c)
{
    tsr_kernel_free(c->whole);
    tsr_kernel_free(c->values);
    tsr_tensor_free(c->C);
}

/* 40 x 40, so that rows of the product with entry (0, 39) are too wide for registers. */
static tsr_tensor *wide(const char *entries)
{
    return kernel_tensor_of("csr", TSR_F64, "40,40", entries);
}

/* The trail is used, whatever the operands hold that give these entries; one coordinate elsewhere is told. */
static void check_trails(tsr_kernel_engine engine)
{
    static const char first[] = "0 0 2; 0 39 3; 1 1 5; 1 2 0.25; 2 39 7";
    static const char again[] = "0 0 1; 0 1 0; 0 39 4; 1 1 6; 1 2 0.5; 2 39 9"; /* one contribution more */
    static const char second[] = "0 0 2; 0 39 4; 1 0 3; 1 39 5; 2 0 1; 2 39 2; 39 0 8; 39 39 1";
    static const char moved[] = "0 0 2; 0 39 4; 1 0 3; 1 38 5; 2 0 1; 2 39 2; 39 0 8; 39 39 1";
    static const char fewer[] = "0 0 2; 0 39 4; 1 0 3; 2 39 2; 39 0 8; 39 39 1";
    static const char none[] = "0 0 2; 0 39 4; 1 0 3; 2 0 1; 39 0 8; 39 39 1";
    tsr_tensor *A = wide(first), *A2 = wide(again), *B = wide(second), *B2 = wide(moved), *B3 = wide(fewer),
               *B4 = wide(none);
    trail_case c = new_case(A, B, engine);
    compare_with_run(c.whole, c.values, c.C, (const tsr_tensor *[]){A, B});
    assert_non_null(c.C->trail);
    assert_int_equal(c.C->trail->way, TSR_TRAIL_FOLLOW);
    assert_int_equal(c.C->trail->places.n, 10);
    compare_with_run(c.whole, c.values, c.C, (const tsr_tensor *[]){A2, B}); /* another trail */
    assert_int_equal(c.C->trail->way, TSR_TRAIL_FOLLOW);
    assert_int_equal(c.C->trail->places.n, 12);
    tsr_error why = {0};
    assert_int_equal(tsr_kernel_compute(c.values, c.C, (const tsr_tensor *[]){A2, B2}, 1, &why),
                     TSR_ARGUMENT);
    compare_with_run(c.whole, c.values, c.C,
                     (const tsr_tensor *[]){A, B3});   /* the same entries in another way */
    assert_int_equal(c.C->trail->way, TSR_TRAIL_NONE); /* it was wrong too often */
    refuses(c.values, c.C, (const tsr_tensor *[]){A, B4});
    free_case(&c);
    const tsr_tensor *const other[] = {B2, B4};
    for (int i = 0; i < 2; i++) { /* at each state of the trail */
        for (int ncalls = 0; ncalls < 4; ncalls++) {
            c = new_case(A, B, engine);
            for (int call = 0; call < ncalls; call++)
                assert_ok(tsr_kernel_compute(c.values, c.C, (const tsr_tensor *[]){A, B}, 2, NULL));
            refuses(c.values, c.C, (const tsr_tensor *[]){A, other[i]});
            compare_with_run(c.whole, c.values, c.C, (const tsr_tensor *[]){A, B});
            free_case(&c);
        }
    }
    tsr_tensor *const all[] = {A, A2, B, B2, B3, B4};
    for (int i = 0; i < 6; i++)
        tsr_tensor_free(all[i]);
}

static void test_trails(void **state)
{
    (void)state;
    check_trails(TSR_ENGINE_INTERPRETER);
    check_trails(TSR_ENGINE_AUTO);
}

/* Without the memory there is no trail, and many contributions to an entry get none. */
static void test_trails_need_memory(void **state)
{
    (void)state;
    tsr_tensor *A = wide("0 0 2; 0 39 3; 1 1 5; 1 2 0.25; 2 39 7"),
               *B = wide("0 0 2; 0 39 4; 1 0 3; 39 39 1");
    trail_case c = new_case(A, B, TSR_ENGINE_INTERPRETER);
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_tensor *C;
        assert_ok(tsr_kernel_result(&C, c.whole, (const tsr_tensor *[]){A, B}, err));
        assert_ok(tsr_kernel_assemble(c.whole, C, (const tsr_tensor *[]){A, B}, 2, err));
        tsr_faults_arm(&faults);
        tsr_status status = TSR_OK;
        for (int call = 0; call < 3 && status == TSR_OK; call++)
            status = tsr_kernel_compute(c.values, C, (const tsr_tensor *[]){A, B}, 2, NULL);
        tsr_faults_disarm(&faults);
        assert_true(status == TSR_OK || (status == TSR_NOMEM && faults.failed));
        compare_with_run(c.whole, c.values, C, (const tsr_tensor *[]){A, B});
        tsr_tensor_free(C);
    }
    free_case(&c);
    tsr_tensor_free(A);
    tsr_tensor_free(B);
    char text[40 * 40 * 12];
    for (int i = 0, at = 0; i < 1600; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%d %d 1", i ? "; " : "", i / 40, i % 40);
    A = wide(text);
    c = new_case(A, A, TSR_ENGINE_INTERPRETER);
    compare_with_run(c.whole, c.values, c.C, (const tsr_tensor *[]){A, A});
    assert_int_equal(c.C->trail->way, TSR_TRAIL_NONE);
    assert_null(c.C->trail->starts.data);
    free_case(&c);
    tsr_tensor_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values_into_a_structure),
                                       cmocka_unit_test(test_values_alone), cmocka_unit_test(test_trails),
                                       cmocka_unit_test(test_trails_need_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
