/* MATLAB's .mat, version 7.3 (HDF5): sparse and dense variables, and fields of structs (file.mat:Problem/A).
 * See hdf5_dialects.md. */
#include "hdf5_dialect.h"

#include <string.h>

static tsr_status mat_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    return tsr_hdf5_read_object(out, path, NULL, options, err);
}

static int mat_probe(const tsr_probe *probe)
{
    return tsr_hdf5_tell_probe(NULL, probe) == TSR_HDF5_MATLAB ? 100 : 0;
}

static const char *const suffixes[] = {".mat", NULL};

const tsr_codec tsr_codec_mat = {
    .name = "mat",
    .summary = "MATLAB 7.3: sparse and dense variables, also in structs (file.mat:Problem/A)",
    .suffixes = suffixes,
    .has_groups = true,
    .probe = mat_probe,
    .read = mat_read,
    .describe = tsr_hdf5_describe_objects,
};
