/* Files: reading, writing, and converting from one file into another. */
#include <string.h>

#include "door_file.h"
#include "tsr_codec_given.h"

/* ---- options ---- */

/* Set the options of codecs in the list, "NAME=VALUE" or "NAME". The values are borrowed. */
static tsr_status take_codec_options(tsr_codec_given *given, const tsr_codec_settings *to,
                                     const char *const *list, tsr_error *err)
{
    char name[64];
    for (int i = 0; list && list[i]; i++) {
        const char *const equals = strchr(list[i], '=');
        const size_t n = equals ? (size_t)(equals - list[i]) : strlen(list[i]);
        if (i == TSR_MAX_CODEC_GIVEN)
            return tsr_fail(err, TSR_LIMIT, "there are more than %d codec_options", TSR_MAX_CODEC_GIVEN);
        memcpy(name, list[i], n < sizeof name ? n : sizeof name - 1);
        name[n < sizeof name ? n : sizeof name - 1] = '\0';
        TSR_TRY(tsr_codec_give(given, to, name, equals ? equals + 1 : NULL, err));
    }
    return TSR_OK;
}

tsr_status door_take_reading(door_reading *how, const tsr_codec **codec, const tessera_read_options *given,
                             const door_call *call)
{
    tessera_read_options *const o = &how->options;
    tsr_read_options *const read = &how->read;
    tsr_codec_given kept = {.n = 0};
    *codec = NULL;
    TSR_TRY(door_options(o, sizeof *o, given, "tessera_read_options", call->err));
    if (o->codec)
        TSR_TRY(tsr_codec_by_name(codec, o->codec, call->err));
    if (o->norder != 0)
        TSR_TRY(door_check_dims(o->norder, o->dims, call->err));
    if (o->has_type)
        TSR_TRY(door_check_type(o->type, call->err));
    TSR_TRY(door_check_choices(o->duplicates, o->index_width, call->err));
    *read = (tsr_read_options){.nthreads = call->nthreads,
                               .index_base = o->index_base,
                               .shape_order = o->norder,
                               .keep_triangle = o->keep_symmetry != 0,
                               .no_values = o->no_values != 0,
                               .columns = o->columns,
                               .labels = o->no_labels == 0,
                               .has_type = o->has_type != 0,
                               .type = o->has_type ? (tsr_type)o->type : TSR_F64,
                               .observer = call->observer};
    for (int m = 0; m < o->norder; m++)
        read->shape[m] = o->dims[m];
    if (o->select) {
        TSR_TRY(tsr_picked_parse(&how->select, o->select, call->err));
        read->select = &how->select;
    }
    TSR_TRY(take_codec_options(&kept, &(tsr_codec_settings){read, NULL}, o->codec_options, call->err));
    return *codec ? tsr_codec_check_given(&kept, *codec, *codec, "", call->err) : TSR_OK;
}

/* Refuse an option that the format of the file lacks, before the file is read. */
tsr_status door_check_codec_options(const tessera_read_options *o, const char *path, tsr_error *err)
{
    const tsr_codec *codec;
    tsr_codec_given kept = {.n = 0};
    tsr_read_options none = {0};
    if (!o->codec_options || o->codec || strcmp(path, "-") == 0 ||
        tsr_codec_by_content(&codec, path, NULL) != TSR_OK) /* tsr_read reports the error */
        return TSR_OK;
    TSR_TRY(take_codec_options(&kept, &(tsr_codec_settings){&none, NULL}, o->codec_options, err));
    return tsr_codec_check_given(&kept, codec, codec, "", err);
}

static door_shape shape_of(const tessera_read_options *o, const char *path, const tsr_read_options *read)
{
    return (door_shape){.format = o->format,
                        .duplicates = o->duplicates,
                        .index_width = o->index_width,
                        .max_nbytes = o->max_nbytes,
                        .transform = o->transform,
                        .keep_symmetry = o->keep_symmetry != 0,
                        .in = path,
                        .read = read};
}

static const char *const header_words[] = {"auto", "none", "extended", "parti"};

static tsr_status take_header(tsr_header *out, const char *word, tsr_error *err)
{
    *out = TSR_HEADER_AUTO;
    for (size_t i = 0; word && i < sizeof header_words / sizeof header_words[0]; i++)
        if (strcmp(word, header_words[i]) == 0) {
            *out = (tsr_header)i;
            return TSR_OK;
        }
    return word ? tsr_fail(err, TSR_ARGUMENT, "unknown header '%s': use auto, none, extended or parti", word)
                : TSR_OK;
}

