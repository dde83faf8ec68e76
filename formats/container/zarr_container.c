/* Zarr as a container: see container.h and zarr.md. Attributes and arrays are those of JSON and of chunks. */
#include "zarr_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "container.h"
#include "file_bytes.h"
#include "tsr_shown.h"
#include "zarr_write.h"

typedef struct zarr {
    tsr_container base;
    tsr_zarr_store *store;   /* what is there; NULL: a new store */
    tsr_zarr_writer *writer; /* NULL: the store is only read */
    tsr_text group;          /* the path of the current group; "" is the root */
    tsr_zarr_node node;      /* the node that was looked at last */
} zarr;

static zarr *of(tsr_container *c)
{
    return (zarr *)c; /* `base` is the first member */
}

static void free_zarr(tsr_container *c)
{
    zarr *const z = of(c);
    tsr_zarr_node_clear(&z->node);
    tsr_zarr_writer_free(z->writer);
    tsr_zarr_store_free(z->store);
    tsr_text_clear(&z->group);
    tsr_free(z);
}

static tsr_status new_zarr(zarr **out, tsr_error *err)
{
    *out = tsr_calloc(1, sizeof **out);
    if (!*out)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    (*out)->base.type = &tsr_container_zarr;
    return TSR_OK;
}

static tsr_status open_store(tsr_container **out, const char *path, tsr_error *err)
{
    zarr *z;
    *out = NULL;
    TSR_TRY(new_zarr(&z, err));
    const tsr_status status = tsr_zarr_store_open(&z->store, path, err);
    if (status == TSR_OK) {
        tsr_zarr_unfold_metadata(z->store);
        *out = &z->base;
    } else {
        free_zarr(&z->base);
    }
    return status;
}

/* A folder, or a ZIP archive. */
static bool claims(const char *path)
{
    struct stat st;
    tsr_file file;
    char head[4] = "";
    if (stat(path, &st) != 0)
        return false;
    if (S_ISDIR(st.st_mode))
        return true;
    if (!S_ISREG(st.st_mode) || tsr_file_open(&file, path, NULL) != TSR_OK)
        return false;
    const bool is =
        tsr_file_peek(head, sizeof head, &file, 0) == sizeof head && memcmp(head, "PK\3\4", 4) == 0;
    tsr_file_close(&file);
    return is;
}

static bool ends_with(const char *s, const char *tail)
{
    const size_t n = strlen(s), t = strlen(tail);
    return n >= t && strcmp(s + n - t, tail) == 0;
}

static bool claims_name(const char *path)
{
    tsr_zarr_store *store = NULL;
    const bool is = ends_with(path, ".zarr") || ends_with(path, ".zarr.zip") ||
                    tsr_zarr_store_open(&store, path, NULL) == TSR_OK;
    tsr_zarr_store_free(store);
    return is;
}

/* ---- paths and nodes ---- */

/* A path such as "../x" would leave the store. */
static bool leaves_store(const char *path)
{
    for (const char *p = path; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || p[2] == '\0'))
            return true;
    }
    return false;
}

/* Append the parts of a path, without empty ones, to a path. */
static tsr_status add_path(tsr_text *to, const char *path, tsr_error *err)
{
    if (leaves_store(path))
        return tsr_fail(err, TSR_ARGUMENT, "'%s' is not a path inside the store", path);
    for (size_t n; *path; path += n) {
        n = strcspn(path, "/");
        if (n == 0) {
            n = 1;
            continue;
        }
        if (to->nbytes > 0)
            tsr_text_add(to, "/");
        tsr_text_add_n(to, path, n);
    }
    return tsr_text_status(to, err);
}

/* The path of a member of the current group; name NULL: of the group. */
static tsr_status full_path(tsr_text *out, const zarr *z, const char *name, tsr_error *err)
{
    tsr_text_add(out, tsr_text_cstr(&z->group));
    return name ? add_path(out, name, err) : tsr_text_status(out, err);
}

