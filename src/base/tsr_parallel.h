/* Threads of the library, which read, sort, pack, convert and write: parallel.c is the only file that knows how
 * threads are made (OpenMP). The caller of tsr_parallel cuts the work, with tsr_cut where all parts cost the
 * same: to change how a step is shared, change its caller (git grep tsr_parallel). Results do not depend on the number
 * of threads. Threads of generated kernels: src/plan/plan_share.c. */
#ifndef TSR_PARALLEL_H
#define TSR_PARALLEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of threads to use when `requested` are asked for. 0 asks for OMP_NUM_THREADS threads, which batch
 * systems set; without that variable for all processors that this process may use. At least 1, at most
 * TSR_MAX_THREADS. */
enum { TSR_MAX_THREADS = 256 };
int tsr_thread_count(int requested);

/* The number of threads (at least 1, at most nthreads) that the next parallel region of the calling thread
 * may ask OpenMP for. OpenMP ends the process when it cannot make a thread (RLIMIT_NPROC, pids.max of a
 * cgroup, not enough memory for a stack). So this function tries to make the threads first, whenever nthreads
 * is larger than its last result for the calling thread. tsr_parallel calls it; code with parallel regions of
 * its own (a generated kernel) needs the call before. Cost: about 30 us for each thread that is tried. */
int tsr_threads_ready(int nthreads);
/* End the threads that OpenMP keeps for the next region of the calling thread. Where the kept threads of all callers outnumber the
 * processors, GNU's OpenMP lets every thread sleep at once, and waking one takes some 50 us instead of 3. */
void tsr_threads_release(void);

/* Run body(arg, t, nthreads) once for each t in [0, nthreads), on nthreads threads at once, and return when
 * all calls have ended. When not all threads can be made, one thread runs several t, one after the other; so
 * the bodies must not wait for each other. nthreads = 1 runs in the calling thread. */
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
