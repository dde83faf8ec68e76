/* The codec of .npz: sparse matrices of SciPy, sparse tensors of pydata/sparse, and single arrays of NumPy.
 * See npz.md. */
#include "npz_internal.h"

#include <string.h>

/* Open "file.npz:array" and find out what kind of tensor the archive has. */
static tsr_status open_archive(tsr_npz *npz, const char *path, tsr_error *err)
{
    const char *object;
    tsr_zip *zip = NULL;
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "cannot read .npz from standard input: give a file");
    char *const file = tsr_path_split(&object, path);
    tsr_status status = file ? tsr_zip_open(&zip, file, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK)
        status = tsr_npz_look(npz, zip, object, err);
    tsr_free(file);
    return status;
}

static tsr_status npz_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    tsr_npz npz;
    TSR_TRY(open_archive(&npz, path, err));
    return tsr_npz_read(out, &npz, options, err);
}

static tsr_status npz_feed(tsr_feed **out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    tsr_npz npz;
    *out = NULL;
    TSR_TRY(open_archive(&npz, path, err));
    return tsr_npz_feed(out, &npz, options, err);
}

static tsr_status npz_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                               tsr_error *err)
{
    tsr_npz npz;
    const char *object;
    (void)options;
    TSR_TRY(open_archive(&npz, path, err));
    char *const file = tsr_path_split(&object, path);
    tsr_brief_tensor *const tensor = file ? tsr_brief_add(out, object ? object : "") : NULL;
    const tsr_status status =
        tensor ? tsr_npz_describe(tensor, &npz, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_free(file);
    tsr_npz_clear(&npz);
    return status;
}

/* Every ZIP archive; reading it shows whether it has arrays. */
static int npz_probe(const tsr_probe *probe)
{
    const bool zip =
        probe->n >= 4 && (memcmp(probe->head, "PK\3\4", 4) == 0 || memcmp(probe->head, "PK\5\6", 4) == 0);
    return zip ? 90 : 0;
}

static const char *const suffixes[] = {".npz", NULL};

const tsr_codec tsr_codec_npz = {
    .name = "npz",
    .summary =
        "SciPy's save_npz (matrices), pydata/sparse's (tensors, fill values); file.npz:array is one array",
    .suffixes = suffixes,
    .has_groups = true,
    .knows_stored = true,
    .probe = npz_probe,
    .read = npz_read,
    .feed = npz_feed,
    .describe = npz_describe,
    .takes_tensor = tsr_npz_takes_tensor,
    .write_tensor = tsr_npz_write,
    .write_parts = tsr_npz_write_parts,
};
