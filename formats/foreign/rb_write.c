/* Writing Rutherford-Boeing: a sparse matrix by columns in lines of fixed Fortran formats. See rb.md. */
#include "rb_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "text_writer.h"
#include "tsr_num.h"

enum { LINE_NBYTES = 80, NUMBER_NBYTES = 32 };

/* One part of the file: numbers right-aligned in fields. */
typedef struct part {
    uint64_t n;          /* numbers; complex values have two each */
    int per_line, width; /* fields of a line, characters of a field */
    uint64_t nlines;
} part;

typedef struct writing {
    const tsr_tensor *tensor;
    const tsr_array *index[2]; /* pointers, row indices */
    part parts[3];             /* pointers, row indices, values */
} writing;

/* ---- numbers ---- */

/* Print a real number so that a Fortran format with digits after the point does not move the point. */
static size_t print_real(char *buf, const char *v, size_t width)
{
    double wide;
    float narrow;
    memcpy(width == 8 ? (void *)&wide : (void *)&narrow, v, width);
    size_t n = width == 8 ? tsr_print_f64(buf, wide) : tsr_print_f32(buf, narrow);
    char *const e = memchr(buf, 'e', n);
    if (memchr(buf, '.', n) || memchr(buf, 'n', n)) /* nan and inf stay */
        return n;
    const size_t at = e ? (size_t)(e - buf) : n;
    memmove(buf + at + 1, buf + at, n - at);
    buf[at] = '.';
    return n + 1;
}

/* Print value number i: for complex values, the parts count. */
static size_t print_value(char *buf, const tsr_tensor *tensor, uint64_t i)
{
    const char class = tsr_type_class(tensor->type);
    const size_t width = tensor->values.width / (class == 'C' ? 2 : 1);
    const uint64_t each = class == 'C' ? 2 : 1;
    const char *const v = (const char *)tensor->values.data + (tensor->iso ? i % each : i) * width;
    return class == 'I' || class == 'U' ? tsr_value_print(buf, tensor->type, v) : print_real(buf, v, width);
}

/* ---- lines ---- */

static void set_part(part *p, uint64_t n, int width)
{
    const int per_line = LINE_NBYTES / width > 0 ? LINE_NBYTES / width : 1;
    *p = (part){n, per_line, width, n / (uint64_t)per_line + (n % (uint64_t)per_line != 0)};
}

static int digits(uint64_t v)
{
    char buf[TSR_U64_NBYTES];
    return (int)tsr_print_u64(buf, v);
}

/* The widest value, and a blank before it. */
static int value_width(const tsr_tensor *tensor, uint64_t n)
{
    char buf[TSR_VALUE_TEXT_NBYTES];
    size_t most = 1;
    for (uint64_t i = 0; i < (tensor->iso ? (n < 2 ? n : 2) : n); i++) {
        const size_t k = print_value(buf, tensor, i);
        most = k > most ? k : most;
    }
    return (int)most + 1;
}

static void plan(writing *w, const tsr_tensor *tensor)
{
    const uint64_t nvalues = tensor->type == TSR_PATTERN           ? 0
                             : tsr_type_class(tensor->type) == 'C' ? 2 * tensor->npos
                                                                   : tensor->npos;
    *w = (writing){.tensor = tensor, .index = {&tensor->levels[1].pos, &tensor->levels[1].crd}};
    set_part(&w->parts[0], w->index[0]->n, digits(tensor->npos + 1) + 1);
    set_part(&w->parts[1], w->index[1]->n, digits(tensor->dims[0]) + 1);
    set_part(&w->parts[2], nvalues, nvalues ? value_width(tensor, nvalues) : 2);
}

static char *add_number(char *to, const writing *w, int p, uint64_t i)
{
    char text[TSR_VALUE_TEXT_NBYTES];
    const size_t n =
        p < 2 ? tsr_print_u64(text, tsr_array_get(w->index[p], i) + 1) : print_value(text, w->tensor, i);
    const size_t pad = (size_t)w->parts[p].width - n;
    memset(to, ' ', pad);
    memcpy(to + pad, text, n);
    return to + pad + n;
}

