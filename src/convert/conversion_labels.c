/* --labels and --names: the names of the indices as text files, one for each mode. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "conversion_internal.h"
#include "tsr_input.h"
#include "tsr_num.h"
#include "tsr_output.h"

/* Write the names, one a line. */
static tsr_status write_names(const char *path, const tsr_names *names, tsr_error *err)
{
    tsr_output *output = NULL;
    const tsr_output_options how = {.gzip_level = 0};
    tsr_status status = tsr_output_open(&output, path, &how, err);
    for (uint64_t i = 0; i < names->n && status == TSR_OK; i++) {
        const char *const name = tsr_names_get(names, i);
        status = strchr(name, '\n') ? tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0,
                                                  "a name has a newline, which a list of lines cannot hold")
                                    : tsr_output_write(output, name, strlen(name), err);
        if (status == TSR_OK)
            status = tsr_output_write(output, "\n", 1, err);
    }
    if (status == TSR_OK)
        status = tsr_output_commit(output, err);
    tsr_output_free(output);
    return status;
}

tsr_status tsr_conversion_check_labels(const char *prefix, const tsr_labels *labels, tsr_error *err)
{
    return !prefix || tsr_labels_any(labels)
               ? TSR_OK
               : tsr_fail(err, TSR_ARGUMENT, "--labels: the input has no names of rows and columns");
}

tsr_status tsr_conversion_write_labels(const char *prefix, const tsr_labels *labels, tsr_error *err)
{
    char path[4096];
    TSR_TRY(tsr_conversion_check_labels(prefix, labels, err));
    for (int m = 0; m < TSR_MAX_ORDER; m++) {
        if (labels->modes[m].n == 0)
            continue;
        if (snprintf(path, sizeof path, "%s.%d.map", prefix, m) >= (int)sizeof path)
            return tsr_fail(err, TSR_ARGUMENT, "--labels: the name is too long");
        TSR_TRY(write_names(path, &labels->modes[m], err));
    }
    return TSR_OK;
}

/* ---- --names ---- */

tsr_status tsr_conversion_add_names(tsr_conversion_names *out, const char *value, tsr_error *err)
{
    const char *const colon = strrchr(value, ':');
    const char *const end = value + strlen(value);
    uint64_t mode = 0;
    if (!colon || colon == value || colon + 1 == end || tsr_parse_u64(&mode, colon + 1, end) != end ||
        mode >= TSR_MAX_ORDER)
        return tsr_fail(err, TSR_ARGUMENT,
                        "'%s' is not FILE:MODE, such as mode-1-users.map:0 (modes count from 0)", value);
    if (out->text[mode])
        return tsr_fail(err, TSR_ARGUMENT, "mode %d has names twice: '%s' and '%s'", (int)mode,
                        out->text[mode], value);
    out->text[mode] = value;
    out->nbytes[mode] = (size_t)(colon - value);
    out->n++;
    return TSR_OK;
}

static tsr_status add_lines(tsr_names *names, const tsr_block *block, tsr_error *err)
{
    for (const char *p = block->text, *const end = p + block->nbytes; p < end;) {
        const char *const newline = memchr(p, '\n', (size_t)(end - p)); /* a block ends with one */
        size_t n = (size_t)(newline - p);
        n -= n > 0 && p[n - 1] == '\r';
        TSR_TRY(tsr_names_add(names, p, n, err));
        p = newline + 1;
    }
    return TSR_OK;
}

static tsr_status read_lines(tsr_names *names, const char *path, tsr_error *err)
{
    tsr_input *input = NULL;
    tsr_block block = {0};
    tsr_status status = tsr_input_open(&input, path, 0, NULL, err);
    while (status == TSR_OK && (status = tsr_input_next(&block, input, err)) == TSR_OK && block.nbytes > 0)
        status = add_lines(names, &block, err);
    tsr_block_clear(&block);
    tsr_input_free(input);
    return status;
}

tsr_status tsr_conversion_read_names(tsr_data *data, const tsr_conversion_names *names, tsr_error *err)
{
    for (int m = 0; m < TSR_MAX_ORDER; m++) {
        if (!names->text[m])
            continue;
        if (m >= tsr_data_order(data))
            return tsr_fail(err, TSR_ARGUMENT, "--names: mode %d does not exist: the tensor has %d modes", m,
                            tsr_data_order(data));
        if (!data->labels)
            data->labels = tsr_labels_new();
        char *const path = data->labels ? tsr_strdup(names->text[m]) : NULL;
        if (!path)
            return tsr_fail(err, TSR_NOMEM, "out of memory");
        path[names->nbytes[m]] = '\0';
        tsr_names *const list = &data->labels->modes[m];
        const uint64_t dim = tsr_data_dims(data)[m];
        tsr_names_clear(list);
        tsr_status status = read_lines(list, path, err);
        if (status == TSR_OK && list->n != dim)
            status = tsr_fail(err, TSR_ARGUMENT,
                              "has %" PRIu64 " names, one a line, but mode %d has %" PRIu64
                              " indices: the dims of the tensor can be given with --dims",
                              list->n, m, dim);
        if (status != TSR_OK)
            tsr_error_set_path(err, path);
        tsr_free(path);
        TSR_TRY(status);
    }
    return TSR_OK;
}
