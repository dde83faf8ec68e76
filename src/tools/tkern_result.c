/* The result of a kernel after the run: its entries counted, those that are zero dropped. */
#include <string.h>

#include "tkern.h"
#include "tsr_checked.h"
#include "tsr_pack.h"

enum { MAX_ROWS = 1 << 27 }; /* rows are counted up to this many */

/* Whether value i of the coo is 0, -0 too. */
static bool is_zero(const tsr_coo *coo, uint64_t i)
{
    double v[2] = {0};
    const unsigned char *const at =
        (const unsigned char *)coo->values.data + (coo->iso ? 0 : i) * coo->values.width;
    return tsr_values_convert(v, TSR_C128, at, coo->type, 1, NULL) == TSR_OK && v[0] == 0 && v[1] == 0;
}

tsr_status tsr_tkern_drop_zeros(tsr_tkern *t, tsr_error *err)
{
    const tsr_pack_options how = {.nthreads = t->s->common.nthreads, .observer = &t->report->observer};
    tsr_coo *coo;
    if (t->result->order == 0 || tsr_format_is_dense(t->result->format))
        return TSR_OK;
    TSR_TRY(tsr_unpack(&coo, t->result, t->s->common.nthreads, err));
    const size_t nbytes = coo->values.width;
    unsigned char *const values = coo->values.data;
    uint64_t n = 0;
    for (uint64_t i = 0; i < coo->nnz; i++) {
        if (is_zero(coo, i))
            continue;
        for (int m = 0; m < coo->order; m++)
            tsr_array_set(&coo->crd[m], n, tsr_array_get(&coo->crd[m], i));
        if (!coo->iso)
            memmove(values + n * nbytes, values + i * nbytes, nbytes);
        n++;
    }
    t->ndropped = coo->nnz - n;
    coo->nnz = n;
    for (int m = 0; m < coo->order; m++)
        coo->crd[m].n = n;
    if (!coo->iso)
        coo->values.n = n;
    tsr_tensor *dropped;
    TSR_TRY(tsr_pack(&dropped, coo, t->result->format, &how, NULL, err));
    tsr_tensor_free(t->result);
    t->result = dropped;
    return TSR_OK;
}

/* ---- the summary ---- */

/* "; 13 of 15 coordinates of i have entries, at most 4". */
static void show_rows(const tsr_tkern *t, const tsr_coo *coo)
{
    void *block;
    uint64_t nonempty = 0, most = 0;
    const uint64_t n = coo->dims[0];
    if (coo->order < 2 || n > MAX_ROWS ||
        tsr_alloc_array(&block, n, sizeof(uint32_t), 1, "rows", NULL) != TSR_OK)
        return;
    uint32_t *const count = block;
    for (uint64_t i = 0; i < coo->nnz; i++) {
        uint32_t *const c = &count[tsr_array_get(&coo->crd[0], i)];
        nonempty += *c == 0;
        *c += *c < UINT32_MAX;
        most = *c > most ? *c : most;
    }
    printf("; %llu of %llu coordinates of %s have entries, at most %llu", (unsigned long long)nonempty,
           (unsigned long long)n, t->notation->var[t->notation->result->index[0]], (unsigned long long)most);
    tsr_free(count);
}

void tsr_tkern_show_entries(const tsr_tkern *t)
{
    const tsr_tensor *const result = t->result;
    tsr_coo *coo;
    double cells = 1;
    uint64_t nzeros = 0;
    if (result->order == 0 || tsr_format_is_dense(result->format) ||
        tsr_unpack(&coo, result, t->s->common.nthreads, NULL) != TSR_OK)
        return;
    for (int m = 0; m < result->order; m++)
        cells *= (double)result->dims[m];
    for (uint64_t i = 0; i < coo->nnz; i++)
        nzeros += is_zero(coo, i);
    printf("%s     %llu entr%s, %.3g%% of the cells", t->tensor[0].name, (unsigned long long)coo->nnz,
           coo->nnz == 1 ? "y" : "ies", cells > 0 ? 100 * (double)coo->nnz / cells : 0);
    if (nzeros > 0)
        printf(", %llu of them 0 (--drop-zeros drops these)", (unsigned long long)nzeros);
    if (t->ndropped > 0)
        printf(", %llu zero%s dropped", (unsigned long long)t->ndropped, t->ndropped == 1 ? "" : "s");
    show_rows(t, coo);
    printf("\n");
    tsr_coo_free(coo);
}
