/* MatrixMarket (.mtx, .ttx). See mtx.md for the rules. */
#include <inttypes.h>
#include <stdio.h>

#include "text_reader.h"
#include "text_writer.h"
#include "tsr_checked.h"
#include "tsr_num.h"

enum { MATRIX, VECTOR, TENSOR };

static const char comment_chars[] = "%";
static const char banner_words[] = "matrixmarket";

/* The contents of the banner and the size line. */
typedef struct header {
    int object; /* MATRIX, VECTOR or TENSOR */
    bool array;
    tsr_type type; /* of the field: f64 i64 u64 c128, pattern */
    tsr_structure structure;
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    uint64_t nnz;           /* number of entries that the file must contain */
    bool has_type, is_bool; /* a line "%%GraphBLAS type ..." gives the type of the values, */
    tsr_type as;            /* this one; u8 for bool */
} header;

typedef struct word {
    const char *text;
    int value;
} word;

static const word objects[] = {{"matrix", MATRIX}, {"vector", VECTOR}, {"tensor", TENSOR}, {NULL, 0}};
static const word layouts[] = {{"coordinate", 0}, {"array", 1}, {NULL, 0}};
static const word fields[] = {{"real", TSR_F64},
                              {"double", TSR_F64},
                              {"complex", TSR_C128},
                              {"integer", TSR_I64},
                              {"unsigned-integer", TSR_U64},
                              {"pattern", TSR_PATTERN},
                              {NULL, 0}};
static const word symmetries[] = {{"general", TSR_GENERAL},
                                  {"symmetric", TSR_SYMMETRIC_LOWER},
                                  {"skew-symmetric", TSR_SKEW_LOWER},
                                  {"hermitian", TSR_HERMITIAN_LOWER},
                                  {NULL, 0}};

/* The words after "%%GraphBLAS type", or directly after "%%GraphBLAS" (older versions of LAGraph). The first
 * NBOOL rows mean bool. */
static const word graphblas_types[] = {
    {"bool", TSR_U8},        {"grb_bool", TSR_U8},    {"int8_t", TSR_I8},
    {"int16_t", TSR_I16},    {"int32_t", TSR_I32},    {"int64_t", TSR_I64},
    {"uint8_t", TSR_U8},     {"uint16_t", TSR_U16},   {"uint32_t", TSR_U32},
    {"uint64_t", TSR_U64},   {"float", TSR_F32},      {"double", TSR_F64},
    {"int8", TSR_I8},        {"int16", TSR_I16},      {"int32", TSR_I32},
    {"int64", TSR_I64},      {"uint8", TSR_U8},       {"uint16", TSR_U16},
    {"uint32", TSR_U32},     {"uint64", TSR_U64},     {"grb_int8", TSR_I8},
    {"grb_int16", TSR_I16},  {"grb_int32", TSR_I32},  {"grb_int64", TSR_I64},
    {"grb_uint8", TSR_U8},   {"grb_uint16", TSR_U16}, {"grb_uint32", TSR_U32},
    {"grb_uint64", TSR_U64}, {"grb_fp32", TSR_F32},   {"grb_fp64", TSR_F64},
    {"gxb_fc32", TSR_C64},   {"gxb_fc64", TSR_C128},  {NULL, 0},
};
enum { NBOOL = 2 };

/* Whether the token is the word, in upper or lower case. */
static bool is_word(const char *p, const char *end, const char *text)
{
    for (; p < end && *text; p++, text++)
        if ((*p >= 'A' && *p <= 'Z' ? *p - 'A' + 'a' : *p) != *text)
            return false;
    return p == end && *text == '\0';
}

/* --- Banner and size line ------------------------------------------------------------------------------ */

/* The text after "%%MatrixMarket", or NULL. Accepted are a byte-order mark and blanks before it, a single
 * '%', and upper or lower case. */
