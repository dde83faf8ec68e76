/* librsb (librsb-dev), in this process: rsb_spmv and rsb_spmm on recursive sparse blocks. Packing includes
 * the library's own search for good blocks (rsb_tune_spmm); without it the blocks suit one thread only. */
#include "bench_baseline.h"

/* ---- kernels ---- */

#ifdef TSR_HAVE_LIBRSB

#include <rsb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_clock.h"
#include "tsr_alloc.h"

typedef struct rsb {
    const bench_case *c;
    struct rsb_mtx_t *a;
    tsr_status (*run)(void *state, tsr_error *err); /* the kernel */
    double *cells;                                  /* c->ncells values */
} rsb;

static tsr_status said(rsb_err_t error, tsr_error *err)
{
    return error == RSB_ERR_NO_ERROR ? TSR_OK
                                     : tsr_fail(err, TSR_UNSUPPORTED, "librsb refuses: error %d", (int)error);
}

static tsr_status spmv(void *state, tsr_error *err)
{
    const rsb *const s = state;
    const double one = 1, zero = 0;
    return said(rsb_spmv(RSB_TRANSPOSITION_N, &one, s->a, bench_values(s->c, "x"), 1, &zero, s->cells, 1),
                err);
}

static tsr_status spmm(void *state, tsr_error *err)
{
    const rsb *const s = state;
    const double one = 1, zero = 0;
    return said(rsb_spmm(RSB_TRANSPOSITION_N, &one, s->a, s->c->rank, RSB_FLAG_WANT_ROW_MAJOR_ORDER,
                         bench_values(s->c, "X"), s->c->rank, &zero, s->cells, s->c->rank),
                err);
}

static tsr_status mattransmul(void *state, tsr_error *err)
{
    const rsb *const s = state;
    memcpy(s->cells, bench_values(s->c, "z"), s->c->coo->dims[1] * sizeof(double));
    return said(rsb_spmv(RSB_TRANSPOSITION_T, bench_values(s->c, "alpha"), s->a, bench_values(s->c, "x"), 1,
                         bench_values(s->c, "beta"), s->cells, 1),
                err);
}

static tsr_status residual(void *state, tsr_error *err)
{
    const rsb *const s = state;
    const double minus = -1, one = 1;
    memcpy(s->cells, bench_values(s->c, "b"), s->c->coo->dims[0] * sizeof(double));
    return said(rsb_spmv(RSB_TRANSPOSITION_N, &minus, s->a, bench_values(s->c, "x"), 1, &one, s->cells, 1),
                err);
}

#define RUN(kernel) kernel
#else
#define RUN(kernel) NULL
#define ABSENT "built without librsb (librsb-dev)"
#endif

static const bench_library_kernel kernels[] = {
    {"spmv", RUN(spmv), false},
    {"spmm", RUN(spmm), false},
    {"mattransmul", RUN(mattransmul), true},
    {"residual", RUN(residual), false},
    {0},
};

static bool takes(const bench_case *c)
{
    return bench_library_find(kernels, c) != NULL;
}

/* ---- the matrix ---- */

#ifdef TSR_HAVE_LIBRSB

static void rsb_close(void *state)
{
    rsb *const s = state;
    if (s->a)
        rsb_mtx_free(s->a);
    tsr_free(s->cells);
    tsr_free(s);
    rsb_lib_exit(RSB_NULL_EXIT_OPTIONS);
}

static struct rsb_mtx_t *assemble(const bench_case *c, const bench_entries *entries, rsb_err_t *error)
{
    const tsr_coo *const coo = c->coo;
    return rsb_mtx_alloc_from_coo_const(entries->values, entries->rows, entries->columns,
                                        (rsb_nnz_idx_t)coo->nnz, RSB_NUMERICAL_TYPE_DOUBLE,
                                        (rsb_coo_idx_t)coo->dims[0], (rsb_coo_idx_t)coo->dims[1], 0, 0,
                                        RSB_FLAG_DEFAULT_RSB_MATRIX_FLAGS | RSB_FLAG_DUPLICATES_SUM, error);
}

/* Find good blocks for the kernel by trying some. */
static void tune(rsb *s, bool transposes, rsb_err_t *error)
{
    const rsb_coo_idx_t ncolumns = s->c->rank > 0 ? s->c->rank : 1;
    *error =
        rsb_tune_spmm(&s->a, NULL, NULL, 0, 0, transposes ? RSB_TRANSPOSITION_T : RSB_TRANSPOSITION_N, NULL,
                      NULL, ncolumns, RSB_FLAG_WANT_ROW_MAJOR_ORDER, NULL, ncolumns, NULL, NULL, ncolumns);
}

