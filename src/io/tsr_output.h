/* Output that appears whole or not at all: it is written under a temporary name in the folder of the target,
 * and tsr_output_commit renames it. A target that cannot be replaced is written directly: standard output
 * ("-"), /dev/stdout, /dev/fd/N, pipes and devices. */
#ifndef TSR_OUTPUT_H
#define TSR_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_inflow.h"
#include "tsr_error.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A temporary file beside `path` that replaces `path` when it is complete. For writers that need a path
 * (HDF5). */
typedef struct tsr_tempfile tsr_tempfile;
/* Create an empty file, FOLDER/.NAME.XXXXXX.tmp, with mode 0666 & ~umask (or the mode of an existing target),
 * lock it with flock(2), and remove the temporary files of the same target whose processes are dead. Symbolic
 * links at `path` are followed: the link stays and its target is replaced. TSR_IO: the folder is missing or
 * not writable; the target is a folder, is not a regular file, or is not writable. */
tsr_status tsr_tempfile_new(tsr_tempfile **out, const char *path, tsr_error *err) TSR_NODISCARD;
const char *tsr_tempfile_path(const tsr_tempfile *temp);
/* An open descriptor of the temporary file, for reading and writing; borrowed. Where another user could
 * rename the file, write only through this descriptor and do not open the path again. */
int tsr_tempfile_fd(const tsr_tempfile *temp);
/* Flush the file to disk (fsync) and rename it to the target. */
tsr_status tsr_tempfile_commit(tsr_tempfile *temp, tsr_error *err) TSR_NODISCARD;
/* Remove the file unless it was committed. NULL is fine. */
void tsr_tempfile_free(tsr_tempfile *temp);

typedef struct tsr_output tsr_output;
typedef struct tsr_output_options {
    int gzip_level; /* 1..9: gzip; 0: gzip level 6 when the path ends in ".gz", else plain; -1: plain always
                     */
    int nthreads;   /* threads for compression; 0: all */
    const tsr_sink
        *sink; /* takes the bytes instead of the file `path`, whose suffix still counts; NULL: the file */
} tsr_output_options;

tsr_status tsr_output_open(tsr_output **out, const char *path, const tsr_output_options *options,
                           tsr_error *err) TSR_NODISCARD;
/* Append nbytes bytes. After a failure every later call fails the same way. Gzip output is cut into members
 * that are compressed in parallel; the bytes of the file depend neither on the number of threads nor on how
 * the text is cut into calls. */
tsr_status tsr_output_write(tsr_output *output, const void *bytes, size_t nbytes,
                            tsr_error *err) TSR_NODISCARD;
/* Whether bytes that were written can be changed before the commit: plain output to a file that will be renamed. */
bool tsr_output_can_patch(const tsr_output *output);
/* Replace the n bytes from `offset` on, which were written before. */
tsr_status tsr_output_patch(tsr_output *output, uint64_t offset, const void *bytes, size_t n,
                            tsr_error *err) TSR_NODISCARD;
/* Write the buffered bytes, close, rename. TSR_IO with the system's text ("no space left on device"...). */
tsr_status tsr_output_commit(tsr_output *output, tsr_error *err) TSR_NODISCARD;
/* Write the text as the whole file, uncompressed. Errors of the text, and as above. */
tsr_status tsr_output_text(const char *path, const tsr_text *text, tsr_error *err) TSR_NODISCARD;
/* Bytes of the file written so far (compressed bytes for gzip). */
uint64_t tsr_output_nbytes(const tsr_output *output);
/* Close the output, and remove the file unless it was committed. NULL is fine. */
void tsr_output_free(tsr_output *output);

#ifdef __cplusplus
}
#endif
#endif
