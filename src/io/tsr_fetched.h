/* A file whose bytes are fetched when they are first read: a temporary file without contents, and a function that gives any of its
 * bytes. Who reads such a file calls tsr_fetched_need before each read. */
#ifndef TSR_FETCHED_H
#define TSR_FETCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"

enum { TSR_FETCHED_BLOCK_NBYTES = 1 << 14 }; /* what is fetched begins and ends at multiples of it */

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
/* Fetch what is missing of these bytes, which lie in the file. Any thread. False: they cannot be had; the reason stays in
 * tsr_fetched_error. */
bool tsr_fetched_need(tsr_fetched *file, uint64_t offset, size_t nbytes);
/* The first error of fetching; status TSR_OK: none. */
const tsr_error *tsr_fetched_error(const tsr_fetched *file);

#endif
