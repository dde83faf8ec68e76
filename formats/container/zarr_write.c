/* Writing Zarr stores: groups, attributes and metadata, and putting them in place. See zarr_write.h and zarr.md. Keys go to a
 * temporary folder (or archive) beside the store; the commit renames. */
#include "zarr_write.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tsr_folder.h"
#include "zip_io.h"

/* A node that is written. */
typedef struct node {
    char *path;         /* owned */
    json_t *meta;       /* owned; NULL: a group */
    json_t *attributes; /* owned */
    bool old;           /* a group of the old store, of which only the attributes are written */
} node;

struct tsr_zarr_writer {
    const tsr_zarr_store *old; /* borrowed; NULL: a new store */
    tsr_write_options options;
    int version;             /* 2 or 3 */
    char *file;              /* owned: the store */
    tsr_folder temp;         /* keys of a folder are written to temp/store */
    tsr_text root;           /* "temp/store" */
    tsr_zip_writer *archive; /* owned; NULL: a folder */
    node *nodes;             /* owned */
    size_t nnodes, capacity;
    tsr_text removed; /* paths of old nodes that are replaced, each ended by NUL */
    atomic_uint_least64_t nbytes;
};

int tsr_zarr_writer_version(const tsr_zarr_writer *w)
{
    return w->version;
}

const tsr_write_options *tsr_zarr_writer_options(const tsr_zarr_writer *w)
{
    return &w->options;
}

bool tsr_zarr_writer_in_order(const tsr_zarr_writer *w)
{
    return w->archive != NULL;
}

static tsr_status out_of_memory(tsr_error *err)
{
    return tsr_fail(err, TSR_NOMEM, "out of memory");
}

/* ---- keys ---- */

/* Make the folders above a file of the temporary folder. */
static void make_above(char *path, size_t nroot)
{
    for (char *p = path + nroot + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        (void)mkdir(path, 0777); /* the open that follows says why it fails */
        *p = '/';
    }
}

static tsr_status write_all(int fd, const void *bytes, uint64_t n, tsr_error *err)
{
    for (const char *p = bytes; n > 0;) {
        const ssize_t k = write(fd, p, n < 1 << 30 ? (size_t)n : 1 << 30);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return tsr_fail_errno(err, errno, NULL, "cannot write");
        p += k;
        n -= (uint64_t)k;
    }
    return TSR_OK;
}

