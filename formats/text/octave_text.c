/* Reading Octave's save -text: see octave_text.h. */
#include "octave_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "array_import.h"
#include "growing_array.h"
#include "text_reader.h"
#include "tsr_checked.h"
#include "tsr_num.h"
#include "tsr_shown.h"

static const char begin[] = "# Created by Octave";

static const struct kind {
    const char *words; /* after "# type: " */
    bool sparse;
    tsr_type type;
    bool boolean;
} kinds[] = {
    {"sparse matrix", true, TSR_F64, false},
    {"matrix", false, TSR_F64, false},
    {"sparse complex matrix", true, TSR_C128, false},
    {"complex matrix", false, TSR_C128, false},
    {"sparse bool matrix", true, TSR_U8, true},
    {"bool matrix", false, TSR_U8, true},
    {"float matrix", false, TSR_F32, false},
    {"float complex matrix", false, TSR_C64, false},
    {"int8 matrix", false, TSR_I8, false},
    {"int16 matrix", false, TSR_I16, false},
    {"int32 matrix", false, TSR_I32, false},
    {"int64 matrix", false, TSR_I64, false},
    {"uint8 matrix", false, TSR_U8, false},
    {"uint16 matrix", false, TSR_U16, false},
    {"uint32 matrix", false, TSR_U32, false},
    {"uint64 matrix", false, TSR_U64, false},
};

enum { NAME_NBYTES = 256, MAX_DEPTH = 8 };

/* The comments before a variable. */
typedef struct variable {
    char name[NAME_NBYTES];  /* of a field: "struct/field" */
    char words[48];          /* the type */
    const struct kind *kind; /* NULL: a type that is not read */
    bool has_rows, has_nnz;
    bool by_columns; /* the first index is the fastest; else the last */
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    uint64_t nnz;
} variable;

/* A struct, whose fields follow as variables; or an array of structs or cells, whose elements follow. */
typedef struct nesting {
    char path[NAME_NBYTES];
    uint64_t left; /* fields or elements that follow */
    bool ignored;  /* they are not read */
} nesting;

/* A walk over the file. */
typedef struct walk {
    tsr_lines lines;
    variable v;
    int depth;
    nesting in[MAX_DEPTH];
} walk;

bool tsr_octave_text_probe(const tsr_probe *probe)
{
    return probe->n > sizeof begin && memcmp(probe->head, begin, sizeof begin - 1) == 0;
}

/* ---- comments ---- */

/* If the line is "# key: text", set the bounds of the text without blanks around it. */
static bool is_key(const char **p, const char **end, const char *key)
{
    const char *at = *p, *stop = *end;
    const size_t n = strlen(key);
    if (stop - at < 2 || at[0] != '#' || at[1] != ' ' || (size_t)(stop - at) < n + 3 ||
        memcmp(at + 2, key, n) != 0 || at[2 + n] != ':')
        return false;
    at += n + 3;
    while (at < stop && tsr_is_blank(*at))
        at++;
    while (stop > at && (tsr_is_blank(stop[-1]) || stop[-1] == '\r'))
        stop--;
    *p = at;
    *end = stop;
    return true;
}

static tsr_status take_size(uint64_t *out, bool *has, const char *p, const char *end, const tsr_lines *lines,
                            tsr_error *err)
{
    *has = true;
    if (tsr_parse_u64(out, p, end) == end && *out <= INT64_MAX)
        return TSR_OK;
    return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, tsr_lines_col(lines, p),
                       "expected a number of rows, columns or entries");
}

static void take_kind(variable *v, const char *p, const char *end)
{
    v->kind = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (tsr_name_is(kinds[i].words, p, (size_t)(end - p)))
            v->kind = &kinds[i];
    tsr_show_n(v->words, sizeof v->words, p, (size_t)(end - p));
}

/* Begin a variable: a field of the innermost struct that is not complete, or a variable of the file. */
static tsr_status begin_variable(walk *w, const char *p, const char *end, tsr_error *err)
{
    while (w->depth > 0 && w->in[w->depth - 1].left == 0)
        w->depth--;
    nesting *const in = w->depth > 0 ? &w->in[w->depth - 1] : NULL;
    w->v = (variable){.name = ""};
    if (in)
        in->left--;
    const int n = snprintf(w->v.name, sizeof w->v.name, "%s%s%.*s", in ? in->path : "", in ? "/" : "",
                           (int)(end - p < NAME_NBYTES ? end - p : NAME_NBYTES), p);
    return n >= 0 && n < NAME_NBYTES
               ? TSR_OK
               : tsr_fail_at(err, TSR_LIMIT, w->lines.path, w->lines.line, 0,
                             "the name of a variable has more than %d bytes", NAME_NBYTES - 1);
}

