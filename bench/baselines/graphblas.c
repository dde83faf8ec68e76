/* SuiteSparse:GraphBLAS (libgraphblas-dev), in process: GrB_mxv over PLUS_TIMES. */
#include "bench_baseline.h"

#ifdef TSR_HAVE_GRAPHBLAS

#include <GraphBLAS.h>
#include <math.h>
#include <stdio.h>

#include "bench_clock.h"
#include "tsr_alloc.h"

typedef struct grb {
    GrB_Matrix a;
    GrB_Vector x, y;
    uint64_t n;
    double *cells; /* n */
} grb;

static void grb_close(void *state)
{
    grb *const g = state;
    GrB_Matrix_free(&g->a);
    GrB_Vector_free(&g->x);
    GrB_Vector_free(&g->y);
    tsr_free(g->cells);
    tsr_free(g);
}

static tsr_status failed(GrB_Info info, tsr_error *err)
{
    return tsr_fail(err, info == GrB_OUT_OF_MEMORY ? TSR_NOMEM : TSR_UNSUPPORTED,
                    "SuiteSparse:GraphBLAS refuses: status %d", (int)info);
}

/* Build the matrix from the entries in their order. */
static GrB_Info build(grb *g, const bench_case *c, const double *x, uint64_t *rows, uint64_t *columns)
{
    const tsr_coo *const coo = c->coo;
    for (uint64_t n = 0; n < coo->nnz; n++) {
        rows[n] = tsr_array_get(&coo->crd[0], n);
        columns[n] = tsr_array_get(&coo->crd[1], n);
    }
    GrB_Info info = GrB_Matrix_new(&g->a, GrB_FP64, coo->dims[0], coo->dims[1]);
    if (info == GrB_SUCCESS)
        info = GrB_Vector_new(&g->x, GrB_FP64, coo->dims[1]);
    if (info == GrB_SUCCESS)
        info = GrB_Vector_new(&g->y, GrB_FP64, coo->dims[0]);
    if (info == GrB_SUCCESS)
        info = GrB_Vector_assign_FP64(g->x, NULL, NULL, 0, GrB_ALL, coo->dims[1], NULL);
    for (uint64_t j = 0; j < coo->dims[1] && info == GrB_SUCCESS; j++)
        info = GrB_Vector_setElement_FP64(g->x, x[j], j);
    return info == GrB_SUCCESS ? GrB_Vector_wait(g->x, GrB_MATERIALIZE) : info;
}

static tsr_status fill(grb *g, double *pack_ns, const bench_case *c, uint64_t *rows, uint64_t *columns,
                       double *iso, tsr_error *err)
{
    const tsr_coo *const coo = c->coo;
    GrB_Info info = build(g, c, c->operand[2]->values.data, rows, columns);
    for (uint64_t n = 0; iso && n < coo->nnz; n++)
        iso[n] = *(const double *)coo->values.data;
    const uint64_t start = bench_now_ns();
    if (info == GrB_SUCCESS)
        info =
            GrB_Matrix_build_FP64(g->a, rows, columns, iso ? iso : coo->values.data, coo->nnz, GrB_PLUS_FP64);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_wait(g->a, GrB_MATERIALIZE);
    *pack_ns = (double)(bench_now_ns() - start);
    return info == GrB_SUCCESS ? TSR_OK : failed(info, err);
}

static tsr_status grb_open(void **state, bench_opened *opened, const bench_case *c, const bench_asked *asked,
                           tsr_error *err)
{
    uint64_t *index = NULL;
    double *iso = NULL;
    void *block;
    size_t size = 0;
    tsr_status status = TSR_OK;
    const GrB_Info info = GrB_init(GrB_NONBLOCKING);
    if (info != GrB_SUCCESS && info != GrB_INVALID_VALUE) /* the latter: it was called before */
        return failed(info, err);
    GxB_Global_Option_set(GxB_NTHREADS, asked->nthreads);
    TSR_TRY(tsr_alloc_array(&block, 1, sizeof(grb), 1, "a baseline", err));
    grb *const g = block;
    g->n = c->coo->dims[0];
    TSR_TRY_OUT(tsr_alloc_array(&block, 2 * c->coo->nnz, sizeof *index, 0, "a baseline", err));
    index = block;
    if (c->coo->iso) {
        TSR_TRY_OUT(tsr_alloc_array(&block, c->coo->nnz, sizeof *iso, 0, "a baseline", err));
        iso = block;
    }
    TSR_TRY_OUT(tsr_alloc_array(&block, g->n, sizeof(double), 1, "a baseline", err));
    g->cells = block;
    TSR_TRY_OUT(fill(g, &opened->pack_ns, c, index, index + c->coo->nnz, iso, err));
    if (GxB_Matrix_memoryUsage(&size, g->a) == GrB_SUCCESS)
        opened->nbytes = size;
    snprintf(opened->version, sizeof opened->version, "%d.%d.%d", GxB_IMPLEMENTATION_MAJOR,
             GxB_IMPLEMENTATION_MINOR, GxB_IMPLEMENTATION_SUB);
    *state = g;
out:
    tsr_free(index);
    tsr_free(iso);
    if (status != TSR_OK)
        grb_close(g);
    return status;
}

static tsr_status grb_run(void *state, tsr_error *err)
{
    grb *const g = state;
    GrB_Info info = GrB_mxv(g->y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, g->a, g->x, NULL);
    if (info == GrB_SUCCESS)
        info = GrB_Vector_wait(g->y, GrB_MATERIALIZE);
    return info == GrB_SUCCESS ? TSR_OK : failed(info, err);
}

static void grb_overwrite(void *state)
{
    grb *const g = state;
    (void)GrB_Vector_assign_FP64(g->y, NULL, NULL, (double)NAN, GrB_ALL, g->n, NULL);
    (void)GrB_Vector_wait(g->y, GrB_MATERIALIZE);
}

static tsr_status grb_result(const double **cells, void *state, tsr_error *err)
{
    grb *const g = state;
    (void)err;
    for (uint64_t i = 0; i < g->n; i++) {
        g->cells[i] = 0;
        (void)GrB_Vector_extractElement_FP64(&g->cells[i], g->y, i); /* no entry: a row without any */
    }
    *cells = g->cells;
    return TSR_OK;
}

#else
#define ABSENT "built without SuiteSparse:GraphBLAS (libgraphblas-dev)"
#endif

const bench_baseline bench_graphblas = {
    .name = "graphblas",
    .summary = "SuiteSparse:GraphBLAS: spmv",
    .format = "its own",
    .takes = bench_is_spmv,
#ifdef ABSENT
    .absent = ABSENT,
#else
    .open = grb_open,
    .run = grb_run,
    .overwrite = grb_overwrite,
    .result = grb_result,
    .close = grb_close,
#endif
};
