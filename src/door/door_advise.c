/* Which storage format serves which kernel. */
#include "door_internal.h"
#include "tsr_advice.h"
#include "tsr_kernel.h"
#include "tsr_kernel_named.h"

/* Append the answer as JSON, and the name of the chosen format to `format`. */
static tsr_status answer(tsr_text *json_text, tsr_text *format, const tsr_tensor *tensor,
                         const tessera_advise_options *o, const door_call *call)
{
    tsr_named_kernels list;
    tsr_advice advice;
    tsr_tuning tuning;
    TSR_TRY(tsr_tuning_load(&tuning, call->err));
    const tsr_costs costs = tsr_costs_of_machine(&tuning);
    const tsr_advice_options how = {.nthreads = call->nthreads,
                                    .nruns = o->nruns,
                                    .budget = o->budget,
                                    .rank = o->rank,
                                    .formats = o->formats,
                                    .costs = &costs,
                                    .observer = call->observer};
    tsr_status status = tsr_named_kernels_init(&list, o->kernels, tensor->order, call->err);
    if (status == TSR_OK)
        status = tsr_advice_init(&advice,
                                 &(tsr_advice_question){.tensor = tensor,
                                                        .kernels = (const tsr_notation *const *)list.notation,
                                                        .nkernels = list.n},
                                 &how, call->err);
    tsr_named_kernels_clear(&list);
    TSR_TRY(status);
    tsr_json json = tsr_json_of_text(json_text);
    tsr_json_open(&json, NULL, '{', false);
    tsr_advice_json(&json, &advice);
    tsr_json_close(&json, '}');
    if (advice.chosen >= 0)
        tsr_text_add(format, advice.row[advice.chosen].format);
    tsr_advice_clear(&advice);
    return TSR_OK;
}

tessera_status tessera_advise(char **format, char **json, const tessera_tensor *tensor,
                              const tessera_advise_options *options, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    tessera_advise_options o;
    tsr_text text = {0}, name = {0};
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(format, "result", call.err));
    *format = NULL;
    if (json)
        *json = NULL;
    TSR_TRY_OUT(door_need(tensor, "tensor", call.err));
    TSR_TRY_OUT(door_options(&o, sizeof o, options, "tessera_advise_options", call.err));
    TSR_TRY_OUT(door_need(o.kernels, "kernels", call.err));
    if (!(o.nruns >= 0) || !(o.budget >= 0)) {
        status = tsr_fail(call.err, TSR_ARGUMENT,
                          "nruns and budget of tessera_advise_options must not be negative");
        goto out;
    }
    TSR_TRY_OUT(answer(&text, &name, tensor->inside, &o, &call));
    if (json)
        TSR_TRY_OUT(tsr_text_take(json, &text, call.err));
    status = tsr_text_take(format, &name, call.err);
    if (status != TSR_OK && json) {
        tessera_text_free(*json);
        *json = NULL;
    }
out:
    tsr_text_clear(&text);
    tsr_text_clear(&name);
    return door_end(&call, status);
}