static const char *skip_banner(const char *p, const char *end)
{
    if (end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    while (p < end && tsr_is_blank(*p))
        p++;
    const char *const percent = p;
    while (p < end && *p == '%' && p - percent < 2)
        p++;
    const size_t n = sizeof banner_words - 1;
    if (p == percent || (size_t)(end - p) < n || !is_word(p, p + n, banner_words))
        return NULL;
    p += n;
    return p == end || tsr_is_blank(*p) || *p == '\r' ? p : NULL;
}

/* *out: the value of the next word of the banner in a table. what: the kind of word, for errors. */
static tsr_status banner_word(int *out, const char **p, const char *end, const word *table, const char *what,
                              const tsr_lines *lines, tsr_error *err)
{
    const char *token, *token_end;
    char quoted[TSR_TOKEN_NBYTES];
    const bool found = tsr_next_token(&token, &token_end, p, end);
    for (const word *w = table; found && w->text; w++)
        if (is_word(token, token_end, w->text)) {
            *out = w->value;
            return TSR_OK;
        }
    tsr_text names = {0};
    for (const word *w = table; w->text; w++)
        tsr_text_addf(&names, "%s%s", w == table ? "" : w[1].text ? ", " : " or ", w->text);
    const tsr_status status =
        found ? tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, tsr_lines_col(lines, token),
                            "unknown %s '%s': expected %s", what, tsr_token_text(quoted, token, token_end),
                            tsr_text_cstr(&names))
              : tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, tsr_lines_col(lines, end),
                            "the banner ends before the %s: expected %s", what, tsr_text_cstr(&names));
    tsr_text_clear(&names);
    return status;
}

static tsr_status check_combination(header *h, const tsr_lines *lines, const tsr_read_options *options,
                                    tsr_error *err)
{
    const char *fault = NULL;
    if (h->array && h->type == TSR_PATTERN)
        fault = "an array has values, so the field cannot be pattern";
    else if (h->object != MATRIX && h->structure != TSR_GENERAL)
        fault = "only a matrix can be symmetric, skew-symmetric or hermitian";
    else if (h->structure == TSR_SKEW_LOWER && (h->type == TSR_PATTERN || h->type == TSR_U64))
        fault =
            "a skew-symmetric matrix has signed values, so the field cannot be pattern or unsigned-integer";
    if (fault)
        return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0, "%s", fault);
    if (h->structure == TSR_HERMITIAN_LOWER && h->type != TSR_C128) {
        tsr_warn(options->observer, lines->path, lines->line,
                 "hermitian without complex values is read as symmetric");
        h->structure = TSR_SYMMETRIC_LOWER;
    }
    return TSR_OK;
}

static const char *field_name(tsr_type type)
{
    switch (tsr_type_class(type)) {
    case 'R':
        return "real";
    case 'C':
        return "complex";
    case 'I':
        return "integer";
    case 'U':
        return "unsigned-integer";
    default:
        return "pattern";
    }
}

/* Whether the line is two or more whole numbers, like a size line. */
static bool is_size_line(const char *p, const char *end)
{
    const char *token, *token_end;
    uint64_t v;
    int n = 0;
    for (; tsr_next_token(&token, &token_end, &p, end); n++)
        if (tsr_parse_u64(&v, token, token_end) != token_end)
            return false;
    return n >= 2;
}

/* Imply a banner for a file that the user calls MatrixMarket and that begins with a size line: coordinates
 * or an array, and a field that fits the first entry. *implied: false where the file has a banner. Goes back
 * to the beginning of the text. */
static tsr_status imply_banner(bool *implied, header *h, tsr_lines *lines, const tsr_read_options *options,
                               tsr_error *err)
{
    static const tsr_type types[] = {TSR_PATTERN, TSR_F64, TSR_C128};
    const char *p, *end;
    tsr_lines_mark(lines);
    TSR_TRY(tsr_lines_next(&p, &end, lines, err));
    const bool banner = p && skip_banner(p, end);
    tsr_lines_back(lines);
    tsr_lines_mark(lines);
    TSR_TRY(tsr_lines_next_data(&p, &end, lines, comment_chars, err));
    *implied = !banner && p && is_size_line(p, end);
    const int nsizes = *implied ? tsr_count_tokens(p, end) : 0;
    const uint64_t line = lines->line;
    if (*implied)
        TSR_TRY(tsr_lines_next_data(&p, &end, lines, comment_chars, err));
    const int nextra = *implied && p ? tsr_count_tokens(p, end) - (nsizes - 1) : 1;
    tsr_lines_back(lines);
    if (!*implied)
        return TSR_OK;
    const bool array = nsizes == 2 && nextra == 0; /* one number per line */
    *h = (header){.object = TENSOR,
                  .array = array,
                  .type = array ? TSR_F64 : types[nextra < 0 || nextra > 2 ? 1 : nextra]};
    tsr_warn(options->observer, lines->path, line, "no banner: read as '%%%%MatrixMarket %s %s %s general'",
             nsizes == 3 || array ? "matrix" : "tensor", array ? "array" : "coordinate", field_name(h->type));
    return TSR_OK;
}

