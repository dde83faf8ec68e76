/* Writing a tensor to a file: see tsr_write.h. */
#include "tsr_write.h"

#include <string.h>

/* ---- checks ---- */

static bool ends_in_gz(const char *path)
{
    const size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".gz") == 0;
}

static tsr_status check(const char *path, const tsr_codec *codec, const tsr_write_options *options,
                        tsr_error *err)
{
    const bool to_stdout = strcmp(path, "-") == 0;
    if (!codec->write_coo && !codec->write_tensor)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "%s files can be read, not written: choose another file format with --to or the suffix",
            codec->name);
    if (options && options->header != TSR_HEADER_AUTO && !codec->has_header)
        return tsr_fail(err, TSR_ARGUMENT, "--header is for tns files, not for %s", codec->name);
    if (options && options->deflate > 0 && codec->streams && !to_stdout && !ends_in_gz(path))
        return tsr_fail_at(err, TSR_ARGUMENT, path, 0, 0,
                           "--deflate would make a gzip file: add .gz to the name, or leave --deflate out");
    if (to_stdout && !codec->streams)
        return tsr_fail(
            err, TSR_ARGUMENT,
            "%s cannot be written to standard output: write to a file, or use --to=mtx or --to=tns",
            codec->name);
    return TSR_OK;
}

tsr_status tsr_write_plan(const tsr_codec **codec, const char *path, const char *name,
                          const tsr_write_options *options, tsr_error *err)
{
    TSR_TRY(name ? tsr_codec_by_name(codec, name, err) : tsr_codec_by_suffix(codec, path, err));
    TSR_TRY(check(path, *codec, options, err));
    if (!name && !(*codec)->streams && ends_in_gz(path))
        return tsr_fail_at(err, TSR_ARGUMENT, path, 0, 0,
                           "%s files are not gzipped as a whole; use --deflate", (*codec)->name);
    return TSR_OK;
}

/* ---- the form ---- */

static tsr_status unpack(tsr_data *data, int nthreads, tsr_written *written, tsr_error *err)
{
    TSR_TRY(tsr_data_unpack(data, nthreads, err));
    written->unpacked = true;
    return TSR_OK;
}

/* Pack into the format of the text; NULL: coordinates. */
static tsr_status pack(tsr_data *data, const char *text, const tsr_pack_options *how, tsr_written *written,
                       tsr_error *err)
{
    tsr_format *format = NULL;
    TSR_TRY(text ? tsr_format_parse(&format, text, tsr_data_order(data), tsr_data_dims(data), err)
                 : tsr_format_coordinates(&format, tsr_data_order(data), false, err));
    const tsr_status status = tsr_data_pack(data, format, how, &written->stats, err);
    tsr_format_free(format);
    written->packed = written->packed || status == TSR_OK;
    return status;
}

tsr_status tsr_write_suit(tsr_data *data, const tsr_codec *codec, const tsr_pack_options *how,
                          tsr_written *written, tsr_error *err)
{
    static const tsr_pack_options none;
    tsr_written unused = {0};
    const char *instead = NULL;
    how = how ? how : &none;
    written = written ? written : &unused;
    if (codec->check)
        TSR_TRY(codec->check(tsr_data_order(data), tsr_data_type(data), err));
    if (data->coo && codec->write_coo)
        return TSR_OK;
    if (data->tensor && !codec->write_tensor)
        return unpack(data, how->nthreads, written, err);
    if (data->coo)
        TSR_TRY(pack(data, data->coo->natural, how, written, err));
    if (!codec->takes_tensor || codec->takes_tensor(data->tensor, &instead))
        return TSR_OK;
    if (instead)
        return pack(data, instead, how, written, err);
    if (codec->write_coo)
        return unpack(data, how->nthreads, written, err);
    return tsr_fail(err, TSR_UNSUPPORTED,
                    "%s files cannot hold this tensor: choose another file format, or another storage format "
                    "with --format",
                    codec->name);
}

/* ---- the file ---- */

static tsr_status write_file(const char *path, tsr_data *data, const tsr_codec *codec,
                             const tsr_write_options *options, tsr_written *written, tsr_error *err)
{
    const tsr_pack_options how = {.nthreads = options ? options->nthreads : 0,
                                  .observer = options ? options->observer : NULL};
    if (codec)
        TSR_TRY(check(path, codec, options, err));
    else
        TSR_TRY(tsr_write_plan(&codec, path, NULL, options, err));
    TSR_TRY(tsr_write_suit(data, codec, &how, written, err));
    tsr_write_options own = *options;
    own.labels = options->labels ? options->labels : data->labels;
    if (tsr_labels_any(own.labels) && !codec->has_labels)
        tsr_warn_dropped_labels(options->observer, path, codec);
    return data->tensor ? codec->write_tensor(path, data->tensor, &own, &written->nbytes, err)
                        : codec->write_coo(path, data->coo, &own, &written->nbytes, err);
}

tsr_status tsr_write(const char *path, tsr_data *data, const tsr_codec *codec,
                     const tsr_write_options *options, tsr_written *written, tsr_error *err)
{
    static const tsr_write_options none;
    tsr_written unused;
    written = written ? written : &unused;
    *written = (tsr_written){.nbytes = 0};
    const tsr_status status = write_file(path, data, codec, options ? options : &none, written, err);
    if (status != TSR_OK)
        tsr_error_set_path(err, path);
    return status;
}
