/* Eigen (libeigen3-dev), in this process, through one C++ file. */
#include "bench_baseline.h"

/* ---- kernels ---- */

#ifdef TSR_HAVE_EIGEN

#include <math.h>
#include <stdio.h>

#include "bench_clock.h"
#include "eigen_kernels.h"
#include "tsr_alloc.h"
#include "tsr_cpu.h"

typedef struct eigen {
    const bench_case *c;
    eigen_matrix *a;
    eigen_matrix *others[2]; /* further sparse operands */
    eigen_result *sparse;    /* a sparse result */
    tsr_coo *entries;        /* the same, when it was asked for */
    int nthreads;
    tsr_status (*run)(void *state, tsr_error *err); /* the kernel */
    double *cells;                                  /* c->ncells values */
} eigen;

static tsr_status spmv(void *state, tsr_error *err)
{
    const eigen *const e = state;
    (void)err;
    eigen_spmv(e->cells, e->a, bench_values(e->c, "x"));
    return TSR_OK;
}

static tsr_status spmm(void *state, tsr_error *err)
{
    const eigen *const e = state;
    (void)err;
    eigen_spmm(e->cells, e->a, bench_values(e->c, "X"), e->c->rank);
    return TSR_OK;
}

static tsr_status mattransmul(void *state, tsr_error *err)
{
    const eigen *const e = state;
    (void)err;
    eigen_mattransmul(e->cells, *bench_values(e->c, "alpha"), e->a, bench_values(e->c, "x"),
                      *bench_values(e->c, "beta"), bench_values(e->c, "z"));
    return TSR_OK;
}

static tsr_status residual(void *state, tsr_error *err)
{
    const eigen *const e = state;
    (void)err;
    eigen_residual(e->cells, bench_values(e->c, "b"), e->a, bench_values(e->c, "x"));
    return TSR_OK;
}

static tsr_status compute(void *state, int kernel, tsr_error *err)
{
    eigen *const e = state;
    return eigen_sparse(&e->sparse, kernel, e->a, e->others[0], e->others[1])
               ? TSR_OK
               : tsr_fail(err, TSR_NOMEM, "Eigen is out of memory");
}

static tsr_status spgemm(void *state, tsr_error *err)
{
    return compute(state, EIGEN_MULTIPLY, err);
}

static tsr_status spadd(void *state, tsr_error *err)
{
    return compute(state, EIGEN_ADD, err);
}

static tsr_status elmul(void *state, tsr_error *err)
{
    return compute(state, EIGEN_TIMES, err);
}

static tsr_status turn(void *state, tsr_error *err)
{
    return compute(state, EIGEN_TURN, err);
}

#define RUN(kernel) kernel
#else
#define RUN(kernel) NULL
#define ABSENT "built without Eigen (libeigen3-dev and a C++ compiler)"
#endif

static const bench_library_kernel kernels[] = {
    {"spmv", RUN(spmv), false},
    {"spmm", RUN(spmm), false},
    {"mattransmul", RUN(mattransmul), true},
    {"residual", RUN(residual), false},
    {"spgemm", RUN(spgemm), false},
    {"spadd", RUN(spadd), false},
    {"spadd3", RUN(spadd), false},
    {"elmul", RUN(elmul), false},
    {BENCH_CSR_TO_CSC, RUN(turn), false},
    {0},
};

static bool takes(const bench_case *c)
{
    return bench_library_find(kernels, c) != NULL;
}

/* ---- the matrix ---- */

#ifdef TSR_HAVE_EIGEN

static void eigen_close(void *state)
{
    eigen *const e = state;
    eigen_matrix_free(e->a);
    eigen_matrix_free(e->others[0]);
    eigen_matrix_free(e->others[1]);
    eigen_result_free(e->sparse);
    tsr_coo_free(e->entries);
    tsr_free(e->cells);
    tsr_free(e);
}

/* A further sparse operand. */
static tsr_status fill_other(eigen_matrix **out, const tsr_coo *coo, tsr_error *err)
{
    bench_entries entries;
    TSR_TRY(bench_entries_of(&entries, coo, sizeof(int32_t), err));
    *out =
        eigen_matrix_new(0, &(eigen_triplets){(int64_t)coo->dims[0], (int64_t)coo->dims[1], (int64_t)coo->nnz,
                                              entries.rows, entries.columns, entries.values});
    bench_entries_clear(&entries);
    return *out ? TSR_OK : tsr_fail(err, TSR_NOMEM, "Eigen is out of memory");
}

static bool has_sparse_result(const eigen *e)
{
    return e->c->joins || e->run == turn;
}

