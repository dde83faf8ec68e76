/* SuiteSparse:GraphBLAS with PLUS_TIMES; dense operands and results are full. spmv and products of sparse
 * matrices run in the fastest of their forms. BENCH_KERNEL is the kernel, a function below. */
#include "bench_driver.h"

#if defined(__has_include) && __has_include(<suitesparse/GraphBLAS.h>)
#include <suitesparse/GraphBLAS.h>
#else
#include <GraphBLAS.h>
#endif
#include <math.h>
#include <stdbool.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define VERSION \
    TEXT(GxB_IMPLEMENTATION_MAJOR) "." TEXT(GxB_IMPLEMENTATION_MINOR) "." TEXT(GxB_IMPLEMENTATION_SUB)

/* Named as in the expression of the kernel; NULL: the kernel has no such operand. */
static bench_driver_case *c;
static GrB_Matrix a, others[2]; /* the sparse operands */
static GrB_Vector x, b, z, t;   /* dense; t is for temporary vectors */
static GrB_Matrix X, C, D;      /* dense, row-major */
static double alpha, beta;
static GrB_Vector y; /* the result: y, or */
static GrB_Matrix Y;
static double scalar;          /* a result of no modes */
static GrB_Descriptor product; /* of products of two sparse matrices */
static bool is_turned;         /* Y is the transposed result */
static bool chosen;            /* whether the fastest form of the kernel is known */
static int form;               /* the fastest: of spmv, or of products */

static void check(GrB_Info info)
{
    if (info != GrB_SUCCESS)
        bench_driver_fail("SuiteSparse:GraphBLAS refuses: status %d", (int)info);
}

/* ---- kernels ---- */

/* A form that takes longer is tried once. */
enum { LONG_NS = 300000000 };

/* Run a kernel in the fastest of its forms, which the first call finds out. */
static void run_fastest(int nforms, int ntrials, void (*run)(int form))
{
    uint64_t fastest = UINT64_MAX;
    for (int i = 0; i < ntrials * nforms && !chosen && (i < nforms || fastest < LONG_NS); i++) {
        const uint64_t start = bench_driver_now();
        run(i % nforms);
        const uint64_t ns = bench_driver_now() - start;
        form = ns < fastest ? i % nforms : form;
        fastest = ns < fastest ? ns : fastest;
    }
    chosen = true;
    run(form);
}

/* y = A x (form 0), or y = 0, y += A x. */
static void spmv_in_form(int how)
{
    if (how == 1)
        check(GrB_Vector_assign_FP64(y, NULL, NULL, 0, GrB_ALL, c->dims[0], NULL));
    check(GrB_mxv(y, NULL, how == 1 ? GrB_PLUS_FP64 : NULL, GrB_PLUS_TIMES_SEMIRING_FP64, a, x, NULL));
    check(GrB_Vector_wait(y, GrB_MATERIALIZE));
}

static void spmv(void)
{
    run_fastest(2, 4, spmv_in_form);
}

/* Y = 0, Y += A X: twice as fast as Y = A X. */
static void spmm(void)
{
    check(GrB_Matrix_assign_FP64(Y, NULL, NULL, 0, GrB_ALL, c->dims[0], GrB_ALL, c->rank, NULL));
    check(GrB_mxm(Y, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, a, X, NULL));
    check(GrB_Matrix_wait(Y, GrB_MATERIALIZE));
}

/* t = alpha x, y = beta z, y += A' t. */
static void mattransmul(void)
{
    check(GrB_Vector_apply_BinaryOp1st_FP64(t, NULL, NULL, GrB_TIMES_FP64, alpha, x, NULL));
    check(GrB_Vector_apply_BinaryOp1st_FP64(y, NULL, NULL, GrB_TIMES_FP64, beta, z, NULL));
    check(GrB_mxv(y, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, a, t, GrB_DESC_T0));
    check(GrB_Vector_wait(y, GrB_MATERIALIZE));
}

/* t = A x, y = b - t; where t has no entry, y = b. */
static void residual(void)
{
    check(GrB_mxv(t, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, a, x, NULL));
    check(GrB_Vector_eWiseAdd_BinaryOp(y, NULL, NULL, GrB_MINUS_FP64, b, t, NULL));
    check(GrB_Vector_wait(y, GrB_MATERIALIZE));
}

