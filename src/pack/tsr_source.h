/* Sources: where the packer gets entries from. A source knows the shape of a tensor and gives the logical
 * coordinates and the values of the entries, block by block, in the sequence of the source, as often as the packer
 * asks. Coordinates in memory and packed tensors are sources; a module with another one (blocks of a file)
 * fills tsr_source_type and tsr_source itself.
 *
 *     tsr_source *source;
 *     TSR_TRY(tsr_source_of_tensor(&source, tensor, err));
 *     TSR_TRY(tsr_pack_source(&out, source, format, &options, &stats, err));
 */
#ifndef TSR_SOURCE_H
#define TSR_SOURCE_H

#include "tsr_pack.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arrays that a source may offer to the packer: two per level, and the values. */
enum { TSR_SOURCE_MAX_ARRAYS = 4 * TSR_MAX_LEVELS + 1 };

/* A run of coordinates of one mode. */
typedef struct tsr_source_column {
    const void *data;
    size_t width; /* bytes per coordinate: 4 or 8 */
} tsr_source_column;

/* A block of n entries. The arrays are valid until the next block of the same thread is loaded. */
typedef struct tsr_source_block {
    tsr_source_column crd[TSR_MAX_ORDER]; /* order columns of n coordinates */
    const void *values; /* n values; the one value where the source is iso; undefined where not requested */
} tsr_source_block;

/* Entries [first, first + n), 1 <= n <= TSR_LEVEL_BLOCK, with the buffers of thread t. */
typedef struct tsr_source_range {
    int t;
    bool with_values; /* the values, too */
    uint64_t first;
    size_t n;
} tsr_source_range;

typedef struct tsr_source tsr_source;

typedef struct tsr_source_type {
    const char *name; /* "coordinates" */
    /* Called once before the first load: make the buffers of nthreads threads, and set source->nnz if it was not
     * known before. NULL: there is nothing to prepare. */
    tsr_status (*start)(tsr_source *source, int nthreads, tsr_error *err);
    /* Load a range of entries below nnz. Each thread loads its own blocks, mostly with rising `first`. The same
     * entries give the same answer each time. */
    tsr_status (*load)(tsr_source_block *block, tsr_source *source, const tsr_source_range *range,
                       tsr_error *err);
    /* Free everything that the source owns, and the source. */
    void (*free)(tsr_source *source);
} tsr_source_type;

struct tsr_source {
    const tsr_source_type *type;
    int order;                    /* modes */
    uint64_t dims[TSR_MAX_ORDER]; /* of each mode */
    uint64_t nnz;                 /* entries, duplicates counted */
    tsr_type value_type;
    tsr_structure structure;
    bool iso; /* all entries have the same value; always so where value_type is TSR_PATTERN */
    unsigned char value[TSR_MAX_VALUE_NBYTES]; /* that value */
    unsigned char fill[TSR_MAX_VALUE_NBYTES];  /* the value of absent cells where has_fill */
    bool has_fill;
    tsr_tensor *
        tensor; /* the packed tensor whose entries these are, in storage order; NULL: none. The packer may take
                           over its arrays */
    bool checked; /* all coordinates are known to be inside the dims */
    /* The values of all entries in the sequence of the source, which the packer may take over (set data to
     * NULL); NULL: the values are not in one array. */
    tsr_array *values;
    /* Owned arrays whose memory the packer may use for the result, or free, once it needs no more blocks. */
    int narrays;
    tsr_array *arrays[TSR_SOURCE_MAX_ARRAYS];
    /* The same coordinates as load gives, where all of them stand in one array: it may be taken over as `values`
     * may, once no more blocks are needed. NULL: they do not. */
    tsr_array *columns[TSR_MAX_ORDER];
};

/* The source of these coordinates, which it owns from now on; freed on failure, too. TSR_CORRUPT: an array has a
 * wrong length or width. */
tsr_status tsr_source_of_coo(tsr_source **out, tsr_coo *coo, tsr_error *err) TSR_NODISCARD;
/* The source of the entries of a packed tensor in storage order: its levels are climbed block by block. The
 * tensor must pass tsr_tensor_check; the source owns it from now on; it is freed on failure, too. Memory: blocks
 * of the threads; where the last level is full, also 8 bytes for each 1024 positions. TSR_CORRUPT: a wrong number
 * of values; when it is read: padding holds a value other than the fill. */
tsr_status tsr_source_of_tensor(tsr_source **out, tsr_tensor *tensor, tsr_error *err) TSR_NODISCARD;
void tsr_source_free(tsr_source *source);

/* tsr_pack for any source. The source is consumed and freed, on failure, too. Further errors: those of the
 * source. */
tsr_status tsr_pack_source(tsr_tensor **out, tsr_source *source, const tsr_format *format,
                           const tsr_pack_options *options, tsr_pack_stats *stats,
                           tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
