/* Output, plain or gzip: see tsr_output.h.
 *
 * Written bytes collect in `text`, which holds npieces pieces of PIECE_NBYTES bytes. Plain: the buffer is
 * written when it is full. Gzip: piece k of the text, counted from the beginning, becomes member k, so that
 * the file depends only on the text and the level. All threads compress the pieces of a full buffer; one
 * thread writes them in order. */
#include "tsr_output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io_internal.h"
#include "tsr_alloc.h"
#include "tsr_interrupt.h"
#include "tsr_parallel.h"
#include "tsr_system.h"

enum {
    PIECE_NBYTES = 1 << 20,
    PIECES_PER_THREAD = 2,
    START_NBYTES = 8 << 20, /* written, before the disk is asked to begin */
    DEFAULT_LEVEL = 6,
    MAX_LEVEL = 9,
};

struct tsr_output {
    char *path;         /* for error messages */
    tsr_tempfile *temp; /* NULL: written directly */
    /* of `temp`; or our own descriptor of a target that cannot be replaced; or a descriptor of the caller */
    int fd;
    bool owns_fd;
    const tsr_sink *sink; /* takes the bytes; NULL: fd does */
    char *text;           /* npieces * PIECE_NBYTES bytes, of which ntext are not written yet */
    size_t npieces, ntext;
    uint64_t nbytes;   /* bytes written to the file */
    uint64_t nstarted; /* bytes that the disk was asked to begin with */
    tsr_status status; /* sticky; `failure` holds the sentence */
    tsr_error failure;

    int level; /* 0: plain, and the fields below are unused */
    int nthreads;
    size_t packed_room; /* room for one compressed piece, in bytes */
    char *packed;       /* npieces * packed_room */
    size_t packed_nbytes[PIECES_PER_THREAD * TSR_MAX_THREADS];
    /* one per thread */
    tsr_deflate *compressors[TSR_MAX_THREADS];
    atomic_size_t next_piece; /* the next piece to compress */
};

static tsr_status open_fd(tsr_output *output, int fd, bool owns_fd, tsr_error *err)
{
    output->fd = fd;
    output->owns_fd = owns_fd;
    return fd < 0 ? tsr_fail_errno(err, errno, output->path, "cannot open") : TSR_OK;
}

/* The descriptor that a path stands for ("-", "/dev/stdout", "/dev/fd/3"), or -1. The file behind such a
 * descriptor must not be replaced: other programs may write to it, too. */
static int named_descriptor(const char *path)
{
    static const char folder[] = "/dev/fd/";
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    if (strncmp(path, folder, strlen(folder)) != 0 || path[strlen(folder)] == '\0')
        return -1;
    int fd = 0;
    for (const char *p = path + strlen(folder); *p; p++) {
        if (*p < '0' || *p > '9' || fd > 1 << 20)
            return -1;
        fd = 10 * fd + (*p - '0');
    }
    return fd;
}

