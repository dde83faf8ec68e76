/* Reading Binsparse. The lengths and types of all arrays are checked before memory is allocated, and the
 * caller gets the tensor only after the deep check (tsr_tensor_check). See binsparse.md. */
#include "binsparse_reading.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_checked.h"
#include "tsr_memory.h"
#include "tsr_parallel.h"

typedef tsr_bsp_reading reading;
typedef tsr_bsp_values values;

/* ---- lengths and types of arrays ---- */

/* List array `name` of level k (-1: not of a level) in the brief. */
static tsr_status glance_at(tsr_stored *out, reading *r, const char *name, int k, tsr_error *err)
{
    tsr_brief_array array = {.level = k};
    TSR_TRY(tsr_container_glance(out, array.storage, r->c, name, false, err));
    snprintf(array.name, sizeof array.name, "%s", name);
    array.role = k < 0 ? name[0] == 'v' ? "values" : "fill" : name[0] == 'p' ? "pos" : "crd";
    array.type = out->type;
    array.n = out->n;
    return tsr_brief_add_array(r->brief, &array, err);
}

/* Find the array and check its type against data_types. */
static tsr_status look_at(tsr_stored *out, reading *r, const char *name, int k, const tsr_bsp_type *type,
                          tsr_error *err)
{
    char full[TSR_BSP_MAX_NAME + 1];
    if (k >= 0)
        snprintf(full, sizeof full, "%s%d", name, k);
    else
        snprintf(full, sizeof full, "%s", name);
    if (r->brief)
        TSR_TRY(glance_at(out, r, full, k, err));
    else
        TSR_TRY(tsr_container_look(out, r->c, full, false, err));
    const bool any_int8 = type->bint8 && (out->type == TSR_I8 || out->type == TSR_U8);
    if (type->present && out->type != type->type && !any_int8)
        return tsr_fail(err, TSR_CORRUPT, "dataset '%s' holds %s values, but data_types says %s", full,
                        tsr_type_name(out->type), tsr_type_name(type->type));
    r->job.total += out->n * tsr_type_nbytes(out->type);
    return TSR_OK;
}

static tsr_status length_fail(const tsr_stored *array, uint64_t expected, tsr_error *err)
{
    return tsr_fail(err, TSR_CORRUPT, "dataset '%s' has %" PRIu64 " values, but %" PRIu64 " are expected",
                    array->name, array->n, expected);
}

/* Check the arrays of storage dimension k and set npos[k + 1]. */
static tsr_status look_at_level(reading *r, int k, tsr_error *err)
{
    const tsr_bsp_descriptor *d = &r->d;
    uint64_t expected = r->npos[k];
    if (d->kind[k] == TSR_BSP_DENSE) {
        if (!tsr_mul_u64(&r->npos[k + 1], r->npos[k], tsr_bsp_level_size(d, k)))
            return tsr_fail(err, TSR_LIMIT, "the dense levels down to level %d have more than 2^64 positions",
                            k);
        return TSR_OK;
    }
    TSR_TRY(look_at(&r->indices[k], r, "indices_", k, &d->indices[k], err));
    r->npos[k + 1] = r->indices[k].n;
    if (d->kind[k] == TSR_BSP_TUPLE)
        return r->indices[k].n == expected ? TSR_OK : length_fail(&r->indices[k], expected, err);
    if (k == 0)
        return TSR_OK;
    TSR_TRY(look_at(&r->pointers[k], r, "pointers_to_", k, &d->pointers[k], err));
    if (!tsr_add_u64(&expected, expected, 1) || r->pointers[k].n != expected)
        return length_fail(&r->pointers[k], expected, err);
    return TSR_OK;
}

/* TSR_LIMIT where the arrays to read do not fit into memory: index arrays and values (a single value where
 * the tensor is iso). */
static tsr_status check_memory(const reading *r, tsr_error *err)
{
    const tsr_bsp_descriptor *d = &r->d;
    const uint64_t nvalues = d->values.iso ? 1 : r->npos[d->order];
    double nbytes = (double)nvalues * (double)tsr_type_nbytes(r->values.type) * (d->values.complex ? 2 : 1);
    for (int k = 0; k < d->order; k++) {
        if (d->kind[k] == TSR_BSP_SPARSE && k > 0)
            nbytes += (double)r->pointers[k].n * (double)tsr_type_nbytes(r->pointers[k].type);
        if (d->kind[k] != TSR_BSP_DENSE)
            nbytes += (double)r->indices[k].n * (double)tsr_type_nbytes(r->indices[k].type);
    }
    return tsr_memory_check(nbytes, "the tensor", err);
}

