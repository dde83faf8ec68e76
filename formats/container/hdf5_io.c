/* HDF5 files, groups and attributes: see hdf5_io.h. */
#include "hdf5_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tsr_fetched.h"
#include "tsr_alloc.h"

/* ---- the lock, and errors ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static H5E_auto2_t saved_print; /* the caller's error printing, while the mutex is locked */
static void *saved_data;

void tsr_hdf5_lock(void)
{
    pthread_mutex_lock(&mutex);
    H5Eget_auto2(H5E_DEFAULT, &saved_print, &saved_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void tsr_hdf5_unlock(void)
{
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, saved_print, saved_data);
    pthread_mutex_unlock(&mutex);
}

/* Copy the first description of an upward walk, which is the innermost one. */
static herr_t keep_innermost(unsigned n, const H5E_error2_t *e, void *data)
{
    char *reason = data;
    if (n == 0 && e->desc)
        snprintf(reason, 200, "%s", e->desc);
    return 0;
}

tsr_status tsr_hdf5_fail(tsr_hdf5 *h5, tsr_status status, tsr_error *err, const char *format, ...)
{
    char what[300], reason[200] = "";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, reason);
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (h5 && h5->device.fault && h5->device.past_end)
        return tsr_fail(err, TSR_CORRUPT, "%s: it is beyond the end of the file", what);
    if (h5 && h5->device.fault) {
        char words[100];
        if (strerror_r(h5->device.fault, words, sizeof words) != 0)
            snprintf(words, sizeof words, "error %d", h5->device.fault);
        return tsr_fail(err, TSR_IO, "%s: %s", what, words);
    }
    return tsr_fail(err, status, "%s%s%s", what, reason[0] ? ": " : "", reason);
}

static tsr_status system_fail(tsr_error *err, int fault)
{
    char words[100];
    if (strerror_r(fault, words, sizeof words) != 0)
        snprintf(words, sizeof words, "error %d", fault);
    return tsr_fail(err, TSR_IO, "%s", words);
}

/* ---- files ---- */

/* Find the signature of HDF5 at offset 0, 512, 1024, 2048, ... */
static bool find_signature(uint64_t *found, tsr_hdf5_device *device)
{
    static const char signature[8] = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
    for (uint64_t at = 0; at <= INT64_MAX / 2 && device->nbytes >= 8 && at <= device->nbytes - 8;
         at = at ? 2 * at : 512) {
        char head[8];
        if (!tsr_hdf5_device_read(device, head, at, sizeof head))
            return false;
        *found = at;
        if (memcmp(head, signature, sizeof head) == 0)
            return true;
    }
    return false;
}

/* Set the device to fd; -1: report errno. */
static tsr_status set_device(tsr_hdf5_device *device, int fd, tsr_hdf5_mode mode, tsr_error *err)
{
    struct stat st;
    device->fd = fd;
    if (device->fd < 0 || fstat(device->fd, &st) != 0)
        return system_fail(err, errno);
    if (!S_ISREG(st.st_mode))
        return tsr_fail(err, TSR_IO,
                        S_ISDIR(st.st_mode) ? "is a folder, not a file" : "is not a regular file");
    device->nbytes = (uint64_t)st.st_size;
    device->fetched = tsr_fetched_find(device->fd);
    device->writable = mode != TSR_HDF5_READ;
    return TSR_OK;
}

/* Set the sizes of addresses in this file and the address of the root's object header. */
static bool learn_layout(tsr_hdf5 *h5)
{
    const hid_t creation = H5Fget_create_plist(h5->file);
    hsize_t user_block = 0;
    tsr_hdf5_object root;
    const bool ok = creation >= 0 && H5Pget_sizes(creation, &h5->offset_size, &h5->length_size) >= 0 &&
                    H5Pget_userblock(creation, &user_block) >= 0 &&
                    H5Oget_info2(h5->group, &root, H5O_INFO_BASIC) >= 0 && h5->offset_size >= 1 &&
                    h5->offset_size <= 8 && h5->length_size >= 1 && h5->length_size <= 8;
    if (creation >= 0)
        H5Pclose(creation);
    h5->base = user_block;
    h5->group_at = h5->root_at = ok ? root.addr : 0;
    return ok;
}

