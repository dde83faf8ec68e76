/* The header of .npy, and its numbers: see npy_io.h. After NumPy's "NPY format", versions 1.0 to 3.0. */
#include "npy_io.h"

#include <inttypes.h>
#include <string.h>

#include "tsr_checked.h"
#include "tsr_num.h"
#include "tsr_shown.h"

enum { MAX_HEADER_NBYTES = 1 << 16, MAGIC_NBYTES = 8 };

tsr_status tsr_bytes_take(tsr_bytes *bytes, void *out, uint64_t n, tsr_error *err)
{
    enum { PIECE = 1 << 24 };
    if (n > bytes->left)
        return tsr_fail(err, TSR_CORRUPT, "is truncated: %" PRIu64 " bytes are missing", n - bytes->left);
    char *to = out;
    for (uint64_t left = n; left > 0;) {
        const size_t piece = left < PIECE ? (size_t)left : PIECE;
        TSR_TRY(bytes->read(bytes->ctx, to, piece, err));
        to += piece;
        left -= piece;
    }
    bytes->left -= n;
    return TSR_OK;
}

/* ---- the dictionary ---- */

typedef struct parser {
    const char *p, *end;
    bool bad;
} parser;

static void skip_blanks(parser *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\n' || *s->p == '\t'))
        s->p++;
}

/* Skip blanks, then the character c; return whether c was there. */
static bool skip(parser *s, char c)
{
    skip_blanks(s);
    if (s->p == s->end || *s->p != c)
        return false;
    s->p++;
    return true;
}

static bool skip_word(parser *s, const char *word)
{
    const size_t n = strlen(word);
    skip_blanks(s);
    if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n) != 0)
        return false;
    s->p += n;
    return true;
}

/* Read a text in single or double quotes, without escapes: return the characters between the quotes. */
static bool take_string(const char **text, size_t *n, parser *s)
{
    skip_blanks(s);
    if (s->p == s->end || (*s->p != '\'' && *s->p != '"'))
        return false;
    const char quote = *s->p++;
    *text = s->p;
    while (s->p < s->end && *s->p != quote && *s->p != '\\')
        s->p++;
    *n = (size_t)(s->p - *text);
    return skip(s, quote);
}

/* (), (5,), (4, 5), (4L, 5L) */
static tsr_status take_shape(tsr_npy *npy, parser *s, tsr_error *err)
{
    npy->order = 0;
    s->bad = !skip(s, '(');
    while (!s->bad && !skip(s, ')')) {
        uint64_t dim;
        skip_blanks(s);
        const char *const end = tsr_parse_u64(&dim, s->p, s->end);
        s->bad = !end || *s->p == '+';
        if (s->bad)
            break;
        s->p = end;
        if (s->p < s->end && *s->p == 'L') /* Python 2 */
            s->p++;
        if (npy->order == TSR_MAX_ORDER)
            return tsr_fail(err, TSR_LIMIT, "the array has more dimensions than the %d that are supported",
                            TSR_MAX_ORDER);
        npy->shape[npy->order++] = dim;
        if (!skip(s, ',')) {
            s->bad = !skip(s, ')') || npy->order == 1; /* in Python, (5) is a number */
            break;
        }
    }
    return TSR_OK;
}

tsr_status tsr_npy_parse_descr(tsr_npy *npy, const char *text, size_t n, tsr_error *err)
{
    char shown[64];
    const char *p = text, *const end = text + n;
    if (n < 2)
        return tsr_fail(err, TSR_SYNTAX, "has the NumPy type '%.*s', which is too short", (int)n, text);
    const char order = memchr("<>|=", *p, 4) ? *p++ : '=';
    npy->kind = *p++;
    uint64_t size = 0;
    const char *const after = p < end ? tsr_parse_u64(&size, p, end) : p;
    tsr_show_n(shown, sizeof shown, text, n);
    if (npy->kind == 'O')
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "has Python objects as a pickle, which is never opened, as a pickle can run programs: save the "
            "array with a number type");
    const bool number =
        (npy->kind == 'f' && (size == 2 || size == 4 || size == 8)) ||
        ((npy->kind == 'i' || npy->kind == 'u') && (size == 1 || size == 2 || size == 4 || size == 8)) ||
        (npy->kind == 'b' && size == 1) || (npy->kind == 'V' && size == 2) ||
        (npy->kind == 'c' && (size == 8 || size == 16));
    const bool words = (npy->kind == 'S' || npy->kind == 'U') && size < 1 << 20;
    if (after != end || (!number && !words))
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "has values of the NumPy type '%s', which is not supported: convert them with astype()", shown);
    npy->big_endian = order == '>';
    npy->item_nbytes = npy->kind == 'U' ? 4 * size : size;
    return TSR_OK;
}

