/* Temporary files: see stream_internal.h. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stream_internal.h"
#include "tsr_interrupt.h"
#include "tsr_output.h"
#include "tsr_system.h"

tsr_status stream_file_new(stream_file *file, const char *folder, const char *name, size_t room,
                           tsr_error *err)
{
    *file = (stream_file){.fd = -1, .room = room};
    tsr_text_addf(&file->path, "%s/%s", folder, name);
    TSR_TRY(tsr_text_status(&file->path, err));
    void *buf;
    TSR_TRY(tsr_alloc_array(&buf, room, 1, 0, "a buffer of a temporary file", err));
    file->buf = buf;
    file->fd = open(file->path.s, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file->fd < 0)
        return tsr_fail_errno(err, errno, file->path.s, "cannot make a temporary file");
    return TSR_OK;
}

tsr_status stream_file_continue(stream_file *file, uint64_t nbytes, tsr_error *err)
{
    const off_t length = lseek(file->fd, 0, SEEK_END);
    if (length < 0 || (uint64_t)length < nbytes)
        return tsr_fail_at(err, TSR_CORRUPT, file->path.s, 0, 0, "the temporary file is shorter than it was");
    /* no needless cut: ext4 writes a file that was cut to nothing to the disk when it is closed */
    if ((uint64_t)length != nbytes && ftruncate(file->fd, (off_t)nbytes) != 0)
        return tsr_fail_errno(err, errno, file->path.s, "cannot cut a temporary file");
    file->nbytes = file->flushed = nbytes;
    return TSR_OK;
}

tsr_status stream_file_open(stream_file *file, const char *folder, const char *name, uint64_t nbytes,
                            tsr_error *err)
{
    struct stat st;
    *file = (stream_file){.fd = -1, .nbytes = nbytes, .keep = true};
    tsr_text_addf(&file->path, "%s/%s", folder, name);
    TSR_TRY(tsr_text_status(&file->path, err));
    file->fd = open(file->path.s, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file->fd < 0)
        return tsr_fail_errno(err, errno, file->path.s, "cannot open a temporary file");
    if (fstat(file->fd, &st) != 0 || (uint64_t)st.st_size < nbytes)
        return tsr_fail_at(err, TSR_CORRUPT, file->path.s, 0, 0, "the temporary file is shorter than it was");
    return TSR_OK;
}

static tsr_status fail_write(const stream_file *file, int errnum, tsr_error *err)
{
    if (errnum != ENOSPC && errnum != EDQUOT)
        return tsr_fail_errno(err, errnum, file->path.s, "cannot write a temporary file");
    return tsr_fail_at(
        err, TSR_IO, file->path.s, 0, 0,
        "there is no room for this temporary file after %llu bytes: free some, or use another folder "
        "for temporary files",
        (unsigned long long)file->nbytes);
}

