/* Arrays of other software that are read piece by piece: from the arrays of a matrix by slices, or of coordinates, to a
 * feed of its entries. */
#ifndef ARRAY_PARTS_H
#define ARRAY_PARTS_H

#include "tsr_feed.h"

enum { TSR_PART_ARRAYS = TSR_MAX_ORDER + 1 };

/* One array: numbers of the type in the byte order of this machine. */
typedef struct tsr_part_array {
    const char *name; /* for messages; borrowed as long as the parts */
    tsr_type type;
    uint64_t n;
} tsr_part_array;

/* A tensor of a file. Arrays are numbered: matrix by slices: pointers 0, indices 1, values 2; coordinates: mode m is m,
 * values `order`; all cells: values 0. */
typedef struct tsr_array_parts {
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    bool slices; /* a matrix by slices of mode `major`; false: coordinates, or all cells */
    int major;
    uint64_t
        block[2]; /* slices of blocks, row-major in the values: rows and columns of one; 0: there are none */
    bool truth;   /* the values are bytes 0 and 1: a pattern if all entries have 1 */
    bool dense;   /* all cells, */
    bool fortran; /* by columns */
    tsr_part_array arrays[TSR_PART_ARRAYS];
    void *ctx; /* owned */
    /* out: elements [first, first + n) of array k. Mostly the calls go forward; one may begin with the last element of the
     * call before. */
    tsr_status (*read)(void *out, void *ctx, int k, uint64_t first, uint64_t n, tsr_error *err);
    void (*close)(void *ctx);
} tsr_array_parts;

/* Make a feed of the tensor. It gives the entries that reading the whole gives, in the same order, and refuses the same
 * arrays. The arrays of a matrix by slices are read once before, to learn whether the slices are sorted. Takes ownership of
 * in->ctx, on failure, too. TSR_UNSUPPORTED where the tensor or the options need the whole. */
tsr_status tsr_feed_of_arrays(tsr_feed **out, const tsr_array_parts *in, const tsr_read_options *options,
                              tsr_error *err) TSR_NODISCARD;
/* The error for arrays that this file cannot read in parts. TSR_UNSUPPORTED. */
tsr_status tsr_arrays_only_whole(tsr_error *err);

#endif
