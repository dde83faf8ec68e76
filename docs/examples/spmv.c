/* y = A x with Tessera as a library: read a matrix, pack it, make a kernel, run it with two vectors.
 *
 *     cc spmv.c $(pkg-config --cflags --libs tessera) -o spmv && ./spmv matrix.mtx csr */
#include <stdio.h>
#include <tessera.h>

/* A dense vector of n values, each v. */
static tsr_status new_vector(tsr_tensor **out, uint64_t n, double v, tsr_error *err)
{
    tsr_format *format;
    tsr_coo *coo;
    TSR_TRY(tsr_format_parse(&format, "d", 1, &n, err));
    tsr_status status = tsr_coo_new_sized(&coo, (tsr_shape){1, &n}, TSR_F64, false, n, err);
    if (status == TSR_OK) {
        for (uint64_t i = 0; i < n; i++) {
            tsr_array_set(&coo->crd[0], i, i);
            ((double *)coo->values.data)[i] = v;
        }
        status = tsr_pack(out, coo, format, NULL, NULL, err); /* takes coo */
    }
    tsr_format_free(format);
    return status;
}

/* The matrix in a file, packed. */
static tsr_status read_matrix(tsr_tensor **out, const char *path, const char *format_text, tsr_error *err)
{
    tsr_data data;
    tsr_format *format;
    TSR_TRY(tsr_read(&data, path, NULL, NULL, err));
    if (!data.coo) {
        *out = data.tensor; /* the file holds a packed one */
        return TSR_OK;
    }
    tsr_status status = tsr_coo_expand(data.coo, err); /* symmetric files store one triangle */
    if (status == TSR_OK)
        status = tsr_format_parse(&format, format_text, data.coo->order, data.coo->dims, err);
    if (status != TSR_OK) {
        tsr_data_clear(&data);
        return status;
    }
    status = tsr_pack(out, data.coo, format, NULL, NULL, err);
    tsr_format_free(format);
    return status;
}

int main(int argc, char **argv)
{
    tsr_error err;
    tsr_tensor *A = NULL, *x = NULL, *y = NULL;
    tsr_kernel *kernel = NULL;
    tsr_status status;
    if (argc < 2) {
        fprintf(stderr, "usage: spmv MATRIX [FORMAT]\n");
        return 2;
    }
    TSR_TRY_OUT(read_matrix(&A, argv[1], argc > 2 ? argv[2] : "csr", &err));
    TSR_TRY_OUT(new_vector(&x, A->order == 2 ? A->dims[1] : 1, 1, &err));

    const tsr_kernel_tensor tensors[] = {{.name = "A", .tensor = A}, {.name = "x", .tensor = x}};
    TSR_TRY_OUT(tsr_kernel_new(&kernel, "y(i) = A(i,j) * x(j)", tensors, 2, NULL, &err));
    const char *const warning = tsr_kernel_get_info(kernel)->warning;
    if (warning)
        fprintf(stderr, "spmv: interpreted: %s\n", warning);

    const tsr_tensor *const operands[] = {A, x};
    TSR_TRY_OUT(tsr_kernel_result(&y, kernel, operands, &err));
    for (int run = 1; run <= 2; run++) {
        double *const values = x->values.data; /* values may change between runs */
        for (uint64_t j = 0; j < x->npos; j++)
            values[j] = run;
        TSR_TRY_OUT(tsr_kernel_run(kernel, y, operands, 0, &err));
        double sum = 0;
        for (uint64_t i = 0; i < y->npos; i++)
            sum += ((const double *)y->values.data)[i];
        printf("x = %d: the sum of A x is %g\n", run, sum);
    }
out:
    if (status != TSR_OK)
        fprintf(stderr, "spmv: %s\n", err.message);
    tsr_kernel_free(kernel);
    tsr_tensor_free(A);
    tsr_tensor_free(x);
    tsr_tensor_free(y);
    return status != TSR_OK;
}
