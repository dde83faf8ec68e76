/* Threads on processors: while something is timed, thread t of the OpenMP pool stays on the t-th processor
 * that this process may use, first one thread a core, then their siblings. In between nothing is pinned, so
 * what the process starts (compilers, other programs) may run anywhere. */
#ifndef BENCH_PIN_H
#define BENCH_PIN_H

#include <stddef.h>

enum { BENCH_MAX_CPUS = 256 };

typedef struct bench_cpus {
    int n; /* 0: the system does not tell, nothing is pinned */
    int cpu[BENCH_MAX_CPUS];
} bench_cpus;

void bench_cpus_init(bench_cpus *cpus);
/* Pin the caller and the pool for parallel regions of nthreads; more threads than processors are left free.
 */
void bench_pin(const bench_cpus *cpus, int nthreads);
/* The caller and the pool may run on all of them again. */
void bench_unpin(const bench_cpus *cpus);
/* Wait until the threads of this process sleep: OpenMP's look for work for milliseconds before they do, and
 * would take the processors from another process. At most half a second. */
void bench_settle(void);
/* Wait as long as threads of another process that has worked may look for more. */
void bench_settle_others(void);
/* "thread t on the t-th of processors 0,1" into buf; returns buf. */
char *bench_cpus_text(char *buf, size_t n, const bench_cpus *cpus);

#endif
