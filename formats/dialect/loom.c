/* loom: a dense matrix of genes x cells, its layers, and the names of rows and columns. See dialects.md. */
#include "dialect.h"

#include <string.h>

static bool claims(tsr_container *c)
{
    return tsr_container_look_up(c, "matrix") == TSR_NODE_ARRAY &&
           tsr_container_look_up(c, "row_attrs") == TSR_NODE_GROUP;
}

static bool is_matrix(tsr_container *c, const char *name, const tsr_stored *array)
{
    return array->ndims == 2 && strcmp(name, "matrix") == 0 && claims(c);
}

static tsr_status read_labels(tsr_labels *labels, tsr_container *c, const char *path, const uint64_t *dims,
                              tsr_error *err)
{
    (void)path;
    TSR_TRY(tsr_form_read_list(&labels->modes[0], c, "row_attrs", "Gene", dims[0], err));
    return tsr_form_read_list(&labels->modes[1], c, "col_attrs", "CellID", dims[1], err);
}

static const tsr_form matrix = {.array = true, .is = is_matrix, .labels = read_labels};

static const tsr_form *const forms[] = {&matrix, NULL};

const tsr_dialect tsr_dialect_loom = {.name = "loom", .forms = forms, .claims = claims};

/* ---- the codec ---- */

TSR_DIALECT_READS_HDF5(loom, "matrix")

static const char *const suffixes[] = {".loom", NULL};

const tsr_codec tsr_codec_loom = {
    .name = "loom",
    .summary = "loom: the dense matrix of genes x cells, and its layers (file.loom:layers/spliced)",
    .suffixes = suffixes,
    .has_groups = true,
    .probe = loom_probe,
    .read = loom_read,
    .feed = loom_feed,
    .describe = tsr_dialect_describe_objects,
};
