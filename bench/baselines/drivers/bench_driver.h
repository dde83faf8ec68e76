/* The child's side of the protocol of baselines that are programs (../README.md): a driver in C or C++ is one
 * file that includes this one first, fills a bench_driver and calls bench_driver_main. It is compiled when tbench
 * runs. */
#ifndef BENCH_DRIVER_H
#define BENCH_DRIVER_H

#ifndef _GNU_SOURCE /* C++ compilers define it */
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define BENCH_DRIVER_MAGIC UINT64_C(0x5445535345524131)
#define BENCH_DRIVER_NO_MODE UINT64_MAX

/* A dense operand, row-major. */
typedef struct bench_driver_dense {
    uint64_t order;
    uint64_t *dims;
    double *values;
} bench_driver_dense;

/* A sparse operand. */
typedef struct bench_driver_sparse {
    uint64_t order, nnz;
    uint64_t *dims;
    int64_t **crd; /* order arrays of nnz coordinates, in the order of the file; duplicates are added */
    double *values;
} bench_driver_sparse;

/* A case. The driver owns all of it: it may change it, and free parts that it does not need. */
typedef struct bench_driver_case {
    uint64_t order, nnz, ndense;
    uint64_t mode; /* mode of mttkrp, ttv, ttm; BENCH_DRIVER_NO_MODE: the kernel has no modes */
    uint64_t rank; /* 0: no rank */
    uint64_t ncells, result_order;
    uint64_t *dims, *result_dims;
    int64_t **crd; /* order arrays of nnz coordinates, in the order of the file; duplicates are added */
    double *values;
    bench_driver_dense *dense; /* ndense operands, in the order of the expression */
    uint64_t nothers;
    bench_driver_sparse *others; /* nothers further sparse operands, in the order of the expression */
} bench_driver_case;

/* What `open` reports. */
typedef struct bench_driver_ready {
    double pack_ns;      /* time of packing from coordinates into the library's own form; 0: unknown */
    uint64_t nbytes;     /* size of that form; 0: unknown */
    const char *version; /* "1.1.1"; NULL: unknown */
} bench_driver_ready;

/* The entries of a sparse result. */
typedef struct bench_driver_entries {
    uint64_t n;     /* UINT64_MAX: the result is dense */
    int64_t **crd;  /* result_order arrays of n coordinates */
    double *values; /* n values */
} bench_driver_entries;

typedef struct bench_driver {
    /* Pack. Returns the state for the other functions. Call bench_driver_fail if the case cannot be
     * packed. */
    void *(*open)(bench_driver_ready *ready, bench_driver_case *c, int nthreads);
    void (*prepare)(void *state);   /* before each run, not timed; may be NULL */
    void (*run)(void *state);       /* timed; includes zeroing the output if a user would have to do that */
    void (*overwrite)(void *state); /* fill the last result with NaN */
    const double *(*result)(void *state); /* the ncells cells of the last run, row-major */
    /* The entries of a sparse result. NULL: the result is dense. */
    void (*entries)(bench_driver_entries *out, void *state);
} bench_driver;

/* Nanoseconds of a clock that never goes backward. */
static inline uint64_t bench_driver_now(void);
/* Send an error message instead of an answer, and exit. */
static void bench_driver_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* malloc, or bench_driver_fail. */
static void *bench_driver_alloc(uint64_t n, size_t nbytes);
/* The main function of a driver: returns the exit code. */
static int bench_driver_main(int argc, char **argv, const bench_driver *driver);

/* ---- implementation ---- */

static FILE *bench_driver_out; /* the stream to tbench: the original standard output */

static inline uint64_t bench_driver_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void bench_driver_fail(const char *format, ...)
{
    char sentence[400];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    fprintf(bench_driver_out, "error %s\n", sentence);
    fflush(bench_driver_out);
    fprintf(stderr, "%s\n", sentence); /* inside a result tbench does not expect a line */
    fflush(stderr);
    _exit(1);
}

static void *bench_driver_alloc(uint64_t n, size_t nbytes)
{
    void *const block = n > SIZE_MAX / nbytes ? NULL : malloc(n > 0 ? (size_t)n * nbytes : 1);
    if (!block)
        bench_driver_fail("out of memory: %.3g bytes", (double)n * (double)nbytes);
    return block;
}

/* Read n words of 8 bytes. */
static void *bench_driver_read(FILE *in, uint64_t n)
{
    void *const block = bench_driver_alloc(n, 8);
    if (fread(block, 8, n, in) != n)
        bench_driver_fail("the file of the case ends too early");
    return block;
}

static uint64_t bench_driver_word(FILE *in)
{
    uint64_t *const block = (uint64_t *)bench_driver_read(in, 1), word = *block;
    free(block);
    return word;
}

