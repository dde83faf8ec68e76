/* Reading one matrix of an HDF5 file of other software: see hdf5_dialect.h and hdf5_dialects.md. */
#include "hdf5_dialect_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_memory.h"
#include "tsr_parallel.h"
#include "tsr_shown.h"

/* An object that is being read or described. */
typedef struct opened {
    tsr_hdf5 *h5;
    tsr_hdf5_form form;
    const char *leaf; /* the name of the object in the group above */
    int major;
    uint64_t dims[2];
    const char *data, *indices, *pointers; /* names of datasets in the current group */
    bool boolean;
    bool
        empty; /* there are no arrays, as MATLAB does not write those of an empty matrix, or the array holds dims (Octave) */
} opened;

static tsr_status open_parent(tsr_hdf5 *h5, char **parent, const char **leaf, const char *path,
                              tsr_error *err)
{
    while (*path == '/')
        path++;
    const char *const slash = strrchr(path, '/');
    *leaf = slash ? slash + 1 : path;
    *parent = tsr_strdup(path);
    if (!*parent)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    (*parent)[slash ? slash - path : 0] = '\0';
    TSR_TRY(tsr_hdf5_leave(h5, err));
    return tsr_hdf5_enter(h5, *parent, err);
}

/* ---- arrays ---- */

static tsr_status read_numbers(tsr_numbers *out, tsr_hdf5 *h5, const char *name, tsr_hdf5_job *job,
                               tsr_error *err)
{
    tsr_hdf5_array array;
    out->name = name;
    TSR_TRY(tsr_hdf5_look_wide(&array, h5, name, err));
    out->type = array.type;
    TSR_TRY(tsr_array_init(&out->array, array.n, tsr_type_nbytes(array.type), 0, name, err));
    return tsr_hdf5_read(out->array.data, h5, &array, job, err);
}

/* Read a dataset of n integers. */
static tsr_status read_few(uint64_t *out, int n, tsr_hdf5 *h5, const char *name, tsr_error *err)
{
    tsr_hdf5_array array;
    tsr_hdf5_job job = {.nthreads = 1};
    TSR_TRY(tsr_hdf5_look_wide(&array, h5, name, err));
    if (array.n != (uint64_t)n)
        return tsr_fail(err, TSR_CORRUPT, "dataset '%s' has %" PRIu64 " values where %d are expected", name,
                        array.n, n);
    tsr_numbers numbers = {.name = name};
    tsr_status status = read_numbers(&numbers, h5, name, &job, err);
    if (status == TSR_OK)
        status = tsr_numbers_to_dims(out, &numbers, n, err);
    tsr_array_clear(&numbers.array);
    return status;
}

static tsr_status length_of(uint64_t *n, tsr_hdf5 *h5, const char *name, tsr_error *err)
{
    tsr_hdf5_array array;
    char storage[TSR_HDF5_STORAGE_NBYTES];
    TSR_TRY(tsr_hdf5_glance_wide(&array, storage, h5, name, err));
    *n = array.n;
    return TSR_OK;
}

/* ---- matrices by slices ---- */

static tsr_status look_at_anndata(opened *o, const char *leaf, tsr_error *err)
{
    int64_t shape[2] = {0};
    char *version = NULL;
    TSR_TRY(tsr_hdf5_text_of(&version, o->h5, leaf, "encoding-version", err));
    tsr_status status = TSR_OK;
    if (version && strcmp(version, "0.1.0") != 0) {
        char shown[TSR_SHOWN_NBYTES];
        status = tsr_fail(err, TSR_UNSUPPORTED,
                          "'%s' is a sparse matrix of AnnData version %s: version 0.1.0 is supported", leaf,
                          tsr_show(shown, version));
    }
    tsr_free(version);
    TSR_TRY(status);
    int n = tsr_hdf5_integers_of(shape, 2, o->h5, leaf, "shape");
    if (n == 0)
        n = tsr_hdf5_integers_of(shape, 2, o->h5, leaf, "h5sparse_shape");
    if (n != 2 || shape[0] < 0 || shape[1] < 0)
        return tsr_fail(err, TSR_CORRUPT, "attribute 'shape' of '%s' must have two dimensions", leaf);
    o->dims[0] = (uint64_t)shape[0];
    o->dims[1] = (uint64_t)shape[1];
    o->major = o->form == TSR_HDF5_ANNDATA_CSC;
    o->data = "data", o->indices = "indices", o->pointers = "indptr";
    return tsr_hdf5_enter(o->h5, leaf, err);
}

