/* What new memory of a result costs, through tessera.h: a call whose result gets pages that the system makes, the same call after the
 * result before was freed (as `C = A @ B` in a loop), and, for kernels, into the result of the run before.
 *
 *     bench_recycle [threads]
 *
 * Standard output is a table of least and median times in ms, and of the medians over that of the last kind. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

#include "bench_stats.h"
#include "bench_clock.h"

enum { ROUNDS = 15, NEW = 0, FREED = 1, SAME = 2, KINDS = 3 };
static const uint64_t KEPT_NBYTES = UINT64_C(256) << 20; /* as at the start */

static void check(tessera_status status, const tessera_context *ctx)
{
    if (status == TESSERA_OK)
        return;
    fprintf(stderr, "bench_recycle: %s\n", tessera_context_text(ctx));
    exit(1);
}

static void *take(size_t nbytes)
{
    void *const block = malloc(nbytes);
    if (!block)
        exit(1);
    return block;
}

/* A csr matrix of n rows: row i has those of the columns i + offset[k] that exist. Its arrays live as long as the program. */
static tessera_tensor *stencil(uint64_t n, const int64_t *offset, uint64_t noffsets, tessera_context *ctx)
{
    uint32_t *const pos = take((n + 1) * sizeof *pos), *const crd = take(n * noffsets * sizeof *crd);
    double *const values = take(n * noffsets * sizeof *values);
    uint32_t nnz = 0;
    pos[0] = 0;
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t k = 0; k < noffsets; k++) {
            const uint64_t j = i + (uint64_t)offset[k]; /* below 0: beyond n */
            if (j >= n)
                continue;
            crd[nnz] = (uint32_t)j;
            values[nnz] = 1.0 / (1 + nnz % 7);
            nnz++;
        }
        pos[i + 1] = nnz;
    }
    const uint64_t dims[2] = {n, n};
    const tessera_array arrays[] = {{.data = pos, .n = n + 1, .type = TESSERA_U32},
                                    {.data = crd, .n = nnz, .type = TESSERA_U32},
                                    {.data = values, .n = nnz, .type = TESSERA_F64}};
    const tessera_parts parts = {
        .size = sizeof parts, .format = "csr", .order = 2, .dims = dims, .arrays = arrays, .narrays = 3};
    tessera_tensor *made;
    check(tessera_borrow(&made, &parts, ctx), ctx);
    return made;
}

typedef struct job {
    const char *name, *expression; /* NULL: the first operand is converted to csc */
    tessera_kernel *kernel;
    const tessera_tensor *const *operands;
    tessera_tensor *result;
} job;

static double run_ns(job *j, int kind, tessera_context *ctx)
{
    const tessera_convert_options csc = {.size = sizeof csc, .format = "csc"};
    if (kind != SAME) {
        tessera_tensor_free(j->result);
        j->result = NULL;
    }
    if (kind == NEW) { /* give back what is kept */
        tessera_set_kept_memory(0);
        tessera_set_kept_memory(KEPT_NBYTES);
    }
    const uint64_t begin = bench_now_ns();
    check(!j->kernel     ? tessera_convert(&j->result, j->operands[0], &csc, ctx)
          : kind == SAME ? tessera_kernel_run(j->kernel, j->result, j->operands, ctx)
                         : tessera_kernel_call(&j->result, j->kernel, j->operands, ctx),
          ctx);
    return (double)(bench_now_ns() - begin);
}

static void measure(job *j, const char *matrix, tessera_context *ctx)
{
    const tessera_kernel_options options = {.size = sizeof options};
    if (j->expression)
        check(tessera_kernel_new(&j->kernel, j->expression, &options, ctx), ctx);
    const int nkinds = j->kernel ? KINDS : SAME;
    double ns[KINDS][ROUNDS];
    bench_stats stats[KINDS];
    (void)run_ns(j, NEW, ctx); /* makes the kernel */
    for (int kind = 0; kind < nkinds; kind++) {
        (void)run_ns(j, kind, ctx);
        for (int r = 0; r < ROUNDS; r++)
            ns[kind][r] = run_ns(j, kind, ctx);
        stats[kind] = bench_stats_of(ns[kind], ROUNDS);
    }
    printf("| %s | %s | %.1f |", matrix, j->name, (double)tessera_tensor_nbytes(j->result) / 1e6);
    for (int kind = 0; kind < KINDS; kind++)
        if (kind < nkinds)
            printf(" %.3g / %.3g |", stats[kind].min / 1e6, stats[kind].median / 1e6);
        else
            printf(" - |");
    for (int kind = 0; kind < nkinds - 1; kind++)
        printf(" %.2f |", stats[kind].median / stats[nkinds - 1].median);
    printf("%s\n", nkinds < KINDS ? " - |" : "");
    tessera_tensor_free(j->result);
    tessera_kernel_free(j->kernel);
}

int main(int argc, char **argv)
{
    const int nthreads = argc > 1 ? atoi(argv[1]) : 1;
    static const uint64_t sides[] = {100, 300, 600};
    tessera_context *const ctx = tessera_context_new();
    if (!ctx || nthreads < 1) {
        fprintf(stderr, "bench_recycle [threads]\n");
        return 2;
    }
    tessera_context_set_threads(ctx, nthreads);
    printf("| matrix, threads: %d | job | result, MB | new pages | after a free | same result | new / same | "
           "freed / same |\n"
           "|---|---|---|---|---|---|---|---|\n",
           nthreads);
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        const int64_t m = (int64_t)sides[s], at[5] = {-m, -1, 0, 1, m}, other[5] = {-m, -2, 0, 2, m + 1};
        char matrix[32];
        snprintf(matrix, sizeof matrix, "5 points, %d x %d", (int)m, (int)m);
        tessera_tensor *const A = stencil(sides[s] * sides[s], at, 5, ctx);
        tessera_tensor *const B = stencil(sides[s] * sides[s], other, 5, ctx);
        const tessera_tensor *const one[] = {A}, *const two[] = {A, B};
        job jobs[] = {{.name = "A * B", .expression = "C(i,j) = A(i,k)*B(k,j)", .operands = two},
                      {.name = "A + B", .expression = "C(i,j) = A(i,j) + B(i,j)", .operands = two},
                      {.name = "tocsc", .operands = one}};
        for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++)
            measure(&jobs[k], matrix, ctx);
        tessera_tensor_free(A);
        tessera_tensor_free(B);
    }
    tessera_context_free(ctx);
    return 0;
}
