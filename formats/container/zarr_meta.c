/* The metadata of Zarr groups and arrays, versions 2 and 3: see zarr.md. After the Zarr specifications 2 and
 * 3.0, and the codec "sharding_indexed" 1.0. */
#include "zarr_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_checked.h"
#include "tsr_num.h"
#include "tsr_shown.h"

enum { MAX_META_NBYTES = 16 << 20 };

void tsr_zarr_node_clear(tsr_zarr_node *node)
{
    json_decref(node->attributes);
    tsr_free(node->path);
    *node = (tsr_zarr_node){.kind = TSR_ZARR_NOTHING};
}

/* ---- JSON ---- */

/* Read the key `leaf` of the node; *out stays NULL when the store does not have it. */
static tsr_status load(json_t **out, const tsr_zarr_store *store, const char *path, const char *leaf,
                       tsr_error *err)
{
    tsr_text key = {0};
    tsr_array bytes;
    json_error_t fault;
    *out = NULL;
    tsr_text_addf(&key, "%s%s%s", path, *path ? "/" : "", leaf);
    tsr_status status = tsr_text_status(&key, err);
    if (status == TSR_OK)
        status = tsr_zarr_store_get(&bytes, store, key.s, MAX_META_NBYTES, err);
    if (status == TSR_OK && bytes.data) {
        *out = json_loadb(bytes.data, bytes.n, JSON_DECODE_ANY, &fault);
        if (!*out && json_error_code(&fault) == json_error_out_of_memory)
            status = tsr_fail(err, TSR_NOMEM, "out of memory");
        else if (!json_is_object(*out))
            status = tsr_fail(err, TSR_SYNTAX, "'%s' is not a JSON object: %s", tsr_text_cstr(&key),
                              *out ? "it is another value" : fault.text);
        tsr_array_clear(&bytes);
    }
    if (status != TSR_OK) {
        json_decref(*out);
        *out = NULL;
    }
    tsr_text_clear(&key);
    return status;
}

static tsr_status wrong(const char *key, tsr_error *err)
{
    return tsr_fail(err, TSR_SYNTAX, "the metadata of an array has no valid '%s'", key);
}

static tsr_status unsupported(const char *what, const char *name, tsr_error *err)
{
    char shown[TSR_SHOWN_NBYTES];
    return tsr_fail(err, TSR_UNSUPPORTED, "an array has the %s '%s', which is not supported", what,
                    tsr_show(shown, name ? name : "?"));
}

/* Take a list of integers from `low` on. *n: the number of them; -1 before: any number. */
static tsr_status take_list(uint64_t *out, int *n, int64_t low, const json_t *list, const char *key,
                            tsr_error *err)
{
    const size_t count = json_array_size(list);
    if (!json_is_array(list) || (*n >= 0 && count != (size_t)*n))
        return wrong(key, err);
    if (count > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "an array has %zu dimensions: at most %d are supported", count,
                        TSR_MAX_ORDER);
    for (size_t i = 0; i < count; i++) {
        const json_t *const v = json_array_get(list, i);
        if (!json_is_integer(v) || json_integer_value(v) < low)
            return wrong(key, err);
        out[i] = (uint64_t)json_integer_value(v);
    }
    *n = (int)count;
    return TSR_OK;
}

static const json_t *configuration(const json_t *codec, const char *key)
{
    return json_object_get(json_object_get(codec, "configuration"), key);
}

/* The name of a codec or grid: a text, or the "name" of an object. */
static const char *name_of(const json_t *json)
{
    return json_is_string(json) ? json_string_value(json) : json_string_value(json_object_get(json, "name"));
}

/* ---- fill values ---- */

static bool take_real(double *out, const json_t *json)
{
    const char *const text = json_string_value(json);
    if (text) {
        const char *const end = text + strlen(text);
        return tsr_parse_f64(out, text, end) == end; /* NaN, Infinity, -Infinity */
    }
    *out = json_is_true(json) ? 1 : json_is_number(json) ? json_number_value(json) : 0;
    return json_is_number(json) || json_is_boolean(json);
}

