/* Shaping what was read, or a tensor: symmetry, transformations, value types, packing. tconv takes the same steps. */
#include <string.h>

#include "door_internal.h"
#include "tsr_transforms.h"

tsr_status door_check_choices(tessera_duplicates duplicates, tessera_index_width width, tsr_error *err)
{
    if ((unsigned)duplicates > TESSERA_ERROR)
        return tsr_fail(err, TSR_ARGUMENT, "%d is not a rule for duplicates: see tessera_duplicates",
                        (int)duplicates);
    if ((unsigned)width > TESSERA_INDEX_SAME)
        return tsr_fail(err, TSR_ARGUMENT, "%d is not an index width: see tessera_index_width", (int)width);
    return TSR_OK;
}

tsr_index_width door_index_width(tessera_index_width width, int order, const uint64_t *dims, uint64_t nnz)
{
    if (width != TESSERA_INDEX_SAME)
        return (tsr_index_width)width;
    bool fits = nnz <= INT32_MAX;
    for (int m = 0; m < order; m++)
        fits = fits && dims[m] <= (uint64_t)INT32_MAX + 1;
    return fits ? TSR_INDEX_32 : TSR_INDEX_64;
}

/* ---- transformations ---- */

tsr_status door_parse_steps(tsr_transforms *steps, char *text, tsr_error *err)
{
    static const char blanks[] = " \t\r";
    for (char *p = text, *next; p; p = next) {
        char *const end = p + strcspn(p, ";\n");
        next = *end ? end + 1 : NULL;
        *end = '\0';
        p += strspn(p, blanks);
        for (char *last = p + strlen(p); last > p && strchr(blanks, last[-1]);)
            *--last = '\0';
        if (!*p)
            continue;
        char *const value = strchr(p, '=');
        tsr_transform_kind kind;
        if (!value)
            return tsr_fail(err, TSR_SYNTAX,
                            "expected NAME=TEXT for a transformation, such as transpose=1,0, not '%s'", p);
        *value = '\0';
        TSR_TRY(tsr_transform_kind_parse(&kind, p, err));
        TSR_TRY(tsr_transforms_add(steps, kind, value + 1, err));
    }
    return TSR_OK;
}

void door_name_place(tsr_status status, const tsr_transform_place *place, tsr_error *err)
{
    if (status == TSR_OK || !place->option || !err || err->path[0] != '\0')
        return;
    const tsr_error why = *err;
    tsr_fail(err, status, "%s=%s: %s", place->option, place->text ? place->text : "", why.message);
}

static tsr_status run_steps(tsr_data *data, const door_shape *shape, const tsr_transforms *steps,
                            const door_call *call)
{
    const tsr_read_options read = {.nthreads = call->nthreads, .observer = call->observer};
    const tsr_pack_options pack = {.duplicates = (tsr_duplicates)shape->duplicates,
                                   .nthreads = call->nthreads,
                                   .max_nbytes = shape->max_nbytes,
                                   .observer = call->observer};
    tsr_transform_job job = {.transforms = steps,
                             .read = shape->read ? shape->read : &read,
                             .pack = &pack,
                             .in = shape->in ? shape->in : "the tensor",
                             .labels = data->labels};
    tsr_status status = tsr_transforms_check(&job, call->err);
    if (status == TSR_OK)
        status = tsr_transforms_run(&job, &data->coo, call->err);
    door_name_place(status, &job.place, call->err);
    return status;
}

static tsr_status transform(tsr_data *data, const door_shape *shape, const door_call *call)
{
    tsr_transforms steps = {0};
    char *const text = tsr_strdup(shape->transform);
    if (!text)
        return tsr_fail(call->err, TSR_NOMEM, "out of memory: transformations");
    tsr_status status = door_parse_steps(&steps, text, call->err);
    if (status == TSR_OK && steps.n > 0 && tsr_data_structure(data) != TSR_GENERAL)
        status =
            tsr_fail(call->err, TSR_ARGUMENT,
                     "one triangle of a %s matrix is kept, but %s needs the whole matrix: expand it first",
                     tsr_structure_name(tsr_data_structure(data)), tsr_transforms_option(&steps, 0));
    if (status == TSR_OK && steps.n > 0)
        status = run_steps(data, shape, &steps, call);
    tsr_free(text);
    return status;
}