static tsr_status put_file(tsr_zarr_writer *w, const char *key, const void *bytes, uint64_t n, tsr_error *err)
{
    tsr_text path = {0};
    tsr_text_addf(&path, "%s/%s", w->root.s, key);
    tsr_status status = tsr_text_status(&path, err);
    if (status != TSR_OK)
        return status;
    int fd = open(path.s, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0 && errno == ENOENT) {
        make_above(path.s, w->root.nbytes);
        fd = open(path.s, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    }
    status = fd < 0 ? tsr_fail_errno(err, errno, NULL, "cannot write") : write_all(fd, bytes, n, err);
    if (fd >= 0 && close(fd) != 0 && status == TSR_OK)
        status = tsr_fail_errno(err, errno, NULL, "cannot write");
    tsr_text_clear(&path);
    return status;
}

tsr_status tsr_zarr_writer_put(tsr_zarr_writer *w, const char *key, const void *bytes, uint64_t n,
                               tsr_error *err)
{
    const tsr_zip_piece piece = {.data = bytes, .nbytes = n};
    atomic_fetch_add(&w->nbytes, n);
    return w->archive ? tsr_zip_writer_add(w->archive, key, &piece, 1, err) : put_file(w, key, bytes, n, err);
}

/* Take json, and write it to the key `leaf` of the node. */
static tsr_status put_json(tsr_zarr_writer *w, const char *path, const char *leaf, json_t *json,
                           tsr_error *err)
{
    tsr_text key = {0};
    char *const text = json ? json_dumps(json, JSON_INDENT(4) | JSON_ENCODE_ANY) : NULL;
    json_decref(json);
    tsr_text_addf(&key, "%s%s%s", path, *path ? "/" : "", leaf);
    tsr_status status = text ? tsr_text_status(&key, err) : out_of_memory(err);
    if (status == TSR_OK)
        status = tsr_zarr_writer_put(w, key.s, text, strlen(text), err);
    free(text);
    tsr_text_clear(&key);
    return status;
}

/* ---- nodes ---- */

static node *find(const tsr_zarr_writer *w, const char *path)
{
    for (size_t i = 0; i < w->nnodes; i++)
        if (strcmp(w->nodes[i].path, path) == 0)
            return &w->nodes[i];
    return NULL;
}

tsr_node tsr_zarr_writer_has(const tsr_zarr_writer *w, const char *path)
{
    const node *const found = find(w, path);
    return !found ? TSR_NODE_NONE : found->meta ? TSR_NODE_ARRAY : TSR_NODE_GROUP;
}

static void clear_node(node *n)
{
    json_decref(n->meta);
    json_decref(n->attributes);
    tsr_free(n->path);
}

/* Take meta and attributes (NULL: none). */
static tsr_status add_node(tsr_zarr_writer *w, const char *path, json_t *meta, json_t *attributes,
                           tsr_error *err)
{
    const size_t more = w->capacity ? 2 * w->capacity : 16;
    node made = {
        .path = tsr_strdup(path), .meta = meta, .attributes = attributes ? attributes : json_object()};
    node *const nodes = w->nnodes < w->capacity ? w->nodes : tsr_realloc(w->nodes, more * sizeof *w->nodes);
    if (nodes && nodes != w->nodes)
        w->capacity = more;
    if (nodes)
        w->nodes = nodes;
    if (!nodes || !made.path || !made.attributes) {
        clear_node(&made);
        return out_of_memory(err);
    }
    w->nodes[w->nnodes++] = made;
    return TSR_OK;
}

/* Whether `path` is `above`, or below it. */
static bool is_in(const char *path, const char *above)
{
    const size_t n = strlen(above);
    return n == 0 || (strncmp(path, above, n) == 0 && (path[n] == '/' || path[n] == '\0'));
}

/* Read the node of the old store, unless it is replaced. */
static bool get_old(tsr_zarr_node *out, const tsr_zarr_writer *w, const char *path)
{
    *out = (tsr_zarr_node){.kind = TSR_ZARR_NOTHING};
    for (size_t at = 0; at < w->removed.nbytes; at += strlen(w->removed.s + at) + 1)
        if (is_in(path, w->removed.s + at))
            return false;
    return w->old && tsr_zarr_node_read(out, w->old, path, NULL) == TSR_OK && out->kind != TSR_ZARR_NOTHING;
}

static bool is_old_group(const tsr_zarr_writer *w, const char *path)
{
    tsr_zarr_node found;
    const bool is = get_old(&found, w, path) && found.kind == TSR_ZARR_GROUP;
    tsr_zarr_node_clear(&found);
    return is;
}

static tsr_status make_group(tsr_zarr_writer *w, const char *path, tsr_error *err)
{
    return find(w, path) || is_old_group(w, path) ? TSR_OK : add_node(w, path, NULL, NULL, err);
}

tsr_status tsr_zarr_writer_group(tsr_zarr_writer *w, const char *path, tsr_error *err)
{
    char *const part = tsr_strdup(path);
    if (!part)
        return out_of_memory(err);
    tsr_status status = make_group(w, "", err);
    for (char *p = part; status == TSR_OK && (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        status = make_group(w, part, err);
        *p = '/';
    }
    if (status == TSR_OK)
        status = make_group(w, part, err);
    tsr_free(part);
    return status;
}

tsr_status tsr_zarr_writer_attribute(tsr_zarr_writer *w, const char *path, const char *name, json_t *json,
                                     tsr_error *err)
{
    tsr_zarr_node old = {.kind = TSR_ZARR_NOTHING};
    tsr_status status = TSR_OK;
    if (!find(w, path) && get_old(&old, w, path)) {
        status = add_node(w, path, NULL, json_deep_copy(old.attributes), err);
        if (status == TSR_OK)
            w->nodes[w->nnodes - 1].old = true;
    }
    tsr_zarr_node_clear(&old);
    node *const to = status == TSR_OK ? find(w, path) : NULL;
    if (to && !json)
        (void)json_object_del(to->attributes, name);
    else if (to && json_object_set_new(to->attributes, name, json) != 0)
        return out_of_memory(err);
    else if (!to)
        json_decref(json);
    return status;
}

tsr_status tsr_zarr_writer_add(tsr_zarr_writer *w, const char *path, json_t *meta, tsr_error *err)
{
    return add_node(w, path, meta, NULL, err);
}

tsr_status tsr_zarr_writer_remove(tsr_zarr_writer *w, const char *path, tsr_error *err)
{
    tsr_zarr_node old;
    if (get_old(&old, w, path))
        tsr_text_add_n(&w->removed, path, strlen(path) + 1);
    tsr_zarr_node_clear(&old);
    return tsr_text_status(&w->removed, err);
}

/* ---- beginning ---- */

static bool ends_with(const char *s, const char *tail)
{
    const size_t n = strlen(s), t = strlen(tail);
    return n >= t && strcmp(s + n - t, tail) == 0;
}

/* Set *parent to the folder of the file; the caller frees it. */
static tsr_status folder_of(char **parent, const char *file, tsr_error *err)
{
    const char *const slash = strrchr(file, '/');
    *parent = tsr_strdup(slash ? file : ".");
    if (!*parent)
        return out_of_memory(err);
    if (slash)
        (*parent)[slash == file ? 1 : slash - file] = '\0';
    return TSR_OK;
}

/* A folder that is not a store is not replaced. */
static tsr_status check_target(const char *file, tsr_error *err)
{
    struct stat st;
    tsr_zarr_store *store = NULL;
    if (lstat(file, &st) != 0 || (S_ISDIR(st.st_mode) && rmdir(file) == 0))
        return TSR_OK; /* nothing, or an empty folder */
    if (!S_ISDIR(st.st_mode))
        return tsr_fail(err, TSR_IO, "there is a file of this name, and a Zarr store is a folder");
    const bool is = tsr_zarr_store_open(&store, file, NULL) == TSR_OK;
    tsr_zarr_store_free(store);
    return is ? TSR_OK
              : tsr_fail(err, TSR_IO, "there is a folder of this name that is not a Zarr store: remove it");
}

static tsr_status begin_folder(tsr_zarr_writer *w, tsr_error *err)
{
    char *parent;
    if (!w->old)
        TSR_TRY(check_target(w->file, err));
    TSR_TRY(folder_of(&parent, w->file, err));
    tsr_status status = tsr_folder_new(&w->temp, parent, err);
    tsr_free(parent);
    TSR_TRY(status);
    tsr_text_addf(&w->root, "%s/store", tsr_text_cstr(&w->temp.path));
    TSR_TRY(tsr_text_status(&w->root, err));
    return mkdir(w->root.s, 0777) == 0
               ? TSR_OK
               : tsr_fail_errno(err, errno, NULL, "cannot make a folder in the folder of the store");
}

static tsr_status begin_archive(tsr_zarr_writer *w, tsr_error *err)
{
    if (w->old)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "an archive is not changed: write the object into a store that is a folder");
    w->options.deflate = 0; /* the chunks are compressed */
    return tsr_zip_writer_new(&w->archive, w->file, &w->options, err);
}

/* The version of the old store; 0: there is none. */
static int old_version(const tsr_zarr_writer *w)
{
    tsr_zarr_node root;
    const int version = get_old(&root, w, "") ? root.version : 0;
    tsr_zarr_node_clear(&root);
    return version;
}

tsr_status tsr_zarr_writer_new(tsr_zarr_writer **out, const char *file, const tsr_zarr_store *old,
                               const tsr_write_options *options, tsr_error *err)
{
    tsr_zarr_writer *const w = tsr_calloc(1, sizeof *w);
    *out = NULL;
    if (!w)
        return out_of_memory(err);
    w->old = old;
    w->options = *options;
    w->temp.fd = -1;
    w->file = tsr_strdup(file);
    const int there = old_version(w);
    w->version = there ? there : options->version == 30 || options->zarr_shard > 0 ? 3 : 2;
    tsr_status status = w->file ? TSR_OK : out_of_memory(err);
    for (size_t n = w->file ? strlen(w->file) : 0; n > 1 && w->file[n - 1] == '/'; n--)
        w->file[n - 1] = '\0';
    if (status == TSR_OK && there && options->version && options->version != 10 * there)
        status = tsr_fail(err, TSR_ARGUMENT,
                          "the store has Zarr version %d: it takes arrays of this version only", there);
    else if (status == TSR_OK)
        status = ends_with(w->file, ".zip") ? begin_archive(w, err) : begin_folder(w, err);
    if (status == TSR_OK)
        status = tsr_zarr_writer_group(w, "", err);
    if (status == TSR_OK)
        *out = w;
    else
        tsr_zarr_writer_free(w);
    return status;
}

void tsr_zarr_writer_free(tsr_zarr_writer *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->nnodes; i++)
        clear_node(&w->nodes[i]);
    tsr_free(w->nodes);
    tsr_zip_writer_free(w->archive);
    tsr_folder_remove(&w->temp);
    tsr_text_clear(&w->root);
    tsr_text_clear(&w->removed);
    tsr_free(w->file);
    tsr_free(w);
}

