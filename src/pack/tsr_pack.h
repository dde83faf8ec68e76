/* Packing coordinates into a format, and back. */
#ifndef TSR_PACK_H
#define TSR_PACK_H

#include "tsr_observer.h"
#include "tsr_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The treatment of entries with the same coordinates. */
typedef enum tsr_duplicates {
    TSR_DUP_SUM,   /* add, in input order (the default); integer overflow is TSR_RANGE */
    TSR_DUP_FIRST, /* keep the first in input order */
    TSR_DUP_LAST,  /* keep the last in input order */
    TSR_DUP_KEEP,  /* store all, in input order; needs a format that keeps duplicates, else TSR_ARGUMENT */
    TSR_DUP_ERROR  /* TSR_DUPLICATE with the coordinates */
} tsr_duplicates;

/* The widths of level arrays. */
typedef enum tsr_index_width {
    TSR_INDEX_AUTO,    /* INTEROP where each level stores a whole coordinate, since other programs know such
                       formats and built-in kernels need it; else NARROW. The default of the tools, too */
    TSR_INDEX_NARROW,  /* per array the narrowest of 8, 16, 32, 64 bits that fits */
    TSR_INDEX_INTEROP, /* per array 32 bits where the largest element (size - 1 for crd, npos for pos) is
                          < 2^31, else 64 */
    TSR_INDEX_8,
    TSR_INDEX_16,
    TSR_INDEX_32,
    TSR_INDEX_64 /* exactly this width; TSR_RANGE where an array does not fit */
} tsr_index_width;
/* The width of 8, 16, 32 or 64 bits. */
static inline tsr_index_width tsr_index_width_of(int nbits)
{
    return nbits == 8 ? TSR_INDEX_8 : nbits == 16 ? TSR_INDEX_16 : nbits == 32 ? TSR_INDEX_32 : TSR_INDEX_64;
}

typedef struct tsr_pack_options {
    tsr_duplicates duplicates;
    tsr_index_width index_width;
    int nthreads;        /* 0: all */
    bool wraps;          /* TSR_DUP_SUM: integers wrap around, instead of TSR_RANGE */
    uint64_t max_nbytes; /* TSR_LIMIT for larger results; 0: only the memory that is left is a limit */
    const tsr_observer *observer; /* may be NULL */
} tsr_pack_options;

/* Facts about the packed entries. */
typedef struct tsr_pack_stats {
    uint64_t nentries;    /* number of input entries */
    uint64_t nstored;     /* number of stored entries */
    uint64_t nduplicates; /* input entries equal to the entry before them in storage order */
    bool was_sorted;      /* the input was in storage order and was not sorted */
    int key_nbits;        /* bits of the sort key; 0 where no keys were sorted */
    const char *way;      /* how they were packed, and why so: static text; NULL: they were not */
    /* the bytes that were read and written, about, besides the arrays of the result, and those that sorting the entries by keys would
     * take; 0: they were sorted, or filled in as they came */
    double way_nbytes, sort_nbytes;
} tsr_pack_stats;

/* Pack `coo` into `format`. The result does not depend on the number of threads. `coo` is consumed and
 * freed, on failure, too; its arrays are freed as soon as they are not needed, so peak memory is near twice
 * the coordinates. options may be NULL: all zero. stats may be NULL. Order 0 packs to one value. Stored zeros
 * are kept. TSR_LIMIT: too large for memory or max_nbytes; the size is computed before memory is allocated,
 * and the error contains it ("ddd of 12092 x 9184 x 28818 needs 25.6 TB"). TSR_CORRUPT: a coordinate is
 * outside its dim. TSR_ARGUMENT: entries that a singleton level cannot store, an empty pattern of order 0, or
 * a format of another order. TSR_DUPLICATE, TSR_RANGE: see above. TSR_CANCELLED. Time: O(n) where sorted,
 * else O(n * key digits). */
tsr_status tsr_pack(tsr_tensor **out, tsr_coo *coo, const tsr_format *format, const tsr_pack_options *options,
                    tsr_pack_stats *stats, tsr_error *err) TSR_NODISCARD;

/* The inverse of tsr_pack: entries in storage order. Padding is skipped, and stored zeros of compressed
 * levels are kept. Positions of a dense last level (or the cell of order 0) are skipped where the value is
 * bitwise equal to the fill (0 by default). TSR_CORRUPT: padding holds a value other than the fill. The
 * tensor must pass tsr_tensor_check. nthreads 0: all. */
tsr_status tsr_unpack(tsr_coo **out, const tsr_tensor *tensor, int nthreads, tsr_error *err) TSR_NODISCARD;

/* The result of tsr_unpack and tsr_pack, byte by byte, without the coordinates in between: the levels of the tensor
 * are climbed block by block (tsr_source.h), and nothing is sorted where the storage orders agree. From dense to dense the
 * values are moved directly (tsr_relayout.h), with stats->was_sorted true. `tensor` is consumed and freed, on
 * failure, too. Memory: source, result, and at most 16 bytes per entry. Errors: those of tsr_unpack and
 * tsr_pack. */
tsr_status tsr_convert(tsr_tensor **out, tsr_tensor *tensor, const tsr_format *format,
                       const tsr_pack_options *options, tsr_pack_stats *stats, tsr_error *err) TSR_NODISCARD;

/* The slices of the tensor at these coordinates of a mode (of 8 bytes), in this order and as often as they occur: dim index->n of the mode, the
 * same format. TSR_UNSUPPORTED: the first level is not a dense one of this mode, or levels below it are not lists or dense.
 * TSR_ARGUMENT: no such mode, or a coordinate outside. Memory: the result and 16 bytes per slice and level. */
tsr_status tsr_gather_slices(tsr_tensor **out, const tsr_tensor *tensor, int mode, const tsr_array *index,
                             int nthreads, tsr_error *err) TSR_NODISCARD;

/* The policy that TSR_INDEX_AUTO means for this format; any other policy itself. */
tsr_index_width tsr_pack_policy(tsr_index_width policy, const tsr_format *format);
/* The bytes of one element of `array` ("pos") of level l whose largest element is `max`, by a policy that is not TSR_INDEX_AUTO.
 * TSR_RANGE where `max` does not fit the width that the policy asks for. */
tsr_status tsr_pack_fit_width(size_t *width, tsr_index_width policy, uint64_t max, const char *array, int l,
                              tsr_error *err) TSR_NODISCARD;

/* An upper bound of the bytes of a tensor with this format, dims and type and nnz entries; exact where all
 * levels are dense. A compressed level has at most one position per entry. A double, since the bound may be
 * +inf. */
double tsr_pack_nbytes_bound(const tsr_format *format, const uint64_t *dims, tsr_type type, uint64_t nnz,
                             tsr_index_width width);

#ifdef __cplusplus
}
#endif
#endif
