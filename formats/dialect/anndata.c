/* AnnData in HDF5 (.h5ad) and Zarr: a sparse matrix as csr or csc, and the tables obs and var of a new file. See
 * dialects.md. */
#include "anndata.h"

#include <string.h>

#include "dialect.h"

bool tsr_anndata_takes_tensor(const tsr_tensor *tensor, const char **instead)
{
    int major;
    *instead = "csr";
    return tsr_dialect_takes_slices(&major, tensor);
}

tsr_status tsr_anndata_check(int order, tsr_type type, tsr_error *err)
{
    if (order != 2)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "cannot write a tensor of %d modes to AnnData, which has matrices: make a matrix with --unfold",
            order);
    if (tsr_type_class(type) == 'C')
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write complex values to AnnData: convert them with --type");
    return TSR_OK;
}

/* Write the attributes of the current group that say what the group is. */
static tsr_status write_encoding(tsr_container *c, const char *type, const char *version, tsr_error *err)
{
    TSR_TRY(tsr_container_write_text(c, NULL, "encoding-type", type, err));
    return tsr_container_write_text(c, NULL, "encoding-version", version, err);
}

/* Write a table without columns, whose rows have the names, or, where these are NULL, the names 0, 1, 2, ... */
static tsr_status write_table(tsr_container *c, const char *name, uint64_t n, const tsr_names *names,
                              tsr_error *err)
{
    TSR_TRY(tsr_container_leave(c, err));
    TSR_TRY(tsr_container_enter(c, name, err));
    TSR_TRY(write_encoding(c, "dataframe", "0.2.0", err));
    TSR_TRY(tsr_container_write_text(c, NULL, "_index", "_index", err));
    TSR_TRY(tsr_container_write_integers(c, "column-order", &(const int64_t){0}, 0, err));
    TSR_TRY(names ? tsr_dialect_write_labels(c, "_index", names, err)
                  : tsr_dialect_write_names(c, "_index", "", true, n, err));
    TSR_TRY(tsr_container_write_text(c, "_index", "encoding-type", "string-array", err));
    return tsr_container_write_text(c, "_index", "encoding-version", "0.2.0", err);
}

/* Make a new group for the object, and make it the current group. An old object with this name is
 * unlinked. */
static tsr_status renew(tsr_container *c, const char *object, tsr_error *err)
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
        *leaf ? tsr_container_enter(c, parent, err)
              : tsr_fail(err, TSR_ARGUMENT, "missing the name of the object after ':', such as X");
    if (status == TSR_OK)
        status = tsr_container_remove(c, leaf, err);
    if (status == TSR_OK)
        status = tsr_container_enter(c, leaf, err);
    tsr_free(parent);
    return status;
}

static tsr_status write_file(tsr_container *c, const char *object, const void *ctx, tsr_error *err)
{
    const tsr_dialect_writing *const w = ctx;
    const tsr_tensor *const tensor = w->held.tensor;
    const bool fresh =
        tsr_container_look_up(c, "X") == TSR_NODE_NONE && tsr_container_look_up(c, "obs") == TSR_NODE_NONE;
    const int64_t shape[2] = {(int64_t)tensor->dims[0], (int64_t)tensor->dims[1]};
    const uint64_t most = tensor->dims[0] > tensor->dims[1] ? tensor->dims[0] : tensor->dims[1];
    const size_t width = tensor->npos <= INT32_MAX && most <= INT32_MAX ? 4 : 8;
    const tsr_dialect_slice_names names = {"data", "indices", "indptr", most <= INT32_MAX ? 4 : 8, width};
    int major = 0;
    if (!tsr_dialect_takes_slices(&major, tensor))
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "cannot write this format to AnnData: csr and csc without a fill value are supported");
    if (fresh) {
        TSR_TRY(write_encoding(c, "anndata", "0.1.0", err));
        TSR_TRY(write_table(c, "obs", tensor->dims[0], tsr_labels_of(w->options->labels, 0, tensor->dims[0]),
                            err));
        TSR_TRY(write_table(c, "var", tensor->dims[1], tsr_labels_of(w->options->labels, 1, tensor->dims[1]),
                            err));
        TSR_TRY(tsr_container_leave(c, err));
    }
    TSR_TRY(renew(c, object ? object : "X", err));
    TSR_TRY(write_encoding(c, major ? "csc_matrix" : "csr_matrix", "0.1.0", err));
    TSR_TRY(tsr_container_write_integers(c, "shape", shape, 2, err));
    return tsr_dialect_write_slices(c, &names, &w->held, w->options, err);
}

tsr_status tsr_anndata_write(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                             uint64_t *nbytes, tsr_error *err)
{
    return tsr_dialect_write_object(path, &(tsr_held){.tensor = tensor}, options, write_file, nbytes, err);
}

tsr_status tsr_anndata_write_parts(const char *path, tsr_parts *parts, const tsr_write_options *options,
                                   uint64_t *nbytes, tsr_error *err)
{
    return tsr_dialect_write_object(path, &(tsr_held){parts->tensor, parts}, options, write_file, nbytes,
                                    err);
}
