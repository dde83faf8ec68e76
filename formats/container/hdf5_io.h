/* The part of HDF5 that the codecs need: a file, one group in it, attributes and arrays.
 *
 * HDF5 as distributions build it is not thread-safe: all calls of HDF5 here are made under one mutex, with
 * error printing switched off. References to other files are not followed: groups and arrays are reached by
 * hard links only, and virtual arrays, external arrays and arrays with plug-in filters are refused. */
#ifndef HDF5_IO_H
#define HDF5_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_labels.h"
#include "tsr_observer.h"
#include "tsr_text.h"
#include "tsr_type.h"

enum { TSR_HDF5_MAX_TEXT = 16 << 20 }; /* bytes of the longest attribute text that is read */

typedef struct tsr_hdf5 tsr_hdf5;

typedef enum tsr_hdf5_mode { TSR_HDF5_READ, TSR_HDF5_EDIT, TSR_HDF5_CREATE } tsr_hdf5_mode;

/* Open the file for reading; the root is the current group. TSR_IO: a system error. TSR_SYNTAX: not HDF5.
 * TSR_CORRUPT: a damaged file, with the reason that HDF5 gives. */
tsr_status tsr_hdf5_open(tsr_hdf5 **out, const char *path, tsr_error *err) TSR_NODISCARD;
/* The same for an open file, which is borrowed. For EDIT and CREATE it must be open for reading and writing;
 * for CREATE it must be empty, or have the block of bytes that HDF5 leaves alone: 512, 1024, 2048... bytes.
 * The path of the file is not used, so it may have changed. */
tsr_status tsr_hdf5_open_fd(tsr_hdf5 **out, int fd, tsr_hdf5_mode mode, tsr_error *err) TSR_NODISCARD;
/* Read from the bytes of a file in memory, which are borrowed until tsr_hdf5_close. */
tsr_status tsr_hdf5_open_image(tsr_hdf5 **out, const void *bytes, size_t nbytes,
                               tsr_error *err) TSR_NODISCARD;
/* Make `group` ("a/b", from the root; "" and "/" are the root) the current group. Missing groups are created
 * unless the file is open for reading: then TSR_ARGUMENT. */
tsr_status tsr_hdf5_enter(tsr_hdf5 *h5, const char *group, tsr_error *err) TSR_NODISCARD;
/* Append the paths of the first 8 groups that have this attribute, separated by ", "; see
 * tsr_hdf5_list_groups. */
tsr_status tsr_hdf5_find_groups(tsr_text *paths, tsr_hdf5 *h5, const char *attribute,
                                tsr_error *err) TSR_NODISCARD;

/* Append the paths of the groups below the current one that have this attribute, each ended by NUL; *more:
 * there may be more such groups, since only the first few hundred links are followed, and not too deep. */
tsr_status tsr_hdf5_list_groups(tsr_text *paths, bool *more, tsr_hdf5 *h5, const char *attribute,
                                tsr_error *err) TSR_NODISCARD;

/* Append the names of the current group's attributes, each ended by NUL (not those in dense storage). */
tsr_status tsr_hdf5_list_attributes(tsr_text *names, tsr_hdf5 *h5, tsr_error *err) TSR_NODISCARD;
/* The text of a string attribute of the current group, without padding, ended by NUL; free it with tsr_free.
 * *nbytes: the length. *out is NULL where the attribute does not exist, which is not an error. */
tsr_status tsr_hdf5_read_text(char **out, size_t *nbytes, tsr_hdf5 *h5, const char *attribute,
                              tsr_error *err) TSR_NODISCARD;
/* Write a text attribute (variable-length UTF-8); it replaces an existing one. text NULL: only remove it. */
tsr_status tsr_hdf5_write_text(tsr_hdf5 *h5, const char *attribute, const char *text,
                               tsr_error *err) TSR_NODISCARD;

/* Make the root the current group again. */
tsr_status tsr_hdf5_leave(tsr_hdf5 *h5, tsr_error *err) TSR_NODISCARD;

/* What a link of the current group leads to. */
typedef enum tsr_hdf5_kind { TSR_HDF5_NOTHING, TSR_HDF5_GROUP, TSR_HDF5_DATASET } tsr_hdf5_kind;
/* NOTHING also for links that lead out of the file, and for objects that cannot be opened. */
tsr_hdf5_kind tsr_hdf5_look_up(tsr_hdf5 *h5, const char *name);
/* Append the links of the current group, the first thousand: 'g' (a group) or 'd' (a dataset), the name, NUL.
 */
