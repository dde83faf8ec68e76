/* Comma-separated values (CSV, TSV): columns of indices, and a last column of values, with or without a
 * header. See csv.md. */
#include <stdio.h>
#include <string.h>

#include "codec_options.h"
#include "csv_relabel.h"
#include "text_fields.h"
#include "text_pieces.h"
#include "text_reader.h"
#include "text_writer.h"
#include "tsr_num.h"

static const char comment_chars[] = "#%";

/* The header and the columns of a file. */
typedef struct head {
    bool has_header;
    tsr_fields fields;
    bool has_values; /* the last kept column is the value */
    /* the fields of the first line, borrowed from the lines until the next line is fetched */
    struct {
        const char *begin, *end;
    } names[TSR_MAX_FIELDS];
} head;

static bool is_number(const char *p, const char *end)
{
    double v;
    return p < end && tsr_parse_f64(&v, p, end) == end;
}

/* Whether field i of the first line is the word of n characters, in any case. */
static bool is_named(const head *h, int i, const char *word, size_t n)
{
    const char *const name = h->names[i].begin;
    if ((size_t)(h->names[i].end - name) != n)
        return false;
    for (size_t k = 0; k < n; k++)
        if ((name[k] | 32) != (word[k] | 32))
            return false;
    return true;
}

/* The separator of a line: the first of ';', tab and ',' that the line has; ' ' if it has none of them. */
static char guess_separator(const char *p, const char *end)
{
    for (const char *s = ";\t,"; *s; s++)
        if (memchr(p, *s, (size_t)(end - p)))
            return *s;
    return ' ';
}

/* Find the first line that is not blank and not a comment, and mark it. *p is after the byte-order mark and blanks; NULL:
 * there is no such line. */
static tsr_status first_line(const char **p, const char **end, tsr_lines *lines, tsr_error *err)
{
    bool begins = true;
    do {
        tsr_lines_mark(lines);
        TSR_TRY(tsr_lines_next(p, end, lines, err));
        if (*p && begins && *end - *p >= 3 && memcmp(*p, "\xef\xbb\xbf", 3) == 0)
            *p += 3;
        begins = false;
        while (*p && *p < *end && (**p == ' ' || **p == '\r'))
            ++*p;
    } while (*p && (*p == *end || memchr(comment_chars, **p, 2)));
    return TSR_OK;
}

/* ---- columns ---- */

/* Find the column for a word of --columns: a number from 1 on, or a name in the header. */
static tsr_status find_column(int *column, const head *h, const char *word, size_t n, tsr_error *err)
{
    uint64_t number;
    for (int i = 0; h->has_header && i < h->fields.ncolumns; i++)
        if (is_named(h, i, word, n)) {
            *column = i;
            return TSR_OK;
        }
    if (n > 0 && tsr_parse_u64(&number, word, word + n) == word + n && number >= 1 &&
        number <= (uint64_t)h->fields.ncolumns) {
        *column = (int)number - 1;
        return TSR_OK;
    }
    return tsr_fail(err, TSR_ARGUMENT, "--columns: unknown column '%.*s': the file has %d columns", (int)n,
                    word, h->fields.ncolumns);
}

static tsr_status choose_columns(head *h, const char *columns, tsr_error *err)
{
    tsr_fields *const f = &h->fields;
    for (const char *p = columns; p; f->n++) {
        const char *const comma = strchr(p, ',');
        const size_t n = comma ? (size_t)(comma - p) : strlen(p);
        if (f->n > TSR_MAX_ORDER)
            return tsr_fail(err, TSR_LIMIT, "--columns: at most %d indices and a value are supported",
                            TSR_MAX_ORDER);
        TSR_TRY(find_column(&f->column[f->n], h, p, n, err));
        for (int i = 0; i < f->n; i++)
            if (f->column[i] == f->column[f->n])
                return tsr_fail(err, TSR_ARGUMENT, "--columns: column %d is named twice", f->column[i] + 1);
        p = comma ? comma + 1 : NULL;
    }
    return TSR_OK;
}

