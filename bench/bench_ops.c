/* The steps of the converter as benchmarks: see bench_ops.h. Every op checks its answer once before its time
 * counts. */
#include "bench_ops.h"
#include "bench_random.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tsr_alloc.h"
#include "tsr_input.h"
#include "tsr_write.h"

/* ---- entries ---- */

tsr_status bench_read_source(tsr_coo **out, const char *path, const tsr_read_options *how, tsr_error *err)
{
    tsr_data data = {0};
    const int nthreads = how ? how->nthreads : 0;
    *out = NULL;
    TSR_TRY(tsr_read(&data, path, NULL, how, err));
    tsr_status status = TSR_OK;
    if (data.tensor)
        status = tsr_unpack(&data.coo, data.tensor, nthreads, err);
    if (!status)
        status = tsr_coo_expand(data.coo, err);
    if (!status) {
        *out = data.coo;
        data.coo = NULL;
    }
    tsr_data_clear(&data);
    return status;
}

/* How the job reads the input. */
static tsr_read_options how_to_read(const bench_job *job)
{
    tsr_read_options how = job->read ? *job->read : (tsr_read_options){0};
    how.nthreads = job->nthreads;
    return how;
}

/* Read the output of the job back. */
static tsr_status read_back(tsr_coo **out, const bench_job *job, tsr_error *err)
{
    const tsr_read_options how = {.nthreads = job->nthreads,
                                  .index_base = job->write ? job->write->index_base : 0};
    return bench_read_source(out, job->out, &how, err);
}

/* Swap entries i and j of an array. */
static void swap(tsr_array *a, uint64_t i, uint64_t j)
{
    unsigned char t[TSR_MAX_VALUE_NBYTES], *p = a->data;
    memcpy(t, p + i * a->width, a->width);
    memcpy(p + i * a->width, p + j * a->width, a->width);
    memcpy(p + j * a->width, t, a->width);
}

static void shuffle(tsr_coo *coo)
{
    uint64_t s = 42;
    for (uint64_t i = coo->nnz; i > 1; i--) {
        const uint64_t j = bench_random(&s) % i;
        for (int m = 0; m < coo->order; m++)
            swap(&coo->crd[m], i - 1, j);
        if (!coo->iso)
            swap(&coo->values, i - 1, j);
    }
}

tsr_status bench_reorder(tsr_coo **coo, bench_order order, tsr_error *err)
{
    if (order == BENCH_ORDER_FILE)
        return TSR_OK;
    if (order == BENCH_ORDER_SHUFFLED) {
        shuffle(*coo);
        return TSR_OK;
    }
    tsr_format *format = NULL;
    tsr_tensor *tensor = NULL;
    const tsr_pack_options options = {.duplicates = TSR_DUP_SUM};
    tsr_status status = tsr_format_parse(&format, "coo", (*coo)->order, (*coo)->dims, err);
    if (!status)
        status = tsr_pack(&tensor, *coo, format, &options, NULL, err);
    else
        tsr_coo_free(*coo);
    *coo = NULL;
    if (!status)
        status = tsr_unpack(coo, tensor, 0, err);
    tsr_tensor_free(tensor);
    tsr_format_free(format);
    return status;
}

/* ---- read ---- */

tsr_status bench_job_drop(void *ctx, tsr_error *err)
{
    (void)err;
    bench_job *job = ctx;
    tsr_coo_free(job->coo);
    tsr_tensor_free(job->tensor);
    job->coo = NULL;
    job->tensor = NULL;
    return TSR_OK;
}

/* Add the bytes of all files in a folder (a Zarr store). */
static void add_folder(uint64_t *nbytes, const char *path, int depth)
{
    enum { MAX_DEPTH = 32 };
    char inner[PATH_MAX];
    struct stat st;
    DIR *const folder = depth < MAX_DEPTH ? opendir(path) : NULL;
    for (struct dirent *e; folder && (e = readdir(folder));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
            snprintf(inner, sizeof inner, "%s/%s", path, e->d_name) >= (int)sizeof inner ||
            lstat(inner, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode))
            add_folder(nbytes, inner, depth + 1);
        else
            *nbytes += (uint64_t)st.st_size;
    }
    if (folder)
        closedir(folder);
}

