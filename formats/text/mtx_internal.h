/* What the files of the MatrixMarket codec share. */
#ifndef MTX_INTERNAL_H
#define MTX_INTERNAL_H

#include "text_reader.h"

enum { MTX_MATRIX, MTX_VECTOR, MTX_TENSOR };

/* The contents of the banner and the size line. */
typedef struct mtx_header {
    int object; /* MTX_MATRIX, MTX_VECTOR or MTX_TENSOR */
    bool array;
    tsr_type type; /* of the field: f64 i64 u64 c128, pattern */
    tsr_structure structure;
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    uint64_t nnz;           /* number of entries that the file must contain */
    bool has_type, is_bool; /* a line "%%GraphBLAS type ..." gives the type of the values, */
    tsr_type as;            /* this one; u8 for bool */
} mtx_header;

/* ---- mtx_header.c ---- */

/* The first byte of comments. */
extern const char mtx_comment_chars[];
/* What follows "%%MatrixMarket" at p, in upper or lower case; NULL where that does not stand there. */
const char *mtx_skip_banner(const char *p, const char *end);
/* Read everything before the entries, and hold it against options->shape. TSR_SYNTAX, TSR_UNSUPPORTED, TSR_LIMIT and
 * those of tsr_lines. */
tsr_status mtx_read_header(mtx_header *h, tsr_lines *lines, const tsr_read_options *options,
                           tsr_error *err) TSR_NODISCARD;
/* The word of the banner for values of the type. */
const char *mtx_field_name(tsr_type type);

/* ---- mtx_write.c: functions of the codec ---- */

tsr_status mtx_check(int order, tsr_type type, tsr_error *err) TSR_NODISCARD;
tsr_status mtx_write_coo(const char *path, const tsr_coo *coo, const tsr_write_options *options,
                         uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;
tsr_status mtx_write_entries(const char *path, tsr_feed *reader, const tsr_write_options *options,
                             uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;
bool mtx_takes_tensor(const tsr_tensor *tensor, const char **instead);
tsr_status mtx_write_tensor(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                            uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;

#endif