tsr_status tsr_hdf5_list(tsr_text *names, tsr_hdf5 *h5, tsr_error *err) TSR_NODISCARD;
/* The text of an attribute of the object `name` of the current group (NULL: of the group itself). *out stays
 * NULL where the object, or an attribute that can be read, is missing. */
tsr_status tsr_hdf5_text_of(char **out, tsr_hdf5 *h5, const char *name, const char *attribute,
                            tsr_error *err) TSR_NODISCARD;
/* At most `most` integers of an attribute, likewise; returns how many it has, 0 when there is none that can
 * be read. */
int tsr_hdf5_integers_of(int64_t *out, int most, tsr_hdf5 *h5, const char *name, const char *attribute);

enum { TSR_HDF5_MAX_NAME = 31, TSR_HDF5_MAX_LINK = 255, TSR_HDF5_MAX_DIMS = 16 };

/* A dataset of numbers of the current group. */
typedef struct tsr_hdf5_array {
    char name[TSR_HDF5_MAX_LINK + 1];
    tsr_type type; /* F32, F64 or an integer; by tsr_hdf5_look_wide complex, too */
    uint64_t n;    /* the product of the dims */
    bool wide;     /* looked at by tsr_hdf5_look_wide */
    bool boolean;  /* an enum of FALSE and TRUE */
    size_t width;  /* bytes of one stored value */
    int ndims;
    uint64_t dims[TSR_HDF5_MAX_DIMS];
    uint64_t chunk_n; /* after tsr_hdf5_look and tsr_hdf5_look_wide: values of a chunk; 0: not in chunks */
} tsr_hdf5_array;

/* The threads and the progress of reading or writing arrays. */
typedef struct tsr_hdf5_job {
    int nthreads; /* > 0 */
    const tsr_observer *observer;
    const char *phase;    /* "read", "write" */
    uint64_t done, total; /* bytes of arrays */
    int64_t last_ns;      /* time of the last report to the observer */
} tsr_hdf5_job;

/* Check the header of an array. TSR_CORRUPT: the array is missing, is not one-dimensional, does not hold
 * numbers, or claims more values than the stored bytes can hold (deflate makes at most 1032 bytes of one).
 * TSR_UNSUPPORTED: the data are in other files, or the filter is unknown. */
tsr_status tsr_hdf5_look(tsr_hdf5_array *out, tsr_hdf5 *h5, const char *name, tsr_error *err) TSR_NODISCARD;
/* The same for any number of dimensions, and for complex numbers (a compound of two floats), truth values (an
 * enum) and half floats (read as f32) too. */
tsr_status tsr_hdf5_look_wide(tsr_hdf5_array *out, tsr_hdf5 *h5, const char *name,
                              tsr_error *err) TSR_NODISCARD;
enum { TSR_HDF5_STORAGE_NBYTES = 64 };
/* The same without the check of the stored bytes, whose time grows with the number of chunks: the length is
 * the one that the header claims. storage: how the array is stored: "contiguous", "chunks of 131072, shuffle,
 * deflate 1". */