static tsr_status look_at_arrays(reading *r, tsr_error *err)
{
    const tsr_bsp_descriptor *d = &r->d;
    r->npos[0] = 1;
    for (int k = 0; k < d->order; k++)
        TSR_TRY(look_at_level(r, k, err));
    const uint64_t npos = r->npos[d->order];
    if (d->nstored != npos)
        return tsr_fail(err, TSR_CORRUPT,
                        "number_of_stored_values is %" PRIu64 ", but the levels have %" PRIu64 " positions",
                        d->nstored, npos);
    TSR_TRY(look_at(&r->values, r, "values", -1, &d->values, err));
    const uint64_t per_value = d->values.complex ? 2 : 1;
    uint64_t expected = d->values.iso ? 1 : npos;
    const bool nothing = d->values.iso && npos == 0 &&
                         r->values.n == 0; /* some writers store no value where there are no entries */
    if (!tsr_mul_u64(&expected, expected, per_value) || (r->values.n != expected && !nothing))
        return length_fail(&r->values, expected, err);
    if (d->has_fill) {
        TSR_TRY(look_at(&r->fill, r, "fill_value", -1, &d->fill, err));
        if (r->fill.n != per_value)
            return length_fail(&r->fill, per_value, err);
    }
    return TSR_OK;
}

/* pos of a sparse root level, which the file does not store: {0, n}. */
static tsr_status root_pointers(tsr_array *out, uint64_t n, tsr_error *err)
{
    TSR_TRY(tsr_array_init(out, 2, n <= INT32_MAX ? 4 : 8, 1, "pointers", err));
    tsr_array_set(out, 1, n);
    return TSR_OK;
}

/* ---- values ---- */

static bool all_bytes_are(const tsr_array *array, uint8_t byte)
{
    const uint8_t *v = array->data;
    return array->n == 0 || (v[0] == byte && memcmp(v, v + 1, (size_t)array->n - 1) == 0);
}

/* bint8 becomes a pattern where no value is lost: a full level's 1 means stored, others are all 1. */
static tsr_status settle_bint8(values *v, bool full_leaf, tsr_error *err)
{
    const uint8_t *byte = v->array.data;
    for (uint64_t i = 0; i < v->array.n; i++)
        if (byte[i] > 1)
            return tsr_fail(err, TSR_CORRUPT, "dataset 'values' is bint8, but has %u at %" PRIu64, byte[i],
                            i);
    v->type = TSR_U8;
    if (v->has_fill || (full_leaf ? v->iso : !all_bytes_are(&v->array, 1)))
        return TSR_OK;
    v->type = TSR_PATTERN;
    if (full_leaf || v->iso)
        return TSR_OK;
    tsr_array_clear(&v->array);
    v->iso = true;
    TSR_TRY(tsr_array_init(&v->array, 1, 1, 1, "values", err));
    tsr_array_set(&v->array, 0, 1);
    return TSR_OK;
}

static tsr_type value_type(const tsr_bsp_type *type, tsr_type stored)
{
    return type->bint8 ? TSR_U8 : !type->complex ? stored : stored == TSR_F32 ? TSR_C64 : TSR_C128;
}

/* Read the fill value in the type of the values. A fill of 0 is the default and is not kept. */
static tsr_status read_fill(values *v, reading *r, tsr_error *err)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    unsigned char raw[TSR_MAX_VALUE_NBYTES] = {0};
    const tsr_bsp_type *type = r->d.fill.present ? &r->d.fill : &r->d.values;
    TSR_TRY(tsr_container_read(raw, r->c, &r->fill, &r->job, err));
    TSR_TRY(tsr_values_convert(v->fill, v->type, raw, value_type(type, r->fill.type), 1, err));
    v->has_fill = memcmp(v->fill, zero, sizeof zero) != 0;
    return TSR_OK;
}

