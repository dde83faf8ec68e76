/* The cache: a folder of pairs KEY.c, KEY.so. A pair is valid if KEY.c is the wanted text followed by a tail,
 * a comment that says how it was compiled and contains a hash of the bytes of KEY.so. So the cache never uses
 * a pair whose texts only have the same hash, a half-written file, or a pair whose two files come from two
 * processes.
 *
 * Files are created by rename and removed by unlink, so a process that has one open keeps it. Renames and
 * removals happen under a lock on the folder; a process that does not get the lock soon goes on without it,
 * which at worst costs another compilation. */
#define _XOPEN_SOURCE 700 /* realpath, S_ISVTX */
#include "jit_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tsr_alloc.h"
#include "tsr_system.h"

enum {
    NAME_NBYTES = TSR_JIT_KEY_NBYTES + 3, /* room for "KEY.so" */
    LOCK_TRIES = 100,                     /* attempts, one millisecond apart */
    MAX_LINE_NBYTES = 4096,               /* bytes of a first line that are shown */
};
static const uint64_t default_max_nbytes = UINT64_C(256) << 20;

/* ---- the folder ---- */

/* Append the path of the folder, or nothing if there is none. */
static void add_path(tsr_text *path, const tsr_jit_options *options)
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (options->cache_dir)
        tsr_text_add(path, options->cache_dir);
    else if (xdg && xdg[0] == '/') /* the XDG specification says to ignore a relative path */
        tsr_text_addf(path, "%s/tessera", xdg);
    else if (home && home[0] == '/')
        tsr_text_addf(path, "%s/.cache/tessera", home);
    while (path->nbytes > 1 && path->s[path->nbytes - 1] == '/')
        path->s[--path->nbytes] = '\0';
}

void tsr_jit_add_cache_folder(tsr_text *path)
{
    add_path(path, &(tsr_jit_options){0});
}

/* Make the folder and its parents as far as possible; returns the last errno. */
static int make_folders(char *path)
{
    tsr_folder_make_above(path);
    return mkdir(path, 0700) == 0 ? 0 : errno;
}

/* Whether users other than the owner and root could replace entries of this folder. A group with the number
 * of the owner is assumed to have no other members, as useradd creates it. */
static bool is_open_to_others(const struct stat *s)
{
    const bool own_group = s->st_gid != 0 && s->st_gid == s->st_uid;
    return !(s->st_mode & S_ISVTX) && ((s->st_mode & S_IWOTH) || ((s->st_mode & S_IWGRP) && !own_group));
}

/* The reason why the folder `path` above the cache cannot be trusted, or NULL. In a user namespace the
 * folders of root seem to belong to the overflow user. */
static const char *why_not_above(const char *path)
{
    enum { OVERFLOW_USER = 65534 };
    struct stat s;
    if (lstat(path, &s) != 0)
        return "cannot be examined";
    if (s.st_uid != geteuid() && s.st_uid != 0 && s.st_uid != OVERFLOW_USER)
        return "belongs to another user";
    return is_open_to_others(&s) ? "is writable by other users" : NULL;
}

/* TSR_IO if other users could replace this folder, whose path has no links. */
static tsr_status check_above(const char *path, tsr_error *err)
{
    char above[PATH_MAX];
    for (const char *end = path; end; end = strchr(end + 1, '/')) {
        const size_t n = end > path ? (size_t)(end - path) : 1;
        if (n >= sizeof above)
            return tsr_fail_errno(err, ENAMETOOLONG, path, "cannot examine the folder of the kernel cache");
        memcpy(above, path, n);
        above[n] = '\0';
        const char *why = why_not_above(above);
        if (why)
            return tsr_fail_at(err, TSR_IO, path, 0, 0,
                               "other users may replace the folder of the kernel cache: %s above it %s",
                               above, why);
    }
    return TSR_OK;
}

static tsr_status check_folder(const char *path, const struct stat *s, tsr_error *err)
{
    const char *why = S_ISDIR(s->st_mode) ? tsr_jit_not_ours(s->st_uid, s->st_mode) : "is not a folder";
    if (!why)
        return TSR_OK;
    return tsr_fail_at(err, TSR_IO, path, 0, 0, "the folder of the kernel cache %s (owner %lld, mode %o)",
                       why, (long long)s->st_uid, (unsigned)s->st_mode & 07777u);
}

/* Follow links, once: from now on the path without links is used. */
static tsr_status resolve(jit_cache *cache, tsr_error *err)
{
    char *const path = cache->path.s;
    struct stat s;
    if (lstat(path, &s) == 0 && S_ISLNK(s.st_mode) && s.st_uid != geteuid() && s.st_uid != 0)
        return tsr_fail_at(err, TSR_IO, path, 0, 0,
                           "the folder of the kernel cache is a link that belongs to another user");
    char *real = realpath(path, NULL);
    if (!real)
        return tsr_fail_errno(err, errno, path, "cannot examine the folder of the kernel cache");
    tsr_text_clear(&cache->path);
    tsr_text_add(&cache->path, real);
    free(real);
    return tsr_text_status(&cache->path, err);
}

