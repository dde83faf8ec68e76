/* SuiteSparse:GraphBLAS (libgraphblas-dev), in this process: with PLUS_TIMES; dense operands and results are
 * full. spmv and products of sparse matrices run in the fastest of their forms. */
#include "bench_baseline.h"

/* ---- kernels ---- */

#ifdef TSR_HAVE_GRAPHBLAS

#include <GraphBLAS.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_clock.h"
#include "tsr_alloc.h"

/* Named as in the expression of the kernel; NULL: the kernel has no such operand. */
typedef struct grb {
    const bench_case *c;
    GrB_Matrix a;          /* the sparse operand */
    GrB_Matrix others[2];  /* further ones */
    GrB_Vector x, b, z, t; /* dense; t is for temporary vectors */
    GrB_Matrix X, C, D;    /* dense, row-major */
    GrB_Vector y;          /* the result: y, or */
    GrB_Matrix Y;
    double scalar;                                  /* a result of no modes */
    tsr_status (*run)(void *state, tsr_error *err); /* the kernel */
    GrB_Descriptor product;                         /* of products of two sparse matrices */
    bool chosen;                                    /* whether the fastest form of the kernel is known */
    int form;                                       /* the fastest: of spmv, or of products */
    tsr_coo *entries;                               /* entries of the last result that was asked for */
} grb;

static const bool iso = false; /* imported arrays have a value for each entry */

static tsr_status said(GrB_Info info, tsr_error *err)
{
    return info == GrB_SUCCESS ? TSR_OK
                               : tsr_fail(err, info == GrB_OUT_OF_MEMORY ? TSR_NOMEM : TSR_UNSUPPORTED,
                                          "SuiteSparse:GraphBLAS refuses: status %d", (int)info);
}

/* A form that takes longer is tried once. */
enum { LONG_NS = 300000000 };

/* Run a kernel in the fastest of its forms, which the first call finds out. */
static tsr_status run_fastest(grb *g, int nforms, int ntrials,
                              tsr_status (*run)(const grb *g, int form, tsr_error *err), tsr_error *err)
{
    uint64_t fastest = UINT64_MAX;
    for (int i = 0; i < ntrials * nforms && !g->chosen && (i < nforms || fastest < LONG_NS); i++) {
        const uint64_t start = bench_now_ns();
        TSR_TRY(run(g, i % nforms, err));
        const uint64_t ns = bench_now_ns() - start;
        g->form = ns < fastest ? i % nforms : g->form;
        fastest = ns < fastest ? ns : fastest;
    }
    g->chosen = true;
    return run(g, g->form, err);
}

/* y = A x (form 0), or y = 0, y += A x. */
static tsr_status spmv_in_form(const grb *g, int form, tsr_error *err)
{
    const bool adds = form == 1;
    if (adds)
        TSR_TRY(said(GrB_Vector_assign_FP64(g->y, NULL, NULL, 0, GrB_ALL, g->c->coo->dims[0], NULL), err));
    TSR_TRY(
        said(GrB_mxv(g->y, NULL, adds ? GrB_PLUS_FP64 : NULL, GrB_PLUS_TIMES_SEMIRING_FP64, g->a, g->x, NULL),
             err));
    return said(GrB_Vector_wait(g->y, GrB_MATERIALIZE), err);
}

static tsr_status spmv(void *state, tsr_error *err)
{
    return run_fastest(state, 2, 4, spmv_in_form, err);
}

/* Y = 0, Y += A X: twice as fast as Y = A X. */
static tsr_status spmm(void *state, tsr_error *err)
{
    const grb *const g = state;
    const GrB_Index nrows = g->c->coo->dims[0], rank = (GrB_Index)g->c->rank;
    TSR_TRY(said(GrB_Matrix_assign_FP64(g->Y, NULL, NULL, 0, GrB_ALL, nrows, GrB_ALL, rank, NULL), err));
    TSR_TRY(said(GrB_mxm(g->Y, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, g->a, g->X, NULL), err));
    return said(GrB_Matrix_wait(g->Y, GrB_MATERIALIZE), err);
}

