/* What the hdf5_dialect*.c files share. */
#ifndef HDF5_DIALECT_INTERNAL_H
#define HDF5_DIALECT_INTERNAL_H

#include "hdf5_dialect.h"

/* How an object holds a matrix. */
typedef enum tsr_hdf5_form {
    TSR_HDF5_NO_FORM,
    TSR_HDF5_ANNDATA_CSR,
    TSR_HDF5_ANNDATA_CSC,
    TSR_HDF5_TENX_CSC,
    TSR_HDF5_MATLAB_CSC,
    TSR_HDF5_OCTAVE_CSC,
    TSR_HDF5_SPTENSOR,     /* a struct of the Tensor Toolbox: subs, vals, size */
    TSR_HDF5_DENSE,        /* rows run slowest */
    TSR_HDF5_MATLAB_DENSE, /* columns run slowest; HDF5 has the dims the other way round */
    TSR_HDF5_PLAIN_DENSE   /* an unmarked array: read only if it is requested by name */
} tsr_hdf5_form;

/* The form of the object `name` in the current group, whose path is `parent`. */
tsr_hdf5_form tsr_hdf5_form_of(tsr_hdf5 *h5, const char *parent, const char *name);
/* Append the matrices of a file: a character, the path, NUL, for each. */
tsr_status tsr_hdf5_find_objects(tsr_text *found, tsr_hdf5 *h5, tsr_error *err) TSR_NODISCARD;
/* Open the file of "file:object"; *file is the caller's, on failure too. */
tsr_status tsr_hdf5_open_object(tsr_hdf5 **h5, char **file, const char **object, const char *path,
                                tsr_error *err) TSR_NODISCARD;
/* What the headers of an object report. */
tsr_status tsr_hdf5_describe_one(tsr_brief_tensor *out, tsr_hdf5 *h5, const char *object,
                                 tsr_error *err) TSR_NODISCARD;

#endif