static tsr_status read_values(values *v, reading *r, bool full_leaf, tsr_error *err)
{
    const tsr_bsp_type *type = &r->d.values;
    v->type = value_type(type, r->values.type);
    v->iso = type->iso;
    const uint64_t n = v->iso ? 1 : r->npos[r->d.order];
    const size_t width = tsr_type_nbytes(v->type);
    if (r->values.n == 0 || (r->part && !v->iso)) { /* one value for no entry; the values of a part */
        TSR_TRY(tsr_array_init(&v->array, n, width, r->values.n == 0, "values", err));
    } else {
        TSR_TRY(tsr_bsp_read_raw(&v->array, r, &r->values, err));
        v->array.n = n; /* complex numbers are pairs in the file */
        v->array.width = width;
    }
    if (r->part && !v->iso)
        TSR_TRY(tsr_container_read_ranges(v->array.data, r->c, &r->values, &r->part->ranges, &r->job, err));
    if (r->d.has_fill)
        TSR_TRY(read_fill(v, r, err));
    return type->bint8 ? settle_bint8(v, full_leaf, err) : TSR_OK;
}

/* Convert the values to the requested type. Under a full level a pattern is bytes, 1 = stored. */
static tsr_status retype(values *v, tsr_type to, bool full_leaf, tsr_error *err)
{
    if (v->type == to)
        return TSR_OK;
    unsigned char fill[TSR_MAX_VALUE_NBYTES] = {0};
    if (to == TSR_PATTERN && full_leaf)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "values under a dense level cannot become a pattern while they are read: convert to "
                        "a format with a sparse last "
                        "level first");
    if (to == TSR_PATTERN) {
        tsr_array one = {0};
        TSR_TRY(tsr_array_init(&one, 1, 1, 1, "values", err));
        tsr_array_set(&one, 0, 1);
        tsr_array_clear(&v->array);
        v->array = one;
        v->iso = true;
    } else {
        TSR_TRY(tsr_values_retype(&v->array, to, v->type == TSR_PATTERN ? TSR_U8 : v->type, err));
    }
    if (v->has_fill && to != TSR_PATTERN)
        TSR_TRY(tsr_values_convert(fill, to, v->fill, v->type, 1, err));
    v->has_fill = v->has_fill && to != TSR_PATTERN;
    memcpy(v->fill, fill, sizeof fill);
    v->type = to;
    return TSR_OK;
}

tsr_status tsr_bsp_take_values(values *v, reading *r, bool full_leaf, tsr_error *err)
{
    *v = (values){.iso = false};
    tsr_status status = read_values(v, r, full_leaf, err);
    if (status == TSR_OK && r->options->has_type)
        status = retype(v, r->options->type, full_leaf, err);
    if (status != TSR_OK)
        tsr_array_clear(&v->array);
    return status;
}

/* ---- tensors ---- */

/* TSR_CORRUPT unless the format in attribute `tessera` has the levels of the file. */
static tsr_status check_origin(const reading *r, const tsr_tensor *tensor, tsr_error *err)
{
    const tsr_bsp_descriptor *d = &r->d;
    tsr_bsp_kind kinds[TSR_MAX_LEVELS];
    if (tsr_bsp_is_foreign(tensor->format))
        return tensor->nlevels == r->origin.nlevels
                   ? TSR_OK
                   : tsr_fail(err, TSR_CORRUPT,
                              "attribute 'tessera' names a format of %d levels, but describes %d",
                              tensor->nlevels, r->origin.nlevels);
    if (tensor->nlevels != d->order || !tsr_bsp_kinds(kinds, tensor->format))
        return tsr_fail(err, TSR_CORRUPT,
                        "attribute 'tessera' names a format of %d levels, but the file has %d",
                        tensor->nlevels, d->order);
    for (int k = 0; k < d->order; k++) {
        if (kinds[k] != d->kind[k])
            return tsr_fail(
                err, TSR_CORRUPT,
                "level %d of the format in attribute 'tessera' differs from the level in the file", k);
        if (tensor->levels[k].pitch != tsr_bsp_level_size(d, k))
            return tsr_fail(err, TSR_CORRUPT,
                            "level %d has %" PRIu64 " coordinates by attribute 'tessera', but %" PRIu64
                            " in the file",
                            k, tensor->levels[k].pitch, tsr_bsp_level_size(d, k));
    }
    if (r->origin.structure != TSR_GENERAL &&
        (tensor->order != 2 || tensor->dims[0] != tensor->dims[1] || d->structure != TSR_GENERAL))
        return tsr_fail(err, TSR_CORRUPT, "the structure in attribute 'tessera' needs a square matrix");
    return TSR_OK;
}

