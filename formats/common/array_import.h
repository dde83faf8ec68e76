/* From the arrays of other software (any integer type, any byte order, sorted or not) to a tensor. A codec
 * reads the arrays of a file into a tsr_arrays; the functions below check everything in it. */
#ifndef ARRAY_IMPORT_H
#define ARRAY_IMPORT_H

#include "tsr_codec.h"

/* The numbers of one array of a file, in the byte order of this machine. */
typedef struct tsr_numbers {
    tsr_array array; /* owned; data NULL: the file does not have the array */
    tsr_type type;
    const char *name; /* the name in the file, for messages; borrowed */
} tsr_numbers;

/* One tensor of a file. The functions below that make a tsr_data of it clear it, also after a failure. */
typedef struct tsr_arrays {
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    tsr_structure structure;
    tsr_numbers values;
    bool iso;     /* all entries share one value */
    bool boolean; /* the values are bytes 0 and 1: a pattern when all of them are 1 */
    bool has_fill;
    _Alignas(16) unsigned char fill[TSR_MAX_VALUE_NBYTES]; /* one value of the type of the values */
    uint64_t base;                                         /* the smallest index in the file: 0 or 1 */
    int major;                                             /* compressed: the mode of the slices: 0 or 1 */
    tsr_numbers pointers;                                  /* compressed: dims[major] + 1 elements */
    tsr_numbers crd[TSR_MAX_ORDER]; /* compressed: only crd[0], the indices; coordinates: one for each mode */
    uint64_t block[2];              /* blocks: rows and columns of one block */
    int ngrouped;                   /* grouped: the number of modes that make the rows */
    int grouped[TSR_MAX_ORDER];     /* grouped: these modes, the slowest first */
    bool fortran;                   /* dense: column-major */
} tsr_arrays;

void tsr_arrays_clear(tsr_arrays *in);
/* Replace the values by the value 1 for all entries. */
tsr_status tsr_arrays_make_pattern(tsr_arrays *in, tsr_error *err) TSR_NODISCARD;

/* Make a tensor of a matrix by slices: entries pointers[s] to pointers[s + 1] have the coordinate s in mode
 * `major`, and crd[0] in the other mode. If the indices of each slice rise, the result is a packed tensor
 * (csr, csc) with these arrays; else it is coordinates in the order of the file, with duplicates. TSR_CORRUPT
 * when a length, a pointer or an index is wrong. */
tsr_status tsr_arrays_compressed(tsr_data *out, tsr_arrays *in, const tsr_read_options *options,
                                 tsr_error *err) TSR_NODISCARD;
/* Make a tensor of a matrix of blocks by slices: each block has block[0] x block[1] cells, row-major in
 * `values`; `major` is 0. TSR_CORRUPT as above. */
tsr_status tsr_arrays_blocks(tsr_data *out, tsr_arrays *in, const tsr_read_options *options,
                             tsr_error *err) TSR_NODISCARD;
/* Make coordinates of a tensor that the file has as a matrix by slices: a row is a cell of the modes
 * grouped[0..ngrouped), a column is a cell of the other modes in increasing order, and both are numbered
 * row-major. TSR_CORRUPT as above. */
tsr_status tsr_arrays_grouped(tsr_data *out, tsr_arrays *in, const tsr_read_options *options,
                              tsr_error *err) TSR_NODISCARD;
/* Make coordinates: entry e is at (crd[0][e], crd[1][e], ...). TSR_CORRUPT as above. */
tsr_status tsr_arrays_coordinates(tsr_data *out, tsr_arrays *in, const tsr_read_options *options,
                                  tsr_error *err) TSR_NODISCARD;
/* Make a dense tensor: `values` has all cells. */
tsr_status tsr_arrays_dense(tsr_data *out, tsr_arrays *in, const tsr_read_options *options,
                            tsr_error *err) TSR_NODISCARD;

/* Subtract base (0 or 1) from all elements of an array of integers of the type, and return the length of the
 * array. When an element is less than base, change nothing and return the place of the first such element. */
uint64_t tsr_indices_rebase(tsr_array *array, tsr_type type, uint64_t base);
/* Change indices to unsigned integers that begin at 0. TSR_CORRUPT when an index is negative, less than
 * `base`, or not an integer. */
tsr_status tsr_numbers_to_indices(tsr_numbers *numbers, uint64_t base, tsr_error *err) TSR_NODISCARD;
/* Set the dims from an array of `order` numbers. TSR_CORRUPT. */
tsr_status tsr_numbers_to_dims(uint64_t *dims, const tsr_numbers *numbers, int order,
                               tsr_error *err) TSR_NODISCARD;
/* Look at elements [first, end) of an array of unsigned integers. Returns whether they rise; *beyond: the first one that is `dim` or
 * more, or `end`. */
bool tsr_indices_look(uint64_t *beyond, const tsr_array *indices, uint64_t first, uint64_t end, uint64_t dim);
/* Reverse the bytes of each number; of a complex number, of each part. */
void tsr_numbers_swap(tsr_numbers *numbers);
/* Check that the dims that the user gives, if any, are those of the file. TSR_ARGUMENT when they differ. */
tsr_status tsr_arrays_check_shape(const tsr_read_options *options, int order, const uint64_t *dims,
                                  tsr_error *err) TSR_NODISCARD;

/* Set *out to the numbers of `from` as integers of `width` bytes (4 or 8). If `from` has this width, *out
 * borrows from->data, else *out borrows *copy. The caller clears *copy in both cases. */
tsr_status tsr_indices_as(const void **out, tsr_array *copy, const tsr_array *from, size_t width,
                          tsr_error *err) TSR_NODISCARD;

#endif