static tsr_status all_columns(head *h, tsr_error *err)
{
    tsr_fields *const f = &h->fields;
    if (h->has_header && h->names[0].begin == h->names[0].end)
        return tsr_fail(
            err, TSR_SYNTAX,
            "the first column has no name: if it has row numbers, as pandas writes them, leave it "
            "out with --columns=2,3,... or with names");
    if (f->ncolumns > TSR_MAX_ORDER + 1)
        return tsr_fail(err, TSR_LIMIT,
                        "the file has %d columns: choose at most %d indices and a value with --columns",
                        f->ncolumns, TSR_MAX_ORDER);
    for (; f->n < f->ncolumns; f->n++)
        f->column[f->n] = f->n;
    return TSR_OK;
}

/* Whether the last kept column is the value: its name may say so; the names i, j, k alone say that there is none;
 * else the third column and those after it make one. */
static bool last_is_value(const head *h)
{
    static const char *const words[] = {"value", "val", "v", "weight", "w", "count", "data", NULL};
    const tsr_fields *const f = &h->fields;
    bool letters = h->has_header;
    for (int i = 0; i < f->n; i++) {
        const int column = f->column[i];
        letters = letters && i < TSR_MAX_ORDER && h->names[column].end - h->names[column].begin == 1 &&
                  *h->names[column].begin == "ijklmnopqrstuvwx"[i];
    }
    for (int i = 0; h->has_header && words[i] && f->n > 1; i++)
        if (is_named(h, f->column[f->n - 1], words[i], strlen(words[i])))
            return true;
    return !letters && f->n > 2;
}

/* Read the first line: separator, header, columns. `lines` is then at the first entry. */
static tsr_status read_head(head *h, tsr_lines *lines, const tsr_read_options *options, tsr_error *err)
{
    const char *p, *end, *field, *field_end;
    *h = (head){.has_header = false};
    TSR_TRY(first_line(&p, &end, lines, err));
    if (!p)
        return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0, "the file has no lines");
    const bool marked = tsr_lines_col(lines, p) == 4 && lines->line == 1; /* after a byte-order mark */
    h->fields.separator = options->separator ? options->separator : guess_separator(p, end);
    if (h->fields.separator == ' ')
        return tsr_fail_at(
            err, TSR_SYNTAX, lines->path, lines->line, 0,
            "the first line has no comma, tab or semicolon: read columns with blanks between them with "
            "--from=tns or --from=edges");
    for (const char *at = p; tsr_next_field(&field, &field_end, &at, end, h->fields.separator);) {
        if (h->fields.ncolumns == TSR_MAX_FIELDS)
            return tsr_fail_at(err, TSR_LIMIT, lines->path, lines->line, 0,
                               "the line has more columns than the %d that are supported", TSR_MAX_FIELDS);
        if (h->fields.ncolumns == 0)
            h->has_header = !is_number(field, field_end);
        h->names[h->fields.ncolumns].begin = field;
        h->names[h->fields.ncolumns++].end = field_end;
    }
    if (options->relabel) /* all lines have names: a header has one in place of the value */
        h->has_header = h->fields.ncolumns > 2 && !is_number(field, field_end);
    if (h->has_header)
        tsr_lines_mark(lines);
    tsr_lines_back(lines);
    if (!h->has_header && marked)
        lines->at += 3;
    TSR_TRY(options->columns ? choose_columns(h, options->columns, err) : all_columns(h, err));
    h->has_values = !options->no_values && last_is_value(h);
    return TSR_OK;
}

static tsr_status set_columns(tsr_entries *entries, const head *h, const tsr_lines *lines,
                              const tsr_read_options *options, tsr_error *err)
{
    const int order = h->fields.n - (h->has_values ? 1 : 0);
    const tsr_type type = h->has_values ? tsr_parse_type(TSR_F64, options) : TSR_PATTERN;
    if (order < 1 || order > TSR_MAX_ORDER)
        return tsr_fail_at(err, TSR_LIMIT, lines->path, lines->line, 0,
                           "the file has %d columns of indices: 1 to %d are supported", order, TSR_MAX_ORDER);
    if (type == TSR_C64 || type == TSR_C128)
        return tsr_fail(err, TSR_UNSUPPORTED, "CSV has no complex values");
    entries->columns =
        (tsr_columns){.order = order,
                      .base = options->index_base > 0,
                      .type = type,
                      .integers = type == TSR_F64 && !(options->has_type && options->type == TSR_F64),
                      .comments = comment_chars,
                      .fields = &h->fields};
    TSR_TRY(tsr_lines_check_shape(lines, options, order, NULL, err));
    if (options->shape_order > 0) {
        entries->columns.has_dims = true;
        memcpy(entries->columns.dims, options->shape, (size_t)order * sizeof *options->shape);
    }
    return TSR_OK;
}

