/* A library with SPLATT's interface: see splatt.h. As the real one does, it numbers slices that have entries
 * anew, frees arrays that it is given, and prints. -DWRONG: it forgets the last entry. */
#include "splatt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double *splatt_default_opts(void)
{
    return calloc(SPLATT_OPTION_NOPTIONS, sizeof(double));
}

static splatt_idx_t *numbered_anew(splatt_idx_t *count, splatt_idx_t *indices, splatt_idx_t n)
{
    splatt_idx_t max = 0, *const copy = malloc(n * sizeof *copy);
    for (splatt_idx_t e = 0; e < n; e++)
        max = indices[e] > max ? indices[e] : max;
    splatt_idx_t *const name = calloc(max + 1, sizeof *name);
    for (splatt_idx_t e = 0; e < n; e++)
        name[indices[e]] = 1;
    *count = 0;
    for (splatt_idx_t i = 0; i <= max; i++)
        name[i] = name[i] ? (*count)++ : 0;
    for (splatt_idx_t e = 0; e < n; e++)
        copy[e] = name[indices[e]];
    free(name);
    return copy;
}

int splatt_csf_convert(splatt_idx_t nmodes, splatt_idx_t nnz, splatt_idx_t **inds, splatt_val_t *vals,
                       splatt_csf **tensors, const double *options)
{
    splatt_csf *const all = calloc(nmodes, sizeof *all);
    csf_sparsity *const pt = calloc(1, sizeof *pt);
    printf("converting for %g threads\n", options[SPLATT_OPTION_NTHREADS]);
    if (options[SPLATT_OPTION_CSF_ALLOC] != SPLATT_CSF_ALLMODE)
        return SPLATT_ERROR_BADINPUT;
    pt->vals = vals;
    for (splatt_idx_t m = 0; m < nmodes; m++) {
        pt->nfibs[m] = nnz;
        pt->fids[m] = numbered_anew(&all[0].dims[m], inds[m], nnz);
        free(inds[m]);
        inds[m] = calloc(1, 1);
    }
    all[0].nnz = nnz;
    all[0].nmodes = nmodes;
    all[0].ntiles = 1;
    all[0].pt = pt;
    for (splatt_idx_t m = 1; m < nmodes; m++)
        all[m] = all[0];
    *tensors = all;
    return SPLATT_SUCCESS;
}

void splatt_free_csf(splatt_csf *tensors, const double *options)
{
    (void)options;
    for (splatt_idx_t m = 0; m < tensors->nmodes; m++)
        free(tensors->pt->fids[m]);
    free(tensors->pt->vals);
    free(tensors->pt);
    free(tensors);
}

int splatt_mttkrp(splatt_idx_t mode, splatt_idx_t ncolumns, const splatt_csf *tensors,
                  splatt_val_t **matrices, splatt_val_t *matout, const double *options)
{
    const csf_sparsity *const pt = tensors->pt;
    splatt_idx_t nnz = tensors->nnz;
#ifdef WRONG
    nnz--;
#endif
    (void)options;
    memset(matout, 0, tensors->dims[mode] * ncolumns * sizeof *matout);
    for (splatt_idx_t e = 0; e < nnz; e++)
        for (splatt_idx_t r = 0; r < ncolumns; r++) {
            splatt_val_t product = pt->vals[e];
            for (splatt_idx_t m = 0; m < tensors->nmodes; m++)
                if (m != mode)
                    product *= matrices[m][pt->fids[m][e] * ncolumns + r];
            matout[pt->fids[mode][e] * ncolumns + r] += product;
        }
    return SPLATT_SUCCESS;
}

/* Not called: of what else there would be to call with it, this library has nothing. */
splatt_mttkrp_ws *splatt_mttkrp_alloc_ws(const splatt_csf *tensors, splatt_idx_t ncolumns,
                                         const double *options)
{
    (void)tensors, (void)ncolumns, (void)options;
    return NULL;
}
