/* ZIP archives: members are read through libzip by the central directory alone; archives are written by
 * ourselves, stored, in one pass. */
#ifndef ZIP_IO_H
#define ZIP_IO_H

#include "npy_io.h"
#include "tsr_observer.h"

typedef struct tsr_zip tsr_zip;

/* Open for reading. TSR_IO, TSR_CORRUPT (not a ZIP, cut off). */
tsr_status tsr_zip_open(tsr_zip **out, const char *path, tsr_error *err) TSR_NODISCARD;
/* The same for an archive in memory, borrowed. */
tsr_status tsr_zip_open_image(tsr_zip **out, const void *bytes, size_t nbytes, tsr_error *err) TSR_NODISCARD;
/* Once more, for another thread. */
tsr_status tsr_zip_open_again(tsr_zip **out, const tsr_zip *zip, tsr_error *err) TSR_NODISCARD;
void tsr_zip_free(tsr_zip *zip);

/* How many members there are, and the name of one: never NULL. */
uint64_t tsr_zip_count(const tsr_zip *zip);
const char *tsr_zip_name(const tsr_zip *zip, uint64_t i);
/* The last member of the name, as Python has it; UINT64_MAX: there is none. */
uint64_t tsr_zip_find(const tsr_zip *zip, const char *name);
/* "stored", "deflated", or "?". */
const char *tsr_zip_method(const tsr_zip *zip, uint64_t i);

/* Open member i; bytes->ctx is closed by tsr_zip_end. A member that is encrypted, compressed in another way
 * than deflate, or longer than its stored bytes can make is refused. */
tsr_status tsr_zip_begin(tsr_bytes *bytes, tsr_zip *zip, uint64_t i, tsr_error *err) TSR_NODISCARD;
/* Close it; when all was read, the checksum must hold: TSR_CORRUPT. */
tsr_status tsr_zip_end(tsr_bytes *bytes, tsr_error *err) TSR_NODISCARD;
/* Close it, whatever is left. */
void tsr_zip_drop(tsr_bytes *bytes);

/* A piece of a member that is written. */
typedef struct tsr_zip_piece {
    const void *data;
    uint64_t nbytes;
} tsr_zip_piece;

typedef struct tsr_zip_writer tsr_zip_writer;
/* Write to path ("-" too), whole or not at all. */
tsr_status tsr_zip_writer_new(tsr_zip_writer **out, const char *path, const tsr_write_options *options,
                              tsr_error *err) TSR_NODISCARD;
/* Add a member made of the pieces; its data begin at a multiple of 64. */
tsr_status tsr_zip_writer_add(tsr_zip_writer *writer, const char *name, const tsr_zip_piece *pieces,
                              int npieces, tsr_error *err) TSR_NODISCARD;
/* Write the directory, and rename. *nbytes (may be NULL): bytes of the file. Frees the writer, on failure
 * too. */
tsr_status tsr_zip_writer_commit(tsr_zip_writer *writer, uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;
void tsr_zip_writer_free(tsr_zip_writer *writer);

#endif
