/* Measures writing and reading of Binsparse files: bench_hdf5 FOLDER [NNZ]
 *
 * A CSR matrix with 8 entries per row (8 M entries: 100 MB) is written into FOLDER and read back: contiguous
 * beside write(2) and read(2) of the same bytes in pieces of 16 MiB, then deflate 1 on one and two threads.
 * Files are removed before each write, so that the page cache uses old pages; nothing waits for the disk.
 * Each answer is checked. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_run.h"
#include "binsparse_internal.h"
#include "hdf5_io.h"

enum { PIECE_NBYTES = 16 << 20, NCANDIDATES = 8 };

typedef struct work {
    char path[1000];
    const tsr_tensor *tensor;
    int deflate, nthreads;
} work;

static tsr_status make(tsr_tensor **out, uint64_t nnz, tsr_error *err)
{
    const uint64_t nrows = nnz / 8, dims[2] = {nrows, 1000000};
    tsr_format *format;
    TSR_TRY(tsr_format_parse(&format, "ds", 2, dims, err));
    tsr_status status = tsr_tensor_new(out, format, dims, TSR_F64, err);
    tsr_format_free(format);
    TSR_TRY(status);
    tsr_tensor *t = *out;
    tsr_level *dense = &t->levels[0], *level = &t->levels[1];
    dense->nparents = 1;
    dense->npos = level->nparents = nrows;
    level->npos = t->npos = nrows * 8;
    TSR_TRY(tsr_array_init(&level->pos, nrows + 1, 4, 0, "pos", err));
    TSR_TRY(tsr_array_init(&level->crd, t->npos, 4, 0, "crd", err));
    TSR_TRY(tsr_array_init(&t->values, t->npos, 8, 0, "values", err));
    for (uint64_t i = 0; i <= nrows; i++)
        ((uint32_t *)level->pos.data)[i] = (uint32_t)(8 * i);
    uint64_t seed = 1;
    for (uint64_t e = 0; e < t->npos; e++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        ((uint32_t *)level->crd.data)[e] = (uint32_t)(e % 8 * 125000 + (seed >> 40) % 125000);
        ((double *)t->values.data)[e] = (double)((seed >> 33) % 100000) / 1000;
    }
    return TSR_OK;
}

static tsr_status remove_file(void *ctx, tsr_error *err)
{
    (void)err;
    const work *w = ctx;
    remove(w->path);
    return TSR_OK;
}

static const tsr_array *array_of(const tsr_tensor *t, int i)
{
    return i == 0 ? &t->levels[1].pos : i == 1 ? &t->levels[1].crd : &t->values;
}

static tsr_status run_plain_write(void *ctx, tsr_error *err)
{
    const work *w = ctx;
    const int fd = open(w->path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    for (int i = 0; fd >= 0 && i < 3; i++) {
        const char *p = array_of(w->tensor, i)->data;
        for (uint64_t left = tsr_array_nbytes(array_of(w->tensor, i)); left > 0;) {
            const ssize_t n = write(fd, p, left < PIECE_NBYTES ? left : PIECE_NBYTES);
            if (n <= 0)
                return tsr_fail(err, TSR_IO, "write failed");
            p += n;
            left -= (uint64_t)n;
        }
    }
    return fd >= 0 && close(fd) == 0 ? TSR_OK : tsr_fail(err, TSR_IO, "cannot write %s", w->path);
}

static tsr_status run_plain_read(void *ctx, tsr_error *err)
{
    const work *w = ctx;
    const int fd = open(w->path, O_RDONLY);
    for (int i = 0; fd >= 0 && i < 3; i++) {
        const uint64_t nbytes = tsr_array_nbytes(array_of(w->tensor, i));
        char *bytes = tsr_malloc(nbytes);
        for (uint64_t at = 0; bytes && at < nbytes;) {
            const ssize_t n = read(fd, bytes + at, nbytes - at < PIECE_NBYTES ? nbytes - at : PIECE_NBYTES);
            if (n <= 0)
                return tsr_fail(err, TSR_IO, "read failed");
            at += (uint64_t)n;
        }
        tsr_free(bytes);
    }
    return fd >= 0 && close(fd) == 0 ? TSR_OK : tsr_fail(err, TSR_IO, "cannot read %s", w->path);
}

static tsr_status run_write(void *ctx, tsr_error *err)
{
    const work *w = ctx;
    const tsr_write_options o = {.nthreads = w->nthreads, .deflate = w->deflate};
    tsr_hdf5 *h5;
    const int fd = open(w->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const tsr_status status = tsr_hdf5_open_fd(&h5, fd, TSR_HDF5_CREATE, err);
    if (fd >= 0)
        (void)close(fd);
    TSR_TRY(status);
    TSR_TRY(tsr_bsp_write(tsr_hdf5_container(h5), w->tensor, NULL, &o, err));
    return tsr_hdf5_close(h5, NULL, err);
}

static tsr_status read_back(tsr_tensor **out, const work *w, tsr_error *err)
{
    const tsr_read_options o = {.nthreads = w->nthreads};
    tsr_hdf5 *h5;
    tsr_data data;
    TSR_TRY(tsr_hdf5_open(&h5, w->path, err));
    TSR_TRY(tsr_bsp_read(&data, tsr_hdf5_container(h5), &o, err));
    *out = data.tensor;
    return tsr_hdf5_close(h5, NULL, err);
}

static tsr_status run_read(void *ctx, tsr_error *err)
{
    tsr_tensor *tensor = NULL;
    TSR_TRY(read_back(&tensor, ctx, err));
    tsr_tensor_free(tensor);
    return TSR_OK;
}

static tsr_status check(void *ctx, tsr_error *err)
{
    const work *w = ctx;
    tsr_tensor *tensor = NULL;
    TSR_TRY(read_back(&tensor, w, err));
    bool same = true;
    for (int i = 0; i < 3; i++)
        same = same && tsr_array_nbytes(array_of(tensor, i)) == tsr_array_nbytes(array_of(w->tensor, i)) &&
               memcmp(array_of(tensor, i)->data, array_of(w->tensor, i)->data,
                      tsr_array_nbytes(array_of(tensor, i))) == 0;
    tsr_tensor_free(tensor);
    return same ? TSR_OK : tsr_fail(err, TSR_CORRUPT, "%s does not read back", w->path);
}

int main(int argc, char **argv)
{
    tsr_error err;
    tsr_tensor *tensor = NULL;
    static work works[NCANDIDATES];
    static bench_candidate all[NCANDIDATES] = {
        {.name = "write(2)", .run = run_plain_write},
        {.name = "write contiguous", .run = run_write, .check = check},
        {.name = "write deflate 1", .run = run_write, .check = check},
        {.name = "write deflate 1", .run = run_write, .check = check},
        {.name = "read(2)", .run = run_plain_read},
        {.name = "read contiguous", .run = run_read},
        {.name = "read deflate 1", .run = run_read},
        {.name = "read deflate 1", .run = run_read},
    };
    static const int nthreads[NCANDIDATES] = {1, 2, 1, 2, 1, 2, 1, 2};
    if (argc < 2) {
        fprintf(stderr, "usage: bench_hdf5 FOLDER [NNZ]\n");
        return 2;
    }
    tsr_status status = make(&tensor, argc > 2 ? strtoull(argv[2], NULL, 10) : 8000000, &err);
    for (int i = 0; i < NCANDIDATES; i++) {
        const int file = i % 4;
        works[i] = (work){.tensor = tensor, .deflate = file >= 2, .nthreads = nthreads[i]};
        snprintf(works[i].path, sizeof works[i].path, "%s/bench_hdf5.%d", argv[1], file);
        all[i].ctx = &works[i];
        all[i].nthreads = nthreads[i];
        all[i].prepare = i < 4 ? remove_file : NULL;
    }
    if (status == TSR_OK)
        status = bench_run(NULL, all, NCANDIDATES, &(bench_run_options){.reps = 7}, &err);
    for (int i = 0; status == TSR_OK && i < NCANDIDATES; i++)
        printf("%-18s %d thread%s %7.2f GB/s of arrays\n", all[i].name, all[i].nthreads,
               all[i].nthreads > 1 ? "s" : " ", (double)tsr_tensor_nbytes(tensor) / all[i].ns.min);
    if (status == TSR_OK)
        printf("contiguous %.2f of write(2); deflate 1 on two threads %.2f of one (write), %.2f (read)\n",
               all[0].ns.min / all[1].ns.min, all[2].ns.min / all[3].ns.min, all[6].ns.min / all[7].ns.min);
    else
        fprintf(stderr, "bench_hdf5: %s\n", err.message);
    for (int i = 0; i < 4; i++)
        remove(works[i].path);
    tsr_tensor_free(tensor);
    return status == TSR_OK ? 0 : 1;
}
