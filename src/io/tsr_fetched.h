/* Files that are fetched from elsewhere when they are first read: single ones, and those of a folder.
 *
 * A file is at first a temporary file without contents, and a function gives any of its bytes. Who reads such a file calls
 * tsr_fetched_need before each read. */
#ifndef TSR_FETCHED_H
#define TSR_FETCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"

enum { TSR_FETCHED_BLOCK_NBYTES = 1 << 12 }; /* what is fetched begins and ends at multiples of it */

typedef struct tsr_fetched tsr_fetched;

/* Store nbytes > 0 bytes that begin at byte `offset`. Called by one thread at a time. */
typedef tsr_status tsr_fetch(void *ctx, void *out, uint64_t offset, size_t nbytes, tsr_error *err);

/* Make the file `path`, which must not exist, of nbytes > 0 bytes; `ctx` is borrowed. Free it when no caller has the file open.
 * Errors: TSR_NOMEM, TSR_IO. */
tsr_status tsr_fetched_new(tsr_fetched **out, const char *path, uint64_t nbytes, tsr_fetch *fetch, void *ctx,
                           tsr_error *err) TSR_NODISCARD;
void tsr_fetched_free(tsr_fetched *file);
/* The file behind an open file, or NULL: an ordinary one. Valid until it is freed. */
tsr_fetched *tsr_fetched_find(int fd);
/* Fetch what is missing of these bytes, those behind the end of the file excepted; where reading goes on in sequence, up to a quarter
 * more. Any thread. False: they cannot be had; the reason stays in tsr_fetched_error. */
bool tsr_fetched_need(tsr_fetched *file, uint64_t offset, uint64_t nbytes);
/* The first error of fetching; status TSR_OK: none. */
const tsr_error *tsr_fetched_error(const tsr_fetched *file);

/* ---- folders: at first empty; who opens a file in such a folder, or asks whether it exists, calls tsr_fetched_file before ---- */

typedef struct tsr_fetched_folder tsr_fetched_folder;

/* Up to room > 0 bytes of the file `name` ("a/b") that begin at byte `offset`. */
typedef struct tsr_fetched_part {
    const char *name;
    uint64_t offset;
    void *out;
    size_t room;
} tsr_fetched_part;

/* Store these bytes. *n: their number, 0 at the end; -1: there is no such file. Of a file, each call goes on where the one before ended.
 * Called by one thread at a time. */
typedef tsr_status tsr_fetch_member(int64_t *n, void *ctx, const tsr_fetched_part *part, tsr_error *err);

/* Make the folder `path`, which must not exist; `ctx` is borrowed. Errors: TSR_NOMEM, TSR_IO. */
tsr_status tsr_fetched_folder_new(tsr_fetched_folder **out, const char *path, tsr_fetch_member *fetch,
                                  void *ctx, tsr_error *err) TSR_NODISCARD;
void tsr_fetched_folder_free(tsr_fetched_folder *folder);
/* Make the file `path` of such a folder, if there is such a file and it is not there yet; nothing is done for other paths. Any thread.
 * False: it cannot be had; the reason stays in tsr_fetched_folder_error. */
bool tsr_fetched_file(const char *path);
/* Whether the path leads into such a folder. */
bool tsr_fetched_in_folder(const char *path);
/* Make the file `path` of such a folder of bytes that the caller has, if it is not there. */
void tsr_fetched_put(const char *path, const void *bytes, size_t nbytes);
/* The first error of fetching; status TSR_OK: none. */
const tsr_error *tsr_fetched_folder_error(const tsr_fetched_folder *folder);

#endif
