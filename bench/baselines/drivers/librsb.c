/* librsb: rsb_spmv and rsb_spmm on recursive sparse blocks. Packing includes the library's own search for good
 * blocks (rsb_tune_spmm); without it the blocks suit one thread only. BENCH_KERNEL is the kernel, a function
 * below. */
#include "bench_driver.h"

#include <rsb.h>

static bench_driver_case *c;
static struct rsb_mtx_t *a;
static double *cells;

static void check(rsb_err_t error)
{
    if (error != RSB_ERR_NO_ERROR)
        bench_driver_fail("librsb refuses: error %d", (int)error);
}

/* ---- kernels, with the dense operands in the order of the expression ---- */

static const double one = 1, zero = 0, minus = -1;

static void spmv(void)
{
    check(rsb_spmv(RSB_TRANSPOSITION_N, &one, a, c->dense[0].values, 1, &zero, cells, 1));
}

static void spmm(void)
{
    const rsb_coo_idx_t rank = (rsb_coo_idx_t)c->rank;
    check(rsb_spmm(RSB_TRANSPOSITION_N, &one, a, rank, RSB_FLAG_WANT_ROW_MAJOR_ORDER, c->dense[0].values,
                   rank, &zero, cells, rank));
}

static void mattransmul(void)
{
    const bench_driver_dense *const d = c->dense; /* alpha, x, beta, z */
    memcpy(cells, d[3].values, c->dims[1] * sizeof *cells);
    check(rsb_spmv(RSB_TRANSPOSITION_T, d[0].values, a, d[1].values, 1, d[2].values, cells, 1));
}

static void residual(void)
{
    memcpy(cells, c->dense[0].values, c->dims[0] * sizeof *cells);
    check(rsb_spmv(RSB_TRANSPOSITION_N, &minus, a, c->dense[1].values, 1, &one, cells, 1));
}

static void (*const kernel)(void) = BENCH_KERNEL;

/* ---- the matrix ---- */

static void assemble(const rsb_coo_idx_t *rows, const rsb_coo_idx_t *columns)
{
    rsb_err_t error = RSB_ERR_NO_ERROR;
    a = rsb_mtx_alloc_from_coo_const(
        c->values, rows, columns, (rsb_nnz_idx_t)c->nnz, RSB_NUMERICAL_TYPE_DOUBLE, (rsb_coo_idx_t)c->dims[0],
        (rsb_coo_idx_t)c->dims[1], 0, 0, RSB_FLAG_DEFAULT_RSB_MATRIX_FLAGS | RSB_FLAG_DUPLICATES_SUM, &error);
    check(error);
    if (!a)
        bench_driver_fail("librsb makes no matrix");
}

/* Find good blocks for the kernel by trying some; use them, unless a disturbed measurement has left fewer blocks
 * than threads. */
static void assemble_tuned(const rsb_coo_idx_t *rows, const rsb_coo_idx_t *columns, int nthreads)
{
    const rsb_coo_idx_t ncolumns = c->rank > 0 ? (rsb_coo_idx_t)c->rank : 1;
    rsb_blk_idx_t nblocks = 0;
    assemble(rows, columns);
    check(rsb_tune_spmm(&a, NULL, NULL, 0, 0,
                        kernel == mattransmul ? RSB_TRANSPOSITION_T : RSB_TRANSPOSITION_N, NULL, NULL,
                        ncolumns, RSB_FLAG_WANT_ROW_MAJOR_ORDER, NULL, ncolumns, NULL, NULL, ncolumns));
    check(rsb_mtx_get_info(a, RSB_MIF_LEAVES_COUNT__TO__RSB_BLK_INDEX_T, &nblocks));
    if (nblocks >= nthreads)
        return;
    rsb_mtx_free(a);
    assemble(rows, columns);
}

static rsb_coo_idx_t *narrow(const int64_t *from)
{
    rsb_coo_idx_t *const to = (rsb_coo_idx_t *)bench_driver_alloc(c->nnz, sizeof *to);
    for (uint64_t e = 0; e < c->nnz; e++)
        to[e] = (rsb_coo_idx_t)from[e];
    return to;
}

/* librsb reads the size of its teams from the environment. */
static void *open_case(bench_driver_ready *ready, bench_driver_case *given, int nthreads)
{
    char count[16];
    size_t nbytes = 0;
    c = given;
    if (c->nnz > INT32_MAX / 2 || c->dims[0] > INT32_MAX / 2 || c->dims[1] > INT32_MAX / 2)
        bench_driver_fail("the indices of librsb have 32 bits, which is too small for this matrix");
    snprintf(count, sizeof count, "%d", nthreads);
    if (setenv("RSB_NUM_THREADS", count, 1) != 0)
        bench_driver_fail("out of memory for the environment");
    check(rsb_lib_init(RSB_NULL_INIT_OPTIONS));
    cells = (double *)bench_driver_alloc(c->ncells, sizeof *cells);
    memset(cells, 0, c->ncells * sizeof *cells);
    rsb_coo_idx_t *const rows = narrow(c->crd[0]), *const columns = narrow(c->crd[1]);
    const uint64_t start = bench_driver_now();
    assemble_tuned(rows, columns, nthreads);
    ready->pack_ns = (double)(bench_driver_now() - start);
    free(rows), free(columns);
    if (rsb_mtx_get_info(a, RSB_MIF_TOTAL_SIZE__TO__SIZE_T, &nbytes) == RSB_ERR_NO_ERROR)
        ready->nbytes = nbytes;
    static char version[32];
    if (sscanf(RSB_HEADER_VERSION_STRING, "librsb version %31s", version) == 1)
        ready->version = version;
    return c;
}

static void run(void *state)
{
    (void)state;
    kernel();
}

/* beta = 0 multiplies the old result: NaN would remain */
static void overwrite(void *state)
{
    (void)state;
    for (uint64_t i = 0; i < c->ncells; i++)
        cells[i] = 1e300;
}

static const double *result(void *state)
{
    (void)state;
    return cells;
}

int main(int argc, char **argv)
{
    static const bench_driver driver = {
        .open = open_case, .run = run, .overwrite = overwrite, .result = result};
    return bench_driver_main(argc, argv, &driver);
}
