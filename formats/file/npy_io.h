/* NumPy's .npy: a header that tells type and shape, then the numbers. The header is parsed strictly and never
 * evaluated; arrays of objects (pickles), text and structures are refused by name. */
#ifndef NPY_IO_H
#define NPY_IO_H

#include "array_import.h"
#include "tsr_text.h"

/* Where the bytes of an array come from: a file, a member of a ZIP. */
typedef struct tsr_bytes {
    void *ctx;
    /* The next n bytes, all of them: TSR_CORRUPT where fewer are left. */
    tsr_status (*read)(void *ctx, void *out, size_t n, tsr_error *err);
    uint64_t left; /* how many there are from here on; `read` takes off what it gave */
} tsr_bytes;
tsr_status tsr_bytes_take(tsr_bytes *bytes, void *out, uint64_t n, tsr_error *err) TSR_NODISCARD;

/* What the header of an array says. */
typedef struct tsr_npy {
    char kind; /* f, i, u, b, c as in NumPy; S and U: text, which tsr_npy_read_text alone reads */
    bool big_endian, fortran;
    uint64_t item_nbytes;
    int order;
    uint64_t shape[TSR_MAX_ORDER];
    uint64_t n; /* numbers: the product of the shape */
} tsr_npy;

/* Read the header. TSR_SYNTAX (not a .npy, a header that NumPy does not write), TSR_UNSUPPORTED (objects and
 * other types), TSR_CORRUPT (a shape for which there are not enough bytes). */
tsr_status tsr_npy_read_header(tsr_npy *out, tsr_bytes *bytes, tsr_error *err) TSR_NODISCARD;
/* Then the numbers: out->name is set by the caller. *boolean: bytes 0 and 1. */
tsr_status tsr_npy_read_numbers(tsr_numbers *out, bool *boolean, const tsr_npy *npy, tsr_bytes *bytes,
                                tsr_error *err) TSR_NODISCARD;
/* Or one text of at most room - 1 characters. */
tsr_status tsr_npy_read_text(char *out, size_t room, const tsr_npy *npy, tsr_bytes *bytes,
                             tsr_error *err) TSR_NODISCARD;
/* The type of the numbers ("f16" for NumPy's half) for people. */
tsr_type tsr_npy_type(const tsr_npy *npy);

/* Append a header of version 1.0, such that the data begin at a multiple of 64. descr: "<f8", "|b1". */
void tsr_npy_add_header(tsr_text *text, const char *descr, bool fortran, int order, const uint64_t *shape);
/* The descr of a type in this machine's byte order: "<f8". */
const char *tsr_npy_descr(tsr_type type);

#endif
