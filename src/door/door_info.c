/* Facts about files and tensors as JSON, and pictures as counts. */
#include <string.h>
#include <sys/stat.h>

#include "door_internal.h"
#include "tsr_facts.h"

/* ---- tensors ---- */

static tsr_status survey(tsr_text *text, tsr_tensor_facts *facts, const tessera_info_options *o,
                         const door_call *call)
{
    const bool chosen = o->fibers || o->sizes;
    facts->spreads = !chosen || o->fibers;
    facts->sizes = !chosen || o->sizes;
    const tsr_survey_options how = {.nthreads = call->nthreads,
                                    .spreads = facts->spreads,
                                    .sizes = facts->sizes,
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
    TSR_TRY_OUT(survey(&text, &facts, &o, &call));
    status = door_take_text(out, &text, call.err);
out:
    tsr_text_clear(&text);
    return door_end(&call, status);
}

/* ---- files ---- */

/* The size of the file, without the name of an object in it; 0: unknown. */
static uint64_t file_nbytes(const char *path)
{
    const char *object;
    struct stat st;
    char *const file = tsr_path_split(&object, path);
    const bool known = file && stat(file, &st) == 0 && S_ISREG(st.st_mode);
    tsr_free(file);
    return known ? (uint64_t)st.st_size : 0;
}

static tsr_status brief(tsr_text *text, const char *path, const tsr_codec *codec, const door_call *call)
{
    tsr_brief found;
    const tsr_read_options read = {.nthreads = call->nthreads, .observer = call->observer};
    TSR_TRY(tsr_describe(&found, path, codec, &read, call->err));
    tsr_json json = tsr_json_of_text(text);
    tsr_json_open(&json, NULL, '{', false);
    tsr_facts_brief_json(&json, &found, path, file_nbytes(path));
    tsr_json_close(&json, '}');
    tsr_brief_clear(&found);
    return TSR_OK;
}

static tsr_status whole(tsr_text *text, const char *path, const tsr_codec *codec,
                        const tessera_info_options *o, const door_call *call)
{
    tsr_data data = {0};
    const tsr_read_options read = {
        .nthreads = call->nthreads, .levels_only = true, .observer = call->observer};
    TSR_TRY(tsr_read(&data, path, codec, &read, call->err));
    tsr_tensor_facts facts = {
        .path = path, .codec = data.codec->name, .file_nbytes = file_nbytes(path), .data = &data};
    const tsr_status status = survey(text, &facts, o, call);
    tsr_data_clear(&data);
    return status;
}

tessera_status tessera_info(char **out, const char *path, const tessera_info_options *options,
                            tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    tessera_info_options o;
    const tsr_codec *codec = NULL;
    tsr_text text = {0};
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(out, "result", call.err));
    *out = NULL;
    TSR_TRY_OUT(door_need(path, "path", call.err));
    TSR_TRY_OUT(door_options(&o, sizeof o, options, "tessera_info_options", call.err));
    if (o.codec)
        TSR_TRY_OUT(tsr_codec_by_name(&codec, o.codec, call.err));
    TSR_TRY_OUT(o.brief ? brief(&text, path, codec, &call) : whole(&text, path, codec, &o, &call));
    status = door_take_text(out, &text, call.err);
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
