/* A fetch: see tsr_fetch.h. While it goes on, FOLDER/NAME.part is locked, and NAME.part.info says where its
 * bytes are from: the url and the server's mark (ETag or date) of the file, a line each. */
#include "tsr_fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fetch_internal.h"
#include "tsr_output.h"

enum {
    RETRIES = 5,
    STALL_S = 60,
    MIN_SPEED = 1000, /* bytes a second */
    FIRST_WAIT_MS = 100,
    MAX_WAIT_MS = 10000,
    GOOD_NBYTES = 1 << 20, /* a try that brings this many bytes does not count as a failed one */
    MAX_INFO = 4096,
};

typedef struct fetch_job {
    const tsr_dataset *dataset;
    const tsr_fetch_options *options;
    tsr_text part, info, sums;
    fetch_download d;
    bool begun;       /* bytes have come */
    uint64_t resumed; /* bytes that an earlier run left, and that were used */
} fetch_job;

static bool is_file(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

/* ---- the part ---- */

/* The whole of a small file as text; "" when it cannot be read. */
static void read_small(char text[MAX_INFO], const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, text, MAX_INFO - 1) : -1;
    text[n > 0 ? n : 0] = '\0';
    if (fd >= 0)
        (void)close(fd);
}

static void read_info(fetch_job *job)
{
    char text[MAX_INFO];
    read_small(text, job->info.s);
    const size_t nurl = strlen(job->d.url);
    if (strncmp(text, job->d.url, nurl) != 0 || text[nurl] != '\n')
        return;
    const char *const mark = text + nurl + 1;
    const size_t n = strcspn(mark, "\n");
    if (mark[n] == '\n' && n < FETCH_VALIDATOR_NBYTES) {
        memcpy(job->d.validator, mark, n);
        job->d.validator[n] = '\0';
    }
}

/* Bytes will come: note what they are part of. */
static tsr_status write_info(fetch_download *d, tsr_error *err)
{
    fetch_job *const job = d->ctx;
    if (!job->begun)
        job->resumed = d->nbytes;
    job->begun = true;
    const tsr_output_options plain = {.gzip_level = -1};
    tsr_text text = {0};
    tsr_output *output;
    tsr_text_addf(&text, "%s\n%s\n", d->url, d->validator);
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK)
        status = tsr_output_open(&output, job->info.s, &plain, err);
    if (status == TSR_OK) {
        status = tsr_output_write(output, text.s, text.nbytes, err);
        if (status == TSR_OK)
            status = tsr_output_commit(output, err);
        tsr_output_free(output);
    }
    tsr_text_clear(&text);
    return status;
}

/* Open and lock the part; it may have been finished and removed by another process in between. */
static tsr_status open_part(fetch_job *job, tsr_error *err)
{
    const char *const path = job->part.s;
    for (int i = 0; i < 10; i++) {
        struct stat named, opened;
        const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd < 0)
            return tsr_fail_errno(err, errno, path, "cannot open");
        job->d.fd = fd;
        if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            return tsr_fail_at(err, TSR_IO, path, 0, 0, "another process is fetching it");
        if (fstat(fd, &opened) != 0 || !S_ISREG(opened.st_mode))
            return tsr_fail_at(err, TSR_IO, path, 0, 0, "not a regular file");
        if (stat(path, &named) == 0 && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino) {
            job->d.nbytes = (uint64_t)opened.st_size;
            return TSR_OK;
        }
        (void)close(fd);
        job->d.fd = -1;
    }
    return tsr_fail_at(err, TSR_IO, path, 0, 0, "another process keeps removing it");
}

static void remove_part(const fetch_job *job)
{
    (void)unlink(job->info.s);
    (void)unlink(job->part.s);
}

/* ---- downloading ---- */

/* Wait, and look in between whether to go on. */
static tsr_status wait_ms(int ms, const fetch_job *job, tsr_error *err)
{
    enum { STEP_MS = 100 };
    for (; ms > 0; ms -= STEP_MS) {
        const struct timespec step = {.tv_nsec = 1000000L * (ms < STEP_MS ? ms : STEP_MS)};
        (void)nanosleep(&step, NULL);
        TSR_TRY(tsr_progress(job->options->observer, "fetch", job->d.nbytes, 0, err));
    }
    return TSR_OK;
}

static tsr_status download(fetch_job *job, tsr_error *err)
{
    int left = job->options->retries ? job->options->retries : RETRIES, wait = FIRST_WAIT_MS;
    for (;;) {
        const uint64_t before = job->d.nbytes;
        const tsr_status status = fetch_run(&job->d, err);
        if (status == TSR_OK || status == TSR_CANCELLED || !job->d.again)
            return status;
        if (job->d.nbytes > before + GOOD_NBYTES)
            wait = FIRST_WAIT_MS;
        else if (left-- <= 0)
            return status;
        TSR_TRY(wait_ms(wait, job, err));
        wait = 2 * wait < MAX_WAIT_MS ? 2 * wait : MAX_WAIT_MS;
    }
}

/* ---- checksums ---- */

