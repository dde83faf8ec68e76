/* Reading one matrix of a container of other software: see dialect.h and dialects.md. */
#include "dialect_internal.h"
#include "growing_array.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_memory.h"
#include "tsr_parallel.h"
#include "tsr_shown.h"

static tsr_status open_parent(tsr_container *c, char **parent, const char **leaf, const char *path,
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
    TSR_TRY(tsr_container_leave(c, err));
    return tsr_container_enter(c, *parent, err);
}

/* ---- arrays ---- */

tsr_status tsr_form_read_numbers(tsr_numbers *out, tsr_container *c, const char *name, tsr_job *job,
                                 tsr_error *err)
{
    tsr_stored array;
    out->name = name;
    TSR_TRY(tsr_container_look(&array, c, name, true, err));
    out->type = array.type;
    TSR_TRY(tsr_array_init(&out->array, array.n, tsr_type_nbytes(array.type), 0, name, err));
    return tsr_container_read(out->array.data, c, &array, job, err);
}

/* Read a dataset of n integers. */
tsr_status tsr_form_read_few(uint64_t *out, int n, tsr_container *c, const char *name, tsr_error *err)
{
    tsr_stored array;
    tsr_job job = {.nthreads = 1};
    TSR_TRY(tsr_container_look(&array, c, name, true, err));
    if (array.n != (uint64_t)n)
        return tsr_fail(err, TSR_CORRUPT, "%s '%s' has %" PRIu64 " values where %d are expected",
                        c->type->word, name, array.n, n);
    tsr_numbers numbers = {.name = name};
    tsr_status status = tsr_form_read_numbers(&numbers, c, name, &job, err);
    if (status == TSR_OK)
        status = tsr_numbers_to_dims(out, &numbers, n, err);
    tsr_array_clear(&numbers.array);
    return status;
}

static tsr_status length_of(uint64_t *n, tsr_container *c, const char *name, tsr_error *err)
{
    tsr_stored array;
    char storage[TSR_STORAGE_NBYTES];
    TSR_TRY(tsr_container_glance(&array, storage, c, name, true, err));
    *n = array.n;
    return TSR_OK;
}

tsr_status tsr_form_read_dims(int *n, uint64_t *dims, tsr_container *c, const char *name, tsr_error *err)
{
    uint64_t length;
    TSR_TRY(length_of(&length, c, name, err));
    if (length > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "%s '%s' has %" PRIu64 " values; at most %d are supported",
                        c->type->word, name, length, TSR_MAX_ORDER);
    *n = (int)length;
    return tsr_form_read_few(dims, *n, c, name, err);
}

/* ---- slices and coordinates ---- */

bool tsr_form_has_lists(const tsr_form *f)
{
    return f->pointers || f->crd[0] || f->coords;
}

/* The shape, an attribute of the member. */
static tsr_status take_shape(tsr_opened *o, tsr_error *err)
{
    int64_t shape[2] = {0};
    int n = 0;
    for (int i = 0; n == 0 && i < 2 && o->form->shape[i]; i++)
        n = tsr_container_integers_of(shape, 2, o->c, o->leaf, o->form->shape[i]);
    if (n != 2 || shape[0] < 0 || shape[1] < 0)
        return tsr_fail(err, TSR_CORRUPT, "attribute '%s' of '%s' must have two dimensions",
                        o->form->shape[0], o->leaf);
    o->dims[0] = (uint64_t)shape[0];
    o->dims[1] = (uint64_t)shape[1];
    return TSR_OK;
}

/* The number of rows, an attribute of the member. */
static tsr_status take_rows(tsr_opened *o, tsr_error *err)
{
    int64_t nrows = 0;
    if (tsr_container_integers_of(&nrows, 1, o->c, o->leaf, o->form->rows) != 1 || nrows < 0)
        return tsr_fail(err, TSR_CORRUPT, "attribute '%s' of '%s' must be the number of rows", o->form->rows,
                        o->leaf);
    o->dims[0] = (uint64_t)nrows;
    return TSR_OK;
}

