/* Temporary files beside their target: see tsr_output.h. The file has a name that nobody else uses from
 * tsr_tempfile_new to tsr_tempfile_commit or tsr_tempfile_free, and the target is whole at any time. */
#include "tsr_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base_internal.h"
#include "tsr_alloc.h"

enum {
    MAX_PATH = 4096,
    MAX_LINKS = 40,  /* as Linux has it */
    MAX_NAME = 255,  /* of one part of a path */
    NRANDOM = 6,     /* letters */
    NATTEMPTS = 100, /* to find a free name among 36^6 */
};

struct tsr_tempfile {
    char *given;           /* the path as the caller wrote it, for messages */
    char target[MAX_PATH]; /* with its links followed */
    size_t nfolder;        /* bytes of target up to and with its last '/'; 0: the working folder */
    char path[MAX_PATH];   /* the temporary name, "" when there is no such file (any more) */
    int fd;
};

/* Put link behind the folder part of target, or in its place when it is absolute. */
static bool apply_link(char target[MAX_PATH], const char *link)
{
    const char *slash = strrchr(target, '/');
    const size_t nfolder = slash && link[0] != '/' ? (size_t)(slash - target) + 1 : 0, n = strlen(link);
    if (nfolder + n >= MAX_PATH)
        return false;
    memcpy(target + nfolder, link, n + 1);
    return true;
}

/* Follow symbolic links from the given path to what they end at, which need not exist. */
static tsr_status follow_links(tsr_tempfile *temp, tsr_error *err)
{
    if (!apply_link(temp->target, temp->given))
        return tsr_fail_errno(err, ENAMETOOLONG, temp->given, "cannot write");
    for (int i = 0; i <= MAX_LINKS; i++) {
        char link[MAX_PATH];
        const ssize_t n = readlink(temp->target, link, sizeof link - 1);
        if (n < 0 && (errno == EINVAL || errno == ENOENT))
            return TSR_OK; /* not a link; not there */
        if (n < 0)
            return tsr_fail_errno(err, errno, temp->given, "cannot write");
        link[n] = '\0';
        if (!apply_link(temp->target, link))
            return tsr_fail_errno(err, ENAMETOOLONG, temp->given, "cannot write");
    }
    return tsr_fail_errno(err, ELOOP, temp->given, "cannot write");
}

