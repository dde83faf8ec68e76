/* y = A x with Tessera as a library: read a matrix in a storage format, make a kernel, run it with two vectors in the
 * program's own memory.
 *
 *     cc spmv.c $(pkg-config --cflags --libs tessera) -o spmv && ./spmv matrix.mtx csr */
#include <stdio.h>
#include <stdlib.h>
#include <tessera/tessera.h>

/* A dense vector in memory of the program, which stays its owner. */
static tessera_status vector(tessera_tensor **out, double *data, uint64_t n, tessera_context *ctx)
{
    const tessera_dense_parts parts = {
        .size = sizeof parts, .order = 1, .dims = &n, .type = TESSERA_F64, .data = data};
    return tessera_borrow_dense(out, &parts, ctx);
}

/* Multiply with x = 1, 1... and with x = 2, 2... */
static tessera_status multiply(const tessera_tensor *A, tessera_kernel *kernel, double *x_data,
                               double *y_data, tessera_context *ctx)
{
    const uint64_t nrows = tessera_tensor_dims(A)[0], ncolumns = tessera_tensor_dims(A)[1];
    tessera_tensor *x = NULL, *y = NULL;
    tessera_status status = vector(&x, x_data, ncolumns, ctx);
    if (status == TESSERA_OK)
        status = vector(&y, y_data, nrows, ctx);
    for (int run = 1; run <= 2 && status == TESSERA_OK; run++) {
        for (uint64_t j = 0; j < ncolumns; j++)
            x_data[j] = run;
        const tessera_tensor *const operands[] = {A, x};
        status = tessera_kernel_run(kernel, y, operands, ctx);
        double sum = 0;
        for (uint64_t i = 0; i < nrows; i++)
            sum += y_data[i];
        if (status == TESSERA_OK)
            printf("x = %d: the sum of A x is %g\n", run, sum);
    }
    tessera_tensor_free(x);
    tessera_tensor_free(y);
    return status;
}

int main(int argc, char **argv)
{
    tessera_context *ctx = tessera_context_new();
    tessera_tensor *A = NULL;
    tessera_kernel *kernel = NULL;
    double *x = NULL, *y = NULL;
    if (argc < 2) {
        fprintf(stderr, "usage: spmv MATRIX [FORMAT]\n");
        return 2;
    }
    const tessera_read_options as = {
        .size = sizeof as, .format = argc > 2 ? argv[2] : "csr", .has_type = 1, .type = TESSERA_F64};
    tessera_status status = tessera_read(&A, argv[1], &as, ctx);
    if (status == TESSERA_OK)
        status = tessera_kernel_new(&kernel, "y(i) = A(i,j) * x(j)", NULL, ctx);
    if (status == TESSERA_OK) {
        x = malloc((tessera_tensor_dims(A)[1] + 1) * sizeof *x);
        y = malloc((tessera_tensor_dims(A)[0] + 1) * sizeof *y);
        status = x && y ? multiply(A, kernel, x, y, ctx) : TESSERA_NOMEM;
    }
    if (status != TESSERA_OK)
        fprintf(stderr, "spmv: %s: %s\n", tessera_status_text(status), tessera_context_text(ctx));
    free(x);
    free(y);
    tessera_kernel_free(kernel);
    tessera_tensor_free(A);
    tessera_context_free(ctx);
    return status != TESSERA_OK;
}
