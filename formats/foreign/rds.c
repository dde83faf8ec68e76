/* R's .rds: the sparse matrices of its package Matrix, and dense arrays, also in lists and in slots of objects
 * (file.rds:assays/RNA/counts). See rds.md. */
#include "rds.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "array_import.h"
#include "array_parts.h"
#include "rds_bytes.h"
#include "rds_tree.h"
#include "tsr_brief.h"
#include "tsr_shown.h"

enum { MAX_DEPTH = 6, MAX_FOUND = 64 };

/* ---- what a value is ---- */

/* The class of a sparse matrix, "dgCMatrix": letters for the values (d l n), the structure (g s t) and the arrays (C R T).
 * NULL: it is not one. */
static const char *class_of(const tsr_r *v)
{
    const char *const class = v && v->kind == TSR_R_S4 ? tsr_r_string(tsr_r_attribute(v, "class")) : "";
    return strlen(class) == 9 && strchr("dln", class[0]) && strchr("gst", class[1]) &&
                   strchr("CRT", class[2]) && strcmp(class + 3, "Matrix") == 0
               ? class
               : NULL;
}

/* Whether a value is an array of numbers with dims. */
static bool is_dense(const tsr_r *v)
{
    const tsr_r *const dim = tsr_r_attribute(v, "dim");
    return v &&
           (v->kind == TSR_R_LOGICAL || v->kind == TSR_R_INTEGER || v->kind == TSR_R_REAL ||
            v->kind == TSR_R_COMPLEX) &&
           dim && dim->kind == TSR_R_INTEGER;
}

/* ---- numbers ---- */

/* Move the numbers of a value to `out`; they are borrowed by the tree no longer. */
static tsr_status take_numbers(tsr_numbers *out, const tsr_r *v, const char *name, tsr_error *err)
{
    tsr_r *const from = (tsr_r *)v;
    out->name = name;
    out->type = !v                         ? TSR_I32
                : v->kind == TSR_R_REAL    ? TSR_F64
                : v->kind == TSR_R_COMPLEX ? TSR_C128
                                           : TSR_I32;
    if (!v || (v->kind != TSR_R_LOGICAL && v->kind != TSR_R_INTEGER && v->kind != TSR_R_REAL &&
               v->kind != TSR_R_COMPLEX))
        return tsr_fail(err, TSR_CORRUPT, "a matrix has no numbers '%s'", name);
    if (!v->array.data)
        return tsr_fail(err, TSR_CORRUPT, "the numbers '%s' are used twice", name);
    out->array = from->array;
    from->array = (tsr_array){0};
    return TSR_OK;
}

/* Truth values, 4 bytes each, as bytes. */
static tsr_status narrow_truth(tsr_numbers *values, tsr_error *err)
{
    tsr_array bytes;
    const int32_t *const v = values->array.data;
    TSR_TRY(tsr_array_init(&bytes, values->array.n, 1, 0, values->name, err));
    for (uint64_t i = 0; i < bytes.n; i++) {
        if (v[i] != 0 && v[i] != 1) {
            tsr_array_clear(&bytes);
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "truth value %" PRIu64 " is NA, which is not supported: replace it in R", i);
        }
        ((unsigned char *)bytes.data)[i] = (unsigned char)v[i];
    }
    tsr_array_clear(&values->array);
    values->array = bytes;
    values->type = TSR_U8;
    return TSR_OK;
}

static tsr_status take_values(tsr_arrays *in, const tsr_r *v, const char *name, tsr_error *err)
{
    TSR_TRY(take_numbers(&in->values, v, name, err));
    in->boolean = v->kind == TSR_R_LOGICAL;
    return in->boolean ? narrow_truth(&in->values, err) : TSR_OK;
}

static tsr_status take_dims(tsr_arrays *in, const tsr_r *dim, tsr_error *err)
{
    if (!dim || dim->kind != TSR_R_INTEGER || dim->array.n > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_CORRUPT, "a matrix has wrong dims");
    in->order = (int)dim->array.n;
    for (int m = 0; m < in->order; m++) {
        const int32_t n = ((const int32_t *)dim->array.data)[m];
        if (n < 0)
            return tsr_fail(err, TSR_CORRUPT, "a dim of a matrix is %d", n);
        in->dims[m] = (uint64_t)n;
    }
    return TSR_OK;
}

/* ---- one matrix ---- */

