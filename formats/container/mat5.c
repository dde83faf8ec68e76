/* Reading MATLAB's .mat of versions 5 and 7: see mat5.h and mat.md. The file is read from the beginning to the end, and a
 * matrix is found by its path; the numbers go to the arrays of the tensor at once. */
#include "mat5_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "growing_array.h"
#include "tsr_checked.h"
#include "tsr_shown.h"

enum {
    HEAD_NBYTES = 128,
    MAX_DEPTH = 8,
    MAX_FOUND = 64,
    CLASS_STRUCT = 2,
    CLASS_SPARSE = 5,
    CLASS_DOUBLE = 6,
    FLAG_COMPLEX = 8,
    FLAG_LOGICAL = 2
};

/* ---- numbers ---- */

/* The type of one part of a complex type; other types are their own part. */
static tsr_type part_type(tsr_type type)
{
    return type == TSR_C128 ? TSR_F64 : type == TSR_C64 ? TSR_F32 : type;
}

tsr_status tsr_mat_read_real(tsr_numbers *out, tsr_type type, tsr_mat_element *e, uint64_t n, tsr_error *err)
{
    const size_t width = tsr_type_nbytes(type);
    uint64_t there;
    tsr_type stored;
    TSR_TRY(tsr_mat_count(&there, &stored, e, out->name, n, err));
    TSR_TRY(tsr_array_init(&out->array, n, width, 0, out->name, err));
    out->type = type;
    return tsr_mat_numbers(&(tsr_mat_target){out->array.data, width, part_type(type)}, e, n, err);
}

tsr_status tsr_mat_read_imaginary(tsr_numbers *out, tsr_mat_element *e, tsr_error *err)
{
    const tsr_type part = part_type(out->type);
    const size_t width = tsr_type_nbytes(part);
    uint64_t there;
    tsr_type stored;
    TSR_TRY(tsr_mat_count(&there, &stored, e, "pi", out->array.n, err));
    const tsr_mat_target to = {(char *)out->array.data + width, 2 * width, part};
    return tsr_mat_numbers(&to, e, out->array.n, err);
}

/* Read all numbers of an element as they are. */
static tsr_status take_all(tsr_numbers *out, tsr_mat_element *e, tsr_error *err)
{
    uint64_t n;
    tsr_type type;
    TSR_TRY(tsr_mat_count(&n, &type, e, out->name, 0, err));
    return tsr_mat_read_real(out, type, e, n, err);
}

/* ---- variables ---- */

/* A matrix: the header, and the elements after it. */
typedef struct matrix {
    unsigned class, flags;
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    tsr_mat_cursor rest;
} matrix;

bool tsr_mat_wants(tsr_mat_visit *v, const char *path)
{
    if (v->wanted && strcmp(path, v->wanted) != 0)
        return false;
    v->done = v->wanted != NULL || ++v->nfound >= MAX_FOUND;
    return true;
}

static bool is_numeric(const matrix *m)
{
    return m->class == CLASS_SPARSE || (m->class >= CLASS_DOUBLE && m->class <= 15);
}