/* The bytes of a file or folder; *plain: it is a regular file, and the path names no object in it. */
static tsr_status file_nbytes(uint64_t *nbytes, bool *plain, const char *path, tsr_error *err)
{
    struct stat st;
    const char *object;
    char *const file = tsr_path_split(&object, path);
    if (!file)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_status status = stat(file, &st) == 0 ? TSR_OK : tsr_fail_errno(err, errno, file, "cannot open");
    *nbytes = status == TSR_OK && !S_ISDIR(st.st_mode) ? (uint64_t)st.st_size : 0;
    *plain = status == TSR_OK && S_ISREG(st.st_mode) && !object;
    if (status == TSR_OK && S_ISDIR(st.st_mode))
        add_folder(nbytes, file, 0);
    tsr_free(file);
    return status;
}

bool bench_is_plain_file(const char *path)
{
    uint64_t nbytes;
    bool plain = false;
    return file_nbytes(&nbytes, &plain, path, NULL) == TSR_OK && plain;
}

static tsr_status read_setup(bench_job *job, tsr_error *err)
{
    bool plain;
    return file_nbytes(&job->nbytes, &plain, job->path, err);
}

static tsr_status read_run(void *ctx, tsr_error *err)
{
    bench_job *job = ctx;
    tsr_data data = {0};
    const tsr_read_options how = how_to_read(job);
    TSR_TRY(tsr_read(&data, job->path, NULL, &how, err));
    job->coo = data.coo;
    job->tensor = data.tensor;
    tsr_labels_free(data.labels);
    job->nnz = data.coo ? data.coo->nnz : data.tensor->npos;
    return TSR_OK;
}

/* Check that the tensor that was read is consistent (tests compare its content with other readers). */
static tsr_status read_check(void *ctx, tsr_error *err)
{
    bench_job *job = ctx;
    return job->coo ? tsr_coo_check(job->coo, 0, err) : tsr_tensor_check(job->tensor, 0, err);
}

const bench_op bench_op_read = {
    .name = "read",
    .summary = "a file into memory",
    .setup = read_setup,
    .prepare = bench_job_drop,
    .run = read_run,
    .check = read_check,
};

/* Read the bytes of a file that is not a text. */
static tsr_status fetch_bytes(const char *path, tsr_error *err)
{
    enum { STEP = 1 << 20 };
    FILE *const file = fopen(path, "rb");
    void *const block = file ? tsr_malloc(STEP) : NULL;
    tsr_status status = file ? block ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory")
                             : tsr_fail_errno(err, errno, path, "cannot open");
    if (status == TSR_OK)
        setvbuf(file, NULL, _IONBF, 0);
    while (status == TSR_OK && fread(block, 1, STEP, file) == STEP)
        ;
    if (status == TSR_OK && ferror(file))
        status = tsr_fail_errno(err, errno, path, "cannot read");
    if (file)
        (void)fclose(file);
    tsr_free(block);
    return status;
}

/* Only fetch (and inflate) the same bytes, on one thread. */
static tsr_status read_limit_run(void *ctx, tsr_error *err)
{
    bench_job *job = ctx;
    const tsr_codec *codec;
    tsr_input *input;
    tsr_block block = {0};
    TSR_TRY(tsr_codec_by_content(&codec, job->path, err));
    if (!codec->streams)
        return fetch_bytes(job->path, err);
    TSR_TRY(tsr_input_open(&input, job->path, 0, NULL, err));
    tsr_status status;
    do
        status = tsr_input_next(&block, input, err);
    while (!status && block.nbytes);
    tsr_block_clear(&block);
    tsr_input_free(input);
    return status;
}

const bench_op bench_op_read_limit = {
    .name = "fetch only",
    .summary = "the blocks of the file, without parsing",
    .setup = read_setup,
    .run = read_limit_run,
};

/* ---- pack, unpack ---- */

tsr_status bench_job_format(bench_job *job, const tsr_coo *coo, tsr_error *err)
{
    const char *text = job->format ? job->format : coo->natural ? coo->natural : "coo";
    tsr_error why = {0};
    const tsr_status status = tsr_format_parse(&job->parsed, text, coo->order, coo->dims, &why);
    return status == TSR_OK ? TSR_OK : tsr_fail(err, status, "--format=%s: %s", text, why.message);
}

