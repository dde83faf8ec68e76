/* The number of entries of a result, block by block: operands whose first mode has the first index of the result are cut into blocks of
 * rows, so that the result of one block at a time is in memory. */
#include <string.h>

#include "tsr_alloc.h"
#include "tsr_blocks.h"
#include "tsr_pack.h"

/* About how many entries of an operand a block has. */
enum { BLOCK_ENTRIES = 1 << 20 };

/* Add the tensors in e whose first mode alone has the variable to *rows. False: e needs all rows at once. */
static bool find_rows(uint32_t *rows, const tsr_expr *e, int var)
{
    if (!e || !(e->vars >> var & 1))
        return true;
    if (e->kind == TSR_EXPR_VAR || e->kind == TSR_EXPR_BAND)
        return false; /* rows are counted from the begin of a block */
    if (e->kind != TSR_EXPR_ACCESS)
        return find_rows(rows, e->a, var) && find_rows(rows, e->b, var);
    for (int m = 1; m < e->nindices; m++)
        if (e->index[m] == var)
            return false;
    *rows |= UINT32_C(1) << e->tensor;
    return !tsr_expr_has_window(e, false);
}

/* Whether an access in e reads a tensor of the set without the variable. */
static bool reads_whole(const tsr_expr *e, uint32_t rows, int var)
{
    if (!e)
        return false;
    if (e->kind == TSR_EXPR_ACCESS)
        return (rows >> e->tensor & 1) && !(e->vars >> var & 1);
    return reads_whole(e->a, rows, var) || reads_whole(e->b, rows, var);
}

/* The set of tensors that are cut where rows of the result are; empty: the statement is computed whole. */
static uint32_t cut_tensors(const tsr_notation *notation)
{
    const tsr_expr *const result = notation->result;
    uint32_t rows = 0;
    if (notation->nstatements > 0 || notation->accumulate || notation->where || notation->is_true ||
        notation->nfree == 0 || notation->nfree != result->nindices || tsr_expr_has_window(result, false))
        return 0;
    const int var = result->index[0];
    const bool fits = find_rows(&rows, notation->rhs, var) && !reads_whole(notation->rhs, rows, var);
    return fits ? rows : 0;
}

/* The operands of a block: slices of those that are cut. */
static tsr_status cut(tsr_tensor **slice, const tsr_blocks_counter *c, uint32_t rows, uint64_t first,
                      uint64_t n, tsr_error *err)
{
    tsr_array index = {0};
    TSR_TRY(tsr_array_init(&index, n, 8, 0, "the rows of a block", err));
    for (uint64_t r = 0; r < n; r++)
        ((uint64_t *)index.data)[r] = first + r;
    tsr_status status = TSR_OK;
    for (int t = 1; t < c->notation->ntensors && status == TSR_OK; t++)
        if (rows >> t & 1)
            status = tsr_gather_slices(&slice[t - 1], c->operands[t - 1], 0, &index, c->nthreads, err);
    tsr_array_clear(&index);
    return status;
}

/* Count the entries of the block of rows [first, first + n). */
static tsr_status count_block(uint64_t *nnz, const tsr_blocks_counter *c, uint32_t rows, uint64_t first,
                              uint64_t n, tsr_error *err)
{
    tsr_tensor *slice[TSR_NOTATION_MAX_TENSORS] = {NULL};
    const tsr_tensor *operands[TSR_NOTATION_MAX_TENSORS];
    uint64_t own = 0;
    tsr_status status = cut(slice, c, rows, first, n, err);
    for (int t = 0; t < c->notation->ntensors - 1; t++)
        operands[t] = slice[t] ? slice[t] : c->operands[t];
    if (status == TSR_OK)
        status = c->count(&own, c->arg, operands, err);
    for (int t = 0; t < c->notation->ntensors - 1; t++)
        tsr_tensor_free(slice[t]);
    *nnz += own;
    return status;
}

tsr_status tsr_blocks_count_entries(uint64_t *nnz, const tsr_blocks_counter *c, tsr_error *err)
{
    uint32_t rows = cut_tensors(c->notation);
    uint64_t nrows = 0, most = 0;
    *nnz = 0;
    for (int t = 1; t < c->notation->ntensors; t++)
        if (rows >> t & 1) {
            nrows = c->operands[t - 1]->dims[0];
            most = c->operands[t - 1]->npos > most ? c->operands[t - 1]->npos : most;
        }
    const uint64_t nblocks = most / BLOCK_ENTRIES + 1;
    if (rows == 0 || nrows == 0 || nblocks == 1)
        return c->count(nnz, c->arg, c->operands, err);
    const uint64_t each = (nrows - 1) / nblocks + 1;
    for (uint64_t first = 0; first < nrows; first += each) {
        const tsr_status status =
            count_block(nnz, c, rows, first, nrows - first < each ? nrows - first : each, err);
        if (first == 0 &&
            status == TSR_UNSUPPORTED) /* a format that is not cut by rows, or the statement is refused */
            return c->count(nnz, c->arg, c->operands, err);
        TSR_TRY(status);
    }
    return TSR_OK;
}
