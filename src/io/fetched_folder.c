/* Folders whose files are fetched when they are first asked for: see tsr_fetched.h. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io_internal.h"
#include "tsr_alloc.h"
#include "tsr_fetched.h"
#include "tsr_folder.h"

enum { ROOM_NBYTES = 1 << 20, MAX_ABSENT_NBYTES = 1 << 20 };

struct tsr_fetched_folder {
    tsr_fetched_folder *next;
    pthread_mutex_t mutex;
    tsr_text path;
    tsr_text absent; /* the names of files that are known to be missing, each ended by NUL */
    unsigned char *room;
    tsr_fetch_member *fetch;
    void *ctx;
    tsr_error error;
};

/* All of them, since readers know files by their paths alone. */
static pthread_mutex_t all_mutex = PTHREAD_MUTEX_INITIALIZER;
static tsr_fetched_folder *all;

tsr_status tsr_fetched_folder_new(tsr_fetched_folder **out, const char *path, tsr_fetch_member *fetch,
                                  void *ctx, tsr_error *err)
{
    *out = NULL;
    tsr_fetched_folder *const folder = tsr_calloc(1, sizeof *folder);
    if (!folder)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a folder that is fetched");
    *folder = (tsr_fetched_folder){.fetch = fetch, .ctx = ctx, .room = tsr_malloc(ROOM_NBYTES)};
    pthread_mutex_init(&folder->mutex, NULL);
    tsr_text_addf(&folder->path, "%s/", path);
    tsr_status status = folder->room ? tsr_text_status(&folder->path, err)
                                     : tsr_fail(err, TSR_NOMEM, "out of memory: a folder that is fetched");
    if (status == TSR_OK && mkdir(path, 0700) != 0)
        status = tsr_fail_errno(err, errno, path, "cannot be made");
    pthread_mutex_lock(&all_mutex);
    folder->next = all;
    all = folder;
    pthread_mutex_unlock(&all_mutex);
    if (status != TSR_OK)
        tsr_fetched_folder_free(folder);
    else
        *out = folder;
    return status;
}

void tsr_fetched_folder_free(tsr_fetched_folder *folder)
{
    if (!folder)
        return;
    pthread_mutex_lock(&all_mutex);
    for (tsr_fetched_folder **p = &all; *p; p = &(*p)->next)
        if (*p == folder) {
            *p = folder->next;
            break;
        }
    pthread_mutex_unlock(&all_mutex);
    pthread_mutex_destroy(&folder->mutex);
    tsr_text_clear(&folder->path);
    tsr_text_clear(&folder->absent);
    tsr_free(folder->room);
    tsr_free(folder);
}

/* The folder of the path, and the name in it; NULL: another file, or a name that could lead out of the folder. */
static tsr_fetched_folder *find_folder(const char **name, const char *path)
{
    pthread_mutex_lock(&all_mutex);
    tsr_fetched_folder *found = all;
    while (found && strncmp(path, tsr_text_cstr(&found->path), found->path.nbytes) != 0)
        found = found->next;
    pthread_mutex_unlock(&all_mutex);
    *name = found ? path + found->path.nbytes : NULL;
    const bool leaves =
        found && (**name == '\0' || **name == '/' || strncmp(*name, "../", 3) == 0 || strstr(*name, "/../"));
    return leaves ? NULL : found;
}

static bool is_absent(const tsr_fetched_folder *folder, const char *name)
{
    const size_t n = strlen(name) + 1;
    for (size_t at = 0; at < folder->absent.nbytes; at += strlen(folder->absent.s + at) + 1)
        if (strncmp(folder->absent.s + at, name, n) == 0)
            return true;
    return false;
}

static int create(const char *path)
{
    char *const copy = tsr_strdup(path);
    if (copy)
        tsr_folder_make_above(copy);
    tsr_free(copy);
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

static tsr_status fetch_file(tsr_fetched_folder *folder, const char *path, const char *name)
{
    tsr_error *const err = &folder->error;
    int64_t n;
    tsr_fetched_part part = {.name = name, .out = folder->room, .room = ROOM_NBYTES};
    TSR_TRY(folder->fetch(&n, folder->ctx, &part, err));
    if (n < 0) {
        if (folder->absent.nbytes < MAX_ABSENT_NBYTES)
            tsr_text_add_n(&folder->absent, name, strlen(name) + 1);
        return tsr_text_status(&folder->absent, err);
    }
    const int fd = create(path);
    if (fd < 0)
        return tsr_fail_errno(err, errno, name, "cannot be stored");
    tsr_status status = TSR_OK;
    while (status == TSR_OK && n > 0) {
        status = tsr_write_all(fd, folder->room, (size_t)n, name, part.offset, err);
        part.offset += (uint64_t)n;
        if (status == TSR_OK)
            status = folder->fetch(&n, folder->ctx, &part, err);
    }
    if (close(fd) != 0 && status == TSR_OK)
        status = tsr_fail_errno(err, errno, name, "cannot be stored");
    return status;
}

bool tsr_fetched_file(const char *path)
{
    const char *name;
    struct stat st;
    tsr_fetched_folder *const folder = find_folder(&name, path);
    if (!folder)
        return true;
    pthread_mutex_lock(&folder->mutex);
    if (folder->error.status == TSR_OK && stat(path, &st) != 0 && !is_absent(folder, name))
        folder->error.status = fetch_file(folder, path, name);
    const bool ok = folder->error.status == TSR_OK;
    pthread_mutex_unlock(&folder->mutex);
    return ok;
}

bool tsr_fetched_in_folder(const char *path)
{
    const char *name;
    return find_folder(&name, path) != NULL;
}

void tsr_fetched_put(const char *path, const void *bytes, size_t nbytes)
{
    const char *name;
    tsr_fetched_folder *const folder = find_folder(&name, path);
    if (!folder)
        return;
    pthread_mutex_lock(&folder->mutex);
    const int fd = create(path);
    if (fd >= 0 && tsr_write_all(fd, bytes, nbytes, name, 0, NULL) != TSR_OK)
        (void)unlink(path);
    if (fd >= 0)
        (void)close(fd);
    pthread_mutex_unlock(&folder->mutex);
}

const tsr_error *tsr_fetched_folder_error(const tsr_fetched_folder *folder)
{
    return &folder->error;
}
