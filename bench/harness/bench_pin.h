/* Pins threads to processors: during measurement, thread t of the OpenMP pool stays on the t-th processor
 * that this process may use, first one thread per core, then their siblings. At other times nothing is
 * pinned, so that other processes that this one starts (compilers, baselines) may run anywhere. */
#ifndef BENCH_PIN_H
#define BENCH_PIN_H

#include <stddef.h>

enum { BENCH_MAX_CPUS = 256 };

typedef struct bench_cpus {
    int n; /* number of processors; 0: unknown, nothing is pinned */
    int cpu[BENCH_MAX_CPUS];
} bench_cpus;

void bench_cpus_init(bench_cpus *cpus);
/* Pin the caller and the pool for parallel regions of nthreads threads; does nothing if there are more
 * threads than processors. */
void bench_pin(const bench_cpus *cpus, int nthreads);
/* Let the caller and the pool run on all processors again. */
void bench_unpin(const bench_cpus *cpus);
/* Wait until the threads of this process sleep (at most half a second): OpenMP's threads busy-wait for work
 * for some milliseconds, and would take the processors from another process. */
void bench_settle(void);
/* Wait as long as the threads of another process may busy-wait after their work. */
void bench_settle_others(void);
/* Write "thread t on the t-th of processors 0,1" into buf; returns buf. */
char *bench_cpus_text(char *buf, size_t n, const bench_cpus *cpus);

#endif
