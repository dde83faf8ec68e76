/* Fields of CSV as numbers between blanks: see text_fields.h. */
#include "text_fields.h"

#include <string.h>

#include "text_block.h"

/* The quote that ends the field which begins after `p`; a doubled quote stands for one inside the field. NULL: there is none, or it is
 * not followed by the separator or the end of the line. */
static const char *find_end_quote(const char *p, const char *end, char separator)
{
    const char *quote = memchr(p, '"', (size_t)(end - p));
    while (quote && quote + 1 < end && quote[1] == '"')
        quote = memchr(quote + 2, '"', (size_t)(end - quote - 2));
    const char *after = quote ? quote + 1 : end;
    while (after < end && *after != separator && (tsr_is_blank(*after) || *after == '\r'))
        after++;
    return quote && (after == end || *after == separator) ? quote : NULL;
}

bool tsr_next_field(const char **field, const char **field_end, const char **p, const char *end,
                    char separator)
{
    if (!*p)
        return false;
    const char *a = *p;
    while (a < end && *a != separator && (tsr_is_blank(*a) || *a == '\r'))
        a++;
    const char *const quote = a < end && *a == '"' ? find_end_quote(a + 1, end, separator) : NULL;
    const char *const from = quote ? quote : a;
    const char *const stop = from < end ? memchr(from, separator, (size_t)(end - from)) : NULL;
    const char *b = quote ? quote : stop ? stop : end;
    *p = stop ? stop + 1 : NULL;
    while (!quote && b > a && (tsr_is_blank(b[-1]) || b[-1] == '\r'))
        b--;
    a += quote != NULL;
    *field = a;
    *field_end = b;
    return true;
}

/* The fields of one line into spans; the place of a fault, or NULL. */
static const char *split_line(const char *spans[][2], const char *line, const char *end,
                              const tsr_fields *fields, tsr_error *err)
{
    const char *p = line;
    int n = 0;
    while (n < fields->ncolumns && tsr_next_field(&spans[n][0], &spans[n][1], &p, end, fields->separator)) {
        if (spans[n][0] == spans[n][1]) {
            (void)tsr_fail(err, TSR_SYNTAX, "field %d of this line is empty", n + 1);
            return spans[n][0];
        }
        n++;
    }
    if (n == fields->ncolumns && !p)
        return NULL;
    (void)tsr_fail(err, TSR_SYNTAX, "this line has %s fields than the %d of the first one",
                   n < fields->ncolumns ? "fewer" : "more", fields->ncolumns);
    return line;
}

/* A number with a decimal comma in a kept field, or NULL. */
static const char *find_comma(const char *const span[2])
{
    return memchr(span[0], ',', (size_t)(span[1] - span[0]));
}

/* Put the kept fields at the beginning of the line, with blanks between and behind them. Fields may move
 * either way, so they go through a copy of the line. */
static void join_line(char *line, size_t nbytes, char *copy, const char *const spans[][2],
                      const tsr_fields *fields)
{
    memcpy(copy, line, nbytes);
    size_t to = 0;
    for (int i = 0; i < fields->n; i++) {
        const char *const *const span = spans[fields->column[i]];
        const size_t n = (size_t)(span[1] - span[0]);
        memcpy(line + to, copy + (span[0] - line), n);
        to += n;
        line[to++] = ' '; /* a separator, or the end of the line, stood there at the latest */
    }
    memset(line + to, ' ', nbytes - to);
}

