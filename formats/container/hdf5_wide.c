/* The types of numbers in HDF5, and arrays of any dims and types: see hdf5_internal.h and hdf5_io.h. */
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

/* A float of 16 bits in the byte order of `like`: HDF5 before 1.14 has no name for it. */
static hid_t new_half(hid_t like, int fraction_nbits)
{
    const size_t f = (size_t)fraction_nbits, e = 15 - f;
    const hid_t type = H5Tcopy(like);
    if (type >= 0 && H5Tset_fields(type, 15, f, e, 0, f) >= 0 && H5Tset_size(type, 2) >= 0 &&
        H5Tset_ebias(type, ((size_t)1 << (e - 1)) - 1) >= 0)
        return type;
    if (type >= 0)
        H5Tclose(type);
    return -1;
}

/* The type in memory, or in the file; the caller closes it. */
static hid_t new_type(tsr_type type, hid_t (*number)(tsr_type))
{
    if (tsr_type_is_half(type))
        return new_half(number(TSR_F32), type == TSR_F16 ? 10 : 7);
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
hid_t tsr_hdf5_new_type(tsr_type type, bool in_file)
{
    return new_type(type, in_file ? tsr_hdf5_file_type : tsr_hdf5_memory_type);
}

/* ---- types ---- */

hid_t tsr_hdf5_memory_type(tsr_type type)
{
    switch (type) {
    case TSR_F32:
        return H5T_NATIVE_FLOAT;
    case TSR_F64:
        return H5T_NATIVE_DOUBLE;
    case TSR_I8:
        return H5T_NATIVE_INT8;
    case TSR_I16:
        return H5T_NATIVE_INT16;
    case TSR_I32:
        return H5T_NATIVE_INT32;
    case TSR_I64:
        return H5T_NATIVE_INT64;
    case TSR_U8:
        return H5T_NATIVE_UINT8;
    case TSR_U16:
        return H5T_NATIVE_UINT16;
    case TSR_U32:
        return H5T_NATIVE_UINT32;
    default:
        return H5T_NATIVE_UINT64;
    }
}

hid_t tsr_hdf5_file_type(tsr_type type)
{
    switch (type) {
    case TSR_F32:
        return H5T_IEEE_F32LE;
    case TSR_F64:
        return H5T_IEEE_F64LE;
    case TSR_I8:
        return H5T_STD_I8LE;
    case TSR_I16:
        return H5T_STD_I16LE;
    case TSR_I32:
        return H5T_STD_I32LE;
    case TSR_I64:
        return H5T_STD_I64LE;
    case TSR_U8:
        return H5T_STD_U8LE;
    case TSR_U16:
        return H5T_STD_U16LE;
    case TSR_U32:
        return H5T_STD_U32LE;
    default:
        return H5T_STD_U64LE;
    }
}

/* A float of 16 bits without a gap, with the bias of IEEE: f16 with 10 bits of fraction, bf16 with 7. */
static bool half_type(tsr_type *out, hid_t type)
{
    size_t sign, exponent, exponent_nbits, fraction, fraction_nbits;
    if (H5Tget_fields(type, &sign, &exponent, &exponent_nbits, &fraction, &fraction_nbits) < 0)
        return false;
    *out = fraction_nbits == 10 ? TSR_F16 : TSR_BF16;
    return (fraction_nbits == 10 || fraction_nbits == 7) && sign == 15 && fraction == 0 &&
           exponent == fraction_nbits && exponent_nbits == 15 - fraction_nbits &&
           H5Tget_ebias(type) == ((size_t)1 << (exponent_nbits - 1)) - 1;
}

/* The value type of a stored type: integers that use their whole width and IEEE floats, of either byte
 * order. False: any other type. */
static bool number_type(tsr_type *out, hid_t type)
{
    static const tsr_type with_sign[] = {TSR_I8, TSR_I16, TSR_I32, TSR_I64};
    static const tsr_type without[] = {TSR_U8, TSR_U16, TSR_U32, TSR_U64};
    const size_t width = H5Tget_size(type);
    switch (H5Tget_class(type)) {
    case H5T_INTEGER: {
        const int k = width == 1 ? 0 : width == 2 ? 1 : width == 4 ? 2 : width == 8 ? 3 : -1;
        const H5T_sign_t sign = H5Tget_sign(type);
        if (k < 0 || H5Tget_precision(type) != 8 * width || H5Tget_offset(type) != 0)
            return false;
        *out = sign == H5T_SGN_NONE ? without[k] : with_sign[k];
        return sign == H5T_SGN_NONE || sign == H5T_SGN_2;
    }
    case H5T_FLOAT:
        if (width == 2)
            return half_type(out, type);
        *out = width == 4 ? TSR_F32 : TSR_F64;
        return H5Tequal(type, H5T_IEEE_F32LE) > 0 || H5Tequal(type, H5T_IEEE_F32BE) > 0 ||
               H5Tequal(type, H5T_IEEE_F64LE) > 0 || H5Tequal(type, H5T_IEEE_F64BE) > 0;
    default:
        return false;
    }
}

/* Truth values as h5py stores them: an enum of bytes whose members are FALSE and TRUE. */
static bool is_boolean(hid_t type)
{
    signed char value[2] = {0};
    return H5Tget_class(type) == H5T_ENUM && H5Tget_size(type) == 1 && H5Tget_nmembers(type) == 2 &&
           H5Tenum_valueof(type, "FALSE", &value[0]) >= 0 && H5Tenum_valueof(type, "TRUE", &value[1]) >= 0 &&
           value[0] == 0 && value[1] == 1;
}

/* A compound of two floats of one kind, the real part first, without gaps. */
static bool complex_type(tsr_type *out, hid_t type)
{
    tsr_type part[2] = {TSR_U8, TSR_U8};
    if (H5Tget_class(type) != H5T_COMPOUND || H5Tget_nmembers(type) != 2)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        const hid_t member = H5Tget_member_type(type, i);
        const bool ok = member >= 0 && number_type(&part[i], member) && tsr_type_nbytes(part[i]) >= 4 &&
                        tsr_type_class(part[i]) == 'R' &&
                        H5Tget_member_offset(type, i) == i * H5Tget_size(member);
        if (member >= 0)
            H5Tclose(member);
        if (!ok)
            return false;
    }
    *out = part[0] == TSR_F32 ? TSR_C64 : TSR_C128;
    return part[0] == part[1] && H5Tget_size(type) == tsr_type_nbytes(*out);
}

