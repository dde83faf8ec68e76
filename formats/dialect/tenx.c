/* Feature-barcode matrices of 10x Genomics (.h5), versions 2 and 3: features x barcodes, csc. See
 * dialects.md. */
#include "dialect.h"

#include <stdio.h>

static tsr_status read_labels(tsr_labels *labels, tsr_container *c, const char *path, const uint64_t *dims,
                              tsr_error *err)
{
    char features[300];
    TSR_TRY(tsr_form_read_list(&labels->modes[1], c, path, "barcodes", dims[1], err));
    TSR_TRY(tsr_form_read_list(&labels->modes[0], c, path, "genes", dims[0], err)); /* version 2 */
    if (labels->modes[0].n > 0 ||
        snprintf(features, sizeof features, "%s/features", path) >= (int)sizeof features)
        return TSR_OK;
    return tsr_form_read_list(&labels->modes[0], c, features, "id", dims[0], err);
}

static const char *const members[] = {"data", "indices", "indptr", "shape", NULL};

static const tsr_form csc = {
    .sparse = true,
    .members = members,
    .major = 1,
    .data = "data",
    .indices = "indices",
    .pointers = "indptr",
    .dims = "shape",
    .labels = read_labels,
};

static const tsr_form *const forms[] = {&csc, NULL};

const tsr_dialect tsr_dialect_tenx = {.name = "10x", .forms = forms};

/* ---- the codec ---- */

TSR_DIALECT_READS_HDF5(tenx, "matrix")

/* ---- writing ---- */

static bool tenx_takes_tensor(const tsr_tensor *tensor, const char **instead)
{
    int major;
    *instead = "csc";
    return tsr_dialect_takes_slices(&major, tensor) && major == 1;
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
static tsr_status write_list(tsr_container *c, const char *name, const char *prefix, uint64_t n,
                             const tsr_names *names, tsr_error *err)
{
    return names ? tsr_dialect_write_labels(c, name, names, err)
                 : tsr_dialect_write_names(c, name, prefix, true, n, err);
}

static tsr_status write_features(tsr_container *c, uint64_t n, const tsr_names *names, tsr_error *err)
{
    TSR_TRY(tsr_container_enter(c, "features", err));
    TSR_TRY(write_list(c, "id", "feature", n, names, err));
    TSR_TRY(write_list(c, "name", "feature", n, names, err));
    TSR_TRY(tsr_dialect_write_names(c, "feature_type", "Gene Expression", false, n, err));
    TSR_TRY(tsr_dialect_write_names(c, "genome", "unknown", false, n, err));
    return tsr_dialect_write_names(c, "_all_tag_keys", "genome", false, 1, err);
}

static tsr_status write_file(tsr_container *c, const char *object, const void *ctx, tsr_error *err)
{
    static const tsr_dialect_slice_names names = {"data", "indices", "indptr", 8, 8};
    static const int64_t version = 2; /* the version of files since CellRanger 3 */
    const tsr_dialect_writing *const w = ctx;
    const tsr_tensor *const tensor = w->held.tensor;
    const char *none;
    if (object)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write an object of a 10x file: leave ':%s' out, and a new file with one "
                        "matrix is written",
                        object);
    if (!tenx_takes_tensor(tensor, &none))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write this format to a 10x file: csc without a fill value is supported");
    TSR_TRY(tsr_container_write_text(c, NULL, "filetype", "matrix", err));
    TSR_TRY(tsr_container_write_integers(c, "version", &version, -1, err));
    TSR_TRY(tsr_container_enter(c, "matrix", err));
    TSR_TRY(tsr_dialect_write_slices(c, &names, &w->held, w->options, err));
    const int64_t shape[2] = {(int64_t)tensor->dims[0], (int64_t)tensor->dims[1]};
    const tsr_stored array = {.name = "shape", .type = TSR_I64, .n = 2};
    tsr_job job = {.nthreads = 1};
    TSR_TRY(tsr_container_write_array(c, &array, &(tsr_supply){.data = shape}, 0, &job, err));
    const tsr_labels *const labels = w->options->labels;
    TSR_TRY(write_list(c, "barcodes", "barcode", tensor->dims[1], tsr_labels_of(labels, 1, tensor->dims[1]),
                       err));
    return write_features(c, tensor->dims[0], tsr_labels_of(labels, 0, tensor->dims[0]), err);
}

static tsr_status write_held(const char *path, const tsr_held *held, const tsr_write_options *options,
                             uint64_t *nbytes, tsr_error *err)
{
    const tsr_labels *const labels = options ? options->labels : NULL;
    if (!tsr_labels_of(labels, 0, held->tensor->dims[0]) || !tsr_labels_of(labels, 1, held->tensor->dims[1]))
        tsr_warn(options ? options->observer : NULL, path, 0,
                 "the names of the features and barcodes are unknown: numbers are written instead");
    return tsr_dialect_write_object(path, held, options, write_file, nbytes, err);
}

static tsr_status tenx_write_tensor(const char *path, const tsr_tensor *tensor,
                                    const tsr_write_options *options, uint64_t *nbytes, tsr_error *err)
{
    return write_held(path, &(tsr_held){.tensor = tensor}, options, nbytes, err);
}

static tsr_status tenx_write_parts(const char *path, tsr_parts *parts, const tsr_write_options *options,
                                   uint64_t *nbytes, tsr_error *err)
{
    return write_held(path, &(tsr_held){parts->tensor, parts}, options, nbytes, err);
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
    .describe = tsr_dialect_describe_objects,
    .takes_tensor = tenx_takes_tensor,
    .check = tenx_check,
    .write_tensor = tenx_write_tensor,
    .write_parts = tenx_write_parts,
};
