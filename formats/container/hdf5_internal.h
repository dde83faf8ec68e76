/* Declarations shared by the hdf5_*.c files. */
#ifndef HDF5_INTERNAL_H
#define HDF5_INTERNAL_H

#include "hdf5_driver.h"
#include "hdf5_io.h"

/* Links and objects with their addresses; newer versions of HDF5 have these under other names. */
#if H5_VERSION_GE(1, 12, 0)
typedef H5L_info1_t tsr_hdf5_link;
typedef H5O_info1_t tsr_hdf5_object;
#define tsr_hdf5_link_info H5Lget_info1
#else
typedef H5L_info_t tsr_hdf5_link;
typedef H5O_info_t tsr_hdf5_object;
#define tsr_hdf5_link_info H5Lget_info
#endif

typedef struct tsr_hdf5_part tsr_hdf5_part;

struct tsr_hdf5 {
    tsr_container head;
    tsr_hdf5_device device;
    tsr_hdf5_mode mode;
    hid_t file, group; /* -1: none */
    uint64_t root_at;
    uint64_t group_at;               /* the address of the group's object header */
    size_t offset_size, length_size; /* bytes of an address and of a length in this file */
    uint64_t base;                   /* addresses are relative to this offset: the bytes of the user block */
    tsr_hdf5_part *part;             /* what parts are read of; owned; NULL: nothing yet */
};

/* Lock the mutex and switch HDF5's error printing off; unlock and restore it. All HDF5 calls are between the
 * two. */
void tsr_hdf5_lock(void);
void tsr_hdf5_unlock(void);
/* Under the lock, directly after a failed HDF5 call: fill err with the sentence and the innermost reason of
 * HDF5. Where the device has a fault, the fault is the reason and the status is TSR_IO (TSR_CORRUPT for a
 * read past the end). Returns the status. */
tsr_status tsr_hdf5_fail(tsr_hdf5 *h5, tsr_status status, tsr_error *err, const char *format, ...)
    TSR_PRINTF(4, 5);

/* Close the dataset that parts were read of, under the lock. */
void tsr_hdf5_end_parts(tsr_hdf5 *h5);

/* Check the object header at the address `at` before HDF5 decodes it. TSR_CORRUPT: a message does not fit
 * its length. */
tsr_status tsr_hdf5_guard(tsr_hdf5 *h5, uint64_t at, tsr_error *err) TSR_NODISCARD;
/* Check the root group that the superblock at `at` refers to, before HDF5 opens the file: where the root is
 * beyond the end of the file, HDF5 fails and cannot close the file. */
tsr_status tsr_hdf5_guard_root(tsr_hdf5 *h5, uint64_t at, tsr_error *err) TSR_NODISCARD;
/* The text of a string attribute of the object whose header is at `at`: see tsr_hdf5_read_text. */
tsr_status tsr_hdf5_find_text(char **out, size_t *nbytes, tsr_hdf5 *h5, uint64_t at, const char *name,
                              tsr_error *err) TSR_NODISCARD;
/* Append the texts that references to global heaps (4 bytes of length, an address, 4 bytes of an index) lead to. */
tsr_status tsr_hdf5_take_references(tsr_names *out, tsr_hdf5 *h5, const tsr_array *references,
                                    tsr_error *err) TSR_NODISCARD;
/* Integers of an attribute of that object: see tsr_hdf5_integers_of. */
int tsr_hdf5_find_integers(int64_t *out, int most, tsr_hdf5 *h5, uint64_t at, const char *name);
/* Append the names of the attributes of the object whose header is at `at`: see tsr_hdf5_list_attributes. */
tsr_status tsr_hdf5_find_names(tsr_text *names, tsr_hdf5 *h5, uint64_t at, tsr_error *err) TSR_NODISCARD;
/* The object that the hard link `name` of a group refers to; its object header is checked. what: the kind of
 * object, for errors. TSR_UNSUPPORTED: a soft or external link. */
typedef struct tsr_hdf5_target {
    bool there;  /* the link exists */
    uint64_t at; /* the address of the object */
} tsr_hdf5_target;
tsr_status tsr_hdf5_follow(tsr_hdf5_target *target, tsr_hdf5 *h5, hid_t group, const char *name,
                           const char *what, tsr_error *err) TSR_NODISCARD;

/* The types of HDF5 for real numbers and integers: in memory, and in files that Tessera writes. Not to be closed. */
hid_t tsr_hdf5_memory_type(tsr_type type);
hid_t tsr_hdf5_file_type(tsr_type type);
/* The same of any value type; the caller closes it. Under the lock. */
hid_t tsr_hdf5_new_type(tsr_type type, bool in_file);
/* The type of the values of a dataset that is looked at. */
bool tsr_hdf5_value_type(tsr_stored *array, hid_t type);
/* The type in memory to which HDF5 converts the values of the array from the stored type; the caller closes it. Under
 * the lock. */
