/* tessera_kernel_run_values: a run whose arrays of values are given at each call. */
#include "door_kernel.h"

/* The tensors of a run: those of the caller, or copies of their descriptions with other values. */
typedef struct run {
    const tsr_tensor *inside[TSR_NOTATION_MAX_TENSORS];
    tsr_tensor *copies; /* owned; their arrays are borrowed */
} run;

static tsr_status take_tensors(run *r, const tessera_kernel *kernel, const tessera_tensor *const *tensors,
                               void *const *values, tsr_error *err)
{
    const tsr_notation *const notation = kernel->notation;
    int ncopies = 0;
    for (int t = 0; t < notation->ntensors; t++) {
        if (!tensors[t])
            return tsr_fail(err, TSR_ARGUMENT, "missing the tensor %s: tensor %d is NULL",
                            notation->tensor[t].name, t);
        r->inside[t] = tensors[t]->inside;
        ncopies += values && values[t];
    }
    if (ncopies == 0)
        return TSR_OK;
    r->copies = tsr_malloc((size_t)ncopies * sizeof *r->copies);
    if (!r->copies)
        return tsr_fail(err, TSR_NOMEM, "out of memory: descriptions of %d tensors", ncopies);
    tsr_tensor *copy = r->copies;
    for (int t = 0; t < notation->ntensors; t++)
        if (values[t]) {
            *copy = *r->inside[t];
            copy->values.data = values[t];
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
    TSR_TRY_OUT(take_tensors(&r, kernel, tensors, values, call.err));
    TSR_TRY_OUT(door_variant_find(&variant, kernel, r.inside[0], r.inside + 1, &call));
    TSR_TRY_OUT(door_kernel_begin(&call));
    status = tsr_kernel_run(variant->kernel, (tsr_tensor *)(uintptr_t)r.inside[0], r.inside + 1,
                            door_kernel_threads(kernel, r.inside + 1, &call), call.err);
out:
    door_variant_drop(variant);
    tsr_free(r.copies);
    return door_end(&call, status);
}