static tsr_status look_at_tenx(opened *o, const char *leaf, tsr_error *err)
{
    TSR_TRY(tsr_hdf5_enter(o->h5, leaf, err));
    TSR_TRY(read_few(o->dims, 2, o->h5, "shape", err));
    o->major = 1;
    o->data = "data", o->indices = "indices", o->pointers = "indptr";
    return TSR_OK;
}

static tsr_status look_at_matlab(opened *o, const char *leaf, tsr_error *err)
{
    int64_t nrows = 0;
    char *class = NULL;
    uint64_t n;
    if (tsr_hdf5_integers_of(&nrows, 1, o->h5, leaf, "MATLAB_sparse") != 1 || nrows < 0)
        return tsr_fail(err, TSR_CORRUPT, "attribute 'MATLAB_sparse' of '%s' must be the number of rows",
                        leaf);
    TSR_TRY(tsr_hdf5_text_of(&class, o->h5, leaf, "MATLAB_class", err));
    o->boolean = class && strcmp(class, "logical") == 0;
    tsr_free(class);
    TSR_TRY(tsr_hdf5_enter(o->h5, leaf, err));
    TSR_TRY(length_of(&n, o->h5, "jc", err));
    if (n == 0)
        return tsr_fail(err, TSR_CORRUPT, "dataset 'jc' is empty");
    o->dims[0] = (uint64_t)nrows;
    o->dims[1] = n - 1;
    o->major = 1;
    o->data = "data", o->indices = "ir", o->pointers = "jc";
    o->empty = tsr_hdf5_look_up(o->h5, "data") == TSR_HDF5_NOTHING &&
               tsr_hdf5_look_up(o->h5, "ir") == TSR_HDF5_NOTHING;
    return TSR_OK;
}

static tsr_status look_at_octave(opened *o, const char *leaf, tsr_error *err)
{
    TSR_TRY(tsr_hdf5_enter(o->h5, leaf, err));
    TSR_TRY(tsr_hdf5_enter(o->h5, "value", err));
    TSR_TRY(read_few(&o->dims[0], 1, o->h5, "nr", err));
    TSR_TRY(read_few(&o->dims[1], 1, o->h5, "nc", err));
    o->major = 1;
    o->data = "data", o->indices = "ridx", o->pointers = "cidx";
    return TSR_OK;
}

/* Whether the attribute of the object is there and not 0. */
static bool is_marked(tsr_hdf5 *h5, const char *name, const char *attribute)
{
    int64_t mark = 0;
    return tsr_hdf5_integers_of(&mark, 1, h5, name, attribute) == 1 && mark != 0;
}

/* Octave's groups have their members in a group `value`: make "P/value/A" of "P/A". */
static tsr_status add_value_groups(tsr_text *out, const char *path, tsr_error *err)
{
    for (; *path; path++)
        if (*path == '/')
            tsr_text_add(out, "/value/");
        else
            tsr_text_add_n(out, path, 1);
    return tsr_text_status(out, err);
}

/* Enter the group that has the object of this path, and say whether the object is there. */
static bool is_there(opened *o, const char *path, char **parent)
{
    tsr_free(*parent);
    *parent = NULL;
    return open_parent(o->h5, parent, &o->leaf, path, NULL) == TSR_OK &&
           tsr_hdf5_look_up(o->h5, o->leaf) != TSR_HDF5_NOTHING;
}