hid_t tsr_hdf5_new_memory_type(const tsr_stored *array, hid_t stored);
/* Whether the stored type is the one that memory has. Under the lock. */
bool tsr_hdf5_is_as_in_memory(hid_t stored, tsr_type type);
/* Set an attribute of the object `name` of the current group (NULL: of the group). Under the lock. */
typedef struct tsr_hdf5_value {
    hid_t type, space;
    const void *data;
} tsr_hdf5_value;
tsr_status tsr_hdf5_set_attribute(tsr_hdf5 *h5, const char *name, const char *attribute,
                                  const tsr_hdf5_value *value, tsr_error *err) TSR_NODISCARD;

/* How a chunked dataset is stored. */
typedef struct tsr_hdf5_chunks {
    uint64_t n;      /* values per chunk */
    size_t width;    /* bytes per value */
    int shuffle_bit; /* the bit of a chunk's filter mask that means "not shuffled"; -1: no shuffle filter */
    int deflate_bit; /* the same for deflate */
    int sum_bit;     /* the same for fletcher32, for reading: 4 bytes at the end of a chunk */
    bool lzf;        /* deflate_bit is that of h5py's lzf instead, for reading */
    int level;       /* of deflate, for writing */
} tsr_hdf5_chunks;
typedef struct tsr_hdf5_chunked {
    hid_t dataset;
    const tsr_stored *array;
    const tsr_hdf5_chunks *chunks;
} tsr_hdf5_chunked;
/* The stored bytes of a chunk. */
typedef struct tsr_hdf5_stored {
    unsigned char *bytes; /* owned, unless they are lent: */
    bool lent;            /* a chunk of more than `capacity` bytes is an error */
    size_t capacity, nbytes;
    unsigned mask; /* bit k: filter k was not applied */
    bool optional; /* a chunk that cannot be found is not an error, and has no bytes */
} tsr_hdf5_stored;
/* Whether chunks are stored as their values are, with no filter. */
bool tsr_hdf5_is_plain(const tsr_hdf5_chunks *chunks);
/* Fetch the chunk that begins at `offset`. */
tsr_status tsr_hdf5_fetch_chunk(tsr_hdf5_stored *s, tsr_hdf5 *h5, const tsr_hdf5_chunked *from,
                                const hsize_t *offset, tsr_error *err) TSR_NODISCARD;
/* h5py's lzf (LibLZF): runs of literals, and copies of 3 to 264 bytes from up to 8192 bytes before. False when
 * the stored bytes do not make exactly n bytes. */
bool tsr_hdf5_expand_lzf(unsigned char *out, size_t n, const unsigned char *in, size_t nstored);
struct libdeflate_decompressor;
/* Undo the compression of a stored chunk, if it has any: the bytes of its values (still shuffled) are `to`, or in s->bytes. NULL: they
 * are not n bytes, or the checksum is wrong. */
const unsigned char *tsr_hdf5_expand(unsigned char *to, size_t n, const tsr_hdf5_stored *s,
                                     const tsr_hdf5_chunks *chunks, struct libdeflate_decompressor *z);
/* Read all values of a dataset in chunks, on one thread. It may have any number of dimensions, any type, and chunks that are not
 * stored. */
tsr_status tsr_hdf5_read_grid(void *out, tsr_hdf5 *h5, const tsr_hdf5_chunked *from, tsr_job *job,
                              tsr_error *err) TSR_NODISCARD;
/* The same for values [first, first + n) of a dataset whose chunks are all stored; of several dimensions, whole strips. */
tsr_status tsr_hdf5_read_grid_part(void *out, tsr_hdf5 *h5, const tsr_hdf5_chunked *from, uint64_t first,
                                   uint64_t n, tsr_error *err) TSR_NODISCARD;
/* Read or write values of a dataset of one dimension whose chunks are all stored, and whose values are as in memory, chunk by chunk on
 * all threads: all of them, or those of ranges, which are in the dataset, one range after the other. */
tsr_status tsr_hdf5_read_chunks(void *out, tsr_hdf5 *h5, const tsr_hdf5_chunked *from, tsr_job *job,
                                tsr_error *err) TSR_NODISCARD;
tsr_status tsr_hdf5_read_chunk_ranges(void *out, tsr_hdf5 *h5, const tsr_hdf5_chunked *from,
                                      const tsr_ranges *ranges, tsr_job *job, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_hdf5_write_chunks(tsr_hdf5 *h5, const tsr_hdf5_chunked *to, const tsr_supply *supply,
                                 tsr_job *job, tsr_error *err) TSR_NODISCARD;

#endif
