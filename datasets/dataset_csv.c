/* The table of datasets: comma-separated values (RFC 4180: a field may be quoted, "" is a quote in it), the
 * first line names the columns. A field is split in place: the texts of a row point into the table's own
 * copy. */
#include <inttypes.h>
#include <string.h>

#include "tsr_alloc.h"
#include "tsr_dataset.h"
#include "tsr_input.h"
#include "tsr_num.h"

extern const char tsr_datasets_csv[]; /* made from datasets.csv by the build */

enum { MAX_ROWS = 100000, MAX_NBYTES = 1 << 26 };

typedef enum column {
    NAME,
    SUITE,
    ORDER,
    DIMS,
    NNZ,
    VALUES,
    SKEW,
    FIBER,
    RUN,
    BAND,
    STATISTICS,
    URL,
    SHA256,
    LICENCE,
    NOTE,
    NCOLUMNS
} column;

static const char *const column_names[] = {"name",       "suite", "order",  "dims",    "nnz",
                                           "values",     "skew",  "fiber",  "run",     "band",
                                           "statistics", "url",   "sha256", "licence", "note"};
static const char *const statistics_names[] = {"estimated", "published", "measured", "exact", NULL};

typedef struct reader {
    char *p, *end; /* what is left */
    const char *path;
    uint64_t line;
} reader;

/* ---- lines and fields ---- */

static tsr_status fail_row(const reader *r, tsr_error *err, const char *sentence, const char *field)
{
    return tsr_fail_at(err, TSR_SYNTAX, r->path, r->line, 0, "%s, found '%.100s'", sentence, field);
}

/* A quoted field, whose end is where its closing quote is. NULL: there is none in this line. */
static char *unquote(char *p, const char *end)
{
    char *to = p;
    for (char *from = p + 1; from < end && *from != '\n' && *from; from++) {
        if (*from != '"') {
            *to++ = *from;
        } else if (from + 1 < end && from[1] == '"') {
            *to++ = *from++;
        } else {
            *to = '\0';
            return from + 1;
        }
    }
    return NULL;
}

/* The fields of the next line, NULs put behind them. (*r->end is a NUL that may be written to.) */
static tsr_status next_line(char *fields[NCOLUMNS], reader *r, tsr_error *err)
{
    r->line++;
    for (int i = 0; i < NCOLUMNS; i++) {
        char *stop = r->p;
        fields[i] = r->p;
        if (*r->p == '"') {
            stop = unquote(r->p, r->end);
            if (!stop)
                return tsr_fail_at(err, TSR_SYNTAX, r->path, r->line, 0, "a quote is not closed");
        } else {
            stop += strcspn(stop, ",\r\n");
        }
        const char separator = *stop;
        *stop = '\0';
        r->p = stop + (stop < r->end);
        if (separator == '\r' && *r->p == '\n')
            r->p++;
        if (separator == ',')
            continue;
        if (separator != '\0' && separator != '\r' && separator != '\n')
            return tsr_fail_at(err, TSR_SYNTAX, r->path, r->line, 0, "a comma must follow a closing quote");
        if (i + 1 < NCOLUMNS)
            return tsr_fail_at(err, TSR_SYNTAX, r->path, r->line, 0, "a row has %d fields, this one %d",
                               NCOLUMNS, i + 1);
        return TSR_OK;
    }
    return tsr_fail_at(err, TSR_SYNTAX, r->path, r->line, 0, "a row has %d fields, this one more", NCOLUMNS);
}

/* ---- fields ---- */

static bool is_name(const char *s)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    const size_t n = strlen(s);
    return n > 0 && n <= 100 && strspn(s, letters) == n && s[0] != '.' && s[0] != '-';
}

static bool is_sha256(const char *s)
{
    return s[0] == '\0' || (strlen(s) == 64 && strspn(s, "0123456789abcdef") == 64);
}

static bool parse_u64(uint64_t *out, const char *s)
{
    const char *const end = s + strlen(s);
    return *s >= '0' && *s <= '9' && tsr_parse_u64(out, s, end) == end;
}

static bool parse_dims(tsr_gen_shape *shape, const char *s)
{
    const char *p = s, *const end = s + strlen(s);
    for (int m = 0; m < shape->order; m++) {
        p = p < end && *p != '+' ? tsr_parse_u64(&shape->dims[m], p, end) : NULL;
        if (!p || *p != (m + 1 < shape->order ? 'x' : '\0'))
            return false;
        p++;
    }
    return true;
}

