/* Reading MATLAB's .mat of versions 4, 5 and 7: see mat5.h and mat.md. One variable at a time is in memory;
 * a matrix in it is found by the path of the matrix. */
#include "mat5.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "tsr_checked.h"
#include "tsr_memory.h"
#include "tsr_shown.h"

enum {
    HEAD_NBYTES = 128,
    MAX_RATIO = 1032, /* the most bytes that deflate makes of a byte */
    MAX_DEPTH = 8,
    MAX_FOUND = 64,
    MATRIX = 14,
    COMPRESSED = 15,
    CLASS_STRUCT = 2,
    CLASS_SPARSE = 5,
    CLASS_DOUBLE = 6,
    FLAG_COMPLEX = 8,
    FLAG_LOGICAL = 2
};

/* ---- elements ---- */

/* Bytes in memory that have not been parsed. */
typedef struct cursor {
    const unsigned char *p;
    uint64_t left;
    bool big; /* big-endian */
} cursor;

typedef struct element {
    uint32_t type;
    cursor data;
} element;

static uint32_t word(const unsigned char *p, bool big)
{
    return big ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
               : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static tsr_status cut_off(tsr_error *err)
{
    return tsr_fail(err, TSR_CORRUPT, "a variable of the file is truncated, or has wrong lengths");
}

/* Read the next element of a variable: a tag of 8 bytes and the data, padded to a multiple of 8 bytes; or a
 * short tag and the data in 8 bytes together. */
static tsr_status next_element(element *out, cursor *c, tsr_error *err)
{
    if (c->left < 8)
        return cut_off(err);
    const uint32_t first = word(c->p, c->big);
    const bool small = first >> 16 != 0;
    const uint64_t n = small ? first >> 16 : word(c->p + 4, c->big);
    const uint64_t head = small ? 4 : 8, all = small ? 8 : 8 + (n + 7) / 8 * 8;
    out->type = small ? first & 0xffff : first;
    out->data = (cursor){c->p + head, n, c->big};
    if ((small && n > 4) || n > c->left - head)
        return cut_off(err);
    const uint64_t step = all < c->left ? all : c->left; /* the last element may lack the padding */
    c->p += step;
    c->left -= step;
    return TSR_OK;
}

/* The value type of the numbers of an element. The tag of the element has the type; it can differ from the
 * class of the matrix. */
static bool number_type(tsr_type *type, uint32_t mi)
{
    static const int types[] = {[1] = TSR_I8,  [2] = TSR_U8,  [3] = TSR_I16, [4] = TSR_U16,  [5] = TSR_I32,
                                [6] = TSR_U32, [7] = TSR_F32, [9] = TSR_F64, [12] = TSR_I64, [13] = TSR_U64};
    if (mi == 0 || mi > 13 || mi == 8 || mi == 10 || mi == 11)
        return false;
    *type = (tsr_type)types[mi];
    return true;
}

/* Read the first n numbers of an element (UINT64_MAX: all). */
static tsr_status take_numbers(tsr_numbers *out, const element *e, uint64_t n, tsr_error *err)
{
    if (!number_type(&out->type, e->type))
        return tsr_fail(err, TSR_CORRUPT, "array '%s' has data of type %u, which are not numbers", out->name,
                        e->type);
    const size_t width = tsr_type_nbytes(out->type);
    const uint64_t there = e->data.left / width;
    if (n == UINT64_MAX)
        n = there;
    if (n > there)
        return tsr_fail(err, TSR_CORRUPT, "array '%s' has %" PRIu64 " values where %" PRIu64 " are expected",
                        out->name, there, n);
    TSR_TRY(tsr_array_init(&out->array, n, width, 0, out->name, err));
    memcpy(out->array.data, e->data.p, n * width);
    if (tsr_must_swap(e->data.big))
        tsr_numbers_swap(out);
    return TSR_OK;
}

/* Convert numbers to another type. */
static tsr_status make_type(tsr_numbers *numbers, tsr_type type, tsr_error *err)
{
    tsr_array to = {0};
    if (numbers->type == type)
        return TSR_OK;
    TSR_TRY(tsr_array_init(&to, numbers->array.n, tsr_type_nbytes(type), 0, numbers->name, err));
    const tsr_status status =
        tsr_values_convert(to.data, type, numbers->array.data, numbers->type, to.n, err);
    if (status != TSR_OK) {
        tsr_array_clear(&to);
        return status;
    }
    tsr_array_clear(&numbers->array);
    numbers->array = to;
    numbers->type = type;
    return TSR_OK;
}

/* Join real and imaginary parts to complex numbers in *re. */
static tsr_status join_parts(tsr_numbers *re, tsr_numbers *im, tsr_error *err)
{
    const tsr_type part = re->type == TSR_F32 ? TSR_F32 : TSR_F64;
    tsr_array to = {0};
    TSR_TRY(make_type(re, part, err));
    TSR_TRY(make_type(im, part, err));
    if (re->array.n != im->array.n)
        return tsr_fail(err, TSR_CORRUPT, "there are %" PRIu64 " real and %" PRIu64 " imaginary parts",
                        re->array.n, im->array.n);
    const size_t width = tsr_type_nbytes(part);
    TSR_TRY(tsr_array_init(&to, re->array.n, 2 * width, 0, re->name, err));
    for (uint64_t i = 0; i < to.n; i++) {
        memcpy((char *)to.data + 2 * i * width, (const char *)re->array.data + i * width, width);
        memcpy((char *)to.data + (2 * i + 1) * width, (const char *)im->array.data + i * width, width);
    }
    tsr_array_clear(&re->array);
    re->array = to;
    re->type = part == TSR_F32 ? TSR_C64 : TSR_C128;
    return TSR_OK;
}

/* ---- variables ---- */

/* A matrix: the header, and the elements after it. */
typedef struct matrix {
    unsigned class, flags;
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    cursor rest;
} matrix;

/* A walk over the matrices of a file, which reads one of them or describes them. */
typedef struct visit {
    const char *wanted; /* the path of one matrix; NULL: all */
    bool done;
    tsr_data *out; /* the matrix to read; NULL: describe */
    const tsr_read_options *options;
    tsr_brief *brief;
    int nfound;
    tsr_text path;
} visit;

static bool is_numeric(const matrix *m)
{
    return m->class == CLASS_SPARSE || (m->class >= CLASS_DOUBLE && m->class <= 15);
}

/* Read the flags, the dims and the name of a matrix. */
static tsr_status read_header(matrix *m, char *name, size_t room, cursor *c, tsr_error *err)
{
    element flags, dims, text;
    TSR_TRY(next_element(&flags, c, err));
    if (flags.data.left < 8)
        return cut_off(err);
    const uint32_t bits = word(flags.data.p, c->big);
    *m = (matrix){.class = bits & 255, .flags = bits >> 8 & 255};
    if (m->class == 17) { /* the classes of MATLAB itself (string, table, objects) have other elements */
        name[0] = '\0';
        return TSR_OK;
    }
    TSR_TRY(next_element(&dims, c, err));
    TSR_TRY(next_element(&text, c, err));
    m->order = (int)(dims.data.left / 4);
    if (dims.data.left / 4 > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "a variable has more dimensions than the %d that are supported",
                        TSR_MAX_ORDER);
    for (int i = 0; i < m->order; i++) {
        const uint32_t dim = word(dims.data.p + 4 * i, c->big);
        if (dim > INT32_MAX)
            return tsr_fail(err, TSR_CORRUPT, "a variable has a negative dimension");
        m->dims[i] = dim;
    }
    const size_t n = text.data.left < room - 1 ? (size_t)text.data.left : room - 1;
    memcpy(name, text.data.p, n);
    name[n] = '\0';
    m->rest = *c;
    return TSR_OK;
}

static tsr_type class_type(unsigned class)
{
    static const tsr_type types[] = {TSR_F64, TSR_F32, TSR_I8,  TSR_U8,  TSR_I16,
                                     TSR_U16, TSR_I32, TSR_U32, TSR_I64, TSR_U64};
    return class == CLASS_SPARSE ? TSR_F64 : types[class - CLASS_DOUBLE];
}

static tsr_status take_values(tsr_arrays *in, matrix *m, uint64_t n, tsr_error *err)
{
    element e;
    tsr_numbers im = {.name = "pi"};
    in->values.name = "pr";
    TSR_TRY(next_element(&e, &m->rest, err));
    if ((m->flags & FLAG_LOGICAL) && e.type == 9 && e.data.left == n)
        e.type = 2; /* MATLAB 7.0 gives the bytes of logical values the type double */
    TSR_TRY(take_numbers(&in->values, &e, n, err));
    in->boolean = (m->flags & FLAG_LOGICAL) != 0;
    if (!(m->flags & FLAG_COMPLEX))
        return make_type(&in->values, in->boolean ? TSR_U8 : class_type(m->class), err);
    TSR_TRY(next_element(&e, &m->rest, err));
    tsr_status status = take_numbers(&im, &e, n, err);
    if (status == TSR_OK)
        status = join_parts(&in->values, &im, err);
    tsr_array_clear(&im.array);
    return status;
}

static tsr_status read_sparse(tsr_data *out, matrix *m, const tsr_read_options *options, tsr_error *err)
{
    tsr_arrays in = {.order = 2, .major = 1, .dims = {m->dims[0], m->dims[1]}};
    element ir, jc;
    tsr_status status;
    in.crd[0].name = "ir";
    in.pointers.name = "jc";
    if (m->order != 2)
        return tsr_fail(err, TSR_CORRUPT, "a sparse matrix has %d dimensions instead of 2", m->order);
    TSR_TRY(next_element(&ir, &m->rest, err));
    TSR_TRY(next_element(&jc, &m->rest, err));
    TSR_TRY_OUT(take_numbers(&in.pointers, &jc, m->dims[1] + 1, err));
    TSR_TRY_OUT(tsr_numbers_to_indices(&in.pointers, 0, err));
    const uint64_t nnz = tsr_array_get(&in.pointers.array, m->dims[1]); /* nzmax may be larger */
    TSR_TRY_OUT(take_numbers(&in.crd[0], &ir, nnz, err));
    TSR_TRY_OUT(take_values(&in, m, nnz, err));
    status = tsr_arrays_compressed(out, &in, options, err);
out:
    tsr_arrays_clear(&in);
    return status;
}

static tsr_status read_dense(tsr_data *out, matrix *m, const tsr_read_options *options, tsr_error *err)
{
    tsr_arrays in = {.order = m->order, .fortran = true};
    uint64_t n = 1;
    memcpy(in.dims, m->dims, sizeof in.dims);
    for (int i = 0; i < m->order; i++)
        if (!tsr_mul_u64(&n, n, m->dims[i]))
            return cut_off(err);
    cursor rest = m->rest;
    element e;
    TSR_TRY(next_element(&e, &rest, err));
    if (rest.left >= 16 && (m->flags & FLAG_LOGICAL) && e.type == 5)
        return tsr_fail(
            err, TSR_CORRUPT,
            "is a sparse logical matrix in the form of Octave 7, which is not supported: save double(x)");
    tsr_status status = take_values(&in, m, n, err);
    if (status == TSR_OK)
        return tsr_arrays_dense(out, &in, options, err);
    tsr_arrays_clear(&in);
    return status;
}

static tsr_status describe(tsr_brief *brief, const char *path, const matrix *m, tsr_error *err)
{
    tsr_brief_tensor *const to = tsr_brief_add(brief, path);
    int modes[TSR_MAX_ORDER];
    cursor rest = m->rest;
    element ir, jc;
    if (!to)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    to->order = m->order;
    to->has_dims = to->has_nnz = true;
    to->nnz = 1;
    for (int i = 0; i < m->order; i++) {
        to->dims[i] = m->dims[i];
        to->nnz *= m->dims[i];
        modes[i] = m->order - 1 - i;
    }
    snprintf(to->type, sizeof to->type, "%s",
             m->flags & FLAG_LOGICAL   ? "bool"
             : m->flags & FLAG_COMPLEX ? "c128"
                                       : tsr_type_name(class_type(m->class)));
    if (m->class != CLASS_SPARSE)
        return tsr_format_dense(&to->format, m->order, modes, err);
    TSR_TRY(next_element(&ir, &rest, err));
    TSR_TRY(next_element(&jc, &rest, err));
    if (m->order != 2 || jc.data.left / 4 <= m->dims[1])
        return cut_off(err);
    to->nnz = word(jc.data.p + 4 * m->dims[1], jc.data.big);
    return tsr_format_nested(&to->format, 2, 1, (const int[]){1, 0}, err);
}

static tsr_status visit_matrix(visit *v, cursor c, const char *field, int depth, tsr_error *err);

/* Visit the fields of a struct of one element; other structs are skipped. */
static tsr_status visit_struct(visit *v, matrix *m, int depth, tsr_error *err)
{
    element length, names, value;
    TSR_TRY(next_element(&length, &m->rest, err));
    TSR_TRY(next_element(&names, &m->rest, err));
    const uint32_t each = length.data.left >= 4 ? word(length.data.p, m->rest.big) : 0;
    if (each == 0 || m->order != 2 || m->dims[0] != 1 || m->dims[1] != 1)
        return TSR_OK;
    for (uint64_t i = 0; i < names.data.left / each && !v->done; i++) {
        char field[256] = "";
        const size_t n = each < sizeof field ? each : sizeof field - 1;
        memcpy(field, names.data.p + i * each, n);
        TSR_TRY(next_element(&value, &m->rest, err));
        if (value.type == MATRIX && value.data.left > 0)
            TSR_TRY(visit_matrix(v, value.data, field, depth + 1, err));
    }
    return TSR_OK;
}

/* Read or describe a matrix, unless another matrix is wanted. */
static tsr_status use_matrix(visit *v, matrix *m, tsr_error *err)
{
    const char *const path = tsr_text_cstr(&v->path);
    if (v->wanted && strcmp(path, v->wanted) != 0)
        return TSR_OK;
    v->done = v->wanted != NULL || ++v->nfound >= MAX_FOUND;
    if (!v->out)
        return describe(v->brief, path, m, err);
    return m->class == CLASS_SPARSE ? read_sparse(v->out, m, v->options, err)
                                    : read_dense(v->out, m, v->options, err);
}

static tsr_status visit_matrix(visit *v, cursor c, const char *field, int depth, tsr_error *err)
{
    char name[256];
    matrix m;
    TSR_TRY(read_header(&m, name, sizeof name, &c, err));
    const size_t before = v->path.nbytes;
    tsr_text_addf(&v->path, "%s%s", before ? "/" : "", field ? field : name);
    TSR_TRY(tsr_text_status(&v->path, err));
    tsr_status status = TSR_OK;
    if (m.class == CLASS_STRUCT && depth < MAX_DEPTH)
        status = visit_struct(v, &m, depth, err);
    else if (is_numeric(&m))
        status = use_matrix(v, &m, err);
    v->path.nbytes = before;
    v->path.s[before] = '\0';
    return status;
}

/* ---- files of versions 5 and 7 ---- */

/* Inflate one element; its first 8 bytes have the length. */
static tsr_status inflate_element(tsr_array *out, const tsr_array *in, bool big, tsr_error *err)
{
    unsigned char tag[8];
    z_stream z = {.next_in = in->data, .avail_in = (uInt)in->n, .next_out = tag, .avail_out = sizeof tag};
    if (inflateInit(&z) != Z_OK)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_status status = TSR_OK;
    int code = inflate(&z, Z_SYNC_FLUSH);
    const uint64_t n = word(tag + 4, big);
    if ((code != Z_OK && code != Z_STREAM_END) || z.avail_out > 0 || n / MAX_RATIO > in->n)
        status = tsr_fail(err, TSR_CORRUPT, "a compressed variable is damaged");
    if (status == TSR_OK && word(tag, big) != MATRIX)
        status = tsr_fail(err, TSR_UNSUPPORTED, "a compressed part of the file is not a variable");
    if (status == TSR_OK)
        status = tsr_array_init(out, n, 1, 0, "a variable", err);
    if (status == TSR_OK) {
        z.next_out = out->data;
        z.avail_out = (uInt)n;
        while (z.avail_out > 0 && code == Z_OK)
            code = inflate(&z, Z_SYNC_FLUSH);
        if (z.avail_out > 0)
            status = tsr_fail(err, TSR_CORRUPT, "a compressed variable is damaged");
    }
    inflateEnd(&z);
    return status;
}

/* Read the next variable of a file into memory; *type is the type of the element. */
static tsr_status next_variable(tsr_array *out, tsr_file *file, bool big, tsr_error *err)
{
    unsigned char tag[8];
    tsr_array raw = {0};
    *out = (tsr_array){0};
    TSR_TRY(tsr_bytes_take(&file->bytes, tag, 8, err));
    const uint32_t type = word(tag, big), n = word(tag + 4, big);
    if (n > file->bytes.left)
        return cut_off(err);
    TSR_TRY(tsr_array_init(&raw, n, 1, 0, "a variable", err));
    tsr_status status = tsr_bytes_take(&file->bytes, raw.data, n, err);
    if (status == TSR_OK && type == MATRIX) {
        *out = raw;
        return TSR_OK;
    }
    if (status == TSR_OK && type == COMPRESSED)
        status = inflate_element(out, &raw, big, err);
    tsr_array_clear(&raw);
    return status;
}

static tsr_status visit_five(visit *v, tsr_file *file, bool big, tsr_error *err)
{
    tsr_status status = TSR_OK;
    while (status == TSR_OK && file->bytes.left >= 8 && !v->done) {
        tsr_array variable;
        status = next_variable(&variable, file, big, err);
        if (status == TSR_OK && variable.n > 0)
            status = visit_matrix(v, (cursor){variable.data, variable.n, big}, NULL, 0, err);
        tsr_array_clear(&variable);
    }
    return status;
}

/* ---- files of version 4 ---- */

/* The header of a variable: five integers. */
typedef struct four {
    bool big;
    unsigned storage, kind; /* digits of the first integer */
    uint64_t rows, columns, name_nbytes;
    bool complex;
} four;

/* Whether 20 bytes are the header of a variable, in either byte order. */
static bool parse_four(four *out, const unsigned char *h)
{
    for (int order = 0; order < 2; order++) {
        const bool is_big = order == 1;
        uint32_t w[5];
        for (int i = 0; i < 5; i++)
            w[i] = word(h + 4 * i, is_big);
        *out = (four){.big = is_big,
                      .storage = w[0] / 10 % 10,
                      .kind = w[0] % 10,
                      .rows = w[1],
                      .columns = w[2],
                      .complex = w[3] == 1,
                      .name_nbytes = w[4]};
        if (w[0] / 1000 == (is_big ? 1u : 0u) && w[0] % 1000 < 60 && out->kind <= 2 && w[1] <= INT32_MAX &&
            w[2] <= INT32_MAX && w[3] <= 1 && w[4] >= 2 && w[4] <= 256)
            return true;
    }
    return false;
}

/* Copy column k of the list of entries of a sparse matrix, without the last row, which has the dims. */
static tsr_status take_column(tsr_numbers *out, double *last, const tsr_numbers *all, uint64_t rows, int k,
                              tsr_error *err)
{
    static const char *const names[] = {"i", "j", "value", "im"};
    const double *const from = (const double *)all->array.data + (uint64_t)k * rows;
    *out = (tsr_numbers){.type = TSR_F64, .name = names[k]};
    TSR_TRY(tsr_array_init(&out->array, rows - 1, 8, 0, names[k], err));
    memcpy(out->array.data, from, (rows - 1) * 8);
    *last = from[rows - 1];
    return TSR_OK;
}

static tsr_status list_four(tsr_arrays *in, const four *f, tsr_numbers *all, tsr_error *err)
{
    double dims[2], none;
    tsr_numbers im = {.name = "im"};
    *in = (tsr_arrays){.order = 2, .base = 1};
    if (f->storage != 0 || f->rows == 0 || (f->columns != 3 && f->columns != 4))
        return tsr_fail(err, TSR_CORRUPT, "a sparse matrix of version 4 must be a list of i, j, value");
    TSR_TRY(take_column(&in->crd[0], &dims[0], all, f->rows, 0, err));
    TSR_TRY(take_column(&in->crd[1], &dims[1], all, f->rows, 1, err));
    TSR_TRY(take_column(&in->values, &none, all, f->rows, 2, err));
    for (int m = 0; m < 2; m++) {
        if (!(dims[m] >= 0 && dims[m] <= INT32_MAX) || dims[m] != (double)(int64_t)dims[m])
            return tsr_fail(err, TSR_CORRUPT, "a dimension of a sparse matrix is not an integer");
        in->dims[m] = (uint64_t)dims[m];
    }
    if (f->columns == 3)
        return TSR_OK;
    tsr_status status = take_column(&im, &none, all, f->rows, 3, err);
    if (status == TSR_OK)
        status = join_parts(&in->values, &im, err);
    tsr_array_clear(&im.array);
    return status;
}

static tsr_status describe_four(tsr_brief *brief, const char *path, const four *f, const tsr_arrays *in,
                                tsr_error *err)
{
    tsr_brief_tensor *const to = tsr_brief_add(brief, path);
    if (!to)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    to->order = 2;
    to->has_dims = to->has_nnz = true;
    const bool sparse = f->kind == 2;
    to->dims[0] = sparse ? in->dims[0] : f->rows;
    to->dims[1] = sparse ? in->dims[1] : f->columns;
    to->nnz = sparse ? in->values.array.n : f->rows * f->columns;
    snprintf(to->type, sizeof to->type, "%s", f->complex || (sparse && f->columns == 4) ? "c128" : "f64");
    return sparse ? TSR_OK : tsr_format_dense(&to->format, 2, (const int[]){1, 0}, err);
}

/* Read or describe a variable, whose header has been read. */
static tsr_status visit_one_four(visit *v, tsr_file *file, const four *f, tsr_error *err)
{
    static const tsr_type types[] = {TSR_F64, TSR_F32, TSR_I32, TSR_I16, TSR_U16, TSR_U8};
    char name[257] = "";
    tsr_numbers all = {.name = "re"}, im = {.name = "im"};
    tsr_arrays in = {.order = 2, .fortran = true, .dims = {f->rows, f->columns}};
    const uint64_t n = f->rows * f->columns; /* both are below 2^31 */
    tsr_status status;
    TSR_TRY(tsr_bytes_take(&file->bytes, name, f->name_nbytes, err));
    const bool mine = f->kind != 1 && (!v->wanted || strcmp(name, v->wanted) == 0);
    TSR_TRY_OUT(tsr_file_numbers(&all, file, types[f->storage], n, f->big, err));
    if (f->complex)
        TSR_TRY_OUT(tsr_file_numbers(&im, file, types[f->storage], n, f->big, err));
    if (!mine)
        goto out;
    v->done = v->wanted != NULL || ++v->nfound >= MAX_FOUND;
    if (f->kind == 2) {
        TSR_TRY_OUT(list_four(&in, f, &all, err));
    } else {
        TSR_TRY_OUT(make_type(&all, TSR_F64, err));
        if (f->complex)
            TSR_TRY_OUT(join_parts(&all, &im, err));
        in.values = all;
        all.array = (tsr_array){0};
    }
    if (!v->out)
        status = describe_four(v->brief, name, f, &in, err);
    else
        status = f->kind == 2 ? tsr_arrays_coordinates(v->out, &in, v->options, err)
                              : tsr_arrays_dense(v->out, &in, v->options, err);
out:
    tsr_array_clear(&all.array);
    tsr_array_clear(&im.array);
    tsr_arrays_clear(&in);
    return status;
}

static tsr_status visit_four(visit *v, tsr_file *file, const unsigned char *first, tsr_error *err)
{
    unsigned char head[20];
    four f;
    memcpy(head, first, sizeof head);
    for (;;) {
        if (!parse_four(&f, head) || f.storage > 5)
            return tsr_fail(err, TSR_CORRUPT, "a variable does not begin with a header of version 4");
        TSR_TRY(visit_one_four(v, file, &f, err));
        if (v->done || file->bytes.left == 0)
            return TSR_OK;
        TSR_TRY(tsr_bytes_take(&file->bytes, head, sizeof head, err));
    }
}

/* ---- files ---- */

int tsr_mat5_probe(const tsr_probe *probe)
{
    const unsigned char *const h = probe->head;
    four f;
    if (probe->n >= HEAD_NBYTES &&
        ((h[126] == 'I' && h[127] == 'M' && h[125] == 1) || (h[126] == 'M' && h[127] == 'I' && h[124] == 1)))
        return 100;
    return probe->n >= 20 && parse_four(&f, h) ? 60 : 0;
}

/* Walk over the file from the beginning. */
static tsr_status visit_file(visit *v, tsr_file *file, tsr_error *err)
{
    unsigned char head[HEAD_NBYTES];
    four f;
    if (file->bytes.left < 20)
        return tsr_fail(err, TSR_SYNTAX, "is too short for a file of MATLAB");
    TSR_TRY(tsr_bytes_take(&file->bytes, head, 20, err));
    if (parse_four(&f, head))
        return visit_four(v, file, head, err);
    TSR_TRY(tsr_bytes_take(&file->bytes, head + 20, HEAD_NBYTES - 20, err));
    const bool little = head[126] == 'I' && head[127] == 'M', big = head[126] == 'M' && head[127] == 'I';
    if (!little && !big)
        return tsr_fail(err, TSR_SYNTAX,
                        "is not a file of MATLAB: it does not begin with a header of MATLAB");
    return visit_five(v, file, big, err);
}

static tsr_status describe_all(tsr_brief *out, tsr_file *file, const char *object, tsr_error *err)
{
    visit v = {.wanted = object, .brief = out};
    const tsr_status status = visit_file(&v, file, err);
    tsr_text_clear(&v.path);
    return status;
}

tsr_status tsr_mat5_describe(tsr_brief *out, tsr_file *file, const char *object, tsr_error *err)
{
    char shown[TSR_SHOWN_NBYTES];
    TSR_TRY(describe_all(out, file, object, err));
    if (out->ntensors > 0)
        return TSR_OK;
    return object ? tsr_fail(err, TSR_ARGUMENT, "has no matrix '%s'", tsr_show(shown, object))
                  : tsr_fail(err, TSR_UNSUPPORTED, "has no matrix that is supported");
}

static bool is_sparse(const tsr_brief_tensor *tensor)
{
    return !tensor->format || !tsr_format_is_dense(tensor->format);
}

/* Choose Problem/A, as the SuiteSparse Matrix Collection names its matrices, else the only sparse matrix, else the only matrix: an index into the brief, or -1. */
static int choose(const tsr_brief *brief)
{
    int n[2] = {0, 0}, only[2] = {-1, -1};
    for (int i = 0; i < brief->ntensors; i++)
        for (int kind = is_sparse(&brief->tensors[i]) ? 0 : 1; kind < 2; kind++) {
            if (strcmp(brief->tensors[i].group, "Problem/A") == 0)
                return i;
            n[kind]++;
            only[kind] = i;
        }
    return n[0] == 1 ? only[0] : n[0] == 0 && n[1] == 1 ? only[1] : -1;
}

static tsr_status refuse_choice(const tsr_brief *brief, tsr_error *err)
{
    char shown[TSR_SHOWN_NBYTES];
    tsr_text list = {0};
    for (int i = 0; i < brief->ntensors && i < 8; i++) {
        const tsr_brief_tensor *const t = &brief->tensors[i];
        tsr_text_addf(&list, "%s%s", i ? ", " : "", tsr_show(shown, t->group));
        if (t->order == 2)
            tsr_text_addf(&list, " (%" PRIu64 " x %" PRIu64 ", %" PRIu64 " %s)", t->dims[0], t->dims[1],
                          t->nnz, is_sparse(t) ? "entries" : "cells");
    }
    const tsr_status status =
        tsr_fail(err, TSR_ARGUMENT, "has several matrices: name one of them (file.mat:NAME): %s%s",
                 tsr_text_cstr(&list), brief->ntensors > 8 ? ", ..." : "");
    tsr_text_clear(&list);
    return status;
}

tsr_status tsr_mat5_read(tsr_data *out, tsr_file *file, const char *object, const tsr_read_options *options,
                         tsr_error *err)
{
    tsr_brief brief = {0};
    visit v = {.wanted = object, .out = out, .options = options};
    char shown[TSR_SHOWN_NBYTES];
    tsr_status status = TSR_OK;
    if (!object) {
        status = tsr_mat5_describe(&brief, file, NULL, err);
        const int at = status == TSR_OK ? choose(&brief) : -1;
        if (status == TSR_OK && at < 0)
            status = refuse_choice(&brief, err);
        if (status == TSR_OK) {
            v.wanted = brief.tensors[at].group;
            status = tsr_file_rewind(file, err);
        }
    }
    if (status == TSR_OK)
        status = visit_file(&v, file, err);
    if (status == TSR_OK && !out->coo && !out->tensor)
        status = tsr_fail(err, TSR_ARGUMENT, "has no matrix '%s'", tsr_show(shown, v.wanted));
    tsr_text_clear(&v.path);
    tsr_brief_clear(&brief);
    return status;
}
