/* An HDF5 file driver for the bytes of a file: a file descriptor or an image in memory.
 *
 * HDF5's own driver is not used for two reasons. When a write fails there (a full disk), the file cannot be
 * closed any more, its objects stay open, and the process crashes when the library shuts down. This driver
 * records the first fault, reports success to HDF5, and the caller reads the fault at the end. It also
 * refuses to read past the end of a file, where HDF5's own driver returns zeros. */
#ifndef HDF5_DRIVER_H
#define HDF5_DRIVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hdf5.h>

enum { TSR_HDF5_NNEAR = 4, TSR_HDF5_NEAR_NBYTES = 4096 };

/* Bytes of a file that is read: headers are read in many small pieces, which lie near each other. */
typedef struct tsr_hdf5_near {
    uint64_t at; /* a multiple of TSR_HDF5_NEAR_NBYTES */
    size_t n;    /* 0: none */
    unsigned char bytes[TSR_HDF5_NEAR_NBYTES];
} tsr_hdf5_near;

/* Where raw data are that HDF5 asks for. */
typedef struct tsr_hdf5_probe {
    haddr_t at;
    size_t nbytes;
    int n; /* reads */
} tsr_hdf5_probe;

typedef struct tsr_hdf5_device {
    int fd; /* -1: an image */
    struct tsr_fetched
        *fetched;               /* borrowed: gives the bytes of fd when they are read; NULL: they are there */
    const unsigned char *image; /* nbytes, borrowed */
    bool writable;
    uint64_t nbytes;       /* current length */
    atomic_int fault;      /* errno of the first fault; 0: none; a read past the end counts as EIO */
    atomic_bool past_end;  /* the fault was a read past the end */
    hid_t driver;          /* the identifier of this driver in HDF5; -1: not registered */
    atomic_bool near_used; /* a thread looks into `near`: others read the file */
    unsigned near_next;    /* is replaced next */
    tsr_hdf5_probe
        *probe; /* HDF5 does not get raw data, whose place is taken down; NULL: it does. Under the lock */
    tsr_hdf5_near near[TSR_HDF5_NNEAR];
} tsr_hdf5_device;

/* A file access list that opens files on `device` (which must outlive the file), or a negative number.
 * H5Fopen and H5Fcreate ignore the name of the file then. Registers the driver: call tsr_hdf5_device_release
 * once the file is closed and never before, because HDF5 1.10 gives up its own reference to a driver before
 * it closes the file through that driver. Both calls need tsr_hdf5_lock. */
hid_t tsr_hdf5_device_access(tsr_hdf5_device *device);
void tsr_hdf5_device_release(tsr_hdf5_device *device);
/* Read nbytes at `offset` without HDF5. Several threads may read at the same time. False: the bytes cannot
 * be read, and the fault is recorded. */
bool tsr_hdf5_device_read(tsr_hdf5_device *device, void *out, uint64_t offset, size_t nbytes);
/* Hint: these bytes will be read. */
void tsr_hdf5_device_soon(const tsr_hdf5_device *device, uint64_t offset, uint64_t nbytes);

#endif
