/* Temporary folders: see tsr_folder.h. */
#include "tsr_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char prefix[] = ".tessera-";

enum {
    MAX_DEPTH = 40,       /* depth of the folders that a program may have made in one of these */
    MIN_AGE_S = 10,       /* a younger folder may not be locked yet */
    MAX_AGE_S = 24 * 3600 /* where locks do not work, an older folder has lost its owner */
};

tsr_status tsr_folder_new(tsr_folder *folder, const char *parent, tsr_error *err)
{
    *folder = (tsr_folder){.fd = -1};
    tsr_text_addf(&folder->path, "%s/%sXXXXXX", parent, prefix);
    tsr_status status = tsr_text_status(&folder->path, err);
    if (status == TSR_OK && !mkdtemp(folder->path.s))
        status = tsr_fail_errno(err, errno, parent, "cannot make a temporary folder");
    if (status != TSR_OK) {
        tsr_text_clear(&folder->path);
        return status;
    }
    folder->fd = open(folder->path.s, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder->fd < 0) {
        status = tsr_fail_errno(err, errno, parent, "cannot open a temporary folder");
        (void)rmdir(folder->path.s);
        tsr_text_clear(&folder->path);
        return status;
    }
    (void)flock(folder->fd, LOCK_EX | LOCK_NB); /* where locks do not work, the age decides */
    return TSR_OK;
}

static void empty_folder(int fd, int depth)
{
    const int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
    if (!dir) {
        if (copy >= 0)
            (void)close(copy);
        return;
    }
    for (const struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || unlinkat(fd, e->d_name, 0) == 0)
            continue;
        const int inner = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner < 0)
            continue;
        if (depth < MAX_DEPTH)
            empty_folder(inner, depth + 1);
        (void)close(inner);
        (void)unlinkat(fd, e->d_name, AT_REMOVEDIR);
    }
    (void)closedir(dir);
}

void tsr_folder_remove(tsr_folder *folder)
{
    if (!folder->path.nbytes)
        return;
    empty_folder(folder->fd, 0);
    (void)rmdir(folder->path.s);
    (void)close(folder->fd);
    tsr_text_clear(&folder->path);
    folder->fd = -1;
}

bool tsr_folder_is_temporary(const char *name)
{
    return strncmp(name, prefix, sizeof prefix - 1) == 0;
}

static bool is_left_behind(int fd)
{
    struct stat s;
    if (fstat(fd, &s) != 0 || s.st_uid != geteuid())
        return false;
    const double age_s = difftime(time(NULL), s.st_mtime);
    if (age_s < MIN_AGE_S)
        return false;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    return errno != EWOULDBLOCK && errno != EINTR && age_s > MAX_AGE_S;
}

void tsr_folder_sweep(int parent, const char *name, bool always)
{
    const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    if (always || is_left_behind(fd)) {
        empty_folder(fd, 0);
        (void)unlinkat(parent, name, AT_REMOVEDIR);
    }
    (void)close(fd);
}

tsr_status tsr_folder_new_temporary(tsr_folder *folder, tsr_error *err)
{
    const char *const given = getenv("TMPDIR"), *const parent = given && given[0] == '/' ? given : "/tmp";
    DIR *const dir = opendir(parent);
    const int fd = dir ? dirfd(dir) : -1;
    for (const struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
        if (tsr_folder_is_temporary(e->d_name))
            tsr_folder_sweep(fd, e->d_name, false);
    if (dir)
        (void)closedir(dir);
    return tsr_folder_new(folder, parent, err);
}

void tsr_folder_make_above(char *path)
{
    for (char *p = path + (*path == '/'); *p; p++)
        if (*p == '/') {
            *p = '\0';
            (void)mkdir(path, 0700);
            *p = '/';
        }
}
