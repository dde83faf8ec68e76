/* Checks of the files that a command line names. "file.h5:group" means the file before the colon, unless a
 * file has the whole name. "-" is standard input or output. */
#ifndef TSR_FILES_H
#define TSR_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "tsr_error.h"

/* The size of the file in bytes; 0 if unknown (standard input, a pipe, a missing file). */
uint64_t tsr_file_nbytes(const char *path);

/* Check that `out` is not a folder. TSR_IO. */
tsr_status tsr_check_not_folder(const char *out, tsr_error *err) TSR_NODISCARD;
/* Check, before the work begins, that `out` can be written: the folder of `out` exists and is writable,
 * `out` is not a folder, and `out` is not the file `in`. TSR_IO, TSR_ARGUMENT. */
tsr_status tsr_check_output(const char *out, const char *in, tsr_error *err) TSR_NODISCARD;

#endif
