/* Facts about files as JSON. */
#include <sys/stat.h>

#include "door_file.h"
#include "door_info.h"

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

static tsr_status brief(tsr_text *text, const char *path, const char *shown, const tsr_codec *codec,
                        const door_call *call)
{
    tsr_brief found;
    const tsr_read_options read = {.nthreads = call->nthreads, .observer = call->observer};
    TSR_TRY(tsr_describe(&found, path, codec, &read, call->err));
    tsr_json json = tsr_json_of_text(text);
    tsr_json_open(&json, NULL, '{', false);
    tsr_facts_brief_json(&json, &found, shown, file_nbytes(path));
    tsr_json_close(&json, '}');
    tsr_brief_clear(&found);
    return TSR_OK;
}

static tsr_status whole(tsr_text *text, const char *path, const char *shown, const tsr_codec *codec,
                        const tessera_info_options *o, const door_call *call)
{
    tsr_data data = {0};
    const bool values = !o->fibers && !o->sizes && tsr_facts_want_values(file_nbytes(path));
    const tsr_read_options read = {
        .nthreads = call->nthreads, .levels_only = !values, .observer = call->observer};
    TSR_TRY(tsr_read(&data, path, codec, &read, call->err));
    tsr_tensor_facts facts = {
        .path = shown, .codec = data.codec->name, .file_nbytes = file_nbytes(path), .data = &data};
    const tsr_status status = door_survey(text, &facts, o, call);
    tsr_data_clear(&data);
    return status;
}

tsr_status door_file_facts(tsr_text *text, const char *path, const char *shown, const tessera_info_options *o,
                           const door_call *call)
{
    const tsr_codec *codec = NULL;
    if (o->codec)
        TSR_TRY(tsr_codec_by_name(&codec, o->codec, call->err));
    return o->brief ? brief(text, path, shown, codec, call) : whole(text, path, shown, codec, o, call);
}

tessera_status tessera_info(char **out, const char *path, const tessera_info_options *options,
                            tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    tessera_info_options o;
    tsr_text text = {0};
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(out, "result", call.err));
    *out = NULL;
    TSR_TRY_OUT(door_need(path, "path", call.err));
    TSR_TRY_OUT(door_options(&o, sizeof o, options, "tessera_info_options", call.err));
    TSR_TRY_OUT(door_file_facts(&text, path, path, &o, &call));
    status = tsr_text_take(out, &text, call.err);
out:
    tsr_text_clear(&text);
    return door_end(&call, status);
}