/* "0x7fc00000": the bits of the value, as version 3 allows. */
static bool take_bits(unsigned char *fill, const tsr_zarr_node *node, const char *text)
{
    uint64_t bits = 0;
    size_t n = 0;
    const size_t width = (size_t)node->npy.item_nbytes;
    if (!text || strncmp(text, "0x", 2) != 0 || !strchr("fV", node->npy.kind))
        return false;
    for (const char *p = text + 2; *p; p++, n++) {
        const char *const digits = "0123456789abcdef", *const at = strchr(digits, *p | 32);
        if (!at || n == 2 * width)
            return false;
        bits = bits << 4 | (uint64_t)(at - digits);
    }
    const uint32_t narrow = (uint32_t)bits;
    const uint16_t half = (uint16_t)bits;
    memcpy(fill, width == 8 ? (const void *)&bits : width == 4 ? (const void *)&narrow : &half, width);
    return n == 2 * width;
}

static tsr_status take_fill(tsr_zarr_node *node, const json_t *json, tsr_error *err)
{
    const tsr_type type = tsr_npy_type(&node->npy);
    double parts[2] = {0, 0};
    if (!json || json_is_null(json) || strchr("OSU", node->npy.kind) ||
        take_bits(node->fill, node, json_string_value(json)))
        return TSR_OK;
    bool good = false;
    if (json_is_integer(json) && tsr_type_class(type) != 'C') {
        const int64_t v = json_integer_value(json);
        return tsr_values_convert(node->fill, type, &v, TSR_I64, 1, err) == TSR_OK ? TSR_OK
                                                                                   : wrong("fill_value", err);
    }
    if (json_is_array(json))
        good = json_array_size(json) == 2 && take_real(&parts[0], json_array_get(json, 0)) &&
               take_real(&parts[1], json_array_get(json, 1));
    else
        good = take_real(&parts[0], json);
    good = good && tsr_values_convert(node->fill, type, parts, TSR_C128, 1, NULL) == TSR_OK;
    return good ? TSR_OK : wrong("fill_value", err);
}

/* ---- what both versions share ---- */

/* Count the elements of a chunk. */
static tsr_status finish_layout(tsr_zarr_layout *layout, const tsr_zarr_node *node, tsr_error *err)
{
    layout->n = 1;
    for (int m = 0; m < node->npy.order; m++)
        if (!tsr_mul_u64(&layout->n, layout->n, layout->chunk[m]))
            return tsr_fail(err, TSR_CORRUPT, "a chunk of an array has more than 2^64 cells");
    uint64_t nbytes;
    if (!tsr_mul_u64(&nbytes, layout->n, node->npy.item_nbytes + 1))
        return tsr_fail(err, TSR_CORRUPT, "a chunk of an array has more than 2^64 bytes");
    return TSR_OK;
}

static tsr_status finish_shape(tsr_zarr_node *node, tsr_error *err)
{
    node->npy.n = 1;
    for (int m = 0; m < node->npy.order; m++)
        if (!tsr_mul_u64(&node->npy.n, node->npy.n, node->npy.shape[m]))
            return tsr_fail(err, TSR_CORRUPT, "the shape of an array has more than 2^64 cells");
    return TSR_OK;
}

static void identity(int *perm, int order, bool reversed)
{
    for (int a = 0; a < order; a++)
        perm[a] = reversed ? order - 1 - a : a;
}

static void tell_storage(tsr_zarr_node *node, const char *compressor)
{
    char numbers[32];
    snprintf(numbers, sizeof numbers, "%" PRIu64, node->layout.n);
    snprintf(node->storage, sizeof node->storage, "%schunks of %s%s%.20s", node->sharded ? "shards, " : "",
             numbers, compressor ? ", " : "", compressor ? compressor : "");
}

/* ---- version 2 ---- */

static tsr_status take_type_2(tsr_zarr_node *node, const json_t *json, tsr_error *err)
{
    const char *const text = json_string_value(json_object_get(json, "dtype"));
    if (!text)
        return json_is_array(json_object_get(json, "dtype"))
                   ? unsupported("type", "structure of several fields", err)
                   : wrong("dtype", err);
    if (strcmp(text, "|O") != 0)
        return tsr_npy_parse_descr(&node->npy, text, strlen(text), err);
    node->npy.kind = 'O';
    return TSR_OK;
}

/* The filters, in the order of encoding, then the compressor. */
static tsr_status take_codecs_2(tsr_zarr_node *node, const json_t *json, tsr_error *err)
{
    const json_t *const filters = json_object_get(json, "filters");
    const json_t *const compressor = json_object_get(json, "compressor");
    for (size_t i = 0; i < json_array_size(filters); i++) {
        const json_t *const filter = json_array_get(filters, i), *const size =
                                                                     json_object_get(filter, "elementsize");
        const char *const id = json_string_value(json_object_get(filter, "id"));
        if (node->npy.kind == 'O' && id && strncmp(id, "vlen-", 5) == 0)
            continue;
        const json_int_t element = json_is_integer(size) ? json_integer_value(size) : 4;
        if (!id || element < 1 || element > 64)
            return wrong("filters", err);
        TSR_TRY(tsr_zarr_codecs_add(&node->layout.codecs, id, (size_t)element, err));
    }
    if (!compressor || json_is_null(compressor))
        return TSR_OK;
    const char *const id = json_string_value(json_object_get(compressor, "id"));
    return id ? tsr_zarr_codecs_add(&node->layout.codecs, id, 1, err) : wrong("compressor", err);
}