/* '<f8', '|b1', '>i4', '|S3' */
static tsr_status take_descr(tsr_npy *npy, parser *s, tsr_error *err)
{
    const char *text;
    size_t n;
    skip_blanks(s);
    if (s->p < s->end && *s->p == '[')
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "has structures of several fields: save each field as an array of its own");
    s->bad = !take_string(&text, &n, s) || n < 2;
    return s->bad ? TSR_OK : tsr_npy_parse_descr(npy, text, n, err);
}

static tsr_status parse(tsr_npy *npy, const char *text, size_t n, tsr_error *err)
{
    parser s = {.p = text, .end = text + n};
    unsigned seen = 0;
    s.bad = !skip(&s, '{');
    while (!s.bad && !skip(&s, '}')) {
        const char *key;
        size_t nkey;
        if (!take_string(&key, &nkey, &s) || !skip(&s, ':')) {
            s.bad = true;
        } else if (nkey == 5 && memcmp(key, "descr", 5) == 0 && !(seen & 1)) {
            seen |= 1;
            TSR_TRY(take_descr(npy, &s, err));
        } else if (nkey == 13 && memcmp(key, "fortran_order", 13) == 0 && !(seen & 2)) {
            seen |= 2;
            npy->fortran = skip_word(&s, "True");
            s.bad = !npy->fortran && !skip_word(&s, "False");
        } else if (nkey == 5 && memcmp(key, "shape", 5) == 0 && !(seen & 4)) {
            seen |= 4;
            TSR_TRY(take_shape(npy, &s, err));
        } else {
            s.bad = true;
        }
        if (!s.bad && !skip(&s, ',')) {
            s.bad = !skip(&s, '}');
            break;
        }
    }
    skip_blanks(&s);
    if (s.bad || seen != 7 || s.p != s.end)
        return tsr_fail(err, TSR_SYNTAX,
                        "cannot read the header of the array: NumPy does not write such a header");
    return TSR_OK;
}

/* Check that enough bytes follow for the shape. */
static tsr_status check_size(tsr_npy *npy, uint64_t left, tsr_error *err)
{
    uint64_t nbytes;
    npy->n = 1;
    for (int m = 0; m < npy->order; m++)
        if (!tsr_mul_u64(&npy->n, npy->n, npy->shape[m]))
            return tsr_fail(err, TSR_CORRUPT, "the shape of the array has more than 2^64 cells");
    if (!tsr_mul_u64(&nbytes, npy->n, npy->item_nbytes) || nbytes > left)
        return tsr_fail(err, TSR_CORRUPT,
                        "the header says %" PRIu64 " values of %" PRIu64 " bytes, but %" PRIu64
                        " bytes follow",
                        npy->n, npy->item_nbytes, left);
    return TSR_OK;
}

tsr_status tsr_npy_read_header(tsr_npy *out, tsr_bytes *bytes, tsr_error *err)
{
    unsigned char head[MAGIC_NBYTES + 4];
    char text[MAX_HEADER_NBYTES];
    *out = (tsr_npy){.kind = 0};
    if (bytes->left < MAGIC_NBYTES + 2)
        return tsr_fail(err, TSR_SYNTAX, "is not a .npy array: it has %" PRIu64 " bytes", bytes->left);
    TSR_TRY(tsr_bytes_take(bytes, head, MAGIC_NBYTES + 2, err));
    if (memcmp(head, "\x93NUMPY", 6) != 0)
        return tsr_fail(err, TSR_SYNTAX, "is not a .npy array, which begins with \\x93NUMPY");
    if (head[6] < 1 || head[6] > 3 || head[7] != 0)
        return tsr_fail(err, TSR_UNSUPPORTED, "is a .npy array of version %d.%d: 1.0 to 3.0 are supported",
                        head[6], head[7]);
    uint64_t n = (uint64_t)head[8] | (uint64_t)head[9] << 8;
    if (head[6] > 1) {
        TSR_TRY(tsr_bytes_take(bytes, head + 10, 2, err));
        n |= (uint64_t)head[10] << 16 | (uint64_t)head[11] << 24;
    }
    if (n > MAX_HEADER_NBYTES)
        return tsr_fail(err, TSR_LIMIT,
                        "the header of the array has %" PRIu64 " bytes: at most %d are supported", n,
                        MAX_HEADER_NBYTES);
    TSR_TRY(tsr_bytes_take(bytes, text, n, err));
    TSR_TRY(parse(out, text, (size_t)n, err));
    return check_size(out, bytes->left, err);
}

/* ---- the numbers ---- */

