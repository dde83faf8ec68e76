/* Octave's save -text: variables, each after comments with the name, the type and the sizes of the variable.
 * See texts.md. */
#ifndef OCTAVE_TEXT_H
#define OCTAVE_TEXT_H

#include "tsr_brief.h"
#include "tsr_feed.h"

/* Read the matrix `object` of the file; NULL: the only sparse matrix, else the only matrix. */
tsr_status tsr_octave_text_read(tsr_data *out, const char *path, const char *object,
                                const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;
/* The entries of that matrix in parts. TSR_UNSUPPORTED: truth values, and values of another type, are read as a whole. */
tsr_status tsr_octave_text_feed(tsr_feed **out, const char *path, const char *object,
                                const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;
/* Describe the matrices of the file, or the matrix `object`. Time grows with the file, memory does not. */
tsr_status tsr_octave_text_describe(tsr_brief *out, const char *path, const char *object,
                                    const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;
/* Whether the file begins like a text of Octave. */
bool tsr_octave_text_probe(const tsr_probe *probe);

#endif
