/* Builders: entries that come a few at a time, until a tensor or a file is made of all of them. */
#include <inttypes.h>
#include <string.h>

#include "door_file.h"
#include "tsr_builder.h"
#include "tsr_stream.h"

/* A tessera_builder is a tsr_builder. */
static tsr_builder *inside(const tessera_builder *builder)
{
    return (tsr_builder *)(uintptr_t)builder;
}

/* ---- new ---- */

static tsr_status check_dims(int order, const uint64_t *dims, tsr_error *err)
{
    if (order < 1)
        return tsr_fail(err, TSR_ARGUMENT, "a builder of %d modes: it has 1 to %d", order, TESSERA_MAX_ORDER);
    return door_check_dims(order, dims, err);
}

static tsr_status new_builder(tessera_builder **out, const tsr_builder_options *shape,
                              const tessera_builder_options *given, tsr_error *err)
{
    enum { LEAST = 64 << 20 };
    tessera_builder_options o;
    tsr_builder_options options = *shape;
    tsr_builder *made;
    TSR_TRY(door_options(&o, sizeof o, given, "tessera_builder_options", err));
    if (o.memory_nbytes > 0 && o.memory_nbytes < LEAST)
        return tsr_fail(err, TSR_ARGUMENT,
                        "a memory limit of %" PRIu64 " bytes is too little: at least 64 MiB are needed",
                        o.memory_nbytes);
    options.memory_nbytes = o.memory_nbytes;
    options.temp = o.temp;
    TSR_TRY(tsr_builder_new(&made, &options, err));
    *out = (tessera_builder *)(void *)made;
    return TSR_OK;
}

tessera_status tessera_builder_new(tessera_builder **out, int order, const uint64_t *dims, tessera_type type,
                                   const tessera_builder_options *options, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    tsr_status status = door_need(out, "result", call.err);
    if (status == TSR_OK) {
        *out = NULL;
        status = check_dims(order, dims, call.err);
    }
    if (status == TSR_OK)
        status = door_check_type(type, call.err);
    if (status == TSR_OK) {
        tsr_builder_options shape = {.order = order, .type = (tsr_type)type};
        memcpy(shape.dims, dims, (size_t)order * sizeof *dims);
        status = new_builder(out, &shape, options, call.err);
    }
    return door_end(&call, status);
}

void tessera_builder_free(tessera_builder *builder)
{
    tsr_builder_free(inside(builder));
}

void tessera_builder_clear(tessera_builder *builder)
{
    if (builder)
        tsr_builder_clear(inside(builder));
}

uint64_t tessera_builder_nentries(const tessera_builder *builder)
{
    return builder ? tsr_builder_nentries(inside(builder)) : 0;
}

uint64_t tessera_builder_nbytes(const tessera_builder *builder)
{
    return builder ? tsr_builder_nbytes(inside(builder)) : 0;
}

uint64_t tessera_builder_spilled_nbytes(const tessera_builder *builder)
{
    return builder ? tsr_builder_spilled(inside(builder)) : 0;
}

/* ---- adding ---- */

static tsr_status take_values(tsr_builder_entries *entries, const tessera_array *values, tsr_error *err)
{
    TSR_TRY(door_need(values, "values", err));
    TSR_TRY(door_check_type(values->type, err));
    if (values->n != entries->n && values->n != 1)
        return tsr_fail(err, TSR_ARGUMENT, "there are %" PRIu64 " values for %" PRIu64 " entries", values->n,
                        entries->n);
    if (entries->n > 0 && values->n > 0)
        TSR_TRY(door_need(values->data, "values", err));
    entries->values = values->data;
    entries->type = (tsr_type)values->type;
    entries->iso = values->n == 1;
    return TSR_OK;
}

static tsr_status take_crd(tsr_builder_column *columns, const tessera_array *crd, int order, tsr_error *err)
{
    TSR_TRY(door_need(crd, "coordinates", err));
    for (int m = 0; m < order; m++) {
        if (!door_is_index_type(crd[m].type))
            return tsr_fail(err, TSR_ARGUMENT,
                            "the coordinates of mode %d have the type %s, but coordinates are integers", m,
                            tessera_type_text(crd[m].type));
        if (crd[m].n != crd[0].n)
            return tsr_fail(err, TSR_ARGUMENT,
                            "there are %" PRIu64 " coordinates of mode %d for %" PRIu64 " entries", crd[m].n,
                            m, crd[0].n);
        if (crd[m].n > 0)
            TSR_TRY(door_need(crd[m].data, "coordinates", err));
        columns[m] = (tsr_builder_column){crd[m].data, (tsr_type)crd[m].type};
    }
    return TSR_OK;
}