static tsr_status count_columns(tsr_opened *o, tsr_error *err)
{
    uint64_t n;
    TSR_TRY(length_of(&n, o->c, o->form->pointers, err));
    if (n == 0)
        return tsr_fail(err, TSR_CORRUPT, "dataset '%s' is empty", o->form->pointers);
    o->dims[1] = n - 1;
    return TSR_OK;
}

static bool is_absent(const tsr_opened *o, const char *name)
{
    return tsr_container_look_up(o->c, name) == TSR_NODE_NONE;
}

/* Learn the dims, and enter the group that has the arrays. */
static tsr_status look_at_lists(tsr_opened *o, tsr_error *err)
{
    const tsr_form *const f = o->form;
    if (f->shape[0])
        TSR_TRY(take_shape(o, err));
    if (f->rows)
        TSR_TRY(take_rows(o, err));
    TSR_TRY(tsr_container_enter(o->c, o->leaf, err));
    if (f->inside)
        TSR_TRY(tsr_container_enter(o->c, f->inside, err));
    o->order = !f->pointers && !f->coords && !f->crd[1] ? 1 : 2;
    if (f->dims)
        TSR_TRY(f->coords || f->axes ? tsr_form_read_dims(&o->order, o->dims, o->c, f->dims, err)
                                     : tsr_form_read_few(o->dims, o->order, o->c, f->dims, err));
    for (int m = 0; m < 2 && f->sizes[0]; m++)
        TSR_TRY(tsr_form_read_few(&o->dims[m], 1, o->c, f->sizes[m], err));
    if (f->rows)
        TSR_TRY(count_columns(o, err));
    o->empty = f->may_lack_arrays && is_absent(o, f->data) && is_absent(o, f->indices);
    return TSR_OK;
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
static bool is_there(tsr_opened *o, const char *path, char **parent)
{
    tsr_free(*parent);
    *parent = NULL;
    return open_parent(o->c, parent, &o->leaf, path, NULL) == TSR_OK &&
           tsr_container_look_up(o->c, o->leaf) != TSR_NODE_NONE;
}

/* Enter the group that has the object, and determine its form. */
static tsr_status find_object(tsr_opened *o, const char *path, char **parent, tsr_error *err)
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
            status = open_parent(o->c, parent, &o->leaf, path, err);
        }
    }
    tsr_text_clear(&inner);
    if (status == TSR_OK)
        o->form = tsr_form_of(o->c, *parent, o->leaf);
    return status;
}

/* The error for an object that is not a matrix. */
static tsr_status refuse_object(tsr_opened *o, const char *path, tsr_error *err)
{
    char shown[TSR_SHOWN_NBYTES], storage[TSR_STORAGE_NBYTES];
    tsr_stored array;
    const tsr_node node = tsr_container_look_up(o->c, o->leaf);
    if (node == TSR_NODE_NONE)
        return tsr_dialect_refuse_missing(o->c, path, err);
    if (node == TSR_NODE_ARRAY) /* where its header cannot be read, that is the reason */
        TSR_TRY(tsr_container_glance(&array, storage, o->c, o->leaf, true, err));
    return tsr_fail(err, TSR_UNSUPPORTED, "'%s' is not a kind of matrix that is supported",
                    tsr_show(shown, path));
}

tsr_status tsr_dialect_open(tsr_opened *o, char **parent, tsr_container *c, const char *path, tsr_error *err)
{
    *o = (tsr_opened){.c = c};
    *parent = NULL;
    const tsr_status status = find_object(o, path, parent, err);
    if (status != TSR_OK)
        return status == TSR_ARGUMENT ? tsr_dialect_refuse_missing(c, path, err) : status;
    if (!o->form)
        return refuse_object(o, path, err);
    if (o->form->look)
        TSR_TRY(o->form->look(o, err));
    return tsr_form_has_lists(o->form) ? look_at_lists(o, err) : TSR_OK;
}

/* ---- reading ---- */

/* An array of a matrix by slices or coordinates. */
typedef struct listed {
    const char *name;
    tsr_numbers *to;
    tsr_stored stored;
} listed;

enum { MAX_LISTS = 3 };

