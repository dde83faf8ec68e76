/* Questions about the files that a command line names; "file.h5:group" means the file before the colon,
 * unless a file has that whole name. "-" is standard input or output. */
#ifndef TSR_CLI_FILES_H
#define TSR_CLI_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "tsr_error.h"

/* Bytes of the file; 0 when that is not known (standard input, a pipe, no such file). */
uint64_t tsr_cli_file_nbytes(const char *path);

/* Whether writing `out` can succeed as far as can be told before the work begins: its folder exists and may
 * be written to, it is no folder itself, and it is not the file `in`. TSR_IO, TSR_ARGUMENT. */
tsr_status tsr_cli_check_output(const char *out, const char *in, tsr_error *err) TSR_NODISCARD;

#endif