/* Set z->node to the node of a member (NULL: the current group). */
static tsr_status get_node(zarr *z, const char *name, tsr_error *err)
{
    tsr_text path = {0};
    tsr_status status = full_path(&path, z, name, err);
    if (status == TSR_OK && !(z->node.path && strcmp(z->node.path, tsr_text_cstr(&path)) == 0)) {
        tsr_zarr_node_clear(&z->node);
        if (z->store)
            status = tsr_zarr_node_read(&z->node, z->store, tsr_text_cstr(&path), err);
    }
    tsr_text_clear(&path);
    return status;
}

static tsr_status enter(tsr_container *c, const char *group, tsr_error *err)
{
    zarr *const z = of(c);
    char shown[TSR_SHOWN_NBYTES];
    TSR_TRY(add_path(&z->group, group, err));
    if (z->writer)
        return tsr_zarr_writer_group(z->writer, tsr_text_cstr(&z->group), err);
    TSR_TRY(get_node(z, NULL, err));
    if (z->node.kind == TSR_ZARR_GROUP || z->group.nbytes == 0)
        return TSR_OK;
    return z->node.kind == TSR_ZARR_ARRAY
               ? tsr_fail(err, TSR_CORRUPT, "'%s' is not a group", tsr_show(shown, group))
               : tsr_fail(err, TSR_ARGUMENT, "there is no group '%s'", tsr_show(shown, group));
}

static tsr_status leave(tsr_container *c, tsr_error *err)
{
    (void)err;
    tsr_text_clear(&of(c)->group);
    return TSR_OK;
}

/* A node whose metadata cannot be read is shown as an array: looking at it gives the reason. */
static tsr_node kind_of(zarr *z, const char *name)
{
    if (get_node(z, name, NULL) != TSR_OK)
        return TSR_NODE_ARRAY;
    return z->node.kind == TSR_ZARR_GROUP   ? TSR_NODE_GROUP
           : z->node.kind == TSR_ZARR_ARRAY ? TSR_NODE_ARRAY
                                            : TSR_NODE_NONE;
}

static tsr_node look_up(tsr_container *c, const char *name)
{
    zarr *const z = of(c);
    tsr_text path = {0};
    tsr_node kind = TSR_NODE_NONE;
    if (z->writer && full_path(&path, z, name, NULL) == TSR_OK)
        kind = tsr_zarr_writer_has(z->writer, tsr_text_cstr(&path));
    tsr_text_clear(&path);
    return kind == TSR_NODE_NONE ? kind_of(z, name) : kind;
}

static tsr_status list(tsr_text *names, tsr_container *c, tsr_error *err)
{
    enum { MOST = 1000 };
    zarr *const z = of(c);
    tsr_text found = {0};
    tsr_status status = TSR_OK;
    if (z->store)
        status = tsr_zarr_store_list(&found, z->store, tsr_text_cstr(&z->group), MOST, err);
    for (size_t at = 0; status == TSR_OK && at < found.nbytes; at += strlen(found.s + at) + 1) {
        const tsr_node kind = kind_of(z, found.s + at);
        if (kind == TSR_NODE_NONE)
            continue;
        tsr_text_add_n(names, kind == TSR_NODE_GROUP ? "g" : "d", 1);
        tsr_text_add_n(names, found.s + at, strlen(found.s + at) + 1);
    }
    tsr_text_clear(&found);
    return status == TSR_OK ? tsr_text_status(names, err) : status;
}

/* ---- attributes ---- */

static const json_t *attribute_of(zarr *z, const char *name, const char *attribute)
{
    return get_node(z, name, NULL) == TSR_OK ? json_object_get(z->node.attributes, attribute) : NULL;
}

/* A walk through the groups below one that looks for an attribute. */
typedef struct search {
    zarr *z;
    const char *attribute;
    tsr_text *paths;
    int nfound, nseen;
    bool more;
} search;

