/* Binsparse files with one fault each: the exact status and words, no leak, never a crash. */
#include "bsp_support.h"

#include <unistd.h>

#include <hdf5.h>

#include "tsr_alloc.h"

/* HDF5 asks for the memory that a damaged file says, copes when it does not get it, and loses a few bytes
 * when it cannot decode what it reads: no faults of ours. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

/* ---- damaging a file through HDF5 ---- */

/* *text: to be freed with H5free_memory. */
static void read_attribute(char **text, hid_t file, const char *name)
{
    const hid_t a = H5Aopen(file, name, H5P_DEFAULT), type = H5Aget_type(a);
    assert_true(H5Aread(a, type, text) >= 0);
    H5Tclose(type);
    H5Aclose(a);
}

/* padding: H5T_STR_ERROR for a variable-length string */
static void write_attribute(hid_t file, const char *name, const char *text, H5T_str_t padding, size_t room)
{
    if (H5Aexists(file, name) > 0)
        H5Adelete(file, name);
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    char *fixed = calloc(room + 1, 1);
    assert_non_null(fixed);
    if (padding == H5T_STR_ERROR)
        H5Tset_size(type, H5T_VARIABLE);
    else {
        H5Tset_size(type, room);
        H5Tset_strpad(type, padding);
        memset(fixed, padding == H5T_STR_SPACEPAD ? ' ' : '\0', room);
        memcpy(fixed, text, strlen(text));
    }
    const hid_t a = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(a, type, padding == H5T_STR_ERROR ? (const void *)&text : fixed) >= 0);
    H5Aclose(a);
    H5Sclose(space);
    H5Tclose(type);
    free(fixed);
}

static void replace_in_attribute(hid_t file, const char *name, const char *find, const char *replace)
{
    char *text = NULL;
    read_attribute(&text, file, name);
    static char changed[100000];
    const char *at = strstr(text, find);
    if (!at)
        fail_msg("'%s' is not in %s", find, text);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, replace, at + strlen(find));
    write_attribute(file, name, changed, H5T_STR_ERROR, 0);
    H5free_memory(text);
}

static hid_t type_by_word(const char *word)
{
    const hid_t types[] = {H5T_STD_I8LE,  H5T_STD_U8LE,   H5T_STD_I16LE,  H5T_STD_U16LE,
                           H5T_STD_I32LE, H5T_STD_U32LE,  H5T_STD_I64LE,  H5T_STD_U64LE,
                           H5T_STD_I32BE, H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_IEEE_F64BE};
    static const char *const words[] = {"i8",  "u8",  "i16",   "u16", "i32", "u32",
                                        "i64", "u64", "i32be", "f32", "f64", "f64be"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(word, words[i], strlen(words[i])) == 0 && word[strlen(words[i])] == ' ')
            return types[i];
    return -1;
}

/* A filter that is not one of HDF5's own; it changes nothing. */
static size_t pass(unsigned flags, size_t nvalues, const unsigned *values, size_t n, size_t *room, void **buf)
{
    (void)flags;
    (void)nvalues;
    (void)values;
    (void)room;
    (void)buf;
    return n;
}

static const H5Z_class2_t foreign_filter = {.version = H5Z_CLASS_T_VERS,
                                            .id = 32015,
                                            .encoder_present = 1,
                                            .decoder_present = 1,
                                            .name = "pass",
                                            .filter = pass};

/* "i32 0 1 1 3": a dataset of these values; other words: what they say. */
static void replace_dataset(hid_t file, const char *name, const char *with)
{
    double v[64];
    hsize_t n = 0;
    if (H5Lexists(file, name, H5P_DEFAULT) > 0)
        assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    const char *p = strchr(with, ' ');
    for (char *end; p && n < 64; p = end, n++) {
        v[n] = strtod(p, &end);
        if (end == p)
            break;
    }
    hid_t type = type_by_word(with), plan = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t dims[2] = {n, 1}, chunk = 1024;
    int ndims = 1;
    if (strcmp(with, "missing") == 0)
        goto out;
    if (strcmp(with, "soft") == 0) {
        H5Lcreate_soft("/values", file, name, H5P_DEFAULT, H5P_DEFAULT);
        goto out;
    }
    if (strcmp(with, "external") == 0) {
        H5Lcreate_external("other.h5", "/values", file, name, H5P_DEFAULT, H5P_DEFAULT);
        goto out;
    }
    if (strcmp(with, "group") == 0) {
        H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        goto out;
    }
    if (type < 0)
        type = H5T_STD_I32LE;
    if (strcmp(with, "string") == 0)
        type = H5T_C_S1;
    if (strcmp(with, "elsewhere") == 0) {
        dims[0] = 3;
        H5Pset_external(plan, "/etc/passwd", 0, 12);
    } else if (strcmp(with, "virtual") == 0) {
        dims[0] = 3;
        const hid_t s = H5Screate_simple(1, dims, NULL);
        H5Pset_virtual(plan, s, "other.h5", "values", s);
        H5Sclose(s);
    } else if (strcmp(with, "huge") == 0) {
        dims[0] = (hsize_t)1 << 50;
        H5Pset_fill_time(plan, H5D_FILL_TIME_NEVER);
    } else if (strcmp(with, "huge in chunks") == 0 || strcmp(with, "huge chunk") == 0) {
        if (with[5] == 'c')
            chunk = (hsize_t)1 << 28;
        dims[0] = with[5] == 'c' ? 3 : (hsize_t)1 << 50;
        H5Pset_chunk(plan, 1, &chunk);
        H5Pset_deflate(plan, 9);
    } else if (strcmp(with, "filter") == 0) {
        dims[0] = 3;
        H5Pset_chunk(plan, 1, &chunk);
        H5Zregister(&foreign_filter);
        H5Pset_filter(plan, foreign_filter.id, H5Z_FLAG_OPTIONAL, 0, NULL);
    } else if (strcmp(with, "2d") == 0) {
        dims[0] = 3;
        ndims = 2;
    } else if (strcmp(with, "scalar") == 0)
        ndims = 0;
    const hsize_t unlimited[2] = {H5S_UNLIMITED, 1};
    const bool grows = H5Pget_layout(plan) == H5D_CHUNKED;
    const hid_t space = H5Screate_simple(ndims, dims, grows ? unlimited : NULL);
    const hid_t d = H5Dcreate2(file, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    assert_true(d >= 0);
    if (n > 0)
        assert_true(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, v) >= 0);
    H5Dclose(d);
    H5Sclose(space);
    if (strcmp(with, "filter") == 0)
        H5Zunregister(foreign_filter.id);
out:
    H5Pclose(plan);
}

