/* One kernel run from many threads at once, each with tensors of its own; several kernels made at once. */
#include "kernel_support.h"

#include <stdatomic.h>

#include "tsr_parallel.h"

enum { NTHREADS = 8, NRUNS = 20, NROWS = 300 };

typedef struct shared {
    tsr_kernel *kernel;
    const tsr_tensor *A;
    atomic_int nwrong;
} shared;

/* A tridiagonal matrix of ones. */
static tsr_tensor *new_matrix(void)
{
    static char text[NROWS * 40];
    size_t n = 0;
    for (int i = 0; i < NROWS; i++)
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < NROWS; j++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%d %d 1;", i, j);
    return kernel_tensor_of("csr", TSR_F64, "300,300", text);
}

/* x = t + 1 everywhere: y = 3 (t + 1) but at both ends. */
static void run(void *arg, int t, int nthreads)
{
    (void)nthreads;
    shared *const s = arg;
    tsr_tensor *x = NULL, *y = NULL;
    if (tsr_kernel_result(&y, s->kernel, NULL, NULL) != TSR_OK ||
        tsr_kernel_result(&x, s->kernel, NULL, NULL) != TSR_OK) {
        s->nwrong++;
        return;
    }
    for (int i = 0; i < NROWS; i++)
        ((double *)x->values.data)[i] = t + 1;
    for (int r = 0; r < NRUNS; r++) {
        const tsr_tensor *const operands[] = {s->A, x};
        s->nwrong += tsr_kernel_run(s->kernel, y, operands, 1 + r % 3, NULL) != TSR_OK;
        const double *const v = y->values.data;
        s->nwrong += v[0] != 2 * (t + 1) || v[NROWS - 1] != 2 * (t + 1);
        for (int i = 1; i < NROWS - 1; i++)
            s->nwrong += v[i] != 3 * (t + 1);
    }
    tsr_tensor_free(x);
    tsr_tensor_free(y);
}

static void test_one_kernel_many_threads(void **state)
{
    (void)state;
    static const tsr_kernel_engine engines[] = {TSR_ENGINE_INTERPRETER, TSR_ENGINE_AUTO};
    tsr_tensor *const A = new_matrix(), *const x = kernel_counting(NROWS);
    const tsr_kernel_tensor tensors[] = {{.name = "A", .tensor = A}, {.name = "x", .tensor = x}};
    for (int e = 0; e < 2; e++) {
        const tsr_kernel_options options = kernel_options_for(engines[e]);
        shared s = {.A = A};
        assert_ok(tsr_kernel_new(&s.kernel, "y(i) = A(i,j)*x(j)", tensors, 2, &options, err));
        tsr_parallel(NTHREADS, run, &s);
        assert_int_equal(s.nwrong, 0);
        tsr_kernel_free(s.kernel);
    }
    tsr_tensor_free(A);
    tsr_tensor_free(x);
}

/* Each thread makes a kernel of its own, some of them the same. */
static void make(void *arg, int t, int nthreads)
{
    (void)nthreads;
    shared *const s = arg;
    char text[64];
    snprintf(text, sizeof text, "y(i) = %d*A(i,j)*x(j)", 1 + t % 3);
    tsr_tensor *x = NULL, *y = NULL;
    const tsr_kernel_options options = kernel_options_for(TSR_ENGINE_AUTO);
    const uint64_t dims[] = {NROWS};
    const tsr_kernel_tensor tensors[] = {{.name = "A", .tensor = s->A}, {.name = "x", .dims = dims}};
    tsr_kernel *kernel;
    if (tsr_kernel_new(&kernel, text, tensors, 2, &options, NULL) != TSR_OK ||
        tsr_kernel_result(&y, kernel, NULL, NULL) != TSR_OK ||
        tsr_kernel_result(&x, kernel, NULL, NULL) != TSR_OK) {
        s->nwrong++;
        return;
    }
    for (int i = 0; i < NROWS; i++)
        ((double *)x->values.data)[i] = 1;
    const tsr_tensor *const operands[] = {s->A, x};
    s->nwrong += tsr_kernel_run(kernel, y, operands, 1, NULL) != TSR_OK;
    s->nwrong += ((double *)y->values.data)[1] != 3 * (1 + t % 3);
    tsr_tensor_free(x);
    tsr_tensor_free(y);
    tsr_kernel_free(kernel);
}

static void test_kernels_made_at_once(void **state)
{
    (void)state;
    tsr_tensor *const A = new_matrix();
    shared s = {.A = A};
    tsr_parallel(NTHREADS, make, &s);
    assert_int_equal(s.nwrong, 0);
    tsr_tensor_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_kernel_many_threads),
        cmocka_unit_test(test_kernels_made_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