static tsr_status read_banner(header *h, tsr_lines *lines, const tsr_read_options *options, tsr_error *err)
{
    const char *p, *end, *token, *token_end;
    char quoted[TSR_TOKEN_NBYTES];
    if (options->choice == TSR_CHOSEN_BY_NAME) {
        bool implied;
        TSR_TRY(imply_banner(&implied, h, lines, options, err));
        if (implied)
            return TSR_OK;
    }
    TSR_TRY(tsr_lines_next(&p, &end, lines, err));
    if (!p)
        return tsr_fail_at(err, TSR_SYNTAX, lines->path, 0, 0,
                           "the file is empty: expected the banner %%%%MatrixMarket");
    const char *const first = p;
    p = skip_banner(p, end);
    if (!p && is_size_line(first, end))
        return tsr_fail_at(
            err, TSR_SYNTAX, lines->path, 1, 1,
            "expected a banner such as '%%%%MatrixMarket matrix coordinate real general', found '%s': "
            "use --from=mtx to read the file without a banner",
            tsr_token_text(quoted, first, end));
    if (!p)
        return tsr_fail_at(
            err, TSR_SYNTAX, lines->path, 1, 1,
            "expected a banner such as '%%%%MatrixMarket matrix coordinate real general', found '%s'",
            tsr_token_text(quoted, first, end));
    while (end > p && (end[-1] == '\r' || tsr_is_blank(end[-1])))
        end--;
    const char *const cr = memchr(p, '\r', (size_t)(end - p));
    if (cr)
        return tsr_fail_at(err, TSR_SYNTAX, lines->path, 1, tsr_lines_col(lines, cr),
                           "lines end in a carriage return only: convert them (tr '\\r' '\\n')");
    int object = 0, array = 0, type = 0, structure = 0;
    TSR_TRY(banner_word(&object, &p, end, objects, "object", lines, err));
    TSR_TRY(banner_word(&array, &p, end, layouts, "format", lines, err));
    TSR_TRY(banner_word(&type, &p, end, fields, "field", lines, err));
    TSR_TRY(banner_word(&structure, &p, end, symmetries, "symmetry", lines, err));
    if (tsr_next_token(&token, &token_end, &p, end))
        return tsr_fail_at(err, TSR_SYNTAX, lines->path, 1, tsr_lines_col(lines, token),
                           "expected the end of the banner, found '%s'",
                           tsr_token_text(quoted, token, token_end));
    *h = (header){
        .object = object, .array = array != 0, .type = (tsr_type)type, .structure = (tsr_structure)structure};
    return check_combination(h, lines, options, err);
}

/* --- Types of GraphBLAS -------------------------------------------------------------------------------- */

/* Parse the type in the words [p, end) of a "%%GraphBLAS" line; false: unknown type. */
static bool graphblas_type(header *h, const char *p, const char *end)
{
    const char *token, *token_end, *second, *second_end;
    if (!tsr_next_token(&token, &token_end, &p, end))
        return false;
    for (const word *w = graphblas_types; w->text; w++)
        if (is_word(token, token_end, w->text)) {
            h->as = (tsr_type)w->value;
            h->is_bool = w - graphblas_types < NBOOL;
            h->has_type = true;
        }
    if (h->has_type && tsr_next_token(&second, &second_end, &p, end) &&
        is_word(second, second_end, "complex"))
        h->as = h->as == TSR_F32 ? TSR_C64 : TSR_C128;
    return h->has_type;
}

/* Examine a comment between the banner and the size line: LAGraph writes "%%GraphBLAS type uint8_t"
 * there. */
static void read_graphblas(header *h, const char *p, const char *end, const tsr_lines *lines,
                           const tsr_read_options *options)
{
    const char *token, *token_end;
    char quoted[TSR_TOKEN_NBYTES];
    while (end > p && (end[-1] == '\r' || tsr_is_blank(end[-1])))
        end--;
    if (h->has_type || !tsr_next_token(&token, &token_end, &p, end) ||
        !is_word(token, token_end, "%%graphblas"))
        return;
    const char *rest = p;
    const bool is_type = tsr_next_token(&token, &token_end, &rest, end) && is_word(token, token_end, "type");
    if (is_type && !graphblas_type(h, rest, end))
        tsr_warn(options->observer, lines->path, lines->line, "unknown GraphBLAS type '%s': ignored",
                 tsr_token_text(quoted, rest, end));
    else if (!is_type)
        graphblas_type(h, p, end);
}