static tsr_status open_folder(jit_cache *cache, bool make, tsr_error *err)
{
    struct stat s;
    if (lstat(cache->path.s, &s) != 0) {
        const int error = make ? make_folders(cache->path.s) : 0;
        if (error)
            return tsr_fail_errno(err, error, cache->path.s, "cannot make the folder of the kernel cache");
        if (!make)
            return TSR_OK;
    }
    TSR_TRY(resolve(cache, err));
    char *const path = cache->path.s;
    cache->fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (cache->fd < 0 && errno != ENOTDIR)
        return tsr_fail_errno(err, errno, path, "cannot open the folder of the kernel cache");
    if ((cache->fd >= 0 ? fstat(cache->fd, &s) : lstat(path, &s)) != 0)
        return tsr_fail_errno(err, errno, path, "cannot examine the folder of the kernel cache");
    TSR_TRY(check_folder(path, &s, err));
    return check_above(path, err);
}

tsr_status tsr_jit_cache_open(jit_cache *cache, const tsr_jit_options *options, bool make, tsr_error *err)
{
    *cache = (jit_cache){.fd = -1};
    cache->max_nbytes = options->cache_max_nbytes ? options->cache_max_nbytes : default_max_nbytes;
    add_path(&cache->path, options);
    tsr_status status = tsr_text_status(&cache->path, err);
    if (status == TSR_OK && cache->path.nbytes > 0)
        status = open_folder(cache, make, err);
    if (status != TSR_OK)
        tsr_jit_cache_close(cache);
    return status;
}

void tsr_jit_cache_close(jit_cache *cache)
{
    if (cache->fd >= 0)
        (void)close(cache->fd);
    tsr_text_clear(&cache->path);
    *cache = (jit_cache){.fd = -1};
}

/* A descriptor whose closing releases the lock, or -1. Not cache->fd, so that threads with one lock each also
 * exclude each other. */
static int lock(const jit_cache *cache)
{
    const int fd = openat(cache->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; fd >= 0 && i < LOCK_TRIES; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR))
            break;
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return fd;
}

static void unlock(int fd)
{
    if (fd >= 0)
        (void)close(fd);
}

/* ---- pairs ---- */

static void name_file(char name[NAME_NBYTES], const char *key, const char *end)
{
    snprintf(name, NAME_NBYTES, "%.32s%s", key, end);
}

/* Append the tail of KEY.c: a comment (so any end of a comment in the recipe is split). */
static void add_tail(tsr_text *tail, const char *recipe, const char *object, size_t nobject)
{
    char hash[TSR_JIT_KEY_NBYTES];
    tsr_jit_hash(hash, object, nobject);
    tsr_text_addf(tail, "\n/* compiled by tessera to an object of %zu bytes, hash %s\n", nobject, hash);
    for (const char *p = recipe; *p; p++)
        tsr_text_add_n(tail, p[0] == '*' && p[1] == '/' ? "* " : p, p[0] == '*' && p[1] == '/' ? 2 : 1);
    tsr_text_add(tail, "*/\n");
}

tsr_status tsr_jit_cache_find(int *object_fd, const jit_cache *cache, const char *key, const char *text,
                              const char *recipe, tsr_error *err)
{
    bool found = false;
    int fd = -1;
    *object_fd = -1;
    char name[NAME_NBYTES], *source = NULL, *object = NULL;
    size_t nsource, nobject;
    tsr_text tail = {0};
    name_file(name, key, ".c");
    tsr_status status = tsr_jit_file_read(&source, &nsource, NULL, cache->fd, name, err);
    if (status != TSR_OK || !source)
        return status;
    const size_t ntext = strlen(text);
    name_file(name, key, ".so");
    if (nsource > ntext && memcmp(source, text, ntext) == 0)
        status = tsr_jit_file_read(&object, &nobject, &fd, cache->fd, name, err);
    if (status == TSR_OK && object) {
        add_tail(&tail, recipe, object, nobject);
        status = tsr_text_status(&tail, err);
        found = status == TSR_OK && nsource - ntext == tail.nbytes &&
                memcmp(source + ntext, tail.s, tail.nbytes) == 0;
    }
    if (found) {
        (void)futimens(fd, NULL);
        *object_fd = fd;
    } else if (fd >= 0) {
        (void)close(fd);
    }
    tsr_text_clear(&tail);
    tsr_free(object);
    tsr_free(source);
    return status;
}

/* ---- listing ---- */

typedef struct entry {
    char key[TSR_JIT_KEY_NBYTES];
    uint64_t nbytes;
    struct timespec used;
} entry;

