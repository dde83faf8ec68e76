/* Matrices in HDF5 files of other software: AnnData, 10x Genomics, MATLAB 7.3, Octave, loom. An object of a
 * file tells by its own attributes and members what it is, so one reader serves all of these codecs. */
#ifndef HDF5_DIALECT_H
#define HDF5_DIALECT_H

#include "array_import.h"
#include "hdf5_io.h"
#include "tsr_brief.h"

/* What wrote a file. */
typedef enum tsr_hdf5_dialect {
    TSR_HDF5_OTHER,
    TSR_HDF5_BINSPARSE,
    TSR_HDF5_ANNDATA,
    TSR_HDF5_TENX,
    TSR_HDF5_MATLAB,
    TSR_HDF5_OCTAVE,
    TSR_HDF5_LOOM
} tsr_hdf5_dialect;
tsr_hdf5_dialect tsr_hdf5_tell(tsr_hdf5 *h5);
/* The same for a file that is probed; TSR_HDF5_OTHER for what is not HDF5 too. *hdf5 (may be NULL): the file
 * begins as HDF5 does. */
tsr_hdf5_dialect tsr_hdf5_tell_probe(bool *hdf5, const tsr_probe *probe);

/* Read the object of "file:object". Without an object: `usual` where there is such a matrix (may be NULL),
 * else the only sparse matrix; TSR_ARGUMENT lists them when there are several. */
tsr_status tsr_hdf5_read_object(tsr_data *out, const char *path, const char *usual,
                                const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;
/* Describe the object, or all matrices of the file. */
tsr_status tsr_hdf5_describe_objects(tsr_brief *out, const char *path, const tsr_read_options *options,
                                     tsr_error *err) TSR_NODISCARD;
/* The same in an open file, whose current group is the root. */
tsr_status tsr_hdf5_read_from(tsr_data *out, tsr_hdf5 *h5, const char *object, const char *usual,
                              const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;

/* Write the arrays of csr and csc (levels dense, compressed) into the current group. `widths`: of indices and
 * pointers; they are written as signed integers. */
typedef struct tsr_hdf5_slice_names {
    const char *data, *indices, *pointers;
    size_t indices_width, pointers_width;
} tsr_hdf5_slice_names;
tsr_status tsr_hdf5_write_slices(tsr_hdf5 *h5, const tsr_hdf5_slice_names *names, const tsr_tensor *tensor,
                                 const tsr_write_options *options, tsr_error *err) TSR_NODISCARD;
/* Whether the levels are those of csr (*major 0) or csc (*major 1), of a general matrix without fill. */
bool tsr_hdf5_takes_slices(int *major, const tsr_tensor *tensor);

#endif
