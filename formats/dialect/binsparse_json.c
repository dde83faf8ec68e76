/* Binsparse descriptors: from JSON text to the level tree and back. See binsparse.md for the rules. */
#include "binsparse_internal.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tsr_alloc.h"
#include "tsr_checked.h"

/* ---- the predefined formats ---- */

static const struct alias {
    const char *name;
    int order;
    tsr_bsp_kind kind[2];
    int transpose[2];
} aliases[] = {
    /* of two equal rows the writer uses the first */
    {"DVEC", 1, {TSR_BSP_DENSE}, {0}},
    {"CVEC", 1, {TSR_BSP_SPARSE}, {0}},
    {"DMAT", 2, {TSR_BSP_DENSE, TSR_BSP_DENSE}, {0, 1}},
    {"DMATR", 2, {TSR_BSP_DENSE, TSR_BSP_DENSE}, {0, 1}},
    {"DMATC", 2, {TSR_BSP_DENSE, TSR_BSP_DENSE}, {1, 0}},
    {"CSR", 2, {TSR_BSP_DENSE, TSR_BSP_SPARSE}, {0, 1}},
    {"CSC", 2, {TSR_BSP_DENSE, TSR_BSP_SPARSE}, {1, 0}},
    {"DCSR", 2, {TSR_BSP_SPARSE, TSR_BSP_SPARSE}, {0, 1}},
    {"DCSC", 2, {TSR_BSP_SPARSE, TSR_BSP_SPARSE}, {1, 0}},
    {"COO", 2, {TSR_BSP_SPARSE, TSR_BSP_TUPLE}, {0, 1}},
    {"COOR", 2, {TSR_BSP_SPARSE, TSR_BSP_TUPLE}, {0, 1}},
    {"COOC", 2, {TSR_BSP_SPARSE, TSR_BSP_TUPLE}, {1, 0}},
};

/* The predefined format with this tree; NULL: there is none. */
static const struct alias *alias_of(const tsr_bsp_descriptor *d)
{
    for (size_t a = 0; a < sizeof aliases / sizeof aliases[0]; a++) {
        bool same = aliases[a].order == d->order;
        for (int k = 0; same && k < d->order; k++)
            same = aliases[a].kind[k] == d->kind[k] && aliases[a].transpose[k] == d->transpose[k];
        if (same)
            return &aliases[a];
    }
    return NULL;
}

/* ---- reading single values ---- */

/* A JSON integer, or a real that is one (3.0, 1e+15: what cJSON prints): false when it is neither. */
static bool integer(int64_t *out, const json_t *json)
{
    if (json_is_integer(json)) {
        *out = json_integer_value(json);
        return true;
    }
    const double v = json_is_real(json) ? json_real_value(json) : 0.5;
    if (!(v >= -0x1p63 && v < 0x1p63) || v != floor(v))
        return false;
    *out = (int64_t)v;
    return true;
}

static tsr_status natural(uint64_t *out, const json_t *json, const char *key, tsr_error *err)
{
    int64_t v;
    if (!json)
        return tsr_fail(err, TSR_SYNTAX, "the binsparse descriptor has no '%s'", key);
    if (!integer(&v, json))
        return tsr_fail(err, TSR_SYNTAX, "'%s' of the binsparse descriptor is not an integer", key);
    if (v < 0)
        return tsr_fail(err, TSR_CORRUPT, "'%s' of the binsparse descriptor is %" PRId64 ", below 0", key, v);
    *out = (uint64_t)v;
    return TSR_OK;
}

/* Parse the text of an attribute as a JSON object, *out, owned. */
static tsr_status parse_object(json_t **out, const char *text, size_t n, const char *attribute,
                               tsr_error *err)
{
    json_error_t fault;
    *out = json_loadb(text, n, JSON_REJECT_DUPLICATES, &fault);
    if (!*out)
        return tsr_fail(err, json_error_code(&fault) == json_error_out_of_memory ? TSR_NOMEM : TSR_SYNTAX,
                        "attribute '%s' is not JSON (line %d, column %d): %s", attribute, fault.line,
                        fault.column, fault.text);
    if (json_is_object(*out))
        return TSR_OK;
    json_decref(*out);
    *out = NULL;
    return tsr_fail(err, TSR_SYNTAX, "attribute '%s' is not a JSON object", attribute);
}

