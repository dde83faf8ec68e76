/* svmlight and libsvm: each line is a row, "label index:value index:value". The labels are dropped, with a
 * warning. See texts.md. */
#include <inttypes.h>
#include <stdio.h>

#include "codec_options.h"
#include "array_import.h"
#include "growing_array.h"
#include "svmlight_write.h"
#include "text_reader.h"
#include "tsr_num.h"

/* The entries, in arrays that grow. Indices have 4 bytes until one needs 8. */
typedef struct growing {
    tsr_array row, column, value;
    uint64_t n;
    uint64_t rows, max;
    bool zero; /* an index is 0 */
} growing;

/* Append an index to an array, whose n elements are used. */
static tsr_status append(tsr_array *array, uint64_t n, uint64_t index, tsr_error *err)
{
    TSR_TRY(tsr_array_make_room(array, n + 1, UINT64_MAX, err));
    if (index > UINT32_MAX && array->width == 4)
        TSR_TRY(tsr_array_set_width(array, 8, "indices", err));
    tsr_array_set(array, n, index);
    return TSR_OK;
}

static tsr_status bad_token(const tsr_lines *lines, const char *p, const char *end, const char *expected,
                            tsr_error *err)
{
    char token[TSR_TOKEN_NBYTES];
    return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, tsr_lines_col(lines, p),
                       "expected %s, not %s", expected, tsr_token_text(token, p, end));
}

/* Read one "index:value". */
static tsr_status take_feature(growing *g, const tsr_lines *lines, const char *p, const char *end,
                               tsr_error *err)
{
    uint64_t index;
    double v;
    const char *const colon = memchr(p, ':', (size_t)(end - p));
    if (colon && colon - p == 3 && memcmp(p, "qid", 3) == 0)
        return TSR_OK;
    if (!colon || tsr_parse_u64(&index, p, colon) != colon || index >= INT64_MAX)
        return bad_token(lines, p, end, "index:value", err);
    if (colon + 1 == end || tsr_parse_f64(&v, colon + 1, end) != end)
        return bad_token(lines, p, end, "index:value", err);
    TSR_TRY(append(&g->row, g->n, g->rows, err));
    TSR_TRY(append(&g->column, g->n, index, err));
    TSR_TRY(tsr_array_make_room(&g->value, g->n + 1, UINT64_MAX, err));
    ((double *)g->value.data)[g->n++] = v;
    g->zero = g->zero || index == 0;
    g->max = index > g->max ? index : g->max;
    return TSR_OK;
}

static tsr_status take_line(growing *g, const tsr_lines *lines, const char *p, const char *end,
                            tsr_error *err)
{
    const char *token, *token_end;
    bool first = true;
    tsr_line_strip(&p, &end, "#");
    if (p == end)
        return TSR_OK;
    while (tsr_next_token(&token, &token_end, &p, end)) {
        if (!first || memchr(token, ':', (size_t)(token_end - token))) /* multilabel files may lack labels */
            TSR_TRY(take_feature(g, lines, token, token_end, err));
        first = false;
    }
    g->rows++;
    return TSR_OK;
}

/* Choose the index base: as the user says; else 0 if an index is 0; else 1, with a warning. */
static uint64_t choose_base(const growing *g, const tsr_lines *lines, const tsr_read_options *options)
{
    if (options->index_base == 0 && !g->zero && g->n > 0)
        tsr_warn(options->observer, lines->path, 0,
                 "indices are counted from 1, as no index is 0: use --index-base=0 if they count from 0, or "
                 "--index-base=1 "
                 "to avoid this warning");
    return options->index_base ? options->index_base > 0 : !g->zero;
}