/* The arrays in the order in which MATLAB's files have them; the last has the values. Returns their number. */
static int name_lists(listed *lists, tsr_arrays *in, const tsr_form *f)
{
    int n = 0;
    if (f->pointers || f->crd[0])
        lists[n++] = (listed){.name = f->pointers ? f->indices : f->crd[0], .to = &in->crd[0]};
    if (f->pointers || f->crd[1])
        lists[n++] = (listed){.name = f->pointers ? f->pointers : f->crd[1],
                              .to = f->pointers ? &in->pointers : &in->crd[1]};
    lists[n++] = (listed){.name = f->data, .to = &in->values};
    return n;
}

static tsr_status make_room(listed *l, tsr_error *err)
{
    l->to->name = l->name;
    l->to->type = l->stored.type;
    return tsr_array_init(&l->to->array, l->stored.n, tsr_type_nbytes(l->stored.type), 0, l->name, err);
}

/* Read n of the arrays. */
static tsr_status read_some(listed *lists, int n, tsr_container *c, tsr_job *job, tsr_error *err)
{
    tsr_wanted wanted[MAX_LISTS];
    for (int i = 0; i < n; i++) {
        TSR_TRY(make_room(&lists[i], err));
        wanted[i] = (tsr_wanted){lists[i].to->array.data, &lists[i].stored};
    }
    return tsr_container_read_all(c, wanted, n, job, err);
}

/* Read the data, and leave out the indices and data that no pointer reaches. */
static tsr_status read_reached(tsr_arrays *in, listed *data, tsr_container *c, tsr_job *job, tsr_error *err)
{
    const uint64_t n = in->pointers.array.n, last = n ? tsr_array_get(&in->pointers.array, n - 1) : 0;
    if (data->stored.n_is_most && last < data->stored.n)
        data->stored.n = last;
    TSR_TRY(read_some(data, 1, c, job, err));
    if (last < in->crd[0].array.n)
        TSR_TRY(tsr_array_shorten(&in->crd[0].array, last, err));
    return last < in->values.array.n ? tsr_array_shorten(&in->values.array, last, err) : TSR_OK;
}

/* The arrays of a matrix without entries, which the file does not have. */
static tsr_status make_empty(tsr_arrays *in, const tsr_opened *o, tsr_error *err)
{
    in->crd[0] = (tsr_numbers){.type = TSR_I32, .name = o->form->indices};
    in->values = (tsr_numbers){.type = o->boolean ? TSR_U8 : TSR_F64, .name = o->form->data};
    TSR_TRY(tsr_array_init(&in->crd[0].array, 0, 4, 0, o->form->indices, err));
    return tsr_array_init(&in->values.array, 0, o->boolean ? 1 : 8, 0, o->form->data, err);
}

/* Values that lie by columns, in row-major order. */
static tsr_status read_by_rows(tsr_numbers *out, tsr_container *c, const tsr_stored *array, tsr_error *err)
{
    enum { STEP = 4096 };
    uint64_t at[TSR_MAX_ORDER] = {0};
    const size_t width = out->array.width;
    char *const block = tsr_malloc(STEP * width);
    tsr_status status = block ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    for (uint64_t first = 0; status == TSR_OK && first < array->n; first += STEP) {
        const uint64_t n = array->n - first < STEP ? array->n - first : STEP;
        status = tsr_container_read_part(block, c, array, first, n, err);
        for (uint64_t e = 0; e < n && status == TSR_OK; e++) {
            uint64_t to = 0;
            for (int m = 0; m < array->ndims; m++)
                to = to * array->dims[m] + at[m];
            memcpy((char *)out->array.data + to * width, block + e * width, width);
            for (int m = 0; m < array->ndims && ++at[m] == array->dims[m]; m++)
                at[m] = 0;
        }
    }
    tsr_free(block);
    return status;
}

/* The rows of `coords`, which are read as a whole first. */
static tsr_status split_coords(tsr_arrays *in, const tsr_opened *o, const tsr_stored *coords, tsr_job *job,
                               tsr_error *err)
{
    const uint64_t n = coords->dims[1];
    listed all = {.name = o->form->coords, .to = &(tsr_numbers){.type = coords->type}, .stored = *coords};
    tsr_status status = read_some(&all, 1, o->c, job, err);
    const size_t width = all.to->array.width;
    for (int m = 0; m < in->order && status == TSR_OK; m++) {
        for (uint64_t e = 0; e < n && coords->by_columns; e++)
            memcpy((char *)in->crd[m].array.data + e * width,
                   (const char *)all.to->array.data + (e * (uint64_t)in->order + (uint64_t)m) * width, width);
        if (!coords->by_columns)
            memcpy(in->crd[m].array.data, (const char *)all.to->array.data + (uint64_t)m * n * width,
                   n * width);
    }
    tsr_array_clear(&all.to->array);
    return status;
}

