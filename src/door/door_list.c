/* Lists of what exists, as JSON. */
#include <string.h>

#include "door_internal.h"
#include "tsr_json.h"
#include "tsr_notation.h"

static void open_item(tsr_json *json, const char *name)
{
    tsr_json_open(json, NULL, '{', true);
    tsr_json_string(json, "name", name);
}

static void list_formats(tsr_json *json)
{
    for (const tsr_named_format *f = tsr_named_formats; f->name; f++) {
        tsr_text usage = {0}, summary = {0};
        tsr_named_format_describe(&usage, &summary, f);
        open_item(json, f->name);
        tsr_json_string(json, "usage", tsr_text_cstr(&usage));
        tsr_json_string(json, "summary", tsr_text_cstr(&summary));
        tsr_json_close(json, '}');
        tsr_text_clear(&usage);
        tsr_text_clear(&summary);
    }
}

static void list_codecs(tsr_json *json)
{
    for (const tsr_codec *const *c = tsr_codecs; *c; c++) {
        open_item(json, (*c)->name);
        tsr_json_string(json, "summary", (*c)->summary);
        tsr_json_open(json, "suffixes", '[', true);
        for (const char *const *s = (*c)->suffixes; s && *s; s++)
            tsr_json_string(json, NULL, *s);
        tsr_json_close(json, ']');
        tsr_json_bool(json, "reads", (*c)->read != NULL);
        tsr_json_bool(json, "writes", (*c)->write_coo || (*c)->write_tensor);
        tsr_json_close(json, '}');
    }
}

static void list_types(tsr_json *json)
{
    for (int type = 0; type < TSR_NTYPES; type++) {
        open_item(json, tsr_type_name((tsr_type)type));
        tsr_json_u64(json, "bytes", tsr_type_nbytes((tsr_type)type));
        tsr_json_close(json, '}');
    }
}

static void list_kernels(tsr_json *json)
{
    const tsr_kernel_builtin *k;
    for (int i = 0; (k = tsr_kernel_builtin_at(i)) != NULL; i++) {
        open_item(json, k->name);
        tsr_json_string(json, "summary", k->summary);
        tsr_json_string(json, "expression", k->expression);
        tsr_json_string(json, "formats", k->formats);
        tsr_json_string(json, "type", k->type);
        tsr_json_close(json, '}');
    }
}

static void list_notations(tsr_json *json)
{
    for (int i = 0; tsr_format_notations[i]; i++) {
        open_item(json, tsr_format_notations[i]->name);
        tsr_json_string(json, "example", tsr_format_notations[i]->example);
        tsr_json_close(json, '}');
    }
}

static void list_semirings(tsr_json *json)
{
    for (const tsr_semiring *ring = tsr_semirings; ring->name; ring++) {
        open_item(json, ring->name);
        tsr_json_close(json, '}');
    }
}

static const struct list {
    const char *name;
    void (*print)(tsr_json *json);
} lists[] = {
    {"formats", list_formats}, {"codecs", list_codecs},       {"types", list_types},
    {"kernels", list_kernels}, {"notations", list_notations}, {"semirings", list_semirings},
};

static tsr_status list(char **out, const char *what, tsr_error *err)
{
    enum { N = sizeof lists / sizeof lists[0] };
    tsr_text text = {0};
    size_t i = 0;
    TSR_TRY(door_need(out, "result", err));
    *out = NULL;
    TSR_TRY(door_need(what, "name of a list", err));
    while (i < N && strcmp(lists[i].name, what) != 0)
        i++;
    if (i == N)
        return tsr_fail(err, TSR_ARGUMENT,
                        "unknown list '%s': use formats, codecs, types, kernels, notations or semirings",
                        what);
    tsr_json json = tsr_json_of_text(&text);
    tsr_json_open(&json, NULL, '[', false);
    lists[i].print(&json);
    tsr_json_close(&json, ']');
    return tsr_text_take(out, &text, err);
}

tessera_status tessera_list(char **json, const char *what, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, list(json, what, call.err));
}
