/* Eigen (libeigen3-dev), in process, through one C++ file. */
#include "bench_baseline.h"

#ifdef TSR_HAVE_EIGEN

#include <math.h>
#include <stdio.h>

#include "bench_clock.h"
#include "eigen_spmv.h"
#include "tsr_alloc.h"

typedef struct eigen {
    eigen_spmv *s;
    uint64_t n;
    int nthreads;
} eigen;

static void eigen_close(void *state)
{
    eigen_spmv_free(((eigen *)state)->s);
    tsr_free(state);
}

static tsr_status fill(eigen *e, double *pack_ns, const bench_case *c, tsr_error *err)
{
    const tsr_coo *const coo = c->coo;
    void *block_i = NULL, *block_v = NULL;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(tsr_alloc_array(&block_i, 2 * coo->nnz, sizeof(int32_t), 0, "a baseline", err));
    TSR_TRY_OUT(tsr_alloc_array(&block_v, coo->nnz, sizeof(double), 0, "a baseline", err));
    int32_t *const index = block_i;
    double *const values = block_v;
    for (uint64_t n = 0; n < coo->nnz; n++) {
        index[n] = (int32_t)tsr_array_get(&coo->crd[0], n);
        index[coo->nnz + n] = (int32_t)tsr_array_get(&coo->crd[1], n);
        values[n] = ((const double *)coo->values.data)[coo->iso ? 0 : n];
    }
    const uint64_t start = bench_now_ns();
    e->s = eigen_spmv_new((int64_t)coo->dims[0], (int64_t)coo->dims[1], (int64_t)coo->nnz, index,
                          index + coo->nnz, values, c->operand[2]->values.data);
    *pack_ns = (double)(bench_now_ns() - start);
    if (!e->s)
        status = tsr_fail(err, TSR_NOMEM, "Eigen is out of memory");
out:
    tsr_free(block_i);
    tsr_free(block_v);
    return status;
}

static tsr_status eigen_open(void **state, bench_opened *opened, const bench_case *c,
                             const bench_asked *asked, tsr_error *err)
{
    void *block;
    if (c->coo->nnz > INT32_MAX || c->coo->dims[0] > INT32_MAX || c->coo->dims[1] > INT32_MAX)
        return tsr_fail(err, TSR_UNSUPPORTED, "Eigen is measured with indices of 32 bits");
    TSR_TRY(tsr_alloc_array(&block, 1, sizeof(eigen), 1, "a baseline", err));
    eigen *const e = block;
    e->n = c->coo->dims[0];
    e->nthreads = asked->nthreads;
    const tsr_status status = fill(e, &opened->pack_ns, c, err);
    if (status != TSR_OK) {
        tsr_free(e);
        return status;
    }
    opened->nbytes = eigen_spmv_nbytes(e->s);
    snprintf(opened->version, sizeof opened->version, "%s", eigen_spmv_version());
    *state = e;
    return TSR_OK;
}

static tsr_status eigen_run(void *state, tsr_error *err)
{
    const eigen *const e = state;
    (void)err;
    eigen_spmv_run(e->s, e->nthreads);
    return TSR_OK;
}

static void eigen_overwrite(void *state)
{
    const eigen *const e = state;
    double *const cells = eigen_spmv_result(e->s);
    for (uint64_t i = 0; i < e->n; i++)
        cells[i] = (double)NAN;
}

static tsr_status eigen_result(const double **cells, void *state, tsr_error *err)
{
    (void)err;
    *cells = eigen_spmv_result(((eigen *)state)->s);
    return TSR_OK;
}

#else
#define ABSENT "built without Eigen (libeigen3-dev and a C++ compiler)"
#endif

const bench_baseline bench_eigen = {
    .name = "eigen",
    .summary = "Eigen: spmv, compressed rows",
    .format = "csr",
    .takes = bench_is_spmv,
#ifdef ABSENT
    .absent = ABSENT,
#else
    .open = eigen_open,
    .run = eigen_run,
    .overwrite = eigen_overwrite,
    .result = eigen_result,
    .close = eigen_close,
#endif
};