/* Enter the group that has the object, and determine its form. */
static tsr_status find_object(opened *o, const char *path, char **parent, tsr_error *err)
{
    tsr_text inner = {0};
    tsr_status status = TSR_OK;
    if (!is_there(o, path, parent)) {
        status = add_value_groups(&inner, path, err);
        if (status == TSR_OK && is_there(o, tsr_text_cstr(&inner), parent)) {
            o->leaf = strrchr(path, '/') + 1; /* the same in both paths */
        } else if (status == TSR_OK) {        /* the error is that of the path as it was given */
            tsr_free(*parent);
            *parent = NULL;
            status = open_parent(o->h5, parent, &o->leaf, path, err);
        }
    }
    tsr_text_clear(&inner);
    if (status == TSR_OK)
        o->form = tsr_hdf5_form_of(o->h5, *parent, o->leaf);
    return status;
}

/* Find the object and read the headers and the small arrays. The other arrays are then in the current
 * group. */
static tsr_status look_at_object(opened *o, tsr_hdf5 *h5, const char *path, char **parent, tsr_error *err)
{
    char shown[TSR_SHOWN_NBYTES];
    *o = (opened){.h5 = h5};
    TSR_TRY(find_object(o, path, parent, err));
    switch (o->form) {
    case TSR_HDF5_ANNDATA_CSR:
    case TSR_HDF5_ANNDATA_CSC:
        return look_at_anndata(o, o->leaf, err);
    case TSR_HDF5_TENX_CSC:
        return look_at_tenx(o, o->leaf, err);
    case TSR_HDF5_MATLAB_CSC:
        return look_at_matlab(o, o->leaf, err);
    case TSR_HDF5_OCTAVE_CSC:
        return look_at_octave(o, o->leaf, err);
    case TSR_HDF5_OCTAVE_DENSE:
        if (tsr_hdf5_look_up(h5, o->leaf) == TSR_HDF5_GROUP) {
            const bool empty = is_marked(h5, o->leaf, "OCTAVE_EMPTY_MATRIX");
            TSR_TRY(tsr_hdf5_enter(h5, o->leaf, err));
            o->leaf = "value";
            o->empty = empty;
        }
        return TSR_OK;
    case TSR_HDF5_SPTENSOR:
        return tsr_hdf5_enter(h5, o->leaf, err);
    case TSR_HDF5_NO_FORM:
        return tsr_hdf5_look_up(h5, o->leaf) == TSR_HDF5_NOTHING
                   ? tsr_fail(err, TSR_ARGUMENT, "has no object '%s'", tsr_show(shown, path))
                   : tsr_fail(err, TSR_UNSUPPORTED, "'%s' is not a kind of matrix that is supported",
                              tsr_show(shown, path));
    default:
        return TSR_OK;
    }
}

/* ---- reading ---- */

static tsr_status read_slices(tsr_data *out, const opened *o, tsr_hdf5_job *job,
                              const tsr_read_options *options, tsr_error *err)
{
    tsr_arrays in = {.order = 2, .major = o->major, .boolean = o->boolean};
    tsr_hdf5_array data = {.n = 0}, indices = {.n = 0}, pointers;
    tsr_status status;
    memcpy(in.dims, o->dims, sizeof o->dims);
    if (!o->empty) {
        TSR_TRY_OUT(tsr_hdf5_look_wide(&data, o->h5, o->data, err));
        TSR_TRY_OUT(tsr_hdf5_look_wide(&indices, o->h5, o->indices, err));
    }
    TSR_TRY_OUT(tsr_hdf5_look_wide(&pointers, o->h5, o->pointers, err));
    job->total = data.n * tsr_type_nbytes(data.type) + indices.n * tsr_type_nbytes(indices.type) +
                 pointers.n * tsr_type_nbytes(pointers.type);
    TSR_TRY_OUT(tsr_memory_check((double)job->total, "the matrix", err));
    TSR_TRY_OUT(read_numbers(&in.pointers, o->h5, o->pointers, job, err));
    in.crd[0] = (tsr_numbers){.type = TSR_I32, .name = o->indices};
    in.values = (tsr_numbers){.type = o->boolean ? TSR_U8 : TSR_F64, .name = o->data};
    if (o->empty) {
        TSR_TRY_OUT(tsr_array_init(&in.crd[0].array, 0, 4, 0, o->indices, err));
        TSR_TRY_OUT(tsr_array_init(&in.values.array, 0, o->boolean ? 1 : 8, 0, o->data, err));
    } else {
        TSR_TRY_OUT(read_numbers(&in.crd[0], o->h5, o->indices, job, err));
        TSR_TRY_OUT(read_numbers(&in.values, o->h5, o->data, job, err));
        in.boolean = in.boolean || data.boolean;
    }
    return tsr_arrays_compressed(out, &in, options, err);
out:
    tsr_arrays_clear(&in);
    return status;
}

