/* Kinds of files that Tessera recognises but does not read, with what the user can do instead. docs/files.md
 * says why they are not read. */
#include "foreign_graphs.h"

#include <string.h>
#include <sys/stat.h>

#include "crc32c.h"
#include "tsr_text.h"

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
BEGINS(lz4, "\x04\x22\x4d\x18")
BEGINS(julia, "HDF5-based Julia Data Format")
BEGINS(octave_binary, "Octave-1-")

/* POSIX and GNU tar, also inside gzip: the first header holds this word at byte 257. */
static bool is_tar(const tsr_probe *probe)
{
    enum { WORD = 257 };
    return probe->n >= WORD + 5 && memcmp(probe->head + WORD, "ustar", 5) == 0;
}

/* A pickle of protocol 2 to 5 begins with PROTO and the number of the protocol. */
static bool is_pickle(const tsr_probe *probe)
{
    return probe->n > 2 && probe->head[0] == 0x80 && probe->head[1] >= 2 && probe->head[1] <= 5;
}

/* Whether the first line that is not a comment ("//") is this word, as in the texts of the Tensor Toolbox. */
static bool begins_with_word(const tsr_probe *probe, const char *word)
{
    const char *p = (const char *)probe->head, *const end = p + probe->n;
    const size_t n = strlen(word);
    while (end - p > 2 && p[0] == '/' && p[1] == '/') {
        const char *const newline = memchr(p, '\n', (size_t)(end - p));
        p = newline ? newline + 1 : end;
    }
    return (size_t)(end - p) > n && memcmp(p, word, n) == 0 && (p[n] == '\n' || p[n] == '\r' || p[n] == ' ');
}

static bool is_dense_text(const tsr_probe *probe)
{
    return begins_with_word(probe, "tensor") || begins_with_word(probe, "matrix");
}

static bool is_factors_text(const tsr_probe *probe)
{
    return begins_with_word(probe, "ktensor");
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

/* A folder with a schema. */
static bool is_tiledb(const tsr_probe *probe)
{
    static const char *const parts[] = {"__schema", "__array_schema.tdb", "__tiledb_group.tdb", "__group"};
    struct stat st;
    tsr_text name = {0};
    bool found = false;
    if (!probe->path || probe->n > 0 || stat(probe->path, &st) != 0 || !S_ISDIR(st.st_mode))
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !found; i++) {
        tsr_text_clear(&name);
        tsr_text_addf(&name, "%s/%s", probe->path, parts[i]);
        found = !name.failed && stat(tsr_text_cstr(&name), &st) == 0;
    }
    tsr_text_clear(&name);
    return found;
}

/* TFRecord: the length of a record in 8 bytes, and their checksum, CRC-32C rotated by 15 bits, plus a constant. */
static bool is_tensorflow(const tsr_probe *probe)
{
    enum { NBYTES = 12 };
    const unsigned char *const h = probe->head;
    if (probe->n < NBYTES)
        return false;
    const uint32_t crc = tsr_crc32c(h, 8);
    const uint32_t sum = (crc >> 15 | crc << 17) + 0xa282ead8u;
    return sum == ((uint32_t)h[8] | (uint32_t)h[9] << 8 | (uint32_t)h[10] << 16 | (uint32_t)h[11] << 24);
}

#define GRAPH_ADVICE(reader)                   \
    "in Python, read it with networkx." reader \
    " and write the matrix with scipy.sparse.save_npz('x.npz', networkx.to_scipy_sparse_array(g))"

const tsr_foreign tsr_foreign_kinds[] = {
    {"a Parquet file", "write the columns as text first, with DuckDB: copy (from 'x.parquet') to 'x.tsv'",
     is_parquet},
    {"an Arrow file", "write the columns as text first, with pyarrow or DuckDB", is_arrow},
    {"an R workspace (.RData)", "in R, write a Matrix Market file with Matrix::writeMM(x, 'x.mtx')",
     is_rdata},
    {"a PyTorch file", "in Python, write the indices and the values of the sparse tensor with numpy.savez",
     is_torch},
    {"a TensorFlow record file",
     "in Python, write the indices and the values of each sparse tensor with numpy.savez", is_tensorflow},
    {"a TileDB array",
     "in Python, read it with tiledb.open and write the coordinates and the values with numpy.savez",
     is_tiledb},
    {"an Excel workbook", "save the sheet as CSV", is_excel},
    {"a Python pickle",
     "pickles are never opened, as they can run programs: in Python, save with "
     "scipy.sparse.save_npz or sparse.save_npz",
     is_pickle},
    {"a Julia JLD2 file", "in Julia, write a Matrix Market file with MatrixMarket.mmwrite", is_julia},
    {"an Octave binary file", "in Octave, write an HDF5 file with save -hdf5", is_octave_binary},
    {"a dense tensor of the Tensor Toolbox as text", "write it with export_data(sptensor(X), 'x.tns')",
     is_dense_text},
    {"a ktensor (factor matrices) of the Tensor Toolbox", "write its factor matrices each as a matrix",
     is_factors_text},
    {"a METIS graph",
     "write it as a list of edges (vertices count from 1: --from=edges --index-base=1), or name the file "
     "format "
     "with --from",
     tsr_is_metis},
    {"a Pajek network", GRAPH_ADVICE("read_pajek"), tsr_is_pajek},
    {"a graph in XML (GraphML or GEXF)", GRAPH_ADVICE("read_graphml or read_gexf"), tsr_is_graphml},
    {"a GML graph", GRAPH_ADVICE("read_gml"), tsr_is_gml},
    {"a Graphviz graph (DOT)", GRAPH_ADVICE("nx_pydot.read_dot"), tsr_is_graphviz},
    {"a DIMACS graph",
     "keep the lines of edges (grep '^[ae]' IN | cut -d' ' -f2- >OUT.edges), whose vertices count from 1",
     tsr_is_dimacs},
    {"an SQLite database", "write the table as text first: .mode csv", is_sqlite},
    {"a NetCDF file of version 3", "convert it to HDF5 with nccopy -k nc4", is_netcdf},
    {"compressed with Zstandard", "run unzstd first", is_zstd},
    {"compressed with xz", "run unxz first", is_xz},
    {"compressed with bzip2", "run bunzip2 first", is_bzip2},
    {"compressed with LZ4", "run unlz4 first", is_lz4},
    {"a tar archive", "unpack it with tar -xf first, and read the files in it", is_tar},
    {NULL, NULL, NULL},
};