/* The variable is a struct or an array of `n` parts, which follow. */
static tsr_status nest(walk *w, uint64_t n, bool ignored, tsr_error *err)
{
    if (w->depth == MAX_DEPTH)
        return tsr_fail_at(err, TSR_LIMIT, w->lines.path, w->lines.line, 0,
                           "structs and cells are nested more than %d deep", MAX_DEPTH);
    nesting *const in = &w->in[w->depth];
    *in = (nesting){.left = n, .ignored = ignored || (w->depth > 0 && w->in[w->depth - 1].ignored)};
    memcpy(in->path, w->v.name, sizeof in->path);
    w->depth++;
    return TSR_OK;
}

/* Read the line of dims. */
static tsr_status take_dims(walk *w, const char *p, const char *end, tsr_error *err)
{
    variable *const v = &w->v;
    uint64_t n;
    const char *token, *token_end;
    bool good = tsr_parse_u64(&n, p, end) == end && n >= 2 && n <= TSR_MAX_ORDER;
    v->order = 0;
    if (good)
        TSR_TRY(tsr_lines_next(&p, &end, &w->lines, err));
    for (; good && p && tsr_next_token(&token, &token_end, &p, end); v->order++)
        good = (uint64_t)v->order < n && tsr_parse_u64(&v->dims[v->order], token, token_end) == token_end &&
               v->dims[v->order] <= INT64_MAX;
    if (!good || (uint64_t)v->order != n)
        return tsr_fail_at(err, TSR_SYNTAX, w->lines.path, w->lines.line, 0,
                           "expected from 2 to %d dims, and their number before them", TSR_MAX_ORDER);
    v->by_columns = true;
    return TSR_OK;
}

/* Use the comment "# key: text". *whole: the comments of the variable are complete. */
static tsr_status take_comment(bool *whole, walk *w, const char *p, const char *end, tsr_error *err)
{
    variable *const v = &w->v;
    uint64_t n;
    bool has;
    if (is_key(&p, &end, "name"))
        return begin_variable(w, p, end, err);
    if (is_key(&p, &end, "type")) {
        take_kind(v, p, end);
        *whole = v->kind == NULL;
    } else if (is_key(&p, &end, "nnz")) {
        return take_size(&v->nnz, &v->has_nnz, p, end, &w->lines, err);
    } else if (is_key(&p, &end, "rows")) {
        return take_size(&v->dims[0], &v->has_rows, p, end, &w->lines, err);
    } else if (is_key(&p, &end, "columns")) {
        TSR_TRY(take_size(&v->dims[1], &has, p, end, &w->lines, err));
        v->order = 2;
        if (strcmp(v->words, "cell") == 0 && v->has_rows && tsr_mul_u64(&n, v->dims[0], v->dims[1]))
            return nest(w, n, true, err);
        *whole = v->kind && v->has_rows && (!v->kind->sparse || v->has_nnz);
    } else if (is_key(&p, &end, "ndims")) {
        TSR_TRY(take_dims(w, p, end, err));
        *whole = v->kind && !v->kind->sparse;
    } else if (strstr(v->words, "struct") && is_key(&p, &end, "length")) {
        TSR_TRY(take_size(&n, &has, p, end, &w->lines, err));
        return nest(w, n, strcmp(v->words, "struct") == 0, err);
    }
    return TSR_OK;
}

/* Go to the first line after the comments of the next matrix that is read, or after the type of a variable that is not (kind
 * NULL). Elements of cells and of arrays of structs are passed over. *there: false at the end of the file. */
static tsr_status next_variable(bool *there, walk *w, tsr_error *err)
{
    const char *p, *end;
    *there = false;
    while (!*there) {
        TSR_TRY(tsr_lines_next(&p, &end, &w->lines, err));
        if (!p)
            return TSR_OK;
        if (p < end && *p == '#')
            TSR_TRY(take_comment(there, w, p, end, err));
        *there = *there && !(w->depth > 0 && w->in[w->depth - 1].ignored);
    }
    return TSR_OK;
}