/* TSR_UNSUPPORTED for versions other than 0.1 and 0.1.z. */
static tsr_status check_version(const json_t *json, tsr_error *err)
{
    const char *version = json_string_value(json_object_get(json, "version"));
    if (!version)
        return tsr_fail(err, TSR_SYNTAX, "the binsparse descriptor does not have a string 'version'");
    const size_t n = strlen(version);
    if (strncmp(version, "0.1", 3) != 0 ||
        (n > 3 && (version[3] != '.' || n == 4 || strspn(version + 4, "0123456789") != n - 4)))
        return tsr_fail(err, TSR_UNSUPPORTED, "binsparse version '%s' is not 0.1 or 0.1.z", version);
    return TSR_OK;
}

static tsr_status parse_shape(uint64_t *shape, int *order, int most, const json_t *json, tsr_error *err)
{
    if (!json_is_array(json))
        return tsr_fail(err, TSR_SYNTAX, "the descriptor does not have an array 'shape'");
    const size_t n = json_array_size(json);
    if (n > (size_t)most)
        return tsr_fail(err, TSR_LIMIT, "'shape' has %zu dimensions; at most %d are supported", n, most);
    *order = (int)n;
    for (size_t i = 0; i < n; i++)
        TSR_TRY(natural(&shape[i], json_array_get(json, i), "shape", err));
    return TSR_OK;
}

static tsr_status parse_structure(tsr_structure *out, const json_t *json, tsr_error *err)
{
    *out = TSR_GENERAL;
    if (!json)
        return TSR_OK;
    const char *name = json_string_value(json);
    if (!name)
        return tsr_fail(err, TSR_SYNTAX, "'structure' of the descriptor is not a string");
    for (tsr_structure s = TSR_GENERAL; s <= TSR_SKEW_UPPER; s++)
        if (strcmp(name, tsr_structure_name(s)) == 0) {
            *out = s;
            return TSR_OK;
        }
    return tsr_fail(err, TSR_UNSUPPORTED, "unknown structure '%s'", name);
}

/* An optional boolean: *out stays where json is NULL. */
static tsr_status parse_flag(bool *out, const json_t *json, const char *key, tsr_error *err)
{
    if (json && !json_is_boolean(json))
        return tsr_fail(err, TSR_SYNTAX, "'%s' of the descriptor must be true or false", key);
    if (json)
        *out = json_is_true(json);
    return TSR_OK;
}

/* ---- type strings ---- */

static const struct {
    const char *name;
    tsr_type type;
} number_names[] = {
    {"float64", TSR_F64}, {"float32", TSR_F32},
    {"int8", TSR_I8},     {"int16", TSR_I16},
    {"int32", TSR_I32},   {"int64", TSR_I64},
    {"uint8", TSR_U8},    {"uint16", TSR_U16},
    {"uint32", TSR_U32},  {"uint64", TSR_U64},
    {"float16", TSR_F16}, {"bfloat16", TSR_BF16}, /* an extension: version 0.1 does not name them */
};

/* Whether s is `head`, some text and "]"; inside: this text. */
static bool bracketed(char inside[32], const char *s, const char *head)
{
    const size_t n = strlen(s), h = strlen(head);
    if (n <= h + 1 || n - h > 32 || strncmp(s, head, h) != 0 || s[n - 1] != ']')
        return false;
    memcpy(inside, s + h, n - h - 1);
    inside[n - h - 1] = '\0';
    return true;
}

/* Parse a type string such as iso[complex[float64]]; false where s is not a type string. */
static bool parse_type(tsr_bsp_type *out, const char *s)
{
    char a[32], b[32];
    *out = (tsr_bsp_type){.present = true};
    out->iso = bracketed(a, s, "iso[");
    if (out->iso)
        s = a;
    out->complex = bracketed(b, s, "complex[");
    if (out->complex)
        s = b;
    if (strcmp(s, "bint8") == 0 && !out->complex) {
        out->type = TSR_U8;
        return out->bint8 = true;
    }
    for (size_t i = 0; i < sizeof number_names / sizeof number_names[0]; i++)
        if (strcmp(s, number_names[i].name) == 0) {
            out->type = number_names[i].type;
            return !out->complex || out->type == TSR_F64 || out->type == TSR_F32;
        }
    return false;
}