static tsr_status read_array_2(tsr_zarr_node *node, const json_t *json, tsr_error *err)
{
    const json_t *const version = json_object_get(json, "zarr_format");
    const char *const order = json_string_value(json_object_get(json, "order"));
    const char *const separator = json_string_value(json_object_get(json, "dimension_separator"));
    if (!json_is_integer(version) || json_integer_value(version) != 2)
        return wrong("zarr_format", err);
    TSR_TRY(take_type_2(node, json, err));
    node->npy.order = -1;
    TSR_TRY(take_list(node->npy.shape, &node->npy.order, 0, json_object_get(json, "shape"), "shape", err));
    TSR_TRY(
        take_list(node->layout.chunk, &node->npy.order, 1, json_object_get(json, "chunks"), "chunks", err));
    if (!order || (strcmp(order, "C") != 0 && strcmp(order, "F") != 0))
        return wrong("order", err);
    if (separator && strcmp(separator, ".") != 0 && strcmp(separator, "/") != 0)
        return wrong("dimension_separator", err);
    identity(node->layout.perm, node->npy.order, *order == 'F');
    node->separator = separator ? *separator : '.';
    node->layout.big_endian = node->npy.big_endian;
    TSR_TRY(take_codecs_2(node, json, err));
    TSR_TRY(finish_shape(node, err));
    TSR_TRY(finish_layout(&node->layout, node, err));
    tell_storage(node, json_string_value(json_object_get(json_object_get(json, "compressor"), "id")));
    return take_fill(node, json_object_get(json, "fill_value"), err);
}

/* ---- version 3 ---- */

static tsr_status take_type_3(tsr_zarr_node *node, const json_t *json, tsr_error *err)
{
    static const struct {
        const char *name;
        char kind;
        uint64_t nbytes;
    } types[] = {{"bool", 'b', 1},      {"int8", 'i', 1},        {"int16", 'i', 2},   {"int32", 'i', 4},
                 {"int64", 'i', 8},     {"uint8", 'u', 1},       {"uint16", 'u', 2},  {"uint32", 'u', 4},
                 {"uint64", 'u', 8},    {"float16", 'f', 2},     {"float32", 'f', 4}, {"float64", 'f', 8},
                 {"complex64", 'c', 8}, {"complex128", 'c', 16}, {"string", 'O', 0},  {"bfloat16", 'V', 2}};
    const char *const name = name_of(json_object_get(json, "data_type"));
    for (size_t i = 0; name && i < sizeof types / sizeof *types; i++)
        if (strcmp(name, types[i].name) == 0) {
            node->npy.kind = types[i].kind;
            node->npy.item_nbytes = types[i].nbytes;
            return TSR_OK;
        }
    return name ? unsupported("type", name, err) : wrong("data_type", err);
}

/* The order of the axes: [2, 0, 1], "C" or "F". */
static tsr_status take_transpose(int *perm, const tsr_zarr_node *node, const json_t *codec, tsr_error *err)
{
    const json_t *const order = configuration(codec, "order");
    const char *const letter = json_string_value(order);
    uint64_t modes[TSR_MAX_ORDER];
    bool seen[TSR_MAX_ORDER] = {false};
    int n = node->npy.order;
    if (letter && (strcmp(letter, "C") == 0 || strcmp(letter, "F") == 0)) {
        identity(perm, n, *letter == 'F');
        return TSR_OK;
    }
    TSR_TRY(take_list(modes, &n, 0, order, "order", err));
    for (int a = 0; a < n; a++) {
        if (modes[a] >= (uint64_t)n || seen[modes[a]])
            return wrong("order", err);
        seen[modes[a]] = true;
        perm[a] = (int)modes[a];
    }
    return TSR_OK;
}

static tsr_status take_endian(bool *big_endian, const json_t *codec, tsr_error *err)
{
    const json_t *const endian = configuration(codec, "endian");
    const char *const text = json_string_value(endian);
    if (endian && (!text || (strcmp(text, "little") != 0 && strcmp(text, "big") != 0)))
        return wrong("endian", err);
    *big_endian = text && strcmp(text, "big") == 0;
    return TSR_OK;
}

