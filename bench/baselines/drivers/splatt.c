/* One mttkrp by SPLATT, with a CSF tensor for each mode, not tiled: the fastest of its forms.
 *
 * SPLATT removes empty slices from a tensor and numbers the others again, in order; `slice` holds their
 * original numbers. The rows of its matrices follow the new numbers. */
#include "bench_driver.h"

#include <math.h>
#include <stdbool.h>

#include "splatt.h"

#ifndef SPLATT_VER_MAJOR
#error "splatt.h does not say its version: tbench takes SPLATT 2"
#elif SPLATT_VER_MAJOR != 2
#error "tbench takes SPLATT 2; this is another"
#elif SPLATT_VAL_TYPEWIDTH != 64
#error "this SPLATT computes in float (SPLATT_VAL_TYPEWIDTH), what is compared is double"
#endif

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define VERSION TEXT(SPLATT_VER_MAJOR) "." TEXT(SPLATT_VER_MINOR) "." TEXT(SPLATT_VER_SUBMINOR)

enum { MAX_MODES = 8, MAX_PACKINGS = 5, ALIGN_NBYTES = 64 };

typedef struct problem {
    uint64_t mode, rank;
    double *options;
    splatt_csf *csf;               /* one tensor for each mode */
    uint64_t nslices[MAX_MODES];   /* number of non-empty slices */
    uint64_t *slice[MAX_MODES];    /* nslices original numbers, ascending */
    splatt_val_t *rows[MAX_MODES]; /* nslices x rank values; [mode]: of the result */
    double *cells;                 /* all cells of the result */
    bool is_split;                 /* see core_open */
} problem;

/* ---- splatt_mttkrp in two parts ---- */

/* splatt_mttkrp plans the shares and the buffers of its threads in each call, which takes up to a fifth of
 * its time. SPLATT's own decomposition plans once and then calls the functions below, which are in the
 * library but not in splatt.h. If they are as in version 2.0.0, this driver does the same. */
typedef struct core_matrix {
    splatt_idx_t nrows, ncolumns;
    splatt_val_t *values;
    int by_rows;
} core_matrix;
#pragma weak splatt_mat_alloc
#pragma weak splatt_thd_init
#pragma weak splatt_mttkrp_csf
core_matrix *splatt_mat_alloc(splatt_idx_t nrows, splatt_idx_t ncolumns);
void *splatt_thd_init(splatt_idx_t nthreads, splatt_idx_t nscratch, ...);
void splatt_mttkrp_csf(const splatt_csf *csf, core_matrix **matrices, splatt_idx_t mode, void *threads,
                       splatt_mttkrp_ws *plan, const double *options);

static struct {
    core_matrix matrix[MAX_MODES], *matrices[MAX_MODES + 1]; /* the last one is the result */
    splatt_mttkrp_ws *plan;
    void *threads;
} core;

static bool core_is_there(void)
{
    if (!splatt_mat_alloc || !splatt_thd_init || !splatt_mttkrp_csf || SPLATT_MAX_NMODES != MAX_MODES)
        return false;
    const core_matrix *const m = splatt_mat_alloc(3, 5);
    return m->nrows == 3 && m->ncolumns == 5 && m->values && m->by_rows == 1;
}

static void core_open(const problem *p, uint64_t order, int nthreads)
{
    const splatt_idx_t scratch_nbytes = order * p->rank * sizeof(splatt_val_t) + 64, none = 0;
    for (uint64_t m = 0; m < order; m++) {
        core.matrix[m] = (core_matrix){p->nslices[m], p->rank, p->rows[m], 1};
        core.matrices[m] = &core.matrix[m];
    }
    core.matrices[MAX_MODES] = core.matrices[p->mode];
    core.plan = splatt_mttkrp_alloc_ws(p->csf, p->rank, p->options);
    core.threads = splatt_thd_init((splatt_idx_t)nthreads, 3, scratch_nbytes, none, scratch_nbytes);
}

/* ---- the case ---- */

/* Compute nslices and slice. */
static void find_slices(problem *p, const bench_driver_case *c, uint64_t m)
{
    uint64_t *const slice = bench_driver_alloc(c->dims[m], sizeof *slice), n = 0;
    memset(slice, 0, c->dims[m] * sizeof *slice);
    for (uint64_t e = 0; e < c->nnz; e++)
        slice[c->crd[m][e]] = 1;
    for (uint64_t i = 0; i < c->dims[m]; i++)
        if (slice[i])
            slice[n++] = i;
    p->slice[m] = slice;
    p->nslices[m] = n;
}

static void take_rows(problem *p, const bench_driver_case *c)
{
    for (uint64_t m = 0, d = 0; m < c->order; m++) {
        void *block;
        if (posix_memalign(&block, ALIGN_NBYTES, (p->nslices[m] * p->rank + 1) * sizeof(splatt_val_t)) != 0)
            bench_driver_fail("out of memory for the rows of %.3g slices", (double)p->nslices[m]);
        p->rows[m] = block;
        if (m == p->mode)
            continue;
        for (uint64_t i = 0; i < p->nslices[m]; i++)
            memcpy(p->rows[m] + i * p->rank, c->dense[d].values + p->slice[m][i] * p->rank,
                   p->rank * sizeof(splatt_val_t));
        d++;
    }
}

/* ---- packing ---- */

/* Pack once and measure the time in nanoseconds. SPLATT sorts the coordinates in place or replaces them; it
 * frees the values or keeps them, and does not report which, so they are never freed here. */