/* ---- coordinates ---- */

/* Carry out everything that needs coordinates. *own: the format that the data had, if it still suits; owned by the
 * caller. */
static tsr_status change_entries(tsr_format **own, tsr_data *data, const door_shape *shape,
                                 const door_call *call)
{
    const bool expands = tsr_data_structure(data) != TSR_GENERAL && !shape->keep_symmetry;
    const bool retypes = shape->has_type && (tsr_type)shape->type != tsr_data_type(data);
    if (!expands && !retypes && !shape->transform)
        return TSR_OK;
    if (data->tensor)
        TSR_TRY(tsr_format_copy(own, data->tensor->format, call->err));
    TSR_TRY(tsr_data_unpack(data, call->nthreads, call->err));
    if (expands)
        TSR_TRY(tsr_coo_expand(data->coo, call->err));
    if (retypes)
        TSR_TRY(tsr_coo_retype(data->coo, (tsr_type)shape->type, call->err));
    if (shape->transform)
        TSR_TRY(transform(data, shape, call));
    if (*own && !tsr_format_suits(*own, tsr_data_order(data), tsr_data_dims(data))) {
        tsr_format_free(*own);
        *own = NULL;
    }
    return TSR_OK;
}

/* ---- packing ---- */

/* The format that was asked for, and the width that its text asks for. */
static tsr_status parse_format(tsr_format **out, tsr_index_width *width, const char *text,
                               const tsr_data *data, tsr_error *err)
{
    const tsr_type type = tsr_data_type(data);
    int nbits;
    TSR_TRY(tsr_format_parse_sized(out, &nbits, text, (tsr_shape){tsr_data_order(data), tsr_data_dims(data)},
                                   type, err));
    if (nbits && *width == TSR_INDEX_AUTO)
        *width = tsr_index_width_of(nbits);
    return TSR_OK;
}

/* Whether all arrays of the levels have elements of nbytes. */
static bool has_width(const tsr_tensor *tensor, size_t nbytes)
{
    for (int l = 0; l < tensor->nlevels; l++) {
        const tsr_level *const level = &tensor->levels[l];
        for (int k = 0; k < TSR_LEVEL_NROLES && level->type->arrays[k].name; k++)
            if (level->type->arrays[k].content < TSR_HOLDS_BYTES &&
                tsr_level_array_at(level, level->type->arrays[k].role)->width != nbytes)
                return false;
    }
    return true;
}

/* Whether a tensor already is what packing it into the format would give. */
static bool is_packed(const tsr_data *data, const tsr_format *format, const door_shape *shape,
                      tsr_index_width width)
{
    if (!data->tensor || shape->duplicates != TESSERA_SUM || !tsr_format_equal(format, data->tensor->format))
        return false;
    return width == TSR_INDEX_AUTO || (width == TSR_INDEX_32 && has_width(data->tensor, 4)) ||
           (width == TSR_INDEX_64 && has_width(data->tensor, 8));
}

/* The format to pack into: *out, NULL where the data can stay as they are. */
static tsr_status choose_format(tsr_format **out, tsr_index_width *width, const tsr_data *data,
                                const tsr_format *own, const door_shape *shape, tsr_error *err)
{
    *out = NULL;
    if (shape->format)
        TSR_TRY(parse_format(out, width, shape->format, data, err));
    else if (data->tensor)
        TSR_TRY(tsr_format_copy(out, data->tensor->format, err));
    else if (own)
        TSR_TRY(tsr_format_copy(out, own, err));
    else if (data->coo->natural)
        TSR_TRY(tsr_format_parse(out, data->coo->natural, tsr_data_order(data), tsr_data_dims(data), err));
    else
        TSR_TRY(tsr_format_coordinates(out, tsr_data_order(data), shape->duplicates == TESSERA_KEEP, err));
    if (is_packed(data, *out, shape, *width)) {
        tsr_format_free(*out);
        *out = NULL;
    }
    return TSR_OK;
}