/* Take the list of codecs: axes, then bytes, then codecs of bytes. *shard (may be NULL: not allowed here) is
 * the codec "sharding_indexed" if it stands for "bytes". *compressor: the name of the last codec. */
static tsr_status take_codecs_3(tsr_zarr_layout *layout, const json_t **shard, const char **compressor,
                                const tsr_zarr_node *node, const json_t *list, tsr_error *err)
{
    bool bytes = false;
    identity(layout->perm, node->npy.order, false);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *const codec = json_array_get(list, i);
        const char *const name = name_of(codec);
        if (!name)
            return wrong("codecs", err);
        if (!bytes && i == 0 && strcmp(name, "transpose") == 0) {
            TSR_TRY(take_transpose(layout->perm, node, codec, err));
        } else if (!bytes && strcmp(name, "bytes") == 0) {
            bytes = true;
            TSR_TRY(take_endian(&layout->big_endian, codec, err));
        } else if (!bytes && node->npy.kind == 'O' && strncmp(name, "vlen-", 5) == 0) {
            bytes = true;
        } else if (shard && i == 0 && json_array_size(list) == 1 && strcmp(name, "sharding_indexed") == 0) {
            *shard = codec;
            return TSR_OK;
        } else if (bytes) {
            *compressor = strcmp(name, "crc32c") == 0 ? *compressor : name;
            TSR_TRY(tsr_zarr_codecs_add(&layout->codecs, name, 1, err));
        } else {
            return unsupported("codec", name, err);
        }
    }
    return bytes ? TSR_OK : wrong("codecs", err);
}

/* A shard: the shape of its parts, the codecs of the parts and of the index. */
static tsr_status take_shard(tsr_zarr_node *node, const char **compressor, const json_t *codec,
                             tsr_error *err)
{
    const json_t *const location = configuration(codec, "index_location");
    const char *const place = location ? json_string_value(location) : "end";
    tsr_zarr_layout index = {.n = 0};
    const char *none = NULL;
    node->sharded = true;
    memcpy(node->shard, node->layout.chunk, sizeof node->shard);
    TSR_TRY(take_list(node->layout.chunk, &node->npy.order, 1, configuration(codec, "chunk_shape"),
                      "chunk_shape", err));
    for (int m = 0; m < node->npy.order; m++)
        if (node->shard[m] % node->layout.chunk[m] != 0)
            return tsr_fail(err, TSR_CORRUPT, "a shard of an array does not have a whole number of chunks");
    TSR_TRY(take_codecs_3(&node->layout, NULL, compressor, node, configuration(codec, "codecs"), err));
    TSR_TRY(take_codecs_3(&index, NULL, &none, &(const tsr_zarr_node){.npy.order = 0},
                          configuration(codec, "index_codecs"), err));
    if (index.big_endian || none)
        return unsupported("index codec", none ? none : "bytes (big-endian)", err);
    if (!place || (strcmp(place, "end") != 0 && strcmp(place, "start") != 0))
        return wrong("index_location", err);
    node->index_codecs = index.codecs;
    node->index_first = *place == 's';
    return TSR_OK;
}

static tsr_status read_keys_3(tsr_zarr_node *node, const json_t *json, tsr_error *err)
{
    const json_t *const encoding = json_object_get(json, "chunk_key_encoding");
    const char *const keys = name_of(encoding);
    const json_t *const separator = configuration(encoding, "separator");
    if (!keys)
        return wrong("chunk_key_encoding", err);
    if (strcmp(keys, "default") != 0 && strcmp(keys, "v2") != 0)
        return unsupported("chunk_key_encoding", keys, err);
    node->dotted = *keys == 'd';
    node->separator = *keys == 'd' ? '/' : '.';
    if (!separator)
        return TSR_OK;
    const char *const text = json_string_value(separator);
    if (!text || (strcmp(text, "/") != 0 && strcmp(text, ".") != 0))
        return wrong("separator", err);
    node->separator = *text;
    return TSR_OK;
}