/* Search the comments before the size line for the type of the values. */
static tsr_status read_type(header *h, tsr_lines *lines, const tsr_read_options *options, tsr_error *err)
{
    const char *p, *end;
    tsr_lines_mark(lines);
    do {
        TSR_TRY(tsr_lines_next(&p, &end, lines, err));
        if (!p)
            break;
        read_graphblas(h, p, end, lines, options);
        tsr_line_strip(&p, &end, comment_chars);
    } while (p == end);
    tsr_lines_back(lines);
    const bool complex_to_real = h->type == TSR_C128 && tsr_type_class(h->as) != 'C';
    const bool unsigned_skew = h->structure == TSR_SKEW_LOWER && tsr_type_class(h->as) == 'U';
    if (!h->has_type || (!complex_to_real && !unsigned_skew))
        return TSR_OK;
    tsr_warn(options->observer, lines->path, 0, "the GraphBLAS type cannot hold %s values: ignored",
             complex_to_real ? "complex" : "negative");
    h->has_type = h->is_bool = false;
    return TSR_OK;
}

/* The type that values are parsed as. *own: the options, with the type of the file where the user does not
 * give one. *integers: whole numbers are parsed as i64, so that they stay exact. */
static tsr_type parse_type(tsr_read_options *own, bool *integers, const header *h,
                           const tsr_read_options *options)
{
    *own = *options;
    *integers = false;
    if (!h->has_type || options->has_type || (h->type == TSR_PATTERN && h->is_bool))
        return tsr_parse_type(h->type, options);
    own->has_type = true;
    own->type = h->as;
    if (h->type == TSR_PATTERN || h->type == TSR_C128)
        return tsr_parse_type(h->type, own);
    if (h->as == TSR_U64)
        return TSR_U64;
    *integers = tsr_type_class(h->as) == 'I' || tsr_type_class(h->as) == 'U';
    return tsr_parse_type(TSR_F64, own);
}

/* TSR_RANGE unless all values of a bool tensor are 0 or 1. *ones: all are 1. */
static tsr_status check_bool(bool *ones, const tsr_array *values, const tsr_lines *lines, tsr_error *err)
{
    *ones = true;
    for (uint64_t e = 0; e < values->n; e++) {
        const uint64_t v = tsr_array_get(values, e);
        if (v > 1)
            return tsr_fail_at(err, TSR_RANGE, lines->path, 0, 0,
                               "the file says GraphBLAS type bool, but a value is %" PRIu64, v);
        *ones = *ones && v == 1;
    }
    return TSR_OK;
}

/* Set h->nnz to the number of values in an array file. */
static tsr_status count_array(header *h, const tsr_lines *lines, tsr_error *err)
{
    uint64_t box = 1; /* the product of the dims that are not 0: a bound of the positions of dense levels */
    bool fits = true, empty = false;
    for (int m = 0; m < h->order; m++) {
        empty = empty || h->dims[m] == 0;
        fits = fits && tsr_mul_u64(&box, box, h->dims[m] ? h->dims[m] : 1);
    }
    if (!fits)
        return tsr_fail_at(err, TSR_LIMIT, lines->path, lines->line, 0,
                           "the array has more than 2^64 values");
    uint64_t n = empty ? 0 : box;
    if (h->structure != TSR_GENERAL) {
        const uint64_t half = (n - h->dims[0]) / 2;
        n = h->structure == TSR_SKEW_LOWER ? half : half + h->dims[0];
    }
    h->nnz = n;
    return TSR_OK;
}

