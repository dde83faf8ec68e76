/* What the hdf5_*.c files share. */
#ifndef HDF5_INTERNAL_H
#define HDF5_INTERNAL_H

#include "hdf5_driver.h"
#include "hdf5_io.h"

struct tsr_hdf5 {
    tsr_hdf5_device device;
    tsr_hdf5_mode mode;
    hid_t file, group; /* -1: none */
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
