/* Parsing one block of entry lines: see text_block.h.
 *
 * There are two parsers of a line: scan_lines is fast and accepts only "digits blank digits blank value
 * newline"; parse_line knows all rules and makes all messages. A line that scan_lines does not accept goes to
 * parse_line, so one function decides which lines are valid. */
#include "text_block.h"

#include <inttypes.h>

#include "tsr_digits.h"
#include "tsr_input.h"
#include "tsr_num.h"
#include "tsr_shown.h"

typedef enum line_result {
    LINE_ENTRY, /* one entry stored at block->n (not yet counted) */
    LINE_NONE,  /* a blank line or a comment */
    LINE_REAL,  /* the value is not an integer while integers are collected */
    LINE_BAD    /* block->fault is set, the error filled */
} line_result;

/* Where a line is not short, scan_short_lines tries again after that many bytes. */
enum { RETRY_NBYTES = 4096 };

/* The kinds of values that scan_lines is specialised for. */
typedef enum value_kind { KIND_NONE, KIND_F64, KIND_I64, KIND_INTEGERS, KIND_OTHER } value_kind;

const char *tsr_token_text(char *buf, const char *p, const char *end)
{
    tsr_show_n(buf, TSR_TOKEN_NBYTES, p, (size_t)(end - p));
    return buf;
}

void tsr_line_strip(const char **p, const char **end, const char *comments)
{
    const char *s = *p, *e = *end;
    for (const char *c = comments; *c; c++) {
        const char *const comment = memchr(s, *c, (size_t)(e - s));
        e = comment ? comment : e;
    }
    while (s < e && tsr_is_blank(*s))
        s++;
    while (e > s && (tsr_is_blank(e[-1]) || e[-1] == '\r'))
        e--;
    *p = s;
    *end = e;
}

tsr_status tsr_entries_too_many(uint64_t nnz, tsr_error *err)
{
    return tsr_fail(err, TSR_SYNTAX, "the file has more entries than the %" PRIu64 " in the header", nnz);
}

tsr_status tsr_entries_too_few(const char *path, uint64_t line, uint64_t n, uint64_t nnz, tsr_error *err)
{
    return tsr_fail_at(err, TSR_SYNTAX, path, line, 0,
                       "the file ends after %" PRIu64 " of the %" PRIu64 " entries that the header claims", n,
                       nnz);
}

const char *tsr_entry_locate(const tsr_columns *columns, const char *text, size_t nbytes, uint64_t k)
{
    const char *const end = text + nbytes;
    for (const char *line = text; line < end;) {
        const char *const newline = memchr(line, '\n', (size_t)(end - line));
        const char *p = line, *stop = newline;
        tsr_line_strip(&p, &stop, columns->comments);
        if (p < stop && k-- == 0)
            return p;
        line = newline + 1;
    }
    return text;
}

/* --- One line in full -------------------------------------------------------------------------------- */

/* The state of parsing a block. */
typedef struct parser {
    tsr_entry_block *block;
    const tsr_columns *columns;
    const char *end; /* of the block's text */
    tsr_error *err;
    tsr_status status;
} parser;

#define BAD(ps, at, code, ...) \
    ((ps)->block->fault = (at), (ps)->status = tsr_fail((ps)->err, (code), __VA_ARGS__), LINE_BAD)

static const char *token_end(const char *p, const char *stop)
{
    while (p < stop && !tsr_is_blank(*p))
        p++;
    return p;
}

int tsr_columns_count(const tsr_columns *columns)
{
    return columns->order + (tsr_type_class(columns->type) == 'P'   ? 0
                             : tsr_type_class(columns->type) == 'C' ? 2
                                                                    : 1);
}

