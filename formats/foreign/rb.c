/* Rutherford-Boeing and Harwell-Boeing: sparse matrices by columns, in lines of fixed Fortran formats. See
 * rb.md. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "array_import.h"
#include "rb_write.h"
#include "text_reader.h"
#include "text_writer.h"
#include "tsr_num.h"

/* A Fortran format: "(26I3)", "(1P,4E20.12)". */
typedef struct card {
    int per_line, width;
    int decimals; /* after the point, where a number has no point: 12345 is 12.345 in F10.3 */
    int scale;    /* of nP: a number without an exponent is 10^scale times as large as it stands there */
} card;

/* The header of a file. */
typedef struct head {
    char type[3]; /* in lower case */
    uint64_t rows, columns, nnz;
    uint64_t nlines[3]; /* of pointers, indices, values */
    card cards[3];
    bool has_rhs;
} head;

static bool parse_card(card *out, const char *p, const char *end)
{
    char text[24];
    size_t k = 0;
    uint64_t n[2] = {1, 0}, decimals = 0, scale = 0;
    for (; p < end && k < sizeof text - 1; p++) /* blanks have no meaning */
        if (*p != ' ')
            text[k++] = *p;
    const char *const stop = text + k, *at = memchr(text, '(', k);
    if (!at)
        return false;
    const char *next = tsr_parse_u64(&n[0], ++at, stop);
    if (next && next < stop && (*next == 'P' || *next == 'p')) { /* a scale factor */
        scale = n[0];
        at = next + 1;
        if (at < stop && *at == ',')
            at++;
        next = tsr_parse_u64(&n[0], at, stop);
    }
    if (!next) {
        next = at;
        n[0] = 1;
    }
    if (next == stop || !memchr("IiEeDdFfGg", *next, 10))
        return false;
    const bool real = !memchr("Ii", *next, 2);
    next = tsr_parse_u64(&n[1], next + 1, stop);
    if (!next || n[0] < 1 || n[0] > 1000 || n[1] < 1 || n[1] > 1000)
        return false;
    if (real && next < stop && *next == '.' && !tsr_parse_u64(&decimals, next + 1, stop))
        return false;
    if (decimals > n[1] || scale > 1000)
        return false;
    *out = (card){(int)n[0], (int)n[1], (int)decimals, (int)scale};
    return true;
}

static tsr_status need_line(const char **p, const char **end, tsr_lines *lines, tsr_error *err)
{
    TSR_TRY(tsr_lines_next(p, end, lines, err));
    if (!*p)
        return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0, "the file is truncated");
    while (*end > *p && ((*end)[-1] == '\r' || tsr_is_blank((*end)[-1])))
        --*end;
    return TSR_OK;
}

static tsr_status bad_head(const tsr_lines *lines, const char *expected, tsr_error *err)
{
    return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0, "expected %s", expected);
}

/* Read at most `most` integers from a line; return the number of them, or -1 if the line has something
 * else. */
static int take_integers(uint64_t *out, int most, const char *p, const char *end)
{
    const char *token, *token_end;
    int n = 0;
    for (; n < most && tsr_next_token(&token, &token_end, &p, end); n++)
        if (tsr_parse_u64(&out[n], token, token_end) != token_end || out[n] > INT64_MAX)
            return -1;
    return n;
}

static tsr_status read_formats(head *h, tsr_lines *lines, tsr_error *err)
{
    static const int begin[] = {0, 16, 32}, width[] = {16, 16, 20};
    const char *p, *end;
    TSR_TRY(need_line(&p, &end, lines, err));
    for (int i = 0; i < 3; i++) {
        const char *const a = end - p > begin[i] ? p + begin[i] : end;
        const char *const b = end - a > width[i] ? a + width[i] : end;
        if (!parse_card(&h->cards[i], a, b) && (i < 2 || (h->type[0] != 'p' && h->nlines[2] > 0)))
            return bad_head(lines, "three Fortran formats such as (26I3)", err);
    }
    return TSR_OK;
}