/* ---- reading ---- */

/* Warn about choices that the user may not expect. */
static void warn_choices(bool has_zero, const tsr_lines *lines, const tsr_read_options *options)
{
    if (options->index_base == 0 && !has_zero)
        tsr_warn(options->observer, lines->path, 0,
                 "indices are counted from 0, but no index is 0: use --index-base=1 if they count from 1, or "
                 "--index-base=0 "
                 "to avoid this warning");
}

static tsr_status csv_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    tsr_lines lines;
    tsr_entries entries = {0};
    tsr_status status;
    TSR_TRY(tsr_lines_open(&lines, path, options, err));
    head *const h = tsr_calloc(1, sizeof *h);
    status = h ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK)
        status = read_head(h, &lines, options, err);
    if (status == TSR_OK)
        status = set_columns(&entries, h, &lines, options, err);
    if (status == TSR_OK && options->relabel) {
        status = tsr_csv_relabel(out, &entries.columns, &lines, options, err);
        tsr_free(h);
        tsr_lines_clear(&lines);
        return status;
    }
    if (status == TSR_OK)
        status = tsr_entries_read(&entries, &lines, options, err);
    if (status == TSR_OK) {
        warn_choices(entries.nnz == 0 || tsr_entries_have_zero(&entries), &lines, options);
        status = tsr_entries_to_coo(&out->coo, &entries, err);
    }
    if (status == TSR_OK && options->has_type)
        status = tsr_coo_retype(out->coo, options->type, err);
    tsr_free(h);
    tsr_entries_clear(&entries);
    tsr_lines_clear(&lines);
    return status;
}

static tsr_status warn_pieces(const tsr_text_pieces *pieces, const tsr_text_totals *totals, tsr_error *err)
{
    (void)err;
    warn_choices(totals->nnz == 0 || totals->has_zero, &pieces->lines, &pieces->options);
    return TSR_OK;
}

static tsr_status csv_open(tsr_reader_source *out, tsr_reader_info *info, const char *path,
                           const tsr_read_options *options, tsr_error *err)
{
    tsr_text_pieces *pieces;
    if (options->relabel)
        return options->input ? tsr_fail(err, TSR_UNSUPPORTED,
                                         "names of indices are numbered in memory: leave --relabel out")
                              : TSR_OK;
    TSR_TRY(tsr_text_pieces_new(&pieces, path, options, err));
    head *const h = pieces->head = tsr_calloc(1, sizeof *h);
    tsr_status status = h ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK)
        status = read_head(h, &pieces->lines, options, err);
    if (status == TSR_OK)
        status = set_columns(&pieces->entries, h, &pieces->lines, options, err);
    if (status != TSR_OK) {
        tsr_text_pieces_free(pieces);
        return status;
    }
    pieces->has_type = options->has_type;
    pieces->type = options->type;
    pieces->finish = warn_pieces;
    return tsr_text_pieces_open(out, info, pieces, err);
}

static tsr_status csv_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                               tsr_error *err)
{
    tsr_lines lines = {0};
    tsr_entries entries = {0};
    tsr_status status = tsr_lines_describe(&lines, out, path, options, err);
    head *const h = tsr_calloc(1, sizeof *h);
    if (status == TSR_OK && !h)
        status = tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK)
        status = read_head(h, &lines, options, err);
    if (status == TSR_OK)
        status = set_columns(&entries, h, &lines, options, err);
    tsr_brief_tensor *const tensor = status == TSR_OK ? tsr_brief_add(out, "") : NULL;
    if (status == TSR_OK && !tensor)
        status = tsr_fail(err, TSR_NOMEM, "out of memory");
    if (tensor) {
        tensor->order = entries.columns.order;
        if (!h->has_values)
            snprintf(tensor->type, sizeof tensor->type, "%s", tsr_type_name(TSR_PATTERN));
    }
    tsr_free(h);
    tsr_lines_clear(&lines);
    return status;
}

