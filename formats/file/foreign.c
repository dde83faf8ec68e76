/* Kinds of files that Tessera recognises but does not read, with what the user can do instead. docs/files.md
 * says why they are not read. */
#include "hdf5_dialect.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define BEGINS(name, text)                                                                       \
    static bool is_##name(const tsr_probe *probe)                                                \
    {                                                                                            \
        return probe->n >= sizeof(text) - 1 && memcmp(probe->head, text, sizeof(text) - 1) == 0; \
    }

BEGINS(parquet, "PAR1")
BEGINS(arrow, "ARROW1")
BEGINS(rdata, "RDX")
BEGINS(sqlite, "SQLite format 3")
BEGINS(netcdf, "CDF")
BEGINS(zstd, "\x28\xb5\x2f\xfd")
BEGINS(xz, "\xfd"
           "7zXZ")
BEGINS(bzip2, "BZh")
BEGINS(julia, "HDF5-based Julia Data Format")
BEGINS(octave_binary, "Octave-1-")
BEGINS(rds, "X\n\0\0")

/* A pickle of protocol 2 to 5 begins with PROTO and the number of the protocol. */
static bool is_pickle(const tsr_probe *probe)
{
    return probe->n > 2 && probe->head[0] == 0x80 && probe->head[1] >= 2 && probe->head[1] <= 5;
}

/* Whether the file is a ZIP archive, and the name of the first member ends with `tail`. */
static bool first_member(const tsr_probe *probe, const char *tail)
{
    enum { NAME = 30 };
    const unsigned char *const h = probe->head;
    const size_t k = strlen(tail);
    if (probe->n < NAME || memcmp(h, "PK\3\4", 4) != 0)
        return false;
    const size_t n = (size_t)(h[26] | h[27] << 8);
    return probe->n >= NAME + n && n >= k && memcmp(h + NAME + n - k, tail, k) == 0;
}

static bool is_torch(const tsr_probe *probe)
{
    return first_member(probe, "/data.pkl");
}

static bool is_excel(const tsr_probe *probe)
{
    return first_member(probe, "[Content_Types].xml");
}

/* Octave's save -text: its sizes stand in comments, which readers of plain triplets would not see. */
static bool is_octave_text(const tsr_probe *probe)
{
    static const char begin[] = "# Created by Octave";
    return probe->n > sizeof begin && memcmp(probe->head, begin, sizeof begin - 1) == 0;
}

/* A folder with the files of a Zarr store, of version 2 or 3. */
static bool is_zarr_folder(const tsr_probe *probe)
{
    static const char *const names[] = {".zgroup", ".zarray", "zarr.json"};
    char path[4096];
    struct stat st;
    for (size_t i = 0; probe->path && probe->n == 0 && i < sizeof names / sizeof *names; i++)
        if (snprintf(path, sizeof path, "%s/%s", probe->path, names[i]) < (int)sizeof path &&
            stat(path, &st) == 0)
            return true;
    return false;
}

static bool is_zarr_zip(const tsr_probe *probe)
{
    static const char *const names[] = {".zgroup", ".zarray", ".zattrs", "zarr.json"};
    if (probe->n < 4 || memcmp(probe->head, "PK\3\4", 4) != 0)
        return false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (size_t i = 0, n = strlen(names[k]); i + n <= probe->n; i++)
            if (memcmp(probe->head + i, names[k], n) == 0)
                return true;
    return false;
}

static bool is_loom(const tsr_probe *probe)
{
    return tsr_hdf5_tell_probe(NULL, probe) == TSR_HDF5_LOOM;
}

const tsr_foreign tsr_foreign_kinds[] = {
    {"a Parquet file", "write the columns as text first, with DuckDB: copy (from 'x.parquet') to 'x.tsv'",
     is_parquet},
    {"an Arrow file", "write the columns as text first, with pyarrow or DuckDB", is_arrow},
    {"an R data file (.rds)", "in R, write a Matrix Market file with Matrix::writeMM(x, 'x.mtx')", is_rds},
    {"an R workspace (.RData)", "in R, write a Matrix Market file with Matrix::writeMM(x, 'x.mtx')",
     is_rdata},
    {"a PyTorch file", "in Python, write the indices and the values of the sparse tensor with numpy.savez",
     is_torch},
    {"an Excel workbook", "save the sheet as CSV", is_excel},
    {"a Python pickle",
     "pickles are never opened, as they can run programs: in Python, save with "
     "scipy.sparse.save_npz or sparse.save_npz",
     is_pickle},
    {"a Julia JLD2 file", "in Julia, write a Matrix Market file with MatrixMarket.mmwrite", is_julia},
    {"an Octave binary file", "in Octave, write an HDF5 file with save -hdf5", is_octave_binary},
    {"a loom file", "in Python, convert it to .h5ad with anndata.read_loom(x).write_h5ad(y)", is_loom},
    {"a Zarr store", "in Python, anndata.read_zarr(x).write_h5ad(y) makes a file that is supported",
     is_zarr_folder},
    {"a Zarr store in a ZIP archive",
     "unzip it; in Python, anndata.read_zarr(x).write_h5ad(y) makes a file that is supported", is_zarr_zip},
    {"a text file of Octave", "in Octave, save -v7 writes a file that is supported", is_octave_text},
    {"an SQLite database", "write the table as text first: .mode csv", is_sqlite},
    {"a NetCDF file of version 3", "convert it to HDF5 with nccopy -k nc4", is_netcdf},
    {"compressed with Zstandard", "run unzstd first", is_zstd},
    {"compressed with xz", "run unxz first", is_xz},
    {"compressed with bzip2", "run bunzip2 first", is_bzip2},
    {NULL, NULL, NULL},
};
