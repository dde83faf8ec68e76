/* Octave's save -hdf5 and save -text: sparse and dense matrices. See hdf5_dialects.md and texts.md. */
#include "hdf5_dialect.h"
#include "octave_text.h"

#include <string.h>

/* A path "file:NAME", cut in two. */
typedef struct target {
    char *file; /* free it with tsr_free */
    const char *object;
    bool text; /* the file is not HDF5 */
} target;

static tsr_status find_target(target *to, const char *path, tsr_error *err)
{
    tsr_hdf5 *h5 = NULL;
    *to = (target){0};
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "cannot read files of Octave from standard input: give a file");
    to->file = tsr_path_split(&to->object, path);
    if (!to->file)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    to->text = tsr_hdf5_open(&h5, to->file, NULL) != TSR_OK;
    tsr_hdf5_free(h5);
    return TSR_OK;
}

static tsr_status octave_read(tsr_data *out, const char *path, const tsr_read_options *options,
                              tsr_error *err)
{
    target from;
    TSR_TRY(find_target(&from, path, err));
    const tsr_status status = from.text ? tsr_octave_text_read(out, from.file, from.object, options, err)
                                        : tsr_hdf5_read_object(out, path, NULL, options, err);
    tsr_free(from.file);
    return status;
}

static tsr_status octave_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                                  tsr_error *err)
{
    target from;
    TSR_TRY(find_target(&from, path, err));
    const tsr_status status = from.text ? tsr_octave_text_describe(out, from.file, from.object, options, err)
                                        : tsr_hdf5_describe_objects(out, path, options, err);
    tsr_free(from.file);
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
