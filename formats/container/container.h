/* Containers: files and folders that hold named arrays in groups, with attributes. One interface for all of them, so that a
 * dialect (which arrays make a tensor) is written once. A container kind is one file here and a name in TSR_CONTAINERS.
 *
 * A container that is open has a current group, at first the root. Names are those of the group's members. */
#ifndef CONTAINER_H
#define CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_codec.h"
#include "tsr_labels.h"
#include "tsr_observer.h"
#include "tsr_text.h"
#include "tsr_type.h"

typedef struct tsr_container tsr_container;
typedef struct tsr_container_type tsr_container_type;

/* What a name of the current group leads to. */
typedef enum tsr_node { TSR_NODE_NONE, TSR_NODE_GROUP, TSR_NODE_ARRAY } tsr_node;

enum {
    TSR_CONTAINER_MAX_NAME = 255,
    TSR_CONTAINER_MAX_DIMS = 16,
    TSR_CONTAINER_STREAMS = 17, /* arrays that are read in parts by turns */
    TSR_MAX_WANTED = 33,        /* arrays that are read at once */
    TSR_STORAGE_NBYTES = 64
};

/* An array of numbers of the current group. */
typedef struct tsr_stored {
    char name[TSR_CONTAINER_MAX_NAME + 1];
    tsr_type type;  /* F32, F64 or an integer; where it was looked at as `wide` complex, too */
    uint64_t n;     /* the product of the dims */
    bool n_is_most; /* there may be fewer values: reading may ask for fewer */
    bool wide;
    bool boolean; /* truth values */
    bool texts;   /* where it was glanced at: texts instead of numbers */
    bool packed;  /* one compressed stream: a part is reached by reading what stands before it */
    /* The values lie, and are read, with the first dim the fastest; else with the last. */
    bool by_columns;
    int stream;   /* of the caller: reading parts of one stream does not disturb other streams */
    size_t width; /* bytes of one stored value */
    int ndims;
    uint64_t dims[TSR_CONTAINER_MAX_DIMS];
    uint64_t
        chunk_n; /* values that are decoded at once; 0: any number. Of several dims without flat_parts: the cells of a strip, which has
                    all cells of some places of the first dim; 0: there are no parts. To be written: 0: as the container has it */
} tsr_stored;

/* An array that is to be read as a whole. */
typedef struct tsr_wanted {
    void *out;
    const tsr_stored *array;
} tsr_wanted;
/* Elements [first, first + n) of an array; some of these, whose first ones rise. */
typedef struct tsr_range {
    uint64_t first, n;
} tsr_range;
typedef struct tsr_ranges {
    tsr_range *range; /* n of them */
    uint64_t n;
} tsr_ranges;

/* The threads and the progress of reading or writing arrays. */
typedef struct tsr_job {
    int nthreads; /* > 0 */
    const tsr_observer *observer;
    const char *phase;    /* "read", "write" */
    uint64_t done, total; /* bytes of arrays */
    int64_t last_ns;      /* time of the last report to the observer */
    /* Where not NULL, a container may say during `read` that the first n elements of the array stand. */
    void (*arrived)(void *ctx, uint64_t n);
    void *arrived_ctx;
} tsr_job;

/* Where the values of an array come from: memory, or a function that loads a part of them. */
typedef struct tsr_supply {
    const void *data; /* all values; NULL: `load` */
    void *ctx;
    /* out: values [first, first + n). One thread at a time. */
    tsr_status (*load)(void *out, void *ctx, uint64_t first, uint64_t n, tsr_error *err);
    bool any_thread; /* that thread need not be the one that writes */
    /* Not NULL: where the container can, the array is not loaded, and `place` is told at which byte of the file it is to be
     * written after the file was closed. */
    tsr_status (*place)(void *ctx, uint64_t offset, tsr_error *err);
} tsr_supply;

/* What is written to a path: `write` fills the container. */
typedef struct tsr_filling {
    /* The root is the current group. object: the text after the colon of the path; NULL: none. */
    tsr_status (*write)(tsr_container *to, const char *object, const void *ctx, tsr_error *err);
    const void *ctx;
    /* NULL, or called with the path of the complete file before the file gets its name. Only HDF5. */
    tsr_status (*finish)(const char *path, const void *ctx, tsr_error *err);
    const void
        *block; /* of HDF5: nblock bytes at the beginning, which HDF5 leaves alone: 512, 1024, 2048... */
    size_t nblock;
} tsr_filling;

