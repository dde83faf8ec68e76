/* Writing an HDF5 file, or one group of a file that is there: see tsr_hdf5_write_new. */
#include "hdf5_io.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tsr_codec.h"
#include "tsr_output.h"

static tsr_status system_fail(tsr_error *err, const char *what, const char *path)
{
    return tsr_fail_errno(err, errno, NULL, "%s %s", what, path);
}

static tsr_status copy_bytes(int to, int from, const char *path, char *buf, size_t room, tsr_error *err)
{
    for (;;) {
        ssize_t n = read(from, buf, room);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return system_fail(err, "cannot read", path);
        if (n == 0)
            return TSR_OK;
        for (const char *p = buf; n > 0;) {
            const ssize_t m = write(to, p, (size_t)n);
            if (m < 0 && errno == EINTR)
                continue;
            if (m < 0)
                return system_fail(err, "cannot write a copy of", path);
            p += m;
            n -= m;
        }
    }
}

static tsr_status copy_file(int to, const char *from, tsr_error *err)
{
    enum { ROOM = 1 << 20 };
    tsr_status status = TSR_OK;
    char *buf = tsr_malloc(ROOM);
    const int in = open(from, O_RDONLY | O_CLOEXEC);
    if (!buf)
        status = tsr_fail(err, TSR_NOMEM, "out of memory");
    else if (in < 0)
        status = system_fail(err, "cannot open", from);
    else
        status = copy_bytes(to, in, from, buf, ROOM, err);
    if (in >= 0)
        close(in);
    tsr_free(buf);
    return status;
}

static tsr_status write_block(int to, const tsr_filling *what, tsr_error *err)
{
    const char *p = what->block;
    for (size_t left = what->nblock; left > 0;) {
        const ssize_t n = write(to, p, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return system_fail(err, "cannot write", "the file");
        p += n;
        left -= (size_t)n;
    }
    return TSR_OK;
}

/* Write to the temporary file: anew, or, for one group of a file that is there, into a copy of it. */
static tsr_status write_temp(const tsr_tempfile *temp, const char *file, const char *group,
                             const tsr_filling *what, uint64_t *nbytes, tsr_error *err)
{
    const bool edit = group && !what->block && access(file, F_OK) == 0;
    tsr_hdf5 *h5;
    if (edit)
        TSR_TRY(copy_file(tsr_tempfile_fd(temp), file, err));
    else
        TSR_TRY(write_block(tsr_tempfile_fd(temp), what, err));
    TSR_TRY(tsr_hdf5_open_fd(&h5, tsr_tempfile_fd(temp), edit ? TSR_HDF5_EDIT : TSR_HDF5_CREATE, err));
    const tsr_status status = what->write(tsr_hdf5_container(h5), group, what->ctx, err);
    if (status == TSR_OK)
        return tsr_hdf5_close(h5, nbytes, err);
    tsr_hdf5_free(h5);
    return status;
}

tsr_status tsr_hdf5_write_new(const char *path, const tsr_filling *what, uint64_t *nbytes, tsr_error *err)
{
    const char *group;
    tsr_tempfile *temp = NULL;
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "HDF5 cannot be written to standard output: give a file");
    char *file = tsr_path_split(&group, path);
    tsr_status status = file ? tsr_tempfile_new(&temp, file, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK)
        status = write_temp(temp, file, group, what, nbytes, err);
    if (status == TSR_OK && what->finish)
        status = what->finish(tsr_tempfile_path(temp), what->ctx, err);
    if (status == TSR_OK)
        status = tsr_tempfile_commit(temp, err);
    tsr_tempfile_free(temp);
    tsr_free(file);
    if (status != TSR_OK)
        tsr_error_set_path(err, path);
    return status;
}
