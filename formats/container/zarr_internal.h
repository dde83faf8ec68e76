/* The types and functions that the zarr*.c files share: the keys of a store, the metadata of its nodes, and
 * its arrays. See zarr.md. */
#ifndef TSR_ZARR_INTERNAL_H
#define TSR_ZARR_INTERNAL_H

#include <jansson.h>

#include "container.h"
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
/* The same for bytes [first, first + n) of the key; TSR_CORRUPT: the key has fewer. In an archive they are read from the first on. */
tsr_status tsr_zarr_store_get_part(tsr_array *out, const tsr_zarr_store *store, const char *key,
                                   uint64_t first, uint64_t n, tsr_error *err) TSR_NODISCARD;
/* The number of bytes of a key; UINT64_MAX: the store does not have it. */
uint64_t tsr_zarr_store_length(const tsr_zarr_store *store, const char *key);
/* Append the names of the keys and folders in the folder `path` ("" is the store itself) that may be nodes,
 * in alphabetical order, each ended by a NUL. At most `most` names. */
tsr_status tsr_zarr_store_list(tsr_text *names, const tsr_zarr_store *store, const char *path, int most,
                               tsr_error *err) TSR_NODISCARD;

/* Whether the store is a folder whose files are fetched when they are asked for (tsr_fetched.h), so that only files that came are listed. */
bool tsr_zarr_store_is_fetched(const tsr_zarr_store *store);
/* Give such a store the text of a key of metadata. It asks for no other metadata then. */
void tsr_zarr_store_put(tsr_zarr_store *store, const char *key, const char *text);

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

/* The same into memory of the caller. */
tsr_status tsr_zarr_codecs_decode_to(unsigned char *out, const tsr_zarr_codecs *codecs,
                                     const unsigned char *in, uint64_t n, uint64_t nbytes,
                                     tsr_error *err) TSR_NODISCARD;
/* The bytes before the compressor, for codecs whose result has any number of bytes. TSR_CORRUPT; TSR_LIMIT: more than `most`. */
tsr_status tsr_zarr_codecs_decode_any(tsr_array *out, const tsr_zarr_codecs *codecs, const unsigned char *in,
                                      uint64_t n, uint64_t most, tsr_error *err) TSR_NODISCARD;

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
    _Alignas(16) unsigned char fill[TSR_MAX_VALUE_NBYTES]; /* an element as it is read */
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
/* Where the metadata of all nodes stand together (.zmetadata, or in zarr.json of the root): make the keys of a store that is fetched
 * of them, so that nodes are listed, and asked for no more; else fetch the node X. */
void tsr_zarr_unfold_metadata(tsr_zarr_store *store);

/* ---- zarr_array.c ---- */

/* Read the array `node` to `out`: node->npy.n elements in row-major order, in the byte order of the machine.
 * TSR_CORRUPT, TSR_LIMIT. */
tsr_status tsr_zarr_array_read(void *out, const tsr_zarr_store *store, const tsr_zarr_node *node,
                               const tsr_job *job, tsr_error *err) TSR_NODISCARD;
/* The same for n <= TSR_MAX_WANTED arrays at once. */
typedef struct tsr_zarr_target {
    void *out;
    const tsr_zarr_node *node;
} tsr_zarr_target;
tsr_status tsr_zarr_arrays_read(const tsr_zarr_target *targets, int n, const tsr_zarr_store *store,
                                const tsr_job *job, tsr_error *err) TSR_NODISCARD;
/* The bounds of its grid alone. */
tsr_status tsr_zarr_array_check(const tsr_zarr_store *store, const tsr_zarr_node *node,
                                tsr_error *err) TSR_NODISCARD;
/* The cells of all chunks, or shards, that begin at the same place of the first mode; 0: there is no mode, or they are too many. */
uint64_t tsr_zarr_strip(const tsr_zarr_node *node);
/* Elements [first, first + n) of an array, on one thread; of several modes, whole strips. */
tsr_status tsr_zarr_array_read_part(void *out, const tsr_zarr_store *store, const tsr_zarr_node *node,
                                    uint64_t first, uint64_t n, tsr_error *err) TSR_NODISCARD;
/* Append the texts of an array of one dimension or none to names that are empty. */
tsr_status tsr_zarr_array_read_texts(tsr_names *out, const tsr_zarr_store *store, const tsr_zarr_node *node,
                                     tsr_error *err) TSR_NODISCARD;

enum { TSR_ZARR_MAX_PARTS = 1024 }; /* chunks of a shard that is written */

#endif