/* The same where the coordinates of one entry follow each other, piece by piece. */
static tsr_status read_columns(tsr_arrays *in, const tsr_opened *o, const tsr_stored *coords, tsr_error *err)
{
    enum { STEP = 256 };
    uint64_t block[STEP * TSR_MAX_ORDER];
    const size_t width = tsr_type_nbytes(coords->type), order = (size_t)in->order;
    const uint64_t n = coords->dims[1];
    for (uint64_t first = 0; first < n; first += STEP) {
        const uint64_t step = n - first < STEP ? n - first : STEP;
        TSR_TRY(tsr_container_read_part(block, o->c, coords, first * order, step * order, err));
        for (size_t k = 0; k < step * order; k++)
            memcpy((char *)in->crd[k % order].array.data + (first + k / order) * width,
                   (const char *)block + k * width, width);
    }
    return TSR_OK;
}

/* Read the coordinates of all modes. */
static tsr_status read_coords(tsr_arrays *in, const tsr_opened *o, const tsr_stored *coords, tsr_job *job,
                              tsr_error *err)
{
    const uint64_t n = coords->dims[1];
    for (int m = 0; m < in->order; m++) {
        in->crd[m] = (tsr_numbers){.type = coords->type, .name = o->form->coords};
        TSR_TRY(tsr_array_init(&in->crd[m].array, n, tsr_type_nbytes(coords->type), 0, coords->name, err));
    }
    if (!o->c->type->flat_parts)
        return split_coords(in, o, coords, job, err);
    if (coords->by_columns)
        return read_columns(in, o, coords, err);
    for (int m = 0; m < in->order; m++)
        TSR_TRY(tsr_container_read_part(in->crd[m].array.data, o->c, coords, (uint64_t)m * n, n, err));
    return TSR_OK;
}

tsr_status tsr_form_look_at_coords(tsr_stored *out, const tsr_opened *o, tsr_error *err)
{
    const char *const name = o->form->coords;
    TSR_TRY(tsr_container_look(out, o->c, name, true, err));
    const char class = tsr_type_class(out->type);
    if (out->ndims != 2 || out->dims[0] != (uint64_t)o->order)
        return tsr_fail(err, TSR_CORRUPT, "%s '%s' must have %d rows, one for each mode", o->c->type->word,
                        name, o->order);
    return class == 'C' ? tsr_fail(err, TSR_CORRUPT, "%s '%s' has numbers that are not integers",
                                   o->c->type->word, name)
                        : TSR_OK;
}

/* The value of the absent cells, in the type of the values. */
static tsr_status take_fill(tsr_arrays *in, const tsr_opened *o, tsr_error *err)
{
    const char *const name = o->form->fill;
    tsr_numbers fill = {.name = name};
    tsr_job job = {.nthreads = 1};
    if (!name || is_absent(o, name))
        return TSR_OK;
    tsr_status status = tsr_form_read_numbers(&fill, o->c, name, &job, err);
    if (status == TSR_OK && fill.array.n != 1)
        status = tsr_fail(err, TSR_CORRUPT, "%s '%s' must have one value", o->c->type->word, name);
    in->has_fill = true;
    if (status == TSR_OK)
        status = tsr_values_convert(in->fill, in->values.type, fill.array.data, fill.type, 1, err);
    tsr_array_clear(&fill.array);
    return status;
}

