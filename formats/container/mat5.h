/* MATLAB's .mat of versions 4, 5 and 7 (not HDF5): see mat.md. mat_container.c reads them, mat_write.c writes 5 and 7. */
#ifndef MAT5_H
#define MAT5_H

#include "tsr_codec.h"

enum { TSR_MAT_HEAD_NBYTES = 128 };

/* The answer of a probe (tsr_codec.h) to the first n bytes of a file: 100 for version 5, 60 for version 4, which has no
 * signature. */
int tsr_mat_claim(const unsigned char *head, size_t n);

/* Functions of the codec that writes: see tsr_codec.h. */
bool tsr_mat_takes_tensor(const tsr_tensor *tensor, const char **instead);
tsr_status tsr_mat_check(int order, tsr_type type, tsr_error *err) TSR_NODISCARD;
/* Check the name of the variable (NULL: none was given), and that it is not to be added to a file. */
tsr_status tsr_mat_check_target(const char *file, const char *object, tsr_error *err) TSR_NODISCARD;
/* Whether version 5 can hold the tensor: fewer than 2^31 rows, columns, entries and bytes. */
bool tsr_mat5_fits(const tsr_tensor *tensor);
/* Write a file with the variable: version 5, or 7 with compression. TSR_LIMIT. */
tsr_status tsr_mat5_write(const char *file, const char *name, const tsr_tensor *tensor,
                          const tsr_write_options *options, uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;
/* Write a file of version 7.3 with the variable. */
tsr_status tsr_mat73_write(const char *file, const char *name, const tsr_tensor *tensor,
                           const tsr_write_options *options, uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;

#endif