static void print_type(char out[40], const tsr_bsp_type *type)
{
    const char *name = "bint8";
    for (size_t i = 0; !type->bint8 && i < sizeof number_names / sizeof number_names[0]; i++)
        if (number_names[i].type == type->type)
            name = number_names[i].name;
    snprintf(out, 40, "%s%s%s%s%s", type->iso ? "iso[" : "", type->complex ? "complex[" : "", name,
             type->complex ? "]" : "", type->iso ? "]" : "");
}

/* The type of one array; index arrays must be integers. */
static tsr_status parse_array_type(tsr_bsp_type *out, const json_t *types, const char *name, bool is_index,
                                   tsr_error *err)
{
    const json_t *json = json_object_get(types, name);
    const char *s = json_string_value(json);
    if (!json)
        return tsr_fail(err, TSR_SYNTAX, "'data_types' of the descriptor does not have '%s'", name);
    if (!s || !parse_type(out, s) ||
        (is_index && (out->iso || out->bint8 || tsr_type_class(out->type) == 'R')))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "'%s' of data_types is '%s', which is not a valid type for this array", name,
                        s ? s : "not a string");
    return TSR_OK;
}

static tsr_status parse_types(tsr_bsp_descriptor *d, const json_t *json, tsr_error *err)
{
    const json_t *types = json_object_get(json, "data_types");
    char name[TSR_BSP_MAX_NAME + 1];
    if (!json_is_object(types))
        return tsr_fail(err, TSR_SYNTAX, "the binsparse descriptor does not have an object 'data_types'");
    for (int k = 0; k < d->order; k++) {
        if (d->kind[k] == TSR_BSP_DENSE)
            continue;
        snprintf(name, sizeof name, "pointers_to_%d", k);
        if (d->kind[k] == TSR_BSP_SPARSE && k > 0)
            TSR_TRY(parse_array_type(&d->pointers[k], types, name, true, err));
        snprintf(name, sizeof name, "indices_%d", k);
        TSR_TRY(parse_array_type(&d->indices[k], types, name, true, err));
    }
    TSR_TRY(parse_array_type(&d->values, types, "values", false, err));
    if (d->has_fill && json_object_get(types, "fill_value"))
        TSR_TRY(parse_array_type(&d->fill, types, "fill_value", false, err));
    return TSR_OK;
}

/* ---- the level tree ---- */

/* Parse one level of a custom tree. *nused: the number of dimensions used so far, increased by the rank of
 * the level. *next: the level below; NULL after the element. */
static tsr_status parse_level(tsr_bsp_descriptor *d, int *nused, const json_t **next, const json_t *level,
                              tsr_error *err)
{
    const json_t *word = json_object_get(level, "level_desc");
    if (!word)
        word = json_object_get(level, "level_kind"); /* files of 2023 */
    const char *kind = json_string_value(word);
    uint64_t rank;
    if (!kind)
        return tsr_fail(err, TSR_SYNTAX,
                        "level %d of the binsparse descriptor does not have a string 'level_desc'", *nused);
    if (strcmp(kind, "element") == 0) {
        *next = NULL;
        return TSR_OK;
    }
    const bool dense = strcmp(kind, "dense") == 0;
    if (!dense && strcmp(kind, "sparse") != 0)
        return tsr_fail(err, TSR_UNSUPPORTED, "unknown level '%s': expected element, dense or sparse", kind);
    TSR_TRY(natural(&rank, json_object_get(level, "rank"), "rank", err));
    if (rank == 0 || rank > (uint64_t)(d->order - *nused))
        return tsr_fail(err, TSR_CORRUPT,
                        "level %d has rank %" PRIu64 ", but %d of the shape's %d dimensions are left", *nused,
                        rank, d->order - *nused, d->order);
    bool sorted = true;
    TSR_TRY(parse_flag(&sorted, json_object_get(level, "sorted"), "sorted", err));
    d->unsorted[*nused] = !dense && !sorted;
    for (uint64_t i = 0; i < rank; i++)
        d->kind[(*nused)++] = dense ? TSR_BSP_DENSE : i == 0 ? TSR_BSP_SPARSE : TSR_BSP_TUPLE;
    *next = json_object_get(level, "level");
    if (!json_is_object(*next))
        return tsr_fail(err, TSR_SYNTAX,
                        "level %d of the binsparse descriptor does not have an object 'level' below it",
                        *nused - (int)rank);
    return TSR_OK;
}

