/* The variants of a kernel: what was generated for one combination of formats, types and widths serves all sizes that
 * it can (tsr_kernel_rebind); what was bound to sizes is kept for the next call. */
#include <string.h>

#include "door_kernel.h"

enum { MAX_VARIANTS = 64 };

/* ---- what a variant is for ---- */

/* A tensor without elements that has the kind of `tensor`. */
static tsr_status copy_shape(tsr_tensor **out, const tsr_tensor *tensor, tsr_error *err)
{
    tsr_tensor *shape;
    TSR_TRY(tsr_tensor_new_bound(&shape, tensor->binding, tensor->type, err));
    for (int l = 0; l < tensor->nlevels; l++) {
        for (int role = 0; role < TSR_LEVEL_NROLES; role++) {
            const tsr_array *const from = tsr_level_array_at(&tensor->levels[l], (tsr_level_role)role);
            ((tsr_array *)(uintptr_t)tsr_level_array_at(&shape->levels[l], (tsr_level_role)role))->width =
                from->width;
        }
        shape->levels[l].pitch = tensor->levels[l].pitch;
    }
    shape->iso = tensor->iso;
    *out = shape;
    return TSR_OK;
}

static bool same_shape(const tsr_tensor *shape, const tsr_tensor *tensor)
{
    if (shape->type != tensor->type || shape->iso != tensor->iso || shape->order != tensor->order ||
        shape->nlevels != tensor->nlevels ||
        memcmp(shape->dims, tensor->dims, (size_t)shape->order * sizeof *shape->dims) != 0)
        return false;
    for (int l = 0; l < shape->nlevels; l++) {
        const tsr_level *const a = &shape->levels[l], *const b = &tensor->levels[l];
        if (a->type != b->type || a->nonunique != b->nonunique ||
            (!a->type->assemble && a->pitch != b->pitch))
            return false;
        for (int role = 0; role < TSR_LEVEL_NROLES; role++)
            if (tsr_level_has(a->type, (tsr_level_role)role) &&
                tsr_level_array_at(a, (tsr_level_role)role)->width !=
                    tsr_level_array_at(b, (tsr_level_role)role)->width)
                return false;
    }
    return tsr_format_equal(shape->format, tensor->format);
}

static bool serves_threads(const door_variant *variant, int nthreads)
{
    return nthreads == 1 || !variant->is_serial;
}

static bool fits(const door_variant *variant, const tessera_kernel *kernel, door_use use)
{
    const tsr_tensor *const result = use.result;
    if (variant->values_only != use.values_only || !result != !variant->shape[0] ||
        (result && !same_shape(variant->shape[0], result)))
        return false;
    for (int t = 1; t < kernel->notation->ntensors; t++)
        if (!same_shape(variant->shape[t], use.operands[t - 1]))
            return false;
    return true;
}

/* ---- lists ---- */

void door_variant_drop(door_variant *variant)
{
    while (variant && atomic_fetch_sub(&variant->nusers, 1) == 1) {
        door_variant *const base = variant->base;
        tsr_kernel_free(variant->kernel);
        for (int t = 0; t < TSR_NOTATION_MAX_TENSORS; t++)
            tsr_tensor_free(variant->shape[t]);
        tsr_free(variant);
        variant = base;
    }
}

/* Move the variant at *link to the front; one more user. The lock is held. */
static door_variant *to_front(tessera_kernel *kernel, door_variant **link)
{
    door_variant *const variant = *link;
    *link = variant->next;
    variant->next = kernel->variants;
    kernel->variants = variant;
    atomic_fetch_add(&variant->nusers, 1);
    return variant;
}

static door_variant *find(tessera_kernel *kernel, door_use use, int nthreads)
{
    for (door_variant **link = &kernel->variants; *link; link = &(*link)->next)
        if (serves_threads(*link, nthreads) && fits(*link, kernel, use))
            return to_front(kernel, link);
    return NULL;
}

/* Put the variant in front, and drop the least recently used one if there are too many. The lock is held. */
static void keep(tessera_kernel *kernel, door_variant *variant)
{
    atomic_fetch_add(&variant->nusers, 1);
    variant->next = kernel->variants;
    kernel->variants = variant;
    if (++kernel->nvariants <= MAX_VARIANTS)
        return;
    door_variant **link = &kernel->variants;
    while ((*link)->next)
        link = &(*link)->next;
    door_variant *const last = *link;
    *link = NULL;
    kernel->nvariants--;
    door_variant_drop(last);
}

/* ---- making variants ---- */