/* ---- the end ---- */

static tsr_status put_node_2(tsr_zarr_writer *w, const node *n, tsr_error *err)
{
    if (!n->old)
        TSR_TRY(n->meta ? put_json(w, n->path, ".zarray", json_incref(n->meta), err)
                        : put_json(w, n->path, ".zgroup", json_pack("{s:i}", "zarr_format", 2), err));
    return json_object_size(n->attributes) > 0 || n->old
               ? put_json(w, n->path, ".zattrs", json_incref(n->attributes), err)
               : TSR_OK;
}

static tsr_status put_node_3(tsr_zarr_writer *w, const node *n, tsr_error *err)
{
    json_t *const meta =
        n->meta ? json_incref(n->meta) : json_pack("{s:i, s:s}", "zarr_format", 3, "node_type", "group");
    if (!meta || json_object_set(meta, "attributes", n->attributes) != 0) {
        json_decref(meta);
        return out_of_memory(err);
    }
    return put_json(w, n->path, "zarr.json", meta, err);
}

/* Rename temp/store/path to store/path; what stands there goes to the temporary folder, and with it. */
static tsr_status move_in(const tsr_zarr_writer *w, const char *path, const char *leaf, int i, tsr_error *err)
{
    tsr_text from = {0}, to = {0}, away = {0};
    const char *const slash = *path && *leaf ? "/" : "";
    tsr_text_addf(&from, "%s/%s%s%s", w->root.s, path, slash, leaf);
    tsr_text_addf(&to, "%s/%s%s%s", w->file, path, slash, leaf);
    tsr_text_addf(&away, "%s/old%d%s", tsr_text_cstr(&w->temp.path), i, leaf);
    tsr_status status = tsr_text_status(&from, err);
    if (status == TSR_OK)
        status = tsr_text_status(&to, err);
    if (status == TSR_OK)
        status = tsr_text_status(&away, err);
    if (status == TSR_OK && rename(to.s, away.s) != 0 && errno != ENOENT)
        status = tsr_fail_errno(err, errno, NULL, "cannot replace '%s'", to.s);
    if (status == TSR_OK && rename(from.s, to.s) != 0 && errno != ENOENT)
        status = tsr_fail_errno(err, errno, NULL, "cannot write '%s'", to.s);
    tsr_text_clear(&from);
    tsr_text_clear(&to);
    tsr_text_clear(&away);
    return status;
}