static tsr_status format_lines(size_t *nbytes, char *buf, const void *ctx, uint64_t first, uint64_t n,
                               tsr_error *err)
{
    const writing *const w = ctx;
    char *to = buf;
    (void)err;
    for (uint64_t line = first; line < first + n; line++) {
        uint64_t at = line;
        int p = 0;
        while (at >= w->parts[p].nlines)
            at -= w->parts[p++].nlines;
        const uint64_t from = at * (uint64_t)w->parts[p].per_line, left = w->parts[p].n - from;
        for (uint64_t i = 0; i < left && i < (uint64_t)w->parts[p].per_line; i++)
            to = add_number(to, w, p, from + i);
        *to++ = '\n';
    }
    *nbytes = (size_t)(to - buf);
    return TSR_OK;
}

/* ---- the header ---- */

static char structure_letter(const tsr_tensor *tensor)
{
    switch (tensor->structure) {
    case TSR_SYMMETRIC_LOWER:
        return 's';
    case TSR_HERMITIAN_LOWER:
        return 'h';
    case TSR_SKEW_LOWER:
        return 'z';
    default:
        return tensor->dims[0] == tensor->dims[1] ? 'u' : 'r';
    }
}

static void add_head(tsr_text *head, const writing *w)
{
    const part *const p = w->parts;
    const tsr_tensor *const t = w->tensor;
    const char class = tsr_type_class(t->type);
    const char type = class == 'P' ? 'p' : class == 'C' ? 'c' : class == 'R' ? 'r' : 'i';
    char format[3][24] = {"", "", ""};
    for (int i = 0; i < 2; i++)
        snprintf(format[i], sizeof format[i], "(%dI%d)", p[i].per_line, p[i].width);
    if (p[2].n > 0 && type == 'i')
        snprintf(format[2], sizeof format[2], "(%dI%d)", p[2].per_line, p[2].width);
    else if (p[2].n > 0)
        snprintf(format[2], sizeof format[2], "(%dE%d.%d)", p[2].per_line, p[2].width,
                 p[2].width > 8 ? p[2].width - 8 : 1);
    tsr_text_addf(head, "%-72s%-8s\n", "Written by Tessera", "|matrix");
    tsr_text_addf(head, "%14" PRIu64 " %13" PRIu64 " %13" PRIu64 " %13" PRIu64 "\n",
                  p[0].nlines + p[1].nlines + p[2].nlines, p[0].nlines, p[1].nlines, p[2].nlines);
    tsr_text_addf(head, "%c%ca%11s %13" PRIu64 " %13" PRIu64 " %13" PRIu64 " %13d\n", type,
                  structure_letter(t), "", t->dims[0], t->dims[1], t->npos, 0);
    tsr_text_addf(head, "%-16s%-16s%-20s\n", format[0], format[1], format[2]);
}

/* ---- functions of the codec ---- */

bool tsr_rb_takes_tensor(const tsr_tensor *tensor, const char **instead)
{
    int perm[TSR_MAX_LEVELS], ndense;
    const tsr_format *const f = tensor->format;
    *instead = "csc";
    return tensor->order == 2 && !tensor->has_fill && tsr_format_is_permutation(f, perm) &&
           !tsr_format_has_pitch(f) && perm[0] == 1 && tsr_format_is_nested(f, &ndense) && ndense == 1 &&
           tensor->structure != TSR_SYMMETRIC_UPPER && tensor->structure != TSR_HERMITIAN_UPPER &&
           tensor->structure != TSR_SKEW_UPPER;
}

tsr_status tsr_rb_check(int order, tsr_type type, tsr_error *err)
{
    (void)type;
    return order == 2
               ? TSR_OK
               : tsr_fail(err, TSR_UNSUPPORTED,
                          "cannot write a tensor of %d modes to Rutherford-Boeing, which has matrices: "
                          "make a matrix with --unfold",
                          order);
}

tsr_status tsr_rb_write(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                        uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options none;
    const char *instead;
    writing w;
    tsr_text head = {0};
    if (tensor->has_fill || !tsr_rb_takes_tensor(tensor, &instead))
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "cannot write this tensor to Rutherford-Boeing: csc without a fill value, whole or the "
            "lower triangle, is supported");
    plan(&w, tensor);
    add_head(&head, &w);
    const tsr_text_job job = {.n = w.parts[0].nlines + w.parts[1].nlines + w.parts[2].nlines,
                              .max_nbytes = LINE_NBYTES + NUMBER_NBYTES,
                              .ctx = &w,
                              .format = format_lines};
    tsr_status status = tsr_text_status(&head, err);
    if (status == TSR_OK)
        status = tsr_text_write(path, &head, &job, options ? options : &none, nbytes, err);
    tsr_text_clear(&head);
    return status;
}
