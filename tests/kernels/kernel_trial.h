/* One trial of a kernel: made for some formats and types, run, and compared with what the oracle says. */
#ifndef KERNEL_TRIAL_H
#define KERNEL_TRIAL_H

#include "dense.h"
#include "tsr_kernel.h"

typedef struct kernel_trial {
    const char *what; /* printed when it fails */
    const tsr_notation *notation;
    const dense *tensors;       /* by number; [0]: what the result holds before (zeros where it is sparse) */
    const char *const *formats; /* by number */
    const dense *want;
    const double *magnitude; /* as in dense_compare */
    double tolerance;
    bool has_entries;             /* a sparse result must have the entries of `want`, zeros too */
    const tsr_type *types;        /* by number; NULL: F64 */
    const tsr_pack_options *pack; /* by number; NULL: as tsr_pack does */
    const char *schedule; /* one that is exclusive or deterministic must give the same bits for any number of
                             threads, a deterministic one for any number that it was planned for, too */
    tsr_kernel_engine
        engine; /* compiled ones run with 1, 2, 3 and 7 threads, others with 1 and in turns 2, 3 or 7 */
} kernel_trial;

/* TSR_OK: made, run (twice unless it is +=) and right; the test fails when it is wrong. Else why no kernel
 * was made. */
tsr_status kernel_try(const kernel_trial *trial, tsr_error *err);

#endif
