/* The little of HDF5 that our codec needs: a file, one group in it, text attributes and flat arrays.
 *
 * HDF5 as distributions build it is not thread-safe: one mutex is held around every call of it here, and its
 * error printing is off inside. Nothing is followed that leads out of the file: a group or an array is
 * reached by hard links only, and virtual, external and plug-in-filtered arrays are refused. */
#ifndef HDF5_IO_H
#define HDF5_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_observer.h"
#include "tsr_text.h"
#include "tsr_type.h"

enum { TSR_HDF5_MAX_TEXT = 16 << 20 }; /* longest attribute text that is read */

typedef struct tsr_hdf5 tsr_hdf5;

typedef enum tsr_hdf5_mode { TSR_HDF5_READ, TSR_HDF5_EDIT, TSR_HDF5_CREATE } tsr_hdf5_mode;

/* Open the file for reading; the current group is its root. TSR_IO (the system's words), TSR_SYNTAX (not
 * HDF5), TSR_CORRUPT (HDF5's words: truncated...). */
tsr_status tsr_hdf5_open(tsr_hdf5 **out, const char *path, tsr_error *err) TSR_NODISCARD;
/* The same for an open file (borrowed; for EDIT and CREATE open for reading and writing, for CREATE empty),
 * so what is written is what the caller made, whatever its path leads to by now. */
tsr_status tsr_hdf5_open_fd(tsr_hdf5 **out, int fd, tsr_hdf5_mode mode, tsr_error *err) TSR_NODISCARD;
/* Read from a file's bytes in memory, borrowed until closed. */
tsr_status tsr_hdf5_open_image(tsr_hdf5 **out, const void *bytes, size_t nbytes,
                               tsr_error *err) TSR_NODISCARD;
/* Make `group` ("a/b", from the root; "" and "/" are the root) the current one. Groups that are missing are
 * created unless the file is open for reading. */
tsr_status tsr_hdf5_enter(tsr_hdf5 *h5, const char *group, tsr_error *err) TSR_NODISCARD;
/* Append the paths of groups (", " between them, the first few, not too deep) that have this attribute. */
tsr_status tsr_hdf5_find_groups(tsr_text *paths, tsr_hdf5 *h5, const char *attribute,
                                tsr_error *err) TSR_NODISCARD;

/* Append the paths of the groups below the current one that have this attribute, each ended by NUL; `*more`
 * tells that there are others: only the first few hundred links are followed, not too deep. */
tsr_status tsr_hdf5_list_groups(tsr_text *paths, bool *more, tsr_hdf5 *h5, const char *attribute,
                                tsr_error *err) TSR_NODISCARD;

/* Append the names of the current group's attributes, each ended by NUL (not those in dense storage). */
tsr_status tsr_hdf5_list_attributes(tsr_text *names, tsr_hdf5 *h5, tsr_error *err) TSR_NODISCARD;
/* The text of a string attribute of the current group, NUL-terminated, freed with tsr_free; padding is taken
 * off. *out is NULL and TSR_OK when there is no such attribute. */
tsr_status tsr_hdf5_read_text(char **out, size_t *nbytes, tsr_hdf5 *h5, const char *attribute,
                              tsr_error *err) TSR_NODISCARD;
/* Write it (variable-length UTF-8) instead of one that is there; text NULL only removes. */
tsr_status tsr_hdf5_write_text(tsr_hdf5 *h5, const char *attribute, const char *text,
                               tsr_error *err) TSR_NODISCARD;

enum { TSR_HDF5_MAX_NAME = 31 };

/* A one-dimensional dataset of plain numbers of the current group. */
typedef struct tsr_hdf5_array {
    char name[TSR_HDF5_MAX_NAME + 1];
    tsr_type type; /* F32, F64 or an integer */
    uint64_t n;
} tsr_hdf5_array;

/* Work on arrays: threads, and who hears of it. */
typedef struct tsr_hdf5_job {
    int nthreads; /* > 0 */
    const tsr_observer *observer;
    const char *phase;    /* "read", "write" */
    uint64_t done, total; /* bytes of arrays */
    int64_t last_ns;      /* when the observer heard last */
} tsr_hdf5_job;

/* Look at an array before believing it: TSR_CORRUPT when it is missing, is not one-dimensional, has another
 * class, or claims more than its stored bytes can hold (deflate makes at most 1032 bytes of one);
 * TSR_UNSUPPORTED for what leads out of the file. */
tsr_status tsr_hdf5_look(tsr_hdf5_array *out, tsr_hdf5 *h5, const char *name, tsr_error *err) TSR_NODISCARD;
enum { TSR_HDF5_STORAGE_NBYTES = 64 };
/* The same without a look at the stored bytes, which takes time that grows with the number of chunks: the
 * length is then what the header claims. `storage` says how the array is stored: "contiguous", "chunks of
 * 131072, shuffle, deflate 1". */
tsr_status tsr_hdf5_glance(tsr_hdf5_array *out, char storage[TSR_HDF5_STORAGE_NBYTES], tsr_hdf5 *h5,
                           const char *name, tsr_error *err) TSR_NODISCARD;
/* Read all of it into out: n values of its type, in the machine's byte order. */
tsr_status tsr_hdf5_read(void *out, tsr_hdf5 *h5, const tsr_hdf5_array *array, tsr_hdf5_job *job,
                         tsr_error *err) TSR_NODISCARD;
/* Write an array, little-endian: contiguous when deflate is 0 or n is, else in chunks with shuffle and
 * deflate, compressed on all threads. The bytes of the file do not depend on the number of threads. */
tsr_status tsr_hdf5_write(tsr_hdf5 *h5, const tsr_hdf5_array *array, const void *values, int deflate,
                          tsr_hdf5_job *job, tsr_error *err) TSR_NODISCARD;
/* Remove a link of the current group, if it is there. */
tsr_status tsr_hdf5_remove(tsr_hdf5 *h5, const char *name, tsr_error *err) TSR_NODISCARD;

/* Flush and close: TSR_IO when anything of what was written did not reach the file. *nbytes (may be NULL):
 * the file's length. Frees h5, on failure too. */
tsr_status tsr_hdf5_close(tsr_hdf5 *h5, uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;
/* Close without caring. NULL is fine. */
void tsr_hdf5_free(tsr_hdf5 *h5);

#endif
