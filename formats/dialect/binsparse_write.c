/* Writing Binsparse. See binsparse.md. */
#include "binsparse_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_parallel.h"

/* ---- duplicates ---- */

/* Whether positions q - 1 and q of levels [first, last] hold the same tuple. */
static bool same_tuple(const tsr_tensor *tensor, int first, int last, uint64_t q)
{
    for (int l = first; l <= last; l++)
        if (tsr_array_get(&tensor->levels[l].crd, q - 1) != tsr_array_get(&tensor->levels[l].crd, q))
            return false;
    return true;
}

static tsr_status fail_duplicate(uint64_t q, int level, tsr_error *err)
{
    return tsr_fail(err, TSR_DUPLICATE,
                    "entries %" PRIu64 " and %" PRIu64 " of level %d have the same coordinates, and "
                    "Binsparse does not allow duplicates: sum or drop them first",
                    q - 1, q, level);
}

/* TSR_DUPLICATE where levels [first, last], all nonunique, store a tuple of coordinates twice under one
 * parent: Binsparse stores each tuple once. */
static tsr_status check_group(const tsr_tensor *tensor, int first, int last, tsr_error *err)
{
    const tsr_level *top = &tensor->levels[first];
    for (int l = first; l <= last; l++)
        if (!tensor->levels[l].nonunique)
            return TSR_OK;
    for (uint64_t p = 0; p < top->nparents; p++) {
        const uint64_t end = tsr_array_get(&top->pos, p + 1);
        for (uint64_t q = tsr_array_get(&top->pos, p) + 1; q < end; q++)
            if (same_tuple(tensor, first, last, q))
                return fail_duplicate(q, first, err);
    }
    return TSR_OK;
}

/* ---- the descriptor ---- */

/* The type of index arrays. Widths of 4 and 8 bytes are signed, as most readers expect, unless `max`, the
 * largest possible element, does not fit. */
static tsr_type index_type(size_t width, uint64_t max)
{
    switch (width) {
    case 1:
        return TSR_U8;
    case 2:
        return TSR_U16;
    case 4:
        return max <= INT32_MAX ? TSR_I32 : TSR_U32;
    default:
        return max <= INT64_MAX ? TSR_I64 : TSR_U64;
    }
}

static tsr_bsp_type index_word(const tsr_array *array, uint64_t max)
{
    return (tsr_bsp_type){.present = true, .type = index_type(array->width, max)};
}

static tsr_bsp_type value_word(tsr_type type, bool iso)
{
    const bool complex = tsr_type_class(type) == 'C', bint8 = type == TSR_PATTERN;
    return (tsr_bsp_type){.present = true,
                          .type = bint8              ? TSR_U8
                                  : type == TSR_C64  ? TSR_F32
                                  : type == TSR_C128 ? TSR_F64
                                                     : type,
                          .bint8 = bint8,
                          .complex = complex,
                          .iso = iso};
}

/* The values as a dense vector: the descriptor of a tensor whose levels Binsparse cannot express. Attribute
 * `tessera` describes the levels. */
static tsr_status describe_values(tsr_bsp_descriptor *d, const tsr_tensor *tensor, tsr_error *err)
{
    if (tensor->npos > INT64_MAX)
        return tsr_fail(err, TSR_LIMIT, "%" PRIu64 " values are more than Binsparse supports (2^63-1)",
                        tensor->npos);
    *d = (tsr_bsp_descriptor){.order = 1,
                              .shape = {tensor->npos},
                              .kind = {TSR_BSP_DENSE},
                              .nstored = tensor->npos,
                              .values = value_word(tensor->type, tensor->iso),
                              .has_fill = tensor->has_fill};
    if (d->has_fill)
        d->fill = value_word(tensor->type, false);
    return TSR_OK;
}

/* The descriptor of the tensor, or of the tensor of its storage coordinates. *plain: the descriptor alone
 * determines the format, so that the attribute `tessera` is not needed. */
