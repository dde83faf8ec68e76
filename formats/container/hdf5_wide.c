/* Writing datasets of any number of dimensions and of complex numbers: see tsr_hdf5_write_wide. HDF5's own filters
 * compress them, on one thread; the arrays of sparse tensors go through hdf5_array.c. */
#include "hdf5_internal.h"

tsr_status tsr_hdf5_write_integer(tsr_hdf5 *h5, const char *name, const char *attribute, tsr_type type,
                                  int64_t value, tsr_error *err)
{
    const hid_t stored = tsr_hdf5_file_type(type);
    int64_t data[1] = {value};
    tsr_hdf5_lock();
    const hid_t space = H5Screate(H5S_SCALAR);
    tsr_status status = TSR_OK;
    if (space < 0 || H5Tconvert(H5T_NATIVE_INT64, stored, 1, data, NULL, H5P_DEFAULT) < 0)
        status = tsr_hdf5_fail(h5, TSR_IO, err, "attribute '%s' cannot be written", attribute);
    else
        status = tsr_hdf5_set_attribute(h5, name, attribute, &(tsr_hdf5_value){stored, space, data}, err);
    if (space >= 0)
        H5Sclose(space);
    tsr_hdf5_unlock();
    return status;
}

/* The type in memory, or in the file; the caller closes it. */
static hid_t new_type(tsr_type type, hid_t (*number)(tsr_type))
{
    if (tsr_type_class(type) != 'C')
        return H5Tcopy(number(type));
    const tsr_type part = type == TSR_C64 ? TSR_F32 : TSR_F64;
    const size_t width = tsr_type_nbytes(part);
    const hid_t pair = H5Tcreate(H5T_COMPOUND, 2 * width);
    if (pair >= 0 && H5Tinsert(pair, "real", 0, number(part)) >= 0 &&
        H5Tinsert(pair, "imag", width, number(part)) >= 0)
        return pair;
    if (pair >= 0)
        H5Tclose(pair);
    return -1;
}

/* Cut the chunk along the slowest dimensions until it has at most 1 MiB. */
static bool set_chunks(hid_t plan, const hsize_t *dims, const tsr_stored *array, int deflate)
{
    const uint64_t most = ((uint64_t)1 << 20) / tsr_type_nbytes(array->type);
    hsize_t chunk[TSR_CONTAINER_MAX_DIMS];
    uint64_t n = 1;
    for (int d = array->ndims - 1; d >= 0; d--) {
        const uint64_t room = most / n;
        chunk[d] = dims[d] < room ? dims[d] : room;
        n *= chunk[d] = chunk[d] ? chunk[d] : 1;
    }
    return H5Pset_chunk(plan, array->ndims, chunk) >= 0 && H5Pset_shuffle(plan) >= 0 &&
           H5Pset_deflate(plan, (unsigned)deflate) >= 0;
}

tsr_status tsr_hdf5_write_wide(tsr_hdf5 *h5, const tsr_stored *array, const void *values, int deflate,
                               tsr_error *err)
{
    tsr_status status = TSR_OK;
    hsize_t dims[TSR_CONTAINER_MAX_DIMS];
    for (int d = 0; d < array->ndims; d++)
        dims[d] = array->dims[d];
    tsr_hdf5_lock();
    const hid_t stored = new_type(array->type, tsr_hdf5_file_type);
    const hid_t given = new_type(array->type, tsr_hdf5_memory_type);
    const hid_t space = H5Screate_simple(array->ndims, dims, NULL), plan = H5Pcreate(H5P_DATASET_CREATE);
    hid_t id = -1;
    bool ok = stored >= 0 && given >= 0 && space >= 0 && H5Pset_obj_track_times(plan, false) >= 0;
    if (ok && deflate > 0 && array->n > 0)
        ok = set_chunks(plan, dims, array, deflate);
    if (ok)
        id = H5Dcreate2(h5->group, array->name, stored, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    if (id < 0 || (array->n > 0 && H5Dwrite(id, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) ||
        h5->device.fault)
        status = tsr_hdf5_fail(h5, TSR_IO, err, "dataset '%s' cannot be written", array->name);
    if (id >= 0 && H5Dclose(id) < 0 && status == TSR_OK)
        status = tsr_hdf5_fail(h5, TSR_IO, err, "dataset '%s' cannot be written", array->name);
    H5Pclose(plan);
    if (space >= 0)
        H5Sclose(space);
    if (given >= 0)
        H5Tclose(given);
    if (stored >= 0)
        H5Tclose(stored);
    tsr_hdf5_unlock();
    return status;
}