tsr_status tsr_hdf5_glance(tsr_hdf5_array *out, char storage[TSR_HDF5_STORAGE_NBYTES], tsr_hdf5 *h5,
                           const char *name, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_hdf5_glance_wide(tsr_hdf5_array *out, char storage[TSR_HDF5_STORAGE_NBYTES], tsr_hdf5 *h5,
                                const char *name, tsr_error *err) TSR_NODISCARD;
/* Read the whole array into out: array->n values of array->type, in the byte order of the machine. */
tsr_status tsr_hdf5_read(void *out, tsr_hdf5 *h5, const tsr_hdf5_array *array, tsr_hdf5_job *job,
                         tsr_error *err) TSR_NODISCARD;
/* Append the texts of a dataset of one dimension or none, of fixed or variable length, to names that are empty. */
tsr_status tsr_hdf5_read_names(tsr_names *out, tsr_hdf5 *h5, const char *name, tsr_error *err) TSR_NODISCARD;
/* The same for values [first, first + n) of an array of one dimension that was looked at. TSR_UNSUPPORTED: chunks that
 * are not stored. */
tsr_status tsr_hdf5_read_part(void *out, tsr_hdf5 *h5, const tsr_hdf5_array *array, uint64_t first,
                              uint64_t n, tsr_error *err) TSR_NODISCARD;
/* Write attributes of the current group, or of its object `name`: fixed-length text (ended by NUL, no longer
 * than needed), and integers: a scalar when n is negative. */
tsr_status tsr_hdf5_write_fixed_text(tsr_hdf5 *h5, const char *name, const char *attribute, const char *text,
                                     tsr_error *err) TSR_NODISCARD;
tsr_status tsr_hdf5_write_integers(tsr_hdf5 *h5, const char *attribute, const int64_t *values, int n,
                                   tsr_error *err) TSR_NODISCARD;
/* The same as tsr_hdf5_write_text for an object of the current group. */
tsr_status tsr_hdf5_write_text_of(tsr_hdf5 *h5, const char *name, const char *attribute, const char *text,
                                  tsr_error *err) TSR_NODISCARD;
/* An attribute that is one integer of this type. */
tsr_status tsr_hdf5_write_integer(tsr_hdf5 *h5, const char *name, const char *attribute, tsr_type type,
                                  int64_t value, tsr_error *err) TSR_NODISCARD;
/* Write a dataset of ndims dimensions (array->dims) of numbers of any type, row-major; a complex number is a
 * compound of `real` and `imag`. deflate: the level, in chunks of at most 1 MiB; 0: contiguous. */
tsr_status tsr_hdf5_write_wide(tsr_hdf5 *h5, const tsr_hdf5_array *array, const void *values, int deflate,
                               tsr_error *err) TSR_NODISCARD;
/* Write a dataset of n texts of `width` characters each, padded with NUL. */
tsr_status tsr_hdf5_write_texts(tsr_hdf5 *h5, const char *name, const char *texts, size_t width, uint64_t n,
                                tsr_error *err) TSR_NODISCARD;
/* Write an array, little-endian: contiguous where deflate or array->n is 0, else in chunks with shuffle and
 * deflate, compressed on all threads. The bytes of the file do not depend on the number of threads. */
tsr_status tsr_hdf5_write(tsr_hdf5 *h5, const tsr_hdf5_array *array, const void *values, int deflate,
                          tsr_hdf5_job *job, tsr_error *err) TSR_NODISCARD;
/* Where the values of an array come from: memory, or a function that loads a part of them. */
typedef struct tsr_hdf5_supply {
    const void *data; /* all values; NULL: `load` */
    void *ctx;
    /* out: values [first, first + n). One thread at a time. */
    tsr_status (*load)(void *out, void *ctx, uint64_t first, uint64_t n, tsr_error *err);
    bool any_thread; /* that thread need not be the one that writes */
    /* Not NULL: a contiguous array is not loaded; it is told at which byte of the file it is to be written after the file was
     * closed. */
    tsr_status (*place)(void *ctx, uint64_t offset, tsr_error *err);
} tsr_hdf5_supply;
/* The same as tsr_hdf5_write, with the same bytes in the file; what is loaded at once is a few MiB. */
tsr_status tsr_hdf5_write_from(tsr_hdf5 *h5, const tsr_hdf5_array *array, const tsr_hdf5_supply *supply,
                               int deflate, tsr_hdf5_job *job, tsr_error *err) TSR_NODISCARD;
/* Remove a link from the current group where it exists. */
tsr_status tsr_hdf5_remove(tsr_hdf5 *h5, const char *name, tsr_error *err) TSR_NODISCARD;

/* Write "file:group", whole or not at all: `write` is called with the file open, its root the current group,
 * and with the group's name (NULL: none). Where a group is named in a file that is there, a copy of the file
 * is changed; else the file is new. *nbytes (may be NULL): bytes of the file. */
tsr_status tsr_hdf5_write_file(const char *path,
                               tsr_status (*write)(tsr_hdf5 *h5, const char *group, const void *ctx,
                                                   tsr_error *err),
                               const void *ctx, uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;
/* The same for a new file that begins with a block that HDF5 leaves alone, of nblock bytes: 512, 1024, 2048... */
typedef struct tsr_hdf5_new_file {
    const void *block;
    size_t nblock;
    tsr_status (*write)(tsr_hdf5 *h5, const char *group, const void *ctx, tsr_error *err);
    const void *ctx;
    /* NULL, or called with the path of the complete file before the file gets its name. */
    tsr_status (*finish)(const char *path, const void *ctx, tsr_error *err);
} tsr_hdf5_new_file;
tsr_status tsr_hdf5_write_new(const char *path, const tsr_hdf5_new_file *what, uint64_t *nbytes,
                              tsr_error *err) TSR_NODISCARD;
/* Flush, close and free h5, on failure, too. TSR_IO: some written data did not reach the file. *nbytes (may
 * be NULL): the length of the file. */
tsr_status tsr_hdf5_close(tsr_hdf5 *h5, uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;
/* Close and ignore errors. NULL is fine. */
void tsr_hdf5_free(tsr_hdf5 *h5);

#endif
