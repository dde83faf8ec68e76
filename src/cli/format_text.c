/* Format texts that are layouts: see format_text.h. */
#include "format_text.h"

#include <string.h>

#include "lists.h"
#include "tsr_layout.h"

static tsr_status check_text(const char *text, tsr_error *err)
{
    if (tsr_layout_kind_of(text) == TSR_LAYOUT_XLA) {
        tsr_xla *xla = NULL;
        TSR_TRY(tsr_xla_parse(&xla, text, err));
        tsr_xla_free(xla);
        return TSR_OK;
    }
    tsr_arena arena = {0};
    tsr_tla tla;
    const tsr_status status = tsr_tla_parse(&tla, &arena, text, err);
    tsr_arena_clear(&arena);
    return status;
}

/* TSR_ARGUMENT: the layout says other dims than the tensor. */
static tsr_status other_dims(const tsr_layout *layout, int order, const uint64_t *dims, tsr_error *err)
{
    uint64_t own[TSR_MAP_MAX_VARS];
    tsr_text says = {0}, is = {0};
    for (int d = 0; d < layout->rank; d++)
        own[d] = (uint64_t)layout->dims[d];
    tsr_cli_add_dims(&says, layout->rank, own);
    tsr_cli_add_dims(&is, order, dims);
    const tsr_status status = tsr_fail(err, TSR_ARGUMENT, "the layout says %s, the tensor is %s",
                                       tsr_text_cstr(&says), tsr_text_cstr(&is));
    tsr_text_clear(&says);
    tsr_text_clear(&is);
    return status;
}

/* The layout for a tensor of these dims, whether its text says them or not. */
static tsr_status parse_layout(tsr_layout **out, const char *text, int order, const uint64_t *dims,
                               tsr_error *err)
{
    int64_t given[TSR_MAX_ORDER];
    tsr_xla *xla = NULL;
    for (int d = 0; d < order; d++)
        given[d] = (int64_t)dims[d];
    tsr_layout_options options = {.ndims = order, .dims = given};
    if (tsr_layout_kind_of(text) == TSR_LAYOUT_XLA) {
        TSR_TRY(tsr_xla_parse(&xla, text, err));
        if (xla->has_dims)
            options.ndims = 0;
        tsr_xla_free(xla);
    } else {
        options.ndims = 0;
    }
    TSR_TRY(tsr_layout_parse(out, text, &options, err));
    bool same = (*out)->rank == order;
    for (int d = 0; same && d < order; d++)
        same = (*out)->dims[d] == given[d];
    if (same)
        return TSR_OK;
    const tsr_status status = other_dims(*out, order, dims, err);
    tsr_layout_free(*out);
    *out = NULL;
    return status;
}

tsr_status tsr_cli_format_parse(tsr_format **out, const char *text, int order, const uint64_t *dims,
                                tsr_error *err)
{
    tsr_layout *layout = NULL;
    tsr_text levels = {0};
    *out = NULL;
    if (tsr_layout_kind_of(text) == TSR_LAYOUT_MAP)
        return tsr_format_parse(out, text, order, dims, err);
    if (!dims)
        return check_text(text, err);
    TSR_TRY(parse_layout(&layout, text, order, dims, err));
    tsr_status status = tsr_layout_print_format(&levels, layout, err);
    tsr_layout_free(layout);
    if (status == TSR_OK) {
        status = tsr_format_parse(out, tsr_text_cstr(&levels), order, dims, err);
        if (status != TSR_OK && err)
            err->col = 0; /* of the text that was made, not of the one that was given */
    }
    tsr_text_clear(&levels);
    return status;
}
