/* Measures reading of text: bench_input FILE...
 *
 * For each file, plain or gzip: MB/s of text, the best of several runs, by read(2) (plain) or gzread (gzip)
 * and by tsr_input with blocks of several sizes, on 1 and 2 threads. Each reader only counts newlines with
 * memchr; all readers must count the same before their times are printed. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <zlib.h>

#include "tsr_input.h"
#include "tsr_parallel.h"

enum { NRUNS = 9, PEER_NBYTES = 1 << 20 };

typedef struct work {
    const char *path;
    size_t block_nbytes;
    int nthreads;
    tsr_input *input;
    atomic_uint_fast64_t nbytes, nlines;
    atomic_bool failed;
} work;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void count(work *w, const char *text, size_t n)
{
    uint64_t nlines = 0;
    for (const char *p = text, *end = text + n; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
        nlines++;
    atomic_fetch_add(&w->nlines, nlines);
    atomic_fetch_add(&w->nbytes, n);
}

static void run_read(work *w)
{
    char *buf = malloc(PEER_NBYTES);
    const int fd = open(w->path, O_RDONLY);
    ssize_t n = -1;
    while (buf && fd >= 0 && (n = read(fd, buf, PEER_NBYTES)) > 0)
        count(w, buf, (size_t)n);
    w->failed = n != 0;
    if (fd >= 0)
        close(fd);
    free(buf);
}

static void run_gzread(work *w)
{
    char *buf = malloc(PEER_NBYTES);
    gzFile f = gzopen(w->path, "rb");
    int n = -1;
    if (f)
        gzbuffer(f, 1 << 17);
    while (buf && f && (n = gzread(f, buf, PEER_NBYTES)) > 0)
        count(w, buf, (size_t)n);
    w->failed = n != 0;
    if (f)
        gzclose(f);
    free(buf);
}

static void count_blocks(void *arg, int t, int nthreads)
{
    (void)t, (void)nthreads;
    work *w = arg;
    tsr_block block = {0};
    tsr_status status;
    while ((status = tsr_input_next(&block, w->input, NULL)) == TSR_OK && block.nbytes > 0)
        count(w, block.text, block.nbytes);
    if (status != TSR_OK)
        w->failed = true;
    tsr_block_clear(&block);
}

static void run_input(work *w)
{
    if (tsr_input_open(&w->input, w->path, w->block_nbytes, NULL, NULL) != TSR_OK) {
        w->failed = true;
        return;
    }
    tsr_parallel(w->nthreads, count_blocks, w);
    tsr_input_free(w->input);
}

/* Run it NRUNS times and print the best time; false if it fails or its count differs from that of the first
 * reader. */
static bool measure(const char *name, void (*run)(work *w), const char *path, size_t block_nbytes,
                    int nthreads, uint64_t expected[2])
{
    double best = 1e300;
    for (int i = 0; i < NRUNS; i++) {
        work w = {.path = path, .block_nbytes = block_nbytes, .nthreads = nthreads};
        const double start = now();
        run(&w);
        const double time = now() - start;
        if (expected[0] == 0)
            expected[0] = w.nbytes, expected[1] = w.nlines;
        if (w.failed || w.nbytes != expected[0] || w.nlines != expected[1]) {
            fprintf(stderr, "bench_input: %s: %s failed, or counts differ\n", path, name);
            return false;
        }
        best = time < best ? time : best;
    }
    printf("  %-10s %d thread%s  block %5zu KiB  %7.0f MB/s\n", name, nthreads, nthreads > 1 ? "s" : " ",
           block_nbytes >> 10, (double)expected[0] / best / 1e6);
    return true;
}

int main(int argc, char **argv)
{
    bool ok = argc > 1;
    if (!ok)
        fprintf(stderr,
                "usage: bench_input FILE...   (lines of text that end with a newline, plain or .gz)\n");
    for (int i = 1; i < argc; i++) {
        tsr_input *input;
        tsr_error err;
        char buf[1200];
        if (tsr_input_open(&input, argv[i], 0, NULL, &err) != TSR_OK) {
            fprintf(stderr, "bench_input: %s\n", tsr_error_text(buf, sizeof buf, &err));
            ok = false;
            continue;
        }
        const bool is_gzip = tsr_input_is_gzip(input);
        printf("%s: %.1f MB%s\n", argv[i], (double)tsr_input_nbytes(input) / 1e6, is_gzip ? " of gzip" : "");
        tsr_input_free(input);
        uint64_t expected[2] = {0, 0};
        ok &= is_gzip ? measure("gzread", run_gzread, argv[i], PEER_NBYTES, 1, expected)
                      : measure("read", run_read, argv[i], PEER_NBYTES, 1, expected);
        for (int nthreads = 1; nthreads <= 2; nthreads++)
            for (size_t size = 1 << 18; size <= 1 << 22; size *= 2)
                ok &= measure("tsr_input", run_input, argv[i], size, nthreads, expected);
    }
    return ok ? 0 : 1;
}
