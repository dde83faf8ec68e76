/* Matrices in containers of other software: AnnData, 10x Genomics, MATLAB 7.3, Octave... The attributes and the members of an
 * object determine what the object is (form.h), so all these codecs share one reader. */
#ifndef DIALECT_H
#define DIALECT_H

#include "form.h"
#include "held_arrays.h"
#include "tsr_feed.h"

/* Determine the dialect of an HDF5 file from a probe; NULL: it is none, or the file is not HDF5. *hdf5 (may be NULL): whether the file
 * begins like an HDF5 file. */
const tsr_dialect *tsr_dialect_tell_hdf5(bool *hdf5, const tsr_probe *probe);
/* The kind of container of a probe other than HDF5; NULL: it is none. *binsparse (may be NULL): whether it has tensors of
 * Binsparse. */
const tsr_container_type *tsr_dialect_tell_container(bool *binsparse, const tsr_probe *probe);

/* Read the object of "file:object". Without an object, read the matrix `usual` (may be NULL) if the file has
 * it, else the only sparse matrix, else the only matrix. TSR_ARGUMENT lists the matrices when there are
 * several. */
tsr_status tsr_dialect_read_object(tsr_data *out, const char *path, const char *usual,
                                   const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;
/* A feed of the object that tsr_dialect_read_object reads. TSR_UNSUPPORTED: it is read only as a whole. */
tsr_status tsr_dialect_feed_object(tsr_feed **out, const char *path, const char *usual,
                                   const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;
/* Describe the object of "file:object", or, without an object, all matrices of the file. */
tsr_status tsr_dialect_describe_objects(tsr_brief *out, const char *path, const tsr_read_options *options,
                                        tsr_error *err) TSR_NODISCARD;
/* tsr_dialect_read_object for an open file, whose current group is the root. */
tsr_status tsr_dialect_read_from(tsr_data *out, tsr_container *c, const char *object, const char *usual,
                                 const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;

/* The functions of a codec, NAME_read and NAME_feed, for all containers. USUAL: the object that is read where the path names none
 * and the file has it; NULL: none. */
#define TSR_DIALECT_READS(NAME, USUAL)                                                               \
    static tsr_status NAME##_read(tsr_data *out, const char *path, const tsr_read_options *options,  \
                                  tsr_error *err)                                                    \
    {                                                                                                \
        return tsr_dialect_read_object(out, path, USUAL, options, err);                              \
    }                                                                                                \
    static tsr_status NAME##_feed(tsr_feed **out, const char *path, const tsr_read_options *options, \
                                  tsr_error *err)                                                    \
    {                                                                                                \
        return tsr_dialect_feed_object(out, path, USUAL, options, err);                              \
    }
/* The same and NAME_probe, for a codec that claims the files of HDF5 of its dialect, tsr_dialect_NAME. */
#define TSR_DIALECT_READS_HDF5(NAME, USUAL)                                         \
    TSR_DIALECT_READS(NAME, USUAL)                                                  \
    static int NAME##_probe(const tsr_probe *probe)                                 \
    {                                                                               \
        return tsr_dialect_tell_hdf5(NULL, probe) == &tsr_dialect_##NAME ? 100 : 0; \
    }

/* What a dialect writes: see tsr_filling. */
typedef struct tsr_dialect_writing {
    tsr_held held;
    const tsr_write_options *options; /* never NULL */
} tsr_dialect_writing;
/* Write "file:object": `write` gets a tsr_dialect_writing as its context. */
tsr_status tsr_dialect_write_object(const char *path, const tsr_held *held, const tsr_write_options *options,
                                    tsr_status (*write)(tsr_container *to, const char *object,
                                                        const void *ctx, tsr_error *err),
                                    uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;
/* Write the arrays of csr or csc (levels dense, compressed) into the current group. Indices and pointers are
 * written as signed integers with these widths in bytes. */
typedef struct tsr_dialect_slice_names {
    const char *data, *indices, *pointers;
    size_t indices_width, pointers_width;
} tsr_dialect_slice_names;
tsr_status tsr_dialect_write_slices(tsr_container *c, const tsr_dialect_slice_names *names,
                                    const tsr_held *held, const tsr_write_options *options,
                                    tsr_error *err) TSR_NODISCARD;
/* Write a dataset of n texts: the prefix, followed by 0, 1, 2... if `numbered`. */
tsr_status tsr_dialect_write_names(tsr_container *c, const char *name, const char *prefix, bool numbered,
                                   uint64_t n, tsr_error *err) TSR_NODISCARD;
/* Write a dataset of the names. */
tsr_status tsr_dialect_write_labels(tsr_container *c, const char *name, const tsr_names *names,
                                    tsr_error *err) TSR_NODISCARD;
/* Whether the tensor is a general matrix without fill, as csr (*major is 0) or csc (*major is 1). */
bool tsr_dialect_takes_slices(int *major, const tsr_tensor *tensor);

#endif
