/* Labels: the names of the indices of a tensor's modes. */
#include <inttypes.h>
#include <string.h>

#include "door_internal.h"

static tsr_status copy_names(tsr_names *to, const tsr_names *from, tsr_error *err)
{
    for (uint64_t i = 0; i < from->n; i++) {
        const char *const name = tsr_names_get(from, i);
        TSR_TRY(tsr_names_add(to, name, strlen(name), err));
    }
    return TSR_OK;
}

tsr_status door_labels_copy(tsr_labels **out, const tsr_labels *from, tsr_error *err)
{
    *out = NULL;
    if (!tsr_labels_any(from))
        return TSR_OK;
    tsr_labels *const to = tsr_labels_new();
    if (!to)
        return tsr_fail(err, TSR_NOMEM, "out of memory: labels");
    tsr_status status = TSR_OK;
    for (int m = 0; m < TSR_MAX_ORDER && status == TSR_OK; m++)
        status = copy_names(&to->modes[m], &from->modes[m], err);
    if (status == TSR_OK)
        *out = to;
    else
        tsr_labels_free(to);
    return status;
}

/* The names of a mode; NULL: it has none, or does not exist. */
static const tsr_names *names_of(const tessera_tensor *tensor, int mode)
{
    if (!tensor || mode < 0 || mode >= tensor->inside->order)
        return NULL;
    return tsr_labels_of(tensor->labels, mode, tensor->inside->dims[mode]);
}

const char *tessera_tensor_labels(uint64_t *nbytes, const tessera_tensor *tensor, int mode)
{
    const tsr_names *const names = names_of(tensor, mode);
    if (nbytes)
        *nbytes = names ? names->text.nbytes : 0;
    return names ? names->text.s : NULL;
}

const char *tessera_tensor_label(const tessera_tensor *tensor, int mode, uint64_t i)
{
    const tsr_names *const names = names_of(tensor, mode);
    return names && i < names->n ? tsr_names_get(names, i) : NULL;
}

/* The names of the caller as a list. */
static tsr_status take_names(tsr_names *to, const char *const *names, uint64_t n, tsr_error *err)
{
    for (uint64_t i = 0; i < n; i++) {
        if (!names[i])
            return tsr_fail(err, TSR_ARGUMENT, "label %" PRIu64 " is NULL: use \"\" for an empty one", i);
        TSR_TRY(tsr_names_add(to, names[i], strlen(names[i]), err));
    }
    return TSR_OK;
}

static tsr_status set_labels(tessera_tensor *tensor, int mode, const char *const *names, uint64_t n,
                             tsr_error *err)
{
    TSR_TRY(door_need(tensor, "tensor", err));
    const tsr_tensor *const inside = tensor->inside;
    if (mode < 0 || mode >= inside->order)
        return tsr_fail(err, TSR_ARGUMENT, "mode %d does not exist: the tensor has %d modes, numbered from 0",
                        mode, inside->order);
    if (names && n != inside->dims[mode])
        return tsr_fail(err, TSR_ARGUMENT,
                        "%" PRIu64 " labels for mode %d, whose size is %" PRIu64 ": give one for each index",
                        n, mode, inside->dims[mode]);
    if (!tensor->labels && !(tensor->labels = tsr_labels_new()))
        return tsr_fail(err, TSR_NOMEM, "out of memory: labels");
    tsr_names own = {0};
    const tsr_status status = names ? take_names(&own, names, n, err) : TSR_OK;
    if (status != TSR_OK) {
        tsr_names_clear(&own);
        return status;
    }
    tsr_names_clear(&tensor->labels->modes[mode]);
    tensor->labels->modes[mode] = own;
    return TSR_OK;
}

tessera_status tessera_tensor_set_labels(tessera_tensor *tensor, int mode, const char *const *names,
                                         uint64_t n, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, set_labels(tensor, mode, names, n, call.err));
}