/* A dense level holds both triangles, so it cannot keep one. */
static tsr_status check_triangle(const tsr_data *data, const tsr_format *format, tsr_error *err)
{
    if (tsr_data_structure(data) == TSR_GENERAL || !tsr_format_stores_both_triangles(format))
        return TSR_OK;
    return tsr_fail(err, TSR_ARGUMENT,
                    "one triangle is kept, but the last level of this format is dense and stores both: "
                    "expand the matrix, "
                    "or choose a sparse format");
}

static tsr_status pack(tsr_data *data, const tsr_format *format, const door_shape *shape,
                       tsr_index_width width, const door_call *call)
{
    const tsr_pack_options how = {.duplicates = (tsr_duplicates)shape->duplicates,
                                  .index_width = width,
                                  .nthreads = call->nthreads,
                                  .max_nbytes = shape->max_nbytes,
                                  .observer = call->observer};
    return tsr_data_pack(data, format, &how, NULL, call->err);
}

tsr_status door_shape_data(tsr_data *data, const door_shape *shape, const door_call *call)
{
    tsr_format *own = NULL, *format = NULL;
    bool changes = false;
    TSR_TRY(door_check_choices(shape->duplicates, shape->index_width, call->err));
    if (shape->has_type)
        TSR_TRY(door_check_type(shape->type, call->err));
    tsr_status status = change_entries(&own, data, shape, call);
    changes = data->coo != NULL;
    if (status == TSR_OK) {
        const uint64_t most = data->coo ? data->coo->nnz : data->tensor->npos;
        tsr_index_width width =
            door_index_width(shape->index_width, tsr_data_order(data), tsr_data_dims(data), most);
        status = choose_format(&format, &width, data, own, shape, call->err);
        if (status == TSR_OK && format)
            status = check_triangle(data, format, call->err);
        if (status == TSR_OK && format)
            status = pack(data, format, shape, width, call);
    }
    if (shape->unchanged)
        *shape->unchanged = !changes && !format;
    tsr_format_free(own);
    tsr_format_free(format);
    return status;
}

tsr_status door_shape_new(tessera_tensor **out, tsr_data *data, const door_shape *shape,
                          const door_call *call)
{
    const tsr_status status = door_shape_data(data, shape, call);
    if (status == TSR_OK)
        return door_tensor_new(out, data->tensor, call);
    tsr_data_clear(data);
    return status;
}

/* ---- tessera_convert ---- */

static tsr_status convert(tessera_tensor **out, const tessera_tensor *tensor,
                          const tessera_convert_options *given, const door_call *call)
{
    tessera_convert_options o;
    tsr_data data = {0};
    bool unchanged = false;
    TSR_TRY(door_need(out, "result", call->err));
    *out = NULL;
    TSR_TRY(door_need(tensor, "tensor", call->err));
    TSR_TRY(door_options(&o, sizeof o, given, "tessera_convert_options", call->err));
    const door_shape shape = {.format = o.format,
                              .duplicates = o.duplicates,
                              .index_width = o.index_width,
                              .max_nbytes = o.max_nbytes,
                              .transform = o.transform,
                              .has_type = o.has_type != 0,
                              .type = o.type,
                              .keep_symmetry = !o.expand,
                              .unchanged = &unchanged};
    TSR_TRY(door_check_ends(tensor->inside, call->err));
    TSR_TRY(tsr_tensor_view(&data.tensor, tensor->inside, call->err));
    tsr_status status = door_labels_copy(&data.labels, tensor->labels, call->err);
    if (status == TSR_OK)
        status = door_shape_data(&data, &shape, call);
    if (status == TSR_OK && unchanged) {
        tsr_data_clear(&data);
        *out = tessera_tensor_share((tessera_tensor *)(uintptr_t)tensor);
        return TSR_OK;
    }
    if (status == TSR_OK)
        status = tsr_tensor_own(data.tensor, call->nthreads, call->err);
    if (status == TSR_OK)
        return door_data_new(out, &data, call);
    tsr_data_clear(&data);
    return status;
}

tessera_status tessera_convert(tessera_tensor **out, const tessera_tensor *tensor,
                               const tessera_convert_options *options, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, convert(out, tensor, options, &call));
}
