/* Reading a matrix of a container of other software piece by piece: see tsr_dialect_feed_object. A container decodes a chunk again for
 * each part that is read of it, so parts are cut at chunks, and kept. */
#include "dialect_internal.h"

#include <string.h>

#include "array_parts.h"
#include "tsr_parallel.h"

enum {
    NARRAYS = TSR_PART_ARRAYS,
    BLOCK_NBYTES = 1 << 20,    /* read at once, at least */
    MAX_CHUNK_NBYTES = 1 << 26 /* larger chunks are read with the whole only */
};

/* One array, or a row of one, and a block of it. */
typedef struct part {
    tsr_stored array;
    uint64_t base;    /* the elements of the stored array before those of the row */
    uint64_t n;       /* elements */
    bool index;       /* coordinates, which begin at the base of the form */
    uint64_t block_n; /* elements of a block: whole chunks */
    tsr_array loaded; /* owned: elements first, first + 1, ... */
    uint64_t first;
} part;

typedef struct dialect_parts {
    tsr_container *c; /* owned; the current group has the arrays */
    char *parent;     /* the path of the object, which names an array of all cells; owned */
    uint64_t base;    /* the smallest index of coordinates */
    bool only_stored; /* compressed arrays are refused */
    part parts[NARRAYS];
} dialect_parts;

static void close_parts(void *ctx)
{
    dialect_parts *const p = ctx;
    for (int k = 0; k < NARRAYS; k++)
        tsr_array_clear(&p->parts[k].loaded);
    tsr_container_free(p->c);
    tsr_free(p->parent);
    tsr_free(p);
}

/* Load the block with element i. */
static tsr_status load_block(part *a, tsr_container *c, uint64_t i, tsr_error *err)
{
    if (!a->loaded.data)
        TSR_TRY(tsr_array_init(&a->loaded, a->block_n, tsr_type_nbytes(a->array.type), 0,
                               "a part of an array", err));
    a->first = i - i % a->block_n;
    a->loaded.n = a->n - a->first < a->block_n ? a->n - a->first : a->block_n;
    const tsr_status status =
        tsr_container_read_part(a->loaded.data, c, &a->array, a->base + a->first, a->loaded.n, err);
    if (status != TSR_OK)
        a->loaded.n = 0;
    return status;
}

/* Integers that are stored as f64: put them in their places as u64. Returns how many of the n numbers are integers. */
static uint64_t to_integers(void *numbers, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        double x;
        memcpy(&x, (char *)numbers + i * sizeof x, sizeof x);
        const uint64_t u = x >= 0 && x < 0x1p53 ? (uint64_t)x : UINT64_MAX;
        if ((double)u != x)
            return i;
        memcpy((char *)numbers + i * sizeof u, &u, sizeof u);
    }
    return n;
}

/* Make n numbers indices that count from 0. */
static tsr_status finish_indices(void *indices, const part *a, uint64_t n, uint64_t base, tsr_error *err)
{
    const tsr_type type = a->array.type == TSR_F64 ? TSR_U64 : a->array.type;
    tsr_array loaded = {.data = indices, .n = n, .width = tsr_type_nbytes(type)};
    if (a->index && a->array.type == TSR_F64 && to_integers(indices, n) < n)
        return tsr_fail(err, TSR_CORRUPT, "array '%s' has a number that is not an index", a->array.name);
    return base == 0 || !a->index || tsr_indices_rebase(&loaded, type, base) == n
               ? TSR_OK
               : tsr_fail(err, TSR_CORRUPT, "array '%s' has an index below %d", a->array.name, (int)base);
}

static tsr_status read_part(void *out, void *ctx, int k, uint64_t first, uint64_t n, tsr_error *err)
{
    dialect_parts *const p = ctx;
    part *const a = &p->parts[k];
    const size_t width = tsr_type_nbytes(a->array.type);
    unsigned char *to = out;
    while (n > 0) {
        const bool loaded = a->loaded.data && first >= a->first && first - a->first < a->loaded.n;
        uint64_t step = n;
        if (!loaded && a->array.chunk_n == 0 && n >= a->block_n) { /* large parts need no block */
            TSR_TRY(tsr_container_read_part(to, p->c, &a->array, a->base + first, n, err));
        } else {
            if (!loaded)
                TSR_TRY(load_block(a, p->c, first, err));
            const uint64_t at = first - a->first, left = a->loaded.n - at;
            step = n < left ? n : left;
            memcpy(to, (const char *)a->loaded.data + at * width, step * width);
        }
        TSR_TRY(finish_indices(to, a, step, p->base, err));
        to += step * width;
        first += step;
        n -= step;
    }
    return TSR_OK;
}