static tsr_status parse_transpose(tsr_bsp_descriptor *d, const json_t *json, tsr_error *err)
{
    bool seen[TSR_MAX_LEVELS] = {false};
    if (!json) {
        for (int k = 0; k < d->order; k++)
            d->transpose[k] = k;
        return TSR_OK;
    }
    if (!json_is_array(json) || json_array_size(json) != (size_t)d->order)
        return tsr_fail(err, TSR_CORRUPT, "'transpose' is not an array of %d integers", d->order);
    for (int k = 0; k < d->order; k++) {
        int64_t v;
        if (!integer(&v, json_array_get(json, (size_t)k)) || v < 0 || v >= d->order || seen[v])
            return tsr_fail(err, TSR_CORRUPT, "'transpose' is not a permutation of 0..%d", d->order - 1);
        seen[v] = true;
        d->transpose[k] = (int)v;
    }
    return TSR_OK;
}

static tsr_status parse_custom(tsr_bsp_descriptor *d, const json_t *custom, tsr_error *err)
{
    int nused = 0;
    const json_t *level = json_object_get(custom, "level");
    if (!json_is_object(level))
        return tsr_fail(err, TSR_SYNTAX,
                        "'custom' of the binsparse descriptor does not have an object 'level'");
    while (level)
        TSR_TRY(parse_level(d, &nused, &level, level, err));
    if (nused != d->order)
        return tsr_fail(err, TSR_CORRUPT,
                        "the ranks of the levels add up to %d, but the shape has %d dimensions", nused,
                        d->order);
    return parse_transpose(d, json_object_get(custom, "transpose"), err);
}

/* Set the tree of a predefined format. Where the descriptor has a custom tree, too, both must be equal. */
static tsr_status parse_alias(tsr_bsp_descriptor *d, const char *name, const json_t *custom, tsr_error *err)
{
    const struct alias *alias = NULL;
    for (size_t a = 0; !alias && a < sizeof aliases / sizeof aliases[0]; a++)
        if (strcmp(aliases[a].name, name) == 0)
            alias = &aliases[a];
    if (!alias)
        return tsr_fail(err, TSR_UNSUPPORTED, "unknown binsparse format '%s'", name);
    if (alias->order != d->order)
        return tsr_fail(err, TSR_CORRUPT, "format %s has %d dimensions, but the shape has %d", name,
                        alias->order, d->order);
    bool same = true;
    for (int k = 0; k < d->order; k++) {
        same = same && (!custom || (d->kind[k] == alias->kind[k] && d->transpose[k] == alias->transpose[k]));
        d->kind[k] = alias->kind[k];
        d->transpose[k] = alias->transpose[k];
    }
    return same ? TSR_OK
                : tsr_fail(err, TSR_CORRUPT, "format %s and the custom level tree beside it differ", name);
}

static tsr_status parse_tree(tsr_bsp_descriptor *d, const json_t *json, tsr_error *err)
{
    const json_t *custom = json_object_get(json, "custom"), *format = json_object_get(json, "format");
    if (!custom)
        custom = json_object_get(json, "tensor"); /* files of 2023 */
    if (custom && !json_is_object(custom))
        return tsr_fail(err, TSR_SYNTAX, "'custom' of the binsparse descriptor is not an object");
    if (format && !json_is_string(format))
        return tsr_fail(err, TSR_SYNTAX, "'format' of the binsparse descriptor is not a string");
    if (!format && !custom)
        return tsr_fail(err, TSR_SYNTAX, "the binsparse descriptor has neither 'format' nor 'custom'");
    if (custom)
        TSR_TRY(parse_custom(d, custom, err));
    if (!format || strcmp(json_string_value(format), "custom") == 0)
        return custom ? TSR_OK
                      : tsr_fail(err, TSR_SYNTAX,
                                 "the binsparse descriptor has format custom, but 'custom' is missing");
    return parse_alias(d, json_string_value(format), custom, err);
}

/* ---- whole descriptors ---- */

