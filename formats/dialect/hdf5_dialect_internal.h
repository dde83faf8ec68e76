/* The types and functions that the hdf5_dialect*.c files share. */
#ifndef HDF5_DIALECT_INTERNAL_H
#define HDF5_DIALECT_INTERNAL_H

#include "hdf5_dialect.h"

/* How an object stores a matrix. */
typedef enum tsr_hdf5_form {
    TSR_HDF5_NO_FORM,
    TSR_HDF5_ANNDATA_CSR,
    TSR_HDF5_ANNDATA_CSC,
    TSR_HDF5_TENX_CSC,
    TSR_HDF5_MATLAB_CSC,
    TSR_HDF5_OCTAVE_CSC,
    TSR_HDF5_SPTENSOR,     /* a struct of the Tensor Toolbox: subs, vals, size */
    TSR_HDF5_DENSE,        /* row-major */
    TSR_HDF5_MATLAB_DENSE, /* column-major; the dims in HDF5 are reversed */
    TSR_HDF5_OCTAVE_DENSE, /* the same: `value` in a group with OCTAVE_NEW_FORMAT */
    TSR_HDF5_PLAIN_DENSE   /* an array without a mark of other software: read only by name */
} tsr_hdf5_form;

/* The form of the object `name` in the current group, which has the path `parent`. */
tsr_hdf5_form tsr_hdf5_form_of(tsr_hdf5 *h5, const char *parent, const char *name);
/* Append the matrices of a file to `found`: for each matrix the character 'a' + form, the path, and a
 * NUL. */
tsr_status tsr_hdf5_find_objects(tsr_text *found, tsr_hdf5 *h5, tsr_error *err) TSR_NODISCARD;
/* The error for a file without matrices: TSR_UNSUPPORTED, with a list of the members of the root. */
tsr_status tsr_hdf5_refuse_all(tsr_hdf5 *h5, tsr_error *err) TSR_NODISCARD;
/* Open the file of "file:object". The caller frees *file with tsr_free, also after a failure; *object points
 * into `path`, or is NULL. */
tsr_status tsr_hdf5_open_object(tsr_hdf5 **h5, char **file, const char **object, const char *path,
                                tsr_error *err) TSR_NODISCARD;
/* Describe an object from the headers. */
tsr_status tsr_hdf5_describe_one(tsr_brief_tensor *out, tsr_hdf5 *h5, const char *object,
                                 tsr_error *err) TSR_NODISCARD;

/* A matrix by slices whose arrays are in the current group. */
typedef struct tsr_hdf5_slices {
    tsr_hdf5_form form;
    int major;
    uint64_t dims[2];
    const char *data, *indices,
        *pointers; /* names of datasets; NULL: it is not such a matrix, or it has no arrays */
    bool boolean;
} tsr_hdf5_slices;
/* Find the object at `path`, and enter the group that has its arrays. */
tsr_status tsr_hdf5_find_slices(tsr_hdf5_slices *out, tsr_hdf5 *h5, const char *path,
                                tsr_error *err) TSR_NODISCARD;
/* Append the path of the object to read: `object`, or, without it, that which tsr_hdf5_read_object chooses. */
tsr_status tsr_hdf5_choose_object(tsr_text *path, tsr_hdf5 *h5, const char *object, const char *usual,
                                  tsr_error *err) TSR_NODISCARD;

/* Read the names of the rows and columns of the object of this form at `path` into the labels: obs and var of AnnData,
 * features and barcodes of 10x. Names that the file does not have, or that do not fit the dims, are left out. */
tsr_status tsr_hdf5_read_labels(tsr_labels *labels, tsr_hdf5 *h5, tsr_hdf5_form form, const char *path,
                                const uint64_t *dims, tsr_error *err) TSR_NODISCARD;

#endif
