/* Layouts as text, in each notation: see tsr_layout.h. */
#include <string.h>

#include "tsr_layout.h"

void tsr_layout_print(tsr_text *text, const tsr_layout *layout)
{
    if (layout->kind == TSR_LAYOUT_XLA)
        tsr_xla_print(text, layout->xla);
    else if (layout->kind == TSR_LAYOUT_TLA)
        tsr_tla_print(text, &layout->tla);
    else if (layout->kind == TSR_LAYOUT_SWIZZLED)
        tsr_swizzled_print(text, &layout->swizzled);
    else
        tsr_map_print(text, layout->map);
}

static tsr_status print_own(tsr_text *text, const tsr_layout *layout, const char *type, tsr_error *err)
{
    (void)type, (void)err;
    tsr_layout_print(text, layout);
    return TSR_OK;
}

static tsr_status print_xla(tsr_text *text, const tsr_layout *layout, const char *type, tsr_error *err)
{
    tsr_xla *xla;
    TSR_TRY(tsr_layout_to_xla(&xla, layout, type, err));
    tsr_xla_print(text, xla);
    tsr_xla_free(xla);
    return TSR_OK;
}

static tsr_status print_tla(tsr_text *text, const tsr_layout *layout, const char *type, tsr_error *err)
{
    (void)type;
    tsr_arena arena = {0};
    tsr_tla tla;
    const tsr_status status = tsr_layout_to_tla(&tla, &arena, layout, err);
    if (status == TSR_OK)
        tsr_tla_print(text, &tla);
    tsr_arena_clear(&arena);
    return status;
}

/* The same text without an origin, which CuTe's layouts do not have. */
static tsr_status print_cute(tsr_text *text, const tsr_layout *layout, const char *type, tsr_error *err)
{
    if (layout->kind == TSR_LAYOUT_SWIZZLED && !layout->swizzled.layout.origin)
        return print_own(text, layout, type, err);
    tsr_arena arena = {0};
    tsr_tla tla;
    tsr_status status = tsr_layout_to_tla(&tla, &arena, layout, err);
    for (int m = 0; status == TSR_OK && tla.origin && m < layout->rank; m++) {
        tsr_tla mode;
        status = tsr_tla_mode(&mode, &tla, 1, &m, err);
        if (status == TSR_OK && tsr_tla_size(&mode) > layout->dims[m])
            status = tsr_fail(err, TSR_UNSUPPORTED,
                              "the layout has no CuTe form: dim %d is padded from %lld to %lld, and only TLA "
                              "notes that (use the notation tla)",
                              m, (long long)layout->dims[m], (long long)tsr_tla_size(&mode));
    }
    tla.origin = NULL;
    if (status == TSR_OK)
        tsr_tla_print(text, &tla);
    tsr_arena_clear(&arena);
    return status;
}

static tsr_status print_map(tsr_text *text, const tsr_layout *layout, const char *type, tsr_error *err)
{
    (void)type, (void)err;
    tsr_map_print(text, layout->map ? layout->map : layout->offset);
    return TSR_OK;
}

static tsr_status print_format(tsr_text *text, const tsr_layout *layout, const char *type, tsr_error *err)
{
    (void)type;
    return tsr_layout_print_format(text, layout, err);
}

static const struct notation {
    const char *name;
    tsr_status (*print)(tsr_text *text, const tsr_layout *layout, const char *type, tsr_error *err);
} notations[] = {
    {"own", print_own},   {"xla", print_xla}, {"tla", print_tla},
    {"cute", print_cute}, {"map", print_map}, {"format", print_format},
};

tsr_status tsr_layout_print_as(tsr_text *text, const tsr_layout *layout, const char *notation,
                               const char *type, tsr_error *err)
{
    for (size_t i = 0; i < sizeof notations / sizeof notations[0]; i++)
        if (strcmp(notations[i].name, notation) == 0)
            return notations[i].print(text, layout, type, err);
    return tsr_fail(err, TSR_ARGUMENT,
                    "unknown notation '%s' of a layout: use own, xla, tla, cute, map or format", notation);
}