static tsr_status parse_descriptor(tsr_bsp_descriptor *d, const json_t *json, tsr_error *err)
{
    TSR_TRY(check_version(json, err));
    TSR_TRY(parse_shape(d->shape, &d->order, TSR_MAX_LEVELS, json_object_get(json, "shape"), err));
    TSR_TRY(parse_tree(d, json, err));
    TSR_TRY(natural(&d->nstored, json_object_get(json, "number_of_stored_values"), "number_of_stored_values",
                    err));
    TSR_TRY(parse_flag(&d->has_fill, json_object_get(json, "fill"), "fill", err));
    TSR_TRY(parse_structure(&d->structure, json_object_get(json, "structure"), err));
    const json_t *base = json_object_get(json, "index_base");
    if (base)
        TSR_TRY(natural(&d->index_base, base, "index_base", err));
    if (d->index_base > 1)
        return tsr_fail(err, TSR_UNSUPPORTED, "index_base must be 0 or 1, not %" PRIu64, d->index_base);
    if (d->structure != TSR_GENERAL && (d->order != 2 || d->shape[0] != d->shape[1]))
        return tsr_fail(err, TSR_CORRUPT, "structure %s needs a square matrix",
                        tsr_structure_name(d->structure));
    return parse_types(d, json, err);
}

tsr_status tsr_bsp_parse(tsr_bsp_descriptor *out, const char *text, size_t n, tsr_error *err)
{
    json_t *root;
    *out = (tsr_bsp_descriptor){.order = 0};
    TSR_TRY(parse_object(&root, text, n, "binsparse", err));
    const json_t *json = json_object_get(root, "binsparse");
    if (!json && json_object_get(root, "format"))
        json = root; /* writers of Zarr leave the outer object out */
    const tsr_status status =
        json_is_object(json)
            ? parse_descriptor(out, json, err)
            : tsr_fail(err, TSR_SYNTAX, "attribute 'binsparse' does not have an object 'binsparse'");
    json_decref(root);
    return status;
}

/* The positions and the numbers of each level. */
static tsr_status parse_levels(tsr_bsp_origin *o, const json_t *levels, tsr_error *err)
{
    if (!json_is_array(levels) || json_array_size(levels) > TSR_MAX_LEVELS)
        return tsr_fail(err, TSR_SYNTAX, "'levels' of attribute 'tessera' is not a list of at most %d levels",
                        TSR_MAX_LEVELS);
    o->nlevels = (int)json_array_size(levels);
    for (int l = 0; l < o->nlevels; l++) {
        const json_t *level = json_array_get(levels, (size_t)l), *numbers = json_object_get(level, "numbers");
        TSR_TRY(natural(&o->npos[l], json_object_get(level, "positions"), "positions", err));
        for (size_t k = 0; k < TSR_LEVEL_MAX_NUMBERS && k < json_array_size(numbers); k++)
            o->numbers[l][k] = (int64_t)json_integer_value(json_array_get(numbers, k));
    }
    return TSR_OK;
}

static tsr_status parse_origin(tsr_bsp_origin *o, const json_t *json, tsr_error *err)
{
    uint64_t version;
    TSR_TRY(natural(&version, json_object_get(json, "version"), "version", err));
    if (version != 1)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "unknown version %" PRIu64 " of attribute 'tessera': this program knows 1", version);
    TSR_TRY(parse_shape(o->shape, &o->order, TSR_MAX_ORDER, json_object_get(json, "shape"), err));
    TSR_TRY(parse_structure(&o->structure, json_object_get(json, "structure"), err));
    if (json_object_get(json, "levels"))
        TSR_TRY(parse_levels(o, json_object_get(json, "levels"), err));
    const char *format = json_string_value(json_object_get(json, "format"));
    if (!format)
        return tsr_fail(err, TSR_SYNTAX, "attribute 'tessera' does not have a string 'format'");
    o->format = tsr_strdup(format);
    return o->format ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory: a format text");
}

tsr_status tsr_bsp_parse_origin(tsr_bsp_origin *out, const char *text, size_t n, tsr_error *err)
{
    json_t *root;
    *out = (tsr_bsp_origin){.format = NULL};
    TSR_TRY(parse_object(&root, text, n, "tessera", err));
    const tsr_status status = parse_origin(out, root, err);
    json_decref(root);
    return status;
}

/* ---- printing ---- */

/* Objects under construction: a NULL anywhere makes the whole NULL. */
static json_t *with(json_t *object, const char *key, json_t *value)
{
    if (object && json_object_set_new(object, key, value) == 0)
        return object; /* NULL values are refused there, and others used up, failed or not */
    if (!object)
        json_decref(value);
    json_decref(object);
    return NULL;
}

