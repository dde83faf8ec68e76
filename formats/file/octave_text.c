/* Reading Octave's save -text: see octave_text.h. */
#include "octave_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "array_import.h"
#include "growing_array.h"
#include "text_reader.h"
#include "tsr_checked.h"
#include "tsr_memory.h"
#include "tsr_num.h"
#include "tsr_shown.h"

static const char begin[] = "# Created by Octave";

static const struct kind {
    const char *words; /* after "# type: " */
    bool sparse;
    tsr_type type;
    bool boolean;
} kinds[] = {
    {"sparse matrix", true, TSR_F64, false},          {"matrix", false, TSR_F64, false},
    {"sparse complex matrix", true, TSR_C128, false}, {"complex matrix", false, TSR_C128, false},
    {"sparse bool matrix", true, TSR_U8, true},       {"bool matrix", false, TSR_U8, true},
};

/* The comments before a variable. */
typedef struct variable {
    char name[256];
    const struct kind *kind; /* NULL: a type that is not read */
    bool has_rows, has_columns, has_nnz;
    uint64_t rows, columns, nnz;
} variable;

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
        if (strlen(kinds[i].words) == (size_t)(end - p) && memcmp(kinds[i].words, p, (size_t)(end - p)) == 0)
            v->kind = &kinds[i];
}

/* Go to the first line after the comments of the next matrix that is read; variables of other types are
 * passed over. *there: false at the end of the file. */
static tsr_status next_variable(variable *v, bool *there, tsr_lines *lines, tsr_error *err)
{
    const char *p, *end;
    *v = (variable){.name = ""};
    *there = false;
    for (;;) {
        TSR_TRY(tsr_lines_next(&p, &end, lines, err));
        if (!p)
            return TSR_OK;
        if (is_key(&p, &end, "name")) {
            *v = (variable){.name = ""};
            const size_t n = (size_t)(end - p) < sizeof v->name ? (size_t)(end - p) : sizeof v->name - 1;
            memcpy(v->name, p, n);
        } else if (is_key(&p, &end, "type")) {
            take_kind(v, p, end);
        } else if (is_key(&p, &end, "nnz")) {
            TSR_TRY(take_size(&v->nnz, &v->has_nnz, p, end, lines, err));
        } else if (is_key(&p, &end, "rows")) {
            TSR_TRY(take_size(&v->rows, &v->has_rows, p, end, lines, err));
        } else if (is_key(&p, &end, "columns")) {
            TSR_TRY(take_size(&v->columns, &v->has_columns, p, end, lines, err));
            *there = v->kind && v->has_rows && (!v->kind->sparse || v->has_nnz);
            if (*there)
                return TSR_OK;
        }
    }
}

/* ---- numbers ---- */

/* Parse "1.5", "NA", or for complex numbers "(1.5,-2)". */
static bool parse_value(double *out, const char *p, const char *end, bool complex)
{
    const char *const comma = memchr(p, ',', (size_t)(end - p));
    if (!complex) {
        if (end - p == 2 && memcmp(p, "NA", 2) == 0) /* a NaN that stands for a missing value */
            p = "nan", end = p + 3;
        return tsr_parse_f64(out, p, end) == end;
    }
    return comma && *p == '(' && end[-1] == ')' && tsr_parse_f64(&out[0], p + 1, comma) == comma &&
           tsr_parse_f64(&out[1], comma + 1, end - 1) == end - 1;
}

static tsr_status bad_token(const tsr_lines *lines, const char *token, const char *token_end,
                            const char *expected, tsr_error *err)
{
    char text[TSR_TOKEN_NBYTES];
    return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, tsr_lines_col(lines, token),
                       "expected %s, not '%s'", expected, tsr_token_text(text, token, token_end));
}

static void store(tsr_numbers *values, uint64_t e, const double *v, const struct kind *kind)
{
    if (kind->boolean)
        tsr_array_set(&values->array, e, v[0] != 0);
    else
        memcpy((char *)values->array.data + e * values->array.width, v, values->array.width);
}

/* Parse the next line as entry e: row, column, value. */
static tsr_status take_entry(tsr_arrays *in, uint64_t e, const variable *v, tsr_lines *lines, tsr_error *err)
{
    const char *p, *end;
    const char *token, *token_end;
    double value[2];
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
        if (at > (m ? v->columns : v->rows))
            return tsr_fail_at(err, TSR_RANGE, lines->path, lines->line, tsr_lines_col(lines, token),
                               "%s %" PRIu64 " is beyond the %" PRIu64 " of the header", m ? "column" : "row",
                               at, m ? v->columns : v->rows);
        tsr_array_set(&in->crd[m].array, e, at);
    }
    const bool there = tsr_next_token(&token, &token_end, &p, end);
    if (!there || !parse_value(value, token, token_end, v->kind->type == TSR_C128))
        return bad_token(lines, there ? token : end, there ? token_end : end, "a value", err);
    store(&in->values, e, value, v->kind);
    return TSR_OK;
}

static tsr_status read_sparse(tsr_arrays *in, const variable *v, tsr_lines *lines, tsr_error *err)
{
    tsr_array *const arrays[] = {&in->crd[0].array, &in->crd[1].array, &in->values.array};
    for (int m = 0; m < 2; m++) {
        const bool narrow = (m ? v->columns : v->rows) <= UINT32_MAX;
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
    uint64_t ncells, n = 0;
    double value[2];
    if (!tsr_mul_u64(&ncells, v->rows, v->columns))
        return tsr_fail(err, TSR_CORRUPT, "the matrix has more than 2^64 cells");
    while (n < ncells) {
        TSR_TRY(tsr_lines_next(&p, &end, lines, err));
        if (!p || (p < end && *p == '#'))
            return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0,
                               "the matrix ends after %" PRIu64 " of %" PRIu64 " cells", n, ncells);
        for (; tsr_next_token(&token, &token_end, &p, end); n++) {
            if (n == ncells || !parse_value(value, token, token_end, v->kind->type == TSR_C128))
                return bad_token(lines, token, token_end, "a value of the matrix", err);
            TSR_TRY(tsr_array_make_room(&in->values.array, n + 1, ncells, err));
            store(&in->values, n, value, v->kind);
        }
    }
    return tsr_array_shorten(&in->values.array, ncells, err);
}

