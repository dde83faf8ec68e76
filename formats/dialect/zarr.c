/* Zarr stores, version 2 and 3, in a folder or a ZIP archive: the sparse and dense matrices of AnnData, and
 * arrays. See zarr.md. */
#include "zarr_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_brief.h"
#include "tsr_memory.h"
#include "tsr_shown.h"

enum { MAX_DEPTH = 6, MAX_FOUND = 64, MAX_VISITED = 2000, MAX_LISTED = 1000 };

/* ---- what a node is ---- */

typedef enum matrix_form { NO_FORM, CSR, CSC, DENSE, PLAIN } matrix_form;

static matrix_form form_of(const tsr_zarr_node *node)
{
    const char *const type = tsr_zarr_node_text(node, "encoding-type");
    if (node->kind == TSR_ZARR_GROUP)
        return !type                             ? NO_FORM
               : strcmp(type, "csr_matrix") == 0 ? CSR
               : strcmp(type, "csc_matrix") == 0 ? CSC
                                                 : NO_FORM;
    if (node->kind != TSR_ZARR_ARRAY || strchr("OSU", node->npy.kind))
        return NO_FORM;
    return (type && strcmp(type, "array") == 0) || node->npy.order > 1 ? DENSE : PLAIN;
}

/* A matrix of a store. */
typedef struct found {
    char *path; /* owned */
    matrix_form form;
} found;

/* All matrices of a store. */
typedef struct search {
    const tsr_zarr_store *store;
    found found[MAX_FOUND];
    int n, nvisited;
} search;

static void clear_search(search *s)
{
    for (int i = 0; i < s->n; i++)
        tsr_free(s->found[i].path);
    s->n = 0;
}

static tsr_status add_found(search *s, const char *path, matrix_form form, tsr_error *err)
{
    s->found[s->n] = (found){tsr_strdup(path), form};
    return s->found[s->n++].path ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
}

/* Search the node `path` and the nodes below it. Nodes whose metadata cannot be read are passed over: the
 * error tells when such a node is named. */
static tsr_status search_node(search *s, const char *path, int depth, tsr_error *err)
{
    tsr_zarr_node node;
    tsr_text names = {0}, child = {0};
    if (s->n == MAX_FOUND || s->nvisited++ >= MAX_VISITED)
        return TSR_OK;
    tsr_status status = tsr_zarr_node_read(&node, s->store, path, err);
    if (status != TSR_OK)
        return status == TSR_NOMEM || depth == 0 ? status : TSR_OK;
    const matrix_form form = form_of(&node);
    const bool descends = node.kind == TSR_ZARR_GROUP && form == NO_FORM && depth < MAX_DEPTH;
    tsr_zarr_node_clear(&node);
    if (form == CSR || form == CSC || form == DENSE || (form == PLAIN && depth == 0))
        return add_found(s, path, form, err);
    if (!descends)
        return TSR_OK;
    TSR_TRY_OUT(tsr_zarr_store_list(&names, s->store, path, MAX_LISTED, err));
    for (size_t at = 0; at < names.nbytes; at += strlen(names.s + at) + 1) {
        tsr_text_clear(&child);
        tsr_text_addf(&child, "%s%s%s", path, *path ? "/" : "", names.s + at);
        TSR_TRY_OUT(tsr_text_status(&child, err));
        TSR_TRY_OUT(search_node(s, child.s, depth + 1, err));
    }
out:
    tsr_text_clear(&names);
    tsr_text_clear(&child);
    return status;
}

/* ---- the node of a path ---- */

/* An open store, and the node that the user names. */
typedef struct opened {
    tsr_zarr_store *store;
    char *file;         /* owned */
    const char *object; /* NULL: not named */
} opened;

static void close_store(opened *o)
{
    tsr_zarr_store_free(o->store);
    tsr_free(o->file);
}

/* A path such as "../x" would leave the store. */
static bool leaves_store(const char *path)
{
    for (const char *p = path; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || p[2] == '\0'))
            return true;
    }
    return false;
}

static tsr_status open_path(opened *o, const char *path, tsr_error *err)
{
    *o = (opened){.store = NULL};
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "cannot read Zarr from standard input: give a folder or a file");
    o->file = tsr_path_split(&o->object, path);
    if (!o->file)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    while (o->object && *o->object == '/')
        o->object++;
    if (o->object && leaves_store(o->object))
        return tsr_fail(err, TSR_ARGUMENT, "'%s' is not a path inside the store", o->object);
    return tsr_zarr_store_open(&o->store, o->file, err);
}

/* ---- matrices by slices ---- */

typedef struct slices {
    uint64_t dims[2];
    int major;
    tsr_zarr_node data, indices, pointers;
} slices;