static json_t *integers(const uint64_t *v, int n)
{
    json_t *array = json_array();
    for (int i = 0; array && i < n; i++)
        if (json_array_append_new(array, json_integer((json_int_t)v[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *tree(const tsr_bsp_descriptor *d)
{
    json_t *level = with(json_object(), "level_desc", json_string("element"));
    for (int k = d->order - 1; k >= 0; k--) {
        int rank = 1;
        for (; d->kind[k] == TSR_BSP_TUPLE; k--)
            rank++;
        json_t *outer =
            with(json_object(), "level_desc", json_string(d->kind[k] == TSR_BSP_DENSE ? "dense" : "sparse"));
        level = with(with(outer, "rank", json_integer(rank)), "level", level);
    }
    return level;
}

static json_t *with_type(json_t *types, const char *name, int k, const tsr_bsp_type *type)
{
    char key[TSR_BSP_MAX_NAME + 1], text[40];
    if (!type->present)
        return types;
    if (k >= 0)
        snprintf(key, sizeof key, "%s%d", name, k);
    else
        snprintf(key, sizeof key, "%s", name);
    print_type(text, type);
    return with(types, key, json_string(text));
}

/* Append the JSON value, which is used up. */
static tsr_status dump(tsr_text *text, json_t *json, tsr_error *err)
{
    const size_t flags = JSON_COMPACT | JSON_PRESERVE_ORDER;
    const size_t n = json ? json_dumpb(json, NULL, 0, flags) : 0;
    char *buf = n ? tsr_malloc(n) : NULL;
    if (buf)
        tsr_text_add_n(text, buf, json_dumpb(json, buf, n, flags));
    const bool ok = buf != NULL;
    tsr_free(buf);
    json_decref(json);
    return ok ? tsr_text_status(text, err) : tsr_fail(err, TSR_NOMEM, "out of memory: a descriptor");
}

tsr_status tsr_bsp_print(tsr_text *text, const tsr_bsp_descriptor *d, tsr_error *err)
{
    const struct alias *alias = alias_of(d);
    json_t *transpose = json_array(), *types = json_object();
    for (int k = 0; transpose && k < d->order; k++)
        if (json_array_append_new(transpose, json_integer(d->transpose[k])) != 0) {
            json_decref(transpose);
            transpose = NULL;
        }
    for (int k = 0; k < d->order; k++) {
        types = with_type(types, "pointers_to_", k, &d->pointers[k]);
        types = with_type(types, "indices_", k, &d->indices[k]);
    }
    types = with_type(types, "values", -1, &d->values);
    types = with_type(types, "fill_value", -1, &d->fill);
    json_t *json = with(json_object(), "version", json_string("0.1.0"));
    json = with(json, "format", json_string(alias ? alias->name : "custom"));
    json = with(json, "shape", integers(d->shape, d->order));
    json = with(json, "number_of_stored_values", json_integer((json_int_t)d->nstored));
    json = with(json, "data_types", types);
    json = with(json, "custom", with(with(json_object(), "transpose", transpose), "level", tree(d)));
    if (d->has_fill)
        json = with(json, "fill", json_true());
    if (d->structure != TSR_GENERAL)
        json = with(json, "structure", json_string(tsr_structure_name(d->structure)));
    return dump(text, with(json_object(), "binsparse", json), err);
}

static json_t *level_facts(const tsr_bsp_origin *o)
{
    json_t *levels = json_array();
    for (int l = 0; levels && l < o->nlevels; l++) {
        uint64_t numbers[TSR_LEVEL_MAX_NUMBERS];
        for (int k = 0; k < TSR_LEVEL_MAX_NUMBERS; k++)
            numbers[k] = (uint64_t)o->numbers[l][k];
        json_t *level = with(json_object(), "positions", json_integer((json_int_t)o->npos[l]));
        level = with(level, "numbers", integers(numbers, TSR_LEVEL_MAX_NUMBERS));
        if (json_array_append_new(levels, level) != 0) {
            json_decref(levels);
            return NULL;
        }
    }
    return levels;
}

tsr_status tsr_bsp_print_origin(tsr_text *text, const tsr_bsp_origin *o, tsr_error *err)
{
    json_t *json = with(json_object(), "version", json_integer(1));
    json = with(json, "format", json_string(o->format));
    json = with(json, "shape", integers(o->shape, o->order));
    if (o->structure != TSR_GENERAL)
        json = with(json, "structure", json_string(tsr_structure_name(o->structure)));
    if (o->nlevels > 0)
        json = with(json, "levels", level_facts(o));
    return dump(text, json, err);
}
