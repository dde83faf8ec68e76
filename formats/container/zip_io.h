/* ZIP archives. libzip reads the members that the central directory lists; Tessera itself writes archives,
 * with stored members, or deflated ones by tsr_write_options.deflate, in one pass. */
#ifndef ZIP_IO_H
#define ZIP_IO_H

#include "npy_io.h"
#include "tsr_observer.h"

typedef struct tsr_zip tsr_zip;

/* Open an archive to read it; free it with tsr_zip_free. TSR_IO, TSR_CORRUPT (not a ZIP archive, or
 * truncated). */
tsr_status tsr_zip_open(tsr_zip **out, const char *path, tsr_error *err) TSR_NODISCARD;
/* Open the same archive once more, for another thread. */
tsr_status tsr_zip_open_again(tsr_zip **out, const tsr_zip *zip, tsr_error *err) TSR_NODISCARD;
void tsr_zip_free(tsr_zip *zip);

/* The path with which the archive was opened, as long as it is open. */
const char *tsr_zip_path(const tsr_zip *zip);
/* The number of threads that may read one stored member: 1 at first. */
void tsr_zip_set_threads(tsr_zip *zip, int nthreads);
/* The number of members, and the name of member i, which is never NULL. */
uint64_t tsr_zip_count(const tsr_zip *zip);
const char *tsr_zip_name(const tsr_zip *zip, uint64_t i);
/* The last member with this name, as in Python; UINT64_MAX: the archive has no such member. */
uint64_t tsr_zip_find(const tsr_zip *zip, const char *name);
/* How member i is compressed: "stored", "deflated", or "?". */
const char *tsr_zip_method(const tsr_zip *zip, uint64_t i);

/* Open member i to read it; close it with tsr_zip_end or tsr_zip_drop. TSR_UNSUPPORTED when the member is
 * encrypted or compressed with a method other than deflate; TSR_CORRUPT when the member has more bytes than
 * deflate can make of the stored bytes. */
tsr_status tsr_zip_begin(tsr_bytes *bytes, tsr_zip *zip, uint64_t i, tsr_error *err) TSR_NODISCARD;
/* Go on after the next n bytes of the member without reading them, where they are stored as they are; false: read them. */
bool tsr_zip_pass(tsr_bytes *bytes, uint64_t n);
/* Close the member. TSR_CORRUPT when all bytes have been read, none passed, and the checksum is wrong. */
tsr_status tsr_zip_end(tsr_bytes *bytes, tsr_error *err) TSR_NODISCARD;
/* Close the member without checking it. A closed member may be closed again. */
void tsr_zip_drop(tsr_bytes *bytes);

/* A piece of a member to write: nbytes at `data`, or loaded. */
typedef struct tsr_zip_piece {
    const void *data;
    uint64_t nbytes;
    /* Not NULL: put bytes [first, first + n) of the piece into out, instead of data. One thread at a time calls it. Where the output is not a file, or members are deflated, each byte is loaded twice, since the checksum of a member stands
     * before its bytes. first is a multiple of 1 MiB. */
    tsr_status (*load)(void *out, void *ctx, uint64_t first, uint64_t n, tsr_error *err);
    void *ctx;
    bool any_thread; /* that thread need not be the one that writes */
} tsr_zip_piece;

typedef struct tsr_zip_writer tsr_zip_writer;
/* Begin an archive at `path` ("-": standard output). A file appears only after tsr_zip_writer_commit. Free
 * the writer with tsr_zip_writer_commit or tsr_zip_writer_free. */
tsr_status tsr_zip_writer_new(tsr_zip_writer **out, const char *path, const tsr_write_options *options,
                              tsr_error *err) TSR_NODISCARD;
/* Add a member made of the pieces; the data of the member begin at a multiple of 64 bytes. */
tsr_status tsr_zip_writer_add(tsr_zip_writer *writer, const char *name, const tsr_zip_piece *pieces,
                              int npieces, tsr_error *err) TSR_NODISCARD;
/* Write the directory of the archive, and rename the file. *nbytes (may be NULL): the bytes of the file.
 * Frees the writer, also after a failure. */
tsr_status tsr_zip_writer_commit(tsr_zip_writer *writer, uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;
void tsr_zip_writer_free(tsr_zip_writer *writer);

/* ---- zip_place.c: where the bytes of the members are in the file ---- */

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
/* Read n bytes at the offset, which are fetched where the file is one of tsr_fetched.h. False: errno, or the file is too short (errno 0). */
bool tsr_zip_read_at(int fd, void *out, uint64_t offset, uint64_t n);

#endif
