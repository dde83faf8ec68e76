/* The part of HDF5 that the codecs need: a file, one group in it, attributes and arrays.
 *
 * HDF5 as distributions build it is not thread-safe: all calls of HDF5 here are made under one mutex, with
 * error printing switched off. References to other files are not followed: groups and arrays are reached by
 * hard links only, and virtual arrays, external arrays and arrays with plug-in filters are refused. */
#ifndef HDF5_IO_H
#define HDF5_IO_H

#include "container.h"

enum { TSR_HDF5_MAX_TEXT = 16 << 20 }; /* bytes of the longest attribute text that is read */

typedef struct tsr_hdf5 tsr_hdf5;

/* The same file as a container, and back. NULL is fine. */
tsr_container *tsr_hdf5_container(tsr_hdf5 *h5);
tsr_hdf5 *tsr_hdf5_of(tsr_container *c);

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

/* NOTHING also for links that lead out of the file, and for objects that cannot be opened. */
tsr_node tsr_hdf5_look_up(tsr_hdf5 *h5, const char *name);
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

/* Check the header of an array. TSR_CORRUPT: the array is missing, is not one-dimensional, does not hold
 * numbers, or claims more values than the stored bytes can hold (deflate makes at most 1032 bytes of one).
 * TSR_UNSUPPORTED: the data are in other files, or the filter is unknown. */
tsr_status tsr_hdf5_look(tsr_stored *out, tsr_hdf5 *h5, const char *name, tsr_error *err) TSR_NODISCARD;
/* The same for any number of dimensions, and for complex numbers (a compound of two floats) and truth values (an
 * enum) too. */
tsr_status tsr_hdf5_look_wide(tsr_stored *out, tsr_hdf5 *h5, const char *name, tsr_error *err) TSR_NODISCARD;
/* The same without the check of the stored bytes, whose time grows with the number of chunks: the length is
 * the one that the header claims. storage: how the array is stored: "contiguous", "chunks of 131072, shuffle,
 * deflate 1". */
tsr_status tsr_hdf5_glance(tsr_stored *out, char storage[TSR_STORAGE_NBYTES], tsr_hdf5 *h5, const char *name,
                           tsr_error *err) TSR_NODISCARD;
tsr_status tsr_hdf5_glance_wide(tsr_stored *out, char storage[TSR_STORAGE_NBYTES], tsr_hdf5 *h5,
                                const char *name, tsr_error *err) TSR_NODISCARD;
/* Read the whole array into out: array->n values of array->type, in the byte order of the machine. */
tsr_status tsr_hdf5_read(void *out, tsr_hdf5 *h5, const tsr_stored *array, tsr_job *job,
                         tsr_error *err) TSR_NODISCARD;
/* Append the texts of a dataset of one dimension or none, of fixed or variable length, to names that are empty. */
tsr_status tsr_hdf5_read_names(tsr_names *out, tsr_hdf5 *h5, const char *name, tsr_error *err) TSR_NODISCARD;
/* The same for values [first, first + n) of an array of one dimension that was looked at. TSR_UNSUPPORTED: chunks that
 * are not stored. */
tsr_status tsr_hdf5_read_part(void *out, tsr_hdf5 *h5, const tsr_stored *array, uint64_t first, uint64_t n,
                              tsr_error *err) TSR_NODISCARD;
/* The read_ranges of tsr_container_type: of numbers in chunks. Others are hinted to the system. */
tsr_status tsr_hdf5_read_ranges(void *out, tsr_hdf5 *h5, const tsr_stored *array, const tsr_ranges *ranges,
                                tsr_job *job, tsr_error *err) TSR_NODISCARD;
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
tsr_status tsr_hdf5_write_wide(tsr_hdf5 *h5, const tsr_stored *array, const void *values, int deflate,
                               tsr_error *err) TSR_NODISCARD;
/* Write a dataset of n texts of `width` characters each, padded with NUL. */
tsr_status tsr_hdf5_write_texts(tsr_hdf5 *h5, const char *name, const char *texts, size_t width, uint64_t n,
                                tsr_error *err) TSR_NODISCARD;
/* Write an array, little-endian: contiguous where deflate or array->n is 0, else in chunks with shuffle and
 * deflate, compressed on all threads. The bytes of the file do not depend on the number of threads. */
tsr_status tsr_hdf5_write(tsr_hdf5 *h5, const tsr_stored *array, const void *values, int deflate,
                          tsr_job *job, tsr_error *err) TSR_NODISCARD;
/* The same as tsr_hdf5_write, with the same bytes in the file; what is loaded at once is a few MiB. */
tsr_status tsr_hdf5_write_from(tsr_hdf5 *h5, const tsr_stored *array, const tsr_supply *supply, int deflate,
                               tsr_job *job, tsr_error *err) TSR_NODISCARD;
/* Remove a link from the current group where it exists. */
tsr_status tsr_hdf5_remove(tsr_hdf5 *h5, const char *name, tsr_error *err) TSR_NODISCARD;

/* Write "file:object" as `what` says: see tsr_container_type.write. */
tsr_status tsr_hdf5_write_new(const char *path, const tsr_filling *what, uint64_t *nbytes,
                              tsr_error *err) TSR_NODISCARD;
/* Flush, close and free h5, on failure, too. TSR_IO: some written data did not reach the file. *nbytes (may
 * be NULL): the length of the file. */
tsr_status tsr_hdf5_close(tsr_hdf5 *h5, uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;
/* Close and ignore errors. NULL is fine. */
void tsr_hdf5_free(tsr_hdf5 *h5);

#endif