/* Report the error in the index [p, end). */
static line_result bad_index(parser *ps, int mode, const char *p, const char *end)
{
    char token[TSR_TOKEN_NBYTES];
    const tsr_columns *c = ps->columns;
    tsr_token_text(token, p, end);
    uint64_t v;
    if (*p == '-' && tsr_parse_u64(&v, p + 1, end) == end)
        return BAD(ps, p, TSR_RANGE, "index %s of mode %d is below %" PRIu64, token, mode, c->base);
    if (tsr_parse_u64(&v, p, end) != end)
        return v == UINT64_MAX
                   ? BAD(ps, p, TSR_RANGE, "index %s of mode %d does not fit 63 bits", token, mode)
                   : BAD(ps, p, TSR_SYNTAX,
                         "expected an index (a whole number) in column %d of %d, found '%s'%s", mode + 1,
                         tsr_columns_count(c), token, c->fields ? ": use --relabel to number names" : "");
    if (v < c->base)
        return BAD(ps, p, TSR_RANGE,
                   "index 0 of mode %d is below 1: use --index-base=0 for files whose indices count from 0",
                   mode);
    if (c->has_dims)
        return BAD(ps, p, TSR_RANGE, "index %" PRIu64 " of mode %d is beyond its size %" PRIu64 "%s", v, mode,
                   c->dims[mode], c->base ? "" : " (indices count from 0)");
    return BAD(ps, p, TSR_RANGE, "index %s of mode %d does not fit 63 bits", token, mode);
}

/* One real number that fills [p, end): f64 or f32. */
static bool parse_real(void *dst, tsr_type type, const char *p, const char *end)
{
    return type == TSR_F32 || type == TSR_C64 ? tsr_parse_f32(dst, p, end) == end
                                              : tsr_parse_f64(dst, p, end) == end;
}

static line_result parse_integer(parser *ps, void *dst, tsr_type type, const char *p, const char *end)
{
    char token[TSR_TOKEN_NBYTES];
    tsr_token_text(token, p, end);
    if (type == TSR_I64) {
        int64_t v;
        const char *q = tsr_parse_i64(&v, p, end);
        if (q == end) {
            memcpy(dst, &v, sizeof v);
            return LINE_ENTRY;
        }
        if (!q && v != 0)
            return BAD(ps, p, TSR_RANGE, "%s does not fit a 64-bit signed integer", token);
    } else {
        uint64_t v;
        const char *q = tsr_parse_u64(&v, p, end);
        if (q == end) {
            memcpy(dst, &v, sizeof v);
            return LINE_ENTRY;
        }
        if (!q && v != 0)
            return BAD(ps, p, TSR_RANGE, "%s does not fit a 64-bit unsigned integer", token);
        if (*p == '-')
            return BAD(ps, p, TSR_RANGE, "%s is negative: expected an unsigned integer", token);
    }
    return BAD(ps, p, TSR_SYNTAX, "expected an integer in column %d of %d, found '%s'",
               ps->columns->order + 1, tsr_columns_count(ps->columns), token);
}

/* Parse the value columns from *p on and move *p past them. */
static line_result parse_value(parser *ps, const char **p, const char *stop)
{
    const tsr_type type = ps->columns->type;
    char *dst = (char *)ps->block->values + ps->block->n * tsr_type_nbytes(type);
    const int nparts = tsr_type_class(type) == 'C' ? 2 : 1;
    for (int part = 0; part < nparts; part++) {
        while (*p < stop && tsr_is_blank(*(*p)))
            ++*p;
        const int column = ps->columns->order + part;
        if (*p == stop)
            return BAD(ps, stop, TSR_SYNTAX, "the line ends after %d of %d numbers: expected %s", column,
                       tsr_columns_count(ps->columns), part ? "an imaginary part" : "a value");
        const char *const end = token_end(*p, stop);
        const char *const start = *p;
        *p = end;
        if (type == TSR_I64 || type == TSR_U64) {
            const line_result result = parse_integer(ps, dst, type, start, end);
            if (result != LINE_ENTRY)
                return result;
        } else if (ps->columns->integers && !ps->block->real) {
            int64_t v;
            if (tsr_parse_i64(&v, start, end) != end || (v == 0 && *start == '-'))
                return LINE_REAL;
            memcpy(dst, &v, sizeof v);
        } else if (!parse_real(dst + (size_t)part * (type == TSR_C64 ? 4 : 8), type, start, end)) {
            char token[TSR_TOKEN_NBYTES];
            return BAD(ps, start, TSR_SYNTAX, "expected a number in column %d of %d, found '%s'", column + 1,
                       tsr_columns_count(ps->columns), tsr_token_text(token, start, end));
        }
    }
    return LINE_ENTRY;
}