bool tsr_hdf5_value_type(tsr_stored *array, hid_t type)
{
    array->width = H5Tget_size(type);
    if (number_type(&array->type, type))
        return true;
    if (!array->wide)
        return false;
    array->boolean = is_boolean(type);
    if (array->boolean) {
        array->type = TSR_U8;
        return true;
    }
    return complex_type(&array->type, type);
}

hid_t tsr_hdf5_new_memory_type(const tsr_stored *array, hid_t stored)
{
    if (array->boolean)
        return H5Tcopy(stored);
    if (tsr_type_class(array->type) != 'C')
        return tsr_hdf5_new_type(array->type, false);
    const size_t nbytes = tsr_type_nbytes(array->type);
    const hid_t part = nbytes == 8 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    const hid_t type = H5Tcreate(H5T_COMPOUND, nbytes);
    for (unsigned i = 0; i < 2; i++) {
        char *const name = H5Tget_member_name(stored, i);
        if (name)
            H5Tinsert(type, name, i * nbytes / 2, part);
        H5free_memory(name);
    }
    return type;
}

bool tsr_hdf5_is_as_in_memory(hid_t stored, tsr_type type)
{
    const hid_t own = tsr_hdf5_new_type(type, false);
    const bool same = own >= 0 && H5Tequal(stored, own) > 0;
    if (own >= 0)
        H5Tclose(own);
    return same;
}