static void clear_slices(slices *s)
{
    tsr_zarr_node_clear(&s->data);
    tsr_zarr_node_clear(&s->indices);
    tsr_zarr_node_clear(&s->pointers);
}

static tsr_status need_array(tsr_zarr_node *out, const tsr_zarr_store *store, const char *path,
                             const char *name, tsr_error *err)
{
    tsr_text full = {0};
    tsr_text_addf(&full, "%s%s%s", path, *path ? "/" : "", name);
    tsr_status status = tsr_text_status(&full, err);
    if (status == TSR_OK)
        status = tsr_zarr_node_read(out, store, full.s, err);
    if (status == TSR_OK && (out->kind != TSR_ZARR_ARRAY || out->npy.order != 1))
        status = tsr_fail(err, TSR_CORRUPT, "'%s' is not an array of one dimension", tsr_text_cstr(&full));
    tsr_text_clear(&full);
    return status;
}

static tsr_status look_at_slices(slices *s, const tsr_zarr_store *store, const tsr_zarr_node *node,
                                 tsr_error *err)
{
    const char *const path = node->path;
    int64_t shape[2] = {0};
    char shown[TSR_SHOWN_NBYTES];
    const char *const version = tsr_zarr_node_text(node, "encoding-version");
    *s = (slices){.major = form_of(node) == CSC};
    if (version && strcmp(version, "0.1.0") != 0)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "is a sparse matrix of AnnData version %s: version 0.1.0 is supported",
                        tsr_show(shown, version));
    if (json_array_size(json_object_get(node->attributes, "shape")) != 2 ||
        tsr_zarr_node_integers(shape, 2, node, "shape") != 2 || shape[0] < 0 || shape[1] < 0)
        return tsr_fail(err, TSR_CORRUPT, "attribute 'shape' of '%s' must have two dimensions", path);
    s->dims[0] = (uint64_t)shape[0];
    s->dims[1] = (uint64_t)shape[1];
    TSR_TRY(need_array(&s->data, store, path, "data", err));
    TSR_TRY(need_array(&s->indices, store, path, "indices", err));
    return need_array(&s->pointers, store, path, "indptr", err);
}

static tsr_status read_slices(tsr_data *out, const opened *o, const tsr_zarr_node *node,
                              const tsr_read_options *options, tsr_error *err)
{
    slices s;
    bool none;
    tsr_arrays in = {.order = 2, .values.name = "data", .pointers.name = "indptr", .crd[0].name = "indices"};
    tsr_status status;
    TSR_TRY_OUT(look_at_slices(&s, o->store, node, err));
    memcpy(in.dims, s.dims, sizeof s.dims);
    in.major = s.major;
    TSR_TRY_OUT(tsr_memory_check((double)s.data.npy.n * (double)s.data.npy.item_nbytes +
                                     (double)s.indices.npy.n * (double)s.indices.npy.item_nbytes +
                                     (double)s.pointers.npy.n * (double)s.pointers.npy.item_nbytes,
                                 "the matrix", err));
    TSR_TRY_OUT(tsr_zarr_array_read(&in.pointers, &none, o->store, &s.pointers, options, err));
    TSR_TRY_OUT(tsr_zarr_array_read(&in.crd[0], &none, o->store, &s.indices, options, err));
    TSR_TRY_OUT(tsr_zarr_array_read(&in.values, &in.boolean, o->store, &s.data, options, err));
    status = tsr_arrays_compressed(out, &in, options, err);
out:
    tsr_arrays_clear(&in);
    clear_slices(&s);
    return status;
}

static tsr_status read_dense(tsr_data *out, const opened *o, const tsr_zarr_node *node,
                             const tsr_read_options *options, tsr_error *err)
{
    tsr_arrays in = {.order = node->npy.order, .values.name = "the array"};
    memcpy(in.dims, node->npy.shape, sizeof in.dims);
    const tsr_status status = tsr_zarr_array_read(&in.values, &in.boolean, o->store, node, options, err);
    if (status == TSR_OK)
        return tsr_arrays_dense(out, &in, options, err);
    tsr_arrays_clear(&in);
    return status;
}

static tsr_status read_one(tsr_data *out, const opened *o, const char *path, const tsr_read_options *options,
                           tsr_error *err)
{
    tsr_zarr_node node;
    char shown[TSR_SHOWN_NBYTES];
    TSR_TRY(tsr_zarr_node_read(&node, o->store, path, err));
    tsr_status status;
    switch (form_of(&node)) {
    case CSR:
    case CSC:
        status = read_slices(out, o, &node, options, err);
        break;
    case DENSE:
    case PLAIN:
        status = read_dense(out, o, &node, options, err);
        break;
    default:
        status = node.kind == TSR_ZARR_NOTHING
                     ? tsr_fail(err, TSR_ARGUMENT, "has no object '%s'", tsr_show(shown, path))
                     : tsr_fail(err, TSR_UNSUPPORTED, "'%s' is not a kind of matrix that is supported",
                                tsr_show(shown, path));
        break;
    }
    tsr_zarr_node_clear(&node);
    return status;
}

