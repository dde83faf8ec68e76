/* NumPy's .npy: a header with the type and the shape, then the numbers. The header is parsed strictly and
 * never evaluated. Arrays of objects (pickles), of text and of structures are refused, each with an error of
 * its own. */
#ifndef NPY_IO_H
#define NPY_IO_H

#include "array_import.h"
#include "tsr_brief.h"
#include "tsr_text.h"

/* A sequence of bytes to read: from a file, or from a member of a ZIP archive. */
typedef struct tsr_bytes {
    void *ctx;
    /* Read the next n bytes; TSR_CORRUPT when fewer bytes are left. */
    tsr_status (*read)(void *ctx, void *out, size_t n, tsr_error *err);
    uint64_t left; /* the bytes that are left; tsr_bytes_take subtracts n */
} tsr_bytes;
/* Read the next n bytes to `out`. TSR_CORRUPT when fewer bytes are left. */
tsr_status tsr_bytes_take(tsr_bytes *bytes, void *out, uint64_t n, tsr_error *err) TSR_NODISCARD;

/* The header of an array. */
typedef struct tsr_npy {
    char kind; /* f, i, u, b, c as in NumPy; S and U: texts */
    bool big_endian, fortran;
    uint64_t item_nbytes;
    int order;
    uint64_t shape[TSR_MAX_ORDER];
    uint64_t n; /* the product of the shape */
} tsr_npy;

/* Set kind, byte order and size of an element from a type of NumPy, such as "<f8" or "|b1". TSR_UNSUPPORTED. */
tsr_status tsr_npy_parse_descr(tsr_npy *npy, const char *text, size_t n, tsr_error *err) TSR_NODISCARD;
/* Read the header. TSR_SYNTAX (the bytes are not a .npy array, or NumPy does not write such a header),
 * TSR_UNSUPPORTED (the type is not supported), TSR_CORRUPT (fewer bytes follow than the shape needs),
 * TSR_LIMIT. */
tsr_status tsr_npy_read_header(tsr_npy *out, tsr_bytes *bytes, tsr_error *err) TSR_NODISCARD;
/* Read the numbers, which follow the header. The caller sets out->name, and owns out->array. *boolean: the
 * numbers are bytes 0 and 1. */
tsr_status tsr_npy_read_numbers(tsr_numbers *out, bool *boolean, const tsr_npy *npy, tsr_bytes *bytes,
                                tsr_error *err) TSR_NODISCARD;
/* Append one item of texts (kinds S and U), which are padded with NUL, as UTF-8. */
void tsr_npy_add_text(tsr_text *text, const tsr_npy *npy, const unsigned char *item);
/* The value type in which the numbers are read; two bytes of unknown kind are bf16. */
tsr_type tsr_npy_type(const tsr_npy *npy);

/* Append a header of version 1.0 that has a multiple of 64 bytes. descr: "<f8", "|b1". */
void tsr_npy_add_header(tsr_text *text, const char *descr, bool fortran, int order, const uint64_t *shape);
/* The descr of a value type in the byte order of this machine: "<f8". */
const char *tsr_npy_descr(tsr_type type);

#endif