struct tsr_container_type {
    const char *name; /* "HDF5" */
    const char *word; /* what its arrays are called in messages: "dataset" */
    bool one_group;   /* the root is the only group, and may be the object */
    bool flat_parts;  /* parts of arrays of any dims are read, in the order in which the values lie */
    bool cuts;        /* write_array follows tsr_stored.chunk_n */
    /* Whether the file or folder is of this kind; `fd_head`: its first bytes. */
    bool (*claims)(const char *path);
    /* Whether a new file of this name is of this kind. */
    bool (*claims_name)(const char *path);
    /* Open a file to read it. TSR_IO, TSR_SYNTAX (not of this kind), TSR_CORRUPT. */
    tsr_status (*open)(tsr_container **out, const char *path, tsr_error *err);
    /* Write "file:object", whole or not at all. Where an object is named in a file that is there, the object is replaced;
     * else the file is new. */
    tsr_status (*write)(const char *path, const tsr_filling *what, const tsr_write_options *options,
                        uint64_t *nbytes, tsr_error *err);
    void (*free)(tsr_container *c);

    tsr_status (*enter)(tsr_container *c, const char *group, tsr_error *err);
    tsr_status (*leave)(tsr_container *c, tsr_error *err);
    tsr_node (*look_up)(tsr_container *c, const char *name);
    tsr_status (*list)(tsr_text *names, tsr_container *c, tsr_error *err);
    /* NULL: objects of these files have no attributes */
    tsr_status (*list_groups)(tsr_text *paths, bool *more, tsr_container *c, const char *attribute,
                              tsr_error *err);
    tsr_status (*list_attributes)(tsr_text *names, tsr_container *c, tsr_error *err);
    tsr_status (*read_text)(char **out, size_t *nbytes, tsr_container *c, const char *attribute,
                            tsr_error *err);
    tsr_status (*text_of)(char **out, tsr_container *c, const char *name, const char *attribute,
                          tsr_error *err);
    int (*integers_of)(int64_t *out, int most, tsr_container *c, const char *name, const char *attribute);
    tsr_status (*look)(tsr_stored *out, char *storage, tsr_container *c, const char *name, bool wide,
                       tsr_error *err);
    tsr_status (*read)(void *out, tsr_container *c, const tsr_stored *array, tsr_job *job, tsr_error *err);
    /* NULL: one array after the other is read. */
    tsr_status (*read_all)(tsr_container *c, const tsr_wanted *arrays, int n, tsr_job *job, tsr_error *err);
    /* NULL: arrays are read only as a whole. */
    tsr_status (*read_part)(void *out, tsr_container *c, const tsr_stored *array, uint64_t first, uint64_t n,
                            tsr_error *err);
    /* tsr_container_read_ranges of ranges that are in the array. NULL, or TSR_UNSUPPORTED: read_part reads the ranges. */
    tsr_status (*read_ranges)(void *out, tsr_container *c, const tsr_stored *array, const tsr_ranges *ranges,
                              tsr_job *job, tsr_error *err);
    tsr_status (*read_names)(tsr_names *out, tsr_container *c, const char *name, tsr_error *err);

    tsr_status (*write_text)(tsr_container *c, const char *name, const char *attribute, const char *text,
                             tsr_error *err);
    tsr_status (*write_integers)(tsr_container *c, const char *attribute, const int64_t *values, int n,
                                 tsr_error *err);
    tsr_status (*write_array)(tsr_container *c, const tsr_stored *array, const tsr_supply *supply,
                              int deflate, tsr_job *job, tsr_error *err);
    tsr_status (*write_texts)(tsr_container *c, const char *name, const char *texts, size_t width, uint64_t n,
                              tsr_error *err);
    tsr_status (*remove)(tsr_container *c, const char *name, tsr_error *err);
};

/* The head of every container. */
struct tsr_container {
    const tsr_container_type *type;
    int nthreads; /* of the caller: the threads that may read a part; 0: one */
};

/* All kinds: the first that claims a file opens it, and the last claims all. */
#define TSR_CONTAINERS(X) X(npz) X(zarr) X(mat) X(hdf5)
#define X(name) extern const tsr_container_type tsr_container_##name;
TSR_CONTAINERS(X)
#undef X
/* The kinds of containers, NULL at the end; the first that claims a file opens it, and the last claims all. */
extern const tsr_container_type *const tsr_container_types[];

