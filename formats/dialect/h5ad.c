/* AnnData's .h5ad: any sparse or dense matrix in the file, such as file.h5ad:layers/counts. See
 * dialects.md. */
#include "anndata.h"
#include "codec_options.h"
#include "dialect.h"

#include <string.h>

#include "tsr_shown.h"

static tsr_status check_version(tsr_opened *o, tsr_error *err)
{
    char *version = NULL;
    TSR_TRY(tsr_container_text_of(&version, o->c, o->leaf, "encoding-version", err));
    tsr_status status = TSR_OK;
    if (version && strcmp(version, "0.1.0") != 0) {
        char shown[TSR_SHOWN_NBYTES];
        status = tsr_fail(err, TSR_UNSUPPORTED,
                          "'%s' is a sparse matrix of AnnData version %s: version 0.1.0 is supported",
                          o->leaf, tsr_show(shown, version));
    }
    tsr_free(version);
    return status;
}

/* The index of a table: the attribute _index of the table names the column. */
static tsr_status read_index(tsr_names *out, tsr_container *c, const char *table, uint64_t dim,
                             tsr_error *err)
{
    char *column = NULL;
    if (tsr_container_leave(c, NULL) != TSR_OK)
        return TSR_OK;
    tsr_status status = tsr_container_text_of(&column, c, table, "_index", err);
    if (status == TSR_OK)
        status = tsr_form_read_list(out, c, table, column ? column : "index", dim, err);
    tsr_free(column);
    return status;
}

static bool begins(const char *path, const char *prefix)
{
    return strncmp(path, prefix, strlen(prefix)) == 0;
}

/* Which tables name the rows and the columns of an element; NULL: none. */
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

tsr_status tsr_anndata_read_labels(tsr_labels *labels, tsr_container *c, const char *path,
                                   const uint64_t *dims, tsr_error *err)
{
    const char *tables[2];
    find_tables(tables, path);
    for (int m = 0; m < 2; m++)
        if (tables[m])
            TSR_TRY(read_index(&labels->modes[m], c, tables[m], dims[m], err));
    return TSR_OK;
}

static const tsr_form csr = {
    .sparse = true,
    .marks = {{"encoding-type", "csr_matrix"}, {"h5sparse_format", "csr"}},
    .major = 0,
    .data = "data",
    .indices = "indices",
    .pointers = "indptr",
    .shape = {"shape", "h5sparse_shape"},
    .look = check_version,
    .labels = tsr_anndata_read_labels,
};

static const tsr_form csc = {
    .sparse = true,
    .marks = {{"encoding-type", "csc_matrix"}, {"h5sparse_format", "csc"}},
    .major = 1,
    .data = "data",
    .indices = "indices",
    .pointers = "indptr",
    .shape = {"shape", "h5sparse_shape"},
    .look = check_version,
    .labels = tsr_anndata_read_labels,
};

static bool claims(tsr_container *c)
{
    return tsr_form_has_text(c, NULL, "encoding-type", "anndata");
}

static const tsr_form *const forms[] = {&csr, &csc, NULL};

const tsr_dialect tsr_dialect_h5ad = {.name = "anndata", .forms = forms, .claims = claims};

/* ---- the codec ---- */

TSR_DIALECT_READS_HDF5(h5ad, "X")

static const char *const suffixes[] = {".h5ad", NULL};
static const tsr_codec_option *const options[] = {&tsr_option_chunks, NULL};

const tsr_codec tsr_codec_h5ad = {
    .name = "h5ad",
    .summary = "AnnData: any matrix of the file (file.h5ad:layers/counts); X without a name",
    .suffixes = suffixes,
    .options = options,
    .has_groups = true,
    .has_labels = true,
    .probe = h5ad_probe,
    .read = h5ad_read,
    .feed = h5ad_feed,
    .describe = tsr_dialect_describe_objects,
    .takes_tensor = tsr_anndata_takes_tensor,
    .usual = "csr",
    .check = tsr_anndata_check,
    .write_tensor = tsr_anndata_write,
    .write_parts = tsr_anndata_write_parts,
};