/* Read the further sparse operands. */
static void bench_driver_load_others(bench_driver_case *c, FILE *in)
{
    c->nothers = bench_driver_word(in);
    c->others = (bench_driver_sparse *)bench_driver_alloc(c->nothers, sizeof *c->others);
    for (uint64_t k = 0; k < c->nothers; k++) {
        bench_driver_sparse *const other = &c->others[k];
        other->order = bench_driver_word(in);
        other->nnz = bench_driver_word(in);
        other->dims = (uint64_t *)bench_driver_read(in, other->order);
        other->crd = (int64_t **)bench_driver_alloc(other->order, sizeof *other->crd);
        for (uint64_t m = 0; m < other->order; m++)
            other->crd[m] = (int64_t *)bench_driver_read(in, other->nnz);
        other->values = (double *)bench_driver_read(in, other->nnz);
    }
}

static void bench_driver_load(bench_driver_case *c, const char *path)
{
    FILE *const in = fopen(path, "rb");
    if (!in)
        bench_driver_fail("cannot open the file of the case, %s: %s", path, strerror(errno));
    if (bench_driver_word(in) != BENCH_DRIVER_MAGIC)
        bench_driver_fail("%s is not the file of a case", path);
    uint64_t *const fields[] = {&c->order, &c->nnz, &c->ndense, &c->mode, &c->rank, &c->ncells};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        *fields[i] = bench_driver_word(in);
    c->dims = (uint64_t *)bench_driver_read(in, c->order);
    c->result_order = bench_driver_word(in);
    c->result_dims = (uint64_t *)bench_driver_read(in, c->result_order);
    c->crd = (int64_t **)bench_driver_alloc(c->order, sizeof *c->crd);
    for (uint64_t m = 0; m < c->order; m++)
        c->crd[m] = (int64_t *)bench_driver_read(in, c->nnz);
    c->values = (double *)bench_driver_read(in, c->nnz);
    c->dense = (bench_driver_dense *)bench_driver_alloc(c->ndense, sizeof *c->dense);
    for (uint64_t d = 0; d < c->ndense; d++) {
        uint64_t n = 1;
        c->dense[d].order = bench_driver_word(in);
        c->dense[d].dims = (uint64_t *)bench_driver_read(in, c->dense[d].order);
        for (uint64_t m = 0; m < c->dense[d].order; m++)
            n *= c->dense[d].dims[m];
        c->dense[d].values = (double *)bench_driver_read(in, n);
    }
    bench_driver_load_others(c, in);
    fclose(in);
}

static uint64_t bench_driver_once(const bench_driver *driver, void *state)
{
    if (driver->prepare)
        driver->prepare(state);
    const uint64_t start = bench_driver_now();
    driver->run(state);
    return bench_driver_now() - start;
}

/* One run; or, if hot and the run is short, runs for a millisecond after an untimed one. */
static void bench_driver_run(const bench_driver *driver, void *state, int hot)
{
    uint64_t ns = bench_driver_once(driver, state), n = 1;
    if (hot && ns < 20000000)
        for (ns = n = 0; n == 0 || (ns < 1000000 && n < 100000); n++)
            ns += bench_driver_once(driver, state);
    fprintf(bench_driver_out, "ran %llu\n", (unsigned long long)(ns / n));
}

static void bench_driver_send_entries(const bench_driver *driver, const bench_driver_case *c, void *state)
{
    bench_driver_entries e = {UINT64_MAX, NULL, NULL};
    if (driver->entries)
        driver->entries(&e, state);
    fwrite(&e.n, sizeof e.n, 1, bench_driver_out);
    if (e.n == UINT64_MAX)
        return;
    for (uint64_t m = 0; m < c->result_order; m++)
        fwrite(e.crd[m], sizeof *e.crd[m], (size_t)e.n, bench_driver_out);
    fwrite(e.values, sizeof *e.values, (size_t)e.n, bench_driver_out);
}

static int bench_driver_main(int argc, char **argv, const bench_driver *driver)
{
    bench_driver_case c;
    bench_driver_ready ready;
    memset(&c, 0, sizeof c);
    memset(&ready, 0, sizeof ready);
    char command;
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    const int fd = dup(STDOUT_FILENO); /* output of libraries goes to standard error */
    bench_driver_out = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!bench_driver_out || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 || argc < 3)
        return 1;
    bench_driver_load(&c, argv[argc - 2]);
    void *const state = driver->open(&ready, &c, atoi(argv[argc - 1]));
    fprintf(bench_driver_out, "ready %.0f %llu %s\n", ready.pack_ns, (unsigned long long)ready.nbytes,
            ready.version ? ready.version : "");
    while (fflush(bench_driver_out) == 0 && read(STDIN_FILENO, &command, 1) == 1 && command != 'q') {
        if (command == 'r' || command == 'c') {
            bench_driver_run(driver, state, command == 'r');
        } else if (command == 'o') {
            driver->overwrite(state);
            fputs("done\n", bench_driver_out);
        } else if (command == 'w') {
            fwrite(driver->result(state), sizeof(double), (size_t)c.ncells, bench_driver_out);
        } else if (command == 's') {
            bench_driver_send_entries(driver, &c, state);
        } else {
            bench_driver_fail("unknown command '%c'", command);
        }
    }
    return 0;
}

#endif
