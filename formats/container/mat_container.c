/* MATLAB's .mat of versions 4, 5 and 7 as containers: see container.h and mat.md. The members look like those of version 7.3, which is
 * HDF5, so one dialect reads all: a dense variable is an array with reversed dims and the attribute MATLAB_class; a sparse variable
 * is a group of the arrays ir, jc and data, whose attribute MATLAB_sparse is the number of rows; a struct of one element is a group
 * of the fields. A sparse variable of version 4 is a group of the arrays i, j and value with the attribute MATLAB_triplets, the dims.
 *
 * The variables are found when the file is opened. Numbers are read in the order of the file, since a variable may be compressed. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "container.h"
#include "mat5.h"
#include "mat_internal.h"
#include "tsr_checked.h"
#include "tsr_shown.h"

enum {
    NSESSIONS = 1 + 2 * TSR_CONTAINER_STREAMS, /* complex numbers have two arrays */
    NARRAYS = 3
};

/* An array that is being read: where the file is. */
typedef struct session {
    tsr_file file;
    bool opened;
    const tsr_mat_member *of; /* NULL: nothing is being read */
    tsr_mat_stream stream;
    tsr_mat_cursor rest;
    int k; /* the element that was begun; -1: none */
    tsr_mat_element e;
} session;

typedef struct mat {
    tsr_container base;
    char *path;     /* owned */
    tsr_text group; /* of the current group; "": the root */
    tsr_mat_index index;
    tsr_error fault;             /* why the rest of the file could not be looked through */
    session sessions[NSESSIONS]; /* whole arrays; then two for each stream of parts */
} mat;

static mat *of(tsr_container *c)
{
    return (mat *)c; /* `base` is the first member */
}

/* ---- the file ---- */

static void end_session(session *s)
{
    const tsr_status ignored = s->of ? tsr_mat_stream_end(&s->stream, NULL) : TSR_OK;
    (void)ignored;
    s->of = NULL;
}

static void free_file(tsr_container *c)
{
    mat *const m = of(c);
    for (int i = 0; i < NSESSIONS; i++) {
        end_session(&m->sessions[i]);
        if (m->sessions[i].opened)
            tsr_file_close(&m->sessions[i].file);
    }
    tsr_mat_index_clear(&m->index);
    tsr_text_clear(&m->group);
    tsr_free(m->path);
    tsr_free(m);
}

static bool claims(const char *path)
{
    unsigned char head[TSR_MAT_HEAD_NBYTES];
    tsr_file file;
    if (tsr_file_open(&file, path, NULL) != TSR_OK)
        return false;
    const size_t n = file.nbytes < sizeof head ? (size_t)file.nbytes : sizeof head;
    const bool is = tsr_file_peek(head, n, &file, 0) == n && tsr_mat_claim(head, n) > 0;
    tsr_file_close(&file);
    return is;
}

static bool claims_name(const char *path)
{
    (void)path;
    return false; /* a new file is written by mat_write.c, or as HDF5 */
}