/* Use the tuned matrix, unless a disturbed measurement has left fewer blocks than threads. */
static void assemble_tuned(rsb *s, const bench_entries *entries, const bench_library_kernel *kernel,
                           int nthreads, rsb_err_t *error)
{
    rsb_blk_idx_t nblocks = 0;
    s->a = assemble(s->c, entries, error);
    if (!s->a || *error != RSB_ERR_NO_ERROR)
        return;
    tune(s, kernel->transposes, error);
    if (*error == RSB_ERR_NO_ERROR)
        *error = rsb_mtx_get_info(s->a, RSB_MIF_LEAVES_COUNT__TO__RSB_BLK_INDEX_T, &nblocks);
    if (*error == RSB_ERR_NO_ERROR && nblocks < nthreads) {
        rsb_mtx_free(s->a);
        s->a = assemble(s->c, entries, error);
    }
}

static tsr_status fill(rsb *s, bench_opened *opened, const bench_library_kernel *kernel, int nthreads,
                       tsr_error *err)
{
    rsb_err_t error = RSB_ERR_NO_ERROR;
    bench_entries entries;
    void *block;
    size_t size = 0;
    TSR_TRY(tsr_alloc_array(&block, (uint64_t)s->c->ncells, sizeof(double), 1, "a baseline", err));
    s->cells = block;
    TSR_TRY(bench_entries_init(&entries, s->c, sizeof(rsb_coo_idx_t), err));
    const uint64_t start = bench_now_ns();
    assemble_tuned(s, &entries, kernel, nthreads, &error);
    opened->pack_ns = (double)(bench_now_ns() - start);
    bench_entries_clear(&entries);
    if (!s->a || error != RSB_ERR_NO_ERROR)
        return tsr_fail(err, TSR_UNSUPPORTED, "librsb refuses: error %d", (int)error);
    if (rsb_mtx_get_info(s->a, RSB_MIF_TOTAL_SIZE__TO__SIZE_T, &size) == RSB_ERR_NO_ERROR)
        opened->nbytes = size;
    snprintf(opened->version, sizeof opened->version, "%s", TSR_LIBRSB_VERSION);
    return TSR_OK;
}

/* librsb reads the size of its teams from the environment, once; RSB_IO_WANT_EXECUTING_THREADS only sets how
 * many of these threads work. So the library is initialised again for each case. */
static tsr_status library_init(int nthreads, tsr_error *err)
{
    char text[16];
    snprintf(text, sizeof text, "%d", nthreads);
    if (setenv("RSB_NUM_THREADS", text, 1) != 0)
        return tsr_fail(err, TSR_NOMEM, "out of memory for the environment");
    const rsb_err_t error = rsb_lib_init(RSB_NULL_INIT_OPTIONS);
    return error == RSB_ERR_NO_ERROR
               ? TSR_OK
               : tsr_fail(err, TSR_UNSUPPORTED, "librsb cannot be initialised: error %d", (int)error);
}

static tsr_status rsb_open(void **state, bench_opened *opened, const bench_case *c, const bench_asked *asked,
                           tsr_error *err)
{
    const bench_library_kernel *const kernel = bench_library_find(kernels, c);
    void *block;
    if (c->coo->nnz > INT32_MAX / 2 || c->coo->dims[0] > INT32_MAX / 2 || c->coo->dims[1] > INT32_MAX / 2)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "the indices of librsb have 32 bits, which is too small for this matrix");
    TSR_TRY(tsr_alloc_array(&block, 1, sizeof(rsb), 1, "a baseline", err));
    rsb *const s = block;
    *s = (rsb){.c = c, .run = kernel->run};
    tsr_status status = library_init(asked->nthreads, err);
    if (status == TSR_OK)
        status = fill(s, opened, kernel, asked->nthreads, err);
    if (status != TSR_OK)
        rsb_close(s);
    else
        *state = s;
    return status;
}

static tsr_status rsb_run(void *state, tsr_error *err)
{
    return ((const rsb *)state)->run(state, err);
}

/* beta = 0 multiplies the old result: NaN would remain */
static void rsb_overwrite(void *state)
{
    const rsb *const s = state;
    for (uint64_t i = 0; i < (uint64_t)s->c->ncells; i++)
        s->cells[i] = 1e300;
}

static tsr_status rsb_result(const double **cells, void *state, tsr_error *err)
{
    (void)err;
    *cells = ((rsb *)state)->cells;
    return TSR_OK;
}

#endif

const bench_baseline bench_librsb = {
    .name = "librsb",
    .summary = "librsb: spmv, spmm, mattransmul, residual",
    .format = "its own",
    .takes = takes,
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
