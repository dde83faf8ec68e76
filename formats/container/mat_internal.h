/* What the readers of .mat files before version 7.3 share: the elements of a variable of version 5 or 7, read in the order of the
 * file, as they are or inflated step by step; and the members of a file. */
#ifndef MAT_INTERNAL_H
#define MAT_INTERNAL_H

#include "file_bytes.h"
#include "inflate_stream.h"

enum { TSR_MI_MATRIX = 14, TSR_MI_COMPRESSED = 15 };

typedef struct tsr_mat_stream {
    tsr_file *file;
    bool big;             /* big-endian */
    uint64_t at, nbytes;  /* of the variable: read so far, all; nbytes 0: not a variable */
    uint64_t stored_left; /* bytes of the variable in the file that are not read */
    tsr_inflate *inflate; /* owned; NULL: the variable is not compressed */
} tsr_mat_stream;

/* Begin with the next variable of the file. The caller calls tsr_mat_stream_end also after a failure. TSR_CORRUPT. */
tsr_status tsr_mat_stream_begin(tsr_mat_stream *out, tsr_file *file, bool big, tsr_error *err) TSR_NODISCARD;
/* If only padding is left of a compressed variable, read the padding and check the checksum. TSR_CORRUPT. */
tsr_status tsr_mat_stream_finish(tsr_mat_stream *s, tsr_error *err) TSR_NODISCARD;
/* Go to the end of the variable in the file, and free what the stream holds. */
tsr_status tsr_mat_stream_end(tsr_mat_stream *s, tsr_error *err) TSR_NODISCARD;

/* Elements that follow each other: those of a variable, or of a field in it. */
typedef struct tsr_mat_cursor {
    tsr_mat_stream *stream;
    uint64_t next, end; /* places in the stream */
} tsr_mat_cursor;

/* An element whose data are read in order. */
typedef struct tsr_mat_element {
    uint32_t type;
    uint64_t nbytes, used;
    bool small; /* the data stand in the tag */
    unsigned char data[4];
    tsr_mat_stream *stream;
} tsr_mat_element;

/* The error for lengths that contradict each other. */
tsr_status tsr_mat_cut_off(tsr_error *err);
/* The integer of 4 bytes at p. */
uint32_t tsr_mat_word(const unsigned char *p, bool big);
/* Read the next element of a variable: a tag of 8 bytes and the data, padded to a multiple of 8 bytes; or a short tag and the
 * data in 8 bytes together. Data of the element before that were not read are skipped. */
tsr_status tsr_mat_next(tsr_mat_element *out, tsr_mat_cursor *c, tsr_error *err) TSR_NODISCARD;
/* Read the next n bytes of the data; out NULL: skip them. */
tsr_status tsr_mat_take(void *out, tsr_mat_element *e, uint64_t n, tsr_error *err) TSR_NODISCARD;
/* The value type of the numbers of an element. The tag of the element has the type; it can differ from the class of the matrix. */
bool tsr_mat_number_type(tsr_type *type, uint32_t mi);
/* The number of numbers of an element with the name (for messages), of which at least n must be there; *type: their type. */
tsr_status tsr_mat_count(uint64_t *there, tsr_type *type, const tsr_mat_element *e, const char *name,
                         uint64_t n, tsr_error *err) TSR_NODISCARD;

/* Where numbers go: to[0], to[stride], ... (bytes), converted to the type. */
typedef struct tsr_mat_target {
    void *to;
    size_t stride;
    tsr_type type;
} tsr_mat_target;
/* Read the first n numbers of an element, which has at least n. */
tsr_status tsr_mat_numbers(const tsr_mat_target *out, tsr_mat_element *e, uint64_t n,
                           tsr_error *err) TSR_NODISCARD;

/* ---- mat_index.c, mat4.c: the members of a file ---- */

typedef enum tsr_mat_kind {
    TSR_MAT_DENSE,
    TSR_MAT_SPARSE,   /* version 5: the indices of rows, the pointers of columns, the values */
    TSR_MAT_TRIPLETS, /* version 4: three or four columns of doubles, each with n + 1 numbers */
    TSR_MAT_STRUCT
} tsr_mat_kind;

/* A variable, or a field of a struct. */
typedef struct tsr_mat_member {
    char *path; /* owned: "Problem/A" */
    tsr_mat_kind kind;
    bool four; /* version 4 */
    bool big;  /* big-endian */
    bool packed, logical;
    tsr_type type; /* of the values as they are read */
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    uint64_t n;        /* values; of a sparse variable: entries, at most, that the arrays have */
    uint64_t variable; /* where the variable begins in the file; of version 4: the numbers */
    uint64_t at,
        end; /* the elements after the header, as places in the stream; of version 4: 0, the bytes of the numbers */
    uint32_t number_type; /* of version 4: as tsr_mat_number_type takes it */
    const char *fault;    /* NULL, or why the arrays cannot be read */
} tsr_mat_member;

typedef struct tsr_mat_index {
    tsr_mat_member *members; /* owned; n of them */
    int n, capacity;
} tsr_mat_index;

/* Find the members of a file from the first byte on. What was found before a failure stays in the index; clear it in any case. */
tsr_status tsr_mat_index_make(tsr_mat_index *out, tsr_file *file, tsr_error *err) TSR_NODISCARD;
void tsr_mat_index_clear(tsr_mat_index *index);
/* Add a member, whose path is copied. *full: no more are taken. */
tsr_status tsr_mat_index_add(tsr_mat_index *index, const tsr_mat_member *member, const char *path,
                             tsr_error *err) TSR_NODISCARD;
bool tsr_mat_index_is_full(const tsr_mat_index *index);

/* Whether 20 bytes are the header of a variable of version 4. */
bool tsr_mat4_is_header(const unsigned char *h);
/* Find the members of a file of version 4, of which the first 20 bytes were read. */
tsr_status tsr_mat4_index(tsr_mat_index *out, tsr_file *file, const unsigned char *first,
                          tsr_error *err) TSR_NODISCARD;

#endif