/* The triangle that a matrix of class *s* or *t* has. */
static tsr_status take_structure(tsr_arrays *in, const tsr_r *v, const char *class, tsr_error *err)
{
    const bool upper = strcmp(tsr_r_string(tsr_r_attribute(v, "uplo")), "U") == 0;
    if (class[1] == 's')
        in->structure = upper ? TSR_SYMMETRIC_UPPER : TSR_SYMMETRIC_LOWER;
    if (class[1] == 't' && strcmp(tsr_r_string(tsr_r_attribute(v, "diag")), "U") == 0)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "is a triangular matrix that leaves out its diagonal of ones, which is not supported: in R, "
            "use as(x, \"generalMatrix\")");
    return TSR_OK;
}

static tsr_status read_sparse(tsr_data *out, const tsr_r *v, const tsr_read_options *options, tsr_error *err)
{
    const char *const class = class_of(v);
    const bool by_rows = class[2] == 'R', list = class[2] == 'T';
    tsr_arrays in = {.major = by_rows ? 0 : 1};
    tsr_status status;
    TSR_TRY_OUT(take_dims(&in, tsr_r_attribute(v, "Dim"), err));
    if (in.order != 2) {
        status = tsr_fail(err, TSR_CORRUPT, "a sparse matrix has %d dims", in.order);
        goto out;
    }
    TSR_TRY_OUT(take_structure(&in, v, class, err));
    if (list) {
        TSR_TRY_OUT(take_numbers(&in.crd[0], tsr_r_attribute(v, "i"), "i", err));
        TSR_TRY_OUT(take_numbers(&in.crd[1], tsr_r_attribute(v, "j"), "j", err));
    } else {
        TSR_TRY_OUT(take_numbers(&in.pointers, tsr_r_attribute(v, "p"), "p", err));
        TSR_TRY_OUT(
            take_numbers(&in.crd[0], tsr_r_attribute(v, by_rows ? "j" : "i"), by_rows ? "j" : "i", err));
    }
    if (class[0] == 'n') {
        in.values.array.n = in.crd[0].array.n;
        TSR_TRY_OUT(tsr_arrays_make_pattern(&in, err));
    } else {
        TSR_TRY_OUT(take_values(&in, tsr_r_attribute(v, "x"), "x", err));
    }
    return list ? tsr_arrays_coordinates(out, &in, options, err)
                : tsr_arrays_compressed(out, &in, options, err);
out:
    tsr_arrays_clear(&in);
    return status;
}

static tsr_status read_dense(tsr_data *out, const tsr_r *v, const tsr_read_options *options, tsr_error *err)
{
    tsr_arrays in = {.fortran = true};
    tsr_status status;
    TSR_TRY_OUT(take_dims(&in, tsr_r_attribute(v, "dim"), err));
    TSR_TRY_OUT(take_values(&in, v, "the array", err));
    return tsr_arrays_dense(out, &in, options, err);
out:
    tsr_arrays_clear(&in);
    return status;
}

/* Take the names of rows and columns, where there are as many as the dim. */
static tsr_status take_labels(tsr_labels **out, const tsr_r *v, tsr_shape shape, tsr_error *err)
{
    const tsr_r *names = tsr_r_attribute(v, v->kind == TSR_R_S4 ? "Dimnames" : "dimnames");
    *out = tsr_labels_new();
    if (!*out)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    for (int m = 0; names && names->kind == TSR_R_LIST && m < shape.ndims; m++) {
        tsr_r *const of = (uint64_t)m < names->nitems ? names->items[m] : NULL;
        if (!of || of->kind != TSR_R_STRINGS || of->strings.n != shape.dims[m])
            continue;
        (*out)->modes[m] = of->strings;
        of->strings = (tsr_names){0};
    }
    return TSR_OK;
}

static tsr_status read_value(tsr_data *out, const tsr_r *v, const tsr_read_options *options, tsr_error *err)
{
    TSR_TRY(class_of(v) ? read_sparse(out, v, options, err) : read_dense(out, v, options, err));
    const tsr_shape shape = {tsr_data_order(out), tsr_data_dims(out)};
    return options->labels ? take_labels(&out->labels, v, shape, err) : TSR_OK;
}

/* ---- the matrices of a file ---- */

typedef struct search {
    tsr_text paths; /* each ended by NUL */
    const tsr_r *values[MAX_FOUND];
    int n, nsparse;
} search;

static tsr_status search_value(search *s, const tsr_r *v, const char *path, int depth, tsr_error *err);

