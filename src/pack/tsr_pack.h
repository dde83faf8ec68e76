/* Packing coordinates into a format, and back. */
#ifndef TSR_PACK_H
#define TSR_PACK_H

#include "tsr_observer.h"
#include "tsr_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tsr_duplicates {
    TSR_DUP_SUM,   /* add, in input order (the default); integer overflow is TSR_RANGE */
    TSR_DUP_FIRST, /* the first in input order wins */
    TSR_DUP_LAST,
    TSR_DUP_KEEP, /* store all, in input order; needs a format that keeps duplicates, else TSR_ARGUMENT */
    TSR_DUP_ERROR /* TSR_DUPLICATE with the coordinates */
} tsr_duplicates;

/* Which widths the level arrays get. */
typedef enum tsr_index_width {
    TSR_INDEX_AUTO, /* INTEROP where each level stores a whole coordinate (other programs know the format, and
                       the built-in kernels are made for it), else NARROW. The tools' choice too */
    TSR_INDEX_NARROW,  /* per array the narrowest of 8, 16, 32, 64 bits that fits */
    TSR_INDEX_INTEROP, /* per array 32 bits when its largest entry (size - 1 for crd, npos for pos) is < 2^31,
                          else 64 */
    TSR_INDEX_8,
    TSR_INDEX_16,
    TSR_INDEX_32,
    TSR_INDEX_64 /* exactly these; TSR_RANGE when an array does not fit */
} tsr_index_width;

typedef struct tsr_pack_options {
    tsr_duplicates duplicates;
    tsr_index_width index_width;
    int nthreads;        /* 0: all */
    uint64_t max_nbytes; /* refuse results larger than this, too: TSR_LIMIT; 0: what memory is left decides */
    const tsr_observer *observer; /* may be NULL */
} tsr_pack_options;

/* What packing found out and how long its steps took. */
typedef struct tsr_pack_stats {
    uint64_t nentries;    /* coordinates given */
    uint64_t nstored;     /* distinct coordinates stored (entries when duplicates are kept) */
    uint64_t nduplicates; /* entries that were merged, dropped or kept beside an equal one */
    bool was_sorted;      /* the entries already were in storage order: no sort */
    int key_nbits;        /* bits of the linearised storage coordinate (more than 128: sorted word by word) */
} tsr_pack_stats;

/* Pack `coo` into `format`. The result does not depend on the number of threads. `coo` is used up as packing
 * goes on (its arrays are freed as soon as they are not needed) and is freed, on failure too: peak memory
 * stays near twice the coordinates. stats may be NULL. Before any allocation the size is computed; TSR_LIMIT
 * says it in words ("ddd of 12092 x 9184 x 28818 needs 25.6 TB"). Order 0 packs to one value. Stored zeros
 * are kept. A coordinate outside its dim is TSR_CORRUPT; entries that a singleton level has no room for are
 * TSR_ARGUMENT, and so is an empty pattern of order 0 (its one cell is always stored). Time: O(n) sorted,
 * O(n * key digits) otherwise. */
tsr_status tsr_pack(tsr_tensor **out, tsr_coo *coo, const tsr_format *format, const tsr_pack_options *options,
                    tsr_pack_stats *stats, tsr_error *err) TSR_NODISCARD;

/* The exact inverse: entries in storage order, padding skipped, stored zeros of compressed levels kept;
 * positions of a dense leaf (or the cell of order 0) whose value is bitwise the fill (0 by default) are
 * skipped. Padding that holds something else is TSR_CORRUPT. The tensor must be sound (tsr_tensor_check).
 * nthreads 0: all. */
tsr_status tsr_unpack(tsr_coo **out, const tsr_tensor *tensor, int nthreads, tsr_error *err) TSR_NODISCARD;

/* tsr_unpack, then tsr_pack (which does not sort when the order already agrees), or what amounts to it: from
 * dense to dense values go straight to their places (tsr_relayout.h), and stats tell that nothing was sorted.
 * `tensor` is used up and freed. */
tsr_status tsr_convert(tsr_tensor **out, tsr_tensor *tensor, const tsr_format *format,
                       const tsr_pack_options *options, tsr_pack_stats *stats, tsr_error *err) TSR_NODISCARD;

/* Bytes that a tensor of this format, dims and type takes for nnz entries: an upper bound that is exact for
 * dense levels (compressed levels: at most one position per entry). +inf is possible: a double. */
double tsr_pack_nbytes_bound(const tsr_format *format, const uint64_t *dims, tsr_type type, uint64_t nnz,
                             tsr_index_width width);

#ifdef __cplusplus
}
#endif
#endif