static tsr_status pack_setup(bench_job *job, tsr_error *err)
{
    job->nnz = job->source->nnz;
    job->nbytes = tsr_coo_nbytes(job->source);
    return bench_job_format(job, job->source, err);
}

static tsr_status pack_prepare(void *ctx, tsr_error *err)
{
    bench_job *job = ctx;
    TSR_TRY(bench_job_drop(ctx, err));
    return tsr_coo_copy(&job->coo, job->source, err);
}

static tsr_status pack_run(void *ctx, tsr_error *err)
{
    bench_job *job = ctx;
    tsr_coo *coo = job->coo;
    job->coo = NULL;
    const tsr_pack_options options = {.nthreads = job->nthreads};
    return tsr_pack(&job->tensor, coo, job->parsed, &options, NULL, err);
}

static tsr_status pack_check(void *ctx, tsr_error *err)
{
    bench_job *job = ctx;
    return tsr_tensor_check(job->tensor, 0, err);
}

const bench_op bench_op_pack = {
    .name = "pack",
    .summary = "coordinates into a storage format",
    .needs_source = true,
    .setup = pack_setup,
    .prepare = pack_prepare,
    .run = pack_run,
    .check = pack_check,
};

static tsr_status unpack_setup(bench_job *job, tsr_error *err)
{
    TSR_TRY(pack_setup(job, err));
    TSR_TRY(pack_prepare(job, err));
    return pack_run(job, err);
}

static tsr_status unpack_prepare(void *ctx, tsr_error *err)
{
    (void)err;
    bench_job *job = ctx;
    tsr_coo_free(job->coo);
    job->coo = NULL;
    return TSR_OK;
}

static tsr_status unpack_run(void *ctx, tsr_error *err)
{
    bench_job *job = ctx;
    return tsr_unpack(&job->coo, job->tensor, job->nthreads, err);
}

const bench_op bench_op_unpack = {
    .name = "unpack",
    .summary = "a storage format back into coordinates",
    .needs_source = true,
    .setup = unpack_setup,
    .prepare = unpack_prepare,
    .run = unpack_run,
};

/* ---- write ---- */

static tsr_status write_data(bench_job *job, const tsr_coo *coo, const tsr_tensor *tensor, tsr_error *err)
{
    const tsr_codec *codec;
    tsr_write_options options = job->write ? *job->write : (tsr_write_options){0};
    options.nthreads = job->nthreads;
    TSR_TRY(tsr_codec_by_suffix(&codec, job->out, err));
    if (codec->write_coo && coo)
        return codec->write_coo(job->out, coo, &options, &job->nbytes, err);
    if (codec->write_tensor && tensor)
        return codec->write_tensor(job->out, tensor, &options, &job->nbytes, err);
    return tsr_fail(err, TSR_UNSUPPORTED, "this benchmark cannot write %s", job->out);
}

/* Without --format, convert the packed tensor to one that the file can hold, as tconv does. */
static tsr_status suit_codec(bench_job *job, const tsr_codec *codec, tsr_error *err)
{
    tsr_data data = {.tensor = job->tensor};
    if (job->format)
        return TSR_OK;
    const tsr_status status = tsr_write_suit(&data, codec, NULL, NULL, err);
    job->tensor = data.tensor;
    tsr_coo_free(data.coo);
    return status;
}

static tsr_status write_setup(bench_job *job, tsr_error *err)
{
    const tsr_codec *codec;
    TSR_TRY(tsr_codec_by_suffix(&codec, job->out, err));
    if (codec->write_coo)
        return pack_setup(job, err);
    TSR_TRY(unpack_setup(job, err));
    return suit_codec(job, codec, err);
}

/* Each run makes a new file: to free the bytes of an old one takes half as long as to write it. */
static tsr_status remove_output(void *ctx, tsr_error *err)
{
    const bench_job *job = ctx;
    if (unlink(job->out) != 0 && errno != ENOENT)
        return tsr_fail_errno(err, errno, job->out, "cannot remove");
    return TSR_OK;
}

static tsr_status write_run(void *ctx, tsr_error *err)
{
    bench_job *job = ctx;
    return write_data(job, job->source, job->tensor, err);
}