tsr_status stream_file_put(const stream_file *file, uint64_t offset, const void *bytes, size_t nbytes,
                           tsr_error *err)
{
    const unsigned char *p = bytes;
    while (nbytes > 0) {
        const ssize_t n = pwrite(file->fd, p, nbytes, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fail_write(file, n < 0 ? errno : ENOSPC, err);
        p += n;
        offset += (uint64_t)n;
        nbytes -= (size_t)n;
    }
    return TSR_OK;
}

/* Add to what is in the file. */
static tsr_status write_out(stream_file *file, const void *bytes, size_t nbytes, tsr_error *err)
{
    TSR_TRY(tsr_interrupt_check(err));
    TSR_TRY(stream_file_put(file, file->flushed, bytes, nbytes, err));
    file->flushed += nbytes;
    return TSR_OK;
}

tsr_status stream_file_reserve(uint64_t *offset, stream_file *file, uint64_t nbytes, tsr_error *err)
{
    TSR_TRY(stream_file_sync(file, err));
    *offset = file->flushed;
    file->flushed += nbytes;
    file->nbytes += nbytes;
    return TSR_OK;
}

/* Room for nbytes more in a buffer that holds everything. */
static tsr_status grow(stream_file *file, size_t nbytes, tsr_error *err)
{
    size_t room = file->room ? file->room : 1 << 12;
    while (room - file->nbuf < nbytes) {
        if (room > SIZE_MAX / 2)
            return tsr_fail(err, TSR_NOMEM, "out of memory");
        room *= 2;
    }
    if (room == file->room)
        return TSR_OK;
    void *buf = file->buf;
    TSR_TRY(tsr_realloc_array(&buf, room, 1, "a part of the entries", err));
    file->buf = buf;
    file->room = room;
    return TSR_OK;
}

tsr_status stream_file_add(stream_file *file, const void *bytes, size_t nbytes, tsr_error *err)
{
    if (file->grows)
        TSR_TRY(grow(file, nbytes, err));
    if (nbytes > file->room - file->nbuf) {
        TSR_TRY(write_out(file, file->buf, file->nbuf, err));
        file->nbuf = 0;
    }
    if (nbytes > file->room) {
        TSR_TRY(write_out(file, bytes, nbytes, err));
    } else {
        memcpy(file->buf + file->nbuf, bytes, nbytes);
        file->nbuf += nbytes;
    }
    file->nbytes += nbytes;
    return TSR_OK;
}

tsr_status stream_file_repeat(stream_file *file, const void *element, size_t width, uint64_t n,
                              tsr_error *err)
{
    unsigned char many[4096];
    const size_t each = sizeof many / width;
    for (size_t i = 0; i < each && i < n; i++)
        memcpy(many + i * width, element, width);
    while (n > 0) {
        const size_t k = n < each ? (size_t)n : each;
        TSR_TRY(stream_file_add(file, many, k * width, err));
        n -= k;
    }
    return TSR_OK;
}

void *stream_file_last(stream_file *file, size_t width)
{
    return file->buf + file->nbuf - width;
}

tsr_status stream_file_sync(stream_file *file, tsr_error *err)
{
    const tsr_status status = write_out(file, file->buf, file->nbuf, err);
    file->nbuf = 0;
    return status;
}

tsr_status stream_file_flush(stream_file *file, tsr_error *err)
{
    const tsr_status status = stream_file_sync(file, err);
    tsr_free(file->buf);
    file->buf = NULL;
    return status;
}

tsr_status stream_file_read(void *out, const stream_file *file, uint64_t offset, size_t nbytes,
                            tsr_error *err)
{
    unsigned char *p = out;
    while (nbytes > 0) {
        const ssize_t n = pread(file->fd, p, nbytes, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return tsr_fail_errno(err, n < 0 ? errno : EIO, file->path.s, "cannot read a temporary file");
        p += n;
        offset += (uint64_t)n;
        nbytes -= (size_t)n;
    }
    return TSR_OK;
}

void stream_file_clear(stream_file *file)
{
    if (file->path.nbytes && file->fd >= 0) {
        (void)close(file->fd); /* what was written is not needed any more, or is cut at the last checkpoint */
        if (!file->keep)
            (void)unlink(file->path.s);
    }
    tsr_text_clear(&file->path);
    tsr_free(file->buf);
    *file = (stream_file){.fd = -1};
}

void stream_file_remove(stream_file *file)
{
    file->keep = false;
    stream_file_clear(file);
}

static tsr_status write_plainly(int fd, const unsigned char *p, size_t nbytes, uint64_t offset,
                                const char *path, tsr_error *err)
{
    while (nbytes > 0) {
        const ssize_t n = pwrite(fd, p, nbytes, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return tsr_fail_errno(err, n < 0 ? errno : ENOSPC, path, "cannot write");
        p += n;
        offset += (uint64_t)n;
        nbytes -= (size_t)n;
    }
    return TSR_OK;
}

/* How many of the bytes were written past the cache: whole blocks from the first one on. */
static size_t write_direct(int fd, const unsigned char *p, size_t nbytes, uint64_t offset)
{
    size_t done = 0;
    while (nbytes - done >= TSR_DIRECT_NBYTES) {
        const size_t left = nbytes - done;
        const ssize_t n = pwrite(fd, p + done, left - left % TSR_DIRECT_NBYTES, (off_t)(offset + done));
        if (n <= 0 || n % TSR_DIRECT_NBYTES != 0)
            break; /* the plain way tells why, or can do it */
        done += (size_t)n;
    }
    return done;
}

tsr_status stream_write_at(const stream_output *output, const unsigned char *bytes, size_t nbytes,
                           uint64_t offset, tsr_error *err)
{
    size_t done = 0;
    if (output->direct >= 0 && (uintptr_t)bytes % TSR_DIRECT_NBYTES == offset % TSR_DIRECT_NBYTES) {
        const size_t before = (size_t)(-offset % TSR_DIRECT_NBYTES);
        done = before < nbytes ? before : nbytes;
        TSR_TRY(write_plainly(output->fd, bytes, done, offset, output->path, err));
        done += write_direct(output->direct, bytes + done, nbytes - done, offset + done);
    }
    return write_plainly(output->fd, bytes + done, nbytes - done, offset + done, output->path, err);
}

tsr_status stream_file_put_direct(const stream_file *file, int direct, uint64_t offset,
                                  const unsigned char *bytes, size_t nbytes, tsr_error *err)
{
    const size_t left = (size_t)(-offset % TSR_DIRECT_NBYTES), before = left < nbytes ? left : nbytes;
    TSR_TRY(stream_file_put(file, offset, bytes, before, err));
    const size_t done = before + write_direct(direct, bytes + before, nbytes - before, offset + before);
    return stream_file_put(file, offset + done, bytes + done, nbytes - done, err);
}