/* Claims a text whose first line has commas or semicolons between numbers. */
static int csv_probe(const tsr_probe *probe)
{
    const char *p = (const char *)probe->head, *const all = p + probe->n, *field, *field_end;
    if (probe->n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    while (p < all && memchr("#%\r\n", *p, 4)) {
        const char *const newline = memchr(p, '\n', (size_t)(all - p));
        p = newline ? newline + 1 : all;
    }
    const char *const end = p < all ? memchr(p, '\n', (size_t)(all - p)) : NULL;
    if (!end || memchr(p, '\0', (size_t)(end - p)))
        return 0;
    const char separator = guess_separator(p, end);
    int n = 0, nnumbers = 0;
    for (const char *at = p; separator != ' ' && tsr_next_field(&field, &field_end, &at, end, separator); n++)
        nnumbers += is_number(field, field_end);
    return n >= 2 && separator != '\t' && nnumbers == n ? 60 : 0;
}

/* ---- writing ---- */

/* The job that writes lines of entries, with the separator in place of blanks. */
typedef struct writing {
    tsr_text_job job;
    char separator;
} writing;

static tsr_status format_fields(size_t *nbytes, char *buf, const void *ctx, uint64_t first, uint64_t n,
                                tsr_error *err)
{
    const writing *const w = ctx;
    TSR_TRY(w->job.format(nbytes, buf, w->job.ctx, first, n, err));
    for (char *p = buf; (p = memchr(p, ' ', *nbytes - (size_t)(p - buf))) != NULL;)
        *p++ = w->separator;
    return TSR_OK;
}

static tsr_status csv_check(int order, tsr_type type, tsr_error *err)
{
    if (order < 1)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write a scalar to CSV, which needs at least one column of indices");
    if (tsr_type_class(type) == 'C')
        return tsr_fail(err, TSR_UNSUPPORTED, "CSV has no complex values");
    return TSR_OK;
}

static tsr_status csv_write_coo(const char *path, const tsr_coo *coo, const tsr_write_options *options,
                                uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options none;
    options = options ? options : &none;
    const size_t n = strlen(path);
    const bool tabs =
        n > 4 && (strcmp(path + n - 4, ".tsv") == 0 || (n > 7 && strcmp(path + n - 7, ".tsv.gz") == 0));
    const tsr_entry_lines lines = {.coo = coo,
                                   .base = options->index_base > 0,
                                   .has_values = coo->type != TSR_PATTERN,
                                   .mark_reals = true,
                                   .write = TSR_GENERAL};
    writing w = {.job = tsr_entry_lines_job(&lines), .separator = tabs ? '\t' : ','};
    const tsr_text_job job = {
        .n = w.job.n, .max_nbytes = w.job.max_nbytes, .ctx = &w, .format = format_fields};
    tsr_text names = {0};
    TSR_TRY(csv_check(coo->order, coo->type, err));
    TSR_TRY(tsr_text_check_fill(coo, "csv", err));
    for (int m = 0; m < coo->order; m++)
        tsr_text_addf(&names, "%s%c", m ? (tabs ? "\t" : ",") : "", "ijklmnopqrstuvwx"[m]);
    if (lines.has_values)
        tsr_text_addf(&names, "%cvalue", w.separator);
    tsr_text_add(&names, "\n");
    if (!tsr_entries_tell_dims(coo))
        tsr_warn_lost_dims(path, (tsr_shape){coo->order, coo->dims}, "use --dims when the file is read",
                           options);
    const tsr_status status = tsr_text_write(path, &names, &job, options, nbytes, err);
    tsr_text_clear(&names);
    return status;
}

static const char *const suffixes[] = {".csv", ".tsv", NULL};

static const tsr_codec_option *const options[] = {&tsr_option_columns,   &tsr_option_separator,
                                                  &tsr_option_relabel,   &tsr_option_index_base,
                                                  &tsr_option_no_values, NULL};

const tsr_codec tsr_codec_csv = {
    .name = "csv",
    .summary = "comma- or tab-separated columns of indices, and one of values; a header with names or none",
    .suffixes = suffixes,
    .options = options,
    .streams = true,
    .probe = csv_probe,
    .read = csv_read,
    .open = csv_open,
    .describe = csv_describe,
    .check = csv_check,
    .write_coo = csv_write_coo,
};