static tsr_status add(tessera_builder *builder, uint64_t piece, const tessera_array *crd,
                      const tessera_array *values, tsr_error *err)
{
    tsr_builder_column columns[TSR_MAX_ORDER];
    TSR_TRY(door_need(builder, "builder", err));
    const tsr_builder_options *const about = tsr_builder_about(inside(builder));
    TSR_TRY(take_crd(columns, crd, about->order, err));
    tsr_builder_entries entries = {.n = crd[0].n, .crd = columns, .type = about->type};
    if (values || about->type != TSR_PATTERN)
        TSR_TRY(take_values(&entries, values, err));
    return tsr_builder_add(inside(builder), piece, &entries, err);
}

tessera_status tessera_builder_add(tessera_builder *builder, uint64_t piece, const tessera_array *crd,
                                   const tessera_array *values, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, add(builder, piece, crd, values, call.err));
}

static tsr_status add_one(tessera_builder *builder, uint64_t piece, const uint64_t *crd, const void *value,
                          tsr_error *err)
{
    TSR_TRY(door_need(builder, "builder", err));
    TSR_TRY(door_need(crd, "coordinates", err));
    if (tsr_builder_about(inside(builder))->type != TSR_PATTERN)
        TSR_TRY(door_need(value, "value", err));
    return tsr_builder_add_one(inside(builder), piece, crd, value, err);
}

tessera_status tessera_builder_add_one(tessera_builder *builder, uint64_t piece, const uint64_t *crd,
                                       const void *value, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, add_one(builder, piece, crd, value, call.err));
}

/* ---- a tensor ---- */

/* The memory that sorting may take under the limit. */
static uint64_t sorting_nbytes(const tsr_builder *b)
{
    enum { RESERVE = 24 << 20 };
    const uint64_t limit = tsr_builder_about(b)->memory_nbytes,
                   spare = limit / 16 > RESERVE ? limit / 16 : RESERVE;
    return limit > spare ? limit - spare : 0;
}

/* Pack the entries of the feed part by part, then load the tensor. TSR_UNSUPPORTED: a format that needs them in memory. */
static tsr_status pack_feed(tsr_tensor **out, tsr_feed *feed, const tsr_builder *b,
                            const tessera_pack_options *o, const door_call *call)
{
    const tsr_facts *const facts = &feed->facts;
    tsr_format *format = NULL;
    tsr_parts *parts = NULL;
    int nbits = 0;
    tsr_stream_options how = {
        .pack = {.duplicates = (tsr_duplicates)o->duplicates,
                 .index_width = door_index_width(o->index_width, facts->order, facts->dims, facts->nnz),
                 .nthreads = call->nthreads,
                 .observer = call->observer},
        .folder = tsr_builder_folder(b),
        .memory_nbytes = sorting_nbytes(b)};
    tsr_status status =
        o->format ? tsr_format_parse_sized(&format, &nbits, o->format, (tsr_shape){facts->order, facts->dims},
                                           facts->type, call->err)
                  : tsr_format_coordinates(&format, facts->order, o->duplicates == TESSERA_KEEP, call->err);
    if (status == TSR_OK && nbits && how.pack.index_width == TSR_INDEX_AUTO)
        how.pack.index_width = tsr_index_width_of(nbits);
    if (status == TSR_OK)
        status = tsr_stream_pack(&parts, feed, format, &how, NULL, call->err);
    if (status == TSR_OK)
        status = tsr_stream_load(out, parts, o->max_nbytes, call->err);
    tsr_format_free(format);
    return status;
}

static tsr_status finish_spilled(tessera_tensor **out, tsr_builder *b, const tessera_pack_options *o,
                                 const door_call *call)
{
    tsr_feed *feed;
    tsr_tensor *tensor = NULL;
    TSR_TRY(tsr_builder_feed(&feed, b, call->err));
    const tsr_status status = pack_feed(&tensor, feed, b, o, call);
    tsr_feed_close(feed);
    return status == TSR_OK ? door_tensor_new(out, tensor, call) : status;
}