static tsr_status hand_over(tsr_data *out, growing *g, const tsr_lines *lines,
                            const tsr_read_options *options, tsr_error *err)
{
    tsr_arrays in = {.order = 2};
    const uint64_t base = choose_base(g, lines, options);
    if (base == 1 && g->zero)
        return tsr_fail_at(err, TSR_RANGE, lines->path, 0, 0, "an index is 0, but --index-base=1 was given");
    TSR_TRY(tsr_array_shorten(&g->row, g->n, err));
    TSR_TRY(tsr_array_shorten(&g->column, g->n, err));
    TSR_TRY(tsr_array_shorten(&g->value, g->n, err));
    in.dims[0] = g->rows;
    in.dims[1] = g->n ? g->max + 1 - base : 0;
    if (options->shape_order == 2 && options->shape[0] >= in.dims[0] && options->shape[1] >= in.dims[1])
        memcpy(in.dims, options->shape, 2 * sizeof *in.dims);
    (void)tsr_indices_rebase(&g->column, g->column.width == 4 ? TSR_U32 : TSR_U64, base);
    in.crd[0] = (tsr_numbers){g->row, g->row.width == 4 ? TSR_U32 : TSR_U64, "rows"};
    in.crd[1] = (tsr_numbers){g->column, g->column.width == 4 ? TSR_U32 : TSR_U64, "indices"};
    in.values = (tsr_numbers){g->value, TSR_F64, "values"};
    *g = (growing){.n = 0};
    tsr_warn(options->observer, lines->path, 0, "the labels of the rows are dropped");
    return tsr_arrays_coordinates(out, &in, options, err);
}

static tsr_status svmlight_read(tsr_data *out, const char *path, const tsr_read_options *options,
                                tsr_error *err)
{
    tsr_lines lines;
    growing g = {.row.width = 4, .column.width = 4, .value.width = 8};
    const char *p, *end;
    tsr_status status;
    TSR_TRY(tsr_lines_open(&lines, path, options, err));
    for (;;) {
        TSR_TRY_OUT(tsr_lines_next(&p, &end, &lines, err));
        if (!p)
            break;
        TSR_TRY_OUT(take_line(&g, &lines, p, end, err));
    }
    status = hand_over(out, &g, &lines, options, err);
out:
    tsr_array_clear(&g.row);
    tsr_array_clear(&g.column);
    tsr_array_clear(&g.value);
    tsr_lines_clear(&lines);
    return status;
}

static tsr_status svmlight_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                                    tsr_error *err)
{
    tsr_lines lines;
    const tsr_status status = tsr_lines_describe(&lines, out, path, options, err);
    tsr_lines_clear(&lines);
    TSR_TRY(status);
    tsr_brief_tensor *const tensor = tsr_brief_add(out, "");
    if (!tensor)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    tensor->order = 2;
    snprintf(tensor->type, sizeof tensor->type, "%s", tsr_type_name(TSR_F64));
    return TSR_OK;
}

/* Claims a text whose first line with data is a label, followed by index:value. */
static int svmlight_probe(const tsr_probe *probe)
{
    const char *line = (const char *)probe->head, *const all = line + probe->n, *token, *token_end;
    while (line < all) {
        const char *const newline = memchr(line, '\n', (size_t)(all - line));
        const char *p = line, *end = newline ? newline : all;
        line = newline ? newline + 1 : all;
        tsr_line_strip(&p, &end, "#");
        if (p == end)
            continue;
        int n = 0;
        double label, v;
        for (; tsr_next_token(&token, &token_end, &p, end) && n < 4; n++) {
            uint64_t index;
            const char *const colon = memchr(token, ':', (size_t)(token_end - token));
            const bool qid = colon && colon - token == 3 && memcmp(token, "qid", 3) == 0;
            if (n == 0 && !colon && tsr_parse_f64(&label, token, token_end) == token_end)
                continue;
            if (!colon || (!qid && tsr_parse_u64(&index, token, colon) != colon) ||
                (tsr_parse_f64(&v, colon + 1, token_end) != token_end && newline))
                return 0;
        }
        return n >= 2 ? 80 : 0;
    }
    return 0;
}

static const char *const suffixes[] = {".svm", ".libsvm", ".svmlight", NULL};

static const tsr_codec_option *const options[] = {&tsr_option_index_base, NULL};

const tsr_codec tsr_codec_svmlight = {
    .name = "svmlight",
    .summary =
        "svmlight and libsvm: a row a line, index:value; labels are dropped with a warning, and written as 0",
    .suffixes = suffixes,
    .options = options,
    .streams = true,
    .probe = svmlight_probe,
    .read = svmlight_read,
    .describe = svmlight_describe,
    .takes_tensor = tsr_svmlight_takes_tensor,
    .check = tsr_svmlight_check,
    .write_tensor = tsr_svmlight_write,
};
