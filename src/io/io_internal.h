/* What the files of io share: system calls on files that report errors as sentences, and gzip inflation. */
#ifndef IO_INTERNAL_H
#define IO_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_inflow.h"
#include "tsr_observer.h"
#include "tsr_output.h"

/* A file that is read once, from front to back. */
typedef struct tsr_source {
    int fd;
    tsr_inflow inflow; /* read NULL: the descriptor is read */
    const char *path;  /* of the file, for error messages; borrowed */
    bool waits;        /* the file is a pipe or a device: wait for data in a way that tsr_interrupt can end */
    bool at_end;       /* read(2) has returned 0 */
    atomic_uint_fast64_t nbytes; /* bytes read so far */
} tsr_source;

/* Read up to `room` > 0 bytes to `out`; *n = 0 at the end. TSR_IO, TSR_CANCELLED. */
tsr_status tsr_source_read(size_t *n, tsr_source *source, void *out, size_t room,
                           tsr_error *err) TSR_NODISCARD;

/* Write all nbytes to fd. `path` and `done` (bytes written before) appear in the error message only. TSR_IO;
 * TSR_CANCELLED after tsr_interrupt, since a write to a pipe may wait forever. */
tsr_status tsr_write_all(int fd, const void *bytes, size_t nbytes, const char *path, uint64_t done,
                         tsr_error *err) TSR_NODISCARD;

/* The text of a gzip file (RFC 1952): all members in order; the checksum and the length of each member are
 * checked. Zero bytes after the last member are padding; any other bytes there are ignored with a warning. */
typedef struct tsr_gunzip tsr_gunzip;

/* Inflate `head` (nhead bytes that were already read, at most TSR_GUNZIP_NBYTES) and then the rest of
 * `source`, which must outlive the result. TSR_NOMEM. */
enum { TSR_GUNZIP_NBYTES = 1 << 18 };
tsr_status tsr_gunzip_new(tsr_gunzip **out, tsr_source *source, const void *head, size_t nhead,
                          const tsr_observer *observer, tsr_error *err) TSR_NODISCARD;
/* Inflate up to `room` > 0 bytes to `out`; *n = 0 at the end, after the last member was checked. TSR_IO;
 * TSR_CORRUPT with the byte offset in the file. */
tsr_status tsr_gunzip_read(size_t *n, tsr_gunzip *gunzip, void *out, size_t room,
                           tsr_error *err) TSR_NODISCARD;
/* The number of bytes of the file that were inflated. */
uint64_t tsr_gunzip_nbytes(const tsr_gunzip *gunzip);
void tsr_gunzip_free(tsr_gunzip *gunzip);

/* A compressor of gzip members; libdeflate allocates it. Without gzip (TSR_WITH_GZIP=OFF) it is not available. */
typedef struct tsr_deflate tsr_deflate;
bool tsr_deflate_available(void);
tsr_deflate *tsr_deflate_new(int level); /* NULL: out of memory */
/* The most bytes that nbytes of text take as one member. */
size_t tsr_deflate_bound(tsr_deflate *d, size_t nbytes);
/* One member; its length, 0 if it is longer than `room`. */
size_t tsr_deflate_run(tsr_deflate *d, void *out, size_t room, const void *in, size_t nbytes);
void tsr_deflate_free(tsr_deflate *d); /* may be NULL */

#endif
