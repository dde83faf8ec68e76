/* AnnData's .h5ad: any sparse or dense matrix in the file, such as file.h5ad:layers/counts. See
 * hdf5_dialects.md. */
#include "hdf5_dialect.h"

#include <string.h>

static tsr_status h5ad_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    return tsr_hdf5_read_object(out, path, "X", options, err);
}

static tsr_status h5ad_feed(tsr_feed **out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    return tsr_hdf5_feed_object(out, path, "X", options, err);
}

static int h5ad_probe(const tsr_probe *probe)
{
    return tsr_hdf5_tell_probe(NULL, probe) == TSR_HDF5_ANNDATA ? 100 : 0;
}

/* ---- writing ---- */

static bool h5ad_takes_tensor(const tsr_tensor *tensor, const char **instead)
{
    int major;
    *instead = "csr";
    return tsr_hdf5_takes_slices(&major, tensor);
}

static tsr_status h5ad_check(int order, tsr_type type, tsr_error *err)
{
    if (order != 2)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "cannot write a tensor of %d modes to .h5ad, which has matrices: make a matrix with --unfold",
            order);
    if (tsr_type_class(type) == 'C')
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write complex values to .h5ad: convert them with --type");
    return TSR_OK;
}

/* Write the attributes of the current group that say what the group is. */
static tsr_status write_encoding(tsr_hdf5 *h5, const char *type, const char *version, tsr_error *err)
{
    TSR_TRY(tsr_hdf5_write_text(h5, "encoding-type", type, err));
    return tsr_hdf5_write_text(h5, "encoding-version", version, err);
}

/* Write a table without columns, whose rows have the names, or, where these are NULL, the names 0, 1, 2, ... */
static tsr_status write_table(tsr_hdf5 *h5, const char *name, uint64_t n, const tsr_names *names,
                              tsr_error *err)
{
    TSR_TRY(tsr_hdf5_leave(h5, err));
    TSR_TRY(tsr_hdf5_enter(h5, name, err));
    TSR_TRY(write_encoding(h5, "dataframe", "0.2.0", err));
    TSR_TRY(tsr_hdf5_write_text(h5, "_index", "_index", err));
    TSR_TRY(tsr_hdf5_write_integers(h5, "column-order", &(const int64_t){0}, 0, err));
    TSR_TRY(names ? tsr_hdf5_write_labels(h5, "_index", names, err)
                  : tsr_hdf5_write_names(h5, "_index", "", true, n, err));
    TSR_TRY(tsr_hdf5_write_text_of(h5, "_index", "encoding-type", "string-array", err));
    return tsr_hdf5_write_text_of(h5, "_index", "encoding-version", "0.2.0", err);
}

typedef struct writing {
    const tsr_tensor *tensor;
    const tsr_write_options *options;
} writing;

/* Make a new group for the object, and make it the current group. An old object with this name is
 * unlinked. */
static tsr_status renew(tsr_hdf5 *h5, const char *object, tsr_error *err)
{
    while (*object == '/')
        object++;
    const char *const slash = strrchr(object, '/');
    char *const parent = tsr_strdup(object);
    if (!parent)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    parent[slash ? slash - object : 0] = '\0';
    const char *const leaf = slash ? slash + 1 : object;
    tsr_status status =
        *leaf ? tsr_hdf5_enter(h5, parent, err)
              : tsr_fail(err, TSR_ARGUMENT, "missing the name of the object after ':', such as X");
    if (status == TSR_OK)
        status = tsr_hdf5_remove(h5, leaf, err);
    if (status == TSR_OK)
        status = tsr_hdf5_enter(h5, leaf, err);
    tsr_free(parent);
    return status;
}

static tsr_status write_file(tsr_hdf5 *h5, const char *object, const void *ctx, tsr_error *err)
{
    const writing *const w = ctx;
    const tsr_tensor *const tensor = w->tensor;
    const bool fresh =
        tsr_hdf5_look_up(h5, "X") == TSR_HDF5_NOTHING && tsr_hdf5_look_up(h5, "obs") == TSR_HDF5_NOTHING;
    const int64_t shape[2] = {(int64_t)tensor->dims[0], (int64_t)tensor->dims[1]};
    const uint64_t most = tensor->dims[0] > tensor->dims[1] ? tensor->dims[0] : tensor->dims[1];
    const size_t width = tensor->npos <= INT32_MAX && most <= INT32_MAX ? 4 : 8;
    const tsr_hdf5_slice_names names = {"data", "indices", "indptr", most <= INT32_MAX ? 4 : 8, width};
    int major = 0;
    if (!tsr_hdf5_takes_slices(&major, tensor))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write this format to .h5ad: csr and csc without a fill value are supported");
    if (fresh) {
        TSR_TRY(write_encoding(h5, "anndata", "0.1.0", err));
        TSR_TRY(write_table(h5, "obs", tensor->dims[0], tsr_labels_of(w->options->labels, 0, tensor->dims[0]),
                            err));
        TSR_TRY(write_table(h5, "var", tensor->dims[1], tsr_labels_of(w->options->labels, 1, tensor->dims[1]),
                            err));
        TSR_TRY(tsr_hdf5_leave(h5, err));
    }
    TSR_TRY(renew(h5, object ? object : "X", err));
    TSR_TRY(write_encoding(h5, major ? "csc_matrix" : "csr_matrix", "0.1.0", err));
    TSR_TRY(tsr_hdf5_write_integers(h5, "shape", shape, 2, err));
    return tsr_hdf5_write_slices(h5, &names, tensor, w->options, err);
}

static tsr_status h5ad_write_tensor(const char *path, const tsr_tensor *tensor,
                                    const tsr_write_options *options, uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options none;
    options = options ? options : &none;
    const writing w = {tensor, options};
    return tsr_hdf5_write_file(path, write_file, &w, nbytes, err);
}

static const char *const suffixes[] = {".h5ad", NULL};

const tsr_codec tsr_codec_h5ad = {
    .name = "h5ad",
    .summary = "AnnData: any matrix of the file (file.h5ad:layers/counts); X without a name",
    .suffixes = suffixes,
    .has_groups = true,
    .has_labels = true,
    .probe = h5ad_probe,
    .read = h5ad_read,
    .feed = h5ad_feed,
    .describe = tsr_hdf5_describe_objects,
    .takes_tensor = h5ad_takes_tensor,
    .check = h5ad_check,
    .write_tensor = h5ad_write_tensor,
};
