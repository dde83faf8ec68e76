/* An HDF5 file driver: see hdf5_driver.h. */
#include "hdf5_driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <H5FDpublic.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include "tsr_fetched.h"
#include "tsr_output.h"
#include "tsr_system.h"

typedef struct driver_file {
    H5FD_t pub; /* the part that HDF5 uses; must be first */
    tsr_hdf5_device *device;
    haddr_t eoa; /* the end of the addresses that HDF5 has allocated */
} driver_file;

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t maxaddr)
{
    (void)name;
    (void)flags;
    (void)maxaddr;
    tsr_hdf5_device *const *device = H5Pget_driver_info(access);
    driver_file *file = device ? calloc(1, sizeof *file) : NULL;
    if (!file)
        return NULL;
    file->device = *device;
    return &file->pub;
}

static herr_t driver_close(H5FD_t *pub)
{
    free(pub);
    return 0;
}

static herr_t driver_query(const H5FD_t *pub, unsigned long *flags)
{
    (void)pub;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *pub, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file *)pub)->eoa;
}

static herr_t driver_set_eoa(H5FD_t *pub, H5FD_mem_t type, haddr_t addr)
{
    (void)type;
    ((driver_file *)pub)->eoa = addr;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *pub, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file *)pub)->device->nbytes;
}

/* Record the first fault; returns false. */
static bool fail(tsr_hdf5_device *device, int fault, bool past_end)
{
    int none = 0;
    if (atomic_compare_exchange_strong(&device->fault, &none, fault))
        device->past_end = past_end;
    return false;
}

static bool read_file(tsr_hdf5_device *device, void *out, uint64_t offset, size_t nbytes)
{
    if (device->fetched && !tsr_fetched_need(device->fetched, offset, nbytes))
        return fail(device, EIO, false);
    for (unsigned char *p = out; nbytes > 0;) {
        const ssize_t n = pread(device->fd, p, nbytes, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fail(device, n < 0 ? errno : EIO, n == 0);
        p += n;
        offset += (uint64_t)n;
        nbytes -= (size_t)n;
    }
    return true;
}

/* The bytes that contain the nbytes at `offset`, which lie between two multiples of their size. NULL: they cannot be read. */
static const tsr_hdf5_near *find_near(tsr_hdf5_device *device, uint64_t offset)
{
    const uint64_t at = offset - offset % TSR_HDF5_NEAR_NBYTES, left = device->nbytes - at;
    for (int k = 0; k < TSR_HDF5_NNEAR; k++)
        if (device->near[k].n > 0 && device->near[k].at == at)
            return &device->near[k];
    tsr_hdf5_near *const near = &device->near[device->near_next++ % TSR_HDF5_NNEAR];
    near->at = at;
    near->n = left < TSR_HDF5_NEAR_NBYTES ? (size_t)left : TSR_HDF5_NEAR_NBYTES;
    if (!read_file(device, near->bytes, at, near->n))
        near->n = 0;
    return near->n > 0 ? near : NULL;
}

bool tsr_hdf5_device_read(tsr_hdf5_device *device, void *out, uint64_t offset, size_t nbytes)
{
    enum { SMALL_NBYTES = 512 };
    const uint64_t first = offset % TSR_HDF5_NEAR_NBYTES;
    if (offset > device->nbytes || nbytes > device->nbytes - offset)
        return fail(device, EIO, true);
    if (device->image) {
        memcpy(out, device->image + offset, nbytes);
        return true;
    }
    if (device->writable || nbytes > SMALL_NBYTES || first + nbytes > TSR_HDF5_NEAR_NBYTES ||
        atomic_exchange(&device->near_used, true))
        return read_file(device, out, offset, nbytes);
    const tsr_hdf5_near *const near = nbytes > 0 ? find_near(device, offset) : NULL;
    if (near)
        memcpy(out, near->bytes + first, nbytes);
    atomic_store(&device->near_used, false);
    return near || nbytes == 0;
}

void tsr_hdf5_device_soon(const tsr_hdf5_device *device, uint64_t offset, uint64_t nbytes)
{
    if (device->fd >= 0 && !device->fetched)
        tsr_system_read_soon(device->fd, offset, nbytes);
}

static herr_t driver_read(H5FD_t *pub, H5FD_mem_t type, hid_t transfer, haddr_t addr, size_t nbytes,
                          void *out)
{
    (void)transfer;
    tsr_hdf5_device *device = ((driver_file *)pub)->device;
    size_t there = nbytes;
    if (device->probe && type == H5FD_MEM_DRAW) {
        *device->probe = (tsr_hdf5_probe){addr, nbytes, device->probe->n + 1};
        return 0;
    }
    if (device->writable) { /* bytes that are allocated and not yet written read as zeros */
        const uint64_t left = addr < device->nbytes ? device->nbytes - addr : 0;
        there = left < nbytes ? (size_t)left : nbytes;
        memset((unsigned char *)out + there, 0, nbytes - there);
    }
    return there == 0 || tsr_hdf5_device_read(device, out, addr, there) ? 0 : -1;
}

static herr_t driver_write(H5FD_t *pub, H5FD_mem_t type, hid_t transfer, haddr_t addr, size_t nbytes,
                           const void *in)
{
    (void)type;
    (void)transfer;
    tsr_hdf5_device *device = ((driver_file *)pub)->device;
    const unsigned char *p = in;
    const haddr_t first = addr;
    while (nbytes > 0 && !device->fault) {
        const ssize_t n = pwrite(device->fd, p, nbytes, (off_t)addr);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            fail(device, n < 0 ? errno : ENOSPC, false);
            break;
        }
        p += n;
        addr += (haddr_t)n;
        nbytes -= (size_t)n;
    }
    tsr_system_write_soon(device->fd, first, addr - first);
    if (addr + nbytes > device->nbytes)
        device->nbytes = addr + nbytes;
    return 0;
}

static herr_t driver_truncate(H5FD_t *pub, hid_t transfer, hbool_t closing)
{
    (void)transfer;
    (void)closing;
    const driver_file *file = (const driver_file *)pub;
    tsr_hdf5_device *device = file->device;
    if (!device->writable || device->nbytes == file->eoa)
        return 0;
    if (!device->fault && ftruncate(device->fd, (off_t)file->eoa) != 0)
        fail(device, errno, false);
    device->nbytes = file->eoa;
    return 0;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = 0x7473, /* "ts": must differ from the numbers of registered drivers */
#endif
    .name = "tessera",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(tsr_hdf5_device *),
    .open = driver_open,
    .close = driver_close,
    .query = driver_query,
    .get_eoa = driver_get_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_get_eof,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t tsr_hdf5_device_access(tsr_hdf5_device *device)
{
    tsr_hdf5_device_release(device);
    device->driver = H5FDregister(&driver);
    const hid_t access = device->driver < 0 ? -1 : H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_driver(access, device->driver, &device) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
        return access;
    if (access >= 0)
        H5Pclose(access);
    return -1;
}

void tsr_hdf5_device_release(tsr_hdf5_device *device)
{
    if (device->driver >= 0)
        H5FDunregister(device->driver);
    device->driver = -1;
}