/* *out: an empty tensor with the format of the file. */
static tsr_status new_tensor(tsr_tensor **out, const reading *r, tsr_error *err)
{
    const tsr_bsp_descriptor *d = &r->d;
    const int order = r->mapped ? r->origin.order : d->order;
    const uint64_t *dims = r->mapped ? r->origin.shape : d->shape;
    tsr_format *format = NULL;
    if (order > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "the tensor has %d dimensions; at most %d are supported", order,
                        TSR_MAX_ORDER);
    TSR_TRY(tsr_arrays_check_shape(r->options, order, dims, err));
    tsr_status status = r->mapped ? tsr_format_parse(&format, r->origin.format, order, dims, err)
                                  : tsr_bsp_format(&format, d, err);
    if (status == TSR_OK)
        status = tsr_tensor_new(out, format, dims, TSR_F64, err);
    if (status == TSR_OK && r->mapped)
        status = check_origin(r, *out, err);
    tsr_format_free(format);
    return status;
}

/* ---- levels that Binsparse cannot express ---- */

/* Read one array. Padding has all bits set, which a signed type shows as -1. */
static tsr_status read_level_array(tsr_level *level, int l, const tsr_level_array *row, reading *r,
                                   tsr_error *err)
{
    tsr_stored in;
    tsr_array *array = tsr_level_array_of(level, row->role);
    char name[TSR_BSP_MAX_NAME + 1];
    tsr_bsp_array_name(name, l, row);
    TSR_TRY(tsr_container_look(&in, r->c, name, false, err));
    if (tsr_type_class(in.type) != 'I' && tsr_type_class(in.type) != 'U')
        return tsr_fail(err, TSR_CORRUPT, "dataset '%s' holds %s values, but must hold integers", name,
                        tsr_type_name(in.type));
    TSR_TRY(tsr_memory_check((double)in.n * (double)tsr_type_nbytes(in.type), "the tensor", err));
    TSR_TRY(tsr_array_init(array, in.n, tsr_type_nbytes(in.type), 0, in.name, err));
    return tsr_container_read(array->data, r->c, &in, &r->job, err);
}

/* The levels as attribute `tessera` describes them; tsr_tensor_check checks what the arrays hold. */
static tsr_status fill_own_levels(tsr_tensor *tensor, reading *r, tsr_error *err)
{
    for (int l = 0; l < tensor->nlevels; l++) {
        tsr_level *level = &tensor->levels[l];
        level->nparents = l > 0 ? level[-1].npos : 1;
        level->npos = r->origin.npos[l];
        for (int k = 0; k < TSR_LEVEL_NROLES && level->type->arrays[k].name; k++)
            TSR_TRY(read_level_array(level, l, &level->type->arrays[k], r, err));
        if (level->type->set_numbers && !level->type->set_numbers(level, r->origin.numbers[l]))
            return tsr_fail(err, TSR_CORRUPT, "attribute 'tessera' has impossible numbers for level %d (%s)",
                            l, level->type->name);
    }
    tensor->npos = tensor->levels[tensor->nlevels - 1].npos;
    return tensor->npos == r->npos[1] ? TSR_OK
                                      : tsr_fail(err, TSR_CORRUPT,
                                                 "attribute 'tessera' says %" PRIu64
                                                 " positions, but the file has %" PRIu64 " values",
                                                 tensor->npos, r->npos[1]);
}

static tsr_status fill_levels(tsr_tensor *tensor, reading *r, tsr_error *err)
{
    if (tsr_bsp_is_foreign(tensor->format))
        return fill_own_levels(tensor, r, err);
    const tsr_bsp_descriptor *d = &r->d;
    for (int k = 0; k < d->order; k++) {
        tsr_level *level = &tensor->levels[k];
        level->nparents = r->npos[k];
        level->npos = r->npos[k + 1];
        if (d->kind[k] == TSR_BSP_SPARSE && k == 0)
            TSR_TRY(root_pointers(&level->pos, level->npos, err));
        else if (d->kind[k] == TSR_BSP_SPARSE)
            TSR_TRY(tsr_bsp_read_pointers(&level->pos, r, k, err));
        if (d->kind[k] != TSR_BSP_DENSE)
            TSR_TRY(tsr_bsp_read_coordinates(tensor, r, k, err));
    }
    tensor->npos = r->npos[d->order];
    return TSR_OK;
}