/* t = alpha x, y = beta z, y += A' t. */
static tsr_status mattransmul(void *state, tsr_error *err)
{
    const grb *const g = state;
    const double alpha = *bench_values(g->c, "alpha"), beta = *bench_values(g->c, "beta");
    TSR_TRY(
        said(GrB_Vector_apply_BinaryOp1st_FP64(g->t, NULL, NULL, GrB_TIMES_FP64, alpha, g->x, NULL), err));
    TSR_TRY(said(GrB_Vector_apply_BinaryOp1st_FP64(g->y, NULL, NULL, GrB_TIMES_FP64, beta, g->z, NULL), err));
    TSR_TRY(
        said(GrB_mxv(g->y, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, g->a, g->t, GrB_DESC_T0), err));
    return said(GrB_Vector_wait(g->y, GrB_MATERIALIZE), err);
}

/* t = A x, y = b - t; where t has no entry, y = b. */
static tsr_status residual(void *state, tsr_error *err)
{
    const grb *const g = state;
    TSR_TRY(said(GrB_mxv(g->t, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, g->a, g->x, NULL), err));
    TSR_TRY(said(GrB_Vector_eWiseAdd_BinaryOp(g->y, NULL, NULL, GrB_MINUS_FP64, g->b, g->t, NULL), err));
    return said(GrB_Vector_wait(g->y, GrB_MATERIALIZE), err);
}

/* Y<B> = C D', Y = B .* Y. */
static tsr_status sddmm(void *state, tsr_error *err)
{
    const grb *const g = state;
    TSR_TRY(said(GrB_mxm(g->Y, g->a, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, g->C, g->D, GrB_DESC_RST1), err));
    TSR_TRY(said(GrB_Matrix_eWiseMult_BinaryOp(g->Y, NULL, NULL, GrB_TIMES_FP64, g->a, g->Y, NULL), err));
    return said(GrB_Matrix_wait(g->Y, GrB_MATERIALIZE), err);
}

/* Y = A A by the method number `form` of GraphBLAS, where the masked product has one more. */
static tsr_status multiply_in_form(const grb *g, GrB_Matrix mask, int form, tsr_error *err)
{
    static const int methods[] = {GxB_DEFAULT, GxB_AxB_GUSTAVSON, GxB_AxB_HASH, GxB_AxB_SAXPY, GxB_AxB_DOT};
    TSR_TRY(said(GxB_Desc_set(g->product, GxB_AxB_METHOD, methods[form]), err));
    TSR_TRY(said(GrB_mxm(g->Y, mask, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, g->a, g->a, g->product), err));
    return said(GrB_Matrix_wait(g->Y, GrB_MATERIALIZE), err);
}

static tsr_status spgemm_in_form(const grb *g, int form, tsr_error *err)
{
    return multiply_in_form(g, NULL, form, err);
}

static tsr_status masked_in_form(const grb *g, int form, tsr_error *err)
{
    return multiply_in_form(g, g->a, form, err);
}

/* By inner products each cell of the result would be computed, so that method is left out. */
static tsr_status spgemm(void *state, tsr_error *err)
{
    return run_fastest(state, 4, 2, spgemm_in_form, err);
}

static tsr_status spadd(void *state, tsr_error *err)
{
    const grb *const g = state;
    TSR_TRY(
        said(GrB_Matrix_eWiseAdd_BinaryOp(g->Y, NULL, NULL, GrB_PLUS_FP64, g->a, g->others[0], NULL), err));
    if (g->others[1])
        TSR_TRY(said(GrB_Matrix_eWiseAdd_BinaryOp(g->Y, NULL, NULL, GrB_PLUS_FP64, g->Y, g->others[1], NULL),
                     err));
    return said(GrB_Matrix_wait(g->Y, GrB_MATERIALIZE), err);
}

static tsr_status elmul(void *state, tsr_error *err)
{
    const grb *const g = state;
    TSR_TRY(
        said(GrB_Matrix_eWiseMult_BinaryOp(g->Y, NULL, NULL, GrB_TIMES_FP64, g->a, g->others[0], NULL), err));
    return said(GrB_Matrix_wait(g->Y, GrB_MATERIALIZE), err);
}