/* Mark truth values, which are bytes in the dense arrays of MATLAB. */
static bool is_logical(const opened *o)
{
    char *class = NULL;
    const bool logical = tsr_hdf5_text_of(&class, o->h5, o->leaf, "MATLAB_class", NULL) == TSR_OK && class &&
                         strcmp(class, "logical") == 0;
    tsr_free(class);
    return logical;
}

/* Whether the dims in HDF5 are those of the array in reverse order. */
static bool is_by_columns(const opened *o)
{
    return o->form == TSR_HDF5_MATLAB_DENSE || o->form == TSR_HDF5_OCTAVE_DENSE;
}

/* Whether the dataset holds the dims of an array of MATLAB or Octave that has no cells. */
static bool is_empty_array(const opened *o)
{
    return o->empty || (o->form == TSR_HDF5_MATLAB_DENSE && is_marked(o->h5, o->leaf, "MATLAB_empty"));
}

/* The dims of such an array. */
static tsr_status read_empty_dims(int *order, uint64_t *dims, const opened *o, tsr_error *err)
{
    uint64_t n, ncells = 1;
    TSR_TRY(length_of(&n, o->h5, o->leaf, err));
    if (n > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "'%s' has %" PRIu64 " dimensions: at most %d are supported", o->leaf,
                        n, TSR_MAX_ORDER);
    *order = (int)n;
    TSR_TRY(read_few(dims, *order, o->h5, o->leaf, err));
    for (int m = 0; m < *order; m++)
        ncells = dims[m] == 0 ? 0 : ncells;
    return ncells == 0
               ? TSR_OK
               : tsr_fail(err, TSR_CORRUPT, "'%s' says that it is empty, but none of its dims is 0", o->leaf);
}

static tsr_status read_empty(tsr_data *out, const opened *o, const tsr_read_options *options, tsr_error *err)
{
    tsr_arrays in = {.fortran = true, .values = {.type = is_logical(o) ? TSR_U8 : TSR_F64, .name = o->leaf}};
    TSR_TRY(read_empty_dims(&in.order, in.dims, o, err));
    TSR_TRY(tsr_array_init(&in.values.array, 0, tsr_type_nbytes(in.values.type), 0, o->leaf, err));
    return tsr_arrays_dense(out, &in, options, err);
}

static tsr_status read_dense(tsr_data *out, const opened *o, tsr_hdf5_job *job,
                             const tsr_read_options *options, tsr_error *err)
{
    tsr_arrays in = {.order = 0};
    tsr_hdf5_array array;
    if (is_empty_array(o))
        return read_empty(out, o, options, err);
    TSR_TRY(tsr_hdf5_look_wide(&array, o->h5, o->leaf, err));
    job->total = array.n * tsr_type_nbytes(array.type);
    TSR_TRY(tsr_memory_check((double)job->total, "the array", err));
    in.order = array.ndims;
    in.fortran = is_by_columns(o);
    in.boolean = array.boolean || (in.fortran && is_logical(o));
    for (int m = 0; m < array.ndims; m++)
        in.dims[m] = array.dims[in.fortran ? array.ndims - 1 - m : m];
    const tsr_status status = read_numbers(&in.values, o->h5, o->leaf, job, err);
    if (status == TSR_OK)
        return tsr_arrays_dense(out, &in, options, err);
    tsr_arrays_clear(&in);
    return status;
}

