/* What the npz*.c files share: the arrays of an archive by name. */
#ifndef NPZ_INTERNAL_H
#define NPZ_INTERNAL_H

#include "tsr_brief.h"
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
    bool there;
    uint64_t member;
    tsr_npy npy;         /* its header */
    tsr_numbers numbers; /* owned; when it was loaded */
    bool boolean;
} tsr_npz_part;

/* An archive, what kind of tensor is in it, and its parts. */
typedef struct tsr_npz {
    tsr_zip *zip; /* owned */
    bool scipy;   /* written by scipy.sparse; else by pydata/sparse, or an array alone */
    bool sparse;
    char format[8]; /* scipy: "csr", ... */
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    tsr_npz_part parts[NPZ_NPARTS];
} tsr_npz;

/* Find out what is in the archive: headers, the shape and the format; `object` names an array (NULL: none).
 * Takes the zip, on failure too. */
tsr_status tsr_npz_look(tsr_npz *out, tsr_zip *zip, const char *object, tsr_error *err) TSR_NODISCARD;
/* Read it all: uses up what was looked at. */
tsr_status tsr_npz_read(tsr_data *out, tsr_npz *npz, const tsr_read_options *options,
                        tsr_error *err) TSR_NODISCARD;
tsr_status tsr_npz_describe(tsr_brief_tensor *out, const tsr_npz *npz, tsr_error *err) TSR_NODISCARD;
void tsr_npz_clear(tsr_npz *npz);

bool tsr_npz_takes_tensor(const tsr_tensor *tensor, const char **instead);
tsr_status tsr_npz_write(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                         uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;

#endif