/* Y = A .* other */
static void times(GrB_Matrix other)
{
    check(GrB_Matrix_eWiseMult_BinaryOp(Y, NULL, NULL, GrB_TIMES_FP64, a, other, NULL));
    check(GrB_Matrix_wait(Y, GrB_MATERIALIZE));
}

/* Y<B> = C D', Y = B .* Y. */
static void sddmm(void)
{
    check(GrB_mxm(Y, a, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, C, D, GrB_DESC_RST1));
    times(Y);
}

/* Y = A A by the method number `how` of GraphBLAS, where the masked product has one more. */
static void multiply_in_form(GrB_Matrix mask, int how)
{
    static const int methods[] = {GxB_DEFAULT, GxB_AxB_GUSTAVSON, GxB_AxB_HASH, GxB_AxB_SAXPY, GxB_AxB_DOT};
    check(GxB_Desc_set(product, GxB_AxB_METHOD, methods[how]));
    check(GrB_mxm(Y, mask, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, a, a, product));
    check(GrB_Matrix_wait(Y, GrB_MATERIALIZE));
}

static void spgemm_in_form(int how)
{
    multiply_in_form(NULL, how);
}

static void masked_in_form(int how)
{
    multiply_in_form(a, how);
}

/* By inner products each cell of the result would be computed, so that method is left out. */
static void spgemm(void)
{
    run_fastest(4, 2, spgemm_in_form);
}

static void spadd(void)
{
    check(GrB_Matrix_eWiseAdd_BinaryOp(Y, NULL, NULL, GrB_PLUS_FP64, a, others[0], NULL));
    if (others[1])
        check(GrB_Matrix_eWiseAdd_BinaryOp(Y, NULL, NULL, GrB_PLUS_FP64, Y, others[1], NULL));
    check(GrB_Matrix_wait(Y, GrB_MATERIALIZE));
}

#define spadd3 spadd

static void elmul(void)
{
    times(others[0]);
}

/* Y<A> = A A, Y = A .* Y. */
static void masked(void)
{
    run_fastest(5, 2, masked_in_form);
    times(Y);
}

static void triangles(void)
{
    masked();
    check(GrB_Matrix_reduce_FP64(&scalar, NULL, GrB_PLUS_MONOID_FP64, Y, NULL));
}

/* The transposed matrix by rows is the matrix by columns. */
static void turn(void)
{
    check(GrB_transpose(Y, NULL, NULL, a, NULL));
    check(GrB_Matrix_wait(Y, GrB_MATERIALIZE));
}

static void (*const kernel)(void) = BENCH_KERNEL;

/* ---- operands ---- */

/* The values of a dense operand, which GraphBLAS takes over (its allocator is malloc). */
static void dense_vector(GrB_Vector *out, const bench_driver_dense *from)
{
    void *values = from->values;
    check(GxB_Vector_import_Full(out, GrB_FP64, from->dims[0], &values, from->dims[0] * sizeof(double), false,
                                 NULL));
}

static void dense_matrix(GrB_Matrix *out, const bench_driver_dense *from)
{
    void *values = from->values;
    check(GxB_Matrix_import_FullR(out, GrB_FP64, from->dims[0], from->dims[1], &values,
                                  from->dims[0] * from->dims[1] * sizeof(double), false, NULL));
}

/* Take the dense operands, in the order of the expression. */
static void take_dense(void)
{
    const bench_driver_dense *const d = c->dense;
    if (kernel == spmv)
        dense_vector(&x, &d[0]);
    else if (kernel == spmm)
        dense_matrix(&X, &d[0]);
    else if (kernel == residual)
        dense_vector(&b, &d[0]), dense_vector(&x, &d[1]);
    else if (kernel == sddmm)
        dense_matrix(&C, &d[0]), dense_matrix(&D, &d[1]);
    else if (kernel == mattransmul) {
        alpha = *d[0].values, beta = *d[2].values;
        dense_vector(&x, &d[1]), dense_vector(&z, &d[3]);
    }
}