/* Read the matrix whose comments are in v. */
static tsr_status read_variable(tsr_data *out, const variable *v, tsr_lines *lines,
                                const tsr_read_options *options, tsr_error *err)
{
    tsr_arrays in = {.order = 2, .dims = {v->rows, v->columns}, .boolean = v->kind->boolean};
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

/* Visit the matrices of the file until one call sets *stop. */
typedef tsr_status (*visitor)(bool *stop, void *ctx, const variable *v, tsr_lines *lines, tsr_error *err);
static tsr_status visit_matrices(const char *path, const tsr_read_options *options, visitor visit, void *ctx,
                                 tsr_error *err)
{
    tsr_lines lines;
    variable v;
    bool there = false, stop = false;
    tsr_status status = tsr_lines_open(&lines, path, options, err);
    while (status == TSR_OK && !stop && (status = next_variable(&v, &there, &lines, err)) == TSR_OK && there)
        status = visit(&stop, ctx, &v, &lines, err);
    tsr_lines_clear(&lines);
    return status;
}

/* What a walk over the file finds: the matrix to read, and how many there are. */
typedef struct finding {
    char only[2][256]; /* the name of the last sparse matrix, and of the last matrix */
    int n[2];
    tsr_text list;
} finding;

static tsr_status note_matrix(bool *stop, void *ctx, const variable *v, tsr_lines *lines, tsr_error *err)
{
    enum { MOST = 8 };
    finding *const f = ctx;
    char shown[TSR_SHOWN_NBYTES];
    (void)stop, (void)lines, (void)err;
    for (int kind = v->kind->sparse ? 0 : 1; kind < 2; kind++) {
        memcpy(f->only[kind], v->name, sizeof v->name);
        f->n[kind]++;
    }
    if (f->n[1] <= MOST)
        tsr_text_addf(&f->list, "%s%s (%" PRIu64 " x %" PRIu64 ")", f->n[1] > 1 ? ", " : "",
                      tsr_show(shown, v->name), v->rows, v->columns);
    return TSR_OK;
}

static tsr_status choose(char name[256], const char *path, const tsr_read_options *options, tsr_error *err)
{
    finding f = {.n = {0, 0}};
    tsr_status status = visit_matrices(path, options, note_matrix, &f, err);
    if (status == TSR_OK && f.n[1] == 0)
        status = tsr_fail(err, TSR_UNSUPPORTED, "has no matrix that is supported");
    else if (status == TSR_OK && f.n[0] != 1 && (f.n[0] > 1 || f.n[1] > 1))
        status = tsr_fail(err, TSR_ARGUMENT, "has several matrices: name one of them (file:NAME): %s",
                          tsr_text_cstr(&f.list));
    else
        memcpy(name, f.only[f.n[0] == 1 ? 0 : 1], sizeof f.only[0]);
    tsr_text_clear(&f.list);
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
    return read_variable(w->out, v, lines, w->options, err);
}

tsr_status tsr_octave_text_read(tsr_data *out, const char *path, const char *object,
                                const tsr_read_options *options, tsr_error *err)
{
    char name[256], shown[TSR_SHOWN_NBYTES];
    if (!object) {
        TSR_TRY(choose(name, path, options, err));
        object = name;
    }
    wanted w = {.out = out, .object = object, .options = options};
    TSR_TRY(visit_matrices(path, options, read_wanted, &w, err));
    return w.found ? TSR_OK : tsr_fail(err, TSR_ARGUMENT, "has no matrix '%s'", tsr_show(shown, object));
}

static tsr_status describe(tsr_brief *out, const variable *v, tsr_error *err)
{
    tsr_brief_tensor *const to = tsr_brief_add(out, v->name);
    if (!to)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    to->order = 2;
    to->has_dims = true;
    to->dims[0] = v->rows;
    to->dims[1] = v->columns;
    to->nnz = v->kind->sparse ? v->nnz : v->rows;
    to->has_nnz = v->kind->sparse || tsr_mul_u64(&to->nnz, v->rows, v->columns);
    snprintf(to->type, sizeof to->type, "%s", v->kind->boolean ? "bool" : tsr_type_name(v->kind->type));
    return v->kind->sparse ? TSR_OK : tsr_format_dense(&to->format, 2, (const int[]){0, 1}, err);
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
    if (!d->object || strcmp(v->name, d->object) == 0)
        TSR_TRY(describe(d->out, v, err));
    *stop = d->out->ntensors >= MAX_FOUND;
    return TSR_OK;
}

tsr_status tsr_octave_text_describe(tsr_brief *out, const char *path, const char *object,
                                    const tsr_read_options *options, tsr_error *err)
{
    char shown[TSR_SHOWN_NBYTES];
    describing d = {.out = out, .object = object};
    TSR_TRY(visit_matrices(path, options, describe_wanted, &d, err));
    if (out->ntensors > 0)
        return TSR_OK;
    return object ? tsr_fail(err, TSR_ARGUMENT, "has no matrix '%s'", tsr_show(shown, object))
                  : tsr_fail(err, TSR_UNSUPPORTED, "has no matrix that is supported");
}
