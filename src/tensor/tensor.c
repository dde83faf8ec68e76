/* Making and freeing packed tensors. */
#include "tsr_tensor.h"

#include <stdatomic.h>

#include "tensor_internal.h"
#include "tsr_parallel.h"

/* Set everything except the arrays from tensor->format and tensor->binding. */
static void describe(tsr_tensor *tensor, tsr_type type)
{
    static atomic_ullong last; /* a global variable, since numbers differ in the whole process */
    tensor->number = atomic_fetch_add(&last, 1) + 1;
    const tsr_format *const format = tensor->format;
    tensor->order = format->order;
    for (int m = 0; m < format->order; m++)
        tensor->dims[m] = tensor->binding->dims[m];
    tensor->type = type;
    tensor->nlevels = format->nlevels;
    tensor->npos = 1;
    for (int l = 0; l < format->nlevels; l++) {
        tensor->levels[l].type = format->levels[l].type;
        tensor->levels[l].nonunique = format->levels[l].nonunique;
        tensor->levels[l].size = tensor->binding->size[l];
        tensor->levels[l].pitch = tensor->binding->pitch[l];
        tensor->levels[l].base = tensor->binding->base[l];
        tensor->levels[l].param = format->levels[l].param;
    }
}

static tsr_status no_memory(const tsr_format *format, tsr_error *err)
{
    return tsr_fail(err, TSR_NOMEM, "out of memory: a tensor of %d levels", format->nlevels);
}

tsr_status tsr_tensor_new(tsr_tensor **out, const tsr_format *format, const uint64_t *dims, tsr_type type,
                          tsr_error *err)
{
    *out = NULL;
    TSR_TRY(tsr_shape_check(format->order, dims, type, err));
    tsr_tensor *tensor = tsr_calloc(1, sizeof *tensor);
    if (!tensor)
        return no_memory(format, err);
    tsr_status status = tsr_format_copy(&tensor->format, format, err);
    if (status == TSR_OK)
        status = tsr_binding_new(&tensor->binding, tensor->format, dims, err);
    if (status != TSR_OK) {
        tsr_tensor_free(tensor);
        return status;
    }
    describe(tensor, type);
    *out = tensor;
    return TSR_OK;
}

tsr_status tsr_tensor_new_bound(tsr_tensor **out, const tsr_binding *binding, tsr_type type, tsr_error *err)
{
    *out = NULL;
    tsr_tensor *const tensor = tsr_calloc(1, sizeof *tensor);
    if (!tensor)
        return no_memory(binding->format, err);
    TSR_TRY(tsr_format_copy(&tensor->format, binding->format, err));
    tensor->binding = tsr_binding_share(binding);
    describe(tensor, type);
    *out = tensor;
    return TSR_OK;
}

void tsr_trail_clear(tsr_trail *trail)
{
    if (!trail)
        return;
    tsr_array_clear(&trail->pos);
    tsr_array_clear(&trail->starts);
    tsr_array_clear(&trail->places);
}

void tsr_tensor_free(tsr_tensor *tensor)
{
    if (!tensor)
        return;
    tsr_binding_free(tensor->binding);
    tsr_format_free(tensor->format);
    for (int l = 0; l < TSR_MAX_LEVELS; l++)
        tsr_level_clear(&tensor->levels[l]);
    tsr_array_clear(&tensor->values);
    tsr_trail_clear(tensor->trail);
    tsr_free(tensor->trail);
    tsr_free(tensor);
}

