/* Storage formats as handles. */
#include <string.h>

#include "door_internal.h"

/* A tessera_format is a tsr_format, which is immutable. */
static tsr_format *inside(const tessera_format *format)
{
    return (tsr_format *)(uintptr_t)format;
}

static tsr_status parse(tessera_format **out, const char *text, int order, const uint64_t *dims,
                        tsr_error *err)
{
    TSR_TRY(door_need(out, "result", err));
    *out = NULL;
    TSR_TRY(door_need(text, "text", err));
    if (dims)
        TSR_TRY(door_check_dims(order, dims, err));
    tsr_format *format;
    TSR_TRY(tsr_format_parse(&format, text, order, order >= 0 ? dims : NULL, err));
    *out = (tessera_format *)format;
    return TSR_OK;
}

tessera_status tessera_format_parse(tessera_format **out, const char *text, int order, const uint64_t *dims,
                                    tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, parse(out, text, order, dims, call.err));
}

void tessera_format_free(tessera_format *format)
{
    tsr_format_free(inside(format));
}

static tsr_status unknown_notation(const char *name, tsr_error *err)
{
    tsr_text known = {0};
    for (int i = 0; tsr_format_notations[i]; i++)
        tsr_text_addf(&known, "%s%s", i > 0 ? ", " : "", tsr_format_notations[i]->name);
    const tsr_status status =
        tsr_fail(err, TSR_ARGUMENT, "unknown notation '%s' (known: %s)", name, tsr_text_cstr(&known));
    tsr_text_clear(&known);
    return status;
}

static tsr_status print(char **out, const tessera_format *format, const char *name, const uint64_t *dims,
                        tsr_error *err)
{
    tsr_text text = {0};
    TSR_TRY(door_need(out, "result", err));
    *out = NULL;
    TSR_TRY(door_need(format, "format", err));
    if (!name || strcmp(name, "name") == 0) {
        tsr_format_print_name_for(&text, inside(format), dims);
        return tsr_text_take(out, &text, err);
    }
    const tsr_format_notation *const notation = tsr_format_notation_by_name(name);
    if (!notation)
        return unknown_notation(name, err);
    const tsr_status status = notation->print(&text, inside(format), dims, err);
    if (status == TSR_OK)
        return tsr_text_take(out, &text, err);
    tsr_text_clear(&text);
    return status;
}

tessera_status tessera_format_print(char **text, const tessera_format *format, const char *notation,
                                    const uint64_t *dims, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, print(text, format, notation, dims, call.err));
}

int tessera_format_equal(const tessera_format *a, const tessera_format *b)
{
    return a && b ? tsr_format_equal(inside(a), inside(b)) : a == b;
}

int tessera_format_order(const tessera_format *format)
{
    return format ? inside(format)->order : 0;
}

int tessera_format_nlevels(const tessera_format *format)
{
    return format ? inside(format)->nlevels : 0;
}

const char *tessera_format_kind(const tessera_format *format, int l)
{
    return format && l >= 0 && l < inside(format)->nlevels ? inside(format)->levels[l].type->name : NULL;
}