/* Read a tensor of the Tensor Toolbox: `subs` has a row for each mode, with coordinates from 1 on; `vals`;
 * `size`. */
static tsr_status read_sptensor(tsr_data *out, const opened *o, tsr_hdf5_job *job,
                                const tsr_read_options *options, tsr_error *err)
{
    tsr_arrays in = {.base = 1};
    tsr_hdf5_array subs, size;
    tsr_numbers all = {.name = "subs"};
    tsr_status status;
    TSR_TRY_OUT(tsr_hdf5_look_wide(&subs, o->h5, "subs", err));
    TSR_TRY_OUT(tsr_hdf5_look_wide(&size, o->h5, "size", err));
    if (size.n > TSR_MAX_ORDER || subs.ndims != 2 || subs.dims[0] != size.n) {
        status = tsr_fail(err, TSR_CORRUPT, "'subs' must have one row for each element of 'size'");
        goto out;
    }
    in.order = (int)size.n;
    TSR_TRY_OUT(read_few(in.dims, in.order, o->h5, "size", err));
    TSR_TRY_OUT(tsr_memory_check((double)subs.n * 24, "the tensor", err));
    TSR_TRY_OUT(read_numbers(&all, o->h5, "subs", job, err));
    for (int m = 0; m < in.order; m++) {
        const uint64_t n = subs.dims[1];
        in.crd[m] = (tsr_numbers){.type = all.type, .name = "subs"};
        TSR_TRY_OUT(tsr_array_init(&in.crd[m].array, n, all.array.width, 0, "subs", err));
        memcpy(in.crd[m].array.data, (const char *)all.array.data + (uint64_t)m * n * all.array.width,
               n * all.array.width);
    }
    TSR_TRY_OUT(read_numbers(&in.values, o->h5, "vals", job, err));
    tsr_array_clear(&all.array);
    return tsr_arrays_coordinates(out, &in, options, err);
out:
    tsr_array_clear(&all.array);
    tsr_arrays_clear(&in);
    return status;
}

static tsr_status read_one(tsr_data *out, tsr_hdf5 *h5, const char *path, const tsr_read_options *options,
                           tsr_error *err)
{
    opened o;
    char *parent = NULL;
    tsr_hdf5_job job = {
        .nthreads = tsr_thread_count(options->nthreads), .observer = options->observer, .phase = "read"};
    tsr_status status = look_at_object(&o, h5, path, &parent, err);
    if (status == TSR_OK && o.pointers)
        status = read_slices(out, &o, &job, options, err);
    else if (status == TSR_OK && o.form == TSR_HDF5_SPTENSOR)
        status = read_sptensor(out, &o, &job, options, err);
    else if (status == TSR_OK)
        status = read_dense(out, &o, &job, options, err);
    if (status == TSR_OK && options->labels && (out->coo || out->tensor)) {
        const uint64_t *const dims = tsr_data_dims(out);
        out->labels = tsr_labels_new();
        status = out->labels ? tsr_hdf5_read_labels(out->labels, h5, o.form, path, dims, err)
                             : tsr_fail(err, TSR_NOMEM, "out of memory");
    }
    tsr_free(parent);
    return status;
}

/* ---- choosing the object ---- */

static bool is_sparse(char letter)
{
    const tsr_hdf5_form form = (tsr_hdf5_form)(letter - 'a');
    return form >= TSR_HDF5_ANNDATA_CSR && form <= TSR_HDF5_SPTENSOR;
}