static tsr_status read_size(header *h, tsr_lines *lines, tsr_error *err)
{
    const char *p, *end, *token, *token_end;
    char quoted[TSR_TOKEN_NBYTES];
    uint64_t sizes[TSR_MAX_ORDER + 1];
    TSR_TRY(tsr_lines_next_data(&p, &end, lines, comment_chars, err));
    if (!p)
        return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0,
                           "the file ends before the size line");
    const int n = tsr_count_tokens(p, end);
    const int ncounts = h->array ? 0 : 1;
    h->order = h->object == MATRIX ? 2 : h->object == VECTOR ? 1 : n - ncounts;
    if (n != h->order + ncounts || h->order < 1)
        return tsr_fail_at(
            err, TSR_SYNTAX, lines->path, lines->line, tsr_lines_col(lines, p),
            "the size line has %d number%s: expected %s", n, n == 1 ? "" : "s",
            h->object == TENSOR   ? h->array ? "the sizes" : "the sizes and the number of entries"
            : h->object == VECTOR ? h->array ? "the size" : "the size and the number of entries"
            : h->array            ? "rows and columns"
                                  : "rows, columns and the number of entries");
    if (h->order > TSR_MAX_ORDER)
        return tsr_fail_at(err, TSR_LIMIT, lines->path, lines->line, 0,
                           "the tensor has %d modes; at most %d are supported", h->order, TSR_MAX_ORDER);
    for (int i = 0; tsr_next_token(&token, &token_end, &p, end); i++) {
        const char *const q = tsr_parse_u64(&sizes[i], token, token_end);
        const bool too_large = q ? q == token_end && sizes[i] > INT64_MAX : sizes[i] == UINT64_MAX;
        tsr_token_text(quoted, token, token_end);
        if (too_large)
            return tsr_fail_at(err, TSR_RANGE, lines->path, lines->line, tsr_lines_col(lines, token),
                               "%s in the size line does not fit 63 bits", quoted);
        if (q != token_end)
            return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, tsr_lines_col(lines, token),
                               "expected a size (a whole number, not negative), found '%s'", quoted);
    }
    memcpy(h->dims, sizes, sizeof h->dims);
    if (h->structure != TSR_GENERAL && h->dims[0] != h->dims[1])
        return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0,
                           "a symmetric matrix must be square, not %" PRIu64 " x %" PRIu64, h->dims[0],
                           h->dims[1]);
    if (h->array)
        return count_array(h, lines, err);
    h->nnz = sizes[h->order];
    return TSR_OK;
}

/* --- Entries -------------------------------------------------------------------------------------------- */

static tsr_status read_coordinates(tsr_data *out, const header *h, tsr_lines *lines,
                                   const tsr_read_options *options, tsr_error *err)
{
    tsr_read_options own;
    bool integers, ones = false;
    const tsr_type type = parse_type(&own, &integers, h, options);
    tsr_entries entries = {.columns = {.order = h->order,
                                       .base = options->index_base < 0 ? 0 : 1,
                                       .has_dims = true,
                                       .type = type,
                                       .integers = integers,
                                       .ignore_extra = h->type == TSR_PATTERN,
                                       .comments = comment_chars,
                                       .structure = h->structure},
                           .has_nnz = true,
                           .nnz = h->nnz};
    memcpy(entries.columns.dims, h->dims, sizeof h->dims);
    TSR_TRY(tsr_entries_read(&entries, lines, options, err));
    if (entries.nextra)
        tsr_warn(options->observer, lines->path, 0,
                 "the field is pattern, so the values of %" PRIu64 " entries are ignored", entries.nextra);
    if (entries.nmirrored)
        tsr_warn(options->observer, lines->path, 0,
                 "%" PRIu64 " of %" PRIu64
                 " entries of a symmetric matrix are above the diagonal: they are taken "
                 "as their mirror images below it",
                 entries.nmirrored, entries.nnz);
    TSR_TRY(tsr_entries_to_coo(&out->coo, &entries, err));
    if (own.has_type)
        TSR_TRY(tsr_coo_retype(out->coo, own.type, err));
    if (!h->is_bool || options->has_type || h->type == TSR_PATTERN)
        return TSR_OK;
    TSR_TRY(check_bool(&ones, &out->coo->values, lines, err));
    return ones ? tsr_coo_retype(out->coo, TSR_PATTERN, err) : TSR_OK;
}

/* Replace the values of a lower triangle, by columns, by those of the whole n x n matrix, column-major. */
static tsr_status expand_array(tsr_array *values, const header *h, tsr_type type, tsr_error *err)
{
    const uint64_t n = h->dims[0];
    const size_t size = values->width;
    const bool skew = h->structure == TSR_SKEW_LOWER;
    tsr_array whole;
    TSR_TRY(tsr_array_init(&whole, n * n, size, 1, "the values of a symmetric array", err));
    const char *v = values->data;
    tsr_status status = TSR_OK;
    for (uint64_t j = 0; j < n && status == TSR_OK; j++)
        for (uint64_t i = skew ? j + 1 : j; i < n; i++, v += size) {
            char *const lower = (char *)whole.data + (j * n + i) * size;
            char *const upper = (char *)whole.data + (i * n + j) * size;
            memcpy(upper, v, size);
            if (h->structure == TSR_HERMITIAN_LOWER)
                tsr_value_conjugate(type, upper);
            if (skew && !tsr_value_negate(type, upper)) {
                status = tsr_fail(err, TSR_RANGE, "a value of a skew-symmetric array cannot be negated");
                break;
            }
            memcpy(lower, v, size); /* last, since on the diagonal both are the same element, and the value
                                     * must stay unchanged */
        }
    tsr_array_clear(status == TSR_OK ? values : &whole);
    if (status == TSR_OK)
        *values = whole;
    return status;
}