/* Check the text after the last column: it must be empty, or numbers where these are ignored. */
static line_result parse_rest(parser *ps, const char *p, const char *stop)
{
    bool extra = false;
    for (;;) {
        while (p < stop && tsr_is_blank(*p))
            p++;
        if (p == stop)
            break;
        const char *const end = token_end(p, stop);
        char token[TSR_TOKEN_NBYTES];
        double number;
        tsr_token_text(token, p, end);
        if (!ps->columns->ignore_extra)
            return BAD(ps, p, TSR_SYNTAX, "expected the end of the line after %d numbers, found '%s'",
                       tsr_columns_count(ps->columns), token);
        const bool braces =
            end - p == 2 && memcmp(p, "{}", 2) == 0; /* edges of networkx without attributes */
        if (!braces && tsr_parse_f64(&number, p, end) != end)
            return BAD(ps, p, TSR_SYNTAX, "expected a number or the end of the line, found '%s'", token);
        extra = !braces;
        p = end;
    }
    ps->block->nextra += extra;
    return LINE_ENTRY;
}

/* Parse the line at *line by all rules. *line moves to the next line, unless the line is bad or must be
 * parsed again (LINE_REAL). */
static line_result parse_line(parser *ps, const char **line)
{
    const tsr_columns *const c = ps->columns;
    const char *p = *line, *const newline = memchr(p, '\n', (size_t)(ps->end - p));
    const char *stop = newline;
    tsr_line_strip(&p, &stop, c->comments);
    if (p == stop) {
        *line = newline + 1;
        return LINE_NONE;
    }
    for (int m = 0; m < c->order; m++) {
        while (p < stop && tsr_is_blank(*p))
            p++;
        if (p == stop)
            return BAD(ps, stop, TSR_SYNTAX, "the line ends after %d of %d numbers: expected an index", m,
                       tsr_columns_count(c));
        const char *const end = token_end(p, stop);
        uint64_t v;
        if (tsr_parse_u64(&v, p, end) != end || v < c->base || v - c->base >= c->dims[m])
            return bad_index(ps, m, p, end);
        ps->block->crd[m][ps->block->n] = v - c->base;
        p = end;
    }
    line_result result = c->type == TSR_PATTERN ? LINE_ENTRY : parse_value(ps, &p, stop);
    if (result == LINE_ENTRY)
        result = parse_rest(ps, p, stop);
    if (result == LINE_ENTRY)
        *line = newline + 1;
    return result;
}

/* --- The tight loop ------------------------------------------------------------------------------------ */

static inline const char *skip_blanks(const char *p)
{
    while (tsr_is_blank(*p))
        p++;
    return p;
}

/* The value at p for types without a specialised loop; NULL: parse_line must parse it. */
static const char *scan_other(tsr_type type, void *values, size_t n, const char *p, const char *end)
{
    double *const reals = values;
    float *const singles = values;
    const char *re;
    switch (type) {
    case TSR_U64:
        return tsr_digits((uint64_t *)values + n, p);
    case TSR_F32:
        return tsr_parse_f32(singles + n, p, end);
    case TSR_C128:
        re = tsr_parse_f64(reals + 2 * n, p, end);
        return re && tsr_is_blank(*re) ? tsr_parse_f64(reals + 2 * n + 1, skip_blanks(re), end) : NULL;
    case TSR_C64:
        re = tsr_parse_f32(singles + 2 * n, p, end);
        return re && tsr_is_blank(*re) ? tsr_parse_f32(singles + 2 * n + 1, skip_blanks(re), end) : NULL;
    default:
        return NULL;
    }
}

/* Parse the value at p into values[n]. NULL: parse_line must parse it. */
static inline const char *scan_value(const value_kind kind, tsr_type type, void *values, size_t n,
                                     const char *p, const char *end)
{
    if (kind == KIND_F64)
        return tsr_parse_f64((double *)values + n, p, end);
    if (kind == KIND_OTHER)
        return scan_other(type, values, n, p, end);
    const bool negative = *p == '-';
    uint64_t v;
    p = tsr_digits(&v, p + negative);
    if (!p || v > INT64_MAX || (kind == KIND_INTEGERS && negative && v == 0))
        return NULL;
    ((int64_t *)values)[n] = negative ? -(int64_t)v : (int64_t)v;
    return p;
}

/* Parse the lines of 32 bytes at most whose numbers have 1 to 8 digits, with one blank between them and the newline behind the last one, which
 * is the value if there is one. All ends of numbers of a line are found at once, so that no number waits for the one before. Returns
 * the first other line, or the end; *n: the number of the next entry. */