/* ---- describing ---- */

static tsr_status add_array(tsr_brief_tensor *to, const tsr_zarr_node *node, const char *name,
                            const char *role, tsr_error *err)
{
    tsr_brief_array array = {.role = role, .n = node->npy.n, .type = tsr_npy_type(&node->npy)};
    array.level = strcmp(role, "values") == 0 ? -1 : 1;
    snprintf(array.name, sizeof array.name, "%s", name);
    snprintf(array.storage, sizeof array.storage, "%s", node->storage);
    return tsr_brief_add_array(to, &array, err);
}

static void tell_type(tsr_brief_tensor *to, const tsr_npy *npy)
{
    const bool half = npy->kind == 'f' && npy->item_nbytes == 2;
    snprintf(to->type, sizeof to->type, "%s",
             npy->kind == 'b' ? "bool"
             : half           ? "f16"
                              : tsr_type_name(tsr_npy_type(npy)));
}

static tsr_status describe_slices(tsr_brief_tensor *to, const tsr_zarr_store *store,
                                  const tsr_zarr_node *node, tsr_error *err)
{
    slices s;
    tsr_status status;
    TSR_TRY_OUT(look_at_slices(&s, store, node, err));
    to->order = 2;
    to->has_dims = to->has_nnz = true;
    memcpy(to->dims, s.dims, sizeof s.dims);
    to->nnz = s.data.npy.n;
    tell_type(to, &s.data.npy);
    TSR_TRY_OUT(add_array(to, &s.pointers, "indptr", "pos", err));
    TSR_TRY_OUT(add_array(to, &s.indices, "indices", "crd", err));
    TSR_TRY_OUT(add_array(to, &s.data, "data", "values", err));
    status = tsr_format_nested(&to->format, 2, 1, (const int[]){s.major, 1 - s.major}, err);
out:
    clear_slices(&s);
    return status;
}

static tsr_status describe_dense(tsr_brief_tensor *to, const tsr_zarr_node *node, tsr_error *err)
{
    int modes[TSR_MAX_ORDER];
    for (int m = 0; m < node->npy.order; m++)
        modes[m] = m;
    to->order = node->npy.order;
    to->has_dims = to->has_nnz = true;
    memcpy(to->dims, node->npy.shape, sizeof to->dims);
    to->nnz = node->npy.n;
    tell_type(to, &node->npy);
    TSR_TRY(add_array(to, node, "the array", "values", err));
    return tsr_format_dense(&to->format, node->npy.order, modes, err);
}

static tsr_status describe_one(tsr_brief_tensor *to, const tsr_zarr_store *store, const char *path,
                               tsr_error *err)
{
    tsr_zarr_node node;
    char shown[TSR_SHOWN_NBYTES];
    TSR_TRY(tsr_zarr_node_read(&node, store, path, err));
    const matrix_form form = form_of(&node);
    const tsr_status status =
        form == CSR || form == CSC ? describe_slices(to, store, &node, err)
        : form != NO_FORM          ? describe_dense(to, &node, err)
        : node.kind == TSR_ZARR_NOTHING
            ? tsr_fail(err, TSR_ARGUMENT, "has no object '%s'", tsr_show(shown, path))
            : tsr_fail(err, TSR_UNSUPPORTED, "'%s' is not a kind of matrix that is supported",
                       tsr_show(shown, path));
    tsr_zarr_node_clear(&node);
    return status;
}

static tsr_status describe_all(tsr_brief *out, const opened *o, tsr_error *err)
{
    search s = {.store = o->store};
    tsr_status status = search_node(&s, "", 0, err);
    if (status == TSR_OK && s.n == 0)
        status = tsr_fail(err, TSR_UNSUPPORTED, "has no matrix that is supported");
    for (int i = 0; i < s.n && status == TSR_OK; i++) {
        tsr_error fault = {0};
        tsr_brief_tensor *const to = tsr_brief_add(out, s.found[i].path);
        if (!to || describe_one(to, o->store, s.found[i].path, &fault) == TSR_NOMEM)
            status = tsr_fail(err, TSR_NOMEM, "out of memory");
        else
            to->fault = fault;
    }
    clear_search(&s);
    return status;
}