static tsr_status search_group(search *s, const char *below, int depth, tsr_error *err)
{
    enum { MAX_DEPTH = 8, MAX_SEEN = 1000, MAX_FOUND = 64 };
    tsr_text names = {0}, path = {0}, full = {0};
    tsr_status status = full_path(&full, s->z, below, err);
    if (status == TSR_OK)
        status = tsr_zarr_store_list(&names, s->z->store, tsr_text_cstr(&full), MAX_SEEN, err);
    for (size_t at = 0; status == TSR_OK && at < names.nbytes; at += strlen(names.s + at) + 1) {
        if (s->nseen++ >= MAX_SEEN || s->nfound >= MAX_FOUND) {
            s->more = true;
            break;
        }
        tsr_text_clear(&path);
        tsr_text_addf(&path, "%s%s%s", below, *below ? "/" : "", names.s + at);
        TSR_TRY_OUT(tsr_text_status(&path, err));
        if (attribute_of(s->z, path.s, s->attribute)) {
            tsr_text_add_n(s->paths, path.s, path.nbytes + 1);
            s->nfound++;
        }
        if (depth < MAX_DEPTH && kind_of(s->z, path.s) == TSR_NODE_GROUP)
            TSR_TRY_OUT(search_group(s, path.s, depth + 1, err));
    }
out:
    tsr_text_clear(&names);
    tsr_text_clear(&path);
    tsr_text_clear(&full);
    return status;
}

static tsr_status list_groups(tsr_text *paths, bool *more, tsr_container *c, const char *attribute,
                              tsr_error *err)
{
    search s = {.z = of(c), .attribute = attribute, .paths = paths};
    TSR_TRY(search_group(&s, "", 0, err));
    *more = s.more;
    return tsr_text_status(paths, err);
}

static tsr_status list_attributes(tsr_text *names, tsr_container *c, tsr_error *err)
{
    zarr *const z = of(c);
    const char *key;
    json_t *value;
    TSR_TRY(get_node(z, NULL, err));
    json_object_foreach(z->node.attributes, key, value) tsr_text_add_n(names, key, strlen(key) + 1);
    return tsr_text_status(names, err);
}

/* The text of an attribute; an object as JSON. */
static tsr_status take_text(char **out, size_t *nbytes, const json_t *json, tsr_error *err)
{
    *out = NULL;
    *nbytes = 0;
    if (json_is_string(json)) {
        *out = tsr_strdup(json_string_value(json));
    } else if (json_is_object(json)) {
        char *const text = json_dumps(json, JSON_COMPACT);
        *out = text ? tsr_strdup(text) : NULL;
        free(text);
    } else {
        return TSR_OK;
    }
    if (!*out)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    *nbytes = strlen(*out);
    return TSR_OK;
}

static tsr_status read_text(char **out, size_t *nbytes, tsr_container *c, const char *attribute,
                            tsr_error *err)
{
    *out = NULL;
    TSR_TRY(get_node(of(c), NULL, err));
    return take_text(out, nbytes, json_object_get(of(c)->node.attributes, attribute), err);
}

static tsr_status text_of(char **out, tsr_container *c, const char *name, const char *attribute,
                          tsr_error *err)
{
    size_t nbytes;
    return take_text(out, &nbytes, attribute_of(of(c), name, attribute), err);
}

static int integers_of(int64_t *out, int most, tsr_container *c, const char *name, const char *attribute)
{
    const json_t *const json = attribute_of(of(c), name, attribute);
    const size_t n = json_is_array(json) ? json_array_size(json) : json ? 1 : 0;
    for (size_t i = 0; i < n; i++) {
        const json_t *const v = json_is_array(json) ? json_array_get(json, i) : json;
        if (!json_is_integer(v))
            return 0;
        if (i < (size_t)most)
            out[i] = json_integer_value(v);
    }
    return n < INT32_MAX ? (int)n : INT32_MAX;
}

/* ---- arrays ---- */

