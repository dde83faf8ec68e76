/* Kernels, with inputs in read-only pages. */
#ifndef GUARDED_KERNELS_H
#define GUARDED_KERNELS_H

#include "guarded_tensors.h"

enum { MATRIX, OTHER, SPARSE_3, VECTOR, SPARSE_VECTOR, TALL, TALL_J, TALL_K, NKINDS };
/* What operands are: matrices of the same dims, a tensor, a dense and a sparse vector, dense
 * matrices for the modes of the tensor. */
static const shape kinds[NKINDS] = {
    {"", 2, {2003, 2003}, 9000, true, scattered},
    {"", 2, {2003, 2003}, 8500, true, scattered},
    {"", 3, {2003, 2003, 1009}, 9000, true, scattered},
    {"", 1, {2003}, 2003, true, scattered},
    {"", 1, {2003}, 600, true, scattered},
    {"", 2, {2003, 16}, 2003 * 16, true, scattered},
    {"", 2, {2003, 16}, 2003 * 16, true, scattered},
    {"", 2, {1009, 16}, 1009 * 16, true, scattered},
};

typedef struct kernel_case {
    const char *expression, *format; /* of the result */
    const char *semiring, *schedule;
    int noperands;
    struct {
        int kind;
        const char *format;
    } operand[4];
} kernel_case;

/* With steps: operands that are converted before, windows, functions, coordinates, chains, other
 * operations than sums. */