tsr_status door_kernel_describe(tsr_kernel_tensor *given, tsr_format **format, const tessera_kernel *kernel,
                                door_use use, tsr_error *err)
{
    const tsr_tensor *const result = use.result;
    const tsr_notation *const notation = kernel->notation;
    for (int t = 1; t < notation->ntensors; t++)
        given[t] = (tsr_kernel_tensor){.name = notation->tensor[t].name, .tensor = use.operands[t - 1]};
    given[0] = (tsr_kernel_tensor){.name = notation->tensor[0].name, .type = TSR_NTYPES};
    if (kernel->has_type)
        given[0].type = kernel->type;
    if (use.values_only) {
        given[0].tensor = result; /* with the widths of its arrays */
    } else if (result) {
        given[0].type = result->type;
        given[0].format = result->format;
        given[0].dims = result->dims;
    } else if (kernel->text[4]) {
        TSR_TRY(tsr_format_parse(format, kernel->text[4], notation->tensor[0].order, NULL, err));
        given[0].format = *format;
    } else {
        const tsr_kernel_question question = {kernel->expression, given, notation->ntensors,
                                              kernel->functions};
        TSR_TRY(tsr_kernel_propose_format(format, &question, err));
        given[0].format = *format; /* NULL: dense */
    }
    return TSR_OK;
}

void door_warn_kernel(const char *words, bool is_slow, const door_call *call)
{
    tsr_warn(call->observer, NULL, 0, "%s%s", is_slow ? "the kernel is interpreted, which is slow: " : "",
             words);
}

/* Make the kernel of the variant: with the program of a variant that exists, else with a new one. */
static tsr_status make_kernel(door_variant *variant, tessera_kernel *kernel, const tsr_kernel_tensor *given,
                              const door_call *call)
{
    const int n = kernel->notation->ntensors;
    for (door_variant *v = kernel->variants; v; v = v->next) {
        door_variant *const base = v->base ? v->base : v;
        if (base->values_only != variant->values_only || !serves_threads(base, call->nthreads))
            continue;
        const tsr_status status = tsr_kernel_rebind(&variant->kernel, base->kernel, given, n, NULL);
        if (status == TSR_OK) {
            atomic_fetch_add(&base->nusers, 1);
            variant->base = base;
            variant->is_serial = base->is_serial;
            return TSR_OK;
        }
        if (status == TSR_NOMEM)
            return tsr_fail(call->err, status, "out of memory: a kernel");
    }
    TSR_TRY(door_made_find(&variant->kernel, kernel, given, call));
    if (variant->kernel)
        return TSR_OK;
    tsr_kernel_options options = kernel->options;
    options.nthreads = call->nthreads;
    variant->is_serial = call->nthreads == 1;
    options.any_size = true;
    options.values_only = variant->values_only ? TSR_KERNEL_TRAIL : TSR_KERNEL_ALL;
    options.observer = call->observer;
    options.pool = call->ctx && !call->ctx->watch ? call->ctx->pool : NULL;
    TSR_TRY(tsr_kernel_new(&variant->kernel, kernel->expression, given, n, &options, call->err));
    atomic_fetch_add(&kernel->nlowered, 1);
    const tsr_kernel_info *const info = tsr_kernel_get_info(variant->kernel);
    if (info->warning)
        door_warn_kernel(info->warning, info->engine == TSR_ENGINE_INTERPRETER, call);
    return TSR_OK;
}

static tsr_status make(door_variant **out, tessera_kernel *kernel, door_use use, const door_call *call)
{
    tsr_kernel_tensor given[TSR_NOTATION_MAX_TENSORS];
    tsr_format *format = NULL;
    door_variant *const variant = tsr_calloc(1, sizeof *variant);
    if (!variant)
        return tsr_fail(call->err, TSR_NOMEM, "out of memory: a kernel");
    atomic_init(&variant->nusers, 1);
    variant->values_only = use.values_only;
    tsr_status status = door_kernel_describe(given, &format, kernel, use, call->err);
    if (status == TSR_OK && use.result)
        status = copy_shape(&variant->shape[0], use.result, call->err);
    for (int t = 1; status == TSR_OK && t < kernel->notation->ntensors; t++)
        status = copy_shape(&variant->shape[t], use.operands[t - 1], call->err);
    if (status == TSR_OK)
        status = make_kernel(variant, kernel, given, call);
    tsr_format_free(format);
    if (status == TSR_OK)
        *out = variant;
    else
        door_variant_drop(variant);
    return status;
}

tsr_status door_variant_find(door_variant **out, tessera_kernel *kernel, door_use use, const door_call *call)
{
    tsr_status status = TSR_OK;
    pthread_mutex_lock(
        &kernel->lock); /* other threads wait for the compiler rather than start it once more */
    *out = find(kernel, use, call->nthreads);
    if (!*out) {
        status = make(out, kernel, use, call);
        if (status == TSR_OK)
            keep(kernel, *out);
    }
    pthread_mutex_unlock(&kernel->lock);
    return status;
}