typedef struct listing {
    entry *entry;
    size_t n, capacity;
} listing;

/* Whether `name` is 32 hexadecimal digits followed by `end`. */
static bool is_named(const char *name, const char *end)
{
    return strspn(name, "0123456789abcdef") == TSR_JIT_KEY_NBYTES - 1 &&
           strcmp(name + TSR_JIT_KEY_NBYTES - 1, end) == 0;
}

static tsr_status add_entry(listing *list, const jit_cache *cache, const char *file, tsr_error *err)
{
    struct stat s;
    char name[NAME_NBYTES];
    if (fstatat(cache->fd, file, &s, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(s.st_mode))
        return TSR_OK; /* removed meanwhile */
    if (list->n == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 64;
        entry *more = tsr_realloc(list->entry, capacity * sizeof *more);
        if (!more)
            return tsr_fail(err, TSR_NOMEM, "out of memory for a list of %zu cached kernels", list->n);
        list->entry = more;
        list->capacity = capacity;
    }
    entry *e = &list->entry[list->n++];
    memcpy(e->key, file, TSR_JIT_KEY_NBYTES - 1);
    e->key[TSR_JIT_KEY_NBYTES - 1] = '\0';
    e->used = tsr_system_changed(&s);
    e->nbytes = (uint64_t)s.st_size;
    name_file(name, e->key, ".c");
    if (fstatat(cache->fd, name, &s, AT_SYMLINK_NOFOLLOW) == 0)
        e->nbytes += (uint64_t)s.st_size;
    return TSR_OK;
}

static int by_use(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? 1 : -1;
    if (x->used.tv_nsec != y->used.tv_nsec)
        return x->used.tv_nsec < y->used.tv_nsec ? 1 : -1;
    return strcmp(x->key, y->key);
}

static DIR *open_listing(const jit_cache *cache)
{
    const int fd = openat(cache->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && !dir)
        (void)close(fd);
    return dir;
}

/* List all KEY.so, most recently used first; free with tsr_free(list->entry). If `sweep`, also remove
 * temporary folders of dead processes. */
static tsr_status list_entries(listing *list, const jit_cache *cache, bool sweep, tsr_error *err)
{
    *list = (listing){0};
    DIR *dir = open_listing(cache);
    tsr_status status =
        dir ? TSR_OK : tsr_fail_errno(err, errno, tsr_text_cstr(&cache->path), "cannot list the cache");
    for (const struct dirent *d = dir ? readdir(dir) : NULL; d && status == TSR_OK; d = readdir(dir)) {
        if (is_named(d->d_name, ".so"))
            status = add_entry(list, cache, d->d_name, err);
        else if (sweep && tsr_folder_is_temporary(d->d_name))
            tsr_folder_sweep(cache->fd, d->d_name, false);
    }
    if (dir)
        (void)closedir(dir);
    if (status != TSR_OK) {
        tsr_free(list->entry);
        *list = (listing){0};
    } else if (list->n > 0) {
        qsort(list->entry, list->n, sizeof *list->entry, by_use);
    }
    return status;
}

/* KEY.c first: if the process dies in between, the KEY.so alone is still listed and removed later. */
static void remove_pair(const jit_cache *cache, const char *key)
{
    static const char *const ends[] = {".c", ".so"};
    char name[NAME_NBYTES];
    for (int i = 0; i < 2; i++) {
        name_file(name, key, ends[i]);
        (void)unlinkat(cache->fd, name, 0);
    }
}

/* Keep the most recently used pairs that fit; remove the others. */
static tsr_status evict(const jit_cache *cache, tsr_error *err)
{
    listing list;
    TSR_TRY(list_entries(&list, cache, true, err));
    uint64_t room = cache->max_nbytes;
    for (size_t i = 0; i < list.n; i++) {
        if (list.entry[i].nbytes <= room) {
            room -= list.entry[i].nbytes;
            continue;
        }
        room = 0;
        remove_pair(cache, list.entry[i].key);
    }
    tsr_free(list.entry);
    return TSR_OK;
}

/* ---- writing ---- */

/* Finish the pair in the temporary folder: add the tail, and set modes that do not depend on the umask. */
static tsr_status finish_pair(const tsr_folder *folder, const char *object_name, const char *recipe,
                              tsr_error *err)
{
    if (fchmodat(folder->fd, object_name, 0600, 0) != 0)
        return tsr_fail_errno(err, errno, object_name, "cannot set the mode 600");
    char *object;
    size_t nobject;
    TSR_TRY(tsr_jit_file_read(&object, &nobject, NULL, folder->fd, object_name, err));
    if (!object)
        return tsr_fail(err, TSR_IO, "cannot read the file %s", object_name);
    tsr_text tail = {0};
    add_tail(&tail, recipe, object, nobject);
    tsr_free(object);
    tsr_status status = tsr_text_status(&tail, err);
    if (status == TSR_OK)
        status = tsr_jit_file_write(folder->fd, JIT_SOURCE_NAME, tail.s, tail.nbytes, true, err);
    tsr_text_clear(&tail);
    return status;
}

tsr_status tsr_jit_cache_insert(const jit_cache *cache, const tsr_folder *folder, const char *key,
                                const char *recipe, tsr_error *err)
{
    char source_name[NAME_NBYTES], object_name[NAME_NBYTES];
    name_file(source_name, key, ".c");
    name_file(object_name, key, ".so");
    TSR_TRY(finish_pair(folder, object_name, recipe, err));
    tsr_status status = TSR_OK;
    const int locked = lock(cache);
    if (renameat(folder->fd, object_name, cache->fd, object_name) != 0 ||
        renameat(folder->fd, JIT_SOURCE_NAME, cache->fd, source_name) != 0)
        status = tsr_fail_errno(err, errno, tsr_text_cstr(&cache->path), "cannot write to the cache");
    else
        status = evict(cache, err);
    unlock(locked);
    return status;
}

tsr_status tsr_jit_cache_put(const jit_cache *cache, const char *name, const char *bytes, size_t n,
                             tsr_error *err)
{
    tsr_folder folder;
    TSR_TRY(tsr_folder_new(&folder, tsr_text_cstr(&cache->path), err));
    tsr_status status = tsr_jit_file_write(folder.fd, name, bytes, n, false, err);
    if (status == TSR_OK && renameat(folder.fd, name, cache->fd, name) != 0)
        status = tsr_fail_errno(err, errno, tsr_text_cstr(&cache->path), "cannot write to the cache");
    tsr_folder_remove(&folder);
    return status;
}

/* ---- showing and clearing the cache ---- */

static tsr_status show(bool *go_on, const jit_cache *cache, const entry *e,
                       bool (*visit)(void *arg, const tsr_jit_entry *entry), void *arg, tsr_error *err)
{
    char name[NAME_NBYTES], *source;
    size_t nsource;
    name_file(name, e->key, ".c");
    TSR_TRY(tsr_jit_file_read(&source, &nsource, NULL, cache->fd, name, err));
    if (source) {
        const size_t nline = strcspn(source, "\n");
        source[nline < MAX_LINE_NBYTES ? nline : MAX_LINE_NBYTES] = '\0';
    }
    const tsr_jit_entry shown = {e->key, source ? source : "", e->nbytes, (int64_t)e->used.tv_sec};
    *go_on = visit(arg, &shown);
    tsr_free(source);
    return TSR_OK;
}

tsr_status tsr_jit_list(const tsr_jit_options *options, bool (*visit)(void *arg, const tsr_jit_entry *entry),
                        void *arg, tsr_error *err)
{
    static const tsr_jit_options defaults = {0};
    jit_cache cache;
    listing list = {0};
    TSR_TRY(tsr_jit_cache_open(&cache, options ? options : &defaults, false, err));
    tsr_status status = cache.fd >= 0 ? list_entries(&list, &cache, false, err) : TSR_OK;
    bool go_on = true;
    for (size_t i = 0; i < list.n && go_on && status == TSR_OK; i++)
        status = show(&go_on, &cache, &list.entry[i], visit, arg, err);
    tsr_free(list.entry);
    tsr_jit_cache_close(&cache);
    return status;
}

tsr_status tsr_jit_clear(const tsr_jit_options *options, tsr_error *err)
{
    static const tsr_jit_options defaults = {0};
    jit_cache cache;
    TSR_TRY(tsr_jit_cache_open(&cache, options ? options : &defaults, false, err));
    if (cache.fd < 0) {
        tsr_jit_cache_close(&cache);
        return TSR_OK;
    }
    const int locked = lock(&cache);
    DIR *dir = open_listing(&cache);
    tsr_status status = TSR_OK;
    if (!dir)
        status = tsr_fail_errno(err, errno, tsr_text_cstr(&cache.path), "cannot list the cache");
    for (const struct dirent *d = dir ? readdir(dir) : NULL; d && status == TSR_OK; d = readdir(dir)) {
        const char *name = d->d_name;
        if (tsr_folder_is_temporary(name))
            tsr_folder_sweep(cache.fd, name, false);
        else if ((is_named(name, ".so") || is_named(name, ".c") || is_named(name, ".version")) &&
                 unlinkat(cache.fd, name, 0) != 0 && errno != ENOENT)
            status = tsr_fail_errno(err, errno, tsr_text_cstr(&cache.path), "cannot remove %s", name);
    }
    if (dir)
        (void)closedir(dir);
    unlock(locked);
    tsr_jit_cache_close(&cache);
    return status;
}