/* Open or create the HDF5 file on the device; its root becomes the current group. */
static tsr_status open_file(tsr_hdf5 *h5, tsr_error *err)
{
    uint64_t at = 0;
    if (h5->mode != TSR_HDF5_CREATE && !find_signature(&at, &h5->device))
        return h5->device.fault ? system_fail(err, h5->device.fault)
                                : tsr_fail(err, TSR_SYNTAX, "not an HDF5 file");
    if (h5->mode != TSR_HDF5_CREATE)
        TSR_TRY(tsr_hdf5_guard_root(h5, at, err));
    tsr_status status = TSR_OK;
    tsr_hdf5_lock();
    const hid_t access = tsr_hdf5_device_access(&h5->device);
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_obj_track_times(creation, false);
    if (h5->mode == TSR_HDF5_CREATE && h5->device.nbytes > 0) {
        H5Pset_userblock(creation, h5->device.nbytes);
        h5->device.nbytes = 0; /* HDF5 creates nothing in a file that has a length */
    }
    if (access >= 0 && h5->mode == TSR_HDF5_CREATE)
        h5->file = H5Fcreate("tessera", H5F_ACC_TRUNC, creation, access);
    else if (access >= 0)
        h5->file = H5Fopen("tessera", h5->mode == TSR_HDF5_EDIT ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access);
    if (h5->file >= 0)
        h5->group = H5Gopen2(h5->file, "/", H5P_DEFAULT);
    if (h5->group < 0 || !learn_layout(h5))
        status = tsr_hdf5_fail(h5, TSR_CORRUPT, err, "cannot be opened as HDF5");
    else
        status = tsr_hdf5_guard(h5, h5->group_at, err);
    if (access >= 0)
        H5Pclose(access);
    if (creation >= 0)
        H5Pclose(creation);
    tsr_hdf5_unlock();
    return status;
}

static tsr_hdf5 *new_hdf5(tsr_hdf5_mode mode)
{
    tsr_hdf5 *h5 = tsr_calloc(1, sizeof *h5);
    if (h5)
        *h5 = (tsr_hdf5){.head.type = &tsr_container_hdf5,
                         .device = {.fd = -1, .driver = -1},
                         .mode = mode,
                         .file = -1,
                         .group = -1};
    return h5;
}

/* Open the file of the descriptor, which is owned by *out, and closed on failure, too. */
static tsr_status open_taken(tsr_hdf5 **out, int fd, tsr_hdf5_mode mode, tsr_error *err)
{
    tsr_hdf5 *h5 = new_hdf5(mode);
    if (!h5) {
        if (fd >= 0)
            (void)close(fd);
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    }
    tsr_status status = set_device(&h5->device, fd, mode, err);
    if (status == TSR_OK)
        status = open_file(h5, err);
    if (status != TSR_OK) {
        tsr_hdf5_free(h5);
        return status;
    }
    *out = h5;
    return TSR_OK;
}

tsr_status tsr_hdf5_open(tsr_hdf5 **out, const char *path, tsr_error *err)
{
    *out = NULL;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* O_NONBLOCK: a FIFO is refused instead of
                                                             * waiting for it */
    if (fd < 0 && errno == EWOULDBLOCK)
        fd = open(path, O_RDONLY | O_CLOEXEC); /* another program has a lease on a regular file */
    return open_taken(out, fd, TSR_HDF5_READ, err);
}

tsr_status tsr_hdf5_open_fd(tsr_hdf5 **out, int fd, tsr_hdf5_mode mode, tsr_error *err)
{
    *out = NULL;
    return open_taken(out, fcntl(fd, F_DUPFD_CLOEXEC, 0), mode, err);
}

tsr_status tsr_hdf5_open_image(tsr_hdf5 **out, const void *bytes, size_t nbytes, tsr_error *err)
{
    *out = NULL;
    tsr_hdf5 *h5 = new_hdf5(TSR_HDF5_READ);
    if (!h5)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    h5->device.image = bytes;
    h5->device.nbytes = nbytes;
    const tsr_status status = open_file(h5, err);
    if (status != TSR_OK) {
        tsr_hdf5_free(h5);
        return status;
    }
    *out = h5;
    return TSR_OK;
}