/* Warn of coordinates that are taken for sorted ones; a repair is to sort them. */
static void tell_order(tsr_coo *coo, const tsr_form *f, const tsr_read_options *options)
{
    const tsr_coo_order order = tsr_coo_find_order(coo, NULL);
    const bool good = order.sorted && order.nduplicates == 0;
    coo->repaired = options->repair && !good;
    if (!good && options->repair)
        tsr_warn(options->observer, NULL, 0,
                 "repaired: array '%s' is not sorted, or has one cell several times: the entries are sorted, "
                 "and those of one cell are combined (see --duplicates)",
                 f->coords);
    else if (!good)
        tsr_warn(options->observer, NULL, 0,
                 "array '%s' is not sorted, or has one cell several times, which %s does not notice: its "
                 "results are wrong: tconv --repair sorts the entries, and combines those of one cell",
                 f->coords, f->assumes);
}

/* The modes that make the rows. */
static tsr_status take_axes(tsr_arrays *in, const tsr_opened *o, tsr_error *err)
{
    uint64_t axes[TSR_MAX_ORDER];
    TSR_TRY(tsr_form_read_dims(&in->ngrouped, axes, o->c, o->form->axes, err));
    for (int i = 0; i < in->ngrouped; i++)
        in->grouped[i] = axes[i] < TSR_MAX_ORDER ? (int)axes[i] : -1;
    return TSR_OK;
}

/* From the arrays to a tensor. */
static tsr_status make_tensor(tsr_data *out, tsr_arrays *in, const tsr_form *f, const tsr_stored *values,
                              const tsr_read_options *options, tsr_error *err)
{
    if (f->axes)
        return tsr_arrays_grouped(out, in, options, err);
    if (f->pointers && !f->blocks)
        return tsr_arrays_compressed(out, in, options, err);
    if (f->blocks) {
        if (values->ndims != 3)
            return tsr_fail(err, TSR_CORRUPT, "array '%s' must have three dimensions: blocks, rows, columns",
                            f->data);
        memcpy(in->block, values->dims + 1, sizeof in->block);
        return tsr_arrays_blocks(out, in, options, err);
    }
    TSR_TRY(tsr_arrays_coordinates(out, in, options, err));
    if (f->assumes && (options->check || options->repair))
        tell_order(out->coo, f, options);
    return TSR_OK;
}

/* Read the arrays, the values last. */
static tsr_status read_arrays(tsr_arrays *in, const tsr_opened *o, listed *lists, int n, tsr_job *job,
                              tsr_error *err)
{
    const tsr_form *const f = o->form;
    listed *const values = &lists[n - 1];
    if (o->empty) {
        TSR_TRY(read_some(lists + 1, n - 2, o->c, job, err));
        return make_empty(in, o, err);
    }
    if (f->has_spare) {
        TSR_TRY(read_some(lists, n - 1, o->c, job, err));
        return read_reached(in, values, o->c, job, err);
    }
    if (!values->stored.by_columns)
        return read_some(lists, n, o->c, job, err);
    TSR_TRY(read_some(lists, n - 1, o->c, job, err));
    TSR_TRY(make_room(values, err));
    return read_by_rows(&in->values, o->c, &values->stored, err);
}

/* Read a tensor by slices or coordinates. */
static tsr_status read_lists(tsr_data *out, const tsr_opened *o, tsr_job *job,
                             const tsr_read_options *options, tsr_error *err)
{
    const tsr_form *const f = o->form;
    tsr_arrays in = {.order = o->order, .major = f->major, .base = f->base, .boolean = o->boolean};
    listed lists[MAX_LISTS] = {{.name = NULL}};
    tsr_stored coords = {.n = 0};
    const int n = name_lists(lists, &in, f);
    tsr_status status;
    memcpy(in.dims, o->dims, sizeof o->dims);
    for (int i = 0; i < n; i++) {
        if (o->empty && i != 1)
            continue;
        TSR_TRY_OUT(tsr_container_look(&lists[i].stored, o->c, lists[i].name, true, err));
        job->total += lists[i].stored.n * tsr_type_nbytes(lists[i].stored.type);
    }
    if (f->axes)
        TSR_TRY_OUT(take_axes(&in, o, err));
    if (f->coords)
        TSR_TRY_OUT(tsr_form_look_at_coords(&coords, o, err));
    job->total += coords.n * tsr_type_nbytes(coords.type);
    const tsr_stored stored[MAX_LISTS] = {lists[0].stored, lists[1].stored, lists[2].stored};
    if (n == MAX_LISTS && tsr_dialect_reads_slices(o, stored, options)) {
        job->total = 0;
        TSR_TRY_OUT(tsr_dialect_read_slices(&in, o, stored, job, options, err));
        out->slices.read = true;
        out->slices.mode = f->major;
        out->slices.dim = o->dims[f->major];
        return tsr_arrays_compressed(out, &in, options, err);
    }
    TSR_TRY_OUT(tsr_memory_check((double)job->total, "the tensor", err));
    if (f->coords)
        TSR_TRY_OUT(read_coords(&in, o, &coords, job, err));
    TSR_TRY_OUT(read_arrays(&in, o, lists, n, job, err));
    TSR_TRY_OUT(take_fill(&in, o, err));
    in.boolean = in.boolean || lists[n - 1].stored.boolean;
    status = make_tensor(out, &in, f, &lists[n - 1].stored, options, err);
out:
    tsr_arrays_clear(&in);
    return status;
}

