/* MATLAB's .mat of versions 4, 5 and 7 (not HDF5): see mat.md. */
#ifndef MAT5_H
#define MAT5_H

#include "file_bytes.h"
#include "tsr_brief.h"

/* The answer of a probe (tsr_codec.h): 100 for version 5, 60 for version 4, which has no signature. */
int tsr_mat5_probe(const tsr_probe *probe);
/* Read the variable or field `object` ("Problem/A"); NULL: the only sparse matrix, else the only matrix.
 * TSR_ARGUMENT when the file has no such matrix, or, with NULL, several matrices. */
tsr_status tsr_mat5_read(tsr_data *out, tsr_file *file, const char *object, const tsr_read_options *options,
                         tsr_error *err) TSR_NODISCARD;
/* Describe `object`; NULL: all matrices. */
tsr_status tsr_mat5_describe(tsr_brief *out, tsr_file *file, const char *object,
                             tsr_error *err) TSR_NODISCARD;

/* The functions of the codec that write: see tsr_codec.h. They write version 5; 7 with compression. */
bool tsr_mat5_takes_tensor(const tsr_tensor *tensor, const char **instead);
tsr_status tsr_mat5_check(int order, tsr_type type, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_mat5_write(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                          uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;

#endif