/* Rewrite [line, end), `end` at the newline. */
static tsr_status rewrite_line(char *line, char *end, char *copy, const tsr_fields *fields,
                               const char **fault, tsr_error *err)
{
    const char *spans[TSR_MAX_FIELDS][2];
    const char *p = line;
    while (p < end && (tsr_is_blank(*p) || *p == '\r') && *p != fields->separator)
        p++;
    if (p == end || *p == '#' || *p == '%')
        return TSR_OK;
    *fault = split_line(spans, line, end, fields, err);
    if (*fault)
        return TSR_SYNTAX;
    for (int i = 0; i < fields->n; i++) {
        *fault = find_comma(spans[fields->column[i]]);
        if (*fault)
            return tsr_fail(
                err, TSR_SYNTAX,
                "a number has a decimal comma: write numbers with a decimal point (in a spreadsheet, "
                "save with another language or locale)");
    }
    join_line(line, (size_t)(end - line) + 1, copy, (const char *const(*)[2])spans, fields);
    *end = '\n';
    return TSR_OK;
}

/* ---- plain text ---- */

/* What a piece of text has: separators and lines, at most PIECE_NBYTES; whether it needs rewrite_line. */
typedef struct sight {
    unsigned char nseparators, nlines, special;
} sight;
enum { PIECE_NBYTES = 192 };

/* Look at text[0..n), n <= PIECE_NBYTES; text[-1] is the character before. Compilers make vector instructions of this loop. */
static sight look(const char *text, size_t n, const char separator)
{
    const char *const previous = text - 1;
    sight s = {0};
    const char tab = separator == '\t' ? ' ' : '\t', comma = separator == ',' ? ' ' : ',';
    for (size_t i = 0; i < n; i++) {
        const char c = text[i], before = previous[i];
        const unsigned char here = c == separator, end = (c == '\n') | (c == '\r');
        s.nseparators = (unsigned char)(s.nseparators + here);
        s.nlines = (unsigned char)(s.nlines + (c == '\n'));
        s.special |= (unsigned char)((c == '"') | (c == ' ') | (c == tab) | (c == comma) |
                                     ((before == separator) & (here | end)) | ((before == '\n') & here));
    }
    return s;
}

/* If the fields of all lines are kept as they are, and are bare numbers, put blanks in place of the separators: the parser of
 * numbers then finds all other errors. False: the text is unchanged, and each line needs rewrite_line. */
static bool rewrite_plain(char *text, size_t nbytes, const tsr_fields *fields)
{
    const char separator = fields->separator;
    uint64_t nseparators = 0, nlines = 0;
    if (fields->n != fields->ncolumns || nbytes == 0 || text[0] == separator || tsr_is_blank(text[0]))
        return false;
    for (int i = 0; i < fields->n; i++)
        if (fields->column[i] != i)
            return false;
    for (size_t at = 1; at < nbytes; at += PIECE_NBYTES) {
        const size_t left = nbytes - at;
        const sight s = look(text + at, left < PIECE_NBYTES ? left : PIECE_NBYTES, separator);
        if (s.special)
            return false;
        nseparators += s.nseparators;
        nlines += s.nlines;
    }
    if (text[0] == '"' || text[0] == ',' || nseparators != nlines * (uint64_t)(fields->n - 1))
        return false;
    for (size_t i = 0; i < nbytes; i++)
        text[i] = text[i] == separator ? ' ' : text[i];
    return true;
}

tsr_status tsr_fields_rewrite(char *text, size_t nbytes, const tsr_fields *fields, const char **fault,
                              tsr_error *err)
{
    char *copy = NULL;
    size_t capacity = 0;
    tsr_status status = TSR_OK;
    *fault = NULL;
    if (rewrite_plain(text, nbytes, fields))
        return TSR_OK;
    for (char *line = text, *const all = text + nbytes; status == TSR_OK && line < all;) {
        char *const end = memchr(line, '\n', (size_t)(all - line));
        const size_t n = (size_t)((end ? end : all) - line) + 1;
        if (n > capacity) {
            tsr_free(copy);
            capacity = 2 * n;
            copy = tsr_malloc(capacity);
            if (!copy)
                return tsr_fail(err, TSR_NOMEM, "out of memory: a line of %zu bytes", n);
        }
        if (end)
            status = rewrite_line(line, end, copy, fields, fault, err);
        line += n;
    }
    tsr_free(copy);
    return status;
}