/* *out: the lower triangle of a symmetric array as coordinates. The values are moved. */
static tsr_status keep_triangle(tsr_coo **out, const header *h, tsr_type type, tsr_array *values,
                                tsr_error *err)
{
    const uint64_t n = h->dims[0];
    const bool skew = h->structure == TSR_SKEW_LOWER;
    TSR_TRY(tsr_coo_new_sized(out, 2, h->dims, type, false, values->n, err));
    tsr_coo *const coo = *out;
    uint64_t e = 0;
    for (uint64_t j = 0; j < n; j++)
        for (uint64_t i = skew ? j + 1 : j; i < n; i++, e++) {
            tsr_array_set(&coo->crd[0], e, i);
            tsr_array_set(&coo->crd[1], e, j);
        }
    tsr_array_clear(&coo->values);
    coo->values = *values;
    *values = (tsr_array){0};
    coo->nnz = e;
    coo->structure = h->structure;
    return TSR_OK;
}

/* The dense format whose values are column-major: "dd:1,0". */
static const char *column_major(int order)
{
    static const char *const text[TSR_MAX_ORDER + 1] = {
        "",
        "d",
        "dd:1,0",
        "ddd:2,1,0",
        "dddd:3,2,1,0",
        "ddddd:4,3,2,1,0",
        "dddddd:5,4,3,2,1,0",
        "ddddddd:6,5,4,3,2,1,0",
        "dddddddd:7,6,5,4,3,2,1,0",
        "ddddddddd:8,7,6,5,4,3,2,1,0",
        "dddddddddd:9,8,7,6,5,4,3,2,1,0",
        "ddddddddddd:10,9,8,7,6,5,4,3,2,1,0",
        "dddddddddddd:11,10,9,8,7,6,5,4,3,2,1,0",
        "ddddddddddddd:12,11,10,9,8,7,6,5,4,3,2,1,0",
        "dddddddddddddd:13,12,11,10,9,8,7,6,5,4,3,2,1,0",
        "ddddddddddddddd:14,13,12,11,10,9,8,7,6,5,4,3,2,1,0",
        "dddddddddddddddd:15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0",
    };
    return text[order];
}

/* The same format as a value. */
static tsr_status by_columns(tsr_format **out, int order, tsr_error *err)
{
    int modes[TSR_MAX_ORDER];
    for (int l = 0; l < order; l++)
        modes[l] = order - 1 - l;
    return tsr_format_dense(out, order, modes, err);
}

/* *out: a tensor of dense levels with these values, which are moved. */
static tsr_status make_dense(tsr_tensor **out, const header *h, tsr_type type, tsr_array *values,
                             tsr_error *err)
{
    tsr_format *format;
    TSR_TRY(by_columns(&format, h->order, err));
    const tsr_status status = tsr_tensor_new(out, format, h->dims, type, err);
    tsr_format_free(format);
    TSR_TRY(status);
    tsr_tensor *const t = *out;
    uint64_t npos = 1;
    for (int l = 0; l < t->nlevels; l++) {
        t->levels[l].nparents = npos;
        npos *= t->levels[l].size; /* does not overflow: see count_array */
        t->levels[l].npos = npos;
    }
    t->npos = npos;
    t->values = *values;
    memset(values, 0, sizeof *values);
    return TSR_OK;
}

static tsr_status retype_values(tsr_array *values, tsr_type *type, tsr_type to, tsr_error *err)
{
    tsr_array converted;
    if (to == *type)
        return TSR_OK;
    TSR_TRY(tsr_array_init(&converted, values->n, tsr_type_nbytes(to), 0, "the converted values", err));
    const tsr_status status = tsr_values_convert(converted.data, to, values->data, *type, values->n, err);
    tsr_array_clear(status == TSR_OK ? values : &converted);
    if (status == TSR_OK) {
        *values = converted;
        *type = to;
    }
    return status;
}