/* Build a matrix from entries in their order. */
static void fill(GrB_Matrix *out, const uint64_t *dims, int64_t *const *crd, const double *values, uint64_t n,
                 bool by_columns)
{
    check(GrB_Matrix_new(out, GrB_FP64, dims[0], dims[1]));
    check(GxB_Matrix_Option_set(*out, GxB_FORMAT, by_columns ? GxB_BY_COL : GxB_BY_ROW));
    check(GrB_Matrix_build_FP64(*out, (const GrB_Index *)crd[0], (const GrB_Index *)crd[1], values, n,
                                GrB_PLUS_FP64));
    check(GrB_Matrix_wait(*out, GrB_MATERIALIZE));
}

static void make_results(void)
{
    if (is_turned)
        check(GrB_Matrix_new(&Y, GrB_FP64, c->dims[1], c->dims[0]));
    else if (c->result_order != 1)
        check(
            GrB_Matrix_new(&Y, GrB_FP64, c->dims[0], c->result_order == 2 ? c->result_dims[1] : c->dims[1]));
    else {
        check(GrB_Vector_new(&y, GrB_FP64, c->result_dims[0]));
        /* the temporary vector of A' x has the length of x, that of A x the length of y */
        check(GrB_Vector_new(&t, GrB_FP64, z ? c->dims[0] : c->result_dims[0]));
    }
}

static void *open_case(bench_driver_ready *ready, bench_driver_case *given, int nthreads)
{
    size_t nbytes = 0;
    c = given;
    is_turned = kernel == turn;
    check(GrB_init(GrB_NONBLOCKING));
    GxB_Global_Option_set(GxB_NTHREADS, nthreads);
    const uint64_t start = bench_driver_now();
    fill(&a, c->dims, c->crd, c->values, c->nnz, kernel == mattransmul && nthreads > 1);
    ready->pack_ns = (double)(bench_driver_now() - start);
    for (uint64_t k = 0; k < c->nothers && k < 2; k++)
        fill(&others[k], c->others[k].dims, c->others[k].crd, c->others[k].values, c->others[k].nnz, false);
    take_dense();
    check(GrB_Descriptor_new(&product));
    if (kernel == masked || kernel == triangles) {
        check(GrB_Descriptor_set(product, GrB_OUTP, GrB_REPLACE));
        check(GrB_Descriptor_set(product, GrB_MASK, GrB_STRUCTURE));
    }
    make_results();
    if (GxB_Matrix_memoryUsage(&nbytes, a) == GrB_SUCCESS)
        ready->nbytes = nbytes;
    ready->version = VERSION;
    return c;
}

/* ---- runs and results ---- */

static void run(void *state)
{
    (void)state;
    kernel();
}

/* Clearing frees the arrays. A result without entries is all 0, which is wrong. */
static void overwrite(void *state)
{
    (void)state;
    scalar = (double)NAN;
    check(y ? GrB_Vector_clear(y) : GrB_Matrix_clear(Y));
}

/* A converted matrix is a new one in each run. */
static void prepare(void *state)
{
    if (is_turned)
        overwrite(state);
}

static const double *result(void *state)
{
    (void)state;
    return &scalar;
}

static void entries(bench_driver_entries *out, void *state)
{
    static int64_t *crd[2];
    static double *values;
    GrB_Index n = 0;
    (void)state;
    if (c->result_order == 0)
        return; /* dense: see `result` */
    check(y ? GrB_Vector_nvals(&n, y) : GrB_Matrix_nvals(&n, Y));
    free(crd[0]), free(crd[1]), free(values);
    crd[0] = (int64_t *)bench_driver_alloc(n, 8);
    crd[1] = (int64_t *)bench_driver_alloc(n, 8);
    values = (double *)bench_driver_alloc(n, 8);
    check(y ? GrB_Vector_extractTuples_FP64((GrB_Index *)crd[0], values, &n, y)
            : GrB_Matrix_extractTuples_FP64((GrB_Index *)crd[is_turned], (GrB_Index *)crd[!is_turned], values,
                                            &n, Y));
    *out = (bench_driver_entries){n, crd, values};
}

int main(int argc, char **argv)
{
    static const bench_driver driver = {.open = open_case,
                                        .prepare = prepare,
                                        .run = run,
                                        .overwrite = overwrite,
                                        .result = result,
                                        .entries = entries};
    return bench_driver_main(argc, argv, &driver);
}