/* The error when no matrix can be chosen; lists "X (25 x 12, 60 entries)" for each matrix. */
static tsr_status refuse_choice(tsr_hdf5 *h5, const tsr_text *found, tsr_error *err)
{
    enum { MOST = 8 };
    char shown[TSR_SHOWN_NBYTES];
    tsr_text list = {0};
    int n = 0;
    for (size_t at = 0; at < found->nbytes; at += strlen(found->s + at) + 1) {
        tsr_brief brief = {0};
        tsr_brief_tensor *const tensor = tsr_brief_add(&brief, "");
        if (n++ < MOST) {
            tsr_text_addf(&list, "%s%s", n > 1 ? ", " : "", tsr_show(shown, found->s + at + 1));
            if (tensor && tsr_hdf5_describe_one(tensor, h5, found->s + at + 1, NULL) == TSR_OK &&
                tensor->order == 2)
                tsr_text_addf(&list, " (%" PRIu64 " x %" PRIu64 ", %" PRIu64 " %s)", tensor->dims[0],
                              tensor->dims[1], tensor->nnz, is_sparse(found->s[at]) ? "entries" : "cells");
        }
        tsr_brief_clear(&brief);
    }
    const tsr_status status =
        n == 0 ? tsr_hdf5_refuse_all(h5, err)
               : tsr_fail(err, TSR_ARGUMENT, "has several matrices: name one of them (file:OBJECT): %s%s",
                          tsr_text_cstr(&list), n > MOST ? ", ..." : "");
    tsr_text_clear(&list);
    return status;
}

/* Choose the matrix `usual`, else the only sparse matrix, else the only matrix; NULL when there are
 * several. */
static const char *choose(const tsr_text *found, const char *usual)
{
    const char *only[2] = {NULL, NULL}; /* sparse matrices; all matrices */
    int n[2] = {0, 0};
    for (size_t at = 0; at < found->nbytes; at += strlen(found->s + at) + 1) {
        if (usual && strcmp(found->s + at + 1, usual) == 0)
            return usual;
        for (int kind = is_sparse(found->s[at]) ? 0 : 1; kind < 2; kind++) {
            only[kind] = found->s + at + 1;
            n[kind]++;
        }
    }
    return n[0] == 1 ? only[0] : n[0] == 0 && n[1] == 1 ? only[1] : NULL;
}

tsr_status tsr_hdf5_choose_object(tsr_text *path, tsr_hdf5 *h5, const char *object, const char *usual,
                                  tsr_error *err)
{
    tsr_text found = {0};
    tsr_status status = object ? TSR_OK : tsr_hdf5_find_objects(&found, h5, err);
    const char *const chosen = object ? object : status == TSR_OK ? choose(&found, usual) : NULL;
    if (chosen)
        tsr_text_add(path, chosen);
    else if (status == TSR_OK)
        status = refuse_choice(h5, &found, err);
    tsr_text_clear(&found);
    return status == TSR_OK ? tsr_text_status(path, err) : status;
}

tsr_status tsr_hdf5_read_from(tsr_data *out, tsr_hdf5 *h5, const char *object, const char *usual,
                              const tsr_read_options *options, tsr_error *err)
{
    tsr_text path = {0};
    tsr_status status = tsr_hdf5_choose_object(&path, h5, object, usual, err);
    if (status == TSR_OK)
        status = read_one(out, h5, tsr_text_cstr(&path), options, err);
    tsr_text_clear(&path);
    return status;
}

tsr_status tsr_hdf5_find_slices(tsr_hdf5_slices *out, tsr_hdf5 *h5, const char *path, tsr_error *err)
{
    opened o;
    char *parent = NULL;
    const tsr_status status = look_at_object(&o, h5, path, &parent, err);
    *out = (tsr_hdf5_slices){.form = o.form, .major = o.major, .boolean = o.boolean};
    memcpy(out->dims, o.dims, sizeof out->dims);
    if (o.pointers && !o.empty) {
        out->data = o.data;
        out->indices = o.indices;
        out->pointers = o.pointers;
    }
    tsr_free(parent);
    return status;
}

/* ---- describing ---- */

