/* Format texts that are layouts: see format_text.h. */
#include "format_text.h"

#include <stdio.h>
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

/* XLA's name of a value type; a pattern is stored as bytes that are 0 or 1. */
static const char *xla_type_name(char *buf, tsr_type type)
{
    const char *const name = tsr_type_name(type);
    sprintf(buf, "%s", type == TSR_PATTERN ? "pred" : name);
    if (name[0] == 'i')
        buf[0] = 's';
    return buf;
}

/* TSR_ARGUMENT: the layout says a type that is not the tensor's. */
static tsr_status other_type(const char *says, tsr_type type, tsr_error *err)
{
    char name[16];
    for (int t = 0; t < TSR_NTYPES; t++)
        if (strcmp(says, xla_type_name(name, (tsr_type)t)) == 0)
            return tsr_fail(err, TSR_ARGUMENT,
                            "the layout is of %s, the tensor of %s: leave the type out, or convert with "
                            "--type=%s",
                            says, tsr_type_name(type), tsr_type_name((tsr_type)t));
    return tsr_fail(err, TSR_UNSUPPORTED, "the layout is of %s, which no tensor can be", says);
}

/* The layout must be for values such as the tensor's: of its type, if it says one, in as many bits. */
static tsr_status check_type(const tsr_xla *xla, tsr_type type, tsr_error *err)
{
    char name[16];
    const int64_t nbits = 8 * (int64_t)tsr_type_nbytes(type);
    if (xla->type[0] && strcmp(xla->type, xla_type_name(name, type)) != 0)
        return other_type(xla->type, type, err);
    if (xla->element_nbits != 0 && xla->element_nbits != nbits)
        return tsr_fail(err, TSR_ARGUMENT,
                        "the layout's elements have %lld bits (E), those of the tensor, %s, have %lld",
                        (long long)xla->element_nbits, tsr_type_name(type), (long long)nbits);
    if (xla->levels && strspn(xla->levels, "D,") != strlen(xla->levels))
        return tsr_fail(err, TSR_UNSUPPORTED, "the layout's levels D(%s) are not all dense: write the levels",
                        xla->levels);
    return TSR_OK;
}

/* The layout for a tensor of these dims, whether its text says them or not. */
static tsr_status parse_layout(tsr_layout **out, const char *text, int order, const uint64_t *dims,
                               tsr_type type, tsr_error *err)
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
        const tsr_status status = check_type(xla, type, err);
        tsr_xla_free(xla);
        TSR_TRY(status);
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

/* A text of the library's; pos and crd have one width here. A width that is not said is the other one. */
static tsr_status parse_format(tsr_format **out, int *index_nbits, const char *text, int order,
                               const uint64_t *dims, tsr_error *err)
{
    int pos_nbits, crd_nbits;
    TSR_TRY(tsr_format_parse_widths(out, &pos_nbits, &crd_nbits, text, order, dims, err));
    *index_nbits = pos_nbits ? pos_nbits : crd_nbits;
    if (crd_nbits == 0 || crd_nbits == *index_nbits)
        return TSR_OK;
    tsr_format_free(*out);
    *out = NULL;
    return tsr_fail(err, TSR_UNSUPPORTED,
                    "posWidth = %d and crdWidth = %d differ: tconv has one width for both", pos_nbits,
                    crd_nbits);
}

tsr_status tsr_cli_format_parse(tsr_format **out, int *index_nbits, const char *text, int order,
                                const uint64_t *dims, tsr_type type, tsr_error *err)
{
    tsr_layout *layout = NULL;
    tsr_text levels = {0};
    *out = NULL;
    *index_nbits = 0;
    if (tsr_layout_kind_of(text) == TSR_LAYOUT_MAP)
        return parse_format(out, index_nbits, text, order, dims, err);
    if (!dims)
        return check_text(text, err);
    TSR_TRY(parse_layout(&layout, text, order, dims, type, err));
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
