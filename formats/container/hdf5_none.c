/* A build without libhdf5 (TSR_WITH_HDF5=OFF): HDF5 files are recognised and refused. See container.h. */
#include "container.h"
#include "mat5.h"
#include "tsr_version.h"

static bool claims(const char *path)
{
    (void)path;
    return true;
}

static tsr_status open_none(tsr_container **out, const char *path, tsr_error *err)
{
    (void)path;
    *out = NULL;
    return tsr_fail_without("HDF5", err);
}

static tsr_status write_none(const char *path, const tsr_filling *what, const tsr_write_options *options,
                             uint64_t *nbytes, tsr_error *err)
{
    (void)path, (void)what, (void)options, (void)nbytes;
    return tsr_fail_without("HDF5", err);
}

/* No such container is ever open, so that all else is missing. */
const tsr_container_type tsr_container_hdf5 = {.name = "HDF5",
                                               .word = "dataset",
                                               .claims = claims,
                                               .claims_name = claims,
                                               .open = open_none,
                                               .write = write_none};

tsr_status tsr_mat73_write(const char *file, const char *name, const tsr_tensor *tensor,
                           const tsr_write_options *options, uint64_t *nbytes, tsr_error *err)
{
    (void)file, (void)name, (void)tensor, (void)options, (void)nbytes;
    return tsr_fail_without("HDF5", err);
}
