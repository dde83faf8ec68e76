/* The types of numbers in HDF5: see hdf5_internal.h. */
#include "hdf5_internal.h"

#include <string.h>

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
        const bool ok = member >= 0 && number_type(&part[i], member) && tsr_type_class(part[i]) == 'R' &&
                        H5Tget_member_offset(type, i) == i * H5Tget_size(member);
        if (member >= 0)
            H5Tclose(member);
        if (!ok)
            return false;
    }
    *out = part[0] == TSR_F32 ? TSR_C64 : TSR_C128;
    return part[0] == part[1] && H5Tget_size(type) == tsr_type_nbytes(*out);
}

/* IEEE's 16-bit float, which HDF5 converts. */
static bool is_half(hid_t type)
{
    size_t sign, exponent, exponent_nbits, fraction, fraction_nbits;
    return H5Tget_class(type) == H5T_FLOAT && H5Tget_size(type) == 2 &&
           H5Tget_fields(type, &sign, &exponent, &exponent_nbits, &fraction, &fraction_nbits) >= 0 &&
           sign == 15 && exponent == 10 && exponent_nbits == 5 && fraction == 0 && fraction_nbits == 10 &&
           H5Tget_ebias(type) == 15;
}

bool tsr_hdf5_value_type(tsr_stored *array, hid_t type)
{
    array->width = H5Tget_size(type);
    if (number_type(&array->type, type))
        return true;
    if (!array->wide)
        return false;
    array->boolean = is_boolean(type);
    if (array->boolean || is_half(type)) {
        array->type = array->boolean ? TSR_U8 : TSR_F32;
        return true;
    }
    return complex_type(&array->type, type);
}

hid_t tsr_hdf5_new_memory_type(const tsr_stored *array, hid_t stored)
{
    if (array->boolean)
        return H5Tcopy(stored);
    if (tsr_type_class(array->type) != 'C')
        return H5Tcopy(tsr_hdf5_memory_type(array->type));
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
