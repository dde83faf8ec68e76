/* tessera_kernel_call_file: a kernel over an operand in a file, block by block. */
#include "door_file.h"
#include "door_kernel.h"
#include "tsr_blocks.h"
#include "tsr_memory.h"

/* One call. */
typedef struct file_run {
    tessera_kernel *kernel;
    const tsr_tensor *inside[TSR_NOTATION_MAX_TENSORS];
    int in_file; /* number of the operand */
    const char *path;
    const tsr_codec *codec;
    door_reading how;
    tsr_blocks *blocks; /* owned, as all below */
    tsr_text statement;
    tsr_kernel *made;
    tsr_tensor *result;
} file_run;

static tsr_status take_operands(file_run *r, const tessera_tensor *const *given, const door_call *call)
{
    const tsr_notation *const notation = r->kernel->notation;
    r->in_file = -1;
    TSR_TRY(door_need(given, "operands", call->err));
    for (int t = 1; t < notation->ntensors; t++) {
        if (!given[t - 1] && r->in_file >= 0)
            return tsr_fail(call->err, TSR_ARGUMENT,
                            "missing the tensor %s: operand %d is NULL, and one file is the operand %s",
                            notation->tensor[t].name, t - 1, notation->tensor[r->in_file + 1].name);
        if (!given[t - 1]) {
            r->in_file = t - 1;
            continue;
        }
        r->inside[t - 1] = given[t - 1]->inside;
        TSR_TRY(door_check_ends(r->inside[t - 1], call->err));
    }
    return r->in_file >= 0 ? TSR_OK
                           : tsr_fail(call->err, TSR_ARGUMENT,
                                      "no operand is left for the file: give NULL for the one that is in it");
}

static tsr_status take_reading(file_run *r, const tessera_read_options *given, const door_call *call)
{
    TSR_TRY(door_take_reading(&r->how, &r->codec, given, call));
    TSR_TRY(door_check_codec_options(&r->how.options, r->path, call->err));
    const tessera_read_options *const o = &r->how.options;
    r->how.read.labels = false;
    return !o->format && !o->select && !o->transform
               ? TSR_OK
               : tsr_fail(call->err, TSR_ARGUMENT,
                          "the file is read in blocks as it is: leave out format, select and transform");
}

static tsr_status open_file(file_run *r, const door_call *call)
{
    const tsr_notation_tensor *const tensor = &r->kernel->notation->tensor[r->in_file + 1];
    tsr_memory_room room;
    TSR_TRY(tsr_blocks_open(&r->blocks, r->path, r->codec, &r->how.read, call->err));
    const int order = tsr_blocks_about(r->blocks)->order;
    if (order != tensor->order)
        return tsr_fail_at(call->err, TSR_ARGUMENT, r->path, 0, 0,
                           "holds a tensor of %d modes, but %s has %d in the expression", order, tensor->name,
                           tensor->order);
    TSR_TRY(tsr_blocks_statement(&r->statement, r->blocks, r->kernel->notation, r->in_file + 1, call->err));
    tsr_memory_find_room(&room);
    const tsr_status status =
        tsr_blocks_first(&r->inside[r->in_file], r->blocks, tsr_blocks_nbytes(room.nbytes), call->err);
    if (status != TSR_OK)
        tsr_error_set_path(call->err, r->path);
    return status;
}

static tsr_status make_kernel(file_run *r, const door_call *call)
{
    tsr_kernel_tensor given[TSR_NOTATION_MAX_TENSORS];
    tsr_format *format = NULL;
    tsr_kernel_options options = r->kernel->options;
    options.nthreads = call->nthreads;
    options.observer = call->observer;
    tsr_status status =
        door_kernel_describe(given, &format, r->kernel, (door_use){.operands = r->inside}, call->err);
    if (status == TSR_OK)
        status = tsr_kernel_new(&r->made, tsr_text_cstr(&r->statement), given, r->kernel->notation->ntensors,
                                &options, call->err);
    tsr_format_free(format);
    return status;
}

static tsr_status run(file_run *r, const door_call *call)
{
    TSR_TRY(open_file(r, call));
    TSR_TRY(make_kernel(r, call));
    TSR_TRY(tsr_kernel_result(&r->result, r->made, r->inside, call->err));
    const tsr_blocks_run_options how = {.kernel = r->made,
                                        .result = r->result,
                                        .operands = r->inside,
                                        .in_file = r->in_file,
                                        .nthreads = call->nthreads,
                                        .observer = call->observer};
    return tsr_blocks_run(r->blocks, &how, call->err);
}

/* run, within the limit of memory. */
static tsr_status run_within(tessera_tensor **out, file_run *r, const door_call *call)
{
    const uint64_t nbytes = r->how.options.memory_nbytes;
    uint64_t before = 0;
    if (nbytes > 0)
        TSR_TRY(door_begin_limit(&before, nbytes, call->err));
    tsr_status status = run(r, call);
    tsr_blocks_free(r->blocks);
    tsr_kernel_free(r->made);
    tsr_text_clear(&r->statement);
    if (status == TSR_OK)
        status = door_tensor_new(out, r->result, call);
    else
        tsr_tensor_free(r->result);
    if (nbytes > 0)
        door_end_limit(before);
    return status;
}

tessera_status tessera_kernel_call_file(tessera_tensor **out, tessera_kernel *kernel,
                                        const tessera_tensor *const *operands, const char *path,
                                        const tessera_read_options *read, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(out, "result", call.err));
    *out = NULL;
    TSR_TRY_OUT(door_need(kernel, "kernel", call.err));
    TSR_TRY_OUT(door_need(path, "path", call.err));
    file_run r = {.kernel = kernel, .path = path};
    TSR_TRY_OUT(take_operands(&r, operands, &call));
    TSR_TRY_OUT(take_reading(&r, read, &call));
    status = run_within(out, &r, &call);
out:
    return door_end(&call, status);
}
