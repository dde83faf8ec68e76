/* Writing matrices into HDF5 files of other software: see dialect.h. */
#include "dialect.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_parallel.h"

bool tsr_dialect_takes_slices(int *major, const tsr_tensor *tensor)
{
    int perm[TSR_MAX_LEVELS], ndense;
    const tsr_format *const f = tensor->format;
    if (tensor->order != 2 || tensor->structure != TSR_GENERAL || tensor->has_fill ||
        !tsr_format_is_permutation(f, perm) || tsr_format_has_pitch(f) || !tsr_format_is_nested(f, &ndense) ||
        ndense != 1)
        return false;
    *major = perm[0];
    return true;
}

tsr_status tsr_dialect_write_object(const char *path, const tsr_held *held, const tsr_write_options *options,
                                    tsr_status (*write)(tsr_container *to, const char *object,
                                                        const void *ctx, tsr_error *err),
                                    uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options none;
    const tsr_dialect_writing w = {*held, options ? options : &none};
    return tsr_container_write(path, &(tsr_filling){.write = write, .ctx = &w}, w.options, nbytes, err);
}

/* An array of the tensor, loaded in the type of the file. */
typedef struct loading {
    const tsr_held *held;
    tsr_part part;
    size_t width;     /* of an index */
    const void *from; /* the array in memory, in the type of the file; NULL: it is loaded */
    uint64_t n;       /* elements */
} loading;

static tsr_status load(void *out, void *ctx, uint64_t first, uint64_t n, tsr_error *err)
{
    const loading *const l = ctx;
    const tsr_part_range range = {.part = l->part, .level = 1, .first = first, .n = n};
    return l->part == TSR_PART_VALUES ? tsr_held_values(out, l->held, first, n, err)
                                      : tsr_held_indices(out, l->held, &range, l->width, err);
}

typedef struct writing {
    tsr_container *c;
    const tsr_held *held;
    tsr_job job;
    const tsr_write_options *options;
} writing;

static tsr_status write_array(writing *w, const char *name, tsr_type type, loading *how, tsr_error *err)
{
    const uint64_t nslices = w->held->tensor->levels[0].npos;
    tsr_stored array = {
        .type = type, .n = how->n, .chunk_n = tsr_container_chunk(w->options, how->n, nslices)};
    const tsr_supply supply = {.data = how->from,
                               .ctx = how,
                               .load = load,
                               .any_thread = !w->held->parts || w->held->parts->any_thread};
    snprintf(array.name, sizeof array.name, "%s", name);
    TSR_TRY(tsr_container_remove(w->c, name, err));
    return tsr_container_write_array(w->c, &array, &supply, w->options->deflate, &w->job, err);
}

static tsr_status write_indices(writing *w, const char *name, tsr_part part, size_t width, tsr_error *err)
{
    const tsr_level *const level = &w->held->tensor->levels[1];
    const tsr_array *const array = part == TSR_PART_POS ? &level->pos : &level->crd;
    const void *const from = !w->held->parts && array->width == width ? array->data : NULL;
    return write_array(w, name, width == 4 ? TSR_I32 : TSR_I64,
                       &(loading){w->held, part, width, from, array->n}, err);
}

/* Write the values; if the entries share one value, repeat it. A pattern is written as bytes 1. */
static tsr_status write_values(writing *w, const char *name, tsr_error *err)
{
    const tsr_tensor *const tensor = w->held->tensor;
    const tsr_type type = tensor->type == TSR_PATTERN ? TSR_U8 : tensor->type;
    if (tsr_type_class(type) == 'C')
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write complex values to this kind of file: convert them with --type");
    const void *const from = !w->held->parts && !tensor->iso ? tensor->values.data : NULL;
    return write_array(w, name, type, &(loading){w->held, TSR_PART_VALUES, 0, from, tensor->npos}, err);
}

tsr_status tsr_dialect_write_slices(tsr_container *c, const tsr_dialect_slice_names *names,
                                    const tsr_held *held, const tsr_write_options *options, tsr_error *err)
{
    writing w = {.c = c,
                 .held = held,
                 .job = {.nthreads = tsr_thread_count(options->nthreads),
                         .observer = options->observer,
                         .phase = "write",
                         .total = tsr_tensor_nbytes(held->tensor)},
                 .options = options};
    TSR_TRY(write_values(&w, names->data, err));
    TSR_TRY(write_indices(&w, names->indices, TSR_PART_CRD, names->indices_width, err));
    return write_indices(&w, names->pointers, TSR_PART_POS, names->pointers_width, err);
}

/* Add one to a decimal number of `n` digits at `digits`; returns the number of digits, one more after 9, 99... */
static size_t count_up(char *digits, size_t n)
{
    size_t i = n;
    while (i > 0 && digits[i - 1] == '9')
        digits[--i] = '0';
    if (i > 0) {
        digits[i - 1]++;
        return n;
    }
    memmove(digits + 1, digits, n);
    digits[0] = '1';
    return n + 1;
}

tsr_status tsr_dialect_write_names(tsr_container *c, const char *name, const char *prefix, bool numbered,
                                   uint64_t n, tsr_error *err)
{
    char text[64], last[64];
    const size_t nprefix = strlen(prefix);
    const size_t width = (size_t)(numbered ? snprintf(last, sizeof last, "%s%" PRIu64, prefix, n ? n - 1 : 0)
                                           : snprintf(last, sizeof last, "%s", prefix));
    size_t ndigits = numbered ? 1 : 0;
    void *texts = NULL;
    snprintf(text, sizeof text, "%s0", prefix);
    TSR_TRY(tsr_alloc_array(&texts, n, width, 1, "names", err));
    for (uint64_t i = 0; i < n; i++) {
        memcpy((char *)texts + i * width, text, nprefix + ndigits);
        ndigits = numbered && i + 1 < n ? count_up(text + nprefix, ndigits) : ndigits;
    }
    const tsr_status status = tsr_container_write_texts(c, name, texts, width, n, err);
    tsr_free(texts);
    return status;
}

tsr_status tsr_dialect_write_labels(tsr_container *c, const char *name, const tsr_names *names,
                                    tsr_error *err)
{
    const size_t longest = tsr_names_longest(names), width = longest ? longest : 1;
    void *texts = NULL;
    TSR_TRY(tsr_alloc_array(&texts, names->n, width, 1, "names", err));
    for (uint64_t i = 0; i < names->n; i++) {
        const char *const text = tsr_names_get(names, i);
        memcpy((char *)texts + i * width, text, strlen(text));
    }
    const tsr_status status = tsr_container_write_texts(c, name, texts, width, names->n, err);
    tsr_free(texts);
    return status;
}