static tsr_status look(tsr_stored *out, char *storage, tsr_container *c, const char *name, bool wide,
                       tsr_error *err)
{
    zarr *const z = of(c);
    char shown[TSR_SHOWN_NBYTES];
    TSR_TRY(get_node(z, name, err));
    const tsr_npy *const npy = &z->node.npy;
    if (z->node.kind != TSR_ZARR_ARRAY)
        return tsr_fail(err, TSR_CORRUPT,
                        z->node.kind == TSR_ZARR_GROUP ? "'%s' is a group, not an array"
                                                       : "array '%s' is missing",
                        tsr_show(shown, name));
    if (strchr("OSU", npy->kind))
        return tsr_fail(err, TSR_CORRUPT, "'%s' has texts where numbers are expected",
                        tsr_show(shown, *name ? name : "the root"));
    if (!wide && npy->order != 1)
        return tsr_fail(err, TSR_CORRUPT, "'%s' is not an array of one dimension", tsr_show(shown, name));
    if (!wide && npy->kind == 'c')
        return tsr_fail(err, TSR_CORRUPT, "array '%s' has complex numbers where real ones are expected",
                        tsr_show(shown, name));
    *out = (tsr_stored){.type = tsr_npy_type(npy),
                        .n = npy->n,
                        .wide = wide,
                        .boolean = wide && npy->kind == 'b',
                        .width = (size_t)npy->item_nbytes,
                        .ndims = npy->order,
                        .chunk_n = npy->order == 1  ? z->node.layout.chunk[0]
                                   : npy->order > 1 ? tsr_zarr_strip(&z->node)
                                                    : 0};
    snprintf(out->name, sizeof out->name, "%s", name);
    memcpy(out->dims, npy->shape, sizeof out->dims);
    if (!storage)
        return tsr_zarr_array_check(z->store, &z->node, err);
    snprintf(storage, TSR_STORAGE_NBYTES, "%s", z->node.storage);
    return TSR_OK;
}

static tsr_status read_array(void *out, tsr_container *c, const tsr_stored *array, tsr_job *job,
                             tsr_error *err)
{
    zarr *const z = of(c);
    TSR_TRY(get_node(z, array->name, err));
    return tsr_zarr_array_read(out, z->store, &z->node, job, err);
}

/* Chunks of all arrays are decoded side by side. */
static tsr_status read_all(tsr_container *c, const tsr_wanted *arrays, int n, tsr_job *job, tsr_error *err)
{
    zarr *const z = of(c);
    tsr_zarr_node *const nodes = tsr_calloc(TSR_MAX_WANTED, sizeof *nodes);
    tsr_zarr_target targets[TSR_MAX_WANTED];
    tsr_text path = {0};
    tsr_status status = nodes ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    for (int i = 0; i < n && status == TSR_OK; i++) {
        tsr_text_clear(&path);
        status = full_path(&path, z, arrays[i].array->name, err);
        if (status == TSR_OK)
            status = tsr_zarr_node_read(&nodes[i], z->store, tsr_text_cstr(&path), err);
        if (status == TSR_OK && (nodes[i].kind != TSR_ZARR_ARRAY || nodes[i].npy.n != arrays[i].array->n ||
                                 nodes[i].npy.item_nbytes != arrays[i].array->width))
            status =
                tsr_fail(err, TSR_CORRUPT, "array '%s' changed while it was read", arrays[i].array->name);
        targets[i] = (tsr_zarr_target){arrays[i].out, &nodes[i]};
    }
    if (status == TSR_OK)
        status = tsr_zarr_arrays_read(targets, n, z->store, job, err);
    for (int i = 0; nodes && i < n; i++)
        tsr_zarr_node_clear(&nodes[i]);
    tsr_free(nodes);
    tsr_text_clear(&path);
    return status;
}

static tsr_status read_part(void *out, tsr_container *c, const tsr_stored *array, uint64_t first, uint64_t n,
                            tsr_error *err)
{
    zarr *const z = of(c);
    TSR_TRY(get_node(z, array->name, err));
    return tsr_zarr_array_read_part(out, z->store, &z->node, first, n, err);
}

static tsr_status read_names(tsr_names *out, tsr_container *c, const char *name, tsr_error *err)
{
    zarr *const z = of(c);
    TSR_TRY(get_node(z, name, err));
    return tsr_zarr_array_read_texts(out, z->store, &z->node, err);
}

/* ---- writing ---- */

