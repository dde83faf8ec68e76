/* Octave's save -hdf5 and save -text: sparse and dense matrices. See hdf5_dialects.md and texts.md. */
#include "hdf5_dialect.h"
#include "octave_text.h"

#include <string.h>

/* Cut "file:NAME" in two. *text: the file is not HDF5. The caller frees *file with tsr_free. */
static tsr_status split(char **file, const char **object, bool *text, const char *path, tsr_error *err)
{
    tsr_hdf5 *h5 = NULL;
    *file = NULL;
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "cannot read files of Octave from standard input: give a file");
    *file = tsr_path_split(object, path);
    if (!*file)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    *text = tsr_hdf5_open(&h5, *file, NULL) != TSR_OK;
    tsr_hdf5_free(h5);
    return TSR_OK;
}

static tsr_status octave_read(tsr_data *out, const char *path, const tsr_read_options *options,
                              tsr_error *err)
{
    char *file;
    const char *object;
    bool text = false;
    tsr_status status = split(&file, &object, &text, path, err);
    if (status == TSR_OK)
        status = text ? tsr_octave_text_read(out, file, object, options, err)
                      : tsr_hdf5_read_object(out, path, NULL, options, err);
    tsr_free(file);
    return status;
}

static tsr_status octave_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                                  tsr_error *err)
{
    char *file;
    const char *object;
    bool text = false;
    tsr_status status = split(&file, &object, &text, path, err);
    if (status == TSR_OK)
        status = text ? tsr_octave_text_describe(out, file, object, options, err)
                      : tsr_hdf5_describe_objects(out, path, options, err);
    tsr_free(file);
    return status;
}

static int octave_probe(const tsr_probe *probe)
{
    return tsr_octave_text_probe(probe) || tsr_hdf5_tell_probe(NULL, probe) == TSR_HDF5_OCTAVE ? 100 : 0;
}

static const char *const suffixes[] = {".octave", NULL};

const tsr_codec tsr_codec_octave = {
    .name = "octave",
    .summary = "Octave's save -hdf5 and save -text: matrices (file.h5:NAME)",
    .suffixes = suffixes,
    .has_groups = true,
    .probe = octave_probe,
    .read = octave_read,
    .describe = octave_describe,
};
