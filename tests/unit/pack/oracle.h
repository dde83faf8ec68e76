/* A packer that is slow and obvious: entries as tuples sorted by qsort, arrays built level by level. It
 * shares no code with src/pack, and takes coordinates through the map one by one. */
#ifndef ORACLE_H
#define ORACLE_H

#include "tsr_test.h"

#include "tsr_pack.h"

typedef struct oracle_level {
    uint64_t nparents, npos;
    uint64_t *pos, *crd; /* nparents + 1 and npos entries, or NULL */
} oracle_level;

typedef struct oracle {
    tsr_status status; /* what packing must return; the rest is there only when TSR_OK */
    oracle_level levels[TSR_MAX_LEVELS];
    uint64_t nstored, nduplicates;
    bool was_sorted;
    uint64_t npos;         /* positions of the last level */
    uint64_t nvalues;      /* npos, or 1 when iso */
    unsigned char *values; /* nvalues values */
} oracle;

/* Pack a copy of the entries (coo stays as it is). */
void oracle_pack(oracle *o, const tsr_coo *coo, const tsr_format *format, tsr_duplicates policy);
void oracle_clear(oracle *o);
/* Fail the test unless the tensor is exactly this, in arrays of the widths that the policy asks for. `what`
 * is printed then. */
void oracle_compare(const oracle *o, const tsr_tensor *tensor, tsr_index_width policy, const char *what);

/* For tsr_observer: cancels after *(int *)ctx calls. */
bool cancel_after(void *ctx, const char *phase, uint64_t done, uint64_t total);

/* ---- making and comparing coordinates ---- */

tsr_coo *coo_copy(const tsr_coo *coo);
/* nnz random entries; `distinct` removes duplicates (then there may be fewer). Values are random bits (small
 * numbers when `small`). The order is random. */
tsr_coo *coo_random(tsr_rng *rng, tsr_shape shape, tsr_type type, uint64_t nnz, bool distinct, bool small);
/* Sort the entries by the coordinates of the format's levels. */
void coo_sort(tsr_coo *coo, const tsr_format *format);
/* Leave out entries whose value is bitwise the fill. */
void coo_drop_fill(tsr_coo *coo);
/* The same entries in the same order, bit for bit? */
void coo_must_equal(const tsr_coo *a, const tsr_coo *b, const char *what);

#endif
