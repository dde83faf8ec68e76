/* Zarr stores, version 2 and 3, in a folder or a ZIP archive: the sparse and dense matrices of AnnData, and arrays. See
 * zarr.md. Stores of Binsparse are read and written by that codec. */
#include "anndata.h"
#include "codec_options.h"
#include "dialect.h"

static bool is_matrix(tsr_container *c, const char *name, const tsr_stored *array)
{
    (void)c;
    (void)name;
    return array->ndims > 1;
}

static bool is_any(tsr_container *c, const char *name, const tsr_stored *array)
{
    (void)c;
    (void)name;
    (void)array;
    return true;
}

static const tsr_form matrix = {.array = true, .is = is_matrix, .labels = tsr_anndata_read_labels};
static const tsr_form plain = {.array = true, .is = is_any, .unlisted = true};

static const tsr_form *const forms[] = {&matrix, &plain, NULL};

const tsr_dialect tsr_dialect_zarr = {.name = "arrays", .forms = forms};

/* ---- the codec ---- */

TSR_DIALECT_READS(zarr, "X")

static int zarr_probe(const tsr_probe *probe)
{
    return tsr_dialect_tell_container(NULL, probe) == &tsr_container_zarr ? 100 : 0;
}

static const char *const suffixes[] = {".zarr", ".zarr.zip", NULL};

static const tsr_codec_option *const options[] = {&tsr_option_zarr_version, &tsr_option_zarr_shards,
                                                  &tsr_option_chunks, NULL};

const tsr_codec tsr_codec_zarr = {
    .name = "zarr",
    .summary = "Zarr 2 and 3, a folder or .zip: AnnData's matrices and arrays (store.zarr:layers/counts)",
    .suffixes = suffixes,
    .options = options,
    .folders = ".zarr",
    .has_groups = true,
    .has_labels = true,
    .probe = zarr_probe,
    .read = zarr_read,
    .feed = zarr_feed,
    .describe = tsr_dialect_describe_objects,
    .takes_tensor = tsr_anndata_takes_tensor,
    .usual = "csr",
    .check = tsr_anndata_check,
    .write_tensor = tsr_anndata_write,
    .write_parts = tsr_anndata_write_parts,
};
