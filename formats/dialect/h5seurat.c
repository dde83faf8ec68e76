/* h5Seurat, HDF5 of the R package SeuratDisk: matrices of features x cells, with their names. See dialects.md. */
#include "dialect.h"

#include <stdio.h>
#include <string.h>

/* The current group is a sparse matrix: three arrays, and the dims as an attribute. */
static bool is_sparse(tsr_container *c, const char *name, const tsr_stored *array)
{
    int64_t dims[2];
    (void)name;
    (void)array;
    return tsr_container_look_up(c, "data") == TSR_NODE_ARRAY &&
           tsr_container_look_up(c, "indices") == TSR_NODE_ARRAY &&
           tsr_container_look_up(c, "indptr") == TSR_NODE_ARRAY &&
           tsr_container_integers_of(dims, 2, c, NULL, "dims") == 2;
}

/* A dense matrix of an assay, as R lays it out: `features` stands beside it. */
static bool is_dense(tsr_container *c, const char *name, const tsr_stored *array)
{
    (void)name;
    return array->ndims == 2 && tsr_container_look_up(c, "features") == TSR_NODE_ARRAY;
}

/* Rows of an assay's matrix are its features, those of a graph cells; columns are cells. */
static tsr_status read_labels(tsr_labels *labels, tsr_container *c, const char *path, const uint64_t *dims,
                              tsr_error *err)
{
    char parent[300];
    const char *const slash = strrchr(path, '/');
    TSR_TRY(tsr_form_read_list(&labels->modes[1], c, "", "cell.names", dims[1], err));
    if (slash && snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path) < (int)sizeof parent)
        TSR_TRY(tsr_form_read_list(&labels->modes[0], c, parent, "features", dims[0], err));
    return labels->modes[0].n > 0 || !slash || strncmp(path, "graphs/", 7) != 0
               ? TSR_OK
               : tsr_form_read_list(&labels->modes[0], c, "", "cell.names", dims[0], err);
}

static const tsr_form csc = {.sparse = true,
                             .is = is_sparse,
                             .major = 1,
                             .data = "data",
                             .indices = "indices",
                             .pointers = "indptr",
                             .shape = {"dims"},
                             .labels = read_labels};
static const tsr_form dense = {.array = true, .is = is_dense, .by_columns = true, .labels = read_labels};

static const tsr_form *const forms[] = {&csc, &dense, NULL};

static bool claims(tsr_container *c)
{
    return tsr_form_has_text(c, NULL, "active.assay", NULL) &&
           tsr_container_look_up(c, "assays") == TSR_NODE_GROUP;
}

const tsr_dialect tsr_dialect_h5seurat = {.name = "h5Seurat", .forms = forms, .claims = claims};

/* ---- the codec ---- */

TSR_DIALECT_READS_HDF5(h5seurat, "assays/RNA/counts")

static const char *const suffixes[] = {".h5seurat", NULL};

const tsr_codec tsr_codec_h5seurat = {
    .name = "h5seurat",
    .summary = "h5Seurat of SeuratDisk: features x cells (file.h5seurat:assays/RNA/data)",
    .suffixes = suffixes,
    .has_groups = true,
    .has_labels = true,
    .probe = h5seurat_probe,
    .read = h5seurat_read,
    .feed = h5seurat_feed,
    .describe = tsr_dialect_describe_objects,
};