/* Y<A> = A A, Y = A .* Y. */
static tsr_status masked(void *state, tsr_error *err)
{
    grb *const g = state;
    TSR_TRY(run_fastest(g, 5, 2, masked_in_form, err));
    TSR_TRY(said(GrB_Matrix_eWiseMult_BinaryOp(g->Y, NULL, NULL, GrB_TIMES_FP64, g->a, g->Y, NULL), err));
    return said(GrB_Matrix_wait(g->Y, GrB_MATERIALIZE), err);
}

static tsr_status triangles(void *state, tsr_error *err)
{
    grb *const g = state;
    TSR_TRY(masked(g, err));
    return said(GrB_Matrix_reduce_FP64(&g->scalar, NULL, GrB_PLUS_MONOID_FP64, g->Y, NULL), err);
}

/* The transposed matrix by rows is the matrix by columns. */
static tsr_status turn(void *state, tsr_error *err)
{
    const grb *const g = state;
    TSR_TRY(said(GrB_transpose(g->Y, NULL, NULL, g->a, NULL), err));
    return said(GrB_Matrix_wait(g->Y, GrB_MATERIALIZE), err);
}

#define RUN(kernel) kernel
#else
#define RUN(kernel) NULL
#define ABSENT "built without SuiteSparse:GraphBLAS (libgraphblas-dev)"
#endif

static const bench_library_kernel kernels[] = {
    {"spmv", RUN(spmv), false},
    {"spmm", RUN(spmm), false},
    {"mattransmul", RUN(mattransmul), true},
    {"residual", RUN(residual), false},
    {"sddmm", RUN(sddmm), false},
    {"spgemm", RUN(spgemm), false},
    {"spadd", RUN(spadd), false},
    {"spadd3", RUN(spadd), false},
    {"elmul", RUN(elmul), false},
    {"masked", RUN(masked), false},
    {"triangles", RUN(triangles), false},
    {BENCH_CSR_TO_CSC, RUN(turn), false},
    {0},
};

static bool takes(const bench_case *c)
{
    return bench_library_find(kernels, c) != NULL;
}

#ifdef TSR_HAVE_GRAPHBLAS

/* ---- operands ---- */

/* A copy of the values of a dense operand, which GraphBLAS will own (its allocator is malloc); NULL: out of
 * memory. */
static void *copy_values(const tsr_tensor *operand)
{
    void *const copy = malloc(tsr_array_nbytes(&operand->values) + 1);
    if (copy)
        memcpy(copy, operand->values.data, tsr_array_nbytes(&operand->values));
    return copy;
}

static GrB_Info dense_vector(GrB_Vector *out, const bench_case *c, const char *name)
{
    const tsr_tensor *const operand = bench_operand(c, name);
    if (!operand)
        return GrB_SUCCESS;
    void *values = copy_values(operand);
    const GrB_Info info = !values ? GrB_OUT_OF_MEMORY
                                  : GxB_Vector_import_Full(out, GrB_FP64, operand->dims[0], &values,
                                                           tsr_array_nbytes(&operand->values), iso, NULL);
    free(values);
    return info;
}

static GrB_Info dense_matrix(GrB_Matrix *out, const bench_case *c, const char *name)
{
    const tsr_tensor *const operand = bench_operand(c, name);
    if (!operand)
        return GrB_SUCCESS;
    void *values = copy_values(operand);
    const GrB_Info info =
        !values ? GrB_OUT_OF_MEMORY
                : GxB_Matrix_import_FullR(out, GrB_FP64, operand->dims[0], operand->dims[1], &values,
                                          tsr_array_nbytes(&operand->values), iso, NULL);
    free(values);
    return info;
}

static GrB_Info dense_operands(grb *g)
{
    const struct {
        GrB_Vector *to;
        const char *name;
    } vectors[] = {{&g->x, "x"}, {&g->b, "b"}, {&g->z, "z"}};
    const struct {
        GrB_Matrix *to;
        const char *name;
    } matrices[] = {{&g->X, "X"}, {&g->C, "C"}, {&g->D, "D"}};
    GrB_Info info = GrB_SUCCESS;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors && info == GrB_SUCCESS; i++)
        info = dense_vector(vectors[i].to, g->c, vectors[i].name);
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices && info == GrB_SUCCESS; i++)
        info = dense_matrix(matrices[i].to, g->c, matrices[i].name);
    return info;
}