static tsr_status read_head(head *h, tsr_lines *lines, tsr_error *err)
{
    const char *p, *end;
    uint64_t n[5] = {0};
    *h = (head){.rows = 0};
    TSR_TRY(need_line(&p, &end, lines, err)); /* title and key */
    TSR_TRY(need_line(&p, &end, lines, err));
    if (take_integers(n, 5, p, end) < 4)
        return bad_head(lines, "the numbers of lines of pointers, indices and values", err);
    memcpy(h->nlines, n + 1, sizeof h->nlines);
    h->has_rhs = n[4] > 0;
    TSR_TRY(need_line(&p, &end, lines, err));
    if (end - p < 4)
        return bad_head(lines, "a type such as rua, and sizes", err);
    for (int i = 0; i < 3; i++)
        h->type[i] = (char)tolower((unsigned char)p[i]);
    if (!memchr("rcpi", h->type[0], 4) || !memchr("suhzr", h->type[1], 5) || !memchr("ae", h->type[2], 2))
        return bad_head(lines, "a type such as rua (r c p i, then s u h z r, then a)", err);
    if (h->type[2] == 'e')
        return tsr_fail_at(err, TSR_UNSUPPORTED, lines->path, lines->line, 0,
                           "has element matrices, which are not supported: assemble the matrix first");
    if (take_integers(n, 4, p + 3, end) < 3)
        return bad_head(lines, "rows, columns and entries", err);
    h->rows = n[0];
    h->columns = n[1];
    h->nnz = n[2];
    TSR_TRY(read_formats(h, lines, err));
    return h->has_rhs ? need_line(&p, &end, lines, err) : TSR_OK;
}

/* ---- cards ---- */

/* Numbers to read from lines of a fixed format, one at a time. */
typedef struct reader {
    tsr_lines *lines;
    card card;
    const char *p, *end; /* the rest of the line */
    int left;            /* numbers left in the line */
    bool tokens;         /* there are blanks between the numbers */
    uint64_t due;        /* numbers left in all lines */
} reader;

static tsr_status next_number(const char **p, const char **end, reader *r, tsr_error *err)
{
    while (r->left == 0) {
        TSR_TRY(need_line(&r->p, &r->end, r->lines, err));
        r->left = r->due < (uint64_t)r->card.per_line ? (int)r->due : r->card.per_line;
        const int n = tsr_count_tokens(r->p, r->end);
        r->tokens = n == r->left;
        if (n == 0)
            return bad_head(r->lines, "numbers", err);
    }
    if (r->tokens) {
        (void)tsr_next_token(p, end, &r->p, r->end);
    } else {
        *p = r->p;
        *end = r->end - r->p > r->card.width ? r->p + r->card.width : r->end;
        r->p = *end;
        while (*p < *end && tsr_is_blank(**p))
            ++*p;
        while (*end > *p && tsr_is_blank((*end)[-1]))
            --*end;
    }
    r->left--;
    r->due--;
    return TSR_OK;
}

static tsr_status bad_number(const reader *r, const char *p, const char *end, tsr_error *err)
{
    char token[TSR_TOKEN_NBYTES];
    return tsr_fail_at(err, TSR_SYNTAX, r->lines->path, r->lines->line, tsr_lines_col(r->lines, p),
                       "expected a number, not %s",
                       p < end ? tsr_token_text(token, p, end) : "the end of the line");
}

/* Read n integers below 2^63. */
static tsr_status read_integers(tsr_numbers *out, reader *r, uint64_t n, uint64_t most, tsr_error *err)
{
    const char *p, *end;
    uint64_t v;
    r->due = n;
    r->left = 0;
    TSR_TRY(tsr_array_init(&out->array, n, most <= UINT32_MAX ? 4 : 8, 0, out->name, err));
    out->type = most <= UINT32_MAX ? TSR_U32 : TSR_U64;
    for (uint64_t i = 0; i < n; i++) {
        TSR_TRY(next_number(&p, &end, r, err));
        if (p == end || tsr_parse_u64(&v, p, end) != end)
            return bad_number(r, p, end, err);
        if (v > most)
            return tsr_fail_at(err, TSR_CORRUPT, r->lines->path, r->lines->line, tsr_lines_col(r->lines, p),
                               "the number %" PRIu64 " is over the limit %" PRIu64, v, most);
        tsr_array_set(&out->array, i, v);
    }
    return TSR_OK;
}

/* Read a real number as Fortran does. The exponent may lack the letter (1.0-105), or have a blank instead of the sign (1.0D
 * 00). Without a point, the last digits of the card are decimals; without an exponent, the scale factor holds. */
