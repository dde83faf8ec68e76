/* Layouts of dense arrays as handles. */
#include <string.h>

#include "door_internal.h"
#include "tsr_layout.h"

/* A tessera_layout is a tsr_layout, which is immutable. */
static tsr_layout *inside(const tessera_layout *layout)
{
    return (tsr_layout *)(uintptr_t)layout;
}

static tsr_status parse(tessera_layout **out, const char *text, int rank, const int64_t *dims, tsr_error *err)
{
    TSR_TRY(door_need(out, "result", err));
    *out = NULL;
    TSR_TRY(door_need(text, "text", err));
    if (rank < 0 || rank > TSR_MAP_MAX_VARS)
        return tsr_fail(err, TSR_ARGUMENT, "a layout has 0 to %d dims, not %d", (int)TSR_MAP_MAX_VARS, rank);
    if (rank > 0)
        TSR_TRY(door_need(dims, "dims", err));
    const tsr_layout_options options = {.ndims = rank, .dims = dims};
    tsr_layout *layout;
    TSR_TRY(tsr_layout_parse(&layout, text, &options, err));
    *out = (tessera_layout *)layout;
    return TSR_OK;
}

tessera_status tessera_layout_parse(tessera_layout **out, const char *text, int rank, const int64_t *dims,
                                    tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, parse(out, text, rank, dims, call.err));
}

void tessera_layout_free(tessera_layout *layout)
{
    tsr_layout_free(inside(layout));
}

int tessera_layout_rank(const tessera_layout *layout)
{
    return layout ? inside(layout)->rank : 0;
}

const int64_t *tessera_layout_dims(const tessera_layout *layout)
{
    return layout ? inside(layout)->dims : NULL;
}

int64_t tessera_layout_span(const tessera_layout *layout)
{
    return layout ? inside(layout)->span : 0;
}

static tsr_status offset_of(int64_t *out, const tessera_layout *layout, const int64_t *coord, tsr_error *err)
{
    TSR_TRY(door_need(out, "result", err));
    *out = 0;
    TSR_TRY(door_need(layout, "layout", err));
    if (inside(layout)->rank > 0)
        TSR_TRY(door_need(coord, "coordinates", err));
    return tsr_layout_offset(out, inside(layout), coord, err);
}

tessera_status tessera_layout_offset(int64_t *offset, const tessera_layout *layout, const int64_t *coord,
                                     tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, offset_of(offset, layout, coord, call.err));
}

static tsr_status coord_of(int64_t *coord, int *padding, const tessera_layout *layout, int64_t offset,
                           tsr_error *err)
{
    bool pads = false;
    TSR_TRY(door_need(padding, "result", err));
    *padding = 0;
    TSR_TRY(door_need(layout, "layout", err));
    if (inside(layout)->rank > 0)
        TSR_TRY(door_need(coord, "result", err));
    TSR_TRY(tsr_layout_element(coord, &pads, inside(layout), offset, err));
    *padding = pads;
    return TSR_OK;
}

tessera_status tessera_layout_coord(int64_t *coord, int *padding, const tessera_layout *layout,
                                    int64_t offset, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, coord_of(coord, padding, layout, offset, call.err));
}

/* ---- texts ---- */

static tsr_status print(char **out, const tessera_layout *layout, const char *name, tsr_error *err)
{
    tsr_text text = {0};
    TSR_TRY(door_need(out, "result", err));
    *out = NULL;
    TSR_TRY(door_need(layout, "layout", err));
    const tsr_status status = tsr_layout_print_as(&text, inside(layout), name ? name : "own", NULL, err);
    if (status == TSR_OK)
        return tsr_text_take(out, &text, err);
    tsr_text_clear(&text);
    return status;
}

tessera_status tessera_layout_print(char **text, const tessera_layout *layout, const char *notation,
                                    tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, print(text, layout, notation, call.err));
}

/* ---- two layouts ---- */

static tsr_status equal(int *same, const tessera_layout *a, const tessera_layout *b, tsr_error *err)
{
    tsr_layout_difference difference;
    TSR_TRY(door_need(same, "result", err));
    *same = 0;
    TSR_TRY(door_need(a, "layout", err));
    TSR_TRY(door_need(b, "layout", err));
    TSR_TRY(tsr_layout_same(&difference, inside(a), inside(b), err));
    *same = difference.verdict == TSR_LAYOUT_SAME;
    return TSR_OK;
}

tessera_status tessera_layout_equal(int *same, const tessera_layout *a, const tessera_layout *b,
                                    tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, equal(same, a, b, call.err));
}

static tsr_status compose_in(tsr_layout **out, tsr_arena *arena, const tsr_layout *outer,
                             const tsr_layout *inner, tsr_error *err)
{
    tsr_tla a, b, both;
    TSR_TRY(tsr_layout_to_tla(&a, arena, outer, err));
    TSR_TRY(tsr_layout_to_tla(&b, arena, inner, err));
    const tsr_tiler tiler = {.kind = TSR_TILER_LAYOUT, .layout = b};
    TSR_TRY(tsr_tla_compose(&both, arena, &a, &tiler, err));
    return tsr_layout_from_tla(out, &both, err);
}

static tsr_status compose(tessera_layout **out, const tessera_layout *outer, const tessera_layout *inner,
                          tsr_error *err)
{
    tsr_arena arena = {0};
    tsr_layout *layout = NULL;
    TSR_TRY(door_need(out, "result", err));
    *out = NULL;
    TSR_TRY(door_need(outer, "layout", err));
    TSR_TRY(door_need(inner, "layout", err));
    const tsr_status status = compose_in(&layout, &arena, inside(outer), inside(inner), err);
    tsr_arena_clear(&arena);
    if (status == TSR_OK)
        *out = (tessera_layout *)layout;
    return status;
}

tessera_status tessera_layout_compose(tessera_layout **out, const tessera_layout *outer,
                                      const tessera_layout *inner, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, compose(out, outer, inner, call.err));
}