static const kernel_case kernel_cases[] = {
    {"y(i) = A(i,j)*x(j)", NULL, NULL, NULL, 2, {{MATRIX, "csr"}, {VECTOR, "dense"}}},
    {"y(i) = A(i,j)*x(j)", NULL, NULL, NULL, 2, {{MATRIX, "csc"}, {SPARSE_VECTOR, "cvec"}}},
    {"y(j) = A(i,j)*x(i)", NULL, NULL, NULL, 2, {{MATRIX, "sell(8,32)"}, {VECTOR, "dense"}}},
    {"Y(i,r) = A(i,j)*X(j,r)", NULL, NULL, NULL, 2, {{MATRIX, "hicoo(16)"}, {TALL, "dense"}}},
    {"Y(i,r) = A(i,j)*X(j,r)", NULL, NULL, NULL, 2, {{MATRIX, "csr"}, {TALL, "densec"}}},
    {"A(i,r) = B(i,j,k)*C(j,r)*D(k,r)",
     NULL,
     NULL,
     NULL,
     3,
     {{SPARSE_3, "csf"}, {TALL_J, "dense"}, {TALL_K, "dense"}}},
    {"A(j,r) = B(i,j,k)*C(i,r)*D(k,r)",
     NULL,
     NULL,
     NULL,
     3,
     {{SPARSE_3, "csf"}, {TALL, "dense"}, {TALL_K, "densec"}}},
    {"A(i,r) = B(i,j,k)*C(j,r)*D(k,r)",
     NULL,
     NULL,
     NULL,
     3,
     {{SPARSE_3, "alto"}, {TALL_J, "csr"}, {TALL_K, "csr"}}},
    {"A(i,r) = B(i,j,k)*C(j,r)*D(k,r)",
     "csr",
     NULL,
     NULL,
     3,
     {{SPARSE_3, "csf"}, {TALL_J, "csr"}, {TALL_K, "csr"}}},
    {"A(i,j,r) = B(i,j,k)*C(k,r)", "csf", NULL, NULL, 2, {{SPARSE_3, "csf"}, {TALL_K, "csr"}}},
    {"C(i,j) = A(i,k)*B(k,j)", "csr", NULL, NULL, 2, {{MATRIX, "csr"}, {OTHER, "csr"}}},
    {"C(i,j) = A(i,k)*B(k,j)", "csr", NULL, NULL, 2, {{MATRIX, "csc"}, {OTHER, "coo"}}},
    {"C(i,j) = A(i,k)*B(k,j)", "csc", NULL, NULL, 2, {{MATRIX, "hicoo(16)"}, {OTHER, "dcsr"}}},
    {"C(i,j) = A(k,i)*B(j,k)", "coo", NULL, NULL, 2, {{MATRIX, "csr"}, {OTHER, "csr"}}},
    {"C(i,j) = A(i,j)*A(i,k)*A(k,j)", "csr", NULL, NULL, 1, {{MATRIX, "csr"}}},
    {"C(i,j) = A(i,k)*B(k,j)", "csr", "min-plus", NULL, 2, {{MATRIX, "csr"}, {OTHER, "csc"}}},
    {"C(i,j) = A(i,j) + B(i,j)", "csr", NULL, NULL, 2, {{MATRIX, "csr"}, {OTHER, "csr"}}},
    {"C(i,j) = A(i,j) + B(i,j)", "csr", NULL, NULL, 2, {{MATRIX, "csc"}, {OTHER, "alto"}}},
    {"C(i,j) = A(i,j) + B(j,i)", "csc", NULL, NULL, 2, {{MATRIX, "csr"}, {OTHER, "csr"}}},
    {"C(i,j) = A(i,j)*B(i,j)", "csr", NULL, NULL, 2, {{MATRIX, "csr"}, {OTHER, "csb(4)"}}},
    {"C(i,j) = A(i,j)*B(i,j)", "hicoo(16)", NULL, NULL, 2, {{MATRIX, "csr"}, {OTHER, "hash"}}},
    {"C(i,j) = gt(B(i,j), 20)*A(i,j)", "csr", NULL, NULL, 2, {{OTHER, "csr"}, {MATRIX, "csr"}}},
    {"C(i,j) = A(i,j)*(i - j)", "csr", NULL, NULL, 1, {{MATRIX, "csr"}}},
    {"C(i,j) = sqrt(A(i,j))", "coo", NULL, NULL, 1, {{MATRIX, "csr"}}},
    {"C(i,j) = 2*A(i,j)", "csr", NULL, NULL, 1, {{MATRIX, "csr"}}},
    {"C(i,j) = A(i,j)", "csr", NULL, NULL, 1, {{MATRIX, "csr"}}},
    {"C(i,j) = A(i,j)", "csc", NULL, NULL, 1, {{MATRIX, "csr"}}},
    {"C(i,j) = A(j,i)", "csr", NULL, NULL, 1, {{MATRIX, "csr"}}},
    {"C(i,j) = A(j,i)", "bcsr(2,4)", NULL, NULL, 1, {{MATRIX, "csr"}}},
    {"y(i) = A(i,j(2,1900))*x(j(0,1898))", NULL, NULL, NULL, 2, {{MATRIX, "csr"}, {VECTOR, "dense"}}},
    {"y(i) = A(i,j(2,1900))*x(j(0,1898))",
     NULL,
     NULL,
     NULL,
     2,
     {{MATRIX, "hicoo(16)"}, {SPARSE_VECTOR, "cvec"}}},
    {"y(i) = A(i,j)*B(j,k)*x(k)", NULL, NULL, NULL, 3, {{MATRIX, "csr"}, {OTHER, "csc"}, {VECTOR, "dense"}}},
    {"y(i) max= A(i,j)", NULL, NULL, NULL, 1, {{MATRIX, "csc"}}},
    {"y(i) = A(i,i)", NULL, NULL, NULL, 1, {{MATRIX, "csc"}}},
    {"a = A(i,j)*B(i,j)", NULL, NULL, NULL, 2, {{MATRIX, "csr"}, {OTHER, "csc"}}},
    {"a = B(i,j,k)*B(i,j,k)", NULL, NULL, NULL, 1, {{SPARSE_3, "coo"}}},
    {"y(i) = x(i)/(2 + A(i,j)*x(j))", NULL, NULL, NULL, 2, {{VECTOR, "dense"}, {MATRIX, "csr"}}},
};

typedef struct kernel_run {
    tessera_kernel *kernel;
    guards operands, in;
    tessera_tensor *operand[4];
    const tessera_tensor *const *given; /* guarded */
    const kernel_case *c;
} kernel_run;

static void check_kernel_inputs(const kernel_run *run)
{
    guard_check(&run->operands);
    guard_check(&run->in);
}

/* A call makes a result that is apart from its operands. */
static uint64_t call(kernel_run *run)
{
    tessera_tensor *result;
    door_ok(tessera_kernel_call(&result, run->kernel, run->given, ctx));
    check_kernel_inputs(run);
    guard_result(&run->operands, result);
    const uint64_t sum = guard_tensor_sum(result);
    tessera_tensor_free(result);
    return sum;
}