static tsr_status read_array(tsr_data *out, const header *h, tsr_lines *lines,
                             const tsr_read_options *options, tsr_error *err)
{
    tsr_read_options own;
    bool integers, ones;
    const tsr_type parsed = parse_type(&own, &integers, h, options);
    tsr_entries entries = {
        .columns = {.has_dims = true, .type = parsed, .integers = integers, .comments = comment_chars},
        .has_nnz = true,
        .nnz = h->nnz};
    TSR_TRY(tsr_entries_read(&entries, lines, options, err));
    tsr_type type = entries.type;
    tsr_status status = TSR_OK;
    const bool keeps = options->keep_triangle && h->structure != TSR_GENERAL;
    if (h->structure != TSR_GENERAL && !keeps)
        status = expand_array(&entries.values, h, type, err);
    if (status == TSR_OK && own.has_type)
        status = retype_values(&entries.values, &type, own.type, err);
    if (status == TSR_OK && h->is_bool && !options->has_type)
        status = check_bool(&ones, &entries.values, lines, err);
    if (status == TSR_OK)
        status = keeps ? keep_triangle(&out->coo, h, type, &entries.values, err)
                       : make_dense(&out->tensor, h, type, &entries.values, err);
    tsr_entries_clear(&entries);
    return status;
}

static tsr_status mtx_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    tsr_lines lines;
    header h;
    tsr_status status;
    TSR_TRY(tsr_lines_open(&lines, path, options, err));
    TSR_TRY_OUT(read_banner(&h, &lines, options, err));
    TSR_TRY_OUT(read_type(&h, &lines, options, err));
    TSR_TRY_OUT(read_size(&h, &lines, err));
    TSR_TRY_OUT(tsr_lines_check_shape(&lines, options, h.order, h.dims, err));
    status =
        h.array ? read_array(out, &h, &lines, options, err) : read_coordinates(out, &h, &lines, options, err);
out:
    tsr_lines_clear(&lines);
    return status;
}

/* The banner and the size line determine everything except the entries. */
static tsr_status mtx_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                               tsr_error *err)
{
    tsr_lines lines;
    header h;
    tsr_status status;
    TSR_TRY_OUT(tsr_lines_describe(&lines, out, path, options, err));
    TSR_TRY_OUT(read_banner(&h, &lines, options, err));
    TSR_TRY_OUT(read_type(&h, &lines, options, err));
    TSR_TRY_OUT(read_size(&h, &lines, err));
    TSR_TRY_OUT(tsr_lines_check_shape(&lines, options, h.order, h.dims, err));
    tsr_brief_tensor *const tensor = tsr_brief_add(out, "");
    if (!tensor) {
        status = tsr_fail(err, TSR_NOMEM, "out of memory");
        goto out;
    }
    tensor->order = h.order;
    tensor->has_dims = tensor->has_nnz = true;
    memcpy(tensor->dims, h.dims, sizeof h.dims);
    tensor->nnz = h.nnz;
    tensor->structure = h.structure;
    snprintf(tensor->type, sizeof tensor->type, "%s",
             tsr_type_name(h.has_type && !(h.is_bool && h.type == TSR_PATTERN) ? h.as : h.type));
    if (h.array)
        status = by_columns(&tensor->format, h.order, err);
out:
    tsr_lines_clear(&lines);
    return status;
}

/* --- Writing -------------------------------------------------------------------------------------------- */

/* Banner, comment and size line. */
static void add_head(tsr_text *head, int order, const uint64_t *dims, const char *layout, const char *field,
                     const char *symmetry, const char *comment)
{
    tsr_text_addf(head, "%%%%MatrixMarket %s %s %s %s\n",
                  order == 2   ? "matrix"
                  : order == 1 ? "vector"
                               : "tensor",
                  layout, field, symmetry);
    for (const char *line = comment; line;) { /* each line of the comment begins with '%' */
        const size_t n = strcspn(line, "\r\n");
        tsr_text_add(head, "% ");
        tsr_text_add_n(head, line, n);
        tsr_text_add(head, "\n");
        line = line[n] ? line + n + 1 : NULL;
    }
    for (int m = 0; m < order; m++) {
        tsr_text_add(head, m ? " " : "");
        tsr_text_add_u64(head, dims[m]);
    }
}

static tsr_status mtx_check(int order, tsr_type type, tsr_error *err)
{
    (void)type;
    return order == 0
               ? tsr_fail(err, TSR_UNSUPPORTED, "MatrixMarket does not support scalars: use tns or HDF5")
               : TSR_OK;
}