static tsr_status zarr_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                                tsr_error *err)
{
    opened o;
    (void)options;
    tsr_status status = open_path(&o, path, err);
    if (status == TSR_OK && !o.object) {
        status = describe_all(out, &o, err);
    } else if (status == TSR_OK) {
        tsr_brief_tensor *const to = tsr_brief_add(out, o.object);
        status = to ? describe_one(to, o.store, o.object, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    }
    close_store(&o);
    return status;
}

/* ---- reading ---- */

/* The error when no matrix can be chosen; lists "X (25 x 12, 60 entries)" for each matrix. */
static tsr_status refuse_choice(const search *s, tsr_error *err)
{
    enum { MOST = 8 };
    char shown[TSR_SHOWN_NBYTES];
    tsr_text list = {0};
    if (s->n == 0)
        return tsr_fail(err, TSR_UNSUPPORTED, "has no matrix that is supported");
    for (int i = 0; i < s->n && i < MOST; i++) {
        tsr_brief brief = {0};
        tsr_brief_tensor *const to = tsr_brief_add(&brief, "");
        tsr_text_addf(&list, "%s%s", i ? ", " : "", tsr_show(shown, s->found[i].path));
        if (to && describe_one(to, s->store, s->found[i].path, NULL) == TSR_OK && to->order == 2)
            tsr_text_addf(&list, " (%" PRIu64 " x %" PRIu64 ", %" PRIu64 " %s)", to->dims[0], to->dims[1],
                          to->nnz, s->found[i].form <= CSC ? "entries" : "cells");
        tsr_brief_clear(&brief);
    }
    const tsr_status status =
        tsr_fail(err, TSR_ARGUMENT, "has several matrices: name one of them (STORE:OBJECT): %s%s",
                 tsr_text_cstr(&list), s->n > MOST ? ", ..." : "");
    tsr_text_clear(&list);
    return status;
}

/* Choose X, else the only sparse matrix, else the only matrix; NULL when there are several. */
static const char *choose(const search *s)
{
    const char *only[2] = {NULL, NULL}; /* sparse matrices; all matrices */
    int n[2] = {0, 0};
    for (int i = 0; i < s->n; i++) {
        if (strcmp(s->found[i].path, "X") == 0)
            return s->found[i].path;
        for (int kind = s->found[i].form <= CSC ? 0 : 1; kind < 2; kind++) {
            only[kind] = s->found[i].path;
            n[kind]++;
        }
    }
    return n[0] == 1 ? only[0] : n[0] == 0 && n[1] == 1 ? only[1] : NULL;
}

static tsr_status zarr_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    opened o;
    search s = {.n = 0};
    tsr_status status = open_path(&o, path, err);
    s.store = o.store;
    if (status == TSR_OK && o.object) {
        status = read_one(out, &o, o.object, options, err);
    } else if (status == TSR_OK) {
        status = search_node(&s, "", 0, err);
        const char *const chosen = status == TSR_OK ? choose(&s) : NULL;
        if (chosen)
            status = read_one(out, &o, chosen, options, err);
        else if (status == TSR_OK)
            status = refuse_choice(&s, err);
    }
    clear_search(&s);
    close_store(&o);
    return status;
}

/* ---- the codec ---- */

/* Whether the archive has metadata of Zarr among its members. */
static bool is_zarr_zip(const tsr_probe *probe)
{
    static const char *const names[] = {".zgroup", ".zarray", ".zattrs", "zarr.json"};
    if (probe->n < 4 || memcmp(probe->head, "PK\3\4", 4) != 0)
        return false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (size_t i = 0, n = strlen(names[k]); i + n <= probe->n; i++)
            if (memcmp(probe->head + i, names[k], n) == 0)
                return true;
    return false;
}

static int zarr_probe(const tsr_probe *probe)
{
    const char *object;
    tsr_zarr_store *store = NULL;
    const bool zip = probe->n >= 4 && memcmp(probe->head, "PK\3\4", 4) == 0;
    if (is_zarr_zip(probe))
        return 100;
    if (!probe->path || (probe->n > 0 && !zip))
        return 0;
    char *const file = tsr_path_split(&object, probe->path);
    const bool is = file && tsr_zarr_store_open(&store, file, NULL) == TSR_OK;
    tsr_zarr_store_free(store);
    tsr_free(file);
    return is ? 100 : 0;
}

static const char *const suffixes[] = {".zarr", ".zarr.zip", NULL};

const tsr_codec tsr_codec_zarr = {
    .name = "zarr",
    .summary = "Zarr 2 and 3, a folder or .zip: AnnData's matrices and arrays (store.zarr:layers/counts)",
    .suffixes = suffixes,
    .has_groups = true,
    .probe = zarr_probe,
    .read = zarr_read,
    .describe = zarr_describe,
};
