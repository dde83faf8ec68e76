/* Kernels that were made ahead of time (tkern --emit=library): a context knows tables of them, and kernels made with it use the rows
 * that have their expression. */
#include <string.h>

#include "door_kernel.h"

tessera_status tessera_context_add_kernels(tessera_context *ctx, const tessera_made_kernel *kernels, int n)
{
    const door_call call = door_begin(ctx);
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(ctx, "context", call.err));
    TSR_TRY_OUT(door_need(kernels, "kernels", call.err));
    if (n < 1 || kernels[0].size < sizeof *kernels) {
        status =
            tsr_fail(call.err, TSR_ARGUMENT,
                     n < 1 ? "a table has at least one kernel" : "the size of the first kernel is too small");
        goto out;
    }
    if (ctx->ntables == DOOR_NTABLES) {
        status = tsr_fail(call.err, TSR_LIMIT, "a context takes at most %d tables of kernels", DOOR_NTABLES);
        goto out;
    }
    ctx->table[ctx->ntables].row = kernels;
    ctx->table[ctx->ntables++].n = n;
out:
    return door_end(&call, status);
}

/* Row i of a table, whose rows may be longer than this library knows. */
static const tessera_made_kernel *row_at(const tessera_made_kernel *table, int i)
{
    return (const tessera_made_kernel *)(const void *)((const char *)table + (size_t)i * table->size);
}

/* Whether the kernel can be one of a table: what a row does not name is the default. */
static bool can_be_made(const tessera_kernel *kernel)
{
    const tsr_kernel_options *const o = &kernel->options;
    return !o->functions && !o->semiring && !o->schedule &&
           (o->engine == TSR_ENGINE_AUTO || o->engine == TSR_ENGINE_COMPILED ||
            o->engine == TSR_ENGINE_BUILTIN);
}

/* Count the rows with the expression; store them in kernel->made if that is not NULL. */
static int take_rows(tessera_kernel *kernel, const tessera_context *ctx)
{
    int n = 0;
    for (int t = 0; t < ctx->ntables; t++)
        for (int i = 0; i < ctx->table[t].n; i++) {
            const tessera_made_kernel *const row = row_at(ctx->table[t].row, i);
            if (strcmp(row->expression, kernel->expression) != 0)
                continue;
            if (kernel->made)
                kernel->made[n] = (tsr_kernel_made){.about = {.key = row->key,
                                                              .name = row->name,
                                                              .summary = "",
                                                              .expression = row->expression,
                                                              .formats = row->formats,
                                                              .type = row->type,
                                                              .index = row->index,
                                                              .sizes = row->sizes,
                                                              .schedule = row->schedule},
                                                    .function = row->function};
            n++;
        }
    return n;
}

tsr_status door_take_made(tessera_kernel *kernel, const door_call *call)
{
    if (!call->ctx || !can_be_made(kernel))
        return TSR_OK;
    const int n = take_rows(kernel, call->ctx);
    if (n == 0)
        return TSR_OK;
    kernel->made = tsr_calloc((size_t)n, sizeof *kernel->made);
    kernel->made_base = tsr_calloc((size_t)n, sizeof *kernel->made_base);
    if (!kernel->made || !kernel->made_base)
        return tsr_fail(call->err, TSR_NOMEM, "out of memory: a kernel");
    kernel->options.nmade = take_rows(kernel, call->ctx);
    kernel->options.made = kernel->made;
    return TSR_OK;
}

void door_drop_made(tessera_kernel *kernel)
{
    for (int i = 0; i < kernel->options.nmade; i++)
        tsr_kernel_free(kernel->made_base[i]);
    tsr_free(kernel->made_base);
    tsr_free(kernel->made);
}

tsr_status door_made_find(tsr_kernel **out, tessera_kernel *kernel, const tsr_kernel_tensor *tensors,
                          const door_call *call)
{
    *out = NULL;
    for (int i = 0; i < kernel->options.nmade && !*out; i++) {
        tsr_error why = {0};
        tsr_status status = TSR_OK;
        if (!kernel->made_base[i] && kernel->made[i].about.key)
            status = tsr_kernel_made_new(&kernel->made_base[i], kernel->made, kernel->options.nmade, i, &why);
        if (status == TSR_NOMEM)
            return tsr_fail(call->err, status, "%s", why.message);
        if (status != TSR_OK) {
            tsr_warn(call->observer, NULL, 0, "%s", why.message);
            kernel->made[i].about.key = NULL; /* not once more */
        }
        if (kernel->made_base[i] && tsr_kernel_rebind(out, kernel->made_base[i], tensors,
                                                      kernel->notation->ntensors, &why) == TSR_NOMEM)
            return tsr_fail(call->err, TSR_NOMEM, "out of memory: a kernel");
    }
    return TSR_OK;
}
