/* The types and functions that the zarr*.c files share: the keys of a store, the metadata of its nodes, and
 * its arrays. See zarr.md. */
#ifndef TSR_ZARR_INTERNAL_H
#define TSR_ZARR_INTERNAL_H

#include <jansson.h>

#include "npy_io.h"

/* ---- zarr_store.c: a store is a set of keys with bytes, in a folder or a ZIP archive ---- */

typedef struct tsr_zarr_store tsr_zarr_store;

/* Open the folder or the archive. TSR_IO, TSR_CORRUPT, TSR_UNSUPPORTED (the folder or archive is not a
 * store). Free with tsr_zarr_store_free. */
tsr_status tsr_zarr_store_open(tsr_zarr_store **out, const char *path, tsr_error *err) TSR_NODISCARD;
/* Open the store once more, for another thread. */
tsr_status tsr_zarr_store_again(tsr_zarr_store **out, const tsr_zarr_store *store,
                                tsr_error *err) TSR_NODISCARD;
void tsr_zarr_store_free(tsr_zarr_store *store);

/* The bytes of a key, as an array of elements of 1 byte. out->data is NULL when the store does not have the
 * key, which is not an error. TSR_LIMIT: the key has more than `most` bytes. */
tsr_status tsr_zarr_store_get(tsr_array *out, const tsr_zarr_store *store, const char *key, uint64_t most,
                              tsr_error *err) TSR_NODISCARD;
/* Append the names of the keys and folders in the folder `path` ("" is the store itself) that may be nodes,
 * in alphabetical order, each ended by a NUL. At most `most` names. */
tsr_status tsr_zarr_store_list(tsr_text *names, const tsr_zarr_store *store, const char *path, int most,
                               tsr_error *err) TSR_NODISCARD;

/* ---- zarr_codec.c: compressors of chunks ---- */

enum { TSR_ZARR_MAX_CODECS = 6 };

typedef enum tsr_zarr_codec_kind {
    TSR_ZARR_GZIP, /* zlib, too */
    TSR_ZARR_ZSTD,
    TSR_ZARR_BLOSC,
    TSR_ZARR_LZ4,     /* of numcodecs: the length (4 bytes), then a block of LZ4 */
    TSR_ZARR_SHUFFLE, /* byte b of all elements together */
    TSR_ZARR_CRC32C   /* 4 bytes at the end */
} tsr_zarr_codec_kind;

/* The codecs that made the bytes of a chunk from the bytes of its elements, in the order of encoding. At most
 * one of them compresses. */
typedef struct tsr_zarr_codecs {
    int n;
    tsr_zarr_codec_kind kind[TSR_ZARR_MAX_CODECS];
    size_t element[TSR_ZARR_MAX_CODECS]; /* shuffle: bytes of one element */
} tsr_zarr_codecs;

/* Append the codec with this name. TSR_UNSUPPORTED with the name. */
tsr_status tsr_zarr_codecs_add(tsr_zarr_codecs *codecs, const char *name, size_t element,
                               tsr_error *err) TSR_NODISCARD;
/* Decode the bytes to exactly nbytes bytes in *out, which is new memory. TSR_CORRUPT. */
tsr_status tsr_zarr_codecs_decode(tsr_array *out, const tsr_zarr_codecs *codecs, const unsigned char *in,
                                  uint64_t n, uint64_t nbytes, tsr_error *err) TSR_NODISCARD;

/* ---- zarr_meta.c: groups and arrays ---- */

typedef enum tsr_zarr_kind { TSR_ZARR_NOTHING, TSR_ZARR_GROUP, TSR_ZARR_ARRAY } tsr_zarr_kind;

/* How the bytes of a chunk hold the elements of the chunk. */
typedef struct tsr_zarr_layout {
    uint64_t chunk[TSR_MAX_ORDER]; /* the size of a chunk in each mode, at least 1 */
    uint64_t n;                    /* elements of a chunk */
    int perm[TSR_MAX_ORDER];       /* stored axis a is mode perm[a]; the last axis is the fastest */
    bool big_endian;
    tsr_zarr_codecs codecs;
} tsr_zarr_layout;

typedef struct tsr_zarr_node {
    tsr_zarr_kind kind;
    int version;        /* 2 or 3 */
    char *path;         /* in the store; owned */
    json_t *attributes; /* owned; NULL: there are none */
    /* Arrays: */
    tsr_npy npy;            /* the type and the shape; kind 'O': texts of any length */
    tsr_zarr_layout layout; /* of a chunk, or of the part of a shard */
    _Alignas(
        16) unsigned char fill[TSR_MAX_VALUE_NBYTES]; /* an element as it is read (half floats: as f32) */
    bool dotted; /* keys are "c" (version 3), then numbers joined by separator */
    char separator;
    bool sharded; /* a chunk of the grid is a shard, with parts and an index of them */
    uint64_t shard[TSR_MAX_ORDER];
    bool index_first; /* the index of a shard is at the beginning of it */
    tsr_zarr_codecs index_codecs;
    char storage[64]; /* "chunks of 1000, zstd" */
} tsr_zarr_node;

/* Read the metadata of the node `path` ("" is the root); kind TSR_ZARR_NOTHING when there is no node. Clear with
 * tsr_zarr_node_clear. TSR_UNSUPPORTED, TSR_SYNTAX, TSR_CORRUPT. */
tsr_status tsr_zarr_node_read(tsr_zarr_node *out, const tsr_zarr_store *store, const char *path,
                              tsr_error *err) TSR_NODISCARD;
void tsr_zarr_node_clear(tsr_zarr_node *node);
/* The text of an attribute; NULL when it is absent or not a text. Borrowed. */
const char *tsr_zarr_node_text(const tsr_zarr_node *node, const char *attribute);
/* At most `most` integers of an attribute that is a list; the number of them, 0 when it is absent. */
int tsr_zarr_node_integers(int64_t *out, int most, const tsr_zarr_node *node, const char *attribute);

/* ---- zarr_array.c ---- */

/* Read the array `node`; the elements are in row-major order. The caller sets out->name, and owns out->array.
 * *boolean: the numbers are bytes 0 and 1. */
tsr_status tsr_zarr_array_read(tsr_numbers *out, bool *boolean, const tsr_zarr_store *store,
                               const tsr_zarr_node *node, const tsr_read_options *options,
                               tsr_error *err) TSR_NODISCARD;

/* CRC-32C (Castagnoli, polynomial 0x1EDC6F41, reflected) of the bytes. */
uint32_t tsr_crc32c(const unsigned char *p, uint64_t n);

#endif