static tsr_status search_member(search *s, const tsr_r *v, const char *path, const char *name, int depth,
                                tsr_error *err)
{
    tsr_text below = {0};
    tsr_text_addf(&below, "%s%s%s", path, *path ? "/" : "", name);
    tsr_status status = tsr_text_status(&below, err);
    if (status == TSR_OK)
        status = search_value(s, v, below.s, depth + 1, err);
    tsr_text_clear(&below);
    return status;
}

static tsr_status search_value(search *s, const tsr_r *v, const char *path, int depth, tsr_error *err)
{
    if (!v || depth > MAX_DEPTH || s->n == MAX_FOUND)
        return TSR_OK;
    if (class_of(v) || is_dense(v)) {
        s->nsparse += class_of(v) != NULL;
        s->values[s->n++] = v;
        tsr_text_add_n(&s->paths, path, strlen(path) + 1);
        return tsr_text_status(&s->paths, err);
    }
    const tsr_r *const names = v->kind == TSR_R_LIST ? tsr_r_attribute(v, "names") : NULL;
    for (uint64_t i = 0; names && i < v->nitems && i < names->strings.n; i++)
        TSR_TRY(search_member(s, v->items[i], path, tsr_names_get(&names->strings, i), depth, err));
    for (const tsr_r *slot = v->kind == TSR_R_S4 ? v->attributes : NULL; slot; slot = slot->cdr)
        TSR_TRY(search_member(s, slot->car, path, tsr_r_string(slot->tag), depth, err));
    return TSR_OK;
}

/* Append "counts (dgCMatrix), ...": the matrices of the file. */
static void list_matrices(tsr_text *list, const search *s)
{
    enum { MOST = 8 };
    char shown[TSR_SHOWN_NBYTES];
    const char *path = s->paths.s;
    for (int i = 0; i < s->n && i < MOST; i++, path += strlen(path) + 1)
        tsr_text_addf(list, "%s%s (%s)", i ? ", " : "", tsr_show(shown, path),
                      class_of(s->values[i]) ? class_of(s->values[i]) : "array");
    if (s->n > MOST)
        tsr_text_add(list, ", ...");
}

static tsr_status refuse_choice(const search *s, tsr_error *err)
{
    tsr_text list = {0};
    if (s->n == 0)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "has no matrix that is supported: dgCMatrix, dgRMatrix, dgTMatrix, those with l and "
                        "n, and arrays "
                        "are");
    list_matrices(&list, s);
    const tsr_status status =
        tsr_fail(err, TSR_ARGUMENT, "has several matrices: name one of them (file.rds:OBJECT): %s",
                 tsr_text_cstr(&list));
    tsr_text_clear(&list);
    return status;
}

static tsr_status refuse_missing(const tsr_r *root, const char *object, tsr_error *err)
{
    char shown[TSR_SHOWN_NBYTES];
    search s = {.n = 0};
    tsr_text list = {0};
    tsr_error ignored;
    if (search_value(&s, root, "", 0, &ignored) == TSR_OK && s.n > 0 && s.paths.s[0])
        list_matrices(&list, &s);
    const tsr_status status = tsr_fail(err, TSR_ARGUMENT, "has no object '%s'%s%s", tsr_show(shown, object),
                                       list.nbytes > 0 ? "; it has: " : "", tsr_text_cstr(&list));
    tsr_text_clear(&s.paths);
    tsr_text_clear(&list);
    return status;
}

/* The only sparse matrix, else the only matrix. */
static tsr_status choose(const tsr_r **out, const tsr_r *root, tsr_error *err)
{
    search s = {.n = 0};
    tsr_status status = search_value(&s, root, "", 0, err);
    *out = NULL;
    for (int i = 0; i < s.n && status == TSR_OK; i++)
        if (s.nsparse == 1 ? class_of(s.values[i]) != NULL : s.n == 1)
            *out = s.values[i];
    if (status == TSR_OK && !*out)
        status = refuse_choice(&s, err);
    tsr_text_clear(&s.paths);
    return status;
}

/* The value at a path of names. */
static tsr_status find(const tsr_r **out, const tsr_r *root, const char *object, tsr_error *err)
{
    char name[256], shown[TSR_SHOWN_NBYTES];
    const tsr_r *v = root;
    for (const char *p = object; *p && v;) {
        const size_t n = strcspn(p, "/");
        snprintf(name, sizeof name, "%.*s", n < sizeof name ? (int)n : (int)sizeof name - 1, p);
        v = n > 0 ? tsr_r_member(v, name) : v;
        p += n + (p[n] == '/');
    }
    *out = v;
    if (!v)
        return refuse_missing(root, object, err);
    return class_of(v) || is_dense(v)
               ? TSR_OK
               : tsr_fail(err, TSR_UNSUPPORTED, "'%s' is not a kind of matrix that is supported%s%s%s",
                          tsr_show(shown, object), v->kind == TSR_R_S4 ? " (" : "",
                          v->kind == TSR_R_S4 ? tsr_r_string(tsr_r_attribute(v, "class")) : "",
                          v->kind == TSR_R_S4 ? ")" : "");
}