/* ---- the table ---- */

typedef struct row {
    const char *base; /* a format of 3 x 4 (0,1)=1 (2,0)=2 (2,2)=3, or of its first row when order 1 */
    const char *find, *replace; /* in the descriptor; find NULL: `replace` instead of all of it */
    const char *dataset, *with;
    tsr_status status;
    const char *words; /* "" with TSR_OK: what is expected to read well */
} row;

static const row rows[] = {
    /* the text */
    {"ds", NULL, "", NULL, NULL, TSR_SYNTAX, "attribute 'binsparse' is not JSON (line 1, column 0): "},
    {"ds", NULL, "{\"binsparse\":", NULL, NULL, TSR_SYNTAX,
     "attribute 'binsparse' is not JSON (line 1, column 13): "},
    {"ds", NULL, "[]", NULL, NULL, TSR_SYNTAX, "attribute 'binsparse' is not a JSON object"},
    {"ds", NULL, "{\"binsparse\":[]}", NULL, NULL, TSR_SYNTAX,
     "attribute 'binsparse' does not have an object 'binsparse'"},
    {"ds", "\"shape\"", "\"version\":\"0.1\",\"shape\"", NULL, NULL, TSR_SYNTAX,
     "attribute 'binsparse' is not JSON (line 1, column 56): duplicate object key near '\"version\"'"},
    /* the keys */
    {"ds", "\"version\":\"0.1.0\",", "", NULL, NULL, TSR_SYNTAX,
     "the binsparse descriptor does not have a string 'version'"},
    {"ds", "0.1.0", "0.2", NULL, NULL, TSR_UNSUPPORTED, "binsparse version '0.2' is not 0.1 or 0.1.z"},
    {"ds", "0.1.0", "0.1.", NULL, NULL, TSR_UNSUPPORTED, "binsparse version '0.1.' is not 0.1 or 0.1.z"},
    {"ds", "0.1.0", "0.10", NULL, NULL, TSR_UNSUPPORTED, "binsparse version '0.10' is not 0.1 or 0.1.z"},
    {"ds", "0.1.0", "0.1.0-rc", NULL, NULL, TSR_UNSUPPORTED,
     "binsparse version '0.1.0-rc' is not 0.1 or 0.1.z"},
    {"ds", "0.1.0", "0.1", NULL, NULL, TSR_OK, ""},
    {"ds", "0.1.0", "0.1.17", NULL, NULL, TSR_OK, ""},
    {"ds", "[3,4]", "[3]", NULL, NULL, TSR_CORRUPT,
     "level 1 has rank 1, but 0 of the shape's 1 dimensions are left"},
    {"ds", "[3,4]", "[3,4,5]", NULL, NULL, TSR_CORRUPT,
     "the ranks of the levels add up to 2, but the shape has 3 dimensions"},
    {"ds", "[3,4]", "[-3,4]", NULL, NULL, TSR_CORRUPT, "'shape' of the binsparse descriptor is -3, below 0"},
    {"ds", "[3,4]", "[3.5,4]", NULL, NULL, TSR_SYNTAX,
     "'shape' of the binsparse descriptor is not an integer"},
    {"ds", "[3,4]", "[\"3\",4]", NULL, NULL, TSR_SYNTAX,
     "'shape' of the binsparse descriptor is not an integer"},
    {"ds", "[3,4]", "[3.0,4e+0]", NULL, NULL, TSR_OK, ""},
    {"ds", "[3,4]", "[3,1e19]", NULL, NULL, TSR_SYNTAX,
     "'shape' of the binsparse descriptor is not an integer"},
    {"ds", "[3,4]", "[3,9223372036854775808]", NULL, NULL, TSR_SYNTAX,
     "attribute 'binsparse' is not JSON (line 1, column 77): too big integer near '9223372036854775808'"},
    {"ds", "[3,4]", "3", NULL, NULL, TSR_SYNTAX, "the descriptor does not have an array 'shape'"},
    {"ds", "[3,4]", "[2,4]", NULL, NULL, TSR_CORRUPT,
     "dataset 'pointers_to_1' has 4 values, but 3 are expected"},
    {"ds", "[3,4]", "[1e18,4]", NULL, NULL, TSR_CORRUPT,
     "dataset 'pointers_to_1' has 4 values, but 1000000000000000001 are expected"},
    {"ds", "[3,4]", "[3,2]", NULL, NULL, TSR_CORRUPT, "coordinate 2"},
    {"dd", "[3,4]", "[9223372036854775807,4]", NULL, NULL, TSR_LIMIT,
     "the dense levels down to level 1 have more than 2^64 positions"},
    {"ds", "\"number_of_stored_values\":3", "\"number_of_stored_values\":4", NULL, NULL, TSR_CORRUPT,
     "number_of_stored_values is 4, but the levels have 3 positions"},
    {"ds", "\"number_of_stored_values\":3,", "", NULL, NULL, TSR_SYNTAX,
     "the binsparse descriptor has no 'number_of_stored_values'"},
    {"ds", "\"CSR\"", "\"CSX\"", NULL, NULL, TSR_UNSUPPORTED, "unknown binsparse format 'CSX'"},
    {"ds", "\"CSR\"", "\"csr\"", NULL, NULL, TSR_UNSUPPORTED, "unknown binsparse format 'csr'"},
    {"ds", "\"CSR\"", "7", NULL, NULL, TSR_SYNTAX, "'format' of the binsparse descriptor is not a string"},
    {"ds", "\"CSR\"", "\"custom\"", NULL, NULL, TSR_OK, ""},
    {"ds", "\"CSR\"", "\"CVEC\"", NULL, NULL, TSR_CORRUPT,
     "format CVEC has 1 dimensions, but the shape has 2"},
    {"ds", "\"CSR\"", "\"CSC\"", NULL, NULL, TSR_CORRUPT,
     "format CSC and the custom level tree beside it differ"},
    {"ds", "\"custom\":{", "\"other\":{", NULL, NULL, TSR_OK, ""},
    {"ds", "\"format\":\"CSR\",", "", NULL, NULL, TSR_OK, ""},
    {"ds", "\"custom\":{", "\"custom\":[],\"other\":{", NULL, NULL, TSR_SYNTAX,
     "'custom' of the binsparse descriptor is not an object"},
    {"sss", "\"custom\":{", "\"other\":{", NULL, NULL, TSR_SYNTAX,
     "the binsparse descriptor has format custom, but 'custom' is missing"},
    {"ds", "[0,1]", "[0,0]", NULL, NULL, TSR_CORRUPT, "'transpose' is not a permutation of 0..1"},
    {"ds", "[0,1]", "[0,2]", NULL, NULL, TSR_CORRUPT, "'transpose' is not a permutation of 0..1"},
    {"ds", "[0,1]", "[0,-1]", NULL, NULL, TSR_CORRUPT, "'transpose' is not a permutation of 0..1"},
    {"ds", "[0,1]", "[0]", NULL, NULL, TSR_CORRUPT, "'transpose' is not an array of 2 integers"},
    {"ds", "\"transpose\":[0,1],", "", NULL, NULL, TSR_OK, ""},
    {"ds", "\"dense\",\"rank\":1", "\"dense\",\"rank\":3", NULL, NULL, TSR_CORRUPT,
     "level 0 has rank 3, but 2 of the shape's 2 dimensions are left"},
    {"ds", "\"dense\",\"rank\":1", "\"dense\",\"rank\":0", NULL, NULL, TSR_CORRUPT,
     "level 0 has rank 0, but 2 of the shape's 2 dimensions are left"},
    {"ds", "\"dense\",\"rank\":1", "\"dense\"", NULL, NULL, TSR_SYNTAX,
     "the binsparse descriptor has no 'rank'"},
    {"ds", "\"dense\"", "\"full\"", NULL, NULL, TSR_UNSUPPORTED,
     "unknown level 'full': expected element, dense or sparse"},
    {"ds", "\"level_desc\":\"dense\"", "\"a\":1", NULL, NULL, TSR_SYNTAX,
     "level 0 of the binsparse descriptor does not have a string 'level_desc'"},
    {"ds", "\"level_desc\"", "\"level_kind\"", NULL, NULL, TSR_OK, ""},
    {"ds", ",\"level\":{\"level_desc\":\"element\"}", "", NULL, NULL, TSR_SYNTAX,
     "level 1 of the binsparse descriptor does not have an object 'level' below it"},
    {"ds", "\"data_types\":{", "\"data_types\":7,\"x\":{", NULL, NULL, TSR_SYNTAX,
     "the binsparse descriptor does not have an object 'data_types'"},
    {"ds", "\"indices_1\":\"int32\",", "", NULL, NULL, TSR_SYNTAX,
     "'data_types' of the descriptor does not have 'indices_1'"},
    {"ds", "\"indices_1\":\"int32\"", "\"indices_1\":\"float32\"", NULL, NULL, TSR_UNSUPPORTED,
     "'indices_1' of data_types is 'float32', which is not a valid type for this array"},
    {"ds", "\"indices_1\":\"int32\"", "\"indices_1\":\"int64\"", NULL, NULL, TSR_CORRUPT,
     "dataset 'indices_1' holds i32 values, but data_types says i64"},
    {"ds", "float64", "float24", NULL, NULL, TSR_UNSUPPORTED,
     "'values' of data_types is 'float24', which is not a valid type for this array"},
    {"ds", "float64", "complex[float16]", NULL, NULL, TSR_UNSUPPORTED,
     "'values' of data_types is 'complex[float16]', which is not a valid type for this array"},
    {"ds", "float64", "complex[int8]", NULL, NULL, TSR_UNSUPPORTED,
     "'values' of data_types is 'complex[int8]', which is not a valid type for this array"},
    {"ds", "float64", "complex[float64]", NULL, NULL, TSR_CORRUPT,
     "dataset 'values' has 3 values, but 6 are expected"},
    {"ds", "float64", "iso[float64]", NULL, NULL, TSR_CORRUPT,
     "dataset 'values' has 3 values, but 1 are expected"},
    {"ds", "float64", "int64", NULL, NULL, TSR_CORRUPT,
     "dataset 'values' holds f64 values, but data_types says i64"},
    {"ds", "\"custom\"", "\"fill\":1,\"custom\"", NULL, NULL, TSR_SYNTAX,
     "'fill' of the descriptor must be true or false"},
    {"ds", "\"custom\"", "\"fill\":true,\"custom\"", NULL, NULL, TSR_CORRUPT,
     "dataset 'fill_value' is missing"},
    {"ds", "\"custom\"", "\"fill\":false,\"custom\"", NULL, NULL, TSR_OK, ""},
    {"ds", "\"custom\"", "\"fill\":true,\"custom\"", "fill_value", "f64 1 2", TSR_CORRUPT,
     "dataset 'fill_value' has 2 values, but 1 are expected"},
    {"ds", "\"custom\"", "\"fill\":true,\"custom\"", "fill_value", "f64 0", TSR_OK, ""},
    {"ds", "\"custom\"", "\"structure\":\"symmetric\",\"custom\"", NULL, NULL, TSR_UNSUPPORTED,
     "unknown structure 'symmetric'"},
    {"ds", "\"custom\"", "\"structure\":\"symmetric_lower\",\"custom\"", NULL, NULL, TSR_CORRUPT,
     "structure symmetric_lower needs a square matrix"},
    {"ds", "\"custom\"", "\"index_base\":2,\"custom\"", NULL, NULL, TSR_UNSUPPORTED,
     "index_base must be 0 or 1, not 2"},
    {"ds", "\"custom\"", "\"index_base\":1,\"custom\"", NULL, NULL, TSR_CORRUPT,
     "dataset 'pointers_to_1' has 0 at 0, but index_base is 1"},
    {"ds", "\"sparse\",", "\"sparse\",\"sorted\":false,", NULL, NULL, TSR_UNSUPPORTED,
     "level 1 is not sorted, which is supported only for plain coordinates (one sparse level of all "
     "dimensions)"},
    {"ds", "\"sparse\",", "\"sparse\",\"sorted\":true,", NULL, NULL, TSR_OK, ""},
    /* the arrays */
    {"ds", NULL, NULL, "indices_1", "missing", TSR_CORRUPT, "dataset 'indices_1' is missing"},
    {"ds", NULL, NULL, "pointers_to_1", "missing", TSR_CORRUPT, "dataset 'pointers_to_1' is missing"},
    {"ds", NULL, NULL, "values", "missing", TSR_CORRUPT, "dataset 'values' is missing"},
    {"ds", NULL, NULL, "indices_1", "2d", TSR_CORRUPT,
     "dataset 'indices_1' has 2 dimensions, but 1 is expected"},
    {"ds", NULL, NULL, "indices_1", "scalar", TSR_CORRUPT,
     "dataset 'indices_1' has 0 dimensions, but 1 is expected"},
    {"ds", NULL, NULL, "indices_1", "string", TSR_CORRUPT,
     "dataset 'indices_1' must hold integers of 8 to 64 bits or IEEE floats"},
    {"ds", NULL, NULL, "indices_1", "f64 1 0 2", TSR_CORRUPT,
     "dataset 'indices_1' holds f64 values, but data_types says i32"},
    {"ds", NULL, NULL, "indices_1", "group", TSR_CORRUPT,
     "dataset 'indices_1' cannot be opened: not a dataset"},
    {"ds", NULL, NULL, "indices_1", "soft", TSR_UNSUPPORTED,
     "dataset 'indices_1' is a soft or external link, which is not followed"},
    {"ds", NULL, NULL, "indices_1", "external", TSR_UNSUPPORTED,
     "dataset 'indices_1' is a soft or external link, which is not followed"},
    {"ds", NULL, NULL, "indices_1", "elsewhere", TSR_UNSUPPORTED,
     "a dataset is stored in other files, which are not read: copy the data into this file"},
    {"ds", NULL, NULL, "indices_1", "virtual", TSR_UNSUPPORTED,
     "dataset 'indices_1' is stored in other files, which are not read: copy the data into this file"},
    {"ds", NULL, NULL, "indices_1", "filter", TSR_UNSUPPORTED,
     "dataset 'indices_1' is stored with filter 32015 (Zstandard) at place 1, which is not supported: write "
     "it with gzip, and no other filter than shuffle before it"},
    {"ds", NULL, NULL, "indices_1", "huge", TSR_CORRUPT,
     "dataset 'indices_1' claims 1125899906842624 values of 4 bytes, but its 0 bytes of storage cannot hold "
     "them"},
    {"ds", NULL, NULL, "indices_1", "huge in chunks", TSR_CORRUPT,
     "dataset 'indices_1' claims 1125899906842624 values of 4 bytes, but its 0 bytes of storage cannot hold "
     "them"},
    {"ds", NULL, NULL, "indices_1", "huge chunk", TSR_CORRUPT,
     "dataset 'indices_1' claims 3 values of 4 bytes in chunks of 1.07 GB, but its 0 bytes of storage cannot "
     "hold them"},
    {"ds", NULL, NULL, "indices_1", "i32 1 -1 2", TSR_CORRUPT,
     "dataset 'indices_1' has a negative value at 1"},
    {"ds", NULL, NULL, "indices_1", "i32 1 0", TSR_CORRUPT,
     "number_of_stored_values is 3, but the levels have 2 positions"},
    {"ds", NULL, NULL, "indices_1", "i32 1 0 4", TSR_CORRUPT, "coordinate 4"},
    {"ds", NULL, NULL, "indices_1", "i32 1 2 0", TSR_CORRUPT, "level 1"},
    {"ds", NULL, NULL, "indices_1", "i32 1 2 2", TSR_CORRUPT, "level 1"},
    {"ds", NULL, NULL, "indices_1", "i32be 1 0 2", TSR_OK, ""},
    {"ds", NULL, NULL, "values", "f64be 1 2 3", TSR_OK, ""},
    {"ds", NULL, NULL, "values", "f64 1 2", TSR_CORRUPT, "dataset 'values' has 2 values, but 3 are expected"},
    {"ds", NULL, NULL, "pointers_to_1", "i32 0 1 1", TSR_CORRUPT,
     "dataset 'pointers_to_1' has 3 values, but 4 are expected"},
    {"ds", NULL, NULL, "pointers_to_1", "i32 0 1 1 2", TSR_CORRUPT, "level 1"},
    {"ds", NULL, NULL, "pointers_to_1", "i32 0 1 1 4", TSR_CORRUPT, "level 1"},
    {"ds", NULL, NULL, "pointers_to_1", "i32 1 1 1 3", TSR_CORRUPT, "level 1"},
    {"ds", NULL, NULL, "pointers_to_1", "i32 0 2 1 3", TSR_CORRUPT, "level 1"},
    {"ds", NULL, NULL, "pointers_to_1", "i32 0 -1 1 3", TSR_CORRUPT,
     "dataset 'pointers_to_1' has a negative value at 1"},
    {"coo", NULL, NULL, "indices_0", "i32 0 2", TSR_CORRUPT,
     "dataset 'indices_1' has 3 values, but 2 are expected"},
    {"coo", NULL, NULL, "indices_1", "i32 1 2 2", TSR_CORRUPT, "level"},
    {"coo", NULL, NULL, "indices_0", "i32 2 0 2", TSR_CORRUPT, "level"},
    {"ss", NULL, NULL, "indices_0", "i32 2 0", TSR_CORRUPT, "level 0"},
    {"ss", NULL, NULL, "indices_0", "i32 2 2", TSR_CORRUPT, "level 0"},
    {"dd", NULL, NULL, "values", "f64 1 2", TSR_CORRUPT,
     "dataset 'values' has 2 values, but 12 are expected"},
    {"ds", "float64", "bint8", "values", "i8 1 1 1", TSR_OK, ""},
    {"ds", "float64", "bint8", "values", "u8 1 0 1", TSR_OK, ""},
    {"ds", "float64", "bint8", "values", "u8 1 2 1", TSR_CORRUPT,
     "dataset 'values' is bint8, but has 2 at 1"},
    {"ds", "float64", "bint8", "values", "u16 1 1 1", TSR_CORRUPT,
     "dataset 'values' holds u16 values, but data_types says u8"},
};

