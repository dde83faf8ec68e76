/* From arrays that are read piece by piece to a feed: see array_parts.h. The arrays become a packed tensor in parts
 * (tsr_feed.h): csr or csc; entries whose order is not that of a format are a list. */
#include "array_parts.h"

#include <inttypes.h>
#include <string.h>

#include "array_import.h"
#include "tsr_checked.h"

typedef struct array_parts {
    tsr_parts base; /* first */
    tsr_array_parts in;
} array_parts;

static int values_of(const tsr_array_parts *in)
{
    return in->dense ? 0 : in->slices ? 2 : in->order;
}

/* Slices of a matrix, and the places in one: blocks where the slices have them. */
static uint64_t count_slices(const tsr_array_parts *in, int mode)
{
    return in->block[mode] ? in->dims[mode] / in->block[mode] : in->dims[mode];
}

static tsr_status load(void *out, tsr_parts *parts, const tsr_part_range *range, tsr_error *err)
{
    array_parts *const p = (array_parts *)parts;
    const tsr_array_parts *const in = &p->in;
    if (range->part == TSR_PART_VALUES && parts->tensor->iso) {
        memset(out, 1, (size_t)range->n);
        return TSR_OK;
    }
    if (range->part == TSR_PART_POS && !in->slices) { /* one list: it begins with 0 and ends with all */
        for (uint64_t i = 0; i < range->n; i++)
            ((uint64_t *)out)[i] = range->first + i ? in->arrays[0].n : 0;
        return TSR_OK;
    }
    const int k = range->part == TSR_PART_VALUES ? values_of(in)
                  : range->part == TSR_PART_POS  ? 0
                  : in->slices                   ? 1
                                                 : range->level;
    return in->read(out, in->ctx, k, range->first, range->n, err);
}

static void free_parts(tsr_parts *parts)
{
    array_parts *const p = (array_parts *)parts;
    if (parts->tensor)
        tsr_tensor_free(parts->tensor);
    p->in.close(p->in.ctx);
    tsr_free(p);
}

/* ---- the check of slices, in one pass ---- */

enum { WINDOW = 1 << 19 };

typedef struct window {
    tsr_array loaded; /* elements first, first + 1, ...; owned */
    uint64_t first;
} window;

/* Load element i of array k and those that follow. */
static tsr_status move_window(window *w, const tsr_array_parts *in, int k, uint64_t i, tsr_error *err)
{
    if (i >= w->first && i - w->first < w->loaded.n)
        return TSR_OK;
    w->first = i;
    w->loaded.n = in->arrays[k].n - i < WINDOW ? in->arrays[k].n - i : WINDOW;
    return in->read(w->loaded.data, in->ctx, k, i, w->loaded.n, err);
}

/* Element i of the pointers. */
static tsr_status get_pointer(uint64_t *out, window *w, const tsr_array_parts *in, uint64_t i, tsr_error *err)
{
    TSR_TRY(move_window(w, in, 0, i, err));
    *out = tsr_array_get(&w->loaded, i - w->first);
    return TSR_OK;
}

/* What the scan of slices finds. */
typedef struct scan {
    window pointers, indices;
    bool rises; /* the indices of each slice rise */
} scan;

/* Look at the indices of one slice: entries [q, end). */
static tsr_status scan_slice(scan *s, const tsr_array_parts *in, uint64_t q, uint64_t end, tsr_error *err)
{
    const uint64_t dim = count_slices(in, 1 - in->major);
    window *const w = &s->indices;
    uint64_t beyond, last = 0;
    for (bool begins = true; q < end; begins = false) {
        TSR_TRY(move_window(w, in, 1, q, err));
        const uint64_t first = q - w->first, left = w->loaded.n - first, n = end - q < left ? end - q : left;
        const bool rises = tsr_indices_look(&beyond, &w->loaded, first, first + n, dim);
        if (beyond < first + n)
            return tsr_fail(err, TSR_CORRUPT,
                            "array '%s' has %" PRIu64 " at %" PRIu64 ", but the dim is %" PRIu64,
                            in->arrays[1].name, tsr_array_get(&w->loaded, beyond), w->first + beyond, dim);
        s->rises = s->rises && rises && (begins || last < tsr_array_get(&w->loaded, first));
        last = tsr_array_get(&w->loaded, first + n - 1);
        q += n;
    }
    return TSR_OK;
}