/* The descriptor's structure where each level stores one mode, else that of attribute `tessera`. */
static tsr_structure own_structure(const reading *r, const tsr_format *format)
{
    if (tsr_bsp_is_foreign(format))
        return r->origin.structure;
    const bool kept =
        !r->mapped || (tsr_format_is_permutation(format, NULL) && !tsr_format_has_pitch(format));
    return kept ? r->d.structure : r->origin.structure;
}

/* Whether the values need not be read: neither the caller, the entries, the type nor checks need them. */
static bool may_skip_values(const reading *r, const tsr_tensor *tensor, bool full_leaf)
{
    const tsr_structure structure = own_structure(r, tensor->format);
    return r->options->levels_only && !r->options->has_type && !full_leaf && r->d.order > 0 &&
           !r->d.values.bint8 && structure != TSR_SKEW_LOWER && structure != TSR_SKEW_UPPER;
}

/* Set a single value for all entries instead of the values of the file. */
static tsr_status skip_values(values *v, reading *r, tsr_error *err)
{
    *v = (values){.type = value_type(&r->d.values, r->values.type), .iso = true};
    TSR_TRY(tsr_array_init(&v->array, 1, tsr_type_nbytes(v->type), 1, "values", err));
    const tsr_status status = r->d.has_fill ? read_fill(v, r, err) : TSR_OK;
    if (status != TSR_OK)
        tsr_array_clear(&v->array);
    return status;
}

/* Remove the single value; the number of values becomes the number in the file. */
static void drop_values(tsr_tensor *tensor, const reading *r)
{
    const size_t width = tensor->values.width;
    tsr_array_clear(&tensor->values);
    tensor->iso = r->d.values.iso;
    tensor->values = (tsr_array){.n = tensor->iso ? 1 : tensor->npos, .width = width};
}

static tsr_status read_tensor(tsr_tensor **out, reading *r, tsr_error *err)
{
    tsr_tensor *tensor = NULL;
    values v;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(new_tensor(&tensor, r, err));
    TSR_TRY_OUT(fill_levels(tensor, r, err));
    const bool full_leaf = tsr_format_has_dense_leaf(tensor->format);
    const bool absent = may_skip_values(r, tensor, full_leaf);
    TSR_TRY_OUT(absent ? skip_values(&v, r, err) : tsr_bsp_take_values(&v, r, full_leaf, err));
    tensor->type = v.type;
    tensor->iso = v.iso;
    tensor->values = v.array;
    tensor->has_fill = v.has_fill;
    memcpy(tensor->fill, v.fill, sizeof v.fill);
    tensor->structure = own_structure(r, tensor->format);
    status = tsr_tensor_check_rest(tensor, r->watched, r->job.nthreads, err);
    if (status == TSR_CORRUPT)
        status = tsr_bsp_refuse_negative(status, tensor, r, err);
    if (status != TSR_OK)
        goto out;
    if (absent)
        drop_values(tensor, r);
    *out = tensor;
    return TSR_OK;
out:
    tsr_tensor_free(tensor);
    return status;
}

/* ---- unsorted coordinates ---- */

/* Copy the elements of `from` to `to`. TSR_CORRUPT where an element is not in [0, dim). */
static tsr_status copy_crd(tsr_array *to, const tsr_array *from, uint64_t dim, const char *name,
                           tsr_error *err)
{
    for (uint64_t i = 0; i < from->n; i++) {
        const uint64_t c = tsr_array_get(from, i);
        if (c >= dim)
            return tsr_fail(err, TSR_CORRUPT,
                            "dataset '%s' has %" PRIu64 " at %" PRIu64 ", but the dim is %" PRIu64, name, c,
                            i, dim);
        tsr_array_set(to, i, c);
    }
    return TSR_OK;
}

