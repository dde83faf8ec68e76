/* The codec of .npz: sparse matrices of SciPy, sparse tensors of pydata/sparse, and single arrays of NumPy.
 * See npz.md. */
#include "form.h"
#include "npz_internal.h"

#include <string.h>

/* Open the archive of "file.npz:array". *file is to be freed, also after a failure; *object is in `path`, or NULL. */
static tsr_status open_zip(tsr_zip **zip, char **file, const char **object, const char *path, tsr_error *err)
{
    *zip = NULL;
    *file = NULL;
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "cannot read .npz from standard input: give a file");
    *file = tsr_path_split(object, path);
    return *file ? tsr_zip_open(zip, *file, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
}

/* Open "file.npz:array" and find out what kind of tensor the archive has. */
static tsr_status open_archive(tsr_npz *npz, const char *path, tsr_error *err)
{
    const char *object;
    char *file;
    tsr_zip *zip;
    tsr_status status = open_zip(&zip, &file, &object, path, err);
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

/* Describe the tensor of the archive, or the array `object`. */
static tsr_status describe_one(tsr_brief_tensor *to, const char *file, const char *object, tsr_error *err)
{
    tsr_npz npz;
    tsr_zip *zip;
    TSR_TRY(tsr_zip_open(&zip, file, err));
    TSR_TRY(tsr_npz_look(&npz, zip, object, err));
    const tsr_status status = tsr_npz_describe(to, &npz, err);
    tsr_npz_clear(&npz);
    return status;
}

/* Describe each array of an archive without a sparse tensor. A fault of one of them stays with it. */
static tsr_status describe_arrays(tsr_brief *out, const tsr_zip *zip, const char *file, tsr_error *err)
{
    enum { MOST = 256 };
    tsr_text name = {0};
    size_t nbytes;
    tsr_status status = TSR_OK;
    for (uint64_t i = 0; i < tsr_zip_count(zip) && status == TSR_OK && !out->more; i++) {
        if (!tsr_npz_is_array(&nbytes, zip, i))
            continue;
        out->more = out->ntensors == MOST;
        tsr_text_clear(&name);
        tsr_text_addf(&name, "%.*s", (int)nbytes, tsr_zip_name(zip, i));
        tsr_brief_tensor *const tensor =
            name.failed || out->more ? NULL : tsr_brief_add(out, tsr_text_cstr(&name));
        if (tensor)
            tensor->fault.status = describe_one(tensor, file, tensor->group, &tensor->fault);
        else if (!out->more)
            status = tsr_fail(err, TSR_NOMEM, "out of memory");
        if (tensor && tensor->fault.status == TSR_NOMEM)
            status = tsr_fail_as(err, &tensor->fault);
    }
    tsr_text_clear(&name);
    return status;
}

static tsr_status npz_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                               tsr_error *err)
{
    const char *object;
    char *file;
    tsr_zip *zip;
    tsr_brief_tensor *tensor;
    (void)options;
    tsr_status status = open_zip(&zip, &file, &object, path, err);
    if (status == TSR_OK && !object && !tsr_npz_is_sparse(zip))
        status = describe_arrays(out, zip, file, err);
    if (status == TSR_OK && out->ntensors == 0) {
        tensor = tsr_brief_add(out, object ? object : "");
        status = tensor ? describe_one(tensor, file, object, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    }
    tsr_zip_free(zip);
    tsr_free(file);
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

/* Archives and arrays of NumPy have no groups: their reader finds the arrays by itself. */
const tsr_dialect tsr_dialect_npz = {.name = "npz"};

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