tsr_type tsr_npy_type(const tsr_npy *npy)
{
    static const tsr_type with_sign[] = {TSR_I8, TSR_I16, TSR_I32, TSR_I64};
    static const tsr_type without[] = {TSR_U8, TSR_U16, TSR_U32, TSR_U64};
    const int k = npy->item_nbytes == 1 ? 0 : npy->item_nbytes == 2 ? 1 : npy->item_nbytes == 4 ? 2 : 3;
    switch (npy->kind) {
    case 'f':
        return npy->item_nbytes == 8 ? TSR_F64 : npy->item_nbytes == 4 ? TSR_F32 : TSR_F16;
    case 'V':
        return TSR_BF16;
    case 'i':
        return with_sign[k];
    case 'c':
        return npy->item_nbytes == 16 ? TSR_C128 : TSR_C64;
    default:
        return npy->kind == 'u' ? without[k] : TSR_U8;
    }
}

tsr_status tsr_npy_read_numbers(tsr_numbers *out, bool *boolean, const tsr_npy *npy, tsr_bytes *bytes,
                                tsr_error *err)
{
    tsr_numbers raw = {.type = tsr_npy_type(npy), .name = out->name};
    if (npy->kind == 'S' || npy->kind == 'U')
        return tsr_fail(err, TSR_UNSUPPORTED, "has texts where numbers are expected");
    *boolean = npy->kind == 'b';
    TSR_TRY(tsr_array_init(&raw.array, npy->n, (size_t)npy->item_nbytes, 0, out->name, err));
    tsr_status status = tsr_bytes_take(bytes, raw.array.data, npy->n * npy->item_nbytes, err);
    if (status == TSR_OK && npy->big_endian)
        tsr_numbers_swap(&raw);
    if (status == TSR_OK)
        *out = raw;
    else
        tsr_array_clear(&raw.array);
    return status;
}

static void add_utf8(tsr_text *text, uint32_t u)
{
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    const int n = u < 0x80 ? 1 : u < 0x800 ? 2 : u < 0x10000 ? 3 : 4;
    char out[4] = {(char)u};
    for (int i = n - 1; i > 0; i--, u >>= 6)
        out[i] = (char)(0x80 | (u & 63));
    if (n > 1)
        out[0] = (char)(leads[n] | (u & (0xffu >> (n + 1))));
    tsr_text_add_n(text, out, (size_t)n);
}

void tsr_npy_add_text(tsr_text *text, const tsr_npy *npy, const unsigned char *item)
{
    const size_t nbytes = (size_t)npy->item_nbytes;
    if (npy->kind == 'S')
        tsr_text_add_n(text, (const char *)item, strnlen((const char *)item, nbytes));
    for (size_t i = 0; npy->kind == 'U' && i + 4 <= nbytes; i += 4) {
        const unsigned char *const p = item + i;
        const uint32_t u = npy->big_endian
                               ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
                               : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
        if (u == 0)
            break;
        add_utf8(text, u);
    }
}

/* ---- writing ---- */

const char *tsr_npy_descr(tsr_type type)
{
    static const char *const descr[TSR_NTYPES] = {
        [TSR_F64] = "<f8",     [TSR_F32] = "<f4", [TSR_I8] = "|i1",   [TSR_I16] = "<i2",
        [TSR_I32] = "<i4",     [TSR_I64] = "<i8", [TSR_U8] = "|u1",   [TSR_U16] = "<u2",
        [TSR_U32] = "<u4",     [TSR_U64] = "<u8", [TSR_C64] = "<c8",  [TSR_C128] = "<c16",
        [TSR_PATTERN] = "|b1", [TSR_F16] = "<f2", [TSR_BF16] = "<V2", /* as ml_dtypes saves it: NumPy itself has no such type */
    };
    return descr[type];
}

void tsr_npy_add_header(tsr_text *text, const char *descr, bool fortran, int order, const uint64_t *shape)
{
    enum { ALIGNMENT = 64 };
    const size_t begin = text->nbytes;
    tsr_text_add_n(text, "\x93NUMPY\1\0\0\0", 10);
    tsr_text_addf(text, "{'descr': '%s', 'fortran_order': %s, 'shape': (", descr, fortran ? "True" : "False");
    for (int m = 0; m < order; m++)
        tsr_text_addf(text, m ? ", %" PRIu64 : "%" PRIu64, shape[m]);
    tsr_text_add(text, order == 1 ? ",), }" : "), }");
    while ((text->nbytes - begin + 1) % ALIGNMENT != 0 && !text->failed)
        tsr_text_add(text, " ");
    tsr_text_add(text, "\n");
    if (text->failed)
        return;
    const size_t n = text->nbytes - begin - 10;
    text->s[begin + 8] = (char)(n & 255);
    text->s[begin + 9] = (char)(n >> 8);
}