/* 64 bits that differ from call to call and from process to process (splitmix64 of time, process, place). */
static uint64_t any_number(const void *place)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t z = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    z ^= ((uint64_t)getpid() << 40) ^ (uint64_t)(uintptr_t)place;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Create the file under a free name, FOLDER/.NAME.XXXXXX.tmp (NAME is cut where that would be too long). */
static tsr_status create(tsr_tempfile *temp, tsr_error *err)
{
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    const char *name = temp->target + temp->nfolder;
    size_t nname = strlen(name);
    if (nname > MAX_NAME - strlen("..XXXXXX.tmp"))
        nname = MAX_NAME - strlen("..XXXXXX.tmp");
    if (temp->nfolder + MAX_NAME >= sizeof temp->path)
        return tsr_fail_errno(err, ENAMETOOLONG, temp->given, "cannot write");
    int error = EEXIST;
    for (int i = 0; i < NATTEMPTS && error == EEXIST; i++) {
        char random[NRANDOM + 1] = "";
        uint64_t r = any_number(temp);
        for (int k = 0; k < NRANDOM; k++, r /= 36)
            random[k] = letters[r % 36];
        snprintf(temp->path, sizeof temp->path, "%.*s.%.*s.%s.tmp", (int)temp->nfolder, temp->target,
                 (int)nname, name, random);
        temp->fd = open(temp->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        error = temp->fd < 0 ? errno : 0;
    }
    if (error) {
        temp->path[0] = '\0';
        return tsr_fail_errno(err, error, temp->given, "cannot make a temporary file in the folder %.*s",
                              temp->nfolder ? (int)temp->nfolder : 1, temp->nfolder ? temp->target : ".");
    }
    return TSR_OK;
}

/* Check the target as far as it exists, create the temporary file and give it the target's mode. */
static tsr_status prepare(tsr_tempfile *temp, tsr_error *err)
{
    TSR_TRY(follow_links(temp, err));
    const char *slash = strrchr(temp->target, '/');
    temp->nfolder = slash ? (size_t)(slash - temp->target) + 1 : 0;
    struct stat old, new;
    const bool exists = stat(temp->target, &old) == 0;
    if (!exists && (errno != ENOENT || temp->target[0] == '\0'))
        return tsr_fail_errno(err, errno, temp->given, "cannot write");
    if (temp->target[temp->nfolder] == '\0' || (exists && S_ISDIR(old.st_mode)))
        return tsr_fail_errno(err, EISDIR, temp->given, "cannot write");
    if (exists && !S_ISREG(old.st_mode))
        return tsr_fail_at(err, TSR_IO, temp->given, 0, 0, "cannot write: not a regular file");
    if (exists && access(temp->target, W_OK) != 0)
        return tsr_fail_errno(err, errno, temp->given, "cannot write");
    TSR_TRY(create(temp, err));
    if (exists && (fstat(temp->fd, &new) != 0 ||
                   ((new.st_mode ^ old.st_mode) & 0777 && fchmod(temp->fd, old.st_mode & 0777) != 0)))
        return tsr_fail_errno(err, errno, temp->given, "cannot set the mode %o",
                              (unsigned)old.st_mode & 0777);
    return TSR_OK;
}

tsr_status tsr_tempfile_new(tsr_tempfile **out, const char *path, tsr_error *err)
{
    *out = NULL;
    tsr_tempfile *temp = tsr_calloc(1, sizeof *temp);
    if (temp) {
        temp->fd = -1;
        temp->given = tsr_strdup(path);
    }
    if (!temp || !temp->given) {
        tsr_tempfile_free(temp);
        return tsr_fail_at(err, TSR_NOMEM, path, 0, 0, "out of memory");
    }
    const tsr_status status = prepare(temp, err);
    if (status == TSR_OK)
        *out = temp;
    else
        tsr_tempfile_free(temp);
    return status;
}

const char *tsr_tempfile_path(const tsr_tempfile *temp)
{
    return temp->path;
}

int tsr_tempfile_fd(const tsr_tempfile *temp)
{
    return temp->fd;
}

/* Make the new name last: best done, but not every file system can, and the file is in its place anyway. */
static void sync_folder(const tsr_tempfile *temp)
{
    char folder[MAX_PATH] = ".";
    if (temp->nfolder > 0) {
        memcpy(folder, temp->target, temp->nfolder);
        folder[temp->nfolder] = '\0';
    }
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    (void)close(fd);
}

tsr_status tsr_tempfile_commit(tsr_tempfile *temp, tsr_error *err)
{
    if (fsync(temp->fd) != 0 && errno != EINVAL && errno != ENOTSUP)
        return tsr_fail_errno(err, errno, temp->given, "cannot flush to disk");
    const int closed = close(temp->fd);
    temp->fd = -1;
    if (closed != 0)
        return tsr_fail_errno(err, errno, temp->given, "cannot close");
    if (rename(temp->path, temp->target) != 0)
        return tsr_fail_errno(err, errno, temp->given, "cannot rename %s to it", temp->path);
    temp->path[0] = '\0';
    sync_folder(temp);
    return TSR_OK;
}

void tsr_tempfile_free(tsr_tempfile *temp)
{
    if (!temp)
        return;
    if (temp->fd >= 0)
        (void)close(temp->fd); /* uncommitted: whatever is lost was to be thrown away */
    if (temp->path[0])
        (void)unlink(temp->path);
    tsr_free(temp->given);
    tsr_free(temp);
}
