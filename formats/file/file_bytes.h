/* The bytes of a binary file in order: numbers of a type and a byte order, checked against what is left. */
#ifndef FILE_BYTES_H
#define FILE_BYTES_H

#include "npy_io.h"

typedef struct tsr_file {
    tsr_bytes bytes;
    int fd;                     /* -1: an image */
    const unsigned char *image; /* where the next byte stands */
} tsr_file;

/* Open a regular file. TSR_IO. */
tsr_status tsr_file_open(tsr_file *out, const char *path, tsr_error *err) TSR_NODISCARD;
/* The same for n bytes in memory, borrowed. */
void tsr_file_open_image(tsr_file *out, const void *bytes, size_t n);
void tsr_file_close(tsr_file *file);

/* The next integer of 4 or 8 bytes (with its sign when 4). */
tsr_status tsr_file_integer(int64_t *out, tsr_file *file, size_t width, bool big_endian,
                            tsr_error *err) TSR_NODISCARD;
/* The next n numbers; TSR_CORRUPT, before memory is taken, when fewer bytes are left. out->name is set. */
tsr_status tsr_file_numbers(tsr_numbers *out, tsr_file *file, tsr_type type, uint64_t n, bool big_endian,
                            tsr_error *err) TSR_NODISCARD;
/* Whether numbers of this byte order must be swapped on this machine. */
bool tsr_must_swap(bool big_endian);

#endif
