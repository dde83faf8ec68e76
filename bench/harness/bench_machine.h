/* What a measurement was made on and with: said in every record. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdint.h>

enum { BENCH_TEXT_NBYTES = 256 };

typedef struct bench_machine {
    char cpu[BENCH_TEXT_NBYTES];       /* "AMD EPYC 9B14" */
    char arch[BENCH_TEXT_NBYTES];      /* "x86_64, level 4" (of the psABI) */
    char caches[BENCH_TEXT_NBYTES];    /* "L1d 48 kB, L2 1.05 MB, L3 33.6 MB" */
    char kernel[BENCH_TEXT_NBYTES];    /* "Linux 6.1.0" */
    char compiler[BENCH_TEXT_NBYTES];  /* of this program: "GNU 12.2.0" */
    char flags[BENCH_TEXT_NBYTES];     /* of this program: "Release: -O3 -DNDEBUG" */
    char jit_flags[BENCH_TEXT_NBYTES]; /* of kernels that are compiled here */
    char version[BENCH_TEXT_NBYTES];   /* "Tessera 0.1.0" */
    char commit[BENCH_TEXT_NBYTES];    /* "1b66f4b", "1b66f4b-dirty", "unknown" */
    char pinning[BENCH_TEXT_NBYTES];   /* what is done about it (bench_pin.h) */
    char started[BENCH_TEXT_NBYTES];   /* "2026-11-20T09:34:34Z" */
    uint64_t memory_nbytes;            /* 0: unknown */
    int ncpus;                         /* that this process may use */
} bench_machine;

void bench_machine_init(bench_machine *machine);

enum { BENCH_MAX_ROOFS = 8 };

/* What memory and processor allow, measured: each the best of several runs on pinned threads. 0: not known.
 */
typedef struct bench_roof {
    int nthreads;
    double triad;   /* bytes a second: a[i] = b[i] + s * c[i] beyond the caches, 24 bytes an element */
    double gather;  /* elements a second: sum of x[at[i]], at random, x beyond the caches, 8 bytes each */
    double fma_f64; /* operations a second, two for each fused multiply-add, in registers */
    double fma_f32;
} bench_roof;

/* One roof for each thread count of threads[0..n), n <= BENCH_MAX_ROOFS; takes about half a second each. */
void bench_roof_measure(bench_roof *roofs, const uint64_t *threads, int n);

/* Nanoseconds below which no run of so many bytes and operations comes (either may be 0: unknown): the larger
 * of bytes at the triad's rate and operations at the peak of values of value_nbytes. What stays in the caches
 * may be faster. 0: unknown. */
double bench_roof_ns(const bench_roof *roof, double nbytes, double flops, int value_nbytes);

#endif
