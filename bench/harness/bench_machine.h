/* The machine and the build of a measurement, which every record contains. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdint.h>

enum { BENCH_TEXT_NBYTES = 256 };

typedef struct bench_machine {
    char cpu[BENCH_TEXT_NBYTES];       /* "AMD EPYC 9B14" */
    char arch[BENCH_TEXT_NBYTES];      /* "x86_64, level 4" (of the psABI) */
    char caches[BENCH_TEXT_NBYTES];    /* "L1d 48 kB, L2 1.05 MB, L3 33.6 MB" */
    char kernel[BENCH_TEXT_NBYTES];    /* "Linux 6.1.0" */
    char compiler[BENCH_TEXT_NBYTES];  /* compiler of this program: "GNU 12.2.0" */
    char flags[BENCH_TEXT_NBYTES];     /* flags of this program: "Release: -O3 -DNDEBUG" */
    char jit_flags[BENCH_TEXT_NBYTES]; /* flags of generated kernels */
    char version[BENCH_TEXT_NBYTES];   /* "Tessera 0.1.0" */
    char commit[BENCH_TEXT_NBYTES];    /* "1b66f4b", "1b66f4b-dirty", "unknown" */
    char pinning[BENCH_TEXT_NBYTES];   /* how threads are pinned (bench_pin.h) */
    char started[BENCH_TEXT_NBYTES];   /* "2026-11-20T09:34:34Z" */
    uint64_t memory_nbytes;            /* 0: unknown */
    int ncpus;                         /* processors that this process may use */
} bench_machine;

void bench_machine_init(bench_machine *machine);

enum { BENCH_MAX_ROOFS = 8 };

/* The measured limits of memory and processor: each the best of several runs on pinned threads. 0:
 * unknown. */
typedef struct bench_roof {
    int nthreads;
    /* bytes per second: a[i] = b[i] + s * c[i] on arrays larger than the caches, 24 bytes per element */
    double triad;
    /* elements per second: sum of x[at[i]] at random places, x larger than the caches, 8 bytes per element */
    double gather;
    double fma_f64; /* operations per second, two for each fused multiply-add, in registers */
    double fma_f32;
} bench_roof;

/* Measure one roof for each thread count of threads[0..n), n <= BENCH_MAX_ROOFS; takes about half a second
 * each. */
void bench_roof_measure(bench_roof *roofs, const uint64_t *threads, int n);

/* A lower bound of the time, in nanoseconds, of a run that moves nbytes and does flops operations (either may
 * be 0: unknown): the larger of the bytes at the triad's rate and the operations at the peak rate for values
 * of value_nbytes. Data in the caches may be faster. 0: unknown. */
double bench_roof_ns(const bench_roof *roof, double nbytes, double flops, int value_nbytes);

#endif