/* ---- numbers ---- */

static tsr_status bad_token(const tsr_lines *lines, const char *token, const char *token_end,
                            const char *expected, tsr_error *err)
{
    char text[TSR_TOKEN_NBYTES];
    return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, tsr_lines_col(lines, token),
                       "expected %s, not '%s'", expected, tsr_token_text(text, token, token_end));
}

/* Parse "1.5" or "NA" as a real of the type of the parts, f64 or f32. Not through a double for f32, which would round twice. */
static bool parse_real(void *out, const char *p, const char *end, bool single)
{
    if (end - p == 2 && memcmp(p, "NA", 2) == 0) /* a NaN that stands for a missing value */
        p = "nan", end = p + 3;
    return (single ? tsr_parse_f32(out, p, end) : tsr_parse_f64(out, p, end)) == end;
}

/* Parse a value and store it as element e. */
static bool take_value(tsr_numbers *values, uint64_t e, const char *p, const char *end,
                       const struct kind *kind)
{
    const char class = kind->boolean ? 'B' : tsr_type_class(kind->type);
    void *const to = (unsigned char *)values->array.data + e * values->array.width;
    const bool single = kind->type == TSR_F32 || kind->type == TSR_C64;
    double v = 0;
    int64_t i;
    uint64_t u;
    if (class == 'I')
        return tsr_parse_i64(&i, p, end) == end &&
               tsr_values_convert(to, kind->type, &i, TSR_I64, 1, NULL) == TSR_OK;
    if (class == 'U')
        return tsr_parse_u64(&u, p, end) == end &&
               tsr_values_convert(to, kind->type, &u, TSR_U64, 1, NULL) == TSR_OK;
    if (class == 'C') {
        const char *const comma = memchr(p, ',', (size_t)(end - p));
        return comma && *p == '(' && end[-1] == ')' && parse_real(to, p + 1, comma, single) &&
               parse_real((char *)to + (single ? sizeof(float) : sizeof v), comma + 1, end - 1, single);
    }
    if (!kind->boolean)
        return parse_real(to, p, end, single);
    const bool good = parse_real(&v, p, end, false);
    tsr_array_set(&values->array, e, v != 0);
    return good;
}

/* Parse the next line as entry e: row, column, value. */
static tsr_status take_entry(tsr_arrays *in, uint64_t e, const variable *v, tsr_lines *lines, tsr_error *err)
{
    const char *p, *end;
    const char *token, *token_end;
    uint64_t at;
    do
        TSR_TRY(tsr_lines_next(&p, &end, lines, err));
    while (p && p == end);
    if (!p || *p == '#')
        return tsr_fail_at(
            err, TSR_SYNTAX, lines->path, lines->line, 0,
            "the matrix ends after %" PRIu64 " of the %" PRIu64 " entries that the header claims", e, v->nnz);
    for (int m = 0; m < 2; m++) {
        const bool there = tsr_next_token(&token, &token_end, &p, end);
        if (!there || tsr_parse_u64(&at, token, token_end) != token_end)
            return bad_token(lines, there ? token : end, there ? token_end : end, "an index", err);
        if (at > v->dims[m])
            return tsr_fail_at(err, TSR_RANGE, lines->path, lines->line, tsr_lines_col(lines, token),
                               "%s %" PRIu64 " is beyond the %" PRIu64 " of the header", m ? "column" : "row",
                               at, v->dims[m]);
        tsr_array_set(&in->crd[m].array, e, at);
    }
    const bool there = tsr_next_token(&token, &token_end, &p, end);
    if (!there || !take_value(&in->values, e, token, token_end, v->kind))
        return bad_token(lines, there ? token : end, there ? token_end : end, "a value", err);
    return TSR_OK;
}

static tsr_status read_sparse(tsr_arrays *in, const variable *v, tsr_lines *lines, tsr_error *err)
{
    tsr_array *const arrays[] = {&in->crd[0].array, &in->crd[1].array, &in->values.array};
    for (int m = 0; m < 2; m++) {
        const bool narrow = v->dims[m] <= UINT32_MAX;
        in->crd[m] = (tsr_numbers){.type = narrow ? TSR_U32 : TSR_U64,
                                   .array.width = narrow ? 4 : 8,
                                   .name = m ? "columns" : "rows"};
    }
    in->base = 1;
    for (uint64_t e = 0; e < v->nnz; e++) {
        for (int a = 0; a < 3; a++)
            TSR_TRY(tsr_array_make_room(arrays[a], e + 1, v->nnz, err));
        TSR_TRY(take_entry(in, e, v, lines, err));
    }
    for (int a = 0; a < 3; a++)
        TSR_TRY(tsr_array_shorten(arrays[a], v->nnz, err));
    return TSR_OK;
}