/* The dims of such an array. */
static tsr_status read_empty_dims(int *order, uint64_t *dims, const tsr_opened *o, tsr_error *err)
{
    uint64_t ncells = 1;
    TSR_TRY(tsr_form_read_dims(order, dims, o->c, o->leaf, err));
    for (int m = 0; m < *order; m++)
        ncells = dims[m] == 0 ? 0 : ncells;
    return ncells == 0
               ? TSR_OK
               : tsr_fail(err, TSR_CORRUPT, "'%s' says that it is empty, but none of its dims is 0", o->leaf);
}

static tsr_status read_empty(tsr_data *out, const tsr_opened *o, const tsr_read_options *options,
                             tsr_error *err)
{
    tsr_arrays in = {.fortran = true, .values = {.type = o->boolean ? TSR_U8 : TSR_F64, .name = o->leaf}};
    TSR_TRY(read_empty_dims(&in.order, in.dims, o, err));
    TSR_TRY(tsr_array_init(&in.values.array, 0, tsr_type_nbytes(in.values.type), 0, o->leaf, err));
    return tsr_arrays_dense(out, &in, options, err);
}

tsr_status tsr_dialect_look_at_cells(tsr_stored *array, tsr_opened *o, tsr_error *err)
{
    TSR_TRY(tsr_container_look(array, o->c, o->leaf, true, err));
    o->order = array->ndims;
    for (int m = 0; m < array->ndims; m++)
        o->dims[m] = array->dims[o->form->by_columns ? array->ndims - 1 - m : m];
    return TSR_OK;
}

static tsr_status read_dense(tsr_data *out, tsr_opened *o, tsr_job *job, const tsr_read_options *options,
                             tsr_error *err)
{
    tsr_arrays in = {.order = 0};
    tsr_stored array;
    if (o->empty)
        return read_empty(out, o, options, err);
    TSR_TRY(tsr_dialect_look_at_cells(&array, o, err));
    job->total = array.n * tsr_type_nbytes(array.type);
    TSR_TRY(tsr_memory_check((double)job->total, "the array", err));
    in.order = o->order;
    memcpy(in.dims, o->dims, sizeof in.dims);
    in.fortran = o->form->by_columns || array.by_columns;
    in.boolean = array.boolean || o->boolean;
    const tsr_status status = tsr_form_read_numbers(&in.values, o->c, o->leaf, job, err);
    if (status == TSR_OK)
        return tsr_arrays_dense(out, &in, options, err);
    tsr_arrays_clear(&in);
    return status;
}

tsr_status tsr_dialect_read_labels(tsr_labels **out, const tsr_opened *o, const char *path,
                                   const uint64_t *dims, tsr_error *err)
{
    while (*path == '/')
        path++;
    *out = tsr_labels_new();
    if (!*out)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    return o->form->labels ? o->form->labels(*out, o->c, path, dims, err) : TSR_OK;
}

