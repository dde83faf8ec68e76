/* What the hdf5_*.c files share. */
#ifndef HDF5_INTERNAL_H
#define HDF5_INTERNAL_H

#include "hdf5_driver.h"
#include "hdf5_io.h"

/* Links and objects by their addresses, which newer HDF5 gives under older names. */
#if H5_VERSION_GE(1, 12, 0)
typedef H5L_info1_t tsr_hdf5_link;
typedef H5O_info1_t tsr_hdf5_object;
#define tsr_hdf5_link_info H5Lget_info1
#else
typedef H5L_info_t tsr_hdf5_link;
typedef H5O_info_t tsr_hdf5_object;
#define tsr_hdf5_link_info H5Lget_info
#endif

struct tsr_hdf5 {
    tsr_hdf5_device device;
    tsr_hdf5_mode mode;
    hid_t file, group;               /* -1: none */
    uint64_t group_at;               /* where the group's object header stands */
    size_t offset_size, length_size; /* bytes of an address and of a length in this file */
    uint64_t base;                   /* what addresses count from: the bytes of a user block */
};

/* Take the mutex and switch HDF5's error printing off; give both back. Every HDF5 call stands between. */
void tsr_hdf5_lock(void);
void tsr_hdf5_unlock(void);
/* Inside the lock, right after a failed HDF5 call: fill err with the sentence and HDF5's innermost reason; a
 * fault of the device comes first and makes it TSR_IO. Returns the status. */
tsr_status tsr_hdf5_fail(tsr_hdf5 *h5, tsr_status status, tsr_error *err, const char *format, ...)
    TSR_PRINTF(4, 5);
/* Tell the observer that nbytes more are done: TSR_CANCELLED when it says so. */
tsr_status tsr_hdf5_step(tsr_hdf5_job *job, uint64_t nbytes, tsr_error *err) TSR_NODISCARD;

/* Check the object header at `at`, as links give it, before HDF5 decodes it: TSR_CORRUPT when a message does
 * not fit. */
tsr_status tsr_hdf5_guard(tsr_hdf5 *h5, uint64_t at, tsr_error *err) TSR_NODISCARD;
/* Check the root, to which the superblock at `at` leads, before HDF5 opens the file: when the root leads out
 * of the file, HDF5 fails and cannot let go of the file. */
tsr_status tsr_hdf5_guard_root(tsr_hdf5 *h5, uint64_t at, tsr_error *err) TSR_NODISCARD;
/* The text of a string attribute of the object whose header is at `at`: see tsr_hdf5_read_text. */
tsr_status tsr_hdf5_find_text(char **out, size_t *nbytes, tsr_hdf5 *h5, uint64_t at, const char *name,
                              tsr_error *err) TSR_NODISCARD;
/* Append the names of the attributes of the object whose header is at `at`: see tsr_hdf5_list_attributes. */
tsr_status tsr_hdf5_find_names(tsr_text *names, tsr_hdf5 *h5, uint64_t at, tsr_error *err) TSR_NODISCARD;
/* Where the hard link `name` of a group leads, its object header checked. *there: false when there is none.
 */
tsr_status tsr_hdf5_follow(uint64_t *at, bool *there, tsr_hdf5 *h5, hid_t group, const char *name,
                           const char *what, tsr_error *err) TSR_NODISCARD;

/* How a chunked dataset is stored. */
typedef struct tsr_hdf5_chunks {
    uint64_t n;      /* values per chunk */
    size_t width;    /* bytes per value */
    int shuffle_bit; /* which bit of a chunk's filter mask skips it; -1: no shuffle */
    int deflate_bit; /* likewise */
    int level;       /* of deflate, for writing */
} tsr_hdf5_chunks;
/* Read or write the n values of a dataset whose pipeline is (shuffle, deflate), chunk by chunk on all
 * threads. */
tsr_status tsr_hdf5_read_chunks(void *out, tsr_hdf5 *h5, hid_t dataset, const tsr_hdf5_array *array,
                                const tsr_hdf5_chunks *chunks, tsr_hdf5_job *job,
                                tsr_error *err) TSR_NODISCARD;
tsr_status tsr_hdf5_write_chunks(tsr_hdf5 *h5, hid_t dataset, const tsr_hdf5_array *array, const void *values,
                                 const tsr_hdf5_chunks *chunks, tsr_hdf5_job *job,
                                 tsr_error *err) TSR_NODISCARD;

#endif