static double pack_once(problem *p, const bench_driver_case *c)
{
    splatt_idx_t *crd[MAX_MODES];
    splatt_val_t *const values = bench_driver_alloc(c->nnz, sizeof *values);
    memcpy(values, c->values, c->nnz * sizeof *values);
    for (uint64_t m = 0; m < c->order; m++) {
        crd[m] = bench_driver_alloc(c->nnz, sizeof *crd[m]);
        for (uint64_t e = 0; e < c->nnz; e++)
            crd[m][e] = (splatt_idx_t)c->crd[m][e];
    }
    if (p->csf)
        splatt_free_csf(p->csf, p->options);
    const uint64_t start = bench_driver_now();
    const int code = splatt_csf_convert(c->order, c->nnz, crd, values, &p->csf, p->options);
    const uint64_t ns = bench_driver_now() - start;
    if (code != SPLATT_SUCCESS)
        bench_driver_fail("splatt_csf_convert failed with error %d", code);
    for (uint64_t m = 0; m < c->order; m++)
        free(crd[m]);
    return (double)ns;
}

/* The least of a few packing times: of the packings that fit into half a second. */
static double pack(problem *p, const bench_driver_case *c)
{
    double best = INFINITY, sum = 0;
    for (int i = 0; i < MAX_PACKINGS && sum < 5e8; i++) {
        const double ns = pack_once(p, c);
        best = ns < best ? ns : best;
        sum += ns;
    }
    for (uint64_t m = 0; m < c->order; m++)
        if (p->csf->dims[m] != p->nslices[m])
            bench_driver_fail("SPLATT counts %.0f slices of mode %d, but there are %.0f",
                              (double)p->csf->dims[m], (int)m, (double)p->nslices[m]);
    return best;
}

static uint64_t csf_nbytes(const splatt_csf *csf)
{
    uint64_t nbytes = 0;
    for (splatt_idx_t t = 0; t < csf->ntiles; t++) {
        const csf_sparsity *const tile = &csf->pt[t];
        for (splatt_idx_t level = 0; level < csf->nmodes; level++) {
            const uint64_t n = tile->nfibs[level], nfids = tile->fids[level] ? n : 0;
            const bool is_last = level + 1 == csf->nmodes;
            nbytes += nfids * sizeof(splatt_idx_t) + (is_last ? 0 : (n + 1) * sizeof(splatt_idx_t));
            nbytes += is_last ? n * sizeof(splatt_val_t) : 0;
        }
    }
    return nbytes;
}

/* ---- the driver ---- */

static void *open_case(bench_driver_ready *ready, bench_driver_case *c, int nthreads)
{
    static problem p;
    if (c->order < 2 || c->order > MAX_MODES)
        bench_driver_fail("SPLATT takes only tensors of 2 to %d modes", MAX_MODES);
    if (c->nnz > SPLATT_IDX_MAX)
        bench_driver_fail("the indices of this SPLATT have %d bits, which is too small",
                          SPLATT_IDX_TYPEWIDTH);
    for (uint64_t m = 0; m < c->order; m++)
        if (c->dims[m] > SPLATT_IDX_MAX)
            bench_driver_fail("the indices of this SPLATT have %d bits, which is too small",
                              SPLATT_IDX_TYPEWIDTH);
    p.mode = c->mode;
    p.rank = c->rank;
    p.options = splatt_default_opts();
    p.options[SPLATT_OPTION_NTHREADS] = nthreads;
    p.options[SPLATT_OPTION_CSF_ALLOC] = SPLATT_CSF_ALLMODE;
    p.options[SPLATT_OPTION_TILE] = SPLATT_NOTILE;
    p.options[SPLATT_OPTION_VERBOSITY] = SPLATT_VERBOSITY_NONE;
    for (uint64_t m = 0; m < c->order; m++)
        find_slices(&p, c, m);
    take_rows(&p, c);
    ready->pack_ns = pack(&p, c);
    for (uint64_t m = 0; m < c->order; m++)
        ready->nbytes += csf_nbytes(&p.csf[m]);
    p.is_split = core_is_there();
    if (p.is_split)
        core_open(&p, c->order, nthreads);
    ready->version = p.is_split ? VERSION : VERSION ", each run planning anew";
    p.cells = bench_driver_alloc(c->ncells, sizeof *p.cells);
    memset(p.cells, 0, c->ncells * sizeof *p.cells);
    return &p;
}

static void run(void *state)
{
    const problem *const p = state;
    splatt_val_t *rows[MAX_MODES];
    if (p->is_split) {
        splatt_mttkrp_csf(p->csf, core.matrices, p->mode, core.threads, core.plan, p->options);
        return;
    }
    memcpy(rows, p->rows, sizeof rows);
    const int code = splatt_mttkrp(p->mode, p->rank, p->csf, rows, p->rows[p->mode], p->options);
    if (code != SPLATT_SUCCESS)
        bench_driver_fail("splatt_mttkrp failed with error %d", code);
}

static void overwrite(void *state)
{
    const problem *const p = state;
    for (uint64_t i = 0; i < p->nslices[p->mode] * p->rank; i++)
        p->rows[p->mode][i] = NAN;
}

/* Rows of empty slices are and stay 0. */
static const double *result(void *state)
{
    const problem *const p = state;
    for (uint64_t i = 0; i < p->nslices[p->mode]; i++)
        memcpy(p->cells + p->slice[p->mode][i] * p->rank, p->rows[p->mode] + i * p->rank,
               p->rank * sizeof *p->cells);
    return p->cells;
}

int main(int argc, char **argv)
{
    static const bench_driver driver = {
        .open = open_case, .run = run, .overwrite = overwrite, .result = result};
    return bench_driver_main(argc, argv, &driver);
}
