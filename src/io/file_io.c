/* System calls on files. Partial calls are continued; calls that a signal interrupted are repeated unless
 * tsr_interrupt was called; errors are reported as sentences. */
#include "io_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tsr_interrupt.h"

enum { MAX_CALL_NBYTES = 1 << 30 }; /* bytes of one read(2) or write(2): some systems refuse 2 GiB and more */

tsr_status tsr_fail_errno(tsr_error *err, int errnum, const char *path, const char *format, ...)
{
    char sentence[sizeof err->message], words[128];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    if (strerror_r(errnum, words, sizeof words) != 0)
        snprintf(words, sizeof words, "error %d", errnum);
    return tsr_fail_at(err, TSR_IO, path, 0, 0, "%s: %s", sentence, words);
}

/* Whether a call that failed with this errno should be made again. */
static bool is_passing(int error)
{
    return error == EINTR || error == EAGAIN || error == EWOULDBLOCK;
}

/* Wait until fd can be read from (events = POLLIN) or written to (POLLOUT), or until fd is at its end or
 * broken. TSR_CANCELLED after tsr_interrupt, TSR_IO. */
static tsr_status wait_ready(int fd, short events, const char *path, tsr_error *err)
{
    enum { LOOK_MS = 50 }; /* the request of a scope does not wake a thread */
    struct pollfd fds[2] = {{fd, events, 0}, {tsr_interrupt_fd(), POLLIN, 0}};
    const int most_ms = tsr_interrupt_here().asked ? LOOK_MS : -1;
    for (;;) {
        TSR_TRY(tsr_interrupt_check(err));
        const int n = poll(fds, 2, most_ms);
        if (n < 0 && !is_passing(errno))
            return tsr_fail_errno(err, errno, path, "cannot wait");
        if (n > 0 && fds[0].revents)
            return TSR_OK;
    }
}

static tsr_status read_descriptor(size_t *n, tsr_source *source, void *out, size_t room, tsr_error *err)
{
    ssize_t got;
    do {
        if (source->waits)
            TSR_TRY(wait_ready(source->fd, POLLIN, source->path, err));
        got = read(source->fd, out, room < MAX_CALL_NBYTES ? room : MAX_CALL_NBYTES);
        if (got < 0 && errno == EINTR)
            TSR_TRY(tsr_interrupt_check(err));
    } while (got < 0 && is_passing(errno));
    if (got < 0)
        return tsr_fail_errno(err, errno, source->path, "cannot read after %" PRIuFAST64 " bytes",
                              atomic_load(&source->nbytes));
    *n = (size_t)got;
    return TSR_OK;
}

tsr_status tsr_source_read(size_t *n, tsr_source *source, void *out, size_t room, tsr_error *err)
{
    *n = 0;
    if (source->at_end)
        return TSR_OK;
    TSR_TRY(source->inflow.read ? source->inflow.read(n, out, room, source->inflow.ctx, err)
                                : read_descriptor(n, source, out, room, err));
    source->at_end = *n == 0;
    atomic_fetch_add(&source->nbytes, *n);
    return TSR_OK;
}

/* The number of bytes for one write(2) to fd. A pipe or device that is ready takes at least PIPE_BUF bytes,
 * so that the write does not block; in a blocked write, a signal could arrive in another thread and would not
 * end the wait. */
static size_t call_nbytes(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || S_ISREG(st.st_mode) || S_ISBLK(st.st_mode))
        return MAX_CALL_NBYTES;
    const int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && flags & O_NONBLOCK ? MAX_CALL_NBYTES - 1 : PIPE_BUF;
}

tsr_status tsr_write_all(int fd, const void *bytes, size_t nbytes, const char *path, uint64_t done,
                         tsr_error *err)
{
    const char *p = bytes;
    const size_t most = call_nbytes(fd);
    while (nbytes > 0) {
        if (most < MAX_CALL_NBYTES)
            TSR_TRY(wait_ready(fd, POLLOUT, path, err));
        const ssize_t put = write(fd, p, nbytes < most ? nbytes : most);
        if (put < 0) /* a handler of SIGPIPE may have called tsr_interrupt */
            TSR_TRY(tsr_interrupt_check(err));
        if (put < 0 && is_passing(errno))
            continue;
        if (put <= 0)
            return tsr_fail_errno(err, put < 0 ? errno : ENOSPC, path, "cannot write after %" PRIu64 " bytes",
                                  done);
        p += put;
        nbytes -= (size_t)put;
        done += (uint64_t)put;
    }
    return TSR_OK;
}