static tsr_status read_coo(tsr_coo **out, reading *r, tsr_error *err)
{
    const tsr_bsp_descriptor *d = &r->d;
    tsr_coo *coo = NULL;
    tsr_array crd = {0};
    values v;
    tsr_status status;
    if (d->order > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "the tensor has %d dimensions; at most %d are supported", d->order,
                        TSR_MAX_ORDER);
    TSR_TRY(tsr_arrays_check_shape(r->options, d->order, d->shape, err));
    TSR_TRY(tsr_coo_new(&coo, (tsr_shape){d->order, d->shape}, TSR_F64, err));
    coo->nnz = r->npos[d->order];
    for (int k = 0; k < d->order; k++) {
        const int mode = d->transpose[k];
        TSR_TRY_OUT(tsr_bsp_read_index(&crd, r, &r->indices[k], err));
        const size_t width = coo->crd[mode].width;
        tsr_array_clear(&coo->crd[mode]);
        TSR_TRY_OUT(tsr_array_init(&coo->crd[mode], coo->nnz, width, 0, "coordinates", err));
        TSR_TRY_OUT(copy_crd(&coo->crd[mode], &crd, coo->dims[mode], r->indices[k].name, err));
        tsr_array_clear(&crd);
    }
    TSR_TRY_OUT(tsr_bsp_take_values(&v, r, false, err));
    tsr_array_clear(&coo->values);
    coo->type = v.type;
    coo->iso = v.iso;
    coo->values = v.array;
    coo->has_fill = v.has_fill;
    memcpy(coo->fill, v.fill, sizeof v.fill);
    coo->structure = d->structure;
    TSR_TRY_OUT(tsr_coo_check(coo, r->job.nthreads, err));
    *out = coo;
    return TSR_OK;
out:
    tsr_array_clear(&crd);
    tsr_coo_free(coo);
    return status;
}

/* *coo: a level is not sorted, and the tree is a plain list of coordinates. TSR_UNSUPPORTED where a level of
 * any other tree is not sorted. */
static tsr_status look_for_unsorted(bool *coo, const reading *r, tsr_error *err)
{
    const tsr_bsp_descriptor *d = &r->d;
    int at = -1;
    for (int k = 0; k < d->order; k++)
        if (d->unsorted[k] && at < 0)
            at = k;
    bool tuples = at == 0 && !r->mapped;
    for (int k = 1; k < d->order; k++)
        tuples = tuples && d->kind[k] == TSR_BSP_TUPLE;
    *coo = tuples;
    if (at >= 0 && !tuples)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "level %d is not sorted, which is supported only for plain coordinates "
                        "(one sparse level of all dimensions)",
                        at);
    return TSR_OK;
}

/* ---- whole tensors ---- */

static tsr_status no_descriptor(tsr_container *c, tsr_error *err)
{
    tsr_text paths = {0};
    tsr_status status = tsr_container_find_groups(&paths, c, "binsparse", err);
    if (status == TSR_OK && paths.nbytes)
        status = tsr_fail(
            err, TSR_ARGUMENT,
            "this group does not have the attribute 'binsparse'; groups that have it (use file.h5:group): %s",
            tsr_text_cstr(&paths));
    else if (status == TSR_OK)
        status = tsr_fail(
            err, TSR_SYNTAX,
            "not a Binsparse file: it does not have the attribute 'binsparse'; not a file of AnnData, "
            "10x, MATLAB 7.3 or Octave either");
    tsr_text_clear(&paths);
    return status;
}

static tsr_status read_descriptors(reading *r, tsr_error *err)
{
    char *text;
    size_t n;
    TSR_TRY(tsr_container_read_text(&text, &n, r->c, "binsparse", err));
    if (!text)
        return no_descriptor(r->c, err);
    tsr_status status = tsr_bsp_parse(&r->d, text, n, err);
    tsr_free(text);
    TSR_TRY(status);
    TSR_TRY(tsr_container_read_text(&text, &n, r->c, "tessera", err));
    if (!text)
        return TSR_OK;
    r->mapped = true;
    status = tsr_bsp_parse_origin(&r->origin, text, n, err);
    tsr_free(text);
    return status;
}

/* Read what describes the tensor, and find out which arrays there are. *coo: it must be read as coordinates. */
static tsr_status look(bool *coo, reading *r, tsr_error *err)
{
    TSR_TRY(read_descriptors(r, err));
    TSR_TRY(look_for_unsorted(coo, r, err));
    return look_at_arrays(r, err);
}

tsr_status tsr_bsp_read(tsr_data *out, tsr_container *c, const tsr_read_options *options, tsr_error *err)
{
    static const tsr_read_options none;
    reading r = {.c = c, .options = options ? options : &none};
    r.job = (tsr_job){
        .nthreads = tsr_thread_count(r.options->nthreads), .observer = r.options->observer, .phase = "read"};
    bool coo;
    *out = (tsr_data){0};
    tsr_error why = {0};
    tsr_status status = look(&coo, &r, err);
    if (status == TSR_OK && !coo)
        status = tsr_bsp_select(out, &r, err);
    if (status == TSR_OK)
        status = check_memory(&r, err);
    if (status == TSR_OK && !coo && !r.part && c->type->read_all)
        status = tsr_bsp_read_ahead(&r, err);
    if (status == TSR_OK) {
        status = coo ? read_coo(&out->coo, &r, &why) : read_tensor(&out->tensor, &r, &why);
        status =
            status == TSR_CORRUPT && !r.part ? tsr_bsp_repair(out, &r, &why, err) : tsr_fail_as(err, &why);
    }
    tsr_bsp_drop_ahead(&r);
    tsr_bsp_part_free(r.part);
    tsr_bsp_origin_clear(&r.origin);
    return status;
}

