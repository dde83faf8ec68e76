/* Files that are fetched block by block: see tsr_fetched.h. */
#include "tsr_fetched.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io_internal.h"
#include "tsr_alloc.h"

enum { BLOCK = TSR_FETCHED_BLOCK_NBYTES, MOST_BLOCKS = 1 << 11 }; /* the most that are fetched by one call */

struct tsr_fetched {
    tsr_fetched *next;
    pthread_mutex_t mutex;
    int fd;
    dev_t device;
    ino_t inode;
    uint64_t nbytes;
    unsigned char *have; /* a bit for each block */
    unsigned char *room; /* MOST_BLOCKS blocks */
    uint64_t first, end; /* the blocks that were fetched last, in sequence */
    tsr_fetch *fetch;
    void *ctx;
    tsr_error error;
};

/* All that are open, since readers know files by their paths alone. */
static pthread_mutex_t all_mutex = PTHREAD_MUTEX_INITIALIZER;
static tsr_fetched *all;

static tsr_status prepare(tsr_fetched *file, const char *path, tsr_error *err)
{
    struct stat st;
    const uint64_t nblocks = file->nbytes / BLOCK + 1;
    file->have = tsr_calloc((size_t)(nblocks / 8 + 1), 1);
    file->room = tsr_malloc((size_t)MOST_BLOCKS * BLOCK);
    if (!file->have || !file->room)
        return tsr_fail(err, TSR_NOMEM, "out of memory: blocks of a file that is fetched");
    file->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file->fd < 0 || ftruncate(file->fd, (off_t)file->nbytes) != 0 || fstat(file->fd, &st) != 0)
        return tsr_fail_errno(err, errno, path, "cannot be made");
    file->device = st.st_dev;
    file->inode = st.st_ino;
    return TSR_OK;
}

tsr_status tsr_fetched_new(tsr_fetched **out, const char *path, uint64_t nbytes, tsr_fetch *fetch, void *ctx,
                           tsr_error *err)
{
    *out = NULL;
    tsr_fetched *const file = tsr_calloc(1, sizeof *file);
    if (!file)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a file that is fetched");
    *file = (tsr_fetched){.fd = -1, .nbytes = nbytes, .fetch = fetch, .ctx = ctx};
    pthread_mutex_init(&file->mutex, NULL);
    const tsr_status status = prepare(file, path, err);
    pthread_mutex_lock(&all_mutex);
    file->next = all;
    all = file;
    pthread_mutex_unlock(&all_mutex);
    if (status != TSR_OK)
        tsr_fetched_free(file);
    else
        *out = file;
    return status;
}

void tsr_fetched_free(tsr_fetched *file)
{
    if (!file)
        return;
    pthread_mutex_lock(&all_mutex);
    for (tsr_fetched **p = &all; *p; p = &(*p)->next)
        if (*p == file) {
            *p = file->next;
            break;
        }
    pthread_mutex_unlock(&all_mutex);
    if (file->fd >= 0)
        close(file->fd);
    pthread_mutex_destroy(&file->mutex);
    tsr_free(file->have);
    tsr_free(file->room);
    tsr_free(file);
}

tsr_fetched *tsr_fetched_find(int fd)
{
    struct stat st;
    tsr_fetched *found;
    pthread_mutex_lock(&all_mutex);
    found = all;
    if (found && fstat(fd, &st) != 0)
        found = NULL;
    while (found && (found->fd < 0 || found->device != st.st_dev || found->inode != st.st_ino))
        found = found->next;
    pthread_mutex_unlock(&all_mutex);
    return found;
}

static const char file_name[] = "the temporary file"; /* in messages */

static bool has(const tsr_fetched *file, uint64_t block)
{
    return file->have[block / 8] >> block % 8 & 1;
}

/* Fetch blocks first..end - 1, none of which is there. */
static tsr_status fetch_blocks(tsr_fetched *file, uint64_t first, uint64_t end, tsr_error *err)
{
    const uint64_t at = first * BLOCK, stop = end * BLOCK < file->nbytes ? end * BLOCK : file->nbytes;
    TSR_TRY(file->fetch(file->ctx, file->room, at, (size_t)(stop - at), err));
    if (lseek(file->fd, (off_t)at, SEEK_SET) < 0)
        return tsr_fail_errno(err, errno, file_name, "cannot be written");
    TSR_TRY(tsr_write_all(file->fd, file->room, (size_t)(stop - at), file_name, at, err));
    for (uint64_t b = first; b < end; b++)
        file->have[b / 8] |= (unsigned char)(1u << b % 8);
    return TSR_OK;
}

/* Fetch blocks from b on that are not there: up to `end`, and more where they go on with what was fetched last, a quarter of which is
 * then fetched ahead. Returns where they end. */
static uint64_t fetch_some(tsr_fetched *file, uint64_t b, uint64_t end)
{
    const uint64_t nblocks = (file->nbytes - 1) / BLOCK + 1;
    const bool goes_on = b == file->end;
    const uint64_t ahead = goes_on ? (file->end - file->first) / 4 : 0;
    const uint64_t stop = ahead < nblocks - end ? end + ahead : nblocks;
    uint64_t behind = b;
    while (behind < stop && behind - b < MOST_BLOCKS && !has(file, behind))
        behind++;
    file->first = goes_on ? file->first : b;
    file->end = behind;
    return fetch_blocks(file, b, behind, &file->error) == TSR_OK ? behind : end;
}

bool tsr_fetched_need(tsr_fetched *file, uint64_t offset, uint64_t nbytes)
{
    const uint64_t most = offset < file->nbytes ? file->nbytes - offset : 0,
                   n = nbytes < most ? nbytes : most;
    const uint64_t end = n > 0 ? (offset + n - 1) / BLOCK + 1 : 0;
    pthread_mutex_lock(&file->mutex);
    for (uint64_t b = offset / BLOCK; b < end && file->error.status == TSR_OK;)
        b = has(file, b) ? b + 1 : fetch_some(file, b, end);
    const bool ok = file->error.status == TSR_OK;
    pthread_mutex_unlock(&file->mutex);
    return ok;
}

const tsr_error *tsr_fetched_error(const tsr_fetched *file)
{
    return &file->error;
}
