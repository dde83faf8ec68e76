/* The types and functions that the npz*.c files share: the arrays of an archive by name. */
#ifndef NPZ_INTERNAL_H
#define NPZ_INTERNAL_H

#include "tsr_brief.h"
#include "tsr_feed.h"
#include "zip_io.h"

/* The arrays that a sparse tensor may have in an archive. */
enum {
    NPZ_DATA,
    NPZ_SHAPE,
    NPZ_INDICES,
    NPZ_INDPTR,
    NPZ_ROW,
    NPZ_COL,
    NPZ_COORDS,
    NPZ_OFFSETS,
    NPZ_AXES,
    NPZ_FILL,
    NPZ_NPARTS
};

typedef struct tsr_npz_part {
    bool there;          /* the archive has the array */
    uint64_t member;     /* the number of the member */
    tsr_npy npy;         /* the header of the array */
    tsr_numbers numbers; /* owned; the data are NULL until the array is loaded */
    bool boolean;        /* the numbers are bytes 0 and 1 */
} tsr_npz_part;

/* An archive, the kind of the tensor in it, and the arrays of the tensor. */
typedef struct tsr_npz {
    tsr_zip *zip;   /* owned */
    bool scipy;     /* written by scipy.sparse; false: by pydata/sparse, or a single array */
    bool sparse;    /* false: a single array, in parts[NPZ_DATA] */
    char format[8]; /* if scipy: "csr", ... */
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    tsr_npz_part parts[NPZ_NPARTS];
} tsr_npz;

/* Whether the archive has a sparse tensor, of which the arrays are parts; otherwise the arrays are tensors. */
bool tsr_npz_is_sparse(const tsr_zip *zip);
/* Whether member i is an array, and not overwritten by a later one; *nbytes: the length of the name of the array, with which that
 * of the member begins. */
bool tsr_npz_is_array(size_t *nbytes, const tsr_zip *zip, uint64_t i);
/* Find out what kind of tensor the archive has: read the headers, the shape and the format. `object` is the
 * name of a single array, or NULL. *out owns the zip; after a failure the zip is freed. Clear *out with
 * tsr_npz_clear. TSR_UNSUPPORTED, TSR_ARGUMENT (no array `object`), TSR_CORRUPT, TSR_LIMIT. */
tsr_status tsr_npz_look(tsr_npz *out, tsr_zip *zip, const char *object, tsr_error *err) TSR_NODISCARD;
/* Read the tensor, and clear npz, also after a failure. */
tsr_status tsr_npz_read(tsr_data *out, tsr_npz *npz, const tsr_read_options *options,
                        tsr_error *err) TSR_NODISCARD;
/* Whether the absent cells have a value other than 0. */
tsr_status tsr_npz_has_fill(bool *out, tsr_npz *npz, tsr_error *err) TSR_NODISCARD;
/* Make a feed of the tensor, and clear npz, also after a failure. TSR_UNSUPPORTED: it is read only as a whole. */
tsr_status tsr_npz_feed(tsr_feed **out, tsr_npz *npz, const tsr_read_options *options,
                        tsr_error *err) TSR_NODISCARD;
/* Describe the tensor from the headers. */
tsr_status tsr_npz_describe(tsr_brief_tensor *out, const tsr_npz *npz, tsr_error *err) TSR_NODISCARD;
void tsr_npz_clear(tsr_npz *npz);

/* The functions of the codec: see takes_tensor, write_tensor and write_parts in tsr_codec.h. */
bool tsr_npz_takes_tensor(const tsr_tensor *tensor, const char **instead);
tsr_status tsr_npz_write(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                         uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_npz_write_parts(const char *path, tsr_parts *parts, const tsr_write_options *options,
                               uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;

#endif
