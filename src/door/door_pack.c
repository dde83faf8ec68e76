/* Tensors of entries in any order, and tensors without entries. */
#include <inttypes.h>
#include <string.h>

#include "door_internal.h"

/* ---- entries ---- */

uint64_t door_index_at(const tessera_array *array, uint64_t i)
{
    switch (array->type) {
    case TESSERA_I8:
        return (uint64_t)((const int8_t *)array->data)[i];
    case TESSERA_I16:
        return (uint64_t)((const int16_t *)array->data)[i];
    case TESSERA_I32:
        return (uint64_t)((const int32_t *)array->data)[i];
    case TESSERA_U8:
        return ((const uint8_t *)array->data)[i];
    case TESSERA_U16:
        return ((const uint16_t *)array->data)[i];
    case TESSERA_U32:
        return ((const uint32_t *)array->data)[i];
    default:
        return ((const uint64_t *)array->data)[i];
    }
}

static tsr_status check_crd(const tessera_entries *entries, int m, tsr_error *err)
{
    const tessera_array *const array = &entries->crd[m];
    if (!door_is_index_type(array->type))
        return tsr_fail(err, TSR_ARGUMENT,
                        "the coordinates of mode %d have the type %s, but coordinates are integers", m,
                        tessera_type_text(array->type));
    if (array->n != entries->nnz)
        return tsr_fail(err, TSR_ARGUMENT,
                        "there are %" PRIu64 " coordinates of mode %d for %" PRIu64 " entries", array->n, m,
                        entries->nnz);
    return entries->nnz > 0 ? door_need(array->data, "coordinates", err) : TSR_OK;
}

static tsr_status copy_crd(tsr_coo *coo, const tessera_entries *entries, int m, tsr_error *err)
{
    const tessera_array *const from = &entries->crd[m];
    uint64_t block[TSR_LEVEL_BLOCK];
    for (uint64_t first = 0; first < entries->nnz; first += TSR_LEVEL_BLOCK) {
        const uint64_t left = entries->nnz - first, n = left < TSR_LEVEL_BLOCK ? left : TSR_LEVEL_BLOCK;
        for (uint64_t i = 0; i < n; i++) {
            block[i] = door_index_at(from, first + i);
            if (block[i] < entries->dims[m])
                continue;
            if (from->type <= TESSERA_I64 && (int64_t)block[i] < 0)
                return tsr_fail(err, TSR_CORRUPT,
                                "entry %" PRIu64 ": coordinate %" PRId64 " of mode %d is negative", first + i,
                                (int64_t)block[i], m);
            return tsr_fail(err, TSR_CORRUPT,
                            "entry %" PRIu64 ": coordinate %" PRIu64 " of mode %d is beyond its dim %" PRIu64,
                            first + i, block[i], m, entries->dims[m]);
        }
        tsr_array_store(&coo->crd[m], first, block, n);
    }
    return TSR_OK;
}

static tsr_status check_entries(const tessera_entries *entries, tsr_error *err)
{
    TSR_TRY(door_check_dims(entries->order, entries->dims, err));
    TSR_TRY(door_check_type(entries->values.type, err));
    if (entries->order > 0)
        TSR_TRY(door_need(entries->crd, "entries.crd", err));
    for (int m = 0; m < entries->order; m++)
        TSR_TRY(check_crd(entries, m, err));
    if ((unsigned)entries->structure > TSR_SKEW_UPPER)
        return tsr_fail(err, TSR_ARGUMENT, "%d is not a structure: see tessera_structure",
                        (int)entries->structure);
    if (!entries->values.data && entries->values.type == TESSERA_PATTERN)
        return TSR_OK;
    if (entries->values.n != entries->nnz && entries->values.n != 1)
        return tsr_fail(err, TSR_ARGUMENT, "there are %" PRIu64 " values for %" PRIu64 " entries",
                        entries->values.n, entries->nnz);
    return entries->values.n > 0 ? door_need(entries->values.data, "values", err) : TSR_OK;
}

static tsr_status new_coo(tsr_coo **out, const tessera_entries *entries, const door_call *call)
{
    const tsr_type type = (tsr_type)entries->values.type;
    const bool iso = type == TSR_PATTERN || (entries->values.n == 1 && entries->nnz != 1);
    const size_t nbytes = tsr_type_nbytes(type);
    TSR_TRY(tsr_coo_new_sized(out, (tsr_shape){entries->order, entries->dims}, type, iso, entries->nnz,
                              call->err));
    tsr_coo *const coo = *out;
    for (int m = 0; m < entries->order; m++)
        TSR_TRY(copy_crd(coo, entries, m, call->err));
    if (type == TSR_PATTERN)
        *(unsigned char *)coo->values.data = 1;
    else if (entries->values.n > 0)
        memcpy(coo->values.data, entries->values.data, (size_t)coo->values.n * nbytes);
    coo->structure = (tsr_structure)entries->structure;
    coo->has_fill = entries->fill != NULL;
    if (entries->fill)
        memcpy(coo->fill, entries->fill, nbytes);
    return coo->structure != TSR_GENERAL ? tsr_coo_check(coo, call->nthreads, call->err) : TSR_OK;
}

static tsr_status pack(tessera_tensor **out, const tessera_entries *given,
                       const tessera_pack_options *options, const door_call *call)
{
    tessera_entries entries;
    tessera_pack_options o;
    tsr_data data = {0};
    TSR_TRY(door_need(out, "result", call->err));
    *out = NULL;
    TSR_TRY(door_need(given, "entries", call->err));
    TSR_TRY(door_options(&entries, sizeof entries, given, "tessera_entries", call->err));
    TSR_TRY(door_options(&o, sizeof o, options, "tessera_pack_options", call->err));
    TSR_TRY(check_entries(&entries, call->err));
    const door_shape shape = {.format = o.format,
                              .duplicates = o.duplicates,
                              .index_width = o.index_width,
                              .max_nbytes = o.max_nbytes,
                              .keep_symmetry = true};
    const tsr_status status = new_coo(&data.coo, &entries, call);
    if (status == TSR_OK)
        return door_shape_new(out, &data, &shape, call);
    tsr_data_clear(&data);
    return status;
}

tessera_status tessera_pack(tessera_tensor **out, const tessera_entries *entries,
                            const tessera_pack_options *options, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, pack(out, entries, options, &call));
}

/* ---- no entries ---- */

static tsr_status new_empty(tessera_tensor **out, const char *format, int order, const uint64_t *dims,
                            tessera_type type, const door_call *call)
{
    TSR_TRY(door_need(out, "result", call->err));
    *out = NULL;
    TSR_TRY(door_need(format, "format", call->err));
    TSR_TRY(door_check_dims(order, dims, call->err));
    TSR_TRY(door_check_type(type, call->err));
    tsr_data data = {0};
    const door_shape shape = {.format = format, .keep_symmetry = true};
    TSR_TRY(tsr_coo_new(&data.coo, (tsr_shape){order, dims}, (tsr_type)type, call->err));
    return door_shape_new(out, &data, &shape, call);
}

tessera_status tessera_empty(tessera_tensor **out, const char *format, int order, const uint64_t *dims,
                             tessera_type type, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, new_empty(out, format, order, dims, type, &call));
}