tsr_status tsr_hdf5_close(tsr_hdf5 *h5, uint64_t *nbytes, tsr_error *err)
{
    tsr_status status = TSR_OK;
    tsr_hdf5_lock();
    tsr_hdf5_end_parts(h5);
    if (h5->group >= 0)
        H5Gclose(h5->group);
    if (h5->file >= 0 && (H5Fclose(h5->file) < 0 || (h5->mode != TSR_HDF5_READ && h5->device.fault)))
        status = tsr_hdf5_fail(h5, TSR_IO, err, "cannot be written");
    tsr_hdf5_device_release(&h5->device);
    tsr_hdf5_unlock();
    if (nbytes)
        *nbytes = h5->device.nbytes;
    if (h5->device.fd >= 0 && close(h5->device.fd) != 0 && h5->mode != TSR_HDF5_READ && status == TSR_OK)
        status = system_fail(err, errno);
    tsr_free(h5);
    return status;
}

void tsr_hdf5_free(tsr_hdf5 *h5)
{
    if (h5 && tsr_hdf5_close(h5, NULL, NULL) != TSR_OK)
        return; /* an earlier error was already reported */
}

/* ---- groups ---- */

tsr_status tsr_hdf5_follow(tsr_hdf5_target *target, tsr_hdf5 *h5, hid_t group, const char *name,
                           const char *what, tsr_error *err)
{
    tsr_hdf5_link link;
    const htri_t exists = H5Lexists(group, name, H5P_DEFAULT);
    *target = (tsr_hdf5_target){.there = exists > 0};
    if (exists == 0)
        return TSR_OK;
    if (exists < 0 || tsr_hdf5_link_info(group, name, &link, H5P_DEFAULT) < 0)
        return tsr_hdf5_fail(h5, TSR_CORRUPT, err, "%s '%s' cannot be looked up", what, name);
    if (link.type != H5L_TYPE_HARD)
        return tsr_fail(err, TSR_UNSUPPORTED, "%s '%s' is a soft or external link, which is not followed",
                        what, name);
    target->at = link.u.address;
    return tsr_hdf5_guard(h5, target->at, err);
}

/* A group, and the address of its header. */
typedef struct place {
    hid_t group;
    uint64_t at;
} place;

/* *next: the group `name` in the group `here`. A missing group is created where the file is open for writing.
 * path: for errors. */