tsr_status tsr_tensor_view(tsr_tensor **out, const tsr_tensor *tensor, tsr_error *err)
{
    tsr_tensor *view;
    *out = NULL;
    TSR_TRY(tsr_tensor_new_bound(&view, tensor->binding, tensor->type, err));
    for (int l = 0; l < tensor->nlevels; l++) {
        view->levels[l] = tensor->levels[l];
        for (int role = 0; role < TSR_LEVEL_NROLES; role++)
            tsr_level_array_of(&view->levels[l], (tsr_level_role)role)->borrowed = true;
    }
    view->values = tensor->values;
    view->values.borrowed = true;
    view->structure = tensor->structure;
    view->number = tensor->number;
    view->like = tensor->like;
    view->like_nlevels = tensor->like_nlevels;
    view->npos = tensor->npos;
    view->iso = tensor->iso;
    view->has_fill = tensor->has_fill;
    memcpy(view->fill, tensor->fill, sizeof view->fill);
    *out = view;
    return TSR_OK;
}

tsr_status tsr_tensor_drop_values(tsr_tensor *tensor, tsr_error *err)
{
    tsr_array one = {.data = NULL};
    if (tensor->nlevels == 0 || tsr_format_has_dense_leaf(tensor->format))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "a pattern has no values, but they tell the entries of this format: give the result "
                        "one whose last level lists coordinates, as csr");
    TSR_TRY(tsr_array_init(&one, 1, 1, 0, "a value", err));
    *(unsigned char *)one.data = 1;
    tsr_array_clear(&tensor->values);
    tensor->values = one;
    tensor->type = TSR_PATTERN;
    tensor->iso = true;
    tensor->has_fill = false;
    return TSR_OK;
}

tsr_status tsr_tensor_make_pattern(tsr_tensor *tensor, tsr_error *err)
{
    tsr_array bytes = {.data = NULL};
    const tsr_array *const values = &tensor->values;
    if (tensor->nlevels > 0 && !tsr_format_has_dense_leaf(tensor->format))
        return tsr_tensor_drop_values(tensor, err);
    TSR_TRY(tsr_array_init(&bytes, values->n, 1, 0, "the values of a pattern", err));
    for (uint64_t k = 0; k < values->n; k++) {
        const unsigned char *const at = (const unsigned char *)values->data + k * values->width;
        bool any = false;
        for (size_t b = 0; b < values->width; b++)
            any = any || at[b] != 0;
        ((unsigned char *)bytes.data)[k] = any;
    }
    tsr_array_clear(&tensor->values);
    tensor->values = bytes;
    tensor->type = TSR_PATTERN;
    return TSR_OK;
}

tsr_status tsr_tensor_retype(tsr_tensor *tensor, tsr_type type, tsr_error *err)
{
    TSR_TRY(tsr_array_own(&tensor->values, 0, "the values of a tensor", err));
    TSR_TRY(tsr_values_retype(&tensor->values, type, tensor->type, err));
    tensor->type = type;
    return TSR_OK;
}

tsr_status tsr_tensor_own(tsr_tensor *tensor, int nthreads, tsr_error *err)
{
    const int n = tsr_thread_count(nthreads);
    static const char what[] = "an array of a tensor";
    for (int l = 0; l < tensor->nlevels; l++)
        for (int role = 0; role < TSR_LEVEL_NROLES; role++)
            TSR_TRY(
                tsr_array_own(tsr_level_array_of(&tensor->levels[l], (tsr_level_role)role), n, what, err));
    return tsr_array_own(&tensor->values, n, what, err);
}

uint64_t tsr_tensor_owned_nbytes(const tsr_tensor *tensor)
{
    uint64_t nbytes = tsr_array_owned_nbytes(&tensor->values);
    for (int l = 0; l < tensor->nlevels; l++)
        for (int role = 0; role < TSR_LEVEL_NROLES; role++)
            nbytes += tsr_array_owned_nbytes(tsr_level_array_at(&tensor->levels[l], (tsr_level_role)role));
    return nbytes;
}

uint64_t tsr_tensor_nbytes(const tsr_tensor *tensor)
{
    uint64_t nbytes = tsr_array_nbytes(&tensor->values);
    for (int l = 0; l < tensor->nlevels; l++)
        nbytes += tsr_level_nbytes(&tensor->levels[l]);
    return nbytes;
}
