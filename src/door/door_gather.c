/* Slices of a tensor by a list of coordinates. */
#include <string.h>

#include "door_internal.h"
#include "tsr_alloc.h"

/* The names of the result: those of the mode follow the list. */
static tsr_status gather_labels(tsr_labels **out, const tessera_tensor *tensor, int mode,
                                const tsr_array *index, tsr_error *err)
{
    TSR_TRY(door_labels_copy(out, tensor->labels, err));
    if (!*out)
        return TSR_OK;
    tsr_names_clear(&(*out)->modes[mode]);
    const tsr_names *const names = tsr_labels_of(tensor->labels, mode, tensor->inside->dims[mode]);
    return names ? tsr_names_take(&(*out)->modes[mode], names, index->data, index->n, err) : TSR_OK;
}

static tsr_status gather(tessera_tensor **out, const tessera_tensor *tensor, int mode, const tsr_array *index,
                         const door_call *call)
{
    tsr_data data = {0};
    TSR_TRY(door_check_ends(tensor->inside, call->err));
    TSR_TRY(tsr_gather_slices(&data.tensor, tensor->inside, mode, index, call->nthreads, call->err));
    const tsr_status status = gather_labels(&data.labels, tensor, mode, index, call->err);
    if (status == TSR_OK)
        return door_data_new(out, &data, call);
    tsr_labels_free(data.labels);
    tsr_tensor_free(data.tensor);
    return status;
}

/* The list as numbers of 8 bytes: the caller's, or a copy. Negative ones are larger than any dim. */
static tsr_status widen(tsr_array *wide, const tessera_array *index, tsr_error *err)
{
    if (!door_is_index_type(index->type))
        return tsr_fail(err, TSR_ARGUMENT,
                        "the list of coordinates has the type %s, but coordinates are integers",
                        tessera_type_text(index->type));
    if (index->n > 0)
        TSR_TRY(door_need(index->data, "coordinates", err));
    if (index->type == TESSERA_U64 || index->type == TESSERA_I64) {
        *wide = (tsr_array){.data = index->data, .n = index->n, .width = 8, .borrowed = true};
        return TSR_OK;
    }
    TSR_TRY(tsr_array_init(wide, index->n, 8, 0, "a list of coordinates", err));
    for (uint64_t i = 0; i < index->n; i++)
        ((uint64_t *)wide->data)[i] = door_index_at(index, i);
    return TSR_OK;
}

tessera_status tessera_gather(tessera_tensor **out, const tessera_tensor *tensor, int mode,
                              const tessera_array *index, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    tsr_status status = door_need(out, "out", call.err);
    if (out)
        *out = NULL;
    if (status == TSR_OK)
        status = door_need(tensor, "tensor", call.err);
    if (status == TSR_OK)
        status = door_need(index, "index", call.err);
    if (status != TSR_OK)
        return door_end(&call, status);
    tsr_array wide = {0};
    status = widen(&wide, index, call.err);
    if (status == TSR_OK)
        status = gather(out, tensor, mode, &wide, &call);
    tsr_array_clear(&wide);
    return door_end(&call, status);
}