static tsr_status step_into(place *next, tsr_hdf5 *h5, hid_t here, const char *name, const char *path,
                            tsr_error *err)
{
    tsr_hdf5_target target;
    *next = (place){.group = -1};
    TSR_TRY(tsr_hdf5_follow(&target, h5, here, name, "group", err));
    next->at = target.at;
    if (target.there) {
        next->group = H5Gopen2(here, name, H5P_DEFAULT);
        return next->group >= 0 ? TSR_OK : tsr_hdf5_fail(h5, TSR_CORRUPT, err, "'%s' is not a group", path);
    }
    if (h5->mode == TSR_HDF5_READ)
        return tsr_fail(err, TSR_ARGUMENT, "there is no group '%s'", path);
    const hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    tsr_hdf5_object made = {.addr = 0};
    H5Pset_obj_track_times(creation, false);
    next->group = H5Gcreate2(here, name, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Pclose(creation);
    if (next->group < 0 || H5Oget_info2(next->group, &made, H5O_INFO_BASIC) < 0)
        return tsr_hdf5_fail(h5, TSR_IO, err, "group '%s' cannot be created", path);
    next->at = made.addr;
    return TSR_OK;
}

tsr_status tsr_hdf5_enter(tsr_hdf5 *h5, const char *group, tsr_error *err)
{
    tsr_status status = TSR_OK;
    tsr_hdf5_lock();
    place here = {h5->group, h5->group_at};
    for (const char *p = group; *p && status == TSR_OK;) {
        char name[256];
        place next = {.group = -1};
        const size_t n = strcspn(p, "/");
        if (n >= sizeof name)
            status = tsr_fail(err, TSR_LIMIT, "a group name of %zu characters is too long", n);
        else if (n > 0) {
            memcpy(name, p, n);
            name[n] = '\0';
            status = step_into(&next, h5, here.group, name, group, err);
            H5Gclose(here.group);
            here = next;
        }
        p += n + (p[n] == '/');
    }
    h5->group = here.group;
    h5->group_at = here.at;
    tsr_hdf5_unlock();
    return status;
}

tsr_status tsr_hdf5_leave(tsr_hdf5 *h5, tsr_error *err)
{
    tsr_status status = TSR_OK;
    tsr_hdf5_lock();
    H5Gclose(h5->group);
    h5->group = H5Gopen2(h5->file, "/", H5P_DEFAULT);
    h5->group_at = h5->root_at;
    if (h5->group < 0)
        status = tsr_hdf5_fail(h5, TSR_CORRUPT, err, "the root cannot be opened");
    tsr_hdf5_unlock();
    return status;
}

/* What a hard link leads to; its header is checked. Under the lock. */
static tsr_node kind_of(uint64_t *at, tsr_hdf5 *h5, hid_t group, const char *name)
{
    tsr_hdf5_target target;
    tsr_node kind = TSR_NODE_NONE;
    const bool found = tsr_hdf5_follow(&target, h5, group, name, "object", NULL) == TSR_OK && target.there;
    *at = target.at;
    if (!found)
        return kind;
    const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    const H5I_type_t type = object >= 0 ? H5Iget_type(object) : H5I_BADID;
    if (type == H5I_GROUP || type == H5I_DATASET)
        kind = type == H5I_GROUP ? TSR_NODE_GROUP : TSR_NODE_ARRAY;
    if (object >= 0)
        H5Oclose(object);
    return kind;
}

tsr_node tsr_hdf5_look_up(tsr_hdf5 *h5, const char *name)
{
    uint64_t at;
    tsr_hdf5_lock();
    const tsr_node kind = kind_of(&at, h5, h5->group, name);
    tsr_hdf5_unlock();
    return kind;
}

typedef struct listing {
    tsr_hdf5 *h5;
    tsr_text *names;
    int n;
} listing;

static herr_t list_link(hid_t group, const char *name, const H5L_info_t *info, void *data)
{
    enum { MOST = 1000 };
    listing *const l = data;
    uint64_t at;
    if (l->n++ >= MOST)
        return 1;
    const tsr_node kind = info->type == H5L_TYPE_HARD ? kind_of(&at, l->h5, group, name) : TSR_NODE_NONE;
    if (kind != TSR_NODE_NONE) {
        tsr_text_add_n(l->names, kind == TSR_NODE_GROUP ? "g" : "d", 1);
        tsr_text_add_n(l->names, name, strlen(name) + 1);
    }
    return 0;
}

tsr_status tsr_hdf5_list(tsr_text *names, tsr_hdf5 *h5, tsr_error *err)
{
    listing l = {.h5 = h5, .names = names};
    tsr_hdf5_lock();
    H5Literate(h5->group, H5_INDEX_NAME, H5_ITER_INC, NULL, list_link, &l);
    tsr_hdf5_unlock();
    return tsr_text_status(names, err);
}

/* Where the object of the current group (NULL: the group itself) stands. */
static bool locate(uint64_t *at, tsr_hdf5 *h5, const char *name)
{
    tsr_hdf5_target target;
    *at = h5->group_at;
    if (!name)
        return true;
    tsr_hdf5_lock();
    const tsr_status status = tsr_hdf5_follow(&target, h5, h5->group, name, "object", NULL);
    tsr_hdf5_unlock();
    *at = target.at;
    return status == TSR_OK && target.there;
}

tsr_status tsr_hdf5_text_of(char **out, tsr_hdf5 *h5, const char *name, const char *attribute, tsr_error *err)
{
    uint64_t at;
    size_t nbytes;
    *out = NULL;
    if (!locate(&at, h5, name))
        return TSR_OK;
    const tsr_status status = tsr_hdf5_find_text(out, &nbytes, h5, at, attribute, NULL);
    return status == TSR_NOMEM ? tsr_fail(err, TSR_NOMEM, "out of memory") : TSR_OK;
}

int tsr_hdf5_integers_of(int64_t *out, int most, tsr_hdf5 *h5, const char *name, const char *attribute)
{
    uint64_t at;
    return locate(&at, h5, name) ? tsr_hdf5_find_integers(out, most, h5, at, attribute) : 0;
}

/* A walk through the groups of a file that looks for an attribute. */
typedef struct search {
    tsr_hdf5 *h5;
    const char *attribute;
    tsr_text *paths;              /* each ended by NUL */
    int nfound, nseen, max_found; /* bounded: a hostile file may have very many links */
    bool more;
    int depth;
    char path[1024];
} search;

static herr_t search_link(hid_t at, const char *name, const H5L_info_t *info, void *data);

/* Note the group whose header is at `at` when it has the attribute, and look below it. */
static void search_group(search *s, hid_t group, uint64_t at)
{
    enum { MAX_DEPTH = 8 };
    char *text;
    size_t nbytes;
    if (tsr_hdf5_find_text(&text, &nbytes, s->h5, at, s->attribute, NULL) == TSR_OK && text) {
        tsr_text_add_n(s->paths, s->path, strlen(s->path) + 1);
        s->nfound++;
    }
    tsr_free(text);
    if (s->depth >= MAX_DEPTH)
        return;
    s->depth++;
    H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, search_link, s);
    s->depth--;
}