/* Read the flags, the dims and the name of a matrix. */
static tsr_status read_header(matrix *m, char *name, size_t room, tsr_mat_cursor *c, tsr_error *err)
{
    tsr_mat_element flags, dims, text;
    unsigned char raw[4 * TSR_MAX_ORDER];
    const bool big = c->stream->big;
    TSR_TRY(tsr_mat_next(&flags, c, err));
    TSR_TRY(flags.nbytes < 8 ? tsr_mat_cut_off(err) : tsr_mat_take(raw, &flags, 4, err));
    const uint32_t bits = tsr_mat_word(raw, big);
    *m = (matrix){.class = bits & 255, .flags = bits >> 8 & 255};
    name[0] = '\0';
    if (m->class == 17) /* the classes of MATLAB itself (string, table, objects) have other elements */
        return TSR_OK;
    TSR_TRY(tsr_mat_next(&dims, c, err));
    if (dims.nbytes / 4 > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "a variable has more dimensions than the %d that are supported",
                        TSR_MAX_ORDER);
    m->order = (int)(dims.nbytes / 4);
    TSR_TRY(tsr_mat_take(raw, &dims, 4 * (uint64_t)m->order, err));
    for (int i = 0; i < m->order; i++) {
        const uint32_t dim = tsr_mat_word(raw + 4 * i, big);
        if (dim > INT32_MAX)
            return tsr_fail(err, TSR_CORRUPT, "a variable has a negative dimension");
        m->dims[i] = dim;
    }
    TSR_TRY(tsr_mat_next(&text, c, err));
    const size_t n = text.nbytes < room - 1 ? (size_t)text.nbytes : room - 1;
    TSR_TRY(tsr_mat_take(name, &text, n, err));
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

/* Read n values, whose (real) parts are in the element *e. */
static tsr_status take_values(tsr_arrays *in, matrix *m, tsr_mat_element *e, uint64_t n, tsr_error *err)
{
    in->values.name = "pr";
    if ((m->flags & FLAG_LOGICAL) && e->type == 9 && e->nbytes == n)
        e->type = 2; /* MATLAB 7.0 gives the bytes of logical values the type double */
    in->boolean = (m->flags & FLAG_LOGICAL) != 0;
    if (!(m->flags & FLAG_COMPLEX))
        return tsr_mat_read_real(&in->values, in->boolean ? TSR_U8 : class_type(m->class), e, n, err);
    TSR_TRY(tsr_mat_read_real(&in->values, e->type == 7 ? TSR_C64 : TSR_C128, e, n, err));
    TSR_TRY(tsr_mat_next(e, &m->rest, err));
    return tsr_mat_read_imaginary(&in->values, e, err);
}

/* Keep the first n indices: a matrix may have room for more entries than it has. */
static tsr_status shorten(tsr_numbers *indices, uint64_t n, tsr_error *err)
{
    tsr_array *const array = &indices->array;
    if (n > array->n)
        return tsr_fail(err, TSR_CORRUPT, "array '%s' has %" PRIu64 " values where %" PRIu64 " are expected",
                        indices->name, array->n, n);
    return tsr_array_shorten(array, n, err);
}

static tsr_status read_sparse(tsr_data *out, matrix *m, const tsr_read_options *options, tsr_error *err)
{
    tsr_arrays in = {.order = 2, .major = 1, .dims = {m->dims[0], m->dims[1]}};
    tsr_mat_element e;
    tsr_type type = TSR_I32;
    uint64_t nnz;
    tsr_status status;
    in.crd[0].name = "ir";
    in.pointers.name = "jc";
    if (m->order != 2)
        return tsr_fail(err, TSR_CORRUPT, "a sparse matrix has %d dimensions instead of 2", m->order);
    TSR_TRY_OUT(tsr_mat_next(&e, &m->rest, err));
    TSR_TRY_OUT(take_all(&in.crd[0], &e, err));
    TSR_TRY_OUT(tsr_mat_next(&e, &m->rest, err));
    TSR_TRY_OUT(tsr_mat_count(&nnz, &type, &e, "jc", m->dims[1] + 1, err));
    TSR_TRY_OUT(tsr_mat_read_real(&in.pointers, type, &e, m->dims[1] + 1, err));
    TSR_TRY_OUT(tsr_numbers_to_indices(&in.pointers, 0, err));
    nnz = tsr_array_get(&in.pointers.array, m->dims[1]);
    TSR_TRY_OUT(shorten(&in.crd[0], nnz, err));
    TSR_TRY_OUT(tsr_mat_next(&e, &m->rest, err));
    TSR_TRY_OUT(take_values(&in, m, &e, nnz, err));
    TSR_TRY_OUT(tsr_mat_stream_finish(m->rest.stream, err));
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
            return tsr_mat_cut_off(err);
    tsr_mat_element e;
    TSR_TRY(tsr_mat_next(&e, &m->rest, err));
    if (m->rest.end - m->rest.next >= 16 && (m->flags & FLAG_LOGICAL) && e.type == 5)
        return tsr_fail(
            err, TSR_CORRUPT,
            "is a sparse logical matrix in the form of Octave 7, which is not supported: save double(x)");
    tsr_status status = take_values(&in, m, &e, n, err);
    if (status == TSR_OK)
        status = tsr_mat_stream_finish(m->rest.stream, err);
    if (status == TSR_OK)
        return tsr_arrays_dense(out, &in, options, err);
    tsr_arrays_clear(&in);
    return status;
}

/* The number of entries of a sparse matrix: the last number of jc, which follows the indices. The count is left out if
 * too many bytes would have to be inflated for it. */
static tsr_status count_entries(tsr_brief_tensor *to, matrix *m, bool names_only, tsr_error *err)
{
    enum { MOST_INFLATED = 64 << 20 };
    unsigned char last[4];
    tsr_mat_element e;
    TSR_TRY(tsr_mat_next(&e, &m->rest, err));
    to->has_nnz = !names_only && (e.nbytes <= MOST_INFLATED || !m->rest.stream->inflate);
    if (!to->has_nnz)
        return TSR_OK;
    TSR_TRY(tsr_mat_next(&e, &m->rest, err));
    if (m->order != 2 || e.nbytes / 4 <= m->dims[1])
        return tsr_mat_cut_off(err);
    TSR_TRY(tsr_mat_take(NULL, &e, 4 * m->dims[1], err));
    TSR_TRY(tsr_mat_take(last, &e, 4, err));
    to->nnz = tsr_mat_word(last, m->rest.stream->big);
    return TSR_OK;
}

static tsr_status describe(const tsr_mat_visit *v, const char *path, matrix *m, tsr_error *err)
{
    tsr_brief_tensor *const to = tsr_brief_add(v->brief, path);
    int modes[TSR_MAX_ORDER];
    if (!to)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    to->order = m->order;
    to->has_dims = to->has_nnz = true;
    to->nnz = 1;
    for (int i = 0; i < m->order; i++) {
        to->dims[i] = m->dims[i];
        to->has_nnz = to->has_nnz && tsr_mul_u64(&to->nnz, to->nnz, m->dims[i]);
        modes[i] = m->order - 1 - i;
    }
    snprintf(to->type, sizeof to->type, "%s",
             m->flags & FLAG_LOGICAL   ? "bool"
             : m->flags & FLAG_COMPLEX ? "c128"
                                       : tsr_type_name(class_type(m->class)));
    if (m->class != CLASS_SPARSE)
        return tsr_format_dense(&to->format, m->order, modes, err);
    TSR_TRY(count_entries(to, m, v->names_only, err));
    return tsr_format_nested(&to->format, 2, 1, (const int[]){1, 0}, err);
}

static tsr_status visit_matrix(tsr_mat_visit *v, tsr_mat_cursor c, const char *field, int depth,
                               tsr_error *err);

/* Visit the fields with these names, `each` bytes a name. */
static tsr_status visit_fields(tsr_mat_visit *v, matrix *m, const tsr_array *names, uint64_t each, int depth,
                               tsr_error *err)
{
    tsr_mat_element value;
    for (uint64_t i = 0; i < names->n / each && !v->done; i++) {
        char field[256] = "";
        const size_t n = each < sizeof field ? (size_t)each : sizeof field - 1;
        memcpy(field, (const char *)names->data + i * each, n);
        TSR_TRY(tsr_mat_next(&value, &m->rest, err));
        if (value.type != TSR_MI_MATRIX || value.nbytes == 0)
            continue;
        if (value.small)
            return tsr_mat_cut_off(err);
        tsr_mat_stream *const s = m->rest.stream;
        TSR_TRY(visit_matrix(v, (tsr_mat_cursor){s, s->at, s->at + value.nbytes}, field, depth + 1, err));
    }
    return TSR_OK;
}

/* Visit a struct of one element; other structs are skipped. */
static tsr_status visit_struct(tsr_mat_visit *v, matrix *m, int depth, tsr_error *err)
{
    tsr_mat_element length, text;
    unsigned char raw[4];
    tsr_array names = {0};
    TSR_TRY(tsr_mat_next(&length, &m->rest, err));
    if (length.nbytes < 4)
        return TSR_OK;
    TSR_TRY(tsr_mat_take(raw, &length, 4, err));
    const uint32_t each = tsr_mat_word(raw, m->rest.stream->big);
    TSR_TRY(tsr_mat_next(&text, &m->rest, err));
    if (each == 0 || m->order != 2 || m->dims[0] != 1 || m->dims[1] != 1)
        return TSR_OK;
    TSR_TRY(tsr_array_init(&names, text.nbytes, 1, 0, "the names of fields", err));
    tsr_status status = tsr_mat_take(names.data, &text, text.nbytes, err);
    if (status == TSR_OK)
        status = visit_fields(v, m, &names, each, depth, err);
    tsr_array_clear(&names);
    return status;
}

/* Read or describe a matrix, unless another matrix is wanted. */
static tsr_status use_matrix(tsr_mat_visit *v, matrix *m, tsr_error *err)
{
    const char *const path = tsr_text_cstr(&v->path);
    if (!tsr_mat_wants(v, path))
        return TSR_OK;
    if (!v->out)
        return describe(v, path, m, err);
    return m->class == CLASS_SPARSE ? read_sparse(v->out, m, v->options, err)
                                    : read_dense(v->out, m, v->options, err);
}

static tsr_status visit_matrix(tsr_mat_visit *v, tsr_mat_cursor c, const char *field, int depth,
                               tsr_error *err)
{
    char name[256];
    matrix m;
    TSR_TRY(read_header(&m, name, sizeof name, &c, err));
    if (!field && name[0] == '\0') /* the data of MATLAB's objects */
        return TSR_OK;
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

static tsr_status visit_five(tsr_mat_visit *v, tsr_file *file, bool big, tsr_error *err)
{
    tsr_status status = TSR_OK;
    while (status == TSR_OK && file->bytes.left >= 8 && !v->done) {
        tsr_mat_stream stream;
        status = tsr_mat_stream_begin(&stream, file, big, err);
        if (status == TSR_OK && stream.nbytes > 0)
            status = visit_matrix(v, (tsr_mat_cursor){&stream, 0, stream.nbytes}, NULL, 0, err);
        const tsr_status ended = tsr_mat_stream_end(&stream, status == TSR_OK ? err : NULL);
        status = status == TSR_OK ? ended : status;
    }
    return status;
}

/* ---- files ---- */

int tsr_mat5_probe(const tsr_probe *probe)
{
    const unsigned char *const h = probe->head;
    if (probe->n >= HEAD_NBYTES &&
        ((h[126] == 'I' && h[127] == 'M' && h[125] == 1) || (h[126] == 'M' && h[127] == 'I' && h[124] == 1)))
        return 100;
    return probe->n >= 20 && tsr_mat4_is_header(h) ? 60 : 0;
}

/* Walk over the file from the beginning. */
static tsr_status visit_file(tsr_mat_visit *v, tsr_file *file, tsr_error *err)
{
    unsigned char head[HEAD_NBYTES];
    if (file->bytes.left < 20)
        return tsr_fail(err, TSR_SYNTAX, "is too short for a file of MATLAB");
    TSR_TRY(tsr_bytes_take(&file->bytes, head, 20, err));
    if (tsr_mat4_is_header(head))
        return tsr_mat4_visit(v, file, head, err);
    TSR_TRY(tsr_bytes_take(&file->bytes, head + 20, HEAD_NBYTES - 20, err));
    const bool little = head[126] == 'I' && head[127] == 'M', big = head[126] == 'M' && head[127] == 'I';
    if (!little && !big)
        return tsr_fail(err, TSR_SYNTAX,
                        "is not a file of MATLAB: it does not begin with a header of MATLAB");
    return visit_five(v, file, big, err);
}

static tsr_status describe_all(tsr_brief *out, tsr_file *file, const char *object, bool names_only,
                               tsr_error *err)
{
    tsr_mat_visit v = {.wanted = object, .brief = out, .names_only = names_only};
    const tsr_status status = visit_file(&v, file, err);
    tsr_text_clear(&v.path);
    return status;
}

/* The error for a matrix that the file does not have. */
static tsr_status refuse_missing(tsr_file *file, const char *object, tsr_error *err)
{
    enum { MOST = 12 };
    char shown[TSR_SHOWN_NBYTES];
    tsr_brief brief = {0};
    tsr_text list = {0};
    tsr_error ignored;
    const bool listed = tsr_file_rewind(file, &ignored) == TSR_OK &&
                        describe_all(&brief, file, NULL, true, &ignored) == TSR_OK;
    for (int i = 0; listed && i < brief.ntensors && i < MOST; i++)
        tsr_text_addf(&list, "%s%s", i ? ", " : "; it has: ", tsr_show(shown, brief.tensors[i].group));
    const tsr_status status = tsr_fail(err, TSR_ARGUMENT, "has no matrix '%s'%s%s", tsr_show(shown, object),
                                       tsr_text_cstr(&list), brief.ntensors > MOST ? ", ..." : "");
    tsr_text_clear(&list);
    tsr_brief_clear(&brief);
    return status;
}

static tsr_status describe_some(tsr_brief *out, tsr_file *file, const char *object, bool names_only,
                                tsr_error *err)
{
    TSR_TRY(describe_all(out, file, object, names_only, err));
    if (out->ntensors > 0)
        return TSR_OK;
    return object ? refuse_missing(file, object, err)
                  : tsr_fail(err, TSR_UNSUPPORTED, "has no matrix that is supported");
}

tsr_status tsr_mat5_describe(tsr_brief *out, tsr_file *file, const char *object, tsr_error *err)
{
    return describe_some(out, file, object, false, err);
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

/* Find the path of the matrix to read where the user gives none: *path is in *brief. */
static tsr_status choose_path(const char **path, tsr_brief *brief, tsr_file *file, tsr_error *err)
{
    TSR_TRY(describe_some(brief, file, NULL, true, err));
    TSR_TRY(tsr_file_rewind(file, err));
    const int at = choose(brief);
    if (at >= 0) {
        *path = brief->tensors[at].group;
        return TSR_OK;
    }
    tsr_brief_clear(brief);
    TSR_TRY(describe_some(brief, file, NULL, false, err)); /* the error has the counts */
    return refuse_choice(brief, err);
}

tsr_status tsr_mat5_read(tsr_data *out, tsr_file *file, const char *object, const tsr_read_options *options,
                         tsr_error *err)
{
    tsr_brief brief = {0};
    tsr_mat_visit v = {.wanted = object, .out = out, .options = options};
    tsr_status status = object ? TSR_OK : choose_path(&v.wanted, &brief, file, err);
    if (status == TSR_OK)
        status = visit_file(&v, file, err);
    if (status == TSR_OK && !out->coo && !out->tensor)
        status = refuse_missing(file, v.wanted, err);
    tsr_text_clear(&v.path);
    tsr_brief_clear(&brief);
    return status;
}