static bool parse_real(double *v, const char *p, const char *end, const card *form)
{
    char text[112];
    size_t n = 0;
    int64_t exponent = 0;
    if (memchr(p, '.', (size_t)(end - p)) && form->scale == 0 && tsr_parse_f64(v, p, end) == end)
        return true;
    for (; p < end && n < 80; p++)
        if (*p != ' ')
            text[n++] = *p;
    if (p < end || tsr_parse_f64(v, text, text + n) == NULL)
        return false;
    if (n > 0 && isalpha((unsigned char)text[n - 1])) /* nan, inf */
        return tsr_parse_f64(v, text, text + n) == text + n;
    text[n] = '\0';
    size_t mantissa = strspn(text, "+-");
    mantissa += strspn(text + mantissa, "0123456789.");
    const char *at = text + mantissa, *const stop = text + n;
    const bool has_exponent = at < stop;
    if (has_exponent) {
        at += memchr("eEdDqQ", *at, 6) != NULL;
        if (tsr_parse_i64(&exponent, at, stop) != stop || exponent > 100000 || exponent < -100000)
            return false;
    }
    const bool point = memchr(text, '.', mantissa) != NULL;
    exponent -= (point ? 0 : form->decimals) + (has_exponent ? 0 : form->scale);
    const int more = snprintf(text + mantissa, sizeof text - mantissa, "e%" PRId64, exponent);
    const char *const whole = text + mantissa + more;
    return tsr_parse_f64(v, text, whole) == whole;
}

static tsr_status read_values(tsr_numbers *out, reader *r, const head *h, tsr_error *err)
{
    const char *p, *end;
    const uint64_t parts = h->type[0] == 'c' ? 2 : 1;
    out->type = h->type[0] == 'c' ? TSR_C128 : h->type[0] == 'i' ? TSR_I64 : TSR_F64;
    r->due = parts * h->nnz;
    r->left = 0;
    TSR_TRY(tsr_array_init(&out->array, h->nnz, parts * 8, 0, out->name, err));
    for (uint64_t i = 0; i < parts * h->nnz; i++) {
        double v = 0;
        int64_t whole = 0;
        TSR_TRY(next_number(&p, &end, r, err));
        if (h->type[0] == 'i' ? p == end || tsr_parse_i64(&whole, p, end) != end
                              : !parse_real(&v, p, end, &h->cards[2]))
            return bad_number(r, p, end, err);
        memcpy((char *)out->array.data + 8 * i, h->type[0] == 'i' ? (const void *)&whole : &v, 8);
    }
    return TSR_OK;
}

/* Find the triangle that is stored: by the rules the lower one, but some files have the upper one. */
static tsr_status find_triangle(tsr_arrays *in, tsr_error *err)
{
    bool above = false, below = false;
    const tsr_array *const p = &in->pointers.array, *const rows = &in->crd[0].array;
    if (in->structure == TSR_GENERAL)
        return TSR_OK;
    for (uint64_t j = 0; j + 1 < p->n && tsr_array_get(p, j) <= tsr_array_get(p, j + 1); j++)
        for (uint64_t q = tsr_array_get(p, j) - 1; q + 1 < tsr_array_get(p, j + 1) && q < rows->n; q++) {
            above = above || tsr_array_get(rows, q) < j + 1;
            below = below || tsr_array_get(rows, q) > j + 1;
        }
    if (above && below)
        return tsr_fail(
            err, TSR_CORRUPT,
            "the header says that one triangle of the matrix is stored, but the file has entries of both");
    if (above) /* each *_UPPER follows its *_LOWER */
        in->structure = (tsr_structure)(in->structure + 1);
    return TSR_OK;
}

/* Check the counts of the header against the size of the file, before memory is allocated: a number takes at
 * least one character. */
static tsr_status check_counts(const head *h, const tsr_lines *lines, tsr_error *err)
{
    const uint64_t most = tsr_input_max_text_nbytes(lines->input);
    if (h->nnz > most || h->columns > most)
        return tsr_fail_at(err, TSR_CORRUPT, lines->path, lines->line, 0,
                           "the header says %" PRIu64 " columns and %" PRIu64
                           " entries, but the file has %" PRIu64 " bytes",
                           h->columns, h->nnz, most);
    return TSR_OK;
}

