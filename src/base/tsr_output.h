/* Output that is there whole or not at all: written to a temporary name in the target's folder and renamed by
 * tsr_output_commit. Written as it comes is what cannot be replaced: standard output ("-"), /dev/stdout,
 * /dev/fd/N, pipes and devices. */
#ifndef TSR_OUTPUT_H
#define TSR_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A temporary name beside `path`, renamed over it when whole. For writers that want a path (HDF5). */
typedef struct tsr_tempfile tsr_tempfile;
/* Creates an empty file, FOLDER/.NAME.XXXXXX.tmp, of mode 0666 & ~umask (or the mode of an existing target),
 * locked with flock(2), and removes those of the same target whose process is dead. Symbolic links at `path`
 * are followed, so the link stays and its target is replaced. TSR_IO: folder missing, not writable; a target
 * that is a folder, not a regular file, or that may not be written. */
tsr_status tsr_tempfile_new(tsr_tempfile **out, const char *path, tsr_error *err) TSR_NODISCARD;
const char *tsr_tempfile_path(const tsr_tempfile *temp);
/* An open descriptor of it, for reading and writing; borrowed. A file whose name others may change is to be
 * written by this alone, never opened again by its path. */
int tsr_tempfile_fd(const tsr_tempfile *temp);
/* Flush to disk (fsync) and rename over the target. */
tsr_status tsr_tempfile_commit(tsr_tempfile *temp, tsr_error *err) TSR_NODISCARD;
/* Remove what was not committed. NULL is fine. */
void tsr_tempfile_free(tsr_tempfile *temp);

typedef struct tsr_output tsr_output;
typedef struct tsr_output_options {
    int gzip_level; /* 1..9: gzip; 0: gzip level 6 when the path ends in ".gz", else plain; -1: plain always
                     */
    int nthreads;   /* for compression; 0: all */
} tsr_output_options;

tsr_status tsr_output_open(tsr_output **out, const char *path, const tsr_output_options *options,
                           tsr_error *err) TSR_NODISCARD;
/* Append nbytes. After a failure every later call fails the same way. Gzip output is cut into members that
 * are compressed side by side; the bytes written do not depend on the number of threads nor on how the text
 * is cut into calls. */
tsr_status tsr_output_write(tsr_output *output, const void *bytes, size_t nbytes,
                            tsr_error *err) TSR_NODISCARD;
/* Write what is buffered, close, rename. TSR_IO says what went wrong (no space left...). */
tsr_status tsr_output_commit(tsr_output *output, tsr_error *err) TSR_NODISCARD;
/* Bytes of the file so far (compressed). */
uint64_t tsr_output_nbytes(const tsr_output *output);
/* Close and remove what was not committed. NULL is fine. */
void tsr_output_free(tsr_output *output);

/* Whether both paths lead to one file (through links or not); false when either does not exist. */
bool tsr_same_file(const char *a, const char *b);

#ifdef __cplusplus
}
#endif
#endif