static tsr_status read_dense(tsr_arrays *in, const variable *v, tsr_lines *lines, tsr_error *err)
{
    const char *p, *end, *token, *token_end;
    uint64_t ncells = 1, n = 0;
    for (int m = 0; m < v->order; m++)
        if (!tsr_mul_u64(&ncells, ncells, v->dims[m]))
            return tsr_fail(err, TSR_CORRUPT, "the matrix has more than 2^64 cells");
    while (n < ncells) {
        TSR_TRY(tsr_lines_next(&p, &end, lines, err));
        if (!p || (p < end && *p == '#'))
            return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0,
                               "the matrix ends after %" PRIu64 " of %" PRIu64 " cells", n, ncells);
        for (; tsr_next_token(&token, &token_end, &p, end); n++) {
            if (n < ncells)
                TSR_TRY(tsr_array_make_room(&in->values.array, n + 1, ncells, err));
            if (n == ncells || !take_value(&in->values, n, token, token_end, v->kind))
                return bad_token(lines, token, token_end, "a value of the matrix", err);
        }
    }
    return tsr_array_shorten(&in->values.array, ncells, err);
}

/* Read the matrix whose comments are in v. */
static tsr_status read_variable(tsr_data *out, const variable *v, tsr_lines *lines,
                                const tsr_read_options *options, tsr_error *err)
{
    tsr_arrays in = {.order = v->order, .boolean = v->kind->boolean, .fortran = v->by_columns};
    memcpy(in.dims, v->dims, sizeof in.dims);
    in.values =
        (tsr_numbers){.type = v->kind->type, .array.width = tsr_type_nbytes(v->kind->type), .name = "values"};
    tsr_status status = v->kind->sparse ? read_sparse(&in, v, lines, err) : read_dense(&in, v, lines, err);
    if (status != TSR_OK) {
        tsr_arrays_clear(&in);
        return status;
    }
    if (!v->kind->sparse)
        return tsr_arrays_dense(out, &in, options, err);
    status = tsr_arrays_coordinates(out, &in, options, err);
    if (status == TSR_OK)
        out->coo->natural = "csc";
    return status;
}

/* ---- the file ---- */

/* Visit the variables of the file until one call sets *stop. */
typedef tsr_status (*visitor)(bool *stop, void *ctx, const variable *v, tsr_lines *lines, tsr_error *err);
static tsr_status visit_variables(const char *path, const tsr_read_options *options, visitor visit, void *ctx,
                                  tsr_error *err)
{
    bool there = false, stop = false;
    walk *const w = tsr_calloc(1, sizeof *w);
    if (!w)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_status status = tsr_lines_open(&w->lines, path, options, err);
    while (status == TSR_OK && !stop && (status = next_variable(&there, w, err)) == TSR_OK && there)
        status = visit(&stop, ctx, &w->v, &w->lines, err);
    tsr_lines_clear(&w->lines);
    tsr_free(w);
    return status;
}

/* What a walk over the file finds: the matrix to read, how many there are, and what is not read. */
typedef struct finding {
    char only[2][NAME_NBYTES]; /* the name of the last sparse matrix, and of the last matrix */
    int n[2], nothers;
    tsr_text list, others;
} finding;

enum { MOST_LISTED = 8 };

static void list_dims(tsr_text *list, const variable *v)
{
    for (int m = 0; m < v->order; m++)
        tsr_text_addf(list, "%s%" PRIu64, m ? " x " : "", v->dims[m]);
}

static tsr_status note_variable(bool *stop, void *ctx, const variable *v, tsr_lines *lines, tsr_error *err)
{
    finding *const f = ctx;
    char shown[TSR_SHOWN_NBYTES];
    (void)stop, (void)lines, (void)err;
    tsr_show(shown, v->name);
    if (!v->kind) {
        if (f->nothers++ < MOST_LISTED)
            tsr_text_addf(&f->others, "%s%s (%s)", f->nothers > 1 ? ", " : "", shown, v->words);
        return TSR_OK;
    }
    for (int kind = v->kind->sparse ? 0 : 1; kind < 2; kind++) {
        memcpy(f->only[kind], v->name, sizeof v->name);
        f->n[kind]++;
    }
    if (f->n[1] <= MOST_LISTED) {
        tsr_text_addf(&f->list, "%s%s (", f->n[1] > 1 ? ", " : "", shown);
        list_dims(&f->list, v);
        tsr_text_add(&f->list, ")");
    }
    return TSR_OK;
}

