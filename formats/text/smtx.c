/* SMTX of the Deep Learning Matrix Collection: a pattern as sizes, row offsets and column indices. See
 * texts.md. */
#include <inttypes.h>
#include <stdio.h>

#include "array_import.h"
#include "growing_array.h"
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

static tsr_status expect_sizes(uint64_t n[3], const tsr_lines *lines, const char *p, const char *end,
                               tsr_error *err)
{
    return p && parse_sizes(n, p, end)
               ? TSR_OK
               : tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0,
                             "expected rows, columns and entries with commas between them");
}

/* ---- words: the second and the third line are as long as the file, so they are never in memory as a whole ---- */

typedef struct words {
    tsr_lines lines;  /* only the input, the path, the block and the number of the line are used */
    size_t at;        /* the next byte of the block */
    uint64_t line_at; /* where the line begins in the input */
} words;

static uint64_t place(const words *w)
{
    return w->lines.block.offset + w->at;
}

/* The next word of the line; *p = NULL at the end of the line. */
static tsr_status next_word(const char **p, const char **end, words *w, tsr_error *err)
{
    tsr_block *const b = &w->lines.block;
    *p = *end = NULL;
    for (;; w->at++) {
        if (w->at == b->nbytes) {
            TSR_TRY(tsr_input_next(b, w->lines.input, err));
            w->at = 0;
        }
        if (b->nbytes == 0 || b->text[w->at] == '\n')
            return TSR_OK;
        if (!tsr_is_blank(b->text[w->at]) && b->text[w->at] != '\r')
            break;
    }
    *p = b->text + w->at;
    while (w->at < b->nbytes && b->text[w->at] != '\n' && !tsr_is_blank(b->text[w->at]) &&
           b->text[w->at] != '\r')
        w->at++;
    *end = b->text + w->at;
    return TSR_OK;
}

/* Go behind the end of the line, which was reached. */
static void next_line(words *w)
{
    if (w->at < w->lines.block.nbytes)
        w->at++;
    w->line_at = place(w);
    w->lines.line++;
}

static tsr_status fail_at(const words *w, tsr_status status, const char *word, const char *text,
                          tsr_error *err)
{
    const uint64_t at = w->lines.block.offset + (uint64_t)(word - w->lines.block.text);
    return tsr_fail_at(err, status, w->lines.path, w->lines.line, at - w->line_at + 1, "%s", text);
}

static tsr_status read_sizes(uint64_t n[3], words *w, tsr_error *err)
{
    enum { MOST = 256 };
    tsr_text line = {0};
    const char *p, *end;
    tsr_status status;
    w->lines.line = 1;
    do {
        status = next_word(&p, &end, w, err);
        if (status == TSR_OK && p) {
            tsr_text_add_n(&line, p, (size_t)(end - p));
            tsr_text_add(&line, " ");
        }
    } while (status == TSR_OK && p && line.nbytes < MOST);
    if (status == TSR_OK)
        status = tsr_text_status(&line, err);
    if (status == TSR_OK)
        status = expect_sizes(n, &w->lines, line.s, line.s ? line.s + line.nbytes : NULL, err);
    tsr_text_clear(&line);
    if (status == TSR_OK)
        next_line(w);
    return status;
}

/* Read the next line, which must have exactly n integers from 0 to max. */
static tsr_status read_line(tsr_numbers *out, words *w, uint64_t n, uint64_t max, tsr_error *err)
{
    const char *p, *end;
    uint64_t i = 0, v;
    char text[TSR_TOKEN_NBYTES + 96];
    if (n > tsr_input_max_text_nbytes(w->lines.input) / 2 + 1) /* a number takes two bytes at least */
        return tsr_fail_at(err, TSR_SYNTAX, w->lines.path, w->lines.line, 0,
                           "expected %" PRIu64 " %s, but the line is too short", n, out->name);
    out->type = max <= UINT32_MAX ? TSR_U32 : TSR_U64;
    out->array.width = tsr_type_nbytes(out->type);
    for (;; i++) {
        TSR_TRY(next_word(&p, &end, w, err));
        if (!p)
            break;
        if (tsr_parse_u64(&v, p, end) != end) {
            char token[TSR_TOKEN_NBYTES];
            snprintf(text, sizeof text, "expected an integer, not %s", tsr_token_text(token, p, end));
            return fail_at(w, TSR_SYNTAX, p, text, err);
        }
        if (i == n) {
            snprintf(text, sizeof text, "the line has more than the expected %" PRIu64 " %s", n, out->name);
            return fail_at(w, TSR_SYNTAX, p, text, err);
        }
        if (v > max) {
            snprintf(text, sizeof text, "%" PRIu64 " is beyond the %" PRIu64 " of the first line", v, max);
            return fail_at(w, TSR_RANGE, p, text, err);
        }
        TSR_TRY(tsr_array_make_room(&out->array, i + 1, n, err));
        tsr_array_set(&out->array, i, v);
    }
    if (i != n)
        return tsr_fail_at(err, TSR_SYNTAX, w->lines.path, w->lines.line, 0,
                           "the line has %" PRIu64 " %s, but %" PRIu64 " are expected", i, out->name, n);
    next_line(w);
    return tsr_array_shorten(&out->array, n, err);
}

/* TSR_SYNTAX where more than blank lines follow. */
static tsr_status expect_end(words *w, tsr_error *err)
{
    const char *p, *end;
    for (;;) {
        TSR_TRY(next_word(&p, &end, w, err));
        if (p)
            return tsr_fail_at(err, TSR_SYNTAX, w->lines.path, w->lines.line, 0,
                               "expected the end of the file after the line of column indices");
        if (w->lines.block.nbytes == 0)
            return TSR_OK;
        next_line(w);
    }
}

static tsr_status smtx_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    words w = {.at = 0};
    uint64_t n[3] = {0};
    tsr_arrays in = {.order = 2};
    tsr_status status;
    TSR_TRY(tsr_lines_open(&w.lines, path, options, err));
    tsr_input_cut_words(w.lines.input);
    TSR_TRY_OUT(read_sizes(n, &w, err));
    in.dims[0] = n[0];
    in.dims[1] = n[1];
    in.pointers.name = "row offsets";
    in.crd[0].name = "column indices";
    in.values.name = "values";
    TSR_TRY_OUT(tsr_arrays_make_pattern(&in, err));
    TSR_TRY_OUT(read_line(&in.pointers, &w, n[0] + 1, n[2], err));
    TSR_TRY_OUT(read_line(&in.crd[0], &w, n[2], n[1], err));
    TSR_TRY_OUT(expect_end(&w, err));
    status = tsr_arrays_compressed(out, &in, options, err);
out:
    tsr_arrays_clear(&in);
    tsr_lines_clear(&w.lines);
    return status;
}

static tsr_status smtx_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                                tsr_error *err)
{
    tsr_lines lines;
    uint64_t n[3] = {0};
    tsr_status status;
    TSR_TRY_OUT(tsr_lines_describe(&lines, out, path, options, err));
    const char *p, *end;
    TSR_TRY_OUT(tsr_lines_next(&p, &end, &lines, err));
    TSR_TRY_OUT(expect_sizes(n, &lines, p, end, err));
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
