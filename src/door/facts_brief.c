/* What the headers of a file report as JSON: see tsr_facts.h. */
#include <string.h>

#include "tsr_facts.h"

static void put_array(tsr_json *json, const tsr_brief_array *array)
{
    tsr_json_open(json, NULL, '{', true);
    tsr_json_string(json, "name", array->name);
    tsr_json_string(json, "holds", array->role);
    if (array->level >= 0)
        tsr_json_u64(json, "level", (uint64_t)array->level);
    tsr_json_u64(json, "n", array->n);
    tsr_json_string(json, "type", tsr_type_name(array->type));
    tsr_json_string(json, "stored", array->storage);
    tsr_json_close(json, '}');
}

static void put_levels(tsr_json *json, const tsr_brief_tensor *tensor)
{
    tsr_binding *binding;
    tsr_text name = {0}, text = {0};
    if (!tensor->format || tsr_binding_new(&binding, tensor->format, tensor->dims, NULL) != TSR_OK) {
        tsr_json_null(json, "format");
        return;
    }
    tsr_format_print_name_for(&name, tensor->format, tensor->dims);
    tsr_format_print_long(&text, tensor->format);
    tsr_json_string(json, "format", tsr_text_cstr(&name));
    tsr_json_string(json, "format_long", tsr_text_cstr(&text));
    tsr_json_open(json, "levels", '[', false);
    for (int l = 0; l < tensor->format->nlevels; l++) {
        tsr_json_open(json, NULL, '{', true);
        tsr_json_string(json, "kind", tensor->format->levels[l].type->name);
        tsr_json_u64(json, "size", binding->size[l]);
        tsr_json_bool(json, "nonunique", tensor->format->levels[l].nonunique);
        tsr_json_close(json, '}');
    }
    tsr_json_close(json, ']');
    tsr_text_clear(&name);
    tsr_text_clear(&text);
    tsr_binding_free(binding);
}

static void put_tensor(tsr_json *json, const tsr_brief_tensor *tensor)
{
    tsr_json_open(json, NULL, '{', false);
    tsr_json_string(json, "group", tensor->group);
    if (tensor->fault.status != TSR_OK) {
        tsr_json_string(json, "error", tensor->fault.message);
        tsr_json_close(json, '}');
        return;
    }
    tsr_json_u64(json, "order", (uint64_t)tensor->order);
    if (tensor->has_dims) {
        tsr_json_dims(json, "dims", tensor->order, tensor->dims);
    } else {
        tsr_json_null(json, "dims");
    }
    if (tensor->has_nnz)
        tsr_json_u64(json, "stored", tensor->nnz);
    else
        tsr_json_null(json, "stored");
    if (tensor->type[0])
        tsr_json_string(json, "type", tensor->type);
    else
        tsr_json_null(json, "type");
    tsr_json_bool(json, "iso", tensor->iso);
    tsr_json_string(json, "structure", tsr_structure_name(tensor->structure));
    put_levels(json, tensor);
    tsr_json_open(json, "arrays", '[', false);
    for (int i = 0; i < tensor->narrays; i++)
        put_array(json, &tensor->arrays[i]);
    tsr_json_close(json, ']');
    tsr_json_open(json, "attributes", '[', true);
    for (size_t at = 0; at < tensor->attributes.nbytes; at += strlen(tensor->attributes.s + at) + 1)
        tsr_json_string(json, NULL, tensor->attributes.s + at);
    tsr_json_close(json, ']');
    tsr_json_close(json, '}');
}

void tsr_facts_brief_json(tsr_json *json, const tsr_brief *brief, const char *path, uint64_t file_nbytes)
{
    tsr_json_string(json, "file", path);
    tsr_json_string(json, "codec", brief->codec->name);
    tsr_json_bool(json, "gzip", brief->gzip);
    if (file_nbytes)
        tsr_json_u64(json, "file_bytes", file_nbytes);
    tsr_json_open(json, "tensors", '[', false);
    for (int i = 0; i < brief->ntensors; i++)
        put_tensor(json, &brief->tensors[i]);
    tsr_json_close(json, ']');
    tsr_json_bool(json, "more", brief->more);
    tsr_json_open(json, "head", '[', false);
    for (size_t at = 0; at < brief->head.nbytes;) {
        const size_t n = strcspn(brief->head.s + at, "\n");
        tsr_text line = {0};
        tsr_text_add_n(&line, brief->head.s + at, n);
        tsr_json_string(json, NULL, tsr_text_cstr(&line));
        tsr_text_clear(&line);
        at += n + 1;
    }
    tsr_json_close(json, ']');
}
