/* Writing a Zarr store, version 2 or 3, in a folder or a ZIP archive: it appears whole or not at all. */
#ifndef ZARR_WRITE_H
#define ZARR_WRITE_H

#include "container.h"
#include "zarr_internal.h"

typedef struct tsr_zarr_writer tsr_zarr_writer;

/* Begin a store at `file` ("*.zip": an archive). old: the store that is there, into which nodes are written (borrowed); NULL: a
 * new store, which replaces one that is there. options->version: 20, 30, or 0: that of the old store, else 2. TSR_IO: a folder
 * that is not a store is not replaced. TSR_UNSUPPORTED: an archive is not changed. */
tsr_status tsr_zarr_writer_new(tsr_zarr_writer **out, const char *file, const tsr_zarr_store *old,
                               const tsr_write_options *options, tsr_error *err) TSR_NODISCARD;
/* Write the metadata, and put the store, or its new nodes, in place. *nbytes (may be NULL): the bytes that were written. */
tsr_status tsr_zarr_writer_commit(tsr_zarr_writer *w, uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;
/* Remove what was not committed. NULL is fine. */
void tsr_zarr_writer_free(tsr_zarr_writer *w);

/* What was written at the path. */
tsr_node tsr_zarr_writer_has(const tsr_zarr_writer *w, const char *path);
/* Make the group at the path, and those above it, where they are missing. */
tsr_status tsr_zarr_writer_group(tsr_zarr_writer *w, const char *path, tsr_error *err) TSR_NODISCARD;
/* Set an attribute of a node; takes json. NULL: remove it. */
tsr_status tsr_zarr_writer_attribute(tsr_zarr_writer *w, const char *path, const char *name, json_t *json,
                                     tsr_error *err) TSR_NODISCARD;
/* The old node at the path, if there is one, is replaced. */
tsr_status tsr_zarr_writer_remove(tsr_zarr_writer *w, const char *path, tsr_error *err) TSR_NODISCARD;

/* ---- zarr_encode.c ---- */

/* An array of numbers: stored->n of stored->type. */
typedef struct tsr_zarr_array {
    const char *path;
    const tsr_stored *stored;
    int deflate; /* the level of gzip; 0: Blosc */
} tsr_zarr_array;
tsr_status tsr_zarr_writer_array(tsr_zarr_writer *w, const tsr_zarr_array *array, const tsr_supply *supply,
                                 tsr_job *job, tsr_error *err) TSR_NODISCARD;
/* Write an array of n texts of `width` bytes each, padded with NUL. */
tsr_status tsr_zarr_writer_texts(tsr_zarr_writer *w, const char *path, const char *texts, size_t width,
                                 uint64_t n, tsr_error *err) TSR_NODISCARD;

/* ---- what zarr_encode.c needs ---- */

int tsr_zarr_writer_version(const tsr_zarr_writer *w);
const tsr_write_options *tsr_zarr_writer_options(const tsr_zarr_writer *w);
/* Whether keys are put by one thread at a time, in an order that determines the bytes. */
bool tsr_zarr_writer_in_order(const tsr_zarr_writer *w);
/* Write the bytes of a key. Threads may call it at the same time, unless keys are put in order. */
tsr_status tsr_zarr_writer_put(tsr_zarr_writer *w, const char *key, const void *bytes, uint64_t n,
                               tsr_error *err) TSR_NODISCARD;
/* Add an array with this metadata, which is taken. */
tsr_status tsr_zarr_writer_add(tsr_zarr_writer *w, const char *path, json_t *meta,
                               tsr_error *err) TSR_NODISCARD;

#endif
