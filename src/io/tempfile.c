/* Temporary files beside their target: see tsr_output.h. From tsr_tempfile_new to tsr_tempfile_commit or
 * tsr_tempfile_free no other file has the temporary name, and the target is whole at any time.
 *
 * The process that makes a temporary file holds a lock on it (flock) until the file is renamed or removed.
 * The system drops the lock when the process dies, however it dies. So a temporary file that can be locked
 * has lost its owner, and the next process that writes to the same target removes it. Process numbers and
 * times do not matter, except on file systems where locks may not reach other machines. */
#define _DEFAULT_SOURCE /* flock */
#include "tsr_output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io_internal.h"
#include "tsr_alloc.h"
#include "tsr_system.h"

enum {
    MAX_PATH = 4096,
    MAX_LINKS = 40,        /* the limit of Linux */
    MAX_NAME = 255,        /* bytes of one part of a path */
    NRANDOM = 6,           /* random letters in the name */
    NATTEMPTS = 100,       /* attempts to find a free name among 36^6 */
    MAX_AGE_S = 24 * 3600, /* where locks do not work, an older file has lost its owner */
};
static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz", suffix[] = ".tmp";

struct tsr_tempfile {
    char *given;           /* the path as the caller wrote it, for error messages */
    char target[MAX_PATH]; /* the path after following its links */
    size_t nfolder;        /* bytes of `target` up to and including its last '/'; 0: the working folder */
    char path[MAX_PATH];   /* path of the temporary file; "" when it does not exist (any more) */
    int fd;                /* for writing; -1 when closed */
    int lock;              /* a second descriptor of the same open file, so that closing fd leaves the lock */
};

/* Append `link` to the folder part of `target`; replace `target` if `link` is absolute. */
static bool apply_link(char target[MAX_PATH], const char *link)
{
    const char *slash = strrchr(target, '/');
    const size_t nfolder = slash && link[0] != '/' ? (size_t)(slash - target) + 1 : 0, n = strlen(link);
    if (nfolder + n >= MAX_PATH)
        return false;
    memcpy(target + nfolder, link, n + 1);
    return true;
}

/* Follow symbolic links from the given path to their end, which need not exist. */
static tsr_status follow_links(tsr_tempfile *temp, tsr_error *err)
{
    if (!apply_link(temp->target, temp->given))
        return tsr_fail_errno(err, ENAMETOOLONG, temp->given, "cannot write");
    for (int i = 0; i <= MAX_LINKS; i++) {
        char link[MAX_PATH];
        const ssize_t n = readlink(temp->target, link, sizeof link - 1);
        if (n < 0 && (errno == EINVAL || errno == ENOENT))
            return TSR_OK; /* not a link, or does not exist */
        if (n < 0)
            return tsr_fail_errno(err, errno, temp->given, "cannot write");
        link[n] = '\0';
        if (!apply_link(temp->target, link))
            return tsr_fail_errno(err, ENAMETOOLONG, temp->given, "cannot write");
    }
    return tsr_fail_errno(err, ELOOP, temp->given, "cannot write");
}

/* 64 bits that differ from call to call and from process to process (splitmix64 of time, process number,
 * address). */
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

/* The number of bytes of the target's name that the temporary name contains: less than all if the name would
 * be too long. */
static size_t cut_name(const tsr_tempfile *temp)
{
    const size_t n = strlen(temp->target + temp->nfolder), most = MAX_NAME - strlen("..XXXXXX.tmp");
    return n < most ? n : most;
}