static tsr_status open_file(tsr_container **out, const char *path, tsr_error *err)
{
    mat *const m = tsr_calloc(1, sizeof *m);
    *out = NULL;
    if (!m)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    m->base.type = &tsr_container_mat;
    m->path = tsr_strdup(path);
    session *const s = &m->sessions[0];
    tsr_status status =
        m->path ? tsr_file_open(&s->file, path, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    s->opened = m->path != NULL && s->file.fd >= 0;
    if (status == TSR_OK)
        status = tsr_mat_index_make(&m->index, &s->file, &m->fault);
    if (status != TSR_OK && status != TSR_NOMEM && m->index.n > 0)
        status = TSR_OK; /* what was found before the fault can be read */
    else if (status != TSR_OK && m->fault.status != TSR_OK)
        status = tsr_fail_as(err, &m->fault);
    if (status == TSR_OK)
        *out = &m->base;
    else
        free_file(&m->base);
    return status;
}

/* ---- members ---- */

static const tsr_mat_member *find(const mat *m, const char *path, size_t n)
{
    for (int i = 0; i < m->index.n; i++)
        if (tsr_name_is(m->index.members[i].path, path, n))
            return &m->index.members[i];
    return NULL;
}

/* The member `name` of the current group; NULL: the group itself, or none. */
static const tsr_mat_member *member_of(mat *m, const char *name)
{
    tsr_text path = {0};
    tsr_text_addf(&path, "%s%s%s", tsr_text_cstr(&m->group), m->group.nbytes > 0 && name && *name ? "/" : "",
                  name ? name : "");
    const tsr_mat_member *const found =
        tsr_text_status(&path, NULL) == TSR_OK ? find(m, tsr_text_cstr(&path), path.nbytes) : NULL;
    tsr_text_clear(&path);
    return found;
}

/* The arrays of sparse variables, in the order of the file. */
static const char *const array_names[][NARRAYS] = {
    [TSR_MAT_SPARSE] = {"ir", "jc", "data"}, [TSR_MAT_TRIPLETS] = {"i", "j", "value"}};

static bool has_arrays(const tsr_mat_member *member)
{
    return member && (member->kind == TSR_MAT_SPARSE || member->kind == TSR_MAT_TRIPLETS);
}

/* The variable that has the array `name` of the current group, and which of the arrays of the variable it is. NULL: there is no such
 * array. */
static const tsr_mat_member *find_array(int *which, mat *m, const char *name)
{
    const tsr_mat_member *const group = member_of(m, NULL), *const own = member_of(m, name);
    *which = 0;
    for (int i = 0; i < NARRAYS && has_arrays(group); i++)
        if (strcmp(name, array_names[group->kind][i]) == 0) {
            *which = i;
            return group;
        }
    return own && own->kind == TSR_MAT_DENSE ? own : NULL;
}

static tsr_status enter(tsr_container *c, const char *group, tsr_error *err)
{
    mat *const m = of(c);
    char shown[TSR_SHOWN_NBYTES];
    while (*group == '/')
        group++;
    const tsr_mat_member *const member = member_of(m, group);
    if (*group && (!member || member->kind == TSR_MAT_DENSE))
        return tsr_fail(err, TSR_ARGUMENT, "there is no struct or sparse matrix '%s'",
                        tsr_show(shown, group));
    tsr_text_addf(&m->group, "%s%s", m->group.nbytes > 0 && *group ? "/" : "", group);
    return tsr_text_status(&m->group, err);
}

static tsr_status leave(tsr_container *c, tsr_error *err)
{
    (void)err;
    tsr_text_clear(&of(c)->group);
    return TSR_OK;
}

static tsr_node look_up(tsr_container *c, const char *name)
{
    int which;
    const tsr_mat_member *const member = member_of(of(c), name);
    if (find_array(&which, of(c), name))
        return TSR_NODE_ARRAY;
    return member || (!*name && of(c)->group.nbytes == 0) ? TSR_NODE_GROUP : TSR_NODE_NONE;
}

static tsr_status list(tsr_text *names, tsr_container *c, tsr_error *err)
{
    mat *const m = of(c);
    const tsr_mat_member *const group = member_of(m, NULL);
    const size_t n = m->group.nbytes;
    if (m->fault.status != TSR_OK)
        return tsr_fail_as(err, &m->fault);
    for (int i = 0; i < NARRAYS && has_arrays(group); i++) {
        tsr_text_addf(names, "d%s", array_names[group->kind][i]);
        tsr_text_add_n(names, "", 1);
    }
    for (int i = 0; i < m->index.n; i++) {
        const tsr_mat_member *const member = &m->index.members[i];
        const char *const name = member->path + n + (n > 0);
        if (strncmp(member->path, tsr_text_cstr(&m->group), n) != 0 || (n > 0 && member->path[n] != '/') ||
            strchr(name, '/'))
            continue;
        tsr_text_addf(names, "%c%s", member->kind == TSR_MAT_DENSE ? 'd' : 'g', name);
        tsr_text_add_n(names, "", 1);
    }
    return tsr_text_status(names, err);
}

static tsr_status text_of(char **out, tsr_container *c, const char *name, const char *attribute,
                          tsr_error *err)
{
    const tsr_mat_member *const member = member_of(of(c), name);
    const char *const text = !member ? NULL
                             : strcmp(attribute, "MATLAB_class") == 0 && member->kind != TSR_MAT_STRUCT
                                 ? (member->logical ? "logical" : "double")
                             : strcmp(attribute, "MATLAB_triplets") == 0 && member->kind == TSR_MAT_TRIPLETS
                                 ? "dims"
                                 : NULL;
    *out = text ? tsr_strdup(text) : NULL;
    return text && !*out ? tsr_fail(err, TSR_NOMEM, "out of memory") : TSR_OK;
}

static tsr_status read_text(char **out, size_t *nbytes, tsr_container *c, const char *attribute,
                            tsr_error *err)
{
    TSR_TRY(text_of(out, c, NULL, attribute, err));
    *nbytes = *out ? strlen(*out) : 0;
    return TSR_OK;
}

static int integers_of(int64_t *out, int most, tsr_container *c, const char *name, const char *attribute)
{
    const tsr_mat_member *const member = member_of(of(c), name);
    const int n = !member                                                                         ? 0
                  : member->kind == TSR_MAT_SPARSE && strcmp(attribute, "MATLAB_sparse") == 0     ? 1
                  : member->kind == TSR_MAT_TRIPLETS && strcmp(attribute, "MATLAB_triplets") == 0 ? 2
                                                                                                  : 0;
    for (int i = 0; i < n && i < most; i++)
        out[i] = (int64_t)member->dims[i];
    return n;
}

/* ---- arrays ---- */

static tsr_status missing(const char *name, tsr_error *err)
{
    char shown[TSR_SHOWN_NBYTES];
    return tsr_fail(err, TSR_CORRUPT, "array '%s' is missing", tsr_show(shown, name));
}

static tsr_status look(tsr_stored *out, char *storage, tsr_container *c, const char *name, bool wide,
                       tsr_error *err)
{
    int which;
    const tsr_mat_member *const member = find_array(&which, of(c), name);
    if (!member)
        return missing(name, err);
    if (member->fault && !storage)
        return tsr_fail(err, TSR_CORRUPT, "%s", member->fault);
    const bool dense = member->kind == TSR_MAT_DENSE;
    *out = (tsr_stored){.type = dense || which == 2 ? member->type : TSR_I32,
                        .n = member->kind == TSR_MAT_SPARSE && which == 1 ? member->dims[1] + 1 : member->n,
                        .n_is_most = member->kind == TSR_MAT_SPARSE && which == 2,
                        .wide = wide,
                        .packed = member->packed,
                        .ndims = dense ? member->order : 1};
    if (!wide && (out->ndims != 1 || tsr_type_class(out->type) == 'C'))
        return tsr_fail(err, TSR_CORRUPT, "'%s' is not an array of real numbers of one dimension", name);
    out->width = tsr_type_nbytes(out->type);
    out->dims[0] = out->n;
    for (int i = 0; dense && i < member->order; i++)
        out->dims[i] = member->dims[member->order - 1 - i];
    snprintf(out->name, sizeof out->name, "%s", name);
    if (storage)
        snprintf(storage, TSR_STORAGE_NBYTES, "%s", member->packed ? "deflated" : "as it is");
    return TSR_OK;
}

/* Begin with the elements of a variable. */
static tsr_status begin(session *s, const mat *m, const tsr_mat_member *member, tsr_error *err)
{
    end_session(s);
    if (!s->opened)
        TSR_TRY(tsr_file_open(&s->file, m->path, err));
    else
        TSR_TRY(tsr_file_rewind(&s->file, err));
    s->opened = true;
    TSR_TRY(tsr_file_skip(&s->file, member->variable, err));
    s->of = member;
    s->k = -1;
    if (!member->four) {
        TSR_TRY(tsr_mat_stream_begin(&s->stream, &s->file, member->big, err));
        s->rest = (tsr_mat_cursor){&s->stream, member->at, member->end};
        return TSR_OK;
    }
    s->stream = (tsr_mat_stream){
        .file = &s->file, .big = member->big, .nbytes = member->end, .stored_left = member->end};
    s->e = (tsr_mat_element){.type = member->number_type, .nbytes = member->end, .stream = &s->stream};
    s->k = 0;
    return TSR_OK;
}

/* An array of a variable, or one part of the complex numbers of the array: the element, and the number in it that is the first. */
typedef struct place {
    const tsr_mat_member *member;
    const char *name;
    int k;
    uint64_t base;
} place;

static place place_of(const tsr_mat_member *member, const char *name, int which, int part)
{
    const uint64_t rows = member->kind == TSR_MAT_TRIPLETS ? member->n + 1 : member->n;
    const int k = which + part;
    return member->four ? (place){member, name, 0, (uint64_t)k * rows} : (place){member, name, k, 0};
}

/* Go to number `first` of the array, of which numbers [first, first + n) are to be read. */
static tsr_status go_to(session *s, const mat *m, const place *p, uint64_t first, uint64_t n, tsr_error *err)
{
    uint64_t there;
    tsr_type type = TSR_U8;
    first += p->base;
    const bool here = s->of == p->member && s->k <= p->k;
    if (!here ||
        (s->k == p->k && tsr_mat_number_type(&type, s->e.type) && s->e.used > first * tsr_type_nbytes(type)))
        TSR_TRY(begin(s, m, p->member, err));
    for (; s->k < p->k; s->k++) {
        TSR_TRY(tsr_mat_next(&s->e, &s->rest, err));
        if (p->member->logical && s->e.type == 9 && s->e.nbytes == first + n)
            s->e.type = 2; /* MATLAB 7.0 gives the bytes of logical values the type double */
    }
    TSR_TRY(tsr_mat_count(&there, &type, &s->e, p->name, first + n, err));
    return tsr_mat_take(NULL, &s->e, first * tsr_type_nbytes(type) - s->e.used, err);
}

/* Numbers [first, first + n) of an array. */
typedef struct part {
    uint64_t first, n;
    bool whole; /* all numbers, after those of the arrays before; else others follow */
} part;

static tsr_status read_numbers(void *out, mat *m, const tsr_stored *array, const part *numbers,
                               tsr_error *err)
{
    int which;
    const tsr_mat_member *const member = find_array(&which, m, array->name);
    if (!member)
        return missing(array->name, err);
    const bool complex = tsr_type_class(array->type) == 'C', whole = numbers->whole;
    const uint64_t first = numbers->first, n = numbers->n;
    const tsr_type type = array->type == TSR_C128 ? TSR_F64 : array->type == TSR_C64 ? TSR_F32 : array->type;
    session *s = m->sessions;
    for (int i = 0; i <= (int)complex; i++) {
        const place p = place_of(member, array->name, which, i);
        const tsr_mat_target to = {(char *)out + (size_t)i * tsr_type_nbytes(type), array->width, type};
        s = &m->sessions[whole ? 0 : 1 + 2 * array->stream + i];
        TSR_TRY(go_to(s, m, &p, first, n, err));
        const tsr_status status = tsr_mat_numbers(&to, &s->e, n, err);
        if ((status == TSR_RANGE || status == TSR_UNSUPPORTED) && array->type == TSR_I32)
            return tsr_fail(err, TSR_CORRUPT, "array '%s' has indices that are not integers below 2^31",
                            array->name);
        TSR_TRY(status);
    }
    const bool last = member->kind == TSR_MAT_DENSE || which == 2;
    if (!last || (!whole && s->e.used < s->e.nbytes))
        return TSR_OK;
    const tsr_status status = tsr_mat_stream_finish(&s->stream, err); /* the checksum */
    end_session(s);
    return status;
}

static tsr_status read_array(void *out, tsr_container *c, const tsr_stored *array, tsr_job *job,
                             tsr_error *err)
{
    TSR_TRY(read_numbers(out, of(c), array, &(part){0, array->n, true}, err));
    return tsr_job_step(job, array->n * array->width, err);
}

static tsr_status read_part(void *out, tsr_container *c, const tsr_stored *array, uint64_t first, uint64_t n,
                            tsr_error *err)
{
    return read_numbers(out, of(c), array, &(part){first, n, false}, err);
}

static tsr_status read_names(tsr_names *out, tsr_container *c, const char *name, tsr_error *err)
{
    (void)out;
    (void)c;
    return tsr_fail(err, TSR_UNSUPPORTED, "'%s' is not a list of texts", name);
}

const tsr_container_type tsr_container_mat = {
    .name = "MATLAB's file",
    .word = "array",
    .flat_parts = true,
    .claims = claims,
    .claims_name = claims_name,
    .open = open_file,
    .free = free_file,
    .enter = enter,
    .leave = leave,
    .look_up = look_up,
    .list = list,
    .read_text = read_text,
    .text_of = text_of,
    .integers_of = integers_of,
    .look = look,
    .read = read_array,
    .read_part = read_part,
    .read_names = read_names,
};