/* Whether a new node stands above the path: it is moved with it. */
static bool has_new_above(const tsr_zarr_writer *w, const char *path)
{
    for (size_t i = 0; i < w->nnodes; i++)
        if (!w->nodes[i].old && strcmp(w->nodes[i].path, path) != 0 && is_in(path, w->nodes[i].path))
            return true;
    return false;
}

/* Metadata of all nodes in one place, which other programs may have written, would hide what is new. */
static void remove_consolidated(const tsr_zarr_writer *w)
{
    tsr_text path = {0};
    tsr_text_addf(&path, "%s/.zmetadata", w->file);
    if (tsr_text_status(&path, NULL) == TSR_OK)
        (void)unlink(path.s);
    tsr_text_clear(&path);
}

/* Put the new nodes into the old store, one after the other. */
static tsr_status merge(tsr_zarr_writer *w, tsr_error *err)
{
    int i = 0;
    for (size_t at = 0; at < w->removed.nbytes; at += strlen(w->removed.s + at) + 1)
        if (!find(w, w->removed.s + at))
            TSR_TRY(move_in(w, w->removed.s + at, "", i++, err));
    remove_consolidated(w);
    for (size_t k = 0; k < w->nnodes; k++) {
        const node *const n = &w->nodes[k];
        if (n->old)
            TSR_TRY(move_in(w, n->path, w->version == 2 ? ".zattrs" : "zarr.json", i++, err));
        else if (!has_new_above(w, n->path))
            TSR_TRY(move_in(w, n->path, "", i++, err));
    }
    return TSR_OK;
}

static tsr_status replace(tsr_zarr_writer *w, tsr_error *err)
{
    tsr_text away = {0};
    tsr_text_addf(&away, "%s/old", tsr_text_cstr(&w->temp.path));
    tsr_status status = tsr_text_status(&away, err);
    if (status == TSR_OK && rename(w->file, away.s) != 0 && errno != ENOENT)
        status = tsr_fail_errno(err, errno, NULL, "cannot replace the store");
    if (status == TSR_OK && rename(w->root.s, w->file) != 0) {
        status = tsr_fail_errno(err, errno, NULL, "cannot write the store");
        (void)rename(away.s, w->file);
    }
    tsr_text_clear(&away);
    return status;
}

tsr_status tsr_zarr_writer_commit(tsr_zarr_writer *w, uint64_t *nbytes, tsr_error *err)
{
    for (size_t i = 0; i < w->nnodes; i++)
        TSR_TRY(w->version == 2 ? put_node_2(w, &w->nodes[i], err) : put_node_3(w, &w->nodes[i], err));
    if (nbytes)
        *nbytes = atomic_load(&w->nbytes);
    if (w->archive) {
        tsr_zip_writer *const archive = w->archive;
        w->archive = NULL;
        return tsr_zip_writer_commit(archive, nbytes, err);
    }
    return w->old ? merge(w, err) : replace(w, err);
}
