/* The result of a kernel after the run: its entries counted, those that are zero dropped. */
#include <string.h>

#include "tkern.h"
#include "tsr_cells.h"
#include "tsr_checked.h"
#include "tsr_pack.h"

enum { MAX_ROWS = 1 << 27 }; /* rows are counted up to this many */

tsr_status tsr_tkern_drop_zeros(tsr_tkern *t, tsr_error *err)
{
    const tsr_pack_options how = {.nthreads = t->s->common.nthreads, .observer = &t->report->observer};
    tsr_coo *coo;
    if (t->result->order == 0 || tsr_format_is_dense(t->result->format))
        return TSR_OK;
    TSR_TRY(tsr_unpack(&coo, t->result, t->s->common.nthreads, err));
    t->ndropped = tsr_coo_drop_zeros(coo);
    tsr_tensor *dropped;
    TSR_TRY(tsr_pack(&dropped, coo, t->result->format, &how, NULL, err));
    tsr_tensor_free(t->result);
    t->result = dropped;
    return TSR_OK;
}

/* ---- the summary ---- */

/* What a walk over the entries of the result counts; a copy of the entries would take more memory than they. */
typedef struct counted {
    const tsr_tensor *result;
    uint64_t nentries, nzeros;
    uint32_t *row; /* dims[0] numbers of entries; NULL: rows are not counted */
    bool has_rows;
    uint64_t nrows, most;
} counted;

static bool count_entries(void *arg, int share, const tsr_cell_block *block)
{
    counted *const c = arg;
    const tsr_array *const values = &c->result->values;
    (void)share; /* there is one */
    c->nentries += block->n;
    for (size_t i = 0; i < block->n; i++) {
        const uint64_t at = c->result->iso ? 0 : block->position[i];
        c->nzeros +=
            tsr_value_is_zero(c->result->type, (const unsigned char *)values->data + at * values->width);
        if (!c->row)
            continue;
        uint32_t *const n = &c->row[block->crd[0][i]];
        c->nrows += *n == 0;
        *n += *n < UINT32_MAX;
        c->most = *n > c->most ? *n : c->most;
    }
    return true;
}

/* Count the entries; false when memory runs out. */
static bool count_result(counted *c)
{
    void *block = NULL;
    tsr_cells *cells = NULL;
    const tsr_tensor *const result = c->result;
    if (result->order >= 2 && result->dims[0] <= MAX_ROWS &&
        tsr_alloc_array(&block, result->dims[0], sizeof *c->row, 1, "rows", NULL) == TSR_OK)
        c->row = block;
    const bool ok = tsr_cells_new(&cells, result, NULL, 1, NULL) == TSR_OK &&
                    tsr_cells_walk(cells, count_entries, c, NULL) == TSR_OK;
    tsr_cells_free(cells);
    c->has_rows = c->row != NULL;
    c->row = NULL;
    tsr_free(block);
    return ok;
}

void tsr_tkern_show_entries(const tsr_tkern *t)
{
    const tsr_tensor *const result = t->result;
    counted c = {.result = result};
    double cells = 1;
    if (result->order == 0 || tsr_format_is_dense(result->format) || !count_result(&c))
        return;
    for (int m = 0; m < result->order; m++)
        cells *= (double)result->dims[m];
    printf("%s     %llu entr%s, %.3g%% of the cells", t->tensor[0].name, (unsigned long long)c.nentries,
           c.nentries == 1 ? "y" : "ies", cells > 0 ? 100 * (double)c.nentries / cells : 0);
    if (c.nzeros > 0)
        printf(", %llu of them 0 (--drop-zeros drops these)", (unsigned long long)c.nzeros);
    if (t->ndropped > 0)
        printf(", %llu zero%s dropped", (unsigned long long)t->ndropped, t->ndropped == 1 ? "" : "s");
    if (c.has_rows) /* "; 13 of 15 coordinates of i have entries, at most 4" */
        printf("; %llu of %llu coordinates of %s have entries, at most %llu", (unsigned long long)c.nrows,
               (unsigned long long)result->dims[0], t->notation->var[t->notation->result->index[0]],
               (unsigned long long)c.most);
    printf("\n");
}

tsr_status tsr_tkern_settle(const tsr_tkern *t, tsr_tensor *result, tsr_error *err)
{
    if (t->s->has_type)
        return tsr_type_is_half(t->s->type) ? tsr_tensor_retype(result, t->s->type, err) : TSR_OK;
    return t->notation->is_truth ? tsr_tensor_make_pattern(result, err) : TSR_OK;
}
