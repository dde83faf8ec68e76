/* Tables of test files: see text_table.h. */
#include "text_table.h"

int split(char *s, char separator, char **part, int max)
{
    int n = 0;
    while (n < max) {
        part[n++] = s;
        s = strchr(s, separator);
        if (!s)
            break;
        *s++ = '\0';
    }
    return n;
}

void each_row(const char *path, int nfields, void (*body)(const table_row *r, void *ctx), void *ctx)
{
    char *const text = tsr_test_slurp(path, NULL);
    int nrows = 0;
    for (char *line = text; *line;) {
        char *const newline = strchr(line, '\n');
        assert_non_null(newline);
        *newline = '\0';
        if (*line != '#') {
            table_row r = {.nfields = 0};
            r.nfields = split(line, '\t', r.field, MAX_FIELDS);
            if (r.nfields != nfields)
                fail_msg("%s: %d fields in the row of %s", path, r.nfields, r.field[0]);
            body(&r, ctx);
            nrows++;
        }
        line = newline + 1;
    }
    assert_true(nrows > 0);
    free(text);
}

void parse_options(tsr_read_options *options, const tsr_codec **codec, const char *text)
{
    char buf[256], *word[8];
    memset(options, 0, sizeof *options);
    *codec = NULL;
    if (strcmp(text, "-") == 0)
        return;
    snprintf(buf, sizeof buf, "%s", text);
    const int n = split(buf, ',', word, 8);
    for (int i = 0; i < n; i++) {
        if (strcmp(word[i], "index-base=0") == 0) {
            options->index_base = -1;
        } else if (strcmp(word[i], "index-base=1") == 0) {
            options->index_base = 1;
        } else if (strcmp(word[i], "no-values") == 0) {
            options->no_values = true;
        } else if (strncmp(word[i], "codec=", 6) == 0) {
            assert_int_equal(tsr_codec_by_name(codec, word[i] + 6, NULL), TSR_OK);
        } else if (strncmp(word[i], "shape=", 6) == 0) {
            char *dim[TSR_MAX_ORDER];
            options->shape_order = split(word[i] + 6, 'x', dim, TSR_MAX_ORDER);
            for (int m = 0; m < options->shape_order; m++)
                options->shape[m] = strtoull(dim[m], NULL, 10);
        } else {
            fail_msg("no option '%s'", word[i]);
        }
    }
}

tsr_status read_in_blocks(tsr_data *out, const char *path, const tsr_codec *codec, tsr_read_options options,
                          size_t block_nbytes, tsr_error *err)
{
    if (block_nbytes == 0)
        return tsr_read(out, path, codec, &options, err);
    *out = (tsr_data){0};
    const tsr_status status = tsr_input_open(&options.input, path, block_nbytes, options.observer, err);
    if (status != TSR_OK)
        return status;
    const tsr_status read = tsr_read(out, path, codec, &options, err);
    tsr_input_free(options.input);
    return read;
}

static void count_warning(void *ctx, const tsr_error *warning)
{
    assert_true(warning->message[0] != '\0');
    ++*(int *)ctx;
}

tsr_observer counting_observer(int *nwarnings)
{
    *nwarnings = 0;
    return (tsr_observer){.ctx = nwarnings, .warn = count_warning};
}
