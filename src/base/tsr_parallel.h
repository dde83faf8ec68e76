/* Threads: the only place that knows how they are made (OpenMP). */
#ifndef TSR_PARALLEL_H
#define TSR_PARALLEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many threads to use when `requested` are asked for; 0 means all processors that this process may use.
 * At least 1, at most TSR_MAX_THREADS. */
enum { TSR_MAX_THREADS = 256 };
int tsr_thread_count(int requested);

/* How many threads, at least 1 and at most nthreads, a parallel region that the calling thread runs next may
 * ask OpenMP for. OpenMP ends the process when a thread cannot be made (RLIMIT_NPROC, a cgroup's pids.max, no
 * memory for a stack); so threads are tried first, whenever nthreads is more than this function gave the
 * calling thread last time. tsr_parallel calls it; whoever runs code with parallel regions of its own (a
 * generated kernel) calls it before. Cost: some 30 us for each thread that is tried. */
int tsr_threads_ready(int nthreads);

/* Run body(arg, t, nthreads) once for each t in [0, nthreads), on nthreads threads at once, and return when
 * all have ended. Fewer threads than asked for may run, where no more can be made; then one thread runs
 * several t, one after the other, so bodies must not wait for each other. nthreads = 1 runs in the caller. */
void tsr_parallel(int nthreads, void (*body)(void *arg, int t, int nthreads), void *arg);

/* Cut [0, n) into nparts nearly equal ranges: the first index of part i (i = nparts gives n). */
static inline uint64_t tsr_cut(uint64_t n, int i, int nparts)
{
    const uint64_t each = n / (uint64_t)nparts, rest = n % (uint64_t)nparts;
    return each * (uint64_t)i + ((uint64_t)i < rest ? (uint64_t)i : rest);
}

#ifdef __cplusplus
}
#endif
#endif
