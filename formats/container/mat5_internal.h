/* What the readers of .mat files before version 7.3 share: a walk over the matrices of a file. */
#ifndef MAT5_INTERNAL_H
#define MAT5_INTERNAL_H

#include "mat5.h"
#include "mat5_stream.h"

/* A walk over the matrices of a file, which reads one of them or describes them. */
typedef struct tsr_mat_visit {
    const char *wanted; /* the path of one matrix; NULL: all */
    bool done;
    tsr_data *out; /* the matrix to read; NULL: describe */
    const tsr_read_options *options;
    tsr_brief *brief;
    bool names_only; /* describe without the counts that follow the indices */
    int nfound;
    tsr_text path;
} tsr_mat_visit;

/* Whether the matrix with this path is wanted; counts it. */
bool tsr_mat_wants(tsr_mat_visit *v, const char *path);
/* Read the first n numbers of an element, converted to the type: a real type, or a complex type, whose real parts are
 * these numbers. The caller sets out->name, and owns out->array. TSR_CORRUPT when the element has fewer. */
tsr_status tsr_mat_read_real(tsr_numbers *out, tsr_type type, tsr_mat_element *e, uint64_t n,
                             tsr_error *err) TSR_NODISCARD;
/* Read the imaginary parts of complex numbers. */
tsr_status tsr_mat_read_imaginary(tsr_numbers *out, tsr_mat_element *e, tsr_error *err) TSR_NODISCARD;

/* Whether 20 bytes are the header of a variable of version 4. */
bool tsr_mat4_is_header(const unsigned char *h);
/* Walk over a file of version 4, of which the first 20 bytes were read. */
tsr_status tsr_mat4_visit(tsr_mat_visit *v, tsr_file *file, const unsigned char *first,
                          tsr_error *err) TSR_NODISCARD;

#endif
