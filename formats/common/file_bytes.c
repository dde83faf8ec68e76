/* tsr_file: bytes and numbers of a binary file. */
#include "file_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tsr_checked.h"

static tsr_status read_some(void *ctx, void *out, size_t n, tsr_error *err)
{
    tsr_file *const file = ctx;
    for (char *to = out; n > 0;) {
        const ssize_t got = read(file->fd, to, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return tsr_fail_errno(err, errno, NULL, "cannot be read");
        if (got == 0)
            return tsr_fail(err, TSR_CORRUPT, "has become shorter while it was read: read it again");
        to += got;
        n -= (size_t)got;
    }
    return TSR_OK;
}

tsr_status tsr_file_open(tsr_file *out, const char *path, tsr_error *err)
{
    struct stat st;
    *out = (tsr_file){.fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    if (out->fd < 0 || fstat(out->fd, &st) != 0)
        return tsr_fail_errno(err, errno, NULL, "cannot open");
    if (!S_ISREG(st.st_mode))
        return tsr_fail(err, TSR_IO, "is not a regular file");
    out->nbytes = (uint64_t)st.st_size;
    out->bytes = (tsr_bytes){.ctx = out, .read = read_some, .left = out->nbytes};
    return TSR_OK;
}

tsr_status tsr_file_rewind(tsr_file *file, tsr_error *err)
{
    if (lseek(file->fd, 0, SEEK_SET) != 0)
        return tsr_fail_errno(err, errno, NULL, "cannot be read again");
    file->bytes.left = file->nbytes;
    return TSR_OK;
}

size_t tsr_file_peek(void *out, size_t n, const tsr_file *file, uint64_t skip)
{
    const uint64_t at = file->nbytes - file->bytes.left;
    if (skip > file->bytes.left || file->bytes.left - skip < n)
        return 0;
    const ssize_t got = pread(file->fd, out, n, (off_t)(at + skip));
    return got < 0 ? 0 : (size_t)got;
}

tsr_status tsr_file_skip(tsr_file *file, uint64_t n, tsr_error *err)
{
    if (n > file->bytes.left)
        return tsr_fail(err, TSR_CORRUPT, "is truncated: %" PRIu64 " bytes are missing",
                        n - file->bytes.left);
    if (n > 0 && lseek(file->fd, (off_t)n, SEEK_CUR) < 0)
        return tsr_fail_errno(err, errno, NULL, "cannot be read");
    file->bytes.left -= n;
    return TSR_OK;
}

void tsr_file_close(tsr_file *file)
{
    if (file->fd >= 0)
        (void)close(file->fd);
    file->fd = -1;
}

bool tsr_must_swap(bool big_endian)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return big_endian == (first == 1);
}

tsr_status tsr_file_integer(int64_t *out, tsr_file *file, size_t width, bool big_endian, tsr_error *err)
{
    unsigned char raw[8];
    uint64_t v = 0;
    TSR_TRY(tsr_bytes_take(&file->bytes, raw, width, err));
    for (size_t i = 0; i < width; i++)
        v = v << 8 | raw[big_endian ? i : width - 1 - i];
    *out = width == 4 ? (int32_t)(uint32_t)v : (int64_t)v;
    return TSR_OK;
}

tsr_status tsr_file_numbers(tsr_numbers *out, tsr_file *file, tsr_type type, uint64_t n, bool big_endian,
                            tsr_error *err)
{
    const size_t width = tsr_type_nbytes(type);
    uint64_t nbytes;
    out->type = type;
    if (!tsr_mul_u64(&nbytes, n, width) || nbytes > file->bytes.left)
        return tsr_fail(err, TSR_CORRUPT,
                        "the header says %" PRIu64 " %s of %zu bytes, but %" PRIu64 " bytes follow", n,
                        out->name, width, file->bytes.left);
    TSR_TRY(tsr_array_init(&out->array, n, width, 0, out->name, err));
    TSR_TRY(tsr_bytes_take(&file->bytes, out->array.data, nbytes, err));
    if (tsr_must_swap(big_endian))
        tsr_numbers_swap(out);
    return TSR_OK;
}

tsr_status tsr_file_part(tsr_numbers *to, const tsr_file *file, uint64_t skip, bool big_endian,
                         tsr_error *err)
{
    const uint64_t nbytes = tsr_array_nbytes(&to->array);
    for (uint64_t done = 0; done < nbytes;) {
        const uint64_t left = nbytes - done;
        const size_t step = left < 1 << 30 ? (size_t)left : 1 << 30,
                     got = tsr_file_peek((char *)to->array.data + done, step, file, skip + done);
        if (got == 0)
            return tsr_fail(err, TSR_IO, "cannot be read, or became shorter");
        done += got;
    }
    if (tsr_must_swap(big_endian))
        tsr_numbers_swap(to);
    return TSR_OK;
}