static tsr_status describe(tsr_bsp_descriptor *d, bool *plain, const tsr_tensor *tensor,
                           const tsr_parts *parts, tsr_error *err)
{
    const tsr_format *format = tensor->format;
    int perm[TSR_MAX_LEVELS];
    *plain = false;
    if (tsr_bsp_is_foreign(format))
        return describe_values(d, tensor, err);
    *d = (tsr_bsp_descriptor){.order = tensor->nlevels, .nstored = tensor->npos};
    if (!tsr_bsp_kinds(d->kind, format))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "Binsparse supports only dense and compressed levels, and singleton levels below "
                        "compressed levels");
    if (tensor->npos > INT64_MAX)
        return tsr_fail(err, TSR_LIMIT, "%" PRIu64 " values are more than Binsparse supports (2^63-1)",
                        tensor->npos);
    const bool keeps_modes = tsr_format_is_permutation(format, perm) && !tsr_format_has_pitch(format);
    *plain = keeps_modes;
    for (int k = 0; k < d->order; k++) {
        const tsr_level *level = &tensor->levels[k];
        const bool goes_on = k + 1 < d->order && d->kind[k + 1] == TSR_BSP_TUPLE;
        d->transpose[k] = keeps_modes ? perm[k] : k;
        d->shape[d->transpose[k]] = level->pitch;
        if (d->kind[k] == TSR_BSP_SPARSE && k > 0)
            d->pointers[k] = index_word(&level->pos, level->npos);
        if (d->kind[k] != TSR_BSP_DENSE)
            d->indices[k] = index_word(&level->crd, level->size ? level->size - 1 : 0);
        *plain = *plain && (d->kind[k] == TSR_BSP_DENSE || format->levels[k].nonunique == goes_on);
    }
    d->values = value_word(tensor->type, tensor->iso);
    d->has_fill = tensor->has_fill;
    if (d->has_fill)
        d->fill = value_word(tensor->type, false);
    if (keeps_modes)
        d->structure = tensor->structure;
    if (d->structure != TSR_GENERAL && tsr_format_has_dense_leaf(format))
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "one triangle of a matrix cannot be stored where the last level is dense, since Binsparse "
            "does not allow values in the other triangle");
    for (int k = 0; k < d->order; k++) {
        int last = k;
        while (last + 1 < d->order && d->kind[last + 1] == TSR_BSP_TUPLE)
            last++;
        if (d->kind[k] == TSR_BSP_SPARSE && !parts)
            TSR_TRY(check_group(tensor, k, last, err));
        if (d->kind[k] == TSR_BSP_SPARSE && parts && parts->duplicate > 0 && last + 1 == d->order)
            return fail_duplicate(parts->duplicate, k, err);
    }
    return TSR_OK;
}

/* ---- the attributes ---- */

static tsr_status write_descriptor(tsr_container *c, const tsr_bsp_descriptor *d, tsr_error *err)
{
    tsr_text text = {0};
    tsr_status status = tsr_bsp_print(&text, d, err);
    if (status == TSR_OK)
        status = tsr_container_write_text(c, NULL, "binsparse", tsr_text_cstr(&text), err);
    tsr_text_clear(&text);
    return status;
}

static void add_levels(tsr_bsp_origin *origin, const tsr_tensor *tensor)
{
    origin->structure = tensor->structure;
    origin->nlevels = tensor->nlevels;
    for (int l = 0; l < tensor->nlevels; l++) {
        const tsr_level *level = &tensor->levels[l];
        origin->npos[l] = level->npos;
        for (int k = 0; k < TSR_LEVEL_MAX_NUMBERS && level->type->numbers[k].name; k++)
            origin->numbers[l][k] = level->type->numbers[k].get(level);
    }
}