tsr_status door_take_writing(tsr_write_options *write, const tsr_codec **codec, const char *path,
                             const tessera_write_options *given, const door_call *call)
{
    tessera_write_options o;
    TSR_TRY(door_options(&o, sizeof o, given, "tessera_write_options", call->err));
    TSR_TRY(o.codec ? tsr_codec_by_name(codec, o.codec, call->err)
                    : tsr_codec_by_suffix(codec, path, call->err));
    if (!(*codec)->write_coo && !(*codec)->write_tensor)
        return tsr_fail(call->err, TSR_UNSUPPORTED,
                        "%s files can be read, not written: choose another codec or suffix", (*codec)->name);
    if (strcmp(path, "-") == 0 && !(*codec)->streams)
        return tsr_fail(call->err, TSR_ARGUMENT, "%s cannot be written to standard output: write to a file",
                        (*codec)->name);
    if (o.deflate < 0 || o.deflate > 9)
        return tsr_fail(call->err, TSR_ARGUMENT, "invalid deflate level %d: use 1 to 9, or 0 for the default",
                        o.deflate);
    *write = (tsr_write_options){.nthreads = call->nthreads,
                                 .deflate = o.deflate,
                                 .index_base = o.index_base,
                                 .comment = o.comment,
                                 .observer = call->observer};
    TSR_TRY(take_header(&write->header, o.header, call->err));
    if (write->header != TSR_HEADER_AUTO && !(*codec)->has_header)
        return tsr_fail(call->err, TSR_ARGUMENT, "%s files have a header of their own: leave `header` out",
                        (*codec)->name);
    tsr_codec_given kept = {.n = 0};
    tsr_read_options none = {0}; /* an option may concern both */
    TSR_TRY(take_codec_options(&kept, &(tsr_codec_settings){&none, write}, o.codec_options, call->err));
    if (none.index_base != 0) /* "index-base=0" of an output */
        write->index_base = none.index_base;
    return tsr_codec_check_given(&kept, *codec, *codec, "", call->err);
}

/* ---- reading ---- */

tsr_status door_shape_read(tessera_tensor **out, tsr_data *data, const char *path, const door_reading *how,
                           const door_call *call)
{
    const door_shape shape = shape_of(&how->options, path, &how->read);
    const tsr_status status = door_shape_data(data, &shape, call);
    if (status == TSR_OK)
        return door_data_new(out, data, call);
    if (status == TSR_CORRUPT || status == TSR_DUPLICATE || status == TSR_RANGE)
        tsr_error_set_path(call->err, path);
    tsr_data_clear(data);
    return status;
}

static tsr_status read_file(tessera_tensor **out, const char *path, const tessera_read_options *given,
                            const door_call *call)
{
    door_reading how;
    const tsr_codec *codec;
    tsr_data data = {0};
    TSR_TRY(door_need(out, "result", call->err));
    *out = NULL;
    TSR_TRY(door_need(path, "path", call->err));
    TSR_TRY(door_take_reading(&how, &codec, given, call));
    TSR_TRY(door_check_codec_options(&how.options, path, call->err));
    TSR_TRY(tsr_read_selected(&data, path, codec, &how.read, call->err));
    return door_shape_read(out, &data, path, &how, call);
}

tessera_status tessera_read(tessera_tensor **out, const char *path, const tessera_read_options *options,
                            tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, read_file(out, path, options, &call));
}

/* ---- writing ---- */

/* Bring packed data into a form that the codec writes; they are consumed if they change. */
static tsr_status suit_codec(tsr_data *data, const tsr_codec *codec, const door_call *call)
{
    const char *instead = NULL;
    if (!data->tensor)
        return TSR_OK;
    if (codec->write_tensor && (!codec->takes_tensor || codec->takes_tensor(data->tensor, &instead)))
        return TSR_OK;
    if (codec->write_tensor && instead) {
        const door_shape shape = {.format = instead, .keep_symmetry = true};
        return door_shape_data(data, &shape, call);
    }
    return tsr_data_unpack(data, call->nthreads, call->err);
}

/* Write the data, whose contents may be consumed on the way. */
static tsr_status write_data(tsr_data *data, const char *path, const tsr_codec *codec,
                             const tsr_write_options *write, const door_call *call)
{
    const int order = tsr_data_order(data);
    const tsr_type type = tsr_data_type(data);
    if (codec->check) {
        const tsr_status status = codec->check(order, type, call->err);
        if (status != TSR_OK && call->err)
            tsr_error_set_path(call->err, path);
        TSR_TRY(status);
    }
    TSR_TRY(suit_codec(data, codec, call));
    TSR_TRY(door_check_cancelled(call));
    tsr_write_options own = *write;
    own.labels = data->labels;
    if (tsr_labels_any(own.labels) && !codec->has_labels)
        tsr_warn_dropped_labels(write->observer, path, codec);
    if (data->tensor)
        return codec->write_tensor(path, data->tensor, &own, NULL, call->err);
    if (!codec->write_coo)
        return tsr_fail(call->err, TSR_UNSUPPORTED,
                        "%s files cannot hold this tensor: choose another codec, or convert the tensor into "
                        "another format",
                        codec->name);
    return codec->write_coo(path, data->coo, &own, NULL, call->err);
}

tsr_status door_write_tensor(const char *path, const tessera_tensor *tensor, const tsr_codec *codec,
                             const tsr_write_options *write, const door_call *call)
{
    tsr_data data = {0};
    TSR_TRY(door_check_ends(tensor->inside, call->err));
    TSR_TRY(tsr_tensor_view(&data.tensor, tensor->inside, call->err));
    tsr_status status = door_labels_copy(&data.labels, tensor->labels, call->err);
    if (status == TSR_OK)
        status = write_data(&data, path, codec, write, call);
    tsr_data_clear(&data);
    return status;
}

static tsr_status write_file(const char *path, const tessera_tensor *tensor,
                             const tessera_write_options *options, const door_call *call)
{
    tsr_write_options write;
    const tsr_codec *codec;
    TSR_TRY(door_need(path, "path", call->err));
    TSR_TRY(door_need(tensor, "tensor", call->err));
    TSR_TRY(door_take_writing(&write, &codec, path, options, call));
    return door_write_tensor(path, tensor, codec, &write, call);
}

tessera_status tessera_write(const char *path, const tessera_tensor *tensor,
                             const tessera_write_options *options, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, write_file(path, tensor, options, &call));
}
