/* The memory in which a run assembles a sparse result: at most 2.2 times the bytes of the result, on one thread and on two. Kernels allocate
 * with malloc, so resident memory is measured: the peak during the run less what was resident before. */
#include "bench_clock.h"
#include "bench_random.h"
#include "kernel_support.h"

#ifdef __GLIBC__ /* after a header of the system */
#include <malloc.h>
#endif

static const double most_times = 2.2;

/* nnz entries anywhere in the box, of which equal ones are summed. */
static tsr_tensor *new_uniform(const char *format, int order, const uint64_t *dims, uint64_t nnz,
                               uint64_t seed)
{
    const tsr_pack_options how = {.duplicates = TSR_DUP_SUM, .index_width = TSR_INDEX_INTEROP};
    uint64_t random = seed;
    tsr_format *packed;
    tsr_tensor *tensor;
    tsr_coo *coo;
    assert_ok(tsr_format_parse(&packed, format, order, dims, err));
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, TSR_F64, false, nnz, err));
    for (uint64_t e = 0; e < nnz; e++) {
        for (int m = 0; m < order; m++)
            tsr_array_set(&coo->crd[m], e, (bench_random(&random) >> 32) * dims[m] >> 32);
        ((double *)coo->values.data)[e] = 1;
    }
    assert_ok(tsr_pack(&tensor, coo, packed, &how, NULL, err));
    tsr_format_free(packed);
    return tensor;
}

typedef struct memory_case {
    const char *expression, *result; /* the format of the result */
    struct {
        const char *format; /* NULL: there is no such operand */
        int order;
        uint64_t dims[3], nnz;
    } operand[2]; /* B, C */
    const char *schedule;
} memory_case;

/* Results of 24 to 60 MB, so that large pages, of which each array may have one in part for each thread, do not count. */
enum { N = 60000 };
#define SQUARE \
    {          \
        N, N   \
    }
#define BOX              \
    {                    \
        1000, 1000, 1000 \
    }
static const memory_case cases[] = {
    {"A(i,j) = B(i,k) * C(k,j)", "csr", {{"csr", 2, SQUARE, 500000}, {"csr", 2, SQUARE, 500000}}, NULL},
    {"A(i,j) = B(i,k) * C(k,j)", "dcsr", {{"csr", 2, SQUARE, 500000}, {"csr", 2, SQUARE, 500000}}, NULL},
    {"A(i,j) = B(i,k) * C(k,j)", "csru", {{"csr", 2, SQUARE, 500000}, {"csr", 2, SQUARE, 500000}}, NULL},
    {"A(i,j) = B(i,k) * C(k,j)",
     "csr",
     {{"csr", 2, SQUARE, 500000}, {"csr", 2, SQUARE, 500000}},
     "assemble(two-pass)"},
    {"A(i,j) = B(i,j) + C(i,j)", "csr", {{"csr", 2, SQUARE, 1200000}, {"csr", 2, SQUARE, 1200000}}, NULL},
    {"A(i,j) = B(i,j) + C(i,j)", "dcsr", {{"dcsr", 2, SQUARE, 1200000}, {"dcsr", 2, SQUARE, 1200000}}, NULL},
    {"A(i,j) = B(i,j) + C(i,j)", "csc", {{"csc", 2, SQUARE, 1200000}, {"csc", 2, SQUARE, 1200000}}, NULL},
    {"A(i,j,k) = B(i,j,k) + C(i,j,k)", "csf", {{"csf", 3, BOX, 1200000}, {"csf", 3, BOX, 1200000}}, NULL},
    {"A(i,j,k) = B(i,j,k) + C(i,j,k)", "dss", {{"dss", 3, BOX, 1200000}, {"dss", 3, BOX, 1200000}}, NULL},
    {"A(i,j,r) = B(i,j,k) * C(k,r)", "csf", {{"csf", 3, BOX, 600000}, {"csr", 2, {1000, 16}, 8000}}, NULL},
    {"A(i,j,r) = B(i,j,k) * C(k,r)", "dss", {{"dss", 3, BOX, 600000}, {"csr", 2, {1000, 16}, 8000}}, NULL},
};

/* Run the kernel into a new result; the run's own memory over the bytes of the result, or 0 where it is not to be had. */
static double measure(const memory_case *c, const tsr_tensor *const *operands, int nthreads)
{
    tsr_kernel_options options = kernel_options_for(TSR_ENGINE_AUTO);
    options.nthreads = nthreads;
    options.schedule = c->schedule;
    tsr_format *format;
    tsr_kernel *kernel;
    tsr_tensor *A;
    const uint64_t dims[] = {operands[0]->dims[0], operands[c->operand[0].order == 2]->dims[1],
                             c->operand[1].order == 3 ? operands[1]->dims[2] : operands[1]->dims[1]};
    assert_ok(tsr_format_parse(&format, c->result, c->operand[0].order, dims, err));
    const tsr_kernel_tensor tensors[] = {{.name = "A", .format = format, .dims = dims},
                                         {.name = "B", .tensor = operands[0]},
                                         {.name = "C", .tensor = operands[1]}};
    assert_ok(tsr_kernel_new(&kernel, c->expression, tensors, 3, &options, err));
    tsr_format_free(format);
    assert_ok(tsr_kernel_result(&A, kernel, operands, err));
    const bool is_compiled = tsr_kernel_get_info(kernel)->engine != TSR_ENGINE_INTERPRETER;
    double times = 0;
    if (is_compiled && bench_reset_peak()) {
        const uint64_t before = bench_resident_nbytes();
        assert_ok(tsr_kernel_run(kernel, A, operands, nthreads, err));
        times = ((double)bench_peak_nbytes() - (double)before) / (double)tsr_tensor_nbytes(A);
        assert_true(tsr_tensor_nbytes(A) > 24000000);
    }
    tsr_tensor_free(A);
    tsr_kernel_free(kernel);
    return times;
}

static void test_results(void **state)
{
    (void)state;
#ifdef TSR_TEST_SANITIZED
    skip(); /* memory of the sanitizer counts */
#endif
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD,
            1 << 20); /* freed blocks go back to the system, and are not there before the next run */
#endif
    int nmeasured = 0, nbad = 0;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const memory_case *const c = &cases[n];
        tsr_tensor *operands[2];
        for (int t = 0; t < 2; t++)
            operands[t] = new_uniform(c->operand[t].format, c->operand[t].order, c->operand[t].dims,
                                      c->operand[t].nnz, 1000 * n + (uint64_t)t);
        for (int nthreads = 1; nthreads <= 2; nthreads++) {
            const double times = measure(c, (const tsr_tensor *const *)operands, nthreads);
            nmeasured += times > 0;
            if (times > most_times || getenv("TSR_TEST_TELL"))
                print_error("%s into %s, %d threads: %.2f times the bytes of the result\n", c->expression,
                            c->result, nthreads, times);
            nbad += times > most_times;
        }
        for (int t = 0; t < 2; t++)
            tsr_tensor_free(operands[t]);
    }
    if (nmeasured == 0)
        skip(); /* there is no compiler, or the system does not tell */
    assert_int_equal(nbad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