static herr_t search_link(hid_t at, const char *name, const H5L_info_t *info, void *data)
{
    enum { MAX_SEEN = 1000 };
    search *s = data;
    tsr_hdf5_target target;
    if (s->nseen++ >= MAX_SEEN || s->nfound >= s->max_found) {
        s->more = true;
        return 1;
    }
    if (info->type != H5L_TYPE_HARD || tsr_hdf5_follow(&target, s->h5, at, name, "group", NULL) != TSR_OK ||
        !target.there)
        return 0;
    const hid_t group = H5Gopen2(at, name, H5P_DEFAULT);
    if (group < 0)
        return 0; /* not a group */
    const size_t n = strlen(s->path);
    snprintf(s->path + n, sizeof s->path - n, "%s%s", n ? "/" : "", name);
    search_group(s, group, target.at);
    s->path[n] = '\0';
    H5Gclose(group);
    return 0;
}

tsr_status tsr_hdf5_list_groups(tsr_text *paths, bool *more, tsr_hdf5 *h5, const char *attribute,
                                tsr_error *err)
{
    search s = {.h5 = h5, .attribute = attribute, .paths = paths, .max_found = 64};
    tsr_hdf5_lock();
    H5Literate(h5->group, H5_INDEX_NAME, H5_ITER_INC, NULL, search_link, &s);
    tsr_hdf5_unlock();
    *more = s.more;
    return tsr_text_status(paths, err);
}

/* ---- attributes ---- */

tsr_status tsr_hdf5_read_text(char **out, size_t *nbytes, tsr_hdf5 *h5, const char *attribute, tsr_error *err)
{
    return tsr_hdf5_find_text(out, nbytes, h5, h5->group_at, attribute, err);
}

tsr_status tsr_hdf5_list_attributes(tsr_text *names, tsr_hdf5 *h5, tsr_error *err)
{
    return tsr_hdf5_find_names(names, h5, h5->group_at, err);
}