static GrB_Info results(grb *g)
{
    const bench_case *const c = g->c;
    if (g->run == turn)
        return GrB_Matrix_new(&g->Y, GrB_FP64, c->coo->dims[1], c->coo->dims[0]);
    if (c->notation->result->nindices != 1)
        return GrB_Matrix_new(&g->Y, GrB_FP64, c->coo->dims[0],
                              c->notation->result->nindices == 2 ? c->result_dims[1] : c->coo->dims[1]);
    const GrB_Info info = GrB_Vector_new(&g->y, GrB_FP64, c->result_dims[0]);
    /* the temporary vector of A' x has the length of x, that of A x the length of y */
    const uint64_t n = g->z ? c->coo->dims[0] : c->result_dims[0];
    return info == GrB_SUCCESS ? GrB_Vector_new(&g->t, GrB_FP64, n) : info;
}

/* ---- the matrix ---- */

static void grb_close(void *state)
{
    grb *const g = state;
    GrB_Descriptor_free(&g->product);
    GrB_Matrix *const matrices[] = {&g->a, &g->others[0], &g->others[1], &g->X, &g->C, &g->D, &g->Y};
    GrB_Vector *const vectors[] = {&g->x, &g->b, &g->z, &g->t, &g->y};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        GrB_Matrix_free(matrices[i]);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        GrB_Vector_free(vectors[i]);
    tsr_coo_free(g->entries);
    tsr_free(g);
}

/* A further sparse operand. */
static tsr_status fill_other(GrB_Matrix *out, const tsr_coo *coo, tsr_error *err)
{
    bench_entries entries;
    TSR_TRY(bench_entries_of(&entries, coo, sizeof(uint64_t), err));
    GrB_Info info = GrB_Matrix_new(out, GrB_FP64, coo->dims[0], coo->dims[1]);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_build_FP64(*out, entries.rows, entries.columns, entries.values, coo->nnz,
                                     GrB_PLUS_FP64);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_wait(*out, GrB_MATERIALIZE);
    bench_entries_clear(&entries);
    return said(info, err);
}

/* Build the matrix from the entries in their order. */
static tsr_status fill(grb *g, bench_opened *opened, bool by_columns, tsr_error *err)
{
    const tsr_coo *const coo = g->c->coo;
    bench_entries entries;
    TSR_TRY(bench_entries_init(&entries, g->c, sizeof(uint64_t), err));
    const uint64_t start = bench_now_ns();
    GrB_Info info = GrB_Matrix_new(&g->a, GrB_FP64, coo->dims[0], coo->dims[1]);
    if (info == GrB_SUCCESS)
        info = GxB_Matrix_Option_set(g->a, GxB_FORMAT, by_columns ? GxB_BY_COL : GxB_BY_ROW);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_build_FP64(g->a, entries.rows, entries.columns, entries.values, coo->nnz,
                                     GrB_PLUS_FP64);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_wait(g->a, GrB_MATERIALIZE);
    opened->pack_ns = (double)(bench_now_ns() - start);
    bench_entries_clear(&entries);
    for (int t = 1, n = 0; t < g->c->notation->ntensors && info == GrB_SUCCESS; t++)
        if (g->c->siblings[t])
            TSR_TRY(fill_other(&g->others[n++], g->c->siblings[t], err));
    if (info == GrB_SUCCESS)
        info = dense_operands(g);
    if (info == GrB_SUCCESS)
        info = GrB_Descriptor_new(&g->product);
    if (info == GrB_SUCCESS && (g->run == masked || g->run == triangles)) {
        info = GrB_Descriptor_set(g->product, GrB_OUTP, GrB_REPLACE);
        if (info == GrB_SUCCESS)
            info = GrB_Descriptor_set(g->product, GrB_MASK, GrB_STRUCTURE);
    }
    if (info == GrB_SUCCESS)
        info = results(g);
    return said(info, err);
}