/* Write a new file: truncating an old one waits for the disk. */
static void put(const char *path, const char *bytes, size_t n)
{
    remove(path);
    tsr_test_spit(path, bytes, n);
}

/* A file of the base format at `path`. */
static void make_base(const char *path, const char *format)
{
    static char *made; /* of the last format: writing waits for the disk, copying does not */
    static size_t nbytes;
    static const char *made_format = "";
    const uint64_t dims[3] = {3, 4, 2};
    if (strcmp(format, made_format) == 0) {
        put(path, made, nbytes);
        return;
    }
    const int order = strcmp(format, "sss") == 0 ? 3 : 2;
    tsr_coo *coo = bsp_coo(order, dims, TSR_F64, order == 3 ? "0 1 1 1" : "0 1 1  2 0 2  2 2 3");
    tsr_tensor *tensor = bsp_pack(format, coo, 0);
    remove(path);
    bsp_write(path, tensor, 0, 1);
    tsr_tensor_free(tensor);
    tsr_coo_free(coo);
    free(made);
    made = tsr_test_slurp(path, &nbytes);
    made_format = format;
}

static void test_one_fault_each(void **state)
{
    (void)state;
    int nbad = 0;
    const char *path = tsr_test_path(tsr_test_tmp(), "broken.h5");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row *r = &rows[i];
        make_base(path, r->base);
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        if (r->replace && r->find)
            replace_in_attribute(file, "binsparse", r->find, r->replace);
        else if (r->replace)
            write_attribute(file, "binsparse", r->replace, H5T_STR_ERROR, 0);
        if (r->dataset)
            replace_dataset(file, r->dataset, r->with);
        H5Fclose(file);
        const int64_t live = tsr_alloc_live();
        tsr_data data;
        tsr_error e = {0};
        const tsr_status status = tsr_codec_binsparse.read(&data, path, NULL, &e);
        const bool exact = strcmp(e.message, r->words) == 0,
                   tail = r->words[0] && strstr(e.message, r->words);
        if (status != r->status || (status != TSR_OK && !exact && !tail) ||
            (status != TSR_OK && strcmp(e.path, path) != 0)) {
            print_error("row %zu (%s -> %s, %s %s): %s: %s\n", i, r->find ? r->find : "",
                        r->replace ? r->replace : "", r->dataset ? r->dataset : "", r->with ? r->with : "",
                        tsr_status_words(status), e.message);
            nbad++;
        }
        tsr_tensor_free(data.tensor);
        tsr_coo_free(data.coo);
        assert_int_equal(tsr_alloc_live(), live);
        if (H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) != 0)
            fail_msg("row %zu leaves something open", i);
    }
    assert_int_equal(nbad, 0);
}