static tsr_status finish_in_memory(tessera_tensor **out, tsr_builder *b, const tessera_pack_options *o,
                                   const door_call *call)
{
    tsr_data data = {0};
    const door_shape shape = {.format = o->format,
                              .duplicates = o->duplicates,
                              .index_width = o->index_width,
                              .max_nbytes = o->max_nbytes,
                              .keep_symmetry = true};
    TSR_TRY(tsr_builder_take(&data.coo, b, call->nthreads, call->err));
    return door_shape_new(out, &data, &shape, call);
}

static tsr_status finish(tessera_tensor **out, tessera_builder *builder, int keep,
                         const tessera_pack_options *options, const door_call *call)
{
    tessera_pack_options o;
    tsr_status status = TSR_UNSUPPORTED;
    TSR_TRY(door_need(out, "result", call->err));
    *out = NULL;
    TSR_TRY(door_need(builder, "builder", call->err));
    TSR_TRY(door_options(&o, sizeof o, options, "tessera_pack_options", call->err));
    TSR_TRY(door_check_choices(o.duplicates, o.index_width, call->err));
    tsr_builder *const b = inside(builder);
    if (tsr_builder_spilled(b) > 0)
        status = finish_spilled(out, b, &o, call);
    if (status == TSR_UNSUPPORTED)
        status = finish_in_memory(out, b, &o, call);
    if (status == TSR_OK && !keep)
        tsr_builder_clear(b);
    return status;
}

tessera_status tessera_builder_finish(tessera_tensor **out, tessera_builder *builder, int keep,
                                      const tessera_pack_options *options, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, finish(out, builder, keep, options, &call));
}

/* ---- a file ---- */

typedef struct source {
    tsr_builder *builder;
    int nthreads;
} source;

static tsr_status give_feed(tsr_feed **out, void *ctx, tsr_error *err)
{
    return tsr_builder_feed(out, ((const source *)ctx)->builder, err);
}

static tsr_status give_data(tsr_data *data, void *ctx, tsr_error *err)
{
    const source *const from = ctx;
    return tsr_builder_take(&data->coo, from->builder, from->nthreads, err);
}

/* The settings of a conversion whose input is the builder. */
static void take_settings(tsr_conversion_settings *s, const tessera_pack_options *o,
                          const tsr_conversion_source *from, const door_call *call)
{
    const tsr_builder_options *const about = tsr_builder_about(((const source *)from->ctx)->builder);
    s->in = "the builder";
    s->source = from;
    s->format = o->format;
    s->duplicates_given = true;
    s->temp = about->temp;
    s->memory_nbytes = from->large ? about->memory_nbytes : 0;
    s->read = (tsr_read_options){.nthreads = call->nthreads, .observer = call->observer};
    door_set_packing(s, o, call);
}

static tsr_status write_builder(const char *path, tsr_builder *b, const tessera_pack_options *o,
                                const tessera_write_options *write, const door_call *call)
{
    source from = {b, call->nthreads};
    const tsr_conversion_source given = {
        .large = tsr_builder_spilled(b) > 0, .feed = give_feed, .data = give_data, .ctx = &from};
    const tsr_codec *to;
    tessera_write_options w;
    tsr_conversion_settings *const s = tsr_calloc(1, sizeof *s);
    if (!s)
        return tsr_fail(call->err, TSR_NOMEM, "out of memory: a conversion");
    tsr_status status = door_options(&w, sizeof w, write, "tessera_write_options", call->err);
    if (status == TSR_OK)
        status = door_take_writing(&s->write, &to, path, write, call);
    if (status == TSR_OK) {
        s->out = path;
        s->to = w.codec;
        take_settings(s, o, &given, call);
        status = door_run_conversion(s, call);
    }
    tsr_free(s);
    return status;
}

static tsr_status finish_file(const char *path, tessera_builder *builder, int keep,
                              const tessera_pack_options *options, const tessera_write_options *write,
                              const door_call *call)
{
    tessera_pack_options o;
    TSR_TRY(door_need(path, "path", call->err));
    TSR_TRY(door_need(builder, "builder", call->err));
    TSR_TRY(door_options(&o, sizeof o, options, "tessera_pack_options", call->err));
    TSR_TRY(door_check_choices(o.duplicates, o.index_width, call->err));
    TSR_TRY(write_builder(path, inside(builder), &o, write, call));
    if (!keep)
        tsr_builder_clear(inside(builder));
    return TSR_OK;
}

tessera_status tessera_builder_finish_file(const char *path, tessera_builder *builder, int keep,
                                           const tessera_pack_options *options,
                                           const tessera_write_options *write, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, finish_file(path, builder, keep, options, write, &call));
}