static tsr_status describe_array(tsr_brief_tensor *out, tsr_hdf5_array *array, tsr_hdf5 *h5, const char *name,
                                 const char *role, tsr_error *err)
{
    tsr_brief_array brief = {.role = role, .level = strcmp(role, "values") == 0 ? -1 : 1};
    TSR_TRY(tsr_hdf5_glance_wide(array, brief.storage, h5, name, err));
    snprintf(brief.name, sizeof brief.name, "%.31s", name);
    brief.type = array->type;
    brief.n = array->n;
    return tsr_brief_add_array(out, &brief, err);
}

static tsr_status describe_slices(tsr_brief_tensor *out, const opened *o, tsr_error *err)
{
    tsr_hdf5_array array = {.n = 0}, values = {.type = TSR_F64};
    out->order = 2;
    out->has_dims = out->has_nnz = true;
    memcpy(out->dims, o->dims, sizeof o->dims);
    TSR_TRY(describe_array(out, &array, o->h5, o->pointers, "pos", err));
    if (!o->empty) {
        TSR_TRY(describe_array(out, &array, o->h5, o->indices, "crd", err));
        TSR_TRY(describe_array(out, &values, o->h5, o->data, "values", err));
    }
    out->nnz = values.n;
    snprintf(out->type, sizeof out->type, "%s",
             o->boolean || values.boolean ? "bool" : tsr_type_name(values.type));
    return tsr_format_nested(&out->format, 2, 1, (const int[]){o->major, 1 - o->major}, err);
}

static tsr_status describe_dense(tsr_brief_tensor *out, const opened *o, tsr_error *err)
{
    const bool fortran = is_by_columns(o);
    int modes[TSR_MAX_ORDER];
    tsr_hdf5_array array = {.n = 0};
    TSR_TRY(describe_array(out, &array, o->h5, o->leaf, "values", err));
    out->order = array.ndims;
    out->has_dims = out->has_nnz = true;
    out->nnz = array.n;
    for (int m = 0; m < array.ndims; m++)
        out->dims[m] = array.dims[fortran ? array.ndims - 1 - m : m];
    if (is_empty_array(o)) {
        out->nnz = 0;
        TSR_TRY(read_empty_dims(&out->order, out->dims, o, err));
    }
    for (int m = 0; m < out->order; m++)
        modes[m] = fortran ? out->order - 1 - m : m;
    snprintf(out->type, sizeof out->type, "%s", array.boolean ? "bool" : tsr_type_name(array.type));
    return tsr_format_dense(&out->format, out->order, modes, err);
}

static tsr_status describe_sptensor(tsr_brief_tensor *out, const opened *o, tsr_error *err)
{
    tsr_hdf5_array subs, vals = {.n = 0};
    char storage[TSR_HDF5_STORAGE_NBYTES];
    TSR_TRY(tsr_hdf5_glance_wide(&subs, storage, o->h5, "size", err));
    if (subs.n > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "the tensor has %" PRIu64 " modes: at most %d are supported", subs.n,
                        TSR_MAX_ORDER);
    out->order = (int)subs.n;
    TSR_TRY(read_few(out->dims, out->order, o->h5, "size", err));
    TSR_TRY(describe_array(out, &vals, o->h5, "vals", "values", err));
    out->has_dims = out->has_nnz = true;
    out->nnz = vals.n;
    snprintf(out->type, sizeof out->type, "%s", tsr_type_name(vals.type));
    return TSR_OK;
}

tsr_status tsr_hdf5_describe_one(tsr_brief_tensor *out, tsr_hdf5 *h5, const char *path, tsr_error *err)
{
    opened o;
    char *parent = NULL;
    tsr_status status = look_at_object(&o, h5, path, &parent, err);
    if (status == TSR_OK)
        status = o.pointers                    ? describe_slices(out, &o, err)
                 : o.form == TSR_HDF5_SPTENSOR ? describe_sptensor(out, &o, err)
                                               : describe_dense(out, &o, err);
    tsr_free(parent);
    return status;
}