/* ---- strings of every kind ---- */

static void test_attribute_strings(void **state)
{
    (void)state;
    static const H5T_str_t paddings[] = {H5T_STR_NULLTERM, H5T_STR_NULLPAD, H5T_STR_SPACEPAD, H5T_STR_ERROR};
    const char *path = tsr_test_path(tsr_test_tmp(), "strings.h5");
    for (int i = 0; i < 4; i++) {
        make_base(path, "ds");
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        char *text = NULL;
        read_attribute(&text, file, "binsparse");
        write_attribute(file, "binsparse", text, paddings[i], strlen(text) + 9);
        H5free_memory(text);
        H5Fclose(file);
        tsr_tensor_free(bsp_read(path));
    }
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
    H5Adelete(file, "binsparse");
    H5Aclose(H5Acreate2(file, "binsparse", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Fclose(file);
    tsr_data data;
    tsr_error e;
    assert_int_equal(tsr_codec_binsparse.read(&data, path, NULL, &e), TSR_CORRUPT);
    assert_string_equal(e.message, "attribute 'binsparse' must be a single string");
}

/* A tree that is deeper than any order, and one that is deeper than the parser goes. */
static void test_deep_trees(void **state)
{
    (void)state;
    static const struct {
        int depth;
        tsr_status status;
        const char *words;
    } deep[] = {{40, TSR_CORRUPT, "level 2 has rank 1, but 0 of the shape's 2 dimensions are left"},
                {30000, TSR_SYNTAX, "maximum parsing depth reached"}};
    const char *path = tsr_test_path(tsr_test_tmp(), "deep.h5");
    for (int i = 0; i < 2; i++) {
        tsr_text text = {0};
        tsr_text_add(&text,
                     "{\"binsparse\":{\"version\":\"0.1\",\"shape\":[2,2],\"number_of_stored_values\":0,"
                     "\"custom\":{\"level\":");
        for (int k = 0; k < deep[i].depth; k++)
            tsr_text_add(&text, "{\"level_desc\":\"dense\",\"rank\":1,\"level\":");
        tsr_text_add(&text, "{\"level_desc\":\"element\"}");
        for (int k = 0; k < deep[i].depth + 3; k++)
            tsr_text_add(&text, "}");
        make_base(path, "ds");
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        write_attribute(file, "binsparse", tsr_text_cstr(&text), H5T_STR_ERROR, 0);
        H5Fclose(file);
        tsr_text_clear(&text);
        tsr_data data;
        tsr_error e;
        assert_int_equal(tsr_codec_binsparse.read(&data, path, NULL, &e), deep[i].status);
        if (!strstr(e.message, deep[i].words))
            fail_msg("%s", e.message);
    }
}

/* ---- the second attribute ---- */

static void test_origin_must_agree(void **state)
{
    (void)state;
    static const struct {
        const char *find, *replace;
        tsr_status status;
        const char *words;
    } faults[] = {
        {"\"version\":1", "\"version\":2", TSR_UNSUPPORTED, "unknown version 2 of attribute 'tessera'"},
        {"\"version\":1,", "", TSR_SYNTAX, "the binsparse descriptor has no 'version'"},
        {"[6,9]", "[8,9]", TSR_CORRUPT,
         "level 0 has 4 coordinates by attribute 'tessera', but 3 in the file"},
        {"[6,9]", "[6,9,1]", TSR_SYNTAX, ""},
        {"floordiv 2", "floordiv 3", TSR_CORRUPT, ""},
        {"dense", "compressed", TSR_CORRUPT,
         "level 0 of the format in attribute 'tessera' differs from the level in the file"},
        {"floordiv", "floor div", TSR_SYNTAX, ""},
        {"i floordiv 2 : dense", "i floordiv 2 : dense(pitch = 4)", TSR_CORRUPT,
         "level 0 has 4 coordinates by attribute 'tessera', but 3 in the file"},
        {"j mod 3 : dense", "j mod 3 : dense(pitch = 2)", TSR_ARGUMENT,
         "level 3 has pitch 2, which is less than the size 3"},
        {"[6,9]", "[4,9]", TSR_CORRUPT,
         "level 0 has 2 coordinates by attribute 'tessera', but 3 in the file"},
        {"{\"version\"", "[\"version\"", TSR_SYNTAX, "attribute 'tessera' is not JSON"},
    };
    const uint64_t dims[2] = {6, 9};
    const char *path = tsr_test_path(tsr_test_tmp(), "origin.h5");
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        tsr_coo *coo = bsp_coo(2, dims, TSR_F64, "0 1 1  2 0 2  5 8 3");
        tsr_tensor *tensor = bsp_pack(
            "(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)",
            coo, 0);
        bsp_write(path, tensor, 0, 1);
        tsr_tensor_free(tensor);
        tsr_coo_free(coo);
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        replace_in_attribute(file, "tessera", faults[i].find, faults[i].replace);
        H5Fclose(file);
        tsr_data data;
        tsr_error e = {0};
        const tsr_status status = tsr_codec_binsparse.read(&data, path, NULL, &e);
        if ((status != faults[i].status && faults[i].words[0]) || status == TSR_OK ||
            !strstr(e.message, faults[i].words))
            fail_msg("%s -> %s: %s: %s", faults[i].find, faults[i].replace, tsr_status_words(status),
                     e.message);
    }
}

/* A smaller shape with a pitch: what lay in the tensor is now in the padding. */
static void test_padding_of_a_file(void **state)
{
    (void)state;
    const uint64_t dims[2] = {6, 9};
    const char *path = tsr_test_path(tsr_test_tmp(), "padding.h5");
    static const char *const entries[] = {"0 1 1  2 0 2  3 8 3", "0 1 1  2 0 2  5 8 3"};
    for (int i = 0; i < 2; i++)
        for (int sparse = 0; sparse < 2; sparse++) {
            tsr_coo *coo = bsp_coo(2, dims, TSR_F64, entries[i]);
            tsr_tensor *tensor = bsp_pack(sparse ? "(i, j) -> (i : dense(pitch = 7), j : compressed)"
                                                 : "(i, j) -> (i : dense(pitch = 7), j : dense)",
                                          coo, 0);
            bsp_write(path, tensor, 0, 1);
            tsr_tensor_free(tensor);
            const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
            replace_in_attribute(file, "tessera", "[6,9]", "[4,9]");
            H5Fclose(file);
            tsr_data data;
            tsr_error e = {0};
            const tsr_status status = tsr_codec_binsparse.read(&data, path, NULL, &e);
            if (status != (i ? TSR_CORRUPT : TSR_OK) ||
                (i && !strstr(e.message, "(5, 8) holds a value, but is outside the tensor")))
                fail_msg("%s: %s", tsr_status_words(status), e.message);
            tsr_tensor_free(data.tensor);
            tsr_coo_free(coo);
        }
}

/* ---- what later drafts say, and we honour ---- */

static void test_unsorted_coordinates_and_base_one(void **state)
{
    (void)state;
    const uint64_t dims[2] = {3, 4};
    const char *path = tsr_test_path(tsr_test_tmp(), "drafts.h5");
    tsr_coo *expected = bsp_coo(2, dims, TSR_F64, "0 1 1  2 0 2  2 2 3");
    tsr_data data;

    make_base(path, "coo");
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    replace_in_attribute(file, "binsparse", "\"sparse\",", "\"sparse\",\"sorted\":false,");
    replace_dataset(file, "indices_0", "i32 2 0 2");
    replace_dataset(file, "indices_1", "i32 2 1 0");
    replace_dataset(file, "values", "f64 3 1 2");
    H5Fclose(file);
    assert_ok(tsr_codec_binsparse.read(&data, path, NULL, err));
    assert_null(data.tensor);
    bsp_assert_entries(data.coo, expected);
    tsr_coo_free(data.coo);

    make_base(path, "ds");
    file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    replace_in_attribute(file, "binsparse", "\"shape\"", "\"index_base\":1,\"shape\"");
    replace_dataset(file, "indices_1", "i32 2 1 3");
    replace_dataset(file, "pointers_to_1", "i32 1 2 2 4");
    H5Fclose(file);
    assert_ok(tsr_codec_binsparse.read(&data, path, NULL, err));
    tsr_coo *got = bsp_unpack(data.tensor);
    bsp_assert_entries(got, expected);
    tsr_coo_free(got);
    tsr_tensor_free(data.tensor);
    tsr_coo_free(expected);
}

/* ---- options ---- */

static void test_read_options(void **state)
{
    (void)state;
    const char *path = tsr_test_path(tsr_test_tmp(), "options.h5");
    tsr_data data;
    tsr_error e;
    make_base(path, "ds");
    tsr_read_options o = {.has_type = true, .type = TSR_I16};
    assert_ok(tsr_codec_binsparse.read(&data, path, &o, err));
    assert_int_equal(data.tensor->type, TSR_I16);
    assert_int_equal(((int16_t *)data.tensor->values.data)[2], 3);
    tsr_tensor_free(data.tensor);
    o.type = TSR_PATTERN;
    assert_ok(tsr_codec_binsparse.read(&data, path, &o, err));
    assert_true(data.tensor->iso && data.tensor->values.n == 1);
    tsr_tensor_free(data.tensor);
    o = (tsr_read_options){.shape_order = 2, .shape = {3, 4}};
    assert_ok(tsr_codec_binsparse.read(&data, path, &o, err));
    tsr_tensor_free(data.tensor);
    o.shape[1] = 5;
    assert_int_equal(tsr_codec_binsparse.read(&data, path, &o, &e), TSR_ARGUMENT);
    assert_string_equal(e.message, "dim 1 of the tensor is 4, but 5 was given");
    o.shape_order = 3;
    assert_int_equal(tsr_codec_binsparse.read(&data, path, &o, &e), TSR_ARGUMENT);
    assert_string_equal(e.message, "the tensor has 2 modes, but 3 dims were given");
    assert_int_equal(tsr_codec_binsparse.read(&data, "-", NULL, &e), TSR_ARGUMENT);
}

/* ---- paths that are not files ---- */

static void test_what_is_not_hdf5(void **state)
{
    (void)state;
    static const struct {
        const char *name, *content;
        tsr_status status;
        const char *words;
    } files[] = {{"none.h5", NULL, TSR_IO, "No such file or directory"},
                 {"empty.h5", "", TSR_SYNTAX, "not an HDF5 file"},
                 {"text.h5", "%%MatrixMarket\n", TSR_SYNTAX, "not an HDF5 file"},
                 {"head.h5", "\x89HDF\r\n\x1a\n", TSR_CORRUPT, "cannot be opened as HDF5"}};
    for (int i = 0; i < 4; i++) {
        const char *path = tsr_test_path(tsr_test_tmp(), files[i].name);
        if (files[i].content)
            tsr_test_spit(path, files[i].content, strlen(files[i].content));
        tsr_data data;
        tsr_error e;
        assert_int_equal(tsr_codec_binsparse.read(&data, path, NULL, &e), files[i].status);
        if (strncmp(e.message, files[i].words, strlen(files[i].words)) != 0)
            fail_msg("%s: %s", files[i].name, e.message);
        assert_string_equal(e.path, path);
    }
    tsr_data data;
    tsr_error e;
    assert_int_equal(tsr_codec_binsparse.read(&data, tsr_test_tmp(), NULL, &e), TSR_UNSUPPORTED);
    assert_string_equal(e.message, "is a folder without a Zarr group or array");
}

/* The bytes of a small file with chunks and a second attribute in it. */
static char *small_file(size_t *n)
{
    const uint64_t dims[2] = {6, 9};
    const char *path = tsr_test_path(tsr_test_tmp(), "small.h5");
    tsr_rng rng = {5};
    tsr_coo *coo = bsp_random(&rng, 2, dims, TSR_F32, 30);
    tsr_tensor *tensor = bsp_pack("bcsr(2,3)", coo, 0);
    remove(path);
    bsp_write(path, tensor, 6, 1);
    tsr_tensor_free(tensor);
    tsr_coo_free(coo);
    return tsr_test_slurp(path, n);
}

static void test_truncated_anywhere(void **state)
{
    (void)state;
    size_t n;
    char *bytes = small_file(&n);
    const int64_t live = tsr_alloc_live();
    const char *path = tsr_test_path(tsr_test_tmp(), "cut.h5");
    for (size_t cut = 0; cut < n; cut += cut < 3000 ? 7 : 101) {
        put(path, bytes, cut);
        tsr_data data;
        tsr_error e = {0};
        const tsr_status status = tsr_codec_binsparse.read(&data, path, NULL, &e);
        if (status != TSR_CORRUPT && status != TSR_SYNTAX)
            fail_msg("cut at %zu: %s: %s", cut, tsr_status_words(status), e.message);
    }
    assert_int_equal(tsr_alloc_live(), live);
    free(bytes);
}

static void test_random_damage(void **state)
{
    (void)state;
    size_t n;
    char *bytes = small_file(&n);
    const int64_t live = tsr_alloc_live();
    const char *path = tsr_test_path(tsr_test_tmp(), "flip.h5");
    tsr_rng rng = {7};
    for (int i = 0; i < 2000; i++) {
        char *copy = malloc(n);
        memcpy(copy, bytes, n);
        for (uint64_t k = tsr_rng_below(&rng, 3) + 1; k > 0; k--)
            copy[tsr_rng_below(&rng, n)] ^= (char)(1 << tsr_rng_below(&rng, 8));
        put(path, copy, n);
        free(copy);
        tsr_data data;
        tsr_error e = {0};
        const tsr_status status = tsr_codec_binsparse.read(&data, path, NULL, &e);
        assert_true(status == TSR_OK || e.message[0]);
        tsr_tensor_free(data.tensor);
        tsr_coo_free(data.coo);
        assert_int_equal(tsr_alloc_live(), live);
    }
    free(bytes);
}

int main(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_fault_each),     cmocka_unit_test(test_attribute_strings),
        cmocka_unit_test(test_deep_trees),         cmocka_unit_test(test_origin_must_agree),
        cmocka_unit_test(test_padding_of_a_file),  cmocka_unit_test(test_unsorted_coordinates_and_base_one),
        cmocka_unit_test(test_read_options),       cmocka_unit_test(test_what_is_not_hdf5),
        cmocka_unit_test(test_truncated_anywhere), cmocka_unit_test(test_random_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
