/* Measures reading and writing of text files: bench_text [--runs=N] FILE...
 *
 * For each .mtx or .tns file, plain or gzip: MB/s of file bytes and ns per entry, the best of several runs,
 * for reading and for writing with 1 and 2 threads, and the peak memory of reading relative to the size of
 * the coordinates. The written file is read back and compared before its time counts. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench_clock.h"
#include "tsr_codec.h"

static int nruns = 7;

static int complain(const tsr_error *err)
{
    char text[1200];
    fprintf(stderr, "bench_text: %s\n", tsr_error_text(text, sizeof text, err));
    return 1;
}

static double file_nbytes(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (double)st.st_size : 0;
}

static uint64_t data_nnz(const tsr_data *data)
{
    return data->coo ? data->coo->nnz : data->tensor->npos;
}

static void report(const char *what, int nthreads, double nbytes, uint64_t nnz, double best_ns)
{
    printf("  %-5s %d thread%s %8.0f MB/s %8.1f ns per entry", what, nthreads, nthreads == 1 ? " " : "s",
           nbytes / best_ns * 1e3, best_ns / (double)nnz);
}

static int bench_read(const char *path, int nthreads, tsr_data *out)
{
    const tsr_read_options options = {.nthreads = nthreads};
    tsr_error err = {0};
    double best = 0, peak = 0;
    for (int r = 0; r < nruns; r++) {
        tsr_data_clear(out);
        const uint64_t before = bench_resident_nbytes();
        bench_reset_peak();
        const uint64_t start = bench_now_ns();
        if (tsr_read(out, path, NULL, &options, &err) != TSR_OK)
            return complain(&err);
        const double ns = (double)(bench_now_ns() - start);
        best = r == 0 || ns < best ? ns : best;
        if (r == 0)
            peak = (double)(bench_peak_nbytes() - before);
    }
    report("read", nthreads, file_nbytes(path), data_nnz(out), best);
    if (out->coo)
        printf("   peak %.2f x coordinates", peak / (double)tsr_coo_nbytes(out->coo));
    printf("\n");
    return 0;
}

/* Whether the file contains these coordinates. */
static int holds(const char *path, const tsr_codec *codec, const tsr_coo *coo, tsr_error *err)
{
    const tsr_read_options options = {.has_type = true, .type = coo->type};
    tsr_data back;
    bool same = false;
    if (tsr_read(&back, path, codec, &options, err) != TSR_OK)
        return 0;
    if (tsr_coo_same(&same, coo, back.coo, err) != TSR_OK)
        same = false;
    tsr_data_clear(&back);
    return same;
}

static int bench_write(const char *original, int nthreads, const tsr_coo *coo)
{
    const tsr_write_options options = {.nthreads = nthreads};
    const tsr_codec *codec;
    tsr_error err = {0};
    const char *const dir = getenv("TMPDIR");
    char path[1000];
    double best = 0;
    if (tsr_codec_by_content(&codec, original, &err) != TSR_OK)
        return complain(&err);
    snprintf(path, sizeof path, "%s/bench_text.%s", dir ? dir : "/tmp", codec->name);
    for (int r = 0; r < nruns; r++) {
        const uint64_t start = bench_now_ns();
        if (codec->write_coo(path, coo, &options, NULL, &err) != TSR_OK)
            return complain(&err);
        const double ns = (double)(bench_now_ns() - start);
        best = r == 0 || ns < best ? ns : best;
    }
    const double nbytes = file_nbytes(path);
    const int right = holds(path, codec, coo, &err);
    remove(path);
    if (!right)
        return complain(&err);
    report("write", nthreads, nbytes, coo->nnz, best);
    printf("\n");
    return 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--runs=", 7) == 0) {
            nruns = atoi(argv[i] + 7) > 0 ? atoi(argv[i] + 7) : 1;
            continue;
        }
        tsr_data data = {0};
        int failed = 0;
        printf("%s\n", argv[i]);
        for (int nthreads = 1; nthreads <= 2 && !failed; nthreads++)
            failed = bench_read(argv[i], nthreads, &data);
        for (int nthreads = 1; nthreads <= 2 && !failed && data.coo; nthreads++)
            failed = bench_write(argv[i], nthreads, data.coo);
        tsr_data_clear(&data);
        if (failed)
            return 1;
    }
    return 0;
}
