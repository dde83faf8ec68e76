/* Reading a binary file from the beginning to the end: numbers of a type and a byte order. A read of more
 * bytes than are left is TSR_CORRUPT. */
#ifndef FILE_BYTES_H
#define FILE_BYTES_H

#include "npy_io.h"

typedef struct tsr_file {
    tsr_bytes bytes;
    int fd;
    uint64_t nbytes; /* of all of it */
} tsr_file;

/* Open a regular file; *out must not be moved while it is open. TSR_IO. */
tsr_status tsr_file_open(tsr_file *out, const char *path, tsr_error *err) TSR_NODISCARD;
/* Go back to the first byte. TSR_IO. */
tsr_status tsr_file_rewind(tsr_file *file, tsr_error *err) TSR_NODISCARD;
/* Read the n bytes after the next `skip` bytes, and stay at this place of the file. Returns the number of bytes read:
 * fewer than n if the file ends before. */
size_t tsr_file_peek(void *out, size_t n, const tsr_file *file, uint64_t skip);
/* Go on after the next n bytes without reading them. TSR_CORRUPT when fewer are left, TSR_IO. */
tsr_status tsr_file_skip(tsr_file *file, uint64_t n, tsr_error *err) TSR_NODISCARD;
void tsr_file_close(tsr_file *file);

/* Read the next integer of 4 or 8 bytes, which is signed. */
tsr_status tsr_file_integer(int64_t *out, tsr_file *file, size_t width, bool big_endian,
                            tsr_error *err) TSR_NODISCARD;
/* Read the next n numbers of a type. The caller sets out->name, and owns out->array. TSR_CORRUPT when fewer
 * bytes are left; this is checked before memory is allocated. */
tsr_status tsr_file_numbers(tsr_numbers *out, tsr_file *file, tsr_type type, uint64_t n, bool big_endian,
                            tsr_error *err) TSR_NODISCARD;
/* Fill to->array, whose data, n, width and type the caller sets, with the numbers after the next `skip` bytes; the place in the file
 * stays. TSR_IO when they cannot be read. */
tsr_status tsr_file_part(tsr_numbers *to, const tsr_file *file, uint64_t skip, bool big_endian,
                         tsr_error *err) TSR_NODISCARD;
/* Whether numbers of this byte order must be swapped on this machine. */
bool tsr_must_swap(bool big_endian);

#endif