static tsr_status choose(char name[NAME_NBYTES], const char *path, const tsr_read_options *options,
                         tsr_error *err)
{
    finding f = {.n = {0, 0}};
    tsr_status status = visit_variables(path, options, note_variable, &f, err);
    if (status == TSR_OK && f.n[1] == 0)
        status = tsr_fail(err, TSR_UNSUPPORTED, "has no matrix that is supported%s%s",
                          f.nothers ? "; the variables are " : "", tsr_text_cstr(&f.others));
    else if (status == TSR_OK && f.n[0] != 1 && (f.n[0] > 1 || f.n[1] > 1))
        status = tsr_fail(err, TSR_ARGUMENT, "has several matrices: name one of them (file:NAME): %s",
                          tsr_text_cstr(&f.list));
    else
        memcpy(name, f.only[f.n[0] == 1 ? 0 : 1], sizeof f.only[0]);
    tsr_text_clear(&f.list);
    tsr_text_clear(&f.others);
    return status;
}

/* The error for a matrix that the file does not have. */
static tsr_status refuse_missing(const char *path, const char *object, const tsr_read_options *options,
                                 tsr_error *err)
{
    char shown[TSR_SHOWN_NBYTES];
    finding f = {.n = {0, 0}};
    tsr_error ignored;
    const bool listed = visit_variables(path, options, note_variable, &f, &ignored) == TSR_OK && f.n[1] > 0;
    const tsr_status status = tsr_fail(err, TSR_ARGUMENT, "has no matrix '%s'%s%s", tsr_show(shown, object),
                                       listed ? "; it has: " : "", listed ? tsr_text_cstr(&f.list) : "");
    tsr_text_clear(&f.list);
    tsr_text_clear(&f.others);
    return status;
}

/* The matrix to read. */
typedef struct wanted {
    tsr_data *out;
    const char *object;
    const tsr_read_options *options;
    bool found;
} wanted;

static tsr_status read_wanted(bool *stop, void *ctx, const variable *v, tsr_lines *lines, tsr_error *err)
{
    wanted *const w = ctx;
    if (strcmp(v->name, w->object) != 0)
        return TSR_OK;
    *stop = w->found = true;
    if (!v->kind)
        return tsr_fail(err, TSR_UNSUPPORTED, "'%s' is of Octave's type %s, which is not read: %s", v->name,
                        v->words,
                        strcmp(v->words, "scalar struct") == 0 ? "name a matrix in it (file:STRUCT/FIELD)"
                                                               : "save a matrix of its values");
    return read_variable(w->out, v, lines, w->options, err);
}

tsr_status tsr_octave_text_read(tsr_data *out, const char *path, const char *object,
                                const tsr_read_options *options, tsr_error *err)
{
    char name[NAME_NBYTES];
    if (!object) {
        TSR_TRY(choose(name, path, options, err));
        object = name;
    }
    wanted w = {.out = out, .object = object, .options = options};
    TSR_TRY(visit_variables(path, options, read_wanted, &w, err));
    return w.found ? TSR_OK : refuse_missing(path, object, options, err);
}

/* ---- in parts ---- */

enum { STEP = 4096 }; /* entries of a run */

typedef struct text_feed {
    tsr_feed base; /* first */
    walk w;
    char *path; /* owned */
    char object[NAME_NBYTES];
    tsr_read_options options;
    tsr_format *format;  /* of all cells; owned */
    tsr_arrays room;     /* of STEP entries: coordinates and values */
    uint64_t at;         /* entries, or cells, that were read */
    uint64_t ncells;     /* entries, or cells, of the matrix */
    const char *p, *end; /* what is left of a line of cells */
} text_feed;