static tsr_status grb_open(void **state, bench_opened *opened, const bench_case *c, const bench_asked *asked,
                           tsr_error *err)
{
    const bench_library_kernel *const kernel = bench_library_find(kernels, c);
    void *block;
    size_t size = 0;
    const GrB_Info info = GrB_init(GrB_NONBLOCKING);
    /* GrB_INVALID_VALUE: the library was initialised before */
    if (info != GrB_SUCCESS && info != GrB_INVALID_VALUE)
        return said(info, err);
    GxB_Global_Option_set(GxB_NTHREADS, asked->nthreads);
    TSR_TRY(tsr_alloc_array(&block, 1, sizeof(grb), 1, "a baseline", err));
    grb *const g = block;
    *g = (grb){.c = c, .run = kernel->run};
    const tsr_status status = fill(g, opened, kernel->transposes && asked->nthreads > 1, err);
    if (status != TSR_OK) {
        grb_close(g);
        return status;
    }
    if (GxB_Matrix_memoryUsage(&size, g->a) == GrB_SUCCESS)
        opened->nbytes = size;
    snprintf(opened->version, sizeof opened->version, "%d.%d.%d", GxB_IMPLEMENTATION_MAJOR,
             GxB_IMPLEMENTATION_MINOR, GxB_IMPLEMENTATION_SUB);
    *state = g;
    return TSR_OK;
}

static tsr_status grb_run(void *state, tsr_error *err)
{
    return ((const grb *)state)->run(state, err);
}

/* Clearing frees the arrays. */
static void grb_release(void *state)
{
    grb *const g = state;
    (void)(g->y ? GrB_Vector_clear(g->y) : GrB_Matrix_clear(g->Y));
}

/* A result without entries is all 0, which is wrong. */
static void grb_overwrite(void *state)
{
    grb *const g = state;
    g->scalar = (double)NAN;
    grb_release(g);
}

/* ---- the result ---- */

static GrB_Info extract(grb *g, uint64_t *rows, uint64_t *columns, uint64_t n)
{
    double *const values = g->entries->values.data;
    const GrB_Info info =
        g->y ? GrB_Vector_extractTuples_FP64(rows, values, &n, g->y)
             : GrB_Matrix_extractTuples_FP64(g->run == turn ? columns : rows, g->run == turn ? rows : columns,
                                             values, &n, g->Y);
    if (info != GrB_SUCCESS)
        return info;
    tsr_array_store(&g->entries->crd[0], 0, rows, n);
    if (g->Y)
        tsr_array_store(&g->entries->crd[1], 0, columns, n);
    return info;
}

static tsr_status grb_entries(const tsr_coo **out, void *state, tsr_error *err)
{
    grb *const g = state;
    uint64_t n = 0;
    void *rows = NULL, *columns = NULL;
    tsr_status status = TSR_OK;
    tsr_coo_free(g->entries);
    g->entries = NULL;
    if (g->c->notation->result->nindices == 0) {
        *out = NULL; /* dense: see grb_result */
        return TSR_OK;
    }
    TSR_TRY(said(g->y ? GrB_Vector_nvals(&n, g->y) : GrB_Matrix_nvals(&n, g->Y), err));
    TSR_TRY(
        tsr_coo_new_sized(&g->entries, (tsr_shape){g->y ? 1 : 2, g->c->result_dims}, TSR_F64, false, n, err));
    TSR_TRY_OUT(tsr_alloc_array(&rows, n, sizeof(uint64_t), 0, "a result", err));
    if (g->Y)
        TSR_TRY_OUT(tsr_alloc_array(&columns, n, sizeof(uint64_t), 0, "a result", err));
    status = said(extract(g, rows, columns, n), err);
    *out = g->entries;
out:
    tsr_free(rows);
    tsr_free(columns);
    return status;
}

static tsr_status grb_result(const double **cells, void *state, tsr_error *err)
{
    (void)err;
    *cells = &((const grb *)state)->scalar;
    return TSR_OK;
}

#endif

const bench_baseline bench_graphblas = {
    .name = "graphblas",
    .summary = "SuiteSparse:GraphBLAS: the kernels of matrices, bench/baselines/README.md lists them",
    .format = "its own",
    .takes = takes,
#ifdef ABSENT
    .absent = ABSENT,
#else
    .open = grb_open,
    .run = grb_run,
    .reuses = true,
    .release = grb_release,
    .overwrite = grb_overwrite,
    .entries = grb_entries,
    .result = grb_result,
    .close = grb_close,
#endif
};