static tsr_status scan_slices(scan *s, const tsr_array_parts *in, tsr_error *err)
{
    const tsr_part_array *const pointers = &in->arrays[0], *const indices = &in->arrays[1];
    uint64_t begin, end;
    TSR_TRY(get_pointer(&begin, &s->pointers, in, 0, err));
    if (begin != 0)
        return tsr_fail(err, TSR_CORRUPT, "array '%s' begins with %" PRIu64 " instead of 0", pointers->name,
                        begin);
    for (uint64_t i = 1; i < pointers->n; i++, begin = end) {
        TSR_TRY(get_pointer(&end, &s->pointers, in, i, err));
        if (end < begin || end > indices->n)
            return tsr_fail(err, TSR_CORRUPT,
                            "array '%s' goes from %" PRIu64 " to %" PRIu64 " at %" PRIu64
                            ", and there are %" PRIu64 " entries",
                            pointers->name, begin, end, i, indices->n);
        TSR_TRY(scan_slice(s, in, begin, end, err));
    }
    return begin == indices->n
               ? TSR_OK
               : tsr_fail(err, TSR_CORRUPT,
                          "array '%s' ends with %" PRIu64 ", but there are %" PRIu64 " entries",
                          pointers->name, begin, indices->n);
}

/* Room for a window of array k. */
static tsr_status window_init(window *w, const tsr_part_array *array, tsr_error *err)
{
    TSR_TRY(tsr_array_init(&w->loaded, array->n < WINDOW ? array->n : WINDOW, tsr_type_nbytes(array->type), 0,
                           "a part of an array", err));
    w->loaded.n = 0;
    return TSR_OK;
}

static tsr_status look_at_slices(bool *rises, const tsr_array_parts *in, tsr_error *err)
{
    scan s = {.rises = true};
    tsr_status status = window_init(&s.pointers, &in->arrays[0], err);
    if (status == TSR_OK)
        status = window_init(&s.indices, &in->arrays[1], err);
    if (status == TSR_OK)
        status = scan_slices(&s, in, err);
    tsr_array_clear(&s.pointers.loaded);
    tsr_array_clear(&s.indices.loaded);
    *rises = s.rises;
    return status;
}

/* Whether all truth values are 1. */
static tsr_status look_at_truth(bool *ones, const tsr_array_parts *in, tsr_error *err)
{
    const int k = values_of(in);
    window w = {.first = 0};
    tsr_status status = window_init(&w, &in->arrays[k], err);
    *ones = true;
    for (uint64_t i = 0; status == TSR_OK && i < in->arrays[k].n; i += w.loaded.n) {
        status = move_window(&w, in, k, i, err);
        const unsigned char *const byte = w.loaded.data;
        for (uint64_t q = 0; status == TSR_OK && q < w.loaded.n; q++) {
            *ones = *ones && byte[q] == 1;
            if (byte[q] > 1)
                status = tsr_fail(err, TSR_CORRUPT, "array '%s' has %u", in->arrays[k].name, byte[q]);
        }
    }
    tsr_array_clear(&w.loaded);
    return status;
}

/* ---- the tensor without its arrays ---- */

/* Whether negative numbers of the array, taken as unsigned, are never less than `limit`. */
static bool is_index(const tsr_part_array *array, uint64_t limit)
{
    const char class = tsr_type_class(array->type);
    return class == 'U' || (class == 'I' && limit <= (uint64_t)1 << (8 * tsr_type_nbytes(array->type) - 1));
}

tsr_status tsr_arrays_only_whole(tsr_error *err)
{
    return tsr_fail(err, TSR_UNSUPPORTED, "arrays of this kind are read only as a whole");
}

static tsr_status expect(const tsr_part_array *array, uint64_t n, tsr_error *err)
{
    return array->n == n ? TSR_OK
                         : tsr_fail(err, TSR_CORRUPT,
                                    "array '%s' has %" PRIu64 " values where %" PRIu64 " are expected",
                                    array->name, array->n, n);
}

/* Whether the integers of the index arrays can be used as they are, and blocks tile the matrix. */
static bool has_plain_indices(const tsr_array_parts *in)
{
    bool ok = true;
    if (in->block[0])
        ok = in->block[1] && in->dims[0] % in->block[0] == 0 && in->dims[1] % in->block[1] == 0;
    if (in->slices)
        ok = ok && is_index(&in->arrays[0], in->arrays[1].n + 1) &&
             is_index(&in->arrays[1], in->dims[1 - in->major]);
    for (int m = 0; m < in->order && !in->slices && !in->dense; m++)
        ok = ok && is_index(&in->arrays[m], in->dims[m]);
    return ok;
}

static tsr_status check(const tsr_array_parts *in, const tsr_read_options *options, tsr_error *err)
{
    uint64_t n = in->dense ? 1 : in->arrays[in->slices ? 1 : 0].n;
    bool ok = in->order > 0 && !options->has_type && !options->repair;
    TSR_TRY(tsr_arrays_check_shape(options, in->order, in->dims, err));
    for (int m = 0; m < in->order; m++)
        ok = ok && in->dims[m] <= INT64_MAX && (!in->dense || tsr_mul_u64(&n, n, in->dims[m]));
    if (!ok || !has_plain_indices(in))
        return tsr_arrays_only_whole(err);
    if (in->slices)
        TSR_TRY(expect(&in->arrays[0], count_slices(in, in->major) + 1, err));
    for (int m = 1; m < in->order && !in->slices && !in->dense; m++)
        TSR_TRY(expect(&in->arrays[m], n, err));
    if (in->block[0] && !(tsr_mul_u64(&n, n, in->block[0]) && tsr_mul_u64(&n, n, in->block[1])))
        n = UINT64_MAX;
    return expect(&in->arrays[values_of(in)], n, err);
}