static tsr_status rb_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    static const struct {
        char letter;
        tsr_structure structure;
    } structures[] = {{'s', TSR_SYMMETRIC_LOWER}, {'h', TSR_HERMITIAN_LOWER}, {'z', TSR_SKEW_LOWER}};
    tsr_lines lines;
    head h;
    tsr_arrays in = {.order = 2, .major = 1, .base = 1};
    tsr_status status;
    TSR_TRY(tsr_lines_open(&lines, path, options, err));
    reader r = {.lines = &lines};
    TSR_TRY_OUT(read_head(&h, &lines, err));
    TSR_TRY_OUT(check_counts(&h, &lines, err));
    in.dims[0] = h.rows;
    in.dims[1] = h.columns;
    for (size_t i = 0; i < sizeof structures / sizeof *structures; i++)
        if (h.type[1] == structures[i].letter)
            in.structure = structures[i].structure;
    in.pointers.name = "pointers";
    in.crd[0].name = "row indices";
    in.values.name = "values";
    r.card = h.cards[0];
    TSR_TRY_OUT(read_integers(&in.pointers, &r, h.columns + 1, h.nnz + 1, err));
    r.card = h.cards[1];
    TSR_TRY_OUT(read_integers(&in.crd[0], &r, h.nnz, h.rows, err));
    r.card = h.cards[2];
    if (h.type[0] == 'p' || (h.nlines[2] == 0 && h.nnz > 0)) { /* a matrix without entries keeps its type */
        TSR_TRY_OUT(tsr_arrays_make_pattern(&in, err));
    } else {
        TSR_TRY_OUT(read_values(&in.values, &r, &h, err));
    }
    TSR_TRY_OUT(find_triangle(&in, err));
    status = tsr_arrays_compressed(out, &in, options, err);
out:
    tsr_arrays_clear(&in);
    tsr_lines_clear(&lines);
    return status;
}

static tsr_status rb_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                              tsr_error *err)
{
    tsr_lines lines;
    head h;
    tsr_status status;
    TSR_TRY_OUT(tsr_lines_describe(&lines, out, path, options, err));
    TSR_TRY_OUT(read_head(&h, &lines, err));
    tsr_brief_tensor *const tensor = tsr_brief_add(out, "");
    if (!tensor) {
        status = tsr_fail(err, TSR_NOMEM, "out of memory");
        goto out;
    }
    tensor->order = 2;
    tensor->has_dims = tensor->has_nnz = true;
    tensor->dims[0] = h.rows;
    tensor->dims[1] = h.columns;
    tensor->nnz = h.nnz;
    tensor->structure = h.type[1] == 's'   ? TSR_SYMMETRIC_LOWER
                        : h.type[1] == 'h' ? TSR_HERMITIAN_LOWER
                        : h.type[1] == 'z' ? TSR_SKEW_LOWER
                                           : TSR_GENERAL;
    snprintf(tensor->type, sizeof tensor->type, "%s",
             h.type[0] == 'r'   ? "f64"
             : h.type[0] == 'c' ? "c128"
             : h.type[0] == 'i' ? "i64"
                                : "pattern");
out:
    tsr_lines_clear(&lines);
    return status;
}

/* Claims a text whose third line begins with a type, and whose fourth line begins with a format. */
static int rb_probe(const tsr_probe *probe)
{
    const char *p = (const char *)probe->head, *const all = p + probe->n, *third = NULL;
    for (int line = 0; line < 3; line++) {
        const char *const newline = memchr(p, '\n', (size_t)(all - p));
        if (!newline)
            return 0;
        if (line == 2)
            third = p;
        p = newline + 1;
    }
    const bool type = all - third > 14 && !memchr(third, '\0', 3) && strchr("rcpiRCPI", third[0]) &&
                      strchr("suhzrSUHZR", third[1]) && strchr("aeAE", third[2]) && third[3] == ' ';
    while (p < all && *p == ' ')
        p++;
    return type && p < all && *p == '(' ? 92 : 0;
}

static const char *const suffixes[] = {".rb",  ".hb",  ".rua", ".rsa", ".rra", ".rza", ".pua", ".psa",
                                       ".pra", ".cua", ".csa", ".cha", ".cra", ".iua", NULL};

const tsr_codec tsr_codec_rb = {
    .name = "rb",
    .summary = "Rutherford-Boeing and Harwell-Boeing: assembled sparse matrices",
    .suffixes = suffixes,
    .streams = true,
    .probe = rb_probe,
    .read = rb_read,
    .describe = rb_describe,
    .takes_tensor = tsr_rb_takes_tensor,
    .check = tsr_rb_check,
    .write_tensor = tsr_rb_write,
};