/* ---- in parts ---- */

/* A file whose arrays are read piece by piece. */
typedef struct file_parts {
    tsr_parts base; /* first */
    tsr_read_options options;
    reading r; /* owns the file */
} file_parts;

/* Read elements of an index array as 0-based numbers; wrong ones become too large, which the reader of the parts finds. */
static tsr_status load_index(void *out, file_parts *f, const tsr_stored *array, uint64_t first, uint64_t n,
                             tsr_error *err)
{
    tsr_array part = {.data = out, .n = n, .width = tsr_type_nbytes(array->type)};
    TSR_TRY(tsr_container_read_part(out, f->r.c, array, first, n, err));
    for (uint64_t i = 0; f->r.d.index_base && i < n; i++)
        tsr_array_set(&part, i, tsr_array_get(&part, i) - 1);
    return TSR_OK;
}

static tsr_status load_values(void *out, const file_parts *f, uint64_t first, uint64_t n, tsr_error *err)
{
    const uint64_t per_value = f->r.d.values.complex ? 2 : 1;
    if (f->r.values.n == 0) { /* one value for no entry */
        memset(out, 0, n * f->base.tensor->values.width);
        return TSR_OK;
    }
    return tsr_container_read_part(out, f->r.c, &f->r.values, first * per_value, n * per_value, err);
}

static tsr_status load_part(void *out, tsr_parts *parts, const tsr_part_range *range, tsr_error *err)
{
    file_parts *const f = (file_parts *)parts;
    const int level = range->level;
    if (range->part == TSR_PART_CRD)
        return load_index(out, f, &f->r.indices[level], range->first, range->n, err);
    if (range->part == TSR_PART_VALUES)
        return load_values(out, f, range->first, range->n, err);
    if (level > 0)
        return load_index(out, f, &f->r.pointers[level], range->first, range->n, err);
    /* pos of the root, which the file does not store */
    tsr_array pos = {.data = out, .n = range->n, .width = parts->tensor->levels[0].pos.width};
    for (uint64_t i = 0; i < range->n; i++)
        tsr_array_set(&pos, i, range->first + i ? parts->tensor->levels[0].npos : 0);
    return TSR_OK;
}

static void free_parts(tsr_parts *parts)
{
    file_parts *const f = (file_parts *)parts;
    tsr_tensor_free(parts->tensor);
    tsr_bsp_origin_clear(&f->r.origin);
    tsr_container_free(f->r.c);
    tsr_free(f);
}

static void set_levels(tsr_tensor *tensor, const reading *r)
{
    const tsr_bsp_descriptor *const d = &r->d;
    for (int k = 0; k < d->order; k++) {
        tsr_level *const level = &tensor->levels[k];
        level->nparents = r->npos[k];
        level->npos = r->npos[k + 1];
        if (d->kind[k] == TSR_BSP_SPARSE)
            level->pos = (tsr_array){.n = level->nparents + 1,
                                     .width = k ? tsr_type_nbytes(r->pointers[k].type) : sizeof(uint64_t)};
        if (d->kind[k] != TSR_BSP_DENSE)
            level->crd = (tsr_array){.n = level->npos, .width = tsr_type_nbytes(r->indices[k].type)};
    }
    tensor->npos = r->npos[d->order];
}