/* Read the file, and find the matrix that the path names. The caller clears *tree and frees *file. */
static tsr_status open_value(const tsr_r **v, tsr_r_tree *tree, char **file, const char *path, bool sketch,
                             tsr_error *err)
{
    const char *object;
    *tree = (tsr_r_tree){.all = NULL};
    *file = NULL;
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "cannot read .rds from standard input: give a file");
    *file = tsr_path_split(&object, path);
    TSR_TRY(*file ? tsr_r_tree_read(tree, *file, sketch, err) : tsr_fail(err, TSR_NOMEM, "out of memory"));
    return object ? find(v, tree->root, object, err) : choose(v, tree->root, err);
}

static tsr_status rds_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    tsr_r_tree tree;
    char *file;
    const tsr_r *v;
    *out = (tsr_data){0};
    tsr_status status = open_value(&v, &tree, &file, path, false, err);
    if (status == TSR_OK)
        status = read_value(out, v, options, err);
    tsr_r_tree_clear(&tree);
    tsr_free(file);
    return status;
}

/* ---- in parts ---- */

/* One array of a matrix. */
typedef struct r_list {
    const tsr_r *v;         /* NULL: all values are 1 */
    tsr_r_bytes *bytes;     /* where they are not in memory: at element `next`; owned */
    uint64_t next;          /* 0: none was read */
    unsigned char last[16]; /* element next - 1 */
} r_list;

typedef struct r_parts {
    char *file;
    tsr_r_tree tree; /* a sketch */
    r_list lists[3];
} r_parts;

static tsr_type type_of(const tsr_r *v)
{
    return v->kind == TSR_R_REAL ? TSR_F64 : v->kind == TSR_R_COMPLEX ? TSR_C128 : TSR_I32;
}

/* out: the next n elements, from `first` on; the file is read from its beginning where they lie before. */
static tsr_status read_elements(void *out, const r_parts *p, r_list *list, uint64_t first, uint64_t n,
                                tsr_error *err)
{
    const size_t width = list->v->array.width;
    tsr_numbers numbers = {.array = {.data = out, .n = n, .width = width}, .type = type_of(list->v)};
    if (!list->bytes || first < list->next) {
        tsr_r_bytes_close(list->bytes);
        list->bytes = NULL;
        list->next = 0;
        TSR_TRY(tsr_r_bytes_open(&list->bytes, p->file, err));
        TSR_TRY(tsr_r_bytes_skip(list->bytes, list->v->place, err));
    }
    TSR_TRY(tsr_r_bytes_skip(list->bytes, (first - list->next) * width, err));
    TSR_TRY(tsr_r_bytes_take(list->bytes, out, n * width, err));
    if (tsr_r_must_swap())
        tsr_numbers_swap(&numbers);
    list->next = first + n;
    memcpy(list->last, (const char *)out + (n - 1) * width, width);
    return TSR_OK;
}

static tsr_status read_list(void *out, const r_parts *p, r_list *list, uint64_t first, uint64_t n,
                            tsr_error *err)
{
    const size_t width = list->v->array.width;
    unsigned char *to = out;
    if (list->v->array.data) {
        memcpy(out, (const char *)list->v->array.data + first * width, n * width);
        return TSR_OK;
    }
    if (n > 0 && list->next > 0 && first == list->next - 1) { /* the last element again */
        memcpy(to, list->last, width);
        to += width;
        first++;
        n--;
    }
    return n > 0 ? read_elements(to, p, list, first, n, err) : TSR_OK;
}

/* Truth values as bytes. */
static tsr_status read_truth(unsigned char *out, const r_parts *p, r_list *list, uint64_t first, uint64_t n,
                             tsr_error *err)
{
    enum { STEP = 1 << 12 };
    int32_t piece[STEP];
    for (uint64_t done = 0; done < n;) {
        const uint64_t step = n - done < STEP ? n - done : STEP;
        TSR_TRY(read_list(piece, p, list, first + done, step, err));
        for (uint64_t i = 0; i < step; i++) {
            if (piece[i] != 0 && piece[i] != 1) /* reading the whole says more */
                return tsr_arrays_only_whole(err);
            out[done++] = (unsigned char)piece[i];
        }
    }
    return TSR_OK;
}

