/* As much of SPLATT's interface as tbench's driver uses, for a library of the tests' own that multiplies
 * entry by entry. */
#ifndef SPLATT_H
#define SPLATT_H

#include <stdint.h>

#define SPLATT_VER_MAJOR 2
#define SPLATT_VER_MINOR 0
#define SPLATT_VER_SUBMINOR 7
#define SPLATT_IDX_TYPEWIDTH 64
#define SPLATT_VAL_TYPEWIDTH 64
#define SPLATT_IDX_MAX UINT64_MAX
#define SPLATT_MAX_NMODES ((splatt_idx_t)8)

typedef uint64_t splatt_idx_t;
typedef double splatt_val_t;

enum { SPLATT_SUCCESS = 1, SPLATT_ERROR_BADINPUT };
enum {
    SPLATT_OPTION_NTHREADS,
    SPLATT_OPTION_CSF_ALLOC,
    SPLATT_OPTION_TILE,
    SPLATT_OPTION_VERBOSITY,
    SPLATT_OPTION_NOPTIONS
};
enum { SPLATT_NOTILE };
enum { SPLATT_CSF_ONEMODE, SPLATT_CSF_TWOMODE, SPLATT_CSF_ALLMODE };
enum { SPLATT_VERBOSITY_NONE };

typedef struct {
    splatt_idx_t nfibs[8], *fptr[8], *fids[8];
    splatt_val_t *vals;
} csf_sparsity;

typedef struct splatt_csf {
    splatt_idx_t nnz, nmodes, dims[8], ntiles;
    csf_sparsity *pt; /* here: the coordinates of mode m in fids[m] */
} splatt_csf;

typedef struct splatt_mttkrp_ws splatt_mttkrp_ws;

double *splatt_default_opts(void);
int splatt_csf_convert(splatt_idx_t nmodes, splatt_idx_t nnz, splatt_idx_t **inds, splatt_val_t *vals,
                       splatt_csf **tensors, const double *options);
void splatt_free_csf(splatt_csf *tensors, const double *options);
int splatt_mttkrp(splatt_idx_t mode, splatt_idx_t ncolumns, const splatt_csf *tensors,
                  splatt_val_t **matrices, splatt_val_t *matout, const double *options);
splatt_mttkrp_ws *splatt_mttkrp_alloc_ws(const splatt_csf *tensors, splatt_idx_t ncolumns,
                                         const double *options);

#endif