/* Use row `row` of an array, or the whole array (-1), as array k. */
static tsr_status use(tsr_array_parts *to, dialect_parts *p, int k, const char *name, int row, tsr_error *err)
{
    part *const a = &p->parts[k];
    TSR_TRY(tsr_container_look(&a->array, p->c, name, true, err));
    const size_t width = tsr_type_nbytes(a->array.type);
    const uint64_t chunk_nbytes = a->array.chunk_n * width; /* a chunk is below 4 GiB */
    if (p->only_stored && a->array.packed)
        return tsr_fail(err, TSR_UNSUPPORTED, "the arrays are compressed");
    const bool flat = a->array.ndims == 1 || p->c->type->flat_parts || (row < 0 && a->array.chunk_n > 0);
    if (!flat || (row >= 0 && a->array.ndims != 2) || (a->array.by_columns && !to->dense) ||
        a->array.width != width || chunk_nbytes > MAX_CHUNK_NBYTES)
        return tsr_arrays_only_whole(err);
    a->array.stream = k;
    a->n = row < 0 ? a->array.n : a->array.dims[1];
    a->base = row < 0 ? 0 : (uint64_t)row * a->n;
    a->block_n = a->array.chunk_n ? a->array.chunk_n : BLOCK_NBYTES / width;
    while (a->block_n * width < BLOCK_NBYTES)
        a->block_n *= 2;
    to->arrays[k] =
        (tsr_part_array){name, a->index && a->array.type == TSR_F64 ? TSR_U64 : a->array.type, a->n};
    return TSR_OK;
}

/* Leave out the indices and data that no pointer reaches. */
static tsr_status leave_spare(tsr_array_parts *to, dialect_parts *p, tsr_error *err)
{
    unsigned char last[TSR_MAX_VALUE_NBYTES];
    const tsr_stored *const pointers = &p->parts[0].array;
    if (pointers->n == 0)
        return TSR_OK;
    TSR_TRY(tsr_container_read_part(last, p->c, pointers, pointers->n - 1, 1, err));
    const uint64_t n =
        tsr_array_get(&(tsr_array){.data = last, .n = 1, .width = tsr_type_nbytes(pointers->type)}, 0);
    for (int k = 1; k < 3; k++)
        if (n < to->arrays[k].n)
            to->arrays[k].n = p->parts[k].n = n;
    return TSR_OK;
}

/* Whether the absent cells have a value other than 0. */
static tsr_status has_fill(bool *out, const tsr_opened *o, tsr_error *err)
{
    tsr_numbers fill = {.name = o->form->fill};
    tsr_job job = {.nthreads = 1};
    *out = false;
    if (!o->form->fill || tsr_container_look_up(o->c, o->form->fill) == TSR_NODE_NONE)
        return TSR_OK;
    const tsr_status status = tsr_form_read_numbers(&fill, o->c, fill.name, &job, err);
    const unsigned char *const bytes = fill.array.data;
    for (uint64_t i = 0; status == TSR_OK && i < tsr_array_nbytes(&fill.array); i++)
        *out = *out || bytes[i] != 0;
    tsr_array_clear(&fill.array);
    return status;
}

/* Open the object, and read its labels (NULL: not asked for). *parent: as tsr_dialect_open. */
static tsr_status open_object(tsr_opened *o, char **parent, tsr_labels **labels, tsr_container *c,
                              const char *path, tsr_error *err)
{
    tsr_stored array;
    tsr_status status = tsr_dialect_open(o, parent, c, path, err);
    if (status == TSR_OK && ((o->form->read && !o->form->feed) || o->empty))
        status = tsr_fail(err, TSR_UNSUPPORTED, "this kind of matrix is read only as a whole");
    if (status == TSR_OK && !tsr_form_has_lists(o->form) && !o->form->feed)
        status = tsr_dialect_look_at_cells(&array, o, err);
    if (status == TSR_OK && labels) { /* reading names leaves the group */
        status = tsr_dialect_read_labels(labels, o, path, o->dims, err);
        tsr_free(*parent);
        *parent = NULL;
        if (status == TSR_OK)
            status = tsr_dialect_open(o, parent, c, path, err);
        if (status == TSR_OK && !tsr_form_has_lists(o->form) && !o->form->feed)
            status = tsr_dialect_look_at_cells(&array, o, err);
    }
    return status;
}