static tsr_status read_one(tsr_data *out, tsr_container *c, const char *path, const tsr_read_options *options,
                           tsr_error *err)
{
    tsr_opened o;
    char *parent;
    tsr_job job = {
        .nthreads = tsr_thread_count(options->nthreads), .observer = options->observer, .phase = "read"};
    c->nthreads = job.nthreads;
    tsr_status status = tsr_dialect_open(&o, &parent, c, path, err);
    if (status == TSR_OK)
        status = o.form->read                 ? o.form->read(out, &o, &job, options, err)
                 : tsr_form_has_lists(o.form) ? read_lists(out, &o, &job, options, err)
                                              : read_dense(out, &o, &job, options, err);
    if (status == TSR_OK && options->labels && (out->coo || out->tensor))
        status = tsr_dialect_read_labels(&out->labels, &o, path,
                                         out->slices.read ? o.dims : tsr_data_dims(out), err);
    tsr_free(parent);
    return status;
}

/* ---- choosing the object ---- */

/* The error when no matrix can be chosen; lists "X (25 x 12, 60 entries)" for each matrix. */
static tsr_status refuse_choice(tsr_container *c, const tsr_text *found, tsr_error *err)
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
            if (tensor && tsr_dialect_describe_one(tensor, c, found->s + at + 1, NULL) == TSR_OK &&
                tensor->order == 2)
                tsr_text_addf(&list, " (%" PRIu64 " x %" PRIu64 ", %" PRIu64 " %s)", tensor->dims[0],
                              tensor->dims[1], tensor->nnz, found->s[at] == 's' ? "entries" : "cells");
        }
        tsr_brief_clear(&brief);
    }
    const tsr_status status =
        n == 0 ? tsr_dialect_refuse_all(c, err)
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
        for (int kind = found->s[at] == 's' ? 0 : 1; kind < 2; kind++) {
            only[kind] = found->s + at + 1;
            n[kind]++;
        }
    }
    return n[0] == 1 ? only[0] : n[0] == 0 && n[1] == 1 ? only[1] : NULL;
}

tsr_status tsr_dialect_choose_object(tsr_text *path, tsr_container *c, const char *object, const char *usual,
                                     tsr_error *err)
{
    tsr_text found = {0};
    tsr_status status = object ? TSR_OK : tsr_dialect_find_objects(&found, c, err);
    const char *const chosen = object ? object : status == TSR_OK ? choose(&found, usual) : NULL;
    if (chosen)
        tsr_text_add(path, chosen);
    else if (status == TSR_OK)
        status = refuse_choice(c, &found, err);
    tsr_text_clear(&found);
    return status == TSR_OK ? tsr_text_status(path, err) : status;
}

tsr_status tsr_dialect_read_from(tsr_data *out, tsr_container *c, const char *object, const char *usual,
                                 const tsr_read_options *options, tsr_error *err)
{
    tsr_text path = {0};
    tsr_status status = tsr_dialect_choose_object(&path, c, object, usual, err);
    if (status == TSR_OK)
        status = read_one(out, c, tsr_text_cstr(&path), options, err);
    tsr_text_clear(&path);
    return status;
}

/* ---- describing ---- */

tsr_status tsr_form_describe_array(tsr_brief_tensor *out, tsr_stored *array, tsr_container *c,
                                   const char *name, const char *role, tsr_error *err)
{
    tsr_brief_array brief = {.role = role,
                             .level = strcmp(role, "pos") == 0 || strcmp(role, "crd") == 0 ? 1 : -1};
    TSR_TRY(tsr_container_glance(array, brief.storage, c, name, true, err));
    snprintf(brief.name, sizeof brief.name, "%.31s", name);
    brief.type = array->type;
    brief.n = array->n;
    return tsr_brief_add_array(out, &brief, err);
}

/* The number of entries, where the arrays may be longer: the last pointer, unless many bytes would be inflated to reach it. */
static tsr_status count_entries(tsr_brief_tensor *out, const tsr_opened *o, const tsr_stored *pointers,
                                bool packed, tsr_error *err)
{
    enum { MOST_INFLATED = 64 << 20 };
    unsigned char last[TSR_MAX_VALUE_NBYTES];
    const size_t width = tsr_type_nbytes(pointers->type);
    out->has_nnz = (!packed || out->nnz * width <= MOST_INFLATED) && pointers->n > 0;
    if (!out->has_nnz)
        return TSR_OK;
    TSR_TRY(tsr_container_read_part(last, o->c, pointers, pointers->n - 1, 1, err));
    const uint64_t n = tsr_array_get(&(tsr_array){.data = last, .n = 1, .width = width}, 0);
    out->nnz = n < out->nnz ? n : out->nnz;
    return TSR_OK;
}