static tsr_status write_text(tsr_container *c, const char *name, const char *attribute, const char *text,
                             tsr_error *err)
{
    zarr *const z = of(c);
    tsr_text path = {0};
    tsr_status status = full_path(&path, z, name, err);
    json_t *json = NULL;
    if (text && *text == '{') /* JSON becomes an object, as other programs write it to Zarr */
        json = json_loads(text, 0, NULL);
    if (text && !json)
        json = json_string(text);
    if (status == TSR_OK && text && !json)
        status = tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK)
        status = tsr_zarr_writer_attribute(z->writer, tsr_text_cstr(&path), attribute, json, err);
    else
        json_decref(json);
    tsr_text_clear(&path);
    return status;
}

static tsr_status write_integers(tsr_container *c, const char *attribute, const int64_t *values, int n,
                                 tsr_error *err)
{
    zarr *const z = of(c);
    json_t *json = n < 0 ? json_integer(values[0]) : json_array();
    for (int i = 0; i < n && json; i++)
        if (json_array_append_new(json, json_integer(values[i])) != 0) {
            json_decref(json);
            json = NULL;
        }
    if (!json)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    return tsr_zarr_writer_attribute(z->writer, tsr_text_cstr(&z->group), attribute, json, err);
}

static tsr_status write_array(tsr_container *c, const tsr_stored *array, const tsr_supply *supply,
                              int deflate, tsr_job *job, tsr_error *err)
{
    zarr *const z = of(c);
    tsr_text path = {0};
    tsr_status status = full_path(&path, z, array->name, err);
    if (status == TSR_OK)
        status = tsr_zarr_writer_array(z->writer, &(tsr_zarr_array){tsr_text_cstr(&path), array, deflate},
                                       supply, job, err);
    tsr_text_clear(&path);
    return status;
}

static tsr_status write_texts(tsr_container *c, const char *name, const char *texts, size_t width, uint64_t n,
                              tsr_error *err)
{
    zarr *const z = of(c);
    tsr_text path = {0};
    tsr_status status = full_path(&path, z, name, err);
    if (status == TSR_OK)
        status = tsr_zarr_writer_texts(z->writer, tsr_text_cstr(&path), texts, width, n, err);
    tsr_text_clear(&path);
    return status;
}

static tsr_status remove_member(tsr_container *c, const char *name, tsr_error *err)
{
    zarr *const z = of(c);
    tsr_text path = {0};
    tsr_status status = full_path(&path, z, name, err);
    if (status == TSR_OK)
        status = tsr_zarr_writer_remove(z->writer, tsr_text_cstr(&path), err);
    tsr_text_clear(&path);
    return status;
}

/* Whether something stands at the path, so that an object is written into it. */
static bool is_there(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

static tsr_status write_store(const char *path, const tsr_filling *what, const tsr_write_options *options,
                              uint64_t *nbytes, tsr_error *err)
{
    const char *object;
    zarr *z = NULL;
    char *const file = tsr_path_split(&object, path);
    tsr_status status = file ? new_zarr(&z, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK && object && is_there(file))
        status = tsr_zarr_store_open(&z->store, file, err);
    if (status == TSR_OK)
        status = tsr_zarr_writer_new(&z->writer, file, z->store, options, err);
    if (status == TSR_OK)
        status = what->write(&z->base, object, what->ctx, err);
    if (status == TSR_OK)
        status = tsr_zarr_writer_commit(z->writer, nbytes, err);
    if (z)
        free_zarr(&z->base);
    tsr_free(file);
    return status;
}

const tsr_container_type tsr_container_zarr = {
    .name = "Zarr",
    .cuts = true,
    .word = "array",
    .claims = claims,
    .claims_name = claims_name,
    .open = open_store,
    .write = write_store,
    .free = free_zarr,
    .enter = enter,
    .leave = leave,
    .look_up = look_up,
    .list = list,
    .list_groups = list_groups,
    .list_attributes = list_attributes,
    .read_text = read_text,
    .text_of = text_of,
    .integers_of = integers_of,
    .look = look,
    .read = read_array,
    .read_all = read_all,
    .read_part = read_part,
    .read_names = read_names,
    .write_text = write_text,
    .write_integers = write_integers,
    .write_array = write_array,
    .write_texts = write_texts,
    .remove = remove_member,
};
