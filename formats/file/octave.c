/* Octave's save -hdf5: sparse matrices. See hdf5_dialects.md. */
#include "hdf5_dialect.h"

#include <string.h>

static tsr_status octave_read(tsr_data *out, const char *path, const tsr_read_options *options,
                              tsr_error *err)
{
    return tsr_hdf5_read_object(out, path, NULL, options, err);
}

static int octave_probe(const tsr_probe *probe)
{
    return tsr_hdf5_tell_probe(NULL, probe) == TSR_HDF5_OCTAVE ? 100 : 0;
}

static const char *const suffixes[] = {".octave", NULL};

const tsr_codec tsr_codec_octave = {
    .name = "octave",
    .summary = "Octave's save -hdf5: sparse matrices (file.h5:NAME)",
    .suffixes = suffixes,
    .has_groups = true,
    .probe = octave_probe,
    .read = octave_read,
    .describe = tsr_hdf5_describe_objects,
};
