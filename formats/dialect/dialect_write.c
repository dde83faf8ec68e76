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

typedef struct writing {
    tsr_container *c;
    tsr_job job;
    int deflate;
} writing;

static tsr_status write_array(writing *w, const char *name, tsr_type type, const void *data, uint64_t n,
                              tsr_error *err)
{
    tsr_stored array = {.type = type, .n = n};
    snprintf(array.name, sizeof array.name, "%s", name);
    TSR_TRY(tsr_container_remove(w->c, name, err));
    return tsr_container_write_array(w->c, &array, &(tsr_supply){.data = data}, w->deflate, &w->job, err);
}

static tsr_status write_indices(writing *w, const char *name, const tsr_array *array, size_t width,
                                tsr_error *err)
{
    tsr_array copy;
    const void *data;
    TSR_TRY(tsr_indices_as(&data, &copy, array, width, err));
    const tsr_status status = write_array(w, name, width == 4 ? TSR_I32 : TSR_I64, data, array->n, err);
    tsr_array_clear(&copy);
    return status;
}

/* Write the values; if the entries share one value, repeat it. A pattern is written as bytes 1. */
static tsr_status write_values(writing *w, const char *name, const tsr_tensor *tensor, tsr_error *err)
{
    const tsr_type type = tensor->type == TSR_PATTERN ? TSR_U8 : tensor->type;
    const size_t width = tensor->values.width;
    tsr_array all = {0};
    if (tsr_type_class(type) == 'C')
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write complex values to this kind of file: convert them with --type");
    if (!tensor->iso)
        return write_array(w, name, type, tensor->values.data, tensor->npos, err);
    TSR_TRY(tsr_array_init(&all, tensor->npos, width, 0, "values", err));
    for (uint64_t i = 0; i < tensor->npos; i++)
        memcpy((char *)all.data + i * width, tensor->values.data, width);
    const tsr_status status = write_array(w, name, type, all.data, tensor->npos, err);
    tsr_array_clear(&all);
    return status;
}

tsr_status tsr_dialect_write_slices(tsr_container *c, const tsr_dialect_slice_names *names,
                                    const tsr_tensor *tensor, const tsr_write_options *options,
                                    tsr_error *err)
{
    const tsr_level *const level = &tensor->levels[1];
    writing w = {.c = c,
                 .job = {.nthreads = tsr_thread_count(options->nthreads),
                         .observer = options->observer,
                         .phase = "write",
                         .total = tsr_tensor_nbytes(tensor)},
                 .deflate = options->deflate};
    TSR_TRY(write_values(&w, names->data, tensor, err));
    TSR_TRY(write_indices(&w, names->indices, &level->crd, names->indices_width, err));
    return write_indices(&w, names->pointers, &level->pos, names->pointers_width, err);
}

tsr_status tsr_dialect_write_names(tsr_container *c, const char *name, const char *prefix, bool numbered,
                                   uint64_t n, tsr_error *err)
{
    char text[64];
    const size_t width = (size_t)(numbered ? snprintf(text, sizeof text, "%s%" PRIu64, prefix, n ? n - 1 : 0)
                                           : snprintf(text, sizeof text, "%s", prefix));
    void *texts = NULL;
    TSR_TRY(tsr_alloc_array(&texts, n, width, 1, "names", err));
    for (uint64_t i = 0; i < n; i++) {
        const int k = numbered ? snprintf(text, sizeof text, "%s%" PRIu64, prefix, i)
                               : snprintf(text, sizeof text, "%s", prefix);
        memcpy((char *)texts + i * width, text, (size_t)k);
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