static tsr_status hash_part(char text[SHA256_TEXT_NBYTES], const fetch_job *job, tsr_error *err)
{
    sha256 s;
    unsigned char bytes[1 << 16];
    uint64_t done = 0;
    sha256_init(&s);
    if (lseek(job->d.fd, 0, SEEK_SET) != 0)
        return tsr_fail_errno(err, errno, job->part.s, "cannot read");
    for (;;) {
        const ssize_t n = read(job->d.fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return tsr_fail_errno(err, errno, job->part.s, "cannot read");
        if (n == 0)
            break;
        sha256_add(&s, bytes, (size_t)n);
        done += (uint64_t)n;
        if (done % (1 << 24) == 0)
            TSR_TRY(tsr_progress(job->options->observer, "check", done, job->d.nbytes, err));
    }
    sha256_text(text, &s);
    return TSR_OK;
}

/* The checksum of an earlier fetch: the last line "SUM  NAME" of the list. */
static bool find_sum(char sum[SHA256_TEXT_NBYTES], const fetch_job *job)
{
    FILE *const f = fopen(job->sums.s, "r");
    char line[256];
    bool found = false;
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        if (strlen(line) < 66 || memcmp(line + 64, "  ", 2) != 0 ||
            strcmp(line + 66, job->dataset->name) != 0)
            continue;
        memcpy(sum, line, 64);
        sum[64] = '\0';
        found = true;
    }
    if (f)
        (void)fclose(f);
    return found;
}

/* Append to the list in one write, so that fetches side by side do not disturb each other. */
static tsr_status add_sum(const fetch_job *job, const char *sum, tsr_error *err)
{
    char line[256];
    const int n = snprintf(line, sizeof line, "%s  %s\n", sum, job->dataset->name);
    const int fd = open(job->sums.s, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    const bool ok = fd >= 0 && n > 0 && write(fd, line, (size_t)n) == n;
    const int error = errno;
    if (fd >= 0 && close(fd) == 0 && ok)
        return TSR_OK;
    return tsr_fail_errno(err, error, job->sums.s, "cannot note the checksum");
}

/* out->verified tells whether there was a sum to compare with. */
static tsr_status verify(tsr_fetched *out, const fetch_job *job, tsr_error *err)
{
    char noted[SHA256_TEXT_NBYTES] = "";
    const char *const known = job->dataset->sha256, *want = known[0] ? known : noted;
    TSR_TRY(hash_part(out->sha256, job, err));
    if (!known[0] && !find_sum(noted, job))
        return TSR_OK;
    out->verified = strcmp(want, out->sha256) == 0;
    if (out->verified)
        return TSR_OK;
    remove_part(job);
    return tsr_fail_at(err, TSR_CORRUPT, job->d.url, 0, 0,
                       "the %" PRIu64 " bytes have the SHA-256 %s, %s says %s; the download is removed",
                       job->d.nbytes, out->sha256, known[0] ? "the table" : "the earlier fetch", want);
}

/* ---- all of it ---- */

/* A bound of what the file may take: two lines an entry, each with twenty bytes an index and as many a value,
 * and room for comments. */
static uint64_t file_bound(const tsr_gen_shape *shape)
{
    return (UINT64_C(1) << 24) + 2 * shape->nnz * 20 * ((uint64_t)shape->order + 2);
}

static tsr_status run(tsr_fetched *out, fetch_job *job, tsr_error *err)
{
    const char *const path = out->path.s, *const slash = strrchr(path, '/');
    TSR_TRY(open_part(job, err));
    if (is_file(path)) { /* finished by another process */
        remove_part(job);
        out->was_there = true;
        return TSR_OK;
    }
    read_info(job);
    tsr_status status = download(job, err);
    out->nbytes = job->d.nbytes;
    out->nbytes_resumed = job->begun ? job->resumed : job->d.nbytes;
    if (status == TSR_LIMIT || (status != TSR_OK && job->d.nbytes == 0))
        remove_part(job);
    TSR_TRY(status);
    TSR_TRY(verify(out, job, err));
    status =
        fetch_unpack(&(fetch_archive){job->part.s, job->d.url, slash ? slash + 1 : path, job->d.max_nbytes},
                     path, job->options->observer, err);
    if (status == TSR_OK && !out->verified) /* not before: whatever else a server sends does not unpack */
        status = add_sum(job, out->sha256, err);
    if (status == TSR_OK || status == TSR_CORRUPT || status == TSR_LIMIT)
        remove_part(job); /* done, or no better the next time */
    return status;
}

tsr_status tsr_fetch(tsr_fetched *out, const tsr_dataset *dataset, const tsr_fetch_options *options,
                     tsr_error *err)
{
    fetch_job job = {.dataset = dataset, .options = options};
    tsr_status status = TSR_OK;
    tsr_fetched_clear(out);
    job.d = (fetch_download){.url = dataset->url,
                             .fd = -1,
                             .max_nbytes = file_bound(&dataset->shape),
                             .stall_s = options->stall_s ? options->stall_s : STALL_S,
                             .min_speed = options->min_speed > 0    ? options->min_speed
                                          : options->min_speed == 0 ? MIN_SPEED
                                                                    : 1,
                             .observer = options->observer,
                             .begin = write_info,
                             .ctx = &job};
    tsr_dataset_path(&out->path, options->folder, dataset);
    tsr_text_addf(&job.part, "%s/%s.part", options->folder, dataset->name);
    tsr_text_addf(&job.info, "%s/%s.part.info", options->folder, dataset->name);
    tsr_text_addf(&job.sums, "%s/sha256sums", options->folder);
    TSR_TRY_OUT(tsr_text_status(&out->path, err));
    TSR_TRY_OUT(tsr_text_status(&job.part, err));
    TSR_TRY_OUT(tsr_text_status(&job.info, err));
    TSR_TRY_OUT(tsr_text_status(&job.sums, err));
    job.d.path = job.part.s;
    out->was_there = is_file(out->path.s);
    if (out->was_there)
        goto out;
    TSR_TRY_OUT(tsr_data_folder_make(options->folder, err));
    status = run(out, &job, err);
out:
    if (job.d.fd >= 0)
        (void)close(job.d.fd);
    tsr_text_clear(&job.part);
    tsr_text_clear(&job.info);
    tsr_text_clear(&job.sums);
    return status;
}

void tsr_fetched_clear(tsr_fetched *fetched)
{
    tsr_text_clear(&fetched->path);
    *fetched = (tsr_fetched){0};
}