/* Write the attribute `tessera`, or remove it where the descriptor alone determines the format. */
static tsr_status write_origin(tsr_container *c, const tsr_tensor *tensor, bool plain, tsr_error *err)
{
    if (plain)
        return tsr_container_write_text(c, NULL, "tessera", NULL, err);
    tsr_text format = {0}, text = {0};
    tsr_bsp_origin origin = {.order = tensor->order};
    tsr_format_print_long(&format, tensor->format);
    tsr_status status = tsr_text_status(&format, err);
    origin.format = format.s;
    memcpy(origin.shape, tensor->dims, sizeof origin.shape);
    if (!tsr_format_is_permutation(tensor->format, NULL) || tsr_format_has_pitch(tensor->format))
        origin.structure = tensor->structure;
    if (tsr_bsp_is_foreign(tensor->format))
        add_levels(&origin, tensor);
    if (status == TSR_OK)
        status = tsr_bsp_print_origin(&text, &origin, err);
    if (status == TSR_OK)
        status = tsr_container_write_text(c, NULL, "tessera", tsr_text_cstr(&text), err);
    tsr_text_clear(&text);
    tsr_text_clear(&format);
    return status;
}

/* ---- the arrays ---- */

typedef struct writing {
    tsr_container *c;
    int deflate;
    const tsr_write_options *options;
    uint64_t nslices; /* positions of the first level */
    tsr_job job;
    tsr_parts *parts; /* NULL: the arrays are in memory */
} writing;

/* An array of a tensor in parts. */
typedef struct part_supply {
    tsr_parts *parts;
    tsr_part part;
    int level;
    unsigned per_value; /* 2: complex values, which the file stores as two numbers */
} part_supply;

static tsr_status load_part(void *out, void *ctx, uint64_t first, uint64_t n, tsr_error *err)
{
    const part_supply *const f = ctx;
    const tsr_part_range range = {f->part, f->level, first / f->per_value, n / f->per_value};
    return f->parts->load(out, f->parts, &range, err);
}

static tsr_status place_part(void *ctx, uint64_t offset, tsr_error *err)
{
    const part_supply *const f = ctx;
    return f->parts->place(f->parts, f->part, f->level, offset, err);
}

/* Write a dataset of n values. */
static tsr_status write_array(writing *w, const char *name, const tsr_bsp_type *type,
                              const tsr_supply *supply, uint64_t n, tsr_error *err)
{
    tsr_stored array = {.type = type->type, .n = type->complex ? 2 * n : n};
    array.chunk_n = tsr_container_chunk(w->options, array.n, w->nslices);
    snprintf(array.name, sizeof array.name, "%s", name);
    TSR_TRY(tsr_container_remove(w->c, array.name, err));
    return tsr_container_write_array(w->c, &array, supply, w->deflate, &w->job, err);
}

/* Write an array of level k (-1: the values). */
static tsr_status write_part(writing *w, tsr_part part, int k, const tsr_bsp_type *type,
                             const tsr_array *array, tsr_error *err)
{
    char name[TSR_BSP_MAX_NAME + 1] = "values";
    part_supply ctx = {
        .parts = w->parts, .part = part, .level = k < 0 ? 0 : k, .per_value = type->complex ? 2 : 1};
    const bool places = w->parts && w->parts->place && !(part == TSR_PART_VALUES && w->parts->tensor->iso);
    const tsr_supply supply = {.data = array->data,
                               .ctx = &ctx,
                               .load = load_part,
                               .any_thread = w->parts && w->parts->any_thread,
                               .place = places ? place_part : NULL};
    if (k >= 0)
        snprintf(name, sizeof name, "%s%d", part == TSR_PART_POS ? "pointers_to_" : "indices_", k);
    return write_array(w, name, type, &supply, array->n, err);
}

/* Write the arrays of a tensor whose levels Binsparse cannot express: datasets level_1_crd... Padding, all bits
 * set, is -1 where the type is signed. */
static tsr_status write_levels(writing *w, const tsr_tensor *tensor, tsr_error *err)
{
    for (int l = 0; l < tensor->nlevels; l++) {
        const tsr_level *level = &tensor->levels[l];
        for (int k = 0; k < TSR_LEVEL_NROLES && level->type->arrays[k].name; k++) {
            const tsr_level_array *row = &level->type->arrays[k];
            const tsr_array *array = tsr_level_array_at(level, row->role);
            const tsr_type type =
                index_type(array->width, tsr_level_array_max(row, level->size, level->npos));
            tsr_stored to = {.type = type, .n = array->n};
            tsr_bsp_array_name(to.name, l, row);
            const tsr_supply supply = {.data = array->data};
            TSR_TRY(tsr_container_write_array(w->c, &to, &supply, w->deflate, &w->job, err));
        }
    }
    return TSR_OK;
}

