/* Formats bound to dims, kept in the context for the next call. */
#include <string.h>

#include "door_internal.h"

static bool is_for(const door_binding *entry, const door_binding_key *key)
{
    const tsr_binding *const binding = entry->binding;
    if (!binding || binding->format->order != key->order || !entry->text != !key->text ||
        memcmp(binding->dims, key->dims, (size_t)key->order * sizeof *key->dims) != 0)
        return false;
    if (key->text)
        return strcmp(entry->text, key->text) == 0;
    for (int m = 0; m < key->order; m++)
        if (entry->modes[m] != (key->modes ? key->modes[m] : m))
            return false;
    return true;
}

static tsr_status make(tsr_binding **out, const door_binding_key *key, tsr_error *err)
{
    tsr_format *format = NULL;
    TSR_TRY(key->text ? tsr_format_parse(&format, key->text, key->order, key->dims, err)
                      : tsr_format_dense(&format, key->order, key->modes, err));
    const tsr_status status = tsr_binding_new(out, format, key->dims, err);
    if (status != TSR_OK)
        tsr_format_free(format); /* else it is freed with the binding */
    return status;
}

void door_unbind(tsr_binding *binding)
{
    if (!binding)
        return;
    tsr_format *const format =
        (tsr_format *)(uintptr_t)binding->format; /* one ownership goes with the binding */
    tsr_binding_free(binding);
    tsr_format_free(format);
}

/* One more owner of the binding and of its format. */
static tsr_binding *share(const tsr_binding *binding)
{
    tsr_format *format;
    const tsr_status status = tsr_format_copy(&format, binding->format, NULL);
    return status == TSR_OK ? tsr_binding_share(binding) : NULL;
}

/* Keep the binding in the place of the oldest entry. Without memory it is not kept. */
static void keep(tessera_context *ctx, const tsr_binding *binding, const door_binding_key *key)
{
    door_binding *const entry = &ctx->bindings[ctx->next_binding];
    char *const text = key->text ? tsr_strdup(key->text) : NULL;
    if (key->text && !text)
        return;
    ctx->next_binding = (ctx->next_binding + 1) % DOOR_NBINDINGS;
    tsr_free(entry->text);
    door_unbind(entry->binding);
    *entry = (door_binding){.text = text, .binding = share(binding)};
    for (int m = 0; m < key->order; m++)
        entry->modes[m] = key->modes ? key->modes[m] : m;
}

tsr_status door_bind(tsr_binding **out, const door_binding_key *key, const door_call *call)
{
    *out = NULL;
    for (int i = 0; call->ctx && i < DOOR_NBINDINGS; i++)
        if (is_for(&call->ctx->bindings[i], key)) {
            *out = share(call->ctx->bindings[i].binding);
            return TSR_OK;
        }
    TSR_TRY(make(out, key, call->err));
    if (call->ctx)
        keep(call->ctx, *out, key);
    return TSR_OK;
}