static inline const char *scan_short_lines(size_t *n, const parser *ps, const char *line, const int order,
                                           const bool has_value)
{
    const tsr_entry_block *const block = ps->block;
    const uint64_t *const dims = ps->columns->dims;
    const char *const end = ps->end;
    const uint64_t base = ps->columns->base;
    size_t i = *n;
    for (; line < end; i++) {
        uint32_t others = tsr_digits_others32(line);
        unsigned from = 0;
        uint64_t odd = 0; /* not 0: this line is not such a line */
        for (int m = 0; m < order + has_value; m++) {
            const unsigned to = others ? (unsigned)__builtin_ctz(others) : 0, length = to - from;
            const bool last = m + 1 == order + has_value;
            others &= others - 1;
            if (length - 1 > 7) /* 0, or more than 8 */
                goto out;
            const uint64_t v = tsr_digits_short(line + from, length);
            if (m < order) {
                const uint64_t index = v - base; /* 0 - 1 wraps to a number beyond all dims */
                odd |= index >= dims[m];
                block->crd[m][i] = index;
            } else {
                ((uint64_t *)block->values)[i] = v;
            }
            odd |= last ? line[to] != '\n' : !tsr_is_blank(line[to]);
            from = to + 1;
        }
        if (odd)
            break;
        line += from;
    }
out:
    *n = i;
    return line;
}

/* Parse lines from `line` on while they are plain; returns the first line that is not, or the end. A
 * constant fixed_order (0: use columns->order) and kind make a fast loop. */
static inline const char *scan_lines(parser *ps, const char *line, const int fixed_order,
                                     const value_kind kind)
{
    tsr_entry_block *const block = ps->block;
    const tsr_columns *const c = ps->columns;
    const int order = fixed_order ? fixed_order : c->order;
    const uint64_t base = c->base;
    const char *const end = ps->end;
    const bool integers = kind == KIND_I64 || kind == KIND_INTEGERS;
    const char *tried = line;
    size_t n = block->n;
    while (line < end) {
        if (fixed_order && (integers || kind == KIND_NONE) && line >= tried) {
            const char *const from = line;
            line = scan_short_lines(&n, ps, line, fixed_order, integers);
            tried = line + (line > from ? 0 : RETRY_NBYTES);
            if (line >= end)
                break;
        }
        const char *p = skip_blanks(line);
        bool plain = true;
        for (int m = 0; m < order; m++) {
            uint64_t v;
            const char *const after = tsr_digits(&v, p);
            v -= base; /* 0 - 1 wraps to a number beyond all dims */
            if (!after || v >= c->dims[m]) {
                plain = false;
                break;
            }
            block->crd[m][n] = v;
            p = skip_blanks(after);
            if (p == after && (m + 1 < order || kind != KIND_NONE)) {
                plain = false;
                break;
            }
        }
        if (!plain)
            break;
        if (kind != KIND_NONE) {
            p = scan_value(kind, c->type, block->values, n, p, end);
            if (!p)
                break;
            p = skip_blanks(p);
        }
        p += *p == '\r';
        if (*p != '\n')
            break;
        line = p + 1;
        n++;
    }
    block->nlines += n - block->n;
    block->n = n;
    return line;
}

#define SCAN(kind)                                               \
    static const char *scan_##kind(parser *ps, const char *line) \
    {                                                            \
        switch (ps->columns->order) {                            \
        case 2:                                                  \
            return scan_lines(ps, line, 2, kind);                \
        case 3:                                                  \
            return scan_lines(ps, line, 3, kind);                \
        case 4:                                                  \
            return scan_lines(ps, line, 4, kind);                \
        default:                                                 \
            return scan_lines(ps, line, 0, kind);                \
        }                                                        \
    }
SCAN(KIND_NONE)
SCAN(KIND_F64)
SCAN(KIND_I64)
SCAN(KIND_INTEGERS)

static const char *scan(parser *ps, const char *line)
{
    const tsr_columns *const c = ps->columns;
    if (c->type == TSR_PATTERN)
        return scan_KIND_NONE(ps, line);
    if (c->type == TSR_F64)
        return c->integers && !ps->block->real ? scan_KIND_INTEGERS(ps, line) : scan_KIND_F64(ps, line);
    return c->type == TSR_I64 ? scan_KIND_I64(ps, line) : scan_lines(ps, line, 0, KIND_OTHER);
}

