/* The members of a .mat file of version 5 or 7: see mat_internal.h and mat.md. Only headers are read; the rest of a variable is passed
 * over, unless it is a compressed struct. */
#include "mat_internal.h"

#include <string.h>

#include "mat5.h"
#include "tsr_checked.h"
#include "tsr_text.h"

enum {
    MAX_MEMBERS = 1000,
    MAX_DEPTH = 8,
    CLASS_STRUCT = 2,
    CLASS_SPARSE = 5,
    CLASS_DOUBLE = 6,
    CLASS_LAST = 15,
    FLAG_COMPLEX = 8,
    FLAG_LOGICAL = 2
};

/* ---- the list ---- */

void tsr_mat_index_clear(tsr_mat_index *index)
{
    for (int i = 0; i < index->n; i++)
        tsr_free(index->members[i].path);
    tsr_free(index->members);
    *index = (tsr_mat_index){.n = 0};
}

bool tsr_mat_index_is_full(const tsr_mat_index *index)
{
    return index->n >= MAX_MEMBERS;
}

tsr_status tsr_mat_index_add(tsr_mat_index *index, const tsr_mat_member *member, const char *path,
                             tsr_error *err)
{
    if (index->n == index->capacity) {
        const int capacity = index->capacity ? 2 * index->capacity : 8;
        void *const members = tsr_realloc(index->members, (size_t)capacity * sizeof *index->members);
        if (!members)
            return tsr_fail(err, TSR_NOMEM, "out of memory");
        index->members = members;
        index->capacity = capacity;
    }
    index->members[index->n] = *member;
    index->members[index->n].path = tsr_strdup(path);
    if (!index->members[index->n].path)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    index->n++;
    return TSR_OK;
}

/* ---- variables ---- */

/* A search through a file. */
typedef struct search {
    tsr_mat_index *index;
    bool big;
    uint64_t variable; /* the place of the variable in the file */
    tsr_text path;
} search;

/* A variable: the header, and the elements after it. */
typedef struct matrix {
    unsigned class, flags;
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    tsr_mat_cursor rest;
} matrix;

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

/* Why the arrays of the variable cannot be read; NULL: they can. first: the first of the elements, which has `there` numbers. */
static const char *find_fault(const tsr_mat_member *member, const matrix *m, const tsr_mat_element *first,
                              uint64_t there)
{
    const uint64_t left = m->rest.end - m->rest.next;
    if (member->kind == TSR_MAT_SPARSE)
        return m->order != 2        ? "a sparse matrix must have 2 dimensions"
               : m->dims[1] >= left ? "a variable of the file is truncated: a sparse matrix has more columns "
                                      "than bytes"
                                    : NULL;
    if (left >= 16 && member->logical && first->type == 5)
        return "is a sparse logical matrix in the form of Octave 7, which is not supported: save double(x)";
    const bool bytes = member->logical && first->type == 9; /* see go_to in mat_container.c */
    return (bytes ? first->nbytes : there) < member->n
               ? "a variable of the file is truncated: it has fewer values than its dims say"
               : NULL;
}

/* Add a matrix, of which the first element is looked at. */
static tsr_status add_matrix(search *s, matrix *m, tsr_error *err)
{
    const bool complex = (m->flags & FLAG_COMPLEX) != 0;
    tsr_mat_element e;
    tsr_type stored;
    tsr_mat_member member = {.kind = m->class == CLASS_SPARSE ? TSR_MAT_SPARSE : TSR_MAT_DENSE,
                             .big = s->big,
                             .packed = m->rest.stream->inflate != NULL,
                             .logical = (m->flags & FLAG_LOGICAL) != 0,
                             .order = m->order,
                             .variable = s->variable,
                             .at = m->rest.next,
                             .end = m->rest.end,
                             .n = 1};
    memcpy(member.dims, m->dims, sizeof member.dims);
    for (int i = 0; i < m->order && member.kind == TSR_MAT_DENSE; i++)
        if (!tsr_mul_u64(&member.n, member.n, m->dims[i]))
            return tsr_mat_cut_off(err);
    TSR_TRY(tsr_mat_next(&e, &m->rest, err));
    member.type = complex          ? (member.kind == TSR_MAT_DENSE && e.type == 7 ? TSR_C64 : TSR_C128)
                  : member.logical ? TSR_U8
                                   : class_type(m->class);
    const uint64_t there =
        tsr_mat_number_type(&stored, e.type) ? e.nbytes / tsr_type_nbytes(stored) : e.nbytes;
    if (member.kind == TSR_MAT_SPARSE)
        member.n = there;
    member.fault = find_fault(&member, m, &e, there);
    return tsr_mat_index_add(s->index, &member, tsr_text_cstr(&s->path), err);
}

