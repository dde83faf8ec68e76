/* The options that codecs list. One of several codecs means the same in all of them. */
#include "codec_options.h"

#include <string.h>

#include "tsr_num.h"
#include "tsr_suggest.h"

#define SET(name) \
    static tsr_status set_##name(const tsr_codec_settings *to, const char *value, tsr_error *err)

/* The index of the value in the words; TSR_ARGUMENT with the list of words. */
static tsr_status parse_word(int *out, const char *value, const char *const *words, tsr_error *err)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], value) == 0) {
            *out = i;
            return TSR_OK;
        }
    return tsr_suggest_fail_words(TSR_ARGUMENT, "value", value, words, err);
}

SET(index_base)
{
    const bool one = strcmp(value, "0") == 0 || strcmp(value, "1") == 0;
    const bool two =
        strlen(value) == 3 && strchr("01", value[0]) && value[1] == ',' && strchr("01", value[2]);
    if (!one && !two)
        return tsr_fail(err, TSR_ARGUMENT,
                        "invalid value '%s': use 0 or 1, or two of them for IN and OUT: 0,1", value);
    to->read->index_base = value[0] == '0' ? -1 : 1;
    if (two && to->write)
        to->write->index_base = value[2] == '0' ? -1 : 1;
    return TSR_OK;
}

const tsr_codec_option tsr_option_index_base = {
    .name = "index-base",
    .arg = "BASE",
    .help = "0 or 1: the first index in IN; BASE,BASE sets that of OUT too",
    .set = set_index_base,
};

SET(no_values)
{
    (void)value, (void)err;
    to->read->no_values = true;
    return TSR_OK;
}

const tsr_codec_option tsr_option_no_values = {
    .name = "no-values",
    .help = "there is no column of values: the tensor is a pattern",
    .set = set_no_values,
};

SET(header)
{
    static const char *const words[] = {"auto", "none", "extended", "parti", NULL};
    static const tsr_header headers[] = {TSR_HEADER_AUTO, TSR_HEADER_NONE, TSR_HEADER_EXTENDED,
                                         TSR_HEADER_PARTI};
    int i = 0;
    TSR_TRY(parse_word(&i, value, words, err));
    if (to->write)
        to->write->header = headers[i];
    return TSR_OK;
}

const tsr_codec_option tsr_option_header = {
    .name = "header",
    .arg = "KIND",
    .help = "the header of OUT, which holds the dims: none, extended (FROSTT's extension, MLIR), parti, or "
            "auto (the default): extended if there are no entries, else none",
    .writes = true,
    .set = set_header,
};

SET(columns)
{
    (void)err;
    to->read->columns = value;
    return TSR_OK;
}

const tsr_codec_option tsr_option_columns = {
    .name = "columns",
    .arg = "LIST",
    .help = "the columns to read, such as 2,3,4 (from 1 on) or row,col,val (names of the header); the value "
            "comes last",
    .set = set_columns,
};

SET(separator)
{
    static const char *const words[] = {"comma", "tab", "semicolon", "blank", NULL};
    static const char characters[] = {',', '\t', ';', ' '};
    int i = 0;
    TSR_TRY(parse_word(&i, value, words, err));
    to->read->separator = characters[i];
    return TSR_OK;
}

const tsr_codec_option tsr_option_separator = {
    .name = "separator",
    .arg = "NAME",
    .help = "the character between the fields of IN: comma, tab, semicolon, blank; by default the first line "
            "determines it",
    .set = set_separator,
};

SET(relabel)
{
    static const char *const words[] = {"each", "joint", NULL};
    int i = 0;
    if (value)
        TSR_TRY(parse_word(&i, value, words, err));
    to->read->relabel = i == 0 ? TSR_RELABEL_EACH : TSR_RELABEL_JOINT;
    return TSR_OK;
}

const tsr_codec_option tsr_option_relabel = {
    .name = "relabel",
    .arg = "[KIND]",
    .help = "the columns have names in place of indices: number them in the order in which they come, in "
            "each mode (each, the default) or in all modes together (joint, for graphs)",
    .set = set_relabel,
};

SET(mat_version)
{
    static const char *const words[] = {"auto", "5", "7", "7.3", NULL};
    static const int versions[] = {0, 50, 70, 73};
    int i = 0;
    TSR_TRY(parse_word(&i, value, words, err));
    if (to->write)
        to->write->version = versions[i];
    return TSR_OK;
}

const tsr_codec_option tsr_option_mat_version = {
    .name = "mat-version",
    .arg = "VERSION",
    .help = "the version of OUT: 5, 7 (compressed), 7.3 (HDF5), or auto (the default): 5, and 7.3 for "
            "matrices that 5 cannot hold",
    .writes = true,
    .set = set_mat_version,
};

SET(zarr_version)
{
    static const char *const words[] = {"2", "3", NULL};
    int i = 0;
    TSR_TRY(parse_word(&i, value, words, err));
    if (to->write)
        to->write->version = 20 + 10 * i;
    return TSR_OK;
}

const tsr_codec_option tsr_option_zarr_version = {
    .name = "zarr-version",
    .arg = "VERSION",
    .help = "the version of Zarr of OUT: 2 (the default, which all programs read) or 3",
    .writes = true,
    .set = set_zarr_version,
};

SET(zarr_shards)
{
    enum { MOST = 1024 };
    uint64_t n = 0;
    const char *const end = value + strlen(value);
    if (tsr_parse_u64(&n, value, end) != end || n < 1 || n > MOST)
        return tsr_fail(err, TSR_ARGUMENT, "'%s' is not a number of chunks from 1 to %d", value, MOST);
    if (to->write)
        to->write->zarr_shard = (int)n;
    return TSR_OK;
}

const tsr_codec_option tsr_option_zarr_shards = {
    .name = "zarr-shards",
    .arg = "COUNT",
    .help = "put this number of chunks (of 1 MiB before compression) into each file of OUT: shards of Zarr 3",
    .writes = true,
    .set = set_zarr_shards,
};

SET(chunks)
{
    static const char word[] = "rows:";
    uint64_t n = 0;
    const char *const end = value + strlen(value), *const digits = value + sizeof word - 1;
    if (strncmp(value, word, sizeof word - 1) != 0 || tsr_parse_u64(&n, digits, end) != end || n < 1 ||
        n > UINT32_MAX)
        return tsr_fail(err, TSR_ARGUMENT, "invalid value '%s': write rows:N, such as rows:1000", value);
    if (to->write)
        to->write->chunk_slices = n;
    return TSR_OK;
}

const tsr_codec_option tsr_option_chunks = {
    .name = "chunks",
    .arg = "rows:N",
    .help =
        "cut the compressed arrays of OUT into chunks of N rows (of csr; columns of csc, slices of csf) on "
        "average, so that a few rows are read fast; by default a chunk has 1 MiB",
    .writes = true,
    .set = set_chunks,
};

#undef SET