/* Open a FIFO; wait until it has a reader. */
static tsr_status open_fifo(tsr_output *output, const char *path, tsr_error *err)
{
    enum { LOOK_MS = 20 };
    int fd;
    while ((fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 && (errno == ENXIO || errno == EINTR)) {
        tsr_interrupt_sleep(LOOK_MS);
        TSR_TRY(tsr_interrupt_check(err));
    }
    return open_fd(output, fd, true, err);
}

/* Open the target: an open descriptor or a special file (both are written directly), or a temporary file. */
static tsr_status open_target(tsr_output *output, const char *path, tsr_error *err)
{
    const int fd = named_descriptor(path);
    if (fd >= 0)
        return open_fd(output, fd, false, err);
    struct stat st;
    const bool exists = stat(path, &st) == 0;
    if (exists && S_ISFIFO(st.st_mode))
        return open_fifo(output, path, err);
    if (exists && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return open_fd(output, open(path, O_WRONLY | O_CLOEXEC), true, err);
    TSR_TRY(tsr_tempfile_new(&output->temp, path, err));
    return open_fd(output, tsr_tempfile_fd(output->temp), false, err);
}

static bool ends_with(const char *s, const char *suffix)
{
    const size_t n = strlen(s), m = strlen(suffix);
    return n >= m && strcmp(s + n - m, suffix) == 0;
}

static tsr_status set_options(tsr_output *output, const char *path, const tsr_output_options *options,
                              tsr_error *err)
{
    static const tsr_output_options defaults;
    if (!options)
        options = &defaults;
    if (options->gzip_level < -1 || options->gzip_level > MAX_LEVEL)
        return tsr_fail_at(err, TSR_ARGUMENT, output->path, 0, 0,
                           "gzip level %d is not in the range -1 to %d", options->gzip_level, MAX_LEVEL);
    output->level = options->gzip_level > 0                              ? options->gzip_level
                    : options->gzip_level == 0 && ends_with(path, ".gz") ? DEFAULT_LEVEL
                                                                         : 0;
    if (output->level > 0 && !tsr_deflate_available())
        return tsr_fail_at(err, TSR_UNSUPPORTED, output->path, 0, 0,
                           "this build of Tessera cannot write gzip: give a name without .gz");
    output->nthreads = output->level > 0 ? tsr_thread_count(options->nthreads) : 1;
    output->npieces = output->nthreads > 1 ? PIECES_PER_THREAD * (size_t)output->nthreads : 1;
    return TSR_OK;
}

static bool allocate(tsr_output *output)
{
    output->text = tsr_malloc(output->npieces * PIECE_NBYTES);
    if (!output->text || output->level == 0)
        return output->text != NULL;
    for (int t = 0; t < output->nthreads; t++) {
        output->compressors[t] = tsr_deflate_new(output->level);
        if (!output->compressors[t])
            return false;
    }
    output->packed_room = tsr_deflate_bound(output->compressors[0], PIECE_NBYTES);
    output->packed = tsr_malloc(output->npieces * output->packed_room);
    return output->packed != NULL;
}

tsr_status tsr_output_open(tsr_output **out, const char *path, const tsr_output_options *options,
                           tsr_error *err)
{
    *out = NULL;
    tsr_output *output = tsr_calloc(1, sizeof *output);
    if (!output)
        return tsr_fail_at(err, TSR_NOMEM, path, 0, 0, "out of memory");
    tsr_status status = TSR_OK;
    output->fd = -1;
    output->path = tsr_strdup(strcmp(path, "-") == 0 ? "standard output" : path);
    if (!output->path)
        TSR_TRY_OUT(tsr_fail_at(err, TSR_NOMEM, path, 0, 0, "out of memory"));
    TSR_TRY_OUT(set_options(output, path, options, err));
    if (!allocate(output))
        TSR_TRY_OUT(tsr_fail_at(err, TSR_NOMEM, path, 0, 0, "out of memory for output by %d threads",
                                output->nthreads));
    output->sink = options ? options->sink : NULL;
    if (!output->sink)
        TSR_TRY_OUT(open_target(output, path, err));
    *out = output;
    return TSR_OK;
out:
    tsr_output_free(output);
    return status;
}

static size_t piece_nbytes(const tsr_output *output, size_t piece)
{
    const size_t left = output->ntext - piece * PIECE_NBYTES;
    return left < PIECE_NBYTES ? left : PIECE_NBYTES;
}

/* The number of pieces in the buffer. An empty text is one piece, since an empty file is not valid gzip. */
static size_t count_pieces(const tsr_output *output)
{
    const size_t n = (output->ntext + PIECE_NBYTES - 1) / PIECE_NBYTES;
    return n > 0 ? n : 1;
}

static void compress_pieces(void *arg, int t, int nthreads)
{
    (void)nthreads;
    tsr_output *output = arg;
    const size_t n = count_pieces(output);
    for (size_t k; (k = atomic_fetch_add(&output->next_piece, 1)) < n;) {
        output->packed_nbytes[k] =
            tsr_deflate_run(output->compressors[t], output->packed + k * output->packed_room,
                            output->packed_room, output->text + k * PIECE_NBYTES, piece_nbytes(output, k));
        assert(output->packed_nbytes[k] > 0); /* packed_room is the bound of tsr_deflate_bound */
    }
}

static tsr_status write_fd(tsr_output *output, const void *bytes, size_t nbytes, tsr_error *err)
{
    const char *p = bytes;
    for (size_t n; nbytes > 0; p += n, nbytes -= n) {
        n = nbytes < START_NBYTES ? nbytes : START_NBYTES;
        TSR_TRY(output->sink ? output->sink->write(p, n, output->sink->ctx, err)
                             : tsr_write_all(output->fd, p, n, output->path, output->nbytes, err));
        output->nbytes += n;
        if (output->temp && output->nbytes - output->nstarted >= START_NBYTES) {
            tsr_system_write_soon(output->fd, output->nstarted, output->nbytes - output->nstarted);
            output->nstarted = output->nbytes;
        }
    }
    return TSR_OK;
}

/* Write the buffered text. */
static tsr_status flush(tsr_output *output, tsr_error *err)
{
    if (output->level == 0) {
        TSR_TRY(write_fd(output, output->text, output->ntext, err));
    } else {
        atomic_store(&output->next_piece, 0);
        tsr_parallel(output->nthreads, compress_pieces, output);
        for (size_t k = 0; k < count_pieces(output); k++)
            TSR_TRY(
                write_fd(output, output->packed + k * output->packed_room, output->packed_nbytes[k], err));
    }
    output->ntext = 0;
    return TSR_OK;
}

static tsr_status append(tsr_output *output, const char *p, size_t n, tsr_error *err)
{
    const size_t capacity = output->npieces * PIECE_NBYTES;
    while (n > 0) {
        if (output->level == 0 && output->ntext == 0 && n >= capacity)
            /* a large write of plain text needs no copy into the buffer */
            return write_fd(output, p, n, err);
        const size_t take = n < capacity - output->ntext ? n : capacity - output->ntext;
        memcpy(output->text + output->ntext, p, take);
        output->ntext += take;
        p += take;
        n -= take;
        if (output->ntext == capacity)
            TSR_TRY(flush(output, err));
    }
    return TSR_OK;
}

/* Store a failure, so that every later call returns it. */
static tsr_status keep(tsr_output *output, tsr_status status, const tsr_error *failure, tsr_error *err)
{
    if (output->status == TSR_OK && status != TSR_OK) {
        output->status = status;
        output->failure = *failure;
    }
    if (output->status != TSR_OK && err)
        *err = output->failure;
    return output->status;
}

tsr_status tsr_output_write(tsr_output *output, const void *bytes, size_t nbytes, tsr_error *err)
{
    tsr_error failure = {0};
    tsr_status status = output->status;
    if (status == TSR_OK)
        status = append(output, bytes, nbytes, &failure);
    return keep(output, status, &failure, err);
}

bool tsr_output_can_patch(const tsr_output *output)
{
    return output->temp && output->level == 0;
}

static tsr_status patch(tsr_output *output, uint64_t offset, const char *p, size_t n, tsr_error *err)
{
    TSR_TRY(flush(output, err));
    for (ssize_t k; n > 0; p += k, n -= (size_t)k, offset += (uint64_t)k) {
        k = pwrite(output->fd, p, n, (off_t)offset);
        if (k < 0 && errno == EINTR)
            k = 0;
        else if (k <= 0)
            return tsr_fail_errno(err, k < 0 ? errno : EIO, output->path, "cannot write");
    }
    return TSR_OK;
}

tsr_status tsr_output_patch(tsr_output *output, uint64_t offset, const void *bytes, size_t n, tsr_error *err)
{
    tsr_error failure = {0};
    tsr_status status = output->status;
    if (status == TSR_OK)
        status = patch(output, offset, bytes, n, &failure);
    return keep(output, status, &failure, err);
}

static tsr_status finish(tsr_output *output, tsr_error *err)
{
    if (output->ntext > 0 || (output->level > 0 && output->nbytes == 0))
        TSR_TRY(flush(output, err));
    if (output->temp)
        return tsr_tempfile_commit(output->temp, err);
    const bool failed = output->owns_fd && close(output->fd) != 0;
    output->owns_fd = false;
    return failed ? tsr_fail_errno(err, errno, output->path, "cannot close") : TSR_OK;
}

tsr_status tsr_output_commit(tsr_output *output, tsr_error *err)
{
    tsr_error failure = {0};
    tsr_status status = output->status;
    if (status == TSR_OK)
        status = finish(output, &failure);
    status = keep(output, status, &failure, err);
    if (status == TSR_OK) /* a write after the commit must fail */
        output->status = tsr_fail_at(&output->failure, TSR_ARGUMENT, output->path, 0, 0,
                                     "write after the output was committed");
    return status;
}

tsr_status tsr_output_text(const char *path, const tsr_text *text, tsr_error *err)
{
    const tsr_output_options plain = {.gzip_level = -1};
    tsr_output *output;
    TSR_TRY(tsr_text_status(text, err));
    TSR_TRY(tsr_output_open(&output, path, &plain, err));
    tsr_status status = tsr_output_write(output, tsr_text_cstr(text), text->nbytes, err);
    if (status == TSR_OK)
        status = tsr_output_commit(output, err);
    tsr_output_free(output);
    return status;
}

uint64_t tsr_output_nbytes(const tsr_output *output)
{
    return output->nbytes;
}

void tsr_output_free(tsr_output *output)
{
    if (!output)
        return;
    if (output->owns_fd && output->fd >= 0)
        (void)close(output->fd); /* not committed: the caller has given up the output */
    tsr_tempfile_free(output->temp);
    for (int t = 0; t < output->nthreads; t++)
        tsr_deflate_free(output->compressors[t]);
    tsr_free(output->packed);
    tsr_free(output->text);
    tsr_free(output->path);
    tsr_free(output);
}
