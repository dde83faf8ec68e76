/* librsb (librsb-dev), in process: rsb_spmv on recursive sparse blocks. */
#include "bench_baseline.h"

#ifdef TSR_HAVE_LIBRSB

#include <rsb.h>
#include <stdio.h>
#include <string.h>

#include "bench_clock.h"
#include "tsr_alloc.h"

typedef struct rsb {
    struct rsb_mtx_t *a;
    const double *x;
    uint64_t n;
    double *cells; /* n */
} rsb;

static void rsb_close(void *state)
{
    rsb *const s = state;
    if (s->a)
        rsb_mtx_free(s->a);
    tsr_free(s->cells);
    tsr_free(s);
}

static tsr_status fill(rsb *s, double *pack_ns, uint64_t *nbytes, const tsr_coo *coo, rsb_coo_idx_t *index,
                       double *values, tsr_error *err)
{
    rsb_err_t error = RSB_ERR_NO_ERROR;
    size_t size = 0;
    for (uint64_t n = 0; n < coo->nnz; n++) {
        index[n] = (rsb_coo_idx_t)tsr_array_get(&coo->crd[0], n);
        index[coo->nnz + n] = (rsb_coo_idx_t)tsr_array_get(&coo->crd[1], n);
        values[n] = ((const double *)coo->values.data)[coo->iso ? 0 : n];
    }
    const uint64_t start = bench_now_ns();
    s->a = rsb_mtx_alloc_from_coo_const(values, index, index + coo->nnz, (rsb_nnz_idx_t)coo->nnz,
                                        RSB_NUMERICAL_TYPE_DOUBLE, (rsb_coo_idx_t)coo->dims[0],
                                        (rsb_coo_idx_t)coo->dims[1], 0, 0,
                                        RSB_FLAG_NOFLAGS | RSB_FLAG_DUPLICATES_SUM, &error);
    *pack_ns = (double)(bench_now_ns() - start);
    if (!s->a || error != RSB_ERR_NO_ERROR)
        return tsr_fail(err, TSR_UNSUPPORTED, "librsb refuses: error %d", (int)error);
    if (rsb_mtx_get_info(s->a, RSB_MIF_TOTAL_SIZE__TO__SIZE_T, &size) == RSB_ERR_NO_ERROR)
        *nbytes = size;
    return TSR_OK;
}

static tsr_status open_sized(rsb *s, double *pack_ns, uint64_t *nbytes, const bench_case *c, tsr_error *err)
{
    void *index = NULL, *values = NULL, *cells = NULL;
    tsr_status status = TSR_OK;
    s->n = c->coo->dims[0];
    s->x = c->operand[2]->values.data;
    TSR_TRY_OUT(tsr_alloc_array(&cells, s->n, sizeof(double), 1, "a baseline", err));
    s->cells = cells;
    TSR_TRY_OUT(tsr_alloc_array(&index, 2 * c->coo->nnz, sizeof(rsb_coo_idx_t), 0, "a baseline", err));
    TSR_TRY_OUT(tsr_alloc_array(&values, c->coo->nnz, sizeof(double), 0, "a baseline", err));
    status = fill(s, pack_ns, nbytes, c->coo, index, values, err);
out:
    tsr_free(index);
    tsr_free(values);
    return status;
}

static tsr_status rsb_open(void **state, bench_opened *opened, const bench_case *c, const bench_asked *asked,
                           tsr_error *err)
{
    void *block;
    int nthreads = asked->nthreads;
    if (c->coo->nnz > INT32_MAX / 2 || c->coo->dims[0] > INT32_MAX / 2 || c->coo->dims[1] > INT32_MAX / 2)
        return tsr_fail(err, TSR_UNSUPPORTED, "librsb's indices have 32 bits");
    rsb_lib_init(RSB_NULL_INIT_OPTIONS);
    rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &nthreads);
    TSR_TRY(tsr_alloc_array(&block, 1, sizeof(rsb), 1, "a baseline", err));
    const tsr_status status = open_sized(block, &opened->pack_ns, &opened->nbytes, c, err);
    snprintf(opened->version, sizeof opened->version, "%s", TSR_LIBRSB_VERSION);
    if (status != TSR_OK)
        rsb_close(block);
    else
        *state = block;
    return status;
}

static tsr_status rsb_run(void *state, tsr_error *err)
{
    rsb *const s = state;
    const double one = 1, zero = 0;
    const rsb_err_t error = rsb_spmv(RSB_TRANSPOSITION_N, &one, s->a, s->x, 1, &zero, s->cells, 1);
    return error == RSB_ERR_NO_ERROR ? TSR_OK
                                     : tsr_fail(err, TSR_UNSUPPORTED, "librsb: error %d", (int)error);
}

/* beta = 0 times what is there: NaN would stay. */
static void rsb_overwrite(void *state)
{
    rsb *const s = state;
    for (uint64_t i = 0; i < s->n; i++)
        s->cells[i] = 1e300;
}

static tsr_status rsb_result(const double **cells, void *state, tsr_error *err)
{
    (void)err;
    *cells = ((rsb *)state)->cells;
    return TSR_OK;
}

#else
#define ABSENT "built without librsb (librsb-dev)"
#endif

const bench_baseline bench_librsb = {
    .name = "librsb",
    .summary = "librsb: spmv",
    .format = "its own",
    .takes = bench_is_spmv,
#ifdef ABSENT
    .absent = ABSENT,
#else
    .open = rsb_open,
    .run = rsb_run,
    .overwrite = rsb_overwrite,
    .result = rsb_result,
    .close = rsb_close,
#endif
};