/* Numbers in thousandths between ';': n of them. */
static bool parse_list(uint64_t *out, int n, const char *s)
{
    const char *p = s, *const end = s + strlen(s);
    for (int i = 0; i < n; i++) {
        p = tsr_gen_parse_decimal(&out[i], p, end, 3);
        if (!p || *p != (i + 1 < n ? ';' : '\0'))
            return false;
        p++;
    }
    return true;
}

static bool parse_word(int *out, const char *s, const char *const *words)
{
    for (*out = 0; words[*out]; ++*out)
        if (strcmp(words[*out], s) == 0)
            return true;
    return false;
}

static tsr_status parse_statistics(tsr_gen_shape *shape, char *const *f, const reader *r, tsr_error *err)
{
    uint64_t v[TSR_MAX_ORDER];
    const char *const skew = f[SKEW], *const run = f[RUN], *const band = f[BAND];
    if (*skew && !parse_list(v, shape->order, skew))
        return fail_row(r, err, "expected an exponent per mode with ';' between them as skew", skew);
    for (int m = 0; m < shape->order && *skew; m++) {
        if (v[m] > TSR_GEN_MAX_SKEW)
            return fail_row(r, err, "a skew is at most 4", skew);
        shape->skew[m] = (uint32_t)v[m];
    }
    shape->has_fiber = f[FIBER][0] != '\0';
    if (shape->has_fiber && (shape->order < 3 || !parse_list(shape->fiber + 1, shape->order - 2, f[FIBER])))
        return fail_row(r, err, "expected a mean for each prefix of 2 to order - 1 coordinates as fiber",
                        f[FIBER]);
    if (*run && tsr_gen_parse_decimal(&shape->run, run, run + strlen(run), 3) != run + strlen(run))
        return fail_row(r, err, "expected a mean length as run", run);
    if (*band && tsr_gen_parse_decimal(&shape->band, band, band + strlen(band), 6) != band + strlen(band))
        return fail_row(r, err, "expected a part of a dim as band", band);
    return TSR_OK;
}

/* A decimal number of v / 10^ndecimals without zeros at its end. */
static void print_decimal(tsr_text *text, uint64_t v, int ndecimals)
{
    uint64_t unit = 1;
    for (int i = 0; i < ndecimals; i++)
        unit *= 10;
    tsr_text_addf(text, "%" PRIu64 "%s", v / unit, v % unit ? "." : "");
    while ((v %= unit) > 0) {
        unit /= 10;
        tsr_text_addf(text, "%" PRIu64, v / unit);
    }
}

void tsr_dataset_print_shape(tsr_text *text, const tsr_gen_shape *shape)
{
    tsr_text_addf(text, "%d,", shape->order);
    for (int m = 0; m < shape->order; m++)
        tsr_text_addf(text, "%s%" PRIu64, m ? "x" : "", shape->dims[m]);
    tsr_text_addf(text, ",%" PRIu64 ",%s,", shape->nnz, tsr_gen_values_names[shape->values]);
    for (int m = 0; m < shape->order; m++) {
        tsr_text_add(text, m ? ";" : "");
        print_decimal(text, shape->skew[m], 3);
    }
    tsr_text_add(text, ",");
    for (int m = 1; shape->has_fiber && m < shape->order - 1; m++) {
        tsr_text_add(text, m > 1 ? ";" : "");
        print_decimal(text, shape->fiber[m], 3);
    }
    tsr_text_add(text, ",");
    if (shape->run)
        print_decimal(text, shape->run, 3);
    tsr_text_add(text, ",");
    if (shape->band)
        print_decimal(text, shape->band, 6);
    tsr_text_add(text, ",measured");
}

static tsr_status parse_row(tsr_dataset *row, char *const *f, const reader *r, tsr_error *err)
{
    int word;
    uint64_t order;
    if (!is_name(f[NAME]))
        return fail_row(r, err, "a name is up to 100 letters, digits and _-. and begins with none of -.",
                        f[NAME]);
    if (!parse_u64(&order, f[ORDER]) || order < 1 || order > TSR_MAX_ORDER)
        return fail_row(r, err, "expected an order of 1 to 16", f[ORDER]);
    row->shape.order = (int)order;
    if (!parse_dims(&row->shape, f[DIMS]))
        return fail_row(r, err, "expected one dim for each mode, with 'x' between them", f[DIMS]);
    if (!parse_u64(&row->shape.nnz, f[NNZ]))
        return fail_row(r, err, "expected a number of entries", f[NNZ]);
    if (!parse_word(&word, f[VALUES], tsr_gen_values_names))
        return fail_row(r, err, "values are real, count, binary or complex", f[VALUES]);
    row->shape.values = (tsr_gen_values)word;
    if (!parse_word(&word, f[STATISTICS], statistics_names))
        return fail_row(r, err, "statistics are estimated, published, measured or exact", f[STATISTICS]);
    row->statistics = (tsr_dataset_statistics)word;
    TSR_TRY(parse_statistics(&row->shape, f, r, err));
    if (strncmp(f[URL], "https://", 8) != 0 && strncmp(f[URL], "http://", 7) != 0)
        return fail_row(r, err, "a url begins with https:// or http://", f[URL]);
    if (!is_sha256(f[SHA256]))
        return fail_row(r, err, "a sha256 is 64 hexadecimal digits in lower case, or nothing", f[SHA256]);
    row->name = f[NAME];
    row->suites = f[SUITE];
    row->url = f[URL];
    row->sha256 = f[SHA256];
    row->licence = f[LICENCE];
    row->note = f[NOTE];
    tsr_error inner = {0};
    if (tsr_gen_shape_check(&row->shape, &inner) != TSR_OK)
        return tsr_fail_at(err, TSR_RANGE, r->path, r->line, 0, "%s", inner.message);
    return TSR_OK;
}

