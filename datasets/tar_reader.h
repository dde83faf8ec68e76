/* One file out of a tar archive (ustar, with GNU and pax long names) that is trusted in nothing: names are
 * only compared, never opened; sizes and checksums are checked; links, devices and folders are passed over.
 */
#ifndef TAR_READER_H
#define TAR_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"

/* Where the archive comes from, and where the file goes to. */
typedef struct tar_io {
    void *ctx;
    /* Up to n bytes to out; *got < n at the end of the archive only. */
    tsr_status (*read)(void *ctx, size_t *got, void *out, size_t n, tsr_error *err);
    tsr_status (*write)(void *ctx, const void *bytes, size_t n, tsr_error *err);
} tar_io;

/* Write the first regular file named `name`, in whatever folder. *found tells whether there was one. `path`
 * names the archive in errors: TSR_CORRUPT (bad header, ends too early), TSR_LIMIT (a name longer than 4
 * KiB), and what io's functions return. */
tsr_status tar_extract(bool *found, const tar_io *io, const char *name, const char *path,
                       tsr_error *err) TSR_NODISCARD;

#endif