static int open_folder(const tsr_tempfile *temp)
{
    char folder[MAX_PATH] = ".";
    if (temp->nfolder > 0) {
        memcpy(folder, temp->target, temp->nfolder);
        folder[temp->nfolder] = '\0';
    }
    return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* ---- locks ---- */

typedef enum lock_state { LOCKED, TAKEN, NO_LOCKS } lock_state;

static lock_state lock(int fd)
{
    int error;
    do
        error = flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    while (error == EINTR);
    return error == 0 ? LOCKED : error == EWOULDBLOCK ? TAKEN : NO_LOCKS;
}

/* ---- sweeping ---- */

/* Whether `name` is .NAME.XXXXXX.tmp of this target. */
static bool is_for_target(const tsr_tempfile *temp, const char *name)
{
    const size_t n = cut_name(temp);
    return name[0] == '.' && strncmp(name + 1, temp->target + temp->nfolder, n) == 0 && name[n + 1] == '.' &&
           strspn(name + n + 2, letters) == NRANDOM && strcmp(name + n + 2 + NRANDOM, suffix) == 0;
}

/* Whether the file has lost its owner; if so it is locked now. */
static bool is_left_behind(int fd, const struct stat *s)
{
    if (!S_ISREG(s->st_mode) || s->st_uid != geteuid() || s->st_nlink != 1)
        return false;
    const lock_state state = lock(fd);
    const bool is_old = difftime(time(NULL), s->st_mtime) > MAX_AGE_S;
    return (state == LOCKED && !tsr_system_is_shared(fd)) || (state != TAKEN && is_old);
}

static void sweep_file(int folder, const char *name)
{
    /* open for writing: NFS gives no exclusive lock to readers */
    const int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat opened, named;
    if (fd < 0)
        return;
    /* the opened file may have been renamed meanwhile, and another file may have its name */
    if (fstat(fd, &opened) == 0 && is_left_behind(fd, &opened) &&
        fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_dev == opened.st_dev &&
        named.st_ino == opened.st_ino)
        (void)unlinkat(folder, name, 0);
    (void)close(fd);
}

/* Remove the temporary files of the same target whose processes are dead. A failure is ignored. */
static void sweep(const tsr_tempfile *temp)
{
    const int fd = open_folder(temp);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && !dir)
        (void)close(fd);
    for (const struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
        if (is_for_target(temp, e->d_name))
            sweep_file(fd, e->d_name);
    if (dir)
        (void)closedir(dir);
}

/* ---- creating ---- */

/* Lock the new file. EEXIST: another process locked the file first, took it for abandoned and removed it. */
static int lock_new(tsr_tempfile *temp)
{
    struct stat s;
    temp->lock = fcntl(temp->fd, F_DUPFD_CLOEXEC, 0);
    if (temp->lock < 0)
        return errno;
    if (lock(temp->fd) == TAKEN || fstat(temp->fd, &s) != 0 || s.st_nlink == 0)
        return EEXIST;
    return 0;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd); /* not committed: an error of close does not matter */
    *fd = -1;
}

static int create_named(tsr_tempfile *temp, const char *path, mode_t mode)
{
    temp->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (temp->fd < 0)
        return errno;
    const int error = lock_new(temp);
    if (error) {
        (void)unlink(path);
        close_fd(&temp->lock);
        close_fd(&temp->fd);
    }
    return error;
}

/* Create the file under a free name, FOLDER/.NAME.XXXXXX.tmp. */
static tsr_status create(tsr_tempfile *temp, mode_t mode, tsr_error *err)
{
    if (temp->nfolder + MAX_NAME >= sizeof temp->path)
        return tsr_fail_errno(err, ENAMETOOLONG, temp->given, "cannot write");
    int error = EEXIST;
    for (int i = 0; i < NATTEMPTS && error == EEXIST; i++) {
        char random[NRANDOM + 1] = "";
        uint64_t r = any_number(temp);
        for (int k = 0; k < NRANDOM; k++, r /= 36)
            random[k] = letters[r % 36];
        snprintf(temp->path, sizeof temp->path, "%.*s.%.*s.%s%s", (int)temp->nfolder, temp->target,
                 (int)cut_name(temp), temp->target + temp->nfolder, random, suffix);
        error = create_named(temp, temp->path, mode);
    }
    if (error) {
        temp->path[0] = '\0';
        return tsr_fail_errno(err, error, temp->given, "cannot make a temporary file in the folder %.*s",
                              temp->nfolder ? (int)temp->nfolder : 1, temp->nfolder ? temp->target : ".");
    }
    return TSR_OK;
}

/* Check the target if it exists, create the temporary file and give it the mode of the target. */
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
    sweep(temp);
    /* The file must at no time be readable by more users than the target: if there is a target, begin with a
     * narrow mode; else the umask decides. */
    TSR_TRY(create(temp, exists ? 0600 : 0666, err));
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
        temp->fd = temp->lock = -1;
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

/* Make the rename durable. Not every file system can do that, and the file is in place in any case, so
 * failures are ignored. */
static void sync_folder(const tsr_tempfile *temp)
{
    int fd = open_folder(temp);
    if (fd >= 0)
        (void)fsync(fd);
    close_fd(&fd);
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
    close_fd(&temp->lock);
    sync_folder(temp);
    return TSR_OK;
}

void tsr_tempfile_free(tsr_tempfile *temp)
{
    if (!temp)
        return;
    if (temp->path[0])
        (void)unlink(temp->path);
    close_fd(&temp->fd);
    close_fd(&temp->lock);
    tsr_free(temp->given);
    tsr_free(temp);
}