static tsr_status read_part(void *out, void *ctx, int k, uint64_t first, uint64_t n, tsr_error *err)
{
    r_parts *const p = ctx;
    r_list *const list = &p->lists[k];
    if (!list->v)
        memset(out, 1, (size_t)n);
    else if (list->v->kind == TSR_R_LOGICAL)
        return read_truth(out, p, list, first, n, err);
    else
        return read_list(out, p, list, first, n, err);
    return TSR_OK;
}

static void close_parts(void *ctx)
{
    r_parts *const p = ctx;
    for (int k = 0; k < 3; k++)
        tsr_r_bytes_close(p->lists[k].bytes);
    tsr_r_tree_clear(&p->tree);
    tsr_free(p->file);
    tsr_free(p);
}

/* Use these numbers as array k; v NULL: n values 1. */
static tsr_status use(tsr_array_parts *to, r_parts *p, int k, const tsr_r *v, uint64_t n, tsr_error *err)
{
    const bool truth = !v || v->kind == TSR_R_LOGICAL;
    if (v && !truth && v->kind != TSR_R_INTEGER && v->kind != TSR_R_REAL && v->kind != TSR_R_COMPLEX)
        return tsr_arrays_only_whole(err);
    p->lists[k].v = v;
    to->arrays[k] = (tsr_part_array){"an array", truth ? TSR_U8 : type_of(v), v ? v->array.n : n};
    to->truth = to->truth || truth;
    return TSR_OK;
}

static tsr_status use_sparse(tsr_array_parts *to, r_parts *p, const tsr_r *v, tsr_error *err)
{
    const char *const class = class_of(v);
    const bool by_rows = class[2] == 'R', list = class[2] == 'T';
    tsr_arrays in = {.order = 0};
    TSR_TRY(take_structure(&in, v, class, err));
    const tsr_r *const first = tsr_r_attribute(v, list ? "i" : "p"),
                       *const second = tsr_r_attribute(v, list || by_rows ? "j" : "i"),
                       *const values = tsr_r_attribute(v, "x");
    if (in.structure != TSR_GENERAL || !first || !second || first->kind != TSR_R_INTEGER ||
        second->kind != TSR_R_INTEGER || (class[0] != 'n' && !values))
        return tsr_arrays_only_whole(err);
    to->slices = !list;
    to->major = by_rows ? 0 : 1;
    TSR_TRY(use(to, p, 0, first, 0, err));
    TSR_TRY(use(to, p, 1, second, 0, err));
    return use(to, p, 2, class[0] == 'n' ? NULL : values, second->array.n, err);
}

static tsr_status use_value(tsr_array_parts *to, r_parts *p, const tsr_r *v, tsr_error *err)
{
    tsr_arrays in = {.order = 0};
    const bool sparse = class_of(v) != NULL;
    TSR_TRY(take_dims(&in, tsr_r_attribute(v, sparse ? "Dim" : "dim"), err));
    to->order = in.order;
    memcpy(to->dims, in.dims, sizeof in.dims);
    if (sparse)
        return in.order == 2 ? use_sparse(to, p, v, err) : tsr_arrays_only_whole(err);
    to->dense = to->fortran = true;
    return use(to, p, 0, v, 0, err);
}

static tsr_status rds_feed(tsr_feed **out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    r_parts *const p = tsr_calloc(1, sizeof *p);
    tsr_array_parts in = {.ctx = p, .read = read_part, .close = close_parts};
    tsr_labels *labels = NULL;
    const tsr_r *v;
    *out = NULL;
    if (!p)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_status status = open_value(&v, &p->tree, &p->file, path, true, err);
    if (status == TSR_OK)
        status = options->only_stored ? tsr_arrays_only_whole(err) : use_value(&in, p, v, err);
    if (status == TSR_OK && options->labels)
        status = take_labels(&labels, v, (tsr_shape){in.order, in.dims}, err);
    if (status == TSR_OK)
        status = tsr_feed_of_arrays(out, &in, options, err);
    else
        close_parts(p);
    if (status == TSR_OK)
        (*out)->labels = labels;
    else
        tsr_labels_free(labels);
    return status == TSR_CORRUPT ? tsr_arrays_only_whole(err) : status; /* reading the whole says more */
}

/* ---- describing ---- */

