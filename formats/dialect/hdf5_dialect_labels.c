/* The names of rows and columns in HDF5 files of other software: see tsr_hdf5_read_labels. */
#include "hdf5_dialect_internal.h"

#include <stdio.h>
#include <string.h>

/* Read the dataset `name` of the group; names that cannot be read, or whose number is not `dim`, are left out. */
static tsr_status read_list(tsr_names *out, tsr_hdf5 *h5, const char *group, const char *name, uint64_t dim,
                            tsr_error *err)
{
    if (tsr_hdf5_leave(h5, NULL) != TSR_OK || tsr_hdf5_enter(h5, group, NULL) != TSR_OK ||
        tsr_hdf5_look_up(h5, name) != TSR_HDF5_DATASET)
        return TSR_OK;
    const tsr_status status = tsr_hdf5_read_names(out, h5, name, err);
    if (status != TSR_OK || out->n != dim)
        tsr_names_clear(out);
    return status == TSR_NOMEM || status == TSR_CORRUPT ? status : TSR_OK;
}

/* The index of a table of AnnData: the attribute _index of the table names the column. */
static tsr_status read_index(tsr_names *out, tsr_hdf5 *h5, const char *table, uint64_t dim, tsr_error *err)
{
    char *column = NULL;
    if (tsr_hdf5_leave(h5, NULL) != TSR_OK)
        return TSR_OK;
    tsr_status status = tsr_hdf5_text_of(&column, h5, table, "_index", err);
    if (status == TSR_OK)
        status = read_list(out, h5, table, column ? column : "index", dim, err);
    tsr_free(column);
    return status;
}

static bool begins(const char *path, const char *prefix)
{
    return strncmp(path, prefix, strlen(prefix)) == 0;
}

/* Which tables name the rows and the columns of an element of AnnData; NULL: none. */
static void find_tables(const char *tables[2], const char *path)
{
    const bool raw = begins(path, "raw/");
    const char *const var = raw ? "raw/var" : "var";
    path += raw ? 4 : 0;
    const bool matrix = strcmp(path, "X") == 0 || begins(path, "layers/");
    const bool obs = matrix || begins(path, "obsm/") || begins(path, "obsp/");
    tables[0] = obs ? "obs" : begins(path, "varm/") || begins(path, "varp/") ? var : NULL;
    tables[1] = matrix || begins(path, "varp/") ? var : begins(path, "obsp/") ? "obs" : NULL;
}

static tsr_status read_tenx(tsr_labels *labels, tsr_hdf5 *h5, const char *path, const uint64_t *dims,
                            tsr_error *err)
{
    char features[300];
    TSR_TRY(read_list(&labels->modes[1], h5, path, "barcodes", dims[1], err));
    TSR_TRY(read_list(&labels->modes[0], h5, path, "genes", dims[0], err)); /* version 2 */
    if (labels->modes[0].n > 0 ||
        snprintf(features, sizeof features, "%s/features", path) >= (int)sizeof features)
        return TSR_OK;
    return read_list(&labels->modes[0], h5, features, "id", dims[0], err);
}

tsr_status tsr_hdf5_read_labels(tsr_labels *labels, tsr_hdf5 *h5, tsr_hdf5_form form, const char *path,
                                const uint64_t *dims, tsr_error *err)
{
    const char *tables[2];
    while (*path == '/')
        path++;
    if (form == TSR_HDF5_TENX_CSC)
        return read_tenx(labels, h5, path, dims, err);
    if (form != TSR_HDF5_ANNDATA_CSR && form != TSR_HDF5_ANNDATA_CSC && form != TSR_HDF5_DENSE)
        return TSR_OK;
    find_tables(tables, path);
    for (int m = 0; m < 2; m++)
        if (tables[m])
            TSR_TRY(read_index(&labels->modes[m], h5, tables[m], dims[m], err));
    return TSR_OK;
}
