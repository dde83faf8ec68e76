/* Checks of shapes and structures, for coordinates and for packed tensors. */
#include <inttypes.h>
#include <stdio.h>

#include "tensor_internal.h"

const char *tsr_structure_name(tsr_structure structure)
{
    static const char *const names[] = {
        [TSR_GENERAL] = "general",
        [TSR_SYMMETRIC_LOWER] = "symmetric_lower",
        [TSR_SYMMETRIC_UPPER] = "symmetric_upper",
        [TSR_HERMITIAN_LOWER] = "hermitian_lower",
        [TSR_HERMITIAN_UPPER] = "hermitian_upper",
        [TSR_SKEW_LOWER] = "skew_symmetric_lower",
        [TSR_SKEW_UPPER] = "skew_symmetric_upper",
    };
    return (unsigned)structure < sizeof names / sizeof *names ? names[structure] : "?";
}

const char *tsr_tuple_text(char *buf, const uint64_t *v, int n)
{
    size_t at = 0;
    buf[0] = '\0';
    for (int k = 0; k < n; k++)
        at += (size_t)snprintf(buf + at, TSR_TUPLE_NBYTES - at, "%s%" PRIu64, k ? ", " : "", v[k]);
    return buf;
}

bool tsr_structure_is_skew(tsr_structure structure)
{
    return structure == TSR_SKEW_LOWER || structure == TSR_SKEW_UPPER;
}

bool tsr_structure_stores(tsr_structure structure, uint64_t i, uint64_t j)
{
    switch (structure) {
    case TSR_GENERAL:
        return true;
    case TSR_SYMMETRIC_LOWER:
    case TSR_HERMITIAN_LOWER:
    case TSR_SKEW_LOWER:
        return i >= j;
    default:
        return i <= j;
    }
}

tsr_status tsr_shape_check(int order, const uint64_t *dims, tsr_type type, tsr_error *err)
{
    if (order < 0 || order > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "the tensor has %d modes; at most %d are supported", order,
                        TSR_MAX_ORDER);
    for (int m = 0; m < order; m++)
        if (dims[m] > INT64_MAX)
            return tsr_fail(err, TSR_LIMIT, "mode %d has size %" PRIu64 "; at most 2^63 - 1 is supported", m,
                            dims[m]);
    if ((unsigned)type >= TSR_NTYPES)
        return tsr_fail(err, TSR_ARGUMENT, "%d is not a value type", (int)type);
    return TSR_OK;
}

tsr_status tsr_structure_check(tsr_structure structure, int order, const uint64_t *dims, tsr_error *err)
{
    if ((unsigned)structure > TSR_SKEW_UPPER)
        return tsr_fail(err, TSR_CORRUPT, "unknown structure %d", (int)structure);
    if (structure == TSR_GENERAL)
        return TSR_OK;
    if (order != 2)
        return tsr_fail(err, TSR_CORRUPT, "structure %s needs 2 modes, but the tensor has %d",
                        tsr_structure_name(structure), order);
    if (dims[0] != dims[1])
        return tsr_fail(err, TSR_CORRUPT,
                        "structure %s needs a square matrix, but this matrix is %" PRIu64 " x %" PRIu64,
                        tsr_structure_name(structure), dims[0], dims[1]);
    return TSR_OK;
}