/* Runs into a result that exists, and the two halves of a call. */
static void run_again(kernel_run *run)
{
    tessera_tensor *result;
    const tessera_tensor *tensors[5];
    void *values[5] = {0};
    door_ok(tessera_kernel_result(&result, run->kernel, run->given, ctx));
    door_ok(tessera_kernel_run(run->kernel, result, run->given, ctx));
    guard_result(&run->operands, result);
    tessera_times times = {.size = sizeof times, .nruns = 1};
    door_ok(tessera_kernel_time(&times, run->kernel, result, run->given, ctx));
    tensors[0] = result;
    for (int t = 0; t < run->c->noperands; t++)
        tensors[t + 1] = run->operand[t];
    /* not every kernel can: a sparse result has no array for other values */
    if (tessera_kernel_run_values(run->kernel, guard(&run->in, tensors, sizeof tensors),
                                  guard(&run->in, values, sizeof values), ctx) != TESSERA_OK)
        assert_int_equal(tessera_context_status(ctx), TESSERA_UNSUPPORTED);
    check_kernel_inputs(run);
    guard_result(&run->operands, result);
    tessera_tensor_free(result);
    if (!run->c->format || tessera_kernel_assemble(&result, run->kernel, run->given, ctx) != TESSERA_OK)
        return;
    guard_result(&run->operands, result);
    uint64_t nnz;
    door_ok(tessera_kernel_nnz(&nnz, run->kernel, run->given, ctx));
    door_ok(tessera_kernel_compute(run->kernel, result, run->given, ctx));
    check_kernel_inputs(run);
    guard_result(&run->operands, result);
    tessera_tensor_free(result);
}

/* Texts, and what is prepared. */
static void print_kernel(kernel_run *run)
{
    char *text;
    door_ok(tessera_kernel_prepare(run->kernel, run->given, ctx));
    for (int what = TESSERA_TEXT_C; what <= TESSERA_TEXT_ENGINE; what++)
        if (tessera_kernel_print(&text, run->kernel, (tessera_kernel_text)what, run->given, ctx) ==
            TESSERA_OK)
            tessera_text_free(text);
    check_kernel_inputs(run);
}

/* Values that change in place are seen by the next run: a copy of an operand that a kernel keeps
 * is not an old one. */
static void change_values(kernel_run *run)
{
    const tessera_tensor *const A = run->operand[run->c->noperands - 1];
    double *const values = (double *)(uintptr_t)values_of(A);
    guarded *const g = guard_find(&run->operands, values);
    assert_int_equal(mprotect(g->map, g->nbytes, PROT_READ | PROT_WRITE), 0);
    for (size_t i = 0; i < g->n / sizeof *values; i++)
        values[i] = 1000 - values[i];
    assert_int_equal(mprotect(g->map, g->nbytes, PROT_READ), 0);
    g->sum = guard_sum(g->data, g->n);
    const uint64_t after = call(run);
    tessera_kernel *const old = run->kernel;
    const tessera_kernel_options options = {.size = sizeof options,
                                            .format = run->c->format,
                                            .semiring = run->c->semiring,
                                            .engine = TESSERA_ENGINE_INTERPRETER};
    door_ok(tessera_kernel_new(&run->kernel, run->c->expression, &options, ctx));
    assert_true(call(run) == after);
    tessera_kernel_free(run->kernel);
    run->kernel = old;
}

static void run_case(const kernel_case *c, tessera_engine engine)
{
    kernel_run run = {.c = c};
    const tessera_kernel_options options = {.size = sizeof options,
                                            .format = guard_text(&run.in, c->format),
                                            .semiring = guard_text(&run.in, c->semiring),
                                            .schedule = guard_text(&run.in, c->schedule),
                                            .engine = engine};
    for (int t = 0; t < c->noperands; t++) {
        run.operand[t] =
            make_guarded(&run.operands, &kinds[c->operand[t].kind], c->operand[t].format, TESSERA_F64);
        assert_non_null(run.operand[t]);
    }
    guard_say("kernel %s, format %s, operands %s, %s, engine %d", c->expression,
              c->format ? c->format : "of dense levels", c->operand[0].format,
              c->noperands > 1 ? c->operand[1].format : "one", (int)engine);
    run.given = guard(&run.in, run.operand, (size_t)c->noperands * sizeof *run.operand);
    door_ok(tessera_kernel_new(&run.kernel, guard_text(&run.in, c->expression),
                               guard(&run.in, &options, sizeof options), ctx));
    call(&run);
    run_again(&run);
    print_kernel(&run);
    change_values(&run);
    for (int t = 0; t < c->noperands; t++)
        tessera_tensor_free(run.operand[t]);
    tessera_kernel_free(run.kernel);
    guard_clear(&run.operands);
    guard_clear(&run.in);
}

#endif
