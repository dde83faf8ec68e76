/* MATLAB's .mat: version 7.3 (HDF5) and those before; sparse and dense variables, fields of structs
 * (file.mat:Problem/A). See hdf5_dialects.md and mat.md. */
#include "codec_options.h"
#include "hdf5_dialect.h"
#include "mat5.h"

#include <string.h>

/* Whether the file is one of version 7.3: HDF5 behind a block of MATLAB's, or HDF5 alone. */
static bool is_hdf5(const char *path)
{
    tsr_hdf5 *h5 = NULL;
    const char *object;
    char *const file = tsr_path_split(&object, path);
    const bool opened = file && tsr_hdf5_open(&h5, file, NULL) == TSR_OK;
    tsr_hdf5_free(h5);
    tsr_free(file);
    return opened;
}

static tsr_status open_old(tsr_file *file, const char **object, char **name, const char *path, tsr_error *err)
{
    *file = (tsr_file){.fd = -1};
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "cannot read .mat from standard input: give a file");
    *name = tsr_path_split(object, path);
    return *name ? tsr_file_open(file, *name, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
}

static tsr_status mat_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    tsr_file file;
    const char *object;
    char *name = NULL;
    if (is_hdf5(path))
        return tsr_hdf5_read_object(out, path, "Problem/A", options, err);
    tsr_status status = open_old(&file, &object, &name, path, err);
    if (status == TSR_OK)
        status = tsr_mat5_read(out, &file, object, options, err);
    tsr_file_close(&file);
    tsr_free(name);
    return status;
}

static tsr_status mat_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                               tsr_error *err)
{
    tsr_file file;
    const char *object;
    char *name = NULL;
    if (is_hdf5(path))
        return tsr_hdf5_describe_objects(out, path, options, err);
    tsr_status status = open_old(&file, &object, &name, path, err);
    if (status == TSR_OK)
        status = tsr_mat5_describe(out, &file, object, err);
    tsr_file_close(&file);
    tsr_free(name);
    return status;
}

static tsr_status mat_feed(tsr_feed **out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    *out = NULL;
    return is_hdf5(path)
               ? tsr_hdf5_feed_object(out, path, "Problem/A", options, err)
               : tsr_fail(err, TSR_UNSUPPORTED, ".mat files before version 7.3 are read only as a whole");
}

static int mat_probe(const tsr_probe *probe)
{
    return tsr_hdf5_tell_probe(NULL, probe) == TSR_HDF5_MATLAB ? 100 : tsr_mat5_probe(probe);
}

/* ---- writing ---- */

static tsr_status mat_write(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                            uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options none;
    const char *object, *instead;
    tsr_write_options own = options ? *options : none;
    if (own.version == 70 && own.deflate == 0)
        own.deflate = 6;
    if (own.version == 50)
        own.deflate = 0;
    if (!tsr_mat_takes_tensor(tensor, &instead))
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "cannot write this tensor to .mat: csc, and dense by columns, without a fill value are "
            "supported");
    char *const file = tsr_path_split(&object, path);
    tsr_status status =
        file ? tsr_mat_check_target(file, object, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    const bool hdf5 = own.version == 73 || (own.version == 0 && !tsr_mat5_fits(tensor));
    const char *const name = object ? object : "A";
    if (status == TSR_OK)
        status = hdf5 ? tsr_mat73_write(file, name, tensor, &own, nbytes, err)
                      : tsr_mat5_write(file, name, tensor, &own, nbytes, err);
    tsr_free(file);
    return status;
}

static const char *const suffixes[] = {".mat", NULL};

static const tsr_codec_option *const options[] = {&tsr_option_mat_version, NULL};

const tsr_codec tsr_codec_mat = {
    .name = "mat",
    .summary =
        "MATLAB 4, 5, 7 and 7.3: variables, also in structs (file.mat:Problem/A); 5, 7 and 7.3 are written",
    .suffixes = suffixes,
    .options = options,
    .has_groups = true,
    .probe = mat_probe,
    .read = mat_read,
    .feed = mat_feed,
    .describe = mat_describe,
    .takes_tensor = tsr_mat_takes_tensor,
    .check = tsr_mat_check,
    .write_tensor = mat_write,
};