/* --- The block ------------------------------------------------------------------------------------------ */

static tsr_status reserve(tsr_entry_block *block, const tsr_columns *c, size_t nbytes, tsr_error *err)
{
    const size_t value_nbytes = tsr_type_nbytes(c->type);
    const size_t each = 8 * (size_t)c->order + value_nbytes;
    const size_t capacity =
        nbytes / (2 * (size_t)tsr_columns_count(c)) + 1; /* a number and the byte after it: 2 bytes */
    if (capacity * each > block->memory_nbytes) {
        tsr_free(block->memory);
        block->memory_nbytes = 0;
        TSR_TRY(tsr_alloc_array(&block->memory, capacity, each, 0, "a block of entries", err));
        block->memory_nbytes = capacity * each;
    }
    char *p = block->memory;
    for (int m = 0; m < c->order; m++, p += 8 * capacity)
        block->crd[m] = (uint64_t *)(void *)p;
    block->values = p;
    block->capacity = capacity;
    return TSR_OK;
}

void tsr_entry_block_make_real(tsr_entry_block *block)
{
    for (size_t i = 0; i < block->n; i++) {
        int64_t v;
        memcpy(&v, (char *)block->values + 8 * i, sizeof v);
        const double real = (double)v;
        memcpy((char *)block->values + 8 * i, &real, sizeof real);
    }
    block->real = true;
}

/* Replace entries above the diagonal by their mirror images. False: entry *k cannot be mirrored. */
static bool mirror(tsr_entry_block *block, const tsr_columns *c, size_t *k)
{
    const bool skew = c->structure == TSR_SKEW_LOWER;
    const size_t value_nbytes = tsr_type_nbytes(c->type);
    for (size_t i = 0; i < block->n; i++) {
        const uint64_t row = block->crd[0][i], col = block->crd[1][i];
        if (row > col || (row == col && !skew))
            continue;
        *k = i;
        if (row == col)
            return false;
        char *const v = (char *)block->values + i * value_nbytes;
        if (skew && !tsr_value_negate(c->type, v))
            return false;
        if (c->structure == TSR_HERMITIAN_LOWER)
            tsr_value_conjugate(c->type, v);
        block->crd[0][i] = col;
        block->crd[1][i] = row;
        block->nmirrored++;
    }
    return true;
}

static void find_maxima(tsr_entry_block *block, int order)
{
    for (int m = 0; m < order; m++) {
        const uint64_t *const crd = block->crd[m];
        uint64_t max = 0;
        for (size_t i = 0; i < block->n; i++)
            max = crd[i] > max ? crd[i] : max;
        block->max[m] = max;
    }
}

tsr_status tsr_entry_block_parse(tsr_entry_block *block, const tsr_columns *columns, const char *text,
                                 size_t nbytes, tsr_error *err)
{
    parser ps = {.block = block, .columns = columns, .end = text + nbytes, .err = err, .status = TSR_OK};
    block->n = 0;
    block->nlines = block->nextra = block->nmirrored = 0;
    block->fault = NULL;
    TSR_TRY(reserve(block, columns, nbytes, err));
    const char *line = text;
    while ((line = scan(&ps, line)) < ps.end) {
        const line_result result = parse_line(&ps, &line);
        if (result == LINE_BAD)
            break;
        if (result == LINE_REAL)
            tsr_entry_block_make_real(block);
        else
            block->nlines++;
        block->n += result == LINE_ENTRY;
    }
    size_t k;
    if (columns->structure != TSR_GENERAL && !mirror(block, columns, &k)) {
        block->n = k;
        block->fault = tsr_entry_locate(columns, text, nbytes, k);
        ps.status =
            block->crd[0][k] == block->crd[1][k]
                ? tsr_fail(err, TSR_SYNTAX,
                           "entry (%" PRIu64 ", %" PRIu64 ") is on the diagonal of a skew-symmetric matrix",
                           block->crd[0][k] + columns->base, block->crd[1][k] + columns->base)
                : tsr_fail(err, TSR_RANGE,
                           "a value above the diagonal of a skew-symmetric matrix "
                           "cannot be negated");
    }
    if (!columns->has_dims)
        find_maxima(block, columns->order);
    return ps.status;
}

void tsr_entry_block_clear(tsr_entry_block *block)
{
    tsr_free(block->memory);
    memset(block, 0, sizeof *block);
}
