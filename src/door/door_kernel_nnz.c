/* The number of entries of a result, by blocks of rows. */
#include "door_kernel.h"
#include "tsr_blocks.h"
#include "tsr_cells.h"

typedef struct counted {
    tessera_kernel *kernel;
    const door_call *call;
} counted;

/* See tsr_blocks_counter. */
static tsr_status count_entries(uint64_t *nnz, void *arg, const tsr_tensor *const *given, tsr_error *err)
{
    const counted *const c = arg;
    const int nthreads = c->call->nthreads;
    door_variant *variant = NULL;
    tsr_tensor *result = NULL;
    tsr_status status = door_variant_find(&variant, c->kernel, (door_use){.operands = given}, c->call);
    if (status == TSR_OK)
        status = tsr_kernel_result(&result, variant->kernel, given, err);
    if (status == TSR_OK && tsr_format_is_dense(result->format))
        status =
            tsr_fail(err, TSR_UNSUPPORTED,
                     "a dense result has all cells, so its entries are not counted: give it a sparse format");
    if (status == TSR_OK)
        status = tsr_kernel_run(variant->kernel, result, given, nthreads, err);
    if (status == TSR_OK)
        *nnz = tsr_cells_nstored(result, nthreads);
    tsr_tensor_free(result);
    door_variant_drop(variant);
    return status;
}

tessera_status tessera_kernel_nnz(uint64_t *out, tessera_kernel *kernel, const tessera_tensor *const *given,
                                  tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    door_operands o;
    counted what = {kernel, &call};
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(out, "result", call.err));
    *out = 0;
    TSR_TRY_OUT(door_kernel_operands(&o, kernel, given, &call));
    TSR_TRY_OUT(door_kernel_begin(&call));
    const tsr_blocks_counter counter = {kernel->notation, o.inside, call.nthreads, count_entries, &what};
    status = tsr_blocks_count_entries(out, &counter, call.err);
out:
    return door_end(&call, status);
}
