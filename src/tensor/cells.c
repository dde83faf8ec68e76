/* The walker of entries: see tsr_cells.h. */
#include <inttypes.h>

#include "cells_internal.h"

#include "tsr_parallel.h"

enum { BLOCK = TSR_LEVEL_BLOCK };

/* One thread's share of the positions. */
typedef struct share {
    uint64_t nentries; /* entries in the share */
    tsr_error err;     /* status TSR_OK: no error */
    cell_rows rows;
} share;

struct tsr_cells {
    const tsr_tensor *tensor; /* or NULL */
    const tsr_coo *coo;       /* or NULL */
    cell_climber climber;     /* of the tensor */
    bool dense;               /* positions of the last level that are not entries hold the fill */
    bool counts;              /* positions are not entries one to one, so that entries must be counted */
    bool iso_padding;         /* padding cannot be recognised by its value, since all positions share one */
    int nthreads;
    share *shares;
    bool (*take)(void *arg, int t, const tsr_cell_block *block);
    void *arg;
};

/* ---- from positions to coordinates ---- */

/* Remove padding from leaf and mode; returns the number of entries left. */
static size_t drop_padding(const tsr_cells *c, cell_rows *rows, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (!rows->image[i])
            continue;
        rows->leaf[kept] = rows->leaf[i];
        for (int m = 0; m < c->tensor->order; m++)
            rows->mode[m][kept] = rows->mode[m][i];
        kept++;
    }
    return kept;
}

/* Set rows.mode to the coordinates of the *n leaf positions at rows.leaf; positions that are padding are
 * removed, and *n is reduced. TSR_CORRUPT: padding holds a value. */
static tsr_status climb(const tsr_cells *c, share *s, size_t *n)
{
    if (cell_rows_climb(&s->rows, &c->climber, *n))
        return TSR_OK;
    if (c->iso_padding) {
        *n = drop_padding(c, &s->rows, *n);
        return TSR_OK;
    }
    size_t i = 0;
    while (s->rows.image[i])
        i++;
    return tsr_fail(&s->err, TSR_CORRUPT,
                    "position %" PRIu64 " of the last level holds a value, but is padding", s->rows.leaf[i]);
}

/* ---- the passes ---- */

static void count_share(void *arg, int t, int nthreads)
{
    const tsr_cells *c = arg;
    share *s = &c->shares[t];
    const uint64_t npos = c->tensor->npos, end = tsr_cut(npos, t + 1, nthreads);
    s->nentries = 0;
    if (!c->counts) {
        s->nentries = end - tsr_cut(npos, t, nthreads);
        return;
    }
    for (cell_cursor cursor = {.first = tsr_cut(npos, t, nthreads), .end = end}; cursor.first < end;) {
        size_t n = cell_rows_next(&s->rows, c->tensor, &cursor);
        if (c->iso_padding && climb(c, s, &n) != TSR_OK)
            return;
        s->nentries += n;
    }
}

static void walk_tensor(const tsr_cells *c, share *s, int t, int nthreads)
{
    tsr_cell_block block = {.position = s->rows.leaf};
    const uint64_t npos = c->tensor->npos, end = tsr_cut(npos, t + 1, nthreads);
    for (int m = 0; m < c->tensor->order; m++)
        block.crd[m] = s->rows.mode[m];
    for (cell_cursor cursor = {.first = tsr_cut(npos, t, nthreads), .end = end}; cursor.first < end;) {
        block.n = cell_rows_next(&s->rows, c->tensor, &cursor);
        if (block.n == 0)
            continue;
        if (climb(c, s, &block.n) != TSR_OK)
            return;
        if (block.n > 0 && !c->take(c->arg, t, &block))
            return;
    }
}

static void walk_coo(const tsr_cells *c, share *s, int t, int nthreads)
{
    tsr_cell_block block = {.n = 0};
    const uint64_t end = tsr_cut(c->coo->nnz, t + 1, nthreads);
    for (int m = 0; m < c->coo->order; m++)
        block.crd[m] = s->rows.mode[m];
    for (uint64_t first = tsr_cut(c->coo->nnz, t, nthreads); first < end; first += block.n) {
        block.n = end - first < BLOCK ? (size_t)(end - first) : BLOCK;
        for (int m = 0; m < c->coo->order; m++)
            tsr_array_load(s->rows.mode[m], &c->coo->crd[m], first, block.n);
        if (!c->take(c->arg, t, &block))
            return;
    }
}