/* Open the file, and go to the first line after the comments of the matrix. */
static tsr_status go_to_matrix(text_feed *f, tsr_error *err)
{
    bool there = true;
    f->w = (walk){.depth = 0};
    f->at = 0;
    f->p = f->end = NULL;
    TSR_TRY(tsr_lines_open(&f->w.lines, f->path, &f->options, err));
    do
        TSR_TRY(next_variable(&there, &f->w, err));
    while (there && strcmp(f->w.v.name, f->object) != 0);
    return there && f->w.v.kind && !f->w.v.kind->boolean && f->w.v.order > 0
               ? TSR_OK
               : tsr_fail(err, TSR_UNSUPPORTED, "this variable of Octave is read only as a whole");
}

static tsr_status next_entries(tsr_run *run, text_feed *f, tsr_error *err)
{
    const variable *const v = &f->w.v;
    for (; run->n < STEP && f->at < f->ncells; run->n++, f->at++)
        TSR_TRY(take_entry(&f->room, run->n, v, &f->w.lines, err));
    for (int m = 0; m < 2; m++) {
        tsr_array read = f->room.crd[m].array;
        read.n = run->n;
        if (tsr_indices_rebase(&read, TSR_U64, 1) < run->n)
            return tsr_fail(err, TSR_CORRUPT, "array '%s' has an index below 1", m ? "columns" : "rows");
    }
    return TSR_OK;
}

/* The coordinates of cell `at`. */
static void place_cell(text_feed *f, uint64_t e, uint64_t at)
{
    const variable *const v = &f->w.v;
    for (int k = 0; k < v->order; k++) {
        const int m = v->by_columns ? k : v->order - 1 - k;
        tsr_array_set(&f->room.crd[m].array, e, at % v->dims[m]);
        at /= v->dims[m];
    }
}

/* The cells that are not 0, and the negative zeros. */
static tsr_status next_cells(tsr_run *run, text_feed *f, tsr_error *err)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    const char *token, *token_end;
    const tsr_array *const values = &f->room.values.array;
    while (run->n < STEP && f->at < f->ncells) {
        if (!f->p || !tsr_next_token(&token, &token_end, &f->p, f->end)) {
            TSR_TRY(tsr_lines_next(&f->p, &f->end, &f->w.lines, err));
            if (!f->p || (f->p < f->end && *f->p == '#'))
                return tsr_fail_at(err, TSR_SYNTAX, f->w.lines.path, f->w.lines.line, 0,
                                   "the matrix ends after %" PRIu64 " of %" PRIu64 " cells", f->at,
                                   f->ncells);
            continue;
        }
        if (!take_value(&f->room.values, run->n, token, token_end, f->w.v.kind))
            return bad_token(&f->w.lines, token, token_end, "a value of the matrix", err);
        const void *const value = (const char *)values->data + run->n * values->width;
        if (memcmp(value, zero, values->width) != 0)
            place_cell(f, run->n++, f->at);
        f->at++;
    }
    if (f->at == f->ncells && f->p && tsr_next_token(&token, &token_end, &f->p, f->end))
        return bad_token(&f->w.lines, token, token_end, "a value of the matrix", err);
    return TSR_OK;
}

static tsr_status text_next(tsr_run *run, tsr_feed *feed, tsr_error *err)
{
    text_feed *const f = (text_feed *)feed;
    TSR_TRY(f->format ? next_cells(run, f, err) : next_entries(run, f, err));
    for (int m = 0; m < feed->facts.order; m++)
        run->crd[m] = f->room.crd[m].array.data;
    run->values = f->room.values.array.data;
    run->type = feed->facts.type;
    feed->place = f->at;
    return TSR_OK;
}

/* Only back to the beginning: the file is opened again. */
static tsr_status text_seek(tsr_feed *feed, uint64_t first, uint64_t end, tsr_error *err)
{
    text_feed *const f = (text_feed *)feed;
    (void)first, (void)end;
    if (feed->place == 0)
        return TSR_OK;
    feed->place = 0;
    tsr_lines_clear(&f->w.lines);
    return go_to_matrix(f, err);
}

static void text_close(tsr_feed *feed)
{
    text_feed *const f = (text_feed *)feed;
    tsr_lines_clear(&f->w.lines);
    tsr_arrays_clear(&f->room);
    tsr_format_free(f->format);
    tsr_free(f->path);
    tsr_free(f);
}

