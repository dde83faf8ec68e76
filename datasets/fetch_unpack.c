/* Unpacking what was downloaded: see fetch_internal.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "fetch_internal.h"
#include "tar_reader.h"
#include "tsr_output.h"

enum { READ_NBYTES = 1 << 18 };

typedef struct unpacker {
    gzFile in;
    const char *from;
    tsr_output *out;
    uint64_t nbytes, max_nbytes; /* unpacked; at most */
    uint64_t file_nbytes;        /* of `from` */
    const tsr_observer *observer;
} unpacker;

static tsr_status read_some(void *ctx, size_t *got, void *out, size_t n, tsr_error *err)
{
    unpacker *const u = ctx;
    const int r = gzread(u->in, out, (unsigned)n);
    int code;
    const char *const words = gzerror(u->in, &code);
    *got = 0;
    if (r < 0 || (code != Z_OK && code != Z_STREAM_END)) {
        if (code == Z_ERRNO)
            return tsr_fail_errno(err, errno, u->from, "cannot read");
        return tsr_fail_at(err, TSR_CORRUPT, u->from, 0, 0, "gzip: %.100s", words);
    }
    *got = (size_t)r;
    const z_off_t at = gzoffset(u->in);
    return tsr_progress(u->observer, "unpack", at > 0 ? (uint64_t)at : 0, u->file_nbytes, err);
}

static tsr_status write_some(void *ctx, const void *bytes, size_t n, tsr_error *err)
{
    unpacker *const u = ctx;
    if (n > u->max_nbytes - u->nbytes)
        return tsr_fail_at(err, TSR_LIMIT, u->from, 0, 0,
                           "it unpacks to more than %" PRIu64
                           " bytes, far more than the table's entries take",
                           u->max_nbytes);
    u->nbytes += n;
    return tsr_output_write(u->out, bytes, n, err);
}

static tsr_status copy_all(unpacker *u, tsr_error *err)
{
    unsigned char bytes[1 << 16];
    size_t got;
    do {
        TSR_TRY(read_some(u, &got, bytes, sizeof bytes, err));
        TSR_TRY(write_some(u, bytes, got, err));
    } while (got > 0);
    return TSR_OK;
}

static bool ends_with(const char *s, const char *suffix)
{
    const size_t n = strcspn(s, "?#"), m = strlen(suffix);
    return n >= m && memcmp(s + n - m, suffix, m) == 0;
}

static tsr_status unpack(unpacker *u, const char *url, const char *name, tsr_error *err)
{
    const bool tar = ends_with(url, ".tar.gz") || ends_with(url, ".tgz");
    const tar_io io = {.ctx = u, .read = read_some, .write = write_some};
    bool found = true;
    if ((tar || ends_with(url, ".gz")) && gzdirect(u->in))
        return tsr_fail_at(err, TSR_CORRUPT, u->from, 0, 0, "the download is not a gzip file");
    if (tar)
        TSR_TRY(tar_extract(&found, &io, name, u->from, err));
    else
        TSR_TRY(copy_all(u, err));
    return found ? TSR_OK
                 : tsr_fail_at(err, TSR_CORRUPT, u->from, 0, 0, "the archive holds no file %s", name);
}

static tsr_status open_input(unpacker *u, tsr_error *err)
{
    struct stat s;
    const int fd = open(u->from, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &s) != 0) {
        const int error = errno;
        if (fd >= 0)
            (void)close(fd);
        return tsr_fail_errno(err, error, u->from, "cannot open");
    }
    u->file_nbytes = (uint64_t)s.st_size;
    u->in = gzdopen(fd, "rb");
    if (u->in && gzbuffer(u->in, READ_NBYTES) == 0)
        return TSR_OK;
    if (!u->in)
        (void)close(fd);
    return tsr_fail_at(err, TSR_NOMEM, u->from, 0, 0, "out of memory");
}

tsr_status fetch_unpack(const fetch_archive *archive, const char *to, const tsr_observer *observer,
                        tsr_error *err)
{
    unpacker u = {.from = archive->from, .max_nbytes = archive->max_nbytes, .observer = observer};
    const tsr_output_options plain = {.gzip_level = -1};
    tsr_status status;
    TSR_TRY_OUT(open_input(&u, err));
    TSR_TRY_OUT(tsr_output_open(&u.out, to, &plain, err));
    TSR_TRY_OUT(unpack(&u, archive->url, archive->name, err));
    status = tsr_output_commit(u.out, err);
out:
    if (u.in)
        (void)gzclose(u.in);
    tsr_output_free(u.out);
    return status;
}
