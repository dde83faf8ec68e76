/* Where the bytes of the members of a ZIP archive are in the file. */
#ifndef ZIP_PLACE_H
#define ZIP_PLACE_H

#include <stdbool.h>
#include <stdint.h>

/* An entry of the directory of an archive. */
typedef struct tsr_zip_place {
    uint64_t header; /* the offset of the local header of the member */
    uint64_t stored_nbytes, nbytes;
    uint32_t crc;
    uint16_t method, flags;
} tsr_zip_place;

/* Read the directory of the archive of file_nbytes bytes: count entries into places. False: the directory has another
 * number of entries, or cannot be read this way (the caller then reads members through libzip). */
bool tsr_zip_find_places(tsr_zip_place *places, uint64_t count, int fd, uint64_t file_nbytes);
/* The offset of the bytes of a member, which follow the local header. False: there is no such header, or the bytes are
 * not all in the file. */
bool tsr_zip_find_bytes(uint64_t *offset, const tsr_zip_place *place, int fd, uint64_t file_nbytes);
/* Read n bytes at the offset. False: errno, or the file is too short (errno 0). */
bool tsr_zip_read_at(int fd, void *out, uint64_t offset, uint64_t n);

#endif