/* What is known of the matrix, and room for a run. */
static tsr_status start_feed(text_feed *f, tsr_error *err)
{
    static const tsr_feed_type type = {.next = text_next, .seek = text_seek, .close = text_close};
    const variable *const v = &f->w.v;
    int modes[TSR_MAX_ORDER];
    f->base.type = &type;
    f->base.facts = (tsr_facts){.order = v->order, .has_dims = true, .type = v->kind->type};
    memcpy(f->base.facts.dims, v->dims, sizeof v->dims);
    f->ncells = v->kind->sparse ? v->nnz : 1;
    for (int m = 0; m < v->order; m++) {
        modes[m] = v->by_columns ? v->order - 1 - m : m;
        if (!v->kind->sparse && !tsr_mul_u64(&f->ncells, f->ncells, v->dims[m]))
            return tsr_fail(err, TSR_CORRUPT, "the matrix has more than 2^64 cells");
        TSR_TRY(tsr_array_init(&f->room.crd[m].array, STEP, sizeof(uint64_t), 0, "a run of entries", err));
    }
    TSR_TRY(tsr_array_init(&f->room.values.array, STEP, tsr_type_nbytes(v->kind->type), 0, "a run of entries",
                           err));
    if (v->kind->sparse)
        f->base.facts.natural = "csc";
    else
        TSR_TRY(tsr_format_dense(&f->format, v->order, modes, err));
    f->base.facts.has_nnz = v->kind->sparse;
    f->base.facts.nnz = v->nnz;
    f->base.facts.format = f->format;
    f->base.length = f->ncells;
    f->base.can_rewind = true;
    return tsr_arrays_check_shape(&f->options, v->order, v->dims, err);
}

tsr_status tsr_octave_text_feed(tsr_feed **out, const char *path, const char *object,
                                const tsr_read_options *options, tsr_error *err)
{
    *out = NULL;
    if (options->has_type || options->repair)
        return tsr_fail(err, TSR_UNSUPPORTED, "values of another type are read only as a whole");
    text_feed *const f = tsr_calloc(1, sizeof *f);
    if (!f)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    f->path = tsr_strdup(path);
    f->options = *options;
    tsr_status status = f->path ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK && object)
        snprintf(f->object, sizeof f->object, "%s", object);
    else if (status == TSR_OK)
        status = choose(f->object, path, options, err);
    if (status == TSR_OK)
        status = go_to_matrix(f, err);
    if (status == TSR_OK)
        status = start_feed(f, err);
    if (status == TSR_OK)
        *out = &f->base;
    else
        text_close(&f->base);
    return status;
}

static tsr_status describe(tsr_brief *out, const variable *v, tsr_error *err)
{
    tsr_brief_tensor *const to = tsr_brief_add(out, v->name);
    int modes[TSR_MAX_ORDER];
    if (!to)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    to->order = v->order;
    to->has_dims = to->has_nnz = true;
    to->nnz = v->kind->sparse ? v->nnz : 1;
    for (int m = 0; m < v->order; m++) {
        to->dims[m] = v->dims[m];
        modes[m] = v->by_columns ? v->order - 1 - m : m;
        if (!v->kind->sparse)
            to->has_nnz = tsr_mul_u64(&to->nnz, to->nnz, v->dims[m]) && to->has_nnz;
    }
    snprintf(to->type, sizeof to->type, "%s", v->kind->boolean ? "bool" : tsr_type_name(v->kind->type));
    return v->kind->sparse ? TSR_OK : tsr_format_dense(&to->format, v->order, modes, err);
}

/* What is described: all matrices, or `object`. */
typedef struct describing {
    tsr_brief *out;
    const char *object;
} describing;

static tsr_status describe_wanted(bool *stop, void *ctx, const variable *v, tsr_lines *lines, tsr_error *err)
{
    enum { MAX_FOUND = 64 };
    const describing *const d = ctx;
    (void)lines;
    if (v->kind && (!d->object || strcmp(v->name, d->object) == 0))
        TSR_TRY(describe(d->out, v, err));
    *stop = d->out->ntensors >= MAX_FOUND;
    return TSR_OK;
}

tsr_status tsr_octave_text_describe(tsr_brief *out, const char *path, const char *object,
                                    const tsr_read_options *options, tsr_error *err)
{
    describing d = {.out = out, .object = object};
    TSR_TRY(visit_variables(path, options, describe_wanted, &d, err));
    if (out->ntensors > 0)
        return TSR_OK;
    return object ? refuse_missing(path, object, options, err)
                  : tsr_fail(err, TSR_UNSUPPORTED, "has no matrix that is supported");
}