/* What the values are; a bint8 with one value is a pattern, as in read_values. */
static tsr_status set_values(tsr_tensor *tensor, file_parts *f, tsr_error *err)
{
    reading *const r = &f->r;
    values v = {.type = value_type(&r->d.values, r->values.type)};
    unsigned char first = 1;
    tensor->iso = r->d.values.iso;
    if (r->d.values.bint8 && (!tensor->iso || r->d.kind[r->d.order - 1] == TSR_BSP_DENSE))
        return tsr_fail(err, TSR_UNSUPPORTED, "bint8 values are read only as a whole");
    if (r->d.has_fill)
        TSR_TRY(read_fill(&v, r, err));
    tensor->has_fill = v.has_fill;
    memcpy(tensor->fill, v.fill, sizeof v.fill);
    if (r->d.values.bint8 && r->values.n > 0)
        TSR_TRY(tsr_container_read_part(&first, r->c, &r->values, 0, 1, err));
    if (first > 1)
        return tsr_fail(err, TSR_CORRUPT, "dataset 'values' is bint8, but has %u at 0", first);
    tensor->type = r->d.values.bint8 && !v.has_fill && first == 1 ? TSR_PATTERN : v.type;
    tensor->values = (tsr_array){.n = tensor->iso ? 1 : tensor->npos, .width = tsr_type_nbytes(v.type)};
    return TSR_OK;
}

static tsr_status start_parts(file_parts *f, tsr_error *err)
{
    reading *const r = &f->r;
    bool coo;
    TSR_TRY(read_descriptors(r, err));
    TSR_TRY(look_for_unsorted(&coo, r, err));
    TSR_TRY(look_at_arrays(r, err));
    if (r->d.order == 0 || r->options->has_type)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "scalars, and values of another type, are read only as a whole");
    TSR_TRY(new_tensor(&f->base.tensor, r, err));
    f->base.unsorted = coo;
    set_levels(f->base.tensor, r);
    f->base.tensor->structure = own_structure(r, f->base.tensor->format);
    return set_values(f->base.tensor, f, err);
}

tsr_status tsr_bsp_open_parts(tsr_parts **out, tsr_container *c, const tsr_read_options *options,
                              tsr_error *err)
{
    file_parts *const f = tsr_calloc(1, sizeof *f);
    *out = NULL;
    if (!f) {
        tsr_container_free(c);
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    }
    f->base.load = load_part;
    f->base.free = free_parts;
    f->options = *options;
    f->r = (reading){.c = c, .options = &f->options};
    f->r.job = (tsr_job){.nthreads = 1, .phase = "read"};
    const tsr_status status = start_parts(f, err);
    if (status == TSR_OK)
        *out = &f->base;
    else
        free_parts(&f->base);
    return status;
}

/* ---- describing ---- */

static void describe_type(tsr_brief_tensor *out, const reading *r)
{
    const tsr_type type = value_type(&r->d.values, r->values.type);
    snprintf(out->type, sizeof out->type, "%s", r->d.values.bint8 ? "bint8" : tsr_type_name(type));
    out->iso = r->d.values.iso;
    out->has_fill = r->d.has_fill;
}

static tsr_status describe_tensor(reading *r, bool coo, tsr_error *err)
{
    tsr_brief_tensor *const out = r->brief;
    const bool mapped = r->mapped;
    out->order = mapped ? r->origin.order : r->d.order;
    if (out->order > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "the tensor has %d dimensions; at most %d are supported", out->order,
                        TSR_MAX_ORDER);
    memcpy(out->dims, mapped ? r->origin.shape : r->d.shape, (size_t)out->order * sizeof *out->dims);
    out->has_dims = out->has_nnz = true;
    out->nnz = r->d.nstored;
    out->structure = r->d.structure;
    describe_type(out, r);
    if (coo)
        return tsr_arrays_check_shape(r->options, out->order, out->dims, err);
    tsr_tensor *tensor = NULL;
    TSR_TRY(new_tensor(&tensor, r, err));
    out->structure = own_structure(r, tensor->format);
    out->has_nnz = tsr_format_stores_all(tensor->format) || !tsr_bsp_is_foreign(tensor->format);
    out->format = tensor->format;
    tensor->format = NULL;
    tsr_tensor_free(tensor);
    return TSR_OK;
}

tsr_status tsr_bsp_describe(tsr_brief_tensor *out, tsr_container *c, const tsr_read_options *options,
                            tsr_error *err)
{
    reading r = {.c = c, .options = options, .brief = out};
    bool coo = false;
    tsr_status status = look(&coo, &r, err);
    if (status == TSR_OK)
        status = check_memory(&r, err);
    if (status == TSR_OK)
        status = describe_tensor(&r, coo, err);
    if (status == TSR_OK)
        status = tsr_container_list_attributes(&out->attributes, c, err);
    tsr_bsp_origin_clear(&r.origin);
    return status;
}
