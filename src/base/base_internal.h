/* What base shares inside itself: system calls on files, with their errors in words; gzip inflation. */
#ifndef BASE_INTERNAL_H
#define BASE_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_observer.h"
#include "tsr_output.h"

/* Bytes of all blocks of tsr_alloc.h that are large enough to be counted (64 kB and more) and not freed; 0
 * where the system does not tell a block's size. */
uint64_t base_held_nbytes(void);

/* A file that is read once, from front to back. */
typedef struct tsr_source {
    int fd;
    const char *path;            /* for messages; borrowed */
    bool waits;                  /* a pipe or the like: wait so that tsr_interrupt ends it */
    bool at_end;                 /* read(2) has said so */
    atomic_uint_fast64_t nbytes; /* read so far */
} tsr_source;

/* Wait until fd can be read from (events = POLLIN) or written to (POLLOUT), or is at its end or broken.
 * TSR_CANCELLED, TSR_IO. */
tsr_status tsr_wait_ready(int fd, short events, const char *path, tsr_error *err) TSR_NODISCARD;

/* Read up to `room` > 0 bytes to `out`; *n = 0 at the end. TSR_IO, TSR_CANCELLED. */
tsr_status tsr_source_read(size_t *n, tsr_source *source, void *out, size_t room,
                           tsr_error *err) TSR_NODISCARD;

/* Write all nbytes to fd; `path` and `done` (bytes written before) are for the message. TSR_IO,
 * TSR_CANCELLED (what fd is may be a pipe that nobody reads). */
tsr_status tsr_write_all(int fd, const void *bytes, size_t nbytes, const char *path, uint64_t done,
                         tsr_error *err) TSR_NODISCARD;

/* The text of a gzip file (RFC 1952): all members, one after the other, with their checksums and lengths
 * verified. Zero bytes after the last member are padding; anything else there is ignored with a warning. */
typedef struct tsr_gunzip tsr_gunzip;

/* Inflate `head` (nhead bytes already read, at most TSR_GUNZIP_NBYTES) and then the rest of `source`, which
 * must outlive the result. TSR_NOMEM. */
enum { TSR_GUNZIP_NBYTES = 1 << 18 };
tsr_status tsr_gunzip_new(tsr_gunzip **out, tsr_source *source, const void *head, size_t nhead,
                          const tsr_observer *observer, tsr_error *err) TSR_NODISCARD;
/* Inflate up to `room` > 0 bytes to `out`; *n = 0 at the end, which is after the last member is verified.
 * TSR_IO; TSR_CORRUPT naming the byte of the file. */
tsr_status tsr_gunzip_read(size_t *n, tsr_gunzip *gunzip, void *out, size_t room,
                           tsr_error *err) TSR_NODISCARD;
void tsr_gunzip_free(tsr_gunzip *gunzip);

#endif