static tsr_status mtx_write_coo(const char *path, const tsr_coo *coo, const tsr_write_options *options,
                                uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options defaults = {0};
    options = options ? options : &defaults;
    const char type_class = tsr_type_class(coo->type);
    const char *symmetry = "general";
    tsr_structure lower = TSR_GENERAL;
    TSR_TRY(tsr_text_check_fill(coo, "mtx", err));
    const tsr_status able = mtx_check(coo->order, coo->type, err);
    tsr_error_set_path(able == TSR_OK ? NULL : err, path);
    TSR_TRY(able);
    if (coo->structure == TSR_SKEW_LOWER || coo->structure == TSR_SKEW_UPPER) {
        if (type_class == 'P' || type_class == 'U')
            return tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0,
                               "MatrixMarket does not support skew-symmetric %s matrices",
                               field_name(coo->type));
        symmetry = "skew-symmetric";
        lower = TSR_SKEW_LOWER;
    } else if (coo->structure != TSR_GENERAL) {
        const bool hermitian = coo->structure == TSR_HERMITIAN_LOWER || coo->structure == TSR_HERMITIAN_UPPER;
        symmetry = hermitian && type_class == 'C' ? "hermitian" : "symmetric";
        lower = TSR_SYMMETRIC_LOWER;
    }
    tsr_text head = {0};
    add_head(&head, coo->order, coo->dims, "coordinate", field_name(coo->type), symmetry, options->comment);
    tsr_text_addf(&head, " %" PRIu64 "\n", coo->nnz);
    const tsr_entry_lines lines = {
        .coo = coo, .base = options->index_base < 0 ? 0 : 1, .has_values = type_class != 'P', .write = lower};
    const tsr_text_job job = tsr_entry_lines_job(&lines);
    const tsr_status status = tsr_text_write(path, &head, &job, options, nbytes, err);
    tsr_text_clear(&head);
    return status;
}

/* Dense tensors with column-major values are written as arrays. */
static bool mtx_takes_tensor(const tsr_tensor *tensor, const char **instead)
{
    int perm[TSR_MAX_LEVELS];
    *instead = NULL;
    if (tensor->order == 0 || tensor->type == TSR_PATTERN || tensor->structure != TSR_GENERAL ||
        !tsr_format_is_dense(tensor->format) || !tsr_format_is_permutation(tensor->format, perm))
        return false;
    bool reversed = true;
    for (int l = 0; l < tensor->order; l++)
        reversed = reversed && perm[l] == tensor->order - 1 - l;
    reversed = reversed && !tsr_format_has_pitch(tensor->format);
    if (!reversed)
        *instead = column_major(tensor->order);
    return reversed;
}

static tsr_status format_values(size_t *nbytes, char *buf, const void *ctx, uint64_t first, uint64_t n,
                                tsr_error *err)
{
    (void)err;
    const tsr_tensor *const t = ctx;
    const size_t step = t->iso ? 0 : t->values.width;
    const char *v = (const char *)t->values.data + first * step;
    char *p = buf;
    for (uint64_t i = 0; i < n; i++, v += step) {
        p += tsr_value_print(p, t->type, v);
        *p++ = '\n';
    }
    *nbytes = (size_t)(p - buf);
    return TSR_OK;
}

static tsr_status mtx_write_tensor(const char *path, const tsr_tensor *tensor,
                                   const tsr_write_options *options, uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options defaults = {0};
    options = options ? options : &defaults;
    const char *instead;
    if (!mtx_takes_tensor(tensor, &instead))
        return tsr_fail_at(err, TSR_ARGUMENT, path, 0, 0,
                           "MatrixMarket arrays are dense and column-major: %s",
                           instead ? instead : "this tensor must be written as coordinates");
    tsr_text head = {0};
    add_head(&head, tensor->order, tensor->dims, "array", field_name(tensor->type), "general",
             options->comment);
    tsr_text_add(&head, "\n");
    const tsr_text_job job = {
        .n = tensor->npos, .max_nbytes = TSR_VALUE_TEXT_NBYTES + 1, .ctx = tensor, .format = format_values};
    const tsr_status status = tsr_text_write(path, &head, &job, options, nbytes, err);
    tsr_text_clear(&head);
    return status;
}

static int mtx_probe(const tsr_probe *probe)
{
    const unsigned char *const head = probe->head;
    const size_t n = probe->n;
    const char *const p = (const char *)head;
    return skip_banner(p, p + n) ? 100 : 0;
}

static const char *const suffixes[] = {".mtx", ".ttx", ".mm", NULL};

const tsr_codec tsr_codec_mtx = {
    .name = "mtx",
    .summary = "MatrixMarket: matrices, vectors and tensors as coordinates or arrays",
    .suffixes = suffixes,
    .streams = true,
    .probe = mtx_probe,
    .read = mtx_read,
    .describe = mtx_describe,
    .takes_tensor = mtx_takes_tensor,
    .check = mtx_check,
    .write_coo = mtx_write_coo,
    .write_tensor = mtx_write_tensor,
};