static tsr_status check_head(char *const *f, const reader *r, tsr_error *err)
{
    for (int i = 0; i < NCOLUMNS; i++)
        if (strcmp(f[i], column_names[i]) != 0)
            return tsr_fail_at(err, TSR_SYNTAX, r->path, r->line, 0, "column %d is '%s', found '%.100s'",
                               i + 1, column_names[i], f[i]);
    return TSR_OK;
}

static tsr_status parse_rows(tsr_datasets *datasets, reader *r, tsr_error *err)
{
    char *fields[NCOLUMNS];
    TSR_TRY(next_line(fields, r, err));
    TSR_TRY(check_head(fields, r, err));
    while (r->p < r->end) {
        tsr_dataset *const row = &datasets->rows[datasets->n];
        TSR_TRY(next_line(fields, r, err));
        TSR_TRY(parse_row(row, fields, r, err));
        for (int i = 0; i < datasets->n; i++)
            if (strcmp(datasets->rows[i].name, row->name) == 0)
                return fail_row(r, err, "a name stands in one row only", row->name);
        datasets->n++;
    }
    return TSR_OK;
}

tsr_status tsr_datasets_parse(tsr_datasets **out, const char *text, size_t nbytes, const char *path,
                              tsr_error *err)
{
    *out = NULL;
    tsr_status status;
    uint64_t nlines = 1;
    void *rows;
    if (memchr(text, '\0', nbytes))
        return tsr_fail_at(err, TSR_SYNTAX, path, 0, 0, "a table of datasets is text, and has no NUL in it");
    for (size_t i = 0; i < nbytes; i++)
        nlines += text[i] == '\n';
    if (nlines > MAX_ROWS)
        return tsr_fail_at(err, TSR_LIMIT, path, 0, 0, "a table of more than %d datasets", MAX_ROWS);
    tsr_datasets *datasets = tsr_calloc(1, sizeof *datasets);
    if (!datasets)
        return tsr_fail_at(err, TSR_NOMEM, path, 0, 0, "out of memory");
    TSR_TRY_OUT(tsr_alloc_array(&rows, nlines, sizeof *datasets->rows, 1, "a table of datasets", err));
    datasets->rows = rows;
    datasets->text = tsr_malloc(nbytes + 1);
    if (!datasets->text)
        TSR_TRY_OUT(tsr_fail_at(err, TSR_NOMEM, path, 0, 0, "out of memory"));
    memcpy(datasets->text, text, nbytes);
    datasets->text[nbytes] = '\0';
    reader r = {.p = datasets->text, .end = datasets->text + nbytes, .path = path};
    TSR_TRY_OUT(parse_rows(datasets, &r, err));
    *out = datasets;
    return TSR_OK;
out:
    tsr_datasets_free(datasets);
    return status;
}

tsr_status tsr_datasets_load(tsr_datasets **out, const char *path, tsr_error *err)
{
    *out = NULL;
    if (!path)
        return tsr_datasets_parse(out, tsr_datasets_csv, strlen(tsr_datasets_csv), "the built-in table", err);
    tsr_text text = {0};
    tsr_status status = tsr_input_read(&text, path, MAX_NBYTES, err);
    if (status == TSR_OK)
        status = tsr_datasets_parse(out, tsr_text_cstr(&text), text.nbytes, path, err);
    tsr_text_clear(&text);
    return status;
}

void tsr_datasets_free(tsr_datasets *datasets)
{
    if (!datasets)
        return;
    tsr_free(datasets->rows);
    tsr_free(datasets->text);
    tsr_free(datasets);
}