/* The type of the values as it is shown. */
static void describe_type(tsr_brief_tensor *out, const tsr_stored *values, bool boolean)
{
    snprintf(out->type, sizeof out->type, "%s",
             values->texts                ? "text"
             : boolean || values->boolean ? "bool"
                                          : tsr_type_name(values->type));
}

static tsr_status describe_lists(tsr_brief_tensor *out, const tsr_opened *o, tsr_error *err)
{
    const tsr_form *const f = o->form;
    tsr_stored first = {.n = 0}, ignored, values = {.type = TSR_F64};
    const char *const names[] = {f->pointers ? f->pointers : f->crd[0], f->pointers ? f->indices : f->crd[1],
                                 f->coords};
    out->order = o->order;
    out->has_dims = out->has_nnz = true;
    memcpy(out->dims, o->dims, sizeof o->dims);
    for (int i = 0; i < 3; i++)
        if (names[i] && (i == 0 || !o->empty))
            TSR_TRY(tsr_form_describe_array(out, i == 0 ? &first : &ignored, o->c, names[i],
                                            i == 0 && f->pointers ? "pos" : "crd", err));
    if (!o->empty)
        TSR_TRY(tsr_form_describe_array(out, &values, o->c, f->data, "values", err));
    out->has_fill = f->fill && !is_absent(o, f->fill);
    if (out->has_fill)
        TSR_TRY(tsr_form_describe_array(out, &ignored, o->c, f->fill, "fill", err));
    out->nnz = values.n;
    if (f->has_spare && !o->empty)
        TSR_TRY(count_entries(out, o, &first, first.packed, err));
    describe_type(out, &values, o->boolean);
    return f->pointers && !f->blocks && !f->axes
               ? tsr_format_nested(&out->format, 2, 1, (const int[]){f->major, 1 - f->major}, err)
               : TSR_OK;
}

static tsr_status describe_dense(tsr_brief_tensor *out, const tsr_opened *o, tsr_error *err)
{
    int modes[TSR_MAX_ORDER];
    tsr_stored array = {.n = 0};
    TSR_TRY(tsr_form_describe_array(out, &array, o->c, o->leaf, "values", err));
    out->order = array.ndims;
    out->has_dims = out->has_nnz = true;
    out->nnz = array.n;
    const bool reversed = o->form->by_columns, fortran = reversed || array.by_columns;
    for (int m = 0; m < array.ndims; m++)
        out->dims[m] = array.dims[reversed ? array.ndims - 1 - m : m];
    if (o->empty) {
        out->nnz = 0;
        TSR_TRY(read_empty_dims(&out->order, out->dims, o, err));
    }
    for (int m = 0; m < out->order; m++)
        modes[m] = fortran ? out->order - 1 - m : m;
    describe_type(out, &array, false);
    return tsr_format_dense(&out->format, out->order, modes, err);
}

tsr_status tsr_dialect_describe_one(tsr_brief_tensor *out, tsr_container *c, const char *path, tsr_error *err)
{
    tsr_opened o;
    char *parent;
    tsr_status status = tsr_dialect_open(&o, &parent, c, path, err);
    if (status == TSR_OK)
        status = o.form->describe             ? o.form->describe(out, &o, err)
                 : tsr_form_has_lists(o.form) ? describe_lists(out, &o, err)
                                              : describe_dense(out, &o, err);
    tsr_free(parent);
    return status;
}

/* ---- names of rows and columns ---- */

tsr_status tsr_form_read_list(tsr_names *out, tsr_container *c, const char *group, const char *name,
                              uint64_t dim, tsr_error *err)
{
    if (tsr_container_leave(c, NULL) != TSR_OK || tsr_container_enter(c, group, NULL) != TSR_OK ||
        tsr_container_look_up(c, name) != TSR_NODE_ARRAY)
        return TSR_OK;
    const tsr_status status = tsr_container_read_names(out, c, name, err);
    if (status != TSR_OK || out->n != dim)
        tsr_names_clear(out);
    return status == TSR_NOMEM || status == TSR_CORRUPT ? status : TSR_OK;
}
