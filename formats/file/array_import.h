/* Arrays as other software stores them (any integer type, any byte order, sorted or not) become a tensor here
 * and nowhere else. A codec reads its arrays into a tsr_arrays; nothing in them is believed before it was
 * checked. */
#ifndef ARRAY_IMPORT_H
#define ARRAY_IMPORT_H

#include "tsr_codec.h"

/* The numbers of one array of a file, in the byte order of this machine. */
typedef struct tsr_numbers {
    tsr_array array; /* owned; data NULL: absent */
    tsr_type type;
    const char *name; /* in the file, for messages */
} tsr_numbers;

/* What a file tells of one tensor. The functions below use it up, on failure too. */
typedef struct tsr_arrays {
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    tsr_structure structure;
    tsr_numbers values;
    bool iso;     /* there is one value for all entries */
    bool boolean; /* the values are bytes 0 and 1: a pattern when all of them are 1 */
    bool has_fill;
    unsigned char fill[TSR_MAX_VALUE_NBYTES]; /* of the type of the values */
    uint64_t base;                            /* the first index: 0 or 1 */
    int major;                                /* compressed: the mode whose slices `pointers` tells */
    tsr_numbers pointers;                     /* compressed: dims[major] + 1 entries */
    tsr_numbers crd[TSR_MAX_ORDER]; /* compressed: crd[0] are the indices; coordinates: one for each mode */
    uint64_t block[2];              /* blocks: rows and columns of one block */
    int ngrouped;                   /* grouped: how many modes are the rows */
    int grouped[TSR_MAX_ORDER];     /* grouped: which, the slowest first */
    bool fortran;                   /* dense: the first mode runs fastest */
} tsr_arrays;

void tsr_arrays_clear(tsr_arrays *in);

/* A matrix by slices: entries pointers[s] to pointers[s + 1] have the coordinate s in mode `major`, and
 * crd[0] in the other mode. A packed tensor (csr, csc) with these arrays when the indices of each slice rise;
 * else coordinates, duplicates kept, in the order of the file. TSR_CORRUPT: a length, a pointer or an index
 * that cannot be. */
tsr_status tsr_arrays_compressed(tsr_data *out, tsr_arrays *in, const tsr_read_options *options,
                                 tsr_error *err) TSR_NODISCARD;
/* The same for blocks of block[0] x block[1] cells, each row-major in `values`: major is 0. */
tsr_status tsr_arrays_blocks(tsr_data *out, tsr_arrays *in, const tsr_read_options *options,
                             tsr_error *err) TSR_NODISCARD;
/* A tensor as a matrix by slices: a row is a cell of the modes grouped[0..ngrouped), a column is a cell of
 * the other modes in their order, both row-major. Becomes coordinates. */
tsr_status tsr_arrays_grouped(tsr_data *out, tsr_arrays *in, const tsr_read_options *options,
                              tsr_error *err) TSR_NODISCARD;
/* Coordinates: entry e stands at (crd[0][e], crd[1][e], ...). */
tsr_status tsr_arrays_coordinates(tsr_data *out, tsr_arrays *in, const tsr_read_options *options,
                                  tsr_error *err) TSR_NODISCARD;
/* All cells. */
tsr_status tsr_arrays_dense(tsr_data *out, tsr_arrays *in, const tsr_read_options *options,
                            tsr_error *err) TSR_NODISCARD;

/* Indices become unsigned numbers from 0 on: TSR_CORRUPT for a negative one, for one below the base, and for
 * numbers that are not integers. */
tsr_status tsr_numbers_to_indices(tsr_numbers *numbers, uint64_t base, tsr_error *err) TSR_NODISCARD;
/* Dims out of an array of `order` numbers. */
tsr_status tsr_numbers_to_dims(uint64_t *dims, const tsr_numbers *numbers, int order,
                               tsr_error *err) TSR_NODISCARD;
/* Swap the bytes of each number (of each part of a complex one). */
void tsr_numbers_swap(tsr_numbers *numbers);
/* 16-bit floats in `raw` become the f32 that they are exactly; raw is cleared. */
tsr_status tsr_numbers_widen_half(tsr_numbers *numbers, tsr_array *raw, tsr_error *err) TSR_NODISCARD;
/* The shape that the user gives, if any, against that of the file: TSR_ARGUMENT. */
tsr_status tsr_arrays_check_shape(const tsr_read_options *options, int order, const uint64_t *dims,
                                  tsr_error *err) TSR_NODISCARD;

/* `from` as integers of `width` bytes (4 or 8): *out borrows from->data where that is what it holds, else
 * *copy (which the caller clears) holds the numbers. */
tsr_status tsr_indices_as(const void **out, tsr_array *copy, const tsr_array *from, size_t width,
                          tsr_error *err) TSR_NODISCARD;

#endif