static tsr_status write_arrays(writing *w, const tsr_bsp_descriptor *d, const tsr_tensor *tensor,
                               tsr_error *err)
{
    if (tsr_bsp_is_foreign(tensor->format))
        TSR_TRY(write_levels(w, tensor, err));
    for (int k = 0; k < d->order && k < tensor->nlevels; k++) {
        const tsr_level *level = &tensor->levels[k];
        if (d->pointers[k].present)
            TSR_TRY(write_part(w, TSR_PART_POS, k, &d->pointers[k], &level->pos, err));
        if (d->indices[k].present)
            TSR_TRY(write_part(w, TSR_PART_CRD, k, &d->indices[k], &level->crd, err));
    }
    TSR_TRY(write_part(w, TSR_PART_VALUES, -1, &d->values, &tensor->values, err));
    const tsr_supply fill = {.data = tensor->fill};
    return d->has_fill ? write_array(w, "fill_value", &d->fill, &fill, 1, err) : TSR_OK;
}

/* Remove the arrays of a tensor that was in this group before. */
static tsr_status remove_arrays(tsr_container *c, tsr_error *err)
{
    char name[TSR_BSP_MAX_NAME + 1];
    for (int k = 0; k < TSR_MAX_LEVELS; k++) {
        snprintf(name, sizeof name, "pointers_to_%d", k);
        TSR_TRY(tsr_container_remove(c, name, err));
        snprintf(name, sizeof name, "indices_%d", k);
        TSR_TRY(tsr_container_remove(c, name, err));
    }
    for (int k = 0; k < TSR_MAX_LEVELS; k++)
        for (const tsr_level_type *const *type = tsr_level_types; *type; type++)
            for (int i = 0; i < TSR_LEVEL_NROLES && (*type)->arrays[i].name; i++) {
                tsr_bsp_array_name(name, k, &(*type)->arrays[i]);
                TSR_TRY(tsr_container_remove(c, name, err));
            }
    TSR_TRY(tsr_container_remove(c, "values", err));
    return tsr_container_remove(c, "fill_value", err);
}

/* The bytes of all arrays, in memory or not. */
static uint64_t count_bytes(const tsr_tensor *tensor)
{
    uint64_t nbytes = tensor->values.n * tensor->values.width;
    for (int l = 0; l < tensor->nlevels; l++)
        nbytes += tensor->levels[l].pos.n * tensor->levels[l].pos.width +
                  tensor->levels[l].crd.n * tensor->levels[l].crd.width;
    return nbytes;
}

tsr_status tsr_bsp_write(tsr_container *c, const tsr_tensor *tensor, tsr_parts *parts,
                         const tsr_write_options *options, tsr_error *err)
{
    static const tsr_write_options none;
    const tsr_write_options *o = options ? options : &none;
    writing w = {.c = c, .deflate = o->deflate, .options = o, .parts = parts};
    w.nslices = tensor->nlevels > 0 ? tensor->levels[0].npos : 0;
    w.job = (tsr_job){.nthreads = tsr_thread_count(o->nthreads),
                      .observer = o->observer,
                      .phase = "write",
                      .total = count_bytes(tensor)};
    tsr_bsp_descriptor d;
    bool plain = false;
    if (w.deflate < 0 || w.deflate > 9)
        return tsr_fail(err, TSR_ARGUMENT, "the deflate level must be 0 to 9, not %d", w.deflate);
    TSR_TRY(describe(&d, &plain, tensor, parts, err));
    TSR_TRY(remove_arrays(c, err));
    TSR_TRY(write_descriptor(c, &d, err));
    TSR_TRY(write_origin(c, tensor, plain, err));
    return write_arrays(&w, &d, tensor, err);
}