static tsr_status describe_value(tsr_brief_tensor *to, const tsr_r *v, tsr_error *err)
{
    const char *const class = class_of(v);
    const tsr_r *const values = class ? tsr_r_attribute(v, "x") : v;
    tsr_arrays in = {.order = 0};
    int modes[TSR_MAX_ORDER];
    TSR_TRY(take_dims(&in, tsr_r_attribute(v, class ? "Dim" : "dim"), err));
    to->order = in.order;
    memcpy(to->dims, in.dims, sizeof in.dims);
    to->has_dims = to->has_nnz = true;
    const tsr_r *const indices = class ? tsr_r_attribute(v, class[2] == 'R' ? "j" : "i") : v;
    to->nnz = indices ? indices->array.n : 0;
    snprintf(to->type, sizeof to->type, "%s",
             !values                         ? "pattern"
             : values->kind == TSR_R_LOGICAL ? "bool"
             : values->kind == TSR_R_INTEGER ? "i32"
             : values->kind == TSR_R_REAL    ? "f64"
                                             : "c128");
    for (int m = 0; m < in.order; m++)
        modes[m] = in.order - 1 - m;
    if (!class)
        return tsr_format_dense(&to->format, in.order, modes, err);
    return class[2] == 'T'
               ? TSR_OK
               : tsr_format_nested(&to->format, 2, 1,
                                   class[2] == 'R' ? (const int[]){0, 1} : (const int[]){1, 0}, err);
}

static tsr_status describe_all(tsr_brief *out, const tsr_r *root, tsr_error *err)
{
    search s = {.n = 0};
    tsr_status status = search_value(&s, root, "", 0, err);
    const char *path = s.paths.s;
    if (status == TSR_OK && s.n == 0)
        status = refuse_choice(&s, err);
    for (int i = 0; i < s.n && status == TSR_OK; i++, path += strlen(path) + 1) {
        tsr_brief_tensor *const to = tsr_brief_add(out, path);
        status = to ? describe_value(to, s.values[i], err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    }
    tsr_text_clear(&s.paths);
    return status;
}

static tsr_status rds_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                               tsr_error *err)
{
    const char *object;
    tsr_r_tree tree = {.all = NULL};
    const tsr_r *v;
    (void)options;
    char *const file = tsr_path_split(&object, path);
    tsr_status status =
        file ? tsr_r_tree_read(&tree, file, true, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK && !object)
        status = describe_all(out, tree.root, err);
    else if (status == TSR_OK && (status = find(&v, tree.root, object, err)) == TSR_OK) {
        tsr_brief_tensor *const to = tsr_brief_add(out, object);
        status = to ? describe_value(to, v, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    }
    tsr_r_tree_clear(&tree);
    tsr_free(file);
    return status;
}

/* ---- the codec ---- */

static bool has_suffix(const char *path)
{
    const char *object;
    char *const file = path ? tsr_path_split(&object, path) : NULL;
    const size_t n = file ? strlen(file) : 0;
    const bool has = n > 4 && (strcmp(file + n - 4, ".rds") == 0 || strcmp(file + n - 4, ".RDS") == 0);
    tsr_free(file);
    return has;
}

/* The head of an .rds file, seen through gzip; bzip2 and xz are told by the name. */
static int rds_probe(const tsr_probe *probe)
{
    const unsigned char *const h = probe->head;
    if (probe->n > 10 && h[0] == 'X' && h[1] == '\n' && h[2] == 0 && h[3] == 0 && h[4] == 0 &&
        (h[5] == 2 || h[5] == 3))
        return 100;
    return probe->n > 6 &&
                   (memcmp(h, "BZh", 3) == 0 || memcmp(h,
                                                       "\xfd"
                                                       "7zXZ",
                                                       5) == 0) &&
                   has_suffix(probe->path)
               ? 100
               : 0;
}

static const char *const suffixes[] = {".rds", NULL};

const tsr_codec tsr_codec_rds = {
    .name = "rds",
    .summary = "R's .rds: sparse matrices of the package Matrix, also in lists and objects "
               "(file.rds:assays/RNA/counts)",
    .suffixes = suffixes,
    .has_groups = true,
    .has_labels = true,
    .probe = rds_probe,
    .read = rds_read,
    .feed = rds_feed,
    .describe = rds_describe,
    .takes_tensor = tsr_rds_takes_tensor,
    .check = tsr_rds_check,
    .write_tensor = tsr_rds_write_tensor,
    .write_parts = tsr_rds_write_parts,
};
