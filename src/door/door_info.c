/* Facts about tensors as JSON, and pictures as counts. */
#include <string.h>

#include "door_info.h"

/* ---- tensors ---- */

tsr_status door_survey(tsr_text *text, tsr_tensor_facts *facts, const tessera_info_options *o,
                       const door_call *call)
{
    const bool chosen = o->fibers || o->sizes;
    facts->spreads = !chosen || o->fibers;
    facts->sizes = !chosen || o->sizes;
    facts->values = !chosen;
    const tsr_survey_options how = {.nthreads = call->nthreads,
                                    .spreads = facts->spreads,
                                    .sizes = facts->sizes,
                                    .values = facts->values,
                                    .exact = o->exact != 0,
                                    .observer = call->observer};
    const tsr_status status =
        tsr_survey_init(&facts->survey, facts->data->tensor, facts->data->coo, &how, call->err);
    if (status == TSR_OK) {
        tsr_json json = tsr_json_of_text(text);
        tsr_json_open(&json, NULL, '{', false);
        tsr_facts_json(&json, facts);
        tsr_json_close(&json, '}');
    }
    tsr_survey_clear(&facts->survey);
    return status;
}

tessera_status tessera_tensor_info(char **out, const tessera_tensor *tensor,
                                   const tessera_info_options *options, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    tessera_info_options o;
    tsr_text text = {0};
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(out, "result", call.err));
    *out = NULL;
    TSR_TRY_OUT(door_need(tensor, "tensor", call.err));
    TSR_TRY_OUT(door_options(&o, sizeof o, options, "tessera_info_options", call.err));
    TSR_TRY_OUT(door_check_ends(tensor->inside, call.err));
    const tsr_data data = {.tensor = tensor->inside};
    tsr_tensor_facts facts = {.data = &data};
    TSR_TRY_OUT(door_survey(&text, &facts, &o, &call));
    status = tsr_text_take(out, &text, call.err);
out:
    tsr_text_clear(&text);
    return door_end(&call, status);
}

/* ---- pictures ---- */

static tsr_status check_grid(const tsr_tensor *tensor, const int modes[2], const uint32_t grid[2],
                             tsr_error *err)
{
    TSR_TRY(door_need(modes, "modes", err));
    TSR_TRY(door_need(grid, "grid", err));
    for (int a = 0; a < 2; a++) {
        if (modes[a] < -1 || modes[a] >= tensor->order)
            return tsr_fail(err, TSR_ARGUMENT,
                            "mode %d does not exist: the tensor has %d modes, numbered from 0", modes[a],
                            tensor->order);
        const uint64_t dim = modes[a] >= 0 ? tensor->dims[modes[a]] : 1;
        if (grid[a] < 1 || grid[a] > UINT16_MAX || grid[a] > dim)
            return tsr_fail(err, TSR_ARGUMENT,
                            "a grid of %u boxes for %llu indices: use 1 to the number of indices, at most %d",
                            (unsigned)grid[a], (unsigned long long)dim, (int)UINT16_MAX);
    }
    return TSR_OK;
}

static tsr_status density(uint64_t *counts, const tsr_tensor *tensor, const int modes[2],
                          const uint32_t grid[2], const door_call *call)
{
    tsr_density found = {0};
    tsr_survey facts = {0};
    TSR_TRY(check_grid(tensor, modes, grid, call->err));
    TSR_TRY(tsr_density_init(&found, tensor->order, tensor->dims, modes, grid, call->err));
    const tsr_survey_options how = {
        .nthreads = call->nthreads, .density = &found, .observer = call->observer};
    const tsr_status status = tsr_survey_init(&facts, tensor, NULL, &how, call->err);
    if (status == TSR_OK)
        memcpy(counts, found.count, (size_t)found.n[0] * found.n[1] * sizeof *counts);
    tsr_survey_clear(&facts);
    tsr_density_clear(&found);
    return status;
}

tessera_status tessera_tensor_density(uint64_t *counts, const tessera_tensor *tensor, const int modes[2],
                                      const uint32_t grid[2], tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(counts, "result", call.err));
    TSR_TRY_OUT(door_need(tensor, "tensor", call.err));
    TSR_TRY_OUT(door_check_ends(tensor->inside, call.err));
    status = density(counts, tensor->inside, modes, grid, &call);
out:
    return door_end(&call, status);
}
