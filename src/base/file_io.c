/* System calls on files: interrupted and partial ones are taken up again, errors come back in words. */
#include "base_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_CALL_NBYTES = 1 << 30 }; /* of one read(2) or write(2): some systems refuse 2 GiB and more */

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

tsr_status tsr_source_read(size_t *n, tsr_source *source, void *out, size_t room, tsr_error *err)
{
    *n = 0;
    if (source->at_end)
        return TSR_OK;
    ssize_t got;
    do
        got = read(source->fd, out, room < MAX_CALL_NBYTES ? room : MAX_CALL_NBYTES);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return tsr_fail_errno(err, errno, source->path, "cannot read after %" PRIuFAST64 " bytes",
                              atomic_load(&source->nbytes));
    *n = (size_t)got;
    source->at_end = got == 0;
    atomic_fetch_add(&source->nbytes, *n);
    return TSR_OK;
}

tsr_status tsr_write_all(int fd, const void *bytes, size_t nbytes, const char *path, uint64_t done,
                         tsr_error *err)
{
    const char *p = bytes;
    while (nbytes > 0) {
        const ssize_t put = write(fd, p, nbytes < MAX_CALL_NBYTES ? nbytes : MAX_CALL_NBYTES);
        if (put < 0 && errno == EINTR)
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
