/* Files of the cache and of temporary folders: always opened by name in an open folder, never through
 * links. */
#include "jit_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tsr_alloc.h"

const char *tsr_jit_not_ours(uid_t owner, mode_t mode)
{
    if (owner != geteuid())
        return "belongs to another user";
    return mode & (S_IWGRP | S_IWOTH) ? "is writable by other users" : NULL;
}

static tsr_status read_open(char **bytes, size_t *n, int fd, const char *name, tsr_error *err)
{
    struct stat s;
    if (fstat(fd, &s) != 0)
        return tsr_fail_errno(err, errno, name, "cannot read");
    const char *why = S_ISREG(s.st_mode) ? tsr_jit_not_ours(s.st_uid, s.st_mode) : "is not a regular file";
    if (why)
        return tsr_fail(err, TSR_IO, "the file %s of the cache %s (owner %lld, mode %o)", name, why,
                        (long long)s.st_uid, (unsigned)s.st_mode & 07777u);
    if (s.st_size > JIT_MAX_FILE_NBYTES)
        return TSR_OK;
    char *block = tsr_malloc((size_t)s.st_size + 1);
    if (!block)
        return tsr_fail(err, TSR_NOMEM, "out of memory for the file %s of %lld bytes", name,
                        (long long)s.st_size);
    size_t done = 0;
    ssize_t got = 1;
    while (done < (size_t)s.st_size && got != 0) {
        got = read(fd, block + done, (size_t)s.st_size - done);
        if (got < 0 && errno != EINTR) {
            tsr_free(block); /* treated as absent */
            return TSR_OK;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    block[done] = '\0';
    *bytes = block;
    *n = done;
    return TSR_OK;
}

tsr_status tsr_jit_file_read(char **bytes, size_t *n, int *keep, int folder, const char *name, tsr_error *err)
{
    *bytes = NULL;
    *n = 0;
    const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && errno == ELOOP)
        return tsr_fail(err, TSR_IO, "the file %s of the cache is a symbolic link", name);
    if (fd < 0)
        return TSR_OK;
    const tsr_status status = read_open(bytes, n, fd, name, err);
    if (keep && *bytes)
        *keep = fd;
    else
        (void)close(fd);
    return status;
}

tsr_status tsr_jit_file_write(int folder, const char *name, const char *bytes, size_t n, bool append,
                              tsr_error *err)
{
    const int how = append ? O_APPEND : O_CREAT | O_EXCL;
    const int fd = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | how, 0600);
    if (fd < 0)
        return tsr_fail_errno(err, errno, name, "cannot write");
    int error = 0;
    for (size_t done = 0; done < n && !error;) {
        const ssize_t put = write(fd, bytes + done, n - done);
        if (put > 0)
            done += (size_t)put;
        else if (put == 0 || errno != EINTR)
            error = put == 0 ? ENOSPC : errno;
    }
    if (close(fd) != 0 && !error)
        error = errno;
    return error ? tsr_fail_errno(err, error, name, "cannot write %zu bytes", n) : TSR_OK;
}