tsr_status tsr_hdf5_write_text(tsr_hdf5 *h5, const char *name, const char *text, tsr_error *err)
{
    tsr_status status = TSR_OK;
    hid_t attribute = -1;
    tsr_hdf5_lock();
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    bool ok = H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
    const htri_t there = H5Aexists(h5->group, name);
    ok = ok && there >= 0 && (there == 0 || H5Adelete(h5->group, name) >= 0);
    if (ok && text) {
        attribute = H5Acreate2(h5->group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
        ok = attribute >= 0 && H5Awrite(attribute, type, &text) >= 0;
    }
    if (!ok || h5->device.fault)
        status = tsr_hdf5_fail(h5, TSR_IO, err, "attribute '%s' cannot be written", name);
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    tsr_hdf5_unlock();
    return status;
}

tsr_status tsr_hdf5_set_attribute(tsr_hdf5 *h5, const char *name, const char *attribute,
                                  const tsr_hdf5_value *value, tsr_error *err)
{
    tsr_status status = TSR_OK;
    const hid_t object = H5Oopen(h5->group, name ? name : ".", H5P_DEFAULT);
    hid_t id = -1;
    bool ok = object >= 0 && H5Aexists(object, attribute) >= 0;
    if (ok && H5Aexists(object, attribute) > 0)
        ok = H5Adelete(object, attribute) >= 0;
    if (ok)
        id = H5Acreate2(object, attribute, value->type, value->space, H5P_DEFAULT, H5P_DEFAULT);
    ok = id >= 0 && H5Awrite(id, value->type, value->data) >= 0;
    if (!ok || h5->device.fault)
        status = tsr_hdf5_fail(h5, TSR_IO, err, "attribute '%s' cannot be written", attribute);
    if (id >= 0)
        H5Aclose(id);
    if (object >= 0)
        H5Oclose(object);
    return status;
}

tsr_status tsr_hdf5_write_text_of(tsr_hdf5 *h5, const char *name, const char *attribute, const char *text,
                                  tsr_error *err)
{
    tsr_hdf5_lock();
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const tsr_status status =
        tsr_hdf5_set_attribute(h5, name, attribute, &(tsr_hdf5_value){type, space, &text}, err);
    H5Sclose(space);
    H5Tclose(type);
    tsr_hdf5_unlock();
    return status;
}

tsr_status tsr_hdf5_write_fixed_text(tsr_hdf5 *h5, const char *name, const char *attribute, const char *text,
                                     tsr_error *err)
{
    const size_t n = strlen(text);
    tsr_hdf5_lock();
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, n ? n : 1);
    const tsr_status status =
        tsr_hdf5_set_attribute(h5, name, attribute, &(tsr_hdf5_value){type, space, text}, err);
    H5Sclose(space);
    H5Tclose(type);
    tsr_hdf5_unlock();
    return status;
}

tsr_status tsr_hdf5_write_integers(tsr_hdf5 *h5, const char *attribute, const int64_t *values, int n,
                                   tsr_error *err)
{
    const hsize_t dim = n > 0 ? (hsize_t)n : 0;
    tsr_hdf5_lock();
    const hid_t space = n >= 0 ? H5Screate_simple(1, &dim, NULL) : H5Screate(H5S_SCALAR);
    const tsr_status status =
        tsr_hdf5_set_attribute(h5, NULL, attribute, &(tsr_hdf5_value){H5T_STD_I64LE, space, values}, err);
    H5Sclose(space);
    tsr_hdf5_unlock();
    return status;
}

static bool is_ascii(const char *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)texts[i] > 127)
            return false;
    return true;
}

tsr_status tsr_hdf5_write_texts(tsr_hdf5 *h5, const char *name, const char *texts, size_t width, uint64_t n,
                                tsr_error *err)
{
    const hsize_t dim = n;
    tsr_status status = TSR_OK;
    tsr_hdf5_lock();
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &dim, NULL);
    const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Tset_size(type, width);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    if (!is_ascii(texts, width * (size_t)n))
        H5Tset_cset(type, H5T_CSET_UTF8);
    H5Pset_obj_track_times(plan, false);
    const hid_t id = H5Dcreate2(h5->group, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    if (id < 0 || (n > 0 && H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) < 0) || h5->device.fault)
        status = tsr_hdf5_fail(h5, TSR_IO, err, "dataset '%s' cannot be written", name);
    if (id >= 0)
        H5Dclose(id);
    H5Pclose(plan);
    H5Sclose(space);
    H5Tclose(type);
    tsr_hdf5_unlock();
    return status;
}

tsr_status tsr_hdf5_remove(tsr_hdf5 *h5, const char *name, tsr_error *err)
{
    tsr_status status = TSR_OK;
    tsr_hdf5_lock();
    const htri_t there = H5Lexists(h5->group, name, H5P_DEFAULT);
    if (there < 0 || (there > 0 && H5Ldelete(h5->group, name, H5P_DEFAULT) < 0))
        status = tsr_hdf5_fail(h5, TSR_IO, err, "the old '%s' cannot be removed", name);
    tsr_hdf5_unlock();
    return status;
}