static tsr_status write_check(void *ctx, tsr_error *err)
{
    bench_job *job = ctx;
    tsr_coo *back = NULL;
    bool same = false;
    TSR_TRY(read_back(&back, job, err));
    tsr_status status =
        back->nnz == job->source->nnz || job->tensor
            ? TSR_OK
            : tsr_fail(err, TSR_CORRUPT, "reading %s back gives another number of entries", job->out);
    if (!status && !job->tensor)
        status = tsr_coo_same(&same, back, job->source, err);
    if (!status && !job->tensor && !same)
        status = TSR_CORRUPT;
    tsr_coo_free(back);
    return status;
}

const bench_op bench_op_write = {
    .name = "write",
    .summary = "memory into a file",
    .needs_source = true,
    .setup = write_setup,
    .prepare = remove_output,
    .run = write_run,
    .check = write_check,
};

static tsr_status write_limit_setup(bench_job *job, tsr_error *err)
{
    TSR_TRY(write_setup(job, err));
    TSR_TRY(write_data(job, job->source, job->tensor, err));
    job->nnz = job->source->nnz;
    TSR_TRY(tsr_alloc_array(&job->bytes, job->nbytes, 1, 0, "the bytes of the file", err));
    memset(job->bytes, 0x5a, job->nbytes);
    return TSR_OK;
}

/* Write as many bytes into a new file with plain write(2) calls of 8 MiB, flushed as Tessera's writers
 * do. */
static tsr_status write_limit_run(void *ctx, tsr_error *err)
{
    const bench_job *job = ctx;
    const int fd = open(job->out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0)
        return tsr_fail_at(err, TSR_IO, job->out, 0, 0, "%s", strerror(errno));
    for (uint64_t at = 0; at < job->nbytes;) {
        const uint64_t left = job->nbytes - at, piece = left < (8u << 20) ? left : 8u << 20;
        const ssize_t n = write(fd, (const char *)job->bytes + at, piece);
        if (n <= 0) {
            close(fd);
            return tsr_fail_at(err, TSR_IO, job->out, 0, 0, "%s", strerror(errno));
        }
        at += (uint64_t)n;
    }
    const int bad = fsync(fd) | close(fd);
    return bad ? tsr_fail_at(err, TSR_IO, job->out, 0, 0, "%s", strerror(errno)) : TSR_OK;
}

const bench_op bench_op_write_limit = {
    .name = "write(2)",
    .summary = "the same number of bytes by plain writes",
    .needs_source = true,
    .setup = write_limit_setup,
    .prepare = remove_output,
    .run = write_limit_run,
};

/* ---- convert ---- */

static tsr_status convert_run(void *ctx, tsr_error *err)
{
    bench_job *job = ctx;
    const tsr_codec *codec;
    TSR_TRY(bench_job_drop(ctx, err));
    TSR_TRY(tsr_codec_by_suffix(&codec, job->out, err));
    const tsr_read_options how = how_to_read(job);
    TSR_TRY(bench_read_source(&job->coo, job->path, &how, err));
    job->nnz = job->coo->nnz;
    if (!codec->write_tensor || (!job->format && codec->write_coo))
        return write_data(job, job->coo, NULL, err);
    tsr_format_free(job->parsed);
    job->parsed = NULL;
    TSR_TRY(bench_job_format(job, job->coo, err));
    const tsr_pack_options options = {.nthreads = job->nthreads, .index_width = TSR_INDEX_INTEROP};
    tsr_coo *coo = job->coo;
    job->coo = NULL;
    TSR_TRY(tsr_pack(&job->tensor, coo, job->parsed, &options, NULL, err));
    TSR_TRY(suit_codec(job, codec, err));
    return write_data(job, NULL, job->tensor, err);
}

static tsr_status convert_check(void *ctx, tsr_error *err)
{
    bench_job *job = ctx;
    tsr_coo *back = NULL;
    const tsr_status status = read_back(&back, job, err);
    tsr_coo_free(back);
    return status;
}

const bench_op bench_op_convert = {
    .name = "convert",
    .summary = "a file into another: read, pack, write",
    .prepare = remove_output,
    .run = convert_run,
    .check = convert_check,
};

void bench_job_clear(bench_job *job)
{
    (void)bench_job_drop(job, NULL);
    tsr_format_free(job->parsed);
    tsr_free(job->bytes);
    tsr_text_clear(&job->rows);
    if (job->out)
        unlink(job->out);
}
