/* SMTX of the Deep Learning Matrix Collection: a pattern as sizes, row offsets and column indices. See
 * texts.md. */
#include <inttypes.h>
#include <stdio.h>

#include "array_import.h"
#include "text_reader.h"
#include "tsr_num.h"

/* Read a line of numbers with commas: "16, 24, 77". */
static bool parse_sizes(uint64_t n[3], const char *p, const char *end)
{
    for (int i = 0; i < 3; i++) {
        while (p < end && (tsr_is_blank(*p) || (i > 0 && *p == ',')))
            p++;
        p = tsr_parse_u64(&n[i], p, end);
        if (!p || n[i] > INT64_MAX)
            return false;
    }
    while (p < end && (tsr_is_blank(*p) || *p == '\r'))
        p++;
    return p == end;
}

static tsr_status read_sizes(uint64_t n[3], tsr_lines *lines, tsr_error *err)
{
    const char *p, *end;
    TSR_TRY(tsr_lines_next(&p, &end, lines, err));
    return p && parse_sizes(n, p, end)
               ? TSR_OK
               : tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0,
                             "expected rows, columns and entries with commas between them");
}

/* Read the next line, which must have exactly n integers from 0 to max. */
static tsr_status read_line(tsr_numbers *out, tsr_lines *lines, uint64_t n, uint64_t max, tsr_error *err)
{
    const char *p, *end, *token, *token_end;
    uint64_t i = 0, v;
    TSR_TRY(tsr_lines_next(&p, &end, lines, err));
    if (p && end > p && end[-1] == '\r')
        end--;
    const uint64_t most = p ? (uint64_t)(end - p) / 2 + 1 : 0; /* numbers that a line can hold */
    if (n > most)
        return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0,
                           "expected %" PRIu64 " %s, but the line is too short", n, out->name);
    out->type = max <= UINT32_MAX ? TSR_U32 : TSR_U64;
    TSR_TRY(tsr_array_init(&out->array, n, tsr_type_nbytes(out->type), 0, out->name, err));
    for (; p && tsr_next_token(&token, &token_end, &p, end); i++) {
        char text[TSR_TOKEN_NBYTES];
        if (tsr_parse_u64(&v, token, token_end) != token_end)
            return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, tsr_lines_col(lines, token),
                               "expected an integer, not %s", tsr_token_text(text, token, token_end));
        if (i == n)
            return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, tsr_lines_col(lines, token),
                               "the line has more than the expected %" PRIu64 " %s", n, out->name);
        if (v > max)
            return tsr_fail_at(err, TSR_RANGE, lines->path, lines->line, tsr_lines_col(lines, token),
                               "%" PRIu64 " is beyond the %" PRIu64 " of the first line", v, max);
        tsr_array_set(&out->array, i, v);
    }
    return i == n ? TSR_OK
                  : tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0,
                                "the line has %" PRIu64 " %s, but %" PRIu64 " are expected", i, out->name, n);
}

/* TSR_SYNTAX where more than blank lines follow. */
static tsr_status expect_end(tsr_lines *lines, tsr_error *err)
{
    const char *p, *end;
    do {
        TSR_TRY(tsr_lines_next(&p, &end, lines, err));
        tsr_line_strip(&p, &end, "");
    } while (p && p == end);
    return !p ? TSR_OK
              : tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0,
                            "expected the end of the file after the line of column indices");
}

static tsr_status smtx_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    tsr_lines lines;
    uint64_t n[3] = {0};
    tsr_arrays in = {.order = 2};
    tsr_status status;
    TSR_TRY(tsr_lines_open(&lines, path, options, err));
    TSR_TRY_OUT(read_sizes(n, &lines, err));
    in.dims[0] = n[0];
    in.dims[1] = n[1];
    in.pointers.name = "row offsets";
    in.crd[0].name = "column indices";
    in.values.name = "values";
    TSR_TRY_OUT(tsr_arrays_make_pattern(&in, err));
    TSR_TRY_OUT(read_line(&in.pointers, &lines, n[0] + 1, n[2], err));
    TSR_TRY_OUT(read_line(&in.crd[0], &lines, n[2], n[1], err));
    TSR_TRY_OUT(expect_end(&lines, err));
    status = tsr_arrays_compressed(out, &in, options, err);
out:
    tsr_arrays_clear(&in);
    tsr_lines_clear(&lines);
    return status;
}

static tsr_status smtx_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                                tsr_error *err)
{
    tsr_lines lines;
    uint64_t n[3] = {0};
    tsr_status status;
    TSR_TRY_OUT(tsr_lines_describe(&lines, out, path, options, err));
    TSR_TRY_OUT(read_sizes(n, &lines, err));
    tsr_brief_tensor *const tensor = tsr_brief_add(out, "");
    if (!tensor) {
        status = tsr_fail(err, TSR_NOMEM, "out of memory");
        goto out;
    }
    tensor->order = 2;
    tensor->has_dims = tensor->has_nnz = true;
    memcpy(tensor->dims, n, 2 * sizeof *n);
    tensor->nnz = n[2];
    snprintf(tensor->type, sizeof tensor->type, "%s", tsr_type_name(TSR_PATTERN));
    status = tsr_format_nested(&tensor->format, 2, 1, NULL, err);
out:
    tsr_lines_clear(&lines);
    return status;
}

static const char *const suffixes[] = {".smtx", NULL};

const tsr_codec tsr_codec_smtx = {
    .name = "smtx",
    .summary = "SMTX (Deep Learning Matrix Collection): patterns of matrices, by rows",
    .suffixes = suffixes,
    .streams = true,
    .read = smtx_read,
    .describe = smtx_describe,
};
