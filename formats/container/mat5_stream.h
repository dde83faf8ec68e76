/* The elements of a variable in a .mat file of version 5 or 7, read in the order of the file: as they are, or inflated step by
 * step. Only the numbers that the caller asks for are kept. */
#ifndef MAT5_STREAM_H
#define MAT5_STREAM_H

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

#endif