static tsr_array without_data(const tsr_part_array *array)
{
    return (tsr_array){.n = array->n, .width = tsr_type_nbytes(array->type)};
}

/* Give the level these positions and arrays instead of those that a new tensor has. */
static void set_level(tsr_level *level, uint64_t nparents, uint64_t npos, tsr_array pos, tsr_array crd)
{
    tsr_array_clear(&level->pos);
    tsr_array_clear(&level->crd);
    level->nparents = nparents;
    level->npos = npos;
    level->pos = pos;
    level->crd = crd;
}

static void set_dense(tsr_tensor *t, int l, uint64_t nparents)
{
    t->levels[l].nparents = nparents;
    t->levels[l].npos = t->npos = nparents * t->levels[l].pitch;
}

static void set_levels(tsr_tensor *t, const tsr_array_parts *in)
{
    const uint64_t nnz = in->arrays[in->slices ? 1 : values_of(in)].n;
    t->npos = 1;
    for (int l = 0; l < t->nlevels; l++) {
        const uint64_t nparents = t->npos;
        if (in->dense || (in->slices && l != 1)) {
            set_dense(t, l, nparents);
            continue;
        }
        t->npos = nnz;
        if (in->slices)
            set_level(&t->levels[l], nparents, nnz, without_data(&in->arrays[0]),
                      without_data(&in->arrays[1]));
        else
            set_level(&t->levels[l], nparents, nnz, (tsr_array){.n = l ? 0 : 2, .width = l ? 0 : 8},
                      without_data(&in->arrays[l]));
    }
    tsr_array_clear(&t->values);
    t->values = without_data(&in->arrays[values_of(in)]);
    if (t->iso)
        t->values.n = 1;
}

/* The storage format whose arrays these are: as reading the whole has it. */
static tsr_status name_format(tsr_format **out, const tsr_array_parts *in, tsr_error *err)
{
    int modes[TSR_MAX_ORDER];
    tsr_text text = {0};
    for (int m = 0; m < in->order; m++)
        modes[m] = in->fortran ? in->order - 1 - m : m;
    if (in->dense)
        return tsr_format_dense(out, in->order, modes, err);
    if (!in->slices)
        return tsr_format_coordinates(out, in->order, true, err);
    if (!in->block[0])
        return tsr_format_nested(out, 2, 1, (const int[]){in->major, 1 - in->major}, err);
    tsr_text_addf(&text, "bcsr(%" PRIu64 ",%" PRIu64 ")", in->block[0], in->block[1]);
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK)
        status = tsr_format_parse(out, text.s, 2, in->dims, err);
    tsr_text_clear(&text);
    return status;
}

static tsr_status start(array_parts *p, const tsr_read_options *options, tsr_error *err)
{
    const tsr_array_parts *const in = &p->in;
    tsr_format *format = NULL;
    bool rises = in->dense, ones = false;
    TSR_TRY(check(in, options, err));
    if (in->slices)
        TSR_TRY(look_at_slices(&rises, in, err));
    if (in->block[0] && !rises) /* the blocks become entries, in the order of the file */
        return tsr_arrays_only_whole(err);
    if (in->truth)
        TSR_TRY(look_at_truth(&ones, in, err));
    const bool pattern = ones && !in->dense && !in->block[0];
    TSR_TRY(name_format(&format, in, err));
    const tsr_status status = tsr_tensor_new(&p->base.tensor, format, in->dims,
                                             pattern ? TSR_PATTERN : in->arrays[values_of(in)].type, err);
    tsr_format_free(format);
    TSR_TRY(status);
    p->base.tensor->iso = pattern;
    p->base.unsorted = !rises;
    p->base.checked = in->slices || in->dense;
    set_levels(p->base.tensor, in);
    p->base.nstored = p->base.tensor->npos;
    return TSR_OK;
}

tsr_status tsr_feed_of_arrays(tsr_feed **out, const tsr_array_parts *in, const tsr_read_options *options,
                              tsr_error *err)
{
    array_parts *const p = tsr_calloc(1, sizeof *p);
    *out = NULL;
    if (!p) {
        in->close(in->ctx);
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    }
    p->in = *in;
    p->base.load = load;
    p->base.any_thread = true;
    p->base.free = free_parts;
    tsr_status status = start(p, options, err);
    if (status == TSR_OK)
        return tsr_feed_of_parts(out, &p->base, err);
    if (status == TSR_CORRUPT) /* reading the whole says what is wrong, and whether --repair helps */
        status = tsr_fail(err, TSR_UNSUPPORTED, "damaged arrays are read only as a whole");
    free_parts(&p->base);
    return status;
}