static void walk_share(void *arg, int t, int nthreads)
{
    const tsr_cells *c = arg;
    if (c->tensor)
        walk_tensor(c, &c->shares[t], t, nthreads);
    else
        walk_coo(c, &c->shares[t], t, nthreads);
}

/* Run the body for all shares; returns the error of the first share that has one. */
static tsr_status run(tsr_cells *c, void (*body)(void *c, int t, int nthreads), tsr_error *err)
{
    tsr_parallel(c->nthreads, body, c);
    for (int t = 0; t < c->nthreads; t++)
        TSR_TRY(tsr_fail_as(err, &c->shares[t].err));
    return TSR_OK;
}

int tsr_cells_nshares(const tsr_cells *cells)
{
    return cells->nthreads;
}

tsr_status tsr_cells_count(uint64_t *counts, tsr_cells *cells, tsr_error *err)
{
    if (cells->tensor)
        TSR_TRY(run(cells, count_share, err));
    for (int t = 0; t < cells->nthreads; t++)
        counts[t] = cells->tensor ? cells->shares[t].nentries
                                  : tsr_cut(cells->coo->nnz, t + 1, cells->nthreads) -
                                        tsr_cut(cells->coo->nnz, t, cells->nthreads);
    return TSR_OK;
}

tsr_status tsr_cells_walk(tsr_cells *cells, bool (*take)(void *arg, int t, const tsr_cell_block *block),
                          void *arg, tsr_error *err)
{
    cells->take = take;
    cells->arg = arg;
    return run(cells, walk_share, err);
}

/* ---- making and freeing ---- */

static tsr_status bind_tensor(tsr_cells *c, tsr_error *err)
{
    const tsr_tensor *tensor = c->tensor;
    const uint64_t nvalues = tensor->iso ? 1 : tensor->npos;
    c->dense = tensor->nlevels == 0 || tsr_format_has_dense_leaf(tensor->format);
    c->counts = !tsr_format_stores_all(tensor->format);
    if (c->dense && (!tensor->values.data || tensor->values.n != nvalues))
        return tsr_fail(err, TSR_CORRUPT, "the tensor has %" PRIu64 " values for %" PRIu64 " positions",
                        tensor->values.data ? tensor->values.n : 0, nvalues);
    c->iso_padding = c->dense && tensor->iso && tensor->binding->may_pad;
    return cell_climber_init(&c->climber, tensor, err);
}

tsr_status tsr_cells_new(tsr_cells **out, const tsr_tensor *tensor, const tsr_coo *coo, int nthreads,
                         tsr_error *err)
{
    *out = NULL;
    tsr_cells *const c = tsr_calloc(1, sizeof *c);
    if (!c)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a walk over entries");
    *c = (tsr_cells){.tensor = tensor, .coo = coo, .nthreads = tsr_thread_count(nthreads)};
    void *shares = NULL;
    tsr_status status = tensor ? bind_tensor(c, err) : TSR_OK;
    if (status == TSR_OK)
        status = tsr_alloc_array(&shares, (uint64_t)c->nthreads, sizeof *c->shares, 1, "threads", err);
    c->shares = shares;
    for (int t = 0; t < c->nthreads && status == TSR_OK; t++)
        status = cell_rows_init(&c->shares[t].rows, tensor ? &c->climber : NULL,
                                tensor ? tensor->order : coo->order, err);
    if (status == TSR_OK)
        *out = c;
    else
        tsr_cells_free(c);
    return status;
}

void tsr_cells_free(tsr_cells *cells)
{
    if (!cells)
        return;
    for (int t = 0; cells->shares && t < cells->nthreads; t++)
        cell_rows_clear(&cells->shares[t].rows);
    tsr_free(cells->shares);
    cell_climber_clear(&cells->climber);
    tsr_free(cells);
}