static tsr_status fill(eigen *e, bench_opened *opened, bool by_columns, tsr_error *err)
{
    const tsr_coo *const coo = e->c->coo;
    bench_entries entries;
    void *block;
    if (!has_sparse_result(e)) {
        TSR_TRY(tsr_alloc_array(&block, (uint64_t)e->c->ncells, sizeof(double), 1, "a baseline", err));
        e->cells = block;
    }
    for (int t = 1, n = 0; t < e->c->notation->ntensors; t++)
        if (e->c->siblings[t])
            TSR_TRY(fill_other(&e->others[n++], e->c->siblings[t], err));
    TSR_TRY(bench_entries_init(&entries, e->c, sizeof(int32_t), err));
    const uint64_t start = bench_now_ns();
    e->a = eigen_matrix_new(by_columns,
                            &(eigen_triplets){(int64_t)coo->dims[0], (int64_t)coo->dims[1], (int64_t)coo->nnz,
                                              entries.rows, entries.columns, entries.values});
    opened->pack_ns = (double)(bench_now_ns() - start);
    bench_entries_clear(&entries);
    if (!e->a)
        return tsr_fail(err, TSR_NOMEM, "Eigen is out of memory");
    opened->nbytes = eigen_matrix_nbytes(e->a);
    opened->format = by_columns ? "csc" : "csr";
    snprintf(opened->version, sizeof opened->version, "%s", eigen_version());
    return TSR_OK;
}

static tsr_status eigen_open(void **state, bench_opened *opened, const bench_case *c,
                             const bench_asked *asked, tsr_error *err)
{
    const bench_library_kernel *const kernel = bench_library_find(kernels, c);
    void *block;
    if (c->coo->nnz > INT32_MAX || c->coo->dims[0] > INT32_MAX || c->coo->dims[1] > INT32_MAX)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "Eigen is measured with 32-bit indices, which are too small for this matrix");
    if (tsr_cpu_level() < eigen_cpu_level())
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "Eigen was compiled for a processor of level %d, but this one has level %d",
                        eigen_cpu_level(), tsr_cpu_level());
    TSR_TRY(tsr_alloc_array(&block, 1, sizeof(eigen), 1, "a baseline", err));
    eigen *const e = block;
    *e = (eigen){.c = c, .nthreads = asked->nthreads, .run = kernel->run};
    const tsr_status status = fill(e, opened, kernel->transposes && asked->nthreads > 1, err);
    if (status != TSR_OK)
        eigen_close(e);
    else
        *state = e;
    return status;
}

static tsr_status eigen_run(void *state, tsr_error *err)
{
    const eigen *const e = state;
    eigen_set_threads(e->nthreads);
    return e->run(state, err);
}

static void eigen_release(void *state)
{
    eigen *const e = state;
    eigen_result_free(e->sparse);
    e->sparse = NULL;
}

static void eigen_overwrite(void *state)
{
    const eigen *const e = state;
    for (uint64_t i = 0; e->cells && i < (uint64_t)e->c->ncells; i++)
        e->cells[i] = (double)NAN;
}

static tsr_status eigen_cells(const double **cells, void *state, tsr_error *err)
{
    (void)err;
    *cells = ((eigen *)state)->cells;
    return TSR_OK;
}

/* A sparse result's entries. */
static tsr_status eigen_entries(const tsr_coo **out, void *state, tsr_error *err)
{
    eigen *const e = state;
    const int32_t *pos, *crd;
    const double *values;
    *out = NULL;
    if (!has_sparse_result(e))
        return TSR_OK;
    const int turned = e->run == turn; /* its rows are columns */
    const int64_t n = eigen_result_view(e->sparse, &pos, &crd, &values);
    tsr_coo_free(e->entries);
    e->entries = NULL;
    TSR_TRY(
        tsr_coo_new_sized(&e->entries, (tsr_shape){2, e->c->result_dims}, TSR_F64, false, (uint64_t)n, err));
    for (uint64_t i = 0; i < e->c->result_dims[turned]; i++)
        for (int32_t q = pos[i]; q < pos[i + 1]; q++) {
            tsr_array_set(&e->entries->crd[turned], (uint64_t)q, i);
            tsr_array_set(&e->entries->crd[!turned], (uint64_t)q, (uint64_t)crd[q]);
            ((double *)e->entries->values.data)[q] = values[q];
        }
    *out = e->entries;
    return TSR_OK;
}

#endif

const bench_baseline bench_eigen = {
    .name = "eigen",
    .summary = "Eigen: spmv, spmm, mattransmul, residual, spgemm, spadd, spadd3, elmul",
    .format = "csr",
    .takes = takes,
#ifdef ABSENT
    .absent = ABSENT,
#else
    .open = eigen_open,
    .run = eigen_run,
    .release = eigen_release,
    .overwrite = eigen_overwrite,
    .result = eigen_cells,
    .entries = eigen_entries,
    .close = eigen_close,
#endif
};