static tsr_status add_any(search *s, tsr_mat_cursor c, const char *field, int depth, tsr_error *err);

/* Add the fields with these names, `each` bytes a name. */
static tsr_status add_fields(search *s, matrix *m, const tsr_array *names, uint64_t each, int depth,
                             tsr_error *err)
{
    tsr_mat_element value;
    for (uint64_t i = 0; i < names->n / each && !tsr_mat_index_is_full(s->index); i++) {
        char field[256] = "";
        const size_t n = each < sizeof field ? (size_t)each : sizeof field - 1;
        memcpy(field, (const char *)names->data + i * each, n);
        TSR_TRY(tsr_mat_next(&value, &m->rest, err));
        if (value.type != TSR_MI_MATRIX || value.nbytes == 0)
            continue;
        if (value.small)
            return tsr_mat_cut_off(err);
        tsr_mat_stream *const from = m->rest.stream;
        TSR_TRY(add_any(s, (tsr_mat_cursor){from, from->at, from->at + value.nbytes}, field, depth + 1, err));
    }
    return TSR_OK;
}

/* Add a struct of one element and its fields; other structs are skipped. */
static tsr_status add_struct(search *s, matrix *m, int depth, tsr_error *err)
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
    TSR_TRY(
        tsr_mat_index_add(s->index, &(tsr_mat_member){.kind = TSR_MAT_STRUCT}, tsr_text_cstr(&s->path), err));
    TSR_TRY(tsr_array_init(&names, text.nbytes, 1, 0, "the names of fields", err));
    tsr_status status = tsr_mat_take(names.data, &text, text.nbytes, err);
    if (status == TSR_OK)
        status = add_fields(s, m, &names, each, depth, err);
    tsr_array_clear(&names);
    return status;
}

static tsr_status add_any(search *s, tsr_mat_cursor c, const char *field, int depth, tsr_error *err)
{
    char name[256];
    matrix m;
    TSR_TRY(read_header(&m, name, sizeof name, &c, err));
    if (!field && name[0] == '\0') /* the data of MATLAB's objects */
        return TSR_OK;
    const size_t before = s->path.nbytes;
    tsr_text_addf(&s->path, "%s%s", before ? "/" : "", field ? field : name);
    TSR_TRY(tsr_text_status(&s->path, err));
    tsr_status status = TSR_OK;
    if (m.class == CLASS_STRUCT && depth < MAX_DEPTH)
        status = add_struct(s, &m, depth, err);
    else if (m.class == CLASS_SPARSE || (m.class >= CLASS_DOUBLE && m.class <= CLASS_LAST))
        status = add_matrix(s, &m, err);
    s->path.nbytes = before;
    s->path.s[before] = '\0';
    return status;
}

static tsr_status index_five(tsr_mat_index *out, tsr_file *file, bool big, tsr_error *err)
{
    search s = {.index = out, .big = big};
    tsr_status status = TSR_OK;
    while (status == TSR_OK && file->bytes.left >= 8 && !tsr_mat_index_is_full(out)) {
        tsr_mat_stream stream;
        s.variable = file->nbytes - file->bytes.left;
        status = tsr_mat_stream_begin(&stream, file, big, err);
        if (status == TSR_OK && stream.nbytes > 0)
            status = add_any(&s, (tsr_mat_cursor){&stream, 0, stream.nbytes}, NULL, 0, err);
        const tsr_status ended = tsr_mat_stream_end(&stream, status == TSR_OK ? err : NULL);
        status = status == TSR_OK ? ended : status;
    }
    tsr_text_clear(&s.path);
    return status;
}

/* ---- files ---- */

int tsr_mat_claim(const unsigned char *h, size_t n)
{
    if (n >= TSR_MAT_HEAD_NBYTES &&
        ((h[126] == 'I' && h[127] == 'M' && h[125] == 1) || (h[126] == 'M' && h[127] == 'I' && h[124] == 1)))
        return 100;
    return n >= 20 && tsr_mat4_is_header(h) ? 60 : 0;
}

tsr_status tsr_mat_index_make(tsr_mat_index *out, tsr_file *file, tsr_error *err)
{
    unsigned char head[TSR_MAT_HEAD_NBYTES];
    TSR_TRY(tsr_bytes_take(&file->bytes, head, 20, err));
    if (tsr_mat4_is_header(head))
        return tsr_mat4_index(out, file, head, err);
    TSR_TRY(tsr_bytes_take(&file->bytes, head + 20, TSR_MAT_HEAD_NBYTES - 20, err));
    return index_five(out, file, head[126] == 'M', err);
}