/* Open "file" to read it: see `open`. */
tsr_status tsr_container_open(tsr_container **out, const char *file, tsr_error *err) TSR_NODISCARD;
/* Open the file of "file:object" (after tsr_path_split). The caller frees *file with tsr_free, also after a failure; *object
 * points into `path`, or is NULL. TSR_ARGUMENT: "-". */
tsr_status tsr_container_open_object(tsr_container **out, char **file, const char **object, const char *path,
                                     tsr_error *err) TSR_NODISCARD;
/* Write "file:object": see `write`. The kind follows from what is there, then from the name. */
tsr_status tsr_container_write(const char *path, const tsr_filling *what, const tsr_write_options *options,
                               uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;
/* The length of the chunks of an array of n elements of a tensor whose first level has nslices coordinates: 0 unless the options ask. */
uint64_t tsr_container_chunk(const tsr_write_options *options, uint64_t n, uint64_t nslices);
/* Report to the observer that nbytes more are done. TSR_CANCELLED where the observer cancels. */
tsr_status tsr_job_step(tsr_job *job, uint64_t nbytes, tsr_error *err) TSR_NODISCARD;
/* Close a container and ignore errors. NULL is fine. */
void tsr_container_free(tsr_container *c);

/* Make `group` ("a/b", from the current group) the current group; `leave` makes the root the current group. Missing groups
 * are made where the container is written, else TSR_ARGUMENT. */
static inline tsr_status tsr_container_enter(tsr_container *c, const char *group, tsr_error *err)
{
    return c->type->enter(c, group, err);
}
static inline tsr_status tsr_container_leave(tsr_container *c, tsr_error *err)
{
    return c->type->leave(c, err);
}
/* NONE also for what leads out of the file, and for objects that cannot be opened. */
static inline tsr_node tsr_container_look_up(tsr_container *c, const char *name)
{
    return c->type->look_up(c, name);
}
/* Append the members of the current group, at most a thousand: 'g' (a group) or 'd' (an array), the name, NUL. */
static inline tsr_status tsr_container_list(tsr_text *names, tsr_container *c, tsr_error *err)
{
    return c->type->list(names, c, err);
}
/* Append the paths of the groups below the current one that have this attribute, each ended by NUL; *more: there may be more
 * such groups, since only the first few hundred members are followed, and not too deep. */
static inline tsr_status tsr_container_list_groups(tsr_text *paths, bool *more, tsr_container *c,
                                                   const char *attribute, tsr_error *err)
{
    *more = false;
    return c->type->list_groups ? c->type->list_groups(paths, more, c, attribute, err)
                                : tsr_text_status(paths, err);
}
/* Append the paths of the first 8 such groups, separated by ", ". */
tsr_status tsr_container_find_groups(tsr_text *paths, tsr_container *c, const char *attribute,
                                     tsr_error *err) TSR_NODISCARD;
/* Append the names of the current group's attributes, each ended by NUL. */
static inline tsr_status tsr_container_list_attributes(tsr_text *names, tsr_container *c, tsr_error *err)
{
    return c->type->list_attributes ? c->type->list_attributes(names, c, err) : tsr_text_status(names, err);
}
/* The text of an attribute of the current group, ended by NUL; free it with tsr_free. *nbytes: the length. *out is NULL where
 * the attribute does not exist, which is not an error. */
static inline tsr_status tsr_container_read_text(char **out, size_t *nbytes, tsr_container *c,
                                                 const char *attribute, tsr_error *err)
{
    return c->type->read_text(out, nbytes, c, attribute, err);
}
/* The text of an attribute of the member `name` (NULL: of the current group). *out stays NULL where the member, or an attribute
 * that can be read, is missing. */
static inline tsr_status tsr_container_text_of(char **out, tsr_container *c, const char *name,
                                               const char *attribute, tsr_error *err)
{
    return c->type->text_of(out, c, name, attribute, err);
}
/* At most `most` integers of an attribute, likewise; returns how many it has, 0 when there is none that can be read. */
static inline int tsr_container_integers_of(int64_t *out, int most, tsr_container *c, const char *name,
                                            const char *attribute)
{
    return c->type->integers_of(out, most, c, name, attribute);
}
/* Check the header of an array, and that the stored bytes can hold it. TSR_CORRUPT: the array is missing, does not hold numbers,
 * or claims more values than its bytes can make. wide: it may have any number of dimensions, complex numbers and truth
 * values; otherwise it has one dimension. */
static inline tsr_status tsr_container_look(tsr_stored *out, tsr_container *c, const char *name, bool wide,
                                            tsr_error *err)
{
    return c->type->look(out, NULL, c, name, wide, err);
}
/* The same without the check of the stored bytes, whose time grows with the array. storage: TSR_STORAGE_NBYTES, how the array is
 * stored: "contiguous", "chunks of 131072, shuffle, deflate 1". */
static inline tsr_status tsr_container_glance(tsr_stored *out, char *storage, tsr_container *c,
                                              const char *name, bool wide, tsr_error *err)
{
    return c->type->look(out, storage, c, name, wide, err);
}
/* Read the whole array into out: array->n values of array->type, row-major (but see by_columns), in the byte order of the
 * machine. */
static inline tsr_status tsr_container_read(void *out, tsr_container *c, const tsr_stored *array,
                                            tsr_job *job, tsr_error *err)
{
    return c->type->read(out, c, array, job, err);
}
/* The same for n <= TSR_MAX_WANTED arrays. */
tsr_status tsr_container_read_all(tsr_container *c, const tsr_wanted *arrays, int n, tsr_job *job,
                                  tsr_error *err) TSR_NODISCARD;
/* Read values [first, first + n) of an array: of one dimension, or with `flat_parts`; else whole strips (see chunk_n).
 * TSR_UNSUPPORTED: not in parts. */
static inline tsr_status tsr_container_read_part(void *out, tsr_container *c, const tsr_stored *array,
                                                 uint64_t first, uint64_t n, tsr_error *err)
{
    return c->type->read_part ? c->type->read_part(out, c, array, first, n, err)
                              : tsr_fail(err, TSR_UNSUPPORTED, "this kind of file is read only as a whole");
}
/* Whether ranges of the array can be read: numbers of one dimension, in memory as wide as in the file. */
bool tsr_container_has_ranges(const tsr_container *c, const tsr_stored *array);
/* The elements of these ranges, one range after the other in out. A chunk that has none of them is not read, and one that has
 * several ranges is decoded once. */
tsr_status tsr_container_read_ranges(void *out, tsr_container *c, const tsr_stored *array,
                                     const tsr_ranges *ranges, tsr_job *job, tsr_error *err) TSR_NODISCARD;
/* Append the texts of an array of one dimension or none to names that are empty. */
static inline tsr_status tsr_container_read_names(tsr_names *out, tsr_container *c, const char *name,
                                                  tsr_error *err)
{
    return c->type->read_names(out, c, name, err);
}
/* Set an attribute of the member `name` (NULL: of the current group) to a text (NULL: remove it), or, of the current group, to n
 * integers (a single one, not a list, when n is negative). */
static inline tsr_status tsr_container_write_text(tsr_container *c, const char *name, const char *attribute,
                                                  const char *text, tsr_error *err)
{
    return c->type->write_text(c, name, attribute, text, err);
}
static inline tsr_status tsr_container_write_integers(tsr_container *c, const char *attribute,
                                                      const int64_t *values, int n, tsr_error *err)
{
    return c->type->write_integers(c, attribute, values, n, err);
}
/* Write an array of one dimension, compressed by the level `deflate`, 0: as the kind of container is by default. The bytes do not
 * depend on the number of threads. What is loaded at once is a few MiB. */
static inline tsr_status tsr_container_write_array(tsr_container *c, const tsr_stored *array,
                                                   const tsr_supply *supply, int deflate, tsr_job *job,
                                                   tsr_error *err)
{
    return c->type->write_array(c, array, supply, deflate, job, err);
}
/* Write an array of n texts of `width` characters each, padded with NUL. */
static inline tsr_status tsr_container_write_texts(tsr_container *c, const char *name, const char *texts,
                                                   size_t width, uint64_t n, tsr_error *err)
{
    return c->type->write_texts(c, name, texts, width, n, err);
}
/* Remove a member where it exists. */
static inline tsr_status tsr_container_remove(tsr_container *c, const char *name, tsr_error *err)
{
    return c->type->remove(c, name, err);
}

#endif