/* Use the values, which may be truth values. */
static tsr_status use_values(tsr_array_parts *to, dialect_parts *p, int k, const tsr_opened *o,
                             tsr_error *err)
{
    TSR_TRY(use(to, p, k, to->dense ? o->leaf : o->form->data, -1, err));
    to->truth = o->boolean || p->parts[k].array.boolean;
    if (to->truth)
        to->arrays[k].type = TSR_U8;
    return !to->truth || p->parts[k].array.width == 1 ? TSR_OK : tsr_arrays_only_whole(err);
}

/* An array of all cells. */
static tsr_status use_cells(tsr_array_parts *to, dialect_parts *p, const tsr_opened *o, tsr_error *err)
{
    to->dense = true;
    TSR_TRY(use_values(to, p, 0, o, err));
    to->fortran = o->form->by_columns || p->parts[0].array.by_columns;
    return TSR_OK;
}

/* The rows and columns of the blocks of the values. */
static tsr_status take_blocks(tsr_array_parts *to, const tsr_stored *values, tsr_error *err)
{
    if (values->ndims != 3 || values->dims[1] == 0 || values->dims[2] == 0)
        return tsr_arrays_only_whole(err);
    memcpy(to->block, values->dims + 1, sizeof to->block);
    return TSR_OK;
}

static tsr_status describe(tsr_array_parts *to, dialect_parts *p, const tsr_opened *o, tsr_error *err)
{
    bool fill;
    TSR_TRY(has_fill(&fill, o, err));
    const tsr_form *const f = o->form;
    if (fill || f->axes || o->order == 0 || (f->coords && !p->c->type->flat_parts))
        return tsr_arrays_only_whole(err);
    to->order = o->order;
    memcpy(to->dims, o->dims, sizeof o->dims);
    if (!tsr_form_has_lists(f))
        return use_cells(to, p, o, err);
    to->slices = f->pointers != NULL;
    to->major = f->major;
    p->base = f->base;
    const int values = to->slices ? 2 : o->order;
    for (int k = 0; k < values; k++) {
        const char *const name = f->coords     ? f->coords
                                 : !to->slices ? f->crd[k]
                                 : k == 0      ? f->pointers
                                               : f->indices;
        p->parts[k].index = !to->slices;
        TSR_TRY(use(to, p, k, name, f->coords ? k : -1, err));
    }
    if (f->coords && p->parts[0].array.dims[0] != (uint64_t)o->order)
        return tsr_arrays_only_whole(err);
    TSR_TRY(use_values(to, p, values, o, err));
    if (f->blocks)
        TSR_TRY(take_blocks(to, &p->parts[values].array, err));
    return f->has_spare ? leave_spare(to, p, err) : TSR_OK;
}

tsr_status tsr_dialect_feed_object(tsr_feed **out, const char *path, const char *usual,
                                   const tsr_read_options *options, tsr_error *err)
{
    tsr_array_parts in = {.read = read_part, .close = close_parts};
    tsr_opened o;
    dialect_parts *const p = tsr_calloc(1, sizeof *p);
    char *file = NULL;
    const char *object;
    tsr_text chosen = {0};
    tsr_labels *labels = NULL;
    *out = NULL;
    if (!p)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    in.ctx = p;
    p->only_stored = options->only_stored;
    tsr_status status = tsr_container_open_object(&p->c, &file, &object, path, err);
    if (status == TSR_OK)
        p->c->nthreads = tsr_thread_count(options->nthreads);
    if (status == TSR_OK)
        status = tsr_dialect_choose_object(&chosen, p->c, object, usual, err);
    if (status == TSR_OK)
        status =
            open_object(&o, &p->parent, options->labels ? &labels : NULL, p->c, tsr_text_cstr(&chosen), err);
    if (status == TSR_OK)
        status = o.form->feed ? o.form->feed(out, &o, options, err) : describe(&in, p, &o, err);
    tsr_text_clear(&chosen);
    tsr_free(file);
    if (status == TSR_OK && !*out)
        status = tsr_feed_of_arrays(out, &in, options, err);
    else {
        p->c = *out ? NULL : p->c; /* the feed's */
        close_parts(p);
    }
    if (status == TSR_OK)
        (*out)->labels = labels;
    else
        tsr_labels_free(labels);
    return status;
}
