/* Reading a matrix of a container of other software piece by piece: see tsr_dialect_feed_object. A container decodes a chunk again for
 * each part that is read of it, so parts are cut at chunks, and kept. */
#include "dialect_internal.h"

#include <string.h>

#include "array_parts.h"

enum {
    NARRAYS = 3,
    BLOCK_NBYTES = 1 << 20,    /* read at once, at least */
    MAX_CHUNK_NBYTES = 1 << 26 /* larger chunks are read with the whole only */
};

/* One array, and a block of it. */
typedef struct part {
    tsr_stored array;
    uint64_t block_n; /* elements of a block: whole chunks */
    tsr_array loaded; /* owned: elements first, first + 1, ... */
    uint64_t first;
} part;

typedef struct dialect_parts {
    tsr_container *c; /* owned; the current group has the arrays */
    uint64_t base;    /* the smallest index of coordinates */
    part parts[NARRAYS];
} dialect_parts;

static void close_parts(void *ctx)
{
    dialect_parts *const p = ctx;
    for (int k = 0; k < NARRAYS; k++)
        tsr_array_clear(&p->parts[k].loaded);
    tsr_container_free(p->c);
    tsr_free(p);
}

/* Load the block with element i. */
static tsr_status load_block(part *a, tsr_container *c, uint64_t i, tsr_error *err)
{
    if (!a->loaded.data)
        TSR_TRY(tsr_array_init(&a->loaded, a->block_n, tsr_type_nbytes(a->array.type), 0,
                               "a part of an array", err));
    a->first = i - i % a->block_n;
    a->loaded.n = a->array.n - a->first < a->block_n ? a->array.n - a->first : a->block_n;
    const tsr_status status =
        tsr_container_read_part(a->loaded.data, c, &a->array, a->first, a->loaded.n, err);
    if (status != TSR_OK)
        a->loaded.n = 0;
    return status;
}

static tsr_status read_part(void *out, void *ctx, int k, uint64_t first, uint64_t n, tsr_error *err)
{
    dialect_parts *const p = ctx;
    part *const a = &p->parts[k];
    const size_t width = tsr_type_nbytes(a->array.type);
    unsigned char *to = out;
    while (n > 0) {
        if (!a->loaded.data || first < a->first || first - a->first >= a->loaded.n)
            TSR_TRY(load_block(a, p->c, first, err));
        const uint64_t at = first - a->first, left = a->loaded.n - at, step = n < left ? n : left;
        memcpy(to, (const char *)a->loaded.data + at * width, step * width);
        tsr_array loaded = {.data = to, .n = step, .width = width};
        if (p->base && k < 2 && tsr_indices_rebase(&loaded, a->array.type, p->base) < step)
            return tsr_fail(err, TSR_CORRUPT, "array '%s' has an index below %d", a->array.name,
                            (int)p->base);
        to += step * width;
        first += step;
        n -= step;
    }
    return TSR_OK;
}

static tsr_status use(tsr_array_parts *to, dialect_parts *p, int k, const char *name, tsr_error *err)
{
    part *const a = &p->parts[k];
    TSR_TRY(tsr_container_look(&a->array, p->c, name, true, err));
    const size_t width = tsr_type_nbytes(a->array.type);
    const uint64_t chunk_nbytes = a->array.chunk_n * width; /* a chunk is below 4 GiB */
    if (a->array.ndims != 1 || a->array.boolean || a->array.width != width || chunk_nbytes > MAX_CHUNK_NBYTES)
        return tsr_arrays_only_whole(err);
    a->block_n = a->array.chunk_n ? a->array.chunk_n : BLOCK_NBYTES / width;
    while (a->block_n * width < BLOCK_NBYTES)
        a->block_n *= 2;
    to->arrays[k] = (tsr_part_array){name, a->array.type, a->array.n};
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
    for (int k = 1; k < NARRAYS; k++)
        if (n < to->arrays[k].n)
            to->arrays[k].n = p->parts[k].array.n = n;
    return TSR_OK;
}

static tsr_status describe(tsr_array_parts *to, tsr_labels **labels, dialect_parts *p, const char *path,
                           tsr_error *err)
{
    tsr_opened o;
    char *parent;
    tsr_status status = tsr_dialect_open(&o, &parent, p->c, path, err);
    if (status == TSR_OK && (!tsr_form_has_lists(o.form) || o.empty || o.boolean))
        status = tsr_fail(err, TSR_UNSUPPORTED, "this kind of matrix is read only as a whole");
    if (status == TSR_OK && labels) { /* reading names leaves the group */
        status = tsr_dialect_read_labels(labels, &o, path, o.dims, err);
        tsr_free(parent);
        parent = NULL;
        if (status == TSR_OK)
            status = tsr_dialect_open(&o, &parent, p->c, path, err);
    }
    tsr_free(parent);
    TSR_TRY(status);
    to->order = 2;
    to->slices = o.form->pointers != NULL;
    to->major = o.form->major;
    p->base = o.form->base;
    memcpy(to->dims, o.dims, sizeof o.dims);
    TSR_TRY(use(to, p, 0, to->slices ? o.form->pointers : o.form->crd[0], err));
    TSR_TRY(use(to, p, 1, to->slices ? o.form->indices : o.form->crd[1], err));
    TSR_TRY(use(to, p, 2, o.form->data, err));
    return o.form->has_spare ? leave_spare(to, p, err) : TSR_OK;
}

tsr_status tsr_dialect_feed_object(tsr_feed **out, const char *path, const char *usual,
                                   const tsr_read_options *options, tsr_error *err)
{
    tsr_array_parts in = {.read = read_part, .close = close_parts};
    dialect_parts *const p = tsr_calloc(1, sizeof *p);
    char *file = NULL;
    const char *object;
    tsr_text chosen = {0};
    tsr_labels *labels = NULL;
    *out = NULL;
    if (!p)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    in.ctx = p;
    tsr_status status = tsr_container_open_object(&p->c, &file, &object, path, err);
    if (status == TSR_OK)
        status = tsr_dialect_choose_object(&chosen, p->c, object, usual, err);
    if (status == TSR_OK)
        status = describe(&in, options->labels ? &labels : NULL, p, tsr_text_cstr(&chosen), err);
    tsr_text_clear(&chosen);
    tsr_free(file);
    if (status == TSR_OK)
        status = tsr_feed_of_arrays(out, &in, options, err);
    else
        close_parts(p);
    if (status == TSR_OK)
        (*out)->labels = labels;
    else
        tsr_labels_free(labels);
    return status;
}
