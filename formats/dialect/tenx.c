/* Feature-barcode matrices of 10x Genomics (.h5), versions 2 and 3: features x barcodes, csc. See
 * hdf5_dialects.md. */
#include "hdf5_dialect.h"

static tsr_status tenx_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    return tsr_hdf5_read_object(out, path, "matrix", options, err);
}

static tsr_status tenx_feed(tsr_feed **out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    return tsr_hdf5_feed_object(out, path, "matrix", options, err);
}

static int tenx_probe(const tsr_probe *probe)
{
    return tsr_hdf5_tell_probe(NULL, probe) == TSR_HDF5_TENX ? 100 : 0;
}

/* ---- writing ---- */

static bool tenx_takes_tensor(const tsr_tensor *tensor, const char **instead)
{
    int major;
    *instead = "csc";
    return tsr_hdf5_takes_slices(&major, tensor) && major == 1;
}

static tsr_status tenx_check(int order, tsr_type type, tsr_error *err)
{
    if (order != 2)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write a tensor of %d modes to a 10x file, which has matrices: make a matrix "
                        "with --unfold",
                        order);
    if (tsr_type_class(type) == 'C')
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write complex values to a 10x file: convert them with --type");
    return TSR_OK;
}

/* Write the names, or, where they are NULL, the prefix and numbers. */
static tsr_status write_list(tsr_hdf5 *h5, const char *name, const char *prefix, uint64_t n,
                             const tsr_names *names, tsr_error *err)
{
    return names ? tsr_hdf5_write_labels(h5, name, names, err)
                 : tsr_hdf5_write_names(h5, name, prefix, true, n, err);
}

static tsr_status write_features(tsr_hdf5 *h5, uint64_t n, const tsr_names *names, tsr_error *err)
{
    TSR_TRY(tsr_hdf5_enter(h5, "features", err));
    TSR_TRY(write_list(h5, "id", "feature", n, names, err));
    TSR_TRY(write_list(h5, "name", "feature", n, names, err));
    TSR_TRY(tsr_hdf5_write_names(h5, "feature_type", "Gene Expression", false, n, err));
    TSR_TRY(tsr_hdf5_write_names(h5, "genome", "unknown", false, n, err));
    return tsr_hdf5_write_names(h5, "_all_tag_keys", "genome", false, 1, err);
}

typedef struct writing {
    const tsr_tensor *tensor;
    const tsr_write_options *options;
} writing;

static tsr_status write_file(tsr_hdf5 *h5, const char *object, const void *ctx, tsr_error *err)
{
    static const tsr_hdf5_slice_names names = {"data", "indices", "indptr", 8, 8};
    static const int64_t version = 2; /* the version of files since CellRanger 3 */
    const writing *const w = ctx;
    const tsr_tensor *const tensor = w->tensor;
    const char *none;
    if (object)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write an object of a 10x file: leave ':%s' out, and a new file with one "
                        "matrix is written",
                        object);
    if (!tenx_takes_tensor(tensor, &none))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write this format to a 10x file: csc without a fill value is supported");
    TSR_TRY(tsr_hdf5_write_text(h5, "filetype", "matrix", err));
    TSR_TRY(tsr_hdf5_write_integers(h5, "version", &version, -1, err));
    TSR_TRY(tsr_hdf5_enter(h5, "matrix", err));
    TSR_TRY(tsr_hdf5_write_slices(h5, &names, tensor, w->options, err));
    const int64_t shape[2] = {(int64_t)tensor->dims[0], (int64_t)tensor->dims[1]};
    const tsr_hdf5_array array = {.name = "shape", .type = TSR_I64, .n = 2};
    tsr_hdf5_job job = {.nthreads = 1};
    TSR_TRY(tsr_hdf5_write(h5, &array, shape, 0, &job, err));
    const tsr_labels *const labels = w->options->labels;
    TSR_TRY(write_list(h5, "barcodes", "barcode", tensor->dims[1], tsr_labels_of(labels, 1, tensor->dims[1]),
                       err));
    return write_features(h5, tensor->dims[0], tsr_labels_of(labels, 0, tensor->dims[0]), err);
}

static tsr_status tenx_write_tensor(const char *path, const tsr_tensor *tensor,
                                    const tsr_write_options *options, uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options none;
    options = options ? options : &none;
    const writing w = {tensor, options};
    if (!tsr_labels_of(options->labels, 0, tensor->dims[0]) ||
        !tsr_labels_of(options->labels, 1, tensor->dims[1]))
        tsr_warn(options->observer, path, 0,
                 "the names of the features and barcodes are unknown: numbers are written instead");
    return tsr_hdf5_write_file(path, write_file, &w, nbytes, err);
}

static const char *const suffixes[] = {".10x.h5", NULL};

const tsr_codec tsr_codec_tenx = {
    .name = "10x",
    .summary = "10x Genomics: feature-barcode matrices of CellRanger (features x barcodes; file.h5:GENOME)",
    .suffixes = suffixes,
    .has_groups = true,
    .has_labels = true,
    .probe = tenx_probe,
    .read = tenx_read,
    .feed = tenx_feed,
    .describe = tsr_hdf5_describe_objects,
    .takes_tensor = tenx_takes_tensor,
    .check = tenx_check,
    .write_tensor = tenx_write_tensor,
};