static tsr_status read_array_3(tsr_zarr_node *node, const json_t *json, tsr_error *err)
{
    const json_t *const grid = json_object_get(json, "chunk_grid");
    const json_t *shard = NULL;
    const char *const grid_name = name_of(grid), *compressor = NULL;
    TSR_TRY(take_type_3(node, json, err));
    node->npy.order = -1;
    TSR_TRY(take_list(node->npy.shape, &node->npy.order, 0, json_object_get(json, "shape"), "shape", err));
    if (!grid_name || strcmp(grid_name, "regular") != 0)
        return unsupported("chunk_grid", grid_name, err);
    TSR_TRY(take_list(node->layout.chunk, &node->npy.order, 1, configuration(grid, "chunk_shape"),
                      "chunk_shape", err));
    TSR_TRY(read_keys_3(node, json, err));
    if (json_array_size(json_object_get(json, "storage_transformers")) > 0)
        return unsupported("feature", "storage_transformers", err);
    TSR_TRY(take_codecs_3(&node->layout, &shard, &compressor, node, json_object_get(json, "codecs"), err));
    if (shard)
        TSR_TRY(take_shard(node, &compressor, shard, err));
    TSR_TRY(finish_shape(node, err));
    TSR_TRY(finish_layout(&node->layout, node, err));
    tell_storage(node, compressor);
    return take_fill(node, json_object_get(json, "fill_value"), err);
}

static tsr_status read_node_3(tsr_zarr_node *node, json_t *json, tsr_error *err)
{
    const char *const type = json_string_value(json_object_get(json, "node_type"));
    const json_t *const version = json_object_get(json, "zarr_format");
    node->version = 3;
    if (!json_is_integer(version) || json_integer_value(version) != 3)
        return wrong("zarr_format", err);
    node->attributes = json_incref(json_object_get(json, "attributes"));
    node->kind = TSR_ZARR_GROUP;
    if (type && strcmp(type, "group") == 0)
        return TSR_OK;
    node->kind = TSR_ZARR_ARRAY;
    return type && strcmp(type, "array") == 0 ? read_array_3(node, json, err) : wrong("node_type", err);
}

/* ---- nodes ---- */

static tsr_status read_node_2(tsr_zarr_node *node, const tsr_zarr_store *store, const char *path,
                              tsr_error *err)
{
    json_t *json = NULL;
    TSR_TRY(load(&json, store, path, ".zarray", err));
    if (json) {
        node->kind = TSR_ZARR_ARRAY;
        const tsr_status status = read_array_2(node, json, err);
        json_decref(json);
        TSR_TRY(status);
    } else {
        TSR_TRY(load(&json, store, path, ".zgroup", err));
        node->kind = json ? TSR_ZARR_GROUP : TSR_ZARR_NOTHING;
        json_decref(json);
    }
    node->version = 2;
    return node->kind == TSR_ZARR_NOTHING ? TSR_OK : load(&node->attributes, store, path, ".zattrs", err);
}

tsr_status tsr_zarr_node_read(tsr_zarr_node *out, const tsr_zarr_store *store, const char *path,
                              tsr_error *err)
{
    json_t *json = NULL;
    *out = (tsr_zarr_node){.kind = TSR_ZARR_NOTHING, .path = tsr_strdup(path)};
    tsr_status status =
        out->path ? load(&json, store, path, "zarr.json", err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK)
        status = json ? read_node_3(out, json, err) : read_node_2(out, store, path, err);
    json_decref(json);
    if (status != TSR_OK)
        tsr_zarr_node_clear(out);
    return status;
}

/* ---- the metadata of all nodes together ---- */

void tsr_zarr_unfold_metadata(tsr_zarr_store *store)
{
    json_t *root = NULL, *value;
    const char *name;
    if (!tsr_zarr_store_is_fetched(store) || load(&root, store, "", "zarr.json", NULL) != TSR_OK)
        return;
    const bool third = root != NULL;
    if (!third && load(&root, store, "", ".zmetadata", NULL) != TSR_OK)
        return;
    json_t *const all =
        json_object_get(third ? json_object_get(root, "consolidated_metadata") : root, "metadata");
    if (!all) { /* files are not listed: ask for AnnData's matrix, which is read where no name is given */
        tsr_zarr_node usual;
        if (tsr_zarr_node_read(&usual, store, "X", NULL) == TSR_OK)
            tsr_zarr_node_clear(&usual);
    }
    json_object_foreach(all, name, value)
    {
        char *const text = json_dumps(value, JSON_ENCODE_ANY);
        tsr_text key = {0};
        tsr_text_addf(&key, "%s%s", name, third ? "/zarr.json" : "");
        if (text && tsr_text_status(&key, NULL) == TSR_OK)
            tsr_zarr_store_put(store, key.s, text);
        tsr_text_clear(&key);
        free(text);
    }
    json_decref(root);
}
