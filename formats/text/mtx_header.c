/* The head of a MatrixMarket file: banner, types of GraphBLAS, size line. See mtx.md for the rules. */
#include "mtx_internal.h"

#include <inttypes.h>

#include "tsr_checked.h"
#include "tsr_num.h"

const char mtx_comment_chars[] = "%";
static const char banner_words[] = "matrixmarket";

typedef struct word {
    const char *text;
    int value;
} word;

static const word objects[] = {
    {"matrix", MTX_MATRIX}, {"vector", MTX_VECTOR}, {"tensor", MTX_TENSOR}, {NULL, 0}};
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
const char *mtx_skip_banner(const char *p, const char *end)
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

/* A place of the banner, and the words that may stand there. */
typedef struct slot {
    const char *what; /* for errors */
    const word *table;
} slot;

/* *out: the value of the next word of the banner. */
static tsr_status banner_word(int *out, const char **p, const char *end, slot at, const tsr_lines *lines,
                              tsr_error *err)
{
    const word *const table = at.table;
    const char *const what = at.what;
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

static tsr_status check_combination(mtx_header *h, const tsr_lines *lines, const tsr_read_options *options,
                                    tsr_error *err)
{
    const char *fault = NULL;
    if (h->array && h->type == TSR_PATTERN)
        fault = "an array has values, so the field cannot be pattern";
    else if (h->object != MTX_MATRIX && h->structure != TSR_GENERAL)
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
static tsr_status imply_banner(bool *implied, mtx_header *h, tsr_lines *lines,
                               const tsr_read_options *options, tsr_error *err)
{
    static const tsr_type types[] = {TSR_PATTERN, TSR_F64, TSR_C128};
    const char *p, *end;
    tsr_lines_mark(lines);
    TSR_TRY(tsr_lines_next(&p, &end, lines, err));
    const bool banner = p && mtx_skip_banner(p, end);
    tsr_lines_back(lines);
    tsr_lines_mark(lines);
    TSR_TRY(tsr_lines_next_data(&p, &end, lines, mtx_comment_chars, err));
    *implied = !banner && p && is_size_line(p, end);
    const int nsizes = *implied ? tsr_count_tokens(p, end) : 0;
    const uint64_t line = lines->line;
    if (*implied)
        TSR_TRY(tsr_lines_next_data(&p, &end, lines, mtx_comment_chars, err));
    const int nextra = *implied && p ? tsr_count_tokens(p, end) - (nsizes - 1) : 1;
    tsr_lines_back(lines);
    if (!*implied)
        return TSR_OK;
    const bool array = nsizes == 2 && nextra == 0; /* one number per line */
    *h = (mtx_header){.object = MTX_TENSOR,
                      .array = array,
                      .type = array ? TSR_F64 : types[nextra < 0 || nextra > 2 ? 1 : nextra]};
    tsr_warn(options->observer, lines->path, line, "no banner: read as '%%%%MatrixMarket %s %s %s general'",
             nsizes == 3 || array ? "matrix" : "tensor", array ? "array" : "coordinate",
             mtx_field_name(h->type));
    return TSR_OK;
}

static tsr_status read_banner(mtx_header *h, tsr_lines *lines, const tsr_read_options *options,
                              tsr_error *err)
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
    p = mtx_skip_banner(p, end);
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
    TSR_TRY(banner_word(&object, &p, end, (slot){"object", objects}, lines, err));
    TSR_TRY(banner_word(&array, &p, end, (slot){"format", layouts}, lines, err));
    TSR_TRY(banner_word(&type, &p, end, (slot){"field", fields}, lines, err));
    TSR_TRY(banner_word(&structure, &p, end, (slot){"symmetry", symmetries}, lines, err));
    if (tsr_next_token(&token, &token_end, &p, end))
        return tsr_fail_at(err, TSR_SYNTAX, lines->path, 1, tsr_lines_col(lines, token),
                           "expected the end of the banner, found '%s'",
                           tsr_token_text(quoted, token, token_end));
    *h = (mtx_header){
        .object = object, .array = array != 0, .type = (tsr_type)type, .structure = (tsr_structure)structure};
    return check_combination(h, lines, options, err);
}

/* --- Types of GraphBLAS -------------------------------------------------------------------------------- */

/* Parse the type in the words [p, end) of a "%%GraphBLAS" line; false: unknown type. */
static bool graphblas_type(mtx_header *h, const char *p, const char *end)
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
static void read_graphblas(mtx_header *h, const char *p, const char *end, const tsr_lines *lines,
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
static tsr_status read_type(mtx_header *h, tsr_lines *lines, const tsr_read_options *options, tsr_error *err)
{
    const char *p, *end;
    tsr_lines_mark(lines);
    do {
        TSR_TRY(tsr_lines_next(&p, &end, lines, err));
        if (!p)
            break;
        read_graphblas(h, p, end, lines, options);
        tsr_line_strip(&p, &end, mtx_comment_chars);
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

/* Set h->nnz to the number of values in an array file. */
static tsr_status count_array(mtx_header *h, const tsr_lines *lines, tsr_error *err)
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

static tsr_status read_size(mtx_header *h, tsr_lines *lines, tsr_error *err)
{
    const char *p, *end, *token, *token_end;
    char quoted[TSR_TOKEN_NBYTES];
    uint64_t sizes[TSR_MAX_ORDER + 1];
    TSR_TRY(tsr_lines_next_data(&p, &end, lines, mtx_comment_chars, err));
    if (!p)
        return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0,
                           "the file ends before the size line");
    const int n = tsr_count_tokens(p, end);
    const int ncounts = h->array ? 0 : 1;
    h->order = h->object == MTX_MATRIX ? 2 : h->object == MTX_VECTOR ? 1 : n - ncounts;
    if (n != h->order + ncounts || h->order < 1)
        return tsr_fail_at(
            err, TSR_SYNTAX, lines->path, lines->line, tsr_lines_col(lines, p),
            "the size line has %d number%s: expected %s", n, n == 1 ? "" : "s",
            h->object == MTX_TENSOR   ? h->array ? "the sizes" : "the sizes and the number of entries"
            : h->object == MTX_VECTOR ? h->array ? "the size" : "the size and the number of entries"
            : h->array                ? "rows and columns"
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

tsr_status mtx_read_header(mtx_header *h, tsr_lines *lines, const tsr_read_options *options, tsr_error *err)
{
    TSR_TRY(read_banner(h, lines, options, err));
    TSR_TRY(read_type(h, lines, options, err));
    TSR_TRY(read_size(h, lines, err));
    return tsr_lines_check_shape(lines, options, h->order, h->dims, err);
}

const char *mtx_field_name(tsr_type type)
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
