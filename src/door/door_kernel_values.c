/* tessera_kernel_run_values: a run whose arrays of values are given at each call. */
#include <stddef.h>
#include <string.h>

#include "door_kernel.h"

/* The tensors of a run: those of the caller, or copies of their descriptions with other values. */
typedef struct run {
    const tsr_tensor *inside[TSR_NOTATION_MAX_TENSORS];
    tsr_tensor *copies; /* of the context, or owned; the arrays of the copies are borrowed */
    bool is_owned;
} run;

/* Room for n descriptions. A context keeps them, since a tsr_tensor is too large to be allocated for each run of a small kernel. */
static tsr_status make_room(run *r, int n, const door_call *call)
{
    tessera_context *const ctx = call->ctx;
    if (ctx && ctx->nscratch >= n) {
        r->copies = ctx->scratch;
        return TSR_OK;
    }
    r->copies = tsr_malloc((size_t)n * sizeof *r->copies);
    if (!r->copies)
        return tsr_fail(call->err, TSR_NOMEM, "out of memory: descriptions of %d tensors", n);
    r->is_owned = !ctx;
    if (ctx) {
        tsr_free(ctx->scratch);
        ctx->scratch = r->copies;
        ctx->nscratch = n;
    }
    return TSR_OK;
}

/* Copy the description: all except the levels that the tensor does not have. */
static void describe(tsr_tensor *copy, const tsr_tensor *tensor, void *values)
{
    const size_t head = offsetof(tsr_tensor, levels), tail = offsetof(tsr_tensor, npos);
    memcpy(copy, tensor, head + (size_t)tensor->nlevels * sizeof *tensor->levels);
    memcpy((char *)copy + tail, (const char *)tensor + tail, sizeof *copy - tail);
    copy->values.data = values;
}

/* The alignment of values: complex numbers have that of a part. */
static size_t alignment(tsr_type type)
{
    const size_t nbytes = tsr_type_nbytes(type);
    return type == TSR_C64 || type == TSR_C128 ? nbytes / 2 : nbytes;
}

static tsr_status take_tensors(run *r, const tessera_kernel *kernel, const tessera_tensor *const *tensors,
                               void *const *values, const door_call *call)
{
    const tsr_notation *const notation = kernel->notation;
    int ncopies = 0;
    for (int t = 0; t < notation->ntensors; t++) {
        if (!tensors[t])
            return tsr_fail(call->err, TSR_ARGUMENT, "missing the tensor %s: tensor %d is NULL",
                            notation->tensor[t].name, t);
        r->inside[t] = tensors[t]->inside;
        TSR_TRY(door_check_ends(r->inside[t], call->err));
        ncopies += values && values[t];
        const size_t align = alignment(r->inside[t]->type);
        if (values && (uintptr_t)values[t] % align != 0)
            return tsr_fail(call->err, TSR_ARGUMENT,
                            "the values of %s are not aligned: %s needs an address that is a multiple of %zu",
                            notation->tensor[t].name, tsr_type_name(r->inside[t]->type), align);
    }
    if (ncopies == 0)
        return TSR_OK;
    TSR_TRY(make_room(r, ncopies, call));
    tsr_tensor *copy = r->copies;
    for (int t = 0; t < notation->ntensors; t++)
        if (values[t]) {
            describe(copy, r->inside[t], values[t]);
            r->inside[t] = copy++;
        }
    return TSR_OK;
}

tessera_status tessera_kernel_run_values(tessera_kernel *kernel, const tessera_tensor *const *tensors,
                                         void *const *values, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    run r = {.copies = NULL};
    door_variant *variant = NULL;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(kernel, "kernel", call.err));
    TSR_TRY_OUT(door_need(tensors, "tensors", call.err));
    TSR_TRY_OUT(take_tensors(&r, kernel, tensors, values, &call));
    TSR_TRY_OUT(door_variant_find(&variant, kernel,
                                  (door_use){.result = r.inside[0], .operands = r.inside + 1}, &call));
    TSR_TRY_OUT(door_kernel_begin(&call));
    status = tsr_kernel_run(variant->kernel, (tsr_tensor *)(uintptr_t)r.inside[0], r.inside + 1,
                            call.nthreads, call.err);
    door_tell_news(variant, &call);
out:
    door_variant_drop(variant);
    if (r.is_owned)
        tsr_free(r.copies);
    return door_end(&call, status);
}
